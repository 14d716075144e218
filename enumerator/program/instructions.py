"""The instructions of a thread, as every front end gives them: plain data, no behaviour.

Control flow is LLVM's: a function is a list of blocks, a block has phis, a body and a terminator. The front
ends of other languages produce the same. This file is long because each instruction is a record here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import IntEnum
from typing import Union

from enumerator.frozen import dataclass
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = [
    "HIDDEN",
    "Abort",
    "Alloca",
    "Allocate",
    "Annotation",
    "Assign",
    "Assume",
    "AvailabilityOperation",
    "AsyncCopy",
    "AsyncMark",
    "AsyncWait",
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
    "IndirectCall",
    "Instruction",
    "Jump",
    "LandingPad",
    "Load",
    "Measure",
    "MemoryEntry",
    "MergeOrder",
    "Now",
    "Operation",
    "OrderInput",
    "OrderOutput",
    "Ordering",
    "Phi",
    "Prefetch",
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
    "Unreachable",
    "Unsupported",
    "Write",
    "targets_of",
]


HIDDEN = "\0"
"""With this begin the names of registers that front ends add: no text has them, and results do not show them."""


class Ordering(IntEnum):
    """Atomic orderings of LLVM, from none at all to the strongest (acquire and release are not comparable)."""

    NA = 0
    UNORDERED = 1
    MONOTONIC = 2
    ACQUIRE = 3
    RELEASE = 4
    ACQ_REL = 5
    SEQ_CST = 6

    __hash__ = int.__hash__  # that of enumerations takes several times as long


class Scope(IntEnum):
    """Sync scopes, smallest first."""

    SINGLETHREAD = 0
    WAVEFRONT = 1
    WORKGROUP = 2
    CLUSTER = 3
    AGENT = 4
    SYSTEM = 5

    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A memory model relaxation annotation, ``prefix:suffix``."""

    prefix: str
    suffix: str

    def __str__(self) -> str:
        return f"{self.prefix}:{self.suffix}"


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a memory operation, fence or barrier says of itself.

    Parameters
    ----------
    ordering : Ordering
    scope : Scope
        ``SYSTEM`` where the source names none.
    one_as : bool
        The scope was written with its ``-one-as`` form.
    tags : frozenset of Tag
        Explicit tags only; a target profile may imply more.
    thread_private, volatile : bool
    address_space : int
        Of the pointer through which the access goes (0 for fences and barriers).
    labels : frozenset of str
        Further named sets of events that the operation belongs to (``AV`` for the availability/visibility
        intrinsics; storage classes of other languages).
    reference : str
        Of an access, in languages that tell several references to one location apart: the name of the one that it
        goes through.
    operands : tuple of (int, int)
        The operators of the source whose operands the language leaves unsequenced and that the access is inside of,
        outermost first: number of the operator and of the operand. A number of the access itself comes last.
    """

    ordering: Ordering = Ordering.NA
    scope: Scope = Scope.SYSTEM
    one_as: bool = False
    tags: frozenset[Tag] = frozenset()
    thread_private: bool = False
    volatile: bool = False
    address_space: int = 0
    labels: frozenset[str] = frozenset()
    reference: str = ""
    operands: tuple[tuple[int, int], ...] = ()

    @property
    def syncscope(self) -> str:
        """The scope as LLVM writes it; empty for that of an access that names none.

        Examples
        --------
        >>> Annotation(scope=Scope.AGENT, one_as=True).syncscope, Annotation(one_as=True).syncscope
        ('agent-one-as', 'one-as')
        """
        name = "" if self.scope == Scope.SYSTEM else self.scope.name.lower()
        return "-".join(part for part in (name, "one-as" * self.one_as) if part)

    @property
    def plain(self) -> bool:
        """Whether it says of an access nothing that makes it more than a plain one."""
        return self.ordering is Ordering.NA and not (self.volatile or self.labels)


# Expressions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, or the address of an object."""

    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Register:
    """A local register or parameter of the function that is running, without ``%``.

    A name with ``%`` is a property of the thread, the same in all functions: ``%workitem.id.x`` … (see
    :func:`enumerator.scopes.identities`).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A pure operation on values.

    `operator` is LLVM's opcode, except that ``icmp`` carries its predicate (``icmp eq``), that address computation
    is ``ptradd`` (pointer, byte offset as a signed integer), and that ``tuple`` makes a vector or array of operands.
    `type` is the type of the result, `operand_type` of the first operand. `indices` are the constant indices of
    ``extractvalue`` and ``insertvalue``, and the mask of ``shufflevector``, with -1 for poison; a ``bitcast`` has one
    where bytes are in big-endian order. ``extractelement``,
    ``insertelement`` and ``select`` take their operands in LLVM's order.
    """

    operator: str
    arguments: tuple[Expression, ...]
    type: Type
    operand_type: Type
    indices: tuple[int, ...] = ()


