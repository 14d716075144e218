"""Whole tests: directives, threads, conditions, source lines, real-world modules, the reference corpus."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from enumerator.frontend import load, load_text
from enumerator.program.condition import And, Equal, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import Constant, Scope, Unsupported
from enumerator.program.test import Test, Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import UNDEF, Pointer


def corpora() -> Path:
    return Path(os.environ.get("ENUMERATOR_CORPORA") or Path(__file__).parents[3] / "shared" / "corpora")


def lines(test: Test, function: str) -> list[int | None]:
    return [
        part.line
        for block in test.functions[function].blocks
        for part in (*block.phis, *block.body, block.terminator)
    ]


def test_directives() -> None:
    test = load_text(
        """; MP through LDS: fences that synchronize LDS only
; REF: first
; REF: second
; NOTE: prose may have colons, and CHECK: lines of other tools too
; RUN: opt %s
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
;NEVER:   t1:r = 1 /\\ @x = 0xffffffff
; EXPECT: llvm=Sometimes amdgpu=Sometimes+race+ub
; EXPECT: llvm@vulkan/direct/rc11=Never
; UNROLL: 3
@x = global i32 0
define void @t0() {
  ret void
}
define void @t1() {
  %r = load i32, ptr @x
  ret void
}
""",
        "folder/mp.ll",
    )
    assert (test.name, test.format, test.path) == ("mp", "llvm", "folder/mp.ll")
    assert test.title == "MP through LDS: fences that synchronize LDS only"
    assert test.references == ("first", "second")
    assert (test.profile, test.unroll) == ("amdgpu", 3)
    assert test.scope_tree == "(agent (workgroup t0 t1))"
    assert test.placements["t0"].instance(Scope.WORKGROUP) == test.placements["t1"].instance(Scope.WORKGROUP)
    assert test.condition.quantifier is Quantifier.NEVER
    assert test.condition.formula == And((Equal(Name("t1:%r"), Literal(1)), Equal(Name("@x"), Literal(-1))))
    assert test.condition.text == "t1:r = 1 /\\ @x = 0xffffffff"
    assert [(each.model, each.profile, each.variants, each.observation) for each in test.expectations] == [
        ("llvm", None, (), "Sometimes"),
        ("amdgpu", None, (), "Sometimes"),
        ("llvm", "vulkan", ("direct", "rc11"), "Never"),
    ]
    assert test.expectations[1].flags == {"race", "ub"}
    assert [each.line for each in test.expectations] == [9, 9, 10]


def test_defaults() -> None:
    test = load_text("define void @a() {\n  ret void\n}\ndefine void @b() {\n  ret void\n}\n", "x.ll")
    assert (test.title, test.profile, test.unroll, test.expectations) == ("", "generic", None, ())
    assert test.condition.quantifier is Quantifier.EXISTS and test.condition.formula == TrueFormula()
    assert [thread.name for thread in test.threads] == ["a", "b"]


def test_threads_are_the_functions_that_no_other_calls() -> None:
    test = load_text(
        """define void @main() {
  call void @helper(i32 1)
  ret void
}
define void @helper(i32 %n) {
  ret void
}
define void @again() {
  call void @again()
  ret void
}
define void @indirectly(i32 %n, ...) {
  ret void
}
define void @last() {
  call void (i32, ...) @indirectly(i32 1)
  ret void
}
""",
        "x.ll",
    )
    assert [thread.name for thread in test.threads] == ["main", "again", "last"]


def test_given_threads() -> None:
    test = load_text(
        """; THREADS: a=@k(i32 -1, ptr @x) b=@"k 2"( ptr addrspace(1) @g )  c=@t
; EXISTS: a:%n = -1 /\\ a:%r = undef
@x = global i32 0
@g = addrspace(1) global i32 0
define void @k(i32 %n, ptr %p) {
  %r = load i32, ptr %p
  ret void
}
define void @"k 2"(ptr addrspace(1)) {
  ret void
}
define void @t() {
  ret void
}
""",
        "x.ll",
    )
    assert test.threads == (
        Thread("a", "k", (Constant(-1, IntType(32)), Constant(Pointer("@x"), PointerType()))),
        Thread("b", "k 2", (Constant(Pointer("@g"), PointerType(1)),)),
        Thread("c", "t"),
    )
    assert test.functions["k 2"].parameters == ("0",)


def test_conditions_over_everything_that_has_a_name() -> None:
    test = load_text(
        """; EXISTS: t:%"a b" = 1 /\\ t:%f.1.q = 255 /\\ t:%f.2.0 = undef /\\ @"x y"[1][0] = 7 /\\ t:%1 = @z+4 && @s+4 = 0x80
