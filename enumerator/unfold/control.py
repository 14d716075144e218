"""Symbolic execution of control flow: branches, loops, calls and returns."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from enumerator.program.instructions import (
    Branch,
    Call,
    Expression,
    Function,
    IndirectCall,
    Jump,
    Phi,
    Return,
    Switch,
    Terminator,
    Unreachable,
    Unsupported,
    targets_of,
)
from enumerator.program.types import IntType
from enumerator.program.values import NULL, UNDEF, Pointer, Undef, Value, has_undef
from enumerator.unfold.attempts import needless, still_needless
from enumerator.unfold.heap import end_slots
from enumerator.unfold.loops import LoopEntry, LoopTest
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Known, Leaving
from enumerator.unfold.restored import restored
from enumerator.unfold.retries import atomic_reads, data_read, leaves_nothing, reads_again, tells_apart
from enumerator.unfold.rounds import acted_on, gives_back, of_rounds, takes_several
from enumerator.unfold.state import AGAIN, NONE, TRIED, Frame, Local
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.told import settled
from enumerator.unfold.unchanged import move
from enumerator.unfold.waiting import Iteration, begin, made_again, only_reads, stays

__all__ = [
    "BEGIN",
    "BEGUN",
    "DESTROY",
    "END",
    "END_CODE",
    "call",
    "call_indirectly",
    "end_thread",
    "enter",
    "handle_of",
    "jump",
    "leave",
]

BEGIN, BEGUN = "enumerator.begin", "enumerator.begun"
END, END_CODE = "enumerator.end", "enumerator.end.code"
"""Functions of the library: what a created thread does before and after its own function."""

DESTROY = "enumerator.destroy"
"""What destroys a thread's data at its end: a function of the library that only programs have that ask for that."""

_PURE_VIRTUAL = "__cxa_pure_virtual"
"""What stands in a table of virtual functions for one without a body (Itanium C++ ABI, 3.2.6): the program ends."""

_BIT = IntType(1)

_MOST_COUNTED = 256
"""So many iterations of a loop make progress by counting up to what was read: it may be any number."""

_MOST_NESTED = 256
"""So many calls of a function that are in each other make progress by what they are called with."""


def enter(state: ThreadState, function: Function, prefix: str, target: str | None) -> None:
    """Enter a function: its registers get a prefix, and its result goes to the register `target` of the caller."""
    blocks = {block.name: block for block in function.blocks}
    flow = state.shared.text.flow(function)
    state.frames.append(Frame(function, prefix, blocks, flow, function.blocks[0], 0, target))
    _begin_iteration(state, None, function.blocks[0].name)


def call(state: ThreadState, call: Call) -> None:
    """Execute a call; the path ends if recursion is deeper than the loop bound."""
    name, line = call.function, call.line
    function = state.shared.functions[name]
    locals_ = [state.value(argument) for argument in call.arguments]
    nested = [frame for frame in state.frames if frame.function.name == name]
    repeats = 0
    if nested:
        progress = len(nested) < _MOST_NESTED and _calls_onward(state, nested[-1], locals_)
        repeats = nested[-1].repeats + (not progress)
    if repeats > state.shared.unroll:
        state.finish("cut", line)
        return
    number = state.calls[name] = state.calls.get(name, 0) + 1
    prefix = f"{name}.{number}."
    caller = state.frames[-1]
    enter(state, function, prefix, call.target)
    if function.library:
        state.hidden.add(prefix)
        state.frames[-1].line = caller.line if caller.function.library else line
    frame = state.frames[-1]
    frame.entry, frame.call, frame.begun, frame.repeats = state.input, call, len(state.events), repeats
    state.input = NONE
    for parameter, local in zip(function.parameters, locals_, strict=True):
        state.registers[prefix + parameter] = local
    if state.shared.waits and takes_several(name):
        frame.attempt = begin(state, ())


