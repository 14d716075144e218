"""The Vulkan tests of this repository: their expectations, in both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.frontend import load
from enumerator.results.verdict import expected_flags
from tests.frontend_vulkan.source import asked

FOLDER = Path(__file__).resolve().parents[2] / "litmus_tests" / "vulkan"
TESTS = sorted(FOLDER.glob("[AV]-*"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_expectations_in_both_engines(path: Path) -> None:
    """They agree on executions, too: also on those without variants."""
    test = load(path)
    assert test.name == path.stem and test.title and test.expectations and test.references
    expected = {tuple(expectation.variants): expectation for expectation in test.expectations}
    for variants in {(), *expected}:
        fast, plain = (asked(test, variants, engine) for engine in ("bitset", "networkx"))
        assert (fast.states, fast.flags, fast.consistent) == (plain.states, plain.flags, plain.consistent)
        for expectation in test.expectations:
            if tuple(expectation.variants) == variants:
                assert (fast.observation, plain.observation) == (expectation.observation,) * 2, expectation.text
                assert set(fast.flags) == expected_flags(expectation), expectation.text


def test_loading_is_deterministic() -> None:
    for path in TESTS:
        assert load(path) == load(path)
