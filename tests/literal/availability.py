"""The AMDGPU model: location order by availability and visibility (semantics, section 4)."""

from __future__ import annotations

from functools import cached_property

from enumerator.program.instructions import Scope, Tag
from tests.literal.consistency import LlvmCandidate
from tests.literal.relations import Pairs, compose, identity, optional, product

__all__ = ["AmdgpuCandidate"]

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
        found = identity(self.store_available) | compose(identity(p.writes), p.po & self.hb, make)
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
        own_order = p.po | p.init
        read_to_write = self.hb_or_po & product(p.reads, p.writes)
        write_to_write = compose(self.avail, self.hb & p.inscope) & product(p.writes, p.writes)
        later = optional(p.po & self.hb, p.all)
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
