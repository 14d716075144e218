"""Loops that look at data under a lock: an iteration that takes a lock, only reads, and gives it back leaves nothing.

Such an iteration may be left out like one that only reads (:mod:`.waiting`). Who takes the lock after it may take it
after whoever had it before, and nobody sees that the lock was held in between: others wait as long as it is. So it is
unless some part of the program tries that lock without waiting for it, finds that it is held, and does something then.
Who tries once more in a loop waits, too: that iteration is left out itself.

Without such an iteration, less happens before what others do under the lock. What waits are the reads of data, plain
ones too: the lock may still pass from hand to hand.

``std::lock`` of C++ takes several locks by any calls that do not end in a deadlock; which they are, nobody knows
(C++20, [thread.lock.algorithm], 5). One that takes some of them, finds another one held, and gives those back leaves
nothing either, whatever it remembers of that: libstdc++ and libc++ begin with another lock then.
"""

from __future__ import annotations

import re

from enumerator.program.values import Pointer
from enumerator.unfold.paths import Location, PathEvent
from enumerator.unfold.state import NONE
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.waiting import Iteration, is_plain

__all__ = ["acted_on", "gives_back", "looks_only", "of_rounds", "takes_several"]

_TAKES_SEVERAL = re.compile("_Z(St|NSt3__1)4lockI")
"""``std::lock``, of libstdc++ and of libc++."""

_LOCK_SIZE = 8
"""Bytes at the beginning of a lock in which the library keeps who holds it."""


def of_rounds(state: ThreadState, start: Iteration) -> frozenset[int]:
    """Give the accesses to locks that an iteration has taken, and given back.

    Parameters
    ----------
    state : ThreadState
        At the end of the iteration.
    start : Iteration
        The thread when it began.

    Returns
    -------
    frozenset of int
        By event index; empty where some lock was held at the beginning and given back since, or is still held.
    """
    if not state.shared.taken or state.held != start.held:
        return NONE
    if state.unchanged is not None or any(index >= start.events for index in state.kept):
        return NONE
    accesses, written = dict[Pointer, set[int]](), dict[tuple[Location, Pointer], list[PathEvent]]()
    for index, event in enumerate(state.events[start.events :], start.events):
        if event.location is not None and (lock := _lock_at(state, event.location)) is not None:
            if lock in start.held:
                return NONE
            accesses.setdefault(lock, set()).add(index)
            if event.kind == "W":
                written.setdefault((event.location, lock), []).append(event)
    for (location, lock), writes in written.items():
        # The program may have initialized a lock; the library takes it, and gives it back.
        if len(writes) % 2 or (location.offset == lock.offset and any(each.rmw is None for each in writes[::2])):
            return NONE
        if location.offset == lock.offset and not state.shared.locks.looks(location):
            return NONE
    return NONE.union(*(accesses[lock] for _, lock in written))


def looks_only(state: ThreadState, start: Iteration) -> bool:
    """Tell whether an iteration has only read so far, or has written to nothing but locks that it has taken since."""
    return bool(state.shared.taken) and all(
        event.kind in "RF"
        or index in state.kept
        or (event.location is not None and _lock_at(state, event.location) is not None)
        for index, event in enumerate(state.events[start.events :], start.events)
    )


def acted_on(state: ThreadState) -> frozenset[int]:
    """Give attempts at locks that are in no iteration any more which may be left out.

    Parameters
    ----------
    state : ThreadState
        At the beginning of a block.

    Returns
    -------
    frozenset of int
        Of :attr:`.ThreadState.tries`.
    """
    first = len(state.events)
    for frame in state.frames:
        if isinstance(frame.attempt, Iteration):
            first = min(first, frame.attempt.events)
        for number, entry in frame.loops.items():
            if frame.block.name in frame.flow.numbered[number].blocks:
                begun = [each.events for each in (entry.begun, entry.first) if isinstance(each, Iteration)]
                first = min([first, *begun])
    return frozenset(each for each in state.tries if each < first)


def takes_several(name: str) -> bool:
    """Tell whether a function is one that takes several locks, whatever calls it makes for that."""
    return _TAKES_SEVERAL.match(name) is not None


def gives_back(state: ThreadState) -> frozenset[int]:
    """Give the attempts at locks that have failed in a call that takes several, which has given back the others.

    Parameters
    ----------
    state : ThreadState
        Where a function of the library has returned.

    Returns
    -------
    frozenset of int
        By event index; none where the call still holds a lock, or where others may see what it has done.
    """
    attempts = (frame.attempt for frame in reversed(state.frames))
    start = next((each for each in attempts if isinstance(each, Iteration)), None)
    if start is None or not state.tries or state.held != start.held:
        return NONE
    rounds = of_rounds(state, start)
    failed = frozenset(each for each in state.tries - rounds if each >= start.events)
    alone = all(
        index in rounds or index in failed or event.kind == "F" or (is_plain(event) and state.owns(event))
        for index, event in enumerate(state.events[start.events :], start.events)
    )
    return failed if alone else NONE


def _lock_at(state: ThreadState, location: Location) -> Pointer | None:
    """Give the lock that keeps its state at a location."""
    return next((lock for lock in state.shared.taken if _is_within(location, lock)), None)


def _is_within(location: Location, lock: Pointer) -> bool:
    return location.object == lock.object and 0 <= location.offset - lock.offset < _LOCK_SIZE
