"""Taking an edge of a defined relation apart into edges of the relations that it is defined from."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx

from enumerator.cat import algebra
from enumerator.cat.algebra import Relation
from enumerator.cat.flatten import flatten
from enumerator.cat.interpreter import Environment, Evaluation, evaluate_expression
from enumerator.cat.syntax import (
    Binary,
    Expression,
    Function,
    Identity,
    If,
    Let,
    LetIn,
    Model,
    Unary,
)
from enumerator.cat.tree import format_expression

__all__ = ["Step", "explain_edge", "parts"]


@dataclass(frozen=True, slots=True)
class Step:
    """An edge, and the name (or the text) of the relation that it belongs to."""

    part: str
    source: int
    target: int


def parts(model: Model, name: str, variants: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Give the names of the relations whose unions, sequences and closures make up a defined relation.

    Parameters
    ----------
    model : Model
    name : str
    variants : frozenset of str

    Returns
    -------
    tuple of str
        In the order of the definition, each once; empty for a name that the model does not define so.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> parts(parse_text("let hb = (po & mmra | sw | [F] ; init)+", "m.cat"), "hb")
    ('po & mmra', 'sw', 'init')
    """
    found: tuple[str, ...] = ()
    for statement in flatten(model, variants):
        if isinstance(statement, Let):
            for binding in statement.bindings:
                if binding.names == (name,) and not isinstance(binding.body, Function):
                    found = tuple(dict.fromkeys(_leaves(binding.body, variants)))
    return found


def _leaves(expression: Expression, variants: frozenset[str]) -> list[str]:
    match expression:
        case Binary("|" | ";", left, right, _):
            return _leaves(left, variants) + _leaves(right, variants)
        case Unary("+" | "*" | "?", body, _) | LetIn(_, _, body, _):
            return _leaves(body, variants)
        case If(variant, negated, then, otherwise, _):
            return _leaves(then if (variant in variants) != negated else otherwise, variants)
        case Identity():
            return []
    return [format_expression(expression)]


def explain_edge(evaluation: Evaluation, name: str, a: int, b: int) -> list[Step]:
    """Give a path of edges that makes up one edge of a relation of the model.

    The definition is looked into once: to go deeper, ask again for a step whose part is a name.

    Parameters
    ----------
    evaluation : Evaluation
    name : str
        A relation that the model defines at its top level.
    a, b : int

    Returns
    -------
    list of Step
        From `a` to `b`; a closure is shown as a shortest path, a union as the first part that has the edge.
        Empty if the relation does not hold between the two.

    Examples
    --------
    >>> from enumerator.cat.interpreter import Events, evaluate
    >>> from enumerator.cat.parser import parse_text
    >>> model = parse_text("let hb = (po | rf ; [R])+", "m.cat")
    >>> pairs = {"po": [(1, 2), (3, 4)], "rf": [(2, 3)], "co": []}
    >>> relations = {key: algebra.relation(range(1, 5), edges) for key, edges in pairs.items()}
    >>> events = Events((1, 2, 3, 4), {"R": frozenset((3,))}, relations)
    >>> for step in explain_edge(evaluate(model, frozenset(), events), "hb", 1, 4):
    ...     print(step.part, step.source, step.target)
    po 1 2
    rf 2 3
    po 3 4
    """
    relation = evaluation.names.get(name)
    if not isinstance(relation, nx.DiGraph) or not relation.has_edge(a, b):
        return []
    if name not in evaluation.definitions:
        return [Step(name, a, b)]
    expression, environment = evaluation.definitions[name]
    steps = _steps(expression, environment, a, b)
    return [Step(name, a, b)] if steps is None else steps


def _steps(expression: Expression, environment: Environment, a: int, b: int) -> list[Step] | None:
    """Explain an edge of an expression; None if it does not hold there."""
    match expression:
        case Binary("|", left, right, _):
            steps = _steps(left, environment, a, b)
            return _steps(right, environment, a, b) if steps is None else steps
        case Binary(";", left, right, _):
            first, second = _relation(left, environment), _relation(right, environment)
            for middle in sorted(first.successors(a)):
                if second.has_edge(middle, b):
                    return (_steps(left, environment, a, middle) or []) + (_steps(right, environment, middle, b) or [])
            return None
        case Binary("&" | "\\", left, right, _) if _relation(expression, environment).has_edge(a, b):
            # what an edge is made of is in the operand that is itself made of several
            for operand in (left, right) if expression.operator == "&" else (left,):
                if _is_composed(operand):
                    return _steps(operand, environment, a, b)
        case Unary("+", body, _):
            return _path(body, environment, a, b)
        case Unary("*", body, _):
            return [] if a == b else _path(body, environment, a, b)
        case Unary("?", body, _):
            return [] if a == b else _steps(body, environment, a, b)
        case Identity() if a == b and _relation(expression, environment).has_edge(a, b):
            return []
        case If(variant, negated, then, otherwise, _):
            chosen = then if (variant in environment.world.variants) != negated else otherwise
            return _steps(chosen, environment, a, b)
    return [Step(format_expression(expression), a, b)] if _relation(expression, environment).has_edge(a, b) else None


def _path(body: Expression, environment: Environment, a: int, b: int) -> list[Step] | None:
    path = algebra.shortest_path(_relation(body, environment), a, b)
    if not path:
        return None
    edges = zip(path, path[1:], strict=False)
    return [step for source, target in edges for step in _steps(body, environment, source, target) or []]


def _is_composed(expression: Expression) -> bool:
    match expression:
        case Binary(";", _, _, _) | Unary("+" | "*" | "?", _, _):
            return True
        case Binary("|" | "&", left, right, _):
            return _is_composed(left) or _is_composed(right)
        case Binary("\\", left, _, _):
            return _is_composed(left)
    return False


def _relation(expression: Expression, environment: Environment) -> Relation:
    value = evaluate_expression(expression, environment)
    assert not isinstance(value, frozenset)  # parts of a relation, so the typing has it
    return value
