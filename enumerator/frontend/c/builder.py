"""A function under construction: basic blocks, and registers for what has no name in the source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from enumerator.program.instructions import (
    Access,
    Assign,
    Block,
    Branch,
    Constant,
    Expression,
    Instruction,
    Jump,
    Operation,
    Register,
    Return,
    Terminator,
)
from enumerator.program.types import Type

__all__ = ["Builder"]

_DEEPEST = 8
"""Nesting of the operations of one instruction."""


class Builder:
    """Collects the instructions of a function, block by block.

    Instructions go to the current block. A terminator ends it; what follows goes to the block that :meth:`start`
    names next.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._current: str | None = "entry"
        self._body: list[Instruction] = []
        self._temporaries = 0
        self._names = 0
        self._operators = 0
        self._operands: tuple[tuple[int, int], ...] = ()
        self._accessing: dict[int, set[int]] = {}  # by operator: those of its operands that access memory

    def emit(self, instruction: Instruction) -> None:
        """Add an instruction."""
        if self._current is None:
            self.start(self.block())  # nothing leads here
        if self._operands and isinstance(instruction, Access):
            for operator, number in self._operands:
                self._accessing.setdefault(operator, set()).add(number)
            operands = (*self._operands, (self.operator(), 0))
            instruction = replace(instruction, annotation=replace(instruction.annotation, operands=operands))
        self._body.append(instruction)

    def operator(self) -> int:
        """Give the number of an operator with unsequenced operands."""
        self._operators += 1
        return self._operators

    @contextmanager
    def operand(self, operator: int, number: int) -> Iterator[None]:
        """Say of what is emitted meanwhile which operand of an operator it belongs to."""
        outside, self._operands = self._operands, (*self._operands, (operator, number))
        try:
            yield
        finally:
            self._operands = outside

    def temporary(self) -> str:
        """Give a register of its own; no name in C has a dot."""
        self._temporaries += 1
        return f".{self._temporaries}"

    def keep(self, expression: Expression, line: int) -> Register:
        """Compute an expression now, whatever becomes of the registers in it."""
        target = self.temporary()
        self.emit(Assign(target, expression, line))
        return Register(target)

    def operation(
        self,
        operator: str,
        arguments: tuple[Expression, ...],
        type_: Type,
        operand_type: Type,
        line: int,
        indices: tuple[int, ...] = (),
    ) -> Expression:
        """Make an operation; one that is nested deep, or may be undefined behaviour, becomes an instruction."""
        made = Operation(operator, arguments, type_, operand_type, indices)
        return self.keep(made, line) if operator in ("sdiv", "srem") or _depth(made) > _DEEPEST else made

    def block(self) -> str:
        """Give the name of a new block."""
        self._names += 1
        return f"block{self._names}"

    def start(self, block: str) -> None:
        """Go on in a block; from the current one, if it has no end yet, control falls through."""
        if self._current is not None:
            self.end(Jump(block))
        self._current, self._body = block, []

    def end(self, terminator: Terminator) -> None:
        """End the current block."""
        if self._current is not None:
            self._blocks.append(Block(self._current, (), tuple(self._body), terminator))
        self._current = None

    def branch(self, condition: Expression, then: str, otherwise: str, line: int) -> None:
        """End the current block with a branch."""
        if self._current is None:
            self.start(self.block())
        self.end(Branch(condition, then, otherwise, line))

    def finish(self, initial: list[tuple[str, Constant]], line: int) -> tuple[Block, ...]:
        """End the function: give its blocks, the first of which gives registers their first values."""
        self.end(Return(None, line))
        start = tuple(Assign(name, value, line) for name, value in initial)
        blocks = [replace(block, body=tuple(map(self._sequenced, block.body))) for block in self._blocks]
        return (Block("start", (), start, Jump("entry", line)), *blocks)

    def _sequenced(self, instruction: Instruction) -> Instruction:
        """Give an access without its operands, where no other operand of these operators accesses memory."""
        if isinstance(instruction, Access):
            annotation = instruction.annotation
            if all(len(self._accessing[operator]) == 1 for operator, _ in annotation.operands[:-1]):
                return replace(instruction, annotation=replace(annotation, operands=()))
        return instruction


def _depth(expression: Expression) -> int:
    if isinstance(expression, Operation):
        return 1 + max(map(_depth, expression.arguments), default=0)
    return 0
