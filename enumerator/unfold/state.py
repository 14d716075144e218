"""What a thread that runs symbolically holds: what is around it, its registers, its activations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from enumerator.program.instructions import Block, Call, Function
from enumerator.program.test import MemoryObject
from enumerator.program.types import Type
from enumerator.program.values import Value
from enumerator.unfold.domains import Domains
from enumerator.unfold.loops import Flow, LoopEntry, flow_of
from enumerator.unfold.paths import Node

__all__ = ["NONE", "Frame", "Local", "Surroundings"]

NONE: frozenset[int] = frozenset()


@dataclass
class Surroundings:
    """What all machines of a test share.

    Parameters
    ----------
    path : str
        The test's file, for messages.
    functions : mapping of str to Function
    objects : dict of str to MemoryObject
        Globals, and the allocas met so far.
    domains : Domains
        What locations may hold.
    freeze_choices : callable
        Values that stand for an arbitrary one of a type.
    unroll : int
    identities : mapping
        By thread, the registers that say where it runs.
    slots_in_memory : bool
        Stack slots are memory, whether or not their address leaves the thread.
    slots : set of str
        The objects that are stack slots otherwise: registers,
    escaped : set of str
        but for those whose address is known to leave their thread (without the number of the run of their alloca).
    guessed : bool
        Set once a split asked the domains: they must then be completed.
    """

    path: str
    functions: Mapping[str, Function]
    objects: dict[str, MemoryObject]
    domains: Domains
    freeze_choices: Callable[[Type], tuple[Value, ...]]
    unroll: int
    identities: Mapping[str, Mapping[str, int]]
    slots: set[str] = field(default_factory=set)
    slots_in_memory: bool = False
    escaped: set[str] = field(default_factory=set)
    guessed: bool = False
    _flows: dict[str, Flow] = field(default_factory=dict)

    def flow(self, function: Function) -> Flow:
        """Give the loops of a function of the test."""
        found = self._flows.get(function.name)
        if found is None:
            found = self._flows[function.name] = flow_of(function)
        return found


@dataclass(slots=True)
class Local:
    """A register: its value, and the reads (event indices) on which it depends syntactically.

    Of an ordering token, `tokens` are the events whose tokens have been merged into it.
    """

    node: Node
    reads: frozenset[int]
    tokens: frozenset[int] = NONE


@dataclass
class Frame:
    """An activation of a function."""

    function: Function
    prefix: str
    blocks: Mapping[str, Block]
    flow: Flow
    block: Block
    position: int
    target: str | None
    loops: dict[int, LoopEntry] = field(default_factory=dict)
    """By number, the loops that it is in or has been in."""
    entry: frozenset[int] = NONE
    """The events whose tokens the call waits for: those of ``llvm.csa.mementry``."""
    call: Call | None = None

    def copy(self) -> Frame:
        return replace(self, loops={number: entry.copy() for number, entry in self.loops.items()})
