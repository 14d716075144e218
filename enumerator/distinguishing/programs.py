"""A shape with every choice of annotations; one bit stands for one choice.

Which events these are, and what the predefined sets and relations are, is in :mod:`enumerator.distinguishing.paths`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from math import prod
from operator import or_

import numpy as np
from numpy.typing import NDArray

from enumerator.distinguishing.alphabet import Alphabet
from enumerator.distinguishing.events import vulkan_annotation
from enumerator.distinguishing.shapes import NO_COMPARISON, Shape
from enumerator.distinguishing.slices import Bits, packed
from enumerator.frozen import dataclass
from enumerator.generation.skeleton import Event, Kind, Location, Mark, Place, Skeleton
from enumerator.passes.translate.operations import by_intrinsic, own_class, semantics
from enumerator.program.instructions import Ordering, Scope

__all__ = ["Access", "Program", "programs"]

MOST_TOGETHER = 1 << 15
"""Choices of annotations that are looked at together: what a relation of eight events needs then fits into a cache."""

_ACCESSES = (Kind.READ, Kind.WRITE, Kind.UPDATE)


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write: an initial write (thread -1), or of a thread's instruction; a read-modify-write is two."""

    letter: str
    thread: int
    index: int
    location: int
    value: int = 0


@dataclass(frozen=True)
class Program:
    """A shape, where its threads run, and some choices of annotations.

    Parameters
    ----------
    shape : Shape
    places : tuple of Place
    spaces : tuple of int
        The address space of each location.
    options : tuple of tuple of Mark
        For each event of the shape, in order, the annotations to choose from.
    """

    shape: Shape
    places: tuple[Place, ...]
    spaces: tuple[int, ...]
    options: tuple[tuple[Mark, ...], ...]

    @property
    def count(self) -> int:
        """How many choices of annotations there are."""
        return prod(map(len, self.options))

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        """The initial writes, then what the threads may read and write: all writes of a location differ in value."""
        found = [Access("W", -1, -1, location) for location in range(len(self.spaces))]
        written = [0] * len(self.spaces)
        for number, thread in enumerate(self.shape):
            for index, item in enumerate(thread):
                if item.kind in (Kind.READ, Kind.UPDATE):
                    found.append(Access("R", number, index, item.location))
                if item.kind in (Kind.WRITE, Kind.UPDATE):
                    written[item.location] += 1
                    found.append(Access("W", number, index, item.location, written[item.location]))
        return tuple(found)

    @cached_property
    def choices(self) -> tuple[NDArray[np.int64], ...]:
        """For each event of the shape, which annotation it has in each choice."""
        numbers = np.arange(self.count)
        found = []
        for options in reversed(self.options):
            found.append(numbers % len(options))
            numbers = numbers // len(options)
        return tuple(reversed(found))

    @cached_property
    def _event_numbers(self) -> dict[tuple[int, int], int]:
        pairs = [(number, index) for number, thread in enumerate(self.shape) for index in range(len(thread))]
        return {pair: number for number, pair in enumerate(pairs)}

    def event_number(self, thread: int, index: int) -> int:
        """Number an event of the shape: those of the first thread come first."""
        return self._event_numbers[thread, index]

    def number_of(self, choices: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Number choices of annotations: for each event, which one it has."""
        found = np.zeros_like(choices[0]) if choices else np.zeros(1, dtype=np.int64)
        for chosen, options in zip(choices, self.options, strict=True):
            found = found * len(options) + chosen
        return found

    # -- Translations of Vulkan tests --------------------------------------------------------------------------

    @cached_property
    def circumstances(self) -> NDArray[np.int64]:
        """What each choice of annotations means for a translation (``events.CIRCUMSTANCES``)."""
        private, accessed, ordered = (np.zeros(self.count, dtype=np.int64) for _ in range(3))
        ordered += _EVERY_CLASS
        items = [item for thread in self.shape for item in thread]
        for item, marks, chosen in zip(items, self.options, self.choices, strict=True):
            notes = [vulkan_annotation(item.kind, mark) for mark in marks]
            if item.kind in _ACCESSES:
                private |= np.array(["NONPRIV" not in note.labels for note in notes])[chosen]
                accessed |= np.array([_bits(own_class(note)) for note in notes])[chosen]
            orders = [_bits(semantics(note)) if note.ordering > Ordering.MONOTONIC else _EVERY_CLASS for note in notes]
            ordered &= np.array(orders)[chosen]
        found: NDArray[np.int64] = private + 2 * ((accessed & ~ordered) != 0)
        return found

    @cached_property
    def untranslatable(self) -> Bits:
        """Where a translation is refused: of what is accessed by av or vis, and atomically."""
        found = np.zeros(self.count, dtype=np.bool_)
        items = [item for thread in self.shape for item in thread]
        for location in range(len(self.spaces)):
            wide, atomic = np.zeros_like(found), np.zeros_like(found)
            for item, marks, chosen in zip(items, self.options, self.choices, strict=True):
                if item.location == location:
                    notes = [vulkan_annotation(item.kind, mark) for mark in marks]
                    wide |= np.array(list(map(by_intrinsic, notes)))[chosen]
                    atomic |= np.array([note.ordering != Ordering.NA for note in notes])[chosen]
            found |= wide & atomic
        return packed(found)

    # -- Tests ---------------------------------------------------------------------------------------------------

    def skeleton(self, number: int) -> Skeleton:
        """Give the test with a choice of annotations, without a condition."""
        marks = [options[chosen[number]] for options, chosen in zip(self.options, self.choices, strict=True)]
        values = {(each.thread, each.index): each.value for each in self.accesses if each.letter == "W"}
        threads = tuple(
            tuple(
                Event(
                    item.kind,
                    item.location,
                    values.get((thread, index), 0),
                    marks[self._event_numbers[thread, index]],
                    _operator(item.kind, item.expected),
                    max(item.expected, 0),
                    depends=item.depends,
                )
                for index, item in enumerate(items)
            )
            for thread, items in enumerate(self.shape)
        )
        return Skeleton(threads, self.places, tuple(Location(4, space) for space in self.spaces))


def _operator(kind: Kind, expected: int) -> str:
    if kind != Kind.UPDATE:
        return ""
    return "xchg" if expected == NO_COMPARISON else "cmpxchg"


_EVERY_CLASS = 0b1111


def _bits(classes: set[str]) -> int:
    return reduce(or_, (1 << int(name[-1]) for name in classes), 0)


def programs(shape: Shape, alphabet: Alphabet, where: Sequence[Place], spaces: Sequence[int]) -> Iterator[Program]:
    """Give a shape with all choices of annotations, in parts that are looked at together.

    Parameters
    ----------
    shape : Shape
    alphabet : Alphabet
    where : sequence of Place
    spaces : sequence of int

    Yields
    ------
    Program
        None where threads of a workgroup do not meet at the same barriers, or one meets nobody there.
    """
    if not _meet(shape, where):
        return
    options = [alphabet.marks[item.kind] for thread in shape for item in thread]

    def split(fixed: tuple[tuple[Mark, ...], ...]) -> Iterator[Program]:
        rest = tuple(options[len(fixed) :])
        if prod(map(len, rest)) <= MOST_TOGETHER:
            yield Program(shape, tuple(where), tuple(spaces), (*fixed, *rest))
            return
        for mark in rest[0]:
            yield from split((*fixed, (mark,)))

    yield from split(())


def _meet(shape: Shape, where: Sequence[Place]) -> bool:
    barriers = [sum(item.kind == Kind.BARRIER for item in thread) for thread in shape]
    groups = [place[Scope.WORKGROUP] for place in where]
    sizes = Counter(groups)
    return len(set(zip(groups, barriers, strict=True))) == len(sizes) and all(
        sizes[group] > 1 for group, count in zip(groups, barriers, strict=True) if count
    )
