"""Functions with the calls of their module followed: the callee's blocks in place of each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from enumerator.inspection.instructions import extent_of
from enumerator.inspection.operations import Block, Function, Kind, Operation, Space, Target
from enumerator.inspection.values import Values

__all__ = ["MOST_OPERATIONS", "with_calls"]

#: How many operations a function may have with the calls followed; further calls stay as they are.
MOST_OPERATIONS = 20_000
_DEEPEST = 16


def with_calls(function: Function, by_name: Mapping[str, Function], target: Target) -> Function:
    """Give a function in which calls of functions of its module are what these do.

    Parameters
    ----------
    function : Function
    by_name : mapping of str to Function
        The functions of the module.
    target : Target

    Returns
    -------
    Function
        The same one if it has no such calls. Recursive calls, and calls beyond :data:`MOST_OPERATIONS`, remain.
    """
    if not any(_followed(operation, by_name) for operation in function.operations):
        return function
    inliner = _Inliner(by_name, target)
    values = function.blocks[0].values if function.blocks else None
    return replace(function, blocks=inliner.expand(function, (function.name,), values))


def _followed(operation: Operation, by_name: Mapping[str, Function]) -> bool:
    return operation.kind is Kind.CALL and operation.callee in by_name


class _Inliner:
    def __init__(self, by_name: Mapping[str, Function], target: Target) -> None:
        self.by_name = by_name
        self.target = target
        self.left = MOST_OPERATIONS

    def expand(self, function: Function, chain: tuple[str, ...], values: Values | None) -> list[Block]:
        found: list[Block] = []
        first: dict[int, int] = {}
        ends: list[tuple[Block, tuple[int, ...]]] = []
        for number, block in enumerate(function.blocks):
            first[number] = len(found)
            current = Block(label=block.label, phis=block.phis, values=values)
            found.append(current)
            for operation in block.operations:
                callee = self._callee(operation, chain)
                if callee is None:
                    current.operations.append(self._moved(operation, values))
                    self.left -= 1
                    continue
                inner = self.expand(callee, (*chain, callee.name), _bound(callee, operation, values))
                offset = len(found)
                behind = Block(label=block.label, values=values)
                for each in inner:
                    each.successors = tuple(successor + offset for successor in each.successors)
                    if each.leaves:
                        each.leaves, each.successors = False, (*each.successors, offset + len(inner))
                current.successors = (offset,)
                found += [*inner, behind]
                current = behind
            current.condition, current.leaves = block.condition, block.leaves
            current.decided_by = block.decided_by
            ends.append((current, block.successors))
        for block, successors in ends:
            block.successors = tuple(first[each] for each in successors)
        return found

    def _callee(self, operation: Operation, chain: tuple[str, ...]) -> Function | None:
        if not _followed(operation, self.by_name) or len(chain) > _DEEPEST or operation.callee in chain:
            return None
        callee = self.by_name[operation.callee or ""]
        return callee if len(callee.operations) <= self.left and callee.blocks else None

    def _moved(self, operation: Operation, values: Values | None) -> Operation:
        """Give an operation as it is for this call: its arguments may say which object it accesses."""
        if operation.values is values or values is None:
            return operation
        moved = replace(operation, values=values)
        if operation.kind is not Kind.ACCESS or not operation.pointer:
            return moved
        address = values.address(operation.pointer)
        if address is None:
            return moved
        space = operation.space
        if space is Space.FLAT:
            space = self.target.space(address.space)
        extent = extent_of(operation.pointer, moved, operation.further) if space is Space.LOCAL else None
        return replace(moved, space=space, root=operation.root or address.root, extent=extent)


def _bound(callee: Function, call: Operation, caller: Values | None) -> Values | None:
    own = callee.blocks[0].values
    if own is None or caller is None or len(callee.parameters) != len(call.arguments):
        return own.inside({}) if own is not None else None
    return own.inside({name: (caller, tokens) for name, tokens in zip(callee.parameters, call.arguments, strict=True)})
