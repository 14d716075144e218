"""Processes that work is given to, a few items at a time: one that dies costs the item it was at, and no other.

Python's process pool gives up as a whole when one of its processes dies; the one here goes on.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from enumerator.corpus.tasks import Models, failure
from enumerator.frontend import read_ahead
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions
from enumerator.results.result import Result

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

__all__ = ["Lost", "Pool", "Waiting", "Work", "look_less_for_garbage"]

Item = TypeVar("Item")

Work = Callable[[Any, BatchOptions, Models], Iterator[Any]]
"""What is done with an item, in another process: importable. The text of an item is the path of its file."""

_YOUNG = 100_000  # objects after which a process looks for garbage; tests leave little that refers to itself
_QUICK = 0.02  # seconds; items that take less are given out several at a time
_WINDOW = 16  # so many
_GRACE = 120.0  # seconds beyond the time limit (imports, a first compilation) until a silent process is ended
_MOMENT = 0.2  # seconds in which a process that has given its last result says so


@dataclass(frozen=True, slots=True)
class Lost:
    """What there is of an item whose process died, or had to be ended.

    Parameters
    ----------
    path, reason : str
    status : {'error', 'timeout', 'slow'}
    """

    path: str
    reason: str
    status: str

    def result(self) -> Result:
        """Give the result that says so."""
        lost = failure(self.path, f"{self.path}: {self.reason}")
        return lost if self.status == "error" else Result(lost.name, self.path, status="timeout", notes=(self.reason,))


@dataclass(slots=True)
class _Worker(Generic[Item]):
    process: BaseProcess
    connection: Connection
    heard: float  # when it last said anything
    items: deque[Item]  # those that it has not finished; it is at the first
    began: float = 0.0  # when it began with that
    quick: bool = False  # whether the last one took so little that it should know the next ones beforehand


class Pool(Generic[Item]):
    """Processes that do some work with each of many items.

    Parameters
    ----------
    options : BatchOptions
    jobs : int
        How many processes.
    work : callable
        Called in a process for each item; what it yields is sent back.
    attempts : int
        How many processes an item may cost until it is given up.
    stays : bool
        Processes are kept until :meth:`close`; otherwise each is ended when nothing is left for it.

    Attributes
    ----------
    lingers : float or None
        Seconds after which an item is given up, as :class:`Lost` with the status ``slow``: others wait.

    Examples
    --------
    >>> from enumerator.corpus.tasks import check_file
    >>> pool = Pool(BatchOptions(), 1, check_file)
    >>> [(path, result and result.status) for path, result in pool.run(["no/such.ll"])]
    [('no/such.ll', 'error'), ('no/such.ll', None)]
    """

    def __init__(self, options: BatchOptions, jobs: int, work: Work, *, attempts: int = 1, stays: bool = False) -> None:
        self._options, self._jobs, self._work = options, max(1, jobs), work
        self._attempts, self._stays = attempts, stays
        self._workers: dict[Connection, _Worker[Item]] = {}
        self._idle: list[_Worker[Item]] = []
        self._deaths: dict[Item, int] = {}
        self._skipped: dict[Item, int] = {}  # results that an item gave before its process died
        self._given: dict[Item, int] = {}
        self.lingers: float | None = None
        self._patience = None if options.timeout is None else options.timeout + _GRACE
        _compile_first(options)
        self._context = _context(options)

    def run(self, items: Iterable[Item], total: int | None = None) -> Iterator[tuple[Item, Any]]:
        """Do the work.

        Parameters
        ----------
        items : iterable
            Hashable, each another one. They are taken as processes have room.
        total : int, optional
            How many there are.

        Yields
        ------
        (item, object)
            What the work yielded, as it comes; :class:`Lost` where the processes died; None when an item is finished.
        """
        from multiprocessing.connection import Connection, wait  # a single file needs no other process

        self._source, self._left = iter(items), total if total is not None else _MANY
        self._again: deque[Item] = deque()
        for _ in range(self._jobs):
            self._start()
        while self._workers:
            watched = self._patience is not None or self.lingers is not None
            for connection in wait(list(self._workers), 1.0 if watched else None):
                assert isinstance(connection, Connection)
                worker = self._workers[connection]
                try:
                    found = connection.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    worker.process.join(5)
                    yield from self._lose(worker, _death(worker.process.exitcode), "error")
                    continue
                yield from self._heard(worker, found)
            if self._patience is not None:
                late = time.monotonic() - self._patience
                for worker in [each for each in self._workers.values() if each.heard < late]:
                    yield from self._lose(worker, "did not end in time, and was ended", "timeout")
            if self.lingers is not None:
                late = time.monotonic() - self.lingers
                for worker in [each for each in self._workers.values() if each.began < late]:
                    yield from self._lose(worker, "takes long", "slow")

    def at_hand(self) -> list[Item]:
        """Give the items that processes are at, the one first that has taken longest."""
        return [
            worker.items[0] for worker in sorted(self._workers.values(), key=lambda each: each.began) if worker.items
        ]

    def unfinished(self) -> list[Item]:
        """Give the items that processes are at, where nothing more is taken from them: not what they say is done."""
        for worker in self._workers.values():
            if worker.items and self._given.get(worker.items[0]) and _says_done(worker.connection):
                worker.items.popleft()
        return self.at_hand()

    def close(self) -> None:
        """End all processes."""
        for worker in [*self._workers.values(), *self._idle]:
            _stop(worker)
        self._workers.clear()
        self._idle.clear()

    # What processes are given, and say ------------------------------------------------------------------------

    def _next(self) -> Item | None:
        if self._again:
            return self._again.popleft()
        self._left -= 1
        return next(self._source, None)

    def _start(self) -> None:
        """Let one more process work, if there is anything for it."""
        first = self._next()
        if first is None:
            return
        worker = self._idle.pop() if self._idle else self._fresh()
        worker.heard = worker.began = time.monotonic()
        self._workers[worker.connection] = worker
        self._give(worker, [first])

    def _fresh(self) -> _Worker[Item]:
        if self._context.get_start_method() == "fork" and not _may_fork():  # threads have been started meanwhile
            self._context = _context(self._options)
        others = [*self._workers, *(each.connection for each in self._idle)]
        return _start(self._context, self._options, self._work, others)

    def _give(self, worker: _Worker[Item], given: list[Item]) -> None:
        """Let a process know what comes next: several items where they take little time, so that it need not wait."""
        wanted = _WINDOW if worker.quick else 1
        if len(worker.items) > wanted // 2:
            return
        wanted = min(wanted - len(worker.items), max(1, self._left // (2 * self._jobs)))
        while len(given) < wanted and (item := self._next()) is not None:
            given.append(item)
        worker.items.extend(given)
        if given:
            _send(worker.connection, given)
        elif not worker.items:
            del self._workers[worker.connection]
            if self._stays:
                self._idle.append(worker)
                return
            _send(worker.connection, None)
            worker.process.join(5)
            _stop(worker)

    def _heard(self, worker: _Worker[Item], found: object) -> Iterator[tuple[Item, Any]]:
        worker.heard = time.monotonic()
        item = worker.items[0]
        if found is not None:
            self._given[item] = self._given.get(item, 0) + 1
            if self._given[item] > self._skipped.get(item, 0):
                yield item, found
            return
        worker.items.popleft()
        self._forget(item)
        worker.quick = worker.heard - worker.began < _QUICK
        worker.began = worker.heard
        self._give(worker, [])
        yield item, None

    def _lose(self, worker: _Worker[Item], reason: str, status: str) -> Iterator[tuple[Item, Any]]:
        del self._workers[worker.connection]
        _stop(worker)
        item = worker.items.popleft()
        self._again.extendleft(reversed(worker.items))
        deaths = self._deaths[item] = self._deaths.get(item, 0) + 1
        if deaths < self._attempts and status == "error":
            self._skipped[item] = max(self._skipped.get(item, 0), self._given.pop(item, 0))
            self._again.appendleft(item)
        else:
            self._forget(item)
            yield item, Lost(str(item), reason, status)
            yield item, None
        self._start()

    def _forget(self, item: Item) -> None:
        for kept in (self._deaths, self._skipped, self._given):
            kept.pop(item, None)


_MANY = 1 << 40


def _compile_first(options: BatchOptions) -> None:
    """Compile kernels, where that has not been done yet: in the process that Ctrl-C interrupts, and once for all."""
    from enumerator.jit.cache import any_kept

    if options.engine != "networkx" and not any_kept():
        from enumerator.search.warm import compile_all

        compile_all()


def _context(options: BatchOptions) -> BaseContext:
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    if "forkserver" not in methods:
        return multiprocessing.get_context("spawn")
    # What takes long to import is imported once, in the process that the workers are forks of.
    needed = ["enumerator.reference.enumerate" if options.engine == "networkx" else "enumerator.search.warm"]
    needed += ["enumerator.corpus.batch", "enumerator.judging"]
    if _may_fork():
        for module in needed:
            import_module(module)
        return multiprocessing.get_context("fork")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(needed)
    return context


def _may_fork() -> bool:
    """Tell whether this process can be forked: another thread might hold what its copy would wait for."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not Linux
        return False


