"""``compare`` as a process."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_batches import RELAXED, STRONG, run

LOG = """Test sb Allowed
States 1
t0:%a=1; t1:%b=1;
No
Witnesses
Positive: 0 Negative: 1
Condition exists (true)
Observation sb Never 0 1
"""


def test_two_files(tmp_path: Path) -> None:
    (tmp_path / "sb.ll").write_text(RELAXED)
    run(tmp_path, "run", "sb.ll", "--model", "sc", "--output", "text.log")
    run(tmp_path, "run", "sb.ll", "--model", "sc", "--format", "jsonl", "--output", "lines.jsonl")
    code, out, err = run(tmp_path, "compare", "text.log", "lines.jsonl")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "1 test compared: 1 equal, 0 different; 0 only in A, 0 only in B"
    (tmp_path / "herd.log").write_text(LOG)
    code, out, err = run(tmp_path, "compare", "text.log", "herd.log")
    assert (code, err) == (1, "")
    assert "  sb    negative  3                  1\n" in out
    assert "  sb    state     t0:%a=0; t1:%b=1;  -\n" in out
    code, out, _ = run(tmp_path, "compare", "text.log", "herd.log", "--format", "json")
    assert code == 1 and json.loads(out)["different"] == 1


def test_two_models(tmp_path: Path) -> None:
    (tmp_path / "relaxed.ll").write_text(RELAXED)
    (tmp_path / "strong.ll").write_text(STRONG)
    code, out, err = run(tmp_path, "compare", "--model", "sc", "--model", "llvm", ".")
    assert (code, err) == (1, "")
    assert "relaxed.ll  verdict      No     Ok\n" in out and "strong.ll" not in out
    assert out.splitlines()[-1] == "2 tests compared: 1 equal, 1 different; 0 only in A, 0 only in B"
    code, out, _ = run(tmp_path, "compare", "--model", "llvm", "--model", "llvm/none", "strong.ll")
    assert code == 0 and out.startswith("A: llvm\nB: llvm/none\n")
    code, _, err = run(tmp_path, "compare", "--model", "llvm", "--model", "llvm/none", "--thin-air", "dep", "strong.ll")
    assert code == 2 and "'none' and 'dep' exclude each other" in err
    code, out, _ = run(tmp_path, "compare", "--model", "llvm", "--model", "amdgpu", "--hb", "direct", "strong.ll")
    assert code == 0 and out.splitlines()[-1].startswith("1 test compared: 1 equal")


def test_bad_input(tmp_path: Path) -> None:
    (tmp_path / "herd.log").write_text(LOG)
    (tmp_path / "cut.log").write_text(LOG[:60])
    (tmp_path / "bad.ll").write_text("define")
    for arguments, message in (
        (("herd.log",), "expected two files of results, got 1"),
        (("herd.log", "cut.log"), "cut.log:6: the log ends within a test"),
        (("herd.log", "nowhere"), "nowhere: cannot read it: No such file or directory"),
        (("herd.log", "herd.log", "--model", "sc"), "expected two models, got 1"),
        (("bad.ll", "--model", "sc", "--model", "nope"), "no model 'nope'"),
        (("bad.ll", "--model", "sc", "--model", "tso"), "bad.ll:1"),
    ):
        code, _, err = run(tmp_path, "compare", *arguments)
        assert code == 2 and message in err and len(err.splitlines()) == 1
