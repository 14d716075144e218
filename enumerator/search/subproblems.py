"""Subproblems: what is left of a search, cut into parts for several processes (:mod:`enumerator.search.stealing`).

Parts are disjoint and leave nothing out, so that counts add up to those of one process: ranges of combinations of
paths, and, where the combination at hand is searched bit-parallel (:mod:`enumerator.search.kernels.bit_parallel`), the
candidates that wait at its decisions. A fork has all that the search has found and computed so far; only results are
sent back. Parts differ much in what they take: once there are fewer than processes, those that run longest are asked to
give away half of what is left in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.frozen import dataclass
from enumerator.program.values import Value
from enumerator.results.table import added, join, translated
from enumerator.search import opcodes as op
from enumerator.search.layout import Batch, Paths

__all__ = [
    "PARTS_EACH",
    "WIDE",
    "Subproblem",
    "Stolen",
    "Part",
    "Portion",
    "Found",
    "Waiting",
    "halve",
    "inside",
    "keep_levels",
    "left_over",
    "load",
    "merge",
    "portions",
    "restrict",
    "share_waiting",
    "split",
]

PARTS_EACH = 4
"""Parts for each process: they take different times, and who is done first takes the next."""

WIDE = 256
"""Candidates that wait at one decision from which on they are shared one by one."""

_DIVIDED = 4  # decisions whose candidates are divided: what waits at later ones has less below it
BATCH = 512  # candidates of a block (kernels/bit_parallel.py)


@dataclass(frozen=True, slots=True)
class Subproblem:
    """Combinations of paths: of each thread a range of its paths, as (first, count)."""

    ranges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """The number of combinations."""
        product = 1
        for _, count in self.ranges:
            product *= count
        return product


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a search, as any process with the same test and model can search it, and some only forks.

    Parameters
    ----------
    subproblem : Subproblem
        Combinations of paths, from their beginning; or the one that `waiting` or `portion` is of.
    waiting : Waiting or None
        Candidates that wait.
    portion : Portion or None
        A share of those that wait in the process that this one is a fork of.
    goes_on : bool
        Where that process stands: only its forks can search this.
    """

    subproblem: Subproblem
    waiting: Waiting | None = None
    portion: Portion | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a part of a search found.

    Parameters
    ----------
    status : {'complete', 'timeout', 'limit'}
    stopped : bool
        It found a state that decides.
    values : tuple of Value
        What `rows` number: a process that computes new values numbers them in its own order.
    rows : array, shape (states, names)
    counts : int64 array, shape (states,)
    flags : uint64 array, shape (states,)
    counters : int64 array
        The counters of the search.
    early, beside : int
        Bits of early ends, and of the flags of the model in executions without a state.
    """

    status: str
    stopped: bool
    values: tuple[Value, ...]
    rows: NDArray[Any]
    counts: NDArray[np.int64]
    flags: NDArray[np.uint64]
    counters: NDArray[np.int64]
    early: int
    beside: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Candidates that wait between two steps of the search, to be sent to another process.

    Parameters
    ----------
    numbers : dict of str to array
        Small arrays of the batch, by name.
    columns : tuple of array
        For each decision, those of the candidates that wait for it.
    """

    numbers: dict[str, NDArray[np.generic]]
    columns: tuple[NDArray[np.uint8], ...]


@dataclass(frozen=True, slots=True)
class Stolen:
    """What a part gives away.

    Parameters
    ----------
    subproblems : tuple of Subproblem
        Combinations of paths that have not been begun; or, where candidates are given away, the one that they are of.
    waiting : Waiting or None
        The candidates.
    """

    subproblems: tuple[Subproblem, ...]
    waiting: Waiting | None = None


# Combinations of paths -----------------------------------------------------------------------------------------


