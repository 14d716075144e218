"""The command ``compare``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from enumerator.cli.guard import complain
from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Batching, Jobs, options_of
from enumerator.errors import InputError
from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.corpus.compare import Comparison
    from enumerator.corpus.records import Record
    from enumerator.options import BatchOptions

__all__ = ["compare"]

Sides = Annotated[
    list[str],
    typer.Argument(metavar="A B | PATH...", help="Two files of results; with two --model, tests and folders."),
]


def compare(paths: Sides, jobs: Jobs = None, format: PlainFormat = Plain.TEXT, **asked: Unpack[Batching]) -> int:
    """Tell what differs between two files of results, or between two models.

    Files are what 'run' wrote as text, JSON or JSON lines, logs of herd7, and stores, in any combination: STORE:N is
    run N of a store. Exit codes: 0 equal, 1 different, 2 bad input, 3 a limit left some result unknown.
    """
    from enumerator.corpus.compare import compare_records, compare_sorted
    from enumerator.corpus.records import sorted_records

    models = asked["models"]
    if models and len(models) != 2:
        raise InputError(f"expected two models, got {len(models)}", "--model")
    if not models and len(paths) != 2:
        raise InputError(f"expected two files of results, got {len(paths)} (or tests, and --model twice)", "compare")
    messages: list[str] = []
    if models:
        found = compare_records(*_run(paths, options_of(asked), jobs, messages))
    else:
        found = compare_sorted(sorted_records(paths[0]), sorted_records(paths[1]))
    names = models or paths
    if format is Plain.JSON:
        counts = {name: getattr(found, name) for name in ("equal", "different", "only_first", "only_second", "unknown")}
        rows = [asdict(difference) for difference in found.differences]
        print_json({"a": names[0], "b": names[1], **counts, "differences": rows})
    else:
        sys.stdout.write(_table(names, found))
    for message in dict.fromkeys(messages):
        complain(message)
    return 2 if messages else 1 if not found.same else 3 if found.unknown else 0


def _run(
    paths: list[str], options: BatchOptions, jobs: int | None, messages: list[str]
) -> tuple[dict[str, Record], dict[str, Record]]:
    """Check tests under two models; a test's path is its key. What cannot be checked is no difference but a message."""
    from enumerator.cli.checking import check_names
    from enumerator.cli.progress import progress_bar
    from enumerator.corpus.batch import run_batch
    from enumerator.corpus.records import record_of
    from enumerator.discovery import find_tests

    check_names(options)
    results: dict[str, list[Record]] = {}
    failed: set[str] = set()
    files = find_tests(paths)
    with progress_bar(len(files), shared=False) as advance:
        for result in run_batch(files, options, jobs, advance):
            if result.status == "error":
                messages.append(result.error or "")
                failed.add(result.path)
            else:
                results.setdefault(result.path, []).append(record_of(result))
    both = {path: found for path, found in results.items() if path not in failed}
    # one model given twice is checked once
    return {path: found[0] for path, found in both.items()}, {path: found[-1] for path, found in both.items()}


def _table(names: Sequence[str], found: Comparison) -> str:
    from enumerator.report.text import aligned

    lines = [f"A: {escaped(names[0])}", f"B: {escaped(names[1])}"]
    if found.differences:
        rows: list[tuple[str, ...]] = [("test", "what", "A", "B")]
        rows += [tuple(escaped(cell) for cell in asdict(each).values()) for each in found.differences]
        lines += ["", *(f"  {line}" for line in aligned(rows)), ""]
    compared = found.equal + found.different
    lines.append(
        f"{compared} test{'s' * (compared != 1)} compared: {found.equal} equal, {found.different} different; "
        f"{found.only_first} only in A, {found.only_second} only in B"
        + (f"; a limit left {found.unknown} unknown" if found.unknown else "")
    )
    return "".join(f"{line}\n" for line in lines)
