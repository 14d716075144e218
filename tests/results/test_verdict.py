"""From final states to verdicts."""

from __future__ import annotations

import pytest

from enumerator.program.condition import And, Condition, Equal, Formula, Literal, Name, Quantifier
from enumerator.program.test import Expectation
from enumerator.program.values import UNDEF, Value
from enumerator.results.verdict import Verdict, compare, decides, judge

A, B = Equal(Name("t:%a"), Literal(1)), Equal(Name("t:%b"), Literal(1))
YES, NO, MAYBE = (1,), (0,), (UNDEF,)


def verdict(quantifier: Quantifier, *states: tuple[Value, ...], complete: bool = True, **more: bool) -> Verdict:
    counts = dict.fromkeys(states, 2)
    return judge(Condition(quantifier, A, ""), ("t:%a",), ("t:%a",), counts, complete=complete, **more)


@pytest.mark.parametrize(
    ("states", "observation", "verdicts"),
    [
        # verdicts for exists, never, forall
        ((YES,), "Always", ("Ok", "No", "Ok")),
        ((NO,), "Never", ("No", "Ok", "No")),
        ((YES, NO), "Sometimes", ("Ok", "No", "No")),
        ((MAYBE,), "Sometimes", ("Ok", "No", "No")),
        ((MAYBE, YES), "Sometimes", ("Ok", "No", "No")),
        ((MAYBE, NO), "Sometimes", ("Ok", "No", "No")),
        ((), "Never", ("No", "Ok", "Ok")),
    ],
)
def test_complete(states: tuple[tuple[Value, ...], ...], observation: str, verdicts: tuple[str, ...]) -> None:
    for quantifier, expected in zip((Quantifier.EXISTS, Quantifier.NEVER, Quantifier.FORALL), verdicts, strict=True):
        found = verdict(quantifier, *states)
        assert (found.observation, found.verdict) == (observation, expected)


@pytest.mark.parametrize(
    ("states", "observation", "verdicts"),
    [
        ((YES,), "unknown", ("Ok", "No", "unknown")),
        ((NO,), "unknown", ("unknown", "unknown", "No")),
        ((YES, NO), "Sometimes", ("Ok", "No", "No")),
        ((MAYBE,), "Sometimes", ("Ok", "No", "No")),
        ((), "unknown", ("unknown", "unknown", "unknown")),
    ],
)
def test_a_limit_leaves_open_what_more_search_could_change(
    states: tuple[tuple[Value, ...], ...], observation: str, verdicts: tuple[str, ...]
) -> None:
    for quantifier, expected in zip((Quantifier.EXISTS, Quantifier.NEVER, Quantifier.FORALL), verdicts, strict=True):
        found = verdict(quantifier, *states, complete=False)
        assert (found.observation, found.verdict) == (observation, expected)


def test_counts() -> None:
    for quantifier, positive in ((Quantifier.EXISTS, 4), (Quantifier.NEVER, 4), (Quantifier.FORALL, 2)):
        found = verdict(quantifier, YES, NO, MAYBE)
        assert (found.positive, found.negative) == (positive, 6 - positive)
        assert [state.executions for state in found.states] == [2, 2, 2]
        assert [state.undetermined for state in found.states] == [False, False, True]


def test_undefined_behaviour_of_the_model() -> None:
    assert verdict(Quantifier.EXISTS, YES, undefined=True).verdict == "Undef"


def test_without_counts() -> None:
    found = verdict(Quantifier.EXISTS, YES, NO, counted=False)
    assert [state.executions for state in found.states] == [None, None]
    assert (found.positive, found.negative) == (1, 1)


def test_filter_removes_states_and_is_not_shown() -> None:
    condition = Condition(Quantifier.EXISTS, A, "", filter=B)
    counts = {(1, 0): 3, (0, 1): 5, (0, UNDEF): 7}
    found = judge(condition, ("t:%a", "t:%b"), ("t:%a",), counts)
    assert found.verdict == "No"
    assert [(dict(state.values), state.executions) for state in found.states] == [({"t:%a": 0}, 12)]
    assert not decides(condition, {"t:%a": 1, "t:%b": 0})
    assert decides(condition, {"t:%a": 1, "t:%b": 1})


def test_states_are_sorted_by_value() -> None:
    found = verdict(Quantifier.EXISTS, (10,), (UNDEF,), (-1,), (9,))
    assert [state.values["t:%a"] for state in found.states] == [-1, 9, 10, UNDEF]


@pytest.mark.parametrize(
    ("quantifier", "deciding"),
    [(Quantifier.EXISTS, (YES, MAYBE)), (Quantifier.NEVER, (YES, MAYBE)), (Quantifier.FORALL, (NO, MAYBE))],
)
def test_what_decides(quantifier: Quantifier, deciding: tuple[tuple[Value, ...], ...]) -> None:
    formula: Formula = And((A,))
    for state in (YES, NO, MAYBE):
        assert decides(Condition(quantifier, formula, ""), {"t:%a": state[0]}) == (state in deciding)


def expectation(text: str) -> Expectation:
    observation, *flags = text.split("+")
    return Expectation("llvm", None, (), observation, frozenset(flags))


@pytest.mark.parametrize(
    ("states", "flags", "expected", "complete", "first", "answer"),
    [
        ((YES, NO), "", "Sometimes", True, False, True),
        ((YES, NO), "race", "Sometimes", True, False, False),
        ((YES, NO), "", "Sometimes+race", True, False, False),
        ((YES, NO), "race", "Sometimes+race", True, False, True),
        ((NO,), "ub ub-undef", "Never+ub-undef", True, False, True),
        ((NO,), "ub ub-undef", "Never+ub-undef+ub", True, False, True),
        # a limit was reached
        ((YES, NO), "race", "Sometimes+race", False, False, None),
        ((YES,), "", "Never", False, False, False),
        ((NO,), "", "Never", False, False, None),
        ((NO,), "", "Always", False, False, False),
        ((NO,), "race", "Never", False, False, False),
        ((MAYBE,), "", "Always", False, False, False),
        # only the verdict was asked for
        ((YES,), "race", "Sometimes", False, True, True),
        ((YES,), "", "Always", False, True, True),
        ((YES,), "", "Never", False, True, False),
        ((NO,), "race", "Never", True, True, True),
        ((NO,), "", "Never", False, True, None),
    ],
)
def test_comparison(
    states: tuple[tuple[Value, ...], ...], flags: str, expected: str, complete: bool, first: bool, answer: bool | None
) -> None:
    found = verdict(Quantifier.EXISTS, *states, complete=complete)
    wanted = expectation(expected)
    assert compare(found, frozenset(flags.split()), wanted, Quantifier.EXISTS, complete=complete, first=first) is answer
