"""Floating-point numbers: their bits, how LLVM writes them, and exact arithmetic on them.

A number is held as a text (:class:`~enumerator.program.values.Term` without arguments): decimal with six digits behind
the point where that is exact, else its bits (those of a ``float`` as ``f0x…``). So equal numbers have equal texts.
Results are rounded to the nearest number, ties to even (LangRef, *Floating-Point Environment*); every result that is no
number has the same bits.

The formats are ``half``, ``bfloat``, ``float`` and ``double``; arithmetic in others is not computed.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from enumerator.program.types import FloatType, IntType, Type
from enumerator.program.values import UNDEF, Term, Value, signed

__all__ = ["arithmetic", "bits_of", "constant_text", "number_of", "same_number"]

_FRACTION_BITS = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
_WIDTH = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
_PREFIX = {"half": "0xH", "bfloat": "0xR", "float": "f0x", "x86_fp80": "0xK", "fp128": "0xL", "ppc_fp128": "0xM"}


@lru_cache(maxsize=4096)
def bits_of(value: Value, type_: FloatType) -> int | None:
    """Give the bits of a floating-point constant, as an unsigned integer.

    Parameters
    ----------
    value : Value
    type_ : FloatType

    Returns
    -------
    int or None
        None if it was not computed.

    Examples
    --------
    >>> hex(bits_of(Term("1.000000e+00"), FloatType("float", 4))), bits_of(Term("sqrt"), FloatType("float", 4))
    ('0x3f800000', None)
    """
    if not isinstance(value, Term) or value.arguments:
        return None
    text, name = value.operator, type_.name
    prefix = _PREFIX.get(name)
    try:
        if prefix is not None and text.startswith(prefix):
            return int(text[len(prefix) :], 16)
        if text.startswith("0x"):
            number = struct.unpack(">d", int(text, 16).to_bytes(8, "big"))[0]
        else:
            number = float(text)
    except (ValueError, OverflowError, struct.error):
        return None
    if name not in _WIDTH:
        return 0 if number == 0 and math.copysign(1, number) > 0 else None
    if text.startswith("0x") and math.isnan(number):
        return _narrow_nan(int(text, 16), name)
    return _rounded(number, name)


@lru_cache(maxsize=4096)
def number_of(bits: int, type_: FloatType) -> Value:
    """Give the floating-point number with some bits.

    Parameters
    ----------
    bits : int
        Signed or unsigned.
    type_ : FloatType

    Returns
    -------
    Value

    Examples
    --------
    >>> number_of(0x3FC00000, FloatType("float", 4)), number_of(0x3DCCCCCD, FloatType("float", 4))
    (Term(operator='1.500000e+00', arguments=()), Term(operator='f0x3DCCCCCD', arguments=()))
    >>> number_of(0x3C00, FloatType("half", 2))
    Term(operator='0xH3C00', arguments=())
    """
    name = type_.name
    if name not in _WIDTH:
        digits = {"x86_fp80": 20, "fp128": 32, "ppc_fp128": 32}[name]
        return Term(f"{_PREFIX[name]}{bits & (1 << 4 * digits) - 1:0{digits}X}")
    bits &= (1 << _WIDTH[name]) - 1
    if name in ("half", "bfloat"):
        return Term(f"{_PREFIX[name]}{bits:04X}")
    number = _float(bits, name)
    if math.isfinite(number):
        text = f"{number:.6e}"
        if float(text) == number:
            return Term(text)
    return Term(f"f0x{bits:08X}" if name == "float" else f"0x{bits:016X}")


def constant_text(value: Term, type_: FloatType) -> str:
    """Write a floating-point constant in LLVM IR, by its bits; those of a ``float`` as of the ``double`` that it is.

    Examples
    --------
    >>> constant_text(Term("f0x3DCCCCCD"), FloatType("float", 4))
    '0x3FB99999A0000000'
    """
    bits = bits_of(value, type_)
    if bits is None or type_.name not in ("float", "double"):
        return value.operator
    if type_.name == "float":
        number = _float(bits, "float")
        if math.isnan(number):  # what is no number keeps its bits
            bits = (bits & 1 << 31) << 32 | 0x7FF << 52 | (bits & (1 << 23) - 1) << 29
        else:
            bits = _rounded(number, "double")
    return f"0x{bits:016X}"


def same_number(one: Value, other: Value) -> bool | None:
    """Tell whether two floating-point numbers are equal, of which one may be a constant of a condition.

    A decimal number stands for the number that is nearest to it in the format of the other one.

    Parameters
    ----------
    one, other : Value

    Returns
    -------
    bool or None
        None if one of them is not a number that is known.

    Examples
    --------
    >>> same_number(Term("f0x3DCCCCCD"), Term("1.000000e-01")), same_number(Term("sqrt"), Term("1.0"))
    (True, None)
    """
    if one == other:
        return True
    names = {_name_of(one), _name_of(other)}
    if None in names:
        return None
    formats = [name for name in names if name] or ["double"]
    if len(formats) > 1 or formats[0] is None:
        return False
    type_ = FloatType(formats[0], _WIDTH.get(formats[0], 128) // 8)
    return None is not bits_of(one, type_) == bits_of(other, type_)


def _name_of(value: Value) -> str | None:
    """Name the format whose bits a number is written by, empty if it is decimal; None if it is no number."""
    if not isinstance(value, Term) or value.arguments:
        return None
    for name, prefix in _PREFIX.items():
        if value.operator.startswith(prefix):
            return name
    if value.operator.startswith("0x"):
        return "double"
    try:
        float(value.operator)
    except ValueError:
        return None
    return ""


def arithmetic(operator: str, arguments: tuple[Value, ...], type_: Type, operand_type: Type) -> Value:
    """Compute an operation on scalars of which an operand or the result is a floating-point number.

    Parameters
    ----------
    operator : str
        LLVM's opcode; ``fcmp`` with its predicate; or that of an ``atomicrmw`` (``fadd``, ``fmax`` …).
    arguments : tuple of Value
        None of them undef.
    type_, operand_type : Type
        Of the result and of the first operand.

    Returns
    -------
    Value
        A :class:`~enumerator.program.values.Term` of the operation where it is not computed.

    Examples
    --------
    >>> single = FloatType("float", 4)
    >>> arithmetic("fadd", (Term("5.000000e-01"), Term("1.000000e+00")), single, single)
    Term(operator='1.500000e+00', arguments=())
    >>> arithmetic("fcmp olt", (Term("5.000000e-01"), Term("1.000000e+00")), IntType(1), single)
    1
    >>> arithmetic("fptosi", (Term("2.500000e+00"),), IntType(8), single)
    2
    """
    source = operand_type if isinstance(operand_type, FloatType) else None
    if source is not None and source.name in _WIDTH:
        bits = [bits_of(argument, source) for argument in arguments]
        known = [each for each in bits if each is not None]
        if len(known) == len(bits):
            return _on_numbers(operator, known, arguments, type_, source)
    elif operator in ("sitofp", "uitofp") and isinstance(type_, FloatType) and type_.name in _WIDTH:
        number = arguments[0]
        if isinstance(number, int) and isinstance(operand_type, IntType):
            if operator == "uitofp" or operand_type.width == 1:
                number %= 1 << operand_type.width
            if operator == "sitofp" and operand_type.width == 1:
                number = -number
            return number_of(_rounded(Fraction(number), type_.name), type_)
    return Term(operator, arguments)


def _on_numbers(operator: str, bits: list[int], arguments: tuple[Value, ...], type_: Type, source: FloatType) -> Value:
    name = source.name
    sign = 1 << (_WIDTH[name] - 1)
    numbers = [_float(each, name) for each in bits]
    if operator == "fneg":
        return number_of(bits[0] ^ sign, source)
    if operator == "fabs":
        return number_of(bits[0] & ~sign, source)
    if operator.startswith("fcmp "):
        return _compare(operator[5:], numbers[0], numbers[1])
    if operator in ("fptrunc", "fpext") and isinstance(type_, FloatType) and type_.name in _WIDTH:
        return number_of(_rounded(numbers[0], type_.name), type_)
    if operator in ("fptosi", "fptoui") and isinstance(type_, IntType):
        return _integer(operator, numbers[0], type_.width)
    if operator == "fma":
        a, b, c = numbers
        if all(map(math.isfinite, numbers)) and (exact := Fraction(a) * Fraction(b) + Fraction(c)):
            return number_of(_rounded(exact, name), source)  # rounded once
        return number_of(_rounded(a * b + c, name), source)
    if operator in _BINARY and len(numbers) == 2:
        return number_of(_BINARY[operator](numbers[0], numbers[1], name), source)
    return Term(operator, arguments)


# Rounding ---------------------------------------------------------------------------------------------------


def _float(bits: int, name: str) -> float:
    """Give the number with some bits; every number of each format is one of Python's."""
    if name == "double":
        return float(struct.unpack(">d", bits.to_bytes(8, "big"))[0])
    if name == "half":
        return float(struct.unpack(">e", bits.to_bytes(2, "big"))[0])
    wide = bits << 16 if name == "bfloat" else bits
    return float(struct.unpack(">f", wide.to_bytes(4, "big"))[0])


