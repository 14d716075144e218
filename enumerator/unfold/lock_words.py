"""Where locks keep their state: a program that initializes a lock by assignment does what ``pthread_mutex_init`` does.

``PTHREAD_MUTEX_INITIALIZER`` and the constructors of C++ are plain stores to the whole object, which also reach what
the library reads and writes atomically. Under LLVM's rules a read that may see a plain store beside atomic ones is
undef: no lock that is not a global variable could be used. So a plain store to such a place is atomic, unless its
address is read: one that initializes a lock comes before threads know of that.

Which places these are is seen when the library comes to them. If a plain store has been there before, what has been
unfolded is wrong, and all begins anew.
"""

from __future__ import annotations

import re
from dataclasses import replace

from enumerator.program.instructions import Annotation, Function, Ordering
from enumerator.unfold.paths import Location

__all__ = ["LockWords", "keeps_locks", "only_tries"]

_LIBRARY = ("pthread_", "mtx_", "cnd_", "sem_", "enumerator.given", "enumerator.gone", "enumerator.woken")

_TRIES = re.compile(r"(try|timed|clock)(rd|wr)?lock$")


def keeps_locks(function: Function) -> bool:
    """Tell whether a function is one of the library that accesses the state of locks and their like."""
    return function.library and function.name.startswith(_LIBRARY)


def only_tries(function: Function) -> bool:
    """Tell whether a function of the library says that a lock is held, instead of waiting for it."""
    return function.library and _TRIES.search(function.name) is not None


class LockWords:
    """The places where locks keep their state, each an object and the byte where it begins."""

    def __init__(self) -> None:
        self._known: set[tuple[str, int]] = set()
        self._new: set[tuple[str, int]] = set()
        self._plain: set[tuple[str, int]] = set()
        self._tried: set[tuple[str, int]] = set()
        self._looked: set[tuple[str, int]] = set()

    def begin(self) -> None:
        """Begin anew with what is known now."""
        self._known |= self._new
        self._new.clear()
        self._plain.clear()
        self._looked.clear()

    def tries(self, location: Location) -> bool:
        """Note that a lock is tried; tell whether all begins anew, as a look under it was taken not to be seen."""
        place = location.object, location.offset
        self._tried.add(place)
        return place in self._looked

    def looks(self, location: Location) -> bool:
        """Note a look under a lock; tell whether nobody may see it, as the lock is not tried (:mod:`.rounds`)."""
        place = location.object, location.offset
        if place in self._tried:
            return False
        self._looked.add(place)
        return True

    def use(self, location: Location) -> bool:
        """Note that the library keeps something at a place; tell whether a plain store there was taken for one."""
        place = location.object, location.offset
        if place in self._known:
            return False
        self._new.add(place)
        return place in self._plain

    def store(self, location: Location) -> bool:
        """Note a plain store of the program; tell whether all begins anew, as it is only known now what is there."""
        place = location.object, location.offset
        self._plain.add(place)
        return place in self._new

    def annotation(self, annotation: Annotation, location: Location) -> Annotation:
        """Give what a store of the program says of itself at a place."""
        if annotation.ordering is Ordering.NA and (location.object, location.offset) in self._known:
            return replace(annotation, ordering=Ordering.MONOTONIC)
        return annotation

    def __contains__(self, location: Location) -> bool:
        """Tell whether a lock is known to keep its state there."""
        return (location.object, location.offset) in self._known