def _calls_onward(state: ThreadState, last: Frame, arguments: list[Local]) -> bool:
    """Tell whether a call in a call of the same function makes progress, so that the bound on recursion does not count.

    So it does where it has another known argument, and nothing that was read since decides that there is such a call.
    """
    if any(read >= last.begun for read in state.control):
        return False
    before = [state.registers.get(last.prefix + parameter) for parameter in last.function.parameters]
    known = [(_known_value(old), _known_value(new)) for old, new in zip(before, arguments, strict=True)]
    return any(old is not None and new is not None and old != new for old, new in known)


def call_indirectly(state: ThreadState, instruction: IndirectCall) -> list[ThreadState] | None:
    """Execute a call through a pointer; give the branches to continue with, or None if the path does not split."""
    callee, line = state.value(instruction.callee), instruction.line
    known: list[Value] = [UNDEF, *(Pointer(f"@{name}") for name in state.shared.functions)]
    found = state.possible(callee.node)
    branches = []
    for branch, value in state.split(callee.node, known if found is None else list(found), control=True):
        branch.decide_by(callee.reads)
        begins = isinstance(value, Pointer) and value.offset == 0 and value.object.startswith("@")
        name = value.object[1:] if begins and isinstance(value, Pointer) else ""
        function = state.shared.functions.get(name)
        if isinstance(value, Undef):
            branch.finish("ub-undef", line)
        elif name == _PURE_VIRTUAL:
            branch.finish("assert", line)
        elif function is None and name and f"@{name}" not in state.shared.objects:
            raise state.error(f"a call through a pointer of @{name}, which has no body", line)
        elif function is None:
            branch.finish("ub-address", line)
        elif not function.takes(instruction.parameters):
            branch.finish("ub-address", line)  # LangRef, call: undefined if the types are not those of the callee
        else:
            call(branch, Call(instruction.target, name, instruction.arguments, line))
        branches.append(branch)
    return None if branches == [state] else branches


def end_thread(state: ThreadState, result: Local, line: int | None, *, exits: bool = False) -> None:
    """End a thread with a result, for those that join it; with `exits`, where its function has not returned."""
    leaving = Leaving(result.reads, state.control, state.input)
    end_slots(state, 0, line, exits=True)
    state.frames.clear()
    creation = state.thread.creation
    if state.left is not None or (creation is None and not (exits and DESTROY in state.shared.functions)):
        state.finish("return", line)
        state.leaving = state.left or leaving
        return
    state.left = leaving
    if creation is None:
        _destroy(state, line)
        return
    function = state.shared.functions[END_CODE if creation.code else END]
    enter(state, function, "end.", None)
    state.hidden.add("end.")
    state.frames[-1].line = line
    # What is there before anybody writes is zero. A result may be undef, so that no branch may rest on it.
    differs = not (isinstance(result.node, Known) and result.node.value in (0, NULL))
    given = handle_of(state), result, Local(Known(int(differs)), NONE)
    for parameter, local in zip(function.parameters, given, strict=True):
        state.registers["end." + parameter] = local
    if DESTROY in state.shared.functions:
        _destroy(state, line)


def _destroy(state: ThreadState, line: int | None) -> None:
    """Destroy the thread's data before anything else, as others may be told of its end then."""
    prefix = "destroy."
    enter(state, state.shared.functions[DESTROY], prefix, None)
    state.hidden.add(prefix)
    state.frames[-1].line = line


def handle_of(state: ThreadState) -> Local:
    """Give the address of the object that stands for the thread."""
    return Local(Known(Pointer(state.thread.handle)), NONE)


def leave(state: ThreadState, terminator: Terminator) -> list[ThreadState] | None:
    """Execute the terminator of a block; give the branches to continue with, or None if the path does not split."""
    match terminator:
        case Jump(block, _):
            states = jump(state, block)
            return None if len(states) == 1 else states
        case Branch(condition, then, otherwise, line):
            return _decide(state, condition, [(1, then), (0, otherwise)], None, line)
        case Switch(value, cases, default, line):
            return _decide(state, value, list(cases), default, line)
        case Return(value, line):
            _return(state, value, line)
        case Unreachable(line):
            state.finish("ub-unreachable", line)
        case Unsupported(text, line):
            raise state.error(f"instruction not covered: {text}", line)
    return None


