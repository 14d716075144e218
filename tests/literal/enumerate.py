"""All candidate executions of a test, and what the consistent ones end in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise, permutations, product
from typing import Any

from enumerator.errors import InputError
from enumerator.program.instructions import Constant, Switch
from enumerator.program.test import Test, Thread
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import UNDEF, Pointer, Value
from tests.literal.arithmetic import is_undef, wrap
from tests.literal.availability import Amdgpu2026Candidate, AmdgpuCandidate
from tests.literal.consistency import RF, LlvmCandidate
from tests.literal.events import Location, Trace
from tests.literal.interpreter import Frozen, SlotEscapes, traces
from tests.literal.memory import initial_value, named_locations
from tests.literal.program import Program
from tests.literal.relations import Pairs, acyclic, closure
from tests.literal.waiting import plainly_written

__all__ = ["Outcome", "all_names", "enumerate_literally"]

_Written = tuple[Location, Value]
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
    """
    runs = thread_traces(test, unroll, thin_air)
    chosen = tuple(names) if names is not None else _names(test, runs)
    states: dict[tuple[Value, ...], int] = {}
    flags: set[str] = set()
    consistent = cut = 0
    for candidate, mo in consistent_executions(test, runs, model, profile, hb, thin_air):
        if not waits_for_last(candidate, mo):
            continue
        consistent += 1
        ends = {trace.end for trace in candidate.program.traces}
        undefined = {end for end in ends if end.startswith("ub-")}
        if undefined:
            flags |= undefined
        elif "cut" in ends:
            cut += 1
        elif "stuck" in ends:
            flags |= {"stuck"} | ({"race"} if candidate.races() else set())
            flags |= {"ub-private"} if private_claim_broken(candidate.program) else set()
        elif candidate.program.barriers_differ:
            flags.add("ub-barrier")
        else:
            flags |= {"race"} if candidate.races() else set()
            flags |= {"ub-private"} if private_claim_broken(candidate.program) else set()
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
    return (*registers, *named_locations(test))


# Values that may be read ------------------------------------------------------------------------------------


def thread_traces(test: Test, unroll: int, thin_air: str) -> list[list[Trace]]:
    """The traces of each thread, over the values that writes can produce.

    A value that passes through n reads is known after n rounds. With the thin-air axiom it comes from earlier
    values only, along dependencies: a write counts once every read on which it depends returns a known value. A
    read on which it does not depend may still have to return something (undefined behaviour would end the thread
    there), so reads are offered the constants of the test as well while values are collected.
    Without the axiom a value may come round a cycle, and then starts from a constant of the test.
    """
    asked = (test, unroll, thin_air)
    if _latest and _latest[0][0] is test and _latest[0][1:] == asked[1:]:
        return _latest[1]
    escaped: dict[str, int] = {}
    waits = True
    while True:
        try:
            found = _thread_traces(_Values(test, escaped, waits), unroll, thin_air)
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
        bound = max(bound, sum(max(sum(e.kind == "R" for e in t.events) for t in ts) for ts in runs))
        rounds += 1
        if not grown or rounds > bound:
            return values.traces(unroll, constants=thin_air == "none")


def _initially(test: Test, location: Location) -> tuple[Value, ...]:
    """The initial value; none of a thread's own memory, or where only a guessed address points."""
    try:
        return (initial_value(test, location),)
    except InputError:
        return ()


