"""Instructions that compute a value and access no memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from enumerator.frontend.llvm.constants import element_type, integer_value
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import Assign, Constant, Expression, Freeze, Operation
from enumerator.program.types import IntType, PointerType, StructType, Type, VectorType, field_offset, size_of
from enumerator.program.values import Pointer

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
    return text.assign(Operation(opcode, (value,), text.type(), source))


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
    if not isinstance(pointer, PointerType):
        raise NotCovered("vectors of pointers")
    constant = 0
    terms: list[Expression] = []
    first = True
    while text.accept(","):
        if text.token.startswith("!"):
            break
        index, index_type = text.typed()
        if not isinstance(index_type, IntType):
            raise NotCovered("vectors of pointers")
        known = index.value if isinstance(index, Constant) and isinstance(index.value, int) else None
        if known is not None and index_type.width == 1:
            known = -known
        if first:
            part, first = source, False
        else:
            part = element_type(source, known or 0)
            if isinstance(source, StructType):
                if known is None:
                    raise NotCovered("a field that is not constant")
                constant += field_offset(source, known)
                source = part
                continue
            source = part
        if known is not None:
            constant += known * size_of(part)
        else:
            terms.append(_scaled(index, index_type, size_of(part)))
    if constant or not terms:
        terms.append(Constant(integer_value(constant, 64), _OFFSET))
    offset = terms[0]
    for term in terms[1:]:
        offset = Operation("add", (offset, term), _OFFSET, _OFFSET)
    if isinstance(base, Constant) and isinstance(base.value, Pointer) and isinstance(offset, Constant):
        assert isinstance(offset.value, int)
        return text.assign(Constant(Pointer(base.value.object, base.value.offset + offset.value), pointer))
    return text.assign(Operation("ptradd", (base, offset), pointer, pointer))


def _scaled(index: Expression, type_: IntType, size: int) -> Expression:
    """Multiply an index, sign-extended to the width of offsets, by the size of the elements."""
    if type_.width != _OFFSET.width:
        operator = "sext" if type_.width < _OFFSET.width else "trunc"
        index = Operation(operator, (index,), _OFFSET, type_)
    if size == 1:
        return index
    return Operation("mul", (index, Constant(integer_value(size, 64), _OFFSET)), _OFFSET, _OFFSET)


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
}
"""By opcode, what reads the instruction."""
