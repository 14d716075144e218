"""What happens in an execution, as sentences in an order in which it could happen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx as nx

from enumerator.analysis.classify import Classification
from enumerator.analysis.execution import Execution
from enumerator.analysis.graph import name_of_location
from enumerator.analysis.source import Source
from enumerator.events import Event
from enumerator.frozen import dataclass
from enumerator.program.instructions import Ordering, Scope
from enumerator.program.values import Undef, format_value

__all__ = ["Source", "Step", "in_order", "interleaves", "sentences"]

Instruction = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One instruction of an execution.

    Parameters
    ----------
    events : tuple of int
    thread : str
    line : int or None
    text : str
        A sentence without its end: ``t1 loads 1 from @flag (line 10), what t0 stored in line 7``.
    """

    events: tuple[int, ...]
    thread: str
    line: int | None
    text: str


def sentences(classification: Classification, source: Source | None = None) -> tuple[Step, ...]:
    """Say what happens in an execution, step by step.

    Parameters
    ----------
    classification : Classification
    source : Source, optional
        Default: that of the test.

    Returns
    -------
    tuple of Step
        In the order of :func:`in_order`.
    """
    execution = classification.execution
    words = _Words(classification, source or Source.of(execution.combination.test))
    return tuple(words.step(group) for group in in_order(execution))


def in_order(execution: Execution) -> list[tuple[Event, ...]]:
    """Give the instructions of an execution in an order that agrees with as much as there is one for.

    Parameters
    ----------
    execution : Execution

    Returns
    -------
    list of tuple of Event
        The events of each instruction. Program order always holds; reads-from if both have an order together; the
        order of writes and from-reads if all have (:func:`interleaves`).
    """
    return _order(execution)[0]


def interleaves(execution: Execution) -> bool:
    """Tell whether an execution is one instruction after the other: every read returns the latest write before it."""
    return _order(execution)[1]


def _order(execution: Execution) -> tuple[list[tuple[Event, ...]], bool]:
    groups: dict[Instruction, list[Event]] = {}
    where: dict[int, Instruction] = {}
    for event in execution.events:
        if event.thread is not None:
            key = event.thread, event.made.instruction
            groups.setdefault(key, []).append(event)
            where[event.number] = key
    program: nx.DiGraph[Instruction] = nx.DiGraph()
    program.add_nodes_from(groups)
    by_thread: dict[int, list[Instruction]] = {}
    for key in groups:
        by_thread.setdefault(key[0], []).append(key)
    for keys in by_thread.values():
        program.add_edges_from(zip(keys, keys[1:], strict=False))
    reads = _between(where, [*execution.candidate.reads_from, *_edges(execution, "sw")])
    reads += _meetings(execution, where, program)
    orders = (execution.choices.order_name, "fr")
    late = _between(where, [edge for name in orders for edge in _edges(execution, name)])
    for edges, whole in (([*reads, *late], not execution.undef), (reads, False), ([], False)):
        graph = program.copy()
        graph.add_edges_from(edges)
        if nx.is_directed_acyclic_graph(graph):
            order = nx.lexicographical_topological_sort(graph)
            return [tuple(groups[key]) for key in order], whole
    raise AssertionError("program order has no cycles")


def _meetings(
    execution: Execution, where: dict[int, Instruction], program: nx.DiGraph[Instruction]
) -> list[tuple[Instruction, Instruction]]:
    """A thread goes on behind a barrier after all others have come to it."""
    pairs = _between(where, execution.world.relations["bar"].edges)
    return [(a, after) for a, b in pairs for after in program.successors(b)]


def _edges(execution: Execution, name: str) -> Iterable[tuple[int, int]]:
    relation = execution.relation(name)
    return () if relation is None else relation.edges


def _between(where: dict[int, Instruction], pairs: Iterable[tuple[int, int]]) -> list[tuple[Instruction, Instruction]]:
    """Give the pairs of different instructions; initial writes belong to none."""
    found = [(where[a], where[b]) for a, b in pairs if a in where and b in where]
    return [(a, b) for a, b in found if a != b]


