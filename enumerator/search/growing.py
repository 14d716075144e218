"""The strategy for programs: executions grow event by event, and threads are unfolded where the search gets to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from enumerator.cat.compiler import compile_model, used_names
from enumerator.cat.nodes import CompiledModel, Growth
from enumerator.clock import deadline
from enumerator.errors import LimitReached, ReferenceEngineNeeded
from enumerator.events.relations import KEYS
from enumerator.events.table import KindTable
from enumerator.frozen import dataclass
from enumerator.jit.arguments import replaced
from enumerator.program.addresses import asked_since, times
from enumerator.program.instructions import CompareExchange, Freeze
from enumerator.request import Outcomes, Request
from enumerator.search import opcodes as op
from enumerator.search.closing import Closing, happens_before
from enumerator.search.grown_arrays import Room, doubled, grown_arrays, work_of
from enumerator.search.grown_code import Laid, assemble_growing
from enumerator.search.grown_collector import GrownCollector
from enumerator.search.grown_events import GrownEvents, LayoutChanged
from enumerator.search.grown_strategy import (
    Changed,
    FailsLate,
    Growing,
    GrowingDriver,
    MayRace,
    MissesBarrier,
    NotAlike,
    RefusedRaces,
)
from enumerator.search.grown_symmetry import Groups, find_groups
from enumerator.search.growth import (
    Order,
    construction_order,
    grows_with_events,
    is_atomic,
    only_loses_flags,
    waits_at_barriers,
)
from enumerator.search.layout import Grown
from enumerator.search.of_code import names_of_code
from enumerator.search.passive import PassiveReads
from enumerator.search.problem import Problem, configuration, program
from enumerator.search.races import may_be_race_free, race_free, with_values
from enumerator.search.strategies import CannotGrow, ListedInstead
from enumerator.search.tries import MOST_PARTS, GrownTries, PartlyUpdated
from enumerator.search.tuning import Tuning
from enumerator.search.undef import Evaluation, undef_groups, undef_rules
from enumerator.unfold.layout import Layout, site_of
from enumerator.unfold.lock_words import LockWords
from enumerator.unfold.paths import Location
from enumerator.unfold.rewritten import WaitsRace
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.state import Shared
from enumerator.unfold.text import Text
from enumerator.unfold.undone import NotUndone, Undone, WouldBeUndone
from enumerator.unfold.unfolder import prepare

__all__ = ["grow"]


_NOT_TOLD = frozenset({"unsequenced", "started", "completed"})
"""Relations that are empty in tests in which keys tell how a thread goes on (:mod:`enumerator.unfold.alike`)."""

_MOST_THREADS = 64
"""Where there are so many, attempts that fail are not ended early: a bit stands for each thread."""

_HIGHER = (4, 8)
"""The bounds on loops that are tried where executions are cut at the default one."""

_NEXT_TURN, _LONGER = 4, 2000
"""Combinations of paths are listed again after so many times the ends that were explored before, and so many more."""

_FIRST_ENDS = 100
"""So many ends are explored of executions in which one thread runs after the other."""

_MORE_ENDS, _MORE_PARTS, _SOME = 2, 4, 200
"""Ends that may be explored then, and parts of paths unfolded: so many times those that were, and so many more."""


class _MayBeUndef(Exception):
    """Some read may return undef."""


class _Decided(Exception):
    """What was asked for has been found in executions in which one thread runs after the other."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes


@dataclass
class _Facts:
    """What the search is laid out for."""

    model: CompiledModel
    ends: tuple[str, ...]
    plain: bool  # whether there are plain reads

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Facts):
            return False
        return self.model is other.model and (self.ends, self.plain) == (other.ends, other.plain)


