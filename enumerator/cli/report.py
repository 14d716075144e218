"""The command ``report``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from enumerator.cli.checking import MOST_PICTURES, output_stream
from enumerator.cli.options import Jobs, Output
from enumerator.cli.progress import progress_bar
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.results.result import Result

__all__ = ["report"]


class ReportFormat(StrEnum):
    """Formats of the report on a batch."""

    HTML = "html"
    JSONL = "jsonl"
    CSV = "csv"


def report(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULTS...", help="Files of results, the oldest first: JSON, JSON lines, text, stores."
        ),
    ],
    format: Annotated[ReportFormat, typer.Option("--format", help="Format of the report.")] = ReportFormat.HTML,
    output: Output = None,
    pages: Annotated[
        str | None,
        typer.Option("--pages", metavar="FOLDER", help="Also check each test that is there again, and write its page."),
    ] = None,
    jobs: Jobs = None,
) -> int:
    """Make a page of results, what differs first.

    It has filters, and tests beside models. Of several files, the last one that has a test says what came out; what
    the others say is its history; a store has one of its own. STORE:N is run N of a store. Exit codes: 0 written, 2 bad
    input.
    """
    from enumerator.corpus.batches import chapters_of, entries_of, latest, read_files

    if len(files) == 1 and format is not ReportFormat.HTML and _write_stored(files[0], format, output):
        return 0
    results = latest(read_files(files))
    if format is ReportFormat.HTML:
        from enumerator.report.page.batch import batch_page

        addresses = _write_pages([result for result, _ in results], pages, output, jobs) if pages is not None else {}
        title = os.path.basename(files[-1]) if files[-1] != "-" else "Results"
        entries = list(entries_of(results, addresses))
        with output_stream(output, files) as stream:
            stream.write(batch_page(entries, title, runs=chapters_of(files[-1])))
        return 0
    with output_stream(output, files) as stream:
        if format is ReportFormat.JSONL:
            stream.writelines(json.dumps(result) + "\n" for result, _ in results)
        else:
            from enumerator.report.structured import write_csv_objects

            write_csv_objects((result for result, _ in results), stream)
    return 0


def _write_stored(path: str, format: ReportFormat, output: str | None) -> bool:
    """Write the results of a store one after the other, which may be more than fit in memory; False if it is none."""
    from enumerator.corpus.runs import open_run

    stored = open_run(path)
    if stored is None:
        return False
    from enumerator.corpus.export import objects_of
    from enumerator.report.structured import write_csv_objects

    with stored as (store, runs), output_stream(output, (path,)) as stream:
        results = objects_of(store, runs)
        if format is ReportFormat.CSV:
            write_csv_objects(results, stream)
        else:
            stream.writelines(json.dumps(result) + "\n" for result in results)
    return True


def _write_pages(
    results: Iterable[dict[str, Any]], folder: str, output: str | None, jobs: int | None
) -> dict[str, str]:
    """Check tests again with pictures, each for a page of its own; give the addresses of the pages, from the report."""
    from enumerator.corpus.batch import run_batch
    from enumerator.options import BatchOptions
    from enumerator.report.page.run import run_page

    paths = [path for path in dict.fromkeys(str(result["path"]) for result in results) if os.path.isfile(path)]
    if not paths:
        raise InputError("none of the tests is there any more", "--pages")
    os.makedirs(folder, exist_ok=True)
    together: dict[str, list[Result]] = {}
    options = BatchOptions(by_expectations=True, pictures=MOST_PICTURES, timeout=60.0)
    with progress_bar(len(paths), shared=False, what="drawing") as advance:
        for result in run_batch(paths, options, jobs, advance):
            together.setdefault(result.path, []).append(result)
    addresses = {}
    start = os.path.dirname(os.path.abspath(output)) if output is not None else os.getcwd()
    for number, (path, found) in enumerate(together.items()):
        plain = re.sub(r"[^A-Za-z0-9_+.-]", "_", os.path.basename(path))[:80]
        place = os.path.join(folder, f"{number:05d}-{plain}.html")
        with open(place, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(run_page(found))
        addresses[path] = quote(os.path.relpath(place, start).replace(os.sep, "/"))
    return addresses
