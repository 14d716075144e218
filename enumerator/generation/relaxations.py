"""Relaxations: the edges that cycles are made of, and what stands on their ends.

Their names are diy7's (``diyone7 -show edges``, and *A diy tutorial*, section 1.4) as far as it has them; see
``README.md`` for all of them, and :mod:`enumerator.generation.grammar` for how they are read.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from enumerator.errors import InputError
from enumerator.generation.skeleton import WHOLE, DependencyKind, Kind, Mark
from enumerator.program.instructions import Ordering, Scope

__all__ = [
    "ORDERINGS",
    "SCOPES",
    "SPACES",
    "UPDATES",
    "VULKAN_WORDS",
    "Access",
    "Edge",
    "Item",
    "NoCycle",
    "Relation",
    "Step",
    "access_text",
    "edge_text",
    "mark_text",
    "steps_text",
]


class NoCycle(InputError):
    """What is said of a cycle in two places excludes each other: where all combinations are tried, this is none."""


class Relation(IntEnum):
    """What an edge of a cycle is. `RMW` joins the halves of one read-modify-write."""

    RF = 0
    CO = 1
    FR = 2
    PO = 3
    RMW = 4


class Item(NamedTuple):
    """A fence or barrier that stands between two events, or before one."""

    kind: Kind
    mark: Mark = Mark()


class Edge(NamedTuple):
    """An edge of a cycle, from one event to the next.

    Parameters
    ----------
    relation : Relation
    external : bool
        Whether it leads to another thread.
    same : bool
        Whether both events are of one location.
    source, target : Kind
        ``READ`` or ``WRITE``.
    between : tuple of Item
        What stands between the events, if it is internal.
    depends : DependencyKind or None
        How the target depends on the source.
    operator : str
        Of a read-modify-write: what it does (see :data:`UPDATES`).
    level : Scope or None
        Of an external edge: the smallest scope of which both threads are in one instance.
    """

    relation: Relation
    external: bool
    same: bool
    source: Kind
    target: Kind
    between: tuple[Item, ...] = ()
    depends: DependencyKind | None = None
    operator: str = ""
    level: Scope | None = None


class Access(NamedTuple):
    """What a cycle says of an event.

    Parameters
    ----------
    mark : Mark or None
        None where it says nothing: then it is as the default has it.
    space : int or None
        The address space of the location.
    part : (int, int)
        The bytes that it covers, as of :class:`~enumerator.generation.skeleton.Event`.
    exchange : bool
        A write that an ``atomicrmw xchg`` does.
    before : tuple of Item
        What stands before it, at the beginning of its thread.
    """

    mark: Mark | None = None
    space: int | None = None
    part: tuple[int, int] = WHOLE
    exchange: bool = False
    before: tuple[Item, ...] = ()


class Step(NamedTuple):
    """A step of a cycle: an event, and the edge that leads from it to that of the next step."""

    access: Access
    edge: Edge


ORDERINGS = {
    "P": Ordering.NA,
    "Unord": Ordering.UNORDERED,
    "Rlx": Ordering.MONOTONIC,
    "Acq": Ordering.ACQUIRE,
    "Rel": Ordering.RELEASE,
    "AR": Ordering.ACQ_REL,
    "Sc": Ordering.SEQ_CST,
}
"""The annotations that say the ordering of an event, as diy7 has them for C, and `unordered`."""

SCOPES = {
    "thread": Scope.SINGLETHREAD,
    "wave": Scope.WAVEFRONT,
    "wg": Scope.WORKGROUP,
    "cluster": Scope.CLUSTER,
    "agent": Scope.AGENT,
    "system": Scope.SYSTEM,
}

SPACES = {"as0": 0, "as1": 1, "as3": 3, "global": 1, "local": 3}

UPDATES = {
    "Exch": "xchg",
    "Cas": "cmpxchg",
    "Fetch.Add": "add",
    "Fetch.Sub": "sub",
    "Fetch.Xor": "xor",
}
"""Read-modify-writes by name: LLVM's operation."""

VULKAN_WORDS = (
    *("av", "vis", "nonpriv", "semav", "semvis"),
    *(f"{prefix}sc{number}" for prefix in ("", "sem") for number in range(4)),
)
"""Attributes of operations in the Vulkan language only."""

_ORDERING_NAMES = {ordering: name for name, ordering in ORDERINGS.items()}
_SCOPE_NAMES = {scope: name for name, scope in SCOPES.items()}
_UPDATE_NAMES = {operator: name for name, operator in UPDATES.items()}
_LETTER = {Kind.READ: "R", Kind.WRITE: "W"}


def mark_text(mark: Mark, more: tuple[str, ...] = ()) -> str:
    """Write an annotation as cycles have it.

    Examples
    --------
    >>> mark_text(Mark(Ordering.RELEASE, Scope.AGENT)), mark_text(Mark())
    ('Rel(agent)', 'P')
    """
    inner = [_SCOPE_NAMES[mark.scope]] if mark.scope != Scope.SYSTEM else []
    inner += [*map(str, mark.tags), *mark.words, *more]
    return _ORDERING_NAMES[mark.ordering] + (f"({','.join(inner)})" if inner else "")


@lru_cache(4096)  # cycles are made of few of them
def access_text(access: Access) -> str:
    """Write what a cycle says of an event; the empty text if it says nothing."""
    more = [] if access.space is None else [f"as{access.space}"]
    if access.part != WHOLE:
        more.append(f"{access.part[0]}..{access.part[0] + access.part[1]}")
    if access.exchange:
        more.append("xchg")
    if access.mark is None:
        mark = f"Any({','.join(more)})" if more else ""
    else:
        mark = mark_text(access.mark, tuple(more))
    return " ".join([*map(_item_text, access.before), *([mark] if mark else [])])


def _item_text(item: Item) -> str:
    return "Barrier" if item.kind == Kind.BARRIER else f"Fence{mark_text(item.mark)}"


@lru_cache(4096)
def edge_text(edge: Edge) -> str:
    """Write an edge as cycles have it.

    Examples
    --------
    >>> fence = Item(Kind.FENCE, Mark(Ordering.RELEASE, Scope.WORKGROUP))
    >>> edge_text(Edge(Relation.PO, False, False, Kind.WRITE, Kind.WRITE, (fence,)))
    'FenceRel(wg)dWW'
    >>> edge_text(Edge(Relation.RF, True, True, Kind.WRITE, Kind.READ, level=Scope.AGENT))
    'Rfe@agent'
    """
    if edge.relation == Relation.RMW:
        return _UPDATE_NAMES[edge.operator]
    if edge.relation != Relation.PO:
        level = "" if edge.level is None else f"@{_SCOPE_NAMES[edge.level]}"
        return f"{edge.relation.name.capitalize()}{'e' if edge.external else 'i'}{level}"
    between = "+".join(map(_item_text, edge.between))
    place = "s" if edge.same else "d"
    if edge.depends is not None:
        plus = "+" if between else ""
        return f"Dp{edge.depends.name.capitalize()}{plus}{between}{place}{_LETTER[edge.target]}"
    return f"{between or 'Po'}{place}{_LETTER[edge.source]}{_LETTER[edge.target]}"


def steps_text(steps: tuple[Step, ...]) -> str:
    """Write a cycle so that it can be read again."""
    words = (word for access, edge in steps for word in (access_text(access), edge_text(edge)))
    return " ".join(word for word in words if word)
