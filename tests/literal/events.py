"""What a thread does when it runs: events, and the trace that they make."""

from __future__ import annotations

from dataclasses import dataclass

from enumerator.program.instructions import Annotation, Ordering
from enumerator.program.types import Type
from enumerator.program.values import Value
from tests.literal.contents import Content

__all__ = ["NOTHING", "Event", "Location", "Reads", "Step", "Trace"]

Reads = frozenset[int]
NOTHING: Reads = frozenset()


@dataclass(frozen=True, order=True)
class Location:
    """Bytes of an object: its name, byte offset and size."""

    object: str
    offset: int
    size: int


@dataclass(frozen=True)
class Step:
    """What an event does at a barrier object, as `BarrierOperation` has it; `first`: what an arrival was told."""

    kind: str
    object: str = "workgroup"
    count: int = 0
    first: bool | None = None


@dataclass(frozen=True)
class Event:
    """An event of a trace; `addr`, `data`, `ctrl` and `inputs` are numbers of earlier events of it, reads all.

    `inputs` are the reads from whose values a write's value is computed: unlike `data` it leaves out what a
    cmpxchg compares with, and holds the own read of an atomicrmw that computes with it.
    An access is an event for each cell that it covers (section 8): `location` is the cell and `content` what it holds,
    `access` the bytes of all its cells.

    The kinds of section 10 are ``I``, which starts an operation, and ``Y``, a wait. What is `detached` is done outside
    of the thread: `started` by an ``I``, after the read that it has `copied`, and `completed` at a ``Y``.
    """

    kind: str
    annotation: Annotation
    ordering: Ordering
    synchronizing: bool
    instruction: int
    location: Location | None = None
    access: Location | None = None
    type: Type | None = None
    content: Content = ()
    addr: Reads = NOTHING
    data: Reads = NOTHING
    ctrl: Reads = NOTHING
    inputs: Reads = NOTHING
    rmw: int | None = None
    arrives: bool = False
    waits: bool = False
    steps: tuple[Step, ...] = ()
    detached: bool = False
    started: Reads = NOTHING
    copied: Reads = NOTHING
    completed: Reads = NOTHING
    line: int | None = None


@dataclass(frozen=True)
class Trace:
    """One run of a thread: its events, final registers, and how it ended; if it waits, what it reads meanwhile."""

    thread: str
    events: tuple[Event, ...]
    registers: tuple[tuple[str, Value], ...]
    end: str
    allocas: tuple[tuple[str, int], ...] = ()
    waiting: Reads = NOTHING
