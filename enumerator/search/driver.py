"""The driver of a search: runs the strategies a slice at a time, looks at the clock, and gives what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakMethod

from enumerator import clock
from enumerator.errors import Interrupted, Timeout
from enumerator.request import Outcomes
from enumerator.search import opcodes as op
from enumerator.search.collector import Collector
from enumerator.search.portfolio import Portfolio
from enumerator.search.problem import Problem
from enumerator.search.strategies import InVain, Strategy, TakesLong
from enumerator.search.tuning import Tuning

__all__ = ["Driver"]

Ended = tuple[str, bool]
"""The status of a search, and whether it found a state that decides."""

_LISTING = 2e-6
"""Seconds that it takes about to sort, judge and write one state after the search."""

_LOOKED_AT, _LOOKED_AT_WORK = 64, 5
"""Times the dead ends that a search may meet, and the work at ease: until then it is not settled that it stays."""

_NEXT_TURN = 8
"""Times the ends and the work of a turn, at most, that the next one may take before it gives way again."""

_HANDED_OVER = (op.PAUSED, op.DONE, op.LONG_COMBINATION, op.CYCLIC_LEAF)
"""Why a strategy stops where another one may go on."""


class Driver:
    """One search for all executions, or all outcomes, of a test.

    Parameters
    ----------
    problem : Problem
    tuning : Tuning
    deadline : float or None
        When it must end (:func:`enumerator.clock.now`).
    """

    _patience = 1  # times what it may take before it gives way

    def __init__(self, problem: Problem, tuning: Tuning, deadline: float | None) -> None:
        self._problem, self._tuning, self._deadline = problem, tuning, deadline
        self._collector = Collector(problem)
        late = WeakMethod(self._late)  # weak, so that a search is gone once nobody has it, garbage collector or not
        self._portfolio = Portfolio(problem, self._collector, tuning, lambda: (known := late()) is not None and known())
        self._notes: tuple[str, ...] = ()

    def run(self, *, gives_way: bool = False, briefly: bool = False) -> Outcomes:
        """Run to the end, or to a limit.

        Parameters
        ----------
        gives_way : bool
            Whether it does so where threads wait and most of what it explores is no execution (where nobody waits,
            dead ends at first say little of what comes, which may be many executions that are found side by side); and
            where there are several combinations of paths, executions are counted, and each takes very much work. Run
            again, it takes more before it does so.
        briefly : bool
            Whether it does so, too, where one of several combinations takes long, and executions are counted.

        Returns
        -------
        Outcomes

        Raises
        ------
        InVain, TakesLong
            Where it gives way; run again, it goes on where it stood.
        Interrupted
            At Ctrl-C, with what has been found so far.
        """
        tuning, data, patience = self._tuning, self._problem.data, self._patience
        waits = gives_way and data.stuck_first[-1] > 0 and tuning.list_dead_ends >= 0
        counts = gives_way and not self._problem.request.outcomes_only and (data.thread_count > 1).any()

        def is_worth_it() -> bool:
            explored, found, work = self._problem.work.st[[op.EXPLORED, op.CONSISTENT, op.WORK]].tolist()
            dead_ends, at_ease = patience * tuning.list_dead_ends, patience * tuning.list_at_ease
            in_vain = explored - op.MOST_EXPLORED * found > dead_ends or work > patience * tuning.list_work
            if (waits and in_vain) or (counts and work > max(at_ease, tuning.list_costs * found)):
                self._patience *= _NEXT_TURN
                raise InVain
            settled = not counts or work > _LOOKED_AT_WORK * at_ease
            return settled and not (waits and explored <= _LOOKED_AT * dead_ends)

        try:
            status, stopped = "left", False
            if waits or counts:
                status, stopped = self._search(is_worth_it, briefly=briefly and counts)
            if status == "left":
                status, stopped = self._search()
        except KeyboardInterrupt:
            found = self._outcomes("limit", False)
            raise Interrupted(replace(found, notes=(*found.notes, "interrupted"))) from None
        return self._outcomes(status, stopped)

    def _outcomes(self, status: str, stopped: bool) -> Outcomes:
        return self._collector.outcomes(status, stopped, self._notes, self._late_for)

    def _search(self, until: Callable[[], bool] | None = None, closely: bool = False, briefly: bool = False) -> Ended:
        """Run the strategies until the search ends; or until something holds (then it is "left").

        Where that is to be brief, it is given up where a combination takes long.
        This is looked at after each step, or after as many as a first slice has: a number, whatever time they take.
        """
        portfolio, strategy, steps = self._portfolio, None, 0
        try:
            while True:
                if strategy is not portfolio.current:
                    strategy = portfolio.current
                    steps = 1 if closely else strategy.first_steps
                begun = clock.now()
                stop = strategy.advance(steps)
                if briefly and stop == op.LONG_COMBINATION:
                    raise TakesLong
                if stop == op.DONE and strategy is portfolio.backtracking:
                    return "complete", False
                if stop not in _HANDED_OVER:
                    ended = self._collector.attend(stop, strategy.arrays)
                else:
                    ended = None
                    if stop == op.PAUSED and until is None:
                        steps = self._next_steps(strategy, steps, clock.now() - begun)
                    if stop == op.PAUSED and not closely:
                        ended = self._pause(strategy)
                    if ended is None:
                        portfolio.choose(stop)
                        if until is not None and until():
                            return "left", False
                if ended is not None:
                    return ended
                if self._late():
                    return "timeout", False
        except Timeout:
            return "timeout", False

    def _next_steps(self, strategy: Strategy, steps: int, elapsed: float) -> int:
        """Give the steps of the next slice: what they cost differs much, with the square of the events and more."""
        state = self._problem.work.st
        if 0 <= state[op.ALLOWED] <= state[op.WORK]:
            return steps  # it may have taken fewer
        fitting = int(steps * self._tuning.slice / max(elapsed, 1e-6))
        return max(1, min(strategy.most_steps, strategy.growth * steps, fitting))

    def _pause(self, strategy: Strategy) -> Ended | None:
        """Do what is to be done now and then while a strategy goes on; give how the search ends, if it does."""
        return ("complete", True) if self._problem.request.undefined_decides and self._collector.undefined else None

    def _late(self) -> bool:
        return self._late_for(self._collector.states)

    def _late_for(self, states: int) -> bool:
        """Tell whether the time is up, if so many states are to be listed afterwards."""
        return self._deadline is not None and clock.now() + _LISTING * states > self._deadline
