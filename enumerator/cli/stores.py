"""The commands ``history`` and ``export``, about stores of results."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from enumerator.cli.checking import keep_inputs, output_stream
from enumerator.cli.guard import complain
from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Output
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.corpus.history import Chapter

__all__ = ["export", "history"]

_STATES = ("as expected", "different", "unknown", "error", "no expectation")


class ExportFormat(StrEnum):
    """Formats of tables."""

    PARQUET = "parquet"
    CSV = "csv"


StoreArgument = Annotated[str, typer.Argument(metavar="STORE", help="A store of results (STORE:N is its run N).")]


def export(
    store: StoreArgument,
    format: Annotated[ExportFormat, typer.Option("--format", help="Format of the table.")] = ExportFormat.PARQUET,
    output: Output = None,
    every_run: Annotated[bool, typer.Option("--every-run", help="All runs, not only the latest results.")] = False,
) -> int:
    """Write the results of a store as a table: Parquet or CSV.

    A result is a row. Parquet takes pyarrow (pip install 'enumerator[store]') and a file. Exit codes: 0 written, 2 bad
    input.
    """
    from enumerator.corpus.export import export_csv, export_parquet
    from enumerator.corpus.runs import open_run

    if format is ExportFormat.PARQUET and output is None:
        raise InputError("expected a file for Parquet, which is no text", "--output")
    opened = open_run(store)
    if opened is None:
        from enumerator.corpus.runs import Runs

        Runs(store).close()  # says what is wrong
        raise InputError("this is no store of results", store)
    if output is not None:
        keep_inputs(output, (store,))
    with opened as (found, chosen):
        runs = found.runs() if every_run else chosen
        if format is ExportFormat.CSV:
            with output_stream(output, ()) as stream:
                export_csv(found, runs, stream, every=every_run)
            return 0
        assert output is not None
        lost = export_parquet(found, runs, output, every=every_run)
    if lost:
        complain(
            f"{output}: {lost} counts of executions need more than 64 bits: null there, in the column 'record' whole"
        )
    return 0


def history(store: StoreArgument, format: PlainFormat = Plain.TEXT) -> int:
    """Tell what came out of the runs of a store, and what changed between them.

    A run that was not done, and that --resume went on with, is part of the later one. Exit codes: 0 told, 2 bad input.
    """
    from dataclasses import asdict

    from enumerator.corpus.history import history as chapters_of
    from enumerator.corpus.runs import Runs

    with Runs(store) as runs:
        chapters = chapters_of(runs)
        if format is Plain.JSON:
            print_json([{**asdict(each), "states": dict(each.states)} for each in chapters])
            return 0
        for chapter in chapters:
            sys.stdout.writelines(f"{line}\n" for line in _told(chapter))
    return 0


def _told(chapter: Chapter) -> list[str]:
    from enumerator.printing import counted, escaped
    from enumerator.report.text import aligned

    run = chapter.run
    ended = f"to {run.ended}" if run.ended is not None else "not done"
    counts = ", ".join(f"{chapter.states[state]} {state}" for state in _STATES if chapter.states[state])
    lines = [
        f"Run {run.id}  {run.begun} {ended} UTC  {run.version}  {' '.join(run.paths)}",
        f"  {counted(run.tests, 'test')}, {counted(run.results, 'result')}: {counts or 'none'}",
    ]
    if chapter.before is not None:
        changes = chapter.changes
        lines.append(f"  {len(changes)} changed since run {chapter.before}")
        rows = [(escaped(each.path), each.under, each.before or "-", each.now or "-") for each in changes]
        if rows:
            lines += [f"    {line}" for line in aligned([("test", "under", "before", "now"), *rows])]
    return list(map(escaped, lines))
