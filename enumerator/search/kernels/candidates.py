"""Candidates: the events and base relations of a combination of paths, and the sources of its reads."""

from __future__ import annotations

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ZERO, clear_bit, has_bit, set_bit


@inner
def number_events(data, work):
    """Number the events of the combination of paths at hand: initial writes first, then each thread's in order."""
    thread_first, p_event, e_loc, kind_of = data.thread_first, data.p_event, data.e_loc, data.kind_of
    st, combo, t_base, g_event, g_thread = work.st, work.combo, work.t_base, work.g_event, work.g_thread
    g_base, g_loc, g_kind, val = work.g_base, work.g_loc, work.g_kind, work.val
    slot_first, slot_length = work.slot_first, work.slot_length
    threads = combo.shape[0]
    for l in range(slot_first.shape[0]):
        slot_first[l] = -1
        slot_length[l] = 0
    for t in range(threads):
        p = thread_first[t] + combo[t]
        for g in range(p_event[p], p_event[p + 1]):
            if e_loc[g] >= 0:
                slot_length[e_loc[g]] = 1
    n = 0
    for l in range(slot_first.shape[0]):
        if slot_length[l] == 1:
            g_event[n], g_thread[n], g_base[n] = -1 - l, -1, 0
            g_loc[n], g_kind[n] = l, kind_of[kind_of.shape[0] - 1 - l]
            val[n] = data.loc_value[l]
            slot_first[l] = n
            n += 1
    st[op.INITIALS] = n
    for t in range(threads):
        p = thread_first[t] + combo[t]
        t_base[t] = n
        for g in range(p_event[p], p_event[p + 1]):
            g_event[n], g_thread[n], g_base[n] = g, t, t_base[t]
            g_loc[n], g_kind[n] = e_loc[g], kind_of[g]
            n += 1
    st[op.EVENTS] = n


@inner
def relate_listed(number, rows, data, work):
    """Relate to each event those that its path lists beside it."""
    g_event, g_base, dep_first = work.g_event, work.g_base, data.dep_first
    for b in range(work.st[op.INITIALS], work.st[op.EVENTS]):
        for k in range(dep_first[g_event[b]], dep_first[g_event[b] + 1]):
            if data.dep_kind[k] == number:
                set_bit(rows[g_base[b] + data.dep_source[k]], b)


@inner
def relate_kinds(k, first, second, before, rows, prog, data, work):
    """Relate the events whose kinds allow it, where attributes are compared those that have them equal."""
    pairs, itself, g_event, g_kind = prog.kind_pairs, prog.kind_itself, work.g_event, work.g_kind
    e_key, e_whole, e_rmw = data.e_key, data.e_whole, data.e_rmw
    n, places = work.st[op.EVENTS], e_key.shape[1]
    for a in range(n):
        g, kind = g_event[a], g_kind[a]
        mine = e_key[first, g if g >= 0 else places + g] if first >= 0 else 0
        if mine < 0:
            continue
        for b in range(a + 1 if before != 0 else 0, n):
            if itself[k, kind] if b == a else pairs[k, kind, g_kind[b]]:
                g = g_event[b]
                if first >= 0 and e_key[second, g if g >= 0 else places + g] != mine:
                    continue
                if before != 0 and g >= 0 and e_whole[g] >= 0 and work.g_thread[a] == work.g_thread[b]:
                    # Parts of one instruction: a read-modify-write reads a cell before it writes it.
                    if e_whole[g_event[a]] == e_whole[g] and work.g_base[b] + e_rmw[g] != a:
                        continue
                set_bit(rows[a], b)


@njit
def assemble(prog, data, work):
    """Number the events of the combination of paths at hand and fill its base relations and sets."""
    base_relations, base_sets, kind_sets = prog.base_relations, prog.base_sets, prog.kind_sets
    g_kind, source, forced, R, S = work.g_kind, work.source, work.forced, work.R, work.S
    number_events(data, work)
    n = work.st[op.EVENTS]
    w = (n + 63) >> 6
    for k in range(base_relations.shape[0]):
        rows, listed = R[base_relations[k, 0]], base_relations[k, 4]
        for a in range(n):
            for v in range(w):
                rows[a, v] = ZERO
        if listed >= 0:
            relate_listed(listed, rows, data, work)
        else:
            relate_kinds(k, base_relations[k, 1], base_relations[k, 2], base_relations[k, 3], rows, prog, data, work)
    for k in range(base_sets.shape[0]):
        d = base_sets[k]
        for v in range(w):
            S[d, v] = ZERO
        for a in range(n):
            if kind_sets[k, g_kind[a]]:
                set_bit(S[d], a)
    for a in range(n):
        for v in range(w):
            R[0, a, v] = ZERO
            R[1, a, v] = ZERO
        source[a] = -1
        forced[a] = op.UNKNOWN_ID
    for v in range(w):
        S[0, v] = ZERO


