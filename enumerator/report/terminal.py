"""What a batch found, on a terminal: tables and colour; elsewhere :mod:`enumerator.report.text` says the same."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from enumerator.printing import escaped, one_line
from enumerator.report.text import Tally, numbers, observed, wanted

__all__ = ["print_summary"]

_ANY = 10_000


def print_summary(tally: Tally, seconds: float, console: Console | None = None) -> None:
    """Print what a batch found: errors, tables of what differs and what is unknown, and a line with the numbers.

    Parameters
    ----------
    tally : Tally
    seconds : float
    console : rich.console.Console, optional
        Default: the terminal. Commands escape what they write to it; here, that is done to each text by itself.
    """
    console = console or Console(
        file=sys.__stdout__, highlight=False, width=_ANY
    )  # lines that are too long are the terminal's to break
    if tally.errors:
        console.print(Text("Errors", "bold red"))
        for message in tally.messages:
            console.print(Text(f"  {escaped(message)}"), soft_wrap=True)
    if tally.different:
        rows = [(escaped(r.path), r.how, (wanted(r), "green"), (observed(r), "bold red")) for r in tally.different]
        _table(console, "Different from what is expected", ("test", "under", "expected", "found"), rows)
        for result in tally.different:
            for cause in result.causes:
                console.print(Text(f"  {escaped(result.path)}: {_plain(cause)}", "red"), soft_wrap=True)
    if tally.readings:
        readings = [
            (escaped(r.path), r.how, r.outcome, "; ".join(f"{name}: {found}" for name, found in r.readings.items()))
            for r in tally.readings
        ]
        _table(console, "Rests on how the documents are read", ("test", "under", "found", "else"), readings)
    if tally.unknown:
        unknown = [(escaped(r.path), r.how, r.status, "; ".join(map(_plain, r.notes))) for r in tally.unknown]
        _table(console, "Unknown: a limit was reached", ("test", "under", "limit", "notes"), unknown)
    console.print(_numbers(tally, seconds))


def _plain(text: str) -> str:
    return escaped(one_line(text))


def _table(console: Console, title: str, heads: Sequence[str], rows: Iterable[Sequence[str | tuple[str, str]]]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else Text(escaped(cell[0]), cell[1]) for cell in row))
    console.print(table)
    console.print()


def _numbers(tally: Tally, seconds: float) -> Text:
    text = Text(numbers(tally, seconds))
    for word, style in (
        ("as expected", "green"),
        ("different", "bold red"),
        ("unknown", "yellow"),
        ("errors?", "bold red"),
    ):
        text.highlight_regex(rf"\b0 {word}", "dim")
        text.highlight_regex(rf"\b[1-9]\d* {word}", style)
    return text
