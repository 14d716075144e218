"""What threads may still write, as arrays for the kernels: rows of locations, and what these writes say of cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from enumerator.events.kind import Kind
from enumerator.search.closing import FREE, Closing
from enumerator.unfold.growing import Segment
from enumerator.unfold.later import Later, writes_to_come
from enumerator.unfold.paths import Location

__all__ = ["Row", "Rows"]

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """Writes that may come.

    Parameters
    ----------
    thread : int
        Whose they are; -1 where only the objects are known.
    later : frozenset of Later or None
        Those in its code; None where these are not known.
    events : frozenset of (int, Location)
        Those that are unfolded already, by the number of their kind.
    objects : frozenset of str
        What is written besides.
    """

    thread: int
    later: frozenset[Later] | None
    events: frozenset[tuple[int, Location]] = frozenset()
    objects: frozenset[str] = _NONE

    @classmethod
    def of_objects(cls, objects: frozenset[str] | None) -> Row:
        """Make a row of objects; None for any."""
        return cls(-1, None) if objects is None else cls(-1, frozenset(), objects=objects)

    @classmethod
    def of_segments(cls, segments: list[Segment]) -> Row:
        """Make a row of what a thread may write from where segments begin, which no execution may come to."""
        later = [writes_to_come(each.state) if each.fork is not None else frozenset[Later]() for each in segments]
        known = [each for each in later if each is not None]
        new = (event for each in segments for event in each.events[each.first :])
        written = frozenset((0, event.location) for event in new if event.kind == "W" and event.location)
        return cls(-1, frozenset[Later]().union(*known) if len(known) == len(later) else None, written)

    def may_write(self, location: Location) -> bool:
        """Tell whether a location may be written."""
        return (
            self.later is None
            or location.object in self.objects
            or any(place == location for _, place in self.events)
            or any(each.may_access(location) for each in self.later)
        )


class Rows:
    """All rows that have been asked for.

    Attributes
    ----------
    can_write : uint8 array, shape (rows, locations)
    closing : uint8 array, shape (rows, locations, kinds)
        What the writes of a row to a location say of a cycle that a read of a kind is in (:mod:`.closing`).
    closing_exact : uint8 array, shape (rows, locations, kinds)
        The same where the read is known not to be that of a compare-exchange which ends otherwise.
        All have more room than there are rows, locations and kinds.
    """

    def __init__(self) -> None:
        self._numbers: dict[Row, int] = {}
        self._rows: list[Row] = []
        self._locations: list[Location] = []
        self.can_write = np.zeros((8, 8), dtype=np.uint8)
        self.closing = np.full((8, 8, 8), FREE, dtype=np.uint8)
        self.closing_exact = self.closing.copy()
        self._closing: Closing | None = None
        self._done = 0, 0, 0
        self._said: dict[tuple[int, frozenset[Kind], str], tuple[list[int], list[int]]] = {}

    def number(self, row: Row) -> int:
        """Give the number of a row."""
        if row not in self._numbers:
            number = self._numbers[row] = len(self._rows)
            self._rows.append(row)
            self.can_write = _with_room(self.can_write, (len(self._rows), len(self._locations)), 0)
            for place, location in enumerate(self._locations):
                self.can_write[number, place] = row.may_write(location)
        return self._numbers[row]

    def add_location(self, location: Location) -> None:
        """Note the next location."""
        self._locations.append(location)
        self.can_write = _with_room(self.can_write, (len(self._rows), len(self._locations)), 0)
        for number, row in enumerate(self._rows):
            self.can_write[number, len(self._locations) - 1] = row.may_write(location)

    def close(self, closing: Closing, kinds: list[Kind]) -> bool:
        """Say of all rows how cycles may close; tell whether there was anything new.

        Parameters
        ----------
        closing : Closing
        kinds : list of Kind
            Those that there are so far.

        Returns
        -------
        bool
        """
        if closing is not self._closing:
            self._closing, self._done = closing, (0, 0, 0)
            self._said.clear()
            self.closing[:] = self.closing_exact[:] = FREE
        now, before = (len(self._rows), len(self._locations), len(kinds)), self._done
        if now == before:
            return False
        self.closing = _with_room(self.closing, now, FREE)
        self.closing_exact = _with_room(self.closing_exact, now, FREE)
        self._done = now
        written = self.can_write[: now[0], : now[1]].copy()
        if now[2] == before[2]:
            written[: before[0], : before[1]] = 0  # has been said
        for number, place in np.argwhere(written).tolist():
            row, location = self._rows[number], self._locations[place]
            if row.thread < 0 or row.later is None:
                continue
            writes = closing.kinds_of(row.thread, row.later, location)
            writes |= {kinds[kind] for kind, accessed in row.events if accessed == location}
            self.closing[number, place, : now[2]], self.closing_exact[number, place, : now[2]] = self._say(
                closing, row.thread, writes, location, kinds
            )
        return True

    def _say(
        self, closing: Closing, thread: int, writes: frozenset[Kind], location: Location, kinds: list[Kind]
    ) -> tuple[list[int], list[int]]:
        """Give what writes of a thread say of a cycle, for each kind of a read; most rows have the same writes."""
        found, exact = self._said.setdefault((thread, writes, location.object), ([], []))
        for read in kinds[len(found) :]:
            serves = read.letter == "R" and read.thread is not None and read.thread != thread
            found.append(closing.says(writes, read, location) if serves else FREE)
            exact.append(closing.says(writes, read, location, exact=True) if serves else FREE)
        return found, exact


def _with_room(array: NDArray[np.uint8], shape: tuple[int, ...], fill: int) -> NDArray[np.uint8]:
    """Give an array with room for a shape, with what it holds."""
    if all(size <= room for size, room in zip(shape, array.shape, strict=True)):
        return array
    larger = np.full(tuple(max(room, 2 * size) for size, room in zip(shape, array.shape, strict=True)), fill, np.uint8)
    larger[tuple(map(slice, array.shape))] = array
    return larger
