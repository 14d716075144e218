"""LLVM's operations on integers, and its intrinsics: bits that are counted or moved, sums that saturate, overflow.

References: LangRef, *Binary Operations*, *Bitwise Binary Operations*, *Bit Manipulation Intrinsics* and the two
sections behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, lshift, mul, sub

from enumerator.program.values import UNDEF, Value, signed

__all__ = ["BINARY", "INTEGER_OPERATIONS", "binary", "integer_operation", "wide"]

BINARY = frozenset("add sub mul and or xor shl lshr ashr udiv urem sdiv srem".split())


def binary(operator: str, left: int, right: int, width: int) -> Value:
    """Apply one of `BINARY` to two integers, of which any may be signed or not.

    Examples
    --------
    >>> binary("add", 127, 1, 8), binary("sdiv", -7, 2, 8), binary("shl", 1, 8, 8)
    (-128, -3, undef)
    """
    mask = (1 << width) - 1
    a, b = left & mask, right & mask
    match operator:
        case "add":
            return signed(a + b, width)
        case "sub":
            return signed(a - b, width)
        case "mul":
            return signed(a * b, width)
        case "and":
            return signed(a & b, width)
        case "or":
            return signed(a | b, width)
        case "xor":
            return signed(a ^ b, width)
        case "shl":
            return signed(a << b, width) if b < width else UNDEF
        case "lshr":
            return signed(a >> b, width) if b < width else UNDEF
        case "ashr":
            return signed(wide(a, width) >> b, width) if b < width else UNDEF
    if b == 0:
        return UNDEF  # undefined behaviour, for which unfolding has a path of its own
    match operator:
        case "udiv":
            return signed(a // b, width)
        case "urem":
            return signed(a % b, width)
    x, y = wide(a, width), wide(b, width)
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return signed(quotient if operator == "sdiv" else x - quotient * y, width)


def wide(number: int, width: int) -> int:
    """Read a bit pattern as a signed number; unlike `signed`, one bit set is -1."""
    return number - (1 << width) if number >> (width - 1) & 1 else number


def integer_operation(operator: str, numbers: Sequence[int], width: int) -> Value:
    """Apply an operation to integers, of which any may be signed or not.

    Parameters
    ----------
    operator : str
        One of `INTEGER_OPERATIONS`: the name of the intrinsic; ``sadd.overflow`` and its like give the second part of
        what ``llvm.sadd.with.overflow`` does.
    numbers : sequence of int
    width : int
        Of the operands, in bits.

    Returns
    -------
    Value
        An integer of at most `width` bits, whose sign does not count; undef where LLVM says poison.

    Examples
    --------
    >>> integer_operation("cttz", (8, 1), 32), integer_operation("ctlz", (0, 1), 32)
    (3, undef)
    >>> integer_operation("usub.sat", (1, 2), 8), integer_operation("sadd.overflow", (127, 1), 8)
    (0, 1)
    >>> integer_operation("sshl.sat", (-3, 7), 8), integer_operation("ushl.sat", (3, 9), 8)
    (-128, undef)
    """
    mask = (1 << width) - 1
    unsigned = tuple(number & mask for number in numbers)
    if "." in operator:
        kind, how = operator.split(".")
        least, most = (-(1 << (width - 1)), mask >> 1) if kind[0] == "s" else (0, mask)
        left, right = unsigned if kind[0] == "u" else tuple(each - (each > most) * (mask + 1) for each in unsigned)
        if kind[1:] == "shl" and unsigned[1] >= width:
            return UNDEF
        exact = _EXACT[kind[1:]](left, unsigned[1] if kind[1:] == "shl" else right)
        return min(max(exact, least), most) if how == "sat" else int(not least <= exact <= most)
    return _OPERATIONS[operator](unsigned, width)


def _zeros(numbers: tuple[int, ...], width: int, bits: Callable[[int, int], int]) -> Value:
    number, poison = numbers
    return bits(number, width) if number else UNDEF if poison else width


def _abs(numbers: tuple[int, ...], width: int) -> Value:
    number, poison = numbers
    least = 1 << (width - 1)
    return UNDEF if number == least and poison else number if number < least else (1 << width) - number


def _bswap(numbers: tuple[int, ...], width: int) -> Value:
    return int.from_bytes(numbers[0].to_bytes(width // 8, "little"), "big")


def _funnel(numbers: tuple[int, ...], width: int, left: bool) -> Value:
    high, low, by = numbers
    by %= width
    return ((high << width | low) << by >> width if left else (high << width | low) >> by) & ((1 << width) - 1)


_EXACT: dict[str, Callable[[int, int], int]] = {"add": add, "sub": sub, "mul": mul, "shl": lshift}

_OPERATIONS: dict[str, Callable[[tuple[int, ...], int], Value]] = {
    "abs": _abs,
    "ctpop": lambda numbers, _: numbers[0].bit_count(),
    "ctlz": lambda numbers, width: _zeros(numbers, width, lambda number, of: of - number.bit_length()),
    "cttz": lambda numbers, width: _zeros(numbers, width, lambda number, _: (number & -number).bit_length() - 1),
    "bswap": _bswap,
    "bitreverse": lambda numbers, width: int(f"{numbers[0]:0{width}b}"[::-1], 2),
    "fshl": lambda numbers, width: _funnel(numbers, width, True),
    "fshr": lambda numbers, width: _funnel(numbers, width, False),
}

INTEGER_OPERATIONS = frozenset(
    [*_OPERATIONS, *(f"{sign}{name}.sat" for sign in "us" for name in ("add", "sub", "shl"))]
    + [f"{sign}{name}.overflow" for sign in "us" for name in ("add", "sub", "mul")]
)
