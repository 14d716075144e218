"""What the code of a test says of the names of a model: which may hold something, though no thread has come to it yet.

A search is laid out for these from the beginning. It begins anew where there is something that it is not laid out for.
"""

from __future__ import annotations

from functools import cache

from enumerator.events.kind import Kind
from enumerator.events.sets import names_of
from enumerator.program.instructions import (
    Assign,
    AsyncCopy,
    Branch,
    Call,
    CompareExchange,
    Fence,
    Freeze,
    Function,
    IndirectCall,
    Load,
    Ordering,
    Phi,
    ReadModifyWrite,
    Store,
    Switch,
)
from enumerator.program.test import Test
from enumerator.unfold.members import registers_in

__all__ = ["names_of_code"]

_ORDERINGS = frozenset({"UNORDERED", "RLX", "ACQ", "REL", "ACQ_REL", "SC"})


def names_of_code(test: Test) -> frozenset[str]:
    """Name sets and relations of which the code of a test says that there may be events, or pairs, of them.

    Parameters
    ----------
    test : Test

    Returns
    -------
    frozenset of str
        Those of orderings, fences, dependencies, read-modify-writes, and of what is in no program order.
    """
    found: set[str] = set()
    threads = {thread.function for thread in test.threads}
    for function in test.functions.values():
        rests = _rest_on_reads(function, function.name not in threads)
        for part in function.instructions:
            match part:
                case Fence():
                    found |= {"F", *_orderings(part.annotation.ordering)}
                case AsyncCopy():
                    found.add("unsequenced")
                case Load() | Store() | ReadModifyWrite() | CompareExchange():
                    found |= _orderings(part.annotation.ordering)
                    if part.annotation.operands:
                        found.add("unsequenced")
                    if not rests.isdisjoint(registers_in(part.address)):
                        found.add("addr")
            match part:
                case Store(value=value) | ReadModifyWrite(operand=value) | CompareExchange(desired=value):
                    if not rests.isdisjoint(registers_in(value)):
                        found.add("data")
            match part:
                case ReadModifyWrite():
                    found.add("rmw")
                case CompareExchange():
                    found |= {"rmw", *_orderings(part.failure)}
        if any(isinstance(block.terminator, Branch | Switch) for block in function.blocks):
            found.add("ctrl")
    return frozenset(found)


@cache
def _orderings(ordering: Ordering) -> frozenset[str]:
    """Name the sets that an ordering alone decides on."""
    return names_of(Kind("R", ordering)) & _ORDERINGS


def _rest_on_reads(function: Function, is_called: bool) -> set[str]:
    """Name the registers of a function that may rest on what has been read."""
    found = set(function.parameters) if is_called else set[str]()
    rest: list[Assign | Phi | Freeze] = []
    for block in function.blocks:
        for part in (*block.phis, *block.body):
            match part:
                case Load() | ReadModifyWrite() | CompareExchange():
                    found.add(part.target)
                case Call() | IndirectCall() if part.target is not None:
                    found.add(part.target)
                case Assign() | Phi() | Freeze():
                    rest.append(part)
    more = True
    while more:
        more = False
        for part in rest:
            if part.target not in found and not found.isdisjoint(registers_in(part)):
                found.add(part.target)
                more = True
    return found
