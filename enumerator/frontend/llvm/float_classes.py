"""What class a floating-point number is of (LangRef, ``llvm.is.fpclass``): its bits tell, as IEEE 754 lays them out."""

from __future__ import annotations

from enumerator.program.instructions import Constant, Expression, Operation
from enumerator.program.types import FloatType, IntType, Type
from enumerator.program.values import signed

__all__ = ["CLASSES", "of_class"]

CLASSES = "llvm.is.fpclass."
"""How the names of the intrinsics begin."""

_FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
"""By type, how many bits the fraction has, of which the highest is set in a quiet NaN."""

_BIT = IntType(1)


def of_class(value: Expression, type_: Type, mask: int) -> Expression | None:
    """Tell whether a number is of one of the classes that a mask names; None for numbers of other types.

    Parameters
    ----------
    value : Expression
    type_ : Type
    mask : int
        Bits 0 and 1 stand for signalling and quiet NaNs; 2 to 5 for the infinity, normal numbers, subnormal ones and
        the zero that are negative; 6 to 9 for the positive ones, the other way round.

    Returns
    -------
    Expression or None
    """
    if not isinstance(type_, FloatType) or type_.name not in _FRACTION:
        return None
    fraction, number = _FRACTION[type_.name], IntType(8 * type_.size)
    sign = 1 << (number.width - 1)
    infinity, normal = sign - (1 << fraction), 1 << fraction
    quiet = infinity | 1 << (fraction - 1)
    bits = Operation("bitcast", (value,), number, type_)
    classes = ((0, 1), (1, normal), (normal, infinity), (infinity, infinity + 1))  # zeros, subnormal, normal, infinite
    found: list[Expression] = []
    if mask & 3:  # of either sign
        first, behind = (quiet, infinity + 1)[mask & 1], (quiet, sign)[mask >> 1 & 1]
        magnitude = Operation("and", (bits, Constant(sign - 1, number)), number, number)
        found.append(_within(magnitude, number, first, behind))
    for place, (first, behind) in enumerate(classes):
        if mask & 1 << (6 + place):
            found.append(_within(bits, number, first, behind))
        if mask & 1 << (5 - place):
            found.append(_within(bits, number, sign + first, sign + behind))
    result: Expression = Constant(0, _BIT)
    for each in found:
        result = Operation("or", (result, each), _BIT, _BIT)
    return result


def _within(bits: Expression, number: IntType, first: int, behind: int) -> Expression:
    """Tell whether a number is at least `first` and less than `behind`, not signed."""
    above = Operation("sub", (bits, Constant(signed(first, number.width), number)), number, number)
    return Operation("icmp ult", (above, Constant(signed(behind - first, number.width), number)), _BIT, number)
