"""Pictures of token graphs: text for Graphviz, and SVG in layers, drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import networkx as nx

from enumerator.frozen import dataclass

__all__ = ["to_dot", "to_svg"]

_SHAPES = {
    "entry": ("ellipse", "#e3f1e3"),
    "operation": ("box", "#ffffff"),
    "merge": ("invtrapezium", "#e6ecf7"),
    "phi": ("hexagon", "#fbf0d9"),
    "value": ("ellipse", "#f2f2f2"),
    "return": ("box", "#f6e1e1"),
}
_LETTER, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 7.3, 38, 28, 44, 20


def to_dot(graphs: Mapping[str, nx.DiGraph[str]]) -> str:
    """Write token graphs in Graphviz's language, one cluster a function.

    Parameters
    ----------
    graphs : mapping of str to networkx.DiGraph
        As :func:`enumerator.dataflow.tokens.token_graph` makes them, by function.

    Returns
    -------
    str

    Examples
    --------
    >>> print(to_dot({}), end="")
    digraph tokens {
      node [fontname="Helvetica", style=filled];
    }
    """
    lines = ["digraph tokens {", '  node [fontname="Helvetica", style=filled];']
    for name, graph in graphs.items():
        lines += [f"  subgraph {_quoted('cluster ' + name)} {{", f"    label={_quoted('@' + name)};"]
        for node, data in graph.nodes(data=True):
            shape, colour = _SHAPES[data["kind"]]
            label = "\n".join(_label(data))
            attributes = f"label={_quoted(label)}, shape={shape}, fillcolor={_quoted(colour)}"
            lines.append(f"    {_quoted(name + ' ' + node)} [{attributes}];")
        for source, target, carried in graph.edges(data="carried"):
            style = " [style=dashed]" if carried else ""
            lines.append(f"    {_quoted(name + ' ' + source)} -> {_quoted(name + ' ' + target)}{style};")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _label(data: Mapping[str, object]) -> list[str]:
    """Give the lines of a node's label: what it is, where it is, and the token it makes."""
    lines = [str(data["label"])]
    notes = [f"line {data['line']}"] if data["line"] is not None else []
    if data["kind"] == "operation":
        notes.append(f"%{data['token']}")
    return lines + ([" · ".join(notes)] if notes else [])


# SVG ----------------------------------------------------------------------------------------------------------


@dataclass
class _Box:
    """A node on the page, or a bend of a long edge (of no width)."""

    layer: int
    width: float = 0.0
    x: float = 0.0
    y: float = 0.0


def to_svg(graphs: Mapping[str, nx.DiGraph[str]]) -> str:
    """Draw token graphs, one function beside the other, tokens flowing down; loop-carried edges are dashed.

    Parameters
    ----------
    graphs : mapping of str to networkx.DiGraph
        As :func:`enumerator.dataflow.tokens.token_graph` makes them, by function.

    Returns
    -------
    str
        A whole SVG document.
    """
    body: list[str] = []
    left, tallest = float(_MARGIN), 0.0
    for name, graph in graphs.items():
        parts, width, height = _drawn(name, graph)
        body.append(f'<g transform="translate({left:.0f},{_MARGIN})">')
        body += parts
        body.append("</g>")
        left += width + 2 * _GAP_X
        tallest = max(tallest, height)
    width, height = left + _MARGIN, tallest + 2 * _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">\n'
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,1 L8,4 L0,7 z" fill="#444"/></marker></defs>\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _drawn(name: str, graph: nx.DiGraph[str]) -> tuple[list[str], float, float]:
    """Draw one function: its parts, width and height."""
    forward: nx.DiGraph[str] = nx.DiGraph()
    forward.add_nodes_from(graph)
    forward.add_edges_from((a, b) for a, b, carried in graph.edges(data="carried") if not carried)
    boxes: dict[str, _Box] = {}
    routes: dict[tuple[str, str], list[str]] = {}
    for layer, nodes in enumerate(nx.topological_generations(forward)):
        for node in nodes:
            widest = max(map(len, _label(graph.nodes[node])))
            boxes[node] = _Box(layer, max(70.0, _LETTER * widest + 18))
    chains: nx.DiGraph[str] = nx.DiGraph()
    chains.add_nodes_from(boxes)
    for a, b in forward.edges:
        route = [a]
        for layer in range(boxes[a].layer + 1, boxes[b].layer):
            bend = f"{a}\0{b}\0{layer}"
            boxes[bend] = _Box(layer, 6.0)
            route.append(bend)
        routes[a, b] = [*route, b]
        chains.add_edges_from(zip(routes[a, b], routes[a, b][1:], strict=False))
    width, height = _place(boxes, chains)
    parts = [f'<text x="0" y="12" font-weight="bold">@{escape(name)}</text>']
    backward = [(a, b) for a, b, carried in graph.edges(data="carried") if carried]
    for route in routes.values():
        parts.append(_edge([boxes[node] for node in route]))
    for number, (a, b) in enumerate(backward):
        side = width + 14 + 12 * number
        parts.append(_back(boxes[a], boxes[b], side))
    for node, data in graph.nodes(data=True):
        parts += _node(boxes[node], data)
    return parts, width + (20 + 12 * len(backward) if backward else 0), height


