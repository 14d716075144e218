"""Expansion of gated prefetches: a prefetch that runs when a data value is there (semantics, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from enumerator.errors import InputError
from enumerator.frontend.llvm.constants import ConstantParser
from enumerator.frontend.llvm.reader import skip_attributes
from enumerator.frontend.llvm.tokens import Cursor, NotCovered
from enumerator.frozen import dataclass
from enumerator.passes.ordering.operations import prefetch_operands
from enumerator.passes.ordering.printed import Line
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType
from enumerator.program.written import type_text

__all__ = ["expand"]

_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

_MOST_LINES = 4096
"""Of one expansion."""


@dataclass
class _Expansion:
    fresh: Callable[[str], str]
    lines: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def add(self, text: str) -> str:
        name = self.fresh("gate")
        self.lines.append(f"{name} = {text}")
        return name

    def gate(self, written: str, type_: Type, value: str) -> None:
        """Turn a value that is no aggregate into a token."""
        match type_:
            case IntType(1):
                self.tokens.append(value)
            case IntType():
                self.tokens.append(self.add(f"trunc {written} {value} to i1"))
            case PointerType():
                self.gate("i64", IntType(64), self.add(f"ptrtoint {written} {value} to i64"))
            case VectorType(count, PointerType()):
                integers = f"<{count} x i64>"
                casted = self.add(f"ptrtoint {written} {value} to {integers}")
                self.gate(integers, VectorType(count, IntType(64)), casted)
            case _:
                width = _bits(type_)
                self.gate(f"i{width}", IntType(width), self.add(f"bitcast {written} {value} to i{width}"))

    def parts(self, written: str, type_: Type, value: str) -> None:
        """Turn a value, or one by one all that an aggregate holds, into tokens."""
        if not isinstance(type_, (StructType, ArrayType)):
            self.gate(written, type_, value)
            return
        for path, part in _leaves(type_):
            if len(self.lines) > _MOST_LINES:
                raise NotCovered("it has too many parts")
            indices = ", ".join(map(str, path))
            self.gate(type_text(part), part, self.add(f"extractvalue {written} {value}, {indices}"))


def expand(
    line: Line,
    constants: ConstantParser,
    fresh: Callable[[str], str],
    error: Callable[[Line, str], InputError],
) -> list[str]:
    """Expand a gated prefetch.

    Parameters
    ----------
    line : Line
        The call.
    constants : ConstantParser
        Knows the module's types.
    fresh : callable
        Gives a register that is not in use, from a word for it.
    error : callable
        Makes an error of the instruction and a message.

    Returns
    -------
    list of str
        The lines in place of the call.

    Raises
    ------
    InputError
        For operands that a prefetch does not have, or a gate that cannot be cast.
    """
    address, rw, locality = prefetch_operands(line, 1, error)
    words = line.arguments()[0]
    cursor = Cursor(words)
    expansion = _Expansion(fresh)
    try:
        type_ = constants.type(cursor)
        written = " ".join(words[: cursor.index])
        skip_attributes(cursor)
        expansion.parts(written, type_, " ".join(words[cursor.index :]))
    except (NotCovered, ValueError) as reason:
        raise error(line, f"the gate cannot be cast to a token ({reason})") from None
    match expansion.tokens:
        case []:
            token = "false"  # of a gate without parts, nothing is awaited
        case [token]:
            pass
        case tokens:
            merged = ", ".join(f"i1 {each}" for each in tokens)
            token = expansion.add(f"call i1 (...) @llvm.csa.all0({merged})")
    pointer = constants.type(Cursor(address.split(" ")))
    suffix = f"p{pointer.address_space}" if isinstance(pointer, PointerType) else "p0"
    prefetch = f"call void @llvm.prefetch.{suffix}({address}, i32 {rw}, i32 {locality}, i32 1)"
    output = f"{fresh('out')} = call i1 @llvm.csa.outord()"
    return [*expansion.lines, f"call void @llvm.csa.inord(i1 {token})", prefetch, output]


def _leaves(type_: Type) -> Iterator[tuple[tuple[int, ...], Type]]:
    """Give what an aggregate holds that is no aggregate itself, with the indices that lead there."""
    match type_:
        case StructType(fields):
            parts: Iterable[Type] = fields
        case ArrayType(count, element):
            parts = (element for _ in range(count))
        case _:
            yield (), type_
            return
    for index, part in enumerate(parts):
        for path, leaf in _leaves(part):
            yield (index, *path), leaf


def _bits(type_: Type) -> int:
    match type_:
        case IntType(width):
            return width
        case FloatType(name):
            return _FLOAT_BITS[name]
        case VectorType(count, element):
            return count * _bits(element)
        case _:
            raise NotCovered("a value without a size in bits")
