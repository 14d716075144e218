"""The steps of a thread that adds something in a loop and takes it back (:mod:`.undone`)."""

from __future__ import annotations

from dataclasses import replace

from enumerator.program.instructions import Access, CompareExchange, Constant, ReadModifyWrite
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import AGAIN, NONE, Loops, Unchanged
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.unchanged import is_one_cell, may_wait
from enumerator.unfold.undone import Place, WouldBeUndone, added_by, cancels

__all__ = ["is_added_to", "is_looked_at", "may_take_back", "reads_own", "take_back", "takes_back"]


def is_added_to(state: ThreadState, instruction: Access, location: Location) -> bool:
    """Tell whether loops may take back what they add at a location that a thread is about to read.

    Parameters
    ----------
    state : ThreadState
    instruction : Access
    location : Location

    Returns
    -------
    bool

    Raises
    ------
    WouldBeUndone
        Where that was not known.
    """
    undone = state.shared.undone
    if undone is None:
        return False
    if location not in undone.locations and isinstance(instruction, ReadModifyWrite):
        if _loops_to_undo(state, instruction, location):
            raise WouldBeUndone(location)
    return location in undone.locations


def is_looked_at(state: ThreadState, instruction: Access) -> bool:
    """Tell whether something rests on the value that an access reads."""
    if isinstance(instruction, CompareExchange):
        return True
    text, target = state.shared.text, getattr(instruction, "target", None)
    return id(instruction) not in text.unused and target not in text.inert(state.frames[-1].function).registers


def may_take_back(state: ThreadState, update: Unchanged) -> Unchanged | None:
    """Give what adds something, if that may be left out once it is taken back; None if it is not."""
    instruction, location, undone = update.made_by, update.location, state.shared.undone
    assert isinstance(instruction, ReadModifyWrite)
    added, loops = _added(state, instruction), _loops_to_undo(state, instruction, location)
    if undone is None or added is None or not loops:
        return None
    undone.adds(location, state.thread.name, added)
    return replace(update, loops=loops, added=added, at=_place(state))


def takes_back(state: ThreadState, instruction: Access, location: Location) -> bool:
    """Tell whether an access takes back what the thread has added before."""
    pending = state.unchanged or state.undoing
    if pending is None or pending.added is None or pending.undone or pending.location != location:
        return False
    if not isinstance(instruction, ReadModifyWrite) or is_looked_at(state, instruction):
        return False
    added = _added(state, instruction)
    return added is not None and cancels(pending.added, added, instruction.type)


def reads_own(state: ThreadState, location: Location) -> Place | None:
    """Give where a thread has added what it would read now, on the way on which that is left out."""
    pending = state.unchanged
    if pending is None or pending.added is None or not pending.left_out or pending.undone:
        return None
    return pending.at if pending.location == location else None


def take_back(state: ThreadState, instruction: Access) -> None:
    """Take back what was added: without that, nothing is done; with it, the thread is followed no further."""
    unchanged = state.unchanged
    assert isinstance(instruction, ReadModifyWrite)
    if unchanged is None:
        state.undoing = None
        state.finish(AGAIN, instruction.line)
        return
    state.unchanged = replace(unchanged, undone=True)
    state.assign(instruction.target, unchanged.written.node, frozenset({unchanged.read}))
    state.end_instruction()
    state.produce(instruction, NONE)


def _added(state: ThreadState, instruction: ReadModifyWrite) -> int | None:
    return added_by(instruction, state.value(instruction.operand).node)


def _place(state: ThreadState) -> Place:
    """Give where the instruction is that a thread has begun."""
    frame = state.frames[-1]
    return frame.function.name, frame.block.name, frame.position - 1


def _loops_to_undo(state: ThreadState, instruction: ReadModifyWrite, location: Location) -> Loops:
    """Find the loops in which a thread may take back what it adds, by depth of the call and number."""
    undone, shared, frame, depth = state.shared.undone, state.shared, state.frames[-1], len(state.frames) - 1
    if undone is None or state.unchanged is not None or state.undoing is not None or state.copying is not None:
        return ()
    if _added(state, instruction) is None or not undone.may_be(location, _place(state)):
        return ()
    if not (shared.waits or frame.function.library) or frame.function.tokens:
        return ()
    if not is_one_cell(state, location, instruction.type):
        return ()
    entered = {loop.number: loop for loops in frame.flow.entered.values() for loop in loops}
    return tuple(
        (depth, loop.number)
        for loop in entered.values()
        if frame.block.name in loop.blocks
        and len(loop.headers) == 1
        and any(_may_undo(instruction, each) for name in loop.blocks for each in frame.blocks[name].body)
        and may_wait(state, frame, loop, undoes=True)
    )


def _may_undo(one: ReadModifyWrite, other: object) -> bool:
    """Tell whether an instruction may take back what another one adds, as far as the code tells."""
    if not isinstance(other, ReadModifyWrite) or other is one or other.type != one.type:
        return False
    if isinstance(one.operand, Constant) and isinstance(other.operand, Constant):
        added, then = added_by(one, Known(one.operand.value)), added_by(other, Known(other.operand.value))
        return added is not None and then is not None and cancels(added, then, one.type)
    return {one.operator, other.operator} <= {"add", "sub"}
