"""Paths through a function, one at a time, with the integers that are known on each.

Buffers that take turns are told apart by numbers that change from round to round of a loop, which no analysis of all
paths at once knows. So paths are followed: a branch whose condition is known goes one way, any other both ways, and a
loop of the second sort is entered a few times. What has been reached in a state that was there before is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from enumerator.frontend.llvm.syntax import address_space, split
from enumerator.frontend.llvm.tokens import tokenize
from enumerator.frozen import dataclass
from enumerator.inspection.forms import Address, Form, Varies
from enumerator.inspection.operations import Block, Function, Operation
from enumerator.inspection.values import Environment

__all__ = ["MOST_STEPS", "Visitor", "walk"]

#: How many operations are visited on all paths of a function.
MOST_STEPS = 60_000
_MOST_VISITS = 4  # of a block on a path, where it is not known how often a loop runs
_MOST_ROUNDS = 140  # where it is

State = TypeVar("State")


class Visitor(Protocol[State]):
    """What is followed along paths."""

    def enter(self, block: int, state: State) -> State:
        """Give the state at the beginning of a block."""
        ...

    def part(self, block: int, state: State) -> State:
        """Give the state behind a branch on which the threads of a workgroup may go different ways."""
        ...

    def step(self, number: int, operation: Operation, environment: Environment, state: State) -> State:
        """Give the state after an operation; states are not changed."""
        ...

    def leave(self, state: State) -> None:
        """See the state in which a path ends."""
        ...


@dataclass
class _Path(Generic[State]):
    block: int
    label: str
    state: State
    phis: dict[str, Form | Address] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)


def walk(function: Function, visitor: Visitor[State], start: State, most: int = MOST_STEPS) -> bool:
    """Follow the paths of a function.

    Parameters
    ----------
    function : Function
    visitor : Visitor
    start : State
        Must be hashable.
    most : int
        How many operations are visited.

    Returns
    -------
    bool
        Whether all were followed that should be: False if there are too many.
    """
    starts, number = [], 0
    for block in function.blocks:
        starts.append(number)
        number += len(block.operations)
    seen: set[object] = set()
    waiting = [_Path(0, "", start)]
    steps = 0
    while waiting:
        path = waiting.pop()
        block = function.blocks[path.block]
        _assign(block, path)
        key = (path.block, frozenset(path.phis.items()), path.state)
        if key in seen:
            continue
        seen.add(key)
        path.visits[path.block] = path.visits.get(path.block, 0) + 1
        environment: Environment = dict(path.phis)
        path.state = visitor.enter(path.block, path.state)
        for place, operation in enumerate(block.operations, starts[path.block]):
            path.state = visitor.step(place, operation, environment, path.state)
            steps += 1
        steps += 1
        if steps > most:
            return False
        if block.leaves or not block.successors:
            visitor.leave(path.state)
        if not _together(block, environment):
            path.state = visitor.part(path.block, path.state)
        for successor in _next(block, path, environment):
            waiting.append(_Path(successor, block.label, path.state, dict(path.phis), dict(path.visits)))
    return True


def _assign(block: Block, path: _Path[State]) -> None:
    """Give the phis of a block their values on this path; all at once, from those before."""
    values = block.values
    if not block.phis or values is None:
        return
    environment: Environment = dict(path.phis)
    assigned: dict[str, Form | Address] = {}
    for register, text in block.phis:
        tokens = tokenize(text)[3:]
        pointer = address_space(tokens) is not None
        if not pointer and not (tokens and tokens[0][:1] == "i" and tokens[0][1:].isdigit()):
            continue
        for part in split(tokens[tokens.index("[") :]):
            inner = part[1:-1]
            if "," not in inner or inner[-1] != f"%{path.label}":
                continue
            operand = inner[: inner.index(",")]
            found: Form | Address | None = (
                values.address(operand, environment) if pointer else values.integer(operand, environment)
            )
            if found is not None:
                assigned[values.key(register)] = found
            else:
                path.phis.pop(values.key(register), None)
            break
    path.phis.update(assigned)


def _together(block: Block, environment: Environment) -> bool:
    """Tell whether all threads of a workgroup are known to go the same way."""
    if len(block.successors) < 2:
        return True
    if not block.condition or block.values is None:
        return False
    return block.values.integer([block.condition], environment).varies is Varies.UNIFORM


def _next(block: Block, path: _Path[State], environment: Environment) -> Iterator[int]:
    """Give where a path goes on; the last one is followed first."""
    successors = block.successors
    known = None
    if block.condition and len(successors) == 2 and block.values is not None:
        known = block.values.integer([block.condition], environment).known
    if known is not None:
        chosen, other = successors[1 - (known & 1)], successors[known & 1]
        yield chosen if path.visits.get(chosen, 0) < _MOST_ROUNDS else other
        return
    for successor in successors:
        if path.visits.get(successor, 0) < _MOST_VISITS:
            yield successor
