"""Checking tests on many machines, through a scheduler of Dask: tests travel as text, several at a time."""

from __future__ import annotations

import json
import logging
import math
import os
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from enumerator.corpus.encoding import decode
from enumerator.corpus.helpers import ANSWERS
from enumerator.corpus.keys import Needs, program_version
from enumerator.corpus.pool import Lost
from enumerator.corpus.remote import ask_for, check_chunk, written_options
from enumerator.corpus.tasks import Answer, Task
from enumerator.errors import InputError
from enumerator.files import Question, read_text
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions

__all__ = ["LOCAL", "Cluster", "chunk_seconds"]

LOCAL = "local"
"""The address that stands for a scheduler and workers on this machine."""

_PATIENCE = 30.0  # seconds for a first worker
_WORKERS_LOST = 2  # after so many a chunk is cut up; of a single test that is an error
_AHEAD = 4  # chunks that run for each that waits
_MOST_TESTS = 1000  # of a chunk
_MOST_BYTES = 4 << 20
_FIRST_TESTS = 4
_LOOK = 5.0  # seconds between looks at how many workers there are


def chunk_seconds(slots: int) -> float:
    """Say how long a chunk is to take: the scheduler is to start some hundred a second at most.

    Parameters
    ----------
    slots : int
        Chunks that run at a time.

    Returns
    -------
    float

    Examples
    --------
    >>> chunk_seconds(2), chunk_seconds(1000)
    (1.0, 10.0)
    """
    return min(10.0, max(1.0, slots / 100))


@dataclass
class _Chunk:
    tasks: list[Task]
    begun: float
    lost: int = 0


@dataclass
class _Rate:
    """How long tests take, as far as that is known."""

    seconds: float | None = None

    def note(self, seconds: float, tests: int) -> None:
        each = seconds / max(1, tests)
        self.seconds = each if self.seconds is None else 0.7 * self.seconds + 0.3 * each

    def fitting(self, slots: int) -> int:
        if self.seconds is None:
            return _FIRST_TESTS
        return max(1, min(_MOST_TESTS, int(chunk_seconds(slots) / max(self.seconds, 1e-6))))


@dataclass
class _Work:
    """What is left to send, and what is under way."""

    source: Iterator[Task]
    left: int
    again: deque[Task] = field(default_factory=deque)
    alone: deque[Task] = field(default_factory=deque)
    running: dict[Any, _Chunk] = field(default_factory=dict)


