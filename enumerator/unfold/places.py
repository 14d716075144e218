"""Places that a value may point to, as an expression tells: objects, and bytes in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from enumerator.program.instructions import Constant, Expression, Operation, Register
from enumerator.program.values import Bytes, Pointer, Term, Value, signed

__all__ = [
    "ALIGNED",
    "ANY",
    "IN_MEMORY",
    "MADE",
    "MEMORY",
    "Place",
    "Places",
    "added",
    "is_marker",
    "joined",
    "made_at",
    "moved",
    "of_thread",
    "places_of",
    "pointers_in",
    "sets_tag",
    "site_in",
    "tagged",
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
"""Around where objects are made, behind the name of a thread, it stands for those objects (:func:`made_at`)."""

ANY = "*"
"""Stands for any thread there."""

_MOST_PLACES = 8
"""In one object; with more a value is taken to point anywhere in it, so that one that is moved again and again ends."""

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


def made_at(function: str, register: str, thread: str = "") -> str:
    """Name what stands for the objects that a function makes in one place.

    Parameters
    ----------
    function : str
    register : str
        The one that holds the address.
    thread : str
        The one that makes them; none for that which runs the code where the name is found, `ANY` for any.

    Returns
    -------
    str
    """
    return f"{thread}{MADE}{function}%{register}{MADE}"


def site_in(name: str) -> str:
    """Give what stands for the same objects (:func:`made_at`), whichever thread makes them."""
    return name[name.index(MADE) :]


def of_thread(places: Places, thread: str) -> Places:
    """Say whose the objects are that are made by the thread which runs the code.

    Parameters
    ----------
    places : frozenset of (str, int or None) or None
    thread : str
        That thread, or `ANY`.

    Returns
    -------
    frozenset of (str, int or None) or None
    """
    if places is None or not any(name.startswith(MADE) for name, _ in places):
        return places
    return frozenset((thread + name if name.startswith(MADE) else name, offset) for name, offset in places)


def added(before: Places, more: Places) -> Places:
    """Give the places of two sets, anywhere in objects of which there are many.

    Parameters
    ----------
    before, more : frozenset of (str, int or None) or None

    Returns
    -------
    frozenset of (str, int or None) or None
        The first set itself, where nothing is new.

    Examples
    --------
    >>> sorted(added(frozenset({("@a", None)}), frozenset({("@a", 0), ("@b", 4)})), key=str)
    [('@a', None), ('@b', 4)]
    """
    if before is None or more is None:
        return None
    new = more - before
    if new and before:
        new = frozenset(each for each in new if (each[0], None) not in before)
    if not new:
        return before
    places = before | new
    many = {name for name, offset in new if offset is None}
    if len(places) > _MOST_PLACES:
        many |= {name for name, count in Counter(name for name, _ in places).items() if count > _MOST_PLACES}
    return frozenset((name, None if name in many else offset) for name, offset in places) if many else places


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
            return tagged(places_of(base, register), operator, bits)
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


def tagged(places: Places, operator: str, bits: int) -> Places:
    """Give places with other lowest bits; those in memory are among the stored addresses then (:mod:`.held`)."""
    if places is None:
        return None
    found: set[Place] = set()
    for name, offset in places:
        if name == MEMORY:
            found.add((name, 0 if offset == 0 else None))
        else:
            found.add((name, None if offset is None else with_bits(offset, operator, signed(bits, 64))))
    return frozenset(found)


def with_bits(offset: int, operator: str, bits: int) -> int:
    """Set, clear or flip the lowest bits of a byte's number (:func:`sets_tag`)."""
    return offset & bits if operator == "and" else offset | bits if operator == "or" else offset ^ bits