def _start(context: BaseContext, options: BatchOptions, work: Work, others: Iterable[Connection]) -> _Worker[Any]:
    """Start a process; `others` are the ends here of the pipes to those that there are."""
    ours, theirs = context.Pipe()
    # A fork has a copy of all of these: it closes them, so that the end of this process is the end of its pipe.
    copied = [ours, *others] if context.get_start_method() == "fork" else []
    process = context.Process(target=_serve, args=(theirs, options, work, copied), daemon=True)  # type: ignore[attr-defined]
    with _own_imports(), _uninterrupted(), _as_no_daemon():
        process.start()
    theirs.close()  # so that the end of the process is the end of the pipe
    return _Worker(process, ours, time.monotonic(), deque(), time.monotonic())


@contextmanager
def _own_imports() -> Iterator[None]:
    """Let the processes that are started import what this one would, and nothing from the current folder.

    They begin as ``python -c``, which looks in the current folder first; what multiprocessing tells them of paths comes
    after their first imports.
    """
    wanted = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _as_no_daemon() -> Iterator[None]:
    """Let a process start others that is a daemon itself, as those of many schedulers are: they end when it does."""
    import multiprocessing

    settings = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    before = settings.pop("daemon", None)
    try:
        yield
    finally:
        if before is not None:
            settings["daemon"] = before


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off Ctrl-C, and keep it from the processes that are started: this process ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(connection: Connection, message: list[Any] | None) -> None:
    try:
        connection.send(message)
    except OSError:
        pass  # it died; reading from it says so


