"""The graph of relational operations that a model is compiled to: a Boolean circuit over sets and relations.

Equal nodes are one object. Operations with an empty or full operand are simplified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from enumerator.cat.syntax import Check
from enumerator.frozen import dataclass

__all__ = [
    "RELATION",
    "SET",
    "Builder",
    "CompiledCheck",
    "CompiledModel",
    "Growth",
    "Level",
    "Node",
    "base_names",
    "is_reads_from",
    "nodes_of",
]


class Level(IntEnum):
    """Which choices of the search have to be made before the value of a node is known."""

    PROGRAM = 0  # none: the paths of the threads decide
    READS_FROM = 1  # reads-from, and which reads return undef
    ORDER = 2  # the coherence order, and the other orders that the model chooses, as well


class Growth(IntEnum):
    """How the value of a node changes while reads-from, undef reads and coherence orders are being chosen."""

    CONSTANT = 0
    GROWS = 1  # monotone
    SHRINKS = 2  # antitone
    EITHER = 3  # neither


SET, RELATION = "set", "relation"


@dataclass(eq=False, slots=True)  # not "frozen": that would double the time of making these
class Node:
    """One operation of the graph, which never changes.

    Parameters
    ----------
    operator : str
        ``base`` (a predefined set or relation), ``empty``, ``full``, ``variable`` (of a least fixed point), ``fix`` (a
        least fixed point), ``linear`` (a chosen total order), or an operation: ``|`` ``&`` ``\\`` ``;`` ``*`` ``~``
        ``^-1`` ``?`` ``+`` ``star`` ``[]`` ``domain`` ``range``.
    kind : {'set', 'relation'}
    arguments : tuple of Node
        The operands; of ``fix``, the right sides of its equations; of ``linear``, the set of events, and ``loc`` where
        they are ordered a location at a time.
    name : str
        Of ``base``, the predefined name; of ``variable``, its own; of ``fix``, that of the variable whose value it is;
        of ``linear``, the number of the choice among those of the model.
    binders : tuple of Node
        Of ``fix``, the variables.
    level : Level
    growth : Growth
    free : frozenset of Node
        The variables of fixed points that occur in it and are not bound in it.
    """

    operator: str
    kind: str
    arguments: tuple[Node, ...] = ()
    name: str = ""
    binders: tuple[Node, ...] = ()
    level: Level = Level.PROGRAM
    growth: Growth = Growth.CONSTANT
    free: frozenset[Node] = frozenset()

    @property
    def is_open(self) -> bool:
        """Whether it is a variable of a fixed point, or has one that it does not bind, so that its value changes."""
        return bool(self.free) or self.operator == "variable"


@dataclass(frozen=True, slots=True)
class CompiledCheck:
    """An axiom, flag or ``undefined_unless`` over a node."""

    check: Check
    node: Node

    @property
    def grows(self) -> bool:
        """Whether the axiom is monotone: once violated, it stays violated as more choices are made."""
        return not self.check.negated and self.node.growth in (Growth.CONSTANT, Growth.GROWS)

    @property
    def forbids_cycles(self) -> bool:
        """Whether the node has no cycle of one or two events where the axiom holds."""
        if self.check.kind != "axiom" or self.check.negated or self.node.kind != RELATION:
            return False
        return self.check.test == "acyclic" or (self.check.test == "irreflexive" and self.node.operator == "+")

    @property
    def contained(self) -> tuple[Node, Node] | None:
        r"""Of an axiom ``empty a \ b``, a and b: what is in the first has to be in the second."""
        said = self.check.kind, self.check.test, self.check.negated, self.node.operator
        if said != ("axiom", "empty", False, "\\"):
            return None
        first, second = self.node.arguments
        return first, second


@dataclass(frozen=True, eq=False)
class CompiledModel:
    """A model as a graph of operations; two are told apart by identity, as they are large to compare.

    Parameters
    ----------
    checks : tuple of CompiledCheck
        In the order of the file.
    final : Node
        The set of writes whose values memory holds at the end.
    order_set : Node
        The writes that it orders.
    undef_set : Node or None
        The reads that may return undef by the model's rule; None where none may.
    linear : tuple of Node
        The total orders that it chooses besides, of other events, also where no check uses them.
    bounds : tuple of CompiledCheck
        For each axiom that is not monotone: the same check of a bound. In a bound, ``rf-max``, ``UNDEF-max`` and
        ``order-max`` stand for all that may still be chosen. Where the check of a bound fails on a partial candidate,
        the axiom fails on every completion.
    """

    checks: tuple[CompiledCheck, ...]
    final: Node
    order_set: Node
    undef_set: Node | None
    linear: tuple[Node, ...] = ()
    bounds: tuple[CompiledCheck, ...] = ()


# Building ---------------------------------------------------------------------------------------------------

_FLIP = {
    Growth.CONSTANT: Growth.CONSTANT,
    Growth.GROWS: Growth.SHRINKS,
    Growth.SHRINKS: Growth.GROWS,
    Growth.EITHER: Growth.EITHER,
}

# How the result of a monotone operation changes, by how its two operands do.
_JOINED = tuple(tuple(Growth(one | other) for other in Growth) for one in Growth)


def _absorbed(binders: tuple[Node, ...], bodies: tuple[Node, ...]) -> Node | None:
    """Give another least fixed point that one is, as it begins with that one, and goes on by less; None without one.

    Of ``let rec a = f(a)`` and ``let rec b = a | g(b)``, where all that g gives f gives as well, `b` is `a`.
    """
    if len(binders) > 1 or bodies[0].operator != "|":
        return None
    for other, rest in (bodies[0].arguments, bodies[0].arguments[::-1]):
        if other.operator == "fix" and len(other.binders) == 1 and binders[0] not in other.free:
            if _is_within(rest, other.arguments[0], {(binders[0], other.binders[0]): True}):
                return other
    return None


_MONOTONE = frozenset({"|", "&", ";", "*", "^-1", "[]", "domain", "range", "?", "+", "star"})


def _is_within(node: Node, other: Node, known: dict[tuple[Node, Node], bool]) -> bool:
    """Tell whether all of a node is in another one, as far as their text says; `known` says it of some, and grows."""
    if node is other or node.operator == "empty" or other.operator == "full":
        return True
    if (node, other) not in known:
        ways = [(node.operator == "|", all, [(each, other) for each in node.arguments])]
        ways.append((other.operator == "&", all, [(node, each) for each in other.arguments]))
        ways.append((node.operator == "&", any, [(each, other) for each in node.arguments]))
        ways.append((other.operator == "|", any, [(node, each) for each in other.arguments]))
        if node.operator == other.operator and node.operator in _MONOTONE:
            ways.append((True, all, [*zip(node.arguments, other.arguments, strict=True)]))
        known[node, other] = any(
            applies and which(_is_within(a, b, known) for a, b in pairs) for applies, which, pairs in ways
        )
    return known[node, other]


class Builder:
    """Makes nodes, each only once, simplified where an operand is empty or full.

    Parameters
    ----------
    empty, full : frozenset of str
        Predefined names that are empty, or hold all events or pairs, in the test at hand.
    """

    def __init__(self, empty: frozenset[str] = frozenset(), full: frozenset[str] = frozenset()) -> None:
        self._nodes: dict[object, Node] = {}
        self._made: dict[tuple[str, tuple[Node, ...]], Node] = {}
        self._empty = empty
        self._full = full
        self._variables = 0

    def base(self, name: str, kind: str, level: Level) -> Node:
        """Give a predefined set or relation."""
        if name in self._empty:
            return self.empty(kind)
        if name in self._full:
            return self.full(kind)
        growth = Growth.CONSTANT if level is Level.PROGRAM else Growth.GROWS
        return self._intern(Node("base", kind, (), name, level=level, growth=growth))

    def linear(self, name: str, members: Node, *loc: Node) -> Node:
        """Give a total order of some events that the search chooses, a location at a time where `loc` is given."""
        if members.operator == "empty" or any(each.operator == "empty" for each in loc):
            return self.empty(RELATION)
        node = Node("linear", RELATION, (members, *loc), name, level=Level.ORDER, growth=Growth.GROWS)
        return self._intern(node)

    def empty(self, kind: str) -> Node:
        """Give the empty set or relation."""
        return self._intern(Node("empty", kind))

    def full(self, kind: str) -> Node:
        """Give the set of all events or of all pairs."""
        return self._intern(Node("full", kind))

    def variable(self, kind: str) -> Node:
        """Make a new variable of a least fixed point."""
        self._variables += 1
        name = f"#{self._variables}"
        return self._intern(Node("variable", kind, (), name, level=Level.READS_FROM, growth=Growth.GROWS))

    def fix(self, binders: tuple[Node, ...], bodies: tuple[Node, ...]) -> tuple[Node, ...]:
        """Give the least fixed point of mutually recursive definitions, a node for each of its variables."""
        absorbed = _absorbed(binders, bodies)
        if absorbed is not None:
            return (absorbed,)
        level = max(self._level_without(body, binders) for body in bodies)
        growth = Growth.CONSTANT if level is Level.PROGRAM else _join([body.growth for body in bodies])
        free = _free(bodies) - frozenset(binders)
        return tuple(
            self._intern(Node("fix", variable.kind, bodies, variable.name, binders, level, growth, free))
            for variable in binders
        )

    def _level_without(self, root: Node, binders: tuple[Node, ...]) -> Level:
        level, seen, left = Level.PROGRAM, {root}, [root]
        while left:
            node = left.pop()
            if node in binders:
                continue
            if node.free.isdisjoint(binders) or node.operator in ("base", "variable", "fix"):
                level = max(level, node.level)
                continue
            fresh = [argument for argument in node.arguments if argument not in seen]
            seen.update(fresh)
            left += fresh
        return level

    def make(self, operator: str, *arguments: Node) -> Node:
        """Apply an operation."""
        made = self._made.get((operator, arguments))
        if made is None:
            made = self._made[operator, arguments] = self._make(operator, arguments)
        return made

    def _make(self, operator: str, arguments: tuple[Node, ...]) -> Node:
        folded = self._fold(operator, arguments)
        if folded is not None:
            return folded
        kind = arguments[0].kind
        if operator in ("domain", "range"):
            kind = SET
        elif operator in ("*", "[]", ";"):
            kind = RELATION
        key = (operator, kind, arguments, "")
        known = self._nodes.get(key)
        if known is None:
            level, growth, free = arguments[0].level, arguments[0].growth, _free(arguments)
            if len(arguments) > 1:
                level, other = max(level, arguments[1].level), arguments[1].growth
                growth = _JOINED[growth][_FLIP[other] if operator == "\\" else other]
            elif operator == "~":
                growth = _FLIP[growth]
            known = self._nodes[key] = Node(operator, kind, arguments, "", (), level, growth, free)
        return known

    def _intern(self, node: Node) -> Node:
        key = (node.operator, node.kind, node.arguments, node.name)
        return self._nodes.setdefault(key, node)

    @staticmethod
    def _is_identity(node: Node) -> bool:
        return node.operator == "[]" and node.arguments[0].operator == "full"

    def _communication(self, union: Node) -> Node | None:
        """Write the closure of reads-from, the order and from-reads without a closure.

        ``(rf | mo | rf^-1 ; mo)+ = rf | (mo | rf^-1 ; mo) ; rf?`` for any part ``rf`` of reads-from: a read has one
        source at most, the order is transitive, and it relates writes only (Lahav et al., PLDI 2017, section 3.1).
        """
        parts = list(_disjuncts(union))
        sources = [part for part in parts if is_reads_from(part)]
        order = [part for part in parts if part.operator == "base" and part.name == "order"]
        if len(parts) != 3 or len(sources) != 1 or len(order) != 1:
            return None
        from_reads = self.make(";", self.make("^-1", sources[0]), order[0])
        if not any(part is from_reads for part in parts):
            return None
        after = self.make("|", order[0], from_reads)
        return self.make("|", sources[0], self.make(";", after, self.make("?", sources[0])))

    def _fold(self, operator: str, arguments: tuple[Node, ...]) -> Node | None:
        first, last = arguments[0], arguments[-1]
        match operator:
            case "|":
                if first.operator == "empty" or first is last or last.operator == "full":
                    return last
                if last.operator == "empty" or first.operator == "full":
                    return first
                if self._is_identity(last):
                    return self.make("?", first)
            case "&":
                if first.operator == "empty" or first is last or last.operator == "full":
                    return first
                if last.operator == "empty" or first.operator == "full":
                    return last
            case "\\":
                if first.operator == "empty" or last.operator == "empty":
                    return first
                if first is last or last.operator == "full":
                    return self.empty(first.kind)
            case ";" | "*":
                if first.operator == "empty" or last.operator == "empty":
                    return self.empty(RELATION)
                if operator == "*" and first.operator == last.operator == "full":
                    return self.full(RELATION)
                if operator == ";" and self._is_identity(first):
                    return last
                if operator == ";" and self._is_identity(last):
                    return first
            case "^-1":
                if first.operator in ("empty", "full"):
                    return first
                if first.operator == "^-1":
                    return first.arguments[0]
            case "?" | "star":
                if first.operator == "empty":
                    return self.make("[]", self.full(SET))
                if first.operator == "full":
                    return first
            case "+":
                if first.operator in ("empty", "full", "+"):
                    return first
                return self._communication(first)
            case "[]":
                if first.operator == "empty":
                    return self.empty(RELATION)
            case "domain" | "range":
                if first.operator in ("empty", "full"):
                    return self.empty(SET) if first.operator == "empty" else self.full(SET)
                if first.operator == "[]":
                    return first.arguments[0]
            case "~":
                if first.operator == "empty":
                    return self.full(first.kind)
                if first.operator == "full":
                    return self.empty(first.kind)
                if first.operator == "~":
                    return first.arguments[0]
        return None


def _disjuncts(node: Node) -> Iterator[Node]:
    if node.operator == "|":
        for argument in node.arguments:
            yield from _disjuncts(argument)
    else:
        yield node


def is_reads_from(node: Node) -> bool:
    """Tell whether a relation is included in reads-from by how it is written."""
    if node.operator == "base":
        return node.name == "rf"
    if node.operator == ";":
        first, second = node.arguments
        return (first.operator == "[]" and is_reads_from(second)) or (second.operator == "[]" and is_reads_from(first))
    if node.operator == "\\":
        return is_reads_from(node.arguments[0])
    return node.operator == "&" and any(map(is_reads_from, node.arguments))


_NONE: frozenset[Node] = frozenset()


def _free(nodes: tuple[Node, ...]) -> frozenset[Node]:
    """Give the union of the free variables of nodes; most have none."""
    found: frozenset[Node] = _NONE
    for node in nodes:
        if node.operator == "variable":
            found |= {node}
        elif node.free:
            found |= node.free
    return found


def _join(growths: Iterable[Growth]) -> Growth:
    result = 0
    for growth in growths:
        result |= growth
    return Growth(result)


def base_names(compiled: CompiledModel) -> frozenset[str]:
    """Name the predefined sets and relations that a model uses.

    Parameters
    ----------
    compiled : CompiledModel

    Returns
    -------
    frozenset of str
    """
    return frozenset(node.name for node in nodes_of(compiled) if node.operator == "base")


def nodes_of(compiled: CompiledModel) -> Iterator[Node]:
    """Give every node of a model once.

    Parameters
    ----------
    compiled : CompiledModel

    Yields
    ------
    Node
    """
    stack = [check.node for check in (*compiled.checks, *compiled.bounds)] + [compiled.final, compiled.order_set]
    stack += compiled.linear
    if compiled.undef_set is not None:
        stack.append(compiled.undef_set)
    seen: set[Node] = set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack += node.arguments
