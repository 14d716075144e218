"""Barrier objects on generated programs: the engines against the literal rule, and the plain rule as a part of it."""

from __future__ import annotations

import pytest

from enumerator.frontend import load_text
from enumerator.unfold import unfolder
from tests.generated.engines import ENGINES, Answer, answer
from tests.generated.objects import PLAIN, RICH, random_objects
from tests.generated.programs import Program, random_program
from tests.generated.test_agreement import EXAMPLES, FIRST_SEED, MOST_CANDIDATES, UNROLL
from tests.literal import all_names, enumerate_literally

ONLY_WORKGROUPS = frozenset({"barriers", "scopes", "fences", "branches"})


def what_counts(found: Answer | None) -> tuple[object, ...]:
    """What engines must agree on; where something is undefined, they may stop earlier or later."""
    assert found is not None
    if "ub" in found.flags:
        return found.states, found.flags
    return found.states, found.flags, found.consistent, found.cut


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("features", [PLAIN, RICH], ids=["plain", "rich"])
def test_objects(features: frozenset[str], model: str) -> None:
    defined = 0
    for seed in range(FIRST_SEED, FIRST_SEED + EXAMPLES):
        program = random_objects(features, seed)
        test = load_text(program.text, "generated.ll")
        names = all_names(test, UNROLL)
        expected = answer("literal", test, names, model=model, unroll=UNROLL)
        assert expected is not None
        defined += "ub" not in expected.flags
        for engine in ENGINES[1:] if seed % 4 == 0 else ("bitset",):
            most = MOST_CANDIDATES if engine == "networkx" else None
            found = answer(engine, test, names, model=model, unroll=UNROLL, most=most)
            if found is not None:
                assert what_counts(found) == what_counts(expected), f"{engine}, {model}\n{program.text}"
    assert defined >= EXAMPLES // 4, "most programs are undefined"


def test_the_plain_rule_of_the_literal_enumerator() -> None:
    """Where threads only use the workgroup's barrier, counting arrivals and waits is the rule on objects."""
    for program in plain_programs():
        test = load_text(program.text, "generated.ll")
        names = all_names(test, UNROLL)
        by_number, by_rule = (
            enumerate_literally(test, names=names, unroll=UNROLL, objects=objects) for objects in (False, True)
        )
        assert by_number.states == by_rule.states, program.text
        if "ub" in by_number.flags | by_rule.flags:
            assert "ub" in by_number.flags & by_rule.flags, program.text
        else:
            assert by_number == by_rule, program.text


def test_the_plain_rule_of_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for program in plain_programs():
        test = load_text(program.text, "generated.ll")
        names = all_names(test, UNROLL)
        by_number = answer("bitset", test, names, unroll=UNROLL)
        with monkeypatch.context() as patch:
            patch.setattr(unfolder, "uses_objects", lambda _: True)
            by_rule = answer("bitset", load_text(program.text, "generated.ll"), names, unroll=UNROLL)
        assert by_number is not None and by_rule is not None
        assert by_number.states == by_rule.states, program.text
        if "ub" in by_number.flags | by_rule.flags:
            assert "ub" in by_number.flags & by_rule.flags, program.text
        else:
            assert by_number == by_rule, program.text


def plain_programs() -> list[Program]:
    return [random_program(ONLY_WORKGROUPS, seed, 3, 3) for seed in range(FIRST_SEED, FIRST_SEED + EXAMPLES)]
