"""Shapes: threads of reads, writes, read-modify-writes, fences and barriers, without annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from enumerator.generation.skeleton import Dependency, DependencyKind, Kind

__all__ = ["NO_COMPARISON", "Item", "Shape", "shapes"]

NO_COMPARISON = -1


class Item(NamedTuple):
    """An event of a shape.

    Parameters
    ----------
    kind : Kind
    location : int
        -1 of a fence or barrier.
    expected : int
        Of a compare-and-exchange, what it compares with: the number of a write of its location, 0 the initial one.
        An update without (:data:`NO_COMPARISON`) is an exchange.
    depends : tuple of Dependency
        A control dependency stands at the first event behind the branch.
    """

    kind: Kind
    location: int = -1
    expected: int = NO_COMPARISON
    depends: tuple[Dependency, ...] = ()


Shape = tuple[tuple[Item, ...], ...]
"""For each thread its events."""

_Bare = tuple[tuple[tuple[Kind, int], ...], ...]
"""A shape of kinds and locations only."""

_ACCESSES = (Kind.READ, Kind.WRITE, Kind.UPDATE)


def shapes(
    size: int,
    kinds: Sequence[Kind],
    threads: int,
    locations: int,
    *,
    operators: Sequence[str] = ("xchg",),
    dependencies: Sequence[DependencyKind] = (),
) -> Iterator[Shape]:
    """Give every shape of a size, once.

    A fence stands between two accesses or barriers of its thread. A location is written, and accessed twice unless by a
    read-modify-write; each thread shares a location with another one, directly or through others. No barrier stands
    beside another one.

    Parameters
    ----------
    size : int
        Events; a read-modify-write counts as one.
    kinds : sequence of Kind
    threads, locations : int
        At most so many.
    operators : sequence of str
        What updates may do: ``xchg``, ``cmpxchg`` with the initial value or one that another event writes.
    dependencies : sequence of DependencyKind
        Through what an event may depend on an earlier read of its thread; on one it depends in at most one way.

    Yields
    ------
    Shape
        The least of all that differ in names of threads and locations only, in order.

    Examples
    --------
    >>> for shape in shapes(2, (Kind.READ, Kind.WRITE), 2, 2):
    ...     print([[(item.kind.name, item.location) for item in thread] for thread in shape])
    [[('READ', 0)], [('WRITE', 0)]]
    [[('WRITE', 0)], [('WRITE', 0)]]
    [[('READ', 0), ('WRITE', 0)]]
    [[('WRITE', 0), ('READ', 0)]]
    [[('WRITE', 0), ('WRITE', 0)]]
    >>> len(list(shapes(2, (Kind.READ, Kind.WRITE), 2, 2, dependencies=list(DependencyKind))))
    8
    """
    for lengths in sorted(_partitions(size, threads), key=lambda parts: (-len(parts), parts)):
        found = {bare for bare in _filled(lengths, kinds, locations) if _is_whole(bare) and _is_least(bare)}
        for bare in sorted(found):
            yield from _completed(bare, operators, dependencies)


def _partitions(size: int, most: int) -> Iterator[tuple[int, ...]]:
    """Give the ways of writing a number as a sum of at most so many, the least first."""

    def parts(left: int, least: int, count: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
        for first in range(least, left + 1) if count else ():
            for rest in parts(left - first, first, count - 1):
                yield (first, *rest)

    return parts(size, 1, most)


def _filled(lengths: Sequence[int], kinds: Sequence[Kind], locations: int) -> Iterator[_Bare]:
    accesses = [kind for kind in kinds if kind in _ACCESSES]

    def threads(number: int, used: int) -> Iterator[_Bare]:
        if number == len(lengths):
            yield ()
            return
        for thread, after in events(lengths[number], used, None):
            for rest in threads(number + 1, after):
                yield (thread, *rest)

    def events(left: int, used: int, before: Kind | None) -> Iterator[tuple[tuple[tuple[Kind, int], ...], int]]:
        if not left:
            yield (), used
            return
        for location in range(min(used + 1, locations)):
            for kind in accesses:
                for rest, after in events(left - 1, max(used, location + 1), kind):
                    yield ((kind, location), *rest), after
        between = before not in (None, Kind.FENCE) and left > 1
        for kind, fits in ((Kind.FENCE, between), (Kind.BARRIER, before != Kind.BARRIER)):
            if kind in kinds and fits:
                for rest, after in events(left - 1, used, kind):
                    yield ((kind, -1), *rest), after

    return threads(0, 0)


def _is_whole(shape: _Bare) -> bool:
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
    return bool(accesses) and len(reached) == len(shape)


def _orders(shape: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
    """Give the orders of threads that keep their lengths in place."""
    lengths = list(map(len, shape))
    for order in permutations(range(len(shape))):
        if [lengths[number] for number in order] == lengths:
            yield order


def _is_least(shape: _Bare) -> bool:
    """Tell whether no other order of threads of one length, with locations named as they come, is less."""
    return all(_named(shape, order) >= shape for order in _orders(shape))


def _named(shape: _Bare, order: Iterable[int]) -> _Bare:
    names: dict[int, int] = {-1: -1}
    return tuple(
        tuple((kind, names.setdefault(location, len(names) - 1)) for kind, location in shape[number])
        for number in order
    )


# What compare-and-exchanges expect, and dependencies ----------------------------------------------------------


def _completed(bare: _Bare, operators: Sequence[str], dependencies: Sequence[DependencyKind]) -> Iterator[Shape]:
    """Give all that a bare shape may be: of two that are the same but for names the least."""
    plain = tuple(tuple(Item(kind, location) for kind, location in thread) for thread in bare)
    if not dependencies and tuple(operators) == ("xchg",):
        yield plain
        return
    written: dict[int, list[tuple[int, int]]] = {}
    for number, thread in enumerate(bare):
        for index, (kind, location) in enumerate(thread):
            if kind in (Kind.WRITE, Kind.UPDATE):
                written.setdefault(location, []).append((number, index))
    options = [
        [
            item._replace(expected=expected, depends=depends)
            for expected in _expected(item, written[item.location].index((number, index)) + 1, written, operators)
            for depends in _dependencies(thread, index, dependencies)
        ]
        if item.kind == Kind.UPDATE
        else [item._replace(depends=depends) for depends in _dependencies(thread, index, dependencies)]
        for number, thread in enumerate(plain)
        for index, item in enumerate(thread)
    ]
    alike = [order for order in _orders(bare) if _named(bare, order) == bare]
    renamings = [(order, _values(bare, written, order)) for order in alike]
    for chosen in product(*options):
        items = iter(chosen)
        shape = tuple(tuple(next(items) for _ in thread) for thread in bare)
        if all(map(_is_sensible, shape)) and all(_renamed(shape, *renaming) >= shape for renaming in renamings):
            yield shape


def _expected(
    item: Item, own: int, written: dict[int, list[tuple[int, int]]], operators: Sequence[str]
) -> Iterator[int]:
    if "xchg" in operators:
        yield NO_COMPARISON
    if "cmpxchg" in operators:
        yield from (value for value in range(len(written[item.location]) + 1) if value != own)


def _dependencies(
    thread: Sequence[Item], index: int, kinds: Sequence[DependencyKind]
) -> Iterator[tuple[Dependency, ...]]:
    """Give the ways in which an event may depend on what its thread has read before."""
    kind = thread[index].kind
    fitting = [
        each
        for each in kinds
        if each == DependencyKind.CTRL
        or (each == DependencyKind.ADDR and kind in _ACCESSES)
        or (each == DependencyKind.DATA and kind in (Kind.WRITE, Kind.UPDATE))
    ]
    reads = [number for number in range(index) if thread[number].kind in (Kind.READ, Kind.UPDATE)]
    options: list[list[Dependency | None]] = [[None, *(Dependency(each, read) for each in fitting)] for read in reads]
    for chosen in product(*options):
        yield tuple(sorted(each for each in chosen if each is not None))


def _is_sensible(thread: Sequence[Item]) -> bool:
    """Tell whether nothing that stands behind a branch on a read depends on that read once more."""
    branched: set[int] = set()
    for item in thread:
        if any(each.source in branched for each in item.depends):
            return False
        branched |= {each.source for each in item.depends if each.kind == DependencyKind.CTRL}
    return True


def _values(bare: _Bare, written: dict[int, list[tuple[int, int]]], order: Sequence[int]) -> dict[tuple[int, int], int]:
    """Say which value each value of a location becomes, when threads come in another order."""
    counts: dict[int, int] = {}
    found: dict[tuple[int, int], int] = {}
    for location in written:
        found[location, 0], found[location, NO_COMPARISON] = 0, NO_COMPARISON
    for number in order:
        for index, (_, location) in enumerate(bare[number]):
            if (number, index) in written.get(location, ()):
                counts[location] = counts.get(location, 0) + 1
                found[location, written[location].index((number, index)) + 1] = counts[location]
    return found


def _renamed(shape: Shape, order: Sequence[int], values: dict[tuple[int, int], int]) -> Shape:
    """Give a shape with its threads in an order that leaves its kinds and locations as they are."""
    return tuple(
        tuple(
            item._replace(location=here.location, expected=values.get((item.location, item.expected), item.expected))
            for item, here in zip(shape[number], shape[place], strict=True)
        )
        for place, number in enumerate(order)
    )
