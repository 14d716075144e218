"""AMDGPU's copies between global memory and LDS, the marks behind them and the waits for these, as instructions."""

from __future__ import annotations

from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend.llvm.amdgpu import offset_by, refusal, strided
from enumerator.frontend.llvm.asynchronous import MARK, Copy, counter_wait, stages_of_mask
from enumerator.frontend.llvm.buffers import bounded, not_held
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tensors import DESCRIPTOR
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    Constant,
    Expression,
    Instruction,
    Load,
    Operation,
    Register,
    Store,
)
from enumerator.program.types import IntType, PointerType, Type, VectorType

__all__ = ["copy", "mark"]

_OFFSET = IntType(64)
_LANE = Register("%lane.id")
_VOLATILE = 1 << 31  # of the cache policy (AMDGPUDMAOperations, "GFX9 DMA")
_MOST_MARKS = 0xFFFF


def mark(name: str, text: InstructionReader) -> AsyncMark | AsyncWait:
    """Read ``llvm.amdgcn.asyncmark``, ``.wait.asyncmark``, or a wait for a counter of asynchronous operations.

    Raises
    ------
    InputError
        For arguments that are no constants, or that the intrinsic does not have.
    """
    numbers = [_constant(name, value) for value, _ in text.arguments()]
    counted = counter_wait(name)
    if name == MARK:
        if len(numbers) > 1:
            raise InputError(f"{name} takes a stage mask, or nothing", text.function.path, text.line)
        return AsyncMark(stages_of_mask(_mask(name, numbers)), text.line)
    if not 1 <= len(numbers) <= (2 if counted is None else 1):
        raise InputError(f"{name} takes how many may be left", text.function.path, text.line)
    count = numbers[0] & _MOST_MARKS
    stages = stages_of_mask(_mask(name, numbers[1:])) if counted is None else counted
    return AsyncWait(count, stages, text.annotation(), counted is not None, text.line)


def _mask(name: str, numbers: list[int]) -> int:
    mask = numbers[0] if numbers else 0
    if not 0 <= mask < 1 << 11:
        raise NotCovered(f"{name}: a stage mask has eleven bits, and {mask} is none")
    return mask


def copy(name: str, shape: Copy, text: InstructionReader) -> Instruction | list[Instruction]:
    """Read a copy. One that is not asynchronous is a load and a store.

    Raises
    ------
    InputError
        For arguments that the intrinsic does not have.
    NotCovered
        Where the place is in a descriptor that is no pointer.
    """
    arguments = text.arguments()
    if shape.source is None or shape.target is None:
        return _tensor_copy(shape, [value for value, _ in arguments], text)
    last = max(shape.source, shape.target, shape.offset or 0, shape.size_argument or 0)
    if len(arguments) <= last:
        raise InputError(f"{name} takes {last + 1} arguments or more", text.function.path, text.line)
    if not isinstance(arguments[0][1], PointerType):
        raise NotCovered(f"{name}: {refusal(name)}")
    size = shape.size
    if shape.size_argument is not None:
        size = _constant(name, arguments[shape.size_argument][0])
    type_ = _TYPES.get(size or 0)
    if type_ is None:
        raise NotCovered(f"{name}: {size} bytes cannot be copied")
    addresses = []
    for place in (shape.source, shape.target):
        address, pointer = arguments[place]
        further: list[tuple[Expression, Type]] = []
        if place == shape.lds:
            if shape.offset is not None:
                further.append(arguments[shape.offset])
            if shape.lanes:
                step = Constant(shape.step(size or 0), _OFFSET)
                further.append((Operation("mul", (_LANE, step), _OFFSET, _OFFSET), _OFFSET))
        elif shape.buffer_offsets:
            further += [arguments[each] for each in shape.buffer_offsets]
            if shape.indexed:
                further.append(strided(name, address, arguments[shape.buffer_offsets[0] - 1][0], text))
        elif shape.offset is not None:
            further.append(arguments[shape.offset])
        addresses.append(offset_by(address, pointer, further))
    policy = arguments[-1][0]
    volatile = shape.stage == 5 and isinstance(policy, Constant) and bool(int(str(policy.value)) & _VOLATILE)
    plain = text.annotation()
    halves = [
        replace(plain, address_space=_space(arguments[place][1]), volatile=volatile and place == shape.source)
        for place in (shape.source, shape.target)
    ]
    if shape.asynchronous:
        if shape.buffer_offsets:
            not_held(text)
        labelled = [replace(each, labels=frozenset(("ASYNC",))) for each in halves]
        return AsyncCopy(addresses[0], addresses[1], type_, labelled[0], labelled[1], plain, shape.stage, text.line)
    register = f"copied in line {text.line}"
    read = Load(register, addresses[0], type_, halves[0], text.line)
    load: Instruction = read
    if shape.buffer_offsets:
        index = arguments[shape.buffer_offsets[0] - 1][0] if shape.indexed else None
        offsets = [arguments[each] for each in shape.buffer_offsets]
        load = bounded(read, arguments[0][0], index, offsets, name, text)
    return [
        load,
        Store(addresses[1], Register(register), type_, halves[1], text.line),
    ]


_WORD = IntType(32)
_TYPES: dict[int, Type] = {
    1: IntType(8),
    2: IntType(16),
    4: _WORD,
    8: VectorType(2, _WORD),
    12: VectorType(3, _WORD),
    16: VectorType(4, _WORD),
}


def _tensor_copy(shape: Copy, arguments: list[Expression], text: InstructionReader) -> AsyncCopy:
    """Give a copy of which a descriptor says the rest: its addresses are looked for in the whole function."""
    descriptor = Operation(DESCRIPTOR, tuple(arguments), _OFFSET, _OFFSET)
    plain = text.annotation()
    labelled = replace(plain, labels=frozenset(("ASYNC",)))
    read, write = (replace(labelled, address_space=space) for space in ((1, 3) if shape.to_lds else (3, 1)))
    return AsyncCopy(descriptor, descriptor, None, read, write, plain, shape.stage, text.line)


def _space(type_: Type) -> int:
    assert isinstance(type_, PointerType)
    return type_.memory_space


def _constant(name: str, value: Expression) -> int:
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value
    raise NotCovered(f"{name}: a constant is expected")
