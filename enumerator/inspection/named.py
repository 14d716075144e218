"""Barriers of waves that join them, and those of clusters: whether fences stand where these need them.

Who arrives and who waits may be on different paths (producers and consumers). So what is before any arrival at an
object is held against what is after any wait for it (LLVM, AMDGPUExecutionSynchronization).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from enumerator.inspection.findings import BarrierFinding, Remark
from enumerator.inspection.flight import Flight
from enumerator.inspection.operations import CLUSTER, BarrierPart, Function, Operation
from enumerator.inspection.windows import AccessKind, Window, Windows
from enumerator.program.instructions import Scope

__all__ = ["named_findings"]

_Window = tuple[int, Operation, Window]


def named_findings(function: Function, flight: Flight) -> tuple[dict[int, BarrierFinding], list[Remark]]:
    """Describe the operations on named barriers and on that of the cluster.

    Parameters
    ----------
    function : Function
    flight : Flight
        What is in flight where.

    Returns
    -------
    findings : dict of int to BarrierFinding
        By the number of the operation: the fences next to it.
    remarks : list of Remark
        On accesses of LDS that no fence orders across a named barrier, and on fences that are too small for a cluster.
    """
    operations = function.operations
    if not any(operation.meets for operation in operations):
        return {}, []
    # Here they are what the workgroup's barrier is elsewhere: the fences and accesses around them are collected.
    blocks = [
        replace(
            block,
            operations=[replace(each, barrier=each.meets[1]) if each.meets else each for each in block.operations],
        )
        for block in function.blocks
    ]
    windows = Windows(replace(function, blocks=blocks), flight)
    findings: dict[int, BarrierFinding] = {}
    arrivals: dict[str, list[_Window]] = {}
    waits: dict[str, list[_Window]] = {}
    for number, operation in enumerate(operations):
        if operation.meets is None:
            continue
        name, part = operation.meets
        before, after = windows.before.get(number, Window()), windows.after.get(number, Window())
        findings[number] = BarrierFinding(
            operation,
            windows.fences_of(before.fences) if part & BarrierPart.ARRIVE else (),
            windows.fences_of(after.fences) if part & BarrierPart.WAIT else (),
        )
        if part & BarrierPart.ARRIVE:
            arrivals.setdefault(name, []).append((number, operation, before))
        if part & BarrierPart.WAIT:
            waits.setdefault(name, []).append((number, operation, after))
    remarks: list[Remark] = []
    for name, came in arrivals.items():
        if name == CLUSTER:
            remarks += _small(windows, [*came, *waits.get(CLUSTER, ())])
        else:
            # A wait is for the object that was joined, whatever it names; all of them may be meant.
            remarks += _unordered(windows, came, [each for key in waits if key != CLUSTER for each in waits[key]])
    return findings, remarks


def _unordered(windows: Windows, arrivals: list[_Window], waits: list[_Window]) -> Iterator[Remark]:
    """Give remarks on accesses of LDS before an arrival that conflict with some after a wait, if a fence is missing."""
    for _, arrival, before in arrivals:
        found = (_conflict(windows, before.exposed, after.seen) for _, _, after in waits)
        if pair := next(filter(None, found), None):
            missing = f"no release fence of scope workgroup or larger is before {arrival.what}"
            yield _remark(windows, arrival, missing, pair)
    for _, wait, after in waits:
        found = (_conflict(windows, before.seen, after.exposed) for _, _, before in arrivals)
        if pair := next(filter(None, found), None):
            missing = f"no acquire fence of scope workgroup or larger is after {wait.what}"
            yield _remark(windows, wait, missing, pair)


def _conflict(windows: Windows, before: int, after: int) -> tuple[AccessKind, AccessKind] | None:
    later = windows.members(after & windows.local)
    for one in windows.members(before & windows.local):
        for other in later:
            if one.conflicts(other):
                return one, other
    return None


def _remark(windows: Windows, at: Operation, missing: str, pair: tuple[AccessKind, AccessKind]) -> Remark:
    what = [("a write" if kind.writes else "a read") + (f" of {kind.root}" if kind.root else "") for kind in pair]
    message = (
        f"a named barrier between accesses of local memory (LDS) that conflict ({what[0]} before an arrival, {what[1]}"
        f" after a wait) does not order them: on some path {missing}"
    )
    return Remark("local-memory-unordered", message, windows.function.name, at.place)


def _small(windows: Windows, around: list[_Window]) -> Iterator[Remark]:
    """Give a remark on fences next to the barrier of a cluster if none of them reaches beyond the workgroup."""
    shared = ~windows.local
    for _, operation, window in around:
        fences = windows.fences_of(window.fences)
        ranks = [fence.scope.rank for fence in fences]
        if not fences or window.open or not window.seen & shared:
            continue
        if all(rank is not None and rank < Scope.CLUSTER for rank in ranks):
            message = (
                f"the fence next to {operation.what} is of scope {fences[0].scope}, so it orders nothing between the"
                " workgroups of the cluster that meet there"
            )
            yield Remark("scope-mismatch", message, windows.function.name, fences[0].place, related=(operation.place,))
