"""A model whose reads all return what some write wrote, from one in which some return undef."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from enumerator.cat import prepared
from enumerator.cat.kept import once_a_model
from enumerator.cat.predefined import UNDEF_SET
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import (
    Binary,
    Binding,
    Check,
    Choose,
    Empty,
    Expression,
    Identity,
    Let,
    Model,
    Statement,
    Unary,
    Variable,
)
from enumerator.cat.typing import world

__all__ = ["RETURNS_UNDEF", "decided_by_undef", "made_of", "reads_of", "undef_rule", "without_undef"]

RETURNS_UNDEF = "returns undef"
"""The flag of a read that the model gives undef; no flag of a model's own has a blank in its name."""


def without_undef(model: Model) -> Model | None:
    """Give a model in which each read returns what a write wrote that it may see, undef by the rule or not.

    The rule is the axiom ``empty S \\ UNDEF``: a read in S returns undef. In its place there is the flag
    :data:`RETURNS_UNDEF`. An execution without this flag is one of both models, and no read of it returns undef.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Model or None
        None for a model that has no undef, or no such rule.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> text = "with UNDEF from subsets(R) empty UNDEF \\\\ racy as a empty racy \\\\ UNDEF as b"
    >>> model = without_undef(parse_text("let racy = R " + text, "m.cat"))
    >>> [check.name for check in model.statements if isinstance(check, Check)]
    ['a', 'returns undef']
    >>> without_undef(parse_text("acyclic po | rf", "m.cat")) is None
    True
    """
    return _replaced(model, lambda rule: (replace(rule, kind="flag", negated=True, name=RETURNS_UNDEF),))


def decided_by_undef(model: Model) -> Model | None:
    r"""Give a model of the executions in which such a read decides where a thread goes on, or what it accesses.

    As :func:`without_undef`, but the executions have a read in S with a dependency of a branch or an address on it,
    or on what was written with its value and read again; and no value in them depends on itself.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Model or None

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> from enumerator.cat.tree import format_expression
    >>> model = parse_text("with UNDEF from subsets(R) let racy = R empty racy \\ UNDEF as b", "m.cat")
    >>> print(format_expression(decided_by_undef(model).statements[-2].body))
    ([racy] ; ((data | rmw) ; rf)*) ; (ctrl | addr)
    """

    def decides(rule: Check) -> tuple[Check, Check]:
        at = rule.position
        data, rmw, rf, ctrl, addr = (Variable(name, at) for name in ("data", "rmw", "rf", "ctrl", "addr"))
        written, decided = Binary("|", data, rmw, at), Binary("|", ctrl, addr, at)
        read_again = Unary("*", Binary(";", written, rf, at), at)
        body = Binary(";", Binary(";", Identity(reads_of(rule), at), read_again, at), decided, at)
        causes = Binary("|", rf, Binary("|", written, decided, at), at)
        return replace(rule, body=body, negated=True), Check("axiom", "acyclic", False, causes, None, at)

    return _replaced(model, decides)


def made_of(selected: SelectedModel, make: Callable[[Model], Model | None]) -> SelectedModel | None:
    """Give the model that is made of a selected one; of a shipped one as an earlier run has kept it, if one has.

    Parameters
    ----------
    selected : SelectedModel
    make : callable
        :func:`without_undef` or :func:`decided_by_undef`.

    Returns
    -------
    SelectedModel or None
        None where none can be made.
    """
    made = _made(selected.model, selected.variants, make)
    return None if made is None else replace(selected, model=made)


@once_a_model
def _made(model: Model, variants: frozenset[str], make: Callable[[Model], Model | None]) -> Model | None:
    shipped = prepared.prepared(model, variants)
    if shipped is None:
        return make(model)
    what = shipped.name, make.__name__
    known = prepared.read(what)
    if known is not None:
        return known.selected.model
    made = make(model)
    if made is not None:
        prepared.register(what, SelectedModel(made.title, made, variants, {}), world(made, variants))
    return made


@once_a_model
def undef_rule(model: Model) -> Check | None:
    r"""Give the axiom ``empty S \ UNDEF`` of a model; None if it has no undef, or no such axiom.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Check or None
    """
    rules = [each for each in model.statements if isinstance(each, Check) and _is_rule(each)]
    return rules[0] if len(rules) == 1 and any(map(_is_choice, model.statements)) else None


def reads_of(rule: Check) -> Expression:
    """Give the S of such an axiom: the reads that return undef."""
    assert isinstance(rule.body, Binary)
    return rule.body.left


def _replaced(model: Model, instead: Callable[[Check], tuple[Check, ...]]) -> Model | None:
    """Give a model in which no read returns undef, with something instead of the axiom."""
    rule = undef_rule(model)
    if rule is None:
        return None
    statements: list[Statement] = []
    for each in model.statements:
        if _is_choice(each):
            assert isinstance(each, Choose)
            statements.append(Let((Binding((UNDEF_SET,), Empty(each.position), each.position),), False, each.position))
        else:
            statements += instead(rule) if each is rule else (each,)
    return replace(model, statements=tuple(statements))


def _is_choice(statement: Statement) -> bool:
    return isinstance(statement, Choose) and statement.name == UNDEF_SET


def _is_rule(check: Check) -> bool:
    """Tell whether a check is ``empty S \\ UNDEF``."""
    body = check.body
    return (
        (check.kind, check.test, check.negated) == ("axiom", "empty", False)
        and isinstance(body, Binary)
        and body.operator == "\\"
        and isinstance(body.right, Variable)
        and body.right.name == UNDEF_SET
    )
