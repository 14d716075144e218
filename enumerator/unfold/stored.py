"""Which addresses memory may hold, as the text of a test says: what a pointer that was read may point to."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Alloca,
    Allocate,
    Assign,
    AsyncCopy,
    BeginCatch,
    Call,
    CompareExchange,
    Constant,
    Create,
    EndCatch,
    Exit,
    Expression,
    Freeze,
    Function,
    Hold,
    IndirectCall,
    LandingPad,
    Load,
    Measure,
    Meet,
    Now,
    Operation,
    Phi,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Throw,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import PointerType, Type, store_size
from enumerator.program.values import UNDEF, Bytes, Pointer, Term, Value
from enumerator.unfold.live_slots import slot_addresses
from enumerator.unfold.members import registers_in
from enumerator.unfold.paths import Location

__all__ = [
    "MADE",
    "MEMORY",
    "Mixed",
    "Origin",
    "Place",
    "Places",
    "Stored",
    "is_marker",
    "joined",
    "may_reach",
    "moved",
    "origins_of",
    "places_of",
    "stored_in",
]

Place = tuple[str, int | None]
"""An object, and a byte in it; None: any."""

Places = frozenset[Place] | None
"""None: anywhere."""

MEMORY = "*"
"""Stands for the objects whose addresses memory may hold; the byte is counted from there."""

MADE = ":%"
"""Ends what stands for the objects that a thread makes: its name, and this; alone it stands for those of all."""

_ROUNDS = 5
"""After so many, an address that still moves comes from itself, and may be anywhere in its object."""

Origin = (
    (Phi | Assign | Freeze | Create | Alloca | Allocate)
    | (Load | ReadModifyWrite | CompareExchange)
    | (Call | IndirectCall | LandingPad | BeginCatch)
    | (Measure | Hold | Meet | Now)
)


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


def origins_of(function: Function) -> Mapping[str, list[Origin]]:
    """Give what sets each register of a function, as far as that says where it may point.

    What is made elsewhere than in the first block may be made again in a call. A load from a stack slot that is like a
    register gives what is stored there.
    """
    found: dict[str, list[Origin]] = {}
    contents = _contents_of_slots(function)
    for block in function.blocks:
        for each in (*block.phis, *block.body):
            if isinstance(each, Origin) and each.target is not None:
                origins: list[Origin] = [each]
                match each:
                    case Load(address=Register(name)) if name in contents:
                        origins = [Assign(each.target, value) for value in contents[name]]
                found.setdefault(each.target, []).extend(origins)
    return found


def _contents_of_slots(function: Function) -> dict[str, list[Expression]]:
    """Give what is stored to stack slots that are only loaded from and stored to, always as a whole.

    It is told by the registers that hold their addresses; nothing at first.
    """
    aliases, found, sizes = slot_addresses(function), dict[str, list[Expression]](), dict[str, set[int]]()
    if not aliases:
        return {}
    shared: set[str] = set()
    for part in (part for block in function.blocks for part in (*block.phis, *block.body, block.terminator)):
        meant = [aliases[name] for name in registers_in(part) if name in aliases]
        match part:
            case Assign(target=target) if target in aliases:
                continue
            case Load(address=Register(name)) | Store(address=Register(name)) if name in aliases:
                meant.remove(aliases[name])
                sizes.setdefault(aliases[name], set()).add(store_size(part.type))
                if isinstance(part, Store):
                    found.setdefault(aliases[name], []).append(part.value)
        shared.update(meant)
    undef = Constant(UNDEF, PointerType())
    return {
        name: found.get(slot, [undef])
        for name, slot in aliases.items()
        if slot not in shared and len(sizes.get(slot, ())) == 1
    }


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
            return frozenset(_pointers(value))
        case Register(name):
            return register(name)
        case Operation(operator="ptradd", arguments=(base, Constant(int(distance), _))):
            return moved(places_of(base, register), distance)
        case Operation(operator="ptradd", arguments=(base, _)):
            return moved(places_of(base, register), None)
        case Operation(operator=operator, arguments=(base, Constant(int(bits), _))) if _sets_tag(operator, bits):
            return _tagged(places_of(base, register), operator, bits)
        case Operation(operator="select", arguments=(_, one, other)):
            return joined((places_of(one, register), places_of(other, register)))
        case Operation(operator=operator) if operator.startswith(("icmp ", "fcmp ")):
            return frozenset()
        case Operation(operator=operator, arguments=parts):
            found = joined(places_of(each, register) for each in parts)
            return found if operator in _SAME else moved(found, None)
    return None


def _sets_tag(operator: str, bits: int) -> bool:
    """Tell whether an operation sets or clears the lowest bits of an address, by which programs mark pointers."""
    if operator == "and":
        return -_ALIGNED <= _signed(bits) < 0
    return operator in ("or", "xor") and 0 < bits < _ALIGNED


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >= 1 << 63 else bits


def _tagged(places: Places, operator: str, bits: int) -> Places:
    """Give places with other lowest bits; those in memory are among the stored addresses then (:func:`stored_in`)."""
    if places is None:
        return None
    found: set[Place] = set()
    for name, offset in places:
        if is_marker(name):
            found.add((name, 0 if offset == 0 else None))
        else:
            found.add((name, None if offset is None else _with_bits(offset, operator, _signed(bits))))
    return frozenset(found)


def _with_bits(offset: int, operator: str, bits: int) -> int:
    return offset & bits if operator == "and" else offset | bits if operator == "or" else offset ^ bits


_ALIGNED = 8
"""Objects begin at multiples, as far as programs that mark pointers rely on it."""

_SAME = ("extractvalue", "inttoptr", "ptrtoint", "bitcast", "addrspacecast", "tuple", "insertvalue", "freeze")
"""Operators whose results point where an operand does."""


def _pointers(value: Value) -> Iterator[Place]:
    if isinstance(value, Pointer) and value.object:
        yield value.object, value.offset
    elif isinstance(value, tuple):
        for part in value:
            yield from _pointers(part)
    elif isinstance(value, Bytes):
        for _, held in value.runs:
            yield from _pointers(held)
    elif isinstance(value, Term):  # computed from them
        yield from ((name, None) for part in value.arguments for name, _ in _pointers(part))


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
        found.update(() if memory.initial is None else _pointers(memory.initial))
    for thread in threads:
        found.update(place for argument in thread.arguments for place in _pointers(argument.value))
    owners = _owners(threads)
    own = {name: frozenset((each, 0) for each in named) for name, named in owners.items()}
    known, looks = True, [(function, _Text(function, own)) for function in functions]
    for function, look in looks:
        for value, type_ in _values(function, look.contents):
            places = places_of(value, look.register)
            if type_ is not None and store_size(type_) < _ALIGNED:
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
    looks: Iterable[tuple[Function, _Text]],
    closed: Mapping[str, Value | None],
    owners: Iterable[Mapping[str, list[str]]],
) -> dict[str, frozenset[Place]]:
    """Give the addresses that objects may hold which only code accesses that names them, given their initial values."""
    found: dict[str, Places] = {
        name: frozenset() if value is None else frozenset(_pointers(value)) for name, value in closed.items()
    }
    threads = {name: mine for named in owners for name, mine in named.items()}
    for function, look in looks:
        if any(isinstance(each, AsyncCopy | EndCatch) for each in function.instructions):
            return {}
        for access in _accesses(function, look.contents):
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
        new = {_with_bits(each, operator, bits) for each in new for operator, bits in tags} - found
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
            if isinstance(bits, Constant) and isinstance(bits.value, int) and _sets_tag(operator, bits.value):
                yield operator, _signed(bits.value)


def _moves_addresses(looks: Iterable[tuple[Function, _Text]], objects: Iterable[MemoryObject]) -> bool:
    """Tell whether a read-modify-write may compute with an address that memory holds, but for its lowest bits."""
    begin = (each.name for each in objects if each.initial is not None and any(_pointers(each.initial)))
    places: set[Place] = {(name, None) for name in begin}
    moved_at: set[Place] = set()
    for function, look in looks:
        for each in _accesses(function, look.contents):
            if not isinstance(each, Load):
                at = places_of(each.address, look.register) or frozenset({(MEMORY, None)})
                if isinstance(each, ReadModifyWrite) and each.operator != "xchg":
                    bits = each.operand.value if isinstance(each.operand, Constant) else None
                    tag = isinstance(bits, int) and _sets_tag(each.operator, bits)
                    moved_at |= at if not tag and store_size(each.type) == _ALIGNED else frozenset()
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


_NO_PROPERTIES: Mapping[str, Places] = {}


class _Text:
    """What registers of a function may point to, whatever happens.

    Parameters
    ----------
    function : Function
    properties : mapping of str to frozenset of (str, int or None)
        Of registers that differ between threads, the objects that they stand for.
    """

    def __init__(self, function: Function, properties: Mapping[str, Places] = _NO_PROPERTIES) -> None:
        self._properties = properties
        self._origins, self._parameters = origins_of(function), frozenset(function.parameters)
        self.contents = _contents_of_slots(function)
        self._known: dict[str, Places] = dict.fromkeys(self._origins, frozenset())
        rounds, again = 0, True
        while again:
            rounds, again = rounds + 1, False
            for name, origins in self._origins.items():
                found = joined(map(self._of, origins))
                if rounds > _ROUNDS:
                    found = moved(found, None)
                again = again or found != self._known[name]
                self._known[name] = found

    def register(self, name: str) -> Places:
        """Give the places that a register may point to; one that each thread has of its own may be a number."""
        if name.startswith("%"):
            return self._properties.get(name, frozenset())
        return self._known.get(name, frozenset({(MEMORY, 0)}) if name in self._parameters else None)

    def _of(self, origin: Origin) -> Places:
        match origin:
            case Phi(incoming=incoming):
                return joined(places_of(value, self.register) for _, value in incoming)
            case Assign(expression=expression) | Freeze(expression=expression):
                return places_of(expression, self.register)
            case Alloca() | Allocate():
                return frozenset({(MADE, 0)})
            case Create():
                return frozenset()  # only the library follows it, and any pointer of that may be one (may_reach)
            case Measure() | Hold() | Meet() | Now():
                return frozenset()  # a number
        return frozenset({(MEMORY, 0)})


def _values(function: Function, slots: Container[str]) -> Iterator[tuple[Expression, Type | None]]:
    """Give what a function stores, as what, and hands on; not what stays in some stack slots."""
    for access in _accesses(function, slots):
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


_Access = Load | Store | ReadModifyWrite | CompareExchange


def _accesses(function: Function, slots: Container[str]) -> Iterator[_Access]:
    """Give the accesses of a function but those of some stack slots, told by the registers with their addresses."""
    for each in function.instructions:
        if isinstance(each, _Access) and not (isinstance(each.address, Register) and each.address.name in slots):
            yield each


def _type_of(access: _Access) -> Type:
    """Give the type of an access; of pointers one, in whichever address space."""
    return PointerType() if isinstance(access.type, PointerType) else access.type


class Mixed:
    """Where the text accesses memory as several types, as clang does which reads an atomic pointer as a number.

    Parameters
    ----------
    functions : iterable of Function
    """

    def __init__(self, functions: Iterable[Function]) -> None:
        functions = list(functions)
        every = [each for function in functions for each in _accesses(function, ())]
        types: dict[tuple[str, int, int], set[Type]] = {}
        if len(set(map(_type_of, every))) > 1:
            for function in functions:
                look = _Text(function)
                for each in _accesses(function, ()):
                    if each.type is not None:
                        for name, offset in places_of(each.address, look.register) or ():
                            if offset is not None:
                                place = MADE if is_marker(name) else name, offset, store_size(each.type)
                                types.setdefault(place, set()).add(_type_of(each))
        self._places = {place for place, found in types.items() if len(found) > 1}

    def holds(self, location: Location) -> bool:
        """Tell whether a location of an object of the test, or of one that a thread makes, is most likely one.

        Parameters
        ----------
        location : Location

        Returns
        -------
        bool
        """
        name = MADE if MADE in location.object else location.object
        return (name, location.offset, location.size) in self._places
