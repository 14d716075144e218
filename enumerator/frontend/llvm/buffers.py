"""AMDGPU's buffers: what their descriptors say, and accesses beyond their ends, which read 0 and write nothing.

Sources: LLVM, AMDGPUUsage, *Address Spaces*, and IntrinsicsAMDGPU.td; MLIR, `amdgpu.raw_buffer_load`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Assign,
    Block,
    Branch,
    Call,
    Constant,
    Expression,
    Function,
    Instruction,
    Load,
    Operation,
    Register,
    Return,
    Store,
    Unsupported,
)
from enumerator.program.memory import zero_value
from enumerator.program.types import IntType, Type, store_size

__all__ = ["NOT_HELD", "Buffer", "bounded", "buffer_of", "not_held"]

_BIT, _WIDE = IntType(1), IntType(64)
_UNCHECKED = 2  # the two bits of the descriptor's last word that say when an access of RDNA is out of range

NOT_HELD = "num_records of a buffer is not looked at {}: beyond it, hardware reads 0 and writes nothing"
"""What is said of accesses that are not held against the size of their buffer."""


@dataclass(frozen=True)
class Buffer:
    """What the descriptor of a buffer says.

    Parameters
    ----------
    stride : int or None
        The size of its elements, with bits on their order; None if that is not constant.
    records : Expression
        ``num_records``: bytes, or elements if it has a stride.
    type : Type
        Of `records`.
    flags : Expression
    """

    stride: int | None
    records: Expression
    type: Type
    flags: Expression

    @property
    def checked(self) -> bool:
        """Whether accesses are held against its size."""
        flags = self.flags.value if isinstance(self.flags, Constant) else 0
        return not isinstance(flags, int) or flags >> 28 & 3 != _UNCHECKED


def buffer_of(arguments: Sequence[tuple[Expression, Type]]) -> Buffer:
    """Read the arguments of ``llvm.amdgcn.make.buffer.rsrc``.

    Examples
    --------
    >>> half, word = IntType(16), IntType(32)
    >>> address = (Register("x"), word)
    >>> buffer_of((address, (Constant(4, half), half), (Constant(8, word), word), (Constant(0, word), word))).stride
    4
    """
    _, (stride, _), (records, type_), (flags, _) = arguments
    known = stride.value & 0xFFFF if isinstance(stride, Constant) and isinstance(stride.value, int) else None
    return Buffer(known, records, type_, flags)


def bounded(
    access: Load | Store,
    resource: Expression,
    index: Expression | None,
    offsets: Sequence[tuple[Expression, Type]],
    name: str,
    text: InstructionReader,
) -> Instruction:
    """Hold an access against the size of its buffer.

    Where it depends on values whether it is in range, a function that branches on that stands for it.

    Parameters
    ----------
    access : Load or Store
    resource : Expression
    index : Expression or None
        Of the element, in a buffer with a stride.
    offsets : sequence of (Expression, Type)
        The offset that counts, the one of which it depends on the processor whether it counts, and perhaps a constant
        one that counts.
    name : str
        Of the intrinsic.
    text : InstructionReader

    Raises
    ------
    NotCovered
        If it depends on the processor whether the access is in range.
    """
    buffer = text.function.buffers.get(resource.name) if isinstance(resource, Register) else None
    if buffer is None or (index is None) != (buffer.stride == 0):
        not_held(text)
        return access
    if not buffer.checked:
        return access
    records, size = _wide(buffer.records, buffer.type), store_size(access.type)
    if index is not None:
        begins = [_wide(index, IntType(32))]
        ends = [_added(begins[0], Constant(1, _WIDE))]
    else:
        own, further, *fixed = (_wide(*each) for each in offsets)
        for each in fixed:
            own = _added(own, each)
        begins = [own] if further == _ZERO else [own, _added(own, further)]
        ends = [_added(each, Constant(size, _WIDE)) for each in begins]
    inside = _all([_compared("ule", each, records) for each in ends])
    beyond = _all([_compared("uge", each, records) for each in begins])
    if isinstance(inside, Constant) and isinstance(beyond, Constant):
        if inside.value:
            return access
        if not beyond.value:
            raise NotCovered(f"{name}: {_PARTLY}")
        return _nothing(access, text)
    return _guarded(access, inside, beyond, name, text)


def not_held(text: InstructionReader) -> None:
    """Note that an access is not held against the size of its buffer."""
    text.function.notes[NOT_HELD.format(f"in line {text.line}")] = None


_ZERO = Constant(0, _WIDE)
_PARTLY = "how much of this access is within num_records depends on the processor"


def _wide(value: Expression, type_: Type) -> Expression:
    if isinstance(value, Constant) and isinstance(value.value, int) and isinstance(type_, IntType):
        return Constant(value.value & ((1 << type_.width) - 1 >> (type_.width == 64)), _WIDE)
    return value if type_ == _WIDE else Operation("zext", (value,), _WIDE, type_)


def _added(one: Expression, other: Expression) -> Expression:
    if other == _ZERO:
        return one
    if isinstance(one, Constant) and isinstance(other, Constant):
        return Constant(int(str(one.value)) + int(str(other.value)), _WIDE)
    return Operation("add", (one, other), _WIDE, _WIDE)


def _compared(predicate: str, one: Expression, other: Expression) -> Expression:
    if isinstance(one, Constant) and isinstance(other, Constant):
        left, right = int(str(one.value)), int(str(other.value))
        return Constant(int(left <= right if predicate == "ule" else left >= right), _BIT)
    return Operation(f"icmp {predicate}", (one, other), _BIT, _WIDE)


def _all(bits: Sequence[Expression]) -> Expression:
    first, *rest = bits
    for each in rest:
        if isinstance(first, Constant) and isinstance(each, Constant):
            first = Constant(int(bool(first.value and each.value)), _BIT)
        else:
            first = Operation("and", (first, each), _BIT, _BIT)
    return first


def _nothing(access: Load | Store, text: InstructionReader) -> Instruction:
    """Give what an access beyond the end does; a store does nothing that anything could see."""
    if isinstance(access, Store):
        return Assign(f"nothing stored in line {text.line}", Constant(0, _BIT), text.line)
    return Assign(access.target, Constant(zero_value(access.type), access.type), text.line)


def _guarded(
    access: Load | Store, inside: Expression, beyond: Expression, name: str, text: InstructionReader
) -> Instruction:
    parameters: tuple[str, ...] = ("address", "inside", "beyond")
    arguments: tuple[Expression, ...] = (access.address, inside, beyond)
    done: Return
    if isinstance(access, Load):
        read, done = replace(access, target="value", address=Register("address")), Return(Register("value"))
        none, target = Return(Constant(zero_value(access.type), access.type)), access.target
        body: Load | Store = read
    else:
        parameters, arguments = (*parameters, "value"), (*arguments, access.value)
        body = replace(access, address=Register("address"), value=Register("value"))
        done, none, target = Return(None), Return(None), None
    note = access.annotation  # calls of one line may differ, as in what was compiled from C
    notes = ["volatile"] * note.volatile + ["private"] * note.thread_private
    notes += sorted(map(str, note.tags))
    function = Function(
        " ".join((f"{name} in line {text.line}", *notes, f"of {store_size(access.type)} bytes")),
        parameters,
        (
            Block("entry", (), (), Branch(Register("inside"), "access", "out")),
            Block("access", (), (body,), done),
            Block("out", (), (), Branch(Register("beyond"), "none", "partly")),
            Block("partly", (), (Unsupported(name, text.line, _PARTLY),), none),
            Block("none", (), (), none),
        ),
        library=True,
    )
    text.make(function)
    return Call(target, function.name, arguments, text.line)
