"""A walk over the code ahead of a thread: the writes in it, and where its addresses may point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

from enumerator.program.instructions import (
    Alloca,
    Allocate,
    Assign,
    AsyncCopy,
    Call,
    CompareExchange,
    Constant,
    Create,
    EndCatch,
    Expression,
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
from enumerator.program.types import BytesType, PointerType, store_size
from enumerator.program.values import Pointer
from enumerator.unfold.ahead import Followed
from enumerator.unfold.paths import Known
from enumerator.unfold.places import IN_MEMORY, MADE, MEMORY, Place, Places, joined, made_at, moved, places_of
from enumerator.unfold.pointing import HANDLE
from enumerator.unfold.state import Frame
from enumerator.unfold.thread import ThreadState

__all__ = ["Walk", "write_of"]

Note = Callable[[Write, Places, bool, bool], None]
Noted = list[tuple[Write, Places, bool, bool]]

_NO_PLACES: frozenset[Place] = frozenset()
_OWN: Mapping[str, Places] = {}
"""Stands for the arguments of a call whose registers are known."""
_MOST_CALLS, _MOST_CONTEXTS, _MOST_CALLED = 16, 4, 2
"""In each other; of a function, and by one instruction. In more, parameters may point to all that calls ever give."""


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


class Walk:
    """Follows the code of a call that has not returned, or of a whole function, through the calls in it.

    Parameters
    ----------
    state : ThreadState
    frame : Frame or None
        The call; None for a function that is to be called.
    note : callable
        Takes each write that is come to, the places that it may be of, whether it is in a function of the library that
        is told which object stands for a thread, and whether in one of the library.
    places : dict of int to Places, optional
        Those of addresses in the call that are known from other walks, by identity.
    followed : Followed, optional
        What the call may still come to, if that is known better than by its text.
    """

    def __init__(
        self,
        state: ThreadState,
        frame: Frame | None,
        note: Note,
        places: dict[int, Places] | None = None,
        followed: Followed | None = None,
    ) -> None:
        self._state, self._frame, self._note_write = state, frame, note
        self._places = {} if places is None else places
        self._ahead = followed
        self._again: set[str] = set()  # registers that come from themselves
        # What registers may hold, with the arguments, and those that rest on one that is being looked at.
        self._known: dict[tuple[str, str, int], tuple[Places, Mapping[str, Places], frozenset[str]]] = {}
        self._met: set[str] = set()  # such ones that have been met
        self._widest: set[str] = set()  # functions that have been looked at with all that parameters may point to
        self._contexts: Counter[str] = Counter()  # how often functions have been looked at
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
        return self._note(function.instructions, function, arguments, 0)

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
                self._note_write(write, places, of_handle, function.library)
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
        if called is None:
            return False
        if call.function in self._widest:
            return True
        points = self._of_address if arguments is _OWN else self.points
        given = {
            name: points(each, function, arguments, frozenset())
            for name, each in zip(called.parameters, call.arguments, strict=False)
        }
        key = call.function, tuple(given.items())
        if arguments is _OWN:
            noted = self._noted_in(called, given, (self._state.thread.name, *key))
            for each in noted or ():
                self._note_write(*each)
            return noted is not None
        if key in self._called:
            return True
        if depth >= _MOST_CALLS or self._contexts[call.function] >= _MOST_CONTEXTS:
            return self._note_all(call.function)
        self._called.add(key)
        self._contexts[call.function] += 1
        return self._note(called.instructions, called, given, depth + 1)

    def _note_all(self, name: str) -> bool:
        """Note the writes of a function, and of those that it may come to, whatever they are given."""
        stack = [name]
        while stack:
            name = stack.pop()
            if name in self._widest:
                continue
            self._widest.add(name)
            known, key = self._state.shared.written, (self._state.thread.name, name, "all")
            if key not in known:
                called = self._state.shared.functions.get(name)
                known[key] = None if called is None else Walk(self._state, None, self._note_write)._alone(called)
            if known[key] is None:
                return False
            noted, begun = known[key]
            for each in noted:
                self._note_write(*each)
            stack += begun
        return True

    def _alone(self, function: Function) -> tuple[Noted, list[str]] | None:
        """Give the writes of a function, whatever it is given, and the functions that it calls."""
        told = self._state.shared.text.stored.given
        given = {name: told.get((function.name, name), IN_MEMORY) for name in function.parameters}
        of_handle = function.library and HANDLE in function.parameters
        noted: Noted = []
        begun: list[str] = []
        for each in function.instructions:
            if isinstance(each, EndCatch) and each.destroys:
                return None
            if isinstance(each, Call):
                begun.append(each.function)
            elif isinstance(each, IndirectCall):
                callee = self.points(each.callee, function, given, frozenset())
                begun += [call.function for call in self._begun_by(each, callee)]
            write = write_of(each)
            if write is not None:
                places = self.points(write.address, function, given, frozenset())
                noted.append((write, places, of_handle, function.library))
        return noted, begun

    def _noted_in(self, called: Function, given: Mapping[str, Places], key: tuple[object, ...]) -> Noted | None:
        """Give the writes of a function that is called, and of those that it calls, once; None where not all are known.

        They do not rest on where the caller stands.
        """
        known = self._state.shared.written
        if key not in known:
            found: dict[tuple[int, Places], tuple[Write, Places, bool, bool]] = {}

            def note(write: Write, places: Places, of_handle: bool, library: bool) -> None:
                found[id(write), places] = write, places, of_handle, library

            known[key] = [*found.values()] if Walk(self._state, None, note).function(called, given) else None
        result: Noted | None = known[key]
        return result

    def _call_indirectly(
        self, call: IndirectCall, function: Function, arguments: Mapping[str, Places], depth: int
    ) -> bool:
        called, known = self.points(call.callee, function, arguments, frozenset()), self._state.shared.written
        key = id(call), called
        if key not in known:
            known[key] = [*self._begun_by(call, called)]
        begun: list[Call] = known[key]
        if len(begun) > _MOST_CALLED:
            return all(self._note_all(each.function) for each in begun)
        return all(self._call(each, function, arguments, depth) for each in begun)

    def _begun_by(self, call: IndirectCall, called: Places) -> Iterator[Call]:
        """Give the calls that one through a pointer may be."""
        functions = self._state.shared.functions
        named = {name.removeprefix("@") for name, _ in called or ()} & functions.keys()
        if called is None or any(name == MEMORY for name, _ in called):
            named |= self._state.shared.text.named
        for name in sorted(named):
            if functions[name].takes(call.parameters):
                yield Call(call.target, name, call.arguments, call.line)

    def points(
        self, expression: Expression, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]
    ) -> Places:
        """Give the places that an address may be of, in a function with those of its arguments."""
        return places_of(expression, lambda name: self._register(name, function, arguments, seen))

    def _register(self, name: str, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]) -> Places:
        """Give the places that a register may point to, once; of one that is looked at, what else it comes from."""
        if name in seen:
            self._again.add(name)
            self._met.add(name)
            return _NO_PLACES
        key = function.name, name, id(arguments)
        if key in self._known:
            places, _, met = self._known[key]
            self._met |= met
            return places
        before, self._met = self._met, set()
        places = self._looked_up(name, function, arguments, seen | {name})
        self._met.discard(name)
        if name in self._again:
            self._known = {each: known for each, known in self._known.items() if name not in known[2]}
        self._known[key] = places, arguments, frozenset(self._met)
        self._met |= before
        return places

    def _looked_up(
        self, name: str, function: Function, arguments: Mapping[str, Places], seen: frozenset[str]
    ) -> Places:
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
            found.append(state.shared.text.stored.given.get((function.name, name), IN_MEMORY))
        for each in state.shared.text.origins(function).get(name, ()):
            match each:
                case Phi(incoming=incoming):
                    found += [self.points(origin, function, arguments, seen) for _, origin in incoming]
                case Assign(expression=expression) | Freeze(expression=expression):
                    found.append(self.points(expression, function, arguments, seen))
                case Create():
                    made = (thread for thread in state.shared.creations.values() if thread.creation is not None)
                    return frozenset((thread.handle, 0) for thread in made)
                case Alloca() | Allocate():
                    once = each in function.blocks[0].body  # in a call
                    mine = state.thread.name
                    if once and isinstance(value, Pointer) and value.object.startswith(f"{mine}{MADE}"):
                        found.append(frozenset({(value.object, 0)}))
                    else:
                        found.append(frozenset({(made_at(function.name, name, mine), 0)}))
                case Load(address=address) | ReadModifyWrite(address=address) | CompareExchange(address=address):
                    from_ = self.points(address, function, arguments, seen)
                    size = store_size(each.type)
                    found.append(state.shared.text.stored.loaded_from(from_, size, function.name))
                case Call(function=called):
                    found.append(state.shared.text.stored.returned.get(called, IN_MEMORY))
                case IndirectCall(callee=callee, parameters=types):
                    begun = self.points(callee, function, arguments, seen)
                    found.append(state.shared.text.stored.returned_through(begun, types))
                case _:
                    found.append(IN_MEMORY)
        if not found:
            return None
        places = joined(found)
        if name not in self._again:
            return places
        # It may come from itself, moved, in each iteration of a loop.
        return state.shared.text.stored.narrowed(moved(places, None), function.name, name)
