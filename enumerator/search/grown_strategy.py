"""A search that grows executions, as a strategy: what its kernel asks for is unfolded, and arrays are widened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from enumerator.clock import check_time
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.collector import Collector
from enumerator.search.driver import Driver
from enumerator.search.grown_arrays import Room, doubled, widened
from enumerator.search.grown_collector import GrownCollector
from enumerator.search.layout import Grown
from enumerator.search.problem import Problem
from enumerator.search.strategies import CannotGrow, Strategy
from enumerator.search.tries import GrownTries
from enumerator.search.tuning import Tuning

__all__ = ["Changed", "FailsLate", "Growing", "GrowingDriver", "MayRace", "MissesBarrier", "NotAlike", "RefusedRaces"]

_MOST_LATE = 64
"""How often axioms may fail that are put off, and an eighth of the executions: then they are tested at once again."""


_STEPS_UNTIL_ASKED = 2000
"""Steps of a slice, at most, until it is asked whether combinations of paths are listed instead."""


class Changed(Exception):
    """What has been unfolded changes what the search is laid out for: it begins anew, with what is unfolded."""


class MayRace(Exception):
    """Something may come of an attempt at which a thread ends: the search begins anew, with threads that go on."""


class FailsLate(Changed):
    """Axioms that were put off to the end refuse much: the search begins anew, and tests them after each decision."""


class RefusedRaces(Exception):
    """An execution that an assumption refuses raises a flag: it may be one of a read that the assumption rests on."""


class MissesBarrier(Exception):
    """A thread ends early before a barrier that another one waits at: there are paths that end there, too."""


class NotAlike(Exception):
    """Threads that were taken for symmetric are not: the search begins anew without that."""


class Growing:
    """Grows executions of a test; see :class:`~enumerator.search.strategies.Strategy`.

    Parameters
    ----------
    problem : Problem
    tries : GrownTries
    collector : GrownCollector
    grown : Grown
    room : Room
        What the arrays hold.
    unchanged : callable
        Tells whether the search is still laid out for what has been unfolded; asked with True at its end.
    gives_way : callable
        Tells whether another strategy is to be used; asked where most of what is tried ends in vain.
    otherwise : callable, optional
        Tries another way; it raises an exception where that ends, and else tells when to ask again.
    asks : int
        How many ends have to be explored, or choices refused, until that is asked.
    closely : bool
        Whether that is looked at after few steps.
    """

    first_steps, most_steps, growth = 500, 2_000_000, 4

    def __init__(
        self,
        problem: Problem,
        tries: GrownTries,
        collector: GrownCollector,
        grown: Grown,
        room: Room,
        unchanged: Callable[[bool], bool],
        gives_way: Callable[[], bool],
        otherwise: Callable[[], int] | None,
        asks: int,
        closely: bool,
    ) -> None:
        self._otherwise, self._asks = otherwise, asks
        if closely:
            self.most_steps = _STEPS_UNTIL_ASKED
        self._problem, self._tries, self._collector, self.grown = problem, tries, collector, grown
        self._unchanged, self._gives_way, self._room = unchanged, gives_way, room
        self.arrays = problem.work

    def advance(self, steps: int) -> int:
        """Go on for at most so many steps; see :class:`~enumerator.search.strategies.Strategy`."""
        problem, tries, collector = self._problem, self._tries, self._collector
        while True:
            stop: int = kernels.grow(
                problem.prog,
                tries.data,
                tries.tries,
                problem.work,
                self.grown,
                collector.findings,
                collector.records,
                steps,
            )
            if stop in (op.NEEDS_NODE, op.NEEDS_GUESSES, op.NEEDS_AHEAD):
                node = int(self.grown.at[op.X_NODE])
                if stop == op.NEEDS_NODE:
                    tries.expand(node, int(self.grown.at[op.X_VALUE]))
                elif stop == op.NEEDS_AHEAD:
                    tries.look_ahead(node, int(self.grown.at[op.X_VALUE]))
                else:
                    tries.guess(node)
                check_time()
                self._take_in()
            elif stop == op.NEEDS_ROOM:
                self._widen()
            elif stop == op.MAY_RACE or (stop == op.DONE and tries.tried and self._raises_flags()):
                raise MayRace
            elif stop == op.REFUSED_RACES:
                raise RefusedRaces
            elif stop == op.NOT_ALIKE:
                raise NotAlike
            elif stop == op.MISSES_BARRIER:
                raise MissesBarrier
            elif stop == op.AT_DEAD_ENDS:
                if self._gives_way():
                    raise CannotGrow
                problem.work.st[op.MOST_DEAD] = -1
            elif stop == op.DONE and not self._unchanged(True):
                raise Changed
            else:
                if stop == op.PAUSED and self._fails_late():
                    raise FailsLate
                tried = problem.work.st[op.EXPLORED] + problem.work.st[op.REFUSED]
                if stop in (op.PAUSED, op.NEEDS_RECORDS) and self._otherwise is not None and tried >= self._asks:
                    self._asks = self._otherwise()
                    self._take_in()  # it may have unfolded more
                return stop

    def _take_in(self) -> None:
        """Go on with what has been unfolded meanwhile."""
        if not self._unchanged(False):
            raise Changed
        self._problem.data = self._tries.data
        if len(self._tries.locations) > self._room.locations or len(self._tries.kinds.known) > self._room.kinds:
            self._widen()

    def _raises_flags(self) -> bool:
        """Tell whether some execution raises a flag of the model: then those with attempts that fail count, too."""
        raised = self._collector.findings.raised[: int(self.arrays.st[op.STATES])]
        return bool(raised.any() or self.arrays.flags[3])

    def _fails_late(self) -> bool:
        """Tell whether axioms that were put off to the end refuse much of what gets there."""
        at, found = self.grown.at, int(self.arrays.st[op.CONSISTENT])
        return bool(at[op.X_LATE] == op.LATE_NOW and at[op.X_LATE_FAILS] > _MOST_LATE + found // 8)

    def _widen(self) -> None:
        """Make room, with what the arrays hold: of each thing only where there is too little, as words are dear."""
        old, problem = self._room, self._problem
        n, longest = int(problem.work.st[op.EVENTS]), int(self.grown.length.max())
        self._room = Room(
            doubled(old.events, n + 2),
            doubled(old.of_thread, longest + 1),
            max(old.locations, 2 * len(self._tries.locations)),
            max(old.kinds, 2 * len(self._tries.kinds.known)),
            doubled(old.depth, int(problem.work.st[op.DEPTH]) + 4),
            old.undone,
        )
        if self._room == old:
            self._room = replace(old, undone=2 * old.undone)
        work, self.grown = widened(problem.model, problem.work, self.grown, old, self._room)
        problem.work = self.arrays = work
        self._collector.widen(self._room.events)


class _Alone:
    """A portfolio of one strategy."""

    def __init__(self, strategy: Strategy) -> None:
        self.current = self.backtracking = strategy
        self.bit_parallel = None

    def choose(self, stop: int) -> None:
        """Stay with it."""


class GrowingDriver(Driver):
    """The driver of a search that grows executions, which is the only strategy."""

    def __init__(
        self, problem: Problem, tuning: Tuning, late_at: float | None, collector: Collector, strategy: Growing
    ) -> None:
        self._problem, self._tuning, self._deadline = problem, tuning, late_at
        self._collector = collector
        self._portfolio: Any = _Alone(strategy)
        self._notes = ()
