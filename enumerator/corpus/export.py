"""The results of a store as tables for other programs: CSV, and Parquet through pyarrow."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TextIO

from enumerator.corpus.runs import Listed, Run, Runs
from enumerator.errors import InputError
from enumerator.report.structured import write_csv_objects

__all__ = ["export_csv", "export_parquet", "objects_of", "records_of"]

_GROUP = 10_000  # rows that are written at a time
_LARGEST = 1 << 63


def objects_of(store: Runs, runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    """Give the results of runs as ``run --format json`` writes them.

    Parameters
    ----------
    store : Runs
    runs : sequence of Run

    Yields
    ------
    dict
    """
    return (result for _, result in records_of(store, runs))


def records_of(store: Runs, runs: Sequence[Run], *, every: bool = False) -> Iterator[tuple[Listed, dict[str, Any]]]:
    """Give the same, each with its place in the store; `every` as :meth:`enumerator.corpus.runs.Runs.listed` has it."""
    for each in store.listed([run.id for run in runs], every=every):
        try:
            result = json.loads(each.record)
            result["path"] = each.path
        except (TypeError, ValueError):
            raise InputError(f"the store is damaged: the result of {each.path} cannot be read", store.path) from None
        yield each, result


def export_csv(store: Runs, runs: Sequence[Run], stream: TextIO, *, every: bool = False) -> None:
    """Write results as CSV, as ``run --format csv`` does, with the run before each.

    Parameters
    ----------
    store : Runs
    runs : sequence of Run
    stream : text stream
    every : bool
    """
    begun = {run.id: run.begun for run in runs}
    rows = (
        {**result, "run": each.run, "begun": begun[each.run]} for each, result in records_of(store, runs, every=every)
    )
    write_csv_objects(rows, stream, ("run", "begun"))


def export_parquet(store: Runs, runs: Sequence[Run], path: str, *, every: bool = False) -> int:
    """Write results as a Parquet file, a group of rows at a time.

    Parameters
    ----------
    store : Runs
    runs : sequence of Run
    path : str
        Written whole or not at all.
    every : bool

    Returns
    -------
    int
        How many numbers of executions are larger than the 64 bits of their column. They are null there; the column
        ``record``, which holds each result as JSON, has them.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        message = "Parquet takes pyarrow, which is not installed: pip install 'enumerator[store]' (or --format csv)"
        raise InputError(message, "--format") from None
    text, number, texts = pyarrow.string(), pyarrow.int64(), pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema(
        [
            ("run", number),
            ("begun", text),
            *((name, text) for name in _TEXTS),
            *((name, number) for name in _NUMBERS),
            ("flags", texts),
            ("expected_flags", texts),
            ("as_expected", pyarrow.bool_()),
            ("seconds", pyarrow.float64()),
            ("record", text),
        ]
    )
    begun = {run.id: run.begun for run in runs}
    unfinished, lost = f"{path}.part", 0
    results = records_of(store, runs, every=every)
    try:
        with parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            while rows := list(islice(results, _GROUP)):
                columns = [_row(each, result, begun) for each, result in rows]
                lost += sum(abs(row[name] or 0) >= _LARGEST for row in columns for name in _NUMBERS)
                for row in columns:
                    row.update({name: None for name in _NUMBERS if abs(row[name] or 0) >= _LARGEST})
                writer.write_table(pyarrow.Table.from_pylist(columns, schema))
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise
    return lost


_TEXTS = (
    "name", "path", "model", "profile", "hb", "thin_air", "quantifier", "condition", "verdict", "observation",
    "expected", "status", "error",
)  # fmt: skip
_NUMBERS = ("positive", "negative", "states", "explored", "consistent", "cut")


def _row(each: Listed, result: Mapping[str, Any], begun: Mapping[int, str]) -> dict[str, Any]:
    searched = result.get("executions") or {}
    numbers = {**result, "states": len(result["states"]), **{name: searched.get(name) for name in _NUMBERS[3:5]}}
    return {
        "run": each.run,
        "begun": begun[each.run],
        **{name: _whole(result.get(name)) for name in _TEXTS},
        **{name: numbers.get(name) for name in _NUMBERS},
        "flags": _all_whole(result["flags"]),
        "expected_flags": _all_whole(result.get("expected_flags")),
        "as_expected": result.get("as_expected"),
        "seconds": result.get("seconds"),
        "record": each.record,
    }


def _whole(text: str | None) -> str | None:
    """Give a text that is one: names of files may be none, of which the bytes that are no text are escaped."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


def _all_whole(texts: Iterable[str] | None) -> list[str | None] | None:
    return None if texts is None else [_whole(each) for each in texts]
