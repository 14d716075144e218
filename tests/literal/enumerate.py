"""All candidate executions of a test, and what the consistent ones end in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise, permutations, product
from typing import Any

from enumerator.errors import InputError, LimitReached
from enumerator.program.instructions import Constant, Switch
from enumerator.program.test import Test, Thread
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import UNDEF, Pointer, Value
from tests.literal.arithmetic import wrap
from tests.literal.availability import Amdgpu2026Candidate, AmdgpuCandidate
from tests.literal.blocked import misses_barrier, with_blocked
from tests.literal.consistency import RF, LlvmCandidate
from tests.literal.contents import Content, all_undef, encode
from tests.literal.events import Event, Location, Trace
from tests.literal.interpreter import Frozen, SlotEscapes, traces
from tests.literal.memory import initial_content, initial_value, named_types
from tests.literal.objects import meetings, operates_on_objects
from tests.literal.outcome import final_state, flags_of_accesses, waits_for_last
from tests.literal.program import Program
from tests.literal.relations import Pairs, acyclic, closure
from tests.literal.waiting import plainly_written

__all__ = ["Outcome", "all_names", "enumerate_literally"]

_Written = tuple[Location, Content]
_latest: list[Any] = []
"""What was asked of `thread_traces` last, and the answer: names and outcomes of a test are asked for in turn."""
_MODELS = {"llvm": LlvmCandidate, "amdgpu": AmdgpuCandidate, "amdgpu-2026": Amdgpu2026Candidate}


@dataclass(frozen=True)
class Outcome:
    """What all consistent executions end in.

    Parameters
    ----------
    names : tuple of str
        Registers and locations, in order.
    states : dict of tuple of Value to int
        Final values in the order of the names, and the number of executions that end in them.
    flags : frozenset of str
    consistent : int
        Executions that satisfy the model, those that end in undefined behaviour or are cut included.
    cut : int
    """

    names: tuple[str, ...]
    states: dict[tuple[Value, ...], int]
    flags: frozenset[str]
    consistent: int
    cut: int


def enumerate_literally(
    test: Test,
    *,
    model: str = "llvm",
    profile: str = "generic",
    hb: str = "closure",
    thin_air: str = "dep",
    names: Sequence[str] | None = None,
    unroll: int = 2,
    most: int | None = None,
    objects: bool | None = None,
) -> Outcome:
    """Enumerate a test by brute force.

    Parameters
    ----------
    test : Test
    model : {'llvm', 'amdgpu', 'amdgpu-2026'}
    profile : {'generic', 'strict', 'vulkan', 'amdgpu'}
    hb : {'closure', 'direct', 'filtered'}
    thin_air : {'dep', 'rc11', 'none'}
    names : sequence of str, optional
        What makes a state; all registers and locations if not given.
    unroll : int
    most : int, optional
        Give up beyond so many candidates.
    objects : bool, optional
        Whether the rule on barrier objects is used; if not given, where barriers other than the workgroup's are.

    Raises
    ------
    LimitReached
    """
    runs = thread_traces(test, unroll, thin_air)
    chosen = tuple(names) if names is not None else _names(test, runs)
    states: dict[tuple[Value, ...], int] = {}
    flags: set[str] = set()
    consistent = cut = 0
    for candidate, mo in consistent_executions(test, runs, model, profile, hb, thin_air, most, objects):
        if not waits_for_last(candidate, mo):
            continue
        consistent += 1
        ends = {trace.end for trace in candidate.program.traces}
        if "part-of-whole" in ends:
            raise InputError("some bytes of a value that is kept whole are read", test.path)
        undefined = {end for end in ends if end.startswith("ub-")}
        if undefined:
            flags |= undefined
        elif "cut" in ends:
            cut += 1
        elif "stuck" in ends:
            flags |= {"stuck"} | flags_of_accesses(candidate)
        elif candidate.program.barriers_differ:
            flags.add("ub-barrier")
        else:
            flags |= flags_of_accesses(candidate)
            state = final_state(test, candidate, mo, chosen)
            states[state] = states.get(state, 0) + 1
    if any(flag.startswith("ub-") for flag in flags):
        flags.add("ub")
    return Outcome(chosen, states, frozenset(flags), consistent, cut)


def all_names(test: Test, unroll: int = 2, thin_air: str = "dep") -> tuple[str, ...]:
    """Every register that some trace assigns, then every location."""
    return _names(test, thread_traces(test, unroll, thin_air))


def _names(test: Test, runs: list[list[Trace]]) -> tuple[str, ...]:
    registers = sorted({f"{t.thread}:{name}" for ts in runs for t in ts for name, _ in t.registers})
    return (*registers, *named_types(test))


# Values that may be read ------------------------------------------------------------------------------------


def thread_traces(test: Test, unroll: int, thin_air: str) -> list[list[Trace]]:
    """The traces of each thread, over the values that writes can produce.

    A value that passes through n reads, each of which a write depends on, is known after n rounds. With the thin-air
    axiom it comes from earlier values only, along dependencies: a write counts once every read on which it depends
    returns a known value. A read on which it does not depend may still have to return something (undefined behaviour
    would end the thread there), so reads are offered the constants of the test as well while values are collected.
    Without the axiom a value may come round a cycle, and then starts from a constant of the test.
    """
    asked = (test, unroll, thin_air)
    if _latest and _latest[0][0] is test and _latest[0][1:] == asked[1:]:
        return _latest[1]
    escaped: dict[str, int] = {}
    cuts: dict[str, frozenset[int]] = {}
    waits = True
    while True:
        try:
            values = _Values(test, escaped, cuts, waits)
            found = _thread_traces(values, unroll, thin_air)
            if values.seen != cuts:
                cuts = values.seen
                continue
            if waits and plainly_written(found):
                waits = False
                continue
            _latest[:] = asked, found
            return found
        except SlotEscapes as slot:
            escaped[slot.name] = slot.size


def _thread_traces(values: _Values, unroll: int, thin_air: str) -> list[list[Trace]]:
    bound = 0
    rounds = 0
    speculate = thin_air == "none"
    while True:
        runs = values.traces(unroll, constants=speculate)
        if not speculate and any(trace.end.startswith("ub-") for ts in runs for trace in ts):
            speculate = True
            continue
        grown = values.collect(runs, everything=thin_air == "none")
        bound = max(bound, sum(max(map(_passed_on, ts)) for ts in runs))
        rounds += 1
        if not grown or rounds > bound:
            return values.traces(unroll, constants=thin_air == "none")


def _passed_on(trace: Trace) -> int:
    """How many instructions read something on which a write depends."""
    writes = [event for event in trace.events if event.kind == "W"]
    reads = {read for w in writes for read in w.addr | w.data | w.ctrl | (set() if w.rmw is None else {w.rmw})}
    return len({trace.events[read].instruction for read in reads})


def _initially(test: Test, cell: Location) -> tuple[Content, ...]:
    """What a cell holds initially; nothing of a thread's own memory."""
    try:
        return (initial_content(test, cell),)
    except InputError:
        return ()