class _Words:
    """The words for the events of an execution."""

    def __init__(self, classification: Classification, source: Source) -> None:
        self._execution = execution = classification.execution
        self._source = source
        names = [thread.name for thread in execution.combination.test.threads]
        self._threads = [f"thread {name}" if name.isdigit() else name for name in names]
        self._wrote = {read: write for write, read in execution.candidate.reads_from}
        self._synchronizes: dict[int, list[int]] = {}
        for edge in classification.synchronizations:
            self._synchronizes.setdefault(edge.target, []).append(edge.source)
        self._next = {a: b for writes in execution.candidate.orders for a, b in zip(writes, writes[1:], strict=False)}

    def step(self, events: Sequence[Event]) -> Step:
        first = events[0]
        assert first.thread is not None
        thread = self._threads[first.thread]
        text = f"{thread} {self._what(events)}"
        met = [source for event in events for source in self._synchronizes.get(event.number, ())]
        if met:
            text += f"; so it synchronizes with {' and '.join(dict.fromkeys(map(self._origin, met)))}"
        return Step(tuple(event.number for event in events), thread, first.line, text)

    def _what(self, events: Sequence[Event]) -> str:
        first = events[0]
        how = self._how(first)
        reads = [event for event in events if event.kind == "R"]
        writes = [event for event in events if event.kind == "W"]
        if first.kind == "F":
            ordering = first.annotation.ordering.name.lower()
            return f"has {'an' if ordering[0] in 'aeiou' else 'a'} {ordering} fence{how}"
        if first.kind == "B":
            return f"is at a barrier{how}"
        if "FREE" in first.annotation.labels:
            return f"ends the life of {self._location(first)}{how}"
        if reads and writes:
            parts = [
                f"{self._location(write)} from {self._value(read)} to {self._value(write)}"
                for read, write in zip(reads, writes, strict=False)
            ]
            return f"changes {' and '.join(parts)}{how}{self._origins(reads)}"
        if writes:
            parts = [f"{self._value(write)} to {self._location(write)}" for write in writes]
            return f"stores {' and '.join(parts)}{how}"
        parts = [f"{self._value(read)} from {self._location(read)}" for read in reads]
        return f"loads {' and '.join(parts)}{how}{self._origins(reads)}"

    def _origins(self, reads: Sequence[Event]) -> str:
        """Say where the values come from, and which write they are older than."""
        told = []
        for read in reads:
            write = self._wrote.get(read.number)
            if write is None:
                told.append("no write gives it a value")
                continue
            wrote = self._execution.events[write]
            if wrote.thread is None:
                told.append("its initial value")
            elif wrote.thread != read.thread:
                told.append(f"what {self._origin(write, 'stored')}")
            later = self._next.get(write)
            if later is not None and self._execution.events[later].thread not in (None, read.thread):
                told[-1:] = [f"{told[-1]}, not what {self._origin(later, 'stores')}" if told else ""]
        told = [each for each in dict.fromkeys(told) if each]
        return f": {' and '.join(told)}" if told else ""

    def _origin(self, number: int, verb: str = "") -> str:
        event = self._execution.events[number]
        if event.thread is None:
            return "the initial state"
        words = [self._threads[event.thread], verb, f"in {self._place(event)}" if event.line is not None else ""]
        return " ".join(filter(None, words))

    def _place(self, event: Event) -> str:
        return f"line {self._source.place(event.line)}"

    def _how(self, event: Event) -> str:
        """Give ordering, scope and line in parentheses, as far as there is something to say."""
        note = event.annotation
        words = [note.ordering.name.lower()] if note.ordering != Ordering.NA and event.kind != "F" else []
        words += [note.scope.name.lower()] if note.scope != Scope.SYSTEM else []
        words += [self._place(event)] if event.line is not None else []
        return f" ({', '.join(words)})" if words else ""

    def _location(self, event: Event) -> str:
        assert event.location is not None
        return name_of_location(self._execution.combination.test, event.location)

    def _value(self, event: Event) -> str:
        value = self._execution.candidate.values[event.number]
        return "undef" if isinstance(value, Undef) else format_value(value)
