"""Models, read, selected by their variants and checked, and what they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from enumerator.cat import prepared
from enumerator.cat.choices import prepare
from enumerator.cat.declarations import Declarations
from enumerator.cat.flatten import declared_options
from enumerator.cat.foreign import IMPLIED
from enumerator.cat.kept import once_a_model
from enumerator.cat.parser import find_model, load_model, parse_text, shipped_models
from enumerator.cat.syntax import Check, IfStatement, Let, Model, Procedure, Show, Statement
from enumerator.cat.tree import expressions, variables
from enumerator.cat.variants import chosen_options, split_variants
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel

__all__ = ["Declarations", "check_types", "select", "select_loaded", "world"]


def check_types(model: Model, variants: frozenset[str], labels: frozenset[str] = frozenset()) -> None:
    """Check the types and names of a model for given variants.

    Parameters
    ----------
    model : Model
        With its includes (:func:`enumerator.cat.parser.load_model`).
    variants : frozenset of str
        The names for which ``if "name"`` is true; branches that are not selected are not checked.
    labels : frozenset of str
        Further names that are sets of events.

    Raises
    ------
    InputError
        With the place of the operand, name or statement that is wrong.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> check_types(parse_text("let hb = po acyclic hbb", "m.cat"), frozenset())
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: m.cat:1:21: unknown name 'hbb'; did you mean 'hb'?
    """
    from enumerator.cat.checker import check_model  # models that are kept are checked already

    check_model(model, variants, labels)


@once_a_model  # to check a model takes longer than most searches
def world(model: Model, variants: frozenset[str]) -> Declarations:
    """Collect what a model declares: its coherence order, reads that may return undef, final values and options.

    Raises
    ------
    InputError
        Also for anything that :func:`check_types` refuses.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> from enumerator.cat.tree import format_expression
    >>> declarations = world(parse_text("with mo from orders(W & A)", "m.cat"), frozenset())
    >>> declarations.order_name, format_expression(declarations.order[1]), declarations.final
    ('mo', 'W & A', None)
    """
    known = prepared.prepared(model, variants)
    if known is not None:
        return known.declared
    from enumerator.cat.checker import check_model

    return check_model(model, variants, frozenset())


def select(
    model_name_or_path: str | Path,
    include_dirs: Sequence[str | Path] = (),
    options: Mapping[str, str] | None = None,
    variants: Sequence[str] = (),
    includes_anywhere: bool = False,
) -> SelectedModel:
    """Read a model, select its variants and check it.

    Parameters
    ----------
    model_name_or_path : str or Path
        A shipped model's name, or a path, and variants after it: ``MODEL/VARIANT…``.
    include_dirs : sequence of str or Path
        Where ``include`` looks besides the including file's folder and the shipped models; not for shipped ones.
    options : mapping of str to str
        For options that the model declares, an alternative instead of the default.
    variants : sequence of str
        Further variants: alternatives of any option, and names that are only used in ``if "name"``.
    includes_anywhere : bool
        Whether ``include`` may name files outside of these folders.

    Returns
    -------
    SelectedModel

    Raises
    ------
    InputError
        For an option or variant that the model does not have (naming those it has), variants that exclude each other,
        and a model that cannot be read, is wrong or checks nothing.

    Examples
    --------
    >>> dict(select("llvm/direct", variants=["none"]).options)
    {'hb': 'direct', 'thin-air': 'none'}
    """
    chosen = tuple((options or {}).items())
    if model_name_or_path in shipped_models():
        return _shipped_by_name(str(model_name_or_path), chosen, tuple(variants))
    directories = tuple(Path(directory) for directory in include_dirs)
    name, path, named = split_variants(model_name_or_path, directories)
    named = (*named, *variants)
    if path.stem in shipped_models() and path == find_model(path.stem):
        return _shipped(path, chosen, named)
    return _select(name, path, directories, chosen, named, includes_anywhere)


@lru_cache(maxsize=256)
def _shipped(path: Path, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> SelectedModel:
    """Select a shipped model, once: unlike a user's own, its file does not change while a process runs."""
    what = (str(path), options, variants)
    if (known := prepared.read(what)) is not None:
        return known.selected
    selected = _select(path.stem, path, (), options, variants)
    prepared.register(what, selected, world(selected.model, selected.variants))
    return selected


