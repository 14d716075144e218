"""Barrier objects: which operations take part in which wait (LLVM, AMDGPUExecutionSynchronization).

The paths of threads say which operations they would run. Every order in which the waves of a group can run them is
followed (:mod:`enumerator.unfold.phases`). What comes out is, for each combination of paths, the ways in which arrivals
and waits can go together. Each way is a number that the paths agree on: a path is there once for each way that it can
be part of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from enumerator.errors import LimitReached
from enumerator.program.instructions import BarrierOperation, Scope
from enumerator.program.test import Test
from enumerator.unfold.paths import BarrierStep, Leaving, Path
from enumerator.unfold.state import BLOCKED

if TYPE_CHECKING:
    from enumerator.unfold.phases import Way

__all__ = ["leaves_halves", "resolve", "uses_objects"]

_MOST_COMBINATIONS = 5_000

_Steps = tuple[BarrierStep, ...]


def uses_objects(test: Test) -> bool:
    """Tell whether a test uses barriers otherwise than the workgroup's own by arrivals and waits."""
    return any(
        isinstance(part, BarrierOperation) for function in test.functions.values() for part in function.instructions
    )


def leaves_halves(paths: Sequence[Sequence[Path]]) -> bool:
    """Tell whether a thread returns, or stays at a barrier, having arrived at barriers more or less often than waited.

    Then to count both is not enough to tell who waits for whom.
    """
    ended = (path for options in paths for path in options if path.end in ("return", BLOCKED))
    return any(sum({"arrive": 1, "wait": -1}.get(part.kind, 0) for part in _steps(path)) != 0 for path in ended)


def resolve(test: Test, paths: Sequence[Sequence[Path]]) -> tuple[tuple[Path, ...], ...]:
    """Say of the barriers of each path which phases they belong to.

    Parameters
    ----------
    test : Test
    paths : sequence of sequence of Path
        Of each thread.

    Returns
    -------
    tuple of tuple of Path
        For each path one for each way in which its barriers may go together with those of others, with the agreement
        that it is part of; a way that is undefined ends with ``ub-barrier``.

    Raises
    ------
    LimitReached
        If there are too many ways.
    """
    clusters = any(step.object == "cluster" for options in paths for path in options for step in _steps(path))
    scope = Scope.CLUSTER if clusters else Scope.WORKGROUP
    groups: dict[int, list[int]] = {}
    for number, thread in enumerate(test.threads):
        groups.setdefault(test.placements[thread.name].instance(scope), []).append(number)
    found: list[tuple[Path, ...]] = [()] * len(test.threads)
    for number, threads in enumerate(groups.values()):
        for member, ways in zip(threads, _Group(test, number, threads, paths).ways(), strict=True):
            found[member] = ways
    return tuple(found)


def _steps(path: Path) -> _Steps:
    """Give the barrier operations of a path; one that arrives and waits is two."""
    return tuple(part for event in path.events if event.step is not None for part in _parts(event.step))


def _parts(step: BarrierStep) -> _Steps:
    return (replace(step, kind="arrive"), replace(step, kind="wait")) if step.kind == "both" else (step,)


class _Group:
    """Threads that may meet at barriers, and the ways in which they do."""

    def __init__(self, test: Test, number: int, threads: Sequence[int], paths: Sequence[Sequence[Path]]) -> None:
        from enumerator.unfold.phases import Waves  # few tests have barrier objects

        self.number = number
        self.paths = [paths[thread] for thread in threads]
        places = [test.placements[test.threads[thread].name] for thread in threads]
        self.waves = Waves(places)

    def ways(self) -> list[tuple[Path, ...]]:
        """Give the paths of each thread, once for each way that they are part of."""
        sequences = [list(dict.fromkeys((_steps(path), path.end) for path in options)) for options in self.paths]
        if prod(map(len, sequences)) > _MOST_COMBINATIONS:
            raise LimitReached("barriers are met in too many ways: too many combinations of paths")
        found: list[dict[object, Path]] = [{} for _ in self.paths]
        by_steps = [
            {key: [path for path in options if (_steps(path), path.end) == key] for key in keys}
            for options, keys in zip(self.paths, sequences, strict=True)
        ]
        agreement = 0
        for combination in product(*sequences):
            for way in self.waves.ways(combination):
                for index, key in enumerate(combination):
                    for path in by_steps[index][key]:
                        made = self._way_of(path, index, way, agreement)
                        # Paths that are undefined before they part are one.
                        found[index].setdefault((made.events, made.conditions, made.end, made.agreements), made)
                agreement += 1
        return [tuple(each.values()) for each in found]

    def _way_of(self, path: Path, index: int, way: Way, agreement: int) -> Path:
        """Give a path with the phases of one way; it ends where it cannot go on."""
        undefined, ran, arrivals, waits = way
        wave = self.waves.of[index]
        events, number, stops = [], 0, False
        for event in path.events:
            if event.step is not None:
                stops = number >= ran[wave]
                if stops:
                    break
                parts = range(number, number + len(_parts(event.step)))
                came = [arrivals[wave, part] for part in parts if (wave, part) in arrivals]
                waited = [waits[wave, part] for part in parts if (wave, part) in waits]
                event = replace(event, arrival=came[0] if came else None, wait=waited[0] if waited else None)
                number = parts.stop
                stops = number > ran[wave]
                if stops:
                    events.append(event)  # it has arrived, and waits
                    break
            events.append(event)
        agreements = (*path.agreements, (self.number, agreement))
        if not undefined and not stops:
            return replace(path, events=tuple(events), agreements=agreements)
        end = path.end
        if stops or end in ("return", "stuck"):
            end = "ub-barrier" if undefined else "cut"
        conditions = tuple(each for each in path.conditions if all(read < len(events) for read in each[0].reads))
        return replace(
            path,
            events=tuple(events),
            conditions=conditions,
            end=end,
            waiting=frozenset(),
            leaving=Leaving(),
            registers={},
            found_by=frozenset(read for read in path.found_by if read < len(events)),
            agreements=agreements,
        )
