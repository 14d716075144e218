"""Which addresses memory may hold, as the text of a test says: what a pointer that was read may point to."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Set

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Assign,
    AsyncCopy,
    Call,
    CompareExchange,
    Constant,
    Create,
    EndCatch,
    Exit,
    Expression,
    Function,
    IndirectCall,
    Load,
    Operation,
    ReadModifyWrite,
    Return,
    Store,
    Throw,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import Type, store_size
from enumerator.program.values import Pointer, Value, signed
from enumerator.unfold.paths import Location
from enumerator.unfold.places import (
    ALIGNED,
    MADE,
    MEMORY,
    Place,
    Places,
    is_marker,
    joined,
    places_of,
    pointers_in,
    sets_tag,
    with_bits,
)
from enumerator.unfold.pointing import Pointing, accesses_of

__all__ = ["Stored", "may_reach", "stored_in"]


@dataclass(frozen=True, eq=False)
class Stored:
    """The addresses that memory may hold, of which part calls, what they return, and what threads are given, counts.

    Parameters
    ----------
    named : mapping of str to (frozenset of int or None)
        By object of the test, the bytes whose addresses are stored; None: any.
    made : frozenset of int or None
        The same of the objects that threads make.
    anything : bool
        Nothing is known.
    globals : frozenset of str
        The objects of the test's text.
    handles : frozenset of str
        The objects that stand for threads. A ``pthread_t`` is no address: only the library accesses these.
    contents : mapping of str to frozenset of (str, int or None)
        Of objects whose own addresses memory does not hold, so that only code which names them accesses them: the
        addresses that they may hold.
    """

    named: Mapping[str, frozenset[int] | None]
    made: frozenset[int] | None
    anything: bool
    globals: frozenset[str]
    handles: frozenset[str]
    contents: Mapping[str, frozenset[Place]]

    def loaded_from(self, places: Places) -> Places:
        """Give the places that what is loaded at one of some places may point to."""
        if places is None or not all(name in self.contents for name, _ in places):
            return frozenset({(MEMORY, 0)})
        return joined(self.contents[name] for name, _ in places)

    def may_be(self, place: Place, size: int | None, location: Location) -> bool:
        """Tell whether an access at what a marker stands for may be one of a location.

        Parameters
        ----------
        place : (str, int or None)
        size : int or None
            Of the access; None where it is to all of an object.
        location : Location

        Returns
        -------
        bool
        """
        name, distance = place
        if name != MEMORY:
            if not (location.object.startswith(name) or name == MADE):
                return False
            starts: frozenset[int] | None = frozenset({0})
        elif self.anything:
            return True
        elif location.object in self.globals:
            starts = self.named.get(location.object, frozenset())
        elif MADE in location.object:
            starts = self.made
        else:
            return True
        if starts is None or distance is None or size is None:
            return starts is None or bool(starts)
        return any(Location(location.object, start + distance, size).overlaps(location) for start in starts)


def may_reach(
    places: Places, size: int | None, location: Location, stored: Stored | None, *, of_handle: bool = False
) -> bool:
    """Tell whether an access at one of some places may be one of a location.

    Parameters
    ----------
    places : frozenset of (str, int or None) or None
    size : int or None
        Of the access; None where it is to all of an object.
    location : Location
    stored : Stored or None
        The addresses that memory may hold; None where that is not known.
    of_handle : bool
        Whether the access may be to an object that stands for a thread, as only some of the library are.

    Returns
    -------
    bool
    """
    if stored is not None and location.object in stored.handles and not of_handle:
        return False
    return places is None or any(
        stored is None or stored.may_be((name, offset), size, location)
        if is_marker(name)
        else name == location.object
        and (offset is None or size is None or Location(name, offset, size).overlaps(location))
        for name, offset in places
    )


def stored_in(functions: Iterable[Function], objects: Iterable[MemoryObject], threads: Iterable[Thread]) -> Stored:
    """Find the addresses that memory may hold.

    Parameters
    ----------
    functions : iterable of Function
    objects : iterable of MemoryObject
        Those of the test.
    threads : iterable of Thread

    Returns
    -------
    Stored
    """
    objects, functions, threads = list(objects), list(functions), list(threads)
    found: set[Place] = set()
    for memory in objects:
        found.update(() if memory.initial is None else pointers_in(memory.initial))
    for thread in threads:
        found.update(place for argument in thread.arguments for place in pointers_in(argument.value))
    owners = _owners(threads)
    own = {name: frozenset((each, 0) for each in named) for name, named in owners.items()}
    known, looks = True, [(function, Pointing(function, own)) for function in functions]
    for function, look in looks:
        for value, type_ in _values(function, look.contents):
            places = places_of(value, look.register)
            if type_ is not None and store_size(type_) < ALIGNED:
                # Of an address it is a part at most, as that was read.
                places = frozenset(each for each in places or () if each[1] is not None)
            known = known and places is not None
            found |= places or frozenset()
    known = known and not _moves_addresses(looks, objects)
    displaced = any(name == MEMORY and offset != 0 for name, offset in found)
    starts: dict[str, set[int] | None] = {}
    for name, offset in found:
        before = starts.setdefault(name, set())
        if offset is None or displaced:
            starts[name] = None
        elif before is not None:
            before.add(offset)
    tags = set(_tags(functions))
    for name, begins in starts.items():
        if begins is not None:
            starts[name] = _with_tags(begins, tags)
    frozen = {name: None if each is None else frozenset(each) for name, each in starts.items()}
    made = frozen.pop(MADE, frozenset[int]())
    shown = frozenset(each.name for each in objects if not each.hidden)
    handles = frozenset(thread.handle for thread in threads if thread.creation is not None)
    closed = {each.name: each.initial for each in objects if known and each.name not in starts}
    return Stored(frozen, made, not known, shown, handles, _contents(looks, closed, owners.values()))


def _owners(threads: Iterable[Thread]) -> dict[str, dict[str, list[str]]]:
    """Give the objects that names in the text stand for, one for each thread or workgroup, with their threads."""
    found: dict[str, dict[str, list[str]]] = {}
    for thread in threads:
        for name, value in thread.properties:
            if isinstance(value, Pointer):
                found.setdefault(name, {}).setdefault(value.object, []).append(thread.name)
    return found


def _contents(
    looks: Iterable[tuple[Function, Pointing]],
    closed: Mapping[str, Value | None],
    owners: Iterable[Mapping[str, list[str]]],
) -> dict[str, frozenset[Place]]:
    """Give the addresses that objects may hold which only code accesses that names them, given their initial values."""
    found: dict[str, Places] = {
        name: frozenset() if value is None else frozenset(pointers_in(value)) for name, value in closed.items()
    }
    threads = {name: mine for named in owners for name, mine in named.items()}
    for function, look in looks:
        if any(isinstance(each, AsyncCopy | EndCatch) for each in function.instructions):
            return {}
        for access in accesses_of(function, look.contents):
            if not isinstance(access, Load):
                places = places_of(access.address, look.register)
                if places is None:
                    return {}
                value = places_of(_given(access), look.register)
                if isinstance(access, ReadModifyWrite) and access.operator != "xchg":
                    value = None
                for name, _ in places:
                    if name in found:
                        found[name] = joined((found[name], _made_by(value, threads.get(name, []))))
    return {name: places for name, places in found.items() if places is not None}


def _made_by(places: Places, threads: list[str]) -> Places:
    """Say of places in what a thread makes whose these are, if it is a single one that stores them."""
    if places is None or len(threads) != 1:
        return places
    return frozenset((threads[0] + MADE if name == MADE else name, offset) for name, offset in places)


def _with_tags(starts: set[int], tags: Set[tuple[str, int]]) -> set[int]:
    """Add the bytes that addresses may become as their lowest bits are set and cleared."""
    found, new = set(starts), set(starts)
    while new:
        new = {with_bits(each, operator, bits) for each in new for operator, bits in tags} - found
        found |= new
    return found


def _tags(functions: Iterable[Function]) -> Iterator[tuple[str, int]]:
    """Give the operations of the text that set or clear the lowest bits of what they take, each with the bits."""
    for function in functions:
        for each in function.instructions:
            if isinstance(each, ReadModifyWrite):
                operator, bits = each.operator, each.operand
            elif isinstance(each, Assign) and isinstance(each.expression, Operation) and each.expression.arguments[1:]:
                operator, bits = each.expression.operator, each.expression.arguments[1]
            else:
                continue
            if isinstance(bits, Constant) and isinstance(bits.value, int) and sets_tag(operator, bits.value):
                yield operator, signed(bits.value, 64)


def _moves_addresses(looks: Iterable[tuple[Function, Pointing]], objects: Iterable[MemoryObject]) -> bool:
    """Tell whether a read-modify-write may compute with an address that memory holds, but for its lowest bits."""
    begin = (each.name for each in objects if each.initial is not None and any(pointers_in(each.initial)))
    places: set[Place] = {(name, None) for name in begin}
    moved_at: set[Place] = set()
    for function, look in looks:
        for each in accesses_of(function, look.contents):
            if not isinstance(each, Load):
                at = places_of(each.address, look.register) or frozenset({(MEMORY, None)})
                if isinstance(each, ReadModifyWrite) and each.operator != "xchg":
                    bits = each.operand.value if isinstance(each.operand, Constant) else None
                    tag = isinstance(bits, int) and sets_tag(each.operator, bits)
                    moved_at |= at if not tag and store_size(each.type) == ALIGNED else frozenset()
                elif places_of(_given(each), look.register) != frozenset():
                    places |= at
    return any(
        (one == other or is_marker(one) or is_marker(other)) and (at is None or begins is None or at == begins)
        for one, at in moved_at
        for other, begins in places
    )


def _given(access: Store | CompareExchange | ReadModifyWrite) -> Expression:
    match access:
        case Store(value=value) | CompareExchange(desired=value) | ReadModifyWrite(operand=value):
            return value


def _values(function: Function, slots: Container[str]) -> Iterator[tuple[Expression, Type | None]]:
    """Give what a function stores, as what, and hands on; not what stays in some stack slots."""
    for access in accesses_of(function, slots):
        if not isinstance(access, Load):
            yield _given(access), access.type
    for block in function.blocks:
        for each in block.body:
            match each:
                case Call(arguments=arguments) | IndirectCall(arguments=arguments):
                    yield from ((argument, None) for argument in arguments)
                case Create(argument=value) | Exit(value=value) | Throw(object=value) if value is not None:
                    yield value, None
        if isinstance(block.terminator, Return) and block.terminator.value is not None:
            yield block.terminator.value, None
