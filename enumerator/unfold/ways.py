"""Where code goes on, as far as the values that it computes are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enumerator.program.instructions import (
    Assign,
    Block,
    Branch,
    Constant,
    Expression,
    Function,
    Operation,
    Register,
    Switch,
    Terminator,
    targets_of,
)
from enumerator.program.values import Pointer, Value
from enumerator.unfold.arithmetic import apply

__all__ = ["Values", "leads_to", "value_of", "ways_through"]

Values = Mapping[str, object]
"""Of registers whose values are known: integers and pointers. What else stands there tells nothing."""


def value_of(expression: Expression, known: Values) -> int | Pointer | None:
    """Give the value of an expression if that is an integer or a pointer, whatever is read.

    Parameters
    ----------
    expression : Expression
    known : mapping of str to Value

    Returns
    -------
    int, Pointer or None
    """
    value: object
    if isinstance(expression, Register):
        value = known.get(expression.name)
    elif isinstance(expression, Constant):
        value = expression.value
    else:
        arguments: list[Value] = []
        for each in expression.arguments:
            argument = value_of(each, known)
            if argument is None:
                return None
            arguments.append(argument)
        value = apply(
            expression.operator, tuple(arguments), expression.type, expression.operand_type, expression.indices
        )
    return value if isinstance(value, int | Pointer) else None


def leads_to(terminator: Terminator, known: Values) -> tuple[str, ...]:
    """Name the blocks where one may go on.

    Parameters
    ----------
    terminator : Terminator
    known : mapping of str to Value

    Returns
    -------
    tuple of str
    """
    match terminator:
        case Branch(condition, then, otherwise, _):
            value = value_of(condition, known)
            if isinstance(value, int):
                return (then,) if value else (otherwise,)
        case Switch(switched, cases, default, _):
            value = value_of(switched, known)
            if isinstance(value, int):
                return (next((block for case, block in cases if case == value), default),)
    return tuple(dict.fromkeys(targets_of(terminator)))


def ways_through(function: Function) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Give where blocks lead that decide by a phi, by the block that one comes from.

    A compiler notes in a number how a loop is left, or goes on, and decides by that in one place.

    Parameters
    ----------
    function : Function

    Returns
    -------
    mapping of (str, str) to tuple of str
        By the block that one comes from and the block itself: where that may lead then, if that is not everywhere.
    """
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    chosen = {
        part.target: part.expression
        for block in function.blocks
        for part in block.body
        if isinstance(part, Assign) and isinstance(part.expression, Operation) and part.expression.operator == "select"
    }
    for block in function.blocks:
        every = leads_to(block.terminator, {})
        if len(every) < 2 or not block.phis or not all(isinstance(part, Assign) for part in block.body):
            continue
        for origin in dict.fromkeys(origin for phi in block.phis for origin, _ in phi.incoming):
            leads = {target for known in _entered(block, origin, chosen) for target in _leads(block, known)}
            if len(leads) < len(every):
                found[origin, block.name] = tuple(each for each in every if each in leads)
    return found


def _entered(block: Block, origin: str, chosen: Mapping[str, Operation]) -> Iterator[dict[str, Value]]:
    """Give what is known where a block is entered from another one: once for each operand of a ``select``."""
    known, either = dict[str, Value](), dict[str, tuple[Expression, ...]]()
    for phi in block.phis:
        expression = dict(phi.incoming)[origin]
        if (value := value_of(expression, {})) is not None:
            known[phi.target] = value
        elif isinstance(expression, Register) and expression.name in chosen:
            operands = chosen[expression.name].arguments[1:]
            if all(value_of(each, {}) is not None for each in operands):
                either[phi.target] = operands
    if len(either) != 1:
        yield known
        return
    for target, operands in either.items():
        for each in operands:
            value = value_of(each, {})
            assert value is not None
            yield {**known, target: value}


def _leads(block: Block, known: dict[str, Value]) -> tuple[str, ...]:
    for part in block.body:
        assert isinstance(part, Assign)
        value = value_of(part.expression, known)
        if value is not None:
            known[part.target] = value
    return leads_to(block.terminator, known)
