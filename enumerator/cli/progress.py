"""What long commands say of themselves on a terminal, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from enumerator.printing import one_line

__all__ = ["telling"]


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is being done, in one line that goes away; and nothing elsewhere.

    Yields
    ------
    callable
        Takes what is being done.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    try:
        yield lambda what: print(f"\r\x1b[K{one_line(what)} ...", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
