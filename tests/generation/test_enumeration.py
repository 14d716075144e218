"""All cycles up to a size: each once, and none missing."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from enumerator.generation.canonical import canonical, numbered, same_but_for_names
from enumerator.generation.cycles import rotated, skeleton_of
from enumerator.generation.enumeration import annotated, critical_cycles, least
from enumerator.generation.grammar import parse_cycle, parse_mark, parse_relaxations
from enumerator.generation.naming import FAMILIES
from enumerator.generation.naming import test_name as name_of
from enumerator.generation.placing import places_of
from enumerator.generation.plan import Plan, generate
from enumerator.generation.relaxations import Access, Relation, Step, steps_text
from enumerator.generation.skeleton import Kind, Place, Skeleton, refused_ordering
from enumerator.program.instructions import Scope


def marks(*names: str) -> list[Access]:
    return [parse_mark(name) for name in names]


def critical(cycle: tuple[Step, ...]) -> bool:
    """A critical cycle with one relaxation a thread, in other words than those of the module."""
    edges = [step.edge for step in cycle]
    if any(edges[place - 1].target != edge.source for place, edge in enumerate(edges)):
        return False
    text = " ".join("e" if edge.external else "i" for edge in edges)
    if sum(not edge.same for edge in edges) == 1 or text.count("e") == 1:
        return False
    for place, edge in enumerate(edges):
        before = edges[place - 1]
        if (
            edge.external
            and before.external
            and (before.relation, edge.relation)
            not in (
                (Relation.CO, Relation.RF),
                (Relation.FR, Relation.RF),
            )
        ):
            return False
        if not edge.external and not before.external:
            return False
    internal = [edge for edge in edges if not edge.external]
    if all(edge.same for edge in edges):
        return len(internal) == 1
    return not any(edge.same for edge in internal)


@pytest.mark.parametrize("names", [(), ("P", "Rel", "Acq")])
def test_all_critical_cycles_each_once(names: tuple[str, ...]) -> None:
    chains = parse_relaxations(["Rfe Fre Coe Po***"])
    chosen = marks(*names)
    most = 4 if names else 5
    found = [least(cycle) for cycle in critical_cycles(chains, most, chosen)]
    assert len(found) == len(set(found))
    expected = set()
    edges = [chain.steps[0].edge for chain in chains]
    for size in range(2, most + 1):
        for row in product(edges, repeat=size):
            if not critical(tuple(Step(Access(), edge) for edge in row)):
                continue
            choices = [
                [each for each in chosen if each.mark and refused_ordering(edge.source, each.mark.ordering) is None]
                or [Access()]
                for edge in row
            ]
            expected |= {least(tuple(map(Step, accesses, row))) for accesses in product(*choices)}
    assert set(found) == expected


def test_no_two_are_alike() -> None:
    """By the brute force, for small ones; by the canonical form, for more."""
    chains = parse_relaxations(["Rf* Fr* Co* Po*** Rmw Cas Fetch.Add FenceSc*** DpAddr*R"])
    skeletons = [skeleton_of(cycle) for cycle in critical_cycles(chains, 5, internal=2)]
    assert len(skeletons) > 400
    assert len({canonical(each) for each in skeletons}) == len(skeletons)
    for one, other in combinations(skeletons[:90], 2):
        assert not same_but_for_names(one, other)
    more = [skeleton_of(cycle) for cycle in critical_cycles(chains, 4, marks("Rlx", "Sc"), internal=1)]
    assert len({canonical(each) for each in more}) == len(more) > 400


def test_names_tell_tests_apart() -> None:
    chains = parse_relaxations(["Rf* Fr* Co* Po*** Rmw Cas Fetch.Add FenceSc*** FenceAcq(wg)*** DpAddr*R"])
    for size, chosen, internal in ((4, ("Rlx", "Sc"), 1), (5, ("Rlx",), 2)):
        cycles = critical_cycles(chains, size, marks(*chosen), internal=internal)
        names = [name_of(rotated(cycle)) for cycle in cycles]
        assert len(set(names)) == len(names) > 800
        assert all(len(name) < 100 for name in names)


def test_families_are_the_cycles_of_two_and_three_threads() -> None:
    """The literature's table of critical cycles (Herding Cats, table III) is what comes out."""
    named = {name_of(rotated(cycle)) for cycle in critical_cycles(parse_relaxations(["Rfe Fre Coe Pod**"]), 6)}
    four = {"4.SB", "4.LB", "4.2W"}
    assert named == {name for name in FAMILIES if not name.startswith("Co")} - four


