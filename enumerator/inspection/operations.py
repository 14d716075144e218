"""What inspection sees of a function: accesses, fences, barriers and calls in blocks; nothing else matters to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from enumerator.program.instructions import Ordering, Tag

__all__ = [
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
]


class Kind(Enum):
    """Kinds of operations."""

    ACCESS = "access"
    FENCE = "fence"
    BARRIER = "barrier"
    CALL = "call"  # of a function whose accesses are not known, or inline assembly


class Space(Enum):
    """Kinds of memory that an access may go to."""

    FLAT = "flat"
    GLOBAL = "global"
    LOCAL = "local"  # LDS, shared by a workgroup
    CONSTANT = "constant"
    PRIVATE = "private"
    BUFFER = "buffer"  # global memory through a buffer resource or another descriptor
    OTHER = "other"
    ANY = "any"  # of a call


class BarrierPart(IntEnum):
    """What a barrier instruction does to the workgroup's barrier, as a set of bits."""

    OTHER = 0  # of another barrier than the workgroup's, or neither arrival nor wait
    ARRIVE = 1
    WAIT = 2
    BOTH = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where an operation stands.

    Parameters
    ----------
    line : int or None
        In the file of IR; None where the printed text does not correspond to it.
    source : str or None
        ``file:line`` of the debug location.
    inlined_at : tuple of str
        The calls that it was inlined through, innermost first.
    """

    line: int | None = None
    source: str | None = None
    inlined_at: tuple[str, ...] = ()


#: Ranks of the sync scopes of AMDGPU, smallest first (LLVM AMDGPUUsage, "Memory Scopes").
SCOPES = {"singlethread": 0, "wavefront": 1, "workgroup": 2, "cluster": 3, "agent": 4, "system": 5}


@dataclass(frozen=True, slots=True)
class ScopeName:
    """A sync scope as written, of any target; ``system`` for the default.

    Examples
    --------
    >>> ScopeName.read("agent-one-as"), ScopeName.read("").rank, ScopeName.read("block").rank
    (ScopeName(name='agent', one_as=True), 5, None)
    """

    name: str
    one_as: bool = False

    @classmethod
    def read(cls, written: str) -> ScopeName:
        """Read the name that stands in ``syncscope``."""
        if written in ("one-as", ""):
            return cls("system", written != "")
        plain = written.removesuffix("-one-as")
        return cls(plain, plain != written)

    @property
    def rank(self) -> int | None:
        """How large it is: 0 for a single thread to 5 for the system; None if it is of another target."""
        return SCOPES.get(self.name)

    @property
    def single_thread(self) -> bool:
        """Whether it holds one thread only."""
        return self.rank == 0

    @property
    def holds_workgroup(self) -> bool:
        """Whether threads of a workgroup share an instance; taken for granted of scopes of other targets."""
        return self.rank is None or self.rank >= 2

    def __str__(self) -> str:
        return f"{self.name}-one-as" if self.one_as else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that matters. Instructions that read one place and write another are two accesses.

    Parameters
    ----------
    kind : Kind
    what : str
        How it is called in reports: ``load``, ``atomicrmw add``, ``fence``, ``s.barrier``, ``call @f`` …
    place : Place
    tags : frozenset of Tag
        Explicit ones.
    effective : frozenset of Tag
        With aliases resolved, and with those that the profile implies.
    ordering : Ordering
    failure : Ordering
        Of a cmpxchg that fails.
    scope : ScopeName
    reads, writes : bool
    space : Space
    address_space : int or None
    root : str or None
        The global variable or other object that an access is known to go to.
    thread_private, volatile : bool
    barrier : BarrierPart
    opaque : bool
        A call (or inline assembly) that may fence, wait or hold barriers, too; a barrier that does more than that.
    callee : str or None
        Of a call, where it is known.
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
    opaque: bool = False
    callee: str | None = None

    @property
    def accesses(self) -> bool:
        """Whether it accesses memory (a call, as far as is known)."""
        return self.reads or self.writes

    @property
    def atomic(self) -> bool:
        """Whether it is an atomic access of at least monotonic."""
        return self.kind is Kind.ACCESS and self.ordering >= Ordering.MONOTONIC

    @property
    def releases(self) -> bool:
        """Whether it orders what is before it (semantics, section 1: REL on writes and fences)."""
        writes = self.kind is Kind.FENCE or (self.kind is Kind.ACCESS and self.writes)
        return writes and self.ordering in (Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)

    @property
    def acquires(self) -> bool:
        """Whether it orders what is after it (ACQ on reads and fences); a failed cmpxchg counts, too."""
        strong = (Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST)
        if self.kind is Kind.FENCE:
            return self.ordering in strong
        return self.kind is Kind.ACCESS and self.reads and (self.ordering in strong or self.failure in strong)

    @property
    def synchronizing(self) -> bool:
        """Whether it is a synchronizing operation: a fence, or an access with an ordering of acquire or more."""
        strongest = max(self.ordering, self.failure)
        return self.kind is Kind.FENCE or (self.kind is Kind.ACCESS and strongest >= Ordering.ACQUIRE)

    @property
    def shared(self) -> bool:
        """Whether other threads may see what it accesses: not the thread's own memory, and not constant."""
        return self.accesses and self.space not in (Space.PRIVATE, Space.CONSTANT)


