"""The results of inspection, as plain data for reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType

from enumerator.frozen import dataclass
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
    """A class of accesses that are ordered in the same way.

    Parameters
    ----------
    kind : Kind
        ``ACCESS``, or ``CALL`` for accesses in a call, whose tags are not known.
    what : str
    reads, writes : bool
    ordering : Ordering
    scope : ScopeName
    space : Space
    tags, effective : frozenset of Tag
    thread_private, synchronizing : bool
    asynchronous : bool
        An instruction only starts them.
    key : LinkKey or None
        What the model sees of them; None for accesses in a call.
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
    asynchronous: bool = False
    key: LinkKey | None = None

    @classmethod
    def of(cls, operation: Operation, keys: Mapping[LinkKey, LinkKey] = MappingProxyType({})) -> AccessClass:
        """Give the class of an access; `keys` gives the representative of each key."""
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
            operation.asynchronous,
            None if key is None else keys.get(key, key),
        )


class Status(Enum):
    """Whether accesses are ordered with a synchronizing operation that orders their side."""

    ORDERED = "ordered"
    THROUGH = "through"  # through operations in between, as happens-before is transitive
    UNORDERED = "unordered"
    UNKNOWN = "unknown"  # accesses in a call


@dataclass(frozen=True, slots=True)
class Group:
    """The accesses of a class on one side of an operation.

    Parameters
    ----------
    access : AccessClass
    count : int
    places : tuple of Place
        Some of them, the nearest in the text of the function first.
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
    """The accesses before (or after) an operation on any path of its function.

    Parameters
    ----------
    count : int
        How many accesses of memory that other threads may see.
    reason : str
        Why the operation orders nothing on this side; empty if it may.
    groups : tuple of Group
        Empty if it orders nothing.
    """

    count: int
    reason: str = ""
    groups: tuple[Group, ...] = ()

    def with_status(self, status: Status) -> tuple[Group, ...]:
        """Give the groups with a status."""
        return tuple(group for group in self.groups if group.status is status)


@dataclass(frozen=True, slots=True)
class Unordered:
    """Accesses that an operation does not order because of annotations, and accesses unordered with them for that.

    Parameters
    ----------
    side : {'before', 'after'}
        The side of the accesses.
    group : Group
    others : tuple of Group
        Accesses on the other side that are ordered with the operation. Without annotations they would be ordered with
        the group.
    """

    side: str
    group: Group
    others: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A synchronizing operation and what it orders."""

    operation: Operation
    before: Side
    after: Side
    unordered: tuple[Unordered, ...] = ()


@dataclass(frozen=True, slots=True)
class BarrierFinding:
    """A barrier and the fences between it and the barriers before and after it."""

    operation: Operation
    releases: tuple[Operation, ...] = ()
    acquires: tuple[Operation, ...] = ()


class Severity(Enum):
    """How likely a remark is about a mistake."""

    WARNING = "warning"  # almost certainly a mistake
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on an operation.

    Parameters
    ----------
    name : str
        The kind of remark: ``unknown-tag``, ``fence-orders-nothing`` …
    message : str
    function : str
    place : Place
    severity : Severity
    related : tuple of Place
        Other operations that the message mentions.
    """

    name: str
    message: str
    function: str
    place: Place
    severity: Severity = Severity.WARNING
    related: tuple[Place, ...] = ()


@dataclass
class FunctionFindings:
    """The results for a function.

    Parameters
    ----------
    function : Function
    accesses : tuple of Group
        All accesses of memory that other threads may see.
    own : int
        How many accesses of private and constant memory, which need no order.
    operations : list of (Finding or BarrierFinding)
        The synchronizing operations and barriers, in order.
    limit : str
        What is left out because the function is too large; empty if nothing is.
    """

    function: Function
    accesses: tuple[Group, ...] = ()
    own: int = 0
    operations: list[Finding | BarrierFinding] = field(default_factory=list)
    limit: str = ""


@dataclass
class Inspection:
    """The results for a file.

    Parameters
    ----------
    path : str
    profile : str
    reading : {'closure', 'direct', 'filtered'}
        The reading of happens-before.
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