@"x y" = global [2 x [2 x i32]] zeroinitializer
@z = global i64 0
@s = global { i32, i8 } zeroinitializer
define void @t() {
  %"a b" = load i32, ptr @z
  %1 = getelementptr i8, ptr @z, i64 4
  call void @f(i8 1)
  call void @f(i8 2)
  ret void
}
define void @f(i8 %q) {
  %1 = add i8 %q, 1
  ret void
}
""".replace("t:%f.2.0", "t:%f.2.1"),
        "x.ll",
    )
    assert isinstance(test.condition.formula, And)
    atoms = [(part.left.text, part.right.value) for part in test.condition.formula.parts]  # type: ignore[union-attr]
    assert atoms == [
        ("t:%a b", 1),
        ("t:%f.1.q", -1),
        ("t:%f.2.1", UNDEF),
        ("@x y[1][0]", 7),
        ("t:%1", Pointer("@z", 4)),
        ("@s+4", -128),
    ]


def test_source_lines() -> None:
    test = load_text(
        """; title

@x = global i32 0   ; one

@y = global i32 0
declare void @ext(
    i32)
define void @f(i32 %a,
               i32 %b) #0 {
entry: ; a label
  ; a comment with load i32, ptr @x
  %r = load i32,
         ptr @x
  store i32 add (i32 ptrtoint (ptr @y to i32), i32 1), ptr @x  store i32 2, ptr @x
  /* a block comment
     store i32 3, ptr @x */
  %c =
    icmp eq i32 %r, 1
  switch i32 %r, label %out [
    i32 1, label %more
    i32 2, label %out
  ]

more:
  %o = atomicrmw volatile add ptr @x, i32 1 monotonic
  %s = select i1 %c, i32 1, i32 2
  tail call void @g(i32
     1)
  br label %out
out: ret void
}
define void @g(i32 %n) { ret void }
attributes #0 = { "key"="define { load" nounwind }
; THREADS: f=@f(i32 1, i32 2)
""",
        "x.ll",
    )
    assert [obj.line for obj in test.objects] == [3, 5]
    assert test.functions["f"].line == 8
    assert lines(test, "f") == [12, 14, 14, 17, 19, 25, 26, 27, 29, 30]
    assert (test.functions["g"].line, lines(test, "g")) == (32, [32])


def test_carriage_returns() -> None:
    test = load_text("; title\r\n; EXISTS: @x = 1\r\n@x = global i32 0\r\ndefine void @f() {\r\n  ret void\r\n}\r\n", "x.ll")
    assert test.title == "title" and lines(test, "f") == [5]


def test_numbers_of_unnamed_values_are_those_of_the_text() -> None:
    test = load_text(
        """; EXISTS: f:%20 = 1 /\\ f:%21 = 1 /\\ @7 = 0
; THREADS: f=@f(i32 1, i32 2) g=@9
define void @f(i32 %5, i32) {
12:
  %20 = add i32 %5, %6
  add i32 %20, 1
  br label %30
30:
  %x = add i32 %21, 1
  ret void
}
@7 = global i32 0
define void @9() {
  ret void
}
@11 = global ptr @9
""",
        "x.ll",
    )
    assert test.functions["f"].parameters == ("5", "6")
    assert [part.target for part in test.functions["f"].blocks[0].body] == ["20", "21"]  # type: ignore[union-attr]
    assert {obj.name: obj.initial for obj in test.objects} == {"@7": 0, "@11": Pointer("@9")}


CLANG = r"""; ModuleID = 'mp.hip'
source_filename = "mp.hip"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-i64:64-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

%struct.node = type { i32, ptr }
$shared = comdat any
; THREADS: a=@producer(ptr addrspace(1) @buffer, i32 0) b=@consumer(ptr addrspace(1) @buffer)
; SCOPES: (agent (workgroup a b))
; EXISTS: b:%2 = 1
@buffer = protected local_unnamed_addr addrspace(1) externally_initialized global [64 x i32] zeroinitializer, align 4
@__hip_cuid = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid to ptr)], section "llvm.metadata"
@shared = linkonce_odr dso_local global %struct.node { i32 1, ptr null }, comdat, align 8

