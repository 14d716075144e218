"""The command ``order``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAIN = """; store, then load
@x = global i32 0
define void @f() {
  store i32 1, ptr @x
  %a = load i32, ptr @x
  ret void
}
"""

SPIN = """; the number of rounds is read
@x = global i32 9
define void @f() {
entry:
  br label %loop
loop:
  %old = atomicrmw sub ptr @x, i32 1 monotonic
  %more = icmp ne i32 %old, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""

UNPAIRED = """@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
define void @f() {
  %e = call i1 @llvm.csa.mementry()
  store i32 1, ptr @x
  call void @llvm.csa.inord(i1 %e)
  ret void
}
"""


def order(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "f.ll").write_text(text)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"}
    command = [sys.executable, "-m", "enumerator", "order", "f.ll", *options]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_help_names_the_options(tmp_path: Path) -> None:
    done = order(tmp_path, PLAIN, "--help")
    assert done.returncode == 0
    for option in ("--mode", "--emit", "--check", "--function", "--initial", "--unroll", "--timeout", "--format"):
        assert option in done.stdout


def test_the_list_says_what_each_operation_waits_for(tmp_path: Path) -> None:
    done = order(tmp_path, PLAIN, "--mode", "linear")
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            "@f, pass linear",
            "  line 4: store i32 1, ptr @x, align 4",
            "      waits for the entry",
            "  line 5: %a = load i32, ptr @x, align 4",
            "      waits for line 4",
            "  line 6: ret void",
            "      waits for line 5",
        ],
    )


def test_what_is_emitted_can_be_checked(tmp_path: Path) -> None:
    emitted = order(tmp_path, PLAIN, "--mode", "race", "--emit")
    assert emitted.returncode == 0 and emitted.stdout.startswith("; store, then load\n")
    given = order(tmp_path, emitted.stdout, "--check")
    assert given.returncode == 1
    assert given.stdout.startswith("unsound: 2 outcomes under tokens, 1 outcome in program order\n")
    again = order(tmp_path, emitted.stdout, "--mode", "race")
    assert again.returncode == 2
    assert "f.ll:11: @f has ordering tokens already, and a pass takes plain IR" in again.stderr


def test_a_counterexample_in_words(tmp_path: Path) -> None:
    done = order(tmp_path, PLAIN, "--mode", "race", "--check")
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [
            "unsound: 2 outcomes under tokens, 1 outcome in program order",
            "  f:%a = 2, in program order 1",
            "  when the operations run in this order:",
            "    1. f line 5: %a = load i32, ptr @x, align 4: @x is 2",
            "    2. f line 4: store i32 1, ptr @x, align 4: @x becomes 1",
            "    3. f line 6: ret void",
            "  initial values: another one in each cell",
        ],
    )


@pytest.mark.parametrize("mode", ["linear", "alias"])
def test_sound(tmp_path: Path, mode: str) -> None:
    done = order(tmp_path, PLAIN, "--mode", mode, "--check", "--emit")
    assert done.returncode == 0
    assert done.stdout.endswith(
        "}\n; sound: 1 outcome under tokens, 1 outcome in program order\n"
        ";   initial values: another one in each cell, and as given\n"
    )


SHIFT = """@A = global [3 x i32] zeroinitializer
define void @shift() {
  %p1 = getelementptr i32, ptr @A, i64 1
  %p2 = getelementptr i32, ptr @A, i64 2
  %a1 = load i32, ptr %p1
  store i32 %a1, ptr @A
  %a2 = load i32, ptr %p2
  store i32 %a2, ptr %p1
  ret void
}
"""

ZERO_TAKES_THE_BRANCH = """@n = global i32 0
@x = global i32 0
define void @f() {
entry:
  %n = load i32, ptr @n
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %then, label %done
then:
  store i32 1, ptr @x
  %x = load i32, ptr @x
  br label %done
done:
  ret void
}
"""

INDEX = """@i = global i32 0
@a = global [2 x i32] zeroinitializer
define void @f() {
  %i = load i32, ptr @i
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  store i32 1, ptr %p
  ret void
}
"""

TWO = """@x = global i32 0
define void @f() {
  store i32 1, ptr @x
  ret void
}
define void @g(ptr %p) {
  store i32 2, ptr %p
  ret void
}
"""


def test_zeros_do_not_hide_that_an_order_is_wrong(tmp_path: Path) -> None:
    done = order(tmp_path, SHIFT, "--mode", "race", "--check")
    assert done.returncode == 1 and done.stdout.endswith("  initial values: another one in each cell\n")
    done = order(tmp_path, SHIFT, "--mode", "race", "--check", "--initial", "given", "--format", "json")
    found = json.loads(done.stdout)["soundness"]
    assert (done.returncode, found["verdict"], found["initial"]) == (0, "sound", "given")
    assert order(tmp_path, SHIFT, "--mode", "alias", "--check").returncode == 0


