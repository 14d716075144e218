"""The command ``draw``."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated, Unpack

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.explain import Outcome
from enumerator.cli.guard import complain
from enumerator.cli.options import Asking, File, Model, Output, options_of, read_test, relations
from enumerator.errors import InputError

__all__ = ["draw"]


class PictureFormat(StrEnum):
    """Formats of pictures."""

    SVG = "svg"
    DOT = "dot"
    HTML = "html"


_BY_EXTENSION = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".html": "html", ".htm": "html"}


def _format_of(output: str) -> str:
    """Tell the format from the name of the output: svg where the name has no extension, or is a device."""
    extension = os.path.splitext(output)[1].lower()
    if extension and extension not in _BY_EXTENSION:
        raise InputError(f"expected a name that ends with {', '.join(_BY_EXTENSION)}, or --format", output)
    return _BY_EXTENSION.get(extension, "svg")


def draw(
    file: File,
    outcome: Outcome = None,
    every: Annotated[bool, typer.Option("--all", help="All executions that end so; without --outcome, all.")] = False,
    model: Model = None,
    show: Annotated[
        str | None, typer.Option("--show", metavar="REL,...", help="Draw the edges of these relations, too.")
    ] = None,
    format: Annotated[
        PictureFormat | None, typer.Option("--format", "-f", help="Default: by the name of the output, else svg.")
    ] = None,
    output: Output = None,
    **asked: Unpack[Asking],
) -> int:
    """Draw executions.

    The smallest execution that ends in the outcome (of the test's condition, if none is given); if the model forbids
    it, the candidate that shows why in the fewest steps, with the cycle in bold.

    Exit codes: 0 drawn, 2 bad input, 3 a limit was reached first.
    """
    from enumerator.drawing import draw as ask

    kind = format.value if format is not None else _format_of(output or "")
    test, options = read_test(file, options_of(asked))
    drawing = ask(
        test,
        model or None,
        outcome,
        every=every,
        show=relations(show or ""),
        extras=kind == "html",
        options=options,
    )
    text = {"svg": drawing.svg, "dot": drawing.dot, "html": drawing.html}[kind]()
    with output_stream(output, (file, model, options.profile)) as stream:
        stream.write(text)
    for note in drawing.notes:
        complain(note)
    return 0 if drawing.status == "complete" else 3
