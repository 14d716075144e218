"""Files kept between runs, where nobody else can have written them: some of them are machine code."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

__all__ = ["folder", "load", "load_whole", "store", "store_whole"]

_DIGEST = 32


def _bases() -> Iterator[Path]:
    chosen = os.environ.get("ENUMERATOR_CACHE_DIR")
    if chosen:
        yield Path(chosen)
        return
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    yield Path(home) / "enumerator"
    from tempfile import gettempdir  # is not needed where the home folder has the file

    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(gettempdir()) / f"enumerator-{user}"


def _is_safe(status: os.stat_result) -> bool:
    """Tell whether only this user, or the machine's administrator, can have written a file or a folder's entries."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def load(group: str, name: str) -> bytes | None:
    """Read what an earlier run has stored.

    Parameters
    ----------
    group : str
        The name of a folder in the cache.
    name : str
        The name of a file in it.

    Returns
    -------
    bytes or None
        None where there is no such file, or others can have written it.
    """
    for base in _bases():
        found = base / group
        with contextlib.suppress(OSError):
            if _is_safe(os.lstat(found)):
                with open(found / name, "rb") as file:
                    if _is_safe(os.fstat(file.fileno())):
                        return file.read()
    return None


def folder(group: str) -> Path | None:
    """Give the folder of a group of files, made if need be, where it can be written to, and by this user only.

    In ``ENUMERATOR_CACHE_DIR``, else in the user's cache folder, else in one for temporary files.

    Parameters
    ----------
    group : str

    Returns
    -------
    Path or None
    """
    from tempfile import NamedTemporaryFile

    for base in _bases():
        found = base / group
        with contextlib.suppress(OSError):
            base.mkdir(parents=True, exist_ok=True)
            found.mkdir(mode=0o700, exist_ok=True)
            if _is_safe(os.lstat(found)):
                with NamedTemporaryFile(dir=found):
                    return found
    return None


def store(group: str, name: str, data: bytes) -> bool:
    """Keep data for later runs, in the first folder that can be written to.

    Parameters
    ----------
    group : str
    name : str
    data : bytes

    Returns
    -------
    bool
        Whether it is kept.
    """
    from tempfile import NamedTemporaryFile

    where = folder(group)
    if where is None:
        return False
    with contextlib.suppress(OSError):
        with NamedTemporaryFile(dir=where, delete=False) as file:
            try:
                file.write(data)
                file.close()
                os.replace(file.name, where / name)  # other processes see the whole file or none
            except OSError:
                os.unlink(file.name)
                raise
        return True
    return False


def load_whole(group: str, name: str) -> bytes | None:
    """Read what :func:`store_whole` has stored; None also where that is damaged."""
    data = load(group, name)
    if data is None or hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        return None
    return data[_DIGEST:]


def store_whole(group: str, name: str, data: bytes) -> bool:
    """Keep data for later runs as :func:`store` does, so that damage is noticed."""
    return store(group, name, hashlib.sha256(data).digest() + data)
