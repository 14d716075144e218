"""Where the text of a test shows that a reading makes no difference, it makes none: on generated tests."""

from __future__ import annotations

import pytest

from enumerator import check, load_profile
from enumerator.corpus.synchronization import may_read_otherwise, may_synchronize_otherwise
from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.generated.programs import random_program

TESTS = examples(10)
FEATURES = {
    "tags": {"tags", "fences", "spaces"},
    "updates": {"tags", "fences", "rmw", "cmpxchg"},
    "branches": {"tags", "fences", "branches", "rmw"},
    "private": {"private", "fences", "tags"},
    "barriers": {"barriers", "tags", "fences", "scopes"},
}


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_readings_that_cannot_differ_do_not(features: str) -> None:
    profile, skipped = load_profile("generic"), 0
    for seed in range(4 * TESTS):
        text = random_program(frozenset(FEATURES[features]), 500 + seed, 5 + seed % 3).text
        test = load_text(text, "generated.ll")
        if may_read_otherwise(test, profile):
            continue
        skipped += 1
        answers = [check(test, "llvm", profile=profile, hb=hb) for hb in ("closure", "direct", "filtered")]
        first = answers[0]
        for other in answers[1:]:
            assert (other.outcome, other.consistent) == (first.outcome, first.consistent), text
            assert other.states == first.states, text
    assert skipped > 0


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_profiles_that_cannot_differ_do_not(features: str) -> None:
    loose, strict = load_profile("amdgpu"), load_profile("amdgpu-strict")
    skipped = 0
    for seed in range(4 * TESTS):
        text = random_program(frozenset(FEATURES[features]), 900 + seed, 4 + seed % 3).text
        test = load_text(text, "generated.ll")
        if may_synchronize_otherwise(test, loose, strict):
            continue
        skipped += 1
        answers = [check(test, "amdgpu", profile=profile) for profile in (loose, strict)]
        first = answers[0]
        for other in answers[1:]:
            assert (other.outcome, other.consistent) == (first.outcome, first.consistent), text
            assert other.states == first.states, text
    assert skipped > 0
