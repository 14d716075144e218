"""The syntax tree of the C code of a thread: plain data. Every node knows its token, for messages and lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Union

from enumerator.frontend.c.lexer import Token
from enumerator.frontend.c.types import CType
from enumerator.frozen import dataclass
from enumerator.program.instructions import Scope

__all__ = [
    "AddressOf",
    "Assignment",
    "Binary",
    "Break",
    "Call",
    "Cast",
    "Comma",
    "Compound",
    "Conditional",
    "Continue",
    "Declaration",
    "Dereference",
    "Expression",
    "ExpressionStatement",
    "If",
    "Increment",
    "Index",
    "Logical",
    "Loop",
    "Name",
    "Number",
    "Parameter",
    "Return",
    "Statement",
    "ThreadCode",
    "Unary",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Number:
    """``42``"""

    value: int
    token: Token


@dataclass(frozen=True, slots=True)
class Name:
    """``r0``"""

    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class Unary:
    """``-e``, ``+e``, ``~e``, ``!e``"""

    operator: str
    operand: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Dereference:
    """``*e``"""

    operand: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Index:
    """``e[i]``"""

    base: Expression
    index: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class AddressOf:
    """``&e``"""

    operand: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Binary:
    """``e + f`` and so on: arithmetic, bitwise, shifts, comparisons."""

    operator: str
    left: Expression
    right: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Logical:
    """``e && f``, ``e || f``"""

    operator: str
    left: Expression
    right: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Conditional:
    """``c ? e : f``"""

    condition: Expression
    then: Expression
    otherwise: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Assignment:
    """``e = f``, or ``e += f`` with the operator ``+``."""

    operator: str
    target: Expression
    value: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Increment:
    """``++e``, ``--e``, ``e++``, ``e--``: `operator` is ``+`` or ``-``."""

    operator: str
    target: Expression
    postfix: bool
    token: Token


@dataclass(frozen=True, slots=True)
class Cast:
    """``(type)e``"""

    type: CType
    operand: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Comma:
    """``e, f``"""

    left: Expression
    right: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Call:
    """``f(e, …)``; `scope` is what its last argument said, in languages that have scopes.

    `label` is what a label before it says.
    """

    function: str
    arguments: tuple[Expression, ...]
    token: Token
    scope: Scope | None = None
    label: Expression | None = None


Expression = Union[
    Number,
    Name,
    Unary,
    Dereference,
    Index,
    AddressOf,
    Binary,
    Logical,
    Conditional,
    Assignment,
    Increment,
    Cast,
    Comma,
    Call,
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """``type x = e;``, for an array ``type x[n] = {e, …};``: `initial` has one expression, or those of the list."""

    type: CType
    name: str
    initial: tuple[Expression, ...]
    token: Token


@dataclass(frozen=True, slots=True)
class ExpressionStatement:
    """``e;``"""

    expression: Expression
    token: Token


@dataclass(frozen=True, slots=True)
class Compound:
    """``{ … }``; without a scope of its own where it holds the several names of one declaration."""

    body: tuple[Statement, ...]
    token: Token
    scope: bool = True


@dataclass(frozen=True, slots=True)
class If:
    """``if (c) s else t``"""

    condition: Expression
    then: Statement
    otherwise: Statement | None
    token: Token


@dataclass(frozen=True, slots=True)
class Loop:
    """``while (c) s``, ``do s while (c);`` (tested last), ``for (i; c; e) s``."""

    initial: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    tested_last: bool
    token: Token


@dataclass(frozen=True, slots=True)
class Break:
    """``break;``"""

    token: Token


@dataclass(frozen=True, slots=True)
class Continue:
    """``continue;``"""

    token: Token


@dataclass(frozen=True, slots=True)
class Return:
    """``return;``, also with a value, which nobody sees."""

    value: Expression | None
    token: Token


Statement = Union[Declaration, ExpressionStatement, Compound, If, Loop, Break, Continue, Return]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a thread."""

    type: CType
    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class ThreadCode:
    """``P0 (parameters) { body }``"""

    number: int
    parameters: tuple[Parameter, ...]
    body: Compound
    token: Token


def walk(node: object) -> Iterator[object]:
    """Give a node and all below it, in the order of the text.

    Examples
    --------
    >>> token = Token("word", "r", 1, 1)
    >>> [type(node).__name__ for node in walk(Unary("-", Name("r", token), token))]
    ['Unary', 'Name']
    """
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(reversed(current))
        elif names := _members(type(current)):  # type: ignore[arg-type]  # classes are hashable
            yield current
            stack.extend([getattr(current, name) for name in names])


@cache
def _members(kind: type) -> tuple[str, ...]:
    """Name the members of a class of nodes, last first; none if it is no such class."""
    if not is_dataclass(kind) or kind is Token:
        return ()
    return tuple(member.name for member in reversed(fields(kind)))
