"""What may happen around a combination of paths, if threads may leave it: for evaluating a model on many at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import SET
from enumerator.engine import opcodes as op
from enumerator.engine.classes import CLASS_RELATIONS
from enumerator.engine.lower import Lowered
from enumerator.program.instructions import Scope

__all__ = ["Bits", "Extent", "KindsOfEvents", "Universe", "kinds_of_events", "universe"]

_MOST_ITEMS = 192

_COLUMNS = ("e_kind", "e_loc", "e_tag", "e_scope", "e_space", "e_arrive", "e_wait")

_DEPENDENCIES = {
    op.B_ADDR: "addr",
    op.B_DATA: "data",
    op.B_CTRL: "ctrl",
    op.B_TOK: "tok",
    op.B_UNSEQUENCED: "unsequenced",
}

Bits = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Extent:
    """What is surely, and what may be, in a set or relation over the items of a universe.

    Parameters
    ----------
    surely : bool array, shape (items,) or (items, items)
        Whether it holds every event, or every pair of events, that the items stand for.
    perhaps : bool array of the same shape
        Whether it may hold one, in some candidate.
    """

    surely: Bits
    perhaps: Bits


@dataclass(frozen=True)
class Universe:
    """Initial writes, the events of one path of each thread, and the kinds of events that threads may have otherwise.

    A kind is that of all events of a thread, on any path, with the same attributes.

    Parameters
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
    sets : tuple of frozenset of str
        The predefined sets that each item is in.
    known : mapping of str to bool array, shape (items, items)
        The predefined relations that attributes decide.
    of_paths : mapping of str to bool array, shape (items, items)
        Those that paths decide, between the events of one path.
    same_thread : bool array, shape (items, items)
    chosen : mapping of str to bool array, shape (items, items)
        What a candidate may choose from.
    """

    location: Ints
    reads: Bits
    single: Bits
    on_path: Bits
    there: Bits
    together: Bits
    sets: tuple[frozenset[str], ...]
    known: Mapping[str, Bits]
    of_paths: Mapping[str, Bits]
    same_thread: Bits
    chosen: Mapping[str, Bits]

    def base(self, name: str, kind: str) -> Extent:
        """Give the extent of a predefined name, also of one that ends in ``-max``: of what may still be chosen."""
        chosen = name.removesuffix("-max")
        if kind == SET:
            if chosen == "UNDEF":
                return Extent(np.zeros_like(self.reads), self.reads)
            held = np.array([name in each for each in self.sets], dtype=np.bool_)
            return Extent(held, held)
        if name in self.known:
            return Extent(self.known[name], self.known[name] & self.together)
        if name in self.of_paths:
            exact = self.on_path[:, None] & self.on_path
            perhaps = np.where(exact, self.of_paths[name], self.same_thread)
            return Extent(self.of_paths[name] & exact, perhaps & self.together)
        # Of what candidates decide nothing is sure; nor of a relation that is not known here.
        return Extent(np.zeros_like(self.together), self.chosen.get(chosen, self.together) & self.together)


@dataclass(frozen=True)
class KindsOfEvents:
    """The attributes of the events of all paths, and one event of each kind.

    Parameters
    ----------
    rows : int array, shape (events, attributes)
        Thread, the attributes of `_COLUMNS`, number of the sets that it is in, classes.
    examples : list of int
        Numbers of events.
    """

    rows: Ints
    examples: list[int]


def universe(lowered: Lowered, kinds: KindsOfEvents, combination: Ints) -> Universe | None:
    """Lay out what may happen around a combination of paths.

    Parameters
    ----------
    lowered : Lowered
    kinds : KindsOfEvents
        Of all its paths (:func:`kinds_of_events`).
    combination : int array, shape (threads,)
        The number of a path, for each thread.

    Returns
    -------
    Universe or None
        None where it is too large.
    """
    arrays = lowered.arrays
    initials = len(lowered.locations)
    paths = np.add(arrays["thread_first"], combination).tolist()
    spans = [range(int(arrays["p_event"][path]), int(arrays["p_event"][path + 1])) for path in paths]
    events = [-1] * initials + [event for span in spans for event in span] + kinds.examples
    if len(events) > _MOST_ITEMS:
        return None
    rows = np.concatenate([_initial_rows(lowered, kinds.rows.shape[1]), kinds.rows[events[initials:]]])
    thread, kind, location = rows[:, 0], rows[:, 1], rows[:, 2]
    single = np.arange(len(events)) < len(events) - len(kinds.examples)
    on_path = single & (thread >= 0)
    same_thread = _equal(thread, thread >= 0)
    there = np.eye(len(events), dtype=np.bool_) | (same_thread & on_path[:, None] & on_path)
    accesses = np.flatnonzero(location >= 0)
    there[accesses, location[accesses]] = True  # the initial write
    same_location = _equal(location, location >= 0)
    reads, writes = kind == 0, kind == 1
    sets = (*lowered.initial_sets[:initials], *(lowered.sets[event] for event in events[initials:]))
    return Universe(
        location=location,
        reads=reads,
        single=single,
        on_path=on_path,
        there=there,
        together=~same_thread | (on_path[:, None] == on_path),
        sets=sets,
        known=_known(lowered, rows, same_thread) | {"loc": same_location},
        of_paths=_of_paths(lowered, events, spans) | {"po": same_thread & np.triu(np.ones_like(there), 1)},
        same_thread=same_thread,
        chosen={"rf": (writes[:, None] & reads) & same_location, "order": (writes[:, None] & writes) & same_location},
    )


def kinds_of_events(lowered: Lowered) -> KindsOfEvents:
    """Tell the events of all paths apart by thread and attributes.

    Parameters
    ----------
    lowered : Lowered

    Returns
    -------
    KindsOfEvents
    """
    arrays = lowered.arrays
    first = arrays["p_event"][[*arrays["thread_first"].tolist(), -1]]
    count = int(first[-1])
    numbers: dict[frozenset[str], int] = {}
    rows = np.stack(
        [
            np.searchsorted(first, np.arange(count), side="right") - 1,
            *(arrays[name][:count] for name in _COLUMNS),
            np.array([numbers.setdefault(held, len(numbers)) for held in lowered.sets[:count]], dtype=np.int64),
            *arrays["e_class"][:, :count],
        ],
        axis=1,
    ).astype(np.int64)
    return KindsOfEvents(rows, np.unique(rows, axis=0, return_index=True)[1].tolist())


def _initial_rows(lowered: Lowered, width: int) -> Ints:
    """Give the rows of the initial writes, which are in no thread, have no tags and are in class 0."""
    count = len(lowered.locations)
    rows = np.zeros((count, width), dtype=np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2] = -1, 1, np.arange(count)
    rows[:, 4], rows[:, 5] = int(Scope.SYSTEM), lowered.arrays["loc_space"][:count]
    rows[:, 6:8] = -1
    return rows


def _known(lowered: Lowered, rows: Ints, same_thread: Bits) -> dict[str, Bits]:
    """Relate the items as their attributes decide (:func:`enumerator.engine.kernels.candidates.related`)."""
    arrays = lowered.arrays
    thread, _, location, tag, scope, space, arrives, waits = rows[:, :8].T
    classes, placed, numbers = rows[:, 9:].T, thread >= 0, np.arange(len(rows))
    internal = same_thread | np.eye(len(rows), dtype=np.bool_)
    inside = {level: _equal(np.append(arrays["inst"][:, level], -1)[thread], placed) for level in Scope}
    same = {level: related | ~placed[:, None] | ~placed for level, related in inside.items()}
    named = np.stack([same[level] for level in Scope])[scope[:, None], numbers[:, None], numbers]
    compatible = arrays["compat"][tag[:, None], tag].astype(np.bool_)
    meet = (arrives[:, None] == waits) & (arrives >= 0)[:, None] & ~same_thread
    return {
        "int": internal,
        "ext": ~internal,
        "mmra": compatible,
        "mmra-sync": compatible,
        "inscope": named,
        "incl": named & named.T,
        "bar": meet & inside[Scope.WORKGROUP],
        "same-as": _equal(space, location >= 0),
        **{f"same-{level.name.lower()}": related for level, related in same.items()},
        **{
            name: arrays["class_pairs"][number][classes[number][:, None], classes[number]].astype(np.bool_)
            for number, name in enumerate(CLASS_RELATIONS)
        },
    }


def _of_paths(lowered: Lowered, events: list[int], spans: list[range]) -> dict[str, Bits]:
    """Relate the events of each path by its dependencies and read-modify-writes."""
    arrays = lowered.arrays
    found = {name: np.zeros((len(events), len(events)), dtype=np.bool_) for name in ("rmw", *_DEPENDENCIES.values())}
    begin = len(lowered.locations)
    for span in spans:
        for item, event in enumerate(span, begin):
            if arrays["e_rmw"][event] >= 0:
                found["rmw"][begin + arrays["e_rmw"][event], item] = True
            for number in range(int(arrays["dep_first"][event]), int(arrays["dep_first"][event + 1])):
                name = _DEPENDENCIES[int(arrays["dep_kind"][number])]
                found[name][begin + arrays["dep_source"][number], item] = True
        begin += len(span)
    return found


def _equal(values: Ints, which: Bits) -> Bits:
    """Relate the items, of those that count, that have equal values."""
    related: Bits = (values[:, None] == values) & which[:, None] & which
    return related
