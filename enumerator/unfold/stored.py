"""Which addresses memory may hold, as the text of a test says: what a pointer that was read may point to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from operator import is_
from typing import Protocol

from enumerator.program.instructions import Alloca, Allocate, Function
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import Type
from enumerator.program.values import Pointer
from enumerator.unfold.carried import Carried
from enumerator.unfold.paths import Location
from enumerator.unfold.places import (
    ALIGNED,
    ANY,
    MADE,
    MEMORY,
    Place,
    Places,
    is_marker,
    joined,
    made_at,
    site_in,
)
from enumerator.unfold.pointing import HANDLE, Pointing

__all__ = ["Known", "Stored", "handles_of", "may_reach", "stored_in"]


class Known(Protocol):
    """What :func:`may_reach` asks."""

    @property
    def handles(self) -> frozenset[str]:
        """The objects that stand for threads."""

    def may_be(self, place: Place, size: int | None, location: Location) -> bool:
        """Tell whether an access at what a marker stands for may be one of a location."""


class Stored:
    """The addresses that memory may hold; what threads are given and return counts as memory.

    Parameters
    ----------
    carried : Carried
        What the text says of addresses.
    looks : mapping of str to Pointing
        By function, what its registers may point to.
    globals : frozenset of str
        The objects of the test's text.
    handles : frozenset of str
        The objects that stand for threads. A ``pthread_t`` is no address: only the library accesses these.

    Attributes
    ----------
    starts : mapping of str to (frozenset of int or None)
        By object, the bytes whose addresses are stored; None: any.
    anything : bool
        Nothing is known.
    given : mapping of (str, str) to (frozenset of (str, int or None) or None)
        By function and parameter, where that may point.
    returned : mapping of str to (frozenset of (str, int or None) or None)
        The same of what functions return.
    """

    def __init__(
        self, carried: Carried, looks: Mapping[str, Pointing], globals: frozenset[str], handles: frozenset[str]
    ) -> None:
        self._carried, self._held, self._globals, self.handles = carried, carried.held, globals, handles
        self.starts, self.anything = self._held.starts, not self._held.known
        self._looks = looks
        self.given = {
            (function.name, name): carried.parameter(function.name, name)
            for function in carried.functions.values()
            for name in function.parameters
            if name != HANDLE or not function.library
        }
        self.returned = {name: carried.result(name) for name in carried.functions}
        self._loaded: dict[tuple[Places, int, bool], Places] = {}
        self._made_in: dict[str, tuple[str, ...]] = {}

    def loaded_from(self, places: Places, size: int = ALIGNED, function: str = "") -> Places:
        """Give the places that what a function loads at one of some places may point to.

        Parameters
        ----------
        places : frozenset of (str, int or None) or None
        size : int
            In bytes, of what is loaded.
        function : str

        Returns
        -------
        frozenset of (str, int or None) or None
        """
        asked = places, size, function in self._carried.of_handles
        if asked not in self._loaded:
            self._loaded[asked] = self._load(*asked)
        return self._loaded[asked]

    def _load(self, places: Places, size: int, handed: bool) -> Places:
        if places is not None:
            handed = handed or any(name in self.handles for name, _ in places)
            if any(MADE in name and not is_marker(name) for name, _ in places):
                named = [(self._named(name), offset) for name, offset in places]
                known = all(sites for sites, _ in named)
                places = frozenset((site, offset) for sites, offset in named for site in sites) if known else None
        found = self._held.load(places, size)
        return joined((found, self._carried.handed)) if handed else found

    def returned_through(self, callee: Places, types: tuple[Type, ...]) -> Places:
        """Give the places that what a call through a pointer returns may point to."""
        return self._carried.result_through(callee, types)

    def narrowed(self, places: Places, function: str, register: str) -> Places:
        """Say of places anywhere in objects where in these a register points, as far as the whole text tells.

        Parameters
        ----------
        places : frozenset of (str, int or None) or None
            Those of the register, as far as some code tells.
        function : str
            The function that has the register.
        register : str

        Returns
        -------
        frozenset of (str, int or None) or None
        """
        look = self._looks.get(function)
        told = None if look is None else look.register(register)
        if places is None or told is None or all(name != MEMORY and offset is not None for name, offset in places):
            return places
        if any(name == MEMORY for name, _ in (*told, *places)):
            return places
        offsets: dict[str, set[int | None]] = {}
        for name, offset in told:
            offsets.setdefault(site_in(name) if MADE in name else name, set()).add(offset)
        found: set[Place] = set()
        for name, offset in places:
            named = self._named(name)
            if offset is not None or name in self.handles or not named:
                found.add((name, offset))
            else:
                found.update((name, each) for one in named for each in offsets.get(one, ()))
        return frozenset(found)

    def _named(self, name: str) -> tuple[str, ...]:
        """Name an object by where it is made (:func:`made_at`), if a thread makes it: all places where that may be."""
        if MADE not in name:
            return (name,)
        return (site_in(name),) if is_marker(name) else self._made(name)

    @cached_property
    def _sites(self) -> dict[str, tuple[str, str]]:
        """The places in the code where objects are made, each with the register, and how these are named in a thread.

        How is a regular expression: few of them are ever needed.
        """
        found = {}
        for name, function in self._carried.functions.items():
            frame = f"({re.escape(name)}\\.[0-9]+|begin|end|destroy)\\."
            prefix = f"({frame})?" if name in self._carried.roots else frame
            for each in function.instructions:
                if isinstance(each, Alloca | Allocate):
                    found[made_at(name, each.target)] = each.target, f"{prefix}{re.escape(each.target)}(#.*)?"
        return found

    def _made(self, name: str) -> tuple[str, ...]:
        """Name the places in the code where an object may have been made."""
        found = self._made_in.get(name)
        if found is None:
            own = name[name.index(MADE) + len(MADE) :]
            found = tuple(
                site
                for site, (register, pattern) in self._sites.items()
                if register in own and re.fullmatch(pattern, own, re.DOTALL)
            )
            self._made_in[name] = found
        return found

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
        begins: list[frozenset[int] | None] = [frozenset({0})]
        if name != MEMORY:
            thread, made = name[: name.index(MADE)], MADE in location.object
            if not made or (thread not in ("", ANY) and not location.object.startswith(thread + MADE)):
                return False
            if site_in(name) not in (self._made(location.object) or (site_in(name),)):
                return False
        elif self.anything:
            return True
        elif location.object in self._globals:
            begins = [self.starts.get(location.object, frozenset())]
        elif MADE in location.object and self._made(location.object):
            begins = [self.starts.get(site, frozenset()) for site in self._made(location.object)]
        else:
            return True
        return any(_may_overlap(starts, distance, size, location) for starts in begins)


def _may_overlap(starts: frozenset[int] | None, distance: int | None, size: int | None, location: Location) -> bool:
    """Tell whether an access some bytes behind one of some bytes of a location's object may be to the location."""
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


