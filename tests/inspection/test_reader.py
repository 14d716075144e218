"""What is read of a module: accesses of every sort, where they go and where they stand."""

from __future__ import annotations

import pytest

from enumerator.inspection.findings import AccessClass
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation, Space

from .ir import inspect, kernel


def function(text: str) -> Function:
    return inspect(text).functions[0].function


def operations(body: str, more: str = "") -> list[Operation]:
    return function(kernel(body, more=more)).operations


def shape(operation: Operation) -> tuple[str, str, Space]:
    return operation.what, "R" * operation.reads + "W" * operation.writes, operation.space


@pytest.mark.parametrize(
    ("instruction", "declaration", "expected"),
    [
        ("%x = load { i32, <4 x half> }, ptr addrspace(1) %g", "", [("load", "R", Space.GLOBAL)]),
        ('store [3 x i8] c"a,\\22", ptr %f', "", [("store", "W", Space.FLAT)]),
        ("%x = load i32, ptr addrspacecast (ptr addrspace(3) @lds to ptr)", "", [("load", "R", Space.LOCAL)]),
        (
            "store { i32, i32 } { i32 1, i32 2 }, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 8)",
            "",
            [("store", "W", Space.LOCAL)],
        ),
        (
            "call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %g, ptr addrspace(3) %l, i64 4, i1 false)",
            "declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)",
            [("memcpy", "W", Space.GLOBAL), ("memcpy", "R", Space.LOCAL)],
        ),
        (
            "call void @llvm.memset.p3.i32(ptr addrspace(3) align 4 %l, i8 0, i32 16, i1 false)",
            "declare void @llvm.memset.p3.i32(ptr addrspace(3), i8, i32, i1)",
            [("memset", "W", Space.LOCAL)],
        ),
        (
            "%x = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> zeroinitializer, i32 0, i32 0, i32 0)",
            "declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32)",
            [("raw.buffer.load", "R", Space.BUFFER)],
        ),
        (
            "call void @llvm.amdgcn.raw.ptr.buffer.store.v2f32(<2 x float> zeroinitializer, ptr addrspace(8) null,"
            " i32 0, i32 0, i32 0)",
            "declare void @llvm.amdgcn.raw.ptr.buffer.store.v2f32(<2 x float>, ptr addrspace(8), i32, i32, i32)",
            [("raw.ptr.buffer.store", "W", Space.BUFFER)],
        ),
        (
            "%x = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) null, i32 0, i32 0,"
            " i32 0)",
            "declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)",
            [("raw.ptr.buffer.atomic.add", "RW", Space.BUFFER)],
        ),
        (
            "call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 4, i32 0, i32 0)",
            "declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)",
            [("global.load.lds", "R", Space.GLOBAL), ("global.load.lds", "W", Space.LOCAL)],
        ),
        (
            "%x = call <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)> undef, <2 x i1> undef,"
            " <2 x i32> undef)",
            "declare <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, <2 x i32>)",
            [("masked.gather", "R", Space.GLOBAL)],
        ),
        (
            "%x = call <4 x i32> @llvm.amdgcn.av.load.b128(ptr %f, metadata !9)",
            'declare <4 x i32> @llvm.amdgcn.av.load.b128(ptr, metadata)\n!9 = !{!"agent"}',
            [("av.load.b128", "R", Space.FLAT)],
        ),
        ("call void @llvm.amdgcn.s.waitcnt(i32 0)", "declare void @llvm.amdgcn.s.waitcnt(i32)", []),
        ("call void @llvm.amdgcn.sched.barrier(i32 0)", "declare void @llvm.amdgcn.sched.barrier(i32)", []),
        ("call void @llvm.assume(i1 true)", "declare void @llvm.assume(i1)", []),
        (
            "call void @llvm.prefetch.p1(ptr addrspace(1) %g, i32 0, i32 3, i32 1)",
            "declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)",
            [],
        ),
        ('call void asm sideeffect "s_nop 0", ""()', "", []),
        ('call void asm sideeffect "", "~{memory}"()', "", [("inline assembly", "RW", Space.ANY)]),
        (
            'call void asm sideeffect "global_store_dword $0, 1", "v"(ptr %f)',
            "",
            [("inline assembly", "RW", Space.ANY)],
        ),
        ("call void @unknown() nosync memory(read)", "", [("call @unknown", "R", Space.ANY)]),
        ("%x = call i32 @pure(i32 1)", "", []),
    ],
)
def test_accesses(instruction: str, declaration: str, expected: list[tuple[str, str, Space]]) -> None:
    assert [shape(each) for each in operations(instruction, declaration)] == expected


