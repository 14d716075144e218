"""OpenCL's functions whose results rest on what the other threads of a sub-group or a work-group give.

Sources: The OpenCL C Specification, 6.15.16 (Work-group Collective Functions); the extension cl_khr_subgroups.
"""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    Assign,
    Call,
    Constant,
    Expression,
    Instruction,
    Operation,
    Register,
    Unsupported,
)
from enumerator.program.types import IntType, Type

__all__ = ["COLLECTIVES", "in_sub_group", "in_work_group"]

Arguments = Sequence[tuple[Expression, Type]]

_BIT, _INT, _LONG = IntType(1), IntType(32), IntType(64)

COLLECTIVES = (
    *("all", "any", "broadcast"),
    *(f"{how}_{of}" for how in ("reduce", "scan_inclusive", "scan_exclusive") for of in ("add", "min", "max")),
)
"""What follows ``sub_group_`` and ``work_group_`` in the names of these functions."""


def in_sub_group(
    name: str, arguments: Arguments, target: str, line: int | None, *, unsigned: bool
) -> list[Instruction]:
    """Give what a function of a sub-group does in waves of one lane: that is its own value, or nothing to go before it.

    Parameters
    ----------
    name : str
        ``sub_group_`` and one of `COLLECTIVES`.
    arguments : sequence of (Expression, Type)
    target : str
        The register of the result.
    line : int or None
    unsigned : bool
        Whether the first argument is an unsigned number.

    Returns
    -------
    list of Instruction
    """
    value, type_ = arguments[0]
    what = name.removeprefix("sub_group_")
    if what in ("any", "all"):
        true = Operation("icmp ne", (value, Constant(0, type_)), _BIT, type_)
        value = Operation("zext", (true,), type_, _BIT)
    elif what.startswith("scan_exclusive"):
        if not isinstance(type_, IntType):
            raise NotCovered(f"{name} of no integers")
        value = Constant(_nothing(what.rpartition("_")[2], type_, unsigned=unsigned), type_)
    check = Unsupported(name, line, "a value that goes between the lanes of a wave", unless="%only.lane")
    return [check, Assign(target, value, line)]


def in_work_group(
    name: str, arguments: Arguments, target: str, line: int | None, *, unsigned: bool
) -> list[Instruction]:
    """Give what a function of a work-group does: the library combines what its threads give (``workgroups.ll``).

    All of a work-group encounter it, and each waits for the values that it needs. Other memory is not ordered so.

    Parameters
    ----------
    name : str
        ``work_group_`` and one of `COLLECTIVES`.
    arguments, target, line, unsigned
        See :func:`in_sub_group`.

    Returns
    -------
    list of Instruction
    """
    what = name.removeprefix("work_group_")
    value, type_ = arguments[0]
    if not isinstance(type_, IntType) or type_.width > 64:
        raise NotCovered(f"{name} of no integers")
    how, _, operation = what.rpartition("_")
    mine, size = Register("%workitem.id.x"), Register("%workgroup.size.x")
    begin: Expression = Constant(0, _INT)
    end: Expression = Operation("add", (mine, Constant(1, _INT)), _INT, _INT) if how == "scan_inclusive" else size
    if how == "scan_exclusive":
        end = mine
    if what in ("any", "all"):
        value = Operation("zext", (Operation("icmp ne", (value, Constant(0, type_)), _BIT, type_),), _LONG, _BIT)
        operation, unsigned = ("umax", False) if what == "any" else ("umin", False)
        first = int(what == "all")
    elif what == "broadcast":
        if len(arguments) != 2:
            raise NotCovered(f"{name} in a grid of several dimensions")
        place, of = arguments[1]
        begin = place if of == _INT else Operation("trunc", (place,), _INT, of)
        end = Operation("add", (begin, Constant(1, _INT)), _INT, _INT)
        operation, first = "add", 0
    else:
        first = _nothing(operation, type_, unsigned=unsigned)
        operation = operation if operation == "add" else f"{'u' if unsigned else 's'}{operation}"
    if what not in ("any", "all") and type_.width < 64:
        value = Operation("zext" if unsigned else "sext", (value,), _LONG, type_)
        first = first & ((1 << type_.width) - 1) if unsigned else first
    given = (value, Constant(first, _LONG), mine, begin, end)
    found = f"{target} in the group"
    result: Expression = Register(found)
    if type_.width < 64:
        result = Operation("trunc", (result,), type_, _LONG)
    return [
        Call(found, f"enumerator.group.{operation}", given, line),
        Assign(target, result, line),
    ]


def _nothing(operation: str, type_: IntType, *, unsigned: bool) -> int:
    """Give the number that an operation of a group leaves others as they are with."""
    most = -1 if unsigned else (1 << (type_.width - 1)) - 1
    return {"add": 0, "min": most, "max": 0 if unsigned else -most - 1}[operation]
