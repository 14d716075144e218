"""The strategy for programs: executions grow event by event, and threads are unfolded where the search gets to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.compiler import compile_model, used_names
from enumerator.cat.nodes import CompiledModel, Growth
from enumerator.clock import check_time, deadline
from enumerator.errors import LimitReached, ReferenceEngineNeeded
from enumerator.frozen import dataclass
from enumerator.program.instructions import CompareExchange, Freeze
from enumerator.request import Candidate, Outcomes, Request
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.closing import Closing, happens_before
from enumerator.search.collector import Collector
from enumerator.search.driver import Driver
from enumerator.search.grown_code import (
    Order,
    assemble_growing,
    construction_order,
    grows_with_events,
    is_atomic,
    only_loses_flags,
)
from enumerator.search.grown_events import GrownEvents, LayoutChanged
from enumerator.search.grown_paths import GrownPaths
from enumerator.search.grown_waits import WaitsRace
from enumerator.search.layout import Grown, GrownRecords, Work
from enumerator.search.of_code import names_of_code
from enumerator.search.problem import Problem, configuration, program, work_arrays
from enumerator.search.races import race_free, with_values
from enumerator.search.strategies import CannotGrow, FewPaths, Strategy
from enumerator.search.tries import MOST_PARTS, GrownTries, PartlyUpdated
from enumerator.search.tuning import Tuning
from enumerator.search.undef import Evaluation, undef_groups, undef_rules
from enumerator.unfold.layout import Layout, site_of
from enumerator.unfold.paths import Location
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.text import Text
from enumerator.unfold.unfolder import prepare

__all__ = ["grow"]


_NOT_TOLD = frozenset({"unsequenced", "started", "completed"})
"""Relations that are empty in tests in which keys tell how a thread goes on (:mod:`enumerator.unfold.alike`)."""

_MOST_LATE = 64
"""How often axioms may fail that are put off, and an eighth of the executions: then they are tested at once again."""


_STEPS_UNTIL_ASKED = 2000
"""Steps of a slice, at most, until it is asked whether combinations of paths are listed instead."""


_MOST_THREADS = 64
"""Where there are so many, attempts that fail are not ended early: a bit stands for each thread."""

_HIGHER = 8
"""The bound on loops that is tried where executions are cut at the default one."""

_MORE_ENDS, _MORE_PARTS, _SOME = 2, 4, 200
"""Ends that may be explored then, and parts of paths unfolded: so many times those that were, and so many more."""


class _Changed(Exception):
    """What has been unfolded changes what the search is laid out for: it begins anew, with what is unfolded."""


class _Untold(Exception):
    """A search without undef does not tell whether some read returns undef."""


class _MayRace(Exception):
    """Something may come of an attempt at which a thread ends: the search begins anew, with threads that go on."""


class _FailsLate(_Changed):
    """Axioms that were put off to the end refuse much: the search begins anew, and tests them after each decision."""


@dataclass(frozen=True)
class _Room:
    """How much the arrays hold."""

    events: int = 64
    of_thread: int = 64
    locations: int = 16
    kinds: int = 32
    depth: int = 256
    undone: int = 1  # what there is to undo, in times of what events and decisions have at least


@dataclass
class _Facts:
    """What the search is laid out for."""

    model: CompiledModel
    ends: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Facts) and self.model is other.model and self.ends == other.ends


class _GrownCollector(Collector):
    """Numbers the events of executions that are kept thread by thread, as everybody else does."""

    def __init__(self, problem: Problem, tries: GrownTries, most_events: int) -> None:
        self._tries, self._most_events = tries, most_events
        self._paths = GrownPaths(tries)
        super().__init__(problem)

    def widen(self, most_events: int) -> None:
        """Make room for executions with more events."""
        self._drain()
        self._most_events = most_events
        self.records = self._make_records(len(self.records.combo))

    def _make_records(self, room: int) -> GrownRecords:
        shape = (room, self._most_events)
        threads = len(self._problem.request.test.threads)
        arrays: dict[str, NDArray[np.int64]] = {name: _integers(*shape) for name in GrownRecords._fields}
        arrays |= {"combo": _integers(room, threads), "count": _integers(room)}
        return GrownRecords(**arrays)

    def _candidate(self, *record: NDArray[np.int64]) -> Candidate:
        combo, sources, places, values, threads, indices, events, count = record
        locations, known = self._tries.locations, self._problem.lowered.values
        of_events = [known.value(max(int(value), 0)) for value in values[: int(count)]]
        initial = {locations[int(indices[event])]: event for event in range(int(count)) if threads[event] < 0}
        ordered = [initial[location] for location in sorted(initial)]
        ordered += sorted(set(range(int(count))) - set(ordered), key=lambda e: (int(threads[e]), int(indices[e])))
        number = {event: position for position, event in enumerate(ordered)}
        located, paths = self._tries.events.columns.arrays["e_loc"], list[int]()
        for thread, end in enumerate(map(int, combo)):
            mine = [event for event in ordered if threads[event] == thread]
            taken = [int(events[event]) for event in mine], [of_events[event] for event in mine]
            paths.append(self._paths.find(thread, end, *taken))
        orders: dict[Location | None, list[tuple[int, int]]] = {location: [] for location in sorted(initial)}
        for event in ordered:
            if places[event] >= 0:
                location = locations[int(indices[event] if threads[event] < 0 else located[events[event]])]
                orders[location].append((int(places[event]), number[event]))
        return Candidate(
            paths=tuple(paths),
            reads_from=tuple(
                (number[int(sources[event])], number[event]) for event in ordered if int(sources[event]) >= 0
            ),
            orders=tuple(tuple(event for _, event in sorted(placed)) for placed in orders.values()),
            values=tuple(of_events[event] for event in ordered),
        )

    def outcomes(self, status: str, stopped: bool, notes: tuple[str, ...], late: Callable[[int], bool]) -> Outcomes:
        """Give what was found, executions with the paths that they take."""
        found = super().outcomes(status, stopped, notes, late)
        unfolded = self._tries.unfolded(self._paths.of_thread)
        return replace(found, executions=tuple(replace(each, unfolded=unfolded) for each in found.executions))


class Growing:
    """Grows executions of a test; see :class:`~enumerator.search.strategies.Strategy`.

    Parameters
    ----------
    problem : Problem
    tries : GrownTries
    collector : _GrownCollector
    grown : Grown
    room : _Room
        What the arrays hold.
    unchanged : callable
        Tells whether the search is still laid out for what has been unfolded; asked with True at its end.
    gives_way : callable
        Tells whether another strategy is to be used; asked where most of what is tried ends in vain.
    few : callable, optional
        Tells whether there are few combinations of paths, which are listed instead.
    asks : int
        How many ends have to be explored, or choices refused, until that is asked.
    """

    first_steps, most_steps, growth = 500, 2_000_000, 4

    def __init__(
        self,
        problem: Problem,
        tries: GrownTries,
        collector: _GrownCollector,
        grown: Grown,
        room: _Room,
        unchanged: Callable[[bool], bool],
        gives_way: Callable[[], bool],
        few: Callable[[], bool] | None,
        asks: int,
    ) -> None:
        self._few, self._asks = few, asks
        if few is not None:
            self.most_steps = _STEPS_UNTIL_ASKED
        self._problem, self._tries, self._collector, self.grown = problem, tries, collector, grown
        self._unchanged, self._gives_way, self._room = unchanged, gives_way, room
        self.arrays = problem.work

    def advance(self, steps: int) -> int:
        """Go on for at most so many steps; see :class:`~enumerator.search.strategies.Strategy`."""
        problem, tries, collector = self._problem, self._tries, self._collector
        while True:
            stop: int = kernels.grow(
                problem.prog,
                tries.data,
                tries.tries,
                problem.work,
                self.grown,
                collector.findings,
                collector.records,
                steps,
            )
            if stop in (op.NEEDS_NODE, op.NEEDS_GUESSES, op.NEEDS_AHEAD):
                node = int(self.grown.at[op.X_NODE])
                if stop == op.NEEDS_NODE:
                    tries.expand(node, int(self.grown.at[op.X_VALUE]))
                elif stop == op.NEEDS_AHEAD:
                    tries.look_ahead(node, int(self.grown.at[op.X_VALUE]))
                else:
                    tries.guess(node)
                check_time()
                if not self._unchanged(False):
                    raise _Changed
                problem.data = tries.data
                if len(tries.locations) > self._room.locations or len(tries.kinds.known) > self._room.kinds:
                    self._widen()
            elif stop == op.NEEDS_ROOM:
                self._widen()
            elif stop == op.MAY_RACE or (stop == op.DONE and tries.tried and self._raises_flags()):
                raise _MayRace
            elif stop == op.AT_DEAD_ENDS:
                if self._gives_way():
                    raise CannotGrow
                problem.work.st[op.MOST_DEAD] = -1
            elif stop == op.DONE and not self._unchanged(True):
                raise _Changed
            else:
                if stop == op.PAUSED and self._fails_late():
                    raise _FailsLate
                tried = problem.work.st[op.EXPLORED] + problem.work.st[op.REFUSED]
                if stop == op.PAUSED and self._few is not None and tried >= self._asks:
                    few, self._few, self.most_steps = self._few, None, Growing.most_steps
                    if few():
                        raise FewPaths
                return stop

    def _raises_flags(self) -> bool:
        """Tell whether some execution raises a flag of the model: then those with attempts that fail count, too."""
        raised = self._collector.findings.raised[: int(self.arrays.st[op.STATES])]
        return bool(raised.any() or self.arrays.flags[3])

    def _fails_late(self) -> bool:
        """Tell whether axioms that were put off to the end refuse much of what gets there."""
        at, found = self.grown.at, int(self.arrays.st[op.CONSISTENT])
        return bool(at[op.X_LATE] == op.LATE_NOW and at[op.X_LATE_FAILS] > _MOST_LATE + found // 8)

    def _widen(self) -> None:
        """Make room, with what the arrays hold: of each thing only where there is too little, as words are dear."""
        old, problem, threads = self._room, self._problem, len(self.grown.node)
        n, longest = int(problem.work.st[op.EVENTS]), int(self.grown.length.max())
        self._room = _Room(
            _doubled(old.events, n + 2),
            _doubled(old.of_thread, longest + 1),
            max(old.locations, 2 * len(self._tries.locations)),
            max(old.kinds, 2 * len(self._tries.kinds.known)),
            _doubled(old.depth, int(problem.work.st[op.DEPTH]) + 4),
            old.undone,
        )
        if self._room == old:
            self._room = replace(old, undone=2 * old.undone)
        work, grown = _work(problem.model, self._room, threads), _grown(problem.model, self._room, threads)
        for name in Work._fields:
            if name not in ("flat", "t_base", "val", "source"):
                _copy(getattr(problem.work, name), getattr(work, name))
        work.slot_first[old.locations :] = -1
        for name in ("val", "source"):
            before, after = getattr(problem.work, name), getattr(work, name)
            after[: old.events] = before[: old.events]
            for thread in range(threads):
                _copy(before[self.grown.begins[thread] :][: old.of_thread], after[grown.begins[thread] :])
        grown = grown._replace(coherence=self.grown.coherence)
        moved = grown.begins - self.grown.begins
        work.t_base[:] = problem.work.t_base + moved
        used = dict.fromkeys(("log", "logged"), int(self.grown.at[op.X_LOG]))  # most of a log, or trail, is empty
        used["trail"] = int(self.grown.at[op.X_TRAIL])
        for name in Grown._fields:
            if name != "begins":
                _copy(getattr(self.grown, name)[: used.get(name)], getattr(grown, name))
        grown.base[:n] += np.append(moved, 0)[work.g_thread[:n]]  # nothing to initial writes, whose thread is -1
        problem.work = self.arrays = work._replace(st=problem.work.st)  # the collector has these counters
        self.grown = grown
        self._collector.widen(self._room.events)


def _doubled(size: int, wanted: int) -> int:
    """Double a size until it is what is wanted."""
    while size < wanted:
        size *= 2
    return size


def _copy(old: NDArray[Any], new: NDArray[Any]) -> None:
    """Copy an array into a corner of a larger one."""
    new[tuple(slice(size) for size in old.shape)] = old


class _Alone:
    """A portfolio of one strategy."""

    def __init__(self, strategy: Strategy) -> None:
        self.current = self.backtracking = strategy
        self.bit_parallel = None

    def choose(self, stop: int) -> None:
        """Stay with it."""


class _GrowingDriver(Driver):
    def __init__(
        self, problem: Problem, tuning: Tuning, late_at: float | None, collector: Collector, strategy: Growing
    ) -> None:
        self._problem, self._tuning, self._deadline = problem, tuning, late_at
        self._collector = collector
        self._portfolio: Any = _Alone(strategy)
        self._notes = ()


class _Search:
    """Everything about growing the executions of one request."""

    def __init__(
        self,
        request: Request,
        tuning: Tuning,
        kinds: Mapping[str, str],
        sets: frozenset[str],
        gives_way: Callable[[], bool],
        few: Callable[[], bool] | None,
        most_parts: int = MOST_PARTS,
    ) -> None:
        self._gives_way, self._few, self._most_parts = gives_way, few, most_parts
        self._request, self._tuning, self._base_kinds, self._sets = request, tuning, kinds, sets
        self._escaped, self._raced, self._puts_off, self._ends_tried = set[str](), set[str](), True, True
        self._values, self._text = False, Text(request.test, request.registers)
        self._of_code = names_of_code(request.test)
        self._depends, self._races = self._look_at_model()
        self._layout: Layout | None = None
        self._again = 0  # how often it has begun anew because of that
        self._guesses = True  # objects may begin with accesses that others have
        self._tries = self._unfold()
        self._closing: Closing | None = None
        # Of what it has been asked which reads may be undef: events, the model, how many there were.
        self._asked_of: tuple[GrownEvents | None, CompiledModel | None, int] = None, None, 0
        self._undef: Evaluation | None = None
        self._codes: dict[int, tuple[CompiledModel, Bytecode, int, bool, tuple[int, ...]]] = {}

    @property
    def parts(self) -> int:
        """How many parts of paths have been unfolded."""
        return self._tries.parts

    def _unfold(self) -> GrownTries:
        request = self._request
        while True:
            shared = prepare(
                request.test,
                unroll=request.unroll,
                asked=request.registers,
                races=self._races,
                ends_tried=self._ends_tried,
                text=self._text,
            )
            shared.escaped |= self._escaped
            shared.raced |= self._raced
            if self._layout is not None:
                shared.layout = (
                    self._layout.of(shared.layout, self._again) if self._guesses else self._layout.exact(shared.layout)
                )
            self._shared = shared
            try:
                return GrownTries(
                    request.test,
                    request.profile,
                    request.names,
                    shared,
                    depend=self._depends,
                    most_parts=self._most_parts,
                )
            except SlotEscapes:
                self._escaped |= shared.escaped
            except LayoutChanged:
                self._keep_layout()
            except PartlyUpdated:
                if not self._guesses:
                    raise
                self._guesses, self._layout = False, shared.layout
            except WaitsRace as race:
                self._raced.add(site_of(race.location.object))

    def _look_at_model(self) -> tuple[bool, bool]:
        """Tell whether dependencies make a difference, or threads run past reads; and whether races count.

        The former is asked for tests in which keys may be told (:mod:`enumerator.unfold.alike`).
        """
        model = self._request.model
        try:
            compiled = compile_model(model.model, model.variants, self._base_kinds, empty=_NOT_TOLD)
        except ReferenceEngineNeeded:
            return True, False
        used = used_names(model.model, model.variants, self._base_kinds) & {"addr", "data", "ctrl", "tok"}
        ordered = construction_order(compiled, _NOT_TOLD) is Order.PROGRAM_ORDER
        undefined = {each.check.name for each in compiled.checks if each.check.kind == "undefined_unless"}
        undef = compiled.undef_set is not None
        return bool(used) or undef or not ordered, undef or "race" in undefined

    def _facts(self) -> _Facts:
        """Simplify the model by what there is in the test as far as it is unfolded."""
        model, tries = self._request.model, self._tries
        kinds = {**self._base_kinds, **dict.fromkeys(tries.labels - self._sets, "set")}
        names = used_names(model.model, model.variants, kinds)
        missing = frozenset(name for name in names if kinds.get(name) == "set" and name not in tries.labels)
        empty, full = tries.facts(names)
        self._empty = empty = empty - self._of_code
        empty |= missing - self._of_code
        return _Facts(compile_model(model.model, model.variants, kinds, empty=empty, full=full), tries.ends)

    def run(self) -> Outcomes:
        """Search without undef; with undef where some read may return it."""
        request, values, found = self._request, with_values(self._request), None
        if values is not None:
            self._request, self._values = values, True
            with suppress(_Untold):
                found = race_free(request, self._search())
            self._request, self._values = request, False
        return self._search() if found is None or self._hides_undef() else found

    def _hides_undef(self) -> bool:
        """Tell whether a read may return undef that no execution with values shows.

        A program goes on from undef with ``freeze`` and compare-exchanges; and an attempt of a loop that waits is left
        out if its reads return values.
        """
        test = self._request.test
        freezes = test.has(Freeze)
        if not (freezes or test.has(CompareExchange) or self._tries.waits):
            return False
        self._tries.suppose_writes()
        self._may_more_be_undef(self._facts().model, True)
        return self._tries.events.may_be_undef(any_read=freezes)

    def _search(self) -> Outcomes:
        """Search; begin anew where what is unfolded changes what the search is laid out for."""
        while True:
            try:
                found = self._driver().run()
                if self._tries.are_shared(self._shared.layout.guessed()):
                    self._begin_exactly()
                    continue
                return found
            except PartlyUpdated:
                if not self._guesses:
                    raise
                self._begin_exactly()
            except _MayRace:
                self._ends_tried = False
                self._tries = self._unfold()
            except _FailsLate:
                self._puts_off = False
            except _Changed:
                continue
            except SlotEscapes:
                self._escaped |= self._shared.escaped
                self._tries = self._unfold()
            except LayoutChanged:
                self._keep_layout()
                self._tries = self._unfold()
            except WaitsRace as race:
                self._raced.add(site_of(race.location.object))
                self._tries = self._unfold()

    def _begin_exactly(self) -> None:
        """Begin anew with the accesses that there are, and no guesses of others."""
        self._guesses, self._layout = False, self._shared.layout
        self._tries = self._unfold()

    def _keep_layout(self) -> None:
        """Begin anew with the cells that are known now."""
        self._again += 1
        self._layout = self._shared.layout
        self._layout.changed = False

    def _driver(self) -> _GrowingDriver:
        facts = self._facts()
        compiled = facts.model
        if compiled.linear:
            raise CannotGrow
        order = construction_order(compiled, self._empty)
        known: dict[Any, Growth] = {}
        constant = [compiled.order_set] + ([] if compiled.undef_set is None else [compiled.undef_set])
        if order is Order.NONE or any(grows_with_events(node, known) is not Growth.CONSTANT for node in constant):
            raise CannotGrow
        if id(compiled) not in self._codes:
            self._codes[id(compiled)] = compiled, *assemble_growing(compiled, happens_before(compiled))
        _, code, before, steps, coherence = self._codes[id(compiled)]
        if any(name == "text-order" for name, _ in code.base_relations):
            raise CannotGrow
        if self._values and not (order is Order.PROGRAM_ORDER or (order is Order.DEPENDENCY and before >= 0)):
            raise _Untold
        request, tries = self._request, self._tries
        certain, least = tries.tries.node_count[tries.roots], _Room()
        room = _Room(
            events=_doubled(least.events, int(certain.sum()) + len(tries.locations) + 2),
            of_thread=_doubled(least.of_thread, int(certain.max()) + 1),
            locations=max(least.locations, 2 * len(tries.locations)),
            kinds=max(least.kinds, 2 * len(tries.kinds.known)),
            depth=_doubled(least.depth, int(certain.sum()) + 4),
        )
        waits = self._shared.waits or any(each.library for each in request.test.functions.values())
        config = configuration(request, tries.values, code, tries.data.obs_thread.tolist(), self._tuning, waits=waits)
        prog, hides_assert = program(request, tries.ends, tries.kinds, code, config)
        threads = len(request.test.threads)
        work = _work(code, room, threads)
        work.st[op.PHASE], work.st[op.DEPTH], work.st[op.WEIGHT] = op.GROW_RUN, -1, 1
        work.st[op.LIMIT] = -1 if request.max_executions is None else request.max_executions
        work.st[op.ALLOWED], work.st[op.MOST_DEAD] = -1, self._tuning.grow_dead_ends
        grown = _grown(code, room, threads)
        grown.at[op.X_CHOSEN] = -1
        # Where each write depends on all reads before it, no cycle of program order is any but one of dependencies.
        loose = tries.loose
        grown.at[op.X_LOOSE] = int(order is Order.LOOSE)
        grown.at[op.X_BLOCKS] = int(order is Order.PROGRAM_ORDER or (order is Order.DEPENDENCY and not loose))
        grown.at[op.X_BEFORE] = before if order is Order.DEPENDENCY else -1
        grown.at[op.X_STEPS] = steps
        if steps:
            grown = grown._replace(coherence=np.array(coherence, dtype=np.int64))
        grown.at[op.X_LATE] = op.LATE_NOT if self._puts_off and steps else op.LATE_NEVER
        grown.at[op.X_IDLE] = int(order is not Order.PROGRAM_ORDER)
        grown.at[op.X_ATOMIC] = int(is_atomic(compiled, self._empty))
        grown.at[op.X_NO_UNDEF] = int(compiled.undef_set is None or not tries.events.may_be_undef())
        grown.node[:] = tries.roots
        problem = Problem(request, tries, code, prog, tries.data, work, (), hides_assert)  # type: ignore[arg-type]
        told, flags_wane = tries.told, only_loses_flags(compiled) and threads < _MOST_THREADS
        if self._closing is None or self._closing.model is not compiled or self._closing.kinds is not tries.kinds:
            self._closing = Closing(request.test, compiled, tries.kinds)
        closing = None if order is Order.PROGRAM_ORDER else self._closing

        def unchanged(at_end: bool) -> bool:
            nonlocal told
            if tries.tried and not flags_wane:
                raise _MayRace
            if tries.loose != loose and order is not Order.PROGRAM_ORDER:
                return False
            if closing is not None:
                tries.close(closing)
            if tries.told != told:
                told = tries.told
                if self._facts() != facts:
                    return False
                problem.prog, _ = program(request, tries.ends, tries.kinds, code, config)
            if at_end and compiled.undef_set is not None:
                tries.suppose_writes()
            return compiled.undef_set is None or not self._may_more_be_undef(compiled, at_end)

        unchanged(True)

        collector = _GrownCollector(problem, tries, room.events)
        asked = self._few, self._tuning.grow_asks
        strategy = Growing(problem, tries, collector, grown, room, unchanged, self._gives_way, *asked)
        return _GrowingDriver(problem, self._tuning, deadline(), collector, strategy)

    def _may_more_be_undef(self, compiled: CompiledModel, at_end: bool) -> bool:
        """Ask which reads may be undef, at the end and where there are twice as many events; tell whether more are."""
        events, (of, model, count) = self._tries.events, self._asked_of
        known = count if of is events else 0
        if not (at_end and model is not compiled) and events.count <= (known if at_end else 2 * known + 8):
            return False
        self._asked_of = events, compiled, events.count
        if self._undef is None or model is not compiled:
            self._undef = Evaluation(undef_rules(compiled))
        return events.give_undef(undef_groups(events, self._undef))


def _integers(*shape: int) -> NDArray[np.int64]:
    """Make an array of zeros."""
    return np.zeros(shape, dtype=np.int64)


def _words(*shape: int) -> NDArray[np.uint64]:
    """Make an array of empty words."""
    return np.zeros(shape, dtype=np.uint64)


def _work(model: Bytecode, room: _Room, threads: int) -> Work:
    work = work_arrays(model, room.events, threads, room.locations)
    wide = room.events + threads * room.of_thread
    work = work._replace(
        val=np.full(wide, op.UNKNOWN_ID, dtype=np.int64),
        source=np.full(wide, -1, dtype=np.int64),
        t_base=_begins(room, threads),
    )
    work.slot_first[:] = -1
    return work


def _begins(room: _Room, threads: int) -> NDArray[np.int64]:
    """Give where the values of each thread's path begin: behind those of events by their numbers."""
    return room.events + room.of_thread * np.arange(threads, dtype=np.int64)


