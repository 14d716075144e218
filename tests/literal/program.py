"""What a choice of traces fixes: events, and the relations that no reads-from and no order can change."""

from __future__ import annotations

from functools import cached_property

from enumerator.program.instructions import Annotation, Ordering, Scope
from enumerator.program.test import Test
from enumerator.program.values import UNDEF
from tests.literal.events import Event, Trace
from tests.literal.memory import initial_content
from tests.literal.objects import Meeting
from tests.literal.relations import Pairs, compose, identity, product
from tests.literal.tags import compatible, effective_tags

__all__ = ["Program"]


class Program:
    """The events of one trace a thread, with their static sets and relations.

    Events are numbered: the initial writes of the cells that are accessed, then each thread's in order. Without `met`
    the barriers are those of workgroups, which their numbers say (section 3).
    """

    def __init__(self, test: Test, traces: tuple[Trace, ...], profile: str, met: Meeting | None = None) -> None:
        self.test = test
        self.met = met
        self.traces = traces
        self.profile = profile
        self.locations = sorted({e.location for trace in traces for e in trace.events if e.location is not None})
        self.events: list[Event] = []
        self.thread: list[int | None] = []
        spaces = {memory.name: memory.address_space for memory in test.objects}
        allocas = {name for trace in traces for name, _ in trace.allocas}
        for location in self.locations:
            fresh = location.object in allocas
            content = (UNDEF,) * location.size if fresh else initial_content(test, location)
            annotation = Annotation(address_space=spaces.get(location.object, 0))
            self.events.append(
                Event("W", annotation, Ordering.MONOTONIC, False, -1, location, location, content=content)
            )
            self.thread.append(None)
        self.first: list[int] = []
        for number, trace in enumerate(traces):
            self.first.append(len(self.events))
            self.events.extend(trace.events)
            self.thread.extend([number] * len(trace.events))
        self.all = range(len(self.events))

    # Sets (section 1) ---------------------------------------------------------------------------------------

    @cached_property
    def initial(self) -> frozenset[int]:
        """IW"""
        return frozenset(e for e in self.all if self.thread[e] is None)

    def of_kind(self, kind: str) -> frozenset[int]:
        return frozenset(e for e in self.all if self.events[e].kind == kind)

    @cached_property
    def reads(self) -> frozenset[int]:
        return self.of_kind("R")

    @cached_property
    def writes(self) -> frozenset[int]:
        return self.of_kind("W")

    @cached_property
    def fences(self) -> frozenset[int]:
        return self.of_kind("F")

    def with_ordering(self, *orderings: Ordering) -> frozenset[int]:
        return frozenset(e for e in self.all if self.events[e].ordering in orderings and e not in self.initial)

    @cached_property
    def atomic(self) -> frozenset[int]:
        """Accesses that are not ``na``; an initial write is atomic."""
        accesses = self.reads | self.writes
        return frozenset(e for e in accesses if self.events[e].ordering is not Ordering.NA) | self.initial

    @cached_property
    def strong(self) -> frozenset[int]:
        """A: monotonic or stronger; an initial write is one of them, for ``mo`` begins with it."""
        return frozenset(e for e in self.all if self.events[e].ordering >= Ordering.MONOTONIC) | self.initial

    @cached_property
    def acq(self) -> frozenset[int]:
        """ACQ"""
        orderings = (Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST)
        return self.with_ordering(*orderings) & (self.reads | self.fences)

    @cached_property
    def rel(self) -> frozenset[int]:
        """REL"""
        orderings = (Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)
        return self.with_ordering(*orderings) & (self.writes | self.fences)

    @cached_property
    def seq_cst(self) -> frozenset[int]:
        return self.with_ordering(Ordering.SEQ_CST)

    # Relations (section 1) ----------------------------------------------------------------------------------

    @cached_property
    def si(self) -> Pairs:
        """The parts of one access (section 8); the halves of an instruction are linked by rmw."""
        return frozenset((a, b) for a in self.all for b in self.all if a == b or self._same_access(a, b))

    def _same_access(self, a: int, b: int) -> bool:
        one, other = self.events[a], self.events[b]
        same = self.same_thread(a, b) and (one.instruction, one.kind) == (other.instruction, other.kind)
        return same and one.location is not None

    @cached_property
    def po(self) -> Pairs:
        """Between all parts of one instruction and all of a later one; inside an instruction there is rmw alone."""
        return frozenset((a, b) for a in self.all for b in self.all if self._before(a, b)) | self.rmw

    def _before(self, a: int, b: int) -> bool:
        one, other = self.events[a], self.events[b]
        if not self.same_thread(a, b) or one.detached or other.detached:
            return False
        if one.instruction != other.instruction:
            return one.instruction < other.instruction
        return a < b and one.location is None and other.location is None

    def same_thread(self, a: int, b: int) -> bool:
        return self.thread[a] is not None and self.thread[a] == self.thread[b]

    @cached_property
    def loc(self) -> Pairs:
        places = [event.location for event in self.events]
        return frozenset((a, b) for a in self.all for b in self.all if places[a] is not None and places[a] == places[b])

    @cached_property
    def overlap(self) -> Pairs:
        """si ; loc ; si"""
        return compose(self.si, self.loc, self.si)

    @cached_property
    def ext(self) -> Pairs:
        return frozenset((a, b) for a in self.all for b in self.all if a != b and not self.same_thread(a, b))

    @cached_property
    def rmw(self) -> Pairs:
        return self._edges("rmw")

    @cached_property
    def dep(self) -> Pairs:
        """dep = addr | data | ctrl | rmw"""
        return self._edges("addr") | self._edges("data") | self._edges("ctrl") | self.rmw

    def _edges(self, name: str) -> Pairs:
        pairs = set()
        for b in self.all:
            thread = self.thread[b]
            if thread is None:
                continue
            sources = getattr(self.events[b], name)
            for a in (sources,) if isinstance(sources, int) else sources or ():
                pairs.add((self.first[thread] + a, b))
        return frozenset(pairs)

    def scope(self, event: int) -> Scope:
        return self.events[event].annotation.scope

    def same(self, scope: Scope, a: int, b: int) -> bool:
        """same-S(a, b); an initial write belongs to every scope instance."""
        thread_a, thread_b = self.thread[a], self.thread[b]
        if thread_a is None or thread_b is None:
            return True
        if scope is Scope.SINGLETHREAD and self.events[a].detached != self.events[b].detached:
            return False  # section 10: to the scope instances of its thread except singlethread
        placements = self.test.placements
        names = self.traces[thread_a].thread, self.traces[thread_b].thread
        return placements[names[0]].instance(scope) == placements[names[1]].instance(scope)

    @cached_property
    def inscope(self) -> Pairs:
        """inscope(a, b): b is in the instance that a's own scope names."""
        return frozenset((a, b) for a in self.all for b in self.all if self.same(self.scope(a), a, b))

    @cached_property
    def incl(self) -> Pairs:
        return frozenset((a, b) for a, b in self.inscope if (b, a) in self.inscope)

    # Tags (section 2) ---------------------------------------------------------------------------------------

    @cached_property
    def mmra(self) -> Pairs:
        """Pairs with compatible tags; an initial write has none."""
        tags = [frozenset() if e in self.initial else effective_tags(self.events[e], self.profile) for e in self.all]
        return frozenset((a, b) for a in self.all for b in self.all if compatible(tags[a], tags[b]))

    @cached_property
    def incl_sync(self) -> Pairs:
        """What stands for ``incl`` in rs, sw and psc."""
        return self.incl & self.mmra if self.profile == "strict" else self.incl

    @cached_property
    def po_fence(self) -> Pairs:
        """What stands for ``po`` next to a fence in sw."""
        return self.po & self.mmra if self.profile == "strict" else self.po

    # Program order that counts (sections 1, 3, 5) -----------------------------------------------------------

    @cached_property
    def tp_cut(self) -> Pairs:
        """tp-cut = (TP*S | S*TP) \\ rmw with S = SYNC \\ (F & singlethread)"""
        private = {e for e in self.all if self.events[e].annotation.thread_private}
        narrow = {e for e in self.fences if self.scope(e) is Scope.SINGLETHREAD}
        sync = {e for e in self.all if self.events[e].synchronizing} - narrow
        return (product(private, sync) | product(sync, private)) - self.rmw

    @cached_property
    def one_as_cut(self) -> Pairs:
        """Edges between a ``-one-as`` atomic and accesses of other address spaces."""
        accesses = self.reads | self.writes
        space = {e: self._space(e) for e in accesses}
        restricted = {e for e in accesses & self.atomic if self.events[e].annotation.one_as}
        pairs = product(restricted, accesses) | product(accesses, restricted)
        return frozenset((a, b) for a, b in pairs if space[a] != space[b])

    def _space(self, access: int) -> int:
        """The address space of the memory: a flat address does not say it."""
        event = self.events[access]
        spaces = {memory.name: memory.address_space for memory in self.test.objects}
        said = event.annotation.address_space
        return said if said or event.location is None else spaces.get(event.location.object, said)

    @cached_property
    def po_hb(self) -> Pairs:
        """po-hb = (po & mmra) \\ tp-cut between R, W and F; the halves of an instruction always are in it"""
        memory = self.reads | self.writes | self.fences
        starts, waits = self.of_kind("I"), self.of_kind("Y")
        sides = product(memory, memory) | product(memory | waits, starts) | product(waits, memory)
        kept = self.po & self.mmra & sides
        return (kept - self.tp_cut - self.one_as_cut) | self.rmw

    # Asynchronous operations (section 10) -------------------------------------------------------------------

    @cached_property
    def asynchronous(self) -> Pairs:
        """I to A; A's read to its write; A to Y where it is completed"""
        return self._edges("started") | self._edges("copied") | self._edges("completed")

    @cached_property
    def reach(self) -> Pairs:
        """What stands for po in section 4: it reaches from before I to A, and from A to after Y."""
        started, completed = self._edges("started"), self._edges("completed")
        to, behind = compose(self.po, started), compose(completed, self.po)
        return self.po | to | behind | compose(behind, started)

    @cached_property
    def init(self) -> Pairs:
        """init = IW * (_ \\ IW)"""
        return product(self.initial, [e for e in self.all if e not in self.initial])

    # Barriers (section 3) -----------------------------------------------------------------------------------

    def phases(self, what: str) -> dict[int, list[int]]:
        """The arrivals, or the waits, of each thread in order."""
        return {
            number: [e for e in self.all if self.thread[e] == number and getattr(self.events[e], what)]
            for number in range(len(self.traces))
        }

    @cached_property
    def bar(self) -> Pairs:
        """The n-th arrival of a thread with the n-th wait of every other thread of its workgroup."""
        if self.met is not None:
            pairs = self.met.participates
            return frozenset((self.first[a] + x, self.first[b] + y) for (a, x), (b, y) in pairs if a != b)
        arrivals, waits = self.phases("arrives"), self.phases("waits")
        return frozenset(
            (arrival, wait)
            for a, came in arrivals.items()
            for b, waited in waits.items()
            if a != b and self.same_workgroup(a, b)
            for arrival, wait in zip(came, waited, strict=False)
        )

    @cached_property
    def across_barrier(self) -> Pairs:
        """po;bar;po"""
        return compose(self.po, self.bar, self.po)

    def same_workgroup(self, a: int, b: int) -> bool:
        placements = self.test.placements
        names = self.traces[a].thread, self.traces[b].thread
        return placements[names[0]].instance(Scope.WORKGROUP) == placements[names[1]].instance(Scope.WORKGROUP)

    @cached_property
    def barriers_differ(self) -> bool:
        """Threads of a workgroup that returned, or stay at a barrier, have executed different numbers of barriers."""
        if self.met is not None:
            return False
        arrivals, waits = self.phases("arrives"), self.phases("waits")
        counts = {n: (len(arrivals[n]), len(waits[n])) for n in range(len(self.traces))}
        return any(
            self.same_workgroup(a, b)
            and counts[a] != counts[b]
            and {self.traces[a].end, self.traces[b].end} <= {"return", "blocked"}
            for a in counts
            for b in counts
        )

    # Values -------------------------------------------------------------------------------------------------

    def own_write(self, read: int) -> int | None:
        """The write half of a read's own instruction."""
        return next((b for a, b in self.rmw if a == read), None)

    def identity(self, events: frozenset[int]) -> Pairs:
        return identity(events)
