"""Operations on vectors, arrays and structs, of which each part may be undef."""

from __future__ import annotations

from enumerator.program.types import ArrayType, StructType, Type, VectorType
from enumerator.program.values import UNDEF, Term, Undef, Value

__all__ = ["element", "expand_undef", "extract_value", "insert_value", "select", "shuffle"]


def extract_value(arguments: tuple[Value, ...], indices: tuple[int, ...]) -> Value:
    """Give a part of a part … of a struct or array."""
    value = arguments[0]
    for index in indices:
        if not isinstance(value, tuple):
            return UNDEF if isinstance(value, Undef) else Term("extractvalue", (value, index))
        value = value[index]
    return value


def insert_value(arguments: tuple[Value, ...], indices: tuple[int, ...]) -> Value:
    """Replace such a part."""
    whole, part = arguments
    if not indices:
        return part
    if not isinstance(whole, tuple):
        return Term("insertvalue", (whole, part, *indices))
    index = indices[0]
    return (*whole[:index], insert_value((whole[index], part), indices[1:]), *whole[index + 1 :])


def expand_undef(value: Value, type_: Type) -> Value:
    """Expand undef of an aggregate or vector type to a tuple of undefs, so that parts can be replaced."""
    if not isinstance(value, Undef):
        return value
    match type_:
        case VectorType(count, element) | ArrayType(count, element):
            return (expand_undef(UNDEF, element),) * count
        case StructType(fields):
            return tuple(expand_undef(UNDEF, field) for field in fields)
        case _:
            return value


def element(operator: str, arguments: tuple[Value, ...], operand_type: Type) -> Value:
    """Give or replace an element of a vector (``extractelement``, ``insertelement``); undef outside of it."""
    vector, index = expand_undef(arguments[0], operand_type), arguments[-1]
    if isinstance(index, Undef):
        return UNDEF if operator == "extractelement" else expand_undef(UNDEF, operand_type)
    if not isinstance(vector, tuple) or not isinstance(index, int):
        return Term(operator, arguments)
    if not 0 <= index < len(vector):
        return UNDEF if operator == "extractelement" else expand_undef(UNDEF, operand_type)
    if operator == "extractelement":
        return vector[index]
    return (*vector[:index], arguments[1], *vector[index + 1 :])


def shuffle(arguments: tuple[Value, ...], mask: tuple[int, ...], operand_type: Type) -> Value:
    """Choose elements of two vectors by their numbers; -1 stands for poison."""
    first, second = (expand_undef(argument, operand_type) for argument in arguments)
    if not isinstance(first, tuple) or not isinstance(second, tuple):
        return Term("shufflevector", (*arguments, *mask))
    both = first + second
    return tuple(both[number] if number >= 0 else UNDEF for number in mask)


def select(arguments: tuple[Value, ...]) -> Value:
    """Choose one of two values; of vectors element by element."""
    condition, then, otherwise = arguments
    if isinstance(condition, tuple):
        width = len(condition)
        left = then if isinstance(then, tuple) else (then,) * width
        right = otherwise if isinstance(otherwise, tuple) else (otherwise,) * width
        return tuple(map(lambda c, t, o: select((c, t, o)), condition, left, right))
    if isinstance(condition, int):
        return then if condition else otherwise
    return UNDEF if isinstance(condition, Undef) else Term("select", arguments)
