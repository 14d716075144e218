"""Read-modify-writes in loops that wait, where they write what they have read: a lock that is taken by an exchange.

An iteration that stays in such a loop leaves memory as it was, so it may be left out as if it had only read
(:mod:`enumerator.unfold.waiting`): who reads what it writes reads the same value from the write before it. So whether a
read-modify-write changes anything decides how the thread goes on. If it does not, its write waits (``state.unchanged``)
until more is known. Where the thread leaves the loop, it is there after all; where the thread comes back to the
beginning of the loop, it is not. Where another event comes first, the thread goes both ways: with the write it may do
anything but come back (``state.kept``), and without it nothing else (``left_out``).

A compare-exchange that writes what it expects is an atomic read to its program. Where it succeeds, it leaves memory as
it was, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from enumerator.program.instructions import (
    Alloca,
    Assign,
    Barrier,
    BarrierOperation,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Create,
    Expression,
    Free,
    Function,
    Jump,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Switch,
    targets_of,
)
from enumerator.program.types import IntType, Type
from enumerator.program.values import Pointer
from enumerator.unfold.arithmetic import may_divide_by_zero
from enumerator.unfold.heap import slots_to_end
from enumerator.unfold.live_slots import slot_addresses
from enumerator.unfold.loops import Loop, definitions_of, sources
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Known, Location, Node
from enumerator.unfold.state import Frame, Loops
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.told import are_same
from enumerator.unfold.waiting import Iteration, only_reads

__all__ = [
    "always_leaves",
    "both_ways",
    "is_one_cell",
    "is_unchanged",
    "loops_around",
    "may_wait",
    "move",
    "next_needs_write",
]

_BIT = IntType(1)
_MAY_LEAVE = frozenset({"xchg", "and", "or", "max", "min", "umax", "umin"})
_ALWAYS_LEAVE = frozenset({("add", 0), ("sub", 0), ("or", 0), ("xor", 0), ("umax", 0)})
"""Operators with the operand with which they leave what they find."""


def always_leaves(instruction: ReadModifyWrite, operand: Node) -> bool:
    """Tell whether a read-modify-write writes what it has read in any case."""
    return isinstance(operand, Known) and (instruction.operator, operand.value) in _ALWAYS_LEAVE


def is_unchanged(instruction: ReadModifyWrite, old: Node, new: Node, operand: Node) -> Node:
    """Give whether a read-modify-write writes what it has read, as a bit.

    Parameters
    ----------
    instruction : ReadModifyWrite
    old, new, operand : Node

    Returns
    -------
    Node
    """
    return Known(1) if always_leaves(instruction, operand) else compute("icmp eq", (old, new), _BIT, instruction.type)


def loops_around(state: ThreadState, instruction: ReadModifyWrite | CompareExchange, location: Location) -> Loops:
    """Find the loops in which a thread may wait with a read-modify-write of memory that it has come to.

    Parameters
    ----------
    state : ThreadState
    instruction : ReadModifyWrite or CompareExchange
    location : Location

    Returns
    -------
    tuple of (int, int)
        By depth of the call and number; empty where it does not matter whether the instruction changes anything.
    """
    if not _may_leave(state, instruction):
        return ()
    if not isinstance(instruction.type, IntType) or state.copying is not None:
        return ()
    if not is_one_cell(state, location, instruction.type):
        return ()
    found: list[tuple[int, int]] = []
    for depth, frame in enumerate(state.frames):
        if not (state.shared.waits or frame.function.library) or frame.function.tokens:
            continue
        for header, loops in frame.flow.entered.items():
            for loop in loops:
                if frame.block.name in loop.blocks and loop.headers == {header} and may_wait(state, frame, loop):
                    found.append((depth, loop.number))
    return tuple(found)


def _may_leave(state: ThreadState, instruction: ReadModifyWrite | CompareExchange) -> bool:
    """Tell whether a read-modify-write may write what it has read; of one that compares: does so where it succeeds."""
    if isinstance(instruction, CompareExchange):
        expected, desired = (state.value(each).node for each in (instruction.expected, instruction.desired))
        return are_same(state, (expected,), (desired,))
    return instruction.operator in _MAY_LEAVE or always_leaves(instruction, state.value(instruction.operand).node)


def is_one_cell(state: ThreadState, location: Location, type_: Type) -> bool:
    """Tell whether a location is one cell, and all that accesses it has one type."""
    layout = state.shared.layout
    return [layout.type_of(each) for each in layout.cells(location, type_)] == [type_]


def _still_around(state: ThreadState, loops: Loops) -> Loops:
    """Give those of some loops that a thread is in."""
    return tuple(
        (depth, number)
        for depth, number in loops
        if depth < len(state.frames)
        and any(
            loop.number == number and state.frames[depth].block.name in loop.blocks
            for each in state.frames[depth].flow.entered.values()
            for loop in each
        )
    )


def may_wait(state: ThreadState, frame: Frame, loop: Loop, *, undoes: bool = False) -> bool:
    """Tell whether the present iteration of a loop may still be one that leaves everything as it was.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
    loop : Loop
    undoes : bool
        Whether it may take back what it adds.

    Returns
    -------
    bool
    """
    entry = frame.loops.get(loop.number)
    if entry is None or not isinstance(entry.begun, Iteration):
        return False
    if not only_reads(state, entry.begun.events):
        return False
    known = state.shared.text.returns
    key = frame.function.name, loop.number, frame.block.name, frame.position, undoes
    if key not in known:
        known[key] = _may_return(frame, loop, state.shared.text.inert(frame.function).registers, undoes)
    return known[key]


def _may_return(frame: Frame, loop: Loop, inert: Set[str], undoes: bool) -> bool:
    """Tell whether the code leads back to the header of a loop without a write, and without counting iterations.

    With `undoes`, additions may be taken back.
    """
    (header,) = loop.headers
    slots = slot_addresses(frame.function).keys()
    counting = _counts(frame.function, frame, header, inert)
    seen, stack = set[str](), [(frame.block.name, frame.position)]
    while stack:
        name, position = stack.pop()
        block = frame.blocks[name]
        if any(_surely_writes(each, slots, undoes) for each in block.body[position:]):
            continue
        for target in targets_of(block.terminator):
            if target == header:
                if name not in counting:
                    return True
            elif target in loop.blocks and target not in seen:
                seen.add(target)
                stack.append((target, 0))
    return False


def _surely_writes(instruction: object, slots: Set[str], undoes: bool) -> bool:
    match instruction:
        case ReadModifyWrite(operator="add" | "sub") if undoes:
            return False
        case Store(address):
            return not (isinstance(address, Register) and address.name in slots)
        case ReadModifyWrite(operator=operator):
            return operator not in _MAY_LEAVE and not isinstance(instruction.operand, Constant)
    return isinstance(instruction, Create | Free | Barrier | BarrierOperation)


def _counts(function: Function, frame: Frame, header: str, inert: Set[str]) -> set[str]:
    """Name the blocks from which the header of a loop gets a value that changes with each iteration: a counter.

    One that is computed in vain does not count; nor does one that some way through the loop leaves as it is, or sets.
    """
    definitions = definitions_of(function)
    known = {*definitions, *function.parameters}
    return {
        name
        for phi in frame.blocks[header].phis
        if phi.target not in inert
        for name, expression in phi.incoming
        if all(
            isinstance(each, Operation) and phi.target in sources(each, definitions) <= known
            for each in _copied(expression, phi.target, definitions)
        )
    }


def _copied(expression: Expression, kept: str, definitions: Mapping[str, list[Expression]]) -> Iterator[Expression]:
    """Give what an expression may be a copy of, through registers that are not `kept`."""
    seen, stack = set[str](), [expression]
    while stack:
        match stack.pop():
            case Register(name) as register if name == kept or name not in definitions:
                yield register
            case Register(name):
                stack += definitions[name] if name not in seen else ()
                seen.add(name)
            case Operation(operator="select", arguments=(_, then, otherwise)):
                stack += (then, otherwise)
            case other:
                yield other


# How it goes on ------------------------------------------------------------------------------------------------


def next_needs_write(state: ThreadState) -> bool:
    """Tell whether the next step may add an event, or be decided by another read than that of what changed nothing.

    Parameters
    ----------
    state : ThreadState
        One in which it is open whether a read-modify-write that changed nothing is left out.

    Returns
    -------
    bool
    """
    assert state.unchanged is not None
    known, frame = frozenset({state.unchanged.read}), state.frames[-1]
    if frame.position < len(frame.block.body):
        match frame.block.body[frame.position]:
            case Load(address=address) | Store(address=address):
                return not _is_in_slot(state, address)
            case Assign(expression=expression):
                return may_divide_by_zero(expression)
            case Alloca() | Call():
                return False
        return True
    match frame.block.terminator:
        case Jump():
            return False
        case Branch(condition=deciding) | Switch(value=deciding):
            return not state.value(deciding).node.reads <= known
        case Return():
            around = len(state.frames) == 1 and bool(_still_around(state, state.unchanged.loops))
            return around or bool(slots_to_end(state, frame))
    return True


def _is_in_slot(state: ThreadState, address: Expression) -> bool:
    """Tell whether an address is certainly that of a stack slot that is like a register."""
    node = state.value(address).node
    return isinstance(node, Known) and isinstance(node.value, Pointer) and state.shared.is_register(node.value.object)


def move(state: ThreadState, repeats: Loops = ()) -> None:
    """Note that a thread has come to another block, at which the next iteration of some loops begins.

    Parameters
    ----------
    state : ThreadState
    repeats : tuple of (int, int)
        These loops.
    """
    unchanged = state.unchanged
    if state.undoing is not None and not set(_still_around(state, state.undoing.loops)) - {*repeats}:
        state.undoing = None
    if unchanged is None:
        return
    loops = tuple(each for each in _still_around(state, unchanged.loops) if each not in repeats)
    if loops:
        state.unchanged = replace(unchanged, loops=loops)
    elif unchanged.left_out:
        state.give_up(unchanged)
    else:
        state.keep()
        state.undoing = None


def both_ways(state: ThreadState) -> list[ThreadState]:
    """Let a thread go on with the write of what has changed nothing, and without."""
    assert state.unchanged is not None
    twin = state.copy()
    twin.unchanged = replace(state.unchanged, left_out=True)
    state.keep()
    return [state, twin]
