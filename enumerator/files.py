"""Input files: the one way in which they are read, so that a bad one is always told the same way.

Only regular files are opened: to read a pipe or a device may never end. A pipe is read as standard input, by the
name ``-``, where a command takes it.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path

from enumerator.errors import InputError
from enumerator.frozen import dataclass

__all__ = [
    "LARGEST_TEST",
    "STANDARD_INPUT",
    "Given",
    "Question",
    "Unanswered",
    "contained",
    "current",
    "given",
    "obstacle",
    "on_the_asking_machine",
    "read_text",
]

STANDARD_INPUT = "-"
"""The name under which commands that read a test or results take what is piped to them."""

LARGEST_TEST = 32 << 20
"""Bytes of a test, or of IR to inspect or order."""

_PACKAGE = Path(__file__).resolve().parent


# Files of another machine --------------------------------------------------------------------------------------

Question = tuple[str, ...]
"""What is asked about a file: ``("text", PATH, BYTES)``, ``("obstacle", PATH)``, ``("contained", PATH, FOLDER…)``,
``("compiled", PATH, CLANG, TARGET, LEVEL)``."""


class Unanswered(BaseException):
    """A question about a file that only the machine that asked for the work can answer: no error, so nothing hides it.

    Parameters
    ----------
    question : tuple of str
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


@dataclass
class Given:
    """Answers about files that are not looked up here.

    Parameters
    ----------
    answers : mapping of tuple to object
        By the question. A text that is a pair is an error: its message and its path.
    elsewhere : str or None
        The folder that the machine that has the files works in. None: what has no answer is looked up here.
    read : dict of str to str
        The texts that were read meanwhile, by path; those of the package aside.
    """

    answers: Mapping[Question, object] = field(default_factory=dict)
    elsewhere: str | None = None
    read: dict[str, str] = field(default_factory=dict)


_given: ContextVar[Given | None] = ContextVar("given", default=None)


@contextmanager
def given(answers: Given) -> Iterator[Given]:
    """Answer questions about files from what is given, for a block.

    Parameters
    ----------
    answers : Given

    Yields
    ------
    Given
        The same.

    Examples
    --------
    >>> with given(Given({("text", "mp.ll"): "; a test"})) as files:
    ...     read_text("mp.ll"), files.read
    ('; a test', {'mp.ll': '; a test'})
    """
    token = _given.set(answers)
    try:
        yield answers
    finally:
        _given.reset(token)


def current() -> Given | None:
    """Give the answers that hold now, if any are given."""
    return _given.get()


def on_the_asking_machine(question: Question) -> tuple[bool, object]:
    """Look for the answer to a question about a file among those that are given.

    Parameters
    ----------
    question : tuple of str
        The path is its second part.

    Returns
    -------
    (bool, object)
        Whether there is an answer; without one, the question is to be answered here.

    Raises
    ------
    Unanswered
        If it has to be answered elsewhere.
    """
    files = _given.get()
    if files is None:
        return False, None
    if question[:2] in files.answers:
        return True, files.answers[question[:2]]
    if files.elsewhere is None or Path(question[1]).is_relative_to(_PACKAGE):
        return False, None
    here = os.getcwd()  # to resolve a path here made it one of this folder
    question = (question[0], *(_moved(part, here, files.elsewhere) for part in question[1:]))
    if question not in files.answers:
        raise Unanswered(question)
    return True, files.answers[question]


def _moved(path: str, here: str, there: str) -> str:
    return os.path.join(there, os.path.relpath(path, here)) if Path(path).is_relative_to(here) else path


def _noted(path: str, text: str) -> str:
    files = _given.get()
    if files is not None and not Path(path).is_relative_to(_PACKAGE):
        files.read[path] = text
    return text


# Files of this machine -----------------------------------------------------------------------------------------


