"""Bytes of memory: values of a type to and from what memory holds, which has no types.

Memory of `n` bytes holds one value: an integer of `n` bytes if each byte is a known number, ``undef`` if each is,
a pointer or another value that fills all of them, else :class:`~enumerator.program.values.Bytes`, of which runs that
are alike are joined. So memory that is equal byte by byte is equal. Part of a pointer, or of a number that was not
computed, is ``part(VALUE, SIZE, FIRST, WIDTH)``; all of its parts side by side are that value again.

Bytes of a number are in little-endian order, or in big-endian order where that is asked for (``big``).

References
----------
Semantics, section 8; LLVM Language Reference, *Data Layout*, *Vector Type* ("In general vector elements are laid out
in memory in the same way as array types. Such an analogy works fine as long as the vector elements are byte sized").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from enumerator.program.addresses import located, pointer_at
from enumerator.program.concat import concatenated, is_concat, sliced
from enumerator.program.floats import bits_of, number_of
from enumerator.program.types import (
    ArrayType,
    BytesType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    field_offset,
    size_of,
    store_size,
)
from enumerator.program.values import UNDEF, Bytes, Pointer, Term, Undef, Value, signed

__all__ = ["Run", "cut", "decode", "encode", "has_part_of_pointer", "join"]

Run = tuple[int, Value]
"""A size in bytes, and what these bytes hold."""

_PART = "part"


def encode(value: Value, type_: Type, *, big: bool = False, padding: Value = UNDEF) -> Value:
    """Give what memory holds after a store of a value.

    Parameters
    ----------
    value : Value
    type_ : Type
        The value's, of :func:`~enumerator.program.types.store_size` bytes.
    big : bool
        Whether bytes of numbers are in big-endian order.
    padding : Value
        What bytes between the parts of a value hold.

    Returns
    -------
    Value

    Examples
    --------
    >>> encode((1, 2), VectorType(2, IntType(8))), encode((1, UNDEF), VectorType(2, IntType(8)))
    (513, Bytes(runs=((1, 1), (1, undef))))
    """
    return join(_runs(value, type_, big, padding), big=big)


def decode(memory: Value, type_: Type, *, big: bool = False) -> Value:
    """Give the value of a type that memory holds.

    Parameters
    ----------
    memory : Value
        Of :func:`~enumerator.program.types.store_size` bytes.
    type_ : Type
    big : bool

    Returns
    -------
    Value
        A scalar of which some byte is undef is undef. What is to be made of some bytes of a pointer is no value
        (:func:`has_part_of_pointer`).

    Examples
    --------
    >>> decode(513, VectorType(2, IntType(8))), decode(encode((1, UNDEF), VectorType(2, IntType(8))), IntType(16))
    ((1, 2), undef)
    """
    match type_:
        case BytesType():
            return memory
        case IntType(width):
            return _integer(_scalar(memory, big), width)
        case PointerType():
            held = _scalar(memory)
            return pointer_at(held, 8 * store_size(type_)) if isinstance(held, int) else held
        case FloatType():
            held = _scalar(memory)
            return number_of(held, type_) if isinstance(held, int) else held
        case VectorType(count, IntType(width)) if width % 8:
            return _bit_elements(_scalar(memory), count, width, big)
        case VectorType(count, element) | ArrayType(count, element):
            step = size_of(element) if isinstance(type_, ArrayType) else store_size(element)
            return tuple(_field(memory, type_, step * index, element, big) for index in range(count))
        case StructType(fields):
            return tuple(
                _field(memory, type_, field_offset(type_, index), field, big) for index, field in enumerate(fields)
            )


def cut(memory: Value, size: int, first: int, width: int, *, big: bool = False) -> Value:
    """Give what some bytes hold.

    Parameters
    ----------
    memory : Value
        Of `size` bytes.
    size : int
    first, width : int
        The first byte that is wanted, and how many are.
    big : bool

    Returns
    -------
    Value

    Examples
    --------
    >>> hex(cut(0x01020304, 4, 1, 2)), hex(cut(0x01020304, 4, 0, 1, big=True))
    ('0x203', '0x1')
    >>> cut(Pointer("@x"), 8, 0, 4)
    Term(operator='part', arguments=(Pointer(object='@x', offset=0), 8, 0, 4))
    """
    if (first, width) == (0, size):
        return memory
    if isinstance(memory, int):
        shift = size - first - width if big else first
        return signed(memory >> 8 * shift, 8 * width)
    if isinstance(memory, Undef):
        return UNDEF
    if isinstance(memory, Bytes):
        found: list[Run] = []
        at = 0
        for length, held in memory.runs:
            low, high = max(first, at), min(first + width, at + length)
            if low < high:
                found.append((high - low, cut(held, length, low - at, high - low, big=big)))
            at += length
        return join(found, big=big)
    if is_concat(memory):
        return sliced(memory, 8 * size, 8 * (size - first - width if big else first), 8 * width)
    if isinstance(memory, Term) and memory.operator == _PART:
        whole, total, start, _ = memory.arguments
        assert isinstance(start, int)
        return Term(_PART, (whole, total, start + first, width))
    return Term(_PART, (memory, size, first, width))


def join(runs: Iterable[Run], *, big: bool = False) -> Value:
    """Give what consecutive runs of bytes hold together.

    Parameters
    ----------
    runs : iterable of (int, Value)
    big : bool

    Returns
    -------
    Value

    Examples
    --------
    >>> join([(1, 1), (1, 2), (2, 0)]), join([(2, 7), (2, UNDEF), (4, UNDEF)])
    (513, Bytes(runs=((2, 7), (6, undef))))
    """
    found: list[Run] = []
    for size, held in _flat(runs):
        if found and (together := _together(found[-1], (size, held), big)) is not None:
            found[-1] = together
        else:
            found.append((size, held))
    return found[0][1] if len(found) == 1 else Bytes(tuple(found)) if found else 0


def has_part_of_pointer(value: Value) -> bool:
    """Tell whether a number is made of some bytes of a pointer.

    Examples
    --------
    >>> has_part_of_pointer(decode(cut(Pointer("@x"), 8, 0, 4), IntType(32))), has_part_of_pointer(Pointer("@x"))
    (True, False)
    """
    if isinstance(value, tuple):
        return any(map(has_part_of_pointer, value))
    if not isinstance(value, Term):
        return False
    if value.operator == _PART:
        return isinstance(value.arguments[0], Pointer)
    within = value.operator == "bytes" and any(isinstance(each, Pointer) for each in value.arguments)
    return within or any(map(has_part_of_pointer, value.arguments))


def _flat(runs: Iterable[Run]) -> Iterable[Run]:
    for size, held in runs:
        if isinstance(held, Bytes):
            yield from held.runs
        elif size:
            yield size, held


def _together(first: Run, second: Run, big: bool) -> Run | None:
    """Give two runs as one, if they are alike."""
    (size, held), (length, more) = first, second
    match held, more:
        case int(), int():
            low, high, shift = (more, held, 8 * length) if big else (held, more, 8 * size)
            return size + length, signed(high << shift | low & (1 << shift) - 1, 8 * (size + length))
        case Undef(), Undef():
            return size + length, UNDEF
        case Term(operator="part"), Term(operator="part") if held.arguments[:2] == more.arguments[:2]:
            whole, total, start, covered = held.arguments
            assert isinstance(start, int) and isinstance(covered, int)
            if start + covered == more.arguments[2]:
                parts = start, covered + length
                return size + length, whole if parts == (0, total) else Term(_PART, (whole, total, *parts))
    return None


def _runs(value: Value, type_: Type, big: bool, padding: Value) -> list[Run]:
    size = store_size(type_)
    if isinstance(value, Undef):
        return [(size, UNDEF)]
    match type_:
        case IntType(width):
            if is_concat(value):
                return _words(value, width, big)
            return [(size, signed(value % (1 << width), 8 * size) if isinstance(value, int) else value)]
        case PointerType():
            number = value.offset if isinstance(value, Pointer) and not value.object else value
            return [(size, signed(number, 8 * size) if isinstance(number, int) else number)]
        case FloatType():
            bits = bits_of(value, type_)
            return [(size, value if bits is None else signed(bits, 8 * size))]
        case VectorType(count, IntType(width)) if width % 8 and isinstance(value, tuple):
            return [(size, _of_bits(value, count, width, big))]
        case VectorType(_, element) | ArrayType(_, element) if isinstance(value, tuple):
            step = size_of(element) if isinstance(type_, ArrayType) else store_size(element)
            return [run for part in value for run in _padded(part, element, step, big, padding)]
        case StructType(fields) if isinstance(value, tuple):
            starts = [*(field_offset(type_, index) for index in range(len(fields))), size]
            found: list[Run] = []
            for index, (part, field) in enumerate(zip(value, fields, strict=True)):
                found += _padded(part, field, starts[index + 1] - starts[index], big, padding)
            return found
    return [(size, value)]


def _words(value: Value, width: int, big: bool) -> list[Run]:
    """Give what memory holds of a number of which something is not known: words of eight bytes."""
    bits = 8 * ((width + 7) // 8)
    whole = concatenated([(width, value), (bits - width, 0)])
    runs = [(min(64, bits - at) // 8, sliced(whole, bits, at, min(64, bits - at))) for at in range(0, bits, 64)]
    return runs[::-1] if big else runs


def _padded(value: Value, type_: Type, size: int, big: bool, padding: Value) -> list[Run]:
    runs = _runs(value, type_, big, padding)
    rest = size - store_size(type_)
    return [*runs, (rest, padding)] if rest else runs


def _field(memory: Value, whole: Type, first: int, type_: Type, big: bool) -> Value:
    part = cut(memory, store_size(whole), first, store_size(type_), big=big)
    return decode(part, type_, big=big)


def _scalar(memory: Value, big: bool = False) -> Value:
    """Give what the bytes of a scalar hold: it is undef if any of them is."""
    if not isinstance(memory, Bytes):
        return memory
    held = [value for _, value in memory.runs]
    if any(isinstance(value, Undef) for value in held):
        return UNDEF
    if any(isinstance(value, Term) and value.operator == _PART for value in held):
        return Term("bytes", tuple(held))
    return concatenated((8 * size, value) for size, value in (memory.runs[::-1] if big else memory.runs))


def _integer(held: Value, width: int) -> Value:
    return located(signed(held, width), width) if isinstance(held, int) else held


def _bit_elements(held: Value, count: int, width: int, big: bool) -> Value:
    if not isinstance(held, int):
        return UNDEF if isinstance(held, Undef) else Term("bits", (held,))
    places = range(count - 1, -1, -1) if big else range(count)
    return tuple(signed(held >> place * width, width) for place in places)


def _of_bits(parts: Sequence[Value], count: int, width: int, big: bool) -> Value:
    if any(isinstance(part, Undef) for part in parts):
        return UNDEF
    number = 0
    for place, part in enumerate(reversed(parts) if big else parts):
        if not isinstance(part, int):
            return Term("bits", tuple(parts))
        number |= (part & (1 << width) - 1) << place * width
    return signed(number, (count * width + 7) // 8 * 8)
