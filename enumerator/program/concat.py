"""Integers of which some bits are known and others are those of an address, or of a number that was not computed.

Programs pack an address and a counter into one word, or mark a pointer in its low bits. Such a number is kept as
``concat(WIDTH: PART, WIDTH: PART, ...)``, low bits first, where a part is an integer, an address, another value of that
width, or ``extract(VALUE, WIDTH, FIRST)``: what of a value of `WIDTH` bits begins at bit `FIRST`. Equal numbers have
equal forms.

Which addresses objects have is not said; programs are checked as if each began at a multiple of 4096, as pages do,
and lay between 2 to the 16 and 2 to the 47, as those of processes do on x86-64 and of global memory on AMDGPU: a mark,
an index or an error code is no address. What is not made of bits of an
address is computed from one that each object has for that (:mod:`enumerator.program.addresses`).

References
----------
SMT-LIB, theory FixedSizeBitVectors: ``concat`` and ``extract``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from enumerator.program.values import Pointer, Term, Value, signed

__all__ = ["at_distance", "bitwise", "compared", "concatenated", "is_concat", "may_equal", "moved", "resized", "sliced"]

_LOW, _ADDRESS = 12, 47
"""How many bits of an address are those of its offset alone, and how many may differ from zero where it has 64."""

_NO_PAGES = 8
"""So many pages from either end of what addresses of 64 bits may be are in no object, nor near one."""

_FAR = 1 << 40
"""No object is as large."""

_CONCAT, _EXTRACT = "concat", "extract"

Part = tuple[int, Value, int, int]
"""A width; a value; where in the value this begins, and how wide the value is. Integers are not signed, and whole."""


def is_concat(value: Value) -> bool:
    """Tell whether a value is a number of several parts."""
    return isinstance(value, Term) and value.operator == _CONCAT


def sliced(value: Value, width: int, first: int, length: int) -> Value:
    """Give some bits of a number.

    Parameters
    ----------
    value : Value
    width : int
        Of the number, in bits.
    first, length : int
        The lowest bit that is wanted, and how many are.

    Returns
    -------
    Value

    Examples
    --------
    >>> sliced(Pointer("@x", 9), 64, 0, 3), sliced(Pointer("@x", 9), 64, 48, 16)
    (1, 0)
    """
    return _value(_slice(_parts(value, width), first, length))


def concatenated(parts: Iterable[tuple[int, Value]]) -> Value:
    """Give the number that consists of others, each after its width in bits, low bits first.

    Examples
    --------
    >>> word = concatenated([(64, Pointer("@x")), (64, 1)])
    >>> sliced(word, 128, 64, 64), sliced(word, 128, 0, 64)
    (1, Pointer(object='@x', offset=0))
    """
    return _value(part for width, value in parts for part in _parts(value, width))


def resized(value: Value, before: int, after: int, *, sign: bool = False) -> Value:
    """Give a number in another width, filled with zeros, or with its sign.

    Examples
    --------
    >>> resized(resized(Pointer("@x"), 64, 128), 128, 64), resized(Pointer("@x", 5), 64, 8)
    (Pointer(object='@x', offset=0), 5)
    """
    if isinstance(value, Pointer) and not value.object:
        value = value.offset
    if before == after:
        return value
    if after < before:
        return sliced(value, before, 0, after)
    fill = sliced(value, before, before - 1, 1) if sign else 0
    if not isinstance(fill, int):
        return Term("sext", (value,))
    return concatenated([(before, value), (after - before, -fill)])


def moved(address: Pointer, by: int) -> Pointer | None:
    """Give an address so many bytes further; None if that is no place of an object, but a field of its own.

    Examples
    --------
    >>> moved(Pointer("@x"), 8), moved(Pointer("@x"), 1 << 48)
    (Pointer(object='@x', offset=8), None)
    """
    offset = address.offset + by
    return None if address.object and abs(offset) >= _FAR else Pointer(address.object, offset)


def at_distance(address: Value, distance: Value) -> Value:
    """Give the address that is so many bytes from another one, as 32 bits of the difference of two addresses tell.

    Examples
    --------
    >>> difference = Term("sub", (Pointer("@text"), Pointer("@table")))
    >>> at_distance(Pointer("@table", 4), resized(difference, 64, 32))
    Pointer(object='@text', offset=4)
    """
    if isinstance(address, Pointer):
        match distance:
            case int():
                return Pointer(address.object, address.offset + distance)
            case Term("concat", (32, Term("extract", (Term("sub", (Pointer() as one, Pointer() as other)), 64, 0)))):
                if other.object == address.object:
                    return Pointer(one.object, one.offset + address.offset - other.offset)
    return Term("ptradd", (address, distance))


def bitwise(operator: str, left: Value, right: Value, width: int) -> Value | None:
    """Apply an operation to two integers of which one is not known.

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
    Value or None
        None where the result is not made of bits of the operands.

    Examples
    --------
    >>> packed = bitwise("or", Pointer("@x"), 3 << 48, 64)
    >>> bitwise("lshr", packed, 48, 64), bitwise("and", packed, (1 << 48) - 1, 64)
    (3, Pointer(object='@x', offset=0))
    >>> bitwise("mul", packed, 3, 64) is None
    True
    """
    if any(isinstance(each, Term) and each.operator == "part" for each in (left, right)):
        return None  # some bytes of an address (enumerator.program.bytes), which no test may depend on
    if operator in ("add", "sub") and (address := _of_an_address(operator, left, right)) is not None:
        return address
    if operator in _SHIFTS:
        return _shifted(operator, left, right, width)
    if isinstance(right, int) and operator in _POWERS and 0 < right == right & -right:
        by = right.bit_length() - 1
        if operator == "urem":
            return concatenated([(by, sliced(left, width, 0, by)), (width - by, 0)])
        return _shifted(_POWERS[operator], left, by, width)
    if operator not in ("and", "or", "xor", "add", "sub"):
        return None
    found: list[Part] = []
    carry = 0
    bits = operator in ("and", "or", "xor")
    for one, other in _aligned(_parts(left, width), _parts(right, width), bits):
        if not bits:
            part, carry = _sum(one, other, carry, operator == "sub")
        else:
            part = _of_bits(operator, one, other)
        if part is None:
            return None
        found.append(part)
    return _value(found)


def compared(predicate: str, left: Value, right: Value, width: int) -> int | None:
    """Compare two integers of which one is not known.

    Parameters
    ----------
    predicate : str
        Of ``icmp``.
    left, right : Value
    width : int
        Of both, in bits.

    Returns
    -------
    int or None
        1 or 0; None where it is not known.

    Examples
    --------
    >>> one, other = (bitwise("or", Pointer("@x"), tag << 48, 64) for tag in (1, 2))
    >>> compared("eq", one, other, 64), compared("ult", one, other, 64), compared("sgt", one, other, 64)
    (0, 1, 0)
    >>> compared("ugt", Pointer("@x"), 1, 64), compared("ult", Pointer("@x"), 1 << 40, 64)
    (1, None)
    """
    pairs = list(_aligned(_parts(left, width), _parts(right, width)))
    if predicate in ("eq", "ne"):
        known = [_same(*pair) for pair in pairs]
        same = False if False in known else None if None in known else True
        return None if same is None else int(same == (predicate == "eq"))
    if predicate[0] == "s":
        signs = [sliced(value, width, width - 1, 1) for value in (left, right)]
        if not all(isinstance(sign, int) for sign in signs):
            return None
        if signs[0] != signs[1]:
            return int((signs[0] == 1) == (predicate in ("slt", "sle")))
    for one, other in reversed(pairs):
        if one == other:
            continue
        less = _is_less(one, other)
        return None if less is None else int(less == (predicate[1:] in ("lt", "le")))
    return int(predicate[1:] in ("le", "ge"))


def _is_less(one: Part, other: Part) -> bool | None:
    """Tell which of two parts is the smaller one, if they differ; None where that is not known."""
    if isinstance(one[1], int):
        return one[1] < other[1] if isinstance(other[1], int) else _is_below(one[1], other)
    below = _is_below(other[1], one) if isinstance(other[1], int) else None
    return None if below is None else not below


def _is_below(number: int, part: Part) -> bool | None:
    """Tell whether a number is below or above the pages of all objects, if a part is the page of an address."""
    width, address, start, total = part
    if (width, start, total) != (_ADDRESS - _LOW, _LOW, 64) or not isinstance(address, Pointer):
        return None
    if not -_NO_PAGES << _LOW <= address.offset < _FAR or _NO_PAGES <= number < (1 << width) - _NO_PAGES:
        return None
    return number < _NO_PAGES


def may_equal(value: Value, number: int) -> bool:
    """Tell whether a number of which something is not known may be this one.

    Examples
    --------
    >>> packed = bitwise("or", Pointer("@x"), 3 << 48, 64)
    >>> may_equal(packed, 0), may_equal(Term("printed"), 0)
    (False, True)
    """
    if not (isinstance(value, Term) and value.operator == _CONCAT):
        return True
    width = sum(size for size in value.arguments[::2] if isinstance(size, int))
    return compared("eq", value, number, width) != 0


# Parts --------------------------------------------------------------------------------------------------------


def _parts(value: Value, width: int) -> list[Part]:
    """Divide a number: an address into what its offset says, what is not known, and zeros."""
    if isinstance(value, int):
        return [(width, value & (1 << width) - 1, 0, 0)] if width else []
    if isinstance(value, Pointer):
        return list(_slice(_of_address(value, width), 0, width))
    if isinstance(value, Term) and value.operator == _CONCAT:
        given = value.arguments
        found: list[Part] = []
        for size, part in zip(given[::2], given[1::2], strict=True):
            assert isinstance(size, int)
            if isinstance(part, Term) and part.operator == _EXTRACT:
                whole, total, first = part.arguments
                assert isinstance(total, int) and isinstance(first, int)
                found.append((size, whole, first, total))
            else:
                found += _parts(part, size)
        return found
    return [(width, value, 0, width)]


def _of_address(address: Pointer, width: int) -> list[Part]:
    if not address.object:
        return _parts(address.offset, width)
    low = address.offset & (1 << _LOW) - 1
    page = Pointer(address.object, address.offset - low)
    if width < _ADDRESS:
        return [(_LOW, low, 0, 0), (max(width - _LOW, 0), page, _LOW, width)]
    return [(_LOW, low, 0, 0), (_ADDRESS - _LOW, page, _LOW, 64), (width - _ADDRESS, 0, 0, 0)]


def _slice(parts: Iterable[Part], first: int, length: int) -> Iterator[Part]:
    at = 0
    for width, value, start, total in parts:
        low, high = max(first, at), min(first + length, at + width)
        if low < high:
            size, by = high - low, low - at
            if isinstance(value, int):
                yield size, value >> by & (1 << size) - 1, 0, 0
            else:
                yield size, value, start + by, total
        at += width


def _aligned(one: list[Part], other: list[Part], bits: bool = False) -> Iterator[tuple[Part, Part]]:
    """Give both numbers in parts of the same widths; with `bits`, what is known is all zeros or ones beside others."""
    ends = {0}
    for parts in (one, other):
        at = 0
        for width, *_ in parts:
            at += width
            ends.add(at)
    for parts, against in ((one, other), (other, one)):
        at = 0
        for width, value, *_ in parts:
            known = all(isinstance(each[1], int) for each in _slice(against, at, width))
            if bits and isinstance(value, int) and not known:
                ends |= {at + bit for bit in range(1, width) if (value >> bit ^ value >> (bit - 1)) & 1}
            at += width
    places = sorted(ends)
    for low, high in zip(places, places[1:], strict=False):
        (first,), (second,) = (tuple(_slice(parts, low, high - low)) for parts in (one, other))
        yield first, second


def _value(parts: Iterable[Part]) -> Value:
    """Give the value that parts make up."""
    joined: list[Part] = []
    for part in parts:
        width, value, first, total = part
        if not width:
            continue
        if joined:
            before, held, start, whole = joined[-1]
            if isinstance(held, int) and isinstance(value, int):
                joined[-1] = before + width, value << before | held, 0, 0
                continue
            if not isinstance(held, int) and held == value and whole == total and start + before == first:
                joined[-1] = before + width, held, start, whole
                continue
        joined.append(part)
    found: list[Value] = []
    for width, value, first, total in _with_addresses(joined):
        if not width:
            continue
        whole = isinstance(value, int) or (first == 0 and width == total)
        found += [width, value if whole else Term(_EXTRACT, (value, total, first))]
    match found:
        case []:
            return 0
        case [int(width), int(number)]:
            return signed(number, width)
        case [int(), value] if not (isinstance(value, Term) and value.operator == _EXTRACT):
            return value
        case [48, Pointer() as address, 16, 0]:
            return address
    return Term(_CONCAT, tuple(found))


def _with_addresses(parts: list[Part]) -> Iterator[Part]:
    """Join what is known and what is not of one address: 48 of 64 bits where the last one is zero, or all 32."""
    waiting = parts[::-1]
    while waiting:
        width, value, first, total = waiting.pop()
        above, page, start, whole = waiting[-1] if waiting else (0, 0, 0, 0)
        size = _ADDRESS if whole == 64 else whole
        low = width - _LOW
        if (
            not isinstance(value, int)
            or not isinstance(page, Pointer)
            or (start, above + start) != (_LOW, size)
            or low < 0
        ):
            yield width, value, first, total
            continue
        waiting.pop()
        if low:
            yield low, value & (1 << low) - 1, 0, 0
        if whole == 64 and waiting:
            rest, bits, *_ = waiting[-1]
            if isinstance(bits, int) and not bits & 1:
                waiting[-1] = rest - 1, bits >> 1, 0, 0
                size += 1
        yield size, Pointer(page.object, page.offset + (value >> low)), 0, size


def _of_an_address(operator: str, left: Value, right: Value) -> Value | None:
    """Add to an address, or take from it, also another one of the same object."""
    if operator == "add" and isinstance(left, int):
        left, right = right, left
    if isinstance(left, Pointer) and isinstance(right, int):
        return moved(left, right if operator == "add" else -right)
    if operator == "sub" and isinstance(left, Pointer) and isinstance(right, Pointer) and left.object == right.object:
        return left.offset - right.offset
    return None


# Operations ---------------------------------------------------------------------------------------------------

_SHIFTS = ("shl", "lshr", "ashr")
_POWERS = {"mul": "shl", "udiv": "lshr", "urem": ""}
"""What is done instead where the right operand is a power of two."""


def _shifted(operator: str, left: Value, by: Value, width: int) -> Value | None:
    if not isinstance(by, int) or not 0 <= by < width:
        return None
    parts = _parts(left, width)
    if operator == "shl":
        return _value([(by, 0, 0, 0), *_slice(parts, 0, width - by)])
    fill: Value = 0
    if operator == "ashr":
        ((_, fill, _, _),) = _slice(parts, width - 1, 1)
        if not isinstance(fill, int):
            return None
    return _value([*_slice(parts, by, width - by), (by, (1 << by) - 1 if fill else 0, 0, 0)])


def _of_bits(operator: str, one: Part, other: Part) -> Part | None:
    width = one[0]
    ones, nothing = (1 << width) - 1, (width, 0, 0, 0)
    if isinstance(one[1], int) and isinstance(other[1], int):
        both = {"and": one[1] & other[1], "or": one[1] | other[1], "xor": one[1] ^ other[1]}
        return width, both[operator], 0, 0
    if one == other:
        return nothing if operator == "xor" else one
    for part, against in ((one, other), (other, one)):
        if part[1] == 0 and isinstance(part[1], int):
            return part if operator == "and" else against
        if part[1] == ones and isinstance(part[1], int) and operator != "xor":
            return against if operator == "and" else part
    return None


def _sum(one: Part, other: Part, carry: int, less: bool) -> tuple[Part | None, int]:
    width = one[0]
    if isinstance(one[1], int) and isinstance(other[1], int):
        number = one[1] - other[1] - carry if less else one[1] + other[1] + carry
        return (width, number & (1 << width) - 1, 0, 0), int(number < 0 if less else number >> width)
    if carry:
        return None, 0
    if less and one == other:
        return (width, 0, 0, 0), 0
    if isinstance(other[1], int) and other[1] == 0:
        return one, 0
    return (other, 0) if isinstance(one[1], int) and one[1] == 0 and not less else (None, 0)


def _same(one: Part, other: Part) -> bool | None:
    """Tell whether two parts are equal: pages of objects differ, and none is the first one."""
    if one == other:
        return True
    if isinstance(one[1], int) and isinstance(other[1], int):
        return False
    for part, against in ((one, other), (other, one)):
        width, value, first, total = part
        whole = first == _LOW and width == (_ADDRESS if total == 64 else total) - _LOW
        if isinstance(value, Pointer) and whole:
            if isinstance(against[1], int):
                return False
            if isinstance(against[1], Pointer) and against[2:] == part[2:]:
                return False
    return None
