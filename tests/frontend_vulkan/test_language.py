"""What the front end makes of Vulkan litmus tests."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.instructions import Barrier, Fence, Load, Ordering, ReadModifyWrite, Scope, Store
from enumerator.program.test import Test
from tests.frontend_vulkan.source import asked, body, final, instructions, load, states

TWO = """Vulkan two "a title"
"more text that says what it likes: {{ EXPECT: x"
{{ x = 1; P1:r0 = 7; }}
 P0@sg 0, wg 0, qf 0 | P1@sg {sg},wg {wg}, qf {qf} ;
 st.atom.dv.sc0 x, 2 | ld.atom.dv.sc0 r0, x ;
{question}
"""


def two(sg: int = 0, wg: int = 0, qf: int = 0, question: str = "exists (P1:r0 == 2)") -> Test:
    return load(TWO.format(sg=sg, wg=wg, qf=qf, question=question))


def same(test: Test) -> list[bool]:
    first, second = test.placements.values()
    return [first.instance(scope) == second.instance(scope) for scope in Scope]


@pytest.mark.parametrize(
    ("place", "shared"),
    [
        ((0, 0, 0), [False, True, True, True, True, True]),
        ((1, 0, 0), [False, False, True, True, True, True]),
        ((0, 1, 0), [False, False, False, True, True, True]),
        ((0, 0, 1), [False, False, False, False, True, True]),
    ],
)
def test_places(place: tuple[int, int, int], shared: list[bool]) -> None:
    assert same(two(*place)) == shared


def test_header_and_names() -> None:
    test = two()
    assert (test.name, test.title, test.format) == ("two", "a title", "vulkan")
    assert [thread.name for thread in test.threads] == ["P0", "P1"]
    assert states(test) == [{"P1:r0": 1, "[x]": 2}, {"P1:r0": 2, "[x]": 2}]


@pytest.mark.parametrize(
    ("operation", "kind", "ordering", "scope", "labels"),
    [
        ("st.sc0 x, 1", Store, Ordering.NA, Scope.SYSTEM, {"SC0"}),
        ("st.nonpriv.sc1 x, 1", Store, Ordering.NA, Scope.SYSTEM, {"SC1", "NONPRIV"}),
        ("st.av.qf.sc0 x, 1", Store, Ordering.NA, Scope.CLUSTER, {"SC0", "AV", "NONPRIV"}),
        ("ld.vis.sg.sc3 r0, x", Load, Ordering.NA, Scope.WAVEFRONT, {"SC3", "VIS", "NONPRIV"}),
        ("ld.atom.wg.sc0 r0, x", Load, Ordering.MONOTONIC, Scope.WORKGROUP, {"SC0", "VIS", "NONPRIV"}),
        (
            "ld.atom.acq.dv.sc0.semsc1.semsc0.semvis r0, x",
            Load,
            Ordering.ACQUIRE,
            Scope.AGENT,
            {"SC0", "SEMSC0", "SEMSC1", "SEMVIS", "VIS", "NONPRIV"},
        ),
        (
            "rmw.atom.acq_rel.dv.sc0.semsc0.plus r0, x, 1",
            ReadModifyWrite,
            Ordering.ACQ_REL,
            Scope.AGENT,
            {"SC0", "SEMSC0", "AV", "VIS", "NONPRIV", "ACQ", "REL"},
        ),
        ("membar.rel.wg.semsc0.semav", Fence, Ordering.RELEASE, Scope.WORKGROUP, {"SEMSC0", "SEMAV"}),
        ("cbar.wg 3", Barrier, Ordering.NA, Scope.WORKGROUP, set()),
        ("cbar.acq.rel.dv.semsc2 0", Barrier, Ordering.ACQ_REL, Scope.AGENT, {"SEMSC2"}),
        ("avdevice", Fence, Ordering.NA, Scope.SYSTEM, {"AVDEVICE"}),
        ("visdevice", Fence, Ordering.NA, Scope.SYSTEM, {"VISDEVICE"}),
    ],
)
def test_operations(operation: str, kind: type, ordering: Ordering, scope: Scope, labels: set[str]) -> None:
    (made,) = instructions(body(operation))
    assert isinstance(made, kind)
    annotation = made.annotation  # type: ignore[attr-defined]
    assert (annotation.ordering, annotation.scope, annotation.labels) == (ordering, scope, labels)


@pytest.mark.parametrize(
    ("operator", "result"),
    [("add", 11), ("plus", 11), ("sub", 1), ("and", 4), ("or", 7), ("xor", 3)],
)
def test_read_modify_writes(operator: str, result: int) -> None:
    assert final(f"rmw.atom.dv.sc0.{operator} r0, x, 5", initial="x = 6;") == {"P0:r0": 6, "[x]": result}
    assert final("rmw.atom.dv.sc0 r0, x, 5", initial="x = 6;") == {"P0:r0": 6, "[x]": 5}


def test_arithmetic_and_copies() -> None:
    rows = ("add r0, 2, 3", "sub r1, r0, 7", "mul r2, r1, r1", "div r3, 9, r2", "ld.sc0 r4, r3", "ld.sc0 r5, -1")
    assert final(*rows) == {"P0:r0": 5, "P0:r1": -2, "P0:r2": 4, "P0:r3": 2, "P0:r4": 2, "P0:r5": -1}


def test_integers_have_32_bits() -> None:
    assert final("add r0, 2147483647, 1", "ld.sc0 r1, 0xffffffff") == {"P0:r0": -(1 << 31), "P0:r1": -1}


@pytest.mark.parametrize(
    ("branch", "taken"),
    [
        ("beq 1, 1", 1),
        ("beq 1, 2", 0),
        ("bne 1, 2", 1),
        ("bge 2, 2", 1),
        ("ble 3, 2", 0),
        ("bgt 3, 2", 1),
        ("blt -1, 0", 1),
    ],
)
def test_branches(branch: str, taken: int) -> None:
    rows = (f"{branch}, LC00", "goto LC01", "LC00:", "ld.sc0 r0, 1", "LC01:", "add r1, r0, 0")
    assert final(*rows) == {"P0:r0": taken, "P0:r1": taken}


def test_a_loop_that_waits_is_one_evaluation() -> None:
    test = load(
        "VULKAN spin\n{}\nP0@sg 0, wg 0, qf 0 | P1@sg 0, wg 0, qf 0 ;\nLC00: | st.atom.dv.sc0 x, 1 ;\n"
        "ld.atom.dv.sc0 r0, x | ;\nbeq r0, 0, LC00 | ;\nexists (P0:r0 == 1)"
    )
    result = check(test)
    assert (result.verdict, result.status) == ("Ok", "complete") and result.flags == ()


def test_empty_cells_without_blanks() -> None:
    text = "VULKAN t\n{}\nP0@sg 0, wg 0, qf 0|P1@sg 0, wg 0, qf 0|P2@sg 0, wg 0, qf 0;\nst.sc0 x, 1||ld.sc0 r0, y;\n"
    test = load(text)
    assert [len(instructions(test, number)) for number in range(3)] == [1, 0, 1]


def test_aliases_are_references_to_one_location() -> None:
    test = body("st.nonpriv.sc0 x, 1", "ld.nonpriv.sc0 r0, y", initial="x = 0; y aliases x;")
    assert [memory.name for memory in test.objects] == ["x"]
    first, second = instructions(test)
    assert isinstance(first, Store) and isinstance(second, Load)
    assert first.address == second.address
    assert (first.annotation.reference, second.annotation.reference) == ("x", "y")


def test_synchronized_threads() -> None:
    head = "P0@sg 0,wg 0,qf 0 | P1@sg 1,wg 0,qf 0 ;\nst.sc0 x, 1 | ld.sc0 r0, x ;\n"
    test = load(f"VULKAN t\n{{ x = 0; }}\n{{\nssw 0 1;\n}}\n{head}exists (x = 1)")
    assert test.synchronized == (("P0", "P1"),)


@pytest.mark.parametrize(
    ("question", "verdict", "observation"),
    [
        ("exists (P1:r0 == 2)", "Ok", "Sometimes"),
        ("~exists (P1:r0 == 2)", "No", "Sometimes"),
        ("forall (P1:r0 == 1 \\/ P1:r0 == x)", "Ok", "Always"),
        ("forall (P1:r0 != 3 /\\ x = 2)", "Ok", "Always"),
        ("locations [x; P1:r0;]\nexists (1:r0 = 7)", "No", "Never"),
        ("filter (P1:r0 == 2)\nforall (P1:r0 == 2)", "Ok", "Always"),
        ("filter (P1:r0 == 1)", "Ok", "Always"),
        ("exists 0==0", "Ok", "Always"),
        ("exists (1 == 0)", "No", "Never"),
        ("exists (2 == P1:r0 /\\ ~race)", "Ok", "Sometimes"),
        ("exists (race)", "No", "Never"),
        ("", "Ok", "Always"),
    ],
)
def test_questions(question: str, verdict: str, observation: str) -> None:
    result = asked(two(question=question))
    assert (result.verdict, result.observation, result.flags) == (verdict, observation, ())


def test_directives_stand_in_comments() -> None:
    test = load(
        "VULKAN t // not a title\n(* The title\n   REF: somewhere\n   EXPECT: vulkan=Always *)\n"
        "// UNROLL: 4\n{ }\nP0@sg 0, wg 0, qf 0 ; // P0\n/* EXISTS: x = 0 */ st.sc0 x, 0 ;\n"
    )
    assert (test.title, test.references, test.unroll) == ("The title", ("somewhere",), 4)
    assert [each.text for each in test.expectations] == ["vulkan=Always"]
    assert test.condition.text == "x = 0"


def test_both_spellings_of_the_header() -> None:
    for word in ("VULKAN", "Vulkan"):
        assert load_text(f"{word} t\n{{}}\nP0@sg 0, wg 0, qf 0 ;\n", "t.litmus").name == "t"


def test_barriers_meet_turn_by_turn() -> None:
    """A barrier that runs twice: what stands before the first is seen behind the second, and not the reverse."""
    loop = ("LC00: | LC10: ;", "cbar.acq_rel.wg.semsc0 0 | cbar.acq_rel.wg.semsc0 0 ;")
    rows = (
        "P0@sg 0, wg 0, qf 0 | P1@sg 1, wg 0, qf 0 ;",
        "st.av.wg.sc0 x, 1 | ;",
        *loop,
        "add r1, r1, 1 | add r1, r1, 1 ;",
        "blt r1, 2, LC00 | blt r1, 2, LC10 ;",
        "| ld.vis.wg.sc0 r0, x ;",
    )
    test = load("VULKAN t\n{}\n" + "\n".join(rows) + "\nforall (P1:r0 == 1)")
    assert (asked(test).verdict, asked(test).flags) == ("Ok", ())
