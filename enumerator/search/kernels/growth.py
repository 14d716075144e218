"""An execution that grows, as a graph: events enter it and leave it again, and what changes is put on the trail.

An event has its number when its thread comes to it (``add_event``). A write enters the base relations and sets then
(``relate``), though nobody takes it before its value is known; so does a passive read (``passive.py``). Other reads
do so once it is known what they take; until then they are not ``present``. The row of an event in a relation has the
events that come before it (``updating``).
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.entering import enter, event_of, note, place_of, relate, unrelate, writes_to
from enumerator.search.kernels.log import keep_touched, put_back, restore_touched
from enumerator.search.kernels.relations import ONE, ZERO, clear_bit, has_bit, passes, set_bit
from enumerator.search.kernels.words import trailing_zeros


@inner
def undo_to(d, prog, data, tries, work, grown):
    """Undo what has been done since a decision was taken."""
    at, st, mark = grown.at, work.st, grown.mark[d]
    while at[op.X_TRAIL] > mark:
        at[op.X_TRAIL] -= 1
        kind, what, before, other = grown.trail[at[op.X_TRAIL]]
        if kind == op.T_PRESENT:
            unrelate(what, prog, work, grown)
        elif kind == op.T_SOURCE:
            if work.source[what] >= 0:
                clear_bit(work.R[0, what], work.source[what])
            clear_bit(work.S[0], what)
            work.source[what] = -1
            set_bit(grown.open, what)
            grown.decided[what] = op.NEVER
            forget_value(what, work, grown)
        elif kind == op.T_VALUE:
            forget_value(what, work, grown)
            at[op.X_DEFERRED] += 1
            set_bit(grown.deferred, what)
            clear_bit(grown.written[work.g_loc[what]], what)
        elif kind == op.T_PLACE:
            take_out(what, work)
        elif kind == op.T_EVENT:
            t = work.g_thread[what]
            g = work.g_event[what]
            grown.length[t] -= 1
            grown.following[t] -= 1
            if data.e_kind[g] == 0:
                clear_bit(grown.open, what)
                grown.open_reads[t] -= grown.passed[what] == 0
            elif data.e_kind[g] == 1:
                at[op.X_DEFERRED] -= 1
                clear_bit(grown.deferred, what)
            st[op.EVENTS] -= 1
        elif kind == op.T_INITIAL:
            work.slot_first[work.g_loc[what]] = -1
            clear_bit(grown.written[work.g_loc[what]], what)
            grown.known[work.g_loc[what]] = 1
            st[op.EVENTS] -= 1
        elif kind == op.T_NODE:
            work.t_base[what] -= tries.node_moves[before]
            grown.node[what] = before
            grown.following[what] = other
        elif kind == op.T_TEMPLATE:
            work.g_event[what] = before
            grown.base[what] -= other
            work.g_kind[what] = data.kind_of[before]
        elif kind == op.T_CHOSEN:
            at[op.X_CHOSEN] = before
            grown.open_reads[work.g_thread[what]] += before >= 0 and grown.passed[what] == 0
        elif kind == op.T_PASSED:
            grown.passed[what] = 0
            grown.open_reads[work.g_thread[what]] += 1
        elif kind == op.T_GUESS:
            at[op.X_GUESSES] -= 1
        elif kind == op.T_AT:
            at[what] = before
        elif kind == op.T_WEIGHT:
            st[op.WEIGHT] = before
        elif kind == op.T_ALIKE:
            grown.alike[what] = before
        elif kind == op.T_ARRANGED:
            grown.arranged[what], grown.arranged_at[what] = before, other
        else:
            for v in range(grown.excluded.shape[1]):
                grown.excluded[what, v] = ZERO
            # The words before stand on the trail below, one entry for each word that was not empty.
            for _ in range(before):
                at[op.X_TRAIL] -= 1
                entry = grown.trail[at[op.X_TRAIL]]
                set_bit(grown.excluded[what], entry[2])
    if grown.rules.shape[0] > 0:
        for e in range(st[op.EVENTS]):
            if grown.settled[e] > d:
                grown.settled[e] = 0
                grown.returns[e] &= op.STAYS_UNDEF
            if grown.stays[e] > d:
                grown.stays[e] = 0
                grown.returns[e] &= ~op.STAYS_UNDEF
    put_back(grown.log_mark[d], work, grown)
    restore_touched(d, prog, grown)
    at[op.X_FRESH] = grown.fresh[d] if at[op.X_STEPS] != 0 else 0


@inner
def learn_value(e, value, work, grown):
    """Note the value of an event, by its number and by its place in its thread's path."""
    work.val[e] = value
    if grown.index[e] >= 0:
        work.val[place_of(e, work, grown)] = value


