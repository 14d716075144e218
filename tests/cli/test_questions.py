"""The commands for compiler engineers: refines, reorder, merge, relax, repair, optimize; and bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

SOURCE = """; Publishing
@x = global i32 0
@y = global i32 0
define void @f() {
  store i32 1, ptr @x
  fence release
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
"""
TARGET = SOURCE.replace("  fence release\n", "")

MP = """; EXISTS: t1:%f = 1 /\\ t1:%d = 0
@d = global i32 0
@f = global i32 0
define void @t0() {
  store atomic i32 1, ptr @d monotonic, align 4
  store atomic i32 1, ptr @f monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr @f monotonic, align 4
  %d = load atomic i32, ptr @d monotonic, align 4
  ret void
}
"""

ENDLESS = """@x = global i32 0
define void @f() {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr @x, i32 1 monotonic
  %more = icmp ne i32 %old, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "source.ll").write_text(SOURCE)
    (tmp_path / "target.ll").write_text(TARGET)
    (tmp_path / "mp.ll").write_text(MP)
    (tmp_path / "endless.ll").write_text(ENDLESS)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "enumerator", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_refines_says_no_with_tests_that_show_it(folder: Path) -> None:
    done = run(folder, "refines", "source.ll", "target.ll", "--contexts", "2", "--output", "found", "--jobs", "1")
    assert done.returncode == 1, done.stderr
    assert "target.ll does NOT refine source.ll" in done.stdout
    assert "c0: %r0 = load atomic i32, ptr @y seq_cst, align 4" in done.stdout
    assert "the fence at line 6 is not in its place in the target" in done.stdout
    checked = run(folder, "check", "found")
    assert checked.returncode == 0, checked.stdout
    ran = run(folder, "run", "found/target.ll")
    assert "Sometimes" in ran.stdout
    for side, told in (("source", "is forbidden under"), ("target", "is allowed under")):
        assert told in (folder / "found" / f"{side}.svg").read_text()
    assert run(folder, "refines", "target.ll", "source.ll", "--contexts", "2").returncode == 0


def test_refines_as_json(folder: Path) -> None:
    done = run(folder, "refines", "source.ll", "target.ll", "--contexts", "2", "--format", "json", "--jobs", "1")
    record = json.loads(done.stdout)
    assert {
        "source",
        "target",
        "model",
        "profile",
        "refines",
        "contexts",
        "undefined_source",
        "status",
        "seconds",
    } <= set(record)
    assert record["refines"] is False and record["status"] == "complete"
    assert record["counterexample"]["outcome"]["c0:%r1"] == "undef"
    assert "define void @c0()" in record["counterexample"]["context"]
    assert record["counterexample"]["execution"]
    same = json.loads(run(folder, "refines", "source.ll", "source.ll", "--format", "json").stdout)
    assert same["refines"] is True and same["counterexample"] is None


def test_what_is_unknown_has_its_code(folder: Path) -> None:
    done = run(folder, "refines", "endless.ll", "endless.ll", "--unroll", "1")
    assert (done.returncode, "may or may not refine" in done.stdout) == (0, False), done.stdout
    (folder / "shared.ll").write_text(
        ENDLESS + "define void @g() {\n  store atomic i32 1, ptr @x monotonic, align 4\n  ret void\n}\n"
    )
    done = run(folder, "refines", "shared.ll", "shared.ll", "--unroll", "1")
    assert done.returncode == 3
    assert "a limit was reached" in done.stdout
    assert run(folder, "refines", "source.ll", "target.ll", "--contexts", "3", "--timeout", "0").returncode == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("refines", "source.ll", "nowhere.ll"), "nowhere.ll"),
        (("refines", "source.ll", "mp.ll"), "mp.ll: threads do not correspond: only the source has the thread f"),
        (("refines", "source.ll", "target.ll", "--contexts", "9"), "--contexts: expected 0 to 6 operations"),
        (("refines", "source.ll", "target.ll", "--cpu", "i386"), "--cpu: expected an AMDGPU processor"),
        (("refines", "source.ll", "target.ll", "--model", "no"), "no"),
        (("relax", "source.ll"), "source.ll: the test asks nothing"),
        (("repair", "mp.ll", "--emit", "99"), "--emit: there are 4 answers"),
        (("optimize", "source.ll", "--level", "O9"), "--level: expected O1, O2, O3, Os, not O9"),
        (("optimize", "source.ll", "--passes", "licm"), "--passes: llvmlite has no pass 'licm'"),
        (("optimize", "source.ll", "--passes", "dse", "--opt", "opt -S"), "--opt: --passes and --opt are two ways"),
        (("optimize", "source.ll", "--opt", "nowhere"), "cannot run nowhere"),
    ],
)
def test_bad_input_is_one_message(folder: Path, words: tuple[str, ...], message: str) -> None:
    done = run(folder, *words)
    assert done.returncode == 2, done.stdout
    assert message in done.stderr + done.stdout
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 1


