"""Threads that stay at a barrier of their workgroup which another one never comes to, as it has ended."""

from __future__ import annotations

from tests.literal.events import Trace
from tests.literal.program import Program

__all__ = ["misses_barrier", "with_blocked"]


def with_blocked(runs: list[list[Trace]]) -> list[list[Trace]]:
    """The traces of each thread, and the parts of them up to each wait at a barrier, if their numbers differ."""
    if len({sum(event.waits for event in trace.events) for traces in runs for trace in traces}) == 1:
        return runs
    return [[*traces, *dict.fromkeys(part for trace in traces for part in _parts(trace))] for traces in runs]


def _parts(trace: Trace) -> list[Trace]:
    waits = [index for index, event in enumerate(trace.events) if event.waits]
    return [Trace(trace.thread, trace.events[: wait + 1], (), "blocked", trace.allocas) for wait in waits]


def misses_barrier(program: Program) -> bool:
    """Whether a thread is behind a barrier that one which has ended has not come to, or stays at another one."""
    arrivals, waits = program.phases("arrives"), program.phases("waits")
    for mine, trace in enumerate(program.traces):
        behind = len(waits[mine]) - (trace.end == "blocked")
        mates = [n for n in range(len(program.traces)) if n != mine and program.same_workgroup(n, mine)]
        ended = [len(arrivals[n]) for n in mates if program.traces[n].end != "blocked"]
        if any(count < behind for count in ended):
            return True
        if trace.end == "blocked" and not any(count <= behind for count in ended):
            return True
    return False
