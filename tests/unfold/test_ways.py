"""Blocks that decide by a phi lead from where one comes to some of their targets; what is elsewhere is not read."""

from __future__ import annotations

from enumerator import check
from enumerator.frontend import load_text
from enumerator.unfold.liveness import Liveness
from enumerator.unfold.loops import flow_of
from enumerator.unfold.ways import ways_through

NESTED = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
first:
  br label %outer
outer:
  %kept = phi i32 [ undef, %first ], [ %left, %again ]
  br label %inner
inner:
  %held = phi i32 [ %kept, %outer ], [ %left, %more ]
  %v = load atomic i32, ptr @x acquire, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %fails, label %some
fails:
  %q = cmpxchg ptr @y, i32 1, i32 2 acquire monotonic
  %ok = extractvalue { i32, i1 } %q, 1
  %either = select i1 %ok, i32 0, i32 2
  br label %decides
some:
  br label %decides
decides:
  %left = phi i32 [ %held, %fails ], [ %v, %some ]
  %how = phi i32 [ %either, %fails ], [ 1, %some ]
  switch i32 %how, label %never [
    i32 0, label %more
    i32 1, label %done
    i32 2, label %again
  ]
more:
  br label %inner
again:
  br label %outer
never:
  unreachable
done:
  store i32 %left, ptr @y
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}
"""


def test_ways_through_a_block_that_decides_by_a_phi() -> None:
    function = load_text(NESTED, "nested.ll").functions["t0"]
    assert ways_through(function) == {("fails", "decides"): ("more", "again"), ("some", "decides"): ("done",)}


def test_what_is_only_handed_round_is_not_read() -> None:
    """What ``left`` holds is stored only where it comes from ``v``: what was held before is never looked at."""
    function = load_text(NESTED, "nested.ll").functions["t0"]
    liveness = Liveness(function, frozenset(), flow_of(function))
    assert liveness.phis["outer"] == liveness.phis["inner"] == frozenset()
    assert liveness.phis["decides"] == {"left", "how"}
    assert "left" not in liveness.registers["again"] and "left" in liveness.registers["done"]


def test_a_loop_around_another_one_waits() -> None:
    result = check(load_text(NESTED, "nested.ll"), "rc11")
    assert (result.status, result.cut, result.consistent) == ("complete", 0, 1)
