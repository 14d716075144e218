"""The plain evaluator: a model on one execution, over networkx graphs.

It is the reference for the engine: every construct of the language is a few lines that say what it means, and
nothing is shared with the engine but the syntax tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Union, cast

import networkx as nx

from enumerator.cat import algebra, collections
from enumerator.cat.algebra import Relation
from enumerator.cat.choices import is_native
from enumerator.cat.collections import Collection, Element
from enumerator.cat.collections import Nothing as _Nothing
from enumerator.cat.evaluation import CheckResult, Evaluation, Events
from enumerator.cat.flatten import FlatStatement, flatten
from enumerator.cat.parser import parse_expression
from enumerator.cat.predefined import DEFAULT_ORDER, formula, predefined
from enumerator.cat.syntax import (
    Apply,
    Binary,
    Binding,
    Check,
    Choose,
    Empty,
    Expression,
    Final,
    Function,
    Identity,
    If,
    Let,
    LetIn,
    Match,
    Model,
    Position,
    SetOf,
    Show,
    Try,
    Tuple,
    Unary,
    Universe,
    Unshow,
    Variable,
)
from enumerator.cat.tree import holds, start
from enumerator.clock import check_time
from enumerator.errors import InputError, LimitReached

__all__ = ["CheckResult", "Environment", "Evaluation", "Events", "evaluate", "evaluate_expression"]


MAX_CALLS = 1_000_000
"""Applications of functions on one execution."""


# Values ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Closure:
    function: Function
    environment: Environment


@dataclass(frozen=True, slots=True)
class _BuiltIn:
    name: str


@dataclass(frozen=True, slots=True)
class _Several:
    elements: tuple[_Value, ...]


@dataclass(frozen=True, slots=True)
class _Missing:
    """The value of a name whose definition uses an unknown name: an error where it is used."""

    error: _UnknownName


_Value = Union[frozenset[int], Relation, _Nothing, _Closure, _BuiltIn, _Several, Collection, Element]
_NOTHING = _Nothing()


@dataclass
class _UnknownName(InputError):
    """What ``try`` catches."""


@dataclass
class _World:
    """The predefined names of one execution; formulas are evaluated when first asked for."""

    events: Events
    variants: frozenset[str]
    order: str
    formulas: dict[str, _Value] = field(default_factory=dict)
    steps: int = 0

    def step(self, call: Apply) -> None:
        """Count the application of a function; a recursive one may never end."""
        self.steps += 1
        if self.steps > MAX_CALLS:
            raise LimitReached(f"the functions of the model are applied more than {MAX_CALLS} times on an execution")

    def value(self, name: str) -> _Value | None:
        name = name.removesuffix("#")  # what a model cannot write, and so not hide
        if name in self.events.sets:
            return self.events.sets[name]
        if name in self.events.relations:
            return self.events.relations[name]
        if name in self.formulas:
            return self.formulas[name]
        entry = predefined(name, self.order)
        if entry is None:
            return None
        if entry.kind == "function":
            return _BuiltIn(name)
        text = formula(name, self.order)
        if text is not None:
            self.formulas[name] = _value(_formula(text), Environment(self))
            return self.formulas[name]
        return frozenset() if entry.kind == "set" else None


@dataclass(frozen=True)
class Environment:
    """The names that an expression may use: the model's own, then the predefined ones."""

    world: _World
    names: Mapping[str, _Value | _Missing] = field(default_factory=dict)

    def lookup(self, name: str, place: Position) -> _Value:
        value = self.names.get(name)
        if isinstance(value, _Missing):
            raise value.error
        if value is None:
            value = self.world.value(name)
        if value is None:
            raise _UnknownName(f"unknown name '{name}'", place.path, place.line, place.column)
        return value

    def extended(self, names: Mapping[str, _Value | _Missing]) -> Environment:
        return Environment(self.world, {**self.names, **names})


@cache
def _formula(text: str) -> Expression:
    return parse_expression(text, "<predefined>")


