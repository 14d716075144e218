"""Soundness of ordering: every outcome under tokens is an outcome in program order (semantics, section 6).

The tokens are those of a pass, or given. Outcomes under tokens are those of the model ``csa``, whose final state is
what memory holds when ``ret`` runs; those in program order are of ``sc``, on the same program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from enumerator.clock import time_limit
from enumerator.engines import search
from enumerator.errors import InputError, LimitReached, message_of
from enumerator.frontend.llvm.tokens import decode_name
from enumerator.frozen import dataclass
from enumerator.options import DEFAULT, Options
from enumerator.passes.ordering.initial import Initial, with_distinct_values
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.flags import is_undefined_behaviour
from enumerator.program.values import Undef, Value, format_value, json_value

if TYPE_CHECKING:
    from enumerator.program.test import Test
    from enumerator.results.result import Result

__all__ = ["Counterexample", "Difference", "Soundness", "SoundnessVerdict", "check_soundness"]

_TOKENS, _PROGRAM_ORDER = "csa", "sc"

_EVERYTHING = Condition(Quantifier.EXISTS, TrueFormula(), "true")

_MOST_RECORDED = 4096
"""Executions that may be kept while the one that shows an outcome is looked for."""

_FEW_EXECUTIONS = 20_000
"""That many are enumerated before the search is only for one outcome that program order does not have."""

_MOST_COMPARED = 1024
"""New outcomes among which the one nearest to program order is looked for."""

_WITNESS_SECONDS = 30.0
"""To find an execution that ends in an outcome."""


class SoundnessVerdict(StrEnum):
    """What the check found."""

    SOUND = "sound"
    UNSOUND = "unsound"
    UNKNOWN = "unknown"  # a limit was reached


@dataclass(frozen=True)
class Difference:
    """A register or location whose final value differs.

    Parameters
    ----------
    name : str
    value : Value
        Under tokens.
    expected : Value
        In the outcome in program order that is nearest.
    """

    name: str
    value: Value
    expected: Value

    def __str__(self) -> str:
        return f"{self.name} = {format_value(self.value)}, in program order {format_value(self.expected)}"


@dataclass(frozen=True)
class Counterexample:
    """An outcome under tokens that program order does not have.

    Parameters
    ----------
    outcome : mapping of str to Value
        Empty if only flags are what program order does not have.
    differences : tuple of Difference
        From the nearest outcome in program order.
    steps : tuple of str
        What ran, in an order that the tokens allow and that ends in the outcome. Empty if a limit kept it from being
        found.
    flags : frozenset of str
        Flags of undefined behaviour and failed assertions that program order does not raise.
    """

    outcome: Mapping[str, Value]
    differences: tuple[Difference, ...]
    steps: tuple[str, ...]
    flags: frozenset[str] = frozenset()

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return {
            "outcome": {name: json_value(value) for name, value in self.outcome.items()},
            "differences": [
                {"name": each.name, "value": json_value(each.value), "program_order": json_value(each.expected)}
                for each in self.differences
            ],
            "steps": list(self.steps),
            "flags": sorted(self.flags),
        }


@dataclass(frozen=True)
class Soundness:
    """The answer of the check.

    Parameters
    ----------
    verdict : SoundnessVerdict
    outcomes : int or None
        Distinct final states under tokens, over all registers and locations; None where not all were found.
    in_program_order : int or None
    counterexample : Counterexample or None
    notes : tuple of str
    initial : Initial
        What memory held at the start. What is sound from distinct values is so from the given ones, too.
    """

    verdict: SoundnessVerdict
    outcomes: int | None
    in_program_order: int | None
    counterexample: Counterexample | None = None
    notes: tuple[str, ...] = ()
    initial: Initial = Initial.DISTINCT

    @property
    def exit_code(self) -> int:
        """0 sound, 1 not, 3 unknown."""
        return {SoundnessVerdict.SOUND: 0, SoundnessVerdict.UNSOUND: 1, SoundnessVerdict.UNKNOWN: 3}[self.verdict]

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return {
            "verdict": self.verdict.value,
            "outcomes": self.outcomes,
            "outcomes_in_program_order": self.in_program_order,
            "initial": self.initial.value,
            "counterexample": None if self.counterexample is None else self.counterexample.as_json(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Describe it in words."""
        counts = f"{_count(self.outcomes)} under tokens, {_count(self.in_program_order)} in program order"
        found = [f"{self.verdict}: {counts}"]
        example = self.counterexample
        if example is not None:
            if example.flags:
                found.append(f"  only under tokens: {', '.join(sorted(example.flags))}")
            found.extend(f"  {each}" for each in example.differences)
            if example.steps:
                found.append("  when the operations run in this order:")
                found.extend(f"    {number}. {step}" for number, step in enumerate(example.steps, 1))
            elif example.outcome:
                found.append("  (no execution was found within the limits)")
        which = "as given"
        if self.initial is Initial.DISTINCT:
            which = "another one in each cell" + ", and as given" * (self.verdict is SoundnessVerdict.SOUND)
        return [*found, f"  initial values: {which}", *(f"  {note}" for note in self.notes)]


