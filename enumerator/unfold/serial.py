"""Whether it matters to which thread a barrier returns ``PTHREAD_BARRIER_SERIAL_THREAD``.

One thread of those that meet is told so, the others 0; which one is not specified (POSIX.1-2017, pthread_barrier_wait).
Programs mostly ask whether it is one of both: that is the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from enumerator.program.instructions import (
    Assign,
    Call,
    Constant,
    Expression,
    Function,
    IndirectCall,
    Operation,
    Register,
)
from enumerator.program.test import Test
from enumerator.program.values import Value
from enumerator.unfold.arithmetic import apply
from enumerator.unfold.liveness import shown_registers
from enumerator.unfold.members import registers_in

__all__ = ["tells_apart"]

_WAIT = "pthread_barrier_wait"
_TOLD: tuple[Value, Value] = 0, -1


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
    parts = [part for block in function.blocks for part in (*block.phis, *block.body, block.terminator)]
    told: dict[str, tuple[Value, ...]] = {
        part.target: _TOLD for part in parts if isinstance(part, Call) and part.function == _WAIT and part.target
    }
    grown, shown = bool(told), shown_registers(function, asked) if told else frozenset()
    while grown:
        grown = False
        if not shown.isdisjoint(told):
            return True
        for part in parts:
            if told.keys().isdisjoint(registers_in(part)):
                continue
            if not isinstance(part, Assign):
                return True
            values = [_value(part.expression, {name: each[way] for name, each in told.items()}) for way in (0, 1)]
            if None in values:
                return True
            if values[0] != values[1] and part.target not in told:
                told[part.target] = tuple(value for value in values if value is not None)
                grown = True
    return False


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
