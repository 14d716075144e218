"""Outcomes alone: from the state of backtracking to a search that takes candidates with one future once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.circuit import final_signals, ground_paths, has_state
from enumerator.search.collector import Collector
from enumerator.search.layout import Findings, Paths, Work
from enumerator.search.problem import Problem

__all__ = ["Memoized", "make_memoized"]

_MOST_OPTIONS = 64
"""Options are bits of a word."""

_MOST_DECIDED = 120
"""Items and options are bytes, of which one value stands for what is not decided."""

_MOST_OPERATIONS = 1 << 20

_WAITING_BYTES = 1 << 26

_LAID_OUT, _EVALUATIONS, _KEYS = 40, 8, 40
"""Word operations, about, to lay out an operation; for one on a word of a block; for each read of a candidate."""

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


class Memoized:
    """The search through one combination of paths: candidates that wait, level by level, and the operations of the
    axioms.

    A candidate is a column of bytes: the place of each item in its location's order, the option of each read, and the
    item that each location's order ends with; 255 is what is not decided. What outcomes may show of an order, its last
    write, is decided first; then what reads read; then the orders, from the first write on, each read-modify-write
    reading as soon as it has its place.

    Parameters
    ----------
    problem : Problem
    collector : Collector
    arrays : Work
        In the middle of a combination; it is this search's own.
    of_location : mapping of int to list of int
        The items of each location.
    circuit : int32 array, shape (circuit, 4)
    signals : int
    bad : int32 array
        Signals that are true where an axiom fails.
    inputs : list of (signal, 0, read, option) or (signal, 1, item, item)
        The latter for the first item before the second.
    flag_signals : list of (signal, bit)
    final_signals : list of (number of the observed name, signal, write)
    end : int
        How the combination ends (:func:`enumerator.search.kernels.bit_parallel.ending`).
    """

    first_steps = most_steps = growth = 1

    def __init__(
        self,
        problem: Problem,
        collector: Collector,
        arrays: Work,
        of_location: dict[int, list[int]],
        circuit: NDArray[np.int32],
        signals: int,
        bad: NDArray[np.int32],
        inputs: list[tuple[int, int, int, int]],
        flag_signals: list[tuple[int, int]],
        final_signals: list[tuple[int, int, int]],
        end: int,
    ) -> None:
        prog, data, work = problem.prog, problem.data, arrays
        reads, items, n = (int(work.st[number]) for number in (op.READS, op.ITEMS, op.EVENTS))
        locations = len(work.slot_first)
        self._prog, self._data, self.arrays, self._end = prog, data, work, end
        self._collector, self._shared = collector, problem.work.st
        self.work = _LAID_OUT * len(circuit)
        for counter in (op.EXPLORED, op.CONSISTENT, op.CUT):
            work.st[counter] = 0
        work.forced[:] = op.UNKNOWN_ID
        self._circuit, self._bad = circuit, bad
        self._inputs = np.array(inputs, dtype=np.int32).reshape(-1, 4)
        self._flag_signals = np.array(flag_signals, dtype=np.int32).reshape(-1, 2)
        self._final_signals = np.array(final_signals, dtype=np.int32).reshape(-1, 3)
        outputs = {*bad.tolist(), *self._flag_signals[:, 0].tolist(), *self._final_signals[:, 1].tolist()} - {0, 1}
        self._outputs = np.array(sorted(outputs), dtype=np.int32)
        self._reads, self._n_sources = work.reads[:reads].copy(), work.n_sources[:reads].copy()
        self._read_signal = np.full((reads + 1, max(1, int(self._n_sources.max(initial=0)))), -1, dtype=np.int64)
        for signal, kind, k, option in inputs:
            if kind == 0:
                self._read_signal[k, option] = signal
        self._slot, self._before, self._after = (
            array[:items].copy() for array in (work.item_slot, work.item_before, work.item_after)
        )
        self._item_read = np.full(items, -1, dtype=np.int64)
        for k, item in enumerate(work.read_item[:reads].tolist()):
            if item >= 0:
                self._item_read[item] = k
        self._members = np.zeros((locations, _MOST_OPTIONS), dtype=np.int64)
        self._n_members = np.zeros(locations, dtype=np.int64)
        for slot, inside in of_location.items():
            self._members[slot, : len(inside)] = inside
            self._n_members[slot] = len(inside)
        self._levels = _levels(data, reads, of_location, self._item_read)
        self._tests, self._shown = _tests(data, work), _shown(data, work)
        self._event_read = np.full(n, -1, dtype=np.int64)
        self._event_read[self._reads] = np.arange(reads)
        self._write_first, self._write_reads = _written(data, work)
        width = items + reads + locations
        room = max(2 * op.BATCH, min(1 << 15, _WAITING_BYTES // ((width + 8) * (len(self._levels) + 1))))
        self._waiting = np.zeros((len(self._levels), room, width), dtype=np.uint8)
        self._options = np.zeros((len(self._levels), room), dtype=np.uint64)
        self._count = np.zeros(len(self._levels), dtype=np.int64)
        self._block = np.full((width, op.BATCH), 255, dtype=np.uint8)
        self._masks, self._fate = np.zeros(op.BATCH, dtype=np.uint64), np.zeros(op.BATCH, dtype=np.int64)
        self._vals = np.zeros((op.BATCH, n), dtype=np.int64)
        self._chosen = np.zeros((op.BATCH, reads), dtype=np.int64)
        self._needed, self._todo = np.zeros(n, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
        self._keys = np.zeros((op.BATCH, 2), dtype=np.uint64)
        self._table, self._found = np.zeros((1 << 12, 2), dtype=np.uint64), np.zeros(1, dtype=np.int64)
        self._noise = np.random.default_rng(1).integers(0, 1 << 64, size=(signals, 2, 2), dtype=np.uint64)
        self._T, self._P, self._N, self._L = (np.zeros((signals, op.BATCH_WORDS), dtype=np.uint64) for _ in range(4))
        self._T[1] = self._P[1] = ~np.uint64(0)
        self._level, self._filled, self._cursor, self._loaded = -1, 1, np.zeros(1, dtype=np.int64), False
        # The first block is a candidate that has decided nothing.
        self._look_at_block()

    @property
    def candidates(self) -> int:
        """How many candidates have waited so far."""
        return int(self._found[0])

    def _look_at_block(self) -> None:
        """Compute for the candidates in the block what is settled, and the keys, but for values."""
        T, P, L, candidates, words = self._T, self._P, self._L, self._filled, (self._filled + 63) >> 6
        kernels.fill_block(self._inputs, self._block, self._slot, len(self._reads), T, P, candidates)
        kernels.evaluate_both(self._circuit, T, P, words)
        kernels.refute(self._circuit, self._bad, T, P, self._N, words)
        if kernels.rule_out(self._inputs, T, P, self._N, words):
            kernels.evaluate_both(self._circuit, T, P, words)
        kernels.settle(self._bad, self._outputs, T, P, candidates, self._fate)
        kernels.look_back(self._circuit, self._outputs, T, P, L, words)
        kernels.signal_keys(T, P, L, self._noise, candidates, self._keys)
        self._cursor[0], self._loaded = 0, False
        self.work += _EVALUATIONS * len(self._circuit) * words + _KEYS * candidates * len(self._reads)

    def give_counts(self, state: Ints) -> None:
        """Add the executions that were counted here to those of the whole search."""
        for counter in (op.EXPLORED, op.CONSISTENT, op.CUT):
            state[counter] += self.arrays.st[counter]

    def advance(self, steps: int) -> int:
        """Go on by a block of candidates; see :class:`~enumerator.search.strategies.Strategy`."""
        state, shared = self.arrays.st, self._shared
        state[op.STATES] = shared[op.STATES]
        stop = self._advance(self._collector.findings)
        shared[op.STATES] = state[op.STATES]
        explored = int(shared[op.EXPLORED] + state[op.EXPLORED])
        return op.AT_LIMIT if stop == op.PAUSED and 0 <= shared[op.LIMIT] <= explored else stop

    def _advance(self, findings: Findings) -> int:
        data, work, cursor, candidates = self._data, self.arrays, self._cursor, self._filled
        fate, vals, chosen, masks = self._fate, self._vals, self._chosen, self._masks
        if not self._loaded:
            items, block = len(self._slot), self._block
            if not kernels.load_values(data, work, cursor, candidates, block, items, fate, vals, chosen, findings):
                return op.NEEDS_VALUE
            cursor[0], self._loaded = 0, True
        below = self._level + 1
        reason = int(
            kernels.take_outcomes(
                self._prog, data, work, cursor, candidates, self._end, below == len(self._levels), self._flag_signals,
                self._final_signals, self._T, fate, vals, chosen, findings
            )
        )  # fmt: skip
        if reason != op.DONE:
            return reason
        if not has_state(self._prog, self._end) and np.any(
            fate[:candidates] == op.FATE_TAKEN
        ):  # such a combination shows no more than that
            return op.DONE
        if below < len(self._levels):
            kind, what, place = self._levels[below]
            kernels.value_keys(
                self._tests, self._shown, self._reads, work.sources, self._n_sources, self._read_signal,
                self._final_signals, self._P, self._event_read, self._write_first, self._write_reads, candidates, fate,
                vals,
                chosen, self._needed, self._todo, self._keys
            )  # fmt: skip
            kernels.next_options(
                kind, what, place, self._members, self._n_members, self._slot, self._item_read, self._before,
                self._after, self._read_signal, self._n_sources, self._P, self._block, candidates, masks
            )  # fmt: skip
            if 2 * (self.candidates + candidates) > len(self._table):
                larger = np.zeros((4 * len(self._table), 2), dtype=np.uint64)
                kernels.move_keys(self._table, larger, self._found)
                self._table = larger
            kernels.keep_new(
                below, candidates, fate, self._keys, self._table, self._found, self._block, masks, self._waiting,
                self._options, self._count
            )  # fmt: skip
        return self._next_block()

    def _next_block(self) -> int:
        """Fill the block with candidates: of the level at hand as long as those that come of them have room."""
        level, last = max(self._level, 0), len(self._levels) - 1
        room = self._waiting.shape[1] - self._block.shape[1]
        if level < last and self._count[level + 1] > 0 and (self._count[level] == 0 or self._count[level + 1] > room):
            level += 1
        while self._count[level] == 0:
            level -= 1
            if level < 0:
                return op.DONE
        self._level = level
        self._filled = kernels.expand(
            level, *self._levels[level], self._members, self._slot, self._item_read, self._waiting, self._options,
            self._count, self._block
        )  # fmt: skip
        self._look_at_block()
        return op.PAUSED


def make_memoized(problem: Problem, collector: Collector, late: Callable[[], bool]) -> Memoized | None:
    """Turn the combination of paths at hand into a circuit, to search it for outcomes alone.

    Parameters
    ----------
    problem : Problem
        In the middle of a combination of paths; nothing is changed in it.
    collector : Collector
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    Memoized or None
        None where the combination is too large, or where each execution has an outcome of its own.

    Raises
    ------
    Timeout
        Where the time is up.
    """
    prog, data = problem.prog, problem.data
    flags = problem.work.flags  # those of early ends are of the whole search
    work = Work(*(array.copy() for array in problem.work))._replace(flags=flags)
    state = work.st
    reads, items = int(state[op.READS]), int(state[op.ITEMS])
    end = int(kernels.ending(data, work, int(prog.config[op.C_BARRIER])))
    n_sources = work.n_sources[:reads]
    of_location: dict[int, list[int]] = {}
    for item, slot in enumerate(work.item_slot[:items].tolist()):
        of_location.setdefault(slot, []).append(item)
    widest = max(1, *map(len, of_location.values()), *n_sources.tolist(), 1)
    if end < 0 or widest > _MOST_OPTIONS or max(items, reads) > _MOST_DECIDED or not _hides(data, work, of_location):
        return None
    chosen, rows = _inputs(work, n_sources, of_location)
    grounded = ground_paths(prog, work, chosen, late)
    if grounded is None:
        return None
    whole_circuit, terms, _, sets, size = grounded
    count, signals, found = map(int, size)
    terms = terms[:found]
    finals = final_signals(prog, data, work, sets)
    wanted = np.zeros(signals, dtype=np.bool_)
    wanted[terms[:, 0]] = True
    wanted[[signal for _, signal, _ in finals]] = True
    number = np.full(signals, -1, dtype=np.int64)
    circuit = np.empty((count + 1, 4), dtype=np.int32)
    kept, signals = kernels.specialize(whole_circuit, count, np.ones(signals, dtype=np.bool_), wanted, number, circuit)
    if kept > _MOST_OPERATIONS:
        return None
    return Memoized(
        problem,
        collector,
        work,
        of_location,
        circuit[:kept].copy(),
        signals,
        np.unique(number[terms[terms[:, 1] >= 0, 0]]).astype(np.int32),
        [(int(number[2 + k]), *row) for k, row in enumerate(rows) if number[2 + k] >= 0],
        [(int(number[signal]), -1 - kind) for signal, kind in terms[terms[:, 1] < 0].tolist()],
        [(k, int(number[signal]), event) for k, signal, event in finals],
        end,
    )


def _hides(data: Paths, work: Work, of_location: dict[int, list[int]]) -> bool:
    """Tell whether outcomes may leave out some of what a candidate chooses: a source, or an order."""
    shown = set(_shown(data, work).tolist())
    reads = work.reads[: int(work.st[op.READS])].tolist()
    if any(read not in shown for read in reads):
        return True
    halves = {int(item) for item in work.read_item[: len(reads)] if item >= 0}
    return any(len(inside) > 1 and not halves.issuperset(inside) for inside in of_location.values())


def _shown(data: Paths, work: Work) -> Ints:
    """Give the reads whose values the observed registers depend on."""
    shown: set[int] = set()
    for k, thread in enumerate(data.obs_thread.tolist()):
        if thread < 0:
            continue
        path = int(data.thread_first[thread] + work.combo[thread])
        inputs = _reads_of(data, int(data.obs_kind[path, k]), int(data.obs_data[path, k]))
        shown.update(int(work.t_base[thread]) + read for read in inputs)
    return np.array(sorted(shown), dtype=np.int64)


def _reads_of(data: Paths, kind: int, what: int) -> list[int]:
    """Give the reads of a path that a value depends on."""
    if kind == op.V_FUNCTION:
        inputs: list[int] = data.f_reads[int(data.f_first[what]) : int(data.f_first[what + 1])].tolist()
        return inputs
    return [what] if kind == op.V_COPY else []


def _tests(data: Paths, work: Work) -> Ints:
    """List the tests on which the paths are taken, each with the reads that it depends on: (test, read)."""
    rows = []
    for thread, number in enumerate(work.combo.tolist()):
        path = int(data.thread_first[thread]) + number
        for test in range(int(data.p_cond[path]), int(data.p_cond[path + 1])):
            for read in _reads_of(data, op.V_FUNCTION, int(data.cond_function[test])):
                rows.append((test, int(work.t_base[thread]) + read))
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def _written(data: Paths, work: Work) -> tuple[Ints, Ints]:
    """List the reads that the values of writes depend on: per event, and one more, where its reads begin; the reads."""
    firsts, reads = [0], list[int]()
    for e, event in enumerate(work.g_event[: int(work.st[op.EVENTS])].tolist()):
        if event >= 0 and data.e_kind[event] == 1:
            inputs = _reads_of(data, int(data.e_vkind[event]), int(data.e_vdata[event]))
            reads += [int(work.g_base[e]) + read for read in inputs]
        firsts.append(len(reads))
    return np.array(firsts, dtype=np.int64), np.array(reads or [0], dtype=np.int64)


def _inputs(
    work: Work, n_sources: NDArray[np.int64], of_location: dict[int, list[int]]
) -> tuple[NDArray[np.int64], list[tuple[int, int, int]]]:
    """List the inputs as grounding wants them, and for each (kind, read, option) or (kind, item, item)."""
    chosen, rows = [], []
    for k, many in enumerate(n_sources.tolist()):
        read = int(work.reads[k])
        for option in range(many):
            write = int(work.sources[k, option])
            chosen.append((0, write, read) if write >= 0 else (2, read, 0))
            rows.append((0, k, option))
    for inside in of_location.values():
        for first in inside:
            for second in inside:
                if first != second:
                    chosen.append((1, int(work.item_write[first]), int(work.item_write[second])))
                    rows.append((1, first, second))
    return np.array(chosen, dtype=np.int64).reshape(-1, 3), rows


def _levels(
    data: Paths, reads: int, of_location: dict[int, list[int]], item_read: NDArray[np.int64]
) -> list[tuple[int, int, int]]:
    """List what is decided, one after the other: (kind, read or location, place)."""
    placed = {item for inside in of_location.values() for item in inside if item_read[item] >= 0}
    halves = {int(item_read[item]) for item in placed}
    shown = {int(place) for place, thread in zip(data.obs_loc, data.obs_thread, strict=True) if thread < 0}
    last, next_ = [], []
    for slot, inside in of_location.items():
        mixed = not placed.isdisjoint(inside)
        if slot in shown and not mixed and len(inside) > 1:
            last.append((op.F_LAST, slot, 0))
        for place in range(len(inside)):
            next_.append((op.F_NEXT, slot, place))
            if mixed:
                next_.append((op.F_HALF, slot, place))
    plain = [(op.F_READ, k, 0) for k in range(reads) if k not in halves]
    return [*last, *plain, *next_]
