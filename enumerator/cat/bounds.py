"""Bounds of what the nodes of a model may come to, over all completions of a partial candidate."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from enumerator.cat.nodes import SET, Builder, CompiledCheck, Growth, Level, Node

__all__ = ["Bounds"]


class Share(IntEnum):
    """How much of a relation is surely in another one: all pairs, all but those of an event with itself, or unknown."""

    UNKNOWN = 0
    BUT_SELF = 1
    PART = 2


class _Within:
    """What is surely a part of a transitive relation.

    Parameters
    ----------
    whole : Node
        A transitive closure.
    """

    def __init__(self, whole: Node) -> None:
        self.whole = whole
        self._known: dict[Node, Share] = {whole: Share.PART, **dict.fromkeys(_alternatives(whole), Share.PART)}
        self._variables: dict[Node, Share] = {}
        self._supposed: dict[Node, Share] = {}  # of what these occur in

    def share(self, node: Node) -> Share:
        """Tell how much of a relation is surely in the whole."""
        if node.operator == "variable":
            return self._variables.get(node, Share.UNKNOWN)
        kept = self._supposed if node.free else self._known
        if node not in kept:
            kept[node] = self._fixpoint(node) if node.operator == "fix" else self._composed(node)
        return kept[node]

    def _composed(self, node: Node) -> Share:
        match node.operator:
            case "empty":
                return Share.PART
            case "[]":
                return Share.BUT_SELF
            case "|":
                return min(map(self.share, node.arguments))
            case "&":
                return max(map(self.share, node.arguments))
            case ";":
                shares = [self.share(argument) for argument in node.arguments]
                return max(shares) if Share.UNKNOWN not in shares else Share.UNKNOWN
            case "\\" | "+":
                return self.share(node.arguments[0])
            case "?" | "star":
                return min(self.share(node.arguments[0]), Share.BUT_SELF)
        return Share.UNKNOWN

    def _fixpoint(self, node: Node) -> Share:
        """Suppose the most of the variables, and less until the bodies keep to it."""
        shares = dict.fromkeys(node.binders, Share.PART)
        while True:
            self._variables |= shares
            self._supposed = {}
            found = {binder: self.share(body) for binder, body in zip(node.binders, node.arguments, strict=True)}
            lower = {binder: min(shares[binder], found[binder]) for binder in node.binders}
            if lower == shares:
                return next(shares[binder] for binder in node.binders if binder.name == node.name)
            shares = lower


def _alternatives(node: Node) -> Iterable[Node]:
    """Give the parts of which a closure, or one of its parts, is the union."""
    stack = list(node.arguments)
    while stack:
        part = stack.pop()
        yield part
        if part.operator == "|":
            stack.extend(part.arguments)


class Bounds:
    """Bounds of nodes over all completions of a partial candidate, as nodes.

    What grows is least as it stands and greatest with all choices still open taken; for what shrinks it is the
    other way round; a difference takes the opposite bound of its right side.

    Only consistent completions count: there a relation without cycles, by an axiom, has no pair of an event with
    itself, and none of which it surely has the inverse. Where it is transitive, neither has what is made of parts of it
    that follow one another.

    Parameters
    ----------
    builder : Builder
    without_cycles : frozenset of Node
        The relations of which the model's axioms say so.
    """

    def __init__(self, builder: Builder, without_cycles: frozenset[Node] = frozenset()) -> None:
        self._builder = builder
        self._without_cycles = without_cycles
        self._within = [_Within(node) for node in without_cycles if node.operator == "+"]
        self._done: dict[tuple[Node, bool], Node] = {}
        self._fixed: dict[tuple[tuple[Node, ...], bool], tuple[Node, ...]] = {}

    def bound(self, node: Node, upper: bool) -> Node:
        """Give the greatest (`upper`) or the least value that a node may come to have."""
        key = (node, upper)
        if key not in self._done:
            found = self._bound(node, upper)
            if upper and node in self._without_cycles and node.level is not Level.PROGRAM:
                make = self._builder.make
                surely = make("|", make("^-1", self.bound(node, False)), make("[]", self._builder.full(SET)))
                found = make("\\", found, surely)
            elif upper and node.operator in (";", "fix") and found is not node:
                for within in self._within:
                    if within.share(node) is Share.PART:
                        found = self._builder.make("&", found, self.bound(within.whole, True))
            self._done[key] = found
        return self._done[key]

    def _bound(self, node: Node, upper: bool) -> Node:
        if node.level is Level.PROGRAM and node.operator != "variable":
            return node
        if node.growth is (Growth.SHRINKS if upper else Growth.GROWS) and node.operator != "variable":
            return node
        if node.operator == "base":
            return self._builder.base(f"{node.name}-max", node.kind, node.level)
        if node.operator == "fix":
            return self._fixpoint(node, upper)
        arguments = [self.bound(argument, upper) for argument in node.arguments]
        if node.operator in ("~", "\\"):
            arguments[-1] = self.bound(node.arguments[-1], not upper)
        return self._builder.make(node.operator, *arguments)

    def _fixpoint(self, node: Node, upper: bool) -> Node:
        if (node.binders, upper) not in self._fixed:
            variables = tuple(self._builder.variable(binder.kind) for binder in node.binders)
            for binder, variable in zip(node.binders, variables, strict=True):
                self._done[binder, upper] = variable
            bodies = tuple(self.bound(body, upper) for body in node.arguments)
            self._fixed[node.binders, upper] = self._builder.fix(variables, bodies)
        fixed = self._fixed[node.binders, upper]
        return next(value for binder, value in zip(node.binders, fixed, strict=True) if binder.name == node.name)

    def check(self, compiled: CompiledCheck) -> CompiledCheck:
        """Give the test of the bound that decides an axiom for all completions."""
        return CompiledCheck(compiled.check, self.bound(compiled.node, upper=compiled.check.negated))
