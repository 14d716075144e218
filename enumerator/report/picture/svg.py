"""Pictures as SVG, by a template: text stays text, nothing is fetched, and readers get a description in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from enumerator.report.picture.layout import MARGIN, Layout, Placed, Route, arrange
from enumerator.report.picture.scene import Scene
from enumerator.report.picture.style import STROKES, style_sheet

__all__ = ["css_name", "stacked", "to_svg"]

_CURVE = 7.0


def to_svg(scene: Scene, *, alone: bool = True) -> str:
    """Draw an execution.

    Parameters
    ----------
    scene : Scene
    alone : bool
        A whole document with its own style sheet; else a piece of a page that has one.

    Returns
    -------
    str

    Examples
    --------
    >>> from enumerator.report.picture import Box, Column
    >>> boxes = (Box("e0", (0,), None, "", "@x = 0"), Box("e1", (1,), 0, "store", "@x = 1"))
    >>> picture = to_svg(Scene("a test", "llvm", (Column("t0"),), (), boxes, (), ()))
    >>> picture.startswith("<svg"), "@x = 1" in picture
    (True, True)
    """
    top = MARGIN + 16 + 17 * (bool(scene.subtitle) + len(scene.reasons)) + 14
    layout = arrange(scene, top)
    keys = _legend(scene, layout)
    width = max(layout.width, 2 * MARGIN + max(map(len, (scene.title, *scene.reasons)), default=0) * 8.2)
    width = max(width, 2 * MARGIN + 6.6 * len(scene.subtitle))
    width = max([width, *(2 * MARGIN + sum(50 + 6.3 * len(told) for _, told in line) for line in keys)])
    height = layout.height + 18 * len(keys) + (34 if keys else 14)
    style = f"<style>{style_sheet()}</style>" if alone else ""
    forbidden = " ex-forbidden" if scene.reasons else ""
    body = [
        f'<rect class="ex-ground" width="{width:.0f}" height="{height:.0f}"/>',
        *_heading(scene),
        *_ground(layout),
        *(_order(layout)),
        *(_link(route) for route in sorted(layout.routes, key=lambda route: route.link.strong)),
        *(_box(placed) for placed in layout.boxes.values()),
        *_key_lines(keys, layout.height + 14),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ex{forbidden}" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">'
        f"<title>{_text(f'{scene.title}: {scene.subtitle}')}</title>"
        f"<desc>{_text('. '.join(scene.told))}</desc>{style}\n" + "\n".join(body) + "\n</svg>\n"
    )


def stacked(scenes: Sequence[Scene]) -> str:
    """Draw several executions one below the other, as one document.

    Parameters
    ----------
    scenes : sequence of Scene

    Returns
    -------
    str
    """
    if len(scenes) == 1:
        return to_svg(scenes[0])
    parts, y, widest = [], 0, 0
    for scene in scenes:
        picture = to_svg(scene, alone=False)
        width, height = (int(found) for found in re.findall(r' (?:width|height)="(\d+)"', picture)[:2])
        parts.append(picture.replace("<svg ", f'<svg y="{y}" ', 1))
        y += height
        widest = max(widest, width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ex" width="{widest}" height="{y}" '
        f'viewBox="0 0 {widest} {y}"><style>{style_sheet()}</style>'
        f'<rect class="ex-ground" width="{widest}" height="{y}"/>\n{"".join(parts)}</svg>\n'
    )


def css_name(relation: str) -> str:
    """Give the class of a relation's edges.

    Examples
    --------
    >>> css_name("rf"), css_name("a b;c")
    ('ex-r-rf', 'ex-r-a_b_c')
    """
    return "ex-r-" + re.sub(r"[^A-Za-z0-9-]", "_", relation)


def _text(text: str) -> str:
    """Escape text for XML, which has no place for most control characters at all."""
    return escape(re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text))


def _heading(scene: Scene) -> Iterator[str]:
    y = MARGIN + 12
    yield f'<text class="ex-h" x="{MARGIN:.0f}" y="{y:.0f}">{_text(scene.title)}</text>'
    if scene.subtitle:
        y += 18
        yield f'<text class="ex-sub" x="{MARGIN:.0f}" y="{y:.0f}">{_text(scene.subtitle)}</text>'
    for reason in scene.reasons:
        y += 17
        yield f'<text class="ex-why" x="{MARGIN:.0f}" y="{y:.0f}">{_text(reason)}</text>'


def _ground(layout: Layout) -> Iterator[str]:
    for x, y, width, height in layout.lanes:
        yield _rect("ex-lane", x, y, width, height, 8)
    for frame, (x, y, width, height) in zip(layout.scene.frames, layout.frames, strict=True):
        yield _rect("ex-frame", x, y, width, height, 10)
        yield f'<text class="ex-scope" x="{x + 9:.1f}" y="{y + 14:.1f}">{_text(frame.label)}</text>'
    for column, (x, y) in zip(layout.scene.columns, layout.names, strict=True):
        yield f'<text class="ex-thread" x="{x:.1f}" y="{y:.1f}">{_text(column.name)}</text>'
        if column.function:
            at = x + 8.2 * len(column.name) + 8
            yield f'<text class="ex-fn" x="{at:.1f}" y="{y:.1f}">{_text(column.function)}</text>'


def _rect(name: str, x: float, y: float, width: float, height: float, radius: float) -> str:
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:.0f}"/>'


# Boxes --------------------------------------------------------------------------------------------------------


def _box(placed: Placed) -> str:
    box = placed.box
    names = "ex-box" + (" ex-strong" if box.strong else "") + (" ex-mark" if box.badges else "")
    line = f' data-line="{box.line}"' if box.line is not None else ""
    told = f"<title>{_text(box.told)}</title>" if box.told else ""
    parts = [f'<g class="{names}"{line}>{told}', _rect("", placed.x, placed.y, placed.width, placed.height, 6)]
    x = placed.x + 10
    y = placed.y + 17
    title = f"{_text(box.title)} " if box.title else ""
    parts.append(f'<text x="{x:.1f}" y="{y:.1f}">{title}<tspan class="ex-acc">{_text(box.access)}</tspan></text>')
    at = placed.x + placed.width - 8
    for badge in reversed(box.badges):
        parts.append(f'<text class="ex-badge" text-anchor="end" x="{at:.1f}" y="{y:.1f}">{_text(badge)}</text>')
        at -= 6.5 * len(badge) + 8
    if box.source and box.column is not None:
        y += 15
        parts.append(f'<text class="ex-src" x="{x:.1f}" y="{y:.1f}">{_text(f"{box.place}  {box.source}")}</text>')
    for note in box.notes:
        y += 15
        parts.append(f'<text class="ex-note" x="{x:.1f}" y="{y:.1f}">{_text(note)}</text>')
    return "".join((*parts, "</g>"))


# Lines --------------------------------------------------------------------------------------------------------


def _order(layout: Layout) -> Iterator[str]:
    """Draw program order from box to box, dashed and with its reason where annotations remove it."""
    beside = {
        (link.source, link.target): link
        for link in layout.scene.links
        if link.relation in ("removed", "po", "po-hb", "ppo")
    }
    for a, b in layout.order:
        link = beside.get((a.box.name, b.box.name))
        x, y0, y1 = a.middle, a.y + a.height, b.y
        removed = link is not None and link.relation == "removed"
        strong = " ex-strong" if link is not None and link.strong else ""
        style = "removed" if removed else "axiom" if strong else "po"
        stroke = STROKES[style]
        line = f'<path class="ex-line" d="M{x:.1f},{y0:.1f} V{y1 - (0 if removed else 5):.1f}"{_stroke(style)}/>'
        tip = "" if stroke.head == "none" else _tip((x, y0), (x, y1), stroke.head)
        label = ""
        if link is not None and link.label:
            label = f'<text x="{x + 8:.1f}" y="{(y0 + 15):.1f}">{_text(link.label)}</text>'
        name = css_name("removed" if removed else "po")
        yield f'<g class="ex-l ex-{style} {name}{strong}">{line}{tip}{label}</g>'


def _link(route: Route) -> str:
    link = route.link
    stroke = STROKES[link.style]
    points = route.points
    names = f"ex-l ex-{link.style} {css_name(link.relation)}"
    names += (" ex-strong" if link.strong else "") + (" ex-extra" if link.extra else "")
    path = _path(_shortened(points, both=link.mutual and stroke.head != "none", head=stroke.head))
    parts = [f'<g class="{names}">', f"<title>{_text(link.told)}</title>"]
    parts.append(f'<path class="ex-line" d="{path}"{_stroke(link.style)}/>')
    if stroke.double:
        parts.append(f'<path class="ex-in" d="{path}" stroke-width="1.2"/>')
    if stroke.head != "none":
        parts.append(_tip(points[-2], points[-1], stroke.head))
        if link.mutual:
            parts.append(_tip(points[1], points[0], stroke.head))
    x, y = route.label
    half = route.width / 2
    parts.append(f'<rect x="{x - half:.1f}" y="{y - 7.5:.1f}" width="{route.width:.1f}" height="15" rx="4"/>')
    parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{_text(link.label)}</text></g>')
    return "".join(parts)


def _stroke(style: str) -> str:
    stroke = STROKES[style]
    dash = f' stroke-dasharray="{stroke.dash}"' if stroke.dash else ""
    round_ = ' stroke-linecap="round"' if stroke.dash.startswith("1 ") else ""
    return f' stroke-width="{stroke.width}"{dash}{round_}'


def _shortened(points: Sequence[tuple[float, float]], *, both: bool, head: str) -> list[tuple[float, float]]:
    """End a line where its tip begins."""
    found = list(points)
    if head != "none":
        found[-1] = _towards(found[-1], found[-2], 5)
    if both:
        found[0] = _towards(found[0], found[1], 5)
    return found


def _towards(a: tuple[float, float], b: tuple[float, float], by: float) -> tuple[float, float]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max((dx * dx + dy * dy) ** 0.5, 0.001)
    by = min(by, length)
    return a[0] + dx / length * by, a[1] + dy / length * by


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Give a line with rounded corners."""
    corners = [points[0]]
    corners += [point for before, point in zip(points, points[1:], strict=False) if point != before]
    path = f"M{corners[0][0]:.1f},{corners[0][1]:.1f}"
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        room = min(_CURVE, _apart(before, corner) / 2, _apart(corner, after) / 2)
        start, end = _towards(corner, before, room), _towards(corner, after, room)
        path += f" L{start[0]:.1f},{start[1]:.1f} Q{corner[0]:.1f},{corner[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    return path + f" L{corners[-1][0]:.1f},{corners[-1][1]:.1f}"


