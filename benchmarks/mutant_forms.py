"""Mutants of a model, translated into one graph: what a change does not touch is the same node, fixed points too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from enumerator.cat.choices import prepare
from enumerator.cat.flatten import declared_options
from enumerator.cat.nodes import Builder, CompiledCheck, CompiledModel, Node
from enumerator.cat.primitives import Kinds
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Model
from enumerator.cat.translator import translate
from enumerator.cat.typing import select_loaded
from enumerator.errors import InputError, ReferenceEngineNeeded
from enumerator.search.bitset import base_kinds

__all__ = ["Changes", "Forms", "SharedBuilder", "changes", "roots"]

_Options = tuple[tuple[str, str], ...]
Changes = tuple[tuple[Node, Node], ...]


class SharedBuilder(Builder):
    """Makes fixed points of the same equations one node, too.

    Examples
    --------
    >>> from enumerator.cat.nodes import RELATION, Level
    >>> build = SharedBuilder()
    >>> def closure(name):
    ...     step, more = build.base(name, RELATION, Level.PROGRAM), build.variable(RELATION)
    ...     return build.fix((more,), (build.make("|", step, build.make(";", more, step)),))[0]
    >>> closure("po") is closure("po"), closure("po") is closure("rf")
    (True, False)
    """

    def __init__(self) -> None:
        super().__init__()
        self._equations: dict[object, tuple[Node, ...]] = {}
        self._forms: dict[object, int] = {}

    def fix(self, binders: tuple[Node, ...], bodies: tuple[Node, ...]) -> tuple[Node, ...]:
        """Give the least fixed point of equations, whatever their variables are called."""
        known: dict[Node, object] = {}
        key = (tuple(binder.kind for binder in binders), *(self._form(body, binders, known) for body in bodies))
        if key not in self._equations:
            self._equations[key] = super().fix(binders, bodies)
        return self._equations[key]

    def _form(self, node: Node, binders: tuple[Node, ...], known: dict[Node, object]) -> object:
        """Say what a node is, its variables named by their places; a node in which none occurs is itself."""
        if node in binders:
            return binders.index(node)
        if node.free.isdisjoint(binders):
            return node
        if node not in known:
            inner = (*binders, *node.binders)
            key = (node.operator, node.kind, node.name, *(self._form(each, inner, known) for each in node.arguments))
            known[node] = ("form", self._forms.setdefault(key, len(self._forms)))
        return known[node]


class Forms:
    """A model and its mutants with options selected, and translated.

    Parameters
    ----------
    name : str
        Of the model.
    model : Model
    """

    def __init__(self, name: str, model: Model) -> None:
        self._name, self.model = name, model
        self._wholes: dict[_Options, SelectedModel] = {}
        self._builders: dict[_Options, SharedBuilder] = {}
        self._compiled: dict[tuple[int, _Options], tuple[CompiledModel, Changes | None] | None] = {}

    def selected(self, model: Model, options: _Options) -> SelectedModel:
        """Select options: as of the whole model, which declares the same."""
        if options not in self._wholes:
            self._wholes[options] = select_loaded(self.model, self._name, options)
        whole = self._wholes[options]
        return whole if model is self.model else replace(whole, model=prepare(model, whole.variants))

    def compiled(self, model: Model, options: _Options) -> tuple[CompiledModel, Changes | None] | None:
        """Translate a model.

        Parameters
        ----------
        model : Model
            The whole one, or a mutant.
        options : tuple of (str, str)

        Returns
        -------
        tuple of (CompiledModel, tuple of (Node, Node) or None), or None
            With its changes against the whole model (:func:`changes`). None if only a search, or the reference engine,
            can evaluate it.
        """
        key = id(model), options
        if key not in self._compiled:
            chosen = self.selected(model, options)
            builder = self._builders.setdefault(options, SharedBuilder())
            self._compiled[key] = None
            if not chosen.model.merged:
                try:
                    found = translate(chosen.model, chosen.variants, Kinds(base_kinds()), builder)
                except ReferenceEngineNeeded:
                    return None
                whole = None if model is self.model else self.compiled(self.model, options)
                self._compiled[key] = found, None if whole is None else changes(whole[0], found)
        return self._compiled[key]

    def same(self, model: Model) -> bool:
        """Tell whether a mutant comes to the same operations as the whole model, whatever the test and the options."""
        try:
            forms = (self.compiled(model, options) for options in self._choices())
            return all(form is not None and form[1] == () for form in forms)
        except InputError:
            return False

    def _choices(self) -> Iterator[_Options]:
        options = declared_options(self.model)
        for chosen in product(*options.values()):
            yield tuple(zip(options, chosen, strict=True))


def roots(compiled: CompiledModel) -> tuple[Node, ...]:
    """Give the nodes of a model that matter by themselves."""
    undef = () if compiled.undef_set is None else (compiled.undef_set,)
    return (*(each.node for each in compiled.checks), compiled.final, compiled.order_set, *undef, *compiled.linear)


def changes(before: CompiledModel, after: CompiledModel) -> Changes | None:
    """Find where two models differ: they say the same wherever the nodes of each pair have the same value.

    Parameters
    ----------
    before, after : CompiledModel
        Made by one builder.

    Returns
    -------
    tuple of (Node, Node) or None
        None where they have other checks or choices.
    """
    if list(map(_said, before.checks)) != list(map(_said, after.checks)) or len(roots(before)) != len(roots(after)):
        return None
    known: dict[tuple[Node, Node], frozenset[tuple[Node, Node]]] = {}
    pairs = [_differing(*pair, {}, known) for pair in zip(roots(before), roots(after), strict=True)]
    return tuple(frozenset[tuple[Node, Node]]().union(*pairs))


def _said(each: CompiledCheck) -> tuple[object, ...]:
    check = each.check
    return check.kind, check.test, check.negated, check.name


def _differing(
    one: Node, other: Node, bound: dict[Node, Node], known: dict[tuple[Node, Node], frozenset[tuple[Node, Node]]]
) -> frozenset[tuple[Node, Node]]:
    """Give the deepest pairs that differ; a pair in which a variable occurs counts as that of the fixed points."""
    if one is other or bound.get(one) is other:
        return frozenset()
    if (one, other) in known:
        return known[one, other]
    found = frozenset({(one, other)})
    alike = (one.operator, one.kind, len(one.arguments)) == (other.operator, other.kind, len(other.arguments))
    if one.operator == "fix" and alike:
        places = [[variable.name for variable in node.binders].index(node.name) for node in (one, other)]
        alike = places[0] == places[1] and len(one.binders) == len(other.binders)
        bound = bound | dict(zip(one.binders, other.binders, strict=True)) if alike else bound
    else:
        alike = alike and one.name == other.name
    if alike and one.arguments:
        inner = [_differing(*pair, bound, known) for pair in zip(one.arguments, other.arguments, strict=True)]
        below = frozenset[tuple[Node, Node]]().union(*inner)
        if not any(_is_open(node) for pair in below for node in pair):
            found = below
    known[one, other] = found
    return found


def _is_open(node: Node) -> bool:
    return bool(node.free) or node.operator == "variable"
