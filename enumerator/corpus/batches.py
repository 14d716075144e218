"""Files of results as what a page of a batch shows: one entry a result, with what came out before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from enumerator.corpus.export import objects_of
from enumerator.corpus.history import history
from enumerator.corpus.records import Record, read_records, read_values
from enumerator.corpus.runs import open_run
from enumerator.program.condition import SPELT
from enumerator.program.values import format_value
from enumerator.report.page.batch import Entry

__all__ = ["chapters_of", "entries_of", "latest", "read_files"]

_MOST_STATES = 12
_MOST_HISTORY = 8
_MOST_RUNS = 20


def read_files(paths: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Read files of results as the objects that ``run --format json`` writes.

    Parameters
    ----------
    paths : sequence of str
        JSON, JSON lines, logs as text, of which less is known, and stores.

    Returns
    -------
    list of list of dict
        One for each file; for a store also, before it, one for each of its runs before: only what came out.

    Raises
    ------
    InputError
        If a file holds no results.
    """
    return [results for path in paths for results in (_stored(path) or [_read(path)])]


def _stored(path: str) -> list[list[dict[str, Any]]]:
    """Read the results of a store, and before them what came out in some runs before; nothing if it is none."""
    stored = open_run(path)
    if stored is None:
        return []
    with stored as (store, runs):
        shown = {run.id for run in runs}
        now = list(objects_of(store, runs))
        there = {_key(result) for result in now}
        everything = store.runs()
        continued = {run.continues for run in everything}
        before = [run for run in everything if run.id < max(shown) and run.id not in continued and run.results]
        found = [
            [
                {
                    "path": each.path,
                    "how": _plain_how(each.under),
                    "outcome": f"{each.outcome} (run {run.id}, {run.begun})",
                }
                for each in store.outlines(run.id)
                if (each.path, _plain_how(each.under)) in there
            ]
            for run in before[-_MOST_HISTORY:]
            if run.id not in shown
        ]
    return [*found, now]


def _plain_how(under: str) -> str:
    return "" if under.startswith("?") else under


def chapters_of(path: str) -> list[tuple[str, ...]]:
    """Say what came out of the last runs of a store, a row each, the latest first.

    Parameters
    ----------
    path : str

    Returns
    -------
    list of tuple of str
        The number of the run, when it began, the program, results, those that are different, errors, unknown, and
        those that changed. Empty if this is no store.
    """
    stored = open_run(path)
    if stored is None:
        return []
    with stored as (store, _):
        return [
            (
                str(chapter.run.id) + ("" if chapter.run.ended is not None else " (not done)"),
                chapter.run.begun,
                chapter.run.version,
                str(chapter.run.results),
                *(str(chapter.states[state]) for state in ("different", "error", "unknown")),
                "" if chapter.before is None else str(len(chapter.changes)),
            )
            for chapter in history(store, _MOST_RUNS)
        ][::-1]


def _read(path: str) -> list[dict[str, Any]]:
    found = read_values(path)
    if found is not None:
        return found
    return [_of_record(record) for record in read_records(path)]


def _of_record(record: Record) -> dict[str, Any]:
    return {
        "name": record.name,
        "path": record.name,
        "how": record.how,
        "condition": "",
        "quantifier": record.quantifier,
        "verdict": record.verdict,
        "observation": record.observation,
        "positive": record.positive,
        "negative": record.negative,
        "states": [{"values": dict(sorted(state)), "witness": False} for state in record.states],
        "flags": sorted(record.flags),
        "expected": None,
        "expected_flags": None,
        "as_expected": None,
        "status": "complete" if record.error is None else "error",
        "error": record.error,
        "seconds": None,
    }


def _key(result: Mapping[str, Any]) -> tuple[str, str]:
    return str(result["path"]), _how(result)


def latest(files: Sequence[Sequence[dict[str, Any]]]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Put together what several files say of the same test and model.

    Parameters
    ----------
    files : sequence of sequence of dict
        The oldest first.

    Returns
    -------
    list of (dict, list of dict)
        The latest result of each, and those before, the latest first.
    """
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for results in files:
        for result in results:
            found.setdefault(_key(result), []).insert(0, result)
    return [(results[0], results[1:]) for results in found.values()]


def entries_of(
    results: Iterable[tuple[dict[str, Any], list[dict[str, Any]]]], pages: Mapping[str, str] | None = None
) -> Iterator[Entry]:
    """Give what a page shows of results.

    Parameters
    ----------
    results : iterable of (dict, list of dict)
        See :func:`latest`.
    pages : mapping of str to str, optional
        By the path of a test the address of its own page.

    Yields
    ------
    Entry
    """
    for result, before in results:
        yield Entry(
            test=str(result["name"]),
            path=str(result["path"]),
            how=_how(result),
            state=_state(result),
            found=_found(result),
            wanted=_wanted(result),
            seconds=result.get("seconds"),
            flags=tuple(map(str, result.get("flags") or ())),
            page=(pages or {}).get(str(result["path"]), ""),
            more=tuple(_more(result)),
            history=tuple(_found(each) for each in before[:_MOST_HISTORY]),
        )


def _how(result: Mapping[str, Any]) -> str:
    if "how" in result:
        return str(result["how"])
    if not result.get("model"):
        return ""
    model = f"{result['model']}{'@' + str(result['profile']) if result.get('profile') else ''}"
    return "/".join((model, *(str(value) for value in (result.get("options") or {}).values())))


def _state(result: Mapping[str, Any]) -> str:
    if result["status"] == "error":
        return "error"
    if result.get("as_expected") is False:
        return "different"
    if result["verdict"] == "unknown" or (result.get("expected") is not None and result.get("as_expected") is None):
        return "unknown"
    return "as expected" if result.get("as_expected") else "no expectation"


def _found(result: Mapping[str, Any]) -> str:
    if "outcome" in result:
        return str(result["outcome"])
    if result["status"] == "error":
        return "error"
    return "+".join((str(result["observation"]), *map(str, result.get("flags") or ())))


def _wanted(result: Mapping[str, Any]) -> str:
    if result.get("expected") is None:
        return "Ok" if result.get("as_expected") is not None else ""
    return "+".join((str(result["expected"]), *map(str, result.get("expected_flags") or ())))


def _more(result: Mapping[str, Any]) -> Iterator[str]:
    if result.get("error"):
        yield str(result["error"])
        return
    if result.get("condition"):
        yield f"{SPELT.get(str(result.get('quantifier')), 'exists')} ({result['condition']}): {result['verdict']}"
    states = result.get("states") or []
    lines = [
        " ".join(f"{name}={_value(value)};" for name, value in state["values"].items())
        + (" *" if state.get("witness") else "")
        for state in states[:_MOST_STATES]
    ]
    if len(states) > _MOST_STATES:
        lines.append(f"... {len(states) - _MOST_STATES} more states")
    if lines:
        yield "\n".join(lines)
    for name in ("causes", "notes"):
        for line in result.get(name) or ():
            yield str(line)


def _value(value: object) -> str:
    return format_value(value) if isinstance(value, int) else str(value)
