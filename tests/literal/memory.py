"""Objects as locations: initial values and names."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.errors import InputError
from enumerator.program.test import MemoryObject, Test
from enumerator.program.types import (
    ArrayType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    field_offset,
    size_of,
)
from enumerator.program.values import NULL, UNDEF, Term, Value
from tests.literal.arithmetic import is_undef
from tests.literal.events import Location

__all__ = ["initial_value", "named_locations"]


def initial_value(test: Test, location: Location) -> Value:
    """What the initial write of a location writes."""
    for memory in test.objects:
        if memory.name == location.object:
            for offset, type_, value, _ in _leaves(memory.type, memory.initial, 0, memory.name):
                if (offset, size_of(type_)) == (location.offset, location.size):
                    return value
    raise InputError(f"no element of {location.object} has this offset and size", test.path)


def named_locations(test: Test) -> dict[str, Location]:
    """Every element of every object by its name: ``@x``, ``@a[2]``, fields by their offset."""
    return {
        name: Location(memory.name, offset, size_of(type_))
        for memory in test.objects
        if not memory.hidden
        for offset, type_, _, name in _leaves(memory.type, memory.initial, 0, memory.name)
    }


def is_vector(memory: MemoryObject) -> bool:
    return isinstance(memory.type, VectorType)


def _leaves(type_: Type, value: Value | None, offset: int, name: str) -> Iterator[tuple[int, Type, Value, str]]:
    match type_:
        case ArrayType(count, element):
            for index in range(count):
                yield from _leaves(element, _part(value, index), offset + index * size_of(element), f"{name}[{index}]")
        case StructType(fields):
            for index, field in enumerate(fields):
                at = field_offset(type_, index)
                label = f"{name}+{at}" if at else name
                yield from _leaves(field, _part(value, index), offset + at, label)
        case _:
            yield offset, type_, _zero(type_) if value is None else value, name


def _part(value: Value | None, index: int) -> Value | None:
    if value is None or is_undef(value):
        return None if value is None else UNDEF
    assert isinstance(value, tuple)
    return value[index]


def _zero(type_: Type) -> Value:
    match type_:
        case IntType():
            return 0
        case PointerType():
            return NULL
        case VectorType(count, element):
            return (_zero(element),) * count
        case _:
            return Term("0")
