"""The command ``optimize``."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TextIO, Unpack

import typer

from enumerator.cli.options import Batching, Contexts, Jobs, Output, Paths, options_of
from enumerator.errors import InputError
from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.refinement.optimize import Optimization

__all__ = ["optimize"]


class ReportFormat(StrEnum):
    """Formats of the report."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    JUNIT = "junit"


Pipeline = Annotated[str, typer.Option("--level", metavar="O1|O2|O3|Os", help="The pipeline of LLVM.")]
Passes = Annotated[
    str | None, typer.Option("--passes", metavar="NAME,...", help="Run these passes instead; 'help' lists them.")
]
Opt = Annotated[
    str | None,
    typer.Option("--opt", metavar="COMMAND", help="Run this on the IR instead: 'opt -S -passes=licm'."),
]
Cpu = Annotated[str | None, typer.Option("--cpu", metavar="NAME", help="Optimize for this AMDGPU processor: gfx942.")]
NoReduce = Annotated[bool, typer.Option("--no-reduce", help="Do not look for the pass and the smallest program.")]
FormatAs = Annotated[ReportFormat, typer.Option("--format", help="Format of the report.")]


def optimize(
    paths: Paths,
    pipeline: Pipeline = "O2",
    passes: Passes = None,
    opt: Opt = None,
    cpu: Cpu = None,
    contexts: Contexts = None,
    no_reduce: NoReduce = False,
    jobs: Jobs = None,
    format: FormatAs = ReportFormat.TEXT,
    output: Output = None,
    **asked: Unpack[Batching],
) -> int:
    """Run LLVM's optimizer on tests, and tell whether it is right.

    What comes out has to refine the test: next to its own threads, and with --contexts next to all.

    Exit codes: 0 all do, 1 one does not, 2 bad input, or what came out is not covered, 3 a limit left some unknown.
    """
    from enumerator.cli.checking import output_stream
    from enumerator.cli.progress import progress_bar
    from enumerator.discovery import find_tests
    from enumerator.refinement.batch import Asked, optimize_all
    from enumerator.refinement.llvm import check_cpu, pass_names
    from enumerator.refinement.optimize import Optimizer, check_level

    if passes == "help":
        print("\n".join(pass_names()))
        return 0
    if passes is not None and opt is not None:
        raise InputError("--passes and --opt are two ways to say what to run: expected one", "--opt")
    chosen = tuple(name.strip() for name in passes.split(",") if name.strip()) if passes is not None else ()
    for name in chosen:
        if name not in pass_names():
            raise InputError(f"llvmlite has no pass {name!r}: it has {', '.join(pass_names())}", "--passes")
    if cpu is not None:
        check_cpu(cpu)
    options = options_of(asked)
    optimizer = Optimizer(check_level(pipeline), chosen, opt, cpu)
    ask = Asked(optimizer, tuple(options.models), contexts, not no_reduce, options)
    files, found = find_tests(paths), []
    shown = format is ReportFormat.TEXT and output is None
    inputs = (*files, *options.models, options.profile)
    with output_stream(output, inputs) as stream, progress_bar(len(files), shared=shown, what="optimizing") as advance:
        for each in optimize_all(paths, ask, jobs or os.cpu_count() or 1, advance):
            found.append(each)
            if format is ReportFormat.JSONL:
                stream.write(json.dumps(each.as_json()) + "\n")
            elif format is ReportFormat.TEXT:
                stream.writelines(f"{escaped(line)}\n" for line in _told(each))
        _finish(found, format, stream)
    return _code(found)


def _code(found: Sequence[Optimization]) -> int:
    if any(each.error is not None and not each.skipped for each in found):
        return 2
    if any(each.refines is False for each in found):
        return 1
    return 3 if any(each.refines is None and not each.skipped for each in found) else 0


def _finish(found: Sequence[Optimization], format: ReportFormat, stream: TextIO) -> None:
    if format is ReportFormat.JSON:
        stream.write(json.dumps([each.as_json() for each in found], indent=2) + "\n")
    elif format is ReportFormat.JUNIT:
        _write_junit(found, stream)
    elif format is ReportFormat.TEXT:
        stream.write(_summary(found) + "\n")


def _told(each: Optimization) -> Iterator[str]:
    """Tell of a result what a person wants to know: nothing where all is well."""
    if each.skipped:
        return
    if each.error is not None:
        yield f"ERROR {each.error}"
        return
    if each.refines is None:
        status = each.refinement.status if each.refinement is not None else ""
        yield f"UNKNOWN {each.path}: {'the time is up' if status == 'timeout' else 'a limit was reached'}"
        return
    for name in each.removed:
        yield f"{each.path}: {name}, which the test asks for, is not compared: the optimizer removed it"
    if each.refines:
        return
    assert each.refinement is not None
    example = each.refinement.counterexample
    yield f"WRONG {each.path} after {each.optimizer}, under {each.refinement.model}@{each.refinement.profile}"
    if each.passes:
        yield f"  wrong by itself: {', '.join(each.passes)}"
    if example is not None:
        yield f"  outcome that the test does not have: {example.outcome}"
        yield from (f"  next to {line}" for line in example.threads)
        yield from (f"  {line}" for line in example.lost)
        yield from ("  execution", *(f"    {line}" for line in example.execution))
    yield from ("  before", *(f"    {line}".rstrip() for line in each.reduced.splitlines() if line.strip()))
    yield from ("  after", *(f"    {line}".rstrip() for line in each.after.splitlines() if line.strip()))


def _summary(found: Sequence[Optimization]) -> str:
    counts = Counter(
        "not asked"
        if each.skipped
        else "errors"
        if each.error is not None
        else {True: "refined" if each.changed else "unchanged", False: "WRONG", None: "unknown"}[each.refines]
        for each in found
    )
    words = ("unchanged", "refined", "WRONG", "unknown", "errors", "not asked")
    told = ", ".join(f"{counts[word]} {word.removesuffix('s') if counts[word] == 1 else word}" for word in words)
    reasons = Counter(each.error for each in found if each.skipped)
    lines = [f"{len(found)} test{'s' * (len(found) != 1)}: {told}"]
    lines += [f"  not asked of {count}: {reason}" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def _write_junit(found: Sequence[Optimization], stream: TextIO) -> None:
    from enumerator.report.junit import Case, write_suites

    cases = []
    for each in found:
        case, told = Case(str(each.optimizer), each.path, each.path, each.seconds, "passed"), "\n".join(_told(each))
        if each.error is not None:
            case = case._replace(outcome="skipped" if each.skipped else "error", message=each.error)
        elif each.refines is None:
            case = case._replace(outcome="skipped", message=told)
        elif each.refines is False:
            case = case._replace(outcome="failure", message="a new outcome", told=told)
        cases.append(case)
    write_suites({"optimize": cases}, stream)
