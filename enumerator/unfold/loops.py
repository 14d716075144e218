"""The loops of a function, and which iterations count towards the loop bound.

The loop bound is for loops that may run forever, such as a spin loop. It counts the iterations that make no progress.
An iteration makes progress if a branch that may leave the loop depends on something new:

- a known value that it has not depended on before, such as a counter that is compared with its end;
- a read of a location that it has not depended on before, as when an array is searched, or a list;
- a known value beside what was read before the loop, as a counter whose end is read: where threads are unfolded on
  demand, and nobody has set the bound.

Loops that always make progress end on their own, and are not bounded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property

from enumerator.frozen import dataclass
from enumerator.graphs import components
from enumerator.program.instructions import (
    Alloca,
    Assign,
    Branch,
    Expression,
    Freeze,
    Function,
    Instruction,
    Load,
    Operation,
    Register,
    Store,
    Switch,
    targets_of,
)
from enumerator.program.types import IntType

__all__ = ["Flow", "Loop", "LoopEntry", "LoopTest", "definitions_of", "flow_of", "leads_back", "loops_of", "sources"]

_BIT = IntType(1)


@dataclass(frozen=True, slots=True)
class Loop:
    """A cycle of blocks.

    Parameters
    ----------
    number : int
        Identifies the loop in its function.
    headers : frozenset of str
        The blocks at which it can be entered: a single one, unless the loop is irreducible.
    blocks : frozenset of str
        All of its blocks, those of inner loops included.
    """

    number: int
    headers: frozenset[str]
    blocks: frozenset[str]


@dataclass(frozen=True, slots=True)
class LoopTest:
    """A part of the condition of a branch.

    Parameters
    ----------
    expression : Expression
    registers : tuple of str
        The registers that it is computed from, directly or through others, those of the addresses of its loads
        included; it ends at calls.
    """

    expression: Expression
    registers: tuple[str, ...]


@dataclass(frozen=True)
class Flow:
    """The loops of a function by block, as the symbolic execution looks them up.

    Parameters
    ----------
    entered : mapping of str to tuple of Loop
        By block, the loops that it is a header of.
    left : mapping of str to tuple of Loop
        By block, the loops that its branch may leave.
    tests : mapping of str to tuple of LoopTest
        By block whose branch may leave a loop, the parts of the condition of its branch.
    tested : mapping of str to tuple of Loop
        By block, the loops that begin with tests of registers and stack slots alone, where these are over there. What
        has been tested may be dead then, so that iterations are alike that are not at the header. They have numbers of
        their own, and this block for a header.
    """

    entered: Mapping[str, tuple[Loop, ...]]
    left: Mapping[str, tuple[Loop, ...]]
    tests: Mapping[str, tuple[LoopTest, ...]]
    tested: Mapping[str, tuple[Loop, ...]] = field(default_factory=dict)

    @cached_property
    def numbered(self) -> Mapping[int, Loop]:
        """The loops by number."""
        return {loop.number: loop for part in (self.entered, self.tested) for loops in part.values() for loop in loops}


@dataclass(slots=True)
class LoopEntry:
    """The progress of a loop since it was last entered."""

    seen: set[Hashable] = field(default_factory=set)
    """What the branches that may leave it have depended on."""
    begun: object = None
    """The thread at the beginning of the present iteration (:class:`enumerator.unfold.waiting.Iteration`)."""
    first: object = None
    """The same of the first iteration since which it has only read: loops in it, with its header, end there."""
    starts: tuple[object, ...] = ()
    """The same of the iterations since it was entered, the last ones."""
    new: int = 0
    """How often that was something new."""
    iteration: int = 0
    events: int = 0
    """How many events there were when it was entered."""
    met: dict[str | None, tuple[int, int, int]] = field(default_factory=dict)
    """By block, where None stands for the start of an iteration: the last iteration that reached it, the value of `new`
    at that time, and how many iterations reached it without progress since the one before."""

    def copy(self) -> LoopEntry:
        held = self.begun, self.first, self.starts, self.new, self.iteration, self.events
        return LoopEntry(set(self.seen), *held, dict(self.met))

    def is_nearly_cut(self, bound: int) -> bool:
        """Tell whether the next iteration is cut at the bound, unless it makes progress."""
        return any(
            iteration == self.iteration and new == self.new and repeats >= bound
            for iteration, new, repeats in self.met.values()
        )

    def learn(self, found: Iterable[Hashable]) -> None:
        """Note what a branch that may leave the loop depends on."""
        before = len(self.seen)
        self.seen.update(found)
        self.new += len(self.seen) > before

    def repeats(self, block: str | None) -> int:
        """Note that a block is reached; tell how many iterations reached it without progress since the one before."""
        iteration, new, repeats = self.met.get(block, (-1, -1, 0))
        if iteration != self.iteration:
            repeats += new == self.new
            self.met[block] = self.iteration, self.new, repeats
        return repeats


def flow_of(function: Function) -> Flow:
    """Find the loops of a function, and what decides on leaving them.

    Parameters
    ----------
    function : Function

    Returns
    -------
    Flow
    """
    if not leads_back(function):
        return Flow({}, {}, {})
    successors, entered = _successors(function), loops_of(function)
    loops = sorted({loop for found in entered.values() for loop in found}, key=lambda each: each.number)
    left: dict[str, list[Loop]] = {}
    for loop in loops:
        for block in loop.blocks:
            if any(target not in loop.blocks for target in successors[block]):
                left.setdefault(block, []).append(loop)
    definitions = definitions_of(function) if left else {}
    # What is known of memory that nobody writes differs from place to place, even if it is the same.
    loads = ((each.target, each.address) for each in function.instructions if isinstance(each, Load)) if left else ()
    origins = definitions | {target: [address] for target, address in loads}
    return Flow(
        entered,
        {block: tuple(found) for block, found in left.items()},
        {
            block.name: tuple(
                LoopTest(part, tuple(sorted(sources(part, origins))))
                for part in _parts(_condition(block.terminator), definitions)
            )
            for block in function.blocks
            if block.name in left and isinstance(block.terminator, Branch | Switch)
        },
        _tested(function, loops, successors),
    )


def loops_of(function: Function) -> dict[str, tuple[Loop, ...]]:
    """Find the loops of a function.

    Parameters
    ----------
    function : Function

    Returns
    -------
    dict of str to tuple of Loop
        By block, the loops that it is a header of.

    References
    ----------
    B. Steensgaard, *Sequentializing Program Dependence Graphs for Irreducible Programs*, 1993. The loops of a region
    are its strongly connected components; the inner loops of a loop are the components that remain without the edges to
    its headers. In reducible graphs these are the natural loops.
    """
    entered: dict[str, tuple[Loop, ...]] = {}
    for loop in _loops(_successors(function), function.blocks[0].name):
        for header in loop.headers:
            entered[header] = (*entered.get(header, ()), loop)
    return entered


def leads_back(function: Function) -> bool:
    """Tell whether a block of a function leads to itself or to one before it, as some block of each loop does.

    Parameters
    ----------
    function : Function

    Returns
    -------
    bool
    """
    before = set[str]()
    for each in function.blocks:
        before.add(each.name)
        if not before.isdisjoint(targets_of(each.terminator)):
            return True
    return False


def _successors(function: Function) -> dict[str, tuple[str, ...]]:
    """Leave out the blocks that no way leads to: what they branch to is no header of a loop for it."""
    successors, entry = {block.name: targets_of(block.terminator) for block in function.blocks}, function.blocks[0].name
    found, stack = {entry}, [entry]
    while stack:
        new = set(successors[stack.pop()]) - found
        found |= new
        stack += new
    return {block: targets for block, targets in successors.items() if block in found}


def _loops(successors: Mapping[str, tuple[str, ...]], entry: str) -> Iterator[Loop]:
    number = 0
    regions = [dict(successors)]
    while regions:
        edges = regions.pop()
        for component in map(set, components(edges)):
            if not any(target in component for block in component for target in edges[block]):
                continue
            headers = {
                target
                for block, targets in successors.items()
                for target in targets
                if target in component and block not in component
            } | ({entry} & component)
            yield Loop(number, frozenset(headers), frozenset(component))
            number += 1
            regions.append(
                {
                    block: tuple(target for target in edges[block] if target in component - headers)
                    for block in component
                }
            )


def _tested(
    function: Function, loops: Sequence[Loop], successors: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[Loop, ...]]:
    """Find where loops begin that begin with tests in which nothing happens that others see."""
    slots = {each.target for each in function.instructions if isinstance(each, Alloca)}
    quiet = {block.name for block in function.blocks if all(_is_quiet(part, slots) for part in block.body)}
    found: dict[str, tuple[Loop, ...]] = {}
    for loop in loops:
        if len(loop.headers) == 1 and (begin := _after_tests(loop, successors, quiet)) is not None:
            own = Loop(len(loops) + loop.number, frozenset({begin}), loop.blocks)
            found[begin] = (*found.get(begin, ()), own)
    return found


def _leads_to(block: str, end: str, successors: Mapping[str, tuple[str, ...]], quiet: Set[str]) -> bool:
    return block in quiet and set(successors[block]) == {end}


def _is_quiet(part: Instruction, slots: Set[str]) -> bool:
    if isinstance(part, Load) and part.annotation.plain:
        return True
    if isinstance(part, Load | Store):
        return isinstance(part.address, Register) and part.address.name in slots
    return isinstance(part, Assign)


def _after_tests(loop: Loop, successors: Mapping[str, tuple[str, ...]], quiet: Set[str]) -> str | None:
    """Give the block at which the tests at the beginning of a loop are over; None where there are none."""
    (block,), leaves, seen = loop.headers, False, set[str]()
    while block in quiet and block not in seen:
        seen.add(block)
        leaves |= any(each not in loop.blocks for each in successors[block])
        inside = {each for each in successors[block] if each in loop.blocks}
        # Of two ways, one may lead to where the other one does: one part of a condition is not looked at.
        ends = {each for each in inside if all(_leads_to(other, each, successors, quiet) for other in inside - {each})}
        if len(ends) != 1 or ends <= loop.headers:
            return None
        (block,) = ends
    return block if leaves else None


# Conditions -------------------------------------------------------------------------------------------------


def _condition(terminator: Branch | Switch) -> Expression:
    return terminator.condition if isinstance(terminator, Branch) else terminator.value


def definitions_of(function: Function) -> dict[str, list[Expression]]:
    """Give the expressions that each register is computed from: several for a phi, else one."""
    found: dict[str, list[Expression]] = {}
    for block in function.blocks:
        for phi in block.phis:
            found.setdefault(phi.target, []).extend(expression for _, expression in phi.incoming)
        for instruction in block.body:
            if isinstance(instruction, Assign | Freeze):
                found.setdefault(instruction.target, []).append(instruction.expression)
    return found


def _parts(condition: Expression, definitions: Mapping[str, list[Expression]]) -> list[Expression]:
    """Split a condition into its operands of ``and``, ``or``, ``xor`` and ``select``: each may end the loop."""
    parts: dict[Expression, None] = {}
    seen: set[Expression] = set()
    stack = [condition]
    while stack:
        expression = stack.pop()
        if expression in seen:
            continue
        seen.add(expression)
        if isinstance(expression, Register) and len(definitions.get(expression.name, ())) == 1:
            (defined,) = definitions[expression.name]
            if isinstance(defined, Register) or _is_logical(defined):
                stack.append(defined)
                continue
        if isinstance(expression, Operation) and _is_logical(expression):
            stack.extend(reversed(expression.arguments))
        else:
            parts[expression] = None
    return list(parts)


def _is_logical(expression: Expression) -> bool:
    return (
        isinstance(expression, Operation)
        and expression.operator in ("and", "or", "xor", "select")
        and expression.type == expression.operand_type == _BIT
    )


def sources(expression: Expression, definitions: Mapping[str, list[Expression]]) -> set[str]:
    """Give the registers that an expression is computed from, directly or through others."""
    found: set[str] = set()
    stack = [expression]
    while stack:
        match stack.pop():
            case Register(name) if name not in found:
                found.add(name)
                stack.extend(definitions.get(name, ()))
            case Operation(arguments=arguments):
                stack.extend(arguments)
    return found
