"""Barrier objects: which operations take part in which wait (LLVM, AMDGPUExecutionSynchronization).

The paths of threads say which operations they would run. Here every order in which the waves of a group can run them is
followed, with the state of each object: its expected count, its arrive count, its phases. What comes out is, for each
combination of paths, the ways in which arrivals and waits can go together. Each way is a number that the paths agree
on: a path is there once for each way that it can be part of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from enumerator.clock import check_time
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass
from enumerator.program.instructions import BarrierOperation, Scope
from enumerator.program.test import Test
from enumerator.unfold.paths import BarrierStep, Leaving, Path

__all__ = ["CLUSTER_BARRIER", "NULL", "leaves_halves", "resolve", "uses_objects"]

#: The label of operations on the barrier of a cluster.
CLUSTER_BARRIER = "CLUSTER_BARRIER"
NULL = "null"

_MOST_COMBINATIONS = 5_000
_MOST_STATES = 200_000

_Steps = tuple[BarrierStep, ...]

PhaseKey = tuple[tuple[str, int], int]
"""An object, by its name and the instance of its scope, and the number of a phase."""


def uses_objects(test: Test) -> bool:
    """Tell whether a test uses barriers otherwise than the workgroup's own by arrivals and waits."""
    return any(
        isinstance(part, BarrierOperation)
        for function in test.functions.values()
        for block in function.blocks
        for part in block.body
    )


def leaves_halves(paths: Sequence[Sequence[Path]]) -> bool:
    """Tell whether a thread returns that has arrived at barriers more or less often than it has waited.

    Then to count both is not enough to tell who waits for whom.
    """
    return any(
        path.end == "return" and sum({"arrive": 1, "wait": -1}.get(part.kind, 0) for part in _steps(path)) != 0
        for options in paths
        for path in options
    )


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


@dataclass(frozen=True)
class _Wave:
    """A wave: the threads of it, and the workgroup and cluster that it is in."""

    threads: tuple[int, ...]
    workgroup: int
    cluster: int


@dataclass(frozen=True, slots=True)
class _Object:
    """The state of a barrier object; `phase` is the number of the present one, `members` its operations."""

    expected: int
    arrived: int = 0
    phase: int = 0
    members: tuple[tuple[int, int], ...] = ()
    completed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    """Where each wave is, and the state of all objects.

    Parameters
    ----------
    at : tuple of int
        How many operations each wave has run.
    stopped : tuple of bool
        Whether it has run into what is undefined.
    joined : tuple of str
        The named object that each wave has joined; empty for none.
    objects : tuple of (key, _Object)
    phases : tuple of ((wave, operation), key, phase)
        Of arrivals and drops, and of waits, those that are settled.
    """

    at: tuple[int, ...]
    stopped: tuple[bool, ...]
    joined: tuple[str, ...]
    objects: tuple[tuple[tuple[str, int], _Object], ...] = ()
    arrivals: tuple[tuple[tuple[int, int], PhaseKey], ...] = ()
    waits: tuple[tuple[tuple[int, int], PhaseKey], ...] = ()


class _Contradiction(Exception):
    """The paths assume something else than what happens."""


class _Undefined(Exception):
    """The operation is undefined behaviour."""


_Way = tuple[bool, tuple[int, ...], dict[tuple[int, int], PhaseKey], dict[tuple[int, int], PhaseKey]]
"""Whether it is undefined, how many operations each wave has run, the keys of arrivals and of waits."""


