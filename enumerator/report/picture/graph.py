"""An execution as a networkx graph that notebooks show as a picture."""

from __future__ import annotations

import networkx as nx

from enumerator.analysis.classify import classify
from enumerator.analysis.execution import Execution
from enumerator.analysis.graph import graph_of
from enumerator.report.picture.contents import scene_of
from enumerator.report.picture.svg import to_svg

__all__ = ["ExecutionGraph", "shown_graph"]


class ExecutionGraph(nx.MultiDiGraph):  # type: ignore[misc]  # its nodes are numbers
    """An execution (:func:`enumerator.analysis.graph.graph_of`); copies of it have no picture.

    Attributes
    ----------
    execution : Execution or None
        What it was made from.
    """

    execution: Execution | None = None

    def _repr_svg_(self) -> str | None:
        return None if self.execution is None else to_svg(scene_of(classify(self.execution)))


def shown_graph(execution: Execution) -> ExecutionGraph:
    """Give an execution as a graph that shows itself.

    Parameters
    ----------
    execution : Execution

    Returns
    -------
    ExecutionGraph
    """
    graph = ExecutionGraph()
    graph_of(execution, create_using=graph)
    graph.execution = execution
    return graph
