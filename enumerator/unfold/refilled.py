"""Memory that each iteration of a loop writes anew before anybody reads what an iteration before has left in it.

A snapshot is taken of what others write, twice, and again until both are the same. What an attempt has found stands in
the arrays at the beginning of the next one, which nobody reads. Where an element is written whose number is computed,
the text alone does not say which: so the code is followed with the values that are known whatever is read
(:mod:`.ahead`). The same holds of plain data that an attempt has written, if the next one writes it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import field
from typing import ClassVar

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Abort,
    Alloca,
    Assign,
    Block,
    Call,
    CompareExchange,
    Expression,
    Fence,
    Instruction,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Terminator,
    targets_of,
)
from enumerator.program.types import store_size
from enumerator.program.values import Pointer
from enumerator.unfold.ahead import Ahead, Held, Untold, content_of, held_in, slots_like_registers
from enumerator.unfold.members import registers_in
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import Frame, Local, Shared
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.ways import value_of

__all__ = ["overwrites", "refilled"]

_Cells = frozenset[Location]

_MOST_CALLS = 4
"""So many calls in each other are followed."""


# Arrays in stack slots --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Somewhere:
    """An address in an object, it is not known where."""

    object: str


def refilled(
    state: ThreadState, frame: Frame, header: str, carried: Iterable[Local], places: Iterable[Location]
) -> frozenset[Location]:
    """Give those of some places in stack slots that a call writes again before it reads them.

    Parameters
    ----------
    state : ThreadState
        At the end of an iteration.
    frame : Frame
        The innermost call.
    header : str
        The block that it goes on with.
    carried : iterable of Local
        What the phis of that are about to hold.
    places : iterable of Location
        Of slots that may be read.

    Returns
    -------
    frozenset of Location
    """
    liveness = state.shared.text.liveness(frame.function)
    tracked = {f"{state.thread.name}:%{frame.prefix}{each}" for each in liveness.tracked.values()}
    cells: dict[str, set[Location]] = {}
    for place in places:
        mine = place.object in frame.slots and place.object.partition("#")[0] not in tracked
        if mine and state.shared.is_register(place.object):
            cells.setdefault(place.object, set()).add(place)
    if not cells or frame is not state.frames[-1]:
        return frozenset()
    phis, live = frame.blocks[header].phis, state.shared.text.live(frame.function)[0][header]
    held = held_in(state, frame, live, set(liveness.tracked.values()))
    for phi, local in zip(phis, carried, strict=True):
        held[phi.target] = local.node.value if isinstance(local.node, Known) else None
    walk = _Refills(frame, liveness.tracked, (liveness.registers, liveness.slots), state.shared)
    found = (frozenset(each) for each in cells.values())
    return frozenset[Location]().union(*(each for each in found if walk.follow(frame.blocks[header], 0, held, each)))


@dataclass(eq=False)
class _Refills(Ahead):
    """Looks for a way on which cells of a slot may be read before they are written.

    Parameters
    ----------
    shared : Shared
    depth : int
        Of how many calls, of those on the way, the code belongs to the innermost.

    Attributes
    ----------
    left : set of Location
        Those that are not written where it returns.
    """

    most_blocks: ClassVar[int] = 64
    shared: Shared
    depth: int = 0
    left: set[Location] = field(default_factory=set)

    def keeps(self, value: object) -> bool:
        return isinstance(value, int | _Somewhere) or (isinstance(value, Pointer) and bool(value.object))

    def value(self, expression: Expression, held: Held) -> object:
        value = value_of(expression, held)
        if value is not None:
            return value
        while isinstance(expression, Operation) and expression.operator == "ptradd":
            expression = expression.arguments[0]
            base = value_of(expression, held)
            if isinstance(base, Pointer) and base.object:
                return _Somewhere(base.object)
        found = held.get(expression.name) if isinstance(expression, Register) else None
        return found if isinstance(found, _Somewhere) else None

    def passes(self, block: Block, first: int, held: Held, cells: _Cells) -> _Cells | None:
        for each in block.body[first:]:
            if self.slot(each) is None:
                cells = self._left_by(each, cells, held)
            self.runs(each, held)
        if isinstance(block.terminator, Return):
            self.left |= cells
        return cells or None

    def _left_by(self, instruction: Instruction, stale: _Cells, held: Held) -> _Cells:
        """Give the cells that are left once an instruction has run."""
        match instruction:
            case Assign() | Fence() | Alloca():
                return stale
            case Call() if self.depth < _MOST_CALLS:
                return self._left_by_call(instruction, stale, held)
            case Abort():
                return frozenset()
            case Store(address=address, type=type_):
                place = self.value(address, held)
                return _not_covered(stale, place, store_size(type_)) if isinstance(place, Pointer) else stale
            case Load(type=type_) | ReadModifyWrite(type=type_) | CompareExchange(type=type_):
                place = self.value(instruction.address, held)
                if isinstance(place, _Somewhere) and all(each.object != place.object for each in stale):
                    return stale
                if isinstance(place, Pointer) and not _looks_at(place, store_size(type_), stale):
                    return stale
        raise Untold

    def _left_by_call(self, call: Call, stale: _Cells, held: Held) -> _Cells:
        """Give the cells that are left once a called function has returned."""
        function, text = self.shared.functions.get(call.function), self.shared.text
        if function is None:
            raise Untold
        blocks = {block.name: block for block in function.blocks}
        frame = Frame(function, "", blocks, text.flow(function), function.blocks[0], 0, None)
        liveness = text.liveness(function)
        walk = _Refills(frame, liveness.tracked, (liveness.registers, liveness.slots), self.shared, self.depth + 1)
        given = {name: self.value(each, held) for name, each in zip(function.parameters, call.arguments, strict=False)}
        if not walk.follow(frame.block, 0, given, stale):
            raise Untold
        return frozenset(walk.left)


# What an attempt has written --------------------------------------------------------------------------------------


def overwrites(state: ThreadState, frame: Frame, header: str, cells: frozenset[Location], own: Set[str]) -> bool:
    """Tell whether a call overwrites cells before anybody may look at them.

    Parameters
    ----------
    state : ThreadState
        At the end of an attempt.
    frame : Frame
    header : str
        The block that it goes on with, behind its phis.
    cells : frozenset of Location
    own : set of str
        The objects of cells whose addresses stand nowhere but in registers of the call, and in its slots that are like
        registers.

    Returns
    -------
    bool
    """
    told = own if all(each.object in own for each in cells) else None  # what other registers hold is no matter then
    text, slots = state.shared.text, slots_like_registers(state, frame)
    live, live_slots = (each[header] for each in text.live(frame.function))
    held = held_in(state, frame, live, live_slots if slots else frozenset())
    liveness = text.liveness(frame.function)
    walk = _Overwrites(frame, slots, (liveness.registers, liveness.slots), own, told)
    return walk.follow(frame.blocks[header], 0, held, cells)


@dataclass(eq=False)
class _Overwrites(Ahead):
    """Looks for a way on which somebody may look at cells before they are overwritten, or find them.

    Parameters
    ----------
    own : set of str
        The objects whose addresses nobody else may get.
    told : set of str or None
        The objects whose addresses are followed; None: all.
    """

    own: Set[str]
    told: Set[str] | None

    def keeps(self, value: object) -> bool:
        return isinstance(value, Pointer) and bool(value.object) and (self.told is None or value.object in self.told)

    def value(self, expression: Expression, held: Held) -> Pointer | None:
        place = _place(expression, held)
        if place is None and self._names(expression, held):
            raise Untold
        return place

    def result(self, instruction: Instruction, held: Held) -> object:
        slot = self.slot(instruction)
        if not isinstance(instruction, Load) or slot is None:
            return super().result(instruction, held)
        content = content_of(slot, instruction.type)
        if any(self._is_own(held[name]) for name in self.contents(slot, held) if name != content):
            raise Untold
        return held.get(content)

    def leads(self, end: Terminator, held: Held) -> tuple[str, ...]:
        return targets_of(end)  # no conditions are followed

    def passes(self, block: Block, first: int, held: Held, cells: _Cells) -> _Cells | None:
        for each in block.body[first:]:
            if self.slot(each) is None:
                cells = self._left_by(each, cells, held)
            self.runs(each, held)
            if not cells:
                return None
        hidden = all(each.object in self.own for each in cells)
        if self._names(block.terminator, held) or not (targets_of(block.terminator) or hidden):
            raise Untold
        return cells

    def _left_by(self, instruction: Instruction, stale: _Cells, held: Held) -> _Cells:
        """Give the cells that are left once an instruction has run."""
        match instruction:
            case Assign() | Fence():
                return stale
            case Store(address=address, value=value, type=type_):
                if self._names(value, held):
                    raise Untold
                place = self.value(address, held)
                return stale if place is None else _not_covered(stale, place, store_size(type_))
            case (
                Load(address=address, type=type_)
                | ReadModifyWrite(address=address, type=type_)
                | CompareExchange(address=address, type=type_)
            ):
                place = _place(address, held)
                if place is not None and (isinstance(instruction, Load) or not self._names(instruction, held)):
                    if _looks_at(place, store_size(type_), stale):
                        raise Untold
                    return stale
        if self._names(instruction, held) or not all(each.object in self.own for each in stale):
            raise Untold
        return stale

    def _names(self, part: object, held: Held) -> bool:
        """Tell whether a part of the code takes a register that holds an address of its own."""
        return any(self._is_own(held.get(name)) for name in registers_in(part))

    def _is_own(self, value: object) -> bool:
        return isinstance(value, Pointer) and value.object in self.own


def _place(expression: Expression, held: Held) -> Pointer | None:
    value = value_of(expression, held)
    return value if isinstance(value, Pointer) and value.object else None


def _looks_at(place: Pointer, size: int, cells: _Cells) -> bool:
    return any(map(Location(place.object, place.offset, size).overlaps, cells))


def _not_covered(cells: _Cells, place: Pointer, size: int) -> _Cells:
    """Give the cells that a write does not cover."""
    first, end = place.offset, place.offset + size
    return frozenset(
        each for each in cells if each.object != place.object or each.offset < first or each.offset + each.size > end
    )
