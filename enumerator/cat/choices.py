"""Models that compute their coherence orders themselves, as herd's do, in terms of the search's own order.

herd gives a model candidate reads-from relations and final writes (``FW``), and the model says ``with co from
generate_cos(r)``, where ``cross.cat`` computes all products of the linear extensions of r, location by location. Such
functions are recognised by what they are, name by name, and ``with`` becomes a definition over the order that the
search chooses; any other source is left to the plain evaluator, which computes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from enumerator.cat.predefined import DEFAULT_ORDER
from enumerator.cat.syntax import (
    Apply,
    Binary,
    Binding,
    Check,
    Choose,
    Empty,
    Expression,
    Function,
    Identity,
    If,
    IfStatement,
    Let,
    LetIn,
    Match,
    Model,
    Position,
    SetOf,
    Statement,
    Try,
    Tuple,
    Unary,
    Universe,
    Variable,
)
from enumerator.cat.tree import format_expression, holds

__all__ = ["computes_orders", "digest", "is_native", "order_name", "prepare"]

GENERATORS = ("generate_orders", "generate_cos")
"""Functions that give all products of linear extensions: of (S, r), and of r for all writes."""

_KNOWN = {
    # herd7's cross.cat, from 2014 to now: alike but for comments
    "generate_orders": "38523718451dfd6ab765ca9c52e4a842",
    "generate_cos": "6d9122f8ed8d1608b3402b3e425df5f7",
}
_ALIASES = {"partition": "classes-loc"}


def prepare(model: Model, variants: frozenset[str]) -> Model:
    """Put choices of computed orders in terms of the order that the search chooses.

    ``with mo from generate_orders(S, r)`` over writes S becomes ``let mo = co & (S * S)`` and the axiom that mo has
    all pairs of r between events of S of one location. The search orders all writes; that a candidate counts once,
    whatever the order of the writes outside of S, is an axiom too: they come first, in the order of the test's text,
    but for the final write.

    Parameters
    ----------
    model : Model
        With its includes.
    variants : frozenset of str
        Those that are selected.

    Returns
    -------
    Model
        The same, where the model computes no orders.

    References
    ----------
    Alglave, Cousot, Maranget: Syntax and semantics of the weak consistency model specification language cat, 2016:
    ``with`` and linearisations. herd7, ``herd/libdir/cross.cat`` and ``cos.cat``.
    """
    if not computes_orders(model.statements, variants):
        return model
    pass_ = _Preparation(variants)
    statements = tuple(pass_.run(model.statements, _Scope({})))
    if not pass_.native:  # the search chooses no more than the final writes
        place = Position(model.path, 1, 1)
        statements = (*_counted_once(_name("IW", place), place), *statements)
    return replace(model, statements=statements, merged=True)


def computes_orders(statements: Iterable[Statement], variants: frozenset[str]) -> bool:
    """Tell whether a model chooses from anything but ``orders`` and ``subsets``."""
    for statement in statements:
        if isinstance(statement, Choose) and not is_native(statement):
            return True
        if isinstance(statement, IfStatement):
            chosen = holds(statement.condition, variants)
            if computes_orders(statement.then if chosen else statement.otherwise, variants):
                return True
    return False


def is_native(choose: Choose) -> bool:
    """Tell whether a choice is one that the search makes: ``orders(S)`` or ``subsets(S)``."""
    source = choose.source
    return (
        isinstance(source, Apply)
        and isinstance(source.function, Variable)
        and source.function.name in ("orders", "subsets")
    )


def order_name(statements: Iterable[Statement]) -> str:
    """Name the coherence order of a model: that of ``with mo from orders(S)``, else ``co``.

    Parameters
    ----------
    statements : iterable of Statement
        Without conditional statements and procedures (:func:`enumerator.cat.flatten.flatten`).
    """
    for statement in statements:
        match statement:
            case Choose(name, Apply(Variable("orders"), _)):
                return name
    return DEFAULT_ORDER


@dataclass
class _Scope:
    """What names mean: their canonical text."""

    names: dict[str, str]


class _Preparation:
    def __init__(self, variants: frozenset[str]) -> None:
        self.variants = variants
        self.native = False

    def run(self, statements: Sequence[Statement], scope: _Scope) -> list[Statement]:
        """Rewrite statements; `scope` learns their definitions."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Let(bindings, recursive, _):
                    _define(scope.names, bindings, recursive)
                    kept = tuple(binding for binding in bindings if not self.known(binding, scope))
                    if kept:
                        result.append(replace(statement, bindings=kept))
                case IfStatement(condition, then, otherwise, _):
                    chosen = holds(condition, self.variants)
                    # the branch that is not selected stays as it is: nobody looks into it
                    branch = tuple(self.run(then if chosen else otherwise, scope))
                    result.append(replace(statement, then=branch) if chosen else replace(statement, otherwise=branch))
                case Choose(name, _, _) if not is_native(statement):
                    result += self.choice(statement, scope)
                    scope.names[name] = f"chosen {name}"
                case _:
                    result.append(statement)
        return result

    @staticmethod
    def known(binding: Binding, scope: _Scope) -> bool:
        """Tell whether a definition is one of a generator: then the built-in function of that name shows instead."""
        name = binding.names[0] if len(binding.names) == 1 else None
        if name is None or scope.names.get(name) != _KNOWN.get(name, ""):
            return False
        scope.names[name] = name
        return True

    def choice(self, choose: Choose, scope: _Scope) -> list[Statement]:
        place = choose.position
        found = _generator(choose.source, scope.names)
        if found is None or self.native:
            return [choose]
        writes, base = found
        if not _are_writes(writes, scope.names):
            return [choose]
        self.native = True
        order: Expression = _name("co", place)
        if not (isinstance(writes, Variable) and writes.name in ("W", "W#")):
            order = Binary("&", order, Binary("*", writes, writes, place), place)
        mo = Variable(choose.name, place)
        pairs = Binary("&", base, Binary("&", _name("loc", place), Binary("*", writes, writes, place), place), place)
        rest = Binary("\\", pairs, mo, place)
        text = f"empty ({format_expression(base)}) \\ {choose.name}"
        return [
            Let((Binding((choose.name,), order, place),), False, place),
            Check("axiom", "empty", False, rest, f"{choose.name} extends its base", place, text),
            *_counted_once(writes, place),
        ]