Expression = Union[Constant, Register, Operation]


# Instructions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """``%target = expression``."""

    target: str
    expression: Expression
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Freeze:
    """``%target = freeze expression``."""

    target: str
    expression: Expression
    type: Type
    line: int | None = None


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
class Barrier:
    """An execution barrier: of the workgroup, with arrival, wait, or arrival then wait; or one with a number.

    One that has an `instance` is the same barrier as those of this number in other threads, each time it runs
    as often; it neither arrives nor waits at the workgroup's. At it, `needed` threads have to arrive before any goes
    on (0: that is not looked at). With a `quorum`, threads may arrive later, too: those that complete the barrier are
    any that are as many as needed, or more, and all others come after them.
    """

    arrives: bool
    waits: bool
    annotation: Annotation = field(default_factory=Annotation)
    line: int | None = None
    instance: int | None = None
    needed: int = 0
    quorum: bool = False


@dataclass(frozen=True, slots=True)
class BarrierOperation:
    """An operation on a barrier object (semantics, section 10).

    Parameters
    ----------
    operation : str
        ``init``, ``arrive``, ``first`` (an arrival that tells whether it is the first), ``drop``, ``wait``, ``join``,
        ``wakeup``, or ``cluster`` (one wave of each workgroup arrives, and all wait).
    object : str
        ``workgroup``, ``cluster``, ``null``, or the name of a named barrier.
    count : int
        Of an init; of an arrival, the new expected count if it is not 0.
    target : str or None
        What an arrival tells, as an i1.
    """

    operation: str
    object: str
    count: int = 0
    target: str | None = None
    annotation: Annotation = field(default_factory=Annotation)
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AvailabilityOperation:
    """``llvm.amdgcn.make.available`` or ``.make.visible``: the annotation has the scope and a label."""

    annotation: Annotation
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
class Call:
    """A call of a function of the module (`target` is None where the result is unused or void).

    With `lends`, the function has no further use for the addresses that it is passed once it returns.
    """

    target: str | None
    function: str
    arguments: tuple[Expression, ...]
    line: int | None = None
    lends: bool = False


