"""Which states of a thread go on alike: what it did before makes no difference to what it still does.

Two paths that come to one place of the code with the same in what may still be read go on with the same events, but for
the indices that these have in their paths. So a search unfolds only one of them (:mod:`enumerator.search.tries`). In a
key, events are told by how far back they are. A thread looks back at registers and stack slots (:mod:`.liveness`), in
loops that wait (:mod:`.waiting`) and in attempts that fail (:mod:`.attempts`).
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import starmap
from typing import Any, TypeGuard

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    Barrier,
    BarrierOperation,
    MemoryEntry,
    MergeOrder,
    Ordering,
    OrderInput,
    OrderOutput,
)
from enumerator.program.test import Test
from enumerator.program.values import Value
from enumerator.unfold.arithmetic import postorder
from enumerator.unfold.growing import Segment
from enumerator.unfold.loops import Loop
from enumerator.unfold.paths import Computed, Known, Node, PathEvent, ReadValue
from enumerator.unfold.retries import reads_before, told_apart
from enumerator.unfold.rounds import looks_only
from enumerator.unfold.slots import pointed_to
from enumerator.unfold.state import NONE, Frame, Local, Unchanged
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.waiting import Iteration, is_live, is_plain, last_seen, made_again

__all__ = ["Keys", "may_be_told"]

_Key = tuple[Any, ...]


def may_be_told(test: Test) -> bool:
    """Tell whether keys say all that makes a difference in a test.

    They say nothing of ordering tokens, of asynchronous operations, of what barriers a path has come to, or of operands
    that are evaluated in no order.

    Parameters
    ----------
    test : Test

    Returns
    -------
    bool
    """
    ordered = AsyncCopy, AsyncMark, AsyncWait, MemoryEntry, MergeOrder, OrderInput, OrderOutput
    if test.has(Barrier, BarrierOperation, *ordered):
        return False
    parts = (part for function in test.functions.values() for part in function.instructions)
    return not any(getattr(getattr(part, "annotation", None), "operands", ()) for part in parts)


class Keys:
    """Tells how threads go on after values that decide."""

    def __init__(self) -> None:
        self._shapes = _Shapes()
        self._begun: dict[int, _Begun] = {}

    def of(self, segment: Segment) -> Hashable:
        """Give what tells how a thread goes on.

        Parameters
        ----------
        segment : Segment
            One that ends with a value that decides.

        Returns
        -------
        hashable
            Equal for segments of one thread after which it goes on alike.
        """
        return _Look(segment.state, self._shapes, self._begun).key(segment)

    def value(self, node: Node) -> Hashable:
        """Give what is equal for values that are computed alike from the same reads."""
        return self._shapes.of(node)

    def shown(self, segment: Segment) -> Hashable:
        """Give the values that results show of a thread that has ended."""
        return _Look(segment.state, self._shapes, self._begun).returned_registers()

    def hint(self, segment: Segment) -> Hashable:
        """Give a part of what :meth:`of` gives that is found sooner: where a thread stands, and what it knows.

        Parameters
        ----------
        segment : Segment

        Returns
        -------
        hashable
        """
        state = segment.state
        decided, end = {id(node): value for node, value in state.conditions}, len(state.events)
        found: list[Hashable] = [end - state.instruction, state.arrivals]
        for frame in state.frames:
            block, position = frame.block.name, frame.position
            found += [frame.function.name, block, position]
            for name in state.shared.text.liveness(frame.function).at(block, position)[0]:
                local = state.registers.get(frame.prefix + name)
                if local is not None:
                    number, last = self._shapes.of(local.node)
                    found += [number] if last < 0 else [number, end - last, decided.get(id(local.node))]
        return tuple(found)


class _Shapes:
    """The values of paths, each as a number and the last of the reads that it is computed from.

    Values have the same number if they are computed alike from reads that are as far apart.
    """

    def __init__(self) -> None:
        self._numbers: dict[_Key, int] = {}
        self._known: dict[Node, tuple[int, int]] = {}

    def of(self, node: Node) -> tuple[int, int]:
        """Give the number of a value, and its last read: -1 for none."""
        found = self._known.get(node)
        if found is None:
            for part in postorder(node) if isinstance(node, Computed) else (node,):
                if part not in self._known:
                    form, last = self._form(part)
                    self._known[part] = self._numbers.setdefault(form, len(self._numbers)), last
            found = self._known[node]
        return found

    def _form(self, node: Node) -> tuple[_Key, int]:
        if isinstance(node, ReadValue):
            return (node.type,), node.index
        if isinstance(node, Known):
            return (type(node.value), node.value), -1
        assert isinstance(node, Computed)
        arguments = [self._known[each] for each in node.arguments]
        last = max([read for _, read in arguments], default=-1)
        apart = tuple([(number, last - read if read >= 0 else -1) for number, read in arguments])
        return (node.operator, node.type, node.operand_type, node.indices, apart), last


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a thread held at the beginning of an iteration, told by how far back it was from there."""

    iteration: Iteration
    held: _Key
    reads: frozenset[int]