@pytest.mark.parametrize(
    ("target", "number", "space"),
    [
        ("amdgcn-amd-amdhsa", 7, Space.BUFFER),
        ("nvptx64-nvidia-cuda", 3, Space.LOCAL),
        ("nvptx64-nvidia-cuda", 7, Space.OTHER),
        ("spirv64", 4, Space.FLAT),
        ("spirv64", 0, Space.PRIVATE),
    ],
)
def test_address_spaces_are_the_targets(target: str, number: int, space: Space) -> None:
    text = f"""target triple = "{target}"
define void @f(ptr addrspace({number}) %p) {{
  store i32 1, ptr addrspace({number}) %p
  ret void
}}
"""
    assert function(text).operations[0].space is space


def test_buffers_have_the_tags_of_global_memory() -> None:
    text = """define void @f(ptr addrspace(7) %p) {
  store i32 1, ptr addrspace(7) %p
  ret void
}
"""
    (store,) = function(text).operations
    assert [str(tag) for tag in store.effective] == ["amdgpu-synchronize-as:global"]
    assert store.address_space == 1
    (store,) = function('target triple = "nvptx64-nvidia-cuda"\n' + text).operations
    assert store.address_space == 7


@pytest.mark.parametrize(
    ("call", "declaration", "part"),
    [
        ("s.barrier()", "s.barrier()", BarrierPart.BOTH),
        ("s.barrier.signal(i32 -1)", "s.barrier.signal(i32)", BarrierPart.ARRIVE),
        ("s.barrier.signal(i32 -3)", "s.barrier.signal(i32)", BarrierPart.OTHER),
        ("s.barrier.wait(i16 -1)", "s.barrier.wait(i16)", BarrierPart.WAIT),
        ("s.barrier.wait(i16 1)", "s.barrier.wait(i16)", BarrierPart.OTHER),
        ("s.barrier.join(ptr addrspace(3) @lds)", "s.barrier.join(ptr addrspace(3))", BarrierPart.OTHER),
        ("s.barrier.leave(i16 1)", "s.barrier.leave(i16)", BarrierPart.OTHER),
        ("wave.barrier()", "wave.barrier()", BarrierPart.OTHER),
    ],
)
def test_barriers(call: str, declaration: str, part: BarrierPart) -> None:
    text = f"""@lds = addrspace(3) global [4 x i32] undef
define void @f() {{
  call void @llvm.amdgcn.{call}
  ret void
}}
declare void @llvm.amdgcn.{declaration}
"""
    (barrier,) = function(text).operations
    assert barrier.kind is Kind.BARRIER and barrier.barrier is part


def test_invoke_callbr_and_switch() -> None:
    text = """declare i32 @personality(...)
define void @f(ptr %p, i32 %n) personality ptr @personality {
entry:
  invoke void @g() to label %ok unwind label %bad
ok:
  switch i32 %n, label %done [
    i32 0, label %ok
    i32 1, label %"a b"
  ]
bad:
  %caught = landingpad { ptr, i32 }
          cleanup
  fence release
  resume { ptr, i32 } %caught
"a b":
  callbr void asm sideeffect "", "!i"() to label %done [label %ok]
done:
  ret void
}
declare void @g()
"""
    found = function(text)
    assert [block.successors for block in found.blocks] == [(1, 2), (4, 1, 3), (), (4, 1), ()]
    assert [block.leaves for block in found.blocks] == [False, False, True, False, True]
    assert [operation.place.line for operation in found.operations] == [4, 13]


