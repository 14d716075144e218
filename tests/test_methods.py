"""The methods of dataclasses, compiled once and kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
from enumerator import methods
methods.keep()
methods.keep()
import dataclasses

@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Point:
    x: int
    y: list[int] = dataclasses.field(default_factory=list)

print(Point(1), Point(1) == Point(1, []), Point(1) < Point(2), Point.__init__.__qualname__, Point.__init__.__defaults__)
try:
    Point(1).x = 2
except dataclasses.FrozenInstanceError as error:
    print(error)
"""
SAYS = "Point(x=1, y=[]) True True Point.__init__"


def run(folder: Path) -> str:
    environment = {**os.environ, "ENUMERATOR_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kept_methods_are_those_that_were_compiled(tmp_path: Path) -> None:
    first = run(tmp_path)
    assert first.startswith(SAYS) and "cannot assign to field 'x'" in first
    (file,) = (tmp_path / "methods").iterdir()
    written = file.stat().st_mtime_ns
    assert run(tmp_path) == first
    assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 100])
def test_damaged_methods_are_compiled_anew(tmp_path: Path, damage: bytes) -> None:
    first = run(tmp_path)
    (file,) = (tmp_path / "methods").iterdir()
    good = file.read_bytes()
    file.write_bytes(damage + good[len(damage) :] if damage else b"")
    assert run(tmp_path) == first
    assert file.read_bytes() == good


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run(tmp_path / "file").startswith(SAYS)
