"""Conditions over tables of states, and states made as they are looked at, beside their plain twins."""

from __future__ import annotations

import json
import pickle
from io import StringIO
from random import Random

import numpy as np
import pytest

from enumerator.conditions import evaluate
from enumerator.program.condition import (
    And,
    Condition,
    Equal,
    Formula,
    Literal,
    Name,
    Not,
    Or,
    Quantifier,
    TrueFormula,
)
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Value
from enumerator.report.structured import write_json, write_jsonl
from enumerator.report.text import format_run
from enumerator.results.result import Result, State
from enumerator.results.states import States
from enumerator.results.table import StateTable
from enumerator.results.truth import truth
from enumerator.results.verdict import judge

VALUES: tuple[Value, ...] = (
    *(0, 1, -1, UNDEF, NULL, Pointer("@x", 4), (1, UNDEF), (1, 2)),
    *(Term("fadd", (1, 2)), Term("1.0e+00")),
)
NAMES = ("t0:%a", "t0:%b", '@"ä x"')


def random_formula(random: Random, depth: int) -> Formula:
    if depth == 0 or random.random() < 0.2:
        if random.random() < 0.1:
            return TrueFormula()
        right = Name(random.choice(NAMES)) if random.random() < 0.3 else Literal(random.choice(VALUES))
        return Equal(Name(random.choice(NAMES)), right)
    kind = random.randrange(3)
    if kind == 0:
        return Not(random_formula(random, depth - 1))
    parts = tuple(random_formula(random, depth - 1) for _ in range(random.randrange(1, 4)))
    return And(parts) if kind == 1 else Or(parts)


def random_states(random: Random) -> dict[tuple[Value, ...], int]:
    return {tuple(random.choices(VALUES, k=len(NAMES))): random.randrange(9) for _ in range(random.randrange(60))}


def test_truth_of_many_states_is_that_of_each() -> None:
    for seed in range(300):
        random = Random(seed)
        formula, table = random_formula(random, 4), StateTable.of(random_states(random), len(NAMES))
        may, must = truth(formula, NAMES, table)
        each = [evaluate(formula, dict(zip(NAMES, state, strict=True)).__getitem__) for state in table]
        assert may.tolist() == [answer is not False for answer in each], seed
        assert must.tolist() == [answer is True for answer in each], seed


@pytest.mark.parametrize("quantifier", list(Quantifier))
def test_verdicts_of_many_states_follow_from_each(quantifier: Quantifier) -> None:
    for seed in range(100):
        random = Random(seed)
        filtered = random_formula(random, 2) if random.random() < 0.5 else None
        condition = Condition(quantifier, random_formula(random, 2), "", filtered)
        plain = random_states(random)
        found = judge(condition, NAMES, NAMES, plain)
        kept = []
        for state, count in plain.items():
            lookup = dict(zip(NAMES, state, strict=True)).__getitem__
            if filtered is None or evaluate(filtered, lookup) is not False:
                holds = evaluate(condition.formula, lookup)
                witness = bool(holds) if quantifier is Quantifier.FORALL else holds is not False
                kept.append((state, count, witness, holds is None))
        assert {tuple(state.values.values()): state for state in found.states} == {
            state: State(dict(zip(NAMES, state, strict=True)), count, witness, undetermined)
            for state, count, witness, undetermined in kept
        }
        assert found.positive == sum(count for _, count, witness, _ in kept if witness)
        assert found.negative == sum(count for _, count, witness, _ in kept if not witness)


def some_states(seed: int, counted: bool = True) -> States:
    random = Random(seed)
    condition = Condition(Quantifier.EXISTS, random_formula(random, 2), "")
    return judge(condition, NAMES, NAMES, random_states(random) | {(0, 0, 0): 1}, counted=counted).states


def test_states_are_as_their_tuple() -> None:
    for seed in range(20):
        states = some_states(seed)
        plain = tuple(states)
        assert states == plain and plain == states and len(states) == len(plain)
        assert states != plain[1:] and states != list(plain) and states == states[:]
        assert [states[place] for place in range(len(plain))] == list(plain)
        assert states[-1] == plain[-1] and states[1:3] == plain[1:3] and states[::-1] == plain[::-1]
        assert plain[0] in states and states.index(plain[-1]) == len(plain) - 1
        assert list(reversed(states)) == list(reversed(plain)) and repr(states) == repr(plain)
        assert pickle.loads(pickle.dumps(states)) == plain
        with pytest.raises(IndexError):
            states[len(plain)]
        with pytest.raises(TypeError):
            hash(states)
        assert Result("a", "a.ll", states=states) == Result("a", "a.ll", states=plain)


@pytest.mark.parametrize("counted", [True, False])
def test_reports_of_many_states_are_those_of_their_tuple(counted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enumerator.results.states._BLOCK", 7)
    monkeypatch.setattr("enumerator.results.states._MOST_COMBINED", 40)
    for seed in range(20):
        states = some_states(seed, counted)
        lazy, plain = Result("a", "a.ll", states=states), Result("a", "a.ll", states=tuple(states))
        assert format_run(lazy) == format_run(plain)
        stream, lines = StringIO(), StringIO()
        write_json([lazy, plain], stream)
        write_jsonl([lazy], lines)
        assert stream.getvalue() == "[\n" + ",\n".join([json.dumps(plain.as_json())] * 2) + "\n]\n"
        assert lines.getvalue() == json.dumps(plain.as_json()) + "\n"


def test_states_without_names() -> None:
    states = judge(Condition(Quantifier.EXISTS, TrueFormula(), "true"), (), (), {(): 4}).states
    assert states == (State({}, 4, True),) and list(states.written(str, " ")) == [[""]]
    none = States((), (), np.zeros((0, 0), dtype=np.uint8), None, np.zeros(0, dtype=bool), np.zeros(0, dtype=bool))
    assert none == () and list(none.written(str, " ")) == [] and not none.rests_on_undef
