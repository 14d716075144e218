"""What a model says of one candidate: the world it chooses from, and its verdict on the choices."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from enumerator.analysis.base import Combination, candidate_world
from enumerator.cat.interpreter import Evaluation, evaluate
from enumerator.cat.typing import world
from enumerator.engine.interface import SelectedModel

__all__ = [
    "Choices",
    "choices_of",
    "evaluate_candidate",
    "is_consistent",
    "knows_returns",
    "knows_undef",
    "raised_flags",
]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a model lets a candidate of some paths choose.

    Parameters
    ----------
    order_name : str
        What the model calls the order of writes: ``co`` unless it says ``with NAME from orders(S)``.
    ordered : frozenset of int
        The writes that it orders, location by location.
    undef : frozenset of int or None
        The reads that may return undef by rule; None without ``with UNDEF from subsets(S)``.
    """

    order_name: str
    ordered: frozenset[int]
    undef: frozenset[int] | None


def knows_undef(model: SelectedModel) -> bool:
    """Tell whether reads may return undef by a rule of the model.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    bool
    """
    return world(model.model, model.variants).undef is not None


def knows_returns(model: SelectedModel) -> bool:
    """Tell whether a return reads every location: the model names the set of these reads.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    bool
    """
    return world(model.model, model.variants).returns


def choices_of(model: SelectedModel, combination: Combination) -> Choices:
    """Give what a model lets the candidates of some paths choose.

    Parameters
    ----------
    model : SelectedModel
    combination : Combination

    Returns
    -------
    Choices
        For a model without ``with`` statements: all writes are ordered by ``co``, no read returns undef by rule.
    """
    declared = world(model.model, model.variants)
    # The sets depend on no choice, so any execution tells them: here one in which nothing is read or ordered.
    undecided = None if declared.undef is None else ()
    events = candidate_world(combination, declared.order_name, (), (), undecided)
    evaluation = evaluate(model.model, model.variants, events)
    ordered, undef = evaluation.order_set, evaluation.undef_set
    return Choices(
        declared.order_name,
        combination.sets["W"] & (combination.sets["W"] if ordered is None else ordered),
        None if undef is None else undef & combination.sets["R"],
    )


def evaluate_candidate(
    model: SelectedModel,
    combination: Combination,
    choices: Choices,
    reads_from: Iterable[tuple[int, int]],
    orders: Iterable[Sequence[int]],
    undef: Collection[int],
) -> Evaluation:
    """Evaluate a model on one candidate.

    Parameters
    ----------
    model : SelectedModel
    combination : Combination
    choices : Choices
    reads_from : iterable of (int, int)
        (write, read) pairs.
    orders : iterable of sequence of int
        For each location, the ordered writes from first to last.
    undef : collection of int
        The reads that return undef by rule.

    Returns
    -------
    Evaluation
    """
    chosen = None if choices.undef is None else undef
    events = candidate_world(combination, choices.order_name, reads_from, orders, chosen)
    return evaluate(model.model, model.variants, events)


def is_consistent(evaluation: Evaluation) -> bool:
    """Tell whether all axioms hold.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    bool
    """
    return all(result.holds for result in evaluation.checks if result.check.kind == "axiom")


def raised_flags(evaluation: Evaluation) -> tuple[frozenset[str], bool]:
    """Give the flags that a model raises on a consistent execution.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    flags : frozenset of str
        The names of ``flag`` checks whose test holds and of ``undefined_unless`` checks whose test fails; ``ub`` is
        added with any ``ub-*``.
    undefined : bool
        Whether some ``undefined_unless`` fails.
    """
    flags: set[str] = set()
    undefined = False
    for result in evaluation.checks:
        name = result.check.name or result.check.kind
        if result.check.kind == "flag" and result.holds:
            flags.add(name)
        elif result.check.kind == "undefined_unless" and not result.holds:
            flags.add(name)
            undefined = True
    if any(name.startswith("ub-") for name in flags):
        flags.add("ub")
    return frozenset(flags), undefined
