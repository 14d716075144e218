"""Which addresses memory may hold, as the text of a test says: what a pointer that was read may point to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    AsyncCopy,
    EndCatch,
    Function,
    Load,
    ReadModifyWrite,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.values import Pointer, Value
from enumerator.unfold.carried import Carried, Cells, Starts, holds_address, stored_by
from enumerator.unfold.paths import Location
from enumerator.unfold.places import (
    ALIGNED,
    IN_MEMORY,
    MADE,
    MEMORY,
    Place,
    Places,
    is_marker,
    joined,
    places_of,
    pointers_in,
)
from enumerator.unfold.pointing import HANDLE, Pointing, accesses_of

__all__ = ["Known", "Stored", "handles_of", "may_reach", "stored_in"]


class Known(Protocol):
    """What :func:`may_reach` asks."""

    @property
    def handles(self) -> frozenset[str]:
        """The objects that stand for threads."""

    def may_be(self, place: Place, size: int | None, location: Location) -> bool:
        """Tell whether an access at what a marker stands for may be one of a location."""


@dataclass(frozen=True, eq=False)
class Stored:
    """The addresses that memory may hold; what calls take and return, and what threads are given, counts as memory.

    Parameters
    ----------
    starts : mapping of str to (frozenset of int or None)
        By object, the bytes whose addresses are stored; None: any. ``MADE`` stands for the objects that threads make.
    cells : mapping of str to (frozenset of (int, int) or None), or None
        By object, where addresses may be stored; None: anywhere.
    anything : bool
        Nothing is known.
    globals : frozenset of str
        The objects of the test's text.
    handles : frozenset of str
        The objects that stand for threads. A ``pthread_t`` is no address: only the library accesses these.
    contents : mapping of str to frozenset of (str, int or None)
        Of objects whose own addresses memory does not hold, so that only code which names them accesses them: the
        addresses that they may hold.
    given : mapping of (str, str) to (frozenset of (str, int or None) or None)
        By function and parameter where that may point; those that are not here may point where memory says.
    returned : mapping of str to (frozenset of (str, int or None) or None)
        The same of what functions return.
    """

    starts: Starts
    cells: Cells | None
    anything: bool
    globals: frozenset[str]
    handles: frozenset[str]
    contents: Mapping[str, frozenset[Place]]
    given: Mapping[tuple[str, str], Places]
    returned: Mapping[str, Places]

    def loaded_from(self, places: Places) -> Places:
        """Give the places that what is loaded at one of some places may point to."""
        if places is not None and all(name in self.contents for name, _ in places):
            return joined(self.contents[name] for name, _ in places)
        known = not self.anything and not holds_address(places, ALIGNED, self.cells, self.starts)
        return frozenset() if known else IN_MEMORY

    def may_be(self, place: Place, size: int | None, location: Location) -> bool:
        """Tell whether an access at what a marker stands for may be one of a location.

        Parameters
        ----------
        place : (str, int or None)
        size : int or None
            Of the access; None where it is to all of an object.
        location : Location

        Returns
        -------
        bool
        """
        name, distance = place
        if name != MEMORY:
            if not (location.object.startswith(name) or name == MADE):
                return False
            starts: frozenset[int] | None = frozenset({0})
        elif self.anything:
            return True
        elif location.object in self.globals:
            starts = self.starts.get(location.object, frozenset())
        elif MADE in location.object:
            starts = self.starts.get(MADE, frozenset())
        else:
            return True
        if starts is None or distance is None or size is None:
            return starts is None or bool(starts)
        return any(Location(location.object, start + distance, size).overlaps(location) for start in starts)


def may_reach(
    places: Places, size: int | None, location: Location, stored: Known | None, *, of_handle: bool = False
) -> bool:
    """Tell whether an access at one of some places may be one of a location.

    Parameters
    ----------
    places : frozenset of (str, int or None) or None
    size : int or None
        Of the access; None where it is to all of an object.
    location : Location
    stored : Stored, Text or None
        The addresses that memory may hold; None where that is not known.
    of_handle : bool
        Whether the access may be to an object that stands for a thread, as only some of the library are.

    Returns
    -------
    bool
    """
    if stored is not None and location.object in stored.handles and not of_handle:
        return False
    return places is None or any(
        stored is None or stored.may_be((name, offset), size, location)
        if is_marker(name)
        else name == location.object
        and (offset is None or size is None or Location(name, offset, size).overlaps(location))
        for name, offset in places
    )


def stored_in(functions: Iterable[Function], objects: Iterable[MemoryObject], threads: Iterable[Thread]) -> Stored:
    """Find the addresses that memory may hold.

    Parameters
    ----------
    functions : iterable of Function
    objects : iterable of MemoryObject
        Those of the test.
    threads : iterable of Thread

    Returns
    -------
    Stored
    """
    objects, functions, threads = list(objects), list(functions), list(threads)
    owners = _owners(threads)
    own = {name: frozenset((each, 0) for each in named) for name, named in owners.items()}
    carried, new = Carried(functions, objects, threads), True
    while new:
        looks = [(function, Pointing(function, own, carried)) for function in functions]
        new = carried.follow(looks)
    shown = frozenset(each.name for each in objects if not each.hidden)
    handles = handles_of(threads)
    closed = {each.name: each.initial for each in objects if carried.known and each.name not in carried.starts}
    contents = _contents(looks, closed, owners.values())
    given = {
        (function.name, name): carried.parameter(function.name, name)
        for function in functions
        for name in function.parameters
        if name != HANDLE or not function.library
    }
    returned = {function.name: carried.result(function.name) for function in functions}
    return Stored(carried.starts, carried.cells, not carried.known, shown, handles, contents, given, returned)


def handles_of(threads: Iterable[Thread]) -> frozenset[str]:
    """Name the objects that stand for threads which others create."""
    return frozenset(thread.handle for thread in threads if thread.creation is not None)


def _owners(threads: Iterable[Thread]) -> dict[str, dict[str, list[str]]]:
    """Give the objects that names in the text stand for, one for each thread or workgroup, with their threads."""
    found: dict[str, dict[str, list[str]]] = {}
    for thread in threads:
        for name, value in thread.properties:
            if isinstance(value, Pointer):
                found.setdefault(name, {}).setdefault(value.object, []).append(thread.name)
    return found


def _contents(
    looks: Iterable[tuple[Function, Pointing]],
    closed: Mapping[str, Value | None],
    owners: Iterable[Mapping[str, list[str]]],
) -> dict[str, frozenset[Place]]:
    """Give the addresses that objects may hold which code accesses by name alone, given the initial values of these."""
    found: dict[str, Places] = {
        name: frozenset() if value is None else frozenset(pointers_in(value)) for name, value in closed.items()
    }
    threads = {name: mine for named in owners for name, mine in named.items()}
    for function, look in looks:
        if any(isinstance(each, AsyncCopy | EndCatch) for each in function.instructions):
            return {}
        for access in accesses_of(function, look.contents):
            if not isinstance(access, Load):
                places = places_of(access.address, look.register)
                if places is None:
                    return {}
                value = places_of(stored_by(access), look.register)
                if isinstance(access, ReadModifyWrite) and access.operator != "xchg":
                    value = None
                for name, _ in places:
                    if name in found:
                        found[name] = joined((found[name], _made_by(value, threads.get(name, []))))
    return {name: places for name, places in found.items() if places is not None}


def _made_by(places: Places, threads: list[str]) -> Places:
    """Say of places in what a thread makes whose these are, if it is a single one that stores them."""
    if places is None or len(threads) != 1:
        return places
    return frozenset((threads[0] + MADE if name == MADE else name, offset) for name, offset in places)
