"""Which writes a thread will come to whatever the value is that decides on its next step, as its code says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from enumerator.program.instructions import (
    Access,
    Alloca,
    Allocate,
    Assign,
    Assume,
    AsyncCopy,
    Branch,
    Call,
    CompareExchange,
    Create,
    EndCatch,
    Exit,
    Expression,
    Free,
    Freeze,
    Function,
    Hold,
    IndirectCall,
    Measure,
    Meet,
    Misuse,
    Operation,
    Read,
    ReadModifyWrite,
    Register,
    Resume,
    Return,
    Store,
    Switch,
    Throw,
    Write,
    targets_of,
)
from enumerator.unfold.control import DESTROY
from enumerator.unfold.heap import slots_to_end
from enumerator.unfold.later import Later, ends_of_slots, later_of, told_at_end, uncreated
from enumerator.unfold.loops import flow_of
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.walk import write_of

__all__ = ["free_writes", "made_at_one_place", "settled", "with_read_addresses"]


class _Code:
    """What registers of a function are computed from, through assignments and the addresses of what is read."""

    def __init__(self, function: Function) -> None:
        self.blocks = {block.name: block for block in function.blocks}
        reads = [each for each in function.instructions if isinstance(each, Read)]
        self.read_into = [each.target for each in reads]
        self._defined = {each.target: each.expression for each in function.instructions if isinstance(each, Assign)}
        exchanges = (each for each in function.instructions if isinstance(each, CompareExchange))
        self._expected = {each.target: each.expected for each in exchanges}
        self._rests: dict[str, set[str]] = {}
        self._used: dict[int, tuple[object, set[str]]] = {}
        self._given: dict[tuple[str, str], list[tuple[str, set[str]]]] = {}
        addresses = [(each.target, self.leaves(each.address)) for each in reads]
        changed = True
        while changed:
            changed = False
            for target, leaves in addresses:
                known = self._rests.setdefault(target, {target})
                new = self._of(leaves)
                changed |= not new <= known
                known |= new

    def _of(self, leaves: set[str]) -> set[str]:
        return set[str]().union(*(self._rests.get(leaf, {leaf}) for leaf in leaves))

    def leaves(self, *expressions: Expression) -> set[str]:
        """Name the registers that expressions are computed from, through assignments."""
        found: set[str] = set()
        seen: set[str] = set()
        stack = [*expressions]
        while stack:
            match stack.pop():
                case Register(name) if name not in seen:
                    seen.add(name)
                    if name in self._defined:
                        stack.append(self._defined[name])
                    else:
                        found.add(name)
                case Operation("extractvalue", (Register(name),), indices=(1,)) if name in self._expected:
                    stack += [Register(name), self._expected[name]]  # whether it succeeds
                case Operation(arguments=arguments):
                    stack.extend(arguments)
        return found

    def used(self, instruction: Write | Branch | Switch) -> set[str]:
        """Name the registers that a write depends on, or that a branch decides by, also by an address that is read."""
        key = id(instruction)
        if key not in self._used:
            self._used[key] = instruction, self._of(self.leaves(*_operands(instruction)))
        return self._used[key][1]

    def given(self, origin: str, target: str) -> list[tuple[str, set[str]]]:
        """Give the phis of a block, each with the registers that it depends on where one comes from another block."""
        key = origin, target
        if key not in self._given:
            self._given[key] = [
                (phi.target, self._of(self.leaves(value)))
                for phi in self.blocks[target].phis
                for block, value in phi.incoming
                if block == origin
            ]
        return self._given[key]


def with_read_addresses(functions: Iterable[Function]) -> frozenset[int]:
    """Give the writes whose addresses are computed from what a read returns, by their identities.

    Parameters
    ----------
    functions : iterable of Function

    Returns
    -------
    frozenset of int
    """
    found = set[int]()
    for function in functions:
        code = _Code(function)
        phis = {phi.target: [each for _, each in phi.incoming] for block in function.blocks for phi in block.phis}
        for write in [each for each in map(write_of, function.instructions) if each is not None]:
            stack, seen = [*code.leaves(write.address)], set[str]()
            while stack and id(write) not in found:
                name = stack.pop()
                if name in code.read_into:
                    found.add(id(write))
                elif name not in seen:
                    seen.add(name)
                    stack += code.leaves(*phis.get(name, ()))
    return frozenset(found)


def made_at_one_place(functions: Mapping[str, Function], begun: Iterable[str]) -> frozenset[int]:
    """Give the writes that a thread makes at one place at most: once, or to what its parameters alone tell.

    Parameters
    ----------
    functions : mapping of str to Function
    begun : iterable of str
        Those that threads begin with.

    Returns
    -------
    frozenset of int
        Their identities.
    """
    parts = [part for function in functions.values() for part in function.instructions]
    called = {part.function for part in parts if isinstance(part, Call)}
    if any(isinstance(part, IndirectCall) for part in parts):
        return frozenset()
    found = set[int]()
    for function in {functions[name] for name in begun if name not in called}:
        code, again = _Code(function), {name for loop in flow_of(function).numbered.values() for name in loop.blocks}
        for block in function.blocks:
            for write in [each for each in map(write_of, block.body) if each is not None]:
                if block.name not in again or code.leaves(write.address) <= {*function.parameters}:
                    found.add(id(write))
    return frozenset(found)


def _operands(instruction: Write | Branch | Switch) -> list[Expression]:
    match instruction:
        case Store(address, value):
            return [address, value]
        case ReadModifyWrite():
            return [instruction.address, instruction.operand]
        case CompareExchange():
            return [instruction.address, instruction.expected, instruction.desired]
        case Free(address):
            return [address]
        case Branch():
            return [instruction.condition]
        case Switch():
            return [instruction.value]


def _code(state: ThreadState) -> _Code:
    function, known = state.frames[-1].function, state.shared.text.code
    if id(function) not in known:
        known[id(function)] = _Code(function)
    found: _Code = known[id(function)]
    return found


def free_writes(state: ThreadState) -> tuple[frozenset[Later] | None, frozenset[Later] | None]:
    """Give the writes after the next step that do not depend on what decides there.

    Parameters
    ----------
    state : ThreadState
        A thread before a step that asks for a value.

    Returns
    -------
    (frozenset of Later or None, frozenset of Later or None)
        None for any. Of a compare-exchange whose read is known, and of one whose read is not.
    """
    frame = state.frames[-1]
    body = frame.block.body
    instruction = body[frame.position] if frame.position < len(body) else frame.block.terminator
    if isinstance(instruction, Branch | Switch | IndirectCall):
        return frozenset(), frozenset()
    if isinstance(instruction, AsyncCopy):
        return None, None
    code = _code(state)
    if isinstance(instruction, CompareExchange):
        expected, target = code.leaves(instruction.expected), {instruction.target}
        return _free_of(state, expected or target), _free_of(state, target)
    if isinstance(instruction, Access | Free | Measure | Hold | Meet):
        asked = code.leaves(instruction.address)
    elif isinstance(instruction, Allocate):
        asked = code.leaves(instruction.size)
    else:
        assert isinstance(instruction, Assign | Freeze | Assume | Misuse)
        condition = instruction.condition if isinstance(instruction, Assume | Misuse) else instruction.expression
        asked = code.leaves(condition)
    free = _free_of(state, asked)
    return free, free


def _free_of(state: ThreadState, asked: set[str]) -> frozenset[Later] | None:
    """Give the writes after the next step that do not depend on some registers; None for any."""
    frame = state.frames[-1]
    found = told_at_end(state) | ends_of_slots(state, frame)
    for write in _independent(state, frame.position + 1, asked):
        if write is None:
            return None
        if not isinstance(write, Return | Exit | Create):
            found.add(later_of(state, frame, write))
    return frozenset(found)


def settled(state: ThreadState, wanted: frozenset[int]) -> frozenset[int]:
    """Give reads that all writes which a thread may still come to depend on.

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
    code, known, told = _code(state), state.shared.settled, _is_told(state)
    for name in code.read_into:
        local = state.registers.get(frame.prefix + name)
        reads = frozenset[int]() if local is None else local.node.reads
        if not (wanted & reads) - found:
            continue
        key = id(code), frame.block.name, frame.position, name, len(state.frames) > 1, told
        if key not in known:
            known[key] = not any(True for _ in _independent(state, frame.position, {name}))
        if known[key]:
            found |= reads
    return frozenset(found)