def _decide(
    state: ThreadState, expression: Expression, cases: list[tuple[Value, str]], default: str | None, line: int | None
) -> list[ThreadState] | None:
    if _bound_reached(state):
        state.finish("cut", line)
        return None
    local = state.value(expression)
    targets = dict(cases)
    leaving = None if isinstance(local.node, Known) else _leaving(state)
    if leaving is not None:
        targets = dict.fromkeys(targets, leaving)
        default = None if default is None else leaving
    others = [] if default is None else _default(state, local, targets, default)
    branches = []
    for branch, value in state.split(local.node, [*targets, UNDEF], control=True):
        branch.decide_by(local.reads)
        if isinstance(value, Undef):
            branch.finish("ub-undef", line)
        else:
            branches += jump(branch, targets[value])
            continue
        branches.append(branch)
    return branches + others


def _leaving(state: ThreadState) -> str | None:
    """Give where a thread goes that leaves a loop in which nothing happens, at a branch that decides only about that.

    How often such a loop runs makes no difference, and it is taken to end (C11, 6.8.5 p6).
    """
    frame = state.frames[-1]
    name = frame.block.name
    loops = frame.flow.left.get(name, ())
    if not loops or name not in state.shared.text.inert(frame.function).branches:
        return None
    outside = [each for each in targets_of(frame.block.terminator) if all(each not in loop.blocks for loop in loops)]
    return outside[0] if outside else None


def _default(state: ThreadState, local: Local, targets: Mapping[Value, str], default: str) -> list[ThreadState]:
    """Take the default of a switch: the value is defined and none of the cases."""
    if isinstance(local.node, Known) and (local.node.value in targets or has_undef(local.node.value)):
        return []
    if not isinstance(local.node, Known):
        value = state.told(local.node, [*targets, UNDEF])
        if value is not None and (has_undef(value) or value in targets):
            return []
    branch = state.copy()
    if not isinstance(local.node, Known):
        other = compute("outside", (local.node, *map(Known, targets)), _BIT, _BIT)
        branch.conditions.append((other, 1))
    branch.decide_by(local.reads)
    return jump(branch, default)


def _bound_reached(state: ThreadState) -> bool:
    """Note what the present branch depends on, if it may leave loops; tell whether the loop bound is reached."""
    frame = state.frames[-1]
    block = frame.block.name
    if block not in frame.flow.left:
        return False
    tests = [
        ((block, number), test, state.value(test.expression)) for number, test in enumerate(frame.flow.tests[block])
    ]
    found = [each for told in tests for each in _depends_on(state, *told)]
    repeats = 0
    for loop in frame.flow.left[block]:
        entry = frame.loop(loop.number)
        counted = [_counts_to(state, *told, entry) for told in tests]
        entry.learn((*found, *(each for each in counted if each is not None)))
        repeats = max(repeats, entry.repeats(block))
    return repeats > state.bound


def _depends_on(state: ThreadState, place: Hashable, test: LoopTest, local: Local) -> Iterator[Hashable]:
    """Give what a test depends on: the locations that it reads, or the known values that it is computed from.

    What nobody writes is as a constant is.
    """
    read_at = [state.events[read].location for read in local.reads]
    fixed = state.shared.text.fixed
    varying = [location for location in read_at if location is None or location.object not in fixed]
    if varying:
        yield from varying
    elif test.registers:  # a constant is never progress
        values = [state.registers.get(state.full_name(name)) for name in test.registers]
        yield place, tuple(map(_known_value, values))


def _counts_to(state: ThreadState, place: Hashable, test: LoopTest, local: Local, entry: LoopEntry) -> Hashable | None:
    """Give the known values of a test beside what was read before the loop, if the values of reads are told."""
    if not state.shared.counts_to_reads or entry.iteration >= _MOST_COUNTED:
        return None
    if not local.reads or any(read >= entry.events for read in local.reads):
        return None
    values = tuple([_known_value(state.registers.get(state.full_name(name))) for name in test.registers])
    return None if all(value is None for value in values) else (place, values)


