"""Reading stores: their runs, and the results of each, which never are all in memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from enumerator.corpus.database import Database, from_column, is_store, sorting_key
from enumerator.errors import InputError
from enumerator.frozen import dataclass

__all__ = ["Listed", "Outline", "Run", "Runs", "open_run"]


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
class Listed:
    """A result in a run: its place there, the path of the test, and what was written of it."""

    run: int
    place: tuple[int, int, int]
    path: str
    name: str
    under: str
    outcome: str
    record: str
    more: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A result of a run in short.

    Parameters
    ----------
    key : tuple
        What outlines are sorted by.
    path, under, outcome : str
    state : {'different', 'error', 'unknown', 'no expectation', 'as expected'}
    """

    key: tuple[tuple[bool, bytes], ...]
    path: str
    under: str
    outcome: str
    state: str


def open_run(path: str) -> AbstractContextManager[tuple[Runs, list[Run]]] | None:
    """Open a store that commands name as a file of results.

    Parameters
    ----------
    path : str
        A store, for its latest results; with ``:N`` behind it, for those of one run.

    Returns
    -------
    context manager or None
        Gives the store and its runs. None if this is no store.

    Raises
    ------
    InputError
        As :class:`Runs`; when it is entered, if there are no results, or no such run.
    """
    match = re.fullmatch(r"(.+):(\d{1,15})", path, re.DOTALL)
    if is_store(path):
        return _opened(path, None)
    if match is not None and not os.path.lexists(path) and is_store(match[1]):
        return _opened(match[1], int(match[2]))
    return None


@contextmanager
def _opened(path: str, run: int | None) -> Iterator[tuple[Runs, list[Run]]]:
    with Runs(path) as store:
        yield store, store.chosen(run)


class Runs(Database):
    """The runs of a store, to be read.

    Parameters
    ----------
    path : str

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from enumerator.corpus.store import Store
    >>> with TemporaryDirectory() as folder:
    ...     Store(f"{folder}/results.db").close()
    ...     with Runs(f"{folder}/results.db") as store:
    ...         store.runs()
    []
    """

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

    def chosen(self, run: int | None = None) -> list[Run]:
        """Give the runs whose results are those of the store, or the one that is named.

        Parameters
        ----------
        run : int, optional

        Returns
        -------
        list of Run
            Of each list of paths that was given to be checked, the last run that has results.

        Raises
        ------
        InputError
            If there is none.
        """
        runs = self.runs()
        if run is not None:
            if found := [each for each in runs if each.id == run]:
                return found
            has = f"it has runs {runs[0].id} to {runs[-1].id}" if runs else "it has none"
            raise InputError(f"the store has no run {run}: {has}", self.path)
        latest = {each.paths: each for each in runs if each.results}
        if not latest:
            raise InputError("the store has no results yet", self.path)
        return sorted(latest.values(), key=lambda each: each.id)

    def listed(self, runs: Sequence[int], order: str = "batch", *, every: bool = False) -> Iterator[Listed]:
        """Give the results of runs, as they are asked for.

        Parameters
        ----------
        runs : sequence of int
        order : {'batch', 'name'}
            That of the batches, or by the names of tests.
        every : bool
            Of results for the same path and model in several runs give all, not only the latest.

        Yields
        ------
        Listed
        """
        given = ", ".join(map(str, runs))
        rows = (
            "SELECT listed.run AS run, listed.test AS test, place, COALESCE(listed.path, results.path) AS path, name,"
            " under, outcome, record, more FROM listed JOIN results ON results.id = listed.result"
            f" WHERE listed.run IN ({given})"
        )
        if len(runs) > 1 and not every:
            rows = f"SELECT *, MAX(run) OVER (PARTITION BY path, under) AS latest FROM ({rows})"
            rows = f"SELECT run, test, place, path, name, under, outcome, record, more FROM ({rows}) WHERE run = latest"
        first = "name, " if order == "name" else ""
        with self._told():
            for run, test, place, *texts, record, more in self._database.execute(
                f"{rows} ORDER BY {first}run, test, place"
            ):
                path, name, under, outcome = map(from_column, texts)
                yield Listed(run, (run, test, place), path, name, under, outcome, record, more)

    def outlines(self, run: int) -> Iterator[Outline]:
        """Give in short the results of a run, by the paths of tests and what they were checked under.

        Parameters
        ----------
        run : int

        Yields
        ------
        Outline
        """
        with self._told():
            for path, under, outcome, state in self._database.execute(
                "SELECT COALESCE(listed.path, results.path), under, outcome, state FROM listed JOIN results"
                " ON results.id = listed.result WHERE listed.run = ? ORDER BY 1, 2, listed.test, listed.place",
                (run,),
            ):
                key = sorting_key(from_column(path)), sorting_key(from_column(under))
                yield Outline(key, from_column(path), from_column(under), from_column(outcome), state)
