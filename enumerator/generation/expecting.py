"""What models say of generated tests, as ``EXPECT`` lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from enumerator.errors import InputError
from enumerator.generation.plan import EXTENSIONS, Generated
from enumerator.program.test import Test

__all__ = ["expectations"]

_KEY = re.compile(r"(?P<model>[^\s@/=]+)(?:@(?P<profile>[^\s@/=]+))?(?P<variants>(?:/[^\s@/=]+)*)")


def expectations(
    made: Generated, models: Sequence[str], format: str = "llvm", timeout: float | None = None
) -> tuple[str, ...]:
    """Ask models what comes out of a test.

    Parameters
    ----------
    made : Generated
    models : sequence of str
        As the left sides of expectations: ``MODEL[@PROFILE][/VARIANT...]``, models and profiles by name.
    format : {'llvm', 'c', 'vulkan'}
        In which it is written: in other languages than LLVM IR it is the test as it is read again.
    timeout : float, optional
        Seconds for each.

    Returns
    -------
    tuple of str
        As ``llvm=Sometimes+race``; what a limit left unknown is left out.

    Raises
    ------
    InputError
        If there is no such model, profile or variant, or if it cannot be asked.

    Examples
    --------
    >>> from enumerator.generation.plan import Plan, generate
    >>> expectations(next(generate(Plan(families=("SB",), default="Rlx"))), ["sc", "llvm/none"])
    ('sc=Never', 'llvm/none=Sometimes')
    """
    if not models:
        return ()
    from enumerator.api import check

    test = made.test() if format == "llvm" else _read(made, format)
    found = []
    for key in models:
        model, profile, variants = _parts(key)
        result = check(test, model, profile=profile, variants=variants, outcomes_only=True, timeout=timeout)
        if not result.unknown and result.status == "complete":
            found.append(f"{key}={result.outcome}")
    return tuple(found)


def _read(made: Generated, format: str) -> Test:
    from enumerator.frontend import load_text

    return load_text(made.text(format), f"{made.name}{EXTENSIONS[format]}")


@lru_cache(64)
def _parts(key: str) -> tuple[str, str | None, tuple[str, ...]]:
    match = _KEY.fullmatch(key)
    if match is None:
        raise InputError(f"expected MODEL[@PROFILE][/VARIANT...], by name, not {key}", "--expect")
    return match["model"], match["profile"], tuple(match["variants"].split("/")[1:])
