"""How relations are drawn: a stroke each, told apart by dashes, ends and labels, and by colour only in addition.

The colours are those of Okabe and Ito, darkened on white and lightened on black until their contrast with the
background is at least 4.5 to 1 (WCAG 2.1, 1.4.3), so that labels can have them, too.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from enumerator.frozen import dataclass

__all__ = ["PALETTE", "STROKES", "Stroke", "style_of", "style_sheet"]


@dataclass(frozen=True)
class Stroke:
    """How an edge is drawn.

    Parameters
    ----------
    dash : str
        As ``stroke-dasharray``; empty for a whole line.
    width : float
    head : {'full', 'open', 'dot', 'none'}
    double : bool
        Two thin lines side by side.
    meaning : str
        For the legend.
    """

    dash: str
    width: float
    head: str
    meaning: str
    double: bool = False


STROKES = {
    "po": Stroke("", 1.2, "full", "program order"),
    "removed": Stroke("2 4", 1.6, "none", "program order that annotations remove"),
    "rf": Stroke("", 1.8, "full", "reads from"),
    "order": Stroke("9 4", 1.6, "full", "order of writes to a location"),
    "fr": Stroke("2 3", 1.8, "open", "reads before a later write (from-reads)"),
    "sw": Stroke("", 3.6, "full", "synchronizes with", double=True),
    "hb": Stroke("12 3 2 3", 1.6, "open", "ordered by happens-before"),
    "avail": Stroke("5 3", 1.6, "dot", "makes a write available"),
    "vis": Stroke("5 3 1 3", 1.6, "dot", "makes a write visible"),
    "bar": Stroke("", 3.6, "none", "threads meet at a barrier", double=True),
    "race": Stroke("1 5", 3.2, "full", "data race"),
    "dep": Stroke("3 3", 1.2, "open", "dependency or token"),
    "axiom": Stroke("", 2.0, "full", "a step of the axiom that refuses the execution"),
    "other": Stroke("7 3 2 3 2 3", 1.2, "open", "another relation of the model"),
}
"""By the names that links use."""

PALETTE = {
    # name: (on white, on black)
    "ground": ("#ffffff", "#14171c"),
    "ink": ("#1b1f24", "#e8eaed"),
    "muted": ("#57606a", "#a5adb8"),
    "faint": ("#d0d7de", "#3b424c"),
    "lane": ("#f6f8fa", "#1b2027"),
    "box": ("#ffffff", "#222831"),
    "edge": ("#6e7781", "#8b949e"),
    "warn": ("#fff1e5", "#3a2415"),
    "po": ("#57606a", "#a5adb8"),
    "removed": ("#57606a", "#a5adb8"),
    "rf": ("#00735a", "#3ecfa5"),
    "order": ("#005f9e", "#6cb6f5"),
    "fr": ("#9a3a78", "#ec9ccb"),
    "sw": ("#9a5200", "#f0a94a"),
    "hb": ("#3f4752", "#c5ccd6"),
    "avail": ("#6639ba", "#b8a1f5"),
    "vis": ("#1b6f86", "#67cbe4"),
    "bar": ("#57606a", "#a5adb8"),
    "race": ("#b3261e", "#ff8f85"),
    "dep": ("#57606a", "#a5adb8"),
    "axiom": ("#b3261e", "#ff8f85"),
    "other": ("#57606a", "#a5adb8"),
}
"""The colours of pictures and pages, on a light and on a dark ground."""

_BY_NAME = {
    **{name: name for name in ("po", "rf", "fr", "sw", "hb", "avail", "vis", "bar", "race", "removed")},
    **dict.fromkeys(("mo", "co"), "order"),
    **dict.fromkeys(("addr", "data", "ctrl", "rmw", "tok"), "dep"),
    "dr": "race",
}


def style_of(relation: str) -> str:
    """Give the stroke of a relation by its name.

    Examples
    --------
    >>> style_of("mo"), style_of("my-order")
    ('order', 'other')
    """
    return _BY_NAME.get(relation, "other")


def _variables(dark: bool) -> str:
    return "".join(f"--ex-{name}:{colours[dark]};" for name, colours in PALETTE.items())


@cache
def _rules() -> str:
    return "".join((files("enumerator.report.picture") / "picture.css").read_text(encoding="utf-8").splitlines())


def style_sheet(root: str = ".ex") -> str:
    """Give the style sheet of pictures: their colours follow what the reader prefers.

    Parameters
    ----------
    root : str
        The selector of what holds the pictures.

    Returns
    -------
    str
    """
    kinds = "".join(f".ex-{name}{{--ex-c:var(--ex-{name})}}" for name in STROKES)
    return (
        f"{root}{{{_variables(False)}}}"
        f"@media (prefers-color-scheme:dark){{{root}{{{_variables(True)}}}}}"
        f"{_rules()}{kinds}"
    )
