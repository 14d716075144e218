"""What only instructions lead to that are not covered is not looked at where a test is searched; all else sees it."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.asking import make_request, select_model, select_profile
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.program.test import Test
from enumerator.unfold.covered import covered
from enumerator.unfold.later import writes_to_come
from enumerator.unfold.machine import begin
from enumerator.unfold.unfolder import prepare

PADS = """@x = global i32 0
@y = global i32 0
@where = global ptr null
declare i32 @__gxx_personality_v0(...)
declare void @unknown()
define void @calls() {
  store i32 1, ptr @x
  ret void
}
define void @t0() personality ptr @__gxx_personality_v0 {
entry:
  %r = load i32, ptr @y
  %c = icmp eq i32 %r, 0
  br i1 %c, label %go, label %unlike
go:
  invoke void @calls() to label %good unwind label %bad
unlike:
  call void @unknown()
  store i32 4, ptr @y
  br label %good
good:
  %s = phi i32 [ 1, %go ], [ 2, %unlike ], [ 3, %bad ]
  store i32 %s, ptr @x
  ret void
bad:
  %pad = landingpad { ptr, i32 } cleanup
  %at = load ptr, ptr @where
  store i32 2, ptr %at
  br label %good
}
; FORALL: @x = 1
"""


def _searched(test: Test) -> Test:
    model = select_model(test, "llvm", Options())
    return make_request(test, model, select_profile(test, None, model), Options()).test


def test_what_is_behind_is_not_searched() -> None:
    test = load_text(PADS, "pads.ll")
    searched = _searched(test)
    written = writes_to_come(begin(searched.threads[0], prepare(searched)))
    assert written is not None
    assert {each.objects for each in written} == {frozenset({"@x"})}
    assert [block.name for block in test.functions["t0"].blocks] == ["entry", "go", "unlike", "good", "bad"]
    (at_end,) = (block.phis[0].incoming for block in searched.functions["t0"].blocks if block.name == "good")
    assert [name for name, _ in at_end] == ["go"]
    assert covered(searched) is searched


def test_where_all_is_covered() -> None:
    test = load_text("@x = global i32 0\ndefine void @t0() {\n  store i32 1, ptr @x\n  ret void\n}\n", "all.ll")
    assert covered(test) is test


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_who_comes_there_is_told(engine: str) -> None:
    assert check(load_text(PADS, "pads.ll"), options=Options(engine=engine)).observation == "Always"
    test = load_text(PADS.replace("@y = global i32 0", "@y = global i32 1"), "pads.ll")
    with pytest.raises(InputError, match=r"pads.ll:18.*unknown"):
        check(test, options=Options(engine=engine))
