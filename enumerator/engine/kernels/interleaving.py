"""The interleaving search: states of a machine that runs one operation after the other, each visited once.

A state is a row of 32-bit words: for each thread its node in the tree of its paths and the events that have run; the
values read that something still needs; memory, where something still reads it; whether the returns have run, and what
they have read. What nobody can see any more is 0, so that states which differ in nothing else are one.

In each state only a *stubborn set* of the possible steps is taken (Valmari, *Stubborn Sets for Reduced State Space
Generation*, 1990): a set that is closed under "conflicts with" for steps that are possible and under "waits for" for
those that are not. Each event runs once, so the graph of states has no cycle, and every final state is still reached.
"""

from __future__ import annotations

from numba import int64, uint32, uint64

from enumerator.engine.kernels.jit import njit
from enumerator.engine.kernels.values import call, value_of
from enumerator.engine.opcodes import (
    DONE,
    I_CUT,
    I_FLAGS,
    I_OUTCOMES,
    I_STACK,
    I_STATES,
    I_TERMINAL,
    NEEDS_RECORDS,
    NEEDS_STATES,
    NEEDS_VALUE,
    PAUSED,
    UNKNOWN_ID,
    V_COPY,
    V_FUNCTION,
)

__all__ = ["add_row", "begin", "index_rows", "interleave"]

ONE, ZERO = uint64(1), uint64(0)


@njit
def row_hash(row, width):
    """Hash a row of words."""
    h = uint64(0xCBF29CE484222325)
    for k in range(width):
        h = (h ^ uint64(row[k])) * uint64(0x9E3779B97F4A7C15)
        h ^= h >> uint64(29)
    return int64(h >> uint64(1))


@njit
def find_row(rows, index, row, width):
    """Find the slot of a row in the open hash table `index`, or the free slot where it belongs."""
    mask = index.shape[0] - 1
    slot = row_hash(row, width) & mask
    while index[slot] >= 0:
        other = index[slot]
        same = True
        for k in range(width):
            if rows[other, k] != row[k]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@njit
def add_row(rows, index, row, width, count):
    """Add a row if it is not there yet; tell whether it was new. There must be room for it."""
    slot = find_row(rows, index, row, width)
    if index[slot] >= 0:
        return False
    index[slot] = count
    for k in range(width):
        rows[count, k] = row[k]
    return True


@njit
def index_rows(rows, index, count):
    """Enter the first rows in an empty hash table."""
    for number in range(count):
        index[find_row(rows, index, rows[number], rows.shape[1])] = number


# Bits of the events that have run -----------------------------------------------------------------------------


@njit
def has(words, i):
    """Tell whether bit i is set."""
    return (words[i >> 6] >> uint64(i & 63)) & ONE != ZERO


@njit
def lowest_missing(wanted, done):
    """Give the lowest bit of `wanted` that is not in `done`; -1 if there is none."""
    for v in range(wanted.shape[0]):
        left = wanted[v] & ~done[v]
        if left != ZERO:
            for b in range(64):
                if (left >> uint64(b)) & ONE != ZERO:
                    return (v << 6) + b
    return -1


# Rows ---------------------------------------------------------------------------------------------------------


@njit
def unpack(d, w, row):
    """Spread a row over the work arrays."""
    threads, most = d.shape[0], d.shape[1]
    at = 0
    for t in range(threads):
        w.node[t] = int64(row[at])
        at += 1
    for t in range(threads):
        for v in range(w.done.shape[1]):
            w.done[t, v] = uint64(row[at]) | (uint64(row[at + 1]) << uint64(32))
            at += 2
    for k in range(threads * most):
        w.val[k] = UNKNOWN_ID
    for s in range(d.slots.shape[0]):
        w.val[d.slots[s]] = int64(row[at]) - 1
        at += 1
    for l in range(w.mem.shape[0]):
        w.mem[l] = int64(row[at]) - 1
        at += 1
    w.ret[0] = int64(row[at])
    at += 1
    for k in range(w.snap.shape[0]):
        w.snap[k] = int64(row[at]) - 1
        at += 1