@dataclass(frozen=True, slots=True)
class IndirectCall:
    """A call of the function that `callee` points to, which must be one of the module with these parameters."""

    target: str | None
    callee: Expression
    arguments: tuple[Expression, ...]
    parameters: tuple[Type, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Abort:
    """A failed assertion (``abort``, ``__assert_fail``, ``llvm.trap``, …): the execution ends with the flag ``assert``.

    That of an intrinsic takes no ordering tokens.
    """

    intrinsic: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A wait ends with its limit: the next clock that looks for it (:class:`Now`) says that it is over."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """What a clock says: any number, or the greatest one, later than any limit, after a :class:`TimeOut`."""

    target: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Assume:
    """``llvm.assume``, ``__VERIFIER_assume``: executions in which the condition (an i1) is false do not count.

    `refuses` is false in a barrier of the library, which waits for one of the values that it may read: that always
    comes, or the thread waits for ever.
    """

    condition: Expression
    line: int | None = None
    refuses: bool = True


@dataclass(frozen=True, slots=True)
class Create:
    """A thread begins to be: it will run a function with one argument (``pthread_create``, ``thrd_create``).

    The target is a struct: the address of the object that stands for the thread, whether the thread waits until its
    creator says so there, and whether it takes its argument from there. With `code`, its function returns a number.
    """

    target: str
    function: Expression
    argument: Expression
    code: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Exit:
    """The thread ends here, whatever functions are active, as if its first one returned `value` (``pthread_exit``).

    Without a value nobody is told: it is a thread that no one has created. With `process`, the process ends (``exit``),
    which only its first thread may do.
    """

    value: Expression | None = None
    line: int | None = None
    process: bool = False


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


# Locks and barriers of the library.


@dataclass(frozen=True, slots=True)
class Hold:
    """``%target`` is how often the thread holds the lock at an address; then it does so `change` times more."""

    target: str | None
    address: Expression
    change: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Meet:
    """``%target`` is how many threads may come to the barrier at an address, or which of them this is (`own`).

    The number is 0 where they are not known, or where the order matters in which they come.
    """

    target: str
    address: Expression
    own: bool
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Misuse:
    """Undefined behaviour if a condition is true: `flag`. A function of the library is called as it must not be."""

    condition: Expression
    flag: str
    line: int | None = None


# Exceptions of C++ (Itanium C++ ABI: Exception Handling). Their types are named by the objects that describe them.


@dataclass(frozen=True, slots=True)
class Throw:
    """An exception: an object, its type, and the function that destroys it if there is one.

    Without an object it is the one that is being handled (``throw;``).
    """

    object: Expression | None = None
    type: str = ""
    destructor: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class LandingPad:
    """``%target = landingpad``: the exception that led here, and the number of the first type that catches it.

    Each of `catches` is a type, empty where any is caught, and its number. Without one that fits, the number is 0, and
    the exception passes by unless there is a `cleanup`.
    """

    target: str
    catches: tuple[tuple[str, int], ...]
    cleanup: bool
    line: int | None = None


@dataclass(frozen=True, slots=True)
class BeginCatch:
    """The exception is handled from here on; `target` is its object."""

    target: str | None
    exception: Expression
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EndCatch:
    """The exception that is being handled is no more; `destroys` says that some exceptions have destructors."""

    destroys: bool = False
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


# Ordering tokens of a spatial dataflow machine (semantics, section 6): i1 registers that say nothing but when.


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


@dataclass(frozen=True, slots=True)
class Unsupported:
    """An instruction that the checker does not cover: an error, which says `why`, once a thread reaches it.

    It is none in threads that have the property `unless`.
    """

    text: str
    line: int | None = None
    why: str = ""
    unless: str = ""


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
    Prefetch,
    MemoryEntry,
    OrderInput,
    OrderOutput,
    MergeOrder,
    Unsupported,
]

Write = Store | ReadModifyWrite | CompareExchange | Free
"""What writes to an address that it has."""


# Control flow ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phi:
    """``%target = phi``: the value for each predecessor block (by name)."""

    target: str
    incoming: tuple[tuple[str, Expression], ...]
    type: Type
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """``br label %block``; behind a call, `unwind` is where an exception leads that the call lets pass."""

    block: str
    line: int | None = None
    unwind: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """``br i1 condition, label %then, label %otherwise``."""

    condition: Expression
    then: str
    otherwise: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """``switch``: each case a constant value and a block."""

    value: Expression
    cases: tuple[tuple[Value, str], ...]
    default: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """``ret``."""

    value: Expression | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """``unreachable``: undefined behaviour (flag ``ub-unreachable``)."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """``resume``: an exception goes on to who called."""

    exception: Expression
    line: int | None = None


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
        return (instruction for block in self.blocks for instruction in block.body)