def test_names_in_quotes_and_numbers() -> None:
    text = """@"q g" = addrspace(3) global i32 0
@al = alias i32, ptr addrspace(3) @"q g"
define void @"f g"(ptr %"a,b", i32) {
  store i32 %0, ptr addrspace(3) @al
  br label %"l: 1"
"l: 1":
  store i32 %0, ptr %"a,b"
  fence syncscope("my scope") release
  ret void
}
"""
    found = function(text)
    assert found.name == "f g" and len(found.blocks) == 2
    first, second, fence = found.operations
    assert first.root == "@q g" and second.space is Space.FLAT and second.place.line == 7
    assert str(fence.scope) == "my scope" and fence.scope.rank is None and fence.scope.holds_workgroup


def test_blocks_without_labels_are_numbered_after_the_parameters() -> None:
    text = """define void @f(ptr, i1) {
  br label %3
3:
  store i32 1, ptr %0
  br i1 %1, label %3, label %4
4:
  ret void
}
"""
    assert [block.successors for block in function(text).blocks] == [(1,), (1, 2), ()]


def test_debug_records_are_no_instructions() -> None:
    text = """define void @f(ptr %p) !dbg !5 {
    #dbg_value(ptr %p, !9, !DIExpression(), !8)
  store i32 1, ptr %p, !dbg !8
  fence release, !dbg !11
  ret void
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a \\22b\\22.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 3, type: !6, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 7, column: 3, scope: !10)
!9 = !DILocalVariable(name: "p", scope: !5, file: !2, line: 3)
!10 = !DILexicalBlock(scope: !5, file: !2, line: 6)
!11 = !DILocation(line: 0, scope: !5)
"""
    store, fence = function(text).operations
    assert store.place.line == 3 and store.place.source == 'a "b".c:7'
    assert fence.place.line == 4 and fence.place.source is None  # line 0 is no place


def test_roots() -> None:
    body = """
  %p = getelementptr [256 x i32], ptr addrspace(3) @lds, i32 0, i32 7
  store i32 1, ptr addrspace(3) %p
  %s = select i1 %c, ptr addrspace(3) %p, ptr addrspace(3) @lds
  store i32 1, ptr addrspace(3) %s
  %t = select i1 %c, ptr addrspace(3) %p, ptr addrspace(3) @other
  store i32 1, ptr addrspace(3) %t
  store i32 1, ptr addrspace(3) %l
"""
    assert [each.root for each in operations(body)] == ["@lds", "@lds", None, None]


def test_alike_accesses_are_of_one_class() -> None:
    first, second = operations("  store i32 1, ptr %f\n  store i8 2, ptr %f, align 1")
    assert AccessClass.of(first) == AccessClass.of(second)


BUILTIN = """target triple = "amdgcn-amd-amdhsa"
@l = addrspace(3) global i32 undef
declare i32 @_Z10atomic_incPU3AS0Vi(ptr)
define void @f(ptr addrspace(1) %p, ptr %flat) {
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  %g = addrspacecast ptr addrspace(1) %q to ptr
  %at = getelementptr i32, ptr %g, i64 1
  %v = call i32 @_Z10atomic_incPU3AS0Vi(ptr ADDRESS)
  ret void
}
"""


@pytest.mark.parametrize(
    ("address", "tags"),
    [
        ("addrspacecast (ptr addrspace(3) @l to ptr)", ["amdgpu-synchronize-as:local"]),
        ("%at", ["amdgpu-synchronize-as:global"]),
        ("%flat", []),
    ],
)
def test_a_builtin_accesses_what_its_generic_pointer_was_cast_from(address: str, tags: list[str]) -> None:
    (update,) = function(BUILTIN.replace("ADDRESS", address)).operations
    assert [str(tag) for tag in update.effective] == tags
