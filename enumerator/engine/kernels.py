"""The kernels: relational operations over bitsets, values, and the search itself.

A relation over `n` events is `n` rows of `w` 64-bit words; a set is one row. Kernels are plain functions that
numba compiles once for all models and tests; ``tests/engine`` holds a plain twin of each. The search keeps all of
its state in arrays, so that it can stop after any number of steps and go on later.
"""

# numba reads these functions; it needs no annotations, and mypy none of its types.
from __future__ import annotations

import numba
from numba import int64, uint64

from enumerator.engine import opcodes as op
from enumerator.engine.cache import announce, kernel_cache

_FOLDER = kernel_cache()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)
announce(_FOLDER)
njit = numba.njit(cache=_FOLDER is not None)

R_OR, R_AND, R_MINUS, R_SEQ, R_INVERSE = op.R_OR, op.R_AND, op.R_MINUS, op.R_SEQ, op.R_INVERSE
R_OPTION, R_PLUS, R_STAR, R_NOT, R_COPY = op.R_OPTION, op.R_PLUS, op.R_STAR, op.R_NOT, op.R_COPY
R_CROSS, R_IDENTITY, R_FROM, R_TO, R_FULL, R_EMPTY = (
    op.R_CROSS,
    op.R_IDENTITY,
    op.R_FROM,
    op.R_TO,
    op.R_FULL,
    op.R_EMPTY,
)
S_OR, S_AND, S_MINUS, S_NOT, S_DOMAIN, S_RANGE = op.S_OR, op.S_AND, op.S_MINUS, op.S_NOT, op.S_DOMAIN, op.S_RANGE
S_FULL, S_EMPTY, S_COPY = op.S_FULL, op.S_EMPTY, op.S_COPY
FIX_BEGIN, FIX_RELATION, FIX_SET, FIX_END = op.FIX_BEGIN, op.FIX_RELATION, op.FIX_SET, op.FIX_END
CHECK_ACYCLIC, FLAG_ACYCLIC = op.CHECK_ACYCLIC, op.FLAG_ACYCLIC

ONE = uint64(1)
ZERO = uint64(0)


# Bits -------------------------------------------------------------------------------------------------------


@njit
def has_bit(row, j):
    """Tell whether bit j of a row of words is set."""
    return (row[j >> 6] >> uint64(j & 63)) & ONE != ZERO


@njit
def set_bit(row, j):
    """Set bit j of a row of words."""
    row[j >> 6] |= ONE << uint64(j & 63)


@njit
def clear_bit(row, j):
    """Clear bit j of a row of words."""
    row[j >> 6] &= ~(ONE << uint64(j & 63))


@njit
def close(rows, n, w):
    """Replace a relation by its transitive closure."""
    for k in range(n):
        word = k >> 6
        mask = ONE << uint64(k & 63)
        for i in range(n):
            if rows[i, word] & mask != ZERO:
                for v in range(w):
                    rows[i, v] |= rows[k, v]


@njit
def acyclic(rows, alive, n, w):
    """Tell whether a relation has no cycle: take away events without successors until none is left."""
    for v in range(w):
        alive[v] = ZERO
    for i in range(n):
        set_bit(alive, i)
    left = n
    while left > 0:
        before = left
        for i in range(n - 1, -1, -1):
            if has_bit(alive, i):
                blocked = False
                for v in range(w):
                    if rows[i, v] & alive[v] != ZERO:
                        blocked = True
                        break
                if not blocked:
                    clear_bit(alive, i)
                    left -= 1
        if left == before:
            return False
    return True


# Bytecode ---------------------------------------------------------------------------------------------------


@njit
def relation_operation(code, R, S, d, a, b, n, w):
    """Run one operation whose result is a relation."""
    D = R[d]
    if code == R_OR:
        for i in range(n):
            for v in range(w):
                D[i, v] = R[a, i, v] | R[b, i, v]
    elif code == R_AND:
        for i in range(n):
            for v in range(w):
                D[i, v] = R[a, i, v] & R[b, i, v]
    elif code == R_MINUS:
        for i in range(n):
            for v in range(w):
                D[i, v] = R[a, i, v] & ~R[b, i, v]
    elif code == R_SEQ:
        for i in range(n):
            for v in range(w):
                D[i, v] = ZERO
            for u in range(w):
                word = R[a, i, u]
                j = u << 6
                while word != ZERO:
                    if word & ONE != ZERO:
                        for v in range(w):
                            D[i, v] |= R[b, j, v]
                    word >>= ONE
                    j += 1
    elif code == R_INVERSE:
        for i in range(n):
            for v in range(w):
                D[i, v] = ZERO
        for i in range(n):
            for u in range(w):
                word = R[a, i, u]
                j = u << 6
                while word != ZERO:
                    if word & ONE != ZERO:
                        set_bit(D[j], i)
                    word >>= ONE
                    j += 1
    elif code == R_FROM:
        for i in range(n):
            if has_bit(S[a], i):
                for v in range(w):
                    D[i, v] = R[b, i, v]
            else:
                for v in range(w):
                    D[i, v] = ZERO
    elif code == R_TO:
        for i in range(n):
            for v in range(w):
                D[i, v] = R[b, i, v] & S[a, v]
    elif code == R_CROSS:
        for i in range(n):
            if has_bit(S[a], i):
                for v in range(w):
                    D[i, v] = S[b, v]
            else:
                for v in range(w):
                    D[i, v] = ZERO
    elif code == R_IDENTITY:
        for i in range(n):
            for v in range(w):
                D[i, v] = ZERO
            if has_bit(S[a], i):
                set_bit(D[i], i)
    elif code == R_NOT:
        for i in range(n):
            for v in range(w):
                D[i, v] = ~R[a, i, v]
        mask_tail(D, n, w)
    elif code == R_FULL:
        for i in range(n):
            for v in range(w):
                D[i, v] = ~ZERO
        mask_tail(D, n, w)
    elif code == R_EMPTY:
        for i in range(n):
            for v in range(w):
                D[i, v] = ZERO
    else:  # copy, and the closures
        for i in range(n):
            for v in range(w):
                D[i, v] = R[a, i, v]
        if code == R_PLUS or code == R_STAR:
            close(D, n, w)
        if code == R_OPTION or code == R_STAR:
            for i in range(n):
                set_bit(D[i], i)


