"""Loops of attempts that fail: an attempt may carry what it has read into the next one, and write what is private.

Each attempt of a push by compare-exchange writes what it has found into its node, which nobody else sees yet; the next
attempt writes that again. So an attempt may be left out as if it had only read (:mod:`enumerator.unfold.waiting`), once
nothing rests on it: neither the way of the thread, nor what it holds, nor what it has written. An attempt may compare
with what the one before has found, as a compare-exchange does that expects it. Where it finds another value than that,
and the same as the thread had before these two, both may be left out; so it is if bits are set or cleared in what is
expected, as in locks that are a bit of a word.

So it is, too, where the node is not the thread's own but one of many in an array, if it is written by plain stores and
the model makes something of races: then nobody sees these before the compare-exchange succeeds.

Attempts that only read are left out in the same way where :mod:`enumerator.unfold.waiting` does not see that the thread
is where it was: what they have read may stand in a slot that is lent to a call, which writes the slot first.

This is looked at where the next attempt would be cut at the bound, so that those within the bound are all there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from enumerator.program.instructions import Ordering
from enumerator.unfold.loops import LoopEntry
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Computed, Known, Location, Node, PathEvent, ReadValue
from enumerator.unfold.retries import unpublished
from enumerator.unfold.state import AGAIN, NONE, Frame, Local
from enumerator.unfold.thread import ThreadState
from enumerator.unfold.waiting import Iteration, begin, held_at, is_plain, is_raced, last_seen, only_reads

__all__ = ["needless", "still_needless"]

_Pair = tuple[Node, Node]

_FEWEST = 3
"""Attempts that have to be there: an earlier one is seen to be needless by those after it."""


def needless(
    state: ThreadState, frame: Frame, header: str, entry: LoopEntry, carried: Iterable[Local]
) -> tuple[str, frozenset[int]] | None:
    """Tell whether a thread would do the same without one of its attempts, where the next one would be cut.

    Parameters
    ----------
    state : ThreadState
        At the end of an attempt.
    frame : Frame
    header : str
        The block that it comes back to.
    entry : LoopEntry
    carried : iterable of Local
        What the phis of the header are about to hold.

    Returns
    -------
    (str, frozenset of int) or None
        How the path ends, and the reads that the thread waits with; None where it goes on.
    """
    if entry.iteration + 1 < _FEWEST or state.unchanged is not None or not entry.is_nearly_cut(state.bound):
        return None
    starts = still_needless(state, entry.starts)
    if not starts or any(is_raced(state, event) for event in state.events[starts[0].events :]):
        return None
    attempts = _Attempts(state, frame, header, (*starts, begin(state, carried)))
    if not any(map(attempts.may_leave_out, range(len(starts) - 1))):
        return None
    if not attempts.last_repeats():
        return AGAIN, NONE
    # Plain data that an attempt only looks at may be what races.
    waiting = attempts.waiting() if attempts.last_writes() or only_reads(state, starts[0].events) else NONE
    return ("stuck", waiting) if waiting else None


def still_needless(state: ThreadState, starts: tuple[object, ...]) -> tuple[Iteration, ...]:
    """Give the attempts, from one on, that may still be seen to be needless.

    None may that has done what others see; and what an attempt has found does not say where a later one looks.

    Parameters
    ----------
    state : ThreadState
        At the beginning of another attempt.
    starts : tuple of Iteration
        The thread at the beginning of each.

    Returns
    -------
    tuple of Iteration
    """
    known = [each for each in starts if isinstance(each, Iteration)]
    seen, first = last_seen(state), len(known)
    while first > 0 and known[first - 1].events > seen:
        first -= 1
    ends = [each.events for each in known[1:]] + [len(state.events)]
    for number in reversed(range(first, len(known))):
        reads = range(known[number].events, ends[number])
        if any(not event.addr.isdisjoint(reads) for event in state.events[ends[number] :]):
            return tuple(known[number + 1 :])
    return tuple(known[first:])


class _Attempts:
    """Iterations of a loop, one after the other.

    Parameters
    ----------
    state : ThreadState
    frame : Frame
    header : str
    starts : sequence of Iteration
        The thread at the beginning of each, and now.
    """

    def __init__(self, state: ThreadState, frame: Frame, header: str, starts: Sequence[Iteration]) -> None:
        self._state = state
        self._starts = starts
        self._last = len(starts) - 1
        self._first = starts[0].events
        self._own = frozenset(_private_cells(state, self._first))
        self._private = self._own | frozenset(_unseen_cells(state, self._first))
        self._known: dict[Node, Node] = {}
        self._held = [self._places(frame, header, each) for each in starts]

    def may_leave_out(self, number: int) -> bool:
        """Tell whether a thread would do the same without one of the attempts, and maybe without the next one."""
        following = number + 1
        reads = self._reads(number, following)
        if not self._leaves_nothing(number) or not self._tells(number, following, reads):
            return False
        resting = [
            (node, value)
            for node, value in self._conditions(following, self._last)
            if self._rests(node, reads) and not self._fails_for_no_reason(node)
        ]
        if not self._is_over(number, following, reads):
            return False
        if not any(self._rests(self._as_expected(node), reads) for node, _ in resting):
            return True
        pairs = [self._compared(node, value, reads) for node, value in resting]
        if None in pairs or len(pairs) > 1 or pairs[0] is None:
            return False
        # Without the first of them, the second finds what the first one expected, and so succeeds, or it goes the same
        # way. In the first case both may be missing, if what is found stands for what was expected.
        found, expected = pairs[0]
        both = reads | self._reads(following, following + 1)
        return found.reads <= self._reads(following, following + 1) and any(
            self._tells(number, following + 1, both, (before, found))
            and self._is_over(number, following + 1, both, found)
            and not any(self._rests(node, both, found) for node, _ in self._conditions(following + 1, self._last))
            for before in self._before(number, expected)
        )

    def last_repeats(self) -> bool:
        """Tell whether the last attempt goes its way by what it reads itself, so that it may be repeated for ever."""
        earlier, reads = self._reads(0, self._last - 1), self._reads(self._last - 1, self._last)
        events = self._state.events[self._starts[-2].events :]
        return not (
            any(self._rests(node, earlier) for node, _ in self._conditions(self._last - 1, self._last))
            or any(event.addr & earlier for event in events)
            or any(not old.reads.isdisjoint(reads) for old, _ in self._state.spurious)
        )

    def last_writes(self) -> bool:
        """Tell whether the last attempt has written what is private."""
        return any(
            event.kind == "W" and event.location in self._private for event in self._span(self._last - 1, self._last)
        )

    def waiting(self) -> frozenset[int]:
        """Give the reads that the last attempt waits with."""
        return frozenset(
            index
            for index in self._reads(self._last - 1, self._last)
            if self._state.events[index].annotation.ordering >= Ordering.MONOTONIC
            and self._state.events[index].location not in self._private
        )

    # What attempts are ------------------------------------------------------------------------------------------

    def _reads(self, first: int, last: int) -> frozenset[int]:
        """Give the reads of the attempts from one on, up to another."""
        span = range(self._starts[first].events, self._starts[last].events)
        return frozenset(index for index in span if self._state.events[index].kind == "R")

    def _conditions(self, first: int, last: int) -> Iterator[tuple[Node, object]]:
        """Give the values that these attempts have decided by."""
        for node, value in self._state.conditions[self._starts[first].conditions : self._starts[last].conditions]:
            yield self._resolve(node), value

    def _as_expected(self, node: Node) -> Node:
        """Give a value where what a weak compare-exchange has found that failed for no reason is what it expected."""
        for found, expected in self._state.spurious:
            if _is_same(node, found):
                return self._as_expected(self._resolve(expected.node))
        if isinstance(node, Computed) and not self._fails_for_no_reason(node):
            arguments = tuple(map(self._as_expected, node.arguments))
            if any(new is not old for new, old in zip(arguments, node.arguments, strict=True)):
                return compute(node.operator, arguments, node.type, node.operand_type, node.indices)
        return node

    def _leaves_nothing(self, first: int) -> bool:
        """Tell whether the attempts from one on only read, and write what is private, or what was there."""
        span = range(self._starts[first].events, len(self._state.events))
        return all(
            event.kind in "RF" or index in self._state.kept or event.location in self._private
            for index, event in ((index, self._state.events[index]) for index in span)
        )

    def _places(self, frame: Frame, header: str, start: Iteration) -> dict[object, Node]:
        """Give what a thread holds at the beginning of an attempt, as far as it may still matter."""
        found: dict[object, Node] = dict(held_at(self._state, frame, header, start))
        for index, event in enumerate(self._state.events[: start.events]):
            if event.kind == "W" and self._is_private(event, index) and event.value is not None:
                found[event.location] = event.value
        return {place: self._resolve(node) for place, node in found.items()}

    def _is_private(self, event: PathEvent, index: int) -> bool:
        """Tell whether an event is of a private cell; of one that is not the thread's own, since the attempts began."""
        return event.location in self._own or (index >= self._first and event.location in self._private)

    def _resolve(self, node: Node) -> Node:
        """Give a value where what private cells hold is what has been written there."""
        if node not in self._known:
            result = node
            events = self._state.events
            if isinstance(node, ReadValue) and events[node.index].location in self._private:
                for index in reversed(range(node.index)):
                    event = events[index]
                    if event.kind == "W" and event.location == events[node.index].location:
                        if self._is_private(event, index):
                            assert event.value is not None
                            result = self._resolve(event.value)
                        break
            elif isinstance(node, Computed):
                arguments = tuple(map(self._resolve, node.arguments))
                if any(new is not old for new, old in zip(arguments, node.arguments, strict=True)):
                    result = compute(node.operator, arguments, node.type, node.operand_type, node.indices)
            self._known[node] = result
        return self._known[node]

    # What rests on them -----------------------------------------------------------------------------------------

    def _rests(self, node: Node, reads: frozenset[int], but: Node | None = None) -> bool:
        """Tell whether a value is computed from some reads, other than by what is `but`."""
        if node.reads.isdisjoint(reads) or (but is not None and _is_same(node, but)):
            return False
        if isinstance(node, Computed):
            return any(self._rests(each, reads, but) for each in node.arguments)
        return True

    def _is_over(self, first: int, last: int, reads: frozenset[int], but: Node | None = None) -> bool:
        """Tell whether neither where a thread has accessed memory, nor what it holds now, rests on attempts."""
        written = {event.location for event in self._span(first, last) if event.kind == "W"}
        later = self._state.events[self._starts[last].events :]
        return (
            all(event.addr.isdisjoint(reads) for event in later)
            and written - self._kept_alone(first, last) <= {event.location for event in later if event.kind == "W"}
            and not any(self._rests(node, reads, but) for node in self._held[-1].values())
        )

    def _kept_alone(self, first: int, last: int) -> set[Location | None]:
        """Give the locations to which attempts have written only what was there."""
        return {event.location for event in self._span(first, last)} - self._private

    def _span(self, first: int, last: int) -> list[PathEvent]:
        return self._state.events[self._starts[first].events : self._starts[last].events]

    def _tells(self, first: int, last: int, reads: frozenset[int], pair: _Pair | None = None) -> bool:
        """Tell whether the reads of what follows attempts say all that may be otherwise without these.

        That is so if what a thread holds after them is as before, or rests on their reads. The two values of the `pair`
        are the same.
        """
        before, after = self._held[first], self._held[last]
        for place in before.keys() | after.keys():
            old, new = before.get(place), after.get(place)
            if old is not None and new is not None and _is_same(old, new, pair):
                continue
            if new is not None and self._rests(new, reads, None if pair is None else pair[1]):
                continue
            if not (isinstance(place, Location) and place in self._private and self._is_written(place, last)):
                return False
        return True

    def _is_written(self, place: Location, start: int) -> bool:
        """Tell whether a private cell is next written, and not read, from the beginning of an attempt on."""
        for event in self._state.events[self._starts[start].events :]:
            if event.location is not None and event.location.overlaps(place):
                return event.kind == "W" and event.location == place
        return False

    # What attempts compare --------------------------------------------------------------------------------------

    def _fails_for_no_reason(self, node: Node) -> bool:
        """Tell whether a comparison is that of a weak compare-exchange that failed although the values are equal."""
        return any(
            isinstance(node, Computed)
            and len(node.arguments) == 2
            and all(map(_is_same, node.arguments, map(self._resolve, (old, expected.node))))
            for old, expected in self._state.spurious
        )

    def _compared(self, node: Node, value: object, reads: frozenset[int]) -> _Pair | None:
        """Give two values that were compared and differ; the second one rests on these reads, the first does not."""
        if not isinstance(node, Computed) or (node.operator, value) not in (("icmp eq", 0), ("icmp ne", 1)):
            return None
        one, other = node.arguments
        if self._rests(one, reads):
            one, other = other, one
        return None if self._rests(one, reads) else (one, other)

    def _before(self, number: int, expected: Node) -> Iterator[Node]:
        """Give what stood, before an attempt, in the place of a value that is there after it."""
        for place, node in self._held[number + 1].items():
            if place in self._held[number]:
                yield from _opposite(node, self._held[number][place], expected)


