"""The predefined sets of the cat language: each is a predicate on one kind.

What they are for is said in :mod:`enumerator.cat.predefined`; definitions: semantics, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType

from enumerator.events.kind import Kind
from enumerator.program.instructions import Ordering, Scope, Tag

__all__ = ["SETS", "names_of"]

_REGIONS = ("GLOBAL", "LOCAL")
_NAMES_REGION = ("amdgpu-synchronize-as", "amdgpu-as", "opencl-fence-mem")
"""The prefixes of tags that say which memory a fence is for (semantics, section 2; the profile amdgpu)."""
_PROXIES = ("SUR", "TEX", "CONSTANT", "ALIAS")
_AV_NONE = Tag("amdgcn-av", "none")


def _has_letter(letter: str, kind: Kind) -> bool:
    return kind.letter == letter


def _has_ordering(ordering: Ordering, kind: Kind) -> bool:
    return kind.ordered and kind.ordering == ordering


def _has_scope(scope: Scope, kind: Kind) -> bool:
    return kind.scope == scope


def _relaxed(kind: Kind) -> bool:
    # consume is monotonic or stronger, but not relaxed; CON is a proxy, too
    return _has_ordering(Ordering.MONOTONIC, kind) and ("CON" not in kind.labels or "CONSTANT" in kind.labels)


def _in_region(region: str, spaces: tuple[int, ...], kind: Kind) -> bool:
    """Tell whether it accesses a region of memory, or is a fence or barrier of it: of all, if it names none."""
    if kind.accesses:
        return kind.address_space in spaces
    named = kind.labels.intersection(_REGIONS)
    named |= {tag.suffix.upper() for tag in kind.tags if tag.prefix in _NAMES_REGION}
    return kind.ordered and (region in named or not named)


_PREDICATES: dict[str, Callable[[Kind], bool]] = {
    "R": lambda kind: kind.reads,
    "W": lambda kind: kind.writes,
    "F": lambda kind: kind.ordered and kind.letter in ("F", "B"),
    "B": partial(_has_letter, "B"),
    "IW": partial(_has_letter, "IW"),
    "RMW": lambda kind: kind.half,
    "NA": lambda kind: kind.accesses and not kind.atomic,
    "UNORDERED": partial(_has_ordering, Ordering.UNORDERED),
    "RLX": _relaxed,
    "ACQ": partial(_has_ordering, Ordering.ACQUIRE),
    "REL": partial(_has_ordering, Ordering.RELEASE),
    "ACQ_REL": partial(_has_ordering, Ordering.ACQ_REL),
    "SC": partial(_has_ordering, Ordering.SEQ_CST),
    "A": lambda kind: kind.letter == "IW" or (kind.ordered and kind.ordering >= Ordering.MONOTONIC),
    "Atomic": lambda kind: kind.letter == "IW" or (kind.ordered and kind.ordering != Ordering.NA),
    **{scope.name: partial(_has_scope, scope) for scope in Scope},
    "TP": lambda kind: kind.accesses and kind.thread_private,
    "VOLATILE": lambda kind: kind.accesses and kind.volatile,
    "ONE_AS": lambda kind: kind.ordered and kind.one_as,
    "AV_NONE": lambda kind: _AV_NONE in kind.tags,
    "OBS": lambda kind: kind.observed,
    "GEN": lambda kind: kind.labels.isdisjoint(_PROXIES),
    "GLOBAL": partial(_in_region, "GLOBAL", (0, 1)),
    "LOCAL": partial(_in_region, "LOCAL", (3,)),
}

SETS: Mapping[str, Callable[[Kind], bool]] = MappingProxyType(_PREDICATES)
"""By name, less the address spaces (``AS`` and a number) and the labels, which may add to one of these."""


@lru_cache(maxsize=4096)
def names_of(kind: Kind) -> frozenset[str]:
    """Name the predefined sets that events of a kind are in, labels included.

    Examples
    --------
    >>> sorted(names_of(Kind("W", Ordering.RELEASE, labels=frozenset({"AV"}))))
    ['A', 'AS0', 'AV', 'Atomic', 'GEN', 'GLOBAL', 'REL', 'SYSTEM', 'W']
    """
    names = {name for name, holds in _PREDICATES.items() if holds(kind)}
    if kind.accesses:
        names.add(f"AS{kind.address_space}")
    return frozenset(names | kind.labels)
