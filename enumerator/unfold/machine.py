"""Symbolic execution of a thread: it splits into branches where the value of a read decides how it continues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING
from zlib import crc32

from enumerator.clock import check_time
from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import (
    CLUSTER_BARRIER,
    Abort,
    Alloca,
    Allocate,
    Assign,
    Assume,
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    AvailabilityOperation,
    Barrier,
    BarrierOperation,
    BeginCatch,
    Call,
    CompareExchange,
    Create,
    EndCatch,
    Exit,
    Expression,
    Fence,
    Free,
    Freeze,
    Hold,
    IndirectCall,
    Instruction,
    LandingPad,
    Load,
    Measure,
    Meet,
    MemoryEntry,
    MergeOrder,
    Misuse,
    Now,
    Operation,
    OrderInput,
    OrderOutput,
    Prefetch,
    ReadModifyWrite,
    Resume,
    Store,
    Throw,
    TimeOut,
    Uncaught,
    Unsupported,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import ArrayType, IntType, Type
from enumerator.program.values import LATE, UNDEF, Pointer, Term, Undef, Value
from enumerator.unfold.accesses import access
from enumerator.unfold.arithmetic import may_divide_by_zero
from enumerator.unfold.asynchronous import mark, start_copy, wait
from enumerator.unfold.control import call, call_indirectly, end_thread, enter, leave
from enumerator.unfold.creation import begin_thread, create, leave_uncreated, note_end
from enumerator.unfold.exceptions import begin_catch, end_catch, land, resume, throw
from enumerator.unfold.heap import allocate, free, measure
from enumerator.unfold.locks import hold, misuse
from enumerator.unfold.meeting import meet
from enumerator.unfold.missed import leaves_barrier
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import BarrierStep, Known, Path
from enumerator.unfold.state import AGAIN, NONE, REFUSED, Local, Shared, Unchanged
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.unchanged import both_ways, next_needs_write
from enumerator.unfold.undone import ends_open

if TYPE_CHECKING:
    from enumerator.unfold.sought import Found

__all__ = ["assign_ahead", "begin", "paths_of", "step"]

_MOST_EVENTS = 4096
_MOST_STEPS = 1_000_000
_BIT = IntType(1)


def paths_of(thread: Thread, shared: Shared, returned: Mapping[int, Value] = MappingProxyType({})) -> Iterator[Path]:
    """Execute a thread symbolically, along every path, in a fixed order.

    Parameters
    ----------
    thread : Thread
    shared : Shared
    returned : mapping of int to Value
        What reads return, by event index, as far as that is known.

    Yields
    ------
    Path
    """
    first = begin(thread, shared)
    first.certain.update(returned)
    if shared.found is not None and shared.found.may_create(thread):
        yield from _sought(first, shared.found)
        return
    stack = [first]
    while stack:
        state = stack.pop()
        while state.end is None:
            check_time()
            assign_ahead(state)
            branches = step(state)
            if branches is not None:
                stack.extend(reversed(branches))
                break
        else:
            yield from _ended(state)


def _sought(first: ThreadState, found: Found) -> Iterator[Path]:
    """Execute a thread while those that it creates are sought.

    Where that takes long, branches go first that lead to where few have been, until nothing new is found for long.
    """
    found.begin(first.thread)
    stack: list[ThreadState] = [first]
    ahead: list[tuple[int, int, ThreadState]] = []
    visits: Counter[tuple[tuple[str, str], ...]] = Counter()
    numbers = count()
    while (stack or ahead) and first.thread.name not in found.enough:
        state = stack.pop() if stack else heappop(ahead)[2]
        branches = _up_to_split(state, found)
        if state.end is not None and not branches:
            yield from _ended(state)
        if not found.is_long(state.thread, bool(branches)):
            stack.extend(reversed(branches))
            continue
        for each in (*branches, *stack):
            place = tuple((frame.function.name, frame.block.name) for frame in each.frames)
            visits[place] += 1
            heappush(ahead, (visits[place], -next(numbers), each))
        stack.clear()
    for each in (*stack, *(state for _, _, state in ahead)):
        note_end(each)


def _up_to_split(state: ThreadState, found: Found) -> list[ThreadState]:
    """Execute a thread up to where it splits, or creates no more; give the branches."""
    while state.end is None:
        check_time()
        if not found.is_ahead(state):
            state.finish("return", None)
            break
        try:
            branches = step(state)
        except InputError:
            if all(state.is_fixed(node) for node, _ in state.conditions):
                raise
            state.finish(AGAIN, None)  # values may lead here that are not read
            found.more = True
            break
        if branches is not None:
            return branches
    return []


def _ended(state: ThreadState) -> Iterator[Path]:
    if state.end != AGAIN:
        note_end(state)
        leave_uncreated(state)
        yield state.path()


def begin(thread: Thread, shared: Shared) -> ThreadState:
    """Give a thread as it is before its first step.

    Parameters
    ----------
    thread : Thread
    shared : Shared

    Returns
    -------
    ThreadState
    """
    function = shared.functions[thread.function]
    state = ThreadState(thread, shared)
    # What a created thread does not know from the beginning, it reads before it begins.
    for name, argument in zip(function.parameters, thread.arguments, strict=thread.creation is None):
        state.registers[name] = Local(Known(argument.value), NONE)
    enter(state, function, "", None)
    begin_thread(state)
    return state


def assign_ahead(state: ThreadState) -> None:
    """Execute the assignments that come next, as many as there are: most of compiled code, and no path splits there."""
    if state.unchanged is not None or state.met:
        return
    frame, registers = state.frames[-1], state.registers
    body, first = frame.block.body, frame.position
    for instruction in body[first:]:
        if type(instruction) is not Assign or may_divide_by_zero(instruction.expression):
            break
        local = state.value(instruction.expression)
        registers[frame.prefix + instruction.target] = Local(local.node, local.reads) if local.tokens else local
        frame.position += 1
    state.steps += frame.position - first


def step(state: ThreadState) -> list[ThreadState] | None:
    """Execute one instruction; give the branches to continue with, or None if the path does not split."""
    state.steps += 1
    if state.steps > _MOST_STEPS or len(state.events) > _MOST_EVENTS:
        raise LimitReached(
            f"thread {state.thread.name} does not end within {_MOST_STEPS} steps and {_MOST_EVENTS} events"
        )
    if state.unchanged is not None:
        return _step_unchanged(state, state.unchanged)
    return _step(state)


def _step_unchanged(state: ThreadState, unchanged: Unchanged) -> list[ThreadState] | None:
    """Execute an instruction where a write that changes nothing is not there."""
    if not unchanged.left_out:
        return both_ways(state) if next_needs_write(state) else _step(state)
    first, adds = len(state.events), unchanged.added is not None
    branches = _step(state)
    for each in [state] if branches is None else branches:
        if any(ends_open(event) if adds else event.kind not in "RF" for event in each.events[first:]):
            each.give_up(each.unchanged or unchanged)  # it does not come back as it was
    return branches


def _step(state: ThreadState) -> list[ThreadState] | None:
    if state.met:
        return leaves_barrier(state)
    frame = state.frames[-1]
    if frame.position < len(frame.block.body):
        instruction = frame.block.body[frame.position]
        frame.position += 1
        return _run(state, instruction)
    if isinstance(frame.block.terminator, Resume):
        resume(state, frame.block.terminator)
        return None
    return leave(state, frame.block.terminator)


def _run(state: ThreadState, instruction: Instruction) -> list[ThreadState] | None:
    match instruction:
        case Assign(target, expression, line):
            return _assign(state, target, expression, line)
        case Load() | Store() | ReadModifyWrite() | CompareExchange():
            return access(state, instruction)
        case Fence(annotation, line):
            state.emit("F", annotation, line)
            state.end_instruction()
        case Barrier(instance=int(instance)):
            return _numbered_barrier(state, instruction, instance)
        case Barrier():
            _barrier(state, instruction)
            state.met = state.shared.blocks and instruction.waits
        case AvailabilityOperation(annotation, line):
            state.emit("B", annotation, line)
            state.end_instruction()
        case BarrierOperation():
            return _object_operation(state, instruction)
        case AsyncCopy():
            return start_copy(state, instruction)
        case AsyncMark(stages):
            mark(state, stages)
        case AsyncWait():
            wait(state, instruction)
        case Freeze(target, expression, type_, _):
            return _freeze(state, target, expression, type_)
        case Alloca():
            _alloca(state, instruction)
        case Call():
            call(state, instruction)
        case IndirectCall():
            return call_indirectly(state, instruction)
        case Abort(_, line):
            state.finish("assert", line)
        case TimeOut():
            state.late = True
        case Now(target, tells=tells):
            late = tells and state.late
            state.assign(target, Known(LATE if late else _reading(state)), NONE)
            state.late = state.late and not tells
        case Assume():
            return _assume(state, instruction)
        case Create():
            create(state, instruction)
        case Exit(None, line):
            state.finish("return", line)
        case Exit(value, line, process):
            assert value is not None
            if process and not state.shared.text.begins_alone(state.thread):
                line = state.frames[-1].line
                raise state.error("the process is ended by another thread than main: not covered", line)
            end_thread(state, state.value(value), line, exits=not process)
        case Allocate():
            return allocate(state, instruction)
        case Free():
            return free(state, instruction)
        case Measure():
            return measure(state, instruction)
        case Hold():
            return hold(state, instruction)
        case Meet():
            return meet(state, instruction, begin)
        case Misuse():
            return misuse(state, instruction)
        case Throw():
            throw(state, instruction)
        case LandingPad():
            land(state, instruction)
        case BeginCatch():
            begin_catch(state, instruction)
        case EndCatch():
            end_catch(state, instruction)
        case Uncaught(target):
            state.assign(target, Known(sum(each.flies for each in state.exceptions.values())), NONE)
        case Prefetch(address, _, _, None):
            state.produce(instruction, state.input | state.value(address).reads)
        case Prefetch():
            pass  # a gated prefetch neither waits for a token nor produces one
        case MemoryEntry(target, _):
            state.assign_token(target, state.frames[-1].entry)
        case OrderInput(token, _):
            state.input = state.tokens(token)
        case OrderOutput(target, _):
            state.assign_token(target, state.output)
        case MergeOrder(target, inputs, _):
            state.assign_token(target, NONE.union(*map(state.tokens, inputs)))
        case Unsupported(unless=unless) if unless and state.shared.text.identities[state.thread.name][unless]:
            pass
        case Unsupported(text, line, why):
            raise state.error(f"instruction not covered: {text}" + (f" ({why})" if why else ""), line)
    return None


def _assign(state: ThreadState, target: str, expression: Expression, line: int | None) -> list[ThreadState] | None:
    local = state.value(expression)
    if not may_divide_by_zero(expression):
        state.assign(target, local.node, local.reads)
        return None
    assert isinstance(expression, Operation)
    # Division by zero or undef is immediate undefined behaviour (LangRef, udiv): it is a path of its own.
    left, right = (state.value(argument).node for argument in expression.arguments)
    defined = compute("divisible", (left, right), _BIT, expression.operand_type)
    branches = []
    for branch, value in state.split(defined, [1, 0]):
        if value:
            branch.assign(target, local.node, local.reads)
        else:
            branch.finish("ub-division", line)
        branches.append(branch)
    return branches


def _reading(state: ThreadState) -> Term:
    """Give what a clock says: a number of its own for each place in the code, with the calls that led there."""
    places = "/".join(f"{each.function.name}:{each.block.name}:{each.position}" for each in state.frames)
    return Term("time", (crc32(places.encode()),))


def _assume(state: ThreadState, assume: Assume) -> list[ThreadState] | None:
    refused = REFUSED if assume.refuses and state.shared.keeps_refused else AGAIN
    branches = []
    for branch, value in state.split(state.value(assume.condition).node, [1, 0, UNDEF], control=True):
        if value != 1:
            branch.finish("ub-undef" if isinstance(value, Undef) else refused, assume.line)
        branches.append(branch)
    return branches


def _freeze(state: ThreadState, target: str, expression: Expression, type_: Type) -> list[ThreadState] | None:
    local = state.value(expression)
    undef = compute("isundef", (local.node,), _BIT, type_)
    branches = []
    for branch, value in state.split(undef, [0, 1]):
        if not value:
            branch.assign(target, local.node, local.reads)
            branches.append(branch)
            continue
        for choice in state.shared.freeze_choices(type_):
            twin = branch.copy()
            filled = compute("fill", (local.node, Known(choice)), type_, type_)
            twin.assign(target, filled, local.reads)
            branches.append(twin)
    return branches


def _alloca(state: ThreadState, instruction: Alloca) -> None:
    name = f"{state.thread.name}:%{state.full_name(instruction.target)}"
    number = state.allocas[name] = state.allocas.get(name, 0) + 1
    if number > 1:
        name += f"#{number}"
    type_ = instruction.type if instruction.count == 1 else ArrayType(instruction.count, instruction.type)
    state.shared.objects[name] = MemoryObject(name, type_, instruction.address_space, UNDEF)
    if not state.shared.slots_in_memory:
        state.shared.slots.add(name)
        state.frames[-1].slots += (name,)
    state.assign(instruction.target, Known(Pointer(name)), NONE)


def _barrier(state: ThreadState, barrier: Barrier) -> None:
    arrival = state.arrivals if barrier.arrives else None
    wait = state.waits if barrier.waits else None
    state.arrivals += barrier.arrives
    state.waits += barrier.waits
    step = _STEPS.get((barrier.arrives, barrier.waits))
    state.emit("B", barrier.annotation, barrier.line, arrival=arrival, wait=wait, step=step)
    state.end_instruction()


_STEPS = {
    (True, True): BarrierStep("both"),
    (True, False): BarrierStep("arrive"),
    (False, True): BarrierStep("wait"),
}


def _object_operation(state: ThreadState, operation: BarrierOperation) -> list[ThreadState] | None:
    """Execute an operation on a barrier object. Whether an arrival is the first is assumed, and looked at later."""
    if operation.operation not in ("first", "cluster"):
        _operate(state, operation, BarrierStep(operation.operation, operation.object, operation.count))
        return None
    branches = []
    for first in (True, False):
        branch = state.copy()
        place = "workgroup" if operation.operation == "cluster" else operation.object
        _operate(branch, operation, BarrierStep("first", place, operation.count, first))
        if operation.target is not None:
            branch.assign(operation.target, Known(int(first)), NONE)
        if operation.operation == "cluster":  # the first wave of each workgroup arrives for it
            _operate(branch, operation, BarrierStep("wait"))
            _operate(branch, operation, BarrierStep("both" if first else "wait", "cluster"))
        branches.append(branch)
    return branches


def _operate(state: ThreadState, operation: BarrierOperation, step: BarrierStep) -> None:
    annotation = operation.annotation
    if step.object == "cluster":
        annotation = replace(annotation, labels=annotation.labels | {CLUSTER_BARRIER})
    state.emit("B", annotation, operation.line, step=step)
    state.end_instruction()


def _numbered_barrier(state: ThreadState, barrier: Barrier, instance: int) -> list[ThreadState] | None:
    """Execute a barrier with a number. If it has a quorum, others may, or may not, wait for this arrival."""
    if not barrier.quorum:
        _meet(state, barrier, instance, completes=True)
        return None
    later = state.copy()
    _meet(state, barrier, instance, completes=True)
    _meet(later, barrier, instance, completes=False)
    return [state, later]


def _meet(state: ThreadState, barrier: Barrier, instance: int, *, completes: bool) -> None:
    turn = sum(event.barrier is not None and event.barrier[0] == instance for event in state.events)
    state.emit(
        "B",
        barrier.annotation,
        barrier.line,
        barrier=(instance, turn),
        needed=barrier.needed,
        completes=completes,
    )
    state.end_instruction()
