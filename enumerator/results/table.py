"""Final states as rows of numbers: what an engine found, kept small and looked at column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.program.values import Value, sort_key

__all__ = ["StateTable", "added", "as_counts", "join", "numbers", "places", "smallest", "sorting", "translated"]

_FEW = 256  # of so few numbers Python finds the different ones sooner than NumPy

_MOST_ADDED = 1 << 62
"""Counts that add up to less are words; others are numbers of Python, in arrays of objects."""


class StateTable(Mapping[tuple[Value, ...], int]):
    """Distinct final states, each with the number of executions that end in it: a mapping, held as arrays.

    Parameters
    ----------
    domain : tuple of Value
        Sorted by :func:`enumerator.program.values.sort_key`.
    rows : array, (states, names)
        Places in `domain`. Rows are distinct and sorted, so the states are in the order of reports.
    counts : array, (states,)
        Words, or numbers of Python where they might not fit.

    Examples
    --------
    >>> table = StateTable.of({(1, 2): 3, (1, 0): 4}, 2)
    >>> dict(table), table.rows.tolist(), table.domain
    ({(1, 0): 4, (1, 2): 3}, [[1, 0], [1, 2]], (0, 1, 2))
    """

    def __init__(self, domain: tuple[Value, ...], rows: NDArray[np.generic], counts: NDArray[np.generic]) -> None:
        self.domain, self.rows, self.counts = domain, rows, counts

    @classmethod
    def of(cls, states: Mapping[tuple[Value, ...], int], names: int) -> StateTable:
        """Give the table of states that are values of so many names; of a table, itself."""
        if isinstance(states, StateTable):
            return states
        known: dict[Value, int] = {}
        flat = [known.setdefault(value, len(known)) for state in states for value in state]
        rows = np.array(flat, dtype=np.int64).reshape(len(states), names)
        return cls.of_numbers(rows, list(known).__getitem__, as_counts(states.values()))[0]

    @classmethod
    def of_numbers(
        cls, rows: NDArray[Any], value: Callable[[int], Value], counts: NDArray[np.generic]
    ) -> tuple[StateTable, NDArray[np.int64]]:
        """Give the table of rows of numbers of values.

        Parameters
        ----------
        rows : array, (states, names)
            Distinct, in any order. Numbers count from 0.
        value : callable
            Gives the value that has a number; different ones for different numbers.
        counts : array, (states,)

        Returns
        -------
        StateTable
        array
            For each of its states, the number of the row.
        """
        known = [(value(number), number) for number in numbers(rows)]
        known.sort(key=lambda pair: sort_key(pair[0]))
        ranked = places(rows, [number for _, number in known])
        order = sorting(ranked)
        return cls(tuple(each for each, _ in known), ranked[order], counts[order]), order

    def some(self, which: NDArray[np.bool_]) -> StateTable:
        """Give the table of some of the states."""
        return StateTable(self.domain, self.rows[which], self.counts[which])

    def columns(self, chosen: Sequence[int]) -> tuple[StateTable, NDArray[np.int64]]:
        """Leave out columns, or change their order: states that are then the same become one, with their counts added.

        Returns
        -------
        StateTable
        array
            For each of its states, the number of one of the states that became it.
        """
        if list(chosen) == list(range(self.rows.shape[1])):
            return self, np.arange(len(self.rows))
        rows = self.rows[:, list(chosen)]
        order, starts = join(rows)
        ends = order[starts]
        return StateTable(self.domain, rows[ends], added(self.counts[order], starts)), ends

    @cached_property
    def _counted(self) -> dict[tuple[Value, ...], int]:
        return dict(zip(self, self.counts.tolist(), strict=True))

    def __getitem__(self, state: tuple[Value, ...]) -> int:
        return self._counted[state]

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        value = self.domain.__getitem__
        return (tuple(map(value, row)) for row in self.rows.tolist())

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return repr(self._counted)


def smallest(number: int) -> type[np.unsignedinteger]:
    """Give the smallest type that holds the numbers below one."""
    return np.uint8 if number <= 1 << 8 else np.uint16 if number <= 1 << 16 else np.uint32


def numbers(rows: NDArray[Any]) -> list[int]:
    """Give the numbers that rows hold, sorted."""
    if rows.size < _FEW:
        return sorted(set(rows.ravel().tolist()))
    held = np.zeros(int(rows.max(initial=-1)) + 1, dtype=np.bool_)
    for column in rows.T:  # one at a time: NumPy copies what it takes for places to full words
        held[column] = True
    return np.flatnonzero(held).tolist()


def places(rows: NDArray[Any], listed: Sequence[int]) -> NDArray[Any]:
    """Give rows with the place of each number in a list instead of the number.

    Examples
    --------
    >>> found = places(np.array([[3, 9], [9, 9]]), [9, 3])
    >>> found.tolist(), found.dtype
    ([[1, 0], [0, 0]], dtype('uint8'))
    """
    place = np.zeros(max(listed, default=-1) + 1, dtype=smallest(len(listed)))
    place[list(listed)] = np.arange(len(listed))
    return translated(place, rows)


def translated(table: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Give rows with what stands in a table at each number instead of the number."""
    result = np.empty(rows.shape, dtype=table.dtype)
    for number, column in enumerate(rows.T):
        result[:, number] = table[column]
    return result


def as_counts(counts: Iterable[int]) -> NDArray[np.generic]:
    """Give an array of counts: words where they and their sum fit, else numbers of Python.

    Examples
    --------
    >>> as_counts([1, 2]).dtype, as_counts([1 << 70]).sum() == 1 << 70
    (dtype('int64'), True)
    """
    listed = list(counts)
    return np.array(listed, dtype=np.int64 if sum(listed) < _MOST_ADDED else object)


def sorting(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """Give the places of rows of numbers from 0 in lexicographic order."""
    words = _packed(rows)
    return np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words[::-1])


def join(rows: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bring equal rows of numbers from 0 together.

    Returns
    -------
    order : array
        Places of the rows, in lexicographic order.
    starts : array
        Where in it each different row begins.

    Examples
    --------
    >>> order, starts = join(np.array([[1, 0], [0, 2], [1, 0]]))
    >>> order.tolist(), starts.tolist()
    ([1, 0, 2], [0, 1])
    """
    words = _packed(rows)
    order = np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words[::-1])
    new = np.zeros(len(rows), dtype=np.bool_)
    new[:1] = True
    for word in words:
        ordered = word[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    return order, np.flatnonzero(new)


def added(counts: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Add the counts between places where something begins."""
    result: NDArray[Any] = np.add.reduceat(counts, starts) if len(starts) else counts[:0]
    return result


def _packed(rows: NDArray[np.generic]) -> list[NDArray[np.uint64]]:
    """Write each row as a few words that compare as the row does."""
    words = [np.zeros(len(rows), dtype=np.uint64)]
    if not len(rows):
        return words
    room = 64
    for column, most in enumerate(rows.max(axis=0).tolist()):
        bits = int(most).bit_length()
        if bits > room:
            words.append(np.zeros(len(rows), dtype=np.uint64))
            room = 64
        room -= bits
        if bits:
            words[-1] <<= np.uint64(bits)
            words[-1] |= rows[:, column].astype(np.uint64)
    return words
