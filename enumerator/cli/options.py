"""The options of commands: each is spelt once, under the name of the field that it sets.

A command takes those of one of the records below as ``**asked: Unpack[RECORD]``. :func:`spread` shows them to typer one
by one, with the defaults of :class:`~enumerator.options.BatchOptions`; :func:`options_of` gives that record.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypedDict, TypeVar, get_args, get_type_hints

import typer

from enumerator.clock import now, time_limit
from enumerator.errors import InputError
from enumerator.options import BatchOptions

if TYPE_CHECKING:
    from enumerator.program.test import Test

__all__ = [
    "Asking",
    "Batching",
    "Checking",
    "Comparing",
    "Compiling",
    "Contexts",
    "Dask",
    "Engine",
    "File",
    "Format",
    "FormatAs",
    "HappensBefore",
    "Jobs",
    "Limits",
    "Model",
    "Output",
    "Paths",
    "Resume",
    "Searching",
    "StoreFile",
    "options_of",
    "read_in_time",
    "read_test",
    "relations",
    "spread",
]

P = ParamSpec("P")
T = TypeVar("T")


class Format(StrEnum):
    """Formats of reports."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    JUNIT = "junit"
    HTML = "html"


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


File = Annotated[str, typer.Argument(metavar="FILE", help="A test.")]
Model = Annotated[str | None, typer.Option("--model", metavar="NAME|PATH", help="Memory model, or MODEL/VARIANT...")]
Contexts = Annotated[
    int | None,
    typer.Option(
        "--contexts",
        metavar="N",
        min=0,
        help="Ask of the functions alone: next to every other one or two threads of up to N operations in all.",
    ),
]
Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Tests, and folders with tests.")]
HappensBefore = Annotated[Reading | None, typer.Option("--hb", help="Reading of happens-before with tags.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes; default: as many as pay.")
]
FormatAs = Annotated[Format, typer.Option("--format", help="Format of the report.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")]

StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Write each result to a store (SQLite) as it comes.")
]
Resume = Annotated[bool, typer.Option("--resume", help="With --store: take what is there already, and check the rest.")]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Check on the machines of a Dask scheduler; 'local' starts one."),
]


class Limits(TypedDict):
    """What bounds a search."""

    unroll: Annotated[
        int | None,
        typer.Option(
            "--unroll",
            metavar="N",
            min=0,
            help="Bound on loops; default: the test's, else 2, or 8 where that cuts nothing.",
        ),
    ]
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", min=0, help="Limit on the time a test takes.")
    ]
    max_executions: Annotated[
        int | None,
        typer.Option("--max-executions", metavar="N", min=1, help="Limit on the executions explored a test."),
    ]


class _Model(TypedDict):
    include_dirs: Annotated[
        list[str] | None, typer.Option("-I", metavar="DIR", help="Where 'include' in a model looks, too; repeatable.")
    ]
    includes_anywhere: Annotated[
        bool,
        typer.Option(
            "--allow-includes-anywhere", help="Let 'include' name files outside of the model's and -I folders."
        ),
    ]
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME|PATH", help="Target profile; default: the test's.")
    ]
    hb: HappensBefore
    thin_air: Annotated[Axiom | None, typer.Option("--thin-air", help="Axiom against values out of thin air.")]
    variants: Annotated[
        list[str] | None, typer.Option("--variant", metavar="NAME", help="Variant of the model; repeatable.")
    ]


class Searching(_Model, Limits):
    """What a search under a model takes."""

    engine: Annotated[
        Engine, typer.Option("--engine", help="The fast engine, the reference engine, or the one that visits states.")
    ]


class _Models(TypedDict):
    models: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="NAME|PATH", help="Memory model, or MODEL/VARIANT...; repeatable."),
    ]


class Comparing(_Models, Searching):
    """What a search under each of several models takes."""


class Compiling(TypedDict):
    """How programs in C and its like are compiled."""

    clang: Annotated[
        str | None,
        typer.Option("--clang", metavar="COMMAND", help="What compiles .c, .cpp, .cl, .hip; default: clang."),
    ]
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="TRIPLE|CPU",
            help="What it compiles for: a triple; of .cl and .hip also a CPU, gfx90a, or TRIPLE:CPU.",
        ),
    ]
    level: Annotated[str, typer.Option("-O", metavar="LEVEL", help="How much it optimizes: 0, 1, 2, 3, s, z.")]


class Asking(Searching, Compiling):
    """What a question about one test under a model takes."""


