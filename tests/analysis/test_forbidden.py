"""The reference engine classifies every candidate: what is forbidden, by which axiom and around which cycle."""

from __future__ import annotations

from enumerator.analysis.classify import classify
from enumerator.analysis.execution import rebuild
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.reference.enumerate import enumerate_test
from enumerator.request import Request

STORE_BUFFERING = """; store buffering
; EXISTS: t0:%r = 0 /\\ t1:%r = 0
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  %r = load atomic i32, ptr @y seq_cst, align 4
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %r = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
"""


def test_every_candidate_is_classified() -> None:
    test = load_text(STORE_BUFFERING, "sb.ll")
    model, profile = select("rc11"), load_profile("generic")
    request = Request(test, model, profile, ("t0:%r", "t1:%r"), record=-1, forbidden=True)
    outcomes = enumerate_test(request)
    assert len(outcomes.executions) == 4 and outcomes.consistent == 3
    (both_zero,) = [candidate for candidate in outcomes.executions if not candidate.consistent]
    found = classify(rebuild(request, both_zero))
    assert [violation.axiom for violation in found.violations] == ["seq-cst"]
    assert len(found.violations[0].cycle) >= 2
    for candidate in outcomes.executions:
        agreed = not classify(rebuild(request, candidate)).violations
        assert agreed == candidate.consistent


def test_only_consistent_ones_unless_asked() -> None:
    test = load_text(STORE_BUFFERING, "sb.ll")
    request = Request(test, select("rc11"), load_profile("generic"), (), record=-1)
    assert [candidate.consistent for candidate in enumerate_test(request).executions] == [True] * 3
