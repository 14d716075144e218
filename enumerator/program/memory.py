"""Memory contents: initial values of locations, and how results name a location.

A location is a run of bytes of an object that is accessed as one. Results name it ``@x`` (a whole scalar or
vector), ``@a[2]`` or ``@a[1][2]`` (an element of an array), else ``@s+8`` (a field of a struct). In languages where
the names of objects have no sigil, brackets tell what memory holds from an address: ``[x]``, ``[a[2]]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from enumerator.errors import InputError
from enumerator.program.test import MemoryObject
from enumerator.program.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    field_offset,
    size_of,
)
from enumerator.program.values import NULL, UNDEF, Term, Undef, Value

__all__ = [
    "MOST_ELEMENTS",
    "elements",
    "initial_value",
    "location_name",
    "location_type",
    "parse_location",
    "zero_value",
]

# A value is a tuple of all its elements; beyond this many no test is meant, and memory would run out.
MOST_ELEMENTS = 1 << 16

_LOCATION = re.compile(r"(.+?)((?:\[\d{1,18}\]){0,64})(?:([+-]\d{1,18})(?::(\d{1,18}))?)?\Z", re.DOTALL)


def initial_value(obj: MemoryObject, offset: int, size: int) -> Value:
    """Give the initial value of a location.

    Parameters
    ----------
    obj : MemoryObject
        The object that holds the location.
    offset, size : int
        In bytes. The location must be an element of that size, or a vector, array or struct as a whole.

    Returns
    -------
    Value
        Zeros where the object has no explicit contents; ``undef`` inside an undefined aggregate.

    Raises
    ------
    InputError
        If the bytes are outside of the object, or are no element of that size.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType
    >>> initial_value(MemoryObject("@a", ArrayType(2, IntType(32)), 0, (7, 8)), 4, 4)
    8
    >>> initial_value(MemoryObject("@a", ArrayType(2, IntType(32))), 4, 4)
    0
    """
    found = _descend(obj.type, obj.initial, offset, size)
    if found is None:
        whole = size_of(obj.type)
        where = f"bytes {offset} to {offset + size} of {obj.name}"
        if offset < 0 or offset + size > whole:
            raise InputError(f"access to {where}, which has {whole} bytes")
        raise InputError(
            f"access to {where} covers parts of its elements: accesses that overlap partly, or differ in size "
            f"from the element, are not supported yet"
        )
    type_, value, _ = found
    return zero_value(type_) if value is None else value


def zero_value(type_: Type) -> Value:
    """Give the value ``zeroinitializer`` of a type.

    Raises
    ------
    InputError
        If the type has so many elements that no memory would hold them one by one.

    Examples
    --------
    >>> from enumerator.program.types import IntType, PointerType, StructType, VectorType
    >>> zero_value(StructType((IntType(8), VectorType(2, IntType(32)))))
    (0, (0, 0))
    """
    if elements(type_) > MOST_ELEMENTS:
        raise InputError(f"a value of more than {MOST_ELEMENTS} elements")
    return _zero(type_)


def location_name(obj: MemoryObject, offset: int, size: int) -> str:
    """Name a location as results do.

    Bytes that are no element of their size get the size in the name too: ``@x+2:4``.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType, StructType
    >>> location_name(MemoryObject("@x", IntType(32)), 0, 4)
    '@x'
    >>> matrix = MemoryObject("@a", ArrayType(2, ArrayType(3, IntType(32))))
    >>> location_name(matrix, 20, 4), location_name(matrix, 2, 1)
    ('@a[1][2]', '@a+2:1')
    >>> location_name(MemoryObject("@s", StructType((IntType(32), IntType(32)))), 4, 4)
    '@s+4'
    >>> location_name(MemoryObject("x", IntType(32)), 0, 4)
    '[x]'
    """
    name = _name(obj, offset, size)
    return name if obj.name.startswith("@") else f"[{name}]"


def _name(obj: MemoryObject, offset: int, size: int) -> str:
    found = _descend(obj.type, None, offset, size)
    if found is not None and found[2] is not None:
        return obj.name + "".join(f"[{index}]" for index in found[2])
    scalar = _scalar_at(obj.type, offset)
    if scalar is not None and size_of(scalar) == size:
        return f"{obj.name}{offset:+d}"
    return f"{obj.name}{offset:+d}:{size}"


def location_type(obj: MemoryObject, offset: int, size: int) -> Type | None:
    """Give the type of the innermost element that a location is; None if it is none.

    Examples
    --------
    >>> from enumerator.program.types import IntType, StructType
    >>> location_type(MemoryObject("@s", StructType((IntType(32), IntType(8)))), 4, 1)
    IntType(width=8)
    """
    found = _descend(obj.type, None, offset, size)
    return found[0] if found is not None else None


def parse_location(name: str, objects: Iterable[MemoryObject]) -> tuple[str, int, int]:
    """Find the location that a condition names: the inverse of :func:`location_name`.

    Parameters
    ----------
    name : str
        ``@x``, ``@a[2]``, ``@a[1][2]``, ``@s+8``, ``@x+2:4``; ``[x]``, ``[a[2]]`` for
        objects without a sigil. An array or struct without an index is all of it.
    objects : iterable of MemoryObject

    Returns
    -------
    tuple of (str, int, int)
        The object's name, the byte offset and the size in bytes.

    Raises
    ------
    InputError
        If there is no such object or element.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType
    >>> parse_location("@a[2]", [MemoryObject("@a", ArrayType(4, IntType(32)))])
    ('@a', 8, 4)
    """
    by_name = {obj.name: obj for obj in objects}
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    if name in by_name:
        return name, 0, size_of(by_name[name].type)
    match = _LOCATION.match(name)
    if match is None or match[1] not in by_name:
        raise InputError(f"unknown location {name}")
    obj = by_name[match[1]]
    type_: Type = obj.type
    start = 0
    for index in map(int, re.findall(r"\d+", match[2])):
        if not isinstance(type_, ArrayType):
            raise InputError(f"{name}: there is no array to index")
        if index >= type_.count:
            raise InputError(f"{name}: the array has {type_.count} elements, counted from 0")
        type_ = type_.element
        start += index * size_of(type_)
    if match[3] is None:
        return obj.name, start, size_of(type_)
    step = int(match[3])
    if match[4] is not None:
        return obj.name, start + step, int(match[4])
    scalar = _scalar_at(type_, step)
    if scalar is None:
        raise InputError(f"{name}: no element starts at this offset")
    return obj.name, start + step, size_of(scalar)


def _descend(
    type_: Type, value: Value | None, offset: int, size: int
) -> tuple[Type, Value | None, tuple[int, ...] | None] | None:
    """Walk to the innermost part at an offset with that size: its type, contents, and array indices.

    The indices are None where the way leads through a struct or into a vector.
    """
    best: tuple[Type, Value | None, tuple[int, ...] | None] | None = None
    indices: tuple[int, ...] | None = ()
    while True:
        whole = size_of(type_)
        if offset < 0 or offset + size > whole:
            return best
        if offset == 0 and size == whole:
            best = (type_, value, indices)
            if isinstance(type_, VectorType):
                return best
        match type_:
            case ArrayType(_, element):
                index, offset = divmod(offset, max(size_of(element), 1))
                indices = None if indices is None else (*indices, index)
            case VectorType(_, element) if element != IntType(1):
                index, offset = divmod(offset, max(size_of(element), 1))
                indices = None
            case StructType(fields):
                starts = [field_offset(type_, position) for position in range(len(fields))]
                index = max((place for place, start in enumerate(starts) if start <= offset), default=-1)
                if index < 0:
                    return best
                element, offset = fields[index], offset - starts[index]
                indices = None
            case _:
                return best
        if isinstance(value, tuple):
            if index >= len(value):
                return best
            value = value[index]
        elif value is not None:
            value = UNDEF if isinstance(value, Undef) else Term("part", (value, index))
        type_ = element


def _scalar_at(type_: Type, offset: int) -> Type | None:
    """Give the innermost scalar or vector that starts at an offset."""
    while 0 <= offset < max(size_of(type_), 1):
        match type_:
            case ArrayType(_, element):
                type_, offset = element, offset % max(size_of(element), 1)
            case StructType(fields) if fields:
                starts = [field_offset(type_, position) for position in range(len(fields))]
                index = max(place for place, start in enumerate(starts) if start <= offset)
                type_, offset = fields[index], offset - starts[index]
            case StructType():
                return None
            case VectorType(_, element) if offset and element != IntType(1):
                type_, offset = element, offset % max(size_of(element), 1)
            case _:
                return type_ if offset == 0 else None
    return None


def elements(type_: Type) -> int:
    """Count the scalars that a value of a type is made of."""
    match type_:
        case ArrayType(count, element) | VectorType(count, element):
            return count * elements(element)
        case StructType(fields):
            return sum(map(elements, fields))
        case _:
            return 1


def _zero(type_: Type) -> Value:
    match type_:
        case IntType():
            return 0
        case PointerType():
            return NULL
        case FloatType():
            return Term("0.000000e+00")
        case ArrayType(count, element) | VectorType(count, element):
            return (_zero(element),) * count
        case StructType(fields):
            return tuple(map(_zero, fields))
