"""Explanation of an edge of a relation: the path of named relations that it consists of.

An edge of ``hb`` is explained as steps of ``po-hb`` and ``sw`` from its start to its end, an edge of ``eco`` as steps
of ``rf``, ``mo`` and ``fr``. Definitions are expanded down to predefined names, except for names that are better shown
as a single step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enumerator.analysis.execution import Execution
from enumerator.cat.algebra import Relation, shortest_path
from enumerator.cat.interpreter import Environment, evaluate_expression
from enumerator.cat.syntax import Binary, Expression, Identity, If, Unary, Variable
from enumerator.cat.tree import format_expression, holds
from enumerator.frozen import dataclass

__all__ = ["Step", "explain_cycle", "explain_edge", "explain_hiding"]

_ONE_STEP = frozenset({"avail", "fence", "po-hb", "ppo", "prop", "spread", "sw", "vis"})
"""Names that explanations do not expand."""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge, with the name of a relation that it belongs to (or a formula, if there is no name)."""

    source: int
    target: int
    relation: str


def explain_cycle(execution: Execution, expression: Expression, cycle: Sequence[int]) -> tuple[Step, ...]:
    """Explain a cycle of a relation.

    Parameters
    ----------
    execution : Execution
    expression : Expression
        The relation, as in the check of the model.
    cycle : sequence of int
        Events; the last is related to the first.

    Returns
    -------
    tuple of Step
        Each step starts where the one before ends; the last one ends where the first one starts.
    """
    explainer = _Explainer(execution)
    steps: list[Step] = []
    for place, source in enumerate(cycle):
        target = cycle[(place + 1) % len(cycle)]
        steps.extend(explainer.edge(expression, execution.evaluation.environment, source, target))
    return tuple(steps)


def explain_edge(execution: Execution, name: str, source: int, target: int) -> tuple[Step, ...]:
    """Explain an edge of a named relation.

    Parameters
    ----------
    execution : Execution
    name : str
        A relation that the model defines, or a predefined one.
    source, target : int

    Returns
    -------
    tuple of Step
        Empty if the relation does not hold between the two.
    """
    if not execution.related(name, source, target):
        return ()
    if name not in execution.evaluation.definitions:
        return (Step(source, target, name),)
    definition, environment = execution.evaluation.definitions[name]
    return tuple(_Explainer(execution).edge(definition, environment, source, target, name))


def explain_hiding(execution: Execution, read: int, write: int | None = None) -> tuple[Step, ...]:
    """Explain why a read cannot return what a write wrote, or undef, by what is ordered before it.

    Parameters
    ----------
    execution : Execution
    read : int
    write : int, optional
        What it would read from; without, it would be undef.

    Returns
    -------
    tuple of Step
        The way through another write that comes between, or the way from the read to a write that comes after it; of a
        read that would be undef, the way from the write that it has to return. Empty where the model defines no ``lo``
        and ``may-see``, or these do not tell.
    """
    order, may_see = execution.relation("lo"), execution.relation("may-see")
    if order is None or may_see is None:
        return ()
    if write is None:
        sees = [each for each in may_see.predecessors(read) if execution.events[each].kind != "IW"]
        return explain_edge(execution, "lo", sees[0], read) if len(sees) == 1 else ()
    if order.has_edge(read, write):
        return explain_edge(execution, "lo", read, write)
    for other in sorted(order.successors(write)):
        if execution.events[other].writes and order.has_edge(other, read):
            after = explain_edge(execution, "lo", other, read)
            if execution.events[write].kind == "IW":
                return after  # what is initial is before all
            return (*explain_edge(execution, "lo", write, other), *after)
    return ()


