"""One path of each thread of a program, as a side sees it: its events, and predefined sets and relations as bits.

A thread has several paths where a compare-and-exchange may fail, and where a branch or an address may be undef: there
the program is undefined, and the thread ends. One bit stands for one choice of annotations; where an event exists in
some choices only (the fences of a translation), it is in no set and no relation in the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from enumerator.distinguishing.events import CIRCUMSTANCES, becomes, event_kind, letters
from enumerator.distinguishing.programs import Program
from enumerator.distinguishing.shapes import NO_COMPARISON, Item, Shape
from enumerator.distinguishing.sides import Language, Side
from enumerator.distinguishing.slices import ALL, Bits, packed
from enumerator.events import RELATIONS
from enumerator.events.kind import Kind as EventKind
from enumerator.events.sets import names_of
from enumerator.frozen import dataclass
from enumerator.generation.skeleton import DependencyKind, Kind, Mark, Place
from enumerator.mmra import Profile

__all__ = ["UNDEF", "Node", "Paths", "paths_of", "ways"]

UNDEF = -1
"""Stands for undef where values are numbers of writes: 0 is the initial one, others count from 1."""

_NOTHING = np.zeros(1, dtype=np.uint64)


class _Kinds(tuple[EventKind | None, ...]):
    """Kinds that an event may have. What is said of the same ones is kept, so that they are compared by identity."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True, slots=True)
class Node:
    """An event: an initial write (thread -1), or of a thread's instruction.

    Parameters
    ----------
    letter : str
        As in the relations of events.
    thread, index, location : int
    value : int
        Of a write.
    side : int
        Of the fences that a translation has: -1 before the operation, 1 behind it; 0 is the operation itself.
    """

    letter: str
    thread: int
    index: int
    location: int
    value: int = 0
    side: int = 0


