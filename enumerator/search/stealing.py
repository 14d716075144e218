"""A search that processes share: parts of what is left are searched by forks, which give away what they can."""

from __future__ import annotations

import os
from functools import partial

import numpy as np

from enumerator.clock import now
from enumerator.results.table import numbers, places
from enumerator.search import opcodes as op
from enumerator.search.driver import Driver, Ended
from enumerator.search.problem import Problem
from enumerator.search.strategies import Strategy
from enumerator.search.subproblems import (
    PARTS_EACH,
    WIDE,
    Box,
    Left,
    Link,
    Piece,
    Share,
    Task,
    Waiting,
    can_fork,
    halve,
    inside,
    keep_levels,
    left_over,
    load,
    merge,
    pieces,
    restrict,
    run_parts,
    share_lanes,
    split,
)
from enumerator.search.tuning import Tuning

__all__ = ["SharedDriver"]


class SharedDriver(Driver):
    """A search that other processes take parts of once it has gone on for a while, and a part of such a search.

    Parameters
    ----------
    problem : Problem
    tuning : Tuning
    deadline : float or None
        When it must end (:func:`enumerator.clock.now`).
    """

    def __init__(self, problem: Problem, tuning: Tuning, deadline: float | None) -> None:
        super().__init__(problem, tuning, deadline)
        request = problem.request
        alone = request.jobs < 2 or request.record != 0 or request.max_executions is not None or not can_fork()
        alone |= bool(np.any(problem.data.thread_like >= 0))  # counts of arrangements are kept in one process
        self._share_at = None if alone else now() + tuning.share_after
        self._parent: int | None = None  # the process whose search this is a part of
        self._link: Link | None = None  # the connection to it
        self._box: Box | None = None  # the combinations of paths that this part began with

    def _late_for(self, states: int) -> bool:
        if self._parent is not None and os.getppid() != self._parent:
            os._exit(1)  # nobody waits for this part any more
        return super()._late_for(states)

    def _pause(self, strategy: Strategy) -> Ended | None:
        bit_parallel = self._portfolio.bit_parallel
        if strategy is not (bit_parallel or self._portfolio.backtracking):
            return None
        if self._share_at is not None and now() > self._share_at:
            return self._share()
        self._give()
        return None

    def _share(self) -> Ended | None:
        """Let other processes search what is left, if it can be cut into parts, and take over what they find."""
        combo = self._problem.work.combo.tolist()
        jobs, state = self._problem.request.jobs, self._problem.work.st
        here = Box(tuple((number, 1) for number in combo))
        boxes = split(left_over(combo, self._problem.data.thread_count.tolist()), PARTS_EACH * jobs)
        bit_parallel = self._portfolio.bit_parallel
        waiting = [None] if bit_parallel is None else pieces(bit_parallel.lanes, jobs)
        tasks = [partial(self._part, here, piece, goes_on=True) for piece in waiting]
        tasks += [partial(self._part, box, None) for box in boxes]

        def more(left: Left) -> list[Task]:
            if left.waiting is not None:
                return [partial(self._take_over, left.boxes[0], left.waiting)]
            return [partial(self._part, box, None) for box in split(left.boxes, jobs)]

        if len(tasks) < 2:
            return None
        mine = self._share_of("complete", False)
        found, whole = run_parts(tasks, jobs, self._deadline, more)
        for part in found:
            for counter in (op.EXPLORED, op.REFUSED, op.CONSISTENT, op.CUT, op.CYCLIC):
                state[counter] += part.counters[counter]
            self._problem.work.flags[1] |= np.uint64(part.behaviour)
        self._collector.replace_states(*merge([mine, *found], self._problem.lowered.values.number))
        self._portfolio.restart()
        state[op.PHASE] = op.P_DONE
        if not whole:
            self._notes = ("a process of the search ended early",)
            return "limit", False
        late = [part.status for part in found if part.status != "complete"]
        return late[0] if late else "complete", any(part.stopped for part in found)

    def _give(self) -> None:
        """Give some of what is left in this part to the process that asks for it, if there is enough."""
        if self._link is None or self._box is None or not self._link.asked(self._tuning.give_after):
            return
        problem, bit_parallel = self._problem, self._portfolio.bit_parallel
        combo = problem.work.combo.tolist()
        boxes = left_over(combo, problem.data.thread_count.tolist())
        if boxes:
            problem.data = problem.data._replace(thread_count=problem.work.combo + 1)
            self._link.give(Left(tuple(inside(box, self._box) for box in boxes)))
        elif bit_parallel is not None and (waiting := halve(bit_parallel.lanes)) is not None:
            here = Box(tuple((number, 1) for number in combo))
            self._link.give(Left((inside(here, self._box),), waiting))

    # Parts ------------------------------------------------------------------------------------------------------

    def _begin_part(self, link: Link, box: Box) -> None:
        self._share_at, self._parent, self._link, self._box = None, os.getppid(), link, box
        self._problem.data = restrict(self._problem.data, box)
        self._problem.work.combo[:] = 0
        self._collector.forget()

    def _part(self, box: Box, piece: Piece | None, link: Link, goes_on: bool = False) -> Share:
        """Search a part in a fork: combinations of paths from their beginning, or what is left of the one at hand."""
        self._begin_part(link, box)
        portfolio = self._portfolio
        if not goes_on:
            portfolio.restart()
        if piece is None or portfolio.bit_parallel is None:
            return self._share_of(*self._search())
        lanes = portfolio.bit_parallel.lanes
        keep_levels(lanes, piece.first, piece.end)
        if piece.parts == 1:
            return self._share_of(*self._search())
        # All shares of a piece begin alike, until there is enough to share: the first one counts that.
        status, stopped = self._search(until=lambda: bool(lanes.lanes.max() >= WIDE))
        if piece.part > 0 and not stopped:
            self._collector.forget()
        if status == "left":
            share_lanes(lanes, piece.part, piece.parts)
            status, stopped = self._search()
        return self._share_of(status, stopped)

    def _take_over(self, box: Box, waiting: Waiting, link: Link) -> Share:
        """Search in a fork what another part has given away: candidates of a combination of paths."""
        portfolio = self._portfolio
        same = self._problem.work.combo.tolist() == [number for number, _ in box.ranges]
        self._begin_part(link, box)
        if portfolio.bit_parallel is None or not same:
            # Its circuit is made anew, and what comes before that is not counted.
            portfolio.restart()
            status, stopped = self._search(until=lambda: portfolio.bit_parallel is not None)
            if portfolio.bit_parallel is None:
                return self._share_of(status, stopped)
            self._collector.forget()
        load(portfolio.bit_parallel.lanes, waiting)
        return self._share_of(*self._search())

    def _share_of(self, status: str, stopped: bool) -> Share:
        count = int(self._problem.work.st[op.STATES])
        rows = self._collector.findings.states[:count]
        used = numbers(rows)
        return Share(
            status,
            stopped,
            tuple(map(self._problem.lowered.values.value, used)),
            places(rows, used),
            self._collector.findings.counts[:count].copy(),
            self._collector.findings.raised[:count].copy(),
            self._problem.work.st.copy(),
            int(self._problem.work.flags[1]),
        )
