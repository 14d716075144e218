"""The command ``compare``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from enumerator.cli.guard import complain
from enumerator.cli.listing import Plain, PlainFormat
from enumerator.cli.options import (
    Engine,
    EngineOption,
    HappensBefore,
    Include,
    IncludesAnywhere,
    Jobs,
    MaxExecutions,
    Models,
    ProfileOption,
    ThinAir,
    Timeout,
    Unroll,
    Variants,
    check_folders,
    check_seconds,
)
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.corpus.compare import Comparison
    from enumerator.corpus.records import Record
    from enumerator.corpus.tasks import Options

__all__ = ["compare"]

Sides = Annotated[
    list[str],
    typer.Argument(
        metavar="A B | PATH...", help="Two files of results; with two --model, tests and folders.", show_default=False
    ),
]


def compare(
    paths: Sides,
    model: Models = None,
    include: Include = None,
    allow_includes_anywhere: IncludesAnywhere = False,
    profile: ProfileOption = None,
    hb: HappensBefore = None,
    thin_air: ThinAir = None,
    variant: Variants = None,
    unroll: Unroll = None,
    jobs: Jobs = None,
    timeout: Timeout = None,
    max_executions: MaxExecutions = None,
    engine: EngineOption = Engine.AUTO,
    format: PlainFormat = Plain.TEXT,
) -> int:
    """Tell what differs between two files of results, or between two models.

    Files are what 'run' wrote as text, JSON or JSON lines, and logs of herd7, in any combination. Exit codes: 0 equal,
    1 different, 2 bad input, 3 a limit left some result unknown.
    """
    from enumerator.corpus.compare import by_test, compare_records
    from enumerator.corpus.records import read_records

    if model and len(model) != 2:
        raise InputError(f"expected two models, got {len(model)}", "--model")
    if not model and len(paths) != 2:
        raise InputError(f"expected two files of results, got {len(paths)} (or tests, and --model twice)", "compare")
    messages: list[str] = []
    if model:
        from enumerator.corpus.tasks import Options as BatchOptions

        options = BatchOptions(
            models=tuple(model),
            include_dirs=check_folders(include),
            includes_anywhere=allow_includes_anywhere,
            profile=profile,
            hb=hb.value if hb else None,
            thin_air=thin_air.value if thin_air else None,
            variants=tuple(variant or ()),
            unroll=unroll,
            engine=engine.value,
            timeout=check_seconds(timeout),
            max_executions=max_executions,
        )
        sides = _run(paths, options, jobs, messages)
        names = tuple(model)
    else:
        sides = by_test(read_records(paths[0]), read_records(paths[1]))
        names = tuple(paths)
    found = compare_records(*sides)
    if format is Plain.JSON:
        counts = {name: getattr(found, name) for name in ("equal", "different", "only_first", "only_second", "unknown")}
        rows = [asdict(difference) for difference in found.differences]
        sys.stdout.write(json.dumps({"a": names[0], "b": names[1], **counts, "differences": rows}, indent=2) + "\n")
    else:
        sys.stdout.write(_table(names, found))
    for message in dict.fromkeys(messages):
        complain(message)
    return 2 if messages else 1 if not found.same else 3 if found.unknown else 0


def _run(
    paths: list[str], options: Options, jobs: int | None, messages: list[str]
) -> tuple[dict[str, Record], dict[str, Record]]:
    """Check tests under two models; a test's path is its key. What cannot be checked is no difference but a message."""
    from enumerator.cat.typing import select
    from enumerator.corpus.batch import default_jobs, run_batch
    from enumerator.corpus.discovery import find_tests
    from enumerator.corpus.records import record_of

    for each in options.models:
        select(each, options.include_dirs, includes_anywhere=options.includes_anywhere)
    files = find_tests(paths)
    results: dict[str, list[Record]] = {}
    failed: set[str] = set()
    for result in run_batch(files, options, jobs if jobs is not None else default_jobs(len(files))):
        if result.status == "error":
            messages.append(" ".join((result.error or "").split()))
            failed.add(result.path)
        else:
            results.setdefault(result.path, []).append(record_of(result))
    both = {path: found for path, found in results.items() if path not in failed}
    # one model given twice is checked once
    return {path: found[0] for path, found in both.items()}, {path: found[-1] for path, found in both.items()}


def _table(names: tuple[str, ...], found: Comparison) -> str:
    lines = [f"A: {names[0]}", f"B: {names[1]}"]
    if found.differences:
        rows: list[tuple[str, ...]] = [("test", "what", "A", "B")]
        rows += [tuple(" ".join(cell.split()) for cell in asdict(each).values()) for each in found.differences]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines.append("")
        padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
        lines += [f"  {'  '.join(cells).rstrip()}" for cells in padded]
        lines.append("")
    compared = found.equal + found.different
    lines.append(
        f"{compared} test{'s' * (compared != 1)} compared: {found.equal} equal, {found.different} different; "
        f"{found.only_first} only in A, {found.only_second} only in B"
        + (f"; a limit left {found.unknown} unknown" if found.unknown else "")
    )
    return "".join(f"{line}\n" for line in lines)
