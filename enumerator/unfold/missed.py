"""Barriers that some thread of the workgroup never comes to, as it has ended: the others do not leave them.

A thread ends that returns, fails an assertion, runs into what is undefined, or waits for ever. Who waits for it at a
barrier then does nothing any more: what it would do behind the barrier is not there to be read, to race or to decide.
So a path may end at each barrier (``blocked``). Paths go together only if a thread ends so where another one of its
workgroup has ended and never arrives, and nowhere else: nobody is behind its n-th barrier where another thread has not
arrived n times.

If the other one has returned, that is undefined (``ub-barrier``).

There are such paths only where it is known that some thread ends before a barrier of others: all begins anew then.

Sources: semantics, section 3; LLVM, AMDGPUUsage, Memory Model, on ``s_barrier``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from enumerator.program.instructions import Barrier, Scope
from enumerator.program.test import Test
from enumerator.program.types import IntType
from enumerator.unfold.paths import Computed, Path
from enumerator.unfold.state import BLOCKED, REFUSED, TRIED
from enumerator.unfold.thread import ThreadState

__all__ = ["MISSED", "barriers_of", "leaves_barrier", "may_miss", "misses_barrier"]

_BIT = IntType(1)
MISSED = Computed("missed", (), _BIT, _BIT)
"""What decides whether a thread leaves a barrier: 1 where another one never comes to it."""


def _comes_no_more(path: Path) -> bool:
    """Tell whether a thread ends, and not at a barrier, at an attempt or in what does not count."""
    return path.end not in (BLOCKED, TRIED, REFUSED)


def leaves_barrier(state: ThreadState) -> list[ThreadState]:
    """Let a thread stay at the barrier that it has come to, for ever, and let it go on."""
    state.met = False
    decisions = state.shared.decisions
    ways = (1, 0) if decisions is None else (decisions.value(state, MISSED, (0, 1)),)
    branches = [state.copy() for _ in ways[1:]] + [state]
    for branch, way in zip(branches, ways, strict=True):
        if way:
            branch.finish(BLOCKED, None)
    return branches


def may_miss(test: Test, paths: Sequence[Iterable[Path]]) -> bool:
    """Tell whether some thread of a workgroup may end before a barrier that another one waits at."""
    if not test.has(Barrier):
        return False
    counts = [{(_comes_no_more(path), *barriers_of(path)) for path in options} for options in paths]
    for mine, others in _mates(test):
        arrived = [arrivals for ends, arrivals, _ in counts[mine] if ends]
        if arrived and any(waits > min(arrived) for other in others for _, _, waits in counts[other]):
            return True
    return False


def misses_barrier(test: Test, paths: Sequence[Path]) -> bool:
    """Tell whether a thread leaves a barrier that another one never comes to, or stays at one that all come to.

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        For each thread in order.

    Returns
    -------
    bool
        Then these paths do not go together.
    """
    for mine, others in _mates(test):
        _, waits = barriers_of(paths[mine])
        blocked = paths[mine].end == BLOCKED
        arrived = [barriers_of(paths[other])[0] for other in others if _comes_no_more(paths[other])]
        if any(waits - blocked > each for each in arrived):
            return True
        if blocked and all(waits <= each for each in arrived):
            return True
    return False


def _mates(test: Test) -> Iterator[tuple[int, list[int]]]:
    """Give each thread, by number, with the others of its workgroup."""
    groups = [test.placements[thread.name].instance(Scope.WORKGROUP) for thread in test.threads]
    for thread, group in enumerate(groups):
        yield thread, [other for other, each in enumerate(groups) if each == group and other != thread]


def barriers_of(path: Path) -> tuple[int, int]:
    """Count the barriers of its workgroup that a thread arrives at, and those that it waits at."""
    arrivals = sum(isinstance(event.arrival, int) for event in path.events)
    return arrivals, sum(isinstance(event.wait, int) for event in path.events)
