"""Nothing in the current folder is imported, whatever it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import enumerator

TEST = """; EXISTS: t0:%r = 0
@x = global i32 0
define void @t0() {
  %r = load i32, ptr @x
  ret void
}
"""


def test_batches_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    for name in ("enumerator", "random", "numba", "multiprocessing"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise SystemExit('{name} was imported')")
    for name in ("a.ll", "b.ll"):
        (tmp_path / name).write_text(TEST)
    environment = {
        **os.environ,
        "PYTHONSAFEPATH": "1",  # as of an installed command, which is not started from this folder either
        "PYTHONPATH": str(Path(enumerator.__file__).parent.parent),
    }
    done = subprocess.run(
        [sys.executable, "-m", "enumerator", "check", "a.ll", "b.ll"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "2 as expected" in done.stdout) == (0, True), done.stdout + done.stderr
