"""A model as a program for the search that grows executions: what may be tested before an execution is complete.

An axiom whose relation only gains pairs while events are added (:mod:`.growth`), and which forbids pairs, is tested on
what has grown so far. Others wait until no event can be added (these are monotone in the choices alone), or until the
execution is complete.

These are tested after each decision. So compositions that begin with few pairs are computed from the left, and one that
is only to be irreflexive is not computed at all.

Relations are computed the other way round, so that the row of an event has those that come before it: an event that is
added last is before nothing, and few rows change (``kernels/updating.py``).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from enumerator.cat.nodes import RELATION, CompiledCheck, CompiledModel, Growth, Level, Node
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Assembler, Bytecode, flags_of
from enumerator.search.coherence import coherence_of, hides_in_threads, hiding_of
from enumerator.search.growth import grows_with_events, parts_of_union
from enumerator.search.settled import lies_in_past, settled_rules

__all__ = ["Laid", "assemble_growing"]


class _Growing(Assembler):
    """Restricts what would hold events that are not in the graph to those that are."""

    def __init__(self) -> None:
        super().__init__()
        self._uses: Counter[Node] = Counter()
        self.at_end = False  # whether what comes is run for complete executions only
        assert self.sets == op.GROW_PRESENT
        self.sets += 1
        self.identity, self.relations = self.relations, self.relations + 1
        self.rows.append((op.R_IDENTITY, self.identity, op.GROW_PRESENT, 0))

    def count_uses(self, model: CompiledModel) -> None:
        """Note how often each node of a model is an operand."""
        stack = [*(check.node for check in (*model.checks, *model.bounds)), model.final, model.order_set]
        stack += [] if model.undef_set is None else [model.undef_set]
        self._uses, seen = Counter(stack), set[Node]()
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                self._uses.update(node.arguments)
                stack += node.arguments

    def apart(self, check: CompiledCheck, done: set[Node], last: Level) -> bool:
        """Emit the test that a composition is irreflexive without the composition, if nobody else needs it."""
        node = check.node
        if check.check.test != "irreflexive" or check.check.negated or not self._is_inner(node, ";"):
            return False
        if any(each.operator == "[]" for each in node.arguments):
            return False
        left, right = (self.need(each, done, last) for each in node.arguments)
        self.rows.append((op.CHECK_APART, left, right, 0))
        return True

    # A composition whose first part has few pairs is computed from the left, so that all in between has few.

    def _operands(self, node: Node) -> tuple[Node, ...]:
        if self._is_subtracted(node):
            return (node.arguments[0], *(each for each, _ in self._parts_of(node.arguments[1])))
        if (crossed := self._crossed(node)) is not None:
            return (crossed[0], *crossed[1].arguments)
        first = node.arguments[0] if node.operator == ";" else None
        if first is not None and first.operator == "[]":
            return (first.arguments[0], *self._leaves(node.arguments[1]))
        if first is not None and _is_small(first) and self._is_inner(node.arguments[1], ";"):
            return (first, *self._leaves(node.arguments[1]))
        return super()._operands(node)

    def _is_inner(self, node: Node, *operators: str) -> bool:
        """Tell whether a node is only computed as a part of another one."""
        return node.operator in operators and self._uses[node] == 1 and not node.free and node not in self.registers

    # An inverse has many pairs, and what it is subtracted from few, once all else is. It is not computed.

    def _is_subtracted(self, node: Node) -> bool:
        """Tell whether inverses that are only computed for that are subtracted, from what has few pairs by then."""
        if not self.at_end or node.operator != "\\" or node.kind != RELATION:
            return False
        return any(inverted for _, inverted in self._parts_of(node.arguments[1]))

    def _parts_of(self, node: Node) -> list[tuple[Node, bool]]:
        """Give what consists a union of that is only computed to be subtracted; of inverses, what they are of."""
        if self._is_inner(node, "|"):
            return [part for each in node.arguments for part in self._parts_of(each)]
        if self._is_inner(node, "^-1"):
            return [(node.arguments[0], True)]
        return [(node, False)]

    def _subtract(self, node: Node, target: int) -> None:
        """Emit a difference with inverses, these last."""
        left = self.register(node.arguments[0])
        for part, inverted in sorted(self._parts_of(node.arguments[1]), key=lambda each: each[1]):
            code = op.R_MINUS_INVERSE if inverted else op.R_MINUS
            self.rows.append((code, target, left, self.register(part)))
            left = target

    # A product changes in all rows when its second set does; what of a relation is in it, in those that are touched.

    def _crossed(self, node: Node) -> tuple[Node, Node] | None:
        """Give of an intersection with a product the other relation, and the product."""
        if node.operator == "&" and node.kind == RELATION and len(node.arguments) == 2:
            for product, other in (node.arguments, node.arguments[::-1]):
                if product.operator == "*" and other.operator != "*" and not product.free:
                    return other, product
        return None

    def _restrict(self, other: Node, product: Node, target: int) -> None:
        """Emit what of a relation is in a product of sets."""
        first, second = product.arguments
        relation = self.register(other)
        if first.operator == "full":
            self.rows.append((op.R_TO, target, self.register(second), relation))
        elif second.operator == "full":
            self.rows.append((op.R_FROM, target, self.register(first), relation))
        else:
            between = self._new()
            self.rows.append((op.R_TO, between, self.register(second), relation))
            self.rows.append((op.R_FROM, target, self.register(first), between))

    def _leaves(self, node: Node) -> tuple[Node, ...]:
        """Give what is computed for itself of a node that :meth:`_after` emits."""
        if self._is_inner(node, "|"):
            return tuple(leaf for part in node.arguments for leaf in self._leaves(part))
        if self._is_inner(node, ";"):
            left, right = node.arguments
            left_leaves = (left.arguments[0],) if left.operator == "[]" else self._leaves(left)
            return (*left_leaves, right.arguments[0] if right.operator == "[]" else right)
        return (node,)

    def _after(self, code: int, chosen: int, node: Node, target: int) -> None:
        """Emit what comes from composing the relation in a register, or some events (``R_FROM``), with a node."""
        if self._is_inner(node, "|"):
            left, right = self._new(), self._new()
            for part, into in zip(node.arguments, (left, right), strict=True):
                self._after(code, chosen, part, into)
            self.rows.append((op.R_OR, target, left, right))
        elif self._is_inner(node, ";"):
            first, last = node.arguments
            between = self._new()
            if first.operator == "[]" and code == op.R_SEQ:
                self.rows.append((op.R_TO, between, self.register(first.arguments[0]), chosen))
            elif first.operator == "[]":
                self.rows.append((op.R_FROM, between, chosen, self._identity(first)))
            else:
                self._after(code, chosen, first, between)
            if last.operator == "[]":
                self.rows.append((op.R_TO, target, self.register(last.arguments[0]), between))
            else:
                self.rows.append((op.R_SEQ, target, between, self.register(last)))
        else:
            self.rows.append((code, target, chosen, self.register(node)))

    def _new(self) -> int:
        self.relations += 1
        return self.relations - 1

    def _identity(self, node: Node) -> int:
        found = self._new()
        self.rows.append((op.R_IDENTITY, found, self.register(node.arguments[0]), 0))
        return found

    def _emit(self, node: Node) -> None:
        target = self.register(node)
        if self._is_subtracted(node):
            self._subtract(node, target)
            return
        if (crossed := self._crossed(node)) is not None:
            self._restrict(*crossed, target)
            return
        operands = self._operands(node)
        first = node.arguments[0] if node.operator == ";" else None
        if first is not None and (first.operator == "[]" or len(operands) > 2):
            code = op.R_FROM if first.operator == "[]" else op.R_SEQ
            self._after(code, self.register(operands[0]), node.arguments[1], target)
            return
        operand = self.register(operands[0]) if operands else 0
        if node.operator == "full":
            self.rows.append(
                (op.R_CROSS, target, op.GROW_PRESENT, op.GROW_PRESENT)
                if node.kind == RELATION
                else (op.S_COPY, target, op.GROW_PRESENT, 0)
            )
        elif node.operator == "~" and node.kind == RELATION:
            every = self._new()
            self.rows += [
                (op.R_CROSS, every, op.GROW_PRESENT, op.GROW_PRESENT),
                (op.R_MINUS, target, every, operand),
            ]
        elif node.operator == "~":
            self.rows.append((op.S_MINUS, target, op.GROW_PRESENT, operand))
        elif node.operator == "?":
            self.rows.append((op.R_OR, target, operand, self.identity))
        elif node.operator == "star":
            closed = self._new()
            self.rows += [(op.R_PLUS, closed, operand, 0), (op.R_OR, target, closed, self.identity)]
        else:
            super()._emit(node)


def _is_small(node: Node) -> bool:
    """Tell whether a relation has few pairs: an event has at most one, or only some have any."""
    match node.operator:
        case "[]":
            return True
        case "base":
            return node.name in ("rf", "rmw")
        case "|":
            return all(map(_is_small, node.arguments))
        case ";":
            return _is_small(node.arguments[0])
        case "&":
            return any(map(_is_small, node.arguments))
        case "\\":
            return _is_small(node.arguments[0])
    return False


_TURNED = {op.R_FROM: op.R_TO, op.R_TO: op.R_FROM, op.S_DOMAIN: op.S_RANGE, op.S_RANGE: op.S_DOMAIN}


def _turned(row: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Give the instruction that computes the inverse from inverses."""
    code, target, left, right = row
    if code in (op.R_SEQ, op.R_CROSS):
        return code, target, right, left
    return _TURNED.get(code, code), target, left, right