def _place(boxes: dict[str, _Box], chains: nx.DiGraph[str]) -> tuple[float, float]:
    """Order each layer by the positions of neighbours and set all coordinates; give the width and height."""
    layers: list[list[str]] = [[] for _ in range(1 + max((box.layer for box in boxes.values()), default=0))]
    for node, box in boxes.items():
        layers[box.layer].append(node)
    rank = {node: float(place) for layer in layers for place, node in enumerate(layer)}
    for sweep in range(8):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            near = {
                node: [rank[other] for other in (chains.predecessors(node) if down else chains.successors(node))]
                for node in layer
            }
            layer.sort(key=lambda node: sum(near[node]) / len(near[node]) if near[node] else rank[node])  # noqa: B023
            rank.update((node, float(place)) for place, node in enumerate(layer))
    widths = [sum(boxes[node].width + _GAP_X for node in layer) - _GAP_X for layer in layers]
    total = max(widths, default=0.0)
    for number, (layer, wide) in enumerate(zip(layers, widths, strict=True)):
        x = (total - wide) / 2
        for node in layer:
            boxes[node].x = x + boxes[node].width / 2
            boxes[node].y = 24 + number * (_HEIGHT + _GAP_Y) + _HEIGHT / 2
            x += boxes[node].width + _GAP_X
    return total, 24 + len(layers) * (_HEIGHT + _GAP_Y) - _GAP_Y + 4


def _edge(boxes: list[_Box]) -> str:
    """Draw an edge from the bottom of a box through its bends to the top of another, as a smooth line."""
    points = [(boxes[0].x, boxes[0].y + _HEIGHT / 2)]
    for bend in boxes[1:-1]:
        points += [(bend.x, bend.y - _HEIGHT / 2), (bend.x, bend.y + _HEIGHT / 2)]
    points.append((boxes[-1].x, boxes[-1].y - _HEIGHT / 2))
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if x0 == x1:
            path += f" L{x1:.1f},{y1:.1f}"
        else:
            middle = (y0 + y1) / 2
            path += f" C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
    return f'<path d="{path}" fill="none" stroke="#444" marker-end="url(#tip)"/>'


def _back(source: _Box, target: _Box, side: float) -> str:
    """Draw a loop-carried edge around the right side."""
    x0, y0 = source.x + source.width / 2, source.y
    x1, y1 = target.x + target.width / 2, target.y
    path = (
        f"M{x0:.1f},{y0:.1f} L{side - 8:.1f},{y0:.1f} Q{side:.1f},{y0:.1f} {side:.1f},{y0 - 8:.1f} "
        f"L{side:.1f},{y1 + 8:.1f} Q{side:.1f},{y1:.1f} {side - 8:.1f},{y1:.1f} L{x1:.1f},{y1:.1f}"
    )
    return f'<path d="{path}" fill="none" stroke="#b35900" stroke-dasharray="5,3" marker-end="url(#tip)"/>'


def _node(box: _Box, data: Mapping[str, object]) -> list[str]:
    kind = str(data["kind"])
    left, top, width = box.x - box.width / 2, box.y - _HEIGHT / 2, box.width
    radius = _HEIGHT / 2 if kind in ("entry", "value") else 3
    style = f'fill="{_SHAPES[kind][1]}" stroke="#333"'
    if kind == "merge":
        shape = f"M{left},{top} h{width} l-12,{_HEIGHT} h{24 - width} z"
    elif kind == "phi":
        half = _HEIGHT / 2
        shape = f"M{left + 10},{top} h{width - 20} l10,{half} l-10,{half} h{20 - width} l-10,-{half} z"
    else:
        shape = ""
    parts = [
        f'<path d="{shape}" {style}/>'
        if shape
        else f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_HEIGHT}" rx="{radius}" {style}/>'
    ]
    lines = _label(data)
    for number, text in enumerate(lines):
        y = box.y + 4 if len(lines) == 1 else box.y - 3 + 15 * number
        colour = ' fill="#666" font-size="10.5"' if number else ""
        parts.append(f'<text x="{box.x:.1f}" y="{y:.1f}" text-anchor="middle"{colour}>{escape(text)}</text>')
    return parts
