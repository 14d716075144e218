"""What a thread may still write, as its code says from where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
    Free,
    Function,
    IndirectCall,
    Operation,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.test import Test, Thread
from enumerator.program.types import BytesType, store_size
from enumerator.program.values import Pointer
from enumerator.unfold.control import BEGUN, END, END_CODE
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import Frame, Shared
from enumerator.unfold.thread import ThreadState

__all__ = ["Later", "Write", "pointed_to", "uncreated", "write_of", "writes_in", "writes_to_come"]

Write = Store | ReadModifyWrite | CompareExchange | Free
_Objects = frozenset[str] | None
_NO_OBJECTS: frozenset[str] = frozenset()
_OWN: Mapping[str, _Objects] = {}
"""Stands for the arguments of a call whose registers are known."""
_MOST_CALLS = 16


@dataclass(frozen=True, eq=False, slots=True)
class Later:
    """A write in the code of a thread. There is one for each instruction and what it may write to.

    Parameters
    ----------
    instruction : Store, ReadModifyWrite, CompareExchange or Free
    objects : frozenset of str or None
        What it may write to; None where that may be anything.
    """

    instruction: Write
    objects: frozenset[str] | None

    def may_access(self, location: Location) -> bool:
        """Tell whether it may write to a location."""
        match self.instruction.address:
            case Constant(Pointer(name, int(offset)), _) if not isinstance(self.instruction, Free):
                return Location(name, offset, store_size(self.instruction.type)).overlaps(location)
        return self.objects is None or location.object in self.objects

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
    ends = state.thread.creation is not None
    for frame in state.frames:
        written = _written(state, frame)
        if written is None:
            return None
        found |= written
    unchanged = state.unchanged
    if unchanged is not None and not unchanged.left_out:
        found.add(_later(state, unchanged.made_by, frozenset({unchanged.location.object})))
    functions = state.shared.functions
    told = [(each, functions[name]) for each in [state.thread] if ends for name in (END, END_CODE)]
    told += [(each, functions[BEGUN]) for each in uncreated(state)]
    for thread, function in told:
        for instruction in _body(function):
            if isinstance(instruction, Store):
                found.add(_later(state, instruction, frozenset({thread.handle})))
    return frozenset(found)


def _written(state: ThreadState, frame: Frame) -> frozenset[Later] | None:
    """Give the writes from where a call stands on; None where not all are known.

    They follow from the place, and from where those registers point that are known: paths come there again and again.
    """
    function, known = frame.function, state.shared.written
    pointers = [state.registers.get(frame.prefix + name) for name in _given(function, state.shared)]
    nodes = (None if each is None or not isinstance(each.node, Known) else each.node.value for each in pointers)
    key = state.thread.name, frame.prefix, function.name, frame.block.name, frame.position, *nodes
    if key not in known:
        found: set[Later] = set()
        known[key] = frozenset(found) if _Walk(state, frame, found).frame() else None
    result: frozenset[Later] | None = known[key]
    return result


def _given(function: Function, shared: Shared) -> tuple[str, ...]:
    """Name the registers of a function whose values say where it writes: its parameters, and what it allocates."""
    found = shared.given.get(function.name)
    if found is None:
        made = (each.target for each in function.instructions if isinstance(each, Alloca | Allocate))
        found = shared.given[function.name] = (*function.parameters, *made)
    return found


def writes_in(test: Test) -> list[Later]:
    """Give all writes in the code of a test, anywhere: where it is not known which a thread may still come to."""
    bodies = map(_body, test.functions.values())
    found = map(write_of, chain.from_iterable(bodies))
    return [Later(each, None) for each in found if each is not None]


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


def pointed_to(state: ThreadState, frame: Frame, expression: Expression) -> frozenset[str] | None:
    """Name the objects that an address may point to; None where that may be any.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
        The call that the expression belongs to.
    expression : Expression

    Returns
    -------
    frozenset of str or None
    """
    return _Walk(state, frame, set()).points(expression, frame.function, _OWN, frozenset())


def _later(state: ThreadState, instruction: Write, objects: _Objects) -> Later:
    key = id(instruction), objects
    known = state.shared.writes
    if key not in known:
        known[key] = Later(instruction, objects)
    found: Later = known[key]
    return found


def _body(function: Function) -> Iterator[object]:
    return chain.from_iterable(block.body for block in function.blocks)


class _Walk:
    """Follows the code of a call that has not returned."""

    def __init__(self, state: ThreadState, frame: Frame, found: set[Later]) -> None:
        self._state, self._frame, self._found = state, frame, found
        self._called: set[tuple[str, tuple[tuple[str, _Objects], ...]]] = set()

    def frame(self) -> bool:
        """Note the writes from where the call stands on; tell whether all are known."""
        return self._note(chain.from_iterable(self._frame.ahead()), self._frame.function, _OWN, 0)

    def _note(self, body: Iterator[object], function: Function, arguments: Mapping[str, _Objects], depth: int) -> bool:
        for each in body:
            if isinstance(each, EndCatch) and each.destroys:
                return False
            if isinstance(each, IndirectCall) and not self._call_indirectly(each, function, arguments, depth):
                return False
            if isinstance(each, Call) and not self._call(each, function, arguments, depth):
                return False
            write = write_of(each)
            if write is not None:
                objects = self.points(write.address, function, arguments, frozenset())
                self._found.add(_later(self._state, write, objects))
        return True

    def _call(self, call: Call, function: Function, arguments: Mapping[str, _Objects], depth: int) -> bool:
        called = self._state.shared.functions.get(call.function)
        if called is None or depth == _MOST_CALLS:
            return False
        given = {
            name: self.points(each, function, arguments, frozenset())
            for name, each in zip(called.parameters, call.arguments, strict=False)
        }
        key = call.function, tuple(given.items())
        if key in self._called:
            return True
        self._called.add(key)
        return self._note(_body(called), called, given, depth + 1)

    def _call_indirectly(
        self, call: IndirectCall, function: Function, arguments: Mapping[str, _Objects], depth: int
    ) -> bool:
        called = self.points(call.callee, function, arguments, frozenset())
        if called is None:
            return False
        begun = (Call(call.target, name.removeprefix("@"), call.arguments, call.line) for name in sorted(called))
        known = self._state.shared.functions
        return all(self._call(each, function, arguments, depth) for each in begun if each.function in known)

    def points(
        self, expression: Expression, function: Function, arguments: Mapping[str, _Objects], seen: frozenset[str]
    ) -> _Objects:
        """Name the objects that an address may point to, in a function with what its arguments point to."""
        match expression:
            case Constant(Pointer(name, _), _):
                return frozenset({name})
            case Constant():
                return _NO_OBJECTS
            case Operation(operator="ptradd" | "extractvalue", arguments=parts):
                return self.points(parts[0], function, arguments, seen)
            case Operation(operator="select", arguments=parts):
                return _joined(self.points(each, function, arguments, seen) for each in parts[1:])
            case Register(name) if name in seen:
                return _NO_OBJECTS
            case Register(name):
                return self._register(name, function, arguments, seen | {name})
        return None

    def _register(
        self, name: str, function: Function, arguments: Mapping[str, _Objects], seen: frozenset[str]
    ) -> _Objects:
        state, frame = self._state, self._frame
        if name in arguments:
            return arguments[name]
        known = state.registers.get(frame.prefix + name) if arguments is _OWN else None
        if known is not None and name in function.parameters and isinstance(known.node, Known):
            return frozenset({known.node.value.object}) if isinstance(known.node.value, Pointer) else _NO_OBJECTS
        defined: list[Expression] = []
        allocates = False
        for block in function.blocks:
            defined += [value for phi in block.phis if phi.target == name for _, value in phi.incoming]
            for each in block.body:
                if isinstance(each, Assign) and each.target == name:
                    defined.append(each.expression)
                elif isinstance(each, Alloca | Allocate) and each.target == name:
                    allocates = block is function.blocks[0]  # once in a call
                elif isinstance(each, Create) and each.target == name:
                    mine = (thread for thread in state.shared.creations.values() if thread.creation is not None)
                    return frozenset(thread.handle for thread in mine)
        if defined:
            return _joined(self.points(each, function, arguments, seen) for each in defined)
        if allocates and known is not None and isinstance(known.node, Known) and isinstance(known.node.value, Pointer):
            allocated = known.node.value.object
            return frozenset({allocated}) if allocated.startswith(f"{state.thread.name}:") else None
        return None


def _joined(parts: Iterator[_Objects]) -> _Objects:
    found: set[str] = set()
    for each in parts:
        if each is None:
            return None
        found |= each
    return frozenset(found)
