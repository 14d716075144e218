"""A test under a profile as flat arrays: its paths, with the kinds of their events; and what holds in all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from enumerator.events import RELATIONS, BaseRelation, Kinds
from enumerator.events.table import KindTable
from enumerator.frozen import dataclass
from enumerator.jit.arguments import replaced
from enumerator.mmra import Profile
from enumerator.program.instructions import Annotation
from enumerator.request import ONE_AS_FENCE
from enumerator.search.flat import Flat, flatten
from enumerator.search.functions import Functions, Values
from enumerator.search.layout import Paths
from enumerator.unfold import Unfolded
from enumerator.unfold.named import Named
from enumerator.unfold.paths import Location

__all__ = ["Lowered", "facts_of", "lower", "one_as_notes", "with_kinds"]


@dataclass
class Lowered:
    """A test under a profile, flat.

    Parameters
    ----------
    paths : Paths
        What the kernels read.
    values : Values
    functions : Functions
    kinds : Kinds
        Of the events of all paths and of the initial writes.
    locations : tuple of Location
    listed : frozenset of str
        The relations that some path lists a pair of.
    compared : frozenset of str
        The attributes, of those that relations compare, that some event has.
    ends : tuple of str
        Flags of undefined behaviour in bit order.
    most_events : int
        Of any combination of paths, initial writes included.
    labels : frozenset of str
        The predefined sets that some event is in.
    asked : int
        How many columns hold what the names stand for that are asked for.
    joined : tuple of (int, Named)
        The names that have several of these columns, one for each cell: the first column, and how they are joined.
    waits : bool
        Some path ends in a loop that waits, or has an attempt that counts only for what races with it.
    alike : bool
        Some two threads may be symmetric.
    notes : tuple of str
    """

    paths: Paths
    values: Values
    functions: Functions
    kinds: Kinds
    locations: tuple[Location, ...]
    listed: frozenset[str]
    compared: frozenset[str]
    ends: tuple[str, ...]
    most_events: int
    labels: frozenset[str]
    asked: int
    joined: tuple[tuple[int, Named], ...]
    waits: bool
    alike: bool
    notes: tuple[str, ...]

    @cached_property
    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The arrays of the paths by name."""
        return self.paths._asdict()

    def facts(self, names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Name those of some predefined relations that are empty in every candidate, and those that hold all pairs."""
        return facts_of(names, self.kinds, self.listed, self.compared)


def one_as_notes(kinds: Kinds) -> tuple[str, ...]:
    """Remark on fences with a ``-one-as`` scope, where there are any."""
    return (ONE_AS_FENCE,) if any("ONE_AS" in names and "F" in names for names in kinds.all_sets()) else ()


def facts_of(
    names: Iterable[str], kinds: Kinds, listed: Set[str], compared: Set[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Name those of some predefined relations that are empty in every candidate, and those that hold all pairs.

    Parameters
    ----------
    names : iterable of str
    kinds : Kinds
        Of all events.
    listed, compared : set of str
        See :class:`Lowered`.

    Returns
    -------
    (frozenset of str, frozenset of str)
    """
    some, every = kinds.facts()
    return _empty_and_full(frozenset(names), some, every, frozenset(listed), frozenset(compared))


@lru_cache(maxsize=1024)  # few of these facts differ from test to test
def _empty_and_full(
    names: frozenset[str], some: frozenset[str], every: frozenset[str], listed: frozenset[str], compared: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    empty, full = set[str](), set[str]()
    for relation, same in _relations_among(names):
        name = relation.name
        if (relation.listed and name not in listed) or not same <= compared or name not in some:
            empty.add(name)
        elif name in every and relation.of_kinds:
            full.add(name)
    return frozenset(empty), frozenset(full)


@lru_cache(maxsize=256)
def _relations_among(names: frozenset[str]) -> tuple[tuple[BaseRelation, frozenset[str]], ...]:
    """Give the relations among some names, and the attributes that each compares."""
    return tuple((RELATIONS[name], frozenset(RELATIONS[name].same or ())) for name in names if name in RELATIONS)


def lower(unfolded: Unfolded, profile: Profile, names: tuple[str, ...], table: KindTable | None = None) -> Lowered:
    """Make the arrays for a test.

    Parameters
    ----------
    unfolded : Unfolded
    profile : Profile
        Decides the effective tags.
    names : tuple of str
        The registers and locations whose final values are wanted.
    table : KindTable, optional
        What is known of kinds from other tests.

    Returns
    -------
    Lowered

    Raises
    ------
    Timeout
        Where the time is up.
    """
    return with_kinds(flatten(unfolded, names), Kinds(unfolded, profile, table))


def with_kinds(flat: Flat, kinds: Kinds, said: Callable[[Annotation], Annotation] | None = None) -> Lowered:
    """Add the kinds of events to the arrays of a test.

    Parameters
    ----------
    flat : Flat
    kinds : Kinds
        Without any so far.
    said : callable, optional
        Gives the annotation of an event, where the paths are those of an outline, from the one that it has there.

    Returns
    -------
    Lowered
    """
    numbers = kinds.of_sketches(flat.sketches, said)
    kind_of = [numbers[place] for place in flat.sketch_of]
    kind_of += map(kinds.of_initial, reversed(flat.locations))
    return Lowered(
        paths=replaced(flat.paths, kind_of=np.array(kind_of, dtype=np.int64)),
        values=flat.values,
        functions=flat.functions,
        kinds=kinds,
        locations=flat.locations,
        listed=flat.listed,
        compared=flat.compared,
        ends=flat.ends,
        most_events=flat.most_events,
        labels=kinds.in_some,
        asked=flat.asked,
        joined=flat.joined,
        waits=flat.waits,
        alike=flat.alike,
        notes=one_as_notes(kinds),
    )