@dataclass(slots=True)
class Block:
    """A basic block: its operations in order, the numbers of its successors, and whether it leaves the function."""

    operations: list[Operation] = field(default_factory=list)
    successors: tuple[int, ...] = ()
    leaves: bool = False


@dataclass
class Function:
    """A function with a body.

    Parameters
    ----------
    name : str
        Without the ``@``.
    place : Place
    entry : bool
        Threads begin here: a kernel, or a thread of a litmus test. Others have callers that may access memory, too.
    kernel : bool
    workgroup_size : tuple of (int, int) or None
        The fewest and the most threads of a workgroup, where attributes say so.
    wavefront_size : int
        The fewest threads that a wavefront of the target may have.
    blocks : list of Block
        The first is the entry.
    """

    name: str
    place: Place
    entry: bool = False
    kernel: bool = False
    workgroup_size: tuple[int, int] | None = None
    wavefront_size: int = 32
    blocks: list[Block] = field(default_factory=list)

    @property
    def operations(self) -> list[Operation]:
        """All operations in order."""
        return [operation for block in self.blocks for operation in block.operations]


@dataclass(frozen=True, slots=True)
class Target:
    """What the module is compiled for.

    Parameters
    ----------
    triple : str
        Empty if the module names none.
    """

    triple: str = ""

    @property
    def amdgpu(self) -> bool:
        """Whether it says that it is for AMDGPU."""
        return self.triple.startswith(("amdgcn", "amdil", "r600"))

    def space(self, address_space: int) -> Space:
        """Name an address space: AMDGPU's numbers, unless the target is known to have others.

        Examples
        --------
        >>> Target().space(3), Target("spirv64-amd-amdhsa").space(4), Target("nvptx64-nvidia-cuda").space(7)
        (<Space.LOCAL: 'local'>, <Space.FLAT: 'flat'>, <Space.OTHER: 'other'>)
        """
        return self._spaces().get(address_space, Space.OTHER)

    def _spaces(self) -> dict[int, Space]:
        if self.triple.startswith("spir"):
            return _SPIRV_SPACES
        if self.triple.startswith("nvptx"):
            return _NVPTX_SPACES
        return _AMDGPU_SPACES


# LLVM AMDGPUUsage, "Address Spaces"; 6 is the constant address space of 32 bits, 7 to 9 are buffers.
_AMDGPU_SPACES = {
    0: Space.FLAT,
    1: Space.GLOBAL,
    3: Space.LOCAL,
    4: Space.CONSTANT,
    5: Space.PRIVATE,
    6: Space.CONSTANT,
    7: Space.BUFFER,
    8: Space.BUFFER,
    9: Space.BUFFER,
}
_NVPTX_SPACES = {
    0: Space.FLAT,
    1: Space.GLOBAL,
    3: Space.LOCAL,
    4: Space.CONSTANT,
    5: Space.PRIVATE,
    101: Space.CONSTANT,
}
_SPIRV_SPACES = {
    0: Space.PRIVATE,
    1: Space.GLOBAL,
    2: Space.CONSTANT,
    3: Space.LOCAL,
    4: Space.FLAT,
}


@dataclass
class InspectedModule:
    """A module as inspection reads it."""

    target: Target
    functions: list[Function]
