"""Executions of a result for people and programs: as graphs, and described in words.

The only place where results meet :mod:`enumerator.analysis`, whose networkx takes a while to import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.engine.interface import Candidate

if TYPE_CHECKING:
    import networkx

    from enumerator.result import Question

__all__ = ["candidates", "describe", "diagnoses", "graphs"]


def candidates(question: Question, limit: int = -1, *, forbidden: bool = False) -> tuple[Candidate, ...]:
    """Find the consistent executions of a test.

    Parameters
    ----------
    question : Question
    limit : int
        How many; -1 for all.
    forbidden : bool
        Candidates that are not consistent, too (networkx engine only).

    Returns
    -------
    tuple of Candidate
    """
    from enumerator.api import engine

    request = replace(question.request, record=limit, outcomes_only=False, decided=None, forbidden=forbidden)
    return engine(question.engine)(request).executions


def graphs(question: Question) -> tuple[networkx.MultiDiGraph, ...]:
    """Give the consistent executions of a test as graphs.

    Parameters
    ----------
    question : Question

    Returns
    -------
    tuple of networkx.MultiDiGraph
    """
    from enumerator.analysis.graph import execution_graph

    request = question.request
    return tuple(
        execution_graph(request.test, request.model, request.profile, request.unroll, candidate)
        for candidate in candidates(question)
    )


def diagnoses(question: Question, limit: int = 1000) -> tuple[str, ...]:
    """Say what the program lacks where reads are undef or stale, accesses race, or memory is undef at the end.

    Parameters
    ----------
    question : Question
    limit : int
        How many consistent executions are looked at.

    Returns
    -------
    tuple of str
        Sentences, each once, in the order in which they are found.
    """
    from enumerator.analysis.classify import classify
    from enumerator.analysis.diagnose import diagnose

    request = question.request
    context = request.test, request.model, request.profile, request.unroll
    found = (diagnose(classify(*context, candidate)) for candidate in candidates(question, limit))
    return tuple(dict.fromkeys(diagnosis.sentence for each in found for diagnosis in each))


def describe(question: Question, limit: int, show: Sequence[str] = ()) -> tuple[str, ...]:
    """Describe executions of a test in words: the first consistent ones, or, by the networkx engine, every candidate.

    Parameters
    ----------
    question : Question
    limit : int
        How many consistent ones.
    show : sequence of str
        Relations whose edges are listed too.

    Returns
    -------
    tuple of str
        Lines: first, each once, what the program lacks; then the executions.
    """
    from enumerator.analysis.classify import describe as describe_candidate

    request = question.request
    lines = [f"Why: {sentence}" for sentence in diagnoses(question)]
    every = question.engine == "networkx"
    found = candidates(question, forbidden=True) if every else candidates(question, limit)
    for number, candidate in enumerate(found, 1):
        lines.append(f"Execution {number}" + ("" if candidate.consistent else ": forbidden"))
        context = request.test, request.model, request.profile, request.unroll, candidate
        lines.extend(f"  {line}" for line in describe_candidate(*context))
        if show:
            from enumerator.analysis.execution import rebuild
            from enumerator.analysis.graph import execution_graph

            graph = execution_graph(*context, relations=list(show))
            known = rebuild(*context)
            for name in show:
                if known.relation(name) is None:
                    lines.append(f"  {name}: there is no such relation in the model {request.model.name}")
                    continue
                edges = sorted((str(a), str(b)) for a, b, key in graph.edges(keys=True) if key == name)
                lines.append(f"  {name}: {', '.join(f'{a} -> {b}' for a, b in edges) or 'empty'}")
    return tuple(lines)
