"""The predefined sets and relations of a candidate execution, by their names in the cat language.

A :class:`Combination` holds those that depend on the paths alone (program order, scopes, tags …). It is made once for
each choice of a path for every thread. :func:`candidate_world` adds what a candidate chooses: reads-from, the order of
writes, undef reads. Events, sets and relations are defined in :mod:`enumerator.events`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from enumerator.cat.algebra import Relation, difference, relation
from enumerator.cat.interpreter import Events
from enumerator.clock import check_time
from enumerator.events import RELATIONS, SETS, BaseRelation, Event, Kinds, names_of, number_events, related
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.program.values import Value
from enumerator.unfold import Unfolded
from enumerator.unfold.named import Named, named_location
from enumerator.unfold.paths import Location, Path

__all__ = ["Combination", "candidate_world", "combine_paths"]


@dataclass(frozen=True)
class Combination:
    """One path for each thread, with the sets and relations that depend on the paths alone.

    Parameters
    ----------
    unfolded : Unfolded
        Of the test.
    numbers : tuple of int
        For each thread in order, the number of its path.
    paths : tuple of Path
        These paths.
    events : tuple of Event
        By number: first the initial writes of the locations that the paths access, sorted by location; then the events
        of each thread in program order.
    locations : tuple of Location
        Sorted; the initial write of ``locations[n]`` is event n.
    initial : tuple of Value
        The values of the initial writes.
    sets, relations : mapping
        By name in the cat language, without those that depend on the choices of a candidate.
    """

    unfolded: Unfolded
    numbers: tuple[int, ...]
    paths: tuple[Path, ...]
    events: tuple[Event, ...]
    locations: tuple[Location, ...]
    initial: tuple[Value, ...]
    sets: Mapping[str, frozenset[int]]
    relations: Mapping[str, Relation]

    @property
    def test(self) -> Test:
        """The test."""
        return self.unfolded.test

    def named(self, name: str) -> Named:
        """Give what a name of a location stands for."""
        return named_location(self.unfolded, name)

    def event_of(self, thread: int, index: int) -> int:
        """Give the number of an event from its thread and its index in the path."""
        before = sum(len(path.events) for path in self.paths[:thread])
        return len(self.locations) + before + index

    def writes_to(self, location: Location) -> tuple[int, ...]:
        """Give the writes to a location, the initial one first."""
        return tuple(event.number for event in self.events if event.writes and event.location == location)


def combine_paths(unfolded: Unfolded, numbers: Sequence[int], profile: Profile) -> Combination:
    """Combine one path for each thread.

    Parameters
    ----------
    unfolded : Unfolded
    numbers : sequence of int
        For each thread of the test in order, the number of its path.
    profile : Profile

    Returns
    -------
    Combination
    """
    paths = tuple(options[number] for options, number in zip(unfolded.paths, numbers, strict=True))
    events = number_events(Kinds(unfolded, profile), paths)
    locations = tuple(event.location for event in events if event.kind == "IW" and event.location is not None)
    return Combination(
        unfolded,
        tuple(numbers),
        paths,
        events,
        locations,
        tuple(unfolded.initial[location] for location in locations),
        _sets(events),
        _relations(events),
    )


def _sets(events: Sequence[Event]) -> dict[str, frozenset[int]]:
    members: dict[str, set[int]] = {name: set() for name in SETS}
    for event in events:
        for name in names_of(event.of):
            members.setdefault(name, set()).add(event.number)
    return {name: frozenset(numbers) for name, numbers in members.items()}


def _relations(events: Sequence[Event]) -> dict[str, Relation]:
    def pairs(each: BaseRelation) -> Iterator[tuple[int, int]]:
        for a in events:
            check_time()
            yield from ((a.number, b.number) for b in events if related(each, a, b))

    numbers = [event.number for event in events]
    found = {name: relation(numbers, pairs(each)) for name, each in RELATIONS.items()}
    # The paths evaluate the operands of an expression in order, but the language leaves their order open.
    return found | {"po": difference(found["po"], found["unsequenced"])}


# What a candidate chooses -----------------------------------------------------------------------------------


def candidate_world(
    combination: Combination,
    order_name: str,
    reads_from: Iterable[tuple[int, int]],
    orders: Iterable[Sequence[int]],
    undef: Collection[int] | None = None,
) -> Events:
    """Give the predefined sets and relations of a candidate, without those that the language defines by a formula.

    Parameters
    ----------
    combination : Combination
    order_name : str
        The name of the order of writes (:class:`~enumerator.reference.axioms.Choices`).
    reads_from : iterable of (int, int)
        (write, read) pairs.
    orders : iterable of sequence of int
        For each location, writes from first to last.
    undef : collection of int or None
        The reads that return undef by rule; None if the model has no such rule.

    Returns
    -------
    Events
    """
    numbers = [event.number for event in combination.events]
    rf = list(reads_from)
    order = [(a, b) for writes in orders for place, a in enumerate(writes) for b in writes[place + 1 :]]
    after: dict[int, list[int]] = {}
    for a, b in order:
        after.setdefault(a, []).append(b)
    fr = [(read, later) for write, read in rf for later in after.get(write, ())]
    chosen = {"rf": relation(numbers, rf), "fr": relation(numbers, fr), order_name: relation(numbers, order)}
    sets = combination.sets if undef is None else {**combination.sets, "UNDEF": frozenset(undef)}
    return Events(tuple(numbers), sets, {**combination.relations, **chosen})
