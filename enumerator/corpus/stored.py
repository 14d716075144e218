"""A batch with a store: what is there already is not checked again, and what comes is written at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from enumerator.corpus.encoding import decode, encode
from enumerator.corpus.keys import Digests, Needs, key_of_test, options_digest, program_version
from enumerator.corpus.store import Store
from enumerator.corpus.tasks import Answer, Task
from enumerator.errors import InputError
from enumerator.files import read_text
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions
from enumerator.results.result import Result

__all__ = ["Recorder"]

_MOST_PENDING = 500
"""Tests that are known, which are listed in the store together: to write them again loses nothing."""


@dataclass
class _Open:
    """A test that is being checked: when its file was written, and what has been found."""

    task: Task
    written: tuple[int, int, int] | None
    known: dict[str, int]
    needs: list[Needs] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    repeats: bool = True


class Recorder:
    """Writes the results of a batch to a store, and finds those that are there.

    Parameters
    ----------
    store : Store
    asked : sequence of str
        The paths as they were given.
    options : BatchOptions
    resume : bool
        Use the results that are there. Otherwise all is checked again, and what was there before is history.
    tests : int
        How many tests there are.
    """

    def __init__(self, store: Store, asked: Sequence[str], options: BatchOptions, resume: bool, tests: int) -> None:
        self._store, self._options, self._resume = store, options, resume
        self._digests = Digests(options.include_dirs, options.includes_anywhere, options.profile)
        self._asked = options_digest(options)
        self._open: dict[int, _Open] = {}
        self._pending: list[tuple[int, Sequence[int], str]] = []
        self._run = store.begin(asked, options, program_version(), tests, resume)

    def tasks(self, paths: Sequence[str], finish: Callable[[int], None]) -> Iterator[Task]:
        """Give the tests that are to be checked, each with the results that are known.

        Parameters
        ----------
        paths : sequence of str
        finish : callable
            Called with the number of a test that is known as a whole.

        Yields
        ------
        Task
        """
        for number, path in enumerate(paths):
            written = _written(path)
            try:
                text = read_text(path)
            except InputError:  # which is told when it is checked
                task, known = Task(path, number), {}
            else:
                key = key_of_test(path, text, self._asked)
                if self._resume and (results := self._finished(key, path)) is not None:
                    self._pending.append((number, results, path))
                    if len(self._pending) >= _MOST_PENDING:
                        self._list_pending()
                    finish(number)
                    continue
                known = self._known(key, path) if self._resume else {}
                task = Task(path, number, key, frozenset(known))
            self._open[number] = _Open(task, written, known)
            yield task

    def _finished(self, key: str, path: str) -> Sequence[int] | None:
        """Give the results of a test if all are there, hold, and rest on models and profiles as they are now."""
        found = self._store.finished(key, self._options)
        if found is None or any(each.compiled for each in found.needs):  # clang reads files that nobody knows of here
            return None
        if not all(each.with_digests(self._digests, path) == each for each in found.needs):
            return None
        return found.results if all(self._may_move(number, path) for number in found.results) else None

    def _known(self, key: str, path: str) -> dict[str, int]:
        known = self._store.known(key, self._options)
        return {key: number for key, number in known.items() if self._may_move(number, path)}

    def _may_move(self, number: int, path: str) -> bool:
        """Tell whether a result holds for a test of another path: nothing else in it may speak of the path."""
        before = self._store.path_of(number)
        if before == path:
            return True
        record = json.loads(self._store.record(number)[0])
        texts = [record.get("error") or "", *(text for name in _SPEAKING for text in record.get(name, ()))]
        return not any(before in text for text in texts)

    def add(self, task: Task, found: Answer | Result, wanted: bool) -> Result | None:
        """Write a result.

        Parameters
        ----------
        task : Task
        found : Answer or Result
        wanted : bool
            Whether the result is needed now.

        Returns
        -------
        Result or None
            If it is wanted.
        """
        at = self._open[task.number]
        answer = found if isinstance(found, Answer) else Answer("", Needs(), found, *encode(found))
        result = answer.result
        if result is not None and "interrupted" in result.notes:
            return result  # the search may go on another time
        at.needs.append(answer.needs)
        at.repeats &= answer.key != ""
        if answer.record:
            result = result if result is not None else decode(answer.record, answer.more)
            key = task.key if answer.key else ""
            place = len(at.results)
            at.results.append(self._store.add(self._run, key, answer, result, self._options, task.number, place))
        else:
            number = at.known[answer.key]
            self._store.note(self._run, task.number, [(len(at.results), number)], task.path)
            at.results.append(number)
            result = replace(decode(*self._store.record(number)), path=task.path) if wanted else None
        return result if wanted else None

    def finish(self, number: int) -> None:
        """Note that a test has been checked under all that it is to be checked under."""
        at = self._open.pop(number, None)
        if at is None or not at.task.key:
            return
        if at.written != _written(at.task.path):
            self._store.forget(at.results)
        elif at.repeats and at.results:
            self._store.finish(at.task.key, at.needs, at.results)

    def results(self, number: int) -> list[Result]:
        """Give the results of a test that have been written in this run.

        Parameters
        ----------
        number : int
            Of the test in the batch.

        Returns
        -------
        list of Result
        """
        self._list_pending()
        found = [(path, decode(record, more)) for path, record, more in self._store.of_test(self._run, number)]
        return [result if result.path == path else replace(result, path=path) for path, result in found]

    def end(self) -> None:
        """Note that the batch is done."""
        self._list_pending()
        self._store.end(self._run)

    def _list_pending(self) -> None:
        if self._pending:
            self._store.note_many(self._run, self._pending)
            self._pending.clear()


_SPEAKING = ("notes", "details", "causes")


def _written(path: str) -> tuple[int, int, int] | None:
    """Say when a file was written, as far as the system tells."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
