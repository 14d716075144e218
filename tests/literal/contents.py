"""What bytes of memory hold (semantics, section 8): each byte on its own, and values made of them.

A byte is a number, or ``undef``, or so many bits of a number of which some are undef, or one byte of a value that is
kept whole: a pointer, or an operation that is not computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from enumerator.program.types import (
    ArrayType,
    BytesType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    field_offset,
    size_of,
    store_size,
)
from enumerator.program.values import UNDEF, Pointer, Term, Undef, Value
from tests.literal.floats import float_bits, float_text

__all__ = ["Byte", "Content", "Copied", "PartOfWhole", "Piece", "all_undef", "decode", "encode"]


@dataclass(frozen=True)
class Piece:
    """The byte of this number, in the order of addresses, of a value of so many bytes."""

    value: Value
    size: int
    number: int


@dataclass(frozen=True)
class Bits:
    """A byte of which the bits in a mask are undef."""

    number: int
    undef: int


Byte = Union[int, Undef, Piece, Bits]
Content = tuple[Byte, ...]


@dataclass(frozen=True)
class Copied:
    """What a register holds that was loaded as bytes: they are as they were in memory."""

    content: Content


class PartOfWhole(Exception):
    """Some bytes, not all, of a value that is kept whole are read as a value."""


def all_undef(content: Content) -> bool:
    return all(isinstance(byte, Undef) for byte in content)


# From values to bytes ---------------------------------------------------------------------------------------


def encode(value: Value | Copied, type_: Type, big: bool) -> Content:
    """The bytes that a store of a value writes."""
    size = store_size(type_)
    if isinstance(value, Copied):
        return value.content
    if isinstance(value, Undef):
        return (UNDEF,) * size
    match type_:
        case StructType(fields):
            assert isinstance(value, tuple)
            bytes_: list[Byte] = [UNDEF] * size  # what pads it is undef
            for index, (part, inner) in enumerate(zip(value, fields, strict=True)):
                at, content = field_offset(type_, index), encode(part, inner, big)
                bytes_[at : at + len(content)] = content
            return tuple(bytes_)
        case ArrayType(_, element):
            assert isinstance(value, tuple)
            pad = (UNDEF,) * (size_of(element) - store_size(element))
            return tuple(byte for part in value for byte in (*encode(part, element, big), *pad))
        case VectorType(count, IntType(width)) if width % 8:
            assert isinstance(value, tuple)
            number = mask = 0
            for part, place in zip(value, _places(count, width, big), strict=True):
                if isinstance(part, Undef):
                    mask |= ((1 << width) - 1) << place
                else:
                    assert isinstance(part, int)
                    number |= part % (1 << width) << place
            return tuple(map(_byte, _bytes(number, size, big), _bytes(mask, size, big)))
        case VectorType(_, element):
            assert isinstance(value, tuple)
            return tuple(byte for part in value for byte in encode(part, element, big))
    number_or_none = _number(value, type_)
    if number_or_none is None:
        return tuple(Piece(value, size, number) for number in range(size))
    return tuple(_bytes(number_or_none, size, big))


def _number(value: Value, type_: Type) -> int | None:
    """A scalar as a number without sign; None if it is kept whole."""
    if isinstance(value, Pointer) and not value.object:
        value = value.offset
    if isinstance(value, Term) and isinstance(type_, FloatType):
        return float_bits(value, type_)
    if not isinstance(value, int):
        return None
    return value % (1 << (type_.width if isinstance(type_, IntType) else 8 * store_size(type_)))


def _bytes(number: int, size: int, big: bool) -> Sequence[int]:
    return number.to_bytes(size, "big" if big else "little")


def _byte(number: int, undef: int) -> Byte:
    if undef == 0xFF:
        return UNDEF
    return Bits(number, undef) if undef else number


def _places(count: int, width: int, big: bool) -> list[int]:
    """At which bit of the vector, as one number, each element of no whole bytes begins (LangRef, *Vector Type*)."""
    places = [index * width for index in range(count)]
    return places[::-1] if big else places


# From bytes to values ---------------------------------------------------------------------------------------


def decode(content: Content, type_: Type, big: bool) -> Value | Copied:
    """The value that a load of bytes gives; one of its bytes that is undef makes all of a scalar undef.

    Raises
    ------
    PartOfWhole
    """
    match type_:
        case BytesType():
            return Copied(content)
        case StructType(fields):
            starts = [field_offset(type_, index) for index in range(len(fields))]
            return _elements([(start, inner) for start, inner in zip(starts, fields, strict=True)], content, big)
        case ArrayType(count, element):
            return _elements([(index * size_of(element), element) for index in range(count)], content, big)
        case VectorType(count, IntType(width)) if width % 8:
            return _elements_of_bits(content, count, width, big)
        case VectorType(count, element):
            return _elements([(index * store_size(element), element) for index in range(count)], content, big)
    if any(isinstance(byte, Undef | Bits) for byte in content):
        return UNDEF
    if content and isinstance(content[0], Piece):
        value = content[0].value
        if content != tuple(Piece(value, len(content), number) for number in range(len(content))):
            raise PartOfWhole
        return value
    numbers = [byte for byte in content if isinstance(byte, int)]
    if len(numbers) < len(content):
        raise PartOfWhole
    return _scalar(int.from_bytes(numbers, "big" if big else "little"), type_)


def _elements(parts: Sequence[tuple[int, Type]], content: Content, big: bool) -> Value:
    values = []
    for start, type_ in parts:
        value = decode(content[start : start + store_size(type_)], type_, big)
        assert not isinstance(value, Copied)
        values.append(value)
    return _aggregate(values)


def _aggregate(values: list[Value]) -> Value:
    """A vector, array or struct; one that is undef throughout is ``undef``."""
    return UNDEF if values and all(isinstance(value, Undef) for value in values) else tuple(values)


def _elements_of_bits(content: Content, count: int, width: int, big: bool) -> Value:
    number = mask = 0
    for byte in content if big else reversed(content):
        match byte:
            case int():
                held, undef = byte, 0
            case Undef():
                held, undef = 0, 0xFF
            case Bits(held, undef):
                pass
            case _:
                raise PartOfWhole
        number, mask = number << 8 | held, mask << 8 | undef
    whole = (1 << width) - 1
    return _aggregate(
        [
            UNDEF if mask >> place & whole else _signed(number >> place & whole, width)
            for place in _places(count, width, big)
        ]
    )


def _scalar(number: int, type_: Type) -> Value:
    match type_:
        case IntType(width):
            return _signed(number, width)
        case PointerType():
            return Pointer("", _signed(number, 8 * size_of(type_)))
        case FloatType():
            text = float_text(number, type_)
            if text is None:
                raise PartOfWhole
            return text
    raise TypeError(f"{type_} is no scalar")


def _signed(number: int, width: int) -> int:
    number %= 1 << width
    return number - (1 << width) if width > 1 and number >> (width - 1) else number
