"""A model together with the variants that are selected (:func:`enumerator.cat.typing.select`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from enumerator.cat.syntax import Model
from enumerator.frozen import dataclass

__all__ = ["SelectedModel"]


@dataclass(frozen=True)
class SelectedModel:
    """A model together with the variants that are selected.

    Parameters
    ----------
    name : str
        Its name in results: that of a shipped model, else the path as given.
    model : Model
        The syntax tree, includes spliced in.
    variants : frozenset of str
        The names for which ``if "name"`` is true.
    options : mapping of str to str
        The alternative that is selected for each option that the model declares with ``variants``
        (``{"hb": "closure"}``). A variant that the model does not declare is an option of its own.
    """

    name: str
    model: Model
    variants: frozenset[str]
    options: Mapping[str, str] = field(default_factory=dict)