@njit
def pack(d, w, a):
    """Write the work arrays as a row, less what nobody can see any more."""
    threads, most = d.shape[0], d.shape[1]
    for k in range(threads * most):
        w.need[k] = 0
    for l in range(w.mem.shape[0]):
        w.seen[l] = d.observed[l] if w.ret[0] == 0 else 0
    for t in range(threads):
        n = w.node[t]
        base = t * most
        for i in range(most):
            if d.n_needs[n, i]:
                w.need[base + i] = 1
        for l in range(w.mem.shape[0]):
            if d.n_reads[n, l]:
                w.seen[l] = 1
        first = d.n_event[n]
        for i in range(d.n_length[n]):
            if has(w.done[t], i):
                continue
            g = first + i
            if a.e_kind[g] == 0:
                w.seen[a.e_loc[g]] = 1
            elif a.e_vkind[g] == V_COPY:
                w.need[base + a.e_vdata[g]] = 1
            elif a.e_vkind[g] == V_FUNCTION:
                for k in range(a.f_first[a.e_vdata[g]], a.f_first[a.e_vdata[g] + 1]):
                    w.need[base + a.f_reads[k]] = 1
        for c in range(d.c_first[n], d.c_first[n + 1]):
            f = d.c_function[c]
            pending = False
            for k in range(a.f_first[f], a.f_first[f + 1]):
                if not has(w.done[t], a.f_reads[k]):
                    pending = True
            if pending:
                for k in range(a.f_first[f], a.f_first[f + 1]):
                    w.need[base + a.f_reads[k]] = 1
    at = 0
    for t in range(threads):
        w.row[at] = uint32(w.node[t])
        at += 1
    for t in range(threads):
        for v in range(w.done.shape[1]):
            w.row[at] = uint32(w.done[t, v] & uint64(0xFFFFFFFF))
            w.row[at + 1] = uint32(w.done[t, v] >> uint64(32))
            at += 2
    for s in range(d.slots.shape[0]):
        k = d.slots[s]
        w.row[at] = uint32(w.val[k] + 1) if w.need[k] else uint32(0)
        at += 1
    for l in range(w.mem.shape[0]):
        w.row[at] = uint32(w.mem[l] + 1) if w.seen[l] else uint32(0)
        at += 1
    w.row[at] = uint32(w.ret[0])
    at += 1
    for k in range(w.snap.shape[0]):
        w.row[at] = uint32(w.snap[k] + 1)
        at += 1


@njit
def push(d, w, a, st, rows, index, stack):
    """Add the state in the work arrays to those that are to be visited, if it is new."""
    pack(d, w, a)
    if add_row(rows, index, w.row, w.row.shape[0], st[I_STATES]):
        stack[st[I_STACK]] = st[I_STATES]
        st[I_STATES] += 1
        st[I_STACK] += 1


# Choices of paths ---------------------------------------------------------------------------------------------


@njit
def conditions_hold(d, w, a, t, first, last, read, keys, results, missing):
    """Test conditions of a thread whose inputs are all known (and, if `read` >= 0, have it among them).

    1 they hold, 0 one does not, -2 a function must be computed first.
    """
    base = t * d.shape[1]
    for c in range(first, last):
        f = d.c_function[c]
        concerned = read < 0
        known = True
        for k in range(a.f_first[f], a.f_first[f + 1]):
            if a.f_reads[k] == read:
                concerned = True
            if not has(w.done[t], a.f_reads[k]):
                known = False
        if concerned and known:
            found = call(f, base, w.val, a.f_first, a.f_reads, keys, results)
            if found == -2:
                missing[0], missing[1] = f, base
                return -2
            if found == 0:
                return 0
    return 1


@njit
def resolvable(d, w, t):
    """Tell whether a thread stands where its paths part and can go on: all reads that decide have run."""
    n = w.node[t]
    if d.k_first[n] == d.k_first[n + 1]:
        return False
    for k in range(d.w_first[n], d.w_first[n + 1]):
        if not has(w.done[t], d.w_read[k]):
            return False
    return True


@njit
def resolve(d, w, a, st, rows, index, stack, t, keys, results, missing):
    """Go on along each of the paths that the values read so far allow; -2 where a function must be computed."""
    n = w.node[t]
    for k in range(d.k_first[n], d.k_first[n + 1]):
        child = d.k_node[k]
        new = d.c_first[child] + (d.c_first[n + 1] - d.c_first[n])
        holds = conditions_hold(d, w, a, t, new, d.c_first[child + 1], -1, keys, results, missing)
        if holds == -2:
            w.node[t] = n
            return -2
        if holds == 1:
            w.node[t] = child
            push(d, w, a, st, rows, index, stack)
            w.node[t] = n
    return 0


# Steps --------------------------------------------------------------------------------------------------------


@njit
def find_locks(d, w, a):
    """Find the locations between the halves of a read-modify-write: only its own write may come next."""
    for l in range(w.lock.shape[0]):
        w.lock[l] = -1
    for t in range(d.shape[0]):
        n = w.node[t]
        for i in range(d.n_length[n]):
            g = d.n_event[n] + i
            if d.e_half[g] >= 0 and has(w.done[t], i) and not has(w.done[t], d.e_half[g]):
                w.lock[a.e_loc[g]] = t * d.shape[1] + d.e_half[g]