def _says_done(connection: Connection) -> bool:
    """Tell whether a process says next, within a moment, that an item is done."""
    try:
        return connection.poll(_MOMENT) and connection.recv() is None
    except (EOFError, OSError, pickle.UnpicklingError):
        return False


def _stop(worker: _Worker[Any]) -> None:
    worker.connection.close()
    if worker.process.is_alive():
        worker.process.terminate()
        worker.process.join(5)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"the process that checked this test died ({name})"
    return f"the process that checked this test died (exit code {code})"


class Waiting(Generic[Item]):
    """Processes that wait for more of what they know: of a batch, or of a search; a few threads may ask for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[str, Pool[Item]]] = []

    @contextmanager
    def pool(self, of: str, make: Callable[[], Pool[Item]]) -> Iterator[Pool[Item]]:
        """Lend a pool, and keep it afterwards unless it fails; those that wait for something else are ended."""
        with self._lock:
            found = next((each for each in self._idle if each[0] == of), None)
            old = []
            if found is not None:
                self._idle.remove(found)
            else:
                old, self._idle[:] = self._idle[:], []
        for _, each in old:
            each.close()
        pool = found[1] if found is not None else make()
        try:
            yield pool
        except BaseException:
            pool.close()
            raise
        with self._lock:
            self._idle.append((of, pool))


def look_less_for_garbage() -> None:
    """Prepare a process for many tests: what has been imported stays, and tests leave few cycles to collect."""
    gc.freeze()
    gc.set_threshold(_YOUNG)


def _serve(connection: Connection, options: BatchOptions, work: Work, copied: Iterable[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the batch, which ends its processes
    for each in copied:
        each.close()
    look_less_for_garbage()
    models = Models.of(options)
    items: deque[Any] = deque()
    while True:
        try:
            while not items or connection.poll():
                given = connection.recv()
                if given is None:
                    return
                items.extend(given)
        except (EOFError, OSError):
            return
        item = items.popleft()
        try:
            read_ahead(map(str, (item, *items)))
            for found in work(item, options, models):
                connection.send(found)
            connection.send(None)
        except OSError:
            return  # nobody listens any more
