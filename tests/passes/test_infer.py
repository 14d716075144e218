"""Which accesses may carry ``!thread.private``, and which carry it wrongly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.passes.infer import Inference, Privacy, infer_thread_private

SHARED_FLAG = """; a flag, a buffer of each thread, and one that is only read where the flag says so
@own = global i32 0
@flag = global i32 0
@maybe = global i32 0
define void @t0() {
  store i32 1, ptr @own
  store i32 2, ptr @maybe, !thread.private !0
  store atomic i32 1, ptr @flag release, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %seen = icmp eq i32 %flag, SEEN
  br i1 %seen, label %then, label %done
then:
  %maybe = load i32, ptr @maybe
  br label %done
done:
  ret void
}
!0 = !{}
"""

INDEX = """; an address from a register reaches two elements, one of which the other thread reads
@a = global [2 x i32] zeroinitializer
@i = global i32 0
define void @t0() {
  %i = load atomic i32, ptr @i monotonic, align 4
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  store i32 1, ptr %p, !thread.private !0
  ret void
}
define void @t1() {
  %q = getelementptr [2 x i32], ptr @a, i32 0, i32 1
  %r = load i32, ptr %q
  STORE
  ret void
}
!0 = !{}
"""


def infer(text: str, engine: str = "bitset", **limits: int) -> Inference:
    test = load_text(text, "t.ll")
    return infer_thread_private(test, "llvm", options=Options(profile="generic", engine=engine, **limits))  # type: ignore[arg-type]


def verdicts(found: Inference) -> list[tuple[int | None, Privacy]]:
    return [(access.line, access.privacy) for access in found.accesses]


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_an_access_that_another_thread_reaches(engine: str) -> None:
    found = infer(SHARED_FLAG.replace("SEEN", "1"), engine)
    assert verdicts(found) == [
        (6, Privacy.PRIVATE),
        (7, Privacy.SHARED),
        (8, Privacy.SHARED),
        (12, Privacy.SHARED),
        (16, Privacy.SHARED),
    ]
    assert found.broken and [access.broken for access in found.accesses] == [False, True, False, False, False]
    assert found.accesses[0].inferable
    assert any("t1 line 16" in line for line in found.accesses[1].witness)


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_executions_that_are_not_consistent_do_not_count(engine: str) -> None:
    """The flag is never 2: the read of the buffer is in no consistent execution."""
    found = infer(SHARED_FLAG.replace("SEEN", "2"), engine)
    assert verdicts(found)[1] == (7, Privacy.PRIVATE)
    assert verdicts(found)[4] == (16, Privacy.UNREACHED)
    assert not found.broken


def test_all_locations_of_an_address_count() -> None:
    alone = infer(INDEX.replace("STORE", ""))
    assert verdicts(alone)[1] == (7, Privacy.PRIVATE)
    moved = infer(INDEX.replace("STORE", "store atomic i32 1, ptr @i monotonic, align 4"))
    assert verdicts(moved)[1] == (7, Privacy.SHARED)


def test_more_accesses_than_one_run_asks_about() -> None:
    lines = "".join(f"  store i32 {number}, ptr @x\n" for number in range(70))
    text = f"; many\n@x = global i32 0\ndefine void @t0() {{\n{lines}  ret void\n}}\n"
    assert {privacy for _, privacy in verdicts(infer(text))} == {Privacy.PRIVATE}


def test_a_limit_leaves_unknown() -> None:
    found = infer(SHARED_FLAG.replace("SEEN", "1"), max_executions=1)
    assert not found.complete
    assert Privacy.UNKNOWN in {access.privacy for access in found.accesses}
    assert Privacy.PRIVATE not in {access.privacy for access in found.accesses}


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "enumerator", "infer", "thread-private", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "t.ll"
    file.write_text(SHARED_FLAG.replace("SEEN", "1"))
    wrong = command(str(file))
    assert wrong.returncode == 1
    assert "line 6    t0: store      could carry !thread.private" in wrong.stdout
    assert "carries !thread.private WRONGLY" in wrong.stdout
    answer = json.loads(command(str(file), "--format", "json").stdout)
    assert [access["broken"] for access in answer["accesses"]] == [False, True, False, False, False]
    file.write_text(SHARED_FLAG.replace("SEEN", "2"))
    assert command(str(file)).returncode == 0
    assert command(str(file), "--max-executions", "1").returncode == 3
    missing = command(str(tmp_path / "none.ll"))
    assert missing.returncode == 2 and "Traceback" not in missing.stderr
