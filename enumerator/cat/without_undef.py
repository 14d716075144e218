"""A model whose reads all return what some write wrote, from one in which some return undef."""

from __future__ import annotations

from dataclasses import replace

from enumerator.cat.kept import once_a_model
from enumerator.cat.predefined import UNDEF_SET
from enumerator.cat.syntax import Binary, Binding, Check, Choose, Empty, Let, Model, Statement, Variable

__all__ = ["RETURNS_UNDEF", "without_undef"]

RETURNS_UNDEF = "returns undef"
"""The flag of a read that the model gives undef; no flag of a model's own has a blank in its name."""


@once_a_model
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
    rules = [each for each in model.statements if isinstance(each, Check) and _is_rule(each)]
    if len(rules) != 1 or not any(isinstance(each, Choose) and each.name == UNDEF_SET for each in model.statements):
        return None
    statements: list[Statement] = []
    for each in model.statements:
        if isinstance(each, Choose) and each.name == UNDEF_SET:
            nothing = Binding((UNDEF_SET,), Empty(each.position), each.position)
            statements.append(Let((nothing,), False, each.position))
        elif each is rules[0]:
            statements.append(replace(each, kind="flag", negated=True, name=RETURNS_UNDEF))
        else:
            statements.append(each)
    return replace(model, statements=tuple(statements))


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
