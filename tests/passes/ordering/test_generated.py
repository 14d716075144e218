"""The passes on generated functions, against a dataflow machine in plain Python."""

from __future__ import annotations

import networkx as nx
import pytest

from enumerator.passes.ordering import Ordered, SoundnessVerdict, check_soundness, order
from tests.passes.ordering.functions import generate
from tests.passes.ordering.machine import in_program_order, outcomes

SEEDS = range(60)


def closed(ordered: Ordered) -> set[tuple[int, int]]:
    """The pairs of operations that are ordered, directly or through others."""
    graph = nx.DiGraph((before, after) for _, before, after in ordered.edges)
    return set(nx.transitive_closure(graph, reflexive=False).edges)


@pytest.mark.parametrize("mode", ["linear", "alias"])
def test_linear_and_alias_are_sound(mode: str) -> None:
    wrong = []
    for seed in SEEDS:
        text = order(generate(seed), "f.ll", mode).text
        if outcomes(text) != in_program_order(text):
            wrong.append(seed)
    assert wrong == []


def test_alias_orders_no_pair_that_linear_does_not() -> None:
    for seed in SEEDS:
        text = generate(seed, 9)
        assert closed(order(text, "f.ll", "alias")) <= closed(order(text, "f.ll", "linear")), seed


def test_alias_orders_only_operations_that_conflict() -> None:
    for seed in SEEDS:
        ordered = order(generate(seed, 9), "f.ll", "alias")
        texts = {each.number: each.text for each in ordered.operations}
        for _, before, after in ordered.edges:
            plain = "load" in texts[before] and "load" in texts[after]
            assert not plain and "prefetch" not in texts[before], (seed, texts[before], texts[after])


@pytest.mark.parametrize("mode", ["linear", "race", "alias"])
def test_the_check_agrees_with_the_machine(mode: str) -> None:
    different = 0
    for seed in SEEDS[:: 1 if mode == "race" else 4]:
        ordered = order(generate(seed, 5), "f.ll", mode)
        found = check_soundness(ordered.text, "f.ll", initial="given")
        expected = outcomes(ordered.text)
        sound = expected <= in_program_order(ordered.text)
        assert found.verdict is (SoundnessVerdict.SOUND if sound else SoundnessVerdict.UNSOUND), seed
        assert found.outcomes == len(expected), seed
        assert sound or (found.counterexample is not None and found.counterexample.steps), seed
        different += not sound
    assert (different > len(SEEDS) // 5) is (mode == "race")
