"""Whether other machines help with searches that take long: who asks for results says so, the search asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enumerator.request import Request
    from enumerator.search.forks import Helper

__all__ = ["helped_by", "helper_of_searches"]

_helper: ContextVar[Callable[[Request], Helper] | None] = ContextVar("helper", default=None)


@contextmanager
def helped_by(helper: Callable[[Request], Helper] | None) -> Iterator[None]:
    """Let searches in a block be helped by other machines.

    Parameters
    ----------
    helper : callable or None
        Gives the helper of a search once that has gone on for a while.
    """
    token = _helper.set(helper)
    try:
        yield
    finally:
        _helper.reset(token)


def helper_of_searches() -> Callable[[Request], Helper] | None:
    """Give what makes helpers now, if anything does."""
    return _helper.get()
