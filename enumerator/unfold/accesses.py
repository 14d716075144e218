"""Symbolic execution of loads, stores and read-modify-writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from enumerator.errors import InputError
from enumerator.program.instructions import (
    Access,
    Annotation,
    CompareExchange,
    Constant,
    Expression,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.memory import initial_value
from enumerator.program.types import IntType, PointerType, size_of, store_size
from enumerator.program.values import UNDEF, Pointer, Term, Undef, Value
from enumerator.unfold.ahead import is_constant
from enumerator.unfold.creation import HANDLE
from enumerator.unfold.lock_words import keeps_locks, only_tries
from enumerator.unfold.nodes import compute, decoded, encoded
from enumerator.unfold.paths import Computed, Known, Location, Node, ReadValue
from enumerator.unfold.places import MEMORY, Places, places_of
from enumerator.unfold.slots import SlotEscapes, keep_in_memory, pointed_to
from enumerator.unfold.state import NONE, Local, Loops, Unchanged
from enumerator.unfold.stored import may_reach
from enumerator.unfold.taken_back import is_added_to, is_looked_at, may_take_back, reads_own, take_back, takes_back
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.told import settled
from enumerator.unfold.unchanged import always_leaves, is_unchanged, loops_around
from enumerator.unfold.undone import NotUndone

__all__ = ["Access", "access", "all_addresses", "asks_for_change", "asks_for_value", "ways_of"]


_BIT = IntType(1)
_NOWHERE = 0
"""What is no address."""
_READ: dict[str, Places] = {"read": frozenset({(MEMORY, 0)})}
"""What a value that has been read may point to."""


def access(state: ThreadState, instruction: Access) -> list[ThreadState] | None:
    """Execute an access; give the branches to continue with, or None if the path does not split."""
    address = state.value(instruction.address)
    size = store_size(instruction.type)
    branches: list[ThreadState] = []
    for branch, value in ways_of(state, address.node, size_of(instruction.type)):
        if isinstance(value, Undef):
            branch.finish("ub-undef", instruction.line)
        elif location := _locate(branch, value, size):
            split = _perform(branch, instruction, location, address.reads)
            if split is not None:
                branches.extend(split)
                continue
        else:
            branch.finish("ub-address", instruction.line)
        branches.append(branch)
    return None if branches == [state] else branches


def ways_of(state: ThreadState, node: Node, size: int) -> list[tuple[ThreadState, Value]]:
    """Make a branch for each address that a pointer may be; if that is not known, those of all in memory, and none.

    Parameters
    ----------
    state : ThreadState
    node : Node
        The pointer.
    size : int
        In bytes, of what is at the address.

    Returns
    -------
    list of (ThreadState, Value)
    """
    known = node.value if isinstance(node, Known) else state.decided(node)
    if known is not None and not isinstance(known, Term):
        return [(state, known)]
    possible = state.possible(node)
    if possible is not None and not any(isinstance(value, Term) for value in possible):
        return state.split(node, possible)
    ends = [
        Known(Pointer(name, size_of(memory.type) - size))
        for name, memory in state.shared.objects.items()
        if size_of(memory.type) >= size
    ]
    astray = state.copy()
    return [
        *((branch, _NOWHERE) for branch, _ in astray.split(compute("beyond", (node, *ends), _BIT, _BIT), [1])),
        *state.split(node, all_addresses(state, node, size)),
    ]


def all_addresses(state: ThreadState, node: Node, size: int) -> list[Value]:
    """Give the addresses of all elements in memory that a pointer may point to, and undef.

    Parameters
    ----------
    state : ThreadState
    node : Node
        The pointer.
    size : int
        In bytes, of the access.

    Returns
    -------
    list of Value
    """
    named, text = set(pointed_to(node)), state.shared.text
    library = state.frames[-1].function.library
    places = places_of(_expression(node), _READ.get) or None  # what is of no object may still be of any
    return [
        UNDEF,
        *(
            Pointer(name, offset)
            for name, memory in state.shared.objects.items()
            if name in named or not state.shared.is_register(name)
            for offset in range(0, max(size_of(memory.type) - size, 0) + 1, max(size, 1))
            if may_reach(places, size, Location(name, offset, size), text, of_handle=library)
        ),
    ]


def _expression(node: Node) -> Expression:
    """Give a value as an expression, in which what has been read is a register."""
    match node:
        case Known(value=int() | Pointer() | Undef() as value):
            return Constant(value, PointerType())
        case ReadValue():
            return Register("read")
        case Computed():
            arguments = tuple(map(_expression, node.arguments))
            return Operation(node.operator, arguments, node.type, node.operand_type, node.indices)
    return Register("unknown")


def _locate(state: ThreadState, address: Value, size: int) -> Location | None:
    if not isinstance(address, Pointer):
        return None
    memory = state.shared.objects.get(address.object)
    if memory is None or address.offset < 0 or address.offset + size > size_of(memory.type):
        return None
    if memory.type is HANDLE and not state.frames[-1].function.library:
        return None  # what stands for a thread has no address that programs know
    return Location(address.object, address.offset, size)


def _perform(
    state: ThreadState,
    instruction: Access,
    location: Location,
    addr: frozenset[int],
) -> list[ThreadState] | None:
    if state.shared.is_register(location.object):
        if not any(location.object in frame.slots for frame in reversed(state.frames)):
            state.finish("ub-free", instruction.line)
            return None
        try:
            return _perform_in_slot(state, instruction, location, addr)
        except InputError as error:
            raise state.error(error.message, instruction.line) from None
    if instruction.annotation.ordering is not Ordering.NA and keeps_locks(state.frames[-1].function):
        if state.shared.objects[location.object].type is not HANDLE and state.shared.locks.use(location):
            raise SlotEscapes
        if only_tries(state.frames[-1].function):
            state.tries |= {len(state.events)}
    before = len(state.events)
    memory, type_ = state.shared.objects[location.object], instruction.type
    if memory.constant and not isinstance(instruction, Load):
        state.finish("ub-address", instruction.line)  # LangRef, Global Variables: nothing may change it
        return None
    match instruction:
        case Load(target, annotation=annotation) if is_constant(memory, annotation):
            state.assign(target, Known(initial_value(memory, location.offset, type_, big=state.shared.big)), addr)
        case Load() | ReadModifyWrite() | CompareExchange() if is_added_to(state, instruction, location):
            return _of_counter(state, instruction, location, addr)
        case Load(target):
            reads, read = _read(state, instruction, location, addr)
            if memory.constant:  # an atomic load: it orders what it orders, and returns what nobody may change
                read = Known(initial_value(memory, location.offset, type_, big=state.shared.big))
            state.assign(target, read, frozenset(reads))
        case Store(_, value):
            _write(state, instruction, location, state.value(value), addr)
        case ReadModifyWrite() if loops := loops_around(state, instruction, location):
            return _in_loop(state, instruction, location, addr, loops)
        case ReadModifyWrite(target, operator, _, operand):
            reads, read = _read(state, instruction, location, addr)
            local = state.value(operand)
            new = compute(f"rmw {operator}", (read, local.node), type_, type_)
            _write(state, instruction, location, Local(new, local.reads), addr, reads)
            state.assign(target, read, frozenset(reads))
        case CompareExchange():
            loops = loops_around(state, instruction, location)
            return _exchanged(state, instruction, location, addr, *_read(state, instruction, location, addr), loops)
    state.end_instruction()
    state.produce(instruction, frozenset(range(before, len(state.events))))
    return None


def _perform_in_slot(
    state: ThreadState,
    instruction: Access,
    location: Location,
    addr: frozenset[int],
) -> list[ThreadState] | None:
    """Execute an access of a stack slot that is like a register: it makes no event, but passes dependencies on."""
    type_, big = instruction.type, state.shared.big
    held = state.slots.read(location, type_, big) if not isinstance(instruction, Store) else None
    waits = state.input | addr
    match instruction:
        case Store(_, value, _, _, _):
            local = settled(state, state.value(value))
            state.slots.write(location, type_, Local(local.node, local.reads | addr), big)
            state.produce(instruction, waits | local.reads)
            return None
        case CompareExchange() if held is not None:
            return _compare_exchange_in_slot(state, instruction, location, Local(held.node, held.reads | addr))
    assert held is not None
    state.assign(instruction.target, held.node, held.reads | addr)
    waits |= held.reads
    if isinstance(instruction, ReadModifyWrite):
        local = state.value(instruction.operand)
        new = compute(f"rmw {instruction.operator}", (held.node, local.node), type_, type_)
        state.slots.write(location, type_, Local(new, held.reads | local.reads | addr), big)
        waits |= local.reads
    state.produce(instruction, waits)
    return None


def _compare_exchange_in_slot(
    state: ThreadState, instruction: CompareExchange, location: Location, held: Local
) -> list[ThreadState]:
    expected, desired = state.value(instruction.expected), state.value(instruction.desired)
    reads = held.reads | expected.reads
    branches = []
    for branch, succeeds, result in _attempts(state, instruction, held.node, expected):
        if succeeds:
            written = Local(desired.node, reads | desired.reads)
            branch.slots.write(location, instruction.type, written, branch.shared.big)
        branch.assign(instruction.target, result, reads)
        branch.produce(instruction, branch.input | reads | desired.reads)
        branches.append(branch)
    return branches


def _read(
    state: ThreadState, instruction: Access, location: Location, addr: frozenset[int]
) -> tuple[tuple[int, ...], Node]:
    """Add the reads of an access, one a cell; give them, and the value that they return together."""
    cells = state.shared.layout.cells(location, instruction.type)
    type_ = state.shared.layout.type_of(cells[0])
    whole, unused = state.instruction if len(cells) > 1 else None, id(instruction) in state.shared.text.unused
    reads = tuple(
        state.emit(
            "R",
            instruction.annotation,
            instruction.line,
            location=cell,
            value=ReadValue(len(state.events), None if type_ is None else instruction.type),
            addr=addr,
            tok=state.input,
            whole=whole,
            unused=unused,
        )
        for cell in cells
    )
    if state.shared.found is not None:
        for each in reads:
            state.shared.found.note_read(state, each)
    if type_ is not None:
        return reads, state.node(reads[0])
    sizes = tuple(cell.size for cell in cells)
    return reads, decoded(tuple(map(state.node, reads)), sizes, instruction.type, state.shared.big)


def _write(
    state: ThreadState,
    instruction: Access,
    location: Location,
    written: Local,
    addr: frozenset[int],
    rmw: Sequence[int] = (),
) -> None:
    """Add the writes of an access, one a cell, which depend on the reads of `written`.

    Those in `rmw` are the reads of the same instruction.
    """
    keep_in_memory(state.shared, state.slots, written.node)
    layout, type_ = state.shared.layout, instruction.type
    cells = layout.cells(location, type_)
    typed = layout.type_of(cells[0]) is not None
    for number, cell in enumerate(cells):
        first = cell.offset - location.offset
        annotation = instruction.annotation
        if annotation.ordering is Ordering.NA and not addr and not state.frames[-1].function.library:
            if state.shared.locks.store(cell):
                raise SlotEscapes
            annotation = state.shared.locks.annotation(annotation, cell)
        state.emit(
            "W",
            annotation,
            instruction.line,
            location=cell,
            value=written.node if typed else encoded(written.node, type_, first, cell.size, state.shared.big),
            addr=addr,
            data=written.reads,
            tok=state.input,
            rmw=rmw[number] if rmw else None,
            whole=state.instruction if len(cells) > 1 else None,
        )


def _in_loop(
    state: ThreadState, instruction: ReadModifyWrite, location: Location, addr: frozenset[int], loops: Loops
) -> list[ThreadState]:
    """Execute a read-modify-write in loops that may wait: it decides whether it changes anything."""
    before = len(state.events)
    reads, old = _read(state, instruction, location, addr)
    local = state.value(instruction.operand)
    new = compute(f"rmw {instruction.operator}", (old, local.node), instruction.type, instruction.type)
    written, branches = Local(new, local.reads), []
    for branch, value in state.split(is_unchanged(instruction, old, new, local.node), [1, 0, UNDEF], control=True):
        result = old
        if value == 1:
            result = new if isinstance(new, Known) else old
            _leave_open(branch, instruction, location, written, addr, reads[0], loops)
        else:
            _write(branch, instruction, location, written, addr, reads)
        branch.assign(instruction.target, result, frozenset(reads))
        branch.produce(instruction, frozenset(range(before, len(branch.events))))
        branch.end_instruction()
        branches.append(branch)
    return branches


def _leave_open(
    state: ThreadState,
    instruction: ReadModifyWrite | CompareExchange,
    location: Location,
    written: Local,
    addr: frozenset[int],
    read: int,
    loops: Loops,
) -> None:
    """Do not add the write of what changes nothing (yet); nor that of a further one, where one is left out."""
    if state.unchanged is None:
        depends = addr, state.control, state.input
        state.unchanged = Unchanged(instruction, read, location, written, *depends, state.instruction, loops)


def _known_place(state: ThreadState, instruction: Access) -> Location | None:
    """Give what an instruction accesses, where its address is known and right."""
    address = state.value(instruction.address).node
    return _locate(state, address.value, store_size(instruction.type)) if isinstance(address, Known) else None


def asks_for_value(state: ThreadState, instruction: Access) -> bool:
    """Tell whether what a thread is about to read is asked for, as loops may take back what they add there.

    Parameters
    ----------
    state : ThreadState
    instruction : Access
        At an address that is known.

    Returns
    -------
    bool
    """
    undone = state.shared.undone
    if undone is None or not undone.locations or isinstance(instruction, Store):
        return False
    location = _known_place(state, instruction)
    if location is None or location not in undone.locations:
        return False
    return is_looked_at(state, instruction) and not takes_back(state, instruction, location)


def _of_counter(
    state: ThreadState, instruction: Load | ReadModifyWrite | CompareExchange, location: Location, addr: frozenset[int]
) -> list[ThreadState] | None:
    """Execute a read at a location where loops may take back what they add."""
    if takes_back(state, instruction, location):
        take_back(state, instruction)
        return None
    if (place := reads_own(state, location)) is not None:
        raise NotUndone(place)
    before, tok = len(state.events), state.input
    reads, old = _read(state, instruction, location, addr)
    if is_looked_at(state, instruction):
        value = state.told(old)
        if not isinstance(value, int):
            raise NotUndone(location)
        state.conditions.append((old, value))
        state.found_by |= old.reads
        old = Known(value)
    match instruction:
        case CompareExchange():
            return _exchanged(state, instruction, location, addr, reads, old)
        case ReadModifyWrite(target, operator, _, operand):
            local = state.value(operand)
            new = compute(f"rmw {operator}", (old, local.node), instruction.type, instruction.type)
            written = Local(new, local.reads)
            if operator not in ("add", "sub"):
                raise NotUndone(location)
            depends = addr, state.control, tok
            pending = Unchanged(instruction, reads[0], location, written, *depends, state.instruction, ())
            state.unchanged = may_take_back(state, pending)
            if state.unchanged is None:
                _write(state, instruction, location, written, addr, reads)
        case Load(target):
            pass
    state.assign(target, old, frozenset(reads))
    state.end_instruction()
    state.produce(instruction, frozenset(range(before, len(state.events))))
    return None


def asks_for_change(state: ThreadState, instruction: ReadModifyWrite) -> bool:
    """Tell whether it decides on the way of a thread whether a read-modify-write that it has come to changes anything.

    Parameters
    ----------
    state : ThreadState
    instruction : ReadModifyWrite
        At an address that is known.

    Returns
    -------
    bool
    """
    location = _known_place(state, instruction)
    if location is None or state.shared.is_register(location.object):
        return False
    operand = state.value(instruction.operand).node
    return not always_leaves(instruction, operand) and bool(loops_around(state, instruction, location))


def _exchanged(
    state: ThreadState,
    instruction: CompareExchange,
    location: Location,
    addr: frozenset[int],
    reads: tuple[int, ...],
    old: Node,
    loops: Loops = (),
) -> list[ThreadState]:
    """Go on with a cmpxchg that has read a value. If it fails, its reads have the failure ordering (semantics, 1).

    With `loops`, it writes what it has read: they may wait.
    """
    expected, desired = state.value(instruction.expected), state.value(instruction.desired)
    written, branches = Local(desired.node, expected.reads | desired.reads), []
    for branch, succeeds, result in _attempts(state, instruction, old, expected):
        if succeeds and loops:
            _leave_open(branch, instruction, location, written, addr, reads[0], loops)
        elif succeeds:
            _write(branch, instruction, location, written, addr, reads)
        else:
            failed = _failed(instruction.annotation, instruction.failure)
            for read in reads:
                branch.events[read] = replace(branch.events[read], annotation=failed)
        told = Local(result, frozenset(reads), NONE, expected.reads)
        branch.registers[branch.full_name(instruction.target)] = told
        branch.produce(instruction, frozenset(range(reads[0], len(branch.events))))
        branch.end_instruction()
        branches.append(branch)
    return branches


@lru_cache(maxsize=1024)
def _failed(annotation: Annotation, failure: Ordering) -> Annotation:
    """Give what the reads of a cmpxchg that fails say of themselves: kinds are known by the identity of that."""
    return replace(annotation, ordering=failure)


def _attempts(
    state: ThreadState, instruction: CompareExchange, old: Node, expected: Local
) -> Iterator[tuple[ThreadState, bool, Node]]:
    """Give the branches of a cmpxchg: whether it succeeds, and its result.

    If the comparison is undef it may succeed or fail, and the second part of the result is undef. A weak one may fail
    although the values are equal.
    """
    type_ = instruction.type
    equal = compute("icmp eq", (old, expected.node), _BIT, type_)
    for branch, value in state.split(equal, [1, 0, UNDEF], control=True):
        undef = isinstance(value, Undef)
        either = undef or (value == 1 and instruction.weak)
        for attempt, succeeds in [(branch.copy(), True), (branch, False)] if either else [(branch, value == 1)]:
            success = Known(UNDEF if undef else int(succeeds))
            if value == 1 and not succeeds:
                attempt.spurious += ((old, expected),)
            yield attempt, succeeds, compute("tuple", (old, success), type_, type_)
