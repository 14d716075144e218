"""Base sets and relations of a candidate execution, as the cat language names them.

What depends on the paths alone (program order, scopes, tags …) is a :class:`Combination`, made once for each choice
of a path for every thread; what the candidate chooses (reads-from, the order of writes, undef reads) is added by
:func:`candidate_world`. Definitions: semantics, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from enumerator.cat.algebra import Relation, relation
from enumerator.cat.interpreter import Events
from enumerator.conditions import observed_locations
from enumerator.mmra import Profile, at_least, compatible
from enumerator.program.instructions import Annotation, Ordering, Scope, Tag
from enumerator.program.test import Test
from enumerator.program.values import Value
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Location, Node, Path, PathEvent

__all__ = [
    "Combination",
    "Event",
    "candidate_world",
    "combine_paths",
    "is_synchronizing",
    "number_events",
    "says_ordering",
]

_ORDERING_SETS: Mapping[str, Ordering] = {
    "UNORDERED": Ordering.UNORDERED,
    "RLX": Ordering.MONOTONIC,
    "ACQ": Ordering.ACQUIRE,
    "REL": Ordering.RELEASE,
    "ACQ_REL": Ordering.ACQ_REL,
    "SC": Ordering.SEQ_CST,
}
_ADDRESS_SPACES = range(10)  # those named even where no access is in them
_AV_NONE = Tag("amdgcn-av", "none")
_INITIAL = Annotation(ordering=Ordering.NA, scope=Scope.SYSTEM)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a candidate execution.

    Parameters
    ----------
    number : int
        Its node in relations.
    kind : {'IW', 'R', 'W', 'F', 'B'}
        Initial write, read, write, fence, barrier.
    thread, index : int or None
        Which thread, and which event of its path; None for an initial write.
    annotation : Annotation
        Of an initial write: system scope and its object's address space.
    tags : frozenset of Tag
        Effective ones: explicit and implied by the target profile.
    synchronizing : bool
        See :func:`is_synchronizing`.
    location : Location or None
    value : Node or None
        None for an initial write (its value is the object's initial one), fences and barriers.
    line : int or None
        Source line.
    """

    number: int
    kind: str
    thread: int | None
    index: int | None
    annotation: Annotation
    tags: frozenset[Tag] = frozenset()
    synchronizing: bool = False
    location: Location | None = None
    value: Node | None = None
    line: int | None = None

    @property
    def reads(self) -> bool:
        """Whether it is a read."""
        return self.kind == "R"

    @property
    def writes(self) -> bool:
        """Whether it is a write, initial ones included."""
        return self.kind in ("W", "IW")

    @property
    def atomic(self) -> bool:
        """Whether it is atomic: not ``na``, or an initial write."""
        return self.kind == "IW" or self.annotation.ordering != Ordering.NA


@dataclass(frozen=True)
class Combination:
    """One path for each thread, with the events they make and all that depends on nothing else.

    Parameters
    ----------
    test : Test
    numbers : tuple of int
        For each thread in order, the number of its path.
    paths : tuple of Path
        These paths.
    events : tuple of Event
        By number: the initial write of each location that the paths access, sorted by location; then each thread's
        events in program order.
    locations : tuple of Location
        Sorted; the initial write of ``locations[n]`` is event n.
    initial : tuple of Value
        What the initial writes write.
    sets, relations : mapping
        The predefined names of the cat language, less those that depend on a candidate's choices.
    """

    test: Test
    numbers: tuple[int, ...]
    paths: tuple[Path, ...]
    events: tuple[Event, ...]
    locations: tuple[Location, ...]
    initial: tuple[Value, ...]
    sets: Mapping[str, frozenset[int]]
    relations: Mapping[str, Relation]

    def event_of(self, thread: int, index: int) -> int:
        """Give the number of a path's event."""
        before = sum(len(path.events) for path in self.paths[:thread])
        return len(self.locations) + before + index

    def writes_to(self, location: Location) -> tuple[int, ...]:
        """Give the writes of a location, the initial one first."""
        return tuple(event.number for event in self.events if event.writes and event.location == location)


# Events -----------------------------------------------------------------------------------------------------


