"""The tries of the threads of a test as the arrays that kernels read: nodes, edges, and what else there is of paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.jit.arguments import replaced
from enumerator.program.test import Test
from enumerator.search.grown_ends import GrownEnds
from enumerator.search.grown_events import Columns, GrownEvents
from enumerator.search.grown_symmetry import Groups
from enumerator.search.layout import Paths, Tries

__all__ = ["TrieArrays"]

_NODE = (
    "first", "count", "fork", "what", "ended", "edge", "free", "free_of_read", "writes", "old", "new", "moves",
    "guessed", "branches", "tried", "looked", "near",
)  # fmt: skip
_EDGE = ("value", "child", "following", "writes")


class TrieArrays:
    """Arrays that grow with the tries.

    Parameters
    ----------
    events : GrownEvents
    ends : GrownEnds
        Of the paths.

    Attributes
    ----------
    nodes, edges : Columns
        The edges of a node are a list: it has the first one, and each the next one.
    data : Paths
    tries : Tries
    """

    data: Paths
    tries: Tries

    def __init__(self, events: GrownEvents, ends: GrownEnds) -> None:
        self._events, self._ends = events, ends
        self.nodes, self.edges = Columns(_NODE, 256), Columns(_EDGE, 256)

    # Nodes and edges ---------------------------------------------------------------------------------------------

    def connect(
        self, node: int, value: int, children: Sequence[int], rows: Sequence[int], members: Iterable[int]
    ) -> None:
        """Let edges for a value lead from a node, and from those alike, instead of what there was for it."""
        edges = self.nodes.arrays["edge"]
        before, edge = -1, int(edges[node])
        while edge >= 0 and self.edges.arrays["value"][edge] != value:
            before, edge = edge, int(self.edges.arrays["following"][edge])
        if edge >= 0:  # it was only looked at: it makes way
            following = int(self.edges.arrays["following"][edge])
            if before < 0:
                edges[node] = following
            else:
                self.edges.arrays["following"][before] = following
        for child, row in zip(reversed(children), reversed(rows), strict=True):
            number = self.edges.length
            self.edges.append(value, child, int(edges[node]), row)
            edges[node] = number
        for each in members:
            edges[each] = edges[node]

    def edges_of(self, node: int) -> Iterator[tuple[int, int]]:
        """Give the edges of a node: values, and where they lead."""
        edges, edge = self.edges.arrays, int(self.nodes.arrays["edge"][node])
        while edge >= 0:
            yield int(edges["value"][edge]), int(edges["child"][edge])
            edge = int(edges["following"][edge])

    def children(self, node: int, value: int) -> list[int]:
        """Give the nodes below one for a value, in order."""
        return [child for of, child in self.edges_of(node) if of == value and child >= 0]

    def follows(self, node: int, events: Sequence[int], first: int) -> bool:
        """Tell whether the events of a path from one on are those of a node; the last may have become another one."""
        rows = {name: int(self.nodes.arrays[name][node]) for name in ("first", "count", "new")}
        if first + rows["count"] > len(events) or (rows["new"] >= 0 and events[first - 1] != rows["new"]):
            return False
        return all(events[first + number] == rows["first"] + number for number in range(rows["count"] - 1))

    def count(self, node: int) -> int:
        """Give the number of events of a node."""
        return int(self.nodes.arrays["count"][node])

    def end(self, node: int) -> int:
        """Give the number of the end of a path at a node; -1 for none."""
        return int(self.nodes.arrays["ended"][node])

    # What the kernels are given ----------------------------------------------------------------------------------

    def begin(self, test: Test, groups: Groups, roots: NDArray[np.int64]) -> None:
        """Give the kernels the arrays of which some change."""
        self._laid_out = self._parts()
        threads, zero = len(test.threads), np.zeros(1, dtype=np.int64)
        places = [test.placements[thread.name].instances for thread in test.threads]
        self.data = Paths(
            **self._changing_data(),
            thread_first=np.zeros(threads, dtype=np.int64),
            thread_count=np.zeros(threads, dtype=np.int64),
            symmetric_with=np.full(threads, -1, dtype=np.int64),
            inst=np.array(places, dtype=np.int64).reshape(-1, 6),
            **dict.fromkeys(("p_event", "p_cond", "cond_function", "e_arrive", "e_wait", "consts", "const_type"), zero),
            obs_thread=np.array(self._events.observed.owners, dtype=np.int64),
            obs_loc=self._events.observed_location,
        )
        lists = groups.group, groups.creators, self._new_constants(0)
        group, creator, constants = (np.array(each, dtype=np.int64) for each in lists)
        self.tries = Tries(roots=roots, group=group, creator=creator, constants=constants, **self._changing_tries())

    def _new_constants(self, first: int) -> list[int]:
        """Give the values of the constants that rows write or expect, from one on."""
        return [*map(self._events.values.number, self._events.rows.constants[first:])]

    def _changing_data(self) -> dict[str, Any]:
        return {
            **self._events.lowered,
            **self._ends.arrays,
        }

    def _changing_tries(self) -> dict[str, Any]:
        nodes, edges = self.nodes.arrays, self.edges.arrays
        return {
            **{f"node_{name}": nodes[name] for name in _NODE},
            **{f"edge_{name}": edges[name] for name in _EDGE},
            "can_write": self._events.rows.can_write,
            "cycles": self._events.rows.cycles,
            "closing": self._events.rows.closing,
            "closing_exact": self._events.rows.closing_exact,
            "in_order": self._events.rows.in_order,
            "coherent": self._events.rows.coherent,
            "share": self._events.rows.share,
            "share_row": self._events.rows.share_row,
            "share_next": self._events.rows.share_next,
            "constant_of": self._events.rows.constant_of,
            "expects": self._events.rows.expects,
            "holds": self._events.rows.holds,
            **self._events.asked_ahead,
        }

    def _parts(self) -> tuple[object, ...]:
        """Give what others take the place of where there was too little room in arrays for what has come since."""
        rows = self._events.rows
        columns = self.nodes.arrays, self.edges.arrays
        return (*self._events.parts, *rows.parts, *columns, *self._ends.parts)

    def lay_out(self) -> None:
        """Give the kernels the arrays as they are now: most are those that they have."""
        if new := self._new_constants(len(self.tries.constants)):
            self.tries = replaced(self.tries, constants=np.append(self.tries.constants, new))
        parts = self._parts()
        if all(map(is_, parts, self._laid_out)):
            return
        self._laid_out = parts
        self.data = replaced(self.data, **self._changing_data())
        self.tries = replaced(self.tries, **self._changing_tries())
