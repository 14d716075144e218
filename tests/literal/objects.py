"""Barrier objects (semantics, section 10): every order of modifications, every way to say what takes part in what.

Nothing is run here. An execution of barrier operations is how many of them each wave has run, an order of the
modifications of each object, and an interval of that order for each wait; the rules say which of these are executions.

The document leaves some things open. An interval begins where the one before has ended (it might as well leave out
drops that come first). Program order, participation and the orders of all objects together have no cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise, product

from enumerator.program.instructions import Scope
from enumerator.program.test import Test
from tests.literal.events import NOTHING, Event, Step, Trace
from tests.literal.relations import Pairs, acyclic, closure, inverse

__all__ = ["Meeting", "meetings", "operates_on_objects"]

_Object = tuple[str, int]
"""A barrier object: its name, and the workgroup or cluster that it is of."""

_HARDWARE = ("workgroup", "cluster")


@dataclass(frozen=True)
class Meeting:
    """Traces, and which of their barrier events take part in which waits: pairs of (thread, event)."""

    traces: tuple[Trace, ...]
    participates: frozenset[tuple[tuple[int, int], tuple[int, int]]]


@dataclass(frozen=True)
class _Operation:
    """A barrier operation of a wave, `place` in its order; `events` are those of its threads: (thread, event).

    `kind` is ``init``, ``arrive``, ``drop``, ``wait``, ``join`` or ``nothing``. A drop, and a wait on a named object,
    are on the one that was joined last; `object` has no name if there is none.
    """

    wave: int
    place: int
    kind: str
    step: Step
    object: _Object
    events: tuple[tuple[int, int], ...]

    @property
    def undefined(self) -> bool:
        """Whether it is undefined wherever it runs."""
        hardware = self.object[0] in _HARDWARE
        unjoined = self.kind in ("drop", "wait") and not self.object[0]
        return (
            unjoined or (hardware and self.kind in ("join", "init")) or (self.kind == "init" and self.step.count <= 0)
        )


def operates_on_objects(traces: Sequence[Trace]) -> bool:
    """Whether there is more than plain arrivals and waits at the workgroup's barrier, or one half of these alone."""
    steps = [[step for event in trace.events for step in event.steps] for trace in traces]
    return any(
        step.kind not in ("arrive", "wait") or step.object != "workgroup" for each in steps for step in each
    ) or any(
        trace.end == "return" and 2 * sum(step.kind == "wait" for step in each) != len(each)
        for trace, each in zip(traces, steps, strict=True)
    )


def meetings(test: Test, traces: tuple[Trace, ...]) -> Iterator[Meeting]:
    """Every way in which the barrier operations of one trace a thread go together; none if they contradict."""
    places = [test.placements[trace.thread] for trace in traces]
    threads: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        threads.setdefault(place.instance(Scope.WAVEFRONT), []).append(number)
    groups = [
        (places[each[0]].instance(Scope.WORKGROUP), places[each[0]].instance(Scope.CLUSTER))
        for each in threads.values()
    ]
    waves = []
    diverges = set()
    for number, each in enumerate(threads.values()):
        rows = [[(step, (t, i)) for i, e in enumerate(traces[t].events) for step in e.steps] for t in each]
        common = _common(rows)
        if any(len({row[place][0].first for row in rows}) > 1 for place in range(common)):
            return  # the threads of a wave are told the same
        if any(len(row) > common for row in rows):
            diverges.add(number)
        waves.append(list(_operations(number, [row[:common] for row in rows], *groups[number])))
    leaving = [
        (wave, sum(len(event.steps) for event in traces[thread].events))
        for wave, each in enumerate(threads.values())
        for thread in each
        if traces[thread].end not in ("return", "stuck")
    ]
    clusters = any(step.object == "cluster" for trace in traces for event in trace.events for step in event.steps)
    initially = {("workgroup", group): [g for g, _ in groups].count(group) for group, _ in groups}
    initially |= {("cluster", cluster): len({g for g, c in groups if c == cluster}) for _, cluster in groups}
    seen = set()
    for lengths in product(*(range(len(wave) + 1) for wave in waves)):
        # A thread that ends otherwise than by returning might have let others go on that it may meet.
        unknown = {groups[wave][clusters] for wave, length in leaving if lengths[wave] == length}
        stopped = diverges | {wave for wave, length in enumerate(lengths) if length < len(waves[wave])}
        stuck = any(groups[wave][clusters] not in unknown for wave in stopped)
        for undefined, participates in _executions(waves, lengths, initially, stuck):
            ran = Counter(event for wave, n in zip(waves, lengths, strict=True) for o in wave[:n] for event in o.events)
            ends = tuple(_until(t, trace, ran, undefined) for t, trace in enumerate(traces))
            pairs = frozenset((a, b) for x, y in participates for a in x.events for b in y.events)
            if (ends, pairs) not in seen:
                seen.add((ends, pairs))
                yield Meeting(ends, pairs)


