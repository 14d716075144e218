"""Asynchronous copies: what uses them before they are complete, or before other threads know that they are.

Each path is followed with the copies that are in flight on it (LLVM, AMDGPUAsyncOperations). Where it is not known
which bytes an access and a copy of one object touch, there is a remark only if no complete copy could be the one meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from enumerator.frozen import dataclass
from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.flight import leaves_in_flight
from enumerator.inspection.forms import Extent, Overlap, compare, same_thread_only
from enumerator.inspection.instructions import extent_of
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation, Space
from enumerator.inspection.values import THREAD_INDEX, Environment
from enumerator.inspection.walking import walk

__all__ = ["copy_remarks"]


@dataclass(frozen=True)
class _Copy:
    """A copy that was started on a path.

    Parameters
    ----------
    number : int
        Of its write, in the function.
    source, target : Extent or None
    stages : frozenset of int
    marks, operations : int
        That came since; as many as matter.
    waited : int
        The last wait for its stage since, by number (-1: none).
    crossed : bool
        A barrier was passed while it was in flight.
    complete : bool
    published : bool
        It was complete before a barrier, so that all threads know.
    """

    number: int
    source: Extent | None
    target: Extent | None
    stages: frozenset[int]
    marks: int = 0
    operations: int = 0
    waited: int = -1
    crossed: bool = False
    complete: bool = False
    published: bool = False


@dataclass(frozen=True)
class _Flying:
    """What a path has behind it: copies, objects with plain stores, reads of LDS since the last barrier."""

    copies: tuple[_Copy, ...] = ()
    stored: frozenset[str] = frozenset()
    reads: tuple[tuple[int, Extent], ...] = ()


_MOST_COPIES = 64  # complete ones that a path remembers
_MOST_READS = 128


@dataclass
class _Follower:
    """Follows copies along paths, and collects remarks by what they are about."""

    function: Function
    operations: list[Operation]
    remarks: dict[tuple[str, int, int], Remark] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)  # copies that are complete on some path
    unfinished: set[int] = field(default_factory=set)  # copies that are in flight where some path ends
    source: Extent | None = None  # of the copy whose read was seen last

    @property
    def many_waves(self) -> bool:
        """Whether a workgroup is known to have several waves."""
        size = self.function.workgroup_size
        return size is not None and size[0] > self.function.wavefront_size

    # Steps

    def enter(self, block: int, state: _Flying) -> _Flying:
        """Begin a block: nothing changes."""
        return state

    def part(self, block: int, state: _Flying) -> _Flying:
        """Pass a branch: nothing changes."""
        return state

    def step(self, number: int, operation: Operation, environment: Environment, state: _Flying) -> _Flying:
        """Follow one operation."""
        if operation.kind is Kind.MARK:
            return self._marked(operation, state)
        if operation.kind is Kind.WAIT:
            return self._waited(number, operation, state)
        if operation.kind is Kind.BARRIER:
            return _past_barrier(operation, state)
        if operation.kind is not Kind.ACCESS or not operation.shared:
            return state
        extent = extent_of(operation.pointer, operation, operation.further, environment) if operation.pointer else None
        if extent is None and operation.root is not None:
            extent = Extent(operation.root)
        if extent is None and operation.asynchronous and operation.space is Space.LOCAL:
            extent = Extent("")  # what a tensor descriptor says
        if extent is not None:
            self._check(number, operation, extent, state)
        if operation.asynchronous:
            return self._started(number, operation, extent, state)
        if extent is None or operation.space is not Space.LOCAL:
            return state
        if operation.writes:
            state = replace(state, stored=state.stored | {extent.root})
        if operation.reads and (number, extent) not in state.reads and len(state.reads) < _MOST_READS:
            state = replace(state, reads=(*state.reads, (number, extent)))
        return state

    def leave(self, state: _Flying) -> None:
        """See which copies nothing has completed where a path ends."""
        self.unfinished |= {copy.number for copy in state.copies if not copy.complete}

    def _started(self, number: int, operation: Operation, extent: Extent | None, state: _Flying) -> _Flying:
        if operation.reads:
            self.source = extent
            return state
        copy = _Copy(number, self.source, extent, operation.stages)
        older = [
            each
            if each.complete or each.stages.isdisjoint(copy.stages)
            else replace(each, operations=each.operations + 1)
            for each in state.copies
            if not (each.complete and each.number == number and each.target == extent)
        ]
        if sum(each.complete for each in older) > _MOST_COPIES:
            older.remove(next(each for each in older if each.complete))
        return replace(state, copies=(*older, copy))

    def _marked(self, operation: Operation, state: _Flying) -> _Flying:
        return replace(
            state,
            copies=tuple(
                each
                if each.complete or each.stages.isdisjoint(operation.stages)
                else replace(each, marks=each.marks + 1)
                for each in state.copies
            ),
        )

    def _waited(self, number: int, operation: Operation, state: _Flying) -> _Flying:
        copies = []
        for each in state.copies:
            if not each.complete and not each.stages.isdisjoint(operation.stages):
                if leaves_in_flight(operation, each.marks, each.operations):
                    each = replace(each, waited=number)
                else:
                    each = replace(each, complete=True, marks=0, operations=0, waited=-1)
                    self.finished.add(each.number)
            copies.append(each)
        return replace(state, copies=tuple(copies))

    # What is wrong

    def _check(self, number: int, operation: Operation, extent: Extent, state: _Flying) -> None:
        unknown: list[_Copy] = []
        for copy in state.copies:
            if copy.complete:
                continue
            for part, writes in ((copy.target, True), (copy.source, False)):
                if part is None or not (writes or operation.writes):
                    continue
                if not (part.root and extent.root) and operation.space is not Space.LOCAL:
                    continue
                match compare(part, extent):
                    case Overlap.SOME:
                        self._in_flight(number, operation, copy)
                    case Overlap.UNKNOWN if writes and operation.reads:
                        unknown.append(copy)
        others = [each for each in state.copies if each.complete and _may_touch(each, extent)]
        if unknown and not others and extent.root not in state.stored:
            self._in_flight(number, operation, unknown[-1])
        if operation.reads:
            self._check_published(number, operation, extent, others)
        if operation.asynchronous and operation.writes and operation.space is Space.LOCAL and self.many_waves:
            for place, read in state.reads:
                if compare(read, extent) is Overlap.SOME and not same_thread_only(read, extent, THREAD_INDEX):
                    self._overwrites(number, operation, place)

    def _check_published(self, number: int, operation: Operation, extent: Extent, complete: list[_Copy]) -> None:
        """Look at a read of what copies of all threads have written: a barrier must be between."""
        candidates = [each for each in complete if each.target is not None and operation.space is Space.LOCAL]
        if not candidates or any(each.published for each in candidates):
            return
        for copy in candidates:
            assert copy.target is not None
            if same_thread_only(copy.target, extent, "lane") or same_thread_only(copy.target, extent, THREAD_INDEX):
                continue
            alone = extent.offset is not None and not extent.offset.of_thread and extent.span is not None
            if copy.crossed or (alone and self.many_waves and compare(copy.target, extent) is Overlap.SOME):
                self._unpublished(number, operation, copy)
                return

    def _remark(self, name: str, at: int, copy: int, message: str, *related: int) -> None:
        if (name, at, copy) not in self.remarks:
            places = tuple(dict.fromkeys(self.operations[each].place for each in (copy, *related) if each >= 0))
            self.remarks[name, at, copy] = Remark(
                name, message, self.function.name, self.operations[at].place, related=places
            )

    def _in_flight(self, number: int, operation: Operation, copy: _Copy) -> None:
        user, copied = _named(operation), self.operations[copy.number].what
        self.unfinished.discard(copy.number)
        if copy.waited < 0:
            message = f"{user} while an asynchronous copy is in flight: nothing waits for {copied} before"
            self._remark("async-not-awaited", number, copy.number, message)
            return
        wait = self.operations[copy.waited]
        if wait.counter:
            why = f"{wait.what}({wait.count}) leaves it in flight: {copy.operations} of its kind have come since"
        elif not copy.marks:
            why = f"no mark comes between it and {wait.what}({wait.count}), which so does not wait for it"
        else:
            marks = "1 mark has" if copy.marks == 1 else f"{copy.marks} marks have"
            why = f"{wait.what}({wait.count}) leaves it in flight: only {marks} come since"
        message = f"{user} while {copied} is in flight: {why}"
        self._remark("async-in-flight", number, copy.number, message, copy.waited)

    def _unpublished(self, number: int, operation: Operation, copy: _Copy) -> None:
        crossed = "; the barrier before comes too early: it is passed while the copy is in flight" * copy.crossed
        message = (
            f"{_named(operation)} after the wait for this thread's {self.operations[copy.number].what}, but no barrier"
            f" comes between them: those of other threads may be in flight{crossed}"
        )
        self._remark("async-not-published", number, copy.number, message)

    def _overwrites(self, number: int, operation: Operation, read: int) -> None:
        message = (
            f"{operation.what} overwrites what other threads may still read: no barrier comes between"
            f" {_named(self.operations[read])} and the copy"
        )
        self._remark("async-overwrites", number, read, message)

    def ended(self) -> Iterator[Remark]:
        """Give remarks on copies that nothing waits for and nothing uses."""
        used = {copy for _, _, copy in self.remarks}
        for number in sorted(self.unfinished - self.finished - used):
            operation = self.operations[number]
            message = f"{operation.what}: nothing waits for this asynchronous copy"
            yield Remark("async-not-awaited", message, self.function.name, operation.place, Severity.NOTE)


def copy_remarks(function: Function) -> tuple[list[Remark], bool]:
    """Give the remarks on the asynchronous copies of a function.

    Parameters
    ----------
    function : Function

    Returns
    -------
    remarks : list of Remark
    complete : bool
        False if there were too many paths to follow all.
    """
    operations = function.operations
    if not any(operation.asynchronous for operation in operations):
        return [], True
    follower = _Follower(function, operations)
    complete = walk(function, follower, _Flying())
    return [*follower.remarks.values(), *follower.ended()], complete


def _past_barrier(operation: Operation, state: _Flying) -> _Flying:
    """Pass a barrier: what is complete at the arrival is so for all threads after the wait."""
    copies, reads = state.copies, state.reads
    if operation.barrier & BarrierPart.ARRIVE:
        copies = tuple(
            replace(each, published=True) if each.complete else replace(each, crossed=True) for each in copies
        )
    if operation.barrier & BarrierPart.WAIT:
        reads = ()
    return replace(state, copies=copies, reads=reads)


def _may_touch(copy: _Copy, extent: Extent) -> bool:
    return copy.target is not None and compare(copy.target, extent) is not Overlap.NONE


def _named(operation: Operation) -> str:
    what = "an update" if operation.reads and operation.writes else "a read" if operation.reads else "a write"
    return f"{what} of {operation.root}" if operation.root is not None else f"{what} of {operation.space.value} memory"
