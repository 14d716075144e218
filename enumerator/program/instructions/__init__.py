"""The instructions of a thread, as every front end gives them: plain data, no behaviour.

Control flow is LLVM's: a function is a list of blocks, a block has phis, a body and a terminator. The front
ends of other languages produce the same. Each module here holds the instructions of a topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Union

from enumerator.frozen import dataclass
from enumerator.program.instructions.annotations import Annotation, Ordering, Scope, Tag
from enumerator.program.instructions.control import (
    Abort,
    Assume,
    BeginCatch,
    Branch,
    Call,
    EndCatch,
    IndirectCall,
    Jump,
    LandingPad,
    Phi,
    Resume,
    Return,
    Switch,
    Throw,
    Uncaught,
    Unreachable,
    Unsupported,
)
from enumerator.program.instructions.expressions import (
    HIDDEN,
    Assign,
    Constant,
    Expression,
    Freeze,
    Operation,
    Register,
)
from enumerator.program.instructions.memory import (
    Access,
    Alloca,
    Allocate,
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    AvailabilityOperation,
    CompareExchange,
    Fence,
    Free,
    Load,
    Measure,
    Prefetch,
    Read,
    ReadModifyWrite,
    Store,
    Write,
)
from enumerator.program.instructions.threads import (
    CLUSTER_BARRIER,
    NULL_BARRIER,
    Barrier,
    BarrierOperation,
    Create,
    Exit,
    Hold,
    Meet,
    Misuse,
    Now,
    TimeOut,
)
from enumerator.program.instructions.tokens import MemoryEntry, MergeOrder, OrderInput, OrderOutput
from enumerator.program.types import Type

__all__ = [
    "CLUSTER_BARRIER",
    "NULL_BARRIER",
    "Abort",
    "Access",
    "Alloca",
    "Allocate",
    "Annotation",
    "Assign",
    "Assume",
    "AsyncCopy",
    "AsyncMark",
    "AsyncWait",
    "AvailabilityOperation",
    "Barrier",
    "BarrierOperation",
    "BeginCatch",
    "Block",
    "Branch",
    "Call",
    "CompareExchange",
    "Constant",
    "Create",
    "EndCatch",
    "Exit",
    "Expression",
    "Fence",
    "Free",
    "Freeze",
    "Function",
    "HIDDEN",
    "Hold",
    "IndirectCall",
    "Instruction",
    "Jump",
    "LandingPad",
    "Load",
    "Measure",
    "Meet",
    "MemoryEntry",
    "MergeOrder",
    "Misuse",
    "Now",
    "Operation",
    "OrderInput",
    "OrderOutput",
    "Ordering",
    "Phi",
    "Prefetch",
    "Read",
    "ReadModifyWrite",
    "Register",
    "Resume",
    "Return",
    "Scope",
    "Store",
    "Switch",
    "Tag",
    "Terminator",
    "Throw",
    "TimeOut",
    "Uncaught",
    "Unreachable",
    "Unsupported",
    "Write",
    "targets_of",
]

Instruction = Union[
    Assign,
    Freeze,
    Load,
    Store,
    ReadModifyWrite,
    CompareExchange,
    Fence,
    Barrier,
    BarrierOperation,
    AvailabilityOperation,
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    Alloca,
    Call,
    IndirectCall,
    Abort,
    TimeOut,
    Now,
    Assume,
    Create,
    Exit,
    Allocate,
    Free,
    Measure,
    Hold,
    Meet,
    Misuse,
    Throw,
    LandingPad,
    BeginCatch,
    EndCatch,
    Uncaught,
    Prefetch,
    MemoryEntry,
    OrderInput,
    OrderOutput,
    MergeOrder,
    Unsupported,
]

Terminator = Union[Jump, Branch, Switch, Return, Unreachable, Resume, Unsupported]


def targets_of(terminator: Terminator) -> tuple[str, ...]:
    """Name the blocks that a block leads to."""
    match terminator:
        case Jump(block, _, unwind):
            return (block,) if unwind is None else (block, unwind)
        case Branch(_, then, otherwise, _):
            return (then, otherwise)
        case Switch(_, cases, default, _):
            return (*(block for _, block in cases), default)
    return ()


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block; `body` may hold an :class:`Unsupported` instruction."""

    name: str
    phis: tuple[Phi, ...]
    body: tuple[Instruction, ...]
    terminator: Terminator

    @property
    def parts(self) -> tuple[Phi | Instruction | Terminator, ...]:
        """All that it holds, in order."""
        return (*self.phis, *self.body, self.terminator)


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body: parameter names, the first block is the entry.

    `types` are those of the parameters; empty where they are not told.
    `tokens` are the registers that hold ordering tokens, which have no value.
    `shown` are the registers that results of a thread that runs it show, each with its name there; without it, all
    registers, with a ``%`` before their names.
    A function of the `library` is not of the test's text: what it does stands at the line of its call, and its
    registers are not shown.
    """

    name: str
    parameters: tuple[str, ...]
    blocks: tuple[Block, ...]
    line: int | None = None
    shown: tuple[tuple[str, str], ...] | None = None
    tokens: frozenset[str] = frozenset()
    library: bool = False
    types: tuple[Type | None, ...] = ()

    def takes(self, types: tuple[Type, ...]) -> bool:
        """Tell whether a call with arguments of some types may be of this function (LangRef, *call Instruction*)."""
        same = not self.types or all(mine in (None, given) for mine, given in zip(self.types, types, strict=False))
        return len(self.parameters) == len(types) and same

    @property
    def instructions(self) -> Iterator[Instruction]:
        """The instructions of all blocks, without phis and terminators."""
        return chain.from_iterable(block.body for block in self.blocks)
