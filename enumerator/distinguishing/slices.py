"""A compiled model on many candidate executions at once, a bit for each.

A set is an array of words ``(events, words)``, a relation one of ``(events, events, words)``: bit b of the words at
``[i, j]`` says whether the relation has the pair (i, j) in execution b. What is the same in all of them has one word,
which is all ones or all zeros.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import CompiledCheck, Level, Node

__all__ = ["ALL", "Bits", "Slices", "linear_name", "packed"]

Bits = NDArray[np.uint64]

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_WORD = 64


def packed(rows: NDArray[np.bool_]) -> Bits:
    """Pack truth values into words.

    Parameters
    ----------
    rows : bool array, shape (…, count)

    Returns
    -------
    uint64 array, shape (…, words)
        The bits behind the last one are zero.

    Examples
    --------
    >>> packed(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    count = rows.shape[-1]
    words = -(-count // _WORD)
    padded = np.zeros((*rows.shape[:-1], words * _WORD), dtype=np.bool_)
    padded[..., :count] = rows
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


def linear_name(order: Node) -> str:
    """Give the name under which a total order that the model chooses besides is chosen (``linear`` nodes)."""
    return f"linear {order.name}"


class Slices:
    """The values of the nodes of a model, which are kept until something that they rest on is chosen anew.

    Parameters
    ----------
    count : int
        How many events there are.
    base : mapping of str to array
        The predefined sets and relations that the program decides; what is missing is empty.
    exists : array, optional
        The events that there are: what is missing is in no set and no relation. Default: all.

    Examples
    --------
    >>> from enumerator.cat.nodes import RELATION, Builder
    >>> po = np.zeros((2, 2, 1), dtype=np.uint64)
    >>> po[0, 1] = ALL
    >>> slices, build = Slices(2, {"po": po}), Builder()
    >>> node = build.make("^-1", build.base("po", RELATION, Level.PROGRAM))
    >>> (slices.value(node)[:, :, 0] == ALL).tolist()
    [[False, False], [True, False]]
    """

    def __init__(self, count: int, base: Mapping[str, Bits], exists: Bits | None = None) -> None:
        self._count = count
        self._base = dict(base)
        self._events = np.full((count, 1), ALL, dtype=np.uint64) if exists is None else exists
        self._pairs = self._events[:, None] & self._events[None, :]
        self._identity = self._diagonal(self._events)
        self._known: tuple[dict[Node, Bits], ...] = ({}, {}, {})

    def choose(self, level: Level, chosen: Mapping[str, Bits]) -> None:
        """Choose reads-from and undef (``READS_FROM``) or the order of writes and others (``ORDER``) anew.

        Parameters
        ----------
        level : Level
        chosen : mapping of str to array
        """
        self._base.update(chosen)
        for above in self._known[level:]:
            above.clear()

    def keep(self, nodes: Container[Node]) -> None:
        """Forget the values of all nodes but some."""
        for known in self._known:
            for node in [each for each in known if each not in nodes]:
                del known[node]

    def value(self, node: Node) -> Bits:
        """Give the value of a node; the caller may not change it."""
        if node.is_open:
            return self._computed(node)
        known = self._known[node.level]
        found = known.get(node)
        if found is None:
            found = known[node] = self._computed(node)
        return found

    def _computed(self, node: Node) -> Bits:
        match node.operator:
            case "base" | "variable":
                return self._base.get(node.name, self._none(node))
            case "empty":
                return self._none(node)
            case "full":
                return self._all(node)
            case "fix":
                return self._least(node)
            case "linear":
                return self._restricted(node)
        first = self.value(node.arguments[0])
        match node.operator:
            case "~":
                return self._all(node) & ~first
            case "^-1":
                return first.transpose(1, 0, 2)
            case "?":
                return first | self._identity
            case "+":
                return closure(first)
            case "star":
                return closure(first) | self._identity
            case "[]":
                return self._diagonal(first)
            case "domain":
                return _some(first, 1)
            case "range":
                return _some(first, 0)
        second = self.value(node.arguments[1])
        match node.operator:
            case "|":
                return first | second
            case "&":
                return first & second
            case "\\":
                return first & ~second
            case "*":
                return first[:, None] & second[None, :]
            case ";":
                return sequence(first, second)
        raise AssertionError(f"an operation without a value: {node.operator}")

    def _none(self, node: Node) -> Bits:
        return np.zeros((self._count,) * (1 if node.kind == "set" else 2) + (1,), dtype=np.uint64)

    def _all(self, node: Node) -> Bits:
        return self._events if node.kind == "set" else self._pairs

    def _diagonal(self, members: Bits) -> Bits:
        found = np.zeros((self._count, self._count, members.shape[-1]), dtype=np.uint64)
        found[range(self._count), range(self._count)] = members
        return found

    def _restricted(self, order: Node) -> Bits:
        """Give a chosen order of all events as an order of those that are in its set."""
        members, *loc = map(self.value, order.arguments)
        found = self._base[linear_name(order)] & members[:, None] & members[None, :]
        for each in loc:
            found = found & each
        return found

    def _least(self, node: Node) -> Bits:
        """Give a least fixed point, from nothing upwards; of mutually recursive ones all are found at once."""
        before = {variable.name: self._base.get(variable.name) for variable in node.binders}
        values = [self._none(variable) for variable in node.binders]
        while True:
            for variable, value in zip(node.binders, values, strict=True):
                self._base[variable.name] = value
            found = [self.value(body) for body in node.arguments]
            if all(map(_equal, values, found)):
                break
            values = found
        for name, earlier in before.items():
            del self._base[name]
            if earlier is not None:
                self._base[name] = earlier
        known = self._known[node.level]
        place = [variable.name for variable in node.binders].index(node.name)
        if not node.free:
            known[node] = values[place]
        return values[place]

    def violated(self, check: CompiledCheck) -> Bits:
        """Say where the test of a check fails, its negation taken into account.

        Parameters
        ----------
        check : CompiledCheck

        Returns
        -------
        array, shape (words,)
        """
        value = self.value(check.node)
        if check.check.test == "empty":
            some = _some(value.reshape(-1, value.shape[-1]), 0)
        else:
            cycles = closure(value) if check.check.test == "acyclic" and check.node.operator != "+" else value
            some = _some(cycles[range(self._count), range(self._count)], 0)
        return ~some if check.check.negated else some


def _some(rows: Bits, axis: int) -> Bits:
    found: Bits = np.bitwise_or.reduce(rows, axis=axis)
    return found


def _equal(one: Bits, other: Bits) -> bool:
    first, second = np.broadcast_arrays(one, other)
    return np.array_equal(first, second)


def sequence(first: Bits, second: Bits) -> Bits:
    """Compose two relations."""
    words = max(first.shape[-1], second.shape[-1])
    found = np.zeros((len(first), len(first), words), dtype=np.uint64)
    for middle in np.flatnonzero(first.any(axis=(0, 2)) & second.any(axis=(1, 2))):
        found |= first[:, middle, None] & second[middle]
    return found


def closure(relation: Bits) -> Bits:
    """Close a relation transitively (Warshall 1962)."""
    found = relation.copy()
    for middle in range(len(found)):
        column, row = found[:, middle], found[middle]
        if column.any() and row.any():
            found |= column[:, None] & row[None, :]
    return found
