"""What is kept of executions that have grown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from enumerator.request import Candidate, Outcomes
from enumerator.search.collector import Collector
from enumerator.search.grown_arrays import integers
from enumerator.search.grown_paths import GrownPaths
from enumerator.search.layout import GrownRecords
from enumerator.search.problem import Problem
from enumerator.search.tries import GrownTries
from enumerator.unfold.paths import Location

__all__ = ["GrownCollector"]


class GrownCollector(Collector):
    """Numbers the events of executions that are kept thread by thread, as everybody else does."""

    def __init__(self, problem: Problem, tries: GrownTries, most_events: int) -> None:
        self._tries, self._most_events = tries, most_events
        self._paths = GrownPaths(tries)
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
            taken = [int(events[event]) for event in mine], [of_events[event] for event in mine]
            paths.append(self._paths.find(thread, end, *taken))
        orders: dict[Location | None, list[tuple[int, int]]] = {location: [] for location in sorted(initial)}
        for event in ordered:
            if places[event] >= 0:
                location = locations[int(indices[event] if threads[event] < 0 else located[events[event]])]
                orders[location].append((int(places[event]), number[event]))
        return Candidate(
            paths=tuple(paths),
            reads_from=tuple(
                (number[int(sources[event])], number[event]) for event in ordered if int(sources[event]) >= 0
            ),
            orders=tuple(tuple(event for _, event in sorted(placed)) for placed in orders.values()),
            values=tuple(of_events[event] for event in ordered),
        )

    def outcomes(self, status: str, stopped: bool, notes: tuple[str, ...], late: Callable[[int], bool]) -> Outcomes:
        """Give what was found, executions with the paths that they take."""
        found = super().outcomes(status, stopped, notes, late)
        unfolded = self._tries.unfolded(self._paths.of_thread)
        return replace(found, executions=tuple(replace(each, unfolded=unfolded) for each in found.executions))
