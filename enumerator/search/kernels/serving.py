"""What a read may take while an execution grows: a write that is there, or one that a thread may still come to."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.coming import (
    is_share,
    may_lead,
    may_still_serve,
    may_write,
    may_write_past,
    none_comes_first,
    rests_on_present,
    to_come_for,
    to_come_now,
    waits_for_input,
)
from enumerator.search.kernels.entering import UNDEFINED, event_of, place_of
from enumerator.search.kernels.growth import (
    at_fork,
    clear_reach,
    has_ended,
    is_before_fork,
    is_newest,
    is_open,
    is_placed,
    spread_past,
)
from enumerator.search.kernels.relations import ONE, ZERO, clear_bit, has_bit, set_bit
from enumerator.search.kernels.words import trailing_zeros

STUCK, NO_DECISION = -2, -1  # of no_longer_stuck


@inner
def candidates(r, v, data, work, grown):
    """Give a word of the writes that a read may take: :func:`present_writes` that are not hidden from it.

    It takes none if it is known to return undef.
    """
    if must_be_undef(r, grown):
        return ZERO
    return present_writes(r, v, data, work, grown) & ~grown.hidden[r, v]


@inner
def present_writes(r, v, data, work, grown):
    """Give a word of the writes that are there for a read: of its location, in the graph and not passed over.

    None is the other half of its instruction, nor of those that follow in its thread, unless it may take these.
    """
    found = grown.written[work.g_loc[r], v] & ~grown.excluded[r, v]
    t, left = work.g_thread[r], found
    while left != ZERO:
        w = (v << 6) + trailing_zeros(left)
        if work.g_thread[w] == t:
            follows = grown.later[r] == 0 and grown.index[w] > grown.index[r]
            if follows or of_one_instruction(w, r, data, work, grown):
                found &= ~(left & (ZERO - left))
        left &= left - ONE
    return found


@inner
def of_one_instruction(a, b, data, work, grown):
    """Tell whether two events of a thread are of one instruction."""
    return grown.base[a] + data.e_instr[work.g_event[a]] == grown.base[b] + data.e_instr[work.g_event[b]]


@inner
def may_take(r, w, data, work, grown):
    """Tell whether a read may take a write; see :func:`candidates`."""
    return has_bit(grown.written[work.g_loc[r]], w) and (
        (candidates(r, w >> 6, data, work, grown) >> uint64(w & 63)) & ONE != ZERO
    )


@inner
def has_waited(r, grown):
    """Tell whether a read has passed over writes."""
    for v in range(grown.excluded.shape[1]):
        if grown.excluded[r, v] != ZERO:
            return True
    return False


@inner
def may_be_undef(e, prog, grown):
    """Tell whether a read may still be given undef."""
    possible = grown.undef[e] != 0 and grown.returns[e] & op.SETTLED_VALUE == 0
    return prog.config[op.C_UNDEF] >= 0 and possible and not has_waited(e, grown)


@inner
def must_be_undef(e, grown):
    """Tell whether a read is known to return undef."""
    return grown.returns[e] & (op.SETTLED_UNDEF | op.STAYS_UNDEF) != 0


@inner
def serve(without, data, tries, work, grown):
    """Mark the reads after which their threads may go on: with a write that is there, or one that may still come.

    Read `without` does not take any of the writes that are there. Tell whether all reads can be decided.
    """
    grown.at[op.X_WITHOUT] = without
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            grown.cyclic[e] = 0
            grown.served[e] = op.SERVED_NOW if grown.leading[e] > 0 and e != without else op.SERVED_NOT
            grown.passes[e] = grown.stays_after[e] if grown.options[e] > 0 and e != without else ZERO
    while any_unserved(without, grown):
        changed = False
        for v in range(grown.open.shape[0]):
            left = grown.open[v]
            while left != ZERO:
                e = (v << 6) + trailing_zeros(left)
                left &= left - ONE
                if grown.served[e] == op.SERVED_LATER:
                    continue
                if grown.served[e] == op.SERVED_NOW and not decides(e, data, tries, work, grown):
                    continue
                if is_served_later(e, data, tries, work, grown):
                    grown.served[e] = op.SERVED_LATER
                    changed = True
        if not changed and grown.at[op.X_BLOCKS] == 0:
            take_back(data, tries, work, grown)
            changed = find_cycles(data, tries, work, grown)
            serve_again(op.SERVED_NOW, grown)
        if not changed:
            return False
    return True


@inner
def any_unserved(without, grown):
    """Tell whether some read cannot be decided, if one does not take any of the writes that are there."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.served[e] == op.SERVED_NOT and (grown.options[e] == 0 or e == without):
                return True
    return False


