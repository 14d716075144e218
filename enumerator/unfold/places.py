"""Places that a value may point to, as an expression tells: objects, and bytes in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from enumerator.program.instructions import Constant, Expression, Operation, Register
from enumerator.program.values import Bytes, Pointer, Term, Value, signed

__all__ = [
    "ALIGNED",
    "IN_MEMORY",
    "MADE",
    "MEMORY",
    "Place",
    "Places",
    "is_marker",
    "joined",
    "moved",
    "places_of",
    "pointers_in",
    "sets_tag",
    "with_bits",
]

Place = tuple[str, int | None]
"""An object, and a byte in it; None: any."""

Places = frozenset[Place] | None
"""Some of these; None: anywhere."""

MEMORY = "*"
"""Stands for the objects whose addresses memory may hold; the byte is counted from there."""

IN_MEMORY: Places = frozenset({(MEMORY, 0)})
"""Any address that memory may hold."""

MADE = ":%"
"""Behind the name of a thread it stands for the objects that the thread makes; alone, for those of all threads."""

ALIGNED = 8
"""Objects begin at multiples of this, as far as programs that mark pointers rely on it."""

_SAME = ("extractvalue", "inttoptr", "ptrtoint", "bitcast", "addrspacecast", "tuple", "insertvalue", "freeze")
"""Operators whose results point where an operand does."""


def is_marker(name: str) -> bool:
    """Tell whether what stands for an object stands for several.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool
    """
    return name == MEMORY or name.endswith(MADE)


def moved(places: Places, distance: int | None) -> Places:
    """Move places by some bytes; None: by any number."""
    if places is None or distance == 0:
        return places
    return frozenset(
        (name, None if offset is None or distance is None else offset + distance) for name, offset in places
    )


def joined(parts: Iterable[Places]) -> Places:
    """Give all places of several sets."""
    found: set[Place] = set()
    for each in parts:
        if each is None:
            return None
        found |= each
    return frozenset(found)


def places_of(expression: Expression, register: Callable[[str], Places]) -> Places:
    """Give the places that a value may point to.

    Parameters
    ----------
    expression : Expression
    register : callable
        Gives those of a register.

    Returns
    -------
    frozenset of (str, int or None) or None
    """
    match expression:
        case Constant(value):
            return frozenset(pointers_in(value))
        case Register(name):
            return register(name)
        case Operation(operator="ptradd", arguments=(base, Constant(int(distance), _))):
            return moved(places_of(base, register), distance)
        case Operation(operator="ptradd", arguments=(base, _)):
            return moved(places_of(base, register), None)
        case Operation(operator=operator, arguments=(base, Constant(int(bits), _))) if sets_tag(operator, bits):
            return _tagged(places_of(base, register), operator, bits)
        case Operation(operator="select", arguments=(_, one, other)):
            return joined((places_of(one, register), places_of(other, register)))
        case Operation(operator=operator) if operator.startswith(("icmp ", "fcmp ")):
            return frozenset()
        case Operation(operator=operator, arguments=parts):
            found = joined(places_of(each, register) for each in parts)
            return found if operator in _SAME else moved(found, None)
    return None


def pointers_in(value: Value) -> Iterator[Place]:
    """Give the places of the addresses in a value."""
    if isinstance(value, Pointer) and value.object:
        yield value.object, value.offset
    elif isinstance(value, tuple):
        for part in value:
            yield from pointers_in(part)
    elif isinstance(value, Bytes):
        for _, held in value.runs:
            yield from pointers_in(held)
    elif isinstance(value, Term):  # computed from them
        yield from ((name, None) for part in value.arguments for name, _ in pointers_in(part))


def sets_tag(operator: str, bits: int) -> bool:
    """Tell whether an operation sets or clears the lowest bits of an address, by which programs mark pointers."""
    if operator == "and":
        return -ALIGNED <= signed(bits, 64) < 0
    return operator in ("or", "xor") and 0 < bits < ALIGNED


def _tagged(places: Places, operator: str, bits: int) -> Places:
    """Give places with other lowest bits; those in memory are among the stored addresses then (:mod:`.stored`)."""
    if places is None:
        return None
    found: set[Place] = set()
    for name, offset in places:
        if is_marker(name):
            found.add((name, 0 if offset == 0 else None))
        else:
            found.add((name, None if offset is None else with_bits(offset, operator, signed(bits, 64))))
    return frozenset(found)


def with_bits(offset: int, operator: str, bits: int) -> int:
    """Set, clear or flip the lowest bits of a byte's number (:func:`sets_tag`)."""
    return offset & bits if operator == "and" else offset | bits if operator == "or" else offset ^ bits
