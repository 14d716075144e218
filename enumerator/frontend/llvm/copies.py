"""Intrinsics that copy or fill bytes of memory: ``llvm.memcpy``, ``llvm.memmove``, ``llvm.memset`` and their forms.

They are a load and a store of bytes as memory holds them, not atomic; those of ``element.unordered.atomic`` are loads
and stores of elements. All reads come before all writes (semantics, section 8; LangRef, *Standard C/C++ Library
Intrinsics*, *Element Wise Atomic Memory Intrinsics*). Where the length is computed, a function of the library copies.
"""

from __future__ import annotations

from dataclasses import replace

from enumerator.frontend.llvm.library import COPY, FILL, MOVE
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    HIDDEN,
    Annotation,
    Call,
    Constant,
    Expression,
    Instruction,
    Load,
    Operation,
    Ordering,
    Register,
    Store,
)
from enumerator.program.types import ArrayType, BytesType, IntType, PointerType, Type
from enumerator.program.values import UNDEF, Undef, Value

__all__ = ["bytes_intrinsic", "is_bytes_intrinsic", "moved"]

_COPIES = ("llvm.memcpy.", "llvm.memmove.")
_FILLS = ("llvm.memset.",)
_LONG = IntType(64)
_LONGEST = 1 << 16
_MOST_ELEMENTS = 1 << 10


def is_bytes_intrinsic(name: str) -> bool:
    """Tell whether an intrinsic copies or fills memory.

    Examples
    --------
    >>> is_bytes_intrinsic("llvm.memcpy.inline.p0.p0.i64"), is_bytes_intrinsic("llvm.memory.x")
    (True, False)
    """
    return name.startswith((*_COPIES, *_FILLS))


def bytes_intrinsic(name: str, text: InstructionReader) -> list[Instruction]:
    """Read a call of one.

    Raises
    ------
    NotCovered
        If the length is so large that no test is meant, or not constant where atomic or volatile elements are written.
    """
    (target, pointer), (source, source_type), (length, width), (last, _) = text.arguments()
    size = length.value if isinstance(length, Constant) else None
    copies = name.startswith(_COPIES)
    plain = pointer == PointerType() == (source_type if copies else pointer) and ".element." not in name
    if not isinstance(length, Constant) and plain and _is_zero(last):
        whole = length if width == _LONG else Operation("zext", (length,), _LONG, width)
        function = MOVE if name.startswith("llvm.memmove.") else COPY if copies else FILL
        return [Call(None, function, (target, source, whole), text.line, lends=True)]
    if not isinstance(size, int) or not 0 <= size <= _LONGEST:
        raise NotCovered(f"{name} of a length that is not constant, or too large")
    step, ordering, volatile = size, Ordering.NA, False
    if ".element.unordered.atomic." in name:
        step = last.value if isinstance(last, Constant) and isinstance(last.value, int) else 0
        ordering = Ordering.UNORDERED
        if step <= 0 or size % step or size // step > _MOST_ELEMENTS:
            raise NotCovered(f"{name} of this length and size of elements")
    else:
        volatile = isinstance(last, Constant) and last.value == 1
    to = text.annotation(ordering=ordering, pointer=pointer, volatile=volatile)
    if not copies:
        return [
            Store(moved(target, place, pointer), *_filled(source, step), to, text.line)
            for place in range(0, size, max(step, 1))
        ]
    space = source_type.memory_space if isinstance(source_type, PointerType) else 0
    return _copied((target, pointer, to), (source, source_type, replace(to, address_space=space)), size, step, text)


def _is_zero(given: Expression) -> bool:
    return isinstance(given, Constant) and given.value == 0


_Place = tuple[Expression, Type, Annotation]


def _copied(to: _Place, source: _Place, size: int, step: int, text: InstructionReader) -> list[Instruction]:
    type_ = BytesType(step)
    loads: list[Instruction] = []
    stores: list[Instruction] = []
    for place in range(0, size, max(step, 1)):
        held = f"{HIDDEN}{place}"
        loads.append(Load(held, moved(source[0], place, source[1]), type_, source[2], text.line))
        stores.append(Store(moved(to[0], place, to[1]), Register(held), type_, to[2], text.line))
    return loads + stores


def _filled(byte: Expression, size: int) -> tuple[Expression, Type]:
    """Give a value of `size` bytes that are all the same, and its type."""
    if not isinstance(byte, Constant):
        type_ = ArrayType(size, IntType(8))
        return Operation("tuple", (byte,) * size, type_, IntType(8)), type_
    value: Value = UNDEF
    if not isinstance(byte.value, Undef):
        assert isinstance(byte.value, int)
        value = int.from_bytes(bytes([byte.value & 0xFF]) * size, "little", signed=True)
    return Constant(value, BytesType(size)), BytesType(size)


def moved(address: Expression, offset: int, pointer: Type) -> Expression:
    """Give an address so many bytes further."""
    if offset == 0:
        return address
    return Operation("ptradd", (address, Constant(offset, IntType(64))), pointer, pointer)
