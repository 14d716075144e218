"""While the threads that others create are sought: where creations may still come, and what is certainly read before.

Only what decides on creations is looked at. What is found may be too little: a creation of another thread than these
cuts the execution (:func:`enumerator.unfold.creation.create`), which is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import replace
from functools import partial

from enumerator.program.instructions import Call, Create, EndCatch, Free, IndirectCall, Instruction
from enumerator.program.test import Test, Thread
from enumerator.program.values import Value
from enumerator.unfold.arithmetic import evaluate
from enumerator.unfold.constants import named_functions
from enumerator.unfold.later import Later, writes_to_come
from enumerator.unfold.machine import begin
from enumerator.unfold.paths import Location
from enumerator.unfold.places import MADE, is_marker
from enumerator.unfold.state import CreationKey, Frame, key_of
from enumerator.unfold.thread import ThreadState

__all__ = ["Found"]

_MOST_IN_ORDER, _MOST_SOUGHT = 500, 500
"""How often threads split while nothing new is found: with all branches in order, and then in another one."""

_TIRED = 5
"""How much sooner that is enough of threads of which it has been enough before others were found."""


class Found:
    """The threads that others create, while these are still to be found.

    Parameters
    ----------
    test : Test
        With the threads that are known so far.
    tired : set of str
        Those of them that have taken long before.

    Attributes
    ----------
    threads : dict
        Those that are created, each with whether that is at once, and certain.
    named : dict
        What they run, as the source names it.
    more : bool
        A path ended where other values that are read might lead to a further creation.
    deciding : set of str
        The objects whose values decide on creations.
    asks : bool
        An address depends on what threads may have written that create none themselves.
    enough : set of str
        The threads that have taken long, and found nothing new.
    """

    def __init__(self, test: Test, tired: Set[str] = frozenset()) -> None:
        self.threads: dict[CreationKey, tuple[bool, bool]] = {}
        self.named: dict[CreationKey, str] = {}
        self.enough: set[str] = set()
        self._tired = tired
        self._splits: Counter[str] = Counter()
        self._last: dict[str, tuple[int, int]] = {}
        self.more = self.asks = False
        self.deciding: set[str] = set()
        self._threads = {thread.name: thread for thread in test.threads}
        self._creating = _creating(test)
        self._ahead: dict[tuple[str, str, int], bool] = {}
        self._written: dict[str, frozenset[Later] | None] = {}
        self._by_others: dict[tuple[Location, tuple[Thread, ...]], bool] = {}
        self._before: dict[CreationKey, dict[Location, Value | None]] = {}  # what the creator has written, if known
        self._after: dict[CreationKey, frozenset[Later] | None] = {}  # what it may still write

    def is_long(self, thread: Thread, split: bool) -> bool:
        """Tell whether it takes long since something new was found, where a thread splits, or ends."""
        self._splits[thread.name] += split
        splits, (last, known) = self._splits[thread.name], self._last.get(thread.name, (0, 0))
        if len(self.threads) > known:
            self._last[thread.name] = last, _ = splits, len(self.threads)
        sooner = _TIRED if thread.name in self._tired else 1
        if splits > last + (_MOST_IN_ORDER + _MOST_SOUGHT) // sooner:
            self.enough.add(thread.name)
        return splits > last + _MOST_IN_ORDER // sooner

    def may_create(self, thread: Thread) -> bool:
        """Tell whether a thread may create others."""
        return thread.function in self._creating

    def is_ahead(self, state: ThreadState) -> bool:
        """Tell whether a thread may come to a creation from where it stands."""
        return any(map(self._is_ahead, state.frames))

    def _is_ahead(self, frame: Frame) -> bool:
        key = frame.function.name, frame.block.name, frame.position
        if key not in self._ahead:
            self._ahead[key] = any(_creates(part, self._creating) for body in frame.ahead() for part in body)
        return self._ahead[key]

    def begin(self, thread: Thread) -> None:
        """Begin with a thread, maybe once more: what was known of its creations is looked at again."""
        for known in (self._before, self._after):
            for key in [key for key in known if key[0] == thread.name]:
                del known[key]

    def note_creation(self, state: ThreadState, key: CreationKey) -> None:
        """Note what a thread has written before it creates another one, and what it may write from then on."""
        written: dict[Location, Value | None] = {}
        for event in state.events:
            if event.kind == "W" and event.location is not None:
                written.update((each, None) for each in written if each.overlaps(event.location))
                value, known = event.value, state.certain
                told = value is not None and value.reads <= known.keys()
                written[event.location] = evaluate(value, known.__getitem__) if value is not None and told else None
        later = writes_to_come(state)
        if key in self._after:  # on another path
            other, before = self._before[key], self._after[key]
            written = {
                each: written.get(each) if written.get(each) == other.get(each) else None
                for each in {**written, **other}
            }
            later = None if later is None or before is None else later | before
        self._before[key], self._after[key] = written, later

    def note_read(self, state: ThreadState, read: int) -> None:
        """Note what an access has read, if no other thread can have written there yet: what was written last.

        That was done by the thread itself, or by one before that had created it, or the like.
        """
        location = state.events[read].location
        assert location is not None
        if state.shared.domains.is_fixed(location):
            state.certain[read] = state.shared.domains.initial(location)
            return
        if not self._is_untold(state, read) and self._may_be_written_by_others(state, location):
            return
        for event in reversed(state.events[:read]):
            if event.kind == "W" and event.location == location:
                assert event.value is not None
                if event.value.reads <= state.certain.keys():
                    state.certain[read] = evaluate(event.value, state.certain.__getitem__)
                return
        for key in self._creations(state.thread):
            for written, value in self._before.get(key, {}).items():
                if written == location and value is not None:
                    state.certain[read] = value
                if written.overlaps(location):
                    return
        state.certain[read] = state.shared.domains.initial(location)

    def _creations(self, thread: Thread) -> Iterator[CreationKey]:
        """Give the creations that have led to a thread, the last one first."""
        while thread.creation is not None:
            yield key_of(thread.creation)
            thread = self._threads[thread.creation.creator]

    def _is_untold(self, state: ThreadState, read: int) -> bool:
        """Tell whether what is read is an object that the thread has made, and no other one can know yet."""
        event = state.events[read]
        if event.location is None or not state.owns(event) or state.asynchronous:
            return False
        state.untold = state.untold.after(state, read)
        return event.location.object not in state.untold.told

    def _may_be_written_by_others(self, state: ThreadState, location: Location) -> bool:
        """Tell whether another thread may have written to a location by now."""
        key = location, (state.thread, *state.created)
        if key not in self._by_others:
            creators = {each[0]: each for each in self._creations(state.thread)}
            self._by_others[key] = any(
                self._may_write(each, location, state, creators.get(each.name)) for each in self._present(state)
            )
        return self._by_others[key]

    def _may_write(self, thread: Thread, location: Location, state: ThreadState, since: CreationKey | None) -> bool:
        """Tell whether a thread may write somewhere, maybe only since it has created another one."""
        if since is not None and since in self._after:
            later = self._after[since]
            return later is None or any(map(partial(_may_write_again, thread.name, location), later))
        if thread.name not in self._written:
            self._written[thread.name] = writes_to_come(begin(thread, state.shared))
        written = self._written[thread.name]
        return written is None or any(each.may_access(location) for each in written)

    def _present(self, state: ThreadState) -> Iterator[Thread]:
        """Give the other threads that may have begun: all but those that come from creations which are still ahead."""
        mine = state.thread.name
        yield from (thread for thread in state.created if thread.name not in self._threads)
        for thread in self._threads.values():
            first = thread
            while first.creation is not None and first.creation.creator != mine:
                first = self._threads[first.creation.creator]
            if thread.name != mine and (first.creation is None or first in state.created):
                yield thread


def _may_write_again(thread: str, location: Location, later: Later) -> bool:
    """Tell whether a write of a thread may be to what was there before: not to what it makes from then on.

    The end of an object writes nothing that others may read. Where the thread may have the same object still, as one
    that it has made in a loop, too few threads may be found.
    """
    if isinstance(later.instruction, Free):
        return False
    places = later.places
    if places is not None:
        places = frozenset(place for place in places if not _is_new(place[0], thread))
    return replace(later, places=places).may_access(location)


def _is_new(name: str, thread: str) -> bool:
    """Tell whether what stands for an object stands for those that a thread makes from then on."""
    return is_marker(name) and name.startswith(thread + MADE)


def _creates(part: Instruction, creating: frozenset[str]) -> bool:
    match part:
        case Create():
            return True
        case Call(function=name):
            return name in creating
        case IndirectCall() | EndCatch(destroys=True):
            return _INDIRECTLY in creating
    return False


_INDIRECTLY = ""
"""Among the names of functions that may create threads: some function that pointers may point to does."""


def _creating(test: Test) -> frozenset[str]:
    """Name the functions that may create threads, themselves or by what they call."""
    found, grown = frozenset[str](), True
    named = named_functions(test)
    while grown:
        new = {
            name for name, each in test.functions.items() if any(_creates(part, found) for part in each.instructions)
        }
        if not named.isdisjoint(new):
            new.add(_INDIRECTLY)
        grown, found = len(new) > len(found), frozenset(new)
    return found
