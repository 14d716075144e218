"""The events of threads that are unfolded step by step, and the locations that they access: arrays that grow.

Events, values and functions of values are numbers as in :mod:`enumerator.search.lower`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.errors import InputError
from enumerator.events import Kinds
from enumerator.events.relations import KEYS, LISTED
from enumerator.events.sets import names_of
from enumerator.events.table import KindTable
from enumerator.mmra import Profile
from enumerator.program.instructions import (
    CompareExchange,
    Constant,
    Ordering,
)  # fmt: skip
from enumerator.program.memory import parse_location
from enumerator.program.test import Test
from enumerator.program.values import Value
from enumerator.search import opcodes as op
from enumerator.search.flat import source_of, value_class
from enumerator.search.functions import Functions, Values
from enumerator.search.grown_symmetry import Groups
from enumerator.search.observed import Observed
from enumerator.search.passive import PassiveReads
from enumerator.search.to_come import Row, Rows
from enumerator.unfold import Unfolded
from enumerator.unfold.named import Named, named_among
from enumerator.unfold.paths import Known, Location, PathEvent
from enumerator.unfold.state import Shared
from enumerator.unfold.unfolder import initial_of

__all__ = ["LOWERED", "Columns", "GrownEvents", "LayoutChanged", "is_unsequenced"]

LOWERED = ("e_kind", "e_loc", "e_rmw", "e_instr", "e_vkind", "e_vdata", "e_type")
_EVENT = (
    *LOWERED,
    "may_be_undef",
    "passive",
    "decides",
    "half",
    "waits",
    "writer",
    "onward",
    "rest",
    "unsequenced",
    "idle",
)
_OTHERS = 1 << 30
"""Attributes that relations compare and that are no locations are numbered from here on."""


class LayoutChanged(Exception):
    """An access divides memory into other cells than those of accesses before: the search begins anew with these."""


class Columns:
    """Arrays of one length that grow together.

    Parameters
    ----------
    names : iterable of str
    """

    def __init__(self, names: Iterable[str], room: int = 64) -> None:
        self.length, self._room = 0, room
        self.arrays = {name: np.full(room, -1, dtype=np.int64) for name in names}
        self._views: list[Any] = [each.data for each in self.arrays.values()]  # quicker for single items

    def append(self, *row: int) -> bool:
        """Add a row; tell whether the arrays are others from now on."""
        grown = self.length == self._room
        if grown:
            self._widen()
        for view, value in zip(self._views, row, strict=True):
            view[self.length] = value
        self.length += 1
        return grown

    def extend(self, *columns: Sequence[int]) -> None:
        """Add rows, given by columns."""
        end = self.length + len(columns[0])
        while end > self._room:
            self._widen()
        for array, column in zip(self.arrays.values(), columns, strict=True):
            array[self.length : end] = column
        self.length = end

    def _widen(self) -> None:
        more = np.full(self._room, -1, dtype=np.int64)
        self.arrays = {name: np.concatenate([old, more]) for name, old in self.arrays.items()}
        self._views = [each.data for each in self.arrays.values()]
        self._room *= 2


def is_unsequenced(event: PathEvent) -> bool:
    """Tell whether an event may be in no program order with a later one of its thread."""
    return "ASYNC" in event.annotation.labels or bool(event.annotation.operands)


def apart_from(
    events: tuple[PathEvent, ...],
    reads: list[int],
    rests: tuple[frozenset[int], ...],
    first: int,
    settled: frozenset[int] | None,
) -> list[list[int]]:
    """Give for the accesses of a path, from an index on, those of some reads before each that writes may not depend on.

    These are, for a write, those that it does not depend on; for a read, those that neither it nor all writes after it
    depend on. `settled` are those that all writes after these events depend on; None where there are none.
    """
    found: list[list[int]] = [[] for _ in events[first:]]
    later = set[int]()  # the reads that some write after an access does not depend on
    if settled is not None:
        later.update(read for read in reads if read not in settled)
    for index in reversed(range(first, len(events))):
        apart = [read for read in reads if read < index and read not in rests[index]]
        if events[index].kind == "W":
            found[index - first] = apart
            later.update(apart)
        elif events[index].kind == "R":
            found[index - first] = [read for read in apart if read in later]
    return found


class GrownEvents:
    """The events and locations of a test, as far as its threads are unfolded.

    Parameters
    ----------
    test : Test
    profile : Profile
        Decides the effective tags.
    names : tuple of str
        The registers and locations whose final values are wanted.
    shared : Shared
    table : KindTable
        What is known of kinds from other tests.
    groups : Groups
        The symmetric threads.
    depend : bool
        Whether it matters on which reads events depend.

    Attributes
    ----------
    values : Values
    functions : Functions
    kinds : Kinds
        Of the events so far.
    rows : Rows
        What threads may still write.
    observed : Observed
    columns : Columns
        The events.
    locations : list of Location
        By number.
    accessed : set of Location
        Those that some event accesses.
    listed, compared : set of str
        Which relations that paths list, and which attributes, there are.
    """

    def __init__(
        self,
        test: Test,
        profile: Profile,
        names: tuple[str, ...],
        shared: Shared,
        table: KindTable,
        groups: Groups,
        *,
        depend: bool = True,
    ) -> None:
        self._test, self._shared, self._groups = test, shared, groups
        untold = () if depend else ("addr", "data", "ctrl")
        self._told = [(code, name) for code, name in enumerate(LISTED) if name not in untold]
        self.values = Values()
        self.functions = Functions(self.values, alike=True)
        self.kinds = Kinds(Unfolded(test, tuple(() for _ in test.threads), {}, {}), profile, table)
        parts = (part for function in test.functions.values() for part in function.instructions)
        self.rows = Rows(
            any(isinstance(each, CompareExchange) and isinstance(each.expected, Constant) for each in parts)
        )
        self.columns = Columns(_EVENT, 256)
        self.locations: list[Location] = []
        self.accessed: set[Location] = set()
        self.listed: set[str] = set()
        self.compared: set[str] = set()
        self._numbers: dict[object, int] = {}
        self._location_number: dict[Location, int] = {}
        self._keys = np.full((len(KEYS), 256), -1, dtype=np.int64)
        self._kind_of = np.zeros(256, dtype=np.int64)
        self._dependency_first = np.zeros(257, dtype=np.int64)
        self._dependencies = Columns(("kind", "source"), 256)
        self._apart_first, self._apart = np.zeros(257, dtype=np.int64), Columns(("read",), 256)
        self._initial = Columns(("value", "belongs"), 8)
        self._function_first = np.zeros(257, dtype=np.int64)
        self._function_reads, self._functions = Columns(("read",), 256), Columns(("start", "strict"), 256)
        self.observed = Observed(test, names, self._named)
        observed = [(-1, 0)] * len(self.observed.owners)
        for number, (location, _) in enumerate(self.observed.locations):
            if self.observed.owners[number] < 0:
                observed[number] = self.locate(location, None, accessed=False), number
        self.observed_location = np.array([place for place, _ in observed], dtype=np.int64)

    def add(
        self, thread: int, event: PathEvent, kind: int, half: int, apart: Sequence[int], *, supposed: bool = False
    ) -> int:
        """Add an event, and give its number; one that is only `supposed` belongs to no node, and serves no read."""
        number = self.columns.length
        vkind, vdata = op.V_NONE, 0
        if event.kind == "W" and event.value is not None:
            vkind, vdata = source_of(event.value, self.values, self.functions)
        place = -1 if event.location is None else self._location_number[event.location]
        read = -1 if event.rmw is None else event.rmw
        writer = -1
        if event.kind == "W" and event.location is not None and not supposed:
            written = frozenset({(kind, event.location, self.constant_of(event))})
            writer = self.rows.number(Row(thread, frozenset(), written))
        elif event.kind == "R" and event.location is not None:
            self.rows.add_read(event.location, kind)
        self.columns.append(
            "RWFB".index(event.kind),
            place,
            read,
            event.instruction,
            vkind,
            vdata,
            value_class(event),
            0,
            0,
            0,
            half,
            0,
            writer,
            -1,
            -1,
            int(is_unsequenced(event)),
            self.idleness(event, half != op.NO_HALF),
        )
        if number == len(self._kind_of) - len(self.locations):
            self._widen()
        self._kind_of[number] = kind
        self._enter_keys(number, event)
        for code, name in self._told:
            for source in sorted(event.newly if name == "ctrl" else event.listed(name)):
                self._dependencies.append(code, source)
                self.listed.add(name)
        self._dependency_first[number + 1] = self._dependencies.length
        self._apart.extend(apart)
        self._apart_first[number + 1] = self._apart.length
        return number

    def idleness(self, event: PathEvent, half: bool) -> int:
        """Tell what rests on what a read returns; `half`: whether it is of an update.

        Of updates only those are told that are relaxed: what others read decides more on what follows.
        """
        if not event.unused or event.whole is not None or is_unsequenced(event):
            return op.NOT_IDLE
        if half:
            return op.IDLE_UPDATE if event.annotation.ordering is Ordering.MONOTONIC else op.NOT_IDLE
        return op.IDLE

    @property
    def arrays(self) -> dict[str, NDArray[np.int64]]:
        """The events so far, for :class:`~enumerator.search.universe.Universe`."""
        count, places = self.columns.length, len(self.locations)
        chosen = np.concatenate([np.arange(count), np.arange(len(self._kind_of) - places, len(self._kind_of))])
        return {
            "kind_of": self._kind_of[chosen],
            "e_key": self._keys[:, chosen],
            "dep_first": self._dependency_first,
            "dep_kind": self._dependencies.arrays["kind"],
            "dep_source": self._dependencies.arrays["source"],
        }

    @property
    def count(self) -> int:
        """How many events there are so far."""
        return self.columns.length

    def constant_of(self, event: PathEvent) -> int | None:
        """Give the number that a write of a path writes, where it does not depend on any read and is one of few."""
        known = event.value.value if isinstance(event.value, Known) and event.whole is None else None
        return known if isinstance(known, int) and self.rows.has_place(known) else None

    def may_be_undef(self, *, any_read: bool = True) -> bool:
        """Tell whether some read may be undef; if not any, one that waits, or of a compare-exchange."""
        possible, half, waits = (self.columns.arrays[name][: self.count] for name in ("may_be_undef", "half", "waits"))
        wanted = any_read | (half == op.HALF_OF_ATTEMPT) | (waits > 0)
        return bool(((possible > 0) & wanted).any())

    def undef_may_decide(self) -> bool:
        """Tell whether a read that may be undef may decide how a thread goes on, by what has been met so far.

        That may be by way of others: they read what depends on it. All that a thread has read is taken to be in what
        it writes, where that depends on a read other than that of its own instruction.
        """
        columns = {name: column[: self.count] for name, column in self.columns.arrays.items()}
        thread = np.array([self.kinds.known[each].thread for each in self._kind_of[: self.count]], dtype=np.int64)
        depends = np.isin(columns["e_vkind"], (op.V_COPY, op.V_FUNCTION))
        reads, writes = (columns["e_kind"] == "RWFB".index(letter) for letter in "RW")
        found = reads & (columns["decides"] > 0)
        while True:
            sources = writes & np.isin(columns["e_loc"], columns["e_loc"][found])
            updated = np.isin(columns["e_loc"], columns["e_loc"][sources & (columns["e_rmw"] >= 0)])
            more = found | (reads & (updated & (columns["half"] != op.NO_HALF)))
            more |= reads & np.isin(thread, thread[sources & depends])
            if (more == found).all():
                return bool((found & (columns["may_be_undef"] > 0)).any())
            found = more

    def give_undef(self, possible: NDArray[np.bool_]) -> bool:
        """Note which events may be undef; tell whether some may that could not before."""
        column = self.columns.arrays["may_be_undef"][: len(possible)]
        new = bool((possible & (column == 0)).any())
        column[:] = possible
        return new

    def find_passive(self, passive: PassiveReads) -> None:
        """Find the reads that make no difference to which reads return undef, of those that may do so themselves.

        Parameters
        ----------
        passive : PassiveReads
        """
        undef, half, found = (self.columns.arrays[name] for name in ("may_be_undef", "half", "passive"))
        for each in np.flatnonzero((undef[: self.count] > 0) & (half[: self.count] == op.NO_HALF)).tolist():
            found[each] = passive.include(names_of(self.kinds.known[self.kind_of(each)]))

    def _enter_keys(self, column: int, event: PathEvent) -> None:
        for row, key in enumerate(KEYS):
            value = getattr(event, key)
            if value is None:
                continue
            if isinstance(value, Location):
                value = self._location_number[value]
            elif not isinstance(value, int):
                value = self._numbers.setdefault(value, _OTHERS + len(self._numbers))
            self._keys[row, column] = value
            self.compared.add(key)

    def _widen(self) -> None:
        """Make room for events; initial writes stand at the end, that of location l at -1 - l."""
        count, places = len(self._kind_of), len(self.locations)
        keys = np.full((len(KEYS), 2 * count), -1, dtype=np.int64)
        kinds = np.zeros(2 * count, dtype=np.int64)
        keys[:, : count - places], kinds[: count - places] = (
            self._keys[:, : count - places],
            self._kind_of[: count - places],
        )
        if places:
            keys[:, -places:], kinds[-places:] = self._keys[:, -places:], self._kind_of[-places:]
        self._keys, self._kind_of = keys, kinds
        self._dependency_first = np.concatenate([self._dependency_first, np.zeros(count, dtype=np.int64)])
        self._apart_first = np.concatenate([self._apart_first, np.zeros(count, dtype=np.int64)])

    def locate(self, location: Location, line: int | None, *, accessed: bool = True) -> int:
        """Number a location. All accesses of it must agree, and none may overlap it partly.

        Raises
        ------
        LayoutChanged
            Otherwise.
        """
        if accessed and self._shared.layout.changed:
            raise LayoutChanged
        number = self._location_number.get(location)
        if number is not None and (location in self.accessed or not accessed):
            return number
        if accessed and any(
            named.location.overlaps(location) and not self._is_shown_by(location, named)
            for named in self.observed.named
        ):
            raise LayoutChanged
        try:
            initial = self._initially(location, accessed)
        except InputError as error:
            raise InputError(error.message, self._test.path, line) from None
        if number is not None:
            self.accessed.add(location)
            self._initial.arrays["value"][number] = self.values.number(initial)
            return number
        if accessed:
            self.accessed.add(location)
        if self.columns.length >= len(self._kind_of) - len(self.locations) - 1:
            self._widen()
        self.kinds.spaces.setdefault(location.object, self._shared.objects[location.object].address_space)
        number = self._location_number[location] = len(self.locations)
        self.locations.append(location)
        self._initial.append(self.values.number(initial), self._groups.belongs(location))
        self._kind_of[-1 - number] = self.kinds.of_initial(location)
        self._enter_keys(-1 - number, self.kinds.initial_write(location))
        self.rows.add_location(location)
        return number

    def kind_of(self, number: int) -> int:
        """Give the number of the kind of an event."""
        return int(self._kind_of[number])

    def initial(self, location: Location) -> Value:
        """Give what a location that is known holds at the beginning."""
        return self.values.value(int(self._initial.arrays["value"][self._location_number[location]]))

    @property
    def lowered(self) -> dict[str, NDArray[np.int64]]:
        """Fields of :class:`~enumerator.search.layout.Paths`, as they are now."""
        return {
            **{name: self.columns.arrays[name] for name in LOWERED},
            "e_whole": self._keys[KEYS.index("whole")],
            "e_key": self._keys,
            "kind_of": self._kind_of,
            "dep_first": self._dependency_first,
            "dep_kind": self._dependencies.arrays["kind"],
            "dep_source": self._dependencies.arrays["source"],
            "loc_value": self._initial.arrays["value"],
            "f_first": self._function_first,
            "f_reads": self._function_reads.arrays["read"],
            "f_start": self._functions.arrays["start"],
            "f_strict": self._functions.arrays["strict"],
        }

    @property
    def parts(self) -> tuple[object, ...]:
        """What others take the place of where there was too little room in arrays for what has come since."""
        self._add_functions()
        parts = self.columns, self._dependencies, self._apart, self._initial, self._function_reads, self._functions
        widened = self._keys, self._kind_of, self._dependency_first, self._apart_first, self._function_first
        return (*(each.arrays for each in parts), *widened)

    def _add_functions(self) -> None:
        """Lay out the functions that are new."""
        functions, count = self.functions, self._functions.length
        for number in range(count, len(functions.reads)):
            self._function_reads.extend(functions.reads[number])
            self._functions.append(functions.starts[number], functions.strict[number])
            if self._functions.length == len(self._function_first):
                self._function_first = np.concatenate([self._function_first, np.zeros_like(self._function_first)])
            self._function_first[self._functions.length] = self._function_reads.length

    @property
    def asked_ahead(self) -> dict[str, NDArray[np.int64]]:
        """Fields of :class:`~enumerator.search.layout.Tries` that are about events, as they are now."""
        events = self.columns.arrays
        return {
            **{name: events[name] for name in _EVENT if name not in LOWERED},
            "apart_first": self._apart_first,
            "apart_reads": self._apart.arrays["read"],
            "belongs": self._initial.arrays["belongs"],
        }

    def _initially(self, location: Location, accessed: bool) -> Value:
        """Give what a location holds at the beginning: of the type of its accesses, or of its object."""
        layout = self._shared.layout
        if accessed or location in layout.accessed(location.object):
            return initial_of(self._shared.objects, layout, self._shared.big, location)
        return Named(self._shared.objects[location.object], location, (), (), self._shared.big).initial()

    def _is_shown_by(self, location: Location, named: Named) -> bool:
        """Tell whether an access is of a cell of what a name stands for, or of all of it, and of the type shown."""
        if location in named.cells:
            return True
        whole = replace(named, cells=(location,), types=(self._shared.layout.type_of(location),))
        return location == named.location and whole.plain

    def _named(self, name: str) -> Named:
        """Give the cells of a location that are known to be accessed."""
        layout = self._shared.layout
        place = parse_location(name, self._test.objects)[0]
        return named_among(layout.accessed(place), layout.type_of, self._test, name)