class _Values:
    """What reads may return, growing."""

    def __init__(self, test: Test, escaped: Mapping[str, int], cuts: dict[str, frozenset[int]], waits: bool) -> None:
        self.test = test
        self.escaped = escaped
        self.cuts = cuts
        self.seen = dict(cuts)
        self.waits = waits
        self.numbers = constants_of(test)
        self.addresses = tuple(Pointer(memory.name) for memory in test.objects)
        self.written: dict[Location, set[Content]] = {}
        self.runs: dict[str, tuple[dict[tuple[Location, Location, Type], list[Content]], list[Trace]]] = {}

    def cells(self, access: Location) -> list[Location]:
        """Section 8: the coarsest cut of an object such that each access covers whole cells.

        While accesses are still found they are cut as the ones known before ask for; then all begins anew.
        """
        start, end = access.offset, access.offset + access.size
        nothing: frozenset[int] = frozenset()
        self.seen[access.object] = self.seen.get(access.object, nothing) | {start, end}
        inside = sorted({start, end, *(cut for cut in self.cuts.get(access.object, nothing) if start < cut < end)})
        return [Location(access.object, low, high - low) for low, high in pairwise(inside)]

    def known(self, cell: Location) -> set[Content]:
        """What was written so far, what was there initially, and undef, which any read may return by rule."""
        if cell not in self.written:
            self.written[cell] = {(UNDEF,) * cell.size, *_initially(self.test, cell)}
        return self.written[cell]

    def offered(self, cell: Location, access: Location, type_: Type, constants: bool) -> list[Content]:
        """What a read of a cell may return."""
        free = constants_of_type(type_, self.numbers, self.addresses) if constants else ()
        contents = (_part_of(encode(value, type_, self.test.big_endian), cell, access) for value in free)
        return sorted(self.known(cell).union(contents), key=repr)

    def traces(self, unroll: int, *, constants: bool) -> list[list[Trace]]:
        return [self._traces(thread, unroll, constants) for thread in self.test.threads]

    def _traces(self, thread: Thread, unroll: int, constants: bool) -> list[Trace]:
        """The traces of a thread: those of the round before, if its reads are offered what they were then."""
        if thread.name in self.runs:
            asked, found = self.runs[thread.name]
            if all(self.offered(*read, constants) == values for read, values in asked.items()):
                return found
        asked = {}

        def readable(cell: Location, access: Location, type_: Type) -> list[Content]:
            if (cell, access, type_) not in asked:
                asked[cell, access, type_] = self.offered(cell, access, type_, constants)
            return asked[cell, access, type_]

        frozen = frozen_values(self.numbers, self.addresses)
        found = list(traces(self.test, thread, readable, self.cells, frozen, unroll, self.escaped, self.waits))
        self.runs[thread.name] = asked, found
        return found

    def collect(self, runs: list[list[Trace]], *, everything: bool) -> bool:
        """Add what writes write; tell whether any of it is new."""
        new: list[_Written] = []
        for trace in (trace for ts in runs for trace in ts):
            for event in trace.events:
                if event.kind != "W" or event.location is None or event.content in self.known(event.location):
                    continue
                own = set() if event.rmw is None else {event.rmw}
                sources = [trace.events[read] for read in event.addr | event.data | event.ctrl | own]
                if everything or all(e.location is None or e.content in self.known(e.location) for e in sources):
                    new.append((event.location, event.content))
        for location, content in new:
            self.known(location).add(content)
        return bool(new)


