"""Shipped models as an earlier run has read, checked and translated them, which takes longer than most searches."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from enumerator.cache import load_whole, store_whole
from enumerator.cat.declarations import Declarations
from enumerator.cat.nodes import CompiledModel
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Model
from enumerator.frozen import dataclass

__all__ = ["Prepared", "keep_translation", "prepared", "read", "register"]

_GROUP = "models"
_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = ("grammar.py", "scanning.py", "cat/*.py", "cat/*.lark", "cat/library/*.cat", "models/**/*.cat")
"""What decides how a shipped model is read and translated, its text included."""


@dataclass(frozen=True)
class Prepared:
    """A shipped model and what follows from it.

    Parameters
    ----------
    name : str
        Of the file that it is kept in.
    selected : SelectedModel
    declared : Declarations
    asked : mapping of str to (str or None)
        The predefined names that its translation asked for, and what they were.
    general : CompiledModel or None
        Translated for any test in which they are that; None where no search has asked for it yet.
    """

    name: str
    selected: SelectedModel
    declared: Declarations
    asked: Mapping[str, str | None]
    general: CompiledModel | None = None


_registered: dict[tuple[int, frozenset[str]], Prepared] = {}
"""By the identity of the model, which lives as long as this, and its variants."""


def prepared(model: Model, variants: frozenset[str]) -> Prepared | None:
    """Give what is known of a model, if it is a shipped one that this process has selected."""
    return _registered.get((id(model), variants))


def read(what: object) -> Prepared | None:
    """Read and register what an earlier run has kept.

    Parameters
    ----------
    what : object
        What the model was selected by; it has a ``repr`` that says all of it.

    Returns
    -------
    Prepared or None
    """
    data = load_whole(_GROUP, _name(what))
    if data is None:
        return None
    try:
        found = pickle.loads(data)
    except Exception:  # noqa: BLE001 - whatever another version has written: the model is read anew
        return None
    return _registered_as(found) if isinstance(found, Prepared) else None


def register(what: object, selected: SelectedModel, declared: Declarations) -> None:
    """Register a shipped model that this process has read; it is kept once it is translated."""
    _registered_as(Prepared(_name(what), selected, declared, {}))


def keep_translation(
    model: Model, variants: frozenset[str], asked: Mapping[str, str | None], general: CompiledModel
) -> None:
    """Keep a model for later runs, with its translation, if it is a shipped one that has none yet."""
    known = prepared(model, variants)
    if known is not None and known.general is None:
        known = _registered_as(replace(known, asked=dict(asked), general=general))
        try:
            store_whole(_GROUP, known.name, pickle.dumps(known, pickle.HIGHEST_PROTOCOL))
        except RecursionError:  # the graph is too deep to be written
            pass


def _registered_as(known: Prepared) -> Prepared:
    _registered[id(known.selected.model), known.selected.variants] = known
    return known


def _name(what: object) -> str:
    return hashlib.sha256(f"{_fingerprint()} {what!r}".encode()).hexdigest()[:24]


@cache
def _fingerprint() -> str:
    """Hash the sources."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in _SOURCES:
        for file in sorted(_PACKAGE.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()
