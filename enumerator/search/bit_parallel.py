"""The bit-parallel search: a combination of paths as a circuit, and 512 candidates that go through it side by side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.circuit import (
    MOST_OPERATIONS,
    final_signals,
    ground_paths,
    has_state,
    in_time,
    order_register,
    without_branches,
)
from enumerator.search.collector import Collector
from enumerator.search.layout import Batch, Paths, Program, Work
from enumerator.search.problem import Problem

__all__ = ["BitParallel", "TooEarly", "lay_out_batch", "make_bit_parallel"]

_MOST_OPTIONS = 120
"""Options and places are bytes below 128."""

_MOST_SIGNAL_BYTES = 1 << 28

_WAITING_BYTES = 1 << 24


_ALWAYS = 1 << 20
"""Operations times decisions that are worth their time in any case: some milliseconds."""

_STEP = 50
"""Operations times decisions that take about the time of a step of backtracking, for each event."""


class BitParallel:
    """The bit-parallel search of the combination of paths at hand.

    Parameters
    ----------
    problem : Problem
    collector : Collector
    batch : Batch
    """

    first_steps, most_steps, growth = 16, 256, 2

    def __init__(self, problem: Problem, collector: Collector, batch: Batch) -> None:
        self._problem, self._collector = problem, collector
        self.arrays, self.batch = problem.work, batch
        self._packed = batch.columns.view(np.uint64)

    def advance(self, steps: int) -> int:
        """Go on for at most so many steps; see :class:`~enumerator.search.strategies.Strategy`."""
        problem = self._problem
        stop: int = kernels.search_batch(
            problem.prog, problem.data, problem.work, self.batch, self._packed, self._collector.findings, steps
        )
        return stop


def make_bit_parallel(problem: Problem, collector: Collector, late: Callable[[], bool]) -> BitParallel | None:
    """Go on with the combination of paths at hand bit-parallel, where that can be done.

    Parameters
    ----------
    problem : Problem
    collector : Collector
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    BitParallel or None
        See :func:`lay_out_batch`, for what is raised, too.
    """
    batch = lay_out_batch(problem.prog, problem.data, problem.work, late)
    return None if batch is None else BitParallel(problem, collector, batch)


class TooEarly(Exception):
    """The operations would take longer than backtracking has taken so far: it may end before they are made."""


def lay_out_batch(prog: Program, data: Paths, work: Work, late: Callable[[], bool]) -> Batch | None:
    """Turn the combination of paths at hand into a circuit, and give backtracking's place in it to a batch.

    Parameters
    ----------
    prog : Program
    data : Paths
    work : Work
        In the middle of a combination; afterwards no decision is taken in it.
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    Batch or None
        None where the combination is not for that (too large, or what is asked for allows to leave candidates out);
        then nothing has changed.

    Raises
    ------
    Timeout
        Where the time is up; nothing has changed then, either.
    TooEarly
        Where backtracking should go on for a while; nothing has changed.
    """
    state, decisions, n = work.st, int(work.st[op.DECISIONS]), int(work.st[op.EVENTS])
    kinds, whats = work.d_kind[:decisions].tolist(), work.d_what[:decisions].tolist()
    end = int(kernels.ending(data, work, int(prog.config[op.C_BARRIER])))
    leaves_out = (prog.config[op.C_NO_ORDERS] or prog.config[op.C_LAST_ONLY]) and state[op.LAST_READ] + 1 < decisions
    matrices = 4 * n * n * len(work.R)
    if decisions > _MOST_OPTIONS or leaves_out or op.D_LAST in kinds or end < 0 or matrices > _MOST_SIGNAL_BYTES:
        return None
    lowest, options, peers = _options(prog, work, kinds, whats)
    if max(options) > _MOST_OPTIONS:
        return None
    chosen, rows = _inputs(prog, work, kinds, whats, peers)
    grounded = ground_paths(prog, work, chosen, late)
    if grounded is None:
        return None
    circuit, terms, relations, sets, size = grounded
    count, signals, found = map(int, size)
    if found <= len(terms) - len(rows):  # writes of symmetric threads are ordered as the threads are
        for number, (kind, d, e) in enumerate(rows):
            if kind == 1 and work.item_before[whats[d]] == whats[e]:
                terms[found] = 2 + number, op.PARTIAL_ORDER
                found += 1
    else:
        return None
    terms = terms[:found]
    finals = final_signals(prog, data, work, sets)
    if decisions * count > max(_ALWAYS, _STEP * n * int(state[op.STEPS])):
        raise TooEarly
    in_time(late)
    parts = _Parts(circuit[:count], signals, rows)
    last_read = int(state[op.LAST_READ])
    for d in range(decisions):
        in_time(late)
        parts.add(d, terms, last_read, decisions - 1, finals)
        if parts.total > MOST_OPERATIONS:
            return None
    if parts.most_signals * 64 > _MOST_SIGNAL_BYTES:
        return None
    words, batch = op.BATCH_WORDS, op.BATCH
    # Of the candidates that wait, as many as there are candidates go on at a time: with few, the last go mostly alone.
    batches = min(16, max(2, _WAITING_BYTES // ((decisions + 1) * decisions * batch)))
    result = Batch(
        circuit=without_branches(_rows(parts.circuit, 4)),
        circuit_first=np.cumsum([0, *map(len, parts.circuit)]),
        inputs=_rows(parts.inputs, 4),
        input_first=np.cumsum([0, *map(len, parts.inputs)]),
        bad=np.concatenate([*parts.bad, np.zeros(1)]).astype(np.int32),
        bad_first=np.cumsum([0, *map(len, parts.bad)]),
        flag_signals=np.array(parts.flag_signals, dtype=np.int32).reshape(-1, 2),
        final_signals=np.array(parts.final_signals, dtype=np.int32).reshape(-1, 3),
        options=np.array(options, dtype=np.int64),
        lowest=np.array(lowest, dtype=np.int64),
        peers=peers,
        following=_following(work, kinds, options, parts),
        columns=np.zeros((decisions + 1, decisions, batches * batch), dtype=np.uint8),
        waiting=np.zeros(decisions + 1, dtype=np.int64),
        start=np.zeros(decisions + 1, dtype=np.int64),
        option=np.zeros(decisions + 1, dtype=np.int64),
        accepted=np.zeros((decisions + 1, words), dtype=np.uint64),
        kept_inputs=np.zeros((sum(map(len, parts.inputs)) + 1, words), dtype=np.uint64),
        filled=np.zeros(decisions + 1, dtype=np.int64),
        W=np.zeros((parts.most_signals, words), dtype=np.uint64),
        survivors=np.zeros(words, dtype=np.uint64),
        kept=np.zeros(batch, dtype=np.uint64),
        state=np.zeros(op.L_STATE_SIZE, dtype=np.int64),
    )
    result.W[1] = ~np.uint64(0)
    result.state[op.L_END] = end
    written = [int(event) for event in work.g_event[:n] if event >= 0 and data.e_kind[event] == 1]
    result.state[op.L_CONSTANT] = int(all(data.e_vkind[event] == op.V_KNOWN for event in written))
    result.state[op.L_TOGETHER] = int(_end_alike(prog, data, work, relations, end, bool(result.state[op.L_CONSTANT])))
    kernels.take_over(prog, work, result)
    return result


def _following(work: Work, kinds: list[int], options: list[int], parts: _Parts) -> NDArray[np.int64]:
    """Give the decision after each, less those that have one option which nothing refuses."""
    decisions = len(kinds)
    conditions = int(work.st[op.CONDITIONS]) > 0
    following = np.arange(1, decisions + 1, dtype=np.int64)
    for d in range(decisions - 3, -1, -1):
        e = d + 1
        by_value = conditions and kinds[e] == op.D_READ
        if options[e] == 1 and len(parts.circuit[e]) == 0 and len(parts.bad[e]) == 0 and not by_value:
            following[d] = following[e]
    return following


def _end_alike(prog: Program, data: Paths, work: Work, relations: NDArray[np.int32], end: int, constant: bool) -> bool:
    """Tell whether all complete candidates end alike, so that it is enough to count them.

    That is so where nothing is observed, no path is taken on a condition, and nobody waits for the first of them.
    Where what is written depends on what is read, the model must refuse cycles of these and of reads-from.
    """
    if work.st[op.CONDITIONS] > 0 or work.st[op.LIMIT] >= 0 or prog.config[op.C_NOTIFY] != 0:
        return False
    if has_state(prog, end) and len(data.obs_thread) + len(prog.shown) > 0:
        return False
    return constant or _refuses_cycles(prog, data, work, relations)


def _refuses_cycles(prog: Program, data: Paths, work: Work, relations: NDArray[np.int32]) -> bool:
    """Tell whether a relation that must be acyclic has reads-from and all dependencies of what is written."""
    reads = work.reads[: int(work.st[op.READS])].tolist()
    pairs = []
    for number, read in enumerate(reads):
        sources = work.sources[number, : int(work.n_sources[number])].tolist()
        pairs += [(write, read) for write in sources if write >= 0]
    for write in range(int(work.st[op.EVENTS])):
        event = int(work.g_event[write])
        if event < 0 or data.e_kind[event] != 1:
            continue
        kind, what = int(data.e_vkind[event]), int(data.e_vdata[event])
        inputs = [what] if kind == op.V_COPY else []
        if kind == op.V_FUNCTION:
            inputs = data.f_reads[data.f_first[what] : data.f_first[what + 1]].tolist()
        pairs += [(int(work.g_base[write]) + read, write) for read in inputs]
    signals = dict.fromkeys(pairs, 1)
    for number in range(len(relations[0])):
        for read in reads:
            if (number, read) in signals and relations[0][number, read] > 1:
                signals[number, read] = int(relations[0][number, read])
    code = prog.code[prog.sections[op.PARTIAL_RF] : prog.sections[op.RESULT_RF]]
    for what, register, negated, _ in code.tolist():
        if what == op.CHECK_ACYCLIC and not negated:
            matrix = relations[register]
            if all(matrix[pair] in (1, signal) for pair, signal in signals.items()):
                return True
    return False


def _options(
    prog: Program, work: Work, kinds: list[int], whats: list[int]
) -> tuple[list[int], list[int], NDArray[np.bool_]]:
    """Give the lowest place of each decision, how many options it has, and which place writes of one location."""
    decisions = len(kinds)
    lowest, options = [0] * decisions, [0] * decisions
    peers = np.zeros((decisions, decisions), dtype=np.bool_)
    for d, (kind, what) in enumerate(zip(kinds, whats, strict=True)):
        if kind == op.D_READ:
            options[d] = int(work.n_sources[what])
            continue
        slot = work.item_slot[what]
        for e in range(d):
            peers[d, e] = peers[e, d] = kinds[e] == op.D_PLACE and work.item_slot[whats[e]] == slot
        first = int(work.slot_first[slot])
        lowest[d] = int(work.S[prog.config[op.C_ORDER], first >> 6]) >> (first & 63) & 1 if first >= 0 else 0
        options[d] = 1 + int(peers[d, :d].sum())
    return lowest, options, peers


def _inputs(
    prog: Program, work: Work, kinds: list[int], whats: list[int], peers: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], list[tuple[int, int, int]]]:
    """List the inputs as grounding wants them, and for each (kind, decision, option or other decision)."""
    chosen, rows = [], []
    for d, (kind, what) in enumerate(zip(kinds, whats, strict=True)):
        if kind == op.D_READ:
            read = int(work.reads[what])
            for option in range(int(work.n_sources[what])):
                write = int(work.sources[what, option])
                chosen.append((0, write, read) if write >= 0 else (2, read, 0))
                rows.append((0, d, option))
            continue
        register = order_register(prog, work, what)
        for e in range(d):
            if peers[d, e]:
                this, other = int(work.item_write[what]), int(work.item_write[whats[e]])
                chosen += [(register, this, other), (register, other, this)]
                rows += [(1, d, e), (1, e, d)]
    return np.array(chosen, dtype=np.int64).reshape(-1, 3), rows


class _Parts:
    """The operations that each decision needs, and what they read and tell."""

    def __init__(self, circuit: NDArray[np.int32], signals: int, rows: list[tuple[int, int, int]]) -> None:
        self._all = circuit
        self._signals = signals
        self._rows = np.array(rows, dtype=np.int32).reshape(-1, 3)
        self._room = np.empty((len(circuit) + 1, 4), dtype=np.int32)
        self.circuit: list[NDArray[np.int32]] = []
        self.inputs: list[NDArray[np.int32]] = []
        self.bad: list[NDArray[np.int32]] = []
        self.flag_signals: list[tuple[int, int]] = []
        self.final_signals: list[tuple[int, int, int]] = []
        self.most_signals = 2
        self.total = 0
        # For each signal, the first decision after which it may be true, and the decisions that it depends on.
        self._level = np.full(signals, op.NEVER, dtype=np.int64)
        self._newest = np.zeros((signals, 2), dtype=np.uint64)
        self._level[1] = 0
        for number, (kind, e, x) in enumerate(rows):
            newest = max(e, x) if kind == 1 else e
            self._level[2 + number] = newest
            self._newest[2 + number, newest >> 6] = np.uint64(1) << np.uint64(newest & 63)
        kernels.spread(circuit, len(circuit), self._level, self._newest)

    def add(
        self, d: int, terms: NDArray[np.int64], last_read: int, last: int, finals: list[tuple[int, int, int]]
    ) -> None:
        """Add the operations for the axioms that decision `d` may make fail, and at the last one for what comes out."""
        may = self._level <= d
        changes = may & (self._newest[:, d >> 6] >> np.uint64(d & 63) & np.uint64(1)).astype(np.bool_)
        wanted = np.zeros(self._signals, dtype=np.bool_)
        section = terms[:, 1]
        bad = (section >= op.PARTIAL_RF) & (section < op.WHOLE_RF) & changes[terms[:, 0]]
        if d == last_read:
            bad |= section == op.WHOLE_RF
        if d == last:
            bad |= section == op.WHOLE_ORDER
            wanted[terms[section < 0, 0]] = True
            wanted[[signal for _, signal, _ in finals]] = True
        bad &= may[terms[:, 0]]
        wanted[terms[bad, 0]] = True
        number_of = np.full(self._signals, -1, dtype=np.int64)
        out = self._room
        kept, signals = kernels.specialize(self._all, len(self._all), may, wanted, number_of, out)
        self.circuit.append(out[:kept].copy())
        self.total += kept
        self.most_signals = max(self.most_signals, signals)
        read = number_of[2 : 2 + len(self._rows)]
        self.inputs.append(np.column_stack([read, self._rows])[read >= 0].astype(np.int32))
        self.bad.append(np.array(sorted(set(number_of[terms[bad, 0]].tolist())), dtype=np.int32))
        if d == last:
            for signal, kind in terms[section < 0].tolist():
                if number_of[signal] >= 0:
                    self.flag_signals.append((int(number_of[signal]), -1 - kind))
            for k, signal, event in finals:
                if number_of[signal] >= 0:
                    self.final_signals.append((k, int(number_of[signal]), event))


def _rows(parts: list[NDArray[np.int32]], columns: int) -> NDArray[np.int32]:
    return np.concatenate([*parts, np.zeros((1, columns), dtype=np.int32)]).astype(np.int32)
