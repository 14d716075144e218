"""Asynchronous operations in flight: on some path started, and not completed by a wait (LLVM, AMDGPUAsyncOperations).

A wait for marks that leaves N in the sequence completes an operation iff more than N marks have come since it was
started, as the sequence is then cut behind its mark. So the fewest marks on any path since then decide whether it may
be in flight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.operations import Function, Kind, Operation

__all__ = ["Flight", "in_flight", "leaves_in_flight"]

_State = dict[int, tuple[int, int]]
"""By operation: the fewest marks, and the fewest operations of its counter, on any path since it was started."""


@dataclass
class Flight:
    """What is in flight where, by the numbers of operations in the function.

    Parameters
    ----------
    at : dict of int to frozenset of int
        For each synchronizing operation and barrier: the accesses that may be in flight.
    completes : dict of int to frozenset of int
        For each wait: the accesses that it completes on some path.
    """

    at: dict[int, frozenset[int]] = field(default_factory=dict)
    completes: dict[int, frozenset[int]] = field(default_factory=dict)


def leaves_in_flight(wait: Operation, marks: int, operations: int) -> bool:
    """Tell whether a wait leaves an operation of its stages in flight.

    Parameters
    ----------
    wait : Operation
    marks, operations : int
        How many of each have come since the operation was started.

    Examples
    --------
    >>> from enumerator.inspection.operations import Place
    >>> wait = Operation(Kind.WAIT, "wait.asyncmark", Place(), count=1)
    >>> [leaves_in_flight(wait, marks, 0) for marks in (0, 1, 2)]
    [True, True, False]
    """
    count = wait.count or 0
    return operations < count if wait.counter else marks <= count


def in_flight(function: Function) -> Flight:
    """Find what may be in flight: a dataflow analysis, a least fixpoint.

    Parameters
    ----------
    function : Function

    Returns
    -------
    Flight
        Empty for a function without asynchronous operations.
    """
    found = Flight()
    every = function.operations
    if not any(operation.asynchronous for operation in every):
        return found
    numbered = function.numbered()
    before = predecessors(function)
    order = reverse_postorder([block.successors for block in function.blocks])
    ends: list[_State | None] = [None] * len(numbered)
    dirty = set(order)
    while dirty:
        for block_number in order:
            if block_number not in dirty:
                continue
            dirty.discard(block_number)
            state: _State = {}
            for each in before[block_number]:
                for key, (marks, operations) in (ends[each] or {}).items():
                    known = state.get(key, (marks, operations))
                    state[key] = min(marks, known[0]), min(operations, known[1])
            for place, operation in numbered[block_number]:
                state = _step(state, place, operation, every, found)
            if state != ends[block_number]:
                ends[block_number] = state
                dirty.update(function.blocks[block_number].successors)
    return found


def _step(state: _State, place: int, operation: Operation, every: Sequence[Operation], found: Flight) -> _State:
    if operation.asynchronous:  # the read and the write of a copy are one operation
        return {
            **{key: (m, n + (operation.writes and key < place - 1)) for key, (m, n) in state.items()},
            place: (0, 0),
        }
    if operation.kind is Kind.MARK:
        return {key: (m + (not operation.stages.isdisjoint(every[key].stages)), n) for key, (m, n) in state.items()}
    if operation.kind is Kind.WAIT:
        kept = {
            key: value
            for key, value in state.items()
            if operation.stages.isdisjoint(every[key].stages) or leaves_in_flight(operation, *value)
        }
        done = frozenset(state.keys() - kept.keys())
        found.completes[place] = found.completes.get(place, frozenset()) | done
        return kept
    if operation.synchronizing or operation.kind is Kind.BARRIER:
        found.at[place] = frozenset(state)
    return state