def constants_of(test: Test) -> frozenset[int]:
    """Integers in the program, the initial values and the condition; 0 and 1 always are among them."""
    found: set[int] = {0, 1}

    def walk(part: object) -> None:
        if isinstance(part, Constant):
            found.update(_integers(part.value))
        elif isinstance(part, Switch):
            found.update(number for value, _ in part.cases for number in _integers(value))
            walk(part.value)
        elif isinstance(part, tuple):
            for element in part:
                walk(element)
        elif is_dataclass(part):
            for member in fields(part):
                inner = getattr(part, member.name)
                if member.name == "value" and isinstance(inner, int):
                    found.add(inner)  # a literal of the condition
                walk(inner)

    for function in test.functions.values():
        walk(function.blocks)
    for thread in test.threads:
        walk(thread.arguments)
    walk(test.condition.formula)
    for location, type_ in named_types(test).values():
        found.update(_integers(initial_value(test, location, type_)))
    return frozenset(found)


def _integers(value: Value) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _integers(part)


def constants_of_type(type_: Type, numbers: frozenset[int], addresses: tuple[Pointer, ...]) -> frozenset[Value]:
    """What a free value of a type ranges over."""
    if isinstance(type_, IntType):
        return frozenset(wrap(number, type_.width) for number in numbers)
    return frozenset(addresses) if isinstance(type_, PointerType) else frozenset()


def frozen_values(constants: frozenset[int], addresses: tuple[Pointer, ...]) -> Frozen:
    """Values for ``freeze`` of undef: each constant and its neighbours; for pointers null and the objects."""

    def values(type_: Type) -> Sequence[Value]:
        if isinstance(type_, IntType):
            return sorted({wrap(c + d, type_.width) for c in constants for d in (-1, 0, 1)})
        if isinstance(type_, PointerType):
            return (Pointer(""), *addresses)
        raise InputError("freeze of this type is not covered")

    return values


# Candidates -------------------------------------------------------------------------------------------------


