"""Contexts: up to two further threads beside a program, smallest first, alike ones once (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod
from typing import overload

from enumerator.frozen import dataclass
from enumerator.program.instructions import Scope
from enumerator.program.test import Placement, Test
from enumerator.refinement.alphabet import Alphabet, ContextOperation
from enumerator.refinement.symmetry import Symmetry

__all__ = ["Codes", "Context", "Family", "families", "placements_of"]

_FRESH = 1 << 20
"""Instances that context threads have to themselves are numbered from here."""

_MOST_COMPARED = 100_000
"""Codes that are compared with those that symmetries make of them; of more, alike ones are tried, too."""

Code = tuple[ContextOperation, ...]
"""What a thread of a context does."""


@dataclass(frozen=True)
class Context:
    """Threads that run beside a program.

    Parameters
    ----------
    threads : tuple of tuple of ContextOperation
        What each does.
    places : tuple of Placement
        Where each runs, in the scope tree of the program.
    """

    threads: tuple[Code, ...] = ()
    places: tuple[Placement, ...] = ()

    @property
    def size(self) -> int:
        """The number of operations."""
        return sum(map(len, self.threads))


@dataclass(frozen=True)
class Family:
    """Contexts that run in the same places: any thread of the first kind beside any one of the second.

    Parameters
    ----------
    codes : tuple of sequence of Code
        For each thread, what it may do. With `symmetric`, a pair counts once.
    places : tuple of Placement
    symmetric : bool
        The two threads may be exchanged: only pairs whose first code does not come after the second one are meant.
    first : frozenset of int or None
        With `symmetric`, the codes that the first thread may have, by number, where symmetries of the program leave
        some out.
    """

    codes: tuple[Sequence[Code], ...]
    places: tuple[Placement, ...]
    symmetric: bool = False
    first: frozenset[int] | None = None

    @property
    def count(self) -> int:
        """The number of contexts."""
        sizes = [len(each) for each in self.codes]
        if self.symmetric:
            chosen = self.first if self.first is not None else range(sizes[0])
            return sum(sizes[0] - number for number in chosen)
        return prod(sizes)

    def holds(self, numbers: Sequence[int]) -> bool:
        """Tell whether the codes with these numbers make a context of the family."""
        return not self.symmetric or (numbers[0] <= numbers[1] and (self.first is None or numbers[0] in self.first))

    def context(self, numbers: Sequence[int]) -> Context:
        """Give the context of the codes with these numbers."""
        return Context(tuple(codes[number] for codes, number in zip(self.codes, numbers, strict=True)), self.places)


def families(test: Test, operations: Alphabet, most: int, symmetries: Sequence[Symmetry] = ()) -> Iterator[Family]:
    """Give all contexts of a program, smallest first.

    A thread neither begins nor ends with a fence, which would order nothing, and a context has one read-modify-write at
    most. Contexts that differ by an exchange of their threads are given once.

    Parameters
    ----------
    test : Test
    operations : Alphabet
    most : int
        Of memory operations and fences in all.
    symmetries : sequence of Symmetry
        Of the program, and of what it is compared with: of contexts that they make the same, one is given.

    Yields
    ------
    Family

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> from enumerator.refinement.alphabet import alphabet
    >>> from enumerator.unfold.paths import Location
    >>> test = load_text("@x = global i32 0\\ndefine void @t() {\\n  store i32 1, ptr @x\\n  ret void\\n}", "t.ll")
    >>> found = families(test, alphabet([test], [Location("@x", 0, 4)], [0, 1]), 1)
    >>> [(len(family.places), family.count) for family in found]
    [(0, 1), (1, 4), (1, 1)]
    """

    @cache
    def codes(length: int, exchanges: int) -> Sequence[Code]:
        """Give the codes of a length with so many read-modify-writes."""
        return Codes(operations.operations, length, exchanges)

    def firsts(length: int, exchanges: int, places: tuple[Placement, ...]) -> Sequence[Code]:
        """Leave out codes of the first thread that a symmetry makes one that comes before."""
        apply = [each for each in symmetries if _keeps(test, each, places, operations.levels)]
        every = codes(length, exchanges)
        if not apply or len(every) > _MOST_COMPARED:
            return every
        return tuple(code for code in every if not any(_before(_moved(code, each), code) for each in apply))

    yield Family((), ())
    for size in range(1, most + 1):
        for places in placements_of(test, operations.levels, 1):
            for exchanges in (0, 1):
                if firsts(size, exchanges, places):
                    yield Family((firsts(size, exchanges, places),), places)
        pairs = placements_of(test, operations.levels, 2)
        known = {_partition(test, places, operations.levels) for places in pairs}
        for first in range(size - 1, 0, -1):
            second = size - first
            if first < second:
                break
            done: set[object] = set()
            for places in pairs:
                mine = _partition(test, places, operations.levels)
                other = _partition(test, places[::-1], operations.levels)
                if first == second and other in done:
                    continue
                done.add(mine)
                assert other in known
                for here, there in ((0, 0), (1, 0), (0, 1)):
                    if first == second and mine == other and there:
                        continue
                    alike = first == second and mine == other and not here
                    some = firsts(first, here, places)
                    chosen = codes(first, here) if alike else some, codes(second, there)
                    if all(chosen):
                        kept = None
                        if alike and len(some) < len(chosen[0]):
                            left = set(some)
                            kept = frozenset(number for number, code in enumerate(chosen[0]) if code in left)
                        yield Family(chosen, places, alike, kept)


def placements_of(test: Test, levels: Sequence[Scope], threads: int) -> tuple[tuple[Placement, ...], ...]:
    """Give the places where further threads may run, as far as the levels of the scope tree can tell them apart.

    Parameters
    ----------
    test : Test
    levels : sequence of Scope
        At which threads may meet, smallest first.
    threads : int
        How many further ones.

    Returns
    -------
    tuple of tuple of Placement
        Each with instances that are its own below the level at which it meets a thread of the test, or another one.
    """
    found: dict[object, tuple[Placement, ...]] = {}
    stems: list[tuple[Placement, ...]] = [()]
    for number in range(threads):
        stems = [
            (*stem, _beside(other, level, number))
            for stem, level in product(stems, levels)
            for other in (*test.placements.values(), *stem)
        ]
    for stem in stems:
        found.setdefault(_partition(test, stem, levels), stem)
    return tuple(found.values())


def _beside(other: Placement, level: Scope, number: int) -> Placement:
    """Place a thread so that it shares the instances of another one from a level up, and no smaller ones."""
    return Placement(
        tuple(_FRESH + number if scope < level else other.instance(scope) for scope in Scope)  # type: ignore[arg-type]
    )


def _partition(test: Test, places: Sequence[Placement], levels: Sequence[Scope]) -> object:
    """Say which threads are together at each level: equal for places that no scope tells apart."""
    every = [*test.placements.values(), *places]
    rows = []
    for level in levels:
        first: dict[int, int] = {}
        rows.append(tuple(first.setdefault(place.instance(level), len(first)) for place in every))
    return tuple(rows)


class Codes(Sequence[Code]):
    """All codes of a length, made as they are looked at: there may be millions.

    Parameters
    ----------
    operations : sequence of ContextOperation
    length : int
    exchanges : int
        How many read-modify-writes: 0 or 1.

    Examples
    --------
    >>> from enumerator.program.instructions import Ordering, Scope
    >>> fence, load = (ContextOperation(kind, None, Ordering.SEQ_CST, Scope.SYSTEM) for kind in ("fence", "load"))
    >>> [[each.kind for each in code] for code in Codes([fence, load], 3, 0)]
    [['load', 'fence', 'load'], ['load', 'load', 'load']]
    """

    def __init__(self, operations: Sequence[ContextOperation], length: int, exchanges: int) -> None:
        inner = [each for each in operations if each.kind != "atomicrmw"]
        ends = [each for each in inner if each.kind != "fence"]
        special = [each for each in operations if each.kind == "atomicrmw"]
        places: list[int | None] = list(range(length)) if exchanges else [None]
        self._choices = [
            [special if index == place else ends if index in (0, length - 1) else inner for index in range(length)]
            for place in places
        ]
        self._sizes = [prod(map(len, choices)) for choices in self._choices]

    def __len__(self) -> int:
        return sum(self._sizes)

    @overload
    def __getitem__(self, number: int) -> Code: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Code]: ...
    def __getitem__(self, number: int | slice) -> Code | Sequence[Code]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        for choices, size in zip(self._choices, self._sizes, strict=True):
            if number < size:
                chosen = []
                for options in reversed(choices):
                    number, place = divmod(number, len(options))
                    chosen.append(options[place])
                return tuple(reversed(chosen))
            number -= size
        raise AssertionError("the sizes add up to the length")


def _moved(code: Code, symmetry: Symmetry) -> Code:
    return tuple(replace(each, place=symmetry.place(each.place)) for each in code)


def _before(one: Code, other: Code) -> bool:
    return [_order(each) for each in one] < [_order(each) for each in other]


def _order(each: ContextOperation) -> tuple[object, ...]:
    place = ("", 0, 0) if each.place is None else (each.place.object, each.place.offset, each.place.size)
    return (place, each.kind, each.ordering, each.scope, each.tags)


def _keeps(test: Test, symmetry: Symmetry, places: Sequence[Placement], levels: Sequence[Scope]) -> bool:
    """Tell whether an exchange of threads leaves the scope tree as it is, the threads of a context included."""
    exchanged = {name: test.placements[symmetry.threads[name]] for name in test.placements}
    return _partition(test, places, levels) == _partition(replace(test, placements=exchanged), places, levels)
