"""Barrier objects: where threads only use the workgroup's barrier, they say what its phases say."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.unfold import unfold, unfolder
from enumerator.unfold.objects import resolve
from enumerator.unfold.phases import Waves
from tests.generated.amounts import examples
from tests.generated.engines import Answer, answer
from tests.generated.programs import random_program
from tests.literal import all_names

FEATURES = frozenset({"barriers", "scopes", "fences"})


def ask(text: str, engine: str) -> Answer | None:
    test = load_text(text, "generated.ll")
    names = all_names(test, 1, "dep")
    return answer(
        engine,
        test=test,
        names=names,
        model="llvm",
        profile="generic",
        hb="closure",
        thin_air="dep",
        unroll=1,
        most=4000 if engine == "networkx" else None,
    )


@pytest.mark.parametrize("seed", range(40))
def test_equal_for_plain_barriers(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_program(FEATURES, seed).text
    engine = "bitset" if seed % 2 else "networkx"
    plain = ask(text, engine)
    monkeypatch.setattr(unfolder, "uses_objects", lambda test: True)
    assert ask(text, engine) == plain, text


def test_agreements_and_phases() -> None:
    text = """; SCOPES: (agent (workgroup t0 t1))
; EXISTS: true
define void @t0() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
declare void @llvm.amdgcn.s.barrier()
"""
    test = load_text(text, "t.ll")
    (first,), (second,) = resolve(test, unfold(test).paths)
    assert first.agreements == second.agreements == ((0, 0),)
    assert first.events[0].arrival == first.events[0].wait == second.events[0].wait == (("workgroup", 0), 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("s.barrier.signal(i32 -2)", "there is no barrier -2 for programs"),
        ("s.barrier.signal(i32 17)", "there is no barrier 17 for programs"),
    ],
)
def test_bad_objects(call: str, message: str) -> None:
    name = f"llvm.amdgcn.{call.partition('(')[0]}"
    text = f"""; SCOPES: (agent (workgroup t))
; EXISTS: true
define void @t() {{
  call void @llvm.amdgcn.{call}
  ret void
}}
declare void @{name}(i32)
"""
    with pytest.raises(Exception, match=message):
        load_text(text, "t.ll")


FIRST = """; LAUNCH: @count() workgroups=1 waves=6 lanes=1
; FORALL: @n = 1
@n = addrspace(1) global i32 0
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
define amdgpu_kernel void @count() {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  br i1 %first, label %add, label %done
add:
  %old = atomicrmw add ptr addrspace(1) @n, i32 1 syncscope("agent") monotonic
  br label %done
done:
  ret void
}
"""


def test_one_wave_is_the_first() -> None:
    result = check(load_text(FIRST, "first.ll"), "amdgpu")
    assert (result.verdict, result.explored, result.consistent) == ("Ok", 6, 6)


OPERATIONS = (
    "FIRST; WAIT(i16 -1)",
    "SIGNAL(i32 -1); WAIT(i16 -1)",
    "SIGNAL(i32 -3); WAIT(i16 -3)",
    "call void @llvm.amdgcn.s.barrier()",
    "SIGNAL(i32 -1)",
    "WAIT(i16 -1)",
    "store atomic i32 1, ptr @x monotonic, align 4",
)


def some_operations(seed: int) -> str:
    """Give two or three waves that run operations on barriers, alike or not."""
    chance = random.Random(seed)
    waves, threads = chance.choice((2, 3, 3)), list[str]()
    alike = [chance.choice(OPERATIONS) for _ in range(chance.randint(1, 3))] if chance.random() < 0.7 else []
    for thread in range(waves):
        lines = [
            line.strip().replace("FIRST", f"%f{number} = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)")
            for number, each in enumerate(alike or [chance.choice(OPERATIONS) for _ in range(chance.randint(1, 3))])
            for line in each.split(";")
        ]
        threads.append(f"define void @t{thread}() {{\n" + "\n".join((*lines, "ret void")) + "\n}\n")
    text = "\n".join(threads).replace("SIGNAL", "call void @llvm.amdgcn.s.barrier.signal")
    places = " ".join(f"(wavefront t{thread})" for thread in range(waves))
    return f"""; SCOPES: (system (agent (workgroup {places})))
; EXISTS: true
@x = global i32 0
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
""" + text.replace("WAIT", "call void @llvm.amdgcn.s.barrier.wait")


@pytest.mark.parametrize("seed", range(examples(25)))
def test_waits_are_settled_in_any_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    test = load_text(some_operations(seed), "operations.ll")
    found = check(test, "llvm")
    monkeypatch.setattr(Waves, "_has_all_phases", lambda *given: False)
    every = check(load_text(some_operations(seed), "operations.ll"), "llvm")
    assert (found.verdict, found.flags, found.consistent) == (every.verdict, every.flags, every.consistent)