def _begin_iteration(state: ThreadState, came_from: str | None, name: str) -> bool:
    """Enter loops, or begin their next iterations; tell whether the bound of a loop without exit is reached."""
    frame = state.frames[-1]
    repeats = 0
    for loop in frame.flow.entered.get(name, ()):
        if came_from in loop.blocks:
            entry = frame.loop(loop.number)
            entry.iteration += 1
        else:
            entry = frame.loops[loop.number] = LoopEntry(events=len(state.events))
        repeats = max(repeats, entry.repeats(None))
    return repeats > state.bound


def _waits(
    state: ThreadState, came_from: str, header: str, carried: tuple[Local, ...]
) -> tuple[str, frozenset[int], frozenset[int]] | None:
    """Tell whether an iteration of a loop has only read, so that the thread waits there, or goes on without it.

    Give how the path ends then, the reads that the thread waits with, and those of plain data: there may be a way to go
    on for what races with these. None where the thread goes on.
    """
    frame = state.frames[-1]
    if not (state.shared.waits or frame.function.library):
        return None
    if state.unchanged is not None and state.unchanged.added is not None and not state.unchanged.undone:
        return None
    for loop in (*frame.flow.entered.get(header, ()), *frame.flow.tested.get(header, ())):
        if came_from in loop.blocks and loop.headers == {header} and loop.number in frame.loops:
            entry = frame.loops[loop.number]
            for before in (entry.begun,) if entry.first is entry.begun else (entry.begun, entry.first):
                if not isinstance(before, Iteration):
                    continue
                rounds, same = of_rounds(state, before), restored(state, before.events)
                found = _may_be_left_out(state, frame, header, before, carried, rounds, same)
                if found is not None:
                    end, reads = found
                    data = data_read(state, before) - rounds - same
                    if data and tells_apart(state, before.conditions, reads):
                        end, reads = AGAIN, NONE  # nobody waits so for ever: what it looks at is not asked for
                    # What waits for plain data alone is bounded, unless that is looked at under a lock.
                    if not rounds and atomic_reads(state, range(before.events, len(state.events))):
                        return end, reads | data if reads else reads, data
                    if rounds and reads | data:
                        return end, reads | data, data
            if (found := needless(state, frame, header, entry, carried)) is not None:
                return *found, NONE
    return None


def _leave_out(state: ThreadState, end: str, reads: frozenset[int], data: frozenset[int]) -> list[ThreadState]:
    """End a path at an iteration that may be left out; give also the way on that is there for what races with it."""
    ways = []
    if data and not state.tried:
        tries = state.copy()
        tries.tried = True
        if state.shared.ends_tried:
            tries.waiting = data
            tries.finish(TRIED, None)
        ways.append(tries)
    frame = state.frames[-1]
    if frame.function.name == BEGIN or not reads:
        end = AGAIN  # whoever may create the thread will do so, or end without
    state.waiting = reads
    state.tries -= reads
    state.finish(end, frame.block.terminator.line)
    return [state, *ways]


def _may_be_left_out(
    state: ThreadState,
    frame: Frame,
    header: str,
    before: Iteration,
    carried: tuple[Local, ...],
    rounds: frozenset[int],
    same: frozenset[int],
) -> tuple[str, frozenset[int]] | None:
    """Tell how the path ends where an iteration may be left out, and what the thread waits with; None if it may not."""
    stores = made_again(state, before)
    if not leaves_nothing(state, frame, header, before, rounds | stores | same):
        return None
    if stays(state, frame, header, before, carried):
        stored = map(state.events.__getitem__, stores | same)
        if (stores or same) and not state.shared.rewritten.may_be_left_out(state.thread, state.created, stored):
            return None
        reads = frozenset(_waited_for(state, before)) - rounds
        # A weak cmpxchg that failed for no reason does not fail for ever.
        spurious = any(not old.reads.isdisjoint(reads) for old, _ in state.spurious)
        return AGAIN if spurious else "stuck", atomic_reads(state, reads)
    if rounds or stores or same or state.unchanged is not None:
        return None
    return reads_again(state, frame, header, before, carried)


