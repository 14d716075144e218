"""AMDGPU's intrinsics: each that LLVM has is taken, or refused for a reason."""

from __future__ import annotations

import re
from pathlib import Path

import llvmlite.binding
import pytest

import enumerator
from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.llvm.amdgpu import PREFIX, refusal

ALL = re.compile(rb"llvm\.amdgcn\.[a-zA-Z0-9.]*[a-zA-Z0-9]\0")


def names() -> list[str]:
    """The names of the intrinsics, as they stand in the library that parses modules."""
    library = Path(llvmlite.binding.ffi.lib._name).read_bytes()
    return sorted({match.group()[:-1].decode() for match in ALL.finditer(library)})


def test_each_is_taken_or_refused_with_a_reason_that_is_documented() -> None:
    found = {name.removeprefix(PREFIX): refusal(name) for name in names()}
    assert len(found) > 500
    readme = (Path(enumerator.__file__).parent / "frontend/llvm/README.md").read_text()
    assert {why for why in found.values() if why and why not in readme} == set()
    for name in (
        "s.barrier", "s.barrier.init", "s.cluster.barrier", "global.load.lds", "global.load.async.to.lds.b128",
        "raw.ptr.buffer.load.lds", "struct.ptr.buffer.load.lds", "raw.ptr.buffer.store", "tensor.load.to.lds",
        "tensor.store.from.lds.d2", "readfirstlane", "ballot", "s.waitcnt", "sched.group.barrier", "s.wait.asynccnt",
    ):  # fmt: skip
        assert found[name] is None, name
    barriers = [name for name in found if "barrier" in name and found[name]]
    assert sorted(barriers) == [
        "ds.atomic.async.barrier.arrive.b64",
        "ds.atomic.barrier.arrive.rtn.b64",
        "ds.gws.barrier",
        "s.get.barrier.state",
        "s.get.named.barrier.state",
    ]
    assert [name for name in found if name.endswith("load.lds") and found[name]] == [
        "raw.buffer.load.lds",
        "struct.buffer.load.lds",
    ]


PROGRAM = """; SCOPES: SCOPES_OF
; EXISTS: true
@x = addrspace(1) global [4 x i32] zeroinitializer
@l = addrspace(3) global i32 undef
@n = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
define void @t0(i16 %s) {
  CALL
  ret void
}
define void @t1() { ret void }
; THREADS: t0=@t0(i16 1) t1=@t1
"""
APART, TOGETHER = "(workgroup t0 t1)", "(workgroup (wavefront t0 t1))"


def text(call: str, declaration: str, scopes: str = APART) -> str:
    return PROGRAM.replace("SCOPES_OF", scopes).replace("CALL", call) + declaration


REFUSED = [
    (
        "%v = call i32 @llvm.amdgcn.readfirstlane.i32(i32 1)",
        "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)",
        "a value that goes between the lanes of a wave",
    ),
    (
        "%v = call i32 @llvm.amdgcn.s.get.barrier.state(i32 -1)",
        "declare i32 @llvm.amdgcn.s.get.barrier.state(i32)",
        "a count that may change at any moment",
    ),
    (
        "%r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 %s, i64 8, i32 0)\n"
        "  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 1, i32 0, i32 0, i32 0)",
        "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)\n"
        "declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)",
        "no stride is known here",
    ),
    (
        "%r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 -8, i64 8, i32 0)\n"
        "  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 1, i32 0, i32 0, i32 0)",
        "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)\n"
        "declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)",
        "swizzled",
    ),
    (
        "call void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)",
        "declare void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32>, <8 x i32>, i32)",
        "computed from 0 pointers",
    ),
]