@njit
def behind_barrier(d, w, a, t, i):
    """Find the thread that an event waits for because a barrier stands before it; -1 if there is none."""
    g = d.n_event[w.node[t]] + i
    if not d.config[1] or i == 0 or a.e_wait[g - 1] < 0:
        return -1
    for u in range(d.shape[0]):
        if u == t or a.inst[u, 2] != a.inst[t, 2]:
            continue
        n = w.node[u]
        found = False
        for j in range(d.n_length[n]):
            if a.e_arrive[d.n_event[n] + j] == a.e_wait[g - 1]:
                found = True
                for j2 in range(j):
                    if not has(w.done[u], j2):
                        return u
        if not found and d.k_first[n] != d.k_first[n + 1]:
            return u
    return -1


@njit
def possible(d, w, a, t, i):
    """Tell whether an event that has not run can run now."""
    g = d.n_event[w.node[t]] + i
    for v in range(w.done.shape[1]):
        if d.e_before[g, v] & ~w.done[t, v] != ZERO:
            return False
    if a.e_kind[g] < 2:
        lock = w.lock[a.e_loc[g]]
        if lock >= 0 and lock != t * d.shape[1] + i and (a.e_kind[g] == 1 or d.e_half[g] >= 0):
            return False
    return behind_barrier(d, w, a, t, i) < 0


@njit
def return_ahead(d, w, all_leaves):
    """Tell whether a return may still run: no thread ends otherwise."""
    if not d.config[0] or w.ret[0] != 0:
        return False
    if all_leaves:
        for u in range(d.shape[0]):
            if d.n_end[w.node[u]] != 0:
                return False
    return True


@njit
def add_step(w, count, k):
    """Put a step into the set that is being closed."""
    if w.chosen[k] == 0:
        w.chosen[k] = 1
        w.work[count] = k
        return count + 1
    return count


@njit
def add_decision(d, w, count, u):
    """Put a read that decides where thread u goes on into the set: nothing behind it can run earlier."""
    most = d.shape[1]
    n = w.node[u]
    first = -1
    for k in range(d.w_first[n], d.w_first[n + 1]):
        i = d.w_read[k]
        if not has(w.done[u], i):
            if w.chosen[u * most + i]:
                return count
            if first < 0:
                first = i
    return add_step(w, count, u * most + first)


@njit
def add_missing(d, w, count, u, wanted):
    """Put an event that has not run, of those that must, into the set; -1 if all have run."""
    most = d.shape[1]
    lowest = lowest_missing(wanted, w.done[u])
    if lowest < 0:
        return -1
    for i in range(lowest, d.n_length[w.node[u]]):
        if has(wanted, i) and not has(w.done[u], i) and w.chosen[u * most + i]:
            return count
    return add_step(w, count, u * most + lowest)


@njit
def close(d, w, a, seed, leaves, bound):
    """Close a set of steps, from one that is possible; the number of possible ones in it (or `bound`, if so many)."""
    threads, most = d.shape[0], d.shape[1]
    last = threads * most
    for k in range(last + 1):
        w.chosen[k] = 0
    count = add_step(w, 0, seed)
    taken, can = 0, 0
    while taken < count:
        k = w.work[taken]
        taken += 1
        if k == last:
            waits = False
            for u in range(threads):
                if d.k_first[w.node[u]] != d.k_first[w.node[u] + 1]:
                    count = add_decision(d, w, count, u)
                    waits = True
                    break
            if not waits:
                for u in range(threads):
                    more = add_missing(d, w, count, u, d.n_return[w.node[u]])
                    if more >= 0:
                        count, waits = more, True
                        break
            if waits:
                continue
            can += 1
            if can >= bound:
                return can
            for u in range(threads):
                n = w.node[u]
                for j in range(d.n_length[n]):
                    g = d.n_event[n] + j
                    if a.e_kind[g] == 1 and d.observed[a.e_loc[g]] and not has(w.done[u], j):
                        count = add_step(w, count, u * most + j)
            continue
        t, i = k // most, k % most
        g = d.n_event[w.node[t]] + i
        if not w.can[k]:
            more = add_missing(d, w, count, t, d.e_ancestors[g])
            if more >= 0:
                count = more
                continue
            if a.e_kind[g] < 2 and w.lock[a.e_loc[g]] >= 0:
                count = add_step(w, count, w.lock[a.e_loc[g]])
                continue
            u = behind_barrier(d, w, a, t, i)
            n = w.node[u]
            found = False
            for j in range(d.n_length[n]):
                if not has(w.done[u], j):
                    count = add_step(w, count, u * most + j)
                    found = True
                    break
            if not found:
                count = add_decision(d, w, count, u)
            continue
        can += 1
        if can >= bound:
            return can
        if a.e_kind[g] >= 2:
            continue
        l = a.e_loc[g]
        writes = a.e_kind[g] == 1
        locks = d.e_half[g] >= 0
        for u in range(threads):
            n = w.node[u]
            for j in range(d.n_length[n]):
                g2 = d.n_event[n] + j
                if a.e_kind[g2] >= 2 or a.e_loc[g2] != l or has(w.done[u], j) or (u == t and has(d.e_ancestors[g2], i)):
                    continue
                if writes or a.e_kind[g2] == 1 or (locks and d.e_half[g2] >= 0):
                    count = add_step(w, count, u * most + j)
            if d.k_first[n] != d.k_first[n + 1] and not (u == t and d.config[2]):
                if d.n_writes[n, l] or (writes and d.n_reads[n, l]):
                    count = add_decision(d, w, count, u)
        if writes and d.observed[l] and not has(d.n_surely[w.node[t]], i) and return_ahead(d, w, leaves):
            count = add_step(w, count, last)
    return can


