"""IR of newer LLVM than the one at hand."""

from __future__ import annotations

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend.llvm.process import canonical_text
from enumerator.inspection import inspect_text


@pytest.mark.parametrize(
    ("newer", "known"),
    [
        ("float -inf", "float 0xFFF0000000000000"),
        ("half +inf", "half 0xH7C00"),
        ("double -qnan", "double 0xFFF8000000000000"),
        ("float f0x3FB8AA3B", "float 0x3FF7154760000000"),
        ("double f0x3FF7154765000000", "double 0x3FF7154765000000"),
        ("bfloat f0x3F81", "bfloat 0xR3F81"),
        ("<2 x half> <half f0x3C01, half +inf>", "<2 x half> <half 0xH3C01, half 0xH7C00>"),
    ],
)
def test_numbers(newer: str, known: str) -> None:
    def text(constant: str) -> str:
        words = constant.partition(" ")[0] if constant[0] != "<" else constant.partition(">")[0] + ">"
        return f'; not -inf\n@s = constant [5 x i8] c"-inf\\00"\ndefine {words} @f() {{\n  ret {constant}\n}}\n'

    assert canonical_text(text(newer), "f.ll") == canonical_text(text(known), "f.ll")


def test_number_that_no_type_has() -> None:
    with pytest.raises(InputError, match="expected value token"):
        canonical_text("define float @f() {\n  ret float f0x3F\n}\n", "f.ll")


KEY = "i64 and (i64 lshr (i64 ptrtoint (ptr @x to i64), i64 2), i64 15)"
HASH = """@x = global i32 0
@pool = global [16 x i32] zeroinitializer
; EXISTS: t0:%r = 3 /\\ t0:%low = 4 /\\ t0:%same = 1
define void @t0() {{
  store i32 3, ptr {hash}, align 4
  br label %next
next:                                             ; preds = %0
  %p = phi ptr [ {hash}, %0 ]
  %r = load i32, ptr %p
  %address = ptrtoint ptr getelementptr (i8, ptr @pool, i64 4) to i64
  %low = urem i64 %address, 16
  %tagged = or i64 %address, 1
  %untagged = and i64 %tagged, -2
  %c = icmp eq i64 %untagged, %address
  %same = select i1 %c, i32 select (i1 icmp eq (ptr @x, ptr @pool), i32 2, i32 1), i32 0
  ret void
}}
"""


def test_constants_that_an_older_one_computes() -> None:
    """What clang 16 makes of a hash of an address: objects begin at multiples of 4096."""
    result = check(load(HASH.format(hash=f"getelementptr inbounds ([16 x i32], ptr @pool, i64 0, {KEY})")))
    assert (result.observation, result.consistent) == ("Always", 1)


def test_a_constant_of_a_global_that_is_computed_no_longer() -> None:
    with pytest.raises(InputError, match=r"a.ll:2:\d+: and constexprs are no longer supported"):
        canonical_text("@x = global i32 0\n@y = global i64 and (i64 ptrtoint (ptr @x to i64), i64 7)\n", "a.ll")


TENSOR = "<4 x i32> %a, <8 x i32> %b, <4 x i32> %a, <4 x i32> %a, <8 x i32> %b, i32 0"


@pytest.mark.parametrize("declared", [True, False])
def test_intrinsics_with_other_types(declared: bool) -> None:
    """A sixth argument; what is not declared, LLVM declares as it knows it."""
    types = "<4 x i32>, <8 x i32>, <4 x i32>, <4 x i32>, <8 x i32>, i32"
    text = f"""target triple = "amdgpu12.50-amd-amdhsa"
define amdgpu_kernel void @k(<4 x i32> %a, <8 x i32> %b) {{
  call void @llvm.amdgcn.tensor.load.to.lds({TENSOR})
  call void @llvm.amdgcn.s.wait.tensorcnt(i16 0)
  call void @llvm.amdgcn.tensor.load.to.lds({TENSOR})
  ret void
}}
"""
    text += f"declare void @llvm.amdgcn.tensor.load.to.lds({types})\n" if declared else ""
    found = inspect_text(text, "k.ll")
    assert found.target.amdgpu and found.profile == "amdgpu"
    assert [(each.name, each.place.line) for each in found.remarks] == [("async-not-awaited", 5)]


DEBUG = """!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "a", directory: "b")
!2 = !{i32 2, !"Debug Info Version", i32 3}
"""


@pytest.mark.parametrize("debug", ["", DEBUG])
def test_barriers_in_their_own_address_space(debug: str) -> None:
    text = f"""; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%r = 1
; EXPECT: amdgpu-2026@amdgpu=Always
target triple = "amdgpu12.50-amd-amdhsa"
@bar = internal addrspace(15) global target("amdgcn.named.barrier", 0) poison
@x = internal addrspace(3) global i32 0
define void @t0() {{
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(15) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(15) @bar)
  call void @llvm.amdgcn.s.barrier()
  store i32 1, ptr addrspace(3) @x
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(15) @bar, i32 0)
  ret void
}}
define void @t1() {{
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(15) @bar)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(15) @bar, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %r = load i32, ptr addrspace(3) @x
  ret void
}}
declare void @llvm.amdgcn.s.barrier()
{debug}"""
    assert check(load(text), model="amdgpu-2026", profile="amdgpu").observation == "Always"


def test_marks_that_are_not_declared() -> None:
    text = """define void @f() {
  call void @llvm.amdgcn.asyncmark(i32 2046)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2046)
  ret void
}
"""
    assert "declare void @llvm.amdgcn.wait.asyncmark(i16, i32)" in canonical_text(text, "f.ll")
    with pytest.raises(InputError, match=r"^f.ll:2:13: unknown intrinsic 'llvm.amdgcn.asyncmarc'$"):
        canonical_text(text.replace("asyncmark(i32", "asyncmarc(i32"), "f.ll")


def test_calling_conventions_of_debug_information_are_left_out() -> None:
    text = "@x = global i32 0\n"
    text += "!named = !{!0}\n!0 = !DISubroutineType(cc: DW_CC_LLVM_NoSuchConvention, types: null)\n"
    assert "DISubroutineType" in canonical_text(text, "k.ll")
