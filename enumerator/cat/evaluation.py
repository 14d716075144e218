"""The result of evaluating a model on one execution."""

from __future__ import annotations

from collections.abc import Mapping

from enumerator.cat.algebra import Relation
from enumerator.cat.environment import Environment, Events
from enumerator.cat.syntax import Check, Expression
from enumerator.frozen import dataclass

__all__ = ["CheckResult", "Evaluation", "Events"]


@dataclass(frozen=True)
class CheckResult:
    """The result of one check.

    Parameters
    ----------
    check : Check
    holds : bool
        Whether the test, ``~`` included, is true. A ``flag`` is raised if it holds.
    cycle : tuple of int
        For ``acyclic`` and ``irreflexive``: the events of a shortest cycle, if there is one.
    elements : tuple
        For ``empty``: the events or pairs of the set or relation, sorted.
    """

    check: Check
    holds: bool
    cycle: tuple[int, ...] = ()
    elements: tuple[int, ...] | tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """The result of evaluating a model on one execution.

    Parameters
    ----------
    checks : tuple of CheckResult
        In the order of the file, flags included.
    names : mapping of str to set or graph
        The sets and relations that the model defines at its top level, as they are after its last statement.
    shown : mapping of str to set or graph
        What ``show`` names and no later ``unshow`` removes.
    final : frozenset of int
        The writes whose value memory holds at the end.
    order_set, undef_set : frozenset of int or None
        The arguments of ``orders`` and ``subsets``.
    environment : Environment
        For evaluating further expressions over the names of the model.
    definitions : mapping of str to (Expression, Environment)
        For each name of `names`, its definition and the environment of that.
    alternatives : tuple of int
        For each ``with`` that chooses from a computed set, in order, the number of elements of the set. Where there
        are none, the statements that follow are not evaluated.
    chosen : tuple of frozenset
        The elements that were taken: of a relation its pairs, of a set its members.
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
    chosen: tuple[frozenset[object], ...] = ()

    @property
    def possible(self) -> bool:
        """Whether no computed set that the model chooses from is empty."""
        return 0 not in self.alternatives
