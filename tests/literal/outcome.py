"""What an execution ends in: final registers and memory, and the flags that it raises."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.errors import InputError
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from tests.literal.consistency import LlvmCandidate
from tests.literal.contents import Byte, Content, Copied, PartOfWhole, decode
from tests.literal.events import Location
from tests.literal.memory import initial_content, named_types
from tests.literal.program import Program
from tests.literal.relations import Pairs

__all__ = ["final_state", "flags_of_accesses", "private_claim_broken", "waits_for_last"]


def flags_of_accesses(candidate: LlvmCandidate) -> set[str]:
    raised = {
        "race": candidate.races(),
        "ub-private": private_claim_broken(candidate.program),
        "mixed-atomics": candidate.mixes_atomics(),
        "ub-free": candidate.uses_what_has_ended(),
    }
    return {flag for flag, is_raised in raised.items() if is_raised}


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
    last: dict[Location, Content] = {}
    for cell in program.locations:
        write = candidate.final_write(frozenset(w for w in program.writes if program.events[w].location == cell), mo)
        last[cell] = (UNDEF,) * cell.size if write is None else program.events[write].content
    for name, (location, type_) in named_types(test).items():
        if name not in names:
            continue
        content: list[Byte] = list(initial_content(test, location))
        for number in range(location.size):
            for cell, held in last.items():
                place = location.offset + number - cell.offset
                if cell.object == location.object and 0 <= place < cell.size:
                    content[number] = held[place]
        try:
            value = decode(tuple(content), type_, test.big_endian)
        except PartOfWhole:
            raise InputError(f"{name} holds some bytes of a value that is kept whole", test.path) from None
        assert not isinstance(value, Copied)
        values[name] = value
    return tuple(values.get(name, UNDEF) for name in names)
