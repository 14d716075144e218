"""The arrays of a search that grows executions, and how much they hold."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.frozen import dataclass
from enumerator.jit.arguments import Plan, replaced
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.layout import Grown, Work
from enumerator.search.problem import work_arrays

__all__ = ["Room", "doubled", "grown_arrays", "integers", "work_of", "widened"]

_OF_THREADS = (
    "node", "following", "length", "open_reads", "reach", "looked_to", "arranged_at", "known_ahead", "begins",
    "alike", "arranged",
)  # fmt: skip
_OF_EVENTS = (
    "index", "base", "undef", "half", "later", "passed", "idle", "decided", "options", "leading", "served", "cyclic",
    "settled", "stays", "returns", "stays_of",
)  # fmt: skip
_OF_DECISIONS = (
    "kind", "what", "cursor", "may_wait", "alone", "lowest", "highest", "rivals", "rival_count", "takes_newest",
    "mark", "accepted", "fresh", "log_mark",
)  # fmt: skip
_WORDS = (
    "open", "deferred", "wanting", "able", "past_asked", "past_closed", "rows", "new", "old", "row",
)  # fmt: skip
"""Arrays with a number for each thread, event and decision, and with a bit for each event."""

_NOT_COPIED = "flat", "t_base", "val", "source", "sources", "refused_at"
"""Arrays that are laid out anew, or that no search uses in which executions grow."""


@dataclass(frozen=True)
class Room:
    """How much the arrays hold."""

    events: int = 64
    of_thread: int = 64
    locations: int = 32
    kinds: int = 64
    depth: int = 256
    undone: int = 1  # what there is to undo, in times of what events and decisions have at least


def doubled(size: int, wanted: int) -> int:
    """Double a size until it is what is wanted."""
    while size < wanted:
        size *= 2
    return size


def _copy(old: NDArray[Any], new: NDArray[Any]) -> None:
    """Copy an array into a corner of a larger one."""
    new[tuple(slice(size) for size in old.shape)] = old


def widened(model: Bytecode, work: Work, grown: Grown, old: Room, room: Room) -> tuple[Work, Grown]:
    """Give arrays with more room, with what others hold.

    Parameters
    ----------
    model : Bytecode
    work : Work
    grown : Grown
    old, room : Room
        What they hold, and what these shall.

    Returns
    -------
    (Work, Grown)
    """
    threads, n = len(grown.node), int(work.st[op.EVENTS])
    new, more = work_of(model, room, threads), grown_arrays(model, room, threads)
    for name in Work._fields:
        if name not in _NOT_COPIED:
            _copy(getattr(work, name), getattr(new, name))
    new.slot_first[old.locations :] = -1
    for name in ("val", "source"):
        before, after = getattr(work, name), getattr(new, name)
        after[: old.events] = before[: old.events]
        for thread in range(threads):
            _copy(before[grown.begins[thread] :][: old.of_thread], after[more.begins[thread] :])
    more = replaced(more, coherence=grown.coherence, rules=grown.rules)
    moved = more.begins - grown.begins
    new.t_base[:] = work.t_base + moved
    used = dict.fromkeys(("log", "logged"), int(grown.at[op.X_LOG]))  # most of a log, or trail, is empty
    used["trail"] = int(grown.at[op.X_TRAIL])
    for name in Grown._fields:
        if name != "begins":
            _copy(getattr(grown, name)[: used.get(name)], getattr(more, name))
    more.base[:n] += np.append(moved, 0)[new.g_thread[:n]]  # nothing to initial writes, whose thread is -1
    return replaced(new, st=work.st), more  # the collector has these counters


def integers(*shape: int) -> NDArray[np.int64]:
    """Make an array of zeros."""
    return np.zeros(shape, dtype=np.int64)


def work_of(model: Bytecode, room: Room, threads: int) -> Work:
    """Make the arrays that all searches have."""
    work = work_arrays(model, room.events, threads, room.locations)
    wide = room.events + threads * room.of_thread
    work = replaced(
        work,
        val=np.full(wide, op.UNKNOWN_ID, dtype=np.int64),
        source=np.full(wide, -1, dtype=np.int64),
        t_base=_begins(room, threads),
    )
    work.slot_first[:] = -1
    return work


def _begins(room: Room, threads: int) -> NDArray[np.int64]:
    """Give where the values of each thread's path begin: behind those of events by their numbers."""
    return room.events + room.of_thread * np.arange(threads, dtype=np.int64)


def grown_arrays(model: Bytecode, room: Room, threads: int) -> Grown:
    """Make the arrays of executions that grow, and of what is decided about them."""
    # Registers are rounded up, so that models for different tests share plans.
    relations, sets = (-(-(count + 32) // 32) * 32 for count in (model.relations, model.sets))
    grown = _plan(room, threads, relations, sets, 4 + len(model.base_relations) + len(model.base_sets)).zeros()
    grown.begins[:] = _begins(room, threads)
    grown.alike[:] = grown.arranged[:] = -1
    return grown


@lru_cache(maxsize=128)
def _plan(room: Room, threads: int, relations: int, sets: int, kept: int) -> Plan[Grown]:
    n, decisions, places, words = room.events, room.depth, room.locations, (room.events + 63) // 64
    log = room.undone * (4 * (relations + sets) * n + 128 * decisions)
    integers: dict[str, tuple[int, ...]] = {
        "at": (op.X_SIZE,),
        **dict.fromkeys(_OF_THREADS, (threads,)),
        **dict.fromkeys(_OF_EVENTS, (n,)),
        **dict.fromkeys(_OF_DECISIONS, (decisions,)),
        **dict.fromkeys(("known", "contended"), (places,)),
        "event_at": (threads, room.of_thread),
        "guesses": (decisions, 4),
        "rival_values": (decisions, 8),
        "to_come": (decisions, threads),
        "trail": (room.undone * 16 * (n + decisions), 4),
        "log": (log, 2),
        "coherence": (0,),
        "rules": (0, 2),
    }
    bits: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(_WORDS, (words,)),
        **dict.fromkeys(("written", "accessed"), (places, words)),
        **dict.fromkeys(("excluded", "hidden"), (n, words)),
        **dict.fromkeys(("stays_after", "passes"), (n,)),
        **dict.fromkeys(("stale", "unseen"), (decisions, words)),
        "of_kind": (room.kinds, words),
        "kinds": ((room.kinds + 63) // 64,),
        "together": (decisions,),
        "links": (5, n, words),
        "logged": (log, words),
        "touched": (relations, words),
        "touched_sets": (sets, words),
        "kept": (decisions, kept, words),
    }
    arrays: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
        **{name: (shape, np.int64) for name, shape in integers.items()},
        **{name: (shape, np.uint64) for name, shape in bits.items()},
        "present": ((n,), np.bool_),
        "leads_to": ((threads, places), np.uint8),
    }
    return Plan(Grown, arrays)