def check_soundness(
    text: str,
    path: str,
    *,
    positions: Mapping[int, int | None] | None = None,
    function: str | None = None,
    initial: str = "distinct",
    options: Options = DEFAULT,
) -> Soundness:
    """Compare the outcomes of a program with tokens with those in program order.

    Parameters
    ----------
    text : str
        LLVM IR with tokens, as a native test: its functions are threads, or ``THREADS:`` says what they are.
    path : str
        For error messages.
    positions : mapping of int to (int or None), optional
        The line of the original program for lines of `text`, for the counterexample.
    function : str, optional
        Look at this function only, and what it calls.
    initial : {'distinct', 'given'}
        Whether each cell of memory holds a value of its own at the start, or what the text says: many a wrong order
        does not show where all memory holds zeros. With ``distinct``, what is sound is also checked from the given
        values.
    options : Options
        How the enumerations are made, which have the time limit together; models and states are those of the
        comparison.

    Returns
    -------
    Soundness

    Raises
    ------
    InputError
        If the text is no test, its tokens are not paired, or a thread reaches what is not covered.

    See Also
    --------
    enumerator.passes.ordering.order : Gives a program tokens.
    """
    from enumerator.frontend.llvm import load_text

    try:
        name = decode_name(function) if function is not None and function.startswith("@") else function
        with time_limit(options.timeout):
            # What the test asks of its outcomes is beside the point.
            given = replace(load_text(text, path, name), condition=_EVERYTHING)
            if Initial(initial) is Initial.GIVEN:
                return replace(_compare(given, positions or {}, options), initial=Initial.GIVEN)
            return _compare_from_both(given, positions or {}, options)
    except LimitReached as limit:
        return Soundness(SoundnessVerdict.UNKNOWN, None, None, notes=(message_of(limit),), initial=Initial(initial))
    except InputError as error:
        if positions is not None and error.line is not None and error.path == path:
            error.line, error.column = positions.get(error.line), None
        raise


def _compare_from_both(given: Test, positions: Mapping[int, int | None], options: Options) -> Soundness:
    """Compare outcomes from distinct initial values, and if that shows nothing, also from those that are given.

    What a program reads may decide which way it goes, so either comparison may reach code that the other does not.
    """
    test, kept = with_distinct_values(given)
    found = _compare(test, positions, options)
    if found.verdict is SoundnessVerdict.UNSOUND:
        return found
    other = replace(_compare(given, positions, options), initial=Initial.GIVEN)
    if other.verdict is SoundnessVerdict.UNSOUND:
        return other
    if found.verdict is SoundnessVerdict.SOUND and found.outcomes is None:
        note = "from another value in each cell, behaviour is undefined in program order"
        return replace(other, notes=(note, *other.notes))
    if found.verdict is SoundnessVerdict.SOUND and other.verdict is SoundnessVerdict.UNKNOWN:
        return other
    if kept:
        found = replace(found, notes=(*found.notes, f"too many cells, which hold what is given: {', '.join(kept)}"))
    return found