@inner
def is_served_later(e, data, tries, work, grown):
    """Tell whether a read may take a write that a thread may still come to, or whose value is not known yet."""
    own, later = work.g_thread[e], grown.later[e] != 0
    if none_comes_first(work.g_loc[e], data, tries, work, grown):
        return False
    for t in range(grown.node.shape[0]):
        if (later or t != own) and may_still_serve(t, e, data, tries, work, grown):
            row = to_come_now(t, e, data, tries, work, grown)
            if not comes_after(t, e, grown.length[t], row, tries, work, grown):
                if not comes_too_late(row, e, data, tries, work, grown):
                    return True
    for v in range(grown.deferred.shape[0]):
        left = grown.deferred[v]
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if not is_deferred(w, e, data, tries, work, grown):
                continue
            if waits_for_input(w, data, work, grown, True):
                continue
            row = tries.writer[work.g_event[w]]
            if may_lead(row, e, tries, work, grown):
                if not comes_after(work.g_thread[w], e, grown.index[w], row, tries, work, grown):
                    return True
    return False


@inner
def decides(e, data, tries, work, grown):
    """Tell whether what may still come makes a difference to a read that a write which is there serves.

    So it does where its thread goes on after it in a way that its value decides.
    """
    return is_before_fork(e, tries, work, grown) and rests_on_present(work.g_thread[e], data, work, grown)


@inner
def take_back(data, tries, work, grown):
    """Take the reads for unserved whose value decides, and that writes which are there serve (``wanting``).

    In a cycle they would take what comes later.
    """
    for v in range(grown.wanting.shape[0]):
        grown.wanting[v] = ZERO
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            if grown.served[e] == op.SERVED_NOW and decides(e, data, tries, work, grown):
                grown.wanting[v] |= left & (ZERO - left)
            left &= left - ONE
    serve_again(op.SERVED_NOT, grown)


