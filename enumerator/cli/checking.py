"""The commands ``run`` and ``check``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TextIO, Unpack

from enumerator.cli.guard import complain, written_whole
from enumerator.cli.options import Checking, Dask, Format, FormatAs, Jobs, Output, Paths, Resume, StoreFile, options_of
from enumerator.cli.progress import progress_bar
from enumerator.clock import time_limit
from enumerator.errors import InputError
from enumerator.files import STANDARD_INPUT
from enumerator.options import BatchOptions
from enumerator.printing import escaping

if TYPE_CHECKING:
    from enumerator.corpus.cluster import Cluster
    from enumerator.corpus.stored import Recorder
    from enumerator.report.text import Tally

MOST_PICTURES = 16
"""Executions that a page shows of each test: one for each state."""

__all__ = ["check", "check_names", "keep_inputs", "output_stream", "run"]


def run(
    paths: Paths,
    jobs: Jobs = None,
    format: FormatAs = Format.TEXT,
    output: Output = None,
    store: StoreFile = None,
    resume: Resume = False,
    dask: Dask = None,
    **asked: Unpack[Checking],
) -> int:
    """Check tests and print each in herd7's layout."""
    options = _options(asked)
    if format is Format.HTML:
        options = replace(options, pictures=MOST_PICTURES)
    tally, _ = _report(paths, options, jobs, format.value, output, Keeping(store, resume, dask))
    _complain(tally)
    return tally.exit_code


def check(
    paths: Paths,
    jobs: Jobs = None,
    format: FormatAs = Format.TEXT,
    output: Output = None,
    store: StoreFile = None,
    resume: Resume = False,
    dask: Dask = None,
    **asked: Unpack[Checking],
) -> int:
    """Check tests under everything they have expectations for, and report what differs.

    With --verbose, the executions of tests that differ are described.
    """
    from enumerator.report.text import format_run, summary

    options = _options(asked, by_expectations=True)
    # Counts are shown by other formats and with --verbose; --first and --max-executions are about executions.
    counted = format not in (Format.TEXT, Format.JUNIT) or options.verbose or options.first or options.max_executions
    options = replace(options, outcomes_only=options.outcomes_only or not counted)
    text = format is Format.TEXT
    keeping = Keeping(store, resume, dask)
    tally, seconds = _report(paths, options, jobs, None if text else format.value, output, keeping)
    report = summary(tally, seconds)
    if text and output is None and sys.stdout.isatty() and not options.verbose:
        from enumerator.report.terminal import print_summary

        print_summary(tally, seconds)
        return tally.exit_code
    if options.verbose:
        report = "".join(format_run(result) for result in tally.different) + report
    if text and output is not None:
        with output_stream(output, ()) as stream:
            stream.write(report)
        report = f"{report.splitlines()[-1]}\n"
    if text or output is not None:
        sys.stdout.write(report)
    else:
        _complain(tally)
    return tally.exit_code


def _options(asked: Checking, by_expectations: bool = False) -> BatchOptions:
    options = options_of(asked, by_expectations=by_expectations)
    return replace(options, verbose=options.verbose or bool(asked["show"]) or options.every_execution)


def _complain(tally: Tally) -> None:
    for message in tally.messages:
        complain(message)
    if tally.interrupted:
        complain("interrupted")


class Keeping(NamedTuple):
    """Where results go beside the report, whether those that are there are taken, and what machines check tests."""

    store: str | None = None
    resume: bool = False
    dask: str | None = None

    @contextmanager
    def opened(self, paths: list[str], options: BatchOptions, tests: int) -> Iterator[Recorder | None]:
        """Open the store, if there is one, and begin a run."""
        if self.store is None:
            if self.resume:
                raise InputError("expected --store FILE with it: the results that are there", "--resume")
            yield None
            return
        from enumerator.corpus.store import Store
        from enumerator.corpus.stored import Recorder

        with Store(self.store) as store:
            yield Recorder(store, paths, options, self.resume, tests)

    def place(self, options: BatchOptions, jobs: int | None) -> Cluster | None:
        """Give the machines that check the tests, if it is not this one."""
        if self.dask is None:
            return None
        from enumerator.corpus.cluster import Cluster

        return Cluster(self.dask, options, jobs)


