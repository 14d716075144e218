"""One thread run concretely: what its reads return, and every other choice, is given to it beforehand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import (
    Alloca,
    Annotation,
    Assign,
    Barrier,
    Block,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Freeze,
    Function,
    Instruction,
    Jump,
    Load,
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
from enumerator.program.types import IntType, PointerType, Type, VectorType, size_of
from enumerator.program.values import UNDEF, Pointer, Term, Value
from tests.literal.arithmetic import DivisionByZero, apply, is_undef, parts_of_undef, read_modify_write, wrap
from tests.literal.loops import Loop, Round, find_loops, parts, sources, targets

__all__ = ["Event", "Location", "SlotEscapes", "Trace", "frozen_values", "interpret", "traces"]

_MOST_STEPS = 20_000

Reads = frozenset[int]
_NOTHING: Reads = frozenset()
_NO_SLOTS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, order=True)
class Location:
    """Bytes of an object: its name, byte offset and size."""

    object: str
    offset: int
    size: int


@dataclass(frozen=True)
class Event:
    """An event of a trace; `addr`, `data`, `ctrl` and `inputs` are numbers of earlier events of it, reads all.

    `inputs` are the reads from whose values a write's value is computed: unlike `data` it leaves out what a
    cmpxchg compares with, and holds the own read of an atomicrmw that computes with it.
    """

    kind: str
    annotation: Annotation
    ordering: Ordering
    synchronizing: bool
    instruction: int
    location: Location | None = None
    type: Type | None = None
    value: Value = UNDEF
    addr: Reads = _NOTHING
    data: Reads = _NOTHING
    ctrl: Reads = _NOTHING
    inputs: Reads = _NOTHING
    rmw: int | None = None
    arrives: bool = False
    waits: bool = False
    line: int | None = None


@dataclass(frozen=True)
class Trace:
    """One run of a thread: its events, final registers, and how it ended."""

    thread: str
    events: tuple[Event, ...]
    registers: tuple[tuple[str, Value], ...]
    end: str
    allocas: tuple[tuple[str, int], ...] = ()


class _Stop(Exception):
    """The thread ends here: cut, or undefined behaviour."""


class SlotEscapes(Exception):
    """A thread writes the address of a stack slot to memory: the slot is a location, and all traces are others."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name)
        self.name, self.size = name, size


class _Open(Exception):
    """A choice for which no answer was given."""

    def __init__(self, options: Sequence[Value]) -> None:
        super().__init__(options)
        self.options = options


Readable = Callable[[Location, Type], Sequence[Value]]
Frozen = Callable[[Type], Sequence[Value]]


def traces(
    test: Test, thread: Thread, readable: Readable, frozen: Frozen, unroll: int, escaped: Mapping[str, int] = _NO_SLOTS
) -> Iterator[Trace]:
    """Every run of a thread whose reads return values that `readable` offers.

    Parameters
    ----------
    test : Test
    thread : Thread
    readable : callable
        The values that a read of a location may return.
    frozen : callable
        The values that ``freeze`` of undef may give, for a type.
    unroll : int
    escaped : mapping of str to int
        The stack slots that are locations, and their sizes; all others are registers.

    Raises
    ------
    SlotEscapes
        If another one has to be a location.
    """
    todo: list[tuple[Value, ...]] = [()]
    while todo:
        answers = todo.pop()
        try:
            yield interpret(test, thread, answers, readable, frozen, unroll, escaped)
        except _Open as choice:
            todo.extend((*answers, option) for option in reversed(choice.options))


def interpret(
    test: Test,
    thread: Thread,
    answers: Sequence[Value],
    readable: Readable,
    frozen: Frozen,
    unroll: int,
    escaped: Mapping[str, int] = _NO_SLOTS,
) -> Trace:
    """Run a thread with the given answers, one for each read, failed or succeeded cmpxchg, and freeze in turn."""
    run = _Run(test, thread.name, list(answers), readable, frozen, unroll, escaped)
    arguments = [(argument.value, _NOTHING) for argument in thread.arguments]
    try:
        run.call(thread.function, arguments, "%")
        end = "return"
    except _Stop as stop:
        end = str(stop)
    return Trace(thread.name, tuple(run.events), tuple(sorted(run.registers.items())), end, tuple(run.allocas.items()))


@dataclass
class _Frame:
    """An activation of a function."""

    function: Function
    prefix: str
    registers: dict[str, tuple[Value, Reads]] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    rounds: dict[Loop, Round] = field(default_factory=dict)


