"""Instructions that access memory, and fences."""

from __future__ import annotations

from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    Alloca,
    Allocate,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Load,
    Operation,
    ReadModifyWrite,
    Store,
)
from enumerator.program.types import IntType, PointerType, StructType, Type, size_of

__all__ = ["alloca", "compare_exchange", "fence", "load", "read_modify_write", "store"]


def load(text: InstructionReader) -> Load:
    """Read a ``load``."""
    text.accept("atomic")
    volatile = text.accept("volatile")
    type_ = text.type()
    address, pointer = text.then_typed()
    annotation = text.access(pointer, volatile)
    return Load(text.define(type_), address, type_, annotation, text.line)


def store(text: InstructionReader) -> Store:
    """Read a ``store``."""
    text.accept("atomic")
    volatile = text.accept("volatile")
    value, type_ = text.typed()
    address, pointer = text.then_typed()
    return Store(address, value, type_, text.access(pointer, volatile), text.line)


def read_modify_write(text: InstructionReader) -> ReadModifyWrite:
    """Read an ``atomicrmw``."""
    volatile = text.accept("volatile")
    operator = text.next()
    address, pointer = text.typed()
    operand, type_ = text.then_typed()
    annotation = text.access(pointer, volatile)
    return ReadModifyWrite(text.define(type_), operator, address, operand, type_, annotation, text.line)


def compare_exchange(text: InstructionReader) -> CompareExchange:
    """Read a ``cmpxchg``."""
    weak = text.accept("weak")
    volatile = text.accept("volatile")
    address, pointer = text.typed()
    expected, type_ = text.then_typed()
    desired, _ = text.then_typed()
    scope = text.scope()
    success, failure = text.ordering(), text.ordering()
    annotation = text.annotation(success, scope, pointer, volatile)
    target = text.define(StructType((type_, IntType(1))))
    return CompareExchange(target, address, expected, desired, type_, annotation, failure, weak, text.line)


def fence(text: InstructionReader) -> Fence:
    """Read a ``fence``."""
    scope = text.scope()
    return Fence(text.annotation(text.ordering(), scope), text.line)


def alloca(text: InstructionReader) -> Alloca | Allocate:
    """Read an ``alloca``: of a number of elements that is computed, memory that is there until the end."""
    text.accept("inalloca")
    text.accept("swifterror")
    type_ = text.type()
    count, space = 1, 0
    while text.accept(","):
        if text.accept("align"):
            text.next()
        elif text.token == "addrspace":
            space = text.function.constants.address_space(text)
        elif text.token.startswith("!"):
            break
        else:
            number, width = text.typed()
            if not isinstance(number, Constant):
                return Allocate(text.define(PointerType(space)), _bytes(type_, number, width), line=text.line)
            if not isinstance(number.value, int) or number.value < 0:
                raise NotCovered("a number of elements that is no number")
            count = number.value
    return Alloca(text.define(PointerType(space)), type_, count, space, text.line)


def _bytes(type_: Type, count: Expression, width: Type) -> Expression:
    """Give how many bytes some elements take up."""
    size = IntType(64)
    whole = count if width == size else Operation("zext", (count,), size, width)
    return Operation("mul", (whole, Constant(size_of(type_), size)), size, size)
