"""Symmetric threads: the search takes one of their arrangements, and this expands what it finds to all.

Threads are symmetric if swapping them changes nothing that the search sees: their paths are the same, and so is the
scope tree. Any permutation of such threads turns a consistent execution into one. So only combinations in which the
paths of symmetric threads are sorted are searched, and among threads that take the same path, of which each writes a
location whose order the model decides, only the executions in which these writes are ordered as the threads are. Each
stands for as many as there are arrangements; where the threads have no such write, their executions are all searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from enumerator.events import RELATIONS, Kinds
from enumerator.frozen import dataclass
from enumerator.program.instructions import Scope
from enumerator.results.table import added, join
from enumerator.search import opcodes as op
from enumerator.search.layout import Paths

__all__ = ["MOST_ARRANGEMENTS", "Found", "Orbit", "add_columns", "find_orbits", "may_be_symmetric"]

Arrays = Mapping[str, NDArray[np.generic]]


class Found(NamedTuple):
    """States as rows of numbers, each with how many executions end in it, and the flags that these raise."""

    rows: NDArray[Any]
    counts: NDArray[Any]
    raised: NDArray[np.uint64]


_AT_ONCE = 1 << 14
"""Arrangements that are made further at a time."""

_FACTORIALS = np.array([factorial(number) for number in range(21)])
"""Of all that fit into a word."""

MOST_ARRANGEMENTS = 1 << 62
"""Of all threads: with `MOST_COUNTED` more, that fits into a word."""


@dataclass(frozen=True)
class Orbit:
    """Symmetric threads, and where states hold the registers of each that any of them shows.

    Parameters
    ----------
    threads : tuple of int
        Sorted.
    columns : tuple of tuple of int
        For each thread the columns of a state, in the order of what they hold.
    """

    threads: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...] = ()


def find_orbits(arrays: Arrays, kinds: Kinds, names: Sequence[str] = tuple(RELATIONS)) -> tuple[Orbit, ...]:
    """Find the symmetric threads of a test.

    Parameters
    ----------
    arrays : mapping of str to array
        The test, flat (:class:`enumerator.search.layout.Paths`).
    kinds : Kinds
    names : sequence of str
        The predefined relations that the model looks at.

    Returns
    -------
    tuple of Orbit
        Without columns; only where there are two or more.
    """
    found: list[list[int]] = []
    codes: dict[object, int] = {}
    kept: dict[int, int] = {}
    outlines = [_outline(arrays, thread) for thread in range(len(arrays["thread_count"]))]
    for thread, outline in enumerate(outlines):
        whole = thread if outlines.count(outline) == 1 else _paths(arrays, kinds, thread)
        kept[thread] = codes.setdefault(whole, len(codes))
        for orbit in found:
            if kept[orbit[0]] == kept[thread] and _may_swap(arrays, kinds, names, orbit[0], thread):
                orbit.append(thread)
                break
        else:
            found.append([thread])
    result: list[Orbit] = []
    arrangements = 1
    for orbit in found:
        # Any of the symmetric threads may be left out: counts have to fit into a word.
        while len(orbit) > 1 and arrangements * factorial(len(orbit)) > MOST_ARRANGEMENTS:
            orbit.pop()
        arrangements *= factorial(len(orbit))
        if len(orbit) > 1:
            result.append(Orbit(tuple(orbit)))
    return tuple(result)


def may_be_symmetric(paths: Paths) -> bool:
    """Tell whether some two threads have in common what symmetric threads have, of what is soon told.

    Parameters
    ----------
    paths : Paths
        The kinds of events may be missing.

    Returns
    -------
    bool
    """
    arrays = paths._asdict()
    outlines = [_outline(arrays, thread) for thread in range(len(paths.thread_count))]
    return len(set(outlines)) < len(outlines)


def _outline(arrays: Arrays, thread: int) -> tuple[int, bytes, bytes]:
    """Give some of what symmetric threads have in common, which is soon told."""
    first, count = int(arrays["thread_first"][thread]), int(arrays["thread_count"][thread])
    events = slice(int(arrays["p_event"][first]), int(arrays["p_event"][first + count]))
    return count, arrays["e_kind"][events].tobytes(), arrays["e_loc"][events].tobytes()


def _paths(arrays: Arrays, kinds: Kinds, thread: int) -> tuple[object, ...]:
    """Give all that the search sees of a thread's paths, but for the thread itself."""
    first = int(arrays["thread_first"][thread])
    numbers = range(first, first + int(arrays["thread_count"][thread]))
    return tuple(_path(arrays, kinds, number) for number in numbers)


_EVENT = "e_rmw e_vkind e_vdata e_type".split()


