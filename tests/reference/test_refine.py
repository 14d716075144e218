"""What a change of a program may do: its outcomes, as plain sets, are covered by those of the program or are not."""

from __future__ import annotations

import re

import pytest

from enumerator.frontend import load_text
from tests.generated.engines import Answer, answer, covers
from tests.reference.answers import DATA, table, under

PAIRS = sorted(table("refine").items())


@pytest.mark.parametrize("block", range(4))
def test_refinement(block: int) -> None:
    assert len(PAIRS) == 268
    wrong = []
    for name, wanted in PAIRS[block::4]:
        model, profile, hb, _ = under(wanted["under"])
        source, target = (outcomes(f"{name}.{side}.ll", model, profile, hb) for side in ("source", "target"))
        if refines(source, target) != wanted["refines"]:
            wrong.append((name, wanted))
    assert wrong == []


def outcomes(file: str, model: str, profile: str, hb: str) -> Answer:
    text = (DATA / "refine" / file).read_text(encoding="utf-8")
    observed = re.search(r"^; OBSERVE: (.*)$", text, re.MULTILINE)
    assert observed is not None
    found = answer("bitset", load_text(text, file), tuple(observed[1].split()), model=model, profile=profile, hb=hb)
    assert found is not None
    return found


def refines(source: Answer, target: Answer) -> bool:
    """Each outcome of the target is covered by one of the source; undefined behaviour by undefined behaviour only."""
    if "ub" in target.flags and "ub" not in source.flags:
        return False
    return not covers(source, target)
