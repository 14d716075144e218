"""The kinds of a test's events, numbered, and which of them each predefined relation relates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from operator import and_, or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from enumerator.conditions import observed_locations
from enumerator.events.kind import Kind, is_synchronizing
from enumerator.events.relations import RELATIONS
from enumerator.events.table import PREDICATES, KindTable
from enumerator.mmra import Profile
from enumerator.program.instructions import Annotation, Ordering, Tag
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Location, Path, PathEvent

__all__ = ["Kinds", "Sketch", "sketches"]

_LDS = 3  # LLVM AMDGPUUsage, "Address Spaces"

Bits = NDArray[np.bool_]

_BIT = {name: PREDICATES.index(each.kinds) for name, each in RELATIONS.items()}
"""For each relation, the bit of what it asks of kinds."""

_ITSELF = {name: each.itself for name, each in RELATIONS.items()}


@lru_cache(maxsize=4096)
def _facts(some: int, every: int) -> tuple[frozenset[str], frozenset[str]]:
    return (
        frozenset(name for name, bit in _BIT.items() if _ITSELF[name] is True or some >> bit & 1),
        frozenset(name for name, bit in _BIT.items() if _ITSELF[name] is not False and every >> bit & 1),
    )


@lru_cache(maxsize=1024)  # a model for some facts asks for some relations
def _asked(names: tuple[str, ...]) -> tuple[NDArray[np.int64], tuple[tuple[int, bool], ...]]:
    """Give the bits of some relations, and which of them say of an event and itself what kinds do not, by place."""
    bits = np.array([1 << _BIT[name] for name in names], dtype=np.int64)[:, None, None]
    said = ((place, _ITSELF[name]) for place, name in enumerate(names))
    return bits, tuple((place, holds) for place, holds in said if holds is not None)


@lru_cache(maxsize=64)
def _initial_annotation(space: int) -> Annotation:
    """Give the annotation of initial writes of objects in an address space."""
    return Annotation(address_space=space)


class Sketch(NamedTuple):
    """What tells the kind of an event of a path, beside what holds for all events of its thread.

    Annotations are told apart by identity: those of one instruction are the same for its events.

    Parameters
    ----------
    thread : int
        Number of the thread.
    letter : {'R', 'W', 'F', 'B'}
    annotation : Annotation
    half : bool
        Of a read-modify-write.
    location : Location or None
    others : tuple of (str, Annotation)
        The letters and annotations of the events of its instruction, where they differ by more than the halves of a
        read-modify-write: the instruction is a synchronizing operation if one of them is.
    """

    thread: int
    letter: str
    annotation: Annotation
    half: bool
    location: Location | None
    others: tuple[tuple[str, Annotation], ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal for events with equal sketches."""
        annotations = tuple(id(annotation) for _, annotation in self.others)
        return self.thread, self.letter, id(self.annotation), self.half, self.location, annotations


def sketches(thread: int, events: Sequence[PathEvent], first: int = 0) -> list[Sketch]:
    """Say what tells the kinds of the events of a path.

    Parameters
    ----------
    thread : int
        Number of the thread whose path it is.
    events : sequence of PathEvent
        Of the path.
    first : int
        Of the events that are asked for, the first: it begins an instruction.

    Returns
    -------
    list of Sketch
    """
    asked = events[first:]
    halves = {event.rmw for event in asked if event.rmw is not None}
    listed: dict[int, dict[tuple[bool, int], tuple[str, Annotation]]] = {}
    for event in asked:
        key = event.kind in ("R", "W"), id(event.annotation)
        listed.setdefault(event.instruction, {})[key] = event.kind, event.annotation
    others = {instruction: tuple(found.values()) for instruction, found in listed.items() if len(found) > 1}
    return [
        Sketch(
            thread,
            event.kind,
            event.annotation,
            event.rmw is not None or index in halves,
            event.location,
            others.get(event.instruction, ()),
        )
        for index, event in enumerate(asked, first)
    ]


