"""Generated PTX tests: both engines agree, and what the models promise of one another and of stronger programs."""

from __future__ import annotations

import re

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.results.result import Result
from tests.generated.amounts import examples
from tests.generated.ptx import random_ptx

MODELS = ("ptx-6.0", "ptx-7.5")
PROGRAMS = examples(14)
MOST_CANDIDATES = 100
"""The reference engine gives up beyond."""


def outcomes(result: Result) -> set[str]:
    return {str(sorted(state.values.items())) for state in result.states}


@pytest.mark.parametrize("model", MODELS)
def test_engines_agree(model: str) -> None:
    compared = 0
    for seed in range(PROGRAMS):
        test = load_text(random_ptx(seed), "generated.litmus")
        plain = check(test, model, engine="networkx", all_values=True, max_executions=MOST_CANDIDATES)
        if plain.status != "complete":
            continue
        fast = check(test, model, all_values=True)
        assert (fast.states, fast.flags, fast.consistent) == (plain.states, plain.flags, plain.consistent), test.source
        compared += 1
    assert compared > PROGRAMS * 10 // 24


def test_programs_without_proxies_mean_the_same_in_both_versions() -> None:
    """But for reductions, whose read is none that a pattern of 7.5 acquires by."""
    compared = 0
    for seed in range(200, 230):
        text = random_ptx(seed, proxies=False)
        if "red." in text:
            continue
        test = load_text(text, "generated.litmus")
        older, newer = (check(test, model, all_values=True, max_executions=5_000) for model in MODELS)
        if older.status == newer.status == "complete":
            assert outcomes(older) == outcomes(newer), text
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("model", MODELS)
def test_a_larger_scope_adds_no_outcome(model: str) -> None:
    compared = 0
    for seed in range(300, 325):
        text = random_ptx(seed)
        wider = re.sub(r"\.(cta|gpu)(?=[. ])(?<!bar\.cta)", ".sys", text)
        if wider == text:
            continue
        narrow, wide = (
            check(load_text(each, "generated.litmus"), model, all_values=True, max_executions=5_000)
            for each in (text, wider)
        )
        if narrow.status == wide.status == "complete":
            assert outcomes(wide) <= outcomes(narrow), text
            compared += 1
    assert compared > 8


def test_generated_tests_are_well_formed() -> None:
    for seed in range(300):
        try:
            load_text(random_ptx(seed), "generated.litmus")
        except InputError as error:
            raise AssertionError(random_ptx(seed)) from error
