"""The outcome of a consistent execution: its final state, and the flags of executions that end early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from enumerator.cat.interpreter import Evaluation
from enumerator.program.flags import with_ub
from enumerator.program.instructions import Scope
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from enumerator.reference.axioms import raised_flags
from enumerator.reference.base import Combination
from enumerator.unfold.arithmetic import evaluate
from enumerator.unfold.missed import barriers_of, misses_barrier
from enumerator.unfold.paths import Location, Path, PathEvent
from enumerator.unfold.state import BLOCKED

__all__ = [
    "barrier_counts",
    "contradict_at_barriers",
    "early_ends",
    "final_registers",
    "final_state",
    "is_cut",
    "shows_race",
    "waits_for_last",
]


def early_ends(test: Test, paths: Sequence[Path]) -> frozenset[str]:
    """Give the flags of executions that end early: a failed assertion, or undefined behaviour.

    Each path that ends early gives its flag; ``stuck`` is given if all others return. If all paths return,
    ``ub-barrier`` is given if threads of a workgroup executed different numbers of barriers (semantics, section 3), or
    if too few threads arrived at a barrier with a number. Any ``ub-*`` sets ``ub``, too.

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        For each thread in order.

    Returns
    -------
    frozenset of str
        Empty if each path returns or reaches the loop bound.

    See Also
    --------
    enumerator.program.flags
    """
    flags = {path.end for path in paths} - {"return", "cut", BLOCKED}
    if flags == {"stuck"}:
        return frozenset() if is_cut(paths) else frozenset(flags)
    flags.discard("stuck")  # what others have not done yet cannot be told
    if not flags and not is_cut(paths) and (_barriers_differ(test, paths) or _some_wait_forever(paths)):
        flags.add("ub-barrier")
    return with_ub(flags)


def waits_for_last(combination: Combination, reads_from: Iterable[tuple[int, int]], final: Collection[int]) -> bool:
    """Tell whether what is read at the ends of paths that wait are the only last writes of their locations.

    Otherwise the thread has only not gone on yet: such a candidate is left out (semantics, section 9).

    Parameters
    ----------
    combination : Combination
    reads_from : iterable of (int, int)
        Pairs of a write and a read.
    final : collection of int
        The last writes, by the model.

    Returns
    -------
    bool
    """
    if not any(path.waiting for path in combination.paths):
        return True
    sources = {read: write for write, read in reads_from}
    for thread, path in enumerate(combination.paths):
        for read in path.waiting:
            location = path.events[read].location
            assert location is not None
            last = [write for write in combination.writes_to(location) if write in final]
            if last != [sources.get(combination.event_of(thread, read))]:
                return False
    return True


def shows_race(test: Test, paths: Sequence[Path], evaluation: Evaluation) -> bool:
    """Tell whether paths have no attempts that count only for what races with them; or one, and a flag is raised.

    An execution without such an attempt is as the one with it but for these flags (:mod:`enumerator.unfold.retries`).

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        For each thread in order.
    evaluation : Evaluation

    Returns
    -------
    bool
    """
    tried = sum(path.tried for path in paths)
    if tried == 0:
        return True
    return tried == 1 and "ub" not in early_ends(test, paths) and bool(raised_flags(evaluation)[0])


def _some_wait_forever(paths: Sequence[Path]) -> bool:
    return any(arrived < event.needed for event, arrived, _ in _meetings(paths))


def contradict_at_barriers(test: Test, paths: Sequence[Path]) -> bool:
    """Tell whether paths contradict each other at barriers.

    Too few arrivals complete one with a quorum, threads of a group do not agree on how they meet at barrier objects, or
    one leaves a barrier that another one never comes to (:mod:`enumerator.unfold.missed`).

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        For each thread in order.

    Returns
    -------
    bool
    """
    agreed: dict[int, int] = {}
    for path in paths:
        if any(agreed.setdefault(group, way) != way for group, way in path.agreements):
            return True
    if any(completing < event.needed <= arrived for event, arrived, completing in _meetings(paths)):
        return True
    return misses_barrier(test, paths)


def _meetings(paths: Sequence[Path]) -> Iterator[tuple[PathEvent, int, int]]:
    """Give each barrier with a number, how many threads arrive at it, and how many of these complete it."""
    events = [event for path in paths for event in path.events if event.barrier is not None and event.needed]
    arrived = Counter(event.barrier for event in events)
    completing = Counter(event.barrier for event in events if event.completes)
    return ((event, arrived[event.barrier], completing[event.barrier]) for event in events)


def _barriers_differ(test: Test, paths: Sequence[Path]) -> bool:
    return any(len({count for _, count in each}) > 1 for each in barrier_counts(test, paths).values())


def barrier_counts(test: Test, paths: Sequence[Path]) -> dict[int, list[tuple[str, tuple[int, int]]]]:
    """Count the barriers that each thread executes.

    Parameters
    ----------
    test : Test
    paths : sequence of Path
        For each thread in order.

    Returns
    -------
    dict
        By workgroup: for each thread its name, its number of arrivals and its number of waits.
    """
    counts: dict[int, list[tuple[str, tuple[int, int]]]] = {}
    for thread, path in zip(test.threads, paths, strict=True):
        workgroup = test.placements[thread.name].instance(Scope.WORKGROUP)
        counts.setdefault(workgroup, []).append((thread.name, barriers_of(path)))
    return counts


def is_cut(paths: Sequence[Path]) -> bool:
    """Tell whether some path reached the loop bound, or the bound on recursion.

    Parameters
    ----------
    paths : sequence of Path

    Returns
    -------
    bool
    """
    return any(path.end == "cut" for path in paths)


def final_state(
    combination: Combination, names: Sequence[str], values: Sequence[Value], final: Collection[int]
) -> tuple[Value, ...]:
    """Give the final values of registers and locations.

    Parameters
    ----------
    combination : Combination
    names : sequence of str
        ``t0:%r``, ``@x``, ``@a[2]``; a register that the path does not assign is undef.
    values : sequence of Value
        By event.
    final : collection of int
        The writes that are final in memory, by the model: the value of a cell is undef unless there is exactly one.

    Returns
    -------
    tuple of Value
        In the order of the names.

    Raises
    ------
    InputError
        If a name is neither a register nor a location.
    """
    return tuple(_final_value(combination, name, values, final) for name in names)


def final_registers(combination: Combination, values: Sequence[Value]) -> Iterator[tuple[str, Value]]:
    """Give all registers with their final values.

    Parameters
    ----------
    combination : Combination
    values : sequence of Value
        By event.

    Yields
    ------
    (str, Value)
    """
    for thread, path in enumerate(combination.paths):
        first = combination.event_of(thread, 0)
        for register, node in path.registers.items():
            yield f"{path.thread}:{register}", evaluate(node, lambda index, first=first: values[first + index])  # type: ignore[misc]


def _final_value(combination: Combination, name: str, values: Sequence[Value], final: Collection[int]) -> Value:
    threads = [thread.name for thread in combination.test.threads]
    owner, colon, register = name.partition(":")
    if colon and owner in threads:
        thread = threads.index(owner)
        first = combination.event_of(thread, 0)
        node = combination.paths[thread].registers.get(register)
        return UNDEF if node is None else evaluate(node, lambda index: values[first + index])
    named = combination.named(name)
    return named.value([_final_in(combination, cell, values, final) for cell in named.cells])


def _final_in(combination: Combination, cell: Location, values: Sequence[Value], final: Collection[int]) -> Value:
    """Give what a cell holds at the end: undef unless exactly one write to it is final; if not accessed, as before."""
    if cell not in combination.locations:
        return combination.unfolded.initial[cell]
    last = [write for write in combination.writes_to(cell) if write in final]
    return values[last[0]] if len(last) == 1 else UNDEF