@njit
def mask_tail(D, n, w):
    """Clear the bits beyond the last event."""
    for i in range(n):
        for v in range(w):
            used = n - (v << 6)
            if used <= 0:
                D[i, v] = ZERO
            elif used < 64:
                D[i, v] &= (ONE << uint64(used)) - ONE


@njit
def set_operation(code, R, S, d, a, b, n, w):
    """Run one operation whose result is a set."""
    D = S[d]
    if code == S_OR:
        for v in range(w):
            D[v] = S[a, v] | S[b, v]
    elif code == S_AND:
        for v in range(w):
            D[v] = S[a, v] & S[b, v]
    elif code == S_MINUS:
        for v in range(w):
            D[v] = S[a, v] & ~S[b, v]
    elif code == S_COPY:
        for v in range(w):
            D[v] = S[a, v]
    elif code == S_DOMAIN:
        for v in range(w):
            D[v] = ZERO
        for i in range(n):
            for v in range(w):
                if R[a, i, v] != ZERO:
                    set_bit(D, i)
                    break
    elif code == S_RANGE:
        for v in range(w):
            D[v] = ZERO
        for i in range(n):
            for v in range(w):
                D[v] |= R[a, i, v]
    else:  # everything, nothing, complement
        for v in range(w):
            word = ZERO
            if code == S_NOT:
                word = ~S[a, v]
            elif code == S_FULL:
                word = ~ZERO
            used = n - (v << 6)
            if used <= 0:
                word = ZERO
            elif used < 64:
                word &= (ONE << uint64(used)) - ONE
            D[v] = word


@njit
def holds(test, R, S, a, negated, alive, n, w):
    """Evaluate a test: 0 acyclic, 1 irreflexive, 2 empty relation, 3 empty set."""
    result = True
    if test == 0:
        result = acyclic(R[a], alive, n, w)
    elif test == 1:
        for i in range(n):
            if has_bit(R[a, i], i):
                result = False
                break
    elif test == 2:
        for i in range(n):
            for v in range(w):
                if R[a, i, v] != ZERO:
                    result = False
    else:
        for v in range(w):
            if S[a, v] != ZERO:
                result = False
    return result != (negated != 0)


@njit
def run(code, begin, end, R, S, alive, n, w, flags):
    """Run instructions; stop with False at the first axiom that fails. Flags that are raised are added to flags[0]."""
    pc = begin
    changed = False
    while pc < end:
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        pc += 1
        if what < 20:
            relation_operation(what, R, S, d, a, b, n, w)
        elif what < 30:
            set_operation(what, R, S, d, a, b, n, w)
        elif what < 40:
            if what == FIX_BEGIN:
                changed = False
            elif what == FIX_RELATION:
                for i in range(n):
                    for v in range(w):
                        if R[d, i, v] != R[a, i, v]:
                            R[d, i, v] = R[a, i, v]
                            changed = True
            elif what == FIX_SET:
                for v in range(w):
                    if S[d, v] != S[a, v]:
                        S[d, v] = S[a, v]
                        changed = True
            elif changed:
                changed = False
                pc = d
        elif what < 50:
            if not holds(what - CHECK_ACYCLIC, R, S, d, a, alive, n, w):
                return False
        elif holds(what - FLAG_ACYCLIC, R, S, d, a, alive, n, w):
            flags[0] |= ONE << uint64(b)
    return True


# Values -----------------------------------------------------------------------------------------------------

V_KNOWN, V_COPY, V_FUNCTION = op.V_KNOWN, op.V_COPY, op.V_FUNCTION
UNDEF_ID, UNKNOWN_ID = op.UNDEF_ID, op.UNKNOWN_ID
MISSING, UNKNOWN = op.MISSING, op.UNKNOWN


