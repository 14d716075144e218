"""OpenCL's functions that choose, compare, rearrange and convert elements of vectors, or scalars.

Sources: The OpenCL C Specification, 6.4.3 (Explicit Conversions), 6.15.6 (Relational Functions), 6.15.14 (Miscellaneous
Vector Functions). A scalar is true if it is not zero, an element of a vector if its highest bit is set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from enumerator.frontend.llvm.mangling import ParameterType
from enumerator.frontend.llvm.opencl_integers import by_lanes, saturated
from enumerator.frontend.llvm.vectors import lane_of
from enumerator.program.instructions import Constant, Expression, Operation
from enumerator.program.types import FloatType, IntType, Type, VectorType, store_size

__all__ = ["vector_function"]

Arguments = Sequence[tuple[Expression, Type]]

_BIT = IntType(1)

_COMPARISONS = {
    "isequal": "oeq",
    "isnotequal": "une",
    "isgreater": "ogt",
    "isgreaterequal": "oge",
    "isless": "olt",
    "islessequal": "ole",
    "islessgreater": "one",
    "isordered": "ord",
    "isunordered": "uno",
}
"""By name, how LLVM compares."""

_CONVERSION = re.compile(r"convert_(u?)(?:char|short|int|long|half|float|double)(?:2|3|4|8|16)?(_sat)?(_rte)?")


def vector_function(
    name: str, parameters: Sequence[ParameterType], arguments: Arguments, result: Type | None
) -> Expression | None:
    """Give the value of such a function; None for others, and where what it rounds to is left open.

    Parameters
    ----------
    name : str
        Not mangled.
    parameters : sequence of ParameterType
        They tell signed from unsigned numbers.
    arguments : sequence of (Expression, Type)
    result : Type or None

    Examples
    --------
    >>> i32 = IntType(32)
    >>> vector_function("any", [ParameterType("int")], [(Constant(-3, i32), i32)], i32).operator
    'zext'
    """
    if result is None:
        return None
    match name, list(arguments):
        case "select", [_, _, (_, chooses)]:
            return _select(arguments, chooses, result)
        case (("any" | "all"), [(value, type_)]):
            return _any_or_all(name, value, type_, result)
        case "shuffle", [(vector, VectorType() as type_), (mask, VectorType() as mask_type)]:
            return _shuffle(vector, type_, mask, mask_type, result)
        case "shuffle2", [(first, VectorType() as type_), (second, _), (mask, VectorType() as mask_type)]:
            both, numbers = VectorType(2 * type_.count, type_.element), tuple(range(2 * type_.count))
            vector = Operation("shufflevector", (first, second), both, type_, numbers)
            return _shuffle(vector, both, mask, mask_type, result)
        case _ if name in _COMPARISONS and len(arguments) == 2:
            return _compare(_COMPARISONS[name], arguments, result)
        case "isnan", [value]:
            return _compare("uno", (value, value), result)
    conversion = _CONVERSION.fullmatch(name)
    return None if conversion is None or len(arguments) != 1 else _convert(conversion, parameters, arguments, result)


def _element(type_: Type) -> Type:
    return type_.element if isinstance(type_, VectorType) else type_


def _select(arguments: Arguments, chooses: Type, result: Type) -> Expression | None:
    number, type_ = _element(chooses), _element(result)
    if not isinstance(number, IntType):
        return None
    predicate = "slt" if isinstance(chooses, VectorType) else "ne"

    def lane(values: Sequence[Expression]) -> Expression:
        first, second, choice = values
        chosen = Operation(f"icmp {predicate}", (choice, Constant(0, number)), _BIT, number)
        return Operation("select", (chosen, second, first), type_, _BIT)

    return by_lanes(arguments, result, lane)


def _any_or_all(name: str, value: Expression, type_: Type, result: Type) -> Expression | None:
    """Look at the highest bit of all elements, also at that of a scalar."""
    lanes = [lane_of(value, type_, each) for each in range(type_.count)] if isinstance(type_, VectorType) else [value]
    number = _element(type_)
    if not isinstance(number, IntType):
        return None
    together, *others = lanes
    for each in others:
        together = Operation("or" if name == "any" else "and", (together, each), number, number)
    true = Operation("icmp slt", (together, Constant(0, number)), _BIT, number)
    return Operation("zext", (true,), result, _BIT)


def _shuffle(
    vector: Expression, type_: VectorType, mask: Expression, mask_type: VectorType, result: Type
) -> Expression:
    """Take the elements that a mask names: of the numbers in it the lowest bits count, as many as that takes."""
    number, last = mask_type.element, Constant(type_.count - 1, mask_type.element)

    def lane(values: Sequence[Expression]) -> Expression:
        index = Operation("and", (values[0], last), number, number)
        return Operation("extractelement", (vector, index), type_.element, type_)

    return by_lanes([(mask, mask_type)], result, lane)


def _compare(predicate: str, arguments: Arguments, result: Type) -> Expression | None:
    type_, number = _element(arguments[0][1]), _element(result)
    if not isinstance(type_, FloatType) or not isinstance(number, IntType):
        return None
    extension = "sext" if isinstance(result, VectorType) else "zext"  # 1, and -1 in vectors

    def lane(values: Sequence[Expression]) -> Expression:
        return Operation(extension, (Operation(f"fcmp {predicate}", tuple(values), _BIT, type_),), number, _BIT)

    return by_lanes(arguments, result, lane)


def _convert(
    conversion: re.Match[str], parameters: Sequence[ParameterType], arguments: Arguments, result: Type
) -> Expression | None:
    """Convert numbers: to integers from integers only, as out of range what becomes of others is left open."""
    of = parameters[0] if parameters[0].to is None else parameters[0].to
    from_, to = _element(arguments[0][1]), _element(result)
    from_signed, signed, saturates = not of.unsigned, not conversion[1], bool(conversion[2])

    def lane(values: Sequence[Expression]) -> Expression:
        (value,) = values
        if from_ == to and not saturates:
            return value
        if isinstance(from_, IntType) and isinstance(to, IntType):
            if saturates:  # in one bit more than both have, which holds the numbers of both
                wide = IntType(max(from_.width, to.width) + 1)
                value = Operation("sext" if from_signed else "zext", (value,), wide, from_)
                return saturated(value, wide, True, to, signed)
            narrower = "trunc" if to.width < from_.width else "sext" if from_signed else "zext"
            return Operation(narrower, (value,), to, from_)
        if isinstance(from_, IntType):
            return Operation("sitofp" if from_signed else "uitofp", (value,), to, from_)
        return Operation("fpext" if store_size(to) > store_size(from_) else "fptrunc", (value,), to, from_)

    if not all(isinstance(each, IntType | FloatType) for each in (from_, to)):
        return None
    if (isinstance(from_, FloatType) and isinstance(to, IntType)) or (isinstance(to, FloatType) and saturates):
        return None
    return by_lanes(arguments, result, lane)
