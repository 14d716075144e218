"""Accesses of LDS that conflict with nothing between them: no barrier, or anything else that might order them.

Fences alone order nothing between threads: they do so through an atomic access next to them, or a volatile one that
stands for it. A wave barrier is for the lanes of one wave. Paths are followed with the accesses since the last
operation that may order them. Two of them conflict if threads of two waves are
known to touch a common byte, and all threads run both: accesses that some threads skip may be meant for one thread.
"""

from __future__ import annotations

from dataclasses import field, replace

from enumerator.frozen import dataclass
from enumerator.inspection.findings import Remark
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
    """

    accesses: tuple[tuple[int, Extent], ...] = ()
    until: int = -1
    fenced: bool = False
    flagged: bool = False


@dataclass
class _Follower:
    function: Function
    operations: list[Operation]
    joins: list[int]
    threads: int
    exact: bool
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
            return replace(state, accesses=() if state.flagged else state.accesses, fenced=True)
        if operation.kind is not Kind.ACCESS or operation.synchronizing:
            return _Since(until=state.until)
        if operation.atomic or operation.volatile:
            return replace(state, accesses=() if state.fenced else state.accesses, flagged=True)
        if operation.space is not Space.LOCAL or state.until != -1:
            return state
        extent = extent_of(operation.pointer, operation, operation.further, environment) if operation.pointer else None
        if extent is None or extent.span is None or (number, extent) in state.accesses:
            return state
        for other, before in state.accesses:
            if operation.writes or self.operations[other].writes:
                self._check(number, extent, other, before)
        return replace(state, accesses=(*state.accesses, (number, extent))[-_MOST:])

    def leave(self, state: _Since) -> None:
        pass

    def _check(self, number: int, extent: Extent, other: int, before: Extent) -> None:
        key = (before, extent)
        if key not in self.met:
            self.met[key] = meet(before, extent, self.threads, self.function.wavefront_size, _WAVE)
        if not self.met[key] or (other, number) in self.remarks:
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
    follower = _Follower(function, operations, postdominators(function), threads, threads == size[0])
    complete = walk(function, follower, _Since(), MOST_STEPS if follower.exact else _MOST_STEPS)
    return list(follower.remarks.values()), complete