def _counted_once(writes: Expression, place: Position) -> list[Statement]:
    """Make the place of writes outside of a set in the search's order a matter of course, but for the final one."""
    all_writes, initial, final = _name("W", place), _name("IW", place), _name("FW", place)
    order, earlier = _name("co", place), _name("text-order", place)
    if isinstance(writes, Variable) and writes.name in ("W", "W#"):
        return []
    low = Binary("\\", Binary("\\", all_writes, writes, place), final, place)
    below = Binary("&", order, Binary("*", Binary("\\", writes, initial, place), low, place), place)
    sorted_ = Binary("\\", Binary("&", order, Binary("*", low, low, place), place), earlier, place)
    return [
        Check("axiom", "empty", False, part, "counted once", place, f"empty {format_expression(part)}")
        for part in (below, sorted_)
    ]


def _name(name: str, place: Position) -> Variable:
    """Give a predefined name, whatever the model calls so: no model can write the mark."""
    return Variable(f"{name}#", place)


def _generator(source: Expression, names: Mapping[str, str]) -> tuple[Expression, Expression] | None:
    """Take apart ``generate_orders(S, r)`` and ``generate_cos(r)``, if these names mean what they say."""
    match source:
        case Apply(Variable(name, place), argument, _) if name in GENERATORS and names.get(name, name) == name:
            if name == "generate_cos":
                return _name("W", place), argument
            if isinstance(argument, Tuple) and len(argument.elements) == 2:
                return argument.elements[0], argument.elements[1]
    return None


