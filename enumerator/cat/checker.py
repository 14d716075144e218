"""The static check of a model: a run on types in the place of values.

A function is checked once by itself and again for each call, so it may take sets in one place and relations in
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Union

from enumerator.cat.choices import is_native, order_name
from enumerator.cat.flatten import FlatStatement, declared_options, flatten
from enumerator.cat.predefined import DEFAULT_ORDER, PREDEFINED, RETURN_SET, UNDEF_SET, predefined
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
from enumerator.cat.tree import check_depth, format_expression, holds, start, variables
from enumerator.errors import InputError

__all__ = ["Declarations", "MAX_WORK", "check_model"]

_PART_OF_PROCEDURE = re.compile(r"#[0-9]+")  # as flatten names what it makes of a procedure

MAX_WORK = 200_000
"""Operations that a model may come to once its functions are expanded: nested calls grow exponentially."""


@dataclass(frozen=True)
class Declarations:
    """What a model says of its world.

    The expressions are closed: definitions of the model that they use are in them, as ``let … in``.

    Parameters
    ----------
    order : (str, Expression) or None
        ``with name from orders(S)``: the name and S. None: ``co`` over all writes.
    undef : Expression or None
        ``with UNDEF from subsets(S)``: S.
    undef_name : str or None
        ``UNDEF`` in a model that chooses it.
    final : Expression or None
        ``final S``. None: the writes that the order relates to no later one.
    options : mapping of str to tuple of str
        The ``variants`` statements: for each option its alternatives, the default first.
    returns : bool
        The model names ``RET``: a return reads every location.
    unshown : tuple of (str, Position)
        Names that ``show`` asks for and that are not defined.
    """

    order: tuple[str, Expression] | None = None
    undef: Expression | None = None
    undef_name: str | None = None
    final: Expression | None = None
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    returns: bool = False
    unshown: tuple[tuple[str, Position], ...] = ()

    @property
    def order_name(self) -> str:
        """The name of the order: the chosen one, or ``co``."""
        return self.order[0] if self.order else DEFAULT_ORDER


# Types -------------------------------------------------------------------------------------------------------


class _Kind(Enum):
    """What an expression can be; the values are words for errors."""

    SET = "a set"
    RELATION = "a relation"
    EITHER = "empty"  # 0: fits both
    ANY = "unknown"  # a parameter of a function that is checked by itself


@dataclass(frozen=True, slots=True)
class _Plain:
    """A set or relation; `chosen` names what it depends on of that which the search chooses."""

    kind: _Kind
    chosen: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Several:
    elements: tuple[_Type, ...]


@dataclass(frozen=True, slots=True)
class _Closure:
    function: Function
    names: Mapping[str, _Type]


@dataclass(frozen=True, slots=True)
class _BuiltIn:
    name: str


_Type = Union[_Plain, _Several, _Closure, _BuiltIn]
_Names = dict[str, _Type]
_ANY = _Plain(_Kind.ANY)

_COLLECTIONS = {  # functions that give sets of sets or relations: their operands
    "generate_orders": (_Kind.SET, _Kind.RELATION),
    "generate_cos": (_Kind.RELATION,),
    "linearisations": (_Kind.SET, _Kind.RELATION),
    "classes-loc": (_Kind.SET,),
    "partition": (_Kind.SET,),
    "classes": (_Kind.RELATION,),
}
_ORDERS = ("generate_orders", "generate_cos", "linearisations")

_BUILT_INS = {  # name: operand, result
    "domain": (_Kind.RELATION, _Kind.SET),
    "range": (_Kind.RELATION, _Kind.SET),
    "fencerel": (_Kind.SET, _Kind.RELATION),
    "toid": (_Kind.SET, _Kind.RELATION),
}


def check_model(model: Model, variants: frozenset[str], labels: frozenset[str]) -> Declarations:
    """Check a model, and collect what it says of its world (:mod:`enumerator.cat.typing`)."""
    options = declared_options(model)
    statements = flatten(model, variants)
    try:
        return _Checker(variants, labels, order_name(statements), options).run(statements)
    except RecursionError:
        raise InputError("the model nests functions too deeply", model.path) from None


def _source(choose: Choose) -> tuple[str, Expression]:
    match choose.source:
        case Apply(Variable("orders" | "subsets" as function, _), argument, _):
            return function, argument
    raise AssertionError(f"a choice of another kind: {choose}")


@dataclass
class _Checker:
    """One run over a model; `lenient` collects unknown names inside ``try`` instead of refusing them."""

    variants: frozenset[str]
    labels: frozenset[str]
    order: str
    options: Mapping[str, tuple[str, ...]]
    lenient: list[str] | None = None
    work: int = 0
    returns: bool = False
    unshown: dict[str, Position] = field(default_factory=dict)

    def run(self, statements: Sequence[FlatStatement]) -> Declarations:
        names: _Names = {}
        order: tuple[str, Expression] | None = None
        undef: Expression | None = None
        final: Expression | None = None
        definitions: list[Let] = []
        for statement in statements:
            match statement:
                case Let(bindings, recursive, _):
                    definitions.append(statement)
                    names.update(self.bind(bindings, recursive, names))
                case Check(test=test, body=body):
                    kinds = (_Kind.SET, _Kind.RELATION) if test == "empty" else (_Kind.RELATION,)
                    self.expect(body, names, kinds, f"'{test}'")
                case Show(entries, _):
                    for name, shown in entries:
                        if self.cannot_show(name, shown, names):
                            continue
                        self.expect(shown, names, (_Kind.SET, _Kind.RELATION), "'show'")
                case Unshow():
                    pass
                case Choose(name, source, _) if not is_native(statement):
                    names[name] = self.computed(name, source, names)
                case Choose(name, _, position):
                    function, argument = _source(statement)
                    if function == "orders":
                        if order is not None:
                            raise position.error("a model chooses one order at most")
                        order = (name, _closed(argument, definitions))
                    else:
                        if undef is not None or name != UNDEF_SET:
                            raise position.error(f"subsets can be chosen once, under the name '{UNDEF_SET}'")
                        undef = _closed(argument, definitions)
                    self.choice(function, argument, names)
                    kind = _Kind.RELATION if function == "orders" else _Kind.SET
                    names[name] = _Plain(kind, frozenset((name,)))
                case Final(body, position):
                    if final is not None:
                        raise position.error("a model has one 'final' at most")
                    self.expect(body, names, (_Kind.SET,), "'final'")
                    final = _closed(body, definitions)
        undef_name = UNDEF_SET if undef is not None else None
        return Declarations(order, undef, undef_name, final, self.options, self.returns, tuple(self.unshown.items()))

    def cannot_show(self, name: str, shown: Expression, names: _Names) -> bool:
        """Tell whether ``show`` names what is not defined, as herd7 lets it: it is remembered, and not shown."""
        if not isinstance(shown, Variable) or shown.name != name or name in names or name in self.labels:
            return False
        if predefined(name, self.order) is not None:
            return False
        self.unshown[name] = shown.position
        return True

    def computed(self, name: str, source: Expression, names: _Names) -> _Type:
        """Type what is chosen from a computed set: of relations, as a rule."""
        type_ = self.infer(source, names)
        if isinstance(type_, _Plain) and type_.kind not in (_Kind.ANY, _Kind.SET):
            raise start(source).error(f"'with' chooses from a set, but {_shown(source)} is {_word(type_)}")
        if not isinstance(type_, _Plain):
            raise start(source).error(f"'with' chooses from a set, but {_shown(source)} is {_word(type_)}")
        match source:
            case Apply(Variable(function), _) if function in _ORDERS and isinstance(
                self.infer(source.function, names), _BuiltIn
            ):
                return _Plain(_Kind.RELATION, frozenset((name,)))
        return _Plain(_Kind.ANY, frozenset((name,)))

    def choice(self, function: str, argument: Expression, names: _Names) -> None:
        """Check the set that something is chosen for: it must be there before anything is chosen."""
        chosen = self.expect(argument, names, (_Kind.SET,), f"'{function}'").chosen
        if chosen:
            message = f"'{function}' needs a set that does not depend on what is chosen ({', '.join(sorted(chosen))})"
            raise start(argument).error(message)

    # Expressions

    def infer(self, expression: Expression, names: _Names) -> _Type:
        """Give the type of an expression.

        Raises
        ------
        InputError
        """
        self.work += 1
        if self.work > MAX_WORK:
            message = f"the model comes to more than {MAX_WORK} operations once its functions are expanded"
            raise start(expression).error(message)
        match expression:
            case Variable(name, position):
                return self.variable(name, position, names)
            case Empty():
                return _Plain(_Kind.EITHER)
            case Universe():
                return _Plain(_Kind.SET)
            case SetOf(elements, _):
                parts = [self.expect(element, names, (_Kind.SET,), "'{…}'") for element in elements]
                return _Plain(_Kind.SET, _chosen(*parts))
            case Identity(body, _):
                return _Plain(_Kind.RELATION, self.expect(body, names, (_Kind.SET,), "'[…]'").chosen)
            case Unary("~", body, _):
                operand = self.expect(body, names, (_Kind.SET, _Kind.RELATION), "'~'")
                return _Plain(_Kind.RELATION if operand.kind is _Kind.EITHER else operand.kind, operand.chosen)
            case Unary(operator, body, _):
                return _Plain(_Kind.RELATION, self.expect(body, names, (_Kind.RELATION,), f"'{operator}'").chosen)
            case Binary(operator, left, right, _):
                return self.binary(operator, left, right, names)
            case Apply():
                return self.apply(expression, names)
            case Tuple(elements, _):
                return _Several(tuple(self.infer(element, names) for element in elements))
            case Function():
                return self.function(expression, names)
            case LetIn(bindings, recursive, body, _):
                return self.infer(body, names | self.bind(bindings, recursive, names))
            case Try():
                return self.attempt(expression, names)
            case Match(body, empty, element, others, otherwise, _):
                self.infer(body, names)
                self.infer(empty, names)
                self.infer(otherwise, names | {name: _ANY for name in (element, others) if name is not None})
                return _ANY
            case If(condition, then, otherwise, _):
                return self.infer(then if holds(condition, self.variants) else otherwise, names)

    def expect(self, expression: Expression, names: _Names, kinds: tuple[_Kind, ...], what: str) -> _Plain:
        """Infer the type of an operand of `what`, which must be of one of some kinds (or empty, or unknown)."""
        found = self.infer(expression, names)
        if isinstance(found, _Plain) and found.kind in (*kinds, _Kind.EITHER, _Kind.ANY):
            return found
        if len(kinds) == 2:
            needed = "sets or relations"
        else:
            needed = "sets" if kinds[0] is _Kind.SET else "relations"
        raise start(expression).error(f"{what} needs {needed}, but {_shown(expression)} is {_word(found)}")

    def variable(self, name: str, position: Position, names: _Names) -> _Type:
        if name in names:
            return names[name]
        entry = predefined(name, self.order)
        if entry is not None and entry.kind == "function":
            return _BuiltIn(entry.name)
        if entry is not None:
            self.returns |= name == RETURN_SET
            kind = _Kind.SET if entry.kind == "set" else _Kind.RELATION
            return _Plain(kind, frozenset((name,)) if entry.chosen else frozenset())
        if name in self.labels:
            return _Plain(_Kind.SET)
        if self.lenient is not None:
            self.lenient.append(name)
            return _ANY
        raise position.error(self.unknown(name, names))

    def unknown(self, name: str, names: _Names) -> str:
        if predefined(name) is not None:
            return f"there is no '{name}' in a model that chooses '{self.order}'"
        known = sorted((*(own for own in names if "#" not in own), *PREDEFINED, *self.labels))
        close = get_close_matches(name, known, 1)
        return f"unknown name '{name}'" + (f"; did you mean '{close[0]}'?" if close else "")

    def binary(self, operator: str, left: Expression, right: Expression, names: _Names) -> _Type:
        what = f"'{operator}'"
        if operator == "++":
            self.infer(left, names)
            self.infer(right, names)
            return _ANY
        if operator in (";", "*"):
            kinds = (_Kind.RELATION,) if operator == ";" else (_Kind.SET,)
            first = self.expect(left, names, kinds, what)
            second = self.expect(right, names, kinds, what)
            return _Plain(_Kind.RELATION, _chosen(first, second))
        first = self.expect(left, names, (_Kind.SET, _Kind.RELATION), what)
        second = self.expect(right, names, (_Kind.SET, _Kind.RELATION), what)
        if {first.kind, second.kind} == {_Kind.SET, _Kind.RELATION}:
            message = (
                f"{what} needs two sets or two relations, but {_shown(left)} is {first.kind.value} "
                f"and {_shown(right)} is {second.kind.value}"
            )
            raise start(right).error(message)
        open_kinds = (_Kind.EITHER, _Kind.ANY)
        if first.kind in open_kinds and second.kind in open_kinds:
            kind = _Kind.ANY if _Kind.ANY in (first.kind, second.kind) else _Kind.EITHER
        else:
            kind = second.kind if first.kind in open_kinds else first.kind
        return _Plain(kind, _chosen(first, second))

    def attempt(self, attempt: Try, names: _Names) -> _Type:
        """Type ``try``: an unknown name of the first part may be a label that only some tests have."""
        outer, self.lenient = self.lenient, []
        try:
            body = self.infer(attempt.body, names)
            unknown = self.lenient
        finally:
            self.lenient = outer
        if not unknown:
            return body
        fallback = self.infer(attempt.fallback, names)
        if not isinstance(body, _Plain) or not isinstance(fallback, _Plain):
            return fallback
        if {body.kind, fallback.kind} == {_Kind.SET, _Kind.RELATION}:
            message = f"'try' has {body.kind.value} before 'with' and {fallback.kind.value} after it"
            raise start(attempt.fallback).error(message)
        kind = body.kind if fallback.kind is _Kind.EITHER and body.kind is not _Kind.ANY else fallback.kind
        return _Plain(kind, _chosen(body, fallback))

    # Functions

    def function(self, function: Function, names: _Names) -> _Type:
        """Check a function by itself, for names that are unknown whatever its arguments are."""
        inside = {parameter: _ANY for parameter in function.parameters if parameter is not None}
        self.infer(function.body, names | inside)
        return _Closure(function, dict(names))

    def apply(self, call: Apply, names: _Names) -> _Type:
        function = self.infer(call.function, names)
        if isinstance(function, _BuiltIn):
            if function.name in _COLLECTIONS:
                return self.collection(function.name, call, names)
            if function.name == "tag2events":
                raise start(call.function).error("tags are not supported")
            if function.name not in _BUILT_INS:
                message = f"'{function.name}' can only be chosen from: with … from {function.name}(S)"
                raise start(call.function).error(message)
            wanted, result = _BUILT_INS[function.name]
            return _Plain(result, self.expect(call.argument, names, (wanted,), f"'{function.name}'").chosen)
        if isinstance(function, _Closure):
            return self.enter(call, function, self.infer(call.argument, names))
        if function == _ANY:
            self.infer(call.argument, names)
            return _ANY
        raise start(call.function).error(f"{_shown(call.function)} is {_word(function)}, not a function")

    def collection(self, name: str, call: Apply, names: _Names) -> _Type:
        """Type a call of a function that gives a set of sets or of relations."""
        kinds = _COLLECTIONS[name]
        if len(kinds) == 1:
            self.expect(call.argument, names, kinds, f"'{name}'")
            return _ANY
        if not isinstance(call.argument, Tuple) or len(call.argument.elements) != len(kinds):
            message = f"'{name}' takes {len(kinds)} arguments: {' and '.join(kind.value for kind in kinds)}"
            raise start(call.argument).error(message)
        for kind, element in zip(kinds, call.argument.elements, strict=True):
            self.expect(element, names, (kind,), f"'{name}'")
        return _ANY

    def enter(self, call: Apply, closure: _Closure, argument: _Type) -> _Type:
        parameters = closure.function.parameters
        if isinstance(call.argument, Tuple) or len(parameters) != 1:
            given: tuple[_Type, ...]
            if isinstance(argument, _Several):
                given = argument.elements
            else:
                given = (_ANY,) * len(parameters) if argument == _ANY else (argument,)
        else:
            given = (argument,)
        if len(given) != len(parameters):
            takes = "1 argument" if len(parameters) == 1 else f"{len(parameters)} arguments"
            message = f"'{closure.function.name}' takes {takes}, but gets {len(given)}"
            raise start(call.argument).error(message)
        inside = {name: type_ for name, type_ in zip(parameters, given, strict=True) if name is not None}
        with _called(closure.function, start(call)):
            return self.infer(closure.function.body, {**closure.names, **inside})

    # Definitions

    def bind(self, bindings: tuple[Binding, ...], recursive: bool, names: _Names) -> _Names:
        if recursive:
            return self.bind_recursive(bindings, names)
        bound: _Names = {}
        for binding in bindings:
            type_ = self.infer(binding.body, names)
            if len(binding.names) == 1:
                parts: tuple[_Type, ...] = (type_,)
            elif isinstance(type_, _Several):
                parts = type_.elements
            elif type_ == _ANY:
                parts = (_ANY,) * len(binding.names)
            else:
                message = f"expected a tuple of {len(binding.names)}, but {_shown(binding.body)} is {_word(type_)}"
                raise start(binding.body).error(message)
            if len(parts) != len(binding.names):
                message = f"expected a tuple of {len(binding.names)}, but this one has {len(parts)}"
                raise start(binding.body).error(message)
            for name, part in zip(binding.names, parts, strict=True):
                if name is not None:
                    _new(name, bound, binding.position)
                    bound[name] = part
        return bound

    def bind_recursive(self, bindings: tuple[Binding, ...], names: _Names) -> _Names:
        """Type ``let rec``: all start as empty, and are typed again until nothing changes."""
        bound: _Names = {}
        for binding in bindings:
            if len(binding.names) != 1 or binding.names[0] is None:
                raise binding.position.error("'let rec' defines names, not patterns")
            _new(binding.names[0], bound, binding.position)
            bound[binding.names[0]] = _Plain(_Kind.EITHER)
        functions = [isinstance(binding.body, Function) for binding in bindings]
        if any(functions):
            if not all(functions):
                message = "'let rec' defines functions, or sets and relations, but not both at once"
                raise bindings[functions.index(False)].position.error(message)
            for binding in bindings:  # what they give is not known before it is known: anything
                self.infer(binding.body, names | dict.fromkeys(bound, _ANY))
            return dict.fromkeys(bound, _ANY)
        before: _Names = {}
        while bound != before:
            before = bound
            kinds = (_Kind.SET, _Kind.RELATION)
            bound = {
                str(binding.names[0]): self.expect(binding.body, names | before, kinds, "'let rec'")
                for binding in bindings
            }
        return bound


def _closed(expression: Expression, definitions: Sequence[Let]) -> Expression:
    """Put the definitions that an expression uses into it, last first."""
    needed = set(variables(expression))
    for let in reversed(definitions):
        bound = {name for binding in let.bindings for name in binding.names if name is not None}
        if bound & needed:
            expression = LetIn(let.bindings, let.recursive, expression, let.position)
            needed = (needed - bound).union(*(variables(binding.body) for binding in let.bindings))
    check_depth(expression)
    return expression


def _new(name: str, bound: _Names, place: Position) -> None:
    if name in bound:
        raise place.error(f"'{name}' is defined twice")


@contextmanager
def _called(function: Function, place: Position) -> Iterator[None]:
    """Say in errors from a function's body which call they come from: the innermost one."""
    try:
        yield
    except InputError as error:
        if "called at" not in error.message:
            where = f"line {place.line}" if place.path == error.path else f"{place.path}:{place.line}"
            error.message += f" (in '{function.name}', called at {where})"
        raise


def _chosen(*parts: _Plain) -> frozenset[str]:
    return frozenset().union(*(part.chosen for part in parts))


def _shown(expression: Expression) -> str:
    text = _PART_OF_PROCEDURE.sub("", format_expression(expression))
    return f"'{text if len(text) <= 60 else text[:57] + '…'}'"


def _word(type_: _Type) -> str:
    match type_:
        case _Plain(kind, _):
            return kind.value
        case _Several():
            return "a tuple"
        case _Closure() | _BuiltIn():
            return "a function"
