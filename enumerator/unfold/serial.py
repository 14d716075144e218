"""Whether it matters to which thread a barrier returns ``PTHREAD_BARRIER_SERIAL_THREAD``.

One thread of those that meet is told so, the others 0; which one is not specified (POSIX.1-2017, pthread_barrier_wait).
Programs mostly ask whether it is one of both: that is the same for all. Without optimization they keep it in a stack
slot first.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from enumerator.program.instructions import (
    Assign,
    Block,
    Branch,
    Call,
    Constant,
    Expression,
    Function,
    IndirectCall,
    Instruction,
    Jump,
    Load,
    Operation,
    Register,
    Store,
    targets_of,
)
from enumerator.program.test import Test
from enumerator.program.types import IntType
from enumerator.program.values import Value
from enumerator.unfold.arithmetic import apply
from enumerator.unfold.live_slots import slots_of
from enumerator.unfold.liveness import shown_registers
from enumerator.unfold.members import registers_in

__all__ = ["tells_apart"]

_WAIT = "pthread_barrier_wait"
_INT = IntType(32)

_Told = tuple[Value, Value]
"""What is computed where a barrier has returned the one value, and where it has returned the other."""

_RETURNED: _Told = 0, -1


def tells_apart(test: Test, asked: Set[str] | None) -> bool:
    """Tell whether it may matter in a test to which thread a barrier returns PTHREAD_BARRIER_SERIAL_THREAD.

    Parameters
    ----------
    test : Test
    asked : set of str or None
        The registers whose last values are asked for, by names in results; None: all.

    Returns
    -------
    bool
    """
    if test.has(IndirectCall):
        return True
    return any(_tells_apart(each, asked) for each in test.functions.values() if not each.library)


def _tells_apart(function: Function, asked: Set[str] | None) -> bool:
    parts = [part for block in function.blocks for part in block.parts]
    told: dict[str, _Told] = {
        part.target: _RETURNED for part in parts if isinstance(part, Call) and part.function == _WAIT and part.target
    }
    if not told:
        return False
    origins = {name: name for name in told}
    shown, slots, held = shown_registers(function, asked), slots_of(function), dict[str, _Told]()
    grown = True
    while grown:
        grown = False
        if not shown.isdisjoint(told):
            return True
        for part in parts:
            registers = registers_in(part)
            if any(each in held for each in registers) and not _uses_slot(part):
                return True
            match part:
                case Load(target, Register(slot)) if slot in held:
                    place, name, found = told, target, held[slot]
                    origins[target] = target
                case Branch(Register()):
                    continue
                case _ if told.keys().isdisjoint(registers):
                    continue
                case Assign(target, expression) if (pair := _pair(expression, told, origins)) is not None:
                    place, name, found = told, target, pair
                    origins[target] = next(origins[each] for each in registers_in(expression) if each in told)
                case Store(Register(slot), value) if slot in slots and _uses_slot(part):
                    if (pair := _pair(value, told, origins)) is None:
                        return True
                    place, name, found = held, slot, pair
                case _:
                    return True
            if found[0] == found[1] or place.get(name) == found:
                continue
            if name in place:
                return True
            place[name] = found
            grown = True
    return not _Ways(function, told, origins, held.keys()).go_on_alike()


def _uses_slot(part: object) -> bool:
    """Tell whether an instruction loads or stores what barriers return at the address of a slot."""
    return isinstance(part, Load | Store) and isinstance(part.address, Register) and part.type == _INT


def _pair(expression: Expression, told: Mapping[str, _Told], origins: Mapping[str, str]) -> _Told | None:
    """Compute something for both values that one barrier may have returned; None if it rests on anything else."""
    if len({origins[each] for each in registers_in(expression) if each in told}) > 1:
        return None  # of two barriers, perhaps, which may differ
    one, other = (_value(expression, {name: each[way] for name, each in told.items()}) for way in (0, 1))
    return None if one is None or other is None else (one, other)


class _Ways:
    """Where branches on what barriers returned lead.

    Parameters
    ----------
    function : Function
    told : mapping of str to pair of Value
        The registers that rest on what a barrier returned, each with its values.
    origins : mapping of str to str
        Of each, the register of the call, or of the load from a stack slot, that it rests on.
    slots : set of str
        The slots that hold it.
    """

    def __init__(
        self, function: Function, told: Mapping[str, _Told], origins: Mapping[str, str], slots: Set[str]
    ) -> None:
        self._function, self._told, self._origins, self._slots = function, told, origins, slots
        self._blocks = {each.name: each for each in function.blocks}

    def go_on_alike(self) -> bool:
        """Tell whether a function goes on alike after each branch on what a barrier returned, whichever value that is.

        Where conditions are looked at one after the other, both ways come to the same block without having done
        anything.
        """
        blocks = self._function.blocks
        deciding = {each.name: each for each in blocks if self._source(each) is not None}
        passed = {*deciding}
        for block in deciding.values():
            for way in (0, 1):
                passed.update(self._way(block, way)[:-1])
        entered = {blocks[0].name}
        entered.update(*(targets_of(each.terminator) for each in blocks if each.name not in passed))
        waiting, seen = [each for each in deciding if each in entered], set[str]()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            one, other = (self._way(deciding[name], way) for way in (0, 1))
            first = next((each for each in one if each in other), None)
            if first is None or self._blocks[first].phis:
                return False
            if first in deciding and first not in seen:
                waiting.append(first)
        return True

    def _source(self, block: Block) -> tuple[str, str] | None:
        """Tell what a block branches on: a call, or a slot as it is at the end of the block; or a load of its own."""
        match block.terminator:
            case Branch(Register(condition)) if condition in self._told:
                origin = self._origins[condition]
                for part in reversed(block.body):
                    if isinstance(part, Store):
                        break
                    if isinstance(part, Load) and part.target == origin and isinstance(part.address, Register):
                        return "slot", part.address.name
                return "register", origin
        return None

    def _way(self, block: Block, way: int) -> list[str]:
        """Name the blocks to which one value leads from a block, up to the first that does something or asks else."""
        source, found = self._source(block), list[str]()
        while True:
            match block.terminator:
                case Jump(target, unwind=None):
                    after = target
                case Branch(Register(condition), then, otherwise) if source == self._source(block):
                    after = then if self._told[condition][way] == 1 else otherwise
                case _:
                    return found
            if after in found:
                return found
            found.append(after)
            block = self._blocks[after]
            if block.phis or not all(map(self._is_idle, block.body)):
                return found

    def _is_idle(self, part: Instruction) -> bool:
        """Tell whether an instruction only looks at what a barrier returned, or computes."""
        if isinstance(part, Load):
            return isinstance(part.address, Register) and part.address.name in self._slots
        return isinstance(part, Assign)


def _value(expression: Expression, told: Mapping[str, Value]) -> Value | None:
    """Compute what rests on what a barrier returns, and on constants, alone; None for anything else."""
    match expression:
        case Constant(value=value):
            return value
        case Register(name=name):
            return told.get(name)
        case Operation():
            values = [_value(each, told) for each in expression.arguments]
            known = tuple(value for value in values if value is not None)
            if len(known) < len(values):
                return None
            return apply(expression.operator, known, expression.type, expression.operand_type, expression.indices)
    return None
