"""The loops of a function, and what decides whether they go on.

A loop repeats where nothing new has decided on leaving it. New is a value that is known and was not there before, as of
a counter that is compared with its end, and a location, at a known address, that no decision has read before, as where
an array is searched: either comes to an end by itself. Only what repeats could go on for ever, and is bounded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from enumerator.program.instructions import (
    Assign,
    Branch,
    Expression,
    Freeze,
    Function,
    Jump,
    Operation,
    Register,
    Switch,
    Terminator,
)
from enumerator.program.types import IntType

__all__ = ["Flow", "Loop", "LoopEntry", "LoopTest", "flow_of"]

_BIT = IntType(1)


@dataclass(frozen=True, slots=True)
class Loop:
    """A cycle of blocks.

    Parameters
    ----------
    number : int
        Among the loops of its function.
    headers : frozenset of str
        The blocks at which it is entered: one, unless LLVM has made it irreducible.
    blocks : frozenset of str
        Those of the loops in it, too.
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
        Those from which it is computed, in any iteration; loads and calls end that.
    """

    expression: Expression
    registers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """What the machine looks up on its way through a function.

    Parameters
    ----------
    entered : mapping of str to tuple of Loop
        By header.
    left : mapping of str to tuple of Loop
        By block, the loops that its branch may leave.
    tests : mapping of str to tuple of LoopTest
        By block that may leave a loop.
    """

    entered: Mapping[str, tuple[Loop, ...]]
    left: Mapping[str, tuple[Loop, ...]]
    tests: Mapping[str, tuple[LoopTest, ...]]


@dataclass(slots=True)
class LoopEntry:
    """How far a loop has come since it was entered last."""

    seen: set[Hashable] = field(default_factory=set)
    """What has decided on leaving it."""
    new: int = 0
    iteration: int = 0
    met: dict[str | None, tuple[int, int, int]] = field(default_factory=dict)
    """By block, where None is the begin of an iteration: the last iteration that has come to it, how much was new by
    then, in how many iterations nothing was."""

    def copy(self) -> LoopEntry:
        return replace(self, seen=set(self.seen), met=dict(self.met))

    def learn(self, found: Iterable[Hashable]) -> None:
        """Note what decides on leaving the loop."""
        before = len(self.seen)
        self.seen.update(found)
        self.new += len(self.seen) > before

    def repeats(self, block: str | None) -> int:
        """Come to a block; tell how many iterations have come to it with nothing new since the one before."""
        iteration, new, repeats = self.met.get(block, (-1, -1, 0))
        if iteration != self.iteration:
            repeats += new == self.new
            self.met[block] = self.iteration, self.new, repeats
        return repeats


def flow_of(function: Function) -> Flow:
    """Find the loops of a function.

    Parameters
    ----------
    function : Function

    Returns
    -------
    Flow

    References
    ----------
    Steensgaard, *Sequentializing Program Dependence Graphs for Irreducible Programs*, 1993: the loops of a region are
    its strongly connected components, those in a loop the components without the edges to its headers. Where loops are
    reducible these are the natural ones.
    """
    successors = {block.name: _targets(block.terminator) for block in function.blocks}
    loops = list(_loops(successors, function.blocks[0].name))
    entered: dict[str, list[Loop]] = {}
    left: dict[str, list[Loop]] = {}
    for loop in loops:
        for header in loop.headers:
            entered.setdefault(header, []).append(loop)
        for block in loop.blocks:
            if any(target not in loop.blocks for target in successors[block]):
                left.setdefault(block, []).append(loop)
    definitions = _definitions(function) if left else {}
    return Flow(
        {block: tuple(found) for block, found in entered.items()},
        {block: tuple(found) for block, found in left.items()},
        {
            block.name: tuple(
                LoopTest(part, tuple(sorted(_sources(part, definitions))))
                for part in _parts(_condition(block.terminator), definitions)
            )
            for block in function.blocks
            if block.name in left
        },
    )


def _targets(terminator: Terminator) -> tuple[str, ...]:
    match terminator:
        case Jump(block, _):
            return (block,)
        case Branch(_, then, otherwise, _):
            return (then, otherwise)
        case Switch(_, cases, default, _):
            return (*(block for _, block in cases), default)
    return ()


def _loops(successors: Mapping[str, tuple[str, ...]], entry: str) -> Iterator[Loop]:
    number = 0
    regions = [dict(successors)]
    while regions:
        edges = regions.pop()
        for component in _cycles(edges):
            headers = {
                target
                for block, targets in successors.items()
                for target in targets
                if target in component and block not in component
            } | ({entry} & component)
            if headers:  # no other way leads to it
                yield Loop(number, frozenset(headers), frozenset(component))
                number += 1
                regions.append(
                    {
                        block: tuple(target for target in edges[block] if target in component - headers)
                        for block in component
                    }
                )


def _cycles(edges: Mapping[str, tuple[str, ...]]) -> Iterator[set[str]]:
    """Give the strongly connected components that have an edge (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            block, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[block])
                if low[block] == index[block]:
                    component = {path.pop()}
                    while block not in component:
                        component.add(path.pop())
                    on_path -= component
                    if len(component) > 1 or block in edges[block]:
                        yield component
            elif target not in index:
                index[target] = low[target] = len(index)
                path.append(target)
                on_path.add(target)
                work.append((target, iter(edges[target])))
            elif target in on_path:
                low[block] = min(low[block], index[target])


# Conditions -------------------------------------------------------------------------------------------------


def _condition(terminator: Terminator) -> Expression:
    assert isinstance(terminator, Branch | Switch)
    return terminator.condition if isinstance(terminator, Branch) else terminator.value


def _definitions(function: Function) -> dict[str, list[Expression]]:
    """Give what registers are computed from: in LLVM IR all but phis from one expression."""
    found: dict[str, list[Expression]] = {}
    for block in function.blocks:
        for phi in block.phis:
            found.setdefault(phi.target, []).extend(expression for _, expression in phi.incoming)
        for instruction in block.body:
            if isinstance(instruction, Assign | Freeze):
                found.setdefault(instruction.target, []).append(instruction.expression)
    return found


def _parts(condition: Expression, definitions: Mapping[str, list[Expression]]) -> list[Expression]:
    """Take a condition apart that compilers have put together from several: each may end the loop."""
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


def _sources(expression: Expression, definitions: Mapping[str, list[Expression]]) -> set[str]:
    """Give the registers from which an expression is computed."""
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
