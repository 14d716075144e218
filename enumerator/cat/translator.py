"""From the syntax tree of a model to a graph of operations on sets and relations.

Functions are expanded, variants selected, and equal subexpressions become one node. Each node knows on which choices of
the search it depends, and whether it is monotone: whether it can only grow as more choices are made
(:mod:`enumerator.cat.nodes`).
"""

from __future__ import annotations

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
from enumerator.frozen import dataclass

__all__ = ["translate"]


@dataclass(frozen=True, slots=True)
class _Closure:
    """A function with the names it sees."""

    parameters: tuple[str | None, ...]
    body: Expression
    scope: _Scope


@dataclass(frozen=True, slots=True)
class _Linearisations:
    """All total orders of some events that extend a relation, or all unions of one for each location."""

    members: Node
    base: Node
    by_location: bool


@dataclass(frozen=True, slots=True)
class _NotTranslated:
    """What only the reference engine computes: an error where it is used."""

    error: ReferenceEngineNeeded


_Meaning = Union[Node, _Closure, _Linearisations, _NotTranslated, str, tuple["_Meaning", ...]]
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
        try:
            translator.statement(statement)
        except RecursionError:  # sooner than where the model is checked, or evaluated
            place = statement.position
            message = "functions are nested too deeply"
            raise ReferenceEngineNeeded(message, place.path, place.line, place.column) from None
    order = builder.base("order", RELATION, Level.ORDER)
    writes = builder.base("W", SET, Level.PROGRAM)
    return CompiledModel(
        checks=tuple(translator.checks),
        final=translator.final or builder.make("\\", writes, builder.make("domain", order)),
        order_set=translator.order_set or writes,
        undef_set=translator.undef_set,
        linear=tuple(translator.linear),
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
        self.linear: list[Node] = []
        self._choices = 0

    # -- statements --------------------------------------------------------------------------------------

    def statement(self, statement: FlatStatement) -> None:
        names = self._names
        match statement:
            case syntax.Let(bindings, recursive, position):
                self._bind(names, bindings, recursive, position)
            case syntax.Check(body=body):
                self.checks.append(CompiledCheck(statement, self.node(body, names)))
            case syntax.Choose() if not is_native(statement):
                names[statement.name] = self._choose(statement)
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
        if isinstance(meaning, _Linearisations):
            raise _reference_needed("sets of orders", expression.position)
        raise expression.position.error("a set or a relation is needed here")

    def _relation(self, expression: Expression, scope: _Scope) -> Node:
        return self._of_kind(RELATION, self.node(expression, scope), expression.position)

    def _set(self, expression: Expression, scope: _Scope) -> Node:
        return self._of_kind(SET, self.node(expression, scope), expression.position)

    def _of_kind(self, kind: str, node: _Meaning, position: Position) -> Node:
        if isinstance(node, Node) and node.kind == kind:
            return node
        if isinstance(node, Node) and node.operator == "empty":
            return self._builder.empty(kind)
        found = f"this is a {node.kind}" if isinstance(node, Node) else "this is neither a set nor a relation"
        raise position.error(f"a {kind} is needed here, and {found}")

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

    def _choose(self, choose: syntax.Choose) -> Node:
        """Translate a choice among total orders; that of no events is empty."""
        position, source = choose.position, choose.source
        orders = self.meaning(source, self._names)
        name, self._choices = str(self._choices), self._choices + 1
        if not isinstance(orders, _Linearisations):
            raise _reference_needed("this choice", position)
        if orders.members.level is not Level.PROGRAM:
            raise _reference_needed("orders of events that depend on what is read", position)
        order, chosen = self._primitives.linear(name, orders.members, orders.by_location)
        if orders.members.operator == "empty":
            return order
        # It extends its base: no pair of it, and no event, is the other way round in what the base leads to.
        make = self._builder.make
        self.linear += [chosen] if chosen.operator == "linear" else []
        back = make(";", make("|", chosen, make("[]", orders.members)), make("+", orders.base))
        text = f"irreflexive ({choose.name} | [S]) ; r+"
        check = syntax.Check("axiom", "irreflexive", False, source, f"{choose.name} extends its base", position, text)
        self.checks.append(CompiledCheck(check, back))
        return order

    def _linearisations(self, function: str, argument: _Meaning, position: Position) -> _Linearisations:
        members, base = argument if isinstance(argument, tuple) and len(argument) == 2 else (None, argument)
        if members is None:
            if function != "generate_cos":
                raise position.error("2 arguments are needed: a set and a relation")
            members = self._primitives.base("W")
        members, base = self._of_kind(SET, members, position), self._of_kind(RELATION, base, position)
        return _Linearisations(members, base, function != "linearisations")

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
            case "linearisations" | "generate_orders" | "generate_cos":
                return self._linearisations(meaning, self.meaning(argument, scope), position)
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
