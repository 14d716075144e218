"""The commands explain, draw, report, new and completion; pages; what a terminal shows more than a file."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from rich.console import Console

from enumerator.report.terminal import print_summary
from enumerator.report.text import Tally
from enumerator.results.result import Result

ROOT = Path(__file__).resolve().parents[2]
LITMUS = ROOT / "litmus_tests"
RELAXED = str(LITMUS / "message-passing/MP+rlx+rlx.ll")
STRONG = str(LITMUS / "message-passing/MP+rel+acq.ll")


def run(*arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "enumerator", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout, done.stderr


def on_terminal(*arguments: str, cwd: Path) -> str:
    """Run a command on a terminal of its own, and give all that it writes there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "enumerator", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:
            break
        if not part:
            break
        found += part
    process.wait(60)
    os.close(ours)
    return found.decode(errors="replace")


def test_relax_and_repair_say_what_they_do(tmp_path: Path) -> None:
    for command, path, first in (("relax", STRONG, "as it is"), ("repair", RELAXED, "t0 ")):
        lines = on_terminal(command, path, cwd=tmp_path).split("\r\x1b[K")
        assert lines[1] == "checking the test as it is ..." and lines[2] == "1 choice ..."
        assert any(f", 1 answer, the last: {first}" in line for line in lines)
        assert lines[-1].startswith("Test MP")
        assert run(command, path)[1:] == (lines[-1].replace("\r\n", "\n"), "")


# explain and draw ---------------------------------------------------------------------------------------------


