"""Results as text: one test in herd7's layout, and what a batch found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TextIO

from enumerator.printing import escaped, one_line
from enumerator.program.condition import SPELT
from enumerator.program.values import format_value
from enumerator.results.result import Result, State
from enumerator.results.verdict import is_undefined_behaviour

__all__ = [
    "Tally",
    "aligned",
    "difference_table",
    "format_run",
    "numbers",
    "observed",
    "state_of",
    "summary",
    "wanted",
    "write_runs",
]

_KINDS = {"exists": "Allowed", "never": "Forbidden", "forall": "Required"}


def write_runs(results: Iterable[Result], stream: TextIO) -> None:
    """Write results in herd7's layout. It has no place for errors, which are left out.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    for result in results:
        if result.status != "error":
            stream.writelines(_lines(result))
            stream.flush()


def format_run(result: Result) -> str:
    """Write a result in herd7's layout.

    What herd7 does not have stands in lines that begin with ``#``, after all others; readers of herd7 logs skip them.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str
        With an empty line at the end.

    See Also
    --------
    enumerator.corpus.records.read_records : Reads it again.

    References
    ----------
    herd7's documentation, "Running herd7 on a litmus test".
    """
    return "".join(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    """Give the lines of a result; those of its states in blocks of many."""
    before, after = _before_states(result), chain(_after_states(result), _remarks(result), [""])
    for line in chain(map(escaped, before), _states(result.states), map(escaped, after)):
        yield f"{line}\n"


def _states(states: Sequence[State]) -> Iterator[str]:
    if isinstance(states, tuple | list):
        return (escaped(str(state)) for state in states)
    from enumerator.results.states import States

    assert isinstance(states, States)
    blocks = states.written(lambda name, value: escaped(f"{name}={format_value(value)};"), " ")
    return map("\n".join, blocks)


def _before_states(result: Result) -> Iterator[str]:
    yield f"Test {escaped(result.name)} {_KINDS[result.quantifier or 'exists']}"
    yield f"States {len(result.states)}"


def _after_states(result: Result) -> Iterator[str]:
    name = escaped(result.name)
    quantifier = result.quantifier or "exists"
    yield result.verdict.capitalize()
    counts = ""
    if result.positive is not None and result.negative is not None:
        # Positive are the executions that satisfy the condition with its quantifier; the observation is of its body.
        for_it, against_it = result.positive, result.negative
        if quantifier == "never":
            for_it, against_it = against_it, for_it
        yield "Witnesses"
        yield f"Positive: {for_it} Negative: {against_it}"
        counts = f" {result.positive} {result.negative}"
    by_model = [flag for flag in result.undefined_by if not is_undefined_behaviour(flag)]
    if by_model:  # herd7 has one name for all that a model calls undefined
        yield "Flag *undef*"
    for flag in result.flags:
        if flag not in by_model:
            yield f"Flag {flag}"
    condition = result.formula or one_line(result.condition)
    if condition:  # else the time was up while the test was read
        yield f"Condition {SPELT[quantifier]} ({condition})"
    yield f"Observation {name} {result.observation.capitalize()}{counts}"
    yield f"Time {name} {result.seconds:.2f}"


def _cause_lines(causes: Sequence[str]) -> Iterator[str]:
    """Give causes of undefined behaviour, the shortest for each place in the program; say how many others there are."""
    found: dict[str, str] = {}
    for cause in map(one_line, causes):
        place = _THREAD.sub("", ": ".join(cause.split(": ")[:2]))
        found[place] = min(found.get(place, cause), cause, key=len)
    yield from (f"# Cause {cause}" for cause in found.values())
    if len(found) < len(causes):
        yield f"# Cause: {len(causes) - len(found)} more at these places, of other threads or reads"


_THREAD = re.compile(r"\S+ (?=line \d)")
"""The name of a thread before a line."""


def _remarks(result: Result) -> Iterator[str]:
    yield f"# Model {result.how}"
    if result.undefined_by:
        yield f"# Undefined by {', '.join(result.undefined_by)}"
    yield from _cause_lines(result.causes)
    for reading, outcome in result.readings.items():
        yield f"# Under {reading}: {outcome}"
    if result.status != "complete":
        yield f"# Status {result.status}: what more search could change is unknown"
    for note in result.notes:
        yield f"# Note {one_line(note)}"
    if result.as_expected is False:
        yield f"# Expected {wanted(result)}"
    for line in result.details:
        yield f"# {line}".rstrip()


# Batches --------------------------------------------------------------------------------------------------


def state_of(result: Result) -> str:
    """Say what a result is beside what is expected.

    Parameters
    ----------
    result : Result

    Returns
    -------
    {'different', 'error', 'unknown', 'no expectation', 'as expected'}
    """
    if result.status == "error":
        return "error"
    if result.as_expected is False:
        return "different"
    if result.unknown:
        return "unknown"
    return "as expected" if result.as_expected else "no expectation"


def observed(result: Result) -> str:
    """Say what came out, as an ``EXPECT`` line would: ``Sometimes+race``.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str
    """
    if result.expected is not None:
        return result.outcome
    return result.verdict if result.verdict != "Undef" else "+".join((result.verdict, *result.undefined_by))


def wanted(result: Result) -> str:
    """Say what was expected, as an ``EXPECT`` line does; a test without expectations is to be ``Ok``.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str

    Examples
    --------
    >>> wanted(Result("MP", "mp.ll", expected="Sometimes", expected_flags=("race",)))
    'Sometimes+race'
    """
    return "Ok" if result.expected is None else "+".join((result.expected, *(result.expected_flags or ())))


class Tally:
    """Counts the results that pass through it, and keeps what a report at the end has to show.

    Parameters
    ----------
    whole : bool
        Keep the states and descriptions of what it keeps.
    """

    def __init__(self, whole: bool = True) -> None:
        self.tests = 0  # results of a test come one after the other
        self._whole = whole
        self._path: str | None = None
        self.results = 0
        self.as_expected = 0
        self.different: list[Result] = []
        self.unknown: list[Result] = []
        self.errors: list[Result] = []
        self.readings: list[Result] = []
        self.interrupted = False

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """Count results on their way; Ctrl-C ends them early, so that what there is still gets reported.

        Parameters
        ----------
        results : iterable of Result

        Yields
        ------
        Result
        """
        try:
            for result in results:
                self._count(result)
                yield result
        except KeyboardInterrupt:
            self.interrupted = True

    def _count(self, result: Result) -> None:
        self.tests += result.path != self._path
        self._path = result.path
        self.results += 1
        if result.readings:
            self.readings.append(self._kept(result))
        if result.status == "error":
            self.errors.append(self._kept(result))
        elif result.as_expected is False:
            self.different.append(self._kept(result))
        elif result.unknown:
            self.unknown.append(self._kept(result))
        else:
            self.as_expected += result.as_expected is True

    def _kept(self, result: Result) -> Result:
        return result if self._whole else replace(result, states=(), details=(), question=None)

    @property
    def messages(self) -> list[str]:
        """The messages of errors, each once: a mistake in a test shows under each model."""
        return list(dict.fromkeys(one_line(result.error or "") for result in self.errors))

    @property
    def exit_code(self) -> int:
        """130 interrupted, 2 an error, 1 a difference, 3 unknown, 0 all as expected: the first that applies."""
        if self.interrupted:
            return 130
        return 2 if self.errors else 1 if self.different else 3 if self.unknown else 0


def difference_table(results: Sequence[Result]) -> str:
    """Write a table of expected and found.

    Parameters
    ----------
    results : sequence of Result

    Returns
    -------
    str

    Examples
    --------
    >>> print(difference_table([Result("MP", "mp.ll", "llvm", observation="Never", expected="Always")]), end="")
    test   under  expected  found
    mp.ll  llvm   Always    Never
    """
    rows = [("test", "under", "expected", "found")]
    rows += [(escaped(result.path), result.how, wanted(result), observed(result)) for result in results]
    return "".join(f"{escaped(line)}\n" for line in aligned(rows))


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a table.

    Parameters
    ----------
    rows : sequence of sequence of str

    Yields
    ------
    str

    Examples
    --------
    >>> list(aligned([("test", "found"), ("a", "Never")]))
    ['test  found', 'a     Never']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def summary(tally: Tally, seconds: float) -> str:
    """Write what a batch found: errors, a table of what differs, what is unknown, and a line with the numbers.

    Parameters
    ----------
    tally : Tally
    seconds : float
        How long it took.

    Returns
    -------
    str
    """
    parts = []
    if tally.errors:
        parts.append("Errors\n" + "".join(f"  {message}\n" for message in tally.messages))
    if tally.different:
        parts.append("Different from what is expected\n" + _indent(difference_table(tally.different)))
    if undefined := [result for result in tally.different if result.causes]:
        parts.append("Undefined behaviour\n" + _indent("".join(map(_causes, undefined))))
    if tally.readings:
        parts.append("Rests on how the documents are read\n" + _indent("".join(map(_readings, tally.readings))))
    if tally.unknown:
        parts.append("Unknown: a limit was reached\n" + _indent(_unknown_table(tally.unknown)))
    parts.append(f"{numbers(tally, seconds)}\n")
    return "\n".join(parts)


def numbers(tally: Tally, seconds: float) -> str:
    """Write the line with the numbers of a batch."""
    compared = tally.as_expected + len(tally.different) + len(tally.unknown) + len(tally.errors)
    counts = [
        f"{tally.as_expected} as expected",
        f"{len(tally.different)} different",
        f"{len(tally.unknown)} unknown",
        f"{len(tally.errors)} error{'s' * (len(tally.errors) != 1)}",
    ]
    if compared < tally.results:
        counts.append(f"{tally.results - compared} without expectation")
    tests = f"{tally.tests} test{'s' * (tally.tests != 1)}"
    verdicts = f"{tally.results} result{'s' * (tally.results != 1)}"
    interrupted = " (interrupted)" if tally.interrupted else ""
    return f"{tests}, {verdicts}: {', '.join(counts)} in {seconds:.1f} s{interrupted}"


def _causes(result: Result) -> str:
    place = f"{escaped(result.path)}  {result.how}"
    return "".join(f"{place}  {one_line(cause)}\n" for cause in result.causes)


def _readings(result: Result) -> str:
    other = ", ".join(f"under {reading}: {outcome}" for reading, outcome in result.readings.items())
    return f"{escaped(result.path)}  {result.how}  {result.outcome}; {other}\n"


def _unknown_table(results: Sequence[Result]) -> str:
    return "".join(
        f"{escaped(result.path)}  {result.how}  {result.status}"
        f"{''.join(f'; {one_line(note)}' for note in result.notes)}\n"
        for result in results
    )


def _indent(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())