class _Search:
    """Everything about growing the executions of one request."""

    def __init__(
        self,
        request: Request,
        tuning: Tuning,
        kinds: Mapping[str, str],
        table: KindTable,
        gives_way: Callable[[], bool],
        instead: Callable[[], Outcomes | None] | None = None,
        most_parts: int = MOST_PARTS,
    ) -> None:
        self._table, self._gives_way, self._instead, self._most_parts = table, gives_way, instead, most_parts
        self._asks = tuning.grow_asks if instead is not None else _LONGER
        self._first: Outcomes | None = None  # what is found where one thread runs after the other
        self._request, self._tuning, self._base_kinds = request, tuning, kinds
        self._sets = frozenset(name for name, kind in kinds.items() if kind == "set")
        self._kinds = {frozenset[str](): kinds}  # with these labels as further sets
        self.was_cut = False
        self._escaped, self._raced, self._puts_off, self._ends_tried = set[str](), set[str](), True, True
        self._blocks = False  # whether threads may stay at barriers that others never come to
        self._values, self._text = False, Text(request.test, request.registers)
        self._of_code = names_of_code(request.test)
        self._depends, self._races = self._look_at_model()
        self._layout: Layout | None = None
        self._locks, self._undone = LockWords(), Undone()
        self._again = 0  # how often it has begun anew because of that
        # Who asks for executions wants each of them.
        self._symmetric = tuning.symmetry and request.record == 0
        self._begun = next(times)
        self._guesses = True  # objects may begin with accesses that others have
        self._with_values = with_values(request)
        # Whether the search ends where some read may be undef; and whether what an assumption refuses is kept.
        self._defined = self._with_values is not None and request.test.may_refuse_all
        self._keeps_refused = False
        self._before: Shared | None = None
        self._tries = self._unfold()
        self._closing: Closing | None = None
        # Of what it has been asked which reads may be undef: events, the model, how many there were.
        self._asked_of: tuple[GrownEvents | None, CompiledModel | None, int] = None, None, 0

    @property
    def parts(self) -> int:
        """How many parts of paths have been unfolded."""
        return self._tries.parts

    @cached_property
    def _groups(self) -> Groups:
        """The symmetric threads of the test."""
        return find_groups(self._request.test, self._request.names)

    def _unfold(self) -> GrownTries:
        request = self._request
        while True:
            shared = prepare(
                request.test,
                unroll=request.unroll,
                asked=request.registers,
                races=self._races,
                ends_tried=self._ends_tried,
                keeps_refused=self._keeps_refused,
                blocks=self._blocks,
                text=self._text,
            )
            shared.escaped |= self._escaped
            shared.raced |= self._raced
            shared.locks, shared.runs_past = self._locks, self._depends
            shared.undone, shared.counts_to_reads = self._undone, request.unroll_more
            shared.locks.begin()
            shared.undone.begin()
            if self._layout is not None:
                shared.layout = (
                    self._layout.of(shared.layout, self._again) if self._guesses else self._layout.exact(shared.layout)
                )
            if self._before is not None:
                shared.keep(self._before)
            self._before = self._shared = shared
            try:
                return GrownTries(
                    request.test,
                    request.profile,
                    request.names,
                    shared,
                    self._table,
                    self._groups if self._symmetric else find_groups(request.test, request.names, wanted=False),
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
            except (WaitsRace, WouldBeUndone, NotUndone) as found:
                self._learn(found)

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
        labels, more = tries.labels, tries.labels - self._sets
        if more not in self._kinds:
            self._kinds[more] = {**self._base_kinds, **dict.fromkeys(more, "set")}
        kinds = self._kinds[more]
        names = used_names(model.model, model.variants, kinds)
        missing = (names & self._sets) - labels
        empty, full = tries.facts(names)
        self._empty = empty = empty - self._of_code
        empty |= missing - self._of_code
        compiled = compile_model(model.model, model.variants, kinds, empty=empty, full=full)
        return _Facts(compiled, tries.ends, tries.kinds.reads_plainly)

    def run(self, *, until_cut: bool = False) -> Outcomes:
        """Search without undef; with undef where some read may return it.

        With `until_cut`, that is left open where executions are cut that have no such read: then ``was_cut`` is True.
        """
        request, values, found = self._request, self._with_values, None
        self.was_cut = False
        if self._defined:
            # What an assumption refuses tells which reads are undef, like other executions; few programs have any.
            with suppress(_MayBeUndef):
                return self.run_with_undef()
            self._defined, self._keeps_refused = False, True
            self._tries = self._unfold()
        if values is not None:
            self._request, self._values = values, True
            with suppress(RefusedRaces):
                outcomes = self._search()
                is_complete = outcomes.status == "complete"
                self.was_cut = until_cut and is_complete and outcomes.cut > 0 and may_be_race_free(outcomes)
                # Where there is none with values, reads may be undef that no part of one shows to be.
                none = is_complete and outcomes.consistent == 0
                found = outcomes if self.was_cut else None if none else race_free(request, outcomes)
            self._request, self._values = request, False
            if self.was_cut and found is not None:
                return found
        if found is None:
            return self.run_with_undef()
        if found.status != "complete" or not self._hides_undef():
            return found
        self._refuse()
        return replace(self._search(), undef_may_decide=False)

    def run_with_undef(self) -> Outcomes:
        """Search with undef, if the model has that."""
        self._refuse()
        found = self._search()
        # Where no such read decides, threads go on whatever these return.
        possible = found.status != "complete" or found.cut > 0 or self._tries.events.undef_may_decide()
        return found if possible else replace(found, undef_may_decide=False)

    def _refuse(self) -> None:
        """Leave out what assumptions refuse."""
        if self._keeps_refused:
            self._keeps_refused = False
            self._tries = self._unfold()

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
                if self._symmetric and self._are_told_apart():
                    raise NotAlike
                found = self._found()
                if self._tries.are_shared(self._shared.layout.guessed()):
                    self._begin_exactly()
                    continue
                if self._symmetric and (any(map(self._tries.groups.any_own, found.states)) or self._are_told_apart()):
                    raise NotAlike
                return found
            except PartlyUpdated:
                if not self._guesses:
                    raise
                self._begin_exactly()
            except MayRace:
                self._ends_tried = False
                self._tries = self._unfold()
            except MissesBarrier:
                if self._takes_from_behind():
                    raise CannotGrow from None
                self._blocks = True
                self._tries = self._unfold()
            except FailsLate:
                self._puts_off = False
            except NotAlike:
                self._symmetric = False
            except Changed:
                continue
            except SlotEscapes:
                self._escaped |= self._shared.escaped
                self._tries = self._unfold()
            except LayoutChanged:
                self._keep_layout()
                self._tries = self._unfold()
            except (WaitsRace, WouldBeUndone, NotUndone) as found:
                self._learn(found)
                self._tries = self._unfold()

    def _found(self) -> Outcomes:
        """Give what the search finds, as it is laid out now."""
        self._first = None
        try:
            return _with_first(self._driver().run(), self._first)
        except _Decided as decided:
            return decided.outcomes

    def _are_told_apart(self) -> bool:
        """Tell whether numbers are computed from addresses of own objects of symmetric threads: others for each."""
        belongs = self._tries.groups.belongs
        return any(belongs(Location(name, 0, 1)) >= 0 for name in asked_since(self._begun))

    def _learn(self, found: WaitsRace | WouldBeUndone | NotUndone) -> None:
        """Keep what makes a difference to iterations that are left out."""
        match found:
            case WaitsRace():
                self._raced.add(site_of(found.location.object))
            case WouldBeUndone():
                self._undone.add(found.location)
            case NotUndone():
                self._undone.refuse(found.what)

    def _takes_from_behind(self) -> bool:
        """Tell whether a read may take what comes from behind a later barrier, though no thread runs past a read."""
        facts = self._facts()
        blocks = self._coded(facts.model, facts.plain)[0] is Order.PROGRAM_ORDER
        return blocks and not waits_at_barriers(facts.model)

    def _begin_exactly(self) -> None:
        """Begin anew with the accesses that there are, and no guesses of others."""
        self._guesses, self._layout = False, self._shared.layout
        self._tries = self._unfold()

    def _keep_layout(self) -> None:
        """Begin anew with the cells that are known now."""
        self._again += 1
        self._layout = self._shared.layout
        self._layout.changed = False

    def _driver(self, *, first_ends: bool = False) -> GrowingDriver:
        """Lay the search out for what has been unfolded so far; or one for a few executions, with threads in turn."""
        facts = self._facts()
        compiled, request, tries = facts.model, self._request, self._tries
        order, coded = self._coded(compiled, facts.plain)
        room = self._room()
        waits = self._shared.waits or any(each.library for each in request.test.functions.values())
        owners = tries.data.obs_thread.tolist()
        config = configuration(request, tries.values, coded.code, owners, self._tuning, waits=waits)
        prog, hides_assert = program(request, tries.ends, tries.kinds, coded.code, config)
        threads = len(request.test.threads)
        work = work_of(coded.code, room, threads)
        work.st[op.PHASE], work.st[op.DEPTH], work.st[op.WEIGHT] = op.GROW_RUN, -1, 1
        most = _FIRST_ENDS if first_ends else request.max_executions
        work.st[op.LIMIT] = -1 if most is None else most
        work.st[op.ALLOWED], work.st[op.MOST_DEAD] = -1, self._tuning.grow_dead_ends
        grown = grown_arrays(coded.code, room, threads)
        if coded.steps:
            grown = replaced(grown, coherence=np.array(coded.coherence, dtype=np.int64))
        if order is not Order.LOOSE:
            grown = replaced(grown, rules=np.array(coded.rules, dtype=np.int64).reshape(-1, 2))
        if self._closing is None or self._closing.model is not compiled or self._closing.kinds is not tries.kinds:
            self._closing = Closing(request.test, compiled, tries.kinds, self._text.named)
        self._set_up(grown, compiled, order, coded, self._closing)
        grown.at[op.X_SCHEDULE] = op.SCHEDULE_LAST if first_ends else op.SCHEDULE_PRESSING
        problem = Problem(request, tries, coded.code, prog, tries.data, work, (), hides_assert)  # type: ignore[arg-type]
        closing = None if order is Order.PROGRAM_ORDER else self._closing
        told, loose = tries.told, tries.loose
        flags_wane = only_loses_flags(compiled) and threads < _MOST_THREADS

        def unchanged(at_end: bool) -> bool:
            nonlocal told
            if tries.tried and not flags_wane:
                raise MayRace
            if tries.loose != loose and order is not Order.PROGRAM_ORDER:
                return False
            if closing is not None:
                tries.close(closing)
            if tries.told != told:
                told = tries.told
                if self._facts() != facts:
                    return False
                problem.prog, _ = program(request, tries.ends, tries.kinds, coded.code, config)
            if at_end and compiled.undef_set is not None:
                tries.suppose_writes()
            more = compiled.undef_set is not None and self._may_more_be_undef(compiled, at_end)
            if more and self._defined:
                raise _MayBeUndef
            return not more

        unchanged(True)

        collector = GrownCollector(problem, tries, room.events)
        # Who asks for executions wants those of the search, or one that decides.
        otherwise = None if first_ends or (request.record != 0 and request.decided is None) else self._try_instead
        asked = otherwise, self._asks, self._instead is not None
        strategy = Growing(problem, tries, collector, grown, room, unchanged, self._gives_way, *asked)
        return GrowingDriver(problem, self._tuning, deadline(), collector, strategy)

    def _try_instead(self) -> int:
        """List combinations of paths; if that ends, it is the end of this search, else tell when to try it again.

        At first it looks at a few executions in which one thread runs after the other: what is wrong with a program
        often shows there, and this search may never get there.
        """
        if self._first is None and self._request.max_executions is None:
            self._first = self._driver(first_ends=True).run()
            if self._first.stopped:
                raise _Decided(self._first)
        found = None if self._instead is None else self._instead()
        if found is not None:
            raise ListedInstead(found)
        self._asks = _NEXT_TURN * self._asks + _LONGER
        return self._asks

    def _coded(self, compiled: CompiledModel, plain: bool) -> tuple[Order, Laid]:
        """Give the order in which executions grow under a model, and its code.

        Raises
        ------
        CannotGrow
            Where there is no such order.
        """
        order = construction_order(compiled, self._empty)
        known: dict[Any, Growth] = {}
        constant = [compiled.order_set] + ([] if compiled.undef_set is None else [compiled.undef_set])
        if order is Order.NONE or any(grows_with_events(node, known) is not Growth.CONSTANT for node in constant):
            raise CannotGrow
        runs_past = compiled.undef_set is not None or "unsequenced" in self._of_code
        in_order = order is Order.PROGRAM_ORDER and not runs_past
        built = frozenset({"po", "rf"}) if in_order else frozenset[str]()
        coded = assemble_growing(compiled, happens_before(compiled), plain=plain, built=built)
        if compiled.linear or any(name == "text-order" for name, _ in coded.code.base_relations):
            raise CannotGrow
        return order, coded

    def _room(self) -> Room:
        """Give the room that the search begins with."""
        tries, least = self._tries, Room()
        certain = tries.tries.node_count[tries.roots]
        return Room(
            events=doubled(least.events, int(certain.sum()) + len(tries.locations) + 2),
            of_thread=doubled(least.of_thread, int(certain.max()) + 1),
            locations=max(least.locations, 2 * len(tries.locations)),
            kinds=max(least.kinds, 2 * len(tries.kinds.known)),
            depth=doubled(least.depth, int(certain.sum()) + 4),
        )

    def _set_up(self, grown: Grown, compiled: CompiledModel, order: Order, coded: Laid, closing: Closing) -> None:
        """Tell the kernels what they may rely on, and where threads begin."""
        at, tries, threads = grown.at, self._tries, len(grown.alike)
        grown.node[:] = tries.roots
        at[op.X_CHOSEN] = -1
        grown.alike[:] = tries.groups.group if self._symmetric else -1
        at[op.X_SYMMETRIC], at[op.X_NUMBERS] = int((grown.alike >= 0).any()), threads
        at[op.X_LOOSE] = int(order is Order.LOOSE)
        # Where each write depends on all reads before it, no cycle of program order is any but one of dependencies.
        blocks = order is Order.PROGRAM_ORDER or (order is Order.DEPENDENCY and not tries.loose)
        at[op.X_BLOCKS] = int(blocks)
        at[op.X_BEFORE] = coded.before if order is Order.DEPENDENCY else -1
        at[op.X_ORDERED] = int(closing.ordered)
        at[op.X_IN_PAST] = int(order is Order.DEPENDENCY and coded.in_past)
        at[op.X_STEPS] = coded.steps
        at[op.X_ARRIVAL] = KEYS.index("arrival") if tries.meets and waits_at_barriers(compiled) else -1
        at[op.X_WAIT] = KEYS.index("wait")
        at[op.X_MET] = KEYS.index("arrival") if tries.meets else -1
        at[op.X_STAYS] = int(self._blocks)
        at[op.X_HIDES] = coded.hides if coded.steps else -1
        at[op.X_OWN] = int(coded.own)
        at[op.X_LATE] = op.LATE_NOT if self._puts_off and coded.steps else op.LATE_NEVER
        at[op.X_IDLE] = int(order is not Order.PROGRAM_ORDER)
        at[op.X_ATOMIC] = int(is_atomic(compiled, self._empty))
        at[op.X_NO_UNDEF] = int(compiled.undef_set is None or not tries.events.may_be_undef())

    def _may_more_be_undef(self, compiled: CompiledModel, at_end: bool) -> bool:
        """Ask which reads may be undef, at the end and where there are twice as many events; tell whether more are."""
        events, (of, model, count) = self._tries.events, self._asked_of
        known = count if of is events else 0
        if not (at_end and model is not compiled) and events.count <= (known if at_end else 2 * known + 8):
            return False
        self._asked_of = events, compiled, events.count
        evaluation, passive = _rules_on_undef(compiled)
        more = events.give_undef(undef_groups(events, evaluation))
        events.find_passive(passive)
        return more


@lru_cache(maxsize=256)  # models are compiled once for many tests
def _rules_on_undef(model: CompiledModel) -> tuple[Evaluation, PassiveReads]:
    """Give what tells which reads return undef under a model, and which of these make no difference to that."""
    return Evaluation(undef_rules(model)), PassiveReads(model)


def grow(
    request: Request,
    tuning: Tuning,
    kinds: Mapping[str, str],
    table: KindTable,
    gives_way: Callable[[], bool],
    instead: Callable[[], Outcomes | None] | None = None,
) -> Outcomes:
    """Find the consistent executions of a test by growing them.

    Parameters
    ----------
    request : Request
    tuning : Tuning
    kinds : mapping of str to str
        The predefined names that engines supply.
    table : KindTable
        What is known of kinds from other tests.
    gives_way : callable
        Tells whether another strategy is to be used; asked where most of what is tried ends in vain.
    instead : callable, optional
        Lists combinations of paths, if they are few and that goes well; asked where many ends have been explored, and
        again where many more have been.

    Returns
    -------
    Outcomes

    Raises
    ------
    CannotGrow
        Where that may miss some, or another strategy is likely to be faster.
    ListedInstead
        Where it does.
    """
    begin = partial(_Search, tuning=tuning, kinds=kinds, table=table, gives_way=gives_way)
    try:
        search = begin(request, instead=instead)
        found = search.run(until_cut=request.unroll_more)
        more = _with_higher_bound(begin, search.parts, found, request)
        if more is not None:
            return more
        return search.run_with_undef() if search.was_cut else found
    except PartlyUpdated:
        raise CannotGrow from None
    except LimitReached as limit:
        return Outcomes({}, status=limit.status, notes=(str(limit),))


def _with_first(found: Outcomes, first: Outcomes | None) -> Outcomes:
    """Give what a search has found that may have ended too early, and what it had found at first."""
    if first is None or found.status == "complete":
        return found
    new = {state: count for state, count in first.states.items() if state not in found.states}
    states = {**found.states, **new} if new else found.states
    undefined = found.undefined or first.undefined
    return replace(found, states=states, flags=found.flags | first.flags, undefined=undefined)


def _with_higher_bound(begin: Callable[..., _Search], parts: int, found: Outcomes, asked: Request) -> Outcomes | None:
    """Search with a higher bound on loops where executions are cut at the default one; None unless that is enough."""
    if asked.unroll_more and found.cut and found.status == "complete":
        most, parts = _MORE_ENDS * found.explored + _SOME, _MORE_PARTS * parts + _SOME
        ends = most if asked.max_executions is None else min(most, asked.max_executions)
        with suppress(LimitReached, CannotGrow, PartlyUpdated):
            for bound in _HIGHER:
                wider = replace(asked, unroll=bound, max_executions=ends)
                more = begin(wider, most_parts=parts).run()
                if more.status != "complete":
                    break
                if not more.cut:
                    return more
    return None
