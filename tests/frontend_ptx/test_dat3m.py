"""The verdicts that Dat3M publishes for its own tests; asked where ``DAT3M`` names a checkout of it."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.program.condition import Quantifier

ROOT = Path(os.environ.get("DAT3M", ""))
RESULTS = ROOT / "dartagnan" / "src" / "test" / "resources"

pytestmark = pytest.mark.skipif("DAT3M" not in os.environ, reason="DAT3M names no checkout of Dat3M")

RACES = {"race", "unsequenced-race", "data_race", "unsequenced_race"}
PARTIAL = {"Cause-base-weak", "Co-Total-3-threads-scope-same", "Co-Total-4-threads"}
"""Where Dartagnan's coherence order is partial, and that of a file of Dat3M's is total here."""


def rows(name: str) -> list[tuple[str, bool]]:
    with open(RESULTS / f"{name}-expected.csv", encoding="utf-8") as stream:
        return [(row[0], row[1] == "1") for row in csv.reader(stream) if row]


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("PTXv6_0", "ptx-6.0"),
        ("PTXv7_5", "ptx-7.5"),
        ("OPENCL", "opencl"),
        ("PTXv6_0", "cat/ptx-v6.0.cat"),
        ("PTXv7_5", "cat/ptx-v7.5.cat"),
        ("OPENCL", "cat/opencl.cat"),
    ],
)
def test_conditions(name: str, model: str) -> None:
    for path, holds in rows(name):
        if model.startswith("cat/ptx") and Path(path).stem in PARTIAL:
            continue
        found = check(load(ROOT / path), str(ROOT / model) if "/" in model else model)
        reached = found.observation != "Never"
        # A loop of weak loads is no loop that waits: it is cut, but a witness that was found stays found.
        assert found.status == "complete" or (reached and Path(path).stem == "XF-Barrier-weak")
        answers = {
            Quantifier.EXISTS: reached,
            Quantifier.NEVER: not reached,
            Quantifier.FORALL: found.observation == "Always",
        }
        assert answers[load(ROOT / path).condition.quantifier] == holds, path


@pytest.mark.parametrize("model", ["opencl", "cat/opencl.cat"])
def test_races(model: str) -> None:
    for path, free in rows("OPENCL-DR"):
        found = check(load(ROOT / path), str(ROOT / model) if "/" in model else model)
        assert found.status == "complete"
        assert RACES.isdisjoint(found.flags) == free, path


@pytest.mark.parametrize(("name", "model"), [("PTXv6_0-Liveness", "ptx-6.0"), ("PTXv7_5-Liveness", "ptx-7.5")])
def test_termination(name: str, model: str) -> None:
    """Loops that are cut leave some of them undecided: those of weak loads, and those that read twice in a round."""
    undecided = 0
    for path, ends in rows(name):
        found = check(load(ROOT / path), model)
        may_hang = not {"stuck", "ub-barrier"}.isdisjoint(found.flags)
        if found.status != "complete" and not may_hang:
            undecided += 1
            continue
        assert may_hang != ends, path
    assert undecided <= 9
