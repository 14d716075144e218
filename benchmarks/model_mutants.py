"""Mutants of a model: each has one part of an axiom or definition removed or weakened.

A corpus of tests says something about a part of a model if some test comes out differently without that part. The idea
is mutation analysis (DeMillo, Lipton, Sayward: Hints on Test Data Selection, Computer 11(4), 1978), on the syntax tree
of cat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from enumerator.cat import syntax
from enumerator.cat.syntax import Binary, Expression, Identity, Model, Position, Statement, Unary
from enumerator.cat.tree import children, format_expression, start

__all__ = ["Mutant", "model_mutants"]

_MOST_SHOWN = 60


@dataclass(frozen=True, eq=False)  # each is itself: to compare whole models takes long
class Mutant:
    """A model with one change.

    Parameters
    ----------
    model : Model
    what : str
        The change, in the notation of cat: ``a | b  ->  a``.
    position : Position
        Where the part stands that is changed, in the file that it is written in.
    within : str
        The definition or axiom that it belongs to.
    """

    model: Model
    what: str
    position: Position
    within: str

    def __str__(self) -> str:
        return f"{self.position.path}:{self.position.line}:{self.position.column}: {self.within}: {self.what}"


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of an expression: what takes its place, and what is said of it."""

    result: Expression
    what: str
    position: Position


def model_mutants(model: Model) -> Iterator[Mutant]:
    r"""Give all mutants of a model.

    The changes are: an axiom, flag or the ``final`` statement is removed, ``acyclic`` becomes ``irreflexive``; an
    operand of a union, intersection or sequence is dropped; what a difference takes away is dropped; a side of a
    product becomes everything; ``r+`` becomes ``r``, ``r*`` becomes ``r?`` and ``r+``, ``r?``
    becomes ``r``; a restriction ``[S]`` that
    stands alone becomes ``[_]``; ``r^-1`` becomes ``r``; ``~e`` becomes everything.

    Parameters
    ----------
    model : Model
        With its includes, whose statements count as its own.

    Yields
    ------
    Mutant
        In the order of the text. Some may not be models any more: :func:`enumerator.cat.typing.check_types` tells.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> for mutant in model_mutants(parse_text("let hb = (po | rf)+ acyclic hb \\ id as c", "m.cat")):
    ...     print(mutant)
    m.cat:1:11: hb: (po | rf)+  ->  po | rf
    m.cat:1:11: hb: po | rf  ->  rf
    m.cat:1:11: hb: po | rf  ->  po
    m.cat:1:21: c: removed
    m.cat:1:21: c: acyclic  ->  irreflexive
    m.cat:1:29: c: hb \ id  ->  hb
    """
    for statements, what, position, within in _of_statements(model.statements):
        yield Mutant(replace(model, statements=statements), what, position, within)


# Statements -------------------------------------------------------------------------------------------------

_Found = tuple[tuple[Statement, ...], str, Position, str]


def _of_statements(statements: Sequence[Statement]) -> Iterator[_Found]:
    for number, statement in enumerate(statements):
        before, after = tuple(statements[:number]), tuple(statements[number + 1 :])
        for put, what, position, within in _of_statement(statement):
            yield (*before, *put, *after), what, position, within


def _of_statement(statement: Statement) -> Iterator[_Found]:
    match statement:
        case syntax.Let(bindings, _, _):
            for number, binding in enumerate(bindings):
                name = ", ".join(each or "_" for each in binding.names)
                for change in _of_expression(binding.body):
                    changed = replace(binding, body=change.result)
                    put = replace(statement, bindings=(*bindings[:number], changed, *bindings[number + 1 :]))
                    yield (put,), change.what, change.position, name
        case syntax.Check(_, test, _, body, name, position):
            within = name or test
            yield (), "removed", position, within
            if test == "acyclic":
                yield (replace(statement, test="irreflexive"),), "acyclic  ->  irreflexive", position, within
            for change in _of_expression(body):
                yield (replace(statement, body=change.result),), change.what, change.position, within
        case syntax.Final(body, position):
            yield (), "removed", position, "final"
            for change in _of_expression(body):
                yield (replace(statement, body=change.result),), change.what, change.position, "final"
        case syntax.Choose(name, source, _):
            for change in _of_expression(source):
                yield (replace(statement, source=change.result),), change.what, change.position, name
        case syntax.CallProcedure(name, argument, position):
            yield (), "removed", position, name
            for change in _of_expression(argument):
                yield (replace(statement, argument=change.result),), change.what, change.position, name
        case syntax.Procedure(name, _, inner, _):
            for some, what, position, within in _of_statements(inner):
                yield (replace(statement, body=some),), what, position, f"{name}, {within}"
        case syntax.IfStatement(_, then, otherwise, _):
            for some, what, position, within in _of_statements(then):
                yield (replace(statement, then=some),), what, position, within
            for some, what, position, within in _of_statements(otherwise):
                yield (replace(statement, otherwise=some),), what, position, within
        case _:  # what is shown, options, files that are not there: no answer rests on these
            return


