"""Where compiled kernels are kept between runs."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

from enumerator.cache import folder, load, store

__all__ = ["SOURCES", "announce", "any_kept", "kernel_folder", "load_kernel", "store_kernel"]

_PACKAGE = Path(__file__).parent.parent

SOURCES = (
    "cache.py",
    "jit/arguments.py",
    "jit/cache.py",
    "jit/collect.py",
    "jit/decorators.py",
    "jit/kernel.py",
    "jit/table.py",
    "search/places.py",
    "search/layout.py",
    "search/opcodes.py",
    "search/kernels/*.py",
)
"""What kernels are compiled from: their files, the constants that these import, the shapes of their arguments."""


@cache
def _fingerprint() -> str:
    """Hash the sources of kernels, and what says which numba compiles them."""
    digest = hashlib.sha256(sys.version.encode())
    numba = importlib.util.find_spec("numba")
    if numba is not None and numba.origin is not None:
        version = Path(numba.origin).with_name("_version.py")
        digest.update(version.read_bytes() if version.is_file() else numba.origin.encode())
    for pattern in SOURCES:
        for file in sorted(_PACKAGE.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _group() -> str:
    return f"kernels-{_fingerprint()}"


def kernel_folder() -> Path | None:
    """Give the folder of what is compiled from these sources; None where no folder can be written to."""
    return folder(_group())


def any_kept() -> bool:
    """Tell whether an earlier run has compiled kernels from these sources."""
    where = kernel_folder()
    return where is not None and any(where.iterdir())


def load_kernel(name: str) -> bytes | None:
    """Read what an earlier run has compiled from the same sources; None where there is nothing."""
    return load(_group(), name)


def store_kernel(name: str, data: bytes) -> None:
    """Keep a compiled kernel. Where that cannot be done, it is compiled anew in each process."""
    store(_group(), name, data)


@cache
def announce() -> None:
    """Tell a person at a terminal that kernels are about to be compiled, which they are once."""
    if sys.stderr is not None and sys.stderr.isatty():
        print("enumerator: compiling the search kernels …", file=sys.stderr, flush=True)
