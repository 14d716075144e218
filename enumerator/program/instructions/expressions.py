"""Values that a thread computes without memory: constants, registers, operations on them."""

from __future__ import annotations

from typing import Union

from enumerator.frozen import dataclass
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = ["Assign", "Constant", "Expression", "Freeze", "HIDDEN", "Operation", "Register"]


HIDDEN = "\0"
"""With this begin the names of registers that front ends add: no text has them, and results do not show them."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, or the address of an object."""

    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Register:
    """A local register or parameter of the function that is running, without ``%``.

    A name with ``%`` is a property of the thread, the same in all functions: ``%workitem.id.x`` … (see
    :func:`enumerator.scopes.identities`).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A pure operation on values.

    `operator` is LLVM's opcode, except that ``icmp`` carries its predicate (``icmp eq``), that address computation
    is ``ptradd`` (pointer, byte offset as a signed integer), and that ``tuple`` makes a vector or array of operands.
    `type` is the type of the result, `operand_type` of the first operand. `indices` are the constant indices of
    ``extractvalue`` and ``insertvalue``, and the mask of ``shufflevector``, with -1 for poison; a ``bitcast`` has one
    where bytes are in big-endian order. ``extractelement``,
    ``insertelement`` and ``select`` take their operands in LLVM's order.
    """

    operator: str
    arguments: tuple[Expression, ...]
    type: Type
    operand_type: Type
    indices: tuple[int, ...] = ()


Expression = Union[Constant, Register, Operation]


@dataclass(frozen=True, slots=True)
class Assign:
    """``%target = expression``."""

    target: str
    expression: Expression
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Freeze:
    """``%target = freeze expression``."""

    target: str
    expression: Expression
    type: Type
    line: int | None = None
