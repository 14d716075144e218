"""A shape with every choice of annotations: its events, and the predefined sets and relations as bits.

One bit stands for one choice of annotations. What a choice of reads-from and of the order of writes makes of it is in
:mod:`enumerator.distinguishing.executions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from enumerator.distinguishing.alphabet import Alphabet, event_kind
from enumerator.distinguishing.shapes import Shape
from enumerator.distinguishing.sides import Side
from enumerator.distinguishing.slices import ALL, Bits, packed
from enumerator.events import RELATIONS
from enumerator.events.kind import Kind as EventKind
from enumerator.events.sets import names_of
from enumerator.generation.skeleton import Event, Kind, Location, Mark, Place, Skeleton

__all__ = ["Node", "Program", "programs"]

MOST_TOGETHER = 1 << 15
"""Choices of annotations that are looked at together: what a relation of eight events needs then fits into a cache."""


@dataclass(frozen=True, slots=True)
class Node:
    """An event: an initial write (thread -1), or of a thread's instruction; `letter` as in the relations of events."""

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
    def nodes(self) -> tuple[Node, ...]:
        """The events: initial writes, then those of the threads; a read-modify-write is two."""
        found = [Node("W", -1, -1, location) for location in range(len(self.spaces))]
        written = [0] * len(self.spaces)
        for number, thread in enumerate(self.shape):
            for index, (kind, location) in enumerate(thread):
                if kind in (Kind.READ, Kind.UPDATE):
                    found.append(Node("R", number, index, location))
                if kind in (Kind.WRITE, Kind.UPDATE):
                    written[location] += 1
                    found.append(Node("W", number, index, location, written[location]))
                if kind == Kind.FENCE:
                    found.append(Node("F", number, index, -1))
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

    def _kinds(self, node: Node, side: Side) -> tuple[EventKind, ...]:
        """Give the kinds that an event may have."""
        if node.thread < 0:
            return (EventKind("IW", address_space=self.spaces[node.location], observed=True),)
        kind, location = self.shape[node.thread][node.index]
        return tuple(
            event_kind(
                node.letter,
                mark,
                side.profile,
                half=kind == Kind.UPDATE,
                thread=node.thread,
                place=self.places[node.thread],
                space=self.spaces[location] if location >= 0 else 0,
            )
            for mark in self.options[self._event_numbers[node.thread, node.index]]
        )

    def base(self, side: Side, names: frozenset[str]) -> dict[str, Bits]:
        """Give predefined sets and relations as a side sees them.

        Parameters
        ----------
        side : Side
        names : frozenset of str

        Returns
        -------
        dict of str to array
            As :class:`~enumerator.distinguishing.slices.Slices` takes them.
        """
        kinds = [self._kinds(node, side) for node in self.nodes]
        found: dict[str, Bits] = {}
        for name in sorted(names):
            if name in RELATIONS:
                found[name] = self._relation(name, kinds)
            else:
                rows = [
                    self._spread(index, np.array([name in names_of(kind) for kind in options]))
                    for index, options in enumerate(kinds)
                ]
                found[name] = _together(rows)
        return found

    def _spread(self, index: int, truth: NDArray[np.bool_]) -> Bits:
        """Give the bits of what an event's annotation decides."""
        if truth.all() or not truth.any():
            return np.array([ALL if truth.any() else 0], dtype=np.uint64)
        node = self.nodes[index]
        return packed(truth[self.choices[self._event_numbers[node.thread, node.index]]])

    def _relation(self, name: str, kinds: Sequence[tuple[EventKind, ...]]) -> Bits:
        relation = RELATIONS[name]
        nothing = np.zeros(1, dtype=np.uint64)
        rows: list[list[Bits]] = []
        for first, a in enumerate(self.nodes):
            row = []
            for second, b in enumerate(self.nodes):
                if not self._stand(name, first, second):
                    row.append(nothing)
                elif first == second:
                    truth = np.array([relation.of_pair(kind, kind, True) for kind in kinds[first]])
                    row.append(self._spread(first, truth))
                else:
                    row.append(self._pair(name, (first, a, kinds[first]), (second, b, kinds[second])))
            rows.append(row)
        return _together([_together(row) for row in rows])

    def _stand(self, name: str, first: int, second: int) -> bool:
        """Tell whether two events stand so that a relation may hold."""
        relation, a, b = RELATIONS[name], self.nodes[first], self.nodes[second]
        if relation.listed:
            return name == "rmw" and (a.thread, a.index) == (b.thread, b.index) and a.letter == "R" and b.letter == "W"
        if relation.before and not first < second:
            return False
        match relation.same:
            case None:
                return True
            case ("location", "location"):
                return a.location == b.location >= 0
            case ("instruction", "instruction"):
                return (a.thread, a.index, a.location) == (b.thread, b.index, b.location)
            case _:  # parts, barriers: no tests here have any
                return False

    def _pair(
        self, name: str, first: tuple[int, Node, tuple[EventKind, ...]], second: tuple[int, Node, tuple[EventKind, ...]]
    ) -> Bits:
        (here, a, ones), (_, b, others) = first, second
        relation = RELATIONS[name]
        truth = np.array([[relation.of_pair(one, other, False) for other in others] for one in ones])
        if truth.all() or not truth.any():
            return np.array([ALL if truth.any() else 0], dtype=np.uint64)
        if len(others) == 1:
            return self._spread(here, truth[:, 0])
        chosen = self.choices[self._event_numbers[b.thread, b.index]]
        if len(ones) == 1:
            return packed(truth[0, chosen])
        return packed(truth[self.choices[self._event_numbers[a.thread, a.index]], chosen])

    def skeleton(self, number: int) -> Skeleton:
        """Give the test with a choice of annotations, without a condition."""
        marks = [options[chosen[number]] for options, chosen in zip(self.options, self.choices, strict=True)]
        values = {(node.thread, node.index): node.value for node in self.nodes if node.letter == "W"}
        threads = tuple(
            tuple(
                Event(
                    kind,
                    location,
                    values.get((thread, index), 0),
                    marks[self._event_numbers[thread, index]],
                    "xchg" if kind == Kind.UPDATE else "",
                )
                for index, (kind, location) in enumerate(events)
            )
            for thread, events in enumerate(self.shape)
        )
        return Skeleton(threads, self.places, tuple(Location(4, space) for space in self.spaces))


def _together(rows: Sequence[Bits]) -> Bits:
    """Stack arrays whose last axis is one word or all of them."""
    words = max(row.shape[-1] for row in rows)
    return np.stack([np.broadcast_to(row, (*row.shape[:-1], words)) for row in rows])


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
    """
    options = [alphabet.marks[kind] for thread in shape for kind, _ in thread]

    def split(fixed: tuple[tuple[Mark, ...], ...]) -> Iterator[Program]:
        rest = tuple(options[len(fixed) :])
        if prod(map(len, rest)) <= MOST_TOGETHER:
            yield Program(shape, tuple(where), tuple(spaces), (*fixed, *rest))
            return
        for mark in rest[0]:
            yield from split((*fixed, (mark,)))

    return split(())
