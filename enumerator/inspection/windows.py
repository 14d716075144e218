"""What stands between barriers: for each barrier of the workgroup, the accesses and fences before it and after it.

The window of a barrier reaches, on every path, back to the barrier before it and on to the next one. Fences
synchronize across a barrier by ``[F & REL];po;bar;po;[F & ACQ]`` (semantics, section 3), so what no release fence
covers before the barrier, or no acquire fence after it, is not ordered by it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.links import LinkKey, linked
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation, Place, Space

__all__ = ["AccessKind", "Window", "Windows"]

# Barriers that neither arrive nor wait.
_PREPARING = frozenset(("s.barrier.init", "s.barrier.join", "s.barrier.leave", "s.wakeup.barrier", "wave.barrier"))


_MOST_BLOCKS = 100  # in which an access is looked for, to name it


@dataclass(frozen=True, slots=True)
class AccessKind:
    """What decides whether accesses conflict, and what covers them."""

    key: LinkKey
    local: bool
    reads: bool
    writes: bool
    atomic: bool
    root: str | None

    def conflicts(self, other: AccessKind) -> bool:
        """Tell whether accesses of two kinds race if nothing orders them, as far as is known."""
        return (
            (self.writes or other.writes)
            and not (self.atomic and other.atomic)
            and (self.root is None or other.root is None or self.root == other.root)
        )


@dataclass(frozen=True, slots=True)
class Window:
    """One side of a barrier. Sets are bits of integers; each says what is there on some path.

    Parameters
    ----------
    seen : int
        Kinds of accesses.
    exposed : int
        Those of them with a path to the barrier on which no fence covers them.
    fences : int
        Release fences before it (acquire fences after it).
    used : int
        Those of them that an atomic access or a call on the way may synchronize with others.
    open : bool
        More may be there: a call, or the caller.
    """

    seen: int = 0
    exposed: int = 0
    fences: int = 0
    used: int = 0
    open: bool = False

    def joined(self, other: Window) -> Window:
        """Give what is there on the paths of either."""
        return Window(
            self.seen | other.seen,
            self.exposed | other.exposed,
            self.fences | other.fences,
            self.used | other.used,
            self.open or other.open,
        )


_NOTHING = Window()
_State = tuple[Window, Window]  # since the last barrier, and before its arrival where the wait is still to come


class Windows:
    """The windows of a function's barriers.

    Parameters
    ----------
    function : Function
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.kinds: list[AccessKind] = []
        self.local = 0  # the kinds that are of local memory
        self.fences: list[Operation] = []
        self._kind_of: dict[int, int] = {}
        self._fence_of: dict[int, int] = {}
        self._covered: dict[LinkKey, int] = {}
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

    @staticmethod
    def _kind(operation: Operation) -> AccessKind:
        return AccessKind(
            LinkKey.of(operation),
            operation.space is Space.LOCAL,
            operation.reads,
            operation.writes,
            operation.atomic or "atomic" in operation.what,
            operation.root,
        )

    def covered(self, fence: Operation) -> int:
        """Give the kinds of accesses that a fence orders, if it is on their side."""
        key = LinkKey.of(fence)
        if key not in self._covered:
            self._covered[key] = sum(1 << number for number, kind in enumerate(self.kinds) if linked(kind.key, key))
        return self._covered[key]

    def members(self, kinds: int) -> list[AccessKind]:
        """Give the kinds of a set."""
        return [kind for number, kind in enumerate(self.kinds) if kinds >> number & 1]

    def fences_of(self, numbers: int) -> tuple[Operation, ...]:
        """Give the fences of a set, in order."""
        found = []
        while numbers:
            found.append(self.fences[(numbers & -numbers).bit_length() - 1])
            numbers &= numbers - 1
        return tuple(found)

    def nearest(self, barrier: Operation, kind: int, backwards: bool) -> Place | None:
        """Give the place of an access of a kind that is near a barrier, over the blocks before or after it."""
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
        """Give the windows of barriers, by their numbers: a least fixpoint over the paths."""
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
                    return (window, _NOTHING), pending
                case _:
                    return (_NOTHING, pending), window
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
        """Go past an access, a call, or what is neither; an atomic access uses the fences on its far side."""
        fences = operation.kind is Kind.CALL and operation.opaque
        other = operation.kind is Kind.BARRIER and operation.what not in _PREPARING
        if fences or other:  # a call that may fence, or another barrier, of which nothing is known
            return Window(window.seen, 0, window.fences, window.fences, True)
        if number not in self._kind_of:
            return window
        here = 1 << self._kind_of[number]
        used = window.fences if uses else window.used
        return replace(window, seen=window.seen | here, exposed=window.exposed | here, used=used)
