"""Executions that grow with threads that meet at barriers: what these keep from whom, and what is explored for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from enumerator import check, load_profile
from enumerator.cat.compiler import compile_model
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.search import growing
from enumerator.search.bitset import base_kinds, enumerate_test
from enumerator.search.growth import waits_at_barriers
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.search.generated import Tune, request_for

LLVM = ["llvm", "amdgpu"]
BARRIER = """fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire"""

PERSISTENT = """; LAUNCH: @work(i32 2) workgroups=1 waves=2 lanes=1
; FORALL: @out[0] = 3 /\\ @out[1] = 3
@next = addrspace(1) global i32 0
@out = addrspace(1) global [2 x i32] zeroinitializer
@item = internal addrspace(3) global i32 undef
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @work(i32 %count) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %leads = icmp eq i32 %id, 0
  %add = add i32 %id, 1
  br label %loop
loop:
  br i1 %leads, label %take, label %meet
take:
  %new = atomicrmw add ptr addrspace(1) @next, i32 1 syncscope("agent") monotonic
  store i32 %new, ptr addrspace(3) @item
  br label %meet
meet:
  BARRIER
  %i = load i32, ptr addrspace(3) @item
  BARRIER
  %more = icmp slt i32 %i, %count
  br i1 %more, label %do, label %done
do:
  %p = getelementptr [2 x i32], ptr addrspace(1) @out, i32 0, i32 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 %add syncscope("agent") monotonic
  br label %loop
done:
  ret void
}
""".replace("BARRIER", BARRIER)


TURNSTILE = """; LAUNCH: @add() workgroups=3 waves=5 lanes=1
; FORALL: @sums[0] = 6 /\\ @sums[4] = 6
@turn = addrspace(1) global i32 0
@sums = addrspace(1) global [5 x i32] zeroinitializer
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @add() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %next = add i32 %group, 1
  %leads = icmp eq i32 %id, 0
  br i1 %leads, label %wait, label %meet
wait:
  %turn = load atomic i32, ptr addrspace(1) @turn syncscope("agent") acquire, align 4
  %mine = icmp eq i32 %turn, %group
  br i1 %mine, label %meet, label %wait
meet:
  BARRIER
  %p = getelementptr [5 x i32], ptr addrspace(1) @sums, i32 0, i32 %id
  %old = load i32, ptr addrspace(1) %p
  %new = add i32 %old, %next
  store i32 %new, ptr addrspace(1) %p
  BARRIER
  br i1 %leads, label %pass, label %done
pass:
  store atomic i32 %next, ptr addrspace(1) @turn syncscope("agent") release, align 4
  br label %done
done:
  ret void
}
""".replace("BARRIER", BARRIER)


@pytest.mark.parametrize("model", LLVM)
def test_what_waits_for_a_barrier_of_others_waits_too(model: str) -> None:
    """Workgroups add in turn: a read awaits no wave whose leader waits for the workgroup of that read."""
    result = check(load_text(TURNSTILE, "turnstile.ll"), model)
    assert (result.status, result.verdict, result.flags) == ("complete", "Ok", ())
    assert (result.explored, result.consistent) == (1, 1)
    wrong = TURNSTILE.replace('store atomic i32 %next, ptr addrspace(1) @turn syncscope("agent") release', "STORE")
    wrong = wrong.replace("STORE", 'store atomic i32 %next, ptr addrspace(1) @turn syncscope("agent") monotonic')
    assert "race" in check(load_text(wrong.replace("waves=5", "waves=2"), "turnstile.ll"), model).flags


@pytest.mark.parametrize("model", LLVM)
def test_a_workgroup_that_takes_one_item_after_the_other(model: str) -> None:
    """Each item is told in local memory, between two barriers: nothing is explored in vain."""
    found = check(load_text(PERSISTENT, "persistent.ll"), model)
    assert (found.verdict, found.flags, found.consistent) == ("Ok", (), 4)
    assert found.explored == 4


OF_LOCAL_MEMORY = PERSISTENT.replace("release", "release, !mmra !0").replace("acquire", "acquire, !mmra !0")
OF_LOCAL_MEMORY = OF_LOCAL_MEMORY.replace(
    '%old = atomicrmw add ptr addrspace(1) %p, i32 %add syncscope("agent") monotonic',
    "store i32 1, ptr addrspace(1) %p",
)


@pytest.mark.parametrize("profile", ["generic", "amdgpu"])
@pytest.mark.parametrize("model", LLVM)
def test_fences_that_order_local_memory(model: str, profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Happens-before has program order of accesses to one memory only; workgroups take items from one list."""
    searches, search = [], growing._Search._search

    def noted(self: growing._Search) -> object:
        searches.append(self._values)
        return search(self)

    monkeypatch.setattr(growing._Search, "_search", noted)
    text = OF_LOCAL_MEMORY.replace("workgroups=1 waves=2", "workgroups=2 waves=1").replace("= 3", "= 1")
    text += '!0 = !{!"amdgpu-synchronize-as", !"local"}\n'
    found = check(load_text(text, "local.ll"), model, profile=profile)
    assert (found.verdict, found.flags, found.consistent) == ("Ok", (), 8)
    assert found.explored <= 10
    assert set(searches) == {True}


