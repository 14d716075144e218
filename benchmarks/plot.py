"""Curves of cost against size as SVG: the size across, the cost up on a logarithmic axis, a curve a family."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

__all__ = ["plot"]

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 150, 44, 56
# Distinguishable for most people with colour-blindness (Okabe and Ito, 2008); each with a mark of its own.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def plot(title: str, across: str, up: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw curves with the values up on a logarithmic axis.

    Parameters
    ----------
    title, across, up : str
        What stands above, and at the axes.
    curves : mapping of str to sequence of (float, float)
        Points of each curve, the second number positive.

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> "polyline" in plot("cost", "size", "seconds", {"SB": [(2, 0.1), (3, 0.2)]})
    True
    """
    points = [point for curve in curves.values() for point in curve]
    if not points:
        raise ValueError("nothing to plot")
    low, high = math.floor(_log(min(y for _, y in points))), math.ceil(_log(max(y for _, y in points)))
    high = max(high, low + 1)
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    last = max(last, first + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        return (
            LEFT + (x - first) / (last - first) * (right - LEFT),
            bottom - (_log(y) - low) / (high - low) * (bottom - TOP),
        )

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, 24, title, "start", 16),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, across, "middle"),
        f'<text x="18" y="{(TOP + HEIGHT - BOTTOM) / 2:.1f}" text-anchor="middle" '
        f'transform="rotate(-90 18 {(TOP + HEIGHT - BOTTOM) / 2:.1f})">{escape(up)}</text>',
    ]
    for power in range(low, high + 1):
        _, y = place(first, 10.0**power)
        lines.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        lines.append(_text(LEFT - 8, y + 4, f"{10.0**power:g}", "end"))
    step = max(1, math.ceil((last - first) / 12))
    for size in range(math.ceil(first), math.floor(last) + 1, step):
        x, y = place(size, 10.0**low)
        lines.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y + 5:.1f}" stroke="black"/>')
        lines.append(_text(x, y + 20, str(size), "middle"))
    base = HEIGHT - BOTTOM
    lines.append(f'<path d="M{LEFT} {TOP}V{base}H{WIDTH - RIGHT}" fill="none" stroke="black"/>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [place(x, y) for x, y in sorted(curve)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [_mark(number, x, y, colour) for x, y in placed]
        beside = TOP + 12 + 22 * number
        lines.append(_mark(number, WIDTH - RIGHT + 22, beside, colour))
        lines.append(_text(WIDTH - RIGHT + 34, beside + 4, name, "start"))
    return "\n".join([*lines, "</svg>", ""])


def _log(value: float) -> float:
    return math.log10(max(value, 1e-9))


def _text(x: float, y: float, text: str, anchor: str, size: int = 13) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


def _mark(number: int, x: float, y: float, colour: str) -> str:
    """Draw a mark: a disc, a square, a triangle, or a diamond."""
    match number % 4:
        case 0:
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
        case 1:
            return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>'
        case 2:
            return f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{colour}"/>'
    return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{colour}"/>'
