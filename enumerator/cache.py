"""Files kept between runs, where nobody else can have written them: some of them are machine code."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["folder", "load", "load_whole", "store", "store_whole"]

_DIGEST = 32

MOST = 512
"""How many files of a group are kept: a version of the program has some hundred models with their variants."""

_HOUR = 3600.0
_BEING_WRITTEN = "tmp"


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
                    status = os.fstat(file.fileno())
                    if _is_safe(status):
                        _use(found / name, status)
                        return file.read()
    return None


def _use(file: Path, status: os.stat_result) -> None:
    """Note that a file is still used, where that was not noted within the hour."""
    if time.time() - status.st_mtime > _HOUR:
        with contextlib.suppress(OSError):  # it cannot be noted where only the administrator may write
            os.utime(file)


def _prune(where: Path) -> None:
    """Remove the files that have not been used for longest, a quarter of them, where there are too many.

    Other processes may do the same, or read them: what is open stays readable, and what is gone is made anew.
    """
    names = os.listdir(where)
    if len(names) <= MOST:
        return
    used: list[tuple[float, str]] = []
    for name in names:
        with contextlib.suppress(OSError):
            last = os.lstat(where / name).st_mtime
            if not name.startswith(_BEING_WRITTEN) or time.time() - last > _HOUR:  # its writer has died
                used.append((last, name))
    for _, name in sorted(used)[: max(0, len(used) - MOST * 3 // 4)]:
        with contextlib.suppress(OSError):
            os.unlink(where / name)


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
                with NamedTemporaryFile(dir=found, prefix=_BEING_WRITTEN):
                    return found
    return None


def store(group: str, name: str, data: bytes) -> bool:
    """Keep data for later runs, in the first folder that can be written to.

    Of more than :data:`MOST` files of a group, those go that no run has read for longest.

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
        with NamedTemporaryFile(dir=where, prefix=_BEING_WRITTEN, delete=False) as file:
            try:
                file.write(data)
                file.close()
                os.replace(file.name, where / name)  # other processes see the whole file or none
            except OSError:
                os.unlink(file.name)
                raise
        with contextlib.suppress(OSError):
            _prune(where)
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
