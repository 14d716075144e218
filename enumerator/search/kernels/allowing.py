"""What a model says of an execution while it grows: which axioms can be tested, and whether what is there may stand."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.entering import relate
from enumerator.search.kernels.growth import has_ended, is_open, note_dead_end
from enumerator.search.kernels.relations import ONE, ZERO, passes, set_bit
from enumerator.search.kernels.serving import candidates, may_be_undef
from enumerator.search.kernels.settling import any_settled, says_otherwise
from enumerator.search.kernels.tried import thread_that_tried
from enumerator.search.kernels.updating import update
from enumerator.search.kernels.words import trailing_zeros


@inner
def refuse(work):
    """Go back to the last decision."""
    work.st[op.REFUSED] += 1
    work.st[op.PHASE] = op.GROW_NEXT


@inner
def keeps_on(prog, work, grown):
    """Tell whether no axiom fails that can be tested on any part of an execution."""
    if grown.at[op.X_STEPS] != 0:
        good = update(prog, work, grown)
    else:
        good = passes(op.GROW_SETS, op.GROW_CLOSED, prog, work)
    grown.at[op.X_FRESH] = 1
    return good


@inner
def stays_good(prog, tries, work, grown):
    """Tell whether what has grown is good, where that has not been tested since the last change; else go back."""
    if grown.at[op.X_FRESH] != 0 or keeps_on(prog, work, grown):
        return True
    note_dead_end(tries, work, grown)
    work.st[op.EXPLORED] += 1
    refuse(work)
    return False


@inner
def complete(tries, data, grown):
    """Tell whether no thread has anything left to do but to read."""
    for t in range(grown.node.shape[0]):
        if not has_ended(t, tries, grown):
            return False
    return grown.at[op.X_DEFERRED] == 0 and thread_that_tried(tries, data, grown) < 0


@inner
def show_reads(prog, data, work, grown):
    """Put the reads that have no source yet into the graph, once nothing else can come; tell whether there are such."""
    found = False
    for v in range(grown.open.shape[0]):
        left = grown.open[v] & ~work.S[op.GROW_PRESENT, v]
        while left != ZERO:
            relate((v << 6) + trailing_zeros(left), prog, data, work, grown)
            left &= left - ONE
            found = True
    return found


@inner
def allowed(prog, data, tries, work, grown):
    """Tell whether no axiom fails in what has grown so far: the monotone ones, and bounds once all events are there."""
    if not complete(tries, data, grown):
        return keeps_on(prog, work, grown) and returns_what_it_may(prog, data, tries, work, grown)
    show_reads(prog, data, work, grown)
    if not keeps_on(prog, work, grown):
        return False
    if grown.at[op.X_LATE] == op.LATE_NOW and prog.sections[op.GROW_CLOSED] == prog.sections[op.GROW_WHOLE]:
        return True  # all that is left is put off to the end
    if prog.config[op.C_UNDEF] >= 0 and grown.at[op.X_NO_UNDEF] != 0:
        # Bounds could only tell earlier which reads return undef, and none may.
        return grown.at[op.X_LATE] == op.LATE_NOW or passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work)
    if not passes_late(prog, work, grown) or not passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work):
        return False
    bound_choices(prog, data, work, grown)
    return passes(op.GROW_BOUNDS, op.GROW_WHOLE, prog, work)


@inner
def returns_what_it_may(prog, data, tries, work, grown):
    """Tell whether no read returns undef, or a value, against what the model says of it for good."""
    if grown.rules.shape[0] == 0 or not any_settled(data, tries, work, grown):
        return True
    if not passes_late(prog, work, grown):
        return False
    passes(op.GROW_END, op.GROW_SETTLED, prog, work)
    return not says_otherwise(work, grown)


@inner
def passes_late(prog, work, grown):
    """Tell whether no axiom fails that is put off to the end, where there are such."""
    if grown.at[op.X_LATE] != op.LATE_NOW or passes(op.GROW_LATE, op.GROW_CLOSED, prog, work):
        return True
    grown.at[op.X_LATE_FAILS] += 1
    return False


@inner
def bound_choices(prog, data, work, grown):
    """Enter what reads may still read: into what reads-from, the order and UNDEF may still become."""
    n, R, S = work.st[op.EVENTS], work.R, work.S
    for e in range(n):
        for v in range(R.shape[2]):
            R[2, e, v] = R[0, e, v]
            R[3, e, v] = R[1, e, v]
    for v in range(R.shape[2]):
        S[1, v] = S[0, v]
    for e in range(n):
        if is_open(e, grown) and grown.present[e]:
            for v in range(R.shape[2]):
                R[2, e, v] |= candidates(e, v, data, work, grown)
            if may_be_undef(e, prog, grown):
                set_bit(S[1], e)


@inner
def holds_still(prog, work, grown):
    """Tell whether no axiom fails in what has grown; all that these compute is there then."""
    # What was computed for the last decision still holds, but for the sets that come first: they are not put back.
    if grown.at[op.X_FRESH] != 0:
        return passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
    return keeps_on(prog, work, grown)


@inner
def may_raise_flags(prog, data, work, grown):
    """Tell whether an execution may raise flags that begins with what has grown."""
    work.flags[0] = ZERO
    if not holds_still(prog, work, grown):
        return False
    if passes_late(prog, work, grown) and passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work):
        if passes(op.GROW_WHOLE, op.GROW_RESULT, prog, work):
            passes(op.GROW_RESULT, op.GROW_END, prog, work)
            return work.flags[0] != ZERO
    return True  # that these fail may depend on what is still to come
