"""Graphs that notebooks show as pictures: networkx graphs in all else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from enumerator.analysis.execution import Execution
    from enumerator.program.instructions import Scope

__all__ = ["ExecutionGraph", "ScopeTree", "TokenGraph"]


class ExecutionGraph(nx.MultiDiGraph):  # type: ignore[misc]  # its nodes are numbers
    """An execution (:func:`enumerator.analysis.graph.execution_graph`); copies of it have no picture.

    Attributes
    ----------
    execution : Execution or None
        What it was made from.
    """

    execution: Execution | None = None

    def _repr_svg_(self) -> str | None:
        if self.execution is None:
            return None
        from enumerator.analysis.classify import classify_execution
        from enumerator.report.picture.contents import scene_of
        from enumerator.report.picture.svg import to_svg

        return to_svg(scene_of(classify_execution(self.execution)))


class TokenGraph(nx.DiGraph):  # type: ignore[misc]  # its nodes are texts
    """The ordering tokens of a function (:func:`enumerator.dataflow.tokens.token_graph`)."""

    def _repr_svg_(self) -> str | None:
        from enumerator.dataflow.picture import to_svg

        if not all("label" in data for _, data in self.nodes(data=True)):
            return None  # not all of it is there yet, or it is a part of another graph
        return to_svg({str(self.graph.get("name", "")): self})


class ScopeTree(nx.DiGraph):  # type: ignore[misc]  # its nodes are pairs
    """A scope tree (:func:`enumerator.scopes.scope_tree`).

    Examples
    --------
    >>> from enumerator.scopes import scope_tree
    >>> "workgroup 0" in scope_tree("(workgroup t0 t1)")._repr_html_()
    True
    """

    def _repr_html_(self) -> str:
        from html import escape

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
