"""A search that processes share: parts of what is left are searched by forks, which give away what they can."""

from __future__ import annotations

import os
from functools import partial

import numpy as np

from enumerator.clock import now
from enumerator.errors import Timeout
from enumerator.request import Request
from enumerator.results.table import numbers, places
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.lower import Lowered
from enumerator.search.parallel import (
    AFTER,
    PARTS_EACH,
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
from enumerator.search.search import FIRST_STEPS, Search

__all__ = ["SharedSearch"]


class SharedSearch(Search):
    """A search that other processes take parts of once it has gone on for a while, and a part of such a search.

    Parameters
    ----------
    request : Request
    lowered : Lowered
    program : Bytecode
    deadline : float or None
        When it must end (:func:`enumerator.clock.now`).
    """

    def __init__(self, request: Request, lowered: Lowered, program: Bytecode, deadline: float | None) -> None:
        super().__init__(request, lowered, program, deadline)
        alone = request.jobs < 2 or request.record != 0 or request.max_executions is not None or not can_fork()
        alone |= bool(np.any(self._data.thread_like >= 0))  # counts of arrangements are kept in one process
        self._share_at = None if alone else now() + AFTER
        self._parent: int | None = None  # the process whose search this is a part of
        self._link: Link | None = None  # the connection to it
        self._box: Box | None = None  # the combinations of paths that this part began with

    def _late(self) -> bool:
        if self._parent is not None and os.getppid() != self._parent:
            os._exit(1)  # nobody waits for this part any more
        return super()._late()

    def _is_long(self) -> bool:
        return self._share_at is not None and self._may_share() and now() > self._share_at

    def _may_share(self) -> bool:
        """Tell whether others would lay out the combination at hand as it is laid out here."""
        return not self._turns.lists

    def _share(self) -> tuple[str, bool]:
        """Let other processes search what is left, if it can be cut into parts, and take over what they find."""
        combo = self._work.combo.tolist()
        wanted = PARTS_EACH * self._request.jobs
        here = Box(tuple((number, 1) for number in combo))
        boxes = split(left_over(combo, self._data.thread_count.tolist()), wanted)
        waiting = [None] if self._lanes is None else pieces(self._lanes, self._request.jobs)
        tasks = [partial(self._part, here, piece, goes_on=True) for piece in waiting]
        tasks += [partial(self._part, box, None) for box in boxes]

        def more(left: Left) -> list[Task]:
            if left.waiting is not None:
                return [partial(self._take_over, left.boxes[0], left.waiting)]
            return [partial(self._part, box, None) for box in split(left.boxes, self._request.jobs)]

        if len(tasks) < 2:
            return "complete", False
        mine = self._share_of("complete", False)
        found, whole = run_parts(tasks, self._request.jobs, self._deadline, more)
        for part in found:
            for counter in (op.EXPLORED, op.REFUSED, op.CONSISTENT, op.CUT, op.CYCLIC):
                self._state[counter] += part.counters[counter]
            self._flags[1] |= np.uint64(part.behaviour)
        states, counts, raised = merge([mine, *found], self._lowered.values.number)
        self._findings = self._findings._replace(states=states, counts=counts, raised=raised)
        self._state[op.STATES] = len(states)
        self._state[op.PHASE], self._lanes = op.P_DONE, None
        if not whole:
            self._notes = ("a process of the search ended early",)
            return "limit", False
        late = [part.status for part in found if part.status != "complete"]
        return late[0] if late else "complete", any(part.stopped for part in found)

    def _give(self) -> None:
        """Give some of what is left in this part to the process that asks for it, if there is enough."""
        if self._link is None or self._box is None or not self._may_share() or not self._link.asked():
            return
        combo = self._work.combo.tolist()
        boxes = left_over(combo, self._data.thread_count.tolist())
        if boxes:
            self._data = self._data._replace(thread_count=self._work.combo + 1)
            self._link.give(Left(tuple(inside(box, self._box) for box in boxes)))
        elif self._lanes is not None and (waiting := halve(self._lanes)) is not None:
            here = Box(tuple((number, 1) for number in combo))
            self._link.give(Left((inside(here, self._box),), waiting))

    def _begin_part(self, link: Link, box: Box) -> None:
        self._share_at, self._parent, self._link, self._box = None, os.getppid(), link, box
        self._data = restrict(self._data, box)
        self._work.combo[:] = 0
        self._forget()

    def _take_over(self, box: Box, waiting: Waiting, link: Link) -> Share:
        """Search in a fork what another part has given away: candidates of a combination of paths."""
        from enumerator.search.lanes import make_lanes

        same = self._work.combo.tolist() == [number for number, _ in box.ranges]
        self._begin_part(link, box)
        if self._lanes is None or not same:  # its gates are made anew, and what comes before that is not counted
            self._state[op.PHASE], self._state[op.SINGLE], self._lanes = op.P_SETUP, 0, None
            while (reason := self._steps(FIRST_STEPS)) != op.LONG_COMBINATION:
                assert reason != op.DONE
                if reason != op.PAUSED:
                    self._attend(reason)
                if self._late():
                    return self._share_of("timeout", False)
            try:
                self._lanes = make_lanes(self._prog, self._data, self._work, self._late)
            except Timeout:
                return self._share_of("timeout", False)
            self._forget()
        assert self._lanes is not None
        load(self._lanes, waiting)
        status, stopped = self._run_lanes()
        if status == "complete" and not stopped:
            status, stopped = self._scalar()
        return self._share_of(status, stopped)

    def _part(self, box: Box, piece: Piece | None, link: Link, goes_on: bool = False) -> Share:
        """Search a part in a fork: combinations of paths from their beginning, or what is left of the one at hand."""
        self._begin_part(link, box)
        status, stopped = "complete", False
        if not goes_on:
            self._state[op.PHASE], self._state[op.SINGLE], self._lanes = op.P_SETUP, 0, None
        if piece is not None and self._lanes is not None:
            keep_levels(self._lanes, piece.first, piece.end)
            # All shares of a piece begin alike, until there is enough to share: the first one counts that.
            self._widening = piece.parts > 1
            status, stopped = self._run_lanes()
            if status == "complete" and not stopped:
                status, stopped = self._scalar()
            if piece.part > 0 and not stopped:
                self._forget()
            if status == "wide":
                self._widening = False
                share_lanes(self._lanes, piece.part, piece.parts)
                status, stopped = self._run_lanes()
        if status == "complete" and not stopped:
            status, stopped = self._scalar()
        return self._share_of(status, stopped)

    def _forget(self) -> None:
        """Begin to count anew."""
        for counter in (op.EXPLORED, op.REFUSED, op.CONSISTENT, op.CUT, op.CYCLIC, op.STATES):
            self._state[counter] = 0
        self._flags[1] = 0
        self._findings.index[:] = -1

    def _share_of(self, status: str, stopped: bool) -> Share:
        count = int(self._state[op.STATES])
        rows = self._findings.states[:count]
        used = numbers(rows)
        return Share(
            status,
            stopped,
            tuple(map(self._lowered.values.value, used)),
            places(rows, used),
            self._findings.counts[:count].copy(),
            self._findings.raised[:count].copy(),
            self._state.copy(),
            int(self._flags[1]),
        )
