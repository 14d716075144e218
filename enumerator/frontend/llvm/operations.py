"""Instructions that compute a value and access no memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from enumerator.frontend.llvm.constants import element_type
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frontend.llvm.vectors import lane_of, shuffle
from enumerator.program.instructions import Assign, Constant, Expression, Freeze, Operation
from enumerator.program.types import IntType, StructType, Type, VectorType, field_offset, size_of
from enumerator.program.values import Pointer, signed

__all__ = ["OPERATIONS"]

_OFFSET = IntType(64)


def _binary(opcode: str, text: InstructionReader) -> Assign:
    text.skip_flags()
    type_ = text.type()
    return text.assign(Operation(opcode, text.pair(type_), type_, type_))


def _cast(opcode: str, text: InstructionReader) -> Assign:
    text.skip_flags()
    value, source = text.typed()
    text.expect("to")
    order = (1,) if opcode == "bitcast" and text.function.constants.big_endian else ()
    return text.assign(Operation(opcode, (value,), text.type(), source, order))


def _compare(opcode: str, text: InstructionReader) -> Assign:
    text.skip_flags()
    predicate = text.next()
    text.skip_flags()
    type_ = text.type()
    result: Type = IntType(1)
    if isinstance(type_, VectorType):
        result = VectorType(type_.count, result)
    return text.assign(Operation(f"{opcode} {predicate}", text.pair(type_), result, type_))


def _select(text: InstructionReader) -> Assign:
    text.skip_flags()
    condition, condition_type = text.typed()
    then, type_ = text.then_typed()
    otherwise, _ = text.then_typed()
    return text.assign(Operation("select", (condition, then, otherwise), type_, condition_type))


def _negate(text: InstructionReader) -> Assign:
    text.skip_flags()
    value, type_ = text.typed()
    return text.assign(Operation("fneg", (value,), type_, type_))


def _freeze(text: InstructionReader) -> Freeze:
    value, type_ = text.typed()
    return Freeze(text.define(type_), value, type_, text.line)


def _extract_element(text: InstructionReader) -> Assign:
    vector, type_ = text.typed()
    index, _ = text.then_typed()
    return text.assign(Operation("extractelement", (vector, index), element_type(type_, 0), type_))


def _insert_element(text: InstructionReader) -> Assign:
    vector, type_ = text.typed()
    value, _ = text.then_typed()
    index, _ = text.then_typed()
    return text.assign(Operation("insertelement", (vector, value, index), type_, type_))


def _extract_value(text: InstructionReader) -> Assign:
    whole, type_ = text.typed()
    indices = _indices(text)
    part = type_
    for index in indices:
        part = element_type(part, index)
    return text.assign(Operation("extractvalue", (whole,), part, type_, indices))


def _insert_value(text: InstructionReader) -> Assign:
    whole, type_ = text.typed()
    value, _ = text.then_typed()
    return text.assign(Operation("insertvalue", (whole, value), type_, type_, _indices(text)))


def _indices(text: InstructionReader) -> tuple[int, ...]:
    indices: list[int] = []
    while text.token == "," and text.ahead(1).isdecimal():
        text.next()
        indices.append(int(text.next()))
    return tuple(indices)


def _element_pointer(text: InstructionReader) -> Assign:
    text.skip_flags()
    source = text.type()
    base, pointer = text.then_typed()
    indices: list[tuple[Expression, Type]] = []
    while text.token == "," and not text.ahead(1).startswith("!"):
        indices.append(text.then_typed())
    vectors = [type_ for type_ in (pointer, *(type_ for _, type_ in indices)) if isinstance(type_, VectorType)]
    if not vectors:
        return text.assign(_address(source, base, pointer, indices), pointer)
    lanes = tuple(
        _address(source, *_in_lane(base, pointer, lane), [_in_lane(*index, lane) for index in indices])
        for lane in range(vectors[0].count)
    )
    element = pointer.element if isinstance(pointer, VectorType) else pointer
    return text.assign(Operation("tuple", lanes, VectorType(len(lanes), element), element))


def _in_lane(value: Expression, type_: Type, lane: int) -> tuple[Expression, Type]:
    """Give what an operand is for one lane: a scalar is the same for all."""
    if not isinstance(type_, VectorType):
        return value, type_
    if isinstance(value, Constant) and isinstance(value.value, tuple):
        return Constant(value.value[lane], type_.element), type_.element
    return lane_of(value, type_, lane), type_.element


def _address(source: Type, base: Expression, pointer: Type, indices: Sequence[tuple[Expression, Type]]) -> Expression:
    """Give the address of an element: what is constant is added up."""
    constant = 0
    terms: list[Expression] = []
    part = source
    for number, (index, index_type) in enumerate(indices):
        assert isinstance(index_type, IntType)
        known = index.value if isinstance(index, Constant) and isinstance(index.value, int) else None
        if known is not None and index_type.width == 1:
            known = -known
        if number > 0:
            struct, part = part, element_type(part, known or 0)
            if isinstance(struct, StructType):
                if known is None:
                    raise NotCovered("a field that is not constant")
                constant += field_offset(struct, known)
                continue
        if known is not None:
            constant += known * size_of(part)
        else:
            terms.append(_scaled(index, index_type, size_of(part)))
    if constant or not terms:
        terms.append(Constant(signed(constant, 64), _OFFSET))
    offset = terms[0]
    for term in terms[1:]:
        offset = Operation("add", (offset, term), _OFFSET, _OFFSET)
    if isinstance(base, Constant) and isinstance(base.value, Pointer) and isinstance(offset, Constant):
        assert isinstance(offset.value, int)
        return Constant(Pointer(base.value.object, base.value.offset + offset.value), pointer)
    return Operation("ptradd", (base, offset), pointer, pointer)


def _scaled(index: Expression, type_: IntType, size: int) -> Expression:
    """Multiply an index, sign-extended to the width of offsets, by the size of the elements."""
    if type_.width != _OFFSET.width:
        operator = "sext" if type_.width < _OFFSET.width else "trunc"
        index = Operation(operator, (index,), _OFFSET, type_)
    if size == 1:
        return index
    return Operation("mul", (index, Constant(signed(size, 64), _OFFSET)), _OFFSET, _OFFSET)


_BINARY = "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem"
_CASTS = "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast"

OPERATIONS: Mapping[str, Callable[[InstructionReader], Assign | Freeze]] = {
    **{opcode: partial(_binary, opcode) for opcode in _BINARY.split()},
    **{opcode: partial(_cast, opcode) for opcode in _CASTS.split()},
    **{opcode: partial(_compare, opcode) for opcode in ("icmp", "fcmp")},
    "select": _select,
    "fneg": _negate,
    "freeze": _freeze,
    "getelementptr": _element_pointer,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": shuffle,
}
"""By opcode, what reads the instruction."""
