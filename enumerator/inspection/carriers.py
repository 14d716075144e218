"""Fences whose scope is smaller than that of the atomic access which carries what they release or acquire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from enumerator.inspection.findings import Remark
from enumerator.inspection.flow import predecessors
from enumerator.inspection.operations import Function, Kind, Operation, Space
from enumerator.mmra import compatible

__all__ = ["carrier_remarks"]

_MOST_BLOCKS = 64  # in which the access is looked for
_WORKGROUP = 2


def carrier_remarks(function: Function) -> Iterator[Remark]:
    """Give the remarks on fences that synchronize in a smaller scope than the access next to them.

    Two operations synchronize if the scope of each includes the other (semantics, section 1: ``incl``). So a release
    fence of scope workgroup before an atomic store of scope agent synchronizes with threads of the workgroup only.
    There is no remark if on some path a barrier, a call, or an access of a scope that is small enough comes first: the
    fence is then meant for that.

    Parameters
    ----------
    function : Function

    Yields
    ------
    Remark
    """
    forwards: Sequence[Sequence[int]] = [block.successors for block in function.blocks]
    backwards: Sequence[Sequence[int]] | None = None
    for number, block in enumerate(function.blocks):
        for place, fence in enumerate(block.operations):
            if fence.kind is not Kind.FENCE or fence.scope.rank is None or fence.scope.single_thread:
                continue
            if fence.releases:
                after = islice(block.operations, place + 1, None)
                yield from _remark(function, fence, _carriers(function, fence, after, number, forwards, True), True)
            if fence.acquires:
                backwards = backwards if backwards is not None else predecessors(function)
                before = (block.operations[each] for each in range(place - 1, -1, -1))
                yield from _remark(function, fence, _carriers(function, fence, before, number, backwards, False), False)


def _carriers(
    function: Function,
    fence: Operation,
    rest: Iterable[Operation],
    start: int,
    edges: Sequence[Sequence[int]],
    releases: bool,
) -> list[Operation]:
    """Give the first atomic accesses next to a fence, if all have a larger scope and nothing else comes first."""
    found: list[Operation] = []
    waiting: list[tuple[int, Iterable[Operation]]] = [(start, rest)]
    seen = {start}
    while waiting:
        number, operations = waiting.pop()
        for operation in operations:
            if operation.within_wave and fence.scope.holds_workgroup:
                continue
            if operation.kind is Kind.BARRIER or (operation.kind is Kind.CALL and operation.opaque):
                return []
            if operation.kind is Kind.FENCE and (operation.releases if releases else operation.acquires):
                break
            if not operation.atomic or not (operation.writes if releases else operation.reads):
                continue
            if not compatible(fence.effective, operation.effective):
                continue
            if _rank(operation) <= (fence.scope.rank or 0):
                return []
            if not (operation.releases if releases else operation.acquires):
                found.append(operation)
            break
        else:
            for near in edges[number]:
                if near not in seen:
                    seen.add(near)
                    block = function.blocks[near].operations
                    waiting.append((near, block if releases else block[::-1]))
            if len(seen) > _MOST_BLOCKS:
                return []
    return found


def _rank(operation: Operation) -> int:
    rank = operation.scope.rank
    if rank is None:
        return 0
    return min(rank, _WORKGROUP) if operation.space is Space.LOCAL else rank


def _remark(function: Function, fence: Operation, carriers: list[Operation], releases: bool) -> Iterator[Remark]:
    if not carriers:
        return
    first = min(carriers, key=lambda each: each.place.line or 0)
    name = "release" if releases else "acquire"
    what = "written" if releases else "read"
    line = f" (line {first.place.line})" if first.place.line is not None else ""
    yield Remark(
        "scope-mismatch",
        f"{name} fence of scope {fence.scope}, but the flag that carries it is {what} by {first.what}"
        f" {first.ordering.name.lower()} of scope {first.scope}{line}: it synchronizes in scope {fence.scope} only",
        function.name,
        fence.place,
        related=tuple(dict.fromkeys(each.place for each in carriers)),
    )
