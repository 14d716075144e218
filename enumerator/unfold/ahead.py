"""The code ahead of a call, followed with the values that are known whatever is read.

So the counter of a loop that writes one element of an array in each iteration tells which elements it still writes.
One walk (:class:`Ahead`) follows registers and stack slots; what is looked for on the way differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import field
from typing import ClassVar

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Block,
    Expression,
    Instruction,
    Load,
    Register,
    Store,
    Terminator,
    Write,
    targets_of,
)
from enumerator.program.memory import initial_value
from enumerator.program.test import MemoryObject
from enumerator.program.types import IntType, PointerType, Type, store_size
from enumerator.program.values import Pointer
from enumerator.unfold.members import registers_in
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import Frame, Shared
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.ways import Values, leads_to, value_of

__all__ = [
    "Ahead",
    "Followed",
    "Held",
    "Untold",
    "asked_ahead",
    "follow",
    "held_in",
    "is_constant",
    "slots_like_registers",
]

Held = dict[str, object]
"""What is known of registers, by name, and of what stack slots hold."""

_Loops = tuple[frozenset[int], Mapping[str, frozenset[tuple[str, object]]]]
_NONE: frozenset[int] = frozenset()


class Untold(Exception):
    """Raised where nothing can be told of the code ahead."""


@dataclass(eq=False)
class Ahead:
    """Follows the code of a call, each way with what is known there of registers and stack slots.

    Parameters
    ----------
    frame : Frame
    slots : mapping of str to str
        The registers that hold the addresses of stack slots which are only loaded from and stored to, with the slot's.
        What these hold is followed as registers are.
    live : pair of mappings of str to set of str
        By block, the registers and the slots that may be read from its beginning on.

    Attributes
    ----------
    most_blocks : int
        With values that differ a block counts again; where there are more, nothing is told.
    """

    most_blocks: ClassVar[int] = 128
    frame: Frame
    slots: Mapping[str, str]
    live: tuple[Mapping[str, Set[str]], Mapping[str, Set[str]]]

    # What the kinds of walks say ------------------------------------------------------------------------------

    def keeps(self, value: object) -> bool:
        """Tell whether a value is of the kind that is followed."""
        return isinstance(value, int | Pointer)

    def value(self, expression: Expression, held: Held) -> object:
        """Give what is known of the value of an expression; None for nothing."""
        return value_of(expression, held)

    def result(self, instruction: Instruction, held: Held) -> object:
        """Give what is known of what an instruction puts into its register; None for nothing."""
        match instruction:
            case Assign(expression=expression):
                return self.value(expression, held)
            case Load(type=type_) if (slot := self.slot(instruction)) is not None:
                value = held.get(content_of(slot, type_))
                return value if isinstance(type_, IntType if isinstance(value, int) else PointerType) else None
        return None

    def passes(self, block: Block, first: int, held: Held, cells: frozenset[Location]) -> frozenset[Location] | None:
        """Follow a block from an instruction of it on; give the cells that are looked for then, None at a way's end."""
        raise NotImplementedError

    def leads(self, end: Terminator, held: Held) -> tuple[str, ...]:
        """Name the blocks where a way may go on."""
        return leads_to(end, held)

    def enters(
        self, origin: Block, target: str, held: frozenset[tuple[str, object]], loops: _Loops, *, only: bool
    ) -> _Loops:
        """Note of the loops on a way that it comes to a block, and whether it can only come to that one."""
        return loops

    # The walk -------------------------------------------------------------------------------------------------

    def follow(self, block: Block, first: int, held: Values, cells: frozenset[Location] = frozenset()) -> bool:
        """Follow all ways from an instruction of a block on; tell whether they come to their ends."""
        seen: set[tuple[str, frozenset[Location], frozenset[tuple[str, object]]]] = set()
        begun = {name: value for name, value in held.items() if self.keeps(value)}
        loops: _Loops = _NONE, {}
        stack = [(block, first, begun, cells, loops)]
        try:
            while stack:
                here, first, known, cells, loops = stack.pop()
                left = self.passes(here, first, known, cells)
                if left is None:
                    continue
                following = self.leads(here.terminator, known)
                for target in following:
                    entered = self._entered(here.name, target, known)
                    key = target, left, frozenset(entered.items())
                    if key in seen:
                        continue
                    if len(seen) == self.most_blocks:
                        return False
                    seen.add(key)
                    way = self.enters(here, target, key[2], loops, only=len(following) == 1)
                    stack.append((self.frame.blocks[target], 0, entered, left, way))
        except Untold:
            return False
        return True

    def _entered(self, origin: str, target: str, held: Held) -> Held:
        """Give what is known at the beginning of a block, of what may still be read."""
        live, slots = (each[target] for each in self.live)
        entered = {
            name: value
            for name, value in held.items()
            if (name.partition(":")[2] in slots if name.startswith("*") else name in live)
        }
        for phi in self.frame.blocks[target].phis:
            self._hold(entered, phi.target, self.value(dict(phi.incoming)[origin], held))
        return entered

    def runs(self, instruction: Instruction, held: Held) -> None:
        """Note what an instruction leaves in its register, or in a stack slot."""
        slot, target = self.slot(instruction), getattr(instruction, "target", None)
        if isinstance(instruction, Store) and slot is not None:
            value = self.value(instruction.value, held)
            for name in self.contents(slot, held):
                del held[name]
            self._hold(held, content_of(slot, instruction.type), value)
        elif target is not None:
            self._hold(held, target, self.result(instruction, held))

    def _hold(self, held: Held, name: str, value: object) -> None:
        if self.keeps(value):
            held[name] = value
        else:
            held.pop(name, None)

    def slot(self, instruction: Instruction) -> str | None:
        """Name the slot that an instruction loads from or stores to, by the register of its address."""
        address = instruction.address if isinstance(instruction, Load | Store) else None
        return self.slots.get(address.name) if isinstance(address, Register) else None

    def contents(self, slot: str, held: Held) -> list[str]:
        """List under which names it is known what a stack slot holds."""
        return [each for each in held if each.startswith("*") and each.endswith(f":{slot}")]