def _compare(test: Test, positions: Mapping[int, int | None], options: Options) -> Soundness:
    """Compare outcomes from the initial values of a test; sound without a number of outcomes: all are allowed."""
    from enumerator.api import check

    options = replace(options, all_values=True, outcomes_only=True)
    plain = check(test, _PROGRAM_ORDER, options=options)
    allowed = [dict(state.values) for state in plain.states]
    undefined = _undefined(plain)
    if undefined:
        note = f"in program order, behaviour is undefined ({', '.join(sorted(undefined))}), which allows every outcome"
        return Soundness(SoundnessVerdict.SOUND, None, len(allowed), notes=(note,))
    most = options.max_executions
    few = _FEW_EXECUTIONS if most is None else min(most, _FEW_EXECUTIONS)
    tokens = check(test, _TOKENS, options=options, max_executions=few, engine="bitset")
    states = [dict(state.values) for state in tokens.states]
    status, limit = tokens.status, _limit(tokens)
    new = [values for values in states if not _is_allowed(values, allowed)]
    if status == "limit" and not new and not tokens.cut and few != most:
        assert tokens.question is not None
        request = replace(tokens.question.request, max_executions=most)
        names = request.names
        found = search(
            replace(request, decided=lambda values: not _is_allowed(dict(zip(names, values, strict=True)), allowed))
        )
        states = [dict(zip(names, values, strict=True)) for values in found.states]
        new = [values for values in states if not _is_allowed(values, allowed)]
        status = "limit" if found.cut or found.stopped else found.status
        limit = f"the search is not complete ({status})"
    flags = _undefined(tokens) | frozenset({"assert"} & set(tokens.flags) - set(plain.flags))
    counted = len(states) if status == "complete" else None
    if (new or flags) and plain.status == "complete":
        example = _counterexample(test, tokens, new, allowed, flags, positions, options.timeout)
        return Soundness(SoundnessVerdict.UNSOUND, counted, len(allowed), counterexample=example)
    notes = [f"{_PROGRAM_ORDER}: {_limit(plain)}"] if plain.status != "complete" else []
    notes += [f"{_TOKENS}: {limit}"] if status != "complete" else []
    verdict = SoundnessVerdict.UNKNOWN if notes else SoundnessVerdict.SOUND
    return Soundness(verdict, counted, len(allowed), notes=tuple(notes))


def _undefined(result: Result) -> frozenset[str]:
    return frozenset(filter(is_undefined_behaviour, result.flags))


def _limit(result: Result) -> str:
    cut = [note for note in result.notes if "cut at" in note]
    return cut[0] if cut else f"the search is not complete ({result.status})"


def _is_allowed(values: Mapping[str, Value], allowed: Sequence[Mapping[str, Value]]) -> bool:
    """Tell whether an outcome is one that program order has, where undef stands for any value."""
    return any(all(_same(value, each.get(name)) for name, value in values.items()) for each in allowed)


def _same(value: Value, allowed: Value | None) -> bool:
    if isinstance(allowed, Undef):
        return True
    if isinstance(value, tuple) and isinstance(allowed, tuple) and len(value) == len(allowed):
        return all(_same(part, other) for part, other in zip(value, allowed, strict=True))
    return value == allowed


def _count(outcomes: int | None) -> str:
    if outcomes is None:
        return "not all outcomes found"
    return f"{outcomes} outcome{'' if outcomes == 1 else 's'}"


# Counterexamples ------------------------------------------------------------------------------------------------


def _counterexample(
    test: Test,
    tokens: Result,
    new: list[dict[str, Value]],
    allowed: list[dict[str, Value]],
    flags: frozenset[str],
    positions: Mapping[int, int | None],
    timeout: float | None,
) -> Counterexample:
    if not new:
        return Counterexample({}, (), (), flags)
    choices = [(_differences(outcome, each), outcome) for outcome in new[:_MOST_COMPARED] for each in allowed]
    differences, outcome = min(choices, key=lambda choice: len(choice[0]), default=((), new[0]))
    return Counterexample(outcome, tuple(differences), _steps(test, tokens, outcome, positions, timeout), flags)


def _differences(outcome: Mapping[str, Value], allowed: Mapping[str, Value]) -> list[Difference]:
    return [
        Difference(name, value, allowed[name]) for name, value in outcome.items() if not _same(value, allowed[name])
    ]


def _steps(
    test: Test, tokens: Result, outcome: Mapping[str, Value], positions: Mapping[int, int | None], timeout: float | None
) -> tuple[str, ...]:
    """Find an execution that ends in an outcome, and say what runs in which order."""
    from enumerator.analysis.execution import rebuild
    from enumerator.reference.outcome import final_state

    assert tokens.question is not None
    names = tuple(outcome)
    wanted = tuple(outcome.values())
    request = replace(
        tokens.question.request,
        names=names,
        record=_MOST_RECORDED,
        outcomes_only=True,
        timeout=_WITNESS_SECONDS if timeout is None else min(timeout, _WITNESS_SECONDS),
        max_executions=None,
        decided=lambda values: values == wanted,
    )
    found = search(request, "bitset")  # which finds executions, not states
    for candidate in reversed(found.executions):  # the search stopped when it had found the outcome
        execution = rebuild(replace(request, test=test), candidate)
        if final_state(execution.combination, names, candidate.values, execution.evaluation.final) == wanted:
            from enumerator.passes.ordering.steps import steps

            return steps(execution, test.source, positions)
    return ()
