"""Decisions: what a read reads, where a write stands in its location's order; in which order, taken and undone.

The total orders that a model chooses besides are decided as coherence orders are, as if each were one more location
with the events for writes (``candidates.list_linear``). Nothing reads from these, so their decisions come last.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.candidates import choose, withdraw
from enumerator.search.kernels.relations import ONE, ZERO, has_bit


@inner
def item_of(write, work):
    """Give the item of a write, -1 where its location's order has no decision on it."""
    for item in range(work.st[op.ITEMS]):
        if work.item_write[item] == write:
            return item
    return -1


@njit
def order_orbits(data, work):
    """Let the first ordered writes of symmetric threads, and take the same path, be ordered as the threads are.

    ``st[WEIGHT]`` becomes the number of executions that each of those that are left stands for: the arrangements of the
    threads, but for those of threads on one path without such a write, whose executions are all searched.
    """
    st, combo = work.st, work.combo
    weight = 1
    for item in range(st[op.ITEMS]):
        work.item_before[item], work.item_after[item] = -1, -1
    for t in range(combo.shape[0]):
        # Its number among the symmetric threads, and among those of them that take its path (these come together).
        number, same = 1, 1
        s = data.symmetric_with[t]
        while s >= 0:
            number += 1
            if combo[s] == combo[t]:
                same += 1
            s = data.symmetric_with[s]
        weight *= number
        if same == 1:
            continue
        s = data.symmetric_with[t]
        p = data.thread_first[t] + combo[t]
        ordered = False
        for i in range(data.p_event[p + 1] - data.p_event[p]):
            item = item_of(work.t_base[t] + i, work)
            if item >= 0:
                before = item_of(work.t_base[s] + i, work)
                work.item_before[item], work.item_after[before] = before, item
                ordered = True
                break
        if not ordered:
            weight //= same
    st[op.WEIGHT] = weight


@inner
def place_of(item, work):
    """Give the place of an item in its location's order, -1 while it has none."""
    l = work.item_slot[item]
    for place in range(work.slot_length[l]):
        if work.sequence[l, place] == work.item_write[item]:
            return place
    return -1


@inner
def barred(d, work):
    """Tell whether the option that ``choice[d]`` numbers puts writes of symmetric threads in disorder."""
    item = work.d_what[d]
    if work.d_kind[d] != op.D_PLACE:
        return False
    before, after = work.item_before[item], work.item_after[item]
    if before < 0 and after < 0:
        return False
    l = work.item_slot[item]
    if work.pinned[l] == item:
        return False
    place = work.slot_length[l] - work.choice[d]
    if work.pinned[l] >= 0:
        place -= 1
    if place < 0:
        return False
    if before >= 0 and place_of(before, work) >= place:
        return True
    if after >= 0:
        found = place_of(after, work)
        return found >= 0 and found < place
    return False


@inner
def decide(work, kind, what):
    """Append a decision."""
    d = work.st[op.DECISIONS]
    half = what < work.st[op.HALVES] if kind == op.D_PLACE else kind == op.D_READ and work.read_item[what] >= 0
    work.may_fail[d] = 1 if half or (kind == op.D_READ and work.path[0, work.reads[what]] != 0) else 0
    work.d_kind[d], work.d_what[d], work.choice[d], work.accepted[d] = kind, what, -1, 0
    work.st[op.DECISIONS] += 1


@inner
def has_items(l, halves, work):
    """Tell whether a location's order has items to decide on; with `halves`, of read-modify-writes only."""
    for item in range(work.st[op.HALVES] if halves else work.st[op.ITEMS]):
        if work.item_slot[item] == l:
            return True
    return False


@inner
def pin_last(work, l):
    """Append the decision on the last write of a location, where that waits for the decisions on its order."""
    if work.ordered[l] == 2:
        decide(work, op.D_LAST, l)
        work.ordered[l] = 3


@inner
def order_location(work, l):
    """Append the decisions on the order of a location's writes."""
    st = work.st
    work.ordered[l] = 1
    for item in range(st[op.HALVES] if st[op.CONDITIONS] > 0 else 0, st[op.ITEMS]):
        if work.item_slot[item] == l:
            decide(work, op.D_PLACE, item)


