"""A scope tree as a graph that notebooks show as boxes."""

from __future__ import annotations

from html import escape
from typing import Any

import networkx as nx

from enumerator.program.instructions import Scope

__all__ = ["ScopeTree"]


class ScopeTree(nx.DiGraph):  # type: ignore[misc]  # its nodes are pairs
    """A scope tree (:func:`enumerator.scopes.scope_tree`).

    Examples
    --------
    >>> from enumerator.scopes import scope_tree
    >>> "workgroup 0" in scope_tree("(workgroup t0 t1)")._repr_html_()
    True
    """

    def _repr_html_(self) -> str:
        roots = [node for node in self if self.in_degree(node) == 0]

        def drawn(node: tuple[Scope, int]) -> str:
            data: dict[str, Any] = self.nodes[node]
            inner = list(self.successors(node))
            if len(inner) == 1 and "thread" not in data and self._says_nothing(node, inner[0]):
                return drawn(inner[0])  # a level that holds one instance of the next one
            name = data.get("thread", f"{node[0].name.lower()} {node[1]}")
            label = f'<div style="font-size:85%;opacity:.75">{escape(str(name))}</div>'
            border = "1px solid currentColor;border-radius:6px;padding:4px 8px;margin:4px;display:inline-block"
            return f'<div style="border:{border};vertical-align:top">{label}{"".join(map(drawn, inner))}</div>'

        return "".join(map(drawn, roots))

    def _says_nothing(self, node: tuple[Scope, int], only: tuple[Scope, int]) -> bool:
        return len(list(self.successors(only))) <= 1 and node[0].name != "WORKGROUP"
