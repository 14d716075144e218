"""The parts of the state of a symbolic execution: what its threads share, registers, active functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Barrier,
    Block,
    Call,
    CompareExchange,
    Function,
    Instruction,
    ReadModifyWrite,
    targets_of,
)
from enumerator.program.test import Creation, MemoryObject, Thread
from enumerator.program.types import Type
from enumerator.program.values import Pointer, Value
from enumerator.unfold.domains import Domains
from enumerator.unfold.layout import Layout
from enumerator.unfold.lock_words import LockWords
from enumerator.unfold.loops import Flow, LoopEntry
from enumerator.unfold.paths import Location, Node
from enumerator.unfold.rewritten import Rewritten
from enumerator.unfold.undone import Place, Undone

if TYPE_CHECKING:
    from enumerator.unfold.sought import Found
    from enumerator.unfold.thread import ThreadState
from enumerator.unfold.text import Text

__all__ = [
    "AGAIN",
    "BLOCKED",
    "NONE",
    "CreationKey",
    "Decisions",
    "Frame",
    "Local",
    "Loops",
    "REFUSED",
    "SAYS_END",
    "Shared",
    "Thrown",
    "TRIED",
    "Unchanged",
    "Undecided",
    "key_of",
]

NONE: frozenset[int] = frozenset()

AGAIN = "again"
"""The end of what is no path: an iteration that may be left out."""

TRIED = "tried"
"""The end of a path at an attempt that counts only for what races with it: the thread is followed no further."""

REFUSED = "refused"
"""The end of a path at an assumption that is false: its executions do not count."""

BLOCKED = "blocked"
"""The end of a path at a barrier that another thread never comes to, as it has ended early."""

SAYS_END = 4
"""Where in the object that stands for a created thread a number begins that is 0 until the thread has ended."""

CreationKey = tuple[str, int, str, Value | None, bool]
"""Creator, number, function, argument (None if that is read), whether it returns a number."""


def key_of(creation: Creation) -> CreationKey:
    """Give what tells a creation from others."""
    return creation.creator, creation.number, creation.function, creation.argument, creation.code


Loops = tuple[tuple[int, int], ...]
"""Loops of calls that have not returned: the depth of the call, and the number of the loop in its function."""


class Undecided(Exception):
    """A step asks for a value that it has not been told.

    Parameters
    ----------
    state : ThreadState
        The thread as far as the step has come.
    node : Node
        The value.
    offered : sequence of Value or None
        The values that make a difference; None for an address.
    """

    def __init__(self, state: ThreadState, node: Node, offered: Sequence[Value] | None) -> None:
        super().__init__()
        self.state, self.node, self.offered = state, node, offered


class Decisions:
    """The values that decide on one step of a thread, in the order in which the step asks for them.

    Parameters
    ----------
    values : sequence of Value

    Attributes
    ----------
    branched : bool
        A value has led to more than one branch, so that a further question would be asked by each of them.
    """

    def __init__(self, values: Sequence[Value]) -> None:
        self._left = list(values)
        self._told: dict[Node, Value] = {}
        self.branched = False

    def value(self, state: ThreadState, node: Node, offered: Sequence[Value] | None = None) -> Value:
        """Give the value of a node.

        Raises
        ------
        Undecided
            Where the step has not been told.
        """
        if node not in self._told:
            if not self._left:
                raise Undecided(state, node, offered)
            self._told[node] = self._left.pop(0)
        return self._told[node]


@dataclass
class Shared:
    """What all threads of a test, and all paths, share.

    Parameters
    ----------
    path : str
        The test's file, for messages.
    functions : mapping of str to Function
    objects : dict of str to MemoryObject
        Global variables, and the allocas found so far.
    domains : Domains
        The possible values of locations.
    freeze_choices : callable
        Gives the values that a ``freeze`` of undef is tried with, for a type.
    unroll : int
        The loop bound.
    text : Text
        What is known of the functions.
    slots_in_memory : bool
        Whether all stack slots are memory, even if their address does not leave the thread.
    slots : set of str
        Otherwise, the stack slots found so far.
    escaped : set of str
        The stack slots whose address leaves their thread: they are memory. Names are without the number that tells
        several executions of one alloca apart.
    waits : bool
        Whether iterations of loops that wait are left out (:mod:`enumerator.unfold.waiting`).
    guessed : bool
        Whether the domains have been used: they must then be completed.
    decisions : Decisions or None
        Where threads are unfolded on demand (:mod:`enumerator.unfold.growing`), what the present step has been told.
    creations : mapping
        The threads that are created, by creator, number, function and argument.
    found : Found or None
        If threads are still to be found.
    layout : Layout
        How the accesses found so far divide memory.
    heap : set of str
        The objects of the heap found so far.
    big : bool
        Whether bytes of numbers are in big-endian order.
    writes : dict
        The writes of the code that were asked for (:mod:`enumerator.unfold.later`).
    settled : dict
        What was asked about the code (:mod:`enumerator.unfold.independent`).
    written : dict
        Those from a place of the code on, as far as that was asked for.
    in_vain : counter
        How often code has been followed with known values that told no more (:mod:`enumerator.unfold.later`).
    races : bool
        Whether a race with a plain access is undefined behaviour, or reads undef, under the model.
    raced : set of str
        Objects, by where they are made, that threads wait for and others write plainly: what only reads may race there.
        And those where a loop stores again and again that others access, too (:mod:`.rewritten`).
    runs_past : bool
        Whether threads may run past reads whose values are not known yet.
    meeting : dict
        By barrier, the threads that may come to it, as far as that was asked (:mod:`enumerator.unfold.meeting`).
    ends_tried : bool
        Whether a thread ends at an attempt that counts only for what races with it.
    blocks : bool
        Whether there are paths that end at barriers which others never come to (:mod:`enumerator.unfold.missed`).
    keeps_refused : bool
        Whether paths are kept that end at an assumption that is false.
    locks : LockWords
        Where locks keep their state.
    taken : set of Pointer
        The locks that threads have come to.
    rewritten : Rewritten
        Where iterations of loops have been left out that store again what is there.
    counts_to_reads : bool
        Whether a loop makes progress that counts to what was read before it.
    undone : Undone or None
        Where loops take back what they add; None where what they do is not left out.
    """

    path: str
    functions: Mapping[str, Function]
    objects: dict[str, MemoryObject]
    domains: Domains
    freeze_choices: Callable[[Type], tuple[Value, ...]]
    unroll: int
    text: Text
    slots: set[str] = field(default_factory=set)
    slots_in_memory: bool = False
    escaped: set[str] = field(default_factory=set)
    waits: bool = True
    guessed: bool = False
    decisions: Decisions | None = None
    creations: Mapping[CreationKey, Thread] = field(default_factory=dict)
    found: Found | None = None
    layout: Layout = field(default_factory=Layout)
    heap: set[str] = field(default_factory=set)
    big: bool = False
    writes: dict[Any, Any] = field(default_factory=dict)
    settled: dict[Any, bool] = field(default_factory=dict)
    races: bool = False
    ends_tried: bool = False
    keeps_refused: bool = False
    blocks: bool = False
    runs_past: bool = False
    raced: set[str] = field(default_factory=set)
    meeting: dict[Pointer, tuple[str, ...]] = field(default_factory=dict)
    written: dict[Any, Any] = field(default_factory=dict)
    in_vain: Counter[Any] = field(default_factory=Counter)
    locks: LockWords = field(default_factory=LockWords)
    taken: set[Pointer] = field(default_factory=set)
    rewritten: Rewritten = field(default_factory=lambda: Rewritten(()))
    counts_to_reads: bool = False
    undone: Undone | None = None

    def keep(self, before: Shared) -> None:
        """Keep what was found of the code where the test was unfolded before: it is the same in each unfolding."""
        self.writes, self.written, self.heap = before.writes, before.written, before.heap
        self.heap.clear()  # the writes know it

    def is_register(self, name: str) -> bool:
        """Tell whether an object is a stack slot whose address does not leave its thread."""
        return name in self.slots and name.partition("#")[0] not in self.escaped


@dataclass(slots=True)
class Local:
    """The content of a register: its value, and the reads (event indices) on which it depends syntactically.

    For an ordering token, `tokens` are the events whose tokens have been merged into it. For the result of a
    compare-exchange, `compared` are the reads on which its second part depends besides: whether it succeeds depends on
    what it expects, too, as if a comparison told.
    """

    node: Node
    reads: frozenset[int]
    tokens: frozenset[int] = NONE
    compared: frozenset[int] = NONE


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A read-modify-write that writes what it has read.

    Parameters
    ----------
    made_by : ReadModifyWrite or CompareExchange
    read : int
        Its read, by event index.
    location : Location
    written : Local
        The value.
    addr, control, tok : frozenset of int
        What its write depends on.
    instruction : int
        Its number in the path.
    loops : tuple of (int, int)
        The loops that may wait there, as far as their iteration goes on.
    left_out : bool
        The write is left out for good.
    added : int or None
        What it adds, if it is one that another one may take back (:mod:`.undone`): that leaves memory as it was, too.
    at : Place or None
        Where it is then.
    undone : bool
        It has been taken back.
    """

    made_by: ReadModifyWrite | CompareExchange
    read: int
    location: Location
    written: Local
    addr: frozenset[int]
    control: frozenset[int]
    tok: frozenset[int]
    instruction: int
    loops: Loops
    left_out: bool = False
    added: int | None = None
    at: Place | None = None
    undone: bool = False

    @property
    def needed(self) -> frozenset[int]:
        """The reads that its write depends on."""
        return self.addr | self.control | self.written.reads | {self.read}


