"""The AMDGPU model: location order by availability and visibility (semantics, section 4)."""

from __future__ import annotations

from functools import cached_property

from enumerator.program.instructions import Scope, Tag
from tests.literal.consistency import LlvmCandidate
from tests.literal.relations import Pairs, compose, identity, optional, product

__all__ = ["Amdgpu2026Candidate", "AmdgpuCandidate"]

_NOT_AVAILABLE = Tag("amdgcn-av", "none")


class AmdgpuCandidate(LlvmCandidate):
    """As LLVM's, with another location order and value rule."""

    def _labelled(self) -> frozenset[int]:
        p = self.program
        return frozenset(e for e in p.all if "AV" in p.events[e].annotation.labels)

    def _plain_tags(self) -> frozenset[int]:
        p = self.program
        return frozenset(e for e in p.all if _NOT_AVAILABLE not in p.events[e].annotation.tags)

    @cached_property
    def store_available(self) -> frozenset[int]:
        """Atomic writes and the store intrinsics."""
        p = self.program
        return (p.atomic | self._labelled()) & p.writes

    @cached_property
    def load_visible(self) -> frozenset[int]:
        """Atomic reads and the load intrinsics."""
        p = self.program
        return (p.atomic | self._labelled()) & p.reads

    @cached_property
    def make_available(self) -> frozenset[int]:
        return self.program.rel & self._plain_tags()

    @cached_property
    def make_visible(self) -> frozenset[int]:
        return self.program.acq & self._plain_tags()

    @cached_property
    def avail(self) -> Pairs:
        """Least fixpoint of av0 | (avail ; (hb & inscope) ; [MakeAv]) & inscope^-1"""
        p = self.program
        make = identity(self.make_available)
        around = frozenset((b, a) for a, b in p.inscope)
        found = identity(self.store_available) | compose(identity(p.writes), p.reach & self.hb, make)
        while True:
            more = found | (compose(found, self.hb & p.inscope, make) & around)
            if more == found:
                return found
            found = more

    @cached_property
    def visible_to_thread(self) -> Pairs:
        """vis_singlethread, from the fixpoints of the larger scopes down"""
        p = self.program
        around = frozenset((b, a) for a, b in p.inscope)
        where = product(p.writes, self.make_visible) | (p.loc & product(p.writes, self.load_visible))
        larger: dict[Scope, Pairs] = {}
        for scope in sorted(Scope, reverse=True):
            level = identity(frozenset(e for e in p.all if p.scope(e) >= scope))
            found = compose(self.avail, level, self.hb & p.incl, level) & where
            while True:
                larger[scope] = found
                steps = [
                    compose(visible, frozenset((a, b) for a, b in self.hb & around if p.same(s, a, b)), level)
                    for s, visible in larger.items()
                ]
                more = found | (frozenset().union(*steps) & where)
                if more == found:
                    break
                found = more
        return larger[Scope.SINGLETHREAD]

    @cached_property
    def lo(self) -> Pairs:
        """lo = (po | init) & loc | (hb | po) & loc & R*W | (avail ; (hb & inscope)) & loc & W*W | ..."""
        p = self.program
        own_order = p.reach | p.init
        read_to_write = (self.hb | p.reach) & product(p.reads, p.writes)
        write_to_write = compose(self.avail, self.hb & p.inscope) & product(p.writes, p.writes)
        later = optional(p.reach & self.hb, p.all)
        write_to_read = compose(self.visible_to_thread, later) & product(p.writes, p.reads)
        return (own_order | read_to_write | write_to_write | write_to_read) & p.loc

    def allowed(self, read: int) -> tuple[str, frozenset[int]]:
        p = self.program
        visible = self.may_see(read)
        ordered = frozenset(w for w in p.writes if (w, read) in self.lo)
        if ordered and self.all_atomic_and_inclusive(visible | {read}):
            return "any", visible
        if len(visible) == 1 and visible <= ordered:
            return "any", visible
        return "undef", frozenset()


class Amdgpu2026Candidate(AmdgpuCandidate):
    """What the document gained in 2026: how far an access makes *itself* available or visible is no longer its scope.

    Written over operations with the extent at which they act, so that an access which is also a MakeAvailable or
    MakeVisible operation may act at two: for itself at its extent, for what came before at its sync scope.
    """

    def extent(self, access: int) -> Scope | None:
        """How far an access acts for itself; None if it does not."""
        p = self.program
        annotation = p.events[access].annotation
        place = p.events[access].location
        space = {memory.name: memory.address_space for memory in p.test.objects}
        flat = annotation.address_space == 0 and place is not None and space.get(place.object) == 3
        local = annotation.address_space == 3 or flat
        if access in p.initial:
            return Scope.WORKGROUP if local else Scope.SYSTEM
        if local:
            return Scope.WORKGROUP
        if annotation.volatile and access not in p.atomic:
            return Scope.SYSTEM
        return p.scope(access) if access in p.atomic | self._labelled() else None

    @cached_property
    def available_at(self) -> frozenset[tuple[int, int, Scope]]:
        """Write, operation that makes it available, and how far."""
        p = self.program
        own = {write: self.extent(write) for write in p.writes}
        found = {(write, write, extent) for write, extent in own.items() if extent is not None}
        found |= {(w, x, p.scope(x)) for w, x in p.reach & self.hb if w in p.writes and x in self.make_available}
        while True:
            more = {
                (w, x, p.scope(x))
                for w, z, extent in found
                for x in self.make_available
                if (z, x) in self.hb and p.same(extent, z, x) and p.same(p.scope(x), x, w)
            }
            if more <= found:
                return frozenset(found)
            found |= more

    @cached_property
    def avail(self) -> Pairs:
        return frozenset((write, operation) for write, operation, _ in self.available_at)

    @cached_property
    def visible_to_thread(self) -> Pairs:
        """Each operation makes a write visible in its own instance of some scope, and in every smaller one."""
        p = self.program
        acts = [(y, p.scope(y), None) for y in sorted(self.make_visible)]
        acts += [(y, e, p.events[y].location) for y in sorted(p.reads) if (e := self.extent(y)) is not None]
        found: set[tuple[int, int, Scope]] = set()
        for w, x, extent in self.available_at:
            for y, reach, location in acts:
                if location not in (None, p.events[w].location) or (x, y) not in self.hb:
                    continue
                if p.same(extent, x, y) and p.same(reach, y, x):
                    found.add((w, y, min(extent, reach)))
        while True:
            more = {
                (w, y, min(level, reach))
                for w, before, level in found
                for y, reach, location in acts
                if location in (None, p.events[w].location)
                and (before, y) in self.hb
                and p.same(level, before, y)
                and p.same(reach, y, before)
            }
            if more <= found:
                return frozenset((write, operation) for write, operation, _ in found)
            found |= more

    @cached_property
    def lo(self) -> Pairs:
        p = self.program
        own_order = p.reach | p.init
        read_to_write = (self.hb | p.reach) & product(p.reads, p.writes)
        write_to_write = frozenset(
            (w, later)
            for w, x, extent in self.available_at
            for later in p.writes
            if (x, later) in self.hb and p.same(extent, x, later)
        )
        later = optional(p.reach & self.hb, p.all)
        write_to_read = compose(self.visible_to_thread, later) & product(p.writes, p.reads)
        return (own_order | read_to_write | write_to_write | write_to_read) & p.loc
