"""Compiling a model: from its syntax tree to a graph of operations for the test at hand.

A model is translated once for any test (:mod:`enumerator.cat.translator`). What is known of a test beforehand, such as
sets that are empty in it, then folds away whole parts of the graph (:mod:`enumerator.cat.specialize`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from enumerator.cat.nodes import Builder, CompiledModel
from enumerator.cat.primitives import Kinds
from enumerator.cat.specialize import Specializer
from enumerator.cat.syntax import Model
from enumerator.cat.translator import translate
from enumerator.errors import PlainEngineNeeded

__all__ = ["compile_model", "used_names"]


@dataclass(frozen=True, slots=True)
class _General:
    """A model for any test that has of some names what is said here; None where only the plain engine computes it."""

    model: Model
    asked: Mapping[str, str | None]
    specializer: Specializer | None


_MOST_KEPT = 4096
_kept: dict[object, tuple[Model, Specializer, CompiledModel]] = {}
_general: dict[tuple[int, frozenset[str]], list[_General]] = {}


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
    InputError
        With the place in the model file: an unknown name, a set in place of a relation.
    """
    specializer = _specializer(model, variants, kinds)
    key: object
    if specializer is not None:
        empty, full = empty & specializer.names, full & specializer.names
        key = (id(specializer), empty, full)
    else:  # what needs the plain engine may be empty in this test
        key = (id(model), variants, frozenset(kinds.items()), empty, full)
    if key not in _kept:
        if specializer is None:
            specializer = Specializer(translate(model, variants, Kinds(kinds), Builder(empty, full)))
            empty, full = empty & specializer.names, full & specializer.names
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
            _general.clear()
        # What has its identity in the key is kept beside the result.
        _kept[key] = (model, specializer, specializer.specialize(empty, full))
    return _kept[key][2]


def used_names(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> frozenset[str]:
    """Name the predefined sets and relations that a model depends on: whether they are empty or full is worth asking.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
    kinds : mapping of str to {'set', 'relation'}
        As for :func:`compile_model`.

    Returns
    -------
    frozenset of str
        All of `kinds` where only the plain engine computes the model for any test.
    """
    specializer = _specializer(model, variants, kinds)
    return frozenset(kinds) if specializer is None else specializer.names


def _specializer(model: Model, variants: frozenset[str], kinds: Mapping[str, str]) -> Specializer | None:
    """Compile a model for any test; what is empty or full in a test is folded away later."""
    known = _general.setdefault((id(model), variants), [])
    for general in known:
        if all(kinds.get(name) == kind for name, kind in general.asked.items()):
            return general.specializer
    asking = Kinds(kinds)
    specializer = None
    with suppress(PlainEngineNeeded):
        specializer = Specializer(translate(model, variants, asking, Builder()))
    known.append(_General(model, asking.asked, specializer))
    return specializer
