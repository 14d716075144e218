"""Kernels on a small grid, for ``inspect --launch``."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.files import read_text
from enumerator.inspection import inspect_text
from enumerator.inspection.findings import Remark
from enumerator.launching import launch_remarks

KERNELS = Path(__file__).resolve().parent.parent.parent / "litmus_tests" / "kernels"
GRID = "workgroups=1 waves=2 lanes=1"
RACY = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  ret void
}
"""


def remarks(text: str, grid: str = GRID, path: str = "k.ll") -> list[Remark]:
    return launch_remarks(text, inspect_text(text, path), grid)


def launched(text: str, grid: str = GRID) -> list[tuple[str, int | None]]:
    return [(each.name, each.place.line) for each in remarks(text, grid)]


def test_what_is_found() -> None:
    assert launched(RACY) == [("launch-race", 3)]
    assert launched(RACY, "workgroups=1 waves=1 lanes=1") == [("launch-passed", 2)]
    assert launched(RACY.replace("ret void", "unreachable")) == [("launch-undefined", 4)]
    assert launched(RACY.replace("i32 %n)", "<2 x i32> %v, i32 %n)")) == [("launch-unknown", 2)]


def test_a_file_that_says_how_its_threads_are_started_is_checked_so() -> None:
    memory = "@x = addrspace(1) global i32 0\n; EXISTS: @x = 7\n; EXPECT: llvm=Never\n"
    launch = "; LAUNCH: @k(ptr addrspace(1) @x, i32 1) workgroups=1 waves={} lanes=1\n"
    one, two = (launched(launch.format(waves) + RACY + memory, "workgroups=9 waves=9 lanes=1") for waves in (1, 2))
    assert (one, two) == ([("launch-passed", 3)], [("launch-race", 4)])
    (told,) = remarks(launch.format(2) + RACY + memory)
    assert told.message.startswith("with the threads that the file starts: accesses of @x race under amdgpu-2026: ")
    threads = "; THREADS: a=@k(ptr addrspace(1) @x, i32 1) b=@k(ptr addrspace(1) @x, i32 1)\n"
    assert launched(threads + RACY + memory) == [("launch-race", 4)]
    (unknown,) = remarks("; LAUNCH: @k(i32 1) workgroups=1\n" + RACY)
    assert unknown.name == "launch-unknown" and "not checked: " in unknown.message


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
    (remark,) = remarks(LINES)
    assert remark.name == "launch-race"
    assert (remark.place.line, [place.line for place in remark.related]) == (6, [10])
    assert "accesses of @tile race under amdgpu-2026: the write in line 6 and the read in line 10" in remark.message


def test_memory_beyond_an_object() -> None:
    """Arguments are as large as needed, objects of the module are not; nobody leaves the barrier that a wave missed."""
    text = LINES.replace("[1024 x i32]", "i32")
    found = remarks(text)
    assert {each.name for each in found} == {"launch-undefined"}
    assert {each.place.line for each in found} == {6}
    found += remarks(
        text.replace("@tile, i32 %t", "@tile, i32 0")
        .replace("store i32 1", "store atomic i32 1")
        .replace("%mine\n", "%mine monotonic, align 4\n")
    )
    assert {each.place.line for each in found} == {6, 10}
    assert all(f"line {each.place.line} accesses memory outside of every object" in each.message for each in found)


def test_each_cause_of_what_is_undefined_once() -> None:
    """At its line, with the lines of what leads to it; whichever thread does it."""
    branch = "  %c = icmp eq i32 %v, 0\n  br i1 %c, label %a, label %b\na:\n  ret void\nb:\n  ret void"
    found = remarks(LINES.replace("  ret void", branch))
    assert {each.name for each in found} == {"launch-undefined"}
    assert [(each.place.line, [place.line for place in each.related]) for each in found] == [(15, [10, 7])]


def test_arguments_by_their_names_and_types() -> None:
    text = RACY.replace("i32 %n)", "i32 %n, float %f, half %h)")
    (remark,) = remarks(text)
    assert "accesses of what the argument %p points to race" in remark.message


@pytest.mark.parametrize("name", ["split-barrier", "async-epilogue", "spin-lock", "tile-exchange", "vector-tile"])
def test_kernels_that_are_right(name: str) -> None:
    path = str(KERNELS / f"{name}.ll")
    assert [each.name for each in remarks(read_text(path), path=path)] == ["launch-passed"]


def test_a_kernel_that_is_right() -> None:
    path = str(KERNELS / "tile-exchange.ll")
    assert not inspect_text(read_text(path), path).remarks


def test_bad_grid() -> None:
    with pytest.raises(InputError, match="expected a grid"):
        launched(RACY, "two waves")
