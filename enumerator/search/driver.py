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
from enumerator.search.strategies import Strategy
from enumerator.search.tuning import Tuning

__all__ = ["Driver"]

Ended = tuple[str, bool]
"""The status of a search, and whether it found a state that decides."""

_LISTING = 2e-6
"""Seconds that it takes about to sort, judge and write one state after the search."""

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

    def __init__(self, problem: Problem, tuning: Tuning, deadline: float | None) -> None:
        self._problem, self._tuning, self._deadline = problem, tuning, deadline
        self._collector = Collector(problem)
        late = WeakMethod(self._late)  # weak, so that a search is gone once nobody has it, garbage collector or not
        self._portfolio = Portfolio(problem, self._collector, tuning, lambda: (known := late()) is not None and known())
        self._notes: tuple[str, ...] = ()

    def run(self) -> Outcomes:
        """Run to the end, or to a limit.

        Returns
        -------
        Outcomes

        Raises
        ------
        Interrupted
            At Ctrl-C, with what has been found so far.
        """
        try:
            status, stopped = self._search()
        except KeyboardInterrupt:
            found = self._outcomes("limit", False)
            raise Interrupted(replace(found, notes=(*found.notes, "interrupted"))) from None
        return self._outcomes(status, stopped)

    def _outcomes(self, status: str, stopped: bool) -> Outcomes:
        return self._collector.outcomes(status, stopped, self._notes, self._late_for)

    def _search(self, until: Callable[[], bool] | None = None) -> Ended:
        """Run the strategies until the search ends; or, a step at a time, until something holds (then it is "left")."""
        portfolio, strategy, steps = self._portfolio, None, 0
        try:
            while True:
                if strategy is not portfolio.current:
                    strategy = portfolio.current
                    steps = strategy.first_steps if until is None else 1
                begun = clock.now()
                stop = strategy.advance(steps)
                if stop == op.DONE and strategy is portfolio.backtracking:
                    return "complete", False
                if stop not in _HANDED_OVER:
                    ended = self._collector.attend(stop, strategy.arrays)
                else:
                    ended = None
                    if stop == op.PAUSED and until is None:
                        steps = self._next_steps(strategy, steps, clock.now() - begun)
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
        return None

    def _late(self) -> bool:
        return self._late_for(self._collector.states)

    def _late_for(self, states: int) -> bool:
        """Tell whether the time is up, if so many states are to be listed afterwards."""
        return self._deadline is not None and clock.now() + _LISTING * states > self._deadline
