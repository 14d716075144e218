"""The frame of every page: head, style sheet, policy, script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from enumerator.printing import html_text as text
from enumerator.report.picture.style import style_sheet
from enumerator.report.picture.svg import css_name
from enumerator.results.result import Picture

__all__ = ["badge", "data_block", "header", "page", "source_lines", "switches", "table", "text"]

_LONG = 240
_AROUND = 8
_WORDS = {"Ok": "good", "No": "bad", "Undef": "bad", "unknown": "unsure"}


def badge(word: str, kind: str | None = None) -> str:
    """Give a word that stands out, such as a verdict."""
    return f'<span class="badge {kind or _WORDS.get(word, "plain")}">{text(word)}</span>'


@cache
def _file(name: str) -> str:
    return (files("enumerator.report.page") / name).read_text(encoding="utf-8")


def header(title: str, path: str = "", notes: Iterable[str] = ()) -> str:
    """Give what stands above the content of a page."""
    told = [f'<p class="muted">{text(each)}</p>' for each in (*([path] if path else []), *notes)]
    return f'<header class="top"><h1>{text(title)}</h1>{"".join(told)}</header><main id="main">'


def table(label: str, heads: Iterable[str], rows: Iterable[str], *, attributes: str = "", caption: str = "") -> str:
    """Give a table that scrolls by itself; `rows` and `caption` are escaped already."""
    classes = dict.fromkeys(("seconds", "executions"), ' class="number"')
    head = "".join(f'<th scope="col"{classes.get(each, "")}>{text(each)}</th>' for each in heads)
    told = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table{attributes}>{told}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def page(title: str, body: str, *, script: str = "page.js", pictures: Iterable[Picture] = ()) -> str:
    """Give a whole page.

    Parameters
    ----------
    title : str
    body : str
        What is already escaped.
    script : {'page.js', 'batch.js'}
    pictures : iterable of Picture
        Those that it shows: the edges of their relations can be switched off.
    """
    code = _file(script)
    key = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{key}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    style = (
        style_sheet(":root")
        + _file("page.css")
        + _switch_rules(name for picture in pictures for name, _ in picture.relations)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}\n</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">To the content</a>\n'
        f"{body}\n<script>{code}</script>\n</body>\n</html>\n"
    )


def _switch_rules(relations: Iterable[str]) -> str:
    """Let each switch hide the edges of its relation, without any script."""
    names = sorted({css_name(name) for name in relations})
    return "".join(f'figure:has(input[value="{name}"]:not(:checked)) .{name}{{display:none}}' for name in names)


def switches(relations: Sequence[tuple[str, bool]]) -> str:
    """Give the switches of a picture's relations; those that are extra are off."""
    if not relations:
        return ""
    boxes = [
        f'<label><input type="checkbox" value="{css_name(name)}"{"" if extra else " checked"}> {text(name)}</label>'
        for name, extra in relations
    ]
    return f'<fieldset class="switches"><legend>Relations</legend>{"".join(boxes)}</fieldset>'


def source_lines(source: str, lines: Sequence[int], label: str) -> str:
    """Give the lines of a source, those of a picture highlighted; of a long one, what is around these.

    Parameters
    ----------
    source : str
    lines : sequence of int
    label : str
        For those who do not see it.

    Returns
    -------
    str
    """
    written = source.split("\n")
    if written and not written[-1]:
        written.pop()
    hits = set(lines)
    near = {n + d for n in hits for d in range(-_AROUND, _AROUND + 1)}
    parts = []
    hidden = False
    for number, line in enumerate(written, 1):
        if len(written) > _LONG and number not in near:
            if not hidden:
                parts.append("<span><i>…</i></span>")
            hidden = True
            continue
        hidden = False
        mark = ' class="hit"' if number in hits else ""
        parts.append(f'<span{mark} data-line="{number}"><i>{number}</i>{text(line) or " "}</span>')
    return f'<pre class="source" tabindex="0" aria-label="{text(label)}">{"".join(parts)}</pre>'


def data_block(data: object) -> str:
    """Give data for a script: JSON in which no text can end the block."""
    written = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return f'<script type="application/json" id="data">{re.sub("[<>&]", _unicode, written)}</script>'


def _unicode(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
