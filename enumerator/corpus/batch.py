"""Checking many files: results come in order, wherever they are checked, and with a store nothing is checked twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from enumerator.corpus.pool import Lost, Pool
from enumerator.corpus.tasks import Answer, Models, Task, check_file, check_keyed
from enumerator.options import BatchOptions
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.corpus.stored import Recorder

__all__ = ["Place", "default_jobs", "run_batch"]

_FEW_FILES = 8

Progress = Callable[[str], None]


class Place(Protocol):
    """Where tasks run: processes of this machine, or those of others."""

    def run(self, items: Iterable[Task], total: int | None = None) -> Iterator[tuple[Task, Any]]:
        """Give what the work yields for each task as it comes, :class:`Lost`, and None when a task is finished."""

    def at_hand(self) -> list[Task]:
        """Give the tasks that are worked at, the one first that has taken longest."""

    def unfinished(self) -> list[Task]:
        """Give them where all ends early: not those whose end has just been said."""

    def close(self) -> None:
        """End what was started."""


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
    progress: Progress | None = None,
    work: Callable[[str, BatchOptions, Models], Iterator[Result]] = check_file,
    *,
    recorder: Recorder | None = None,
    place: Place | None = None,
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
        What gives the results of a file; importable, since other processes call it. Not with a recorder.
    recorder : Recorder, optional
        Writes results to a store, and knows those that are there.
    place : Place, optional
        Where the files are checked, if not in processes of this machine; it does :func:`check_keyed`.

    Yields
    ------
    Result
        A single file is checked in this process; several in others, so that none can take the batch down.

    Raises
    ------
    InputError
        If the store cannot be written.
    KeyboardInterrupt
        At Ctrl-C, after the results that there are, also those of files that were not due yet; files that were being
        checked are marked.

    See Also
    --------
    enumerator.discovery.find_tests : The files.
    enumerator.corpus.tasks.check_file : What is done with each.
    """
    jobs = jobs if jobs is not None else default_jobs(len(paths))
    order = _Order(len(paths)) if recorder is None else _StoredOrder(len(paths), recorder)
    tasks = map(Task, paths, range(len(paths))) if recorder is None else recorder.tasks(paths, order.finish)
    keyed = recorder is not None or place is not None
    if place is None and len(paths) == 1:
        place = _Here(replace(options, jobs=jobs), check_keyed if keyed else partial(_by_path, work))
    elif place is None:
        place = Pool(options, jobs, check_keyed if keyed else partial(_by_path, work))
    try:
        for task, found in place.run(tasks, len(paths)):
            if found is None:
                order.finish(task.number)
                if progress is not None:
                    progress(next((each.path for each in place.at_hand()), ""))
            else:
                yield from order.found(task, found.result() if isinstance(found, Lost) else found)
            yield from order.due()
        yield from order.due()
        if recorder is not None:
            recorder.end()
    except KeyboardInterrupt:
        for task in place.unfinished():
            order.interrupted(task)
        yield from order.rest()
        raise
    finally:
        place.close()


def _by_path(
    work: Callable[[str, BatchOptions, Models], Iterator[Result]], task: Task, options: BatchOptions, models: Models
) -> Iterator[Result]:
    return work(task.path, options, models)


class _Here:
    """The process at hand, for a single file."""

    def __init__(self, options: BatchOptions, work: Callable[[Task, BatchOptions, Models], Iterator[Any]]) -> None:
        self._options, self._work = options, work

    def run(self, items: Iterable[Task], total: int | None = None) -> Iterator[tuple[Task, Any]]:
        models = Models.of(self._options)
        for task in items:
            for found in self._work(task, self._options, models):
                yield task, found
            yield task, None

    def at_hand(self) -> list[Task]:
        return []

    unfinished = at_hand

    def close(self) -> None:
        pass


# Order --------------------------------------------------------------------------------------------------------


class _Order:
    """Puts results in the order of the files: those that are not due yet are kept."""

    def __init__(self, files: int) -> None:
        self._finished = bytearray(files)  # a byte a file: files may be very many
        self._due = 0  # the file whose results may be given out at once
        self._waiting: dict[int, list[Result]] = {}

    def found(self, task: Task, found: Result | Answer) -> Iterator[Result]:
        """Take a result; give it if it is due."""
        result = found.result if isinstance(found, Answer) else found
        assert result is not None
        if task.number == self._due:
            yield result
        else:
            self._waiting.setdefault(task.number, []).append(result)

    def finish(self, number: int) -> None:
        self._finished[number] = 1

    def due(self) -> Iterator[Result]:
        """Give what is due now."""
        while self._due < len(self._finished) and self._finished[self._due]:
            yield from self.missed(self._due)
            self._due += 1
            yield from self.kept(self._due)

    def missed(self, number: int) -> Iterator[Result]:
        """Give what a file that is done has not given, though it was due."""
        yield from ()

    def kept(self, number: int) -> Iterator[Result]:
        yield from self._waiting.pop(number, ())

    def interrupted(self, task: Task) -> None:
        cut_short = Result(Path(task.path).stem, task.path, status="limit", notes=("interrupted",))
        self._waiting.setdefault(task.number, []).append(cut_short)

    def rest(self) -> Iterator[Result]:
        """Give all results that have been kept."""
        for _, results in sorted(self._waiting.items()):
            yield from results


class _StoredOrder(_Order):
    """The same where results are in a store: there they wait."""

    def __init__(self, files: int, recorder: Recorder) -> None:
        super().__init__(files)
        self._recorder = recorder
        self._there = bytearray(files)  # files that have results
        self._given = False  # whether the file that is due has given any

    def found(self, task: Task, found: Result | Answer) -> Iterator[Result]:
        result = self._recorder.add(task, found, wanted=task.number == self._due)
        self._there[task.number] = 1
        if result is not None:
            self._given = True
            yield result

    def finish(self, number: int) -> None:
        self._recorder.finish(number)
        self._there[number] = 1
        super().finish(number)

    def missed(self, number: int) -> Iterator[Result]:
        if not self._given:
            yield from self._recorder.results(number)

    def kept(self, number: int) -> Iterator[Result]:
        self._given = number < len(self._there) and bool(self._there[number])
        if self._given:
            yield from self._recorder.results(number)

    def rest(self) -> Iterator[Result]:
        for number in range(self._due, len(self._there)):
            if number > self._due:
                yield from self.kept(number)
            yield from self._waiting.pop(number, ())
