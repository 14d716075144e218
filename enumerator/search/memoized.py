"""Outcomes alone: from the state of backtracking to a search that takes candidates with one future once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.circuit import final_signals, ground_paths, has_state, order_register
from enumerator.search.collector import Collector
from enumerator.search.layout import Memo, Paths, Program, Work
from enumerator.search.problem import Problem

__all__ = ["Memoized", "make_memoized"]

_MOST_OPTIONS = 64
"""Options are bits of a word."""

_MOST_DECIDED = 120
"""Items and options are bytes, of which one value stands for what is not decided."""

_MOST_OPERATIONS = 1 << 20

_WAITING_BYTES = 1 << 26

_LAID_OUT = 40
"""Word operations, about, that it takes to lay out an operation of the circuit."""

Ints = NDArray[np.int64]


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
        In the middle of a combination of paths; it is this search's own.
    memo : Memo
    """

    first_steps = most_steps = growth = 1

    def __init__(self, problem: Problem, collector: Collector, arrays: Work, memo: Memo) -> None:
        self._problem, self._collector, self.arrays, self._memo = problem, collector, arrays, memo
        for counter in (op.EXPLORED, op.CONSISTENT, op.CUT):
            arrays.st[counter] = 0
        arrays.forced[:] = op.UNKNOWN_ID

    @property
    def candidates(self) -> int:
        """How many candidates have waited so far."""
        return int(self._memo.state[op.M_FOUND])

    @property
    def work(self) -> int:
        """Word operations so far, about."""
        return int(self._memo.state[op.M_WORK])

    def give_counts(self, state: Ints) -> None:
        """Add the executions that were counted here to those of the whole search."""
        for counter in (op.EXPLORED, op.CONSISTENT, op.CUT):
            state[counter] += self.arrays.st[counter]

    def advance(self, steps: int) -> int:
        """Go on by a block of candidates; see :class:`~enumerator.search.strategies.Strategy`."""
        problem, state, shared = self._problem, self.arrays.st, self._problem.work.st
        state[op.STATES] = shared[op.STATES]
        stop: int = op.NEEDS_TABLE
        while stop == op.NEEDS_TABLE:
            stop = kernels.search_memoized(
                problem.prog, problem.data, self.arrays, self._memo, self._collector.findings
            )
            if stop == op.NEEDS_TABLE:
                larger = np.zeros((4 * len(self._memo.table), 2), dtype=np.uint64)
                kernels.move_keys(self._memo.table, larger)
                self._memo = self._memo._replace(table=larger)
        shared[op.STATES] = state[op.STATES]
        explored = int(shared[op.EXPLORED] + state[op.EXPLORED])
        return op.AT_LIMIT if stop == op.PAUSED and 0 <= shared[op.LIMIT] <= explored else stop


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
    chosen, rows = _inputs(prog, work, n_sources, of_location)
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
    inputs = [(int(number[2 + k]), *row) for k, row in enumerate(rows) if number[2 + k] >= 0]
    flag_signals = [(int(number[signal]), -1 - kind) for signal, kind in terms[terms[:, 1] < 0].tolist()]
    final = [(k, int(number[signal]), event) for k, signal, event in finals]
    bad = np.array(sorted(set(number[terms[terms[:, 1] >= 0, 0]].tolist())), dtype=np.int32)
    memo = _lay_out(problem, work, of_location, circuit[:kept].copy(), signals, bad, inputs, flag_signals, final)
    memo.state[op.M_END], memo.state[op.M_HAS_STATE] = end, int(has_state(prog, end))
    memo.state[op.M_LEVEL], memo.state[op.M_FILLED] = -1, 1  # the first block is a candidate that has decided nothing
    memo.state[op.M_WORK] = _LAID_OUT * kept
    return Memoized(problem, collector, work, memo)


