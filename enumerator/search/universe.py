"""What may happen around a combination of paths, if threads may leave it: for evaluating a model on many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import SET
from enumerator.events import RELATIONS, BaseRelation, Kind, Kinds
from enumerator.events.relations import KEYS, LISTED, PATH_KEYS
from enumerator.frozen import dataclass
from enumerator.search.lower import Lowered
from enumerator.unfold.paths import Location

__all__ = ["COMPARED", "LOCATION", "Bits", "Extent", "Told", "Universe", "group_events", "grouped", "universe"]

_MOST_ITEMS = 192

LOCATION = KEYS.index("location")
"""Which attribute of events is the location that they access."""
COMPARED = [number for number, key in enumerate(KEYS) if key not in PATH_KEYS]
"""The attributes that tell events of different paths apart."""

Bits = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Extent:
    """What must be, and what may be, in a set or relation over the items of a universe.

    Parameters
    ----------
    must : bool array, shape (items,) or (items, items)
        Whether it holds every event, or every pair of events, that the items stand for.
    may : bool array of the same shape
        Whether it may hold one, in some candidate.
    """

    must: Bits
    may: Bits


class Told(Protocol):
    """What is asked of the events of a test: :class:`~enumerator.search.lower.Lowered` tells it.

    Attributes
    ----------
    arrays : mapping of str to array
        ``kind_of``, ``e_key``, ``dep_first``, ``dep_kind``, ``dep_source`` of
        :class:`~enumerator.search.layout.Paths`.
    kinds : Kinds
    locations : sequence of Location
    """

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]: ...  # noqa: D102
    @property
    def kinds(self) -> Kinds: ...  # noqa: D102
    @property
    def locations(self) -> Sequence[Location]: ...  # noqa: D102


def group_events(told: Told) -> list[int]:
    """Group the events of all paths by kind and by the attributes that relations compare; give one of each group."""
    return grouped(told)[0]


def grouped(told: Told) -> tuple[list[int], Ints]:
    """Group events as :func:`group_events` does; give one of each group, and the group of each event."""
    kind_of, keys = told.arrays["kind_of"], told.arrays["e_key"][COMPARED]
    count = len(kind_of) - len(told.locations)
    events = [*map(tuple, np.concatenate([kind_of[None, :count], keys[:, :count]]).T.tolist())]
    first: dict[tuple[int, ...], int] = {}  # np.unique would import masked arrays
    for number, event in enumerate(events):
        first.setdefault(event, number)
    groups = {event: group for group, event in enumerate(sorted(first))}
    return [*map(first.__getitem__, groups)], np.array([*map(groups.__getitem__, events)], dtype=np.int64)


class Universe:
    """Initial writes, the events of one path of each thread, and groups of events that threads may have otherwise.

    A group is all events of a thread, on any path, of one kind and with the same attributes.

    Parameters
    ----------
    lowered : Told
    events : list of int
        The items: events by number, initial writes from the end, each group by one of its events.
    paths : list of range
        Which items are the events of each path.
    groups : int
        How many items, the last ones, are groups.

    Attributes
    ----------
    location : int array, shape (items,)
        -1 where an event has none.
    reads : bool array, shape (items,)
    single : bool array, shape (items,)
        What is one event: an initial write, or one of the paths.
    on_path : bool array, shape (items,)
    there : bool array, shape (items, items)
        Whether the second one is there wherever the first one is.
    together : bool array, shape (items, items)
        Whether both may be in one candidate: a thread does not leave its path.
    """

    def __init__(self, lowered: Told, events: list[int], paths: list[range], groups: int) -> None:
        self._arrays, self._kinds = lowered.arrays, lowered.kinds
        self._events, self._paths = np.array(events, dtype=np.int64), paths
        self._kind = lowered.arrays["kind_of"][self._events]
        self._keys = lowered.arrays["e_key"][:, self._events]
        self._known: dict[str, Extent] = {}
        known: list[Kind] = [lowered.kinds.known[kind] for kind in self._kind.tolist()]
        thread = np.array([-1 if kind.thread is None else kind.thread for kind in known], dtype=np.int64)
        self.location = self._keys[LOCATION]
        self.reads = np.array([kind.reads for kind in known], dtype=np.bool_)
        self._writes = np.array([kind.writes for kind in known], dtype=np.bool_)
        self.single = np.arange(len(events)) < len(events) - groups
        self.on_path = self.single & (thread >= 0)
        same_thread = (thread[:, None] == thread) & (thread >= 0)
        self.there = np.eye(len(events), dtype=np.bool_) | (same_thread & self.on_path[:, None] & self.on_path)
        accesses, initial = np.flatnonzero(self.location >= 0), np.flatnonzero(self._events < 0)
        written = np.zeros(len(lowered.locations), dtype=np.int64)
        written[-1 - self._events[initial]] = initial
        self.there[accesses, written[self.location[accesses]]] = True
        self.together = ~same_thread | (self.on_path[:, None] == self.on_path)

    def base(self, name: str, kind: str) -> Extent:
        """Give the extent of a predefined name, also of one that ends in ``-max``: of what may still be chosen."""
        chosen = name.removesuffix("-max")
        if kind == SET:
            if chosen == "UNDEF":
                return Extent(np.zeros_like(self.reads), self.reads)
            held = np.array([name in self._kinds.sets(each) for each in self._kind.tolist()], dtype=np.bool_)
            return Extent(held, held)
        if name in RELATIONS:
            if name not in self._known:
                self._known[name] = self._of_program(RELATIONS[name])
            return self._known[name]
        # Of what candidates decide nothing is sure; nor of a relation that is not known here.
        nothing = np.zeros_like(self.together)
        if chosen not in ("rf", "order"):
            return Extent(nothing, self.together)
        same_location = (self.location[:, None] == self.location) & (self.location >= 0)
        targets = self.reads if chosen == "rf" else self._writes
        return Extent(nothing, same_location & self._writes[:, None] & targets & self.together)

    def _of_program(self, relation: BaseRelation) -> Extent:
        """Give the extent of a predefined relation; where events stand is known between single ones only."""
        pairs, itself = (each[self._kind] for each in self._kinds.pairs(relation.name))
        must: Bits = pairs[:, self._kind]
        may = must.copy()
        # A group is several events, or one.
        diagonal = must.diagonal().copy()
        np.fill_diagonal(must, itself & (diagonal | self.single))
        np.fill_diagonal(may, itself | (diagonal & ~self.single))
        if relation.same is not None and not relation.of_paths:
            equal = self._equal(*relation.same)
            must, may = must & equal, may & equal
        if relation.of_paths:
            exact = self.single[:, None] & self.single
            must &= exact & self._placed(relation)
            may = np.where(exact, must, may)
        return Extent(must, may & self.together)

    def _equal(self, first: str, second: str) -> Bits:
        mine, other = self._keys[KEYS.index(first)], self._keys[KEYS.index(second)]
        related: Bits = (mine[:, None] == other) & (mine >= 0)[:, None]
        return related

    def _placed(self, relation: BaseRelation) -> Bits:
        """Tell of single events whether they stand as a relation asks."""
        placed: Bits = np.ones_like(self.together)
        if relation.same is not None:
            placed &= self._equal(*relation.same)
        if relation.before:
            placed &= np.triu(np.ones_like(placed), 1) & ~self._of_one_access()
        if relation.listed:
            placed &= self._listed(LISTED.index(relation.name))
        return placed

    def _of_one_access(self) -> Bits:
        """Tell of single events whether they are parts of one access, and not a cell's read and its write."""
        found: Bits = np.zeros_like(self.together)
        whole = self._keys[KEYS.index("whole")]
        for path in self._paths:
            block = slice(path.start, path.stop)
            found[block, block] = (whole[block, None] == whole[block]) & (whole[block] >= 0)
        return found & ~self._listed(LISTED.index("rmw")) if found.any() else found

    def _listed(self, number: int) -> Bits:
        arrays = self._arrays
        found: Bits = np.zeros_like(self.together)
        for path in self._paths:
            for item in path:
                event = self._events[item]
                begin, end = arrays["dep_first"][event], arrays["dep_first"][event + 1]
                sources = arrays["dep_source"][begin:end][arrays["dep_kind"][begin:end] == number]
                found[path.start + sources, item] = True
        return found


def universe(lowered: Lowered, groups: list[int], combination: Ints) -> Universe | None:
    """Lay out what may happen around a combination of paths.

    Parameters
    ----------
    lowered : Lowered
    groups : list of int
        An event of each group (:func:`group_events`).
    combination : int array, shape (threads,)
        The number of a path, for each thread.

    Returns
    -------
    Universe or None
        None where it is too large.
    """
    arrays = lowered.arrays
    events = [-1 - location for location in range(len(lowered.locations))]
    paths: list[range] = []
    for path in np.add(arrays["thread_first"], combination).tolist():
        span = range(int(arrays["p_event"][path]), int(arrays["p_event"][path + 1]))
        paths.append(range(len(events), len(events) + len(span)))
        events += span
    if len(events) + len(groups) > _MOST_ITEMS:
        return None
    return Universe(lowered, events + groups, paths, len(groups))
