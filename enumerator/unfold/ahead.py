"""The code ahead of a call, followed with the values that are known whatever is read.

So the counter of a loop that writes one element of an array in each iteration tells which elements it still writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Block,
    CompareExchange,
    Expression,
    Fence,
    Instruction,
    Load,
    ReadModifyWrite,
    Register,
    Store,
    Write,
    targets_of,
)
from enumerator.program.memory import initial_value
from enumerator.program.test import MemoryObject
from enumerator.program.types import IntType, PointerType, Type, store_size
from enumerator.program.values import Pointer, Value
from enumerator.unfold.members import registers_in
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import Frame, Shared
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.ways import Values, leads_to, value_of

__all__ = [
    "Followed",
    "Values",
    "are_registers",
    "asked_ahead",
    "content_of",
    "follow",
    "held_in_slots",
    "is_constant",
    "overwrites",
]

_MOST_BLOCKS = 128
"""With values that differ a block counts again; where there are more, nothing is told."""
_NONE: frozenset[int] = frozenset()


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


def follow(
    frame: Frame,
    values: Values,
    live: Mapping[str, frozenset[str]],
    slots: Mapping[str, str],
    live_slots: Mapping[str, frozenset[str]],
    shared: Shared,
    *,
    to_barriers: bool = False,
) -> Followed | None:
    """Follow the code of a call from where it stands, whatever is read.

    Parameters
    ----------
    frame : Frame
    values : mapping of str to Value
        What is known there of registers, and of stack slots by :func:`content_of`.
    live : mapping of str to frozenset of str
        By block, the registers that may be read from its beginning on.
    slots : mapping of str to str
        The registers that hold the addresses of stack slots which are only loaded from and stored to, with the slot's.
    live_slots : mapping of str to frozenset of str
        By block, the slots that may be read from its beginning on.
    shared : Shared
        What paths share: the contents of constants are in it.
    to_barriers : bool
        Whether it is followed only to where the thread waits at a barrier.

    Returns
    -------
    Followed or None
        None where that takes too long, or a loop goes on with other values until it reads something.
    """
    instructions: dict[int, Instruction] = {}
    addresses: dict[int, set[Pointer] | None] = {}
    seen: set[tuple[str, frozenset[tuple[str, Value]]]] = set()
    # Where a way has got to a block last, and with what: a loop that goes on with other values has to count.
    arrived: dict[str, frozenset[tuple[str, Value]]] = {}
    stack = [(frame.block, frame.position, dict(values), _NONE, arrived)]
    while stack:
        here, first, known, counted, arrived = stack.pop()
        waits = False
        for each in here.body[first:]:
            waits = to_barriers and isinstance(each, Barrier) and each.waits
            if waits:
                break
            if isinstance(each, Store) and _slot(each.address, slots) is not None:
                _store(each, slots, known)
                continue
            instructions[id(each)] = each
            if isinstance(each, Write):
                _note(addresses, id(each), value_of(each.address, known))
            target = getattr(each, "target", None)
            if target is not None:
                _assign(known, target, _result(each, slots, known, shared))
        if waits:
            continue
        following = leads_to(here.terminator, known)
        if len(following) == 1:
            counted |= {loop.number for loop in frame.flow.left.get(here.name, ())}
        for target in following:
            entered = _enter(frame.blocks[target], here.name, known, live[target], live_slots[target])
            key = target, frozenset(entered.items())
            if key not in seen:
                again = {loop.number for loop in frame.flow.entered.get(target, ()) if here.name in loop.blocks}
                changes = arrived.get(target, key[1]) != key[1]
                if len(seen) == _MOST_BLOCKS or (changes and not again <= counted):
                    return None
                seen.add(key)
                way = {**arrived, target: key[1]} if target in frame.flow.entered else arrived
                stack.append((frame.blocks[target], 0, entered, counted - again, way))
    told = {key: None if found is None else frozenset(found) for key, found in addresses.items()}
    return Followed(tuple(instructions.values()), told)


def asked_ahead(frame: Frame, live: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Name the registers that the code of a call may read from where it stands, of those that have their values.

    What the instruction before gives may still be that of an iteration before: a call that has not returned, or a read
    whose address is not known.

    Parameters
    ----------
    frame, live
        See :func:`follow`.

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


def overwrites(
    frame: Frame, header: str, known: Values, slots: Mapping[str, str], cells: frozenset[Location], own: Set[str]
) -> bool:
    """Tell whether a call overwrites cells before anybody may look at them.

    Parameters
    ----------
    frame : Frame
    header : str
        The block that it goes on with, behind its phis.
    known : mapping of str to Value
        What is known there of registers, and of stack slots by :func:`content_of`.
    slots : mapping of str to str
        See :func:`follow`.
    cells : frozenset of Location
    own : set of str
        The objects of cells whose addresses stand nowhere but in these registers and slots.

    Returns
    -------
    bool
    """
    seen: set[tuple[str, frozenset[Location], frozenset[tuple[str, Value]]]] = set()
    told = own if all(each.object in own for each in cells) else None  # what other registers hold is no matter then
    pointers: dict[str, Value] = {name: value for name, value in known.items() if _is_told(value, told)}
    stack = [(header, cells, pointers)]
    while stack:
        name, stale, held = stack.pop()
        block = frame.blocks[name]
        for each in block.body:
            if isinstance(each, Load | Store) and _slot(each.address, slots) is not None:
                if not _moves(each, slots, held, own, told):
                    return False
                continue
            left = _left_by(each, stale, held, own)
            if left is None:
                return False
            stale = left
            if (target := getattr(each, "target", None)) is not None:
                place = _place(each.expression, held) if isinstance(each, Assign) else None
                _assign(held, target, place if _is_told(place, told) else None)
            if not stale:
                break
        if not stale:
            continue
        targets = targets_of(block.terminator)
        if _names(block.terminator, held, own) or not (targets or all(each.object in own for each in stale)):
            return False
        for following in targets:
            entered = dict(held)
            for phi in frame.blocks[following].phis:
                incoming = dict(phi.incoming)[name]
                place = _place(incoming, held)
                if place is None and _names(incoming, held, own):
                    return False
                _assign(entered, phi.target, place if _is_told(place, told) else None)
            key = following, stale, frozenset(entered.items())
            if len(seen) == _MOST_BLOCKS:
                return False
            if key not in seen:
                seen.add(key)
                stack.append((following, stale, entered))
    return True


def _moves(
    access: Load | Store, slots: Mapping[str, str], held: dict[str, Value], own: Set[str], told: Set[str] | None
) -> bool:
    """Follow an address into a stack slot, or out of it; tell whether it is known where addresses in `own` are then."""
    slot = _slot(access.address, slots)
    assert slot is not None
    content, holding = content_of(slot, access.type), _contents(held, slot)
    if isinstance(access, Load):
        loaded = held.get(content)
        _assign(held, access.target, loaded if isinstance(loaded, Pointer) and _is_told(loaded, told) else None)
        others = (held[name] for name in holding if name != content)
        return not any(isinstance(each, Pointer) and each.object in own for each in others)
    place = _place(access.value, held)
    if place is None and _names(access.value, held, own):
        return False
    for name in holding:
        del held[name]
    _assign(held, content, place if _is_told(place, told) else None)
    return True


def _contents(known: Values, slot: str) -> list[str]:
    """List under which names it is known what a stack slot holds."""
    return [each for each in known if each.startswith("*") and each.endswith(f":{slot}")]


def _is_told(value: Value | None, objects: Set[str] | None) -> bool:
    """Tell whether a value is an address in some objects; None: in any."""
    return isinstance(value, Pointer) and (objects is None or value.object in objects)


def _left_by(
    instruction: Instruction, stale: frozenset[Location], held: Values, own: Set[str]
) -> frozenset[Location] | None:
    """Give the cells that are left once an instruction has run; None where somebody may look at them, or find them."""
    match instruction:
        case Assign(expression=expression):
            return None if _place(expression, held) is None and _names(expression, held, own) else stale
        case Fence():
            return stale
        case Store(address=address, value=value, type=type_):
            place, size = _place(address, held), store_size(type_)
            if _names(value, held, own) or (place is None and _names(address, held, own)):
                return None
            return stale if place is None else stale - {each for each in stale if _covers(place, size, each)}
        case (
            Load(address=address, type=type_)
            | ReadModifyWrite(address=address, type=type_)
            | CompareExchange(address=address, type=type_)
        ):
            place = _place(address, held)
            if place is not None and (isinstance(instruction, Load) or not _names(instruction, held, own)):
                looks = Location(place.object, place.offset, store_size(type_))
                return None if any(map(looks.overlaps, stale)) else stale
    hidden = all(each.object in own for each in stale)
    return stale if hidden and not _names(instruction, held, own) else None


def _names(part: object, held: Values, own: Set[str]) -> bool:
    """Tell whether a part of the code takes a register that holds an address in some objects."""
    places = (held.get(name) for name in registers_in(part))
    return any(isinstance(place, Pointer) and place.object in own for place in places)


def _place(expression: Expression, held: Values) -> Pointer | None:
    value = value_of(expression, held)
    return value if isinstance(value, Pointer) and value.object else None


def _covers(place: Pointer, size: int, cell: Location) -> bool:
    return (
        place.object == cell.object and place.offset <= cell.offset and cell.offset + cell.size <= place.offset + size
    )


def _note(addresses: dict[int, set[Pointer] | None], key: int, value: int | Pointer | None) -> None:
    found = addresses.setdefault(key, set())
    if not isinstance(value, Pointer) or not value.object:
        addresses[key] = None
    elif found is not None:
        found.add(value)


def _assign(known: dict[str, Value], register: str, value: int | Pointer | None) -> None:
    if value is None:
        known.pop(register, None)
    else:
        known[register] = value


def content_of(slot: str, type_: Type) -> str:
    """Name what a stack slot holds, as :func:`follow` does.

    Parameters
    ----------
    slot : str
        The register that holds its address.
    type_ : Type
        Of the value.

    Returns
    -------
    str
    """
    return f"*{store_size(type_)}:{slot}"


def are_registers(state: ThreadState, frame: Frame) -> bool:
    """Tell whether all stack slots that a call has made are like registers."""
    return all(map(state.shared.is_register, frame.slots))


def held_in_slots(state: ThreadState, frame: Frame, live: Set[str]) -> dict[str, Value]:
    """Give the numbers and addresses that stack slots of a call hold, by :func:`content_of`.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
    live : set of str
        The registers with the addresses of those that may still be read.

    Returns
    -------
    dict of str to Value
        Empty where some slot of the call is not like a register.
    """
    found: dict[str, Value] = {}
    if are_registers(state, frame):
        for place, local, type_ in state.slots.held():
            target = place.object.removeprefix(f"{state.thread.name}:%{frame.prefix}")
            if target in live and place.object in frame.slots and place.offset == 0 and isinstance(local.node, Known):
                if isinstance(local.node.value, int | Pointer):
                    found[content_of(target, type_)] = local.node.value
    return found


def _slot(address: Expression, slots: Mapping[str, str]) -> str | None:
    return slots.get(address.name) if isinstance(address, Register) else None


def _store(store: Store, slots: Mapping[str, str], known: dict[str, Value]) -> None:
    """Note what a store writes to a slot."""
    slot = _slot(store.address, slots)
    assert slot is not None
    for name in _contents(known, slot):
        del known[name]
    _assign(known, content_of(slot, store.type), value_of(store.value, known))


def _result(instruction: Instruction, slots: Mapping[str, str], known: Values, shared: Shared) -> int | Pointer | None:
    """Give the value that an instruction computes from nothing that it reads but slots and constants."""
    match instruction:
        case Assign(expression=expression):
            return value_of(expression, known)
        case Load(address=address, type=type_) if (slot := _slot(address, slots)) is not None:
            value = known.get(content_of(slot, type_))
            fits = IntType if isinstance(value, int) else PointerType
            return value if isinstance(value, int | Pointer) and isinstance(type_, fits) else None
        case Load(address=address, type=type_, annotation=annotation):
            place = value_of(address, known)
            memory = shared.objects.get(place.object) if isinstance(place, Pointer) else None
            if isinstance(place, Pointer) and memory is not None and is_constant(memory, annotation):
                with suppress(InputError):  # it may lie outside
                    value = initial_value(memory, place.offset, type_, big=shared.big)
                    return value if isinstance(value, int | Pointer) else None
    return None


def is_constant(memory: MemoryObject, annotation: Annotation) -> bool:
    """Tell whether a read of memory that nothing changes makes no event: it returns what that begins with."""
    return memory.constant and (memory.hidden or annotation.plain)


def _enter(block: Block, origin: str, known: Values, live: frozenset[str], slots: frozenset[str]) -> dict[str, Value]:
    """Give what is known at the beginning of a block, of what may still be read."""
    entered = {
        name: value
        for name, value in known.items()
        if (name.partition(":")[2] in slots if name.startswith("*") else name in live)
    }
    for phi in block.phis:
        _assign(entered, phi.target, value_of(dict(phi.incoming)[origin], known))
    return entered
