"""Flags of an execution that no model defines: failed assertions, waiting for ever, undefined behaviour."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["ENDS", "is_undefined_behaviour", "with_ub"]

ENDS = (
    "assert",
    "stuck",
    "ub-address",
    "ub-alloc",
    "ub-barrier",
    "ub-division",
    "ub-free",
    "ub-lock",
    "ub-undef",
    "ub-unreachable",
)
"""The flags of executions that do not come to the end: some thread ends early, or waits for ever (``stuck``)."""


def is_undefined_behaviour(flag: str) -> bool:
    """Tell whether a flag makes a program undefined under every model.

    Parameters
    ----------
    flag : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [flag for flag in ("race", "ub", "ub-undef") if is_undefined_behaviour(flag)]
    ['ub', 'ub-undef']
    """
    return flag == "ub" or flag.startswith("ub-")


def with_ub(flags: Collection[str]) -> frozenset[str]:
    """Add the flag ``ub`` to flags of which some is undefined behaviour.

    Parameters
    ----------
    flags : collection of str

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> sorted(with_ub({"race", "ub-undef"})), sorted(with_ub({"race"}))
    (['race', 'ub', 'ub-undef'], ['race'])
    """
    return frozenset((*flags, "ub")) if any(map(is_undefined_behaviour, flags)) else frozenset(flags)
