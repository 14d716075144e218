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
@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_expectations(path: Path, engine: str) -> None:
    test = load(path)
    assert test.name == path.stem and test.title and test.expectations and test.references
    for expectation in test.expectations:
        found = asked(test, expectation.variants, engine)
        assert (found.observation, set(found.flags)) == (
            expectation.observation,
            expected_flags(expectation),
        ), expectation.text


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_engines_agree_on_executions(path: Path) -> None:
    test = load(path)
    fast, plain = (asked(test, (), engine) for engine in ("bitset", "networkx"))
    assert (fast.states, fast.flags, fast.consistent) == (plain.states, plain.flags, plain.consistent)


def test_loading_is_deterministic() -> None:
    for path in TESTS:
        assert load(path) == load(path)
