"""Functions of tens of thousands of instructions."""

from __future__ import annotations

from enumerator.inspection.findings import BarrierFinding, Finding, Status
from enumerator.inspection.ordering import MOST_OPERATIONS
from enumerator.report.findings import as_json
from enumerator.report.inspection import format_inspection

from .ir import findings, inspect, kernel

STEP = """  %g{n} = getelementptr float, ptr addrspace(1) %g, i32 {n}
  %x{n} = load float, ptr addrspace(1) %g{n}
  %y{n} = fadd float %x{n}, 1.0
  %l{n} = getelementptr [256 x i32], ptr addrspace(3) @lds, i32 0, i32 {n}
  store float %y{n}, ptr addrspace(3) %l{n}
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %z{n} = load float, ptr addrspace(3) %l{n}
  store float %z{n}, ptr addrspace(1) %g{n}
"""


def test_straight_line() -> None:
    steps = 2_000
    inspection = inspect(kernel("".join(STEP.format(n=n) for n in range(steps))))
    (function,) = inspection.functions
    assert sum(group.count for group in function.accesses) == 4 * steps
    fences = [each for each in function.operations if isinstance(each, Finding)]
    barriers = [each for each in function.operations if isinstance(each, BarrierFinding)]
    assert len(fences) == 2 * steps and len(barriers) == steps
    last = fences[-2]
    assert last.before.count == 4 * steps - 2
    assert sum(group.count for group in last.before.with_status(Status.ORDERED)) == 2 * steps - 1
    # The fences are for local memory, and the barriers between them are no steps: nothing orders global memory.
    assert sum(group.count for group in last.before.with_status(Status.THROUGH)) == 0
    assert sum(group.count for group in last.before.with_status(Status.UNORDERED)) == 2 * steps - 1
    assert all(len(barrier.releases) == len(barrier.acquires) == 1 for barrier in barriers)
    assert inspection.remarks == []
    assert len(format_inspection(inspection).splitlines()) < 80  # alike operations are described once
    assert len(as_json(inspection)["functions"][0]["operations"]) == 3 * steps


def test_many_blocks_in_overlapping_loops() -> None:
    steps = 1_500
    body = "  br label %b0\n" + "".join(
        f"b{n}:\n{STEP.format(n=n)}  br i1 %c, label %b{max(0, n - 3)}, label %b{n + 1}\n" for n in range(steps)
    )
    fences = findings(kernel(f"{body}b{steps}:\n  store i32 0, ptr %f"))
    assert len(fences) == 2 * steps
    assert {finding.before.count for finding in fences} == {4 * steps}
    assert {finding.after.count for finding in fences} == {4 * steps + 1}


def test_branches_that_join() -> None:
    steps = 1_000
    body = "  br label %b0\n" + "".join(
        f"b{n}:\n{STEP.format(n=n)}  br i1 %c, label %b{n + 1}, label %b{min(n + 2, steps)}\n" for n in range(steps)
    )
    fences = findings(kernel(f"{body}b{steps}:"), reading="direct")
    assert [finding.before.count for finding in fences[:4]] == [2, 2, 6, 6]
    assert fences[0].after.count == 4 * steps - 2


def test_more_operations_than_are_described() -> None:
    text = kernel("  store i32 1, ptr %f\n" + "  fence seq_cst\n" * (MOST_OPERATIONS + 1))
    inspection = inspect(text)
    (function,) = inspection.functions
    assert len(function.operations) == MOST_OPERATIONS and "of which the first" in function.limit
    assert as_json(inspection)["status"] == "limit"
    assert "incomplete: " in format_inspection(inspection)
