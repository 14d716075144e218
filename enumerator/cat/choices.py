"""Models that compute their coherence orders themselves, as herd's do, in terms of the search's own order.

herd gives a model candidate reads-from relations and final writes (``FW``), and the model says ``with co from
generate_cos(r)``, where ``cross.cat`` computes all products of the linear extensions of r, location by location. Such
functions are recognised by what they are, name by name, and ``with`` becomes a definition over the order that the
search chooses; any other source is left to the plain evaluator, which computes it.
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
    Variable,
)
from enumerator.cat.tree import format_expression, holds

__all__ = ["computes_orders", "digest", "is_native", "order_name", "prepare"]


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
                    # the branch that is not selected stays as it is: nobody looks into it
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
        """Tell whether a definition says what is predefined under its name: then the predefined name shows instead."""
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
        pairs = Binary("&", base, Binary("&", _name("loc", place), Binary("*", writes, writes, place), place), place)
        rest = Binary("\\", pairs, mo, place)
        text = f"empty ({format_expression(base)}) \\ {choose.name}"
        return [
            Let((Binding((choose.name,), order, place),), False, place),
            Check("axiom", "empty", False, rest, f"{choose.name} extends its base", place, text),
            *_counted_once(writes, place),
        ]

    def generated(self, source: Expression) -> tuple[Expression, Expression] | None:
        """Take ``generate_orders(S, r)`` or ``generate_cos(r)`` apart: S and r, if these names mean what they say."""
        match source:
            case Apply(Variable(name), _, _) if name in self.meanings:  # a function of the model
                return None
            case Apply(Variable("generate_cos", place), base, _):
                return _name("W", place), base
            case Apply(Variable("generate_orders"), Tuple((writes, base)), _):
                return writes, base
        return None

    def are_writes(self, members: Expression) -> bool:
        """Tell whether a set has writes only by how it is written: W, or an intersection with W."""
        match members:
            case Variable("W#"):
                return True
            case Variable("W"):
                return "W" not in self.meanings
            case Binary("&", left, right, _):
                return self.are_writes(left) or self.are_writes(right)
        return False


def _counted_once(writes: Expression, place: Position) -> list[Statement]:
    """Make the place of writes outside of a set in the search's order a matter of course, but for the final one."""
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
    """Give a predefined name, whatever the model calls so: no model can write the mark."""
    return Variable(f"{name}#", place)


def _is_all_writes(writes: Expression) -> bool:
    return isinstance(writes, Variable) and writes.name in ("W", "W#")
