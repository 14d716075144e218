"""The control flow of a function: predecessors, dominators and natural loops."""

from __future__ import annotations

from functools import cached_property

import networkx as nx

from enumerator.frozen import dataclass
from enumerator.passes.ordering.printed import Function

__all__ = ["ControlFlow", "Loop"]


@dataclass(frozen=True)
class Loop:
    """A natural loop: its header, and all its blocks."""

    header: int
    blocks: frozenset[int]


class ControlFlow:
    """The control-flow graph of a function. Blocks are numbered in the order of the text; the entry is 0.

    Parameters
    ----------
    function : Function

    Attributes
    ----------
    successors, predecessors : list of list of int
        By block, an edge as often as the terminator has it.
    graph : networkx.DiGraph
        The blocks that the entry reaches.
    """

    def __init__(self, function: Function) -> None:
        numbers = {block.label: number for number, block in enumerate(function.blocks)}
        self.successors = [[numbers[label] for label in block.successors()] for block in function.blocks]
        self.predecessors: list[list[int]] = [[] for _ in self.successors]
        for block, targets in enumerate(self.successors):
            for target in targets:
                self.predecessors[target].append(block)
        whole: nx.DiGraph[int] = nx.DiGraph()
        whole.add_nodes_from(range(len(self.successors)))
        whole.add_edges_from((block, target) for block, targets in enumerate(self.successors) for target in targets)
        self.graph: nx.DiGraph[int] = whole.subgraph({0} | nx.descendants(whole, 0)).copy()

    @cached_property
    def immediate_dominators(self) -> dict[int, int]:
        """The immediate dominator of each block that the entry reaches; the entry has none."""
        found = nx.immediate_dominators(self.graph, 0)
        return {block: above for block, above in found.items() if block != 0 and above is not None}

    def dominators(self, block: int) -> list[int]:
        """Give the blocks that dominate a block, itself first and the entry last; a dead block only has itself."""
        chain = [block]
        while chain[-1] in self.immediate_dominators:
            chain.append(self.immediate_dominators[chain[-1]])
        return chain

    @cached_property
    def dominated(self) -> dict[int, int]:
        """For each block that the entry reaches, the blocks that it strictly dominates, as the bits of a number."""
        found = dict.fromkeys(self.graph, 0)
        for block in self.graph:
            for above in self.dominators(block)[1:]:
                found[above] |= 1 << block
        return found

    @cached_property
    def reached(self) -> dict[int, int]:
        """For each block that the entry reaches, the blocks that one edge or more lead to, as the bits of a number."""
        found: dict[int, int] = {}
        condensed = nx.condensation(self.graph)
        for component in reversed(list(nx.topological_sort(condensed))):
            members = condensed.nodes[component]["members"]
            bits = 0
            for member in members:
                for target in self.graph.successors(member):
                    bits |= 1 << target
                    if target not in members:
                        bits |= found[target]
            for member in members:
                found[member] = bits
        return found

    def in_cycle(self, block: int) -> bool:
        """Tell whether a block can run more than once."""
        return block in self.graph and bool(self.reached[block] >> block & 1)

    @cached_property
    def loops(self) -> list[Loop]:
        """The natural loops, those with the fewest blocks first; loops with the same header are one."""
        bodies: dict[int, set[int]] = {}
        for tail, header in self.graph.edges:
            if header == tail or self.dominated[header] >> tail & 1:
                body = bodies.setdefault(header, {header})
                waiting = [tail]
                while waiting:
                    block = waiting.pop()
                    if block not in body:
                        body.add(block)
                        waiting.extend(self.graph.predecessors(block))
        found = [Loop(header, frozenset(body)) for header, body in bodies.items()]
        return sorted(found, key=lambda loop: (len(loop.blocks), loop.header))

    @cached_property
    def is_reducible(self) -> bool:
        """Whether every cycle is around the header of a natural loop."""
        forward = nx.DiGraph(
            (block, target)
            for block, target in self.graph.edges
            if block != target and not self.dominated[target] >> block & 1
        )
        return bool(nx.is_directed_acyclic_graph(forward))

    def loops_around(self, block: int) -> list[Loop]:
        """Give the loops that hold a block, the deepest first."""
        return [loop for loop in self.loops if block in loop.blocks]