def _are_writes(members: Expression, names: Mapping[str, str]) -> bool:
    """Tell whether a set has writes only, as far as it is written so: W, or an intersection with W."""
    match members:
        case Variable("W#"):
            return True
        case Variable("W"):
            return "W" not in names
        case Binary("&", left, right, _):
            return _are_writes(left, names) or _are_writes(right, names)
    return False


# Recognition -------------------------------------------------------------------------------------------------


def digest(expression: Expression, names: Mapping[str, str] | None = None) -> str:
    """Give a number that two expressions share only if they differ in nothing but bound names and places.

    Parameters
    ----------
    expression : Expression
    names : mapping of str to str, optional
        What free names mean, as text.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_expression
    >>> one, other, third = map(parse_expression, ("fun x -> x ; po", "fun y -> (y ; po)", "fun x -> po ; x"))
    >>> digest(one) == digest(other), digest(one) == digest(third)
    (True, False)
    """
    return _short(_canonical(expression, dict(names or {}), 0))


def _short(text: str) -> str:
    """Stand for a text that may be long: definitions that are put into each other double at every step."""
    return text if len(text) <= 32 else sha256(text.encode()).hexdigest()[:32]


def _define(names: dict[str, str], bindings: Sequence[Binding], recursive: bool, level: int = 0) -> int:
    """Add definitions to what names mean; give the level for what follows."""
    inside = names
    if recursive:
        bound = [name for binding in bindings for name in binding.names if name is not None]
        inside = {**names, **{name: f"${level + number}" for number, name in enumerate(bound)}}
        bodies = [_canonical(binding.body, inside, level + len(bound)) for binding in bindings]
        system = _short(f"rec({level}; {'; '.join(bodies)})")
        names.update({name: f"{system}.{number}" for number, name in enumerate(bound)})
        return level + len(bound)
    meanings = [_canonical(binding.body, inside, level) for binding in bindings]
    for binding, meaning in zip(bindings, meanings, strict=True):
        for number, name in enumerate(binding.names):
            if name is not None:
                names[name] = _short(meaning if len(binding.names) == 1 else f"{meaning}.{number}")
    return level


def _canonical(expression: Expression, names: Mapping[str, str], level: int) -> str:
    """Write an expression with its definitions put in, and bound names as numbers."""

    def write(part: Expression) -> str:
        return _canonical(part, names, level)

    match expression:
        case Variable(name, _):
            return names.get(name, _ALIASES.get(name, name))
        case Empty():
            return "0"
        case Universe():
            return "_"
        case SetOf(elements, _):
            return f"{{{', '.join(map(write, elements))}}}"
        case Identity(body, _):
            return f"[{write(body)}]"
        case Unary(operator, body, _):
            return f"({write(body)}){operator}"
        case Binary(operator, left, right, _):
            return f"({write(left)} {operator} {write(right)})"
        case Apply(function, argument, _):
            return f"apply({write(function)}; {write(argument)})"
        case Tuple(elements, _):
            return f"({', '.join(map(write, elements))},)"
        case Function(parameters, body, _):
            return f"fun({len(parameters)}; {_under(parameters, body, names, level)})"
        case LetIn(bindings, recursive, body, _):
            inner = dict(names)
            return _canonical(body, inner, _define(inner, bindings, recursive, level))
        case Try(body, fallback, _):
            return f"try({write(body)}; {write(fallback)})"
        case If(condition, then, otherwise, _):
            return f"if({condition}; {write(then)}; {write(otherwise)})"
        case Match(body, empty, element, others, otherwise, _):
            more = _under((element, others), otherwise, names, level)
            return f"match({write(body)}; {write(empty)}; {more})"


def _under(bound: Sequence[str | None], body: Expression, names: Mapping[str, str], level: int) -> str:
    inner = {**names, **{name: f"${level + number}" for number, name in enumerate(bound) if name is not None}}
    return _canonical(body, inner, level + len(bound))
