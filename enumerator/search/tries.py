"""The threads of a test as tries, unfolded where the search gets to: arrays that grow.

A node of a trie is a part of a path up to the next value that decides how the thread goes on
(:class:`enumerator.unfold.growing.Segment`); an edge is such a value. Events, values and functions of values are
numbers as in :mod:`enumerator.search.lower`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from contextlib import suppress

import numpy as np

from enumerator.clock import check_time
from enumerator.errors import InputError, LimitReached
from enumerator.events.table import KindTable
from enumerator.mmra import Profile
from enumerator.program.instructions import CLUSTER_BARRIER, Annotation, Barrier, BarrierOperation
from enumerator.program.test import Test
from enumerator.program.types import Type
from enumerator.search import opcodes as op
from enumerator.search.closing import Closing
from enumerator.search.flat import source_of
from enumerator.search.grown_ends import GrownEnds
from enumerator.search.grown_events import GrownEvents, LayoutChanged
from enumerator.search.grown_symmetry import Groups
from enumerator.search.grown_waits import Waits
from enumerator.search.layout import Paths, Tries
from enumerator.search.lower import facts_of, one_as_notes
from enumerator.search.strategies import CannotGrow
from enumerator.search.supposed import SupposedWrites
from enumerator.search.to_come import Row
from enumerator.search.trie_arrays import TrieArrays
from enumerator.search.trie_nodes import Dependencies, Likeness, TrieNode
from enumerator.unfold import Unfolded
from enumerator.unfold.alike import may_be_told
from enumerator.unfold.growing import Segment, expand, start
from enumerator.unfold.missed import MISSED
from enumerator.unfold.objects import leaves_halves
from enumerator.unfold.paths import Location, Node, Path, PathEvent
from enumerator.unfold.shifts import Shifts
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.state import TRIED, Shared
from enumerator.unfold.undone import NotUndone, WouldBeUndone
from enumerator.unfold.waiting import plain_stores

__all__ = ["MOST_PARTS", "GrownTries", "PartlyUpdated"]

MOST_PARTS = 200_000
"""Parts of paths that are unfolded at most, unless a search says otherwise."""


class PartlyUpdated(Exception):
    """A read-modify-write has several parts: one that it writes may be read before another one is.

    So there may be no order in which an execution grows, as parts of an instruction have no program order.
    """


class GrownTries:
    """What the threads of a test do, as far as a search has asked.

    It stands in the place of :class:`~enumerator.search.lower.Lowered` where results are told.

    Parameters
    ----------
    test : Test
    profile : Profile
        Decides the effective tags.
    names : tuple of str
        The registers and locations whose final values are wanted.
    shared : Shared
    table : KindTable
        What is known of kinds from other tests.
    groups : Groups
        The symmetric threads.
    depend : bool
        Whether threads may run past a read under the model, or dependencies make a difference under it.
    most_parts : int
        How many parts of paths may be unfolded.

    Attributes
    ----------
    values : Values
    functions : Functions
    kinds : Kinds
        Of the events so far.
    events : GrownEvents
    arrays : TrieArrays
        What the kernels are given.
    locations : list of Location
        By number.
    asked, joined
        See :class:`~enumerator.search.lower.Lowered`.
    waits : bool
        Whether some thread waits in a loop.
    tried : bool
        Whether some thread ends at an attempt that counts only for what races with it.
    meets : bool
        Whether there are barriers, and all are of the workgroup.
    """

    def __init__(
        self,
        test: Test,
        profile: Profile,
        names: tuple[str, ...],
        shared: Shared,
        table: KindTable,
        groups: Groups,
        *,
        depend: bool = True,
        most_parts: int = MOST_PARTS,
    ) -> None:
        self.test, self.shared, self.groups, self._most_parts = test, shared, groups, most_parts
        told = may_be_told(test)
        self._depends = depend or not told
        self._waiting: dict[int, dict[int, None]] = {}  # by node, its reads of loops that wait, in order
        self.events = events = GrownEvents(test, profile, names, shared, table, groups, depend=self._depends)
        self._nodes: list[TrieNode] = []
        self._likeness = Likeness(self._nodes, told=told, depend=self._depends)
        self._first, self._members = self._likeness.first, self._likeness.members
        self._dependencies = Dependencies(events)
        self.values, self.functions, self.kinds = events.values, events.functions, events.kinds
        self.locations = events.locations
        self.meets = _has_barriers(test)
        self.asked, self.joined = len(events.observed.owners), tuple(events.observed.joined)
        self._closed = 0
        self._ahead: dict[tuple[int, int], int] = {}
        self._looked_at: dict[tuple[int, int], tuple[list[Segment], list[tuple[Location, Type | None]]]] = {}
        self._starts: list[tuple[int, Segment]] = []
        self._creating: list[tuple[int, Segment]] = []
        self._supposed = SupposedWrites(test)
        self._written: set[tuple[int, Annotation, int | None, str]] = set()
        self._waits = Waits(test, shared.raced)
        self.tried = self.waits = False
        self._shifts = None if shared.undone is None else Shifts(shared.undone, test.threads)
        self._nothing = self.events.rows.number(Row(-1, frozenset()))
        self._ended = GrownEnds(events)
        self.arrays = TrieArrays(events, self._ended)
        self.roots = np.array([self._root(number) for number in range(len(test.threads))], dtype=np.int64)
        self.arrays.begin(test, groups, self.roots)

    # What results ask --------------------------------------------------------------------------------------------

    @property
    def ends(self) -> tuple[str, ...]:
        """Flags of early ends in bit order."""
        return tuple(self._ended.flags)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the report."""
        return one_as_notes(self.kinds)

    @property
    def told(self) -> tuple[int, ...]:
        """Numbers of what facts rest on; what is there stays, so that they say whether anything is new."""
        return len(self.kinds.known), len(self.events.listed), len(self.events.compared), len(self._ended.flags)

    @property
    def labels(self) -> frozenset[str]:
        """The predefined sets that some event is in."""
        return self.kinds.in_some

    def facts(self, names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Name those of some predefined relations that are empty so far, and those that hold all pairs."""
        return facts_of(names, self.kinds, self.events.listed, self.events.compared)

    @property
    def loose(self) -> bool:
        """Whether some write may not depend on all that its thread has read before it (:class:`Dependencies`)."""
        return self._dependencies.loose

    @property
    def parts(self) -> int:
        """How many parts of paths there are."""
        return len(self._nodes)

    @property
    def data(self) -> Paths:
        """Paths as the kernels have them."""
        return self.arrays.data

    @property
    def tries(self) -> Tries:
        """Tries as the kernels have them."""
        return self.arrays.tries

    # Growing -----------------------------------------------------------------------------------------------------

    def _root(self, thread: int) -> int:
        segments = start(self.test.threads[thread], self.shared)
        if not segments:
            raise CannotGrow  # what it assumes never holds, so that there is no execution
        self._starts += [(thread, each) for each in segments]
        if len(segments) == 1:
            return self._add_node(TrieNode(thread, segments[0], ()))
        # Arbitrary values come first: a node without events that leads to each of them.
        node, nothing = self.arrays.nodes.length, self._nothing
        anything = self.events.rows.number(Row(-1, None))
        self.arrays.nodes.append(
            0, 0, op.V_KNOWN, 0, -1, -1, nothing, nothing, anything, -1, -1, 0, 0, 0, 0, nothing, anything
        )
        self._enter(TrieNode(thread, segments[0], ()), node, alike=False)
        self._connect(node, 0, [self._add_node(TrieNode(thread, each, ())) for each in segments])
        return node

    def expand(self, node: int, value: int) -> None:
        """Unfold what a thread does at a node if the value that decides there is the one with a number."""
        if len(self._nodes) > self._most_parts:
            raise LimitReached(f"the threads have more than {self._most_parts} parts of paths")
        node = self._first[node]
        known = self._nodes[node]
        looked_at = self._looked_at.pop((node, value), None)
        if looked_at is not None and self.shared.layout.take(looked_at[1]):
            segments = looked_at[0]
        else:
            segments = expand(known.segment, self.values.value(value))
        if self._shifts is not None:
            self._shifts.note(known.segment, self.values.value(value), segments)
        self._connect(node, value, [self._add_node(known.at(each), node) for each in segments])
        self.arrays.lay_out()

    def look_ahead(self, node: int, value: int) -> None:
        """Say what a thread does after its last read if that leads to a value, where no execution may have that value.

        Nothing of it is added: what would be an error, or decide on the layout of memory, on waiting or on stack
        slots, counts only once a thread gets there. It is told whether the read is certainly the first half of a
        read-modify-write, and whether the thread waits for ever.
        """
        node = self._first[node]
        shared, known = self.shared, self._nodes[node]
        layout, escaped, last = shared.layout.copy(), set(shared.escaped), len(known.templates) - 1
        what, writes = op.EDGE_OPEN, int(self.arrays.nodes.arrays["writes"][node])
        with suppress(InputError, LimitReached, SlotEscapes, NotUndone, WouldBeUndone):
            segments = expand(known.segment, self.values.value(value))
            new = [list(each.events[each.first :]) for each in segments]
            writes = self.events.rows.number(Row.of_segments(segments))
            if not segments:
                what = op.EDGE_NOWHERE
            elif all(
                not events and each.path and each.path.end == "stuck"
                for each, events in zip(segments, new, strict=True)
            ):
                what = op.EDGE_STAYS
                self._wait(node, last)
            elif all(events and events[0].rmw == last for events in new):
                what = op.EDGE_WRITES
                begun = _begins(segments[0].events, last)
                ahead = {self.kinds.of_events(known.thread, each.events, begun)[last - begun] for each in segments}
                self._ahead[node, value] = ahead.pop() if len(ahead) == 1 else -1
            accesses = shared.layout.beyond(layout)
            if accesses is not None:
                self._looked_at[node, value] = segments, accesses
        shared.layout, shared.escaped = layout, escaped
        self._connect(node, value, [what], [writes])
        self.arrays.lay_out()

    def guess(self, node: int) -> None:
        """Unfold what a thread does at a node for each value that may decide there."""
        node = self._first[node]
        known = self._nodes[node].segment
        values = {value for value, child in self.arrays.edges_of(node) if child > op.EDGE_OPEN}
        for value in known.guesses():
            check_time()
            if (number := self.values.number(value)) not in values:
                values.add(number)
                self._try(node, number)
        for each in self._members[node]:
            self.arrays.nodes.arrays["guessed"][each] = 1

    def suppose_writes(self) -> None:
        """Add events for writes that no thread has come to; see :class:`.SupposedWrites`.

        Where a program begins with one thread, what that writes before it creates another one is the same in all
        executions, as no other thread's writes can be seen there: those are known.
        """
        created = [number for number, each in enumerate(self.test.threads) if each.creation is not None]
        starts = self._starts
        if self._creating and len(created) == len(self.test.threads) - 1:
            starts = [*(each for each in starts if each[0] in created), *self._creating]
        self._supposed.enter(self.events, [(thread, segment.state) for thread, segment in starts], self._written)

    def _try(self, node: int, number: int) -> None:
        """Expand a node with a guess. An address at which the access is not covered counts where it is read only."""
        layout = self.shared.layout.copy()
        try:
            self.expand(node, number)
        except (InputError, LayoutChanged, PartlyUpdated):
            self.shared.layout = layout

    def _connect(self, node: int, value: int, children: list[int], writes: list[int] | None = None) -> None:
        children = children or [op.EDGE_NOWHERE]
        self.arrays.connect(node, value, children, writes or [*map(self._row, children)], self._members[node])
        known = self._nodes[node]
        if known.templates and known.segment.exchanges:  # not that of a root, whose ways differ from the beginning
            onward, location = self._onward(node), known.segment.events[-1].location
            if onward >= 0 and location is not None:
                self.events.rows.add_read(location, onward)
            for each in self._members[node]:
                self.events.columns.arrays["onward"][self._nodes[each].templates[-1]] = onward

    def _row(self, child: int) -> int:
        """Give the row of what is written from a node on."""
        if child < 0:
            return self._nothing
        nodes = self.arrays.nodes.arrays
        if nodes["count"][child] > 0:
            return int(self.events.columns.arrays["rest"][nodes["first"][child]])
        return int(nodes["writes"][child])

    def _onward(self, node: int) -> int:
        """Give the kind of a compare-exchange's read after which a thread goes on; -1 if it is not known to be one."""
        known, found = self._nodes[node], set[int]()
        if known.segment.asks_for_read:
            return -1
        missing = set(map(self.values.number, known.segment.guesses()))
        for value, child in self.arrays.edges_of(node):
            missing.discard(value)
            if child == op.EDGE_OPEN:
                return -1
            if child == op.EDGE_WRITES:
                found.add(self._ahead[node, value])
            if child >= 0:
                segment, templates = self._nodes[child].segment, self._nodes[child].templates
                stays = (
                    segment.path is not None and segment.path.end == "stuck" and len(templates) == len(known.templates)
                )
                if not stays:
                    found.add(self.events.kind_of(templates[len(known.templates) - 1]))
        return found.pop() if len(found) == 1 and missing <= {op.UNDEF_ID} else -1

    def _add_node(self, given: TrieNode, parent: int = -1) -> int:
        """Add the node of a segment below another one, of which is given what is known of the path before it."""
        thread, segment, before = given.thread, given.segment, given.templates
        events, added = segment.events, segment.events[segment.first :]
        self._look_at(thread, segment, parent)
        halves = {event.rmw for event in added}
        last = len(before) - 1
        begun = _begins(events, last)  # what follows in an instruction says more of the events before
        kinds = self.kinds.of_events(thread, events, begun)
        old = new = -1
        templates = list(before)
        asked, known = given.asked, given.rests
        apart: list[list[int]] = [[] for _ in events[begun:]]
        if self._depends:
            asked, known, apart = self._dependencies.of(segment, given, halves, begun)
        if last >= 0 and self.events.kind_of(before[last]) != kinds[last - begun]:
            old = last
            templates[last] = new = self.events.add(
                thread, events[last], kinds[last - begun], op.HALF_OF_UPDATE, apart[last - begun]
            )
        first = self.events.columns.length
        for number, event in enumerate(added, segment.first - begun):
            exchanges = segment.exchanges and len(templates) == len(events) - 1
            half = op.HALF_OF_UPDATE if event.kind == "R" and len(templates) in halves else op.NO_HALF
            if event.kind == "R" and exchanges:
                half = op.HALF_OF_ATTEMPT
            templates.append(self.events.add(thread, event, kinds[number], half, apart[number]))
        made, node = TrieNode(thread, segment, tuple(templates), known, asked), self.arrays.nodes.length
        fork, what, ended = -1, 0, -1
        if segment.fork is not None:
            fork, what = self._decides(segment.fork)
        elif segment.path is not None:
            ended = self._add_path(made, segment.path, parent)
        writer = self._note_rests(made, kinds[segment.first - begun :])
        self.arrays.nodes.append(
            first,
            len(added),  # count
            fork,
            what,
            ended,
            -1,  # edge
            -1,  # free
            -1,  # free_of_read
            writer,  # writes
            old,
            new,
            0,  # moves
            0,  # guessed
            int(segment.offered is not None),  # branches
            *self._tried(made),  # tried, looked
            self.events.rows.number(Row(thread, segment.before_barrier)) if self.meets else writer,  # near
        )
        self._enter(made, node)
        return node

    def _look_at(self, thread: int, segment: Segment, parent: int) -> None:
        """Note what a new segment says before its events are added: locations, writes, that threads are created.

        Raises
        ------
        PartlyUpdated
        """
        events, added = segment.events, segment.events[segment.first :]
        if segment.state.created and (parent < 0 or not self._nodes[parent].segment.state.created):
            self._creating.append((thread, segment))
        for event in added:
            if event.location is not None:
                self.events.locate(event.location, event.line)
                if event.kind == "W":
                    self._written.add((thread, event.annotation, event.line, event.location.object))
        if any(event.whole is not None and event.rmw is not None for event in added) or (
            segment.exchanges and events[-1].whole is not None
        ):
            raise PartlyUpdated
        self._waits.store(plain_stores(self.test.threads[thread].name, events, segment.first))

    def _note_rests(self, node: TrieNode, kinds: Sequence[int]) -> int:
        """Note of each new event what its thread writes from there on; give what that is behind all of them.

        Parameters
        ----------
        node : TrieNode
        kinds : sequence of int
            Of the new events.

        Returns
        -------
        int
            A row.
        """
        thread, segment, rows = node.thread, node.segment, self.events.rows
        behind = rest = rows.number(Row(thread, segment.later))
        written = frozenset[tuple[int, Location, int | None]]()
        for number in reversed(range(len(segment.events) - segment.first)):
            event = segment.events[segment.first + number]
            if event.kind == "W" and event.location:
                written |= {(kinds[number], event.location, self.events.constant_of(event))}
                rest = rows.number(Row(thread, segment.later, written))
            self.events.columns.arrays["rest"][node.templates[segment.first + number]] = rest
        return behind

    def _decides(self, fork: Node) -> tuple[int, int]:
        """Say where a value comes from that decides how a thread goes on."""
        return (op.V_MISSED, 0) if fork is MISSED else source_of(fork, self.values, self.functions)

    def _tried(self, node: TrieNode) -> tuple[int, int]:
        """Tell whether a node comes after an attempt that counts only for what races with it, and what that read."""
        path, looked = node.segment.path, self._nothing
        if path is not None and path.end == TRIED:
            self.tried = True
            data = (path.events[index].location for index in path.waiting)
            read = frozenset((0, location, None) for location in data if location is not None)
            looked = self.events.rows.number(Row(-1, frozenset(), read))
        return int(node.segment.state.tried), looked

    def _enter(self, node: TrieNode, number: int, *, alike: bool = True) -> None:
        """Enter a node; it has the nodes below of the first one after which its thread goes on as after itself."""
        self._nodes.append(node)
        first = self._likeness.enter(node, number, alike=alike)
        if first == number:
            return
        rows, onward, other = self.arrays.nodes.arrays, self.events.columns.arrays["onward"], self._nodes[first]
        for name in ("edge", "guessed", "free", "free_of_read"):
            rows[name][number] = rows[name][first]
        rows["moves"][number] = len(node.templates) - len(other.templates)
        if node.templates:
            onward[node.templates[-1]] = onward[other.templates[-1]] if other.templates else -1
        for read in self._waiting.get(first, ()):
            self._mark_waiting(node, read + int(rows["moves"][number]))

    def _wait(self, node: int, read: int) -> None:
        """Note that a thread may wait for ever with a read, by its index up to a node; so it may at those alike."""
        self._waiting.setdefault(node, {})[read] = None
        for each in self._members[node]:
            moved = len(self._nodes[each].templates) - len(self._nodes[node].templates)
            self._mark_waiting(self._nodes[each], read + moved)

    def _mark_waiting(self, node: TrieNode, read: int) -> None:
        self.events.columns.arrays["waits"][node.templates[read]] = 1
        self.waits = True
        event = node.segment.events[read]
        if event.location is not None:
            self._waits.wait(event.location, self.test.threads[node.thread].name, event.whole is not None)

    def _add_path(self, node: TrieNode, path: Path, parent: int) -> int:
        """Note where a path ends, and the reads that its thread waits with; give its number."""
        if leaves_halves([[path]]):
            raise CannotGrow  # to count barriers is not enough then
        for read in self._ended.waits_with(path):
            if parent >= 0 and read < len(self._nodes[parent].templates):
                self._wait(parent, read)
            self._mark_waiting(node, read)
        return self._ended.add(node.thread, path)

    def are_shared(self, cells: Set[Location]) -> bool:
        """Tell whether several threads access some of these cells: how memory is divided there makes a difference."""
        owner: dict[Location, int] = {}
        for node in self._nodes if cells else ():
            for event in node.segment.events:
                place = event.location
                if place is not None and place in cells and owner.setdefault(place, node.thread) != node.thread:
                    return True
        return False

    def close(self, closing: Closing) -> None:
        """Say of what is there so far how cycles may close, and what does not depend on the values that decide."""
        nodes, rows = self.arrays.nodes.arrays, self.events.rows
        for number, node in enumerate(self._nodes[self._closed :], self._closed):
            if nodes["free"][number] < 0:
                nodes["free"][number], nodes["free_of_read"][number] = (
                    rows.number(Row(-1, each)) for each in node.segment.free
                )
        new, self._closed = len(self._nodes) > self._closed, len(self._nodes)
        if self.waits:
            rows.share_out()
        if rows.close(closing, self.kinds.known) or new:
            self.arrays.lay_out()

    # Results -----------------------------------------------------------------------------------------------------

    def starts(self, thread: int) -> list[tuple[int, Segment]]:
        """Give the nodes at which a thread may begin, with their segments."""
        root, segments = int(self.roots[thread]), [each for number, each in self._starts if number == thread]
        nodes = [root] if len(segments) == 1 else self.arrays.children(root, 0)
        return list(zip(nodes, segments, strict=True))

    def segments_below(self, node: int, segment: Segment, value: int) -> list[Segment] | None:
        """Give what follows a segment after a value, if that was unfolded from it; None from another one like it."""
        if self._nodes[node].segment is not segment or self._first[node] != node:
            return None
        return [self._nodes[each].segment for each in self.arrays.children(node, value)]

    def unfolded(self, paths: Sequence[Sequence[Path]]) -> Unfolded:
        """Give some paths of each thread, with what the test has besides."""
        accessed = sorted(self.events.accessed)
        initial = {location: self.events.initial(location) for location in accessed}
        types = {location: self.shared.layout.type_of(location) for location in accessed}
        raced, heap = frozenset(self.shared.raced), frozenset(self.shared.heap)
        return Unfolded(self.test, tuple(map(tuple, paths)), initial, types, raced, self.shared.objects, heap)


def _has_barriers(test: Test) -> bool:
    """Tell whether a test has barriers of the workgroup, and no others."""
    parts = (part for function in test.functions.values() for part in function.instructions)
    barriers = [each for each in parts if isinstance(each, Barrier | BarrierOperation)]
    return bool(barriers) and all(
        isinstance(each, Barrier) and each.instance is None and CLUSTER_BARRIER not in each.annotation.labels
        for each in barriers
    )


def _begins(events: tuple[PathEvent, ...], index: int) -> int:
    """Give the first event of the instruction that an event belongs to; 0 for none."""
    while index > 0 and events[index - 1].instruction == events[index].instruction:
        index -= 1
    return max(index, 0)
