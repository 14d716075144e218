"""Arrays in stack slots that each iteration of a loop fills anew before it reads them.

A snapshot is taken of what others write, twice, and again until both are the same. What an attempt has found stands in
the arrays at the beginning of the next one, which nobody reads. Where an element is written whose number is computed,
the text alone does not say which: so the code is followed with the values that are known whatever is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Abort,
    Assign,
    CompareExchange,
    Expression,
    Fence,
    Instruction,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.types import IntType, PointerType, store_size
from enumerator.program.values import Pointer, Value
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.state import Frame, Local
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.ways import leads_to, value_of

__all__ = ["refilled"]

_MOST_BLOCKS = 64
"""With values that differ a block counts again; where there are more, nothing is told."""


@dataclass(frozen=True, slots=True)
class _Somewhere:
    """An address in an object, it is not known where."""

    object: str


_Held = dict[str, "int | Pointer | _Somewhere"]
_Cells = frozenset[Location]


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
    held = _known(state, frame, header, carried)
    found = (frozenset(each) for each in cells.values())
    none: _Cells = frozenset()
    return none.union(*(each for each in found if _writes_first(state, frame, header, held, each)))


def _known(state: ThreadState, frame: Frame, header: str, carried: Iterable[Local]) -> _Held:
    """Give what is known of registers and of what slots hold that may be read from a header on."""
    known: _Held = {}
    for phi, local in zip(frame.blocks[header].phis, carried, strict=True):
        _hold(known, phi.target, _value(local))
    assigned = {phi.target for phi in frame.blocks[header].phis}
    for name in state.shared.text.live(frame.function)[0][header] - assigned:
        if (held := state.registers.get(frame.prefix + name)) is not None:
            _hold(known, name, _value(held))
    return known


def _value(local: Local) -> Value | None:
    return local.node.value if isinstance(local.node, Known) else None


def _hold(known: _Held, name: str, value: object) -> None:
    if isinstance(value, int | _Somewhere) or (isinstance(value, Pointer) and value.object):
        known[name] = value
    else:
        known.pop(name, None)


def _writes_first(state: ThreadState, frame: Frame, header: str, held: _Held, cells: _Cells) -> bool:
    """Tell whether a call writes cells of a slot before it reads one of them, on each way."""
    live = state.shared.text.liveness(frame.function).registers
    seen: set[tuple[str, _Cells, frozenset[tuple[str, object]]]] = set()
    # What slots hold whose addresses are only loaded from and stored to is followed as registers are.
    slots = state.shared.text.liveness(frame.function).tracked
    begun = {**held, **_counters(state, frame, slots)}
    stack = [(header, cells, begun)]
    while stack:
        name, stale, known = stack.pop()
        block = frame.blocks[name]
        for each in block.body:
            left = _left_by(each, stale, known, slots)
            if left is None:
                return False
            stale = left
        if not stale:
            continue
        for following in leads_to(block.terminator, _numbers(known)):
            phis = frame.blocks[following].phis
            entered = {each: value for each, value in known.items() if each.startswith("*") or each in live[following]}
            for phi in phis:
                _hold(entered, phi.target, _result(dict(phi.incoming)[name], known))
            key = following, stale, frozenset(entered.items())
            if key in seen:
                continue
            if len(seen) == _MOST_BLOCKS:
                return False
            seen.add(key)
            stack.append((following, stale, entered))
    return True


def _counters(state: ThreadState, frame: Frame, slots: Mapping[str, str]) -> _Held:
    """Give what slots hold which are only loaded from and stored to, by the registers of their addresses."""
    found: _Held = {}
    for place, local, type_ in state.slots.held():
        target = place.object.removeprefix(f"{state.thread.name}:%{frame.prefix}")
        if place.object in frame.slots and target in slots.values() and place.offset == 0:
            _hold(found, _content(target, store_size(type_)), _value(local))
    return found


def _content(slot: str, size: int) -> str:
    return f"*{size}:{slot}"


def _numbers(known: _Held) -> dict[str, Value]:
    return {name: value for name, value in known.items() if not isinstance(value, _Somewhere)}


def _result(expression: Expression, known: _Held) -> int | Pointer | _Somewhere | None:
    """Give what is known of a value."""
    value = value_of(expression, _numbers(known))
    if value is not None:
        return value
    while isinstance(expression, Operation) and expression.operator == "ptradd":
        expression = expression.arguments[0]
        base = value_of(expression, _numbers(known))
        if isinstance(base, Pointer) and base.object:
            return _Somewhere(base.object)
    held = known.get(expression.name) if isinstance(expression, Register) else None
    return held if isinstance(held, _Somewhere) else None


def _left_by(instruction: Instruction, stale: _Cells, known: _Held, slots: Mapping[str, str]) -> _Cells | None:
    """Give the cells that are left once an instruction has run; None where it may read one."""
    target: str | None = getattr(instruction, "target", None)
    match instruction:
        case Assign(expression=expression):
            _hold(known, instruction.target, _result(expression, known))
            return stale
        case Fence():
            return stale
        case Abort():
            return frozenset()
        case Store(address=Register(name), value=value, type=type_) if name in slots:
            slot = slots[name]
            for each in [each for each in known if each.startswith("*") and each.endswith(f":{slot}")]:
                del known[each]
            _hold(known, _content(slot, store_size(type_)), _result(value, known))
            return stale
        case Load(address=Register(name), type=type_) if name in slots:
            content = known.get(_content(slots[name], store_size(type_)))
            fits = isinstance(type_, IntType if isinstance(content, int) else PointerType)
            _hold(known, instruction.target, content if fits else None)
            return stale
        case Store(address=address, type=type_):
            place = _result(address, known)
            if not isinstance(place, Pointer):
                return stale
            written = Location(place.object, place.offset, store_size(type_))
            return frozenset(each for each in stale if not _covers(written, each))
        case Load(type=type_) | ReadModifyWrite(type=type_) | CompareExchange(type=type_):
            place = _result(instruction.address, known)
            if target is not None:
                known.pop(target, None)
            if isinstance(place, _Somewhere):
                return None if any(each.object == place.object for each in stale) else stale
            if not isinstance(place, Pointer):
                return None
            read = Location(place.object, place.offset, store_size(type_))
            return None if any(map(read.overlaps, stale)) else stale
    return None


def _covers(whole: Location, part: Location) -> bool:
    same = whole.object == part.object
    return same and whole.offset <= part.offset and part.offset + part.size <= whole.offset + whole.size
