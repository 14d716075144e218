"""One thread run concretely, along every way that the values of its reads and its other choices may take.

This file is long because each instruction is run here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import (
    HIDDEN,
    Alloca,
    Allocate,
    Annotation,
    Assign,
    Assume,
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    Barrier,
    BarrierOperation,
    Block,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Create,
    Exit,
    Expression,
    Fence,
    Free,
    Freeze,
    Function,
    Hold,
    IndirectCall,
    Instruction,
    Jump,
    Load,
    Meet,
    Misuse,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Switch,
    Unreachable,
    Unsupported,
)
from enumerator.program.test import Test, Thread
from enumerator.program.types import BytesType, IntType, PointerType, Type, VectorType, size_of, store_size
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Value
from enumerator.scopes import thread_properties
from tests.literal.arithmetic import DivisionByZero, apply, is_undef, parts_of_undef, read_modify_write
from tests.literal.contents import Byte, Content, Copied, PartOfWhole, Piece, decode, encode
from tests.literal.events import NOTHING, Event, Location, Reads, Step, Trace
from tests.literal.loops import Loop, Round, find_loops, parts, sources, targets
from tests.literal.waiting import Begun, may_be_read, only_reads, register_may_be_read, without

__all__ = ["Frozen", "SlotEscapes", "traces"]

_MOST_STEPS = 20_000
_END = Annotation(labels=frozenset(("FREE",)))
_NO_SLOTS: Mapping[str, int] = MappingProxyType({})
_CHOOSING = (AsyncCopy, BarrierOperation, Load, ReadModifyWrite, CompareExchange, Freeze)


class _Stop(Exception):
    """The thread ends here: cut, or undefined behaviour."""


class SlotEscapes(Exception):
    """A thread writes the address of a stack slot to memory: the slot is a location, and all traces are others."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name)
        self.name, self.size = name, size


class _Open(Exception):
    """A choice for which no answer was given."""

    def __init__(self, options: Sequence[Any]) -> None:
        super().__init__(options)
        self.options = options


Readable = Callable[[Location, Location, Type], Sequence[Content]]
Cells = Callable[[Location], Sequence[Location]]
Frozen = Callable[[Type], Sequence[Value]]


def come_to_barriers(test: Test) -> list[str]:
    """Name the threads that may come to barriers, all to one; none where somebody looks at what it returns."""
    wait = "pthread_barrier_wait"
    for function in test.functions.values():
        for call in function.instructions:
            if isinstance(call, Call) and call.function == wait and call.target and not function.library:
                if f"Register(name={call.target!r})" in repr(function):
                    return []
    named, grown = {wait}, True
    while grown:
        calling = {
            name for name, each in test.functions.items() if any(_calls(part, named) for part in each.instructions)
        }
        grown, named = not calling <= named, named | calling
    return [thread.name for thread in test.threads if thread.function in named]


def _calls(part: object, named: set[str]) -> bool:
    return isinstance(part, Call) and part.function in named


def traces(
    test: Test,
    thread: Thread,
    readable: Readable,
    cells: Cells,
    frozen: Frozen,
    unroll: int,
    escaped: Mapping[str, int] = _NO_SLOTS,
    waits: bool = True,
) -> Iterator[Trace]:
    """Every run of a thread whose reads return values that `readable` offers.

    Where an instruction asks for a choice, the run is taken up again from before it, once with each answer.

    Parameters
    ----------
    test : Test
    thread : Thread
    readable : callable
        What a read of a cell may return, which is part of an access of a type.
    cells : callable
        The cells that an access covers, in the order of addresses.
    frozen : callable
        The values that ``freeze`` of undef may give, for a type.
    unroll : int
    escaped : mapping of str to int
        The stack slots that are locations, and their sizes; all others are registers.
    waits : bool
        Whether a loop that waits is one round, in which it is left.

    Raises
    ------
    SlotEscapes
        If another one has to be a location.
    """
    first = _Run(_Thread(test, thread.name, readable, cells, frozen, unroll, escaped, waits))
    given = [(argument.value, NOTHING) for argument in thread.arguments]
    if thread.creation is not None and thread.creation.argument is None:
        given = [(UNDEF, NOTHING)]
    if thread.creation is not None and not test.functions[thread.function].parameters:
        given = []  # a function of C that ignores its argument
    first.call(thread.function, given, "%", None)
    first.begin()
    todo: list[tuple[_Run, tuple[Any, ...]]] = [(first, ())]
    while todo:
        before, answers = todo.pop()
        run = before.copy()
        while run.end is None:
            try:
                run.step(answers)
            except _Open as choice:
                todo.extend((before, (*answers, option)) for option in reversed(choice.options))
                break
            answers = ()
            if run.chooses_next():
                before = run.copy()
        else:
            if run.end != "again":
                run.leave_uncreated()
                yield run.trace()