def _waited_for(state: ThreadState, before: Iteration) -> range:
    """Give the events of an iteration that waits; none where the thread does so on another way, too.

    That is where a write changes nothing, and the thread goes on without it, too; and without the write, where only a
    loop in the iteration of this write waits. With one that is taken back, it is all of the iteration that waits then.
    """
    reads, unchanged = range(before.events, len(state.events)), state.unchanged
    if unchanged is not None and unchanged.undone:
        return range(min(before.events, unchanged.read), len(state.events))
    left_out = unchanged is not None and unchanged.read not in reads
    return range(0) if left_out or any(state.events[write].rmw in reads for write in state.kept) else reads


def jump(state: ThreadState, name: str) -> list[ThreadState]:
    """Go to a block of the present function; give the ways that the thread may go then."""
    frame = state.frames[-1]
    came_from, line = frame.block.name, frame.block.terminator.line
    # All phis of a block read their operands before any of them is assigned.
    chosen = [(phi.target, settled(state, state.value(_incoming(phi, came_from)))) for phi in frame.blocks[name].phis]
    carried = tuple(local for _, local in chosen)
    ways = [state]
    if (waits := _waits(state, came_from, name, carried)) is not None:
        ways = _leave_out(state, *waits)
        state = ways[-1]
        if state.end is not None:
            return ways
        frame = state.frames[-1]
    if _begin_iteration(state, came_from, name):
        state.finish("cut", line)
        return ways
    entered, tested = frame.flow.entered.get(name, ()), frame.flow.tested.get(name, ())
    if (state.shared.waits or frame.function.library) and (entered or tested):
        begun = begin(state, carried)
        for loop in (*entered, *tested):
            if loop in tested:
                frame.loops.setdefault(loop.number, LoopEntry())
            entry = frame.loop(loop.number)
            if not isinstance(entry.begun, Iteration) or not only_reads(state, entry.begun.events):
                entry.first = begun
            entry.begun = begun
            if loop in tested:
                continue
            starts = still_needless(state, entry.starts) if entry.starts else ()
            entry.starts = (*starts, begun)[-state.shared.unroll - 2 :]
    frame.block = frame.blocks[name]
    frame.position = 0
    for target, local in chosen:
        if target in frame.function.tokens:
            state.assign_token(target, local.tokens | local.reads)
        else:
            state.assign(target, local.node, local.reads)
    if state.unchanged is not None or state.undoing is not None:
        depth, loops = len(state.frames) - 1, frame.flow.entered.get(name, ())
        move(state, tuple((depth, loop.number) for loop in loops if came_from in loop.blocks))
    if state.tries:
        state.note_failed(acted_on(state))
    return ways


def _return(state: ThreadState, value: Expression | None, line: int | None) -> None:
    local = state.value(value) if value is not None else None
    end_slots(state, len(state.frames) - 1, line)
    frame = state.frames.pop()
    if state.unchanged is not None or state.undoing is not None:
        move(state)
    if not state.frames:
        if state.left is None:  # else it is what tells others of the thread's end that returns, or destroys its data
            state.returned = None if local is None else local.node
        end_thread(state, local or Local(Known(UNDEF), NONE), line if frame.line is None else frame.line)
        return
    if frame.function.name in (BEGIN, DESTROY):
        if frame.target is not None and local is not None:
            state.assign(frame.target, local.node, local.reads)
        return
    assert frame.call is not None
    state.produce(frame.call, state.input)  # a call's token is the one that the return waits for
    if frame.target is not None and local is not None:
        state.assign(frame.target, local.node, local.reads)
    if state.tries and frame.function.library and (reads := gives_back(state)):
        _leave_out(state, "stuck", reads, NONE)


def _incoming(phi: Phi, block: str) -> Expression:
    for name, expression in phi.incoming:
        if name == block:
            return expression
    raise AssertionError(f"LLVM's verifier lets no phi without {block} pass")


def _known_value(local: Local | None) -> Value | None:
    """Give the value of a register that does not come from reads."""
    return local.node.value if local is not None and not local.reads and isinstance(local.node, Known) else None
