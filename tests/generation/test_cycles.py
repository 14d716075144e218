"""The condition of a generated test decides its cycle: by executions in the plainest way, and by the engines."""

from __future__ import annotations

import networkx
import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.generation.building import to_test
from enumerator.generation.cycles import rotated, skeleton_of
from enumerator.generation.enumeration import critical_cycles
from enumerator.generation.grammar import parse_cycle, parse_mark, parse_relaxations
from enumerator.generation.relaxations import Relation, Step, steps_text
from enumerator.generation.skeleton import Skeleton, check_skeleton
from tests.generation.candidates import Candidate, Place, candidates

RELAXATIONS = parse_relaxations(["Rf* Fr* Co* Po*** DpAddr*R FenceSc*WR Rmw Fetch.Add Cas"])


def cycles(size: int, internal: int) -> list[tuple[Step, ...]]:
    return [rotated(cycle) for cycle in critical_cycles(RELAXATIONS, size, internal=internal)]


def events_of(steps: tuple[Step, ...], skeleton: Skeleton) -> list[Place]:
    """The event of each step: going through the threads, past what stands between."""
    found: list[Place] = []
    number, index = 0, -1
    for place in range(len(steps)):
        before = steps[place - 1].edge
        if place and before.relation == Relation.RMW:
            found.append(found[-1])
            continue
        if place and before.external:
            number, index = number + 1, -1
        index += 1
        while skeleton.threads[number][index].location < 0:
            index += 1
        found.append((number, index))
    return found


def happens(steps: tuple[Step, ...], candidate: Candidate) -> bool:
    """Tell whether an execution has every communication of a cycle."""
    events = events_of(steps, candidate.skeleton)
    for place, (_, edge) in enumerate(steps):
        one, other = events[place], events[(place + 1) % len(events)]
        match edge.relation:
            case Relation.RF if candidate.rf[other] != one:
                return False
            case Relation.CO if not candidate.before(one, other):
                return False
            case Relation.FR if not candidate.before(candidate.rf[one], other):
                return False
    return True


@pytest.mark.parametrize(("size", "internal"), [(6, 1), (5, 2)])
def test_the_condition_decides_the_cycle(size: int, internal: int) -> None:
    found = cycles(size, internal)
    assert len(found) > 100
    for steps in found:
        skeleton = skeleton_of(steps)
        check_skeleton(skeleton)
        ending = list(candidates(skeleton))
        # in one location, what contradicts a read-modify-write does not happen: executions have those at once
        atomicity = all(step.edge.same and step.edge.relation != Relation.PO for step in steps)
        assert ending or atomicity, f"{steps_text(steps)}: no execution ends so"
        for candidate in ending:
            assert not networkx.is_directed_acyclic_graph(candidate.graph(po="all")), steps_text(steps)
            if all(step.edge.same for step in steps) or networkx.is_directed_acyclic_graph(candidate.graph(po="same")):
                assert happens(steps, candidate), steps_text(steps)


@pytest.mark.parametrize(
    "cycle",
    [
        "Coi Coe PodWR Fre PodWW",  # three writes: the observer sees the order of the first two
        "Coe PodWW Coi Coi Rfe PodRW",
        "Fri Coe PodWR Fre PodWR",
        "Coe Coe PodWW Coe PosWW Rfe DpAddrdR Fre",
        "Rfi DpAddrdW Rfe DpDatadW Rfe DpDatadW Wsi",
    ],
)
def test_longer_cycles(cycle: str) -> None:
    (steps,) = parse_cycle(cycle)
    steps = rotated(steps)
    skeleton = skeleton_of(steps)
    ending = [each for each in candidates(skeleton) if networkx.is_directed_acyclic_graph(each.graph(po="same"))]
    assert ending
    assert all(happens(steps, candidate) for candidate in ending)


def test_observers_read_what_only_they_can_see() -> None:
    threads = skeleton_of(parse_cycle("Coi Coe PodWR Fre PodWW")[0]).threads
    assert [len(thread) for thread in threads] == [2, 3, 2]
    assert [event.location for event in threads[2]] == [0, 0]
    assert len(skeleton_of(parse_cycle("Rfe Rmw Coe PodWR Fre PodWW")[0]).threads) == 3


def test_engines_agree() -> None:
    """Under sc no condition is reachable; without any order, each is."""
    for steps in cycles(4, 1):
        skeleton = skeleton_of(steps)
        test = to_test(skeleton)
        assert check(test, "sc").observation == "Never", steps_text(steps)
        one_location = all(step.edge.same for step in steps)
        relaxed = to_test(skeleton_of(steps, parse_mark("Rlx").mark or pytest.fail()))
        weak = check(relaxed, "llvm", thin_air="none").observation
        fenced = [step.edge for step in steps if step.edge.between]
        if one_location:
            assert weak == "Never", f"{steps_text(steps)}: coherence"
        elif len(fenced) < 2:
            assert weak in ("Sometimes", "Always"), steps_text(steps)


@pytest.mark.parametrize(
    ("cycle", "message"),
    [
        ("PodWW Rfe", "Rfe ends in a read, PodWW begins at a write; the last relaxation leads to the first"),
        ("PodWW Fre", "PodWW ends in a write, Fre begins at a read"),
        ("PodWR Fre", "only Fre leads to another thread, and nothing leads back"),
        ("Rfe PosRW Rfe PodRW", "only PodRW leads to another location, and nothing leads back"),
        ("Coe Coe", "no execution has a cycle of communication alone"),
        ("PodWR PodRW", "no relaxation of this cycle is a communication"),
        ("PodWW Rfe Rel PodRR Fre", "between Rfe and PodRR: a read cannot be release"),
        ("PodWW Rfe@wg PodRR Fre@agent", "Fre@agent: by the other relaxations, these threads meet below that"),
        ("P(as1) PodWW Rfe PodRR P(as3) Fre", "as3: the location is in address space 1 already"),
        ("P(0..2) PodWW Rfe PodRR Fre P(2..4)", "the event is P.0..2. already"),
        ("Rfe Acq Rmw Sc Rfe Rmw", "do not fit: the halves of a read-modify-write are one operation"),
        ("P(0..2) Rfe P(2..4) PosRR Fre", "no byte is common to both ends of Rfe"),
        ("Rlx(1..3) Rfe PosRR Fre", "an atomic access of 2 bytes that begins at byte 1"),
    ],
)
def test_what_is_no_cycle(cycle: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        for steps in parse_cycle(cycle):
            skeleton_of(steps)