def _path(arrays: Arrays, kinds: Kinds, path: int) -> tuple[object, ...]:
    events = slice(int(arrays["p_event"][path]), int(arrays["p_event"][path + 1]))
    conditions = slice(int(arrays["p_cond"][path]), int(arrays["p_cond"][path + 1]))
    firsts = arrays["dep_first"][events.start : events.stop + 1].tolist()
    dependencies = slice(firsts[0], firsts[-1])
    return (
        tuple(kinds.elsewhere(kind) for kind in arrays["kind_of"][events].tolist()),
        tuple(tuple(arrays[name][events].tolist()) for name in _EVENT),
        tuple(map(tuple, arrays["e_key"][:, events].tolist())),
        tuple(first - firsts[0] for first in firsts),
        tuple(arrays["dep_kind"][dependencies].tolist()),
        tuple(arrays["dep_source"][dependencies].tolist()),
        tuple(arrays["cond_function"][conditions].tolist()),
        *(int(arrays[name][path]) for name in ("p_end", "p_arrive", "p_wait", "p_tried")),
        tuple(arrays["stuck_reads"][int(arrays["stuck_first"][path]) : int(arrays["stuck_first"][path + 1])].tolist()),
        *(tuple(arrays[name][path].tolist()) for name in ("p_needed", "p_completes")),
    )


def _may_swap(arrays: Arrays, kinds: Kinds, names: Sequence[str], first: int, second: int) -> bool:
    """Tell whether swapping two threads with the same paths changes no relation, nor who meets at barriers."""
    groups = arrays["inst"][:, Scope.WORKGROUP].tolist()
    others = [groups[thread] for thread in range(len(groups)) if thread not in (first, second)]
    if groups[first] != groups[second] and (groups[first] in others or groups[second] in others):
        return False
    swapped = {first: second, second: first}
    places = {(kind.thread, kinds.elsewhere(number)): number for number, kind in enumerate(kinds.known)}
    return kinds.preserved(
        [
            places[swapped[kind.thread], kinds.elsewhere(number)] if kind.thread in swapped else number
            for number, kind in enumerate(kinds.known)
        ],
        names,
    )


def add_columns(arrays: Arrays, orbits: tuple[Orbit, ...]) -> tuple[dict[str, NDArray[np.generic]], tuple[Orbit, ...]]:
    """Let states hold of each thread what they hold of any thread that is like it.

    Parameters
    ----------
    arrays : mapping of str to array
    orbits : tuple of Orbit

    Returns
    -------
    arrays : dict of str to array
        Those of what states show, with further columns, behind those that are asked for.
    orbits : tuple of Orbit
        With their columns; without those of whom states hold nothing.
    """
    kinds, data = arrays["obs_kind"], arrays["obs_data"]
    owners, places = arrays["obs_thread"].tolist(), arrays["obs_loc"].tolist()
    new_kinds, new_data = [kinds], [data]
    result = []
    for each in orbits:
        spans = [_span(arrays, thread) for thread in each.threads]
        known: list[dict[_Held, int]] = [{} for _ in each.threads]
        for thread, span, columns in zip(each.threads, spans, known, strict=True):
            for number in range(kinds.shape[1]):
                if owners[number] == thread:
                    held = tuple(kinds[span, number].tolist()), tuple(data[span, number].tolist())
                    # A register that always is as another one is a copy of it, in a column of its own.
                    columns[*held, sum(key[:2] == held for key in columns)] = number
        wanted = sorted(set().union(*known))
        for thread, span, columns in zip(each.threads, spans, known, strict=True):
            for key in wanted:
                if key not in columns:
                    columns[key] = len(owners)
                    owners.append(thread)
                    places.append(0)
                    new_kinds.append(_column(len(kinds), span, key[0], op.V_KNOWN))
                    new_data.append(_column(len(kinds), span, key[1], op.UNDEF_ID))
        if wanted:
            result.append(Orbit(each.threads, tuple(tuple(columns[key] for key in wanted) for columns in known)))
    extended: dict[str, NDArray[np.generic]] = {
        "obs_kind": np.concatenate(new_kinds, axis=1),
        "obs_data": np.concatenate(new_data, axis=1),
        "obs_thread": np.array(owners, dtype=np.int64),
        "obs_loc": np.array(places, dtype=np.int64),
    }
    return extended, tuple(result)


_Held = tuple[tuple[int, ...], tuple[int, ...], int]
"""What a column holds of a thread: kinds and data, a path each, and how many columns before it hold the same."""


def _span(arrays: Arrays, thread: int) -> slice:
    first = int(arrays["thread_first"][thread])
    return slice(first, first + int(arrays["thread_count"][thread]))


def _column(length: int, span: slice, values: tuple[int, ...], other: int) -> NDArray[np.int64]:
    column = np.full((length, 1), other, dtype=np.int64)
    column[span, 0] = values
    return column


