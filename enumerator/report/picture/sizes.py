"""How large boxes are, as their texts need it, and in which rows they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import networkx as nx

from enumerator.report.picture.scene import Box, Scene

__all__ = ["LETTER", "PAD", "SMALL", "height_of", "rows_of", "width_of"]

LETTER = 7.35  # of the text of boxes, at 12 px
SMALL = 6.45  # of their smaller lines, at 10.5 px
_LINE = 15.0
PAD = 10.0


def rows_of(scene: Scene, boxes: Sequence[Box]) -> dict[str, int]:
    """Give each box a row: below its predecessor, not above what it reads from, in a row with whom it meets.

    What would contradict program order, or each other, is left out.

    Parameters
    ----------
    scene : Scene
    boxes : sequence of Box
        Those of threads.

    Returns
    -------
    dict of str to int
        By the names of the boxes, from 0.

    Examples
    --------
    >>> from enumerator.report.picture.scene import Link
    >>> boxes = [Box("a", (0,), 0, ""), Box("b", (1,), 0, ""), Box("c", (2,), 1, "")]
    >>> order, links = (("a", "b"),), (Link("b", "c", "rf", "rf", "rf"),)
    >>> rows_of(Scene("", "", (), (), tuple(boxes), links, order), boxes)
    {'a': 0, 'b': 1, 'c': 1}
    """
    head = {name: group[0] for group in scene.aligned for name in group}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(head.get(box.name, box.name) for box in boxes)
    strict: set[tuple[str, str]] = set()
    for a, b in scene.program_order:
        one, other = head.get(a, a), head.get(b, b)
        if one == other or (other in graph and nx.has_path(graph, other, one)):
            head = {}
            return rows_of(_without_alignment(scene), boxes)
        graph.add_edge(one, other)
        strict.add((one, other))
    column = {box.name: box.column for box in boxes}
    for style in ("rf", "sw", "bar", "order", "fr"):
        for link in scene.links:
            a, b = head.get(link.source, link.source), head.get(link.target, link.target)
            if link.style != style or link.mutual or a not in graph or b not in graph or a == b or link.extra:
                continue
            if column[link.source] != column[link.target] and not nx.has_path(graph, b, a):
                graph.add_edge(a, b)
    rows: dict[str, int] = {}
    for node in nx.topological_sort(graph):
        rows[node] = max((rows[before] + ((before, node) in strict) for before in graph.predecessors(node)), default=0)
    return {box.name: rows[head.get(box.name, box.name)] for box in boxes}


def _without_alignment(scene: Scene) -> Scene:
    return replace(scene, aligned=())


def height_of(box: Box) -> float:
    """Give the height that the lines of a box need."""
    lines = 1 + bool(box.source and box.column is not None) + len(box.notes)
    return lines * _LINE + 12


def width_of(box: Box) -> float:
    """Give the width that the longest line of a box needs."""
    badges = sum(6.5 * len(badge) + 10 for badge in box.badges)
    first = LETTER * (len(box.title) + 1 + len(box.access)) + badges
    second = SMALL * (len(box.place) + 2 + len(box.source))
    notes = [SMALL * len(note) for note in box.notes]
    return max(first, second, *notes, 0.0) + 2 * PAD
