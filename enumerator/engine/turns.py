"""Outcomes alone: two searches take turns in one combination of paths, and the first one that ends it is enough.

Which of them is faster cannot be told before: where futures are alike the frontier takes few candidates for many
executions; where each candidate has a future of its own, or where looking ahead keeps steps out of dead ends, the other
one may be faster by orders of magnitude.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from enumerator.engine import opcodes as op
from enumerator.engine.layout import Paths, Program, Work

if TYPE_CHECKING:
    from enumerator.engine.frontier import Frontier

__all__ = ["Turns"]

_TURN = 0.05
"""Seconds that are added to what the other search has had: the frontier's first turn."""

_FAVOUR = 8.0
"""How many times longer than the other search the frontier may take, to begin with, where no path has conditions."""

_MOST_FAVOUR, _LEAST_FAVOUR = 32.0, 1 / 32

_OWN = (op.EXPLORED, op.CONSISTENT, op.CUT)
"""Counters that each search has for itself."""


class Turns:
    """The time that the frontier and the other search (steps, or lanes) have had in the combination at hand.

    The frontier may take `favour` times longer than the other one, which doubles with each combination that the
    frontier ends although the other one had a turn, and halves with each that the other one ends.

    Parameters
    ----------
    work : Work
        Arrays of the search; those that both write are exchanged.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._favour = 1.0
        self._combo: tuple[int, ...] = ()
        self._frontier_had, self._other_had, self._setup = 0.0, 0.0, 0.0
        self._since = 0.0
        self._others: tuple[NDArray[Any], ...] = ()
        self._counted = [0] * len(_OWN)
        self._frontier: Frontier | None = None
        self.refused = False
        """Whether the frontier cannot search the combination at hand."""

    def is_due(self) -> bool:
        """Tell whether it is the frontier's turn, in the combination at hand, while the other search goes on."""
        now = time.monotonic()
        combo = tuple(self._work.combo.tolist())
        if combo != self._combo:
            if self._frontier is not None:  # which has lost
                self._favour = max(_LEAST_FAVOUR, self._favour / 2)
            self._combo, self._frontier, self.refused = combo, None, False
            self._frontier_had, self._other_had = 0.0, 0.0
            self._counted = [0] * len(_OWN)
        else:
            self._other_had += now - self._since
        self._since = now
        return not self.refused and self._has_time(self._setup if self._frontier is None else 0.0)

    def _has_time(self, more: float) -> bool:
        favour = self._favour if self._work.st[op.CONDITIONS] > 0 else _FAVOUR * self._favour
        return self._frontier_had + more <= favour * (self._other_had + _TURN)

    def goes_on(self) -> bool:
        """Tell whether the combination at hand is one where the frontier has been asked for."""
        return bool(self._combo) and tuple(self._work.combo.tolist()) == self._combo

    def begin(self, prog: Program, data: Paths, late: Callable[[], bool]) -> Frontier | None:
        """Begin a turn of the frontier: keep what the other search has in arrays that the frontier uses.

        Parameters
        ----------
        prog : Program
        data : Paths
        late : callable
            Asked now and then whether the time is up.

        Returns
        -------
        Frontier or None
            None where it cannot search this combination.

        Raises
        ------
        LimitReached
            Where the time is up.
        """
        from enumerator.engine.frontier import make_frontier

        work = self._work
        self._others = tuple(array.copy() for array in (work.source, work.val, work.forced, work.st))
        if self._frontier is None:
            self._frontier = make_frontier(prog, data, work, late)
            self.refused = self._frontier is None
            self.has_time()
            self._setup = self._frontier_had
        work.forced[:] = op.UNKNOWN_ID
        for counter, counted in zip(_OWN, self._counted, strict=True):
            work.st[counter] += counted
        return self._frontier

    def has_time(self) -> bool:
        """Tell whether the frontier may go on."""
        now = time.monotonic()
        self._frontier_had += now - self._since
        self._since = now
        return self._has_time(0.0)

    def end(self) -> None:
        """End a turn of the frontier, which has not come to its end; the other search stands where it stood."""
        work, (source, values, forced, state) = self._work, self._others
        states = work.st[op.STATES]
        self._counted = [int(work.st[counter] - state[counter]) for counter in _OWN]
        work.source[:], work.val[:], work.forced[:], work.st[:] = source, values, forced, state
        work.st[op.STATES] = states
        self._since = time.monotonic()

    def won(self) -> None:
        """Note that the frontier has come to its end: the combination is done."""
        state = self._work.st
        if self._other_had > 0:
            self._favour = min(_MOST_FAVOUR, 2 * self._favour)
        self._frontier = None
        state[op.PHASE], state[op.DEPTH], state[op.CHOICES], state[op.SINGLE] = op.P_COMBO, -1, 1, 0
