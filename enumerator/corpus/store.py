"""Stores: results that survive, in a file of SQLite that several processes may write at the same time.

Each result is written as it comes, and with it its place in the run that asked for it. A run is one batch; results that
are known are listed in later runs, not written again.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

from enumerator.corpus.database import Database, as_column, from_column
from enumerator.corpus.keys import Needs
from enumerator.corpus.tasks import Answer
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions
from enumerator.report.text import state_of
from enumerator.results.result import Result

__all__ = ["Finished", "Store"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A test whose results are all known: what each rests on, and its numbers in the store."""

    needs: tuple[Needs, ...]
    results: tuple[int, ...]


class Store(Database):
    """A store that results are written to.

    Parameters
    ----------
    path : str
        A file that is not there is made.

    Raises
    ------
    InputError
        If it cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(f"{folder}/results.db") as store:
    ...     store.begin(["a.ll"], BatchOptions(), "0.1", 1, resume=False)
    1
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, writes=True)

    # Writing ----------------------------------------------------------------------------------------------------

    def begin(self, paths: Sequence[str], options: BatchOptions, version: str, tests: int, resume: bool) -> int:
        """Note that a run begins.

        Parameters
        ----------
        paths : sequence of str
            As they were given.
        options : BatchOptions
        version : str
        tests : int
            How many tests there are.
        resume : bool
            Whether it goes on with the last run of these paths, if that was not done.

        Returns
        -------
        int
            The number of the run.
        """
        asked, chosen = json.dumps(list(paths)), json.dumps(_of_options(options))
        with self._transaction() as database:
            before = None
            if resume:
                last = database.execute(
                    "SELECT id, ended FROM runs WHERE paths = ? ORDER BY id DESC LIMIT 1", (asked,)
                ).fetchone()
                before = last[0] if last is not None and last[1] is None else None
            done = database.execute(
                "INSERT INTO runs (begun, version, machine, paths, options, tests, continues)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (_now(), version, platform.node(), asked, chosen, tests, before),
            )
            assert done.lastrowid is not None
            return done.lastrowid

    def end(self, run: int) -> None:
        """Note that a run has checked all that it was to check."""
        with self._transaction() as database:
            database.execute("UPDATE runs SET ended = ? WHERE id = ?", (_now(), run))

    def add(
        self, run: int, test: str, answer: Answer, result: Result, options: BatchOptions, number: int, place: int
    ) -> int:
        """Write a result.

        Parameters
        ----------
        run : int
        test : str
            The key of the test; empty where the result is not to be used again.
        answer : Answer
        result : Result
            The same.
        options : BatchOptions
            Whose limits held.
        number, place : int
            Of the test in the batch, and of the result among its.

        Returns
        -------
        int
            Its number.
        """
        row = {
            "run": run,
            "test": test,
            "key": answer.key,
            "path": as_column(result.path),
            "name": as_column(result.name),
            "under": as_column(result.how),
            "outcome": "error" if result.status == "error" else as_column(result.outcome),
            "verdict": result.verdict,
            "state": state_of(result),
            "as_expected": result.as_expected,
            "status": result.status,
            "seconds": result.seconds,
            "timeout": options.timeout,
            "max_executions": options.max_executions,
            "record": answer.record,
            "more": answer.more,
        }
        columns, places = ", ".join(row), ", ".join("?" * len(row))
        with self._transaction() as database:
            done = database.execute(f"INSERT INTO results ({columns}) VALUES ({places})", tuple(row.values()))
            assert done.lastrowid is not None
            self._list(run, number, [(place, done.lastrowid)], None)
            return done.lastrowid

    def note(self, run: int, number: int, results: Sequence[tuple[int, int]], path: str) -> None:
        """List results that are known in a run.

        Parameters
        ----------
        run, number : int
        results : sequence of (int, int)
            The place of each among those of the test, and its number.
        path : str
            Of the test.
        """
        with self._transaction():
            self._list(run, number, results, path)

    def note_many(self, run: int, rows: Sequence[tuple[int, Sequence[int], str]]) -> None:
        """List all results of several tests: the number of each in the batch, its results, its path."""
        with self._transaction():
            for number, results, path in rows:
                self._list(run, number, list(enumerate(results)), path)

    def _list(self, run: int, number: int, results: Sequence[tuple[int, int]], path: str | None) -> None:
        """List results; the path None is the one that they have been written with."""
        self._database.executemany(
            "INSERT OR REPLACE INTO listed (run, test, place, result, path) VALUES (?, ?, ?, ?, ?)",
            [(run, number, place, result, path and as_column(path)) for place, result in results],
        )

    def finish(self, test: str, needs: Sequence[Needs], results: Sequence[int]) -> None:
        """Note that all results of a test are there."""
        written = json.dumps([asdict(each) for each in needs])
        with self._transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO finished (test, needs, results) VALUES (?, ?, ?)",
                (test, written, json.dumps(list(results))),
            )

    def forget(self, results: Sequence[int]) -> None:
        """Let results not be used again: the test changed while it was checked."""
        with self._transaction() as database:
            database.executemany("UPDATE results SET test = '' WHERE id = ?", [(each,) for each in results])

    # What is known ------------------------------------------------------------------------------------------------

    def known(self, test: str, options: BatchOptions) -> dict[str, int]:
        """Give the results of a test that are there, by their keys.

        Parameters
        ----------
        test : str
            The key of the test.
        options : BatchOptions
            Where one of their limits is larger than the one that ended a search, its result is no answer.

        Returns
        -------
        dict of str to int
            The number of the latest of each.
        """
        with self._told():
            rows = self._database.execute(
                "SELECT key, id, status, timeout, max_executions FROM results WHERE test = ? AND key != '' ORDER BY id",
                (test,),
            )
            return {key: number for key, number, *limits in rows if _holds(options, *limits)}

    def finished(self, test: str, options: BatchOptions) -> Finished | None:
        """Give a test all of whose results are there, and hold under the limits of some options."""
        with self._told():
            row = self._database.execute("SELECT needs, results FROM finished WHERE test = ?", (test,)).fetchone()
            if row is None:
                return None
            results = tuple(json.loads(row[1]))
            for number in results:
                limits = self._database.execute(
                    "SELECT status, timeout, max_executions FROM results WHERE id = ? AND key != ''", (number,)
                ).fetchone()
                if limits is None or not _holds(options, *limits):
                    return None
        return Finished(tuple(_needs(each) for each in json.loads(row[0])), results)

    def of_test(self, run: int, number: int) -> list[tuple[str, str, str]]:
        """Give the results of one test of a run: its path, and what was written of each."""
        with self._told():
            rows = self._database.execute(
                "SELECT COALESCE(listed.path, results.path), record, more FROM listed"
                " JOIN results ON results.id = listed.result"
                " WHERE listed.run = ? AND listed.test = ? ORDER BY place",
                (run, number),
            ).fetchall()
        return [(from_column(path), record, more) for path, record, more in rows]

    def path_of(self, number: int) -> str:
        """Give the path of the test that a result was found for."""
        with self._told():
            return from_column(self._database.execute("SELECT path FROM results WHERE id = ?", (number,)).fetchone()[0])

    def record(self, number: int) -> tuple[str, str]:
        """Give what was written of a result."""
        with self._told():
            found = self._database.execute("SELECT record, more FROM results WHERE id = ?", (number,)).fetchone()
        assert isinstance(found, tuple)
        return found


def _holds(options: BatchOptions, status: str, timeout: float | None, most: int | None) -> bool:
    """Tell whether a result answers under limits: what a limit ended does not, if one of them is larger now."""
    if status in ("complete", "error"):
        return True
    return not (_larger(options.timeout, timeout) or _larger(options.max_executions, most))


def _larger(now: float | None, then: float | None) -> bool:
    return then is not None and (now is None or now > then)


def _of_options(options: BatchOptions) -> dict[str, Any]:
    """Give the options that are not the default ones."""
    default = BatchOptions()
    chosen = {field.name: getattr(options, field.name) for field in fields(options)}
    return {
        name: value
        for name, value in chosen.items()
        if value != getattr(default, name) and name not in ("jobs", "dask")
    }


def _needs(written: dict[str, Any]) -> Needs:
    return Needs(**{**written, "variants": tuple(written["variants"])})


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
