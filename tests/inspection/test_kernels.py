"""Kernels in the shape that compilers emit them: ``kernels/``."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.files import read_text
from enumerator.inspection import inspect_text
from enumerator.inspection.findings import BarrierFinding, Finding, Inspection, Status
from enumerator.inspection.operations import Space
from enumerator.report.inspection import format_inspection

from .ir import lines

KERNELS = Path(__file__).parent / "kernels"


def found(name: str, reading: str = "closure") -> Inspection:
    path = str(KERNELS / f"{name}.ll")
    return inspect_text(read_text(path), path, None, reading)


def by_line(inspection: Inspection) -> dict[int | None, Finding | BarrierFinding]:
    (function,) = inspection.functions
    return {each.operation.place.line: each for each in function.operations}


@pytest.mark.parametrize("name", ["tile_sum", "matmul", "reduce"])
def test_compilers_make_no_mistakes_here(name: str) -> None:
    inspection = found(name)
    assert inspection.profile == "amdgpu" and inspection.target.amdgpu
    assert inspection.remarks == []
    assert inspection.functions[0].function.kernel


def test_tile_sum() -> None:
    inspection = found("tile_sum")
    operations = by_line(inspection)
    assert list(operations) == [15, 16, 17]
    release, barrier, acquire = operations.values()
    assert isinstance(release, Finding) and isinstance(barrier, BarrierFinding) and isinstance(acquire, Finding)
    assert lines(release.before.with_status(Status.ORDERED)) == {14}
    assert lines(release.before.with_status(Status.UNORDERED)) == {12}
    assert release.before.with_status(Status.UNORDERED)[0].reason == (
        "tags amdgpu-synchronize-as:global vs :local incompatible"
    )
    assert release.after.reason == "release does not order what follows" and release.after.count == 2
    assert lines(acquire.after.with_status(Status.ORDERED)) == {24}
    assert lines(acquire.after.with_status(Status.UNORDERED)) == {32}
    assert [fence.place.line for fence in barrier.releases] == [15]
    assert [fence.place.line for fence in barrier.acquires] == [17]
    assert release.operation.place.source == "amd_device_functions.h:742"
    assert release.operation.place.inlined_at == ("tile_sum.hip:8",)
    assert inspection.functions[0].function.workgroup_size == (1, 256)
    assert inspection.functions[0].function.wavefront_size == 64


def test_matmul_in_a_loop() -> None:
    operations = by_line(found("matmul", "direct"))
    first = operations[22]
    assert isinstance(first, Finding)
    assert lines(first.before.with_status(Status.ORDERED)) == {27, 28, 32, 33}  # of the iteration before
    assert lines(first.before.with_status(Status.UNORDERED)) == {19, 20}
    (pair, _) = first.unordered
    assert lines((pair.group,)) == {19} and lines(pair.others) == {27, 28, 32, 33}
    barrier = operations[30]
    assert isinstance(barrier, BarrierFinding)
    assert [fence.place.line for fence in barrier.releases] == [29]


def test_matmul_barriers_link_nothing_that_tags_keep_apart() -> None:
    """In the closure, too: a barrier is no memory operation, and no step between the loads of two iterations."""
    first = by_line(found("matmul"))[22]
    assert isinstance(first, Finding)
    assert first.before.with_status(Status.THROUGH) == ()
    assert lines(first.before.with_status(Status.UNORDERED)) == {19, 20}


def test_reduce() -> None:
    inspection = found("reduce")
    operations = by_line(inspection)
    signal, wait, lock, unlock = (operations[line] for line in (19, 20, 27, 35))
    assert isinstance(signal, BarrierFinding) and [fence.place.line for fence in signal.releases] == [18]
    assert isinstance(wait, BarrierFinding) and [fence.place.line for fence in wait.acquires] == [21]
    assert isinstance(lock, Finding) and lines(lock.after.with_status(Status.ORDERED)) == {32, 34, 35}
    assert isinstance(unlock, Finding) and lines(unlock.before.with_status(Status.ORDERED)) >= {32, 34}
    assert unlock.after.reason == "release does not order what follows"
    # The shared buffer is one object; the assembly without memory is none.
    accesses = inspection.functions[0].accesses
    assert sum(group.count for group in accesses if group.access.space is Space.LOCAL) == 2
    assert not any("assembly" in group.access.what for group in accesses)


def test_text() -> None:
    text = format_inspection(found("tile_sum"))
    assert "kernel in line 7 (tile_sum.hip:4), workgroups of 1 to 256 threads" in text
    assert "  line 15 (amd_device_functions.h:742, inlined at tile_sum.hip:8)  fence release workgroup [" in text
    assert "    before: orders 1 store local (line 14)\n" in text
    assert text.endswith("1 function, 2 synchronizing operations, 1 barrier, 0 warnings, 0 notes\n")
