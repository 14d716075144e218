"""Errors and signals in commands: one message and an exit code, never a traceback or half a line of a report."""

from __future__ import annotations

import functools
import io
import os
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import ParamSpec, TypeVar

import typer

from enumerator.errors import LimitReached, message_of
from enumerator.printing import escaped, escaping, printable

__all__ = ["BAD_INPUT", "INTERRUPTED", "LIMIT", "NOBODY_READS", "complain", "guarded", "written_whole"]

BAD_INPUT = 2
LIMIT = 3
INTERRUPTED = 130  # as shells report a process that SIGINT ended
NOBODY_READS = 141  # and one that SIGPIPE ended

P = ParamSpec("P")
T = TypeVar("T")


def complain(message: str) -> None:
    """Write a message to standard error; on a terminal, below it the line of the file that it is about.

    Parameters
    ----------
    message : str
    """
    if sys.stderr is None:  # it was closed before the process began
        return
    try:
        excerpt = _excerpt(message) if sys.stderr.isatty() else ""
        sys.stderr.write(f"enumerator: {escaped(message)}\n{printable(excerpt)}")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody can be told


_PLACE = re.compile(r"(?P<path>[^\n]+?):(?P<line>[1-9]\d{0,8})(?::(?P<column>[1-9]\d{0,8}))?: ")
_WIDEST = 100


def _excerpt(message: str) -> str:
    """Give the source line that a message names, with a caret below the column; empty if there is none to show."""
    match = _PLACE.match(message)
    if match is None:
        return ""
    from enumerator.errors import InputError
    from enumerator.files import read_text

    try:
        lines = read_text(match["path"], piped=False).split("\n")
    except (InputError, OSError, ValueError):
        return ""
    number, column = int(match["line"]), int(match["column"] or 0)
    if number > len(lines) or not lines[number - 1].strip():
        return ""
    line = lines[number - 1].rstrip("\r")
    start = max(0, min(column - _WIDEST // 2, len(line) - _WIDEST)) if len(line) > _WIDEST else 0
    shown = line[start : start + _WIDEST].replace("\t", " ")
    margin = " " * len(str(number))
    text = f"  {number} | {shown}\n"
    if 0 < column <= len(line) + 1:
        text += f"  {margin} | {' ' * (column - 1 - start)}^\n"
    return text


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Make a function that returns an exit code into a command.

    Parameters
    ----------
    command : callable

    Returns
    -------
    callable
        Exits with the code; any error becomes a message and the code 2, a limit that left no answer one and the code 3.
        Control characters in what it writes are escaped.
    """

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        if sys.stdout is None:  # it was closed before the process began
            complain("the standard output is closed")
            raise typer.Exit(BAD_INPUT)
        if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
            # python -u has no buffer, and forgets what a pipe does not take before a signal comes
            sys.stdout = open(sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # names of files may be no text at all
        try:
            with redirect_stdout(escaping(sys.stdout)):
                code = command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _forget()
            code = NOBODY_READS
        except KeyboardInterrupt:
            complain("interrupted")
            code = INTERRUPTED
        except (LimitReached, MemoryError) as limit:
            complain(f"unknown: {message_of(limit)}")
            code = LIMIT
        except Exception as error:  # noqa: BLE001 - whatever the cause, users get one message
            complain(message_of(error))
            code = BAD_INPUT
        try:
            sys.stdout.flush()
        except OSError:  # a full disk, which was told already
            _forget()
        raise typer.Exit(code)

    return wrapper


def _forget() -> None:
    """Let go of what is still in the buffer of the output: it must not fail again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def written_whole(results: Generator[T, None, None]) -> Iterator[Iterator[T]]:
    """Give results to a writer that Ctrl-C does not stop in the middle of one.

    Otherwise, half a line could stay in the buffer of the output, and be written when the process ends.

    Parameters
    ----------
    results : generator

    Yields
    ------
    iterator
        The same results. Ctrl-C interrupts the search for the next one at once; while one is being written, it waits
        until the next is asked for, and then `results` gets it. A second Ctrl-C does not wait: the reader of a pipe
        may never read on.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came when the last result was being written.
    """
    searching = pressed = False

    def interrupt(number: int, frame: object) -> None:
        nonlocal pressed
        if searching or pressed:
            raise KeyboardInterrupt
        pressed = True

    def interruptible() -> Iterator[T]:
        nonlocal searching, pressed
        while True:
            searching = True
            try:
                if pressed:
                    pressed = False
                    result = results.throw(KeyboardInterrupt())
                else:
                    result = next(results)
            except StopIteration:
                return
            finally:
                searching = False
            yield result

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, or somebody else's
        yield results
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield interruptible()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
