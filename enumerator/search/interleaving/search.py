"""The search over the states of a machine: its arrays, its parts, and the outcomes that they combine to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.typing import world
from enumerator.clock import now, remaining, time_limit
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass
from enumerator.program.flags import with_ub
from enumerator.program.values import Value
from enumerator.request import Outcomes, Request
from enumerator.results.table import StateTable
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search import places as at
from enumerator.search.bitset import enumerate_test as by_bitset
from enumerator.search.interleaving.parts import Part, independent_parts
from enumerator.search.interleaving.program import Machine, lay_out
from enumerator.search.interleaving.shape import Shape, shape_of
from enumerator.search.lower import Lowered, lower
from enumerator.unfold import Unfolded, unfold
from enumerator.unfold.state import BLOCKED

__all__ = ["enumerate_test", "prepare"]

_SLICE = 0.05
"""Seconds that a kernel runs before it returns: timeouts and Ctrl-C are noticed that soon."""

_FIRST_PAIRS = 1 << 16
"""Pairs of events that are looked at before the first look at the clock: a state looks at all of them, or more."""

_MOST_OUTCOMES = 1 << 21
"""Of all parts together: more than this many are not written down."""


def enumerate_test(request: Request) -> Outcomes:
    """Find the outcomes of a test under a model whose executions are interleavings.

    Parameters
    ----------
    request : Request
        Executions themselves, if it asks for them, come from the bitset engine, and so do states that tell of flags.

    Returns
    -------
    Outcomes
        Not counted: `explored` are the states visited, `consistent` those of them in which a run ends.

    Raises
    ------
    InputError
        Where the test cannot be used, or the model is of another shape.
    """
    if request.record or request.forbidden or request.flags:
        return by_bitset(request)
    shape = shape_of(request.model, request.test)
    if isinstance(shape, str):
        raise InputError(
            f"the interleaving engine takes models in which memory is sequentially consistent; of "
            f"'{request.model.name}': {shape}"
        )
    with time_limit(request.timeout):
        try:
            returns = world(request.model.model, request.model.variants).returns
            waits = not returns
            unfolded = unfold(request.test, undef=False, unroll=request.unroll, waits=waits, asked=request.registers)
            _refuse_waits(unfolded)
            if any(path.end == BLOCKED for options in unfolded.paths for path in options):
                return by_bitset(request)  # who stays at a barrier is not said step by step
            lowered = lower(unfolded, request.profile, request.names)
            if lowered.joined or "whole" in lowered.compared:
                return by_bitset(request)  # a step of the machine accesses one cell
            if "FREE" in lowered.labels:
                return by_bitset(request)  # stack slots end: a flag tells of accesses after that
            return _Search(request, shape, unfolded, lowered).run()
        except LimitReached as limit:
            return Outcomes({}, status=limit.status, counted=False, notes=(str(limit),))


def _refuse_waits(unfolded: Unfolded) -> None:
    """Raise an error where a thread waits: whether it does so for ever is a question about orders of writes."""
    for options in unfolded.paths:
        for path in options:
            if path.end == "stuck":
                message = "the interleaving engine does not cover loops that wait, in models without RET"
                raise InputError(message, unfolded.test.path, path.end_line)


@dataclass
class _Found:
    """What the search of a part found."""

    names: tuple[int, ...]
    rows: set[tuple[int, ...]] = field(default_factory=set)
    cut: int = 0
    undefined: int = 0
    states: int = 0
    runs: int = 0
    status: str = "complete"
    stopped: bool = False


class _Search:
    def __init__(self, request: Request, shape: Shape, unfolded: Unfolded, lowered: Lowered) -> None:
        self._request, self._lowered = request, lowered
        self._parts = independent_parts(unfolded, lowered, shape)
        self._machine = lay_out(unfolded, lowered, shape)
        self._paths = [len(options[0].events) if options else 0 for options in unfolded.paths]
        self._possible = all(unfolded.paths)

    def run(self) -> Outcomes:
        """Search every part and combine what they found."""
        if not self._possible:
            return Outcomes({}, counted=False)
        found = []
        for part in self._parts:
            found.append(_PartSearch(self._request, self._lowered, self._of_part(part)).run())
            if found[-1].status != "complete":
                break
        return self._combined(found, whole=len(found) == len(self._parts))

    def _of_part(self, part: Part) -> _Start:
        """Give the machine for a part: what is not of it has run, and nobody asks for it."""
        threads, words = self._machine.numbers[at.THREADS], self._machine.numbers[at.WORDS]
        nodes = list(self._machine.roots[:-1])
        done = np.zeros((threads, words), dtype=np.uint64)
        for thread in range(threads):
            if thread not in part.events:
                nodes[thread] = self._machine.roots[-1]
            elif (events := part.events[thread]) is not None:
                for event in set(range(self._paths[thread])) - events:
                    done[thread, event >> 6] |= np.uint64(1 << (event & 63))
        return _Start(self._machine, tuple(sorted(part.names)), nodes, done.view(np.int64))

    def _combined(self, found: list[_Found], whole: bool) -> Outcomes:
        lowered = self._lowered
        status = next((part.status for part in found if part.status != "complete"), "complete")
        notes: tuple[str, ...] = lowered.notes
        # A run of the test is a run of each part: without one of some part there is none.
        possible = [bool(part.rows or part.cut or part.undefined) for part in found]
        states: Mapping[tuple[Value, ...], int] = {}
        flags: set[str] = set()
        cut = 0
        if all(possible) and whole:
            for bit, name in enumerate(lowered.ends):
                if any(part.undefined >> bit & 1 for part in found):
                    flags.add(name)
            if all(part.rows or part.cut for part in found):
                cut = sum(part.cut for part in found)
            if np.prod([float(len(part.rows)) for part in found]) > _MOST_OUTCOMES:
                status = "limit"
                notes = (*notes, f"there are more than {_MOST_OUTCOMES} final states")
            else:
                states = self._states(found)
        return Outcomes(
            states=states,
            flags=with_ub(flags),
            explored=sum(part.states for part in found),
            consistent=sum(part.runs for part in found),
            cut=cut,
            status=status,
            stopped=any(part.stopped for part in found),
            notes=notes,
            counted=False,
        )

    def _states(self, found: list[_Found]) -> StateTable:
        """Combine each outcome of a part with each of the others."""
        rows = np.zeros((1, len(self._request.names)), dtype=np.int64)
        for part in found:
            more = np.array(list(part.rows), dtype=np.int64).reshape(len(part.rows), len(part.names))
            count = len(rows)
            rows = np.repeat(rows, len(more), axis=0)
            rows[:, list(part.names)] = np.tile(more, (count, 1))
        return StateTable.of_numbers(rows, self._lowered.values.value, np.zeros(len(rows), dtype=np.int64))[0]


@dataclass(frozen=True)
class _Start:
    """A machine and its first state."""

    machine: Machine
    names: tuple[int, ...]
    nodes: list[int]
    done: NDArray[np.int64]


class _PartSearch:
    """The search of one part: arrays that grow as needed, and the loop that runs the kernel a slice at a time."""

    def __init__(self, request: Request, lowered: Lowered, start: _Start) -> None:
        self._request, self._lowered, self._start = request, lowered, start
        machine = start.machine
        names = machine.numbers[at.NAMES]
        mine = np.zeros(names, dtype=np.int64)
        mine[list(start.names)] = 1
        self._program = machine.flat(O_MINE=mine)
        self._work, views = machine.work()
        views[at.W_NODE][:] = start.nodes
        views[at.W_DONE][:] = start.done.ravel()
        views[at.W_VAL][:] = views[at.W_SNAP][:] = op.UNKNOWN_ID
        views[at.W_MEM][:] = lowered.arrays["loc_value"]
        self._values = views[at.W_VAL]
        self._state = np.zeros(op.I_SIZE, dtype=np.int64)
        self._missing = np.zeros(2, dtype=np.int64)
        # One state leads to no more than this many.
        self._cells = len(views[at.W_CAN])
        self._room = self._cells + int(np.diff(machine.tables[at.K_FIRST]).max(initial=0)) + 2
        self._rows = np.zeros((256 + self._room, machine.width), dtype=np.uint32)
        self._index = np.full(_power(4 * len(self._rows)), -1, dtype=np.int64)
        self._stack = np.zeros(len(self._rows) + 1, dtype=np.int64)
        self._out = np.zeros((64, names), dtype=np.uint32)
        self._out_index = np.full(256, -1, dtype=np.int64)

    def run(self) -> _Found:
        """Run to the end, or to a limit."""
        found = _Found(self._start.names)
        kernels.begin(self._program, self._work, self._state, self._rows, self._index, self._stack)
        functions = self._lowered.functions
        budget = max(1, min(256, _FIRST_PAIRS // self._cells**2))
        told = 0
        limit = self._request.max_executions
        while True:
            begun = now()
            reason = kernels.interleave(
                self._program,
                self._work,
                self._state,
                self._rows,
                self._index,
                self._stack,
                self._out,
                self._out_index,
                functions.keys,
                functions.results,
                self._missing,
                self._room,
                budget,
            )
            if reason == op.DONE:
                break
            if reason == op.NEEDS_VALUE:
                function, base = map(int, self._missing)
                inputs = tuple(int(self._values[base + read]) for read in functions.reads[function])
                functions.compute(function, inputs)
            elif reason == op.NEEDS_STATES:
                self._grow()
            elif reason == op.NEEDS_RECORDS:
                self._grow_outcomes()
            else:
                budget = max(1, min(1_000_000, 8 * budget, int(budget * _SLICE / max(now() - begun, 1e-6))))
            if self._decided(told):
                found.stopped = True
                break
            told = int(self._state[op.I_OUTCOMES])
            if limit is not None and self._state[op.I_STATES] > limit:
                found.status = "limit"
                break
            if remaining() == 0.0:
                found.status = "timeout"
                break
        state = self._state
        found.rows = set(map(tuple, self._out[: int(state[op.I_OUTCOMES]), list(self._start.names)].tolist()))
        found.cut, found.undefined = int(state[op.I_CUT]), int(state[op.I_FLAGS])
        found.states, found.runs = int(state[op.I_STATES]), int(state[op.I_TERMINAL])
        return found

    def _decided(self, told: int) -> bool:
        """Ask about the outcomes that are new, where this part has them whole."""
        decided = self._request.decided
        if decided is None or len(self._start.names) != len(self._request.names):
            return False
        value = self._lowered.values.value
        rows = self._out[told : int(self._state[op.I_OUTCOMES])].tolist()
        return any(decided(tuple(map(value, row))) for row in rows)

    def _grow(self) -> None:
        self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._stack = np.concatenate([self._stack, np.zeros_like(self._stack)])
        self._index = np.full(_power(4 * len(self._rows)), -1, dtype=np.int64)
        kernels.index_rows(self._rows, self._index, int(self._state[op.I_STATES]))

    def _grow_outcomes(self) -> None:
        self._out = np.concatenate([self._out, np.zeros_like(self._out)])
        self._out_index = np.full(_power(4 * len(self._out)), -1, dtype=np.int64)
        kernels.index_rows(self._out, self._out_index, int(self._state[op.I_OUTCOMES]))


@cache
def prepare() -> None:
    """Ready the kernels: compile them, or load them from where an earlier run has put them."""
    one, rows = np.zeros(at.HEADER, dtype=np.int64), np.zeros((1, 1), dtype=np.uint32)
    state, free = np.zeros(op.I_SIZE, dtype=np.int64), np.full(4, -1, dtype=np.int64)
    kernels.begin(one, one.copy(), state, np.zeros((2, 1), dtype=np.uint32), free, one.copy())
    kernels.index_rows(rows, free, 0)
    state[:] = 0
    kernels.interleave(one, one, state, rows, free, one, rows, free, free, free, one, 0, 0)


def _power(number: int) -> int:
    """Give the least power of two that is no less."""
    return 1 << max(number - 1, 1).bit_length()
