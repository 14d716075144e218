"""What the registers of a function may point to, and which accesses go through them, as its text says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Protocol

from enumerator.program.instructions import (
    Access,
    Alloca,
    Allocate,
    Assign,
    BeginCatch,
    Call,
    CompareExchange,
    Constant,
    Create,
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
    Phi,
    Read,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.types import PointerType, Type, store_size
from enumerator.program.values import UNDEF
from enumerator.unfold.live_slots import slot_addresses
from enumerator.unfold.members import registers_in
from enumerator.unfold.places import IN_MEMORY, Places, added, joined, made_at, places_of

__all__ = ["HANDLE", "Carrying", "Origin", "Pointing", "accesses_of", "contents_of_slots", "origins_of"]

_NO_PROPERTIES: Mapping[str, Places] = {}

HANDLE = "handle"
"""The parameter of functions of the library that is the address of an object which stands for a thread."""

Origin = (
    (Phi | Assign | Freeze | Create | Alloca | Allocate)
    | Read
    | (Call | IndirectCall | LandingPad | BeginCatch)
    | (Measure | Hold | Meet | Now)
)
"""What sets a register, and may say where that points."""

_OUTER = Read | Call | IndirectCall | LandingPad | BeginCatch


def origins_of(
    function: Function, contents: Mapping[str, list[Expression]] | None = None
) -> Mapping[str, list[Origin]]:
    """Give what sets each register of a function, as far as that says where it may point.

    What is made elsewhere than in the first block may be made again in a call. A load from a stack slot that is like a
    register gives what is stored there, by the `contents` of these slots if they are known (:func:`contents_of_slots`).
    """
    found: dict[str, list[Origin]] = {}
    contents = contents_of_slots(function) if contents is None else contents
    for block in function.blocks:
        for each in (*block.phis, *block.body):
            if isinstance(each, Origin) and each.target is not None:
                origins: list[Origin] = [each]
                match each:
                    case Load(address=Register(name)) if name in contents:
                        origins = [Assign(each.target, value) for value in contents[name]]
                found.setdefault(each.target, []).extend(origins)
    return found


def contents_of_slots(function: Function) -> dict[str, list[Expression]]:
    """Give what is stored to stack slots that are only loaded from and stored to, always as a whole.

    It is told by the registers that hold the addresses of these slots. One that is never stored to holds undef.
    """
    aliases, found, sizes = slot_addresses(function), dict[str, list[Expression]](), dict[str, set[int]]()
    if not aliases:
        return {}
    shared: set[str] = set()
    for part in (part for block in function.blocks for part in block.parts):
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


class Carrying(Protocol):
    """What tells where the addresses of a program may be."""

    def loads(self, function: Function, places: Places, type_: Type) -> Places:
        """Give the places that what a function reads at one of some places may point to."""

    def parameter(self, function: str, name: str) -> Places:
        """Give the places that a parameter may point to."""

    def result(self, function: str) -> Places:
        """Give the places that what a function returns may point to."""

    def result_through(self, callee: Places, types: tuple[Type, ...]) -> Places:
        """Give the places that what a call through a pointer returns may point to."""

    @property
    def thrown(self) -> Places:
        """The places of exceptions."""


class Pointing:
    """What registers of a function may point to, whatever happens.

    Parameters
    ----------
    function : Function
    properties : mapping of str to frozenset of (str, int or None)
        Of registers that differ between threads, the objects that they stand for.
    carried : Carrying, optional
        Where addresses may be; anywhere where that is not said.

    Attributes
    ----------
    function : Function
    contents : dict of str to list of Expression
        What is stored to the stack slots that are like registers (:func:`contents_of_slots`).
    """

    def __init__(
        self,
        function: Function,
        properties: Mapping[str, Places] = _NO_PROPERTIES,
        carried: Carrying | None = None,
    ) -> None:
        self.function, self._properties, self._carried = function, properties, carried
        self.contents, self._parameters = contents_of_slots(function), frozenset(function.parameters)
        self._origins = origins_of(function, self.contents)
        self._known: dict[str, Places] = dict.fromkeys(self._origins, frozenset())
        self._takers: dict[str, list[str]] = {}  # by register, those that come from it
        self._outer: list[str] = []  # those that come from memory, from other functions, or from parameters
        for target, origins in self._origins.items():
            taken = {name for origin in origins for name in registers_in(origin)}
            for name in taken:
                self._takers.setdefault(name, []).append(target)
            if taken & self._parameters or any(isinstance(origin, _OUTER) for origin in origins):
                self._outer.append(target)
        self._update(set(self._origins))

    def update(self) -> None:
        """Follow what is known of memory and of other functions now, which may be more than before."""
        self._update(set(self._outer))

    def _update(self, due: set[str]) -> None:
        """Look at some registers again, and at those that come from what is new."""
        while due:
            for name, origins in self._origins.items():
                if name not in due:
                    continue
                due.remove(name)
                before = self._known[name]
                found = self._known[name] = added(before, joined(map(self._of, origins)))
                if found is not before:
                    due.update(self._takers.get(name, ()))

    def register(self, name: str) -> Places:
        """Give the places that a register may point to; one that each thread has of its own may be a number."""
        if name.startswith("%"):
            return self._properties.get(name, frozenset())
        if name not in self._known and name in self._parameters:
            return IN_MEMORY if self._carried is None else self._carried.parameter(self.function.name, name)
        return self._known.get(name)

    def _of(self, origin: Origin) -> Places:
        match origin:
            case Phi(incoming=incoming):
                return joined(places_of(value, self.register) for _, value in incoming)
            case Assign(expression=expression) | Freeze(expression=expression):
                return places_of(expression, self.register)
            case Alloca(target=target) | Allocate(target=target):
                return frozenset({(made_at(self.function.name, target), 0)})
            case Create():
                return frozenset()  # only the library follows it, and any pointer of that may be one (may_reach)
            case Measure() | Hold() | Meet() | Now():
                return frozenset()  # a number
        carried = self._carried
        if carried is None:
            return IN_MEMORY
        match origin:
            case Call(function=called):
                return carried.result(called)
            case IndirectCall(callee=callee, parameters=types):
                return carried.result_through(places_of(callee, self.register), types)
            case Load() | ReadModifyWrite() | CompareExchange():
                return carried.loads(self.function, places_of(origin.address, self.register), origin.type)
        return carried.thrown


def accesses_of(function: Function, slots: Container[str]) -> Iterator[Access]:
    """Give the accesses of a function but those of some stack slots, told by the registers with their addresses."""
    for each in function.instructions:
        if isinstance(each, Access) and not (isinstance(each.address, Register) and each.address.name in slots):
            yield each
