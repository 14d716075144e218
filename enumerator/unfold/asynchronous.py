"""Symbolic execution of asynchronous copies, of marks and of waits (semantics, section 10).

An operation is complete at a wait that removes a mark which comes after its start: the sequences of marks belong to the
activation of a function, the operations to the thread (LLVM, AMDGPUAsyncOperations, *Completion of Async Operations*).
"""

from __future__ import annotations

from dataclasses import replace

from enumerator.program.instructions import HIDDEN, AsyncCopy, AsyncWait, Constant, Expression, Load, Register, Store
from enumerator.program.types import BytesType, PointerType, Type, size_of
from enumerator.program.values import Pointer
from enumerator.unfold.accesses import access
from enumerator.unfold.paths import Known
from enumerator.unfold.state import NONE
from enumerator.unfold.thread import ThreadState

__all__ = ["COMPLETES", "STARTS", "mark", "start_copy", "wait"]

#: The label of the event of an instruction that starts an operation, and of that of a wait.
STARTS, COMPLETES = "ASYNC_START", "ASYNC_WAIT"

_COPIED = f"{HIDDEN}copied"
"""The register that holds what is read until it is written."""


def start_copy(state: ThreadState, instruction: AsyncCopy) -> list[ThreadState] | None:
    """Execute the start of a copy: its read and write stand here in the path, but in no program order."""
    start = replace(instruction.start, labels=instruction.start.labels | {STARTS})
    begun = state.emit("B", start, instruction.line)
    state.end_instruction()
    state.copying = begun
    source, destination, type_ = instruction.source, instruction.destination, instruction.type
    if type_ is None:
        source, destination, type_ = _whole(state, instruction)
    load = Load(_COPIED, source, type_, instruction.read, instruction.line)
    store = Store(destination, Register(_COPIED), type_, instruction.write, instruction.line)
    loaded = access(state, load)
    found: list[ThreadState] = []
    for branch in [state] if loaded is None else loaded:
        written = access(branch, store) if branch.end is None else None
        found += [branch] if written is None else written
    for branch in found:
        accesses = frozenset(range(begun + 1, len(branch.events)))
        branch.started = {
            **branch.started,
            instruction.stage: (*branch.started.get(instruction.stage, ()), accesses),
        }
        branch.copying = None
    return None if found == [state] else found


def _whole(state: ThreadState, instruction: AsyncCopy) -> tuple[Expression, Expression, Type]:
    """Give the addresses and the type of a copy of a whole object to another one."""
    found = []
    for address in (instruction.source, instruction.destination):
        node = state.value(address).node
        value = node.value if isinstance(node, Known) else None
        memory = state.shared.objects.get(value.object) if isinstance(value, Pointer) else None
        if memory is None:
            raise state.error("a copy of a tensor whose address is not constant is not covered", instruction.line)
        found.append(memory)
    found.sort(key=lambda memory: (memory.address_space == 3) == (instruction.write.address_space == 3))
    source, destination = found
    if (source.address_space == 3) == (destination.address_space == 3):
        raise state.error("a copy of a tensor is between LDS and global memory", instruction.line)
    if size_of(source.type) != size_of(destination.type):
        sizes = f"{source.name} of {size_of(source.type)} bytes and {destination.name} of {size_of(destination.type)}"
        raise state.error(f"a copy of a tensor is of whole objects, and {sizes} differ in size", instruction.line)
    type_ = source.type if source.type == destination.type else BytesType(size_of(source.type))
    first, second = (Constant(Pointer(memory.name), PointerType(memory.address_space)) for memory in found)
    return first, second, type_


def mark(state: ThreadState, stages: frozenset[int]) -> None:
    """Append a mark to the current sequence of each stage."""
    frame = state.frames[-1]
    marks = {stage: (*frame.marks.get(stage, ()), len(state.started.get(stage, ()))) for stage in stages}
    frame.marks = {**frame.marks, **marks}


def wait(state: ThreadState, instruction: AsyncWait) -> None:
    """Remove marks from the start of sequences, until few enough are left: what they stand behind is complete."""
    frame = state.frames[-1]
    completed = NONE
    for stage in sorted(instruction.stages):
        started = state.started.get(stage, ())
        marks = frame.marks.get(stage, ())
        if instruction.counter:
            removed = max(0, len(started) - instruction.count)
        else:
            over = max(0, len(marks) - instruction.count)
            removed = max(marks[:over], default=0)
            frame.marks = {**frame.marks, stage: marks[over:]}
        completed = completed.union(*started[:removed])
    annotation = replace(instruction.annotation, labels=instruction.annotation.labels | {COMPLETES})
    state.emit("B", annotation, instruction.line, completed=completed)
    state.end_instruction()