@pytest.mark.parametrize(("call", "declaration", "why"), REFUSED)
def test_what_is_refused_says_why_and_where(call: str, declaration: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as found:
        check(load_text(text(call, declaration, TOGETHER), "t.ll"), model="llvm")
    assert found.value.line == 7 + call.count("\n")


def test_lanes_of_a_wave_of_one() -> None:
    call, declaration, _ = REFUSED[0]
    assert check(load_text(text(call, declaration), "t.ll"), model="llvm").observation == "Always"


def test_a_tensor_goes_between_objects_of_one_size(tmp_path: Path) -> None:
    path = tmp_path / "t.ll"
    call = (
        "%a = ptrtoint ptr addrspace(3) @l to i32\n  %g = ptrtoint ptr addrspace(1) @x to i64\n"
        "  %b = bitcast i64 %g to <2 x i32>\n"
        "  %d = shufflevector <2 x i32> %b, <2 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>\n"
        "  %e = insertelement <4 x i32> %d, i32 %a, i32 1\n"
        "  call void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32> %e, <8 x i32> zeroinitializer, i32 0)"
    )
    path.write_text(text(call, "declare void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32>, <8 x i32>, i32)"))
    with pytest.raises(InputError, match="@x of 16 bytes and @l of 4 differ in size"):
        check(load(path), model="llvm")


BUFFER = """declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
; SCOPES: (agent (workgroup t))
; FORALL: CONDITION
@x = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@n = addrspace(1) global i32 NUMBER
define void @t() {
  %n = load i32, ptr addrspace(1) @n
  MAKE
  CALL
  ret void
}
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
"""
RAW = "%v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 {}, i32 {}, i32 0)"
TWO = "%v = call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8) %r, i32 {}, i32 0, i32 0)"
STRUCT = "%v = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 {}, i32 0, i32 0, i32 0)"
STORE = "call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 9, ptr addrspace(8) %r, i32 {}, i32 0, i32 0)"


def buffer(call: str, condition: str, number: int = 0, stride: int = 0, records: str = "8", flags: int = 0) -> str:
    text = BUFFER.replace("CALL", call).replace("CONDITION", condition).replace("NUMBER", str(number))
    made = "llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 STRIDE, i64 RECORDS, i32 FLAGS)"
    text = text.replace("MAKE", f"%r = call ptr addrspace(8) @{made}")
    return text.replace("STRIDE", str(stride)).replace("RECORDS", records).replace("FLAGS", str(flags))


@pytest.mark.parametrize(
    ("call", "condition", "more"),
    [
        (RAW.format(4, 0), "t:%v = 2", {}),
        (RAW.format(8, 0), "t:%v = 0", {}),
        (RAW.format(8, 0), "t:%v = 3", {"flags": 2 << 28}),  # RDNA's descriptor without a check
        (RAW.format(8, 0), "t:%v = 3", {"records": "-1"}),
        (RAW.format(-4, 0), "t:%v = 0", {}),
        (RAW.format("%n", 0), "t:%v = 2", {"number": 4}),
        (RAW.format("%n", 0), "t:%v = 0", {"number": 8}),
        (RAW.format("%n", 4), "t:%v = 2", {"number": 0}),
        (RAW.format("%n", 4), "t:%v = 0", {"number": 8}),
        (TWO.format(0), "t:%v = <1, 2>", {}),
        (TWO.format("%n"), "t:%v = <0, 0>", {"number": 8}),
        (STRUCT.format(1), "t:%v = 2", {"stride": 4, "records": "2"}),
        (STRUCT.format(2), "t:%v = 0", {"stride": 4, "records": "2"}),
        (STRUCT.format("%n"), "t:%v = 0", {"stride": 4, "records": "2", "number": 3}),
        (STORE.format(4), "@x[1] = 9", {}),
        (STORE.format(8), "@x[2] = 3", {}),
        (STORE.format("%n"), "@x[2] = 3", {"number": 8}),
    ],
)
def test_what_is_beyond_a_buffer_reads_zero_and_writes_nothing(
    call: str, condition: str, more: dict[str, object]
) -> None:
    test = load_text(buffer(call, condition, **more), "t.ll")  # type: ignore[arg-type]
    result = check(test)
    assert (result.observation, sorted(result.flags), test.notes) == ("Always", [], ())


@pytest.mark.parametrize(
    ("call", "number"), [(TWO.format(4), 0), (TWO.format("%n"), 4), (RAW.format(4, 4), 0), (RAW.format("%n", 4), 4)]
)
def test_what_processors_differ_in_is_an_error(call: str, number: int) -> None:
    with pytest.raises(InputError, match="how much of this access is within num_records depends on the processor"):
        check(load_text(buffer(call, "t:%n = 0", number=number), "t.ll"))


def test_sizes_that_are_not_looked_at_are_noted() -> None:
    text = buffer(RAW.format(8, 0), "true").replace("i16 0", "i16 4")
    assert [note.split(":")[0] for note in load_text(text, "t.ll").notes] == [
        "num_records of a buffer is not looked at in line 9"
    ]
    fat = "%p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)\n  %v = load i32, ptr addrspace(7) %p"
    assert [note.split(":")[0] for note in load_text(buffer(fat, "true"), "t.ll").notes] == [
        "num_records of a buffer is not looked at where it is accessed through a pointer in addrspace(7)"
    ]


PLACES = """; LAUNCH: @k() workgroups=1 waves=2 lanes=LANES
; FORALL: w0.1.0:%i = 1 /\\ w0.0.0:%v = 3.0 /\\ w0.0.0:%n = 6 /\\ @x = 2
@x = addrspace(1) global i32 0
define amdgpu_kernel void @k() {
  %i = call i32 @llvm.amdgcn.wave.id()
  %m = call i64 @llvm.amdgcn.s.memtime()
  call void @llvm.amdgcn.s.prefetch.data.p1(ptr addrspace(1) @x, i32 4)
  %v = call float @llvm.vector.reduce.fadd.v2f32(float 0.0, <2 x float> <float 1.0, float 2.0>)
  %n = call i32 @llvm.vector.reduce.add.v3i32(<3 x i32> <i32 1, i32 2, i32 3>)
  %y = call float @llvm.exp2.f32(float %v)
  %z = call float @llvm.amdgcn.exp2.f32(float %v)
  %same = fcmp oeq float %y, %z
  br i1 %same, label %ends, label %ends
ends:
  store atomic i32 2, ptr addrspace(1) @x syncscope("agent") monotonic, align 4
  call void @llvm.amdgcn.endpgm()
  unreachable
}
declare i64 @llvm.amdgcn.s.memtime()
declare i32 @llvm.amdgcn.wave.id()
declare void @llvm.amdgcn.endpgm()
declare i32 @llvm.vector.reduce.add.v3i32(<3 x i32>)
declare float @llvm.vector.reduce.fadd.v2f32(float, <2 x float>)
declare float @llvm.exp2.f32(float)
declare float @llvm.amdgcn.exp2.f32(float)
declare void @llvm.amdgcn.s.prefetch.data.p1(ptr addrspace(1), i32)
"""


def test_what_kernels_ask_and_compute_beside_memory() -> None:
    result = check(load_text(PLACES.replace("LANES", "1"), "k.ll"))
    assert (result.observation, sorted(result.flags)) == ("Always", [])
    with pytest.raises(InputError, match="endpgm .it ends all lanes of a wave"):
        check(load_text(PLACES.replace("LANES", "2").replace("w0.1.0:", "w0.1.1:"), "k.ll"))


@pytest.mark.parametrize("predicate", ["ugt", "ult", "ne", "eq"])
def test_a_clock_that_is_read_twice(predicate: str) -> None:
    """Which of two readings is the larger one is not known, nor that they are the same."""
    text = f"""; EXISTS: @later = 1
@later = global i32 0
declare i64 @llvm.amdgcn.s.memtime()
define void @t() {{
  %one = call i64 @llvm.amdgcn.s.memtime()
  %other = call i64 @llvm.amdgcn.s.memtime()
  %held = icmp {predicate} i64 %other, %one
  br i1 %held, label %yes, label %no
yes:
  store i32 1, ptr @later
  br label %no
no:
  ret void
}}
"""
    found = check(load_text(text, "t.ll"))
    assert (found.status, found.observation) == ("complete", "Sometimes")


def test_what_is_not_computed_decides_nothing() -> None:
    text = """; FORALL: t:%b = 1
define void @t() {
  %x = call float @llvm.exp2.f32(float 3.0)
  %c = fcmp oeq float %x, 8.0
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %b = phi i32 [ 0, %0 ], [ 1, %yes ]
  ret void
}
declare float @llvm.exp2.f32(float)
"""
    assert check(load_text(text, "t.ll")).observation == "Sometimes"
