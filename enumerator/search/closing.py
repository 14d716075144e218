"""How cycles of program order and reads-from may close, where a model allows them: what its happens-before decides.

Where a thread runs past a read, the read is served by a write that rests on what the thread does later: a cycle. Some
relation of the model, its happens-before, contains program order, is closed, and has no cycle. A pair of reads-from
that synchronizes is in it; another one may not go against it. So a cycle needs two pairs that do not synchronize. They
are not all of one location where coherence follows happens-before: each of these writes would come before the next one.
What two events decide for themselves is told here on a graph that has no others: as these relations only grow with more
events, it holds in every execution.

A read that would race, by a model that has undef, returns undef and takes no write; so a pair is in happens-before,
too, if the read would return undef were it not. That is told on a graph with an initial write before both: what hides
that one from the read comes before the read as well, so that the read sees a second write in any case. (A search
without undef, :mod:`.races`, looks for the first read that races: nothing follows from what that takes.)
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from enumerator.cat.nodes import RELATION, CompiledCheck, CompiledModel, Growth, Node, nodes_of
from enumerator.cat.predefined import UNDEF_SET
from enumerator.cat.without_undef import RETURNS_UNDEF
from enumerator.events import Kinds
from enumerator.events.kind import Kind
from enumerator.events.relations import RELATIONS
from enumerator.events.sets import names_of
from enumerator.frozen import dataclass
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
    IndirectCall,
    Load,
    Measure,
    Meet,
    Misuse,
    Prefetch,
    ReadModifyWrite,
    Store,
    Unsupported,
)
from enumerator.program.test import Test
from enumerator.program.values import Pointer
from enumerator.search import opcodes as op
from enumerator.search.coherence import coherence_of, contains_program_order, united
from enumerator.search.growth import grows_with_events, parts_of_union
from enumerator.unfold.later import Later, Write
from enumerator.unfold.paths import Location, PathEvent

__all__ = ["ALONE", "COHERENT", "FREE", "RACES", "SYNCHRONIZES", "Closing", "happens_before"]

RACES, SYNCHRONIZES, COHERENT = op.CYCLE_RACES, op.CYCLE_SYNCHRONIZES, op.CYCLE_COHERENT
ALONE, FREE = op.CYCLE_ALONE, op.CYCLE_FREE
"""What a pair of reads-from says of a cycle: it is in happens-before, by something else, as it would race otherwise; it
is there by itself; it is not, and no cycle has it beside such pairs alone, nor beside others of its location of which
this is said; it is not, and no cycle has it beside the first alone; or nothing."""

Written = tuple[Kind, int | None]
"""The kind of a write, and the number that it writes where that is always the same."""

_Pairs = frozenset[tuple[int, int]]
_Value = frozenset[Any]
"""A set of events, or of pairs of events."""
_WRITE, _READ, _FIRST = 0, 1, 2
"""The events of a small graph: a write and a read of it, and the initial write."""
_TWO, _THREE = frozenset({_WRITE, _READ}), frozenset({_WRITE, _READ, _FIRST})
_OTHERS = (
    Abort, Alloca, Allocate, Assign, Assume, Barrier, Create, Exit, Fence, Free, Freeze, Hold, Measure, Meet, Misuse,
    Prefetch, Unsupported,
)  # fmt: skip
_Access = Write | Load


@lru_cache(maxsize=256)  # models are compiled once for many tests
def happens_before(model: CompiledModel) -> Node | None:
    """Give a closed relation that has program order, or some of it, and no cycle, and only grows with events.

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
            ordered = any(map(_is_of_program_order, parts_of_union(node.arguments[0])))
            if ordered and grows_with_events(node, known) in (Growth.CONSTANT, Growth.GROWS):
                return node
    return None


