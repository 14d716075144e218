"""In which orders the waves of a group can run their operations on barrier objects, and what the rules say of each.

The state of an object is its expected count, its arrive count, and its phases.

References
----------
LLVM, AMDGPUExecutionSynchronization.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from enumerator.clock import check_time
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass
from enumerator.program.instructions import NULL_BARRIER, Scope
from enumerator.program.test import Placement
from enumerator.unfold.paths import BarrierStep

__all__ = ["Waves", "Way"]

_MOST_STATES = 200_000

_Steps = tuple[BarrierStep, ...]

PhaseKey = tuple[tuple[str, int], int]
"""An object, by its name and the instance of its scope, and the number of a phase."""


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
    arrivals, waits : tuple of ((wave, operation), (key, phase))
        Of arrivals and drops, and of waits, the phases that are settled.
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


Way = tuple[bool, tuple[int, ...], dict[tuple[int, int], PhaseKey], dict[tuple[int, int], PhaseKey]]
"""Whether it is undefined, how many operations each wave has run, the keys of arrivals and of waits."""


class Waves:
    """The waves of a group of threads that may meet at barriers.

    Parameters
    ----------
    places : sequence of Placement
        Of each thread of the group.

    Attributes
    ----------
    of : dict of int to int
        By the index of a thread, the number of its wave.
    """

    def __init__(self, places: Sequence[Placement]) -> None:
        by_wave: dict[int, list[int]] = {}
        for index, place in enumerate(places):
            by_wave.setdefault(place.instance(Scope.WAVEFRONT), []).append(index)
        self._waves = [
            _Wave(tuple(each), places[each[0]].instance(Scope.WORKGROUP), places[each[0]].instance(Scope.CLUSTER))
            for each in by_wave.values()
        ]
        self.of = {index: wave for wave, each in enumerate(self._waves) for index in each.threads}

    def ways(self, combination: Sequence[tuple[_Steps, str]]) -> list[Way]:
        """Follow every order in which the waves can run their operations.

        Parameters
        ----------
        combination : sequence of (tuple of BarrierStep, str)
            The operations of a path of each thread, and how that ends.

        Returns
        -------
        list of Way
            Those that differ in what takes part in what, in how far waves get, or in whether they are undefined.

        Raises
        ------
        LimitReached
            If there are too many orders.
        """
        try:
            steps, diverging = self._waves_of(combination)
        except _Contradiction:
            return []
        # A thread that ends otherwise than by returning might have let others go on.
        leaving = [(self.of[i], len(own)) for i, (own, end) in enumerate(combination) if end not in ("return", "stuck")]
        count = len(self._waves)
        start = _State((0,) * count, (False,) * count, ("",) * count)
        waiting, seen = [start], {start}
        found: dict[object, Way] = {}
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
        for wave in self._waves:
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
        if step.kind == "wakeup" or (step.object == NULL_BARRIER and step.kind in ("init", "arrive", "first", "wait")):
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
        place = self._waves[wave]
        return name, place.cluster if name == "cluster" else place.workgroup

    def _object(self, state: _State, key: tuple[str, int]) -> _Object:
        found = dict(state.objects).get(key)
        if found is not None:
            return found
        if key[0] == "workgroup":
            return _Object(sum(each.workgroup == key[1] for each in self._waves))
        if key[0] == "cluster":
            return _Object(len({each.workgroup for each in self._waves if each.cluster == key[1]}))
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
        if name == NULL_BARRIER:
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
            if name == NULL_BARRIER:
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