@njit
def probe(keys, key):
    """Find the slot of a key in an open hash table, or the free slot where it belongs."""
    mask = keys.shape[0] - 1
    h = uint64(key) * uint64(0x9E3779B97F4A7C15)
    slot = int64(h >> uint64(32)) & mask
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit
def call(function, base, val, f_first, f_reads, keys, results):
    """Look the result of a function up; UNKNOWN_ID while an input is unknown, -2 where it must be computed first."""
    state = function
    for k in range(f_first[function], f_first[function + 1]):
        if val[base + f_reads[k]] == UNKNOWN_ID:
            return UNKNOWN_ID
    for k in range(f_first[function], f_first[function + 1]):
        slot = probe(keys, (state << 32) | val[base + f_reads[k]])
        if keys[slot] == -1:
            return -2
        state = results[slot]
    return state


@njit
def value_of(kind, data, base, val, f_first, f_reads, keys, results):
    """Give the number of a value, UNKNOWN_ID, or -2 where a function must be computed first."""
    if kind == V_KNOWN:
        return data
    if kind == V_COPY:
        return val[base + data]
    return call(data, base, val, f_first, f_reads, keys, results)


@njit
def solve(st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing):
    """Compute the values that the chosen reads-from determine.

    ``source[e]`` is the write that read e reads, -2 for undef, -1 while none is chosen; ``forced[e]`` a value that
    is tried for a read on a cycle. Returns False where a function must be computed first (it is put in `missing`).
    Afterwards ``st[UNKNOWN]`` counts the chosen reads without a value; -1 stands for a contradiction.
    """
    for e in range(n):
        if g_event[e] >= 0:
            val[e] = UNKNOWN_ID
    changed = True
    while changed:
        changed = False
        for e in range(n):
            if g_event[e] < 0 or val[e] != UNKNOWN_ID:
                continue
            g = g_event[e]
            found = UNKNOWN_ID
            if source[e] == -2:
                found = UNDEF_ID
            elif source[e] >= 0:
                found = forced[e]
                if found == UNKNOWN_ID:
                    found = val[source[e]]
            elif e_vkind[g] != 0:
                found = value_of(e_vkind[g], e_vdata[g], g_base[e], val, f_first, f_reads, keys, results)
                if found == -2:
                    missing[0] = e_vdata[g]
                    missing[1] = g_base[e]
                    return False
            if found != UNKNOWN_ID:
                val[e] = found
                changed = True
    st[UNKNOWN] = 0
    for e in range(n):
        if source[e] >= 0:
            if val[e] == UNKNOWN_ID:
                st[UNKNOWN] += 1
            elif forced[e] != UNKNOWN_ID and val[source[e]] != UNKNOWN_ID and val[source[e]] != forced[e]:
                st[UNKNOWN] = -1
                return True
    return True


@njit
def find_cycle(n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, members):
    """Find a cycle of value equations: the unknown reads that depend on each other, in order; their number."""
    for i in range(n):
        for j in range(n):
            reach[i, j] = False
    for r in range(n):
        if source[r] >= 0 and val[r] == UNKNOWN_ID:
            s = source[r]
            g = g_event[s]
            if g >= 0:
                if e_vkind[g] == V_COPY:
                    reach[r, g_base[s] + e_vdata[g]] = True
                elif e_vkind[g] == V_FUNCTION:
                    for k in range(f_first[e_vdata[g]], f_first[e_vdata[g] + 1]):
                        if val[g_base[s] + f_reads[k]] == UNKNOWN_ID:
                            reach[r, g_base[s] + f_reads[k]] = True
    for k in range(n):
        for i in range(n):
            if reach[i, k]:
                for j in range(n):
                    if reach[k, j]:
                        reach[i, j] = True
    for r in range(n):
        if reach[r, r]:
            count = 0
            for q in range(n):
                if reach[r, q] and reach[q, r]:
                    members[count] = q
                    count += 1
            return count
    return 0


# The base relations of a combination of paths ---------------------------------------------------------------


@njit
def in_scope(a, b, g_thread, g_scope, inst):
    """Tell whether b is in the scope instance that a names; an initial write is in all and names the largest."""
    if g_thread[a] < 0 or g_thread[b] < 0:
        return True
    return inst[g_thread[a], g_scope[a]] == inst[g_thread[b], g_scope[a]]


@njit
def related(what, a, b, g_thread, g_scope, g_loc, g_tag, g_space, g_arrive, g_wait, inst, compat):
    """Tell whether two events are in a base relation that their attributes decide."""
    ta, tb = g_thread[a], g_thread[b]
    if what == op.B_PO:
        return ta == tb and ta >= 0 and a < b
    if what == op.B_LOC:
        return g_loc[a] >= 0 and g_loc[a] == g_loc[b]
    if what == op.B_INT:
        return a == b or (ta == tb and ta >= 0)
    if what == op.B_EXT:
        return not (a == b or (ta == tb and ta >= 0))
    if what == op.B_SAME_SPACE:
        return g_loc[a] >= 0 and g_loc[b] >= 0 and g_space[a] == g_space[b]
    if what == op.B_MMRA:
        return compat[g_tag[a], g_tag[b]]
    if what == op.B_INCL:
        return in_scope(a, b, g_thread, g_scope, inst) and in_scope(b, a, g_thread, g_scope, inst)
    if what == op.B_INSCOPE:
        return in_scope(a, b, g_thread, g_scope, inst)
    if what == op.B_BAR:
        return (
            ta >= 0
            and tb >= 0
            and ta != tb
            and g_arrive[a] >= 0
            and g_arrive[a] == g_wait[b]
            and inst[ta, 2] == inst[tb, 2]
        )
    if what >= op.B_SAME:
        return ta < 0 or tb < 0 or inst[ta, what - op.B_SAME] == inst[tb, what - op.B_SAME]
    return False


