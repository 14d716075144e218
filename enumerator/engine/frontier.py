"""Outcomes alone: from the state of the scalar search to a search that takes candidates with one future once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.engine import opcodes as op
from enumerator.engine.lanes import ground_paths
from enumerator.engine.layout import Frontier, Paths, Program, Work

__all__ = ["make_frontier"]

_MOST_OPTIONS = 64
"""Options are bits of a word."""

_MOST_DECIDED = 120
"""Items and options are bytes, of which one value stands for what is not decided."""

_MOST_GATES = 1 << 20

_WAITING_BYTES = 1 << 26


def make_frontier(prog: Program, data: Paths, work: Work, late: Callable[[], bool]) -> Frontier | None:
    """Turn the combination of paths at hand into gates, and into levels of decisions.

    What an outcome may show of an order, its last write, is decided first; then what reads read; then the orders, from
    the first write on, each read-modify-write reading as soon as it has its place.

    Parameters
    ----------
    prog : Program
    data : Paths
    work : Work
        In the middle of a combination; nothing is changed in it.
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    Frontier or None
        None where the combination is too large, or where each execution has an outcome of its own.

    Raises
    ------
    LimitReached
        Where the time is up.
    """
    from enumerator.engine.kernels import ground as gates_of
    from enumerator.engine.kernels import lanes as lane_kernels

    state, n = work.st, int(work.st[op.EVENTS])
    reads, items = int(state[op.READS]), int(state[op.ITEMS])
    end = int(lane_kernels.ending(data, work, int(prog.config[6])))
    n_sources = work.n_sources[:reads].astype(np.int64)
    slots = work.item_slot[:items].tolist()
    item_read = np.full(items + 1, -1, dtype=np.int64)
    for k in range(reads):
        if work.read_item[k] >= 0:
            item_read[work.read_item[k]] = k
    of_location: dict[int, list[int]] = {}
    for item, slot in enumerate(slots):
        of_location.setdefault(slot, []).append(item)
    widest = max(1, *map(len, of_location.values()), *n_sources.tolist(), 1)
    if end < 0 or widest > _MOST_OPTIONS or max(items, reads) > _MOST_DECIDED or not _hides(data, work, of_location):
        return None
    chosen, rows = _inputs(work, n_sources, of_location)
    grounded = ground_paths(prog, work, chosen, late)
    if grounded is None:
        return None
    all_gates, terms, sets, size = grounded
    count, wires, found = map(int, size)
    terms = terms[:found]
    finals = [
        (k, int(sets[prog.config[2], event]), event)
        for k in range(len(data.obs_thread))
        if data.obs_thread[k] < 0 and work.slot_first[data.obs_loc[k]] >= 0
        for event in range(n)
        if work.g_loc[event] == data.obs_loc[k] and sets[prog.config[2], event] != 0
    ]
    wanted = np.zeros(wires, dtype=np.bool_)
    wanted[terms[:, 0]] = True
    wanted[[wire for _, wire, _ in finals]] = True
    number = np.full(wires, -1, dtype=np.int64)
    gates = np.empty((count + 1, 4), dtype=np.int32)
    kept, wires = gates_of.specialize(all_gates, count, np.ones(wires, dtype=np.bool_), wanted, number, gates)
    if kept > _MOST_GATES:
        return None
    inputs = [(int(number[2 + k]), *row) for k, row in enumerate(rows) if number[2 + k] >= 0]
    read_wire = np.full((reads + 1, max(1, int(n_sources.max(initial=0)))), -1, dtype=np.int64)
    for wire, kind, k, option in inputs:
        if kind == 0:
            read_wire[k, option] = wire
    bad = np.unique(number[terms[terms[:, 1] >= 0, 0]]).astype(np.int32)
    flag_wires = [(int(number[wire]), -1 - kind) for wire, kind in terms[terms[:, 1] < 0].tolist()]
    final_wires = [(k, int(number[wire]), event) for k, wire, event in finals]
    outputs = {*bad.tolist(), *(wire for wire, _ in flag_wires), *(wire for _, wire, _ in final_wires)} - {0, 1}
    levels = _levels(data, reads, of_location, item_read)
    width = items + reads + len(work.slot_first)
    lanes, words = lane_kernels.LANES, lane_kernels.WORDS
    waiting = max(2 * lanes, _WAITING_BYTES // ((width + 8) * (len(levels) + 1)))
    members = np.zeros((len(work.slot_first), _MOST_OPTIONS), dtype=np.int64)
    n_members = np.zeros(len(work.slot_first), dtype=np.int64)
    for slot, inside in of_location.items():
        members[slot, : len(inside)] = inside
        n_members[slot] = len(inside)

    def bits(*shape: int) -> NDArray[np.uint64]:
        return np.zeros(shape, dtype=np.uint64)

    result = Frontier(
        gates=gates[:kept].copy(),
        bad=bad,
        outputs=np.array(sorted(outputs), dtype=np.int32),
        flag_wires=np.array(flag_wires, dtype=np.int32).reshape(-1, 2),
        final_wires=np.array(final_wires, dtype=np.int32).reshape(-1, 3),
        inputs=np.array(inputs, dtype=np.int32).reshape(-1, 4),
        read_wire=read_wire,
        item_read=item_read,
        kind=np.array([kind for kind, _, _ in levels], dtype=np.int64),
        what=np.array([what for _, what, _ in levels], dtype=np.int64),
        place=np.array([place for _, _, place in levels], dtype=np.int64),
        members=members,
        n_members=n_members,
        waiting=np.zeros((len(levels) + 1, waiting, width), dtype=np.uint8),
        options=bits(len(levels) + 1, waiting),
        count=np.zeros(len(levels) + 1, dtype=np.int64),
        block=np.zeros((width, lanes), dtype=np.uint8),
        keys=bits(lanes, 2),
        noise=np.random.default_rng(1).integers(0, 1 << 64, size=(wires, 2, 2), dtype=np.uint64),
        T=bits(wires, words),
        P=bits(wires, words),
        N=bits(wires, words),
        L=bits(wires, words),
        survivors=bits(words),
        unsettled=bits(words),
        needed=np.zeros(n, dtype=np.int64),
        todo=np.zeros(n + 1, dtype=np.int64),
        state=np.zeros(op.F_STATE_SIZE, dtype=np.int64),
    )
    result.T[1] = result.P[1] = ~np.uint64(0)
    result.state[op.F_END] = end
    result.waiting[0, 0] = 255
    result.options[0, 0] = _first_options(work, result)
    result.count[0] = 1
    return result


def _hides(data: Paths, work: Work, of_location: dict[int, list[int]]) -> bool:
    """Tell whether outcomes may leave out some of what a candidate chooses: a source, or an order."""
    shown: set[int] = set()
    for k, thread in enumerate(data.obs_thread.tolist()):
        if thread < 0:
            continue
        path = int(data.thread_first[thread] + work.combo[thread])
        kind, what = int(data.obs_kind[path, k]), int(data.obs_data[path, k])
        inputs = [what] if kind == op.V_COPY else []
        if kind == op.V_FUNCTION:
            inputs = data.f_reads[int(data.f_first[what]) : int(data.f_first[what + 1])].tolist()
        shown.update(int(work.t_base[thread]) + read for read in inputs)
    reads = work.reads[: int(work.st[op.READS])].tolist()
    if any(read not in shown for read in reads):
        return True
    halves = {int(item) for item in work.read_item[: len(reads)] if item >= 0}
    return any(len(inside) > 1 and not halves.issuperset(inside) for inside in of_location.values())


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


def _first_options(work: Work, frontier: Frontier) -> int:
    kind, what = int(frontier.kind[0]), int(frontier.what[0])
    if kind == op.F_READ:
        return int((1 << int(work.n_sources[what])) - 1)
    barred = work.item_after if kind == op.F_LAST else work.item_before
    inside = frontier.members[what, : int(frontier.n_members[what])].tolist()
    return sum(1 << option for option, item in enumerate(inside) if barred[item] < 0)