def test_what_only_the_given_values_show(tmp_path: Path) -> None:
    done = order(tmp_path, ZERO_TAKES_THE_BRANCH, "--mode", "race", "--check")
    assert done.returncode == 1 and done.stdout.endswith("  initial values: as given\n")
    done = order(tmp_path, INDEX, "--mode", "alias", "--check")
    assert (done.returncode, done.stdout.splitlines()[1:]) == (
        0,
        [
            "  initial values: as given",
            "  from another value in each cell, behaviour is undefined in program order",
        ],
    )


def test_pointers_in_memory_stay(tmp_path: Path) -> None:
    text = SHIFT.replace("zeroinitializer\n", "zeroinitializer\n@p = global ptr @A\n", 1)
    text = text.replace("  store i32 %a1, ptr @A\n", "  %p = load ptr, ptr @p\n  store i32 %a1, ptr %p\n")
    done = order(tmp_path, text, "--mode", "race", "--check")
    assert done.returncode == 1 and "ub" not in done.stdout


@pytest.mark.parametrize("name", ["f", "@f"])
def test_one_function_is_looked_at_alone(tmp_path: Path, name: str) -> None:
    done = order(tmp_path, TWO, "--mode", "linear", "--function", name, "--check", "--emit")
    assert done.returncode == 0 and "; sound: 1 outcome" in done.stdout
    assert order(tmp_path, done.stdout, "--function", name, "--check").returncode == 0
    assert order(tmp_path, done.stdout, "--check").returncode == 2  # the other function has no tokens
    done = order(tmp_path, "; SCOPES: (agent t u)\n; THREADS: t=@f() u=@g(ptr @x)\n" + TWO, "--mode", "linear",
                 "--function", "g", "--check")  # fmt: skip
    assert done.returncode == 0
    done = order(tmp_path, TWO, "--mode", "linear", "--function", "g", "--check")
    assert done.returncode == 2 and "@g has parameters: give them in THREADS:" in done.stderr


def test_a_limit_is_no_verdict(tmp_path: Path) -> None:
    done = order(tmp_path, SPIN, "--mode", "linear", "--check", "--unroll", "2")
    assert done.returncode == 3 and done.stdout.startswith("unknown: ")


def test_json(tmp_path: Path) -> None:
    done = order(tmp_path, PLAIN, "--mode", "race", "--check", "--format", "json")
    found = json.loads(done.stdout)
    assert (found["name"], found["mode"], found["soundness"]["verdict"]) == ("f", "race", "unsound")
    assert found["soundness"]["counterexample"]["differences"] == [{"name": "f:%a", "value": 2, "program_order": 1}]
    assert found["operations"][2]["waits_for"] == [0, 1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (PLAIN, (), "name a pass with --mode, or check given tokens with --check"),
        (PLAIN, ("--emit", "--check"), "--emit needs a pass: name one with --mode"),
        (PLAIN, ("--check",), "f.ll: there are no ordering tokens to check: name a pass with --mode"),
        (PLAIN, ("--mode", "linear", "--emit", "--format", "json"), "--emit prints IR"),
        (PLAIN, ("--mode", "linear", "--function", "g"), "f.ll: no function @g has a body (there are: @f)"),
        (PLAIN.replace("i32 1", "i33 1, x"), ("--mode", "linear"), "f.ll:4:"),
        ("", ("--mode", "linear"), "f.ll: the file is empty"),
        (UNPAIRED, ("--check",), "f.ll:6: store to @x in @f has no llvm.csa.inord"),
        (PLAIN.replace("f()", "f(i32 %n)"), ("--mode", "race", "--check"), "@f has parameters: give them in THREADS:"),
    ],
)
def test_bad_input_gets_one_message(tmp_path: Path, text: str, options: tuple[str, ...], message: str) -> None:
    done = order(tmp_path, text, *options)
    assert done.returncode == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_an_unknown_mode_is_bad_usage(tmp_path: Path) -> None:
    assert order(tmp_path, PLAIN, "--mode", "none").returncode == 2


def test_an_assertion_that_fails_under_tokens_only(tmp_path: Path) -> None:
    text = """; NEVER: assert
@x = global i32 0
declare void @abort()
define void @f() {
entry:
  store i32 1, ptr @x
  %a = load i32, ptr @x
  %c = icmp eq i32 %a, 1
  br i1 %c, label %ok, label %bad
bad:
  call void @abort()
  unreachable
ok:
  ret void
}
"""
    done = order(tmp_path, text, "--mode", "race", "--check")
    assert done.returncode == 1 and done.stdout.splitlines()[1] == "  only under tokens: assert"
    assert order(tmp_path, text, "--mode", "alias", "--check").returncode == 0