def content_of(slot: str, type_: Type) -> str:
    """Name what a stack slot holds of a type, by the register of its address."""
    return f"*{store_size(type_)}:{slot}"


@dataclass(frozen=True, slots=True)
class Followed:
    """What a call may still come to.

    Parameters
    ----------
    instructions : tuple of Instruction
    addresses : mapping of int to frozenset of Pointer or None
        By the identity of a write, what its address may be; None where that is not known.
    """

    instructions: tuple[Instruction, ...]
    addresses: Mapping[int, frozenset[Pointer] | None]


@dataclass(eq=False)
class _Writes(Ahead):
    """Notes all instructions, and what the addresses of writes may be."""

    shared: Shared
    to_barriers: bool
    instructions: dict[int, Instruction] = field(default_factory=dict)
    addresses: dict[int, set[Pointer] | None] = field(default_factory=dict)

    def passes(self, block: Block, first: int, held: Held, cells: frozenset[Location]) -> frozenset[Location] | None:
        for each in block.body[first:]:
            if self.to_barriers and isinstance(each, Barrier) and each.waits:
                return None
            if not isinstance(each, Store) or self.slot(each) is None:
                self.instructions[id(each)] = each
                if isinstance(each, Write):
                    self._note(id(each), value_of(each.address, held))
            self.runs(each, held)
        return cells

    def _note(self, key: int, value: int | Pointer | None) -> None:
        found = self.addresses.setdefault(key, set())
        if not isinstance(value, Pointer) or not value.object:
            self.addresses[key] = None
        elif found is not None:
            found.add(value)

    def result(self, instruction: Instruction, held: Held) -> object:
        if isinstance(instruction, Load) and self.slot(instruction) is None:
            return self._constant(instruction, value_of(instruction.address, held))
        return super().result(instruction, held)

    def _constant(self, load: Load, place: object) -> object:
        """Give what a load reads of memory that nothing changes."""
        memory = self.shared.objects.get(place.object) if isinstance(place, Pointer) else None
        if isinstance(place, Pointer) and memory is not None and is_constant(memory, load.annotation):
            with suppress(InputError):  # it may lie outside
                return initial_value(memory, place.offset, load.type, big=self.shared.big)
        return None

    def enters(
        self, origin: Block, target: str, held: frozenset[tuple[str, object]], loops: _Loops, *, only: bool
    ) -> _Loops:
        """Hold against a loop that goes on with other values that it has to count.

        Loops that count are those that the way could not but stay in, since it came to their headers; and of headers it
        is known with what values it came there last.
        """
        (counted, arrived), flow = loops, self.frame.flow
        if only:
            counted |= {loop.number for loop in flow.left.get(origin.name, ())}
        again = {loop.number for loop in flow.entered.get(target, ()) if origin.name in loop.blocks}
        if arrived.get(target, held) != held and not again <= counted:
            raise Untold
        return counted - again, {**arrived, target: held} if target in flow.entered else arrived


