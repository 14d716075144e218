"""What must be, and what may be, in the values of a model's nodes: the plain twin of :mod:`enumerator.search.undef`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from enumerator.cat.nodes import SET, Node
from enumerator.search.universe import Bits, Extent, Universe

__all__ = ["Evaluation"]


class Evaluation:
    """What must be, and what may be, in the values of a model's nodes.

    What several events make up together must be there only by way of events that are there with one of them.
    """

    def __init__(self, around: Universe) -> None:
        self._around = around
        self._size = len(around.location)
        self._known: dict[Node, Extent] = {}
        self._bound: dict[Node, Extent] = {}  # what depends on the variables of a fixpoint, and these
        self._identity = np.eye(self._size, dtype=np.bool_)

    def of(self, root: Node) -> Extent:
        """Give the extent of a node, and keep those of its parts for other nodes.

        Parameters
        ----------
        root : Node

        Returns
        -------
        Extent
        """
        stack = [root]
        while stack:
            node = stack[-1]
            values = self._bound if node.free or node.operator == "variable" else self._known
            parts = () if node.operator == "fix" else node.arguments
            missing = [part for part in parts if part not in self._known and part not in self._bound]
            if node not in values and not missing:
                values[node] = self._fixpoint(node) if node.operator == "fix" else self._one_node(node)
            elif node not in values:
                stack += missing
                continue
            stack.pop()
        return self._value(root)

    def _value(self, node: Node) -> Extent:
        return self._bound[node] if node in self._bound else self._known[node]

    def _fixpoint(self, node: Node) -> Extent:
        """Compute the variables from nothing on until they stay."""
        around = self._bound
        variables = {part: value for part, value in around.items() if part.operator == "variable"}
        values = {binder: self._constant(binder.kind, False) for binder in node.binders}
        while True:
            self._bound = variables | values
            found = {binder: self.of(body) for binder, body in zip(node.binders, node.arguments, strict=True)}
            grown = {binder: _union(values[binder], found[binder]) for binder in node.binders}
            if all(_equal(grown[binder], values[binder]) for binder in node.binders):
                break
            values = grown
        self._bound = around
        return next(value for binder, value in values.items() if binder.name == node.name)

    def _constant(self, kind: str, value: bool) -> Extent:
        bits = np.full((self._size,) if kind == SET else (self._size, self._size), value, dtype=np.bool_)
        return Extent(bits, bits)

    def _one_node(self, node: Node) -> Extent:
        if node.operator in ("empty", "full"):
            return self._constant(node.kind, node.operator == "full")
        if node.operator == "base":
            return self._around.base(node.name, node.kind)
        found = self._operation(node, *(self._value(argument) for argument in node.arguments))
        if node.kind == SET:
            return found
        return Extent(found.must, found.may & self._around.together)

    def _operation(self, node: Node, first: Extent, last: Extent | None = None) -> Extent:
        sure, maybe, there, same = first.must, first.may, self._around.there, self._identity
        other, others = (sure, maybe) if last is None else (last.must, last.may)
        one: Bits = same & self._around.single
        match node.operator:
            case "|":
                return Extent(sure | other, maybe | others)
            case "&":
                return Extent(sure & other, maybe & others)
            case "\\":
                return Extent(sure & ~others, maybe & ~other)
            case "~":
                return Extent(~maybe, ~sure)
            case "^-1":
                return Extent(sure.T, maybe.T)
            case "*":
                return Extent(sure[:, None] & other, maybe[:, None] & others)
            case "[]":
                return Extent(one & sure, same & maybe)
            case "domain":
                return Extent(_some(sure & there), _some(maybe))
            case "range":
                return Extent(_some(sure.T & there), _some(maybe.T))
            case ";":
                left, right = node.arguments
                if left.operator == "[]":  # also of kinds that are several events
                    return Extent(
                        self._value(left.arguments[0]).must[:, None] & other, np.diagonal(maybe)[:, None] & others
                    )
                if right.operator == "[]":
                    return Extent(sure & self._value(right.arguments[0]).must, maybe & np.diagonal(others))
                return Extent(self._must_follow(sure, other), compose(maybe, others))
            case "?":
                return Extent(sure | one, maybe | same)
            case "+" | "star":
                if node.operator == "star":
                    sure, maybe = sure | one, maybe | same
                return Extent(_closed(sure, self._must_follow), _closed(maybe, compose))
        # An operation that is not known here: nothing is known of its value.
        nothing = self._constant(node.kind, False).must
        return Extent(nothing, ~nothing)

    def _must_follow(self, left: Bits, right: Bits) -> Bits:
        there = self._around.there
        return compose(left & there, right) | compose(left, right & there.T)


def _closed(relation: Bits, follow: Callable[[Bits, Bits], Bits]) -> Bits:
    """Give the transitive closure."""
    while True:
        longer = relation | follow(relation, relation)
        if np.array_equal(longer, relation):
            return relation
        relation = longer


def _some(relation: Bits) -> Bits:
    """Give the domain."""
    found: Bits = np.any(relation, axis=1)
    return found


def compose(left: Bits, right: Bits) -> Bits:
    """Compose two relations."""
    found: Bits = left.astype(np.int64) @ right.astype(np.int64) > 0
    return found


def _union(one: Extent, other: Extent) -> Extent:
    return Extent(one.must | other.must, one.may | other.may)


def _equal(one: Extent, other: Extent) -> bool:
    return np.array_equal(one.must, other.must) and np.array_equal(one.may, other.may)
