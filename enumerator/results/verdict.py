"""From the final states that an engine found to the answer of the test: witnesses, observation, verdict.

A limit never gives a verdict: what more search could change is ``unknown``. What one state decides stays decided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from enumerator.conditions import evaluate
from enumerator.program.condition import And, Condition, Equal, Flag, Formula, Name, Not, Or, Quantifier
from enumerator.program.flags import is_undefined_behaviour, with_ub
from enumerator.program.test import Expectation
from enumerator.program.values import Pointer, Value, format_value
from enumerator.results.states import States
from enumerator.results.table import StateTable
from enumerator.results.truth import truth

__all__ = [
    "Verdict",
    "compare",
    "decides",
    "expected_flags",
    "expected_verdict",
    "format_formula",
    "judge",
    "is_undefined_behaviour",
    "name_key",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the states of a test say of its condition."""

    states: States
    positive: int
    negative: int
    observation: str
    verdict: str


def _holds(formula: Formula, values: Mapping[str, Value]) -> bool | None:
    return evaluate(formula, values.__getitem__)


def _is_witness(condition: Condition, holds: bool | None) -> bool:
    # what is undetermined counts for a witness, and against a condition that all executions have to satisfy
    return bool(holds) if condition.quantifier is Quantifier.FORALL else holds is not False


def decides(condition: Condition, values: Mapping[str, Value]) -> bool:
    """Tell whether a single final state decides the verdict: a witness, or a counterexample to ``forall``.

    Parameters
    ----------
    condition : Condition
    values : mapping of str to Value

    Returns
    -------
    bool
    """
    if condition.filter is not None and _holds(condition.filter, values) is False:
        return False
    return _is_witness(condition, _holds(condition.formula, values)) != (condition.quantifier is Quantifier.FORALL)


def judge(
    condition: Condition,
    names: Sequence[str],
    shown: Sequence[str],
    states: Mapping[tuple[Value, ...], int],
    *,
    counted: bool = True,
    complete: bool = True,
    undefined: bool = False,
) -> Verdict:
    """Give the answer of a test from its final states.

    Parameters
    ----------
    condition : Condition
    names : sequence of str
        What the values of a state belong to.
    shown : sequence of str
        The names that reports show, those of the condition among them; states that differ in others become one.
    states : mapping of tuple of Value to int
        Each final state, with the number of executions.
    counted : bool
        Whether these numbers mean anything.
    complete : bool
        Whether more search could not find further states.
    undefined : bool
        Whether an execution raises a ``ub-*`` flag, or fails an ``undefined_unless`` of the model: the verdict is
        then ``Undef``, whatever the condition asks.

    Returns
    -------
    Verdict
        `positive` and `negative` count states where executions were not counted.
    """
    table = StateTable.of(states, len(names))
    if not counted:
        table = StateTable(table.domain, table.rows, np.ones(len(table), dtype=np.int64))
    if condition.filter is not None:
        table = table.some(truth(condition.filter, names, table)[0])
    holds_not_false, holds_true = truth(condition.formula, names, table)
    may, must, total = int(holds_not_false.sum()), int(holds_true.sum()), len(table)
    # The names of the condition are shown, so all states that become one here answer alike.
    table, originals = table.columns([names.index(name) for name in shown])
    holds_not_false, holds_true = holds_not_false[originals], holds_true[originals]
    witnesses = holds_true if condition.quantifier is Quantifier.FORALL else holds_not_false
    listed = States(
        tuple(shown),
        table.domain,
        table.rows,
        table.counts if counted else None,
        witnesses,
        holds_not_false & ~holds_true,
    )
    positive = int(table.counts[witnesses].sum())
    negative = int(table.counts.sum()) - positive

    if 0 < may and must < total:
        observation = "Sometimes"
    elif not complete:
        observation = "unknown"
    else:
        observation = "Always" if must and must == total else "Never"

    if undefined:
        verdict = "Undef"
    elif condition.quantifier is Quantifier.FORALL:
        verdict = "No" if must < total else "Ok" if complete else "unknown"
    elif may:
        verdict = "Ok" if condition.quantifier is Quantifier.EXISTS else "No"
    elif complete:
        verdict = "No" if condition.quantifier is Quantifier.EXISTS else "Ok"
    else:
        verdict = "unknown"
    return Verdict(listed, positive, negative, observation, verdict)


def expected_flags(expectation: Expectation) -> frozenset[str]:
    """Give the flags that an expectation asks for: any ``ub-*`` sets ``ub`` too.

    Parameters
    ----------
    expectation : Expectation

    Returns
    -------
    frozenset of str
    """
    flags = expectation.flags
    return with_ub(flags)


