"""Conditions over many final states at once, a column of truth values for each part of the formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from enumerator.conditions import evaluate
from enumerator.program.condition import And, Equal, Flag, Formula, Literal, Name, Not, Or
from enumerator.program.values import Value
from enumerator.results.table import StateTable

__all__ = ["truth"]

Bits = NDArray[np.bool_]

_ANY = Name("")


def truth(formula: Formula, names: Sequence[str], table: StateTable) -> tuple[Bits, Bits]:
    """Evaluate a formula in all states, as :func:`enumerator.conditions.evaluate` does in each.

    Parameters
    ----------
    formula : Formula
    names : sequence of str
        What the columns of the table belong to.
    table : StateTable

    Returns
    -------
    may : array of bool
        For each state, whether the formula is not false.
    must : array of bool
        Whether it is true. Where it may and need not hold, it is undetermined.

    Examples
    --------
    >>> from enumerator.conditions import parse_condition
    >>> from enumerator.program.values import UNDEF
    >>> table = StateTable.of({(0,): 1, (1,): 1, (UNDEF,): 1}, 1)
    >>> [each.tolist() for each in truth(parse_condition("t:%a = 1").formula, ["t:%a"], table)]
    [[False, True, True], [False, True, False]]
    """
    return _Truth(names, table).of(formula)


class _Truth:
    """What the parts of a formula share: an atom is decided once for each value, not for each state."""

    def __init__(self, names: Sequence[str], table: StateTable) -> None:
        self._table = table
        self._column = {name: column for column, name in enumerate(names)}
        self._literals: dict[tuple[type[Value], Value], tuple[Bits, Bits]] = {}

    def of(self, formula: Formula) -> tuple[Bits, Bits]:
        match formula:
            case Flag(name):
                return self._of_literal(name, Literal(1))
            case Equal(left, Literal() as right):
                return self._of_literal(left.text, right)
            case Equal():
                return self._of_names(formula)
            case Not(body):
                may, must = self.of(body)
                return ~must, ~may
            case And((first, *rest)):
                may, must = self.of(first)
                for part in rest:
                    more = self.of(part)
                    may, must = may & more[0], must & more[1]
                return may, must
            case Or((first, *rest)):
                may, must = self.of(first)
                for part in rest:
                    more = self.of(part)
                    may, must = may | more[0], must | more[1]
                return may, must
            case _:  # true, of which "and" of nothing is one; "or" of nothing is not
                holds = np.full(len(self._table), not isinstance(formula, Or))
                return holds, holds

    def _of_literal(self, name: str, literal: Literal) -> tuple[Bits, Bits]:
        key = type(literal.value), literal.value
        if key not in self._literals:
            atom = Equal(_ANY, literal)
            domain = self._table.domain
            self._literals[key] = _bits([evaluate(atom, {_ANY.text: value}.__getitem__) for value in domain])
        may, must = self._literals[key]
        places = self._table.rows[:, self._column[name]]
        return may[places], must[places]

    def _of_names(self, atom: Equal) -> tuple[Bits, Bits]:
        assert not isinstance(atom.right, Literal)
        values = self._table.domain
        left, right = (self._table.rows[:, self._column[name.text]] for name in (atom.left, atom.right))
        pairs = left.astype(np.int64) * len(values) + right.astype(np.int64)
        different, places = np.unique(pairs, return_inverse=True)
        found = []
        for pair in different.tolist():
            one, other = divmod(pair, len(values))
            held = {atom.left.text: values[one], atom.right.text: values[other]}
            found.append(evaluate(atom, held.__getitem__))
        may, must = _bits(found)
        return may[places], must[places]


def _bits(answers: Sequence[bool | None]) -> tuple[Bits, Bits]:
    may = np.array([answer is not False for answer in answers], dtype=np.bool_)
    return may, np.array([answer is True for answer in answers], dtype=np.bool_)
