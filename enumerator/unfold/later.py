"""What a thread may still write, as its code says from where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import chain

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Alloca,
    Allocate,
    Annotation,
    Assign,
    AsyncCopy,
    Call,
    CompareExchange,
    Constant,
    Create,
    EndCatch,
    Expression,
    Free,
    Freeze,
    Function,
    IndirectCall,
    Load,
    Operation,
    Phi,
    ReadModifyWrite,
    Store,
    Write,
)
from enumerator.program.test import Test, Thread
from enumerator.program.types import BytesType, PointerType, store_size
from enumerator.program.values import Pointer, Value
from enumerator.unfold.ahead import Followed, are_registers, asked_ahead, follow, held_in_slots
from enumerator.unfold.control import BEGUN, DESTROY, END, END_CODE
from enumerator.unfold.heap import END_OF_SLOT, slots_to_end
from enumerator.unfold.lock_words import LockWords
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.places import MADE, MEMORY, Place, Places, is_marker, joined, moved, places_of
from enumerator.unfold.pointing import HANDLE
from enumerator.unfold.state import Frame, Shared
from enumerator.unfold.stored import Stored, may_reach
from enumerator.unfold.thread import ThreadState

__all__ = [
    "Later",
    "Write",
    "ends_of_slots",
    "later_of",
    "told_at_end",
    "uncreated",
    "write_of",
    "writes_before_barrier",
    "writes_in",
    "writes_to_come",
]

_NO_PLACES: frozenset[Place] = frozenset()
_OWN: Mapping[str, Places] = {}
"""Stands for the arguments of a call whose registers are known."""
_MOST_CALLS = 16
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
    stored : Stored or None
        Which addresses memory may hold; None where that is not known.
    of_handle : bool
        Whether it is in a function of the library that is told which object stands for a thread.
    locks : LockWords or None
        Where locks keep their state; None in the library.
    """

    instruction: Write
    places: frozenset[Place] | None
    heap: Set[str] | None = None
    stored: Stored | None = None
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

    def may_access(self, location: Location) -> bool:
        """Tell whether it may write to a location."""
        size = None if isinstance(self.instruction, Free) else store_size(self.instruction.type)
        if self.heap is None or location.object in self.heap:
            return may_reach(self.places, size, location, self.stored, of_handle=self.of_handle)
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
    destroyed = _destroyed(state) if DESTROY in state.shared.functions else frozenset[Later]()
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
    """Give the writes of what destroys a thread's data; None where not all are known."""
    known, key = state.shared.written, (state.thread.name, DESTROY)
    if key not in known:
        found: set[Later] = set()
        whole = _Walk(state, None, found).function(state.shared.functions[DESTROY], {})
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
    destroyed = _destroyed(state) if DESTROY in state.shared.functions else frozenset[Later]()
    return None if destroyed is None else frozenset(found | destroyed)


def _tells(state: ThreadState, thread: Thread, name: str) -> frozenset[Later]:
    """Give the writes of a function that tells of a thread where that begins or ends."""
    function, known = state.shared.functions[name], state.shared.written
    key = thread.handle, name
    if key not in known:
        nothing = dict.fromkeys(function.parameters, _NO_PLACES)
        given: Mapping[str, Places] = nothing | {HANDLE: frozenset({(thread.handle, 0)})}
        found: set[Later] = set()
        _Walk(state, None, found).function(function, given)
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
        known[key] = frozenset(found) if _Walk(state, frame, found, known.setdefault(places, {})).frame() else None
    return _followed(state, frame, key, known[key])


