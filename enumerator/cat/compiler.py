"""From the syntax tree of a model to a graph of operations for the test at hand.

A model is translated once for any test (:mod:`enumerator.cat.translator`). Where sets or relations are empty or full in
a test, large parts of the graph are then simplified away (:mod:`enumerator.cat.specialize`).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from enumerator.cat.nodes import Builder, CompiledModel
from enumerator.cat.prepared import keep_translation, prepared
from enumerator.cat.primitives import Kinds
from enumerator.cat.specialize import Specializer
from enumerator.cat.syntax import Model
from enumerator.errors import ReferenceEngineNeeded
from enumerator.frozen import dataclass

__all__ = ["compile_model", "used_names", "without_collections"]


@dataclass(frozen=True, slots=True)
class _General:
    """A model compiled for any test in which the names that it asked for are of these kinds.

    `specializer` is None where only the reference engine can evaluate the model for any test.
    """

    model: Model
    asked: Mapping[str, str | None]
    specializer: Specializer | None


_MOST_KEPT = 4096
_kept: dict[object, tuple[Model, Specializer, CompiledModel]] = {}
_general: dict[tuple[int, frozenset[str]], list[_General]] = {}

_MOST_NAMED = 256
_by_kinds: dict[tuple[int, frozenset[str], int], tuple[Model, Mapping[str, str], Specializer | None]] = {}
"""By the identities of a model and of the names that a caller can compute, which must not be collected."""


def compile_model(
    model: Model,
    variants: frozenset[str],
    kinds: Mapping[str, str],
    *,
    empty: frozenset[str] = frozenset(),
    full: frozenset[str] = frozenset(),
) -> CompiledModel:
    """Compile a model for tests in which some predefined sets are empty and some relations full.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : mapping of str to {'set', 'relation'}
        The predefined names that the caller can compute, and what they are.
    empty, full : frozenset of str
        Predefined names that are empty, or hold all events or pairs, in the test at hand.

    Returns
    -------
    CompiledModel

    Raises
    ------
    ReferenceEngineNeeded
        Where only the reference engine can evaluate the model for such a test.
    InputError
        With the place in the model file: an unknown name, a set in place of a relation.

    See Also
    --------
    used_names : the names whose emptiness makes a difference.
    enumerator.cat.interpreter.evaluate : what the compiled model has to agree with.
    """
    specializer = _specializer(model, variants, kinds)
    key: object
    if specializer is not None:
        empty, full = empty & specializer.names, full & specializer.names
        key = (id(specializer), empty, full)
    else:  # the part that needs the reference engine may be empty in this test
        key = (id(model), variants, frozenset(kinds.items()), empty, full)
    if key not in _kept:
        if specializer is None:
            specializer = Specializer(_translated(model, variants, Kinds(kinds), Builder(empty, full)))
            empty, full = empty & specializer.names, full & specializer.names
        if len(_kept) >= _MOST_KEPT:
            _forget()
        # The key holds the identities of the model and the specializer, which must not be collected.
        try:
            with without_collections():
                _kept[key] = (model, specializer, specializer.specialize(empty, full))
        except RecursionError:
            _forget()  # what was made by half
            message = "the bounds of an axiom are nested too deeply, in definitions that build on each other"
            raise ReferenceEngineNeeded(message, model.path) from None
    return _kept[key][2]


def _forget() -> None:
    _kept.clear()
    _general.clear()
    _by_kinds.clear()


@contextmanager
def without_collections() -> Iterator[None]:
    """Look for no garbage meanwhile: what is made is kept, and looking at all of it takes longer than to make it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def used_names(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> frozenset[str]:
    """Name the predefined sets and relations that a model depends on.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : mapping of str to {'set', 'relation'}
        As for :func:`compile_model`.

    Returns
    -------
    frozenset of str
        All of `kinds` where only the reference engine can evaluate the model for any test.
    """
    specializer = _specializer(model, variants, kinds)
    return frozenset(kinds) if specializer is None else specializer.names


def _specializer(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> Specializer | None:
    """Compile a model for any test, or give None where only the reference engine can evaluate it."""
    key = id(model), variants, id(kinds)
    found = _by_kinds.get(key)
    if found is None:
        if len(_by_kinds) >= _MOST_NAMED:
            _by_kinds.clear()
        found = _by_kinds[key] = model, kinds, _compiled(model, variants, kinds)
    return found[2]


def _compiled(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> Specializer | None:
    known = _general.setdefault((id(model), variants), [])
    for general in known:
        if all(kinds.get(name) == kind for name, kind in general.asked.items()):
            return general.specializer
    kept = prepared(model, variants)
    if kept is not None and kept.general is not None:
        if all(kinds.get(name) == kind for name, kind in kept.asked.items()):
            known.append(_General(model, kept.asked, Specializer(kept.general)))
            return known[-1].specializer
    asking = Kinds(kinds)
    specializer = None
    with suppress(ReferenceEngineNeeded):
        translated = _translated(model, variants, asking, Builder())
        keep_translation(model, variants, asking.asked, translated)
        specializer = Specializer(translated)
    known.append(_General(model, asking.asked, specializer))
    return specializer


def _translated(model: Model, variants: frozenset[str], kinds: Kinds, builder: Builder) -> CompiledModel:
    from enumerator.cat.translator import translate  # models that are kept are translated already

    return translate(model, variants, kinds, builder)