def _is_built(check: CompiledCheck, built: frozenset[str]) -> bool:
    """Tell whether an axiom only forbids cycles of predefined relations that have none."""
    return check.forbids_cycles and all(
        part.operator == "base" and part.name in built for part in parts_of_union(check.node)
    )


_POINTWISE = frozenset({op.S_OR, op.S_AND, op.S_MINUS, op.S_COPY})
_UPDATED = _POINTWISE | {
    *(op.R_OR, op.R_AND, op.R_MINUS, op.R_SEQ, op.R_INVERSE, op.R_PLUS, op.R_COPY),
    *(op.R_CROSS, op.R_IDENTITY, op.R_FROM, op.R_TO, op.R_EMPTY, op.S_EMPTY, op.S_DOMAIN, op.S_RANGE),
}


def _can_be_updated(rows: list[tuple[int, int, int, int]], sections: list[int]) -> bool:
    """Tell whether the sections that are run after each decision can be brought up to date instead of run.

    Each of their registers is written once, or is the variable of a loop; and what comes before tells of each event
    alone in which sets it is.
    """
    first, last = sections[op.GROW_AXIOMS], sections[op.GROW_CLOSED]
    if any(row[0] not in _POINTWISE and row[:3] != (op.R_IDENTITY, row[1], op.GROW_PRESENT) for row in rows[:first]):
        return False
    written: Counter[tuple[bool, int]] = Counter()
    for code, target, _, _ in rows[first:last]:
        if code < op.FIX_BEGIN:
            if code not in _UPDATED:
                return False
            written[code < op.S_OR, target] += 1
    others = {(row[0] < op.S_OR, row[1]) for row in rows[:first] + rows[last:] if row[0] < op.FIX_BEGIN}
    return max(written.values(), default=0) <= 1 and not others & set(written)


