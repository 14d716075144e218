"""Models, selected and checked: their variants, and what they say of their world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from enumerator.cat.checker import Declarations, check_model
from enumerator.cat.choices import prepare
from enumerator.cat.flatten import declared_options
from enumerator.cat.foreign import IMPLIED
from enumerator.cat.parser import find_model, load_model, parse_text, shipped_models
from enumerator.cat.syntax import Check, IfStatement, Let, Model, Procedure, Show, Statement
from enumerator.cat.tree import expressions, variables
from enumerator.cat.variants import chosen_options, split_variants
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel

__all__ = ["Declarations", "check_types", "select", "world"]


def check_types(model: Model, variants: frozenset[str], labels: frozenset[str] = frozenset()) -> None:
    """Check that a model makes sense for a choice of variants.

    Parameters
    ----------
    model : Model
        With its includes (:func:`enumerator.cat.parser.load_model`).
    variants : frozenset of str
        Names that ``if "name"`` finds true; only the branches that they select need known names.
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
    check_model(model, variants, labels)


def world(model: Model, variants: frozenset[str]) -> Declarations:
    """Collect what a model says of its world: the order, reads of undef, final values and options.

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
    key = (id(model), variants)
    if key not in _worlds:
        if len(_worlds) >= _MOST_KEPT:
            _worlds.clear()
        _worlds[key] = (model, check_model(model, variants, frozenset()))
    return _worlds[key][1]


_MOST_KEPT = 256
# The model is kept beside the result: its identity is in the key. To check a model takes longer than most searches.
_worlds: dict[tuple[int, frozenset[str]], tuple[Model, Declarations]] = {}


def select(
    model_name_or_path: str | Path,
    include_dirs: Sequence[str | Path] = (),
    options: Mapping[str, str] | None = None,
    variants: Sequence[str] = (),
    includes_anywhere: bool = False,
) -> SelectedModel:
    """Read a model, choose its variants and check it.

    Parameters
    ----------
    model_name_or_path : str or Path
        A shipped model's name, or a path, and variants after it: ``MODEL/VARIANT…``.
    include_dirs : sequence of str or Path
        Where ``include`` looks besides the including file's folder and the shipped models.
    options : mapping of str to str
        For options that the model declares, an alternative in the place of the first.
    variants : sequence of str
        Further variants: alternatives of any option, and names that the model only asks for with ``if "name"``.
    includes_anywhere : bool
        Whether ``include`` may name files outside of these folders.

    Returns
    -------
    SelectedModel

    Raises
    ------
    InputError
        For an option or variant that the model does not have (naming those it has), variants that exclude each other,
        and a model that cannot be read, makes no sense or checks nothing.

    Examples
    --------
    >>> dict(select("llvm/direct", variants=["none"]).options)
    {'hb': 'direct', 'thin-air': 'none'}
    """
    directories = tuple(Path(directory) for directory in include_dirs)
    name, path, named = split_variants(model_name_or_path, directories)
    chosen, named = tuple((options or {}).items()), (*named, *variants)
    if path.stem in shipped_models() and path == find_model(path.stem):
        return _shipped(path, directories, chosen, named)  # includes what lies beside it only
    return _select(name, path, directories, chosen, named, includes_anywhere)


@lru_cache(maxsize=256)
def _shipped(
    path: Path, directories: tuple[Path, ...], options: tuple[tuple[str, str], ...], variants: tuple[str, ...]
) -> SelectedModel:
    """Select a shipped model; its file does not change while a process runs, as a user's own may."""
    return _select(path.stem, path, directories, options, variants)


def _select(
    name: str,
    path: Path,
    directories: tuple[Path, ...],
    options: tuple[tuple[str, str], ...],
    named: tuple[str, ...],
    includes_anywhere: bool = False,
) -> SelectedModel:
    from enumerator.cat.selected import SelectedModel

    model = load_model(path, directories, includes_anywhere)
    says = any(map(_checks, model.statements))
    declared = declared_options(model)
    selected = {option: alternatives[0] for option, alternatives in declared.items()}
    for option, alternative in options:
        if option not in declared and option == alternative:
            named = (*named, alternative)  # as `options` of what this gives has those that are not declared
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
    if not says:  # after mistakes in names, which may be why
        message = "the model checks nothing: it has no acyclic, irreflexive or empty. If that is meant, say 'empty 0'"
        raise InputError(message, str(path))
    return SelectedModel(name, model, variants, selected)


def _checks(statement: Statement) -> bool:
    """Tell whether a statement checks something, or shows it: herd's minimal models are for pictures."""
    match statement:
        case IfStatement():
            return any(map(_checks, (*statement.then, *statement.otherwise)))
        case Procedure():
            return any(map(_checks, statement.body))
        case _:
            return isinstance(statement, Check | Show)


def _with_implied_choices(model: Model) -> Model:
    """Let a model begin with the choices that names of other tools stand for, where it uses these undefined."""
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
