"""What inspection finds: plain data that reports show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from enumerator.inspection.links import LinkKey
from enumerator.inspection.operations import Function, Kind, Operation, Place, ScopeName, Space, Target
from enumerator.program.instructions import Ordering, Tag

__all__ = [
    "AccessClass",
    "BarrierFinding",
    "Finding",
    "FunctionFindings",
    "Group",
    "Inspection",
    "Severity",
    "Side",
    "Status",
    "Unordered",
    "Remark",
]


@dataclass(frozen=True, slots=True)
class AccessClass:
    """Accesses that are alike in all that decides how they are ordered.

    Parameters
    ----------
    kind : Kind
        ``ACCESS``, or ``CALL`` for what is accessed in a call: its tags are not known.
    what : str
    reads, writes : bool
    ordering : Ordering
    scope : ScopeName
    space : Space
    tags, effective : frozenset of Tag
    thread_private, synchronizing : bool
    key : LinkKey or None
        What a model sees of them; None of what is accessed in a call.
    """

    kind: Kind
    what: str
    reads: bool
    writes: bool
    ordering: Ordering
    scope: ScopeName
    space: Space
    tags: frozenset[Tag]
    effective: frozenset[Tag]
    thread_private: bool
    synchronizing: bool
    key: LinkKey | None = None

    @classmethod
    def of(cls, operation: Operation, keys: Mapping[LinkKey, LinkKey] = MappingProxyType({})) -> AccessClass:
        """Give the class of an access; `keys` gives for each key the one that is to stand for it."""
        key = None if operation.kind is Kind.CALL else LinkKey.of(operation)
        return cls(
            operation.kind,
            operation.what,
            operation.reads,
            operation.writes,
            operation.ordering,
            operation.scope,
            operation.space,
            operation.tags,
            operation.effective,
            operation.thread_private,
            operation.synchronizing,
            None if key is None else keys.get(key, key),
        )


class Status(Enum):
    """How accesses stand to a synchronizing operation that orders their side."""

    ORDERED = "ordered"
    THROUGH = "through"  # not directly, but by way of operations in between (happens-before is a closure)
    UNORDERED = "unordered"
    UNKNOWN = "unknown"  # what a call accesses


@dataclass(frozen=True, slots=True)
class Group:
    """Accesses of a class on one side of an operation.

    Parameters
    ----------
    access : AccessClass
    count : int
    places : tuple of Place
        Some of them, the nearest first (over the text of the function, not its paths).
    status : Status
    reason : str
        Why they are not ordered; empty if they are.
    """

    access: AccessClass
    count: int
    places: tuple[Place, ...]
    status: Status = Status.ORDERED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """What is before (or after) an operation in its function, over all paths.

    Parameters
    ----------
    count : int
        Accesses of memory that other threads may see.
    reason : str
        Why the operation orders nothing on this side; empty if it may.
    groups : tuple of Group
        Empty where it orders nothing.
    """

    count: int
    reason: str = ""
    groups: tuple[Group, ...] = ()

    def with_status(self, status: Status) -> tuple[Group, ...]:
        """Give the groups of a status."""
        return tuple(group for group in self.groups if group.status is status)


@dataclass(frozen=True, slots=True)
class Unordered:
    """Accesses that annotations take out of an operation's order, and what they are not ordered with for that.

    Parameters
    ----------
    side : {'before', 'after'}
        Where the accesses are.
    group : Group
    others : tuple of Group
        Accesses on the other side, which the operation is ordered with, and which would be ordered with the group
        without annotations.
    """

    side: str
    group: Group
    others: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A synchronizing operation, and what it orders."""

    operation: Operation
    before: Side
    after: Side
    unordered: tuple[Unordered, ...] = ()


@dataclass(frozen=True, slots=True)
class BarrierFinding:
    """A barrier, and the fences between it and the barriers before and after it."""

    operation: Operation
    releases: tuple[Operation, ...] = ()
    acquires: tuple[Operation, ...] = ()


class Severity(Enum):
    """How sure a warning is."""

    WARNING = "warning"  # almost certainly a mistake
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on an operation.

    Parameters
    ----------
    name : str
        Which remark: ``unknown-tag``, ``fence-orders-nothing`` …
    message : str
    function : str
    place : Place
    severity : Severity
    related : tuple of Place
        Other operations that it speaks of.
    """

    name: str
    message: str
    function: str
    place: Place
    severity: Severity = Severity.WARNING
    related: tuple[Place, ...] = ()


@dataclass
class FunctionFindings:
    """What was found in a function.

    Parameters
    ----------
    function : Function
    accesses : tuple of Group
        All accesses of memory that other threads may see.
    own : int
        Accesses of private and constant memory, which need no order.
    operations : list of (Finding or BarrierFinding)
        In order.
    limit : str
        What was left out because the function is too large; empty if nothing was.
    """

    function: Function
    accesses: tuple[Group, ...] = ()
    own: int = 0
    operations: list[Finding | BarrierFinding] = field(default_factory=list)
    limit: str = ""


@dataclass
class Inspection:
    """What was found in a file.

    Parameters
    ----------
    path : str
    profile : str
    reading : {'closure', 'direct', 'filtered'}
        Of happens-before.
    target : Target
    functions : list of FunctionFindings
    remarks : list of Remark
    """

    path: str
    profile: str
    reading: str
    target: Target
    functions: list[FunctionFindings] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