@inner
def mark_inputs(kind, what, base, data, relevant):
    """Mark the reads that a value is computed from; True where one was not marked before."""
    new = False
    if kind == op.V_COPY:
        new = relevant[base + what] == 0
        relevant[base + what] = 1
    elif kind == op.V_FUNCTION:
        for i in range(data.f_first[what], data.f_first[what + 1]):
            if relevant[base + data.f_reads[i]] == 0:
                relevant[base + data.f_reads[i]] = 1
                new = True
    return new


@inner
def mark_relevant(data, work, relevant):
    """Mark the events that are reads on which a condition of the paths may rest, through what they may read."""
    st = work.st
    for e in range(st[op.EVENTS]):
        relevant[e] = 0
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for i in range(data.p_cond[p], data.p_cond[p + 1]):
            mark_inputs(op.V_FUNCTION, data.cond_function[i], work.t_base[t], data, relevant)
    more = st[op.CONDITIONS] > 0
    while more:
        more = False
        for k in range(st[op.READS]):
            if relevant[work.reads[k]] == 0:
                continue
            for i in range(work.n_sources[k]):
                s = work.sources[k, i]
                if s >= 0 and work.g_event[s] >= 0:
                    g = work.g_event[s]
                    more |= mark_inputs(data.e_vkind[g], data.e_vdata[g], work.g_base[s], data, relevant)


@inner
def list_decisions(prog, data, work):
    """Put the decisions in an order in which a bad one shows early.

    A location's writes are ordered before it is first read, so that a stale read is refused at once; reads of few
    sources come first. Where paths are taken on conditions, values decide what may be read: of a compare-and-swap the
    write is placed once the read half has a source, reads on which conditions rest come before their locations' other
    writes are ordered, and those on which none rests come last. Where only outcomes are asked for, what they may show
    of an order, its last write, comes before all else, or at least before the rest of its order.

    Of a location, ``ordered`` says: 0 nothing is listed; 1 its order is; 2 its last write is to be, 3 is listed.
    """
    st, read_item, g_loc, reads = work.st, work.read_item, work.g_loc, work.reads
    pinned = work.pinned
    st[op.DECISIONS] = 0
    st[op.LAST_READ] = -1
    # Each location, and each read, is marked once its decisions are listed: what has one source only comes first.
    for l in range(pinned.shape[0]):
        pinned[l] = -1
        work.ordered[l] = 0
    if prog.config[op.C_LAST_ONLY] != 0:
        for k in range(data.obs_loc.shape[0]):
            l = data.obs_loc[k]
            if data.obs_thread[k] < 0 and work.ordered[l] == 0 and has_items(l, False, work):
                if st[op.CONDITIONS] > 0 and not has_items(l, True, work):
                    work.ordered[l] = 2
                else:
                    decide(work, op.D_LAST, l)
                    work.ordered[l] = 3
    for k in range(st[op.READS]):
        work.listed[k] = 0
    mark_relevant(data, work, work.path[0])
    for turn in range(4):
        for fewest in range(st[op.EVENTS] + 2 if turn > 0 else 1):
            for k in range(st[op.READS]):
                if work.listed[k] != 0 or work.n_sources[k] != (1 if turn == 0 else fewest):
                    continue
                if turn == 1 and (read_item[k] < 0 or st[op.CONDITIONS] == 0):
                    continue
                if turn == 2 and work.path[0, reads[k]] == 0:
                    continue
                work.listed[k] = 1
                l = g_loc[reads[k]]
                if work.ordered[l] != 1 and (turn != 2 or st[op.CONDITIONS] == 0):
                    pin_last(work, l)
                    order_location(work, l)
                st[op.LAST_READ] = st[op.DECISIONS]
                decide(work, op.D_READ, k)
                if read_item[k] >= 0 and st[op.CONDITIONS] > 0:
                    decide(work, op.D_PLACE, read_item[k])
    for l in range(pinned.shape[0]):
        pin_last(work, l)
    for l in range(pinned.shape[0]):
        if work.ordered[l] != 1:
            order_location(work, l)


@inner
def lowest_place(l, prog, work):
    """Give the first place in an order that decisions fill: behind the initial write, where that is in it."""
    first = work.slot_first[l]
    return 1 if first >= 0 and has_bit(work.S[prog.config[op.C_ORDER]], first) else 0


@inner
def order_register(l, prog, work):
    """Give the register of the order that a location, or what stands behind the locations, is a part of."""
    order = work.slot_order[l]
    return 1 if order == 0 else prog.linear[order - 1, 1]


