"""Accesses of LDS that conflict with nothing between them: no barrier, or anything else that might order them.

Fences alone order nothing between threads: they do so through an atomic access next to them, or a volatile one that
stands for it. A wave barrier is for the lanes of one wave. Paths are followed with the accesses since the last
operation that may order them. Two of them conflict if threads of two waves are
known to touch a common byte, and all threads run both: accesses that some threads skip may be meant for one thread.

Threads take turns between a lock and its release: what the loop of an exchange waits for, and the write that lets
others go on. Accesses there do not conflict with one another if the one acquires and the other releases.

A write that is not atomic, then a barrier, then atomic updates by several threads: of the two writes that the first
update may see one is not atomic, so it reads undef (LangRef, *Memory Model for Concurrent Operations*: a value is
chosen where "all the writes R_byte may see are atomic"). OpenCL C allows it of ``atomic_init``; hence it is a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace

from enumerator.frozen import dataclass
from enumerator.graphs import components
from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.flow import postdominators
from enumerator.inspection.forms import Extent
from enumerator.inspection.instructions import extent_of
from enumerator.inspection.operations import Function, Kind, Operation, Space
from enumerator.inspection.threads import meet
from enumerator.inspection.values import Environment
from enumerator.inspection.walking import MOST_STEPS, walk

__all__ = ["interval_remarks"]

_MOST = 64  # accesses that a path remembers
_WAVE = 64  # the most threads of a wave: what the lanes of a smaller one do is not told apart
_MOST_STEPS = 6_000  # of a kernel whose workgroups may be smaller: where nothing is certain, less is looked at
_ANY = 1024  # what compilers write where nothing is known of the size of workgroups


_COUNTS = re.compile(r"add|sub|min|max|inc|dec")
"""What updates that do not take turns are called."""

_Pair = tuple[int, Extent, int, Extent]


@dataclass(frozen=True)
class _Since:
    """What a path has behind it.

    Parameters
    ----------
    accesses : tuple of (int, Extent)
        Accesses of LDS since the last operation that may order them, by number.
    until : int
        The block in which the threads that went different ways are together again; -1 if they are.
    fenced, flagged : bool
        Whether a fence, and an atomic or volatile access, which may be a flag, have been since the last such operation.
    lock : str
        The object of the lock that the path has passed and not released; empty if there is none.
    acquired, released : bool
        Whether it was acquired; whether a release fence has come since the last access.
    doubtful : tuple of (int, Extent, int, Extent)
        Pairs of accesses that conflict unless the lock is released.
    plain, behind : tuple of (int, Extent)
        Writes that are not atomic since the last barrier, and those before it, where something updates LDS atomically.
    """

    accesses: tuple[tuple[int, Extent], ...] = ()
    until: int = -1
    fenced: bool = False
    flagged: bool = False
    lock: str = ""
    acquired: bool = False
    released: bool = False
    doubtful: tuple[_Pair, ...] = ()
    plain: tuple[tuple[int, Extent], ...] = ()
    behind: tuple[tuple[int, Extent], ...] = ()


@dataclass
class _Follower:
    function: Function
    operations: list[Operation]
    joins: list[int]
    threads: int
    exact: bool
    locks: frozenset[int]
    updates: bool
    met: dict[tuple[Extent, Extent], bool] = field(default_factory=dict)
    remarks: dict[tuple[int, int], Remark] = field(default_factory=dict)

    def enter(self, block: int, state: _Since) -> _Since:
        return replace(state, until=-1) if state.until == block else state

    def part(self, block: int, state: _Since) -> _Since:
        return state if state.until >= 0 else replace(state, until=self.joins[block])

    def step(self, number: int, operation: Operation, environment: Environment, state: _Since) -> _Since:
        if operation.asynchronous:
            return state
        if operation.within_wave:
            return state
        if operation.kind is Kind.FENCE:
            acquired = state.acquired or (state.lock != "" and operation.acquires)
            released = state.released or operation.releases
            accesses = () if state.flagged else state.accesses
            return replace(state, accesses=accesses, fenced=True, acquired=acquired, released=released)
        if operation.kind is not Kind.ACCESS:
            self.leave(state)
            behind = (*state.behind, *state.plain) if operation.kind is Kind.BARRIER else ()
            return _Since(until=state.until, behind=tuple(dict.fromkeys(behind))[-_MOST:])
        if self.updates and operation.writes and operation.space not in (Space.GLOBAL, Space.PRIVATE):
            state = self._initialized(number, operation, environment, state)
        if operation.atomic and number in self.locks:
            self.leave(state)
            state = replace(state, lock=operation.root or "", acquired=operation.acquires, released=False, doubtful=())
        elif operation.atomic and operation.writes and state.lock and operation.root == state.lock:
            if not (operation.releases or state.released):
                self.leave(state)
            state = replace(state, lock="", acquired=False, doubtful=())
        if operation.synchronizing:
            return replace(state, accesses=(), fenced=False, flagged=False)
        if operation.atomic or operation.volatile:
            return replace(state, accesses=() if state.fenced else state.accesses, flagged=True)
        state = replace(state, released=False) if operation.shared and state.released else state
        if operation.space is not Space.LOCAL or state.until != -1:
            return state
        extent = extent_of(operation.pointer, operation, operation.further, environment) if operation.pointer else None
        if extent is None or extent.span is None or (number, extent) in state.accesses:
            return state
        for other, before in state.accesses:
            if operation.writes or self.operations[other].writes:
                if not state.acquired:
                    self._check(number, extent, other, before)
                elif (pair := (number, extent, other, before)) not in state.doubtful:
                    state = replace(state, doubtful=(*state.doubtful, pair)[-_MOST:])
        return replace(state, accesses=(*state.accesses, (number, extent))[-_MOST:])

    def _initialized(self, number: int, operation: Operation, environment: Environment, state: _Since) -> _Since:
        """Remember a write that is not atomic; hold an update by all threads against those before the barrier."""
        extent = extent_of(operation.pointer, operation, operation.further, environment) if operation.pointer else None
        if extent is not None and extent.size is None:  # a call of a builtin: that it accesses the first byte is known
            extent = replace(extent, size=1)
        if extent is None or extent.span is None or operation.space is not Space.LOCAL:
            return replace(state, behind=()) if operation.atomic else state
        if not operation.atomic:  # a volatile write may stand for an atomic one
            return state if operation.volatile else replace(state, plain=(*state.plain, (number, extent))[-_MOST:])
        if operation.reads and state.until == -1 and self._meet(extent, extent):
            for other, before in state.behind:
                if self._meet(before, extent):
                    message = (
                        f"several threads update {extent.root} atomically after a write of it that is not atomic: the"
                        " first of them may see both that write and another update, and then reads undef"
                    )
                    place, related = operation.place, (self.operations[other].place,)
                    self.remarks[other, number] = Remark(
                        "plain-write-before-atomics", message, self.function.name, place, Severity.NOTE, related=related
                    )
        left = tuple(each for each in state.behind if each[1].root != operation.root)
        return replace(state, behind=left)

    def leave(self, state: _Since) -> None:
        for pair in state.doubtful:
            self._check(*pair)

    def _check(self, number: int, extent: Extent, other: int, before: Extent) -> None:
        if not self._meet(before, extent) or (other, number) in self.remarks:
            return
        operation, earlier = self.operations[number], self.operations[other]
        words = [("a write" if each.writes else "a read") for each in (earlier, operation)]
        message = (
            f"{words[1]} of {extent.root} where another wave may still be at {words[0]} of the same bytes:"
            " no barrier comes between the two"
        )
        message += "" if self.exact else f" (in a workgroup of {self.threads} threads, the most that it may have)"
        place = operation.place
        self.remarks[other, number] = Remark(
            "local-memory-race", message, self.function.name, place, related=(earlier.place,)
        )

    def _meet(self, one: Extent, other: Extent) -> bool:
        key = (one, other)
        if key not in self.met:
            self.met[key] = meet(one, other, self.threads, self.function.wavefront_size, _WAVE)
        return self.met[key]


def interval_remarks(function: Function) -> tuple[list[Remark], bool]:
    """Give the remarks on accesses of LDS within one interval between barriers.

    Parameters
    ----------
    function : Function

    Returns
    -------
    remarks : list of Remark
        None where a workgroup may have one wave only, and nobody has said that it may have how many threads.
    complete : bool
        False if there were too many paths to follow all.
    """
    size = function.workgroup_size
    if not function.entry or size is None:
        return [], True
    threads = size[0] if size[0] > _WAVE else size[1]
    if threads <= _WAVE or (threads > size[0] and threads >= _ANY):
        return [], True
    operations = function.operations
    if not any(each.space is Space.LOCAL and each.writes for each in operations):
        return [], True
    locks = frozenset(_locks(function))
    updates = any(each.space is Space.LOCAL and each.atomic and each.reads and each.writes for each in operations)
    follower = _Follower(function, operations, postdominators(function), threads, threads == size[0], locks, updates)
    complete = walk(function, follower, _Since(), MOST_STEPS if follower.exact else _MOST_STEPS)
    return list(follower.remarks.values()), complete


def _locks(function: Function) -> Iterator[int]:
    """Find what takes locks: exchanges, in loops that write nothing else, of what is written again behind them."""
    blocks = function.numbered()
    edges = dict(enumerate(block.successors for block in function.blocks))
    for some in components(edges):
        if len(some) == 1 and some[0] not in edges[some[0]]:
            continue
        inside = [each for block in some for each in blocks[block]]
        if any(each.writes and not each.atomic for _, each in inside):
            continue
        elsewhere = {
            each.root
            for number, others in enumerate(blocks)
            for _, each in others
            if number not in some and each.atomic and each.writes
        }
        for number, each in inside:
            if each.atomic and each.reads and each.writes and each.root in elsewhere and not _COUNTS.search(each.what):
                yield number
