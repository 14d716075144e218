"""What workers call in the place of a check: importable, since it runs in other processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from enumerator.corpus.tasks import Models
from enumerator.options import BatchOptions
from enumerator.results.result import Result


def work(path: str, options: BatchOptions, models: Models) -> Iterator[Result]:
    """Do as the file says: ``die``, ``die later``, ``sleep``, or give as many results as it says."""
    order = Path(path).read_text().strip()
    name = Path(path).stem
    if order == "die":
        os._exit(7)
    if order == "die later":
        yield Result(f"{name}.0", path, verdict="Ok", as_expected=True)
        os.kill(os.getpid(), 11)
    if order == "sleep":
        time.sleep(60)
    for number in range(int(order)):
        time.sleep(0.002)
        yield Result(f"{name}.{number}", path, verdict="Ok", as_expected=True)
