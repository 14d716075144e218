"""Executions that grow where kernels copy asynchronously, or meet at barriers with a number or in two halves."""

from __future__ import annotations

import pytest

from enumerator.cat.typing import select
from enumerator.events.table import KindTable
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search.bitset import base_kinds, enumerate_test
from enumerator.search.growing import grow
from enumerator.search.session import Session
from enumerator.search.strategies import CannotGrow
from enumerator.search.tuning import Tuning
from enumerator.unfold import all_names
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.ptx import random_ptx
from tests.generated.test_agreement import AMDGPU_FEATURES, FEATURES, variant
from tests.search.generated import request_for

LISTED = Tuning(grow_from=-1)


def grown(request: Request) -> Outcomes:
    """What growing finds; it does not give way to another strategy."""
    return grow(request, Tuning(grow_from=0), base_kinds(request.test), KindTable(), lambda: False)


def same(request: Request, text: str) -> int:
    """Compare what grows with what is listed; tell how many executions there are."""
    mine, listed = grown(request), enumerate_test(request, Session(LISTED))
    assert mine.status == listed.status == "complete"
    assert mine.states == listed.states, text
    assert (mine.flags, mine.consistent, mine.cut) == (listed.flags, listed.consistent, listed.cut), text
    return mine.consistent


def asked(test: Test, model: str, unroll: int | None = None) -> Request:
    names = tuple(all_names(test, unroll=unroll))
    return Request(test, select(model, (), {}), load_profile("generic"), names, unroll=unroll)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("features", ["async", "async-tags"])
def test_asynchronous_copies(features: str, model: str) -> None:
    known = FEATURES if model == "llvm" else AMDGPU_FEATURES
    wanted = frozenset(known.get(features, AMDGPU_FEATURES["async"]))
    compared = 0
    for seed in range(examples(20)):
        program = random_program(wanted, 9100 + seed, 5 + seed % 2, 6 - seed % 3)
        try:
            compared += same(request_for(program.text, model, wanted, seed), program.text)
        except CannotGrow:
            assert model == "llvm" and variant(wanted, seed)[2] != "dep", program.text
    assert compared > 20


PIPELINE = """; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: true
@in = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@count = addrspace(1) global i32 0
@tile = addrspace(3) global [2 x i32] zeroinitializer
@out = addrspace(1) global [2 x i32] zeroinitializer
define void @t0() {
  call void @work(i32 0)
  ret void
}
define void @t1() {
  call void @work(i32 1)
  ret void
}
define void @t2() {
  store atomic i32 1, ptr addrspace(1) @count monotonic, align 4
  ret void
}
define void @work(i32 %t) {
entry:
  %other = xor i32 %t, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %next ]
  %at = shl i32 %i, 1
  %mine = or i32 %at, %t
  %from = getelementptr i32, ptr addrspace(1) @in, i32 %mine
  %to = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %to, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %far = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %x = load i32, ptr addrspace(3) %far
  %result = getelementptr i32, ptr addrspace(1) @out, i32 %t
  store i32 %x, ptr addrspace(1) %result
  %count = load atomic i32, ptr addrspace(1) @count monotonic, align 4
  %more = icmp ult i32 %i, %count
  br i1 %more, label %next, label %done
next:
  %n = add i32 %i, 1
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %loop
done:
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
declare void @llvm.amdgcn.s.barrier()
"""


@pytest.mark.parametrize("wait", ["i16 0", "i16 1"])
def test_a_loop_whose_length_is_read(wait: str) -> None:
    text = PIPELINE.replace("(i16 0)\n", f"({wait})\n")
    assert same(asked(load_text(text, "pipeline.ll"), "amdgpu-2026", 2), text) > 2


ADDRESS = """; EXISTS: true
@in = addrspace(1) global [2 x i32] [i32 1, i32 2]
@place = addrspace(1) global i32 0
@tile = addrspace(3) global [2 x i32] zeroinitializer
define void @t0() {
  %i = load atomic i32, ptr addrspace(1) @place monotonic, align 4
  %from = getelementptr i32, ptr addrspace(1) @in, i32 %i
  %to = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %to, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %x = load i32, ptr addrspace(3) %to
  ret void
}
define void @t1() {
  store atomic i32 1, ptr addrspace(1) @place monotonic, align 4
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu-2026"])
def test_copies_whose_addresses_are_read(model: str) -> None:
    assert same(asked(load_text(ADDRESS, "address.ll"), model), ADDRESS) == 2


@pytest.mark.parametrize("model", ["ptx-6.0", "ptx-7.5"])
def test_barriers_with_a_number(model: str) -> None:
    """Also those that so many threads complete, or that threads miss."""
    compared = barriers = 0
    for seed in range(60):
        text = random_ptx(seed)
        try:
            compared += same(asked(load_text(text, "generated.litmus"), model), text)
            barriers += "bar.cta" in text
        except CannotGrow:
            assert "fence.sc" in text, text
    assert compared > 100
    assert barriers > 2


QUORUM = """PTX quorum
{ x = 0; }
P0@cta 0, gpu 0 | P1@cta 0, gpu 0 | P2@cta 0, gpu 0 ;
st.weak x, 1 | bar.cta.sync 1, 0, 2 | bar.cta.sync 1, 0, 2 ;
bar.cta.sync 1, 0, 2 | ld.weak r0, x | ld.weak r0, x ;
exists (P1:r0 == 0 /\\ P2:r0 == 0)
"""


def test_which_threads_complete_a_quorum() -> None:
    assert same(asked(load_text(QUORUM, "quorum.litmus"), "ptx-7.5"), QUORUM) > 3


HALVES = """; SCOPES: (agent (workgroup t0 t1))
; EXISTS: true
@x = global i32 0
define void @t0() {
  store i32 1, ptr @x
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = load i32, ptr @x
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
"""


def test_a_thread_that_leaves_half_a_barrier() -> None:
    """Who waits for whom is not told by numbers then: growing gives way."""
    request = asked(load_text(HALVES, "halves.ll"), "llvm")
    with pytest.raises(CannotGrow):
        grown(request)
    found = [enumerate_test(request, Session(Tuning(grow_from=least))) for least in (0, -1)]
    assert found[0].states == found[1].states
    assert found[0].flags == found[1].flags == frozenset()
