"""Results for programs: JSON, JSON lines, CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from typing import TextIO

from enumerator.result import Result

__all__ = ["CSV_COLUMNS", "write_csv", "write_json", "write_jsonl"]

CSV_COLUMNS = (
    "name",
    "path",
    "model",
    "profile",
    "hb",
    "thin_air",
    "quantifier",
    "condition",
    "verdict",
    "observation",
    "positive",
    "negative",
    "states",
    "flags",
    "expected",
    "as_expected",
    "explored",
    "consistent",
    "cut",
    "status",
    "seconds",
    "error",
)


def write_json(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as an array with an object for each, one a line.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    before = "[\n"
    for result in results:
        stream.write(f"{before}{json.dumps(result.as_json())}")
        before = ",\n"
    stream.write("[]\n" if before == "[\n" else "\n]\n")


def write_jsonl(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as lines that are objects each, as they come.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    for result in results:
        stream.write(f"{json.dumps(result.as_json())}\n")
        stream.flush()


def write_csv(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as a table: a row for each, with the number of states and the flags joined by ``+``.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(CSV_COLUMNS)
    for result in results:
        record = result.as_json()
        record |= {
            "states": len(result.states),
            "flags": "+".join(result.flags),
            "expected": None
            if result.expected is None
            else "+".join((result.expected, *(result.expected_flags or ()))),
            "as_expected": None if result.as_expected is None else str(result.as_expected).lower(),
            "explored": result.explored,
            "consistent": result.consistent,
        }
        rows.writerow(["" if (value := record.get(column)) is None else value for column in CSV_COLUMNS])
