"""Refinement of whole tests: the answers of others, what corresponds, what is observed, limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.compiled import compile_source
from enumerator.refinement.pair import TOGETHER_NOTE, load_pair, load_pair_texts
from enumerator.refinement.refine import Refinement, refines
from tests.programs.source import needs_clang

MP = """
; EXISTS: t1:%f = 1 /\\ t1:%d = 0
@d = global i32 0
@f = global i32 0
define void @t0() {{
  store atomic i32 1, ptr @d monotonic, align 4
  {fence}
  store atomic i32 1, ptr @f monotonic, align 4
  ret void
}}
define void @t1() {{
  %f = load atomic i32, ptr @f acquire, align 4
  %d = load atomic i32, ptr @d monotonic, align 4
  ret void
}}
"""


def ask(source: str, target: str, **options: object) -> Refinement:
    pair = load_pair_texts(source, target, "source.ll", "target.ll")
    return refines(*pair, **options)  # type: ignore[arg-type]


def test_answers_of_others(corpora: Path) -> None:
    folder = corpora / "refine"
    if not folder.is_dir():
        pytest.skip("no corpus of refinements")
    expected = json.loads((folder / "expected.json").read_text())
    wrong = []
    for name, wanted in expected.items():
        source, target = load_pair(str(folder / f"{name}.source.ll"), str(folder / f"{name}.target.ll"))
        found = refines(source, target, wanted["model"], hb=wanted["hb"], profile=wanted["profile"], explain=False)
        if found.refines != wanted["refines"]:
            wrong.append(name)
    assert len(expected) > 200
    assert not wrong


def test_counterexample_is_told_and_can_be_run() -> None:
    found = ask(MP.format(fence="fence release"), MP.format(fence=""))
    assert found.refines is False
    example = found.counterexample
    assert example is not None
    assert example.outcome.values == {"t1:%d": 0, "t1:%f": 1, "@d": 1, "@f": 1}
    assert any("fence at line 7 is not in its place" in line for line in example.lost)
    assert any(line.startswith("the source forbids it by") for line in example.lost)
    assert any("store monotonic @f = 1" in line for line in example.execution)
    assert example.context is not None and example.context_target is not None
    source, target = check(load_text(example.context, "s.ll")), check(load_text(example.context_target, "t.ll"))
    assert (source.observation, target.observation) == ("Never", "Sometimes")
    assert source.as_expected and target.as_expected
    assert ask(MP.format(fence=""), MP.format(fence="fence release")).refines is True


KERNEL = """; LAUNCH: @k() workgroups=2 waves=1 lanes=1
; EXISTS: @f = 1
target triple = "amdgcn-amd-amdhsa"
@a = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
@r = addrspace(1) global i32 0
define amdgpu_kernel void @k() {{
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = icmp eq i32 %group, 0
  br i1 %first, label %sends, label %takes
sends:
  store i32 1, ptr addrspace(1) @a
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") {order}, align 4
  ret void
takes:
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %looks, label %done
looks:
  %v = load i32, ptr addrspace(1) @a
  store i32 %v, ptr addrspace(1) @r
  br label %done
done:
  ret void
}}
declare i32 @llvm.amdgcn.workgroup.id.x()
"""


def test_a_counterexample_of_a_kernel_is_launched_as_it_is() -> None:
    found = ask(KERNEL.format(order="release"), KERNEL.format(order="monotonic"))
    assert found.refines is False
    example = found.counterexample
    assert example is not None and example.context is not None and example.context_target is not None
    source, target = check(load_text(example.context, "s.ll")), check(load_text(example.context_target, "t.ll"))
    assert source.as_expected and target.as_expected
    assert "LAUNCH" in example.context and "SCOPES" not in example.context


def test_undef_covers_any_value() -> None:
    text = "define i32 @t() {{\n  %r = load i32, ptr @x\n  ret i32 {}\n}}\n@x = global i32 undef\n"
    assert ask(text.format("%r"), text.format("7")).refines is True
    assert ask(text.format("7"), text.format("%r")).refines is False


def test_vectors_are_covered_by_elements() -> None:
    text = "define <2 x i32> @t() {{\n  ret <2 x i32> <i32 {}, i32 {}>\n}}\n@x = global i32 0\n"
    assert ask(text.format("undef", 2), text.format(1, 2)).refines is True
    assert ask(text.format("undef", 2), text.format(1, 3)).refines is False


def test_undefined_source_covers_everything() -> None:
    text = "@x = global i32 0\ndefine i32 @t() {{\n  {}\n}}\n"
    found = ask(text.format("unreachable"), text.format("ret i32 3"))
    assert found.refines is True and found.undefined_source
    found = ask(text.format("ret i32 3"), text.format("unreachable"))
    assert found.refines is False
    assert found.counterexample is not None and found.counterexample.outcome.flags == ("ub-unreachable",)
    text = found.counterexample.context_target or ""
    assert check(load_text(text, "t.ll")).flags == ("ub", "ub-unreachable")


def test_race_is_undefined_where_the_model_says_so() -> None:
    racy = "C t\n{}\nP0 (int *x) { *x = 1; }\nP1 (int *x) { int r0 = *x; }\nexists (1:r0=0)\n"
    other = racy.replace("*x = 1", "*x = 5")
    found = refines(load_text(racy, "a.litmus"), load_text(other, "b.litmus"), "rc11")
    assert found.refines is True and found.undefined_source


def test_returned_values_are_observed_and_named() -> None:
    text = "; EXISTS: t:ret = {0}\n@x = global i32 0\ndefine i32 @t() {{\n  ret i32 {0}\n}}\n"
    assert check(load_text(text.format(3), "t.ll")).observation == "Always"
    assert ask(text.format(3), text.format(4)).refines is False
    assert ask(text.format(3), text.format(3)).refines is True
    register = "; EXISTS: t:ret = 0\n@x = global i32 0\ndefine void @t() {\n  %ret = load i32, ptr @x\n  ret void\n}\n"
    assert check(load_text(register, "t.ll")).states[0].values == {"t:%ret": 0}


def test_observe_replaces_what_is_compared() -> None:
    text = "{}@x = global i32 0\ndefine void @t() {{\n  store i32 {}, ptr @x\n  ret void\n}}\n@y = global i32 0\n"
    assert ask(text.format("", 1), text.format("", 2)).refines is False
    assert ask(text.format("; OBSERVE: @y\n", 1), text.format("", 2)).refines is True
    with pytest.raises(InputError, match="names something else"):
        ask(text.format("; OBSERVE: @y\n", 1), text.format("; OBSERVE: @x\n", 2))
    with pytest.raises(InputError, match="1:17: OBSERVE: unknown location @z"):
        ask(text.format("; OBSERVE:   @y @z\n", 1), text.format("", 1))
    with pytest.raises(InputError, match="expected a register"):
        ask(text.format("; OBSERVE: 3\n", 1), text.format("", 1))


def test_observe_in_c() -> None:
    text = "C t\n// OBSERVE: 0:r0\n{{}}\nP0 (atomic_int *x) {{ int r0 = 3; atomic_store(x, {}); }}\nexists (0:r0=3)\n"
    one, other = (
        load_text(text.format(value).replace("C t\n//", "C t\n(*").replace("r0\n{", "r0 *)\n{"), "t.litmus")
        for value in (1, 2)
    )
    assert refines(one, other).refines is True


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("@t()", "@u()", "only the source has the thread t"),
        ("@x = global i32 0", "@x = global i64 0", "@x has another type"),
        ("@x = global i32 0", "@x = global i32 1", "@x has another initial value"),
        ("@x = global", "@x = addrspace(1) global", "@x has another address space"),
        ("define void @t() {\n  ret void", "define i32 @t() {\n  ret i32 0", "only in the target, t returns a value"),
        ("; SCOPES: (agent t u)", "; SCOPES: (system (agent t) (agent u))", "only in the source, t and u share"),
    ],
)
def test_what_does_not_correspond_is_an_error(source: str, target: str, message: str) -> None:
    function = "define void @{}() {{\n  ret void\n}}\n"
    text = "; SCOPES: (agent t u)\n@x = global i32 0\n" + function.format("t") + function.format("u")
    other = text.replace(source, target)
    if "@u()" in target:
        text, other = text.replace("define void @u() {\n  ret void\n}\n", "").replace("; SCOPES: (agent t u)\n", ""), ""
        other = text.replace("@t()", "@u()")
    with pytest.raises(InputError, match=message):
        ask(text, other)


def test_a_target_takes_the_scope_tree_of_its_source() -> None:
    text = '@x = global i32 0\ndefine void @t() {\n  fence syncscope("agent") release\n  ret void\n}\n'
    assert ask("; SCOPES: (agent t)\n" + text, text).refines is True
    found = ask(text, text)
    assert found.refines is True and TOGETHER_NOTE in found.notes


LOOP = """
@x = global i32 0
define i32 @t() {
head:
  %i = phi i32 [0, %head0], [%n, %head]
  %n = add i32 %i, 1
  %old = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %more = icmp ne i32 %old, 1
  br i1 %more, label %head, label %done
done:
  ret i32 %VALUE
}
define void @u() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
""".replace("head:\n", "head0:\n  br label %head\nhead:\n", 1)


def test_cut_executions_neither_refute_nor_prove() -> None:
    text = LOOP.replace("%VALUE", "%n")
    other = LOOP.replace("%VALUE", "77")
    same = ask(text, text, unroll=0)
    assert same.refines is None and same.status == "limit"  # some execution of the target was cut
    assert ask(text, other, unroll=0).refines is None  # the source may return 77 where it was cut


def test_a_limit_is_unknown() -> None:
    text = MP.format(fence="fence release")
    assert ask(text, text, max_executions=1).refines is None
    assert ask(text, text, timeout=0.0).status == "timeout"


def test_frozen_undef_is_any_value_of_either_program() -> None:
    text = "@x = global i32 undef\ndefine i32 @t() {{\n  %u = load i32, ptr @x\n  %f = freeze i32 %u\n  {}\n}}\n"
    assert ask(text.format("ret i32 %f"), text.format("ret i32 777")).refines is True
    sum_ = text.format("%s = add i32 %f, 1000\n  ret i32 %s")
    found = ask(sum_, text.format("ret i32 12345"))  # -11345 is none of the constants
    assert found.refines is None
    assert any("freeze" in note for note in found.notes)
    assert ask(text.format("ret i32 5"), text.format("ret i32 %f")).refines is None
    plain = "@x = global i32 undef\ndefine i32 @t() {\n  ret i32 5\n}\n"
    assert ask(plain, text.format("ret i32 %f")).refines is False


GRID = """@o = addrspace(1) global [2 x i32] zeroinitializer
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k() {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %place = getelementptr [2 x i32], ptr addrspace(1) @o, i32 0, i32 %group
  store i32 VALUE, ptr addrspace(1) %place
  ret void
}
"""
GRID_LAUNCH = "; LAUNCH: @k() workgroups=2 waves=1\n; OBSERVE: @o[0] @o[1]\n"


@pytest.mark.parametrize(("value", "holds"), [("1", True), ("2", False)])
def test_a_target_launches_what_its_source_does(value: str, holds: bool) -> None:
    source, target = GRID_LAUNCH + GRID.replace("VALUE", "1"), GRID.replace("VALUE", value)
    before, after = load_pair_texts(source, target, "source.ll", "target.ll")
    assert [thread.name for thread in after.threads] == [thread.name for thread in before.threads]
    assert {thread.function for thread in after.threads} == {"k"} and len(after.threads) == 2
    assert refines(before, after, "amdgpu").refines is holds


def test_a_target_without_what_its_source_launches() -> None:
    with pytest.raises(InputError, match="no function @k with a body") as raised:
        load_pair_texts(GRID_LAUNCH + GRID.replace("VALUE", "1"), "define void @f() {\n  ret void\n}", "a.ll", "b.ll")
    assert (raised.value.path, raised.value.line) == ("b.ll", None)


OPENCL_KERNEL = """global int o[2];
kernel void k(void) { o[get_group_id(0)] = 1; }
"""


@needs_clang
def test_the_target_of_a_program_launches_what_that_does(tmp_path: Path) -> None:
    source, target = tmp_path / "k.cl", tmp_path / "k.ll"
    source.write_text("// LAUNCH: @k() workgroups=2 waves=1\n// OBSERVE: @o[0] @o[1]\n" + OPENCL_KERNEL)
    target.write_text(compile_source(str(source)))
    before, after = load_pair(str(source), str(target))
    assert len(before.threads) == len(after.threads) == 2
    assert refines(before, after, "amdgpu").refines
