"""Large combinations of paths: from the state of the scalar search to gates, and the search through them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.engine import opcodes as op
from enumerator.engine.layout import Lanes, Paths, Program, Work
from enumerator.errors import LimitReached

__all__ = ["make_lanes"]

_MOST_GATES = 1 << 22
_MOST_OPTIONS = 120
"""Options and places are bytes below 128."""

_MOST_WIRE_BYTES = 1 << 28

_WAITING_BYTES = 1 << 24

_GROUNDED_AT_ONCE = 1 << 24
"""Pairs and triples of events that grounding looks at in one go: timeouts and Ctrl-C are noticed in between."""


def make_lanes(prog: Program, data: Paths, work: Work, late: Callable[[], bool]) -> Lanes | None:
    """Turn the combination of paths at hand into gates, and give the scalar search's place in it to lanes.

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
    Lanes or None
        None where the combination is not for lanes (too large, or what is asked for allows to leave candidates out);
        then nothing has changed.

    Raises
    ------
    LimitReached
        Where the time is up; nothing has changed then, either.
    """
    from enumerator.engine.kernels import ground as gates_of
    from enumerator.engine.kernels import lanes as kernels

    state, decisions, n = work.st, int(work.st[op.DECISIONS]), int(work.st[op.EVENTS])
    kinds, whats = work.d_kind[:decisions].tolist(), work.d_what[:decisions].tolist()
    end = int(kernels.ending(data, work, int(prog.config[6])))
    leaves_out = (prog.config[3] or prog.config[8]) and state[op.LAST_READ] + 1 < decisions
    matrices = 4 * n * n * len(work.R)
    if decisions > _MOST_OPTIONS or leaves_out or op.D_LAST in kinds or end < 0 or matrices > _MOST_WIRE_BYTES:
        return None
    lowest, options, peers = _options(prog, work, kinds, whats)
    if max(options) > _MOST_OPTIONS:
        return None
    chosen, rows = _inputs(work, kinds, whats, peers)
    grounded = ground_paths(prog, work, chosen, late)
    if grounded is None:
        return None
    gates, terms, sets, size = grounded
    count, wires, found = map(int, size)
    if found <= len(terms) - len(rows):  # writes of threads that are alike are ordered as the threads are
        for number, (kind, d, e) in enumerate(rows):
            if kind == 1 and work.item_before[whats[d]] == whats[e]:
                terms[found] = 2 + number, op.PARTIAL_ORDER
                found += 1
    else:
        return None
    terms = terms[:found]
    finals = [
        (k, int(sets[prog.config[2], event]), event)
        for k in range(len(data.obs_thread))
        if data.obs_thread[k] < 0 and work.slot_first[data.obs_loc[k]] >= 0
        for event in range(n)
        if work.g_loc[event] == data.obs_loc[k] and sets[prog.config[2], event] != 0
    ]
    _in_time(late)
    parts = _Parts(gates[:count], wires, rows, gates_of)
    last_read = int(state[op.LAST_READ])
    for d in range(decisions):
        _in_time(late)
        parts.add(d, terms, last_read, decisions - 1, finals)
        if parts.total > _MOST_GATES:
            return None
    if parts.most_wires * 64 > _MOST_WIRE_BYTES:
        return None
    words, lanes = kernels.WORDS, kernels.LANES
    # Of the candidates that wait, as many as there are lanes go on at a time: with few, the last go mostly alone.
    batches = min(16, max(2, _WAITING_BYTES // ((decisions + 1) * decisions * lanes)))
    result = Lanes(
        gates=_rows(parts.gates, 4),
        gate_first=np.cumsum([0, *map(len, parts.gates)]),
        inputs=_rows(parts.inputs, 4),
        input_first=np.cumsum([0, *map(len, parts.inputs)]),
        bad=np.concatenate([*parts.bad, np.zeros(1)]).astype(np.int32),
        bad_first=np.cumsum([0, *map(len, parts.bad)]),
        flag_wires=np.array(parts.flag_wires, dtype=np.int32).reshape(-1, 2),
        final_wires=np.array(parts.final_wires, dtype=np.int32).reshape(-1, 3),
        options=np.array(options, dtype=np.int64),
        lowest=np.array(lowest, dtype=np.int64),
        peers=peers,
        columns=np.zeros((decisions + 1, decisions, batches * lanes), dtype=np.uint8),
        lanes=np.zeros(decisions + 1, dtype=np.int64),
        start=np.zeros(decisions + 1, dtype=np.int64),
        option=np.zeros(decisions + 1, dtype=np.int64),
        accepted=np.zeros((decisions + 1, words), dtype=np.uint64),
        kept_inputs=np.zeros((sum(map(len, parts.inputs)) + 1, words), dtype=np.uint64),
        filled=np.zeros(decisions + 1, dtype=np.int64),
        W=np.zeros((parts.most_wires, words), dtype=np.uint64),
        survivors=np.zeros(words, dtype=np.uint64),
        kept=np.zeros(lanes, dtype=np.int64),
        state=np.zeros(op.L_STATE_SIZE, dtype=np.int64),
    )
    result.W[1] = ~np.uint64(0)
    result.state[op.L_END] = end
    written = [int(event) for event in work.g_event[:n] if event >= 0 and data.e_kind[event] == 1]
    result.state[op.L_CONSTANT] = int(all(data.e_vkind[event] == op.V_KNOWN for event in written))
    kernels.take_over(prog, work, result)
    return result


def ground_paths(
    prog: Program, work: Work, chosen: NDArray[np.int64], late: Callable[[], bool]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]] | None:
    """Turn the axioms, flags and final writes of the combination of paths at hand into gates.

    Parameters
    ----------
    prog : Program
    work : Work
    chosen : int64 array, shape (inputs, 3)
        The inputs, as :func:`enumerator.engine.kernels.ground.begin_ground` wants them; their wires are 2 and after.
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    gates, terms, sets, size : arrays or None
        Gates and terms with room for more, the wires of the sets, and how many gates, wires and terms there are.
        None where there are too many.

    Raises
    ------
    LimitReached
        Where the time is up.
    """
    from enumerator.engine.kernels import ground as gates_of

    n = int(work.st[op.EVENTS])
    relations = np.zeros((len(work.R), n, n), dtype=np.int32)
    sets = np.zeros((len(work.S), n), dtype=np.int32)
    gates = np.empty((_MOST_GATES, 4), dtype=np.int32)
    terms = np.empty((1 << 16, 2), dtype=np.int64)
    size = np.zeros(3, dtype=np.int64)
    # Wires are made of what nothing but the paths decides: reads-from and the orders as they are before any decision.
    R, S = work.R.copy(), work.S.copy()
    R[0] = 0
    S[0] = 0
    R[1] = _initial_order(prog, work)
    room = np.zeros((2, n, n), dtype=np.int32)
    at = np.zeros(gates_of.AT_SIZE, dtype=np.int64)
    gates_of.begin_ground(R, S, relations, sets, n, chosen, size, at)
    more = 1
    while more > 0:
        _in_time(late)
        more = gates_of.ground(
            prog.code, prog.sections, relations, sets, n, room, gates, terms, size, at, _GROUNDED_AT_ONCE
        )
    if more < 0:
        return None
    return gates, terms, sets, size


def _in_time(late: Callable[[], bool]) -> None:
    if late():
        raise LimitReached("timeout")


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
        lowest[d] = int(work.S[prog.config[0], first >> 6]) >> (first & 63) & 1
        options[d] = 1 + int(peers[d, :d].sum())
    return lowest, options, peers


def _inputs(
    work: Work, kinds: list[int], whats: list[int], peers: NDArray[np.bool_]
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
        for e in range(d):
            if peers[d, e]:
                this, other = int(work.item_write[what]), int(work.item_write[whats[e]])
                chosen += [(1, this, other), (1, other, this)]
                rows += [(1, d, e), (1, e, d)]
    return np.array(chosen, dtype=np.int64).reshape(-1, 3), rows


def _initial_order(prog: Program, work: Work) -> NDArray[np.uint64]:
    """Give the order before any write is placed: initial writes come before the others of their location."""
    order: NDArray[np.uint64] = np.zeros_like(work.R[1])
    for item in range(int(work.st[op.ITEMS])):
        first, write = int(work.slot_first[work.item_slot[item]]), int(work.item_write[item])
        if int(work.S[prog.config[0], first >> 6]) >> (first & 63) & 1:
            order[first, write >> 6] |= np.uint64(1 << (write & 63))
    return order


class _Parts:
    """The gates that each decision needs, and what they read and tell."""

    def __init__(self, gates: NDArray[np.int32], wires: int, rows: list[tuple[int, int, int]], kernels: object) -> None:
        self._all = gates
        self._wires = wires
        self._rows = rows
        self._kernels = kernels
        self.gates: list[NDArray[np.int32]] = []
        self.inputs: list[NDArray[np.int32]] = []
        self.bad: list[NDArray[np.int32]] = []
        self.flag_wires: list[tuple[int, int]] = []
        self.final_wires: list[tuple[int, int, int]] = []
        self.most_wires = 2
        self.total = 0
        # For each wire, the first decision after which it may be true, and the decisions that it depends on.
        self._level = np.full(wires, op.NEVER, dtype=np.int64)
        self._newest = np.zeros((wires, 2), dtype=np.uint64)
        self._level[1] = 0
        for number, (kind, e, x) in enumerate(rows):
            newest = max(e, x) if kind == 1 else e
            self._level[2 + number] = newest
            self._newest[2 + number, newest >> 6] = np.uint64(1) << np.uint64(newest & 63)
        kernels.spread(gates, len(gates), self._level, self._newest)  # type: ignore[attr-defined]

    def add(
        self, d: int, terms: NDArray[np.int64], last_read: int, last: int, finals: list[tuple[int, int, int]]
    ) -> None:
        """Add the gates for the axioms that decision `d` may make fail, and at the last one for what comes out."""
        kernels = self._kernels
        may = self._level <= d
        changes = may & (self._newest[:, d >> 6] >> np.uint64(d & 63) & np.uint64(1)).astype(np.bool_)
        wanted = np.zeros(self._wires, dtype=np.bool_)
        section = terms[:, 1]
        bad = ((section == 1) | (section == 2)) & changes[terms[:, 0]]
        if d == last_read:
            bad |= section == 3
        if d == last:
            bad |= section == 4
            wanted[terms[section < 0, 0]] = True
            wanted[[wire for _, wire, _ in finals]] = True
        bad &= may[terms[:, 0]]
        wanted[terms[bad, 0]] = True
        number_of = np.full(self._wires, -1, dtype=np.int64)
        out = np.empty((len(self._all) + 1, 4), dtype=np.int32)
        kept, wires = kernels.specialize(  # type: ignore[attr-defined]
            self._all, len(self._all), may, wanted, number_of, out
        )
        self.gates.append(out[:kept].copy())
        self.total += kept
        self.most_wires = max(self.most_wires, wires)
        self.inputs.append(
            np.array(
                [
                    (number_of[2 + number], kind, e, x)
                    for number, (kind, e, x) in enumerate(self._rows)
                    if number_of[2 + number] >= 0
                ],
                dtype=np.int32,
            ).reshape(-1, 4)
        )
        self.bad.append(np.unique(number_of[terms[bad, 0]]).astype(np.int32))
        if d == last:
            for wire, kind in terms[section < 0].tolist():
                if number_of[wire] >= 0:
                    self.flag_wires.append((int(number_of[wire]), -1 - kind))
            for k, wire, event in finals:
                if number_of[wire] >= 0:
                    self.final_wires.append((k, int(number_of[wire]), event))


def _rows(parts: list[NDArray[np.int32]], columns: int) -> NDArray[np.int32]:
    return np.concatenate([*parts, np.zeros((1, columns), dtype=np.int32)]).astype(np.int32)
