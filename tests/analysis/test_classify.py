from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from enumerator.analysis.classify import Classification, classify
from enumerator.analysis.describe import describe
from enumerator.analysis.execution import Execution, rebuild
from enumerator.analysis.explain import explain_edge
from enumerator.analysis.graph import graph_of
from enumerator.cat.parser import parse_text
from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from enumerator.reference.enumerate import enumerate_test
from enumerator.request import Candidate, Request

from .programs import ACQ, REL, RLX, SC, fence, load, make_test, store

GENERIC = load_profile("generic")
LLVM_WORLD = '"m"\nwith UNDEF from subsets(R)\nwith mo from orders(W & A)\n'


def llvm(hb: str = "closure") -> SelectedModel:
    return select("llvm", (), {"hb": hb})


def candidates(test: Test, text: str) -> tuple[Candidate, ...]:
    """All candidates of a model without axioms."""
    model = SelectedModel("made", parse_text(text, "made.cat"), frozenset())
    return enumerate_test(Request(test, model, GENERIC, (), record=-1)).executions


def find(test: Test, text: str, values: Mapping[int, Value]) -> Candidate:
    return next(c for c in candidates(test, text) if all(c.values[n] == value for n, value in values.items()))


def execution_of(test: Test, model: SelectedModel, candidate: Candidate) -> Execution:
    return rebuild(Request(test, model, GENERIC, ()), candidate)


def classified(test: Test, model: SelectedModel, values: Mapping[int, Value], text: str = LLVM_WORLD) -> Classification:
    return classify(execution_of(test, model, find(test, text, values)))


MP = make_test(
    {
        "t0": [store("x", 1, line=3), store("y", 1, REL, line=4)],
        "t1": [load("a", "y", ACQ, line=8), load("b", "x", line=9)],
    }
)
"""Initial x 0, y 1; t0: x 2, y 3; t1: y 4, x 5."""


def test_consistent_execution() -> None:
    found = classified(MP, llvm(), {4: 1, 5: 1})
    assert found.consistent
    assert not (found.violations or found.races or found.undef_reads or found.removed)
    ((edge),) = found.synchronizations
    assert (edge.source, edge.target) == (3, 4)
    assert (2, 5) in edge.orders


def test_forbidden_execution() -> None:
    found = classified(MP, llvm(), {4: 1, 5: 0})
    assert not found.consistent
    assert found.flags == frozenset()
    assert [violation.axiom for violation in found.violations] == ["reads-what-it-may-see"]
    assert found.violations[0].pairs == ((0, 5),)
    assert found.violations[0].position.path.endswith(".cat")


def test_undef_by_a_race() -> None:
    found = classified(MP, llvm(), {4: 0, 5: UNDEF})
    assert found.consistent
    assert found.flags == {"race"}
    assert found.races == ((2, 5),)
    (read,) = found.undef_reads
    assert (read.read, read.clause, read.sees, read.culprits) == (5, "not-atomic", (0, 2), (2, 5))


def test_undef_is_passed_on() -> None:
    test = make_test({"t0": [load("a", "x")]}, initial={"x": UNDEF})
    found = classified(test, llvm(), {1: UNDEF}, '"m"\nwith mo from orders(W & A)\n')
    (read,) = found.undef_reads
    assert (read.read, read.clause, read.sees) == (1, "reads-undef", (0,))


def test_undef_for_lack_of_inclusive_scopes() -> None:
    from enumerator.program.instructions import Scope

    test = make_test({"t0": [store("x", 1, RLX, scope=Scope.WORKGROUP)], "t1": [load("a", "x", RLX)]})
    found = classified(test, llvm(), {2: UNDEF})
    (read,) = found.undef_reads
    assert (read.clause, read.sees) == ("not-inclusive", (0, 1))
    assert set(read.culprits) == {1, 2}


def cycle_of(found: Classification, axiom: str) -> list[tuple[int, str, int]]:
    (violation,) = (violation for violation in found.violations if violation.axiom == axiom)
    return [(step.source, step.relation, step.target) for step in violation.cycle]


def _rotations(cycle: Sequence[object]) -> list[list[object]]:
    return [[*cycle[n:], *cycle[:n]] for n in range(len(cycle))]


def test_cycle_is_told_by_named_relations() -> None:
    test = make_test({"t0": [store("x", 1, SC), load("a", "y", SC)], "t1": [store("y", 1, SC), load("b", "x", SC)]})
    forbidden = {3: 0, 5: 0}
    sc = classified(test, select("sc", (), {}), forbidden, "free\nempty 0\n")
    expected = [(2, "po", 3), (3, "fr", 4), (4, "po", 5), (5, "fr", 2)]
    assert cycle_of(sc, "sc") in _rotations(expected)
    found = classified(test, llvm(), forbidden)
    assert [violation.axiom for violation in found.violations] == ["seq-cst"]
    cycle = cycle_of(found, "seq-cst")
    assert {edge[0] for edge in cycle} == {2, 3, 4, 5}
    assert [a[2] for a in cycle] == [a[0] for a in [*cycle[1:], cycle[0]]]
    assert {edge[1] for edge in cycle} == {"po-hb", "fr-atomic"}


