"""The command ``translate``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from enumerator.cli.checking import output_stream

__all__ = ["translate"]


class Language(StrEnum):
    """Languages that tests are translated to."""

    LLVM = "llvm"


File = Annotated[str, typer.Argument(metavar="FILE", help="A Vulkan test.")]
To = Annotated[Language, typer.Option("--to", help="The language of the translation.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the translation to a file.")]


def translate(file: File, to: To, output: Output = None) -> int:
    """Translate a Vulkan test to a native one, for the model amdgpu.

    Operations become those that the AMDGPU memory model calls equivalent; what has no counterpart is an error that
    names its line. Exit codes: 0 translated, 2 bad input.
    """
    from enumerator.api import load
    from enumerator.passes.translate import to_llvm

    text = to_llvm(load(file))
    with output_stream(output, (file,)) as stream:
        stream.write(text)
    return 0