def _rounded(number: float | Fraction, name: str) -> int:
    """Give the bits of the number of a format that is nearest, of two the even one."""
    width, fraction_bits = _WIDTH[name], _FRACTION_BITS[name]
    exponent_bits = width - 1 - fraction_bits
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    negative = number < 0 or (isinstance(number, float) and math.copysign(1, number) < 0)
    sign = int(negative) << (width - 1)
    if isinstance(number, float) and not math.isfinite(number):
        return infinity | 1 << (fraction_bits - 1) if math.isnan(number) else sign | infinity
    exact = abs(Fraction(number))
    if exact == 0:
        return sign
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if exact < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, 1 - bias)  # numbers below the smallest normal one have its exponent
    digits = round(exact / Fraction(2) ** (exponent - fraction_bits))  # to even
    if digits < 1 << fraction_bits:
        return sign | digits
    return sign | min(((exponent + bias - 1) << fraction_bits) + digits, infinity)


def _narrow_nan(bits: int, name: str) -> int:
    """Give the bits of what is no number: LLVM writes those of a ``float`` as of a ``double``."""
    return bits if name == "double" else (bits >> 32 & 1 << 31) | 0xFF << 23 | (bits >> 29 & (1 << 23) - 1)


# Operations -------------------------------------------------------------------------------------------------