@inner
def choose(k, place, reads, sources, n_sources, source, R, S):
    """Let read k read the source at a place of its list: in reads-from, and in what that may still become."""
    r = reads[k]
    s = sources[k, place]
    for i in range(n_sources[k]):
        if sources[k, i] >= 0:
            clear_bit(R[2, sources[k, i]], r)
    clear_bit(S[1], r)
    if s >= 0:
        set_bit(R[0, s], r)
        set_bit(R[2, s], r)
    else:
        set_bit(S[0], r)
        set_bit(S[1], r)
    source[r] = s


@inner
def withdraw(k, reads, sources, n_sources, source, R, S):
    """Leave it open again what read k reads."""
    r = reads[k]
    for i in range(n_sources[k]):
        s = sources[k, i]
        if s >= 0:
            clear_bit(R[0, s], r)
            set_bit(R[2, s], r)
        else:
            clear_bit(S[0], r)
            set_bit(S[1], r)
    source[r] = -1


@inner
def list_linear(items, prog, data, work):
    """List behind other items the events of the total orders that the model chooses besides; how many items there are.

    Each such order, or each location in it, is a slot behind those of the locations.
    """
    linear, g_loc = prog.linear, work.g_loc
    slot = data.loc_value.shape[0]
    for k in range(linear.shape[0]):
        rows, by_location = work.R[linear[k, 1]], linear[k, 2] != 0
        for a in range(work.st[op.EVENTS]):
            for v in range(rows.shape[1]):
                rows[a, v] = ZERO
            if has_bit(work.S[linear[k, 0]], a) and (not by_location or g_loc[a] >= 0):
                work.item_write[items], work.item_slot[items] = a, slot + (g_loc[a] if by_location else 0)
                items += 1
        for _ in range(data.loc_value.shape[0] if by_location else 1):
            work.slot_order[slot] = k + 1
            slot += 1
    return items


@inner
def list_sources(prog, data, work):
    """List the reads with the writes they may read, and the writes that the model orders, location by location.

    The write halves of read-modify-writes whose read halves are listed come first among the latter.
    """
    config = prog.config
    e_kind, e_instr, loc_value = data.e_kind, data.e_instr, data.loc_value
    st, g_event, g_thread, g_loc = work.st, work.g_event, work.g_thread, work.g_loc
    reads, sources, n_sources, read_item = work.reads, work.sources, work.n_sources, work.read_item
    item_write, item_slot, R, S = work.item_write, work.item_slot, work.R, work.S
    slot_first, slot_length, sequence, pinned = work.slot_first, work.slot_length, work.sequence, work.pinned
    n = st[op.EVENTS]
    w = (n + 63) >> 6
    for a in range(n):
        for v in range(w):
            R[2, a, v] = ZERO
            R[3, a, v] = ZERO
    for v in range(w):
        S[1, v] = ZERO
    count = 0
    items = 0
    for a in range(n):
        g = g_event[a]
        if g < 0 or e_kind[g] != 0:
            continue
        reads[count] = a
        read_item[count] = -1
        found = 0
        for b in range(n):
            h = g_event[b]
            if g_loc[b] != g_loc[a] or (h >= 0 and e_kind[h] != 1):
                continue
            if h >= 0 and g_thread[a] == g_thread[b] and e_instr[g] == e_instr[h]:
                if has_bit(S[config[op.C_ORDER]], b):
                    item_write[items], item_slot[items] = b, g_loc[b]
                    read_item[count] = items
                    items += 1
                continue
            sources[count, found] = b
            set_bit(R[2, b], a)
            found += 1
        if config[op.C_UNDEF] >= 0 and has_bit(S[config[op.C_UNDEF]], a):
            sources[count, found] = -2
            set_bit(S[1], a)
            found += 1
        n_sources[count] = found
        count += 1
    st[op.READS] = count
    halves = items
    for l in range(loc_value.shape[0]):
        first = slot_first[l]
        slot_length[l] = 0
        pinned[l] = -1
        if first < 0:
            continue
        initial = has_bit(S[config[op.C_ORDER]], first)
        if initial:
            sequence[l, 0] = first
            slot_length[l] = 1
        for b in range(n):
            h = g_event[b]
            if h < 0 or e_kind[h] != 1 or g_loc[b] != l or not has_bit(S[config[op.C_ORDER]], b):
                continue
            known = False
            for k in range(halves):
                if item_write[k] == b:
                    known = True
            if not known:
                item_write[items], item_slot[items] = b, l
                items += 1
            if initial:
                set_bit(R[1, first], b)
                set_bit(R[3, first], b)
            for c in range(n):
                if c != b and g_event[c] >= 0 and g_loc[c] == l and has_bit(S[config[op.C_ORDER]], c):
                    set_bit(R[3, b], c)
    st[op.HALVES] = halves
    st[op.ITEMS] = list_linear(items, prog, data, work)
    st[op.CONDITIONS] = 0
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        st[op.CONDITIONS] += data.p_cond[p + 1] - data.p_cond[p]


@inner
def keep_sources(k, good, work):
    """Keep the first `good` sources of read k as all that it may read."""
    reads, sources, n_sources, R, S = work.reads, work.sources, work.n_sources, work.R, work.S
    for place in range(good, n_sources[k]):
        if sources[k, place] >= 0:
            clear_bit(R[2, sources[k, place]], reads[k])
        else:
            clear_bit(S[1], reads[k])
    n_sources[k] = good
