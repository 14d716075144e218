"""Paths: the result of unfolding. A path is one way of a thread through its control-flow graph.

A path fixes the events, their locations and their dependencies. Values are expressions over the values that the reads
of the path return. Conditions on such expressions say when the path is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from enumerator.frozen import dataclass
from enumerator.program.flags import ENDS
from enumerator.program.instructions import Annotation
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = [
    "ENDS",
    "BarrierStep",
    "Computed",
    "Known",
    "Leaving",
    "Location",
    "Node",
    "Path",
    "PathEvent",
    "ReadValue",
    "unsequenced",
]


class Location(NamedTuple):
    """The bytes of an access or a cell: the name of the object with its sigil, the offset and the size in bytes.

    It is a tuple as such are hashed and compared quickly: what a thread does at a location is looked up all the time.
    """

    object: str
    offset: int
    size: int

    def overlaps(self, other: Location) -> bool:
        """Tell whether they have some byte in common.

        Examples
        --------
        >>> word, half = Location("@x", 0, 4), Location("@x", 2, 2)
        >>> word.overlaps(half), word.overlaps(Location("@x", 4, 4))
        (True, False)
        """
        if self.object != other.object:
            return False
        return self.offset < other.offset + other.size and other.offset < self.offset + self.size


class Node:
    """A value of a path: known, returned by one of its reads, or computed from other nodes.

    Nodes are compared by identity and form a directed acyclic graph. `reads` are the event indices of the reads that
    the value is computed from.
    """

    __slots__ = ("reads",)
    reads: frozenset[int]


class Known(Node):
    """A value that does not depend on any read."""

    __slots__ = ("value",)
    reads = frozenset()

    def __init__(self, value: Value) -> None:
        self.value = value


class ReadValue(Node):
    """The value that the read event `index` of the path returns, and its type if that is known."""

    __slots__ = ("index", "type")

    def __init__(self, index: int, type_: Type | None = None) -> None:
        self.index = index
        self.type = type_
        self.reads = frozenset((index,))


class Computed(Node):
    """An operation on other nodes; :func:`enumerator.unfold.arithmetic.apply` lists the operations."""

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
        Read, write, fence, barrier. (Initial writes, ``IW``, are on no path.)
    annotation : Annotation
        That of the instruction, with the ordering of this event: the read of a failed cmpxchg has the failure ordering.
    instruction : int
        The number of the executed instruction in the path: no other one that has events has it. It is the index of its
        first event, unless a write was added before that. Both events of a read-modify-write have the same.
    location : Location or None
    value : Node or None
        The value read (a :class:`ReadValue` of this event) or written.
    addr, data, ctrl : frozenset of int
        Address, data and control dependencies: the earlier reads of the path, by event index.
    newly : frozenset of int
        Those by which something has been decided since the event before: together with those of all events before, the
        control dependencies.
    tok : frozenset of int
        Earlier events of the path whose ordering tokens this event waits for (semantics, section 6).
    rmw : int or None
        For the write of a read-modify-write, the event index of its read.
    arrival, wait : int, tuple or None
        For a barrier: the number (from 0) of the phase that it arrives at, and of the phase that it waits for. Where a
        test uses barrier objects: the object and the number.
    step : BarrierStep or None
        For a barrier: what it does, to an object.
    barrier : (int, int) or None
        For a barrier with a number: that number, and how often the path has executed it before.
    needed : int
        For such a barrier: how many threads have to arrive at it (0: not checked).
    completes : bool
        For such a barrier: whether all threads that continue after it wait for this arrival.
    line : int or None
        Source line.
    unsequenced : frozenset of int
        Earlier events of the path that are in no program order with this one: those of other operands, where the source
        language leaves that open, and asynchronous ones.
    started : frozenset of int
        For an asynchronous access: the event of the instruction that starts it.
    completed : frozenset of int
        For a wait: the asynchronous accesses that it completes.
    whole : int or None
        The instruction's number, if this is one part of its access: one of several cells that it covers.
    unused : bool
        Of a read: no instruction of the text uses what it returns, but perhaps its own, which writes.
    """

    kind: str
    annotation: Annotation
    instruction: int
    location: Location | None = None
    value: Node | None = None
    addr: frozenset[int] = frozenset()
    data: frozenset[int] = frozenset()
    ctrl: frozenset[int] = frozenset()
    newly: frozenset[int] = frozenset()
    tok: frozenset[int] = frozenset()
    rmw: int | None = None
    arrival: int | tuple[tuple[str, int], int] | None = None
    wait: int | tuple[tuple[str, int], int] | None = None
    line: int | None = None
    barrier: tuple[int, int] | None = None
    needed: int = 0
    completes: bool = True
    unsequenced: frozenset[int] = frozenset()
    started: frozenset[int] = frozenset()
    completed: frozenset[int] = frozenset()
    whole: int | None = None
    step: BarrierStep | None = None
    unused: bool = False

    @property
    def completing(self) -> tuple[int, int] | None:
        """The barrier with a number at which all threads that continue wait for this event, if any."""
        return self.barrier if self.completes else None

    def listed(self, name: str) -> frozenset[int]:
        """Give the earlier events of the path that an attribute names: ``addr``, ``rmw`` …"""
        found: frozenset[int] | int | None = getattr(self, name)
        return found if isinstance(found, frozenset) else frozenset(() if found is None else (found,))