@njit
def run_event(d, w, a, st, rows, index, stack, t, i, keys, results, missing):
    """Run an event and add the state that it leads to; -2 where a function must be computed first."""
    most = d.shape[1]
    k = t * most + i
    n = w.node[t]
    g = d.n_event[n] + i
    v = i >> 6
    before = w.done[t, v]
    w.done[t, v] = before | (ONE << uint64(i & 63))
    if a.e_kind[g] == 0:
        w.val[k] = w.mem[a.e_loc[g]]
        holds = conditions_hold(d, w, a, t, d.c_first[n], d.c_first[n + 1], i, keys, results, missing)
        if holds == -2:
            return -2  # the value read is left there: it is an input of what must be computed
        if holds == 1:
            push(d, w, a, st, rows, index, stack)
        w.val[k] = UNKNOWN_ID
        w.done[t, v] = before
        return 0
    if a.e_kind[g] == 1:
        l = a.e_loc[g]
        found = value_of(a.e_vkind[g], a.e_vdata[g], t * most, w.val, a.f_first, a.f_reads, keys, results)
        if found == -2:
            missing[0], missing[1] = a.e_vdata[g], t * most
            w.done[t, v] = before
            return -2
        old = w.mem[l]
        w.mem[l] = found
        push(d, w, a, st, rows, index, stack)
        w.mem[l] = old
    else:
        push(d, w, a, st, rows, index, stack)
    w.done[t, v] = before
    return 0


@njit
def run_return(d, w, a, st, rows, index, stack):
    """Let the returns read every location that is asked for, and add the state that this leads to."""
    for k in range(w.snap.shape[0]):
        if d.o_mine[k] and a.obs_thread[k] < 0:
            w.snap[k] = w.mem[a.obs_loc[k]]
    w.ret[0] = 1
    push(d, w, a, st, rows, index, stack)
    w.ret[0] = 0
    for k in range(w.snap.shape[0]):
        w.snap[k] = UNKNOWN_ID


@njit
def finished(d, w, a):
    """Tell whether nothing is left to run that an outcome could show: everything has run, or only what is seen by none.

    After the returns, plain accesses that no observed register comes from cannot fail to run, and need not.
    """
    threads, most = d.shape[0], d.shape[1]
    everything = True
    for t in range(threads):
        n = w.node[t]
        for i in range(d.n_length[n]):
            if not has(w.done[t], i):
                everything = False
                g = d.n_event[n] + i
                if w.ret[0] == 0 or a.e_rmw[g] >= 0 or d.e_half[g] >= 0 or d.n_needs[n, i]:
                    return False
        if not everything:
            for c in range(d.c_first[n], d.c_first[n + 1]):
                f = d.c_function[c]
                for k in range(a.f_first[f], a.f_first[f + 1]):
                    if not has(w.done[t], a.f_reads[k]):
                        return False
    return everything or w.ret[0] != 0


