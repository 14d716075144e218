"""C tests with herd7's own answers under its ``rc11.cat``: states, verdict, observation and counts of executions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from enumerator import check
from enumerator.frontend import load
from enumerator.result import Result


@pytest.mark.parametrize("folder", ["c11", "scaling"])
def test_rc11(folder: str, corpora: Path) -> None:
    expected = json.loads((corpora / folder / "herd7.json").read_text())["rc11.cat"]
    wrong = {}
    for name, wanted in sorted(expected.items()):
        found = answer(check(load(corpora / folder / name), model="rc11"))
        if found != answer_of_herd(wanted):
            wrong[name] = (found, answer_of_herd(wanted))
    assert expected and wrong == {}


def answer(result: Result) -> dict[str, Any]:
    assert result.status == "complete"
    return {
        "states": sorted(map(str, result.states)),
        "verdict": result.verdict,
        "observation": result.observation,
        "positive": result.positive,
        "negative": result.negative,
        "undefined": bool(result.flags),
    }


def answer_of_herd(wanted: dict[str, Any]) -> dict[str, Any]:
    return {
        "states": sorted(wanted["states"]),
        **{name: wanted[name] for name in ("verdict", "observation", "positive", "negative")},
        "undefined": "*undef*" in wanted.get("flags", []),
    }


@pytest.mark.parametrize("name", ["TSan.litmus", "imm-E3.5.litmus"])
def test_what_herd7_does_not_read_loads(name: str, corpora: Path) -> None:
    """Loops, and an array that is indexed: herd7 has no answer for these."""
    if not (corpora / "c11" / name).exists():
        pytest.skip(f"no {name}")
    assert load(corpora / "c11" / name).format == "c"
