"""Undefined behaviour in batches: the verdict, its cause, and what counts as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, clock
from enumerator.analysis import execution
from enumerator.corpus.tasks import Models, check_file
from enumerator.executions import Rerun
from enumerator.frontend import load_text
from enumerator.options import BatchOptions
from enumerator.report.text import Tally, format_run, summary
from enumerator.request import Candidate, Request
from enumerator.results.result import Result

BRANCH = """
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @flag
  ret void
}
define void @t1() {
  %flag = load i32, ptr @flag
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
"""


def result(folder: Path, directives: str, body: str = BRANCH, **options: bool) -> Result:
    path = folder / "ub.ll"
    path.write_text(directives + body)
    (found,) = check_file(str(path), BatchOptions(**options), Models(()))
    return found


@pytest.mark.parametrize("condition", ["EXISTS: t1:%flag = 0", "NEVER: t1:%flag = 7", "FORALL: t1:%flag = 0"])
@pytest.mark.parametrize("more", [{}, {"outcomes_only": True}, {"first": True}])
def test_any_condition_is_undefined(tmp_path: Path, condition: str, more: dict[str, bool]) -> None:
    found = result(tmp_path, f"; {condition}\n", **more)
    assert (found.verdict, found.undefined_by, found.as_expected) == ("Undef", ("ub-undef",), False)


def test_the_cause_is_printed(tmp_path: Path) -> None:
    text = format_run(result(tmp_path, "; NEVER: t1:%flag = 7\n"))
    assert "\nUndef\n" in text and "\n# Undefined by ub-undef\n" in text
    assert "# Cause ub-undef: t1 line 12 branches on undef: the load at line 10 returns undef: " in text


def test_the_time_of_a_result_has_that_of_its_causes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def causes(self: Rerun) -> tuple[str, ...]:
        monkeypatch.setattr(clock, "_untimed", clock._untimed - 100)
        return ("that",)

    monkeypatch.setattr(Rerun, "causes", causes)
    found = result(tmp_path, "; NEVER: t1:%flag = 7\n")
    assert found.causes == ("that",) and found.seconds >= 100


def test_only_executions_that_end_so_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Candidate] = []
    rebuilt = execution._rebuilt

    def counted(request: Request, candidate: Candidate, shared: object) -> object:
        looked_at.append(candidate)
        return rebuilt(request, candidate, shared)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "_rebuilt", counted)
    text = BRANCH.replace("i32 1, ptr @flag", "atomic i32 1, ptr @flag monotonic, align 4")
    text = text.replace("load i32, ptr @flag", "load atomic i32, ptr @flag monotonic, align 4")
    text = text.replace("  store atomic", "  store i32 1, ptr @data\n  store atomic")
    text = text.replace("@data\n  br label", "@data\n  %one = icmp eq i32 %data, 1\n  br i1 %one, label %again, label")
    found = check(load_text(text.replace("done:", "again:\n  br label %done\ndone:"), "ub.ll"))
    assert found.question is not None and found.consistent is not None and found.consistent > 1
    assert len(found.question.causes()) == 1
    assert len(looked_at) == 1


def test_a_cause_is_printed_once_for_each_place(tmp_path: Path) -> None:
    threads = "; THREADS: w=@t0 a=@t1 b=@t1 c=@t1\n; EXISTS: true\n"
    found = result(tmp_path, threads)
    lines = [line for line in format_run(found).splitlines() if line.startswith("# Cause")]
    assert len(found.causes) > 2
    assert len(lines) == 2 and "line 13 branches on undef" in lines[0]
    assert lines[1] == f"# Cause: {len(found.causes) - 1} more at these places, of other threads or reads"


@pytest.mark.parametrize(
    ("expect", "as_expected"), [("Never+race", False), ("Never+ub-undef", True), ("Never+ub-undef+ub", True)]
)
def test_a_flag_has_to_be_expected(tmp_path: Path, expect: str, as_expected: bool) -> None:
    for first in (False, True):
        found = result(tmp_path, f"; NEVER: t1:%flag = 7\n; EXPECT: llvm={expect}\n", by_expectations=True, first=first)
        assert found.as_expected is as_expected
        assert bool(found.causes) is not as_expected


def test_the_summary_of_a_batch_says_why(tmp_path: Path) -> None:
    tally = Tally()
    list(tally.watch([result(tmp_path, "; NEVER: t1:%flag = 7\n", by_expectations=True)]))
    assert tally.exit_code == 1
    text = summary(tally, 0.1)
    assert "Ok        Undef+ub-undef" in text
    assert "Undefined behaviour\n" in text and "ub-undef: t1 line 12 branches on undef" in text


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (
            "%p = load ptr, ptr @p\n  store i32 1, ptr %p",
            "ub-address: t0 line 6 accesses memory outside of every object",
        ),
        ("%x = load i32, ptr @x\n  %q = udiv i32 1, %x", "ub-division: t0 line 6 divides by zero or by undef"),
        ("unreachable", "ub-unreachable: t0 line 5 reaches `unreachable`"),
        ("store i32 1, ptr undef", "ub-undef: t0 line 5 accesses memory at an address that is undef"),
    ],
)
def test_causes(tmp_path: Path, body: str, cause: str) -> None:
    end = "" if body == "unreachable" else "  ret void\n"
    text = f"@p = global ptr null\n@x = global i32 0\ndefine void @t0() {{\n  {body}\n{end}}}\n"
    assert result(tmp_path, "; EXISTS: true\n", text).causes == (cause,)


def test_barriers_and_private_memory(tmp_path: Path) -> None:
    barriers = """; SCOPES: (agent (workgroup t0 t1))
define void @t0() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  ret void
}
declare void @llvm.amdgcn.s.barrier()
"""
    (cause,) = result(tmp_path, "; EXISTS: true\n", barriers).causes
    assert cause == "ub-barrier: threads of one workgroup arrive at different numbers of barriers: t0 1, t1 0"
    private = """@x = global i32 0
define void @t0() {
  store i32 1, ptr @x, !thread.private !0
  ret void
}
define void @t1() {
  store i32 2, ptr @x
  ret void
}
!0 = !{}
"""
    causes = result(tmp_path, "; EXISTS: true\n", private).causes
    assert causes[0].startswith("ub-private: t0 line 4: store @x = 1 thread-private is claimed to be private")
