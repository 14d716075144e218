"""Paths: what unfolding gives. A path is one way of a thread through its control-flow graph.

The events of a path, their locations and dependencies are fixed; the values are expressions over the values
that its reads return, and conditions on these say when the path is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from enumerator.program.flags import ENDS
from enumerator.program.instructions import Annotation
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = ["ENDS", "Computed", "Known", "Leaving", "Location", "Node", "Path", "PathEvent", "ReadValue", "unsequenced"]


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Bytes of an object that are accessed as one: its name with the sigil, byte offset and size in bytes."""

    object: str
    offset: int
    size: int


class Node:
    """A value of a path: known, read by one of the path's reads, or computed from others.

    Nodes are compared by identity and form a directed acyclic graph; `reads` are the indices (in the path) of
    the read events whose values decide this one.
    """

    __slots__ = ("reads",)
    reads: frozenset[int]


class Known(Node):
    """A value that does not depend on any read."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value
        self.reads = frozenset()


class ReadValue(Node):
    """The value returned by the read event `index` of the path, and the type it is read with, if known."""

    __slots__ = ("index", "type")

    def __init__(self, index: int, type_: Type | None = None) -> None:
        self.index = index
        self.type = type_
        self.reads = frozenset((index,))


class Computed(Node):
    """An operation on other nodes (:mod:`enumerator.unfold.arithmetic` says which there are)."""

    __slots__ = ("arguments", "indices", "operand_type", "operator", "type")

    def __init__(
        self,
        operator: str,
        arguments: tuple[Node, ...],
        type_: Type,
        operand_type: Type,
        indices: tuple[int, ...] = (),
    ) -> None:
        self.operator = operator
        self.arguments = arguments
        self.type = type_
        self.operand_type = operand_type
        self.indices = indices
        self.reads = frozenset().union(*(argument.reads for argument in arguments))


@dataclass(frozen=True, slots=True)
class PathEvent:
    """An event of a path.

    Parameters
    ----------
    kind : {'R', 'W', 'F', 'B'}
        Read, write, fence, barrier; ``IW`` stands for initial writes, which are on no path.
    annotation : Annotation
        The instruction's, with the ordering that this half has (a failed cmpxchg's read: its failure ordering).
    instruction : int
        Number of the dynamic instruction in the path: the halves of a read-modify-write share it.
    location : Location or None
    value : Node or None
        The value read (a :class:`ReadValue` of this event) or written.
    addr, data, ctrl : frozenset of int
        Earlier reads of the path (by event index) on which address, value and reaching this event depend.
    tok : frozenset of int
        Earlier events of the path whose ordering tokens this one waits for (semantics, section 6).
    rmw : int or None
        For the write half of a read-modify-write, the event index of its read half.
    arrival, wait : int or None
        For a barrier: the number (from 0) of the phase it arrives at, of the phase it waits for.
    barrier : (int, int) or None
        For a barrier with a number: that number, and how often it ran before in this path.
    needed : int
        For such a barrier: how many threads have to arrive at it (0: that is not looked at).
    completes : bool
        Whether it is among those arrivals that all which go on there wait for.
    line : int or None
        Source line.
    unsequenced : frozenset of int
        Earlier events of the path that the source language does not order with it: of other operands.
    """

    kind: str
    annotation: Annotation
    instruction: int
    location: Location | None = None
    value: Node | None = None
    addr: frozenset[int] = frozenset()
    data: frozenset[int] = frozenset()
    ctrl: frozenset[int] = frozenset()
    tok: frozenset[int] = frozenset()
    rmw: int | None = None
    arrival: int | None = None
    wait: int | None = None
    line: int | None = None
    barrier: tuple[int, int] | None = None
    needed: int = 0
    completes: bool = True
    unsequenced: frozenset[int] = frozenset()

    @property
    def completing(self) -> tuple[int, int] | None:
        """The barrier with a number that it is among the first at: all that go on there wait for it."""
        return self.barrier if self.completes else None

    def listed(self, name: str) -> frozenset[int]:
        """Give the earlier events of the path that an attribute names: ``addr``, ``rmw`` …"""
        found: frozenset[int] | int | None = getattr(self, name)
        return found if isinstance(found, frozenset) else frozenset(() if found is None else (found,))


@dataclass(frozen=True, slots=True)
class Leaving:
    """What the return of a thread waits for: event indices of its path.

    Parameters
    ----------
    data, ctrl : frozenset of int
        Reads on which the returned value, and reaching the return, depend.
    tok : frozenset of int
        Events whose ordering tokens the return waits for.
    """

    data: frozenset[int] = frozenset()
    ctrl: frozenset[int] = frozenset()
    tok: frozenset[int] = frozenset()


def unsequenced(event: PathEvent, before: Sequence[PathEvent]) -> frozenset[int]:
    """Find the events of the same evaluation of an expression that belong to other operands of an operator.

    An evaluation goes through operands in order: where an access, or a later operand, comes before, it was another one.

    Parameters
    ----------
    event : PathEvent
    before : sequence of PathEvent
        The path up to it.

    Returns
    -------
    frozenset of int
        Indices in the path.
    """
    mine = dict(event.annotation.operands)
    found: set[int] = set()
    seen: dict[int, int] = {event.annotation.operands[-1][0]: event.instruction}
    for index in reversed(range(len(before))):
        other = before[index]
        if not other.annotation.operands:
            break
        if seen.setdefault(other.annotation.operands[-1][0], other.instruction) != other.instruction:
            break
        shared = [(number, mine[operator]) for operator, number in other.annotation.operands if operator in mine]
        if not shared or any(theirs > ours for theirs, ours in shared):
            break
        if any(theirs < ours for theirs, ours in shared):
            found.add(index)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Path:
    """One way of a thread through its code.

    Parameters
    ----------
    thread : str
        The thread's name.
    events : tuple of PathEvent
        In program order.
    conditions : tuple of (Node, Value)
        The path is taken iff each node has its value.
    registers : mapping of str to Node
        Final registers, named as results name them without the thread (``%r``, ``%f.1.r``; ``r`` in C).
    end : str
        ``return``; ``cut`` where a loop or recursion reached its bound; else the flag of what ended it early
        (:data:`ENDS`).
    end_line : int or None
        Source line of that end.
    leaving : Leaving
        What a return waits for, where the path ends with one.
    found_by : frozenset of int
        Reads (by event index) that have to be known to return certain values before the path is found: not those that
        decide on control flow only, which may return anything.
    """

    thread: str
    events: tuple[PathEvent, ...]
    conditions: tuple[tuple[Node, Value], ...]
    registers: Mapping[str, Node]
    end: str = "return"
    end_line: int | None = None
    leaving: Leaving = Leaving()
    found_by: frozenset[int] = frozenset()
