"""Fences and barriers that may go: nothing is ordered by them that is not ordered without them.

A fence next to one that is at least as strong in ordering, scope and tags goes: merging the two gives the stronger one
(semantics, section 7). A barrier goes if nothing that other threads see is between it and the one before it, or before
it, or after it, where all threads of a workgroup run through the same barriers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enumerator.frozen import dataclass
from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation
from enumerator.program.instructions import Ordering, Tag

__all__ = ["redundant_remarks"]


@dataclass(frozen=True)
class _Strength:
    """What a fence says."""

    ordering: Ordering
    scope: int
    one_as: bool
    tags: frozenset[Tag]
    line: int | None

    def covers(self, other: _Strength) -> bool:
        """Tell whether it is at least as strong as another."""
        orderings = {other.ordering, Ordering.SEQ_CST}
        if other.ordering is not Ordering.SEQ_CST:
            orderings.add(Ordering.ACQ_REL)
        mine: dict[str, set[str]] = {}
        theirs: dict[str, set[str]] = {}
        for tags, found in ((self.tags, mine), (other.tags, theirs)):
            for tag in tags:
                found.setdefault(tag.prefix, set()).add(tag.suffix)
        return (
            self.ordering in orderings
            and self.scope >= other.scope
            and self.one_as == other.one_as
            and all(prefix in theirs and suffixes >= theirs[prefix] for prefix, suffixes in mine.items())
        )


def redundant_remarks(function: Function) -> Iterator[Remark]:
    """Give the remarks on fences and barriers of a function that may go.

    Parameters
    ----------
    function : Function

    Yields
    ------
    Remark
    """
    gone: set[int] = set()
    for number, fence, other in _fences(function, forwards=True):
        gone.add(number)
        yield _remark(function, fence, f"the fence before it in line {other} is at least as strong")
    for number, fence, other in _fences(function, forwards=False):
        if number not in gone:
            yield _remark(function, fence, f"the fence after it in line {other} is at least as strong")
    yield from _barriers(function)


def _remark(function: Function, operation: Operation, why: str) -> Remark:
    what = "a fence" if operation.kind is Kind.FENCE else "a barrier"
    return Remark("redundant", f"{what} that may go: {why}", function.name, operation.place, Severity.NOTE)


def _fences(function: Function, *, forwards: bool) -> Iterator[tuple[int, Operation, int | None]]:
    """Give the fences that on all paths stand right behind (or before) a fence that covers them.

    The second sort must be covered by one that is strictly stronger: of two equal ones the first stays.
    """
    numbered = function.numbered()
    edges: Sequence[Sequence[int]] = [block.successors for block in function.blocks]
    before: Sequence[Sequence[int]] = predecessors(function)
    if not forwards:
        edges, before = before, edges
    ends: list[frozenset[_Strength] | None] = [None] * len(numbered)
    found: dict[int, tuple[Operation, int | None]] = {}
    for _ in range(2):  # what is right before a block is known after one round but for loops, which end it
        for at in reverse_postorder(edges):
            sides = [ends[each] for each in before[at]]
            state: frozenset[_Strength] = frozenset()
            if sides and all(side is not None for side in sides):
                state = frozenset.intersection(*(side for side in sides if side is not None))
            for place, operation in numbered[at] if forwards else numbered[at][::-1]:
                if operation.kind is not Kind.FENCE:
                    if operation.shared or operation.kind is not Kind.ACCESS:
                        state = frozenset()
                    continue
                strength = _strength(operation)
                if strength is None:
                    state = frozenset()
                    continue
                cover = next((each for each in sorted(state, key=_line) if each.covers(strength)), None)
                if cover is not None and (forwards or not strength.covers(cover)):
                    found[place] = operation, cover.line
                else:
                    found.pop(place, None)
                    state = frozenset({strength, *(each for each in state if not strength.covers(each))})
            ends[at] = state
    for place, (operation, line) in sorted(found.items()):
        yield place, operation, line


def _line(strength: _Strength) -> int:
    return strength.line or 0


def _strength(fence: Operation) -> _Strength | None:
    rank = fence.scope.rank
    if rank is None:
        return None
    return _Strength(fence.ordering, rank, fence.scope.one_as, fence.effective, fence.place.line)


# Barriers -------------------------------------------------------------------------------------------------------


def _barriers(function: Function) -> Iterator[Remark]:
    if not function.kernel or not _uniform(function):
        return
    at = [
        (number, place)
        for number, block in enumerate(function.blocks)
        for place, each in enumerate(block.operations)
        if each.kind is Kind.BARRIER
    ]
    for number, place in at:
        block = function.blocks[number]
        barrier = block.operations[place]
        behind = next((each for each in reversed(block.operations[:place]) if _matters(each)), None)
        if behind is not None and behind.kind is Kind.BARRIER:
            line = f" in line {behind.place.line}" if behind.place.line is not None else ""
            yield _remark(function, barrier, f"nothing that others see comes after the barrier before it{line}")
        elif not _reaches_matter(function, number, place, predecessors(function), forwards=False):
            yield _remark(function, barrier, "no thread accesses shared memory before it")
        elif not _reaches_matter(function, number, place, [each.successors for each in function.blocks], forwards=True):
            yield _remark(function, barrier, "no thread accesses shared memory after it")


def _matters(operation: Operation) -> bool:
    """Tell whether an operation is more than an access of memory that a thread has for itself."""
    return operation.kind is not Kind.ACCESS or operation.shared


def _reaches_matter(
    function: Function, number: int, place: int, edges: Sequence[Sequence[int]], *, forwards: bool
) -> bool:
    block = function.blocks[number].operations
    waiting, seen = [number], {number}
    parts = {number: block[place + 1 :] if forwards else block[:place]}
    while waiting:
        at = waiting.pop()
        for operation in parts.get(at, function.blocks[at].operations):
            if operation.kind is not Kind.FENCE and _matters(operation):
                return True
        waiting += [each for each in edges[at] if each not in seen]
        seen.update(edges[at])
    return False


def _uniform(function: Function) -> bool:
    """Tell whether all threads run through the same barriers, once each: whole ones, on every path, in no loop."""
    operations = function.operations
    if any(each.kind is Kind.CALL and each.opaque for each in operations):
        return False
    if any(each.kind is Kind.BARRIER and each.barrier is not BarrierPart.BOTH for each in operations):
        return False
    if any(each.kind is Kind.BARRIER and each.opaque for each in operations):
        return False
    return all(
        _always(function, number)
        for number, block in enumerate(function.blocks)
        if any(each.kind is Kind.BARRIER for each in block.operations)
    )


def _always(function: Function, block: int) -> bool:
    """Tell whether every path through the function goes through a block exactly once."""
    loop = list(function.blocks[block].successors)
    seen = set(loop)
    while loop:
        for each in function.blocks[loop.pop()].successors:
            if each not in seen:
                seen.add(each)
                loop.append(each)
    if block in seen:
        return False
    if block == 0:
        return True
    waiting, past = [0], {0}
    while waiting:
        at = waiting.pop()
        if not function.blocks[at].successors:
            return False
        for each in function.blocks[at].successors:
            if each != block and each not in past:
                past.add(each)
                waiting.append(each)
    return True
