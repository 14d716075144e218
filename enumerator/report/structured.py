"""Results for programs: JSON, JSON lines, CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from enumerator.printing import escaped
from enumerator.program.values import json_value
from enumerator.results.result import Result, State

__all__ = ["CSV_COLUMNS", "json_pieces", "write_csv", "write_csv_objects", "write_json", "write_jsonl"]

CSV_COLUMNS = tuple(
    "name path model profile hb thin_air quantifier condition verdict observation positive negative states flags"
    " expected as_expected explored consistent cut status seconds error".split()
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
        stream.write(before)
        stream.writelines(json_pieces(result))
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
        stream.writelines(json_pieces(result))
        stream.write("\n")
        stream.flush()


def json_pieces(result: Result) -> Iterator[str]:
    """Give what ``json.dumps`` would for a result, in pieces, since states may be very many.

    Parameters
    ----------
    result : Result

    Yields
    ------
    str
    """
    record = result.as_json(states=False)
    place = list(record).index("states")
    items = list(record.items())
    yield json.dumps(dict(items[:place]))[:-1] + ', "states": ['
    before = ""
    for block in _states(result.states):
        yield before + ", ".join(block)
        before = ", "
    yield "], " + json.dumps(dict(items[place + 1 :]))[1:]


def _states(states: Sequence[State]) -> Iterator[list[str]]:
    if isinstance(states, tuple | list):
        yield from ([json.dumps(state.as_json())] for state in states)
        return
    from enumerator.results.states import States

    assert isinstance(states, States)
    ends = {
        (witness, undetermined): json.dumps({"witness": witness, "undetermined": undetermined})[1:]
        for witness in (False, True)
        for undetermined in (False, True)
    }
    done = 0
    for block in states.written(lambda name, value: f"{json.dumps(name)}: {json.dumps(json_value(value))}", ", "):
        part = slice(done, done + len(block))
        done += len(block)
        flags = states.witnesses[part].tolist(), states.undetermined[part].tolist()
        ending = map(ends.__getitem__, zip(*flags, strict=True))
        counts = ["null"] * len(block) if states.executions is None else states.executions[part].tolist()
        yield [
            f'{{"values": {{{values}}}, "executions": {count}, {end}'
            for values, count, end in zip(block, counts, ending, strict=True)
        ]


def write_csv(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as a table: a row for each, with the number of states and the flags joined by ``+``.

    Control characters are escaped. A text that a spreadsheet would take for a formula has an apostrophe before it, as
    is usual.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    write_csv_objects(
        ({**result.as_json(states=False), "states": range(len(result.states))} for result in results), stream
    )


def write_csv_objects(objects: Iterable[Mapping[str, Any]], stream: TextIO, before: Sequence[str] = ()) -> None:
    """Write results as a table; see :func:`write_csv`.

    Parameters
    ----------
    objects : iterable of mapping
        As JSON holds them.
    stream : text stream
    before : sequence of str
        What else they hold, in columns before the others.
    """
    rows = csv.writer(stream, lineterminator="\n")
    columns = (*before, *CSV_COLUMNS)
    rows.writerow(columns)
    for result in objects:
        expected, as_expected = result.get("expected"), result.get("as_expected")
        searched = result.get("executions") or {}
        record = {
            **result,
            "states": len(result["states"]),
            "flags": "+".join(result["flags"]),
            "expected": None if expected is None else "+".join((expected, *(result.get("expected_flags") or ()))),
            "as_expected": None if as_expected is None else str(as_expected).lower(),
            "explored": searched.get("explored"),
            "consistent": searched.get("consistent"),
        }
        rows.writerow([_cell(record.get(column)) for column in columns])


_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def _cell(value: object) -> object:
    r"""Give a field of a table: a text in which nothing is a formula for a spreadsheet, numbers as they are.

    Examples
    --------
    >>> [_cell(value) for value in ("=1+1", "@x=1", "a\x07", -1, None)]
    ["'=1+1", "'@x=1", 'a\\x07', -1, '']
    """
    if not isinstance(value, str):
        return "" if value is None else value
    text = escaped(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
