"""Which values the paths of a test need, to be taken, and which they supply: most combinations miss some.

A path that is taken if a read returns one of certain values is in no candidate unless another path of the combination
writes one of them, or may write anything, or the initial value will do, or undef.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from enumerator.program.values import UNDEF, Value
from enumerator.unfold.paths import Known, Location, Path

__all__ = ["no_supply", "supply"]

Written = tuple[Location, Value | None]
"""A location and what is written there; None is anything."""

Condition = tuple[tuple[int, ...], Callable[[tuple[Value, ...]], bool]]
"""Reads of a path, by their indices, and whether the path may be taken where these return certain values."""

_MOST_TRIED = 256
"""Combinations of values of the other reads of a condition that are tried."""


def supply(
    paths: Sequence[Sequence[Path]], conditions: Sequence[Sequence[Condition]], initial: dict[Location, Value]
) -> dict[str, NDArray[np.generic]]:
    """Find what paths need and give, as the kernels read it.

    Parameters
    ----------
    paths : sequence of sequence of Path
        Those of each thread.
    conditions : sequence of sequence of (tuple of int, callable)
        Those of each path, all threads' paths in order.
    initial : dict of Location to Value

    Returns
    -------
    dict of str to array
        ``needs``, uint64, (needs, words): what meets a need, a bit for each value written to a location;
        ``need_first``: where the needs of each path begin, and one more; ``gives``, uint64, (paths, words): what a path
        writes.
    """
    gives = [[_given(path) for path in options] for options in paths]
    flat = [written for options in gives for written in options]
    numbers = {written: number for number, written in enumerate(dict.fromkeys(chain.from_iterable(flat)))}
    needs: list[list[int]] = []
    counts = []
    tests = iter(conditions)
    for thread, options in enumerate(paths):
        others = [written for number, each in enumerate(gives) if number != thread for written in each]
        abroad = dict.fromkeys(chain.from_iterable(others))
        for path, own in zip(options, gives[thread], strict=True):
            values = _values(initial, {**abroad, **dict.fromkeys(own)})
            wanted = _wanted(path, next(tests), values, initial)
            needs += [[numbers[each] for each in met if each in numbers] for met in wanted]
            counts.append(len(wanted))
    words = len(numbers) // 64 + 1
    return {
        "need_first": np.array([0, *accumulate(counts)], dtype=np.int64),
        "needs": _masks(needs, words),
        "gives": _masks([[numbers[each] for each in written] for written in flat], words),
    }


def _values(initial: dict[Location, Value], written: Iterable[Written]) -> dict[Location, list[Value | None]]:
    """Give what a read of each location may return: the initial value, undef, what is written."""
    found: dict[Location, list[Value | None]] = {place: [value, UNDEF] for place, value in initial.items()}
    for place, value in written:
        found[place].append(value)
    return found


def _wanted(
    path: Path,
    conditions: Sequence[Condition],
    values: dict[Location, list[Value | None]],
    initial: dict[Location, Value],
) -> list[list[Written]]:
    """Give, for each read for which neither the initial value will do nor undef, what would do if it were written."""
    found = []
    for read in dict.fromkeys(chain.from_iterable(reads for reads, _ in conditions)):
        place = path.events[read].location
        assert place is not None
        decisive = [condition for condition in conditions if read in condition[0]]

        def will_do(value: Value | None, read: int = read, decisive: list[Condition] = decisive) -> bool:
            return all(_may_hold(path, condition, {read: value}, values) for condition in decisive)

        if not will_do(initial[place]) and not will_do(UNDEF):
            found.append([(place, value) for value in values[place] if will_do(value)])
    return found


def _may_hold(
    path: Path, condition: Condition, fixed: dict[int, Value | None], values: dict[Location, list[Value | None]]
) -> bool:
    """Tell whether a condition may hold where one of its reads returns a value and the others what they may."""
    reads, holds = condition
    offered: list[list[Value]] = []
    for read in reads:
        place = path.events[read].location
        assert place is not None
        offered.append([])
        for value in [fixed[read]] if read in fixed else values[place]:
            if value is None:  # anything
                return True
            offered[-1].append(value)
    return prod(map(len, offered)) > _MOST_TRIED or any(map(holds, product(*offered)))


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
