"""What a thread may still write, as its code says from where it stands."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Alloca,
    Allocate,
    Annotation,
    CompareExchange,
    Constant,
    Expression,
    Free,
    Function,
    ReadModifyWrite,
    Store,
    Write,
)
from enumerator.program.test import Test, Thread
from enumerator.program.types import store_size
from enumerator.program.values import Pointer
from enumerator.unfold.ahead import Followed, asked_ahead, follow, held_in, slots_like_registers
from enumerator.unfold.control import BEGUN, DESTROY, END, END_CODE
from enumerator.unfold.heap import END_OF_SLOT, slots_to_end
from enumerator.unfold.lock_words import LockWords
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.places import MEMORY, Place, Places, is_marker
from enumerator.unfold.pointing import HANDLE
from enumerator.unfold.state import Frame, Shared
from enumerator.unfold.stored import may_reach
from enumerator.unfold.text import Text
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.walk import Walk, write_of

__all__ = [
    "Later",
    "Write",
    "ends_of_slots",
    "later_of",
    "told_at_end",
    "uncreated",
    "writes_before_barrier",
    "writes_in",
    "writes_to_come",
]

_NO_PLACES: frozenset[Place] = frozenset()
_MOST_IN_VAIN = 8
"""A function that has been followed so often without telling more is not followed any more; where threads do not run
past reads, none is that looks like one which has been followed in vain."""

_TO_BARRIERS = "to barriers"
"""Marks what comes before the thread waits at a barrier."""


@dataclass(frozen=True, eq=False, slots=True)
class Later:
    """A write in the code of a thread. There is one for each instruction and what it may write to.

    Parameters
    ----------
    instruction : Store, ReadModifyWrite, CompareExchange or Free
    places : frozenset of (str, int or None) or None
        Objects that it may write to, each with the byte where that begins (None: anywhere in it); None where it may
        write to anything.
    heap : set of str or None
        Of a Free, the objects of the heap found so far: it ends no others. None where they are not known.
    text : Text or None
        It knows which addresses memory may hold; None where that is not known.
    of_handle : bool
        Whether it is in a function of the library that is told which object stands for a thread.
    locks : LockWords or None
        Where locks keep their state; None in the library.
    """

    instruction: Write
    places: frozenset[Place] | None
    heap: Set[str] | None = None
    text: Text | None = None
    of_handle: bool = False
    locks: LockWords | None = None

    def annotation(self, location: Location) -> Annotation:
        """Give what the write to a location says of itself."""
        note = self.instruction.annotation
        return self.locks.annotation(note, location) if self.locks is not None and self._is_exact() else note

    def keeps_lock(self, location: Location) -> bool:
        """Tell whether it initializes a lock there."""
        return self.locks is not None and self._is_exact() and location in self.locks

    def _is_exact(self) -> bool:
        return all(name != MEMORY and offset is not None for name, offset in self.places or ((MEMORY, None),))

    @property
    def objects(self) -> frozenset[str] | None:
        """The objects of these places."""
        if self.places is None or any(is_marker(name) for name, _ in self.places):
            return None
        return frozenset(name for name, _ in self.places)

    @property
    def reach(self) -> Hashable:
        """What tells which locations it may write to, in one test: the same for writes alike."""
        size = None if isinstance(self.instruction, Free) else store_size(self.instruction.type)
        return self.places, size, self.of_handle, self.heap is None

    def may_access(self, location: Location) -> bool:
        """Tell whether it may write to a location."""
        size = None if isinstance(self.instruction, Free) else store_size(self.instruction.type)
        if self.heap is None or location.object in self.heap:
            if self.text is None:
                return may_reach(self.places, size, location, None, of_handle=self.of_handle)
            return self.text.may_reach(self.places, size, location, of_handle=self.of_handle)
        return any(name == location.object for name, _ in self.places or () if not is_marker(name))

    def fits(self, location: Location) -> bool:
        """Tell whether a location gets all that it writes."""
        return not isinstance(self.instruction, Free) and store_size(self.instruction.type) == location.size

    @property
    def expected(self) -> int | None:
        """The number that it has to read to write, where that is always the same."""
        match self.instruction:
            case CompareExchange(expected=Constant(int(value))):
                return value
        return None

    @property
    def constant(self) -> int | None:
        """The number that it writes, where that is always the same."""
        match self.instruction:
            case Store(value=Constant(int(value))) | CompareExchange(desired=Constant(int(value))):
                return value
            case ReadModifyWrite(operator="xchg", operand=Constant(int(value))):
                return value
        return None


def writes_to_come(state: ThreadState) -> frozenset[Later] | None:
    """Give the writes that a thread may still come to, as its code says; None where that is not known.

    Parameters
    ----------
    state : ThreadState

    Returns
    -------
    frozenset of Later or None
    """
    found: set[Later] = set()
    for frame in state.frames:
        written = _written(state, frame)
        if written is None:
            return None
        found |= written | ends_of_slots(state, frame)
    found |= _of_iteration(state)
    found |= told_at_end(state)
    destroyed = _destroyed(state)
    return None if destroyed is None else frozenset(found | destroyed)


def _of_iteration(state: ThreadState) -> set[Later]:
    """Give the write that an iteration has not made yet which may stand for several (:mod:`.unchanged`)."""
    unchanged = state.unchanged
    if unchanged is None or unchanged.left_out:
        return set()
    place = unchanged.location.object, unchanged.location.offset
    return {_later(state, unchanged.made_by, frozenset({place}), of_handle=True)}


def ends_of_slots(state: ThreadState, frame: Frame) -> set[Later]:
    """Give the ends of the stack slots of a call that are memory."""
    ending = slots_to_end(state, frame, exits=state.shared.text.exits)
    return {_later(state, END_OF_SLOT, frozenset({(name, 0)})) for name in ending}


def told_at_end(state: ThreadState) -> set[Later]:
    """Give what a thread writes at its end: that it has ended, and that nobody will create some threads."""
    ends = state.thread.creation is not None
    told = [(state.thread, name) for name in (END, END_CODE) if ends]
    told += [(each, BEGUN) for each in uncreated(state)]
    return set[Later]().union(*(_tells(state, thread, name) for thread, name in told))


def _destroyed(state: ThreadState) -> frozenset[Later] | None:
    """Give the writes of what destroys a thread's data, if anything does; None where not all are known."""
    if DESTROY not in state.shared.functions:
        return frozenset()
    known, key = state.shared.written, (state.thread.name, DESTROY)
    if key not in known:
        found: set[Later] = set()
        whole = _walk(state, None, found).function(state.shared.functions[DESTROY], {})
        known[key] = frozenset(found) if whole else None
    result: frozenset[Later] | None = known[key]
    return result