@dataclass(frozen=True, slots=True)
class Thrown:
    """An exception that has been thrown.

    Parameters
    ----------
    type : str
        The object that describes its type.
    destructor : str
        The function that destroys it; empty if there is none.
    flies : bool
        Whether it has not been caught since it was thrown last.
    """

    type: str
    destructor: str
    flies: bool = True

    def again(self, flies: bool) -> Thrown:
        """Give the exception as it is once it has been thrown again, or caught."""
        return Thrown(self.type, self.destructor, flies)


@dataclass
class Frame:
    """A call of a function that has not returned yet."""

    function: Function
    prefix: str
    blocks: Mapping[str, Block]
    flow: Flow
    block: Block
    position: int
    target: str | None
    loops: dict[int, LoopEntry] = field(default_factory=dict)
    """By number, the loops that have been entered. States that are copied share them: :meth:`loop` is for changes."""
    entry: frozenset[int] = NONE
    """The events whose tokens the call waits for, which ``llvm.csa.mementry`` gives."""
    call: Call | None = None
    line: int | None = None
    """Of a function of the library: the line at which what it does stands."""
    slots: tuple[str, ...] = ()
    """The stack slots that it has made."""
    marks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By stage, the current sequence of marks: how many operations of the stage had been started at each."""
    begun: int = 0
    """How many events the thread had when the call began."""
    repeats: int = 0
    """How many of the calls of the function that it is in, itself included, have made no progress in recursion."""
    attempt: object = None
    """Of a call that takes several locks (:func:`enumerator.unfold.rounds.takes_several`), the thread where it began
    (:class:`enumerator.unfold.waiting.Iteration`)."""

    def ahead(self) -> list[tuple[Instruction, ...]]:
        """Give the code of the function that may still run: that of the blocks ahead, and what is left of this one."""
        reached, stack = set[str](), [self.block]
        while stack:
            for target in targets_of(stack.pop().terminator):
                if target not in reached:
                    reached.add(target)
                    stack.append(self.blocks[target])
        here = self.block.name
        bodies = [block.body for name, block in self.blocks.items() if name in reached and name != here]
        return [*bodies, self.block.body if here in reached else self.block.body[self.position :]]

    def before_barrier(self) -> tuple[list[Instruction], bool]:
        """Give the code that may still run before the thread waits at a barrier; and whether that may be all."""
        found, ends = list[Instruction](), False
        reached, stack = set[str](), [(self.block, self.position)]
        while stack:
            block, position = stack.pop()
            for each in block.body[position:]:
                if isinstance(each, Barrier) and each.waits:
                    break
                found.append(each)
            else:
                targets = [each for each in targets_of(block.terminator) if each not in reached]
                ends = ends or not targets_of(block.terminator)
                reached.update(targets)
                stack += [(self.blocks[each], 0) for each in targets]
        return found, ends

    def loop(self, number: int) -> LoopEntry:
        """Give the progress of a loop, which may be changed: nobody else has it."""
        entry = self.loops[number] = self.loops[number].copy()
        return entry

    def copy(self) -> Frame:
        twin = object.__new__(Frame)
        twin.__dict__.update(self.__dict__)
        twin.loops = dict(self.loops)
        return twin