def test_reorder_and_merge_say_why(folder: Path) -> None:
    done = run(folder, "reorder", "source.ll", "--contexts", "2", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "may NOT be exchanged: the fence orders what is before it" in done.stdout
    assert "a new outcome next to" in done.stdout
    records = json.loads(run(folder, "reorder", "source.ll", "--format", "json").stdout)
    assert [(each["first"]["line"], each["second"]["line"], each["rule"]) for each in records] == [
        (5, 6, False),
        (6, 7, False),
    ]
    (folder / "fences.ll").write_text(SOURCE.replace("fence release", "fence release\n  fence acquire"))
    done = run(folder, "merge", "fences.ll")
    assert done.returncode == 0
    assert "become: fence acq_rel" in done.stdout
    assert "the first alone is NOT at least as strong" in done.stdout
    json.loads(run(folder, "merge", "fences.ll", "--format", "json").stdout)


def test_repair_then_relax(folder: Path) -> None:
    done = run(folder, "repair", "mp.ll", "--cpu", "gfx942")
    assert done.returncode == 0
    assert "t0 line 6: store monotonic -> release" in done.stdout
    assert "4 answers" in done.stdout and "these are all" in done.stdout
    emitted = run(folder, "repair", "mp.ll", "--emit", "1")
    (folder / "repaired.ll").write_text(emitted.stdout)
    again = json.loads(run(folder, "relax", "repaired.ll", "--format", "json").stdout)
    assert again["holds"] and again["complete"]
    assert run(folder, "relax", "mp.ll").returncode == 1
    assert "buffer_wbl2" in done.stdout
    record = json.loads(run(folder, "repair", "mp.ll", "--cpu", "gfx942", "--format", "json").stdout)
    assert record["answers"][0]["machine"][0]["code"]
    assert run(folder, "repair", "mp.ll", "--timeout", "0").returncode == 3


def test_optimize_reports_in_every_format(folder: Path) -> None:
    broken = f"{sys.executable} -c \"import sys; print(sys.stdin.read().replace('  fence release', ''))\""
    words = ("optimize", "source.ll", "--opt", broken, "--contexts", "2", "--no-reduce", "--jobs", "1")
    done = run(folder, *words)
    assert done.returncode == 1
    assert "WRONG source.ll" in done.stdout and "1 WRONG" in done.stdout
    (record,) = json.loads(run(folder, *words, "--format", "json").stdout)
    assert record["refines"] is False and record["counterexample"]["context"]
    (line,) = run(folder, *words, "--format", "jsonl").stdout.splitlines()
    assert json.loads(line)["refines"] is False
    root = ElementTree.fromstring(run(folder, *words, "--format", "junit").stdout)
    assert root.get("failures") == "1"
    done = run(folder, "optimize", "source.ll", "mp.ll", "--output", "report.txt")
    assert done.returncode == 0 and "2 tests" in (folder / "report.txt").read_text()
    assert "instcombine" in run(folder, "optimize", ".", "--passes", "help").stdout


def test_inspect_shows_machine_code(folder: Path) -> None:
    done = run(folder, "inspect", "source.ll", "--cpu", "gfx942")
    assert done.returncode == 0 and "becomes: buffer_wbl2 sc0 sc1" in done.stdout
    record = json.loads(run(folder, "inspect", "source.ll", "--cpu", "gfx942", "--format", "json").stdout)
    assert record[0]["machine"]["lines"]["6"][0] == "buffer_wbl2 sc0 sc1"
