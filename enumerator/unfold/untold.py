"""Objects that a thread has made and told nobody of: no other thread can have written there.

Others come to an object by its address only, which they find in memory, or are given when they are created. So an
object is known to its thread alone as long as that has stored its address to no object but those of which the same is
true. This is about a path so far, whatever the rest of it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING

from enumerator.frozen import dataclass
from enumerator.program.values import Value
from enumerator.unfold.paths import Known, Node, PathEvent
from enumerator.unfold.slots import pointed_to

if TYPE_CHECKING:
    from enumerator.unfold.thread import ThreadState

__all__ = ["Untold"]

_NOTHING: frozenset[str] = frozenset()
_Objects = frozenset[str]


@dataclass(frozen=True)
class Untold:
    """What a thread has said of the objects that it has made, as far as its events have been looked at.

    Parameters
    ----------
    events, threads : int
        How many events, and threads that it has created, have been looked at.
    told : frozenset of str
        Of its objects, those that others may know.
    holds : mapping of str to frozenset of str
        Those whose addresses its own objects may hold.
    read : mapping of int to frozenset of str
        Those whose addresses its reads may have returned, by event.
    """

    events: int = 0
    threads: int = 0
    told: _Objects = _NOTHING
    holds: Mapping[str, _Objects] = field(default_factory=lambda: MappingProxyType({}))
    read: Mapping[int, _Objects] = field(default_factory=lambda: MappingProxyType({}))

    def after(self, state: ThreadState, read: int) -> Untold:
        """Look at what a path has done before one of its reads, too.

        Parameters
        ----------
        state : ThreadState
        read : int
            The index of an event.

        Returns
        -------
        Untold
        """
        told, holds, found = set(self.told), dict(self.holds), dict(self.read)

        def tell(objects: Iterable[str]) -> None:
            waiting = [*objects]
            while waiting:
                name = waiting.pop()
                if name not in told:
                    told.add(name)
                    waiting += holds.get(name, ())

        for thread in state.created[self.threads :]:
            tell(name for each in thread.arguments for name in _of_value(state, each.value))
        for index in range(self.events, read):
            event = state.events[index]
            if event.location is None:
                continue
            place = event.location.object
            if event.kind == "R":
                objects = _read(state, index, event, holds)
                if objects:
                    found[index] = objects
            elif event.kind == "W" and event.value is not None:
                objects = _of_node(state, event.value).union(*(found.get(each, ()) for each in event.value.reads))
                if not state.owns(event) or place in told:
                    tell(objects)
                else:
                    holds[place] = holds.get(place, _NOTHING) | objects
        return Untold(read, len(state.created), frozenset(told), holds, found)


def _read(state: ThreadState, index: int, event: PathEvent, holds: Mapping[str, _Objects]) -> _Objects:
    """Name the objects whose addresses a read may have returned, but for those that others know."""
    if index in state.certain:
        return _of_value(state, state.certain[index])
    assert event.location is not None
    return holds.get(event.location.object, _NOTHING)


def _of_value(state: ThreadState, value: Value) -> _Objects:
    return _of_node(state, Known(value))


def _of_node(state: ThreadState, node: Node) -> _Objects:
    return frozenset(filter(state.owns, pointed_to(node)))
