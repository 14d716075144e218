"""Whole batches as a process, with the front end and the engines as they are."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SB = """; Store buffering
; EXISTS: t0:%a = 0 /\\ t1:%b = 0
; EXPECT: {expect}
@x = global i32 0
@y = global i32 0
define void @t0() {{
  store atomic i32 1, ptr @x {write}, align 4
  %a = load atomic i32, ptr @y {read}, align 4
  ret void
}}
define void @t1() {{
  store atomic i32 1, ptr @y {write}, align 4
  %b = load atomic i32, ptr @x {read}, align 4
  ret void
}}
"""
RELAXED = SB.format(write="monotonic", read="monotonic", expect="llvm=Sometimes sc=Never tso=Sometimes")
STRONG = SB.format(write="seq_cst", read="seq_cst", expect="llvm=Never sc=Never llvm/none=Never")
WRONG = SB.format(write="release", read="acquire", expect="llvm=Never")
BROKEN = RELAXED.replace("ret void", "ret vold")


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "enumerator", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def rest(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Read what a process still writes, after a first line: `communicate` would pass over what was read with that."""
    assert process.stdout is not None and process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=60)
    return out, err


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    process = start(folder, *arguments)
    out, err = process.communicate(timeout=300)
    assert "Traceback" not in err
    return process.returncode, out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("a/relaxed", RELAXED), ("a/strong", STRONG), ("b/wrong", WRONG), ("broken", BROKEN)):
        path = tmp_path / f"{name}.ll"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_check_of_a_folder(folder: Path) -> None:
    code, out, err = run(folder, "check", ".")
    assert code == 2 and err == ""
    lines = out.splitlines()
    assert re.match(r"  \./broken\.ll:9:7: ", lines[1])
    assert "  ./b/wrong.ll  llvm@generic/closure/dep  Never     Sometimes" in lines
    assert lines[-1].startswith("4 tests, 8 results: 6 as expected, 1 different, 0 unknown, 1 error in ")
    assert run(folder, "check", "b", "a")[0] == 1
    assert run(folder, "check", "a")[0] == 0


@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "csv", "junit"])
def test_reports_do_not_depend_on_jobs(folder: Path, format_: str) -> None:
    outputs = set()
    for jobs in ("1", "3"):
        code, out, err = run(
            folder, "run", ".", "--model", "llvm", "--model", "sc", "--format", format_, "--jobs", jobs
        )
        assert code == 2 and "broken.ll:9:7: " in err
        outputs.add(re.sub(r'"seconds": [\d.e-]+|time="[\d.]+"|Time .*|\b\d\.[\de.-]+\b', "", out))
    assert len(outputs) == 1


def test_both_engines_say_the_same(folder: Path) -> None:
    records = []
    for engine in ("bitset", "networkx"):
        _, out, _ = run(folder, "check", "a", "b", "--all-values", "--engine", engine, "--format", "jsonl")
        found = [json.loads(line) for line in out.splitlines()]
        records.append([{k: v for k, v in record.items() if k not in ("seconds", "executions")} for record in found])
    assert records[0] == records[1] and len(records[0]) == 7


def test_verbose_describes_executions(folder: Path) -> None:
    code, out, _ = run(folder, "run", "a/strong.ll", "--verbose", "--show", "sw")
    assert code == 0
    assert "# Execution 3" in out and "# Execution 4" not in out
    assert "load seq_cst @x" in out and "#   sw: " in out
    assert "# Execution" in run(folder, "check", "b", "--verbose")[1]
    assert "# Execution" not in run(folder, "check", "a", "--verbose")[1]


def test_interruption_reports_what_there_is(folder: Path) -> None:
    for number in range(400):
        (folder / "a" / f"t{number}.ll").write_text(STRONG)
    process = start(folder, "run", "a", "--format", "jsonl", "--jobs", "2")
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = rest(process)
    assert process.returncode == 130
    assert err == "enumerator: interrupted\n"
    records = [json.loads(line) for line in (first + out).splitlines()]
    marked = [record for record in records if record["status"] != "complete"]
    assert len(marked) <= 2 and all(record["notes"] == ["interrupted"] for record in marked)


