"""How relations are drawn: a stroke each, told apart by dashes, ends and labels, and by colour only in addition.

The colours are those of Okabe and Ito, darkened on white and lightened on black until their contrast with the
background is at least 4.5 to 1 (WCAG 2.1, 1.4.3), so that labels can have them, too.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    "po": "po",
    "rf": "rf",
    "mo": "order",
    "co": "order",
    "fr": "fr",
    "sw": "sw",
    "hb": "hb",
    "avail": "avail",
    "vis": "vis",
    "bar": "bar",
    "race": "race",
    "dr": "race",
    "addr": "dep",
    "data": "dep",
    "ctrl": "dep",
    "rmw": "dep",
    "tok": "dep",
    "removed": "removed",
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
        ".ex{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "background:var(--ex-ground)}"
        ".ex text{fill:var(--ex-ink);font-size:12px}"
        ".ex .ex-h{font-size:15px;font-weight:600;font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',"
        "sans-serif}"
        ".ex .ex-sub,.ex .ex-key{font-size:11.5px;fill:var(--ex-muted);font-family:system-ui,-apple-system,"
        "'Segoe UI','DejaVu Sans',sans-serif}"
        ".ex .ex-why{font-size:12.5px;font-weight:600;fill:var(--ex-axiom);font-family:system-ui,-apple-system,"
        "'Segoe UI','DejaVu Sans',sans-serif}"
        ".ex .ex-thread{font-size:13px;font-weight:600}"
        ".ex .ex-scope,.ex .ex-fn{font-size:10.5px;fill:var(--ex-muted)}"
        ".ex .ex-acc{font-weight:700}"
        ".ex .ex-src,.ex .ex-note{font-size:10.5px;fill:var(--ex-muted)}"
        ".ex .ex-note{font-style:italic}"
        ".ex .ex-ground{fill:var(--ex-ground)}"
        ".ex .ex-lane{fill:var(--ex-lane)}"
        ".ex .ex-frame{fill:none;stroke:var(--ex-faint);stroke-width:1.5}"
        ".ex .ex-box rect{fill:var(--ex-box);stroke:var(--ex-edge);stroke-width:1}"
        ".ex .ex-box.ex-mark rect{fill:var(--ex-warn);stroke:var(--ex-race);stroke-width:1.6;stroke-dasharray:4 2}"
        ".ex .ex-box.ex-strong rect{stroke:var(--ex-axiom);stroke-width:2.6;stroke-dasharray:none}"
        ".ex .ex-badge{font-size:10px;font-weight:700;fill:var(--ex-race);font-family:system-ui,sans-serif}"
        ".ex .ex-l path{fill:none;stroke:var(--ex-c);stroke-linejoin:round}"
        ".ex .ex-l path.ex-tip{fill:var(--ex-c);stroke:var(--ex-c);stroke-width:1;stroke-dasharray:none}"
        ".ex .ex-l path.ex-tip-open{fill:none;stroke:var(--ex-c);stroke-width:1.6;stroke-dasharray:none}"
        ".ex .ex-l path.ex-in{stroke:var(--ex-ground)}"
        ".ex .ex-l text{fill:var(--ex-c);font-size:11px;font-weight:600}"
        ".ex .ex-l rect{fill:var(--ex-ground)}"
        ".ex.ex-forbidden .ex-l:not(.ex-strong,.ex-sample) path{opacity:.5}"
        ".ex .ex-l.ex-strong path.ex-line{stroke-width:3.4}"
        ".ex .ex-l.ex-strong.ex-sw path.ex-line{stroke-width:5.6}"
        ".ex .ex-l.ex-strong text{font-weight:800}"
        f"{kinds}"
    )