class _Explainer:
    """Expands expressions.

    Each method explains one edge of an expression by as few steps as possible. `names` defines the names in the
    expression; `label` is the name of the definition that it is part of, for steps without a name of their own.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._open: list[str] = []  # the names that are being expanded, as a recursive one uses itself
        self._relations: dict[tuple[int, int], Relation] = {}
        self._found: dict[tuple[int, int, int, int], list[Step]] = {}

    def edge(self, expression: Expression, names: Environment, a: int, b: int, label: str = "") -> list[Step]:
        key = id(expression), id(names), a, b  # both live as long as the execution
        if key not in self._found:
            self._found[key] = self._edge(expression, names, a, b, label)
        return self._found[key]

    def _edge(self, expression: Expression, names: Environment, a: int, b: int, label: str) -> list[Step]:
        match expression:
            case Variable(name):
                return self._variable(name, a, b)
            case If(condition, then, otherwise):
                chosen = holds(condition, self._execution.model.variants)
                return self.edge(then if chosen else otherwise, names, a, b, label)
            case Identity():
                return []
            case Unary("?" | "*", _) if a == b:
                return []
            case Unary("?", body):
                return self.edge(body, names, a, b, label)
            case Unary("+" | "*", body):
                path = shortest_path(self._relation(body, names), a, b)
                pairs = zip(path, path[1:], strict=False)
                return [step for c, d in pairs for step in self.edge(body, names, c, d, label)]
            case Unary("^-1", body):
                back = self.edge(body, names, b, a, label)
                return [Step(a, b, f"{back[0].relation}^-1" if len(back) == 1 else label or format_expression(body))]
            case Binary("|", left, right):
                sides = [side for side in (left, right) if self._relation(side, names).has_edge(a, b)]
                return min((self.edge(side, names, a, b, label) for side in sides), key=len)
            case Binary(";", left, right):
                return min(self._sequences(left, right, names, a, b, label), key=len)
            case Binary("\\", left, _):
                return self.edge(left, names, a, b, label)
            case Binary("&", left, right):
                steps = self.edge(left, names, a, b, label)
                if isinstance(right, Variable) and right.name == "loc" and len(steps) == 1:
                    return [Step(a, b, f"{steps[0].relation} & loc")]
                return steps
        return [Step(a, b, label or format_expression(expression))]

    def _sequences(
        self, left: Expression, right: Expression, names: Environment, a: int, b: int, label: str
    ) -> Iterator[list[Step]]:
        first, second = self._relation(left, names), self._relation(right, names)
        for middle in sorted(first.successors(a)):
            if second.has_edge(middle, b):
                yield [*self.edge(left, names, a, middle, label), *self.edge(right, names, middle, b, label)]

    def _variable(self, name: str, a: int, b: int) -> list[Step]:
        definitions = self._execution.evaluation.definitions
        if name not in definitions or name in _ONE_STEP or name in self._open:
            return [Step(a, b, name)]
        definition, names = definitions[name]
        earlier = not self._relation(definition, names).has_edge(a, b)  # an earlier definition of the name is meant
        if earlier or not _has_several_ways(definition):
            return [Step(a, b, name)]
        self._open.append(name)
        steps = self.edge(definition, names, a, b, name)
        self._open.pop()
        return steps

    def _relation(self, expression: Expression, names: Environment) -> Relation:
        key = id(expression), id(names)
        if key not in self._relations:
            value = evaluate_expression(expression, names)
            assert not isinstance(value, frozenset)  # checked by the typing
            self._relations[key] = value
        return self._relations[key]


def _has_several_ways(expression: Expression) -> bool:
    """Tell whether a definition has several alternatives, so that it is worth saying which one gives an edge."""
    match expression:
        case Unary("+" | "*", _) | Binary("|", _, _) | If() | Variable():
            return True
        case Unary(_, body) if not isinstance(body, Variable):
            return _has_several_ways(body)
        case Binary(";" | "&", left, right):
            return any(not isinstance(side, Variable) and _has_several_ways(side) for side in (left, right))
        case Binary("\\", left, _):
            return _has_several_ways(left)
    return False
