"""Gaps: what is missing to order an access before another access to the same location.

This is a shortest-path problem. A chain from the first access to the second consists of program order and of
communication between threads (reads-from, or a barrier of both). Each step costs as much as there are things wrong with
it: a missing release, a scope that is too small. The gaps are what is wrong with the cheapest chain. If happens-before
orders the two accesses and location order does not, availability or visibility is missing.

Relations and sets are used by their names in the model (``hb``, ``po-hb``, ``sw``, ``lo``, ``avail``, ``vis``,
``spread``, ``make-available``, ``make-visible``); those that a model does not define are not considered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx

from enumerator.analysis.classify import why_removed
from enumerator.analysis.execution import Execution
from enumerator.events import Event
from enumerator.frozen import dataclass
from enumerator.program.instructions import Ordering

__all__ = ["CAUSES", "Gap", "gaps_between"]

CAUSES = (
    "no-communication",
    "not-a-release",
    "not-an-acquire",
    "not-atomic",
    "undef-read",
    "scope",
    "tags",
    "thread-private",
    "address-space",
    "not-transitive",
    "no-synchronization",
    "made-unavailable",
    "never-available",
    "available-within",
    "made-invisible",
    "never-visible",
    "visible-within",
    "plain-beside-atomic",
    "plain-load",
)
"""The causes of gaps; :mod:`enumerator.analysis.diagnose` describes them in words."""

_WRONG = 1000
"""The cost of something wrong, where a step without faults costs 1; what is missing costs three times this."""
_MISSING = frozenset({"not-a-release", "not-an-acquire", "not-atomic"})
_RELEASES = (Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)
_ACQUIRES = (Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST)


@dataclass(frozen=True, slots=True)
class Gap:
    """A reason why an access is not ordered before another.

    Parameters
    ----------
    cause : str
        One of :data:`CAUSES`.
    culprit : int
        The event at fault: the fence whose scope is too small, the store that should be a release.
    other : int or None
        The event that the culprit does not order, reach or synchronize with.
    through : int or None
        For ``not-a-release`` and ``not-an-acquire``: the access or barrier that communicates.
    prefixes : tuple of str
        For ``tags``: the incompatible prefixes.
    """

    cause: str
    culprit: int
    other: int | None = None
    through: int | None = None
    prefixes: tuple[str, ...] = ()


def gaps_between(execution: Execution, first: int, second: int) -> tuple[Gap, ...]:
    """Find why an access is not ordered before an access of another thread.

    Parameters
    ----------
    execution : Execution
    first, second : int
        Accesses to one location in different threads, one a write. They are not related by location order or, if the
        model has none, by happens-before.

    Returns
    -------
    tuple of Gap
        In the order of the chain from the first to the second; empty if no reason is found.
    """
    happens_before = execution.relation("hb")
    if happens_before is None:
        return ()
    if happens_before.has_edge(first, second):
        return tuple(_out_of_sight(execution, first, second))
    if not _latest or _latest[0].execution is not execution:
        _latest[:] = [_Chains(execution)]
    return tuple(_latest[0].nearest(first, second))


# Happens-before: the chain with the fewest things wrong ---------------------------------------------------------


_Chain = tuple[list["Gap"], int, int]
_latest: list[_Chains] = []
"""Of the execution that was asked about last: many pairs of it may be."""


class _Chains:
    """The chains of an execution from access to access.

    A chain alternates between program order (or no step) and synchronization, as in the strictest reading of
    happens-before. So each event is two nodes: before and after its step in program order.
    """

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self._attempts = list(_attempts(execution))
        self._talking = {frozenset((sent, received)) for _, sent, received, _ in self._attempts}
        self._ordered = list(_program_order(execution))
        self._graph = self._drawn(frozenset())

    def nearest(self, first: int, last: int) -> list[Gap]:
        """Give what is wrong on the chain with the fewest things wrong."""
        pair = frozenset((first, last))  # whether one reads from the other is the question
        graph = self._drawn(pair) if pair in self._talking else self._graph
        try:
            path = nx.dijkstra_path(graph, (first, False), (last, True), weight="cost")
        except nx.NetworkXNoPath:
            return [Gap("no-communication", first, last)]
        found = [gap for a, b in zip(path, path[1:], strict=False) for gap in graph.edges[a, b]["gaps"]]
        return found or [Gap("not-transitive", first, last)]

    def _drawn(self, pair: frozenset[int]) -> nx.DiGraph[tuple[int, bool]]:
        """Give the chains as a graph, but for the communication of two events."""
        execution, graph = self.execution, nx.DiGraph()
        steps = (((event.number, False), (event.number, True)) for event in execution.events)
        graph.add_edges_from(steps, gaps=(), cost=0)
        for gaps, a, b in self._ordered:
            graph.add_edge((a, False), (b, True), gaps=gaps, cost=_cost(gaps))
        for gaps, a, b in self._synchronization(pair):
            known = graph.get_edge_data((a, True), (b, False))
            if known is None or _cost(gaps) < known["cost"]:
                graph.add_edge((a, True), (b, False), gaps=gaps, cost=_cost(gaps))
        return graph

    def _synchronization(self, pair: frozenset[int]) -> Iterator[_Chain]:
        synchronizes = self.execution.relation("sw")
        for a, b in () if synchronizes is None else synchronizes.edges:
            yield [], a, b
        for source, sent, received, target in self._attempts:
            if frozenset((sent, received)) != pair and (
                synchronizes is None or not synchronizes.has_edge(source, target)
            ):
                gaps = list(_wrong_with(self.execution, source, sent, received, target))
                yield gaps or [Gap("no-synchronization", source, target)], source, target


def _cost(gaps: Sequence[Gap]) -> int:
    return 1 + sum(3 * _WRONG if gap.cause in _MISSING else _WRONG for gap in gaps)


def _program_order(execution: Execution) -> Iterator[_Chain]:
    kept = execution.relation("po-hb")
    for a, b in execution.world.relations["po"].edges:
        # a barrier stands for the fence that should be next to it
        barrier = "B" in (execution.events[a].kind, execution.events[b].kind)
        fine = kept is None or kept.has_edge(a, b) or execution.related("hb", a, b) or barrier
        yield [] if fine else [_removed(execution, a, b)], a, b


def _removed(execution: Execution, a: int, b: int) -> Gap:
    removed = why_removed(execution, execution.events[a], execution.events[b])
    first, second = (b, a) if execution.events[b].kind == "F" or execution.events[b].synchronizing else (a, b)
    cause = "address-space" if removed.reason == "model" else removed.reason
    if cause == "thread-private":
        first, second = (a, b) if execution.events[a].annotation.thread_private else (b, a)
    if cause == "address-space":
        first, second = (a, b) if execution.events[a].annotation.one_as else (b, a)
    return Gap(cause, first, second, prefixes=removed.prefixes)


def _attempts(execution: Execution) -> Iterator[tuple[int, int, int, int]]:
    """Give candidates for synchronization: a release, the write (or barrier) after it, the read, and an acquire."""
    fences_before: dict[int, list[int]] = {}
    fences_after: dict[int, list[int]] = {}
    events = execution.events
    for a, b in execution.world.relations["po"].edges:
        if events[a].kind == "F":
            fences_before.setdefault(b, []).append(a)
        if events[b].kind == "F":
            fences_after.setdefault(a, []).append(b)
    for sent, received in _communications(execution):
        for source in (sent, *fences_before.get(sent, ())):
            for target in (received, *fences_after.get(received, ())):
                yield source, sent, received, target


def _communications(execution: Execution) -> Iterator[tuple[int, int]]:
    """Give pairs of a write and a read (of it or its release sequence) in another thread, and pairs of barriers."""
    events = execution.events
    written_with = dict(execution.world.relations["rmw"].edges)
    reads_of: dict[int, list[int]] = {}
    for write, read in execution.candidate.reads_from:
        reads_of.setdefault(write, []).append(read)
    for head in (event.number for event in events if event.kind == "W"):
        waiting, seen = [head], {head}
        while waiting:
            for read in reads_of.get(waiting.pop(), ()):
                if events[read].thread != events[head].thread:
                    yield head, read
                if (later := written_with.get(read)) is not None and later not in seen:
                    seen.add(later)
                    waiting.append(later)
    for read in execution.undef:  # it could have read from any write that it may see
        may_see = execution.relation("may-see")
        for write in () if may_see is None else may_see.predecessors(read):
            if events[write].kind == "W" and events[write].thread != events[read].thread:
                yield write, read
    yield from execution.world.relations["bar"].edges


def _wrong_with(execution: Execution, source: int, sent: int, received: int, target: int) -> Iterator[Gap]:
    """Give why a candidate for synchronization (:func:`_attempts`) does not synchronize."""
    events, atomic = execution.events, execution.world.sets["A"]
    plain = [number for number in (sent, received) if events[number].kind != "B" and number not in atomic]
    if source not in plain and not _has(events[source], _RELEASES, "W", "F"):
        yield Gap("not-a-release", source, through=sent)
    if target not in plain and not _has(events[target], _ACQUIRES, "R", "F"):
        yield Gap("not-an-acquire", target, through=received)
    yield from (Gap("not-atomic", number) for number in plain)
    if events[sent].kind != "B":
        if received in execution.undef and not plain:
            yield Gap("undef-read", received, sent)
    pairs = dict.fromkeys(((source, target), (sent, received)) if events[sent].kind != "B" else ((source, target),))
    for a, b in pairs:
        if gap := _narrow(execution, a, b):
            yield gap
            break
    yield from _apart(execution, source, sent, received, target)


def _narrow(execution: Execution, a: int, b: int) -> Gap | None:
    reaches = execution.world.relations["inscope"]
    if not reaches.has_edge(a, b):
        return Gap("scope", a, b)
    return None if reaches.has_edge(b, a) else Gap("scope", b, a)


def _apart(execution: Execution, source: int, sent: int, received: int, target: int) -> Iterator[Gap]:
    """Give incompatible tags, if the profile requires compatible ones to synchronize, and different address spaces."""
    synchronize = execution.world.relations["mmra-sync"]
    for a, b in dict.fromkeys(((source, sent), (received, target), (source, target))):
        if a != b and not synchronize.has_edge(a, b):
            yield _removed(execution, a, b)
    events = execution.events
    one_as = execution.world.sets.get("ONE_AS", frozenset())
    if {source, target} & one_as and events[source].kind != "F" and events[target].kind != "F":
        if not execution.related("same-as", source, target):
            yield Gap("address-space", *((source, target) if source in one_as else (target, source)))


# Availability and visibility ------------------------------------------------------------------------------------


def _out_of_sight(execution: Execution, write: int, access: int) -> Iterator[Gap]:
    """Find why a write that happens before an access is not before it in location order.

    References
    ----------
    AMDGPU Memory Model, "Availability and Visibility", "Location Order".
    """
    avail = execution.relation("avail")
    if avail is None or execution.relation("vis") is None:
        return
    available_by = sorted(avail.successors(write))
    if not available_by:
        yield from _never_available(execution, write, access)
    elif not execution.related("spread", write, access):
        yield from _available_within(execution, write, available_by, access)
    elif execution.events[access].reads:
        yield from _never_visible(execution, write, available_by, access)


def _never_available(execution: Execution, write: int, access: int) -> Iterator[Gap]:
    """Find why no operation makes the write available."""
    found = False
    for release in _of_thread(execution, write, _RELEASES, "F", "W"):
        if not execution.world.relations["po"].has_edge(write, release):
            continue
        if release not in execution.members("make-available"):
            found = True
            yield Gap("made-unavailable", release, write)
        elif not execution.related("hb", write, release):
            found = True
            yield _removed(execution, write, release)
    if not found:
        yield Gap("never-available", write, access)


def _available_within(execution: Execution, write: int, available_by: list[int], access: int) -> Iterator[Gap]:
    """Find why the operations that make the write available do not do so for the access."""
    inscope = execution.world.relations["inscope"]
    extent = execution.relation("extent")  # how far an access makes itself available, if that is not its scope
    acts = {number: extent if number == write and extent is not None else inscope for number in available_by}
    short = [number for number in available_by if not acts[number].has_edge(number, access)]
    if len(short) == len(available_by):
        widest = max(short, key=lambda number: (execution.events[number].annotation.scope, number != write))
        yield Gap("available-within", widest, write, through=access)
        return
    for number in available_by:
        if number not in short and not execution.related("hb", number, access):
            yield Gap("no-communication", number, access)
            return


def _never_visible(execution: Execution, write: int, available_by: list[int], access: int) -> Iterator[Gap]:
    """Find why a write that is available to the thread of the access is not visible there."""
    events, inscope = execution.events, execution.world.relations["inscope"]
    found = False
    for acquire in _of_thread(execution, access, _ACQUIRES, "F", "R"):
        if not execution.world.relations["po"].has_edge(acquire, access):
            continue
        if acquire not in execution.members("make-visible"):
            found = True
            yield Gap("made-invisible", acquire, access)
        elif execution.related("vis", write, acquire):
            if not execution.related("hb", acquire, access):
                found = True
                yield _removed(execution, acquire, access)
        else:
            earlier = [number for number in available_by if execution.related("hb", number, acquire)]
            if earlier and not any(inscope.has_edge(acquire, number) for number in earlier):
                found = True
                yield Gap("visible-within", acquire, max(earlier, key=lambda n: events[n].annotation.scope))
    if not found and access in execution.members("load-visible"):
        widest = max(available_by, key=lambda number: events[number].annotation.scope)
        if not inscope.has_edge(access, widest):
            yield Gap("visible-within", access, widest)
            return
    if not found:
        yield Gap("never-visible", access, write)


def _of_thread(execution: Execution, like: int, orderings: Sequence[Ordering], *kinds: str) -> list[int]:
    thread = execution.events[like].thread

    return [event.number for event in execution.events if event.thread == thread and _has(event, orderings, *kinds)]


def _has(event: Event, orderings: Sequence[Ordering], *kinds: str) -> bool:
    return event.kind in kinds and event.annotation.ordering in orderings
