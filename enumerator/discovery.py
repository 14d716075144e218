"""Finding litmus tests in files and folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from enumerator.errors import InputError
from enumerator.files import STANDARD_INPUT

__all__ = ["EXTENSIONS", "find_tests"]

EXTENSIONS = (".ll", ".litmus", ".test")
"""What the names of tests in folders end with; a file that is named itself may be called anything."""


_ENDINGS = ", ".join(EXTENSIONS)


def find_tests(paths: Iterable[str]) -> list[str]:
    """List the tests that paths stand for.

    Parameters
    ----------
    paths : iterable of str
        Files, and folders that are searched recursively (hidden ones and links to folders aside); ``-`` alone is
        standard input. Modules in folders that say what ``inspect`` finds in them (``; INSPECT:`` in the first lines)
        are no tests.

    Returns
    -------
    list of str
        In the order of `paths`, those of a folder sorted; each file once. Pipes, devices, links to nothing, and what
        does not exist or has no tests, are among them: reading them fails later, when the others are checked all the
        same.

    Raises
    ------
    InputError
        If there is no test at all: a path does not exist, or is a folder without tests.
    """
    named = list(dict.fromkeys(paths))
    if STANDARD_INPUT in named:
        if len(named) > 1:
            raise InputError("standard input is checked alone, without other tests", STANDARD_INPUT)
        return named
    found: dict[str, None] = {}
    missing: list[InputError] = []
    for path in named:
        tests = [path]
        if os.path.isdir(path):
            tests = _in_folder(path)
            if not tests:
                missing.append(InputError(f"no tests in this folder (files that end with {_ENDINGS})", path))
        elif not os.path.lexists(path):
            missing.append(InputError("no such file or folder", path))
        found.update(dict.fromkeys(tests or [path]))
    if missing and len(missing) == len(found):
        raise missing[0]
    return list(found)


def _in_folder(folder: str) -> list[str]:
    tests: list[str] = []

    def give_up(error: OSError) -> None:
        raise InputError(f"cannot read the folder: {error.strerror}", str(error.filename))

    for place, folders, files in os.walk(folder, onerror=give_up):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(place, name)
            if name.endswith(EXTENSIONS) and not name.startswith(".") and not _is_for_inspect(path):
                tests.append(path)
    return sorted(tests, key=lambda path: Path(path).parts)


def _is_for_inspect(path: str) -> bool:
    """Tell whether a file is a module with remarks to be expected, and no litmus test."""
    if not path.endswith(".ll") or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return b"\n; INSPECT:" in b"\n" + file.read(_HEAD)
    except OSError:
        return False  # reading it fails later, and says why


_HEAD = 512
