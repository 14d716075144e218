"""The interleaving search in the plainest way: every order of the operations, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from enumerator.program.instructions import Scope
from enumerator.program.memory import initial_value, location_type, parse_location
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from enumerator.search.interleaving.program import waits
from enumerator.unfold import Unfolded, unfold
from enumerator.unfold.arithmetic import agrees, evaluate
from enumerator.unfold.paths import Location, Path

__all__ = ["outcomes"]

_Event = tuple[int, int]  # thread and index; the index of a thread's return is the number of its events


def outcomes(
    test: Test, before: Iterable[str], names: tuple[str, ...], *, at_return: bool, unroll: int = 1
) -> tuple[set[tuple[Value, ...]], set[str]]:
    """Give the final states of a test, and ``cut`` and the undefined behaviours that its runs end in.

    One path a thread is chosen up front, and a run that contradicts it is none. `before` are the relations along which
    an operation waits; with ``barrier``, what is behind a barrier waits for all that is before it in its workgroup.
    """
    unfolded = unfold(test, undef=False, unroll=unroll)
    found: set[tuple[Value, ...]] = set()
    ends: set[str] = set()
    for paths in product(*unfolded.paths):
        run = _Runs(unfolded, paths, tuple(before), names, at_return)
        bad = {path.end for path in paths if path.end != "return"}
        undefined = {end for end in bad if end != "cut"}
        if not bad and barriers_differ(test, paths):
            bad = undefined = {"ub-barrier"}
        for state in run.states():
            if bad:
                ends |= undefined or {"cut"}
            else:
                found.add(state)
    return found, ends


def barriers_differ(test: Test, paths: tuple[Path, ...]) -> bool:
    """Tell whether threads of one workgroup go through different numbers of barriers."""
    counts: dict[int, set[tuple[int, int]]] = {}
    for path in paths:
        arrivals = sum(event.arrival is not None for event in path.events)
        waited = sum(event.wait is not None for event in path.events)
        counts.setdefault(workgroup(test, path), set()).add((arrivals, waited))
    return any(len(different) > 1 for different in counts.values())


def workgroup(test: Test, path: Path) -> int:
    return test.placements[path.thread].instance(Scope.WORKGROUP)


class _Runs:
    """The runs of one choice of paths; states that were met before are not gone on from again."""

    def __init__(
        self, unfolded: Unfolded, paths: tuple[Path, ...], before: tuple[str, ...], names: tuple[str, ...], ret: bool
    ) -> None:
        self.test, self.paths, self.names = unfolded.test, paths, names
        self.ret = ret and all(path.end == "return" for path in paths)
        self.initial = unfolded.initial
        self.needed = [waits(path, before) for path in paths]
        self.barriers = "barrier" in before

    def states(self) -> Iterator[tuple[Value, ...]]:
        start = (frozenset[_Event](), tuple(self.initial.items()), (), None)
        seen, waiting = {start}, [start]
        while waiting:
            done, memory, values, snapshot = waiting.pop()
            if len(done) == sum(len(path.events) for path in self.paths) and (snapshot is not None or not self.ret):
                if self.agreed(dict(values)):
                    yield self.final(dict(values), dict(snapshot if snapshot is not None else memory))
                continue
            for following in self.steps(done, dict(memory), dict(values), snapshot):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)

    def steps(self, done, memory, values, snapshot):  # type: ignore[no-untyped-def]
        for thread, path in enumerate(self.paths):
            for index, event in enumerate(path.events):
                if (thread, index) in done or not self.ready(thread, self.needed[thread][index], done):
                    continue
                if event.location is not None and not self.free(thread, index, done):
                    continue
                if self.barriers and not self.arrived(thread, index, done):
                    continue
                now, then = dict(memory), dict(values)
                if event.kind == "R":
                    then[thread, index] = memory[event.location]
                elif event.kind == "W":
                    now[event.location] = evaluate(event.value, lambda read, t=thread: values[t, read])
                yield done | {(thread, index)}, tuple(now.items()), tuple(sorted(then.items())), snapshot
        returns = all(self.ready(thread, rows[-1], done) for thread, rows in enumerate(self.needed))
        if self.ret and snapshot is None and returns:
            yield done, tuple(memory.items()), tuple(sorted(values.items())), tuple(memory.items())

    def ready(self, thread: int, needed: int, done: frozenset[_Event]) -> bool:
        return all((thread, index) in done for index in range(needed.bit_length()) if needed >> index & 1)

    def arrived(self, thread: int, index: int, done: frozenset[_Event]) -> bool:
        """Tell whether all others of the workgroup have done what is before the barriers that an event is behind."""
        phases = {event.wait for event in self.paths[thread].events[:index] if event.wait is not None}
        mine = workgroup(self.test, self.paths[thread])
        for other, path in enumerate(self.paths):
            if other != thread and workgroup(self.test, path) == mine:
                for place, event in enumerate(path.events):
                    if event.arrival in phases and any((other, earlier) not in done for earlier in range(place)):
                        return False
        return True

    def free(self, thread: int, index: int, done: frozenset[_Event]) -> bool:
        """Tell whether no read-modify-write of the location is between its halves, where only plain reads may come."""
        event = self.paths[thread].events[index]
        half = event.kind == "R" and any(other.rmw == index for other in self.paths[thread].events)
        if event.kind == "R" and not half:
            return True
        for other, path in enumerate(self.paths):
            for place, write in enumerate(path.events):
                if write.rmw is None or write.location != event.location or (other, place) == (thread, index):
                    continue
                if (other, write.rmw) in done and (other, place) not in done:
                    return False
        return True

    def agreed(self, values: dict[_Event, Value]) -> bool:
        return all(
            agrees(evaluate(node, lambda read, t=thread: values[t, read]), wanted)  # type: ignore[misc]
            for thread, path in enumerate(self.paths)
            for node, wanted in path.conditions
        )

    def final(self, values: dict[_Event, Value], memory: dict[Location, Value]) -> tuple[Value, ...]:
        return tuple(self.value(name, values, memory) for name in self.names)

    def value(self, name: str, values: dict[_Event, Value], memory: dict[Location, Value]) -> Value:
        owner, _, register = name.partition(":")
        for thread, path in enumerate(self.paths):
            if path.thread == owner:
                node = path.registers.get(register)
                return UNDEF if node is None else evaluate(node, lambda read, t=thread: values[t, read])  # type: ignore[misc]
        location = Location(*parse_location(name, self.test.objects))
        if location in memory:
            return memory[location]
        item = next(each for each in self.test.objects if each.name == location.object)
        type_ = location_type(item, location.offset, location.size)
        assert type_ is not None
        return initial_value(item, location.offset, type_)