class _Thread:
    """What all runs of a thread share."""

    def __init__(
        self,
        test: Test,
        name: str,
        readable: Readable,
        cells: Cells,
        frozen: Frozen,
        unroll: int,
        escaped: Mapping[str, int],
        waits: bool,
    ) -> None:
        self.test = test
        self.big = test.big_endian
        self.cells = cells
        self.name = name
        (self.itself,) = [each for each in test.threads if each.name == name]
        self.properties = thread_properties(test)[name]
        self.readable = readable
        self.frozen = frozen
        self.unroll = unroll
        self.escaped = escaped
        self.waits = waits
        self.blocks = {name: {b.name: b for b in function.blocks} for name, function in test.functions.items()}
        self.loops = {name: find_loops(function) for name, function in test.functions.items()}
        self.tests: dict[tuple[str, str], list[tuple[Expression, tuple[str, ...]]]] = {}

    @cached_property
    def come(self) -> list[str]:
        return come_to_barriers(self.test)

    def parts(self, function: Function, block: str, condition: Expression) -> list[tuple[Expression, tuple[str, ...]]]:
        """The parts of the condition of a block's branch, each with the registers from which it is computed."""
        place = function.name, block
        if place not in self.tests:
            self.tests[place] = [(part, sources(function, part)) for part in parts(function, condition)]
        return self.tests[place]


@dataclass
class _Frame:
    """A function that is active: where it is, its registers, and the register of its caller for what it returns."""

    function: Function
    prefix: str
    target: str | None
    block: Block
    position: int = 0
    registers: dict[str, tuple[Any, Reads]] = field(default_factory=dict)
    compared: dict[Expression, Reads] = field(default_factory=dict)
    """By the result of a compare-exchange, what its success depends on besides: the reads of what it expects."""
    rounds: dict[Loop, Round] = field(default_factory=dict)
    marks: dict[int, list[Reads]] = field(default_factory=dict)
    slots: tuple[str, ...] = ()
    begun: int = 0
    """How many events there were when it began."""
    repeats: int = 0

    def copy(self) -> _Frame:
        rounds = {loop: each.copy() for loop, each in self.rounds.items()}
        marks = {stage: list(each) for stage, each in self.marks.items()}
        registers, compared = dict(self.registers), dict(self.compared)
        return replace(self, registers=registers, compared=compared, rounds=rounds, marks=marks)


