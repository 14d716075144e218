"""The annotations that an operation may have, as a lattice, and the lowest points of a product of such lattices.

Semantics, section 7, *Relax and repair*. Lower means fewer guarantees: a weaker ordering, a smaller scope, fewer
operations that an operation is compatible with, no fence at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import product

from enumerator.clock import check_time
from enumerator.frozen import dataclass

__all__ = ["Dimension", "Point", "lowest", "steps_down"]

Point = tuple[int, ...]
"""For each dimension, the number of a choice."""


@dataclass(frozen=True)
class Dimension:
    """What one operation may be.

    Parameters
    ----------
    choices : tuple of object
        The last one is the highest.
    below : tuple of frozenset of int
        For each choice the numbers of those that are lower or equal.

    Examples
    --------
    >>> Dimension.of("abc", lambda one, other: one <= other).steps
    ((), (0,), (1,))
    """

    choices: tuple[object, ...]
    below: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, choices: Sequence[object], lower: Callable[[object, object], bool]) -> Dimension:
        """Make a dimension from an order.

        Parameters
        ----------
        choices : sequence of object
            The last one is the highest.
        lower : callable
            Whether one choice is lower than, or equal to, another.
        """
        numbers = range(len(choices))
        every = tuple(frozenset(a for a in numbers if a == b or lower(choices[a], choices[b])) for b in numbers)
        return cls(tuple(choices), every)

    @cached_property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """For each choice, those that are lower with none between."""
        return tuple(
            tuple(a for a in sorted(below - {b}) if not any(a in self.below[c] and a != c for c in below - {b}))
            for b, below in enumerate(self.below)
        )

    def towards_bottom(self, choice: int) -> tuple[int, ...]:
        """Give the lowest choices that are lower than one, then those that are lower with none between."""
        lowest = (a for a in sorted(self.below[choice] - {choice}) if not self.steps[a])
        return tuple(dict.fromkeys((*lowest, *self.steps[choice])))

    @property
    def top(self) -> int:
        """The number of the highest choice."""
        return len(self.choices) - 1

    def under(self, most: int, least: int) -> tuple[int, ...]:
        """Give the highest choices that are not above `most` and not above or equal to `least`."""
        free = [a for a in self.below[most] if least not in self.below[a]]
        return tuple(a for a in free if not any(a != b and a in self.below[b] for b in free))


def steps_down(dimensions: Sequence[Dimension], point: Point) -> Iterator[Point]:
    """Give the points that are a single step lower.

    Parameters
    ----------
    dimensions : sequence of Dimension
    point : Point

    Yields
    ------
    Point
    """
    for place, (dimension, choice) in enumerate(zip(dimensions, point, strict=True)):
        for lower in dimension.steps[choice]:
            yield (*point[:place], lower, *point[place + 1 :])


def lowest(
    dimensions: Sequence[Dimension],
    holds: Callable[[Point], bool],
    found: Callable[[Point], None],
    monotone: Sequence[bool],
    known: Collection[Point] = (),
) -> None:
    """Find all points at which something holds and at no single step down.

    Dimensions in which what holds at a point holds at all higher ones are searched by their borders: from the highest
    points that lie above no point that was found, one goes down as far as it holds: first in all dimensions together
    that no point found so far needs, half of them where that fails, and so on, then in each of the others. The others
    (tags, as dropping one may take away what another implies) are gone through choice by choice. That the former are
    monotone is not relied on for what is given: each step down from an answer is tried.

    Parameters
    ----------
    dimensions : sequence of Dimension
    holds : callable
        Asked for each point at most once, if it keeps its answers.
    found : callable
        Called with each such point, once.
    monotone : sequence of bool
        For each dimension.
    known : collection of Point
        Such points that were found before; they are not told again.

    Raises
    ------
    Timeout
        Where the time is up.

    References
    ----------
    V. Gurvich and L. Khachiyan, "On generating the irredundant conjunctive and disjunctive normal forms of monotone
    Boolean functions", Discrete Applied Mathematics, 1999.
    U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004: which few
    of many matter is found by halves.

    Examples
    --------
    >>> chain = Dimension.of(range(4), lambda one, other: one <= other)
    >>> points = []
    >>> lowest([chain, chain], lambda point: sum(point) >= 4, points.append, [True, True])
    >>> sorted(points)
    [(1, 3), (2, 2), (3, 1)]
    """
    given = set(known)
    free = [place for place, each in enumerate(monotone) if not each]
    for fixed in product(*(range(len(dimensions[place].choices)) for place in free)):
        chosen = dict(zip(free, fixed, strict=True))
        for border in _borders(dimensions, holds, chosen, given):
            point: Point | None = border
            while point is not None:  # once, where it is monotone
                check_time()
                lower = next((each for each in steps_down(dimensions, point) if holds(each)), None)
                if lower is None and point not in given:
                    given.add(point)
                    found(point)
                if lower is not None and any(lower[place] != point[place] for place in free):
                    break  # it is found with that choice
                point = lower


def _borders(
    dimensions: Sequence[Dimension], holds: Callable[[Point], bool], chosen: dict[int, int], known: Collection[Point]
) -> Iterator[Point]:
    """Give the lowest points at which something monotone holds, with the choices of some dimensions given.

    Those that are known are left out, and which dimensions they need is taken as a hint.
    """
    top = tuple(chosen.get(place, dimension.top) for place, dimension in enumerate(dimensions))
    waiting: list[Point] = [top]
    refuted: set[Point] = set()
    needed = {place for point in known for place in _above_bottom(dimensions, point)}
    for point in known:
        if all(point[place] == choice for place, choice in chosen.items()):
            waiting = _not_above(dimensions, waiting, point, chosen)
    while waiting:
        check_time()
        candidate = next((each for each in waiting if each not in refuted), None)
        if candidate is None:
            return
        if not holds(candidate):
            refuted.add(candidate)
            continue
        point = _down(dimensions, holds, candidate, chosen, needed)
        needed |= _above_bottom(dimensions, point)
        yield point
        waiting = _not_above(dimensions, waiting, point, chosen)


def _above_bottom(dimensions: Sequence[Dimension], point: Point) -> set[int]:
    """Give the dimensions in which a point is not as low as can be."""
    return {place for place, dimension in enumerate(dimensions) if dimension.steps[point[place]]}


def _down(
    dimensions: Sequence[Dimension],
    holds: Callable[[Point], bool],
    point: Point,
    chosen: dict[int, int],
    needed: Collection[int],
) -> Point:
    """Go down as far as it holds: to the bottom in many dimensions at once, or else in each, or else step by step.

    Parameters
    ----------
    needed : collection of int
        Dimensions in which one is likely not to come to the bottom: they are the last, and one by one.
    """
    places = [place for place in sorted(_above_bottom(dimensions, point)) if place not in chosen]
    point = _together(dimensions, holds, point, [place for place in places if place not in needed], fails=False)
    for place in places:
        if place in needed:
            point = _alone(dimensions[place], holds, point, place)
    return point


def _together(
    dimensions: Sequence[Dimension], holds: Callable[[Point], bool], point: Point, places: Sequence[int], *, fails: bool
) -> Point:
    """Go down in some dimensions: in all together, or else in one half and then in the other.

    Parameters
    ----------
    fails : bool
        It is known not to hold at the bottom of all of them.
    """
    if len(places) < 2:
        for place in places:
            point = _alone(dimensions[place], holds, point, place)
        return point
    if not fails:
        bottom = list(point)
        for place in places:
            bottom[place] = dimensions[place].towards_bottom(point[place])[0]
        if holds(tuple(bottom)):
            return tuple(bottom)
    half = len(places) // 2
    first, second = places[:half], places[half:]
    point = _together(dimensions, holds, point, first, fails=False)
    at_bottom = not any(dimensions[place].steps[point[place]] for place in first)
    return _together(dimensions, holds, point, second, fails=at_bottom)


def _alone(dimension: Dimension, holds: Callable[[Point], bool], point: Point, place: int) -> Point:
    """Go down in one dimension as far as it holds: to the bottom at once, or else step by step."""
    while True:
        check_time()
        lower = dimension.towards_bottom(point[place])
        at = ((*point[:place], each, *point[place + 1 :]) for each in lower)
        following = next(filter(holds, at), None)
        if following is None:
            return point
        point = following


def _not_above(
    dimensions: Sequence[Dimension], candidates: Sequence[Point], least: Point, chosen: dict[int, int]
) -> list[Point]:
    """Give the highest points that are not above a candidate's equal, nor above or equal to `least`."""
    found: dict[Point, None] = {}
    for candidate in candidates:
        pairs = list(zip(dimensions, candidate, least, strict=True))
        if not all(low in dimension.below[high] for dimension, high, low in pairs):
            found[candidate] = None
            continue
        for place, (dimension, high, low) in enumerate(pairs):
            if place not in chosen:
                for less in dimension.under(high, low):
                    found[(*candidate[:place], less, *candidate[place + 1 :])] = None

    def lower(one: Point, other: Point) -> bool:
        return all(a in dimension.below[b] for dimension, a, b in zip(dimensions, one, other, strict=True))

    every = list(found)
    return [one for one in every if not any(one != other and lower(one, other) for other in every)]
