"""How long work may take: limits that any of its steps may ask about.

The clock stands still while something is made that is kept for later runs: compiling kernels does not use up the time
that a test may take.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from enumerator.errors import Timeout

__all__ = ["check_time", "deadline", "now", "remaining", "time_limit", "unlimited", "untimed"]

_untimed = 0.0
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def now() -> float:
    """Give the seconds since some moment, less those that do not count."""
    return time.monotonic() - _untimed


@contextmanager
def untimed() -> Iterator[None]:
    """Let the clock stand still for a block."""
    global _untimed
    begun = time.monotonic()
    before = _untimed
    try:
        yield
    finally:
        _untimed = before + time.monotonic() - begun


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Limit the time of a block; of limits around each other the first to pass holds.

    Parameters
    ----------
    seconds : float or None
        None is no limit.

    Examples
    --------
    >>> with time_limit(0.0):
    ...     check_time()
    Traceback (most recent call last):
    ...
    enumerator.errors.Timeout: timeout
    """
    outer = _deadline.get()
    inner = None if seconds is None else now() + seconds
    ends = [each for each in (outer, inner) if each is not None]
    token = _deadline.set(min(ends, default=None))
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def unlimited() -> Iterator[None]:
    """Let a short block come to its end whatever the time: what it makes tells of work that is done."""
    token = _deadline.set(None)
    try:
        yield
    finally:
        _deadline.reset(token)


def deadline() -> float | None:
    """Tell when (:func:`now`) the time is up; None if it is not limited."""
    return _deadline.get()


def remaining() -> float | None:
    """Tell how many seconds are left; None if the time is not limited."""
    end = _deadline.get()
    return None if end is None else max(0.0, end - now())


def check_time() -> None:
    """Look at the clock.

    Raises
    ------
    Timeout
        If the time is up.
    """
    end = _deadline.get()
    if end is not None and now() >= end:
        raise Timeout
