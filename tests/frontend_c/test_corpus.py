"""The C tests of this repository: their expectations, and both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.frontend import load

FOLDER = Path(__file__).resolve().parents[2] / "litmus_tests" / "c11"
TESTS = sorted(FOLDER.glob("*.litmus"))


SLOW = ("C-expressions", "C-trylock+flag")
"""In the reference engine, which tries every order of plain writes."""


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_expectations(path: Path) -> None:
    test = load(path)
    assert test.name == path.stem and test.title and test.expectations
    for expectation in test.expectations:
        result = check(test, model=expectation.model)
        assert result.as_expected, (expectation.text, result.observation, result.flags, result.notes)


@pytest.mark.parametrize("path", [path for path in TESTS if path.stem not in SLOW], ids=lambda path: path.stem)
@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_engines_agree(path: Path, model: str) -> None:
    test = load(path)
    fast, plain = (check(test, model=model, engine=engine, all_values=True) for engine in ("bitset", "networkx"))
    assert (fast.states, fast.flags, fast.consistent) == (plain.states, plain.flags, plain.consistent)


def test_loading_is_deterministic() -> None:
    for path in TESTS:
        assert load(path) == load(path)