def _lay_out(
    problem: Problem,
    work: Work,
    of_location: dict[int, list[int]],
    circuit: NDArray[np.int32],
    signals: int,
    bad: NDArray[np.int32],
    inputs: list[tuple[int, int, int, int]],
    flag_signals: list[tuple[int, int]],
    finals: list[tuple[int, int, int]],
) -> Memo:
    """Make the arrays of the search, of which `of_location` has the items of each location."""
    data = problem.data
    reads, items, n = (int(work.st[number]) for number in (op.READS, op.ITEMS, op.EVENTS))
    locations = len(work.slot_first)
    n_sources = work.n_sources[:reads].copy()
    outputs = {*bad.tolist(), *(signal for signal, _ in flag_signals), *(signal for _, signal, _ in finals)} - {0, 1}
    read_signal = np.full((reads + 1, max(1, int(n_sources.max(initial=0)))), -1, dtype=np.int64)
    for signal, kind, k, option in inputs:
        if kind == 0:
            read_signal[k, option] = signal
    item_read = np.full(items, -1, dtype=np.int64)
    for k, item in enumerate(work.read_item[:reads].tolist()):
        if item >= 0:
            item_read[item] = k
    members, n_members = np.zeros((locations, _MOST_OPTIONS), dtype=np.int64), np.zeros(locations, dtype=np.int64)
    for slot, inside in of_location.items():
        members[slot, : len(inside)] = inside
        n_members[slot] = len(inside)
    levels = _levels(data, reads, of_location, item_read)
    event_read = np.full(n, -1, dtype=np.int64)
    event_read[work.reads[:reads]] = np.arange(reads)
    write_first, write_reads = _written(data, work)
    width = items + reads + locations
    room = max(2 * op.BATCH, min(1 << 15, _WAITING_BYTES // ((width + 8) * (len(levels) + 1))))
    T, P, N, L = (np.zeros((signals, op.BATCH_WORDS), dtype=np.uint64) for _ in range(4))
    T[1] = P[1] = ~np.uint64(0)
    return Memo(
        circuit=circuit,
        inputs=np.array(inputs, dtype=np.int32).reshape(-1, 4),
        bad=bad,
        flag_signals=np.array(flag_signals, dtype=np.int32).reshape(-1, 2),
        final_signals=np.array(finals, dtype=np.int32).reshape(-1, 3),
        outputs=np.array(sorted(outputs), dtype=np.int32),
        levels=np.array(levels, dtype=np.int64).reshape(-1, 3),
        reads=work.reads[:reads].copy(),
        n_sources=n_sources,
        read_signal=read_signal,
        item_slot=work.item_slot[:items].copy(),
        item_before=work.item_before[:items].copy(),
        item_after=work.item_after[:items].copy(),
        item_read=item_read,
        members=members,
        n_members=n_members,
        tests=_tests(data, work),
        shown=_shown(data, work),
        event_read=event_read,
        write_first=write_first,
        write_reads=write_reads,
        waiting=np.zeros((len(levels), room, width), dtype=np.uint8),
        options=np.zeros((len(levels), room), dtype=np.uint64),
        count=np.zeros(len(levels), dtype=np.int64),
        block=np.full((width, op.BATCH), 255, dtype=np.uint8),
        masks=np.zeros(op.BATCH, dtype=np.uint64),
        fate=np.zeros(op.BATCH, dtype=np.int64),
        vals=np.zeros((op.BATCH, n), dtype=np.int64),
        chosen=np.zeros((op.BATCH, reads), dtype=np.int64),
        needed=np.zeros(n, dtype=np.int64),
        todo=np.zeros(n + 1, dtype=np.int64),
        keys=np.zeros((op.BATCH, 2), dtype=np.uint64),
        table=np.zeros((1 << 12, 2), dtype=np.uint64),
        noise=np.random.default_rng(1).integers(0, 1 << 64, size=(signals, 2, 2), dtype=np.uint64),
        T=T,
        P=P,
        N=N,
        L=L,
        state=np.zeros(op.M_STATE_SIZE, dtype=np.int64),
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
    prog: Program, work: Work, n_sources: NDArray[np.int64], of_location: dict[int, list[int]]
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
        order = order_register(prog, work, inside[0])
        for first in inside:
            for second in inside:
                if first != second:
                    chosen.append((order, int(work.item_write[first]), int(work.item_write[second])))
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
