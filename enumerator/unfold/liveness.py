"""What a function may still read of its registers and stack slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass

from enumerator.program.instructions import (
    Alloca,
    Annotation,
    Assign,
    Block,
    Call,
    CompareExchange,
    Constant,
    Function,
    IndirectCall,
    Instruction,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    targets_of,
)
from enumerator.program.types import store_size
from enumerator.unfold.loops import Flow
from enumerator.unfold.ways import ways_through

__all__ = [
    "Liveness",
    "is_asked",
    "live_slots",
    "members_of",
    "registers_in",
    "shown_registers",
    "slot_addresses",
    "slots_of",
    "unused_loads",
]

_NO_TESTS: Mapping[str, Set[str]] = {}
_MEMBERS: dict[type, tuple[str, ...]] = {}
_TAKERS: dict[type, tuple[str, ...]] = {}
_HOLDERS = "Expression", "Phi", "Instruction", "Terminator", "Block"


def slots_of(function: Function) -> dict[str, Alloca]:
    """Give the instructions of a function that make stack slots, by their registers."""
    return {
        instruction.target: instruction
        for block in function.blocks
        for instruction in block.body
        if isinstance(instruction, Alloca)
    }


def slot_addresses(function: Function) -> dict[str, str]:
    """Give the registers that hold the addresses of stack slots, in whichever type, each with that of the slot."""
    slots = slots_of(function)
    return dict(_aliases(function, slots)) | {name: name for name in slots}


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
    every = {name for block in function.blocks for part in (*block.phis, *block.body) for name in _assigned(part)}
    names = [(register, f"%{register}") for register in every] if function.shown is None else function.shown
    return frozenset(register for register, name in names if asked is None or is_asked(name, asked))


def live_slots(function: Function) -> Mapping[str, frozenset[str]]:
    """Find the stack slots that may be read before they are written again, from the beginning of each block.

    Parameters
    ----------
    function : Function

    Returns
    -------
    mapping of str to frozenset of str
        By block, the registers that hold their addresses. A slot whose address is used in another way than by a load or
        store of all of it, or by a call that it is lent to, is live everywhere.
    """
    slots, aliases = slots_of(function), slot_addresses(function)
    if not slots:
        return {block.name: frozenset() for block in function.blocks}
    used: dict[str, set[str]] = {}
    killed: dict[str, set[str]] = {}
    for block in function.blocks:
        used[block.name], killed[block.name] = set(), set()
        for instruction in block.body:
            _note(instruction, slots, aliases, set(), used[block.name], killed[block.name])
    live, always = _backwards(function, used, killed), _always_live(function)
    return {name: held | always for name, held in live.items()}


def _always_live(function: Function) -> frozenset[str]:
    """Give the stack slots whose addresses are used in other ways."""
    slots, aliases = slots_of(function), slot_addresses(function)
    always: set[str] = set()
    if not slots:
        return frozenset()
    for block in function.blocks:
        for instruction in block.body:
            _note(instruction, slots, aliases, always, set(), set())
        always.update(_meant((block.phis, block.terminator), aliases))
    return frozenset(always)


class _Taken:
    """The registers that the blocks of a function take, and assign.

    Parameters
    ----------
    function : Function

    Attributes
    ----------
    within : dict of str to list of (set of str, set of str)
        By block, from its end: what each instruction assigns, and takes.
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
        self.last = {block.name: set(registers_in(block.terminator)) for block in function.blocks}
        self.phis = {block.name: frozenset(phi.target for phi in block.phis) for block in function.blocks}
        self.passed: dict[tuple[str, str], list[tuple[str, set[str]]]] = {}
        for block in function.blocks:
            for phi in block.phis:
                for origin, value in phi.incoming:
                    taken = self.passed.setdefault((origin, block.name), [])
                    taken.append((phi.target, set(registers_in(value))))
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
        *_, first = self.within(name, leads)
        return frozenset(first)

    def within(self, name: str, leads: Iterable[str]) -> Iterator[set[str]]:
        """Give what may be read from each instruction of a block on that leads somewhere, from its end backwards."""
        live = self._ends[name].union(*(self._entering(name, target) for target in leads))
        yield live
        for assigned, taken in self._taken.within[name]:
            live = (live - assigned) | taken
            yield live

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
        self.registers, self.slots = {name: after[name] - taken.phis[name] for name in after}, live_slots(function)
        self.phis = {name: after[name] & taken.phis[name] for name in after}
        self._always, self._slots, self._aliases = _always_live(function), slots_of(function), slot_addresses(function)
        self.every_slot: Set[str] = self._slots.keys()
        self.tracked = {name: slot for name, slot in self._aliases.items() if slot not in self._always}
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
        slots = set[str](self._always).union(*(self.slots[target] for target in leads))
        yield tuple(sorted(next(registers))), frozenset(slots)
        for instruction, live in zip(reversed(block.body), registers, strict=True):
            if self._slots:
                used, killed = set[str](), set[str]()
                _note(instruction, self._slots, self._aliases, set(), used, killed)
                slots = (slots - killed) | used | self._always
            yield tuple(sorted(live)), frozenset(slots)


