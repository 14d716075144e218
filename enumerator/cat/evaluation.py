"""What the reference evaluator finds out about an execution under a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from enumerator.cat.algebra import Relation
from enumerator.cat.environment import Environment, Events
from enumerator.cat.syntax import Check, Expression

__all__ = ["CheckResult", "Evaluation", "Events"]


@dataclass(frozen=True)
class CheckResult:
    """What became of a check.

    Parameters
    ----------
    check : Check
    holds : bool
        Whether the test, ``~`` included, is true. A ``flag`` is raised if it holds.
    cycle : tuple of int
        For ``acyclic`` and ``irreflexive``: the events of a shortest cycle, if there is one.
    elements : tuple
        For ``empty``: the events or pairs that are there, sorted.
    """

    check: Check
    holds: bool
    cycle: tuple[int, ...] = ()
    elements: tuple[int, ...] | tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """What a model says of one execution.

    Parameters
    ----------
    checks : tuple of CheckResult
        In the order of the file, flags included.
    names : mapping of str to set or graph
        The sets and relations that the model defines at its top level, as they are at its end.
    shown : mapping of str to set or graph
        What ``show`` asks for and no later ``unshow`` takes back.
    final : frozenset of int
        The writes whose value memory holds at the end.
    order_set, undef_set : frozenset of int or None
        What ``orders`` and ``subsets`` were given.
    environment : Environment
        For evaluating further expressions in the model's own names.
    definitions : mapping of str to (Expression, Environment)
        How each name of `names` is defined, and in which names.
    alternatives : tuple of int
        For each ``with`` that chooses from a computed set, in order, how many elements that has. Where it has none,
        what follows it is not evaluated.
    """

    checks: tuple[CheckResult, ...]
    names: Mapping[str, frozenset[int] | Relation]
    shown: Mapping[str, frozenset[int] | Relation]
    final: frozenset[int]
    order_set: frozenset[int] | None
    undef_set: frozenset[int] | None
    environment: Environment
    definitions: Mapping[str, tuple[Expression, Environment]]
    alternatives: tuple[int, ...] = ()

    @property
    def possible(self) -> bool:
        """Whether there is something to choose wherever the model chooses from a computed set."""
        return 0 not in self.alternatives
