"""Results that were written to files: ours (JSON, JSON lines, text) and herd7's logs, as one kind of record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from enumerator.corpus.database import sorting_key
from enumerator.corpus.runs import Listed, open_run
from enumerator.errors import InputError
from enumerator.files import read_text
from enumerator.frozen import dataclass
from enumerator.printing import escaped
from enumerator.results.result import Result
from enumerator.results.verdict import is_undefined_behaviour

__all__ = ["UNDEFINED", "Record", "State", "read_records", "read_values", "record_of", "sorted_records"]

UNDEFINED = "*undef*"
"""What herd7 calls the flag of any failed ``undefined_unless``."""

State = frozenset[tuple[str, str]]

_TEST = re.compile(r"Test (\S+) (Allowed|Forbidden|Required)\s*")
_STATES = re.compile(r"States (\d{1,18})\s*")
_COUNTS = re.compile(r"Positive: (\d{1,999}),? Negative: (\d{1,999})\s*")
_OBSERVATION = re.compile(r"Observation (\S+) (Never|Sometimes|Always|Unknown)(?: (\d+) (\d+))?\s*")
_VERDICT = re.compile(r"(?:Loop )?(Ok|No|Undef|Unknown)\s*")  # 'Loop': a loop reached herd7's bound
_BLANK = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]{1,999}|[0-9]{1,999})")  # what is longer is compared as it is written
_KINDS = {"Allowed": "exists", "Forbidden": "never", "Required": "forall"}
_BETWEEN = ("#", "Warning", "File ", "Time ", "Hash=")
_LARGEST = 256 << 20  # bytes; a million states are a tenth of that


@dataclass(frozen=True)
class Record:
    """What a file says of a test.

    Parameters
    ----------
    name : str
    how : str
        What it was found under (``llvm@generic/closure``), as far as the file says it.
    quantifier, verdict, observation : str
        As in :class:`enumerator.results.result.Result`; empty where there was an error.
    states : frozenset
        Each a set of (name, value) pairs; locations without brackets, numbers in decimal.
    positive, negative : int or None
        Executions that satisfy the condition's body and those that do not.
    flags : frozenset of str
        With :data:`UNDEFINED` for those that made the verdict ``Undef``.
    error : str or None
    line : int
        Where it begins.
    """

    name: str
    how: str
    quantifier: str
    verdict: str
    observation: str
    states: frozenset[State]
    positive: int | None
    negative: int | None
    flags: frozenset[str]
    error: str | None = None
    line: int = 1


def read_records(path: str) -> list[Record]:
    """Read a file of results.

    Parameters
    ----------
    path : str
        What ``run --format json``, ``jsonl`` or ``text`` wrote, or a log of herd7: with or without hashes and times,
        and with warnings between tests. ``-`` is standard input. Or a store, or a run in it (``results.db:3``).

    Returns
    -------
    list of Record
        In the order of the file.

    Raises
    ------
    InputError
        With the line that is wrong, or the last one of a file that ends within a result.

    See Also
    --------
    record_of : The record of a result that was not written.
    enumerator.corpus.compare.compare_records
    """
    stored = open_run(path)
    if stored is not None:
        with stored as (store, runs):
            return [_stored_record(each, path) for each in store.listed([run.id for run in runs])]
    text = read_text(path, _LARGEST)
    start = text.lstrip()[:1]
    records = list(_from_json(text, path) if start in ("[", "{") else _Log(text.split("\n"), path).records())
    if not records and start != "[":
        raise InputError("expected results: JSON, JSON lines, or a log that begins with 'Test NAME …'", path, 1)
    return records


def sorted_records(path: str) -> Iterator[tuple[tuple[int, ...], Record]]:
    """Give the records of a file by the names of tests, each with its place in the file.

    Parameters
    ----------
    path : str
        As for :func:`read_records`. Of a store no more than a few are in memory at a time.

    Yields
    ------
    (tuple of int, Record)
    """
    stored = open_run(path)
    if stored is None:
        records = [((number,), record) for number, record in enumerate(read_records(path))]
        yield from sorted(records, key=lambda each: sorting_key(each[1].name))
        return
    with stored as (store, runs):
        for each in store.listed([run.id for run in runs], "name"):
            yield each.place, _stored_record(each, path)


def _stored_record(listed: Listed, path: str) -> Record:
    try:
        return _record(json.loads(listed.record), 1)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"the store is damaged: the result of {listed.path} cannot be read", path) from None


def read_values(path: str) -> list[dict[str, Any]] | None:
    """Read a file of results as the objects that ``run --format json`` and ``jsonl`` write.

    Parameters
    ----------
    path : str
        ``-`` is standard input.

    Returns
    -------
    list of dict or None
        Each object holds what a record needs; None if the file is not JSON.

    Raises
    ------
    InputError
        As :func:`read_records`.
    """
    text = read_text(path, _LARGEST)
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    found: list[dict[str, Any]] = []
    for item, line in _objects(text, path):
        try:
            _record(item, line)
            if not isinstance(item.get("path"), str) or not isinstance(item.get("seconds"), int | float | None):
                raise TypeError
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(_WANTED, path, line) from None
        found.append(item)
    return found


def record_of(result: Result) -> Record:
    """Give the record of a result that was just found.

    Examples
    --------
    >>> record_of(Result("MP", "mp.ll", "llvm", "generic", verdict="Ok", observation="Never")).how
    'llvm@generic'
    """
    return _record(result.as_json(), 1)


# JSON --------------------------------------------------------------------------------------------------------


_WANTED = "expected results as 'run --format json' writes them"


def _from_json(text: str, path: str) -> Iterator[Record]:
    for item, line in _objects(text, path):
        try:
            yield _record(item, line)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(_WANTED, path, line) from None


def _objects(text: str, path: str) -> Iterator[tuple[Any, int]]:
    """Read an array of objects, or objects one after the other, each with its line."""
    decoder = json.JSONDecoder(parse_constant=_refused)
    place, line = 0, 1
    while True:
        start, place = place, _end_of_blanks(text, place)
        line += text.count("\n", start, place)
        if place == len(text):
            return
        try:
            data, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            message = f"the JSON is not complete, or wrong: {error.msg}"
            raise InputError(message, path, error.lineno, error.colno) from None
        except ValueError as error:  # Python converts no integer of so many digits
            what = "NaN and infinity are no numbers of JSON" if str(error) == _NO_NUMBER else "a number is too long"
            raise InputError(what, path, line) from None
        except RecursionError:
            raise InputError("nested too deeply", path, line) from None
        for item in data if isinstance(data, list) else [data]:
            yield item, line
        line += text.count("\n", place, end)
        place = end


_NO_NUMBER = "no number"


def _refused(constant: str) -> Any:
    raise ValueError(_NO_NUMBER)


def _json_binding(item: tuple[str, object]) -> tuple[str, str]:
    """Give a name and its value as the text format has them."""
    name, value = item
    if not isinstance(value, int | str):
        raise TypeError("no value")
    return _plain_name(escaped(name)), escaped(str(value))


def _end_of_blanks(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    assert match is not None  # nothing is a match, too
    return match.end()


def _record(item: dict[str, Any], line: int) -> Record:
    if item["status"] == "error":
        error = str(item["error"])
        return Record(str(item["name"]), "", "", "", "", frozenset(), None, None, frozenset(), error, line)
    options = [str(value) for value in (item.get("options") or {}).values()]
    counts = item["positive"], item["negative"]
    if not all(count is None or (isinstance(count, int) and count >= 0) for count in counts):
        raise ValueError("a count that is none")
    model = f"{item['model'] or '?'}{'@' + item['profile'] if item['profile'] else ''}"
    flags = frozenset(map(str, item["flags"]))
    if item["verdict"] == "Undef":  # what only the model calls undefined, text has by herd7's name only
        undefined = frozenset(map(str, item.get("undefined_by") or ()))
        flags = frozenset(flag for flag in flags if is_undefined_behaviour(flag) or flag not in undefined)
        flags |= {UNDEFINED}
    return Record(
        str(item["name"]),
        "/".join((model, *options)),
        str(item["quantifier"]),
        str(item["verdict"]),
        str(item["observation"]),
        frozenset(frozenset(map(_json_binding, state["values"].items())) for state in item["states"]),
        *counts,
        flags,
        None,
        line,
    )


# Logs --------------------------------------------------------------------------------------------------------


@dataclass
class _Log:
    """A log in herd7's layout, line by line."""

    lines: Sequence[str]
    path: str
    at: int = 0  # lines read

    def records(self) -> Iterator[Record]:
        while (line := self.next_line()) is not None:
            match = _TEST.fullmatch(line)
            if match is not None:
                yield self.test(match[1], match[2])
            elif line.strip() and not line.startswith(_BETWEEN):
                raise self.wrong("'Test NAME Allowed', 'Forbidden' or 'Required'")

    def test(self, name: str, kind: str) -> Record:
        begin = self.at
        count = int(self.expect(_STATES, "'States N'")[1])
        states = [self.state() for _ in range(count)]
        verdict = self.expect(_VERDICT, "'Ok', 'No' or 'Undef', after the states")[1]
        line = self.inner()
        positive = negative = None
        if line.strip() == "Witnesses":
            counts = self.expect(_COUNTS, "'Positive: P Negative: N'")
            positive, negative = int(counts[1]), int(counts[2])
            if _KINDS[kind] == "never":  # positive are the executions that satisfy '~exists', not its body
                positive, negative = negative, positive
            line = self.inner()
        flags = set()
        while line.startswith(("Flag ", "Bad executions")):
            flags.add(line.removeprefix("Flag ").strip())
            line = self.inner()
        if not line.startswith("Condition "):
            raise self.wrong("'Condition …'")
        seen = self.expect(_OBSERVATION, "'Observation NAME Never', 'Sometimes' or 'Always'")
        if seen[1] != name:
            raise self.wrong(f"the observation of {name}")
        how = self.remarks()
        word = verdict if verdict != "Unknown" else "unknown"
        observation = seen[2] if seen[2] != "Unknown" else "unknown"
        if word == "Undef":
            flags.add(UNDEFINED)
        found = frozenset(states)
        return Record(
            name, how, _KINDS[kind], word, observation, found, positive, negative, frozenset(flags), None, begin
        )

    def state(self) -> State:
        *bindings, rest = self.inner().split(";")
        parts = [binding.partition("=") for binding in bindings]
        if rest.strip() or not all(name.strip() and equal for name, equal, _ in parts):
            raise self.wrong("a state: 'NAME=VALUE; …'")
        return frozenset((_plain_name(name.strip()), _plain_value(value.strip())) for name, _, value in parts)

    def remarks(self) -> str:
        """Read what stands behind a test, and take from it what it was found under."""
        how = ""
        while self.at < len(self.lines) and self.lines[self.at].startswith(_BETWEEN):
            line = self.lines[self.at]
            if line.startswith("# Model "):
                how = line.removeprefix("# Model ").strip()
            self.at += 1
        return how

    def next_line(self) -> str | None:
        if self.at >= len(self.lines):
            return None
        self.at += 1
        return self.lines[self.at - 1].rstrip("\r")

    def inner(self) -> str:
        """Give the next line of a test; warnings may stand between."""
        while (line := self.next_line()) is not None:
            if not line.startswith("Warning"):
                if line == "" and self.at == len(self.lines):
                    break  # what follows the last line break is no line
                return line
        self.at = max(1, len(self.lines) - (self.lines[-1] == ""))
        raise InputError("the log ends within a test", self.path, self.at)

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        match = pattern.fullmatch(self.inner())
        if match is None:
            raise self.wrong(what)
        return match

    def wrong(self, what: str) -> InputError:
        if self.at == len(self.lines) > 1:  # the last line, and it has no end
            return InputError("the log ends within a test", self.path, self.at)
        found = self.lines[self.at - 1].strip()
        shown = found if len(found) <= 60 else f"{found[:57]}…"
        return InputError(f"expected {what}, but found '{shown}'", self.path, self.at, 1)


def _plain_name(name: str) -> str:
    """Give a location without the brackets that some versions of herd7 write."""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _plain_value(value: str) -> str:
    match = _NUMBER.fullmatch(value)
    if match is None:
        return value
    sign = -1 if value.startswith("-") else 1
    return str(sign * int(match[1], 16 if match[1][:2] in ("0x", "0X") else 10))
