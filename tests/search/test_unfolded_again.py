"""Tests that are unfolded again, as something is not as was supposed: what is known stays, and much is seen at once."""

from __future__ import annotations

from types import ModuleType

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.values import UNDEF
from enumerator.search import growing
from enumerator.unfold import later, unfolder
from tests.search.generated import Tune

CHAIN = """@told = global ptr null
@x = global i32 0
define void @t0() {
  %given = load atomic i32, ptr @x monotonic, align 4
  %go = icmp eq i32 %given, 0
  br i1 %go, label %tell, label %out
out:
  ret void
tell:
  %outer = alloca [2 x ptr]
  %inner = alloca ptr
  %number = alloca i32
  %other = alloca i32
  %own = alloca i32
  %second = getelementptr ptr, ptr %outer, i64 1
  store i32 7, ptr %number
  store i32 8, ptr %other
  store i32 9, ptr %own
  store ptr %number, ptr %inner
  store ptr %inner, ptr %outer
  store ptr %other, ptr %second
  store atomic ptr %outer, ptr @told release, align 8
  %kept = load i32, ptr %own
  store i32 %kept, ptr @x
  ret void
}
define void @t1() {
  %outer = load atomic ptr, ptr @told acquire, align 8
  %none = icmp eq ptr %outer, null
  br i1 %none, label %end, label %look
look:
  %inner = load ptr, ptr %outer
  %number = load ptr, ptr %inner
  %a = load i32, ptr %number
  br label %end
end:
  ret void
}
; NEVER: t1:%a = 8
"""


def _counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[object]:
    """Count the calls of what a module has under a name."""
    calls, real = list[object](), getattr(module, name)

    def counts(*given: object, **options: object) -> object:
        calls.append(given)
        return real(*given, **options)

    monkeypatch.setattr(module, name, counts)
    return calls


@pytest.mark.parametrize("grow_from", [-1, 0])
def test_what_slots_hold_the_addresses_of_is_memory_with_them(
    grow_from: int, tune: Tune, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That turns out at once, and what the code may still write is asked once."""
    tune(grow_from=grow_from, grow_from_waits=grow_from)
    listed, grown, walks = (
        _counted(monkeypatch, *where) for where in ((unfolder, "_collect"), (growing, "prepare"), (later, "Walk"))
    )
    result = check(load_text(CHAIN, "chain.ll"))
    assert (result.consistent, result.flags) == (2, ())
    assert {state.values["t1:%a"] for state in result.states} == {7, UNDEF}
    assert (len(listed), len(grown), len(walks)) == ((6, 0, 0) if grow_from < 0 else (4, 2, 6))
