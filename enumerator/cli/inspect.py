"""The command ``inspect``."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated, Unpack

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.guard import BAD_INPUT, complain
from enumerator.cli.options import Compiling, HappensBefore, Output
from enumerator.errors import InputError

__all__ = ["inspect"]


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


FindingsFormat = Annotated[
    Format, typer.Option("--format", help="Text; JSON; or SARIF, as tools that review code take it.")
]
Files = Annotated[list[str], typer.Argument(metavar="FILE", help="LLVM IR as compilers emit it, or programs.")]
FileProfile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME|PATH",
        help="Target profile; default: the file's PROFILE directive or target.",
    ),
]
Cpu = Annotated[
    str | None,
    typer.Option("--cpu", metavar="NAME", help="Show what each becomes on this AMDGPU processor: gfx942."),
]
Launch = Annotated[
    str | None,
    typer.Option(
        "--launch", metavar="GRID", help="Check each kernel by enumeration, too: 'workgroups=1 waves=2 lanes=1'."
    ),
]
LaunchSeconds = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.0, help="For each kernel that is checked so.")
]
Error = Annotated[bool, typer.Option("--error", help="Exit with 1 if there are warnings.")]
Wide = Annotated[bool, typer.Option("--wide", help="Also remark on scopes that are wider than needed.")]
Full = Annotated[bool, typer.Option("--verbose", "-v", help="Describe each operation, and name more accesses.")]


def inspect(
    files: Files,
    profile: FileProfile = None,
    hb: HappensBefore = None,
    format: FindingsFormat = Format.TEXT,
    output: Output = None,
    verbose: Full = False,
    cpu: Cpu = None,
    error: Error = False,
    wide: Wide = False,
    launch: Launch = None,
    timeout: LaunchSeconds = 20.0,
    **asked: Unpack[Compiling],
) -> int:
    """Tell what the fences, atomics and annotations of programs order, and what looks wrong.

    For each synchronizing operation: the accesses before it and after it, over all paths, that it orders under the
    profile, and why it does not order the others. For each barrier: the fences that synchronize across it. Warnings
    are for what is almost certainly a mistake.

    Exit codes: 0 inspected; 1 with --error, there are warnings; 2 bad usage or bad input, after all other files.
    """
    from enumerator.files import read_text
    from enumerator.frontend import SOURCES
    from enumerator.frontend.compiled import Compiler, compiled_text
    from enumerator.inspection import inspect_text
    from enumerator.inspection.findings import Severity
    from enumerator.mmra import load_profile
    from enumerator.refinement.machine import machine_code
    from enumerator.report.findings import as_json, as_sarif
    from enumerator.report.inspection import format_inspection

    if profile is not None:
        load_profile(profile)
    compiler = Compiler(asked["clang"], asked["target"], asked["level"])
    code = 0
    warned = False
    found_all = []
    with output_stream(output, (*files, profile)) as stream:
        before = "[\n"
        for number, file in enumerate(files):
            try:
                reading = hb.value if hb is not None else "closure"
                text, compiled = read_text(file), None
                if file.lower().endswith(SOURCES):
                    if cpu is not None:
                        raise InputError("only LLVM IR is compiled for a processor", file)
                    text, compiled = compiled_text(text, file, compiler), file
                found = inspect_text(text, file, profile, reading, wide=wide, compiled=compiled)
                if launch is not None:
                    from enumerator.launching import launch_remarks

                    found.remarks += launch_remarks(text, found, launch, timeout, compiled)
                machine = machine_code(text, file, cpu) if cpu is not None else None
            except InputError as problem:
                problem.path = problem.path or file
                complain(str(problem))
                code = BAD_INPUT
                record: dict[str, object] = {"path": file, "status": "error", "error": str(problem)}
            else:
                warned |= any(remark.severity is Severity.WARNING for remark in found.remarks)
                found_all.append(found)
                if format is Format.TEXT:
                    stream.write(("\n" if number else "") + format_inspection(found, verbose, machine))
                    continue
                record = as_json(found)
                if machine is not None:
                    record["machine"] = {"cpu": cpu, "lines": {str(line): list(code) for line, code in machine.items()}}
            if format is Format.JSON:
                stream.write(f"{before}{json.dumps(record, indent=2)}")
                before = ",\n"
        if format is Format.JSON:
            stream.write("\n]\n")
        elif format is Format.SARIF:
            stream.write(f"{json.dumps(as_sarif(found_all), indent=2)}\n")
    sys.stdout.flush()
    return code or int(error and warned)