def _report(
    paths: list[str],
    options: BatchOptions,
    jobs: int | None,
    format_name: str | None,
    output: str | None,
    keeping: Keeping,
) -> tuple[Tally, float]:
    """Check tests and write their results as they come (with no format, only count them); tell how long it took."""
    from enumerator.corpus.batch import run_batch
    from enumerator.discovery import find_tests
    from enumerator.report import writer
    from enumerator.report.text import Tally

    files = find_tests(paths)
    alone = len(files) == 1 and files[0].endswith(".ll")  # several are read by other processes
    if alone:
        from enumerator.frontend.llvm import process

        process.start()
    check_names(options)
    if output is not None:
        keep_inputs(output, [*files, *options.models, options.profile, keeping.store])
    if alone:  # what is needed next is imported while LLVM parses
        from enumerator.frontend import read_ahead

        read_ahead(files)
        if options.engine != "networkx":
            import enumerator.search.bitset  # noqa: F401
    tally = Tally(whole=options.verbose)
    start = time.perf_counter()
    shared = format_name is not None and output is None and sys.stdout.isatty()  # a bar would garble the report
    with (
        output_stream(output if format_name is not None else None, ()) as stream,
        keeping.opened(paths, options, len(files)) as recorder,
        progress_bar(len(files), shared=shared) as advance,
    ):
        place = keeping.place(options, jobs)
        with written_whole(run_batch(files, options, jobs, advance, recorder=recorder, place=place)) as results:
            watched = tally.watch(results)
            if format_name is not None:
                writer(format_name)(watched, stream)
                stream.flush()
            else:
                for _ in watched:
                    pass
    return tally, time.perf_counter() - start


def check_names(options: BatchOptions) -> None:
    """Find mistakes in options at once, not once a test.

    Parameters
    ----------
    options : BatchOptions

    Raises
    ------
    InputError
        If there is no such compiler, profile, model or variant.
    Timeout
        If the time that a test may take is not enough to read a model.
    """
    from enumerator.mmra import load_profile

    if options.level != BatchOptions.level or options.clang is not None:
        from enumerator.frontend.compiled import Compiler, command_of

        command_of(Compiler(options.clang, options.target, options.level))
    if options.profile is not None:
        load_profile(options.profile)
    with time_limit(options.timeout):
        if options.models:
            from enumerator.cat.typing import select

            for model in options.models:
                select(model, options.include_dirs, options.alternatives, options.variants, options.includes_anywhere)
        elif options.variants:
            from enumerator.cat.parser import load_model, shipped_models
            from enumerator.cat.variants import known_variants

            known = {variant for model in shipped_models() for variant in known_variants(load_model(model))}
            for variant in options.variants:
                if variant not in known:
                    has = ", ".join(sorted(known))
                    raise InputError(f"no shipped model has the variant '{variant}': there are {has}", "--variant")


def keep_inputs(output: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write a file that is read.

    Parameters
    ----------
    output : str
    inputs : iterable of (str or None)
        Files, and names that may be files.

    Raises
    ------
    InputError
        If the output is one of them, by whatever name.
    """
    if not os.path.isfile(output):
        return
    for name in inputs:
        for each in () if name is None else (name, name.rpartition(":")[0]):  # STORE:N is a run of a store
            path = "/dev/stdin" if each == STANDARD_INPUT else each
            if "\0" not in path and os.path.isfile(path) and os.path.samefile(path, output):
                raise InputError(f"the output would replace the input {each}: expected another file", "--output")


@contextmanager
def output_stream(output: str | None, inputs: Iterable[str | None]) -> Iterator[TextIO]:
    """Open what ``--output`` names, or give the standard output.

    Parameters
    ----------
    output : str or None
    inputs : iterable of (str or None)
        What the command reads (:func:`keep_inputs`).

    Yields
    ------
    text stream

    Raises
    ------
    InputError
        If the output is one of the inputs.
    """
    if output is None:
        yield sys.stdout
        return
    keep_inputs(output, inputs)
    with open(output, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        yield escaping(file)
