"""Outcomes alone: searches take turns in one combination of paths, and the first one that ends it is enough.

Which of them is faster cannot be told before. Where futures are alike the frontier takes few candidates for many
executions. Where each candidate has a future of its own, or where looking ahead keeps steps out of dead ends, the other
search may be faster by orders of magnitude; and that one may be so where it leaves out orders that no outcome shows, or
where it lists all executions, which it can do with many candidates at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from enumerator.clock import now
from enumerator.search import opcodes as op
from enumerator.search.layout import Paths, Program, Work

if TYPE_CHECKING:
    from enumerator.search.frontier import Frontier

__all__ = ["Turns"]

_TURN = 0.05
"""Seconds of the first turns."""

_FAVOUR = 8.0
"""How many times longer than the other search the frontier may take, to begin with, where no path has conditions."""

_MOST_FAVOUR, _LEAST_FAVOUR = 32.0, 1 / 32

_OWN = (op.EXPLORED, op.CONSISTENT, op.CUT)
"""Counters that each search has for itself."""

_LEAVES_OUT = (3, 8)
"""Where the configuration says that orders, or all of them but their last writes, are left out."""


class Turns:
    """The time that the frontier and the other search (steps, or lanes) have had in the combination at hand.

    The frontier may take `favour` times longer than the other one, which doubles with each combination that the
    frontier ends although the other one had a turn, and halves with each that the other one ends. The other one begins
    anew, listing all executions or leaving out orders, each time that it has taken long enough, which is ever longer;
    where listing has ended a combination, it comes first in the next one.

    Parameters
    ----------
    prog : Program
    work : Work
        Arrays of the search; those that both write are exchanged.
    long : int
        Steps in a combination after which it goes on otherwise.
    """

    def __init__(self, prog: Program, work: Work, long: int) -> None:
        self._prog, self._work, self._long = prog, work, long
        self._left_out = [int(prog.config[number]) for number in _LEAVES_OUT]
        self._favour, self._lists_first = 1.0, False
        self._frontier: Frontier | None = None
        self._begin((), 0.0)
        self._setup = 0.0
        self._others: tuple[NDArray[Any], ...] = ()
        self._laid_out: list[NDArray[Any]] = []

    def _begin(self, combo: tuple[int, ...], now: float) -> None:
        """Begin a combination of paths."""
        self._combo, self._frontier, self.refused = combo, None, False
        self._since = now
        self._frontier_had, self._other_had = 0.0, 0.0
        self._counted = [0] * len(_OWN)
        self._may_list, self._begun_at, self._next = False, 0.0, _TURN
        self._wait = 0.0 if self._lists_first else _TURN

    @property
    def lists(self) -> bool:
        """Whether the other search leaves out nothing, where it could."""
        return any(self._left_out) and not any(self._prog.config[number] for number in _LEAVES_OUT)

    def goes_on(self) -> bool:
        """Tell whether the combination at hand is one where the frontier has been asked for, and is laid out.

        When all are done, what stands there is the first one again.
        """
        state = self._work.st
        if state[op.PHASE] == op.P_DONE:
            return False
        return state[op.STEPS] > 0 and tuple(self._work.combo.tolist()) == self._combo

    def is_due(self) -> bool:
        """Tell whether it is the frontier's turn, in the combination at hand, while the other search goes on."""
        moment = now()
        combo = tuple(self._work.combo.tolist())
        if combo != self._combo:
            if self._frontier is not None:  # which has lost
                self._favour = max(_LEAST_FAVOUR, self._favour / 2)
            self._begin(combo, moment)
        else:
            self._other_had += moment - self._since
        self._since = moment
        return not self.refused and self._has_time(self._setup if self._frontier is None else 0.0)

    def _has_time(self, more: float) -> bool:
        favour = self._favour if self._work.st[op.CONDITIONS] > 0 else _FAVOUR * self._favour
        return self._frontier_had + more <= favour * self._other_had + min(favour, 1.0) * _TURN

    def begin(self, data: Paths, late: Callable[[], bool]) -> Frontier | None:
        """Begin a turn of the frontier: keep what the other search has in arrays that the frontier uses.

        Parameters
        ----------
        data : Paths
        late : callable
            Asked now and then whether the time is up.

        Returns
        -------
        Frontier or None
            None where it cannot search this combination.

        Raises
        ------
        Timeout
            Where the time is up.
        """
        from enumerator.search.frontier import make_frontier

        work = self._work
        self._others = tuple(array.copy() for array in (work.source, work.val, work.forced, work.st))
        reads, items = work.st[op.READS], work.st[op.ITEMS]
        laid_out = [array[:reads].copy() for array in (work.reads, work.n_sources, work.sources)]
        laid_out.append(work.item_write[:items].copy())
        if self._frontier is None:
            self._frontier, self._laid_out = make_frontier(self._prog, data, work, late), laid_out
            self.has_time()
            self._setup = self._frontier_had
        elif not all(map(np.array_equal, laid_out, self._laid_out)):
            self._frontier = None  # it was made for other numbers
        self.refused = self._frontier is None
        work.forced[:] = op.UNKNOWN_ID
        for counter, counted in zip(_OWN, self._counted, strict=True):
            work.st[counter] += counted
        return self._frontier

    def has_time(self) -> bool:
        """Tell whether the frontier may go on."""
        moment = now()
        self._frontier_had += moment - self._since
        self._since = moment
        return self._has_time(0.0)

    def end(self) -> None:
        """End a turn of the frontier, which has not come to its end; the other search stands where it stood."""
        work, (source, values, forced, state) = self._work, self._others
        states = work.st[op.STATES]
        self._counted = [int(work.st[counter] - state[counter]) for counter in _OWN]
        work.source[:], work.val[:], work.forced[:], work.st[:] = source, values, forced, state
        work.st[op.STATES] = states
        self._since = now()

    def won(self) -> None:
        """Note that the frontier has come to its end: the combination is done."""
        state = self._work.st
        if self._other_had > 0:
            self._favour, self._lists_first = min(_MOST_FAVOUR, 2 * self._favour), False
        self._frontier = None
        state[op.PHASE], state[op.DEPTH], state[op.CHOICES], state[op.SINGLE] = op.P_COMBO, -1, 1, 0
        self._leave_out(True)

    # The other search -----------------------------------------------------------------------------------------

    def may_list(self) -> None:
        """Note that what keeps the combination at hand from going on in lanes may be that something is left out."""
        self._may_list = any(self._left_out) and not self.lists and self.goes_on()

    def change(self) -> bool:
        """Let the other search begin the combination anew in its other way, if this one takes long."""
        if not (self._may_list and self.goes_on() and self._other_had - self._begun_at > self._wait):
            return False
        if not self.lists:
            self._next *= 2
        self._begun_at, self._wait = self._other_had, self._next
        self._restart(self.lists)
        return True

    def list_no_more(self) -> bool:
        """Let the other search begin anew and leave out what it can, if it lists and that gains nothing here."""
        if not self.lists:
            return False
        self._may_list = False
        self._restart(True)
        return True

    def leave(self) -> bool:
        """Let the other search leave out what it can again, if it has listed a combination and is at another one."""
        if not self.lists or self.goes_on():
            return False
        self._restart(True)
        return True

    def done(self) -> None:
        """Note that the other search has come to the end of the combination, in lanes."""
        self._lists_first = self.lists
        self._leave_out(True)

    def _restart(self, leave_out: bool) -> None:
        state = self._work.st
        self._leave_out(leave_out)
        state[op.EXPLORED] = state[op.BEGUN]
        state[op.PHASE], state[op.SINGLE], state[op.LONG] = op.P_SETUP, 0, self._long

    def _leave_out(self, leave_out: bool) -> None:
        for number, left_out in zip(_LEAVES_OUT, self._left_out, strict=True):
            self._prog.config[number] = left_out if leave_out else 0
