"""The command ``explain``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Unpack

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.options import Asking, File, Model, Output, options_of, read_test
from enumerator.cli.progress import telling

__all__ = ["Outcome", "explain"]


class ExplanationFormat(StrEnum):
    """Formats of explanations."""

    TEXT = "text"
    HTML = "html"


Outcome = Annotated[
    str | None,
    typer.Option("--outcome", metavar="COND", help="A condition, as 't1:%r = 0'; default: that of the test."),
]


def explain(
    file: File,
    outcome: Outcome = None,
    model: Model = None,
    format: Annotated[
        ExplanationFormat | None, typer.Option("--format", help="Default: by the name of the output, else text.")
    ] = None,
    output: Output = None,
    repair: Annotated[
        bool, typer.Option("--repair/--no-repair", help="Look for what would forbid it, or what holds it up.")
    ] = True,
    **asked: Unpack[Asking],
) -> int:
    """Say why an outcome is allowed or forbidden.

    Allowed: the smallest execution that ends so, in order, what is missing, and what would forbid it. Forbidden: for
    each way to reach it the axiom that refuses it and around which cycle, the shortest first; and which single
    annotations hold it up.

    Exit codes: 0 explained, 2 bad input, 3 a limit was reached first.
    """
    from enumerator.explanation import explain as ask

    test, options = read_test(file, options_of(asked))
    with telling() as progress:
        found = ask(test, model or None, outcome, options=options, repair=repair, progress=progress)
    html = format is ExplanationFormat.HTML or (format is None and (output or "").lower().endswith((".html", ".htm")))
    if html:
        from enumerator.report.page.explanation import explanation_page

        text = explanation_page(found)
    else:
        text = str(found)
    with output_stream(output, (file, model, options.profile)) as stream:
        stream.write(text)
    return 3 if found.allowed is None or found.status != "complete" else 0