def is_synchronizing(kind: str, ordering: Ordering) -> bool:
    """Tell whether an event is a synchronizing operation: a fence, or an access with ordering ≥ acquire or ≥ release.

    Parameters
    ----------
    kind : {'R', 'W', 'F', 'B'}
    ordering : Ordering

    Returns
    -------
    bool

    References
    ----------
    Semantics, section 1.

    Examples
    --------
    >>> is_synchronizing("W", Ordering.RELEASE), is_synchronizing("W", Ordering.MONOTONIC)
    (True, False)
    """
    strong = at_least(ordering, Ordering.ACQUIRE) or at_least(ordering, Ordering.RELEASE)
    return kind == "F" or (kind in ("R", "W") and strong)


def says_ordering(kind: str, ordering: Ordering) -> bool:
    """Tell whether an event is in the sets of orderings: an access, a fence, or a barrier with an ordering.

    Examples
    --------
    >>> says_ordering("W", Ordering.NA), says_ordering("B", Ordering.NA), says_ordering("B", Ordering.ACQ_REL)
    (True, False, True)
    """
    return kind in ("R", "W", "F") or (kind == "B" and ordering != Ordering.NA)


def number_events(test: Test, paths: Sequence[Path], profile: Profile) -> tuple[Event, ...]:
    """Give the events of a choice of paths, numbered.

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        One for each thread of the test, in order.
    profile : Profile
        Says which tags are implied.

    Returns
    -------
    tuple of Event
        Initial writes of the accessed locations, sorted by location, then the threads' events.
    """
    accessed = sorted({event.location for path in paths for event in path.events if event.location is not None})
    spaces = {item.name: item.address_space for item in test.objects}
    used = {event.location: event.annotation.address_space for path in paths for event in path.events}
    events: list[Event] = []
    for location in accessed:
        space = spaces.get(location.object, used[location])  # memory of an alloca is no object of the test
        annotation = Annotation(_INITIAL.ordering, _INITIAL.scope, address_space=space)
        events.append(Event(len(events), "IW", None, None, annotation, location=location))
    for thread, path in enumerate(paths):
        synchronizing = {
            event.instruction for event in path.events if is_synchronizing(event.kind, event.annotation.ordering)
        }
        for index, event in enumerate(path.events):
            events.append(_thread_event(len(events), thread, index, event, event.instruction in synchronizing, profile))
    return tuple(events)


def _thread_event(
    number: int, thread: int, index: int, event: PathEvent, synchronizing: bool, profile: Profile
) -> Event:
    tags = profile.effective_tags(
        event.annotation.tags,
        kind=event.kind,
        ordering=event.annotation.ordering,
        synchronizing=synchronizing,
        address_space=event.annotation.address_space,
    )
    return Event(
        number,
        event.kind,
        thread,
        index,
        event.annotation,
        tags,
        synchronizing,
        event.location,
        event.value,
        event.line,
    )


# Sets and relations that paths decide -----------------------------------------------------------------------