@dataclass(frozen=True)
class Paths:
    """One path of each thread.

    Parameters
    ----------
    program : Program
    side : Side
    lengths : tuple of int
        How many events of each thread run.
    failed : frozenset of (int, int)
        The compare-and-exchanges that fail.
    """

    program: Program
    side: Side
    lengths: tuple[int, ...]
    failed: frozenset[tuple[int, int]]

    @property
    def ends_undefined(self) -> bool:
        """Whether a thread ends where something is undef."""
        return any(length < len(thread) for length, thread in zip(self.lengths, self.program.shape, strict=True))

    def items(self) -> Iterator[tuple[int, int, Item]]:
        """Give every event that runs with its thread and its index there."""
        for number, thread in enumerate(self.program.shape):
            for index in range(self.lengths[number]):
                yield number, index, thread[index]

    @cached_property
    def _events(self) -> tuple[tuple[Node, _Kinds], ...]:
        """Give events, each with its kind for each annotation; in a translation, for each in each circumstance."""
        values = {(each.thread, each.index): each.value for each in self.program.accesses if each.letter == "W"}
        found: list[tuple[Node, _Kinds]] = []
        for location, space in enumerate(self.program.spaces):
            space = 1 if self.side.language is Language.TRANSLATED else space
            found.append((Node("W", -1, -1, location), _initial(space)))
        program, side = self.program, self.side
        for number, index, item in self.items():
            space = program.spaces[item.location] if item.location >= 0 else 0
            options = program.options[program.event_number(number, index)]
            failed, where = (number, index) in self.failed, (number, program.places[number])
            for place, letter, kinds in _operation(
                side.language, side.profile, item.kind, options, (space, item.location), failed, where
            ):
                value = values[number, index] if letter == "W" else 0
                location = item.location if place == 0 else -1
                found.append((Node(letter, number, index, location, value, place), kinds))
        return tuple(found)

    @property
    def _circumstances(self) -> int:
        return CIRCUMSTANCES if self.side.language is Language.TRANSLATED else 1

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The events: initial writes, then those of the threads; a read-modify-write is two."""
        return tuple(node for node, _ in self._events)

    @cached_property
    def reads(self) -> list[int]:
        """The numbers of the reads."""
        return [number for number, node in enumerate(self.nodes) if node.letter == "R"]

    @cached_property
    def writes(self) -> dict[int, list[int]]:
        """The numbers of the writes of each location, the initial one first."""
        found: dict[int, list[int]] = {location: [] for location in range(len(self.program.spaces))}
        for number, node in enumerate(self.nodes):
            if node.letter == "W":
                found[node.location].append(number)
        return found

    @cached_property
    def exists(self) -> Bits | None:
        """Where each event exists; None if all do."""
        if all(None not in kinds for _, kinds in self._events):
            return None
        rows = [self._spread(number, [kind is not None for kind in kinds]) for number, kinds in self._numbered]
        return _together(rows)

    @property
    def _numbered(self) -> Iterator[tuple[int, _Kinds]]:
        return ((number, kinds) for number, (_, kinds) in enumerate(self._events))

    # -- Values --------------------------------------------------------------------------------------------------

    @cached_property
    def _data(self) -> dict[int, list[int]]:
        """For each write that has data dependencies, the reads."""
        found = {}
        for number, node in enumerate(self.nodes):
            if node.letter == "W" and node.thread >= 0:
                reads = self._sources(node, DependencyKind.DATA)
                if reads:
                    found[number] = reads
        return found

    def _sources(self, node: Node, kind: DependencyKind) -> list[int]:
        item = self.program.shape[node.thread][node.index]
        indices = {each.source for each in item.depends if each.kind == kind}
        places = {(node.thread, index) for index in indices}
        return [each for each in self.reads if (self.nodes[each].thread, self.nodes[each].index) in places]

    def values(self, sources: Sequence[int]) -> list[int]:
        """Give the value of each read and write.

        Parameters
        ----------
        sources : sequence of int
            For each read, the number of the write that it reads; -1 for undef.
        """
        found = [node.value for node in self.nodes]
        taken = dict(zip(self.reads, sources, strict=True))
        if self._data:
            undefined = {read for read, source in taken.items() if source < 0}
            while True:
                more = {write for write, reads in self._data.items() if not undefined.isdisjoint(reads)}
                more |= {read for read, source in taken.items() if source in more}
                if more <= undefined:
                    break
                undefined |= more
            for number in undefined:
                found[number] = UNDEF
        for read, source in taken.items():
            found[read] = UNDEF if source < 0 else found[source]
        return found

    def fits(self, values: Sequence[int]) -> bool:
        """Tell whether the paths are those that threads take which read these values."""
        read = {(self.nodes[each].thread, self.nodes[each].index): values[each] for each in self.reads}
        for number, thread in enumerate(self.program.shape):
            for index, item in enumerate(thread):
                undefined = any(
                    read[number, each.source] == UNDEF for each in item.depends if each.kind != DependencyKind.DATA
                )
                if index == self.lengths[number]:
                    if not undefined:
                        return False
                    break
                if undefined:
                    return False
                if item.expected != NO_COMPARISON and read[number, index] != UNDEF:
                    if (read[number, index] != item.expected) != ((number, index) in self.failed):
                        return False
        return True

    # -- Predefined sets and relations -----------------------------------------------------------------------------

    def base(self, names: frozenset[str]) -> dict[str, Bits]:
        """Give predefined sets and relations.

        Parameters
        ----------
        names : frozenset of str

        Returns
        -------
        dict of str to array
            As :class:`~enumerator.distinguishing.slices.Slices` takes them.
        """
        found: dict[str, Bits] = {}
        for name in sorted(names):
            if name in RELATIONS:
                found[name] = self._relation(name)
            else:
                found[name] = _together(
                    [
                        self._spread(number, [kind is not None and name in names_of(kind) for kind in kinds])
                        for number, kinds in self._numbered
                    ]
                )
        return found

    def _chosen(self, number: int) -> NDArray[np.int64]:
        """Say which of its kinds an event has in each choice of annotations."""
        node, program = self.nodes[number], self.program
        place = program.event_number(node.thread, node.index)
        chosen = program.choices[place]
        if self._circumstances == 1:
            return chosen
        return chosen + len(program.options[place]) * program.circumstances

    def _spread(self, number: int, holds: Sequence[bool]) -> Bits:
        """Give the bits of what an event's kind decides."""
        truth = np.array(holds)
        if truth.all() or not truth.any():
            return np.array([ALL if truth.any() else 0], dtype=np.uint64)
        return packed(truth[self._chosen(number)])

    def _relation(self, name: str) -> Bits:
        relation, rows = RELATIONS[name], []
        for first, (_, ones) in enumerate(self._events):
            row = []
            for second, (_, others) in enumerate(self._events):
                if not self._stand(name, first, second):
                    row.append(_NOTHING)
                elif first == second:
                    itself = [kind is not None and relation.of_pair(kind, kind, True) for kind in ones]
                    row.append(self._spread(first, itself))
                else:
                    row.append(self._pair(name, (first, ones), (second, others)))
            rows.append(row)
        return _together([_together(row) for row in rows])

    def _stand(self, name: str, first: int, second: int) -> bool:
        """Tell whether two events stand so that a relation may hold."""
        relation, a, b = RELATIONS[name], self.nodes[first], self.nodes[second]
        if relation.listed:
            return self._is_listed(name, first, second)
        if relation.before and not first < second:
            return False
        match relation.same:
            case None:
                return True
            case ("location", "location"):
                return a.location == b.location >= 0
            case ("instruction", "instruction"):
                return (a.thread, a.index, a.location, a.side) == (b.thread, b.index, b.location, b.side)
            case ("arrival", "wait") | ("completing", "barrier"):
                return a.letter == b.letter == "B" and _phase(self.program.shape, a) == _phase(self.program.shape, b)
            case _:  # parts: no tests here have any
                return False

    def _is_listed(self, name: str, first: int, second: int) -> bool:
        a, b = self.nodes[first], self.nodes[second]
        if a.letter != "R" or a.thread != b.thread:
            return False
        match name:
            case "rmw":
                return a.index == b.index and b.letter == "W"
            case "addr":
                return b.letter in "RW" and first in self._sources(b, DependencyKind.ADDR)
            case "data":
                return first in self._data.get(second, ())
            case "ctrl":
                thread = self.program.shape[a.thread][: b.index + 1]
                return any((DependencyKind.CTRL, a.index) in item.depends for item in thread)
        return False

    def _pair(self, name: str, first: tuple[int, _Kinds], second: tuple[int, _Kinds]) -> Bits:
        (here, ones), (there, others) = first, second
        truth = _truth(name, ones, others)
        if truth.all() or not truth.any():
            return np.array([ALL if truth.any() else 0], dtype=np.uint64)
        if len(others) == 1:
            return self._spread(here, truth[:, 0].tolist())
        if len(ones) == 1:
            return packed(truth[0, self._chosen(there)])
        return packed(truth[self._chosen(here), self._chosen(there)])


