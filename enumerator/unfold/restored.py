"""What an iteration writes over with what was there already, and nobody else looks at.

A consumer keeps the last index that it has seen of the producer's in a variable of its own: as long as nothing new is
there, it stores what that holds. Without the store all is as it was for the thread itself; others must not access the
variable meanwhile, as to them the store would be a further one (:mod:`.rewritten`).
"""

from __future__ import annotations

from itertools import pairwise

from enumerator.unfold.nodes import read_as
from enumerator.unfold.paths import Node, PathEvent
from enumerator.unfold.state import NONE
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.told import are_same

__all__ = ["restored"]


def restored(state: ThreadState, first: int) -> frozenset[int]:
    """Give the accesses of locations that an iteration writes, and leaves as they were.

    Parameters
    ----------
    state : ThreadState
        At the end of the iteration.
    first : int
        Its first event.

    Returns
    -------
    frozenset of int
        Event indices.
    """
    events = state.events
    written = {event.location for event in events[first:] if event.kind == "W" and event.location is not None}
    objects = {location.object for location in written}
    near = [(index, each, at) for index, each in enumerate(events) if (at := each.location) and at.object in objects]
    found = NONE
    for location in written:
        there = [(index, event) for index, event, at in near if at.overlaps(location)]
        if all(event.location == location and _is_simple(event) for _, event in there) and _stay(state, there, first):
            found |= {index for index, _ in there if index >= first}
    return found


def _is_simple(event: PathEvent) -> bool:
    return event.kind in "RW" and event.rmw is None and event.whole is None and event.annotation.plain


def _stay(state: ThreadState, there: list[tuple[int, PathEvent]], first: int) -> bool:
    """Tell whether each store from an event on stores what the access before it has shown to be there."""
    held: list[tuple[int, list[Node]]] = [(-1, [])]  # after each store, what it has stored, and what was read of it
    for index, event in there:
        if event.kind == "W":
            held.append((index, []))
        if event.value is not None:
            held[-1][1].append(read_as(event.value))
    return all(index < first or are_same(state, before, after) for (_, before), (index, after) in pairwise(held))
