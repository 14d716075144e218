"""Explanations: why outcomes are allowed or forbidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from enumerator.api import load
from enumerator.errors import InputError
from enumerator.explanation import explain
from enumerator.frontend import load_text
from enumerator.frontend.asked import asked_of
from enumerator.program.condition import Equal, Literal, Name
from enumerator.report.explanation import repair_lines
from enumerator.request import Candidate
from enumerator.search.grown_collector import GrownCollector

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"


def test_allowed_in_order_with_what_is_missing_and_a_repair() -> None:
    found = explain(load(LITMUS / "message-passing/MP+rlx+rlx.ll"))
    assert found.allowed and found.witnesses == 1 and found.whole
    text = str(found)
    assert "is allowed" in text.splitlines()[0]
    steps = [line.strip() for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert steps[0] == "1. t0 stores 1 to @data (monotonic, line 13)"
    assert steps[2] == "3. t1 loads 1 from @flag (monotonic, line 19): what t0 stored in line 14"
    assert "No order of these steps" in text
    assert "no release fence stands before it" in text
    assert "t0 line 14: store monotonic -> release; t1 line 19: load monotonic -> acquire" in text


def test_an_interleaving_is_no_surprise() -> None:
    found = explain(
        load(LITMUS / "message-passing/MP+rel+acq.ll"), outcome="t1:%flag = 1 && t1:%data = 1", repair=False
    )
    assert found.allowed and "No order of these steps" not in str(found)


def test_the_smallest_execution_is_taken() -> None:
    text = """; EXISTS: @x = 1