@inner
def serve_again(served, grown):
    """Say of the reads that were taken for unserved, and that no cycle serves, that they are or are not served."""
    for v in range(grown.wanting.shape[0]):
        left = grown.wanting[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.served[e] != op.SERVED_LATER:
                grown.served[e], grown.cyclic[e] = served, 0


@inner
def is_deferred(w, e, data, tries, work, grown):
    """Tell whether an event is a write whose value is not known yet and that a read may take once it is."""
    if not has_bit(grown.deferred, w) or work.g_loc[w] != work.g_loc[e]:
        return False
    if work.g_thread[w] != work.g_thread[e] or grown.index[w] < grown.index[e]:
        return True
    return grown.later[e] != 0 and not of_one_instruction(w, e, data, work, grown)


# Reads that wait for each other -------------------------------------------------------------------------------


@inner
def comes_after(t, e, end, writer, tries, work, grown):
    """Tell whether a read happens before what a thread does from an index of its path on, so that it cannot read it.

    `writer` is the row of what the thread may write there.
    """
    H, own = grown.at[op.X_BEFORE], work.g_thread[e]
    if (
        H < 0
        or grown.at[op.X_FRESH] == 0
        or t == own
        or tries.closing[tries.cycles[writer, work.g_loc[e]], work.g_kind[e]] == op.CYCLE_FREE
    ):
        return False
    first = grown.index[e]
    if not grown.present[e] and grown.at[op.X_ORDERED] == 0:
        return False
    while first < grown.length[own] and not grown.present[grown.event_at[own, first]]:
        first += 1
    last = last_before_writes(t, end, writer, work.g_loc[e], tries, work, grown)
    if first == grown.length[own] or last < 0:
        return False
    return has_bit(work.R[H, grown.event_at[t, last]], grown.event_at[own, first])


@inner
def last_before_writes(t, end, row, l, tries, work, grown):
    """Give the index of the last event of a thread, before an index, that happens before the writes of a row, or -1."""
    last = end - 1
    while last >= 0 and not is_before_writes(grown.event_at[t, last], row, l, tries, work, grown):
        last -= 1
    return last


@inner
def is_before_writes(x, row, l, tries, work, grown):
    """Tell whether an event that is there happens before the writes of a row to a location, later in its thread."""
    return grown.present[x] != 0 and tries.in_order[tries.cycles[row, l], work.g_kind[x]] != 0


@inner
def comes_too_late(row, e, data, tries, work, grown):
    """Tell whether writes to come would race with a read: nothing before it is open, so that none comes before it."""
    if grown.at[op.X_IN_PAST] == 0 or grown.later[e] != 0:
        return False
    if tries.closing[tries.cycles[row, work.g_loc[e]], work.g_kind[e]] != op.CYCLE_RACES:
        return False
    if not has_bit(grown.past_asked, e):
        set_bit(grown.past_asked, e)
        clear_bit(grown.past_closed, e)
        if is_first_open(e, data, tries, work, grown):
            set_bit(grown.past_closed, e)
    return has_bit(grown.past_closed, e)


@inner
def is_first_open(e, data, tries, work, grown):
    """Tell whether nothing comes before a read in po | rf | bar that is open, or not there yet."""
    clear_reach(grown)
    grown.reach[work.g_thread[e]] = grown.index[e] - 1
    if not spread_past(data, tries, work, grown):
        return False
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            x = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.index[x] <= grown.reach[work.g_thread[x]]:
                return False
    return True


@inner
def holds_up(p, t, data, tries, work, grown):
    """Tell whether a thread waits for a read, which nobody can serve as yet, to go on."""
    if work.g_thread[p] != t or not is_open(p, grown) or grown.served[p] != 0:
        return False
    if grown.passed[p] == 0:
        return True
    for e in range(work.st[op.EVENTS]):
        if work.g_thread[e] == t and grown.passed[e] == 0 and grown.served[e] == 0 and is_open(e, grown):
            if grown.options[e] == 0:
                return False  # that one does
    return is_awaited(p, data, tries, work, grown)


@inner
def is_awaited(e, data, tries, work, grown):
    """Tell whether how its thread goes on rests on what a read takes."""
    t = work.g_thread[e]
    if not at_fork(t, tries, grown):
        return False
    node, place = grown.node[t], place_of(e, work, grown)
    kind, what = tries.node_fork[node], tries.node_what[node]
    if kind == op.V_COPY:
        return work.t_base[t] + what == place
    if kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            if work.t_base[t] + data.f_reads[k] == place:
                return True
    return False


@inner
def lists(x, p, first, data, work, grown):
    """Tell whether a path lists a read beside an event, in a dependency from a first one on."""
    h, listed = work.g_event[x], place_of(p, work, grown) - grown.base[x]
    for k in range(data.dep_first[h], data.dep_first[h + 1]):
        if first <= data.dep_kind[k] and data.dep_kind[k] < op.DEPENDENCIES and data.dep_source[k] == listed:
            return True
    return False


@inner
def has_decided(p, end, data, work, grown):
    """Tell whether a read decides how its thread comes to some event before an index, perhaps as is assumed."""
    for index in range(grown.index[p] + 1, end):
        if lists(grown.event_at[work.g_thread[p], index], p, op.CONTROL, data, work, grown):
            return True
    return False


@inner
def decides_all(p, t, data, tries, work, grown):
    """Tell whether all that a thread still writes depends on a read, as that has decided how it comes there."""
    if has_decided(p, grown.length[t], data, work, grown):
        return True
    node, next_ = grown.node[t], grown.following[t]
    if next_ >= tries.node_count[node]:
        return False
    h, listed = tries.node_first[node] + next_, place_of(p, work, grown) - work.t_base[t]
    for k in range(data.dep_first[h], data.dep_first[h + 1]):
        if op.CONTROL <= data.dep_kind[k] and data.dep_kind[k] < op.DEPENDENCIES and data.dep_source[k] == listed:
            return True
    return False


@inner
def rests_on(w, p, data, work, grown):
    """Tell whether a write depends on a read of its thread."""
    if grown.index[w] <= grown.index[p]:
        return False
    return lists(w, p, 0, data, work, grown) or has_decided(p, grown.index[w], data, work, grown)


@inner
def find_able(data, tries, work, grown):
    """Find the reads, of those that nobody serves as yet, that what is still to come may serve (``able``).

    All that a thread still does depends on the reads that have decided how it goes on. Where these can be served by
    nothing but what depends on the read in turn, that would be a cycle of dependencies and reads-from.
    """
    for v in range(grown.able.shape[0]):
        grown.able[v] = ZERO
    changed = True
    while changed:
        changed = False
        for v in range(grown.open.shape[0]):
            left = grown.open[v] & ~grown.able[v]
            while left != ZERO:
                e = (v << 6) + trailing_zeros(left)
                left &= left - ONE
                if grown.served[e] == 0 and may_be_able(e, data, tries, work, grown):
                    set_bit(grown.able, e)
                    changed = True


@inner
def may_be_able(e, data, tries, work, grown):
    """Tell whether a thread, or a write that is there, whose reads are able or served may serve a read."""
    l, own, later = work.g_loc[e], work.g_thread[e], grown.later[e] != 0
    if none_comes_first(l, data, tries, work, grown):
        return False
    for t in range(grown.node.shape[0]):
        if (t == own and not later) or has_ended(t, tries, grown):
            continue
        row = to_come_for(t, e, data, tries, work, grown)
        if row < 0 or not may_lead(row, e, tries, work, grown):
            continue
        if comes_too_late(row, e, data, tries, work, grown):
            continue
        if may_write(row, l, data, tries, work, grown) and not waits_for_unable(t, -1, data, work, grown):
            return True
    for v in range(grown.deferred.shape[0]):
        left = grown.deferred[v]
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if is_deferred(w, e, data, tries, work, grown):
                if not waits_for_unable(work.g_thread[w], w, data, work, grown):
                    return True
    return False


@inner
def waits_for_unable(t, w, data, work, grown):
    """Tell whether a write, or without one all that a thread still does, depends on a read that nothing may serve."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v] & ~grown.able[v]
        while left != ZERO:
            p = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if work.g_thread[p] != t or grown.served[p] != 0:
                continue
            if rests_on(w, p, data, work, grown) if w >= 0 else has_decided(p, grown.length[t], data, work, grown):
                return True
    return False


@inner
def any_past(data, tries, work, grown):
    """Tell whether a thread that runs past a read may come to a write that serves another one."""
    for e in range(work.st[op.EVENTS]):
        if is_open(e, grown) and grown.served[e] == 0:
            for t in range(grown.node.shape[0]):
                other = t != work.g_thread[e] or grown.later[e] != 0
                if other and may_write_past(t, work.g_loc[e], data, tries, work, grown):
                    return True
    return False


@inner
def link(e, p, says, past, grown):
    """Note that a read may be served by what comes after another one, and what that says of a cycle."""
    set_bit(grown.links[0, e], p)
    if says > op.CYCLE_SYNCHRONIZES:
        set_bit(grown.links[1, e], p)
    if says == op.CYCLE_FREE:
        set_bit(grown.links[2, e], p)
    if past:
        set_bit(grown.links[3, e], p)
    if says > op.CYCLE_COHERENT:
        set_bit(grown.links[4, e], p)


@inner
def says_of_link(row, e, p, tries, work, grown):
    """The same of a cycle with another read, of the thread that writes: it may not happen before what that writes."""
    if tries.in_order[tries.cycles[row, work.g_loc[e]], work.g_kind[p]] == 0:
        return op.CYCLE_FREE
    return says_of_cycle(row, e, tries, work, grown)


@inner
def says_of_cycle(row, e, tries, work, grown):
    """Give what the writes of a row say of a cycle that an open read is in, after which its thread goes on."""
    share = tries.share[row]
    if grown.passes[e] == ZERO or share < 0:
        return says_of_share(row, e, tries, work, grown)
    found = op.CYCLE_RACES
    while share >= 0:
        if is_share(tries.share_row[share], e, tries, work, grown):
            found = max(found, says_of_share(tries.share_row[share], e, tries, work, grown))
        share = tries.share_next[share]
    return found


@inner
def says_of_share(row, e, tries, work, grown):
    """The same for all writes of a row alike. What is no part of a read-modify-write is of the kind that it is of."""
    kind = tries.onward[work.g_event[e]] if grown.half[e] != 0 else work.g_kind[e]
    if kind >= 0:
        return tries.closing_exact[tries.cycles[row, work.g_loc[e]], kind]
    return tries.closing[tries.cycles[row, work.g_loc[e]], work.g_kind[e]]


@inner
def link_reads(data, tries, work, grown):
    """Link each read that cannot be served to those that hold up the threads that could serve it."""
    n, threads = work.st[op.EVENTS], grown.node.shape[0]
    for e in range(n):
        for k in range(5):
            for v in range(grown.links.shape[2]):
                grown.links[k, e, v] = ZERO
        if not is_open(e, grown) or grown.served[e] != 0 or not has_bit(grown.able, e):
            continue
        l, own, later = work.g_loc[e], work.g_thread[e], grown.later[e] != 0
        for t in range(threads):
            if (t == own and not later) or has_ended(t, tries, grown):
                continue
            row = to_come_for(t, e, data, tries, work, grown)
            if row < 0 or not may_lead(row, e, tries, work, grown):
                continue
            if comes_too_late(row, e, data, tries, work, grown) or not may_write(row, l, data, tries, work, grown):
                continue
            if comes_after(t, e, grown.length[t], row, tries, work, grown):
                continue
            # What it writes depends on a read that nobody can serve, whichever; or comes after those that hold it up.
            past = may_write_past(t, l, data, tries, work, grown)
            for p in range(n):
                if work.g_thread[p] == t and is_open(p, grown) and grown.served[p] == 0:
                    past_it = past and holds_up(p, t, data, tries, work, grown)
                    past_it = past_it and not decides_all(p, t, data, tries, work, grown)
                    link(e, p, says_of_link(row, e, p, tries, work, grown), past_it, grown)
        for w in range(n):
            if not is_deferred(w, e, data, tries, work, grown):
                continue
            t = work.g_thread[w]
            row = tries.writer[work.g_event[w]]
            if not may_lead(row, e, tries, work, grown) or comes_after(t, e, grown.index[w], row, tries, work, grown):
                continue
            for p in range(n):
                if work.g_thread[p] == t and is_open(p, grown) and grown.served[p] == 0:
                    if rests_on(w, p, data, work, grown):
                        says = says_of_link(row, e, p, tries, work, grown)
                        if t == own:
                            says = op.CYCLE_SYNCHRONIZES if grown.at[op.X_ORDERED] != 0 else op.CYCLE_FREE
                        link(e, p, says, False, grown)


@inner
def find_cycles(data, tries, work, grown):
    """Mark the reads that may serve each other in a cycle that the model allows; tell whether there are any.

    If all reads that cannot be served are served in the end, those that each rests on contain a cycle, and so where
    one takes a later write than those that are there. Its links are reads-from, and program order in between: two of
    the former, at least, do not synchronize, and are not all of one location where coherence follows happens-before;
    and one of the latter is no dependency. There a thread runs past the read (``cyclic``).
    """
    n, links = work.st[op.EVENTS], grown.links
    words = links.shape[2]
    if not any_past(data, tries, work, grown):
        return False
    find_able(data, tries, work, grown)
    link_reads(data, tries, work, grown)
    for k in range(n):  # links[0] becomes what can be reached
        for e in range(n):
            if has_bit(links[0, e], k):
                for v in range(words):
                    links[0, e, v] |= links[0, k, v]
    found = False
    for e in range(n):
        if not has_bit(links[0, e], e):
            continue
        alone, free, past = 0, False, False
        place, elsewhere = -1, False  # of those that do not synchronize: the location, and whether another one may be
        for x in range(n):
            if not has_bit(links[0, e], x) or not has_bit(links[0, x], e):
                continue
            single = False
            for y in range(n):
                if has_bit(links[0, e], y) and has_bit(links[0, y], e):
                    single = single or has_bit(links[1, x], y)
                    free = free or has_bit(links[2, x], y)
                    past = past or has_bit(links[3, x], y)
                    elsewhere = elsewhere or has_bit(links[4, x], y)
                    if has_bit(links[3, x], e):
                        grown.cyclic[e] = 1
            alone += single
            if single:
                elsewhere = elsewhere or (place >= 0 and place != work.g_loc[x])
                place = work.g_loc[x]
        if past and (free or (alone >= 2 and elsewhere)):
            grown.served[e] = op.SERVED_LATER
            found = True
        else:
            grown.cyclic[e] = 0
    return found


@inner
def no_longer_stuck(data, tries, work, grown):
    """Tell whether a thread that waits for ever has read what is no longer the last of its location.

    STUCK if none has; else the last decision on such a read, which could have waited there for what is the last now.
    NO_DECISION where it is not the last one of its thread: what came before it could not be put right by waiting.
    """
    found = STUCK
    for t in range(grown.node.shape[0]):
        p = tries.node_ended[grown.node[t]]
        if p < 0 or data.p_end[p] != op.END_STUCK:
            continue
        for k in range(data.stuck_first[p], data.stuck_first[p + 1]):
            e = event_of(t, work.t_base[t], data.stuck_reads[k], grown)
            s = work.source[e]
            # Of a write that is in no order, the leaf tells whether it is the last.
            if s == UNDEFINED or (s >= 0 and is_placed(s, work) and not is_newest(s, work)):
                if grown.index[e] + 1 < grown.length[t] or grown.at[op.X_BLOCKS] == 0:
                    return NO_DECISION
                found = max(found, grown.decided[e])
    return found
