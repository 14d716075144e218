"""Intrinsics on integers give what LLVM computes for them: the same code, compiled and run."""

from __future__ import annotations

import ctypes
from itertools import product

import llvmlite.binding as llvm
import pytest

from enumerator import check, load

NUMBERS = (0, 1, 2, 6, 100, 127, -1, -2, -77, -128)
ONE = ("ctpop", "bitreverse", "bswap")
FLAGGED = ("abs", "ctlz", "cttz")
TWO = tuple(f"{sign}{name}.sat" for sign in "us" for name in ("add", "sub"))
THREE = ("fshl", "fshr")
OVERFLOW = tuple(f"{sign}{name}.with.overflow" for sign in "us" for name in ("add", "sub", "mul"))


def called(name: str, numbers: tuple[int, ...], width: int) -> str:
    """A call that puts its result, widened, into %r."""
    type_ = f"i{width}"
    if name in OVERFLOW:
        result = f"{{ {type_}, i1 }}"
        after = [
            f"%v = extractvalue {result} %c, 0",
            f"%o = extractvalue {result} %c, 1",
            "%z = zext i1 %o to i64",
            f"%w = zext {type_} %v to i64",
            "%s = shl i64 %z, 40",
            "%r = or i64 %w, %s",
        ]
    else:
        result, after = type_, [f"%r = zext {type_} %c to i64"]
    passed = ", ".join([*(f"{type_} {number}" for number in numbers), *(["i1 false"] if name in FLAGGED else [])])
    return "\n  ".join([f"%c = call {result} @llvm.{name}.{type_}({passed})", *after])


def declared(name: str, numbers: tuple[int, ...], width: int) -> str:
    """The declaration of what is called."""
    type_ = f"i{width}"
    types = ", ".join([type_] * len(numbers) + (["i1"] if name in FLAGGED else []))
    result = f"{{ {type_}, i1 }}" if name in OVERFLOW else type_
    return f"declare {result} @llvm.{name}.{type_}({types})\n"