@inner
def undo(d, prog, work):
    """Take back the option that decision d has taken."""
    st, what = work.st, work.d_what[d]
    if work.d_kind[d] == op.D_READ:
        withdraw(what, work.reads, work.sources, work.n_sources, work.source, work.R, work.S)
        st[op.FRESH] = 0
        st[op.SOLVED] = 0
        return
    item = what if work.d_kind[d] == op.D_PLACE else work.pinned[what]
    l = work.item_slot[item]
    if work.d_kind[d] == op.D_PLACE and work.pinned[l] == item:
        return
    begin = lowest_place(l, prog, work)
    w = (st[op.EVENTS] + 63) >> 6
    place = place_of(item, work)
    if work.d_kind[d] == op.D_LAST:
        place = work.slot_length[l] - 1
        work.pinned[l] = -1
    remove(l, place, begin, work.sequence, work.slot_length, work.R[order_register(l, prog, work)], w)


@inner
def take(d, prog, work):
    """Take the option of decision d that ``choice[d]`` numbers; False where there is none of that number."""
    st, what, option = work.st, work.d_what[d], work.choice[d]
    if work.d_kind[d] == op.D_READ:
        if option >= work.n_sources[what]:
            return False
        choose(what, option, work.reads, work.sources, work.n_sources, work.source, work.R, work.S)
        st[op.FRESH] = 0
        st[op.SOLVED] = 0
        return True
    w = (st[op.EVENTS] + 63) >> 6
    if work.d_kind[d] == op.D_LAST:
        for item in range(st[op.ITEMS]):
            if work.item_slot[item] == what:
                if option == 0:
                    work.pinned[what] = item
                    insert(
                        what,
                        work.slot_length[what],
                        work.item_write[item],
                        lowest_place(what, prog, work),
                        work.sequence,
                        work.slot_length,
                        work.R[1],
                        w,
                    )
                    return True
                option -= 1
        return False
    l = work.item_slot[what]
    if work.pinned[l] == what:
        return option == 0
    begin = lowest_place(l, prog, work)
    place = work.slot_length[l] - option
    if work.pinned[l] >= 0:
        place -= 1
    if place < begin:
        return False
    rows = work.R[order_register(l, prog, work)]
    insert(l, place, work.item_write[what], begin, work.sequence, work.slot_length, rows, w)
    return True


@inner
def order_rows(l, begin, sequence, length, rows, w):
    """Write the order of one location's writes into the order relation.

    An initial write (then `begin` is 1) keeps its row: it comes before all others, placed or not.
    """
    for v in range(w):
        word = ZERO
        for i in range(length - 1, begin - 1, -1):
            e = sequence[l, i]
            rows[e, v] = word
            if (e >> 6) == v:
                word |= ONE << uint64(e & 63)


@njit
def insert(l, place, write, begin, sequence, slot_length, rows, w):
    """Put a write at a place of its location's order."""
    for i in range(slot_length[l], place, -1):
        sequence[l, i] = sequence[l, i - 1]
    sequence[l, place] = write
    slot_length[l] += 1
    order_rows(l, begin, sequence, slot_length[l], rows, w)


@njit
def remove(l, place, begin, sequence, slot_length, rows, w):
    """Take the write at a place out of its location's order."""
    write = sequence[l, place]
    for i in range(place, slot_length[l] - 1):
        sequence[l, i] = sequence[l, i + 1]
    slot_length[l] -= 1
    for v in range(w):
        rows[write, v] = ZERO
    order_rows(l, begin, sequence, slot_length[l], rows, w)


NONE_LEFT = 1 << 20
"""The number of an option that no decision has."""


@inner
def is_pair(d, work):
    """Tell whether decision d is on the read half of a read-modify-write and the next one on its write half."""
    return (
        d + 1 < work.st[op.DECISIONS]
        and work.d_kind[d] == op.D_READ
        and work.d_kind[d + 1] == op.D_PLACE
        and work.read_item[work.d_what[d]] == work.d_what[d + 1]
    )


@inner
def was_refused(d, work):
    """Tell whether looking ahead has refused the option of a read that ``choice[d]`` numbers, before decision d."""
    return (
        work.d_kind[d] == op.D_READ
        and work.choice[d] < work.refused_at.shape[1]
        and work.refused_at[d, work.choice[d]] != op.NEVER
    )


@inner
def release(first, prog, work):
    """Take back the options that decisions from `first` on keep while others are looked at."""
    for d in range(first, work.st[op.DECISIONS]):
        if work.choice[d] >= 0:
            undo(d, prog, work)
            work.choice[d] = -1
