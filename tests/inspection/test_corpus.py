"""Kernels of litmus_tests/kernels: nothing is said of those that are right, and what is wrong is said of the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from enumerator.discovery import find_tests
from enumerator.inspection import inspect_text
from enumerator.inspection.findings import Severity

FOLDER = Path(__file__).resolve().parent.parent.parent / "litmus_tests" / "kernels"
KERNELS = sorted(FOLDER.glob("*.ll"))


def expected(path: Path) -> set[str]:
    match = re.search(r"^; INSPECT: (.*)$", path.read_text(), re.MULTILINE)
    assert match is not None
    return set(match[1].split()) - {"none"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_what_is_said(path: Path) -> None:
    warnings = {
        each.name
        for each in inspect_text(path.read_text(encoding="utf-8"), str(path)).remarks
        if each.severity is Severity.WARNING
    }
    assert warnings == expected(path)


def test_each_kernel_has_broken_variants() -> None:
    right = {path.stem for path in KERNELS if not expected(path)}
    variants = {name: [path for path in KERNELS if path.stem.startswith(f"{name}.")] for name in right}
    assert len(right) >= 20 and all(len(each) >= 2 for each in variants.values())
    assert all(expected(path) for each in variants.values() for path in each)


def test_these_are_no_litmus_tests(tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text("; EXISTS: true\ndefine void @t() { ret void }\n")
    (tmp_path / "k.ll").write_text("; a kernel\n; INSPECT: none\ndefine amdgpu_kernel void @k() { ret void }\n")
    assert [Path(path).name for path in find_tests([str(tmp_path)])] == ["a.ll"]
    assert find_tests([str(tmp_path / "k.ll")]) == [str(tmp_path / "k.ll")]
