"""At which locations a read may return undef by the rule of a model, whatever paths the threads take.

Each branch on a value that is read has a path for undef, too, and these multiply over the threads, while most tests
have locations whose reads are never undef: all accesses are atomic, say, or one thread alone accesses them. To see
that, the model is evaluated for a path of each thread together with all that the other threads may do instead: over the
events of these paths, and over groups of events, those of one kind with the same attributes. Of each node of the model
we keep what must be in it in every candidate, and what may be in it in some.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import SET, CompiledCheck, CompiledModel, Node
from enumerator.clock import check_time
from enumerator.search.lower import Lowered
from enumerator.search.universe import Bits, Extent, Told, Universe, group_events, grouped, universe
from enumerator.unfold.paths import Location

__all__ = ["Evaluation", "compose", "undef_groups", "undef_locations"]


def undef_locations(lowered: Lowered, model: CompiledModel) -> frozenset[Location]:
    """Find the locations of which some read may return undef by the rule of the model.

    Parameters
    ----------
    lowered : Lowered
    model : CompiledModel
        Its rule are the axioms ``empty UNDEF \\ allowed``.

    Returns
    -------
    frozenset of Location

    Raises
    ------
    Timeout
        Where the time is up.
    """
    rules = [node for compiled in (*model.checks, *model.bounds) for node in _rule(compiled)]
    found: set[int] = set()
    counts = lowered.arrays["thread_count"]
    groups = group_events(lowered)
    for number in range(int(counts.max(initial=0)) if counts.all() else 0):
        check_time()
        around = universe(lowered, groups, np.minimum(number, counts - 1))
        if around is None:
            return frozenset(lowered.locations)
        possible = around.reads & around.on_path
        evaluation = Evaluation(around)
        for rule in rules:
            possible &= evaluation.of(rule).may
        found.update(around.location[possible].tolist())
    return frozenset(lowered.locations[place] for place in found)


def undef_groups(told: Told, model: CompiledModel) -> NDArray[np.bool_]:
    """Tell which reads may return undef by the rule of a model, whatever threads do; all events are taken in groups.

    Parameters
    ----------
    told : Told
        The events.
    model : CompiledModel

    Returns
    -------
    bool array, shape (events,)
    """
    examples, group_of = grouped(told)
    around = Universe(told, [-1 - place for place in range(len(told.locations))] + examples, [], len(examples))
    possible = around.reads & ~around.on_path
    evaluation = Evaluation(around)
    for compiled in (*model.checks, *model.bounds):
        for rule in _rule(compiled):
            possible = possible & evaluation.of(rule).may
    found: NDArray[np.bool_] = possible[len(told.locations) :][group_of]
    return found


def _rule(compiled: CompiledCheck) -> list[Node]:
    """Give the sets that reads which return undef must be in, by an axiom."""
    check, node = compiled.check, compiled.node
    if check.kind == "axiom" and check.test == "empty" and not check.negated and node.operator == "\\":
        undef, allowed = node.arguments
        if (undef.operator, undef.name) == ("base", "UNDEF"):
            return [allowed]
    return []


# Evaluation -------------------------------------------------------------------------------------------------


class Evaluation:
    """What must be, and what may be, in the values of a model's nodes.

    What several events make up together must be there only by way of events that are there with one of them.

    Parameters
    ----------
    around : Universe
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
        check_time()
        longer = relation | follow(relation, relation)
        if np.array_equal(longer, relation):
            return relation
        relation = longer


def _some(relation: Bits) -> Bits:
    """Give the domain."""
    found: Bits = np.any(relation, axis=1)
    return found


def compose(left: Bits, right: Bits) -> Bits:
    """Compose two relations, 64 items between at a time.

    A product of matrices of floats would be as fast, but for the threads that a library for linear algebra starts.

    Parameters
    ----------
    left, right : bool array, shape (items, items)

    Returns
    -------
    bool array of the same shape

    Examples
    --------
    >>> compose(np.array([[False, True], [False, False]]), np.array([[False, False], [True, False]])).tolist()
    [[True, False], [False, False]]
    """
    first, between, last = _some(left), _some(left.T) & _some(right), _some(right.T)
    successors, predecessors = _words(left[np.ix_(first, between)]), _words(right.T[np.ix_(last, between)])
    product = np.zeros((len(successors), len(predecessors)), dtype=np.bool_)
    for word in range(successors.shape[1]):
        product |= (successors[:, word, None] & predecessors[:, word]) != 0
    found = np.zeros((len(left), right.shape[1]), dtype=np.bool_)
    found[np.ix_(first, last)] = product
    return found


def _words(rows: Bits) -> NDArray[np.uint64]:
    """Write each row as bits of words."""
    packed = np.packbits(rows, axis=1)
    words = np.zeros((len(rows), -(-rows.shape[1] // 64)), dtype=np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    return words


def _union(one: Extent, other: Extent) -> Extent:
    return Extent(one.must | other.must, one.may | other.may)


def _equal(one: Extent, other: Extent) -> bool:
    return np.array_equal(one.must, other.must) and np.array_equal(one.may, other.may)
