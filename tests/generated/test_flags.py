"""Flags as atoms of conditions: states tell which executions raise them, the same by every engine and search."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from enumerator.api import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from tests.generated.amounts import examples
from tests.generated.programs import random_program

ASKED = "race \\/ assert \\/ ub-undef \\/ ub"

FEATURES = {
    "plain": {"fences"},
    "undef": {"undef", "branches", "dependencies"},
    "updates": {"rmw", "cmpxchg", "loops"},
    "barriers": {"barriers", "scopes", "fences", "branches"},
}


def with_assertions(text: str) -> str:
    """Let threads fail an assertion at their end, where what they have read at first is 1."""

    def ending(match: re.Match[str]) -> str:
        first_block = match[0].partition("\n  br ")[0]
        loaded = re.findall(r"(%\w+) = load .*?i32", first_block)
        if not loaded:
            return match[0]
        return match[0].removesuffix("  ret void\n}") + (
            f"  %bad = icmp eq i32 {loaded[-1]}, 1\n  br i1 %bad, label %fail, label %fine\n"
            "fail:\n  call void @llvm.trap()\n  unreachable\nfine:\n  ret void\n}"
        )

    text = re.sub(r"define void @t\d.*?\n  ret void\n}", ending, text, flags=re.DOTALL)
    return text + "declare void @llvm.trap()\n"


def generated(features: set[str], seed: int, condition: str) -> Test:
    text = with_assertions(random_program(frozenset(features), seed, 3, 3).text)
    return load_text(text.replace("; EXISTS: true", f"; EXISTS: {condition}"), f"generated-{seed}.ll")


def found(result: Result) -> tuple[Any, ...]:
    states = Counter({str(sorted(state.values.items())): state.executions for state in result.states})
    return states, result.flags, result.positive, result.negative, result.cut


@pytest.mark.parametrize("model", ["llvm", "rc11", "sc"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_engines_agree_on_which_executions_raise_flags(features: str, model: str) -> None:
    plain = raised = 0
    for seed in range(examples(8)):
        test = generated(FEATURES[features], seed, ASKED)
        options: dict[str, Any] = {"model": model, "unroll": 1, "all_values": True}
        fast = check(test, engine="bitset", **options)
        assert fast.status in ("complete", "limit")
        for state in fast.states:
            assert state.values["ub"] >= state.values["ub-undef"]
        for flag in ("race", "assert", "ub-undef", "ub"):
            some = any(state.values[flag] for state in fast.states)
            raised += some
            assert some or flag not in fast.flags or fast.cut, (seed, flag)
        alone = check(test, engine="bitset", outcomes_only=True, **options)
        assert {str(sorted(s.values.items())) for s in alone.states} == set(found(fast)[0]), seed
        assert alone.flags == fast.flags
        if plain < 5 and (fast.explored or 0) < 200:
            slow = check(test, engine="networkx", timeout=10, **options)
            if slow.status != "timeout":
                assert found(slow) == found(fast), seed
                plain += 1
    assert plain >= 4, "the reference engine was given too little time to compare anything"
    assert raised >= 4, "the programs raise too few flags to tell anything"


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_asking_for_flags_changes_nothing_else(features: str) -> None:
    """Without flags in the condition, an execution that ends early has no state; flags are the same."""
    for seed in range(12):
        options: dict[str, Any] = {"model": "llvm", "unroll": 1, "all_values": True, "engine": "bitset"}
        asked = check(generated(FEATURES[features], seed, ASKED), **options)
        plain = check(generated(FEATURES[features], seed, "true"), **options)
        expected: Counter[str] = Counter()
        for state in asked.states:
            values = dict(state.values)
            flags = [values.pop(name) for name in ("race", "assert", "ub-undef", "ub")]
            if not any(flags[1:]):
                assert state.executions is not None
                expected[str(sorted(values.items()))] += state.executions
        assert found(plain)[0] == expected, seed
        assert (plain.flags, plain.cut, plain.consistent) == (asked.flags, asked.cut, asked.consistent)
