"""Which values the paths of a test need, to be taken, and which they supply: most combinations miss some.

A path that is taken if a read returns one of certain values is in no candidate unless another path of the combination
writes one of them, or may write anything, or the initial value will do, or undef.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from enumerator.program.values import UNDEF, Value
from enumerator.unfold.paths import Known, Location, Path

__all__ = ["no_supply", "supply"]

Written = tuple[Location, Value | None]
"""A location and what is written there; None is anything."""

Condition = tuple[int, Callable[[Value], bool]]
"""A read of a path, by its index, and whether the path may be taken where that returns a value."""


def supply(
    paths: Sequence[Path], conditions: Sequence[Sequence[Condition]], initial: dict[Location, Value]
) -> dict[str, NDArray[np.generic]]:
    """Find what paths need and give, as the kernels read it.

    Parameters
    ----------
    paths : sequence of Path
    conditions : sequence of sequence of (int, callable)
        For each path, the conditions that one read alone decides.
    initial : dict of Location to Value

    Returns
    -------
    dict of str to array
        ``needs``, uint64, (needs, words): what meets a need, a bit for each value written to a location;
        ``need_first``: where the needs of each path begin, and one more; ``gives``, uint64, (paths, words): what a path
        writes.
    """
    gives = [_given(path) for path in paths]
    numbers = {written: number for number, written in enumerate(dict.fromkeys(chain.from_iterable(gives)))}
    known: dict[Location, list[Value]] = {}
    for location, value in numbers:
        if value is not None:
            known.setdefault(location, []).append(value)
    needs: list[list[int]] = []
    counts = []
    for path, tests in zip(paths, conditions, strict=True):
        before = len(needs)
        for read in dict.fromkeys(read for read, _ in tests):
            place = path.events[read].location
            assert place is not None
            decisive = [may for number, may in tests if number == read]
            will_do = [
                each for each in (initial[place], UNDEF, *known.get(place, ())) if all(may(each) for may in decisive)
            ]
            if initial[place] not in will_do and UNDEF not in will_do:
                needs.append([numbers[place, each] for each in (*will_do, None) if (place, each) in numbers])
        counts.append(len(needs) - before)
    words = len(numbers) // 64 + 1
    return {
        "need_first": np.array([0, *accumulate(counts)], dtype=np.int64),
        "needs": _masks(needs, words),
        "gives": _masks([[numbers[each] for each in written] for written in gives], words),
    }


def no_supply(paths: int) -> dict[str, NDArray[np.generic]]:
    """Give the arrays that say of so many paths that they need nothing."""
    return {
        "need_first": np.zeros(paths + 1, dtype=np.int64),
        "needs": np.zeros((1, 1), dtype=np.uint64),
        "gives": np.zeros((max(1, paths), 1), dtype=np.uint64),
    }


def _given(path: Path) -> list[Written]:
    found: dict[Written, None] = {}
    for event in path.events:
        if event.kind == "W" and event.location is not None:
            found[event.location, event.value.value if isinstance(event.value, Known) else None] = None
    return list(found)


def _masks(members: list[list[int]], words: int) -> NDArray[np.uint64]:
    masks = np.zeros((max(1, len(members)), words), dtype=np.uint64)
    for row, bits in enumerate(members):
        for bit in bits:
            masks[row, bit >> 6] |= np.uint64(1 << (bit & 63))
    return masks
