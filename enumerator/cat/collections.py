"""Sets of sets and of relations, and elements of sets: the values of ``match`` and ``++`` in the reference engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Union

import networkx as nx

from enumerator.cat import algebra
from enumerator.cat.algebra import Relation
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass

__all__ = [
    "FUNCTIONS",
    "MAX_ELEMENTS",
    "Collection",
    "Element",
    "Nothing",
    "add",
    "classes",
    "combine",
    "identity",
    "linearisations",
    "members",
    "partition",
    "products",
    "split",
]

FUNCTIONS = ("classes-loc", "partition", "classes", "linearisations", "generate_orders", "generate_cos")
"""Built-in functions that give sets of sets or relations."""

MAX_ELEMENTS = 100_000
"""Elements that a set of sets or relations may have: there are n! total orders of n events."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """``0``: the empty set or the empty relation, whichever is needed."""


@dataclass(frozen=True, eq=False)
class Collection:
    """A set of sets, of relations, or of collections; members are distinct, in the order in which they were added."""

    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a set (an event) or of a relation (a pair of events)."""

    value: int | tuple[int, int]

    def as_set(self) -> frozenset[int]:
        """Give the singleton of an event; the empty set for a pair."""
        return frozenset((self.value,)) if isinstance(self.value, int) else frozenset()

    def as_pairs(self) -> tuple[tuple[int, int], ...]:
        """Give the pair as the only one of a relation; none for an event."""
        return (self.value,) if isinstance(self.value, tuple) else ()


Member = Union[frozenset[int], Relation, Collection]


def identity(member: Member) -> frozenset[object]:
    """Tell a member of a set of sets or relations from all others: its events, its pairs, what its members are.

    Examples
    --------
    >>> identity(frozenset((1, 2))) == identity(frozenset((2, 1)))
    True
    """
    if isinstance(member, Collection):
        return frozenset(identity(inner) for inner in member.members)
    return frozenset(member.edges) if isinstance(member, nx.DiGraph) else frozenset(member)


def _collection(found: Iterable[Member]) -> Collection:
    distinct: dict[frozenset[object], Member] = {}
    for member in found:
        distinct.setdefault(identity(member), member)
        if len(distinct) > MAX_ELEMENTS:
            raise LimitReached(f"a set of sets or relations has more than {MAX_ELEMENTS} elements")
    return Collection(tuple(distinct.values()))


def members(value: object) -> tuple[Member, ...] | None:
    """List the members of a set of sets or relations, or give None where the value is no such set."""
    if isinstance(value, Collection):
        return value.members
    return () if value == frozenset() else None


def split(value: object) -> tuple[object, object] | None:
    """Take an element from a set, as ``match`` does: (the element, the others), or None where it is empty.

    Parameters
    ----------
    value : Collection, frozenset or networkx.DiGraph

    Examples
    --------
    >>> split(frozenset((2, 1))), split(frozenset())
    ((Element(value=1), frozenset({2})), None)
    """
    match value:
        case Collection(found):
            return (found[0], Collection(found[1:])) if found else None
        case frozenset():
            return (Element(min(value)), value - {min(value)}) if value else None
        case nx.DiGraph():
            pairs = sorted(value.edges)
            return (Element(pairs[0]), algebra.relation(value, pairs[1:])) if pairs else None
    return None


def add(element: object, value: object, events: Iterable[int]) -> object:
    """Add an element to a set: ``element ++ value``.

    Raises
    ------
    TypeError
        If the operands are of the wrong types.

    Examples
    --------
    >>> sorted(add(Element(2), frozenset((1,)), (1, 2)))
    [1, 2]
    """
    empty = value == frozenset() or isinstance(value, Nothing) or members(value) == ()
    match element:
        case Element(int()) if isinstance(value, frozenset) or empty:
            return element.as_set() | (value if isinstance(value, frozenset) else frozenset())
        case Element(tuple()) if isinstance(value, nx.DiGraph) or empty:
            edges = list(value.edges) if isinstance(value, nx.DiGraph) else []
            return algebra.relation(events, [*element.as_pairs(), *edges])
        case frozenset() | nx.DiGraph() | Collection() if isinstance(value, Collection) or empty:
            return _collection((element, *(members(value) or ())))
        case Nothing() if isinstance(value, Collection) or empty:
            return _collection((algebra.relation(events), *(members(value) or ())))
    raise TypeError("'++' needs an element and a set of such elements")


def combine(operator: str, left: object, right: object) -> Collection:
    """Combine two sets of sets or relations.

    Raises
    ------
    TypeError
        If the operands are of the wrong types.
    """
    first, second = members(left), members(right)
    if first is None or second is None:
        raise TypeError(f"'{operator}' needs two sets of the same kind")
    there = {identity(member) for member in second}
    match operator:
        case "|":
            return _collection((*first, *second))
        case "&":
            return _collection(member for member in first if identity(member) in there)
        case "\\":
            return _collection(member for member in first if identity(member) not in there)
    raise TypeError(f"'{operator}' does not work on sets of sets or relations")


def partition(events: frozenset[int], loc: Relation) -> Collection:
    """Partition a set of events by location."""
    return _collection(
        frozenset(other for other in events if other == event or loc.has_edge(event, other)) for event in sorted(events)
    )


def classes(equivalence: Relation) -> Collection:
    """Give the equivalence classes of a relation."""
    return _collection(
        frozenset(equivalence.successors(event)) for event in sorted(equivalence) if equivalence.out_degree(event)
    )


def linearisations(events: frozenset[int], base: Relation) -> Collection:
    """Give all linear extensions of a relation over some events; none if one of them is in a cycle of it.

    What leads from one of the events to another through events outside of them counts, too.

    References
    ----------
    herd7: ``fold_topos_ext`` in ``lib/innerRel.ml`` takes the transitive closure first.

    Examples
    --------
    >>> from enumerator.cat.algebra import relation
    >>> [sorted(order.edges) for order in linearisations(frozenset((0, 2)), relation(range(3), [(2, 0)])).members]
    [[(2, 0)]]
    >>> [sorted(o.edges) for o in linearisations(frozenset((0, 2)), relation(range(3), [(2, 1), (1, 0)])).members]
    [[(2, 0)]]
    """
    base = algebra.closure(base)
    before = {event: {other for other in events if base.has_edge(other, event)} for event in sorted(events)}

    def orders(left: frozenset[int]) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
        for event in sorted(left):
            if not before[event] & left:
                for rest in orders(left - {event}):
                    yield (event, *rest)

    return _collection(
        algebra.relation(base, [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]])
        for order in orders(events)
    )


def products(events: frozenset[int], base: Relation, loc: Relation) -> Collection:
    """Give all unions of one linear extension for each location."""
    result: tuple[Member, ...] = (algebra.relation(base),)
    for part in partition(events, loc).members:
        assert isinstance(part, frozenset)
        orders = linearisations(part, base).members
        found = (
            algebra.union(before, order)
            for before in result
            for order in orders
            if isinstance(before, nx.DiGraph) and isinstance(order, nx.DiGraph)
        )
        result = _collection(found).members
    return Collection(result)
