"""All executions of a skeleton, in the plainest way: no engine, no model, no text.

A twin of what generation claims: which outcomes a condition admits, and what happens in every execution that ends so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import networkx

from enumerator.generation.skeleton import Event, Skeleton

__all__ = ["Candidate", "candidates"]

Place = tuple[int, int]
"""A thread and the index of an event there; a thread -1 is the initial write of a location."""


@dataclass(frozen=True)
class Candidate:
    """Who reads from whom (`rf`: by the read), and the order of the writes of each location, the initial one first."""

    rf: dict[Place, Place]
    co: dict[int, tuple[Place, ...]]
    skeleton: Skeleton

    def before(self, one: Place, other: Place) -> bool:
        """Tell whether a write comes before another one of its location."""
        return any(row.index(one) < row.index(other) for row in self.co.values() if one in row and other in row)

    def graph(self, *, po: str) -> networkx.DiGraph[Place]:
        """Give program order (``all``, or ``same`` location only), rf, co and fr as one graph."""
        found: networkx.DiGraph[Place] = networkx.DiGraph()
        for number, thread in enumerate(self.skeleton.threads):
            for (one, before), (other, after) in product(enumerate(thread), repeat=2):
                if one < other and (po == "all" or before.location == after.location >= 0):
                    found.add_edge((number, one), (number, other))
        for read, write in self.rf.items():
            found.add_edge(write, read)
            row = next(row for row in self.co.values() if write in row)
            found.add_edges_from((read, other) for other in row[row.index(write) + 1 :] if other != read)
        for row in self.co.values():
            found.add_edges_from(pairwise(row))
        return found


def candidates(skeleton: Skeleton) -> Iterator[Candidate]:
    """Give the executions, of whatever order, that end as the condition of a skeleton says.

    Every read of an update is to be named by the condition, so that what it writes is known; parts of locations are not
    covered.
    """
    asked = {(number, index): value for number, index, value in skeleton.reads}
    writes: dict[int, list[Place]] = {place: [] for place in range(len(skeleton.locations))}
    values: dict[Place, int] = {(-1, place): 0 for place in range(len(skeleton.locations))}
    reads: list[tuple[Place, int]] = []
    for number, index, event in skeleton.events():
        if event.writes:
            writes[event.location].append((number, index))
            values[number, index] = written(event, asked.get((number, index)))
        if event.reads:
            reads.append(((number, index), event.location))
    sources = [
        [
            write
            for write in [(-1, location), *writes[location]]
            if write != read and asked.get(read, values[write]) == values[write]
        ]
        for read, location in reads
    ]
    finals = dict(skeleton.finals)
    for orders in product(*(permutations(row) for row in writes.values())):
        co = {location: ((-1, location), *row) for location, row in enumerate(orders)}
        if any(values[co[location][-1]] != value for location, value in finals.items()):
            continue
        for chosen in product(*sources):
            rf = {read: write for (read, _), write in zip(reads, chosen, strict=True)}
            candidate = Candidate(rf, co, skeleton)
            if _atomic(candidate):
                yield candidate


def written(event: Event, read: int | None) -> int:
    """Give what an event writes, if it reads a value."""
    match event.operator:
        case "add":
            assert read is not None
            return read + event.value
        case "sub":
            assert read is not None
            return read - event.value
        case "xor":
            assert read is not None
            return read ^ event.value
        case "cmpxchg":
            assert read == event.expected
    return event.value


def _atomic(candidate: Candidate) -> bool:
    """Tell whether each update comes right behind what it reads from."""
    return all(
        row.index(candidate.rf[write]) + 1 == row.index(write)
        for row in candidate.co.values()
        for write in row
        if write in candidate.rf
    )