class _Values:
    """What reads may return, growing."""

    def __init__(self, test: Test, escaped: Mapping[str, int], waits: bool) -> None:
        self.test = test
        self.escaped = escaped
        self.waits = waits
        self.numbers = constants_of(test)
        self.addresses = tuple(Pointer(memory.name) for memory in test.objects)
        self.written: dict[Location, set[Value]] = {}
        self.runs: dict[str, tuple[dict[tuple[Location, Type], list[Value]], list[Trace]]] = {}

    def known(self, location: Location) -> set[Value]:
        """Values written so far, the initial one, and undef, which any read may return by rule."""
        if location not in self.written:
            self.written[location] = {UNDEF, *_initially(self.test, location)}
        return self.written[location]

    def offered(self, location: Location, type_: Type, constants: bool) -> list[Value]:
        """What a read of a location may return."""
        free = constants_of_type(type_, self.numbers, self.addresses) if constants else ()
        return sorted(self.known(location).union(free), key=repr)

    def traces(self, unroll: int, *, constants: bool) -> list[list[Trace]]:
        return [self._traces(thread, unroll, constants) for thread in self.test.threads]

    def _traces(self, thread: Thread, unroll: int, constants: bool) -> list[Trace]:
        """The traces of a thread: those of the round before, if its reads are offered what they were then."""
        if thread.name in self.runs:
            asked, found = self.runs[thread.name]
            if all(self.offered(*read, constants) == values for read, values in asked.items()):
                return found
        asked = {}

        def readable(location: Location, type_: Type) -> list[Value]:
            if (location, type_) not in asked:
                asked[location, type_] = self.offered(location, type_, constants)
            return asked[location, type_]

        frozen = frozen_values(self.numbers, self.addresses)
        found = list(traces(self.test, thread, readable, frozen, unroll, self.escaped, self.waits))
        self.runs[thread.name] = asked, found
        return found

    def collect(self, runs: list[list[Trace]], *, everything: bool) -> bool:
        """Add what writes write; tell whether any of it is new."""
        new: list[tuple[Location, Value]] = []
        for trace in (trace for ts in runs for trace in ts):
            for event in trace.events:
                if event.kind != "W" or event.location is None or event.value in self.known(event.location):
                    continue
                own = set() if event.rmw is None else {event.rmw}
                sources = [trace.events[read] for read in event.addr | event.data | event.ctrl | own]
                if everything or all(e.location is None or e.value in self.known(e.location) for e in sources):
                    new.append((event.location, event.value))
        for location, value in new:
            self.known(location).add(value)
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
    for location in named_locations(test).values():
        found.update(_integers(initial_value(test, location)))
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
    test: Test, runs: list[list[Trace]], model: str, profile: str, hb: str, thin_air: str
) -> Iterator[tuple[LlvmCandidate, Pairs]]:
    """Every choice of traces, reads-from and mo that satisfies the model."""
    for combination in _combinations(test, runs):
        program = Program(test, combination, profile)
        for source in reads_from(program):
            if not cyclic_values_are_constants(program, source):
                continue
            candidate = _MODELS[model](program, source, hb, thin_air)
            if candidate.consistent_without_order():
                for mo in orders(program):
                    if candidate.consistent_with_order(mo):
                        yield candidate, mo


def _combinations(test: Test, runs: list[list[Trace]]) -> Iterator[tuple[Trace, ...]]:
    """One trace a thread, less those with a read of a value that nobody writes."""
    initial: dict[Location, Value] = {}
    summaries: list[list[tuple[Trace, set[_Written], set[_Written]]]] = []
    for ts in runs:
        summaries.append([])
        for trace in ts:
            needed = {
                (e.location, e.value)
                for e in trace.events
                if e.kind == "R" and e.location is not None and not is_undef(e.value)
            }
            for location, _ in needed:
                initial.update((location, value) for value in _initially(test, location))
            provided = {(e.location, e.value) for e in trace.events if e.kind == "W" and e.location is not None}
            summaries[-1].append((trace, needed, provided))
    start = set(initial.items())
    for rows in product(*summaries):
        offered = start.union(*(provided for _, _, provided in rows))
        if all(needed <= offered for _, needed, _ in rows):
            yield tuple(trace for trace, _, _ in rows)


def reads_from(program: Program) -> Iterator[RF]:
    """Every way to give each read a write of its value, or none where the value is undef."""
    reads = sorted(program.reads)
    options: list[list[int | None]] = []
    for read in reads:
        value = program.events[read].value
        sources: list[int | None] = [
            write
            for write in sorted(program.writes)
            if (write, read) in program.loc
            and write != program.own_write(read)
            and program.events[write].value == value
        ]
        options.append([None, *sources] if is_undef(value) else sources)
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
        if event.type is not None and event.value in constants_of_type(event.type, numbers, addresses):
            free.add(read)
    return acyclic(frozenset((a, b) for a, b in flow if a not in free and b not in free))


def orders(program: Program) -> Iterator[Pairs]:
    """mo: one total order a location over its A writes, the initial write first."""
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


# Outcomes ---------------------------------------------------------------------------------------------------


def private_claim_broken(program: Program) -> bool:
    """Section 5: another thread accesses the location of a thread-private access."""
    return any(
        program.events[a].annotation.thread_private and (a, b) in program.ext
        for a, b in program.loc
        if a not in program.initial and b not in program.initial
    )


def waits_for_last(candidate: LlvmCandidate, mo: Pairs) -> bool:
    """Whether threads that wait read the last writes: else they only have not gone on yet."""
    program = candidate.program
    for thread, trace in enumerate(program.traces):
        for number in trace.waiting:
            read = program.first[thread] + number
            location = program.events[read].location
            writes = frozenset(w for w in program.writes if program.events[w].location == location)
            last = candidate.final_write(writes, mo)
            if last is None or candidate.source[read] != last:
                return False
    return True


def final_state(test: Test, candidate: LlvmCandidate, mo: Pairs, names: Sequence[str]) -> tuple[Value, ...]:
    """Final registers and memory; what was not assigned is undef, what was not accessed is as it was."""
    program = candidate.program
    values: dict[str, Value] = {
        f"{trace.thread}:{name}": value for trace in program.traces for name, value in trace.registers
    }
    for name, location in named_locations(test).items():
        writes = frozenset(w for w in program.writes if program.events[w].location == location)
        if not writes:
            values[name] = initial_value(test, location)
        else:
            last = candidate.final_write(writes, mo)
            values[name] = UNDEF if last is None else program.events[last].value
    return tuple(values.get(name, UNDEF) for name in names)
