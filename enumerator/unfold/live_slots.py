"""Which bytes of its stack slots a function may read before it writes them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Alloca,
    Assign,
    Call,
    Constant,
    Function,
    Instruction,
    Load,
    Operation,
    Register,
    Store,
    targets_of,
)
from enumerator.program.types import store_size
from enumerator.unfold.members import registers_in

__all__ = ["LiveSlots", "slot_addresses", "slots_of"]

_MOST_BYTES = 256
"""Of a slot; larger ones are always live."""


def slots_of(function: Function) -> dict[str, Alloca]:
    """Give the instructions of a function that make stack slots, by their registers."""
    return {
        instruction.target: instruction
        for block in function.blocks
        for instruction in block.body
        if isinstance(instruction, Alloca)
    }


def slot_addresses(function: Function) -> dict[str, str]:
    """Give the registers that hold the addresses of stack slots, in whichever type, each with that of the slot."""
    slots = slots_of(function)
    return dict(_aliases(function, slots)) | {name: name for name in slots}


@dataclass(frozen=True, slots=True)
class _Place:
    """A byte of a stack slot that a register holds the address of."""

    slot: str
    offset: int


class LiveSlots:
    """The bytes of stack slots that may be read, as bits of an integer, by place in the code.

    Where the address of a slot is used otherwise than by loads and stores of known bytes, or by a call that it is lent
    to, all of it may always be read.

    Parameters
    ----------
    function : Function

    Attributes
    ----------
    slots : dict of str to Alloca
        See :func:`slots_of`.
    tracked : dict of str to str
        The registers that hold the addresses of slots which are only loaded from and stored to, each with the slot's.
    before : dict of str to int
        By block, what may be read from its beginning on.
    """

    def __init__(self, function: Function) -> None:
        self.slots = slots_of(function)
        self._places = dict(_places(function, self.slots))
        self._masks: dict[str, int] = {}
        self._first: dict[str, int] = {}
        count, whole = 0, slot_addresses(function)
        always, otherwise = set[str](), set[str]()
        for name, slot in self.slots.items():
            size = slot.count * store_size(slot.type)
            self._first[name], bits = count, size if size <= _MOST_BYTES else 1
            self._masks[name] = ((1 << bits) - 1) << count
            count += bits
            if size > _MOST_BYTES:
                always.add(name)
        for block in function.blocks if self.slots else ():
            for instruction in block.body:
                always |= self._used_otherwise(instruction)
                if isinstance(instruction, Assign) and instruction.target in self._places.keys() - whole.keys():
                    otherwise.add(self._places[instruction.target].slot)
            always |= self._meant((block.phis, block.terminator))
        self.tracked = {name: slot for name, slot in whole.items() if slot not in always | otherwise}
        self._always = self._all(always)
        self.before = dict.fromkeys((block.name for block in function.blocks), self._always)
        again = bool(self.slots)
        while again:
            again = False
            for block in reversed(function.blocks):
                live = self.after(targets_of(block.terminator))
                for instruction in reversed(block.body):
                    live = self.ahead_of(instruction, live)
                again |= live != self.before[block.name]
                self.before[block.name] = live

    def named(self, live: int) -> frozenset[str]:
        """Give the slots that some bytes belong to, by the registers that hold their addresses."""
        return frozenset(name for name, mask in self._masks.items() if live & mask)

    def after(self, targets: Iterable[str]) -> int:
        """Give what may be read after a block that leads to others."""
        live = self._always
        for target in targets:
            live |= self.before[target]
        return live

    def ahead_of(self, instruction: Instruction, live: int) -> int:
        """Give what may be read before an instruction, by what may be read after it."""
        match instruction:
            case Load(address=Register(name)) if name in self._places:
                return live | self._bytes(self._places[name], store_size(instruction.type))
            case Store(address=Register(name)) if name in self._places:
                return live & ~self._bytes(self._places[name], store_size(instruction.type)) | self._always
            case Call(lends=True) if self.slots:
                return live | self._all(self._meant(instruction))
        return live

    def _used_otherwise(self, instruction: Instruction) -> set[str]:
        """Name the slots whose addresses an instruction takes for something else than to access known bytes."""
        match instruction:
            case Load(address=Register(name)) | Store(address=Register(name)) if name in self._places:
                place, size = self._places[name], store_size(instruction.type)
                slot = self.slots[place.slot]
                within = place.offset >= 0 and place.offset + size <= slot.count * store_size(slot.type)
                others = self._meant(instruction.value) if isinstance(instruction, Store) else set[str]()
                return others if within else others | {place.slot}
            case Alloca() | Call(lends=True):
                return set()
            case Assign(target) if target in self._places:
                return set()
        return self._meant(instruction)

    def _meant(self, part: object) -> set[str]:
        return {self._places[name].slot for name in registers_in(part) if name in self._places}

    def _all(self, slots: Iterable[str]) -> int:
        found = 0
        for name in slots:
            found |= self._masks[name]
        return found

    def _bytes(self, place: _Place, size: int) -> int:
        return ((1 << size) - 1) << (self._first[place.slot] + place.offset) & self._masks[place.slot]


def _places(function: Function, slots: Mapping[str, Alloca]) -> Iterator[tuple[str, _Place]]:
    """Give the registers that hold the address of a known byte of a slot."""
    found = {name: _Place(name, 0) for name in slots}
    yield from found.items()
    for block in function.blocks if slots else ():
        for instruction in block.body:
            place = None
            match instruction:
                case Assign(_, Operation("addrspacecast" | "bitcast", (Register(name),))):
                    place = found.get(name)
                case Assign(_, Operation("ptradd", (Register(name), Constant(int(distance), _)))) if name in found:
                    place = _Place(found[name].slot, found[name].offset + distance)
            if place is not None and isinstance(instruction, Assign):
                found[instruction.target] = place
                yield instruction.target, place


def _aliases(function: Function, slots: Mapping[str, Alloca]) -> Iterator[tuple[str, str]]:
    """Give the registers that hold the address of a slot in another type, each with that of the slot."""
    for block in function.blocks if slots else ():
        for instruction in block.body:
            match instruction:
                case Assign(target, Operation("addrspacecast" | "bitcast", (Register(name),))) if name in slots:
                    yield target, name