GRID = """; LAUNCH: @sync() workgroups=2 waves=2 lanes=1
; FORALL: @seen = 2
@arrived = addrspace(1) global i32 0
@seen = addrspace(1) global i32 0
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @sync() {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %leads = icmp eq i32 %id, 0
  BARRIER
  br i1 %leads, label %arrive, label %meet
arrive:
  %n = atomicrmw add ptr addrspace(1) @arrived, i32 1 syncscope("agent") acq_rel
  br label %wait
wait:
  %all = load atomic i32, ptr addrspace(1) @arrived syncscope("agent") acquire, align 4
  %there = icmp eq i32 %all, 2
  br i1 %there, label %meet, label %wait
meet:
  BARRIER
  br i1 %leads, label %done, label %look
look:
  %a = load i32, ptr addrspace(1) @arrived
  %last = atomicrmw umax ptr addrspace(1) @seen, i32 %a syncscope("agent") monotonic
  br label %done
done:
  ret void
}
""".replace("BARRIER", BARRIER)


@pytest.mark.parametrize("model", [*LLVM, "sc"])
def test_workgroups_that_meet(model: str, tune: Tune) -> None:
    tune(symmetry=False)
    found = check(load_text(GRID, "grid.ll"), model)
    assert (found.verdict, found.flags, found.consistent) == ("Ok", (), 4)
    assert found.explored <= 6


def test_which_models_wait_at_barriers() -> None:
    """Those that forbid values from beyond a barrier."""
    waits = {}
    for name in ("llvm", "amdgpu", "rc11", "sc"):
        model = select(name)
        compiled = compile_model(model.model, model.variants, base_kinds(), empty=frozenset({"unsequenced"}))
        waits[name] = waits_at_barriers(compiled)
    assert waits == {"llvm": True, "amdgpu": True, "rc11": False, "sc": True}


FEATURES = [
    {"barriers", "scopes", "fences", "branches"},
    {"barriers", "fences", "tags", "spaces", "scopes"},
    {"fences", "tags", "spaces", "branches", "dependencies"},
    {"barriers", "fences", "branches", "loops", "undef"},
    {"barriers", "fences", "private", "rmw", "branches"},
]


@pytest.mark.parametrize("model", [*LLVM, "sc"])
@pytest.mark.parametrize("features", FEATURES, ids=lambda each: "+".join(sorted(each)))
def test_generated_programs(features: set[str], model: str) -> None:
    """Grown, and listed by their paths: also where threads go through different numbers of barriers."""
    for seed in range(examples(8)):
        text = random_program(frozenset(features), seed, 5, 5).text
        request = request_for(text, model, frozenset(features), seed)
        if "spaces" in features:
            request = replace(request, profile=load_profile(("amdgpu", "strict")[seed % 2]))
        grown, listed = (enumerate_test(request, Session(Tuning(grow_from=each))) for each in (0, -1))
        assert (grown.states, grown.flags, grown.consistent) == (listed.states, listed.flags, listed.consistent), text


def test_they_are_grown_with_values_first(monkeypatch: pytest.MonkeyPatch) -> None:
    searches, search = [], growing._Search._search

    def noted(self: growing._Search) -> object:
        searches.append(self._values)
        return search(self)

    monkeypatch.setattr(growing._Search, "_search", noted)
    check(load_text(PERSISTENT, "persistent.ll"), "llvm")
    assert set(searches) == {True}


@pytest.mark.parametrize(("model", "told"), [("rc11", True), ("sc", False), ("amdgpu", False), ("ptx-7.5", False)])
def test_models_that_say_nothing_of_barriers(model: str, told: bool) -> None:
    notes = check(load_text(PERSISTENT, "persistent.ll"), model, timeout=5).notes
    assert (f"the model {model} says nothing of barriers: they order nothing" in notes) == told
