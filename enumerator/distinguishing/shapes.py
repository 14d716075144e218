"""Shapes: threads of reads, writes, read-modify-writes and fences of locations, without annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from enumerator.generation.skeleton import Kind

__all__ = ["Shape", "shapes"]

Shape = tuple[tuple[tuple[Kind, int], ...], ...]
"""For each thread its events, each a kind and a location (-1 of a fence)."""

_ACCESSES = (Kind.READ, Kind.WRITE, Kind.UPDATE)


def shapes(size: int, kinds: Sequence[Kind], threads: int, locations: int) -> Iterator[Shape]:
    """Give every shape of a size, once.

    A fence stands between two accesses of its thread. A location is written, and accessed twice unless by a
    read-modify-write; each thread shares a location with another one, directly or through others.

    Parameters
    ----------
    size : int
        Events; a read-modify-write counts as one.
    kinds : sequence of Kind
    threads, locations : int
        At most so many.

    Yields
    ------
    Shape
        The least of all that differ in names of threads and locations only, in order.

    Examples
    --------
    >>> for shape in shapes(2, (Kind.READ, Kind.WRITE), 2, 2):
    ...     print([[(kind.name, location) for kind, location in thread] for thread in shape])
    [[('READ', 0)], [('WRITE', 0)]]
    [[('WRITE', 0)], [('WRITE', 0)]]
    [[('READ', 0), ('WRITE', 0)]]
    [[('WRITE', 0), ('READ', 0)]]
    [[('WRITE', 0), ('WRITE', 0)]]
    """
    for lengths in sorted(_partitions(size, threads), key=lambda parts: (-len(parts), parts)):
        found = {shape for shape in _filled(lengths, kinds, locations) if _is_whole(shape) and _is_least(shape)}
        yield from sorted(found)


def _partitions(size: int, most: int) -> Iterator[tuple[int, ...]]:
    """Give the ways of writing a number as a sum of at most so many, the least first."""

    def parts(left: int, least: int, count: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
        for first in range(least, left + 1) if count else ():
            for rest in parts(left - first, first, count - 1):
                yield (first, *rest)

    return parts(size, 1, most)


def _filled(lengths: Sequence[int], kinds: Sequence[Kind], locations: int) -> Iterator[Shape]:
    accesses = [kind for kind in kinds if kind in _ACCESSES]
    fences = [kind for kind in kinds if kind not in _ACCESSES]

    def threads(number: int, used: int) -> Iterator[Shape]:
        if number == len(lengths):
            yield ()
            return
        for thread, after in events(lengths[number], used, False):
            for rest in threads(number + 1, after):
                yield (thread, *rest)

    def events(left: int, used: int, between: bool) -> Iterator[tuple[tuple[tuple[Kind, int], ...], int]]:
        if not left:
            yield (), used
            return
        for location in range(min(used + 1, locations)):
            for kind in accesses:
                for rest, after in events(left - 1, max(used, location + 1), True):
                    yield ((kind, location), *rest), after
        if between and left > 1:
            for kind in fences:
                for rest, after in events(left - 1, used, False):
                    yield ((kind, -1), *rest), after

    return threads(0, 0)


def _is_whole(shape: Shape) -> bool:
    accesses: dict[int, list[Kind]] = {}
    sharing: dict[int, set[int]] = {}
    for number, thread in enumerate(shape):
        for kind, location in thread:
            if location >= 0:
                accesses.setdefault(location, []).append(kind)
                sharing.setdefault(location, set()).add(number)
    for those in accesses.values():
        if all(kind == Kind.READ for kind in those) or (len(those) == 1 and those[0] != Kind.UPDATE):
            return False
    reached, left = {0}, [0]
    while left:
        number = left.pop()
        for together in sharing.values():
            if number in together:
                left += together - reached
                reached |= together
    return len(reached) == len(shape)


def _is_least(shape: Shape) -> bool:
    """Tell whether no other order of threads of one length, with locations named as they come, is less."""
    return all(
        _named(order) >= shape for order in permutations(shape) if list(map(len, order)) == list(map(len, shape))
    )


def _named(shape: Sequence[tuple[tuple[Kind, int], ...]]) -> Shape:
    names: dict[int, int] = {-1: -1}
    return tuple(
        tuple((kind, names.setdefault(location, len(names) - 1)) for kind, location in thread) for thread in shape
    )
