"""Where compiled kernels are kept between runs."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

__all__ = ["SOURCES", "announce", "kernel_cache"]

_ENGINE = Path(__file__).parent

SOURCES = ("cache.py", "layout.py", "machine.py", "opcodes.py", "kernels/*.py")
"""What kernels are compiled from: their files, the constants that these import, the shapes of their arguments."""


def _fingerprint() -> str:
    """Hash the sources of kernels: numba does not notice an edit in a function that another file calls."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in SOURCES:
        for file in sorted(_ENGINE.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _candidates() -> list[Path]:
    chosen = os.environ.get("ENUMERATOR_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [Path(home) / "enumerator", Path(tempfile.gettempdir()) / f"enumerator-{user}"]


def kernel_cache() -> Path | None:
    """Choose the folder for compiled kernels and make it.

    ``ENUMERATOR_CACHE_DIR``, else the user's cache folder, else one for temporary files.

    Returns
    -------
    Path or None
        None where no folder can be written to: kernels are then compiled anew in each process.
    """
    name = f"kernels-{_fingerprint()}"
    for base in _candidates():
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        return folder
    return None


def announce(folder: Path | None) -> None:
    """Tell a person at a terminal that kernels are about to be compiled, where that has not been done before."""
    if folder is not None and any(folder.rglob("*.nbi")):
        return
    if sys.stderr is not None and sys.stderr.isatty():
        again = "once" if folder is not None else "in each run: no cache folder can be written to"
        print(f"enumerator: compiling the search kernels ({again}) …", file=sys.stderr, flush=True)