def _independent(state: ThreadState, first: int, asked: set[str]) -> Iterator[Write | Return | Exit | Create | None]:
    """Give the writes from a place in its block on that a thread comes to without depending on some registers.

    A write depends on a register if a branch before it does, by what it is computed from. None stands for any write:
    what a call does, and what follows where a register is assigned again. The end of a thread and the beginning of
    another one are told by writes, too.
    """
    frame = state.frames[-1]
    code, told, escaped = _code(state), _is_told(state), state.shared.escaped
    destroys = DESTROY in state.shared.functions
    # Beside the registers, phis on the way from there that depend on all of them.
    stack = [(frame.block.name, first, frozenset[str]())]
    seen: set[tuple[str, frozenset[str]]] = set()

    def rests(used: set[str], phis: frozenset[str]) -> bool:
        return asked <= used or not phis.isdisjoint(used)

    while stack:
        name, position, phis = stack.pop()
        block = code.blocks[name]
        if position == 0 and any(phi.target in asked for phi in block.phis):
            yield None
            continue
        for each in block.body[position:]:
            if isinstance(each, Call | IndirectCall | Throw | EndCatch) or (isinstance(each, Exit) and destroys):
                yield None
            elif isinstance(each, Alloca) and f"{state.thread.name}:%{frame.prefix}{each.target}" in escaped:
                yield None  # its end
            elif isinstance(each, Create) or (isinstance(each, Exit) and told):
                yield each
            write = write_of(each)
            if write is not None and not rests(code.used(write), phis):
                yield write
            if isinstance(each, Read) and each.target in asked:
                yield None
        end = block.terminator
        if isinstance(end, Return | Resume) and (len(state.frames) > 1 or destroys):
            yield None
        elif isinstance(end, Return) and told:
            yield end
        if isinstance(end, Branch | Switch) and rests(code.used(end), phis):
            continue
        for target in targets_of(end):
            given = code.given(name, target)
            after = phis - {phi for phi, _ in given} | {phi for phi, used in given if rests(used, phis)}
            if (target, after) not in seen:
                seen.add((target, after))
                stack.append((target, 0, after))


def _is_told(state: ThreadState) -> bool:
    """Tell whether anything is written at the end of a thread."""
    told = state.thread.creation is not None or bool(uncreated(state))
    return told or bool(slots_to_end(state, state.frames[0], exits=state.shared.text.exits))