def consistent_executions(
    test: Test,
    runs: list[list[Trace]],
    model: str,
    profile: str,
    hb: str,
    thin_air: str,
    most: int | None = None,
    objects: bool | None = None,
) -> Iterator[tuple[LlvmCandidate, Pairs]]:
    """Every choice of traces, reads-from and mo that satisfies the model."""
    tried = 0
    if objects is None:
        objects = any(map(operates_on_objects, runs))
    for program in _programs(test, runs, profile, objects):
        for source in reads_from(program):
            tried += 1
            if most is not None and tried > most:
                raise LimitReached
            if not cyclic_values_are_constants(program, source):
                continue
            candidate = _MODELS[model](program, source, hb, thin_air)
            if candidate.consistent_without_order():
                for mo in orders(program):
                    if candidate.consistent_with_order(mo):
                        yield candidate, mo


def _programs(test: Test, runs: list[list[Trace]], profile: str, objects: bool) -> Iterator[Program]:
    seen = set()
    for combination in _combinations(test, runs if objects else with_blocked(runs)):
        if not objects:
            program = Program(test, combination, profile)
            if not misses_barrier(program):
                yield program
            continue
        for met in meetings(test, combination):
            if met not in seen:  # traces that are undefined before they part are one
                seen.add(met)
                yield Program(test, met.traces, profile, met)


def _combinations(test: Test, runs: list[list[Trace]]) -> Iterator[tuple[Trace, ...]]:
    """One trace a thread, less those with a read of a value that nobody writes."""
    initial: dict[Location, Content] = {}
    summaries: list[list[tuple[Trace, set[_Written], set[_Written]]]] = []
    for ts in runs:
        summaries.append([])
        for trace in ts:
            needed = {
                (e.location, e.content)
                for e in trace.events
                if e.kind == "R" and e.location is not None and not all_undef(e.content)
            }
            for location, _ in needed:
                initial.update((location, content) for content in _initially(test, location))
            provided = {(e.location, e.content) for e in trace.events if e.kind == "W" and e.location is not None}
            summaries[-1].append((trace, needed, provided))
    start = set(initial.items())
    for rows in product(*summaries):
        offered = start.union(*(provided for _, _, provided in rows))
        if all(needed <= offered for _, needed, _ in rows):
            yield tuple(trace for trace, _, _ in rows)


def reads_from(program: Program) -> Iterator[RF]:
    """Every way to give each read a write of what it finds, or none where that is undef."""
    reads = sorted(program.reads)
    options: list[list[int | None]] = []
    for read in reads:
        content = program.events[read].content
        sources: list[int | None] = [
            write
            for write in sorted(program.writes)
            if (write, read) in program.loc
            and write != program.own_write(read)
            and program.events[write].content == content
        ]
        options.append([None, *sources] if all_undef(content) else sources)
    for choice in product(*options):
        yield dict(zip(reads, choice, strict=True))


def cyclic_values_are_constants(program: Program, source: RF) -> bool:
    """On each cycle of value equations some read has a value among the constants of the test."""
    flow = frozenset(
        (program.first[thread] + earlier, read)
        for read, write in source.items()
        if write is not None and (thread := program.thread[write]) is not None
        for earlier in program.events[write].inputs
    )
    if acyclic(flow):
        return True
    numbers = constants_of(program.test)
    addresses = tuple(Pointer(memory.name) for memory in program.test.objects)
    free = set()
    for read in source:
        event = program.events[read]
        if event.type is not None and _is_constant(event, constants_of_type(event.type, numbers, addresses), program):
            free.add(read)
    return acyclic(frozenset((a, b) for a, b in flow if a not in free and b not in free))


def _is_constant(event: Event, constants: frozenset[Value], program: Program) -> bool:
    assert event.type is not None and event.location is not None and event.access is not None
    contents = (encode(value, event.type, program.test.big_endian) for value in constants)
    return any(_part_of(content, event.location, event.access) == event.content for content in contents)


def _part_of(content: Content, cell: Location, access: Location) -> Content:
    start = cell.offset - access.offset
    return content[start : start + cell.size]


def orders(program: Program) -> Iterator[Pairs]:
    """mo: one total order a cell over its A writes, the initial write first."""
    choices = []
    for location in program.locations:
        writes = [w for w in sorted(program.writes & program.strong) if program.events[w].location == location]
        first = [w for w in writes if w in program.initial]
        rest = [w for w in writes if w not in program.initial]
        choices.append([(*first, *order) for order in permutations(rest)])
    for choice in product(*choices):
        chains: set[tuple[int, int]] = set()
        for order in choice:
            chains.update(pairwise(order))
        yield closure(frozenset(chains))
