"""The application and its commands."""

from __future__ import annotations

from typing import Annotated

import typer

from enumerator.cli.quick import Home, group_of

__all__ = ["app"]

_COMMANDS = (
    Home("run", "enumerator.cli.checking", "Check tests and print each in herd7's layout."),
    Home(
        "check",
        "enumerator.cli.checking",
        "Check tests under everything they have expectations for, and report what differs.",
    ),
    Home(
        "compare",
        "enumerator.cli.comparing",
        "Tell what differs between two files of results, or between two models.",
    ),
    Home("distinguish", "enumerator.cli.distinguish", "Find the smallest tests on which two models differ."),
    Home("explain", "enumerator.cli.explain", "Say why an outcome is allowed or forbidden."),
    Home("draw", "enumerator.cli.draw", "Draw executions."),
    Home("report", "enumerator.cli.report", "Make a page of results, what differs first."),
    Home(
        "history", "enumerator.cli.stores", "Tell what came out of the runs of a store, and what changed between them."
    ),
    Home("export", "enumerator.cli.stores", "Write the results of a store as a table: Parquet or CSV."),
    Home("new", "enumerator.cli.new", "Write a test to start from."),
    Home(
        "generate",
        "enumerator.cli.generate",
        "Make tests: of cycles as diy7 has them, of families, and all up to a size, each once.",
    ),
    Home("refines", "enumerator.cli.refines", "Tell whether a program may become another one."),
    Home("reorder", "enumerator.cli.neighbours", "Tell of adjacent operations whether they may be exchanged."),
    Home("merge", "enumerator.cli.neighbours", "Tell of adjacent operations what they may be merged into."),
    Home("relax", "enumerator.cli.weakest", "Find all weakest annotations that keep what a test expects."),
    Home("repair", "enumerator.cli.weakest", "Find all weakest annotations that make a condition unreachable."),
    Home("optimize", "enumerator.cli.optimize", "Run LLVM's optimizer on tests, and tell whether it is right."),
    Home(
        "inspect",
        "enumerator.cli.inspect",
        "Tell what the fences, atomics and annotations of LLVM IR order, and what looks wrong.",
    ),
    Home(
        "tokens",
        "enumerator.cli.tokens",
        "List or draw the ordering tokens of a dataflow program: which operation waits for which.",
    ),
    Home(
        "order",
        "enumerator.cli.order",
        "Order the memory operations of LLVM IR by dataflow tokens, and check that the order is sound.",
    ),
    Home(
        "translate",
        "enumerator.cli.translate",
        "Translate a Vulkan test to a native one, for the model amdgpu.",
    ),
    Home(
        "tags",
        "enumerator.cli.listing",
        "Tell whether two sets of tags are compatible, and what their combination is.",
    ),
    Home("models", "enumerator.cli.listing", "List the memory models, or show one."),
    Home("profiles", "enumerator.cli.listing", "List the target profiles, or show one."),
    Home("infer", "enumerator.cli.infer", "Infer annotations."),
    Home("completion", "enumerator.cli.completion", "Print what makes a shell complete commands and options."),
)
"""Each command with the first sentence of its help, which is all that the list of commands shows of it."""

app = typer.Typer(
    name="enumerator",
    cls=group_of(_COMMANDS),
    help="Checks litmus tests against memory models: LLVM IR with annotations, AMDGPU, C11, OpenCL, Vulkan, PTX.",
    epilog="Exit codes: 0 all as expected, 1 some verdict differs, 2 bad usage or input, 3 a limit left some unknown.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: importing what colours it takes longer than printing it
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from enumerator import __version__

        typer.echo(f"enumerator {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass
