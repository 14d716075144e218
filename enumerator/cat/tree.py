"""Traversing and writing syntax trees of cat."""

from __future__ import annotations

from collections.abc import Container, Iterator

from enumerator.cat import syntax
from enumerator.cat.syntax import Condition, Expression, Function, Position, Statement

__all__ = [
    "MAX_DEPTH",
    "TOO_DEEP",
    "check_depth",
    "children",
    "conditions",
    "depth",
    "expressions",
    "format_expression",
    "holds",
    "start",
    "variables",
]

MAX_DEPTH = 200
"""Levels of an expression: functions over syntax trees are recursive, and Python's stack is limited."""

TOO_DEEP = f"nested too deeply: more than {MAX_DEPTH} levels"


def holds(condition: Condition, variants: Container[str]) -> bool:
    """Tell whether the condition of an ``if`` holds.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_expression
    >>> condition = parse_expression('if "a" && not ("b" || "c") then po else 0').condition
    >>> [holds(condition, chosen) for chosen in ({"a"}, {"a", "c"}, set())]
    [True, False, False]
    """
    match condition:
        case syntax.Variant(name):
            return name in variants
        case syntax.Compound("not", (part,)):
            return not holds(part, variants)
        case syntax.Compound("&&", parts):
            return all(holds(part, variants) for part in parts)
        case syntax.Compound(_, parts):
            return any(holds(part, variants) for part in parts)


def conditions(condition: Condition) -> Iterator[str]:
    """Give the names of the variants in a condition."""
    if isinstance(condition, syntax.Variant):
        yield condition.name
    else:
        for part in condition.parts:
            yield from conditions(part)


def _write_condition(condition: Condition) -> str:
    match condition:
        case syntax.Variant(name):
            return f'"{name}"'
        case syntax.Compound("not", (part,)):
            return f"not {_write_condition(part)}"
        case syntax.Compound(operator, parts):
            return f"({f' {operator} '.join(map(_write_condition, parts))})"


def children(expression: Expression) -> tuple[Expression, ...]:
    """Give the operands of an expression, in the order in which they are written."""
    match expression:
        case syntax.Binary(_, left, right, _):
            return (left, right)
        case syntax.Unary(_, body, _) | syntax.Identity(body, _) | Function(_, body, _):
            return (body,)
        case syntax.Apply(function, argument, _):
            return (function, argument)
        case syntax.SetOf(elements, _) | syntax.Tuple(elements, _):
            return elements
        case syntax.LetIn(bindings, _, body, _):
            return (*(binding.body for binding in bindings), body)
        case syntax.Try(body, fallback, _):
            return (body, fallback)
        case syntax.If(_, then, otherwise, _):
            return (then, otherwise)
        case syntax.Match(body, empty, _, _, otherwise, _):
            return (body, empty, otherwise)
        case syntax.Variable() | syntax.Empty() | syntax.Universe():
            return ()


def expressions(statement: Statement) -> Iterator[Expression]:
    """Give the expressions of a statement, without those of statements inside it."""
    match statement:
        case syntax.Let(bindings):
            yield from (binding.body for binding in bindings)
        case (
            syntax.Check(body=body)
            | syntax.Final(body)
            | syntax.Choose(source=body)
            | syntax.CallProcedure(argument=body)
        ):
            yield body
        case syntax.Show(entries):
            yield from (expression for _, expression in entries)


def depth(expression: Expression) -> int:
    """Count the levels of an expression (1 for a name), without recursion: there may be any number.

    An object that occurs several times in the tree is visited once for each level at most.
    """
    level, below = 0, {id(expression): expression}
    while below:
        level += 1
        below = {id(child): child for node in below.values() for child in children(node)}
    return level


def check_depth(expression: Expression) -> None:
    """Refuse an expression that is nested too deeply.

    Raises
    ------
    InputError
        If it has more than :data:`MAX_DEPTH` levels.
    """
    if children(expression) and depth(expression) > MAX_DEPTH:
        raise start(expression).error(TOO_DEEP)


def start(expression: Expression) -> Position:
    """Give the position of the first token of an expression (its own position may be that of an operator)."""
    while isinstance(expression, syntax.Binary):
        expression = expression.left
    return expression.position


