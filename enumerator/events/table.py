"""What the predefined sets and relations say of kinds of events, kept from test to test.

A test has a few kinds of its own, but most of them, and of their pairs, have been in a test before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from enumerator.events.kind import Kind
from enumerator.events.relations import RELATIONS
from enumerator.events.sets import names_of
from enumerator.mmra import Profile

__all__ = ["PREDICATES", "KindTable"]

PREDICATES = tuple(dict.fromkeys(each.kinds for each in RELATIONS.values()))
"""What relations ask of the kinds of two events; several relations share one."""

_BITS = tuple((1 << bit, predicate) for bit, predicate in enumerate(PREDICATES))
_Place = tuple[int | None, tuple[int, ...], frozenset[int]]
_Common = tuple[bool, bool, bool, bool, tuple[bool, ...]]
_MOST_KINDS = 1 << 14
_MOST_PAIRS = 1 << 18


class KindTable:
    """Numbers for kinds, the sets that each is in, and which predicates hold of two.

    It grows with each test that has new ones: who keeps it takes another once it is :attr:`full`. Many kinds differ in
    the thread alone, of which predicates see only what the threads of two kinds have in common.

    Examples
    --------
    >>> table = KindTable()
    >>> kinds = [table.number(Kind("W", thread=thread, instances=(thread, 0, 0, 0, 0, 0))) for thread in (0, 1)]
    >>> po = 1 << PREDICATES.index(RELATIONS["po"].kinds)
    >>> [bool(mask & po) for mask in table.masks(kinds)]
    [True, False, False, True]
    """

    def __init__(self) -> None:
        self._kinds: list[Kind] = []
        self._names: list[frozenset[str]] = []
        self._numbers: dict[Kind, int] = {}
        self._masks: list[dict[int, int]] = []  # of each kind with each other one
        self._places: list[tuple[_Place, int]] = []  # of each kind where its thread is, and the rest of it
        self._rests: dict[Kind, int] = {}
        self._met: dict[tuple[object, ...], int] = {}  # by these of two kinds
        self._pairs = 0
        self._made: dict[tuple[object, ...], Kind] = {}
        self._profiles: dict[int, Profile] = {}  # whose identities are in keys of what was made

    @property
    def full(self) -> bool:
        """Whether it has become so large that another one should take its place."""
        return max(len(self._made), len(self._kinds)) > _MOST_KINDS or self._pairs > _MOST_PAIRS

    def number(self, kind: Kind) -> int:
        """Give the number of a kind."""
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = len(self._kinds)
            self._kinds.append(kind)
            self._names.append(names_of(kind))
            self._masks.append({})
            rest = replace(kind, thread=None, instances=(), followers=frozenset())
            place = kind.thread, kind.instances, kind.followers
            self._places.append((place, self._rests.setdefault(rest, len(self._rests))))
        return number

    def names(self, number: int) -> frozenset[str]:
        """Name the predefined sets that events of a kind are in, labels included."""
        return self._names[number]

    def made(self, profile: Profile, said: tuple[object, ...], make: Callable[[], Kind]) -> Kind:
        """Give the kind of events of which the same is said, under a profile."""
        key = id(profile), *said
        kind = self._made.get(key)
        if kind is None:
            self._profiles[id(profile)] = profile
            kind = self._made[key] = make()
        return kind

    def masks(self, numbers: Sequence[int], others: Sequence[int] | None = None) -> list[int]:
        """Tell which predicates hold of the pairs of some kinds.

        Parameters
        ----------
        numbers : sequence of int
        others : sequence of int, optional
            The second ones of the pairs; default: the same kinds.

        Returns
        -------
        list of int
            For each pair, row by row: the bits of the predicates that hold, by their places in :data:`PREDICATES`.
        """
        found: list[int] = []
        others = numbers if others is None else others
        for one in numbers:
            known = self._masks[one]
            new = [other for other in others if other not in known]
            self._meet(one, new)
            self._pairs += len(new)
            found += map(known.__getitem__, others)
        return found

    def _meet(self, one: int, others: Sequence[int]) -> None:
        """Tell which predicates hold of a kind and others."""
        known, (place, rest) = self._masks[one], self._places[one]
        between: dict[_Place, _Common] = {}
        for other in others:
            its_place, its_rest = self._places[other]
            common = between.get(its_place)
            if common is None:
                common = between[its_place] = _common(place, its_place)
            key = rest, its_rest, common
            mask = self._met.get(key)
            if mask is None:
                mask = self._met[key] = _mask(self._kinds[one], self._kinds[other])
            known[other] = mask


def _mask(one: Kind, other: Kind) -> int:
    """Tell which predicates hold of two kinds."""
    mask = 0
    for bit, holds in _BITS:
        if holds(one, other):
            mask |= bit
    return mask


def _common(one: _Place, other: _Place) -> _Common:
    """Say what two threads have in common, or an initial write and a thread: all that a predicate may ask of them."""
    (thread, instances, followers), (its_thread, its_instances, _) = one, other
    same = tuple([a == b for a, b in zip(instances, its_instances, strict=False)])
    return thread is None, its_thread is None, thread == its_thread, its_thread in followers, same
