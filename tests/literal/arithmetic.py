"""What operations on values give, with ``undef`` (semantics, section 1)."""

from __future__ import annotations

from enumerator.program.types import ArrayType, IntType, PointerType, StructType, Type, VectorType
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Undef, Value
from tests.literal.contents import Copied, PartOfWhole, decode, encode
from tests.literal.floats import compare_floats, convert, float_operation

__all__ = ["DivisionByZero", "apply", "is_undef", "parts_of_undef", "read_modify_write", "wrap"]


class DivisionByZero(Exception):
    """A division by zero or by undef, or one that overflows: undefined behaviour."""


_FLOATS = "fadd fsub fmul fdiv frem fneg fabs fmax fmin fmaximum fminimum fma".split()
_CONVERSIONS = "fptrunc fpext fptoui fptosi uitofp sitofp".split()


def is_undef(value: Value) -> bool:
    return isinstance(value, Undef)


def wrap(number: int, width: int) -> int:
    """Two's complement of a width; one bit is 0 or 1."""
    number %= 1 << width
    return number - (1 << width) if width > 1 and number >= 1 << (width - 1) else number


def unsigned(number: int, width: int) -> int:
    return number % (1 << width)


def signed(number: int, width: int) -> int:
    number %= 1 << width
    return number - (1 << width) if number >= 1 << (width - 1) else number


def parts_of_undef(type_: Type) -> tuple[Value, ...]:
    """An undef aggregate as a tuple of undef parts."""
    match type_:
        case VectorType(count, element) | ArrayType(count, element):
            inner = element
            return (_undef_of(inner),) * count
        case StructType(fields):
            return tuple(map(_undef_of, fields))
        case _:
            raise TypeError(f"{type_} has no parts")


def _undef_of(type_: Type) -> Value:
    return parts_of_undef(type_) if isinstance(type_, (VectorType, ArrayType, StructType)) else UNDEF


def apply(
    operator: str, arguments: tuple[Value, ...], type_: Type, operand_type: Type, indices: tuple[int, ...]
) -> Value:
    """The result of one pure operation."""
    if operator == "extractvalue":
        return _extract(arguments[0], indices)
    if operator == "insertvalue":
        return _insert(arguments[0], operand_type, arguments[1], indices)
    if operator == "extractelement":
        vector, index = arguments
        if is_undef(vector) or is_undef(index):
            return UNDEF
        assert isinstance(vector, tuple) and isinstance(index, int)
        return vector[index] if 0 <= index < len(vector) else UNDEF
    if operator == "insertelement":
        vector, element, index = arguments
        parts = list(parts_of_undef(operand_type) if is_undef(vector) else vector)  # type: ignore[arg-type]
        if not isinstance(index, int) or not 0 <= index < len(parts):
            return parts_of_undef(operand_type)
        parts[index] = element
        return tuple(parts)
    if operator == "shufflevector":
        assert isinstance(operand_type, VectorType)
        both = [parts_of_undef(operand_type) if is_undef(a) else a for a in arguments]
        lanes = [lane for vector in both if isinstance(vector, tuple) for lane in vector]
        return tuple(UNDEF if index < 0 else lanes[index] for index in indices)
    if operator == "tuple":
        return arguments
    if operator == "select":
        return _select(arguments)
    if operator == "freeze":
        raise TypeError("freeze is an instruction")
    if isinstance(operand_type, VectorType) and operator != "bitcast":
        inner = type_.element if isinstance(type_, VectorType) else type_
        columns = [parts_of_undef(operand_type) if is_undef(a) else a for a in arguments]
        return tuple(apply(operator, row, inner, operand_type.element, ()) for row in zip(*columns, strict=True))
    if operator in ("udiv", "sdiv", "urem", "srem"):
        return _divide(operator, arguments[0], arguments[1], type_)
    if any(map(is_undef, arguments)):
        return UNDEF
    if operator.startswith("icmp "):
        return _compare(operator.split()[1], arguments[0], arguments[1], operand_type)
    if operator.startswith("fcmp "):
        return compare_floats(operator.split()[1], arguments[0], arguments[1], operand_type)
    if operator in _FLOATS:
        return float_operation(operator, arguments, type_)
    if operator in _CONVERSIONS:
        return convert(operator, arguments[0], type_, operand_type)
    if operator == "ptradd":
        return _move(arguments[0], arguments[1])
    if operator in ("trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"):
        return _cast(operator, arguments[0], type_, operand_type, bool(indices))
    return _binary(operator, arguments, type_)


def _extract(value: Value, indices: tuple[int, ...]) -> Value:
    for index in indices:
        if is_undef(value):
            return UNDEF
        assert isinstance(value, tuple)
        value = value[index]
    return value


def _insert(whole: Value, type_: Type, part: Value, indices: tuple[int, ...]) -> Value:
    if not indices:
        return part
    parts = list(parts_of_undef(type_) if is_undef(whole) else whole)  # type: ignore[arg-type]
    first, *rest = indices
    inner = type_.fields[first] if isinstance(type_, StructType) else type_.element  # type: ignore[union-attr]
    parts[first] = _insert(parts[first], inner, part, tuple(rest))
    return tuple(parts)


def _select(arguments: tuple[Value, ...]) -> Value:
    condition, then, otherwise = arguments
    if is_undef(condition):
        return UNDEF
    if isinstance(condition, tuple):
        spread = [a if isinstance(a, tuple) else (a,) * len(condition) for a in (then, otherwise)]
        return tuple(_select(row) for row in zip(condition, *spread, strict=True))
    return then if condition else otherwise