def writers(number: int) -> str:
    """Write a test with very many outcomes: threads that read and write one location."""
    thread = (
        "define void @t{0}() {{\n  %a = load atomic i32, ptr @x monotonic, align 4\n"
        "  store atomic i32 {0}, ptr @x monotonic, align 4\n  ret void\n}}\n"
    )
    return "; EXISTS: @x = 3\n@x = global i32 9\n" + "".join(map(thread.format, range(number)))


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("format_", ["jsonl", "json"])
def test_interruption_while_nobody_reads(
    format_: str, unbuffered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pipe is full and the process blocked in writing: what it writes when somebody reads again is whole.

    With one job: of two, the second could be through with all other files before the first file's result is there.
    """
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    for number in range(30):
        (tmp_path / f"t{number}.ll").write_text(writers(5))
    process = start(tmp_path, "run", ".", "--format", format_, "--jobs", "1", "--all-values")
    assert process.stdout is not None
    first = process.stdout.readline()
    blocked = Path(f"/proc/{process.pid}/wchan")
    for _ in range(100):
        if not blocked.exists() or "pipe_write" in blocked.read_text():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    out, err = rest(process)
    assert (process.returncode, err) == (130, "enumerator: interrupted\n")
    text = first + out
    records = json.loads(text if format_ == "json" else f"[{','.join(text.splitlines())}]")
    assert 0 < len(records) < 30 and len({record["name"] for record in records}) == len(records)
    marked = [record for record in records if record["status"] != "complete"]
    assert len(marked) <= 2 and all(record["notes"] == ["interrupted"] for record in marked)


@pytest.mark.parametrize("what", ["a", "a/relaxed.ll"])
def test_interruption_while_kernels_are_compiled(
    what: str, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has been compiled yet: Ctrl-C does not wait for the compiler, which goes with the one that asked."""
    monkeypatch.setenv("ENUMERATOR_CACHE_DIR", str(tmp_path_factory.mktemp("empty")))
    process = start(folder, "check", what, "--timeout", "60")

    def compilers() -> list[int]:
        lines = subprocess.run(["ps", "-ww", "-eo", "ppid,args"], capture_output=True, text=True, check=True).stdout
        mine = [line.split()[0] for line in lines.splitlines() if "compiler import serve" in line]
        return [each for each in map(int, mine) if each == process.pid]

    end = time.monotonic() + 120
    while not compilers() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    assert compilers()
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in out + err
    assert time.monotonic() - begun < 10.0
    assert not compilers()


def test_counts_are_left_out_where_nobody_asks_for_them(tmp_path: Path) -> None:
    """The 12! orders of twelve writers are not counted, unless the report shows counts."""
    lines = ["; EXISTS: @x = 3", "; EXPECT: amdgpu=Sometimes", "@x = global i32 0"]
    for number in range(12):
        store = f"  store atomic i32 {number + 1}, ptr @x monotonic, align 4"
        lines += [f"define void @t{number}() {{", store, "  ret void", "}"]
    (tmp_path / "writers.ll").write_text("\n".join(lines) + "\n")
    for options in ((), ("--format", "junit")):
        code, out, _ = run(tmp_path, "check", "writers.ll", "--timeout", "30", *options)
        assert code == 0, out
    (tmp_path / "sb.ll").write_text(RELAXED)
    counted = json.loads(run(tmp_path, "check", "sb.ll", "--format", "json")[1])
    assert all(record["positive"] is not None for record in counted)


def test_python_interface(folder: Path) -> None:
    from enumerator import check, load

    test = load(folder / "a/relaxed.ll")
    result = check(test, "tso", all_values=True)
    assert result.as_expected and result.observation == "Sometimes" and result.flags == ()
    assert [str(state) for state in result.states][0] == "t0:%a=0; t1:%b=0; @x=1; @y=1;"
    assert len(result.executions) == result.consistent == 4
    assert result.executions is result.executions
    assert check(test, "sc", executions=True).consistent == 3
    assert check(test, thin_air="none", first=True).verdict == "Ok"
    with pytest.raises(ValueError, match="does not hold the test"):
        _ = result.without_question().executions


MODEL = """"Made by hand"
variants strength = strong | weak
acyclic po & (W * W | R * R) | rf | co | fr as ppo
if "strong" acyclic po | rf | co | fr as sc end
if "extra" flag ~empty po as extra end
final W \\ domain(co)
"""


def test_variants_that_a_model_declares_itself(tmp_path: Path) -> None:
    (tmp_path / "own.cat").write_text(MODEL)
    expect = "own.cat=Never own.cat/weak=Sometimes own.cat/extra/weak=Sometimes+extra"
    (tmp_path / "sb.ll").write_text(SB.format(write="monotonic", read="monotonic", expect=expect))
    code, out, err = run(tmp_path, "check", "sb.ll", "--format", "json")
    assert (code, err) == (0, "")
    assert [record["as_expected"] for record in json.loads(out)] == [True] * 3
    code, out, _ = run(tmp_path, "run", "sb.ll", "--model", "own.cat/weak", "--variant", "extra")
    assert code == 0 and "Flag extra\n" in out and "# Model own.cat@generic/weak/extra\n" in out
    code, _, err = run(tmp_path, "run", "sb.ll", "--model", "own.cat", "--variant", "wide")
    assert (code, err) == (2, "enumerator: model 'own.cat' has no variant 'wide': there are strong, weak, extra\n")


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        ("/closed", "model 'llvm' has no variant 'closed': there are closure, direct, filtered, dep, rc11, none"),
        ("/direct/closure", "'closure' and 'direct' exclude each other: both are 'hb'"),
    ],
)
def test_wrong_variants_in_an_expectation(tmp_path: Path, variants: str, message: str) -> None:
    (tmp_path / "sb.ll").write_text(SB.format(write="monotonic", read="monotonic", expect=f"llvm{variants}=Never"))
    code, out, _ = run(tmp_path, "check", "sb.ll")
    assert code == 2 and out.startswith(f"Errors\n  sb.ll:3: {message}\n")


