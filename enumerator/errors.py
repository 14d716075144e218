"""The errors that users see: one clear message with its place, never a traceback."""

from __future__ import annotations

import traceback
from pathlib import PurePath
from typing import Any

from enumerator.frozen import dataclass
from enumerator.printing import escaped

__all__ = [
    "InputError",
    "Interrupted",
    "LimitReached",
    "ReferenceEngineNeeded",
    "Timeout",
    "TooManyPaths",
    "message_of",
]


@dataclass
class InputError(Exception):
    """Bad input: a file, an option or a model that cannot be used.

    Parameters
    ----------
    message : str
        What is wrong and what was expected, without the place.
    path : str, optional
        The file (or ``<option>``) that holds the mistake.
    line, column : int, optional
        Where in the file, both counted from 1.

    Examples
    --------
    >>> print(InputError("expected a type", "mp.ll", 3, 7))
    mp.ll:3:7: expected a type
    """

    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        path = None if self.path is None else escaped(str(self.path))
        place = [str(part) for part in (path, self.line, self.column) if part is not None]
        message = "\\n".join(self.message.splitlines())  # what it quotes may hold line breaks; a message has one line
        return f"{':'.join(place)}: {message}" if place else message


class ReferenceEngineNeeded(InputError):
    """A model uses what only the plain evaluator can do: functions of sets of sets, chosen linearisations."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search.

    Parameters
    ----------
    partial : Outcomes or Result
        What had been found by then, marked as incomplete.
    """

    def __init__(self, partial: Any) -> None:
        super().__init__("interrupted")
        self.partial = partial


class LimitReached(Exception):
    """A limit (time, executions, memory, number of paths) ended the work before it was complete."""

    @property
    def status(self) -> str:
        """The status of a result that it ends."""
        return "timeout" if isinstance(self, Timeout) else "limit"


class TooManyPaths(LimitReached):
    """The paths of a test, or the values that they may read, are more than it is worth to list."""


class Timeout(LimitReached):
    """The time that the work may take is up."""

    def __init__(self, message: str = "timeout") -> None:
        super().__init__(message)


def message_of(error: Exception) -> str:
    """Say in one line what went wrong, whatever it was.

    Parameters
    ----------
    error : Exception

    Returns
    -------
    str
        For what is no fault of the input, where in the program it happened.

    Examples
    --------
    >>> message_of(InputError("expected a type", "mp.ll", 3)), message_of(RecursionError())
    ('mp.ll:3: expected a type', 'nested too deeply')
    >>> message_of(FileNotFoundError(2, "No such file or directory", "no/where"))
    'no/where: No such file or directory'
    """
    match error:
        case InputError():
            return str(error)
        case Timeout():
            return "the time is up"
        case LimitReached():
            return str(error)
        case RecursionError():
            return "nested too deeply"
        case MemoryError():
            return "out of memory"
        case OSError() if error.strerror:
            return f"{escaped(str(error.filename or 'output'))}: {error.strerror}"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())[:200]
    return f"internal error: {type(error).__name__}{f': {text}' if text else ''}{place}"
