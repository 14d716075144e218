"""Executions that end in one outcome, and what a source had that a target has lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from enumerator.clock import time_limit
from enumerator.engines import engine
from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import (
    Ordering,
)
from enumerator.program.lines import line_text
from enumerator.program.test import Test
from enumerator.refinement.edit import Memory, named, operations_of
from enumerator.refinement.outcomes import Outcome
from enumerator.request import Request

if TYPE_CHECKING:
    from enumerator.analysis.classify import Classification

__all__ = ["changes", "described", "forbidden_by", "spelt"]

_MOST_LOOKED_AT = 20_000
_BRIEF = 3.0
"""Seconds to find an execution again."""


def described(request: Request, outcome: Outcome) -> tuple[str, ...]:
    """Describe an execution of a test that ends in an outcome, as ``run --verbose`` does.

    Parameters
    ----------
    request : Request
    outcome : Outcome

    Returns
    -------
    tuple of str
        Empty where none is found soon enough.
    """
    from enumerator.analysis.describe import describe

    for each in _ending_in(request, outcome, forbidden=False):
        return tuple(describe(each))
    return ()


def forbidden_by(request: Request, outcome: Outcome) -> tuple[str, ...]:
    """Say by which axioms a test forbids an outcome: of its candidate executions one that violates the fewest.

    Parameters
    ----------
    request : Request
    outcome : Outcome

    Returns
    -------
    tuple of str
        Lines; empty where no candidate is found soon enough.
    """
    from enumerator.analysis.describe import describe_event, describe_step

    best: Classification | None = None
    ended: list[bool] = []
    for each in _ending_in(request, outcome, forbidden=True, ended=ended):
        if each.violations and (best is None or len(each.violations) < len(best.violations)):
            best = each
        if best is not None and len(best.violations) == 1:
            break
    if best is None:
        return ("no candidate execution of the source ends so, not even a forbidden one",) if ended else ()
    violation, execution = best.violations[0], best.execution
    lines = [f"the source forbids it by {violation}"]
    lines += [f"  {describe_step(execution, step)}" for step in violation.cycle]
    lines += [f"  {describe_event(execution, a)} -> {describe_event(execution, b)}" for a, b in violation.pairs]
    lines += [f"  {describe_event(execution, number)}" for number in violation.events]
    return tuple(lines)


def _ending_in(
    request: Request, outcome: Outcome, *, forbidden: bool, ended: list[bool] | None = None
) -> Iterator[Classification]:
    """Give the candidate executions of a test that end in an outcome; note in `ended` that these are all."""
    from enumerator.analysis.classify import classify
    from enumerator.analysis.execution import rebuild
    from enumerator.reference.outcome import final_state

    asked = request.whole(record=_MOST_LOOKED_AT, outcomes_only=False, forbidden=forbidden, jobs=1)
    wanted = tuple(outcome.values.values())
    with suppress(LimitReached, InputError), time_limit(_BRIEF):
        found = engine("networkx" if forbidden else "bitset")(replace(asked, timeout=None))
        for candidate in found.executions:
            if candidate.consistent == forbidden:
                continue
            execution = rebuild(request, candidate)
            if outcome.flags:
                classification = classify(execution)
                if classification.flags.issuperset(outcome.flags):
                    yield classification
                continue
            state = final_state(
                execution.combination, tuple(outcome.values), candidate.values, execution.evaluation.final
            )
            if state == wanted and all(path.end == "return" for path in execution.combination.paths):
                yield classify(execution)
        whole = found.status == "complete" and len(found.executions) < _MOST_LOOKED_AT
        if ended is not None and whole and not outcome.flags:
            ended.append(True)


# Changes ------------------------------------------------------------------------------------------------------------


def changes(source: Test, target: Test) -> tuple[str, ...]:
    """Say which memory operations, fences and barriers of a source are others in a target, in words with source lines.

    Parameters
    ----------
    source, target : Test

    Returns
    -------
    tuple of str
        Such as ``t0: the fence at line 9 is release; at line 9 of the target it is gone``.
    """
    of_target = {thread.name: thread.function for thread in target.threads}
    found: dict[str, None] = {}
    for thread in source.threads:
        name = of_target.get(thread.name)
        if name is not None:
            mine = list(operations_of(source, [thread.function]).values())
            theirs = list(operations_of(target, [name]).values())
            found.update(dict.fromkeys(f"{thread.name}: {each}" for each in _differences(mine, theirs)))
    return tuple(found)


def _differences(mine: Sequence[Memory], theirs: Sequence[Memory]) -> Iterator[str]:
    matcher = SequenceMatcher(None, [_shape(each) for each in mine], [_shape(each) for each in theirs], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            for one, other in zip(mine[a:b], theirs[c:d], strict=True):
                yield from _altered(one, other)
            continue
        for one in mine[a:b]:
            yield f"the {named(one)} is not in its place in the target"
        for other in theirs[c:d]:
            yield f"the {named(other)} of the target is new there"


def _shape(part: Memory) -> tuple[str, object]:
    address = getattr(part, "address", None)
    return type(part).__name__, repr(address) if address is not None and "Register" not in repr(address) else None


def _altered(one: Memory, other: Memory) -> Iterator[str]:
    before, after = spelt(one), spelt(other)
    if before != after:
        place = "in the target" if other.line is None else f"at line {line_text(other.line)} of the target"
        yield f"the {named(one)} is {before}; {place} it is {after}"


def spelt(part: Memory) -> str:
    """Write what an operation says of itself: ordering, scope, tags.

    Examples
    --------
    >>> from enumerator.program.instructions import Annotation, Fence, Scope
    >>> spelt(Fence(Annotation(Ordering.RELEASE, Scope.AGENT)))
    'release syncscope("agent")'
    """
    note = part.annotation
    words = [note.ordering.name.lower() if note.ordering != Ordering.NA else "not atomic"]
    if note.syncscope:
        words.append(f'syncscope("{note.syncscope}")')
    if note.tags:
        words.append(f"[{', '.join(sorted(map(str, note.tags)))}]")
    if note.thread_private:
        words.append("thread-private")
    return " ".join(words)
