"""What writes that may come say of cycles, as arrays for the kernels: a row for each thread, writes and object."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.events.kind import Kind
from enumerator.search.closing import FREE, Closing, Written
from enumerator.unfold.paths import Location

__all__ = ["Cycles", "with_room"]


class Cycles:
    """What writes of threads to locations say of cycles, numbered, as most rows have the same; number 0 says nothing.

    Attributes
    ----------
    says, says_exactly, in_order : uint8 arrays, shape (numbers, kinds)
        For each kind, as :class:`~enumerator.search.to_come.Rows` has them.
    coherent : uint8 array, shape (numbers,)
    """

    def __init__(self) -> None:
        self.says = np.full((8, 8), FREE, dtype=np.uint8)
        self.says_exactly, self.in_order = self.says.copy(), np.zeros((8, 8), dtype=np.uint8)
        self.coherent = np.zeros(8, dtype=np.uint8)
        self._reads: dict[str, dict[int, None]] = {}  # by object: the kinds of the reads that there are
        self._new: list[tuple[str, int]] = []
        self._closing: Closing | None = None
        self._numbers: dict[tuple[int, frozenset[Written], str], int] = {}
        self._of_object: dict[str, list[tuple[int, int, frozenset[Written], Location]]] = {}
        self._of_thread: dict[int, list[tuple[int, frozenset[Written]]]] = {}
        self._count = 0  # of kinds

    def add_read(self, location: Location, kind: int) -> None:
        """Note that there is a read of a kind."""
        known = self._reads.setdefault(location.object, {})
        if kind not in known:
            known[kind] = None
            self._new.append((location.object, kind))

    def begin(self, closing: Closing) -> None:
        """Forget what was said."""
        self._closing = closing
        self._numbers.clear()
        self._of_object.clear()
        self._of_thread.clear()
        self.says[:] = self.says_exactly[:] = FREE
        self.in_order[:] = closing.ordered
        self.coherent[:] = 0

    def extend(self, kinds: list[Kind]) -> bool:
        """Say it for the reads, and the kinds, that have come since; tell whether there were any."""
        self._make_room(kinds)
        new, self._new = self._new, []
        for name, kind in new:
            for number, thread, writes, location in self._of_object.get(name, ()):
                self._say(number, thread, writes, location, kind, kinds)
        first, self._count = self._count, len(kinds)
        for kind in range(first, self._count):
            for number, writes in self._of_thread.get(_thread_of(kinds[kind]), ()):
                self._say_in_order(number, writes, kind, kinds)
        return bool(new) or first < self._count

    def number(self, thread: int, writes: frozenset[Written], location: Location, kinds: list[Kind]) -> int:
        """Give the number of writes of a thread to a location."""
        key = thread, writes, location.object
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers) + 1
            self._make_room(kinds)
            self.coherent[number] = self._closing is not None and self._closing.are_coherent(writes)
            self._of_object.setdefault(location.object, []).append((number, thread, writes, location))
            for kind in self._reads.get(location.object, ()):
                self._say(number, thread, writes, location, kind, kinds)
            self._of_thread.setdefault(thread, []).append((number, writes))
            for kind in range(self._count):
                if kinds[kind].thread == thread:
                    self._say_in_order(number, writes, kind, kinds)
        return number

    def _make_room(self, kinds: list[Kind]) -> None:
        shape = len(self._numbers) + 1, len(kinds)
        self.says, self.says_exactly = (with_room(each, shape, FREE) for each in (self.says, self.says_exactly))
        ordered = self._closing is not None and self._closing.ordered
        self.in_order = with_room(self.in_order, shape, int(ordered))
        self.coherent = with_room(self.coherent, shape[:1], 0)

    def _say_in_order(self, number: int, writes: frozenset[Written], kind: int, kinds: list[Kind]) -> None:
        if self._closing is not None and not self._closing.ordered:
            self.in_order[number, kind] = self._closing.keeps_order(kinds[kind], writes)

    def _say(
        self, number: int, thread: int, writes: frozenset[Written], location: Location, kind: int, kinds: list[Kind]
    ) -> None:
        read = kinds[kind]
        if self._closing is not None and read.thread is not None and read.thread != thread:
            self.says[number, kind] = self._closing.says(writes, read, location)
            self.says_exactly[number, kind] = self._closing.says(writes, read, location, exact=True)


def _thread_of(kind: Kind) -> int:
    return -1 if kind.thread is None else kind.thread


def with_room(array: NDArray[Any], shape: tuple[int, ...], fill: int) -> NDArray[Any]:
    """Give an array with room for a shape, with what it holds."""
    if all(size <= room for size, room in zip(shape, array.shape, strict=True)):
        return array
    room = tuple(max(before, 2 * size) for size, before in zip(shape, array.shape, strict=True))
    larger = np.full(room, fill, array.dtype)
    larger[tuple(map(slice, array.shape))] = array
    return larger
