"""Copies of tensors between global memory and LDS: which objects their descriptors speak of.

A descriptor is several vectors of numbers; the two addresses are somewhere among these. So it must have been computed
from one pointer to LDS and one to global memory. Where in these objects the tile is, its other numbers say, which are
not looked at: the copy is of whole objects (semantics, section 10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from enumerator.program.instructions import (
    Assign,
    AsyncCopy,
    Constant,
    Expression,
    Function,
    Instruction,
    Operation,
    Register,
    Unsupported,
)
from enumerator.program.types import PointerType
from enumerator.program.values import Pointer

__all__ = ["DESCRIPTOR", "with_objects"]

#: The operator of the expression that stands for both addresses until they are found.
DESCRIPTOR = "descriptor"


def with_objects(function: Function) -> Function:
    """Find the pointers of the tensor copies of a function.

    Returns
    -------
    Function
        With the pointers to both objects in each copy, in any order; a copy of which they are not known is not covered.
    """
    definitions = {part.target: part.expression for part in function.instructions if isinstance(part, Assign)}
    blocks = tuple(
        replace(block, body=tuple(_resolved(part, definitions) for part in block.body)) for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _resolved(part: Instruction, definitions: dict[str, Expression]) -> Instruction:
    if not isinstance(part, AsyncCopy) or part.type is not None:
        return part
    assert isinstance(part.source, Operation)
    found = list(dict.fromkeys(_pointers(part.source, definitions, set())))
    if len(found) != 2:
        text = f"a tensor {'load' if part.write.address_space == 3 else 'store'}"
        why = f"its descriptor is computed from {len(found)} pointers, instead of one to LDS and one to global memory"
        return Unsupported(text, part.line, why)
    return replace(part, source=found[0], destination=found[1])


def _pointers(expression: Expression, definitions: dict[str, Expression], seen: set[str]) -> Iterator[Expression]:
    """Give the pointers that a number is computed from: what becomes an integer on the way to it."""
    if isinstance(expression, Register):
        if expression.name in definitions and expression.name not in seen:
            seen.add(expression.name)
            yield from _pointers(definitions[expression.name], definitions, seen)
    elif isinstance(expression, Operation):
        if expression.operator == "ptrtoint":
            yield _base(expression.arguments[0], definitions)
            return
        for argument in expression.arguments:
            yield from _pointers(argument, definitions, seen)
    elif isinstance(expression, Constant):
        parts = expression.value if isinstance(expression.value, tuple) else (expression.value,)
        for part in parts:
            if isinstance(part, Pointer):
                yield Constant(Pointer(part.object), PointerType())


def _base(pointer: Expression, definitions: dict[str, Expression]) -> Expression:
    """Give the pointer that an address is an offset from, as far as that is seen."""
    while True:
        if isinstance(pointer, Register) and isinstance(definitions.get(pointer.name), Operation):
            step = definitions[pointer.name]
        else:
            step = pointer
        if isinstance(step, Constant) and isinstance(step.value, Pointer):
            return Constant(Pointer(step.value.object), PointerType())
        if not (isinstance(step, Operation) and step.operator in ("ptradd", "bitcast")):
            return pointer
        pointer = step.arguments[0]