@njit
def assemble(prog, data, work):
    """Number the events of the combination of paths at hand and fill its base relations and sets."""
    base_relations, base_sets = prog.base_relations, prog.base_sets
    thread_first, inst, p_event, e_loc, e_tag = data.thread_first, data.inst, data.p_event, data.e_loc, data.e_tag
    e_scope, e_rmw, e_arrive, e_wait, e_bits = data.e_scope, data.e_rmw, data.e_arrive, data.e_wait, data.e_bits
    e_space, loc_space, dep_first, dep_kind = data.e_space, data.loc_space, data.dep_first, data.dep_kind
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
    st[op.INITIALS] = n
    for t in range(threads):
        p = thread_first[t] + combo[t]
        t_base[t] = n
        for g in range(p_event[p], p_event[p + 1]):
            g_event[n], g_thread[n], g_base[n], g_scope[n] = g, t, t_base[t], e_scope[g]
            g_space[n] = e_space[g]
            g_loc[n], g_tag[n], g_arrive[n], g_wait[n] = e_loc[g], e_tag[g], e_arrive[g], e_wait[g]
            n += 1
    st[op.EVENTS] = n
    w = (n + 63) >> 6
    for k in range(base_relations.shape[0]):
        what, d = base_relations[k, 0], base_relations[k, 1]
        for a in range(n):
            for v in range(w):
                R[d, a, v] = ZERO
        if what == op.B_RMW or what == op.B_ADDR or what == op.B_DATA or what == op.B_CTRL:
            for b in range(n):
                g = g_event[b]
                if g < 0:
                    continue
                if what == op.B_RMW:
                    if e_rmw[g] >= 0:
                        set_bit(R[d, g_base[b] + e_rmw[g]], b)
                else:
                    for k2 in range(dep_first[g], dep_first[g + 1]):
                        if dep_kind[k2] == what:
                            set_bit(R[d, g_base[b] + dep_source[k2]], b)
        else:
            for a in range(n):
                for b in range(n):
                    if related(what, a, b, g_thread, g_scope, g_loc, g_tag, g_space, g_arrive, g_wait, inst, compat):
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


@njit
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


@njit
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


@njit
def prepare(prog, data, work):
    """List the reads with the writes they may read, and the writes that the model orders, location by location.

    The write half of a read-modify-write whose read half is listed comes first among the latter: it is placed as
    soon as its read half has a source. Sources that no completion allows are left out.
    """
    code, sections, config = prog.code, prog.sections, prog.config
    e_kind, e_instr, loc_value = data.e_kind, data.e_instr, data.loc_value
    st, g_event, g_thread, g_loc, source = work.st, work.g_event, work.g_thread, work.g_loc, work.source
    reads, choice, sources, n_sources = work.reads, work.choice, work.sources, work.n_sources
    read_item, item_write, item_slot, item_place = work.read_item, work.item_write, work.item_slot, work.item_place
    slot_first, slot_length, sequence, R, S = work.slot_first, work.slot_length, work.sequence, work.R, work.S
    alive, flags = work.alive, work.flags
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
        choice[count] = -1
        read_item[count] = -1
        found = 0
        for b in range(n):
            h = g_event[b]
            if g_loc[b] != g_loc[a] or (h >= 0 and e_kind[h] != 1):
                continue
            if h >= 0 and g_thread[a] == g_thread[b] and e_instr[g] == e_instr[h]:
                if has_bit(S[config[0]], b):
                    item_write[items], item_slot[items], item_place[items] = b, g_loc[b], -1
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
    st[op.FIRST_ITEM] = items
    for l in range(loc_value.shape[0]):
        first = slot_first[l]
        slot_length[l] = 0
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
            for k in range(st[op.FIRST_ITEM]):
                if item_write[k] == b:
                    known = True
            if not known:
                item_write[items], item_slot[items], item_place[items] = b, l, -1
                items += 1
            if initial:
                set_bit(R[1, first], b)
                set_bit(R[3, first], b)
            for c in range(n):
                if c != b and g_event[c] >= 0 and g_loc[c] == l and has_bit(S[config[0]], c):
                    set_bit(R[3, b], c)
    st[ITEMS] = items
    if config[7] == 0:
        return
    for k in range(count):
        kept = 0
        for place in range(n_sources[k]):
            choose(k, place, reads, sources, n_sources, source, R, S)
            good = run(code, sections[1], sections[3], R, S, alive, n, w, flags) and run(
                code, sections[7], sections[8], R, S, alive, n, w, flags
            )
            withdraw(k, reads, sources, n_sources, source, R, S)
            if good:
                sources[k, kept], sources[k, place] = sources[k, place], sources[k, kept]
                kept += 1
        for place in range(kept, n_sources[k]):
            if sources[k, place] >= 0:
                clear_bit(R[2, sources[k, place]], reads[k])
            else:
                clear_bit(S[1], reads[k])
        n_sources[k] = kept