def _written_before_barrier(state: ThreadState, frame: Frame) -> tuple[frozenset[Later] | None, bool]:
    """Give those that come before the thread waits at a barrier; and whether the call may end first."""
    known, places = state.shared.written, _known_in(state, frame)
    key = *places, frame.block.name, frame.position, _TO_BARRIERS
    if key not in known:
        found: set[Later] = set()
        text, ends = frame.before_barrier()
        whole = _Walk(state, frame, found, known.setdefault(places, {})).text(text)
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

    Nothing is asked of these where the writes that are found without them begin at known places.
    """
    if coarse is None or not any(map(_begins_anywhere, coarse)):
        return coarse
    known, (live, live_slots) = state.shared.written, state.shared.text.live(frame.function)
    untold = frame.function.name, "untold", to_barriers
    if untold in known:
        return coarse
    place = frame.function.name, frame.block.name, frame.position, "asked"
    if place not in known:
        known[place] = asked_ahead(frame, live)
    values: dict[str, Value] = {}
    for name in known[place]:
        local = state.registers.get(frame.prefix + name)
        if local is not None and isinstance(local.node, Known) and isinstance(local.node.value, int | Pointer):
            values[name] = local.node.value
    liveness = state.shared.text.liveness(frame.function)
    if liveness.tracked:
        values |= held_in_slots(state, frame, liveness.at(frame.block.name, frame.position)[1])
    told = *key, frozenset(values.items())
    if told not in known:
        slots = liveness.tracked if are_registers(state, frame) else {}
        followed, found = follow(frame, values, live, slots, live_slots, to_barriers=to_barriers), set[Later]()
        if followed is None or not _Walk(state, frame, found, followed=followed).frame() or found == coarse:
            known[untold] = True  # most likely it never tells more
            return coarse
        known[told] = frozenset(found)
    result: frozenset[Later] = known[told]
    return result


def _given(function: Function, shared: Shared) -> tuple[str, ...]:
    """Name the registers of a function whose values say where it writes: its parameters, and what it allocates."""
    found = shared.text.given.get(function.name)
    if found is None:
        made = (each.target for each in function.instructions if isinstance(each, Alloca | Allocate))
        found = shared.text.given[function.name] = (*function.parameters, *made)
    return found


def writes_in(test: Test) -> list[Later]:
    """Give all writes in the code of a test, anywhere: where it is not known which a thread may still come to."""
    bodies = map(_body, test.functions.values())
    found = map(write_of, chain.from_iterable(bodies))
    return [Later(each, _fixed(each.address)) for each in found if each is not None]


def _fixed(address: Expression) -> Places:
    """Give the place of an address that is a constant."""
    match address:
        case Constant(Pointer(name, offset), _):
            return frozenset({(name, offset)})
    return None


def write_of(instruction: object) -> Write | None:
    """Give what an instruction writes, if it does; of an asynchronous copy, a store that depends on the same registers.

    Parameters
    ----------
    instruction : object

    Returns
    -------
    Write or None
    """
    if isinstance(instruction, AsyncCopy):
        return _store_of(instruction)
    return instruction if isinstance(instruction, Write) else None


@lru_cache(maxsize=256)
def _store_of(copy: AsyncCopy) -> Store:
    type_, address = copy.type, copy.destination
    if type_ is None:  # the addresses are anywhere in the two objects, in any order
        type_ = BytesType(1)
        address = Operation("select", (copy.source, copy.source, copy.destination), type_, type_)
    return Store(address, copy.source, type_, copy.write, copy.line)


def uncreated(state: ThreadState) -> list[Thread]:
    """Give the threads that are told at the end of a thread, if it does not create them, that nobody will."""
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
    _Walk(state, frame, found, places).text((write,))
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
        known[key] = Later(instruction, places, heap, state.shared.text.stored, of_handle, locks)
    found: Later = known[key]
    return found


def _body(function: Function) -> Iterator[object]:
    return chain.from_iterable(block.body for block in function.blocks)


class _Walk:
    """Follows the code of a call that has not returned, or of a whole function."""

    def __init__(
        self,
        state: ThreadState,
        frame: Frame | None,
        found: set[Later],
        places: dict[int, Places] | None = None,
        followed: Followed | None = None,
    ) -> None:
        self._state, self._frame, self._found = state, frame, found
        self._places = {} if places is None else places  # of addresses in the call, by identity
        self._ahead = followed  # what the call may still come to, if that is known better than by its text
        self._again: set[str] = set()  # registers that come from themselves
        self._called: set[tuple[str, tuple[tuple[str, Places], ...]]] = set()

    def frame(self) -> bool:
        """Note the writes from where the call stands on; tell whether all are known."""
        assert self._frame is not None
        text = chain.from_iterable(self._frame.ahead()) if self._ahead is None else iter(self._ahead.instructions)
        return self._note(text, self._frame.function, _OWN, 0)

    def text(self, body: Iterable[object]) -> bool:
        """Note the writes of a part of the call's code; tell whether all are known."""
        assert self._frame is not None
        return self._note(iter(body), self._frame.function, _OWN, 0)

    def function(self, function: Function, arguments: Mapping[str, Places]) -> bool:
        """Note the writes of a function with these arguments; tell whether all are known."""
        return self._note(_body(function), function, arguments, 0)

    def _note(self, body: Iterator[object], function: Function, arguments: Mapping[str, Places], depth: int) -> bool:
        of_handle = function.library and HANDLE in function.parameters
        for each in body:
            if isinstance(each, EndCatch) and each.destroys:
                return False
            if isinstance(each, IndirectCall) and not self._call_indirectly(each, function, arguments, depth):
                return False
            if isinstance(each, Call) and not self._call(each, function, arguments, depth):
                return False
            write = write_of(each)
            if write is not None:
                kept = arguments is _OWN and write is each  # then the address is one of the code
                points = self._of_address if kept else self.points
                places = self._told(write) if kept else None
                if places is None:
                    places = points(write.address, function, arguments, frozenset())
                self._found.add(_later(self._state, write, places, of_handle=of_handle, library=function.library))
        return True

    def _told(self, write: Write) -> Places:
        """Give the places that a write may be of, where the values of registers tell."""
        addresses = None if self._ahead is None else self._ahead.addresses.get(id(write))
        return None if addresses is None else frozenset((each.object, each.offset) for each in addresses)

    def _of_address(
        self, address: Expression, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]
    ) -> Places:
        """The same as :meth:`points`, once for each address."""
        if id(address) not in self._places:
            self._places[id(address)] = self.points(address, function, arguments, seen)
        return self._places[id(address)]

    def _call(self, call: Call, function: Function, arguments: Mapping[str, Places], depth: int) -> bool:
        called = self._state.shared.functions.get(call.function)
        if called is None or depth == _MOST_CALLS:
            return False
        points = self._of_address if arguments is _OWN else self.points
        given = {
            name: points(each, function, arguments, frozenset())
            for name, each in zip(called.parameters, call.arguments, strict=False)
        }
        key = call.function, tuple(given.items())
        if arguments is _OWN:
            written = self._written_in(called, given, (self._state.thread.name, *key))
            self._found |= written or frozenset()
            return written is not None
        if key in self._called:
            return True
        self._called.add(key)
        return self._note(_body(called), called, given, depth + 1)

    def _written_in(
        self, called: Function, given: Mapping[str, Places], key: tuple[object, ...]
    ) -> frozenset[Later] | None:
        """Give the writes of a function that is called, and of those that it calls, once; None where not all are known.

        They do not rest on where the caller stands.
        """
        known = self._state.shared.written
        if key not in known:
            found: set[Later] = set()
            known[key] = frozenset(found) if _Walk(self._state, None, found).function(called, given) else None
        result: frozenset[Later] | None = known[key]
        return result

    def _call_indirectly(
        self, call: IndirectCall, function: Function, arguments: Mapping[str, Places], depth: int
    ) -> bool:
        called, known = self.points(call.callee, function, arguments, frozenset()), self._state.shared.functions
        if called is None or any(is_marker(name) for name, _ in called):
            named = self._state.shared.text.named
        else:
            named = frozenset(name.removeprefix("@") for name, _ in called) & known.keys()
        fit = (name for name in sorted(named) if known[name].takes(call.parameters))
        begun = (Call(call.target, name, call.arguments, call.line) for name in fit)
        return all(self._call(each, function, arguments, depth) for each in begun)

    def points(
        self, expression: Expression, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]
    ) -> Places:
        """Give the places that an address may be of, in a function with those of its arguments."""
        return places_of(expression, lambda name: self._register(name, function, arguments, seen))

    def _register(self, name: str, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]) -> Places:
        if name in seen:
            self._again.add(name)
            return _NO_PLACES
        seen = seen | {name}
        state, frame = self._state, self._frame
        if name.startswith("%"):
            told = state.shared.text.identities.get(state.thread.name, {}).get(name)  # none while threads are sought
            return None if told is None else self.points(Constant(told, PointerType()), function, arguments, seen)
        known = state.registers.get(frame.prefix + name) if arguments is _OWN and frame is not None else None
        value = known.node.value if known is not None and isinstance(known.node, Known) else None
        found: list[Places] = []
        if name in arguments:
            found.append(arguments[name])
        elif value is not None and name in function.parameters:
            found.append(self.points(Constant(value, PointerType()), function, arguments, seen))
        elif name in function.parameters:
            found.append(frozenset({(MEMORY, 0)}))
        for each in state.shared.text.origins(function).get(name, ()):
            match each:
                case Phi(incoming=incoming):
                    found += [self.points(origin, function, arguments, seen) for _, origin in incoming]
                case Assign(expression=expression) | Freeze(expression=expression):
                    found.append(self.points(expression, function, arguments, seen))
                case Create():
                    mine = (thread for thread in state.shared.creations.values() if thread.creation is not None)
                    return frozenset((thread.handle, 0) for thread in mine)
                case Alloca() | Allocate():
                    once = each in function.blocks[0].body  # in a call
                    own = f"{state.thread.name}{MADE}"
                    if once and isinstance(value, Pointer) and value.object.startswith(own):
                        found.append(frozenset({(value.object, 0)}))
                    else:
                        found.append(frozenset({(own, 0)}))
                case Load(address=address) | ReadModifyWrite(address=address) | CompareExchange(address=address):
                    from_ = self.points(address, function, arguments, seen)
                    found.append(state.shared.text.stored.loaded_from(from_))
                case _:
                    found.append(frozenset({(MEMORY, 0)}))
        if not found:
            return None
        places = joined(found)
        # It may come from itself, moved, in each iteration of a loop.
        return moved(places, None) if name in self._again else places
