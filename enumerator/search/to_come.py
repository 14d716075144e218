"""What threads may still write, as arrays for the kernels: rows of locations, and what these writes say of cycles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from enumerator.errors import LimitReached
from enumerator.events.kind import Kind
from enumerator.search.closing import Closing
from enumerator.search.cycles import Cycles, with_room
from enumerator.unfold.growing import Segment
from enumerator.unfold.later import Later
from enumerator.unfold.paths import Location

__all__ = ["MOST_CONSTANTS", "MOST_TOLD", "Row", "Rows"]

MOST_CONSTANTS = 63
"""A bit of a word for each; the last one stands for all other values."""

MOST_TOLD = 1 << 25
"""Of how many rows and locations together it is said what may be written, and how cycles may close."""

_NOTHING: frozenset[Later] = frozenset()
_Event = tuple[int, Location, int | None]


class Row(NamedTuple):
    """Writes that may come.

    Parameters
    ----------
    thread : int
        Whose they are; -1 where that is not asked.
    later : frozenset of Later or None
        Those in its code; None where these are not known.
    events : frozenset of (int, Location, int or None)
        Those that are unfolded already: the number of the kind, and the value where that is one of few constants.
    constant : int or None
        What all of them write, in a row that is a part of another one; None where that differs or is not known.
    """

    thread: int
    later: frozenset[Later] | None
    events: frozenset[_Event] = frozenset()
    constant: int | None = None

    @classmethod
    def of_segments(cls, segments: list[Segment]) -> Row:
        """Make a row of what a thread may write from where segments begin, which no execution may come to."""
        known = [each.later for each in segments if each.later is not None]
        new = (event for each in segments for event in each.events[each.first :])
        written = frozenset((0, event.location, None) for event in new if event.kind == "W" and event.location)
        return cls(-1, frozenset[Later]().union(*known) if len(known) == len(segments) else None, written)

    def parts(self) -> list[Row]:
        """Share the writes out by the constants that they write; none where there is no use in that."""
        later, events = defaultdict[int | None, set[Later]](set), defaultdict[int | None, set[_Event]](set)
        for each in self.later or ():
            later[each.constant].add(each)
        for event in self.events:
            events[event[2]].add(event)
        constants = [*dict.fromkeys((*later, *events))]
        if self.later is None or self.constant is not None or constants in ([], [None]):
            return []
        return [Row(self.thread, frozenset(later[each]), frozenset(events[each]), constant=each) for each in constants]


class _Code:
    """What is said of writes in the code, by which these are and by location; see :class:`Rows`."""

    def __init__(self) -> None:
        self.can_write = np.zeros((8, 8), dtype=np.uint8)
        self.expects, self.holds = np.full((8, 8), -1, dtype=np.int64), np.zeros((8, 8), dtype=np.uint64)

    def make_room(self, shape: tuple[int, int]) -> None:
        """Make room for so many of these and locations."""
        self.can_write = with_room(self.can_write, shape, 0)
        self.expects, self.holds = with_room(self.expects, shape, -1), with_room(self.holds, shape, 0)

    def copy(self, first: int, place: int) -> None:
        """Note of a location what is said of another one."""
        for each in (self.can_write, self.expects, self.holds):
            each[:, place] = each[:, first]

    def enter(self, codes: int | slice, places: int | slice, said: list[tuple[bool, int, int]]) -> None:
        """Note what is said of one and some locations, or of some and a location."""
        if said:
            can_write, holds, expects = zip(*said, strict=True)
            self.can_write[codes, places], self.expects[codes, places] = can_write, expects
            self.holds[codes, places] = np.array(holds, dtype=np.uint64)


class Rows:
    """All rows that have been asked for.

    Parameters
    ----------
    exchanges : bool
        Whether some compare-exchange expects a constant.

    Attributes
    ----------
    can_write : uint8 array, shape (rows, locations)
    cycles : int32 array, shape (rows, locations)
        The number of what the writes of a row to a location say of cycles.
    closing : uint8 array, shape (numbers, kinds)
        What that says of a cycle that a read of a kind is in (:mod:`.closing`), if there is such a read of the object.
    closing_exact : uint8 array, shape (numbers, kinds)
        The same where the read is known not to be that of a compare-exchange which ends otherwise.
    in_order : uint8 array, shape (numbers, kinds)
        Whether all events of a kind that are before such writes in their thread happen before them.
        All have more room than there are rows, locations, numbers and kinds.
    coherent : uint8 array, shape (numbers,)
        Whether coherence follows happens-before for all of these writes.
    share : int64 array, shape (rows,)
        The first of the shares that a row consists of, -1 for none.
    share_row, share_next : int64 arrays, shape (shares,)
        A row, and the next share, or -1.
    constant_of : int64 array, shape (rows,)
        The place among `constants` of what a row writes; -1 where that is not known.
    constants : list of int
        What rows write or expect: the first :data:`MOST_CONSTANTS` of these.
    expects : int64 array, shape (rows, locations)
        The place among `constants` of what all writes of a row to a location have to read; -1 if that is not known.
    holds : uint64 array, shape (rows, locations)
        What a row may write to a location: a bit for each constant, the last one for anything else. Like `expects`, it
        is only told where some compare-exchange expects a constant.
    """

    def __init__(self, exchanges: bool = False) -> None:
        self._exchanges = exchanges
        self.expects, self.holds = np.full((8, 8), -1, dtype=np.int64), np.zeros((8, 8), dtype=np.uint64)
        self._numbers: dict[Row, int] = {}
        self._rows: list[Row] = []
        self._unfolded: list[dict[Location, list[_Event]]] = []  # per row: what is unfolded, by location
        self._locations: list[Location] = []
        self.can_write = np.zeros((8, 8), dtype=np.uint8)
        self.cycles = np.zeros((8, 8), dtype=np.int32)
        self.share, self.constant_of = np.full(8, -1, dtype=np.int64), np.full(8, -1, dtype=np.int64)
        self.share_row, self.share_next = np.full(8, -1, dtype=np.int64), np.full(8, -1, dtype=np.int64)
        self._count = 0
        self.constants: list[int] = []
        self._place_of_constant: dict[int, int] = {}
        self._shared_out = 0
        self._codes: dict[frozenset[Later] | None, int] = {}
        self._code, self._of_code = _Code(), np.zeros(8, dtype=np.int64)
        self._writes: set[Later] = set()
        self._reaching: dict[Hashable, list[Later]] = {}  # those that may write to the same locations
        self._alike: dict[tuple[int, ...], int] = {}  # the first of locations of a size to which the same may write
        self._accessing: list[set[Later]] = []  # by location: those writes in the code that may access it
        self._told: dict[tuple[Later, int], tuple[int, int | None]] = {}  # by write and size: what is said of one there
        self._places: dict[Location, int] = {}
        self._written: dict[Location, list[int]] = {}  # rows with events that write to a location
        self._beyond: list[int] = []  # rows of which the location alone does not tell
        self._closing: Closing | None = None
        self._done = 0, 0
        self._said = Cycles()
        # By thread and what is still in the code: the numbers of what is said then; and of each row which that is.
        self._by_code = np.zeros((8, 8), dtype=np.int32)
        self._code_numbers: dict[tuple[int, int], int] = {}
        self._by_code_of = np.zeros(8, dtype=np.int64)
        self._done_by_code = 0

    @property
    def parts(self) -> tuple[object, ...]:
        """The arrays, in whose places others come where there is too little room."""
        shares = self.share, self.share_row, self.share_next, self.constant_of
        said = self.closing, self.closing_exact, self.in_order, self.coherent
        return self.can_write, self.cycles, *said, self.expects, self.holds, *shares

    @property
    def closing(self) -> NDArray[np.uint8]:
        return self._said.says

    @property
    def closing_exact(self) -> NDArray[np.uint8]:
        return self._said.says_exactly

    @property
    def in_order(self) -> NDArray[np.uint8]:
        return self._said.in_order

    @property
    def coherent(self) -> NDArray[np.uint8]:
        return self._said.coherent

    def add_read(self, location: Location, kind: int) -> None:
        """Note that there is a read of a kind."""
        self._said.add_read(location, kind)

    def number(self, row: Row) -> int:
        """Give the number of a row."""
        number = self._numbers.get(row)
        if number is None:
            number = self._numbers[row] = len(self._rows)
            count = len(self._locations)
            self._rows.append(row)
            if number == len(self.can_write):
                self._make_room()
            code = self._of_code[number] = self._code_of(row.later)
            if row.thread >= 0 and row.later is not None:
                by_code = self._code_numbers.setdefault((row.thread, code), len(self._code_numbers) + 1)
                self._by_code_of[number] = by_code
            self.can_write[number, :count] = self._code.can_write[code, :count]
            if self._exchanges:
                self.holds[number, :count] = self._code.holds[code, :count]
                self.expects[number, :count] = self._code.expects[code, :count]
            unfolded: dict[Location, list[_Event]] = {}
            for event in row.events:
                unfolded.setdefault(event[1], []).append(event)
            self._unfolded.append(unfolded)
            for location in unfolded:
                self._written.setdefault(location, []).append(number)
            places: Iterable[int] = [self._places[each] for each in unfolded if each in self._places]
            if row.constant is not None:
                self._beyond.append(number)
                places = {*places, *np.flatnonzero(self._code.can_write[code, :count]).tolist()}
            for place in places:
                self._enter(number, place)
        return number

    def add_location(self, location: Location) -> None:
        """Note the next location."""
        place, count = len(self._locations), len(self._rows)
        self._places[location] = place
        self._locations.append(location)
        if place == self.can_write.shape[1]:
            self._make_room()
        self._code.make_room((len(self._codes), place + 1))
        reaching = [group for group in self._reaching.values() if group[0].may_access(location)]
        alike = location.size, *(id(group) for group in reaching)
        first = self._alike.setdefault(alike, place)
        if first == place:
            self._accessing.append(set[Later]().union(*reaching))
            self._code.enter(slice(len(self._codes)), place, [self._said_of(later, place) for later in self._codes])
        else:
            self._accessing.append(set(self._accessing[first]))
            self._code.copy(first, place)
        codes = self._of_code[:count]
        self.can_write[:count, place] = self._code.can_write[codes, place]
        if self._exchanges:
            self.holds[:count, place] = self._code.holds[codes, place]
            self.expects[:count, place] = self._code.expects[codes, place]
        for number in (*self._written.get(location, ()), *self._beyond):
            self._enter(number, place)

    def _code_of(self, later: frozenset[Later] | None) -> int:
        """Number what is still in the code: most rows have the same."""
        code = self._codes.get(later)
        if code is None:
            code = self._codes[later] = len(self._codes)
            self._code.make_room((len(self._codes), len(self._locations)))
            new = set(later or ()) - self._writes
            self._writes |= new
            groups: dict[Hashable, list[Later]] = {}
            for each in new:
                groups.setdefault(each.reach, []).append(each)
            if not groups.keys() <= self._reaching.keys():
                self._alike.clear()
            for reach, group in groups.items():
                self._reaching.setdefault(reach, []).extend(group)
            count = len(self._locations)
            for place, location in enumerate(self._locations if new else ()):
                self._accessing[place].update(*(group for group in groups.values() if group[0].may_access(location)))
            self._code.enter(code, slice(count), [self._said_of(later, place) for place in range(count)])
        return code

    def _enter(self, number: int, place: int) -> None:
        """Say of a row and a location what more than the code says of them."""
        location, code = self._locations[place], int(self._of_code[number])
        may_write = bool(self._code.can_write[code, place])
        holds, expects = int(self._code.holds[code, place]), int(self._code.expects[code, place])
        for _, _, constant in self._unfolded[number].get(location, ()):
            may_write, expects = True, -1
            holds |= 1 << (-1 if constant is None else self._place_of(constant)) % 64
        self.can_write[number, place] = may_write
        if may_write and self._exchanges:
            self.holds[number, place], self.expects[number, place] = holds, expects
        if may_write and not self._fits(number, place):
            self.constant_of[number] = -1

    def _fits(self, number: int, place: int) -> bool:
        """Tell whether what a row writes to a location is its constant, if it has one."""
        row = self._rows[number]
        if row.constant is None:
            return True
        return all(each.fits(self._locations[place]) for each in self._accessing[place] & (row.later or _NOTHING))

    def _said_of(self, later: frozenset[Later] | None, place: int) -> tuple[bool, int, int]:
        """Tell what `can_write`, `holds` and `expects` say of writes in the code to a location."""
        if later is None:
            return True, 1 << 63, -1
        writes = later & self._accessing[place]
        holds, expects = 0, -1
        if self._exchanges and writes:
            told = {self._told_of(each, self._locations[place]) for each in writes}
            for bit, _ in told:
                holds |= bit
            expected = [*{each for _, each in told}]
            if len(expected) == 1 and expected[0] is not None:
                expects = self._place_of(expected[0])
        return bool(writes), holds, expects

    def _told_of(self, write: Later, location: Location) -> tuple[int, int | None]:
        """Give the bit of what a write in the code writes to a location, and what it has to read, if that is known."""
        key = write, location.size
        if key not in self._told:
            constant, expected = (write.constant, write.expected) if write.fits(location) else (None, None)
            self._told[key] = 1 << (-1 if constant is None else self._place_of(constant)) % 64, expected
        return self._told[key]

    def _make_room(self) -> None:
        """Make room for all rows and locations."""
        shape = len(self._rows), len(self._locations)
        self.can_write = with_room(self.can_write, shape, 0)
        if self._exchanges:
            self.expects, self.holds = with_room(self.expects, shape, -1), with_room(self.holds, shape, 0)
        rows = self.can_write.shape[:1]
        self.share, self.constant_of = (with_room(each, rows, -1) for each in (self.share, self.constant_of))
        self._of_code, self._by_code_of = (with_room(each, rows, 0) for each in (self._of_code, self._by_code_of))

    def share_out(self) -> None:
        """Share out the rows that have not been by the constants that they write."""
        for number in range(self._shared_out, len(self._rows)):
            for part in self._rows[number].parts():
                place = self.number(part)
                if part.constant is not None and all(self._fits(place, each) for each in self._written_by(place)):
                    self.constant_of[place] = self._place_of(part.constant)
                self.share_row = with_room(self.share_row, (self._count + 1,), -1)
                self.share_next = with_room(self.share_next, (self._count + 1,), -1)
                self.share_row[self._count], self.share_next[self._count] = place, self.share[number]
                self.share[number] = self._count
                self._count += 1
        self._shared_out = len(self._rows)

    def _written_by(self, number: int) -> list[int]:
        written: list[int] = np.flatnonzero(self.can_write[number, : len(self._locations)]).tolist()
        return written

    def has_place(self, constant: int) -> bool:
        """Tell whether a constant is one of `constants`, or becomes one."""
        return self._place_of(constant) >= 0

    def _place_of(self, constant: int) -> int:
        place = self._place_of_constant.get(constant, -1)
        if place < 0 and len(self.constants) < MOST_CONSTANTS:
            place = self._place_of_constant[constant] = len(self.constants)
            self.constants.append(constant)
        return place

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

        Raises
        ------
        LimitReached
            If that takes too much memory.
        """
        if closing is not self._closing:
            self._closing, self._done, self._done_by_code = closing, (0, 0), 0
            self._said.begin(closing)
        now, before = (len(self._rows), len(self._locations)), self._done
        new = self._said.extend(kinds)
        if now == before:
            return new
        if prod(now) > MOST_TOLD:
            raise LimitReached("it takes too much memory to list what threads may still write: they read addresses")
        self._done = now
        self._close_code(closing, kinds, before[1])
        self.cycles = with_room(self.cycles, now, 0)
        by_code = self._by_code_of[: now[0]]
        self.cycles[before[0] : now[0], : now[1]] = self._by_code[by_code[before[0] :], : now[1]]
        self.cycles[: before[0], before[1] : now[1]] = self._by_code[by_code[: before[0]], before[1] : now[1]]
        unfolded = [
            (number, self._places[accessed])
            for number, events in enumerate(self._unfolded[before[0] :], before[0])
            for accessed in events
            if accessed in self._places
        ]
        for place, location in enumerate(self._locations[before[1] :], before[1]):
            unfolded += [(number, place) for number in self._written.get(location, ()) if number < before[0]]
        for number, place in unfolded:
            if by_code[number]:
                self.cycles[number, place] = self._cycles_of(closing, number, place, kinds)
        return True

    def _close_code(self, closing: Closing, kinds: list[Kind], first: int) -> None:
        """Number what is said of the writes in the code, to locations from the first new one on."""
        count = len(self._locations)
        self._by_code = with_room(self._by_code, (len(self._code_numbers) + 1, count), 0)
        laters = list(self._codes)
        for (thread, code), number in self._code_numbers.items():
            later, begin = laters[code] or frozenset(), first if number <= self._done_by_code else 0
            if begin == count:
                continue
            for place in (np.flatnonzero(self._code.can_write[code, begin:count]) + begin).tolist():
                location = self._locations[place]
                writes = closing.written_by(thread, later & self._accessing[place], location)
                self._by_code[number, place] = self._said.number(thread, writes, location, kinds)
        self._done_by_code = len(self._code_numbers)

    def _cycles_of(self, closing: Closing, number: int, place: int, kinds: list[Kind]) -> int:
        """Number what the writes of a row to a location say of cycles, with those that are unfolded."""
        row, location = self._rows[number], self._locations[place]
        unfolded = self._unfolded[number].get(location, ())
        events = frozenset((kinds[kind], constant) for kind, _, constant in unfolded)
        later = (row.later or frozenset()) & self._accessing[place]
        writes = events | closing.written_by(row.thread, later, location)
        return self._said.number(row.thread, writes, location, kinds)
