"""What long commands say of themselves on a terminal, and nowhere else."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from enumerator.printing import escaped, one_line

__all__ = ["counting", "progress_bar", "telling"]

_BETWEEN = 0.1  # seconds until a bar is drawn again


@contextmanager
def telling() -> Iterator[Callable[[object], None]]:
    """Show what is being done, in one line that goes away."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    room = shutil.get_terminal_size().columns - len(" ...") - 1
    try:
        yield lambda what: print(f"\r\x1b[K{one_line(str(what))[:room]} ...", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Show how many there are so far."""
    with telling() as tell:
        yield lambda number: tell(f"{number} {what}")


@contextmanager
def progress_bar(files: int, *, shared: bool, what: str = "checking") -> Iterator[Callable[..., None] | None]:
    """Show a progress bar on a terminal, and nothing elsewhere.

    Parameters
    ----------
    files : int
    shared : bool
        The report goes to the same terminal, where a bar would garble it.
    what : str

    Yields
    ------
    callable or None
        To be called whenever a file is finished, with the one that is looked at now.
    """
    if shared or files < 2 or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    current = TextColumn("{task.fields[current]}", markup=False)
    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), current
    # Without the thread that would refresh it: a process with threads cannot be forked.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task(what, total=files, current="")
        progress.refresh()
        shown = time.monotonic()

        def advance(file: str = "") -> None:
            nonlocal shown
            progress.update(task, advance=1, current=escaped(os.path.basename(file)))
            if time.monotonic() - shown > _BETWEEN:
                progress.refresh()
                shown = time.monotonic()

        yield advance
