"""Results as text and back: what a store holds, and what machines send each other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from enumerator.program.values import Term, Value
from enumerator.report.structured import json_pieces
from enumerator.results.result import Picture, Result
from enumerator.results.states import States
from enumerator.results.table import as_counts, smallest

__all__ = ["decode", "encode", "result_of_record"]


_AS_IT_IS = (
    *("name", "path", "model", "profile", "hb", "thin_air", "options", "quantifier", "condition", "verdict"),
    *("observation", "positive", "negative", "expected", "as_expected", "cut", "status"),
)
"""Fields of results that JSON has as they are."""


def encode(result: Result) -> tuple[str, str]:
    """Write a result as text.

    Parameters
    ----------
    result : Result

    Returns
    -------
    (str, str)
        What ``run --format jsonl`` writes; and, as JSON, what reports have besides: the condition as herd7 writes it,
        pictures, the source, and the results under other readings.

    See Also
    --------
    decode : The inverse.
    """
    more: dict[str, Any] = {"formula": result.formula, "seconds": result.seconds}
    if result.source:
        more["source"] = result.source
    if result.pictures:
        more["pictures"] = [_picture(each) for each in result.pictures]
    if result.under:
        more["under"] = {name: encode(other) for name, other in result.under.items()}
    return "".join(json_pieces(result)), json.dumps(more)


def decode(record: str, more: str) -> Result:
    """Read what :func:`encode` has written.

    Parameters
    ----------
    record, more : str

    Returns
    -------
    Result
        Every report of it is that of the result that was written.

    Raises
    ------
    ValueError, KeyError, TypeError
        If this is no such text.

    Examples
    --------
    >>> result = Result("MP", "mp.ll", "llvm", verdict="Ok", observation="Sometimes", flags=("race",), formula="true")
    >>> decode(*encode(result)) == result
    True
    """
    return result_of_record(json.loads(record), json.loads(more))


def result_of_record(record: Mapping[str, Any], more: Mapping[str, Any]) -> Result:
    """Give the result that JSON holds.

    Parameters
    ----------
    record : mapping
        As ``run --format json`` has it.
    more : mapping
        What only stores have.

    Returns
    -------
    Result
    """
    executions = record["executions"] or {}
    wanted = record["expected_flags"]
    return Result(
        **{name: record[name] for name in _AS_IT_IS},
        states=_states(record["states"]),
        flags=tuple(record["flags"]),
        expected_flags=None if wanted is None else tuple(wanted),
        explored=executions.get("explored"),
        consistent=executions.get("consistent"),
        error=record.get("error"),
        seconds=more.get("seconds", record["seconds"]),
        notes=tuple(record.get("notes", ())),
        details=tuple(record.get("details", ())),
        formula=more.get("formula", ""),
        undefined_by=tuple(record["undefined_by"]),
        causes=tuple(record.get("causes", ())),
        readings=record.get("readings", {}),
        under={name: decode(*other) for name, other in more.get("under", {}).items()},
        source=more.get("source", ""),
        pictures=tuple(_picture_of(each) for each in more.get("pictures", ())),
    )


def _states(listed: Sequence[Mapping[str, Any]]) -> States | tuple[()]:
    """Give states as arrays. What is no number has been written already: it is a term without arguments."""
    if not listed:
        return ()
    names = tuple(listed[0]["values"])
    places: dict[int | str, int] = {}
    rows = [[places.setdefault(value, len(places)) for value in state["values"].values()] for state in listed]
    values: list[Value] = [value if isinstance(value, int) else Term(value) for value in places]
    counts = [state["executions"] for state in listed]
    return States(
        names,
        tuple(values),
        np.array(rows, dtype=smallest(len(places))).reshape(len(rows), len(names)),
        None if None in counts else as_counts(counts),
        np.array([state["witness"] for state in listed], dtype=np.bool_),
        np.array([state["undetermined"] for state in listed], dtype=np.bool_),
    )


def _picture(picture: Picture) -> list[object]:
    return [
        picture.title,
        picture.svg,
        [list(relation) for relation in picture.relations],
        list(picture.lines),
        list(picture.told),
        picture.state,
        picture.reading,
    ]


def _picture_of(written: Sequence[Any]) -> Picture:
    title, svg, relations, lines, told, state, reading = written
    return Picture(
        title, svg, tuple((name, shown) for name, shown in relations), tuple(lines), tuple(told), state, reading
    )