class _Run:
    def __init__(self, thread: _Thread) -> None:
        self.thread = thread
        self.answers: list[Any] = []
        self.slots: dict[Location, tuple[Byte, Reads]] = {}
        self.events: list[Event] = []
        self.registers: dict[str, Value] = {}
        self.control: Reads = NOTHING
        self.waiting: Reads = NOTHING
        self.spurious: tuple[tuple[Reads, Reads], ...] = ()
        self.unchanged: Reads = NOTHING
        self.calls: dict[str, int] = {}
        self.frames: list[_Frame] = []
        self.instruction = 0
        self.steps = 0
        self.allocas: dict[str, int] = {}
        self.sizes = {memory.name: size_of(memory.type) for memory in thread.test.objects} | dict(thread.escaped)
        self.end: str | None = None
        self.created: tuple[Thread, ...] = ()
        self.left = False
        self.copies: tuple[tuple[int, int], ...] = ()
        self.heap: dict[str, int] = {}
        self.held: Mapping[Pointer, int] = {}

    def copy(self) -> _Run:
        other = copy.copy(self)
        other.slots, other.events, other.registers = dict(self.slots), list(self.events), dict(self.registers)
        other.calls, other.allocas, other.sizes = dict(self.calls), dict(self.allocas), dict(self.sizes)
        other.heap = dict(self.heap)
        other.frames = [frame.copy() for frame in self.frames]
        return other

    def trace(self) -> Trace:
        registers, allocas = tuple(sorted(self.registers.items())), tuple((self.allocas | self.heap).items())
        return Trace(self.thread.name, tuple(self.events), registers, self.end or "return", allocas, self.waiting)

    def choose(self, options: Sequence[Any]) -> Any:
        """Take the next answer."""
        if not self.answers:
            raise _Open(options)
        return self.answers.pop(0)

    # Control flow -------------------------------------------------------------------------------------------

    def chooses_next(self) -> bool:
        """Whether the next instruction may ask for a choice."""
        if self.end is not None:
            return False
        frame = self.frames[-1]
        body = frame.block.body
        return frame.position < len(body) and isinstance(body[frame.position], _CHOOSING)

    def step(self, answers: Sequence[Any]) -> None:
        """Run one instruction, with answers to its choices."""
        self.answers = list(answers)
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise LimitReached
        frame = self.frames[-1]
        try:
            if frame.position < len(frame.block.body):
                frame.position += 1
                self._execute(frame, frame.block.body[frame.position - 1])
            else:
                self._leave(frame, frame.block)
        except _Stop as stop:
            self.end = str(stop)

    def call(self, name: str, arguments: list[tuple[Value, Reads]], prefix: str, target: str | None) -> None:
        """Begin a function; more than `unroll` activations below another one are cut.

        Those do not count that pass on another known argument, if no read since the last one decides on control flow.
        """
        function = self.thread.test.functions[name]
        frame = _Frame(function, prefix, target, function.blocks[0], begun=len(self.events))
        active = [each for each in self.frames if each.function.name == name]
        if active:
            last = active[-1]
            before = [last.registers[parameter] for parameter in function.parameters]
            pairs = zip(before, arguments, strict=True)
            onward = any(old != new and not (old[1] or new[1]) for old, new in pairs)
            decided = any(read >= last.begun for read in self.control)
            frame.repeats = last.repeats + (decided or not onward or len(active) >= 256)
        if frame.repeats > self.thread.unroll:
            raise _Stop("cut")
        frame.registers.update(zip(function.parameters, arguments, strict=True))
        self.frames.append(frame)
        self._go_round(frame, "")

    def _leave(self, frame: _Frame, block: Block) -> None:
        match block.terminator:
            case Return(value):
                result = (UNDEF, NOTHING) if value is None else self.evaluate(frame, value)
                if len(self.frames) > 1 or self.thread.itself.creation is not None:
                    self._end_slots(frame)
                self.frames.pop()
                if not self.frames:
                    self._end(result)
                elif frame.target is not None:
                    self._assign(self.frames[-1], frame.target, *result)
                return
            case Jump(target):
                pass
            case Branch(condition, then, otherwise):
                target = then if self._decide(frame, block, condition) else otherwise
            case Switch(value, cases, default):
                decided = self._decide(frame, block, value)
                target = next((place for case, place in cases if case == decided), default)
            case Unreachable():
                raise _Stop("ub-unreachable")
            case Unsupported(text, line):
                raise InputError(f"{text} is not covered", self.thread.test.path, line)
        frame.block, frame.position = self.thread.blocks[frame.function.name][target], 0
        values = [
            (phi.target, self.evaluate(frame, dict(phi.incoming)[block.name]))  # all of them before any is assigned
            for phi in frame.block.phis
        ]
        held = tuple(each for _, each in values)
        if self.thread.waits or frame.function.library:
            self._wait(frame, block.name, held)
        self._go_round(frame, block.name)
        for loop, each in frame.rounds.items():
            if target in loop.headers:
                each.begun = Begun(len(self.events), held, dict(frame.registers), dict(self.slots))
        for register, (found, reads) in values:
            self._assign(frame, register, found, reads)

    def _wait(self, frame: _Frame, came_from: str, held: tuple[tuple[Value, Reads], ...]) -> None:
        """Section 9: a round that only reads and carries nothing is left out; or the thread waits there for ever."""
        header = frame.block.name
        for loop in self.thread.loops[frame.function.name]:
            if loop.headers != {header} or came_from not in loop.blocks:
                continue
            begun = frame.rounds[loop].begun
            assert isinstance(begun, Begun)
            repeated = self.unchanged.intersection(range(begun.events, len(self.events)))  # writes of what was there
            left = [self.events[each] for each in range(begun.events, len(self.events)) if each not in repeated]
            if not only_reads(left) or self._source(begun.phis) != self._source(held):
                continue
            names = {*begun.registers, *frame.registers} - {phi.target for phi in frame.block.phis}
            changes = [name for name in names if self._changed(begun.registers, frame.registers, name)]
            if any(register_may_be_read(frame.function, header, name) for name in changes):
                continue
            places = {*begun.slots, *self.slots}
            changed = {place.object for place in places if self._changed(begun.slots, self.slots, place)}
            if not any(self._is_used(frame, header, name) for name in changed):
                self.events = without(self.events, repeated)
                reads = range(begun.events, len(self.events))
                self.waiting = frozenset(read for read in reads if self.events[read].kind == "R")
                never = any(failed.intersection(reads) for failed, _ in self.spurious)
                never = never or frame.function.name == "enumerator.begin"
                raise _Stop("again" if never else "stuck")

    def _changed(self, before: Mapping[Any, Any], now: Mapping[Any, Any], name: Hashable) -> bool:
        one, other = before.get(name), now.get(name)
        return (None if one is None else self._source((one,))) != (None if other is None else self._source((other,)))

    def _source(self, held: Iterable[tuple[Any, Reads]]) -> list[tuple[Any, Reads]]:
        """Values, those that a weak cmpxchg read which failed for no reason as those that it expected."""
        found = []
        for value, reads in held:
            for failed, expected in reversed(self.spurious):
                if failed <= reads:
                    reads = (reads - failed) | expected
            found.append((value, reads))
        return found

    def _is_used(self, frame: _Frame, header: str, name: str) -> bool:
        for each in self.frames:
            before = f"{self.thread.name}:{each.prefix}"
            slot = name.removeprefix(before).partition("#")[0]
            made = [i.target for block in each.function.blocks for i in block.body if isinstance(i, Alloca)]
            if name.startswith(before) and slot in made:
                return each is not frame or may_be_read(frame.function, header, slot)
        return False

    def _go_round(self, frame: _Frame, came_from: str) -> None:
        """Enter loops anew, or begin their next rounds."""
        for loop in self.thread.loops[frame.function.name]:
            if frame.block.name in loop.headers:
                if came_from in loop.blocks:
                    frame.rounds[loop].number += 1
                else:
                    frame.rounds[loop] = Round()
                if frame.rounds[loop].meet("") > self.thread.unroll:
                    raise _Stop("cut")

    def _decide(self, frame: _Frame, block: Block, condition: Expression) -> Value:
        """A branch; one that may leave a loop is bounded if nothing new decides. Everything after depends on it."""
        leads_to = targets(block.terminator)
        loops = self.thread.loops[frame.function.name]
        leaves = [loop for loop in loops if block.name in loop.blocks and not loop.blocks.issuperset(leads_to)]
        if leaves:
            decisive = self._decisive(frame, block, condition)
            for loop in leaves:
                frame.rounds[loop].decide(decisive)
            if max([frame.rounds[loop].meet(block.name) for loop in leaves]) > self.thread.unroll:
                raise _Stop("cut")
        value, reads = self.evaluate(frame, condition)
        if is_undef(value):
            raise _Stop("ub-undef")
        self.control |= reads
        return value

    def _decisive(self, frame: _Frame, block: Block, condition: Expression) -> list[Hashable]:
        """What a condition rests on: locations that are read, values that do not come from reads."""
        found: list[Hashable] = []
        for number, (part, names) in enumerate(self.thread.parts(frame.function, block.name, condition)):
            _, reads = self.evaluate(frame, part)
            if reads:
                found += [self.events[read].location for read in reads]
            elif names:
                values = [frame.registers.get(name, (None, NOTHING)) for name in names]
                found.append((block.name, number, tuple(None if reads else value for value, reads in values)))
        return found

    # Values -------------------------------------------------------------------------------------------------

    def evaluate(self, frame: _Frame, expression: Expression) -> tuple[Any, Reads]:
        """A value, and the reads on which it depends syntactically."""
        match expression:
            case Constant(value):
                return value, NOTHING
            case Register(name) if name.startswith("%"):
                return self.thread.properties[name], NOTHING
            case Register(name):
                return frame.registers[name]
            case operation:
                pairs = [self.evaluate(frame, argument) for argument in operation.arguments]
                reads = NOTHING.union(*(reads for _, reads in pairs))
                if operation.operator == "extractvalue" and operation.indices == (1,):
                    reads |= frame.compared.get(operation.arguments[0], NOTHING)
                values = tuple(value for value, _ in pairs)
                try:
                    result = apply(
                        operation.operator, values, operation.type, operation.operand_type, operation.indices
                    )
                except DivisionByZero:
                    raise _Stop("ub-division") from None
                return result, reads

    def _assign(self, frame: _Frame, target: str, value: Value, reads: Reads) -> None:
        frame.registers[target] = (value, reads)
        if not frame.function.library and not target.startswith(HIDDEN):
            self.registers[frame.prefix + target] = value

    def _freeze(self, value: Value, type_: Type) -> Value:
        if isinstance(type_, VectorType):
            parts = parts_of_undef(type_) if is_undef(value) else value
            assert isinstance(parts, tuple)
            return tuple(self._freeze(part, type_.element) for part in parts)
        return self.choose(self.thread.frozen(type_)) if is_undef(value) else value

    # Memory -------------------------------------------------------------------------------------------------

    def _place(self, frame: _Frame, address: Expression, type_: Type) -> tuple[Location, Reads]:
        """The bytes of an access; undef or outside of every object is undefined behaviour."""
        value, reads = self.evaluate(frame, address)
        if is_undef(value):
            raise _Stop("ub-undef")
        size = store_size(type_)
        if not isinstance(value, Pointer) or value.object not in self.sizes:
            raise _Stop("ub-address")
        if value.offset < 0 or value.offset + size > self.sizes[value.object]:
            raise _Stop("ub-address")
        if self._is_register(value.object) and not any(value.object in each.slots for each in self.frames):
            raise _Stop("ub-free")
        return Location(value.object, value.offset, size), reads

    def _is_register(self, name: str) -> bool:
        """Section 1: a stack slot whose address does not leave its thread."""
        return name in self.allocas and _without_run(name) not in self.thread.escaped

    def _slot(self, location: Location, type_: Type) -> tuple[Any, Reads]:
        held = [self.slots.get(byte, (UNDEF, NOTHING)) for byte in _each_byte(location)]
        value = self._decode(tuple(byte for byte, _ in held), type_)
        return value, NOTHING.union(*(reads for _, reads in held))

    def _set_slot(self, location: Location, type_: Type, value: Value | Copied, reads: Reads) -> None:
        content = encode(value, type_, self.thread.big)
        self.slots.update((byte, (held, reads)) for byte, held in zip(_each_byte(location), content, strict=True))

    def _decode(self, content: Content, type_: Type) -> Any:
        try:
            return decode(content, type_, self.thread.big)
        except PartOfWhole:
            raise _Stop("part-of-whole") from None

    def _contents(self, access: Location, type_: Type) -> list[Content]:
        """What a read finds in each cell."""
        return [self.choose(self.thread.readable(cell, access, type_)) for cell in self.thread.cells(access)]

    def _value(self, contents: Sequence[Content], type_: Type) -> Any:
        return self._decode(tuple(byte for content in contents for byte in content), type_)

    def _events(self, kind: str, access: Location, contents: Sequence[Content], *given: Any, **details: Any) -> Reads:
        """An event for each cell of an access; those of a write that has a read are linked to that of the same cell."""
        reads = details.pop("rmw", NOTHING)
        links = {self.events[read].location: read for read in reads}
        cells = self.thread.cells(access)
        return frozenset(
            self._event(kind, *given, location=cell, access=access, content=content, rmw=links.get(cell), **details)
            for cell, content in zip(cells, contents, strict=True)
        )

    def _write(self, access: Location, type_: Type, value: Value | Copied, *given: Any, **details: Any) -> None:
        for name in _objects(value):
            if self._is_register(name):
                raise SlotEscapes(_without_run(name), self.sizes[name])
        content = encode(value, type_, self.thread.big)
        starts = [cell.offset - access.offset for cell in self.thread.cells(access)]
        parts = [content[start:end] for start, end in pairwise([*starts, access.size])]
        self._events("W", access, parts, *given, type=type_, **details)

    def _end_object(self, name: str, **details: Any) -> None:
        """Section 9: what ends an object writes undef to all of it."""
        self.instruction += 1
        size = self.sizes[name]
        self._write(Location(name, 0, size), BytesType(size), UNDEF, _END, Ordering.NA, **details)

    def _end_slots(self, frame: _Frame) -> None:
        """Section 9: a stack slot that is a location ends with its function."""
        for name in frame.slots:
            if not self._is_register(name):
                self._end_object(name)

    def _event(self, kind: str, annotation: Annotation, ordering: Ordering, **details: Any) -> int:
        # Section 1: a fence, or an access with ordering >= acquire or >= release; halves count as their
        # instruction does.
        synchronizing = kind == "F" or (kind in "RW" and ordering >= Ordering.ACQUIRE)
        event = Event(kind, annotation, ordering, synchronizing, self.instruction, ctrl=self.control, **details)
        self.events.append(event)
        return len(self.events) - 1

    def _execute(self, frame: _Frame, instruction: Instruction) -> None:
        self.instruction += 1
        match instruction:
            case Assign(target, expression):
                self._assign(frame, target, *self.evaluate(frame, expression))
            case Freeze(target, expression, type_):
                value, reads = self.evaluate(frame, expression)
                self._assign(frame, target, self._freeze(value, type_), reads)
            case Load():
                self._load(frame, instruction)
            case Store(address, stored, type_, annotation, line):
                location, addr = self._place(frame, address, type_)
                value, data = self.evaluate(frame, stored)
                if self._is_register(location.object):
                    self._set_slot(location, type_, value, data | addr)
                    return
                self._write(
                    location, type_, value, annotation, annotation.ordering,
                    addr=addr, data=data, inputs=data, line=line,
                )  # fmt: skip
            case ReadModifyWrite():
                self._read_modify_write(frame, instruction)
            case CompareExchange():
                self._compare_exchange(frame, instruction)
            case Fence(annotation, line):
                self._event("F", annotation, annotation.ordering, line=line)
            case Barrier(arrives, waits, annotation, line):
                steps = (Step("arrive"),) * arrives + (Step("wait"),) * waits
                self._event("B", annotation, annotation.ordering, arrives=arrives, waits=waits, steps=steps, line=line)
            case BarrierOperation():
                self._operate(frame, instruction)
            case AsyncCopy():
                self._copy(frame, instruction)
            case AsyncMark(stages):
                for stage in stages:  # the accesses that a mark stands behind
                    behind = frozenset(number for number, of in self.copies if of == stage)
                    frame.marks.setdefault(stage, []).append(behind)
            case AsyncWait(count, stages, annotation, counter, line):
                assert not counter
                completed = NOTHING
                for stage in stages:
                    while len(frame.marks.get(stage, ())) > count:
                        completed |= frame.marks[stage].pop(0)
                self._event("Y", annotation, annotation.ordering, completed=completed, line=line)
            case Alloca(target, type_, count):
                name = f"{self.thread.name}:{frame.prefix}{target}"
                runs = sum(other == name or other.startswith(name + "#") for other in self.allocas)
                name = f"{name}#{runs + 1}" if runs else name
                self.sizes[name] = self.allocas[name] = size_of(type_) * count
                frame.slots += (name,)
                self._assign(frame, target, Pointer(name), NOTHING)
            case Call(target_or_none, function, arguments):
                passed = [self.evaluate(frame, argument) for argument in arguments]
                self.calls[function] = self.calls.get(function, 0) + 1
                self.call(function, passed, f"%{function}.{self.calls[function]}.", target_or_none)
            case IndirectCall(target_or_none, callee, arguments):
                value, reads = self.evaluate(frame, callee)
                self.control |= reads
                if is_undef(value):
                    raise _Stop("ub-undef")
                function = value.object[1:] if isinstance(value, Pointer) and value.offset == 0 else ""
                known = self.thread.test.functions.get(function)
                if known is None or len(known.parameters) != len(arguments):
                    raise _Stop("ub-address")
                passed = [self.evaluate(frame, argument) for argument in arguments]
                self.calls[function] = self.calls.get(function, 0) + 1
                self.call(function, passed, f"%{function}.{self.calls[function]}.", target_or_none)
            case Assume(condition):
                value, _ = self.evaluate(frame, condition)
                if value != 1:
                    raise _Stop("ub-undef" if is_undef(value) else "again")
            case Create():
                self._create(frame, instruction)
            case Exit(None):
                raise _Stop("return")
            case Exit(value_or_none):
                assert value_or_none is not None
                result = self.evaluate(frame, value_or_none)
                for each in reversed(self.frames):
                    self._end_slots(each)
                self.frames.clear()
                self._end(result)
            case Allocate(target, size, zero):
                name = f"{self.thread.name}:{frame.prefix}{target}"
                runs = sum(other == name or other.startswith(name + "#") for other in self.heap)
                name = f"{name}#{runs + 1}" if runs else name
                bytes_, _ = self.evaluate(frame, size)
                assert isinstance(bytes_, int) and not zero
                if name not in self.thread.escaped:
                    raise SlotEscapes(name, bytes_)  # others may access it
                self.sizes[name] = self.heap[name] = bytes_
                self._assign(frame, target, Pointer(name), NOTHING)
            case Free(address, line):
                value, addr = self.evaluate(frame, address)
                if is_undef(value):
                    raise _Stop("ub-undef")
                if value not in (NULL, 0):
                    if not isinstance(value, Pointer) or value.offset or value.object not in self.thread.escaped:
                        raise _Stop("ub-free")
                    self._end_object(value.object, addr=addr, line=line)
            case Hold(target_or_none, address, change):
                value, _ = self.evaluate(frame, address)
                if is_undef(value):
                    raise _Stop("ub-undef")
                if not isinstance(value, Pointer):
                    raise _Stop("ub-address")
                count = self.held.get(value, 0)
                self.held = {**self.held, value: count + change}
                if target_or_none is not None:
                    self._assign(frame, target_or_none, count, NOTHING)
            case Meet(target, address, own):
                value, _ = self.evaluate(frame, address)
                if is_undef(value):
                    raise _Stop("ub-undef")
                if not isinstance(value, Pointer):
                    raise _Stop("ub-address")
                come = self.thread.come
                self._assign(frame, target, come.index(self.thread.name) if own else len(come), NOTHING)
            case Misuse(condition, flag):
                value, _ = self.evaluate(frame, condition)
                if value == 1:
                    raise _Stop(flag)
            case Unsupported(unless=unless) if unless and self.thread.properties[unless]:
                pass
            case Unsupported(text, line):
                raise InputError(f"{text} is not covered", self.thread.test.path, line)

    # Threads that are created -------------------------------------------------------------------------------

    def begin(self) -> None:
        """A created thread waits, before its function, for its creator to say so."""
        itself = self.thread.itself
        if itself.creation is not None:
            passed = itself.creation.argument is None
            given = [(Pointer(itself.handle), NOTHING), (int(not itself.creation.at_once), NOTHING)]
            parameters = self.frames[0].function.parameters
            target = parameters[0] if passed and parameters else None
            self.call("enumerator.begin", [*given, (int(passed), NOTHING)], "", target)

    def _end(self, result: tuple[Value, Reads]) -> None:
        """A created thread says that it has ended."""
        itself = self.thread.itself
        if itself.creation is None or self.left:
            raise _Stop("return")
        self.left = True
        name = "enumerator.end.code" if itself.creation.code else "enumerator.end"
        differs = int(result[0] not in (0, NULL))  # from what is there before anybody writes
        self.call(name, [(Pointer(itself.handle), NOTHING), result, (differs, NOTHING)], "", None)
        if "enumerator.destroy" in self.thread.test.functions:
            self.call("enumerator.destroy", [], "", None)

    def _create(self, frame: _Frame, create: Create) -> None:
        function, _ = self.evaluate(frame, create.function)
        argument, reads = self.evaluate(frame, create.argument)
        for name in _objects(argument):
            if self._is_register(name):
                raise SlotEscapes(_without_run(name), self.sizes[name])
        for thread in self.thread.test.threads:
            made = thread.creation
            if made is None or (made.creator, made.number) != (self.thread.name, len(self.created)):
                continue
            if Pointer(f"@{made.function}") == function and made.argument == (None if reads else argument):
                self.created += (thread,)
                pair = (Pointer(thread.handle), int(not made.at_once), int(made.argument is None))
                self._assign(frame, create.target, pair, NOTHING)
                return
        raise _Stop("cut")

    def leave_uncreated(self) -> None:
        """The threads that this one might have created, and has not, are told so."""
        for thread in self.thread.test.threads:
            made = thread.creation
            if made is not None and made.creator == self.thread.name and not made.certain:
                if thread not in self.created:
                    self.instruction += 1
                    place, type_ = Location(thread.handle, 0, 4), IntType(32)
                    annotation = Annotation(Ordering.RELEASE)
                    self._write(place, type_, 2, annotation, Ordering.RELEASE)

    def _load(self, frame: _Frame, load: Load) -> None:
        location, addr = self._place(frame, load.address, load.type)
        if self._is_register(location.object):
            held, reads = self._slot(location, load.type)
            self._assign(frame, load.target, held, reads | addr)
            return
        contents = self._contents(location, load.type)
        parts = self._events(
            "R", location, contents, load.annotation, load.annotation.ordering,
            type=load.type, addr=addr, line=load.line,
        )  # fmt: skip
        self._assign(frame, load.target, self._value(contents, load.type), parts)

    def _copy(self, frame: _Frame, copy: AsyncCopy) -> None:
        """Section 10: I, and in no program order A's read and then A's write."""
        begun = self._event("I", copy.start, copy.start.ordering, line=copy.line)
        if copy.type is None:
            copy = self._whole_copy(frame, copy)
        location, addr = self._place(frame, copy.source, copy.type)
        assert not self._is_register(location.object)
        contents = self._contents(location, copy.type)
        common: dict[str, Any] = {"type": copy.type, "line": copy.line, "detached": True, "started": frozenset({begun})}
        reads = self._events("R", location, contents, copy.read, copy.read.ordering, addr=addr, **common)
        location, addr = self._place(frame, copy.destination, copy.type)
        before = len(self.events)
        del common["type"]
        self._write(
            location, copy.type, self._value(contents, copy.type), copy.write, copy.write.ordering,
            addr=addr, data=reads, inputs=reads, copied=reads, **common,
        )  # fmt: skip
        written = range(before, len(self.events))
        self.copies = (*self.copies, *((each, copy.stage) for each in (*sorted(reads), *written)))

    def _whole_copy(self, frame: _Frame, copy: AsyncCopy) -> AsyncCopy:
        """Section 10: the tensor forms copy whole objects."""
        objects = {memory.name: memory for memory in self.thread.test.objects}
        pointers = [self.evaluate(frame, side)[0] for side in (copy.source, copy.destination)]
        local, far = sorted((objects[each.object] for each in pointers), key=lambda memory: memory.address_space != 3)
        source, target = (far, local) if copy.write.address_space == 3 else (local, far)
        assert source.type == target.type
        places = [Constant(Pointer(memory.name), PointerType(memory.address_space)) for memory in (source, target)]
        return replace(copy, source=places[0], destination=places[1], type=source.type)

    def _operate(self, frame: _Frame, operation: BarrierOperation) -> None:
        """Section 10; at the barrier of a cluster the first wave of each workgroup arrives (AMDGPUUsage)."""
        kind, place = operation.operation, operation.object
        first = self.choose((True, False)) if kind in ("first", "cluster") else None
        steps = [(Step(kind, place, operation.count, first),)]
        if kind == "cluster":
            arrives = (Step("arrive", "cluster"),) if first else ()
            steps = [(Step("first", first=first),), (Step("wait"),), (*arrives, Step("wait", "cluster"))]
        for each in steps:
            ordering = operation.annotation.ordering
            self._event("B", operation.annotation, ordering, steps=each, line=operation.line)
        if operation.target is not None:
            self._assign(frame, operation.target, int(bool(first)), NOTHING)

    def _read_modify_write(self, frame: _Frame, update: ReadModifyWrite) -> None:
        location, addr = self._place(frame, update.address, update.type)
        operand, data = self.evaluate(frame, update.operand)
        if self._is_register(location.object):
            held, reads = self._slot(location, update.type)
            new = read_modify_write(update.operator, held, operand, update.type)
            self._set_slot(location, update.type, new, reads | data | addr)
            self._assign(frame, update.target, held, reads | addr)
            return
        contents = self._contents(location, update.type)
        ordering = update.annotation.ordering
        parts = self._events(
            "R", location, contents, update.annotation, ordering, type=update.type, addr=addr, line=update.line,
        )  # fmt: skip
        old = self._value(contents, update.type)
        new = read_modify_write(update.operator, old, operand, update.type)
        inputs = data if update.operator == "xchg" else data | parts
        self._write(
            location, update.type, new, update.annotation, ordering,
            addr=addr, data=data, inputs=inputs, rmw=parts, line=update.line,
        )  # fmt: skip
        may_leave = update.operator in ("xchg", "and", "or", "max", "min", "umax", "umin")
        if may_leave or (operand == 0 and update.operator in ("add", "sub", "xor")):
            if isinstance(update.type, IntType) and len(parts) == 1 and isinstance(old, int) and new == old:
                self.unchanged |= {len(self.events) - 1}
        self._assign(frame, update.target, old, parts)

    def _compare_exchange(self, frame: _Frame, exchange: CompareExchange) -> None:
        """Section 1: a comparison with undef explores both results, with success undef; weak ones may fail."""
        location, addr = self._place(frame, exchange.address, exchange.type)
        expected, data = self.evaluate(frame, exchange.expected)
        desired, more = self.evaluate(frame, exchange.desired)
        register = self._is_register(location.object)
        if register:
            old, reads = self._slot(location, exchange.type)
        else:
            contents = self._contents(location, exchange.type)
            try:
                old = self._value(contents, exchange.type)
            except _Stop:
                self._events("R", location, contents, exchange.annotation, exchange.failure, type=exchange.type)
                raise
        if is_undef(old) or is_undef(expected):
            succeeds = self.choose((1, 0)) == 1
            success: Value = UNDEF
        else:
            succeeds = old == expected and not (exchange.weak and self.choose((1, 0)) == 0)
            success = int(succeeds)
        if register:
            reads |= addr | data
            if succeeds:
                self._set_slot(location, exchange.type, desired, reads | more)
            self._assign(frame, exchange.target, (old, success), reads)
            return
        ordering = exchange.annotation.ordering if succeeds else exchange.failure
        fails_for_no_reason = success == 0 and not succeeds and old == expected
        parts = self._events(
            "R", location, contents, exchange.annotation, ordering,
            type=exchange.type, addr=addr, line=exchange.line,
        )  # fmt: skip
        if fails_for_no_reason:
            self.spurious += ((parts, data),)
        if succeeds:
            self._write(
                location, exchange.type, desired, exchange.annotation, ordering,
                addr=addr, data=data | more, inputs=more, rmw=parts, line=exchange.line,
            )  # fmt: skip
            if exchange.expected == exchange.desired and isinstance(exchange.type, IntType) and len(parts) == 1:
                if success == 1:
                    self.unchanged |= {len(self.events) - 1}
        self._assign(frame, exchange.target, (old, success), parts)
        frame.compared[Register(exchange.target)] = data


def _objects(value: Value | Copied | Byte) -> Iterator[str]:
    """The objects whose addresses are part of a value."""
    if isinstance(value, Pointer):
        yield value.object
    elif isinstance(value, Copied):
        for byte in value.content:
            yield from _objects(byte)
    elif isinstance(value, Piece):
        yield from _objects(value.value)
    elif isinstance(value, Term | tuple):
        for part in value.arguments if isinstance(value, Term) else value:
            yield from _objects(part)


def _each_byte(location: Location) -> list[Location]:
    return [Location(location.object, location.offset + number, 1) for number in range(location.size)]


def _without_run(slot: str) -> str:
    return slot.partition("#")[0]
