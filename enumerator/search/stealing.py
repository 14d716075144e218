"""A search that processes share: parts of what is left are searched by forks, which give away what they can."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from enumerator.clock import now
from enumerator.frozen import dataclass
from enumerator.results.table import numbers, places
from enumerator.search import opcodes as op
from enumerator.search.driver import Driver, Ended
from enumerator.search.forks import Link, Task, can_fork, run_parts
from enumerator.search.helping import helper_of_searches
from enumerator.search.problem import Problem
from enumerator.search.strategies import Strategy
from enumerator.search.subproblems import (
    PARTS_EACH,
    WIDE,
    Found,
    Part,
    Portion,
    Stolen,
    Subproblem,
    Waiting,
    halve,
    inside,
    keep_levels,
    left_over,
    load,
    merge,
    portions,
    restrict,
    share_waiting,
    split,
)
from enumerator.search.tuning import Tuning

__all__ = ["SharedDriver"]


@dataclass(frozen=True, eq=False, slots=True)
class _Search:
    """The search of a part, for :func:`enumerator.search.forks.run_parts`."""

    driver: SharedDriver
    part: Part

    def __call__(self, link: Link) -> Found:
        return self.driver.search_part(self.part, link)


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
        self._helper = helper_of_searches()
        alone = (
            (request.jobs < 2 and self._helper is None)
            or request.record != 0
            or request.max_executions is not None
            or not can_fork()
        )
        alone |= bool(np.any(problem.data.symmetric_with >= 0))  # counts of arrangements are kept in one process
        after = tuning.share_after if request.jobs > 1 else tuning.help_after
        self._share_at = None if alone else now() + after
        self._parent: int | None = None  # the process whose search this is a part of
        self._link: Link | None = None  # the connection to it
        self._subproblem: Subproblem | None = None  # the combinations of paths that this part began with

    def _late_for(self, states: int) -> bool:
        if self._parent is not None and os.getppid() != self._parent:
            os._exit(1)  # nobody waits for this part any more
        return super()._late_for(states)

    def _pause(self, strategy: Strategy) -> Ended | None:
        ended = super()._pause(strategy)
        if ended is not None:
            return ended
        bit_parallel = self._portfolio.bit_parallel
        if strategy is not (bit_parallel or self._portfolio.backtracking):
            return None
        if self._share_at is not None and now() > self._share_at:
            return self._split_up()
        self._hand_over()
        return None

    def _split_up(self) -> Ended | None:
        """Let other processes search what is left, if it can be cut into parts, and take over what they find."""
        combo = self._problem.work.combo.tolist()
        jobs, state = max(2, self._problem.request.jobs), self._problem.work.st
        here = Subproblem(tuple((number, 1) for number in combo))
        subproblems = split(left_over(combo, self._problem.data.thread_count.tolist()), PARTS_EACH * jobs)
        bit_parallel = self._portfolio.bit_parallel
        waiting = [None] if bit_parallel is None else portions(bit_parallel.batch, jobs)
        parts = [Part(here, portion=portion, goes_on=True) for portion in waiting]
        parts += [Part(subproblem) for subproblem in subproblems]

        def more(left: Stolen) -> list[Task]:
            if left.waiting is not None:
                return [_Search(self, Part(left.subproblems[0], left.waiting))]
            return [_Search(self, Part(subproblem)) for subproblem in split(left.subproblems, jobs)]

        if len(parts) < 2:
            return None
        mine = self._found("complete", False)
        helper = self._helper(self._problem.request) if self._helper is not None else None
        tasks = [_Search(self, part) for part in parts]
        found, whole = run_parts(tasks, max(1, self._problem.request.jobs), self._deadline, more, helper)
        for part in found:
            for counter in (op.EXPLORED, op.REFUSED, op.CONSISTENT, op.CUT, op.CYCLIC):
                state[counter] += part.counters[counter]
            self._problem.work.flags[1] |= np.uint64(part.early)
            self._problem.work.flags[3] |= np.uint64(part.beside)
        self._collector.replace_states(*merge([mine, *found], self._problem.lowered.values.number))
        self._portfolio.restart()
        state[op.PHASE] = op.P_DONE
        if not whole:
            self._notes = ("a process of the search ended early",)
            return "limit", False
        late = [part.status for part in found if part.status != "complete"]
        return late[0] if late else "complete", any(part.stopped for part in found)

    def _hand_over(self) -> None:
        """Give some of what is left in this part to the process that asks for it, if there is enough."""
        if self._link is None or self._subproblem is None or not self._link.asked(self._tuning.give_after):
            return
        problem, bit_parallel = self._problem, self._portfolio.bit_parallel
        combo = problem.work.combo.tolist()
        subproblems = left_over(combo, problem.data.thread_count.tolist())
        if subproblems:
            problem.data = problem.data._replace(thread_count=problem.work.combo + 1)
            self._link.hand_over(Stolen(tuple(inside(subproblem, self._subproblem) for subproblem in subproblems)))
        elif bit_parallel is not None and (waiting := halve(bit_parallel.batch)) is not None:
            here = Subproblem(tuple((number, 1) for number in combo))
            self._link.hand_over(Stolen((inside(here, self._subproblem),), waiting))

    # Parts ------------------------------------------------------------------------------------------------------

    def search_part(self, part: Part, link: Link) -> Found:
        """Search a part in a fork."""
        if part.waiting is not None:
            return self._take_over(part.subproblem, part.waiting, link)
        return self._part(part.subproblem, part.portion, link, part.goes_on)

    def search_alone(self, part: Part, deadline: float | None, give_after: float) -> tuple[Found | None, list[Stolen]]:
        """Search a part of another machine's search, in a fork, and give away what takes long.

        Parameters
        ----------
        part : Part
        deadline : float or None
        give_after : float
            Seconds after which it begins to give away.

        Returns
        -------
        Found or None
            None where the fork died.
        list of Stolen
            What is left.
        """
        left: list[Stolen] = []

        def more(stolen: Stolen) -> list[Task]:
            left.append(stolen)
            return []

        self._deadline, self._tuning = deadline, replace(self._tuning, give_after=give_after)
        found, whole = run_parts([_Search(self, part)], 2, deadline, more, hurried=True)
        return (found[0], left) if whole and found else (None, [])

    def _begin_part(self, link: Link, subproblem: Subproblem) -> None:
        self._share_at, self._parent, self._link, self._subproblem = None, os.getppid(), link, subproblem
        self._problem.data = restrict(self._problem.data, subproblem)
        self._problem.work.combo[:] = 0
        self._collector.forget()

    def _part(self, subproblem: Subproblem, portion: Portion | None, link: Link, goes_on: bool = False) -> Found:
        """Search a part in a fork: combinations of paths from their beginning, or what is left of the one at hand."""
        self._begin_part(link, subproblem)
        portfolio = self._portfolio
        if not goes_on:
            portfolio.restart()
        if portion is None or portfolio.bit_parallel is None:
            return self._found(*self._search())
        batch = portfolio.bit_parallel.batch
        keep_levels(batch, portion.first, portion.end)
        if portion.parts == 1:
            return self._found(*self._search())
        # All shares of a portion begin alike, until there is enough to share: the first one counts that.
        status, stopped = self._search(lambda: bool(batch.waiting.max() >= WIDE), closely=True)
        if portion.part > 0 and not stopped:
            self._collector.forget()
        if status == "left":
            share_waiting(batch, portion.part, portion.parts)
            status, stopped = self._search()
        return self._found(status, stopped)

    def _take_over(self, subproblem: Subproblem, waiting: Waiting, link: Link) -> Found:
        """Search in a fork what another part has given away: candidates of a combination of paths."""
        portfolio = self._portfolio
        same = self._problem.work.combo.tolist() == [number for number, _ in subproblem.ranges]
        self._begin_part(link, subproblem)
        if portfolio.bit_parallel is None or not same:
            # Its circuit is made anew, and what comes before that is not counted.
            portfolio.restart()
            status, stopped = self._search(lambda: portfolio.bit_parallel is not None, closely=True)
            if portfolio.bit_parallel is None:
                return self._found(status, stopped)
            self._collector.forget()
        load(portfolio.bit_parallel.batch, waiting)
        return self._found(*self._search())

    def _found(self, status: str, stopped: bool) -> Found:
        count = int(self._problem.work.st[op.STATES])
        rows = self._collector.findings.states[:count]
        used = numbers(rows)
        return Found(
            status,
            stopped,
            tuple(map(self._problem.lowered.values.value, used)),
            places(rows, used),
            self._collector.findings.counts[:count].copy(),
            self._collector.findings.raised[:count].copy(),
            self._problem.work.st.copy(),
            int(self._problem.work.flags[1]),
            int(self._problem.work.flags[3]),
        )
