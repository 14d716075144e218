"""How cycles are written, and what diy7 makes of its own."""

from __future__ import annotations

import pytest

from enumerator.errors import InputError
from enumerator.generation.cycles import rotated, skeleton_of
from enumerator.generation.grammar import parse_cycle, parse_mark, parse_relaxations, relaxation_names
from enumerator.generation.naming import test_name as name_of
from enumerator.generation.plan import Plan, generate
from enumerator.generation.relaxations import edge_text, steps_text

# Tests of herdtools7 (doc/, catalogue/) whose headers say the cycle: name, what each thread reads, final values.
PUBLISHED = [
    ("MP", "PodWW Rfe PodRR Fre", {1: [1, 0]}, []),
    ("2+2W", "PodWW Wse PodWW Wse", {}, [2, 2]),
    ("R", "PodWW Wse PodWR Fre", {1: [0]}, [2]),
    ("S", "PodWW Rfe PodRW Wse", {1: [1]}, [2]),
    ("CoRR", "Rfe PosRR Fre", {1: [1, 0]}, []),
    ("CoRW1", "PosRW Rfe", {0: [1]}, []),
    ("CoWR0", "PosWR Fre", {0: [0]}, []),
    ("LB+ctrl+data", "DpCtrldW Rfe DpDatadW Rfe", {0: [1], 1: [1]}, []),
    ("IRIW+addr+po", "Rfe DpAddrdR Fre Rfe PodRR Fre", {1: [1, 0], 3: [1, 0]}, []),
    ("LB+data+data-coi-rfi-addr", "DpDatadW Rfe DpDatadW Wsi Rfi DpAddrdW Rfe", {0: [1], 1: [1, 2]}, [2]),
    ("LB+data+fri-rfi-addr", "DpDatadW Rfe Fri Rfi DpAddrdW Rfe", {0: [1], 1: [1, 2]}, [2]),
    ("W+RWC", "PodWW Rfe PodRR Fre PodWR Fre", {1: [1, 0], 2: [0]}, []),
    ("R+po+rfi-po", "Fre PodWW Wse Rfi PodRR", {1: [2, 0]}, [2]),
    ("SB+rfi-pos", "Fre Rfi PodRR Fre Rfi PodRR", {0: [1, 0], 1: [1, 0]}, []),
]


@pytest.mark.parametrize(("name", "cycle", "reads", "finals"), PUBLISHED)
def test_published_tests(name: str, cycle: str, reads: dict[int, list[int]], finals: list[int]) -> None:
    steps = rotated(parse_cycle(cycle)[0])
    skeleton = skeleton_of(steps)
    assert name_of(steps) == name
    asked: dict[int, list[int]] = {}
    for number, _, value in skeleton.reads:
        asked.setdefault(number, []).append(value)
    assert asked == reads
    assert [value for _, value in skeleton.finals] == finals


def test_every_name_is_read_and_written_back() -> None:
    for name in relaxation_names():
        (chain,) = parse_relaxations([name])
        written = edge_text(chain.steps[0].edge)
        assert written == {"Rmw": "Exch"}.get(name, name)


@pytest.mark.parametrize(
    "cycle",
    [
        "P PodWW Rel(agent,bar:y,foo:x) Rfe@wg Acq(agent) FenceAcq(wg,foo:x)+Barrier+FenceScdRR P(as3) Fre@wg",
        "P(0..2) PosWW P(1..3) Rfe FenceAcq P(2..4) PosRR Fre",
        "Rlx(xchg) PodWW Rlx(av,sc1) Rfe DpCtrl+FenceAcqdR Fre",
        "Rfe AR Cas Coe Any(as1) PodWW",
    ],
)
def test_cycles_are_written_so_that_they_can_be_read(cycle: str) -> None:
    (steps,) = parse_cycle(cycle)
    assert parse_cycle(steps_text(steps)) == (steps,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PodWWPRel Rfe PodRRAcqP Fre", "P PodWW Rel Rfe Acq PodRR P Fre"),
        ("Wse PodWW Coe PodWW", "Coe,PodWW,Wse,PodWW"),
        ("DpdR Fre PodWW Rfe", "DpAddrdR Fre PodWW Rfe"),
        ("DpdW Rfe CtrldW Rfe", "DpDatadW Rfe DpCtrldW Rfe"),
        ("FencedWR Fre FencedWR Fre", "FenceScdWR Fre FenceScdWR Fre"),
        ("PodWW Rfe Pod** Fre", "PodWW Rfe PodRR Fre"),
        ("Pln PodWW Na Rfe Rlx(wavefront) PodRR Fre", "P PodWW P Rfe Rlx(wave) PodRR Fre"),
    ],
)
def test_ways_to_say_the_same(one: str, other: str) -> None:
    assert parse_cycle(one) == parse_cycle(other)


