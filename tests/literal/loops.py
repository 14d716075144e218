"""The loops of a function, and whether they may go on: what the bound on loops counts, in the plainest way."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from enumerator.program.instructions import (
    Assign,
    Branch,
    Expression,
    Freeze,
    Function,
    Jump,
    Load,
    Operation,
    Register,
    Switch,
)
from enumerator.program.types import IntType

__all__ = ["Loop", "Round", "find_loops", "parts", "sources", "targets"]

Edges = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Loop:
    """Blocks that lead to each other, and those of them by which others lead to them."""

    blocks: frozenset[str]
    headers: frozenset[str]


@dataclass
class Round:
    """An entry of a loop: what has decided so far, and at which of these and of its iterations blocks were met."""

    decided: list[Hashable] = field(default_factory=list)
    number: int = 0
    met: dict[str, tuple[int, int]] = field(default_factory=dict)
    idle: dict[str, int] = field(default_factory=dict)
    begun: object = None

    def copy(self) -> Round:
        return Round(list(self.decided), self.number, dict(self.met), dict(self.idle), self.begun)

    def decide(self, things: Sequence[Hashable]) -> None:
        self.decided += [thing for thing in dict.fromkeys(things) if thing not in self.decided]

    def meet(self, block: str) -> int:
        """How many rounds came to a block although nothing that they decided on was new since the round before."""
        number, decided = self.met.get(block, (-1, -1))
        if number < self.number:
            if decided == len(self.decided):
                self.idle[block] = self.idle.get(block, 0) + 1
            self.met[block] = self.number, len(self.decided)
        return self.idle.get(block, 0)


def find_loops(function: Function) -> list[Loop]:
    """Cycles of blocks; those inside one are what is left of it when nothing leads to its headers any more."""
    first = function.blocks[0].name
    every = frozenset((block.name, target) for block in function.blocks for target in targets(block.terminator))
    return list(_find(every, every | {("", first)}))


def _find(edges: Edges, every: Edges) -> Iterator[Loop]:
    reached = _closure(edges)
    for start in sorted({a for a, b in reached if a == b}):
        blocks = frozenset(b for a, b in reached if a == start and (b, start) in reached)
        headers = frozenset(b for a, b in every if b in blocks and a not in blocks)
        if headers and start == min(blocks):
            yield Loop(blocks, headers)
            yield from _find(frozenset((a, b) for a, b in edges if {a, b} <= blocks and b not in headers), every)


def _closure(edges: Edges) -> Edges:
    reached = set(edges)
    while True:
        longer = {(a, d) for a, b in reached for c, d in edges if b == c} - reached
        if not longer:
            return frozenset(reached)
        reached |= longer


def targets(terminator: object) -> list[str]:
    """The blocks that a block leads to."""
    match terminator:
        case Jump(block):
            return [block]
        case Branch(_, then, otherwise):
            return [then, otherwise]
        case Switch(_, cases, default):
            return [*(block for _, block in cases), default]
    return []


def _definitions(function: Function) -> Mapping[str, list[Expression]]:
    """What registers are computed from."""
    found: dict[str, list[Expression]] = {}
    for block in function.blocks:
        for phi in block.phis:
            found.setdefault(phi.target, []).extend(value for _, value in phi.incoming)
        for instruction in block.body:
            if isinstance(instruction, Assign | Freeze):
                found.setdefault(instruction.target, []).append(instruction.expression)
    return found


def parts(function: Function, condition: Expression) -> list[Expression]:
    """The bits that a condition is put together from by and, or, xor, select."""
    known = _definitions(function)

    def split(expression: Expression, above: tuple[str, ...]) -> list[Expression]:
        inner = expression
        if isinstance(inner, Register) and len(known.get(inner.name, ())) == 1 and inner.name not in above:
            above = (*above, inner.name)
            inner = known[inner.name][0]
            if isinstance(inner, Register):
                return split(inner, above)
        if isinstance(inner, Operation) and inner.operator in ("and", "or", "xor", "select"):
            if inner.type == inner.operand_type == IntType(1):
                return [part for argument in inner.arguments for part in split(argument, above)]
        return [expression]

    return list(dict.fromkeys(split(condition, ())))


def sources(function: Function, expression: Expression) -> tuple[str, ...]:
    """The registers that an expression is computed from, and the addresses of what it loads."""
    known = dict(_definitions(function))
    known.update({each.target: [each.address] for each in function.instructions if isinstance(each, Load)})
    found: set[str] = set()

    def follow(each: Expression) -> None:
        if isinstance(each, Operation):
            for argument in each.arguments:
                follow(argument)
        elif isinstance(each, Register) and each.name not in found:
            found.add(each.name)
            for definition in known.get(each.name, ()):
                follow(definition)

    follow(expression)
    return tuple(sorted(found))
