"""From the syntax tree of a model to a graph of operations on sets and relations.

Functions are expanded, variants selected, and equal subexpressions become one node. Each node knows on which choices of
the search it depends, and whether it is monotone: whether it can only grow as more choices are made
(:mod:`enumerator.cat.nodes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from enumerator.cat import syntax
from enumerator.cat.choices import is_native, order_name
from enumerator.cat.flatten import FlatStatement, flatten
from enumerator.cat.nodes import RELATION, SET, Builder, CompiledCheck, CompiledModel, Level, Node
from enumerator.cat.predefined import UNDEF_SET, formula, parsed
from enumerator.cat.primitives import Kinds, Primitives
from enumerator.cat.syntax import Expression, Model, Position
from enumerator.cat.tree import holds
from enumerator.errors import InputError, ReferenceEngineNeeded

__all__ = ["translate"]


@dataclass(frozen=True, slots=True)
class _Closure:
    """A function with the names it sees."""

    parameters: tuple[str | None, ...]
    body: Expression
    scope: _Scope


@dataclass(frozen=True, slots=True)
class _NotTranslated:
    """What only the reference engine computes: an error where it is used."""

    error: ReferenceEngineNeeded


_Meaning = Union[Node, _Closure, _NotTranslated, str, tuple["_Meaning", ...]]
_Scope = dict[str, _Meaning]
_COLLECTIONS = ("generate_orders", "generate_cos", "linearisations", "classes-loc", "partition", "classes")
_BUILT_INS: _Scope = {name: name for name in ("domain", "range", "fencerel", "toid", *_COLLECTIONS, "tag2events")}


class _UnknownName(InputError):
    """A name that is not defined: what ``try`` catches."""


def translate(model: Model, variants: frozenset[str], kinds: Kinds, builder: Builder) -> CompiledModel:
    """Translate a model.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : Kinds
        The predefined names that the caller can compute.
    builder : Builder
        Makes the nodes.

    Returns
    -------
    CompiledModel
        Without bounds.

    Raises
    ------
    ReferenceEngineNeeded
        Where only the reference engine can evaluate the model.
    InputError
        With the place in the model file: an unknown name, a set in place of a relation.
    """
    statements = flatten(model, variants)
    translator = _Translator(variants, kinds, builder, order_name(statements), model.merged)
    for statement in statements:
        translator.statement(statement)
    order = builder.base("order", RELATION, Level.ORDER)
    writes = builder.base("W", SET, Level.PROGRAM)
    return CompiledModel(
        checks=tuple(translator.checks),
        final=translator.final or builder.make("\\", writes, builder.make("domain", order)),
        order_set=translator.order_set or writes,
        undef_set=translator.undef_set,
    )


class _Translator:
    """Translates statement by statement, with the names defined so far."""

    def __init__(self, variants: frozenset[str], kinds: Kinds, builder: Builder, order_name: str, merged: bool) -> None:
        self._variants = variants
        self._kinds = kinds
        self._builder = builder
        self._order_name = order_name
        self._primitives = Primitives(kinds, builder, merged)
        self._names = dict(_BUILT_INS)
        self.checks: list[CompiledCheck] = []
        self.final: Node | None = None
        self.order_set: Node | None = None
        self.undef_set: Node | None = None

    # -- statements --------------------------------------------------------------------------------------

    def statement(self, statement: FlatStatement) -> None:
        names = self._names
        match statement:
            case syntax.Let(bindings, recursive, position):
                self._bind(names, bindings, recursive, position)
            case syntax.Check(body=body):
                self.checks.append(CompiledCheck(statement, self.node(body, names)))
            case syntax.Choose(name, source, position) if not is_native(statement):
                names[name] = self._computed(source, position)
            case syntax.Choose(_, syntax.Apply(syntax.Variable("orders"), argument), _):
                self.order_set = self._primitives.writes_of(self.node(argument, names))
            case syntax.Choose(name, syntax.Apply(_, argument), _):
                self.undef_set = self.node(argument, names)
                names[name] = self._builder.base("UNDEF", SET, Level.READS_FROM)
            case syntax.Final(body, _):
                self.final = self._primitives.writes_of(self.node(body, names))
            case syntax.Show() | syntax.Unshow():
                pass  # for pictures only

    def _bind(
        self,
        scope: _Scope,
        bindings: tuple[syntax.Binding, ...],
        recursive: bool,
        position: Position,
    ) -> None:
        if not recursive:
            meanings = [self.meaning(binding.body, scope) for binding in bindings]
            for binding, meaning in zip(bindings, meanings, strict=True):
                if len(binding.names) == 1:
                    if binding.names[0] is not None:
                        scope[binding.names[0]] = meaning
                else:
                    self._match(scope, binding.names, meaning, binding.position)
            return
        functions = [binding for binding in bindings if isinstance(binding.body, syntax.Function)]
        if functions:
            names = [str(binding.names[0]) for binding in bindings]
            error = _reference_needed("recursive functions", functions[0].position)
            scope.update(dict.fromkeys(names, _NotTranslated(error)))
            return
        names = [binding.names[0] or "_" for binding in bindings]
        kinds = self._recursive_kinds(names, bindings, scope)
        variables = tuple(self._builder.variable(kind) for kind in kinds)
        inner = dict(scope)
        inner.update(zip(names, variables, strict=True))
        bodies = tuple(self.node(binding.body, inner) for binding in bindings)
        for binding, body in zip(bindings, bodies, strict=True):
            if _occurs_negatively(body, frozenset(variables)):
                raise binding.position.error("a recursive definition may not use itself under '~' or right of '\\'")
        for name, node in zip(names, self._builder.fix(variables, bodies), strict=True):
            scope[name] = node

    def _recursive_kinds(self, names: list[str], bindings: tuple[syntax.Binding, ...], scope: _Scope) -> list[str]:
        """Find out which recursive names are sets: try relations, then sets."""
        kinds = [RELATION] * len(names)
        for attempt in ([RELATION] * len(names), [SET] * len(names)):
            inner = dict(scope)
            inner.update({name: self._builder.variable(kind) for name, kind in zip(names, attempt, strict=True)})
            try:
                kinds = [self.node(binding.body, inner).kind for binding in bindings]
            except _UnknownName:
                raise
            except InputError:
                continue
            if kinds == attempt:
                return kinds
        return kinds

    # -- expressions -------------------------------------------------------------------------------------

    def node(self, expression: Expression, scope: _Scope) -> Node:
        meaning = self.meaning(expression, scope)
        if isinstance(meaning, Node):
            return meaning
        raise expression.position.error("a set or a relation is needed here")

    def _relation(self, expression: Expression, scope: _Scope) -> Node:
        node = self.node(expression, scope)
        if node.kind == RELATION:
            return node
        if node.operator == "empty":
            return self._builder.empty(RELATION)
        raise expression.position.error("a relation is needed here, and this is a set")

    def _set(self, expression: Expression, scope: _Scope) -> Node:
        node = self.node(expression, scope)
        if node.kind == SET:
            return node
        if node.operator == "empty":
            return self._builder.empty(SET)
        raise expression.position.error("a set is needed here, and this is a relation")

    def meaning(self, expression: Expression, scope: _Scope) -> _Meaning:
        match expression:
            case syntax.Variable(name, position):
                return self._lookup(name, position, scope)
            case syntax.Empty():
                return self._builder.empty(RELATION)
            case syntax.Universe():
                return self._builder.full(SET)
            case syntax.SetOf(elements, _):
                result = self._builder.empty(SET)
                for element in elements:
                    result = self._builder.make("|", result, self._set(element, scope))
                return result
            case syntax.Identity(body, _):
                return self._primitives.identity(self._set(body, scope))
            case syntax.Unary(operator, body, _):
                if operator == "~":
                    return self._builder.make("~", self.node(body, scope))
                return self._primitives.closure(operator, self._relation(body, scope))
            case syntax.Binary():
                return self._binary(expression, scope)
            case syntax.Apply(function, argument, position):
                return self._apply(function, argument, position, scope)
            case syntax.Tuple(elements, _):
                return tuple(self.meaning(element, scope) for element in elements)
            case syntax.Function(parameters, body, _, _):
                return _Closure(parameters, body, dict(scope))
            case syntax.LetIn(bindings, recursive, body, position):
                inner = dict(scope)
                self._bind(inner, bindings, recursive, position)
                return self.meaning(body, inner)
            case syntax.Try(body, fallback, _):
                try:
                    return self.meaning(body, scope)
                except _UnknownName:
                    return self.meaning(fallback, scope)
            case syntax.Match(position=position):
                raise _reference_needed("'match'", position)
            case syntax.If(condition, then, otherwise, _):
                return self.meaning(then if holds(condition, self._variants) else otherwise, scope)

    def _binary(self, expression: syntax.Binary, scope: _Scope) -> Node:
        operator = expression.operator
        if operator == ";":
            return self._builder.make(
                ";", self._relation(expression.left, scope), self._relation(expression.right, scope)
            )
        if operator == "*":
            return self._builder.make("*", self._set(expression.left, scope), self._set(expression.right, scope))
        if operator not in ("|", "&", "\\"):
            raise _reference_needed(f"the operator '{operator}'", expression.position)
        left, right = self.node(expression.left, scope), self.node(expression.right, scope)
        if left.kind != right.kind:
            if left.operator == "empty":
                left = self._builder.empty(right.kind)
            elif right.operator == "empty":
                right = self._builder.empty(left.kind)
            else:
                message = f"'{operator}' needs two sets or two relations, not a {left.kind} and a {right.kind}"
                raise expression.position.error(message)
        return self._builder.make(operator, left, right)

    def _lookup(self, name: str, position: Position, scope: _Scope) -> _Meaning:
        if name in scope:
            meaning = scope[name]
            if isinstance(meaning, _NotTranslated):
                raise meaning.error
            return meaning
        name = name.removesuffix("#")  # no model can write the mark, and so hide the name
        if name == self._order_name:
            return self._primitives.order()
        if name != UNDEF_SET and self._kinds.get(name) is not None:
            return self._primitives.base(name)
        text = formula(name, self._order_name)
        if text is None:
            raise _UnknownName(f"unknown name '{name}'", position.path, position.line, position.column)
        return self.meaning(parsed(text), _BUILT_INS)

    def _computed(self, source: Expression, position: Position) -> _Meaning:
        """Translate a choice among linear orders of no events: there is only the empty one."""
        error = _reference_needed("this choice", position)
        match source:
            case syntax.Apply(syntax.Variable(name), syntax.Tuple(elements)) if len(elements) == 2:
                if self._names.get(name) in ("linearisations", "generate_orders"):
                    try:
                        members = self._set(elements[0], self._names)
                    except ReferenceEngineNeeded:
                        return _NotTranslated(error)
                    if members.operator == "empty":
                        return self._builder.empty(RELATION)
        return _NotTranslated(error)

    def _apply(self, function: Expression, argument: Expression, position: Position, scope: _Scope) -> _Meaning:
        meaning = self.meaning(function, scope)
        make = self._builder.make
        match meaning:
            case "domain" | "range":
                return make(meaning, self._relation(argument, scope))
            case "toid":
                return self._primitives.identity(self._set(argument, scope))
            case "tag2events":
                raise position.error("tags are not supported")
            case str() if meaning in _COLLECTIONS:
                raise _reference_needed(f"'{meaning}'", position)
            case "fencerel":
                po, fences = self._primitives.base("po"), self._set(argument, scope)
                return make(";", make("&", po, make("*", self._builder.full(SET), fences)), po)
            case _Closure(parameters, body, inner):
                names = dict(inner)
                self._match(names, parameters, self.meaning(argument, scope), position)
                return self.meaning(body, names)
        raise position.error("this is not a function")

    @staticmethod
    def _match(scope: _Scope, names: tuple[str | None, ...], meaning: _Meaning, position: Position) -> None:
        if len(names) == 1:
            if names[0] is not None:
                scope[names[0]] = meaning
            return
        if not isinstance(meaning, tuple) or len(meaning) != len(names):
            found = len(meaning) if isinstance(meaning, tuple) else 1
            raise position.error(f"{len(names)} arguments are needed, and {found} given")
        for name, part in zip(names, meaning, strict=True):
            if name is not None:
                scope[name] = part


def _occurs_negatively(body: Node, variables: frozenset[Node]) -> bool:
    """Tell whether the right side of an equation is not monotone in a variable, so that iteration may not end."""
    seen: set[tuple[Node, bool]] = set()
    stack = [(body, True)]
    while stack:
        node, positive = stack.pop()
        if (node, positive) in seen:
            continue
        seen.add((node, positive))
        if node in variables and not positive:
            return True
        for argument in node.arguments:
            flips = node.operator in ("~", "\\") and argument is node.arguments[-1]
            stack.append((argument, positive != flips))
            if flips and argument in node.arguments[:-1]:
                stack.append((argument, positive))
    return False


def _reference_needed(what: str, position: Position) -> ReferenceEngineNeeded:
    message = f"only the reference engine computes {what}"
    return ReferenceEngineNeeded(message, position.path, position.line, position.column)