@lru_cache(maxsize=256)
def _shipped_by_name(name: str, options: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> SelectedModel:
    return _shipped(find_model(name), options, variants)


def _select(
    name: str,
    path: Path,
    directories: tuple[Path, ...],
    options: tuple[tuple[str, str], ...],
    named: tuple[str, ...],
    includes_anywhere: bool = False,
) -> SelectedModel:
    return select_loaded(load_model(path, directories, includes_anywhere), name, options, named)


def select_loaded(
    model: Model, name: str, options: Iterable[tuple[str, str]] = (), named: Sequence[str] = ()
) -> SelectedModel:
    """Select the variants of a model that is read already, and check it; see :func:`select`.

    Parameters
    ----------
    model : Model
        With its includes.
    name : str
        Its name in results and messages.
    options : iterable of (str, str)
    named : sequence of str
        Further variants.

    Returns
    -------
    SelectedModel

    Raises
    ------
    InputError
        As :func:`select`.

    Examples
    --------
    >>> model = parse_text("variants hb = near | far acyclic po", "m.cat")
    >>> dict(select_loaded(model, "m", named=["far"]).options)
    {'hb': 'far'}
    """
    from enumerator.cat.selected import SelectedModel

    options = tuple(options)
    checks = any(map(_checks, model.statements))
    declared = declared_options(model)
    selected = {option: alternatives[0] for option, alternatives in declared.items()}
    for option, alternative in options:
        if option not in declared and option == alternative:
            named = (*named, alternative)  # a variant that is not declared, as in `SelectedModel.options`
            continue
        if option not in declared:
            has = f"it has {_listed(declared)}" if declared else "it has none"
            raise InputError(f"model '{name}' has no option '{option}': {has}", f"--{option}")
        if alternative not in declared[option]:
            has = _listed(declared[option])
            raise InputError(f"model '{name}' has no '{alternative}' for '{option}': there is {has}", f"--{option}")
        selected[option] = alternative
    given = dict(options)
    for option, alternative in chosen_options(model, name, named).items():
        if given.get(option, alternative) != alternative:
            raise InputError(f"'{alternative}' and '{given[option]}' exclude each other: both are '{option}'")
        selected[option] = alternative
    variants = frozenset(selected.values())
    model = _with_implied_choices(prepare(model, variants))
    check_types(model, variants)
    if not checks:  # last, as a mistake in a name may be the cause
        message = "the model checks nothing: it has no acyclic, irreflexive or empty. If that is meant, say 'empty 0'"
        raise InputError(message, model.path)
    return SelectedModel(name, model, variants, selected)


def _checks(statement: Statement) -> bool:
    """Tell whether a statement is a check, or a ``show``: some of herd's models are for pictures only."""
    match statement:
        case IfStatement():
            return any(map(_checks, (*statement.then, *statement.otherwise)))
        case Procedure():
            return any(map(_checks, statement.body))
        case _:
            return isinstance(statement, Check | Show)


def _with_implied_choices(model: Model) -> Model:
    """Add the choices that names of Dat3M stand for, where a model uses these names without a definition."""
    defined: set[str] = set()
    used: set[str] = set()
    for statement in model.statements:
        for expression in expressions(statement):
            used.update(name for name in variables(expression) if name in IMPLIED and name not in defined)
        if isinstance(statement, Let):
            defined.update(name for binding in statement.bindings for name in binding.names if name is not None)
    chosen = [parse_text(IMPLIED[name], model.path) for name in IMPLIED if name in used]
    if not chosen:
        return model
    first = tuple(statement for each in chosen for statement in each.statements)
    return replace(model, statements=(*first, *model.statements))


def _listed(names: Iterator[str] | Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(f"'{name}'" for name in names)
