"""What coherence certainly refuses (:mod:`enumerator.search.coherence`): it is told from one relation, not tested."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.growth import at_fork, mark, relate, undo_to
from enumerator.search.kernels.relations import ZERO, has_bit, set_bit
from enumerator.search.kernels.updating import update


@inner
def in_all(e, work, grown):
    """Tell whether what is known of coherence holds for an event."""
    for k in range(1, grown.coherence.shape[0]):
        if not has_bit(work.S[grown.coherence[k]], e):
            return False
    return True


@inner
def newest_known(e, work, grown):
    """Give the last place in the order of its location whose write certainly comes before an event, or -1.

    That write comes before the event in the relation, or has been read by such an event.
    """
    l, row, newest = work.g_loc[e], work.R[grown.coherence[0], e], -1
    if not in_all(e, work, grown):
        return newest
    for place in range(work.slot_length[l]):
        w = work.sequence[l, place]
        if in_all(w, work, grown) and has_bit(row, w):
            newest = place
    for x in range(work.st[op.EVENTS]):
        if work.g_loc[x] == l and x != e and work.source[x] >= 0 and has_bit(row, x) and in_all(x, work, grown):
            w = work.source[x]
            if in_all(w, work, grown):
                for place in range(newest + 1, work.slot_length[l]):
                    if work.sequence[l, place] == w:
                        newest = place
    return newest


@inner
def find_stale(d, prog, data, tries, work, grown):
    """Find the writes that a read certainly does not read: those that a newer write has hidden from it.

    For this the read is put into the graph without what it reads. There it stays, whatever becomes of it. Where what it
    reads decides what kind of event it is, nothing is known.
    """
    e, stale = grown.what[d], grown.stale[d]
    for v in range(stale.shape[0]):
        stale[v] = ZERO
    t = work.g_thread[e]
    if grown.coherence.shape[0] == 0 or grown.options[e] < 2:
        return
    if grown.half[e] != 0 and at_fork(t, tries, grown) and grown.event_at[t, grown.length[t] - 1] == e:
        return
    if not grown.present[e]:
        relate(e, prog, data, work, grown)
    if grown.at[op.X_FRESH] == 0:
        if not update(prog, work, grown):
            undo_to(d, prog, data, work, grown)
            return
        grown.at[op.X_FRESH] = 1
    mark(d, prog, work, grown)
    newest, l = newest_known(e, work, grown), work.g_loc[e]
    for place in range(newest):
        w = work.sequence[l, place]
        if in_all(w, work, grown):
            set_bit(stale, w)
