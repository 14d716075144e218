"""Scope trees: where the threads of a test run.

A tree is written largest level first, as ``(agent (workgroup t0 t1) (workgroup t2))``. Levels may be skipped:
a skipped level has one instance for each child, but a skipped ``cluster`` equals its ``agent`` (semantics,
section 1). ``system`` may be written or left out. Each thread is a ``singlethread`` instance of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Union

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import Scope
from enumerator.program.test import Placement, Test
from enumerator.program.values import Pointer, Value

if TYPE_CHECKING:
    import networkx

__all__ = [
    "LEVELS",
    "default_placements",
    "identities",
    "parse_scopes",
    "quoted_name",
    "scope_tree",
    "scope_tree_text",
    "scope_word",
    "thread_properties",
]

LEVELS = {scope.name.lower(): scope for scope in Scope}

_PLAIN = re.compile(r"[-a-zA-Z$._0-9]+")
_WORDS = {
    "ptx": {Scope.WORKGROUP: "cta", Scope.AGENT: "gpu"},
    "opencl": {Scope.WAVEFRONT: "sub-group", Scope.WORKGROUP: "work-group", Scope.AGENT: "device"},
}
"""What formats of tests call the levels, where that is not the name here."""

_TOKEN = re.compile(r'[()]|"[^"]*"|[^\s()"]+|"')


@dataclass
class _Leaf:
    name: str


@dataclass
class _Instance:
    level: Scope
    position: int
    children: list[_Node] = field(default_factory=list)


_Node = Union[_Leaf, _Instance]


def parse_scopes(text: str, path: str | None = None, line: int | None = None, column: int = 1) -> dict[str, Placement]:
    """Parse a scope tree to the place of each thread.

    Parameters
    ----------
    text : str
        The tree. A thread name that is no plain word stands in double quotes.
    path, line, column :
        Where the text starts, for error messages.

    Returns
    -------
    dict of str to Placement
        By thread, in the order of the text. Instances are numbered from 0 at each level.

    Raises
    ------
    InputError
        If the text is no tree, levels are nested the wrong way round, or a thread occurs twice.

    Examples
    --------
    >>> places = parse_scopes("(agent (workgroup t0 t1) (workgroup t2))")
    >>> [place.instance(Scope.WORKGROUP) for place in places.values()]
    [0, 0, 1]
    >>> {place.instance(Scope.CLUSTER) for place in places.values()}
    {0}
    """
    try:
        return dict(_placements_of(text))
    except InputError:
        _parse(text, path, line, column)  # which says the place
        raise


@lru_cache(maxsize=256)  # tests that are made have few different ones
def _placements_of(text: str) -> dict[str, Placement]:
    root = _parse(text, None, None, 1)
    counters = dict.fromkeys(Scope, 0)
    placements: dict[str, Placement] = {}

    def fresh(level: Scope) -> int:
        counters[level] += 1
        return counters[level] - 1

    def place(node: _Node, level: Scope, above: tuple[int, ...]) -> None:
        """Give instances to the levels below `level`, whose instances (smallest first) are `above`."""
        if isinstance(node, _Leaf):
            for missing in range(level - 1, Scope.SINGLETHREAD - 1, -1):
                above = (fresh(Scope(missing)), *above)
            placements[node.name] = Placement(above)  # type: ignore[arg-type]  # one number a level
            return
        for missing in range(level - 1, node.level - 1, -1):
            above = (fresh(Scope(missing)), *above)
        descend(node, above)

    def descend(instance: _Instance, above: tuple[int, ...]) -> None:
        shared: tuple[int, ...] | None = None  # the cluster of the children that name none
        for child in instance.children:
            skips = isinstance(child, _Leaf) or child.level < Scope.CLUSTER
            if instance.level == Scope.AGENT and skips:
                shared = shared or (fresh(Scope.CLUSTER), *above)
                place(child, Scope.CLUSTER, shared)
            elif instance.level > Scope.AGENT and skips:
                agent = (fresh(Scope.AGENT), *above)
                place(child, Scope.CLUSTER, (fresh(Scope.CLUSTER), *agent))
            elif instance.level == Scope.SINGLETHREAD:
                assert isinstance(child, _Leaf)
                placements[child.name] = Placement(above)  # type: ignore[arg-type]
            else:
                place(child, instance.level, above)

    descend(root, (fresh(Scope.SYSTEM),))
    return placements


def scope_tree_text(placements: Mapping[str, Placement]) -> str:
    """Write a scope tree: the inverse of :func:`parse_scopes`.

    Parameters
    ----------
    placements : mapping of str to Placement

    Returns
    -------
    str

    Examples
    --------
    >>> scope_tree_text(parse_scopes("(agent (workgroup t0 t1) (workgroup t2))"))
    '(system (agent (cluster (workgroup t0 t1) (workgroup t2))))'
    """

    def group(members: Sequence[str], level: Scope) -> str:
        parts: dict[int, list[str]] = {}
        for name in members:
            parts.setdefault(placements[name].instance(level), []).append(name)
        if level == Scope.SINGLETHREAD:
            return " ".join(map(quoted_name, members))
        written = []
        for part in parts.values():
            inner = group(part, Scope(level - 1))
            alone = level == Scope.WAVEFRONT and len(part) == 1
            written.append(inner if alone else f"({level.name.lower()} {inner})")
        return " ".join(written)

    return group(list(placements), Scope.SYSTEM)


def quoted_name(name: str) -> str:
    """Write the name of a thread as scope trees and conditions take it: in quotes if it is no plain word."""
    return name if _PLAIN.fullmatch(name) else f'"{name}"'


def identities(placements: Mapping[str, Placement]) -> dict[str, dict[str, int]]:
    """Say where each thread runs, as the AMDGPU id intrinsics give it.

    The workitem's number is the thread's place among those of its workgroup, the workgroup's its place among the
    workgroups, both in the order of the scope tree; kernels have one dimension, so the others are 0.

    Parameters
    ----------
    placements : mapping of str to Placement

    Returns
    -------
    dict
        By thread, the values of ``%workitem.id.x``, ``%workgroup.id.x`` and their like, of ``%lane.id``, and of
        ``%only.lane``: whether its wave has no other thread.

    Examples
    --------
    >>> places = identities(parse_scopes("(agent (workgroup t0 t1) (workgroup t2))"))
    >>> [(at["%workgroup.id.x"], at["%workitem.id.x"]) for at in places.values()]
    [(0, 0), (0, 1), (1, 0)]
    """
    workgroups = sorted({place.instance(Scope.WORKGROUP) for place in placements.values()})
    found = {}
    for name, place in placements.items():
        workgroup = place.instance(Scope.WORKGROUP)
        members = sorted(
            other.instance(Scope.SINGLETHREAD)
            for other in placements.values()
            if other.instance(Scope.WORKGROUP) == workgroup
        )
        wave = [
            other.instance(Scope.SINGLETHREAD)
            for other in placements.values()
            if other.instance(Scope.WAVEFRONT) == place.instance(Scope.WAVEFRONT)
        ]
        zeros = {f"%{what}.id.{axis}": 0 for what in ("workitem", "workgroup") for axis in "yz"}
        found[name] = {
            "%workitem.id.x": members.index(place.instance(Scope.SINGLETHREAD)),
            "%workgroup.id.x": workgroups.index(workgroup),
            "%lane.id": sorted(wave).index(place.instance(Scope.SINGLETHREAD)),
            "%only.lane": int(len(wave) == 1),
            **zeros,
        }
    return found


def thread_properties(test: Test) -> dict[str, dict[str, Value]]:
    """Give the values of the registers that are properties of a thread (:class:`~enumerator.program.test.Thread`).

    Parameters
    ----------
    test : Test

    Returns
    -------
    dict
        By thread: what :func:`identities` says, but for what the thread itself says.
    """
    found = identities(test.placements)
    return {
        thread.name: {
            **found[thread.name],
            "%self": Pointer(thread.handle or f"{thread.name}:thread"),
            **dict(thread.properties),
        }
        for thread in test.threads
    }


def scope_word(format: str, scope: Scope) -> str:
    """Say what a format of tests calls a level.

    Parameters
    ----------
    format : str
        The test's.
    scope : Scope

    Examples
    --------
    >>> scope_word("ptx", Scope.WORKGROUP), scope_word("llvm", Scope.WORKGROUP)
    ('cta', 'workgroup')
    """
    return _WORDS.get(format, {}).get(scope, scope.name.lower())


def default_placements(threads: Iterable[str]) -> dict[str, Placement]:
    """Place threads for a test without a scope tree: they share the system and nothing below it.

    Only the scopes ``system`` and ``singlethread`` may occur in such a test, so what lies between decides nothing.

    Examples
    --------
    >>> default_placements(["t0", "t1"])["t1"].instances
    (1, 1, 1, 1, 1, 0)
    """
    return {name: Placement((n, n, n, n, n, 0)) for n, name in enumerate(threads)}


def scope_tree(text: str) -> networkx.DiGraph[tuple[Scope, int]]:
    """Give a scope tree as an arborescence with every level, from the system to the threads.

    Returns
    -------
    networkx.DiGraph
        Nodes are pairs (level, number of the instance), edges lead from an instance to those that it contains;
        the nodes of level ``SINGLETHREAD`` have the attribute ``thread``. Notebooks show it.

    Raises
    ------
    InputError
        As :func:`parse_scopes`.

    Examples
    --------
    >>> tree = scope_tree("(workgroup t0 t1)")
    >>> [data["thread"] for node, data in tree.nodes(data=True) if tree.out_degree(node) == 0]
    ['t0', 't1']
    """
    from enumerator.scope_graph import ScopeTree

    tree = ScopeTree()
    for thread, placement in parse_scopes(text).items():
        chain = [(scope, placement.instance(scope)) for scope in reversed(Scope)]
        tree.add_edges_from(pairwise(chain))
        tree.nodes[chain[-1]]["thread"] = thread
    return tree


def _parse(text: str, path: str | None, line: int | None, column: int) -> _Instance:
    def fail(message: str, position: int) -> InputError:
        return InputError(message, path, line, column + position)

    root = _Instance(Scope.SYSTEM, 0)
    stack = [root]
    threads: set[str] = set()
    explicit_system = False
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(text)]
    index = 0
    while index < len(tokens):
        token, position = tokens[index]
        index += 1
        if token == "(":
            name, name_position = tokens[index] if index < len(tokens) else ("", len(text))
            index += 1
            if name not in LEVELS:
                raise fail(f"expected a scope level ({', '.join(reversed(LEVELS))}), not {name!r}", name_position)
            level = LEVELS[name]
            if level == Scope.SYSTEM and len(stack) == 1 and not root.children and not explicit_system:
                explicit_system = True
                stack.append(root)
                continue
            if level >= stack[-1].level:
                outer = stack[-1].level.name.lower()
                raise fail(f"{name} cannot stand inside {outer}: the largest level comes first", name_position)
            if explicit_system and len(stack) == 1:
                raise fail("only one system", name_position)
            instance = _Instance(level, position)
            stack[-1].children.append(instance)
            stack.append(instance)
        elif token == ")":
            if len(stack) == 1:
                raise fail("unmatched ')' in the scope tree", position)
            closed = stack.pop()
            if not closed.children:
                raise fail(f"this {closed.level.name.lower()} instance holds no thread", closed.position)
        else:
            if token.startswith('"') and (len(token) < 3 or not token.endswith('"')):
                raise fail("a quoted thread name is not closed, or empty", position)
            name = token.strip('"')
            if name in threads:
                raise fail(f"thread {name} occurs twice in the scope tree", position)
            if explicit_system and len(stack) == 1:
                raise fail(f"thread {name} stands outside of the system", position)
            if stack[-1].level == Scope.SINGLETHREAD and stack[-1].children:
                raise fail("a singlethread instance holds one thread", position)
            threads.add(name)
            stack[-1].children.append(_Leaf(name))
    if len(stack) > 1:
        raise fail("')' is missing in the scope tree", len(text))
    if not root.children:
        raise fail("the scope tree holds no thread", 0)
    return root
