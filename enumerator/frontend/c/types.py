"""Types of C as far as they matter: integers of one width, pointers, arrays, and what qualifies them."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Union

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frozen import dataclass
from enumerator.program.instructions import Expression
from enumerator.program.types import ArrayType, IntType, PointerType, Type
from enumerator.program.values import signed

__all__ = [
    "BIT",
    "WORD",
    "WORD_SIZE",
    "ArrayOf",
    "CType",
    "Integer",
    "PointerTo",
    "Typed",
    "decayed",
    "held_as",
    "parse_array_size",
    "parse_base",
    "parse_number",
    "parse_pointers",
    "size",
    "starts_type",
]

WORD = IntType(64)
"""What all integers are held as."""

WORD_SIZE = 8
BIT = IntType(1)

_MOST_ELEMENTS = 4096


@dataclass(frozen=True, slots=True)
class Integer:
    """Any integer type (and ``void``, behind a pointer).

    `space` is its address space and `atomic` whether it is declared so, which mean something in OpenCL only.
    """

    volatile: bool = False
    space: int = field(default=0, repr=False)
    atomic: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class PointerTo:
    """``target *``; `space` is the address space that the pointer itself is in."""

    target: CType
    volatile: bool = False
    space: int = field(default=0, repr=False)
    atomic: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """``element [count]``."""

    element: CType
    count: int


CType = Union[Integer, PointerTo, ArrayOf]


@dataclass(frozen=True, slots=True)
class Typed:
    """A value, and its type in C."""

    value: Expression
    type: CType


_INTEGERS = frozenset(
    """void char short int long signed unsigned bool _Bool __int128 __uint128
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t __int128_t __uint128_t
    intptr_t uintptr_t size_t ssize_t ptrdiff_t
    atomic_t atomic_int atomic_uint atomic_bool atomic_char atomic_schar atomic_uchar atomic_short atomic_ushort
    atomic_long atomic_ulong atomic_llong atomic_ullong atomic_flag atomic_size_t atomic_ptrdiff_t
    atomic_intptr_t atomic_uintptr_t""".split()
)
_NUMERIC = frozenset("char short int long signed unsigned".split())  # of which several make one type
_SPACES = {"__private": 0, "__global": 1, "__local": 3}
_QUALIFIERS = frozenset(("const", "volatile", "restrict", "_Atomic", "register", *_SPACES))
_NOT_COVERED = frozenset("float double struct union enum typedef static extern spinlock_t mtx_t".split())


def starts_type(token: Token) -> bool:
    """Tell whether a type, or a declaration, starts at a token."""
    return token.kind == "word" and (token.text in _INTEGERS or token.text in _QUALIFIERS or token.text in _NOT_COVERED)


def parse_base(cursor: Cursor) -> CType:
    """Parse the specifiers and qualifiers that a declaration starts with.

    Raises
    ------
    InputError
        Where there is no type, or one that is not covered.
    """
    base: CType | None = None
    word = ""
    volatile = atomic = False
    space = 0
    while cursor.token.kind == "word":
        token = cursor.token
        if token.text in _NOT_COVERED:
            raise cursor.error(f"{token.text}: this kind of type is not covered")
        if token.text in _QUALIFIERS:
            cursor.next()
            volatile |= token.text == "volatile"
            atomic |= token.text == "_Atomic"
            space = _SPACES.get(token.text, space)
            if token.text == "_Atomic" and cursor.accept("("):
                if base is not None:
                    raise cursor.error("a second type", token)
                base = parse_pointers(cursor, parse_base(cursor))
                cursor.expect(")")
        elif token.text in _INTEGERS and (base is None or (token.text in _NUMERIC and word in _NUMERIC)):
            cursor.next()
            base, word = Integer(), token.text
            atomic |= word.startswith("atomic_")
        else:
            break
    if base is None:
        if cursor.token.kind == "word":
            raise cursor.error(f"unknown type {cursor.text!r}")
        cursor.unexpected("a type")
    if isinstance(base, ArrayOf) or not (volatile or atomic or space):
        return base
    return replace(base, volatile=volatile or base.volatile, atomic=atomic or base.atomic, space=space or base.space)


def parse_pointers(cursor: Cursor, base: CType) -> CType:
    """Parse the stars, with their qualifiers, that may stand before a name."""
    while cursor.accept("*"):
        volatile = False
        while cursor.text in _QUALIFIERS:
            volatile |= cursor.next().text == "volatile"
        base = PointerTo(base, volatile)
    return base


def parse_array_size(cursor: Cursor) -> int | None:
    """Parse ``[n]`` behind a name; None where there is none, 0 for ``[]``."""
    if not cursor.accept("["):
        return None
    token = cursor.token
    if cursor.accept("]"):
        return 0
    if token.kind != "number":
        cursor.unexpected("the number of elements")
    count = parse_number(cursor)
    if not 1 <= count <= _MOST_ELEMENTS:
        raise cursor.error(f"an array has from 1 to {_MOST_ELEMENTS} elements", token)
    cursor.expect("]")
    if cursor.text == "[":
        raise cursor.error("arrays of arrays are not covered")
    return count


def parse_number(cursor: Cursor) -> int:
    """Take a number, or a minus and a number, as a word holds it.

    Raises
    ------
    InputError
        If there is no number, or it does not fit into 64 bits.
    """
    negative = cursor.accept("-")
    token = cursor.token
    if token.kind != "number":
        cursor.unexpected("a number")
    cursor.next()
    digits = token.text.rstrip("uUlL")
    if len(digits) > 32:
        raise cursor.error("this number does not fit into 64 bits", token)
    octal = len(digits) > 1 and digits.isdecimal() and digits.startswith("0")
    if octal and set(digits) & set("89"):
        raise cursor.error("this number is malformed: one that begins with 0 is octal", token)
    number = int(digits, 8) if octal else int(digits, 0)
    if number >= 1 << 64:
        raise cursor.error("this number does not fit into 64 bits", token)
    number = -number if negative else number
    return signed(number, WORD.width)


def held_as(type_: CType) -> Type:
    """Give the type as which a value of a type of C is held."""
    match type_:
        case Integer():
            return WORD
        case PointerTo():
            return PointerType()
        case ArrayOf(element, count):
            return ArrayType(count, held_as(element))


def size(type_: CType) -> int:
    """Give the size of a type in bytes."""
    return size(type_.element) * type_.count if isinstance(type_, ArrayOf) else WORD_SIZE


def decayed(type_: CType) -> CType:
    """Give the type that a value has where an expression uses it: an array is a pointer to its first element.

    Examples
    --------
    >>> decayed(ArrayOf(Integer(), 3))
    PointerTo(target=Integer(volatile=False), volatile=False)
    """
    return PointerTo(type_.element) if isinstance(type_, ArrayOf) else type_