def _grown(model: Bytecode, room: _Room, threads: int) -> Grown:
    n, decisions, words = room.events, room.depth, (room.events + 63) // 64
    relations, sets = model.relations + 32, model.sets + 32
    log = room.undone * (4 * (relations + sets) * n + 128 * decisions)
    return Grown(
        at=_integers(op.X_SIZE),
        node=_integers(threads),
        following=_integers(threads),
        length=_integers(threads),
        begins=_begins(room, threads),
        open_reads=_integers(threads),
        event_at=_integers(threads, room.of_thread),
        index=_integers(n),
        base=_integers(n),
        present=np.zeros(n, dtype=np.bool_),
        open=_words(words),
        written=_words(room.locations, words),
        read=_words(room.locations, words),
        deferred=_words(words),
        of_kind=_words(room.kinds, words),
        kinds=_words((room.kinds + 63) // 64),
        undef=_integers(n),
        half=_integers(n),
        later=_integers(n),
        passed=_integers(n),
        idle=_integers(n),
        guesses=_integers(decisions, 4),
        excluded=_words(n, words),
        hidden=_words(n, words),
        kind=_integers(decisions),
        what=_integers(decisions),
        cursor=_integers(decisions),
        stays_after=_words(n),
        passes=_words(n),
        may_wait=_integers(decisions),
        alone=_integers(decisions),
        lowest=_integers(decisions),
        rivals=_integers(decisions),
        rival_values=_integers(decisions, 8),
        rival_count=_integers(decisions),
        reach=_integers(threads),
        looked_to=_integers(threads),
        to_come=_integers(decisions, threads),
        contended=_integers(room.locations),
        decided=_integers(n),
        takes_newest=_integers(decisions),
        mark=_integers(decisions),
        accepted=_integers(decisions),
        trail=_integers(room.undone * 16 * (n + decisions), 4),
        options=_integers(n),
        leading=_integers(n),
        served=_integers(n),
        leads_to=np.zeros((threads, room.locations), dtype=np.uint8),
        known_ahead=_integers(threads),
        wanting=_words(words),
        cyclic=_integers(n),
        links=_words(5, n, words),
        fresh=_integers(decisions),
        log_mark=_integers(decisions),
        log=_integers(log, 2),
        logged=_words(log, words),
        touched=_words(relations, words),
        touched_sets=_words(sets, words),
        kept=_words(decisions, 4 + len(model.base_relations) + len(model.base_sets), words),
        rows=_words(words),
        new=_words(words),
        row=_words(words),
        coherence=_integers(0),
        stale=_words(decisions, words),
    )


def grow(
    request: Request,
    tuning: Tuning,
    kinds: Mapping[str, str],
    sets: frozenset[str],
    gives_way: Callable[[], bool],
    few: Callable[[], bool] | None = None,
) -> Outcomes:
    """Find the consistent executions of a test by growing them.

    Parameters
    ----------
    request : Request
    tuning : Tuning
    kinds : mapping of str to str
        The predefined names that engines supply.
    sets : frozenset of str
        Those of sets.
    gives_way : callable
        Tells whether another strategy is to be used; asked where most of what is tried ends in vain.
    few : callable, optional
        Tells whether there are few combinations of paths; asked where many ends have been explored.

    Returns
    -------
    Outcomes

    Raises
    ------
    CannotGrow
        Where that may miss some, or another strategy is likely to be faster.
    FewPaths
        Where there are few.
    """
    try:
        search = _Search(request, tuning, kinds, sets, gives_way, few)
        found = search.run()
    except PartlyUpdated:
        raise CannotGrow from None
    except LimitReached as limit:
        return Outcomes({}, status=limit.status, notes=(str(limit),))
    if request.unroll_more and found.cut and found.status == "complete":
        most, parts = _MORE_ENDS * found.explored + _SOME, _MORE_PARTS * search.parts + _SOME
        ends = most if request.max_executions is None else min(most, request.max_executions)
        with suppress(LimitReached, CannotGrow, PartlyUpdated):
            wider = replace(request, unroll=_HIGHER, max_executions=ends)
            more = _Search(wider, tuning, kinds, sets, gives_way, None, parts).run()
            if more.status == "complete" and not more.cut:
                return more
    return found