@inner
def forget_value(e, work, grown):
    """Forget the value of an event, and what it reads."""
    learn_value(e, op.UNKNOWN_ID, work, grown)
    if grown.index[e] >= 0:
        work.source[place_of(e, work, grown)] = -1


@inner
def place_among_writes(w, work):
    """Give the place of a write in the order of its location, -1 where it is not there."""
    l = work.g_loc[w]
    for place in range(work.slot_length[l]):
        if work.sequence[l, place] == w:
            return place
    return -1


@inner
def take_out(e, work):
    """Take a write out of the order of its location."""
    l = work.g_loc[e]
    for i in range(place_among_writes(e, work), work.slot_length[l] - 1):
        work.sequence[l, i] = work.sequence[l, i + 1]
    work.slot_length[l] -= 1
    for v in range(work.R.shape[2]):
        work.R[1, e, v] = ZERO
    for i in range(work.slot_length[l]):
        clear_bit(work.R[1, work.sequence[l, i]], e)


@inner
def put_in(e, place, work, grown):
    """Put a write at a place in the order of its location."""
    l = work.g_loc[e]
    grown.at[op.X_FRESH] = 0
    for i in range(work.slot_length[l], place, -1):
        work.sequence[l, i] = work.sequence[l, i - 1]
    work.sequence[l, place] = e
    work.slot_length[l] += 1
    for i in range(work.slot_length[l]):
        if i < place:
            enter(1, e, work.sequence[l, i], work, grown)
        elif i > place:
            enter(1, work.sequence[l, i], e, work, grown)
    note(grown, op.T_PLACE, e, 0, 0)


@inner
def add_initial(l, prog, data, work, grown):
    """Add the initial write of a location."""
    st = work.st
    e = st[op.EVENTS]
    st[op.EVENTS] += 1
    work.g_event[e], work.g_thread[e], work.g_loc[e] = -1 - l, -1, l
    work.g_kind[e] = data.kind_of[data.kind_of.shape[0] - 1 - l]
    grown.index[e] = -1
    work.source[e] = -1
    work.val[e] = data.loc_value[l]
    work.slot_first[l] = e
    note(grown, op.T_INITIAL, e, 0, 0)
    set_bit(grown.written[l], e)
    relate(e, prog, data, work, grown)
    passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
    work.slot_length[l] = 0
    if has_bit(work.S[prog.config[op.C_ORDER]], e):
        put_in(e, 0, work, grown)


@inner
def add_known(prog, data, work, grown):
    """Add the initial writes of all locations that executions have had, as many as there are events.

    Each comes before everything, so that every row of happens-before is another one with it: once for all of them
    instead of once for each. In a graph of one word that costs little, and events would be more.
    """
    there = work.st[op.EVENTS]
    left = min(there, work.g_event.shape[0] - there - 1) if work.R.shape[2] > 1 else 0
    for l in range(grown.known.shape[0]):
        if left > 0 and grown.known[l] != 0 and work.slot_first[l] < 0:
            add_initial(l, prog, data, work, grown)
            left -= 1


@inner
def is_alone_at(l, t, work):
    """Tell whether one thread alone accesses a location."""
    for e in range(work.st[op.EVENTS]):
        if work.g_loc[e] == l and work.g_thread[e] >= 0 and work.g_thread[e] != t:
            return False
    return True


