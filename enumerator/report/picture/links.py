"""Which edges of which relation a picture shows: those from which the others follow are enough.

Edges inside one instruction, program order that is there anyway, what comes from initial writes by nature, and what
follows by transitivity are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx

from enumerator.analysis.classify import Classification, RemovedOrder, Violation
from enumerator.analysis.execution import Execution
from enumerator.cat.algebra import Relation
from enumerator.frozen import dataclass

__all__ = ["DEPENDENCIES", "Edge", "cycle_edges", "edges_of", "extra_edges"]

DEPENDENCIES = ("addr", "data", "ctrl")
_MOST = 60
"""Edges of one relation in one picture: more are no help to anybody."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two events.

    Parameters
    ----------
    source, target : int
    relation : str
    label : str
        Empty for the name of the relation.
    mutual : bool
        It has no direction.
    """

    source: int
    target: int
    relation: str
    label: str = ""
    mutual: bool = False


def edges_of(classification: Classification) -> tuple[Edge, ...]:
    """Give the edges that a picture of an execution shows.

    Parameters
    ----------
    classification : Classification

    Returns
    -------
    tuple of Edge
        Between different instructions.
    """
    execution = classification.execution
    found: dict[tuple[int, int, str], Edge] = {}
    for part in (_reads_from, _write_order, _chosen_orders, _from_reads, _synchronizes, _chains, _barriers, _tokens):
        for edge in part(execution):
            found.setdefault((edge.source, edge.target, edge.relation), edge)
    for a, b in classification.races:
        found.setdefault((a, b, "race"), Edge(a, b, "race", mutual=True))
    told = {frozenset((edge.source, edge.target)) for edge in found.values()}
    for edge in _ordered_accesses(classification):
        if frozenset((edge.source, edge.target)) not in told:
            found.setdefault((edge.source, edge.target, edge.relation), edge)
    for removed in _smallest(classification.removed):
        what = ", ".join(removed.prefixes) if removed.reason == "tags" else removed.reason
        label = f"no order: {what}" if removed.reason != "model" else "no order"
        found.setdefault(
            (removed.first, removed.second, "removed"), Edge(removed.first, removed.second, "removed", label)
        )
    return tuple(edge for edge in found.values() if not _one_instruction(execution, edge.source, edge.target))


def _one_instruction(execution: Execution, a: int, b: int) -> bool:
    first, second = execution.events[a], execution.events[b]
    return a == b or (
        first.thread is not None and first.thread == second.thread and first.made.instruction == second.made.instruction
    )


def _same_thread(execution: Execution, a: int, b: int) -> bool:
    first, second = execution.events[a].thread, execution.events[b].thread
    return first is not None and first == second


# Communication ------------------------------------------------------------------------------------------------


def _reads_from(execution: Execution) -> Iterator[Edge]:
    for write, read in sorted(execution.candidate.reads_from):
        yield Edge(write, read, "rf")


def _write_order(execution: Execution) -> Iterator[Edge]:
    """Neighbours in the order of writes; an initial write is before all others anyway."""
    name = execution.choices.order_name
    for writes in execution.candidate.orders:
        own = [write for write in writes if execution.events[write].kind != "IW"]
        for a, b in zip(own, own[1:], strict=False):
            if not (_same_thread(execution, a, b) and a < b):
                yield Edge(a, b, name)


def _chosen_orders(execution: Execution) -> Iterator[Edge]:
    """Neighbours in the linear orders that a model chooses besides."""
    for name, order in execution.chosen_orders:
        for a, b in zip(order, order[1:], strict=False):
            if not (_same_thread(execution, a, b) and a < b):
                yield Edge(a, b, name)


def _from_reads(execution: Execution) -> Iterator[Edge]:
    """A read, and the next write after the one that it reads from."""
    after = {a: b for writes in execution.candidate.orders for a, b in zip(writes, writes[1:], strict=False)}
    for write, read in sorted(execution.candidate.reads_from):
        later = after.get(write)
        while later is not None and _one_instruction(execution, read, later):
            later = after.get(later)
        if later is not None and not (_same_thread(execution, read, later) and read < later):
            yield Edge(read, later, "fr")


def _synchronizes(execution: Execution) -> Iterator[Edge]:
    """What synchronizes, without what follows from other synchronization and the program order that counts."""
    relation = execution.relation("sw")
    if relation is None:
        return
    kept = execution.relation("po-hb")
    order = nx.DiGraph(list((execution.world.relations["po"] if kept is None else kept).edges))
    order.add_edges_from(relation.edges)
    for a, b in sorted(relation.edges, key=lambda edge: edge[0] - edge[1]):  # what spans most goes first
        order.remove_edge(a, b)
        if not nx.has_path(order, a, b):
            order.add_edge(a, b)
            yield Edge(a, b, "sw")


def _tokens(execution: Execution) -> Iterator[Edge]:
    yield from (Edge(a, b, "tok") for a, b in sorted(_reduced(execution.world.relations["tok"]))[:_MOST])


def _ordered_accesses(classification: Classification) -> Iterator[Edge]:
    """Conflicting accesses of two threads that happens-before orders: the nearest pair of each location."""
    events = classification.execution.events
    best: dict[tuple[object, int | None, int | None], tuple[int, int]] = {}
    for synchronization in classification.synchronizations:
        for a, b in synchronization.orders:
            if events[a].of.atomic and events[b].of.atomic:
                continue  # how these are ordered, other relations show
            key = events[a].location, events[a].thread, events[b].thread
            known = best.get(key)
            if known is None or (b - a) < (known[1] - known[0]):
                best[key] = a, b
    yield from (Edge(a, b, "hb") for a, b in sorted(best.values())[:_MOST])


# Availability and visibility ------------------------------------------------------------------------------------


def _chains(execution: Execution) -> Iterator[Edge]:
    """The way of each write to a read of another thread: what makes it available, what makes it visible there.

    References
    ----------
    AMDGPU Memory Model, "Availability and Visibility".
    """
    avail, vis = execution.relation("avail"), execution.relation("vis")
    order = execution.relation("hb")
    if avail is None or vis is None or order is None:
        return
    for write, read in _reaching(execution):
        made = sorted(x for x in avail.successors(write) if x != write)
        seen = [y for y in vis.successors(write) if y == read or _before(execution, y, read)]
        if not seen:
            if made:
                yield Edge(write, made[0], "avail")
            continue
        end = read if read in seen else max(seen)
        ways = [x for x in (write, *made) if (x == write and avail.has_edge(write, write)) or x in made]
        ways = [x for x in ways if x == end or order.has_edge(x, end)]
        start = ways[-1] if ways and ways[0] != write else write
        if start != write:
            yield Edge(write, start, "avail")
        if not (start == write and end == read) and start != end:
            yield Edge(start, end, "vis")


def _reaching(execution: Execution) -> Iterator[tuple[int, int]]:
    """Give writes and reads of other threads: those that read them, and those that are undef and may see them."""
    events = execution.events
    for write, read in sorted(execution.candidate.reads_from):
        if events[write].thread is not None and events[write].thread != events[read].thread:
            yield write, read
    may_see = execution.relation("may-see")
    for read in sorted(execution.undef):
        for write in sorted(may_see.predecessors(read)) if may_see is not None else ():
            if events[write].thread is not None and events[write].thread != events[read].thread:
                yield write, read


def _before(execution: Execution, a: int, b: int) -> bool:
    return bool(execution.world.relations["po"].has_edge(a, b))


# Barriers and annotations -------------------------------------------------------------------------------------


def _barriers(execution: Execution) -> Iterator[Edge]:
    """Threads that meet at a barrier, each with the next one only; or the arrival that another thread waits for."""
    bar = execution.world.relations["bar"]
    mutual: nx.Graph[int] = nx.Graph()
    for a, b in sorted(bar.edges):
        if bar.has_edge(b, a):
            mutual.add_edge(a, b)
        else:
            yield Edge(a, b, "bar")
    for group in nx.connected_components(mutual):
        members = sorted(group)
        yield from (Edge(a, b, "bar", mutual=True) for a, b in zip(members, members[1:], strict=False))


def _smallest(removed: Sequence[RemovedOrder]) -> list[RemovedOrder]:
    """Leave out pairs around another pair whose order was removed, and those that are ordered all the same."""
    loose = [pair for pair in removed if not pair.ordered_anyway]
    return [
        pair
        for pair in loose
        if not any(other is not pair and pair.first <= other.first and other.second <= pair.second for other in loose)
    ]


# What is there on request -------------------------------------------------------------------------------------


def extra_edges(execution: Execution, names: Sequence[str]) -> Iterator[Edge]:
    """Give the edges of further relations: no program order, and none that follows by transitivity.

    Parameters
    ----------
    execution : Execution
    names : sequence of str
        What the model does not define is left out.

    Yields
    ------
    Edge
    """
    po = execution.world.relations["po"]
    for name in dict.fromkeys(names):
        relation = execution.relation(name)
        if relation is None:
            continue
        implied = name not in (*DEPENDENCIES, "rmw", "tok", "po")
        edges = [
            (a, b)
            for a, b in _reduced(relation)
            if execution.events[a].kind != "IW" and not (implied and po.has_edge(a, b))
        ]
        for a, b in sorted(edges)[:_MOST]:
            if not _one_instruction(execution, a, b):
                yield Edge(a, b, name)


def _reduced(relation: Relation) -> list[tuple[int, int]]:
    """Leave out what follows by transitivity, where the relation is transitive and has no cycles."""
    graph = nx.DiGraph(list(relation.edges))
    if not nx.is_directed_acyclic_graph(graph):
        return list(graph.edges)
    reduced = nx.transitive_reduction(graph)
    # of a relation that is not transitive, a reduction would leave out edges that follow from nothing
    closed = all(graph.has_edge(a, c) for a, b in graph.edges for c in graph.successors(b))
    return list(reduced.edges) if closed else list(graph.edges)


# Why it is forbidden ------------------------------------------------------------------------------------------


def cycle_edges(execution: Execution, violation: Violation) -> tuple[Edge, ...]:
    """Give the edges that make an axiom refuse an execution.

    Parameters
    ----------
    execution : Execution
    violation : Violation

    Returns
    -------
    tuple of Edge
        The steps of its cycle; or the pairs that should not be there, and what is ordered so that they should not.
    """
    steps = [Edge(step.source, step.target, step.relation) for step in (*violation.cycle, *violation.because)]
    pairs = [Edge(a, b, "axiom", violation.axiom) for a, b in violation.pairs]
    return (*steps, *pairs)