_Operation = Callable[[float, float, str], int]


def _exact(compute: Callable[[Fraction, Fraction], Fraction], plain: Callable[[float, float], float]) -> _Operation:
    """Make an operation that is rounded once; infinities and what is no number go through Python's own."""

    def operation(a: float, b: float, name: str) -> int:
        if math.isfinite(a) and math.isfinite(b):
            result = compute(Fraction(a), Fraction(b))
            return _rounded(result if result else plain(a, b), name)  # zero has a sign
        return _rounded(plain(a, b), name)

    return operation


def _divide(a: float, b: float, name: str) -> int:
    if b == 0:
        if a == 0 or math.isnan(a):
            return _rounded(math.nan, name)
        return _rounded(math.copysign(math.inf, a) * math.copysign(1, b), name)
    if math.isfinite(a) and math.isfinite(b) and a:
        return _rounded(Fraction(a) / Fraction(b), name)
    return _rounded(a / b, name)


def _remainder(a: float, b: float, name: str) -> int:
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return _rounded(math.nan, name)
    return _rounded(math.fmod(a, b), name)


def _extreme(greatest: bool, propagates: bool) -> _Operation:
    """Make ``fmax`` or ``fmin`` (LangRef, *llvm.maxnum*), or the forms that prefer what is no number."""

    def operation(a: float, b: float, name: str) -> int:
        if math.isnan(a) or math.isnan(b):
            return _rounded(math.nan if propagates or (math.isnan(a) and math.isnan(b)) else b if a != a else a, name)
        if a == b == 0:
            negative = math.copysign(1, a) < 0, math.copysign(1, b) < 0
            return _rounded(-0.0 if (all if greatest else any)(negative) else 0.0, name)
        return _rounded(max(a, b) if greatest else min(a, b), name)

    return operation


_BINARY: dict[str, _Operation] = {
    "fadd": _exact(lambda a, b: a + b, lambda a, b: a + b),
    "fsub": _exact(lambda a, b: a - b, lambda a, b: a - b),
    "fmul": _exact(lambda a, b: a * b, lambda a, b: a * b),
    "fdiv": _divide,
    "frem": _remainder,
    "fmax": _extreme(True, False),
    "fmin": _extreme(False, False),
    "fmaximum": _extreme(True, True),
    "fminimum": _extreme(False, True),
}


def _compare(predicate: str, left: float, right: float) -> int:
    """Compare as ``fcmp`` does: predicates with ``u`` are true, those with ``o`` false, if one is no number."""
    if predicate in ("true", "false"):
        return int(predicate == "true")
    if math.isnan(left) or math.isnan(right):
        return int(predicate[0] == "u")
    if predicate in ("ord", "uno"):
        return int(predicate == "ord")
    holds = {
        "eq": left == right,
        "ne": left != right,
        "gt": left > right,
        "ge": left >= right,
        "lt": left < right,
        "le": left <= right,
    }
    return int(holds[predicate[1:]])


def _integer(operator: str, number: float, width: int) -> Value:
    """Round towards zero; poison, which is undef here, where the result does not fit."""
    if not math.isfinite(number):
        return UNDEF
    result = math.trunc(number)
    low, high = (0, 1 << width) if operator == "fptoui" else (-(1 << width - 1), 1 << width - 1)
    if not low <= result < high:
        return UNDEF
    return signed(result, width)