@njit
def order_rows(l, begin, sequence, length, R, w):
    """Write the order of one location's writes into the order relation.

    An initial write (then `begin` is 1) keeps its row: it comes before all others, placed or not.
    """
    for v in range(w):
        word = ZERO
        for i in range(length - 1, begin - 1, -1):
            e = sequence[l, i]
            R[1, e, v] = word
            if (e >> 6) == v:
                word |= ONE << uint64(e & 63)


@njit
def insert(l, place, write, begin, sequence, slot_length, R, w):
    """Put a write at a place of its location's order."""
    for i in range(slot_length[l], place, -1):
        sequence[l, i] = sequence[l, i - 1]
    sequence[l, place] = write
    slot_length[l] += 1
    order_rows(l, begin, sequence, slot_length[l], R, w)


@njit
def remove(l, place, begin, sequence, slot_length, R, w):
    """Take the write at a place out of its location's order."""
    write = sequence[l, place]
    for i in range(place, slot_length[l] - 1):
        sequence[l, i] = sequence[l, i + 1]
    slot_length[l] -= 1
    for v in range(w):
        R[1, write, v] = ZERO
    order_rows(l, begin, sequence, slot_length[l], R, w)


# The search -------------------------------------------------------------------------------------------------

PHASE, DEPTH, EXPLORED, CONSISTENT, CUT, UB = op.PHASE, op.DEPTH, op.EXPLORED, op.CONSISTENT, op.CUT, op.UB
STATES, RECORDS, EVENTS, READS, ITEMS, ITEM, FREE = (
    op.STATES,
    op.RECORDS,
    op.EVENTS,
    op.READS,
    op.ITEMS,
    op.ITEM,
    op.FREE,
)
RESULT_READY, CYCLIC, LIMIT = op.RESULT_READY, op.CYCLIC, op.LIMIT
P_COMBO, P_SETUP, P_RF_NEXT, P_RF_CHECK, P_RF_LEAF = op.P_COMBO, op.P_SETUP, op.P_RF_NEXT, op.P_RF_CHECK, op.P_RF_LEAF
P_FREE_NEXT, P_FREE_CHECK, P_ORDER_BEGIN = op.P_FREE_NEXT, op.P_FREE_CHECK, op.P_ORDER_BEGIN
P_PLACE_NEXT, P_PLACE_CHECK = op.P_PLACE_NEXT, op.P_PLACE_CHECK
P_ORDER_NEXT, P_ORDER_CHECK, P_LEAF, P_DONE = op.P_ORDER_NEXT, op.P_ORDER_CHECK, op.P_LEAF, op.P_DONE


@njit
def conditions_hold(
    n, t_base, combo, thread_first, p_cond, cond_function, val, f_first, f_reads, keys, results, missing
):
    """Check the conditions on which the paths are taken: 1 not contradicted, 0 contradicted, -2 value missing."""
    for t in range(combo.shape[0]):
        p = thread_first[t] + combo[t]
        for k in range(p_cond[p], p_cond[p + 1]):
            found = call(cond_function[k], t_base[t], val, f_first, f_reads, keys, results)
            if found == -2:
                missing[0] = cond_function[k]
                missing[1] = t_base[t]
                return -2
            if found == 0:
                return 0
    return 1


@njit
def outcome(prog, data, work, keys, results, row):
    """Write the numbers of the observed values into a row; False where a function must be computed first."""
    config = prog.config
    thread_first, obs_kind, obs_data, obs_thread = data.thread_first, data.obs_kind, data.obs_data, data.obs_thread
    obs_loc, loc_value, f_first, f_reads = data.obs_loc, data.loc_value, data.f_first, data.f_reads
    st, combo, t_base, g_loc, val = work.st, work.combo, work.t_base, work.g_loc, work.val
    slot_first, S, missing = work.slot_first, work.S, work.missing
    n = st[EVENTS]
    for k in range(obs_thread.shape[0]):
        t = obs_thread[k]
        if t >= 0:
            p = thread_first[t] + combo[t]
            row[k] = value_of(obs_kind[p, k], obs_data[p, k], t_base[t], val, f_first, f_reads, keys, results)
            if row[k] == -2:
                missing[0] = obs_data[p, k]
                missing[1] = t_base[t]
                return False
        elif slot_first[obs_loc[k]] < 0:
            row[k] = loc_value[obs_loc[k]]
        else:
            found = 0
            row[k] = UNDEF_ID
            for e in range(n):
                if g_loc[e] == obs_loc[k] and has_bit(S[config[2]], e):
                    found += 1
                    row[k] = val[e]
            if found != 1:
                row[k] = UNDEF_ID
    return True


@njit
def state_slot(row, index):
    """Give the slot of the hash table at which to look for a state first."""
    h = uint64(1469598103934665603)
    for k in range(row.shape[0]):
        h = (h ^ uint64(row[k])) * uint64(1099511628211)
    return int64(h >> uint64(33)) & (index.shape[0] - 1)