@x = global i32 0
@y = global i32 0
define void @t0() {
  %a = load atomic i32, ptr @y monotonic, align 4
  %c = icmp eq i32 %a, 1
  br i1 %c, label %more, label %done
more:
  %b = load atomic i32, ptr @y monotonic, align 4
  br label %done
done:
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
"""
    found = explain(load_text(text, "t.ll"), repair=False)
    assert found.witness is not None and found.witnesses > 1
    assert sum(event.reads for event in found.witness.execution.events) == 1


def test_few_of_many_executions_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for the smallest of thousands has few made; how many there are is known from the search."""
    updates = "  %r = atomicrmw add ptr @x, i32 1 monotonic\n" * 2
    updates = "".join(line.replace("%r", f"%r{number}") for number, line in enumerate(updates.splitlines(True)))
    last = "  %c = icmp eq i32 %r1, 5\n  br i1 %c, label %last, label %done\nlast:\n  store i32 1, ptr @won\n"
    threads = [f"define void @t{n}() {{\n{updates}{last}  br label %done\ndone:\n  ret void\n}}\n" for n in range(3)]
    made: list[object] = []
    plainly = GrownCollector._candidate

    def noted(self: GrownCollector, *record: object) -> Candidate:
        made.append(record)
        return plainly(self, *record)  # type: ignore[arg-type]

    monkeypatch.setattr(GrownCollector, "_candidate", noted)
    text = "; EXISTS: @won = 1\n@x = global i32 0\n@won = global i32 0\n" + "".join(threads)
    found = explain(load_text(text, "t.ll"), repair=False)
    assert (found.allowed, found.witnesses, found.whole) == (True, 90, True)
    assert 0 < len(made) < 10


def test_forbidden_the_shortest_cycle_first() -> None:
    found = explain(load(LITMUS / "store-buffering/SB+sc+sc.ll"))
    assert found.allowed is False and found.whole
    assert [way.certain for way in found.ways] == [True, False, False, False]
    first = found.ways[0]
    assert first.violation is not None and first.violation.axiom == "seq-cst" and len(first.violation.cycle) == 4
    held = {str(change) for change in found.held_up_by or ()}
    assert "t0 line 14: store seq_cst -> release" in held and len(held) == 4


def test_forbidden_by_what_is_ordered_between() -> None:
    found = explain(load(LITMUS / "message-passing/MP+rel+acq.ll"))
    violation = found.ways[0].violation
    assert violation is not None and violation.axiom == "reads-what-it-may-see"
    assert [step.relation for step in violation.because] == ["po-hb", "sw", "po-hb"]
    assert {str(change) for change in found.held_up_by or ()} == {
        "t0 line 14: store release -> monotonic",
        "t1 line 19: load acquire -> monotonic",
    }


def test_what_holds_nothing_up_is_not_named() -> None:
    text = (LITMUS / "message-passing/MP+rel+acq.ll").read_text(encoding="utf-8")
    text = text.replace("store i32 1, ptr @data", "store i32 1, ptr @data\n  fence release")
    held = explain(load_text(text, "mp.ll")).held_up_by
    assert held is not None and "t0 line 15: store release -> unordered" in map(str, held)
    assert not any("fence" in str(change) or str(change).endswith("store release -> monotonic") for change in held)


def test_values_that_cannot_come_about() -> None:
    found = explain(load(LITMUS / "message-passing/MP+rel+acq.ll"), outcome="t1:%flag = 5", repair=False)
    assert found.allowed is False and not found.ways
    assert "no candidate execution ends so" in found.notes[0]


def test_forall_is_about_what_breaks_it() -> None:
    text = "; FORALL: @x = 1\n@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}\n"
    found = explain(load_text(text, "t.ll"), repair=False)
    assert found.outcome == "not (@x=1)" and found.allowed is False


def test_flags_and_debug_places() -> None:
    found = explain(load(LITMUS / "message-passing/MP+rel+rlx.ll"), outcome="race", repair=False)
    assert found.allowed and found.witness is not None and found.witness.races


def test_an_undefined_program_does_anything() -> None:
    found = explain(load(LITMUS / "undef/undef+branch-every-execution.ll"), repair=False)
    assert found.allowed and found.undefined == ("ub-undef",)
    assert "is undefined (ub-undef): anything may happen" in str(found)
    assert "branches on undef" in found.missing[0]


def test_what_a_branch_hides_is_told() -> None:
    """No execution shows it: each ends at the branch."""
    found = explain(load(LITMUS / "undef" / "past-branch+rlx.ll"), "llvm")
    assert found.undefined == ("ub-undef",) and found.witness is None
    (note,) = found.notes
    assert note.startswith("ub-undef: t0 line 14 branches on undef because of what happens only where it goes on")


def test_lines_of_another_file_are_named() -> None:
    text = """; EXISTS: @x = 1
@x = global i32 0
define void @t() !dbg !4 {
  store i32 1, ptr @x, !dbg !5
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.hip", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "t", scope: !1, file: !1, line: 16, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 17, column: 3, scope: !4)
"""
    assert "(line 4, kernel.hip:17)" in str(explain(load_text(text, "t.ll"), repair=False))


# The outcome that is asked about ------------------------------------------------------------------------------


def test_outcomes_in_the_words_of_each_language() -> None:
    c = load(LITMUS / "c11/C-MP+rel+acq+pointer.litmus")
    name = next(iter(c.condition.text.split("=")[0].strip("( ").split()))
    assert isinstance(asked_of(c, f"{name} = 1"), Equal)
    vulkan = load(LITMUS / "vulkan/V-MP+not-available.litmus")
    assert asked_of(vulkan, "P1:r0 = 1") == Equal(Name("P1:r0"), Literal(1))
    assert asked_of(vulkan, "[data] = 1") == Equal(Name("[data]"), Literal(1))


@pytest.mark.parametrize(
    ("file", "outcome", "message"),
    [
        ("message-passing/MP+rel+acq.ll", "t1:%flog = 1", "no register %flog"),
        ("message-passing/MP+rel+acq.ll", "t1:%flag =", "the condition ends here"),
        ("message-passing/MP+rel+acq.ll", "  ", "expected a condition"),
        ("vulkan/V-MP+not-available.litmus", "P1:r9 = 1", "did you mean P1:r"),
    ],
)
def test_bad_outcomes(file: str, outcome: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        explain(load(LITMUS / file), outcome=outcome)
    assert caught.value.path == "--outcome"


def test_what_is_missing_is_said_once() -> None:
    text = """; Two stores before a flag that the reader does not synchronize with
; EXISTS: t1:%flag = 1 /\\ t1:%data = 2
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store i32 2, ptr @data
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load i32, ptr @data
  ret void
}
"""
    missing = explain(load(text), repair=False).missing
    assert missing and len(set(missing)) == len(missing)


ROUNDS = """; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%r = undef
@x = addrspace(3) global i32 0
declare void @llvm.amdgcn.s.barrier()
define void @t0() {
  br label %loop
loop:
  %i = phi i32 [0, %0], [%n, %loop]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 3
  br i1 %c, label %loop, label %e
e:
  store i32 1, ptr addrspace(3) @x
  ret void
}
define void @t1() {
  br label %loop
loop:
  %i = phi i32 [0, %0], [%n, %loop]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 3
  br i1 %c, label %loop, label %e
e:
  %r = load i32, ptr addrspace(3) @x
  ret void
}
"""


def test_a_step_names_each_place_that_it_synchronizes_with_once() -> None:
    told = str(explain(load_text(ROUNDS, "t.ll"), "amdgpu", repair=False)).splitlines()
    met = [line for line in told if "so it synchronizes with" in line]
    assert len(met) == 6 and all(line.count(" in line ") == 1 for line in met), met


def test_repairs_that_a_limit_left_out_are_told_of() -> None:
    test = load_text(MANY, "t.ll")
    found = explain(test)
    assert found.repair is not None and found.repair.complete and len(found.repair.answers) == 4
    assert repair_lines(found)[3:] == ("... and 1 other way: enumerator repair t.ll",)
    cut = replace(found, repair=replace(found.repair, complete=False, status="timeout"))
    assert repair_lines(cut)[:3] == repair_lines(found)[:3]
    last = "... and 1 other way; a limit was reached, there may be better ones: enumerator repair t.ll"
    assert repair_lines(cut)[3:] == (last,)


MANY = """; EXISTS: t1:%f = 1 /\\ t1:%d = 0
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


def test_what_becomes_undefined_when_it_is_weakened_holds_the_outcome_up() -> None:
    text = """; NEVER: @o = 1
@d = global i32 0
@f = global i32 0
@o = global i32 0
define void @t0() {
  store i32 5, ptr @d
  store atomic i32 1, ptr @f release, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr @f acquire, align 4
  %seen = icmp eq i32 %f, 1
  br i1 %seen, label %read, label %done
read:
  %d = load i32, ptr @d
  %bad = icmp ne i32 %d, 5
  br i1 %bad, label %store, label %done
store:
  store i32 1, ptr @o
  br label %done
done:
  ret void
}
"""
    found = explain(load_text(text, "t.ll"), "llvm")
    assert found.allowed is False
    assert "t0 line 7: store release -> monotonic" in map(str, found.held_up_by or ())
