"""The state of a thread in symbolic execution: its registers, its events so far, and how it splits into branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from enumerator.errors import InputError
from enumerator.program.instructions import HIDDEN, Annotation, Constant, Expression, Instruction, Register
from enumerator.program.test import RETURNED, Thread
from enumerator.program.types import Type
from enumerator.program.values import UNDEF, Pointer, Undef, Value
from enumerator.unfold.arithmetic import agrees, evaluate
from enumerator.unfold.lock_words import only_tries
from enumerator.unfold.nodes import compute, excluded
from enumerator.unfold.paths import Known, Leaving, Location, Node, Path, PathEvent, ReadValue, unsequenced
from enumerator.unfold.slots import SlotEscapes, Slots, keep_in_memory
from enumerator.unfold.state import AGAIN, NONE, SAYS_END, Frame, Local, Shared, Thrown, Unchanged
from enumerator.unfold.undone import NotUndone, ends_open
from enumerator.unfold.untold import Untold

__all__ = ["ThreadState"]

_TOKEN = Known(UNDEF)
_LOW = 1 << 12
_ALONE = 1000
"""Iterations without progress before the first thread creates others: more, and the loop never ends."""
"""The content of a register that is an ordering token: it has no value."""


class ThreadState:
    """A thread part of the way along a path.

    Parameters
    ----------
    thread : Thread
    shared : Shared

    Attributes
    ----------
    events, conditions, end, end_line, waiting, leaving, found_by :
        Of the path so far, see :class:`~enumerator.unfold.paths.Path`; `end` is None while the thread runs.
    returned : Node or None
        What the thread has returned.
    registers : dict of str to Local
        By name, with the prefix of the call that they belong to.
    control : frozenset of int
        The reads on which reaching the present instruction depends.
    newly : frozenset of int
        Those on which decisions since the last event depend.
    instruction : int
        The number of the present instruction, which no other one with events in the path has.
    frames : list of Frame
        The functions that are active, the innermost last.
    tried : bool
        An attempt could have been left out but for what races with the data it has read (:mod:`.retries`).
    spurious : tuple of (Node, Local)
        Of the weak cmpxchg that failed although the values are equal: what it read, and what it expected.
    input, output : frozenset of int
        The events whose ordering tokens the next instruction waits for, and those that the last one has produced.
    channels : dict of int to frozenset of int
        By instruction, all tokens that it has ever produced: a channel delivers in order.
    created : tuple of Thread
        The threads that it has created.
    hidden : set of str
        The prefixes of registers that results do not show: those of functions of the library.
    asynchronous : frozenset of int
        The accesses, by event index, that are in no program order with the rest.
    copying : int or None
        The event of the start of the asynchronous operation whose accesses are made just now.
    started : mapping of int to tuple of frozenset of int
        By stage: the accesses of each asynchronous operation so far.
    left : Leaving or None
        What its return depends on, once it has returned and only has to say so.
    exceptions : mapping of str to Thrown
        The exceptions that it has thrown, by their objects.
    caught : tuple of str
        Those that are being handled, the innermost last.
    landed : tuple of (str, int) or None
        The exception that has led to a landing pad, and its number there.
    unchanged : Unchanged or None
        The read-modify-write in a loop that has changed nothing, whose write is not there (yet)
        (:mod:`enumerator.unfold.unchanged`).
    kept : frozenset of int
        The writes, by event index, that change nothing.
    undoing : Unchanged or None
        What has added something in a loop, if it is not known yet whether that takes it back (:mod:`.undone`).
    held : mapping of Pointer to int
        How often it holds locks, by their addresses.
    tries : frozenset of int
        The reads, by event index, of attempts at locks that may yet be left out if they have failed (:mod:`.rounds`).
    met : bool
        It stands at a barrier of its workgroup, and it is open whether it ever leaves that (:mod:`.missed`).
    late : bool
        Its last wait with a limit has ended with that, and no clock has said so yet.
    certain : dict of int to Value
        What reads return whose value is certain: while the threads are sought that others create, and in a replay.
    untold : Untold
        What it has said of the objects that it has made, as far as that was asked.
    """

    def __init__(self, thread: Thread, shared: Shared) -> None:
        self.thread = thread
        self.shared = shared
        self.events: list[PathEvent] = []
        self.conditions: list[tuple[Node, Value]] = []
        self.registers: dict[str, Local] = {}
        self.control = NONE
        self.newly = NONE
        self.instruction = 0
        self.arrivals = 0
        self.waits = 0
        self.calls: dict[str, int] = {}
        self.allocas: dict[str, int] = {}
        self.slots = Slots()
        self.steps = 0
        self.frames: list[Frame] = []
        self.end: str | None = None
        self.end_line: int | None = None
        self.waiting = NONE
        self.spurious: tuple[tuple[Node, Local], ...] = ()
        self.tried = False
        self.leaving = Leaving()
        self.returned: Node | None = None
        self.found_by = NONE
        self.input = NONE
        self.output = NONE
        self.channels: dict[int, frozenset[int]] = {}
        self.created: tuple[Thread, ...] = ()
        self.hidden: set[str] = set()
        self.left: Leaving | None = None
        self.unchanged: Unchanged | None = None
        self.kept = NONE
        self.undoing: Unchanged | None = None
        self.held: Mapping[Pointer, int] = {}
        self.tries = NONE
        self.met = False
        self.late = False
        self.certain: dict[int, Value] = {}
        self.untold = Untold()
        self.asynchronous = NONE
        self.copying: int | None = None
        self.exceptions: Mapping[str, Thrown] = {}
        self.caught: tuple[str, ...] = ()
        self.landed: tuple[str, int] | None = None
        self.started: Mapping[int, tuple[frozenset[int], ...]] = {}

    def copy(self) -> ThreadState:
        twin = object.__new__(ThreadState)
        twin.__dict__.update(self.__dict__)
        twin.events = list(self.events)
        twin.conditions = list(self.conditions)
        twin.registers = dict(self.registers)
        twin.calls = dict(self.calls)
        twin.allocas = dict(self.allocas)
        twin.slots = self.slots.copy()
        twin.channels = dict(self.channels)
        twin.certain = dict(self.certain)
        twin.hidden = set(self.hidden)
        twin.frames = [frame.copy() for frame in self.frames]
        return twin

    def path(self) -> Path:
        """Give the path of a thread that has ended."""
        return Path(
            self.thread.name,
            tuple(self.events),
            tuple(self.conditions),
            self._results(),
            self.end or "return",
            self.end_line,
            self.waiting,
            self.leaving,
            self.found_by,
            tried=self.tried,
        )

    def _results(self) -> dict[str, Node]:
        """Give the final registers by their names in results; while threads are sought, nobody asks for them."""
        if self.shared.found is not None:
            return {}
        shown = self.shared.functions[self.thread.function].shown
        if shown is None:
            hidden = tuple(self.hidden)
            found = {
                f"%{name}": local.node
                for name, local in self.registers.items()
                if local.node is not _TOKEN and not name.startswith(hidden) and HIDDEN not in name
            }
            return found if self.returned is None else {**found, RETURNED: self.returned}
        return {name: self.registers[register].node for register, name in shown if register in self.registers}

    def finish(self, end: str, line: int | None) -> None:
        unchanged = self.unchanged
        waits = end == "stuck" and (unchanged is None or unchanged.added is None or unchanged.undone)
        if unchanged is not None and end != AGAIN and not waits:
            if unchanged.left_out:
                self.give_up(unchanged)
                return
            self.keep()
        # What an attempt has read may be undef, which says nothing of the lock.
        asks = self.frames and only_tries(self.frames[-1].function)
        self.note_failed(frozenset(each for each in self.tries if not asks or each < self.frames[-1].begun))
        if self.frames and self.frames[-1].function.library:
            line = self.frames[-1].line
        self.end, self.end_line = end, line

    def note_failed(self, tries: frozenset[int]) -> None:
        """Note those of some attempts at locks that have failed: the thread acts on it that these locks were held.

        Raises
        ------
        SlotEscapes
            Where it was taken for granted that nobody does.
        """
        self.tries -= tries
        if tries:
            taken = {event.rmw for event in self.events[min(tries) :] if event.kind == "W"}
            for read in tries - taken:
                location = self.events[read].location
                if location is not None and self.shared.locks.tries(location):
                    raise SlotEscapes

    def give_up(self, unchanged: Unchanged) -> None:
        """End a path on which a write was left out, and that does not come back as it was.

        Raises
        ------
        NotUndone
            Where that is none, as the write has been taken back.
        """
        if unchanged.undone and unchanged.at is not None:
            raise NotUndone(unchanged.at)
        self.end, self.end_line = AGAIN, None

    def owns(self, made: PathEvent | str) -> bool:
        """Tell whether an object, or that which an event accesses, is one that the thread has made."""
        if isinstance(made, str):
            return made.startswith(f"{self.thread.name}:%")
        return made.location is not None and self.owns(made.location.object)

    @property
    def bound(self) -> int:
        """How many iterations a loop may have without progress.

        More before the first thread of a program creates others, and where what it has read is certain while such
        threads are sought: it goes one way, as nobody else changes what it reads.
        """
        shared, creates = self.shared, self.shared.creations or self.shared.found is not None
        alone = creates and not self.created and shared.text.begins_alone(self.thread)
        alone = alone or (shared.found is not None and self.control <= self.certain.keys())
        return max(shared.unroll, _ALONE) if alone else shared.unroll

    def error(self, message: str, line: int | None) -> InputError:
        return InputError(message, self.shared.path, line)

    # Registers and tokens

    def value(self, expression: Expression) -> Local:
        # By type, not by patterns: a thread does this most of the time.
        if isinstance(expression, Register):
            name = expression.name
            if name.startswith("%"):
                return Local(Known(self.shared.text.identities[self.thread.name][name]), NONE)
            return self.registers.get(self.frames[-1].prefix + name) or Local(Known(UNDEF), NONE)
        if isinstance(expression, Constant):
            return Local(Known(expression.value), NONE)
        locals_ = [self.value(argument) for argument in expression.arguments]
        nodes = tuple([local.node for local in locals_])
        made = compute(expression.operator, nodes, expression.type, expression.operand_type, expression.indices)
        if isinstance(made, Known) and isinstance(made.value, int) and not -_LOW < made.value < _LOW:
            for node in nodes:  # an address of which more is in the number than what all have in common
                keep_in_memory(self.shared, self.slots, node)
        reads = NONE.union(*[local.reads for local in locals_])
        if locals_ and locals_[0].compared and expression.operator == "extractvalue" and expression.indices == (1,):
            reads |= locals_[0].compared
        return Local(made, reads)

    def full_name(self, register: str) -> str:
        return self.frames[-1].prefix + register

    def assign(self, register: str, node: Node, reads: frozenset[int]) -> None:
        self.registers[self.full_name(register)] = Local(node, reads)

    def assign_token(self, register: str, tokens: frozenset[int]) -> None:
        self.registers[self.full_name(register)] = Local(_TOKEN, NONE, tokens)

    def tokens(self, expression: Expression) -> frozenset[int]:
        """Give the events that an ordering token waits for; a data value waits for its reads."""
        local = self.value(expression)
        return local.tokens | local.reads

    def produce(self, instruction: Instruction, events: frozenset[int]) -> None:
        """End an instruction that may wait for a token and produce one, which waits for these events."""
        self.input = NONE
        self.output = self.channels.get(id(instruction), NONE) | events
        self.channels[id(instruction)] = self.output

    # Events

    def emit(self, kind: str, annotation: Annotation, line: int | None, **details: Any) -> int:
        """Add an event of the present instruction; give its index."""
        if self.frames and self.frames[-1].function.library:
            line = self.frames[-1].line
        newly, self.newly = self.newly, NONE
        event = PathEvent(kind, annotation, self.instruction, ctrl=self.control, newly=newly, line=line, **details)
        if annotation.operands:
            event = replace(event, unsequenced=unsequenced(event, self.events))
        if self.copying is not None:
            number = len(self.events)
            event = replace(event, unsequenced=frozenset(range(number)), started=frozenset((self.copying,)))
            self.asynchronous |= {number}
        elif self.asynchronous:
            event = replace(event, unsequenced=event.unsequenced | self.asynchronous)
        self.events.append(event)
        if self.undoing is not None and ends_open(event):
            self.undoing = None
        self.shared.rewritten.note(self.thread, self.created, event)
        if self.shared.undone is not None and (place := self.shared.undone.look_at(event)) is not None:
            if not (self.shared.text.begins_alone(self.thread) and all(map(self.has_seen_end, self.created))):
                raise NotUndone(place)
        return len(self.events) - 1

    def has_seen_end(self, other: Thread) -> bool:
        """Tell whether the thread has waited for the end of another one that was created."""
        said = {
            index
            for index, event in enumerate(self.events)
            if event.location is not None and (event.location.object, event.location.offset) == (other.handle, SAYS_END)
        }
        return any(
            len(node.reads) == 1 and node.reads <= said and evaluate(node, lambda _: 0) != value
            for node, value in self.conditions
        )

    def end_instruction(self) -> None:
        """Begin another instruction: its number is that of the first event that it may add."""
        self.instruction = len(self.events)

    def decide_by(self, reads: frozenset[int]) -> None:
        """Let all that follows depend on some reads, as a decision does."""
        self.control |= reads
        self.newly |= reads

    def keep(self) -> None:
        """Add the write of the read-modify-write that has changed nothing, in its place."""
        unchanged = self.unchanged
        assert unchanged is not None
        self.unchanged = None
        read, now = self.events[unchanged.read], (self.control, self.newly, self.instruction)
        self.control, self.newly, self.instruction = unchanged.control, NONE, unchanged.instruction
        write = self.emit(
            "W",
            read.annotation,
            read.line,
            location=unchanged.location,
            value=unchanged.written.node,
            addr=unchanged.addr,
            data=unchanged.written.reads,
            tok=unchanged.tok,
            rmw=unchanged.read,
        )
        self.events[write] = replace(self.events[write], line=read.line)
        self.control, self.newly, self.instruction = now
        if unchanged.added is None:
            self.kept |= {write}
        else:
            self.undoing = unchanged

    def node(self, event: int) -> Node:
        """Give the value that an event reads or writes."""
        node = self.events[event].value
        assert node is not None
        return node

    def read_at(self, event: int) -> tuple[Location, Type | None]:
        """Give the location and type of a read."""
        read = self.events[event]
        assert read.location is not None and isinstance(read.value, ReadValue)
        return read.location, read.value.type

    # Splitting

    def possible(self, node: Node, offered: Sequence[Value] | None = None) -> list[Value] | None:
        """Give the values that a node may have; None for any value."""
        if isinstance(node, Known):
            return [node.value]
        if (told := self.told(node, offered)) is not None:
            return [told]
        self.shared.guessed = True
        if self.shared.found is not None:
            self.shared.found.asks = True
        return self.shared.domains.values(node, self.read_at)

    def told(self, node: Node, offered: Sequence[Value] | None = None) -> Value | None:
        """Give the value that a node has where a step is told which, or the value is certain."""
        if self.shared.decisions is not None:
            return self.shared.decisions.value(self, node, offered)
        if self.certain and node.reads and node.reads <= self.certain.keys():
            return evaluate(node, self.certain.__getitem__)
        return None

    def decided(self, node: Node) -> Value | None:
        """Give the value that a node has because the path rests on it."""
        return next((value for known, value in reversed(self.conditions) if known is node), None)

    def split(self, node: Node, offered: list[Value], *, control: bool = False) -> list[tuple[ThreadState, Value]]:
        """Make a branch for each offered value that a node may have; the value becomes a condition of its path.

        An uninterpreted value (:class:`Term`) may be any of those offered. With `control`, the value decides on control
        flow. The domains then rule out undef only, as the write that the value comes from may exist only on a path
        where the value is read. The state itself is the last branch, so that nothing is copied where there is one.
        """
        if isinstance(node, Known):
            agreeing = [value for value in offered if agrees(node.value, value)]
            return list(zip(self._twins(len(agreeing)), agreeing, strict=True))
        told = self.told(node, offered)
        kept = control and told is None and not self.is_fixed(node)
        possible = None if kept and self.shared.found is not None else self.possible(node, offered)
        chosen = [
            value
            for value in offered
            if possible is None
            or (kept and not isinstance(value, Undef) and not excluded(node, value))
            or any(agrees(found, value) for found in possible)
        ]
        if self.shared.decisions is not None:
            self.shared.decisions.branched |= len(chosen) > 1
        branches = []
        for branch, value in zip(self._twins(len(chosen)), chosen, strict=True):
            branch.conditions.append((node, value))
            if not kept or (isinstance(value, Undef) and not self._may_be_undef(node)):
                branch.found_by |= node.reads
            branches.append((branch, value))
        return branches

    def _twins(self, count: int) -> list[ThreadState]:
        """Give so many equal states, of which this is the last one."""
        return [*(self.copy() for _ in range(count - 1)), self] if count else []

    def is_fixed(self, node: Node) -> bool:
        """Tell whether a value is the same in all executions."""
        return all(self.shared.domains.is_fixed(self.read_at(read)[0]) for read in node.reads)

    def _may_be_undef(self, node: Node) -> bool:
        """Tell whether one of the reads of a node may return undef by a rule of the model, whatever was written."""
        return any(self.shared.domains.may_be_undef(self.read_at(read)[0]) for read in node.reads)
