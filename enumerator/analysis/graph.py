"""Executions as networkx graphs."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from enumerator.analysis.execution import Execution
from enumerator.events import Event
from enumerator.program.instructions import Ordering
from enumerator.program.memory import location_name
from enumerator.program.test import Test
from enumerator.program.values import format_value
from enumerator.unfold.paths import Location

__all__ = ["graph_of", "name_of_location"]

_BASE = ("po", "rf", "fr", "rmw", "addr", "data", "ctrl")
_OF_MODELS = ("po-hb", "sw", "hb", "lo", "may-see", "race")
"""The relations of models that a graph has by default."""


def graph_of(
    execution: Execution, relations: Sequence[str] | None = None, create_using: nx.MultiDiGraph | None = None
) -> nx.MultiDiGraph:
    """Give an execution as a graph.

    Parameters
    ----------
    execution : Execution
    relations : sequence of str, optional
        The relations to include; unknown ones are left out. By default these are ``po``, ``rf``, the order of writes,
        ``fr``, ``rmw``, the dependencies, and of the model ``po-hb``, ``sw``, ``hb``, ``lo``, ``may-see``, ``race`` and
        those of its ``show`` statements.
    create_using : networkx.MultiDiGraph, optional
        An empty graph that is filled; otherwise a new one.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes are events, with the attributes ``thread`` (a name; None for an initial write), ``kind`` (``IW``,
        ``R``, ``W``, ``F`` or ``B``), ``location``, ``value``, ``ordering``, ``scope``, ``tags``, ``line``, and
        ``label``, all of it for people. Edges have the name of the relation as key and as attributes ``relation`` and
        ``label``. Relations are complete: ``po`` is transitive. The graph has the attributes ``test``, ``model``,
        ``profile``, ``consistent`` and ``order`` (the name of the order of writes).

    See Also
    --------
    networkx.MultiDiGraph
    """
    combination = execution.combination
    graph = nx.MultiDiGraph() if create_using is None else create_using
    graph.graph.update(
        test=combination.test.name,
        model=execution.model.name,
        profile=execution.profile.name,
        consistent=all(result.holds for result in execution.evaluation.checks if result.check.kind == "axiom"),
        order=execution.choices.order_name,
    )
    for event in execution.events:
        initial = event.kind == "IW"
        graph.add_node(
            event.number,
            thread=None if event.thread is None else combination.test.threads[event.thread].name,
            kind=event.kind,
            location=None if event.location is None else name_of_location(combination.test, event.location),
            value=execution.candidate.values[event.number] if event.location is not None else None,
            ordering=None if initial else event.annotation.ordering.name.lower(),
            scope=event.annotation.scope.name.lower(),
            tags=tuple(sorted(map(str, event.tags))),
            line=event.line,
            label=_label(execution, event),
        )
    for name in dict.fromkeys(_default_names(execution) if relations is None else relations):
        relation = execution.relation(name)
        for a, b in sorted(relation.edges) if relation is not None else ():
            graph.add_edge(a, b, key=name, relation=name, label=name)
    return graph


def _label(execution: Execution, event: Event) -> str:
    """Name an event for people: ``t0: store release @f = 1``."""
    test = execution.combination.test
    words = [{"IW": "initial", "R": "load", "W": "store", "F": "fence", "B": "barrier"}[event.kind]]
    if event.kind != "IW" and event.annotation.ordering != Ordering.NA:
        words.append(event.annotation.ordering.name.lower())
    if event.location is not None:
        value = format_value(execution.candidate.values[event.number])
        words.append(f"{name_of_location(test, event.location)} = {value}")
    thread = "" if event.thread is None else f"{test.threads[event.thread].name}: "
    return thread + " ".join(words)


def _default_names(execution: Execution) -> list[str]:
    shown = [name for name, value in execution.evaluation.shown.items() if isinstance(value, nx.DiGraph)]
    return [*_BASE, execution.choices.order_name, *_OF_MODELS, *sorted(shown)]


def name_of_location(test: Test, location: Location) -> str:
    """Give the name of a location in results.

    Parameters
    ----------
    test : Test
    location : Location
        In an object of the test, or in a stack slot.

    Returns
    -------
    str
    """
    for item in test.objects:
        if item.name == location.object:
            return location_name(item, location.offset, location.size)
    return location.object if location.offset == 0 else f"{location.object}+{location.offset}"
