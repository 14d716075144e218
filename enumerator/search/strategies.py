"""Strategies: ways to search one combination of paths, behind one small interface."""

from __future__ import annotations

from typing import Protocol

from enumerator.request import Outcomes
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.collector import Collector
from enumerator.search.layout import Work
from enumerator.search.problem import Problem
from enumerator.search.tuning import Tuning

__all__ = ["Backtracking", "CannotGrow", "InVain", "ListedInstead", "Strategy"]

_FIRST_PAIRS = 5_000_000
"""Pairs of events that the first slice may look at about: a step looks at all of them."""


class CannotGrow(Exception):
    """Executions of a test cannot be built in an order in which values are known: another strategy has to find them."""


class ListedInstead(Exception):
    """A test has many executions and few combinations of paths: these were listed, with these outcomes."""

    def __init__(self, outcomes: Outcomes) -> None:
        super().__init__()
        self.outcomes = outcomes


class InVain(Exception):
    """Most of what was explored is no execution: another strategy may be faster."""


class TakesLong(Exception):
    """A combination of paths takes long, and there are others: another strategy may be done before it."""


class Strategy(Protocol):
    """A way to search, which goes on for a number of steps and can be left at any time.

    What a strategy finds goes into the :class:`~enumerator.search.collector.Collector`. How far it has come is in its
    arrays, so it goes on where it stood, whatever has been done meanwhile.

    Attributes
    ----------
    arrays : Work
        What it works on; ``arrays.st`` has its counters.
    first_steps, most_steps, growth : int
        How many steps it takes at a time: at first, at most, and how many times more than in the slice before.
    """

    arrays: Work
    first_steps: int
    most_steps: int
    growth: int

    def advance(self, steps: int) -> int:
        """Go on for at most so many steps.

        Parameters
        ----------
        steps : int

        Returns
        -------
        int
            Why it stopped (:mod:`enumerator.search.opcodes`): it is done, has paused, needs a value, needs room, has
            found a new state, or hands over to another strategy.
        """


class Backtracking:
    """Backtracking over the decisions of one candidate at a time; goes from one combination of paths to the next.

    Parameters
    ----------
    problem : Problem
    collector : Collector
    tuning : Tuning
    """

    most_steps, growth = 2_000_000, 4

    def __init__(self, problem: Problem, collector: Collector, tuning: Tuning) -> None:
        self._problem, self._collector, self._long = problem, collector, tuning.long
        self.arrays = problem.work
        self.first_steps = max(1, min(tuning.first_steps, _FIRST_PAIRS // problem.lowered.most_events**2))

    def advance(self, steps: int) -> int:
        """Go on for at most so many steps; see :class:`Strategy`."""
        problem, collector = self._problem, self._collector
        stop: int = kernels.search(
            problem.prog, problem.data, problem.work, collector.findings, collector.records, steps
        )
        return stop

    def leave_combination(self) -> None:
        """Go on with the next combination of paths: another strategy has ended the one at hand."""
        state = self.arrays.st
        state[op.PHASE], state[op.DEPTH], state[op.CHOICES], state[op.SINGLE] = op.P_COMBO, -1, 1, 0
        state[op.LONG] = self._long