def expand(found: Found, orbits: tuple[Orbit, ...], shown: int, late: Callable[[int], bool]) -> tuple[Found, bool]:
    """Give the states of all arrangements of threads.

    Parameters
    ----------
    found : Found
        The states that the search found, with the number of executions that each stands for.
    orbits : tuple of Orbit
    shown : int
        How many columns, the first ones, are asked for.
    late : callable
        Asked now and then whether the time is up, given the number of states so far.

    Returns
    -------
    Found
    bool
        Whether that is all: False where the time was up.

    Examples
    --------
    Of two threads each shows a register; three executions are searched, each of which stands for two.

    >>> pair = Orbit((0, 1), ((0,), (1,)))
    >>> three = Found(np.array([[1, 1], [1, 2]]), np.array([2, 4]), np.zeros(2, dtype=np.uint64))
    >>> every, _ = expand(three, (pair,), 2, lambda count: False)
    >>> every.rows.tolist(), every.counts.tolist()
    ([[1, 1], [1, 2], [2, 1]], [2, 2, 2])
    """
    found = Found(found.rows.astype(np.int32), found.counts, found.raised)
    for each in orbits:
        blocks: list[Found] = []
        count, whole = 0, True
        for block in _Arrangements(each, found, shown).blocks():
            blocks.append(block)
            count += len(block.rows)
            if late(count):
                whole = False
                break
        found = Found(*(np.concatenate(parts) for parts in zip(*blocks, strict=True))) if blocks else found
        if any(column >= shown for columns in each.columns for column in columns):
            # Columns behind those that are asked for still tell the threads of further groups apart.
            found = _joined(found)[0]
        if not whole:
            break
    else:
        whole = True
    if found.rows.shape[1] > shown:
        found = _joined(Found(found.rows[:, :shown], found.counts, found.raised))[0]
    return found, whole


class _Arrangements:
    """All arrangements of symmetric threads, of many states at a time.

    Parameters
    ----------
    orbit : Orbit
    found : Found
    shown : int
        How many columns are asked for: those behind are cleared.
    """

    def __init__(self, orbit: Orbit, found: Found, shown: int) -> None:
        columns = np.array(orbit.columns)
        threads, width = columns.shape
        held = found.rows[:, columns].reshape(-1, width)
        order, starts = join(held)
        kinds = np.zeros(len(held), dtype=np.int64)
        kinds[order[starts[1:]]] = 1
        kinds[order] = np.cumsum(kinds[order])
        self._held = held[order[starts]]  # what a thread may show, sorted
        # One arrangement stands for all: that in which the threads are sorted.
        sorted_kinds = np.sort(kinds.reshape(-1, threads), axis=1)
        rows = found.rows.copy()
        rows[:, columns] = self._held[sorted_kinds]
        self._found, originals = _joined(Found(rows, found.counts, found.raised))
        self._kinds = sorted_kinds[originals]
        # How often each kind is there: at its first place among the sorted ones.
        first = np.ones(self._kinds.shape, dtype=np.bool_)
        first[:, 1:] = self._kinds[:, 1:] != self._kinds[:, :-1]
        self._there = np.zeros(self._kinds.shape, dtype=np.int8)
        for place in range(threads):
            self._there[:, place] = (self._kinds == self._kinds[:, [place]]).sum(axis=1) * first[:, place]
        self._seen = [number for number, each in enumerate(orbit.columns) if any(column < shown for column in each)]
        self._columns, self._hidden = columns, columns[columns >= shown]

    def blocks(self) -> Iterator[Found]:
        """Give the arrangements in blocks, none of which is much larger than `_AT_ONCE`."""
        for begin in range(0, len(self._kinds), _AT_ONCE):
            states = np.arange(begin, min(begin + _AT_ONCE, len(self._kinds)))
            yield from self._place(states, self._there[states], np.zeros((len(states), 0), dtype=np.int8))

    def _place(self, states: NDArray[np.int64], there: NDArray[np.int8], chosen: NDArray[np.int8]) -> Iterator[Found]:
        """Go on with arrangements whose first threads are chosen."""
        if chosen.shape[1] == len(self._seen):
            yield self._arranged(states, there, chosen)
            return
        for begin in range(0, len(states), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            parents, places = np.nonzero(there[part] > 0)
            left = there[part][parents]
            left[np.arange(len(left)), places] -= 1
            yield from self._place(
                states[part][parents], left, np.column_stack([chosen[part][parents], places.astype(np.int8)])
            )

    def _arranged(self, states: NDArray[np.int64], left: NDArray[np.int8], chosen: NDArray[np.int8]) -> Found:
        rows = self._found.rows[states]
        for place, thread in enumerate(self._seen):
            rows[:, self._columns[thread]] = self._held[self._kinds[states, chosen[:, place]]]
        rows[:, self._hidden] = 0
        # The executions of a state are those of all arrangements, of which some differ in what is left only.
        counts, every, some = self._found.counts[states], _arrangements(self._there)[states], _arrangements(left)
        common = np.gcd(counts, every)
        return Found(rows, counts // common * (some // (every // common)), self._found.raised[states])


def _arrangements(there: NDArray[np.int8]) -> NDArray[np.int64]:
    """Count the arrangements of threads of which so many are of each kind."""
    result: NDArray[np.int64] = _FACTORIALS[there.sum(axis=1)] // _FACTORIALS[there].prod(axis=1)
    return result


def _joined(found: Found) -> tuple[Found, NDArray[np.int64]]:
    """Make states that are equal one; give also the number of one of those that each was made of."""
    order, starts = join(found.rows)
    first = order[starts]
    raised = np.bitwise_or.reduceat(found.raised[order], starts) if len(starts) else found.raised
    return Found(found.rows[first], added(found.counts[order], starts), raised), first
