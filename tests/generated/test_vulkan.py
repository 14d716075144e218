"""Generated Vulkan tests: both engines agree, and with the specification word by word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.reference.base import combine_paths
from enumerator.reference.enumerate import enumerate_test
from enumerator.request import Request
from enumerator.unfold import unfold
from tests.frontend_vulkan.source import model
from tests.generated.amounts import examples
from tests.generated.vulkan import random_vulkan
from tests.literal.vulkan import judge

VARIANTS = ((), ("nochains",))
PROGRAMS = examples(8)
MOST_CANDIDATES = 50
"""The reference engine gives up beyond."""
MOST_RECORDED = 30
"""Of a program, so many executions are compared with the specification."""


@pytest.mark.parametrize("variants", VARIANTS, ids=str)
def test_engines_agree(variants: tuple[str, ...]) -> None:
    compared = 0
    for seed in range(PROGRAMS):
        test = load_text(random_vulkan(seed), "generated.litmus")
        plain = check(test, model(variants), engine="networkx", all_values=True, max_executions=MOST_CANDIDATES)
        if plain.status != "complete":
            continue
        fast = check(test, model(variants), all_values=True)
        assert (fast.states, fast.flags, fast.consistent) == (plain.states, plain.flags, plain.consistent), test.source
        compared += 1
    assert compared > PROGRAMS // 2


@pytest.mark.parametrize("variants", VARIANTS, ids=str)
def test_the_model_is_what_the_specification_says(variants: tuple[str, ...]) -> None:
    decided = [0, 0, 0]
    for seed in range(1000, 1000 + examples(16)):
        for test_decided, count in zip(disagreements(seed, variants), range(3), strict=True):
            decided[count] += test_decided
    assert min(decided) > 3  # forbidden, consistent with a race, and without


def disagreements(seed: int, variants: tuple[str, ...]) -> tuple[int, int, int]:
    test = load_text(random_vulkan(seed), "generated.litmus")
    profile = load_profile("generic")
    request = Request(
        test, model(variants), profile, (), record=MOST_RECORDED, forbidden=True, max_executions=MOST_RECORDED
    )
    racy = {
        (each.paths, each.reads_from, each.orders)
        for each in enumerate_test(replace(request, model=model((*variants, "racy")))).executions
        if each.consistent
    }
    unfolded = unfold(test, undef=False)
    counts = [0, 0, 0]
    for candidate in enumerate_test(request).executions:
        combination = combine_paths(unfolded, candidate.paths, profile)
        consistent, races = judge(combination, candidate, chains=not variants)
        key = (candidate.paths, candidate.reads_from, candidate.orders)
        assert candidate.consistent == consistent, (test.source, key)
        if consistent:
            assert (key in racy) == races, (test.source, key)
        counts[0 if not consistent else 1 if races else 2] += 1
    return counts[0], counts[1], counts[2]


def test_generated_tests_are_well_formed() -> None:
    for seed in range(300):
        try:
            load_text(random_vulkan(seed), "generated.litmus")
        except InputError as error:
            raise AssertionError(random_vulkan(seed)) from error
