"""What the front end makes of Khronos Alloy tests."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.condition import And, Equal, Literal, Name
from enumerator.program.instructions import ReadModifyWrite, Scope, Store
from enumerator.program.test import Test
from tests.frontend_vulkan.source import asked, load

MP = """// Copyright of nobody
// The title
NEWWG
NEWSG
NEWTHREAD
st.av.scopedev.sc0 x = 1
st.atom.rel.scopedev.sc0.semsc0 y = 1
NEWWG
NEWSG
NEWTHREAD
ld.atom.acq.scopedev.sc0.semsc0 y = 1
ld.vis.scopedev.sc0 x
SATISFIABLE consistent[X] && #dr=0
NOSOLUTION   consistent[X]&&#dr>0
SATISFIABLE NOCHAINS consistent[X]
"""


def alloy(*lines: str) -> Test:
    return load("\n".join(lines) + "\n", "folder/t.test")


def test_a_test() -> None:
    test = load(MP, "folder/mp.test")
    assert (test.name, test.title, test.format) == ("mp", "The title", "alloy")
    assert [thread.name for thread in test.threads] == ["P0", "P1"]
    assert test.condition.filter == Equal(Name("P1:r0"), Literal(1))
    assert test.locations == (Name("P1:r0"), Name("P1:r1"))
    assert [(each.variants, each.observation, set(each.flags)) for each in test.expectations] == [
        (("race-free",), "Always", set()),
        (("racy",), "Never", set()),
        (("race-blind", "nochains"), "Always", set()),
    ]
    result = asked(test)
    assert [str(state) for state in result.states] == ["P1:r0=1; P1:r1=1;"]
    assert (result.positive, result.flags) == (1, ())


def test_places() -> None:
    test = alloy(
        "ld.sc0 a", "NEWTHREAD", "ld.sc0 a", "NEWSG", "NEWTHREAD", "ld.sc0 a", "NEWWG", "NEWTHREAD", "ld.sc0 a",
        "NEWQF", "NEWTHREAD 9", "ld.sc0 a", "NEWTHREAD", "ld.sc0 a",
    )  # fmt: skip
    assert [thread.name for thread in test.threads] == ["P0", "P1", "P2", "P3", "P9", "P10"]
    instances = [
        [place.instance(scope) for place in test.placements.values()]
        for scope in (Scope.WAVEFRONT, Scope.WORKGROUP, Scope.CLUSTER, Scope.AGENT)
    ]
    assert instances == [[0, 0, 1, 2, 3, 3], [0, 0, 0, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0] * 6]


def test_values() -> None:
    test = alloy("st.sc0 a", "st.sc0 a = 1", "rmw.scopedev.sc0 b = 3 4", "ld.st.atom.scopedev.sc0 b = 4")
    first, second, third, fourth = test.functions["P0"].blocks[0].body
    assert isinstance(first, Store) and isinstance(second, Store) and first.value != second.value
    assert isinstance(third, ReadModifyWrite) and isinstance(fourth, ReadModifyWrite)
    assert (third.target, third.operator, fourth.target) == ("r0", "xchg", "r1")
    assert test.condition.filter == And((Equal(Name("P0:r0"), Literal(3)), Equal(Name("P0:r1"), Literal(4))))


def test_locations_of_several_names() -> None:
    test = alloy("st.sc0 a = 1", "st.sc0 b = 1", "st.sc0 c = 1", "st.sc0 d = 1", "SLOC a b", "SLOC c b")
    assert [memory.name for memory in test.objects] == ["c", "d"]


def test_synchronized_threads_may_be_numbered_before_they_come() -> None:
    test = alloy("SSW 4 2", "NEWTHREAD 4", "st.sc0 a = 1", "NEWTHREAD 2", "ld.sc0 a = 1")
    assert test.synchronized == (("P4", "P2"),)


def test_the_races_that_a_question_asks_for() -> None:
    test = load(MP.replace("ld.atom.acq.scopedev.sc0.semsc0 y = 1", "ld.atom.scopedev.sc0 y = 1"), "mp.test")
    found = {variant: asked(test, (variant,)) for variant in ("race-free", "racy", "race-blind")}
    assert [result.positive for result in found.values()] == [0, 2, 2]
    assert {variant: result.flags for variant, result in found.items()} == {
        "race-free": (),
        "racy": ("race",),
        "race-blind": (),
    }


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("SATISFIABLE #dr>0", 13),
        ("NOSOLUTION NOCHAINS consistent[X] && #sw=0", 21),
        ("SATISFIABLE consistent[X] && (#rs=2)", 13),
        ("SATISFIABLE consistent[X] && #dr=0 && #dr>0", 13),
    ],
)
def test_a_question_that_is_not_covered_does_not_lose_the_others(question: str, column: int) -> None:
    test = load_text(f"st.sc0 y = 1\n{question}\nSATISFIABLE consistent[X] && (#dr = 0)\n", "t.test")
    assert [each.line for each in test.expectations] == [3]
    (note,) = check(test).notes
    assert note.startswith(f"t.test:2:{column}: this question is not covered")


@pytest.mark.parametrize(
    ("term", "variant"),
    [
        ("#dr<1", "race-free"),
        ("(#dr=0)", "race-free"),
        ("no X.dr", "race-free"),
        ("#dr>=1", "racy"),
        ("#dr!=0", "racy"),
    ],
)
def test_ways_to_ask_for_races(term: str, variant: str) -> None:
    test = load_text(f"st.sc0 y = 1\nNOSOLUTION consistent[X] && {term}\n", "t.test")
    assert test.expectations[0].variants == (variant,)
