"""Barrier objects: where threads only use the workgroup's barrier, they say what its phases say."""

from __future__ import annotations

import pytest

from enumerator.frontend import load_text
from enumerator.unfold import unfold, unfolder
from enumerator.unfold.objects import resolve
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
