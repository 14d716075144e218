"""Values: what registers and memory hold.

An integer is a Python ``int`` in two's complement of its width (``i1`` as 0 or 1, ``i8 255`` as -1),
a vector or struct is a ``tuple`` of values, a pointer is a :class:`Pointer`, a floating-point number or an operation
that is not computed is a :class:`Term`, and :data:`UNDEF` is LLVM's ``undef``. Memory that is accessed as several types
may hold :class:`Bytes`.
"""

from __future__ import annotations

import math
import struct
from typing import Union

from enumerator.frozen import dataclass

__all__ = [
    "LATE",
    "NULL",
    "UNDEF",
    "Bytes",
    "Pointer",
    "Term",
    "Undef",
    "Value",
    "format_value",
    "has_undef",
    "json_value",
    "signed",
    "sort_key",
]


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
    """A floating-point number, as LLVM writes it; or an operation that is not computed, such as ``llvm.sqrt(2.0)``."""

    operator: str
    arguments: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Bytes:
    """What some bytes of memory hold, if that is not one value (:mod:`enumerator.program.bytes`).

    Runs are in the order of addresses. Each is its size in bytes and what it holds: a number, ``undef``, a pointer or
    another value that is kept whole.
    """

    runs: tuple[tuple[int, Value], ...]


Value = Union[int, Pointer, Term, Undef, Bytes, tuple["Value", ...]]

_MOST_BITS = 13_000
"""Of an integer that is written in decimal: Python converts none of more than 4,300 digits."""

UNDEF = Undef()
NULL = Pointer("", 0)
LATE = Term("late")
"""What a clock says after a wait has ended with its limit: more than any other time."""


def signed(number: int, width: int) -> int:
    """Wrap an integer to `width` bits, as values are held: in two's complement, but a single bit is 0 or 1.

    Examples
    --------
    >>> signed(255, 8), signed(-1, 1), signed(2, 1)
    (-1, 1, 0)
    """
    number &= (1 << width) - 1
    return number - (1 << width) if width > 1 and number >> (width - 1) else number


def has_undef(value: Value) -> bool:
    """Tell whether any part of a value is undef.

    Examples
    --------
    >>> has_undef((1, UNDEF)), has_undef(0)
    (True, False)
    """
    if isinstance(value, tuple):
        return any(has_undef(part) for part in value)
    if isinstance(value, Bytes):
        return any(has_undef(held) for _, held in value.runs)
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

    LLVM writes floating-point numbers by their bits where few digits are not exact; here they have more digits:

    >>> format_value(Term("1.500000e+00")), format_value(Term("f0x3DCCCCCD")), format_value(Term("0xH3C00"))
    ('1.500000e+00', '0.10000000149011612', '1.0')
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
            return _decimal(value.operator)
        if value.operator == "concat":
            parts = zip(value.arguments[::2], value.arguments[1::2], strict=True)
            return f"concat({', '.join(f'{width}: {format_value(part)}' for width, part in parts)})"
        return f"{value.operator}({', '.join(map(format_value, value.arguments))})"
    if isinstance(value, tuple):
        return f"<{', '.join(map(format_value, value))}>"
    if isinstance(value, Bytes):
        return f"bytes({', '.join(f'{size}: {format_value(held)}' for size, held in value.runs)})"
    return _number(value)


_FORMS = {"0xH": ">e", "0xR": ">f", "f0x": ">f", "0x": ">d"}
"""How Python unpacks the bits behind a prefix: half, bfloat, which is the upper half of a float, float, double."""


def _decimal(text: str) -> str:
    """Write a floating-point number that LLVM writes by its bits, as one can write it in a condition."""
    form = next((form for prefix, form in _FORMS.items() if text.startswith(prefix)), None)
    if form is None:
        return text
    try:
        data = bytes.fromhex(text[3:] if form != ">d" else text[2:])
        number = struct.unpack(form, data.ljust(struct.calcsize(form), b"\0"))[0]
    except (ValueError, struct.error):
        return text
    shortest = repr(number)
    if not math.isfinite(number):
        return text
    return shortest if "." in shortest else shortest.replace("e", ".0e")


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
