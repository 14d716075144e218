"""Values that paths need and give: combinations that miss some are passed over, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.scaling import SCALING
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Outcomes, Request
from enumerator.search import bitset, lower
from enumerator.unfold import unfold
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES
from tests.search.generated import request_for


def possible(family: str, n: int, names: tuple[str, ...] = ()) -> tuple[int, int]:
    """How many combinations of paths there are, and how many of them have what they need."""
    test = load_text(SCALING[family].make(n, "rlx"), "a.litmus")
    arrays = lower.lower(unfold(test, undef=False), load_profile("generic"), names).arrays
    counts = arrays["thread_count"].tolist()
    combinations: list[tuple[int, ...]] = [()]
    for first, count in zip(arrays["thread_first"].tolist(), counts, strict=True):
        combinations = [(*paths, first + number) for paths in combinations for number in range(count)]

    def has_all(paths: tuple[int, ...]) -> bool:
        needs = [
            need
            for path in paths
            for need in range(int(arrays["need_first"][path]), int(arrays["need_first"][path + 1]))
        ]
        return all((arrays["needs"][need] & arrays["gives"][list(paths)]).any() for need in needs)

    return len(combinations), sum(map(has_all, combinations))


def test_rotation() -> None:
    """Who succeeds needs the one before to have succeeded: the first k of n threads, for any k from 1 on."""
    assert possible("CASROT", 6) == (64, 7)


def test_few_combinations() -> None:
    """Where there are few, nothing is asked."""
    assert possible("CASROT", 3) == (8, 8)


def found(request: Request, many: int, monkeypatch: pytest.MonkeyPatch) -> Outcomes:
    monkeypatch.setattr(lower, "_MANY", many)
    bitset._lowered.clear()
    outcomes = bitset.enumerate_test(request)
    assert outcomes.status == "complete"
    return replace(outcomes, explored=0)


@pytest.mark.parametrize("model", ["llvm", "rc11"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = frozenset(FEATURES[features])
    for seed in range(20, 26):
        request = request_for(random_program(wanted, seed).text, model, wanted, seed)
        every = found(request, 1 << 62, monkeypatch)
        assert found(request, 0, monkeypatch) == every, f"{model}, {features}, seed {seed}"
