"""Questions about programs that clang compiles: their text is LLVM IR, whatever language the file holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.cli import main as command
from enumerator.frontend import load_text
from enumerator.frontend.again import load_again
from enumerator.frontend.compiled import Compiler
from enumerator.refinement.edit import kind_of, operations_of
from enumerator.refinement.machine import machine_code
from enumerator.refinement.refine import refines
from enumerator.refinement.rewrite import rewritten
from enumerator.refinement.weakest import repair
from tests.programs.source import needs_clang

THREADS = """#include <pthread.h>
#include <stdatomic.h>
int x;
atomic_int f;
void *w(void *unused) {{
  x = 1;
  atomic_store_explicit(&f, 1, memory_order_{order});
  return 0;
}}
void *r(void *unused) {{
  return (void *)(long)(atomic_load_explicit(&f, memory_order_acquire) ? x : 5);
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, r, 0);
}}
"""

LIST = """// a list that the last group walks
// LAUNCH: @build() workgroups=2 lanes=1
// FORALL: @sum = 3
global atomic_int head;
global int next[4];
global atomic_int done;
global int sum;
kernel void build() {
  int n = get_group_id(0) + 1;
  next[n] = atomic_exchange_explicit(&head, n, memory_order_relaxed, memory_scope_device);
  if (atomic_fetch_add_explicit(&done, 1, memory_order_acquire, memory_scope_device) == 1) {
    int s = 0;
    for (int p = atomic_load_explicit(&head, memory_order_relaxed, memory_scope_device); p; p = next[p])
      s += p;
    sum = s;
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, order in (("strong", "release"), ("weak", "relaxed")):
        (tmp_path / f"{name}.c").write_text(THREADS.format(order=order))
    (tmp_path / "list.cl").write_text(LIST)
    return tmp_path


def main(words: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        command(words)
    return ended.value.code


@needs_clang
def test_a_program_in_c_does_not_refine_a_stronger_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["refines", str(folder / "strong.c"), str(folder / "weak.c"), "--output", str(folder / "out")]
    assert main(words) == 1
    told = capsys.readouterr().out
    assert "r line 11: load @x = undef" in told and "w: the store at line 7 is release" in told
    assert main(["check", str(folder / "out")]) == 0
    assert main(["refines", str(folder / "weak.c"), str(folder / "strong.c")]) == 0


@needs_clang
def test_what_a_created_thread_returns_is_observed(folder: Path) -> None:
    answer = refines(load(folder / "strong.c"), load(folder / "weak.c"))
    assert answer.counterexample is not None
    outcome = answer.counterexample.outcome
    assert str(outcome.values["r:ret"]) == "undef" and "@x" in outcome.values
    assert not [name for name in outcome.values if "thread" in name or "llvm" in name]


@needs_clang
def test_a_repair_is_written_as_ir_with_the_lines_of_the_source(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["repair", str(folder / "list.cl"), "--model", "amdgpu"]
    assert main([*words, "--emit", "1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(";  a list that the last group walks\n; what clang makes of ")
    assert "; changed in list.cl: build line 11: atomicrmw acquire" in text
    assert text.count("atomicrmw add ptr addrspacecast") == 1 and "_Z24atomic_exchange_explicit" in text
    assert check(load_text(text, "list.ll"), "amdgpu").observation == "Always"
    assert main(words) == 0
    assert "build line 11: atomicrmw acquire" in capsys.readouterr().out


@needs_clang
def test_a_fence_that_is_put_in_has_the_line_of_what_it_stands_before(folder: Path) -> None:
    test = load(folder / "list.cl", Compiler())
    answer = next(each for each in repair(test, "amdgpu").answers if "before line 11: fence" in str(each.changes[0]))
    again = load_again(test, rewritten(test, answer.operations))
    lines = [(kind_of(each), each.line) for each in operations_of(again).values()]
    assert ("fence", 11) in lines and lines.count(("atomicrmw", 11)) == 1


@needs_clang
def test_what_relax_finds_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "list.cl").write_text(LIST.replace("memory_order_acquire", "memory_order_seq_cst"))
    assert main(["relax", str(folder / "list.cl"), "--model", "amdgpu", "--emit", "1"]) == 0
    text = capsys.readouterr().out
    assert "; changed in list.cl: build line 11: atomicrmw seq_cst" in text
    assert check(load_text(text, "list.ll"), "amdgpu").observation == "Always"


@needs_clang
def test_what_a_repair_becomes_on_a_processor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", str(folder / "list.cl"), "--model", "amdgpu", "--cpu", "gfx942"]) == 0
    told = capsys.readouterr().out
    assert "build line 11: buffer_wbl2 sc1; s_waitcnt vmcnt(0); flat_atomic_add" in told


def test_the_processor_that_is_asked_for_comes_before_a_functions_own() -> None:
    text = """define void @f(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  fence syncscope("agent") release
  ret void
}
attributes #0 = { nounwind "target-cpu"="gfx90a" "target-features"="+gfx9-insts" }
"""
    assert machine_code(text, "f.ll", "gfx942") == {3: ("buffer_wbl2 sc1", "s_waitcnt vmcnt(0)")}


def test_the_places_that_a_loop_holds_do_not_hide_those_of_operations() -> None:
    text = """define void @f(ptr addrspace(1) %p, i1 %c) !dbg !4 {
  br label %again
again:
  store i32 1, ptr addrspace(1) %p, !dbg !6
  fence syncscope("agent") release, !dbg !6
  br i1 %c, label %again, label %done, !llvm.loop !7
done:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 2, scope: !4)
!7 = distinct !{!7, !6}
"""
    assert machine_code(text, "f.ll", "gfx942")[5][0] == "buffer_wbl2 sc1"


HELPER = """// a helper that is inlined twice
// LAUNCH: @k() workgroups=2 waves=2 lanes=1
// PROFILE: amdgpu
// NEVER: race
global int c[2];
global atomic_int sem;
void sync(void) {
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
  __builtin_amdgcn_s_barrier();
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
}
kernel void k() {
  int t = get_local_id(0), b = get_group_id(0);
  if (t == 0)
    while (atomic_load_explicit(&sem, memory_order_relaxed, memory_scope_device) != b)
      ;
  sync();
  c[t] += b + 1;
  sync();
  if (t == 0)
    atomic_store_explicit(&sem, b + 1, memory_order_release, memory_scope_device);
}
"""


@needs_clang
def test_what_is_inlined_several_times_is_named_with_its_calls(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "helper.cl").write_text(HELPER)
    assert main(["repair", str(folder / "helper.cl"), "--model", "amdgpu"]) == 0
    told = capsys.readouterr().out
    assert "k line 8, called from line 17: fence release" in told
    assert "k line 10 (both copies, called from lines 17 and 19): fence acquire" in told
    assert main(["explain", str(folder / "helper.cl"), "--model", "amdgpu", "--outcome", "race"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "(workgroup, line 8, called from line 19)" in told
    assert "the release fence at line 8, called from line 19 of w0.0.0 has scope workgroup" in told


@needs_clang
def test_repairs_with_the_fewest_changes_come_first(folder: Path) -> None:
    (folder / "helper.cl").write_text(HELPER)
    answers = repair(load(folder / "helper.cl"), "amdgpu").answers
    counts = [len(answer.edits) for answer in answers]
    assert counts == sorted(counts) and counts[0] == 1 < counts[-1]
    assert "k line 15: load monotonic" in " ".join(str(each.edits[0]) for each in answers if len(each.edits) == 1)
    costs = [answer.cost for answer in answers]
    assert costs != sorted(costs)
