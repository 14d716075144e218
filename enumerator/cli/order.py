"""The command ``order``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Limits, options_of, read_in_time
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.passes.ordering import Ordered, OrderedOperation, Soundness

__all__ = ["order"]


class Pass(StrEnum):
    """The ordering passes."""

    LINEAR = "linear"
    RACE = "race"
    ALIAS = "alias"


class Initial(StrEnum):
    """What memory holds at the start of a check."""

    DISTINCT = "distinct"
    GIVEN = "given"


File = Annotated[str, typer.Argument(metavar="FILE", help="LLVM IR.")]
ModeOption = Annotated[
    Pass | None,
    typer.Option(
        "--mode", help="The pass: each operation after the previous one; none; or where two may touch one location."
    ),
]
FunctionOption = Annotated[
    str | None, typer.Option("--function", metavar="NAME", help="Look at this function only; default: all.")
]
Emit = Annotated[bool, typer.Option("--emit", help="Print the IR with tokens.")]
Check = Annotated[
    bool, typer.Option("--check", help="Compare outcomes under tokens (of the pass, or as given) with program order.")
]
InitialOption = Annotated[
    Initial,
    typer.Option(
        "--initial",
        help="For --check, what memory holds at the start: another value in each cell, which shows what zeros hide "
        "(and then what the file gives, too); or only what the file gives.",
    ),
]


def order(
    file: File,
    mode: ModeOption = None,
    function: FunctionOption = None,
    emit: Emit = False,
    check: Check = False,
    initial: InitialOption = Initial.DISTINCT,
    format: PlainFormat = Plain.TEXT,
    **asked: Unpack[Limits],
) -> int:
    """Order the memory operations of LLVM IR by dataflow tokens, and check that the order is sound.

    With --mode, plain IR gets tokens; without --emit and --check, what each operation waits for is listed. Without
    --mode, --check takes a file that has its tokens. With --emit, the verdict of --check follows the IR as comments.
    Exit codes: 0 sound or not checked, 1 not sound, 2 bad input, 3 a limit left it unknown.
    """
    from enumerator.files import read_text
    from enumerator.frontend import check_text
    from enumerator.passes import ordering

    if mode is None and not check:
        raise InputError("name a pass with --mode, or check given tokens with --check")
    if mode is None and emit:
        raise InputError("--emit needs a pass: name one with --mode")
    if emit and format is Plain.JSON:
        raise InputError("--emit prints IR: it goes with --format text only")
    options = options_of(asked)
    text = read_text(file)
    check_text(text, file)

    def tokens() -> Ordered | None:
        if mode is not None:
            return ordering.order(text, file, mode.value, function)
        if not ordering.has_tokens(text, file, function):
            raise InputError("there are no ordering tokens to check: name a pass with --mode", file)
        return None

    ordered, options = read_in_time(tokens, options)
    found: Soundness | None = None
    if check:
        found = ordering.check_soundness(
            text if ordered is None else ordered.text,
            file,
            positions=None if ordered is None else ordered.positions,
            function=function,
            initial=initial.value,
            options=options,
        )
    _print(file, mode, ordered, found, emit, format)
    return 0 if found is None else found.exit_code


def _print(
    file: str, mode: Pass | None, ordered: Ordered | None, found: Soundness | None, emit: bool, format: Plain
) -> None:
    if format is Plain.JSON:
        record: dict[str, Any] = {"name": PurePath(file).stem, "path": file, "mode": mode.value if mode else None}
        if ordered is not None:
            record["operations"] = [_as_json(each) for each in ordered.operations]
        if found is not None:
            record["soundness"] = found.as_json()
        print_json(record)
        return
    lines: list[str] = []
    if ordered is not None and emit:
        sys.stdout.write(ordered.text)
    elif ordered is not None and found is None:
        lines.extend(_listed(ordered))
    if found is not None:
        lines.extend(f"; {line}" if emit else line for line in found.lines())
    for line in lines:
        print(line)


def _listed(ordered: Ordered) -> list[str]:
    """Say what each operation waits for."""
    places = {(each.function, each.number): _place(each) for each in ordered.operations}
    lines: list[str] = []
    function = None
    for each in ordered.operations:
        if each.function != function:
            function = each.function
            lines.append(f"@{function}, pass {ordered.mode}")
        waits = [places[each.function, number] for number in each.waits_for]
        if each.entry:
            waits.insert(0, "the entry")
        lines.append(f"  {_place(each)}: {each.text}")
        lines.append(f"      waits for {', '.join(waits) if waits else 'nothing'}")
    return lines


def _place(operation: OrderedOperation) -> str:
    return f"line {operation.line}" if operation.line is not None else f"instruction {operation.number}"


def _as_json(operation: OrderedOperation) -> dict[str, Any]:
    return {
        "function": operation.function,
        "instruction": operation.number,
        "line": operation.line,
        "text": operation.text,
        "waits_for": list(operation.waits_for),
        "waits_for_entry": operation.entry,
    }