def _common(rows: Sequence[Sequence[tuple[Step, object]]]) -> int:
    """How many operations the threads of a wave all run."""
    alike = [len({replace(step, first=None) for step, _ in column}) == 1 for column in zip(*rows, strict=False)]
    return alike.index(False) if False in alike else len(alike)


def _operations(
    wave: int, rows: Sequence[Sequence[tuple[Step, tuple[int, int]]]], workgroup: int, cluster: int
) -> Iterator[_Operation]:
    joined = ""
    for place, column in enumerate(zip(*rows, strict=True)):
        step = column[0][0]
        name = (
            joined
            if step.kind == "drop" or (step.kind == "wait" and step.object not in (*_HARDWARE, "null"))
            else step.object
        )
        kind = "arrive" if step.kind == "first" else step.kind
        if kind == "wakeup" or (name == "null" and kind != "join"):
            kind = "nothing"  # "all operations on the NULL named barrier object other than join are no-ops"
        yield _Operation(
            wave, place, kind, step, (name, cluster if name == "cluster" else workgroup), tuple(e for _, e in column)
        )
        if step.kind in ("join", "drop"):
            joined = step.object if step.kind == "join" else ""


def _until(thread: int, trace: Trace, ran: Counter[tuple[int, int]], undefined: bool) -> Trace:
    """A trace up to where its thread cannot go on."""
    events: list[Event] = []
    stops = False
    for place, event in enumerate(trace.events):
        stops = ran[thread, place] < len(event.steps)
        if not stops or ran[thread, place]:
            events.append(event)  # it has arrived, and waits
        if stops:
            break
    if not undefined and not stops:
        return trace
    end = trace.end
    if stops or end in ("return", "stuck"):
        end = "ub-barrier" if undefined else "cut"
    return replace(trace, events=tuple(events), end=end, registers=(), waiting=NOTHING)


def _executions(
    waves: Sequence[Sequence[_Operation]],
    lengths: Sequence[int],
    initially: dict[_Object, int],
    stuck: bool,
) -> Iterator[tuple[bool, frozenset[tuple[_Operation, _Operation]]]]:
    """What takes part in what in each execution that cannot go on, and whether it is undefined."""
    ran = [operation for wave, length in zip(waves, lengths, strict=True) for operation in wave[:length]]
    following = [wave[length] for wave, length in zip(waves, lengths, strict=True) if length < len(wave)]
    if any(operation.undefined for operation in ran):
        return
    for order in _orders(ran):
        execution = _Execution(ran, order, initially)
        if not all(execution.counts(name)[2] for name in execution.objects):
            continue
        stopped = any(execution.is_undefined(operation) for operation in following)
        for participates in execution.participations():
            pairs = frozenset((ran[a], ran[b]) for a, b in participates)
            if stopped:
                yield True, pairs
            elif not any(execution.may_run(operation, participates) for operation in following):
                yield stuck or not execution.follows_the_rules(participates), pairs


def _orders(ran: Sequence[_Operation]) -> Iterator[list[list[int]]]:
    """Every order of the modifications of each object that is consistent with program order."""
    modifications: dict[_Object, list[int]] = {}
    for number, operation in enumerate(ran):
        if operation.kind in ("init", "arrive", "drop"):
            modifications.setdefault(operation.object, []).append(number)
    choices = []
    for each in modifications.values():
        sequences = [[n for n in each if ran[n].wave == wave] for wave in sorted({ran[n].wave for n in each})]
        choices.append(list(_interleaved(sequences)))
    for chosen in product(*choices):
        yield list(chosen)


def _interleaved(sequences: list[list[int]]) -> Iterator[list[int]]:
    if not any(sequences):
        yield []
    for number, sequence in enumerate(sequences):
        if sequence:
            rest = [*sequences[:number], sequence[1:], *sequences[number + 1 :]]
            yield from ([sequence[0], *further] for further in _interleaved(rest))