# Expressions ------------------------------------------------------------------------------------------------

_CLOSURES = {"+": ("",), "*": ("?", "+"), "?": ("",), "^-1": ("",)}


def _of_expression(expression: Expression, *, is_step: bool = False) -> Iterator[_Change]:
    """Give the changes of an expression and of its parts; `is_step`: it stands in a sequence, which may drop it."""
    for result in _here(expression, is_step=is_step):
        what = f"{_shown(expression)}  ->  {_shown(result)}"
        yield _Change(result, what, start(expression))
    for number, part in enumerate(_parts(expression)):
        step = isinstance(expression, Binary) and expression.operator == ";"
        for change in _of_expression(part, is_step=step):
            yield replace(change, result=_with_part(expression, number, change.result))


def _here(expression: Expression, *, is_step: bool) -> Iterator[Expression]:
    match expression:
        case Binary("|" | "&" | ";" as operator, left, right, _):
            # An operand that is such an operation itself is not dropped as a whole: its own operands are.
            if not _is(left, operator):
                yield right
            if not _is(right, operator):
                yield left
        case Binary("\\", left, _, _):
            yield left
        case Binary("*", left, right, position):
            everything = syntax.Universe(position)
            if not isinstance(left, syntax.Universe):
                yield replace(expression, left=everything)
            if not isinstance(right, syntax.Universe):
                yield replace(expression, right=everything)
        case Unary("~", body, position) if not isinstance(body, syntax.Empty):
            yield Unary("~", syntax.Empty(position), position)
        case Unary(operator, body, position) if operator in _CLOSURES:
            for weaker in _CLOSURES[operator]:
                yield Unary(weaker, body, position) if weaker else body
        case Identity(body, position) if not is_step and not isinstance(body, syntax.Universe):
            yield Identity(syntax.Universe(position), position)


def _is(expression: Expression, operator: str) -> bool:
    return isinstance(expression, Binary) and expression.operator == operator


def _parts(expression: Expression) -> tuple[Expression, ...]:
    """Give the operands whose changes are changes of the expression."""
    operands = children(expression)
    return operands[1:] if isinstance(expression, syntax.Match) else operands


def _with_part(expression: Expression, number: int, part: Expression) -> Expression:
    """Replace one of the operands that :func:`_parts` gives."""
    match expression:
        case Binary():
            return replace(expression, left=part) if number == 0 else replace(expression, right=part)
        case syntax.Apply():
            return replace(expression, function=part) if number == 0 else replace(expression, argument=part)
        case syntax.SetOf(elements, _) | syntax.Tuple(elements, _):
            return replace(expression, elements=(*elements[:number], part, *elements[number + 1 :]))
        case syntax.LetIn(bindings, _, _, _):
            if number == len(bindings):
                return replace(expression, body=part)
            changed = replace(bindings[number], body=part)
            return replace(expression, bindings=(*bindings[:number], changed, *bindings[number + 1 :]))
        case syntax.Try():
            return replace(expression, body=part) if number == 0 else replace(expression, fallback=part)
        case syntax.If():
            return replace(expression, then=part) if number == 0 else replace(expression, otherwise=part)
        case syntax.Match():
            return replace(expression, empty=part) if number == 0 else replace(expression, otherwise=part)
        case Unary() | Identity() | syntax.Function():
            return replace(expression, body=part)
        case _:
            raise AssertionError(f"an expression without operands: {expression!r}")


def _shown(expression: Expression) -> str:
    text = format_expression(expression)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
