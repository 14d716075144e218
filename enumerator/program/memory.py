"""Memory contents: initial values of locations, and how results name a location.

A location is a run of bytes of an object that is accessed as one. Results name it ``@x`` (a whole scalar or
vector), ``@a[2]`` or ``@a[1][2]`` (an element of an array), ``@s+8`` (a field of a struct), else ``@x[2..4)`` (the
bytes from 2 to before 4). In languages where
the names of objects have no sigil, brackets tell what memory holds from an address: ``[x]``, ``[a[2]]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from enumerator.errors import InputError
from enumerator.program.bytes import Run, cut, decode, encode, join
from enumerator.program.floats import number_of
from enumerator.program.test import MemoryObject
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
from enumerator.program.values import NULL, UNDEF, Term, Undef, Value

__all__ = [
    "MOST_ELEMENTS",
    "elements",
    "holds_values",
    "initial_value",
    "location_name",
    "location_type",
    "parse_location",
    "pieces",
    "zero_value",
]

# A value is a tuple of all its elements; beyond this many no test is meant, and memory would run out.
MOST_ELEMENTS = 1 << 16

_WITHIN = re.compile(r"((?:\[\d{1,18}\]){0,64})(?:([+-]\d{1,18})|\[(\d{1,18})\.\.(\d{1,18})\))?\Z")


_MOST_PARTS = 4


def initial_value(obj: MemoryObject, offset: int, type_: Type, *, big: bool = False) -> Value:
    """Give the value of a type that is in memory at the beginning.

    Parameters
    ----------
    obj : MemoryObject
        The object that holds the bytes.
    offset : int
        Of the first byte.
    type_ : Type
        With :class:`~enumerator.program.types.BytesType`: what the bytes hold, without a type.
    big : bool
        Whether bytes of numbers are in big-endian order.

    Returns
    -------
    Value
        Zeros where the object has no explicit contents, and between its parts, as in every object file; ``undef``
        inside an undefined aggregate.

    Raises
    ------
    InputError
        If bytes are outside of the object, or are some but not all bytes of a pointer.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType
    >>> pair = MemoryObject("@a", ArrayType(2, IntType(32)), 0, (7, 8))
    >>> initial_value(pair, 4, IntType(32)), hex(initial_value(pair, 2, IntType(32)))
    (8, '0x80000')
    """
    size, whole = store_size(type_), size_of(obj.type)
    if offset < 0 or offset + size > whole:
        raise InputError(f"access to bytes {offset} to {offset + size} of {obj.name}, which has {whole} bytes")
    if obj.initial is None or isinstance(obj.initial, Undef):
        return zero_value(type_) if obj.initial is None else UNDEF
    found = _descend(obj.type, obj.initial, offset, size)
    if found is not None and found[0] == type_ and found[1] is not None:
        return found[1]
    return decode(_initial_bytes(obj.type, obj.initial, offset, size, big), type_, big=big)


def _initial_bytes(type_: Type, value: Value, offset: int, size: int, big: bool) -> Value:
    """Give what some bytes of a value in memory hold."""
    if isinstance(type_, ArrayType) and isinstance(value, tuple):
        step = size_of(type_.element)
        runs: list[Run] = []
        for index in range(offset // step, -(-(offset + size) // step)):
            low, high = max(offset - index * step, 0), min(offset + size - index * step, step)
            runs.append((high - low, _initial_bytes(type_.element, value[index], low, high - low, big)))
        return join(runs, big=big)
    held = store_size(type_)
    memory = encode(value, type_, big=big, padding=0)
    if size_of(type_) > held:
        memory, held = join([(held, memory), (size_of(type_) - held, 0)], big=big), size_of(type_)
    return cut(memory, held, offset, size, big=big)


def holds_values(obj: MemoryObject, offset: int, type_: Type, *, big: bool = False) -> bool:
    """Tell whether bytes of an object are a value of a type at the beginning, and nothing else.

    Of a number of which some byte is undef the others are lost.

    Examples
    --------
    >>> from enumerator.program.types import StructType
    >>> pair = MemoryObject("@s", StructType((IntType(8), IntType(8))), 0, (1, UNDEF))
    >>> holds_values(pair, 0, IntType(8)), holds_values(pair, 0, IntType(16))
    (True, False)
    """
    if obj.initial is None or isinstance(obj.initial, Undef):
        return True
    found = _descend(obj.type, None, offset, store_size(type_))
    if found is not None and found[0] == type_:
        return True
    held = initial_value(obj, offset, BytesType(store_size(type_)), big=big)
    return encode(decode(held, type_, big=big), type_, big=big) == held


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

    Bytes that are no element are named by the first and by what follows the last one: ``@x[2..4)``.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType, StructType
    >>> location_name(MemoryObject("@x", IntType(32)), 0, 4)
    '@x'
    >>> matrix = MemoryObject("@a", ArrayType(2, ArrayType(3, IntType(32))))
    >>> location_name(matrix, 20, 4), location_name(matrix, 2, 1)
    ('@a[1][2]', '@a[2..3)')
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
    if scalar is not None and store_size(scalar) == size:
        return f"{obj.name}{offset:+d}"
    return f"{obj.name}[{offset}..{offset + size})"


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
        ``@x``, ``@a[2]``, ``@a[1][2]``, ``@s+8``, ``@x[2..4)``; ``[x]``, ``[a[2]]`` for
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
        return name, 0, store_size(by_name[name].type)
    named = max(filter(name.startswith, by_name), key=len, default="")
    match = _WITHIN.match(name, len(named))
    if match is None or not named:
        raise InputError(f"unknown location {name}{_of_field(name, named, by_name)}")
    obj = by_name[named]
    type_: Type = obj.type
    start = 0
    part = named
    for index in map(int, re.findall(r"\d+", match[1])):
        if not isinstance(type_, ArrayType):
            hint = ": a vector is compared as a whole, as <1, 2>" if isinstance(type_, VectorType) else ""
            if isinstance(type_, StructType):
                hint = f": {parts_of(name[: name.rindex('[')] if start else named, type_)}"
            raise InputError(f"{name}: there is no array to index{hint}")
        if index >= type_.count:
            raise InputError(f"{name}: the array has {type_.count} elements, counted from 0")
        type_ = type_.element
        start += index * size_of(type_)
        part += f"[{index}]"
    if match[3] is not None:
        first, end = int(match[3]), int(match[4])
        if not first < end <= store_size(type_):
            raise InputError(f"{name}: there are no such bytes of {store_size(type_)}")
        return obj.name, start + first, end - first
    if match[2] is None:
        return obj.name, start, store_size(type_)
    step = int(match[2])
    scalar = _scalar_at(type_, step)
    if scalar is None:
        raise InputError(f"{name}: no element starts at this offset")
    return obj.name, start + step, store_size(scalar)


def parts_of(name: str, type_: Type) -> str:
    """Say how conditions name the first parts of a struct.

    Examples
    --------
    >>> from enumerator.program.types import IntType
    >>> parts_of("@s", StructType((IntType(32), IntType(8), IntType(16))))
    'the parts of the struct are @s+0, @s+4 and @s+6'
    """
    starts = (place for place in range(size_of(type_)) if _scalar_at(type_, place) is not None)
    names = [f"{name}+{place}" for place in islice(starts, _MOST_PARTS + 1)]
    if len(names) > _MOST_PARTS:
        names[_MOST_PARTS:] = ["so on"]
    if len(names) < 2:
        return f"its value is {names[0]}" if names else "it has no parts"
    return f"the parts of the struct are {', '.join(names[:-1])} and {names[-1]}"


def _of_field(name: str, named: str, objects: Mapping[str, MemoryObject]) -> str:
    """Give a hint where a field of a struct is named, as C does."""
    if not named or not name.startswith(f"{named}.") or not isinstance(objects[named].type, StructType):
        return ""
    return f": {parts_of(named, objects[named].type)}"


def pieces(accessed: Sequence[tuple[int, int]], elements: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Divide an object into what results name: its accesses, as far as these agree and are no parts of elements.

    Parameters
    ----------
    accessed, elements : sequence of (int, int)
        Offsets and sizes in bytes.

    Returns
    -------
    list of (int, int)
        Sorted; together all elements.

    Examples
    --------
    >>> pieces([(0, 2), (4, 8)], [(0, 4), (4, 4), (8, 4)])
    [(0, 4), (4, 8)]
    """

    def meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return one != other and one[0] < other[0] + other[1] and other[0] < one[0] + one[1]

    def within(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return meet(one, other) and other[0] <= one[0] and one[0] + one[1] <= other[0] + other[1]

    kept = {
        each
        for each in accessed
        if not any(meet(each, other) for other in accessed) and not any(within(each, other) for other in elements)
    }
    return sorted(kept.union(each for each in elements if not any(meet(each, other) for other in kept)))


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
        if offset == 0 and size in (whole, store_size(type_)):
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
            return number_of(0, type_)
        case ArrayType(count, element) | VectorType(count, element):
            return (_zero(element),) * count
        case StructType(fields):
            return tuple(map(_zero, fields))
        case BytesType():
            return 0
