"""Attempts that fail and leave nothing: it is as if the thread had not made them, or had read later what it read.

Many loops try to update what they have read before, and what a compare-exchange that failed has found is what the next
attempt goes by. Such an attempt may be left out like one that only waits (:mod:`.waiting`). In the execution without
it, the read before the loop reads what the attempt has read last, and the thread is where it is now. What the attempt
has read besides orders less, as it is not there.

So it is only where the read before the loop has no stronger ordering than the one that stands for it, where nothing
that others may see lies between them, and where the way from it to the loop would have been the same. An attempt may
write plain data that is the thread's own, if the next one writes it again before anybody may look at it.

Where an attempt has looked at plain data, that may be what races, and nothing else shows it. So there is a path on
which one such attempt fails (:attr:`.Path.tried`). An execution counts in which one thread alone takes such a path, if
it raises a flag of the model: without the attempt it is an execution anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from enumerator.program.instructions import Ordering
from enumerator.program.values import Value
from enumerator.unfold.ahead import slots_like_registers
from enumerator.unfold.nodes import read_as
from enumerator.unfold.paths import Computed, Known, Location, Node, PathEvent, ReadValue
from enumerator.unfold.refilled import overwrites
from enumerator.unfold.slots import pointed_to
from enumerator.unfold.state import AGAIN, NONE, Frame, Local
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.waiting import Iteration, is_live, is_plain, is_raced

__all__ = [
    "atomic_reads",
    "data_read",
    "leaves_nothing",
    "reads_again",
    "reads_before",
    "tells_apart",
    "told_apart",
    "unpublished",
]


def unpublished(state: ThreadState) -> set[str]:
    """Name the objects that a thread has made and written whose addresses nobody else has.

    Parameters
    ----------
    state : ThreadState

    Returns
    -------
    set of str
    """
    writes = [event for event in state.events if event.kind == "W" and event.location is not None]
    found = {event.location.object for event in writes if event.location is not None and state.owns(event)}
    if found:
        for event in writes:
            if event.value is not None:
                found.difference_update(pointed_to(event.value))
        for thread in state.created:
            if thread.creation is not None and thread.creation.argument is not None:
                found.difference_update(pointed_to(Known(thread.creation.argument)))
    return found


def leaves_nothing(
    state: ThreadState, frame: Frame, header: str, start: Iteration, rounds: frozenset[int] = NONE
) -> bool:
    """Tell whether an attempt has read, and written only what was there or what will be overwritten.

    Parameters
    ----------
    state : ThreadState
        At the end of the attempt.
    frame : Frame
    header : str
        The block that it comes back to.
    start : Iteration
        The thread when it began.
    rounds : frozenset of int
        What takes locks and gives them back (:mod:`.rounds`), by event index.

    Returns
    -------
    bool
    """
    events = state.events[start.events :]
    if state.held != start.held or not any(event.kind == "R" for event in events):
        return False
    stale: set[Location] = set()
    for index, event in enumerate(events, start.events):
        if event.kind == "F" or index in state.kept or index in rounds or (event.kind == "R" and _is_atomic(event)):
            continue
        if event.kind not in "RW" or event.location is None or not is_plain(event) or event.whole is not None:
            return False
        if event.kind == "W":
            stale.add(event.location)
    if not stale:
        return True
    own = unpublished(state)
    if not state.shared.races and any(location.object not in own for location in stale):
        return False
    hidden = own & {location.object for location in stale}
    slots = slots_like_registers(state, frame)
    if any(not hidden.isdisjoint(pointed_to(local.node)) for local in _held_by_others(state)):
        return False
    for place, local, _ in state.slots.held():
        if not is_live(state, frame, header, place.object):
            continue
        told_here = bool(slots) and place.object in frame.slots and isinstance(local.node, Known)
        if not told_here and not hidden.isdisjoint(pointed_to(local.node)):
            return False
    for name in state.shared.text.live(frame.function)[0][header]:
        value = state.registers.get(frame.prefix + name)
        if value is not None and not isinstance(value.node, Known) and not hidden.isdisjoint(pointed_to(value.node)):
            return False
    return overwrites(state, frame, header, frozenset(stale), hidden)


def data_read(state: ThreadState, start: Iteration) -> frozenset[int]:
    """Give the reads of data in an attempt that others may have, too, and may write plainly: they may be what races.

    Parameters
    ----------
    state : ThreadState
        At the end of the attempt.
    start : Iteration
        The thread when it began.

    Returns
    -------
    frozenset of int
        Event indices.
    """
    own: set[str] | None = None
    found = set[int]()
    for index, event in enumerate(state.events[start.events :], start.events):
        if event.kind == "R" and (not _is_atomic(event) or is_raced(state, event)):
            own = unpublished(state) if own is None else own
            if event.location is None or event.location.object not in own:
                found.add(index)
    return frozenset(found)


def atomic_reads(state: ThreadState, reads: Iterable[int]) -> frozenset[int]:
    """Give those of some events that a thread may wait with: atomic reads."""
    events = ((index, state.events[index]) for index in reads)
    return frozenset(index for index, event in events if event.kind == "R" and _is_atomic(event))


def _is_atomic(event: PathEvent) -> bool:
    return event.annotation.ordering >= Ordering.MONOTONIC


def _held_by_others(state: ThreadState) -> Iterator[Local]:
    """Give what registers hold of the other calls that have not returned, as far as it may still be read."""
    for frame in state.frames[:-1]:
        for name in state.shared.text.liveness(frame.function).at(frame.block.name, frame.position)[0]:
            if (local := state.registers.get(frame.prefix + name)) is not None:
                yield local


def reads_again(
    state: ThreadState, frame: Frame, header: str, start: Iteration, carried: Iterable[Local]
) -> tuple[str, frozenset[int]] | None:
    """Tell whether a thread is where it was before an attempt, with what that has read for what was read before.

    Parameters
    ----------
    state : ThreadState
        At the end of an attempt that leaves nothing.
    frame : Frame
    header : str
        The block that it comes back to.
    start : Iteration
        The thread when the attempt began.
    carried : iterable of Local
        What the phis of the header are about to hold.

    Returns
    -------
    (str, frozenset of int) or None
        How the path ends, and the reads that the thread waits with; None where it goes on.
    """
    # What calls around this one still hold stays as it is.
    held = NONE.union(*(local.reads | local.node.reads for local in _held_by_others(state)))
    before = tuple(takewhile(lambda read: read not in held, reads_before(state, start.events)))
    if not before:
        return None
    look = _Substitution(state, start, before)
    if not look.holds(frame, header, tuple(carried)) or not look.same_way() or not look.in_place():
        return None
    reads = atomic_reads(state, range(start.events, len(state.events)))
    spurious = any(not old.reads.isdisjoint(reads) for old, _ in state.spurious)
    reads |= look.stands.keys()
    return (AGAIN, frozenset()) if spurious else ("stuck", reads)


def tells_apart(state: ThreadState, first: int, reads: Iterable[int]) -> bool:
    """Tell whether an attempt went its way as two reads of one location have different values.

    So nobody waits with it for ever: both would read the last write.

    Parameters
    ----------
    state : ThreadState
        At the end of the attempt.
    first : int
        The first of the conditions of the attempt.
    reads : iterable of int
        Those that the thread would wait with, by event index.

    Returns
    -------
    bool
    """
    places = {read: state.events[read].location for read in atomic_reads(state, reads)}
    pairs = told_apart(state.conditions[first:])
    return any(one in places and other in places and places[one] == places[other] for one, other in pairs)


def told_apart(conditions: Iterable[tuple[Node, Value]]) -> Iterator[tuple[int, int]]:
    """Give pairs of reads that have different values, as some values are known.

    Parameters
    ----------
    conditions : iterable of (Node, Value)
        What is known.

    Yields
    ------
    (int, int)
        Event indices.
    """
    for node, value in conditions:
        if isinstance(node, Computed) and (node.operator, value) in (("icmp eq", 0), ("icmp ne", 1)):
            one, other = map(read_as, node.arguments)
            while isinstance(one, Computed) and isinstance(other, Computed) and _shape(one) == _shape(other):
                apart = [pair for pair in zip(one.arguments, other.arguments, strict=True) if not _equal(*pair)]
                if len(apart) != 1:
                    break
                one, other = map(read_as, apart[0])
            if isinstance(one, ReadValue) and isinstance(other, ReadValue):
                yield one.index, other.index


def reads_before(state: ThreadState, first: int) -> tuple[int, ...]:
    """Give the reads before an event, where nothing lies between them that others may see, or that rests on them.

    They are an atomic read, and those of plain data right before that: an attempt that has failed before the loop, if
    that begins with what follows one.

    Parameters
    ----------
    state : ThreadState
    first : int
        The event, by index.

    Returns
    -------
    tuple of int
        By index, the last one first; empty where there is none.
    """
    own: set[str] | None = None
    between: list[PathEvent] = []
    found: list[int] = []
    for index in reversed(range(first)):
        event = state.events[index]
        if event.kind == "R" and _is_atomic(event) != bool(found):
            if any(index in each.addr | each.data | each.tok or each.rmw == index for each in between):
                break
            found.append(index)
            continue
        own = unpublished(state) if own is None else own
        if found or event.kind != "W" or event.location is None or event.location.object not in own:
            break
        between.append(event)
    return tuple(found)


def _stands_for(before: PathEvent, now: PathEvent) -> bool:
    """Tell whether a read orders no more than a later one of the same location, and is otherwise as that is."""
    weakest = Ordering.NA
    return (
        before.location == now.location
        and before.whole is None
        and now.whole is None
        and before.annotation.ordering <= now.annotation.ordering
        and replace(before.annotation, ordering=weakest) == replace(now.annotation, ordering=weakest)
        and before.tok == now.tok
    )


class _Substitution:
    """Compares what a thread holds with what it held, where later reads stand for those before an attempt.

    Parameters
    ----------
    state : ThreadState
    start : Iteration
    before : sequence of int
        The reads that others may stand for, by event index, the last one first.

    Attributes
    ----------
    stands : dict of int to int
        Those that others stand for, each with the other one, as values have told.
    """

    def __init__(self, state: ThreadState, start: Iteration, before: Sequence[int]) -> None:
        self._state, self._start, self._before, self._set = state, start, before, frozenset(before)
        self._decided = {id(node): value for node, value in state.conditions}
        self.stands: dict[int, int] = {}
        self._stays = frozenset[int]()

    def holds(self, frame: Frame, header: str, carried: tuple[Local, ...]) -> bool:
        """Tell whether all that may still be read is as it was, but for those reads."""
        state, start = self._state, self._start
        shared, prefix = state.shared, frame.prefix
        phis, held = frame.blocks[header].phis, shared.text.carried(frame.function, header)
        pairs: list[tuple[Local | None, Local | None]] = [
            (old, new) for phi, old, new in zip(phis, start.carried, carried, strict=True) if phi.target in held
        ]
        assigned = {phi.target for phi in phis}
        live = {prefix + name for name in shared.text.live(frame.function)[0][header] - assigned}
        pairs += [(start.registers.get(name), state.registers.get(name)) for name in live]
        for place, old, new in start.slots.differences(state.slots):
            if is_live(state, frame, header, place.object):
                pairs.append((old, new))
        places = {place for place, _, _ in start.slots.differences(state.slots)}
        for place, local, _ in start.slots.held():
            if place not in places and is_live(state, frame, header, place.object):
                pairs.append((local, local))
        return all(self._is_same(old, new) for old, new in pairs) and bool(self.stands)

    def _is_same(self, old: Local | None, new: Local | None) -> bool:
        if old is None or new is None:
            return old is new
        if old.tokens != new.tokens or not self._nodes(old.node, new.node):
            return False
        if any(self.stands.get(read, read) not in new.reads for read in old.reads & self._set):
            return False
        return old.reads - self._set <= new.reads

    def _nodes(self, old: Node, new: Node) -> bool:
        """Tell whether a value is what another one becomes where later reads stand for those before."""
        if self._set.isdisjoint(old.reads):
            return old is new or _equal(old, new)
        old, new = read_as(old), read_as(self._chosen(new))
        if isinstance(old, ReadValue):
            if not isinstance(new, ReadValue) or old.type != new.type:
                return False
            if new.index < self._start.events:  # what was read before is still the same
                if old.index != new.index or new.index in self.stands:
                    return False
                self._stays |= {new.index}
                return True
            return old.index not in self._stays and self.stands.setdefault(old.index, new.index) == new.index
        if not isinstance(old, Computed) or not isinstance(new, Computed):
            return False
        return _shape(old) == _shape(new) and all(map(self._nodes, old.arguments, new.arguments))

    def _chosen(self, node: Node) -> Node:
        """Give the operand of a ``select`` that the path has decided on."""
        while isinstance(node, Computed) and node.operator == "select":
            condition = node.arguments[0]
            value = condition.value if isinstance(condition, Known) else self._decided.get(id(condition))
            if not isinstance(value, int):
                break
            node = node.arguments[1 if value else 2]
        return node

    def same_way(self) -> bool:
        """Tell whether the thread would have come to the loop with the other reads, too."""
        conditions = self._state.conditions
        since = conditions[self._start.conditions :]
        return all(
            any(_is_value(told, value) and self._would_be(node, now) for now, told in since)
            for node, value in conditions[: self._start.conditions]
            if not (self._set - self._stays).isdisjoint(node.reads)
        )

    def _would_be(self, node: Node, now: Node) -> bool:
        known = dict(self.stands), self._stays
        if self._nodes(node, now):
            return True
        self.stands, self._stays = known
        return False

    def in_place(self) -> bool:
        """Tell whether the later reads may take the places of the others, as all that is passed over moves along."""
        last = self._before[: len(self.stands)]
        if self.stands.keys() != set(last):
            return False
        moved = [self.stands[read] for read in last]
        events = self._state.events
        return moved == sorted(set(moved), reverse=True) and all(
            _stands_for(events[read], events[now]) for read, now in self.stands.items()
        )


def _is_value(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other


def _shape(node: Computed) -> tuple[object, ...]:
    return node.operator, node.type, node.operand_type, node.indices, len(node.arguments)


def _equal(old: Node, new: Node) -> bool:
    match old, new:
        case Known(), Known():
            return _is_value(old.value, new.value)
        case ReadValue(), ReadValue():
            return old.index == new.index
        case Computed(), Computed():
            return _shape(old) == _shape(new) and all(map(_equal, old.arguments, new.arguments))
    return False
