"""Predefined names of a model as nodes, also where the model takes a read-modify-write for one event.

The search always has two events for a read-modify-write. Where a model merges them (``choices.py``), each set has both
halves or neither, and each relation has all pairs of halves or none. The operations preserve that, with the relation
between the halves of one event in the place of equality, so that they mean the same as on single events.
"""

from __future__ import annotations

from collections.abc import Mapping

from enumerator.cat.nodes import RELATION, SET, Builder, Level, Node

__all__ = ["Kinds", "Primitives"]

_READS_FROM = ("rf", "UNDEF")


class Kinds:
    """The predefined names that a caller can compute, and which of them have been asked for.

    Parameters
    ----------
    kinds : mapping of str to {'set', 'relation'}
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = kinds
        self.asked: dict[str, str | None] = {}

    def get(self, name: str) -> str | None:
        """Tell what a name is, or None where the caller cannot compute it."""
        kind = self.asked[name] = self._kinds.get(name)
        return kind


class Primitives:
    """Makes the nodes of predefined sets and relations, and of what depends on equality.

    Parameters
    ----------
    kinds : Kinds
    builder : Builder
    merged : bool
        Whether the model takes a read-modify-write for one event.
    """

    def __init__(self, kinds: Kinds, builder: Builder, merged: bool) -> None:
        self._kinds = kinds
        self._builder = builder
        self._merged = merged
        self._equality = builder.make("[]", builder.full(SET))
        if merged:
            halves = self._event_wise("rmw")
            halves = builder.make("|", halves, builder.make("^-1", halves))
            self._equality = builder.make("|", self._equality, halves)

    def _event_wise(self, name: str) -> Node:
        """Give a predefined set or relation over the events of the search."""
        level = Level.READS_FROM if name in _READS_FROM else Level.PROGRAM
        return self._builder.base(name, self._kinds.get(name) or RELATION, level)

    def base(self, name: str) -> Node:
        """Give a predefined set or relation that has no formula."""
        node, make = self._event_wise(name), self._builder.make
        if name == "po" and self._kinds.get("unsequenced") is not None:
            node = make("\\", node, self._event_wise("unsequenced"))
        if not self._merged:
            return node
        match name:
            case "rmw":
                return self._builder.empty(RELATION)
            case "R" | "W":
                return make("|", node, self._event_wise("RMW"))
            case "po":
                return make("\\", node, self._equality)
            case "rf":
                return self._with_halves(node)
            case "addr" | "data" | "ctrl":
                return make("\\", self._with_halves(node), self._equality)
        return node

    def order(self) -> Node:
        """Give the order of writes that the search chooses."""
        return self._with_halves(self._builder.base("order", RELATION, Level.ORDER))

    def linear(self, name: str, members: Node, by_location: bool) -> tuple[Node, Node]:
        """Give a total order of some events that the search chooses: as the model sees it, and as it is chosen."""
        make = self._builder.make
        if self._merged:  # a read-modify-write stands in the order once
            members = make("\\", members, make("range", self._event_wise("rmw")))
        chosen = self._builder.linear(name, members, *([self._event_wise("loc")] if by_location else []))
        return self._with_halves(chosen), chosen

    def _with_halves(self, node: Node) -> Node:
        """Add the pairs of the other halves to a relation."""
        make = self._builder.make
        return make(";", make(";", self._equality, node), self._equality) if self._merged else node

    def writes_of(self, members: Node) -> Node:
        """Give the writes of the search that are in a set of the model."""
        return self._builder.make("&", members, self._event_wise("W")) if self._merged else members

    def identity(self, members: Node) -> Node:
        """Give ``[members]``."""
        make = self._builder.make
        return make("&", self._equality, make("*", members, members)) if self._merged else make("[]", members)

    def closure(self, operator: str, body: Node) -> Node:
        """Apply ``^-1``, ``+``, ``*`` or ``?``."""
        make = self._builder.make
        if operator in ("^-1", "+"):
            return make(operator, body)
        if not self._merged:
            return make("star" if operator == "*" else operator, body)
        return make("|", make("+", body) if operator == "*" else body, self._equality)
