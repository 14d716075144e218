"""Rebuilding an execution from its choices, with all sets and relations that its model defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import networkx as nx

from enumerator.cat.algebra import Relation
from enumerator.cat.interpreter import Evaluation, Events, evaluate_expression
from enumerator.cat.reuse import Kept
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Position, Variable
from enumerator.clock import check_time
from enumerator.errors import InputError
from enumerator.events import Event
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.reference.axioms import (
    Choices,
    choices_of,
    chosen_names,
    evaluate_candidate,
    knows_returns,
    knows_undef,
)
from enumerator.reference.base import Combination, candidate_world, combine_paths
from enumerator.request import Candidate, Request
from enumerator.unfold import Unfolded, unfold
from enumerator.unfold.paths import Path

__all__ = ["Execution", "rebuild", "rebuild_all"]


@dataclass(frozen=True)
class Execution:
    """A candidate execution.

    Parameters
    ----------
    model : SelectedModel
    profile : Profile
    combination : Combination
        Its paths and events.
    choices : Choices
        What candidates choose under the model.
    candidate : Candidate
        The choices of this one.
    undef : frozenset of int
        The reads that return undef by rule.
    world : Events
        The predefined sets and relations.
    evaluation : Evaluation
        The sets and relations that the model defines, and the results of its checks.
    """

    model: SelectedModel
    profile: Profile
    combination: Combination
    choices: Choices
    candidate: Candidate
    undef: frozenset[int]
    world: Events
    evaluation: Evaluation

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, by number."""
        return self.combination.events

    @property
    def chosen_orders(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The linear orders that the model chooses besides that of writes: each by name, its events in order."""
        for name, pairs in zip(chosen_names(self.model), self.evaluation.chosen, strict=False):
            order = nx.DiGraph(pair for pair in pairs if isinstance(pair, tuple))
            for part in sorted(map(sorted, nx.weakly_connected_components(order))):
                lines = order.subgraph(part)
                if nx.is_directed_acyclic_graph(lines):
                    yield name, tuple(nx.lexicographical_topological_sort(lines))

    def relation(self, name: str) -> Relation | None:
        """Give a relation by name: one that the model defines, or a predefined one; None if there is neither.

        Parameters
        ----------
        name : str

        Returns
        -------
        networkx.DiGraph or None
        """
        try:
            found = evaluate_expression(Variable(name, Position("", 0, 0)), self.evaluation.environment)
        except InputError:
            return None
        return None if isinstance(found, frozenset) else found

    def members(self, name: str) -> frozenset[int]:
        """Give a set of events by name: one that the model defines, or a predefined one; empty if there is neither.

        Parameters
        ----------
        name : str

        Returns
        -------
        frozenset of int
        """
        try:
            found = evaluate_expression(Variable(name, Position("", 0, 0)), self.evaluation.environment)
        except InputError:
            return frozenset()
        return found if isinstance(found, frozenset) else frozenset()

    def related(self, name: str, a: int, b: int) -> bool:
        """Tell whether a relation of this name exists and holds between two events."""
        relation = self.relation(name)
        return relation is not None and bool(relation.has_edge(a, b))


@dataclass(frozen=True)
class _OnPaths:
    """What executions on the same paths share."""

    combination: Combination
    choices: Choices
    kept: Kept


def rebuild(request: Request, candidate: Candidate) -> Execution:
    """Rebuild a candidate execution from its choices.

    Parameters
    ----------
    request : Request
        With which the candidate was found.
    candidate : Candidate

    Returns
    -------
    Execution

    Raises
    ------
    ValueError
        If the candidate is not one of this test.
    """
    return next(rebuild_all(request, [candidate]))


def rebuild_all(
    request: Request, candidates: Iterable[Candidate], wanted: Callable[[Sequence[Path]], bool] | None = None
) -> Iterator[Execution]:
    """Rebuild executions; what those on the same paths share is found once.

    Parameters
    ----------
    request : Request
        With which the candidates were found.
    candidates : iterable of Candidate
    wanted : callable, optional
        Tells by the paths of the threads which executions are rebuilt. Default: all.

    Yields
    ------
    Execution

    Raises
    ------
    ValueError
        If a candidate is not one of this test.
    """
    model, whole = request.model, None
    kept: dict[int, Unfolded] = {}  # so that no two have one id
    known: dict[tuple[int, tuple[int, ...]], _OnPaths | None] = {}
    for candidate in candidates:
        check_time()
        unfolded = candidate.unfolded or whole
        if unfolded is None:
            unfolded = whole = unfold(
                request.test,
                undef=knows_undef(model),
                unroll=request.unroll,
                returns=knows_returns(model),
                asked=request.registers,
            )
        key = id(kept.setdefault(id(unfolded), unfolded)), tuple(candidate.paths)
        if key not in known:
            _check_numbers(key[1], [len(options) for options in unfolded.paths])
            paths = [options[number] for options, number in zip(unfolded.paths, key[1], strict=True)]
            known[key] = _on_paths(request, unfolded, key[1]) if wanted is None or wanted(paths) else None
        shared = known[key]
        if shared is not None:
            yield _rebuilt(request, candidate, shared)


def _on_paths(request: Request, unfolded: Unfolded, paths: tuple[int, ...]) -> _OnPaths:
    combination = combine_paths(unfolded, paths, request.profile)
    return _OnPaths(combination, choices_of(request.model, combination), Kept())


def _rebuilt(request: Request, candidate: Candidate, shared: _OnPaths) -> Execution:
    model, combination, choices = request.model, shared.combination, shared.choices
    if len(candidate.values) != len(combination.events):
        raise ValueError(f"{len(candidate.values)} values for {len(combination.events)} events")
    undef = combination.sets["R"].difference(read for _, read in candidate.reads_from)
    world = candidate_world(
        combination,
        choices.order_name,
        candidate.reads_from,
        candidate.orders,
        None if choices.undef is None else undef,
    )
    evaluation = evaluate_candidate(
        model,
        combination,
        choices,
        candidate.reads_from,
        candidate.orders,
        undef,
        candidate.chosen,
        shared.kept.with_other_reads(),
    )
    return Execution(model, request.profile, combination, choices, candidate, undef, world, evaluation)


def _check_numbers(numbers: Sequence[int], options: Sequence[int]) -> None:
    if len(numbers) != len(options) or not all(0 <= n < most for n, most in zip(numbers, options, strict=True)):
        raise ValueError(f"paths {tuple(numbers)} of a test that has {tuple(options)}")
