"""Types of values, with sizes and alignments in bytes (LLVM's default data layout, 64-bit pointers)."""

from __future__ import annotations

from functools import lru_cache
from typing import Union

from enumerator.frozen import dataclass

__all__ = [
    "ArrayType",
    "BytesType",
    "FloatType",
    "IntType",
    "PointerType",
    "StructType",
    "Type",
    "VectorType",
    "alignment",
    "field_offset",
    "size_of",
    "store_size",
]


@dataclass(frozen=True, slots=True)
class IntType:
    """An integer of `width` bits."""

    width: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """An opaque pointer into an address space (8 bytes; 4 in the address spaces 3 and 5 of AMDGPU)."""

    address_space: int = 0

    @property
    def memory_space(self) -> int:
        """The address space of the memory that it points to: AMDGPU's buffers (7 to 9) are global memory (1).

        Examples
        --------
        >>> PointerType(7).memory_space, PointerType(3).memory_space
        (1, 3)
        """
        return 1 if self.address_space in (7, 8, 9) else self.address_space


@dataclass(frozen=True, slots=True)
class FloatType:
    """A floating-point type: its LLVM name and its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class VectorType:
    """A vector of `count` elements."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array of `count` elements."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct with its fields in order."""

    fields: tuple[Type, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class BytesType:
    """So many bytes as memory holds them, whatever they are: what ``llvm.memcpy`` copies."""

    size: int


Type = Union[IntType, PointerType, FloatType, VectorType, ArrayType, StructType, BytesType]


def size_of(type_: Type) -> int:
    """Bytes that a value of a type takes in memory, padding included.

    Examples
    --------
    >>> size_of(IntType(1)), size_of(StructType((IntType(8), IntType(32)))), size_of(VectorType(3, IntType(8)))
    (1, 8, 4)
    """
    match type_:
        case IntType(width):
            return _integer_size(width)
        case PointerType(space):
            return 4 if space in (3, 5) else 8
        case FloatType(_, size):
            return size
        case VectorType():
            return _power_of_two(store_size(type_))
        case BytesType(size):
            return size
        case ArrayType(count, element):
            return count * size_of(element)
        case StructType(packed=packed):
            end = _offsets(type_)[-1]
            return end if packed else _round_up(end, alignment(type_))


def store_size(type_: Type) -> int:
    """Bytes that a load or store of a type covers: :func:`size_of` without what pads a scalar or vector.

    Examples
    --------
    >>> store_size(VectorType(3, IntType(32))), store_size(IntType(24)), store_size(VectorType(9, IntType(1)))
    (12, 3, 2)
    """
    match type_:
        case IntType(width):
            return (width + 7) // 8
        case FloatType("x86_fp80", _):
            return 10
        case VectorType(count, IntType(width)):  # the bits of the elements stand one after the other
            return (count * width + 7) // 8
        case VectorType(count, element):
            return count * store_size(element)
        case _:
            return size_of(type_)


@lru_cache(maxsize=1024)
def _integer_size(width: int) -> int:
    return _round_up((width + 7) // 8, alignment(IntType(width)))


def alignment(type_: Type) -> int:
    """Natural alignment of a type in bytes."""
    match type_:
        case IntType(width):
            return min(_power_of_two((width + 7) // 8), 16)
        case ArrayType(_, element):
            return alignment(element)
        case StructType(fields, packed):
            return 1 if packed else max(map(alignment, fields), default=1)
        case BytesType():
            return 1
        case _:
            return _power_of_two(size_of(type_))


def field_offset(struct: StructType, index: int) -> int:
    """Byte offset of a field; with ``index == len(fields)`` the end of the last field.

    Examples
    --------
    >>> field_offset(StructType((IntType(8), IntType(32))), 1)
    4
    """
    return _offsets(struct)[index]


@lru_cache(maxsize=1024)
def _offsets(struct: StructType) -> tuple[int, ...]:
    """Give where each field of a struct begins, and where the last one ends."""
    found, offset = list[int](), 0
    for field in struct.fields:
        start = offset if struct.packed else _round_up(offset, alignment(field))
        found.append(start)
        offset = start + size_of(field)
    return (*found, offset)


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit


def _power_of_two(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length() if size else 1
