"""The kinds of a test's events, numbered, and which of them each predefined relation relates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from enumerator.conditions import observed_locations
from enumerator.events.kind import Kind, is_synchronizing
from enumerator.events.relations import RELATIONS
from enumerator.events.sets import names_of
from enumerator.mmra import Profile
from enumerator.program.instructions import Annotation, Tag
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Location, Path, PathEvent

__all__ = ["Kinds"]

_LDS = 3  # LLVM AMDGPUUsage, "Address Spaces"

Bits = NDArray[np.bool_]


class Kinds:
    """The kinds of the events of a test under a profile, numbered in the order in which they are asked for.

    Parameters
    ----------
    unfolded : Unfolded
    profile : Profile
        Decides which tags are implied, and whether tags count for synchronization.

    Attributes
    ----------
    known : list of Kind
        By number.
    spaces : dict of str to int
        Address spaces of objects.
    """

    def __init__(self, unfolded: Unfolded, profile: Profile) -> None:
        test = unfolded.test
        self.known: list[Kind] = []
        self._unfolded, self._profile = unfolded, profile
        self._numbers: dict[Kind, int] = {}
        self._sets: list[frozenset[str]] = []
        self._initial: dict[tuple[int, bool, frozenset[str]], int] = {}
        self._remains: dict[Kind, int] = {}
        self._elsewhere: dict[int, int] = {}
        self._matrices: dict[tuple[Callable[[Kind, Kind], bool], int], Bits] = {}
        self._extents: dict[tuple[Callable[[Kind, Kind], bool], int], tuple[bool, bool]] = {}
        self._pairs: dict[tuple[str, int], tuple[Bits, Bits]] = {}
        self._observes = observed_locations(test)
        self._observed: dict[Location | None, bool] = {None: False}
        numbers = {thread.name: number for number, thread in enumerate(test.threads)}
        self._instances = [test.placements[name].instances for name in numbers]
        self._followers = [
            frozenset(numbers[after] for before, after in test.synchronized if before == name) for name in numbers
        ]
        self.spaces: dict[str, int] = {memory.name: memory.address_space for memory in test.objects}
        self._labels = {memory.name: memory.labels for memory in test.objects if memory.labels}
        # Annotations are shared by the events of an instruction; each is kept, so that its identity stays its own.
        self._seen: dict[tuple[object, ...], tuple[int, Annotation]] = {}

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
        halves = {event.rmw for event in path.events if event.rmw is not None}
        synchronizing = self.synchronizing(path)
        found = []
        for index, event in enumerate(path.events):
            half = event.rmw is not None or index in halves
            strong = event.instruction in synchronizing
            local = self._is_local(event)
            key = (thread, event.kind, id(event.annotation), half, strong, local, self._is_observed(event.location))
            if key not in self._seen:
                self._seen[key] = self._number(self._kind(thread, event, half, strong)), event.annotation
            found.append(self._seen[key][0])
        return found

    def of_initial(self, location: Location) -> int:
        """Give the number of the kind of a location's initial write."""
        key = self._space(location), self._is_observed(location), self._labels.get(location.object, frozenset())
        if key not in self._initial:
            self._initial[key] = self._number(Kind("IW", address_space=key[0], observed=key[1], labels=key[2]))
        return self._initial[key]

    def initial_write(self, location: Location) -> PathEvent:
        """Give the initial write of a location: na, of system scope, in the address space of its object."""
        return PathEvent("IW", Annotation(address_space=self._space(location)), 0, location)

    @staticmethod
    def synchronizing(path: Path) -> frozenset[int]:
        """Give the instructions of a path that are synchronizing operations: both halves of each count as such."""
        return frozenset(
            event.instruction for event in path.events if is_synchronizing(event.kind, event.annotation.ordering)
        )

    def kind_of(self, thread: int, event: PathEvent, half: bool) -> Kind:
        """Give the kind that an event would have, whether or not there is one such; `half`: of a read-modify-write."""
        return self._kind(thread, event, half, is_synchronizing(event.kind, event.annotation.ordering))

    def _kind(self, thread: int, event: PathEvent, half: bool, synchronizing: bool) -> Kind:
        annotation = event.annotation
        tags = self._profile.effective_tags(
            annotation.tags,
            kind=event.kind,
            ordering=annotation.ordering,
            synchronizing=synchronizing,
            address_space=annotation.address_space,
        )
        instances = self._instances[thread]
        if "ASYNC" in annotation.labels:  # done outside of the thread, by what belongs to its wave (section 10)
            instances = (-1 - instances[0], *instances[1:])
        if self._is_local(event):
            annotation = replace(annotation, labels=annotation.labels | {"FLAT_LDS"})
        counting: frozenset[Tag] = tags if self._profile.synchronize == "compatible" else frozenset()
        return Kind.of(
            event.kind,
            annotation,
            tags=tags,
            synchronizing_tags=counting,
            half=half,
            observed=self._is_observed(event.location),
            thread=thread,
            instances=instances,
            followers=self._followers[thread],
        )

    def _number(self, kind: Kind) -> int:
        number = self._numbers.setdefault(kind, len(self.known))
        if number == len(self.known):
            self.known.append(kind)
            self._sets.append(names_of(kind))
        return number

    def _is_observed(self, location: Location | None) -> bool:
        if location not in self._observed:
            assert location is not None
            self._observed[location] = self._observes(location.object, location.offset, location.size)
        return self._observed[location]

    def _is_local(self, event: PathEvent) -> bool:
        """Tell whether a flat access goes to LDS."""
        flat = event.location is not None and event.annotation.address_space == 0
        return flat and event.location is not None and self.spaces.get(event.location.object) == _LDS

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
        return self._sets[number]

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
        key = name, len(self.known)
        if key not in self._pairs:
            relation = RELATIONS[name]
            pairs = self._matrix(relation.kinds)
            itself = pairs.diagonal() if relation.itself is None else np.full(len(pairs), relation.itself)
            self._pairs[key] = pairs, itself
        return self._pairs[key]

    def _matrix(self, predicate: Callable[[Kind, Kind], bool]) -> Bits:
        """Ask a predicate of all pairs of kinds known so far; many relations share one."""
        known = self.known
        key = predicate, len(known)
        if key not in self._matrices:
            rows = np.array([[predicate(a, b) for b in known] for a in known], dtype=np.bool_)
            self._matrices[key] = rows.reshape(len(known), len(known))
        return self._matrices[key]

    def some(self, name: str) -> bool:
        """Tell whether the kinds of some two events, or of an event and itself, allow a relation."""
        relation = RELATIONS[name]
        return relation.itself is True or self._extent(relation.kinds)[0]

    def every(self, name: str) -> bool:
        """Tell whether the kinds of all events allow a relation."""
        relation = RELATIONS[name]
        return relation.itself is not False and self._extent(relation.kinds)[1]

    def _extent(self, predicate: Callable[[Kind, Kind], bool]) -> tuple[bool, bool]:
        """Tell whether a predicate holds of some pair of the kinds known so far, and whether of all."""
        key = predicate, len(self.known)
        if key not in self._extents:
            rows = self._matrix(predicate)
            self._extents[key] = bool(rows.any()), bool(rows.all())
        return self._extents[key]

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
        pairs = np.array([self.pairs(name)[0] for name in names]).reshape(len(names), len(places), len(places))
        return np.array_equal(pairs, pairs[:, places[:, None], places])