@inner
def add_event(t, prog, data, tries, work, grown):
    """Number the next event of a thread; fences and barriers enter the graph at once."""
    st = work.st
    g = tries.node_first[grown.node[t]] + grown.following[t]
    l = data.e_loc[g]
    if l >= 0 and work.slot_first[l] < 0:
        add_initial(l, prog, data, work, grown)
        add_known(prog, data, work, grown)
    e = st[op.EVENTS]
    st[op.EVENTS] += 1
    work.g_event[e], work.g_thread[e], work.g_loc[e], work.g_kind[e] = g, t, l, data.kind_of[g]
    work.source[e] = -1
    grown.index[e], grown.base[e] = grown.length[t], work.t_base[t]
    grown.event_at[t, grown.length[t]] = e
    grown.settled[e] = grown.stays[e] = grown.returns[e] = 0
    forget_value(e, work, grown)
    for v in range(grown.excluded.shape[1]):
        grown.excluded[e, v] = ZERO
    grown.length[t] += 1
    grown.following[t] += 1
    note(grown, op.T_EVENT, e, 0, 0)
    if grown.at[op.X_BLOCKS] == 0:
        note_apart(g, t, tries, work, grown)
    if data.e_kind[g] == 0:
        grown.decided[e] = op.NEVER
        set_bit(grown.open, e)
        # A read that may be undef is decided late: then it is known what it races with.
        grown.undef[e] = 1 if prog.config[op.C_UNDEF] >= 0 and tries.may_be_undef[g] != 0 else 0
        grown.later[e] = 1 if grown.at[op.X_LOOSE] != 0 or tries.unsequenced[g] != 0 else 0
        idle = tries.idle[g] * grown.at[op.X_IDLE]
        grown.idle[e] = idle == op.IDLE
        # Where threads run past reads, one also does past what only its own write rests on, unless others ask for that.
        runs_past = idle == op.IDLE
        if idle == op.IDLE_UPDATE and grown.at[op.X_BLOCKS] == 0:
            runs_past = is_alone_at(l, t, work)
        grown.passed[e] = 1 if grown.undef[e] != 0 or grown.later[e] != 0 or runs_past else 0
        grown.open_reads[t] += 1 - grown.passed[e]
        grown.half[e] = tries.half[g]
        if grown.half[e] != 0:
            note_rival(t, l, -1, True, tries, work, grown)
        if grown.undef[e] != 0 and tries.passive[g] != 0:
            relate(e, prog, data, work, grown)
            passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
    elif data.e_kind[g] == 1:
        grown.at[op.X_DEFERRED] += 1
        set_bit(grown.deferred, e)
        if grown.at[op.X_BLOCKS] == 0:
            note_rival(t, l, -1, False, tries, work, grown)
        relate(e, prog, data, work, grown)
    else:
        relate(e, prog, data, work, grown)


@inner
def is_full(work, grown):
    """Tell whether there may be too little room for another event, but for that in its thread's path."""
    events = work.g_event.shape[0]
    noted = (2 + grown.node.shape[0] * grown.at[op.X_SYMMETRIC]) * events  # threads alike do at once what one does
    if work.st[op.EVENTS] + 2 > events or grown.at[op.X_TRAIL] + noted + 64 > grown.trail.shape[0]:
        return True
    if grown.at[op.X_LOG] + 3 * (work.R.shape[0] + work.S.shape[0]) * events > grown.log.shape[0]:
        return True
    return work.st[op.DEPTH] + 4 > grown.kind.shape[0]


@inner
def decide(kind, what, prog, work, grown):
    """Begin a decision."""
    d = work.st[op.DEPTH] + 1
    work.st[op.DEPTH] = d
    grown.kind[d], grown.what[d], grown.cursor[d], grown.accepted[d] = kind, what, -1, 0
    grown.may_wait[d], grown.rivals[d], grown.rival_count[d] = 0, 0, 0
    mark(d, prog, work, grown)
    work.st[op.PHASE] = op.GROW_NEXT


@inner
def mark(d, prog, work, grown):
    """Note what each option of a decision begins with."""
    grown.mark[d], grown.log_mark[d] = grown.at[op.X_TRAIL], grown.at[op.X_LOG]
    grown.fresh[d] = grown.at[op.X_FRESH]
    keep_touched(d, prog, grown)


@inner
def note_rival(t, l, value, halves, tries, work, grown):
    """Note that a thread writes to a location, or tries to: for the reads of others that were decided before.

    A read that waits is served by such a write. Where none is met after it has taken the newest write, waiting is in
    vain, as what other threads do does not rest on it; so it is where the read may take none of the values that are
    met. With `halves` the thread comes to a read-modify-write; `value` is -1 where that is not known.

    Where threads do not run past reads, a write that has come after the read in ``po | rf`` is none that it could wait
    for: what such a write needs is there without the read.
    """
    looked = False
    for d in range(work.st[op.DEPTH] + 1):
        if grown.kind[d] == op.X_READ:
            r = grown.what[d]
            if work.g_loc[r] == l and not waits_too(d, t, work, grown) and (not halves or grown.half[r] != 0):
                grown.contended[l] = 1
                if grown.rivals[d] != 0:
                    continue
                if grown.at[op.X_BLOCKS] != 0 and grown.later[r] == 0:
                    if not looked:
                        find_reach(t, work, grown)
                        looked = True
                    if grown.reach[work.g_thread[r]] >= grown.index[r]:
                        continue
                note_value(d, value, grown)