def test_a_variant_that_no_model_has(tmp_path: Path) -> None:
    (tmp_path / "sb.ll").write_text(RELAXED)
    code, _, err = run(tmp_path, "check", "sb.ll", "--variant", "nochians")
    assert code == 2 and "no shipped model has the variant 'nochians': there are " in err and " nochains, " in err


LONG = """; FORALL: @x = 0
@x = global i32 0
define void @t0() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 %v, ptr @x monotonic, align 4
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, 100000000
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
"""


def test_too_long_a_path_is_a_limit_whatever_is_asked(tmp_path: Path) -> None:
    (tmp_path / "loop.ll").write_text(LONG)
    assert run(tmp_path, "run", "loop.ll", "--all-values")[0] == 3
    assert run(tmp_path, "order", "loop.ll", "--mode", "linear", "--check")[0] == 3


def test_unknown_is_not_equal(tmp_path: Path) -> None:
    (tmp_path / "loop.ll").write_text(LONG)
    code, out, _ = run(tmp_path, "compare", "--model", "llvm", "--model", "rc11", "loop.ll")
    assert (code, "a limit left 1 unknown" in out) == (3, True)


def test_relations_that_a_model_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "relaxed.ll").write_text(RELAXED)
    _, out, _ = run(tmp_path, "run", "relaxed.ll", "--verbose", "--show", "sw,nosuch")
    assert "#   nosuch: there is no such relation in the model llvm" in out and "sw: empty" in out


def test_inference_for_a_test_with_a_filter(tmp_path: Path) -> None:
    text = "C t\n{}\nP0 (atomic_int* x) { int r0 = atomic_load(x); }\nfilter (0:r0=0)\nexists (0:r0=0)\n"
    (tmp_path / "t.litmus").write_text(text)
    assert run(tmp_path, "infer", "thread-private", "t.litmus")[0] == 0
