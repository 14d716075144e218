"""The application and its commands."""

from __future__ import annotations

from typing import Annotated

import typer

from enumerator.cli.quick import Home, group_of

__all__ = ["app"]

_COMMANDS = (
    Home("run", "checking", "Check tests and print each in herd7's layout."),
    Home("check", "checking", "Check tests under everything they have expectations for, and report what differs."),
    Home("compare", "comparing", "Tell what differs between two files of results, or between two models."),
    Home("distinguish", "distinguish", "Find the smallest tests on which two models differ."),
    Home("explain", "explain", "Say why an outcome is allowed or forbidden."),
    Home("draw", "draw", "Draw executions."),
    Home("report", "report", "Make a page of results, what differs first."),
    Home("history", "stores", "Tell what came out of the runs of a store, and what changed between them."),
    Home("export", "stores", "Write the results of a store as a table: Parquet or CSV."),
    Home("new", "new", "Write a test to start from."),
    Home(
        "generate", "generate", "Make tests: of cycles as diy7 has them, of families, and all up to a size, each once."
    ),
    Home("refines", "refines", "Tell whether a program may become another one."),
    Home("reorder", "neighbours", "Tell of adjacent operations whether they may be exchanged."),
    Home("merge", "neighbours", "Tell of adjacent operations what they may be merged into."),
    Home("relax", "weakest", "Find all weakest annotations that keep what a test expects."),
    Home("repair", "weakest", "Find all weakest annotations that make a condition unreachable."),
    Home("optimize", "optimize", "Run LLVM's optimizer on tests, and tell whether it is right."),
    Home(
        "inspect", "inspect", "Tell what the fences, atomics and annotations of programs order, and what looks wrong."
    ),
    Home(
        "tokens", "tokens", "List or draw the ordering tokens of a dataflow program: which operation waits for which."
    ),
    Home(
        "order",
        "order",
        "Order the memory operations of LLVM IR by dataflow tokens, and check that the order is sound.",
    ),
    Home("translate", "translate", "Translate a Vulkan test to a native one, for the model amdgpu."),
    Home("tags", "listing", "Tell whether two sets of tags are compatible, and what their combination is."),
    Home("models", "listing", "List the memory models, or show one."),
    Home("profiles", "listing", "List the target profiles, or show one."),
    Home("infer", "infer", "Infer annotations."),
    Home("completion", "completion", "Print what makes a shell complete commands and options."),
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
