"""Vectors: shuffles, addresses of several elements, masked accesses, reductions.

A masked access with a constant mask is one access for each lane that takes part, in the order of lanes (LangRef,
*Masked Vector Load and Store Intrinsics*, *Masked Vector Gather and Scatter Intrinsics*): no other thread can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.frontend.llvm.copies import moved
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    HIDDEN,
    Assign,
    Constant,
    Expression,
    Instruction,
    Load,
    Operation,
    Register,
    Store,
)
from enumerator.program.types import IntType, PointerType, Type, VectorType, store_size
from enumerator.program.values import UNDEF, Undef

__all__ = ["MASKED", "REDUCTIONS", "lane_of", "masked_access", "reduction", "shuffle", "spread"]

MASKED = (
    "llvm.masked.load.",
    "llvm.masked.store.",
    "llvm.masked.gather.",
    "llvm.masked.scatter.",
    "llvm.masked.expandload.",
    "llvm.masked.compressstore.",
)

REDUCTIONS = {
    "llvm.vector.reduce.add.": "add",
    "llvm.vector.reduce.mul.": "mul",
    "llvm.vector.reduce.and.": "and",
    "llvm.vector.reduce.or.": "or",
    "llvm.vector.reduce.xor.": "xor",
    **{f"llvm.vector.reduce.{sign}{which}.": f"{sign}{which}" for sign in "su" for which in ("min", "max")},
    "llvm.vector.reduce.fadd.": "fadd",
    "llvm.vector.reduce.fmul.": "fmul",
    **{f"llvm.vector.reduce.f{which}.": f"f{which}" for which in ("min", "max", "minimum", "maximum")},
}
"""Reductions, with the operation between two elements."""

_CHOICES = {"smin": "slt", "smax": "sgt", "umin": "ult", "umax": "ugt"}
"""By operation, the comparison that chooses the first of two elements."""

_NUMBER = IntType(32)


def lane_of(vector: Expression, type_: VectorType, lane: int) -> Expression:
    """Give one element of a vector."""
    return Operation("extractelement", (vector, Constant(lane, _NUMBER)), type_.element, type_)


def spread(value: Expression, type_: Type, count: int) -> Expression:
    """Give a vector of `count` elements that are all the same; a vector as it is."""
    if isinstance(type_, VectorType):
        return value
    return Operation("tuple", (value,) * count, VectorType(count, type_), type_)


def shuffle(text: InstructionReader) -> Assign:
    """Read a ``shufflevector``."""
    first, type_ = text.typed()
    second, _ = text.then_typed()
    mask, mask_type = text.then_typed()
    assert isinstance(type_, VectorType) and isinstance(mask_type, VectorType) and isinstance(mask, Constant)
    lanes = mask.value if isinstance(mask.value, tuple) else (UNDEF,) * mask_type.count
    numbers = tuple(lane if isinstance(lane, int) else -1 for lane in lanes)
    result = VectorType(mask_type.count, type_.element)
    return text.assign(Operation("shufflevector", (first, second), result, type_, numbers))


def reduction(name: str, text: InstructionReader) -> Assign:
    """Read a reduction of a vector to one element: in the order of the elements, after what it starts from."""
    *start, (vector, type_) = text.arguments()
    if not isinstance(type_, VectorType):
        raise NotCovered(name)
    operator = next(REDUCTIONS[prefix] for prefix in REDUCTIONS if name.startswith(prefix))
    result = start[0][0] if start else lane_of(vector, type_, 0)
    for lane in range(0 if start else 1, type_.count):
        other = lane_of(vector, type_, lane)
        if operator in _CHOICES:
            first = Operation(f"icmp {_CHOICES[operator]}", (result, other), IntType(1), type_.element)
            result = Operation("select", (first, result, other), type_.element, IntType(1))
        else:
            result = Operation(operator, (result, other), type_.element, type_.element)
    return text.assign(result, type_.element)


def masked_access(name: str, text: InstructionReader) -> list[Instruction]:
    """Read a call of one of the masked accesses.

    Raises
    ------
    NotCovered
        If the mask is not constant.
    """
    kind = name.split(".")[2]
    arguments = [each for each in text.arguments() if not isinstance(each[1], IntType)]  # without the alignment
    value = arguments.pop(0) if kind in ("store", "scatter", "compressstore") else None
    address, mask = arguments[:2]
    lanes = _lanes(name, mask)
    vector = value[1] if value is not None else arguments[2][1]
    assert isinstance(vector, VectorType)
    pointer = address[1].element if isinstance(address[1], VectorType) else address[1]
    annotation = text.annotation(pointer=pointer)
    places = _addresses(kind, address, vector, lanes)
    body: list[Instruction] = []
    if value is not None:
        for lane, place in zip(lanes, places, strict=True):
            body.append(Store(place, lane_of(value[0], vector, lane), vector.element, annotation, text.line))
        return body
    result = arguments[2][0]
    for lane, place in zip(lanes, places, strict=True):
        held = f"{HIDDEN}{text.target}.{lane}"
        body.append(Load(held, place, vector.element, annotation, text.line))
        result = Operation("insertelement", (result, Register(held), Constant(lane, _NUMBER)), vector, vector)
    if not text.target:
        return body
    return [*body, text.assign(result, vector)]


def _lanes(name: str, mask: tuple[Expression, Type]) -> list[int]:
    bits = mask[0].value if isinstance(mask[0], Constant) else None
    if isinstance(mask[1], VectorType) and isinstance(bits, tuple) and not any(isinstance(b, Undef) for b in bits):
        return [lane for lane, bit in enumerate(bits) if bit]
    raise NotCovered(f"{name} with a mask that is not constant")


def _addresses(
    kind: str, address: tuple[Expression, Type], vector: VectorType, lanes: Sequence[int]
) -> list[Expression]:
    value, type_ = address
    if isinstance(type_, VectorType):
        return [lane_of(value, type_, lane) for lane in lanes]
    if vector.element == IntType(1) or (isinstance(vector.element, IntType) and vector.element.width % 8):
        raise NotCovered("masked accesses of elements that are no bytes")
    assert isinstance(type_, PointerType)
    step = store_size(vector.element)
    packed = kind in ("expandload", "compressstore")
    return [moved(value, step * (number if packed else lane), type_) for number, lane in enumerate(lanes)]
