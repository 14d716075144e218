"""The final states of a result: a sequence that makes each state when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from enumerator.program.values import Value, has_undef
from enumerator.results.result import State

__all__ = ["States"]

_BLOCK = 1 << 16
"""States that are made, or written, at a time."""

_MOST_COMBINED = 1 << 12
"""Combinations of values of neighbouring columns that are written once and looked up."""


class States(Sequence[State]):
    """Distinct final states, in the order of reports; equal to the tuple of them.

    Parameters
    ----------
    names : tuple of str
        Registers and locations that a state gives the values of.
    values : tuple of Value
    rows : array, (states, names)
        Places in `values`.
    executions : array or None
        How many end in each state; None where they were not counted.
    witnesses, undetermined : array of bool
        See :class:`enumerator.results.result.State`.
    """

    __hash__ = None  # type: ignore[assignment]  # as a tuple of states has none

    def __init__(
        self,
        names: tuple[str, ...],
        values: tuple[Value, ...],
        rows: NDArray[np.generic],
        executions: NDArray[np.generic] | None,
        witnesses: NDArray[np.bool_],
        undetermined: NDArray[np.bool_],
    ) -> None:
        self.names, self.values, self.rows, self.executions = names, values, rows, executions
        self.witnesses, self.undetermined = witnesses, undetermined

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> State: ...
    @overload
    def __getitem__(self, place: slice) -> States: ...
    def __getitem__(self, place: int | slice) -> State | States:
        if isinstance(place, slice):
            return self._some(place)
        number = range(len(self.rows))[place]
        return next(iter(self._some(slice(number, number + 1))))

    def _some(self, which: slice | NDArray[np.bool_]) -> States:
        executions = None if self.executions is None else self.executions[which]
        witnesses, undetermined = self.witnesses[which], self.undetermined[which]
        return States(self.names, self.values, self.rows[which], executions, witnesses, undetermined)

    def __iter__(self) -> Iterator[State]:
        value, names = self.values.__getitem__, self.names
        for begin in range(0, len(self.rows), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            rows = self.rows[block].tolist()
            executions = [None] * len(rows) if self.executions is None else self.executions[block].tolist()
            witnesses, undetermined = self.witnesses[block].tolist(), self.undetermined[block].tolist()
            for row, *rest in zip(rows, executions, witnesses, undetermined, strict=True):
                yield State(dict(zip(names, map(value, row), strict=True)), *rest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, States | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _repr_html_(self) -> str:
        from enumerator.results.notebook import states_html  # only notebooks need it

        return states_html(self)

    @property
    def rests_on_undef(self) -> bool:
        """Whether a value of some state that is undetermined holds undef."""
        held = np.zeros(len(self.values), dtype=np.bool_)  # np.unique would import masked arrays
        held[self.rows[self.undetermined].ravel()] = True
        return any(_holds_undef(self.values[place]) for place in np.flatnonzero(held).tolist())

    def written(self, piece: Callable[[str, Value], str], between: str) -> Iterator[list[str]]:
        """Write the values of the states, in blocks.

        Parameters
        ----------
        piece : callable
            Writes a name and its value.
        between : str
            What stands between two of these.

        Yields
        ------
        list of str
            A text a state.

        Examples
        --------
        >>> no = np.array([False, False])
        >>> states = States(("@x", "@y"), (0, 7), np.array([[0, 1], [1, 1]]), None, no, no)
        >>> list(states.written(lambda name, value: f"{name}={value}", " "))
        [['@x=0 @y=7', '@x=7 @y=7']]
        """
        groups = self._groups(piece, between)
        for begin in range(0, len(self.rows), _BLOCK):
            rows = self.rows[begin : begin + _BLOCK]
            columns = []
            for first, codes, sizes, texts in groups:
                combined = codes[0][rows[:, first]]
                for number in range(1, len(codes)):
                    combined = combined * sizes[number] + codes[number][rows[:, first + number]]
                columns.append(texts[combined].tolist())
            if len(columns) == 1:
                yield columns[0]
            elif columns:
                yield list(map(between.join, zip(*columns, strict=True)))
            else:
                yield [""] * len(rows)

    def _groups(
        self, piece: Callable[[str, Value], str], between: str
    ) -> list[tuple[int, list[NDArray[np.int64]], list[int], NDArray[np.object_]]]:
        """Group neighbouring columns that have few combinations, and write these.

        Returns
        -------
        list of tuples
            The first column; for each column codes of the values; how many there are; the text of each combination.
        """
        result: list[tuple[int, list[NDArray[np.int64]], list[int], NDArray[np.object_]]] = []
        for column, name in enumerate(self.names):
            held = np.zeros(len(self.values), dtype=np.bool_)
            held[self.rows[:, column]] = True
            places = np.flatnonzero(held)
            codes = np.zeros(len(self.values), dtype=np.int64)
            codes[places] = np.arange(len(places))
            texts = [piece(name, self.values[place]) for place in places.tolist()]
            if result and len(result[-1][3]) * len(texts) <= _MOST_COMBINED:
                first, before, sizes, known = result.pop()
                texts = [f"{one}{between}{other}" for one in known for other in texts]
                entry = (first, [*before, codes], [*sizes, len(places)])
            else:
                entry = (column, [codes], [len(places)])
            result.append((*entry, np.array(texts, dtype=object)))
        return result


def _holds_undef(value: Value) -> bool:
    from enumerator.program.values import Term

    return any(map(_holds_undef, value.arguments)) if isinstance(value, Term) else has_undef(value)
