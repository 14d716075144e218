"""Expressions on one execution: each construct of the language in a few lines that say what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import networkx as nx

from enumerator.cat import algebra, collections, syntax
from enumerator.cat.algebra import Relation
from enumerator.cat.collections import Collection, Element, Nothing
from enumerator.cat.environment import BuiltIn, Closure, Environment, TupleValue, Undefined, UnknownName, Value, World
from enumerator.cat.predefined import formula, parsed, predefined
from enumerator.cat.syntax import Binding, Expression, Function, Position
from enumerator.cat.tree import children, holds, start, variables
from enumerator.clock import check_time

__all__ = ["as_relation", "bind", "predefined_value", "set_of", "value_of"]


# Names -------------------------------------------------------------------------------------------------------


def predefined_value(name: str, world: World) -> Value | None:
    """Give the value of a predefined name on an execution, or None where there is no such name.

    See Also
    --------
    enumerator.cat.predefined.PREDEFINED : what the names are.
    """
    name = name.removesuffix("#")  # no model can write the mark, and so hide the name
    for supplied in (world.events.sets, world.events.relations, world.formulas):
        if name in supplied:
            return supplied[name]
    entry = predefined(name, world.order)
    if entry is None:
        return None
    if entry.kind == "function":
        return BuiltIn(name)
    text = formula(name, world.order)
    if text is not None:
        world.formulas[name] = value_of(parsed(text), Environment(world))
        return world.formulas[name]
    return frozenset() if entry.kind == "set" else None


def _lookup(name: str, place: Position, environment: Environment) -> Value:
    value = environment.names.get(name)
    if isinstance(value, Undefined):
        raise value.error
    if value is None:
        value = predefined_value(name, environment.world)
    if value is None:
        raise UnknownName(f"unknown name '{name}'", place.path, place.line, place.column)
    return value


# Definitions -------------------------------------------------------------------------------------------------


def bind(bindings: tuple[Binding, ...], recursive: bool, environment: Environment) -> dict[str, Value | Undefined]:
    """Evaluate the definitions of a ``let``: what each name that they bind means."""
    if recursive and all(isinstance(binding.body, Function) for binding in bindings):
        known = dict(environment.names)
        inside = Environment(environment.world, known)
        functions = {str(binding.names[0]): value_of(binding.body, inside) for binding in bindings}
        known.update(functions)  # they see themselves
        return dict(functions)
    if recursive:
        return _bind_recursive(bindings, environment)
    bound: dict[str, Value | Undefined] = {}
    for binding in bindings:
        names = binding.names
        try:
            value = value_of(binding.body, environment)
        except UnknownName as error:
            bound |= {name: Undefined(error) for name in names if name is not None}
            continue
        parts = (value,) if len(names) == 1 else value.elements if isinstance(value, TupleValue) else ()
        if len(parts) != len(names):
            raise start(binding.body).error(f"expected a tuple of {len(names)}")
        bound |= {name: part for name, part in zip(names, parts, strict=True) if name is not None}
    return bound


def _bind_recursive(bindings: tuple[Binding, ...], environment: Environment) -> dict[str, Value | Undefined]:
    """Find the least fixed point: start with empty relations, and evaluate until nothing changes.

    Monotone definitions have one. Where an iteration is not larger than the one before, the definitions are not
    monotone and have no meaning. What does not use the names that are defined is evaluated once.
    """
    defined = frozenset(str(binding.names[0]) for binding in bindings)
    try:
        fixed = {
            id(part): value_of(part, environment)
            for binding in bindings
            for part in _without_names(binding.body, defined)
        }
    except UnknownName as error:
        return dict.fromkeys(defined, Undefined(error))
    environment = replace(environment, known={**environment.known, **fixed})
    bound: dict[str, Value | Undefined] = {str(binding.names[0]): Nothing() for binding in bindings}
    while True:
        inside = environment.extended(bound)
        try:
            found = {str(binding.names[0]): value_of(binding.body, inside) for binding in bindings}
        except UnknownName as error:
            return {name: Undefined(error) for name in bound}
        changed = False
        for binding in bindings:
            name = str(binding.names[0])
            old, new = _elements(bound[name], binding), _elements(found[name], binding)
            if not old <= new:
                message = f"the recursive definition of '{name}' does not only grow with what it defines"
                raise start(binding.body).error(message)
            changed |= old != new
        if not changed:
            return dict(found)
        bound = dict(found)


def _without_names(expression: Expression, names: frozenset[str]) -> Iterator[Expression]:
    """Give the largest parts of an expression in which none of some names occurs, and which see no others."""
    match expression:
        case syntax.Variable():
            return
        case _ if names.isdisjoint(variables(expression)):
            yield expression
        case syntax.Unary() | syntax.Binary() | syntax.Identity() | syntax.SetOf() | syntax.Tuple():
            for part in children(expression):
                yield from _without_names(part, names)
        case syntax.Apply(_, argument, _):
            yield from _without_names(argument, names)


def _elements(value: Value | Undefined, binding: Binding) -> frozenset[object]:
    match value:
        case frozenset():
            return frozenset(value)
        case nx.DiGraph():
            return frozenset(value.edges)
        case Nothing():
            return frozenset()
    raise start(binding.body).error("'let rec' defines sets and relations")


# Expressions -------------------------------------------------------------------------------------------------


def value_of(expression: Expression, environment: Environment) -> Value:
    """Evaluate an expression in an environment.

    Raises
    ------
    InputError
        Where an operand is of the wrong type or a name is unknown.
    """
    check_time()
    if id(expression) in environment.known:
        return environment.known[id(expression)]
    match expression:
        case syntax.Variable(name, position):
            return _lookup(name, position, environment)
        case syntax.Empty():
            return Nothing()
        case syntax.Universe():
            return frozenset(environment.world.events.events)
        case syntax.SetOf(elements, _):
            return frozenset().union(*(set_of(element, environment) for element in elements))
        case syntax.Identity(body, _):
            return algebra.identity(environment.world.events.events, set_of(body, environment))
        case syntax.Unary(_, body, _):
            return _unary(expression, value_of(body, environment), environment)
        case syntax.Binary(_, left, right, _):
            return _binary(expression, value_of(left, environment), value_of(right, environment), environment)
        case syntax.Apply(function, argument, _):
            return _apply(expression, value_of(function, environment), value_of(argument, environment), environment)
        case syntax.Tuple(elements, _):
            return TupleValue(tuple(value_of(element, environment) for element in elements))
        case Function():
            return Closure(expression, environment)
        case syntax.LetIn(bindings, recursive, body, _):
            return value_of(body, environment.extended(bind(bindings, recursive, environment)))
        case syntax.Try(body, fallback, _):
            try:
                return value_of(body, environment)
            except UnknownName:
                return value_of(fallback, environment)
        case syntax.If(condition, then, otherwise, _):
            return value_of(then if holds(condition, environment.world.variants) else otherwise, environment)
        case syntax.Match(body, empty, element, others, otherwise, _):
            parts = collections.split(value_of(body, environment))
            if parts is None:
                return value_of(empty, environment)
            bound = {name: cast(Value, part) for name, part in zip((element, others), parts, strict=True) if name}
            return value_of(otherwise, environment.extended(bound))


def _star(body: Relation) -> Relation:
    return algebra.optional(algebra.closure(body))


_UNARY = {
    "~": algebra.complement,
    "^-1": algebra.inverse,
    "?": algebra.optional,
    "+": algebra.closure,
    "*": _star,
}
_OF_RELATIONS = {
    "|": algebra.union,
    "&": algebra.intersection,
    "\\": algebra.difference,
    ";": algebra.sequence,
}
_OF_SETS: dict[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    "|": frozenset.union,
    "&": frozenset.intersection,
    "\\": frozenset.difference,
}


def _unary(expression: syntax.Unary, body: Value, environment: Environment) -> Value:
    if expression.operator == "~" and isinstance(body, frozenset):
        return frozenset(environment.world.events.events) - body
    return _UNARY[expression.operator](as_relation(body, environment, expression.body))


def _binary(expression: syntax.Binary, left: Value, right: Value, environment: Environment) -> Value:
    operator, events = expression.operator, environment.world.events.events
    try:
        if operator == "++":
            return cast(Value, collections.add(left, right, events))
        if isinstance(left, Collection) or isinstance(right, Collection):
            return collections.combine(operator, left, right)
    except TypeError as error:
        raise start(expression).error(str(error)) from None
    if isinstance(left, Nothing) and isinstance(right, Nothing) and operator in _OF_SETS:
        return Nothing()
    if operator == "*" or (operator in _OF_SETS and (isinstance(left, frozenset) or isinstance(right, frozenset))):
        first, second = _as_set(left, expression.left), _as_set(right, expression.right)
        return algebra.product(events, first, second) if operator == "*" else _OF_SETS[operator](first, second)
    one, other = (as_relation(left, environment, expression.left), as_relation(right, environment, expression.right))
    return _OF_RELATIONS[operator](one, other)


def _apply(call: syntax.Apply, function: Value, argument: Value, environment: Environment) -> Value:
    environment.world.count_call()
    match function:
        case BuiltIn(name) if name in collections.FUNCTIONS:
            given = argument.elements if isinstance(argument, TupleValue) else (argument,)
            return _collection(name, given, call, environment)
        case Closure(Function(parameters, body, _), inside):
            given = (
                (argument,) if len(parameters) == 1 else argument.elements if isinstance(argument, TupleValue) else ()
            )
            if len(given) != len(parameters):
                raise start(call).error("wrong number of arguments")
            names = {name: value for name, value in zip(parameters, given, strict=True) if name is not None}
            return value_of(body, inside.extended(names))
        case BuiltIn("domain"):
            return algebra.domain(as_relation(argument, environment, call.argument))
        case BuiltIn("range"):
            return algebra.range_of(as_relation(argument, environment, call.argument))
        case BuiltIn("toid"):
            return algebra.identity(environment.world.events.events, _as_set(argument, call.argument))
        case BuiltIn("fencerel"):
            po = as_relation(predefined_value("po", environment.world) or Nothing(), environment, call)
            fences = algebra.identity(environment.world.events.events, _as_set(argument, call.argument))
            return algebra.sequence(algebra.sequence(po, fences), po)
    raise start(call.function).error("this is not a function that can be applied here")


def _collection(name: str, given: tuple[Value, ...], call: syntax.Apply, environment: Environment) -> Collection:
    """Apply a built-in function that gives a set of sets or of relations."""
    place = call.argument
    loc = as_relation(predefined_value("loc", environment.world) or Nothing(), environment, call)
    if name in ("classes-loc", "partition"):
        return collections.partition(_as_set(given[0], place), loc)
    if name == "classes":
        return collections.classes(as_relation(given[0], environment, place))
    if name == "generate_cos":
        given = (predefined_value("W", environment.world) or frozenset(), *given)
    if len(given) != 2:
        raise start(place).error(f"'{name}' takes a set and a relation")
    members, base = _as_set(given[0], place), as_relation(given[1], environment, place)
    if name == "linearisations":
        return collections.linearisations(members, base)
    return collections.products(members, base, loc)


def set_of(expression: Expression, environment: Environment) -> frozenset[int]:
    """Evaluate an expression that has to be a set."""
    return _as_set(value_of(expression, environment), expression)


def _as_set(value: Value, place: Expression) -> frozenset[int]:
    match value:
        case frozenset():
            return value
        case Element():
            return value.as_set()
        case Nothing() | Collection(()):
            return frozenset()
    raise start(place).error("expected a set")


def as_relation(value: Value, environment: Environment, place: Expression) -> Relation:
    """Take a value for a relation; `place` is the expression that it comes from."""
    match value:
        case nx.DiGraph():
            return value
        case Element():
            return algebra.relation(environment.world.events.events, value.as_pairs())
        case Nothing() | Collection(()):
            return algebra.relation(environment.world.events.events)
    raise start(place).error("expected a relation")