class _Execution:
    """Operations, by number, that have run, and the order of the modifications of each object."""

    def __init__(self, ran: Sequence[_Operation], orders: list[list[int]], initially: dict[_Object, int]) -> None:
        self.ran = ran
        self.orders = orders
        self.objects = {ran[order[0]].object: order for order in orders}
        self.initially = initially
        self.waits = [number for number, operation in enumerate(ran) if operation.kind == "wait"]
        numbers = range(len(ran))
        self.po = frozenset((a, b) for a in numbers for b in numbers if self._is_before(a, b))

    def _is_before(self, a: int, b: int) -> bool:
        return self.ran[a].wave == self.ran[b].wave and self.ran[a].place < self.ran[b].place

    def counts(self, name: _Object) -> tuple[int | None, int, bool, list[frozenset[int]]]:
        """The expected count (None: not initialized), the arrive count, whether all is right; the intervals."""
        expected, arrived = self.initially.get(name), 0
        intervals: list[frozenset[int]] = []
        begun: list[int] = []
        for number in self.objects.get(name, ()):
            operation = self.ran[number]
            if operation.kind == "init":
                expected, arrived, begun = operation.step.count, 0, []
                continue
            if expected is None or operation.step.first not in (None, arrived == 0):
                return expected, arrived, False, intervals
            if operation.kind == "drop":
                expected -= 1
            else:
                if operation.step.count:
                    if operation.step.count <= arrived:
                        return expected, arrived, False, intervals
                    expected = operation.step.count
                arrived += 1
            if arrived > expected:
                return expected, arrived, False, intervals
            begun.append(number)
            if arrived == expected:
                intervals.append(frozenset(begun))
                arrived, begun = 0, []
        return expected, arrived, True, intervals

    def is_undefined(self, operation: _Operation) -> bool:
        """Whether an operation is undefined if it runs next."""
        if operation.undefined:
            return True
        if operation.kind not in ("arrive", "drop", "wait"):
            return False
        expected, arrived, _, _ = self.counts(operation.object)
        if expected is None:
            return True  # "it is undefined behavior to operate on an uninitialized barrier object"
        if operation.kind == "wait" or operation.step.first not in (None, arrived == 0):
            return False
        return arrived >= (expected if operation.kind == "drop" else operation.step.count or expected)

    def may_run(self, operation: _Operation, participates: Pairs) -> bool:
        """Whether an operation can be next; a wait if something completed takes part in no other of its thread."""
        if operation.kind != "wait":
            return True
        mine = {a for a, wait in participates if self.ran[wait].wave == operation.wave}
        return any(not interval & mine for interval in self.counts(operation.object)[3])

    def participations(self) -> Iterator[Pairs]:
        """Every choice of an interval for each wait."""
        for chosen in product(*(self.counts(self.ran[wait].object)[3] for wait in self.waits)):
            pairs = list(zip(self.waits, chosen, strict=True))
            if any(
                one & other and self.ran[a].wave == self.ran[b].wave for (a, one), (b, other) in combinations(pairs, 2)
            ):
                continue  # "X does not barrier-participate-in another distinct barrier wait in the same thread"
            participates = frozenset((a, wait) for wait, interval in pairs for a in interval)
            if not participates & inverse(self.po) and self._agrees(participates):
                yield participates

    @cached_property
    def _modification_order(self) -> Pairs:
        return frozenset(pair for order in self.orders for pair in pairwise(order))

    def _agrees(self, participates: Pairs) -> bool:
        """*Barrier-executes-before* is consistent with the orders, and *Barrier phase separation* holds."""
        if not acyclic(self.po | participates | self._modification_order):
            return False
        before = closure(self.po | participates)
        phase_with = closure(participates | inverse(participates))
        phased = {a for a, _ in phase_with}
        return not any(
            other in phased
            and (other, wait) not in phase_with
            and self.ran[other].object == self.ran[wait].object
            and {(a, other), (other, wait)} <= before
            for a, wait in participates
            for other in range(len(self.ran))
        )

    def follows_the_rules(self, participates: Pairs) -> bool:
        """*Barrier drop races*, *Join and Wait Ordering*: else the execution is undefined."""
        before = closure(self.po | participates)
        for a, drop in self.po:
            first, second = self.ran[a], self.ran[drop]
            if (first.kind, second.kind) == ("arrive", "drop") and first.object == second.object:
                waits = [wait for arrival, wait in participates if arrival == a]
                if waits and not any((wait, drop) in before for wait in waits):
                    return False
        for wait in self.waits:
            joins = [a for a, b in self.po if b == wait and self.ran[a].kind == "join"]
            if self.ran[wait].object[0] not in _HARDWARE:
                join = max(joins, key=lambda number: self.ran[number].place)
                if not any((join, a) in before for a, b in participates if b == wait):
                    return False
        return True
