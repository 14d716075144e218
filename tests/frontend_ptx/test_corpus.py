"""The PTX tests of this repository: their expectations, in both engines, and that these agree on executions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from enumerator import check
from enumerator.frontend import load
from enumerator.results.verdict import expected_flags

FOLDER = Path(__file__).resolve().parents[2] / "litmus_tests" / "ptx"
TESTS = sorted(FOLDER.glob("*.litmus"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_expectations_in_both_engines(path: Path) -> None:
    test = load(path)
    assert test.name == path.stem and test.title and test.expectations and test.references
    assert {each.model for each in test.expectations} & {"ptx-6.0", "ptx-7.5"}
    for expectation in test.expectations:
        asked = replace(test, expectations=())
        fast, plain = (check(asked, expectation.model, engine=engine) for engine in ("bitset", "networkx"))
        for found in (fast, plain):
            assert found.status == "complete"
            assert (found.observation, set(found.flags)) == (
                expectation.observation,
                expected_flags(expectation),
            ), expectation.text
        assert (fast.states, fast.consistent) == (plain.states, plain.consistent)
