"""Graphs as mappings from nodes to their successors, where importing networkx would take longer than the work."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["components"]

_Node = TypeVar("_Node", bound=Hashable)


def components(edges: Mapping[_Node, Sequence[_Node]]) -> list[list[_Node]]:
    """Give the strongly connected components of a graph.

    Parameters
    ----------
    edges : mapping of node to sequence of node
        The successors of each node.

    Returns
    -------
    list of list of node
        Each component comes after those that it reaches.

    See Also
    --------
    networkx.strongly_connected_components

    References
    ----------
    R. Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972.

    Examples
    --------
    >>> components({"a": ["b"], "b": ["c"], "c": ["b"]})
    [['c', 'b'], ['a']]
    """
    index: dict[_Node, int] = {}
    low: dict[_Node, int] = {}
    open_: dict[_Node, None] = {}
    found: list[list[_Node]] = []
    for root in edges:
        if root in index:
            continue
        stack = [(root, iter(edges[root]))]  # explicit, as graphs may be deep
        index[root] = low[root] = len(index)
        open_[root] = None
        while stack:
            node, rest = stack[-1]
            for successor in rest:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    open_[successor] = None
                    stack.append((successor, iter(edges[successor])))
                    break
                if successor in open_:
                    low[node] = min(low[node], index[successor])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == index[node]:
                    component: list[_Node] = []
                    while not component or component[-1] != node:
                        component.append(open_.popitem()[0])
                    found.append(component)
    return found