# Models ------------------------------------------------------------------------------------------------------


def evaluate(model: Model, variants: frozenset[str], world: Events, picks: Sequence[int] = ()) -> Evaluation:
    """Evaluate a model on one execution.

    Parameters
    ----------
    model : Model
        One that :func:`enumerator.cat.typing.check_types` accepts.
    variants : frozenset of str
    world : Events
    picks : sequence of int
        For each ``with`` that chooses from a computed set, in order, which element to take; 0 beyond its end.

    Returns
    -------
    Evaluation

    Raises
    ------
    LimitReached
        If functions take too long.
    InputError
        If a set is used as a relation or the other way round, a name is unknown, or a recursive definition has no
        least solution.

    Examples
    --------
    >>> from enumerator.cat.algebra import relation
    >>> from enumerator.cat.parser import parse_text
    >>> model = parse_text("let com = rf | fr acyclic po | com as sc", "m.cat")
    >>> pairs = {"po": [(1, 2)], "rf": [(2, 1)], "co": []}
    >>> world = Events((1, 2), {}, {name: relation((1, 2), edges) for name, edges in pairs.items()})
    >>> evaluation = evaluate(model, frozenset(), world)
    >>> evaluation.checks[0].holds, evaluation.checks[0].cycle, list(evaluation.names["com"].edges)
    (False, (1, 2), [(2, 1)])
    """
    statements = flatten(model, variants)
    order = _order_name(statements)
    run = _Run(Environment(_World(world, variants, order)), picks)
    try:
        for statement in statements:
            run.execute(statement)
            if 0 in run.alternatives:
                break
        if run.final is None:
            # whatever the model itself calls by these names
            predefined_names = Environment(run.environment.world)
            run.final = _set(_value(_formula(f"W \\ domain({order})"), predefined_names), None)
    except RecursionError:
        raise InputError("the model nests functions too deeply", model.path) from None
    return Evaluation(
        tuple(run.checks),
        {
            name: _plain(value, world)
            for name, value in run.environment.names.items()
            if isinstance(value, (frozenset, nx.DiGraph, _Nothing)) and "#" not in name
        },
        run.shown,
        run.final,
        run.order_set,
        run.undef_set,
        run.environment,
        run.definitions,
        tuple(run.alternatives),
    )


def evaluate_expression(expression: Expression, environment: Environment | Events) -> frozenset[int] | Relation:
    """Evaluate one expression.

    Parameters
    ----------
    expression : Expression
    environment : Environment or Events
        That of an evaluation, or the predefined names of an execution alone: then relations that the expression
        does not use may be missing (those that depend on reads-from, for the sets of ``with … from``).

    Returns
    -------
    frozenset of int or networkx.DiGraph
        ``0`` comes as a relation.

    Raises
    ------
    InputError
    """
    if isinstance(environment, Events):
        environment = Environment(_World(environment, frozenset(), DEFAULT_ORDER))
    try:
        value = _value(expression, environment)
    except RecursionError:
        place = start(expression)
        raise InputError("functions are nested too deeply", place.path, place.line, place.column) from None
    if not isinstance(value, (frozenset, nx.DiGraph, _Nothing)):
        raise _error("expected a set or a relation", expression)
    return _plain(value, environment.world.events)


def _order_name(statements: tuple[FlatStatement, ...]) -> str:
    for statement in statements:
        match statement:
            case Choose(name, Apply(Variable("orders"), _), _):
                return name
    return DEFAULT_ORDER


def _plain(value: frozenset[int] | Relation | _Nothing, world: Events) -> frozenset[int] | Relation:
    return algebra.relation(world.events) if isinstance(value, _Nothing) else value


