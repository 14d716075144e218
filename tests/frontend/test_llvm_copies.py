"""Copies, vectors and masked accesses: what they are read as, and what is said of those that are not covered."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.instructions import (
    Assign,
    Constant,
    Instruction,
    Load,
    Operation,
    Ordering,
    Register,
    Store,
    Terminator,
    Unsupported,
)
from enumerator.program.types import ArrayType, BytesType, IntType, PointerType, VectorType
from enumerator.program.values import UNDEF, Pointer, Value

I1, I8, I32, I64 = IntType(1), IntType(8), IntType(32), IntType(64)

HEAD = """; THREADS: f=@f(ptr @x, i8 3, i64 4, <4 x i1> zeroinitializer)
@x = global [8 x i8] zeroinitializer
@y = global [8 x i8] zeroinitializer
@l = addrspace(3) global [8 x i8] zeroinitializer
@v = global <4 x i32> zeroinitializer
@p = global ptr @x
@q = global ptr null
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p3.p0.i32(ptr addrspace(3), ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare void @llvm.masked.store.v4i1.p0(<4 x i1>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smax.v4i32(<4 x i32>)
"""
FIRST_LINE = HEAD.count("\n") + 2

MASK = "<4 x i1> <i1 true, i1 false, i1 true, i1 false>"


def text_of(body: str) -> str:
    return f"{HEAD}define void @f(ptr %p, i8 %b, i64 %n, <4 x i1> %m) {{\n  {body}\n  ret void\n}}\n"


def read(body: str) -> list[Instruction | Terminator]:
    """Give the instructions that a body is read as."""
    return list(load_text(text_of(body), "test.ll").functions["f"].blocks[0].body)


def offset(address: object) -> int:
    """Give how far behind ``%p`` an address is."""
    if address == Register("p"):
        return 0
    assert isinstance(address, Operation) and address.operator == "ptradd"
    first, step = address.arguments
    assert first == Register("p") and isinstance(step, Constant) and isinstance(step.value, int)
    return step.value


@pytest.mark.parametrize("name", ["llvm.memcpy.p0.p0.i64", "llvm.memcpy.inline.p0.p0.i64"])
def test_a_copy_is_a_load_and_a_store_of_bytes(name: str) -> None:
    load, store = read(f"call void @{name}(ptr align 4 %p, ptr nonnull @y, i64 5, i1 false)")
    assert isinstance(load, Load) and isinstance(store, Store)
    assert (load.address, load.type) == (Constant(Pointer("@y"), PointerType()), BytesType(5))
    assert (store.address, store.value, store.type) == (Register("p"), Register(load.target), BytesType(5))
    assert load.annotation.ordering is store.annotation.ordering is Ordering.NA
    assert load.line == store.line == FIRST_LINE


def test_both_ends_of_a_copy_have_their_own_address_space() -> None:
    load, store = read("call void @llvm.memcpy.p3.p0.i32(ptr addrspace(3) @l, ptr %p, i32 8, i1 true)")
    assert isinstance(load, Load) and isinstance(store, Store)
    assert (load.annotation.address_space, store.annotation.address_space) == (0, 3)
    assert load.annotation.volatile and store.annotation.volatile


def test_a_copy_keeps_its_tags() -> None:
    body = 'call void @llvm.memmove.p0.p0.i32(ptr %p, ptr @y, i32 2, i1 false), !mmra !{!"a", !"b"}'
    for each in read(body):
        assert isinstance(each, Load | Store)
        assert {(tag.prefix, tag.suffix) for tag in each.annotation.tags} == {("a", "b")}


def test_a_copy_of_nothing_is_no_access() -> None:
    assert read("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr null, i64 0, i1 false)") == []


@pytest.mark.parametrize(
    ("byte", "value"), [("0", 0), ("127", 0x7F7F7F), ("-1", -1), ("5", 0x050505), ("undef", UNDEF), ("poison", UNDEF)]
)
def test_memory_filled_with_a_constant(byte: str, value: Value) -> None:
    (store,) = read(f"call void @llvm.memset.p0.i64(ptr %p, i8 {byte}, i64 3, i1 false)")
    assert isinstance(store, Store)
    assert (store.value, store.type) == (Constant(value, BytesType(3)), BytesType(3))


def test_memory_filled_with_a_register() -> None:
    (store,) = read("call void @llvm.memset.inline.p0.i64(ptr %p, i8 %b, i64 3, i1 false)")
    assert isinstance(store, Store)
    assert store.value == Operation("tuple", (Register("b"),) * 3, ArrayType(3, I8), I8)


@pytest.mark.parametrize("kind", ["memcpy", "memmove"])
def test_a_copy_by_atomic_elements_loads_all_before_it_stores(kind: str) -> None:
    name = f"llvm.{kind}.element.unordered.atomic.p0.p0.i64"
    parts = read(f"call void @{name}(ptr align 2 %p, ptr align 2 @y, i64 6, i32 2)")
    assert [type(each) for each in parts] == [Load] * 3 + [Store] * 3
    for each in parts:
        assert isinstance(each, Load | Store)
        assert (each.type, each.annotation.ordering) == (BytesType(2), Ordering.UNORDERED)
    assert [offset(each.address) for each in parts if isinstance(each, Store)] == [0, 2, 4]
    assert [each.value for each in parts if isinstance(each, Store)] == [
        Register(each.target) for each in parts if isinstance(each, Load)
    ]


def test_memory_filled_by_atomic_elements() -> None:
    parts = read("call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %p, i8 1, i64 8, i32 4)")
    assert [offset(each.address) for each in parts if isinstance(each, Store)] == [0, 4]
    assert all(isinstance(each, Store) and each.value == Constant(0x01010101, BytesType(4)) for each in parts)


@pytest.mark.parametrize(
    ("mask", "numbers"),
    [
        ("<2 x i32> <i32 3, i32 0>", (3, 0)),
        ("<4 x i32> <i32 0, i32 poison, i32 2, i32 undef>", (0, -1, 2, -1)),
        ("<3 x i32> zeroinitializer", (0, 0, 0)),
        ("<2 x i32> poison", (-1, -1)),
    ],
)
def test_shuffles(mask: str, numbers: tuple[int, ...]) -> None:
    loaded, shuffled = read(
        f"%v = load <2 x i32>, ptr %p\n  %r = shufflevector <2 x i32> %v, <2 x i32> <i32 1, i32 2>, {mask}"
    )
    assert isinstance(loaded, Load) and isinstance(shuffled, Assign)
    operation = shuffled.expression
    assert isinstance(operation, Operation)
    assert (operation.operator, operation.indices) == ("shufflevector", numbers)
    assert (operation.type, operation.operand_type) == (VectorType(len(numbers), I32), VectorType(2, I32))


def test_masked_stores_are_of_the_lanes_that_are_on() -> None:
    parts = read(f"call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr %p, i32 4, {MASK})")
    assert [(type(each), offset(each.address), each.type) for each in parts if isinstance(each, Store)] == [
        (Store, 0, I32),
        (Store, 8, I32),
    ]


def test_packed_stores_take_one_place_after_the_other() -> None:
    parts = read(f"call void @llvm.masked.compressstore.v4i32(<4 x i32> splat (i32 1), ptr %p, {MASK})")
    assert [offset(each.address) for each in parts if isinstance(each, Store)] == [0, 4]


@pytest.mark.parametrize(
    ("call", "offsets"),
    [
        (f"@llvm.masked.load.v4i32.p0(ptr %p, i32 4, {MASK}, <4 x i32> splat (i32 7))", [0, 8]),
        (f"@llvm.masked.expandload.v4i32(ptr %p, {MASK}, <4 x i32> splat (i32 7))", [0, 4]),
        ("@llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> zeroinitializer, <4 x i32> splat (i32 7))", []),
    ],
)
def test_masked_loads_are_of_the_lanes_that_are_on(call: str, offsets: list[int]) -> None:
    *loads, result = read(f"%r = call <4 x i32> {call}")
    assert [offset(each.address) for each in loads if isinstance(each, Load)] == offsets
    assert isinstance(result, Assign) and result.target == "r"


def run(body: str, condition: str) -> str | None:
    """Give the observation of a condition after a body."""
    return check(load_text(f"; EXISTS: {condition}\n{text_of(body)}", "test.ll"), model="llvm").observation


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        (
            f"%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @v, i32 4, {MASK}, <4 x i32> splat (i32 7))",
            "f:%r = <0, 7, 0, 7>",
        ),
        (
            f"store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v\n"
            f"  %r = call <4 x i32> @llvm.masked.expandload.v4i32(ptr @v, {MASK}, <4 x i32> splat (i32 7))",
            "f:%r = <1, 7, 2, 7>",
        ),
        (
            f"call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v, {MASK})",
            "@v = <1, 3, 0, 0>",
        ),
        (
            "%a = getelementptr i32, ptr @v, <4 x i64> <i64 3, i64 2, i64 1, i64 0>\n"
            "  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v\n"
            f"  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %a, i32 4, {MASK}, <4 x i32> poison)",
            "f:%r = <4, undef, 2, undef>",
        ),
        (
            "store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v\n  %v = load <4 x i32>, ptr @v\n"
            "  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)",
            "f:%r = 10",
        ),
        ("call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 4, i1 false)\n  %r = load i32, ptr %p", "f:%r = 50529027"),
        ("store i64 %n, ptr %p\n  %r = load <4 x i16>, ptr %p", "f:%r = <4, 0, 0, 0>"),
        ("store i24 -2, ptr %p\n  %r = load i32, ptr %p", "f:%r = 16777214"),
        ("store <3 x i8> <i8 1, i8 2, i8 3>, ptr %p\n  %r = load i32, ptr %p", "f:%r = 197121"),
        ("store double 1.0, ptr %p\n  %r = load <2 x float>, ptr %p", "f:%r = <0.0, 1.875>"),
        ("store i16 15872, ptr %p\n  %r = load half, ptr %p", "f:%r = 1.5"),
        ("store bfloat 1.5, ptr %p\n  %r = load i16, ptr %p", "f:%r = 16320"),
        ("store ptr null, ptr %p\n  %r = load i32, ptr %p", "f:%r = 0"),
        ("store i64 0, ptr @p\n  %r = load ptr, ptr @p", "f:%r = null"),
        ("call void @llvm.memset.p0.i64(ptr @p, i8 0, i64 8, i1 false)\n  %r = load ptr, ptr @p", "f:%r = null"),
        ("call void @llvm.memcpy.p0.p0.i64(ptr @q, ptr @p, i64 8, i1 false)\n  %r = load ptr, ptr @q", "f:%r = &@x"),
    ],
)
def test_values(body: str, condition: str) -> None:
    assert run(body, condition) == "Always"


@pytest.mark.parametrize(
    "body",
    [
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @y, i64 %n, i1 true)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @y, i64 -1, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @y, i64 65537, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @y, i64 undef, i1 false)",
        "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 %n, i1 true)",
        "call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 @y, i64 6, i32 4)",
        "call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 @y, i64 %n, i32 4)",
        "call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr @v, i32 4, <4 x i1> %m)",
        "call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr @v, i32 4, "
        "<4 x i1> <i1 1, i1 undef, i1 0, i1 0>)",
        f"call void @llvm.masked.store.v4i1.p0(<4 x i1> splat (i1 1), ptr %p, i32 4, {MASK})",
        "%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @v, i32 4, <4 x i1> %m, <4 x i32> poison)",
    ],
)
def test_what_is_not_covered_is_an_error_with_its_line(body: str) -> None:
    (part,) = read(body)
    assert isinstance(part, Unsupported)
    with pytest.raises(InputError) as caught:
        run(body, "true")
    assert (caught.value.path, caught.value.line) == ("test.ll", FIRST_LINE + 1)
    assert "not covered" in caught.value.message


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("%r = load i32, ptr @p", "f:%r = 0"),
        ("%r = load <2 x i32>, ptr @p", "f:%r = <0, 0>"),
        ("store ptr %p, ptr @q\n  %r = load i8, ptr @q", "f:%r = 0"),
        ("store i32 0, ptr @p\n  %r = load ptr, ptr @p", "f:%r = null"),
        ("%r = load i32, ptr @p\n  %d = sub i32 %r, %r\n  store i32 %d, ptr @v", "@v[0..4) = 0"),
        ("call void @llvm.memcpy.p0.p0.i64(ptr @y, ptr @p, i64 4, i1 false)\n  %r = load i32, ptr @y", "f:%r = 0"),
        ("%s = alloca ptr\n  store ptr %p, ptr %s\n  %r = load i32, ptr %s", "f:%r = 0"),
        ("store ptr %p, ptr @q", "@q[0..4) = 0"),
    ],
)
def test_some_bytes_of_a_pointer_are_no_number(body: str, asked: str) -> None:
    with pytest.raises(InputError, match="pointers are kept whole"):
        run(body, asked)


@pytest.mark.parametrize(
    "body",
    [
        "call void @llvm.memcpy.p0.p0.i64(ptr @x, ptr @y, i64 9, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr @x, ptr null, i64 1, i1 false)",
        "call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 9, i1 false)",
        "%e = getelementptr i8, ptr @x, i64 5\n  %r = load i32, ptr %e",
        "%e = getelementptr i8, ptr @x, i64 -1\n  store i16 0, ptr %e",
        f"%e = getelementptr i8, ptr @v, i64 8\n"
        f"  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr %e, i32 4, {MASK})",
        "%s = alloca i32\n  %e = getelementptr i8, ptr %s, i64 2\n  %r = load i32, ptr %e",
    ],
)
def test_a_byte_outside_of_an_object_is_undefined_behaviour(body: str) -> None:
    result = check(load_text(text_of(body), "test.ll"), model="llvm")
    assert (result.flags, result.verdict) == (("ub", "ub-address"), "Undef")


def test_lanes_outside_of_an_object_may_be_off() -> None:
    body = (
        "%e = getelementptr i8, ptr @v, i64 4\n"
        "  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr %e, i32 4, "
        "<4 x i1> <i1 1, i1 0, i1 1, i1 0>)"
    )
    assert run(body, "@v = <0, 1, 0, 1>") == "Always"


@pytest.mark.parametrize(
    ("condition", "column", "message"),
    [
        ("@x[2..9) = 0", 11, "no such bytes"),
        ("@x[3..3) = 0", 11, "no such bytes"),
        ("@x[4..2) = 0", 11, "no such bytes"),
        ("@p+4 = 0", 11, "no element starts"),
        ("@x[2..4] = 0", 13, "unexpected"),
        ("@z[0..1) = 0", 11, "unknown location @z"),
    ],
)
def test_bytes_that_a_condition_cannot_name(condition: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        run("ret void", condition)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert message in caught.value.message
