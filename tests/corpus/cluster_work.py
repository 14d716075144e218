"""What workers of a cluster call in the place of a check: importable, since it runs in other processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from enumerator.corpus.encoding import encode
from enumerator.corpus.keys import Needs
from enumerator.corpus.remote import GivenTask
from enumerator.corpus.tasks import Answer, Models
from enumerator.options import BatchOptions
from enumerator.results.result import Result


def work(task: GivenTask, options: BatchOptions, models: Models) -> Iterator[Answer]:
    """Do as the file says, and note each try beside it."""
    path = task.task.path
    order, name = Path(path).read_text().strip(), Path(path).stem
    with open(f"{path}.tries", "a") as tries:
        tries.write(".")
    first = Path(f"{path}.tries").read_text() == "."
    if order == "die" or (order == "die once" and first):
        os._exit(7)
    if order == "die later":
        yield answer(f"{name}.0", path)
        os.kill(os.getpid(), signal.SIGKILL)
    if order == "kill the worker" or (order == "kill the worker once" and first):
        os.kill(worker(), signal.SIGKILL)
        time.sleep(60)
    for number in range(int(order) if order.isdecimal() else 1):
        yield answer(f"{name}.{number}", path)


def answer(name: str, path: str) -> Answer:
    record, more = encode(Result(name, path, "none", verdict="Ok", as_expected=True))
    return Answer(name, Needs(), None, record, more)


def worker() -> int:
    """Give the process of the worker: that of the fork server's parent."""
    server = os.getppid()
    return int(Path(f"/proc/{server}/stat").read_text().rsplit(")", 1)[1].split()[1])
