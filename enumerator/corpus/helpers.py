"""Parts of one large search on the machines of a Dask scheduler."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from enumerator.clock import now, time_limit
from enumerator.corpus.keys import program_version
from enumerator.corpus.pool import Lost, Pool, Waiting
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions, Options
from enumerator.request import Request
from enumerator.search.forks import Helper, can_fork
from enumerator.search.subproblems import Found, Part, Stolen

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from enumerator.cat.selected import SelectedModel
    from enumerator.corpus.tasks import Models
    from enumerator.mmra import Profile
    from enumerator.program.test import Test
    from enumerator.search.stealing import SharedDriver

__all__ = ["ANSWERS", "helper", "search_given", "search_part"]

ANSWERS = 10.0
"""Seconds for a scheduler to answer."""

_LOOK = 0.5  # seconds between looks at how many workers have nothing to do
_AT_ONCE = 0.5  # seconds after which a part gives away what is left, while others wait for it
_LATER = 5.0  # and while all have something to do
_CALM = 8  # parts that have come back, from which on all are taken to have something to do


@dataclass(frozen=True, eq=False)
class _Question:
    """A search, as another machine needs it to search a part: no closures, and the test as it was read here."""

    search: str
    test: Test
    model: SelectedModel
    profile: Profile
    names: tuple[str, ...]
    flags: tuple[str, ...]
    unroll: int
    outcomes_only: bool
    first: bool
    part: Part
    seconds: float | None
    gives_after: float

    def __str__(self) -> str:
        return self.test.path


def helper(address: str, request: Request) -> Helper:
    """Let the workers of a scheduler help with a search.

    Parameters
    ----------
    address : str
    request : Request

    Returns
    -------
    Helper
        The process that talks with the scheduler is a fork of its own: it has threads, and forks of processes with
        threads may hang.
    """
    return Helper(partial(_talk, address, request))


def _talk(address: str, request: Request, connection: Connection) -> None:
    import logging

    from distributed import Client

    logging.disable(logging.CRITICAL)
    parent = os.getppid()
    client = Client(address, timeout=ANSWERS, set_as_default=False)
    search, looked, back = uuid.uuid4().hex, 0.0, 0
    running: dict[Any, int] = {}
    while os.getppid() == parent:
        if connection.poll(0.02 if running else 0.1):
            number, part, seconds = connection.recv()
            question = _Question(
                search, request.test, request.model, request.profile, request.names, request.flags, request.unroll,
                request.outcomes_only, request.decided is not None, part, seconds, _AT_ONCE if back < _CALM else _LATER,
            )  # fmt: skip
            future = client.submit(search_part, program_version(), question, pure=False, priority=10)
            running[future] = number
        for future in [each for each in running if each.done()]:
            found, left = future.result() if future.status == "finished" else (None, [])
            connection.send(("found", running.pop(future), found, left))
            future.release()
            back += 1
        if time.monotonic() - looked > _LOOK:
            busy = client.processing()
            room = sum(max(0, threads - len(busy.get(worker, ()))) for worker, threads in client.nthreads().items())
            waiting = len(running) - sum(any(future.key in keys for keys in busy.values()) for future in running)
            connection.send(("room", room - waiting))
            looked = time.monotonic()


# On the machines that help ------------------------------------------------------------------------------------

_waiting = Waiting[_Question]()


def search_part(version: str, question: Any) -> tuple[Found | None, list[Stolen]]:
    """Search a part of another machine's search: what a scheduler calls on the machines that help.

    Parameters
    ----------
    version : str
        Of the program.
    question : object
        As this module makes it.

    Returns
    -------
    Found or None
        None where it came to nothing: who asked searches it.
    list of Stolen
        What is left of it.
    """
    if version != program_version() or not can_fork():
        return None, []
    answer: tuple[Found | None, list[Stolen]] = None, []
    with _waiting.pool(question.search, lambda: Pool(BatchOptions(), 1, search_given, stays=True)) as pool:
        for _, found in pool.run([question], 1):
            if found is not None and not isinstance(found, Lost):
                answer = found
    return answer


_prepared: list[tuple[str, SharedDriver]] = []


def search_given(
    question: _Question, options: BatchOptions, models: Models
) -> Iterator[tuple[Found | None, list[Stolen]]]:
    """Search a part, in a process that has laid out the test for the part before.

    Parameters
    ----------
    question : _Question
    options : BatchOptions
    models : Models
        Not used: the model came with the question.

    Yields
    ------
    (Found or None, list of Stolen)
    """
    from enumerator.asking import make_request
    from enumerator.search.bitset import driver_of
    from enumerator.search.stealing import SharedDriver

    deadline = None if question.seconds is None else now() + question.seconds
    if not _prepared or _prepared[0][0] != question.search:
        asked = Options(unroll=question.unroll, outcomes_only=question.outcomes_only, first=question.first, jobs=2)
        shown = (*question.names, *question.flags)
        request = make_request(question.test, question.model, question.profile, asked, shown)
        assert (request.names, request.flags) == (question.names, question.flags)
        with time_limit(question.seconds):
            driver = driver_of(request)
        assert isinstance(driver, SharedDriver)
        _prepared[:] = [(question.search, driver)]
    yield _prepared[0][1].search_alone(question.part, deadline, question.gives_after)