_Asked = tuple[tuple[Function, ...], tuple[MemoryObject, ...], tuple[Thread, ...]]
_LAST: list[tuple[_Asked, Stored]] = []
"""What was found last: threads are sought in a program more than once, and then it is checked."""


def stored_in(functions: Iterable[Function], objects: Iterable[MemoryObject], threads: Iterable[Thread]) -> Stored:
    """Find the addresses that memory may hold; what has just been found for the same is given again.

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
    asked = tuple(functions), tuple(objects), tuple(threads)
    for before, found in _LAST:
        if all(map(is_, before[0], asked[0])) and before == asked:
            return found
    found = _find(*asked)
    _LAST[:] = [(asked, found)]
    return found


def _find(functions: tuple[Function, ...], objects: tuple[MemoryObject, ...], threads: tuple[Thread, ...]) -> Stored:
    named = _owners(threads)
    own = {name: frozenset((each, 0) for each in owned) for name, owned in named.items()}
    shared = Counter(each for owned in named.values() for each in owned)
    owners = {
        each: mine[0]
        for owned in named.values()
        for each, mine in owned.items()
        if len(mine) == 1 and shared[each] == 1
    }
    carried = Carried(functions, objects, threads, owners)
    looks = [Pointing(function, own, carried) for function in functions]
    while carried.follow(looks):
        looks.reverse()  # so that what goes from callers to callees, or back, goes far in a round
    shown = frozenset(each.name for each in objects if not each.hidden)
    return Stored(carried, {look.function.name: look for look in looks}, shown, handles_of(threads))


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