@dataclass(frozen=True, slots=True)
class BarrierStep:
    """An operation on a barrier object (:mod:`enumerator.unfold.objects`).

    Parameters
    ----------
    kind : str
        As :class:`~enumerator.program.instructions.BarrierOperation` has them; ``both``: arrive, then wait.
    object : str
    count : int
    first : bool or None
        Of an arrival that tells whether it is the first: what it tells on this path.
    """

    kind: str
    object: str = "workgroup"
    count: int = 0
    first: bool | None = None


@dataclass(frozen=True, slots=True)
class Leaving:
    """What the return of a thread depends on: event indices of its path.

    Parameters
    ----------
    data, ctrl : frozenset of int
        Data and control dependencies of the return.
    tok : frozenset of int
        Events whose ordering tokens the return waits for.
    """

    data: frozenset[int] = frozenset()
    ctrl: frozenset[int] = frozenset()
    tok: frozenset[int] = frozenset()


def unsequenced(event: PathEvent, before: Sequence[PathEvent]) -> frozenset[int]:
    """Find the earlier events of the same evaluation of an expression that belong to other operands of an operator.

    The unfolding evaluates operands in order. So an event of the same or a later operand marks an earlier evaluation.

    Parameters
    ----------
    event : PathEvent
    before : sequence of PathEvent
        The path up to this event.

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
        Final registers by their names in results, without the thread (``%r``, ``%f.1.r``; ``r`` in C), and what the
        thread returns as ``ret`` (:data:`enumerator.program.test.RETURNED`).
    end : str
        ``return``; ``cut`` where the loop bound (or that on recursion) is reached; the flag of what ended the thread
        early (:data:`~enumerator.program.flags.ENDS`); or one of the ends in :mod:`enumerator.unfold.state`.
    end_line : int or None
        Source line of that end.
    waiting : frozenset of int
        If it ends in a loop that waits (``stuck``): the reads of that evaluation of the loop, by event index. Where it
        ends at an attempt that has only looked at data: the reads of that data.
    leaving : Leaving
        What the return depends on, if the path ends with one.
    found_by : frozenset of int
        Event indices of reads: this path is found only after it is known that these reads may return certain values.
        Reads that decide on control flow only are not among them, as they are assumed to return any value.
    agreements : tuple of (int, int)
        Groups of threads, and for each the number of a way in which these meet at barriers: paths of one group go
        together only if they agree on it.
    tried : bool
        Whether an attempt on it fails that is as if it had not been made, but for what races with the data it looks at.
    """

    thread: str
    events: tuple[PathEvent, ...]
    conditions: tuple[tuple[Node, Value], ...]
    registers: Mapping[str, Node]
    end: str = "return"
    end_line: int | None = None
    waiting: frozenset[int] = frozenset()
    leaving: Leaving = Leaving()
    found_by: frozenset[int] = frozenset()
    agreements: tuple[tuple[int, int], ...] = ()
    tried: bool = False
