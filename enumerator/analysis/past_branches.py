"""Undefined behaviour that no execution shows: a read is undef because of what comes after a branch on it.

A thread that branches on undef, or accesses memory there, ends the execution (semantics, section 1). So an execution
in which a read is undef has no write that the read would race with and that is there only because the thread goes on
past that branch: neither the race nor the undefined behaviour is found. Here is the execution in which it is seen: each
read returns what some write wrote, and the model's rule still says which of them return undef. If the thread, run again
with undef for these, ends with undefined behaviour where it went on, then the program has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from enumerator.analysis.classify import classify
from enumerator.analysis.diagnose import diagnose
from enumerator.analysis.execution import Execution, rebuild
from enumerator.analysis.undefined import words_for
from enumerator.cat.interpreter import evaluate_expression
from enumerator.cat.selected import SelectedModel
from enumerator.cat.without_undef import decided_by_undef, reads_of, undef_rule
from enumerator.program.flags import is_undefined_behaviour
from enumerator.program.values import has_undef
from enumerator.reference.values import Equations
from enumerator.request import Outcomes, Request
from enumerator.unfold.paths import Path
from enumerator.unfold.replay import replayed

__all__ = ["undefined_past_branches"]

_MOST = 256
"""So many executions are looked at: nearly always the first one shows it."""


def undefined_past_branches(request: Request, engine: Callable[[Request], Outcomes]) -> tuple[dict[str, str], str]:
    """Find undefined behaviour that the executions of a request do not show.

    Parameters
    ----------
    request : Request
        Under a model with undef.
    engine : callable

    Returns
    -------
    found : dict of str to str
        By flag, how it comes about.
    status : {'complete', 'timeout', 'limit'}
        Of the search for it.
    """
    model = request.model
    decided = decided_by_undef(model.model)
    if decided is None:
        return {}, "complete"
    asked = replace(
        request,
        model=SelectedModel(model.name, decided, model.variants, model.options),
        outcomes_only=False,
        decided=lambda state: True,
        record=1,
        forbidden=False,
    )
    outcomes = engine(asked)
    found = _shown_by(request, asked, outcomes)
    if outcomes.executions and not found:
        outcomes = engine(replace(asked, decided=None, record=_MOST))
        found = _shown_by(request, asked, outcomes)
    return found, "complete" if found else outcomes.status


def _shown_by(request: Request, asked: Request, outcomes: Outcomes) -> dict[str, str]:
    rule = undef_rule(request.model.model)
    assert rule is not None
    for candidate in outcomes.executions:
        execution = rebuild(asked, candidate)
        undef = evaluate_expression(reads_of(rule), execution.evaluation.environment)
        assert isinstance(undef, frozenset)
        for thread, path in _ends(asked, execution, undef):
            words = words_for(request.test, path)
            return {path.end: f"{path.end}: {words}{_reasons(execution, undef, thread)}"}
    return {}


def _ends(asked: Request, execution: Execution, undef: frozenset[int]) -> Iterator[tuple[int, Path]]:
    """Give the threads that end with undefined behaviour where some reads return undef, and their paths."""
    combination, candidate = execution.combination, execution.candidate
    sources = {read: write for write, read in candidate.reads_from if read not in undef}
    solutions, _ = Equations(combination, combination.unfolded.constants).solutions(sources, undef)
    for values in solutions:
        for thread, path in enumerate(combination.paths):
            first = combination.event_of(thread, 0)
            returned = {number: values[first + number] for number, event in enumerate(path.events) if event.kind == "R"}
            if any(has_undef(value) for value in returned.values()):
                ways = replayed(
                    combination.unfolded, thread, path, returned, unroll=asked.unroll, asked=asked.registers
                )
                yield from ((thread, each) for each in ways if is_undefined_behaviour(each.end))


def _reasons(execution: Execution, undef: frozenset[int], thread: int) -> str:
    """Say what the reads race with, of the thread or, where their values come from elsewhere, of all."""
    own = {read for read in undef if execution.events[read].thread == thread} or undef
    races = [
        each for each in diagnose(classify(execution)) if each.symptom == "race" and not own.isdisjoint(each.events)
    ]
    told = "; ".join(each.sentence for each in races)
    return f" because of what happens only where it goes on: {told}" if told else ""