; Function Attrs: convergent mustprogress norecurse nounwind
define protected amdgpu_kernel void @producer(ptr addrspace(1) noalias nocapture noundef writeonly align 4 dereferenceable(256) %data.coerce, i32 noundef range(i32 0, 64) %i) local_unnamed_addr #0 !dbg !9 !kernel_arg_type !16 {
entry:
  %x.addr = alloca i32, align 4, addrspace(5)
    #dbg_declare(ptr addrspace(5) %x.addr, !13, !DIExpression(), !14)
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %x.addr) #2, !dbg !14
  %idx = zext nneg i32 %i to i64, !dbg !14
  %arrayidx = getelementptr inbounds nuw i32, ptr addrspace(1) %data.coerce, i64 %idx, !dbg !14
  store i32 1, ptr addrspace(1) %arrayidx, align 4, !dbg !14, !tbaa !17
    #dbg_value(i32 %i, !13, !DIExpression(), !14)
  fence syncscope("agent-one-as") release, !dbg !14
  %call = tail call noundef i32 @helper(i32 noundef %i) #2, !dbg !14
  ret void, !dbg !14
}

define protected amdgpu_kernel void @consumer(ptr addrspace(1) noundef readonly captures(none) %p) #0 {
  br label %1

1:                                                ; preds = %1, %0
  %2 = load atomic volatile i32, ptr addrspace(1) %p syncscope("agent") acquire, align 4, !noundef !15, !invariant.group !15
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %1, label %4, !prof !19, !llvm.loop !20

4:
  %5 = tail call i32 @llvm.amdgcn.workitem.id.x(), !range !18
  ret void
}

define internal fastcc noundef i32 @helper(i32 noundef returned %v) unnamed_addr #1 section ".text" align 256 gc "none" {
  ret i32 %v
}

declare void @llvm.lifetime.start.p5(ptr addrspace(5) captures(none)) #3
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #3

attributes #0 = { convergent mustprogress norecurse nounwind "amdgpu-flat-work-group-size"="1,1024" "target-cpu"="gfx90a" }
attributes #1 = { alwaysinline nounwind memory(none) }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!llvm.ident = !{!5}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang (x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "mp.hip", directory: "/tmp")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!5 = !{!"clang version"}
!9 = distinct !DISubprogram(name: "producer", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DISubroutineType(types: !11)
!11 = !{null}
!13 = !DILocalVariable(name: "x", scope: !9, file: !1, line: 4, type: !22)
!14 = !DILocation(line: 4, column: 1, scope: !9)
!15 = !{}
!16 = !{!"int*", !"int"}
!17 = !{!21, !21, i64 0}
!18 = !{i32 0, i32 1024}
!19 = !{!"branch_weights", i32 1, i32 2000}
!20 = distinct !{!20}
!21 = !{!"int", !23, i64 0}
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C++ TBAA"}
"""


def test_a_module_as_compilers_write_it() -> None:
    test = load_text(CLANG, "mp.ll")
    assert test.title == "ModuleID = 'mp.hip'"
    assert [obj.name for obj in test.objects] == ["@buffer", "@__hip_cuid", "@llvm.compiler.used", "@shared"]
    unsupported = [
        part.text
        for function in test.functions.values()
        for block in function.blocks
        for part in block.body
        if isinstance(part, Unsupported)
    ]
    assert [text.split(",")[0] for text in unsupported] == ["%5 = tail call i32 @llvm.amdgcn.workitem.id.x()"]
    text = CLANG.split("\n")
    for name, function in test.functions.items():
        assert function.line is not None and f"@{name}(" in text[function.line - 1]
        for block in function.blocks:
            for part in (*block.body, block.terminator):
                assert part.line is not None
                target = getattr(part, "target", None)
                assert target is None or f"%{target} = " in text[part.line - 1]


@pytest.mark.parametrize("folder", ["reference", "dataflow"])
def test_corpora(folder: str) -> None:
    files = sorted((corpora() / folder).glob("*.ll"))
    if not files:
        pytest.skip(f"no corpus {folder} (set ENUMERATOR_CORPORA)")
    for file in files:
        test = load(file)
        assert test.name == file.stem and test.threads
        for name in test.functions:
            assert None not in lines(test, name)
            if folder == "reference":
                parts = [part for block in test.functions[name].blocks for part in block.body]
                assert not any(isinstance(part, Unsupported) for part in parts)