@pytest.mark.parametrize("family", FAMILIES)
def test_families_bear_their_names(family: str) -> None:
    (made,) = generate(Plan(families=(family,)))
    assert made.name == family


def test_relaxations_made_of_several() -> None:
    """Ways that lead to one cycle are one."""
    chains = parse_relaxations(["Rfe PodRR Fre PodWW [Rfe PodRR] [Fre PodWW]"])
    assert [steps_text(cycle) for cycle in critical_cycles(chains, 4)] == ["Fre PodWW Rfe PodRR"]
    annotations = parse_relaxations(["PodWWPRel RfeRelAcq PodRRAcqP Fre"])
    assert [name_of(rotated(cycle)) for cycle in critical_cycles(annotations, 4)] == ["MP+poprel+poacqp"]


def test_annotations_of_symmetric_cycles() -> None:
    for family in ("SB", "IRIW", "MP", "3.LB"):
        (made,) = generate(Plan(families=(family,)))
        found = [skeleton_of(each) for each in annotated(made.steps, marks("Rlx", "Sc", "Acq", "Rel"))]
        assert len({canonical(each) for each in found}) == len(found)
        events = [event for _, _, event in made.skeleton.events()]
        turns = {"SB": 2, "IRIW": 2, "MP": 1, "3.LB": 3}[family]
        total = 3 ** len(events)
        fixed = 3 ** (len(events) // turns)
        assert len(found) == (total + (turns - 1) * fixed) // turns  # Burnside's lemma


@pytest.mark.parametrize("cycle", ["PodWW Rfe PodRR Fre", "PodWR Fre PodWR Fre", "Rfe PodRR Fre Rfe PodRR Fre"])
def test_places_of_threads(cycle: str) -> None:
    """All trees over two levels, those that a symmetry of the cycle exchanges once."""
    steps = rotated(parse_cycle(cycle)[0])
    count = len(skeleton_of(steps).threads)
    levels = [Scope.WORKGROUP, Scope.AGENT]
    found = [canonical(skeleton_of(steps, places=places)) for places in places_of(steps, levels)]
    assert len(set(found)) == len(found)
    every: set[Skeleton] = set()
    for groups, agents in product(product(range(count), repeat=count), repeat=2):
        pairs = set(zip(groups, agents, strict=True))
        if len(pairs) == len(set(groups)):  # each workgroup is in one agent
            rows = zip(range(count), range(count), groups, agents, agents, strict=True)
            places: tuple[Place, ...] = numbered([(*row, 0) for row in rows])
            every.add(canonical(skeleton_of(steps, places=places)))
    assert set(found) == every


def test_a_plan_gives_each_test_once() -> None:
    plan = Plan(cycles=("Fre PodWW Rfe PodRR", "Pod** Rfe Pod** Fre"), families=("MP", "SB"), size=4)
    found = [made.skeleton for made in generate(plan)]
    assert len({canonical(each) for each in found}) == len(found) == 6


def test_relaxations_that_say_where_threads_meet() -> None:
    """Ways to say that come to the same place are one; those that contradict each other are none."""
    plan = Plan(size=4, relax=("Rfe Rfe@wg Rfe@agent Fre Fre@wg Fre@agent PodWW PodRR",))
    found = [made.skeleton for made in generate(plan)]
    assert len({canonical(each) for each in found}) == len(found) == 3  # nowhere, in a workgroup, in an agent


def test_variations_of_a_family() -> None:
    plan = Plan(families=("SB",), relax=("PodWR FenceScdWR FenceScdRR",), annotate=("Rlx", "Sc"))
    found = [made.skeleton for made in generate(plan)]
    assert len({canonical(each) for each in found}) == len(found) == 10 + 16 + 10
    fences = [sum(event.kind == Kind.FENCE for _, _, event in each.events()) for each in found]
    assert [fences.count(number) for number in range(3)] == [10, 16, 10]


def test_turns_are_no_cycles_of_their_own() -> None:
    (cycle,) = parse_cycle("PodWW Rfe PodRR Fre")
    turned = {least(cycle[place:] + cycle[:place]) for place in range(4)}
    assert len(turned) == 1
