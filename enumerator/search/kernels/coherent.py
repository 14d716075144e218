"""What coherence certainly refuses (:mod:`enumerator.search.coherence`): it is told from one relation, not tested."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.coming import to_come_for
from enumerator.search.kernels.entering import of_one_access, writes_to
from enumerator.search.kernels.growth import has_ended, is_open, place_among_writes
from enumerator.search.kernels.relations import ONE, ZERO, has_bit, set_bit
from enumerator.search.kernels.serving import candidates, has_waited, is_deferred, last_before_writes
from enumerator.search.kernels.words import trailing_zeros


@inner
def in_all(e, prog, work, grown):
    """Tell whether what is known of coherence holds for an event; of one that is not in the graph, its kind tells."""
    for k in range(2, grown.coherence.shape[0]):
        if grown.present[e]:
            if not has_bit(work.S[grown.coherence[k]], e):
                return False
            continue
        found = False
        for i in range(prog.base_sets.shape[0]):
            found |= prog.base_sets[i] == grown.coherence[k] and prog.kind_sets[i, work.g_kind[e]]
        if not found:
            return False
    return True


@inner
def find_before(e, data, work, grown):
    """Find what certainly comes before an event, into ``grown.row``, as far as the relation is up to date.

    Pairs are only gained. If it is a closure that contains program order, what comes before earlier events of the
    thread does so, too.
    """
    row, before, t = grown.row, work.R[grown.coherence[1]], work.g_thread[e]
    for v in range(row.shape[0]):
        row[v] = before[e, v]
    for i in range(grown.index[e] if grown.coherence[0] != 0 else 0):
        p = grown.event_at[t, i]
        if grown.present[p] and not of_one_access(p, e, data, work, grown):
            for v in range(row.shape[0]):
                row[v] |= before[p, v]
            set_bit(row, p)


@inner
def newest_known(e, prog, data, work, grown):
    """Give the last place in the order of its location whose write certainly comes before an event, or -1.

    That write comes before the event in the relation, or has been read by such an event. Of the event itself it is not
    asked whether what is known holds for it.
    """
    find_before(e, data, work, grown)
    return newest_among(grown.row, work.g_loc[e], e, prog, work, grown)


@inner
def newest_among(row, l, e, prog, work, grown):
    """Give the last place in the order of a location whose write is in a row of words, or was read by one there, or -1.

    Event `e` itself is not asked what it reads.
    """
    newest = -1
    for place in range(work.slot_length[l]):
        w = work.sequence[l, place]
        if has_bit(row, w) and in_all(w, prog, work, grown):
            newest = place
    for v in range(row.shape[0]):
        left = row[v] & grown.accessed[l, v]
        while left != ZERO:
            x = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            w = work.source[x]
            if x == e or w < 0 or not in_all(x, prog, work, grown) or not in_all(w, prog, work, grown):
                continue
            for place in range(newest + 1, work.slot_length[l]):
                if work.sequence[l, place] == w:
                    newest = place
    return newest


@inner
def knows_hidden(grown):
    """Tell whether the model says of writes that a read certainly does not read them."""
    return grown.coherence.shape[0] > 0 or grown.at[op.X_HIDES] >= 0


@inner
def find_stale(d, e, prog, data, tries, work, grown):
    """Find for a decision the writes that a read certainly does not read: those that a newer one has hidden from it."""
    clear(grown.stale[d])
    clear(grown.unseen[d])
    if runs_past(grown):
        enter_older(
            grown.stale[d], work.g_loc[e], newest_awaited(e, prog, data, tries, work, grown) + 1, prog, work, grown
        )
    if not has_several(e, data, work, grown):
        return
    if grown.coherence.shape[0] > 0:
        enter_stale(grown.stale[d], e, prog, data, work, grown)
    enter_unseen(grown.unseen[d], e, work, grown)


@inner
def hide_stale(e, prog, data, work, grown):
    """Find the writes that a read which its thread has just come to will never read, as a newer one is known to it."""
    clear(grown.hidden[e])
    if grown.coherence.shape[0] > 0 and in_all(e, prog, work, grown):
        enter_stale(grown.hidden[e], e, prog, data, work, grown)
    if grown.at[op.X_OWN] != 0:
        enter_overwritten(grown.hidden[e], e, data, work, grown)


@inner
def enter_overwritten(row, e, data, work, grown):
    """Enter into a row of words what a read's thread has written over, though it may not be known yet with what."""
    t, l, last = work.g_thread[e], work.g_loc[e], grown.index[e] - 1
    while last >= 0 and not is_write_to(grown.event_at[t, last], l, data, work):
        last -= 1
    if last < 0:
        return
    for v in range(row.shape[0]):
        left = grown.written[l, v]
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if work.g_event[w] < 0 or (work.g_thread[w] == t and grown.index[w] < last):
                set_bit(row, w)


@inner
def is_write_to(x, l, data, work):
    """Tell whether an event of a thread is a write to a location."""
    return data.e_kind[work.g_event[x]] == 1 and work.g_loc[x] == l


@inner
def clear(row):
    """Take all bits out of a row of words."""
    for v in range(row.shape[0]):
        row[v] = ZERO


@inner
def enter_stale(row, e, prog, data, work, grown):
    """Enter into a row of words the writes that are older than one which certainly comes before a read."""
    enter_older(row, work.g_loc[e], newest_known(e, prog, data, work, grown), prog, work, grown)


@inner
def enter_older(row, l, end, prog, work, grown):
    """Enter into a row of words the writes before a place in the order of a location."""
    for place in range(end):
        w = work.sequence[l, place]
        if in_all(w, prog, work, grown):
            set_bit(row, w)


