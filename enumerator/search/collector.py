"""What a search finds: states, counts, flags and records; and what kernels stop for, as only Python has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.program.flags import is_undefined_behaviour, with_ub
from enumerator.request import Candidate, Outcomes, Record
from enumerator.results.table import StateTable
from enumerator.results.truth import truth
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.layout import Findings, Records, Work
from enumerator.search.problem import Problem
from enumerator.search.symmetry import Found, Orbit, expand
from enumerator.unfold.named import refuse_parts

__all__ = ["OUT_OF_THIN_AIR", "Collector"]

OUT_OF_THIN_AIR = "values out of thin air range over the constants of the test"


class Collector:
    """The states, counts, flags and recorded executions of a search, which grow as kernels need room.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    findings : Findings
        The arrays that kernels add to.
    records : Records
        Room for executions that are kept.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._state = problem.work.st
        functions = problem.lowered.functions
        self.findings = Findings(
            keys=functions.keys,
            results=functions.results,
            states=np.zeros((64, problem.columns), dtype=np.int32),
            counts=np.zeros(64, dtype=np.int64),
            raised=np.zeros(64, dtype=np.uint64),
            index=np.full(256, -1, dtype=np.int32),
            row=np.zeros(problem.columns, dtype=np.int64),
        )
        self.records: Any = self._make_records(16 if problem.request.record else 1)
        # What has been taken out of the kernels' counts, which are words: per state, of all, of those cut off.
        self._taken: NDArray[np.object_] = np.zeros(0, dtype=object)
        self._consistent, self._cut = 0, 0
        self._kept: list[Candidate] = []

    def _make_records(self, room: int) -> Any:
        n, orders = self._problem.lowered.most_events, 1 + len(self._problem.model.linear)
        widths = (len(self._problem.request.test.threads), n, orders * n, n)
        return Records(*(np.zeros((room, width), dtype=np.int64) for width in widths))

    @property
    def states(self) -> int:
        """How many states there are."""
        return int(self._state[op.STATES])

    @property
    def undefined(self) -> bool:
        """Whether some execution has ended in undefined behaviour."""
        ended, names = int(self._problem.work.flags[1]), self._problem.lowered.ends
        return any(is_undefined_behaviour(name) and ended >> bit & 1 for bit, name in enumerate(names))

    # What kernels stop for --------------------------------------------------------------------------------------

    def attend(self, stop: int, work: Work) -> tuple[str, bool] | None:
        """Do what a kernel stopped for, so that it can go on.

        Parameters
        ----------
        stop : int
            Why it stopped.
        work : Work
            The arrays it works on.

        Returns
        -------
        (str, bool) or None
            The status of the search, and whether a state decides, where that ends it.
        """
        if stop == op.NEEDS_VALUE:
            function, base = map(int, work.missing)
            functions = self._problem.lowered.functions
            functions.compute(function, tuple(int(work.val[base + read]) for read in functions.reads[function]))
            if functions.keys is not self.findings.keys:
                self.findings = self.findings._replace(keys=functions.keys, results=functions.results)
        elif stop == op.NEEDS_STATES:
            self._grow()
        elif stop == op.NEEDS_TALLY:
            self._tally()
        elif stop == op.NEEDS_RECORDS:
            self._drain()
        elif stop == op.NEW_STATE:
            if self._decides(self.findings.states[self.states - 1].tolist()):
                return "complete", True
        else:
            assert stop == op.AT_LIMIT
            return "limit", False
        return None

    def _decides(self, row: Sequence[int]) -> bool:
        decided = self._problem.request.decided
        if decided is None:
            return False
        if self._problem.lowered.joined:
            row = self._joined(np.array([row], dtype=np.int64))[0].tolist()
        values = tuple(map(self._problem.lowered.values.value, row))
        if self._problem.hides_assert:
            return values[-1] == 0 and decided(values[:-1])
        return decided(values)

    def _grow(self) -> None:
        old = self.findings
        self.findings = old._replace(
            states=_doubled(old.states),
            counts=_doubled(old.counts),
            raised=_doubled(old.raised),
            index=np.full(8 * len(old.states), -1, dtype=np.int32),
        )
        kernels.index_states(self.states, self.findings)

    def _tally(self) -> None:
        """Take the counts out of the kernels: with many symmetric threads they outgrow words."""
        self._taken = self._whole_counts().astype(object)
        self._consistent += int(self._state[op.CONSISTENT])
        self._cut += int(self._state[op.CUT])
        self.findings.counts[:] = 0
        self._state[op.CONSISTENT] = self._state[op.CUT] = 0

    def _whole_counts(self) -> NDArray[np.generic]:
        """Give the counts of the states: words, unless some had to be taken out of the kernels."""
        counts: NDArray[np.generic] = self.findings.counts[: self.states]
        if not len(self._taken):
            return counts
        whole: NDArray[Any] = counts.astype(object)
        whole[: len(self._taken)] += self._taken
        return whole

    def _drain(self) -> None:
        """Take the recorded executions out of the kernels' room."""
        for number in range(int(self._state[op.RECORDS])):
            self._keep(tuple(array[number] for array in self.records))
        self._state[op.RECORDS] = 0

    def _keep(self, record: Record) -> None:
        self._kept.append(self._candidate(*record))

    def _executions(self) -> Sequence[Candidate]:
        return tuple(self._kept)

    def _candidate(self, *record: NDArray[np.int64]) -> Candidate:
        combo, sources, places, values = record
        arrays, known = self._problem.data, self._problem.lowered.values
        paths = [int(first + number) for first, number in zip(arrays.thread_first, combo, strict=True)]
        spans = [range(int(arrays.p_event[path]), int(arrays.p_event[path + 1])) for path in paths]
        located = [int(arrays.e_loc[event]) for span in spans for event in span]
        initial = sorted({place for place in located if place >= 0})
        locations = [*initial, *located]
        orders: dict[int, list[tuple[int, int]]] = {place: [] for place in initial}
        for event, place in enumerate(locations):
            if place >= 0 and places[event] >= 0:
                orders[place].append((int(places[event]), event))
        return Candidate(
            paths=tuple(int(number) for number in combo),
            reads_from=tuple(
                (int(sources[event]), event) for event in range(len(locations)) if int(sources[event]) >= 0
            ),
            orders=tuple(tuple(event for _, event in sorted(orders[place])) for place in initial),
            values=tuple(known.value(max(int(values[event]), 0)) for event in range(len(locations))),
            chosen=self._chosen(places.reshape(-1, len(sources))[1:], locations),
        )

    def _chosen(self, places: NDArray[np.int64], locations: Sequence[int]) -> tuple[frozenset[object], ...]:
        """Give the pairs of the chosen orders, from the places of events in each."""
        found: dict[int, frozenset[object]] = {}
        for (number, *_, by_location), row in zip(self._problem.model.linear, places.tolist(), strict=True):
            placed = sorted((row[event], event) for event in range(len(locations)) if row[event] >= 0)
            found[number] = frozenset(
                (a, b)
                for at, (place, a) in enumerate(placed)
                for _, b in placed[at + 1 :]
                if not by_location or locations[a] == locations[b]
            )
        return tuple(found.get(number, frozenset()) for number in range(max(found, default=-1) + 1))

    # What was found ---------------------------------------------------------------------------------------------

    def replace_states(self, rows: NDArray[Any], counts: NDArray[Any], raised: NDArray[Any]) -> None:
        """Put what parts of a search found together in the place of what is here."""
        self.findings = self.findings._replace(states=rows, counts=counts, raised=raised)
        self._state[op.STATES] = len(rows)

    def forget(self) -> None:
        """Begin to count anew."""
        for counter in (op.EXPLORED, op.REFUSED, op.CONSISTENT, op.CUT, op.CYCLIC, op.STATES):
            self._state[counter] = 0
        self._problem.work.flags[1] = self._problem.work.flags[3] = 0
        self.findings.index[:] = -1

    def _expanded(self, late: Callable[[int], bool]) -> tuple[NDArray[Any], NDArray[np.generic], NDArray[Any], bool]:
        """Give the states, for all arrangements of threads: rows, counts, flags, and whether these are all."""
        rows, raised = self.findings.states[: self.states], self.findings.raised[: self.states]
        counts, symmetric = self._whole_counts(), self._problem.symmetric
        if not symmetric:
            return rows, counts, raised, True
        # Flags are the same in all arrangements: they go before the columns that are there for the arrangements only.
        names, flags = self._problem.lowered.asked, len(self._problem.prog.shown)
        held = len(self._problem.data.obs_thread)
        rows = np.column_stack([rows[:, :names], rows[:, held:], rows[:, names:held]])
        moved = [
            Orbit(each.threads, tuple(tuple(c + flags * (c >= names) for c in columns) for columns in each.columns))
            for each in symmetric
        ]
        found, whole = expand(Found(rows, counts, raised), tuple(moved), names + flags, late)
        return found.rows, found.counts, found.raised, whole

    def _joined(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Join what the cells hold of which a name consists: a column for each name, then those of the flags."""
        values = self._problem.lowered.values
        columns: list[NDArray[Any]] = []
        at = 0
        for first, named in self._problem.lowered.joined:
            columns += [rows[:, column] for column in range(at, first)]
            at = first + len(named.cells)
            held, places = np.unique(rows[:, first:at], axis=0, return_inverse=True)
            numbers = [values.number(named.value([values.value(number) for number in row])) for row in held.tolist()]
            columns.append(np.array(numbers, dtype=np.int64)[places.reshape(-1)])
        columns += [rows[:, column] for column in range(at, rows.shape[1])]
        return np.column_stack(columns)

    def outcomes(self, status: str, stopped: bool, notes: tuple[str, ...], late: Callable[[int], bool]) -> Outcomes:
        """Give what was found.

        Parameters
        ----------
        status : {'complete', 'timeout', 'limit'}
        stopped : bool
            A state decided.
        notes : tuple of str
        late : callable
            Asked whether so many states more are too many for the time that is left.

        Returns
        -------
        Outcomes
        """
        self._drain()
        problem, state = self._problem, self._state
        rows, counts, raised, whole = self._expanded(late)
        beside = np.uint64(0)  # flags of executions without a state
        if problem.hides_assert:
            failed = rows[:, -1] == problem.prog.config[op.C_TRUE]
            beside = np.bitwise_or.reduce(raised[failed], initial=np.uint64(0))
            rows, counts, raised = rows[~failed, :-1], counts[~failed], raised[~failed]
        if problem.lowered.joined:
            rows, places = np.unique(self._joined(rows), axis=0, return_inverse=True)
            merged, flagged = np.zeros(len(rows), dtype=counts.dtype), np.zeros(len(rows), dtype=raised.dtype)
            np.add.at(merged, places, counts)
            np.bitwise_or.at(flagged, places, raised)
            counts, raised = merged, flagged
        parts = problem.lowered.values.parts_of_pointers()
        if parts and not parts.isdisjoint(rows.ravel().tolist()):
            for row in rows.tolist():
                refuse_parts(problem.request.test, problem.request.names, map(problem.lowered.values.value, row))
        if problem.request.outcomes_only:
            counts = np.zeros(len(rows), dtype=np.int64)
        states, order = StateTable.of_numbers(rows, problem.lowered.values.value, counts)
        passes = problem.request.test.condition.filter
        if passes is not None:
            raised = raised[order][truth(passes, problem.request.columns, states)[0]]
        bits = int(np.bitwise_or.reduce(raised, initial=beside)) | int(problem.work.flags[3])
        of_model = {name for bit, name in enumerate(problem.model.flags) if bits >> bit & 1}
        early = {name for bit, name in enumerate(problem.lowered.ends) if int(problem.work.flags[1]) >> bit & 1}
        return Outcomes(
            states=states,
            flags=with_ub(of_model | early),
            undefined=bool(of_model & problem.model.undefined),
            explored=int(state[op.EXPLORED]),
            consistent=self._consistent + int(state[op.CONSISTENT]),
            cut=self._cut + int(state[op.CUT]),
            status=status if whole or status != "complete" else "timeout",
            stopped=stopped,
            notes=(*((OUT_OF_THIN_AIR,) if state[op.CYCLIC] else ()), *problem.lowered.notes, *notes),
            executions=self._executions(),
            met_parts=problem.lowered.functions.met_parts,
        )


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """Give an array with room for as much again; what is new is written before it is read."""
    longer = np.empty((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
