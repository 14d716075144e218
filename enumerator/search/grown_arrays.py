"""The arrays of a search that grows executions, and how much they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.frozen import dataclass
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.layout import Grown, Work
from enumerator.search.problem import work_arrays

__all__ = ["Room", "doubled", "grown_arrays", "integers", "work_of", "widened"]


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
        if name not in ("flat", "t_base", "val", "source"):
            _copy(getattr(work, name), getattr(new, name))
    new.slot_first[old.locations :] = -1
    for name in ("val", "source"):
        before, after = getattr(work, name), getattr(new, name)
        after[: old.events] = before[: old.events]
        for thread in range(threads):
            _copy(before[grown.begins[thread] :][: old.of_thread], after[more.begins[thread] :])
    more = more._replace(coherence=grown.coherence, rules=grown.rules)
    moved = more.begins - grown.begins
    new.t_base[:] = work.t_base + moved
    used = dict.fromkeys(("log", "logged"), int(grown.at[op.X_LOG]))  # most of a log, or trail, is empty
    used["trail"] = int(grown.at[op.X_TRAIL])
    for name in Grown._fields:
        if name != "begins":
            _copy(getattr(grown, name)[: used.get(name)], getattr(more, name))
    more.base[:n] += np.append(moved, 0)[new.g_thread[:n]]  # nothing to initial writes, whose thread is -1
    return new._replace(st=work.st), more  # the collector has these counters


def integers(*shape: int) -> NDArray[np.int64]:
    """Make an array of zeros."""
    return np.zeros(shape, dtype=np.int64)


def _words(*shape: int) -> NDArray[np.uint64]:
    """Make an array of empty words."""
    return np.zeros(shape, dtype=np.uint64)


def work_of(model: Bytecode, room: Room, threads: int) -> Work:
    """Make the arrays that all searches have."""
    work = work_arrays(model, room.events, threads, room.locations)
    wide = room.events + threads * room.of_thread
    work = work._replace(
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
    n, decisions, words = room.events, room.depth, (room.events + 63) // 64
    relations, sets = model.relations + 32, model.sets + 32
    log = room.undone * (4 * (relations + sets) * n + 128 * decisions)
    return Grown(
        at=integers(op.X_SIZE),
        node=integers(threads),
        following=integers(threads),
        length=integers(threads),
        begins=_begins(room, threads),
        open_reads=integers(threads),
        event_at=integers(threads, room.of_thread),
        index=integers(n),
        base=integers(n),
        present=np.zeros(n, dtype=np.bool_),
        open=_words(words),
        written=_words(room.locations, words),
        accessed=_words(room.locations, words),
        deferred=_words(words),
        known=integers(room.locations),
        of_kind=_words(room.kinds, words),
        kinds=_words((room.kinds + 63) // 64),
        undef=integers(n),
        half=integers(n),
        later=integers(n),
        passed=integers(n),
        idle=integers(n),
        guesses=integers(decisions, 4),
        excluded=_words(n, words),
        hidden=_words(n, words),
        kind=integers(decisions),
        what=integers(decisions),
        cursor=integers(decisions),
        stays_after=_words(n),
        passes=_words(n),
        may_wait=integers(decisions),
        alone=integers(decisions),
        lowest=integers(decisions),
        highest=integers(decisions),
        together=_words(decisions),
        rivals=integers(decisions),
        rival_values=integers(decisions, 8),
        rival_count=integers(decisions),
        reach=integers(threads),
        looked_to=integers(threads),
        to_come=integers(decisions, threads),
        contended=integers(room.locations),
        alike=np.full(threads, -1, dtype=np.int64),
        arranged=np.full(threads, -1, dtype=np.int64),
        arranged_at=integers(threads),
        decided=integers(n),
        takes_newest=integers(decisions),
        mark=integers(decisions),
        accepted=integers(decisions),
        trail=integers(room.undone * 16 * (n + decisions), 4),
        options=integers(n),
        leading=integers(n),
        served=integers(n),
        leads_to=np.zeros((threads, room.locations), dtype=np.uint8),
        known_ahead=integers(threads),
        wanting=_words(words),
        able=_words(words),
        past_asked=_words(words),
        past_closed=_words(words),
        cyclic=integers(n),
        links=_words(5, n, words),
        fresh=integers(decisions),
        log_mark=integers(decisions),
        log=integers(log, 2),
        logged=_words(log, words),
        touched=_words(relations, words),
        touched_sets=_words(sets, words),
        kept=_words(decisions, 4 + len(model.base_relations) + len(model.base_sets), words),
        rows=_words(words),
        new=_words(words),
        old=_words(words),
        row=_words(words),
        coherence=integers(0),
        rules=integers(0, 2),
        settled=integers(n),
        stays=integers(n),
        returns=integers(n),
        stays_of=integers(n),
        stale=_words(decisions, words),
        unseen=_words(decisions, words),
    )