def combine_paths(unfolded: Unfolded, numbers: Sequence[int], profile: Profile) -> Combination:
    """Number the events of a choice of paths and compute what depends on nothing else.

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
    test = unfolded.test
    paths = tuple(options[number] for options, number in zip(unfolded.paths, numbers, strict=True))
    events = number_events(test, paths, profile)
    locations = tuple(event.location for event in events if event.kind == "IW" and event.location is not None)
    relations: dict[str, Relation] = {
        **_path_relations(events, paths),
        **_scope_relations(test, events, paths),
        **_foreign_relations(test, events, paths),
        **_tag_relations(events, profile),
    }
    halves = frozenset(number for pair in relations["rmw"].edges for number in pair)
    return Combination(
        test,
        tuple(numbers),
        paths,
        events,
        locations,
        tuple(unfolded.initial[location] for location in locations),
        {**_sets(events), "RMW": halves, "OBS": _observed(test, events)},
        relations,
    )


def _observed(test: Test, events: Sequence[Event]) -> frozenset[int]:
    is_observed = observed_locations(test)
    return frozenset(
        event.number
        for event in events
        if event.location is not None and is_observed(event.location.object, event.location.offset, event.location.size)
    )


def _sets(events: Sequence[Event]) -> dict[str, frozenset[int]]:
    def where(chosen: Iterable[Event]) -> frozenset[int]:
        return frozenset(event.number for event in chosen)

    accesses = [event for event in events if event.reads or event.writes]
    initial = where(event for event in events if event.kind == "IW")
    ordered = [event for event in events if says_ordering(event.kind, event.annotation.ordering)]
    atomic = where(event for event in ordered if event.atomic)
    monotonic = where(event for event in ordered if at_least(event.annotation.ordering, Ordering.MONOTONIC))
    spaces = {event.annotation.address_space for event in accesses}.union(_ADDRESS_SPACES)
    labels = {label for event in events for label in event.annotation.labels}
    relaxed = [event for event in ordered if event.annotation.ordering == Ordering.MONOTONIC]
    predefined = {
        "AV": frozenset(),
        "CON": frozenset(),
        "_": where(events),
        "emptyset": frozenset(),
        "R": where(event for event in events if event.reads),
        "W": where(event for event in events if event.writes),
        "M": where(accesses),
        "F": where(event for event in ordered if event.kind in ("F", "B")),
        "B": where(event for event in events if event.kind == "B"),
        "IW": initial,
        "NA": where(event for event in accesses if not event.atomic),
        "A": initial | monotonic,
        "Atomic": initial | atomic,
        **{
            name: where(event for event in ordered if event.annotation.ordering == ordering)
            for name, ordering in _ORDERING_SETS.items()
        },
        # consume is monotonic or stronger, but not relaxed
        "RLX": where(event for event in relaxed if "CON" not in event.annotation.labels),
        **{scope.name: where(event for event in events if event.annotation.scope == scope) for scope in Scope},
        **{
            f"AS{space}": where(event for event in accesses if event.annotation.address_space == space)
            for space in sorted(spaces)
        },
        "TP": where(event for event in accesses if event.annotation.thread_private),
        "VOLATILE": where(event for event in accesses if event.annotation.volatile),
        "ONE_AS": where(event for event in ordered if event.annotation.one_as),
        "AV_NONE": where(event for event in events if _AV_NONE in event.tags),
    }
    for label in sorted(labels):  # a label may name a predefined set, too, and then adds to it
        labelled = where(event for event in events if label in event.annotation.labels)
        predefined[label] = predefined.get(label, frozenset()) | labelled
    return predefined


def _where(events: Sequence[Event], holds: Callable[[Event, Event], bool]) -> Relation:
    """Relate the pairs of events for which a predicate holds."""
    numbers = [event.number for event in events]
    return relation(numbers, ((a.number, b.number) for a in events for b in events if holds(a, b)))


def _path_relations(events: Sequence[Event], paths: Sequence[Path]) -> dict[str, Relation]:
    """Relations that the paths spell out: program order, halves of an instruction, dependencies, same location."""
    numbers = [event.number for event in events]
    first = [0] * len(paths)  # number of each thread's first event
    for event in reversed(events):
        if event.thread is not None:
            first[event.thread] = event.number
    pairs: dict[str, list[tuple[int, int]]] = {
        name: [] for name in ("rmw", "addr", "data", "ctrl", "tok", "unsequenced")
    }
    for thread, path in enumerate(paths):
        for index, made in enumerate(path.events):
            number = first[thread] + index
            if made.rmw is not None:
                pairs["rmw"].append((first[thread] + made.rmw, number))
            for name, sources in _sources(made):
                pairs[name].extend((first[thread] + source, number) for source in sources)

    def same_thread(a: Event, b: Event) -> bool:
        return a is b if a.thread is None else a.thread == b.thread

    def same_location(a: Event, b: Event) -> bool:
        return a.location is not None and a.location == b.location

    def same_space(a: Event, b: Event) -> bool:
        both_accesses = a.location is not None and b.location is not None
        return both_accesses and a.annotation.address_space == b.annotation.address_space

    relations = {name: relation(numbers, chosen) for name, chosen in pairs.items()}

    def before(a: Event, b: Event) -> bool:
        in_order = a.thread is not None and same_thread(a, b) and a.number < b.number
        return in_order and not relations["unsequenced"].has_edge(a.number, b.number)

    return {
        **relations,
        "amo": relations["rmw"],
        "0": relation(numbers, ()),
        "id": _where(events, lambda a, b: a is b),
        "po": _where(events, before),
        "loc": _where(events, same_location),
        "text-order": _where(events, lambda a, b: a.number < b.number),
        "same-as": _where(events, same_space),
        "po-loc": _where(events, lambda a, b: before(a, b) and same_location(a, b)),
        "int": _where(events, same_thread),
        "ext": _where(events, lambda a, b: not same_thread(a, b)),
    }


def _sources(made: PathEvent) -> tuple[tuple[str, frozenset[int]], ...]:
    """Give the earlier events of its path that an event is related to, by the name of the relation."""
    return tuple((name, getattr(made, name)) for name in ("addr", "data", "ctrl", "tok", "unsequenced"))


def _scope_relations(test: Test, events: Sequence[Event], paths: Sequence[Path]) -> dict[str, Relation]:
    """Relations of the scope tree: same instance, in a's own instance, inclusive; and the barriers of workgroups."""
    placements = [test.placements[thread.name] for thread in test.threads]

    def same(scope: Scope, a: Event, b: Event) -> bool:
        if a.thread is None or b.thread is None:
            return True  # an initial write belongs to every instance
        return placements[a.thread].instance(scope) == placements[b.thread].instance(scope)

    def inscope(a: Event, b: Event) -> bool:
        return same(a.annotation.scope, a, b)

    def meets(a: Event, b: Event) -> bool:
        if a.kind != "B" or b.kind != "B" or a.thread == b.thread or not same(Scope.WORKGROUP, a, b):
            return False
        arrival = _path_event(paths, a).arrival
        return arrival is not None and arrival == _path_event(paths, b).wait

    return {
        **{
            f"same-{scope.name.lower()}": _where(events, lambda a, b, scope=scope: same(scope, a, b))  # type: ignore[misc]
            for scope in Scope
        },
        "inscope": _where(events, inscope),
        "incl": _where(events, lambda a, b: inscope(a, b) and inscope(b, a)),
        "bar": _where(events, meets),
    }


