"""Loops that wait: spin loops, whose iterations only read, and leave nothing behind but what was read.

An iteration that stays in such a loop may be left out: the execution without it has the same outcome, and fewer events
that order others. So the loop is one evaluation, in which its exit condition holds (semantics, section 9). What is left
is the thread that waits for ever. Its path ends with the iteration that stays in the loop (``stuck``); it belongs to an
execution only if these reads read the last writes of their locations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from enumerator.frozen import dataclass
from enumerator.program.instructions import Ordering
from enumerator.program.test import Thread
from enumerator.program.values import Pointer
from enumerator.unfold.layout import site_of
from enumerator.unfold.nodes import read_as
from enumerator.unfold.paths import Computed, Known, Location, Node, Path, PathEvent
from enumerator.unfold.refilled import refilled
from enumerator.unfold.rewritten import may_race, stored_first
from enumerator.unfold.slots import Slots
from enumerator.unfold.state import NONE, Frame, Local
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.told import are_same

__all__ = [
    "Iteration",
    "PlainStore",
    "begin",
    "held_at",
    "is_live",
    "is_plain",
    "is_raced",
    "last_seen",
    "made_again",
    "may_race_with_wait",
    "only_reads",
    "plain_stores",
    "raced_objects",
    "stays",
]


@dataclass(frozen=True, slots=True)
class Iteration:
    """A thread at the beginning of an iteration of a loop.

    Parameters
    ----------
    events : int
        How many events there are.
    carried : tuple of Local
        What the phis of the header hold.
    registers : mapping of str to Local
        What registers hold.
    slots : Slots
        What the stack slots of the thread hold.
    conditions : int
        How many conditions the path has.
    held : mapping of Pointer to int
        The locks that the thread holds.
    """

    events: int
    carried: tuple[Local, ...]
    registers: Mapping[str, Local]
    slots: Slots
    conditions: int
    held: Mapping[Pointer, int]


def begin(state: ThreadState, carried: Iterable[Local]) -> Iteration:
    """Note how a thread begins an iteration.

    Parameters
    ----------
    state : ThreadState
    carried : iterable of Local
        What the phis of the header are about to hold.

    Returns
    -------
    Iteration
    """
    slots = state.slots.copy()
    known = len(state.events), tuple(carried), dict(state.registers), slots, len(state.conditions), state.held
    return Iteration(*known)


def held_at(state: ThreadState, frame: Frame, header: str, start: Iteration) -> Iterator[tuple[object, Node]]:
    """Give what phis, registers and stack slots hold at the beginning of an iteration that may still be read.

    Parameters
    ----------
    state : ThreadState
        At a later time.
    frame : Frame
    header : str
        The block at which it begins.
    start : Iteration

    Yields
    ------
    (object, Node)
        What identifies the place, and its value.
    """
    assigned = {phi.target for phi in frame.blocks[header].phis}
    for register in state.shared.text.live(frame.function)[0][header] - assigned:
        if frame.prefix + register in start.registers:
            yield register, start.registers[frame.prefix + register].node
    held = state.shared.text.carried(frame.function, header)
    for phi, local in zip(frame.blocks[header].phis, start.carried, strict=True):
        if phi.target in held:
            yield phi.target, local.node
    for place, local, type_ in start.slots.held():
        if is_live(state, frame, header, place.object):
            yield (place, type_), local.node


def stays(state: ThreadState, frame: Frame, header: str, before: Iteration, carried: tuple[Local, ...]) -> bool:
    """Tell whether a thread is where it was before an iteration that leaves nothing.

    Parameters
    ----------
    state : ThreadState
        At the end of the iteration.
    frame : Frame
    header : str
        The block that it comes back to.
    before : Iteration
        The thread when it began.
    carried : tuple of Local
        What the phis of the header are about to hold.

    Returns
    -------
    bool
    """
    values = _Values(state)
    held = state.shared.text.carried(frame.function, header)
    for phi, old, new in zip(frame.blocks[header].phis, before.carried, carried, strict=True):
        if phi.target in held and not values.same(old, new):
            return False
    assigned = {phi.target for phi in frame.blocks[header].phis}
    for register in state.shared.text.live(frame.function)[0][header] - assigned:
        name = frame.prefix + register
        if not values.same(before.registers.get(name), state.registers.get(name)):
            return False
    changed = [place for place, old, new in before.slots.differences(state.slots) if not values.same(old, new)]
    left = {place for place in changed if is_live(state, frame, header, place.object)}
    return not left or left <= refilled(state, frame, header, carried, left)


def only_reads(state: ThreadState, first: int) -> bool:
    """Tell whether the events of a thread from one on are atomic reads, fences, and writes of what was read alone."""
    return all(
        event.kind == "F"
        or (event.kind == "R" and event.annotation.ordering >= Ordering.MONOTONIC)
        or index in state.kept
        for index, event in enumerate(state.events[first:], first)
    )


def made_again(state: ThreadState, before: Iteration) -> frozenset[int]:
    """Give the atomic stores of an iteration that another one which begins alike makes again (:mod:`.rewritten`).

    Parameters
    ----------
    state : ThreadState
    before : Iteration
        The thread when the iteration began.

    Returns
    -------
    frozenset of int
        Event indices; empty if it makes others, too.
    """
    events = state.events[before.events :]
    stores = stored_first(events)
    if any(is_raced(state, events[each]) for each in stores):
        return NONE
    return frozenset(before.events + each for each in stores)


def last_seen(state: ThreadState) -> int:
    """Give the last event by which a thread has done something that others may see, by index; -1 for none.

    What it writes to its own objects counts as seen by nobody, as long as it is not known who has their addresses; so
    does what it writes by plain stores, if races count.
    """
    races = state.shared.races
    for index in reversed(range(len(state.events))):
        event = state.events[index]
        if event.kind in "RF" or index in state.kept or state.owns(event):
            continue
        if not (races and event.kind == "W" and is_plain(event)):
            return index
    return -1


def is_plain(event: PathEvent) -> bool:
    """Tell whether an access is not atomic, and nothing else that others may wait for."""
    return event.annotation.plain and not event.annotation.thread_private


@dataclass(frozen=True, slots=True)
class _Values:
    """Whether values are as they were: what a weak cmpxchg read that failed for no reason is what it expected.

    Values that the conditions of the path tell to be one number are the same: all that follows depends on these reads
    already, as they have decided the way.

    They may depend on more than they did, as an execution that has fewer dependencies is allowed, too. Leaving a
    cmpxchg out makes what follows depend on where that came from. No outcome is lost: whoever read it may as well have
    read what the cmpxchg did.
    """

    state: ThreadState

    def same(self, before: Local | None, after: Local | None) -> bool:
        if before is None or after is None:
            return before is after
        if not before.compared <= after.compared or before.tokens != after.tokens:
            return False
        if are_same(self.state, (read_as(before.node),), (read_as(after.node),)):
            return before.reads <= after.reads | self.state.control
        reads = after.reads
        for old, expected in reversed(self.state.spurious):
            if old.reads <= reads and not old.reads <= before.reads:
                reads = (reads - old.reads) | expected.reads
        return before.reads <= reads and self._same_node(before.node, after.node)

    def _same_node(self, before: Node, after: Node) -> bool:
        before, after = read_as(before), read_as(after)
        if before is after:
            return True
        for old, expected in self.state.spurious:
            if old is after and self._same_node(before, expected.node):
                return True
        match before, after:
            case Known(), Known():
                return type(before.value) is type(after.value) and before.value == after.value
            case Computed(), Computed():
                shapes = [(each.operator, each.type, each.indices, len(each.arguments)) for each in (before, after)]
                return shapes[0] == shapes[1] and all(map(self._same_node, before.arguments, after.arguments))
        return False


def is_raced(state: ThreadState, event: PathEvent) -> bool:
    """Tell whether an event accesses an object that threads wait for and that others write plainly."""
    raced = state.shared.raced
    return bool(raced) and event.location is not None and site_of(event.location.object) in raced


def is_live(state: ThreadState, frame: Frame, header: str, name: str) -> bool:
    """Tell whether what a stack slot holds at a header may still be read."""
    for each in state.frames:
        start = f"{state.thread.name}:%{each.prefix}"
        target = name.removeprefix(start).partition("#")[0]
        if name.startswith(start) and target in state.shared.text.slots(each.function):
            return each is not frame or target in state.shared.text.live(frame.function)[1][header]
    return False  # its function has returned


# Whole tests --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlainStore:
    """A store that threads which wait for its location may race with, or overlap unevenly.

    Parameters
    ----------
    location : Location
    thread : str
        Its thread.
    created : frozenset of str
        The threads that its thread has created before, by what stands for them.
    overlaps : bool
        Whether it may overlap accesses unevenly.
    """

    location: Location
    thread: str
    created: frozenset[str] = frozenset()
    overlaps: bool = False

    def may_race(self, waiting: Thread, threads: Mapping[str, Thread]) -> bool:
        """Tell whether a thread that waits for the location may race with it.

        It does not race with itself, nor with what happened before it was created.

        Parameters
        ----------
        waiting : Thread
        threads : mapping of str to Thread
            All threads, by name.

        Returns
        -------
        bool
        """
        return self.overlaps or may_race(self.thread, self.created, waiting, threads)


def plain_stores(thread: str, events: Sequence[PathEvent], first: int = 0) -> Iterator[PlainStore]:
    """Give the stores of a path that threads which wait may race with, from an event of it on.

    Parameters
    ----------
    thread : str
    events : sequence of PathEvent
    first : int

    Returns
    -------
    iterator of PlainStore
    """
    created: set[str] = set()
    for index, event in enumerate(events):
        if event.kind != "W" or event.location is None:
            continue
        if index >= first and may_race_with_wait(event):
            yield PlainStore(event.location, thread, frozenset(created), event.whole is not None)
        created.add(event.location.object)  # of what stands for a thread, if it is one of these


def raced_objects(threads: Sequence[Thread], paths: Iterable[Iterable[Path]]) -> set[str]:
    """Give objects that threads wait for, where an iteration that is left out of a loop may be what raises a flag.

    That may be where what a thread waits for is written by a plain or an unordered store, unless that happens before
    the thread was created; or by parts of a store, or is several parts itself: such atomic accesses may overlap
    unevenly (``mixed-atomics``).

    Parameters
    ----------
    threads : sequence of Thread
    paths : iterable of iterable of Path
        The paths of each of them.

    Returns
    -------
    set of str
        By where they are made.
    """
    names = {thread.name: thread for thread in threads}
    options = [(thread, path) for thread, each in zip(threads, paths, strict=True) for path in each]
    written: dict[Location, set[PlainStore]] = {}
    for thread, path in options:
        for store in plain_stores(thread.name, path.events):
            written.setdefault(store.location, set()).add(store)
    found = set[str]()
    for thread, path in options:
        for read in (path.events[index] for index in path.waiting):
            if read.location is not None:
                stores = written.get(read.location, set())
                if read.whole is not None or any(store.may_race(thread, names) for store in stores):
                    found.add(site_of(read.location.object))
    return found


def may_race_with_wait(event: PathEvent) -> bool:
    """Tell whether an event is a store that a waiting thread may race with, or overlap unevenly."""
    return event.kind == "W" and (event.annotation.ordering < Ordering.MONOTONIC or event.whole is not None)
