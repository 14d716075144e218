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
        if part_at_barriers(test, paths):
            continue
        run = _Runs(unfolded, paths, tuple(before), names, at_return)
        bad = {path.end for path in paths if path.end not in ("return", "blocked")}
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
        counts.setdefault(workgroup(test, path), set()).add(meetings(path))
    return any(len(different) > 1 for different in counts.values())


def part_at_barriers(test: Test, paths: tuple[Path, ...]) -> bool:
    """Tell whether a thread is behind a barrier that another one never comes to, or stays at one without need."""
    for path in paths:
        waited, stays = meetings(path)[1], path.end == "blocked"
        ended = [each for each in paths if each is not path and each.end != "blocked"]
        arrived = [meetings(each)[0] for each in ended if workgroup(test, each) == workgroup(test, path)]
        if any(each < waited - stays for each in arrived) or (stays and not any(each < waited for each in arrived)):
            return True
    return False


def meetings(path: Path) -> tuple[int, int]:
    """Count the barriers at which a thread arrives, and those at which it waits."""
    arrived = sum(event.arrival is not None for event in path.events)
    return arrived, sum(event.wait is not None for event in path.events)


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
        needed = [waits(path, before) for path in paths]
        self.events = [(thread, index) for thread, path in enumerate(paths) for index in range(len(path.events))]
        self.required = {
            (thread, index): frozenset((thread, k) for k in range(row.bit_length()) if row >> k & 1)
            for thread, rows in enumerate(needed)
            for index, row in enumerate(rows)
        }
        self.at_return = frozenset[_Event]().union(
            *(self.required[thread, len(rows) - 1] for thread, rows in enumerate(needed))
        )
        if "barrier" in before:
            for thread, index in self.events:
                self.required[thread, index] |= self.behind_barriers(thread, index)
        self.between = {event: self.halves(*event) for event in self.events}

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
        for thread, index in self.events:
            if (thread, index) in done or not self.required[thread, index] <= done:
                continue
            if any(half in done and write not in done for half, write in self.between[thread, index]):
                continue
            event = self.paths[thread].events[index]
            now, then = memory, values
            if event.kind == "R":
                then = {**values, (thread, index): memory[event.location]}
            elif event.kind == "W":
                now = {**memory, event.location: evaluate(event.value, lambda read, t=thread: values[t, read])}
            yield done | {(thread, index)}, tuple(now.items()), tuple(sorted(then.items())), snapshot
        if self.ret and snapshot is None and self.at_return <= done:
            yield done, tuple(memory.items()), tuple(sorted(values.items())), tuple(memory.items())

    def behind_barriers(self, thread: int, index: int) -> frozenset[_Event]:
        """Give what the others of the workgroup do before the barriers that an event is behind."""
        phases = {event.wait for event in self.paths[thread].events[:index] if event.wait is not None}
        mine = workgroup(self.test, self.paths[thread])
        return frozenset(
            (other, earlier)
            for other, path in enumerate(self.paths)
            if other != thread and workgroup(self.test, path) == mine
            for place, event in enumerate(path.events)
            if event.arrival in phases
            for earlier in range(place)
        )

    def halves(self, thread: int, index: int) -> list[tuple[_Event, _Event]]:
        """Give the read-modify-writes of the location of an event between whose halves it may not come.

        Plain reads may.
        """
        event = self.paths[thread].events[index]
        half = event.kind == "R" and any(other.rmw == index for other in self.paths[thread].events)
        if event.location is None or (event.kind == "R" and not half):
            return []
        return [
            ((other, write.rmw), (other, place))
            for other, path in enumerate(self.paths)
            for place, write in enumerate(path.events)
            if write.rmw is not None and write.location == event.location and (other, place) != (thread, index)
        ]

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
