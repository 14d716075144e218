"""Which read is decided next while an execution grows, which writes it may take, and whether it is to wait."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.coherent import is_stale
from enumerator.search.kernels.entering import event_of, numbers_below
from enumerator.search.kernels.growth import is_before_fork, is_open, waits_too
from enumerator.search.kernels.options import is_option
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.serving import candidates, is_awaited, serve
from enumerator.search.kernels.words import leading_zeros, trailing_zeros

BY_THREAD = 1 << 30  # more than all that makes a read pressing


@inner
def most_pressing(busy, data, tries, work, grown):
    """Give the read to be decided, or -1, and whether it can wait."""
    best, best_key, waits = -1, 0, 0
    schedule = grown.at[op.X_SCHEDULE]
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.options[e] == 0 or (busy and grown.idle[e] != 0) or awaits_others(e, data, tries, work, grown):
                continue
            key = 1000 - 2 * grown.options[e]
            if grown.half[e] == 0 or grown.contended[work.g_loc[e]] != 0:
                key += 1  # what no other tries to update comes first
            if grown.leading[e] == 0:
                key += 50000 if grown.half[e] != 0 else 200000  # what it waits for is there once the others have run
            if grown.undef[e] != 0:
                key += 100000  # what it races with is known last
                if tries.passive[work.g_event[e]] != 0 and not is_awaited(e, data, tries, work, grown):
                    key += 1000000
            if schedule == op.SCHEDULE_LAST:
                key -= work.g_thread[e] * BY_THREAD
            if best >= 0 and key >= best_key:
                continue
            can_wait = 1 if serve(e, data, tries, work, grown) else 0
            key += 10000 * can_wait
            if best < 0 or key < best_key:
                best, best_key, waits = e, key, can_wait
    return best, waits


@inner
def has_rivals(d, data, work, grown):
    """Tell whether others have come already to writes that a decision's read could wait for, and attempts at them."""
    r = grown.what[d]
    l = work.g_loc[r]
    for v in range(grown.open.shape[0]):
        left = grown.deferred[v] | (grown.open[v] if grown.half[r] != 0 else ZERO)
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            t = work.g_thread[e]
            if work.g_loc[e] != l or t == work.g_thread[r] or waits_too(d, t, work, grown):
                continue
            if not is_open(e, grown) or (grown.half[e] != 0 and grown.options[e] > 0):
                return True
    return False


@inner
def any_busy(work, grown):
    """Tell whether there is an open read that something may rest on."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            if grown.idle[(v << 6) + trailing_zeros(left)] == 0:
                return True
            left &= left - ONE
    return False


@inner
def put_off(e, tries, work, grown):
    """Leave an open read for later that nothing rests on: what it may take makes no difference now."""
    grown.options[e], grown.leading[e], grown.stays_after[e] = 1, 1, ZERO
    if is_before_fork(e, tries, work, grown):
        grown.known_ahead[work.g_thread[e]] = 0


@inner
def decides_kind(e, tries, work, grown):
    """Tell whether what a read takes may decide what kind of event it is."""
    return grown.half[e] != 0 and is_before_fork(e, tries, work, grown)


@inner
def awaits_others(e, data, tries, work, grown):
    """Tell whether a read of a compare-exchange is decided after another one, on which it rests whether it succeeds.

    That decides how it is ordered, and it enters the graph as what it is. What the other one waits for may rest on it.
    """
    if grown.half[e] != op.HALF_OF_ATTEMPT or not is_before_fork(e, tries, work, grown):
        return False
    t = work.g_thread[e]
    what = tries.node_what[grown.node[t]]
    if tries.node_fork[grown.node[t]] == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            x = event_of(t, work.t_base[t], data.f_reads[k], grown)
            if x != e and is_open(x, grown) and grown.options[x] > 0:
                return True
    return False


@inner
def waits_in_vain(d, grown):
    """Tell whether nobody has written what a read could wait for, below a choice that any other write could follow.

    A write that it waits for needs nothing that comes after the read. So threads could come to it below that choice,
    too: what it needs takes what it takes then, and all else waits or takes the newest write. Where this way ends
    before, be it that a read on it is refused what it takes then, the thread of that write has not ended and may still
    write the location: ``note_unknown``. Where threads run past reads, what others write may rest on what comes after
    the read: see ``note_apart``.
    """
    return grown.rivals[d] == 0 and grown.rival_count[d] == 0 and grown.takes_newest[d] != 0


@inner
def is_known(r, grown):
    """Tell whether it is known of a read what holds for it; else what it takes may decide on that."""
    return grown.present[r] or grown.coherence.shape[0] == 2


@inner
def is_source(d, r, w, prog, data, tries, work, grown, findings):
    """Tell whether the read that a decision is about may take a write, as far as is known before it does."""
    if is_known(r, grown) and is_stale(d, r, w, prog, work, grown):
        return False
    return is_option(r, w, data, tries, work, grown, findings)


@inner
def has_one_source(d, r, prog, data, tries, work, grown, findings):
    """Tell whether there is only one write that the read which a decision is about may take."""
    if grown.options[r] == 1:
        return True
    found = 0
    for v in range(grown.excluded.shape[1]):
        left = candidates(r, v, data, work, grown)
        while left != ZERO and found < 2:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            found += is_source(d, r, w, prog, data, tries, work, grown, findings)
    return found == 1


@inner
def write_below(w, r, data, work, grown):
    """Give the last write with a lower number that a read may take, or -1."""
    for v in range(grown.excluded.shape[1] - 1, -1, -1):
        found = candidates(r, v, data, work, grown) & numbers_below(w, v)
        if found != ZERO:
            return (v << 6) + 63 - leading_zeros(found)
    return -1
