"""Evaluating a model on a candidate execution: what candidates choose, whether one is consistent, its flags."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from enumerator.cat.algebra import relation
from enumerator.cat.choices import is_native
from enumerator.cat.flatten import flatten
from enumerator.cat.interpreter import Evaluation, Events, Picks, evaluate
from enumerator.cat.reuse import Kept
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Choose
from enumerator.cat.typing import world
from enumerator.frozen import dataclass
from enumerator.program.flags import with_ub
from enumerator.reference.base import Combination, candidate_world

__all__ = [
    "Choices",
    "choices_of",
    "chosen_names",
    "evaluate_candidate",
    "evaluations",
    "is_consistent",
    "knows_returns",
    "knows_undef",
    "merged",
    "raised_flags",
]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the candidates of a combination of paths choose under a model.

    Parameters
    ----------
    order_name : str
        The model's name for the order of writes (coherence order, modification order): ``co`` unless it says
        ``with NAME from orders(S)``.
    ordered : frozenset of int
        The writes that are ordered, by location.
    undef : frozenset of int or None
        The reads that may return undef by a rule of the model; None without ``with UNDEF from subsets(S)``.
    """

    order_name: str
    ordered: frozenset[int]
    undef: frozenset[int] | None


def knows_undef(model: SelectedModel) -> bool:
    """Tell whether a model has a rule by which reads may return undef.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    bool
    """
    return world(model.model, model.variants).undef is not None


def knows_returns(model: SelectedModel) -> bool:
    """Tell whether returns read every location under a model: it then uses the set of these reads.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    bool
    """
    return world(model.model, model.variants).returns


def chosen_names(model: SelectedModel) -> tuple[str, ...]:
    """Name what a model chooses from sets that it computes, in order.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    tuple of str
    """
    statements = flatten(model.model, model.variants)
    return tuple(each.name for each in statements if isinstance(each, Choose) and not is_native(each))


def choices_of(model: SelectedModel, combination: Combination) -> Choices:
    """Give what the candidates of a combination of paths choose under a model.

    Parameters
    ----------
    model : SelectedModel
    combination : Combination

    Returns
    -------
    Choices
        Without ``with`` statements in the model, all writes are ordered by ``co``, and no read returns undef by rule.
    """
    declared = world(model.model, model.variants)
    # These sets do not depend on the choices, so any candidate will do: here one where nothing is read or ordered.
    undecided = None if declared.undef is None else ()
    if model.model.merged:
        return Choices(declared.order_name, combination.sets["W"], None)
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
    picks: Picks = (),
    kept: Kept | None = None,
    *,
    whole: bool = True,
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
    picks : sequence of int or frozenset
        See :func:`enumerator.cat.interpreter.evaluate`.
    kept : Kept, optional
        See there, too.
    whole : bool
        And there.

    Returns
    -------
    Evaluation
        If the model merges read-modify-writes, the read stands for both events of one.

    See Also
    --------
    evaluations : For models that choose from sets that they compute.
    """
    chosen = None if choices.undef is None else undef
    events = candidate_world(combination, choices.order_name, reads_from, orders, chosen)
    if not model.model.merged:
        return evaluate(model.model, model.variants, events, picks, kept, whole=whole)
    halves = dict(list(combination.relations["rmw"].edges))
    evaluation = evaluate(model.model, model.variants, merged(events, halves), picks, kept, whole=whole)
    return replace(evaluation, final=frozenset(halves.get(event, event) for event in evaluation.final))


def evaluations(
    model: SelectedModel,
    combination: Combination,
    choices: Choices,
    reads_from: Iterable[tuple[int, int]],
    orders: Iterable[Sequence[int]],
    undef: Collection[int],
    kept: Kept | None = None,
    *,
    whole: bool = True,
) -> Iterator[Evaluation]:
    """Evaluate a model on one candidate, once for each choice from the sets that the model computes.

    Parameters
    ----------
    model, combination, choices, reads_from, orders, undef, kept, whole :
        See :func:`evaluate_candidate`.

    Yields
    ------
    Evaluation
        A single one if the model has no such choices.
    """
    source, order = tuple(reads_from), tuple(orders)

    def explore(first: tuple[int, ...]) -> Iterator[Evaluation]:
        evaluation = evaluate_candidate(model, combination, choices, source, order, undef, first, kept, whole=whole)
        yield evaluation
        counts = evaluation.alternatives
        for place in reversed(range(len(first), len(counts))):
            for number in range(1, counts[place]):
                yield from explore((*first, *(0,) * (place - len(first)), number))

    return explore(())


def merged(events: Events, halves: Mapping[int, int]) -> Events:
    """Merge the two events of each read-modify-write into its read, which is then in all sets of either.

    Parameters
    ----------
    events : Events
    halves : mapping of int to int
        The write of each read.

    Returns
    -------
    Events
        Without ``rmw``, and without pairs inside an instruction except those of reflexive relations.
    """
    whole = {write: read for read, write in halves.items()}

    def one(event: int) -> int:
        return whole.get(event, event)

    left = tuple(event for event in events.events if event not in whole)
    inside = {name for name in events.relations if name in ("po", "po-loc", "rmw", "amo", "addr", "data", "ctrl")}
    inside.add("text-order")
    return Events(
        left,
        {name: frozenset(map(one, members)) for name, members in events.sets.items()},
        {
            name: relation(
                left,
                [
                    (one(a), one(b))
                    for a, b in edges.edges
                    if not (name in inside and one(a) == one(b)) and name not in ("rmw", "amo")
                ],
            )
            for name, edges in events.relations.items()
        },
    )


def is_consistent(evaluation: Evaluation) -> bool:
    """Tell whether all axioms hold.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    bool
    """
    return evaluation.possible and all(result.holds for result in evaluation.checks if result.check.kind == "axiom")


def raised_flags(evaluation: Evaluation) -> tuple[frozenset[str], bool]:
    """Give the flags that a model raises on a consistent execution.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    flags : frozenset of str
        The names of ``flag`` checks that hold and of ``undefined_unless`` checks that fail; ``ub`` is added with any
        ``ub-*``.
    undefined : bool
        Whether some ``undefined_unless`` check fails.
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
    return with_ub(flags), undefined
