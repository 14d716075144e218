"""Candidates: the events and base relations of a combination of paths, and the sources of its reads."""

from __future__ import annotations

from numba import uint64

from enumerator.engine.kernels.jit import inner, njit
from enumerator.engine.kernels.relations import ONE, ZERO, clear_bit, has_bit, set_bit
from enumerator.engine.opcodes import (
    B_ADDR,
    B_BAR,
    B_CLASS,
    B_CTRL,
    B_DATA,
    B_EXT,
    B_INCL,
    B_INSCOPE,
    B_INT,
    B_LOC,
    B_MMRA,
    B_PO,
    B_RMW,
    B_SAME,
    B_SAME_SPACE,
    B_TEXT_ORDER,
    B_TOK,
    B_UNSEQUENCED,
    CONDITIONS,
    EVENTS,
    HALVES,
    INITIALS,
    ITEMS,
    READS,
    UNKNOWN_ID,
)


@inner
def in_scope(a, b, g_thread, g_scope, inst):
    """Tell whether b is in the scope instance that a names; an initial write is in all and names the largest."""
    if g_thread[a] < 0 or g_thread[b] < 0:
        return True
    return inst[g_thread[a], g_scope[a]] == inst[g_thread[b], g_scope[a]]


@inner
def related(what, a, b, g_thread, g_scope, g_loc, g_tag, g_space, g_arrive, g_wait, inst, compat):
    """Tell whether two events are in a base relation that their attributes decide."""
    ta, tb = g_thread[a], g_thread[b]
    if what == B_PO:
        return ta == tb and ta >= 0 and a < b
    if what == B_LOC:
        return g_loc[a] >= 0 and g_loc[a] == g_loc[b]
    if what == B_INT:
        return a == b or (ta == tb and ta >= 0)
    if what == B_EXT:
        return not (a == b or (ta == tb and ta >= 0))
    if what == B_SAME_SPACE:
        return g_loc[a] >= 0 and g_loc[b] >= 0 and g_space[a] == g_space[b]
    if what == B_TEXT_ORDER:
        return a < b
    if what == B_MMRA:
        return compat[g_tag[a], g_tag[b]]
    if what == B_INCL:
        return in_scope(a, b, g_thread, g_scope, inst) and in_scope(b, a, g_thread, g_scope, inst)
    if what == B_INSCOPE:
        return in_scope(a, b, g_thread, g_scope, inst)
    if what == B_BAR:
        return (
            ta >= 0
            and tb >= 0
            and ta != tb
            and g_arrive[a] >= 0
            and g_arrive[a] == g_wait[b]
            and inst[ta, 2] == inst[tb, 2]
        )
    if what >= B_SAME:
        return ta < 0 or tb < 0 or inst[ta, what - B_SAME] == inst[tb, what - B_SAME]
    return False


@inner
def is_supplied(data, work):
    """Tell whether each need of the paths of the combination at hand is met by one of them."""
    threads = work.combo.shape[0]
    for t in range(threads):
        p = data.thread_first[t] + work.combo[t]
        for k in range(data.need_first[p], data.need_first[p + 1]):
            met = False
            for other in range(threads):
                q = data.thread_first[other] + work.combo[other]
                for v in range(data.needs.shape[1]):
                    met = met or data.needs[k, v] & data.gives[q, v] != ZERO
            if not met:
                return False
    return True


@njit
def class_of(a, what, g_event, e_class):
    """Give the class of an event, for a relation that classes decide."""
    return e_class[what - B_CLASS, g_event[a]] if g_event[a] >= 0 else 0


