"""Symbolic execution of objects that begin and end while a program runs: on the heap, and on the stack.

The end of an object writes ``undef`` to all of it, by plain writes with the label ``FREE``. So it races as a write
does; and models say which accesses, and which other ends, are not ordered before it (``ub-free``).

A stack slot ends where its function returns (LangRef, alloca: "the memory is automatically released"), or is left by an
exception or by the end of the thread. Where nobody has created the thread, its own function is `main`, with which the
program ends, or stands for a part of a program that goes on: its slots do not end there.
"""

from __future__ import annotations

from collections.abc import Iterable

from enumerator.program.addresses import name_objects
from enumerator.program.instructions import Allocate, Constant, Free, Measure
from enumerator.program.test import MemoryObject
from enumerator.program.types import ArrayType, IntType, PointerType, size_of
from enumerator.program.values import NULL, UNDEF, Pointer, Undef, Value
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import NONE, Frame
from enumerator.unfold.thread import ThreadState

__all__ = ["END_OF_SLOT", "all_objects", "allocate", "end_slots", "free", "measure", "slots_to_end"]

_LARGEST = 1 << 24

END_OF_SLOT = Free(Constant(NULL, PointerType()))
"""Stands for the end of a stack slot, which no instruction of the code says."""


def allocate(state: ThreadState, instruction: Allocate) -> list[ThreadState] | None:
    """Make an object; give the branches to continue with, or None if the path does not split.

    Raises
    ------
    InputError
        If the size is not known, or too large.
    """
    size = state.value(instruction.size)
    possible = state.possible(size.node)
    if possible is None:
        raise state.error("the size of an allocation is not known", instruction.line)
    branches = []
    for branch, value in state.split(size.node, possible):
        if isinstance(value, Undef):
            branch.finish("ub-undef", instruction.line)  # clang says noundef of it
        elif isinstance(value, int) and 0 <= value <= _LARGEST:
            _make(branch, instruction, value, size.reads)
        else:
            raise state.error("the size of an allocation is not known, or too large", instruction.line)
        branches.append(branch)
    return None if branches == [state] else branches


def _make(state: ThreadState, instruction: Allocate, size: int, reads: frozenset[int]) -> None:
    """Make an object of a size. Its name is that of the register, numbered where that is assigned again."""
    name = f"{state.thread.name}:%{state.full_name(instruction.target)}"
    count = state.allocas[name] = state.allocas.get(name, 0) + 1
    if count > 1:
        name += f"#{count}"
    known = state.shared.objects.get(name)
    if known is not None and size_of(known.type) != size:
        name += f"#{size} bytes"
    initial = None if instruction.zero else UNDEF
    state.shared.objects[name] = MemoryObject(name, ArrayType(size, IntType(8)), 0, initial)
    name_objects([(name, size)])
    state.shared.heap.add(name)
    state.assign(instruction.target, Known(Pointer(name)), reads)


def free(state: ThreadState, instruction: Free) -> list[ThreadState] | None:
    """End an object; give the branches to continue with, or None if the path does not split."""
    address, line = state.value(instruction.address), instruction.line
    possible = state.possible(address.node)
    branches = []
    for branch, value in state.split(address.node, all_objects(state) if possible is None else possible):
        if isinstance(value, Undef):
            branch.finish("ub-undef", line)
        elif isinstance(value, Pointer) and value.object in state.shared.heap and value.offset == 0:
            size = size_of(state.shared.objects[value.object].type)
            cells = state.shared.layout.end(value.object) or [Location(value.object, 0, size)]
            _end(branch, instruction, cells if size else (), line, address.reads)
        elif value not in (NULL, 0):
            branch.finish("ub-free", line)
        branches.append(branch)
    return None if branches == [state] else branches


def measure(state: ThreadState, instruction: Measure) -> list[ThreadState] | None:
    """Tell the size of an object; give the branches to continue with, or None if the path does not split."""
    address = state.value(instruction.address)
    possible = state.possible(address.node)
    branches = []
    for branch, value in state.split(address.node, all_objects(state) if possible is None else possible):
        if isinstance(value, Pointer) and value.object in state.shared.heap and value.offset == 0:
            size = size_of(state.shared.objects[value.object].type)
            branch.assign(instruction.target, Known(size), address.reads)
        else:
            branch.finish("ub-undef" if isinstance(value, Undef) else "ub-free", instruction.line)
        branches.append(branch)
    return None if branches == [state] else branches


def _end(
    state: ThreadState, instruction: Free, cells: Iterable[Location], line: int | None, addr: frozenset[int] = NONE
) -> None:
    for location in cells:
        state.emit("W", instruction.annotation, line, location=location, value=Known(UNDEF), addr=addr)
    state.end_instruction()


def slots_to_end(state: ThreadState, frame: Frame, *, exits: bool = False) -> list[str]:
    """Name the stack slots that end with a call, and that others may know.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
        The call.
    exits : bool
        Whether that may be because the thread ends, where no call returns.

    Returns
    -------
    list of str
    """
    if frame is state.frames[0] and state.thread.creation is None and not exits:
        return []
    return [name for name in frame.slots if not state.shared.is_register(name)]


def end_slots(state: ThreadState, first: int, line: int | None, *, exits: bool = False) -> None:
    """End the stack slots of calls that return, or whose thread ends.

    Parameters
    ----------
    state : ThreadState
    first : int
        The depth of the outermost of these calls.
    line : int or None
        Where that is.
    exits : bool
        Whether the thread ends, where no call returns.
    """
    for frame in reversed(state.frames[first:]):
        for name in slots_to_end(state, frame, exits=exits):
            # What nobody accesses need not end. Accesses that are found later change the layout.
            if cells := state.shared.layout.end(name):
                _end(state, END_OF_SLOT, cells, line)


def all_objects(state: ThreadState) -> list[Value]:
    """Give the addresses of all objects of the heap found so far, null, and undef."""
    return [UNDEF, NULL, *map(Pointer, sorted(state.shared.heap))]
