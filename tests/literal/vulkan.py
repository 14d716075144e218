"""The Vulkan memory model, word by word: Vulkan specification, appendix *Memory Model*.

Written from the specification and not from ``vulkan.cat``, as loops over operations; a read-modify-write is one
operation. Availability and visibility chains are sequences of operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, product

from enumerator.program.instructions import Ordering, Scope
from enumerator.reference.base import Combination
from enumerator.request import Candidate

__all__ = ["judge"]

_LEVELS = (Scope.WAVEFRONT, Scope.WORKGROUP, Scope.CLUSTER, Scope.AGENT)  # subgroup, workgroup, queue family, shader
_SETS = [set(s) for s in chain.from_iterable(combinations(range(4), n) for n in range(1, 5))]

Pairs = set[tuple[int, int]]


@dataclass
class _Operation:
    thread: int
    order: int
    reads: bool
    writes: bool
    kind: str
    location: object
    annotation: object
    barrier: object

    def has(self, label: str) -> bool:
        return label in self.annotation.labels  # type: ignore[attr-defined]

    @property
    def atomic(self) -> bool:
        return (self.reads or self.writes) and self.annotation.ordering != Ordering.NA  # type: ignore[attr-defined]

    @property
    def private(self) -> bool:
        return not self.has("NONPRIV")

    @property
    def acquires(self) -> bool:
        ordered = self.annotation.ordering in (Ordering.ACQUIRE, Ordering.ACQ_REL)  # type: ignore[attr-defined]
        return ordered and (self.reads or self.kind in "FB")

    @property
    def releases(self) -> bool:
        ordered = self.annotation.ordering in (Ordering.RELEASE, Ordering.ACQ_REL)  # type: ignore[attr-defined]
        return ordered and (self.writes or self.kind in "FB")

    @property
    def scope(self) -> Scope:
        return self.annotation.scope  # type: ignore[attr-defined, no-any-return]

    @property
    def semantics(self) -> set[int]:
        return {n for n in range(4) if self.has(f"SEMSC{n}")}

    @property
    def storage(self) -> set[int]:
        return {n for n in range(4) if self.has(f"SC{n}")}


def judge(combination: Combination, candidate: Candidate, chains: bool = True) -> tuple[bool, bool]:
    """Tell whether an execution is consistent, and whether it has a data race."""
    return _Model(combination, candidate, chains).run()


class _Model:
    def __init__(self, combination: Combination, candidate: Candidate, chains: bool) -> None:
        self.chains = chains
        test = combination.test
        places = [test.placements[thread.name] for thread in test.threads]
        self.of: dict[int, int] = {}
        self.ops: list[_Operation] = []
        self.initial = {event.number for event in combination.events if event.kind == "IW"}
        seen: dict[tuple[int, int], int] = {}
        for event in combination.events:
            if event.thread is None or event.index is None:
                continue
            made = combination.paths[event.thread].events[event.index]
            key = (event.thread, made.instruction)
            if key not in seen:
                seen[key] = len(self.ops)
                location = event.location
                self.ops.append(
                    _Operation(
                        event.thread, event.index, False, False, event.kind, location, made.annotation, made.barrier
                    )
                )
            operation = self.ops[seen[key]]
            operation.reads |= event.kind == "R"
            operation.writes |= event.kind == "W"
            self.of[event.number] = seen[key]
        self.all = range(len(self.ops))
        names = [thread.name for thread in test.threads]
        self.ssw = {
            (a, b)
            for a, b in product(self.all, self.all)
            if (names[self.ops[a].thread], names[self.ops[b].thread]) in test.synchronized
        }
        self.same = lambda level, a, b: (
            places[self.ops[a].thread].instance(level) == places[self.ops[b].thread].instance(level)
        )
        self.rf = {(self.of[w], self.of[r]) for w, r in candidate.reads_from if w not in self.initial}
        self.from_initial = {self.of[r] for w, r in candidate.reads_from if w in self.initial}
        self.position = {
            self.of[w]: place for order in candidate.orders for place, w in enumerate(order) if w not in self.initial
        }

    def run(self) -> tuple[bool, bool]:
        self.po = {
            (a, b)
            for a, b in product(self.all, self.all)
            if self.ops[a].thread == self.ops[b].thread and self.ops[a].order < self.ops[b].order
        }
        self.asmo = {
            (a, b)
            for a, b in product(self.all, self.all)
            if self.mutual(a, b) and self.ops[a].writes and self.ops[b].writes and self.position[a] < self.position[b]
        }
        self.sw = {(a, b) for a, b in product(self.all, self.all) if self.synchronizes(a, b)}
        self.hb = self.po | set(chain.from_iterable(self.inter_thread(classes) for classes in _SETS))
        self.lo = {(a, b) for a, b in product(self.all, self.all) if self.location_ordered(a, b)}
        return self.consistent(), self.racy()

    # Atomic operations, release sequence

    def in_scope(self, a: int, b: int) -> bool:
        return bool(self.same(self.ops[a].scope, a, b) and self.same(self.ops[b].scope, a, b))

    def same_place(self, a: int, b: int) -> bool:
        return self.ops[a].location is not None and self.ops[a].location == self.ops[b].location

    def same_reference(self, a: int, b: int) -> bool:
        one, other = self.ops[a].annotation, self.ops[b].annotation
        return self.same_place(a, b) and one.reference == other.reference  # type: ignore[attr-defined]

    def mutual(self, a: int, b: int) -> bool:
        both = self.ops[a].atomic and self.ops[b].atomic
        return a != b and both and self.same_reference(a, b) and self.in_scope(a, b)

    def headed_by(self, a: int) -> set[int]:
        found = {a}
        for b in sorted((b for x, b in self.asmo if x == a), key=self.position.__getitem__):
            if not self.ops[b].reads:
                break
            found.add(b)
        return found

    # Synchronizes-with, inter-thread-happens-before

    def synchronizes(self, a: int, b: int) -> bool:
        first, second = self.ops[a], self.ops[b]
        if not (first.releases and second.acquires and self.in_scope(a, b)):
            return False
        atomics = [x for x in self.all if self.ops[x].atomic]
        writes = (
            [a]
            if first.atomic
            else [
                x
                for x in atomics
                if self.ops[x].writes and (a, x) in self.po and self.ops[x].storage <= first.semantics
            ]
        )
        reads = (
            [b]
            if second.atomic
            else [
                y
                for y in atomics
                if self.ops[y].reads and (y, b) in self.po and self.ops[y].storage <= second.semantics
            ]
        )
        for x, y in product(writes, reads):
            if any((z, y) in self.rf and self.mutual(z, y) for z in self.headed_by(x)):
                return True
        if first.atomic or second.atomic:
            return False
        for c, d in product(self.all, self.all):
            one, other = self.ops[c].barrier, self.ops[d].barrier
            if one is not None and one == other and c != d and self.in_scope(c, d):
                if (a == c or (a, c) in self.po) and (d == b or (d, b) in self.po):
                    return True
        return False

    def inter_thread(self, classes: set[int]) -> Pairs:
        def covers(x: int) -> bool:
            return classes <= self.ops[x].semantics

        def member(x: int) -> bool:
            return bool(self.ops[x].storage & classes) or covers(x)

        found = set(self.ssw) | {(a, b) for a, b in self.sw if covers(a) and covers(b)}
        found |= {(a, b) for a, b in self.po if member(a) and self.ops[b].releases and covers(b)}
        found |= {(a, b) for a, b in self.po if self.ops[a].acquires and covers(a) and member(b)}
        return _closed(found)

    # Availability and visibility

    def av(self, x: int, level: Scope) -> bool:
        op = self.ops[x]
        return (op.writes and op.has("AV") or op.releases and op.has("SEMAV")) and level <= op.scope <= Scope.AGENT

    def vis(self, x: int, level: Scope) -> bool:
        op = self.ops[x]
        return (op.reads and op.has("VIS") or op.acquires and op.has("SEMVIS")) and level <= op.scope <= Scope.AGENT

    def included(self, a: int, b: int) -> bool:
        """Tell whether b makes available what a wrote, or a makes visible to what b reads."""
        one, other = self.ops[a], self.ops[b]
        if other.releases and other.has("SEMAV") and one.storage & other.semantics:
            return a != b
        if one.acquires and one.has("SEMVIS") and other.storage & one.semantics:
            return a != b
        own = [(op.writes and op.has("AV")) or (op.reads and op.has("VIS")) for op in (one, other)]
        return any(own) and self.same_reference(a, b)

    def own(self, a: int, b: int) -> bool:
        return (a == b or (a, b) in self.po) and self.included(a, b)

    def link(self, a: int, b: int, level: Scope) -> bool:
        return (a, b) in self.hb and bool(self.same(level, a, b)) and self.included(a, b)

    def availability(self, level: Scope) -> Pairs:
        """Give the first and the last operation of each chain to the domain of a level."""
        ends = [x for x in self.all if self.av(x, level)]
        found = {(x, x) for x in ends}
        if self.chains:
            starts = {(x, x) for x in self.all}
            for smaller in _LEVELS[: _LEVELS.index(level)]:
                steps = {(a, c) for a, b in self.availability(smaller) for c in self.all if self.link(b, c, smaller)}
                starts |= {(a, c) for a, b in starts for x, c in steps if x == b}
            found |= {(a, b) for a, b in starts if b in ends}
        return found

    def visibility(self, level: Scope) -> Pairs:
        begins = [x for x in self.all if self.vis(x, level)]
        found = {(x, x) for x in begins}
        if self.chains:
            ends = {(x, x) for x in self.all}
            for smaller in _LEVELS[: _LEVELS.index(level)]:
                steps = {(a, c) for b, c in self.visibility(smaller) for a in self.all if self.link(a, b, smaller)}
                ends |= {(a, c) for a, b in steps for x, c in ends if x == b}
            found |= {(a, b) for a, b in ends if a in begins}
        return found

    # Location-ordered

    def location_ordered(self, x: int, y: int) -> bool:
        first, second = self.ops[x], self.ops[y]
        if x == y or not self.same_place(x, y):
            return False
        if first.thread == second.thread and self.same_reference(x, y) and (x, y) in self.hb:
            return True
        if first.reads and not first.private and not second.private and (x, y) in self.hb:
            return True
        if first.reads and (x, y) in _closed(self.ssw):
            return True
        if not first.writes:
            return False
        if self.same_reference(x, y) and not first.private and not second.private:
            for level in _LEVELS:
                if self._through(x, y, level):
                    return True
        devices = [d for d in self.all if self.ops[d].has("AVDEVICE") and (x, d) in self.hb]
        if second.writes and any((d, y) in self.hb for d in devices):
            return True
        shown = [v for v in self.all if self.ops[v].has("VISDEVICE") and (v, y) in self.hb]
        return second.reads and any((d, v) in self.hb for d, v in product(devices, shown))

    def _through(self, x: int, y: int, level: Scope) -> bool:
        if level < Scope.AGENT and not self.same(level, x, y) and not self.chains:
            return False
        for start, end in self.availability(level):
            if not self.own(x, start):
                continue

            def after(b: int, end: int = end) -> bool:
                return (end, b) in self.hb and (level == Scope.AGENT or bool(self.same(level, end, b)))

            if self.ops[y].writes and after(y):
                return True
            if self.ops[y].reads and any(after(v) and self.own(w, y) for v, w in self.visibility(level)):
                return True
        return False

    # Acyclicity, visible-to, data race

    def consistent(self) -> bool:
        writes = [w for w in self.all if self.ops[w].writes]
        fr = {(r, w) for r in self.from_initial for w in writes if w != r and self.same_place(r, w)}
        for w, r in self.rf:
            fr |= {(r, later) for later in writes if later != r and (w, later) in self.asmo}
            if (w, r) in self.lo:
                fr |= {(r, later) for later in writes if later != r and (w, later) in self.lo}
        if any(a == b for a, b in _closed(self.lo | self.asmo | self.rf | fr)):
            return False
        hidden = {(w, r) for w, r in self.rf if any((w, z) in self.lo and (z, r) in self.lo for z in writes)}
        return all(self.ops[r].atomic for _, r in hidden)

    def racy(self) -> bool:
        return any(
            self.same_place(a, b)
            and (self.ops[a].writes or self.ops[b].writes)
            and not self.mutual(a, b)
            and (a, b) not in self.lo
            and (b, a) not in self.lo
            for a, b in combinations(self.all, 2)
        )


def _closed(pairs: Pairs) -> Pairs:
    found = set(pairs)
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return found
        found |= more
