"""What accesses, fences and barriers say of themselves: ordering, scope, tags."""

from __future__ import annotations

from enum import IntEnum

from enumerator.frozen import dataclass

__all__ = ["Annotation", "Ordering", "Scope", "Tag"]


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
        Of the pointer through which the access goes; 1, that of global memory, if it points to a buffer (0 for fences
        and barriers).
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