@dataclass
class _Run:
    """The state while the statements of a model are gone through."""

    environment: Environment
    picks: Sequence[int] = ()
    alternatives: list[int] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)
    shown: dict[str, frozenset[int] | Relation] = field(default_factory=dict)
    definitions: dict[str, tuple[Expression, Environment]] = field(default_factory=dict)
    final: frozenset[int] | None = None
    order_set: frozenset[int] | None = None
    undef_set: frozenset[int] | None = None

    def execute(self, statement: FlatStatement) -> None:
        environment = self.environment
        match statement:
            case Let(bindings, recursive, _):
                self.environment = environment.extended(_bind(bindings, recursive, environment))
                for binding in bindings:
                    if len(binding.names) == 1 and binding.names[0] is not None:
                        inside = self.environment if recursive else environment
                        self.definitions[binding.names[0]] = (binding.body, inside)
            case Check():
                self.checks.append(_check(statement, environment))
            case Show(entries, _):
                for name, expression in entries:
                    with suppress(_UnknownName):  # not shown, as in herd7; that is said where the model is checked
                        self.shown[name] = evaluate_expression(expression, environment)
            case Unshow(names, _):
                for name in names:
                    self.shown.pop(name, None)
            case Choose(name, source, _) if not is_native(statement):
                self.choose(name, source)
            case Choose(name, Apply(Variable(function), argument), position):
                members = _set(_value(argument, environment), argument)
                if function == "orders":
                    self.order_set = members
                else:
                    self.undef_set = members
                # the chosen name means the execution's choice from here on, whatever it meant before
                chosen = environment.world.value(name)
                if chosen is None:
                    message = f"the execution does not say what '{name}' is"
                    raise InputError(message, position.path, position.line, position.column)
                self.environment = environment.extended({name: chosen})
            case Final(body, _):
                self.final = _set(_value(body, environment), body)

    def choose(self, name: str, source: Expression) -> None:
        """Take an element of a computed set."""
        members = collections.members(_value(source, self.environment))
        if members is None:
            raise _error("expected a set of relations or sets to choose from", source)
        number = self.picks[len(self.alternatives)] if len(self.alternatives) < len(self.picks) else 0
        self.alternatives.append(len(members))
        if members:
            self.environment = self.environment.extended({name: cast(_Value, members[number])})


def _check(check: Check, environment: Environment) -> CheckResult:
    value = _value(check.body, environment)
    if check.test == "empty":
        if isinstance(value, frozenset):
            elements: tuple[int, ...] | tuple[tuple[int, int], ...] = tuple(sorted(value))
        else:
            elements = tuple(sorted(_relation(value, environment, check.body).edges))
        return CheckResult(check, (not elements) != check.negated, elements=elements)
    relation = _relation(value, environment, check.body)
    if check.test == "irreflexive":
        loops = sorted(event for event in relation if relation.has_edge(event, event))
        cycle = tuple(loops[:1])
    else:
        cycle = algebra.shortest_cycle(relation)
    return CheckResult(check, (not cycle) != check.negated, cycle=cycle)


# Definitions -------------------------------------------------------------------------------------------------


def _bind(bindings: tuple[Binding, ...], recursive: bool, environment: Environment) -> dict[str, _Value | _Missing]:
    if recursive and all(isinstance(binding.body, Function) for binding in bindings):
        known = dict(environment.names)
        inside = Environment(environment.world, known)
        functions = {str(binding.names[0]): _value(binding.body, inside) for binding in bindings}
        known.update(functions)  # they see themselves
        return dict(functions)
    if recursive:
        return _bind_recursive(bindings, environment)
    bound: dict[str, _Value | _Missing] = {}
    for binding in bindings:
        names = binding.names
        try:
            value = _value(binding.body, environment)
        except _UnknownName as error:
            bound |= {name: _Missing(error) for name in names if name is not None}
            continue
        parts = (value,) if len(names) == 1 else value.elements if isinstance(value, _Several) else ()
        if len(parts) != len(names):
            raise _error(f"expected a tuple of {len(names)}", binding.body)
        bound |= {name: part for name, part in zip(names, parts, strict=True) if name is not None}
    return bound


