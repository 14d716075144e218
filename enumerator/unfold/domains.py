"""Which values a location may hold: an over-approximation, so that fewer impossible paths are unfolded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from itertools import product
from math import prod

from enumerator.clock import check_time
from enumerator.errors import TooManyPaths
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import Pointer, Undef, Value
from enumerator.unfold.arithmetic import postorder, run
from enumerator.unfold.paths import Location, Node, Path, ReadValue

__all__ = ["Domains", "longest_chain", "propagate"]

_MOST_VALUES = 64
"""A location that may hold more values than this is assumed to hold any value."""

_MOST_COMBINATIONS = 4096
"""A value computed from more combinations of inputs than this is assumed to be any value."""


class Domains:
    """The possible values of each location, computed in rounds up to a fixpoint.

    Each round computes what may be written from what could be read in the round before. After `n` rounds the domains
    hold every value that has passed through at most `n` reads. A value out of thin air starts as a constant of the
    test, at a location whose writes depend, directly or through other locations, on reads of the same location.

    Parameters
    ----------
    initial : callable
        Gives the value of the initial write of a location.
    free : callable
        Gives the constants of the test.
    undef : bool or set of Location
        Whether reads (or for which locations they) may return undef by a rule of the model, whatever was written.
    most_values : int, optional
        How many combinations of values to look at: more end in :class:`~enumerator.errors.TooManyPaths`.
    fixed : callable, optional
        Gives the objects that nobody writes.
    """

    def __init__(
        self,
        initial: Callable[[Location], Value],
        free: Callable[[], Iterable[Value]],
        undef: bool | Set[Location],
        most_values: int | None = None,
        fixed: Callable[[], Set[str]] = frozenset,
    ) -> None:
        self._left = most_values
        self.initial = initial
        self._free = free
        self._undef = undef
        self._fixed = fixed
        self._written: dict[Location, dict[Value, None] | None] = {}
        self._dependents: dict[str, set[str]] = {}
        self._followers: dict[str, set[str]] = {}
        self._reached: dict[str, set[str]] = {}
        self._cyclic: frozenset[str] = frozenset()
        # By the identity of a node, which paths share, its values and how many combinations these took: until one of
        # the domains changes.
        self._known: dict[int, tuple[Node, list[Value], int]] = {}

    def anew(self) -> Domains:
        """Give domains of the same test in which nothing has been written yet."""
        return Domains(self.initial, self._free, self._undef, self._left, self._fixed)

    def of(self, location: Location, type_: Type | None) -> tuple[Value, ...] | None:
        """Give the values that a read of a location may return; None for any value."""
        written = self._written.get(location, {})
        if written is None:
            return None
        values = dict.fromkeys([self.initial(location), *written])
        if location.object in self._cyclic:
            kind = int if isinstance(type_, IntType) else Pointer if isinstance(type_, PointerType) else ()
            values.update(dict.fromkeys(value for value in self._free() if isinstance(value, kind)))
        if self.may_be_undef(location):
            values[Undef()] = None
        return tuple(values)

    def may_be_undef(self, location: Location) -> bool:
        """Tell whether a read of a location may return undef by a rule of the model, whatever was written."""
        may = self._undef if isinstance(self._undef, bool) else location in self._undef
        return may and not self.is_fixed(location)

    def is_fixed(self, location: Location) -> bool:
        """Tell whether all reads of a location return what it holds at the beginning."""
        return location.object in self._fixed()

    def add(self, location: Location, values: Iterable[Value] | None) -> bool:
        """Add values that may be written to a location (None for any value); tell whether this was new."""
        known = self._written.setdefault(location, {})
        if known is None:
            return False
        if values is None:
            self._written[location] = None
            self._known.clear()
            return True
        before = len(known)
        known.update(dict.fromkeys(values))
        if len(known) > _MOST_VALUES:
            self._written[location] = None
        if len(known) > before:
            self._known.clear()
        return len(known) > before

    def add_dependency(self, source: Location, target: Location) -> bool:
        """Note that a write to `target` depends on a read of `source`; tell whether this makes a new cycle.

        Dependencies are kept by object, not by location: an array index may be a value out of thin air, too.
        """
        if not _connect(self._dependents, source.object, target.object):
            return False
        cyclic = frozenset(name for name in self._dependents if name in _reached(self._dependents, name))
        new = cyclic != self._cyclic
        self._cyclic = cyclic
        if new:
            self._known.clear()
        return new

    def add_precedence(self, source: Location, target: Location) -> None:
        """Note that a write to `target` is found only after a value that a read of `source` returns is known."""
        if _connect(self._followers, source.object, target.object):
            self._reached = {name: _reached(self._followers, name) for name in self._followers}

    def in_cycle(self, source: Location, target: Location) -> bool:
        """Tell whether writes to `source`, in turn, are found only after values of `target`."""
        return source.object in self._reached.get(target.object, ())

    @property
    def longest_chain(self) -> int:
        """A bound on the length of a chain of objects, each found only after the one before."""
        return len(self._followers)

    def values(self, node: Node, read_at: Callable[[int], tuple[Location, Type | None]]) -> list[Value] | None:
        """Give the values that a node may have; None for any value.

        Parameters
        ----------
        node : Node
        read_at : callable
            Gives the location and the type of a read of the path, by event index.

        Returns
        -------
        list of Value or None
        """
        kept = self._known.get(id(node))
        if kept is not None:
            self._spend(kept[2])
            return kept[1]
        reads = sorted(node.reads)
        columns = []
        for index in reads:
            domain = self.of(*read_at(index))
            if domain is None:
                return None
            columns.append(domain)
        combinations = prod(map(len, columns))
        if combinations > _MOST_COMBINATIONS:
            return None
        self._spend(combinations)
        nodes = postorder(node)
        found: dict[Value, None] = {}
        for row in product(*columns):
            check_time()
            found[run(nodes, dict(zip(reads, row, strict=True)).__getitem__)] = None
        values = list(found)
        self._known[id(node)] = node, values, combinations
        return values

    def _spend(self, combinations: int) -> None:
        """Count combinations of values, known or not: how far unfolding goes does not depend on what is kept."""
        if self._left is not None:
            self._left -= combinations
            if self._left < 0:
                raise TooManyPaths("too many values to list the paths of the threads")


def _connect(graph: dict[str, set[str]], source: str, target: str) -> bool:
    """Add an edge; tell whether it is new."""
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


def propagate(paths: Sequence[Sequence[Path]], domains: Domains) -> tuple[bool, bool]:
    """Add the values that the paths may write to the domains; tell whether anything is new, and whether a cycle is."""
    cycle = False
    written: list[tuple[Location, Sequence[Value] | None]] = []
    for options in paths:
        for path in options:
            read_at = partial(_read_at, path)
            for index, event in enumerate(path.events):
                check_time()
                if event.kind == "W" and event.location is not None and event.value is not None:
                    for read in sorted(event.value.reads | event.addr | event.data):
                        cycle |= domains.add_dependency(read_at(read)[0], event.location)
                    for read in _known_before(path, index):
                        domains.add_precedence(read_at(read)[0], event.location)
                    written.append((event.location, domains.values(event.value, read_at)))
    grown = [domains.add(location, values) for location, values in written]
    return cycle or any(grown), cycle


def _read_at(path: Path, index: int) -> tuple[Location, Type | None]:
    event = path.events[index]
    assert event.location is not None and isinstance(event.value, ReadValue)
    return event.location, event.value.type


def _known_before(path: Path, write: int) -> frozenset[int]:
    """Give the reads whose values have to be known before it is known what a write of a path may write."""
    value = path.events[write].value
    assert value is not None
    return value.reads | {read for read in path.found_by if read < write}


def longest_chain(paths: Sequence[Sequence[Path]], domains: Domains) -> int:
    """Bound the length of a chain of reads that a value passes through before it is written.

    A chain goes from an object to another without return at most once for each object. Where it can return to an
    object, it is bounded by the number of reads of that kind in an execution.
    """

    def within(path: Path) -> int:
        reads: set[int] = set()
        for index, event in enumerate(path.events):
            if event.kind == "W" and event.location is not None and event.value is not None:
                for read in _known_before(path, index):
                    if domains.in_cycle(_read_at(path, read)[0], event.location):
                        reads.add(read)
        return len(reads)

    return domains.longest_chain + sum(max(map(within, options), default=0) for options in paths)
