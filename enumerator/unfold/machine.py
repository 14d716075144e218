"""One thread running symbolically along one path; it splits wherever a read's value decides what comes next."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from enumerator.clock import check_time
from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import (
    Abort,
    Alloca,
    Annotation,
    Assign,
    Barrier,
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
    MemoryEntry,
    MergeOrder,
    Operation,
    OrderInput,
    OrderOutput,
    Phi,
    Prefetch,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Switch,
    Terminator,
    Unreachable,
    Unsupported,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import ArrayType, IntType, Type, size_of
from enumerator.program.values import UNDEF, Pointer, Term, Undef, Value, has_undef
from enumerator.unfold.arithmetic import agrees, apply
from enumerator.unfold.loops import LoopEntry, LoopTest
from enumerator.unfold.paths import Computed, Known, Leaving, Location, Node, Path, PathEvent, ReadValue, unsequenced
from enumerator.unfold.slots import SlotEscapes, Slots, pointed_to
from enumerator.unfold.state import NONE, Frame, Local, Surroundings

__all__ = ["Machine"]

_MOST_EVENTS = 4096
_MOST_STEPS = 1_000_000
_BIT = IntType(1)
_TOKEN = Known(UNDEF)
"""What a register holds that is an ordering token: no value."""


class Machine:
    """A thread part of the way along a path.

    Parameters
    ----------
    thread : Thread
    surroundings : Surroundings
    """

    def __init__(self, thread: Thread, surroundings: Surroundings) -> None:
        self._thread = thread
        self._around = surroundings
        self._events: list[PathEvent] = []
        self._conditions: list[tuple[Node, Value]] = []
        self._registers: dict[str, Local] = {}
        self._control = NONE
        self._instructions = 0
        self._arrivals = 0
        self._waits = 0
        self._calls: dict[str, int] = {}
        self._allocas: dict[str, int] = {}
        self._slots = Slots()
        self._steps = 0
        self._frames: list[Frame] = []
        self._end: str | None = None
        self._end_line: int | None = None
        self._leaving = Leaving()
        self._found_by = NONE
        # Ordering tokens: those that the next instruction waits for, those that the last one has produced, and, as a
        # channel delivers in order, all that each instruction has ever produced.
        self._input = NONE
        self._output = NONE
        self._channels: dict[int, frozenset[int]] = {}
        function = surroundings.functions[thread.function]
        for name, argument in zip(function.parameters, thread.arguments, strict=True):
            self._registers[name] = Local(Known(argument.value), NONE)
        self._enter(function, "", None)

    def paths(self) -> Iterator[Path]:
        """Run to the end along every path, in a fixed order."""
        stack = [self]
        while stack:
            machine = stack.pop()
            while machine._end is None:
                check_time()
                successors = machine._step()
                if successors is not None:
                    stack.extend(reversed(successors))
                    break
            else:
                yield machine._path()

    # -- state -----------------------------------------------------------------------------------------------

    def _copy(self) -> Machine:
        twin = object.__new__(Machine)
        twin.__dict__.update(self.__dict__)
        twin._events = list(self._events)
        twin._conditions = list(self._conditions)
        twin._registers = dict(self._registers)
        twin._calls = dict(self._calls)
        twin._allocas = dict(self._allocas)
        twin._slots = self._slots.copy()
        twin._channels = dict(self._channels)
        twin._frames = [frame.copy() for frame in self._frames]
        return twin

    def _path(self) -> Path:
        return Path(
            self._thread.name,
            tuple(self._events),
            tuple(self._conditions),
            self._results(),
            self._end or "return",
            self._end_line,
            self._leaving,
            self._found_by,
        )

    def _results(self) -> dict[str, Node]:
        """Give the final registers by the names that results have for them."""
        shown = self._around.functions[self._thread.function].shown
        if shown is None:
            return {f"%{name}": local.node for name, local in self._registers.items() if local.node is not _TOKEN}
        return {name: self._registers[register].node for register, name in shown if register in self._registers}

    def _enter(self, function: Function, prefix: str, target: str | None) -> None:
        blocks = {block.name: block for block in function.blocks}
        flow = self._around.flow(function)
        self._frames.append(Frame(function, prefix, blocks, flow, function.blocks[0], 0, target))
        self._go_round(None, function.blocks[0].name)

    def _finish(self, end: str, line: int | None) -> None:
        self._end, self._end_line = end, line

    def _error(self, message: str, line: int | None) -> InputError:
        return InputError(message, self._around.path, line)

    # -- splitting -------------------------------------------------------------------------------------------

    def _possible(self, node: Node) -> list[Value] | None:
        """Give the values that a node may have; None if unbounded."""
        if isinstance(node, Known):
            return [node.value]
        self._around.guessed = True
        return self._around.domains.values(node, self._read_at)

    def _read_at(self, index: int) -> tuple[Location, Type | None]:
        event = self._events[index]
        assert event.location is not None and isinstance(event.value, ReadValue)
        return event.location, event.value.type

    def _may_be_undef(self, node: Node) -> bool:
        """Tell whether one of the reads that decide a node may return undef whatever was written."""
        return any(self._around.domains.may_be_undef(self._read_at(read)[0]) for read in node.reads)

    def _split(self, node: Node, offered: list[Value], *, control: bool = False) -> list[tuple[Machine, Value]]:
        """Make a machine for each offered value that a node may have, with the condition that it has it.

        An uninterpreted value (:class:`Term`) may be any of those offered. Where the value decides on control flow,
        the domains only rule undef out: a value may come from a write that is there because it is read.
        """
        possible = self._possible(node)
        kept = control and not isinstance(node, Known)
        chosen = [
            value
            for value in offered
            if possible is None
            or (kept and not isinstance(value, Undef) and not _excluded(node, value))
            or any(agrees(found, value) for found in possible)
        ]
        if isinstance(node, Known):
            if len(chosen) == 1:
                return [(self, chosen[0])]
            return [(self._copy(), value) for value in chosen]
        branches = []
        for value in chosen:
            machine = self._copy()
            machine._conditions.append((node, value))
            if not kept or (isinstance(value, Undef) and not self._may_be_undef(node)):
                machine._found_by |= node.reads
            branches.append((machine, value))
        return branches

    # -- steps -----------------------------------------------------------------------------------------------

    def _step(self) -> list[Machine] | None:
        """Run one instruction; give the machines to go on with where the path splits, None where it does not."""
        self._steps += 1
        frame = self._frames[-1]
        if self._steps > _MOST_STEPS or len(self._events) > _MOST_EVENTS:
            raise LimitReached(
                f"thread {self._thread.name} does not end within {_MOST_STEPS} steps and {_MOST_EVENTS} events"
            )
        if frame.position < len(frame.block.body):
            instruction = frame.block.body[frame.position]
            frame.position += 1
            return self._run(instruction)
        return self._leave(frame.block.terminator)

    def _run(self, instruction: Instruction) -> list[Machine] | None:
        match instruction:
            case Assign(target, expression, line):
                return self._assign(target, expression, line)
            case Load() | Store() | ReadModifyWrite() | CompareExchange():
                return self._access(instruction)
            case Fence(annotation, line):
                self._emit(PathEvent("F", annotation, self._instructions, ctrl=self._control, line=line))
                self._instructions += 1
            case Barrier(instance=int(instance)):
                return self._numbered_barrier(instruction, instance)
            case Barrier(arrives, waits, annotation, line):
                self._barrier(arrives, waits, annotation, line)
            case Freeze(target, expression, type_, _):
                return self._freeze(target, expression, type_)
            case Alloca():
                self._alloca(instruction)
            case Call():
                self._call(instruction)
            case Abort(_, line):
                self._finish("assert", line)
            case Prefetch(address, _, _, None):
                self._produce(instruction, self._input | self._value(address).reads)
            case Prefetch():
                pass  # it runs when its gate is there, waits for no token and makes none
            case MemoryEntry(target, _):
                self._set_token(target, self._frames[-1].entry)
            case OrderInput(token, _):
                self._input = self._tokens(token)
            case OrderOutput(target, _):
                self._set_token(target, self._output)
            case MergeOrder(target, inputs, _):
                self._set_token(target, NONE.union(*map(self._tokens, inputs)))
            case Unsupported(text, line):
                raise self._error(f"instruction not covered: {text}", line)
        return None

    def _name(self, name: str) -> str:
        return self._frames[-1].prefix + name

    def _set(self, name: str, node: Node, reads: frozenset[int]) -> None:
        self._registers[self._name(name)] = Local(node, reads)

    def _set_token(self, name: str, tokens: frozenset[int]) -> None:
        self._registers[self._name(name)] = Local(_TOKEN, NONE, tokens)

    def _tokens(self, expression: Expression) -> frozenset[int]:
        """Give the events that must have run before a token is there; a data value is there after its reads."""
        local = self._value(expression)
        return local.tokens | local.reads

    def _produce(self, instruction: Instruction, events: frozenset[int]) -> None:
        """End an instruction that may wait for a token and produce one: these events must have run by then."""
        self._input = NONE
        self._output = self._channels.get(id(instruction), NONE) | events
        self._channels[id(instruction)] = self._output

    def _value(self, expression: Expression) -> Local:
        match expression:
            case Constant(value, _):
                return Local(Known(value), NONE)
            case Register(name) if name.startswith("%"):
                return Local(Known(self._around.identities[self._thread.name][name]), NONE)
            case Register(name):
                return self._registers.get(self._name(name)) or Local(Known(UNDEF), NONE)
            case Operation(operator, arguments, type_, operand_type, indices):
                locals_ = [self._value(argument) for argument in arguments]
                reads = NONE.union(*(local.reads for local in locals_))
                nodes = tuple(local.node for local in locals_)
                return Local(_compute(operator, nodes, type_, operand_type, indices), reads)

    def _assign(self, target: str, expression: Expression, line: int | None) -> list[Machine] | None:
        local = self._value(expression)
        if not (isinstance(expression, Operation) and expression.operator in ("udiv", "sdiv", "urem", "srem")):
            self._set(target, local.node, local.reads)
            return None
        # Division by zero or by undef is undefined behaviour at once (LangRef, udiv): a path of its own.
        left, right = (self._value(argument).node for argument in expression.arguments)
        defined = _compute("divisible", (left, right), _BIT, expression.operand_type)
        machines = []
        for machine, value in self._split(defined, [1, 0]):
            if value:
                machine._set(target, local.node, local.reads)
            else:
                machine._finish("ub-division", line)
            machines.append(machine)
        return machines

    def _freeze(self, target: str, expression: Expression, type_: Type) -> list[Machine] | None:
        local = self._value(expression)
        undef = _compute("isundef", (local.node,), _BIT, type_)
        machines = []
        for machine, value in self._split(undef, [0, 1]):
            if not value:
                machine._set(target, local.node, local.reads)
                machines.append(machine)
                continue
            for choice in self._around.freeze_choices(type_):
                twin = machine._copy()
                filled = _compute("fill", (local.node, Known(choice)), type_, type_)
                twin._set(target, filled, local.reads)
                machines.append(twin)
        return machines

    def _alloca(self, instruction: Alloca) -> None:
        name = f"{self._thread.name}:%{self._name(instruction.target)}"
        count = self._allocas[name] = self._allocas.get(name, 0) + 1
        if count > 1:
            name += f"#{count}"
        type_ = instruction.type if instruction.count == 1 else ArrayType(instruction.count, instruction.type)
        self._around.objects[name] = MemoryObject(name, type_, instruction.address_space, UNDEF)
        if not self._around.slots_in_memory:
            self._around.slots.add(name)
        self._set(instruction.target, Known(Pointer(name)), NONE)

    def _barrier(self, arrives: bool, waits: bool, annotation: Annotation, line: int | None) -> None:
        arrival = self._arrivals if arrives else None
        wait = self._waits if waits else None
        self._arrivals += arrives
        self._waits += waits
        self._emit(
            PathEvent("B", annotation, self._instructions, ctrl=self._control, arrival=arrival, wait=wait, line=line)
        )
        self._instructions += 1

    def _numbered_barrier(self, barrier: Barrier, instance: int) -> list[Machine] | None:
        """Run a barrier that has a number: where it has a quorum, the thread may be one that completes it, or not."""
        if not barrier.quorum:
            self._meet(barrier, instance, completes=True)
            return None
        later = self._copy()
        self._meet(barrier, instance, completes=True)
        later._meet(barrier, instance, completes=False)
        return [self, later]

    def _meet(self, barrier: Barrier, instance: int, *, completes: bool) -> None:
        turn = sum(event.barrier is not None and event.barrier[0] == instance for event in self._events)
        self._emit(
            PathEvent(
                "B",
                barrier.annotation,
                self._instructions,
                ctrl=self._control,
                line=barrier.line,
                barrier=(instance, turn),
                needed=barrier.needed,
                completes=completes,
            )
        )
        self._instructions += 1

    def _call(self, call: Call) -> None:
        name, line = call.function, call.line
        function = self._around.functions[name]
        nested = sum(frame.function.name == name for frame in self._frames)
        if nested > self._around.unroll:
            self._finish("cut", line)
            return
        locals_ = [self._value(argument) for argument in call.arguments]
        number = self._calls[name] = self._calls.get(name, 0) + 1
        prefix = f"{name}.{number}."
        self._enter(function, prefix, call.target)
        self._frames[-1].entry, self._frames[-1].call = self._input, call
        self._input = NONE
        for parameter, local in zip(function.parameters, locals_, strict=True):
            self._registers[prefix + parameter] = local

    # -- memory ----------------------------------------------------------------------------------------------

    def _emit(self, event: PathEvent) -> None:
        if event.annotation.operands:
            event = replace(event, unsequenced=unsequenced(event, self._events))
        self._events.append(event)

    def _access(self, instruction: Load | Store | ReadModifyWrite | CompareExchange) -> list[Machine] | None:
        """Resolve the address, which may split the path, and run the access at each location."""
        address = self._value(instruction.address)
        size = size_of(instruction.type)
        machines: list[Machine] = []
        for machine, value in self._split(address.node, self._addresses(address.node, size)):
            if isinstance(value, Undef):
                machine._finish("ub-undef", instruction.line)
            elif location := machine._locate(value, size):
                split = machine._perform(instruction, location, address.reads)
                if split is not None:
                    machines.extend(split)
                    continue
            else:
                machine._finish("ub-address", instruction.line)
            machines.append(machine)
        return None if machines == [self] else machines

    def _addresses(self, node: Node, size: int) -> list[Value]:
        """Give the addresses that a pointer may be; where that is not known, every element in memory."""
        possible = self._possible(node)
        if possible is not None and not any(isinstance(value, Term) for value in possible):
            return possible
        named = set(pointed_to(node))
        return [
            UNDEF,
            *(
                Pointer(name, offset)
                for name, memory in self._around.objects.items()
                if name in named or not self._is_register(name)
                for offset in range(0, max(size_of(memory.type) - size, 0) + 1, max(size, 1))
            ),
        ]

    def _is_register(self, name: str) -> bool:
        """Tell whether an object is a stack slot whose address does not leave its thread."""
        around = self._around
        return name in around.slots and name.partition("#")[0] not in around.escaped

    def _locate(self, address: Value, size: int) -> Location | None:
        if not isinstance(address, Pointer):
            return None
        memory = self._around.objects.get(address.object)
        if memory is None or address.offset < 0 or address.offset + size > size_of(memory.type):
            return None
        return Location(address.object, address.offset, size)

    def _perform(
        self,
        instruction: Load | Store | ReadModifyWrite | CompareExchange,
        location: Location,
        addr: frozenset[int],
    ) -> list[Machine] | None:
        if self._is_register(location.object):
            try:
                return self._perform_in_slot(instruction, location, addr)
            except InputError as error:
                raise self._error(error.message, instruction.line) from None
        before = len(self._events)
        match instruction:
            case Load(target, _, type_, annotation, line):
                read = self._read(annotation, type_, location, addr, line)
                self._set(target, self._node(read), frozenset((read,)))
                self._instructions += 1
            case Store(_, value, _, annotation, line):
                local = self._value(value)
                self._write(annotation, location, local.node, addr, local.reads, None, line)
                self._instructions += 1
            case ReadModifyWrite(target, operator, _, operand, type_, annotation, line):
                read = self._read(annotation, type_, location, addr, line)
                local = self._value(operand)
                new = _compute(f"rmw {operator}", (self._node(read), local.node), type_, type_)
                self._write(annotation, location, new, addr, local.reads, read, line)
                self._set(target, self._node(read), frozenset((read,)))
                self._instructions += 1
            case CompareExchange():
                return self._compare_exchange(instruction, location, addr)
        self._produce(instruction, frozenset(range(before, len(self._events))))
        return None

    def _perform_in_slot(
        self,
        instruction: Load | Store | ReadModifyWrite | CompareExchange,
        location: Location,
        addr: frozenset[int],
    ) -> list[Machine] | None:
        """Run an access of a stack slot that is a register: it is no event, and passes dependencies and tokens on."""
        held = self._slots.read(location) if not isinstance(instruction, Store) else None
        waits = self._input | addr
        match instruction:
            case Store(_, value, _, _, _):
                local = self._value(value)
                self._slots.write(location, Local(local.node, local.reads | addr))
                self._produce(instruction, waits | local.reads)
                return None
            case CompareExchange() if held is not None:
                return self._compare_exchange_in_slot(instruction, location, Local(held.node, held.reads | addr))
        assert held is not None
        self._set(instruction.target, held.node, held.reads | addr)
        waits |= held.reads
        if isinstance(instruction, ReadModifyWrite):
            local = self._value(instruction.operand)
            type_ = instruction.type
            new = _compute(f"rmw {instruction.operator}", (held.node, local.node), type_, type_)
            self._slots.write(location, Local(new, held.reads | local.reads | addr))
            waits |= local.reads
        self._produce(instruction, waits)
        return None

    def _compare_exchange_in_slot(self, instruction: CompareExchange, location: Location, held: Local) -> list[Machine]:
        type_ = instruction.type
        expected, desired = self._value(instruction.expected), self._value(instruction.desired)
        equal = _compute("icmp eq", (held.node, expected.node), _BIT, type_)
        reads = held.reads | expected.reads
        machines = []
        for machine, value in self._split(equal, [1, 0, UNDEF], control=True):
            for succeeds in _outcomes(instruction, value):
                twin = machine._copy()
                success: Value = UNDEF if isinstance(value, Undef) else int(succeeds)
                if succeeds:
                    twin._slots.write(location, Local(desired.node, reads | desired.reads))
                pair = _compute("tuple", (held.node, Known(success)), type_, type_)
                twin._set(instruction.target, pair, reads)
                twin._produce(instruction, twin._input | reads | desired.reads)
                machines.append(twin)
        return machines

    def _node(self, read: int) -> Node:
        node = self._events[read].value
        assert node is not None
        return node

    def _read(
        self, annotation: Annotation, type_: Type, location: Location, addr: frozenset[int], line: int | None
    ) -> int:
        index = len(self._events)
        self._emit(
            PathEvent(
                "R",
                annotation,
                self._instructions,
                location,
                ReadValue(index, type_),
                addr,
                ctrl=self._control,
                tok=self._input,
                line=line,
            )
        )
        return index

    def _write(
        self,
        annotation: Annotation,
        location: Location,
        node: Node,
        addr: frozenset[int],
        data: frozenset[int],
        rmw: int | None,
        line: int | None,
    ) -> None:
        for name in pointed_to(node) if self._around.slots else ():
            if self._is_register(name):
                self._around.escaped.add(name.partition("#")[0])
                raise SlotEscapes
        self._emit(
            PathEvent(
                "W",
                annotation,
                self._instructions,
                location,
                node,
                addr,
                data,
                self._control,
                self._input,
                rmw,
                line=line,
            )
        )

    def _compare_exchange(
        self, instruction: CompareExchange, location: Location, addr: frozenset[int]
    ) -> list[Machine]:
        """Run a cmpxchg: success, failure, and both where the comparison is undef (success is then undef too).

        A weak one may fail although the values are equal. A failed one has no write and its read takes the
        failure ordering (semantics, section 1).
        """
        type_, line = instruction.type, instruction.line
        old = ReadValue(len(self._events), type_)
        expected, desired = self._value(instruction.expected), self._value(instruction.desired)
        equal = _compute("icmp eq", (old, expected.node), _BIT, type_)
        # The comparison looks at the read that is about to be made: emit it first, its ordering is set below.
        probe = self._copy()
        read = probe._read(instruction.annotation, type_, location, addr, line)
        machines = []
        for machine, value in probe._split(equal, [1, 0, UNDEF], control=True):
            for succeeds in _outcomes(instruction, value):
                twin = machine._copy()
                success: Value = UNDEF if isinstance(value, Undef) else int(succeeds)
                if succeeds:
                    twin._write(
                        instruction.annotation,
                        location,
                        desired.node,
                        addr,
                        expected.reads | desired.reads,
                        read,
                        line,
                    )
                else:
                    failure = replace(instruction.annotation, ordering=instruction.failure)
                    twin._events[read] = replace(twin._events[read], annotation=failure)
                pair = _compute("tuple", (twin._node(read), Known(success)), type_, type_)
                twin._set(instruction.target, pair, frozenset((read,)))
                twin._produce(instruction, frozenset(range(read, len(twin._events))))
                twin._instructions += 1
                machines.append(twin)
        return machines

    # -- control flow ----------------------------------------------------------------------------------------

    def _leave(self, terminator: Terminator) -> list[Machine] | None:
        match terminator:
            case Jump(block, _):
                self._go(block)
            case Branch(condition, then, otherwise, line):
                return self._decide(condition, [(1, then), (0, otherwise)], None, line)
            case Switch(value, cases, default, line):
                return self._decide(value, list(cases), default, line)
            case Return(value, line):
                self._return(value, line)
            case Unreachable(line):
                self._finish("ub-unreachable", line)
            case Unsupported(text, line):
                raise self._error(f"instruction not covered: {text}", line)
        return None

    def _decide(
        self, expression: Expression, cases: list[tuple[Value, str]], default: str | None, line: int | None
    ) -> list[Machine] | None:
        if self._repeats():
            self._finish("cut", line)
            return None
        local = self._value(expression)
        targets = dict(cases)
        machines = []
        for machine, value in self._split(local.node, [*targets, UNDEF], control=True):
            machine._control |= local.reads
            if isinstance(value, Undef):
                machine._finish("ub-undef", line)
            else:
                machine._go(targets[value])
            machines.append(machine)
        if default is not None:
            machines.extend(self._default(local, targets, default))
        return machines

    def _default(self, local: Local, targets: Mapping[Value, str], default: str) -> list[Machine]:
        """Take the default of a switch: the value is defined and none of the cases."""
        if isinstance(local.node, Known) and (local.node.value in targets or has_undef(local.node.value)):
            return []
        machine = self._copy()
        if not isinstance(local.node, Known):
            other = _compute("outside", (local.node, *map(Known, targets)), _BIT, _BIT)
            machine._conditions.append((other, 1))
        machine._control |= local.reads
        machine._go(default)
        return [machine]

    def _repeats(self) -> bool:
        """Note what the branch at hand decides on leaving loops by; tell whether one has repeated too often."""
        frame = self._frames[-1]
        block = frame.block.name
        if block not in frame.flow.left:
            return False
        tests = enumerate(frame.flow.tests[block])
        found = [each for number, test in tests for each in self._decisive((block, number), test)]
        repeats = 0
        for loop in frame.flow.left[block]:
            entry = frame.loops[loop.number]
            entry.learn(found)
            repeats = max(repeats, entry.repeats(block))
        return repeats > self._around.unroll

    def _decisive(self, place: Hashable, test: LoopTest) -> Iterator[Hashable]:
        """Give what makes a test another one than before: the values that it is computed from, or what it reads."""
        local = self._value(test.expression)
        if local.reads:
            events = [self._events[read] for read in local.reads]
            yield from (event.location for event in events if not event.addr)
            return
        if test.registers:  # a constant is nothing new
            values = [self._registers.get(self._name(name)) for name in test.registers]
            yield place, tuple(map(_known, values))

    def _go_round(self, came_from: str | None, name: str) -> bool:
        """Enter loops, or begin their next iterations; tell whether one that nothing leaves has repeated too often."""
        frame = self._frames[-1]
        repeats = 0
        for loop in frame.flow.entered.get(name, ()):
            if came_from in loop.blocks:
                frame.loops[loop.number].iteration += 1
            else:
                frame.loops[loop.number] = LoopEntry()
            repeats = max(repeats, frame.loops[loop.number].repeats(None))
        return repeats > self._around.unroll

    def _go(self, name: str) -> None:
        frame = self._frames[-1]
        came_from = frame.block.name
        if self._go_round(came_from, name):
            self._finish("cut", frame.block.terminator.line)
            return
        frame.block = frame.blocks[name]
        frame.position = 0
        # All phis of a block read their operands before any of them is assigned.
        chosen = [(phi.target, self._value(_incoming(phi, came_from))) for phi in frame.block.phis]
        for target, local in chosen:
            if target in frame.function.tokens:
                self._set_token(target, local.tokens | local.reads)
            else:
                self._set(target, local.node, local.reads)

    def _return(self, value: Expression | None, line: int | None) -> None:
        local = self._value(value) if value is not None else None
        frame = self._frames.pop()
        if not self._frames:
            self._finish("return", line)
            self._leaving = Leaving(NONE if local is None else local.reads, self._control, self._input)
            return
        assert frame.call is not None
        self._produce(frame.call, self._input)  # a call's token is the one that the return waits for
        if frame.target is not None and local is not None:
            self._set(frame.target, local.node, local.reads)


def _outcomes(instruction: CompareExchange, equal: Value) -> list[bool]:
    """Tell whether a cmpxchg may succeed, given what the comparison gives: a weak one may fail all the same."""
    if isinstance(equal, Undef) or (equal == 1 and instruction.weak):
        return [True, False]
    return [equal == 1]


def _incoming(phi: Phi, block: str) -> Expression:
    for name, expression in phi.incoming:
        if name == block:
            return expression
    raise AssertionError(f"LLVM's verifier lets no phi without {block} pass")


def _compute(
    operator: str, nodes: tuple[Node, ...], type_: Type, operand_type: Type, indices: tuple[int, ...] = ()
) -> Node:
    """Make a node, computed at once where all inputs are known."""
    if all(isinstance(node, Known) for node in nodes):
        values = tuple(node.value for node in nodes if isinstance(node, Known))
        return Known(apply(operator, values, type_, operand_type, indices))
    if operator == "select" and isinstance(nodes[0], Known) and isinstance(nodes[0].value, int):
        return nodes[1] if nodes[0].value else nodes[2]
    if operator == "extractvalue" and isinstance(nodes[0], Computed) and nodes[0].operator == "tuple":
        part = nodes[0].arguments[indices[0]]
        if len(indices) == 1:
            return part
        return _compute("extractvalue", (part,), type_, operand_type, indices[1:])
    return Computed(operator, nodes, type_, operand_type, indices)


def _known(local: Local | None) -> Value | None:
    """Give the value of a register that does not come from reads."""
    return local.node.value if local is not None and not local.reads and isinstance(local.node, Known) else None


def _excluded(node: Node, value: Value) -> bool:
    """Tell whether a bit cannot have a value whatever is read, since what is known of it decides."""
    if not isinstance(node, Computed) or node.type != _BIT or node.operator not in ("and", "or"):
        return False
    decisive = int(node.operator == "or")
    return value != decisive and any(
        each.value == decisive if isinstance(each, Known) else _excluded(each, value) for each in node.arguments
    )
