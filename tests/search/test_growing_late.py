"""What a search that grows executions leaves for the end: reads that nothing rests on, axioms that refuse nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.frontend import load_text
from enumerator.search import growing
from enumerator.search import opcodes as op
from enumerator.search.of_code import names_of_code
from enumerator.unfold import unfold
from enumerator.unfold.liveness import unused_reads

PROGRAMS = Path(__file__).resolve().parent.parent / "data" / "programs"

TEXT = """; EXISTS: true
@x = global i32 0
@p = global ptr null
define i32 @callee(ptr %where) {
  %given = load atomic i32, ptr %where acquire, align 4
  ret i32 %given
}
define void @t0() {
  %idle = load atomic i32, ptr @x monotonic, align 4
  %value = load atomic i32, ptr @x monotonic, align 4
  %other = add i32 %value, 1
  store atomic i32 %other, ptr @x monotonic, align 4
  %at = load atomic ptr, ptr @p monotonic, align 8
  %result = call i32 @callee(ptr %at)
  store i32 1, ptr @x
  ret void
}
"""
BRANCHES = """; EXISTS: true
@x = global i32 0
define void @t0() {
entry:
  %a = load atomic i32, ptr @x seq_cst, align 4
  %c = icmp eq i32 %a, 0
  br i1 %c, label %then, label %done
then:
  fence release
  %old = atomicrmw add ptr @x, i32 1 acq_rel
  br label %done
done:
  %v = phi i32 [ 1, %entry ], [ 2, %then ]
  store atomic i32 %v, ptr @x release, align 4
  ret void
}
"""


def test_loads_that_nothing_uses() -> None:
    """A load and what it is used for, in the code: a sum, an address, what a function returns."""
    test = load_text(TEXT, "t.ll")
    assert [load.line for load in unused_reads(test.functions.values())] == [9]


def test_events_of_loads_that_nothing_uses() -> None:
    """Told by their instruction, not by their line: what is compiled from C has many loads in one line."""
    test = load_text(TEXT, "t.ll")
    events = [event for path in unfold(test).paths[0] for event in path.events if event.kind == "R"]
    assert {event.line for event in events if event.unused} == {9}
    assert {event.line for event in events if not event.unused} == {10, 13}


def test_names_that_the_code_says() -> None:
    """Orderings, fences and dependencies; a phi of constants rests on no read."""
    orderings = {"ACQ", "REL", "ACQ_REL", "SC", "RLX"}
    first, second = names_of_code(load_text(TEXT, "t.ll")), names_of_code(load_text(BRANCHES, "t.ll"))
    assert first == {"RLX", "ACQ", "addr", "data"}
    assert second == orderings - {"RLX", "ACQ"} | {"F", "rmw", "ctrl"} | (second & {"RLX", "ACQ"})
    assert "data" not in second and "addr" not in second


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("name", ["ttas-3", "dekker-3", "caslock-4"])
def test_nothing_is_tried_in_vain_for_reads_that_nothing_rests_on(name: str, model: str) -> None:
    """What a critical section reads is decided last, so that nobody waits for what comes after it."""
    result = check(load(PROGRAMS / f"{name}.ll"), model, unroll=0 if name.startswith("ttas") else None)
    assert result.explored == result.consistent


@pytest.mark.parametrize("name", ["treiber-3", "peterson-3"])
def test_axioms_that_are_put_off(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the last axiom is tested at once, at the end, or first so and then otherwise, makes no difference."""
    late: list[int] = []
    original = growing.Growing.advance

    def advance(strategy: growing.Growing, steps: int) -> int:
        try:
            return original(strategy, steps)
        finally:
            late.append(int(strategy.grown.at[op.X_LATE]))

    def at_once(strategy: growing.Growing, steps: int) -> int:
        strategy.grown.at[op.X_LATE] = op.LATE_NEVER
        return advance(strategy, steps)

    monkeypatch.setattr(growing.Growing, "advance", advance)
    found = check(load(PROGRAMS / f"{name}.ll"), "amdgpu")
    assert late[-1] == op.LATE_NOW
    monkeypatch.setattr(growing.Growing, "_fails_late", lambda each: each.grown.at[op.X_LATE] == op.LATE_NOW)
    again = check(load(PROGRAMS / f"{name}.ll"), "amdgpu")
    assert late[-1] == op.LATE_NEVER
    monkeypatch.setattr(growing.Growing, "advance", at_once)
    never = check(load(PROGRAMS / f"{name}.ll"), "amdgpu")
    for other in (again, never):
        assert (other.states, other.flags, other.consistent) == (found.states, found.flags, found.consistent)