def _bind_recursive(bindings: tuple[Binding, ...], environment: Environment) -> dict[str, _Value | _Missing]:
    """Find the least solution: from nothing, until nothing changes.

    A definition that only grows with what it defines gets there. One that does not may shrink or go round in
    circles, and has no meaning.
    """
    bound: dict[str, _Value | _Missing] = {str(binding.names[0]): _NOTHING for binding in bindings}
    while True:
        inside = environment.extended(bound)
        try:
            found = {str(binding.names[0]): _value(binding.body, inside) for binding in bindings}
        except _UnknownName as error:
            return {name: _Missing(error) for name in bound}
        changed = False
        for binding in bindings:
            name = str(binding.names[0])
            old, new = _elements(bound[name], binding), _elements(found[name], binding)
            if not old <= new:
                message = f"the recursive definition of '{name}' does not only grow with what it defines"
                raise _error(message, binding.body)
            changed |= old != new
        if not changed:
            return dict(found)
        bound = dict(found)


def _elements(value: _Value | _Missing, binding: Binding) -> frozenset[object]:
    match value:
        case frozenset():
            return frozenset(value)
        case nx.DiGraph():
            return frozenset(value.edges)
        case _Nothing():
            return frozenset()
    raise _error("'let rec' defines sets and relations", binding.body)


# Expressions -------------------------------------------------------------------------------------------------


def _value(expression: Expression, environment: Environment) -> _Value:
    """Evaluate an expression; `environment` is where its names are."""
    check_time()
    match expression:
        case Variable(name, position):
            return environment.lookup(name, position)
        case Empty():
            return _NOTHING
        case Universe():
            return frozenset(environment.world.events.events)
        case SetOf(elements, _):
            members = (_set(_value(element, environment), element) for element in elements)
            return frozenset().union(*members)
        case Identity(body, _):
            return algebra.identity(environment.world.events.events, _set(_value(body, environment), body))
        case Unary(operator, body, _):
            return _unary(operator, _value(body, environment), expression, environment)
        case Binary(operator, left, right, _):
            return _binary(expression, _value(left, environment), _value(right, environment), environment)
        case Apply(function, argument, _):
            return _apply(expression, _value(function, environment), _value(argument, environment), environment)
        case Tuple(elements, _):
            return _Several(tuple(_value(element, environment) for element in elements))
        case Function():
            return _Closure(expression, environment)
        case LetIn(bindings, recursive, body, _):
            return _value(body, environment.extended(_bind(bindings, recursive, environment)))
        case Try(body, fallback, _):
            try:
                return _value(body, environment)
            except _UnknownName:
                return _value(fallback, environment)
        case If(condition, then, otherwise, _):
            return _value(then if holds(condition, environment.world.variants) else otherwise, environment)
        case Match(body, empty, element, others, otherwise, _):
            parts = collections.split(_value(body, environment))
            if parts is None:
                return _value(empty, environment)
            bound = {name: cast(_Value, part) for name, part in zip((element, others), parts, strict=True) if name}
            return _value(otherwise, environment.extended(bound))


def _unary(operator: str, body: _Value, expression: Unary, environment: Environment) -> _Value:
    if operator == "~" and isinstance(body, frozenset):
        return frozenset(environment.world.events.events) - body
    relation = _relation(body, environment, expression.body)
    match operator:
        case "~":
            return algebra.complement(relation)
        case "^-1":
            return algebra.inverse(relation)
        case "?":
            return algebra.optional(relation)
        case "+":
            return algebra.closure(relation)
        case "*":
            return algebra.optional(algebra.closure(relation))
    raise _error(f"'{operator}' is not supported", expression)


