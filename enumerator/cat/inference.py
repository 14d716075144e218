"""The types of cat, and how they are inferred: an evaluation of expressions over types in the place of values.

A function is checked once by itself and again for each call, so it may take sets in one place and relations in
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from enum import Enum
from typing import Union

from enumerator.cat import syntax
from enumerator.cat.predefined import PREDEFINED, RETURN_SET, predefined
from enumerator.cat.syntax import Binding, Expression, Function, Position
from enumerator.cat.tree import format_expression, holds, start
from enumerator.errors import InputError
from enumerator.frozen import dataclass

__all__ = ["ANY", "BuiltInType", "Inference", "Kind", "Names", "SetOrRelation", "Type", "shown", "word"]

_PART_OF_PROCEDURE = re.compile(r"#[0-9]+")  # in the names of the functions that ``flatten`` makes

MAX_WORK = 200_000
"""Operations of a model after its functions are expanded: nested calls grow exponentially."""


class Kind(Enum):
    """What a set or relation can be; the values are words for messages."""

    SET = "a set"
    RELATION = "a relation"
    EITHER = "empty"  # ``0``, which fits both
    ANY = "unknown"  # a parameter of a function that is checked by itself, or an element of a set


@dataclass(frozen=True, slots=True)
class SetOrRelation:
    """A set or relation; `chosen` names those choices of the search that it depends on."""

    kind: Kind
    chosen: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TupleType:
    """The types of the elements of a tuple."""

    elements: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class ClosureType:
    """A function of the model, with the types of the names that its body sees."""

    function: Function
    names: Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class BuiltInType:
    """A predefined function."""

    name: str


Type = Union[SetOrRelation, TupleType, ClosureType, BuiltInType]
Names = dict[str, Type]
ANY = SetOrRelation(Kind.ANY)

_COLLECTIONS = {  # functions that give sets of sets or relations: their operands
    "generate_orders": (Kind.SET, Kind.RELATION),
    "generate_cos": (Kind.RELATION,),
    "linearisations": (Kind.SET, Kind.RELATION),
    "classes-loc": (Kind.SET,),
    "partition": (Kind.SET,),
    "classes": (Kind.RELATION,),
}

_BUILT_INS = {  # name: operand, result
    "domain": (Kind.RELATION, Kind.SET),
    "range": (Kind.RELATION, Kind.SET),
    "fencerel": (Kind.SET, Kind.RELATION),
    "toid": (Kind.SET, Kind.RELATION),
}


@dataclass
class Inference:
    """Infers the types of the expressions of one model.

    Parameters
    ----------
    variants : frozenset of str
        The variants that are selected.
    labels : frozenset of str
        Names of sets besides the predefined ones.
    order : str
        The name of the coherence order.
    lenient : list of str or None
        Inside ``try``: collects unknown names, which are errors elsewhere.
    work : int
        Expressions looked at, those of functions once for each call.
    returns : bool
        Whether the model names ``RET``.
    """

    variants: frozenset[str]
    labels: frozenset[str]
    order: str
    lenient: list[str] | None = None
    work: int = 0
    returns: bool = False

    # Expressions

    def infer(self, expression: Expression, names: Names) -> Type:
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
            case syntax.Variable(name, position):
                return self.variable(name, position, names)
            case syntax.Empty():
                return SetOrRelation(Kind.EITHER)
            case syntax.Universe():
                return SetOrRelation(Kind.SET)
            case syntax.SetOf(elements, _):
                parts = [self.expect(element, names, (Kind.SET,), "'{…}'") for element in elements]
                return SetOrRelation(Kind.SET, _chosen(*parts))
            case syntax.Identity(body, _):
                return SetOrRelation(Kind.RELATION, self.expect(body, names, (Kind.SET,), "'[…]'").chosen)
            case syntax.Unary("~", body, _):
                operand = self.expect(body, names, (Kind.SET, Kind.RELATION), "'~'")
                return SetOrRelation(Kind.RELATION if operand.kind is Kind.EITHER else operand.kind, operand.chosen)
            case syntax.Unary(operator, body, _):
                return SetOrRelation(Kind.RELATION, self.expect(body, names, (Kind.RELATION,), f"'{operator}'").chosen)
            case syntax.Binary(operator, left, right, _):
                return self.binary(operator, left, right, names)
            case syntax.Apply():
                return self.apply(expression, names)
            case syntax.Tuple(elements, _):
                return TupleType(tuple(self.infer(element, names) for element in elements))
            case Function():
                return self.function(expression, names)
            case syntax.LetIn(bindings, recursive, body, _):
                return self.infer(body, names | self.bind(bindings, recursive, names))
            case syntax.Try():
                return self.attempt(expression, names)
            case syntax.Match(body, empty, element, others, otherwise, _):
                self.infer(body, names)
                self.infer(empty, names)
                self.infer(otherwise, names | {name: ANY for name in (element, others) if name is not None})
                return ANY
            case syntax.If(condition, then, otherwise, _):
                return self.infer(then if holds(condition, self.variants) else otherwise, names)

    def expect(self, expression: Expression, names: Names, kinds: tuple[Kind, ...], what: str) -> SetOrRelation:
        """Infer the type of an operand of `what`, which must be of one of some kinds (or empty, or unknown)."""
        found = self.infer(expression, names)
        if isinstance(found, SetOrRelation) and found.kind in (*kinds, Kind.EITHER, Kind.ANY):
            return found
        if len(kinds) == 2:
            needed = "sets or relations"
        else:
            needed = "sets" if kinds[0] is Kind.SET else "relations"
        raise start(expression).error(f"{what} needs {needed}, but {shown(expression)} is {word(found)}")

    def variable(self, name: str, position: Position, names: Names) -> Type:
        if name in names:
            return names[name]
        entry = predefined(name, self.order)
        if entry is not None and entry.kind == "function":
            return BuiltInType(entry.name)
        if entry is not None:
            self.returns |= name == RETURN_SET
            kind = Kind.SET if entry.kind == "set" else Kind.RELATION
            return SetOrRelation(kind, frozenset((name,)) if entry.chosen else frozenset())
        if name in self.labels:
            return SetOrRelation(Kind.SET)
        if self.lenient is not None:
            self.lenient.append(name)
            return ANY
        raise position.error(self.unknown(name, names))

    def unknown(self, name: str, names: Names) -> str:
        if predefined(name) is not None:
            return f"there is no '{name}' in a model that chooses '{self.order}'"
        known = sorted((*(own for own in names if "#" not in own), *PREDEFINED, *self.labels))
        close = get_close_matches(name, known, 1)
        return f"unknown name '{name}'" + (f"; did you mean '{close[0]}'?" if close else "")

    def binary(self, operator: str, left: Expression, right: Expression, names: Names) -> Type:
        what = f"'{operator}'"
        if operator == "++":
            self.infer(left, names)
            self.infer(right, names)
            return ANY
        if operator in (";", "*"):
            kinds = (Kind.RELATION,) if operator == ";" else (Kind.SET,)
            first = self.expect(left, names, kinds, what)
            second = self.expect(right, names, kinds, what)
            return SetOrRelation(Kind.RELATION, _chosen(first, second))
        first = self.expect(left, names, (Kind.SET, Kind.RELATION), what)
        second = self.expect(right, names, (Kind.SET, Kind.RELATION), what)
        if {first.kind, second.kind} == {Kind.SET, Kind.RELATION}:
            message = (
                f"{what} needs two sets or two relations, but {shown(left)} is {first.kind.value} "
                f"and {shown(right)} is {second.kind.value}"
            )
            raise start(right).error(message)
        open_kinds = (Kind.EITHER, Kind.ANY)
        if first.kind in open_kinds and second.kind in open_kinds:
            kind = Kind.ANY if Kind.ANY in (first.kind, second.kind) else Kind.EITHER
        else:
            kind = second.kind if first.kind in open_kinds else first.kind
        return SetOrRelation(kind, _chosen(first, second))

    def attempt(self, attempt: syntax.Try, names: Names) -> Type:
        """Type ``try``: an unknown name in its first part may be a label that only some tests have."""
        outer, self.lenient = self.lenient, []
        try:
            body = self.infer(attempt.body, names)
            unknown = self.lenient
        finally:
            self.lenient = outer
        if not unknown:
            return body
        fallback = self.infer(attempt.fallback, names)
        if not isinstance(body, SetOrRelation) or not isinstance(fallback, SetOrRelation):
            return fallback
        if {body.kind, fallback.kind} == {Kind.SET, Kind.RELATION}:
            message = f"'try' has {body.kind.value} before 'with' and {fallback.kind.value} after it"
            raise start(attempt.fallback).error(message)
        kind = body.kind if fallback.kind is Kind.EITHER and body.kind is not Kind.ANY else fallback.kind
        return SetOrRelation(kind, _chosen(body, fallback))

    # Functions

    def function(self, function: Function, names: Names) -> Type:
        """Check a function by itself: unknown names are errors whatever its arguments are."""
        inside = {parameter: ANY for parameter in function.parameters if parameter is not None}
        self.infer(function.body, names | inside)
        return ClosureType(function, dict(names))

    def apply(self, call: syntax.Apply, names: Names) -> Type:
        function = self.infer(call.function, names)
        if isinstance(function, BuiltInType):
            if function.name in _COLLECTIONS:
                return self.collection(function.name, call, names)
            if function.name == "tag2events":
                raise start(call.function).error("tags are not supported")
            if function.name not in _BUILT_INS:
                message = f"'{function.name}' can only be chosen from: with … from {function.name}(S)"
                raise start(call.function).error(message)
            wanted, result = _BUILT_INS[function.name]
            return SetOrRelation(result, self.expect(call.argument, names, (wanted,), f"'{function.name}'").chosen)
        if isinstance(function, ClosureType):
            return self.enter(call, function, self.infer(call.argument, names))
        if function == ANY:
            self.infer(call.argument, names)
            return ANY
        raise start(call.function).error(f"{shown(call.function)} is {word(function)}, not a function")

    def collection(self, name: str, call: syntax.Apply, names: Names) -> Type:
        """Type a call of a function that gives a set of sets or of relations."""
        kinds = _COLLECTIONS[name]
        if len(kinds) == 1:
            self.expect(call.argument, names, kinds, f"'{name}'")
            return ANY
        if not isinstance(call.argument, syntax.Tuple) or len(call.argument.elements) != len(kinds):
            message = f"'{name}' takes {len(kinds)} arguments: {' and '.join(kind.value for kind in kinds)}"
            raise start(call.argument).error(message)
        for kind, element in zip(kinds, call.argument.elements, strict=True):
            self.expect(element, names, (kind,), f"'{name}'")
        return ANY

    def enter(self, call: syntax.Apply, closure: ClosureType, argument: Type) -> Type:
        parameters = closure.function.parameters
        if isinstance(call.argument, syntax.Tuple) or len(parameters) != 1:
            given: tuple[Type, ...]
            if isinstance(argument, TupleType):
                given = argument.elements
            else:
                given = (ANY,) * len(parameters) if argument == ANY else (argument,)
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

    def bind(self, bindings: tuple[Binding, ...], recursive: bool, names: Names) -> Names:
        if recursive:
            return self.bind_recursive(bindings, names)
        bound: Names = {}
        for binding in bindings:
            type_ = self.infer(binding.body, names)
            if len(binding.names) == 1:
                parts: tuple[Type, ...] = (type_,)
            elif isinstance(type_, TupleType):
                parts = type_.elements
            elif type_ == ANY:
                parts = (ANY,) * len(binding.names)
            else:
                message = f"expected a tuple of {len(binding.names)}, but {shown(binding.body)} is {word(type_)}"
                raise start(binding.body).error(message)
            if len(parts) != len(binding.names):
                message = f"expected a tuple of {len(binding.names)}, but this one has {len(parts)}"
                raise start(binding.body).error(message)
            for name, part in zip(binding.names, parts, strict=True):
                if name is not None:
                    _new(name, bound, binding.position)
                    bound[name] = part
        return bound

    def bind_recursive(self, bindings: tuple[Binding, ...], names: Names) -> Names:
        """Type ``let rec``: iterate from ``0`` until the types no longer change."""
        bound: Names = {}
        for binding in bindings:
            if len(binding.names) != 1 or binding.names[0] is None:
                raise binding.position.error("'let rec' defines names, not patterns")
            _new(binding.names[0], bound, binding.position)
            bound[binding.names[0]] = SetOrRelation(Kind.EITHER)
        functions = [isinstance(binding.body, Function) for binding in bindings]
        if any(functions):
            if not all(functions):
                message = "'let rec' defines functions, or sets and relations, but not both at once"
                raise bindings[functions.index(False)].position.error(message)
            for binding in bindings:  # the type of a result may depend on itself: unknown
                self.infer(binding.body, names | dict.fromkeys(bound, ANY))
            return dict.fromkeys(bound, ANY)
        before: Names = {}
        while bound != before:
            before = bound
            kinds = (Kind.SET, Kind.RELATION)
            bound = {
                str(binding.names[0]): self.expect(binding.body, names | before, kinds, "'let rec'")
                for binding in bindings
            }
        return bound


def _new(name: str, bound: Names, place: Position) -> None:
    if name in bound:
        raise place.error(f"'{name}' is defined twice")


@contextmanager
def _called(function: Function, place: Position) -> Iterator[None]:
    """Add the innermost call to the errors of a function's body."""
    try:
        yield
    except InputError as error:
        if "called at" not in error.message:
            where = f"line {place.line}" if place.path == error.path else f"{place.path}:{place.line}"
            error.message += f" (in '{function.name}', called at {where})"
        raise


def _chosen(*parts: SetOrRelation) -> frozenset[str]:
    return frozenset().union(*(part.chosen for part in parts))


def shown(expression: Expression) -> str:
    """Quote an expression in a message."""
    text = _PART_OF_PROCEDURE.sub("", format_expression(expression))
    return f"'{text if len(text) <= 60 else text[:57] + '…'}'"


def word(type_: Type) -> str:
    """Say in a message what something is."""
    match type_:
        case SetOrRelation(kind, _):
            return kind.value
        case TupleType():
            return "a tuple"
        case ClosureType() | BuiltInType():
            return "a function"
