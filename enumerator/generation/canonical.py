"""When two skeletons are the same but for names: of threads, of locations, of values, of instances of scopes.

The canonical form is the least of all skeletons that such renamings give. What is renamed:

- threads, with their places; the numbers of instances at each level of the scope tree;
- locations;
- the values of a location, of those whose accesses all cover it wholly and which no arithmetic reaches: 0, what it
  holds at the beginning, stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations, product

from enumerator.generation.skeleton import WHOLE, Event, Place, Skeleton

__all__ = ["canonical", "numbered", "same_but_for_names"]


def canonical(skeleton: Skeleton) -> Skeleton:
    """Give the canonical form of a skeleton: equal for two exactly if they are the same but for names.

    Parameters
    ----------
    skeleton : Skeleton

    Returns
    -------
    Skeleton
        It runs as the given one does. Threads that share no location are put in any order that the rest allows.

    Examples
    --------
    >>> from enumerator.generation.skeleton import Kind, Location, apart
    >>> write, read = Event(Kind.WRITE, 0, 5), Event(Kind.READ, 0)
    >>> one = Skeleton(((write,), (read,)), apart(2), (Location(),), ((1, 0, 5),))
    >>> other = Skeleton(((read,), (write._replace(value=9),)), apart(2), (Location(),), ((0, 0, 9),))
    >>> canonical(one) == canonical(other)
    True
    """
    return min(_named(skeleton, order) for order in _orders(skeleton))


def same_but_for_names(one: Skeleton, other: Skeleton) -> bool:
    """Tell whether two skeletons are the same but for names, by trying all of them out.

    It decides by definition what :func:`canonical` decides by normal forms, and is as slow as that sounds.

    Parameters
    ----------
    one, other : Skeleton

    Returns
    -------
    bool
    """
    if len(one.threads) != len(other.threads) or len(one.locations) != len(other.locations):
        return False
    return any(
        _renames(one, other, threads, locations)
        for threads in permutations(range(len(one.threads)))
        for locations in permutations(range(len(one.locations)))
    )


def _renamed_locations(skeleton: Skeleton) -> frozenset[int]:
    """Give the locations whose values are only names: nothing computes with them or sees parts of them."""
    fixed = set()
    for thread in skeleton.threads:
        for event in thread:
            if event.part != WHOLE or event.operator not in ("", "xchg", "cmpxchg"):
                fixed.add(event.location)
    return frozenset(range(len(skeleton.locations))) - fixed


def _orders(skeleton: Skeleton) -> Iterator[tuple[int, ...]]:
    """Give the orders of threads in which the least form may be: sorted by what names do not change."""
    marks = [_own(thread) for thread in skeleton.threads]
    groups: dict[tuple[Event, ...], list[int]] = {}
    for number in sorted(range(len(marks)), key=marks.__getitem__):
        groups.setdefault(marks[number], []).append(number)
    for parts in product(*(permutations(group) for group in groups.values())):
        yield tuple(number for part in parts for number in part)


def _own(thread: Sequence[Event]) -> tuple[Event, ...]:
    """Give a thread without what names of locations and values change."""
    seen: dict[int, int] = {-1: -1}
    return tuple(
        event._replace(location=seen.setdefault(event.location, len(seen) - 1), value=0, expected=0) for event in thread
    )


def _named(skeleton: Skeleton, order: Sequence[int]) -> Skeleton:
    """Give a skeleton with its threads in an order, and all else named in the order in which it comes."""
    plain = _renamed_locations(skeleton)
    locations: dict[int, int] = {-1: -1}
    values: dict[int, dict[int, int]] = {}

    def value(location: int, held: int) -> int:
        if location not in plain:
            return held
        names = values.setdefault(location, {0: 0})
        return names.setdefault(held, len(names))

    def event_named(event: Event) -> Event:
        location = event.location
        if location < 0:
            return event
        named = locations.setdefault(location, len(locations) - 1)
        expected = value(location, event.expected) if event.operator == "cmpxchg" else event.expected
        written = value(location, event.value) if event.writes else event.value
        return event._replace(location=named, value=written, expected=expected)

    threads = tuple(tuple(map(event_named, skeleton.threads[number])) for number in order)
    for location in _unused(skeleton, locations):
        locations[location] = len(locations) - 1
    where = {number: place for place, number in enumerate(order)}
    reads = sorted((where[number], index, held) for number, index, held in skeleton.reads)
    reads = [
        (number, index, value(skeleton.threads[order[number]][index].location, held)) for number, index, held in reads
    ]
    finals = sorted((locations[location], location, held) for location, held in skeleton.finals)
    back = sorted((named, location) for location, named in locations.items() if location >= 0)
    return Skeleton(
        threads,
        numbered([skeleton.places[number] for number in order]),
        tuple(skeleton.locations[location] for _, location in back),
        tuple(sorted(reads)),
        tuple((named, value(location, held)) for named, location, held in finals),
    )


def _unused(skeleton: Skeleton, used: Collection[int]) -> list[int]:
    """Give the locations that no thread accesses, by what is said of them: in their final value, any but 0 is alike."""
    finals = dict(skeleton.finals)
    unused = [location for location in range(len(skeleton.locations)) if location not in used]
    return sorted(
        unused, key=lambda location: (skeleton.locations[location], location in finals, finals.get(location, 0) != 0)
    )


def numbered(places: Sequence[Place]) -> tuple[Place, ...]:
    """Number the instances of each level in the order in which they come.

    Parameters
    ----------
    places : sequence of Place

    Returns
    -------
    tuple of Place

    Examples
    --------
    >>> numbered([(7, 3, 3, 0, 0, 0), (2, 3, 3, 0, 0, 0)])
    ((0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))
    """
    names: list[dict[int, int]] = [{} for _ in range(6)]
    return tuple(
        tuple(known.setdefault(number, len(known)) for known, number in zip(names, place, strict=True))  # type: ignore[misc]
        for place in places
    )


def _renames(one: Skeleton, other: Skeleton, threads: Sequence[int], locations: Sequence[int]) -> bool:
    """Tell whether one is the other with threads and locations renamed so, and values in some way."""
    if any(one.locations[place] != other.locations[named] for place, named in enumerate(locations)):
        return False
    if numbered(one.places) != numbered([other.places[named] for named in threads]):
        return False
    plain = _renamed_locations(one)
    if {locations[place] for place in plain} != _renamed_locations(other):
        return False
    pairs: list[tuple[int, int, int]] = []
    for number, named in enumerate(threads):
        mine, theirs = one.threads[number], other.threads[named]
        if len(mine) != len(theirs):
            return False
        for left, right in zip(mine, theirs, strict=True):
            place = left.location if left.location < 0 else locations[left.location]
            if left._replace(location=place, value=0, expected=0) != right._replace(value=0, expected=0):
                return False
            if left.writes:
                pairs.append((left.location, left.value, right.value))
            if left.operator == "cmpxchg":
                pairs.append((left.location, left.expected, right.expected))
    asked = {(threads[number], index): (number, held) for number, index, held in one.reads}
    wanted = {(number, index): held for number, index, held in other.reads}
    ended = {locations[place]: (place, held) for place, held in one.finals}
    last = dict(other.finals)
    if asked.keys() != wanted.keys() or ended.keys() != last.keys():
        return False
    for key, (number, held) in asked.items():
        pairs.append((one.threads[number][key[1]].location, held, wanted[key]))
    pairs += [(place, held, last[named]) for named, (place, held) in ended.items()]
    forth: dict[tuple[int, int], int] = {(place, 0): 0 for place in plain}
    back: dict[tuple[int, int], int] = dict(forth)
    for place, left_value, right_value in pairs:
        if place not in plain:
            if left_value != right_value:
                return False
        elif forth.setdefault((place, left_value), right_value) != right_value:
            return False
        elif back.setdefault((place, right_value), left_value) != left_value:
            return False
    return True
