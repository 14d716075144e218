"""C tests with herd7's own answers under its C models: states, verdict, observation, counts of executions, flags.

Our models of the same names are held to them; herd's own files too, where ``HERDLIB`` names their folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from enumerator import check
from enumerator.cat.typing import select
from enumerator.frontend import load
from enumerator.report.text import format_run
from enumerator.results.result import Result
from tests.reference.answers import DATA, table

HERD = Path(os.environ.get("HERDLIB", "nowhere"))
FEW = 4
"""Executions of the tests that the reference engine checks, too."""


@pytest.mark.parametrize("model", ["rc11", "c11_partialSC", "c11_simp"])
@pytest.mark.parametrize("engine", ["bitset", "networkx"])
@pytest.mark.parametrize("whose", ["ours", "herd"])
def test_as_herd7_answers(model: str, engine: str, whose: str, corpora: Path) -> None:
    expected = json.loads((corpora / "c11" / "herd7.json").read_text())[f"{model}.cat"]
    compare(corpora / "c11", expected, model, engine, whose)


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
@pytest.mark.parametrize("whose", ["ours", "herd"])
def test_families_as_herd7_answers(engine: str, whose: str) -> None:
    expected = table("scaling", "herd7.json")
    assert len(expected) == 135
    compare(DATA / "scaling", expected, "rc11", engine, whose)


def compare(folder: Path, expected: dict[str, Any], model: str, engine: str, whose: str) -> None:
    if whose == "herd" and not (HERD / f"{model}.cat").exists():
        pytest.skip("HERDLIB does not name the folder of herd's cat files")
    selected = select(HERD / f"{model}.cat" if whose == "herd" else model)
    if engine == "networkx":
        expected = {name: each for name, each in expected.items() if each["positive"] + each["negative"] <= FEW}
    wrong = {}
    for name, wanted in sorted(expected.items()):
        found = answer(check(load(folder / name), model=selected, engine=engine))
        asked = answer_of_herd(wanted)
        if isinstance(asked["states"], dict):
            found["states"] = digest(found["states"])
        if found != asked:
            wrong[name] = (found, asked)
    assert expected and wrong == {}


def digest(states: list[str]) -> dict[str, Any]:
    """What stands for more states than one would read."""
    return {"number": len(states), "sha256": hashlib.sha256("\n".join(sorted(states)).encode()).hexdigest()}


def test_the_report_is_herd7s(corpora: Path) -> None:
    expected = json.loads((corpora / "c11" / "herd7.json").read_text())["rc11.cat"]
    for name, wanted in sorted(expected.items()):
        result = check(load(corpora / "c11" / name), model="rc11")
        counts = f"{wanted['positive']} Negative: {wanted['negative']}"
        lines = [
            f"Test {result.name} {wanted['kind']}",
            f"States {len(wanted['states'])}",
            *wanted["states"],  # in herd7's order
            wanted["verdict"],
            "Witnesses",
            f"Positive: {counts}",
            *(f"Flag {flag}" for flag in wanted.get("flags", ())),
            f"Condition {wanted['condition']}",
            f"Observation {result.name} {wanted['observation']} {wanted['positive']} {wanted['negative']}",
        ]
        assert format_run(result).splitlines()[: len(lines)] == lines


def answer(result: Result) -> dict[str, Any]:
    assert result.status == "complete"
    return {
        "states": sorted(map(str, result.states)),
        "verdict": result.verdict,
        "observation": result.observation,
        "positive": result.positive,
        "negative": result.negative,
        "flags": ["*undef*"] * bool(result.undefined_by) + sorted({*result.flags} - {*result.undefined_by}),
    }


def answer_of_herd(wanted: dict[str, Any]) -> dict[str, Any]:
    return {
        "states": wanted["states"] if isinstance(wanted["states"], dict) else sorted(wanted["states"]),
        **{name: wanted[name] for name in ("verdict", "observation", "positive", "negative")},
        "flags": wanted.get("flags", []),
    }


@pytest.mark.parametrize("name", ["TSan.litmus", "imm-E3.5.litmus"])
def test_what_herd7_does_not_read_loads(name: str, corpora: Path) -> None:
    """Loops, and an array that is indexed: herd7 has no answer for these."""
    if not (corpora / "c11" / name).exists():
        pytest.skip(f"no {name}")
    assert load(corpora / "c11" / name).format == "c"
