"""Which strategy goes on with the combination of paths at hand. What decides is work done, never the clock.

Each combination begins with backtracking, which ends most of them. One that is long goes on otherwise:

- bit-parallel, unless forward checking keeps backtracking out of many dead ends, or the combination is too large;
- where outcomes alone are asked for, memoized too. Which of the two is faster cannot be told before: where futures are
  alike, the memoized search takes few candidates for many executions; where each candidate has a future of its own, the
  other may be faster by orders of magnitude. So they take turns, and the first one to end the combination is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from enumerator.search import opcodes as op
from enumerator.search.collector import Collector
from enumerator.search.problem import Problem
from enumerator.search.strategies import Backtracking, Strategy
from enumerator.search.tuning import Tuning

if TYPE_CHECKING:  # most searches need neither
    from enumerator.search.bit_parallel import BitParallel
    from enumerator.search.memoized import Memoized

__all__ = ["Portfolio"]


class Portfolio:
    """The strategies of a search, and which of them goes on.

    The memoized search may do `favour` times the work of the other one. That doubles with each combination that it ends
    although the other one had a turn, and halves with each that the other one ends.

    Parameters
    ----------
    problem : Problem
    collector : Collector
    tuning : Tuning
    late : callable
        Asked now and then whether the time is up.

    Attributes
    ----------
    current : Strategy
        The one to go on with.
    bit_parallel : BitParallel or None
        The one that has the combination of paths at hand, if it does.
    """

    def __init__(self, problem: Problem, collector: Collector, tuning: Tuning, late: Callable[[], bool]) -> None:
        self._problem, self._collector, self._tuning, self._late = problem, collector, tuning, late
        self._state = problem.work.st
        self._favour = 1.0
        self._combination: tuple[int, ...] = ()
        self._memoized: Memoized | None = None
        self.backtracking = Backtracking(problem, collector, tuning)
        self.bit_parallel: BitParallel | None = None
        self.current: Strategy = self.backtracking

    def restart(self) -> None:
        """Begin with the combination of paths that stands in the arrays, from its beginning."""
        self._state[op.PHASE], self._state[op.SINGLE] = op.P_SETUP, 0
        self._state[op.ALLOWED], self._combination = -1, ()
        self._memoized = self.bit_parallel = None
        self.current = self.backtracking

    def choose(self, stop: int) -> None:
        """Choose the strategy to go on with, after the current one has paused, is done, or hands over.

        Parameters
        ----------
        stop : int
            Why it stopped.

        Raises
        ------
        Timeout
            Where the time is up.
        """
        if self.current is self._memoized:
            self._after_memoized(stop)
        elif self.current is self.bit_parallel:
            if stop != op.PAUSED:  # done, or one candidate is left to backtracking, where values are cyclic
                self.bit_parallel = None if stop == op.DONE else self.bit_parallel
                self.current = self.backtracking
                if self.bit_parallel is None:
                    self._state[op.ALLOWED] = -1
            elif self._turn_is_over():
                self._begin_memoized()
        elif stop == op.LONG_COMBINATION:
            self._go_on_otherwise()
        elif self._turn_is_over():
            if self._is_at_hand():
                self._begin_memoized()
            else:
                self._state[op.ALLOWED] = -1

    # Bit-parallel -----------------------------------------------------------------------------------------------

    def _go_on_otherwise(self) -> None:
        """Leave backtracking, in a combination that takes long."""
        if self.bit_parallel is not None:
            self.current = self.bit_parallel
        elif self._problem.request.outcomes_only and not self._is_at_hand():
            self._begin_combination()
        else:
            self._try_bit_parallel()

    def _try_bit_parallel(self) -> None:
        from enumerator.search.bit_parallel import TooEarly, make_bit_parallel

        state, tuning = self._state, self._tuning
        complete = int(state[op.EXPLORED] - state[op.BEGUN] - state[op.DEAD_ENDS])
        if tuning.most_pruned * int(state[op.PRUNED]) > complete:  # looking ahead gains more
            state[op.LONG] = 2 * state[op.STEPS]
            return
        try:
            self.bit_parallel = make_bit_parallel(self._problem, self._collector, self._late)
        except TooEarly:
            state[op.LONG] = 2 * state[op.STEPS]
            return
        state[op.LONG] = tuning.long
        if self.bit_parallel is not None:
            self.current = self.bit_parallel

    # Turns of the memoized search -------------------------------------------------------------------------------

    def _is_at_hand(self) -> bool:
        """Tell whether the combination at hand is the one that the memoized search was made for."""
        state = self._state
        if state[op.PHASE] == op.P_DONE or state[op.STEPS] == 0:
            return False
        return tuple(self._problem.work.combo.tolist()) == self._combination

    def _turn_is_over(self) -> bool:
        return 0 <= int(self._state[op.ALLOWED]) <= int(self._state[op.WORK])

    def _begin_combination(self) -> None:
        """Make the memoized search of the combination at hand, if it can be, and give it the first turn."""
        from enumerator.search.memoized import make_memoized

        if self._memoized is not None:  # the other one has ended its combination
            self._favour = max(1 / self._tuning.most_favour, self._favour / 2)
        self._combination = tuple(self._problem.work.combo.tolist())
        self._state[op.WORK], self._state[op.ALLOWED] = 0, -1
        self._memoized = make_memoized(self._problem, self._collector, self._late)
        if self._memoized is not None:
            self._begin_memoized()
        else:
            self._try_bit_parallel()

    def _begin_memoized(self) -> None:
        assert self._memoized is not None
        self._allowed = self._ratio() * int(self._state[op.WORK]) + self._tuning.turn
        self.current = self._memoized

    def _ratio(self) -> float:
        return self._favour if self._state[op.CONDITIONS] > 0 else self._tuning.favour * self._favour

    def _after_memoized(self, stop: int) -> None:
        memoized = self._memoized
        assert memoized is not None
        state = self._state
        if stop == op.PAUSED and memoized.work <= self._allowed:
            return
        first = state[op.WORK] == 0
        self.current = self.bit_parallel or self.backtracking
        if stop == op.DONE:  # the combination is done
            if not first:
                self._favour = min(self._tuning.most_favour, 2 * self._favour)
            memoized.give_counts(state)
            self._memoized = self.bit_parallel = None
            self.current = self.backtracking
            self.backtracking.leave_combination()
        elif stop == op.PAUSED:
            state[op.ALLOWED] = int(memoized.work / self._ratio()) + self._tuning.turn
        else:  # where values are cyclic, the other search goes on alone
            self._memoized = None
            state[op.ALLOWED] = -1
        if first and stop != op.DONE:
            self._try_bit_parallel()
