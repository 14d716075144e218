"""Results that are computed once for each model: thousands of tests may be checked under the same one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from enumerator.cat.syntax import Model

__all__ = ["once_a_model"]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MOST_KEPT = 256


def once_a_model(function: Callable[Concatenate[Model, _P], _T]) -> Callable[Concatenate[Model, _P], _T]:
    """Let a function of a model keep its results. Models are told apart by identity: comparing them takes long.

    Parameters
    ----------
    function : callable
        Its further arguments have to be hashable. Callers may not change its results.

    Returns
    -------
    callable

    See Also
    --------
    functools.lru_cache : for arguments that are compared by value.

    Examples
    --------
    >>> counted = once_a_model(lambda model: print("counts") or len(model.statements))
    >>> model = Model("m", "m.cat", ())
    >>> counted(model), counted(model)
    counts
    (0, 0)
    """
    kept: dict[Hashable, tuple[Model, _T]] = {}  # with the model, whose identity is in the key

    @wraps(function)
    def found(model: Model, /, *arguments: _P.args, **options: _P.kwargs) -> _T:
        key = (id(model), arguments, tuple(sorted(options.items())))
        if key not in kept:
            result = function(model, *arguments, **options)
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[key] = model, result
        return kept[key][1]

    return found