def writes_before_barrier(state: ThreadState) -> frozenset[Later] | None:
    """Give those of :func:`writes_to_come` that the thread may come to before it waits at a barrier.

    Parameters
    ----------
    state : ThreadState

    Returns
    -------
    frozenset of Later or None
        None where they are not known. All of them where threads are created.
    """
    if state.shared.creations:
        return writes_to_come(state)
    found = _of_iteration(state)
    for frame in reversed(state.frames):
        written, ends = _written_before_barrier(state, frame)
        if written is None:
            return None
        found |= written
        if not ends:
            return frozenset(found)
        found |= ends_of_slots(state, frame)
    destroyed = _destroyed(state)
    return None if destroyed is None else frozenset(found | destroyed)


def _tells(state: ThreadState, thread: Thread, name: str) -> frozenset[Later]:
    """Give the writes of a function that tells of a thread where that begins or ends."""
    function, known = state.shared.functions[name], state.shared.written
    key = thread.handle, name
    if key not in known:
        nothing = dict.fromkeys(function.parameters, _NO_PLACES)
        given: Mapping[str, Places] = nothing | {HANDLE: frozenset({(thread.handle, 0)})}
        found: set[Later] = set()
        _walk(state, None, found).function(function, given)
        known[key] = frozenset(found)
    result: frozenset[Later] = known[key]
    return result


def _written(state: ThreadState, frame: Frame) -> frozenset[Later] | None:
    """Give the writes from where a call stands on; None where not all are known.

    They follow from the place, and from where those registers point that are known: paths come there again and again.
    """
    known, places = state.shared.written, _known_in(state, frame)
    key = *places, frame.block.name, frame.position
    if key not in known:
        found: set[Later] = set()
        known[key] = frozenset(found) if _walk(state, frame, found, known.setdefault(places, {})).frame() else None
    return _followed(state, frame, key, known[key])


def _written_before_barrier(state: ThreadState, frame: Frame) -> tuple[frozenset[Later] | None, bool]:
    """Give those that come before the thread waits at a barrier; and whether the call may end first."""
    known, places = state.shared.written, _known_in(state, frame)
    key = *places, frame.block.name, frame.position, _TO_BARRIERS
    if key not in known:
        found: set[Later] = set()
        text, ends = frame.before_barrier()
        whole = _walk(state, frame, found, known.setdefault(places, {})).text(text)
        known[key] = frozenset(found) if whole else None, ends
    written, may_end = known[key]
    return _followed(state, frame, key, written, to_barriers=True), may_end


def _known_in(state: ThreadState, frame: Frame) -> tuple[object, ...]:
    """Give what the places depend on that addresses in a call may be of."""
    pointers = [state.registers.get(frame.prefix + name) for name in _given(frame.function, state.shared)]
    values = (None if each is None or not isinstance(each.node, Known) else each.node.value for each in pointers)
    return state.thread.name, frame.prefix, frame.function.name, *values


