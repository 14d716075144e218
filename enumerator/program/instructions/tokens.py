"""Ordering tokens of a spatial dataflow machine (semantics, section 6): i1 registers that say nothing but when."""

from __future__ import annotations

from enumerator.frozen import dataclass
from enumerator.program.instructions.expressions import Expression

__all__ = ["MemoryEntry", "MergeOrder", "OrderInput", "OrderOutput"]


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """``%target = llvm.csa.mementry()``: the token that is there when the function is entered."""

    target: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class OrderInput:
    """``llvm.csa.inord(token)``: the next instruction waits for the token; a constant is always there."""

    token: Expression
    line: int | None = None


@dataclass(frozen=True, slots=True)
class OrderOutput:
    """``%target = llvm.csa.outord()``: the token that the previous instruction produces when it has run."""

    target: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class MergeOrder:
    """``%target = llvm.csa.all0(inputs)``: a token that is there when all inputs are."""

    target: str
    inputs: tuple[Expression, ...]
    line: int | None = None