@inner
def enter_unseen(row, e, work, grown):
    """Enter into a row of words the writes that one between them and a read in the graph hides from it, in any order.

    Of the relation only pairs of one location are asked for, whatever else it has.
    """
    if grown.at[op.X_HIDES] < 0 or not grown.present[e]:
        return
    relation, l = work.R[grown.at[op.X_HIDES]], work.g_loc[e]
    for v in range(row.shape[0]):
        left = relation[e, v] & writes_to(l, v, grown)
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            for u in range(row.shape[0]):
                row[u] |= relation[w, u] & grown.written[l, u]


@inner
def has_several(e, data, work, grown):
    """Tell whether there are several writes that a read has not passed over."""
    found = False
    for v in range(grown.excluded.shape[1]):
        left = candidates(e, v, data, work, grown)
        if left & (left - ONE) != ZERO or (found and left != ZERO):
            return True
        found |= left != ZERO
    return False


@inner
def is_stale(d, e, w, prog, work, grown):
    """Tell whether the read that a decision is about certainly does not read a write, given its kind."""
    return has_bit(grown.unseen[d], w) or (has_bit(grown.stale[d], w) and in_all(e, prog, work, grown))


@inner
def is_left_behind(e, prog, data, tries, work, grown):
    """Tell whether a read certainly does not read any of the writes that are there and that it has not passed over."""
    if grown.coherence.shape[0] == 0 or not in_all(e, prog, work, grown):
        return False
    newest, l = newest_known(e, prog, data, work, grown) if has_waited(e, grown) else -1, work.g_loc[e]
    if runs_past(grown):
        newest = max(newest, newest_awaited(e, prog, data, tries, work, grown) + 1)
    for v in range(grown.excluded.shape[1]):
        left = candidates(e, v, data, work, grown)
        for place in range(newest):
            w = work.sequence[l, place]
            if w >> 6 == v and in_all(w, prog, work, grown):
                left &= ~(ONE << uint64(w & 63))
        if left != ZERO:
            return False
    return True


# Reads that wait while their thread runs past them ------------------------------------------------------------


@inner
def runs_past(grown):
    """Tell whether threads run past reads, coherence contains program order, and happens-before is up to date."""
    return (
        grown.at[op.X_BLOCKS] == 0
        and grown.at[op.X_BEFORE] >= 0
        and grown.at[op.X_FRESH] != 0
        and grown.coherence.shape[0] > 0
        and grown.coherence[0] != 0
    )


@inner
def newest_awaited(e, prog, data, tries, work, grown):
    """Give the last place in the order of its location beyond which an earlier read of its thread goes, or -1.

    That one has passed over the writes that are there, and takes one that is still to come. If each of these comes
    after a write that is there, then neither that one nor an older one is for a later read, by coherence.
    """
    t, l, newest = work.g_thread[e], work.g_loc[e], -1
    for index in range(grown.index[e]):
        r = grown.event_at[t, index]
        if work.g_loc[r] == l and is_open(r, grown) and grown.later[r] == 0 and has_waited(r, grown):
            if in_all(r, prog, work, grown):
                newest = max(newest, oldest_to_come(r, prog, data, tries, work, grown))
    return newest


@inner
def oldest_to_come(r, prog, data, tries, work, grown):
    """Give the last place in the order of its location that whatever an open read may still take comes after, or -1."""
    l, own, oldest = work.g_loc[r], work.g_thread[r], work.slot_length[work.g_loc[r]]
    for v in range(grown.excluded.shape[1]):
        left = candidates(r, v, data, work, grown)
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            place = place_among_writes(w, work)
            if place < 0 or not in_all(w, prog, work, grown):
                return -1
            oldest = min(oldest, place - 1)
    for v in range(grown.deferred.shape[0]):
        left = grown.deferred[v]
        while left != ZERO and oldest >= 0:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if is_deferred(w, r, data, tries, work, grown):
                row = tries.writer[work.g_event[w]]
                oldest = min(
                    oldest, newest_before(work.g_thread[w], grown.index[w], row, l, r, prog, tries, work, grown)
                )
    for t in range(grown.node.shape[0]):
        if t == own or oldest < 0 or has_ended(t, tries, grown):
            continue
        row = to_come_for(t, r, data, tries, work, grown)
        if row >= 0 and tries.can_write[row, l] != 0:
            oldest = min(oldest, newest_before(t, grown.length[t], row, l, r, prog, tries, work, grown))
    return oldest if oldest < work.slot_length[l] else -1


@inner
def newest_before(t, end, row, l, r, prog, tries, work, grown):
    """Give the last place in the order of a location that what a thread writes there from an index on comes after."""
    if tries.coherent[tries.cycles[row, l]] == 0:
        return -1
    last = last_before_writes(t, end, row, l, tries, work, grown)
    if last < 0:
        return -1
    x, known = grown.event_at[t, last], grown.row
    for v in range(known.shape[0]):
        known[v] = work.R[grown.at[op.X_BEFORE], x, v]
    set_bit(known, x)
    return newest_among(known, l, r, prog, work, grown)


@inner
def lowest_place(e, prog, data, work, grown):
    """Give the first place that a write may have in the order of its location, as far as it is known."""
    l = work.g_loc[e]
    lowest = 1 if work.slot_length[l] > 0 and work.sequence[l, 0] == work.slot_first[l] else 0
    if lowest < work.slot_length[l] and grown.coherence.shape[0] > 0 and in_all(e, prog, work, grown):
        lowest = max(lowest, newest_known(e, prog, data, work, grown) + 1)
    return lowest
