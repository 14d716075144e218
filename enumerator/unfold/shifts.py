"""Whether threads go on with what they read as they would if others had added to it for a time (:mod:`.undone`)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from enumerator.errors import InputError, LimitReached
from enumerator.program.test import Thread
from enumerator.program.values import Value
from enumerator.unfold.alike import Keys
from enumerator.unfold.growing import Segment, expand
from enumerator.unfold.rewritten import may_race
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.undone import NotUndone, Undone, WouldBeUndone

__all__ = ["Shifts"]


class Shifts:
    """Compares what threads do with the values that they have read with what they would do with others.

    Parameters
    ----------
    undone : Undone
    threads : iterable of Thread
        All threads.
    """

    def __init__(self, undone: Undone, threads: Iterable[Thread]) -> None:
        self._undone, self._keys = undone, Keys()
        self._threads = {each.name: each for each in threads}
        self._asked: list[tuple[Segment, int, list[Segment]]] = []
        self._seen = 0

    def note(self, segment: Segment, value: Value, following: list[Segment]) -> None:
        """Note how a thread goes on after a segment with a value for its fork.

        Parameters
        ----------
        segment : Segment
        value : Value
        following : list of Segment

        Raises
        ------
        NotUndone
            Where it might go on otherwise without iterations that are left out.
        """
        if segment.asks_for_read and isinstance(value, int):
            self._asked.append((segment, value, following))
            self._check(*self._asked[-1])
        while self._seen != self._undone.changes:
            self._seen = self._undone.changes
            for asked in self._asked:
                self._check(*asked)

    def _check(self, segment: Segment, value: int, following: list[Segment]) -> None:
        """Tell of a value that a thread does the same with it as with what might be read instead, or waits then."""
        location, then = segment.events[-1].location, None
        assert location is not None
        for shift in self._undone.shifts(location, lambda thread: self._meets(segment.state, thread)):
            other = self._done(_after(segment, (value + shift) % (1 << 8 * location.size)), segment)
            then = self._done(following, segment) if then is None else then
            if other and other != then:
                raise NotUndone(location)

    def _meets(self, state: ThreadState, other: str) -> bool:
        """Tell whether what a thread reads next may be at the same time as what another one does."""
        if other not in self._threads:
            return True
        thread, created = self._threads[other], [each.handle for each in state.created]
        if not may_race(state.thread.name, created, thread, self._threads):
            return False
        return thread.creation is None or not state.has_seen_end(thread)

    def _done(self, following: Iterable[Segment], before: Segment) -> frozenset[Hashable]:
        """Tell what a thread does, but for what waits, and for what it writes to the counter itself."""
        return frozenset(self._told(each, len(before.events)) for each in following if not _waits(each))

    def _told(self, segment: Segment, first: int) -> Hashable:
        keys = self._keys
        events = tuple(
            (
                replace(event, value=None),
                None if event.value is None or event.rmw == first - 1 else keys.value(event.value),
            )
            for event in segment.events[first:]
        )
        if segment.fork is not None:
            return events, keys.of(segment)
        return events, segment.state.end, keys.shown(segment)


def _after(segment: Segment, value: int) -> list[Segment]:
    """Give how a thread would go on; it is as if that was not asked."""
    shared = segment.state.shared
    layout, escaped = shared.layout.copy(), set(shared.escaped)
    try:
        return expand(segment, value)
    except (InputError, LimitReached, SlotEscapes, NotUndone, WouldBeUndone):
        location = segment.events[-1].location
        assert location is not None
        raise NotUndone(location) from None
    finally:
        shared.layout, shared.escaped = layout, escaped


def _waits(segment: Segment) -> bool:
    """Tell whether a thread waits, or has taken back what it has added."""
    if segment.path is not None:
        return segment.path.end == "stuck"
    unchanged = segment.state.unchanged
    return unchanged is not None and unchanged.undone
