"""Loops that LLVM has merged into one, taken apart again: a loop that counts, in one that starts it anew.

    again: for (i = 0; i < n; i++) if (busy(i)) goto again;

From such a program clang makes one loop whose counter goes on or goes back to where it began. Each pass over the inner
loop would then count as a pass over the outer one, and what one attempt of the outer loop does could not be told from
the next. So the counter's first value gets a block of its own, as in LLVM's ``separateNestedLoops``
(``LoopSimplify.cpp``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from enumerator.program.instructions import (
    HIDDEN,
    Assign,
    Block,
    Branch,
    Constant,
    Expression,
    Function,
    Jump,
    Operation,
    Phi,
    Register,
    Switch,
    Terminator,
    targets_of,
)

__all__ = ["with_nested_loops"]

_COUNTS = ("add", "sub", "ptradd")


class _Edge(NamedTuple):
    """A way into a block: from a block, perhaps by way of one that only joins several."""

    origin: str
    through: str | None


def with_nested_loops(function: Function) -> Function:
    """Give a counting loop that is started anew from several places a loop around it.

    Parameters
    ----------
    function : Function

    Returns
    -------
    Function
        The same if there is none.
    """
    counted = dict(_counted(function)) if any(block.phis for block in function.blocks) else {}
    counters = set(counted.values())
    for block in function.blocks:  # what only joins ways may be gone by then, but counts nothing
        if any(phi.target in counters for phi in block.phis):
            function = _taken_apart(function, block.name, counted) or function
    return function


def _taken_apart(function: Function, header: str, counted: Mapping[str, str]) -> Function | None:
    """Take apart the loop of a header, where one of its phis counts; None where none does."""
    blocks = {block.name: block for block in function.blocks}
    block = blocks[header]
    outside = _reached_without(blocks, function.blocks[0].name, header)
    edges = list(_edges(blocks, header, outside))
    origins = {edge.origin for edge in edges}
    if len(origins) < len(edges) or len({edge.through or edge.origin for edge in edges}) < 2:
        return None
    if any(not isinstance(blocks[edge.origin].terminator, Jump | Branch | Switch) for edge in edges):
        return None
    for phi in block.phis:
        values = {edge: _value(blocks, phi, edge) for edge in edges}
        begins = [value for edge, value in values.items() if edge.origin in outside]
        back = {edge: value for edge, value in values.items() if edge.origin not in outside}
        inner = {edge for edge, value in back.items() if counted.get(_name(value)) == phi.target}
        anew = [value for edge, value in back.items() if edge not in inner]
        if inner and anew and begins and all(value == begins[0] for value in (*begins, *anew)):
            return _around(function, blocks, block, edges, inner)
    return None


def _counted(function: Function) -> Iterator[tuple[str, str]]:
    """Name the registers that are others with a constant added, each with that one."""
    for block in function.blocks:
        for part in block.body:
            match part:
                case Assign(target, Operation(operator, (Register(counter), Constant()))) if operator in _COUNTS:
                    yield target, counter


def _name(value: Expression) -> str:
    return value.name if isinstance(value, Register) else ""


def _edges(blocks: Mapping[str, Block], header: str, outside: set[str]) -> Iterator[_Edge]:
    """Give the ways into a block. Ways back that meet in a block which only joins them count one by one."""
    for name, block in blocks.items():
        if header in targets_of(block.terminator):
            joins = name != header and name not in outside and block.phis and not block.body
            if joins and targets_of(block.terminator) == (header,):
                yield from (_Edge(origin, name) for origin, _ in block.phis[0].incoming)
            else:
                yield _Edge(name, None)


def _value(blocks: Mapping[str, Block], phi: Phi, edge: _Edge) -> Expression:
    """Give the value of a phi on a way into its block."""
    value = dict(phi.incoming)[edge.through or edge.origin]
    for joined in blocks[edge.through].phis if edge.through is not None else ():
        if value == Register(joined.target):
            return dict(joined.incoming)[edge.origin]
    return value


def _reached_without(blocks: Mapping[str, Block], first: str, header: str) -> set[str]:
    """Name the blocks that are reached without going through one."""
    found, stack = {first}, [first]
    while stack:
        new = {each for each in targets_of(blocks[stack.pop()].terminator) if each != header} - found
        found |= new
        stack += new
    return found


def _around(
    function: Function, blocks: Mapping[str, Block], block: Block, edges: list[_Edge], inner: set[_Edge]
) -> Function:
    """Put a block before another one, for all ways into that one but the inner ones."""
    moved = [edge for edge in edges if edge not in inner]
    outer = Block(
        f"{block.name}{HIDDEN}outer",
        tuple(
            replace(
                phi,
                target=f"{phi.target}{HIDDEN}outer",
                incoming=tuple((edge.origin, _value(blocks, phi, edge)) for edge in moved),
            )
            for phi in block.phis
        ),
        (),
        Jump(block.name, block.phis[0].line),
    )
    kept = {edge.through or edge.origin for edge in inner}
    made = list[Block]()
    for each in function.blocks:
        if each.name == block.name:
            made.append(outer)
            phis = tuple(
                replace(
                    phi,
                    incoming=(
                        (outer.name, Register(f"{phi.target}{HIDDEN}outer")),
                        *((origin, value) for origin, value in phi.incoming if origin in kept),
                    ),
                )
                for phi in each.phis
            )
            each = replace(each, phis=phis)
        terminator = each.terminator
        for edge in moved:
            if edge.origin == each.name:
                terminator = _redirected(terminator, edge.through or block.name, outer.name)
        left = {edge.origin for edge in moved if edge.through == each.name}
        phis = tuple(
            replace(phi, incoming=tuple(pair for pair in phi.incoming if pair[0] not in left)) for phi in each.phis
        )
        if not phis or phis[0].incoming:
            made.append(replace(each, phis=phis, terminator=terminator))
    return replace(function, blocks=tuple(made))


def _redirected(terminator: Terminator, old: str, new: str) -> Terminator:
    """Lead the ways to a block to another one."""
    match terminator:
        case Jump(block, line, unwind):
            return Jump(new if block == old else block, line, unwind)
        case Branch(condition, then, otherwise, line):
            return Branch(condition, new if then == old else then, new if otherwise == old else otherwise, line)
        case Switch(value, cases, default, line):
            led = tuple((case, new if block == old else block) for case, block in cases)
            return Switch(value, led, new if default == old else default, line)
    return terminator
