"""What is kept of executions that have grown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from enumerator.request import Candidate, Record, Recorded, Size
from enumerator.search import opcodes as op
from enumerator.search.collector import Collector
from enumerator.search.grown_arrays import integers
from enumerator.search.grown_paths import GrownPaths
from enumerator.search.layout import GrownRecords
from enumerator.search.problem import Problem
from enumerator.search.tries import GrownTries
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Location

__all__ = ["GrownCollector"]

_READ = "RWFB".index("R")


class GrownCollector(Collector):
    """Numbers the events of executions that are kept thread by thread, as everybody else does."""

    def __init__(self, problem: Problem, tries: GrownTries, most_events: int) -> None:
        self._tries, self._most_events = tries, most_events
        self._paths = GrownPaths(tries)
        self._recorded: list[Record] = []
        self._unfolded: dict[tuple[int, ...], Unfolded] = {}  # by the paths of an execution
        super().__init__(problem)

    def widen(self, most_events: int) -> None:
        """Make room for executions with more events."""
        self._drain()
        self._most_events = most_events
        self.records = self._make_records(len(self.records.combo))

    def _make_records(self, room: int) -> GrownRecords:
        shape = (room, self._most_events)
        threads = len(self._problem.request.test.threads)
        arrays: dict[str, NDArray[np.int64]] = {name: integers(*shape) for name in GrownRecords._fields}
        arrays |= {"combo": integers(room, threads), "count": integers(room)}
        return GrownRecords(**arrays)

    def _candidate(self, *record: NDArray[np.int64]) -> Candidate:
        combo, sources, places, values, threads, indices, events, count = record
        locations, known = self._tries.locations, self._problem.lowered.values
        of_events = [known.value(max(int(value), 0)) for value in values[: int(count)]]
        located, paths = self._tries.events.columns.arrays["e_loc"], list[int]()
        of_threads = [event for event in range(int(count)) if threads[event] >= 0]
        accessed = {int(located[events[event]]) for event in of_threads}  # others may have initial writes, too
        initial = {
            locations[int(indices[event])]: event
            for event in range(int(count))
            if threads[event] < 0 and int(indices[event]) in accessed
        }
        ordered = [initial[location] for location in sorted(initial)]
        ordered += sorted(of_threads, key=lambda e: (int(threads[e]), int(indices[e])))
        number = {event: position for position, event in enumerate(ordered)}
        for thread, end in enumerate(map(int, combo)):
            mine = [event for event in ordered if threads[event] == thread]
            paths.append(self._paths.find(thread, end, [int(events[e]) for e in mine], [of_events[e] for e in mine]))
        orders: dict[Location | None, list[tuple[int, int]]] = {location: [] for location in sorted(initial)}
        for event in ordered:
            if places[event] >= 0:
                location = locations[int(indices[event] if threads[event] < 0 else located[events[event]])]
                orders[location].append((int(places[event]), number[event]))
        taken = tuple(paths)
        if taken not in self._unfolded:
            of_thread = zip(self._paths.of_thread, taken, strict=True)
            self._unfolded[taken] = self._tries.unfolded([[options[number]] for options, number in of_thread])
        return Candidate(
            paths=(0,) * len(taken),
            unfolded=self._unfolded[taken],
            reads_from=tuple(
                (number[int(sources[event])], number[event]) for event in ordered if int(sources[event]) >= 0
            ),
            orders=tuple(tuple(event for _, event in sorted(placed)) for placed in orders.values()),
            values=tuple(of_events[event] for event in ordered),
        )

    def _keep(self, record: Record) -> None:
        self._recorded.append(tuple(np.array(each) for each in record))  # the room is written to again

    def _executions(self) -> Sequence[Candidate]:
        return Recorded(self._recorded, lambda record: self._candidate(*record), self._size) if self._recorded else ()

    def _size(self, record: Record) -> Size:
        """Tell how much there is to read in an execution; see :attr:`.Ending.size`."""
        _, sources, _, values, threads, indices, events, count = (np.asarray(each) for each in record)
        n = int(count)
        sources, values, threads, indices, events = (each[:n] for each in (sources, values, threads, indices, events))
        columns = self._tries.events.columns.arrays
        mine = threads >= 0
        instances = events[mine]
        initial = np.isin(indices[~mine], columns["e_loc"][instances])
        undef = (columns["e_kind"][instances] == _READ) & (values[mine] <= op.UNDEF_ID)
        reads = np.flatnonzero(sources >= 0)
        across = threads[sources[reads]] != threads[reads]
        return len(instances) + int(initial.sum()), int(undef.sum()), int(across.sum())