def follow(
    state: ThreadState, frame: Frame, held: Held, slots: Mapping[str, str], *, to_barriers: bool = False
) -> Followed | None:
    """Follow the code of a call from where it stands, whatever is read.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
    held : dict of str to object
        What is known there, by :func:`held_in`.
    slots : mapping of str to str
        See :class:`Ahead`.
    to_barriers : bool
        Whether it is followed only to where the thread waits at a barrier.

    Returns
    -------
    Followed or None
        None where that takes too long, or a loop goes on with other values until it reads something.
    """
    walk = _Writes(frame, slots, state.shared.text.live(frame.function), state.shared, to_barriers)
    if not walk.follow(frame.block, frame.position, held):
        return None
    told = {key: None if found is None else frozenset(found) for key, found in walk.addresses.items()}
    return Followed(tuple(walk.instructions.values()), told)


def asked_ahead(frame: Frame, live: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Name the registers that the code of a call may read from where it stands, of those that have their values.

    What the instruction before gives may still be that of an iteration before: a call that has not returned, or a read
    whose address is not known.

    Parameters
    ----------
    frame : Frame
    live : mapping of str to frozenset of str
        By block, the registers that may be read from its beginning on.

    Returns
    -------
    frozenset of str
    """
    block, targets = frame.block, targets_of(frame.block.terminator)
    incoming = [phi.incoming for target in targets for phi in frame.blocks[target].phis]
    passed = [value for each in incoming for origin, value in each if origin == block.name]
    parts: list[object] = [*block.body[frame.position :], block.terminator, *passed]
    found = {name for part in parts for name in registers_in(part)}.union(*(live[target] for target in targets))
    begun = block.body[frame.position - 1] if frame.position > 0 else None
    if not isinstance(begun, Assign):
        found.discard(getattr(begun, "target", None) or "")
    return frozenset(found)


def slots_like_registers(state: ThreadState, frame: Frame) -> Mapping[str, str]:
    """Give the registers that hold the addresses of stack slots which are only loaded from and stored to.

    Parameters
    ----------
    state : ThreadState
    frame : Frame

    Returns
    -------
    mapping of str to str
        Each with the register of the slot. Empty where some slot that the call has made is not like a register.
    """
    alike = all(map(state.shared.is_register, frame.slots))
    return state.shared.text.liveness(frame.function).tracked if alike else {}


def held_in(state: ThreadState, frame: Frame, registers: Iterable[str], slots: Set[str]) -> Held:
    """Give the numbers and addresses that registers and stack slots of a call hold, as :class:`Ahead` follows them.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
    registers : iterable of str
    slots : set of str
        By the registers with their addresses.

    Returns
    -------
    dict of str to object
    """
    locals_ = ((name, state.registers.get(frame.prefix + name)) for name in registers)
    found: Held = {name: local.node.value for name, local in locals_ if local and isinstance(local.node, Known)}
    for place, local, type_ in state.slots.held() if slots else ():
        target = place.object.removeprefix(f"{state.thread.name}:%{frame.prefix}")
        if target in slots and place.object in frame.slots and place.offset == 0 and isinstance(local.node, Known):
            found[content_of(target, type_)] = local.node.value
    return {name: value for name, value in found.items() if isinstance(value, int | Pointer)}


def is_constant(memory: MemoryObject, annotation: Annotation) -> bool:
    """Tell whether a read of memory that nothing changes makes no event: it returns what that begins with."""
    return memory.constant and (memory.hidden or annotation.plain)
