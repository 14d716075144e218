"""What a thread does with memory: accesses, fences, asynchronous copies, and where objects begin and end."""

from __future__ import annotations

from enumerator.frozen import dataclass
from enumerator.program.instructions.annotations import Annotation, Ordering
from enumerator.program.instructions.expressions import Expression
from enumerator.program.types import Type

__all__ = [
    "Access",
    "Read",
    "Alloca",
    "Allocate",
    "AsyncCopy",
    "AsyncMark",
    "AsyncWait",
    "AvailabilityOperation",
    "CompareExchange",
    "Fence",
    "Free",
    "Load",
    "Measure",
    "Prefetch",
    "ReadModifyWrite",
    "Store",
    "Write",
]


@dataclass(frozen=True, slots=True)
class Load:
    """``%target = load type, address``."""

    target: str
    address: Expression
    type: Type
    annotation: Annotation
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """``store type value, address``."""

    address: Expression
    value: Expression
    type: Type
    annotation: Annotation
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ReadModifyWrite:
    """``%target = atomicrmw operator address, operand``: `operator` is LLVM's (``xchg``, ``add``, ``umax`` …)."""

    target: str
    operator: str
    address: Expression
    operand: Expression
    type: Type
    annotation: Annotation
    line: int | None = None


@dataclass(frozen=True, slots=True)
class CompareExchange:
    """``%target = cmpxchg address, expected, desired``: the target is the pair (value read, success as i1).

    A failed one has no write, and its read takes the ordering `failure`.
    """

    target: str
    address: Expression
    expected: Expression
    desired: Expression
    type: Type
    annotation: Annotation
    failure: Ordering
    weak: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """``fence ordering``."""

    annotation: Annotation
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AvailabilityOperation:
    """``llvm.amdgcn.make.available`` or ``.make.visible``: the annotation has the scope and a label."""

    annotation: Annotation
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Prefetch:
    """``llvm.prefetch``: it accesses nothing that a test could see, but ordering tokens may pass through it.

    With a `gate` it is ``llvm.csa.gated.prefetch``, which runs when that value is there.
    """

    address: Expression
    write: bool
    locality: int
    gate: Expression | None = None
    gate_type: Type | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AsyncCopy:
    """The start of an asynchronous copy: a read and a write that are in no program order with their thread.

    Parameters
    ----------
    source, destination : Expression
        Addresses.
    type : Type or None
        What is copied; None for a whole object of LDS to one of global memory or back: the addresses are anywhere in
        the two, in any order.
    read, write : Annotation
    start : Annotation
        Of the instruction itself.
    stage : int
        The kind of operation, for marks and waits.
    """

    source: Expression
    destination: Expression
    type: Type | None
    read: Annotation
    write: Annotation
    start: Annotation
    stage: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AsyncMark:
    """A mark behind the asynchronous operations of some stages that have been started."""

    stages: frozenset[int]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AsyncWait:
    """A wait until at most `count` marks of each stage are left; with `counter`, so many operations."""

    count: int
    stages: frozenset[int]
    annotation: Annotation
    counter: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Alloca:
    """``%target = alloca type, count``: memory of the thread, fresh each time it runs, initially undef."""

    target: str
    type: Type
    count: int
    address_space: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Allocate:
    """Memory from the heap, fresh each time it runs: `size` bytes, all zero or undef (``malloc``, ``calloc`` …)."""

    target: str
    size: Expression
    zero: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Free:
    """The end of an object of the heap (``free``, ``delete``); nothing if the address is null."""

    address: Expression
    line: int | None = None
    annotation: Annotation = Annotation(labels=frozenset(("FREE",)))


@dataclass(frozen=True, slots=True)
class Measure:
    """``%target`` is how many bytes the object of the heap has that begins at an address."""

    target: str
    address: Expression
    line: int | None = None


Access = Load | Store | ReadModifyWrite | CompareExchange
"""What reads or writes at an address that it has; an asynchronous copy has two, and does so later."""

Read = Load | ReadModifyWrite | CompareExchange
"""The accesses that read."""

Write = Store | ReadModifyWrite | CompareExchange | Free
"""What writes to an address that it has."""
