"""Values: what registers and memory hold.

An integer is a Python ``int`` in two's complement of its width (``i1`` as 0 or 1, ``i8 255`` as -1),
a vector or struct is a ``tuple`` of values, a pointer is a :class:`Pointer`, an operation that is not
interpreted (floating point) is a :class:`Term`, and :data:`UNDEF` is LLVM's ``undef``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

__all__ = ["NULL", "UNDEF", "Pointer", "Term", "Undef", "Value", "format_value", "has_undef", "json_value", "sort_key"]


@dataclass(frozen=True, slots=True)
class Undef:
    """LLVM's ``undef`` (and ``poison``): the type of the single value :data:`UNDEF`."""

    def __repr__(self) -> str:
        return "undef"


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer: an object's name with its sigil (``@x``, ``t0:%buf``) and a byte offset.

    The empty name is the null pointer's object.
    """

    object: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Term:
    """An uninterpreted value: an operator applied to values, e.g. ``fadd(0.5, 1.0)``."""

    operator: str
    arguments: tuple[Value, ...] = ()


Value = Union[int, Pointer, Term, Undef, tuple["Value", ...]]

_MOST_BITS = 13_000
"""Of an integer that is written in decimal: Python converts none of more than 4,300 digits."""

UNDEF = Undef()
NULL = Pointer("", 0)


def has_undef(value: Value) -> bool:
    """Tell whether any part of a value is undef.

    Examples
    --------
    >>> has_undef((1, UNDEF)), has_undef(0)
    (True, False)
    """
    if isinstance(value, tuple):
        return any(has_undef(part) for part in value)
    return value is UNDEF or isinstance(value, Undef)


def format_value(value: Value) -> str:
    """Write a value as reports show it.

    Examples
    --------
    >>> format_value(-1), format_value(Pointer("@x", 8)), format_value((1, UNDEF)), format_value(NULL)
    ('-1', '@x+8', '<1, undef>', 'null')

    An integer of thousands of digits is written in hexadecimal:

    >>> format_value(1 << 20_000)[:8]
    '0x100000'
    """
    if isinstance(value, Undef):
        return "undef"
    if isinstance(value, Pointer):
        if not value.object:
            return "null" if value.offset == 0 else f"null+{_number(value.offset)}"
        sign = "+" if value.offset > 0 else ""
        return value.object if value.offset == 0 else f"{value.object}{sign}{_number(value.offset)}"
    if isinstance(value, Term):
        if not value.arguments:
            return value.operator
        return f"{value.operator}({', '.join(map(format_value, value.arguments))})"
    if isinstance(value, tuple):
        return f"<{', '.join(map(format_value, value))}>"
    return _number(value)


def _number(value: int) -> str:
    return str(value) if value.bit_length() <= _MOST_BITS else hex(value)


def sort_key(value: Value) -> tuple[int, int, str]:
    """Give the key by which reports sort values: integers by size, then all others by how they are written.

    Examples
    --------
    >>> sorted([UNDEF, 10, 9, NULL], key=sort_key)
    [9, 10, Pointer(object='', offset=0), undef]
    """
    return (0, value, "") if isinstance(value, int) else (1, 0, format_value(value))


def json_value(value: Value) -> int | str:
    """Give a value as JSON results hold it: integers as numbers, all else (huge integers, too) as text.

    Examples
    --------
    >>> json_value(3), json_value(UNDEF)
    (3, 'undef')
    """
    return value if isinstance(value, int) and value.bit_length() <= _MOST_BITS else format_value(value)
