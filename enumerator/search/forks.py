"""Forks of this process that search a part each; those that run longest are asked to give some of it away."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from enumerator.clock import now
from enumerator.search.subproblems import Found, Stolen

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Link", "Task", "can_fork", "run_parts"]

_GRACE = 5.0
"""Seconds after the deadline in which parts may end by themselves."""


class Link:
    """What a part has of the process that waits for it.

    Parameters
    ----------
    connection : Connection
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._begun = time.monotonic()
        self._asked = False

    def asked(self, after: float) -> bool:
        """Tell whether some of what is left is to be given away now, so many seconds after the last time."""
        if not self._asked and self._connection.poll():
            self._connection.recv()
            self._asked = True
        return self._asked and time.monotonic() - self._begun > after

    def hand_over(self, left: Stolen) -> None:
        """Give something away."""
        self._connection.send(left)
        self._begun, self._asked = time.monotonic(), False


Task = Callable[[Link], Found]
"""Searches a part."""


def can_fork() -> bool:
    """Tell whether processes can be forked here (on macOS, system libraries do not survive it)."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def run_parts(
    tasks: Sequence[Task], jobs: int, deadline: float | None, more: Callable[[Stolen], Sequence[Task]] | None = None
) -> tuple[list[Found], bool]:
    """Run each task in a fork of this process, some at a time.

    Parameters
    ----------
    tasks : sequence of callable
        They are given a :class:`Link`.
    jobs : int
        How many processes run at a time.
    deadline : float or None
        When (:func:`enumerator.clock.now`) the tasks end by themselves; those that do not are ended a little later.
    more : callable, optional
        Gives the tasks for what one of them gives away. Without it none is asked.

    Returns
    -------
    list of Found
        Of all tasks, or of those that ended before one found what decides.
    bool
        Whether all ended as they should: none died.
    """
    from multiprocessing.connection import Connection, wait  # most searches end before they come here

    left = deque(tasks)
    running: dict[Connection, int] = {}
    asked: set[Connection] = set()
    found: list[Found] = []
    whole = True
    try:
        while True:
            while len(running) < jobs and left:
                _start(left.popleft(), running)
            if not running:
                return found, whole
            if more is not None:
                _ask(running, asked, jobs)
            patience = None if deadline is None else max(0.0, deadline + _GRACE - now())
            ready = wait(list(running), patience)
            if not ready:
                return found, False
            for connection in ready:
                assert isinstance(connection, Connection)
                try:
                    result = connection.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    result = None
                asked.discard(connection)
                if isinstance(result, Stolen) and more is not None:
                    left.extend(more(result))
                    continue
                with _uninterrupted():
                    connection.close()
                    os.waitpid(running.pop(connection), 0)
                if isinstance(result, Found):
                    found.append(result)
                    if result.stopped:
                        return found, whole
                else:
                    whole = False
    finally:
        with _uninterrupted():
            for connection, process in running.items():
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                connection.close()


def _ask(running: Iterable[Connection], asked: set[Connection], jobs: int) -> None:
    """Ask as many parts as there are processes with nothing to do, those that have run longest first."""
    connections = list(running)
    idle = jobs - len(connections) - len(asked)
    for connection in [each for each in connections if each not in asked][: max(0, idle)]:
        asked.add(connection)
        with suppress(OSError):  # it has ended, which its connection tells in a moment
            connection.send(None)


def _start(task: Task, running: dict[Connection, int]) -> None:
    from multiprocessing.connection import Pipe

    with _uninterrupted():
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            _serve(task, theirs)
        theirs.close()
        running[ours] = process


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off Ctrl-C: it ends this process, which ends those it has noted, and must not come before or after the note.

    Signals are not blocked for that: another thread may get them, and Python hands them to the main thread anyway.
    """
    pressed: list[int] = []
    main = threading.current_thread() is threading.main_thread()  # others are never interrupted
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number)) if main else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _serve(task: Task, connection: Connection) -> None:
    """Run a task in a fork, which has no business with anything else of the process that it is a copy of."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who waits for this process ends it
        connection.send(task(Link(connection)))
        code = 0
    except BaseException:  # noqa: BLE001 - nobody can be told here: the other end sees the end of the pipe
        pass
    finally:
        os._exit(code)
