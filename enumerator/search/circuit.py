"""Boolean circuits: what a model says of one combination of paths, for many candidates at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.errors import Timeout
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.layout import Paths, Program, Work

__all__ = [
    "MOST_OPERATIONS",
    "final_signals",
    "ground_paths",
    "has_state",
    "in_time",
    "order_register",
    "without_branches",
]

MOST_OPERATIONS = 1 << 22

_GROUNDED_AT_ONCE = 1 << 24
"""Pairs and triples of events that grounding looks at in one go: timeouts and Ctrl-C are noticed in between."""


def ground_paths(
    prog: Program, work: Work, chosen: NDArray[np.int64], late: Callable[[], bool]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]] | None:
    """Turn the axioms, flags and final writes of the combination of paths at hand into a circuit.

    Parameters
    ----------
    prog : Program
    work : Work
    chosen : int64 array, shape (inputs, 3)
        The inputs, as :func:`enumerator.search.kernels.circuit.begin_ground` wants them; their signals are 2 and after.
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    circuit, terms, relations, sets, size : arrays or None
        Operations and terms with room for more, the signals of the relations and sets, and how many operations, signals
        and terms there are. None where there are too many.

    Raises
    ------
    Timeout
        Where the time is up.
    """
    n = int(work.st[op.EVENTS])
    relations = np.zeros((len(work.R), n, n), dtype=np.int32)
    sets = np.zeros((len(work.S), n), dtype=np.int32)
    circuit = np.empty((MOST_OPERATIONS, 4), dtype=np.int32)
    terms = np.empty((1 << 16, 2), dtype=np.int64)
    size = np.zeros(3, dtype=np.int64)
    # Signals are made of what nothing but the paths decides: reads-from and the orders as they are before any decision.
    R, S = work.R.copy(), work.S.copy()
    R[0] = 0
    S[0] = 0
    R[1] = _initial_order(prog, work)
    R[prog.linear[:, 1]] = 0
    room = np.zeros((2, n, n), dtype=np.int32)
    at = np.zeros(op.AT_SIZE, dtype=np.int64)
    kernels.begin_ground(R, S, relations, sets, n, chosen, size, at)
    more = 1
    while more > 0:
        in_time(late)
        more = kernels.ground(
            prog.code, prog.sections, relations, sets, n, room, circuit, terms, size, at, _GROUNDED_AT_ONCE
        )
    if more < 0:
        return None
    return circuit, terms, relations, sets, size


def order_register(prog: Program, work: Work, item: int) -> int:
    """Give the register of the order that an item has a place in: coherence order, or a chosen one."""
    order = int(work.slot_order[work.item_slot[item]])
    return 1 if order == 0 else int(prog.linear[order - 1, 1])


def has_state(prog: Program, end: int) -> bool:
    """Tell whether executions that end so have a final state: `end` as ``kernels.bit_parallel.ending`` gives it."""
    return end == 0 or (end > 1 and bool(int(prog.ends[0]) >> (end - 2) & 1))


def final_signals(prog: Program, data: Paths, work: Work, sets: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """List the writes that an observed location may end with: (number of the observed name, signal, write).

    Parameters
    ----------
    prog : Program
    data : Paths
    work : Work
    sets : int32 array
        The signals of the sets (:func:`ground_paths`).

    Returns
    -------
    list of (int, int, int)
    """
    return [
        (k, int(sets[prog.config[op.C_FINAL], event]), event)
        for k in range(len(data.obs_thread))
        if data.obs_thread[k] < 0 and work.slot_first[data.obs_loc[k]] >= 0
        for event in range(int(work.st[op.EVENTS]))
        if work.g_loc[event] == data.obs_loc[k] and sets[prog.config[op.C_FINAL], event] != 0
    ]


def in_time(late: Callable[[], bool]) -> None:
    """Raise Timeout where the time is up."""
    if late():
        raise Timeout


def _initial_order(prog: Program, work: Work) -> NDArray[np.uint64]:
    """Give the order before any write is placed: initial writes come before the others of their location."""
    order: NDArray[np.uint64] = np.zeros_like(work.R[1])
    for item in range(int(work.st[op.ITEMS])):
        first, write = int(work.slot_first[work.item_slot[item]]), int(work.item_write[item])
        if first >= 0 and int(work.S[prog.config[op.C_ORDER], first >> 6]) >> (first & 63) & 1:
            order[first, write >> 6] |= np.uint64(1 << (write & 63))
    return order


def without_branches(circuit: NDArray[np.int32]) -> NDArray[np.uint32]:
    """Write operations as the kernel evaluates them: all but those of loops as one operation with two switches.

    Parameters
    ----------
    circuit : int32 array, shape (circuit, 4)
        Rows (operation, signal, left, right).

    Returns
    -------
    uint32 array of the same shape
        Signals 0 and 1, which are false and true, stand for operands that an operation does not have.

    Examples
    --------
    >>> without_branches(np.array([(op.G_OR_IN, 5, 4, 0), (op.G_NOT, 6, 5, 0)], dtype=np.int32)).tolist()
    [[1, 5, 4, 1], [2, 6, 1, 5]]
    """
    what, signal, left, right = circuit.T
    keep = np.isin(what, (op.G_OR_IN, op.G_OR_AND)) * op.G_KEEP
    invert = np.isin(what, (op.G_NOT, op.G_AND_NOT)) * op.G_INVERT
    loop = what >= op.G_ASSIGN
    operation = np.where(loop, what, keep + invert)
    right = np.select([what == op.G_NOT, np.isin(what, (op.G_COPY, op.G_OR_IN))], [left, 1], right)
    left = np.select([what == op.G_NOT, what == op.G_ZERO], [1, 0], left)
    return np.stack([operation, signal, left, right], axis=1).astype(np.uint32)
