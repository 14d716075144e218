"""Which values a location may hold: an over-approximation that keeps impossible paths from being unfolded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from itertools import product
from math import prod

from enumerator.clock import check_time
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import Pointer, Undef, Value
from enumerator.unfold.arithmetic import postorder, run
from enumerator.unfold.paths import Location, Node

__all__ = ["Domains"]

_MOST_VALUES = 64
"""A location that may hold more is taken to hold anything."""

_MOST_COMBINATIONS = 4096
"""A computed value with more combinations of inputs is taken to be anything."""


class Domains:
    """Possible values of each location, growing until nothing new turns up.

    A round computes what is written from what could be read before it: after `n` rounds the domains hold every value
    that has passed through at most `n` reads. A value out of thin air starts from a constant of the test, at a location
    whose writes depend on reads of it, perhaps through others.

    Parameters
    ----------
    initial : callable
        The value of the initial write of a location.
    free : sequence of Value
        Constants of the test.
    undef : bool or set of Location
        A read, or a read of these locations, may return undef whatever was written.
    """

    def __init__(
        self, initial: Callable[[Location], Value], free: Iterable[Value], undef: bool | Set[Location]
    ) -> None:
        self._initial = initial
        self._numbers = tuple(value for value in free if isinstance(value, int))
        self._addresses = tuple(value for value in free if isinstance(value, Pointer))
        self._undef = undef
        self._written: dict[Location, dict[Value, None] | None] = {}
        self._feeds: dict[str, set[str]] = {}
        self._leads: dict[str, set[str]] = {}
        self._reached: dict[str, set[str]] = {}
        self._cyclic: frozenset[str] = frozenset()

    def of(self, location: Location, type_: Type | None) -> tuple[Value, ...] | None:
        """Give the values that a read of a location may return; None if they are not bounded."""
        written = self._written.get(location, {})
        if written is None:
            return None
        values = dict.fromkeys([self._initial(location), *written])
        if location.object in self._cyclic:
            free = self._numbers if isinstance(type_, IntType) else self._addresses
            values.update(dict.fromkeys(free if isinstance(type_, IntType | PointerType) else ()))
        if self.may_be_undef(location):
            values[Undef()] = None
        return tuple(values)

    def may_be_undef(self, location: Location) -> bool:
        """Tell whether a read of a location may return undef whatever was written."""
        return self._undef if isinstance(self._undef, bool) else location in self._undef

    def add(self, location: Location, values: Iterable[Value] | None) -> bool:
        """Add values that a write may put into a location (None: any); tell whether any was new."""
        known = self._written.setdefault(location, {})
        if known is None:
            return False
        if values is None:
            self._written[location] = None
            return True
        before = len(known)
        known.update(dict.fromkeys(values))
        if len(known) > _MOST_VALUES:
            self._written[location] = None
        return len(known) > before

    def flow(self, source: Location, target: Location) -> bool:
        """Note that a write to `target` depends on a read of `source`; tell whether that makes a new cycle.

        Objects count, not the locations in them: an index may be what comes out of thin air.
        """
        if not _connect(self._feeds, source.object, target.object):
            return False
        cyclic = frozenset(name for name in self._feeds if name in _reached(self._feeds, name))
        new = cyclic != self._cyclic
        self._cyclic = cyclic
        return new

    def lead(self, source: Location, target: Location) -> None:
        """Note that what is written to `target` is known only once it is what a read of `source` may return."""
        if _connect(self._leads, source.object, target.object):
            self._reached = {name: _reached(self._leads, name) for name in self._leads}

    def returns(self, source: Location, target: Location) -> bool:
        """Tell whether `source` also waits for `target`, perhaps through others, where `target` waits for `source`."""
        return source.object in self._reached.get(target.object, ())

    @property
    def passages(self) -> int:
        """A bound on how often objects that do not wait for each other follow one another."""
        return len(self._leads)

    def values(self, node: Node, read_at: Callable[[int], tuple[Location, Type | None]]) -> list[Value] | None:
        """Give the values that a node may have; None if they are not bounded.

        Parameters
        ----------
        node : Node
        read_at : callable
            Location and type of the path's read of a given event index.
        """
        reads = sorted(node.reads)
        columns = []
        for index in reads:
            domain = self.of(*read_at(index))
            if domain is None:
                return None
            columns.append(domain)
        if prod(map(len, columns)) > _MOST_COMBINATIONS:
            return None
        nodes = postorder(node)
        found: dict[Value, None] = {}
        for row in product(*columns):
            check_time()
            found[run(nodes, dict(zip(reads, row, strict=True)).__getitem__)] = None
        return list(found)


def _connect(graph: dict[str, set[str]], source: str, target: str) -> bool:
    """Add an edge; tell whether it was not there."""
    targets = graph.setdefault(source, set())
    new = target not in targets
    targets.add(target)
    return new


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    stack = [start]
    while stack:
        for target in graph.get(stack.pop(), ()):
            if target not in reached:
                reached.add(target)
                stack.append(target)
    return reached
