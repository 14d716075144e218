"""From a model's syntax tree to a graph of relational operations, ready to become bytecode.

Functions are expanded, variants chosen, equal subexpressions shared. What is known of a test beforehand (sets that
are empty in it, relations that are full) folds away whole parts. Each node knows on which choices of the search it
depends and whether it can only grow as more choices are made: an axiom over a node that only grows can be checked
before a candidate is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Union

from enumerator.cat import syntax
from enumerator.cat.choices import is_native
from enumerator.cat.foreign import foreign
from enumerator.cat.nodes import (
    RELATION,
    SET,
    Builder,
    CompiledCheck,
    CompiledModel,
    Level,
    Node,
)
from enumerator.cat.parser import parse_expression
from enumerator.cat.predefined import PREDEFINED
from enumerator.cat.specialize import Specializer
from enumerator.cat.syntax import Expression, Model, Position, Statement
from enumerator.cat.tree import holds
from enumerator.errors import InputError, PlainEngineNeeded

__all__ = ["compile_model", "used_names"]


# Names ------------------------------------------------------------------------------------------------------

_READS_FROM = ("rf", "UNDEF")
_ALIASES = {
    entry.name: entry.formula
    for entry in PREDEFINED.values()
    if entry.formula is not None and entry.formula in PREDEFINED
}
_DERIVED = ("fr", "po-loc", "rfe", "rfi", "coe", "coi", "fre", "fri", "emptyset", "amo", "M")


@dataclass(frozen=True, slots=True)
class _Closure:
    """A function with the names it sees."""

    parameters: tuple[str | None, ...]
    body: Expression
    scope: dict[str, _Meaning]


@dataclass(frozen=True, slots=True)
class _OnlyPlain:
    """What the plain evaluator alone can compute: an error where it is used."""

    error: PlainEngineNeeded


_Meaning = Union[Node, _Closure, _OnlyPlain, str, tuple["_Meaning", ...]]
_BUILTINS = ("domain", "range", "fencerel", "toid")
_COLLECTIONS = ("generate_orders", "generate_cos", "linearisations", "classes-loc", "partition", "classes")


class _UnknownName(InputError):
    """A name that is not defined: what ``try`` catches."""


class _Compiler:
    """Walks a model's statements with the names defined so far."""

    def __init__(self, model: Model, variants: frozenset[str], kinds: _Kinds, builder: Builder) -> None:
        self._variants = variants
        self._kinds = kinds
        self.builder = builder
        self.names: dict[str, _Meaning] = {name: name for name in (*_BUILTINS, *_COLLECTIONS, "tag2events")}
        self._merged = model.merged
        self._same = self._one_event()
        self.checks: list[CompiledCheck] = []
        self.final: Node | None = None
        self.order_name = "co"
        self.order_set: Node | None = None
        self.undef_set: Node | None = None
        self._choices(model.statements)
        for statement in model.statements:
            self.statement(statement)

    def _choices(self, statements: Iterable[Statement]) -> None:
        """Find what the search chooses first: ``fr`` and its like may be used before the statement."""
        for statement in statements:
            if isinstance(statement, syntax.Choose) and is_native(statement):
                if self._source(statement)[0] == "orders":
                    self.order_name = statement.name
            elif isinstance(statement, syntax.IfStatement):
                self._choices(self._branch(statement))

    @staticmethod
    def _source(statement: syntax.Choose) -> tuple[str, Expression]:
        source = statement.source
        if isinstance(source, syntax.Apply) and isinstance(source.function, syntax.Variable):
            if source.function.name in ("orders", "subsets"):
                return source.function.name, source.argument
        raise statement.position.error("'with … from' needs orders(SET) or subsets(SET)")

    def _branch(self, statement: syntax.IfStatement) -> tuple[Statement, ...]:
        chosen = holds(statement.condition, self._variants)
        return statement.then if chosen else statement.otherwise

    # -- statements --------------------------------------------------------------------------------------

    def statement(self, statement: Statement) -> None:
        match statement:
            case syntax.Let(bindings, recursive, position):
                self._bind(self.names, bindings, recursive, position)
            case syntax.Check(body=body):
                self.checks.append(CompiledCheck(statement, self.node(body, self.names)))
            case syntax.Choose(name, source, position) if not is_native(statement):
                self.names[name] = self._computed(source, position)
            case syntax.Choose(name, _, _):
                which, argument = self._source(statement)
                if which == "orders":
                    self.order_set = self._halves(self.node(argument, self.names))
                else:
                    self.undef_set = self.node(argument, self.names)
                    self.names[name] = self.builder.base("UNDEF", SET, Level.READS_FROM)
            case syntax.Final(body, _):
                self.final = self._halves(self.node(body, self.names))
            case syntax.IfStatement():
                for inner in self._branch(statement):
                    self.statement(inner)
            case syntax.Procedure(name, parameters, body, _):
                self.names[name] = ("procedure", parameters, body)  # type: ignore[assignment]
            case syntax.CallProcedure():
                self._call(statement)
            case _:
                pass  # show, unshow, variants: nothing to compute

    def _call(self, statement: syntax.CallProcedure) -> None:
        meaning: object = self.names.get(statement.name)
        if not (isinstance(meaning, tuple) and meaning and meaning[0] == "procedure"):
            raise _UnknownName(f"unknown procedure '{statement.name}'", *_place(statement.position))
        _, parameters, body = meaning
        outer = self.names
        self.names = dict(outer)
        argument = self.meaning(statement.argument, outer)
        self._match(self.names, parameters, argument, statement.position)
        for inner in body:
            self.statement(inner)
        self.names = outer

    def _bind(
        self,
        scope: dict[str, _Meaning],
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
            error = _only_plain("recursive functions", functions[0].position)
            scope.update(dict.fromkeys(names, _OnlyPlain(error)))
            return
        names = [binding.names[0] or "_" for binding in bindings]
        kinds = self._recursive_kinds(names, bindings, scope)
        variables = tuple(self.builder.variable(kind) for kind in kinds)
        inner = dict(scope)
        inner.update(zip(names, variables, strict=True))
        bodies = tuple(self.node(binding.body, inner) for binding in bindings)
        for binding, body in zip(bindings, bodies, strict=True):
            if _occurs_negatively(body, frozenset(variables)):
                raise binding.position.error("a recursive definition may not use itself under '~' or right of '\\'")
        for name, node in zip(names, self.builder.fix(variables, bodies), strict=True):
            scope[name] = node

    def _recursive_kinds(
        self, names: list[str], bindings: tuple[syntax.Binding, ...], scope: dict[str, _Meaning]
    ) -> list[str]:
        """Find out which recursive names are sets: assume relations, and correct what comes out otherwise."""
        kinds = [RELATION] * len(names)
        for attempt in ([RELATION] * len(names), [SET] * len(names)):
            inner = dict(scope)
            inner.update({name: self.builder.variable(kind) for name, kind in zip(names, attempt, strict=True)})
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

    def node(self, expression: Expression, scope: dict[str, _Meaning]) -> Node:
        meaning = self.meaning(expression, scope)
        if isinstance(meaning, Node):
            return meaning
        raise expression.position.error("a set or a relation is needed here")

    def _relation(self, expression: Expression, scope: dict[str, _Meaning]) -> Node:
        node = self.node(expression, scope)
        if node.kind == RELATION:
            return node
        if node.operator == "empty":
            return self.builder.empty(RELATION)
        raise expression.position.error("a relation is needed here, and this is a set")

    def _set(self, expression: Expression, scope: dict[str, _Meaning]) -> Node:
        node = self.node(expression, scope)
        if node.kind == SET:
            return node
        if node.operator == "empty":
            return self.builder.empty(SET)
        raise expression.position.error("a set is needed here, and this is a relation")

    def meaning(self, expression: Expression, scope: dict[str, _Meaning]) -> _Meaning:
        match expression:
            case syntax.Variable(name, position):
                return self._lookup(name, position, scope)
            case syntax.Empty():
                return self.builder.empty(RELATION)
            case syntax.Universe():
                return self.builder.full(SET)
            case syntax.SetOf(elements, _):
                result = self.builder.empty(SET)
                for element in elements:
                    result = self.builder.make("|", result, self._set(element, scope))
                return result
            case syntax.Identity(body, _):
                return self._identity(self._set(body, scope))
            case syntax.Unary(operator, body, _):
                if operator == "~":
                    return self.builder.make("~", self.node(body, scope))
                return self._closure(operator, self._relation(body, scope))
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
                raise _only_plain("'match'", position)
            case syntax.If(condition, then, otherwise, _):
                return self.meaning(then if holds(condition, self._variants) else otherwise, scope)

    def _binary(self, expression: syntax.Binary, scope: dict[str, _Meaning]) -> Node:
        operator = expression.operator
        if operator == ";":
            return self.builder.make(
                ";", self._relation(expression.left, scope), self._relation(expression.right, scope)
            )
        if operator == "*":
            return self.builder.make("*", self._set(expression.left, scope), self._set(expression.right, scope))
        if operator not in ("|", "&", "\\"):
            raise _only_plain(f"the operator '{operator}'", expression.position)
        left, right = self.node(expression.left, scope), self.node(expression.right, scope)
        if left.kind != right.kind:
            if left.operator == "empty":
                left = self.builder.empty(right.kind)
            elif right.operator == "empty":
                right = self.builder.empty(left.kind)
            else:
                message = f"'{operator}' needs two sets or two relations, not a {left.kind} and a {right.kind}"
                raise expression.position.error(message)
        return self.builder.make(operator, left, right)

    def _lookup(self, name: str, position: Position, scope: dict[str, _Meaning]) -> _Meaning:
        if name in scope:
            meaning = scope[name]
            if isinstance(meaning, _OnlyPlain):
                raise meaning.error
            return meaning
        name = name.removesuffix("#")
        make, base = self.builder.make, self._base
        if name == self.order_name:
            return self._order()
        match name:
            case "fr":
                return make(";", make("^-1", base("rf")), self._order())
            case "FW":
                order = self.builder.base("order", RELATION, Level.ORDER)
                return self._whole(make("\\", make("&", self._half("W"), self._half("OBS")), make("domain", order)))
            case "co0":
                writes, initial = base("W"), base("IW")
                final = self._lookup("FW", position, {})
                assert isinstance(final, Node)
                first = make("*", initial, make("\\", writes, initial))
                last = make("*", make("\\", writes, final), final)
                return make("&", base("loc"), make("|", first, last))
            case "po-loc":
                return make("&", base("po"), base("loc"))
            case "rfe" | "rfi":
                return make("&", base("rf"), base("ext" if name == "rfe" else "int"))
            case "fre" | "fri":
                whole = self._lookup("fr", position, scope)
            case "coe" | "coi" if self.order_name == "co":
                whole = self._order()
            case "emptyset" | "LS" | "LK" | "UL":
                return self.builder.empty(SET)
            case _ if name in _ALIASES:
                return base(_ALIASES[name])
            case "M":
                return make("|", base("R"), base("W"))
            case "ATOM":
                return make("\\", make("&", base("A"), make("|", base("R"), base("W"))), base("IW"))
            case "id":
                return self._identity(self.builder.full(SET))
            case _:
                if self._kinds.get(name) is not None and name != "UNDEF":
                    return base(name)
                entry = foreign(name)
                if entry is not None and entry.formula is not None:
                    formula = parse_expression(entry.formula, "<predefined>")
                    return self.meaning(formula, {each: each for each in _BUILTINS})
                raise _UnknownName(f"unknown name '{name}'", *_place(position))
        assert isinstance(whole, Node)
        return make("&", whole, base("ext" if name.endswith("e") else "int"))

    def _half(self, name: str) -> Node:
        """Give a predefined set or relation as the engine has it, where halves of an instruction are two events."""
        level = Level.READS_FROM if name in _READS_FROM else Level.PROGRAM
        return self.builder.base(name, self._kinds.get(name) or RELATION, level)

    def _base(self, name: str) -> Node:
        """Give a predefined set or relation.

        Where a model merges the halves of a read-modify-write, a set has both halves or neither, and a relation all
        pairs of them or none, which the operations preserve: with the relation of halves for equality, they mean the
        same as on single events.
        """
        node, make = self._half(name), self.builder.make
        if name == "po" and self._kinds.get("unsequenced") is not None:
            node = make("\\", node, self._half("unsequenced"))
        if not self._merged:
            return node
        match name:
            case "rmw" | "amo":
                return self.builder.empty(RELATION)
            case "R" | "W":
                return make("|", node, self._half("RMW"))
            case "po":
                return make("\\", node, self._same)
            case "rf":
                return self._whole(node)
            case "addr" | "data" | "ctrl":
                return make("\\", self._whole(node), self._same)
        return node

    def _one_event(self) -> Node:
        """Give equality of events, as the model has them."""
        make, same = self.builder.make, self.builder.make("[]", self.builder.full(SET))
        if self._merged:
            halves = self._half("rmw")
            same = make("|", same, make("|", halves, make("^-1", halves)))
        return same

    def _whole(self, node: Node) -> Node:
        """Add the other halves."""
        make = self.builder.make
        if not self._merged:
            return node
        if node.kind == SET:
            return make("domain", make(";", self._same, make("[]", node)))
        return make(";", make(";", self._same, node), self._same)

    def _halves(self, writes: Node) -> Node:
        """Keep of a set of writes what the engine calls so."""
        return self.builder.make("&", writes, self._half("W")) if self._merged else writes

    def _order(self) -> Node:
        return self._whole(self.builder.base("order", RELATION, Level.ORDER))

    def _identity(self, members: Node) -> Node:
        make = self.builder.make
        if self._same.operator == "[]":
            return make("[]", members)
        return make("&", self._same, make("*", members, members))

    def _closure(self, operator: str, body: Node) -> Node:
        make = self.builder.make
        if operator in ("^-1", "+"):
            return make(operator, body)
        if self._same.operator == "[]":
            return make("star" if operator == "*" else operator, body)
        return make("|", make("+", body) if operator == "*" else body, self._same)

    def _computed(self, source: Expression, position: Position) -> _Meaning:
        """Give what can be chosen from computed linear orders, where there is but one: of nothing."""
        error = _only_plain("this choice", position)
        match source:
            case syntax.Apply(syntax.Variable(name), syntax.Tuple(elements)) if len(elements) == 2:
                if self.names.get(name) in ("linearisations", "generate_orders"):
                    try:
                        members = self._set(elements[0], self.names)
                    except PlainEngineNeeded:
                        return _OnlyPlain(error)
                    if members.operator == "empty":
                        return self.builder.empty(RELATION)
        return _OnlyPlain(error)

    def _apply(
        self, function: Expression, argument: Expression, position: Position, scope: dict[str, _Meaning]
    ) -> _Meaning:
        meaning = self.meaning(function, scope)
        make = self.builder.make
        match meaning:
            case "domain" | "range":
                return make(meaning, self._relation(argument, scope))
            case "toid":
                return self._identity(self._set(argument, scope))
            case "tag2events":
                raise position.error("tags are not supported")
            case str() if meaning in _COLLECTIONS:
                raise _only_plain(f"'{meaning}'", position)
            case "fencerel":
                po, fences = self._base("po"), self._set(argument, scope)
                return make(";", make("&", po, make("*", self.builder.full(SET), fences)), po)
            case _Closure(parameters, body, inner):
                names = dict(inner)
                self._match(names, parameters, self.meaning(argument, scope), position)
                return self.meaning(body, names)
        raise position.error("this is not a function")

    @staticmethod
    def _match(
        scope: dict[str, _Meaning], names: tuple[str | None, ...], meaning: _Meaning, position: Position
    ) -> None:
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
    """Tell whether a fixpoint's body may shrink where a variable of it grows; iteration might then never end."""
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


def _place(position: Position) -> tuple[str, int, int]:
    return position.path, position.line, position.column


def _only_plain(what: str, position: Position) -> PlainEngineNeeded:
    message = f"only the plain engine computes {what}"
    return PlainEngineNeeded(message, *_place(position))


class _Kinds:
    """The predefined names that a caller can compute, and which of them have been asked for."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = kinds
        self.asked: dict[str, str | None] = {}

    def get(self, name: str) -> str | None:
        kind = self.asked[name] = self._kinds.get(name)
        return kind


@dataclass(frozen=True, slots=True)
class _General:
    """A model for any test that has of some names what is said here; None where only the plain engine computes it."""

    model: Model
    asked: Mapping[str, str | None]
    specializer: Specializer | None


_MOST_KEPT = 4096
_kept: dict[object, tuple[Model, Specializer, CompiledModel]] = {}
_general: dict[tuple[int, frozenset[str]], list[_General]] = {}


def compile_model(
    model: Model,
    variants: frozenset[str],
    kinds: Mapping[str, str],
    *,
    empty: frozenset[str] = frozenset(),
    full: frozenset[str] = frozenset(),
) -> CompiledModel:
    """Compile a model for tests in which some predefined sets are empty and some relations full.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : mapping of str to {'set', 'relation'}
        The predefined names that the caller can compute, and what they are.
    empty, full : frozenset of str
        Predefined names that are empty, or hold all events or pairs, in the test at hand.

    Returns
    -------
    CompiledModel

    Raises
    ------
    InputError
        With the place in the model file: an unknown name, a set in place of a relation.
    """
    specializer = _specializer(model, variants, kinds)
    key: object
    if specializer is not None:
        empty, full = empty & specializer.names, full & specializer.names
        key = (id(specializer), empty, full)
    else:  # what needs the plain engine may be empty in this test
        key = (id(model), variants, frozenset(kinds.items()), empty, full)
    if key not in _kept:
        if specializer is None:
            specializer = Specializer(_compile(model, variants, _Kinds(kinds), Builder(empty, full)))
            empty, full = empty & specializer.names, full & specializer.names
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
            _general.clear()
        # What has its identity in the key is kept beside the result.
        _kept[key] = (model, specializer, specializer.specialize(empty, full))
    return _kept[key][2]


def used_names(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> frozenset[str]:
    """Name the predefined sets and relations that a model depends on: whether they are empty or full is worth asking.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : mapping of str to {'set', 'relation'}
        As for :func:`compile_model`.

    Returns
    -------
    frozenset of str
        All of `kinds` where only the plain engine computes the model for any test.
    """
    specializer = _specializer(model, variants, kinds)
    return frozenset(kinds) if specializer is None else specializer.names


def _specializer(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> Specializer | None:
    """Compile a model for any test; what is empty or full in a test is folded away later."""
    known = _general.setdefault((id(model), variants), [])
    for general in known:
        if all(kinds.get(name) == kind for name, kind in general.asked.items()):
            return general.specializer
    asking = _Kinds(kinds)
    specializer = None
    with suppress(PlainEngineNeeded):
        specializer = Specializer(_compile(model, variants, asking, Builder()))
    known.append(_General(model, asking.asked, specializer))
    return specializer


def _compile(model: Model, variants: frozenset[str], kinds: _Kinds, builder: Builder) -> CompiledModel:
    compiler = _Compiler(model, variants, kinds, builder)
    order = builder.base("order", RELATION, Level.ORDER)
    writes = builder.base("W", SET, Level.PROGRAM)
    return CompiledModel(
        checks=tuple(compiler.checks),
        final=compiler.final or builder.make("\\", writes, builder.make("domain", order)),
        order_set=compiler.order_set or writes,
        undef_set=compiler.undef_set,
    )