def computed_by_llvm(text: str, count: int) -> list[int]:
    """What functions of a module return."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine) as engine:
        engine.finalize_object()
        whole = ctypes.CFUNCTYPE(ctypes.c_int64)
        return [whole(engine.get_function_address(f"f{number}"))() for number in range(count)]


@pytest.mark.parametrize(
    ("name", "operands"),
    [(name, operands) for operands, names in enumerate((ONE + FLAGGED, TWO + OVERFLOW, THREE), 1) for name in names],
)
@pytest.mark.parametrize("width", [16, 32])
def test_as_llvm_computes_them(name: str, operands: int, width: int) -> None:
    # The smallest number of the width is there, too.
    numbers = (*NUMBERS, -(1 << width - 1))
    cases = list(product(numbers, repeat=min(operands, 2)))
    rows = [case if operands < 3 else (*case, 5) for case in cases]
    head = declared(name, rows[0], width)
    bodies = [called(name, row, width) for row in rows]
    code = "".join(f"define i64 @f{number}() {{\n  {body}\n  ret i64 %r\n}}\n" for number, body in enumerate(bodies))
    wanted = computed_by_llvm(head + code, len(rows))
    condition = " /\\ ".join(f"f{number}:ret = {value}" for number, value in enumerate(wanted))
    threads = " ".join(f"f{number}=@f{number}()" for number in range(len(rows)))
    result = check(load(f"; THREADS: {threads}\n; FORALL: {condition}\n{head}{code}", name=name), "sc")
    assert result.observation == "Always"


def test_poison() -> None:
    # Where zero or the smallest number is poison, a register is undef.
    text = """; EXISTS: t0:%a = undef /\\ t0:%l = undef /\\ t0:%t = undef
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
define void @t0() {
  %a = call i8 @llvm.abs.i8(i8 -128, i1 true)
  %l = call i8 @llvm.ctlz.i8(i8 0, i1 true)
  %t = call i8 @llvm.cttz.i8(i8 0, i1 true)
  ret void
}
"""
    assert check(load(text), "sc").observation == "Always"


VECTORS = ("<i16 3, i16 -7, i16 0, i16 -32768>", "<i16 -2, i16 32767, i16 5, i16 -1>", "<i16 1, i16 2, i16 15, i16 0>")
VECTOR = "<4 x i16>"
ELEMENTWISE = {
    **dict.fromkeys(("ctpop", "bitreverse", "bswap"), (1, False)),
    **dict.fromkeys(FLAGGED, (1, True)),
    **dict.fromkeys((*TWO, "smin", "smax", "umin", "umax"), (2, False)),
    "fshl": (3, False),
}


def as_lanes(call: str, type_: str = VECTOR, more: str = "%v = bitcast <4 x i16> %c to <4 x i16>") -> str:
    """A function body that returns the four elements of a result in one number."""
    lines = [f"%c = {call}", more]
    for lane in range(4):
        lines += [
            f"%e{lane} = extractelement {type_} %v, i32 {lane}",
            f"%z{lane} = zext {type_[5:-1]} %e{lane} to i64",
            f"%s{lane} = shl i64 %z{lane}, {16 * lane}",
            f"%r{lane} = or i64 %s{lane}, {'0' if lane == 0 else f'%r{lane - 1}'}",
        ]
    return "\n  ".join([*lines, "ret i64 %r3"])


def same_as_llvm(head: str, bodies: list[str]) -> bool:
    code = "".join(f"define i64 @f{number}() {{\n  {body}\n}}\n" for number, body in enumerate(bodies))
    wanted = computed_by_llvm(head + code, len(bodies))
    condition = " /\\ ".join(f"f{number}:ret = {value}" for number, value in enumerate(wanted))
    threads = " ".join(f"f{number}=@f{number}()" for number in range(len(bodies)))
    return check(load(f"; THREADS: {threads}\n; FORALL: {condition}\n{head}{code}"), "sc").observation == "Always"


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_vectors_as_llvm_computes_them(name: str) -> None:
    count, flagged = ELEMENTWISE[name]
    flag_type, flag = (", i1", ", i1 false") if flagged else ("", "")
    head = f"declare {VECTOR} @llvm.{name}.v4i16({', '.join([VECTOR] * count)}{flag_type})\n"
    rows = [VECTORS[first : first + 1] + VECTORS[:first] + VECTORS[first + 1 :] for first in range(3)]
    bodies = [
        as_lanes(f"call {VECTOR} @llvm.{name}.v4i16({', '.join(f'{VECTOR} {each}' for each in row[:count])}{flag})")
        for row in rows
    ]
    assert same_as_llvm(head, bodies)


@pytest.mark.parametrize("name", OVERFLOW)
def test_overflow_in_vectors(name: str) -> None:
    pair, function = f"{{ {VECTOR}, <4 x i1> }}", f"llvm.{name}.v4i16"
    head = f"declare {pair} @{function}({VECTOR}, {VECTOR})\n"
    call = f"call {pair} @{function}({VECTOR} {VECTORS[0]}, {VECTOR} {VECTORS[1]})"
    parts = ((number, (VECTOR, "<4 x i1>")[number]) for number in range(2))
    bodies = [as_lanes(call, type_, f"%v = extractvalue {pair} %c, {number}") for number, type_ in parts]
    assert same_as_llvm(head, bodies)


@pytest.mark.parametrize("name", [f"{sign}{which}" for sign in "su" for which in ("min", "max")])
def test_the_least_and_the_greatest_element(name: str) -> None:
    function = f"llvm.vector.reduce.{name}.v4i16"
    bodies = [
        f"%c = call i16 @{function}({VECTOR} {each})\n  %r = zext i16 %c to i64\n  ret i64 %r" for each in VECTORS
    ]
    assert same_as_llvm(f"declare i16 @{function}({VECTOR})\n", bodies)


@pytest.mark.parametrize("name", ["sshl.sat.i16", "ushl.sat.i16", "scmp.i16.i16", "ucmp.i16.i16"])
def test_other_functions_of_two_numbers(name: str) -> None:
    head = f"declare i16 @llvm.{name}(i16, i16)\n"
    cases = product((0, 1, 3, 127, -1, -2, -32768), (0, 1, 5, 15))
    bodies = [
        f"%c = call i16 @llvm.{name}(i16 {one}, i16 {other})\n  %r = zext i16 %c to i64\n  ret i64 %r"
        for one, other in cases
    ]
    assert same_as_llvm(head, bodies)


NUMBERS_OF_ALL_CLASSES = {
    "float": ("0.0", "-0.0", "1.5", "-1.5", "0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000")
    + ("0x36A0000000000000", "0xB6A0000000000000", "0x7FF4000000000000"),
    "double": ("0.0", "-0.0", "1.5", "-1.5", "0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000")
    + ("0x0000000000000001", "0x8000000000000001", "0x7FF4000000000000"),
}


@pytest.mark.parametrize("type_", NUMBERS_OF_ALL_CLASSES)
def test_classes_of_numbers(type_: str) -> None:
    letters = "f32" if type_ == "float" else "f64"
    head = f"declare i1 @llvm.is.fpclass.{letters}({type_}, i32)\n"
    bodies = [
        f"%c = call i1 @llvm.is.fpclass.{letters}({type_} {number}, i32 {mask})\n  %r = zext i1 %c to i64\n  ret i64 %r"
        for number in NUMBERS_OF_ALL_CLASSES[type_]
        for mask in (*(1 << bit for bit in range(10)), 3, 504, 516, 0, 1023)
    ]
    assert same_as_llvm(head, bodies)


def test_a_mask_of_an_address_keeps_its_object() -> None:
    text = """; EXISTS: t0:%v = 2 /\\ t0:%i = 0
@a = global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i1 @llvm.is.constant.i32(i32)
define void @t0() {
  %p = getelementptr i8, ptr @a, i64 6
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
  %v = load i32, ptr %q
  %i = call i1 @llvm.is.constant.i32(i32 %v)
  ret void
}
"""
    assert check(load(text), "sc").observation == "Always"


def test_a_trap_of_a_sanitizer_is_one() -> None:
    text = (
        "; EXISTS: assert\ndeclare void @llvm.ubsantrap(i8)\ndefine void @t0() {\n  call void @llvm.ubsantrap(i8 1)\n"
    )
    assert check(load(text + "  unreachable\n}\n"), "sc").observation == "Always"