def test_coherence_cycle() -> None:
    test = make_test({"t0": [store("x", 1, RLX)], "t1": [load("a", "x", RLX), load("b", "x", RLX)]}, ["x"])
    found = classified(test, llvm(), {2: 1, 3: 0})
    cycle = cycle_of(found, "coherence")
    assert cycle[0][0] == cycle[-1][2]
    assert [(a, name) for a, name, _ in cycle] == [(2, "po-hb"), (3, "fr-atomic"), (1, "rf-atomic")]


@pytest.mark.parametrize(("hb", "anyway"), [("closure", True), ("direct", False)])
def test_program_order_that_tags_remove(hb: str, anyway: bool) -> None:
    test = make_test({"t0": [store("x", 1, tags="foo:x"), store("y", 1), store("x", 2, tags="foo:y")]})
    found = classified(test, llvm(hb), {})
    (removed,) = found.removed
    assert (removed.first, removed.second, removed.reason) == (2, 4, "tags")
    assert removed.prefixes == ("foo",)
    assert removed.ordered_anyway is anyway


def test_program_order_that_thread_private_removes() -> None:
    test = make_test({"t0": [store("x", 1, private=True), fence(REL), store("y", 1, RLX)]})
    found = classified(test, llvm(), {})
    assert [(pair.first, pair.second, pair.reason) for pair in found.removed] == [(2, 3, "thread-private")]


def test_models_without_these_names() -> None:
    test = make_test({"t0": [store("x", 1)], "t1": [load("a", "x")]}, ["x"])
    for name in ("sc", "tso", "rc11"):
        found = classified(test, select(name, (), {}), {2: 1}, "free\nempty 0\n")
        assert found.consistent
        assert not (found.removed or found.undef_reads)
        assert describe(classify(execution_of(test, select(name, (), {}), find(test, "free\nempty 0\n", {2: 1}))))


def test_explain_edge() -> None:
    execution = execution_of(MP, llvm(), find(MP, LLVM_WORLD, {4: 1, 5: 1}))
    steps = [(step.source, step.relation, step.target) for step in explain_edge(execution, "hb", 2, 5)]
    assert steps == [(2, "po-hb", 3), (3, "sw", 4), (4, "po-hb", 5)]
    assert explain_edge(execution, "hb", 5, 2) == ()
    assert [step.relation for step in explain_edge(execution, "rf", 3, 4)] == ["rf"]


def test_describe() -> None:
    lines = describe(classify(execution_of(MP, llvm(), find(MP, LLVM_WORLD, {4: 1, 5: 0}))))
    assert "3: t0 line 4: store release @y = 1" in lines
    assert "0: initial write @x = 0" in lines
    assert any(line.startswith("forbidden by reads-what-it-may-see (empty, ") for line in lines)
    lines = describe(classify(execution_of(MP, llvm(), find(MP, LLVM_WORLD, {4: 0, 5: UNDEF}))))
    assert "race: t0 line 3: store @x = 1 / t1 line 9: load @x = undef" in lines
    assert any(
        line.startswith("undef: t1 line 9: load @x = undef: it may see (initial write @x = 0)") for line in lines
    )


def test_execution_graph() -> None:
    candidate = find(MP, LLVM_WORLD, {4: 1, 5: 1})
    graph = graph_of(execution_of(MP, llvm(), candidate))
    assert graph.graph["consistent"] and graph.graph["order"] == "mo"
    assert graph.nodes[3] == {
        "thread": "t0",
        "kind": "W",
        "location": "@y",
        "value": 1,
        "ordering": "release",
        "scope": "system",
        "tags": (),
        "line": 4,
        "label": "t0: store release @y = 1",
    }
    assert graph.nodes[0]["thread"] is None and graph.nodes[0]["ordering"] is None
    assert graph.has_edge(3, 4, "rf") and graph.has_edge(3, 4, "sw") and graph.has_edge(2, 5, "hb")
    assert graph.has_edge(2, 3, "po") and graph.has_edge(1, 3, "mo")
    only = graph_of(execution_of(MP, llvm(), candidate), ["rf", "nothing"])
    assert {key for _, _, key in only.edges(keys=True)} == {"rf"}


def test_a_candidate_of_another_test_is_refused() -> None:
    candidate = find(MP, LLVM_WORLD, {})
    other = make_test({"t0": [store("x", 1)]})
    with pytest.raises(ValueError, match="paths"):
        graph_of(execution_of(other, llvm(), candidate))
