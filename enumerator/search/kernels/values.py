"""Values: what reads-from determines, and cycles of value equations."""

from __future__ import annotations

from numba import int64, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op


@njit
def probe(keys, key):
    """Find the slot of a key in an open hash table, or the free slot where it belongs."""
    mask = keys.shape[0] - 1
    h = uint64(key) * uint64(0x9E3779B97F4A7C15)
    slot = int64(h >> uint64(32)) & mask
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@inner
def call(function, base, val, data, findings):
    """Look the result of a function up; UNKNOWN_ID while an input is unknown, -2 where it must be computed first."""
    state = data.f_start[function]
    for k in range(data.f_first[function], data.f_first[function + 1]):
        if val[base + data.f_reads[k]] == op.UNKNOWN_ID:
            return op.UNKNOWN_ID
    for k in range(data.f_first[function], data.f_first[function + 1]):
        slot = probe(findings.keys, (state << 32) | val[base + data.f_reads[k]])
        if findings.keys[slot] == -1:
            return -2
        state = findings.results[slot]
    return state


@inner
def value_of(kind, what, base, val, data, findings):
    """Give the number of a value, UNKNOWN_ID, or -2 where a function must be computed first."""
    if kind == op.V_KNOWN:
        return what
    if kind == op.V_COPY:
        return val[base + what]
    if kind == op.V_MISSED:
        return op.UNKNOWN_ID
    return call(what, base, val, data, findings)


@inner
def open_input(e, g, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads):
    """Give the event whose value decides that of event e and is not known yet, -1 where there is none."""
    if source[e] >= 0:
        return source[e] if forced[e] == op.UNKNOWN_ID and val[source[e]] == op.UNKNOWN_ID else -1
    if e_vkind[g] == op.V_COPY:
        read = g_base[e] + e_vdata[g]
        return read if val[read] == op.UNKNOWN_ID else -1
    if e_vkind[g] == op.V_FUNCTION:
        for k in range(f_first[e_vdata[g]], f_first[e_vdata[g] + 1]):
            if val[g_base[e] + f_reads[k]] == op.UNKNOWN_ID:
                return g_base[e] + f_reads[k]
    return -1


@inner
def solved(data, work, findings):
    """Compute the values that the chosen reads-from determine; False where a function must be computed first.

    ``source[e]`` is the write that read e reads, -2 for undef, -1 while none is chosen; ``forced[e]`` a value that is
    tried for a read on a cycle. A function that must be computed first is put in `missing`. Afterwards ``st[UNKNOWN]``
    counts the chosen reads without a value; -1 stands for a contradiction.

    Each event is looked at once, after what decides its value; what has no value once it has been looked at has none.
    ``work.path`` has two rows: events on the way back, and whether an event has been looked at.
    """
    e_vkind, e_vdata, f_first, f_reads = data.e_vkind, data.e_vdata, data.f_first, data.f_reads
    st, g_event, g_base, val, source, forced = work.st, work.g_event, work.g_base, work.val, work.source, work.forced
    n, way, seen = st[op.EVENTS], work.path[0], work.path[1]
    for e in range(n):
        seen[e] = 0
        if g_event[e] >= 0:
            val[e] = op.UNKNOWN_ID
    for start in range(n):
        if g_event[start] < 0 or seen[start] != 0:
            continue
        way[0] = start
        seen[start] = 1
        length = 1
        while length > 0:
            e = way[length - 1]
            g = g_event[e]
            found = op.UNKNOWN_ID
            if source[e] == -2:
                found = op.UNDEF_ID
            elif source[e] >= 0 or (source[e] == -1 and e_vkind[g] != 0):
                needed = open_input(e, g, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads)
                if needed >= 0:
                    if seen[needed] != 0:  # it has no value, or lies on a cycle with this one
                        length -= 1
                        continue
                    seen[needed] = 1
                    way[length] = needed
                    length += 1
                    continue
                if source[e] >= 0:
                    found = forced[e]
                    if found == op.UNKNOWN_ID:
                        found = val[source[e]]
                else:
                    found = value_of(e_vkind[g], e_vdata[g], g_base[e], val, data, findings)
                    if found == -2:
                        work.missing[0] = e_vdata[g]
                        work.missing[1] = g_base[e]
                        return False
            val[e] = found
            length -= 1
    st[op.UNKNOWN] = 0
    for e in range(n):
        if source[e] >= 0:
            if val[e] == op.UNKNOWN_ID:
                st[op.UNKNOWN] += 1
            elif forced[e] != op.UNKNOWN_ID and val[source[e]] != op.UNKNOWN_ID and val[source[e]] != forced[e]:
                st[op.UNKNOWN] = -1
                return True
    return True


