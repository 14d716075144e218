"""Symbolic execution of what a thread knows of locks: which it holds, and how often.

POSIX and C say of mutexes, spin locks and read-write locks that the thread unlocks them that has locked them. So
whether it may is known without a look at memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.program.instructions import Hold, Meet, Misuse
from enumerator.program.types import IntType, size_of
from enumerator.program.values import UNDEF, Pointer, Undef
from enumerator.unfold.accesses import ways_of
from enumerator.unfold.paths import Known
from enumerator.unfold.state import NONE
from enumerator.unfold.thread import ThreadState

__all__ = ["hold", "misuse", "ways_to"]

_WORD = IntType(32)


def hold(state: ThreadState, instruction: Hold) -> list[ThreadState] | None:
    """Tell how often a thread holds a lock, and change that; give the branches to continue with, or None."""
    branches = []
    for branch, lock in ways_to(state, instruction, size_of(_WORD)):
        if lock is not None:
            count = branch.held.get(lock, 0)
            branch.held = {**branch.held, lock: count + instruction.change}
            if count + instruction.change == 0:
                del branch.held[lock]
            branch.shared.taken.add(lock)
            if instruction.target is not None:
                branch.assign(instruction.target, Known(count), NONE)
        branches.append(branch)
    return None if branches == [state] else branches


def ways_to(state: ThreadState, instruction: Hold | Meet, size: int) -> Iterator[tuple[ThreadState, Pointer | None]]:
    """Make a branch for each lock or barrier that an instruction may be about; None where it ends, as there is none."""
    for branch, value in ways_of(state, state.value(instruction.address).node, size):
        if isinstance(value, Pointer):
            yield branch, value
        else:
            branch.finish("ub-undef" if isinstance(value, Undef) else "ub-address", instruction.line)
            yield branch, None


def misuse(state: ThreadState, instruction: Misuse) -> list[ThreadState] | None:
    """End a thread where a condition is true; give the branches to continue with, or None."""
    branches = []
    for branch, value in state.split(state.value(instruction.condition).node, [0, 1, UNDEF]):
        if value == 1:
            branch.finish(instruction.flag, instruction.line)
        branches.append(branch)
    return None if branches == [state] else branches
