"""Conditions over final states: plain data. Evaluation is three-valued (:mod:`enumerator.program.formulas`)."""

from __future__ import annotations

from enum import Enum
from typing import Union

from enumerator.frozen import dataclass
from enumerator.program.values import Value

__all__ = ["And", "Condition", "Equal", "Flag", "Formula", "Literal", "Name", "Not", "Or", "Quantifier", "TrueFormula"]


SPELT = {"exists": "exists", "never": "~exists", "forall": "forall"}
"""Quantifiers as herd7 writes them, by their values."""


class Quantifier(Enum):
    """How a condition is asked: the values are those of JSON results."""

    EXISTS = "exists"
    NEVER = "never"
    FORALL = "forall"


@dataclass(frozen=True, slots=True)
class Name:
    """A register (``t0:%r``) or location (``@x``, ``@a[2]``), spelt as results spell it."""

    text: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant value in a condition."""

    value: Value


@dataclass(frozen=True, slots=True)
class Equal:
    """``left = right``."""

    left: Name
    right: Name | Literal


@dataclass(frozen=True, slots=True)
class Flag:
    """``race``, ``assert``, ``ub``, …: the execution raises the flag. Results show it as a value, 0 or 1."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class TrueFormula:
    """``true``."""


Formula = Union[Equal, Flag, Not, And, Or, TrueFormula]


@dataclass(frozen=True, slots=True)
class Condition:
    """A quantified formula with the text that the user wrote (without the quantifier)."""

    quantifier: Quantifier
    formula: Formula
    text: str
    filter: Formula | None = None
