"""Checking many files in several processes: results come in order, and a process that dies costs one test only.

Python's process pool gives up as a whole when one of its processes dies; the one here goes on.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from enumerator.corpus.tasks import Models, check_file, failure
from enumerator.frontend import read_ahead
from enumerator.options import BatchOptions
from enumerator.results.result import Result

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

__all__ = ["default_jobs", "look_less_for_garbage", "run_batch"]

Work = Callable[[str, BatchOptions, Models], Iterator[Result]]

_FEW_FILES = 8
_YOUNG = 100_000  # objects after which a process looks for garbage; tests leave little that refers to itself
_QUICK = 0.02  # seconds; files that take less are given out several at a time
_WINDOW = 16  # so many
_GRACE = 120.0  # seconds beyond the time limit (imports, a first compilation) until a silent process is ended


def default_jobs(files: int) -> int:
    """Give the number of processes for a number of files: a few files do not pay for starting many processes.

    A single file may have as many as there are processors, since only a search that takes long starts them.

    Parameters
    ----------
    files : int

    Returns
    -------
    int
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if files == 1:
        return available
    if files <= _FEW_FILES:
        return 1
    return min(available, -(-files // _FEW_FILES))


def run_batch(
    paths: Sequence[str],
    options: BatchOptions,
    jobs: int | None = None,
    progress: Callable[[str], None] | None = None,
    work: Work = check_file,
) -> Generator[Result, None, None]:
    """Check files and give the results as they come, in the order of the files.

    Parameters
    ----------
    paths : sequence of str
    options : BatchOptions
    jobs : int, optional
        The number of processes; results do not depend on it. For a single file: those that may share its search.
        Default: that of :func:`default_jobs`.
    progress : callable, optional
        Called whenever a file is finished, with the file that has been checked for the longest time now, or ``""``.
    work : callable
        What gives the results of a file; importable, since other processes call it.

    Yields
    ------
    Result
        A single file is checked in this process; several in others, so that none can take the batch down.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C, after the results that there are, also those of files that were not due yet; files that were being
        checked are marked.

    See Also
    --------
    enumerator.corpus.discovery.find_tests : The files.
    enumerator.corpus.tasks.check_file : What is done with each.
    """
    jobs = jobs if jobs is not None else default_jobs(len(paths))
    if len(paths) == 1:
        models = Models(options.include_dirs, options.includes_anywhere)
        yield from work(paths[0], replace(options, jobs=jobs), models)
        if progress is not None:
            progress("")
        return
    workers: dict[Connection, _Worker] = {}
    waiting: dict[int, list[Result]] = {}
    finished: set[int] = set()
    due = 0  # the file whose results may be given out at once
    try:
        for index, result in _parallel(paths, options, jobs, work, workers):
            if result is None:
                finished.add(index)
                if progress is not None:
                    busy = [worker for worker in workers.values() if worker.files]
                    progress(min(busy, key=lambda worker: worker.began).files[0][1] if busy else "")
            elif index == due:
                yield result
            else:
                waiting.setdefault(index, []).append(result)
            while due in finished:
                finished.remove(due)
                due += 1
                yield from waiting.pop(due, ())
    except KeyboardInterrupt:
        for index, path in (worker.files[0] for worker in workers.values() if worker.files):
            cut_short = Result(Path(path).stem, path, status="limit", notes=("interrupted",))
            waiting.setdefault(index, []).append(cut_short)
        for _, results in sorted(waiting.items()):
            yield from results
        raise


# Processes ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    heard: float  # when it last said anything
    files: deque[tuple[int, str]]  # those that it has not finished; it is at the first
    began: float = 0.0  # when it began with that
    quick: bool = False  # whether the last one took so little that it should know the next ones beforehand


def _parallel(
    paths: Sequence[str], options: BatchOptions, jobs: int, work: Work, workers: dict[Connection, _Worker]
) -> Iterator[tuple[int, Result | None]]:
    """Give (file, result) as they come and (file, None) when a file is finished."""
    from multiprocessing.connection import Connection, wait  # a single file needs no other process

    _compile_first(options)
    context = _context(options)
    tasks = deque(enumerate(paths))
    patience = None if options.timeout is None else options.timeout + _GRACE

    def start() -> None:
        if tasks:
            worker = _start(context, options, work)
            workers[worker.connection] = worker
            give(worker)

    def give(worker: _Worker) -> None:
        """Let a worker know what comes next: several files where they take little time, so that it need not wait."""
        wanted = _WINDOW if worker.quick else 1
        if len(worker.files) > wanted // 2:
            return
        wanted = min(wanted - len(worker.files), max(1, len(tasks) // (2 * jobs)))
        given = [tasks.popleft() for _ in range(min(wanted, len(tasks)))]
        worker.files.extend(given)
        if given:
            _send(worker.connection, [path for _, path in given])
        elif not worker.files:
            del workers[worker.connection]
            _send(worker.connection, None)
            worker.process.join(5)
            _stop(worker)

    def lose(worker: _Worker, reason: str, status: str) -> Iterator[tuple[int, Result | None]]:
        del workers[worker.connection]
        _stop(worker)
        index, path = worker.files.popleft()
        tasks.extendleft(reversed(worker.files))
        lost = failure(path, f"{path}: {reason}")
        yield index, lost if status == "error" else Result(lost.name, path, status=status, notes=(reason,))
        yield index, None
        start()

    try:
        for _ in range(max(1, jobs)):
            start()
        while workers:
            ready = wait(list(workers), None if patience is None else 1.0)
            for connection in ready:
                assert isinstance(connection, Connection)
                worker = workers[connection]
                try:
                    result: Result | None = connection.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    worker.process.join(5)
                    yield from lose(worker, _death(worker.process.exitcode), "error")
                    continue
                worker.heard = time.monotonic()
                index = worker.files[0][0]
                if result is None:
                    worker.files.popleft()
                    worker.quick = worker.heard - worker.began < _QUICK
                    worker.began = worker.heard
                    give(worker)
                yield index, result
            if patience is not None:
                for worker in [w for w in workers.values() if time.monotonic() - w.heard > patience]:
                    yield from lose(worker, "did not end in time, and was ended", "timeout")
    finally:
        for worker in workers.values():
            _stop(worker)


def _compile_first(options: BatchOptions) -> None:
    """Compile kernels, where that has not been done yet: in the process that Ctrl-C interrupts, and once for all."""
    from enumerator.jit.cache import any_kept

    if options.engine != "networkx" and not any_kept():
        import enumerator.search.warm  # noqa: F401


def _context(options: BatchOptions) -> BaseContext:
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    if "forkserver" not in methods:
        return multiprocessing.get_context("spawn")
    # what takes long to import is imported once, in the server that the workers are forks of
    context = multiprocessing.get_context("forkserver")
    fast = ["enumerator.reference.enumerate"] if options.engine == "networkx" else ["enumerator.search.warm"]
    context.set_forkserver_preload(["enumerator.corpus.batch", "enumerator.judging", *fast])
    return context


def _start(context: BaseContext, options: BatchOptions, work: Work) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, options, work), daemon=True)  # type: ignore[attr-defined]
    with _own_imports(), _uninterrupted():
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


def _send(connection: Connection, message: list[str] | None) -> None:
    try:
        connection.send(message)
    except OSError:
        pass  # it died; reading from it says so


def _stop(worker: _Worker) -> None:
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


def look_less_for_garbage() -> None:
    """Prepare a process for many tests: what has been imported stays, and tests leave few cycles to collect."""
    gc.freeze()
    gc.set_threshold(_YOUNG)


def _serve(connection: Connection, options: BatchOptions, work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the batch, which ends its workers
    look_less_for_garbage()
    models = Models(options.include_dirs, options.includes_anywhere)
    files: deque[str] = deque()
    while True:
        try:
            while not files or connection.poll():
                given = connection.recv()
                if given is None:
                    return
                files.extend(given)
        except (EOFError, OSError):
            return
        path = files.popleft()
        try:
            read_ahead(files)
            for result in work(path, options, models):
                connection.send(result)
            connection.send(None)
        except OSError:
            return  # nobody listens any more
