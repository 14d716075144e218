"""Rebuilding an execution from its choices, with all sets and relations that its model defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

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

__all__ = ["Execution", "Rebuilding", "rebuild", "rebuild_all"]

_MOST_KNOWN = 256
"""Of so many combinations of paths it is kept what their executions share."""


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


class Rebuilding:
    """Rebuilds executions of a request from their choices; what those on the same paths share is found once.

    Parameters
    ----------
    request : Request
        With which the candidates are found.
    wanted : callable, optional
        Tells by the paths of the threads which executions are rebuilt. Default: all.
    """

    def __init__(self, request: Request, wanted: Callable[[Sequence[Path]], bool] | None = None) -> None:
        self._request, self._wanted = request, wanted
        self._known: dict[tuple[int, tuple[int, ...]], tuple[Unfolded, _OnPaths | None]] = {}

    def execution(self, candidate: Candidate) -> Execution | None:
        """Rebuild a candidate execution; None if it is not wanted.

        Raises
        ------
        ValueError
            If the candidate is not one of this test.
        """
        unfolded = candidate.unfolded or self.unfolded
        key = id(unfolded), tuple(candidate.paths)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = unfolded, self._on_paths(unfolded, key[1])  # so that no two have one id
        shared = self._known[key][1]
        return None if shared is None else _rebuilt(self._request, candidate, shared)

    @cached_property
    def unfolded(self) -> Unfolded:
        """The paths that candidates count which do not have their own."""
        request, model = self._request, self._request.model
        return unfold(
            request.test,
            undef=knows_undef(model),
            unroll=request.unroll,
            returns=knows_returns(model),
            asked=request.registers,
        )

    def _on_paths(self, unfolded: Unfolded, numbers: tuple[int, ...]) -> _OnPaths | None:
        _check_numbers(numbers, [len(options) for options in unfolded.paths])
        paths = [options[number] for options, number in zip(unfolded.paths, numbers, strict=True)]
        if self._wanted is not None and not self._wanted(paths):
            return None
        combination = combine_paths(unfolded, numbers, self._request.profile)
        return _OnPaths(combination, choices_of(self._request.model, combination), Kept())


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
    rebuilding = Rebuilding(request, wanted)
    for candidate in candidates:
        check_time()
        execution = rebuilding.execution(candidate)
        if execution is not None:
            yield execution


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
