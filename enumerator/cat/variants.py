"""The variants of a model: which there are, and which options are selected by naming some of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from enumerator.cat.flatten import declared_options
from enumerator.cat.kept import once_a_model
from enumerator.cat.parser import find_model
from enumerator.cat.syntax import Expression, If, IfStatement, Model, Procedure, Statement
from enumerator.cat.tree import children, conditions, expressions
from enumerator.errors import InputError

__all__ = ["chosen_options", "known_variants", "option_of", "split_variants"]


@once_a_model
def known_variants(model: Model) -> Mapping[str, str]:
    """List the variants that can be chosen.

    Parameters
    ----------
    model : Model
        With its includes.

    Returns
    -------
    mapping of str to str
        The option that each variant belongs to: first the alternatives of ``variants`` statements, as declared; then,
        sorted, the names that only occur in ``if "name"``, each an option of its own that is off by default.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> known_variants(parse_text('variants hb = near | far if "far" acyclic po end if "x" acyclic rf end', "m.cat"))
    {'near': 'hb', 'far': 'hb', 'x': 'x'}
    """
    declared = declared_options(model)
    known = {alternative: option for option, alternatives in declared.items() for alternative in alternatives}
    return known | {name: name for name in sorted(set(_tested(model.statements))) if name not in known}


def option_of(model: Model, variant: str) -> str | None:
    """Give the option that a variant belongs to (``hb`` for ``direct``), or None."""
    return known_variants(model).get(variant)


def chosen_options(model: Model, name: str, variants: Iterable[str]) -> dict[str, str]:
    """Give the alternatives of options that some variants select.

    Parameters
    ----------
    model : Model
        With its includes.
    name : str
        Its name in messages.
    variants : iterable of str

    Returns
    -------
    dict of str to str
        Only of the options that the variants belong to.

    Raises
    ------
    InputError
        For a variant that the model does not have (naming those it has), or two that exclude each other.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> model = parse_text("variants hb = near | far", "m.cat")
    >>> chosen_options(model, "m", ["far"])
    {'hb': 'far'}
    >>> chosen_options(model, "m", ["away"])
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: model 'm' has no variant 'away': there are near, far
    """
    options: dict[str, str] = {}
    known = known_variants(model) if variants else {}
    for variant in variants:
        if variant not in known:
            has = f"there are {', '.join(known)}" if len(known) > 1 else f"there is {next(iter(known), 'none')}"
            raise InputError(f"model '{name}' has no variant '{variant}': {has}")
        before = options.setdefault(known[variant], variant)
        if before != variant:
            raise InputError(f"'{variant}' and '{before}' exclude each other: both are '{known[variant]}'")
    return options


def split_variants(
    model_name_or_path: str | Path, include_dirs: Sequence[Path] = ()
) -> tuple[str, Path, tuple[str, ...]]:
    """Split ``MODEL/VARIANT…``.

    Parameters
    ----------
    model_name_or_path : str or Path
    include_dirs : sequence of Path

    Returns
    -------
    (str, Path, tuple of str)
        The model as it was given, its file, and the variants. A text that is the name of a model or a file as a whole
        has no variants.

    Raises
    ------
    InputError
        If there is no such model.

    Examples
    --------
    >>> name, path, variants = split_variants("llvm/direct/none")
    >>> name, path.name, variants
    ('llvm', 'llvm.cat', ('direct', 'none'))
    """
    text = str(model_name_or_path)
    parts = text.split("/")
    for end in range(len(parts), 0, -1):
        name, variants = "/".join(parts[:end]), tuple(parts[end:])
        if not name:
            break
        try:
            return name, find_model(name, include_dirs), variants
        except InputError:
            continue
    return text, find_model(text, include_dirs), ()


def _tested(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, IfStatement):
            yield from conditions(statement.condition)
            yield from _tested((*statement.then, *statement.otherwise))
        elif isinstance(statement, Procedure):
            yield from _tested(statement.body)
        else:
            left: list[Expression] = list(expressions(statement))
            while left:
                expression = left.pop()
                if isinstance(expression, If):
                    yield from conditions(expression.condition)
                left += children(expression)
