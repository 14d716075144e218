"""Functions as inspection sees them: blocks of accesses, fences, barriers and calls."""

from __future__ import annotations

import itertools
from dataclasses import field
from enum import Enum, IntEnum
from pathlib import PurePath

from enumerator.frozen import dataclass
from enumerator.inspection.forms import Extent, Form
from enumerator.inspection.values import Values
from enumerator.program.instructions import Ordering, Tag

__all__ = [
    "CLUSTER",
    "BarrierPart",
    "Block",
    "Function",
    "InspectedModule",
    "Kind",
    "Operation",
    "Place",
    "SCOPES",
    "ScopeName",
    "Space",
    "Target",
    "place_of",
]


class Kind(Enum):
    """Kinds of operations."""

    ACCESS = "access"
    FENCE = "fence"
    BARRIER = "barrier"
    CALL = "call"  # of a function whose accesses are unknown, or inline assembly
    MARK = "mark"  # of asynchronous operations
    WAIT = "wait"  # for marks


class Space(Enum):
    """The kinds of memory."""

    FLAT = "flat"
    GLOBAL = "global"
    LOCAL = "local"  # LDS, shared by a workgroup
    CONSTANT = "constant"
    PRIVATE = "private"
    BUFFER = "buffer"  # global memory through a buffer resource or another descriptor
    OTHER = "other"
    ANY = "any"  # accesses in a call


class BarrierPart(IntEnum):
    """What an instruction does at the barrier of the workgroup, as bits."""

    OTHER = 0  # for another barrier, or neither an arrival nor a wait
    ARRIVE = 1
    WAIT = 2
    BOTH = 3


