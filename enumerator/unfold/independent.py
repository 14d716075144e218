"""Which writes in the code that a thread comes to do not depend on a value that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enumerator.program.instructions import (
    Assign,
    Assume,
    AsyncCopy,
    Branch,
    Call,
    CompareExchange,
    Create,
    Exit,
    Expression,
    Free,
    Freeze,
    Function,
    IndirectCall,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Switch,
)
from enumerator.unfold.later import Write, pointed_to, uncreated, write_of
from enumerator.unfold.loops import targets_of
from enumerator.unfold.thread import ThreadState

__all__ = ["free_objects", "settled"]

_ACCESSES = Load | Store | ReadModifyWrite | CompareExchange
_Defined = Mapping[str, Expression]


def free_objects(state: ThreadState) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """Name the objects that may be written after the next step without depending on what decides there.

    Parameters
    ----------
    state : ThreadState
        A thread before a step that asks for a value.

    Returns
    -------
    (frozenset of str or None, frozenset of str or None)
        None for any. Of a compare-exchange whose read is known, and of one whose read is not.
    """
    frame = state.frames[-1]
    body = frame.block.body
    instruction = body[frame.position] if frame.position < len(body) else frame.block.terminator
    if isinstance(instruction, Branch | Switch | IndirectCall):
        return frozenset(), frozenset()
    if isinstance(instruction, AsyncCopy):
        return None, None
    defined = _definitions(frame.function)
    if isinstance(instruction, CompareExchange):
        expected, target = _leaves(instruction.expected, defined), {instruction.target}
        return _free_of(state, expected or target, defined), _free_of(state, target, defined)
    if isinstance(instruction, _ACCESSES | Free):
        asked = _leaves(instruction.address, defined)
    else:
        assert isinstance(instruction, Assign | Freeze | Assume)
        condition = instruction.condition if isinstance(instruction, Assume) else instruction.expression
        asked = _leaves(condition, defined)
    free = _free_of(state, asked, defined)
    return free, free


def _free_of(state: ThreadState, asked: set[str], defined: _Defined) -> frozenset[str] | None:
    """Name the objects that may be written after the next step without depending on some registers; None for any."""
    found = {thread.handle for thread in uncreated(state)}
    if state.thread.creation is not None:
        found.add(state.thread.handle)  # its end is told
    frame = state.frames[-1]
    for write in _independent(state, frame.position + 1, asked, defined):
        if isinstance(write, Return | Exit | Create):
            continue
        named = None if write is None else pointed_to(state, frame, write.address)
        if named is None:
            return None
        found |= named
    return frozenset(found)


def settled(state: ThreadState, wanted: frozenset[int]) -> frozenset[int]:
    """Give reads that all writes depend on which a thread may still come to.

    Parameters
    ----------
    state : ThreadState
    wanted : frozenset of int
        The reads to look at, by their index in the path.

    Returns
    -------
    frozenset of int
    """
    frame, found = state.frames[-1], set[int]()
    function, known, told = frame.function, state.shared.settled, _is_told(state)
    for name in _read_into(state, function):
        local = state.registers.get(frame.prefix + name)
        reads = frozenset[int]() if local is None else local.node.reads
        if not (wanted & reads) - found:
            continue
        key = id(function), frame.block.name, frame.position, name, len(state.frames) > 1, told
        if key not in known:
            known[key] = not any(True for _ in _independent(state, frame.position, {name}, _definitions(function)))
        if known[key]:
            found |= reads
    return frozenset(found)


def _read_into(state: ThreadState, function: Function) -> list[str]:
    """Name the registers of a function that hold what an access has read."""
    known = state.shared.read_into
    if id(function) not in known:
        known[id(function)] = [
            each.target
            for block in function.blocks
            for each in block.body
            if isinstance(each, Load | ReadModifyWrite | CompareExchange)
        ]
    found: list[str] = known[id(function)]
    return found


def _independent(
    state: ThreadState, first: int, asked: set[str], defined: _Defined
) -> Iterator[Write | Return | Exit | Create | None]:
    """Give the writes from a place in its block on that a thread comes to without depending on some registers.

    A write depends on a register if a branch before it does, by what it is computed from. None stands for any write:
    what a call does, and what follows where a register is assigned again. The end of a thread and the beginning of
    another one are told by writes, too.
    """
    frame = state.frames[-1]
    function = frame.function
    blocks = {block.name: block for block in function.blocks}
    tainted, told = _tainted(asked, function, defined), _is_told(state)
    stack = [(frame.block.name, first)]
    seen: set[str] = set()
    while stack:
        name, position = stack.pop()
        block = blocks[name]
        if position == 0 and any(phi.target in asked for phi in block.phis):
            yield None
            continue
        for each in block.body[position:]:
            if isinstance(each, Call | IndirectCall):
                yield None
            elif isinstance(each, Create) or (isinstance(each, Exit) and told):
                yield each
            write = write_of(each)
            if write is not None:
                taken = set[str]().union(*(tainted.get(leaf, set()) for leaf in _inputs(write, defined)))
                if not asked <= taken:
                    yield write
            if isinstance(each, Load | ReadModifyWrite | CompareExchange) and each.target in asked:
                yield None
        end = block.terminator
        if isinstance(end, Return) and len(state.frames) > 1:
            yield None
        elif isinstance(end, Return) and told:
            yield end
        if isinstance(end, Branch | Switch):
            decides = end.condition if isinstance(end, Branch) else end.value
            known = (tainted.get(each, set()) for each in _leaves(decides, defined))
            if asked <= set[str]().union(*known):
                continue
        for target in targets_of(end):
            if target not in seen:
                seen.add(target)
                stack.append((target, 0))


def _is_told(state: ThreadState) -> bool:
    """Tell whether anything is written at the end of a thread."""
    return state.thread.creation is not None or bool(uncreated(state))


def _inputs(instruction: Write, defined: _Defined) -> set[str]:
    """Name the registers that a write depends on."""
    match instruction:
        case Store(address, value):
            used = [address, value]
        case ReadModifyWrite():
            used = [instruction.address, instruction.operand]
        case CompareExchange():
            used = [instruction.address, instruction.expected, instruction.desired]
        case Free(address):
            used = [address]
    return set[str]().union(*(_leaves(each, defined) for each in used))


def _tainted(asked: set[str], function: Function, defined: _Defined) -> dict[str, set[str]]:
    """Give for each register those of some registers that it is computed from, also by an address that is read."""
    found: dict[str, set[str]] = {name: {name} for name in asked}
    changed = True
    while changed:
        changed = False
        for block in function.blocks:
            for each in block.body:
                if isinstance(each, Load | ReadModifyWrite | CompareExchange):
                    known = found.setdefault(each.target, set())
                    new = set[str]().union(*(found.get(leaf, ()) for leaf in _leaves(each.address, defined)))
                    changed |= not new <= known
                    known |= new
    return found


def _definitions(function: Function) -> _Defined:
    """Give what registers are assigned."""
    return {
        each.target: each.expression for block in function.blocks for each in block.body if isinstance(each, Assign)
    }


def _leaves(expression: Expression, defined: _Defined) -> set[str]:
    """Name the registers that an expression is computed from, through assignments."""
    found: set[str] = set()
    seen: set[str] = set()
    stack = [expression]
    while stack:
        match stack.pop():
            case Register(name) if name not in seen:
                seen.add(name)
                if name in defined:
                    stack.append(defined[name])
                else:
                    found.add(name)
            case Operation(arguments=arguments):
                stack.extend(arguments)
    return found
