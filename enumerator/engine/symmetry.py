"""Threads that are alike: the search takes one of their arrangements, and this expands what it finds to all.

Threads are alike if swapping them changes nothing that the search sees: their paths are the same, and so is the scope
tree. Any permutation of such threads turns a consistent execution into one. So only combinations in which the paths of
threads that are alike are sorted are searched, and among threads that take the same path, of which each writes a
location whose order the model decides, only the executions in which these writes are ordered as the threads are. Each
stands for as many as there are arrangements; where the threads have no such write, their executions are all searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from enumerator.engine import opcodes as op

__all__ = ["Alike", "Found", "add_columns", "find_alike"]

Arrays = Mapping[str, NDArray[np.generic]]
Found = dict[tuple[int, ...], tuple[int, int]]
"""States as rows of numbers: how many executions end in them, and the flags that these raise."""

_MOST_ARRANGEMENTS = 1 << 62
"""Of all threads: with `MOST_COUNTED` more, that fits into a word."""


@dataclass(frozen=True)
class Alike:
    """Threads that are alike, and where states hold the registers of each that any of them shows.

    Parameters
    ----------
    threads : tuple of int
        Sorted.
    columns : tuple of tuple of int
        For each thread the columns of a state, in the order of what they hold.
    """

    threads: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...] = ()

    def tuples(self, row: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Give what a state holds of each thread."""
        return [tuple(row[column] for column in columns) for columns in self.columns]

    def sort(self, row: tuple[int, ...]) -> tuple[int, ...]:
        """Give the arrangement of a state that stands for all."""
        result = list(row)
        for columns, values in zip(self.columns, sorted(self.tuples(row)), strict=True):
            for column, value in zip(columns, values, strict=True):
                result[column] = value
        return tuple(result)

    def expand(self, row: tuple[int, ...], count: int, shown: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Give the arrangements of a state and the number of executions of each.

        Parameters
        ----------
        row : tuple of int
        count : int
            Of the executions of all arrangements.
        shown : int
            How many columns are asked for: arrangements that differ in others only are given as one.

        Yields
        ------
        row : tuple of int
        count : int
        """
        there = Counter(self.tuples(row))
        every = _arrangements(there)
        seen = [columns for columns in self.columns if any(column < shown for column in columns)]
        result = list(row)

        def place(number: int) -> Iterator[tuple[tuple[int, ...], int]]:
            if number == len(seen):
                yield tuple(result), count * _arrangements(there) // every
                return
            for values in sorted(there):
                if there[values] > 0:
                    there[values] -= 1
                    for column, value in zip(seen[number], values, strict=True):
                        result[column] = value
                    yield from place(number + 1)
                    there[values] += 1

        yield from place(0)


def _arrangements(there: Mapping[tuple[int, ...], int]) -> int:
    return factorial(sum(there.values())) // prod(map(factorial, there.values()))


def find_alike(arrays: Arrays, sets: tuple[frozenset[str], ...]) -> tuple[Alike, ...]:
    """Find the threads of a test that are alike.

    Parameters
    ----------
    arrays : mapping of str to array
        The test, flat (:class:`enumerator.engine.layout.Paths`).
    sets : tuple of frozenset of str
        The predefined sets of each event.

    Returns
    -------
    tuple of Alike
        Without columns; only where there are two or more.
    """
    found: list[list[int]] = []
    codes: dict[object, int] = {}
    kept: dict[int, int] = {}
    outlines = [_outline(arrays, thread) for thread in range(len(arrays["thread_count"]))]
    for thread, outline in enumerate(outlines):
        whole = thread if outlines.count(outline) == 1 else _paths(arrays, sets, thread)
        kept[thread] = codes.setdefault(whole, len(codes))
        for alike in found:
            if kept[alike[0]] == kept[thread] and _may_swap(arrays, alike[0], thread):
                alike.append(thread)
                break
        else:
            found.append([thread])
    result: list[Alike] = []
    arrangements = 1
    for alike in found:
        # Any of the threads that are alike may be left out: counts have to fit into a word.
        while len(alike) > 1 and arrangements * factorial(len(alike)) > _MOST_ARRANGEMENTS:
            alike.pop()
        arrangements *= factorial(len(alike))
        if len(alike) > 1:
            result.append(Alike(tuple(alike)))
    return tuple(result)


def _outline(arrays: Arrays, thread: int) -> tuple[int, bytes, bytes]:
    """Give some of what threads that are alike have in common, which is soon told."""
    first, count = int(arrays["thread_first"][thread]), int(arrays["thread_count"][thread])
    events = slice(int(arrays["p_event"][first]), int(arrays["p_event"][first + count]))
    return count, arrays["e_kind"][events].tobytes(), arrays["e_loc"][events].tobytes()


def _paths(arrays: Arrays, sets: tuple[frozenset[str], ...], thread: int) -> tuple[object, ...]:
    """Give all that the search sees of a thread's paths, but for the thread itself."""
    first = int(arrays["thread_first"][thread])
    numbers = range(first, first + int(arrays["thread_count"][thread]))
    return tuple(_path(arrays, sets, number) for number in numbers)


_EVENT = "e_kind e_loc e_tag e_scope e_rmw e_instr e_arrive e_wait e_vkind e_vdata e_type e_space".split()


def _path(arrays: Arrays, sets: tuple[frozenset[str], ...], path: int) -> tuple[object, ...]:
    events = slice(int(arrays["p_event"][path]), int(arrays["p_event"][path + 1]))
    conditions = slice(int(arrays["p_cond"][path]), int(arrays["p_cond"][path + 1]))
    firsts = arrays["dep_first"][events.start : events.stop + 1].tolist()
    dependencies = slice(firsts[0], firsts[-1])
    return (
        tuple(tuple(arrays[name][events].tolist()) for name in _EVENT),
        # The first of these relations is about threads, and looked at for itself.
        tuple(map(tuple, arrays["e_class"][1:, events].tolist())),
        sets[events],
        tuple(first - firsts[0] for first in firsts),
        tuple(arrays["dep_kind"][dependencies].tolist()),
        tuple(arrays["dep_source"][dependencies].tolist()),
        tuple(arrays["cond_function"][conditions].tolist()),
        *(int(arrays[name][path]) for name in ("p_end", "p_arrive", "p_wait")),
    )


def _may_swap(arrays: Arrays, first: int, second: int) -> bool:
    """Tell whether swapping two threads changes neither the scope tree nor which threads synchronize as such."""
    instances, pairs = arrays["inst"], arrays["class_pairs"][0]
    for other in range(len(instances)):
        if other not in (first, second):
            mine, theirs = instances[first] == instances[other], instances[second] == instances[other]
            if (mine != theirs).any():
                return False
    swapped = np.arange(len(pairs))
    swapped[[2 + first, 2 + second]] = 2 + second, 2 + first
    return bool((pairs == pairs[swapped][:, swapped]).all())


def add_columns(arrays: Arrays, alike: tuple[Alike, ...]) -> tuple[dict[str, NDArray[np.generic]], tuple[Alike, ...]]:
    """Let states hold of each thread what they hold of any thread that is like it.

    Parameters
    ----------
    arrays : mapping of str to array
    alike : tuple of Alike

    Returns
    -------
    arrays : dict of str to array
        With further columns, behind those that are asked for.
    alike : tuple of Alike
        With their columns; without those of whom states hold nothing.
    """
    kinds, data = arrays["obs_kind"], arrays["obs_data"]
    owners, places = arrays["obs_thread"].tolist(), arrays["obs_loc"].tolist()
    new_kinds, new_data = [kinds], [data]
    result = []
    for each in alike:
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
            result.append(Alike(each.threads, tuple(tuple(columns[key] for key in wanted) for columns in known)))
    extended = dict(arrays)
    extended["obs_kind"], extended["obs_data"] = np.concatenate(new_kinds, axis=1), np.concatenate(new_data, axis=1)
    extended["obs_thread"], extended["obs_loc"] = np.array(owners, dtype=np.int64), np.array(places, dtype=np.int64)
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


def expand(found: Found, alike: tuple[Alike, ...], shown: int, late: Callable[[], bool]) -> tuple[Found, bool]:
    """Give the states of all arrangements of threads.

    Parameters
    ----------
    found : Found
        The states that the search found, with the number of executions that each stands for.
    alike : tuple of Alike
    shown : int
        How many columns, the first ones, are asked for.
    late : callable
        Asked now and then whether the time is up.

    Returns
    -------
    Found
    bool
        Whether that is all: False where the time was up.

    Examples
    --------
    Of two threads each shows a register; three executions are searched, each of which stands for two.

    >>> pair = Alike((0, 1), ((0,), (1,)))
    >>> expand({(1, 1): (2, 0), (1, 2): (4, 0)}, (pair,), 2, lambda: False)
    ({(1, 1): (2, 0), (1, 2): (2, 0), (2, 1): (2, 0)}, True)
    """
    for each in alike:
        standing: Found = {}
        for row, (count, raised) in found.items():
            _add(standing, each.sort(row), count, raised)
        found = {}
        for row, (count, raised) in standing.items():
            for number, (arrangement, share) in enumerate(each.expand(row, count, shown)):
                # Columns behind those that are asked for still tell the threads of further groups apart.
                _add(found, _cleared(arrangement, each, shown), share, raised)
                if number % 4096 == 4095 and late():
                    return _shown(found, shown), False
        if late():
            return _shown(found, shown), False
    return _shown(found, shown), True


def _cleared(row: tuple[int, ...], alike: Alike, shown: int) -> tuple[int, ...]:
    hidden = {column for columns in alike.columns for column in columns if column >= shown}
    return tuple(-1 if column in hidden else value for column, value in enumerate(row)) if hidden else row


def _shown(found: Found, shown: int) -> Found:
    result: Found = {}
    for row, (count, raised) in found.items():
        _add(result, row[:shown], count, raised)
    return result


def _add(found: Found, row: tuple[int, ...], count: int, raised: int) -> None:
    before = found.get(row, (0, 0))
    found[row] = before[0] + count, before[1] | raised
