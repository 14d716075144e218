"""Unfolding on demand: a thread runs up to the next point where a value decides how it goes on.

:func:`enumerator.unfold.unfold` follows a thread along every path before anything is searched. Here a search asks for
the part of a path that follows a value which it has met, so that no more is unfolded than some execution takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from enumerator.clock import check_time
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Access,
    Allocate,
    Assign,
    Assume,
    AsyncCopy,
    Branch,
    CompareExchange,
    Free,
    Freeze,
    Hold,
    IndirectCall,
    Load,
    Measure,
    Meet,
    Misuse,
    ReadModifyWrite,
    Store,
    Switch,
)
from enumerator.program.test import Thread
from enumerator.program.types import IntType, size_of
from enumerator.program.values import Value
from enumerator.unfold.accesses import all_addresses, asks_for_change, asks_for_value
from enumerator.unfold.arithmetic import may_divide_by_zero
from enumerator.unfold.creation import leave_uncreated
from enumerator.unfold.heap import all_objects
from enumerator.unfold.independent import free_writes, settled
from enumerator.unfold.later import Later, writes_before_barrier, writes_to_come
from enumerator.unfold.machine import assign_ahead, begin, step
from enumerator.unfold.paths import Known, Node, Path, PathEvent
from enumerator.unfold.state import AGAIN, TRIED, Decisions, Shared, Undecided
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.unchanged import both_ways, next_needs_write
from enumerator.unfold.undone import NotUndone

__all__ = ["Segment", "expand", "start"]


@dataclass(frozen=True, eq=False)
class Segment:
    """A part of a path: what a thread does after a value is known, up to the next value that decides.

    Parameters
    ----------
    events : tuple of PathEvent
        Of the path so far. Where the value decided on a compare-exchange, its read may be another event than before.
    first : int
        How many of these are older than the value.
    fork : Node or None
        The value that decides how the thread goes on; None where the path ends.
    path : Path or None
        The path, where it ends.
    state : ThreadState
        Where the thread stands, before the step that the value decides on; or at its end.
    decided : tuple of Value
        What that step has been told already.
    offered : tuple of Value or None
        The values of the fork that make a difference; None for an address.
    """

    events: tuple[PathEvent, ...]
    first: int
    fork: Node | None
    path: Path | None
    state: ThreadState
    decided: tuple[Value, ...] = ()
    offered: tuple[Value, ...] | None = None

    @cached_property
    def free(self) -> tuple[frozenset[Later] | None, frozenset[Later] | None]:
        """The writes that may come afterwards and do not depend on the value of the fork (None: any).

        All that follows a branch depends on it; what follows an access does not depend on its address, nor what follows
        a compare-exchange on what that expected. The second says the same while it is not known what the read of a
        compare-exchange returns.
        """
        if self.state.met:
            return None, None
        return (frozenset(), frozenset()) if self.fork is None else free_writes(self.state)

    @cached_property
    def later(self) -> frozenset[Later] | None:
        """The writes that may come after the segment; None where they are not known.

        A thread may go on, too, that is followed no further at an attempt.
        """
        goes_on = self.fork is not None or self.state.end == TRIED
        return writes_to_come(self.state) if goes_on else frozenset()

    @cached_property
    def before_barrier(self) -> frozenset[Later] | None:
        """Those of them that the thread may come to before it waits at a barrier."""
        return writes_before_barrier(self.state) if self.fork is not None else self.later

    def settles(self, reads: frozenset[int]) -> frozenset[int]:
        """Give reads that all writes after the segment depend on: those of `reads` that qualify, and maybe others."""
        if self.fork is None:
            return reads
        decides = not self.state.met and isinstance(_current(self.state), Branch | Switch | IndirectCall)
        known = self.fork.reads if decides else frozenset[int]()
        if reads - known:
            known |= settled(self.state, reads - known)
        unchanged = self.state.unchanged
        return known if unchanged is None or unchanged.left_out else known & unchanged.needed

    @property
    def assumes(self) -> bool:
        """Whether the fork is an assumption: what follows does not depend on it, and may be what makes it hold."""
        return self.fork is not None and not self.state.met and isinstance(_current(self.state), Assume)

    @cached_property
    def exchanges(self) -> bool:
        """Whether the fork decides whether the last event, a read, is the first half of a read-modify-write."""
        if self.fork is None or self.state.met:
            return False
        if isinstance(_current(self.state), CompareExchange | ReadModifyWrite):
            return len(self.events) > len(self.state.events)
        return self.state.unchanged is not None and not self.state.unchanged.left_out

    @property
    def asks_for_read(self) -> bool:
        """Whether the fork is what the last event reads, as loops take back what they add there (:mod:`.undone`)."""
        undone = self.state.shared.undone
        if undone is None or self.fork is None or self.offered is not None or not self.events:
            return False
        return len(self.events) > len(self.state.events) and self.events[-1].location in undone.locations

    def guesses(self) -> list[Value]:
        """Give the values that the fork may have, as far as they make a difference.

        Raises
        ------
        NotUndone
            Where they are all values of a counter.
        """
        if self.offered is not None:
            return list(self.offered)
        if self.asks_for_read and (location := self.events[-1].location) is not None:
            raise NotUndone(location)
        instruction = _current(self.state)
        if isinstance(instruction, Free | Measure):
            return all_objects(self.state)
        if isinstance(instruction, Allocate):
            raise LimitReached("the size of an allocation depends on itself")
        if isinstance(instruction, Hold | Meet) and self.fork is not None:
            return all_addresses(self.state, self.fork, size_of(IntType(32)))
        assert isinstance(instruction, Access | AsyncCopy) and self.fork is not None
        assert instruction.type is not None  # addresses of whole objects are constants
        return all_addresses(self.state, self.fork, size_of(instruction.type))


def start(thread: Thread, shared: Shared) -> list[Segment]:
    """Run a thread up to the first value that decides how it goes on.

    Parameters
    ----------
    thread : Thread
    shared : Shared

    Returns
    -------
    list of Segment
        The ways that it may go: one, unless it takes an arbitrary value, as ``freeze`` does.
    """
    return list(_run([begin(thread, shared)], 0))


def expand(segment: Segment, value: Value) -> list[Segment]:
    """Go on after a segment, with a value for its fork.

    Parameters
    ----------
    segment : Segment
        One that does not end the path.
    value : Value

    Returns
    -------
    list of Segment
        The ways that the thread may go: none, where it stays in a loop that waits and cannot stay for ever.
    """
    first = len(segment.events)
    found = _step(segment.state, first, (*segment.decided, value))
    return [found] if isinstance(found, Segment) else list(_run(list(reversed(found)), first))


def _run(stack: list[ThreadState], first: int) -> Iterator[Segment]:
    while stack:
        state = stack.pop()
        while state.end is None:
            check_time()
            assign_ahead(state)
            if state.unchanged is not None and not state.unchanged.left_out and next_needs_write(state):
                stack.extend(reversed(both_ways(state)))
                break
            if _asks(state):
                found = _step(state, first, ())
                if isinstance(found, Segment):
                    yield found
                else:
                    stack.extend(reversed(found))
                break
            branches = step(state)
            if branches is not None:
                stack.extend(reversed(branches))
                break
        else:
            if state.end != AGAIN:
                if state.end != TRIED:
                    leave_uncreated(state)
                yield Segment(tuple(state.events), first, None, state.path(), state)


def _step(before: ThreadState, first: int, decided: tuple[Value, ...]) -> Segment | list[ThreadState]:
    """Take a step that asks for values, as far as these are known, from a state that stays as it is.

    Give what is asked, or where the thread may be then.
    """
    state, shared = before.copy(), before.shared
    shared.decisions = Decisions(decided)
    try:
        branches = step(state)
    except Undecided as asked:
        if shared.decisions.branched:
            raise LimitReached("an uninterpreted value decides on an address") from None
        at = asked.state
        offered = None if asked.offered is None else tuple(asked.offered)
        return Segment(tuple(at.events), first, asked.node, None, before, decided, offered)
    finally:
        shared.decisions = None
    return [state] if branches is None else branches


def _current(state: ThreadState) -> object:
    frame = state.frames[-1]
    body = frame.block.body
    return body[frame.position] if frame.position < len(body) else frame.block.terminator


def _asks(state: ThreadState) -> bool:
    """Tell whether the next step may ask for the value of something that depends on reads."""
    if state.met:
        return True
    instruction = _current(state)
    match instruction:
        case Assign(expression=expression):
            return may_divide_by_zero(expression)
        case CompareExchange():
            return True
        case ReadModifyWrite() if asks_for_change(state, instruction):
            return True
        case Load() | ReadModifyWrite() if asks_for_value(state, instruction):
            return True
        case Load() | ReadModifyWrite() | Store() | Free() | Measure() | Hold() | Meet():
            return not isinstance(state.value(instruction.address).node, Known)
        case AsyncCopy(source, destination):
            return not all(isinstance(state.value(each).node, Known) for each in (source, destination))
        case Allocate(size=size):
            return not isinstance(state.value(size).node, Known)
        case Branch():
            return not isinstance(state.value(instruction.condition).node, Known)
        case Switch():
            return not isinstance(state.value(instruction.value).node, Known)
        case Freeze():
            return True
        case Assume(condition) | Misuse(condition):
            return not isinstance(state.value(condition).node, Known)
        case IndirectCall():
            return not isinstance(state.value(instruction.callee).node, Known)
    return False
