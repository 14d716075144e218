"""The canonical form of skeletons, against all renamings tried out one by one."""

from __future__ import annotations

import random
from itertools import combinations, product

from enumerator.generation.canonical import canonical, same_but_for_names
from enumerator.generation.skeleton import (
    Dependency,
    DependencyKind,
    Event,
    Kind,
    Location,
    Mark,
    Place,
    Skeleton,
    apart,
    check_skeleton,
)
from enumerator.program.instructions import Ordering

TOGETHER: tuple[Place, ...] = ((0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0), (2, 2, 1, 0, 0, 0))


def small_skeletons() -> list[Skeleton]:
    """Every skeleton of two threads with three accesses in all, over two locations, with one read that is asked."""
    found = []
    events = [Event(Kind.READ, place) for place in range(2)]
    events += [Event(Kind.WRITE, place, value) for place in range(2) for value in (1, 2)]
    for row in product(events, repeat=3):
        threads = (row[:1], row[1:])
        for number, index in ((0, 0), (1, 0), (1, 1)):
            if threads[number][index].kind == Kind.READ:
                for value in (0, 1, 2):
                    asked = ((number, index, value),)
                    found.append(Skeleton(threads, apart(2), (Location(), Location()), asked))
    return found


def renamed(skeleton: Skeleton, chance: random.Random) -> Skeleton:
    """The same skeleton under other names."""
    threads = list(range(len(skeleton.threads)))
    locations = list(range(len(skeleton.locations)))
    chance.shuffle(threads)
    chance.shuffle(locations)
    fixed = {event.location for _, _, event in skeleton.events() if event.part != (0, 0) or event.operator == "add"}
    values = {}
    for place in locations:
        names = list(range(1, 6))
        if place not in fixed:
            chance.shuffle(names)
        values[place] = [0, *names]

    def named(event: Event) -> Event:
        if event.location < 0:
            return event
        row = values[event.location]
        compared = row[event.expected] if event.operator == "cmpxchg" else 0
        stored = row[event.value] if event.writes else 0
        return event._replace(location=locations[event.location], value=stored, expected=compared)

    where = {number: place for place, number in enumerate(threads)}
    reads = [
        (where[number], index, values[skeleton.threads[number][index].location][value])
        for number, index, value in skeleton.reads
    ]
    back = {named: place for place, named in enumerate(locations)}
    shift = [chance.randrange(9) for _ in range(6)]
    return Skeleton(
        tuple(tuple(map(named, skeleton.threads[number])) for number in threads),
        tuple(
            tuple(number + more for number, more in zip(skeleton.places[each], shift, strict=True))  # type: ignore[misc]
            for each in threads
        ),
        tuple(skeleton.locations[back[place]] for place in range(len(locations))),
        tuple(sorted(reads)),
        tuple(sorted((locations[place], values[place][value]) for place, value in skeleton.finals)),
    )


def a_skeleton(chance: random.Random) -> Skeleton:
    """A skeleton of up to three threads with all kinds of events."""
    locations = tuple(Location(space=chance.choice((0, 0, 3))) for _ in range(chance.randint(1, 3)))
    threads = []
    for _ in range(chance.randint(1, 3)):
        thread: list[Event] = []
        for index in range(chance.randint(1, 3)):
            place, value = chance.randrange(len(locations)), chance.randint(1, 3)
            mark = Mark(chance.choice((Ordering.MONOTONIC, Ordering.SEQ_CST)))
            part = (0, 2) if chance.random() < 0.1 else (0, 0)
            earlier = [number for number in range(index) if thread[number].reads]
            depends = (Dependency(DependencyKind.CTRL, chance.choice(earlier)),) if earlier else ()
            thread.append(
                chance.choice(
                    [
                        Event(Kind.READ, place, 0, mark, part=part, depends=depends),
                        Event(Kind.WRITE, place, value, mark, part=part, depends=depends),
                        Event(Kind.UPDATE, place, value, mark, "cmpxchg", chance.randint(0, 3)),
                        Event(Kind.UPDATE, place, value, mark, chance.choice(("xchg", "add"))),
                        Event(Kind.FENCE, mark=Mark(Ordering.SEQ_CST)),
                    ]
                )
            )
        threads.append(tuple(thread))
    readers = [(number, index) for number, row in enumerate(threads) for index, event in enumerate(row) if event.reads]
    asked = tuple((*each, chance.randint(0, 3)) for each in readers if chance.random() < 0.7)
    finals = tuple((place, chance.randint(0, 3)) for place in range(len(locations)) if chance.random() < 0.5)
    places = chance.choice((apart(3), TOGETHER))[: len(threads)]
    return Skeleton(tuple(threads), places, locations, asked, finals)


def test_small_skeletons_have_equal_forms_exactly_if_some_renaming_makes_them_equal() -> None:
    """All of them: each is alike to the first of its form, and no two firsts are alike."""
    first: dict[Skeleton, Skeleton] = {}
    every = small_skeletons()
    for skeleton in every:
        assert same_but_for_names(skeleton, first.setdefault(canonical(skeleton), skeleton))
    assert not any(same_but_for_names(one, other) for one, other in combinations(first.values(), 2))
    assert len(every) > 2 * len(first) > 200


def test_renaming_changes_no_canonical_form() -> None:
    chance = random.Random(2)
    for _ in range(400):
        skeleton = a_skeleton(chance)
        check_skeleton(skeleton)
        other = renamed(skeleton, chance)
        assert same_but_for_names(skeleton, other)
        assert canonical(other) == canonical(skeleton)
        assert canonical(canonical(skeleton)) == canonical(skeleton)
        assert same_but_for_names(skeleton, canonical(skeleton))


def test_random_skeletons_that_are_alike() -> None:
    chance = random.Random(3)
    some = [a_skeleton(chance) for _ in range(150)]
    some += [renamed(each, chance) for each in some[:40]]
    for one, other in combinations(some, 2):
        assert (canonical(one) == canonical(other)) == same_but_for_names(one, other)
