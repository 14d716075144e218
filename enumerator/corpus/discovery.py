"""Finding litmus tests in files and folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from enumerator.errors import InputError

__all__ = ["EXTENSIONS", "find_tests"]

EXTENSIONS = (".ll", ".litmus", ".test")
"""What the names of tests in folders end with; a file that is named itself may be called anything."""


def find_tests(paths: Iterable[str]) -> list[str]:
    """List the tests that paths stand for.

    Parameters
    ----------
    paths : iterable of str
        Files, and folders that are searched recursively (hidden ones and links to folders aside).

    Returns
    -------
    list of str
        In the order of `paths`, those of a folder sorted; each file once.

    Raises
    ------
    InputError
        If a path does not exist, is neither file nor folder, or is a folder without tests.
    """
    found: dict[str, None] = {}
    for path in paths:
        try:
            exists, is_folder, is_file = os.path.lexists(path), os.path.isdir(path), os.path.isfile(path)
        except ValueError:  # a NUL in the name
            exists = is_folder = is_file = False
        if is_folder:
            tests = _in_folder(path)
            if not tests:
                raise InputError(f"no tests in this folder (files that end with {', '.join(EXTENSIONS)})", path)
            found.update(dict.fromkeys(tests))
        elif is_file:
            found[path] = None
        else:
            raise InputError("neither a file nor a folder" if exists else "no such file or folder", path)
    return list(found)


def _in_folder(folder: str) -> list[str]:
    tests: list[str] = []

    def give_up(error: OSError) -> None:
        raise InputError(f"cannot read the folder: {error.strerror}", str(error.filename))

    for place, folders, files in os.walk(folder, onerror=give_up):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(place, name)
            # devices and pipes are left alone: reading one may never end
            if name.endswith(EXTENSIONS) and not name.startswith(".") and os.path.isfile(path):
                tests.append(path)
    return sorted(tests, key=lambda path: Path(path).parts)
