"""Objects as bytes: initial contents, and the names of their elements."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.errors import InputError
from enumerator.program.test import MemoryObject, Test
from enumerator.program.types import (
    ArrayType,
    StructType,
    Type,
    field_offset,
    size_of,
    store_size,
)
from enumerator.program.values import UNDEF, Value
from tests.literal.arithmetic import is_undef
from tests.literal.contents import Byte, Content, Copied, decode, encode
from tests.literal.events import Location

__all__ = ["initial_content", "initial_value", "named_locations", "named_types"]


def initial_content(test: Test, location: Location) -> Content:
    """What the initial write of a cell writes."""
    for memory in test.objects:
        if memory.name == location.object:
            return _bytes(memory, test.big_endian)[location.offset : location.offset + location.size]
    raise InputError(f"no object {location.object}", test.path)


def _bytes(memory: MemoryObject, big: bool) -> Content:
    """All bytes of an object: zero where it has no explicit contents, and, as in object files, between its parts."""
    size = size_of(memory.type)
    if memory.initial is None:
        return (0,) * size
    bytes_: list[Byte] = [0] * size
    for offset, type_, value, _ in _leaves(memory.type, memory.initial, 0, memory.name):
        assert value is not None
        content = encode(value, type_, big)
        bytes_[offset : offset + len(content)] = content
    return tuple(bytes_)


def initial_value(test: Test, location: Location, type_: Type) -> Value:
    value = decode(initial_content(test, location), type_, test.big_endian)
    assert not isinstance(value, Copied)
    return value


def named_locations(test: Test) -> dict[str, Location]:
    """Every element of every object by its name: ``@x``, ``@a[2]``, fields by their offset."""
    return {name: location for name, (location, _) in named_types(test).items()}


def named_types(test: Test) -> dict[str, tuple[Location, Type]]:
    """The same with their types."""
    return {
        name: (Location(memory.name, offset, store_size(type_)), type_)
        for memory in test.objects
        if not memory.hidden
        for offset, type_, _, name in _leaves(memory.type, memory.initial, 0, memory.name)
    }


def _leaves(type_: Type, value: Value | None, offset: int, name: str) -> Iterator[tuple[int, Type, Value | None, str]]:
    match type_:
        case ArrayType(count, element):
            for index in range(count):
                yield from _leaves(element, _part(value, index), offset + index * size_of(element), f"{name}[{index}]")
        case StructType(fields):
            for index, field in enumerate(fields):
                at = field_offset(type_, index)
                yield from _leaves(field, _part(value, index), offset + at, f"{name}+{at}")
        case _:
            yield offset, type_, value, name


def _part(value: Value | None, index: int) -> Value | None:
    if value is None or is_undef(value):
        return None if value is None else UNDEF
    assert isinstance(value, tuple)
    return value[index]
