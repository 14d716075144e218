"""Compiled models for the test at hand: what is empty or full in it is simplified away.

Tests differ in few of the sets and relations that a model names, and most nodes of a model depend on few of these. The
simplified form of each node is therefore kept, by which of the names that it depends on are empty or full.
"""

from __future__ import annotations

from enumerator.cat.bounds import Bounds
from enumerator.cat.nodes import Builder, CompiledCheck, CompiledModel, Level, Node, base_names

__all__ = ["Specializer"]


class Specializer:
    """Simplifies one model for one test after another.

    Parameters
    ----------
    general : CompiledModel
        Compiled for any test.
    """

    def __init__(self, general: CompiledModel) -> None:
        self._general = general
        self._builder = Builder()
        self._bounds: dict[frozenset[Node], Bounds] = {}
        self.names = base_names(general)
        self._bits = {name: 1 << number for number, name in enumerate(sorted(self.names))}
        self._part_names = _names_of_parts(general, self._bits)
        self._done: dict[tuple[Node, int, int], Node] = {}
        self._fixed: dict[tuple[tuple[Node, ...], int, int], tuple[Node, ...]] = {}
        self._models: dict[tuple[Node | None, ...], CompiledModel] = {}
        self._empty = self._full = 0

    def specialize(self, empty: frozenset[str], full: frozenset[str]) -> CompiledModel:
        """Simplify the model by what is empty or full in the test at hand.

        Parameters
        ----------
        empty, full : frozenset of str
            Predefined names that are empty, or hold all events or pairs; of :attr:`names`.

        Returns
        -------
        CompiledModel
            With the bounds of its axioms. Where two tests need the same model, they get the same object.
        """
        self._empty = sum(self._bits[name] for name in empty)
        self._full = sum(self._bits[name] for name in full)
        general = self._general
        for node in self._part_names:  # operands first: what is defined in many steps is no deep recursion
            if not node.is_open:
                self._node(node)
        nodes = tuple(self._node(check.node) for check in general.checks)
        final, order_set = self._node(general.final), self._node(general.order_set)
        undef_set = None if general.undef_set is None else self._node(general.undef_set)
        linear = tuple(node for node in map(self._node, general.linear) if node.operator == "linear")
        key = (*nodes, final, order_set, undef_set, *linear)
        if key not in self._models:
            simplified = (CompiledCheck(check.check, node) for check, node in zip(general.checks, nodes, strict=True))
            checks = tuple(check for check in simplified if not _is_vacuous(check))
            acyclic = frozenset(check.node for check in checks if check.forbids_cycles)
            if acyclic not in self._bounds:
                self._bounds[acyclic] = Bounds(self._builder, acyclic)
            bounds = tuple(
                self._bounds[acyclic].check(check)
                for check in checks
                if check.check.kind == "axiom" and check.node.level is not Level.PROGRAM and not check.grows
            )
            self._models[key] = CompiledModel(checks, final, order_set, undef_set, linear, bounds)
        return self._models[key]

    def _node(self, node: Node) -> Node:
        names = self._part_names[node]
        key = (node, self._empty & names, self._full & names)
        done = self._done.get(key)
        if done is None:
            done = self._done[key] = self._fix(node) if node.operator == "fix" else self._rebuild(node)
        return done

    def _rebuild(self, node: Node) -> Node:
        match node.operator:
            case "base":
                bit = self._bits[node.name]
                if bit & self._empty:
                    return self._builder.empty(node.kind)
                if bit & self._full:
                    return self._builder.full(node.kind)
                return self._builder.base(node.name, node.kind, node.level)
            case "empty":
                return self._builder.empty(node.kind)
            case "full":
                return self._builder.full(node.kind)
            case "linear":
                return self._builder.linear(node.name, *map(self._node, node.arguments))
        return self._builder.make(node.operator, *map(self._node, node.arguments))

    def _fix(self, node: Node) -> Node:
        names = self._part_names[node]
        key = (node.binders, self._empty & names, self._full & names)
        if key not in self._fixed:
            variables = tuple(self._builder.variable(binder.kind) for binder in node.binders)
            for binder, variable in zip(node.binders, variables, strict=True):
                self._done[binder, key[1], key[2]] = variable
            self._fixed[key] = self._builder.fix(variables, tuple(map(self._node, node.arguments)))
        return self._fixed[key][[binder.name for binder in node.binders].index(node.name)]


def _is_vacuous(check: CompiledCheck) -> bool:
    """Tell whether a check is an axiom that always holds, or a flag that is never raised: what it tests is empty."""
    return check.node.operator == "empty" and check.check.negated == (check.check.kind == "flag")


def _names_of_parts(model: CompiledModel, bits: dict[str, int]) -> dict[Node, int]:
    """Give the predefined names that each node depends on, as a bit mask; operands come first.

    A variable of a fixed point depends on all that the fixed point depends on, and is copied with it.
    """
    order = _in_order(model)
    within: dict[Node, int] = {}  # without the names that variables depend on
    fixpoints: dict[Node, Node] = {}  # of variables
    for node in order:
        within[node] = bits[node.name] if node.operator == "base" else 0
        for argument in node.arguments:
            within[node] |= within[argument]
        fixpoints |= dict.fromkeys(node.binders, node)
    found: dict[Node, int] = {}

    def names(node: Node) -> int:
        if node not in found:
            known = names(fixpoints[node]) if node.operator == "variable" else within[node]
            for variable in node.free:
                known |= names(variable)
            found[node] = known
        return found[node]

    return {node: names(node) for node in order}


def _in_order(model: CompiledModel) -> list[Node]:
    """List the nodes of a model in topological order: operands first."""
    roots = [check.node for check in (*model.checks, *model.bounds)] + [model.final, model.order_set]
    roots += model.linear
    if model.undef_set is not None:
        roots.append(model.undef_set)
    order: list[Node] = []
    seen: set[Node] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((argument, False) for argument in (*node.arguments, *node.binders) if argument not in seen)
    return order
