"""Stores: results that survive, in a file of SQLite that several processes may write at the same time.

Each result is written as it comes, and with it its place in the run that asked for it. A run is one batch; results that
are known are listed in later runs, not written again.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from types import TracebackType
from typing import Any
from urllib.parse import quote

from enumerator.corpus.keys import Needs
from enumerator.corpus.tasks import Answer
from enumerator.errors import InputError
from enumerator.files import obstacle
from enumerator.options import BatchOptions
from enumerator.report.text import how
from enumerator.results.result import Result

__all__ = ["Finished", "Listed", "Run", "Store", "is_store"]

_MAGIC = b"SQLite format 3\0"
_APPLICATION = 0x656E756D  # "enum"
_SCHEMA = 1
_PATIENCE = 10.0  # seconds that another process may keep the store to itself when it is opened
_LONGEST = 60.0  # and later
_TABLES = """
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, begun TEXT NOT NULL, ended TEXT, version TEXT NOT NULL, machine TEXT NOT NULL,
  paths TEXT NOT NULL, options TEXT NOT NULL, tests INTEGER NOT NULL, continues INTEGER REFERENCES runs
);
CREATE TABLE results (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, test TEXT NOT NULL, key TEXT NOT NULL,
  path TEXT NOT NULL, name TEXT NOT NULL, under TEXT NOT NULL, outcome TEXT NOT NULL, verdict TEXT NOT NULL,
  as_expected INTEGER, status TEXT NOT NULL, seconds REAL NOT NULL, timeout REAL, max_executions INTEGER,
  record TEXT NOT NULL, more TEXT NOT NULL
);
CREATE INDEX results_by_test ON results (test);
CREATE TABLE finished (test TEXT PRIMARY KEY, needs TEXT NOT NULL, results TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE listed (
  run INTEGER NOT NULL REFERENCES runs, test INTEGER NOT NULL, place INTEGER NOT NULL,
  result INTEGER NOT NULL REFERENCES results, path TEXT, PRIMARY KEY (run, test, place)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A batch that a store has results of.

    Parameters
    ----------
    id : int
    begun : str
        The time, in UTC.
    ended : str or None
        None where it goes on still, or was ended before it was done.
    version, machine : str
        Of the program; the name of the computer.
    paths : tuple of str
    options : dict
    tests : int
        How many there were to be checked.
    continues : int or None
        The run that was not done, and that it went on with.
    results : int
        How many are there.
    """

    id: int
    begun: str
    ended: str | None
    version: str
    machine: str
    paths: tuple[str, ...]
    options: dict[str, Any]
    tests: int
    continues: int | None
    results: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A test whose results are all known: what each rests on, and its numbers in the store."""

    needs: tuple[Needs, ...]
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A result in a run: its number, the path of the test there, and what was written of it."""

    result: int
    path: str
    name: str
    under: str
    outcome: str
    record: str
    more: str


def is_store(path: str) -> bool:
    """Tell whether a file looks like one of SQLite.

    Parameters
    ----------
    path : str

    Returns
    -------
    bool
    """
    if obstacle(path) is not None:
        return False
    with open(path, "rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


class Store:
    """A store of results.

    Parameters
    ----------
    path : str
    writes : bool
        To write, a file that is not there is made. To read, nothing is.

    Raises
    ------
    InputError
        If the file is no store, one of a newer version, cannot be read or written, or another process keeps it to
        itself.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(f"{folder}/results.db", writes=True) as store:
    ...     store.runs()
    []
    """

    def __init__(self, path: str, *, writes: bool = False) -> None:
        self.path = path
        reason = obstacle(path)
        if reason is not None and not (writes and not os.path.lexists(path)):
            raise InputError(f"cannot open the store: {reason}", path)
        if reason is None and os.path.getsize(path) and not is_store(path):
            raise InputError("this is no store of results (another kind of file)", path)
        if reason is None and not writes and not os.path.getsize(path):
            raise InputError("this is no store of results (it is empty)", path)
        with self._told():
            self._database = self._opened(writes)
        try:
            with self._told():
                self._prepare(writes)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._told():
            self._database.close()

    # Opening ----------------------------------------------------------------------------------------------------

    def _opened(self, writes: bool) -> sqlite3.Connection:
        place = f"file:{quote(os.path.abspath(self.path))}"
        if writes:
            return self._connect(f"{place}?mode=rwc")
        database = self._connect(f"{place}?mode=ro")
        try:
            database.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError:
            database.close()
            if os.path.exists(f"{self.path}-wal"):  # somebody else's last changes, in a folder that is read-only
                raise
            database = self._connect(f"{place}?mode=ro&immutable=1")
        return database

    def _connect(self, place: str) -> sqlite3.Connection:
        return sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None, uri=True, check_same_thread=False)

    def _prepare(self, writes: bool) -> None:
        (kind,), (schema,) = (
            self._database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        if writes and kind == schema == 0 and not self._tables():
            self._create()
        elif kind != _APPLICATION:
            raise InputError("this is no store of results (a database of something else)", self.path)
        elif schema > _SCHEMA:
            message = f"the store is of a newer version of the program (schema {schema}, this one knows {_SCHEMA})"
            raise InputError(message, self.path)
        if writes:
            self._database.execute("BEGIN IMMEDIATE")  # says at once if it cannot be written
            self._database.execute("UPDATE runs SET id = id WHERE 0")
            self._database.execute("COMMIT")
            self._database.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing
        self._database.execute(f"PRAGMA busy_timeout = {int(1000 * _LONGEST)}")
        self._database.execute("PRAGMA cache_size = -16000")

    def _create(self) -> None:
        """Make the tables, unless another process is faster."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError:  # SQLite does not wait here for others that do the same
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)
        with self._transaction():
            if not self._tables():
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)
                self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._database.execute(f"PRAGMA user_version = {_SCHEMA}")

    def _tables(self) -> list[tuple[str]]:
        return self._database.execute("SELECT name FROM sqlite_master").fetchall()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite into one message."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(_told(error), self.path) from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Do several changes, or none."""
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

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
        outcome = "error" if result.status == "error" else result.outcome
        texts = map(_text, (result.path, result.name, how(result), outcome))
        row = (run, test, answer.key, *texts, result.verdict, result.as_expected,
               result.status, result.seconds, options.timeout, options.max_executions,
               answer.record, answer.more)  # fmt: skip
        with self._transaction() as database:
            done = database.execute(
                "INSERT INTO results (run, test, key, path, name, under, outcome, verdict, as_expected, status,"
                " seconds, timeout, max_executions, record, more) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
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
            [(run, number, place, result, path and _text(path)) for place, result in results],
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

    # Reading ----------------------------------------------------------------------------------------------------

    def runs(self) -> list[Run]:
        """List the runs, the oldest first."""
        with self._told():
            counts = dict(self._database.execute("SELECT run, COUNT(*) FROM listed GROUP BY run"))
            rows = self._database.execute(
                "SELECT id, begun, ended, version, machine, paths, options, tests, continues FROM runs ORDER BY id"
            ).fetchall()
        return [
            Run(number, begun, ended, version, machine, tuple(json.loads(paths)), json.loads(options), tests, before,
                counts.get(number, 0))
            for number, begun, ended, version, machine, paths, options, tests, before in rows
        ]  # fmt: skip

    def run(self, number: int | None = None) -> Run:
        """Give a run: the last one that has results, or the one that is named.

        Raises
        ------
        InputError
            If there is none.
        """
        runs = self.runs()
        if number is None:
            found = next((run for run in reversed(runs) if run.results), None)
            if found is None:
                raise InputError("the store has no results yet", self.path)
            return found
        for run in runs:
            if run.id == number:
                return run
        has = f"it has runs {runs[0].id} to {runs[-1].id}" if runs else "it has none"
        raise InputError(f"the store has no run {number}: {has}", self.path)

    def listed(self, run: int, order: str = "batch") -> Iterator[Listed]:
        """Give the results of a run, as they are asked for.

        Parameters
        ----------
        run : int
        order : {'batch', 'name', 'path'}
            That of the batch; by the names of tests; or by their paths and what they were checked under.

        Yields
        ------
        Listed
        """
        orders = {"batch": "", "name": "results.name, ", "path": "1, results.under, "}
        with self._told():
            cursor = self._database.cursor()
            rows = cursor.execute(
                "SELECT COALESCE(listed.path, results.path), results.id, name, under, outcome, record, more FROM listed"
                " JOIN results ON results.id = listed.result WHERE listed.run = ?"
                f" ORDER BY {orders[order]}listed.test, listed.place",
                (run,),
            )
            for path, number, name, under, outcome, record, more in rows:
                yield Listed(number, _plain(path), _plain(name), _plain(under), _plain(outcome), record, more)

    def of_test(self, run: int, number: int) -> list[tuple[str, str, str]]:
        """Give the results of one test of a run: its path, and what was written of each."""
        with self._told():
            rows = self._database.execute(
                "SELECT COALESCE(listed.path, results.path), record, more FROM listed"
                " JOIN results ON results.id = listed.result"
                " WHERE listed.run = ? AND listed.test = ? ORDER BY place",
                (run, number),
            ).fetchall()
        return [(_plain(path), record, more) for path, record, more in rows]

    def path_of(self, number: int) -> str:
        """Give the path of the test that a result was found for."""
        with self._told():
            return _plain(self._database.execute("SELECT path FROM results WHERE id = ?", (number,)).fetchone()[0])

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
    return {name: value for name, value in chosen.items() if value != getattr(default, name) and name != "jobs"}


def _needs(written: dict[str, Any]) -> Needs:
    return Needs(**{**written, "variants": tuple(written["variants"])})


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _text(text: str) -> str | bytes:
    """Give a text as SQLite takes it: names of files may be no text at all."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _plain(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def _told(error: sqlite3.Error) -> str:
    """Say what is wrong with a store."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "another process keeps the store to itself: try again when it is done"
        case sqlite3.SQLITE_READONLY:
            return "the store cannot be written: the file, or its folder, is read-only"
        case sqlite3.SQLITE_FULL:
            return "the store cannot be written: no space is left (what is there is kept; --resume goes on from it)"
        case sqlite3.SQLITE_IOERR:
            return f"the store cannot be read or written: {error} (is there space left on the disk?)"
        case sqlite3.SQLITE_CANTOPEN:
            return "the store cannot be opened: its folder is not there, or files cannot be made in it"
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return f"this is no store of results, or it is damaged ({error})"
    return f"the store cannot be used: {error}"