def _foreign_relations(test: Test, events: Sequence[Event], paths: Sequence[Path]) -> dict[str, Relation]:
    """Relations that only some languages have: numbered barriers, synchronization by the system, references."""
    names = [thread.name for thread in test.threads]

    def same_barrier(a: Event, b: Event) -> bool:
        if a.kind != "B" or b.kind != "B":
            return False
        one, other = _path_event(paths, a), _path_event(paths, b)
        return one.barrier is not None and one.barrier == other.barrier and one.completes

    def synchronized(a: Event, b: Event) -> bool:
        if a.thread is None or b.thread is None:
            return False
        return (names[a.thread], names[b.thread]) in test.synchronized

    def same_reference(a: Event, b: Event) -> bool:
        if a.location is None or b.location is None:
            return False
        return "IW" in (a.kind, b.kind) or a.annotation.reference == b.annotation.reference

    return {
        "syncbar": _where(events, same_barrier),
        "ssw": _where(events, synchronized),
        "vloc": _where(events, same_reference),
    }


def _path_event(paths: Sequence[Path], event: Event) -> PathEvent:
    assert event.thread is not None and event.index is not None
    return paths[event.thread].events[event.index]


def _tag_relations(events: Sequence[Event], profile: Profile) -> dict[str, Relation]:
    mmra = _where(events, lambda a, b: compatible(a.tags, b.tags))
    always = profile.synchronize == "always"
    return {"mmra": mmra, "mmra-sync": _where(events, lambda a, b: True) if always else mmra}


# What a candidate chooses -----------------------------------------------------------------------------------


def candidate_world(
    combination: Combination,
    order_name: str,
    reads_from: Iterable[tuple[int, int]],
    orders: Iterable[Sequence[int]],
    undef: Collection[int] | None = None,
) -> Events:
    """Give the predefined names of a candidate execution, less those that the language defines by a formula.

    Parameters
    ----------
    combination : Combination
    order_name : str
        What the model calls the order of writes that it chooses (``mo``), or ``co`` if it chooses none by name.
    reads_from : iterable of (int, int)
        (write, read) pairs.
    orders : iterable of sequence of int
        For each location, writes from first to last.
    undef : collection of int or None
        The reads that return undef by rule; None where the model knows no such reads.

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