@njit
def find_cycle(n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, members):
    """Find a cycle of value equations: the unknown reads that depend on each other, in order; their number."""
    for i in range(n):
        for j in range(n):
            reach[i, j] = False
    for r in range(n):
        if source[r] >= 0 and val[r] == op.UNKNOWN_ID:
            s = source[r]
            g = g_event[s]
            if g >= 0:
                if e_vkind[g] == op.V_COPY:
                    reach[r, g_base[s] + e_vdata[g]] = True
                elif e_vkind[g] == op.V_FUNCTION:
                    for k in range(f_first[e_vdata[g]], f_first[e_vdata[g] + 1]):
                        if val[g_base[s] + f_reads[k]] == op.UNKNOWN_ID:
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


@inner
def may_be_undef(kind, what, base, data, undef):
    """Tell whether a value may be undef, where `undef` says of which events it is known that they may."""
    if kind == op.V_KNOWN:
        return what == op.UNDEF_ID
    if kind == op.V_COPY:
        return undef[base + what] != 0
    if data.f_strict[what] == 0:
        return True
    for k in range(data.f_first[what], data.f_first[what + 1]):
        if undef[base + data.f_reads[k]] != 0:
            return True
    return False


@inner
def wants_undef_in_vain(data, work, undef):
    """Tell whether a path of the combination is taken only if a value is undef which cannot be, whatever is read."""
    n, g_event = work.st[op.EVENTS], work.g_event
    wanted = False
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for k in range(data.p_cond[p], data.p_cond[p + 1]):
            wanted |= data.f_strict[data.cond_function[k]] == 2
    if not wanted:
        return False
    for e in range(n):
        undef[e] = 1 if g_event[e] < 0 and work.val[e] == op.UNDEF_ID else 0
    more = True
    while more:
        more = False
        for e in range(n):
            g = g_event[e]
            if g >= 0 and undef[e] == 0 and data.e_kind[g] == 1 and data.e_vkind[g] != op.V_NONE:
                if may_be_undef(data.e_vkind[g], data.e_vdata[g], work.g_base[e], data, undef):
                    undef[e] = 1
                    more = True
        for k in range(work.st[op.READS]):
            r = work.reads[k]
            for i in range(work.n_sources[k]):
                s = work.sources[k, i]
                if undef[r] == 0 and (s < 0 or undef[s] != 0):
                    undef[r] = 1
                    more = True
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for k in range(data.p_cond[p], data.p_cond[p + 1]):
            function = data.cond_function[k]
            if data.f_strict[function] == 2 and not may_be_undef(op.V_FUNCTION, function, work.t_base[t], data, undef):
                return True
    return False


@inner
def conditions_hold(data, work, findings):
    """Check the conditions on which the paths are taken: 1 not contradicted, 0 contradicted, -2 value missing."""
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for k in range(data.p_cond[p], data.p_cond[p + 1]):
            function = data.cond_function[k]
            found = call(function, work.t_base[t], work.val, data, findings)
            if found == -2:
                work.missing[0] = function
                work.missing[1] = work.t_base[t]
                return -2
            if found == 0:
                return 0
    return 1


@inner
def values_of(data, work, findings):
    """Solve for the values, and test the conditions of the paths: 1 possible, 0 contradicted, -2 value missing."""
    if not solved(data, work, findings):
        return -2
    return conditions_hold(data, work, findings)
