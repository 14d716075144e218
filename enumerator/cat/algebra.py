"""The operations of cat on networkx graphs, each by its definition.

A relation over events is a :class:`networkx.DiGraph` that has every event as a node; a set is a frozenset.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    graph = _without_pairs(events)
    after, before = graph._succ, graph._pred
    for number, (a, b) in enumerate(pairs):
        if number % 4096 == 0:
            check_time()  # there may be millions
        after[a][b] = before[b][a] = {}
    return graph


def _without_pairs(events: Iterable[int]) -> Relation:
    """Give the empty relation.

    Edges are then written into the dictionaries that networkx keeps them in, which subclasses of its graphs may
    replace: ``add_edges_from`` takes several times as long, and most of the time of an evaluation went there.
    """
    graph = nx.DiGraph()
    for event in events:
        graph._node[event], graph._succ[event], graph._pred[event] = {}, {}, {}
    return graph


def _related(events: Iterable[int], successors: Iterable[tuple[int, Iterable[int]]]) -> Relation:
    """Build a relation from the events that each event is related to."""
    check_time()
    graph = _without_pairs(events)
    after, before = graph._succ, graph._pred
    for a, targets in successors:
        row = after[a]
        for b in targets:
            row[b] = before[b][a] = {}
    return graph


def union(first: Relation, second: Relation) -> Relation:
    """``first | second``."""
    more = dict(second.adjacency())
    return _related(first, ((a, {**targets, **more[a]}) for a, targets in first.adjacency()))


def intersection(first: Relation, second: Relation) -> Relation:
    """``first & second``."""
    other = dict(second.adjacency())
    return _related(first, ((a, targets.keys() & other[a].keys()) for a, targets in first.adjacency()))


def difference(first: Relation, second: Relation) -> Relation:
    r"""``first \ second``."""
    less = dict(second.adjacency())
    return _related(first, ((a, targets.keys() - less[a].keys()) for a, targets in first.adjacency()))


def complement(body: Relation) -> Relation:
    """``~body``: all pairs, an event with itself included, that are not in it."""
    events = frozenset(body)
    return _related(body, ((a, events - targets.keys()) for a, targets in body.adjacency()))


def inverse(body: Relation) -> Relation:
    """``body^-1``."""
    return relation(body, ((b, a) for a, b in body.edges))


def sequence(first: Relation, second: Relation) -> Relation:
    """``first ; second``."""
    after = dict(second.adjacency())
    return _related(
        first, ((a, set[int]().union(*map(after.__getitem__, targets))) for a, targets in first.adjacency())
    )


def closure(body: Relation) -> Relation:
    """``body+``: what a search from each event comes to."""
    after = dict(body.adjacency())

    def reached(event: int) -> set[int]:
        found = set(after[event])
        left = list(found)
        while left:
            new = after[left.pop()].keys() - found
            found |= new
            left += new
        return found

    return _related(body, ((event, reached(event)) for event in after))


def optional(body: Relation) -> Relation:
    """``body?``: also relates every event to itself."""
    return _related(body, ((event, (event, *targets)) for event, targets in body.adjacency()))


def identity(events: Iterable[int], members: frozenset[int]) -> Relation:
    """``[members]``."""
    return _related(events, ((member, (member,)) for member in members))


def product(events: Iterable[int], first: frozenset[int], second: frozenset[int]) -> Relation:
    """``first * second``."""
    return _related(events, ((a, second) for a in first))


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