class Batching(Comparing, Compiling):
    """What a check of tests, which may be programs, takes."""


class Checking(Batching):
    """What a check takes, and its report."""

    show: Annotated[
        str | None, typer.Option("--show", metavar="REL,...", help="With --verbose: list the edges of these relations.")
    ]
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Describe the executions that decide the verdict.")]
    every_execution: Annotated[bool, typer.Option("--all", help="With --verbose: describe all executions.")]
    all_values: Annotated[bool, typer.Option("--all-values", help="States hold all registers and locations.")]
    outcomes_only: Annotated[bool, typer.Option("--outcomes-only", help="Do not count executions, which is faster.")]
    first: Annotated[bool, typer.Option("--first", help="Stop at the first execution that decides the verdict.")]


def spread(command: Callable[P, T]) -> Callable[P, T]:
    """Show typer the options of a command that takes them as ``**asked``.

    Parameters
    ----------
    command : callable
        With a parameter ``**asked: Unpack[RECORD]``, or without.

    Returns
    -------
    callable
        The same one: its signature has each option of the record as a parameter.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = dict(signature.parameters)
    asked = parameters.pop("asked", None)
    if asked is not None:
        (record,) = get_args(asked.annotation)
        default = BatchOptions()
        for name, option in get_type_hints(record, include_extras=True).items():
            value = getattr(default, name)  # typer gives None where an option that may be repeated is not given
            parameters[name] = inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None if value == () else value, annotation=option
            )
        command.__signature__ = signature.replace(parameters=list(parameters.values()))  # type: ignore[attr-defined]
        command.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    return command


def options_of(asked: Mapping[str, object], **more: Any) -> BatchOptions:
    """Give the options that a command was called with.

    Parameters
    ----------
    asked : mapping of str to object
        As typer gives them.
    **more
        Other fields of the options.

    Returns
    -------
    BatchOptions

    Raises
    ------
    InputError
        If a folder does not exist, or a number of seconds is none.
    """
    fields: dict[str, Any] = {name: _plain(name, value) for name, value in asked.items() if value is not None}
    return BatchOptions(**fields, **more)


def read_in_time(read: Callable[[], T], options: BatchOptions) -> tuple[T, BatchOptions]:
    """Read what a command is about: that is part of the time that it may take.

    Parameters
    ----------
    read : callable
    options : BatchOptions

    Returns
    -------
    object
        What was read.
    BatchOptions
        The same, with the time that is left.

    Raises
    ------
    Timeout
        If none is left.
    """
    begun = now()
    with time_limit(options.timeout):
        found = read()
    if options.timeout is None:
        return found, options
    return found, replace(options, timeout=max(0.0, options.timeout - (now() - begun)))


def read_test(path: str, options: BatchOptions) -> tuple[Test, BatchOptions]:
    """Read a test in time, and compile it as the options say if it is a program; see :func:`read_in_time`.

    Parameters
    ----------
    path : str
    options : BatchOptions

    Returns
    -------
    Test
    BatchOptions
        The same, with the time that is left.

    Raises
    ------
    InputError
        As :func:`enumerator.load`.
    Timeout
        If no time is left.
    """
    from enumerator.api import load
    from enumerator.frontend import compiler_of

    return read_in_time(lambda: load(path, compiler_of(path, options)), options)


def _plain(name: str, value: object) -> object:
    """Give the value of a field for what typer gives."""
    match name, value:
        case "include_dirs", list():
            return _folders(value)
        case "timeout", float():
            return _seconds(value)
        case "show", str():
            return relations(value)
        case _, list():
            return tuple(value)
        case _, StrEnum():
            return value.value
    return value


def _seconds(seconds: float) -> float | None:
    """Check a time limit: a number, where infinity is none."""
    if math.isnan(seconds):
        raise InputError("expected a number of seconds, got nan", "--timeout")
    return None if seconds == math.inf else seconds


def _folders(folders: Iterable[str]) -> tuple[str, ...]:
    """Check the folders given with ``-I``."""
    for folder in folders:
        if "\0" in folder or not os.path.isdir(folder):
            raise InputError(f"no such folder: {folder}", "-I")
    return tuple(folders)


def relations(text: str) -> tuple[str, ...]:
    """Split the names given with ``--show``.

    Examples
    --------
    >>> relations("hb, sw,")
    ('hb', 'sw')
    """
    return tuple(name for part in text.split(",") if (name := part.strip()))