def test_explain(tmp_path: Path) -> None:
    code, out, err = run("explain", STRONG)
    assert (code, err) == (0, "") and "is forbidden" in out and "Each of these alone lets it through" in out
    page = tmp_path / "why.html"
    assert run("explain", RELAXED, "--no-repair", "-o", str(page)) == (0, "", "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "<svg" in text and "What would forbid it" not in text


def test_explain_stops_at_its_limit() -> None:
    code, out, _ = run("explain", str(LITMUS / "algorithms/program-ticket-lock.ll"), "--max-executions", "1")
    assert code == 3 and "is unknown: a limit was reached" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", RELAXED, "--outcome", "t1:%nothing = 1"), "--outcome: thread t1 has no register %nothing"),
        (("draw", RELAXED, "--outcome", "t1:%flag ="), "--outcome: the condition ends here"),
        (("draw", RELAXED, "--model", "lvm"), "did you mean llvm?"),
        (("draw", RELAXED, "--outcome", "race"), "there is nothing to draw"),
        (("report", RELAXED), "expected"),
        (("explain", "nosuch.ll"), "cannot read it"),
    ],
)
def test_bad_input_is_one_message(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and message in err and len(err.splitlines()) == 1


def test_draw_by_the_name_of_the_output(tmp_path: Path) -> None:
    for name, start in (("a.svg", "<svg"), ("a.dot", "digraph"), ("a.gv", "digraph"), ("a.html", "<!doctype html>")):
        assert run("draw", STRONG, "-o", str(tmp_path / name)) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    code, out, _ = run("draw", RELAXED, "--all", "--show", "lo")
    assert code == 0 and ElementTree.fromstring(out).tag.endswith("svg")
    assert run("draw", RELAXED, "--format", "dot", "--all")[1].count("digraph") == 4


# Pages --------------------------------------------------------------------------------------------------------


def test_a_page_of_a_run(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("run", RELAXED, STRONG, "--format", "html", "-o", str(page))[0] == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<article") == 2 and text.count("<figure>") == 6


def test_report_with_history_and_pages(tmp_path: Path) -> None:
    (tmp_path / "t.ll").write_text(Path(STRONG).read_text(encoding="utf-8"))
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    assert run("check", "t.ll", "--format", "jsonl", "-o", str(old), cwd=tmp_path)[0] == 0
    changed = [json.loads(line) for line in old.read_text().splitlines()]
    changed[0] |= {"observation": "Always", "as_expected": False}
    new.write_text("".join(json.dumps(each) + "\n" for each in changed))
    out = tmp_path / "report.html"
    code, _, err = run("report", str(old), str(new), "-o", str(out), "--pages", "pages", cwd=tmp_path)
    assert (code, err) == (0, "")
    text = out.read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    row = data["results"][0]
    assert row[3] == 0 and row[10] == ["Never"]  # what differs comes first, with what came out before
    assert (tmp_path / row[8]).read_text(encoding="utf-8").count("<figure>") > 0
    assert 'href="pages/' in text


def test_report_as_lines_and_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    assert run("check", STRONG, RELAXED, "--format", "json", "-o", str(file))[0] == 0
    _, lines, _ = run("report", str(file), "--format", "jsonl")
    assert [json.loads(line) for line in lines.splitlines()] == json.loads(file.read_text())
    _, table, _ = run("report", str(file), "--format", "csv")
    _, direct, _ = run("check", STRONG, RELAXED, "--format", "csv")
    without_times = [[row.rsplit(",", 2)[0] for row in text.splitlines()] for text in (table, direct)]
    assert without_times[0] == without_times[1]


def test_report_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(run("run", STRONG)[1])
    code, out, _ = run("report", str(log))
    assert code == 0 and "MP+rel+acq" in out


# new and completion -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"), [("a.ll", None), ("b.ll", "gpu"), ("c.litmus", None), ("d.litmus", "vulkan")]
)
def test_a_new_test_is_as_expected(tmp_path: Path, name: str, kind: str | None) -> None:
    code, out, _ = run("new", name, *(("--kind", kind) if kind else ()), cwd=tmp_path)
    assert code == 0 and f"enumerator explain {name}" in out
    assert run("check", name, cwd=tmp_path)[0] == 0
    code, _, err = run("new", name, cwd=tmp_path)
    assert code == 2 and "--force" in err


def test_completion() -> None:
    code, out, _ = run("completion", "bash")
    assert code == 0 and "_ENUMERATOR_COMPLETE=complete_bash" in out
    asked = {"_ENUMERATOR_COMPLETE": "complete_bash", "COMP_WORDS": "enumerator draw --out", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "enumerator"],
        env={**os.environ, "PYTHONPATH": str(ROOT), **asked},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["--outcome", "--output"]


# Terminals ----------------------------------------------------------------------------------------------------


def test_a_terminal_shows_the_line_of_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.ll").write_text("define void @t() {\n  %r = laod i32, ptr null\n  ret void\n}\n")
    out = on_terminal("run", "bad.ll", cwd=tmp_path).replace("\r", "")
    assert "bad.ll:2:8: expected instruction opcode\n  2 |   %r = laod i32, ptr null\n    |        ^\n" in out
    assert len(run("run", "bad.ll", cwd=tmp_path)[2].splitlines()) == 1


def test_an_excerpt_of_a_hostile_file_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "bad.ll").write_text("define void @t() {\n  \x1b]0;title\x07 laod\n}\n")
    out = on_terminal("run", "bad.ll", cwd=tmp_path)
    assert "\\x1b]0;title" in out and "\x1b]0;" not in out


def test_a_terminal_shows_colours_and_a_file_none(tmp_path: Path) -> None:
    (tmp_path / "t.ll").write_text(Path(STRONG).read_text().replace("release", "monotonic"))
    out = on_terminal("check", "t.ll", cwd=tmp_path)
    assert "\x1b[" in out and "Different from what is expected" in out
    assert "\x1b" not in run("check", "t.ll", cwd=tmp_path)[1]


def test_names_do_not_reach_the_terminal_as_they_are() -> None:
    tally = Tally()
    bad = Result("x", "a\x1b[2Jb.ll", "llvm", observation="Never", expected="Always", as_expected=False)
    error = Result("y", "c", status="error", error="\x1b[2J [bold]")
    list(tally.watch([bad, error]))
    stream = io.StringIO()
    print_summary(tally, 1.0, Console(file=stream, width=200))
    assert "\x1b[2J" not in stream.getvalue() and "[bold]" in stream.getvalue()


def test_verbose_describes_what_decides() -> None:
    _, out, _ = run("run", RELAXED, "--verbose")
    assert out.count("# Execution ") == 1 and "--all describes the other executions" in out
    _, out, _ = run("run", RELAXED, "--all")
    assert out.count("# Execution ") == 4 and "--all describes" not in out
