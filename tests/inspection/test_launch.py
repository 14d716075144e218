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
    assert launched(RACY) == [("launch-race", 2)]
    assert launched(RACY, "workgroups=1 waves=1 lanes=1") == [("launch-passed", 2)]
    assert launched(RACY.replace("ret void", "unreachable")) == [("launch-undefined", 2)]
    assert launched(RACY.replace("i32 %n)", "<2 x i32> %v, i32 %n)")) == [("launch-unknown", 2)]
    assert launched(f"; LAUNCH: @k(ptr addrspace(1) null, i32 1) {GRID}\n{RACY}") == [("launch-unknown", None)]


def test_a_kernel_that_is_right() -> None:
    found = inspect_file(str(KERNELS / "tile-exchange.ll"), launch=GRID)
    assert [each.name for each in found.remarks] == ["launch-passed"]


def test_bad_grid() -> None:
    with pytest.raises(InputError, match="expected a grid"):
        launched(RACY, "two waves")
