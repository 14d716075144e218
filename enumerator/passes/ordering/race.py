"""The pass ``race``: operations wait for nothing but the entry, and returns for operations (semantics, section 6).

It is not sound: two operations on one location may run in either order.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import networkx as nx

from enumerator.passes.ordering.flow import ControlFlow
from enumerator.passes.ordering.operations import Operation, Operations
from enumerator.passes.ordering.tokens import ENTRY, Merge, Output, Reader, Token, merged

__all__ = ["race"]


def race(flow: ControlFlow, operations: Operations) -> dict[int, Token]:
    """Let every operation wait for the entry, and each return for what has run.

    Parameters
    ----------
    flow : ControlFlow
    operations : Operations

    Returns
    -------
    dict of int to Token
        What each operation waits for, by the number of its line.
    """
    inputs: list[tuple[int, int, list[Token]]] = []
    merges: dict[int, Token] = {}
    for block, ordered in operations.by_block.items():
        made = [operation for operation in ordered if operation.produces]
        inputs.extend((operation.number, block, [ENTRY]) for operation in made)
        if len(made) == 1:
            merges[block] = Output(made[0].number)
        elif made:
            merges[block] = Merge(block, None, [Output(operation.number) for operation in made])
    for operation in operations.ordered:
        if not operation.produces:
            inputs.append((operation.number, operation.block, _Return(flow, merges, operation).inputs()))
    return merged(inputs, keep_entry=True)


class _Return:
    """What one return waits for.

    The merges of the blocks that dominate it are there when it runs, so it waits for them directly. What ran in other
    blocks is found going backwards from it and from each block that dominates it, until such a block.
    """

    def __init__(self, flow: ControlFlow, merges: dict[int, Token], operation: Operation) -> None:
        self._flow = flow
        self._merges = merges
        self._chain = flow.dominators(operation.block)
        self._direct = frozenset(self._chain)
        self._passed: dict[int, Merge] = {}
        self._open: list[Merge] = []
        self._reader = Reader[str](flow, lambda _: ENTRY, self._assigned, self._across)

    def inputs(self) -> list[Token]:
        above = list(reversed(self._chain))
        found: list[Token] = [ENTRY, *(self._merges[block] for block in above if block in self._merges)]
        found.extend(self._reader.read(block, "others") for block in above if not self._handed_on(block))
        while self._open:
            merge = self._open.pop()
            merge.inputs.append(self._reader.read(merge.block, "others"))
        return found

    def _handed_on(self, block: int) -> bool:
        """Tell whether what ran before a block of the chain is among what ran before a later one."""
        later = self._chain[: self._chain.index(block)]
        return block in self._carried and any(other in self._component[block] for other in later)

    def _assigned(self, block: int, _: str) -> Token | None:
        """Give what has run by the end of a block: its own operations, and what ran before."""
        if block not in self._merges or block in self._direct:
            return None
        if block not in self._passed:
            self._passed[block] = Merge(block, None, [self._merges[block]])
            self._open.append(self._passed[block])
        return self._passed[block]

    def _across(self, block: int, before: int, others: str) -> str | Token | Literal["same"]:
        around = block in self._carried and block in self._component[before]
        if before in self._direct and not around:
            return ENTRY  # the return waits for it, and for what ran before it, directly
        return others

    @cached_property
    def _component(self) -> dict[int, frozenset[int]]:
        """The strongly connected component of each block."""
        components = [frozenset(component) for component in nx.strongly_connected_components(self._flow.graph)]
        return {block: component for component in components for block in component}

    @cached_property
    def _carried(self) -> frozenset[int]:
        """The blocks of cycles in which a round must hand on what earlier rounds did.

        A token says that all earlier runs of its operation are over. So nothing must be handed on in a cycle in which
        each round runs the same operations, and into which nothing else leads.
        """
        carried: set[int] = set()
        for component in set(self._component.values()):
            heads = component & self._direct
            others = component - self._direct
            if not heads:
                continue
            enters = any(
                before not in component and before not in self._direct
                for block in component
                for before in self._flow.graph.predecessors(block)
            )
            if enters or any(block in self._merges and self._avoidable(component, heads, block) for block in others):
                carried |= component
        return frozenset(carried)

    def _avoidable(self, component: frozenset[int], heads: frozenset[int], block: int) -> bool:
        """Tell whether a round through a head need not run a block."""
        rest = self._flow.graph.subgraph(component - {block})
        return any(
            (len(cycle) > 1 or rest.has_edge(*cycle, *cycle)) and not heads.isdisjoint(cycle)
            for cycle in nx.strongly_connected_components(rest)
        )
