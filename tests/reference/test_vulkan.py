"""Vulkan tests with Dartagnan's answers: is the condition reachable, and is the test free of data races?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.typing import select
from enumerator.frontend import load
from enumerator.results.result import Result

VARIANTS = {"": {}, "-NOCHAINS": {"chains": "nochains"}}


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_answers(engine: str, corpora: Path) -> None:
    expected = json.loads((corpora / "vulkan" / "expected.json").read_text())
    assert expected
    wrong = {}
    for name, wanted in sorted(expected.items()):
        for question, answer in answers(corpora / "vulkan" / name, wanted, engine):
            if answer != wanted[question]:
                wrong[name, question] = answer
    assert wrong == {}


def answers(path: Path, wanted: dict[str, str], engine: str) -> Iterator[tuple[str, str]]:
    test = load(path)
    for suffix, options in VARIANTS.items():
        witness, free = f"witness_VULKAN{suffix}", f"VULKAN-DR{suffix}"
        if not wanted.keys() & {witness, free}:
            continue
        result = check(test, select("vulkan", (), options), engine=engine)
        assert result.status == "complete" and result.quantifier == quantifier(wanted["quantifier"])
        if witness in wanted:
            yield witness, str(int(reachable(result)))
        if free in wanted:
            yield free, str(int("race" not in result.flags))


def quantifier(given: str) -> str:
    return {"exists": "exists", "~exists": "never", "forall": "forall", "none": "forall"}[given]


def reachable(result: Result) -> bool:
    """A witness; of what is asked of all executions, a counterexample."""
    return bool(result.negative if result.quantifier == "forall" else result.positive)
