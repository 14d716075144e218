"""A model with the variants that somebody chose: what :func:`enumerator.cat.typing.select` gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from enumerator.cat.syntax import Model

__all__ = ["SelectedModel"]


@dataclass(frozen=True)
class SelectedModel:
    """A model file with the variants that were selected.

    Parameters
    ----------
    name : str
        What results call it: the name of a shipped model, else the path as given.
    model : Model
        The syntax tree, includes spliced in.
    variants : frozenset of str
        Names that ``if "name"`` finds true.
    options : mapping of str to str
        What was selected for each option that the model declares with ``variants`` (``{"hb": "closure"}``), and the
        variants that it does not declare and that were selected all the same, each as an option of its own.
    """

    name: str
    model: Model
    variants: frozenset[str]
    options: Mapping[str, str] = field(default_factory=dict)
