"""Symbolic execution of memory from the heap: objects that begin and end while a program runs.

The end of an object writes ``undef`` to all of it, by plain writes with the label ``FREE``. So it races as a write
does; and models say which accesses, and which other ends, are not ordered before it (``ub-free``).
"""

from __future__ import annotations

from enumerator.program.instructions import Allocate, Free
from enumerator.program.test import MemoryObject
from enumerator.program.types import ArrayType, IntType, size_of
from enumerator.program.values import NULL, UNDEF, Pointer, Undef, Value
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.thread import ThreadState

__all__ = ["all_objects", "allocate", "free"]

_LARGEST = 1 << 24


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
            memory = state.shared.objects[value.object]
            cells = state.shared.layout.end(value.object) or [Location(value.object, 0, size_of(memory.type))]
            for location in cells if size_of(memory.type) else ():
                branch.emit(
                    "W", instruction.annotation, line, location=location, value=Known(UNDEF), addr=address.reads
                )
            branch.instructions += 1
        elif value not in (NULL, 0):
            branch.finish("ub-free", line)
        branches.append(branch)
    return None if branches == [state] else branches


def all_objects(state: ThreadState) -> list[Value]:
    """Give the addresses of all objects of the heap found so far, null, and undef."""
    return [UNDEF, NULL, *map(Pointer, sorted(state.shared.heap))]
