"""An abstract litmus test: threads of events, where they run, and the outcome that is asked for.

A skeleton knows no language: :mod:`enumerator.generation.building` makes a :class:`~enumerator.program.test.Test` of
it, and :mod:`enumerator.generation.canonical` says when two are the same but for names. It is made of plain tuples,
since millions of them are made, compared and sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from enumerator.errors import InputError
from enumerator.mmra.profile import at_least
from enumerator.program.instructions import Ordering, Scope, Tag

__all__ = [
    "APART",
    "Dependency",
    "DependencyKind",
    "Event",
    "Kind",
    "Location",
    "Mark",
    "Place",
    "WHOLE",
    "Skeleton",
    "apart",
    "check_skeleton",
    "failure_ordering",
    "refused_ordering",
    "register_names",
]


class Kind(IntEnum):
    """What an event is; an `UPDATE` is a read-modify-write."""

    READ = 0
    WRITE = 1
    UPDATE = 2
    FENCE = 3
    BARRIER = 4


class DependencyKind(IntEnum):
    """Through what an event depends on an earlier read: its address, the value that it writes, a branch before it."""

    ADDR = 0
    DATA = 1
    CTRL = 2


class Dependency(NamedTuple):
    """A syntactic dependency on an earlier read or update of the thread, by its index there."""

    kind: DependencyKind
    source: int


class Mark(NamedTuple):
    """What an event says of itself.

    Parameters
    ----------
    ordering : Ordering
    scope : Scope
    tags : tuple of Tag
        Sorted.
    words : tuple of str
        Further attributes of the operation in the Vulkan language (``av``, ``nonpriv``, ``sc1`` …), sorted; other
        languages have none.
    """

    ordering: Ordering = Ordering.NA
    scope: Scope = Scope.SYSTEM
    tags: tuple[Tag, ...] = ()
    words: tuple[str, ...] = ()


WHOLE = (0, 0)
"""The part of a location that is all of it."""


class Event(NamedTuple):
    """An event of a thread.

    Parameters
    ----------
    kind : Kind
    location : int
        Index of the location; -1 for fences and barriers.
    value : int
        What a write stores, an exchange or compare-and-exchange writes, or another update has as its operand.
    mark : Mark
    operator : str
        Of an update: ``cmpxchg``, or LLVM's operation of ``atomicrmw`` (``xchg``, ``add`` …).
    expected : int
        What a ``cmpxchg`` compares with.
    part : (int, int)
        The first byte and the number of bytes that the access covers; :data:`WHOLE` for all of the location.
    depends : tuple of Dependency
        Sorted.
    """

    kind: Kind
    location: int = -1
    value: int = 0
    mark: Mark = Mark()
    operator: str = ""
    expected: int = 0
    part: tuple[int, int] = WHOLE
    depends: tuple[Dependency, ...] = ()

    @property
    def reads(self) -> bool:
        """Whether it is a read or an update."""
        return self.kind in (Kind.READ, Kind.UPDATE)

    @property
    def writes(self) -> bool:
        """Whether it is a write or an update."""
        return self.kind in (Kind.WRITE, Kind.UPDATE)


class Location(NamedTuple):
    """A location: its size in bytes and its address space. It holds 0 at the beginning."""

    size: int = 4
    space: int = 0


Place = tuple[int, int, int, int, int, int]
"""Where a thread runs: the number of its instance at each level, smallest first (see
:class:`~enumerator.program.test.Placement`)."""

APART: Place = (0, 0, 0, 0, 0, 0)
"""The place of the only thread of a test."""


class Skeleton(NamedTuple):
    """An abstract test. Its condition is the conjunction of what `reads` and `finals` say.

    Parameters
    ----------
    threads : tuple of tuple of Event
    places : tuple of Place
        One for each thread.
    locations : tuple of Location
    reads : tuple of (int, int, int)
        Thread, index of an event that reads, and what it is to read. Sorted.
    finals : tuple of (int, int)
        Location, and what it is to hold at the end. Sorted.

    Examples
    --------
    Message passing, with a release and an acquire:

    >>> flag, data = Location(), Location()
    >>> writer = (Event(Kind.WRITE, 0, 1), Event(Kind.WRITE, 1, 1, Mark(Ordering.RELEASE)))
    >>> reader = (Event(Kind.READ, 1, mark=Mark(Ordering.ACQUIRE)), Event(Kind.READ, 0))
    >>> mp = Skeleton((writer, reader), apart(2), (data, flag), ((1, 0, 1), (1, 1, 0)))
    >>> check_skeleton(mp)
    >>> register_names(mp.threads[1])
    {0: 'r0', 1: 'r1'}
    """

    threads: tuple[tuple[Event, ...], ...]
    places: tuple[Place, ...]
    locations: tuple[Location, ...]
    reads: tuple[tuple[int, int, int], ...] = ()
    finals: tuple[tuple[int, int], ...] = ()

    def events(self) -> Iterator[tuple[int, int, Event]]:
        """Give every event with its thread and its index there."""
        for number, thread in enumerate(self.threads):
            for index, event in enumerate(thread):
                yield number, index, event


def apart(count: int) -> tuple[Place, ...]:
    """Place threads so that they share the system and nothing below it.

    Parameters
    ----------
    count : int

    Returns
    -------
    tuple of Place

    Examples
    --------
    >>> apart(2)
    ((0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 0))
    """
    return tuple((number, number, number, number, number, 0) for number in range(count))


def register_names(thread: Sequence[Event]) -> dict[int, str]:
    """Name the registers of a thread, ``r0`` …: one for each event that reads.

    Parameters
    ----------
    thread : sequence of Event

    Returns
    -------
    dict
        By index of the event.
    """
    indices = [index for index, event in enumerate(thread) if event.kind in (Kind.READ, Kind.UPDATE)]
    return {index: f"r{number}" for number, index in enumerate(indices)}


_REFUSED = {
    Kind.READ: (Ordering.RELEASE, Ordering.ACQ_REL),
    Kind.WRITE: (Ordering.ACQUIRE, Ordering.ACQ_REL),
    Kind.UPDATE: (Ordering.NA, Ordering.UNORDERED),
    Kind.FENCE: (Ordering.NA, Ordering.UNORDERED, Ordering.MONOTONIC),
    Kind.BARRIER: (),
}


def check_skeleton(skeleton: Skeleton) -> None:
    """Refuse a skeleton that is no program: what one event may not be, or what does not exist.

    Parameters
    ----------
    skeleton : Skeleton

    Raises
    ------
    InputError
        With the thread and the event.

    Examples
    --------
    >>> check_skeleton(Skeleton(((Event(Kind.READ, 0, mark=Mark(Ordering.RELEASE)),),), (APART,), (Location(),)))
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: thread 0, event 0: a read cannot be release
    """
    if len(skeleton.places) != len(skeleton.threads):
        raise InputError(f"{len(skeleton.threads)} threads have {len(skeleton.places)} places")
    for number, index, event in skeleton.events():
        why = _mistake(skeleton, skeleton.threads[number], index, event)
        if why is not None:
            raise InputError(f"thread {number}, event {index}: {why}")
    for number, index, _ in skeleton.reads:
        if not (number < len(skeleton.threads) and index < len(skeleton.threads[number])):
            raise InputError(f"the condition names event {index} of thread {number}, which does not exist")
        if not skeleton.threads[number][index].reads:
            raise InputError(f"the condition names event {index} of thread {number}, which reads nothing")
    for location, _ in skeleton.finals:
        if location >= len(skeleton.locations):
            raise InputError(f"the condition names location {location} of {len(skeleton.locations)}")


def refused_ordering(kind: Kind, ordering: Ordering) -> str | None:
    """Say why an event cannot have an ordering; None if it can.

    Examples
    --------
    >>> refused_ordering(Kind.UPDATE, Ordering.UNORDERED), refused_ordering(Kind.READ, Ordering.SEQ_CST)
    ('an update cannot be unordered', None)
    """
    if ordering not in _REFUSED[kind]:
        return None
    what = kind.name.lower()
    return f"a{'n' if what[0] in 'aeiou' else ''} {what} cannot be {_ordering(ordering)}"


def _mistake(skeleton: Skeleton, thread: Sequence[Event], index: int, event: Event) -> str | None:
    what = event.kind.name.lower()
    why = refused_ordering(event.kind, event.mark.ordering)
    if why is not None:
        return why
    if event.kind in (Kind.FENCE, Kind.BARRIER):
        return f"a {what} has no location" if event.location != -1 else None
    if not 0 <= event.location < len(skeleton.locations):
        return f"there is no location {event.location}"
    location = skeleton.locations[event.location]
    if event.part != WHOLE:
        first, size = event.part
        if event.mark.ordering != Ordering.NA and first % max(size, 1):
            return f"an atomic access of {size} bytes that begins at byte {first}"
        if not (first >= 0 and size > 0 and first + size <= location.size):
            return f"bytes {first} to {first + size} of a location of {location.size}"
    size = event.part[1] or location.size
    if event.mark.ordering != Ordering.NA and size not in (1, 2, 4, 8):
        return f"an atomic access of {size} bytes"
    if (event.kind == Kind.UPDATE) != bool(event.operator):
        return "an update has an operator, and nothing else has"
    for kind, source in event.depends:
        if not (0 <= source < index and thread[source].reads):
            return f"it depends on event {source}, which is no earlier read"
        if kind == DependencyKind.DATA and not event.writes:
            return "a data dependency of what writes nothing"
    return None


def _ordering(ordering: Ordering) -> str:
    return "without an ordering" if ordering == Ordering.NA else ordering.name.lower()


def failure_ordering(ordering: Ordering) -> Ordering:
    """Give the ordering of a compare-and-exchange that fails: what is left of its own without the write.

    Examples
    --------
    >>> failure_ordering(Ordering.ACQ_REL).name, failure_ordering(Ordering.RELEASE).name
    ('ACQUIRE', 'MONOTONIC')
    """
    if ordering == Ordering.SEQ_CST:
        return ordering
    return Ordering.ACQUIRE if at_least(ordering, Ordering.ACQUIRE) else Ordering.MONOTONIC