@lru_cache(maxsize=256)  # models are compiled once for many tests
def _axioms_of(model: CompiledModel) -> list[CompiledCheck]:
    """Give the axioms that fail in whatever has more events, where they fail already."""
    growths: dict[Node, Growth] = {}
    return [
        check
        for check in model.checks
        if check.check.kind == "axiom"
        and not check.check.negated
        and grows_with_events(check.node, growths) in (Growth.CONSTANT, Growth.GROWS)
    ]


def _is_of_program_order(node: Node) -> bool:
    """Tell whether a relation is program order, or a part of it."""
    match node.operator:
        case "\\":
            return _is_of_program_order(node.arguments[0])
        case "&":
            return any(map(_is_of_program_order, node.arguments))
    return (node.operator, node.name) == ("base", "po")


class Closing:
    """What the writes of threads decide for the reads that they may serve.

    Parameters
    ----------
    test : Test
    model : CompiledModel
    kinds : Kinds
        Of the events so far.
    named : frozenset of str
        The functions that calls through pointers may be of.

    Attributes
    ----------
    model : CompiledModel
    kinds : Kinds
    before : Node or None
        See :func:`happens_before`.
    ordered : bool
        Whether it has program order of all accesses.
    """

    def __init__(self, test: Test, model: CompiledModel, kinds: Kinds, named: frozenset[str]) -> None:
        self._test, self._named, self.model, self.kinds = test, named, model, kinds
        self.before = happens_before(model)
        self.ordered = self.before is not None and contains_program_order(self.before.arguments[0])
        self._axioms = _axioms_of(model)
        coherence = coherence_of(model)
        self._racing = [node for each in model.checks if (node := _returning_undef(each, self.before)) is not None]
        # The sets in which a write and a read have to be for coherence to follow happens-before between them.
        self._coherent: frozenset[Node] | None = None
        if coherence is not None and self.before in united(coherence[0]):
            self._coherent = coherence[1]
        self._bases = [node for node in nodes_of(model) if node.operator == "base"]
        self._known: dict[tuple[Kind, Kind], int] = {}
        self._first = Kind("IW")
        self._decided: dict[tuple[_Value, ...], int] = {}
        self._readings: dict[tuple[Kind, str, tuple[bool, int | None]], list[_Read]] = {}
        # Of what may be ordered the less for relations that kinds do not tell, nothing is said.
        self._tells_order = self.before is not None and all(map(_is_told_by_kinds, _subtracted_in(self.before)))
        self._in_order: dict[tuple[Kind, Kind], bool] = {}
        self._in_coherence: dict[Kind, bool] = {}
        self._written: dict[tuple[int, frozenset[Later], int, bool, tuple[bool, int | None]], frozenset[Written]] = {}
        self._in_order_by_values: dict[tuple[_Value, ...], bool] = {}

    def says(self, writes: frozenset[Written], read: Kind, location: Location, *, exact: bool = False) -> int:
        """Give what writes to a location say of a cycle that one of them is in, with a read of it.

        Parameters
        ----------
        writes : frozenset of (Kind, int or None)
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
        reads = [_Read(read)] if exact else self._may_be(read, location)
        pairs = [self._pair(kind, each.kind) for each in reads for kind, number in writes if each.may_be_of(number)]
        return max(pairs, default=SYNCHRONIZES) if reads else FREE

    def written_by(self, thread: int, later: frozenset[Later], location: Location) -> frozenset[Written]:
        """Give the kinds of what a thread may write to a location, with what it writes.

        Parameters
        ----------
        thread : int
        later : frozenset of Later
            What may write there.
        location : Location

        Returns
        -------
        frozenset of (Kind, int or None)
        """
        keeps_lock = any(each.keeps_lock(location) for each in later)
        key = thread, later, location.size, keeps_lock, self.kinds.place_of(location)
        if key not in self._written:
            self._written[key] = frozenset(
                (
                    self.kinds.kind_of(
                        thread,
                        PathEvent("W", each.annotation(location), 0, location),
                        not isinstance(each.instruction, Store | Free),
                    ),
                    each.constant if each.fits(location) else None,
                )
                for each in later
            )
        return self._written[key]

    def are_coherent(self, writes: frozenset[Written]) -> bool:
        """Tell whether coherence follows happens-before for all of some writes, as far as their reads are such, too.

        Parameters
        ----------
        writes : frozenset of (Kind, int or None)

        Returns
        -------
        bool
        """
        return self._coherent is not None and all(self._is_coherent(kind) for kind, _ in writes)

    def _is_coherent(self, write: Kind) -> bool:
        if write not in self._in_coherence:
            events = write, write
            sets = [names_of(event) for event in events]
            graph = _Graph({node: _base(node, events, sets) for node in self._bases}, _TWO)
            wanted = {self.model.order_set, *(self._coherent or ())}
            self._in_coherence[write] = all(_WRITE in graph.value(each) for each in wanted)
        return self._in_coherence[write]

    def keeps_order(self, first: Kind, writes: frozenset[Written]) -> bool:
        """Tell whether an event certainly happens before writes that follow in its thread.

        Parameters
        ----------
        first : Kind
        writes : frozenset of (Kind, int or None)

        Returns
        -------
        bool
        """
        return self.ordered or all(self._are_ordered(first, each) for each, _ in writes)

    def _are_ordered(self, first: Kind, second: Kind) -> bool:
        if self.before is None or not self._tells_order:
            return False
        if (first, second) not in self._in_order:
            events = first, second
            sets = [names_of(event) for event in events]
            values = tuple(_base_of_thread(node, events, sets) for node in self._bases)
            if values not in self._in_order_by_values:
                graph = _Graph(dict(zip(self._bases, values, strict=True)), _TWO)
                self._in_order_by_values[values] = (0, 1) in graph.value(self.before)
            self._in_order[first, second] = self._in_order_by_values[values]
        return self._in_order[first, second]

    @cached_property
    def _texts(self) -> list[list[_Access] | None]:
        return [_text(self._test, self._named, each.function) for each in self._test.threads]

    def _may_be(self, kind: Kind, location: Location) -> list[_Read]:
        """Give what a read may turn out to be: that of a compare-exchange is another one where it fails."""
        key = kind, location.object, self.kinds.place_of(location)
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = self._find_readings(kind, location)
        return found

    def _find_readings(self, kind: Kind, location: Location) -> list[_Read]:
        if kind.letter != "R" or kind.thread is None:
            return []
        text = self._texts[kind.thread]
        if text is None:
            return []
        found: list[_Read] = []
        stays = True
        accesses = [each for each in text if _may_access(each, location)]
        for each in accesses:
            if isinstance(each, CompareExchange) and kind.ordering in (each.annotation.ordering, each.failure):
                expected = each.expected.value if isinstance(each.expected, Constant) else None
                number = expected if isinstance(expected, int) else None
                for ordering, succeeds in ((each.annotation.ordering, True), (each.failure, False)):
                    event = PathEvent("R", replace(each.annotation, ordering=ordering), 0, location)
                    told = number if succeeds or not each.weak else None
                    found.append(_Read(self.kinds.kind_of(kind.thread, event, succeeds), told, succeeds))
                stays = False
        if stays or any(not isinstance(each, CompareExchange) and _reads_as(each, kind) for each in accesses):
            found.append(_Read(kind))
        return found

    def _pair(self, write: Kind, read: Kind) -> int:
        known = self._known.get((write, read))
        if known is None:
            events = write, read, self._first
            sets = [names_of(event) for event in events]
            values = tuple(_base(node, events, sets) for node in self._bases)
            if values not in self._decided:  # kinds of different threads mostly have the same
                self._decided[values] = self._decide(dict(zip(self._bases, values, strict=True)))
            known = self._known[write, read] = self._decided[values]
        return known

    def _decide(self, bases: dict[Node, _Value]) -> int:
        assert self.before is not None
        pair = {node: _of_two(value) for node, value in bases.items()}
        graph = _Graph(pair, _TWO)
        if (_WRITE, _READ) in graph.value(self.before):
            return SYNCHRONIZES
        apart = _Graph({**bases, self.before: frozenset({(_FIRST, _WRITE), (_FIRST, _READ)})}, _THREE)
        if any(_READ in apart.value(node) for node in self._racing):
            return RACES
        against = _Graph({**pair, self.before: frozenset({(_READ, _WRITE)})}, _TWO)
        if not any(against.fails(check.check.test, check.node) for check in self._axioms):
            return FREE
        if self._coherent is None or _WRITE not in graph.value(self.model.order_set):
            return ALONE
        return COHERENT if all(graph.value(each) == _TWO for each in self._coherent) else ALONE


@dataclass(frozen=True, slots=True)
class _Read:
    """What a read may turn out to be.

    Parameters
    ----------
    kind : Kind
    expected : int or None
        Of a compare-exchange, the number that it has to read to write, if that tells whether it is this one.
    succeeds : bool
        Whether it is this one where it reads that number, or where it reads another one.
    """

    kind: Kind
    expected: int | None = None
    succeeds: bool = True

    def may_be_of(self, number: int | None) -> bool:
        """Tell whether it may read a number; None for any."""
        return self.expected is None or number is None or (number == self.expected) is self.succeeds


class _Graph:
    """An execution of some events, or a part of one.

    Parameters
    ----------
    given : dict of Node to value
        What predefined names stand for, and what is known of other nodes.
    events : frozenset of int
    """

    def __init__(self, given: dict[Node, _Value], events: frozenset[int]) -> None:
        self._known = dict(given)
        self._events = events
        self._square: _Pairs = frozenset((a, b) for a in events for b in events)
        self._identity: _Pairs = frozenset((event, event) for event in events)

    def fails(self, test: str, node: Node) -> bool:
        """Tell whether an axiom fails already."""
        value = self.value(node)
        if test == "empty":
            return bool(value)
        pairs = _closed(value) if test == "acyclic" else value
        return not pairs.isdisjoint(self._identity)

    def value(self, node: Node) -> _Value:
        """Give a set of events, or of pairs of events."""
        if node not in self._known:
            self._known[node] = self._compute(node)
        return self._known[node]

    def _compute(self, node: Node) -> _Value:
        match node.operator:
            case "empty":
                return frozenset()
            case "full":
                return self._all(node)
            case "fix":
                return self._fixpoint(node)
        return self._apply(node, *map(self.value, node.arguments))

    def _all(self, node: Node) -> _Value:
        return self._square if node.kind == RELATION else self._events

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

    def _apply(self, node: Node, first: _Value, second: _Value = frozenset()) -> _Value:
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
                return self._all(node) - first
            case "^-1":
                return frozenset((b, a) for a, b in first)
            case "?":
                return first | self._identity
            case "+":
                return _closed(first)
            case "star":
                return _closed(first) | self._identity
            case "[]":
                return frozenset((a, a) for a in first)
            case "domain":
                return frozenset(a for a, _ in first)
            case "range":
                return frozenset(b for _, b in first)
        raise AssertionError(node.operator)


def _base(node: Node, events: Sequence[Kind], sets: Sequence[Container[str]]) -> _Value:
    """Give what a predefined name stands for, of a write and a read that reads it, and other events at their place."""
    numbers = range(len(events))
    if node.kind != RELATION:
        return frozenset(event for event in numbers if node.name in sets[event])
    if node.name == "rf":
        return frozenset({(_WRITE, _READ)})
    if not _is_exact(node):
        return frozenset()
    relation = RELATIONS[node.name]
    if relation.before or relation.listed:  # of one thread
        return frozenset()
    return frozenset((a, b) for a in numbers for b in numbers if relation.of_pair(events[a], events[b], a == b))


def _base_of_thread(node: Node, events: Sequence[Kind], sets: Sequence[Container[str]]) -> _Value:
    """Give what a predefined name stands for, of two events of a thread, one after the other, as far as kinds tell."""
    if node.kind != RELATION:
        return frozenset(event for event in (0, 1) if node.name in sets[event])
    if node.name == "po":
        return frozenset({(0, 1)})
    if not _is_told_by_kinds(node):
        return frozenset()
    pairs, relation = ((0, 0), (0, 1), (1, 0), (1, 1)), RELATIONS[node.name]
    return frozenset((a, b) for a, b in pairs if relation.of_pair(events[a], events[b], a == b))


def _is_told_by_kinds(node: Node) -> bool:
    """Tell whether the kinds of two events tell what a predefined name stands for."""
    return node.kind != RELATION or (node.name in RELATIONS and RELATIONS[node.name].of_kinds)


def _subtracted_in(node: Node) -> set[Node]:
    """Give the predefined names that a node has the less of, the more there is of them."""
    found: set[Node] = set()
    seen, stack = set[tuple[Node, bool]](), [(node, False)]
    while stack:
        part, less = stack.pop()
        if (part, less) in seen:
            continue
        seen.add((part, less))
        if part.operator == "base" and less:
            found.add(part)
        turned = len(part.arguments) - 1 if part.operator in ("\\", "~") else -1
        stack += [(each, less != (place == turned)) for place, each in enumerate(part.arguments)]
    return found


def _is_exact(node: Node) -> bool:
    """Tell whether it is known what a predefined name stands for: not of an order that is to be found."""
    return node.kind != RELATION or node.name == "rf" or node.name in RELATIONS


def _of_two(value: _Value) -> _Value:
    """Give what is said of the write and the read alone."""
    return frozenset(each for each in value if each in _TWO or (isinstance(each, tuple) and _TWO.issuperset(each)))


def _returning_undef(check: CompiledCheck, before: Node | None) -> Node | None:
    """Give the reads that return undef by a check of a model, or of one in which they return values.

    None where it does not say it by happens-before, and by what events are, alone.
    """
    node = check.node
    if check.check.name != RETURNS_UNDEF:
        if check.contained is None:
            return None
        node, undef = check.contained
        if (undef.operator, undef.name) != ("base", UNDEF_SET):
            return None
    stack, seen = [node], {before}
    while stack:
        part = stack.pop()
        if part not in seen:
            seen.add(part)
            stack += part.arguments
            if part.operator == "base" and not _is_exact(part):
                return None
    return node


def _closed(pairs: _Pairs) -> _Pairs:
    while True:
        more = pairs | {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if more == pairs:
            return pairs
        pairs = more


def _reads_as(instruction: _Access, kind: Kind) -> bool:
    """Tell whether an instruction may have a read of a kind."""
    return isinstance(instruction, Load | ReadModifyWrite) and instruction.annotation.ordering == kind.ordering


def _may_access(instruction: _Access, location: Location) -> bool:
    match instruction.address:
        case Constant(Pointer(name, _), _):
            return name == location.object
    return True


def _text(test: Test, named: frozenset[str], function: str) -> list[_Access] | None:
    """List what accesses memory in the text of a thread; None where it may write what its text does not show."""
    found: list[_Access] = []
    seen, stack = {function}, [function]
    while stack:
        for block in test.functions[stack.pop()].blocks:
            for each in block.body:
                if isinstance(each, _Access):
                    found.append(each)
                elif isinstance(each, Call | IndirectCall):
                    if isinstance(each, Call):
                        called = {each.function}
                    else:
                        called = {name for name in named if test.functions[name].takes(each.parameters)}
                    if not called <= test.functions.keys():
                        return None
                    stack += called - seen
                    seen |= called
                elif not isinstance(each, _OTHERS):
                    return None
    return found
