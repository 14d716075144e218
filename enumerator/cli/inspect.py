"""The command ``inspect``."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.guard import BAD_INPUT, complain
from enumerator.cli.listing import Plain, PlainFormat
from enumerator.cli.options import HappensBefore, Output
from enumerator.errors import InputError

__all__ = ["inspect"]

Files = Annotated[list[str], typer.Argument(metavar="FILE", help="LLVM IR as compilers emit it.")]
FileProfile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME|PATH", help="Target profile; default: the file's PROFILE directive, or generic."
    ),
]
Cpu = Annotated[
    str | None,
    typer.Option("--cpu", metavar="NAME", help="Show what each becomes on this AMDGPU processor: gfx942."),
]
Full = Annotated[bool, typer.Option("--verbose", "-v", help="Describe each operation, and name more accesses.")]


def inspect(
    files: Files,
    profile: FileProfile = None,
    hb: HappensBefore = None,
    format: PlainFormat = Plain.TEXT,
    output: Output = None,
    verbose: Full = False,
    cpu: Cpu = None,
) -> int:
    """Tell what the fences, atomics and annotations of LLVM IR order, and what looks wrong.

    For each synchronizing operation: the accesses before it and after it, over all paths, that it orders under the
    profile, and why it does not order the others. For each barrier: the fences that synchronize across it. Warnings
    are for what is almost certainly a mistake.

    Exit codes: 0 inspected, with or without warnings; 2 bad usage or bad input, after all other files.
    """
    from enumerator.inspection import inspect_file
    from enumerator.mmra import load_profile
    from enumerator.report.inspection import as_json, format_inspection

    if profile is not None:
        load_profile(profile)
    code = 0
    with output_stream(output) as stream:
        before = "[\n"
        for number, file in enumerate(files):
            try:
                found = inspect_file(file, profile, hb.value if hb is not None else "closure")
                machine = _machine_code(file, cpu)
            except InputError as error:
                error.path = error.path or file
                complain(str(error))
                code = BAD_INPUT
                record: dict[str, object] = {"path": file, "status": "error", "error": str(error)}
            else:
                if format is Plain.TEXT:
                    stream.write(("\n" if number else "") + format_inspection(found, verbose, machine))
                    continue
                record = as_json(found)
                if machine is not None:
                    record["machine"] = {"cpu": cpu, "lines": {str(line): list(code) for line, code in machine.items()}}
            if format is Plain.JSON:
                stream.write(f"{before}{json.dumps(record, indent=2)}")
                before = ",\n"
        if format is Plain.JSON:
            stream.write("\n]\n")
    sys.stdout.flush()
    return code


def _machine_code(file: str, cpu: str | None) -> dict[int, tuple[str, ...]] | None:
    """Give the machine instructions of a file's operations by line, where a processor is named."""
    if cpu is None:
        return None
    from enumerator.files import read_text
    from enumerator.refinement.machine import machine_code

    return machine_code(read_text(file), file, cpu)
