"""Initial values and names of locations."""

from __future__ import annotations

import pytest

from enumerator.errors import InputError
from enumerator.program.memory import initial_value, location_name, location_type, parse_location, zero_value
from enumerator.program.test import MemoryObject
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType, size_of
from enumerator.program.values import NULL, UNDEF, Term, Value

I8, I32, I64 = IntType(8), IntType(32), IntType(64)
PAIR = StructType((I32, I64))

OBJECTS = {
    obj.name: obj
    for obj in (
        MemoryObject("@x", I32, 0, 5),
        MemoryObject("@p", PointerType()),
        MemoryObject("@v", VectorType(4, I32), 0, (1, 2, UNDEF, 4)),
        MemoryObject("@a", ArrayType(2, ArrayType(3, I32)), 0, ((1, 2, 3), (4, 5, 6))),
        MemoryObject("@s", StructType((I8, PAIR, ArrayType(2, I32))), 0, (1, (2, 3), (4, 5))),
        MemoryObject("@u", ArrayType(4, I32), 0, UNDEF),
        MemoryObject("@z", ArrayType(2, PAIR)),
        MemoryObject("@one", ArrayType(1, I32), 0, (9,)),
        MemoryObject("@only", StructType((I32,)), 0, (9,)),
        MemoryObject("@raw", ArrayType(64, I8), 3, UNDEF),
        MemoryObject("@my-var.1", I32),
        MemoryObject("@b[1]", I32),
        MemoryObject("@huge", ArrayType(1 << 40, ArrayType(1 << 20, I32))),
    )
}


@pytest.mark.parametrize(
    ("name", "offset", "size", "expected", "value"),
    [
        ("@x", 0, 4, "@x", 5),
        ("@p", 0, 8, "@p", NULL),
        ("@v", 0, 16, "@v", (1, 2, UNDEF, 4)),
        ("@v", 4, 4, "@v+4", 2),
        ("@v", 8, 4, "@v+8", UNDEF),
        ("@a", 16, 4, "@a[1][1]", 5),
        ("@a", 12, 12, "@a[1]", (4, 5, 6)),
        ("@a", 0, 24, "@a", ((1, 2, 3), (4, 5, 6))),
        ("@s", 0, 1, "@s+0", 1),
        ("@s", 8, 4, "@s+8", 2),
        ("@s", 16, 8, "@s+16", 3),
        ("@s", 28, 4, "@s+28", 5),
        ("@u", 8, 4, "@u[2]", UNDEF),
        ("@z", 24, 8, "@z+24", 0),
        ("@z", 16, 16, "@z[1]", (0, 0)),
        ("@one", 0, 4, "@one[0]", 9),
        ("@only", 0, 4, "@only+0", 9),
        ("@my-var.1", 0, 4, "@my-var.1", 0),
        ("@b[1]", 0, 4, "@b[1]", 0),
        ("@huge", (1 << 61) + 4, 4, f"@huge[{1 << 39}][1]", 0),
    ],
)
def test_locations(name: str, offset: int, size: int, expected: str, value: Value) -> None:
    obj = OBJECTS[name]
    assert location_name(obj, offset, size) == expected
    assert parse_location(expected, OBJECTS.values()) == (name, offset, size)
    type_ = location_type(obj, offset, size)
    assert type_ is not None and size_of(type_) == size
    assert initial_value(obj, offset, type_) == value


def test_bytes_that_are_no_element() -> None:
    raw = OBJECTS["@raw"]
    assert location_name(raw, 4, 4) == "@raw[4..8)"
    assert parse_location("@raw[4..8)", [raw]) == ("@raw", 4, 4)


@pytest.mark.parametrize(
    ("name", "offset", "type_", "value"),
    [
        ("@x", 0, IntType(16), 5),
        ("@x", 2, IntType(16), 0),
        ("@v", 0, I64, 0x200000001),
        ("@v", 8, I64, UNDEF),
        ("@a", 8, VectorType(2, I32), (3, 4)),
        ("@a", 2, I32, 0x20000),
        ("@s", 0, IntType(16), 1),
        ("@s", 24, I64, 4 | 5 << 32),
        ("@p", 0, I64, 0),
        ("@u", 2, IntType(16), UNDEF),
        ("@raw", 1, I32, UNDEF),
        ("@z", 12, I64, 0),
    ],
)
def test_initial_bytes(name: str, offset: int, type_: Type, value: Value) -> None:
    assert initial_value(OBJECTS[name], offset, type_) == value


@pytest.mark.parametrize(("name", "offset", "type_"), [("@x", 0, I64), ("@x", -4, I32), ("@a", 20, I64)])
def test_no_value_outside_of_an_object(name: str, offset: int, type_: Type) -> None:
    with pytest.raises(InputError, match="bytes"):
        initial_value(OBJECTS[name], offset, type_)


@pytest.mark.parametrize(
    "name", ["@y", "x", "", "@a[2]", "@a[0][3]", "@x[0]", "@s+1", "@s+99", "@a[0][0][0]", "@x-4", "@a["]
)
def test_no_such_location(name: str) -> None:
    with pytest.raises(InputError):
        parse_location(name, OBJECTS.values())


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (I32, 0),
        (PointerType(3), NULL),
        (FloatType("float", 4), Term("0.000000e+00")),
        (StructType((I8, VectorType(2, I32))), (0, (0, 0))),
    ],
)
def test_zeros(type_: Type, value: Value) -> None:
    assert zero_value(type_) == value


def test_too_many_zeros() -> None:
    with pytest.raises(InputError):
        zero_value(ArrayType(1 << 40, I8))
