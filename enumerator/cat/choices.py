"""Choices of a model (``with x from e``), and how those of herd's models become choices of the search.

herd gives a model the reads-from relation and the final writes (``FW``) of a candidate execution. The model computes
coherence orders by ``with co from generate_cos(r)``: all unions of a linear extension of r for each location. Here
such a choice is replaced by a definition over the coherence order that the search chooses. Any other computed set is
left to the reference engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from enumerator.cat.predefined import DEFAULT_ORDER
from enumerator.cat.recognition import Meanings, chosen, define, digest, is_generator
from enumerator.cat.syntax import (
    Apply,
    Binary,
    Binding,
    Check,
    Choose,
    Expression,
    IfStatement,
    Let,
    Model,
    Position,
    Statement,
    Tuple,
    Unary,
    Variable,
)
from enumerator.cat.tree import format_expression, holds

__all__ = ["computes_orders", "digest", "is_native", "order_name", "prepare"]


def prepare(model: Model, variants: frozenset[str]) -> Model:
    """Replace choices from computed sets of orders by definitions over the order that the search chooses.

    ``with mo from generate_orders(S, r)``, S a set of writes, becomes ``let mo = co & (S * S)`` and the axiom that mo
    contains all pairs of r+ between events of S of the same location. The search orders all writes. So that each
    candidate execution counts once, further axioms fix the positions of the writes outside of S: the final write is
    last, the others come first, in the order of the test's text.

    Parameters
    ----------
    model : Model
        With its includes.
    variants : frozenset of str
        Those that are selected.

    Returns
    -------
    Model
        The same object, where the model computes no orders.

    References
    ----------
    Alglave, Cousot, Maranget: Syntax and semantics of the weak consistency model specification language cat, 2016:
    ``with`` and linearisations. herd7, ``herd/libdir/cross.cat`` and ``cos.cat``.
    """
    if not computes_orders(model.statements, variants):
        return model
    preparation = _Preparation(variants)
    statements = tuple(preparation.run(model.statements))
    if not preparation.native:  # the search chooses no more than the final writes
        place = Position(model.path, 1, 1)
        statements = (*_counted_once(_name("IW", place), place), *statements)
    return replace(model, statements=statements, merged=True)


def computes_orders(statements: Iterable[Statement], variants: frozenset[str]) -> bool:
    """Tell whether a model chooses from anything but ``orders`` and ``subsets``."""
    for statement in statements:
        if isinstance(statement, Choose) and not is_native(statement):
            return True
        if isinstance(statement, IfStatement):
            branch = statement.then if holds(statement.condition, variants) else statement.otherwise
            if computes_orders(branch, variants):
                return True
    return False


def is_native(choose: Choose) -> bool:
    """Tell whether a choice is made by the search: ``orders(S)`` or ``subsets(S)``."""
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


class _Preparation:
    """Rewrites the statements of a model.

    Parameters
    ----------
    variants : frozenset of str
        Those that are selected.
    """

    def __init__(self, variants: frozenset[str]) -> None:
        self.variants = variants
        self.meanings: Meanings = {}  # of the names defined so far
        self.native = False

    def run(self, statements: Sequence[Statement]) -> list[Statement]:
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Let(bindings, recursive, _):
                    define(self.meanings, bindings, recursive)
                    kept = tuple(binding for binding in bindings if not self.is_predefined(binding))
                    if kept:
                        result.append(replace(statement, bindings=kept))
                case IfStatement(condition, then, otherwise, _):
                    # the other branch is never looked at
                    if holds(condition, self.variants):
                        result.append(replace(statement, then=tuple(self.run(then))))
                    else:
                        result.append(replace(statement, otherwise=tuple(self.run(otherwise))))
                case Choose(name, _, _) if not is_native(statement):
                    result += self.choice(statement)
                    self.meanings[name] = chosen(name)
                case _:
                    result.append(statement)
        return result

    def is_predefined(self, binding: Binding) -> bool:
        """Tell whether a definition equals the predefined function of its name, which it then no longer hides."""
        name = binding.names[0] if len(binding.names) == 1 else None
        if name is None or not is_generator(name, self.meanings):
            return False
        del self.meanings[name]
        return True

    def choice(self, choose: Choose) -> list[Statement]:
        place = choose.position
        found = self.generated(choose.source)
        if found is None or self.native:
            return [choose]
        writes, base = found
        if not self.are_writes(writes):
            return [choose]
        self.native = True
        order: Expression = _name("co", place)
        if not _is_all_writes(writes):
            order = Binary("&", order, Binary("*", writes, writes, place), place)
        mo = Variable(choose.name, place)
        closed = base if self.is_co0(base) else Unary("+", base, place)
        pairs = Binary("&", closed, Binary("&", _name("loc", place), Binary("*", writes, writes, place), place), place)
        rest = Binary("\\", pairs, mo, place)
        text = f"empty ({format_expression(base)}) \\ {choose.name}"
        return [
            Let((Binding((choose.name,), order, place),), False, place),
            Check("axiom", "empty", False, rest, f"{choose.name} extends its base", place, text),
            *_counted_once(writes, place),
        ]

    def generated(self, source: Expression) -> tuple[Expression, Expression] | None:
        """Give S and r of ``generate_orders(S, r)`` or ``generate_cos(r)``, if these are the predefined functions."""
        match source:
            case Apply(Variable(name), _, _) if name in self.meanings:  # a function of the model
                return None
            case Apply(Variable("generate_cos", place), base, _):
                return _name("W", place), base
            case Apply(Variable("generate_orders"), Tuple((writes, base)), _):
                return writes, base
        return None

    def is_co0(self, base: Expression) -> bool:
        """Tell whether a relation is the predefined ``co0``, which is its own closure between writes."""
        return isinstance(base, Variable) and base.name == "co0" and "co0" not in self.meanings

    def are_writes(self, members: Expression) -> bool:
        """Tell whether a set is written so that it has writes only: W, or an intersection with W."""
        match members:
            case Variable("W#"):
                return True
            case Variable("W"):
                return "W" not in self.meanings
            case Binary("&", left, right, _):
                return self.are_writes(left) or self.are_writes(right)
        return False


def _counted_once(writes: Expression, place: Position) -> list[Statement]:
    """Fix the positions of the writes outside of a set in the order of the search, the final write last."""
    all_writes, initial, final = _name("W", place), _name("IW", place), _name("FW", place)
    order, earlier = _name("co", place), _name("text-order", place)
    if _is_all_writes(writes):
        return []
    low = Binary("\\", Binary("\\", all_writes, writes, place), final, place)
    below = Binary("&", order, Binary("*", Binary("\\", writes, initial, place), low, place), place)
    sorted_ = Binary("\\", Binary("&", order, Binary("*", low, low, place), place), earlier, place)
    return [
        Check("axiom", "empty", False, part, "counted once", place, f"empty {format_expression(part)}")
        for part in (below, sorted_)
    ]


def _name(name: str, place: Position) -> Variable:
    """Give a predefined name, even where a model hides it: no model can write the mark."""
    return Variable(f"{name}#", place)


def _is_all_writes(writes: Expression) -> bool:
    return isinstance(writes, Variable) and writes.name in ("W", "W#")
