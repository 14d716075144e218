"""The commands ``run`` and ``check``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from enumerator.cli.guard import complain
from enumerator.cli.options import (
    AllValues,
    Engine,
    EngineOption,
    FirstOnly,
    Format,
    FormatOption,
    HappensBefore,
    Include,
    IncludesAnywhere,
    Jobs,
    MaxExecutions,
    Models,
    OutcomesOnly,
    Output,
    Paths,
    ProfileOption,
    Show,
    ThinAir,
    Timeout,
    Unroll,
    Variants,
    Verbose,
    check_folders,
    check_seconds,
    relation_names,
)
from enumerator.errors import InputError
from enumerator.printing import escaping

if TYPE_CHECKING:
    from enumerator.corpus.tasks import Options
    from enumerator.report.text import Tally

__all__ = ["check", "output_stream", "run"]


def run(
    paths: Paths,
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
    format: FormatOption = Format.TEXT,
    output: Output = None,
    engine: EngineOption = Engine.AUTO,
    show: Show = "",
    verbose: Verbose = False,
    all_values: AllValues = False,
    outcomes_only: OutcomesOnly = False,
    first: FirstOnly = False,
) -> int:
    """Check tests and print each in herd7's layout."""
    from enumerator.corpus.tasks import Options

    options = Options(
        models=tuple(model or ()),
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
        outcomes_only=outcomes_only,
        first=first,
        all_values=all_values,
        verbose=verbose or bool(show),
        show=relation_names(show),
    )
    tally, _ = _report(paths, options, jobs, format.value, output)
    for message in tally.messages:
        complain(message)
    if tally.interrupted:
        complain("interrupted")
    return tally.exit_code


def check(
    paths: Paths,
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
    format: FormatOption = Format.TEXT,
    output: Output = None,
    engine: EngineOption = Engine.AUTO,
    show: Show = "",
    verbose: Verbose = False,
    all_values: AllValues = False,
    outcomes_only: OutcomesOnly = False,
    first: FirstOnly = False,
) -> int:
    """Check tests under everything they have expectations for, and report what differs.

    With --verbose, the executions of tests that differ are described.
    """
    from enumerator.corpus.tasks import Options
    from enumerator.report.text import format_run, summary

    options = Options(
        models=tuple(model or ()),
        by_expectations=True,
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
        # Counts are shown by other formats and with --verbose, and --max-executions asks for them.
        outcomes_only=outcomes_only
        or (format in (Format.TEXT, Format.JUNIT) and not (verbose or show or first) and max_executions is None),
        first=first,
        all_values=all_values,
        verbose=verbose or bool(show),
        show=relation_names(show),
    )
    text = format is Format.TEXT
    tally, seconds = _report(paths, options, jobs, None if text else format.value, output)
    report = summary(tally, seconds)
    if options.verbose:
        report = "".join(format_run(result) for result in tally.different) + report
    if text and output is not None:
        with output_stream(output) as stream:
            stream.write(report)
        report = f"{report.splitlines()[-1]}\n"
    if text or output is not None:
        sys.stdout.write(report)
    else:
        for message in tally.messages:
            complain(message)
        if tally.interrupted:
            complain("interrupted")
    return tally.exit_code


def _report(
    paths: list[str], options: Options, jobs: int | None, format_name: str | None, output: str | None
) -> tuple[Tally, float]:
    """Check tests and write their results as they come (with no format, only count them); tell how long it took."""
    from enumerator.corpus.batch import default_jobs, run_batch
    from enumerator.corpus.discovery import find_tests
    from enumerator.report import writer
    from enumerator.report.text import Tally

    files = find_tests(paths)
    alone = len(files) == 1 and files[0].endswith(".ll")  # several are read by other processes
    if alone:
        from enumerator.frontend.llvm import process

        process.start()
    _check_names(options)
    if alone:  # what is needed next is imported while LLVM parses
        from enumerator.frontend import read_ahead

        read_ahead(files)
        if options.engine != "networkx":
            import enumerator.search.bitset  # noqa: F401
    tally = Tally()
    start = time.perf_counter()
    shared = format_name is not None and output is None and sys.stdout.isatty()  # a bar would garble the report
    with output_stream(output if format_name is not None else None) as stream, _bar(len(files), shared) as advance:
        results = run_batch(files, options, jobs if jobs is not None else default_jobs(len(files)), advance)
        watched = tally.watch(results)
        if format_name is not None:
            writer(format_name)(watched, stream)
        else:
            for _ in watched:
                pass
    return tally, time.perf_counter() - start


def _check_names(options: Options) -> None:
    """Find mistakes in options at once, not once a test."""
    from enumerator.mmra import load_profile

    if options.profile is not None:
        load_profile(options.profile)
    if options.models:
        from enumerator.cat.typing import select

        wanted = {"hb": options.hb, "thin-air": options.thin_air}
        given = {key: value for key, value in wanted.items() if value is not None}
        for model in options.models:
            select(model, options.include_dirs, given, options.variants, options.includes_anywhere)
    elif options.variants:
        from enumerator.cat.parser import load_model, shipped_models
        from enumerator.cat.variants import known_variants

        known = {variant for model in shipped_models() for variant in known_variants(load_model(model))}
        for variant in options.variants:
            if variant not in known:
                has = ", ".join(sorted(known))
                raise InputError(f"no shipped model has the variant '{variant}': there are {has}", "--variant")


@contextmanager
def output_stream(output: str | None) -> Iterator[TextIO]:
    """Open what ``--output`` names, or give the standard output.

    Parameters
    ----------
    output : str or None

    Yields
    ------
    text stream
    """
    if output is None:
        yield sys.stdout
        return
    with open(output, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        yield escaping(file)


@contextmanager
def _bar(files: int, shared: bool) -> Iterator[Callable[[], None] | None]:
    """Show a progress bar on a terminal, and nothing elsewhere."""
    if shared or files < 2 or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("checking", total=files)
        yield lambda: progress.advance(task)