@cache
def _initial(space: int) -> _Kinds:
    return _Kinds((EventKind("IW", address_space=space, observed=True),))


@cache
def _operation(
    language: Language,
    profile: Profile,
    kind: Kind,
    options: tuple[Mark, ...],
    accessed: tuple[int, int],
    failed: bool,
    where: tuple[int, Place],
) -> tuple[tuple[int, str, _Kinds], ...]:
    """Give the events that an operation may become: where they stand, their letters and kinds."""
    found = []
    own = letters(kind, failed=failed)
    circumstances = range(CIRCUMSTANCES if language is Language.TRANSLATED else 1)
    rendered = [
        becomes(language, kind, mark, *accessed, circumstance, failed)
        for circumstance in circumstances
        for mark in options
    ]
    for place, letter in ((-1, "F"), *((0, letter) for letter in own), (1, "F")):
        notes = [
            each.own if place == 0 else next(iter(each.before if place < 0 else each.after), None) for each in rendered
        ]
        if any(note is not None for note in notes):
            half = place == 0 and len(own) > 1
            kinds = (
                None if note is None else event_kind(profile, letter, note, half=half, thread=where[0], place=where[1])
                for note in notes
            )
            found.append((place, letter, _Kinds(kinds)))
    return tuple(found)


@cache
def _truth(name: str, ones: _Kinds, others: _Kinds) -> NDArray[np.bool_]:
    """Say of which kinds of two events a relation may hold."""
    relation = RELATIONS[name]
    return np.array(
        [
            [one is not None and other is not None and relation.of_pair(one, other, False) for other in others]
            for one in ones
        ]
    )


def _phase(shape: Shape, node: Node) -> int:
    """Count the barriers before one in its thread."""
    return sum(item.kind == Kind.BARRIER for item in shape[node.thread][: node.index])


def _together(rows: Sequence[Bits]) -> Bits:
    """Stack arrays whose last axis is one word or all of them."""
    words = max(row.shape[-1] for row in rows)
    return np.stack([np.broadcast_to(row, (*row.shape[:-1], words)) for row in rows])


def paths_of(program: Program, side: Side, undef: bool) -> Iterator[Paths]:
    """Give every path of each thread that could be taken.

    Parameters
    ----------
    program : Program
    side : Side
    undef : bool
        Whether reads may return undef.

    Yields
    ------
    Paths
    """
    for lengths, failed in ways(program.shape, undef):
        yield Paths(program, side, lengths, failed)


def ways(shape: Shape, undef: bool) -> Iterator[tuple[tuple[int, ...], frozenset[tuple[int, int]]]]:
    """Give every path of each thread: how many of its events run, and which compare-and-exchanges fail.

    Parameters
    ----------
    shape : Shape
    undef : bool
        Whether reads may return undef.

    Yields
    ------
    tuple
    """
    lengths, compared = [], []
    for number, thread in enumerate(shape):
        ends = [
            index
            for index, item in enumerate(thread)
            if undef and any(each.kind != DependencyKind.DATA for each in item.depends)
        ]
        lengths.append([len(thread), *ends])
        compared += [(number, index) for index, item in enumerate(thread) if item.expected != NO_COMPARISON]
    for chosen in product(*lengths):
        here = [(number, index) for number, index in compared if index < chosen[number]]
        for fails in product((False, True), repeat=len(here)):
            failed = frozenset(each for each, fail in zip(here, fails, strict=True) if fail)
            yield chosen, failed
