"""Explanations as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.analysis.witnesses import Way
    from enumerator.explanation import Explanation

__all__ = ["format_explanation", "headline", "repair_lines", "way_lines", "ways_line"]

_WIDTH = 110
_MOST_WAYS = 8
_MOST_ANSWERS = 3


def format_explanation(found: Explanation) -> str:
    """Write an explanation as text.

    Parameters
    ----------
    found : Explanation

    Returns
    -------
    str
    """
    return "".join(f"{escaped(line)}\n" for line in _lines(found))


def headline(found: Explanation) -> str:
    """Say in one line what the answer is."""
    if found.undefined:
        flags = ", ".join(found.undefined)
        return f"{found.test.name} under {found.result.how} is undefined ({flags}): anything may happen"
    word = {True: "allowed", False: "forbidden", None: "unknown: a limit was reached"}[found.allowed]
    return f"{found.test.name} under {found.result.how}: {found.outcome} is {word}"


def _lines(found: Explanation) -> Iterator[str]:
    from enumerator.analysis.story import interleaves, sentences

    yield headline(found)
    for note in found.notes:
        yield f"  # {note}"
    if found.witness is not None:
        yield ""
        yield f"What happens ({_which(found)})"
        for number, step in enumerate(sentences(found.witness), 1):
            yield from _wrapped(f"{number:>3}. ", step.text)
        if not interleaves(found.witness.execution):
            yield from _wrapped("     ", "No order of these steps, one after the other, gives these values.")
        yield from _part("What is missing", found.missing)
        yield from _part("What would forbid it", repair_lines(found))
    if found.ways:
        yield ""
        yield ways_line(found)
        for number, way in enumerate(found.ways[:_MOST_WAYS], 1):
            first, *rest = way_lines(way)
            yield from _wrapped(f"{number:>3}. ", first)
            for line in rest:
                yield from _wrapped("     ", line)
        if len(found.ways) > _MOST_WAYS:
            yield f"     ... and {len(found.ways) - _MOST_WAYS} more ways"
    if found.held_up_by is not None and found.allowed is False:
        held = tuple(map(str, found.held_up_by))
        yield from _part("Each of these alone lets it through", held)
        if not held:
            yield from ("", "No single annotation holds it up: weakening any one alone does not let it through")


def _which(found: Explanation) -> str:
    if found.undefined:
        return "the smallest execution that was found to be undefined"
    if not found.whole:
        if found.witnesses == 1:
            return "an execution that ends so; there may be smaller ones"
        return f"the smallest of {found.witnesses} executions that were found to end so; there may be more"
    if found.witnesses == 1:
        return "the only execution that ends so"
    return f"the smallest of {found.witnesses} executions that end so"


def ways_line(found: Explanation) -> str:
    """Say how many ways there are."""
    number = len(found.ways)
    if number == 1 and found.whole:
        return "The only way to reach it is refused"
    return f"{'All' if found.whole else 'The first'} {number} way{'s' * (number != 1)} to reach it are refused"


def way_lines(way: Way) -> Iterator[str]:
    """Say what refuses a way to an outcome: the axiom, then each step of the cycle.

    Parameters
    ----------
    way : Way

    Yields
    ------
    str
    """
    from enumerator.analysis.describe import describe_event, describe_step

    violation, execution = way.violation, way.classification.execution
    more = f", and by {', '.join(dict.fromkeys(way.others))}" if way.others else ""
    alike = f" ({way.count} candidates alike)" if way.count > 1 else ""
    if violation is None:
        yield f"a thread waits for what has been written since: it would go on{alike}"
        return
    undef = "" if way.certain else ", where a value would be undef"
    yield f"by {violation}{more}{alike}{undef}"
    yield from (describe_step(execution, step) for step in violation.cycle)
    for a, b in violation.pairs:
        yield f"{describe_event(execution, a)}  ->  {describe_event(execution, b)}"
    for number in violation.events:
        yield describe_event(execution, number)
    if violation.because:
        yield "because of this order:"
        yield from (f"  {describe_step(execution, step)}" for step in violation.because)


def repair_lines(found: Explanation) -> tuple[str, ...]:
    """Say what would make an outcome unreachable: those with the fewest changes first."""
    if found.repair is None:
        return ()
    lines = []
    for answer in found.repair.answers[:_MOST_ANSWERS]:
        lines.append("; ".join(map(str, answer.edits)))
    more = len(found.repair.answers) - _MOST_ANSWERS
    if lines and not found.repair.complete:
        others = f"and {more} other way{'s' * (more > 1)}; " if more > 0 else ""
        lines.append(f"... {others}a limit was reached, there may be better ones: enumerator repair {found.test.path}")
    elif more > 0:
        lines.append(f"... and {more} other way{'s' * (more > 1)}: enumerator repair {found.test.path}")
    limit = found.repair.limit or "a limit was reached"
    if not lines and found.repair.passed:
        cheapest = found.repair.passed[0]
        lines.append("; ".join(map(str, cheapest.edits)))
        lines.append(f"... perhaps less would do, {limit}: enumerator repair {found.test.path}")
    if not lines:
        lines.append(
            f"nothing: {found.repair.strongest}, it is still reachable"
            if found.repair.complete
            else f"none was found: {limit}"
        )
    return tuple(lines)


def _part(title: str, lines: tuple[str, ...]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        for line in lines:
            yield from _wrapped("  - ", line)


def _wrapped(start: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )
