"""Where a program may have addresses: in which places of memory, in what functions are given, and in what they return.

Most numbers that a program reads and computes with are none. What is read where no address has been stored is a number,
and so is what is computed from it: a counter that is read, added to and written does not move an address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import zip_longest
from typing import TypeVar

from enumerator.program.instructions import (
    Assign,
    AsyncCopy,
    Call,
    CompareExchange,
    Constant,
    Create,
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
from enumerator.program.types import FloatType, IntType, Type, store_size
from enumerator.program.values import signed
from enumerator.unfold.places import (
    ALIGNED,
    IN_MEMORY,
    MADE,
    MEMORY,
    Place,
    Places,
    joined,
    moved,
    places_of,
    pointers_in,
    sets_tag,
    with_bits,
)
from enumerator.unfold.pointing import HANDLE, ROUNDS, Pointing, accesses_of

__all__ = ["Carried", "Cells", "Starts", "holds_address", "stored_by"]

Starts = Mapping[str, frozenset[int] | None]
"""By object the bytes in it whose addresses memory may hold; None: any. What threads make has the name MADE."""

_Key = TypeVar("_Key", str, tuple[str, str])

Cells = Mapping[str, Set[tuple[int, int]] | None]
"""By object where in it addresses may be: from which byte on, and how many bytes; None: anywhere."""


def holds_address(places: Places, size: int, cells: Cells | None, starts: Starts) -> bool:
    """Tell whether what is read at one of some places may be an address, or a part of one.

    Parameters
    ----------
    places : frozenset of (str, int or None) or None
    size : int
        In bytes, of what is read.
    cells : mapping of str to (frozenset of (int, int) or None), or None
        Where addresses may be; None: anywhere.
    starts : mapping of str to (frozenset of int or None)

    Returns
    -------
    bool

    Examples
    --------
    >>> cells, starts = {"@list": frozenset({(8, 8)})}, {"@list": frozenset({0})}
    >>> [holds_address(frozenset({place}), 8, cells, starts) for place in [("@list", 0), ("@list", 8), ("*", 8)]]
    [False, True, True]
    """
    if places is None or cells is None:
        return True
    for name, start in _reached(places, starts):
        there = cells.get(name, frozenset())
        if there is None or (start is None and there):
            return True
        if start is not None and any(start < first + count and first < start + size for first, count in there):
            return True
    return False


def _reached(places: Iterable[Place], starts: Starts) -> Iterator[Place]:
    """Give the objects, and bytes in them, that places stand for."""
    for name, offset in places:
        if name == MEMORY:
            yield from ((each, start) for each, begins in starts.items() for start in _moved(begins, offset))
        else:
            yield MADE if MADE in name else name, offset


def _moved(begins: frozenset[int] | None, distance: int | None) -> Iterable[int | None]:
    """Give where in an object an address lies that begins at one of some bytes, moved by others; None for any."""
    if begins is None or distance is None:
        return (None,)
    return (start + distance for start in begins)


class Carried:
    """What is known while the text is followed, until nothing is new.

    Parameters
    ----------
    functions : list of Function
    objects : list of MemoryObject
        Those of the test.
    threads : list of Thread

    Attributes
    ----------
    found : set of (str, int or None)
        The addresses that memory may hold, of which part what created threads are given and return, and what functions
        are that are called through pointers, counts.
    known : bool
        Whether these are all: not where a read-modify-write may compute with one, but for its lowest bits.
    starts : mapping of str to (frozenset of int or None)
        The same, by object.
    """

    def __init__(self, functions: list[Function], objects: list[MemoryObject], threads: list[Thread]) -> None:
        self.found: set[Place] = set()
        self.known = True
        self._cells: dict[str, set[tuple[int, int]] | None] | None = {}
        if any(isinstance(each, AsyncCopy) for function in functions for each in function.instructions):
            self._cells = None
        for memory in objects:
            pointers = set() if memory.initial is None else set(pointers_in(memory.initial))
            self.found |= pointers
            if pointers and self._cells is not None:
                self._cells[memory.name] = None
        self._parameters = {function.name: function.parameters for function in functions}
        # Created threads may be given anything, and so may functions of the library that no call of their name begins:
        # other functions are called by name or by address, or never.
        parts = (each for function in functions for each in function.instructions)
        called = {each.function for each in parts if isinstance(each, Call)}
        self._library = frozenset(each.name for each in functions if each.library)
        self._begun = set(self._library - called)
        self._of_handles = {each.name for each in functions if each.library and _knows_handles(each)}
        self.given: dict[tuple[str, str], Places] = {}
        self.returned: dict[str, Places] = {}
        self._rounds = 0
        for thread in threads:
            if thread.creation is not None:
                self._begun.add(thread.function)
                continue
            for name in (thread.function, *thread.alternatives):
                for parameter, argument in zip_longest(self._parameters.get(name, ()), thread.arguments):
                    told = IN_MEMORY if argument is None else frozenset(pointers_in(argument.value))
                    self._join(self.given, (name, parameter), told)
        self._tags = set(_tags(functions))
        self.starts: Starts = {}
        self._update()

    @property
    def cells(self) -> Cells | None:
        """Where addresses may be; None: anywhere."""
        if self._cells is None:
            return None
        return {name: None if each is None else frozenset(each) for name, each in self._cells.items()}

    def loads(self, function: Function, places: Places, type_: Type) -> bool:
        """Tell whether a function may read an address; the library does from what stands for a thread."""
        if function.name in self._of_handles:
            return True
        return holds_address(places, max(store_size(type_), ALIGNED), self._cells, self.starts)

    def parameter(self, function: str, name: str) -> Places:
        """Give the places that a parameter may point to; no code but the library accesses what stands for a thread."""
        if name == HANDLE and function in self._library:
            return frozenset()
        known = self.given.get((function, name), frozenset())
        return joined((known, IN_MEMORY)) if self._is_begun(function) else known

    def result(self, function: str) -> Places:
        """Give the places that what a function returns may point to."""
        return self.returned.get(function, frozenset()) if function in self._parameters else IN_MEMORY

    def _is_begun(self, function: str) -> bool:
        """Tell whether a function may begin otherwise than by a call of its name, or as a thread that is there."""
        return function in self._begun or f"@{function}" in self.starts

    def follow(self, looks: Iterable[tuple[Function, Pointing]]) -> bool:
        """Note what functions do with the addresses that they may have; tell whether anything is new."""
        before = self._state()
        self._rounds += 1
        for function, look in looks:
            for access in accesses_of(function, look.contents):
                if not isinstance(access, Load):
                    self._store(access, look)
            self._pass_on(function, look)
        self._update()
        return self._state() != before

    def _state(self) -> tuple[object, ...]:
        return len(self.found), self.known, self.cells, dict(self.given), dict(self.returned), len(self._begun)

    def _join(self, known: dict[_Key, Places], key: _Key, places: Places) -> None:
        """Note places in addition; of those that move in each round, anywhere in their objects."""
        before = known.get(key, frozenset())
        found = joined((before, places))
        known[key] = moved(found, None) if found != before and self._rounds > ROUNDS else found

    def _find(self, value: Expression, type_: Type | None, look: Pointing) -> bool:
        """Note which addresses a value may be that memory may hold; tell whether it may be any."""
        places = places_of(value, look.register)
        if isinstance(type_, IntType | FloatType) and store_size(type_) < ALIGNED:
            # Of an address it is a part at most, as that was read.
            places = frozenset(each for each in places or () if each[1] is not None)
        self.known = self.known and places is not None
        self.found |= places or frozenset()
        return places != frozenset()

    def _store(self, access: Store | CompareExchange | ReadModifyWrite, look: Pointing) -> None:
        places = places_of(access.address, look.register)
        if isinstance(access, ReadModifyWrite) and self._moves(access, places):
            self.known = False
        carries = self._find(stored_by(access), access.type, look)
        if not carries or self._cells is None:
            return
        if places is None:
            self._cells = None
            return
        size = store_size(access.type)
        for name, start in _reached(places, self.starts):
            there = self._cells.setdefault(name, set())
            if start is None:
                self._cells[name] = None
            elif there is not None:
                there.add((start, size))

    def _moves(self, access: ReadModifyWrite, places: Places) -> bool:
        """Tell whether a read-modify-write may compute with an address, which memory holds or it is given."""
        bits = access.operand.value if isinstance(access.operand, Constant) else None
        sets = isinstance(bits, int) and sets_tag(access.operator, bits)
        if access.operator == "xchg" or sets or store_size(access.type) != ALIGNED:
            return False
        return holds_address(places, ALIGNED, self._cells, self.starts)

    def _pass_on(self, function: Function, look: Pointing) -> None:
        """Note what a function hands on to others, and returns."""
        for each in function.instructions:
            match each:
                case Call(function=name, arguments=arguments) if name in self._parameters:
                    for parameter, value in zip(self._parameters[name], arguments, strict=False):
                        self._join(self.given, (name, parameter), places_of(value, look.register))
                case Call(arguments=arguments) | IndirectCall(arguments=arguments):
                    for value in arguments:
                        self._find(value, None, look)
                case Create(argument=value) | Exit(value=value) | Throw(object=value) if value is not None:
                    self._find(value, None, look)
            match each:
                case IndirectCall(callee=value) | Create(function=value):
                    places = places_of(value, look.register) or frozenset()
                    self._begun |= {name.removeprefix("@") for name, _ in places}
                case Throw(destructor=name):
                    self._begun |= {name}
        for block in function.blocks:
            end = block.terminator
            if isinstance(end, Return) and end.value is not None:
                self._join(self.returned, function.name, places_of(end.value, look.register))
                if self._is_begun(function.name):
                    self._find(end.value, None, look)

    def _update(self) -> None:
        """Say anew at which bytes of objects addresses begin."""
        displaced = any(name == MEMORY and offset != 0 for name, offset in self.found)
        starts: dict[str, set[int] | None] = {}
        for name, offset in self.found - {(MEMORY, 0)}:
            before = starts.setdefault(name, set())
            if offset is None or displaced:
                starts[name] = None
            elif before is not None:
                before.add(offset)
        self.starts = {
            name: None if begins is None else frozenset(_with_tags(begins, self._tags))
            for name, begins in starts.items()
            if name != MEMORY
        }


def _knows_handles(function: Function) -> bool:
    """Tell whether a function of the library may access what stands for a thread (``pthread_t`` is its number)."""
    made = (each.expression for each in function.instructions if isinstance(each, Assign))
    return HANDLE in function.parameters or any(
        isinstance(each, Operation) and each.operator == "inttoptr" for each in made
    )


def stored_by(access: Store | CompareExchange | ReadModifyWrite) -> Expression:
    """Give the operand of what an access stores."""
    match access:
        case Store(value=value) | CompareExchange(desired=value) | ReadModifyWrite(operand=value):
            return value


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
