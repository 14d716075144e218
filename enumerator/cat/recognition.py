"""Definitions that are the same but for the names of bound variables, and herd's functions among them.

herd's ``cross.cat`` defines ``generate_orders`` and ``generate_cos`` by recursion over sets of relations, which only
the reference engine computes. Both are predefined here, and the search computes them. A model's own definition of such
a name is replaced by the predefined function if the two are equal as syntax trees, up to positions and the names of
bound variables. That is safe: any other name in the definition is either predefined or stands for its own definition,
which is compared in its place, so equal trees have equal values on all arguments. A definition that is written in
another way is not recognised, and the reference engine computes it as it is written.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache

from enumerator.cat.parser import parse_text
from enumerator.cat.syntax import Binding, Expression, Function, Let, LetIn, Match, Variable
from enumerator.cat.tree import children

__all__ = ["Meanings", "chosen", "define", "digest", "is_generator"]

Meanings = dict[str, int]
"""What names stand for: the number of their definition."""

_HERD = """
let orders (base, parts) =
  let rec each parts = match parts with
  || {} -> {}
  || part ++ others -> linearisations(part, base) ++ each(others)
  end in each(parts)

let products =
  let rec extend (found, order, choices) = match choices with
  || {} -> order ++ found
  || some ++ others ->
       let rec any (found, some) = match some with
       || {} -> found
       || one ++ more -> any (extend (found, one | order, others), more)
       end in any (found, some)
  end in
  fun choices -> extend ({}, 0, choices)

let generate_orders(members, base) = products (orders (base, classes-loc members))
let generate_cos(base) = generate_orders(W, base)
"""
_SYNONYMS = {"partition": "classes-loc"}

_numbers: dict[Hashable, int] = {}  # of trees, by their root and the numbers of what is below: equal trees are one


def digest(expression: Expression, meanings: Mapping[str, int] | None = None) -> int:
    """Give the number of an expression: equal for equal syntax trees, up to positions and names of bound variables.

    Parameters
    ----------
    expression : Expression
    meanings : mapping of str to int, optional
        What free names stand for: the numbers of their definitions.

    Returns
    -------
    int
        For this process only.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_expression
    >>> one, other, third = map(parse_expression, ("fun x -> x ; po", "fun y -> (y ; po)", "fun x -> po ; x"))
    >>> digest(one) == digest(other), digest(one) == digest(third)
    (True, False)
    """
    return _digest(expression, meanings or {}, 0)


def define(meanings: Meanings, bindings: Sequence[Binding], recursive: bool, level: int = 0) -> int:
    """Add definitions to what names stand for.

    Parameters
    ----------
    meanings : dict of str to int
        Is changed.
    bindings : sequence of Binding
    recursive : bool
    level : int
        How many variables are bound around the definitions.

    Returns
    -------
    int
        The level of what follows the definitions.
    """
    if recursive:
        bound = [name for binding in bindings for name in binding.names]
        inside = _bound(meanings, bound, level)
        level += len(bound)
        system = _number("rec", level, *(_digest(binding.body, inside, level) for binding in bindings))
        meanings.update({name: _number("part", system, place) for place, name in enumerate(bound) if name is not None})
        return level
    found = [_digest(binding.body, meanings, level) for binding in bindings]
    for binding, number in zip(bindings, found, strict=True):
        for place, name in enumerate(binding.names):
            if name is not None:
                meanings[name] = number if len(binding.names) == 1 else _number("part", number, place)
    return level


def is_generator(name: str, meanings: Mapping[str, int]) -> bool:
    """Tell whether the definition of a name is the one that it has in herd's ``cross.cat``."""
    return name in meanings and meanings[name] == _generators().get(name)


@cache
def _generators() -> Meanings:
    meanings: Meanings = {}
    found: Meanings = {}
    for statement in parse_text(_HERD, "<predefined>").statements:
        assert isinstance(statement, Let)
        define(meanings, statement.bindings, statement.recursive)
        name = statement.bindings[0].names[0]
        if name in ("generate_orders", "generate_cos"):
            found[name] = meanings.pop(name)  # what follows uses the predefined function
    return found


def chosen(name: str) -> int:
    """Give the number of what is chosen under a name: equal to that of no expression."""
    return _number("chosen", name)


def _number(*parts: Hashable) -> int:
    return _numbers.setdefault(parts, len(_numbers))


def _bound(meanings: Mapping[str, int], names: Sequence[str | None], level: int) -> Meanings:
    """Let names stand for the variables that are bound at a level and after it."""
    variables = {name: _number("bound", level + place) for place, name in enumerate(names) if name is not None}
    return {**meanings, **variables}


def _digest(expression: Expression, meanings: Mapping[str, int], level: int) -> int:
    """Give the number of an expression with `level` variables bound around it.

    Each binder says at which level it binds. A definition that is used under further binders keeps the level where it
    was made: what it binds may then hide a variable of these, which it cannot name, and never one that it names.
    """
    match expression:
        case Variable(name, _):
            return meanings[name] if name in meanings else _number("name", _SYNONYMS.get(name, name))
        case Function(parameters, body, _):
            inside = _digest(body, _bound(meanings, parameters, level), level + len(parameters))
            return _number("fun", level, len(parameters), inside)
        case Match(body, empty, element, others, otherwise, _):
            inside = _digest(otherwise, _bound(meanings, (element, others), level), level + 2)
            return _number("match", level, _digest(body, meanings, level), _digest(empty, meanings, level), inside)
        case LetIn(bindings, recursive, body, _):
            inner = dict(meanings)
            return _digest(body, inner, define(inner, bindings, recursive, level))
    own = type(expression).__name__, getattr(expression, "operator", None), getattr(expression, "condition", None)
    return _number(*own, *(_digest(child, meanings, level) for child in children(expression)))