def test_a_fence_alone_stands_before_the_event() -> None:
    (steps,) = parse_cycle("Rfe FenceAcq PodRR Fre PodWW FenceRel")
    kinds = [[event.kind.name for event in thread] for thread in skeleton_of(rotated(steps)).threads]
    assert kinds == [["FENCE", "READ", "READ"], ["WRITE", "FENCE", "WRITE"]]


def test_wildcards_are_all_cycles_that_fit() -> None:
    assert [made.name for made in generate(Plan(cycles=("Pod** Rfe Pod** Fre",)))] == ["MP"]
    found = {made.name for made in generate(Plan(cycles=("PodW* Coe PodW* Coe",)))}
    assert found == {"2+2W"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a cycle needs relaxations"),
        ("Foo", "cycle:1:1: unknown relaxation or annotation Foo"),
        ("PodWW Rfee PodRR Fre", "cycle:1:7: unknown relaxation or annotation Rfee: did you mean Rfe?"),
        ("PodWW Con Rfe", "Con: there is no consume here"),
        ("FenceRlxdWW Rfe PodRR Fre", "a relaxed fence does nothing"),
        ("PodWW Rel(agent Rfe", "cycle:1:10: unbalanced parentheses"),
        ("PodWW Rel(foo) Rfe PodRR Fre", "cycle:1:7: foo: expected a scope"),
        ("PodWW Rel() Rfe PodRR Fre", "expected a scope"),
        ("PodWW Rel Acq Rfe PodRR Fre", "cycle:1:11: Acq: the event is Rel already"),
        ("Rfi@wg PodRW", "only an external relaxation says where two threads meet"),
        ("Rfe@foo PodRW", "threads meet in one of wave, wg, cluster, agent, system"),
        ("DpDatadR Fre", "a data dependency ends in a write"),
        ("FenceRel(as3)dWW Rfe PodRR Fre", "a fence has a scope, tags and attributes of Vulkan only"),
        ("[Rfe PodRR] Fre PodWW", "brackets group relaxations in --relax only"),
        ("Po*** " * 12, "wildcards leave more than"),
        ("Rlx", "a cycle needs relaxations"),
        ("PodWW Rfe P(wg) PodRR Fre", "cycle:1:11: P(wg): a plain access has no scope"),
        ("PodWW Rfe Any(wg) PodRR Fre", "Any(wg): Any has an address space, bytes and xchg only"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cycle(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(families=("ISA",)), "--family: unknown family ISA: did you mean ISA2?"),
        (Plan(size=4, relax=("Rel",)), "--relax:1:1: Rel is no relaxation"),
        (Plan(size=4, relax=("[Rfe PodRR",)), "']' is missing"),
        (Plan(size=4, relax=("[]",)), "nothing stands in these brackets"),
        (Plan(size=4, annotate=("Foo",)), "--annotate:1:1: expected an annotation"),
        (Plan(size=4, annotate=("Any(as3)",)), "--annotate: Any says no ordering"),
        (Plan(size=4, default="Any"), "--default"),
        (Plan(size=4, default="Acq"), "a write cannot be acquire"),
        (Plan(size=4, place=("system",)), "--place: expected levels of the scope tree"),
        (Plan(size=4, profile="foo"), "no such profile"),
        (Plan(cycles=("PodWW Rfe@wg PodRR Fre",), place=("wg",)), "this cycle has its own"),
        (
            Plan(families=("CoRR",), annotate=("P(0..2)", "P(2..4)"), cycles=("Rfe P(0..2) PosRR Fre P(2..4)",)),
            "no byte",
        ),
    ],
)
def test_mistakes_in_plans(plan: Plan, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(generate(plan))
    assert message in str(caught.value)


def test_annotations() -> None:
    assert parse_mark("Rel(agent,foo:x)").mark == parse_mark("Rel(foo:x,agent)").mark
    with pytest.raises(InputError, match="expected an annotation"):
        parse_mark("Release")
