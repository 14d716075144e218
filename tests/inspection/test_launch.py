"""Kernels on a small grid, for ``inspect --launch``."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.inspection import inspect_file, inspect_text

KERNELS = Path(__file__).resolve().parent.parent.parent / "litmus_tests" / "kernels"
GRID = "workgroups=1 waves=2 lanes=1"
RACY = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  ret void
}
"""


def launched(text: str, grid: str = GRID) -> list[tuple[str, int | None]]:
    remarks = inspect_text(text, "k.ll", launch=grid).remarks
    return [(each.name, each.place.line) for each in remarks if each.name.startswith("launch-")]


def test_what_is_found() -> None:
    assert launched(RACY) == [("launch-race", 3)]
    assert launched(RACY, "workgroups=1 waves=1 lanes=1") == [("launch-passed", 2)]
    assert launched(RACY.replace("ret void", "unreachable")) == [("launch-undefined", 2)]
    assert launched(RACY.replace("i32 %n)", "<2 x i32> %v, i32 %n)")) == [("launch-unknown", 2)]
    assert launched(f"; LAUNCH: @k(ptr addrspace(1) null, i32 1) {GRID}\n{RACY}") == [("launch-unknown", None)]


LINES = """target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [1024 x i32] poison
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 1, ptr addrspace(3) %mine
  call void @llvm.amdgcn.s.barrier()
  %other = xor i32 %t, 1
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %v = load i32, ptr addrspace(3) %theirs
  %far = getelementptr i32, ptr addrspace(1) %p, i32 3000
  %to = getelementptr i32, ptr addrspace(1) %far, i32 %t
  store i32 %v, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
"""


def test_lines_that_race() -> None:
    """The barrier has no fences; that the argument was small at first is no matter."""
    (remark,) = [each for each in inspect_text(LINES, "k.ll", launch=GRID).remarks if each.name == "launch-race"]
    assert (remark.place.line, [place.line for place in remark.related]) == (6, [10])
    assert "accesses of @tile race under amdgpu-2026: the write in line 6 and the read in line 10" in remark.message


def test_memory_beyond_an_object() -> None:
    """Arguments are as large as needed, objects of the module are not."""
    text = LINES.replace("[1024 x i32]", "i32")
    (remark,) = [each for each in inspect_text(text, "k.ll", launch=GRID).remarks if each.name.startswith("launch")]
    assert remark.name == "launch-undefined" and "line 10 accesses memory outside of every object" in remark.message


@pytest.mark.parametrize("name", ["split-barrier", "async-epilogue", "spin-lock", "tile-exchange", "vector-tile"])
def test_kernels_that_are_right(name: str) -> None:
    found = inspect_file(str(KERNELS / f"{name}.ll"), launch=GRID)
    assert [each.name for each in found.remarks if each.name.startswith("launch")] == ["launch-passed"]


def test_a_kernel_that_is_right() -> None:
    found = inspect_file(str(KERNELS / "tile-exchange.ll"), launch=GRID)
    assert [each.name for each in found.remarks] == ["launch-passed"]


def test_bad_grid() -> None:
    with pytest.raises(InputError, match="expected a grid"):
        launched(RACY, "two waves")
