"""A test under a model as the kernels see it: a program, the paths of the threads, and the arrays of a search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from enumerator.events import Kinds
from enumerator.frozen import dataclass
from enumerator.jit.arguments import Plan, replaced
from enumerator.program.flags import with_ub
from enumerator.request import Request
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.functions import Values
from enumerator.search.layout import Paths, Program, Work
from enumerator.search.lower import Lowered
from enumerator.search.symmetry import Orbit, add_columns, find_orbits
from enumerator.search.tuning import Tuning

__all__ = ["Problem", "configuration", "lay_out", "program", "work_arrays"]

_ASSERT = "assert"

_REGISTERS = 32


@dataclass
class Problem:
    """What a search works on.

    Parameters
    ----------
    request : Request
    lowered : Lowered
        The test.
    model : Bytecode
    prog, data, work
        The arrays of the kernels. `data` is replaced where the search keeps to some of the combinations of paths.
    symmetric : tuple of Orbit
        Symmetric threads whose registers states show.
    hides_assert : bool
        The last column of a state tells whether an assertion failed, which nobody asked for.
    """

    request: Request
    lowered: Lowered
    model: Bytecode
    prog: Program
    data: Paths
    work: Work
    symmetric: tuple[Orbit, ...]
    hides_assert: bool

    @property
    def columns(self) -> int:
        """How many values a state has."""
        return len(self.data.obs_thread) + len(self.prog.shown)


def lay_out(request: Request, lowered: Lowered, model: Bytecode, tuning: Tuning) -> Problem:
    """Lay a request out for the kernels.

    Parameters
    ----------
    request : Request
    lowered : Lowered
    model : Bytecode
    tuning : Tuning

    Returns
    -------
    Problem
    """
    data, symmetric = _symmetry(request, lowered, model, tuning.symmetry)
    waits = lowered.waits
    config = configuration(request, lowered.values, model, data.obs_thread.tolist(), tuning, waits=waits)
    prog, hides_assert = program(request, lowered.ends, lowered.kinds, model, config)
    work = work_arrays(model, lowered.most_events, len(request.test.threads), len(data.loc_value))
    work.st[op.PHASE] = op.P_SETUP if data.thread_count.all() else op.P_DONE
    work.st[op.LONG] = -1 if request.record else tuning.long
    work.st[op.LIMIT] = -1 if request.max_executions is None else request.max_executions
    work.st[op.ALLOWED] = -1
    return Problem(request, lowered, model, prog, data, work, symmetric, hides_assert)


def configuration(
    request: Request,
    values: Values,
    model: Bytecode,
    owners: Iterable[int],
    tuning: Tuning,
    *,
    waits: bool,
) -> NDArray[np.int64]:
    """Say what a request and a model ask of the search (``C_…`` of :mod:`enumerator.search.opcodes`).

    Parameters
    ----------
    request : Request
    values : Values
    model : Bytecode
    owners : iterable of int
        Of each observed name its thread, or -1 for a location.
    tuning : Tuning
    waits : bool
        Whether some path ends in a loop that waits, or has an attempt that counts only for what races with it.

    Returns
    -------
    int64 array
    """
    orders_matter = waits or model.flags_need_order or (model.final_needs_order and any(owner < 0 for owner in owners))
    last_matters = orders_matter and model.final_is_last and not model.flags_need_order and not waits
    config = [
        model.order_set,
        model.undef_set,
        model.final,
        int(request.outcomes_only and not orders_matter),
        int(request.decided is not None),
        request.record,
        0,
        int(tuning.bounds),
        int(request.outcomes_only and last_matters),
        values.number(0),
        values.number(1),
        int(waits),
    ]
    return np.array(config, dtype=np.int64)


def program(
    request: Request, ends: Sequence[str], kinds: Kinds, model: Bytecode, config: NDArray[np.int64]
) -> tuple[Program, bool]:
    """Lay a model out for the events of a test.

    Where nobody asks for failed assertions, their executions have states all the same, as their flags count: these
    states are told by a flag behind those that are asked for, and left out in the end.

    Parameters
    ----------
    request : Request
    ends : sequence of str
        Flags of early ends in bit order.
    kinds : Kinds
    model : Bytecode
    config : int64 array

    Returns
    -------
    (Program, bool)
        And whether a flag of failed assertions stands behind those that are asked for.
    """
    hides_assert = _ASSERT in ends and _ASSERT not in request.flags
    flags = (*request.flags, *([_ASSERT] if hides_assert else []))
    shown = [_bits_of(flag, model, ends) for flag in flags]
    early = [
        sum(1 << bit for bit, _ in enumerate(ends) if any(bits >> bit & 1 for _, bits in shown)),
        _bits_of("ub", model, ends)[1],
    ]
    pairs, itself = kinds.all_pairs([name for name, _ in model.base_relations])
    sets = kinds.all_sets()
    members = [[name in each for each in sets] for name, _ in model.base_sets]
    laid_out = replaced(
        model.program,
        config=config,
        shown=np.array(shown, dtype=np.uint64).reshape(-1, 2),
        ends=np.array(early, dtype=np.uint64),
        kind_pairs=pairs,
        kinds_before=_as_words(pairs.transpose(0, 2, 1)),
        kinds_after=_as_words(pairs),
        kind_itself=itself,
        kind_sets=np.array(members, dtype=np.bool_).reshape(len(members), len(sets)),
    )
    return laid_out, hides_assert


def _as_words(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Give rows of truth values as rows of words, the first value in the lowest bit."""
    words = -(-rows.shape[-1] // 64)
    padded = np.zeros((*rows.shape[:-1], 64 * words), dtype=np.bool_)
    padded[..., : rows.shape[-1]] = rows
    return np.packbits(padded, axis=-1, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def _bits_of(flag: str, model: Bytecode, ends: Sequence[str]) -> tuple[int, int]:
    """Give the bits of a flag among those of the model, and among the early ends; ``ub`` is any ``ub-*``."""

    def bits(names: Sequence[str]) -> int:
        return sum(1 << bit for bit, name in enumerate(names) if flag in with_ub({name}))

    return bits(model.flags), bits(ends)


def _symmetry(request: Request, lowered: Lowered, model: Bytecode, wanted: bool) -> tuple[Paths, tuple[Orbit, ...]]:
    """Find symmetric threads; the arrays of the test say which, and states hold the same of each."""
    names = [name for name, _ in model.base_relations]
    if not wanted or not lowered.alike or request.record != 0 or "text-order" in names:
        return lowered.paths, ()
    orbits = find_orbits(lowered.arrays, lowered.kinds, names)
    if not orbits:
        return lowered.paths, ()
    columns, shown = add_columns(lowered.arrays, orbits)
    if shown and request.decided is not None:  # is asked about states as the search finds them
        return lowered.paths, ()
    like = np.full(len(request.test.threads), -1, dtype=np.int64)
    for each in orbits:
        like[list(each.threads[1:])] = each.threads[:-1]
    return replaced(lowered.paths, symmetric_with=like, **columns), shown


def work_arrays(model: Bytecode, n: int, threads: int, places: int) -> Work:
    """Make the arrays of a search, for combinations of paths of at most `n` events."""
    # Registers are rounded up, so that models for different tests share plans.
    relations, sets = (-(-count // _REGISTERS) * _REGISTERS for count in (model.relations, model.sets))
    slots = places + sum(places if by_location else 1 for *_, by_location in model.linear)
    return _plan(relations, sets, n, threads, slots, n * (1 + len(model.linear))).zeros()


@lru_cache(maxsize=512)
def _plan(relations: int, sets: int, n: int, threads: int, places: int, items: int) -> Plan[Work]:
    most = n + items + places  # decisions
    width = (n + 63) // 64
    shapes: dict[str, tuple[int, ...]] = {
        "st": (op.STATE_SIZE,),
        "missing": (2,),
        **dict.fromkeys(("combo", "t_base"), (threads,)),
        **dict.fromkeys(("pinned", "slot_first", "slot_length", "slot_order", "ordered"), (places,)),
        **dict.fromkeys(("item_write", "item_slot", "item_before", "item_after"), (items,)),
        **dict.fromkeys(("d_kind", "d_what", "choice", "forced_option", "may_fail", "accepted"), (most,)),
        "refused_at": (most, n + 1),
        "sources": (n, n + 1),
        "cycle_members": (3, n + 2),
        "sequence": (places, n),
        "path": (2, n),
    }
    special: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
        "reach": ((n, n), np.bool_),
        "R": ((relations, n, width), np.uint64),
        "flat": ((relations, n * width), np.uint64),
        "S": ((sets, width), np.uint64),
        "alive": ((width,), np.uint64),
        "flags": ((4,), np.uint64),
    }
    fields = Work._fields
    arrays = {name: special.get(name, (shapes.get(name, (n,)), np.int64)) for name in fields}
    return Plan(Work, arrays, {"flat": "R"})