def expected_verdict(observation: str, quantifier: Quantifier) -> str:
    """Give the verdict that goes with an observation.

    Parameters
    ----------
    observation : {'Never', 'Sometimes', 'Always'}
    quantifier : Quantifier

    Returns
    -------
    {'Ok', 'No'}

    Examples
    --------
    >>> expected_verdict("Sometimes", Quantifier.FORALL)
    'No'
    """
    holds = {
        Quantifier.EXISTS: observation != "Never",
        Quantifier.NEVER: observation == "Never",
        Quantifier.FORALL: observation == "Always",
    }
    return "Ok" if holds[quantifier] else "No"


def compare(
    verdict: Verdict,
    flags: frozenset[str],
    expectation: Expectation,
    quantifier: Quantifier,
    *,
    complete: bool,
    first: bool,
) -> bool | None:
    """Compare an answer with what a test expects.

    Parameters
    ----------
    verdict : Verdict
    flags : frozenset of str
    expectation : Expectation
    quantifier : Quantifier
    complete : bool
        Whether more search could not change the answer.
    first : bool
        Only the verdict was asked for: of flags only those of undefined behaviour that nobody expects count, and the
        observation beyond what the verdict says is not compared.

    Returns
    -------
    bool or None
        None where only more search could tell.
    """
    if first:
        if any(map(is_undefined_behaviour, flags - expected_flags(expectation))):
            return False
        if verdict.verdict == "unknown":
            return None
        if complete or verdict.verdict == "Undef":
            return None if verdict.observation == "unknown" else verdict.observation == expectation.observation
        return verdict.verdict == expected_verdict(expectation.observation, quantifier)
    wanted = expected_flags(expectation)
    if complete:
        return verdict.observation == expectation.observation and flags == wanted
    if not flags <= wanted:
        return False
    listed = verdict.states
    may = bool((listed.witnesses | listed.undetermined).any())
    may_not = bool((~listed.witnesses | listed.undetermined).any())
    if (expectation.observation == "Never" and may) or (expectation.observation == "Always" and may_not):
        return False
    return None


# Order and spelling of reports ----------------------------------------------------------------------------


def name_key(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Sort names as reports list them: registers first, then locations, then flags; numbers by value.

    Parameters
    ----------
    name : str

    Returns
    -------
    tuple

    Examples
    --------
    >>> sorted(["race", "@x", "t1:%r10", "t1:%r9", "t0:%b"], key=name_key)
    ['t0:%b', 't1:%r9', 't1:%r10', '@x', 'race']
    """
    pieces = re.findall(r"\d+|\D+", name)
    kind = 1 if name[:1] in ("@", "[") else 0 if ":" in name else 2
    numbers = (piece.lstrip("0") if piece.isdecimal() else None for piece in pieces)  # of any length
    return kind, [
        (-1, piece) if number is None else (len(number), number) for piece, number in zip(pieces, numbers, strict=True)
    ]


def format_formula(formula: Formula) -> str:
    r"""Write a formula in the spelling of herd7's reports.

    Parameters
    ----------
    formula : Formula

    Returns
    -------
    str

    Examples
    --------
    >>> from enumerator.program.condition import Literal
    >>> atom = Equal(Name("@x"), Literal(1))
    >>> print(format_formula(And((atom, Or((atom, Not(atom)))))))
    @x=1 /\ (@x=1 \/ not (@x=1))
    """
    match formula:
        case Equal(left, right):
            return f"{left.text}={right.text if isinstance(right, Name) else format_constant(right.value)}"
        case Flag(name):
            return name
        case Not(body):
            return f"not ({format_formula(body)})"
        case And(parts):
            return " /\\ ".join(
                f"({format_formula(part)})" if isinstance(part, Or) else format_formula(part) for part in parts
            )
        case Or(parts):
            return " \\/ ".join(map(format_formula, parts))
        case _:
            return "true"


def format_constant(value: Value) -> str:
    """Write a constant as a condition has it: the address of a location is ``&@x``, where ``@x`` is what it holds.

    Examples
    --------
    >>> format_constant((1, Pointer("@x", 8))), format_constant(Pointer("x"))
    ('<1, &@x+8>', 'x')
    """
    if isinstance(value, tuple):
        return f"<{', '.join(map(format_constant, value))}>"
    return "&" * (isinstance(value, Pointer) and value.object.startswith("@")) + format_value(value)
