"""Which addresses memory may hold, by object and by the bytes of it where they are stored.

Objects that code makes in one place, whichever thread runs it and however often, are taken for one. What is stored
through an address that is not known, but one that memory may hold, is stored to each of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from enumerator.program.test import MemoryObject
from enumerator.program.types import ArrayType, StructType, Type, field_offset, size_of
from enumerator.program.values import Value
from enumerator.unfold.places import (
    ANY,
    IN_MEMORY,
    MADE,
    MEMORY,
    Place,
    Places,
    added,
    of_thread,
    pointers_in,
    site_in,
    with_bits,
)
from enumerator.unfold.watched import Watched

__all__ = ["Held", "Starts"]

Starts = Mapping[str, frozenset[int] | None]
"""By object the bytes in it whose addresses memory may hold; None: any. What threads make is named by where."""

_Cell = tuple[int | None, int]
_NOTHING: frozenset[Place] = frozenset()
_ANYWHERE: _Cell = None, 0
_MOST_CELLS = 64
"""Of an object; of one with more it is not told any more where in it an address is stored."""


class Held:
    """The addresses that memory may hold; what threads are given and return counts as memory.

    Parameters
    ----------
    objects : sequence of MemoryObject
        Those of the test.
    owners : mapping of str to str
        Objects that code of one thread alone names, as only that one has a name for them; each with the thread.
    tags : set of (str, int)
        The operations that set or clear the lowest bits of addresses.
    watched : Watched
        Who looks at what memory holds: an object, `MEMORY` for where addresses begin, and None for whether they are
        known.

    Attributes
    ----------
    found : set of (str, int or None)
        The addresses.
    starts : mapping of str to (frozenset of int or None)
        The same, by object.
    known : bool
        Whether these are all.
    everywhere : bool
        Whether any of them may be anywhere in memory.
    """

    def __init__(
        self, objects: Sequence[MemoryObject], owners: Mapping[str, str], tags: Set[tuple[str, int]], watched: Watched
    ) -> None:
        self.found: set[Place] = set()
        self.known, self.everywhere, self._watched = True, False, watched
        self.starts: Starts = {}
        self.cells: dict[str, dict[_Cell, frozenset[Place]]] = {}
        self._whole: dict[str, frozenset[Place]] = {}  # of all cells of an object
        self._owners, self._tags, self._begun_at = owners, tags, 0  # of how many addresses it is known where they begin
        self._objects = {memory.name for memory in objects}
        self._constant = {memory.name for memory in objects if memory.constant}
        for memory in objects:
            for start, type_, value in _parts(memory.type, memory.initial, 0):
                pointers = frozenset(pointers_in(value))
                if pointers:
                    self.find(pointers)
                    self._put(memory.name, (start, size_of(type_)), pointers)
        self.update()

    def find(self, places: Places) -> None:
        """Note addresses that memory may hold."""
        places = of_thread(places, ANY)
        if places is None:
            if self.known:
                self.known = False
                self._watched.change(None)
        else:
            self.found |= places

    def store(self, places: Places, size: int, value: Places) -> None:
        """Note that something is stored which may be an address.

        Parameters
        ----------
        places : frozenset of (str, int or None) or None
            Where.
        size : int
            In bytes.
        value : frozenset of (str, int or None) or None
        """
        self.find(value)
        if value is None or not value:
            return
        if places is None:
            if not self.everywhere:
                self.everywhere = True
                self._watched.change(None)
            return
        for name, start in self._reached(places):
            if name in self._constant or not (MADE in name or name in self._objects):
                continue  # such a store is an error that ends the execution: there is no other memory
            self._put(name, (start, size), value if name in self._owners else of_thread(value, ANY) or value)

    def _put(self, name: str, cell: _Cell, value: frozenset[Place]) -> None:
        cells = self.cells.setdefault(name, {})
        if cell not in cells and (cell[0] is None or len(cells) >= _MOST_CELLS or _ANYWHERE in cells):
            cell = _ANYWHERE
        anywhere = cells.get(_ANYWHERE, _NOTHING)
        if added(anywhere, value) is anywhere:
            return
        before = cells.get(cell, _NOTHING)
        after = added(before, value)
        if after is not None and after is not before:
            cells[cell] = after
            self._whole[name] = added(self._whole.get(name, _NOTHING), after) or after
            self._watched.change(name)

    def load(self, places: Places, size: int, *, whole: bool = False) -> Places:
        """Give the places that what is read may point to.

        Parameters
        ----------
        places : frozenset of (str, int or None) or None
            Where it is read.
        size : int
            In bytes.
        whole : bool
            Whether parts of addresses that are stored as a whole do not count, as nobody counts with these in memory.

        Returns
        -------
        frozenset of (str, int or None)
        """
        self._watched.look(None)
        if places is None or self.everywhere or not self.known:
            return IN_MEMORY
        found: set[Place] = set()
        for name, start in self._reached(places):
            self._watched.look(name)
            if name in self._owners:
                self._watched.look(MEMORY)
                thread = ANY if name in self.starts else self._owners[name]
                found |= of_thread(self._whole.get(name, _NOTHING), thread) or _NOTHING
                continue
            if start is None and not whole:
                found |= self._whole.get(name, _NOTHING)
                continue
            for (first, count), value in self.cells.get(name, {}).items():
                if whole and count > size:
                    continue
                if start is None or first is None or (start < first + count and first < start + size):
                    found |= value
        return frozenset(found)

    def _reached(self, places: Iterable[Place]) -> Iterator[Place]:
        """Give the objects, and bytes in them, that places stand for."""
        for name, offset in places:
            if name == MEMORY:
                self._watched.look(MEMORY)
                for each, begins in self.starts.items():
                    if begins is None or offset is None:
                        yield each, None
                    else:
                        yield from ((each, start + offset) for start in begins)
            else:
                yield site_in(name) if MADE in name else name, offset

    def update(self) -> None:
        """Say anew at which bytes of objects addresses begin."""
        if len(self.found) == self._begun_at:
            return
        self._begun_at = len(self.found)
        displaced = any(name == MEMORY and offset != 0 for name, offset in self.found)
        starts: dict[str, set[int] | None] = {}
        for name, offset in self.found:
            if name == MEMORY:
                continue
            name = site_in(name) if MADE in name else name
            before = starts.setdefault(name, set())
            if offset is None or displaced:
                starts[name] = None
            elif before is not None:
                before.add(offset)
        old = self.starts
        self.starts = {
            name: None if begins is None else frozenset(_with_tags(begins, self._tags))
            for name, begins in starts.items()
        }
        if self.starts != old:
            self._watched.change(MEMORY)


def _parts(type_: Type, value: Value | None, offset: int) -> Iterator[tuple[int | None, Type, Value]]:
    """Give the parts of an initial value that are not made of others, with where they are, where that is simple."""
    if not isinstance(value, tuple):
        if value is not None:
            yield offset, type_, value
        return
    for number, each in enumerate(value):
        match type_:
            case ArrayType(_, element):
                yield from _parts(element, each, offset + number * size_of(element))
            case StructType(fields):
                yield from _parts(fields[number], each, offset + field_offset(type_, number))
            case _:
                yield None, type_, each


def _with_tags(starts: set[int], tags: Set[tuple[str, int]]) -> set[int]:
    """Add the bytes that addresses may become as their lowest bits are set and cleared."""
    found, new = set(starts), set(starts)
    while new:
        new = {with_bits(each, operator, bits) for each in new for operator, bits in tags} - found
        found |= new
    return found
