"""What becomes of errors and signals: one message and an exit code, never a traceback."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from enumerator.errors import InputError

__all__ = ["BAD_INPUT", "INTERRUPTED", "NOBODY_READS", "complain", "guarded"]

BAD_INPUT = 2
INTERRUPTED = 130  # as shells report a process that SIGINT ended
NOBODY_READS = 141  # and one that SIGPIPE ended

P = ParamSpec("P")


def complain(message: str) -> None:
    """Write a message to standard error.

    Parameters
    ----------
    message : str
    """
    try:
        sys.stderr.write(f"enumerator: {message}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody can be told


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Make a function that returns an exit code into a command.

    Parameters
    ----------
    command : callable

    Returns
    -------
    callable
        Exits with the code; an error becomes a message and the code 2.
    """

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # names of files may be no text at all
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except InputError as error:
            complain(str(error))
            code = BAD_INPUT
        except BrokenPipeError:
            # what is still buffered must not fail again when the interpreter ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = NOBODY_READS
        except KeyboardInterrupt:
            complain("interrupted")
            code = INTERRUPTED
        except OSError as error:
            complain(f"{error.filename or 'output'}: {error.strerror}")
            code = BAD_INPUT
        except (RecursionError, MemoryError) as error:
            complain("nested too deeply" if isinstance(error, RecursionError) else "out of memory")
            code = BAD_INPUT
        raise typer.Exit(code)

    return wrapper
