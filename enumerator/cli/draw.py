"""The command ``draw``."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated, Unpack

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.explain import Outcome
from enumerator.cli.guard import complain
from enumerator.cli.options import File, Model, Output, Searching, options_of, relations

__all__ = ["draw"]


class PictureFormat(StrEnum):
    """Formats of pictures."""

    SVG = "svg"
    DOT = "dot"
    HTML = "html"


_BY_EXTENSION = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".html": "html", ".htm": "html"}


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
    **asked: Unpack[Searching],
) -> int:
    """Draw executions.

    The smallest execution that ends in the outcome (of the test's condition, if none is given); if the model forbids
    it, the candidate that shows why in the fewest steps, with the cycle in bold. Exit codes: 0 drawn, 2 bad input.
    """
    from enumerator.api import load
    from enumerator.drawing import draw as ask

    extension = os.path.splitext(output or "")[1].lower()
    kind = format.value if format is not None else _BY_EXTENSION.get(extension, "svg")
    drawing = ask(
        load(file),
        model or None,
        outcome,
        every=every,
        show=relations(show or ""),
        extras=kind == "html",
        options=options_of(asked),
    )
    text = {"svg": drawing.svg, "dot": drawing.dot, "html": drawing.html}[kind]()
    with output_stream(output) as stream:
        stream.write(text)
    for note in drawing.notes:
        complain(note)
    return 0
