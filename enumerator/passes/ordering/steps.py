"""An execution under tokens as a sequence of steps: which operations ran in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx

from enumerator.analysis.execution import Execution
from enumerator.analysis.graph import name_of_location
from enumerator.program.values import format_value

__all__ = ["steps"]

_ORDER = ("tok", "addr", "data", "ctrl", "rmw", "rf", "co", "fr")


def steps(execution: Execution, source: str, positions: Mapping[int, int | None]) -> tuple[str, ...]:
    """Put the operations of an execution into an order in which they can have run.

    Parameters
    ----------
    execution : Execution
        Consistent under ``csa``.
    source : str
        The text of the program.
    positions : mapping of int to (int or None)
        Lines of the original program, by line of `source`; a line that it does not know stays as it is.

    Returns
    -------
    tuple of str
        Such as ``f line 5: %r = load i32, ptr @x: @x is 0``. A ``ret`` reads all of memory in one step.
    """
    group = _groups(execution)
    graph: nx.DiGraph[object] = nx.DiGraph()
    graph.add_nodes_from(group.values())
    for name in _ORDER:
        relation = execution.relation(name)
        for a, b in relation.edges if relation is not None else ():
            if a in group and b in group and group[a] != group[b]:
                graph.add_edge(group[a], group[b])
    members: dict[object, list[int]] = {}
    for number, key in group.items():
        members.setdefault(key, []).append(number)
    lines = source.split("\n")
    ordered = nx.lexicographical_topological_sort(graph, key=lambda key: members[key][0])
    return tuple(_describe(execution, members[key], lines, positions) for key in ordered)


def _groups(execution: Execution) -> dict[int, object]:
    """Say what runs in one step: the halves of a read-modify-write, and all that a return reads."""
    found: dict[int, object] = {}
    for event in execution.events:
        if event.thread is not None:
            found[event.number] = (event.thread, "ret") if "RET" in event.annotation.labels else event.number
    halves = execution.relation("rmw")
    for read, write in halves.edges if halves is not None else ():
        found[write] = found[read]
    return found


def _describe(
    execution: Execution, numbers: Sequence[int], lines: Sequence[str], positions: Mapping[int, int | None]
) -> str:
    events = [execution.events[number] for number in numbers]
    thread, line = events[0].thread, events[0].line
    assert thread is not None
    name = execution.combination.test.threads[thread].name
    original = positions.get(line, line) if line is not None else None
    place = name if original is None else f"{name} line {original}"
    written = " ".join(lines[line - 1].split()) if line is not None and line <= len(lines) else ""
    if "RET" in events[0].annotation.labels:
        return f"{place}: {written or 'ret'}"
    effects = []
    for event in events:
        if event.location is not None:
            value = format_value(execution.candidate.values[event.number])
            location = name_of_location(execution.combination.test, event.location)
            effects.append(f"{location} {'is' if event.kind == 'R' else 'becomes'} {value}")
    return f"{place}: {written}" + (f": {', '.join(effects)}" if effects else "")
