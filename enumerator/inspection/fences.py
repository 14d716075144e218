"""Remarks on fences that order nothing, or have nothing to synchronize through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from enumerator.inspection.findings import Finding, FunctionFindings, Group, Remark, Severity, Side, Status
from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.operations import Function, Kind, Operation, Space
from enumerator.program.instructions import Ordering

__all__ = ["call_remarks", "fence_remarks"]

_SYNCHRONIZES = re.compile(r"fence|barrier|sync|mutex|lock|wait|signal", re.IGNORECASE)


def fence_remarks(found: FunctionFindings) -> Iterator[Remark]:
    """Give the remarks on the fences of a function.

    If a function has callers, nothing is known of what these do. Then there are remarks only on fences that order
    nothing in any context.

    Parameters
    ----------
    found : FunctionFindings

    Yields
    ------
    Remark
    """
    function = found.function
    met: dict[tuple[bool, bool], dict[int, bool]] = {}
    pairs = _pairs(function)
    numbers = [number for number, operation in enumerate(function.operations) if operation.synchronizing]
    findings = [finding for finding in found.operations if isinstance(finding, Finding)]
    for number, finding in zip(numbers, findings, strict=False):
        fence = finding.operation
        if fence.kind is not Kind.FENCE:
            continue
        if fence.scope.single_thread:
            message = "a fence of scope singlethread orders nothing between threads (only for the compiler)"
            yield Remark("fence-orders-nothing", message, function.name, fence.place)
            continue
        if not function.entry:
            continue
        if not (_orders(finding.before) or _orders(finding.after)):
            needless = id(fence) in pairs and not _misses_writes(finding)
            severity = Severity.NOTE if needless else Severity.WARNING
            yield Remark("fence-orders-nothing", _nothing(finding), function.name, fence.place, severity)
            continue
        wide = fence.scope.holds_workgroup
        for forwards in (False, True):
            if (forwards, wide) not in met:
                met[forwards, wide] = _meets(function, forwards, wide)
        partners = (fence.releases and met[False, wide][number]) or (fence.acquires and met[True, wide][number])
        if (
            fence.ordering is Ordering.SEQ_CST
        ):  # it synchronizes with other such fences, too, through accesses around it
            partners = partners or any(group.access.ordering for group in _around(finding))
        if not partners:
            yield Remark("fence-without-partner", _alone(fence), function.name, fence.place)


def call_remarks(function: Function) -> Iterator[Remark]:
    """Give the remarks on calls of functions that are not in the module and may synchronize, one for each function.

    They are convergent, as all functions with barriers are, or have a name that says it. Many are convergent that only
    move values between lanes; so there are none where nothing depends on it: no access of local memory, and nothing
    else that is judged.

    Parameters
    ----------
    function : Function

    Yields
    ------
    Remark
    """
    if not any(map(_is_judged, function.operations)):
        return
    found: dict[str, list[Operation]] = {}
    for operation in function.operations:
        if operation.kind is Kind.CALL and operation.opaque and operation.callee is not None:
            if operation.convergent or _SYNCHRONIZES.search(operation.callee):
                found.setdefault(operation.callee, []).append(operation)
    for name, operations in found.items():
        places = tuple(operation.place for operation in operations)
        message = f"the body of @{name} is not here, and it may synchronize: what is around its calls is not judged"
        yield Remark("unresolved-call", message, function.name, places[0], related=places[1:9])


def _is_judged(operation: Operation) -> bool:
    """Tell whether there are remarks on what is around an operation."""
    return (
        operation.synchronizing
        or operation.asynchronous
        or operation.kind in (Kind.BARRIER, Kind.MARK, Kind.WAIT)
        or (operation.kind is Kind.ACCESS and operation.space is Space.LOCAL)
    )


def _orders(side: Side) -> bool:
    return any(group.status is not Status.UNORDERED for group in side.groups)


def _pairs(function: Function) -> set[int]:
    """Give fences as compilers pair them: a release before a barrier or an atomic access, an acquire behind it."""
    found: set[int] = set()
    for block in function.blocks:
        start: Operation | None = None
        before: Operation | None = None
        for operation in block.operations:
            if _carries(operation):
                start = start if before is not None and _carries(before) else before
            elif operation.kind is Kind.FENCE and before is not None and _carries(before):
                if operation.acquires and start is not None and start.kind is Kind.FENCE and start.releases:
                    found |= {id(start), id(operation)}
            before = operation
    return found


def _carries(operation: Operation) -> bool:
    return operation.kind is Kind.BARRIER or (operation.kind is Kind.ACCESS and "atomic" in operation.what)


def _misses_writes(finding: Finding) -> bool:
    """Tell whether there are writes on a side that a fence should order."""
    sides = (finding.before, finding.operation.releases), (finding.after, finding.operation.acquires)
    return any(group.access.writes for side, directed in sides if directed for group in side.groups)


def _around(finding: Finding) -> Iterator[Group]:
    yield from finding.before.groups
    yield from finding.after.groups


def _nothing(finding: Finding) -> str:
    fence = finding.operation
    sides = [
        (where, side)
        for where, side, directed in (
            ("before", finding.before, fence.releases),
            ("after", finding.after, fence.acquires),
        )
        if directed
    ]
    reasons = []
    for where, side in sides:
        if side.groups:
            why = "; ".join(dict.fromkeys(group.reason for group in side.groups))
            reasons.append(f"no access {where} it is ordered with it ({why})")
        else:
            reasons.append(f"no access of shared memory is {where} it")
    return f"{_named(fence)} that orders nothing: {', and '.join(reasons)}"


def _named(fence: Operation) -> str:
    name = fence.ordering.name.lower()
    return f"{'an' if name.startswith('a') else 'a'} {name} fence"


def _alone(fence: Operation) -> str:
    parts = []
    if fence.releases:
        parts.append("no atomic write, barrier or call follows that could carry its release to another thread")
    if fence.acquires:
        parts.append("no atomic read, barrier or call precedes that it could acquire from")
    return f"{_named(fence)} that synchronizes with nothing: {', and '.join(parts)}"


def _meets(function: Function, forwards: bool, wide: bool) -> dict[int, bool]:
    """Tell for each synchronizing operation whether a partner is before it (or after it) on some path.

    The partners of a release are atomic writes and barriers after it; those of an acquire are atomic reads and barriers
    before it (semantics, section 3: ``sw``). Volatile accesses and calls may be intended as partners, so they count. A
    wave barrier is none if the fence is meant for more than a wave (`wide`).
    """

    def partner(operation: Operation) -> bool:
        if operation.kind in (Kind.BARRIER, Kind.CALL):
            return operation.opaque if operation.kind is Kind.CALL else not (wide and operation.within_wave)
        strong = operation.atomic or operation.volatile or "atomic" in operation.what
        return operation.kind is Kind.ACCESS and strong and (operation.reads if forwards else operation.writes)

    successors: Sequence[Sequence[int]] = [block.successors for block in function.blocks]
    edges = successors if forwards else predecessors(function)
    return _flow(function, edges, partner, forwards)


def _flow(
    function: Function, edges: Sequence[Sequence[int]], partner: Callable[[Operation], bool], forwards: bool
) -> dict[int, bool]:
    operations = function.numbered()
    holds = [any(partner(operation) for _, operation in part) for part in operations]
    starts = [False] * len(operations)
    waiting = [block for block in reverse_postorder(edges) if holds[block]]
    while waiting:
        for near in edges[waiting.pop()]:
            if not starts[near]:
                starts[near] = True
                if not holds[near]:
                    waiting.append(near)
    found = {}
    for part, met in zip(operations, starts, strict=True):
        for number, operation in part if forwards else part[::-1]:
            found[number] = met
            met = met or partner(operation)
    return found