@inner
def waits_too(d, t, work, grown):
    """Tell whether a thread waits where the read of a decision waits: it is its own, or one that decides with it."""
    r = grown.what[d]
    if t == work.g_thread[r]:
        return grown.later[r] == 0
    if grown.at[op.X_SYMMETRIC] == 0 or grown.at[op.X_BLOCKS] == 0:
        return False
    return (grown.together[d] >> uint64(t)) & ONE != ZERO


@inner
def note_value(d, value, grown):
    """Note a value that others write to the location of a decision's read; -1 where it is not known."""
    count = grown.rival_count[d]
    for k in range(count):
        if grown.rival_values[d, k] == value:
            return
    if value < 0 or count == grown.rival_values.shape[1]:
        grown.rivals[d] = 1
        return
    grown.rival_values[d, count] = value
    grown.rival_count[d] = count + 1


@inner
def find_reach(t, work, grown):
    """Find what comes before the end of a thread in ``po | rf``: up to which index of each thread (``reach``)."""
    clear_reach(grown)
    grown.reach[t] = grown.length[t] - 1
    spread_reach(work, grown)


@inner
def clear_reach(grown):
    """Begin to look for what comes before something: so far nothing."""
    for u in range(grown.node.shape[0]):
        grown.reach[u] = -1
        grown.looked_to[u] = -1


@inner
def spread_reach(work, grown):
    """Add what comes before that which has been found, in ``po | rf``."""
    changed = True
    while changed:
        changed = False
        for u in range(grown.node.shape[0]):
            while grown.looked_to[u] < grown.reach[u]:
                grown.looked_to[u] += 1
                w = work.source[grown.event_at[u, grown.looked_to[u]]]
                if w >= 0 and work.g_thread[w] >= 0 and grown.index[w] > grown.reach[work.g_thread[w]]:
                    grown.reach[work.g_thread[w]] = grown.index[w]
                    changed = True


@inner
def spread_past(data, tries, work, grown):
    """Add what comes before that which has been found, in ``po | rf | bar``; tell whether all of it is there."""
    spread_reach(work, grown)
    if grown.at[op.X_MET] < 0:
        return True
    changed = True
    while changed:
        changed = False
        for u in range(grown.node.shape[0]):
            for i in range(grown.reach[u] + 1):
                waited = data.e_key[grown.at[op.X_WAIT], work.g_event[grown.event_at[u, i]]]
                if waited < 0:
                    continue
                for s in range(grown.node.shape[0]):
                    if s == u or data.inst[s, 2] != data.inst[u, 2]:
                        continue
                    found = arrival_of(s, waited, data, work, grown)
                    if found < 0 and not has_ended(s, tries, grown):
                        return False
                    if found > grown.reach[s]:
                        grown.reach[s], changed = found, True
        if changed:
            spread_reach(work, grown)
    return True


@inner
def arrival_of(t, number, data, work, grown):
    """Give where in its path a thread arrives at the barrier with a number, or -1 if it has not."""
    for i in range(grown.length[t]):
        if data.e_key[grown.at[op.X_MET], work.g_event[grown.event_at[t, i]]] == number:
            return i
    return -1


@inner
def note_apart(g, t, tries, work, grown):
    """Note that a thread comes to an event that does not depend on a read before it.

    What another thread writes may rest on that event, and on what comes after a read that was decided before the former
    one, or is it: then it is not known whether waiting is in vain. The former read has to take what was still to come
    when the latter one was decided.
    """
    for k in range(tries.apart_first[g], tries.apart_first[g + 1]):
        note_apart_from(event_of(t, work.t_base[t], tries.apart_reads[k], grown), tries, work, grown)


@inner
def note_refused(t, tries, data, work, grown):
    """Note that a thread ends at an assumption, on which nothing depends: what would follow is apart from its reads."""
    for i in range(grown.length[t]):
        e = grown.event_at[t, i]
        if data.e_kind[work.g_event[e]] == 0:
            note_apart_from(e, tries, work, grown)


@inner
def note_apart_from(r, tries, work, grown):
    """Note that a thread comes to something that does not depend on a read, or might.

    Nothing is kept from that by a read of the initial write. Of an open update whose result nobody uses it is noted
    once that has taken another write (``take``).
    """
    if has_initial(r, work) or (is_open(r, grown) and is_idle_update(r, tries, work, grown)):
        return
    for d in range(min(grown.decided[r], work.st[op.DEPTH]) + 1):
        if grown.rivals[d] == 0 and grown.kind[d] == op.X_READ and was_to_come(d, work.g_loc[r], tries, grown):
            grown.rivals[d] = 1


