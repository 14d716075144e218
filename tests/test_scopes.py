"""Scope trees."""

from __future__ import annotations

import networkx
import pytest

from enumerator.errors import InputError
from enumerator.program.instructions import Scope
from enumerator.scopes import default_placements, parse_scopes, scope_tree


def groups(text: str, scope: Scope) -> list[set[str]]:
    """Give the threads of each instance of a scope."""
    found: dict[int, set[str]] = {}
    for thread, placement in parse_scopes(text).items():
        found.setdefault(placement.instance(scope), set()).add(thread)
    return list(found.values())


FULL = """(system (agent (cluster (workgroup (wavefront a b) (wavefront c)) (workgroup (wavefront d))))
    (agent (wavefront e)))"""


def test_a_full_tree() -> None:
    assert groups(FULL, Scope.SYSTEM) == [{"a", "b", "c", "d", "e"}]
    assert groups(FULL, Scope.AGENT) == [{"a", "b", "c", "d"}, {"e"}]
    assert groups(FULL, Scope.CLUSTER) == [{"a", "b", "c", "d"}, {"e"}]
    assert groups(FULL, Scope.WORKGROUP) == [{"a", "b", "c"}, {"d"}, {"e"}]
    assert groups(FULL, Scope.WAVEFRONT) == [{"a", "b"}, {"c"}, {"d"}, {"e"}]
    assert len(groups(FULL, Scope.SINGLETHREAD)) == 5


@pytest.mark.parametrize(
    ("text", "scope", "expected"),
    [
        ("(agent (workgroup a b))", Scope.WAVEFRONT, [{"a"}, {"b"}]),
        ("(agent (workgroup a) (workgroup b))", Scope.CLUSTER, [{"a", "b"}]),
        ("(agent a b)", Scope.CLUSTER, [{"a", "b"}]),
        ("(agent a b)", Scope.WORKGROUP, [{"a"}, {"b"}]),
        ("(workgroup a b) (workgroup c)", Scope.AGENT, [{"a", "b"}, {"c"}]),
        ("(workgroup a b) (workgroup c)", Scope.CLUSTER, [{"a", "b"}, {"c"}]),
        ("(system a (cluster b c))", Scope.AGENT, [{"a"}, {"b", "c"}]),
        ("(agent (wavefront a b) c)", Scope.WORKGROUP, [{"a", "b"}, {"c"}]),
        ("(agent (cluster a b) (workgroup c) d)", Scope.CLUSTER, [{"a", "b"}, {"c", "d"}]),
        ("a b", Scope.AGENT, [{"a"}, {"b"}]),
        ("(wavefront (singlethread a) b)", Scope.WAVEFRONT, [{"a", "b"}]),
        ("(wavefront (singlethread a) b)", Scope.SINGLETHREAD, [{"a"}, {"b"}]),
        ('(agent "my thread" t.1)', Scope.AGENT, [{"my thread", "t.1"}]),
    ],
)
def test_skipped_levels(text: str, scope: Scope, expected: list[set[str]]) -> None:
    assert groups(text, scope) == expected


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "no thread", 11),
        ("()", "expected a scope level", 12),
        ("(", "expected a scope level", 12),
        ("(grid a)", "not 'grid'", 12),
        ("(agent a", "')' is missing", 19),
        ("(agent a))", "unmatched", 20),
        ("(agent)", "instance holds no thread", 11),
        ("(workgroup (agent a))", "agent cannot stand inside workgroup", 23),
        ("(agent (agent a))", "cannot stand inside agent", 19),
        ("(agent a a)", "a occurs twice", 20),
        ("(singlethread a b)", "holds one thread", 27),
        ("(system a) b", "outside of the system", 22),
        ("(system a) (agent b)", "only one system", 23),
        ("(agent (system a))", "cannot stand inside agent", 19),
        ('(agent "a)', "not closed", 18),
        ("(" * 10000, "expected a scope level", 12),
    ],
)
def test_mistakes_have_their_place(text: str, message: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        parse_scopes(text, "a.ll", 2, 11)
    error = caught.value
    assert message in error.message
    assert (error.path, error.line, error.column) == ("a.ll", 2, column)


def test_default_placements() -> None:
    places = default_placements(["a", "b"])
    assert all(
        (places["a"].instance(scope) == places["b"].instance(scope)) == (scope is Scope.SYSTEM) for scope in Scope
    )


def test_scope_tree() -> None:
    tree = scope_tree(FULL)
    assert networkx.is_arborescence(tree)
    assert [data["thread"] for _, data in tree.nodes(data=True) if data] == list("abcde")
    assert {level for level, _ in tree} == set(Scope)
    assert max(networkx.single_source_shortest_path_length(tree, (Scope.SYSTEM, 0)).values()) == 5