def variables(expression: Expression) -> Iterator[str]:
    """Give the names that occur in an expression, bound ones included, in the order in which they are written."""
    if isinstance(expression, syntax.Variable):
        yield expression.name
    for child in children(expression):
        yield from variables(child)


# Writing -----------------------------------------------------------------------------------------------------

_LOOSE, _UNION, _PREFIX, _POSTFIX, _ARGUMENT = 0, 1, 7, 8, 10
_LEVELS = {"|": _UNION, "++": 2, ";": 3, "\\": 4, "&": 5, "*": 6}


def format_expression(expression: Expression) -> str:
    r"""Write an expression in the notation of cat, with no more parentheses than it needs.

    Parameters
    ----------
    expression : Expression

    Returns
    -------
    str
        Text that parses to the same tree, positions aside.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_expression
    >>> format_expression(parse_expression("(((a|b)) ; [W&R]+) \\ f(x , (y))"))
    '((a | b) ; [W & R]+) \\ f(x, y)'
    """
    return _write(expression, _LOOSE)


def _write(expression: Expression, level: int) -> str:
    """Write an expression where only operators that bind at least as tightly as `level` need no parentheses."""
    match expression:
        case syntax.Variable(name, _):
            return name
        case syntax.Empty():
            return "0"
        case syntax.Universe():
            return "_"
        case syntax.SetOf(elements, _):
            return "{" + ", ".join(_write(element, _UNION) for element in elements) + "}"
        case syntax.Identity(body, _):
            return f"[{_write(body, _LOOSE)}]"
        case syntax.Tuple(elements, _):
            return "(" + ", ".join(_write(element, _UNION) for element in elements) + ")"
        case syntax.Binary(operator, left, right, _):
            own = _LEVELS.get(operator, _UNION)
            to_the_left = operator == "\\"
            text = (
                f"{_write(left, own if to_the_left else own + 1)} {operator} "
                f"{_write(right, own + 1 if to_the_left else own)}"
            )
        case syntax.Unary("~", body, _):
            own = _PREFIX
            text = "~" + _write(body, own)
        case syntax.Unary(operator, body, _):
            own = _POSTFIX
            text = _write(body, own)
            if operator == "+" and text.endswith("+"):  # ``++`` is another operator
                text = f"({text})"
            text += operator
        case syntax.Apply(function, argument, _):
            own = _ARGUMENT - 1
            written = _write(argument, _ARGUMENT)
            gap = "" if isinstance(argument, syntax.Tuple) else " "
            text = f"{_write(function, own)}{gap}{written}"
        case _:
            own = _LOOSE
            text = _write_binder(expression)
    return f"({text})" if own < level else text


def _write_binder(expression: Expression) -> str:
    match expression:
        case Function(parameters, body, _):
            return f"fun {_pattern(parameters)} -> {_write(body, _LOOSE)}"
        case syntax.LetIn(bindings, recursive, body, _):
            parts = [f"{_names(binding.names)} = {_write(binding.body, _LOOSE)}" for binding in bindings]
            return f"let {'rec ' if recursive else ''}{' and '.join(parts)} in {_write(body, _LOOSE)}"
        case syntax.Try(body, fallback, _):
            return f"try {_write(body, _LOOSE)} with {_write(fallback, _LOOSE)}"
        case syntax.If(condition, then, otherwise, _):
            return f"if {_write_condition(condition)} then {_write(then, _LOOSE)} else {_write(otherwise, _LOOSE)}"
        case syntax.Match(body, empty, element, others, otherwise, _):
            clauses = f"|| {{}} -> {_write(empty, _LOOSE)} || {name_of(element)} ++ {name_of(others)}"
            return f"match {_write(body, _LOOSE)} with {clauses} -> {_write(otherwise, _LOOSE)} end"
        case _:
            raise AssertionError(f"not a binder: {expression!r}")


def _names(names: tuple[str | None, ...]) -> str:
    return (name_of(names[0])) if len(names) == 1 else _pattern(names)


def _pattern(names: tuple[str | None, ...]) -> str:
    return f"({', '.join(map(name_of, names))})" if len(names) != 1 else name_of(names[0])


def name_of(name: str | None) -> str:
    """Write a parameter (``_`` for one without a name)."""
    return "_" if name is None else name
