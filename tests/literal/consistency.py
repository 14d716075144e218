"""The LLVM model on one candidate: happens-before, the axioms, the value rule, final values, races.

Semantics, section 3; the formulas above the functions are its own.
"""

from __future__ import annotations

from functools import cached_property

from tests.literal.program import Program
from tests.literal.relations import (
    Pairs,
    acyclic,
    closure,
    compose,
    identity,
    inverse,
    irreflexive,
    optional,
)

__all__ = ["LlvmCandidate", "RF"]

RF = dict[int, int | None]
"""For each read the write that it reads from, or None where the rule makes it undef."""

_UNDEF = "undef"
_ANY = "any"


class LlvmCandidate:
    """A choice of traces and of reads-from; the orders ``mo`` are checked one after the other."""

    def __init__(self, program: Program, source: RF, hb: str, thin_air: str) -> None:
        self.program = program
        self.source = source
        self.reading = hb
        self.thin_air = thin_air
        self.rf: Pairs = frozenset((write, read) for read, write in source.items() if write is not None)
        self.rf_of_instructions = compose(program.si, self.rf, program.si)

    # Happens-before -----------------------------------------------------------------------------------------

    @cached_property
    def rs(self) -> Pairs:
        """rs = [W & A] ; (rf & incl ; rmw)*, where rf is si;rf;si"""
        p = self.program
        step = compose(self.rf_of_instructions & p.incl_sync, p.rmw)
        return compose(identity(p.writes & p.strong), optional(closure(step), p.all))

    @cached_property
    def sw(self) -> Pairs:
        """Synchronizes-with.

        sw = ( [REL];([F];po)?;rs;(rf & incl);[R & A];(po;[F])?;[ACQ] | [F & REL];po;bar;po;[F & ACQ] ) & incl & ext

        where rf is si;rf;si, and closed under si on both sides.
        """
        p = self.program
        before = optional(compose(identity(p.fences), p.po_fence), p.all)
        after = optional(compose(p.po_fence, identity(p.fences)), p.all)
        through_memory = compose(
            identity(p.rel),
            before,
            self.rs,
            self.rf_of_instructions & p.incl_sync,
            identity(p.reads & p.strong),
            after,
            identity(p.acq),
        )
        around_barrier = compose(identity(p.fences & p.rel), p.po_fence, p.bar, p.po_fence, identity(p.fences & p.acq))
        closed = compose(p.si, (through_memory | around_barrier) & p.incl_sync & p.ext, p.si)
        return closed - p.one_as_cut

    @cached_property
    def hb(self) -> Pairs:
        """The three readings of section 2."""
        p = self.program
        if self.reading == "direct":
            # hb = po-hb | po-hb?;sw;(po-hb?;sw)*;po-hb? | init, with the edges of asynchronous operations beside sw
            maybe = optional(p.po_hb, p.all)
            step = compose(maybe, self.sw | p.asynchronous)
            return p.po_hb | compose(step, optional(closure(step), p.all), maybe) | p.init
        closed = closure(p.po_hb | self.sw | p.asynchronous | p.init)
        return closed - (p.po - p.mmra) if self.reading == "filtered" else closed

    @cached_property
    def hb_or_po(self) -> Pairs:
        return self.hb | self.program.po

    @cached_property
    def lo(self) -> Pairs:
        """lo = (hb | po) & loc"""
        return self.hb_or_po & self.program.loc

    # The value rule -----------------------------------------------------------------------------------------

    def may_see(self, read: int) -> frozenset[int]:
        """Writes not hidden by (a) a later one that is before the read, or (b) coming after the read."""
        p = self.program
        writes = [w for w in p.writes if (w, read) in p.loc]
        return frozenset(
            w
            for w in writes
            if w != p.own_write(read)
            and not any((w, other) in self.lo and (other, read) in self.lo for other in writes)
            and (read, w) not in self.lo
        )

    def allowed(self, read: int) -> tuple[str, frozenset[int]]:
        """What the rule gives: undef, or the writes of which any may be read."""
        p = self.program
        visible = self.may_see(read)
        if not any((w, read) in self.lo and (w, read) in p.loc for w in p.writes):
            return _UNDEF, frozenset()
        if self.all_atomic_and_inclusive(visible | {read}):
            return _ANY, visible
        if len(visible) == 1:
            return _ANY, visible
        return _UNDEF, frozenset()

    def all_atomic_and_inclusive(self, events: frozenset[int]) -> bool:
        p = self.program
        return events <= p.atomic and all((a, b) in p.incl for a in events for b in events if a != b)

    def values_follow_the_rule(self) -> bool:
        """Axiom 6"""
        for read, write in self.source.items():
            verdict, writes = self.allowed(read)
            if (write is None) != (verdict == _UNDEF) or (write is not None and write not in writes):
                return False
        return True

    # Axioms -------------------------------------------------------------------------------------------------

    def consistent_without_order(self) -> bool:
        """The axioms that do not mention mo: 1, 4 and 6."""
        return irreflexive(self.hb) and self.no_thin_air() and self.values_follow_the_rule()

    def no_thin_air(self) -> bool:
        """acyclic rf | dep | po;bar;po; with po in the place of dep under rc11"""
        p = self.program
        if self.thin_air == "none":
            return True
        return acyclic(self.rf | (p.po if self.thin_air == "rc11" else p.dep) | p.across_barrier)

    def consistent_with_order(self, mo: Pairs) -> bool:
        """The axioms that mention mo: 2, 3 and 5."""
        p = self.program
        on_strong = frozenset((a, b) for a, b in self.rf if a in p.strong and b in p.strong)
        fr = compose(inverse(on_strong), mo)
        eco = closure(on_strong | mo | fr)
        return (
            irreflexive(compose(self.hb | (p.po & p.loc), eco))
            and not p.rmw & compose(fr, mo)
            and self.not_torn(on_strong, mo, fr)
            and acyclic(self.psc(mo, fr, eco))
        )

    def not_torn(self, rf: Pairs, mo: Pairs, fr: Pairs) -> bool:
        """irreflexive mo;si;mo;si and irreflexive rf;si;fr;si, on A parts (section 8)"""
        si = self.program.si
        return irreflexive(compose(mo, si, mo, si)) and irreflexive(compose(rf, si, fr, si))

    def psc(self, mo: Pairs, fr: Pairs, eco: Pairs) -> Pairs:
        """RC11's partial order of seq_cst events, over po-hb, restricted to inclusive pairs.

        With bytes: loc is overlap, and it is closed under si on both sides.
        """
        p = self.program
        if not p.seq_cst:
            return frozenset()
        sc, fences = identity(p.seq_cst), identity(p.seq_cst & p.fences)
        elsewhere = p.po_hb - p.overlap
        scb = p.po_hb | compose(elsewhere, self.hb, elsewhere) | (self.hb & p.overlap) | mo | fr
        maybe_hb = optional(self.hb, p.all)
        base = compose(sc | compose(fences, maybe_hb), scb, sc | compose(maybe_hb, fences))
        between_fences = compose(fences, self.hb | compose(self.hb, eco, self.hb), fences)
        return compose(p.si, (base | between_fences) & p.incl_sync, p.si)

    # Outcomes -----------------------------------------------------------------------------------------------

    def final_write(self, writes: frozenset[int], mo: Pairs) -> int | None:
        """Of the writes that none is lo-after: the only one, or the mo-last of inclusive A writes, or none."""
        last = frozenset(w for w in writes if not any((w, other) in self.lo for other in writes))
        if len(last) == 1:
            return next(iter(last))
        if last and last <= self.program.strong and self.all_atomic_and_inclusive(last):
            return next(w for w in last if not any((w, other) in mo for other in last))
        return None

    def races(self) -> bool:
        """Two accesses, one a write, not both atomic and inclusive, that neither lo nor (R to W) hb | po orders"""
        p = self.program
        return any(
            (a in p.writes or b in p.writes)
            and not self.all_atomic_and_inclusive(frozenset((a, b)))
            and not self._ordered(a, b)
            and not self._ordered(b, a)
            for a, b in p.loc
            if a < b
        )

    def mixes_atomics(self) -> bool:
        """Atomic accesses of two threads, one a write, that share some bytes and not all, and that hb does not order"""
        p = self.program
        return any(
            (a in p.writes or b in p.writes)
            and {a, b} <= p.atomic - p.initial
            and (a, b) in p.ext
            and p.events[a].access != p.events[b].access
            and not {(a, b), (b, a)} & self.hb
            for a, b in p.loc
            if a < b
        )

    def uses_what_has_ended(self) -> bool:
        """Section 9: an access, or another end, of an object that is not lo-before its end."""
        p = self.program
        ends = {e for e in p.writes if "FREE" in p.events[e].annotation.labels}
        return any(b in ends and a != b and a not in p.initial and (a, b) not in self.lo for a, b in p.loc)

    def _ordered(self, a: int, b: int) -> bool:
        p = self.program
        return (a, b) in (self.hb_or_po if a in p.reads and b in p.writes else self.lo)