class _Look:
    """Looks at the state of a thread."""

    def __init__(
        self, state: ThreadState, shapes: _Shapes, begun: dict[int, _Begun], at: Iteration | None = None
    ) -> None:
        self._state, self._shapes, self._begun = state, shapes, begun
        self._end = len(state.events) if at is None else at.events
        self._first = self._end  # the first event that loops which wait look back at
        self._same: dict[int, int] = {}  # which values are one and the same: what is known of it is known by that
        self._reads = NONE  # what something rests on that may still be looked at
        self._decided: dict[int, Value] | None = None if at is None else {}

    def key(self, segment: Segment) -> Hashable:
        state = self._state
        assert segment.fork is not None
        pending = self._unchanged(state.unchanged), self._unchanged(state.undoing)
        held = tuple(map(self._frame, state.frames)), self._slots(), pending
        past, shown = (self._loops(), self._own_writes(), self._published()), self.returned_registers()
        newly = self._back(state.newly)
        spurious = tuple(
            (self._node(old), self._local(expected))
            for old, expected in state.spurious
            if self._is_looked_at(old.reads | expected.reads)
        )
        asked = self._node(segment.fork), segment.decided, segment.offered
        return asked, held, past, shown, newly, spurious, self._back(state.tries), self._counters()

    # Values -------------------------------------------------------------------------------------------------------

    def _node(self, node: Node) -> _Key:
        number, last = self._shapes.of(node)
        return number, self._end - last if last >= 0 else -1

    def _local(self, local: Local, *, tested: bool = True) -> _Key:
        """Tell of a value; where it has been read counts if a branch may depend on it that may leave a loop."""
        node, reads = local.node, local.reads
        if not reads:
            return self._node(node)
        if not reads <= self._reads:
            self._reads |= reads
        events = self._state.events
        places = tuple(
            [
                (self._end - each, events[each].location if tested or self._is_private(events[each]) else None)
                for each in sorted(reads)
            ]
        )
        if local.compared:
            self._reads |= local.compared
        same = self._same.setdefault(id(node), len(self._same))
        return *self._node(node), places, self._told(node), same, self._back(local.compared)

    def _told(self, node: Node) -> _Key:
        """Give what a value is, or a part of it, where the path rests on that."""
        if self._decided is None:
            self._decided = {id(known): value for known, value in self._state.conditions}
        decided = self._decided.get(id(node))
        parts = node.arguments if isinstance(node, Computed) and node.operator == "tuple" else ()
        return type(decided), decided, tuple(map(self._told, parts))

    def _is_looked_at(self, reads: frozenset[int]) -> bool:
        """Tell whether something that may still be looked at rests on some of these reads, or there are none."""
        return not reads or not reads.isdisjoint(self._reads) or any(read >= self._first for read in reads)

    def _back(self, events: frozenset[int]) -> _Key:
        """Tell events by how far back they are."""
        return tuple(sorted([self._end - each for each in events])) if events else ()

    # What is held -------------------------------------------------------------------------------------------------

    def _frame(self, frame: Frame) -> _Key:
        registers, prefix = self._state.registers, frame.prefix
        liveness = self._state.shared.text.liveness(frame.function)
        live, _ = liveness.at(frame.block.name, frame.position)
        tested = None if len(self._state.frames) > 1 else liveness.tested
        held = tuple(
            (name, self._local(registers[prefix + name], tested=tested is None or name in tested))
            for name in live
            if prefix + name in registers
        )
        place = frame.function.name, prefix, frame.block.name, frame.position, frame.target, frame.line, frame.slots
        return place, held

    def _slots(self) -> frozenset[_Key]:
        live, held = self._live_slots(), self._state.slots.held()
        return frozenset((place, type_, self._local(local)) for place, local, type_ in held if place.object in live)

    def _live_slots(self) -> set[str]:
        """Name the stack slots of which it may still be read what they hold: their functions have not returned."""
        found = set[str]()
        for frame in self._state.frames:
            if not frame.slots:
                continue
            start = len(f"{self._state.thread.name}:%{frame.prefix}")
            liveness = self._state.shared.text.liveness(frame.function)
            # A call that has not returned may be lent a slot: it is the instruction before the place.
            calls = frame is not self._state.frames[-1]
            places = range(max(0, frame.position - calls), frame.position + 1)
            live = frozenset[str]().union(*(liveness.at(frame.block.name, each)[1] for each in places))
            found.update(name for name in frame.slots if name[start:].partition("#")[0] in live)
        return found

    def returned_registers(self) -> _Key:
        """Give what registers hold that results show, those of calls that have returned among them."""
        registers, found = self._state.registers, list[_Key]()
        for name in sorted(self._state.shared.text.asked or ()):
            local = registers.get(name.partition("[")[0].removeprefix("%"))
            if local is not None:
                found.append((name, self._local(local)))
        return tuple(found)

    def _unchanged(self, unchanged: Unchanged | None) -> Hashable:
        if unchanged is None:
            return None
        place = self._end - unchanged.read, self._end - unchanged.instruction, unchanged.location, unchanged.loops
        depends = self._back(unchanged.addr), self._back(unchanged.tok)
        newly = tuple(self._back(each.newly) for each in self._state.events[unchanged.read :])
        ends = unchanged.left_out, unchanged.added, unchanged.undone
        return id(unchanged.made_by), place, self._local(unchanged.written), depends, newly, ends

    def _counters(self) -> _Key:
        """Give what a thread counts and has created, and the like."""
        state = self._state
        return (
            self._end - state.instruction,
            state.arrivals,
            state.waits,
            frozenset(state.calls.items()),
            frozenset(state.allocas.items()),
            state.created,
            frozenset(state.held.items()),
            state.late,
            state.tried,
            tuple(state.exceptions.items()),
            state.caught,
            state.landed,
            None if state.left is None else (self._back(state.left.data), self._back(state.left.tok)),
        )

    # What has happened in loops -----------------------------------------------------------------------------------

    def _loops(self) -> _Key:
        """Give the progress of the loops that a thread is in; of others, nothing matters any more."""
        seen, found, whole = last_seen(self._state), list[_Key](), list[Iteration]()
        self._first = self._end
        for frame in self._state.frames:
            block = frame.block.name
            every = frame.flow.numbered if frame.loops else {}
            if isinstance(frame.attempt, Iteration):
                self._first = min(self._first, frame.attempt.events)
                found.append((self._end - frame.attempt.events, frozenset(frame.attempt.held.items())))
            for number, entry in frame.loops.items():
                if block not in every[number].blocks:
                    continue
                begun: list[list[_Key]] = []
                for iterations in ((entry.begun, entry.first), entry.starts):
                    left = [each for each in iterations if self._may_be_left_out(each, seen, entry.begun)]
                    self._first = min([self._first, *(each.events for each in left)])
                    begun.append([self._iteration(frame, every[number], each) for each in left])
                    whole += left if iterations is entry.starts else []
                met = frozenset(entry.met.items())
                told = number, frozenset(entry.seen), entry.new, entry.iteration, met
                found.append((*told, self._read_before(entry.begun), *map(tuple, begun)))
        return tuple(found), self._events_since(), self._whole_since(whole)

    def _may_be_left_out(self, iteration: object, seen: int, begun: object) -> TypeGuard[Iteration]:
        """Tell whether an iteration may still be left out, as far as what others see tells."""
        if not isinstance(iteration, Iteration):
            return False
        if iteration.events > seen:
            return True
        return iteration is begun and (looks_only(self._state, iteration) or bool(made_again(self._state, iteration)))

    def _iteration(self, frame: Frame, loop: Loop, iteration: Iteration) -> _Key:
        """Give what a thread held at the beginning of an iteration, and how far back that is."""
        begun = self._begun.get(id(iteration))
        if begun is None:
            begun = self._begun[id(iteration)] = self._at(frame, loop, iteration)
        self._reads |= begun.reads
        return self._end - iteration.events, len(self._state.conditions) - iteration.conditions, begun.held

    def _read_before(self, iteration: object) -> _Key:
        """Tell of the reads that what an iteration reads may stand for, and of what they have decided before that."""
        if not isinstance(iteration, Iteration):
            return ()
        state = self._state
        reads, conditions = reads_before(state, iteration.events), state.conditions[: iteration.conditions]
        events = [(self._end - read, state.events[read]) for read in reads]
        told = [(back, event.annotation, event.location, self._back(event.tok)) for back, event in events]
        decided = [
            (self._node(node), type(value), value) for node, value in conditions if not node.reads.isdisjoint(reads)
        ]
        return (*told, *decided)

    def _at(self, frame: Frame, loop: Loop, iteration: Iteration) -> _Begun:
        then = _Look(self._state, self._shapes, self._begun, iteration)
        live, prefix = self._state.shared.text.liveness(frame.function).registers, frame.prefix
        registers, slots = list[_Key](), list[_Key]()
        for header in loop.headers:
            for name in live[header]:
                if (local := iteration.registers.get(prefix + name)) is not None:
                    registers.append((name, then._local(local, tested=False)))
            for place, local, type_ in iteration.slots.held():
                if is_live(self._state, frame, header, place.object):
                    slots.append((place, type_, then._local(local, tested=False)))
        carried = tuple(then._local(each, tested=False) for each in iteration.carried)
        held = carried, frozenset(registers), frozenset(slots), frozenset(iteration.held.items())
        return _Begun(iteration, held, then._reads)

    def _events_since(self) -> _Key:
        """Tell the kinds of the events since the first of the iterations that may be left out as they only read."""
        events, kept = self._state.events, self._state.kept
        kinds = tuple(
            (events[index].kind, events[index].annotation.ordering >= Ordering.MONOTONIC, index in kept)
            for index in range(self._first, self._end)
        )
        written = (events[index] for index in range(self._first, self._end) if events[index].kind == "W")
        places = tuple((each.location, each.rmw is None) for each in written if not is_plain(each))
        return kinds, places, self._told_apart()

    def _told_apart(self) -> _Key:
        """Give the reads among them that are known to have different values."""
        if self._first == self._end:
            return ()
        pairs = told_apart(self._state.conditions)
        return tuple((self._end - one, self._end - other) for one, other in pairs if min(one, other) >= self._first)

    def _whole_since(self, starts: list[Iteration]) -> _Key:
        """Give the events and conditions since the first of the attempts that may be left out began."""
        if not starts:
            return ()
        state = self._state
        events = state.events[min(each.events for each in starts) :]
        conditions = state.conditions[min(each.conditions for each in starts) :]
        return tuple(map(self._event, events)), tuple(starmap(self._condition, conditions))

    def _condition(self, node: Node, value: Value) -> _Key:
        """Tell of a comparison how it has ended; of other values it does not matter which has decided."""
        compares = isinstance(node, Computed) and node.operator in ("icmp eq", "icmp ne")
        private = any(self._is_private(self._state.events[read]) for read in node.reads)  # it stands for what is there
        return self._node(node), value if compares or private else None

    def _event(self, event: PathEvent) -> _Key:
        if event.kind != "W":  # whether it is atomic is told above; where, only if it may be private
            return event.kind, event.location if self._is_private(event) else None, self._back(event.addr)
        value = None if event.value is None else self._node(event.value)
        rmw = None if event.rmw is None else self._end - event.rmw
        return event.kind, event.annotation, event.location, value, rmw, self._back(event.addr), event.whole is None

    def _is_private(self, event: PathEvent) -> bool:
        """Tell whether an access may be of what is private."""
        return is_plain(event) or self._state.owns(event)

    def _published(self) -> frozenset[str]:
        """Name its own objects whose addresses a thread has written."""
        written = (event.value for event in self._state.events if event.kind == "W" and event.value is not None)
        return frozenset(name for value in written for name in pointed_to(value) if self._state.owns(name))

    def _own_writes(self) -> _Key:
        """Give what a thread has written to its own objects."""
        return tuple(
            (self._end - index, self._event(event))
            for index, event in enumerate(self._state.events)
            if event.kind == "W" and self._state.owns(event)
        )
