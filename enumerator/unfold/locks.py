"""Symbolic execution of what a thread knows of locks: which it holds, and how often.

POSIX and C say of mutexes, spin locks and read-write locks that the thread unlocks them that has locked them. So
whether it may is known without a look at memory.
"""

from __future__ import annotations

from enumerator.program.instructions import Hold, Misuse
from enumerator.program.types import IntType, size_of
from enumerator.program.values import UNDEF, Pointer, Undef
from enumerator.unfold.accesses import ways_of
from enumerator.unfold.paths import Known
from enumerator.unfold.state import NONE
from enumerator.unfold.thread import ThreadState

__all__ = ["hold", "misuse"]

_WORD = IntType(32)


def hold(state: ThreadState, instruction: Hold) -> list[ThreadState] | None:
    """Tell how often a thread holds a lock, and change that; give the branches to continue with, or None."""
    local, branches = state.value(instruction.address), []
    for branch, value in ways_of(state, local.node, size_of(_WORD)):
        if isinstance(value, Undef):
            branch.finish("ub-undef", instruction.line)
        elif not isinstance(value, Pointer):
            branch.finish("ub-address", instruction.line)
        else:
            count = branch.held.get(value, 0)
            branch.held = {**branch.held, value: count + instruction.change}
            if instruction.target is not None:
                branch.assign(instruction.target, Known(count), NONE)
        branches.append(branch)
    return None if branches == [state] else branches


def misuse(state: ThreadState, instruction: Misuse) -> list[ThreadState] | None:
    """End a thread where a condition is true; give the branches to continue with, or None."""
    branches = []
    for branch, value in state.split(state.value(instruction.condition).node, [0, 1, UNDEF]):
        if value == 1:
            branch.finish(instruction.flag, instruction.line)
        branches.append(branch)
    return None if branches == [state] else branches