def left_over(combo: Sequence[int], counts: Sequence[int]) -> list[Subproblem]:
    """Give the combinations that come after one, the last thread's path changing fastest.

    Parameters
    ----------
    combo, counts : sequence of int
        The number of each thread's path, and how many paths each has.

    Returns
    -------
    list of Subproblem

    Examples
    --------
    >>> [subproblem.ranges for subproblem in left_over([0, 1], [2, 3])]
    [((0, 1), (2, 1)), ((1, 1), (0, 3))]
    """
    subproblems = []
    for thread in reversed(range(len(combo))):
        if (rest := counts[thread] - combo[thread] - 1) > 0:
            same = [(combo[before], 1) for before in range(thread)]
            free = [(0, counts[after]) for after in range(thread + 1, len(combo))]
            subproblems.append(Subproblem((*same, (combo[thread] + 1, rest), *free)))
    return subproblems


def split(subproblems: Sequence[Subproblem], parts: int) -> list[Subproblem]:
    """Cut subproblems, the largest first, until there are a number of them or nothing is left to cut.

    Examples
    --------
    >>> [subproblem.ranges for subproblem in split([Subproblem(((0, 1), (0, 3)))], 2)]
    [((0, 1), (0, 1)), ((0, 1), (1, 2))]
    """
    done = list(subproblems)
    while done and len(done) < parts:
        largest = max(range(len(done)), key=lambda place: done[place].size)
        subproblem = done[largest]
        if subproblem.size == 1:
            break
        thread = max(range(len(subproblem.ranges)), key=lambda number: subproblem.ranges[number][1])
        first, count = subproblem.ranges[thread]
        halves = ((first, count // 2), (first + count // 2, count - count // 2))
        done[largest : largest + 1] = [
            Subproblem((*subproblem.ranges[:thread], half, *subproblem.ranges[thread + 1 :])) for half in halves
        ]
    return done


def restrict(data: Paths, subproblem: Subproblem) -> Paths:
    """Give the paths of a test with only those of a subproblem."""
    first = data.thread_first + np.array([begin for begin, _ in subproblem.ranges], dtype=np.int64)
    count = np.array([number for _, number in subproblem.ranges], dtype=np.int64)
    return data._replace(thread_first=first, thread_count=count)


def inside(subproblem: Subproblem, outer: Subproblem) -> Subproblem:
    """Give a subproblem of combinations that are numbered within another subproblem, numbered as those of the whole
    test.

    Examples
    --------
    >>> inside(Subproblem(((1, 2),)), Subproblem(((3, 4),)))
    Subproblem(ranges=((4, 2),))
    """
    ranges = zip(subproblem.ranges, outer.ranges, strict=True)
    return Subproblem(tuple((begin + first, count) for (first, count), (begin, _) in ranges))


# Candidates that wait -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Portion:
    """A part of the candidates that wait: at the decisions from `first` to before `end`, one of `parts` shares."""

    first: int
    end: int
    part: int = 0
    parts: int = 1


def portions(batch: Batch, jobs: int) -> list[Portion]:
    """Cut what waits at decisions. A single candidate at the first may have most of the search below it.

    Parameters
    ----------
    batch : Batch
    jobs : int
        The number of processes.

    Returns
    -------
    list of Portion
    """
    cut: list[Portion] = []
    divided = 0
    levels = np.flatnonzero(batch.waiting).tolist()
    for d in levels:
        if divided == _DIVIDED:
            return [Portion(d, len(batch.waiting)), *cut]  # the largest portion first
        through = d <= batch.state[op.L_DEPTH] and batch.start[d] == 0 and batch.option[d] >= batch.options[d]
        shares = 1 if through else 2 * jobs
        divided += not through
        cut += [Portion(d, d + 1, part, shares) for part in range(shares)]
    return cut


def keep_levels(batch: Batch, first: int, end: int) -> None:
    """Keep only the candidates that wait at some decisions, and go on at the first or where the search stands.

    Parameters
    ----------
    batch : Batch
        Between two steps of the search.
    first, end : int
        Decisions from `first` to before `end`; at `first` candidates wait.
    """
    at_hand = int(batch.state[op.L_DEPTH])
    batch.waiting[:first] = 0
    batch.waiting[end:] = 0
    batch.filled[:] = 0
    if not first <= at_hand < end:
        batch.state[op.L_DEPTH] = first
    if first > at_hand:  # nothing of it has been begun
        batch.start[first] = (batch.waiting[first] - 1) // BATCH * BATCH
        batch.option[first] = 0
        batch.accepted[first] = 0


def share_waiting(batch: Batch, part: int, parts: int) -> None:
    """Keep of the candidates that wait at each decision every `parts`-th.

    Up to the decision at hand, the last block of candidates is in the middle of its options, and what waits before it
    has not been begun: a part keeps some of the one or some of the other, as a block that begins at 0.

    Parameters
    ----------
    batch : Batch
        Between two steps of the search.
    part, parts : int
        At least two parts.
    """
    at_hand = int(batch.state[op.L_DEPTH])
    for d in range(len(batch.waiting)):
        waiting = int(batch.waiting[d])
        begun = min(waiting, int(batch.start[d])) if d <= at_hand else waiting
        half = parts // 2
        if d > at_hand or begun == 0:
            chosen = np.arange(part, waiting, parts)
        elif part < half:
            chosen = np.arange(begun + part, waiting, half)
        else:
            chosen = np.arange(part - half, begun, parts - half)
        fresh = d > at_hand or (begun > 0 and part >= half)
        bits = np.unpackbits(batch.accepted[d].view(np.uint8), bitorder="little")
        kept = np.zeros(BATCH, dtype=np.uint8)
        if fresh:
            batch.option[d] = 0
        else:
            kept[: len(chosen)] = bits[chosen - begun]
        batch.accepted[d] = np.packbits(kept, bitorder="little").view(np.uint64)
        batch.columns[d][:, : len(chosen)] = batch.columns[d][:, chosen]
        # What has not been begun may be more than a block.
        start = (len(chosen) - 1) // BATCH * BATCH if fresh and len(chosen) else 0
        batch.waiting[d], batch.start[d], batch.filled[d] = len(chosen), start, 0


_SMALL = ("waiting", "start", "option", "accepted", "state")


def halve(batch: Batch) -> Waiting | None:
    """Take about half of the candidates out of a batch.

    Parameters
    ----------
    batch : Batch
        Between two steps of the search; these keep the other half.

    Returns
    -------
    Waiting or None
        None where there is nothing to divide.
    """
    changed = (*_SMALL, "filled", "columns")
    other = batch._replace(**{name: getattr(batch, name).copy() for name in changed})
    share_waiting(other, 1, 2)
    if not other.waiting.any():
        return None
    share_waiting(batch, 0, 2)
    columns = tuple(other.columns[d][:, :waiting].copy() for d, waiting in enumerate(other.waiting.tolist()))
    return Waiting({name: getattr(other, name) for name in _SMALL}, columns)


def load(batch: Batch, waiting: Waiting) -> None:
    """Put candidates in the place of those in the batch of the same combination of paths."""
    for name, numbers in waiting.numbers.items():
        getattr(batch, name)[...] = numbers
    batch.filled[:] = 0
    for d, columns in enumerate(waiting.columns):
        batch.columns[d][:, : columns.shape[1]] = columns


# Results -------------------------------------------------------------------------------------------------------


def merge(parts: Sequence[Found], number: Callable[[Value], int]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Join the states that parts found: rows by this process's numbers of values, counts added, flags joined.

    Parameters
    ----------
    parts : sequence of Found
    number : callable
        Gives this process's number of a value.

    Returns
    -------
    tuple of arrays
        Rows, counts, flags.
    """
    rows = np.concatenate([_renumbered(part, number) for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    flags = np.concatenate([part.flags for part in parts])
    order, starts = join(rows)
    raised = np.bitwise_or.reduceat(flags[order], starts) if len(starts) else flags
    return rows[order[starts]], added(counts[order], starts), raised


def _renumbered(part: Found, number: Callable[[Value], int]) -> NDArray[np.int32]:
    numbers = np.array([number(value) for value in part.values] or [0], dtype=np.int32)
    return translated(numbers, part.rows)
