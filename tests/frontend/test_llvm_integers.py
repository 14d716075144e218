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
