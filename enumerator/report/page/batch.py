"""The page of a batch: what differs first, filters, tests beside models, what came out before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.report.page.shell import data_block, page, table, text

__all__ = ["Entry", "batch_page"]

_STATES = ("different", "error", "unknown", "no expectation", "as expected")
_MARKS = {"different": ("bad", "✗"), "error": ("bad", "!"), "unknown": ("unsure", "?"), "as expected": ("good", "✓")}
_MOST_FOLDERS = 400
"""Folders to choose from; those with the most tests."""

_MOST_STATIC = 300
"""Rows that are there without scripts; these are the ones that matter most."""


@dataclass(frozen=True)
class Entry:
    """One result of a batch.

    Parameters
    ----------
    test, path, how : str
    state : {'different', 'error', 'unknown', 'no expectation', 'as expected'}
    found, wanted : str
        As an ``EXPECT`` line says it.
    seconds : float or None
    flags : tuple of str
    page : str
        The address of the test's own page; empty if there is none.
    more : tuple of str
        What there is to say of it, a paragraph each.
    history : tuple of str
        What came out before, the latest first.
    """

    test: str
    path: str
    how: str
    state: str
    found: str = ""
    wanted: str = ""
    seconds: float | None = None
    flags: tuple[str, ...] = ()
    page: str = ""
    more: tuple[str, ...] = field(default=())
    history: tuple[str, ...] = ()


def batch_page(entries: Sequence[Entry], title: str, runs: Sequence[Sequence[str]] = ()) -> str:
    """Give the page of a batch.

    Parameters
    ----------
    entries : sequence of Entry
    title : str
    runs : sequence of sequence of str
        Those that the batch is the latest of, a row each: see :func:`enumerator.corpus.batches.chapters_of`.

    Returns
    -------
    str

    Examples
    --------
    >>> made = batch_page([Entry("MP", "mp.ll", "llvm", "different", "Always", "Never")], "a batch")
    >>> "Content-Security-Policy" in made and "mp.ll" in made
    True
    """
    ordered = sorted(entries, key=lambda entry: _STATES.index(entry.state))
    counts = {state: sum(entry.state == state for entry in entries) for state in _STATES}
    body = [f'<header class="top"><h1>{text(title)}</h1>', _numbers(entries, counts)]
    body.append('</header><main id="main">')
    body.append(_filters(entries))
    body.append('<p id="count" class="muted" role="status" aria-live="polite"></p>')
    heads = ("test", "under", "result", "expected", "found", "seconds")
    body.append(table("Results", heads, map(_row, ordered[:_MOST_STATIC]), attributes=' id="results" class="wide"'))
    if len(ordered) > _MOST_STATIC:
        left = len(ordered) - _MOST_STATIC
        body.append(f"<noscript><p>{left} more results take a script to show; all are in the file.</p></noscript>")
    body.append('<p><button id="more" type="button" hidden>Show more</button></p>')
    body.append(_runs(runs))
    body.append("</main><footer></footer>")
    models = list(dict.fromkeys(entry.how for entry in entries if entry.how))
    body.append(data_block({"models": models, "results": [_packed(entry) for entry in ordered]}))
    return page(title, "\n".join(body), script="batch.js")


def _runs(runs: Sequence[Sequence[str]]) -> str:
    """Give the table of the runs before, where there are any."""
    if len(runs) < 2:
        return ""
    heads = ("run", "begun (UTC)", "program", "results", "different", "errors", "unknown", "changed since before")
    rows = [f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in run)}</tr>" for run in runs]
    return f'<section id="runs"><h2>Runs</h2>{table("Runs", heads, rows)}</section>'


def _packed(entry: Entry) -> list[object]:
    return [
        entry.test,
        entry.path,
        entry.how,
        _STATES.index(entry.state),
        entry.found,
        entry.wanted,
        entry.seconds,
        list(entry.flags),
        entry.page,
        list(entry.more),
        list(entry.history),
    ]


def _numbers(entries: Sequence[Entry], counts: Mapping[str, int]) -> str:
    tests = len({entry.path for entry in entries})
    items = [("tests", tests), ("results", len(entries)), *((state, counts[state]) for state in _STATES)]
    kinds = {state: mark[0] for state, mark in _MARKS.items()}
    cells = "".join(
        f'<li><b class="{kinds.get(name, "") if number else ""}">{number:,}</b><span>{name}</span></li>'
        for name, number in items
        if number or name in ("tests", "results", "different")
    )
    seconds = sum(entry.seconds or 0.0 for entry in entries)
    return f'<ul class="numbers">{cells}<li><b>{seconds:.1f}</b><span>seconds in all</span></li></ul>'


def _filters(entries: Sequence[Entry]) -> str:
    """Give the filters; they appear when the script is there to use them."""
    folders: Counter[str] = Counter()
    for entry in entries:
        parts = entry.path.split("/")[:-1]
        folders.update("/".join(parts[:depth]) or "/" for depth in range(1, len(parts) + 1))
    most = [folder for folder, _ in folders.most_common(_MOST_FOLDERS)]
    flags = sorted({flag for entry in entries for flag in entry.flags})
    models = sorted({entry.how for entry in entries if entry.how})
    states = [state for state in _STATES if any(entry.state == state for entry in entries)]
    return (
        '<div class="filters" id="filters" hidden role="search" aria-label="Filters">'
        '<label>Test<input id="text" type="search" placeholder="part of its name" autocomplete="off"></label>'
        f"{_select('state', 'Result', states)}{_select('model', 'Under', models)}"
        f"{_select('folder', 'Folder', sorted(most))}{_select('flag', 'Flag', flags)}"
        '<label>At least<input id="seconds" type="number" min="0" step="any" placeholder="seconds"></label>'
        '<label>Order<select id="order"><option value="state">what differs first</option>'
        '<option value="path">by name</option><option value="seconds">slowest first</option></select></label>'
        '<label>View<select id="view"><option value="list">list</option>'
        '<option value="matrix">tests × models</option></select></label></div>'
    )


def _select(name: str, label: str, choices: Sequence[str]) -> str:
    options = "".join(f'<option value="{text(each)}">{text(each)}</option>' for each in choices)
    return f'<label>{label}<select id="{name}"><option value="">all</option>{options}</select></label>'


def _row(entry: Entry) -> str:
    kind, icon = _MARKS.get(entry.state, ("plain", "·"))
    told = "".join(f"<pre class='lines'>{text(line)}</pre>" for line in entry.more)
    if entry.history:
        told += f"<p class='muted'>before: {text(', '.join(entry.history))}</p>"
    if entry.page:
        name = f'<a href="{text(entry.page)}">{text(entry.path)}</a>'
    elif told:
        name = f'<details><summary>{text(entry.path)}</summary><div class="result-body">{told}</div></details>'
    else:
        name = text(entry.path)
    seconds = "" if entry.seconds is None else f"{entry.seconds:.3f}"
    return (
        f"<tr><td>{name}</td><td>{text(entry.how)}</td>"
        f'<td class="cell"><span class="{kind}">{icon} {text(entry.state)}</span></td><td>{text(entry.wanted)}</td>'
        f'<td>{text(entry.found)}</td><td class="number">{seconds}</td></tr>'
    )
