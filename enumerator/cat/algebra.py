"""The operations of cat on networkx graphs, each by its definition.

A relation over events is a :class:`networkx.DiGraph` that has every event as a node; a set is a frozenset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import networkx as nx

from enumerator.clock import check_time

__all__ = [
    "Relation",
    "closure",
    "complement",
    "difference",
    "domain",
    "identity",
    "intersection",
    "inverse",
    "optional",
    "product",
    "range_of",
    "relation",
    "sequence",
    "shortest_cycle",
    "shortest_path",
    "union",
]

Relation: TypeAlias = nx.DiGraph


def relation(events: Iterable[int], pairs: Iterable[tuple[int, int]] = ()) -> Relation:
    """Build a relation.

    Examples
    --------
    >>> sorted(relation((0, 1, 2), [(0, 1)]))
    [0, 1, 2]
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(events)
    graph.add_edges_from(_in_time(pairs))
    return graph


def _in_time(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the pairs, and check the time limit now and then: there may be millions."""
    for number, pair in enumerate(pairs):
        if number % 4096 == 0:
            check_time()
        yield pair


def union(first: Relation, second: Relation) -> Relation:
    """``first | second``."""
    return relation(first, [*first.edges, *second.edges])


def intersection(first: Relation, second: Relation) -> Relation:
    """``first & second``."""
    return relation(first, [pair for pair in first.edges if second.has_edge(*pair)])


def difference(first: Relation, second: Relation) -> Relation:
    r"""``first \ second``."""
    return relation(first, [pair for pair in first.edges if not second.has_edge(*pair)])


def complement(body: Relation) -> Relation:
    """``~body``: all pairs, an event with itself included, that are not in it."""
    return relation(body, ((a, b) for a in body for b in body if not body.has_edge(a, b)))


def inverse(body: Relation) -> Relation:
    """``body^-1``."""
    return relation(body, [(b, a) for a, b in body.edges])


def sequence(first: Relation, second: Relation) -> Relation:
    """``first ; second``."""
    return relation(first, ((a, c) for a, b in first.edges for c in second.successors(b)))


def closure(body: Relation) -> Relation:
    """``body+``."""
    return relation(body, ((a, b) for a in body for _, b in nx.edge_bfs(body, a)))


def optional(body: Relation) -> Relation:
    """``body?``: also relates every event to itself."""
    return relation(body, [*body.edges, *((event, event) for event in body)])


def identity(events: Iterable[int], members: frozenset[int]) -> Relation:
    """``[members]``."""
    return relation(events, [(member, member) for member in sorted(members)])


def product(events: Iterable[int], first: frozenset[int], second: frozenset[int]) -> Relation:
    """``first * second``."""
    return relation(events, ((a, b) for a in sorted(first) for b in sorted(second)))


def domain(body: Relation) -> frozenset[int]:
    """``domain body``."""
    return frozenset(a for a, _ in body.edges)


def range_of(body: Relation) -> frozenset[int]:
    """``range body``."""
    return frozenset(b for _, b in body.edges)


def shortest_path(body: Relation, a: int, b: int) -> tuple[int, ...]:
    """Give the events on a shortest path of one edge or more; empty if there is none.

    Of several, that of a breadth-first search that visits small event numbers first.

    Examples
    --------
    >>> loop = relation(range(3), [(0, 1), (1, 2), (2, 0)])
    >>> shortest_path(loop, 0, 2), shortest_path(loop, 0, 0), shortest_path(relation(range(2)), 0, 1)
    ((0, 1, 2), (0, 1, 2, 0), ())
    """
    before: dict[int, int] = {}
    frontier = [a]
    while frontier:
        following: list[int] = []
        for source in frontier:
            for target in sorted(body.successors(source)):
                if target not in before:
                    before[target] = source
                    following.append(target)
        if b in before:
            path = [b]
            while len(path) == 1 or path[-1] != a:
                path.append(before[path[-1]])
            return tuple(reversed(path))
        frontier = following
    return ()


def shortest_cycle(body: Relation) -> tuple[int, ...]:
    """Give the events of a shortest cycle, its first event only once; empty if there is none.

    Of several, the one that starts with the smallest event number.

    See Also
    --------
    shortest_path

    Examples
    --------
    >>> shortest_cycle(relation(range(4), [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2)]))
    (2, 3)
    """
    cycles = (shortest_path(body, event, event)[:-1] for event in sorted(body))
    return min((cycle for cycle in cycles if cycle), key=len, default=())
