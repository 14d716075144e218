"""OpenCL's functions on integers, which clang leaves to device libraries (The OpenCL C Specification, 6.15.3)."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.frontend.llvm.intrinsics import extreme, on_integers
from enumerator.frontend.llvm.mangling import ParameterType
from enumerator.program.instructions import Constant, Expression, Operation
from enumerator.program.types import IntType, Type

__all__ = ["integer_function"]

_INTRINSICS = {"clz": "ctlz", "ctz": "cttz", "popcount": "ctpop", "abs": "abs", "rotate": "fshl"}
_FLAGGED = ("clz", "ctz", "abs")  # their intrinsics take a bit: whether zero, or the smallest number, is poison


def integer_function(
    name: str, parameters: Sequence[ParameterType], arguments: Sequence[tuple[Expression, Type]]
) -> Expression | None:
    """Give the value of a function on scalar integers; None for others.

    Parameters
    ----------
    name : str
        Not mangled.
    parameters : sequence of ParameterType
        They tell signed from unsigned numbers.
    arguments : sequence of (Expression, Type)

    Examples
    --------
    >>> i32 = IntType(32)
    >>> integer_function("popcount", [ParameterType("int")], [(Constant(3, i32), i32)]).operator
    'ctpop'
    """
    if not arguments or any(not isinstance(type_, IntType) for _, type_ in arguments):
        return None
    values, type_ = [value for value, _ in arguments], arguments[0][1]
    sign = "u" if parameters[0].unsigned else "s"
    match name, len(arguments):
        case (("min" | "max"), 2):
            found = extreme(f"llvm.{sign}{name}.", arguments)
            return None if found is None else found[0]
        case "clamp", 3:
            low = extreme(f"llvm.{sign}max.", arguments[:2])
            found = None if low is None else extreme(f"llvm.{sign}min.", [low, arguments[2]])
            return None if found is None else found[0]
        case (("clz" | "ctz" | "popcount" | "abs" | "rotate"), (1 | 2)):
            if name == "abs" and sign == "u":
                return values[0]
            more = [(Constant(0, IntType(1)), IntType(1))] if name in _FLAGGED else []
            given = [arguments[0], *arguments] if name == "rotate" else [*arguments, *more]
            return on_integers(f"llvm.{_INTRINSICS[name]}.x", given)
        case "mul24", 2:
            return Operation("mul", tuple(values), type_, type_)
        case "mad24", 3:
            return Operation("add", (Operation("mul", tuple(values[:2]), type_, type_), values[2]), type_, type_)
        case _:
            return None
