"""Files of SQLite that hold results: how they are opened, and what their tables are."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self
from urllib.parse import quote

from enumerator.errors import InputError
from enumerator.files import obstacle

__all__ = ["Database", "as_column", "from_column", "is_store", "sorting_key"]

_MAGIC = b"SQLite format 3\0"
_APPLICATION = 0x656E756D  # "enum"
_SCHEMA = 1
_PATIENCE = 10.0  # seconds that another process may keep the store to itself when it is opened
_LONGEST = 60.0  # and later
_FOREIGN = "this is no store of results (a database of something else)"
_TABLES = """
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, begun TEXT NOT NULL, ended TEXT, version TEXT NOT NULL, machine TEXT NOT NULL,
  paths TEXT NOT NULL, options TEXT NOT NULL, tests INTEGER NOT NULL, continues INTEGER REFERENCES runs
);
CREATE TABLE results (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, test TEXT NOT NULL, key TEXT NOT NULL,
  path TEXT NOT NULL, name TEXT NOT NULL, under TEXT NOT NULL, outcome TEXT NOT NULL, verdict TEXT NOT NULL,
  state TEXT NOT NULL, as_expected INTEGER, status TEXT NOT NULL, seconds REAL NOT NULL,
  timeout REAL, max_executions INTEGER,
  record TEXT NOT NULL, more TEXT NOT NULL
);
CREATE INDEX results_by_test ON results (test);
CREATE TABLE finished (test TEXT PRIMARY KEY, needs TEXT NOT NULL, results TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE listed (
  run INTEGER NOT NULL REFERENCES runs, test INTEGER NOT NULL, place INTEGER NOT NULL,
  result INTEGER NOT NULL REFERENCES results, path TEXT, PRIMARY KEY (run, test, place)
) WITHOUT ROWID;
"""


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


class Database:
    """A file of SQLite that holds results.

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

    def __enter__(self) -> Self:
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
        if writes and kind == schema == 0:
            self._create()
        elif kind != _APPLICATION:
            raise InputError(_FOREIGN, self.path)
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
        if self._tables() and self._database.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
            raise InputError(_FOREIGN, self.path)
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
            raise InputError(_message(error), self.path) from None

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


def as_column(text: str) -> str | bytes:
    """Give a text as SQLite takes it: names of files may be no text at all."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def sorting_key(text: str) -> tuple[bool, bytes]:
    """Give what a text is to be sorted by, to be sorted as the store sorts."""
    written = as_column(text)
    return isinstance(written, bytes), written if isinstance(written, bytes) else written.encode()


def from_column(value: str | bytes) -> str:
    """Give the text that :func:`as_column` made a column of."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def _message(error: sqlite3.Error) -> str:
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
