"""Floating-point numbers: exact arithmetic, by fractions (IEEE 754-2019; LangRef, *Floating-Point Types*).

A number is a `Term` with a text: ``1.500000e+00`` where six digits behind the point are exact, else its bits in
hexadecimal, behind ``f0x`` those of a float; of half and bfloat always their bits. Rounding is to nearest, ties to
even.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from enumerator.program.types import FloatType, IntType, Type
from enumerator.program.values import UNDEF, Term, Value

__all__ = ["compare_floats", "convert", "float_bits", "float_operation", "float_text"]

_FORMATS = {"half": (5, 10), "bfloat": (8, 7), "float": (8, 23), "double": (11, 52)}
"""Bits of the exponent and of the fraction."""
_PREFIXES = {"half": "0xH", "bfloat": "0xR"}
_DOUBLE = FloatType("double", 8)


@dataclass(frozen=True)
class _Float:
    """A number: a fraction, infinite, or none; the sign counts for zeros and infinities, too."""

    negative: bool
    size: Fraction | None = None
    nan: bool = False

    @property
    def infinite(self) -> bool:
        return self.size is None and not self.nan

    @property
    def exact(self) -> Fraction:
        assert self.size is not None
        return -self.size if self.negative else self.size


_NAN = _Float(False, nan=True)


# Texts and bits ---------------------------------------------------------------------------------------------


def float_bits(value: Term, type_: FloatType) -> int | None:
    """The bits of a number; None for what is no number, or of a type that is not known here."""
    text = value.operator
    if value.arguments:
        return None
    if type_.name not in _FORMATS:
        return 0 if text[:1].isdigit() and text[:2] != "0x" and float(text) == 0 else None
    if text.startswith(("0xH", "0xR")):
        return int(text[3:], 16) if text.startswith(_PREFIXES.get(type_.name, "-")) else None
    if text.startswith("f0x"):
        return int(text[3:], 16) if type_.name == "float" else None
    if text.startswith("0x"):
        double = int(text, 16)
    elif text[:1].isdigit() or text[:1] in "+-":
        double = int.from_bytes(struct.pack(">d", float(text)), "big")
    else:
        return None
    return double if type_.name == "double" else _convert_bits(double, _DOUBLE, type_)


def float_text(bits: int, type_: FloatType) -> Term | None:
    """The number that some bits are; None for a type that is not known here, but for its zero."""
    if type_.name in _PREFIXES:
        return Term(f"{_PREFIXES[type_.name]}{bits:04X}")
    if type_.name not in _FORMATS:
        return None if bits else Term("0.000000e+00")
    double = bits if type_.name == "double" else _convert_bits(bits, type_, _DOUBLE, quiet=False)
    number = struct.unpack(">d", double.to_bytes(8, "big"))[0]
    text = f"{number:.6e}"
    if _unpack(double, _DOUBLE).size is not None and float(text) == number:
        return Term(text)
    return Term(f"f0x{bits:08X}" if type_.name == "float" else f"0x{double:016X}")


def _convert_bits(bits: int, source: FloatType, target: FloatType, quiet: bool = True) -> int:
    """The nearest number of another format; what is no number keeps the leading bits of what it says."""
    number = _unpack(bits, source)
    if not number.nan:
        return _pack(number, target)
    (_, before), (exponent, after) = _FORMATS[source.name], _FORMATS[target.name]
    payload = bits & ((1 << before) - 1)
    payload = payload << (after - before) if after >= before else payload >> (before - after)
    if quiet or not payload:
        payload |= 1 << (after - 1)
    return (int(number.negative) << exponent | (1 << exponent) - 1) << after | payload


def _unpack(bits: int, type_: FloatType) -> _Float:
    exponent_bits, fraction_bits = _FORMATS[type_.name]
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    negative = bool(bits >> (exponent_bits + fraction_bits) & 1)
    if exponent == (1 << exponent_bits) - 1:
        return _Float(negative, nan=bool(fraction))
    if exponent:
        fraction |= 1 << fraction_bits
    place = max(exponent, 1) - _bias(type_) - fraction_bits
    return _Float(negative, Fraction(fraction) * Fraction(2) ** place)


def _pack(number: _Float, type_: FloatType) -> int:
    exponent_bits, fraction_bits = _FORMATS[type_.name]
    infinite = ((1 << exponent_bits) - 1) << fraction_bits
    sign = int(number.negative) << (exponent_bits + fraction_bits)
    if number.nan:
        return sign | infinite | 1 << (fraction_bits - 1)
    if number.size is None:
        return sign | infinite
    if not number.size:
        return sign
    exponent = max(_logarithm(number.size), 1 - _bias(type_))
    whole = round(number.size / Fraction(2) ** (exponent - fraction_bits))  # ties to even
    # A number below the least normal one has the exponent 0, which stands for the same power of two as 1.
    bits = ((exponent + _bias(type_) - 1) << fraction_bits) + whole
    return sign | min(bits, infinite)


def _bias(type_: FloatType) -> int:
    return (1 << (_FORMATS[type_.name][0] - 1)) - 1


def _logarithm(size: Fraction) -> int:
    """The greatest power of two that is not above a number."""
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess if Fraction(2) ** guess <= size else guess - 1


# Arithmetic -------------------------------------------------------------------------------------------------


def _known(values: Sequence[Value], type_: Type) -> list[_Float] | None:
    """Values as numbers; None if some are not."""
    if not isinstance(type_, FloatType) or type_.name not in _FORMATS:
        return None
    bits = [float_bits(value, type_) if isinstance(value, Term) else None for value in values]
    return None if None in bits else [_unpack(each, type_) for each in bits if each is not None]


def float_operation(operator: str, arguments: tuple[Value, ...], type_: Type) -> Value:
    """``fadd`` and its like; a term where they are not computed."""
    numbers = _known(arguments, type_)
    if numbers is None or not isinstance(type_, FloatType):
        return Term(operator, arguments)
    if operator in ("fneg", "fabs"):  # of the sign alone, whatever the rest says
        (value,) = arguments
        assert isinstance(value, Term)
        bits = float_bits(value, type_)
        assert bits is not None
        sign = 1 << (8 * type_.size - 1)
        return _term(bits ^ sign if operator == "fneg" else bits & ~sign, type_)
    if operator in ("fmax", "fmin", "fmaximum", "fminimum"):
        result = _extreme(operator, *numbers)
    else:
        match operator:
            case "fadd":
                result = _add(*numbers)
            case "fsub":
                result = _add(numbers[0], _negated(numbers[1]))
            case "fmul":
                result = _multiply(*numbers)
            case "fma":
                result = _add(_multiply(*numbers[:2]), numbers[2])
            case "fdiv":
                result = _divide(*numbers)
            case "frem":
                result = _remainder(*numbers)
            case _:
                return Term(operator, arguments)
    return _term(_pack(result, type_), type_)


def _term(bits: int, type_: FloatType) -> Value:
    found = float_text(bits, type_)
    assert found is not None
    return found


def _negated(number: _Float) -> _Float:
    return _Float(not number.negative, number.size, number.nan)


def _exactly(value: Fraction, negative_zero: bool = False) -> _Float:
    return _Float(value < 0 or (value == 0 and negative_zero), abs(value))


def _add(a: _Float, b: _Float) -> _Float:
    if a.nan or b.nan or (a.infinite and b.infinite and a.negative != b.negative):
        return _NAN
    if a.infinite or b.infinite:
        return a if a.infinite else b
    return _exactly(a.exact + b.exact, a.negative and b.negative)


def _multiply(a: _Float, b: _Float) -> _Float:
    negative = a.negative != b.negative
    if a.nan or b.nan or (a.infinite and b.size == 0) or (b.infinite and a.size == 0):
        return _NAN
    if a.size is None or b.size is None:
        return _Float(negative)
    return _Float(negative, a.size * b.size)


def _divide(a: _Float, b: _Float) -> _Float:
    negative = a.negative != b.negative
    if a.nan or b.nan or (a.infinite and b.infinite) or (a.size == 0 and b.size == 0):
        return _NAN
    if a.size is None or b.size == 0:
        return _Float(negative)
    return _Float(negative, Fraction(0) if b.size is None else a.size / b.size)


def _remainder(a: _Float, b: _Float) -> _Float:
    """What is left of a, with its sign, when b is taken from it as often as it goes."""
    if a.nan or b.nan or a.size is None or b.size == 0:
        return _NAN
    return a if b.size is None else _Float(a.negative, a.size % b.size)


def _extreme(operator: str, a: _Float, b: _Float) -> _Float:
    if a.nan or b.nan:
        other = b if a.nan else a
        return _NAN if operator in ("fmaximum", "fminimum") else other
    greater = a if _place(a) >= _place(b) else b
    lesser = b if greater is a else a
    return greater if operator.startswith("fmax") else lesser


def _place(number: _Float) -> tuple[int, Fraction, int]:
    """Where a number stands in the order; -0 before 0."""
    sign = -1 if number.negative else 1
    return (sign, Fraction(0), 0) if number.size is None else (0, number.exact, sign)


def compare_floats(predicate: str, left: Value, right: Value, type_: Type) -> Value:
    """``fcmp``"""
    if predicate in ("true", "false"):
        return int(predicate == "true")
    numbers = _known((left, right), type_)
    if numbers is None:
        return Term(f"fcmp {predicate}", (left, right))
    if any(number.nan for number in numbers):
        return int(predicate.startswith("u"))
    if predicate in ("ord", "uno"):
        return int(predicate == "ord")
    a, b = (_place(number)[:2] for number in numbers)
    truth = {"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}
    return int(truth[predicate[1:]])


def convert(operator: str, value: Value, type_: Type, source: Type) -> Value:
    """Conversions between formats, and from and to integers: poison where the integer has not room enough."""
    if operator in ("sitofp", "uitofp") and isinstance(value, int) and isinstance(source, IntType):
        if isinstance(type_, FloatType) and type_.name in _FORMATS:
            number = value % (1 << source.width)
            if operator == "sitofp" and number >> (source.width - 1):
                number -= 1 << source.width
            return _term(_pack(_exactly(Fraction(number)), type_), type_)
    numbers = _known((value,), source)
    if numbers is None or not isinstance(source, FloatType) or not isinstance(value, Term):
        return Term(operator, (value,))
    if operator in ("fptrunc", "fpext") and isinstance(type_, FloatType) and type_.name in _FORMATS:
        bits = float_bits(value, source)
        assert bits is not None
        return _term(_convert_bits(bits, source, type_), type_)
    if operator in ("fptosi", "fptoui") and isinstance(type_, IntType):
        if numbers[0].size is None:
            return UNDEF
        whole = int(numbers[0].exact)  # towards zero
        low = -(1 << (type_.width - 1)) if operator == "fptosi" else 0
        high = 1 << (type_.width - (operator == "fptosi"))
        if not low <= whole < high:
            return UNDEF
        if type_.width == 1:
            return whole % 2
        return whole - (1 << type_.width) if whole >> (type_.width - 1) > 0 else whole
    return Term(operator, (value,))