def read_text(path: str | os.PathLike[str], largest: int = LARGEST_TEST, *, piped: bool = True) -> str:
    """Read a text in UTF-8.

    Parameters
    ----------
    path : str or path-like
    largest : int
        The most bytes that it may have.
    piped : bool
        Whether ``-`` is standard input.

    Returns
    -------
    str
        Without a byte order mark.

    Raises
    ------
    InputError
        If there is no such file, it is no regular one, cannot be read, is too large, or is no text.

    Examples
    --------
    >>> read_text("/dev/zero")
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: /dev/zero: cannot read it: this is no regular file (a pipe is read by the name -)
    """
    name = os.fspath(path)
    known, answer = on_the_asking_machine(("text", name, str(largest)))
    if known and not isinstance(answer, str):
        assert isinstance(answer, tuple | list)
        raise InputError(*answer)
    if isinstance(answer, str):
        return _noted(name, answer)
    try:
        data = _standard_input(largest) if piped and name == STANDARD_INPUT else _regular_file(name, largest)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror or error}", name) from None
    if data is None or len(data) > largest:
        raise InputError(f"the file is larger than {_size(largest)}", name)
    return _noted(name, _decoded(data, name))


def obstacle(path: str | os.PathLike[str]) -> str | None:
    """Tell why a path is not that of a file that can be opened.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    str or None
        None where it is a regular file, or a link to one.

    Examples
    --------
    >>> obstacle("/"), obstacle("/no/such"), obstacle(__file__)
    ('this is a folder, not a file', 'No such file or directory', None)
    """
    known, answer = on_the_asking_machine(("obstacle", os.fspath(path)))
    if known:
        return None if answer is None else str(answer)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError as error:
        return "this is a link to a file that does not exist" if os.path.islink(path) else error.strerror
    except ValueError:  # a NUL in the name
        return "this is no file name"
    except OSError as error:
        return error.strerror or str(error)
    if stat.S_ISDIR(mode):
        return "this is a folder, not a file"
    return None if stat.S_ISREG(mode) else "this is no regular file (a pipe is read by the name -)"


def contained(path: Path, folders: Iterable[Path]) -> bool:
    """Tell whether a path is in one of some folders, or in a folder in them, when all links are resolved.

    Parameters
    ----------
    path : Path
    folders : iterable of Path

    Returns
    -------
    bool

    Examples
    --------
    >>> [contained(Path("/models", file), [Path("/models")]) for file in ("a.cat", "b/../a.cat", "../a.cat", "/etc/a")]
    [True, True, False, False]
    """
    folders = list(folders)
    known, answer = on_the_asking_machine(("contained", str(path), *map(str, folders)))
    if known:
        return bool(answer)
    try:
        return any(path.resolve().is_relative_to(folder.resolve()) for folder in folders)
    except (OSError, ValueError, RuntimeError):  # a NUL in the name, links that go round
        return False


def _regular_file(name: str, largest: int) -> bytes | None:
    """Read at most a byte more than may be; None where the file says that it is longer."""
    if (reason := obstacle(name)) is not None:
        raise InputError(f"cannot read it: {reason}", name)
    if os.stat(name).st_size > largest:
        return None
    with open(name, "rb", opener=_open) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # it was replaced meanwhile
            raise InputError("cannot read it: this is no regular file", name)
        return file.read(largest + 1) or b""  # some files of the system are longer than they say


def _open(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


_piped: tuple[object, bytes] | None = None
"""What has been read of standard input, which cannot be read twice."""


def _standard_input(largest: int) -> bytes:
    global _piped
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("cannot read it: there is no standard input", STANDARD_INPUT)
    if _piped is None or _piped[0] is not sys.stdin:
        _piped = sys.stdin, sys.stdin.buffer.read(largest + 1)
    return _piped[1]


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"


def _decoded(data: bytes, name: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("the file is not UTF-8: it begins as UTF-16 does", name)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        raise InputError("the file is not valid UTF-8", name, line, column) from None
