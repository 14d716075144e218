"""Atomic stores that a loop makes again in each iteration, before it reads anything: the first of them is enough.

A push by a weak compare-exchange stores what it has found in its node, fails for no reason, and stores the same once
more; a thread says that it is ready each time that it looks whether others are. Where the thread is in the end where it
was at the beginning of the iteration, the next one begins with the same stores. Without the later ones it is an
execution, too, if no other thread writes there: who reads a later store may as well read the first one, before which
less happens. What races with a later store alone would be missed, so no other thread may read there plainly, either.

That no other thread does so is taken for granted, and all begins anew if one does (:attr:`.Shared.raced`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from enumerator.program.instructions import Ordering
from enumerator.program.test import Thread
from enumerator.unfold.paths import Location, PathEvent

__all__ = ["Rewritten", "WaitsRace", "may_race", "stored_first"]


class WaitsRace(Exception):
    """What others do at a location makes a difference to a loop whose iterations were taken to make none.

    Parameters
    ----------
    location : Location
    """

    def __init__(self, location: Location) -> None:
        super().__init__(location)
        self.location = location


def may_race(thread: str, created: Iterable[str], other: Thread, threads: Mapping[str, Thread]) -> bool:
    """Tell whether what a thread does may be at the same time as what another one does.

    It is not if the other thread is the same one, or is created after that.

    Parameters
    ----------
    thread : str
    created : iterable of str
        The threads that it has created before, by what stands for them.
    other : Thread
    threads : mapping of str to Thread
        All threads, by name.

    Returns
    -------
    bool
    """
    if other.name == thread:
        return False
    while (creation := other.creation) is not None:
        if creation.creator == thread:
            return creation.at_once or other.handle in created
        other = threads[creation.creator]
    return True


def stored_first(events: Iterable[PathEvent]) -> list[int]:
    """Give the atomic stores of an iteration, if it makes them before it reads, and none twice at one location.

    Parameters
    ----------
    events : iterable of PathEvent
        Those of the iteration.

    Returns
    -------
    list of int
        Their numbers; empty if there are others.
    """
    found, written, has_read = list[int](), set[Location | None](), False
    for number, event in enumerate(events):
        has_read = has_read or event.kind == "R"
        if event.kind == "W" and event.annotation.ordering >= Ordering.MONOTONIC:
            if has_read or event.location in written or event.rmw is not None or event.whole is not None:
                return []
            found.append(number)
            written.add(event.location)
    return found


class _Access(NamedTuple):
    """An access, or a store that was left out; and the threads that its thread had created before.

    An atomic read may as well read the first of several atomic stores; of the others nobody may know anything.
    """

    location: Location
    thread: str
    created: tuple[str, ...]
    atomic: bool
    reads: bool

    def meets(self, other: _Access, threads: Mapping[str, Thread]) -> bool:
        """Tell whether two accesses overlap and may be at the same time."""
        if self.thread == other.thread or not self.location.overlaps(other.location):
            return False
        if self.atomic and other.atomic and (self.reads or other.reads):
            return False
        if not {self.thread, other.thread} <= threads.keys():
            return True  # threads are still being sought
        if not may_race(self.thread, self.created, threads[other.thread], threads):
            return False
        return may_race(other.thread, other.created, threads[self.thread], threads)


def _access(event: PathEvent, location: Location, thread: Thread, created: tuple[str, ...]) -> _Access:
    atomic = event.annotation.ordering >= Ordering.MONOTONIC
    return _Access(location, thread.name, created, atomic, event.kind == "R")


class Rewritten:
    """Where iterations that store again have been left out, and the accesses that would forbid that.

    Parameters
    ----------
    threads : iterable of Thread
        All threads.
    """

    def __init__(self, threads: Iterable[Thread]) -> None:
        self._threads = {each.name: each for each in threads}
        self._left_out: dict[str, set[_Access]] = defaultdict(set)  # by object
        self._accesses: dict[str, set[_Access]] = defaultdict(set)

    def note(self, thread: Thread, created: Iterable[Thread], event: PathEvent) -> None:
        """Note an event of a thread which has created some others.

        Raises
        ------
        WaitsRace
        """
        if event.location is None:
            return
        access = _access(event, event.location, thread, tuple([each.handle for each in created]))
        known = self._accesses[event.location.object]
        if access not in known:
            known.add(access)
            if any(access.meets(each, self._threads) for each in self._left_out.get(event.location.object, ())):
                raise WaitsRace(event.location)

    def may_be_left_out(self, thread: Thread, created: Iterable[Thread], stores: Iterable[PathEvent]) -> bool:
        """Tell whether an iteration may be left out with its stores, as far as is known; note that it was.

        Parameters
        ----------
        thread : Thread
        created : iterable of Thread
            Those that it has created.
        stores : iterable of PathEvent

        Returns
        -------
        bool
        """
        before = tuple([each.handle for each in created])
        found = [_access(each, each.location, thread, before) for each in stores if each.location is not None]
        for each in found:
            if any(each.meets(other, self._threads) for other in self._accesses.get(each.location.object, ())):
                return False
        for each in found:
            self._left_out[each.location.object].add(each)
        return True

    def begin(self) -> None:
        """Begin anew: nothing has been left out."""
        self._left_out.clear()
