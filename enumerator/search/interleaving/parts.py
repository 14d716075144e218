"""Parts of a test that have nothing to do with each other: each is searched alone, and their outcomes combine."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from itertools import pairwise

import networkx as nx

from enumerator.clock import check_time
from enumerator.frozen import dataclass
from enumerator.search import opcodes as op
from enumerator.search.interleaving.program import waits
from enumerator.search.interleaving.shape import Shape
from enumerator.search.lower import Lowered
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Location

__all__ = ["Part", "independent_parts"]


@dataclass
class Part:
    """A part of a test.

    Parameters
    ----------
    events : dict of int to (set of int or None)
        By thread, the events that belong to the part; None for all of them, on all of the thread's paths.
    names : set of int
        The requested names whose final values it decides.
    """

    events: dict[int, set[int] | None] = field(default_factory=dict)
    names: set[int] = field(default_factory=set)


def independent_parts(unfolded: Unfolded, lowered: Lowered, shape: Shape) -> tuple[Part, ...]:
    """Divide a test into parts that neither wait for each other nor share a location that is written.

    A run of the test is then any interleaving of runs of its parts, and the moment of the return cuts the run of each
    part wherever that part allows it, whatever the others do: the outcomes are all combinations. Twenty stores that
    nothing orders are twenty parts of two outcomes each.

    Parameters
    ----------
    unfolded : Unfolded
    lowered : Lowered
    shape : Shape

    Returns
    -------
    tuple of Part
        Threads with one path are divided; one that branches stays whole. Locations that nothing writes are in the
        first part.
    """
    graph: nx.Graph[Hashable] = nx.Graph()
    written = {
        event.location
        for options in unfolded.paths
        for path in options
        for event in path.events
        if event.kind == "W" and event.location is not None
    }
    barriers: list[Hashable] = []
    for thread, options in enumerate(unfolded.paths):
        whole = len(options) != 1 or bool(options[0].conditions) or options[0].end != "return" or not options[0].events
        if whole:
            graph.add_node(("thread", thread))
        for path in options:
            rows = waits(path, shape.before)
            for index, event in enumerate(path.events):
                check_time()
                node: Hashable = ("thread", thread) if whole else ("event", thread, index)
                graph.add_node(node)
                if event.location in written:
                    graph.add_edge(node, ("location", event.location))
                if event.kind == "B":
                    barriers.append(node)
                if not whole:
                    sources = {other for other in range(index) if rows[index] >> other & 1}
                    sources |= event.value.reads if event.kind == "W" and event.value is not None else set()
                    if event.rmw is not None:
                        sources.add(event.rmw)
                    graph.add_edges_from((node, ("event", thread, source)) for source in sources)
    if barriers:
        threads = [("thread", n) if ("thread", n) in graph else ("event", n, 0) for n in range(len(unfolded.paths))]
        graph.add_edges_from(pairwise([*barriers, *threads]))
    owners = _name_owners(unfolded, lowered, graph)
    parts = []
    for component in nx.connected_components(graph):
        part = Part()
        for kind, *which in component:
            if kind == "thread":
                part.events[which[0]] = None
            elif kind == "event":
                held = part.events.setdefault(which[0], set())
                assert held is not None
                held.add(which[1])
        part.names = {name for name, node in owners.items() if node in component}
        if part.events:
            parts.append(part)
    parts = parts or [Part()]
    parts[0].names |= set(range(len(lowered.arrays["obs_thread"]))) - owners.keys()
    return tuple(parts)


def _name_owners(unfolded: Unfolded, lowered: Lowered, graph: nx.Graph[Hashable]) -> dict[int, Hashable]:
    """Find a node of the part that decides each name, and join the parts that decide a name together."""
    arrays = lowered.arrays
    places: tuple[Location, ...] = lowered.locations
    owners: dict[int, Hashable] = {}
    for name, owner in enumerate(arrays["obs_thread"]):
        thread = int(owner)
        if thread < 0:
            number = int(arrays["obs_loc"][name])
            node: Hashable = ("location", places[number]) if number < len(places) else None
            if node in graph:
                owners[name] = node
        elif ("thread", thread) in graph:
            owners[name] = ("thread", thread)
        else:
            path = int(arrays["thread_first"][thread])
            kind, data = int(arrays["obs_kind"][path, name]), int(arrays["obs_data"][path, name])
            reads: tuple[int, ...] = ()
            if kind == op.V_COPY:
                reads = (data,)
            elif kind == op.V_FUNCTION:
                reads = lowered.functions.reads[data]
            nodes: list[Hashable] = [("event", thread, read) for read in reads]
            graph.add_edges_from(pairwise(nodes))
            owners[name] = nodes[0] if nodes else ("event", thread, 0)
    return owners