class Kinds:
    """The kinds of the events of a test under a profile, numbered in the order in which they are asked for.

    Parameters
    ----------
    unfolded : Unfolded
    profile : Profile
        Decides which tags are implied, and whether tags count for synchronization.
    table : KindTable, optional
        What is known of kinds from other tests.

    Attributes
    ----------
    known : list of Kind
        By number.
    spaces : dict of str to int
        Address spaces of objects.
    """

    def __init__(self, unfolded: Unfolded, profile: Profile, table: KindTable | None = None) -> None:
        test = unfolded.test
        self._table = KindTable() if table is None else table
        self.known: list[Kind] = []
        self._unfolded, self._profile = unfolded, profile
        self._numbers: dict[Kind, int] = {}
        self._in_table: list[int] = []  # of each kind, as far as it has been asked for, its number in the table
        self._initial: dict[tuple[int, bool, frozenset[str]], int] = {}
        self._remains: dict[Kind, int] = {}
        self._sketched: dict[tuple[object, ...], tuple[Annotation, int]] = {}
        self._elsewhere: dict[int, int] = {}
        self._sets: list[frozenset[str]] = []
        self._some: frozenset[str] = frozenset()
        self._matrix: tuple[NDArray[np.int64], int, int] = np.zeros((0, 0), dtype=np.int64), 0, -1
        self._observes = observed_locations(test)
        self._observed: dict[Location | None, bool] = {None: False}
        numbers = {thread.name: number for number, thread in enumerate(test.threads)}
        self._instances = [test.placements[name].instances for name in numbers]
        self._followers = [
            frozenset(numbers[after] for before, after in test.synchronized if before == name) for name in numbers
        ]
        self.spaces: dict[str, int] = {memory.name: memory.address_space for memory in test.objects}
        self._labels = {memory.name: memory.labels for memory in test.objects if memory.labels}

    # Events -------------------------------------------------------------------------------------------------

    def of_path(self, thread: int, path: Path) -> list[int]:
        """Give the numbers of the kinds of a path's events.

        Parameters
        ----------
        thread : int
            Number of the thread whose path it is.
        path : Path

        Returns
        -------
        list of int
        """
        return self.of_events(thread, path.events)

    def of_events(self, thread: int, events: Sequence[PathEvent], first: int = 0) -> list[int]:
        """Give the numbers of the kinds of the events of a path, from one on that begins an instruction."""
        return self.of_sketches(sketches(thread, events, first))

    def of_sketches(self, asked: Iterable[Sketch], said: Callable[[Annotation], Annotation] | None = None) -> list[int]:
        """Give the numbers of the kinds of some events.

        Parameters
        ----------
        asked : iterable of Sketch
        said : callable, optional
            Gives the annotation of an event from that of its sketch.

        Returns
        -------
        list of int
        """
        found = []
        for thread, letter, annotation, half, location, others in asked:
            reached, observed = self._reached(annotation, location), self._is_observed(location)
            key = thread, letter, id(annotation), half, reached, observed
            known = None if said is not None or others else self._sketched.get(key)
            if known is not None:
                found.append(known[1])
                continue
            mine = annotation if said is None else said(annotation)
            strong = is_synchronizing(letter, mine.ordering) or any(
                is_synchronizing(other, (of if said is None else said(of)).ordering) for other, of in others
            )
            found.append(self._number(self._kind(thread, letter, mine, half, strong, location)))
            if said is None and not others:
                self._sketched[key] = annotation, found[-1]  # kept, so that no other one is told apart by its identity
        return found

    def of_initial(self, location: Location) -> int:
        """Give the number of the kind of a location's initial write."""
        key = self._space(location), self._is_observed(location), self._labels.get(location.object, frozenset())
        if key not in self._initial:
            self._initial[key] = self._number(Kind("IW", address_space=key[0], observed=key[1], labels=key[2]))
        return self._initial[key]

    def initial_write(self, location: Location) -> PathEvent:
        """Give the initial write of a location: na, of system scope, in the address space of its object."""
        return PathEvent("IW", _initial_annotation(self._space(location)), 0, location)

    @staticmethod
    def synchronizing(path: Path) -> frozenset[int]:
        """Give the instructions of a path that are synchronizing operations: both halves of each count as such."""
        return frozenset(
            event.instruction for event in path.events if is_synchronizing(event.kind, event.annotation.ordering)
        )

    def kind_of(self, thread: int, event: PathEvent, half: bool) -> Kind:
        """Give the kind that an event would have, whether or not there is one such; `half`: of a read-modify-write."""
        strong = is_synchronizing(event.kind, event.annotation.ordering)
        return self._kind(thread, event.kind, event.annotation, half, strong, event.location)

    def place_of(self, location: Location) -> tuple[bool, int | None]:
        """Tell what kinds of accesses there rest on: whether it is observed, and its address space, if it is known."""
        return self._is_observed(location), self.spaces.get(location.object)

    def _kind(
        self,
        thread: int,
        letter: str,
        annotation: Annotation,
        half: bool,
        synchronizing: bool,
        location: Location | None,
    ) -> Kind:
        observed, reached = self._is_observed(location), self._reached(annotation, location)
        instances, followers = self._instances[thread], self._followers[thread]

        def make() -> Kind:
            tags = self._profile.effective_tags(
                annotation.tags,
                kind=letter,
                ordering=annotation.ordering,
                synchronizing=synchronizing,
                address_space=annotation.address_space,
            )
            counting: frozenset[Tag] = tags if self._profile.synchronize == "compatible" else frozenset()
            # An asynchronous access is done outside of the thread, by what belongs to its wave (section 10).
            own = (-1 - instances[0], *instances[1:]) if "ASYNC" in annotation.labels else instances
            return Kind.of(
                letter,
                replace(annotation, labels=annotation.labels | {"FLAT_LDS"}) if reached == _LDS else annotation,
                tags=tags,
                synchronizing_tags=counting,
                half=half,
                observed=observed,
                thread=thread,
                instances=own,
                followers=followers,
                reached=reached,
            )

        said = (letter, annotation, half, synchronizing, reached, observed, thread, instances, followers)
        return self._table.made(self._profile, said, make)

    def _number(self, kind: Kind) -> int:
        number = self._numbers.setdefault(kind, len(self.known))
        if number == len(self.known):
            self.known.append(kind)
        return number

    def _places(self) -> list[int]:
        """Give the numbers of all kinds in the table."""
        self._in_table += map(self._table.number, self.known[len(self._in_table) :])
        return self._in_table

    def _is_observed(self, location: Location | None) -> bool:
        found = self._observed.get(location)
        if found is None:
            assert location is not None
            found = self._observed[location] = self._observes(location.object, location.offset, location.size)
        return found

    def _reached(self, annotation: Annotation, location: Location | None) -> int | None:
        """Give the address space of the memory that a flat access goes to, if it is known, and another one."""
        if location is None or annotation.address_space != 0:
            return None
        return self.spaces.get(location.object) or None

    def _space(self, location: Location) -> int:
        """Give the address space of an object; memory of an alloca is none of the test's, and accesses say it."""
        if location.object not in self.spaces:
            self.spaces[location.object] = min(
                event.annotation.address_space
                for options in self._unfolded.paths
                for path in options
                for event in path.events
                if event.location is not None and event.location.object == location.object
            )
        return self.spaces[location.object]

    def elsewhere(self, number: int) -> int:
        """Number what remains of a kind if nothing is said of its thread: equal for equal code of two threads."""
        if number not in self._elsewhere:
            kind = replace(self.known[number], thread=None, instances=(), followers=frozenset())
            self._elsewhere[number] = self._remains.setdefault(kind, len(self._remains))
        return self._elsewhere[number]

    # Sets and relations ---------------------------------------------------------------------------------------

    def sets(self, number: int) -> frozenset[str]:
        """Name the predefined sets that the events of a kind are in."""
        return self._table.names(self._places()[number])

    def all_sets(self) -> list[frozenset[str]]:
        """Name the predefined sets that the events of each kind are in."""
        if len(self._sets) != len(self.known):
            self._sets += map(self._table.names, self._places()[len(self._sets) :])
            self._some = self._some.union(*self._sets)
        return self._sets

    @property
    def in_some(self) -> frozenset[str]:
        """The predefined sets that the events of some kind are in."""
        self.all_sets()
        return self._some

    @property
    def reads_plainly(self) -> bool:
        """Whether the events of some kind are reads that are not atomic."""
        return any(kind.letter == "R" and kind.ordering < Ordering.MONOTONIC for kind in self.known)

    def _known_masks(self) -> tuple[NDArray[np.int64], int, int]:
        """Tell which predicates hold of each two kinds known so far, of some two, and of all."""
        count = len(self.known)
        matrix, some, every = self._matrix
        before = len(matrix)
        if before != count:
            places = self._places()
            beside, below = (
                self._table.masks(places[:before], places[before:]),
                self._table.masks(places[before:], places),
            )
            some, every = reduce(or_, beside + below, some), reduce(and_, beside + below, every)
            larger = np.zeros((count, count), dtype=np.int64)
            larger[:before, :before] = matrix
            larger[:before, before:] = np.array(beside, dtype=np.int64).reshape(before, count - before)
            larger[before:] = np.array(below, dtype=np.int64).reshape(count - before, count)
            self._matrix = larger, some, every
        return self._matrix

    def pairs(self, name: str) -> tuple[Bits, Bits]:
        """Say what the kinds of two events, and of one, decide of a predefined relation.

        Parameters
        ----------
        name : str
            Of :data:`~enumerator.events.relations.RELATIONS`.

        Returns
        -------
        pairs : bool array, shape (kinds, kinds)
            Of the kinds known so far.
        itself : bool array, shape (kinds,)
            Of an event with itself.
        """
        pairs, itself = self.all_pairs((name,))
        return pairs[0], itself[0]

    def all_pairs(self, names: Sequence[str]) -> tuple[Bits, Bits]:
        """Say what :meth:`pairs` does of several relations.

        Parameters
        ----------
        names : sequence of str

        Returns
        -------
        pairs : bool array, shape (relations, kinds, kinds)
        itself : bool array, shape (relations, kinds)
        """
        masks, _, _ = self._known_masks()
        bits, said = _asked(tuple(names))
        pairs = (masks & bits).astype(np.bool_)
        itself = pairs.diagonal(axis1=1, axis2=2).copy()
        for place, holds in said:
            itself[place] = holds
        return pairs, itself

    def facts(self) -> tuple[frozenset[str], frozenset[str]]:
        """Name the relations that the kinds of some two events, or of an event and itself, allow; and those of all."""
        _, some, every = self._known_masks()
        return _facts(some, every)

    def preserved(self, permutation: Sequence[int], names: Sequence[str]) -> bool:
        """Tell whether a permutation of kinds changes nothing that some predefined relations see of them.

        Parameters
        ----------
        permutation : sequence of int
            For each kind, the one that takes its place.
        names : sequence of str
            Of the relations.

        Returns
        -------
        bool
        """
        places = np.asarray(permutation, dtype=np.int64)
        seen = sum(1 << bit for bit in {_BIT[name] for name in names})
        masks = self._known_masks()[0] & seen
        return np.array_equal(masks, masks[places[:, None], places])
