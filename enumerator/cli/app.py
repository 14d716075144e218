"""The application and its commands."""

from __future__ import annotations

from typing import Annotated

import typer

from enumerator.cli.checking import check, run
from enumerator.cli.comparing import compare
from enumerator.cli.guard import guarded
from enumerator.cli.infer import infer, thread_private
from enumerator.cli.inspect import inspect
from enumerator.cli.listing import models, profiles, tags
from enumerator.cli.options import spread
from enumerator.cli.order import order
from enumerator.cli.tokens import tokens
from enumerator.cli.translate import translate

__all__ = ["app"]

app = typer.Typer(
    name="enumerator",
    help="Checks litmus tests against memory models: LLVM IR with sync scopes and annotations, AMDGPU, C11, Vulkan.",
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


app.add_typer(infer, name="infer")
infer.command("thread-private")(guarded(spread(thread_private)))

for _command in (run, check, compare, inspect, tokens, order, translate, tags, models, profiles):
    app.command()(guarded(spread(_command)))