class Laid(NamedTuple):
    """A model as the kernels have it, laid out by :func:`assemble_growing`.

    Parameters
    ----------
    code : Bytecode
        Its sections are those of :data:`~enumerator.search.opcodes.GROW_SETS` and after.
    before : int
        The register of happens-before, which the sections up to ``GROW_CLOSED`` compute; -1 without one.
    steps : bool
        Whether what these compute can be brought up to date instead.
    coherence : tuple of int
        What :func:`~enumerator.search.coherence.coherence_of` finds, if anything: whether the relation is closed, the
        registers of it and of the sets.
    hides : int
        The register of what :func:`~enumerator.search.coherence.hiding_of` finds; -1 without.
    own : bool
        Whether that tells of the writes of a thread which others of it come after (``hides_in_threads``).
    rules : tuple of (int, int)
        Registers of sets that are settled early (:class:`~enumerator.search.settled.Rules`), each with RULE_….
    in_past : bool
        Whether happens-before lies in what comes before in program order, reads-from and barriers.
    """

    code: Bytecode
    before: int
    steps: bool
    coherence: tuple[int, ...]
    hides: int
    own: bool
    rules: tuple[tuple[int, int], ...]
    in_past: bool


@lru_cache(maxsize=256)  # models are compiled once for many tests
def assemble_growing(
    model: CompiledModel, before: Node | None = None, *, plain: bool = True, built: frozenset[str] = frozenset()
) -> Laid:
    """Lay a model out for the search that grows executions.

    Parameters
    ----------
    model : CompiledModel
    before : Node, optional
        A part of an axiom that only gains pairs.
    plain : bool
        Whether there are plain reads: then it is asked early which writes others hide from them.
    built : frozenset of str
        Predefined relations that have no cycle together, as executions are built in their order.

    Returns
    -------
    Laid
    """
    machine = _Growing()
    machine.count_uses(model)
    done: set[Node] = set()
    sections = [0]
    axioms = [check for check in model.checks if check.check.kind == "axiom" and not _is_built(check, built)]
    flags, names = flags_of(model)
    last = Level.ORDER

    def emit(checks: list[CompiledCheck]) -> None:
        for check in checks:
            if not machine.apart(check, done, last):
                machine.need(check.node, done, last)
                machine.check(check, None)
        sections.append(len(machine.rows))

    order_set = machine.need(model.order_set, done, last)
    undef_set = -1 if model.undef_set is None else machine.need(model.undef_set, done, last)
    sections.append(len(machine.rows))
    known: dict[Node, Growth] = {}
    growing, closed, others = [], [], []
    for check in axioms:
        if not check.check.negated and grows_with_events(check.node, known) in (Growth.CONSTANT, Growth.GROWS):
            growing.append(check)
        elif check.grows:
            closed.append(check)
        else:
            others.append(check)
    # The last of these may turn out to refuse nothing, and is then put off: nobody else needs what it alone does.
    emit(growing[:-1])
    early, said, hiding = set(done), coherence_of(model), hiding_of(model) if plain else None
    asked = {each for each in (before, hiding) if each is not None} | (set() if said is None else {said[0], *said[1]})
    emit(growing[-1:])
    if not asked <= early:
        sections[-2] = sections[-1]
    # Closures and loops go on from what they were.
    continued = [each for each in done if each.operator in ("+", "star", "fix")]
    updated = all(grows_with_events(each, known) in (Growth.CONSTANT, Growth.GROWS) for each in continued)
    coherence: tuple[int, ...] = ()
    if said is not None and said[0] in done and said[1] <= done:
        coherence = int(said[2]), machine.register(said[0]), *sorted(map(machine.register, said[1]))
    hides = machine.register(hiding) if hiding is not None and hiding in done else -1
    own = hiding is not None and hides_in_threads(hiding)
    emit(closed)
    machine.at_end = True
    available = machine.emitted(len(machine.rows))
    for check in model.bounds:
        machine.need(check.node, available, last)
        machine.check(check, None)
    sections.append(len(machine.rows))
    emit(others)
    for check in flags:
        machine.need(check.node, done, last)
        machine.check(check, names.index(check.check.name or check.check.kind))
    machine.need(model.final, done, last)
    sections.append(len(machine.rows))
    available = machine.emitted(sections[op.GROW_CLOSED])
    settled = settled_rules(model)
    groups = (settled.allowed, op.RULE_ALLOWS), (settled.forced, op.RULE_FORCES), (settled.stay, op.RULE_STAYS)
    rules = tuple((machine.need(rule, available, last), what) for group, what in groups for rule in group)
    sections.append(len(machine.rows))
    register = -1 if before is None else machine.register(before)
    updated = updated and _can_be_updated(machine.rows, sections)
    machine.rows = list(map(_turned, machine.rows))
    code = machine.bytecode(model, sections, order_set, undef_set, (), names, flags)
    return Laid(code, register, updated, coherence, hides, own, rules, before is not None and lies_in_past(before))