def _divide(operator: str, left: Value, right: Value, type_: Type) -> Value:
    if is_undef(right) or right == 0:
        raise DivisionByZero
    if is_undef(left):
        return UNDEF
    if not (isinstance(type_, IntType) and isinstance(left, int) and isinstance(right, int)):
        return Term(operator, (left, right))
    width = type_.width
    if operator[0] == "u":
        a, b = unsigned(left, width), unsigned(right, width)
        return wrap(a // b if operator == "udiv" else a % b, width)
    a, b = signed(left, width), signed(right, width)
    quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    return wrap(quotient if operator == "sdiv" else a - b * quotient, width)


def _compare(predicate: str, left: Value, right: Value, operand_type: Type) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        width = operand_type.width if isinstance(operand_type, IntType) else 64
        interpret = signed if predicate.startswith("s") else unsigned
        a, b = interpret(left, width), interpret(right, width)
    else:
        p, q = _pointer(left), _pointer(right)
        if not (isinstance(p, Pointer) and isinstance(q, Pointer)):
            return Term(f"icmp {predicate}", (left, right))
        if p.object != q.object:
            if predicate not in ("eq", "ne"):
                return Term(f"icmp {predicate}", (left, right))
            return int(predicate == "ne")
        a, b = p.offset, q.offset
    truth = {"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}
    return int(truth[predicate if predicate in ("eq", "ne") else predicate[1:]])


def _pointer(value: Value) -> Value:
    return Pointer("", value) if isinstance(value, int) else value


def _move(base: Value, offset: Value) -> Value:
    base = _pointer(base)
    if isinstance(base, Pointer) and isinstance(offset, int):
        return Pointer(base.object, base.offset + offset)
    return Term("ptradd", (base, offset))


def _cast(operator: str, value: Value, type_: Type, operand_type: Type, big: bool) -> Value:
    if isinstance(value, int) and isinstance(type_, IntType) and isinstance(operand_type, IntType):
        source = signed(value, operand_type.width) if operator == "sext" else unsigned(value, operand_type.width)
        return wrap(source, type_.width)
    if isinstance(type_, PointerType):
        return NULL if value == 0 else _pointer(value)
    if isinstance(value, Pointer) and not value.object and isinstance(type_, IntType):
        return wrap(value.offset, type_.width)
    if operator == "bitcast" and type_ != operand_type:
        return _same_bytes(value, type_, operand_type, big)
    return value


def _same_bytes(value: Value, type_: Type, operand_type: Type, big: bool) -> Value:
    """``bitcast`` is a store and a load (LangRef)."""
    try:
        found = decode(encode(value, operand_type, big), type_, big)
    except PartOfWhole:
        return Term("bitcast", (value,))
    assert not isinstance(found, Copied)
    return found


def _binary(operator: str, arguments: tuple[Value, ...], type_: Type) -> Value:
    if not isinstance(type_, IntType) or not all(isinstance(argument, int) for argument in arguments):
        left, right = arguments[0], arguments[-1]
        if operator == "add" and isinstance(left, Pointer) and isinstance(right, int):
            return _move(left, right)
        if operator == "sub" and isinstance(left, Pointer) and isinstance(right, int):
            return _move(left, -right)
        if operator == "add" and isinstance(right, Pointer) and isinstance(left, int):
            return _move(right, left)
        return Term(operator, arguments)
    width = type_.width
    a, b = (unsigned(argument, width) for argument in arguments if isinstance(argument, int))
    if operator in ("shl", "lshr", "ashr") and b >= width:
        return UNDEF
    match operator:
        case "add":
            return wrap(a + b, width)
        case "sub":
            return wrap(a - b, width)
        case "mul":
            return wrap(a * b, width)
        case "and":
            return wrap(a & b, width)
        case "or":
            return wrap(a | b, width)
        case "xor":
            return wrap(a ^ b, width)
        case "shl":
            return wrap(a << b, width)
        case "lshr":
            return wrap(a >> b, width)
        case "ashr":
            return wrap(signed(a, width) >> b, width)
    return Term(operator, arguments)


def read_modify_write(operator: str, old: Value, operand: Value, type_: Type) -> Value:
    """What ``atomicrmw`` writes (LangRef): ``xchg`` its operand, anything else on undef undef."""
    if operator == "xchg":
        return operand
    if is_undef(old) or is_undef(operand):
        return UNDEF
    if operator in ("add", "sub", "and", "or", "xor"):
        return _binary(operator, (old, operand), type_)
    if operator in _FLOATS and isinstance(type_, VectorType):
        return apply(operator, (old, operand), type_, type_, ())
    if operator in _FLOATS:
        return float_operation(operator, (old, operand), type_)
    if not (isinstance(type_, IntType) and isinstance(old, int) and isinstance(operand, int)):
        return Term(operator, (old, operand))
    width = type_.width
    a, b = unsigned(old, width), unsigned(operand, width)
    match operator:
        case "nand":
            return wrap(~(a & b), width)
        case "max" | "min":
            choose = max if operator == "max" else min
            return wrap(choose(signed(a, width), signed(b, width)), width)
        case "umax":
            return wrap(max(a, b), width)
        case "umin":
            return wrap(min(a, b), width)
        case "uinc_wrap":
            return wrap(a + 1 if a < b else 0, width)
        case "udec_wrap":
            return wrap(b if a == 0 or a > b else a - 1, width)
        case "usub_cond":
            return wrap(a - b if a >= b else a, width)
        case "usub_sat":
            return wrap(a - b if a >= b else 0, width)
    return Term(operator, (old, operand))