def _apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _tip(before: tuple[float, float], end: tuple[float, float], head: str) -> str:
    """Draw the end of a line; no marker, as those that are hidden with one picture would be missing in all."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = max((dx * dx + dy * dy) ** 0.5, 0.001)
    dx, dy = dx / length, dy / length
    x, y = end
    if head == "dot":
        x, y = x - 3.5 * dx, y - 3.5 * dy
        return f'<path class="ex-tip" d="M{x - 3:.1f},{y:.1f} a3,3 0 1,0 6,0 a3,3 0 1,0 -6,0 z"/>'
    back = 8.0
    one = x - back * dx - 4 * dy, y - back * dy + 4 * dx
    other = x - back * dx + 4 * dy, y - back * dy - 4 * dx
    shape = f"M{one[0]:.1f},{one[1]:.1f} L{x:.1f},{y:.1f} L{other[0]:.1f},{other[1]:.1f}"
    if head == "open":
        return f'<path class="ex-tip-open" d="{shape}"/>'
    return f'<path class="ex-tip" d="{shape} z"/>'


# Legend -------------------------------------------------------------------------------------------------------


def _legend(scene: Scene, layout: Layout) -> list[list[tuple[str, str]]]:
    """Say what the strokes mean, in as many lines as it takes."""
    styles = {link.style: link for link in scene.links if not link.extra}
    entries = []
    for style, stroke in STROKES.items():
        if style in styles and style != "other":
            name = styles[style].relation if style != "removed" else ""
            entries.append((style, f"{name}: {stroke.meaning}" if name and style != "axiom" else stroke.meaning))
    lines: list[list[tuple[str, str]]] = []
    room = 0.0
    for entry in entries:
        needed = 50 + 6.3 * len(entry[1])
        if not lines or room + needed > max(layout.width, 520) - 2 * MARGIN:
            lines.append([])
            room = 0.0
        lines[-1].append(entry)
        room += needed
    return lines


def _key_lines(lines: Sequence[Sequence[tuple[str, str]]], top: float) -> Iterator[str]:
    for number, entries in enumerate(lines):
        x, y = MARGIN, top + 18 * number
        for style, text in entries:
            stroke = STROKES[style]
            inner = f'<path class="ex-in" d="M{x:.1f},{y:.1f} H{x + 26:.1f}" stroke-width="1.2"/>'
            tip = "" if stroke.head == "none" else _tip((x, y), (x + 32, y), stroke.head)
            line = f'<path class="ex-line" d="M{x:.1f},{y:.1f} H{x + 26:.1f}"{_stroke(style)}/>'
            yield (
                f'<g class="ex-l ex-sample ex-{style}">{line}{inner if stroke.double else ""}{tip}</g>'
                f'<text class="ex-key" x="{x + 38:.1f}" y="{y + 4:.1f}">{_text(text)}</text>'
            )
            x += 50 + 6.3 * len(text)
