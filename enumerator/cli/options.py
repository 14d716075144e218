"""The options that commands share, each spelt once."""

from __future__ import annotations

import math
import os
from enum import StrEnum
from typing import Annotated

import typer

from enumerator.errors import InputError

__all__ = [
    "AllValues",
    "Engine",
    "EngineOption",
    "FirstOnly",
    "Format",
    "FormatOption",
    "HappensBefore",
    "Include",
    "IncludesAnywhere",
    "Jobs",
    "MaxExecutions",
    "Models",
    "OutcomesOnly",
    "Output",
    "Paths",
    "ProfileOption",
    "Show",
    "ThinAir",
    "Timeout",
    "Unroll",
    "Variants",
    "Verbose",
    "check_folders",
    "check_seconds",
    "relation_names",
]


class Format(StrEnum):
    """Formats of reports."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    JUNIT = "junit"


class Engine(StrEnum):
    """The engines, and the choice of the one that suits the model."""

    AUTO = "auto"
    BITSET = "bitset"
    NETWORKX = "networkx"
    INTERLEAVING = "interleaving"


class Reading(StrEnum):
    """Readings of happens-before."""

    CLOSURE = "closure"
    DIRECT = "direct"
    FILTERED = "filtered"


class Axiom(StrEnum):
    """Axioms against values out of thin air."""

    DEP = "dep"
    RC11 = "rc11"
    NONE = "none"


Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Tests, and folders with tests.", show_default=False)]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", metavar="NAME|PATH", help="Memory model, or MODEL/VARIANT...; repeatable.", show_default=False
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option("-I", metavar="DIR", help="Where 'include' in a model looks, too; repeatable.", show_default=False),
]
IncludesAnywhere = Annotated[
    bool,
    typer.Option("--allow-includes-anywhere", help="Let 'include' name files outside of the model's and -I folders."),
]
ProfileOption = Annotated[
    str | None,
    typer.Option("--profile", metavar="NAME|PATH", help="Target profile; default: the test's.", show_default=False),
]
HappensBefore = Annotated[
    Reading | None,
    typer.Option("--hb", help="Reading of happens-before with tags.", show_default=False),
]
ThinAir = Annotated[
    Axiom | None,
    typer.Option("--thin-air", help="Axiom against values out of thin air.", show_default=False),
]
Variants = Annotated[
    list[str] | None,
    typer.Option("--variant", metavar="NAME", help="Variant of the model; repeatable.", show_default=False),
]
Unroll = Annotated[
    int | None,
    typer.Option("--unroll", metavar="N", min=0, help="Bound on loops; default: the test's, or 2.", show_default=False),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes; default: as many as pay.", show_default=False),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", min=0, help="Limit on the time a test takes.", show_default=False),
]
MaxExecutions = Annotated[
    int | None,
    typer.Option(
        "--max-executions", metavar="N", min=1, help="Limit on the executions explored a test.", show_default=False
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="Format of the report.")]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.", show_default=False),
]
EngineOption = Annotated[
    Engine, typer.Option("--engine", help="The fast engine, the plain one, or the one that visits states.")
]
Show = Annotated[
    str,
    typer.Option(
        "--show", metavar="REL,...", help="With --verbose: list the edges of these relations.", show_default=False
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Describe executions.")]
AllValues = Annotated[bool, typer.Option("--all-values", help="States hold all registers and locations.")]
OutcomesOnly = Annotated[bool, typer.Option("--outcomes-only", help="Do not count executions, which is faster.")]
FirstOnly = Annotated[bool, typer.Option("--first", help="Stop at the first execution that decides the verdict.")]


def check_seconds(seconds: float | None) -> float | None:
    """Check a time limit: a number, where infinity is none.

    Parameters
    ----------
    seconds : float or None

    Returns
    -------
    float or None

    Raises
    ------
    InputError
        If it is not a number.
    """
    if seconds is not None and math.isnan(seconds):
        raise InputError("expected a number of seconds, got nan", "--timeout")
    return None if seconds == math.inf else seconds


def check_folders(folders: list[str] | None) -> tuple[str, ...]:
    """Check the folders given with ``-I``.

    Parameters
    ----------
    folders : list of str or None

    Returns
    -------
    tuple of str

    Raises
    ------
    InputError
        If one is not a folder.
    """
    for folder in folders or ():
        if "\0" in folder or not os.path.isdir(folder):
            raise InputError(f"no such folder: {folder}", "-I")
    return tuple(folders or ())


def relation_names(text: str) -> tuple[str, ...]:
    """Split the names given with ``--show``.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> relation_names("hb, sw,")
    ('hb', 'sw')
    """
    return tuple(name for part in text.split(",") if (name := part.strip()))