@inner
def is_idle_update(r, tries, work, grown):
    """Tell whether a read is of a relaxed update whose result nobody uses, which threads may run past."""
    return grown.at[op.X_BLOCKS] == 0 and tries.idle[work.g_event[r]] * grown.at[op.X_IDLE] == op.IDLE_UPDATE


@inner
def has_initial(r, work):
    """Tell whether a read has taken the initial write of its location: nothing comes before what follows it by that."""
    return work.source[r] >= 0 and work.g_thread[work.source[r]] < 0


@inner
def was_to_come(d, l, tries, grown):
    """Tell whether a location could still be written when a read was decided."""
    for t in range(grown.node.shape[0]):
        row = grown.to_come[d, t]
        if row == -2 or (row >= 0 and tries.can_write[row, l] != 0):
            return True
    return False


@inner
def keep_to_come(d, tries, grown):
    """Keep with a decision what may still be written."""
    for t in range(grown.node.shape[0]):
        grown.to_come[d, t] = -1 if has_ended(t, tries, grown) else to_come(t, tries, grown)
    if grown.at[op.X_DEFERRED] > 0:
        grown.to_come[d, 0] = -2


@inner
def to_come(t, tries, grown):
    """Give the row of what a thread may still write."""
    node, following = grown.node[t], grown.following[t]
    if following < tries.node_count[node]:
        return tries.rest[tries.node_first[node] + following]
    return tries.node_writes[node]


@inner
def note_dead_end(tries, work, grown):
    """Note that something ends here, so that it is not known what threads would write that have not ended."""
    for d in range(work.st[op.DEPTH] + 1):
        note_unknown(d, False, tries, work, grown)


@inner
def note_unknown(d, served, tries, work, grown):
    """Note that something ends here, if a thread that has not ended may write what a read of a decision could wait for.

    With `served` it is known which reads nobody serves: the threads that wait with these do not write.
    """
    if grown.kind[d] != op.X_READ or grown.rivals[d] != 0:
        return
    r = grown.what[d]
    if grown.at[op.X_DEFERRED] > 0:
        grown.rivals[d] = 1
        return
    for t in range(grown.node.shape[0]):
        if waits_too(d, t, work, grown) or has_ended(t, tries, grown):
            continue
        if served and goes_on_never(grown.event_at[t, grown.length[t] - 1], grown):
            continue
        if tries.can_write[to_come(t, tries, grown), work.g_loc[r]] != 0:
            grown.rivals[d] = 1
            return


@inner
def is_unserved(e, grown):
    """Tell whether an event is an open read that no write serves, neither one that is there nor one to come."""
    return grown.options[e] == 0 and goes_on_never(e, grown)


@inner
def goes_on_never(e, grown):
    """Tell whether an event is an open read after which its thread does not go on: it may only wait for ever."""
    return is_open(e, grown) and grown.served[e] == op.SERVED_NOT


@inner
def at_fork(t, tries, grown):
    """Tell whether a thread has come to a value that decides how it goes on."""
    node = grown.node[t]
    return tries.node_fork[node] >= 0 and grown.following[t] == tries.node_count[node]


@inner
def is_before_fork(e, tries, work, grown):
    """Tell whether an event is the last one of its thread, before a value that decides how it goes on."""
    t = work.g_thread[e]
    return at_fork(t, tries, grown) and grown.event_at[t, grown.length[t] - 1] == e


@inner
def has_ended(t, tries, grown):
    """Tell whether a thread has come to the end of its path."""
    node = grown.node[t]
    return tries.node_fork[node] < 0 and grown.following[t] == tries.node_count[node]


@inner
def is_open(e, grown):
    """Tell whether an event is a read that has no source yet."""
    return has_bit(grown.open, e)


@inner
def is_newest(w, work):
    """Tell whether a write is the last of its location's order."""
    if w < 0:
        return False
    l = work.g_loc[w]
    return work.slot_length[l] > 0 and work.sequence[l, work.slot_length[l] - 1] == w


@inner
def is_placed(w, work):
    """Tell whether a write is in the order of its location."""
    return place_among_writes(w, work) >= 0


@inner
def is_taken(w, data, work, grown):
    """Tell whether a read-modify-write has read a write, and writes, though perhaps it is not known yet what."""
    l = work.g_loc[w]
    for v in range(grown.written.shape[1]):
        left = writes_to(l, v, grown)
        while left != ZERO:
            x = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            g = work.g_event[x]
            if g >= 0 and data.e_rmw[g] >= 0:
                if work.source[event_of(work.g_thread[x], grown.base[x], data.e_rmw[g], grown)] == w:
                    return True
    return False
