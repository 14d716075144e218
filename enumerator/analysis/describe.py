"""Executions in words."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.analysis.classify import Classification, RemovedOrder, UndefRead, Violation
from enumerator.analysis.diagnose import diagnose
from enumerator.analysis.execution import Execution
from enumerator.analysis.explain import Step
from enumerator.analysis.graph import name_of_location
from enumerator.events import Event
from enumerator.program.instructions import Ordering
from enumerator.program.lines import line_text
from enumerator.program.values import format_value

__all__ = ["describe", "describe_event", "describe_step"]

_MOST_ORDERED = 8
"""So many of the pairs that are ordered by one synchronization are named."""

_VERBS = {"IW": "initial write", "R": "load", "W": "store", "F": "fence", "B": "barrier"}


def describe_event(execution: Execution, number: int) -> str:
    """Describe an event: its place, and what it does.

    Parameters
    ----------
    execution : Execution
    number : int

    Returns
    -------
    str
        Such as ``t0 line 7: store release @f = 1``.
    """
    event = execution.events[number]
    parts = [_verb(execution, event)]
    if event.kind in ("R", "W", "F") and event.annotation.ordering != Ordering.NA:
        parts.append(event.annotation.ordering.name.lower())
    if event.kind != "IW" and event.annotation.syncscope:
        parts.append(f'syncscope("{event.annotation.syncscope}")')
    if event.location is not None:
        value = format_value(execution.candidate.values[number])
        parts.append(f"{name_of_location(execution.combination.test, event.location)} = {value}")
    if event.tags:
        parts.append(f"[{', '.join(sorted(map(str, event.tags)))}]")
    if event.annotation.thread_private:
        parts.append("thread-private")
    return _place(execution, event) + " ".join(parts)


def _verb(execution: Execution, event: Event) -> str:
    if "FREE" in event.annotation.labels:
        return "free"
    half = "rmw " if event.number in execution.world.sets["RMW"] else ""
    return half + _VERBS[event.kind]


def _place(execution: Execution, event: Event) -> str:
    if event.thread is None:
        return ""
    thread = execution.combination.test.threads[event.thread].name
    return f"{thread}: " if event.line is None else f"{thread} line {line_text(event.line)}: "


def describe_step(execution: Execution, step: Step) -> str:
    """Describe a step of an explanation: what it leads from and to, and by which relation."""
    one, other = describe_event(execution, step.source), describe_event(execution, step.target)
    return f"{one}  -{step.relation}->  {other}"


def describe(classification: Classification) -> list[str]:
    """Describe a classified execution in words.

    Parameters
    ----------
    classification : Classification

    Returns
    -------
    list of str
        Lines: the events, the axioms that fail, and the rest of the classification.
    """
    return [line for part in (_events, _reads, _violations, _values, _causes, _order) for line in part(classification)]


def _events(classification: Classification) -> Iterator[str]:
    execution = classification.execution
    for event in execution.events:
        yield f"{event.number}: {describe_event(execution, event.number)}"


def _reads(classification: Classification) -> Iterator[str]:
    execution = classification.execution
    if execution.candidate.reads_from:
        yield "rf: " + ", ".join(f"{write} -> {read}" for write, read in execution.candidate.reads_from)
    orders = [" -> ".join(map(str, order)) for order in execution.candidate.orders if len(order) > 1]
    if orders:
        yield f"{execution.choices.order_name}: " + ", ".join(orders)
    for name, order in execution.chosen_orders:
        yield f"{name}: " + " -> ".join(map(str, order))
    if classification.flags:
        yield "flags: " + " ".join(sorted(classification.flags))


# Axioms -----------------------------------------------------------------------------------------------------


def _violations(classification: Classification) -> Iterator[str]:
    for violation in classification.violations:
        yield f"forbidden by {violation}"
        yield from (f"  {line}" for line in _reason(classification.execution, violation))


def _reason(execution: Execution, violation: Violation) -> Iterator[str]:
    if violation.cycle:
        yield _cycle(violation.cycle)
    for a, b in violation.pairs:
        yield f"{describe_event(execution, a)} -> {describe_event(execution, b)}"
    for number in violation.events:
        yield describe_event(execution, number)


def _cycle(cycle: tuple[Step, ...]) -> str:
    return str(cycle[0].source) + "".join(f" -{step.relation}-> {step.target}" for step in cycle)


# Values and order -------------------------------------------------------------------------------------------


def _values(classification: Classification) -> Iterator[str]:
    execution = classification.execution
    for a, b in classification.races:
        yield f"race: {describe_event(execution, a)} / {describe_event(execution, b)}"
    for read in classification.undef_reads:
        yield f"undef: {describe_event(execution, read.read)}: {_clause(execution, read)}"


def _causes(classification: Classification) -> Iterator[str]:
    yield from (f"why: {diagnosis.sentence}" for diagnosis in diagnose(classification))


def _clause(execution: Execution, read: UndefRead) -> str:
    sees = _listed(execution, read.sees)
    culprits = _listed(execution, read.culprits)
    match read.clause:
        case "reads-undef":
            return f"that is what {sees} wrote"
        case "no-earlier-write":
            return "no write of the location is ordered before it"
        case "sees-none":
            return "there is no write that it may see"
        case "not-atomic":
            return f"it may see {sees}; not atomic: {culprits}"
        case "not-inclusive":
            return f"it may see {sees}; without inclusive scopes: {culprits}"
        case "not-ordered":
            return f"the one write that it may see is not ordered before it: {sees}"
    return "the model lets it"


def _listed(execution: Execution, numbers: tuple[int, ...]) -> str:
    return " and ".join(f"({describe_event(execution, number)})" for number in numbers)


def _order(classification: Classification) -> Iterator[str]:
    execution = classification.execution
    for edge in classification.synchronizations:
        line = f"synchronizes: {describe_event(execution, edge.source)} -> {describe_event(execution, edge.target)}"
        for a, b in edge.orders[:_MOST_ORDERED]:
            line += f"; orders ({describe_event(execution, a)}) before ({describe_event(execution, b)})"
        if (left := len(edge.orders) - _MOST_ORDERED) > 0:
            line += f"; and {left} more pair{'s' * (left > 1)}"
        yield line
    for pair in classification.removed:
        first, second = describe_event(execution, pair.first), describe_event(execution, pair.second)
        yield f"program order left out: {first} / {second}: {_why(pair)}"


def _why(pair: RemovedOrder) -> str:
    reasons = {
        "tags": f"tags differ in {', '.join(pair.prefixes)}",
        "thread-private": "a thread-private access beside a synchronizing operation",
        "address-space": "a -one-as scope, and another address space",
        "model": "the model does not keep it",
    }
    anyway = "; ordered all the same by happens-before" if pair.ordered_anyway else ""
    return reasons[pair.reason] + anyway
