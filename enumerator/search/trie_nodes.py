"""The nodes of tries: what is known of the path up to each, which go on alike, and on which reads their events rest."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set

from enumerator.frozen import dataclass
from enumerator.search import opcodes as op
from enumerator.search.grown_events import GrownEvents, apart_from, is_unsequenced
from enumerator.unfold.alike import Keys
from enumerator.unfold.growing import Segment
from enumerator.unfold.paths import PathEvent

__all__ = ["Dependencies", "Likeness", "TrieNode"]


@dataclass(frozen=True, eq=False)
class TrieNode:
    """A part of a path of a thread, with what is known of the events of the path so far."""

    thread: int
    segment: Segment
    templates: tuple[int, ...]  # the numbers of the events of the path so far
    rests: tuple[frozenset[int], ...] = ()  # of each of them, the reads that it depends on, by index
    asked: tuple[bool, ...] = ()  # of each of them, whether it is a read that something may rest on

    def at(self, segment: Segment) -> TrieNode:
        """Give the same with another segment."""
        return TrieNode(self.thread, segment, self.templates, self.rests, self.asked)


class Likeness:
    """Which nodes stand for others: those after which threads go on alike.

    Parameters
    ----------
    nodes : sequence of TrieNode
        All that there are, the new one included.
    told : bool
        Whether it can be told of two nodes (:func:`~enumerator.unfold.alike.may_be_told`).
    depend : bool
        Whether it matters on which reads events depend.

    Attributes
    ----------
    first : list of int
        By node, the one that stands for it.
    members : list of list of int
        By node, those that it stands for, itself included.
    """

    def __init__(self, nodes: Sequence[TrieNode], *, told: bool, depend: bool) -> None:
        self._nodes, self._keys, self._depends = nodes, Keys() if told else None, depend
        self._alike: dict[Hashable, int] = {}
        self._hinted: dict[Hashable, int] = {}  # where one node alone has a hint, that node: its key is not asked for
        self.members: list[list[int]] = []
        self.first: list[int] = []

    def enter(self, node: TrieNode, number: int, *, alike: bool = True) -> int:
        """Give the node that stands for a new one; without `alike`, that is the new one itself."""
        first = number
        if alike and self._keys is not None and node.segment.fork is not None:
            first = self._first_alike(self._keys, node, number)
        self.first.append(first)
        self.members.append([number])
        if first != number:
            self.members[first].append(number)
        return first

    def _first_alike(self, keys: Keys, node: TrieNode, number: int) -> int:
        """Give the first node after which a thread goes on as after a new one, which may be that itself."""
        hint = node.thread, keys.hint(node.segment)
        before = self._hinted.setdefault(hint, number)
        if before == number:
            return number
        if before >= 0:
            self._alike[self._key(keys, self._nodes[before])] = before
            self._hinted[hint] = -1
        return self._alike.setdefault(self._key(keys, node), number)

    def _key(self, keys: Keys, node: TrieNode) -> Hashable:
        return node.thread, keys.of(node.segment), _undecided(node) if self._depends else ()


class Dependencies:
    """On which reads the events of threads depend, as far as these are unfolded.

    Parameters
    ----------
    events : GrownEvents

    Attributes
    ----------
    loose : bool
        Whether some write does not depend on all reads of its thread before it, one may come after an assumption that
        does not, or some access is in no program order.
        Else a cycle of program order and reads-from is one of dependencies and reads-from.
    """

    def __init__(self, events: GrownEvents) -> None:
        self._events, self.loose = events, False

    def of(
        self, segment: Segment, given: TrieNode, halves: Set[int | None], begun: int
    ) -> tuple[tuple[bool, ...], tuple[frozenset[int], ...], list[list[int]]]:
        """Give what the events of a path depend on, with a segment behind the path that is known.

        Parameters
        ----------
        segment : Segment
        given : TrieNode
            What is known of the path before.
        halves : set of int
            The reads of updates, by index in the path.
        begun : int
            The first event that :func:`apart_from` is asked for.

        Returns
        -------
        asked : tuple of bool
            Of each event of the path, whether it is a read that something may rest on.
        rests : tuple of frozenset of int
            The reads that each depends on.
        apart : list of list of int
            The reads that writes may not depend on, for each event from `begun` on.
        """
        events, before = segment.events, len(given.templates)
        further = enumerate(events[before:], before)
        asked = given.asked + tuple(self._asks(event, at in halves) for at, event in further)
        rests = self._depend(events, given.rests, asked)
        # Where only what follows makes an assumption hold, no way past it is unfolded that would show a write.
        self.loose = self.loose or (segment.assumes and segment.free[0] != frozenset())
        settled = None if segment.later is not None and not segment.later else _settled(segment, rests)
        reads = [index for index, counts in enumerate(asked) if counts]
        return asked, rests, apart_from(events, reads, rests, begun, settled)

    def _depend(
        self, events: tuple[PathEvent, ...], known: tuple[frozenset[int], ...], asked: tuple[bool, ...]
    ) -> tuple[frozenset[int], ...]:
        """Give the reads that each event of a path depends on; note a write that does not depend on all before it.

        Reads that nothing rests on do not count: they are decided last.
        """
        found = list(known)
        reads = sum(asked[: len(known)])
        for event, counts in zip(events[len(known) :], asked[len(known) :], strict=True):
            self.loose = self.loose or is_unsequenced(event)
            direct = event.addr | event.data | event.ctrl | (frozenset() if event.rmw is None else {event.rmw})
            found.append(direct.union(*(found[read] for read in direct)))
            self.loose = self.loose or (event.kind == "W" and len(found[-1]) < reads)
            reads += counts
        return tuple(found)

    def _asks(self, event: PathEvent, half: bool) -> bool:
        """Tell whether an event is a read that something rests on; `half`: of an update."""
        return event.kind == "R" and self._events.idleness(event, half) != op.IDLE


def _settled(segment: Segment, known: tuple[frozenset[int], ...]) -> frozenset[int]:
    """Give the reads that all writes depend on which come after a segment, directly or not."""
    reads = frozenset(index for index, each in enumerate(segment.events) if each.kind == "R")
    found = segment.settles(reads)
    return found.union(*(known[read] for read in found))


def _undecided(node: TrieNode) -> Hashable:
    """Tell of the reads of a path that not all depends on which follows, each with those of them that it depends on."""
    control = node.segment.state.control
    known, end = control.union(*(node.rests[read] for read in control)), len(node.templates)
    left = [read for read, counts in enumerate(node.asked) if counts and read not in known]
    return tuple((end - read, tuple(end - each for each in left if each in node.rests[read])) for read in left)
