"""The command ``new``."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from importlib.resources import files
from typing import Annotated

import typer

from enumerator.errors import InputError
from enumerator.printing import escaped

__all__ = ["new"]


class Kind(StrEnum):
    """Kinds of tests to start from."""

    LLVM = "llvm"
    GPU = "gpu"
    C = "c"
    OPENCL = "opencl"
    VULKAN = "vulkan"
    PTX = "ptx"
    PROGRAM = "program"


_TEXTS = {
    Kind.LLVM: "llvm.ll",
    Kind.GPU: "gpu.ll",
    Kind.C: "c.litmus",
    Kind.OPENCL: "opencl.litmus",
    Kind.VULKAN: "vulkan.litmus",
    Kind.PTX: "ptx.litmus",
    Kind.PROGRAM: "program.c",
}
"""Message passing in each, in ``starts``."""
_EXTENSIONS = {".ll": Kind.LLVM, ".litmus": Kind.C, ".c": Kind.PROGRAM}


def new(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="Where; default: the standard output.")] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="What to start from; default: by the name of the file, else llvm.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> int:
    """Write a test to start from.

    It is message passing, with a condition and what is expected of it.

    Exit codes: 0 written, 2 the file is there already, or cannot be written.
    """
    if kind is None:
        kind = _EXTENSIONS.get(os.path.splitext(file or "")[1].lower(), Kind.LLVM)
    text = (files("enumerator.cli") / "starts" / _TEXTS[kind]).read_text(encoding="utf-8")
    if file is None:
        sys.stdout.write(text)
        return 0
    if os.path.exists(file) and not force:
        raise InputError("there is such a file already; --force writes over it", file)
    with open(file, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    name = escaped(file)
    sys.stdout.write(f"{name}: now try\n  enumerator run {name}\n  enumerator explain {name}\n")
    return 0
