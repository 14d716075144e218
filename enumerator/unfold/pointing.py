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
    Register,
    Store,
)
from enumerator.program.types import PointerType, Type, store_size
from enumerator.program.values import UNDEF
from enumerator.unfold.live_slots import slot_addresses
from enumerator.unfold.members import registers_in
from enumerator.unfold.places import IN_MEMORY, MADE, Places, joined, moved, places_of

__all__ = ["HANDLE", "ROUNDS", "Carrying", "Origin", "Pointing", "accesses_of", "contents_of_slots", "origins_of"]

ROUNDS = 5
"""After so many, an address that still moves comes from itself, and may be anywhere in its object."""

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


def origins_of(function: Function) -> Mapping[str, list[Origin]]:
    """Give what sets each register of a function, as far as that says where it may point.

    What is made elsewhere than in the first block may be made again in a call. A load from a stack slot that is like a
    register gives what is stored there.
    """
    found: dict[str, list[Origin]] = {}
    contents = contents_of_slots(function)
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
    """What tells where a program may have addresses."""

    def loads(self, function: Function, places: Places, type_: Type) -> bool:
        """Tell whether what a function reads at one of some places may be an address."""

    def parameter(self, function: str, name: str) -> Places:
        """Give the places that a parameter may point to."""

    def result(self, function: str) -> Places:
        """Give the places that what a function returns may point to."""


class Pointing:
    """What registers of a function may point to, whatever happens.

    Parameters
    ----------
    function : Function
    properties : mapping of str to frozenset of (str, int or None)
        Of registers that differ between threads, the objects that they stand for.
    carried : Carrying, optional
        Where addresses may be; anywhere where that is not said.
    """

    def __init__(
        self,
        function: Function,
        properties: Mapping[str, Places] = _NO_PROPERTIES,
        carried: Carrying | None = None,
    ) -> None:
        self._function, self._properties, self._carried = function, properties, carried
        self._origins, self._parameters = origins_of(function), frozenset(function.parameters)
        self.contents = contents_of_slots(function)
        self._known: dict[str, Places] = dict.fromkeys(self._origins, frozenset())
        rounds, again = 0, True
        while again:
            rounds, again = rounds + 1, False
            for name, origins in self._origins.items():
                found = joined(map(self._of, origins))
                if rounds > ROUNDS:
                    found = moved(found, None)
                again = again or found != self._known[name]
                self._known[name] = found

    def register(self, name: str) -> Places:
        """Give the places that a register may point to; one that each thread has of its own may be a number."""
        if name.startswith("%"):
            return self._properties.get(name, frozenset())
        if name not in self._known and name in self._parameters:
            return IN_MEMORY if self._carried is None else self._carried.parameter(self._function.name, name)
        return self._known.get(name)

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
        if self._carried is not None:
            if isinstance(origin, Call):
                return self._carried.result(origin.function)
            if isinstance(origin, Read):
                read_at = places_of(origin.address, self.register)
                if not self._carried.loads(self._function, read_at, origin.type):
                    return frozenset()
        return IN_MEMORY


def accesses_of(function: Function, slots: Container[str]) -> Iterator[Access]:
    """Give the accesses of a function but those of some stack slots, told by the registers with their addresses."""
    for each in function.instructions:
        if isinstance(each, Access) and not (isinstance(each.address, Register) and each.address.name in slots):
            yield each