@njit
def index_states(n_states, states, index):
    """Fill an empty hash table with the states there are."""
    for s in range(n_states):
        slot = state_slot(states[s], index)
        while index[slot] >= 0:
            slot = (slot + 1) & (index.shape[0] - 1)
        index[slot] = s


@njit
def count_state(st, row, states, counts, state_flags, index, raised):
    """Count an execution, and the flags that it raises, for its final state; 1 where the state is new."""
    slot = state_slot(row, index)
    mask = index.shape[0] - 1
    while index[slot] >= 0:
        s = index[slot]
        same = True
        for k in range(row.shape[0]):
            if states[s, k] != row[k]:
                same = False
                break
        if same:
            counts[s] += 1
            state_flags[s] |= raised
            return 0
        slot = (slot + 1) & mask
    s = st[STATES]
    index[slot] = s
    for k in range(row.shape[0]):
        states[s, k] = row[k]
    counts[s] = 1
    state_flags[s] = raised
    st[STATES] += 1
    return 1


@njit
def barrier_mismatch(combo, thread_first, p_end, p_arrive, p_wait, inst):
    """Tell whether threads of a workgroup that ran to their ends went through different numbers of barriers."""
    for s in range(combo.shape[0]):
        p = thread_first[s] + combo[s]
        for t in range(s):
            q = thread_first[t] + combo[t]
            if inst[s, 2] == inst[t, 2] and p_end[p] == 0 and p_end[q] == 0:
                if p_arrive[p] != p_arrive[q] or p_wait[p] != p_wait[q]:
                    return True
    return False


@njit
def last_choice(st, read_item):
    """Give the phase that changes the last choice of the first stage: of a place in the order, or of a source."""
    if st[READS] > 0 and read_item[st[READS] - 1] >= 0:
        return P_PLACE_NEXT
    return P_RF_NEXT


@njit
def constant(value, consts):
    """Tell whether a value is one of the constants of the test."""
    for k in range(consts.shape[0]):
        if consts[k] == value:
            return True
    return False