#: The barrier object of a cluster.
CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an operation.

    Parameters
    ----------
    line : int or None
        The line in the file of LLVM IR; None if the printed text does not correspond to the file.
    source : str or None
        ``file:line`` of the debug location.
    inlined_at : tuple of str
        The calls that it was inlined through, innermost first.
    """

    line: int | None = None
    source: str | None = None
    inlined_at: tuple[str, ...] = ()


def place_of(line: int | None, places: tuple[str, ...], compiled: str | None = None) -> Place:
    """Give the place of an operation.

    Parameters
    ----------
    line : int or None
        In the file of LLVM IR.
    places : tuple of str
        Where it comes from, as ``file:line``, and the calls that were inlined, innermost first.
    compiled : str, optional
        The file that the module was compiled from, if its lines are wanted.

    Examples
    --------
    >>> place_of(7, ("k.cl:3",)), place_of(7, ("k.cl:3",), "a/k.cl").line, place_of(7, ()).line
    (Place(line=7, source='k.cl:3', inlined_at=()), 3, 7)
    """
    if compiled is None:
        return Place(line, places[0] if places else None, places[1:])
    name = PurePath(compiled).name
    own = [place for place in places if PurePath(place.rpartition(":")[0]).name == name]
    known = places[0] if len(places) > 1 else None  # the line says the rest
    return Place(int(own[0].rpartition(":")[2]) if own else None, known, places[1:])


#: The ranks of the AMDGPU sync scopes, smallest first (LLVM AMDGPUUsage, "Memory Scopes").
SCOPES = {"singlethread": 0, "wavefront": 1, "workgroup": 2, "cluster": 3, "agent": 4, "system": 5}


@dataclass(frozen=True, slots=True)
class ScopeName:
    """A sync scope of any target, as written; ``system`` for the default.

    Examples
    --------
    >>> ScopeName.read("agent-one-as"), ScopeName.read("").rank, ScopeName.read("block").rank
    (ScopeName(name='agent', one_as=True), 5, None)
    """

    name: str
    one_as: bool = False

    @classmethod
    def read(cls, written: str) -> ScopeName:
        """Read the name in ``syncscope``."""
        if written in ("one-as", ""):
            return cls("system", written != "")
        plain = written.removesuffix("-one-as")
        return cls(plain, plain != written)

    @property
    def rank(self) -> int | None:
        """Its size, from 0 for a single thread to 5 for the system; None for a scope of another target."""
        return SCOPES.get(self.name)

    @property
    def single_thread(self) -> bool:
        """Whether an instance has a single thread."""
        return self.rank == 0

    @property
    def holds_workgroup(self) -> bool:
        """Whether the threads of a workgroup share an instance; assumed for scopes of other targets."""
        return self.rank is None or self.rank >= 2

    def __str__(self) -> str:
        return f"{self.name}-one-as" if self.one_as else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """An access, fence, barrier or call. An instruction that reads one place and writes another is two accesses.

    Parameters
    ----------
    kind : Kind
    what : str
        Its name in reports: ``load``, ``atomicrmw add``, ``fence``, ``s.barrier``, ``call @f`` …
    place : Place
    tags : frozenset of Tag
        The explicit tags.
    effective : frozenset of Tag
        The same with aliases resolved, and the tags that the profile implies.
    ordering : Ordering
    failure : Ordering
        The failure ordering of a cmpxchg.
    scope : ScopeName
    reads, writes : bool
    space : Space
    address_space : int or None
        Of the pointer; 1, that of global memory, if it is a buffer's.
    root : str or None
        The global variable or other object that is accessed, if it is known.
    thread_private, volatile : bool
    barrier : BarrierPart
    meets : tuple of (str, BarrierPart) or None
        Of an operation on another barrier object than the workgroup's: its name, and what is done there.
    opaque : bool
        A call or inline assembly that may contain fences, waits and barriers; a barrier with further effects.
    callee : str or None
        The function that is called, if it is known.
    arguments : tuple of tuple of str
        Of such a call: the printed tokens of each.
    asynchronous : bool
        An access that the instruction only starts: it is not in program order, and complete once a wait says so.
    stages : frozenset of int
        Of an asynchronous access, a mark or a wait: the stages that it belongs to.
    count : int or None
        Of a wait: how many marks may be left.
    counter : bool
        A wait that counts operations instead of marks.
    size : int or None
        Of an access, in bytes.
    pointer : tuple of str
        The printed tokens of its address.
    further : Form or None
        What is added to that.
    convergent : bool
        Of a call: it may depend on which threads make it together, as barriers do.
    extent : Extent or None
        The bytes that it accesses, as far as they are known on all paths.
    values : Values or None
        The registers of its function.
    given : tuple of str
        The values that it takes, as they are printed: what it writes; of a compare-exchange, what it expects first.
    """

    kind: Kind
    what: str
    place: Place
    tags: frozenset[Tag] = frozenset()
    effective: frozenset[Tag] = frozenset()
    ordering: Ordering = Ordering.NA
    failure: Ordering = Ordering.NA
    scope: ScopeName = ScopeName("system")
    reads: bool = False
    writes: bool = False
    space: Space = Space.ANY
    address_space: int | None = None
    root: str | None = None
    thread_private: bool = False
    volatile: bool = False
    barrier: BarrierPart = BarrierPart.OTHER
    meets: tuple[str, BarrierPart] | None = None
    opaque: bool = False
    callee: str | None = None
    arguments: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)
    asynchronous: bool = False
    stages: frozenset[int] = frozenset()
    count: int | None = None
    counter: bool = False
    size: int | None = None
    pointer: tuple[str, ...] = field(default=(), compare=False, repr=False)
    further: Form | None = field(default=None, compare=False, repr=False)
    convergent: bool = False
    extent: Extent | None = None
    values: Values | None = field(default=None, compare=False, repr=False)
    given: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def in_order(self) -> bool:
        """Whether program order relates it to others: an access, fence or barrier that is not asynchronous."""
        return self.kind in (Kind.FENCE, Kind.BARRIER) or (self.kind is Kind.ACCESS and not self.asynchronous)

    @property
    def accesses(self) -> bool:
        """Whether it may access memory."""
        return self.reads or self.writes

    @property
    def atomic(self) -> bool:
        """Whether it is an atomic access with an ordering of at least monotonic."""
        return self.kind is Kind.ACCESS and self.ordering >= Ordering.MONOTONIC

    @property
    def releases(self) -> bool:
        """Whether it is a release (semantics, section 1: REL, on writes and fences)."""
        writes = self.kind is Kind.FENCE or (self.kind is Kind.ACCESS and self.writes)
        return writes and self.ordering in (Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)

    @property
    def acquires(self) -> bool:
        """Whether it is an acquire (ACQ, on reads and fences); the failure ordering of a cmpxchg counts, too."""
        strong = (Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST)
        if self.kind is Kind.FENCE:
            return self.ordering in strong
        return self.kind is Kind.ACCESS and self.reads and (self.ordering in strong or self.failure in strong)

    @property
    def within_wave(self) -> bool:
        """Whether it is a barrier for the lanes of one wave, which orders nothing between waves."""
        return self.kind is Kind.BARRIER and self.what == "wave.barrier"

    @property
    def synchronizing(self) -> bool:
        """Whether it is a synchronizing operation: a fence, or an access that is an acquire, a release or stronger."""
        strongest = max(self.ordering, self.failure)
        return self.kind is Kind.FENCE or (self.kind is Kind.ACCESS and strongest >= Ordering.ACQUIRE)

    @property
    def shared(self) -> bool:
        """Whether other threads may see what it accesses: memory that is neither private nor constant."""
        return self.accesses and self.space not in (Space.PRIVATE, Space.CONSTANT)


@dataclass(slots=True)
class Block:
    """A basic block.

    Parameters
    ----------
    operations : list of Operation
        In order.
    successors : tuple of int
        By number; of a branch on a condition, first where it goes if that is true.
    leaves : bool
        Whether it leaves the function.
    label : str
        As phis name it; the parts of a block that a call was followed in have the same.
    phis : list of (str, str)
        The register and the printed text of each.
    condition : str
        The register that a branch depends on; empty if there is none.
    values : Values or None
        The registers of its function.
    decided_by : str
        The printed text that gives this register, if that is in the block.
    """

    operations: list[Operation] = field(default_factory=list)
    successors: tuple[int, ...] = ()
    leaves: bool = False
    label: str = ""
    phis: list[tuple[str, str]] = field(default_factory=list)
    condition: str = ""
    values: Values | None = None
    decided_by: str = ""


@dataclass
class Function:
    """A function with a body.

    Parameters
    ----------
    name : str
        Without the ``@``.
    place : Place
    entry : bool
        Whether threads start here: it is a kernel, or a thread of a litmus test. Other functions have callers.
    kernel : bool
    workgroup_size : tuple of (int, int) or None
        The minimum and maximum number of threads of a workgroup, if attributes give them.
    wavefront_size : int
        The minimum number of threads of a wavefront of the target.
    blocks : list of Block
        The first is the entry.
    parameters : tuple of str
        Their registers as printed.
    """

    name: str
    place: Place
    entry: bool = False
    kernel: bool = False
    workgroup_size: tuple[int, int] | None = None
    wavefront_size: int = 32
    blocks: list[Block] = field(default_factory=list)
    parameters: tuple[str, ...] = ()

    @property
    def operations(self) -> list[Operation]:
        """All operations in order."""
        return [operation for block in self.blocks for operation in block.operations]

    def numbered(self) -> list[list[tuple[int, Operation]]]:
        """Give the operations of each block with their numbers in the function."""
        count = itertools.count()
        return [[(next(count), operation) for operation in block.operations] for block in self.blocks]


@dataclass(frozen=True, slots=True)
class Target:
    """The target that a module is compiled for.

    Parameters
    ----------
    triple : str
        Empty if the module names none.
    """

    triple: str = ""

    @property
    def amdgpu(self) -> bool:
        """Whether the triple is one of AMDGPU."""
        return self.triple.startswith(("amdgcn", "amdgpu", "amdil", "r600"))

    def space(self, address_space: int) -> Space:
        """Give the kind of memory of an address space, by the numbers of AMDGPU unless the target has others.

        Examples
        --------
        >>> Target().space(3), Target("spirv64-amd-amdhsa").space(4), Target("nvptx64-nvidia-cuda").space(7)
        (<Space.LOCAL: 'local'>, <Space.FLAT: 'flat'>, <Space.OTHER: 'other'>)
        """
        spaces = next((spaces for start, spaces in _SPACES.items() if self.triple.startswith(start)), _AMDGPU_SPACES)
        return spaces.get(address_space, Space.OTHER)


# LLVM AMDGPUUsage, "Address Spaces"; 6 is the constant address space of 32 bits, 7 to 9 are buffers.
_AMDGPU_SPACES = {
    **{0: Space.FLAT, 1: Space.GLOBAL, 3: Space.LOCAL, 4: Space.CONSTANT, 5: Space.PRIVATE, 6: Space.CONSTANT},
    **dict.fromkeys((7, 8, 9), Space.BUFFER),
}
_SPACES = {
    "spir": {0: Space.PRIVATE, 1: Space.GLOBAL, 2: Space.CONSTANT, 3: Space.LOCAL, 4: Space.FLAT},
    "nvptx": {0: Space.FLAT, 1: Space.GLOBAL, 3: Space.LOCAL, 4: Space.CONSTANT, 5: Space.PRIVATE, 101: Space.CONSTANT},
}
"""Of other targets, by how their triples begin."""


@dataclass
class InspectedModule:
    """The parts of a module that inspection needs."""

    target: Target
    functions: list[Function]
