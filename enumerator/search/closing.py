"""How cycles of program order and reads-from may close, where a model allows them: what its happens-before decides.

Where a thread runs past a read, the read is served by a write that rests on what the thread does later: a cycle. Some
relation of the model, its happens-before, contains program order, is closed, and has no cycle. A pair of reads-from
that synchronizes is in it; another one may not go against it. So a cycle needs two pairs that do not synchronize. They
are not all of one location where coherence follows happens-before: each of these writes would come before the next one.
What two events decide for themselves is told here on a graph that has no others: as these relations only grow with more
events, it holds in every execution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from enumerator.cat.nodes import RELATION, CompiledModel, Growth, Node
from enumerator.events import Kinds
from enumerator.events.kind import Kind
from enumerator.events.relations import RELATIONS
from enumerator.events.sets import names_of
from enumerator.program.instructions import (
    Abort,
    Alloca,
    Allocate,
    Assign,
    Assume,
    Barrier,
    Call,
    CompareExchange,
    Constant,
    Create,
    Exit,
    Fence,
    Free,
    Freeze,
    Hold,
    Load,
    Meet,
    Misuse,
    Prefetch,
    Store,
)
from enumerator.program.test import Test
from enumerator.program.values import Pointer
from enumerator.search import opcodes as op
from enumerator.search.coherence import coherence_of
from enumerator.search.grown_code import grows_with_events, parts_of_union
from enumerator.unfold.later import Later, Write
from enumerator.unfold.paths import Location, PathEvent

__all__ = ["ALONE", "COHERENT", "FREE", "SYNCHRONIZES", "Closing", "happens_before"]

SYNCHRONIZES, COHERENT = op.CYCLE_SYNCHRONIZES, op.CYCLE_COHERENT
ALONE, FREE = op.CYCLE_ALONE, op.CYCLE_FREE
"""What a pair of reads-from says of a cycle: it is in happens-before; it is not, and no cycle has it beside such pairs
alone, nor beside others of its location of which this is said; it is not, and no cycle has it beside the first alone;
or nothing."""

_Pairs = frozenset[tuple[int, int]]
_Value = frozenset[Any]
"""A set of events, or of pairs of events."""
_WRITE, _READ = 0, 1
_ALL = frozenset({_WRITE, _READ})
_IDENTITY: _Pairs = frozenset((event, event) for event in _ALL)
_SQUARE: _Pairs = frozenset((a, b) for a in _ALL for b in _ALL)
_OTHERS = (
    Abort, Alloca, Allocate, Assign, Assume, Barrier, Create, Exit, Fence, Free, Freeze, Hold, Load, Meet, Misuse,
    Prefetch,
)  # fmt: skip


def happens_before(model: CompiledModel) -> Node | None:
    """Give a relation of a model that contains program order, is closed, has no cycle, and only grows with events.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    Node or None
        None where no axiom has such a one.
    """
    known: dict[Node, Growth] = {}
    for check in model.checks:
        node = check.node
        if check.forbids_cycles and node.operator == "+":
            names = {part.name for part in parts_of_union(node) if part.operator == "base"}
            if "po" in names and grows_with_events(node, known) in (Growth.CONSTANT, Growth.GROWS):
                return node
    return None


class Closing:
    """What the writes of threads decide for the reads that they may serve.

    Parameters
    ----------
    test : Test
    model : CompiledModel
    kinds : Kinds
        Of the events so far.

    Attributes
    ----------
    model : CompiledModel
    kinds : Kinds
    before : Node or None
        See :func:`happens_before`.
    """

    def __init__(self, test: Test, model: CompiledModel, kinds: Kinds) -> None:
        self._test, self.model, self.kinds = test, model, kinds
        self.before = happens_before(model)
        growths: dict[Node, Growth] = {}
        self._axioms = [
            check
            for check in model.checks
            if check.check.kind == "axiom"
            and not check.check.negated
            and grows_with_events(check.node, growths) in (Growth.CONSTANT, Growth.GROWS)
        ]
        self._texts = None if self.before is None else [_text(test, each.function) for each in test.threads]
        coherence = coherence_of(model)
        # The sets in which a write and a read have to be for coherence to follow happens-before between them.
        self._coherent: frozenset[Node] | None = None
        if coherence is not None and coherence[2] and coherence[0] == self.before:
            self._coherent = coherence[1]
        self._known: dict[tuple[Kind, Kind], int] = {}
        self._written: dict[tuple[int, frozenset[Later], Location], frozenset[Kind]] = {}
        self._said: dict[tuple[frozenset[Kind], Kind, str, bool], int] = {}

    def says(self, writes: frozenset[Kind], read: Kind, location: Location, *, exact: bool = False) -> int:
        """Give what writes to a location say of a cycle that one of them is in, with a read of it.

        Parameters
        ----------
        writes : frozenset of Kind
        read : Kind
        location : Location
        exact : bool
            Whether the read of a compare-exchange is known not to be another one.

        Returns
        -------
        int
            The most that one of them says.
        """
        if self.before is None:
            return FREE
        key = writes, read, location.object, exact
        if key not in self._said:
            reads = frozenset({read}) if exact else self._may_be(read, location)
            pairs = (self._pair(write, each) for each in reads for write in writes)
            self._said[key] = max(pairs, default=SYNCHRONIZES) if reads else FREE
        return self._said[key]

    def kinds_of(self, thread: int, later: frozenset[Later], location: Location) -> frozenset[Kind]:
        """Give the kinds of what a thread may write to a location.

        Parameters
        ----------
        thread : int
        later : frozenset of Later
            What it may write at all.
        location : Location

        Returns
        -------
        frozenset of Kind
        """
        key = thread, frozenset(each for each in later if each.may_access(location)), location
        if key not in self._written:
            self._written[key] = frozenset(
                self.kinds.kind_of(
                    thread,
                    PathEvent("W", each.instruction.annotation, 0, location),
                    not isinstance(each.instruction, Store | Free),
                )
                for each in key[1]
            )
        return self._written[key]

    def _may_be(self, kind: Kind, location: Location) -> frozenset[Kind]:
        """Give what a read may turn out to be: that of a compare-exchange is another one where it fails."""
        if kind.letter != "R" or kind.thread is None:
            return frozenset()
        text = None if self._texts is None else self._texts[kind.thread]
        if text is None:
            return frozenset()
        found = {kind}
        for each in text:
            if isinstance(each, CompareExchange) and _may_access(each, location):
                success = each.annotation.ordering
                if kind.ordering in (success, each.failure):
                    for ordering, half in ((success, True), (each.failure, False)):
                        event = PathEvent("R", replace(each.annotation, ordering=ordering), 0, location)
                        found.add(self.kinds.kind_of(kind.thread, event, half))
        return frozenset(found)

    def _pair(self, write: Kind, read: Kind) -> int:
        if (write, read) not in self._known:
            self._known[write, read] = self._decide(write, read)
        return self._known[write, read]

    def _decide(self, write: Kind, read: Kind) -> int:
        assert self.before is not None
        graph = _Graph(write, read)
        if (_WRITE, _READ) in graph.value(self.before):
            return SYNCHRONIZES
        against = _Graph(write, read, {self.before: frozenset({(_READ, _WRITE)})})
        if not any(against.fails(check.check.test, check.node) for check in self._axioms):
            return FREE
        if self._coherent is None or _WRITE not in graph.value(self.model.order_set):
            return ALONE
        return COHERENT if all(graph.value(each) == _ALL for each in self._coherent) else ALONE


class _Graph:
    """An execution of a write and a read that reads it, or a part of one.

    Parameters
    ----------
    write, read : Kind
    given : dict of Node to value, optional
        What is known of some nodes.
    """

    def __init__(self, write: Kind, read: Kind, given: dict[Node, _Value] | None = None) -> None:
        self._events = write, read
        self._sets = names_of(write), names_of(read)
        self._known: dict[Node, _Value] = dict(given or {})

    def fails(self, test: str, node: Node) -> bool:
        """Tell whether an axiom fails already."""
        value = self.value(node)
        if test == "empty":
            return bool(value)
        pairs = _closed(value) if test == "acyclic" else value
        return any((event, event) in pairs for event in _ALL)

    def value(self, node: Node) -> _Value:
        """Give a set of events, or of pairs of events."""
        if node not in self._known:
            self._known[node] = self._compute(node)
        return self._known[node]

    def _compute(self, node: Node) -> _Value:
        match node.operator:
            case "base":
                return self._base(node)
            case "empty":
                return frozenset()
            case "full":
                return _SQUARE if node.kind == RELATION else _ALL
            case "fix":
                return self._fixpoint(node)
        values = [self.value(each) for each in node.arguments]
        return _apply(node, *values)

    def _base(self, node: Node) -> _Value:
        if node.kind != RELATION:
            return frozenset(event for event in _ALL if node.name in self._sets[event])
        if node.name == "rf":
            return frozenset({(_WRITE, _READ)})
        if node.name not in RELATIONS:
            return frozenset()
        relation = RELATIONS[node.name]
        if relation.before or relation.listed:  # of one thread
            return frozenset()
        return frozenset((a, b) for a, b in _SQUARE if relation.of_pair(self._events[a], self._events[b], a == b))

    def _fixpoint(self, node: Node) -> _Value:
        before = dict(self._known)
        values: dict[Node, _Value] = dict.fromkeys(node.binders, frozenset())
        while True:
            self._known = {**before, **values}
            found = {binder: self.value(body) for binder, body in zip(node.binders, node.arguments, strict=True)}
            if found == values:
                break
            values = found
        self._known = before
        return next(values[binder] for binder in node.binders if binder.name == node.name)


def _apply(node: Node, first: _Value, second: _Value = frozenset()) -> _Value:
    match node.operator:
        case "|":
            return first | second
        case "&":
            return first & second
        case "\\":
            return first - second
        case ";":
            return frozenset((a, d) for a, b in first for c, d in second if b == c)
        case "*":
            return frozenset((a, b) for a in first for b in second)
        case "~":
            return (_SQUARE if node.kind == RELATION else _ALL) - first
        case "^-1":
            return frozenset((b, a) for a, b in first)
        case "?":
            return first | _IDENTITY
        case "+":
            return _closed(first)
        case "star":
            return _closed(first) | _IDENTITY
        case "[]":
            return frozenset((a, a) for a in first)
        case "domain":
            return frozenset(a for a, _ in first)
        case "range":
            return frozenset(b for _, b in first)
    raise AssertionError(node.operator)


def _closed(pairs: _Pairs) -> _Pairs:
    while True:
        more = pairs | {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if more == pairs:
            return pairs
        pairs = more


def _may_access(instruction: Write, location: Location) -> bool:
    match instruction.address:
        case Constant(Pointer(name, _), _):
            return name == location.object
    return True


def _text(test: Test, function: str) -> list[Write] | None:
    """List what may write in the text of a thread; None where it may write what its text does not show."""
    found: list[Write] = []
    seen, stack = {function}, [function]
    while stack:
        for block in test.functions[stack.pop()].blocks:
            for each in block.body:
                if isinstance(each, Write):
                    found.append(each)
                elif isinstance(each, Call):
                    if each.function not in test.functions:
                        return None
                    if each.function not in seen:
                        seen.add(each.function)
                        stack.append(each.function)
                elif not isinstance(each, _OTHERS):
                    return None
    return found
