"""Pictures of executions in Graphviz's language, for those who want to arrange them themselves."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.report.picture.scene import Box, Frame, Scene
from enumerator.report.picture.style import PALETTE, STROKES

__all__ = ["to_dot"]


def to_dot(scene: Scene) -> str:
    """Write an execution in Graphviz's language: a cluster a scope instance and thread, an edge a link.

    Parameters
    ----------
    scene : Scene

    Returns
    -------
    str

    Examples
    --------
    >>> from enumerator.report.picture import Box, Column
    >>> boxes = (Box("e0", (0,), 0, "store", "@x = 1"),)
    >>> print(to_dot(Scene("a test", "llvm", (Column("t0"),), (), boxes, (), ())), end="")
    digraph "a test" {
      graph [label="a test\\nllvm", labelloc=t, fontname="Helvetica", compound=true];
      node [shape=box, style="rounded,filled", fillcolor=white, fontname="monospace", fontsize=10];
      edge [fontname="monospace", fontsize=9];
      subgraph "cluster thread 0" {
        label="t0";
        "e0" [label="store @x = 1"];
      }
    }
    """
    heading = "\n".join((scene.title, scene.subtitle, *scene.reasons))
    lines = [
        f"digraph {_quoted(scene.title)} {{",
        f'  graph [label={_quoted(heading)}, labelloc=t, fontname="Helvetica", compound=true];',
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    initial = [box for box in scene.boxes if box.column is None]
    if initial:
        lines.append("  { rank=source;")
        lines += [f"    {_node(box)}" for box in initial]
        lines.append("  }")
    lines += _clusters(scene, 0, 0, len(scene.columns) - 1, "  ")
    removed = {(link.source, link.target) for link in scene.links if link.relation == "removed"}
    for a, b in scene.program_order:
        if (a, b) not in removed:
            lines.append(f"  {_quoted(a)} -> {_quoted(b)} [color={_colour('po')}, weight=10];")
    for link in scene.links:
        stroke = STROKES[link.style]
        style = "dotted" if stroke.dash.startswith(("1 ", "2 ")) else "dashed" if stroke.dash else "solid"
        parts = [f"label={_quoted(link.label)}", f"color={_colour(link.style)}", f"fontcolor={_colour(link.style)}"]
        parts.append(f'style="{style}{",bold" if link.strong else ""}"')
        parts.append(f"penwidth={3.0 if link.strong else 2.0 if stroke.double else 1.2}")
        if link.mutual:
            parts.append("dir=both")
        elif stroke.head == "none":
            parts.append("dir=none")
        parts.append("constraint=false")
        lines.append(f"  {_quoted(link.source)} -> {_quoted(link.target)} [{', '.join(parts)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _clusters(scene: Scene, depth: int, first: int, last: int, indent: str) -> Iterator[str]:
    """Write scope instances from the outermost inwards, then the threads."""
    frames = [frame for frame in scene.frames if frame.depth == depth and first <= frame.first <= last]
    if not frames:
        for number in range(first, last + 1):
            yield f'{indent}subgraph "cluster thread {number}" {{'
            yield f"{indent}  label={_quoted(scene.columns[number].name)};"
            yield from (f"{indent}  {_node(box)}" for box in scene.boxes if box.column == number)
            yield f"{indent}}}"
    for frame in frames:
        yield f"{indent}subgraph {_quoted(_name(frame))} {{"
        yield f"{indent}  label={_quoted(frame.label)}; style=rounded; color={_colour('faint')};"
        yield from _clusters(scene, depth + 1, frame.first, frame.last, indent + "  ")
        yield f"{indent}}}"


def _name(frame: Frame) -> str:
    return f"cluster {frame.depth} {frame.first} {frame.label}"


def _node(box: Box) -> str:
    lines = [" ".join(filter(None, (box.title, box.access)))]
    if box.source and box.column is not None:
        lines.append(f"{box.place}  {box.source}")
    lines += [*box.notes, *(f"({badge})" for badge in box.badges)]
    parts = [f"label={_quoted(chr(10).join(lines))}"]
    if box.badges or box.strong:
        parts.append(f"color={_colour('race')}, penwidth=2")
    return f"{_quoted(box.name)} [{', '.join(parts)}];"


def _colour(name: str) -> str:
    return f'"{PALETTE[name][0]}"'


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
