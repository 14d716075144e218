"""The search of the fast engine: arrays that kernels work on, and the loop that runs them a slice at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from enumerator import clock
from enumerator.errors import Interrupted, Timeout
from enumerator.events import RELATIONS, Kinds
from enumerator.events.relations import KEYS, LISTED
from enumerator.program.values import Value
from enumerator.request import Candidate, Outcomes, Request
from enumerator.results.table import StateTable
from enumerator.results.truth import truth
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.bytecode import Bytecode
from enumerator.search.layout import Findings, Lanes, Paths, Program, Records, Work
from enumerator.search.lower import Lowered
from enumerator.search.parallel import WIDE
from enumerator.search.symmetry import Alike, Found, add_columns, expand, find_alike
from enumerator.search.turns import Turns

__all__ = ["FIRST_STEPS", "OUT_OF_THIN_AIR", "Search"]

_ASSERT = "assert"

OUT_OF_THIN_AIR = "values out of thin air range over the constants of the test"

_SLICE = 0.05
"""Seconds that a kernel runs before it returns: timeouts and Ctrl-C are noticed that soon."""

FIRST_STEPS = 500
"""Steps of the first slice, at most."""

_FIRST_PAIRS = 5_000_000
"""Pairs of events that the first slice may look at about: a step looks at all of them."""

_LISTING = 2e-6
"""Seconds that it takes about to sort, judge and write one state after the search."""

_LONG = 400
"""Steps in one combination of paths after which it goes on as gates, many candidates at a time."""

_MOST_PRUNED = 100
"""Complete candidates for each branch that looking ahead refuses, below which a combination does not go on as gates."""

_SYMMETRY = True
"""Whether of threads that are alike one arrangement is searched only."""

_PROBE = 1
"""Whether sources of reads that no completion allows are left out: 0 never, 1 once a combination, 2 at each step."""


class Search:
    """One search: its arrays, grown as needed, and the loop that runs the kernel a slice at a time."""

    def __init__(self, request: Request, lowered: Lowered, program: Bytecode, deadline: float | None) -> None:
        self._request = request
        self._lowered = lowered
        self._program = program
        self._deadline = deadline
        self._threads = len(request.test.threads)
        self._arrays, self._alike = self._symmetry()
        n = lowered.most_events
        width = (n + 63) // 64
        orders_matter = program.flags_need_order or (
            program.final_needs_order and any(owner < 0 for owner in lowered.arrays["obs_thread"])
        )
        stop_first = request.decided is not None
        config = [
            program.order_set,
            program.undef_set,
            program.final,
            int(request.outcomes_only and not orders_matter),
            int(stop_first),
            request.record,
            0,
            _PROBE,
            int(request.outcomes_only and orders_matter and program.final_is_last and not program.flags_need_order),
            lowered.values.number(0),
            lowered.values.number(1),
        ]
        # Where nobody asks for failed assertions, their executions have states all the same, as their flags count:
        # these states are told by a flag behind those that are asked for, and left out in the end.
        self._hides_assert = _ASSERT in lowered.ends and _ASSERT not in request.flags
        flags = (*request.flags, *([_ASSERT] if self._hides_assert else []))
        shown = [self._bits_of(flag) for flag in flags]
        ends = [
            sum(1 << bit for bit, _ in enumerate(lowered.ends) if any(bits >> bit & 1 for _, bits in shown)),
            self._bits_of("ub")[1],
        ]
        names = len(self._arrays["obs_thread"]) + len(flags)
        self._prog = Program(
            code=program.code,
            sections=program.sections,
            config=np.array(config, dtype=np.int64),
            shown=np.array(shown, dtype=np.uint64).reshape(-1, 2),
            ends=np.array(ends, dtype=np.uint64),
            **_base(program, lowered.kinds),
        )
        arrays = self._arrays
        self._data = Paths(**arrays)
        places = len(arrays["loc_value"])
        self._state = np.zeros(op.STATE_SIZE, dtype=np.int64)
        self._state[op.PHASE] = op.P_SETUP if all(arrays["thread_count"]) else op.P_DONE
        self._state[op.LONG] = -1 if request.record else _LONG
        self._state[op.LIMIT] = -1 if request.max_executions is None else request.max_executions
        self._missing = np.zeros(2, dtype=np.int64)
        self._values = np.zeros(n, dtype=np.int64)
        self._flags = np.zeros(3, dtype=np.uint64)  # of the execution at hand; undefined behaviour; by reads-from alone

        def ints(*shape: int) -> NDArray[np.int64]:
            return np.zeros(shape, dtype=np.int64)

        def per_event() -> NDArray[np.int64]:
            return ints(n)

        relations = np.zeros((program.relations, n, width), dtype=np.uint64)
        self._work = Work(
            st=self._state,
            combo=ints(self._threads),
            t_base=ints(self._threads),
            g_event=per_event(),
            g_thread=per_event(),
            g_base=per_event(),
            g_loc=per_event(),
            g_kind=per_event(),
            val=self._values,
            source=per_event(),
            forced=per_event(),
            reads=per_event(),
            d_kind=ints(2 * n + places),
            d_what=ints(2 * n + places),
            choice=ints(2 * n + places),
            forced_option=ints(2 * n + places),
            refused_at=ints(2 * n + places, n + 1),
            may_fail=ints(2 * n + places),
            listed=per_event(),
            ordered=ints(places),
            accepted=ints(2 * n + places),
            sources=ints(n, n + 1),
            n_sources=per_event(),
            read_item=per_event(),
            cycle_members=ints(3, n + 2),
            reach=np.zeros((n, n), dtype=np.bool_),
            item_write=per_event(),
            item_slot=per_event(),
            item_before=per_event(),
            item_after=per_event(),
            pinned=ints(places),
            slot_first=ints(places),
            slot_length=ints(places),
            sequence=ints(places, n),
            path=ints(2, n),
            R=relations,
            flat=relations.reshape(program.relations, -1),
            S=np.zeros((program.sets, width), dtype=np.uint64),
            alive=np.zeros(width, dtype=np.uint64),
            flags=self._flags,
            missing=self._missing,
        )
        functions = lowered.functions
        self._findings = Findings(
            keys=functions.keys,
            results=functions.results,
            states=np.zeros((64, names), dtype=np.int32),
            counts=ints(64),
            raised=np.zeros(64, dtype=np.uint64),
            index=np.full(256, -1, dtype=np.int32),
            row=ints(names),
        )
        # What has been taken out of the kernels' counts, which are words: per state, and of all and of those cut.
        self._taken: NDArray[np.object_] = np.zeros(0, dtype=object)
        self._consistent, self._cut = 0, 0
        room = 16 if request.record else 1
        self._records = Records(ints(room, self._threads), ints(room, n), ints(room, n), ints(room, n))
        self._kept: list[Candidate] = []
        self._lanes: Lanes | None = None
        self._notes: tuple[str, ...] = ()
        self._turns = Turns(self._prog, self._work, _LONG)
        self._widening = False  # stop once many candidates wait at a decision

    def _bits_of(self, flag: str) -> tuple[int, int]:
        """Give the bits of a flag among those of the model, and among the early ends; ``ub`` is any ``ub-*``."""

        def bits(names: Sequence[str]) -> int:
            return sum(1 << bit for bit, name in enumerate(names) if flag in (name, "ub" if name[:3] == "ub-" else ""))

        return bits(self._program.flags), bits(self._lowered.ends)

    def _symmetry(self) -> tuple[dict[str, NDArray[np.generic]], tuple[Alike, ...]]:
        """Find threads that are alike; the arrays of the test say which, and states hold the same of each."""
        request, arrays = self._request, dict(self._lowered.arrays)
        like = np.full(self._threads, -1, dtype=np.int64)
        alike: tuple[Alike, ...] = ()
        names = [name for name, _ in self._program.base_relations]
        if _SYMMETRY and request.record == 0 and "text-order" not in names:
            alike = find_alike(arrays, self._lowered.kinds, names)
            arrays, shown = add_columns(arrays, alike)
            if shown and request.decided is not None:  # is asked about states as the search finds them
                arrays, alike, shown = dict(self._lowered.arrays), (), ()
            for each in alike:
                like[list(each.threads[1:])] = each.threads[:-1]
            alike = shown
        arrays["thread_like"] = like
        return arrays, alike

    def run(self) -> Outcomes:
        """Run to the end, or to a limit."""
        try:
            status, stopped = self._scalar()
        except KeyboardInterrupt:
            found = self._outcomes("limit", False)
            raise Interrupted(replace(found, notes=(*found.notes, "interrupted"))) from None
        return self._outcomes(status, stopped)

    def _scalar(self) -> tuple[str, bool]:
        """Run the search; give its status, and whether it found a state that decides."""
        budget = max(1, min(FIRST_STEPS, _FIRST_PAIRS // self._lowered.most_events**2))
        while True:
            begun = clock.now()
            reason = self._steps(budget)
            if reason == op.DONE:
                return "complete", False
            ended: tuple[str, bool] | None = None
            if reason == op.LONG_COMBINATION:
                ended = self._run_lanes()
            elif reason == op.PAUSED:
                elapsed = clock.now() - begun
                # Steps differ much in what they cost: they grow with the square of the events, and more.
                budget = max(1, min(2_000_000, 4 * budget, int(budget * _SLICE / max(elapsed, 1e-6))))
                if self._lanes is None and self._is_long():
                    ended = self._share()
                elif self._lanes is None:
                    self._give()
                    if self._turns.goes_on() and (ended := self._run_frontier()) is None:
                        self._turns.change()
            else:
                ended = self._attend(reason)
            if ended is not None and ended != ("complete", False):
                return ended
            if self._late():
                return "timeout", False

    def _steps(self, budget: int) -> int:
        """Go on step by step; say why that stopped."""
        reason: int = kernels.search(self._prog, self._data, self._work, self._findings, self._records, budget)
        return reason

    def _attend(self, reason: int) -> tuple[str, bool] | None:
        """Do what a kernel stopped for; give status and whether a state decides where that ends the search."""
        if reason == op.NEEDS_VALUE:
            self._compute()
        elif reason == op.NEEDS_STATES:
            self._grow()
        elif reason == op.NEEDS_TALLY:
            self._tally()
        elif reason == op.NEEDS_RECORDS:
            self._drain()
        elif reason == op.NEW_STATE:
            number = int(self._state[op.STATES]) - 1
            if self._request.decided is not None and self._decides(self._state_values(number)):
                return "complete", True
        else:
            assert reason == op.AT_LIMIT
            return "limit", False
        return None

    def _decides(self, values: tuple[Value, ...]) -> bool:
        assert self._request.decided is not None
        if self._hides_assert:
            *shown, failed = values
            return failed == 0 and self._request.decided(tuple(shown))
        return self._request.decided(values)

    def _run_lanes(self) -> tuple[str, bool]:
        """Go on in the combination of paths at hand with many candidates at a time, where that can be done."""
        from enumerator.search.lanes import TooEarly, make_lanes

        if self._lanes is None:
            if self._turns.leave():
                return "complete", False
            if (ended := self._run_frontier()) is not None:
                return ended
            if self._looks_ahead():
                if not self._turns.list_no_more():
                    self._state[op.LONG] = 2 * self._state[op.STEPS]
                return "complete", False
            try:
                self._lanes = make_lanes(self._prog, self._data, self._work, self._late)
            except Timeout:
                return "timeout", False
            except TooEarly:
                self._state[op.LONG] = 2 * self._state[op.STEPS]
                return "complete", False
            self._state[op.LONG] = _LONG
            if self._lanes is None:
                if not self._turns.list_no_more():
                    self._turns.may_list()
                return "complete", False
        packed = self._lanes.columns.view(np.uint64)
        budget = 1 if self._widening else 16
        while True:
            begun = clock.now()
            reason = kernels.search_lanes(
                self._prog,
                self._data,
                self._work,
                self._lanes,
                packed,
                self._findings,
                budget,
            )
            if reason == op.CYCLIC_LEAF:
                return "complete", False
            if reason == op.DONE:
                self._lanes = None
                self._turns.done()
                return "complete", False
            if reason == op.PAUSED:
                elapsed = clock.now() - begun
                # Steps differ much in what they cost: with more of them a slice might take seconds.
                budget = max(4, min(256, 2 * budget, int(budget * _SLICE / max(elapsed, 1e-6))))
                if self._is_long():
                    return self._share()
                if self._widening:
                    budget = 1
                    if self._lanes.lanes.max() >= WIDE:
                        return "wide", False
                else:
                    self._give()
                if (ended := self._run_frontier()) is not None:
                    return ended
                if self._turns.change():
                    self._lanes = None
                    return "complete", False
            elif (ended := self._attend(reason)) is not None:
                return ended
            if self._late():
                return "timeout", False

    def _looks_ahead(self) -> bool:
        """Tell whether looking ahead keeps the search out of many dead ends in this combination: lanes do not."""
        state = self._state
        leaves = int(state[op.EXPLORED] - state[op.BEGUN] - state[op.DEAD_ENDS])
        return _MOST_PRUNED * int(state[op.PRUNED]) > leaves

    def _run_frontier(self) -> tuple[str, bool] | None:
        """Go on in the combination of paths at hand with candidates of different futures only, as long as it may.

        None where that is not the end of the combination: then the search stands where it stood.
        """
        turns = self._turns
        if not self._request.outcomes_only or not turns.is_due():
            return None
        try:
            frontier = turns.begin(self._data, self._late)
        except Timeout:
            return "timeout", False
        while frontier is not None:
            reason = frontier.advance(self._findings)
            if reason == op.DONE:
                turns.won()
                self._lanes, self._state[op.LONG] = None, _LONG
                return "complete", False
            if reason == op.CYCLIC_LEAF:  # where values are cyclic, the other search goes on alone
                turns.refused = True
                break
            if reason != op.PAUSED and (ended := self._attend(reason)) is not None:
                return ended
            if 0 <= self._state[op.LIMIT] <= self._state[op.EXPLORED]:
                return "limit", False
            if self._late():
                return "timeout", False
            if not turns.has_time():
                break
        turns.end()
        return None

    def _late(self) -> bool:
        if self._deadline is None:
            return False
        # Listing the states that have been found takes time, too.
        return clock.now() + _LISTING * int(self._state[op.STATES]) > self._deadline

    # What a search that processes share does instead (sharing.py).

    def _is_long(self) -> bool:
        """Tell whether it is time to share what is left."""
        return False

    def _share(self) -> tuple[str, bool]:
        """Let others search what is left, if it can be cut."""
        return "complete", False

    def _give(self) -> None:
        """Give away some of what is left, if somebody asks for it."""

    def _compute(self) -> None:
        """Compute the function that the kernel misses, for the values that its inputs have now."""
        function, base = map(int, self._missing)
        functions = self._lowered.functions
        functions.compute(function, tuple(int(self._values[base + read]) for read in functions.reads[function]))
        self._findings = self._findings._replace(keys=functions.keys, results=functions.results)

    def _state_values(self, number: int) -> tuple[Value, ...]:
        return self._values_of(self._findings.states[number].tolist())

    def _values_of(self, row: Sequence[int]) -> tuple[Value, ...]:
        return tuple(map(self._lowered.values.value, row))

    def _tally(self) -> None:
        """Take the counts out of the kernels: with many threads that are alike they outgrow words."""
        self._taken = self._whole_counts().astype(object)
        self._consistent += int(self._state[op.CONSISTENT])
        self._cut += int(self._state[op.CUT])
        self._findings.counts[:] = 0
        self._state[op.CONSISTENT] = self._state[op.CUT] = 0

    def _whole_counts(self) -> NDArray[np.generic]:
        """Give the counts of the states: words, unless some had to be taken out of the kernels."""
        counts = self._findings.counts[: int(self._state[op.STATES])]
        if not len(self._taken):
            return counts
        whole = counts.astype(object)
        whole[: len(self._taken)] += self._taken
        return whole

    def _grow(self) -> None:
        self._findings = grown = self._findings._replace(
            states=_doubled(self._findings.states),
            counts=_doubled(self._findings.counts),
            raised=_doubled(self._findings.raised),
            index=np.full(8 * len(self._findings.states), -1, dtype=np.int32),
        )
        kernels.index_states(int(self._state[op.STATES]), grown)

    def _drain(self) -> None:
        """Take the recorded executions out of the kernel's buffer."""
        for number in range(int(self._state[op.RECORDS])):
            self._kept.append(self._candidate(*(array[number] for array in self._records)))
        self._state[op.RECORDS] = 0

    def _candidate(
        self,
        combo: NDArray[np.int64],
        sources: NDArray[np.int64],
        places: NDArray[np.int64],
        values: NDArray[np.int64],
    ) -> Candidate:
        arrays = self._lowered.arrays
        paths = [int(arrays["thread_first"][thread] + combo[thread]) for thread in range(self._threads)]
        spans = [range(int(arrays["p_event"][path]), int(arrays["p_event"][path + 1])) for path in paths]
        located = [int(arrays["e_loc"][event]) for span in spans for event in span]
        initial = sorted({place for place in located if place >= 0})
        locations = [*initial, *located]
        orders: dict[int, list[tuple[int, int]]] = {place: [] for place in initial}
        for event, place in enumerate(locations):
            if place >= 0 and places[event] >= 0:
                orders[place].append((int(places[event]), event))
        known = self._lowered.values
        return Candidate(
            paths=tuple(int(number) for number in combo),
            reads_from=tuple(
                (int(sources[event]), event) for event in range(len(locations)) if int(sources[event]) >= 0
            ),
            orders=tuple(tuple(event for _, event in sorted(orders[place])) for place in initial),
            values=tuple(known.value(max(int(values[event]), 0)) for event in range(len(locations))),
        )

    def _found(self) -> tuple[NDArray[Any], NDArray[np.generic], NDArray[np.uint64], bool]:
        """Give the states, for all arrangements of threads: rows, counts, flags, and whether these are all."""
        count = int(self._state[op.STATES])
        rows, raised = self._findings.states[:count], self._findings.raised[:count]
        counts = self._whole_counts()
        if not self._alike:
            return rows, counts, raised, True
        # Flags are the same in all arrangements: they go before the columns that are there for the arrangements only.
        names, flags, held = len(self._request.names), len(self._prog.shown), len(self._arrays["obs_thread"])
        rows = np.column_stack([rows[:, :names], rows[:, held:], rows[:, names:held]])
        alike = [
            Alike(each.threads, tuple(tuple(c + flags * (c >= names) for c in columns) for columns in each.columns))
            for each in self._alike
        ]
        found, whole = expand(Found(rows, counts, raised), tuple(alike), names + flags, self._late_to_expand)
        return found.rows, found.counts, found.raised, whole

    def _late_to_expand(self, count: int) -> bool:
        return self._deadline is not None and clock.now() + _LISTING * count > self._deadline

    def _outcomes(self, status: str, stopped: bool) -> Outcomes:
        self._drain()
        rows, counts, state_flags, whole = self._found()
        beside = np.uint64(0)  # flags of executions without a state
        if self._hides_assert:
            failed = rows[:, -1] == self._prog.config[10]
            beside = np.bitwise_or.reduce(state_flags[failed], initial=np.uint64(0))
            rows, counts, state_flags = rows[~failed, :-1], counts[~failed], state_flags[~failed]
        consistent, cut = self._consistent + int(self._state[op.CONSISTENT]), self._cut + int(self._state[op.CUT])
        if not whole and status == "complete":
            status = "timeout"
        if self._request.outcomes_only:
            counts = np.zeros(len(rows), dtype=np.int64)
        states, order = StateTable.of_numbers(rows, self._lowered.values.value, counts)
        program, state = self._program, self._state
        passes = self._request.test.condition.filter
        if passes is not None:
            state_flags = state_flags[order][truth(passes, self._request.columns, states)[0]]
        bits = int(np.bitwise_or.reduce(state_flags, initial=beside))
        raised = {name for bit, name in enumerate(program.flags) if bits >> bit & 1}
        behaviour = {name for bit, name in enumerate(self._lowered.ends) if int(self._flags[1]) >> bit & 1}
        flags = raised | behaviour
        if any(flag.startswith("ub-") for flag in flags):
            flags.add("ub")
        return Outcomes(
            states=states,
            flags=frozenset(flags),
            undefined=bool(raised & program.undefined),
            explored=int(state[op.EXPLORED]),
            consistent=consistent,
            cut=cut,
            status=status,
            stopped=stopped,
            notes=(*((OUT_OF_THIN_AIR,) if state[op.CYCLIC] else ()), *self._lowered.notes, *self._notes),
            executions=tuple(self._kept),
        )


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """Give an array with room for as much again; what is new is written before it is read."""
    longer = np.empty((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _base(program: Bytecode, kinds: Kinds) -> dict[str, NDArray[np.generic]]:
    """Lay out the predefined relations and sets that a program asks for, as kinds, attributes and paths decide them."""
    rows: list[tuple[int, ...]] = []
    for name, register in program.base_relations:
        relation = RELATIONS[name]
        first, second = (KEYS.index(key) for key in relation.same) if relation.same else (-1, -1)
        rows.append((register, first, second, int(relation.before), LISTED.index(name) if relation.listed else -1))
    count = len(kinds.known)
    pairs = [kinds.pairs(name) for name, _ in program.base_relations]
    members = [[name in kinds.sets(kind) for kind in range(count)] for name, _ in program.base_sets]
    return {
        "base_relations": np.array(rows, dtype=np.int64).reshape(-1, 5),
        "kind_pairs": np.array([each for each, _ in pairs], dtype=np.bool_).reshape(len(pairs), count, count),
        "kind_itself": np.array([each for _, each in pairs], dtype=np.bool_).reshape(len(pairs), count),
        "base_sets": np.array([register for _, register in program.base_sets], dtype=np.int64),
        "kind_sets": np.array(members, dtype=np.bool_).reshape(len(members), count),
    }