@njit
def outcome(d, w, a, st, out, out_index, keys, results, missing):
    """Note the outcome of a run; -2 where a function must be computed first."""
    undefined, cut = uint64(0), False
    for t in range(d.shape[0]):
        end = d.n_end[w.node[t]]
        if end == 1:
            cut = True
        elif end >= 2:
            undefined |= ONE << uint64(end - 2)
    if undefined == ZERO and not cut:
        for t in range(d.shape[0]):
            for u in range(t):
                if a.inst[t, 2] == a.inst[u, 2] and (
                    d.n_arrive[w.node[t]] != d.n_arrive[w.node[u]] or d.n_wait[w.node[t]] != d.n_wait[w.node[u]]
                ):
                    undefined |= ONE  # ub-barrier
    if undefined != ZERO:
        st[I_FLAGS] |= int64(undefined)
        st[I_TERMINAL] += 1
        return 0
    if cut:
        st[I_CUT] += 1
        st[I_TERMINAL] += 1
        return 0
    for k in range(w.answer.shape[0]):
        w.answer[k] = 0
        if not d.o_mine[k]:
            continue
        t = a.obs_thread[k]
        if t < 0:
            w.answer[k] = w.snap[k] if d.config[0] else w.mem[a.obs_loc[k]]
        else:
            p = d.n_path[w.node[t]]
            base = t * d.shape[1]
            found = value_of(
                a.obs_kind[p, k], a.obs_data[p, k], base, w.val, a.f_first, a.f_reads, keys, results
            )
            if found == -2:
                missing[0], missing[1] = a.obs_data[p, k], base
                return -2
            w.answer[k] = found
    if add_row(out, out_index, w.answer, w.answer.shape[0], st[I_OUTCOMES]):
        st[I_OUTCOMES] += 1
    st[I_TERMINAL] += 1
    return 0


@njit
def visit(d, w, a, st, rows, index, stack, out, out_index, keys, results, missing):
    """Take the steps of the state in the work arrays; -2 where a function must be computed first."""
    threads, most = d.shape[0], d.shape[1]
    last = threads * most
    leaves = True
    for t in range(threads):
        if resolvable(d, w, t):
            return resolve(d, w, a, st, rows, index, stack, t, keys, results, missing)
        if d.k_first[w.node[t]] != d.k_first[w.node[t] + 1]:
            leaves = False
    returning = leaves and return_ahead(d, w, True)
    if leaves and not returning and finished(d, w, a):
        return outcome(d, w, a, st, out, out_index, keys, results, missing)
    find_locks(d, w, a)
    for t in range(threads):
        for i in range(most):
            k = t * most + i
            w.can[k] = 0
            if i < d.n_length[w.node[t]] and not has(w.done[t], i) and possible(d, w, a, t, i):
                w.can[k] = 1
    returns_now = returning
    if returning:
        for t in range(threads):
            if lowest_missing(d.n_return[w.node[t]], w.done[t]) >= 0:
                returns_now = False
    w.can[last] = 1 if returns_now else 0
    best, fewest = -1, last + 2
    for k in range(last + 1):
        if w.can[k]:
            size = close(d, w, a, k, leaves, fewest)
            if size < fewest:
                best, fewest = k, size
                if size == 1:
                    break
    if best < 0:
        return 0  # a read-modify-write waits for what may not come between its halves: no execution
    close(d, w, a, best, leaves, last + 2)
    for k in range(last):
        if w.can[k] and w.chosen[k]:
            if run_event(d, w, a, st, rows, index, stack, k // most, k % most, keys, results, missing) == -2:
                return -2
    if w.can[last] and w.chosen[last]:
        run_return(d, w, a, st, rows, index, stack)
    return 0


@njit
def begin(d, w, a, st, rows, index, stack):
    """Add the state in the work arrays, the first one."""
    push(d, w, a, st, rows, index, stack)


@njit
def interleave(d, w, a, st, rows, index, stack, out, out_index, keys, results, missing, room, budget):
    """Visit states until none is left, the budget is used up, or something is needed."""
    while st[I_STACK] > 0:
        if st[I_STATES] + room > rows.shape[0] or 2 * (st[I_STATES] + room) > index.shape[0]:
            return NEEDS_STATES
        if 2 * (st[I_OUTCOMES] + 2) > out_index.shape[0] or st[I_OUTCOMES] + 2 > out.shape[0]:
            return NEEDS_RECORDS
        if budget <= 0:
            return PAUSED
        budget -= 1
        number = stack[st[I_STACK] - 1]
        unpack(d, w, rows[number])
        st[I_STACK] -= 1
        if visit(d, w, a, st, rows, index, stack, out, out_index, keys, results, missing) == -2:
            # It is visited again: what it has led to so far is known by then.
            stack[st[I_STACK]] = number
            st[I_STACK] += 1
            return NEEDS_VALUE
    return DONE