class Cluster:
    """The machines of a Dask scheduler, as a place where the tests of a batch are checked.

    Parameters
    ----------
    address : str
        Of the scheduler; ``local`` starts one, and workers, on this machine.
    options : BatchOptions
    jobs : int, optional
        Workers of a local one.
    work : str
        The function that checks a test there, ``MODULE:NAME``.

    Raises
    ------
    InputError
        If distributed is not installed, or nobody answers.
    """

    def __init__(
        self,
        address: str,
        options: BatchOptions,
        jobs: int | None = None,
        work: str = "enumerator.corpus.remote:check_given",
    ) -> None:
        try:
            import distributed
        except ImportError:
            message = "this takes Dask's scheduler, which is not installed: pip install 'enumerator[dask]'"
            raise InputError(message, "--dask") from None
        self._address, self._work_name = address, work
        self._batch = uuid.uuid4().hex
        self._answers: dict[Question, object] = {}
        self._local: Any = _local_cluster(distributed, jobs) if address == LOCAL else None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told as a result or a message
        try:
            self._client = distributed.Client(self._local or address, timeout=ANSWERS, set_as_default=False)
        except (OSError, ValueError) as error:
            what = (
                "no scheduler answers there" if isinstance(error, OSError) else f"no address of a scheduler ({error})"
            )
            raise InputError(f"{address}: {what}", "--dask") from None
        self._options = replace(options, dask=self._client.scheduler.address)
        self._tasks: _Work | None = None

    def run(self, items: Iterable[Task], total: int | None = None) -> Iterator[tuple[Task, Any]]:
        """Check tests; see :class:`enumerator.corpus.batch.Place`.

        Parameters
        ----------
        items : iterable of Task
        total : int, optional

        Yields
        ------
        (Task, Answer or Lost or None)

        Raises
        ------
        InputError
            If workers have another version of the program, or the scheduler is gone.
        """
        from distributed import as_completed

        work = self._tasks = _Work(iter(items), total if total is not None else 1 << 40)
        rate, done = _Rate(), as_completed(loop=self._client.loop)
        slots, looked = self._slots(), time.monotonic()
        while True:
            if time.monotonic() - looked > _LOOK:
                slots, looked = self._slots(), time.monotonic()
            while (
                len(work.running) < slots + max(2, slots // _AHEAD)
                and (chunk := self._next(work, rate, slots)) is not None
            ):
                self._send(work, chunk, done)
            if not work.running:
                return
            future = next(done)
            chunk = work.running.pop(future)
            if future.status == "finished":
                answer = json.loads(future.result())
                rate.note(answer.get("seconds", 0.0), len(chunk.tasks))
                yield from self._taken(work, chunk, answer)
            else:
                yield from self._failed(work, chunk, future)
            future.release()

    def at_hand(self) -> list[Task]:
        """Give tests that are being checked, or about to be."""
        if self._tasks is None:
            return []
        chunks = sorted(self._tasks.running.values(), key=lambda chunk: chunk.begun)
        return [task for chunk in chunks for task in chunk.tasks]

    unfinished = at_hand

    def close(self) -> None:
        """Let go of the machines."""
        if self._tasks is not None and self._tasks.running:
            self._client.cancel(list(self._tasks.running), force=True)
        self._client.close()
        if self._local is not None:
            self._local.close()

    # What is sent ------------------------------------------------------------------------------------------------

    def _slots(self) -> int:
        """Count the chunks that can run at a time; with no worker, wait for one."""
        slots = sum(self._client.nthreads().values())
        if slots:
            return int(slots)
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise InputError(f"{self._address}: the scheduler has no workers", "--dask") from None
        return max(1, int(sum(self._client.nthreads().values())))

    def _next(self, work: _Work, rate: _Rate, slots: int) -> _Chunk | None:
        """Put together a chunk: as many tests as take the time that a chunk is to take."""
        if work.alone:
            return _Chunk([work.alone.popleft()], time.monotonic())
        fair = math.ceil(max(1, work.left + len(work.again)) / (2 * slots))
        tasks: list[Task] = []
        while len(tasks) < min(fair, rate.fitting(slots)):
            task = work.again.popleft() if work.again else next(work.source, None)
            if task is None:
                break
            work.left -= 1
            tasks.append(task)
        return _Chunk(tasks, time.monotonic()) if tasks else None

    def _send(self, work: _Work, chunk: _Chunk, done: Any) -> None:
        tests: list[dict[str, Any]] = []
        size = 0
        for place, task in enumerate(chunk.tasks):
            text = _text(task.path)
            size += len(text or "")
            if place and size > _MOST_BYTES:
                work.again.extendleft(reversed(chunk.tasks[place:]))
                del chunk.tasks[place:]
                break
            tests.append(
                {"path": task.path, "number": task.number, "key": task.key, "known": sorted(task.known), "text": text}
            )
        message = {
            "version": program_version(),
            "batch": self._batch,
            "options": written_options(self._options),
            "folder": os.getcwd(),
            "answers": list(self._answers.items()),
            "tests": tests,
            "work": self._work_name,
        }
        chunk.begun = time.monotonic()
        future = self._client.submit(check_chunk, json.dumps(message), pure=False)
        work.running[future] = chunk
        done.add(future)

    # What comes back ---------------------------------------------------------------------------------------------

    def _taken(self, work: _Work, chunk: _Chunk, answer: dict[str, Any]) -> Iterator[tuple[Task, Any]]:
        if "version" in answer:
            message = (
                f"a worker has another version of the program: {answer['version']}, here it is {program_version()}"
            )
            raise InputError(message, "--dask")
        tasks = {task.number: task for task in chunk.tasks}
        for entry in answer["tests"]:
            task = tasks[entry["number"]]
            if entry.get("slow"):
                work.alone.append(task)
            elif "asks" in entry:
                question = tuple(entry["asks"])
                if question not in self._answers:
                    self._answers[question] = ask_for(question)
                work.again.appendleft(task)
            else:
                yield from ((task, _answer(each)) for each in entry["answers"])
                yield task, None

    def _failed(self, work: _Work, chunk: _Chunk, future: Any) -> Iterator[tuple[Task, Any]]:
        """Take a chunk that has no answer: its worker died time and again, or cannot do it."""
        from distributed import KilledWorker

        if future.status != "error":  # the scheduler knows nothing of it any more
            if self._client.status != "running":
                raise InputError(f"{self._address}: the scheduler is gone", "--dask")
            work.again.extendleft(reversed(chunk.tasks))
            return
        error = future.exception()
        if not isinstance(error, KilledWorker):
            raise InputError(f"a worker cannot check tests: {type(error).__name__}: {error}", "--dask")
        if len(chunk.tasks) > 1:
            work.alone.extend(chunk.tasks)
            return
        (task,) = chunk.tasks
        yield task, Lost(task.path, "the machine that checked this test died, more than once", "error")
        yield task, None


def _local_cluster(distributed: Any, jobs: int | None) -> Any:
    """Start a scheduler and workers on this machine, each a process that is started again when it dies."""
    import dask

    dask.config.set({"distributed.scheduler.allowed-failures": _WORKERS_LOST - 1})
    count = jobs or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else jobs or os.cpu_count()
    return distributed.LocalCluster(
        n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
    )


def _text(path: str) -> str | None:
    """Read a test; where that cannot be done, whoever checks it asks for it, and is told why."""
    try:
        return read_text(path)
    except InputError:
        return None


def _answer(written: dict[str, Any]) -> Answer:
    needs = Needs(**{**written["needs"], "variants": tuple(written["needs"]["variants"])})
    record, more = written["record"], written["more"]
    return Answer(written["key"], needs, decode(record, more) if record else None, record, more)
