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
from typing import TYPE_CHECKING, Protocol

from enumerator.clock import now
from enumerator.search.subproblems import Found, Stolen

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Helper", "Link", "Task", "can_fork", "run_parts"]

_LONG_SILENT = 60.0
"""Seconds after which what other machines do not bring back is searched here."""

_GRACE = 5.0
"""Seconds after the deadline in which parts may end by themselves."""


class Link:
    """What a part has of the process that waits for it.

    Parameters
    ----------
    connection : Connection
    hurried : bool
        Once it has given something away, it gives more as soon as it is asked.
    """

    def __init__(self, connection: Connection, hurried: bool = False) -> None:
        self._connection, self._hurried = connection, hurried
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
        self._begun, self._asked = 0.0 if self._hurried else time.monotonic(), False


class Task(Protocol):
    """Searches a part; those with an attribute ``part`` say which, and may be searched elsewhere."""

    def __call__(self, link: Link, /) -> Found:
        """Search it in a fork."""


class Helper:
    """What other machines do of a search, through a fork of this process that talks with them.

    Parameters
    ----------
    serve : callable
        Called in the fork with a connection. By it come ``(number, Part, seconds)``, the last None without a limit. It
        sends ``("room", N)``, how many more parts could be searched now, and ``("found", number, Found or None, list of
        Stolen)``; None where a part came to nothing.
    """

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        self.room = 0
        self.sent: dict[int, Task] = {}
        self.heard = time.monotonic()
        self._number = 0
        self.connection, self._process = _forked(serve)

    def send(self, task: Task, deadline: float | None) -> None:
        """Let another machine search a part."""
        self._number += 1
        self.sent[self._number] = task
        self.room -= 1
        left = None if deadline is None else max(0.0, deadline - now())
        with suppress(OSError):  # it has ended, which its connection tells in a moment
            self.connection.send((self._number, task.part, left))  # type: ignore[attr-defined]

    def receive(self) -> tuple[Task | None, Found | None, Sequence[Stolen]]:
        """Take what the fork says: a part that was sent, what was found, and what is left of it.

        Raises
        ------
        EOFError
            If it has ended.
        """
        kind, number, *answer = self.connection.recv()
        if kind == "room":
            self.room = number
            return None, None, ()
        self.heard = time.monotonic()
        task = self.sent.pop(number, None)
        return (task, *answer) if task is not None else (None, None, ())

    def take_back(self) -> list[Task]:
        """Give up on what was sent, to search it here."""
        back = list(self.sent.values())
        self.sent.clear()
        return back

    def close(self) -> None:
        """End the fork, which lets go of the machines."""
        self.connection.close()
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)


def can_fork() -> bool:
    """Tell whether processes can be forked here (on macOS, system libraries do not survive it)."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def run_parts(
    tasks: Sequence[Task],
    jobs: int,
    deadline: float | None,
    more: Callable[[Stolen], Sequence[Task]] | None = None,
    helper: Helper | None = None,
    *,
    hurried: bool = False,
) -> tuple[list[Found], bool]:
    """Run each task in a fork of this process, some at a time, or on another machine.

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
    helper : Helper, optional
        Takes what nobody here has begun; what it does not bring back is done here.
    hurried : bool
        See :class:`Link`.

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
            if helper is not None:
                _send_away(left, helper, deadline, jobs - len(running))
                if not running and not left and time.monotonic() - helper.heard > _LONG_SILENT:
                    left.extend(helper.take_back())
            while len(running) < jobs and left:
                _start(left.popleft(), running, hurried)
            if not running and (helper is None or not helper.sent):
                return found, whole
            if more is not None:
                _ask(running, asked, jobs + (max(0, helper.room) if helper is not None else 0))
            patience = None if deadline is None else max(0.0, deadline + _GRACE - now())
            watched = list(running) if helper is None else [*running, helper.connection]
            ready = wait(watched, patience if helper is None else min(1.0, 1.0 if patience is None else patience))
            if not ready and (helper is None or patience == 0.0):
                return found, False
            for connection in ready:
                assert isinstance(connection, Connection)
                if helper is not None and connection is helper.connection:
                    if not _listen(helper, left, found, more):
                        helper.close()
                        helper = None
                    elif found and found[-1].stopped:
                        return found, whole
                    continue
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
            if helper is not None:
                helper.close()


def _listen(
    helper: Helper, left: deque[Task], found: list[Found], more: Callable[[Stolen], Sequence[Task]] | None
) -> bool:
    """Take what other machines found; False if nobody speaks with them any more, and all is to be done here."""
    try:
        task, part, stolen = helper.receive()
    except (EOFError, OSError, pickle.UnpicklingError):
        left.extend(helper.take_back())
        return False
    if task is not None and part is None:
        left.append(task)
    elif part is not None:
        found.append(part)
        if more is not None:
            left.extend(each for one in stolen for each in more(one))
    return True


def _send_away(left: deque[Task], helper: Helper, deadline: float | None, here: int) -> None:
    """Send what other machines have room for, and what forks of this process do not begin at once."""
    kept: list[Task] = []
    while left and helper.room > 0 and len(left) + len(kept) > here:
        task = left.pop()
        part = getattr(task, "part", None)
        if part is None or part.goes_on:
            kept.append(task)
        else:
            helper.send(task, deadline)
    left.extend(reversed(kept))


def _ask(running: Iterable[Connection], asked: set[Connection], jobs: int) -> None:
    """Ask as many parts as there are processes with nothing to do, those that have run longest first."""
    connections = list(running)
    idle = jobs - len(connections) - len(asked)
    for connection in [each for each in connections if each not in asked][: max(0, idle)]:
        asked.add(connection)
        with suppress(OSError):  # it has ended, which its connection tells in a moment
            connection.send(None)


def _start(task: Task, running: dict[Connection, int], hurried: bool) -> None:
    with _uninterrupted():  # until it is noted
        ours, process = _forked(lambda connection: connection.send(task(Link(connection, hurried))))
        running[ours] = process


def _forked(serve: Callable[[Connection], None]) -> tuple[Connection, int]:
    """Fork this process; give the connection to the fork, and its number."""
    from multiprocessing.connection import Pipe

    with _uninterrupted():
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            ours.close()
            _serve(serve, theirs)
        theirs.close()
    return ours, process


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


def _serve(serve: Callable[[Connection], None], connection: Connection) -> None:
    """Work in a fork, which has no business with anything else of the process that it is a copy of."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who waits for this process ends it
        serve(connection)
        code = 0
    except BaseException:  # noqa: BLE001 - nobody can be told here: the other end sees the end of the pipe
        pass
    finally:
        os._exit(code)
