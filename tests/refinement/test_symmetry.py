"""Contexts that symmetries of the programs make the same are tried once, and that changes no answer."""

from __future__ import annotations

import pytest

from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.refinement import refine
from enumerator.refinement.correspondence import correspond
from enumerator.refinement.symmetry import symmetries

SB = """{head}; OBSERVE: t:%a u:%b @x @y
@x = global i32 0
@y = global i32 0
define void @t() {{
  store atomic i32 1, ptr @x {store}, align 4
  {fence}
  %a = load atomic i32, ptr @y {load}, align 4
  ret void
}}
define void @u() {{
  store atomic i32 1, ptr @y {store}, align 4
  {other}
  %b = load atomic i32, ptr @x {load}, align 4
  ret void
}}
"""


def sb(
    head: str = "", fence: str = "", other: str | None = None, store: str = "monotonic", load: str = "monotonic"
) -> Test:
    text = SB.format(head=head, fence=fence, other=fence if other is None else other, store=store, load=load)
    return load_text(text, "sb.ll")


def found(one: Test, other: Test) -> int:
    shared = correspond(one, other)
    return len(symmetries((one, other), shared.touched, shared.observed))


def test_both_programs_and_what_is_observed_have_to_be_symmetric() -> None:
    assert found(sb(), sb(fence="fence seq_cst")) == 1
    assert found(sb(), sb(fence="fence seq_cst", other="")) == 0
    one = load_text(sb().source.replace("t:%a u:%b", "t:%a"), "sb.ll")
    assert found(one, one) == 0


PLACES = "; SCOPES: (system (agent (workgroup t)) (agent (workgroup u)))\n"


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize(
    ("source", "target"),
    [
        (sb(fence="fence seq_cst"), sb()),
        (sb(), sb(fence="fence seq_cst")),
        (sb(store="release", load="acquire"), sb()),
        (sb(store="seq_cst"), sb(store="release")),
        (sb(PLACES, store='syncscope("agent") release'), sb(PLACES, store='syncscope("agent") monotonic')),
    ],
)
def test_answers_are_those_of_all_contexts(
    source: Test, target: Test, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = refine.refines(source, target, contexts=size, explain=False)
    monkeypatch.setattr(refine, "symmetries", lambda *_: ())
    every = refine.refines(source, target, contexts=size, explain=False)
    assert few.refines == every.refines
    if few.refines:
        assert few.contexts < every.contexts
        assert few.contexts * 2 >= every.contexts