def _private_cells(state: ThreadState, first: int) -> Iterator[Location]:
    """Give the locations in objects that a thread has written, from an event on, and whose addresses nobody else has.

    Atomic writes are none of these: who has the address later may still read them, where that is no race.
    """
    private = unpublished(state)
    for event in state.events[first:]:
        if event.kind == "W" and event.location is not None:
            if event.annotation.ordering >= Ordering.MONOTONIC or event.annotation.labels:
                private.discard(event.location.object)
    for event in state.events:
        if event.location is not None and event.location.object in private:
            yield event.location


def _unseen_cells(state: ThreadState, first: int) -> Iterator[Location]:
    """Give the locations that a thread writes from an event on by plain stores alone, if races with these count.

    Whoever has seen what such a store wrote, in a program without races, comes after all of the attempts: nothing in
    them, but for what they write in the end, synchronizes with anybody. In one with a race there is a race with another
    attempt's store, too.
    """
    if not state.shared.races:
        return
    events = [event for event in state.events[first:] if event.location is not None]
    others = [event.location for event in events if event.location is not None and not is_plain(event)]
    for event in events:
        if event.kind == "W" and event.location is not None and not any(map(event.location.overlaps, others)):
            yield event.location


def _is_same(one: Node, other: Node, pair: _Pair | None = None) -> bool:
    """Tell whether two values are the same, as the first and the second value of a pair are."""
    if one is other:
        return True
    if pair is not None and _is_same(one, pair[0]) and (_is_same(other, pair[1]) or _sets_again(other, *pair)):
        return True
    match one, other:
        case Known(), Known():
            return type(one.value) is type(other.value) and one.value == other.value
        case ReadValue(), ReadValue():
            return one.index == other.index
        case Computed(), Computed():
            shapes = [(each.operator, each.type, each.indices, len(each.arguments)) for each in (one, other)]
            return shapes[0] == shapes[1] and all(
                _is_same(mine, its, pair) for mine, its in zip(one.arguments, other.arguments, strict=True)
            )
    return False


def _sets_again(node: Node, one: Node, other: Node) -> bool:
    """Tell whether a value is one of two that are the same, with bits set or cleared once more that have been."""
    if not (
        isinstance(node, Computed) and isinstance(one, Computed) and node.operator == one.operator in ("and", "or")
    ):
        return False
    (what, bits), (_, before) = node.arguments, one.arguments
    return isinstance(bits, Known) and _is_same(bits, before) and _is_same(what, other)


def _opposite(node: Node, other: Node, sought: Node) -> Iterator[Node]:
    """Give the parts of a value that stand where another one, of the same shape, has a part."""
    if _is_same(node, sought):
        yield other
    elif isinstance(node, Computed) and isinstance(other, Computed) and node.operator == other.operator:
        for mine, its in zip(node.arguments, other.arguments, strict=False):
            yield from _opposite(mine, its, sought)
