"""What is found out about a model once: the same for each of the thousands of tests that are checked under it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from enumerator.cat.syntax import Model

__all__ = ["once_a_model"]

_T = TypeVar("_T")
_MOST_KEPT = 256


def once_a_model(function: Callable[[Model], _T]) -> Callable[[Model], _T]:
    """Let a function of a model keep its results. Models are told apart by identity: to compare them takes long.

    Parameters
    ----------
    function : callable
        Its results are not to be changed.

    Returns
    -------
    callable

    Examples
    --------
    >>> counted = once_a_model(lambda model: print("counts") or len(model.statements))
    >>> model = Model("m", "m.cat", ())
    >>> counted(model), counted(model)
    counts
    (0, 0)
    """
    kept: dict[int, tuple[Model, _T]] = {}  # the model beside the result: its identity is the key

    @wraps(function)
    def found(model: Model) -> _T:
        if id(model) not in kept:
            result = function(model)
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[id(model)] = model, result
        return kept[id(model)][1]

    return found
