"""What a function may still read of its registers and stack slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from enumerator.program.instructions import (
    Block,
    Call,
    Function,
    IndirectCall,
    Load,
    ReadModifyWrite,
    Return,
    targets_of,
)
from enumerator.unfold.live_slots import LiveSlots
from enumerator.unfold.loops import Flow
from enumerator.unfold.members import registers_in
from enumerator.unfold.ways import ways_through

__all__ = [
    "Liveness",
    "is_asked",
    "shown_registers",
    "unused_reads",
]

_NO_TESTS: Mapping[str, Set[str]] = {}


def shown_registers(function: Function, asked: Set[str] | None) -> frozenset[str]:
    """Name the registers of a function that results show.

    Parameters
    ----------
    function : Function
    asked : set of str or None
        What is asked for of a thread's registers, by names in results; None: all.

    Returns
    -------
    frozenset of str
    """
    if asked is not None and not asked:
        return frozenset()
    every = {name for block in function.blocks for part in (*block.phis, *block.body) for name in _assigned(part)}
    names = [(register, f"%{register}") for register in every] if function.shown is None else function.shown
    return frozenset(register for register, name in names if asked is None or is_asked(name, asked))


class _Taken:
    """The registers that the blocks of a function take, and assign.

    Parameters
    ----------
    function : Function

    Attributes
    ----------
    within : dict of str to list of (set of str, set of str)
        By block, from its end: what each instruction assigns, and takes.
    whole : dict of str to (set of str, set of str)
        By block, what its instructions assign, and what they take of what was there before them.
    last : dict of str to set of str
        By block, what its terminator takes.
    phis : dict of str to frozenset of str
        By block, its phis.
    passed : dict of (str, str) to list of (str, set of str)
        By two blocks, one after the other: the phis of the second one, and what they take from the first one.
    ways : mapping
        See :func:`.ways_through`.
    """

    def __init__(self, function: Function) -> None:
        self.within = {
            block.name: [(set(_assigned(each)), set(registers_in(each))) for each in reversed(block.body)]
            for block in function.blocks
        }
        self.whole: dict[str, tuple[set[str], set[str]]] = {}
        for name, instructions in self.within.items():
            every, before = set[str](), set[str]()
            for assigned, taken in instructions:
                every, before = every | assigned, (before - assigned) | taken
            self.whole[name] = every, before
        self.last = {block.name: set(registers_in(block.terminator)) for block in function.blocks}
        self.phis = {block.name: frozenset(phi.target for phi in block.phis) for block in function.blocks}
        self.passed: dict[tuple[str, str], list[tuple[str, set[str]]]] = {}
        for block in function.blocks:
            for phi in block.phis:
                for origin, value in phi.incoming:
                    passed = self.passed.setdefault((origin, block.name), [])
                    passed.append((phi.target, set(registers_in(value))))
        self.ways = ways_through(function)


class _Registers:
    """The registers that may be read before they are assigned again.

    What results show is read at the return: all registers, unless the function says which, if they are asked for. A
    phi reads where one comes from, if what it holds may be read; and from where a block decides by a phi, only what is
    on the way from there counts (:func:`.ways_through`).

    Parameters
    ----------
    function : Function
    taken : _Taken
    shown : set of str
        What results show.
    tests : mapping of str to set of str
        By block, registers that are looked at besides when it ends.

    Attributes
    ----------
    after : dict of str to frozenset of str
        By block, those that may be read from behind its phis on.
    """

    def __init__(
        self, function: Function, taken: _Taken, shown: Set[str], tests: Mapping[str, Set[str]] = _NO_TESTS
    ) -> None:
        self._taken = taken
        self._ends = {
            block.name: taken.last[block.name]
            | tests.get(block.name, frozenset())
            | (shown if isinstance(block.terminator, Return) else frozenset())
            for block in function.blocks
        }
        following = {block.name: targets_of(block.terminator) for block in reversed(function.blocks)}
        self.after = dict.fromkeys(following, frozenset[str]())
        self._coming_from = dict.fromkeys(taken.ways, frozenset[str]())
        before: tuple[object, ...] = ()
        while before != (self.after, self._coming_from):
            before = dict(self.after), dict(self._coming_from)
            for name, leads in following.items():
                self.after[name] = self._behind_phis(name, leads)
            for (origin, name), leads in taken.ways.items():
                self._coming_from[origin, name] = self._behind_phis(name, leads)

    def _behind_phis(self, name: str, leads: Iterable[str]) -> frozenset[str]:
        assigned, taken = self._taken.whole[name]
        return frozenset((self._at_end(name, leads) - assigned) | taken)

    def within(self, name: str, leads: Iterable[str]) -> Iterator[set[str]]:
        """Give what may be read from each instruction of a block on that leads somewhere, from its end backwards."""
        live = self._at_end(name, leads)
        yield live
        for assigned, taken in self._taken.within[name]:
            live = (live - assigned) | taken
            yield live

    def _at_end(self, name: str, leads: Iterable[str]) -> set[str]:
        return self._ends[name].union(*(self._entering(name, target) for target in leads))

    def _entering(self, origin: str, name: str) -> set[str]:
        """Give what may be read from where a block is entered from another one."""
        live = self._coming_from.get((origin, name), self.after[name])
        found = set(live - self._taken.phis[name])
        for phi, taken in self._taken.passed.get((origin, name), ()):
            if phi in live:
                found |= taken
        return found


class Liveness:
    """What a function may still read of its registers and stack slots, from any place in its code.

    Parameters
    ----------
    function : Function
    asked : set of str or None
        What is asked for of a thread's registers, by names in results; None: all.
    flow : Flow
        Of the function: what a branch depends on that may leave a loop is looked at there (:mod:`.loops`), which
        :meth:`at` counts as read.

    Attributes
    ----------
    registers, slots : mapping of str to frozenset of str
        What may be read from the beginning of each block on, but for what its phis read.
    phis : mapping of str to frozenset of str
        By block, its phis that may be read.
    every_slot : set of str
        The registers that hold the addresses of its stack slots.
    tracked : mapping of str to str
        The registers that hold the addresses of slots which are only loaded from and stored to, each with the slot's.
    tested : frozenset of str or None
        Those that such branches depend on, through others, too; None where that may be any, as they are given to calls.
    """

    def __init__(self, function: Function, asked: Set[str] | None, flow: Flow) -> None:
        self._tests = {
            block: {name for each in tests for name in (*each.registers, *registers_in(each.expression))}
            for block, tests in flow.tests.items()
        }
        self._blocks = {block.name: block for block in function.blocks}
        self._shown = shown_registers(function, asked)
        calls = any(isinstance(each, Call | IndirectCall) for each in function.instructions)
        self.tested = None if calls else frozenset().union(*self._tests.values())
        taken = _Taken(function)
        registers = _Registers(function, taken, self._shown)
        self._looked_at = _Registers(function, taken, self._shown, self._tests) if self._tests else registers
        after = registers.after
        self.registers = {name: after[name] - taken.phis[name] for name in after}
        self.phis = {name: after[name] & taken.phis[name] for name in after}
        self._slots = LiveSlots(function)
        self.slots = {block.name: self._slots.named(self._slots.before[block.name]) for block in function.blocks}
        self.every_slot: Set[str] = self._slots.slots.keys()
        self.tracked = self._slots.tracked
        self._known: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}

    def at(self, block: str, position: int) -> tuple[tuple[str, ...], frozenset[str]]:
        """Give the registers and the slots that may be read from an instruction of a block on.

        Parameters
        ----------
        block : str
        position : int
            The instruction's place in the block; its terminator comes last.

        Returns
        -------
        tuple of str, frozenset of str
        """
        if block not in self._known:
            self._known[block] = list(self._of_block(self._blocks[block]))[::-1]
        return self._known[block][position]

    def _of_block(self, block: Block) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
        """Give what may be read from each instruction of a block on, from its terminator backwards."""
        leads = targets_of(block.terminator)
        registers = self._looked_at.within(block.name, leads)
        slots = self._slots.after(leads)
        yield tuple(sorted(next(registers))), self._slots.named(slots)
        for instruction, live in zip(reversed(block.body), registers, strict=True):
            slots = self._slots.ahead_of(instruction, slots)
            yield tuple(sorted(live)), self._slots.named(slots)


def unused_reads(functions: Iterable[Function]) -> list[Load | ReadModifyWrite]:
    """Find the loads and read-modify-writes of which no instruction uses what they read.

    Parameters
    ----------
    functions : iterable of Function

    Returns
    -------
    list of Load or ReadModifyWrite
    """
    found = list[Load | ReadModifyWrite]()
    for function in functions:
        parts = [part for block in function.blocks for part in block.parts]
        used = {name for part in parts for name in registers_in(part)}
        found += [part for part in parts if isinstance(part, Load | ReadModifyWrite) and part.target not in used]
    return found


def is_asked(name: str, asked: Set[str]) -> bool:
    """Tell whether a register may be asked for, maybe a part of it, or as one of a call."""
    called = "." + name.removeprefix("%")
    return any(each == name or each.endswith(called) for each in (whole.partition("[")[0] for whole in asked))


def _assigned(part: object) -> Iterator[str]:
    target = getattr(part, "target", None)
    if isinstance(target, str):
        yield target