def _binary(expression: Binary, left: _Value, right: _Value, environment: Environment) -> _Value:
    operator = expression.operator
    if operator == "++":
        try:
            return cast(_Value, collections.add(left, right, environment.world.events.events))
        except TypeError as error:
            raise _error(str(error), expression) from None
    if isinstance(left, Collection) or isinstance(right, Collection):
        try:
            return collections.combine(operator, left, right)
        except TypeError as error:
            raise _error(str(error), expression) from None
    if operator == "*":
        first, second = _set(left, expression.left), _set(right, expression.right)
        return algebra.product(environment.world.events.events, first, second)
    if operator == ";":
        return algebra.sequence(
            _relation(left, environment, expression.left), _relation(right, environment, expression.right)
        )
    if isinstance(left, _Nothing) and isinstance(right, _Nothing):
        return _NOTHING
    if isinstance(left, frozenset) or isinstance(right, frozenset):
        first, second = _set(left, expression.left), _set(right, expression.right)
        return {"|": first | second, "&": first & second, "\\": first - second}[operator]
    combine = {"|": algebra.union, "&": algebra.intersection, "\\": algebra.difference}[operator]
    return combine(_relation(left, environment, expression.left), _relation(right, environment, expression.right))


def _apply(call: Apply, function: _Value, argument: _Value, environment: Environment) -> _Value:
    environment.world.step(call)
    match function:
        case _BuiltIn(name) if name in collections.FUNCTIONS:
            given = argument.elements if isinstance(argument, _Several) else (argument,)
            loc = _relation(environment.world.value("loc") or _NOTHING, environment, call)
            return _collect(name, given, call, environment, loc)
        case _Closure(Function(parameters, body, _), inside):
            given = (argument,) if len(parameters) == 1 else argument.elements if isinstance(argument, _Several) else ()
            if len(given) != len(parameters):
                raise _error("wrong number of arguments", call)
            names = {name: value for name, value in zip(parameters, given, strict=True) if name is not None}
            return _value(body, inside.extended(names))
        case _BuiltIn("domain"):
            return algebra.domain(_relation(argument, environment, call.argument))
        case _BuiltIn("range"):
            return algebra.range_of(_relation(argument, environment, call.argument))
        case _BuiltIn("toid"):
            return algebra.identity(environment.world.events.events, _set(argument, call.argument))
        case _BuiltIn("fencerel"):
            po = _relation(environment.world.value("po") or _NOTHING, environment, call)
            fences = algebra.identity(environment.world.events.events, _set(argument, call.argument))
            return algebra.sequence(algebra.sequence(po, fences), po)
    raise _error("this is not a function that can be applied here", call.function)


def _collect(name: str, given: tuple[_Value, ...], call: Apply, environment: Environment, loc: Relation) -> Collection:
    """Apply a built-in function that gives a set of sets or of relations."""
    place = call.argument
    if name in ("classes-loc", "partition"):
        return collections.partition(_set(given[0], place), loc)
    if name == "classes":
        return collections.classes(_relation(given[0], environment, place))
    if name == "generate_cos":
        given = (environment.world.value("W") or frozenset(), *given)
    if len(given) != 2:
        raise _error(f"'{name}' takes a set and a relation", place)
    members, base = _set(given[0], place), _relation(given[1], environment, place)
    if name == "linearisations":
        return collections.linearisations(members, base)
    return collections.products(members, base, loc)


def _set(value: _Value, place: Expression | None) -> frozenset[int]:
    if isinstance(value, frozenset):
        return value
    if isinstance(value, Element):
        return value.as_set()
    if isinstance(value, Collection) and not value.members:
        return frozenset()
    if isinstance(value, _Nothing):
        return frozenset()
    raise _error("expected a set", place)


def _relation(value: _Value, environment: Environment, place: Expression) -> Relation:
    if isinstance(value, nx.DiGraph):
        return value
    if isinstance(value, Element):
        return algebra.relation(environment.world.events.events, value.as_pairs())
    if isinstance(value, _Nothing) or (isinstance(value, Collection) and not value.members):
        return algebra.relation(environment.world.events.events)
    raise _error("expected a relation", place)


def _error(message: str, expression: Expression | None) -> InputError:
    if expression is None:
        return InputError(message)
    place = start(expression)
    return InputError(message, place.path, place.line, place.column)
