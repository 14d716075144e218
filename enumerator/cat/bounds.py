"""Bounds on the values of the nodes of a model, over all completions of a partial candidate.

A bound is itself a node: for a must set the least, for a may set the greatest value that a node may come to have.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from enumerator.cat.nodes import SET, Builder, CompiledCheck, Growth, Level, Node

__all__ = ["Bounds"]


class Inclusion(IntEnum):
    """How a relation is included in another one: not known, but for pairs of an event with itself, or as a whole."""

    UNKNOWN = 0
    BUT_REFLEXIVE = 1
    WHOLE = 2


class _Parts:
    """The relations that are included in a transitive relation by how they are written.

    Parameters
    ----------
    whole : Node
        A transitive closure.
    """

    def __init__(self, whole: Node) -> None:
        self.whole = whole
        self._known: dict[Node, Inclusion] = {
            whole: Inclusion.WHOLE,
            **dict.fromkeys(_alternatives(whole), Inclusion.WHOLE),
        }
        self._variables: dict[Node, Inclusion] = {}
        self._supposed: dict[Node, Inclusion] = {}  # of nodes with such variables in them

    def inclusion(self, node: Node) -> Inclusion:
        """Tell how a relation is included in the whole."""
        if node.operator == "variable":
            return self._variables.get(node, Inclusion.UNKNOWN)
        kept = self._supposed if node.free else self._known
        if node not in kept:
            kept[node] = self._fixpoint(node) if node.operator == "fix" else self._composed(node)
        return kept[node]

    def _composed(self, node: Node) -> Inclusion:
        match node.operator:
            case "empty":
                return Inclusion.WHOLE
            case "[]":
                return Inclusion.BUT_REFLEXIVE
            case "|":
                return min(map(self.inclusion, node.arguments))
            case "&":
                return max(map(self.inclusion, node.arguments))
            case ";":
                found = [self.inclusion(argument) for argument in node.arguments]
                return max(found) if Inclusion.UNKNOWN not in found else Inclusion.UNKNOWN
            case "\\" | "+":
                return self.inclusion(node.arguments[0])
            case "?" | "star":
                return min(self.inclusion(node.arguments[0]), Inclusion.BUT_REFLEXIVE)
        return Inclusion.UNKNOWN

    def _fixpoint(self, node: Node) -> Inclusion:
        """Suppose that the variables are included, and weaken that until the bodies agree."""
        supposed = dict.fromkeys(node.binders, Inclusion.WHOLE)
        while True:
            self._variables |= supposed
            self._supposed = {}
            found = {binder: self.inclusion(body) for binder, body in zip(node.binders, node.arguments, strict=True)}
            weaker = {binder: min(supposed[binder], found[binder]) for binder in node.binders}
            if weaker == supposed:
                return next(supposed[binder] for binder in node.binders if binder.name == node.name)
            supposed = weaker


def _alternatives(node: Node) -> Iterable[Node]:
    """Give the operand of a closure and, where that is a union, the members of the union."""
    stack = list(node.arguments)
    while stack:
        part = stack.pop()
        yield part
        if part.operator == "|":
            stack.extend(part.arguments)


class Bounds:
    """Bounds of nodes over all completions of a partial candidate, as nodes.

    The least value of a monotone node is its value now, and its greatest value is that with all choices still open
    taken. For an antitone node it is the other way round; a difference takes the opposite bound of its right side.

    Only consistent completions count. If an axiom forbids cycles in a relation, then a completion has no pair (a, a) in
    that relation, and no pair (a, b) whose inverse is already in its must set. If the relation is transitive as well,
    the same holds for all relations that are included in it.

    Parameters
    ----------
    builder : Builder
    acyclic : frozenset of Node
        The relations in which an axiom forbids cycles.

    See Also
    --------
    enumerator.cat.nodes.CompiledCheck.forbids_cycles
    """

    def __init__(self, builder: Builder, acyclic: frozenset[Node] = frozenset()) -> None:
        self._builder = builder
        self._acyclic = acyclic
        self._parts = [_Parts(node) for node in acyclic if node.operator == "+"]
        self._open: frozenset[Node] = frozenset()  # transitive relations whose greatest value is being made
        self._done: dict[tuple[Node, bool, frozenset[Node]], Node] = {}
        self._fixed: dict[tuple[tuple[Node, ...], bool, frozenset[Node]], tuple[Node, ...]] = {}

    def bound(self, node: Node, upper: bool) -> Node:
        """Give the greatest (`upper`) or the least value that a node may come to have."""
        key = (node, upper, self._open)
        if key not in self._done:
            if upper and any(node is parts.whole for parts in self._parts):
                self._open |= {node}
            found = self._bound(node, upper)
            self._open = key[2]
            if upper and node in self._acyclic and node.level is not Level.PROGRAM:
                make = self._builder.make
                excluded = make("|", make("^-1", self.bound(node, False)), make("[]", self._builder.full(SET)))
                found = make("\\", found, excluded)
            elif upper and node.operator in (";", "fix") and found is not node:
                for parts in self._parts:
                    # not in the whole itself: its greatest value is made of the greatest values of its parts
                    if parts.whole not in self._open and parts.inclusion(node) is Inclusion.WHOLE:
                        found = self._builder.make("&", found, self.bound(parts.whole, True))
            self._done[key] = found
        return self._done[key]

    def _bound(self, node: Node, upper: bool) -> Node:
        if node.level is Level.PROGRAM and node.operator != "variable":
            return node
        if node.growth is (Growth.SHRINKS if upper else Growth.GROWS) and node.operator != "variable":
            return node
        if node.operator == "base":
            return self._builder.base(f"{node.name}-max", node.kind, node.level)
        if node.operator == "linear":
            return self._all_pairs(node)
        if node.operator == "fix":
            return self._fixpoint(node, upper)
        arguments = [self.bound(argument, upper) for argument in node.arguments]
        if node.operator in ("~", "\\"):
            arguments[-1] = self.bound(node.arguments[-1], not upper)
        return self._builder.make(node.operator, *arguments)

    def _all_pairs(self, order: Node) -> Node:
        """Give all pairs that a total order of some events may still come to have."""
        make = self._builder.make
        members, *loc = order.arguments
        pairs = make("*", members, members)
        for each in loc:
            pairs = make("&", pairs, each)
        return make("\\", pairs, make("|", make("^-1", order), make("[]", self._builder.full(SET))))

    def _fixpoint(self, node: Node, upper: bool) -> Node:
        key = (node.binders, upper, self._open)
        if key not in self._fixed:
            variables = tuple(self._builder.variable(binder.kind) for binder in node.binders)
            for binder, variable in zip(node.binders, variables, strict=True):
                self._done[binder, upper, self._open] = variable
            bodies = tuple(self.bound(body, upper) for body in node.arguments)
            self._fixed[key] = self._builder.fix(variables, bodies)
        return next(
            value for binder, value in zip(node.binders, self._fixed[key], strict=True) if binder.name == node.name
        )

    def check(self, compiled: CompiledCheck) -> CompiledCheck:
        """Give the check of the bound whose failure decides the axiom for all completions."""
        return CompiledCheck(compiled.check, self.bound(compiled.node, upper=compiled.check.negated))
