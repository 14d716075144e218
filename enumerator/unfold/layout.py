"""How the accesses of a test divide memory: into cells, the unit of reads-from, coherence and races.

A cell is a part of an object that each access covers as a whole or not at all (semantics, section 8). Where all
accesses of an object agree there is one for each location, and it holds values of the type that they have. A cell that
accesses of several types cover, or that is a part of some access, holds bytes (:mod:`enumerator.program.bytes`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence

from enumerator.program.types import BytesType, PointerType, Type
from enumerator.unfold.paths import Location

__all__ = ["Layout", "site_of"]

_MOST_ELEMENTS, _SEEN_AGAIN, _MOST_DOUBLED = 64, 4, 4
"""Elements that an array is taken to have at first, as each is an event of what covers all of them; twice as many each
time that so many unfoldings have met another one, so many times."""

_NUMBER = re.compile(r"[.#]\d+")


class _Object:
    """The accesses of one object, by offset and size; and where cells of it begin, if some of them overlap partly."""

    __slots__ = ("accesses", "bounds", "cells", "ends", "starts")

    def __init__(self) -> None:
        self.accesses: dict[tuple[int, int], Type | None] = {}  # None: of several types, or of bytes
        self.cells: dict[Location, tuple[Location, ...]] = {}
        self.starts: list[int] = []  # of accesses, sorted, and
        self.ends: dict[int, int] = {}  # their ends; while none of them overlap
        self.bounds: list[int] | None = None  # of accesses, sorted; as soon as some overlap

    def copy(self) -> _Object:
        twin = _Object()
        twin.accesses, twin.cells, twin.ends = dict(self.accesses), dict(self.cells), dict(self.ends)
        twin.starts, twin.bounds = list(self.starts), None if self.bounds is None else list(self.bounds)
        return twin


def site_of(name: str) -> str:
    """Tell where an object is made, if a thread makes it: threads that run one function, and repeated calls, alike.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
        The same for objects that are made alike; the name of one that the test has.
    """
    return _NUMBER.sub("", name) if ":%" in name else name


def _site(name: str) -> str | None:
    return site_of(name) if ":%" in name else None


def _with_elements(name: str, known: _Object, most: int) -> _Object:
    """Copy what is known of an object, and add the elements that larger accesses cover, if these are not too many."""
    layout = Layout()
    twin = layout._objects[name] = known.copy()
    for (offset, size), type_ in known.accesses.items():
        for begin, whole in known.accesses:
            count, over = divmod(whole, size)
            if not over and 1 < count <= most and (offset - begin) % size == 0 and begin <= offset < begin + whole:
                for place in range(begin, begin + whole, size):
                    if (place, size) not in twin.accesses:
                        twin.accesses[place, size] = type_
                        layout._divide(twin, Location(name, place, size))
    return twin


class Layout:
    """The cells that the accesses met so far cover.

    Parameters
    ----------
    holds : callable, optional
        Tells whether a location holds a value of a type at the beginning; else it holds bytes.
    size : callable, optional
        Gives the size of an object, in bytes: guesses of how it is accessed end there.

    Attributes
    ----------
    changed : bool
        Accesses that were met before now have other cells, or hold bytes instead of values of a type; or an object that
        ends has more cells, all of which its end writes.

    Examples
    --------
    >>> from enumerator.program.types import IntType
    >>> layout = Layout()
    >>> word, half = Location("@x", 0, 4), Location("@x", 2, 2)
    >>> layout.cells(word, IntType(32)), layout.type_of(word)
    ((Location(object='@x', offset=0, size=4),), IntType(width=32))
    >>> layout.cells(half, IntType(16))[0] == half, layout.changed, len(layout.cells(word, IntType(32)))
    (True, True, 2)
    """

    def __init__(
        self,
        holds: Callable[[Location, Type], bool] = lambda location, type_: True,
        size: Callable[[str], int] = lambda name: 0,
    ) -> None:
        self._objects: dict[str, _Object] = {}
        self._ended: set[str] = set()
        self._made: dict[str, dict[tuple[int, int], Type | None]] = {}  # by where objects are made, their accesses
        self._guessed: dict[str, set[tuple[int, int]]] = {}  # by object, what it begins with and nobody has accessed
        self._holds, self._size = holds, size
        self.changed = False

    def copy(self) -> Layout:
        """Copy the layout."""
        twin = Layout(self._holds, self._size)
        twin._objects = {name: known.copy() for name, known in self._objects.items()}
        twin._ended, twin._made, twin.changed = set(self._ended), self._made, self.changed
        twin._guessed = {name: set(keys) for name, keys in self._guessed.items()}
        return twin

    def of(self, other: Layout, again: int = 0) -> Layout:
        """Copy the layout for another unfolding of the test, whose objects hold what another layout says.

        Objects that are made at one place of the code are most likely accessed alike: each has the accesses of all of
        them. So are the elements of an array, of which some access covers several and another one covers one; of a long
        array that is to be seen, by how often the test has been unfolded `again`.
        """
        most = _MOST_ELEMENTS << min(again // _SEEN_AGAIN, _MOST_DOUBLED)
        twin = self.copy()
        twin._holds, twin._made = other._holds, {}
        for name, known in self._objects.items():
            if known.bounds is not None:
                known = twin._objects[name] = _with_elements(name, known, most)
            if (site := _site(name)) is not None:
                accesses = twin._made.setdefault(site, {})
                for key, type_ in known.accesses.items():
                    accesses[key] = type_ if accesses.get(key, type_) == type_ else None
        for name, known in self._objects.items():
            if _site(name) is not None:
                twin._objects[name] = twin._new(name)
            accessed = known.accesses.keys() - self._guessed.get(name, set())
            twin._guessed[name] = {*twin._objects[name].accesses} - accessed
        twin._size = other._size  # the other one has not met these objects yet
        return twin

    def exact(self, other: Layout) -> Layout:
        """Copy the layout as :meth:`of` does, with what has been accessed alone."""
        twin = Layout(other._holds, other._size)
        twin._ended = set(self._ended)
        for name, known in self._objects.items():
            exact = twin._objects[name] = _Object()
            for (offset, size), type_ in known.accesses.items():
                if (offset, size) not in self._guessed.get(name, ()):
                    exact.accesses[offset, size] = type_
                    twin._divide(exact, Location(name, offset, size))
        twin.changed = False
        return twin

    def guessed(self) -> set[Location]:
        """Give the cells of what objects begin with that nobody has accessed, if they are others without that."""
        if not any(self._guessed.values()):
            return set()
        exact = self.exact(self)
        return {
            cell
            for name, keys in self._guessed.items()
            if keys and not self._is_divided_alike(exact, name)
            for offset, size in keys
            for cell in self._cells(self._objects[name], Location(name, offset, size))
        }

    def _is_divided_alike(self, other: Layout, name: str) -> bool:
        """Tell whether another layout of the same accesses, or of some, has the same cells of an object."""
        mine, others = ({cell: each.type_of(cell) for cell in each.accessed(name)} for each in (self, other))
        return mine == others

    def beyond(self, before: Layout) -> list[tuple[Location, Type | None]] | None:
        """Give what has been accessed since a copy was made, and as what; None where that has more consequences."""
        if self.changed or self._ended != before._ended:
            return None
        found = []
        for name, known in self._objects.items():
            old = before._objects.get(name)
            count = 0 if old is None else len(old.accesses)
            if count < len(known.accesses):
                if known.bounds is not None or self._guessed.get(name):
                    return None
                new = [*known.accesses.items()][count:]
                found += [(Location(name, offset, size), type_) for (offset, size), type_ in new]
        return found

    def take(self, accesses: Sequence[tuple[Location, Type | None]]) -> bool:
        """Note what :meth:`beyond` gave, if that changes nothing else; tell whether it does not."""
        new = []
        for location, type_ in accesses:
            known = self._objects.get(location.object)
            if known is None:
                known = self._objects[location.object] = self._new(location.object)
            held = known.accesses.get((location.offset, location.size), type_)
            if held != type_ or known.bounds is not None or location.object in self._ended:
                return False
            if (location.offset, location.size) not in known.accesses:
                if any(self._overlaps(known, location)):
                    return False
                new.append((known, location, type_))
        for known, location, type_ in new:
            known.accesses[location.offset, location.size] = type_
            self._divide(known, location)
        return True

    def cells(self, location: Location, accessed_as: Type) -> tuple[Location, ...]:
        """Note an access, and give the cells that it covers, in the order of addresses.

        Parameters
        ----------
        location : Location
            What is accessed.
        accessed_as : Type
            As what.

        Returns
        -------
        tuple of Location
        """
        known = self._objects.get(location.object)
        if known is None:
            known = self._objects[location.object] = self._new(location.object)
        key = location.offset, location.size
        type_: Type | None = accessed_as
        if isinstance(accessed_as, PointerType):
            type_ = PointerType()
        elif isinstance(accessed_as, BytesType):
            type_ = None
        if (guessed := self._guessed.get(location.object)) is not None:
            guessed.discard(key)
        if key not in known.accesses:
            known.accesses[key] = type_ if type_ is not None and self._holds(location, accessed_as) else None
            self._divide(known, location)
            self.changed |= location.object in self._ended
        elif known.accesses[key] is not None and known.accesses[key] != type_:
            known.accesses[key] = None
            self.changed = True
        found = known.cells.get(location)
        if found is None:
            found = known.cells[location] = self._cells(known, location)
        return found

    def type_of(self, cell: Location) -> Type | None:
        """Give the type of the values that a cell holds; None if it holds bytes."""
        known = self._objects.get(cell.object)
        if known is None or len(known.cells.get(cell, (cell,))) > 1:
            return None
        if known.bounds is not None and self._is_part(known, cell):
            return None
        return known.accesses.get((cell.offset, cell.size))

    def end(self, name: str) -> list[Location]:
        """Note that an object ends; give its cells that are accessed, sorted."""
        self._ended.add(name)
        return self.accessed(name)

    def accessed(self, name: str) -> list[Location]:
        """Give the cells of an object that are accessed, sorted."""
        known = self._objects.get(name)
        if known is None:
            return []
        return sorted(
            {cell for offset, size in known.accesses for cell in self._cells(known, Location(name, offset, size))}
        )

    def _new(self, name: str) -> _Object:
        """Give what is known of an object that has not been accessed."""
        known, site = _Object(), _site(name)
        for (offset, size), type_ in self._made.get(site or "", {}).items():
            location, before = Location(name, offset, size), self.changed
            if offset + size > self._size(name):
                continue
            known.accesses[offset, size] = type_
            self._divide(known, location)
            self.changed = before  # nothing has been said of it
        if known.accesses:
            self._guessed[name] = {*known.accesses}
        return known

    def _divide(self, known: _Object, location: Location) -> None:
        """Take account of a new access."""
        begin, end = location.offset, location.offset + location.size
        if known.bounds is None:
            if not any(self._overlaps(known, location)):
                insort(known.starts, begin)
                known.ends[begin] = end
                return
            known.bounds = sorted({place for start, size in known.accesses for place in (start, start + size)})
        elif begin in known.bounds and end in known.bounds and len(self._cells(known, location)) == 1:
            if not self._is_part(known, location):
                return  # it lies where there was nothing yet
        else:
            known.bounds = sorted({*known.bounds, begin, end})
        known.cells.clear()
        self.changed = True

    @staticmethod
    def _overlaps(known: _Object, location: Location) -> Iterator[bool]:
        """Tell of the neighbours of a location, while no accesses of the object overlap, whether it overlaps them."""
        begin, end = location.offset, location.offset + location.size
        place = bisect_left(known.starts, begin)
        for start in known.starts[max(place - 1, 0) : place + 1]:
            yield start < end and begin < known.ends[start]

    @staticmethod
    def _cells(known: _Object, location: Location) -> tuple[Location, ...]:
        if known.bounds is None:
            return (location,)
        begin, end = location.offset, location.offset + location.size
        inside = known.bounds[bisect_right(known.bounds, begin) : bisect_left(known.bounds, end)]
        places = [begin, *inside, end]
        return tuple(Location(location.object, low, high - low) for low, high in zip(places, places[1:], strict=False))

    @staticmethod
    def _is_part(known: _Object, cell: Location) -> bool:
        """Tell whether a cell is a part of a larger access."""
        return any(
            start <= cell.offset and cell.offset + cell.size <= start + size and size > cell.size
            for start, size in known.accesses
        )