class _Group:
    """Threads that may meet at barriers, and the ways in which they do."""

    def __init__(self, test: Test, number: int, threads: Sequence[int], paths: Sequence[Sequence[Path]]) -> None:
        self.number = number
        self.threads = list(threads)
        self.paths = [paths[thread] for thread in threads]
        places = [test.placements[test.threads[thread].name] for thread in threads]
        by_wave: dict[int, list[int]] = {}
        for index, place in enumerate(places):
            by_wave.setdefault(place.instance(Scope.WAVEFRONT), []).append(index)
        self.waves = [
            _Wave(tuple(each), places[each[0]].instance(Scope.WORKGROUP), places[each[0]].instance(Scope.CLUSTER))
            for each in by_wave.values()
        ]
        self.wave_of = {index: wave for wave, each in enumerate(self.waves) for index in each.threads}

    def ways(self) -> list[tuple[Path, ...]]:
        """Give the paths of each thread, once for each way that they are part of."""
        sequences = [list(dict.fromkeys((_steps(path), path.end) for path in options)) for options in self.paths]
        if prod(map(len, sequences)) > _MOST_COMBINATIONS:
            raise LimitReached("barriers are met in too many ways: too many combinations of paths")
        found: list[dict[object, Path]] = [{} for _ in self.threads]
        by_steps = [
            {key: [path for path in options if (_steps(path), path.end) == key] for key in keys}
            for options, keys in zip(self.paths, sequences, strict=True)
        ]
        agreement = 0
        for combination in product(*sequences):
            for way in self._solve(combination):
                for index, key in enumerate(combination):
                    for path in by_steps[index][key]:
                        made = self._way_of(path, index, way, agreement)
                        # Paths that are undefined before they part are one.
                        found[index].setdefault((made.events, made.conditions, made.end, made.agreements), made)
                agreement += 1
        return [tuple(each.values()) for each in found]

    def _way_of(self, path: Path, index: int, way: _Way, agreement: int) -> Path:
        """Give a path with the phases of one way; it ends where it cannot go on."""
        undefined, ran, arrivals, waits = way
        wave = self.wave_of[index]
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

    # Running the operations

    def _solve(self, combination: Sequence[tuple[_Steps, str]]) -> list[_Way]:
        """Follow every order in which the waves can run their operations."""
        try:
            steps, diverging = self._waves_of(combination)
        except _Contradiction:
            return []
        # A thread that ends otherwise than by returning might have let others go on.
        leaving = [
            (self.wave_of[i], len(own)) for i, (own, end) in enumerate(combination) if end not in ("return", "stuck")
        ]
        count = len(self.waves)
        start = _State((0,) * count, (False,) * count, ("",) * count)
        waiting, seen = [start], {start}
        found: dict[object, _Way] = {}
        while waiting:
            check_time()
            state = waiting.pop()
            more = list(self._next(state, steps))
            for each in more:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
            if len(seen) > _MOST_STATES:
                raise LimitReached("barriers are met in too many ways")
            if more or self._contradicted(state, steps):
                continue
            finished = all(at == len(each) for at, each in zip(state.at, steps, strict=True))
            rules = self._rules(state, steps)
            if rules is None:
                continue
            known = not any(state.at[wave] == length for wave, length in leaving)
            bad = any(state.stopped) or not rules or (known and (not finished or any(diverging)))
            arrivals, waits = dict(state.arrivals), dict(state.waits)
            pairs = frozenset(
                (arrival, wait) for arrival, where in arrivals.items() for wait in waits if waits[wait] == where
            )
            # Phases that nobody waits for order nothing: what takes part in what makes an execution.
            found[bad, state.at, pairs] = (bad, state.at, arrivals, waits)
        return list(found.values())

    def _waves_of(self, combination: Sequence[tuple[_Steps, str]]) -> tuple[list[_Steps], list[bool]]:
        """Give the operations of each wave, and whether its threads go different ways behind them."""
        steps, diverging = [], []
        for wave in self.waves:
            sequences = [combination[index][0] for index in wave.threads]
            common = 0
            while all(len(each) > common for each in sequences):
                kinds = {replace(each[common], first=None) for each in sequences}
                if len(kinds) > 1:
                    break
                if len({each[common].first for each in sequences}) > 1:
                    raise _Contradiction  # the threads of a wave are told the same
                common += 1
            steps.append(sequences[0][:common])
            diverging.append(any(len(each) > common for each in sequences))
        return steps, diverging

    def _next(self, state: _State, steps: Sequence[_Steps]) -> Iterator[_State]:
        """Give what may come next: of waits whose phases are known, one is enough, as it changes nothing for others."""
        waves = range(len(steps))
        for wave in next(([wave] for wave in waves if self._has_all_phases(state, wave, steps)), waves):
            sequence = steps[wave]
            at = state.at[wave]
            if at == len(sequence) or state.stopped[wave]:
                continue
            try:
                yield from self._run(state, wave, at, sequence[at])
            except _Undefined:
                yield replace(state, stopped=_with(state.stopped, wave, True))
            except _Contradiction:
                pass

    def _has_all_phases(self, state: _State, wave: int, steps: Sequence[_Steps]) -> bool:
        """Tell whether a wave waits where a phase has completed, and none may any more before it goes on."""
        at = state.at[wave]
        if at == len(steps[wave]) or state.stopped[wave]:
            return False
        step = steps[wave][at]
        if step.kind != "wait" or step.object not in ("workgroup", "cluster"):
            return False
        if not any(True for _ in self._wait(state, wave, at, step, state.at)):
            return False
        key = self._key(wave, step.object)
        found = self._object(state, key)
        left = (
            part
            for other, sequence in enumerate(steps)
            if other != wave and self._key(other, step.object) == key
            for part in sequence[state.at[other] :]
        )
        arrivals = [part for part in left if part.kind in ("arrive", "first") and part.object == step.object]
        return found.arrived + len(arrivals) < found.expected and not any(part.count for part in arrivals)

    def _contradicted(self, state: _State, steps: Sequence[_Steps]) -> bool:
        """Tell whether a wave does not go on only because its path assumes what is not so."""
        for wave, sequence in enumerate(steps):
            at = state.at[wave]
            if at < len(sequence) and not state.stopped[wave]:
                try:
                    for _ in self._run(state, wave, at, sequence[at]):
                        pass
                except _Contradiction:
                    return True
                except _Undefined:
                    pass
        return False

    def _run(self, state: _State, wave: int, at: int, step: BarrierStep) -> Iterator[_State]:
        """Run one operation; a wait may have several phases to choose from, or none yet."""
        done = replace(state, at=_with(state.at, wave, at + 1))
        if step.kind == "wakeup" or (step.object == NULL and step.kind in ("init", "arrive", "first", "wait")):
            if step.first:
                raise _Contradiction
            yield done
        elif step.kind == "join":
            if step.object in ("workgroup", "cluster"):
                raise _Undefined
            yield replace(done, joined=_with(state.joined, wave, step.object))
        elif step.kind == "init":
            key = self._key(wave, step.object)
            if step.count <= 0 or step.object in ("workgroup", "cluster"):
                raise _Undefined
            old = dict(state.objects).get(key, _Object(0))
            yield _set(done, key, _Object(step.count, 0, old.phase + 1, (), old.completed))
        elif step.kind in ("arrive", "first"):
            yield self._arrive(done, wave, at, step)
        elif step.kind == "drop":
            yield self._drop(done, wave, at)
        else:
            yield from self._wait(state, wave, at, step, done.at)

    def _key(self, wave: int, name: str) -> tuple[str, int]:
        place = self.waves[wave]
        return name, place.cluster if name == "cluster" else place.workgroup

    def _object(self, state: _State, key: tuple[str, int]) -> _Object:
        found = dict(state.objects).get(key)
        if found is not None:
            return found
        if key[0] == "workgroup":
            return _Object(sum(each.workgroup == key[1] for each in self.waves))
        if key[0] == "cluster":
            return _Object(len({each.workgroup for each in self.waves if each.cluster == key[1]}))
        raise _Undefined  # it is not initialized

    def _arrive(self, state: _State, wave: int, at: int, step: BarrierStep) -> _State:
        key = self._key(wave, step.object)
        found = self._object(state, key)
        if step.first is not None and step.first != (found.arrived == 0):
            raise _Contradiction
        expected = found.expected
        if step.count:
            if step.count <= found.arrived:
                raise _Undefined
            expected = step.count
        if expected <= found.arrived:
            raise _Undefined
        return _counted(state, key, replace(found, expected=expected, arrived=found.arrived + 1), (wave, at))

    def _drop(self, state: _State, wave: int, at: int) -> _State:
        name = state.joined[wave]
        if not name:
            raise _Undefined
        left = replace(state, joined=_with(state.joined, wave, ""))
        if name == NULL:
            return left
        key = self._key(wave, name)
        found = self._object(state, key)
        if found.expected <= 0:
            raise _Undefined
        return _counted(left, key, replace(found, expected=found.expected - 1), (wave, at))

    def _wait(self, state: _State, wave: int, at: int, step: BarrierStep, then: tuple[int, ...]) -> Iterator[_State]:
        name = step.object
        if name not in ("workgroup", "cluster"):
            name = state.joined[wave]  # "always waits on the last named barrier object that the thread has joined"
            if not name:
                raise _Undefined
            if name == NULL:
                yield replace(state, at=then)
                return
        key = self._key(wave, name)
        found = self._object(state, key)
        mine = {phase for (who, _), (where, phase) in state.waits if who == wave and where == key}
        for phase in found.completed:
            if phase not in mine:
                waits = (*state.waits, ((wave, at), (key, phase)))
                yield replace(state, at=then, waits=tuple(sorted(waits)))

    # The rules on what came out

    def _rules(self, state: _State, steps: Sequence[_Steps]) -> bool | None:
        """Tell whether the rules on drops and joins hold; None if this is no way to say what takes part in what."""
        arrivals, waits = dict(state.arrivals), dict(state.waits)
        members: dict[object, list[tuple[int, int]]] = {}
        for operation, where in arrivals.items():
            members.setdefault(where, []).append(operation)
        before = self._order(arrivals, waits, steps)
        for wait, where in waits.items():
            for arrival in members.get(where, ()):
                for other, there in (*arrivals.items(), *waits.items()):
                    meets = there in waits.values()  # it is in a phase with a wait
                    if there[0] == where[0] and there != where and meets:
                        if other in before.get(arrival, ()) and wait in before.get(other, ()):
                            return None  # "Barrier phase separation"
            if where[0][0] not in ("workgroup", "cluster") and not self._joined(wait, members[where], before, steps):
                return False
        for wave, sequence in enumerate(steps):
            for at, step in enumerate(sequence):
                if step.kind != "drop" or at >= state.at[wave]:
                    continue
                dropped = self._joined_before(wave, at, sequence)
                for earlier in range(at):
                    phase = arrivals.get((wave, earlier))
                    if phase is None or phase[0] != dropped or sequence[earlier].kind == "drop":
                        continue
                    over = [wait for wait, there in waits.items() if there == phase]
                    if over and not any((wave, at) in before.get(wait, ()) for wait in over):
                        return False
        return True

    def _joined_before(self, wave: int, at: int, sequence: _Steps) -> tuple[str, int]:
        """Give the object that an operation drops."""
        return self._key(wave, next(step.object for step in reversed(sequence[:at]) if step.kind == "join"))

    @staticmethod
    def _order(
        arrivals: dict[tuple[int, int], PhaseKey],
        waits: dict[tuple[int, int], PhaseKey],
        steps: Sequence[_Steps],
    ) -> dict[tuple[int, int], set[tuple[int, int]]]:
        """Give *barrier-executes-before*: program order and participation, closed."""
        after: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for wave, sequence in enumerate(steps):
            for at in range(len(sequence)):
                after[wave, at] = {(wave, later) for later in range(at + 1, len(sequence))}
        for arrival, where in arrivals.items():
            after[arrival] |= {wait for wait, there in waits.items() if there == where and wait != arrival}
        changed = True
        while changed:
            changed = False
            for reached in after.values():
                more = set().union(*(after[each] for each in reached)) - reached
                changed |= bool(more)
                reached |= more
        return after

    @staticmethod
    def _joined(
        wait: tuple[int, int],
        members: Iterable[tuple[int, int]],
        before: dict[tuple[int, int], set[tuple[int, int]]],
        steps: Sequence[_Steps],
    ) -> bool:
        """Tell whether the thread has joined before something that the wait is for."""
        wave, at = wait
        join = max(number for number in range(at) if steps[wave][number].kind == "join")
        return any(member in before[wave, join] for member in members)


def _with(values: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:index], value, *values[index + 1 :])


def _set(state: _State, key: tuple[str, int], found: _Object) -> _State:
    objects = {**dict(state.objects), key: found}
    return replace(state, objects=tuple(sorted(objects.items(), key=lambda each: each[0])))


def _counted(state: _State, key: tuple[str, int], found: _Object, operation: tuple[int, int]) -> _State:
    """Note an arrival or a drop, and complete the phase if all have come."""
    members = tuple(sorted((*found.members, operation)))  # in whichever order they have come
    if found.arrived != found.expected:
        return _set(state, key, replace(found, members=members))
    arrivals = tuple(sorted((*state.arrivals, *((each, (key, found.phase)) for each in members))))
    complete = _Object(found.expected, 0, found.phase + 1, (), (*found.completed, found.phase))
    return _set(replace(state, arrivals=arrivals), key, complete)
