"""Numbers that objects have as addresses, for arithmetic whose result is not made of bits of an address.

Sums within an object, marks, counters beside an address and shifts are kept as they are, whatever the address is
(:mod:`enumerator.program.concat`). Of all else, such as ``-p``, ``p ^ key`` or ``p * k >> 20``, the result is an
ordinary number: each object has an address for that, which its name alone decides, so that it is the same wherever it
is asked for. It is as :mod:`enumerator.program.concat` says of all, and far from those of other objects. A number that
is in an object is its address again: equal numbers have equal forms.

How far the addresses of two objects are apart, and which is the larger one, is not said even so: such a difference is
kept until something else is computed from it, and a test of it may go either way.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count

from enumerator.program.concat import bitwise
from enumerator.program.integers import BINARY, binary
from enumerator.program.values import Pointer, Term, Value

__all__ = [
    "FIRST",
    "FIRST_SHORT",
    "asked_since",
    "bits_of",
    "combined",
    "is_distance",
    "located",
    "name_objects",
    "pointer_at",
    "times",
]

_PAGE, _WHOLE = 12, 47
"""As :mod:`enumerator.program.concat` has it: bits of the offset alone, and those of addresses in 64 bits."""
FIRST, FIRST_SHORT = 1 << _WHOLE - 1, 1 << 30
"""The least numbers of objects: in 64 bits, and where addresses are shorter."""
_NEAR = 1 << 14
"""No two objects begin so near to each other."""
_REACH = 1 << 16
"""What is so far behind the beginning of an object is not in it, unless that is larger."""

_starts: dict[bool, list[tuple[int, str]]] = {True: [], False: []}
_numbers: dict[tuple[str, bool], int] = {}
"""What was asked for, for addresses of 64 bits and for shorter ones. A name has the same number in every test."""
_reach: dict[str, int] = {}
"""Of large objects."""
_asked: dict[str, int] = {}
"""When something was computed from the address of an object for the last time."""
times = count()


def name_objects(sizes: Iterable[tuple[str, int]]) -> None:
    """Say which objects numbers may be in besides those whose addresses numbers were computed from, with their sizes.

    Constants of a test may be such numbers, which were computed where the test was read: maybe on another machine.
    """
    for name, size in sizes:
        if size > _REACH:
            _reach[name] = max(_reach.get(name, 0), size + (1 << _PAGE))
        _number_of(name, True)


def bits_of(value: Value, width: int) -> int | None:
    """Give a number that is computed from addresses, as objects have them.

    Parameters
    ----------
    value : Value
    width : int
        In bits.

    Returns
    -------
    int or None
        Without a sign; None where something else is in it that is not known.

    Examples
    --------
    >>> start = bits_of(Pointer("@x"), 64)
    >>> start % 4096, start >> 47, bits_of(Pointer("@x", 5), 64) - start, bits_of(Term("printed"), 64)
    (0, 0, 5, None)
    """
    mask = (1 << width) - 1
    match value:
        case int():
            return value & mask
        case Pointer(name, offset):
            if not name:
                return offset & mask
            _asked[name] = next(times)
            return _number_of(name, width >= _WHOLE) + offset & mask
        case Term("concat", given):
            found, at = 0, 0
            for size, part in zip(given[::2], given[1::2], strict=True):
                assert isinstance(size, int)
                bits = _part(part, size)
                if bits is None:
                    return None
                found |= bits << at
                at += size
            return found if at == width else None
        case Term(operator, (one, other)) if operator in BINARY:
            left, right = bits_of(one, width), bits_of(other, width)
            if left is not None and right is not None:
                result = binary(operator, left, right, width)
                return result & mask if isinstance(result, int) else None
    return None


def asked_since(time: int) -> Iterator[str]:
    """Name the objects from whose addresses numbers were computed since the counter `times` gave a number."""
    return (name for name, last in _asked.items() if last > time)


def located(number: int, width: int) -> Value:
    """Give the address that a number is, where it is that of a byte in an object, or near one; else the number.

    Shorter addresses remain numbers (:func:`pointer_at`), as any number could be one of these.

    Parameters
    ----------
    number : int
    width : int
        In bits.

    Examples
    --------
    >>> located(bits_of(Pointer("@x", 8), 64), 64), located(bits_of(Pointer("@x", -1), 64), 64), located(7, 64)
    (Pointer(object='@x', offset=8), Pointer(object='@x', offset=-1), 7)
    """
    return (_found(number, _starts[True]) or number) if number >= FIRST and width == 64 else number


def pointer_at(number: int, width: int) -> Pointer:
    """Give the address that a number is.

    Examples
    --------
    >>> pointer_at(bits_of(Pointer("@x", 8), 32), 32), pointer_at(7, 32)
    (Pointer(object='@x', offset=8), Pointer(object='', offset=7))
    """
    return (_found(number, _starts[width >= _WHOLE]) if number >= FIRST_SHORT else None) or Pointer("", number)


def combined(operator: str, left: Value, right: Value, width: int) -> Value:
    """Apply an operation to two integers of which one is not a plain number.

    Parameters
    ----------
    operator : str
        LLVM's opcode.
    left, right : Value
        Neither undef.
    width : int
        Of both, and of the result, in bits.

    Returns
    -------
    Value

    Examples
    --------
    >>> hidden = combined("xor", Pointer("@x", 4), 0x5A5A5A, 64)
    >>> isinstance(hidden, int), combined("xor", hidden, Pointer("@x", 4), 64) == 0x5A5A5A
    (True, True)
    """
    found = bitwise(operator, left, right, width)
    if found is None and not _keeps_distance(operator, left, right):
        one, other = bits_of(left, width), bits_of(right, width)
        if one is not None and other is not None:
            found = binary(operator, one, other, width)
            return located(found, width) if isinstance(found, int) else found
    return Term(operator, (left, right)) if found is None else found


def is_distance(value: Value) -> bool:
    """Tell whether a number is how far two objects are apart, or is made of that and numbers only.

    Examples
    --------
    >>> is_distance(Term("sub", (Pointer("@x"), Pointer("@y")))), is_distance(Pointer("@x"))
    (True, False)
    """
    match value:
        case Term("concat", given):
            parts = [part for part in given[1::2] if not isinstance(part, int)]
            return bool(parts) and all(map(is_distance, parts))
        case Term("extract", (whole, _, _)):
            return is_distance(whole)
        case Term("sext", (part,)):
            return is_distance(part)
        case Term(operator, (left, right)):
            return _keeps_distance(operator, left, right)
    return False


def _keeps_distance(operator: str, left: Value, right: Value) -> bool:
    if operator == "sub" and isinstance(left, Pointer) and isinstance(right, Pointer):
        return bool(left.object and right.object)
    return operator in ("add", "sub", "sdiv", "udiv", "ashr", "lshr") and isinstance(right, int) and is_distance(left)


def _found(number: int, starts: list[tuple[int, str]]) -> Pointer | None:
    place = bisect(starts, (number + 1,))
    for start, name in starts[max(place - 1, 0) : place + 1]:
        if -1 << _PAGE <= number - start < _reach.get(name, _REACH):
            return Pointer(name, number - start)
    return None


def _part(part: Value, size: int) -> int | None:
    if isinstance(part, Term) and part.operator == "extract":
        whole, total, first = part.arguments
        assert isinstance(total, int) and isinstance(first, int)
        bits = bits_of(whole, total)
        return None if bits is None else bits >> first & (1 << size) - 1
    return bits_of(part, size)


def _number_of(name: str, long: bool) -> int:
    """Give the number of the first byte of an object: pages above the middle of what addresses may be."""
    found = _numbers.get((name, long))
    if found is None:
        first, pages = (FIRST, _WHOLE - 1 - _PAGE) if long else (FIRST_SHORT, 30 - _PAGE)
        code, starts = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little"), _starts[long]
        while True:
            found = first + (code % (1 << pages) << _PAGE)
            place = bisect(starts, (found,))
            if all(abs(each - found) > _NEAR for each, _ in starts[max(place - 1, 0) : place + 1]):
                break
            code += 11 * _NEAR >> _PAGE
        insort(starts, (found, name))
        _numbers[name, long] = found
    return found