def unused_loads(functions: Iterable[Function]) -> frozenset[tuple[Annotation, int | None]]:
    """Find the loads of which no instruction uses what they read.

    Parameters
    ----------
    functions : iterable of Function

    Returns
    -------
    frozenset of (Annotation, int or None)
        What says in events which instruction they are of: no other one that reads says the same.
    """
    found: set[tuple[Annotation, int | None]] = set()
    others: set[tuple[Annotation, int | None]] = set()
    for function in functions:
        parts = [part for block in function.blocks for part in (*block.phis, *block.body, block.terminator)]
        used = {name for part in parts for name in registers_in(part)}
        for part in parts:
            if isinstance(part, Load | ReadModifyWrite | CompareExchange):
                unused = isinstance(part, Load) and part.target not in used
                (found if unused else others).add((part.annotation, part.line))
    return frozenset(found - others)


def is_asked(name: str, asked: Set[str]) -> bool:
    """Tell whether a register may be asked for, maybe a part of it, or as one of a call."""
    called = "." + name.removeprefix("%")
    return any(each == name or each.endswith(called) for each in (whole.partition("[")[0] for whole in asked))


def _assigned(part: object) -> Iterator[str]:
    target = getattr(part, "target", None)
    if isinstance(target, str):
        yield target


def _backwards(
    function: Function, used: Mapping[str, set[str]], killed: Mapping[str, set[str]]
) -> dict[str, frozenset[str]]:
    """Give what is live at the beginning of each block: what it uses, and what is live behind it and not killed."""
    live = {block.name: frozenset(used[block.name]) for block in function.blocks}
    again = True
    while again:
        again = False
        for block in reversed(function.blocks):
            after = frozenset[str]().union(*(live[target] for target in targets_of(block.terminator)))
            before = live[block.name] | (after - killed[block.name])
            again |= before != live[block.name]
            live[block.name] = before
    return live


def _aliases(function: Function, slots: Mapping[str, Alloca]) -> Iterator[tuple[str, str]]:
    """Give the registers that hold the address of a slot in another type, each with that of the slot."""
    for block in function.blocks:
        for instruction in block.body:
            match instruction:
                case Assign(target, Operation("addrspacecast" | "bitcast", (Register(name),))) if name in slots:
                    yield target, name


def _meant(part: object, aliases: Mapping[str, str]) -> set[str]:
    return {aliases[name] for name in registers_in(part) if name in aliases}


def _note(
    instruction: Instruction,
    slots: Mapping[str, Alloca],
    aliases: Mapping[str, str],
    always: set[str],
    used: set[str],
    killed: set[str],
) -> None:
    match instruction:
        case Load(address=Register(name)) if name in aliases:
            if aliases[name] not in killed:
                used.add(aliases[name])
        case Store(address=Register(name)) if name in aliases:
            always.update(_meant(instruction.value, aliases))
            # The types may differ: clang copies a pointer that is read atomically as an integer.
            slot = slots[aliases[name]]
            if store_size(instruction.type) >= slot.count * store_size(slot.type):
                killed.add(aliases[name])
        case Alloca():
            pass
        case Assign(target) if target in aliases:
            pass
        case Call(lends=True):
            used.update(_meant(instruction, aliases) - killed)
        case _:
            always.update(_meant(instruction, aliases))


def registers_in(part: object) -> list[str]:
    """Name the registers that an instruction, or a part of one, takes.

    Parameters
    ----------
    part : object

    Returns
    -------
    list of str
    """
    found: list[str] = []
    stack = [part]
    while stack:
        each = stack.pop()
        kind = type(each)
        if kind is Register:
            found.append(each.name)  # type: ignore[attr-defined]
        elif kind is Operation:
            stack += each.arguments  # type: ignore[attr-defined]
        elif kind is tuple:
            stack += each  # type: ignore[arg-type]
        else:
            stack += [getattr(each, name) for name in _takers(kind)]
    return found


def _takers(kind: type) -> tuple[str, ...]:
    """Name the fields of a dataclass that may hold expressions."""
    names = _TAKERS.get(kind)
    if names is None:
        members = fields(kind) if is_dataclass(kind) and kind is not Constant else ()
        names = tuple(each.name for each in members if any(part in str(each.type) for part in _HOLDERS))
        _TAKERS[kind] = names
    return names


def members_of(kind: type) -> tuple[str, ...]:
    """Name the fields of a dataclass; of another type none.

    Parameters
    ----------
    kind : type

    Returns
    -------
    tuple of str
    """
    found = _MEMBERS.get(kind)
    if found is None:
        found = _MEMBERS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return found
