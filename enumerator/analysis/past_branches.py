"""Threads run again with undef for what the model gives undef: how undefined behaviour comes about that branches hide.

See :mod:`enumerator.hiding`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from enumerator.analysis.classify import classify
from enumerator.analysis.diagnose import diagnose
from enumerator.analysis.execution import Execution, rebuild_all
from enumerator.analysis.undefined import words_for
from enumerator.cat.interpreter import evaluate_expression
from enumerator.cat.without_undef import reads_of, undef_rule
from enumerator.program.flags import is_undefined_behaviour
from enumerator.program.values import has_undef
from enumerator.reference.values import Equations
from enumerator.request import Candidate, Request
from enumerator.unfold.paths import Path
from enumerator.unfold.replay import replayed

__all__ = ["shown_by"]


def shown_by(request: Request, asked: Request, candidates: Iterable[Candidate]) -> dict[str, str]:
    """Give the undefined behaviour that executions with values show, if reads return undef that the model gives undef.

    Parameters
    ----------
    request : Request
    asked : Request
        The one for executions with values (:mod:`enumerator.hiding`).
    candidates : iterable of Candidate
        What it found.

    Returns
    -------
    dict of str to str
        By flag, how it comes about.
    """
    rule = undef_rule(request.model.model)
    assert rule is not None
    for execution in rebuild_all(asked, candidates):
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
