"""Which threads meet at a barrier of POSIX, as far as their code says before they run.

Where these are as many as the barrier is for, each comes to each round of it, and nobody sees in which order they
arrive: the library then has each wait for all others (``pthread_barrier_wait`` in ``library/locks.ll``), and there is
no execution for each order. That is so unless the order matters (:mod:`enumerator.unfold.serial`).
"""

from __future__ import annotations

from collections.abc import Callable

from enumerator.program.instructions import Meet, ReadModifyWrite
from enumerator.program.test import Thread
from enumerator.program.types import IntType, size_of
from enumerator.program.values import Pointer
from enumerator.unfold.later import writes_to_come
from enumerator.unfold.locks import ways_to
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import NONE, Shared
from enumerator.unfold.thread import ThreadState

__all__ = ["meet"]

_WAIT = "pthread_barrier_wait"
_WORD = IntType(64)


def meet(
    state: ThreadState, instruction: Meet, begin: Callable[[Thread, Shared], ThreadState]
) -> list[ThreadState] | None:
    """Tell which threads may come to a barrier; give the branches to continue with, or None.

    Parameters
    ----------
    state : ThreadState
    instruction : Meet
    begin : callable
        Gives a thread as it is before its first step.
    """
    branches = []
    for branch, barrier in ways_to(state, instruction, size_of(_WORD)):
        if barrier is not None:
            names = _who_may_come(branch.shared, barrier, begin)
            own = branch.thread.name
            known = (names.index(own) if own in names else -1) if instruction.own else len(names)
            branch.assign(instruction.target, Known(known), NONE)
        branches.append(branch)
    return None if branches == [state] else branches


def _who_may_come(shared: Shared, barrier: Pointer, begin: Callable[[Thread, Shared], ThreadState]) -> tuple[str, ...]:
    """Name the threads that may arrive at a barrier; none where that is not known, or their order matters."""
    if shared.found is not None or shared.text.tells_apart:
        return ()
    if barrier not in shared.meeting:
        wait = shared.functions.get(_WAIT)
        arrivals = [part for part in wait.instructions if isinstance(part, ReadModifyWrite)] if wait else []
        place, names = Location(barrier.object, barrier.offset + size_of(_WORD), size_of(_WORD)), list[str]()
        for thread in shared.text.threads:
            written = writes_to_come(begin(thread, shared))
            if written is None:
                names.clear()
                break
            if any(each.instruction in arrivals and each.may_access(place) for each in written):
                names.append(thread.name)
        shared.meeting[barrier] = tuple(names)
    return shared.meeting[barrier]
