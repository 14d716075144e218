"""For each barrier of the workgroup, the accesses and fences between it and the barriers before and after it.

The window of a barrier extends on every path back to the previous barrier and forward to the next one. Fences
synchronize across a barrier by ``[F & REL];po;bar;po;[F & ACQ]`` (semantics, section 3). So a barrier orders an access
before it only if a release fence comes between the two, and an access after it only if an acquire fence does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from enumerator.frozen import dataclass
from enumerator.inspection.flight import Flight
from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.forms import Extent, Overlap, compare, same_thread_only
from enumerator.inspection.links import LinkKey, linked
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation, Place, Space
from enumerator.inspection.values import THREAD_INDEX

__all__ = ["AccessKind", "Window", "Windows"]

# Barriers that are neither an arrival nor a wait.
_PREPARING = frozenset(("s.barrier.init", "s.barrier.join", "s.barrier.leave", "s.wakeup.barrier", "wave.barrier"))


_MOST_KINDS = 300  # of accesses that elements of LDS tell apart
_MOST_BLOCKS = 100  # in which an access is looked for, to name it


@dataclass(frozen=True, slots=True)
class AccessKind:
    """What determines whether accesses conflict, and which fences order them."""

    key: LinkKey
    local: bool
    reads: bool
    writes: bool
    atomic: bool
    root: str | None
    extent: Extent | None = None

    def conflicts(self, other: AccessKind) -> bool:
        """Tell whether accesses of two kinds may race if nothing orders them."""
        if not (self.writes or other.writes) or (self.atomic and other.atomic):
            return False
        if self.extent is None or other.extent is None:
            return self.root is None or other.root is None or self.root == other.root
        if compare(self.extent, other.extent) is Overlap.NONE:
            return False
        return not same_thread_only(self.extent, other.extent, THREAD_INDEX)


@dataclass(frozen=True, slots=True)
class Window:
    """One side of a barrier. Sets are the bits of integers; they hold what is there on at least one path.

    Parameters
    ----------
    seen : int
        The kinds of accesses.
    exposed : int
        The kinds with a path to the barrier on which no fence orders them.
    fences : int
        The release fences before it (acquire fences after it).
    used : int
        The fences that may synchronize through an atomic access or a call between them and the barrier.
    open : bool
        Whether there may be more: in a call, or in the caller.
    """

    seen: int = 0
    exposed: int = 0
    fences: int = 0
    used: int = 0
    open: bool = False

    def joined(self, other: Window) -> Window:
        """Give the union of two windows."""
        return Window(
            self.seen | other.seen,
            self.exposed | other.exposed,
            self.fences | other.fences,
            self.used | other.used,
            self.open or other.open,
        )


_NOTHING = Window()
_State = tuple[Window, Window]  # since the last barrier; and before its arrival, while its wait is still to come


class Windows:
    """The windows of the barriers of a function.

    Parameters
    ----------
    function : Function
    flight : Flight, optional
        What is in flight: to what comes after, an asynchronous access stands where it is complete; to what is before,
        where it starts.

    Attributes
    ----------
    before, after : dict of int to Window
        By the number of the barrier.
    between : dict of int to Window
        For each wait: what comes after the arrival.
    """

    def __init__(self, function: Function, flight: Flight | None = None) -> None:
        self.function = function
        self.function_operations = function.operations
        self.flight = flight or Flight()
        self.between: dict[int, Window] = {}
        self.kinds: list[AccessKind] = []
        self.local = 0  # the kinds in local memory
        self.fences: list[Operation] = []
        self._kind_of: dict[int, int] = {}
        self._fence_of: dict[int, int] = {}
        self._covered: dict[LinkKey, int] = {}
        self._by_element = True
        self._places = {
            id(operation): (number, place)
            for number, block in enumerate(function.blocks)
            for place, operation in enumerate(block.operations)
            if operation.kind is Kind.BARRIER
        }
        self._number()
        successors = [block.successors for block in function.blocks]
        before = self._predecessors = predecessors(function)
        events = [list(part) for part in self._events()]
        backwards = [part[::-1] for part in events]
        starts = [Window(open=not function.entry) if number == 0 else _NOTHING for number in range(len(events))]
        ends = [Window(open=block.leaves and not function.entry) for block in function.blocks]
        self.before = self._flow(events, successors, before, starts, self._forwards)
        self.after = self._flow(backwards, before, successors, ends, self._backwards)

    def _events(self) -> Sequence[Sequence[tuple[int, Operation]]]:
        number = 0
        parts = []
        for block in self.function.blocks:
            parts.append(list(enumerate(block.operations, number)))
            number += len(block.operations)
        return parts

    def _number(self) -> None:
        local = (each for each in self.function.operations if each.shared and each.kind is Kind.ACCESS)
        self._by_element = len({self._kind(each) for each in local}) <= _MOST_KINDS
        numbers: dict[AccessKind, int] = {}
        for number, operation in enumerate(self.function.operations):
            if operation.kind is Kind.FENCE:
                self._fence_of[number] = len(self.fences)
                self.fences.append(operation)
            elif operation.kind is Kind.ACCESS and operation.shared:
                kind = self._kind(operation)
                self._kind_of[number] = numbers.setdefault(kind, len(numbers))
        self.kinds = list(numbers)
        self.local = sum(1 << number for number, kind in enumerate(self.kinds) if kind.local)

    def _kind(self, operation: Operation) -> AccessKind:
        return AccessKind(
            LinkKey.of(operation),
            operation.space is Space.LOCAL,
            operation.reads,
            operation.writes,
            operation.atomic or "atomic" in operation.what,
            operation.root,
            operation.extent if self._by_element else None,
        )

    def covered(self, fence: Operation) -> int:
        """Give the kinds of accesses that a fence on their side orders."""
        key = LinkKey.of(fence)
        if key not in self._covered:
            self._covered[key] = sum(1 << number for number, kind in enumerate(self.kinds) if linked(kind.key, key))
        return self._covered[key]

    def members(self, kinds: int) -> list[AccessKind]:
        """Give the kinds in a set."""
        return [kind for number, kind in enumerate(self.kinds) if kinds >> number & 1]

    def fences_of(self, numbers: int) -> tuple[Operation, ...]:
        """Give the fences in a set, in order."""
        found = []
        while numbers:
            found.append(self.fences[(numbers & -numbers).bit_length() - 1])
            numbers &= numbers - 1
        return tuple(found)

    def nearest(self, barrier: Operation, kind: int, backwards: bool) -> Place | None:
        """Give the place of an access of a kind in the blocks before or after a barrier, a near one."""
        block, place = self._places[id(barrier)]
        edges = self._predecessors if backwards else [each.successors for each in self.function.blocks]
        operations = self.function.blocks[block].operations
        part = operations[:place] if backwards else operations[place + 1 :]
        waiting, seen = deque(edges[block]), set(edges[block])
        for _ in range(_MOST_BLOCKS):
            for operation in reversed(part) if backwards else part:
                if operation.shared and operation.kind is Kind.ACCESS and self._kind(operation) == self.kinds[kind]:
                    return operation.place
            if not waiting:
                break
            block = waiting.popleft()
            part = self.function.blocks[block].operations
            waiting.extend(each for each in edges[block] if each not in seen)
            seen.update(edges[block])
        return None

    # The two passes

    def _flow(
        self,
        events: Sequence[Sequence[tuple[int, Operation]]],
        successors: Sequence[Sequence[int]],
        before: Sequence[Sequence[int]],
        starts: Sequence[Window],
        step: Callable[[int, Operation, _State], tuple[_State, Window | None]],
    ) -> dict[int, Window]:
        """Give the windows of the barriers, by their numbers: a dataflow analysis, a least fixpoint."""
        order = reverse_postorder(successors)
        ends: list[_State | None] = [None] * len(events)
        found: dict[int, Window] = {}
        dirty = set(order)
        while dirty:
            for block in order:
                if block not in dirty:
                    continue
                dirty.discard(block)
                state: _State = (starts[block], _NOTHING)
                for each in before[block]:
                    end = ends[each]
                    if end is not None:
                        state = (state[0].joined(end[0]), state[1].joined(end[1]))
                for number, operation in events[block]:
                    state, window = step(number, operation, state)
                    if window is not None:
                        found[number] = window
                if state != ends[block]:
                    ends[block] = state
                    dirty.update(successors[block])
        return found

    def _forwards(self, number: int, operation: Operation, state: _State) -> tuple[_State, Window | None]:
        window, pending = state
        if operation.kind is Kind.BARRIER and operation.barrier:
            match operation.barrier:
                case BarrierPart.ARRIVE:
                    return (_NOTHING, pending.joined(window)), window
                case BarrierPart.WAIT:
                    self.between[number] = window
                    return (window, _NOTHING), pending
                case _:
                    return (_NOTHING, pending), window
        if operation.asynchronous:
            return state, None
        for each in self.flight.completes.get(number, ()):
            window = self._past(window, each, self.function_operations[each], False)
        if operation.kind is Kind.WAIT:
            return (window, pending), None
        if operation.releases and operation.kind is Kind.FENCE:
            return (self._fenced(window, number, operation), pending), None
        uses = operation.writes and (operation.atomic or operation.volatile or "atomic" in operation.what)
        return (self._past(window, number, operation, uses), pending), None

    def _backwards(self, number: int, operation: Operation, state: _State) -> tuple[_State, Window | None]:
        window, pending = state
        if operation.kind is Kind.BARRIER and operation.barrier:
            match operation.barrier:
                case BarrierPart.ARRIVE:
                    return (window, _NOTHING), pending
                case BarrierPart.WAIT:
                    return (_NOTHING, pending.joined(window)), window
                case _:
                    return (_NOTHING, pending), window
        if operation.acquires and operation.kind is Kind.FENCE:
            return (self._fenced(window, number, operation), pending), None
        uses = operation.reads and (operation.atomic or operation.volatile or "atomic" in operation.what)
        return (self._past(window, number, operation, uses), pending), None

    def _fenced(self, window: Window, number: int, fence: Operation) -> Window:
        if not fence.scope.holds_workgroup:
            return window
        exposed, fences = window.exposed & ~self.covered(fence), window.fences | 1 << self._fence_of[number]
        return replace(window, exposed=exposed, fences=fences)

    def _past(self, window: Window, number: int, operation: Operation, uses: bool) -> Window:
        """Extend a window by an operation; an atomic access marks the fences beyond it as used."""
        fences = operation.kind is Kind.CALL and operation.opaque
        other = operation.kind is Kind.BARRIER and operation.what not in _PREPARING
        if fences or other:  # a call that may contain fences, or another barrier: nothing is known of it
            return Window(window.seen, 0, window.fences, window.fences, True)
        if number not in self._kind_of:
            return window
        here = 1 << self._kind_of[number]
        used = window.fences if uses else window.used
        return replace(window, seen=window.seen | here, exposed=window.exposed | here, used=used)