@njit
def assemble(prog, data, work):
    """Number the events of the combination of paths at hand and fill its base relations and sets."""
    base_relations, base_sets = prog.base_relations, prog.base_sets
    thread_first, inst, p_event, e_loc, e_tag = data.thread_first, data.inst, data.p_event, data.e_loc, data.e_tag
    e_scope, e_rmw, e_arrive, e_wait, e_bits = data.e_scope, data.e_rmw, data.e_arrive, data.e_wait, data.e_bits
    e_space, loc_space, dep_first, dep_kind = data.e_space, data.loc_space, data.dep_first, data.dep_kind
    e_class, class_pairs = data.e_class, data.class_pairs
    dep_source, loc_value, loc_bits, compat = data.dep_source, data.loc_value, data.loc_bits, data.compat
    st, combo, t_base, g_event, g_thread = work.st, work.combo, work.t_base, work.g_event, work.g_thread
    g_base, g_scope, g_loc, g_tag, g_space = work.g_base, work.g_scope, work.g_loc, work.g_tag, work.g_space
    g_arrive, g_wait, val, source, forced = work.g_arrive, work.g_wait, work.val, work.source, work.forced
    slot_first, slot_length, R, S = work.slot_first, work.slot_length, work.R, work.S
    threads = combo.shape[0]
    for l in range(loc_value.shape[0]):
        slot_length[l] = 0
    for t in range(threads):
        p = thread_first[t] + combo[t]
        for g in range(p_event[p], p_event[p + 1]):
            if e_loc[g] >= 0:
                slot_length[e_loc[g]] = 1
    n = 0
    for l in range(loc_value.shape[0]):
        slot_first[l] = -1
        if slot_length[l] == 1:
            g_event[n], g_thread[n], g_base[n], g_scope[n] = -1 - l, -1, 0, 5
            g_loc[n], g_tag[n], g_arrive[n], g_wait[n] = l, 0, -1, -1
            g_space[n] = loc_space[l]
            val[n] = loc_value[l]
            slot_first[l] = n
            n += 1
    st[INITIALS] = n
    for t in range(threads):
        p = thread_first[t] + combo[t]
        t_base[t] = n
        for g in range(p_event[p], p_event[p + 1]):
            g_event[n], g_thread[n], g_base[n], g_scope[n] = g, t, t_base[t], e_scope[g]
            g_space[n] = e_space[g]
            g_loc[n], g_tag[n], g_arrive[n], g_wait[n] = e_loc[g], e_tag[g], e_arrive[g], e_wait[g]
            n += 1
    st[EVENTS] = n
    w = (n + 63) >> 6
    for k in range(base_relations.shape[0]):
        what, d = base_relations[k, 0], base_relations[k, 1]
        for a in range(n):
            for v in range(w):
                R[d, a, v] = ZERO
        dependency = what == B_ADDR or what == B_DATA or what == B_CTRL or what == B_TOK or what == B_UNSEQUENCED
        if what == B_RMW or dependency:
            for b in range(n):
                g = g_event[b]
                if g < 0:
                    continue
                if what == B_RMW:
                    if e_rmw[g] >= 0:
                        set_bit(R[d, g_base[b] + e_rmw[g]], b)
                else:
                    for k2 in range(dep_first[g], dep_first[g + 1]):
                        if dep_kind[k2] == what:
                            set_bit(R[d, g_base[b] + dep_source[k2]], b)
        else:
            for a in range(n):
                for b in range(n):
                    if what >= B_CLASS:
                        first, second = class_of(a, what, g_event, e_class), class_of(b, what, g_event, e_class)
                        if class_pairs[what - B_CLASS, first, second]:
                            set_bit(R[d, a], b)
                    elif related(what, a, b, g_thread, g_scope, g_loc, g_tag, g_space, g_arrive, g_wait, inst, compat):
                        set_bit(R[d, a], b)
    for k in range(base_sets.shape[0]):
        bit, d = base_sets[k, 0], base_sets[k, 1]
        for v in range(w):
            S[d, v] = ZERO
        for a in range(n):
            g = g_event[a]
            bits = e_bits[g, bit >> 6] if g >= 0 else loc_bits[-1 - g, bit >> 6]
            if (bits >> uint64(bit & 63)) & ONE != ZERO:
                set_bit(S[d], a)
    for a in range(n):
        for v in range(w):
            R[0, a, v] = ZERO
            R[1, a, v] = ZERO
        source[a] = -1
        forced[a] = UNKNOWN_ID
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
    n = st[EVENTS]
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
                if has_bit(S[config[0]], b):
                    item_write[items], item_slot[items] = b, g_loc[b]
                    read_item[count] = items
                    items += 1
                continue
            sources[count, found] = b
            set_bit(R[2, b], a)
            found += 1
        if config[1] >= 0 and has_bit(S[config[1]], a):
            sources[count, found] = -2
            set_bit(S[1], a)
            found += 1
        n_sources[count] = found
        count += 1
    st[READS] = count
    halves = items
    for l in range(loc_value.shape[0]):
        first = slot_first[l]
        slot_length[l] = 0
        pinned[l] = -1
        if first < 0:
            continue
        initial = has_bit(S[config[0]], first)
        if initial:
            sequence[l, 0] = first
            slot_length[l] = 1
        for b in range(n):
            h = g_event[b]
            if h < 0 or e_kind[h] != 1 or g_loc[b] != l or not has_bit(S[config[0]], b):
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
                if c != b and g_event[c] >= 0 and g_loc[c] == l and has_bit(S[config[0]], c):
                    set_bit(R[3, b], c)
    st[ITEMS] = items
    st[HALVES] = halves
    st[CONDITIONS] = 0
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        st[CONDITIONS] += data.p_cond[p + 1] - data.p_cond[p]


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