@njit
def search(
    prog,
    data,
    work,
    keys,
    results,
    states,
    counts,
    state_flags,
    index,
    row,
    rec_combo,
    rec_source,
    rec_place,
    rec_value,
    budget,
):
    """Go on with the search for at most `budget` steps; the result says why it stopped (opcodes, DONE and after)."""
    code, sections, config = prog.code, prog.sections, prog.config
    thread_first, thread_count, inst, p_cond = data.thread_first, data.thread_count, data.inst, data.p_cond
    cond_function, p_end, p_arrive, p_wait = data.cond_function, data.p_end, data.p_arrive, data.p_wait
    e_vkind, e_vdata, e_type, loc_value = data.e_vkind, data.e_vdata, data.e_type, data.loc_value
    f_first, f_reads, consts, const_type = data.f_first, data.f_reads, data.consts, data.const_type
    st, combo, t_base, g_event, g_base, val = work.st, work.combo, work.t_base, work.g_event, work.g_base, work.val
    source, forced, reads, choice, sources = work.source, work.forced, work.reads, work.choice, work.sources
    n_sources, read_item, cycle_members, reach = work.n_sources, work.read_item, work.cycle_members, work.reach
    item_write, item_slot, item_place, slot_first = work.item_write, work.item_slot, work.item_place, work.slot_first
    slot_length, sequence, R, S, alive = work.slot_length, work.sequence, work.R, work.S, work.alive
    flags, missing = work.flags, work.missing
    skip_orders, notify, record = config[3], config[4], config[5]
    threads = combo.shape[0]
    free_read, free_place = cycle_members[1], cycle_members[2]
    steps = 0
    while True:
        steps += 1
        if steps > budget:
            return op.PAUSED
        phase = st[PHASE]
        n = st[EVENTS]
        w = (n + 63) >> 6
        if phase == P_COMBO:  # the next combination of paths, the last thread's changing fastest
            t = threads - 1
            while t >= 0:
                combo[t] += 1
                if combo[t] < thread_count[t]:
                    break
                combo[t] = 0
                t -= 1
            st[PHASE] = P_SETUP if t >= 0 else P_DONE
        elif phase == P_SETUP:
            assemble(prog, data, work)
            n = st[EVENTS]
            w = (n + 63) >> 6
            st[DEPTH] = 0
            st[FREE] = 0
            if run(code, sections[0], sections[1], R, S, alive, n, w, flags):
                prepare(prog, data, work)
                st[DEPTH] = 0
                st[PHASE] = P_RF_NEXT if st[READS] > 0 else P_RF_CHECK
            else:
                st[EXPLORED] += 1
                st[PHASE] = P_COMBO
        elif phase == P_RF_NEXT:
            k = st[DEPTH]
            if st[READS] == 0:
                st[PHASE] = P_COMBO
                continue
            if choice[k] >= 0:
                withdraw(k, reads, sources, n_sources, source, R, S)
            choice[k] += 1
            if choice[k] < n_sources[k]:
                choose(k, choice[k], reads, sources, n_sources, source, R, S)
                st[PHASE] = P_RF_CHECK
            else:
                choice[k] = -1
                st[DEPTH] -= 1
                if k == 0:
                    st[PHASE] = P_COMBO
                elif read_item[k - 1] >= 0:
                    st[PHASE] = P_PLACE_NEXT
        elif phase == P_RF_CHECK:
            if not solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                return op.NEEDS_VALUE
            possible = conditions_hold(
                n, t_base, combo, thread_first, p_cond, cond_function, val, f_first, f_reads, keys, results, missing
            )
            if possible == -2:
                return op.NEEDS_VALUE
            if possible == 0:
                st[EXPLORED] += 1
                st[PHASE] = P_RF_NEXT
            elif st[READS] == 0:
                st[PHASE] = P_RF_LEAF
            elif st[DEPTH] == st[READS] - 1 and read_item[st[DEPTH]] < 0:
                st[PHASE] = P_RF_LEAF
            elif run(code, sections[1], sections[3], R, S, alive, n, w, flags) and (
                config[7] < 2 or run(code, sections[7], sections[8], R, S, alive, n, w, flags)
            ):
                if read_item[st[DEPTH]] >= 0:
                    item_place[read_item[st[DEPTH]]] = -1
                    st[PHASE] = P_PLACE_NEXT
                else:
                    st[DEPTH] += 1
                    choice[st[DEPTH]] = -1
                    st[PHASE] = P_RF_NEXT
            else:
                st[EXPLORED] += 1
                st[PHASE] = P_RF_NEXT
        elif phase == P_PLACE_NEXT:
            # The write half of the read-modify-write whose read half has just got its source.
            k = read_item[st[DEPTH]]
            l = item_slot[k]
            begin = 1 if has_bit(S[config[0]], slot_first[l]) else 0
            if item_place[k] >= 0:
                remove(l, item_place[k], begin, sequence, slot_length, R, w)
                item_place[k] -= 1
            else:
                item_place[k] = slot_length[l]
            if item_place[k] < begin:
                item_place[k] = -1
                st[PHASE] = P_RF_NEXT
            else:
                insert(l, item_place[k], item_write[k], begin, sequence, slot_length, R, w)
                st[PHASE] = P_PLACE_CHECK
        elif phase == P_PLACE_CHECK:
            # Reads-from is as it was when the place was asked for: only what the order decides is new. Values may be
            # those of another branch, though.
            if not run(code, sections[1], sections[3], R, S, alive, n, w, flags):
                st[EXPLORED] += 1
                st[PHASE] = P_PLACE_NEXT
            elif st[DEPTH] < st[READS] - 1:
                st[DEPTH] += 1
                choice[st[DEPTH]] = -1
                st[PHASE] = P_RF_NEXT
            elif solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                st[PHASE] = P_RF_LEAF
            else:
                return op.NEEDS_VALUE
        elif phase == P_RF_LEAF:
            st[RESULT_READY] = 0
            if run(code, sections[1], sections[3], R, S, alive, n, w, flags) and run(
                code, sections[3], sections[4], R, S, alive, n, w, flags
            ):
                st[FREE] = 0
                if st[UNKNOWN] > 0:
                    st[CYCLIC] = 1
                    st[FREE] = 1
                    free_place[1] = -1
                    free_read[1] = -1
                    st[PHASE] = P_FREE_NEXT
                else:
                    st[PHASE] = P_ORDER_BEGIN
            else:
                st[EXPLORED] += 1
                st[PHASE] = last_choice(st, read_item)
        elif phase == P_FREE_NEXT:
            # Level FREE of the choices for cyclic value equations: a read on the cycle, and a constant for it.
            level = st[FREE]
            if free_read[level] >= 0:
                forced[free_read[level]] = UNKNOWN_ID
                free_read[level] = -1
            if not solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                return op.NEEDS_VALUE
            members = find_cycle(
                n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, cycle_members[0]
            )
            free_place[level] += 1
            place = free_place[level]
            if members == 0 or place >= members * consts.shape[0]:
                st[FREE] -= 1
                if st[FREE] == 0:
                    st[EXPLORED] += 1
                    st[PHASE] = last_choice(st, read_item)
            else:
                q = cycle_members[0, place // consts.shape[0]]
                c = place % consts.shape[0]
                if const_type[c] == e_type[g_event[q]]:
                    free_read[level] = q
                    forced[q] = consts[c]
                    st[PHASE] = P_FREE_CHECK
        elif phase == P_FREE_CHECK:
            level = st[FREE]
            q = free_read[level]
            # The members of this level's cycle, before any was given a value.
            value = forced[q]
            forced[q] = UNKNOWN_ID
            if not solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                forced[q] = value
                return op.NEEDS_VALUE
            members = find_cycle(
                n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, cycle_members[0]
            )
            forced[q] = value
            if not solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                return op.NEEDS_VALUE
            good = st[UNKNOWN] >= 0
            # Each solution once: no earlier read of the cycle may have a constant's value too.
            for m in range(members):
                if cycle_members[0, m] == q:
                    break
                if constant(val[cycle_members[0, m]], consts):
                    good = False
            if good:
                possible = conditions_hold(
                    n, t_base, combo, thread_first, p_cond, cond_function, val, f_first, f_reads, keys, results, missing
                )
                if possible == -2:
                    return op.NEEDS_VALUE
                good = possible == 1
            if not good:
                st[PHASE] = P_FREE_NEXT
            elif st[UNKNOWN] > 0:
                st[FREE] += 1
                free_place[st[FREE]] = -1
                free_read[st[FREE]] = -1
                st[PHASE] = P_FREE_NEXT
            else:
                st[PHASE] = P_ORDER_BEGIN
        elif phase == P_ORDER_BEGIN:
            st[ITEM] = st[op.FIRST_ITEM]
            if st[ITEMS] == st[ITEM]:
                st[PHASE] = P_LEAF
            else:
                item_place[st[ITEM]] = -1
                st[PHASE] = P_ORDER_NEXT
        elif phase == P_ORDER_NEXT:
            k = st[ITEM]
            if st[ITEMS] == st[op.FIRST_ITEM] or k < st[op.FIRST_ITEM]:
                st[PHASE] = P_FREE_NEXT if st[FREE] > 0 else last_choice(st, read_item)
                continue
            l = item_slot[k]
            begin = 1 if has_bit(S[config[0]], slot_first[l]) else 0
            if item_place[k] >= 0:
                remove(l, item_place[k], begin, sequence, slot_length, R, w)
                item_place[k] -= 1
            else:
                item_place[k] = slot_length[l]
            if item_place[k] < begin:
                item_place[k] = -1
                st[ITEM] -= 1
            else:
                insert(l, item_place[k], item_write[k], begin, sequence, slot_length, R, w)
                st[PHASE] = P_ORDER_CHECK
        elif phase == P_ORDER_CHECK:
            if run(code, sections[2], sections[3], R, S, alive, n, w, flags):
                if st[ITEM] == st[ITEMS] - 1:
                    st[PHASE] = P_LEAF
                else:
                    st[ITEM] += 1
                    item_place[st[ITEM]] = -1
                    st[PHASE] = P_ORDER_NEXT
            else:
                st[EXPLORED] += 1
                st[PHASE] = P_ORDER_NEXT
        elif phase == P_LEAF:
            if not run(code, sections[4], sections[5], R, S, alive, n, w, flags):
                st[EXPLORED] += 1
                st[PHASE] = P_ORDER_NEXT
                continue
            ub = ZERO
            cut = False
            for t in range(threads):
                end = p_end[thread_first[t] + combo[t]]
                if end == 1:
                    cut = True
                elif end > 1:
                    ub |= ONE << uint64(end - 2)
            if ub == ZERO and not cut and barrier_mismatch(combo, thread_first, p_end, p_arrive, p_wait, inst):
                ub = ONE << uint64(config[6])
            if ub == ZERO and not cut:
                if st[RESULT_READY] == 0:
                    flags[0] = ZERO
                    run(code, sections[5], sections[6], R, S, alive, n, w, flags)
                    flags[2] = flags[0]
                    st[RESULT_READY] = 1
                flags[0] = flags[2]
                run(code, sections[6], sections[7], R, S, alive, n, w, flags)
                if not outcome(prog, data, work, keys, results, row):
                    return op.NEEDS_VALUE
                if st[STATES] >= states.shape[0]:
                    return op.NEEDS_STATES
            if record != 0 and (record < 0 or st[CONSISTENT] < record):
                if st[RECORDS] >= rec_combo.shape[0]:
                    return op.NEEDS_RECORDS
                m = st[RECORDS]
                for t in range(threads):
                    rec_combo[m, t] = combo[t]
                for e in range(n):
                    rec_source[m, e] = source[e]
                    rec_value[m, e] = val[e]
                    rec_place[m, e] = -1
                for l in range(loc_value.shape[0]):
                    if slot_first[l] >= 0:
                        for i in range(slot_length[l]):
                            rec_place[m, sequence[l, i]] = i
                st[RECORDS] += 1
            st[EXPLORED] += 1
            st[CONSISTENT] += 1
            st[PHASE] = P_ORDER_NEXT
            if ub != ZERO:
                flags[1] |= ub
            elif cut:
                st[CUT] += 1
            elif count_state(st, row, states, counts, state_flags, index, flags[0]) == 1 and notify != 0:
                return op.NEW_STATE
            if skip_orders != 0 and record == 0:
                # Nothing that is asked for depends on the order: one is as good as all.
                while st[ITEM] >= st[op.FIRST_ITEM] and st[ITEMS] > st[op.FIRST_ITEM]:
                    k = st[ITEM]
                    l = item_slot[k]
                    begin = 1 if has_bit(S[config[0]], slot_first[l]) else 0
                    if item_place[k] >= 0:
                        remove(l, item_place[k], begin, sequence, slot_length, R, w)
                        item_place[k] = -1
                    st[ITEM] -= 1
            if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT]:
                return op.AT_LIMIT
        else:
            return op.DONE
        if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT] and st[PHASE] != P_DONE:
            return op.AT_LIMIT