def _begins_anywhere(write: Later) -> bool:
    """Tell whether it is known what objects a write is to, but not where in them it begins."""
    if write.places is None or isinstance(write.instruction, Free):
        return False
    return any(offset is None and not is_marker(name) for name, offset in write.places)


def _followed(
    state: ThreadState,
    frame: Frame,
    key: tuple[object, ...],
    coarse: frozenset[Later] | None,
    *,
    to_barriers: bool = False,
) -> frozenset[Later] | None:
    """Give the writes from where a call stands on, as the values of its registers tell; see :mod:`.ahead`.

    Nothing is asked of these where the writes that are found without them begin at known places, unless threads run
    past reads: there it is dear to wait for what nobody writes.
    """
    if not coarse or not (state.shared.runs_past or any(map(_begins_anywhere, coarse))):
        return coarse
    known, function = state.shared.written, frame.function
    untold = function.name if state.shared.runs_past else _outline(function), to_barriers
    in_vain = state.shared.in_vain
    if in_vain[untold] >= (_MOST_IN_VAIN if state.shared.runs_past else 1):
        return coarse
    place = frame.function.name, frame.block.name, frame.position, "asked"
    if place not in known:
        known[place] = asked_ahead(frame, state.shared.text.live(frame.function)[0])
    slots, liveness = slots_like_registers(state, frame), state.shared.text.liveness(frame.function)
    live_slots = liveness.at(frame.block.name, frame.position)[1] if slots else frozenset[str]()
    values = held_in(state, frame, known[place], live_slots)
    told = *key, frozenset(values.items()), bool(slots)
    if told not in known:
        followed = follow(state, frame, values, slots, to_barriers=to_barriers)
        found = set[Later]()
        if followed is None or not _walk(state, frame, found, followed=followed).frame() or found == coarse:
            in_vain[untold] += 1
            known[told] = coarse
            return coarse
        known[told] = frozenset(found)
    result: frozenset[Later] = known[told]
    return result


def _outline(function: Function) -> Hashable:
    """Give what is the same for functions that differ in constants alone, as those of many threads do."""
    return tuple((block.name, *map(type, block.body)) for block in function.blocks)


def _given(function: Function, shared: Shared) -> tuple[str, ...]:
    """Name the registers of a function whose values say where it writes: its parameters, and what it allocates."""
    found = shared.text.given.get(function.name)
    if found is None:
        made = (each.target for each in function.instructions if isinstance(each, Alloca | Allocate))
        found = shared.text.given[function.name] = (*function.parameters, *made)
    return found


def writes_in(test: Test) -> list[Later]:
    """Give all writes in the code of a test, for where it is not known which of them a thread may still come to."""
    found = (write_of(each) for function in test.functions.values() for each in function.instructions)
    return [Later(each, _fixed(each.address)) for each in found if each is not None]


def _fixed(address: Expression) -> Places:
    """Give the place of an address that is a constant."""
    match address:
        case Constant(Pointer(name, offset), _):
            return frozenset({(name, offset)})
    return None


def uncreated(state: ThreadState) -> list[Thread]:
    """Give the threads that a thread has not created: at its end they are told that nobody will."""
    return [
        thread
        for thread in state.shared.creations.values()
        if thread.creation is not None
        and thread.creation.creator == state.thread.name
        and not thread.creation.certain
        and thread not in state.created
    ]


def later_of(state: ThreadState, frame: Frame, write: Write) -> Later:
    """Give what is known of a write in the code of a call.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
        The call.
    write : Write

    Returns
    -------
    Later
    """
    places = state.shared.written.setdefault(_known_in(state, frame), {})
    found: set[Later] = set()
    _walk(state, frame, found, places).text((write,))
    (later,) = found
    return later


def _later(
    state: ThreadState, instruction: Write, places: Places, *, of_handle: bool = False, library: bool = False
) -> Later:
    key = id(instruction), places, of_handle
    known = state.shared.writes
    if key not in known:
        heap = state.shared.heap if isinstance(instruction, Free) else None
        locks = state.shared.locks if isinstance(instruction, Store) and not library else None
        known[key] = Later(instruction, places, heap, state.shared.text, of_handle, locks)
    found: Later = known[key]
    return found


def _walk(
    state: ThreadState,
    frame: Frame | None,
    found: set[Later],
    places: dict[int, Places] | None = None,
    followed: Followed | None = None,
) -> Walk:
    """Give a walk that adds the writes that it comes to; see :class:`Walk`."""

    def note(write: Write, to: Places, of_handle: bool, library: bool) -> None:
        found.add(_later(state, write, to, of_handle=of_handle, library=library))

    return Walk(state, frame, note, places, followed)