class _Run:
    def __init__(
        self,
        test: Test,
        thread: str,
        answers: list[Value],
        readable: Readable,
        frozen: Frozen,
        unroll: int,
        escaped: Mapping[str, int],
    ) -> None:
        self.test = test
        self.thread = thread
        self.answers = answers
        self.readable = readable
        self.frozen = frozen
        self.unroll = unroll
        self.escaped = escaped
        self.slots: dict[Location, tuple[Value, Reads]] = {}
        self.events: list[Event] = []
        self.registers: dict[str, Value] = {}
        self.control: Reads = _NOTHING
        self.calls: dict[str, int] = {}
        self.active: list[str] = []
        self.instruction = 0
        self.steps = 0
        self.allocas: dict[str, int] = {}
        self.loops: dict[str, list[Loop]] = {}
        self.sizes = {memory.name: size_of(memory.type) for memory in test.objects} | dict(escaped)

    def choose(self, options: Sequence[Value]) -> Value:
        """Take the next answer."""
        if not self.answers:
            raise _Open(options)
        return self.answers.pop(0)

    # Control flow -------------------------------------------------------------------------------------------

    def call(self, name: str, arguments: list[tuple[Value, Reads]], prefix: str) -> tuple[Value, Reads]:
        """Run a function to its return; more than `unroll` activations below another one are cut."""
        if self.active.count(name) > self.unroll:
            raise _Stop("cut")
        function = self.test.functions[name]
        frame = _Frame(function, prefix, loops=self._loops(function))
        frame.registers.update(zip(function.parameters, arguments, strict=True))
        blocks = {block.name: block for block in function.blocks}
        self.active.append(name)
        block, came_from = function.blocks[0], ""
        while True:
            self._go_round(frame, block, came_from)
            self._phis(frame, block, came_from)
            for instruction in block.body:
                self._step()
                self._execute(frame, instruction)
            self._step()
            terminator = block.terminator
            came_from = block.name
            match terminator:
                case Return(value):
                    self.active.pop()
                    return (UNDEF, _NOTHING) if value is None else self.evaluate(frame, value)
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
                    raise InputError(f"{text} is not covered", self.test.path, line)
            block = blocks[target]

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise LimitReached

    def _phis(self, frame: _Frame, block: Block, came_from: str) -> None:
        values = [
            (phi.target, self.evaluate(frame, dict(phi.incoming)[came_from]))  # all of them before any is assigned
            for phi in block.phis
        ]
        for target, (value, reads) in values:
            self._assign(frame, target, value, reads)

    def _loops(self, function: Function) -> list[Loop]:
        if function.name not in self.loops:
            self.loops[function.name] = find_loops(function)
        return self.loops[function.name]

    def _go_round(self, frame: _Frame, block: Block, came_from: str) -> None:
        """Enter loops anew, or begin their next rounds."""
        for loop in frame.loops:
            if block.name in loop.headers:
                if came_from in loop.blocks:
                    frame.rounds[loop].number += 1
                else:
                    frame.rounds[loop] = Round()
                if frame.rounds[loop].meet("") > self.unroll:
                    raise _Stop("cut")

    def _decide(self, frame: _Frame, block: Block, condition: Expression) -> Value:
        """A branch; one that may leave a loop is bounded if nothing new decides. Everything after depends on it."""
        leads_to = targets(block.terminator)
        leaves = [loop for loop in frame.loops if block.name in loop.blocks and not loop.blocks.issuperset(leads_to)]
        if leaves:
            decisive = self._decisive(frame, block, condition)
            for loop in leaves:
                frame.rounds[loop].decide(decisive)
            if max([frame.rounds[loop].meet(block.name) for loop in leaves]) > self.unroll:
                raise _Stop("cut")
        value, reads = self.evaluate(frame, condition)
        if is_undef(value):
            raise _Stop("ub-undef")
        self.control |= reads
        return value

    def _decisive(self, frame: _Frame, block: Block, condition: Expression) -> list[Hashable]:
        """What a condition rests on: locations that are read at known addresses, values that do not come from reads."""
        found: list[Hashable] = []
        for number, part in enumerate(parts(frame.function, condition)):
            _, reads = self.evaluate(frame, part)
            if reads:
                found += [self.events[read].location for read in reads if not self.events[read].addr]
            elif names := sources(frame.function, part):
                values = [frame.registers.get(name, (None, _NOTHING)) for name in names]
                found.append((block.name, number, tuple(None if reads else value for value, reads in values)))
        return found

    # Values -------------------------------------------------------------------------------------------------

    def evaluate(self, frame: _Frame, expression: Expression) -> tuple[Value, Reads]:
        """A value, and the reads on which it depends syntactically."""
        match expression:
            case Constant(value):
                return value, _NOTHING
            case Register(name):
                return frame.registers[name]
            case operation:
                pairs = [self.evaluate(frame, argument) for argument in operation.arguments]
                reads = _NOTHING.union(*(reads for _, reads in pairs))
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
        self.registers[frame.prefix + target] = value

    def _freeze(self, value: Value, type_: Type) -> Value:
        if isinstance(type_, VectorType):
            parts = parts_of_undef(type_) if is_undef(value) else value
            assert isinstance(parts, tuple)
            return tuple(self._freeze(part, type_.element) for part in parts)
        return self.choose(self.frozen(type_)) if is_undef(value) else value

    # Memory -------------------------------------------------------------------------------------------------

    def _place(self, frame: _Frame, address: Expression, type_: Type) -> tuple[Location, Reads]:
        """The location of an access; undef or outside of every object is undefined behaviour."""
        value, reads = self.evaluate(frame, address)
        if is_undef(value):
            raise _Stop("ub-undef")
        size = size_of(type_)
        if not isinstance(value, Pointer) or value.object not in self.sizes:
            raise _Stop("ub-address")
        if value.offset < 0 or value.offset + size > self.sizes[value.object]:
            raise _Stop("ub-address")
        return Location(value.object, value.offset, size), reads

    def _is_register(self, name: str) -> bool:
        """Section 1: a stack slot whose address does not leave its thread."""
        return name in self.allocas and _without_run(name) not in self.escaped

    def _slot(self, location: Location) -> tuple[Value, Reads]:
        if any(each != location and _overlap(each, location) for each in self.slots):
            raise InputError("accesses of a stack slot that overlap partly", self.test.path)
        return self.slots.get(location, (UNDEF, _NOTHING))

    def _event(
        self,
        kind: str,
        annotation: Annotation,
        ordering: Ordering,
        *,
        location: Location | None = None,
        type_: Type | None = None,
        value: Value = UNDEF,
        addr: Reads = _NOTHING,
        data: Reads = _NOTHING,
        inputs: Reads = _NOTHING,
        rmw: int | None = None,
        arrives: bool = False,
        waits: bool = False,
        line: int | None = None,
    ) -> int:
        # Section 1: a fence, or an access with ordering >= acquire or >= release; halves count as their
        # instruction does.
        if kind == "W":
            for name in _objects(value):
                if self._is_register(name):
                    raise SlotEscapes(_without_run(name), self.sizes[name])
        synchronizing = kind == "F" or (kind in "RW" and ordering >= Ordering.ACQUIRE)
        self.events.append(
            Event(
                kind, annotation, ordering, synchronizing, self.instruction, location, type_, value,
                addr, data, self.control, inputs, rmw, arrives, waits, line,
            )
        )  # fmt: skip
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
                    self.slots[location] = value, data | addr
                    return
                self._event(
                    "W", annotation, annotation.ordering,
                    location=location, type_=type_, value=value, addr=addr, data=data, inputs=data, line=line,
                )  # fmt: skip
            case ReadModifyWrite():
                self._read_modify_write(frame, instruction)
            case CompareExchange():
                self._compare_exchange(frame, instruction)
            case Fence(annotation, line):
                self._event("F", annotation, annotation.ordering, line=line)
            case Barrier(arrives, waits, annotation, line):
                self._event("B", annotation, annotation.ordering, arrives=arrives, waits=waits, line=line)
            case Alloca(target, type_, count):
                name = f"{self.thread}:{frame.prefix}{target}"
                runs = sum(other == name or other.startswith(name + "#") for other in self.allocas)
                name = f"{name}#{runs + 1}" if runs else name
                self.sizes[name] = self.allocas[name] = size_of(type_) * count
                self._assign(frame, target, Pointer(name), _NOTHING)
            case Call(target_or_none, function, arguments):
                passed = [self.evaluate(frame, argument) for argument in arguments]
                self.calls[function] = self.calls.get(function, 0) + 1
                result = self.call(function, passed, f"%{function}.{self.calls[function]}.")
                if target_or_none is not None:
                    self._assign(frame, target_or_none, *result)
            case Unsupported(text, line):
                raise InputError(f"{text} is not covered", self.test.path, line)

    def _load(self, frame: _Frame, load: Load) -> None:
        location, addr = self._place(frame, load.address, load.type)
        if self._is_register(location.object):
            held, reads = self._slot(location)
            self._assign(frame, load.target, held, reads | addr)
            return
        value = self.choose(self.readable(location, load.type))
        event = self._event(
            "R", load.annotation, load.annotation.ordering,
            location=location, type_=load.type, value=value, addr=addr, line=load.line,
        )  # fmt: skip
        self._assign(frame, load.target, value, frozenset({event}))

    def _read_modify_write(self, frame: _Frame, update: ReadModifyWrite) -> None:
        location, addr = self._place(frame, update.address, update.type)
        operand, data = self.evaluate(frame, update.operand)
        if self._is_register(location.object):
            held, reads = self._slot(location)
            new = read_modify_write(update.operator, held, operand, update.type)
            self.slots[location] = new, reads | data | addr
            self._assign(frame, update.target, held, reads | addr)
            return
        old = self.choose(self.readable(location, update.type))
        ordering = update.annotation.ordering
        read = self._event(
            "R", update.annotation, ordering,
            location=location, type_=update.type, value=old, addr=addr, line=update.line,
        )  # fmt: skip
        new = read_modify_write(update.operator, old, operand, update.type)
        inputs = data if update.operator == "xchg" else data | {read}
        self._event(
            "W", update.annotation, ordering,
            location=location, type_=update.type, value=new, addr=addr, data=data, inputs=inputs, rmw=read,
            line=update.line,
        )  # fmt: skip
        self._assign(frame, update.target, old, frozenset({read}))

    def _compare_exchange(self, frame: _Frame, exchange: CompareExchange) -> None:
        """Section 1: a comparison with undef explores both results, with success undef; weak ones may fail."""
        location, addr = self._place(frame, exchange.address, exchange.type)
        expected, data = self.evaluate(frame, exchange.expected)
        desired, more = self.evaluate(frame, exchange.desired)
        register = self._is_register(location.object)
        if register:
            old, reads = self._slot(location)
        else:
            old = self.choose(self.readable(location, exchange.type))
        if is_undef(old) or is_undef(expected):
            succeeds = self.choose((1, 0)) == 1
            success: Value = UNDEF
        else:
            succeeds = old == expected and not (exchange.weak and self.choose((1, 0)) == 0)
            success = int(succeeds)
        if register:
            reads |= addr | data
            if succeeds:
                self.slots[location] = desired, reads | more
            self._assign(frame, exchange.target, (old, success), reads)
            return
        ordering = exchange.annotation.ordering if succeeds else exchange.failure
        read = self._event(
            "R", exchange.annotation, ordering,
            location=location, type_=exchange.type, value=old, addr=addr, line=exchange.line,
        )  # fmt: skip
        if succeeds:
            self._event(
                "W", exchange.annotation, ordering,
                location=location, type_=exchange.type, value=desired, addr=addr, data=data | more,
                inputs=more, rmw=read, line=exchange.line,
            )  # fmt: skip
        self._assign(frame, exchange.target, (old, success), frozenset({read}))


def _objects(value: Value) -> Iterator[str]:
    """The objects whose addresses are part of a value."""
    if isinstance(value, Pointer):
        yield value.object
    elif isinstance(value, Term | tuple):
        for part in value.arguments if isinstance(value, Term) else value:
            yield from _objects(part)


def _overlap(one: Location, other: Location) -> bool:
    apart = one.offset + one.size <= other.offset or other.offset + other.size <= one.offset
    return one.object == other.object and not apart


def _without_run(slot: str) -> str:
    return slot.partition("#")[0]


def frozen_values(constants: frozenset[int], addresses: tuple[Pointer, ...]) -> Frozen:
    """Values for ``freeze`` of undef: each constant and its neighbours; for pointers null and the objects."""

    def values(type_: Type) -> Sequence[Value]:
        if isinstance(type_, IntType):
            return sorted({wrap(c + d, type_.width) for c in constants for d in (-1, 0, 1)})
        if isinstance(type_, PointerType):
            return (Pointer(""), *addresses)
        raise InputError("freeze of this type is not covered")

    return values
