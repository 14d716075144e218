"""The values of a candidate execution, computed from its reads-from relation.

Semantics, section 3: "Values are solved from ``rf``. Where the equations are cyclic, the free value ranges over the
constants of the test". This is implemented as: on every cycle of equations there is a read that returns a constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial

import networkx as nx

from enumerator.events import Event
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import UNDEF, Pointer, Value, signed
from enumerator.reference.base import Combination
from enumerator.unfold.arithmetic import agrees, evaluate
from enumerator.unfold.paths import Node, ReadValue

__all__ = ["Equations", "path_conditions_hold"]


def path_conditions_hold(combination: Combination, values: tuple[Value, ...]) -> bool:
    """Tell whether the conditions of all paths hold, given the values of all events.

    Parameters
    ----------
    combination : Combination
    values : tuple of Value
        By event.

    Returns
    -------
    bool
    """
    for thread, path in enumerate(combination.paths):
        first = combination.event_of(thread, 0)
        for node, value in path.conditions:
            found = evaluate(node, lambda index, first=first: values[first + index])  # type: ignore[misc]
            if not agrees(found, value):
                return False
    return True


class Equations:
    """The values of the events of a combination, as equations over its reads.

    Parameters
    ----------
    combination : Combination
    free : tuple of Value
        The constants of the test: the candidates for values out of thin air.
    """

    def __init__(self, combination: Combination, free: tuple[Value, ...]) -> None:
        self._combination = combination
        self._free = free

    def solutions(
        self, sources: Mapping[int, int], undef: Collection[int] = ()
    ) -> tuple[tuple[tuple[Value, ...], ...], bool]:
        """Solve the equations for one choice of reads-from.

        Parameters
        ----------
        sources : mapping of int to int
            For each read, the write that it reads from.
        undef : collection of int
            Reads that return undef by rule.

        Returns
        -------
        solutions : tuple of tuple of Value
            In each solution the values of all events (undef for fences and barriers).
        cyclic : bool
            Whether some value depends on itself.
        """
        needs = self._needs(sources, undef)
        known: dict[int, Value] = {}
        pending = sorted(needs)
        while ready := [read for read in pending if needs[read] <= known.keys()]:
            known.update((read, self._equation(read, known, sources)) for read in ready)
            pending = [read for read in pending if read not in known]
        found: dict[tuple[Value, ...], None] = {}
        cycles = nx.DiGraph((need, read) for read in pending for need in sorted(needs[read]) if need in pending)
        for solved in self._solve(cycles, known, sources) if pending else [known]:
            found[tuple(self._value(event, solved) for event in self._combination.events)] = None
        return tuple(found), bool(pending)

    def _needs(self, sources: Mapping[int, int], undef: Collection[int]) -> dict[int, frozenset[int]]:
        """Give for each read the reads in its equation."""
        needs = dict.fromkeys(undef, frozenset[int]())
        for read, write in sources.items():
            writer = self._combination.events[write]
            mentioned: frozenset[int] = frozenset()
            if writer.value is not None and writer.thread is not None:
                first = self._combination.event_of(writer.thread, 0)
                mentioned = frozenset(first + index for index in writer.value.reads)
            needs[read] = mentioned
        return needs

    def _solve(
        self, graph: nx.DiGraph, known: Mapping[int, Value], sources: Mapping[int, int]
    ) -> Iterator[dict[int, Value]]:
        """Extend known values to all reads of a graph, in every way; edges lead from a read to those that need it."""
        if nx.is_directed_acyclic_graph(graph):
            solved = dict(known)
            for read in nx.lexicographical_topological_sort(graph):
                solved[read] = self._equation(read, solved, sources)
            yield solved
            return
        condensed = nx.condensation(graph)
        members = condensed.nodes[next(nx.topological_sort(condensed))]["members"]
        component = graph.subgraph(members)
        others = graph.subgraph(set(graph) - members)
        if nx.is_directed_acyclic_graph(component):
            for solved in self._solve(component, known, sources):
                yield from self._solve(others, solved, sources)
            return
        alternatives: dict[tuple[Value, ...], dict[int, Value]] = {}
        for read in sorted(members):
            rest = component.subgraph(set(members) - {read})
            for guess in self._constants(read):
                for solved in self._solve(rest, {**known, read: guess}, sources):
                    if self._equation(read, solved, sources) == guess:
                        alternatives[tuple(solved[member] for member in sorted(members))] = solved
        for solved in alternatives.values():
            yield from self._solve(others, solved, sources)

    def _constants(self, read: int) -> tuple[Value, ...]:
        """Give the constants that are values of the type of a read: numbers of its width, or addresses."""
        node = self._combination.events[read].value
        type_ = node.type if isinstance(node, ReadValue) else None
        offered: dict[Value, None] = {}
        for value in self._free:
            if isinstance(type_, IntType) and isinstance(value, int):
                offered[signed(value, type_.width)] = None
            elif isinstance(type_, PointerType) and isinstance(value, Pointer):
                offered[value] = None
        return tuple(offered)

    def _equation(self, read: int, known: Mapping[int, Value], sources: Mapping[int, int]) -> Value:
        if read not in sources:
            return UNDEF
        return self._value(self._combination.events[sources[read]], known)

    def _value(self, event: Event, known: Mapping[int, Value]) -> Value:
        if event.kind == "R":
            return known[event.number]
        if event.kind == "IW":
            return self._combination.initial[event.number]
        if event.value is None or event.thread is None:
            return UNDEF
        return self._evaluate(event.value, event.thread, known)

    def _evaluate(self, node: Node, thread: int, known: Mapping[int, Value]) -> Value:
        return evaluate(node, partial(self._read, thread, known))

    def _read(self, thread: int, known: Mapping[int, Value], index: int) -> Value:
        return known[self._combination.event_of(thread, index)]
