"""Questions about programs that clang compiles: their text is LLVM IR, whatever language the file holds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.cli import main as command
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.again import load_again
from enumerator.frontend.compiled import Compiler
from enumerator.program.instructions import CompareExchange, Ordering
from enumerator.refinement.edit import kind_of, operations_of
from enumerator.refinement.exchanges import own_exchanges
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
    assert text.count("atomicrmw add ptr addrspace(1) addrspacecast") == 1 and "_Z24atomic_exchange_explicit" in text
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
    assert "buffer_wbl2 sc1; s_waitcnt vmcnt(0); global_atomic_add" in told


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
// LAUNCH: @_Z1kv() workgroups=2 waves=2 lanes=1
// PROFILE: amdgpu
// FORALL: @c[0] = 3 /\\ @c[1] = 3
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
__device__ int c[2], sem;
__device__ inline void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__global__ void k() {
  int t = __builtin_amdgcn_workitem_id_x(), b = __builtin_amdgcn_workgroup_id_x();
  if (t == 0)
    while (__hip_atomic_load(&sem, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != b)
      ;
  sync();
  c[t] += b + 1;
  sync();
  if (t == 0)
    __hip_atomic_store(&sem, b + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
"""


@needs_clang
def test_what_is_inlined_several_times_is_named_with_its_calls(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "helper.hip").write_text(HELPER)
    assert main(["repair", str(folder / "helper.hip"), "--model", "amdgpu"]) == 0
    told = capsys.readouterr().out
    assert "_Z1kv line 9, called from line 18: fence release" in told
    assert "_Z1kv line 11 (both copies, called from lines 18 and 20): fence acquire" in told
    assert main(["explain", str(folder / "helper.hip"), "--model", "amdgpu"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "(workgroup, line 9, called from line 20)" in told
    assert "the release fence at line 9, called from line 20 of w0.0.0 has scope workgroup" in told


@needs_clang
def test_repairs_with_the_fewest_changes_come_first(folder: Path) -> None:
    (folder / "helper.hip").write_text(HELPER)
    answers = repair(load(folder / "helper.hip"), "amdgpu").answers
    counts = [len(answer.edits) for answer in answers]
    assert counts == sorted(counts) and counts[0] == 1 < counts[-1]
    assert "_Z1kv line 16: load monotonic" in " ".join(str(each.edits[0]) for each in answers if len(each.edits) == 1)
    costs = [answer.cost for answer in answers]
    assert costs != sorted(costs)


EXCHANGES = """//  data is handed over by compare-exchange
// PROFILE: amdgpu
// FORALL: @got = 5 \\/ @got = 7
// LAUNCH: @k(i32 0) workgroups=2 lanes=1
global atomic_int data, flag; global int got = 5;
kernel void k(int unused) {
  int zero = 0, one = 1;
  if (get_group_id(0) == 0) {
    atomic_store_explicit(&data, 7, memory_order_relaxed, memory_scope_device);
    atomic_compare_exchange_strong_explicit(&flag, &zero, 1, RELAXED, RELAXED, memory_scope_device);
  } else if (atomic_compare_exchange_strong_explicit(&flag, &one, 2, RELAXED, RELAXED, memory_scope_device))
    got = atomic_load_explicit(&data, memory_order_relaxed, memory_scope_device);
}
""".replace("RELAXED", "memory_order_relaxed")


@needs_clang
def test_each_call_of_a_compare_exchange_changes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cas.cl").write_text(EXCHANGES)
    words = ["repair", str(tmp_path / "cas.cl"), "--model", "amdgpu"]
    assert main(words) == 0
    told = capsys.readouterr().out
    first = 'k line 10: cmpxchg monotonic syncscope("agent-one-as") -> release syncscope("agent-one-as")'
    second = 'k line 11: cmpxchg monotonic syncscope("agent-one-as") -> acquire syncscope("agent-one-as")'
    assert f"  1: 2 synchronizing operations (strength 11)\n     {first}\n     {second}\n" in told
    assert "Annotation(" not in told and "%expected" not in told
    number = told.count("synchronizing operations (")
    assert number == 4
    for each in range(1, number + 1):
        assert main([*words, "--emit", str(each)]) == 0
        text = capsys.readouterr().out
        assert check(load_text(text, "cas.ll"), "amdgpu").observation == "Always"
        calls = [line for line in text.splitlines() if "call" in line and "compare_exchange" in line and "%" in line]
        orders = [re.findall(r"i32 noundef (\d)", line)[-3:] for line in calls]
        assert (orders == [["3", "0", "2"], ["2", "0", "2"]]) is (each == 1)


@needs_clang
def test_a_compare_exchange_without_orders_says_why_it_is_not_written(tmp_path: Path) -> None:
    text = re.sub(r"_explicit\(&flag, &zero, 1, .*\)", "(&flag, &zero, 1)", EXCHANGES)
    (tmp_path / "cas.cl").write_text(text)
    test = load(tmp_path / "cas.cl", Compiler())
    place, exchange = next(
        (place, each) for place, each in operations_of(own_exchanges(test)).items() if isinstance(each, CompareExchange)
    )
    weaker = replace(exchange, annotation=replace(exchange.annotation, ordering=Ordering.ACQUIRE))
    with pytest.raises(InputError, match="cannot be written with other orders: it has no argument for them"):
        rewritten(test, {place: weaker})
