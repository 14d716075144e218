"""A cycle as a test: the events that it names, and the outcome that shows that it happened.

The rules are diy7's (*A diy tutorial*, section 1, and its ``cycle.ml`` and ``final.ml``). Going round the cycle:

- an external relaxation leads to the next thread, one that changes the location to the next location;
- the events of one location come in a row, in the order of coherence: each write has the next value, 1, 2, …, and each
  read gets the last one. The row begins where the cycle comes to the location;
- a cycle of one location has a relaxation ``Pos`` (or a read-modify-write) that the outcome contradicts, the last one:
  the row begins behind it.

The condition asks each read of the cycle for its value, and each location with several writes for its last value. Of
three or more, the order of those before the last one is seen by an observer, a thread of its own that reads them in
turn, unless read-modify-writes say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from enumerator.errors import InputError
from enumerator.generation.placing import meeting_places, with_observers
from enumerator.generation.relaxations import Access, Edge, NoCycle, Relation, Step, access_text, edge_text
from enumerator.generation.skeleton import (
    WHOLE,
    Dependency,
    Event,
    Kind,
    Location,
    Mark,
    Place,
    Skeleton,
    check_skeleton,
    refused_ordering,
)
from enumerator.program.instructions import Ordering, Scope

__all__ = ["DEFAULT", "rotated", "skeleton_of"]


DEFAULT = Mark()
"""What an event is of which a cycle says nothing: plain, as in diy7."""

_OBSERVER = Mark(Ordering.MONOTONIC)
_JOINED = {
    frozenset((Ordering.ACQUIRE, Ordering.RELEASE)): Ordering.ACQ_REL,
    frozenset((Ordering.MONOTONIC, Ordering.ACQUIRE)): Ordering.ACQUIRE,
    frozenset((Ordering.MONOTONIC, Ordering.RELEASE)): Ordering.RELEASE,
}


def skeleton_of(
    cycle: Sequence[Step], default: Mark = DEFAULT, places: Sequence[Place] | None = None, path: str = "cycle"
) -> Skeleton:
    """Make the test of a cycle.

    Parameters
    ----------
    cycle : sequence of Step
    default : Mark
        Of events of which the cycle says nothing.
    places : sequence of Place, optional
        Where the threads run, in the order of the cycle; default: as its external relaxations say.
    path : str
        For errors.

    Returns
    -------
    Skeleton
        Thread 0 is the first one that the cycle comes to the beginning of.

    Raises
    ------
    InputError
        If this is no cycle of an execution, with the relaxation.
    NoCycle
        If what is said of two events of a location excludes each other.

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle
    >>> test = skeleton_of(parse_cycle("Coe PodWW Coe PodWW")[0])
    >>> [[(event.location, event.value) for event in thread] for thread in test.threads], test.finals
    ([[(0, 2), (1, 1)], [(1, 2), (0, 1)]], ((0, 2), (1, 2)))
    """
    steps = rotated(cycle, path)
    fail = _Fail(path, steps)
    fail.check()
    edges = [step.edge for step in steps]
    where, count = _locations(edges, fail)
    reads, writes, finals = _values(steps, where, count, fail)
    builder = _Builder(steps, where, reads, writes, default, fail)
    builder.build()
    threads = [tuple(thread) for thread in builder.threads]
    asked = [*builder.asked]
    observers = _observers(steps, where, count, writes)
    for location, values in observers:
        asked += [(len(threads), index, value) for index, value in enumerate(values)]
        threads.append(tuple(Event(Kind.READ, location, 0, _OBSERVER) for _ in values))
    if places is None:
        places = meeting_places(edges, len(observers), builder.narrow, path)
    else:
        places = with_observers(places, len(observers))
    made = Skeleton(tuple(threads), tuple(places), _declared(steps, where, count, fail), tuple(asked), finals)
    if any(step.access.part != WHOLE for step in steps):
        check_skeleton(made)
    return made


def rotated(cycle: Sequence[Step], path: str = "cycle") -> tuple[Step, ...]:
    """Turn a cycle so that it begins with the first event of a thread: the first one that it comes to.

    In a cycle of one location with one external relaxation this is an internal one, as in diy7: ``PosWW Coe``.

    Raises
    ------
    InputError
        If no communication leads back.
    """
    backward = [place for place, step in enumerate(cycle) if step.edge.external]
    if len(backward) == 1 and all(step.edge.same for step in cycle):
        cycle = [step._replace(edge=step.edge._replace(external=False, level=None)) for step in cycle]
        backward = []
    if not backward:  # in one thread: communication leads back
        backward = [place for place, step in enumerate(cycle) if step.edge.relation in _COMMUNICATION][-1:]
        if not backward:
            raise InputError("no relaxation of this cycle is a communication, such as Rfe, Fre or Coe", path)
    start = 0 if backward[-1] == len(cycle) - 1 else backward[0] + 1
    return (*cycle[start:], *cycle[:start])


_COMMUNICATION = (Relation.RF, Relation.CO, Relation.FR)


class _Fail:
    """Errors that name a relaxation of a cycle."""

    def __init__(self, path: str, steps: Sequence[Step]) -> None:
        self.path = path
        self.steps = steps

    def __call__(self, place: int, message: str, kind: type[InputError] = InputError) -> InputError:
        """Make an error about the event at the beginning of a step."""
        before = edge_text(self.steps[place - 1].edge)
        return kind(f"between {before} and {edge_text(self.steps[place].edge)}: {message}", self.path)

    def check(self) -> None:
        """Refuse what is no cycle of an execution."""
        edges = [step.edge for step in self.steps]
        if len(edges) < 2:
            raise InputError("a cycle has two relaxations or more", self.path)
        for place, edge in enumerate(edges):
            if edges[place - 1].target != edge.source:
                ends, begins = edges[place - 1].target.name.lower(), edge.source.name.lower()
                raise self(place, f"a {ends} is where the first one ends, and a {begins} where the second one begins")
        external = [edge for edge in edges if edge.external]
        if len(external) == 1:
            raise InputError(
                f"only {edge_text(external[0])} leads to another thread, and nothing leads back", self.path
            )
        changes = [edge for edge in edges if not edge.same]
        if len(changes) == 1:
            message = f"only {edge_text(changes[0])} leads to another location, and nothing leads back"
            raise InputError(message, self.path)


def _locations(edges: Sequence[Edge], fail: _Fail) -> tuple[list[int], int]:
    """Give the location of each event, and how many there are."""
    count = sum(not edge.same for edge in edges)
    if not count:
        return [0] * len(edges), 1
    found, now = [], 0
    for edge in edges:
        found.append(now)
        if not edge.same:
            now = (now + 1) % count
    return found, count


def _begins(edges: Sequence[Edge], fail: _Fail) -> int:
    """Give the event behind the relaxation that the outcome contradicts, in a cycle of one location."""
    for relation in (Relation.PO, Relation.RMW):
        found = [place for place, edge in enumerate(edges) if edge.relation == relation]
        if found:
            return (found[-1] + 1) % len(edges)
    raise InputError("no execution has a cycle of communication alone: a relaxation as PosWR is missing", fail.path)


def _values(
    steps: Sequence[Step], where: Sequence[int], count: int, fail: _Fail
) -> tuple[dict[int, int], dict[int, int], tuple[tuple[int, int], ...]]:
    """Go round the cycle: what each read gets, what each write stores, and what locations hold in the end."""
    total = len(steps)
    if count > 1:
        start = next(place for place in range(total) if not steps[place - 1].edge.same)
    else:
        start = _begins([step.edge for step in steps], fail)
    order = [(start + place) % total for place in range(total)]
    reads: dict[int, int] = {}
    writes: dict[int, int] = {}
    finals: list[tuple[int, int]] = []
    for location, group in groupby(order, where.__getitem__):
        row = list(group)
        if all(steps[place].access.part == WHOLE for place in row):
            value = 0
            for place in row:
                if steps[place].edge.source == Kind.WRITE:
                    value += 1
                    writes[place] = value
                else:
                    reads[place] = value
            if value > 1:
                finals.append((location, value))
        else:
            finals += _bytewise(steps, row, location, reads, writes, fail)
    return reads, writes, tuple(sorted(finals))


def _bytewise(
    steps: Sequence[Step], row: Sequence[int], location: int, reads: dict[int, int], writes: dict[int, int], fail: _Fail
) -> list[tuple[int, int]]:
    """Go through the accesses of parts of a location: each byte of a write is the number of the write."""
    size = _size([steps[place].access for place in row])
    memory, number = [0] * size, 0
    for place in row:
        first, length = steps[place].access.part if steps[place].access.part != WHOLE else (0, size)
        edge = steps[place].edge
        if edge.relation in _COMMUNICATION:
            other, extent = steps[(place + 1) % len(steps)].access.part
            extent = extent or size
            if not (first < other + extent and other < first + length):
                after = (place + 1) % len(steps)
                raise fail(after, f"no byte is common to both ends of {edge_text(edge)}", NoCycle)
        if edge.source == Kind.WRITE:
            number += 1
            memory[first : first + length] = [number] * length
            writes[place] = int.from_bytes([number] * length, "little")
        else:
            reads[place] = int.from_bytes(memory[first : first + length], "little")
    return [(location, int.from_bytes(memory, "little"))] if number > 1 else []


def _size(accesses: Sequence[Access]) -> int:
    """Give the size of a location: that of an i32, or a larger power of two that holds all parts."""
    end = max(first + length for first, length in (access.part for access in accesses))
    return max(4, 1 << (end - 1).bit_length()) if end else 4


def _declared(steps: Sequence[Step], where: Sequence[int], count: int, fail: _Fail) -> tuple[Location, ...]:
    spaces: list[int | None] = [None] * count
    parts: list[list[Access]] = [[] for _ in range(count)]
    for place, (access, _) in enumerate(steps):
        location = where[place]
        parts[location].append(access)
        if access.space is not None:
            if spaces[location] not in (None, access.space):
                message = f"as{access.space}: the location is in address space {spaces[location]} already"
                raise fail(place, message, NoCycle)
            spaces[location] = access.space
    return tuple(Location(_size(row), space or 0) for row, space in zip(parts, spaces, strict=True))


class _Builder:
    """The threads of a cycle under construction."""

    def __init__(
        self,
        steps: Sequence[Step],
        where: Sequence[int],
        reads: dict[int, int],
        writes: dict[int, int],
        default: Mark,
        fail: _Fail,
    ) -> None:
        self.steps = steps
        self.where = where
        self.reads = reads
        self.writes = writes
        self.default = default
        self.fail = fail
        self.threads: list[list[Event]] = [[]]
        self.asked: list[tuple[int, int, int]] = []
        self.narrow: Scope = Scope.SYSTEM

    def build(self) -> None:
        """Go through the steps, an event each; the second half of a read-modify-write is none of its own."""
        source = -1
        for place, (access, edge) in enumerate(self.steps):
            before = self.steps[place - 1].edge
            if place and before.external:
                self.threads.append([])
            elif place and before.relation == Relation.RMW:
                continue
            thread = self.threads[-1]
            for item in (*(before.between if place else ()), *access.before):
                thread.append(Event(item.kind, mark=item.mark))
                self._seen(item.mark.scope if item.kind == Kind.FENCE else Scope.WORKGROUP)
            depends: tuple[Dependency, ...] = ()
            if place and before.depends is not None:
                depends = (Dependency(before.depends, source),)
            event = self._event(place, access, edge, depends)
            self._seen(event.mark.scope if event.mark.ordering else Scope.SYSTEM)
            source = len(thread)
            thread.append(event)
            if place in self.reads:
                self.asked.append((len(self.threads) - 1, source, self.reads[place]))

    def _seen(self, scope: Scope) -> None:
        if scope not in (Scope.SYSTEM, Scope.SINGLETHREAD):
            self.narrow = min(self.narrow, Scope.WORKGROUP if scope == Scope.WORKGROUP else Scope.AGENT)

    def _event(self, place: int, access: Access, edge: Edge, depends: tuple[Dependency, ...]) -> Event:
        location = self.where[place]
        if edge.relation == Relation.RMW:
            return self._update(place, access, edge, depends)
        mark = self.default if access.mark is None else access.mark
        kind = edge.source
        if access.exchange:
            if kind != Kind.WRITE:
                raise self.fail(place, f"{access_text(access)}: xchg is of a write")
            kind, operator = Kind.UPDATE, "xchg"
            if access.mark is None and mark.ordering < Ordering.MONOTONIC:
                mark = mark._replace(ordering=Ordering.MONOTONIC)
        else:
            operator = ""
        self._check(place, kind, mark)
        return Event(kind, location, self.writes.get(place, 0), mark, operator, 0, access.part, depends)

    def _update(self, place: int, access: Access, edge: Edge, depends: tuple[Dependency, ...]) -> Event:
        after = (place + 1) % len(self.steps)
        other = self.steps[after].access
        if other.before or access.part != other.part or other.exchange or access.exchange:
            message = f"{access_text(other)}: the halves of a read-modify-write are one operation"
            raise self.fail(after, message, NoCycle)
        mark = self._joined(place, access.mark, other.mark)
        self._check(place, Kind.UPDATE, mark)
        old, new, expected = self.reads[place], self.writes[after], 0
        match edge.operator:
            case "cmpxchg":
                expected = old
            case "add":
                new -= old
            case "sub":
                new = old - new
            case "xor":
                new ^= old
        if access.part != WHOLE and edge.operator not in ("xchg", "cmpxchg"):
            raise self.fail(place, f"{edge_text(edge)}: arithmetic on parts of a location", NoCycle)
        return Event(Kind.UPDATE, self.where[place], new, mark, edge.operator, expected, access.part, depends)

    def _joined(self, place: int, read: Mark | None, write: Mark | None) -> Mark:
        """Join the annotations of the halves of a read-modify-write; without any, it is as weak as one can be."""
        if read is None or write is None or read == write:
            mark = read or write or self.default
            weak = read is None and write is None and mark.ordering < Ordering.MONOTONIC
            return mark._replace(ordering=Ordering.MONOTONIC) if weak else mark
        ordering = _JOINED.get(frozenset((read.ordering, write.ordering)))
        if read.ordering == write.ordering:
            ordering = read.ordering
        if ordering is None or read._replace(ordering=ordering) != write._replace(ordering=ordering):
            halves = f"{access_text(Access(read))} and {access_text(Access(write))}"
            message = f"{halves} do not fit: the halves of a read-modify-write are one operation"
            raise self.fail(place, message, NoCycle)
        return read._replace(ordering=ordering)

    def _check(self, place: int, kind: Kind, mark: Mark) -> None:
        why = refused_ordering(kind, mark.ordering)
        if why is not None:
            raise self.fail(place, why)


def _observers(
    steps: Sequence[Step], where: Sequence[int], count: int, writes: dict[int, int]
) -> list[tuple[int, list[int]]]:
    """Give the locations the order of whose writes needs an observer, with the values that it is to read."""
    found = []
    for location in range(count):
        row = sorted((value, place) for place, value in writes.items() if where[place] == location)
        middle = row[1:-1]
        if any(steps[place - 1].edge.relation != Relation.RMW for _, place in middle):
            size = _size([step.access for step, at in zip(steps, where, strict=True) if at == location])
            if any(steps[place].access.part != WHOLE for _, place in row) or size != 4:
                raise NoCycle("the order of three writes to parts of one location is not observed", "cycle")
            found.append((location, [value for value, _ in row[:-1]]))
    return found
