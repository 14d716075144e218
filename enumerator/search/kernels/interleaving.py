"""The interleaving search: states of a machine that runs one operation after the other, each visited once.

A state is a row of 32-bit words: for each thread its node in the tree of its paths and the events that have run; the
values read that something still needs; memory, where something still reads it; whether the returns have run, and what
they have read. What nobody can see any more is 0, so that states which differ in nothing else are one.

In each state only a *stubborn set* of the possible steps is taken (Valmari, *Stubborn Sets for Reduced State Space
Generation*, 1990): a set that is closed under "conflicts with" for steps that are possible and under "waits for" for
those that are not. Each event runs once, so the graph of states has no cycle, and every final state is still reached.
"""

from __future__ import annotations

from numba import int64, uint32

from enumerator.jit.decorators import njit
from enumerator.search import opcodes as op
from enumerator.search import places as at
from enumerator.search.kernels.states import call, find_row, has, index_rows, lowest_missing, push, unpack, value_of

__all__ = ["begin", "index_rows", "interleave"]


# Choices of paths ---------------------------------------------------------------------------------------------


@njit
def conditions_hold(d, w, t, first, last, read, keys, results, missing):
    """Test conditions of a thread whose inputs are all known (and, if `read` >= 0, have it among them).

    1 they hold, 0 one does not, -2 a function must be computed first.
    """
    base = t * d[at.MOST]
    for c in range(first, last):
        f = d[d[at.C_FUNCTION] + c]
        concerned = read < 0
        known = True
        for k in range(d[d[at.F_FIRST] + f], d[d[at.F_FIRST] + f + 1]):
            if d[d[at.F_READS] + k] == read:
                concerned = True
            if not has(w, d[at.W_DONE] + t * d[at.WORDS], d[d[at.F_READS] + k]):
                known = False
        if concerned and known:
            found = call(d, w, f, base, keys, results)
            if found == -2:
                missing[0], missing[1] = f, base
                return -2
            if found == 0:
                return 0
    return 1


@njit
def resolvable(d, w, t):
    """Tell whether a thread stands where its paths part and can go on: all reads that decide have run."""
    n = w[d[at.W_NODE] + t]
    if d[d[at.K_FIRST] + n] == d[d[at.K_FIRST] + n + 1]:
        return False
    for k in range(d[d[at.D_FIRST] + n], d[d[at.D_FIRST] + n + 1]):
        if not has(w, d[at.W_DONE] + t * d[at.WORDS], d[d[at.D_READ] + k]):
            return False
    return True


@njit
def resolve(d, w, st, rows, index, stack, t, keys, results, missing):
    """Go on along each of the paths that the values read so far allow; -2 where a function must be computed."""
    n = w[d[at.W_NODE] + t]
    for k in range(d[d[at.K_FIRST] + n], d[d[at.K_FIRST] + n + 1]):
        child = d[d[at.K_NODE] + k]
        new = d[d[at.C_FIRST] + child] + (d[d[at.C_FIRST] + n + 1] - d[d[at.C_FIRST] + n])
        holds = conditions_hold(d, w, t, new, d[d[at.C_FIRST] + child + 1], -1, keys, results, missing)
        if holds == -2:
            w[d[at.W_NODE] + t] = n
            return -2
        if holds == 1:
            w[d[at.W_NODE] + t] = child
            push(d, w, st, rows, index, stack)
            w[d[at.W_NODE] + t] = n
    return 0


# Steps --------------------------------------------------------------------------------------------------------


@njit
def find_locks(d, w):
    """Find the locations between the halves of a read-modify-write: only its own write may come next."""
    for l in range(d[at.LOCATIONS]):
        w[d[at.W_LOCK] + l] = -1
    for t in range(d[at.THREADS]):
        n = w[d[at.W_NODE] + t]
        for i in range(d[d[at.N_LENGTH] + n]):
            g = d[d[at.N_EVENT] + n] + i
            half = d[d[at.E_HALF] + g]
            if (
                half >= 0
                and has(w, d[at.W_DONE] + t * d[at.WORDS], i)
                and not has(w, d[at.W_DONE] + t * d[at.WORDS], half)
            ):
                w[d[at.W_LOCK] + d[d[at.E_LOC] + g]] = t * d[at.MOST] + d[d[at.E_HALF] + g]


@njit
def behind_barrier(d, w, t, i):
    """Find the thread that an event waits for because a barrier stands before it; -1 if there is none."""
    g = d[d[at.N_EVENT] + w[d[at.W_NODE] + t]] + i
    if not d[at.BARRIERS] or i == 0 or d[d[at.E_WAIT] + g - 1] < 0:
        return -1
    for u in range(d[at.THREADS]):
        if u == t or d[d[at.INST] + u * 6 + 2] != d[d[at.INST] + t * 6 + 2]:
            continue
        n = w[d[at.W_NODE] + u]
        found = False
        for j in range(d[d[at.N_LENGTH] + n]):
            if d[d[at.E_ARRIVE] + d[d[at.N_EVENT] + n] + j] == d[d[at.E_WAIT] + g - 1]:
                found = True
                for j2 in range(j):
                    if not has(w, d[at.W_DONE] + u * d[at.WORDS], j2):
                        return u
        if not found and d[d[at.K_FIRST] + n] != d[d[at.K_FIRST] + n + 1]:
            return u
    return -1


@njit
def possible(d, w, t, i):
    """Tell whether an event that has not run can run now."""
    g = d[d[at.N_EVENT] + w[d[at.W_NODE] + t]] + i
    for v in range(d[at.WORDS]):
        if d[d[at.E_BEFORE] + g * d[at.WORDS] + v] & ~w[d[at.W_DONE] + t * d[at.WORDS] + v] != 0:
            return False
    if d[d[at.E_KIND] + g] < 2:
        lock = w[d[at.W_LOCK] + d[d[at.E_LOC] + g]]
        if lock >= 0 and lock != t * d[at.MOST] + i and (d[d[at.E_KIND] + g] == 1 or d[d[at.E_HALF] + g] >= 0):
            return False
    return behind_barrier(d, w, t, i) < 0


@njit
def return_ahead(d, w, all_leaves):
    """Tell whether a return may still run: no thread ends otherwise."""
    if not d[at.RETURNS] or w[d[at.W_RETURNED]] != 0:
        return False
    if all_leaves:
        for u in range(d[at.THREADS]):
            if d[d[at.N_END] + w[d[at.W_NODE] + u]] != 0:
                return False
    return True


@njit
def add_step(d, w, count, k):
    """Put a step into the set that is being closed."""
    if w[d[at.W_CHOSEN] + k] == 0:
        w[d[at.W_CHOSEN] + k] = 1
        w[d[at.W_WORK] + count] = k
        return count + 1
    return count


@njit
def add_decision(d, w, count, u):
    """Put a read that decides where thread u goes on into the set: nothing behind it can run earlier."""
    most = d[at.MOST]
    n = w[d[at.W_NODE] + u]
    first = -1
    for k in range(d[d[at.D_FIRST] + n], d[d[at.D_FIRST] + n + 1]):
        i = d[d[at.D_READ] + k]
        if not has(w, d[at.W_DONE] + u * d[at.WORDS], i):
            if w[d[at.W_CHOSEN] + u * most + i]:
                return count
            if first < 0:
                first = i
    return add_step(d, w, count, u * most + first)


@njit
def add_missing(d, w, count, u, wanted):
    """Put an event that has not run, of those that must, into the set; -1 if all have run."""
    most = d[at.MOST]
    lowest = lowest_missing(d, wanted, w, d[at.W_DONE] + u * d[at.WORDS])
    if lowest < 0:
        return -1
    for i in range(lowest, d[d[at.N_LENGTH] + w[d[at.W_NODE] + u]]):
        if has(d, wanted, i) and not has(w, d[at.W_DONE] + u * d[at.WORDS], i) and w[d[at.W_CHOSEN] + u * most + i]:
            return count
    return add_step(d, w, count, u * most + lowest)


@njit
def close(d, w, seed, leaves, bound):
    """Close a set of steps, from one that is possible; the number of possible ones in it (or `bound`, if so many)."""
    threads, most = d[at.THREADS], d[at.MOST]
    last = threads * most
    for k in range(last + 1):
        w[d[at.W_CHOSEN] + k] = 0
    count = add_step(d, w, 0, seed)
    taken, can = 0, 0
    while taken < count:
        k = w[d[at.W_WORK] + taken]
        taken += 1
        if k == last:
            waits = False
            for u in range(threads):
                if d[d[at.K_FIRST] + w[d[at.W_NODE] + u]] != d[d[at.K_FIRST] + w[d[at.W_NODE] + u] + 1]:
                    count = add_decision(d, w, count, u)
                    waits = True
                    break
            if not waits:
                for u in range(threads):
                    more = add_missing(d, w, count, u, d[at.N_RETURN] + w[d[at.W_NODE] + u] * d[at.WORDS])
                    if more >= 0:
                        count, waits = more, True
                        break
            if waits:
                continue
            can += 1
            if can >= bound:
                return can
            for u in range(threads):
                n = w[d[at.W_NODE] + u]
                for j in range(d[d[at.N_LENGTH] + n]):
                    g = d[d[at.N_EVENT] + n] + j
                    seen = d[d[at.E_KIND] + g] == 1 and d[d[at.OBSERVED] + d[d[at.E_LOC] + g]]
                    if seen and not has(w, d[at.W_DONE] + u * d[at.WORDS], j):
                        count = add_step(d, w, count, u * most + j)
            continue
        t, i = k // most, k % most
        g = d[d[at.N_EVENT] + w[d[at.W_NODE] + t]] + i
        if not w[d[at.W_CAN] + k]:
            more = add_missing(d, w, count, t, d[at.E_ANCESTORS] + g * d[at.WORDS])
            if more >= 0:
                count = more
                continue
            if d[d[at.E_KIND] + g] < 2 and w[d[at.W_LOCK] + d[d[at.E_LOC] + g]] >= 0:
                count = add_step(d, w, count, w[d[at.W_LOCK] + d[d[at.E_LOC] + g]])
                continue
            u = behind_barrier(d, w, t, i)
            n = w[d[at.W_NODE] + u]
            found = False
            for j in range(d[d[at.N_LENGTH] + n]):
                if not has(w, d[at.W_DONE] + u * d[at.WORDS], j):
                    count = add_step(d, w, count, u * most + j)
                    found = True
                    break
            if not found:
                count = add_decision(d, w, count, u)
            continue
        can += 1
        if can >= bound:
            return can
        if d[d[at.E_KIND] + g] >= 2:
            continue
        l = d[d[at.E_LOC] + g]
        writes = d[d[at.E_KIND] + g] == 1
        locks = d[d[at.E_HALF] + g] >= 0
        for u in range(threads):
            n = w[d[at.W_NODE] + u]
            for j in range(d[d[at.N_LENGTH] + n]):
                g2 = d[d[at.N_EVENT] + n] + j
                if d[d[at.E_KIND] + g2] >= 2 or d[d[at.E_LOC] + g2] != l or has(w, d[at.W_DONE] + u * d[at.WORDS], j):
                    continue
                if u == t and has(d, d[at.E_ANCESTORS] + g2 * d[at.WORDS], i):
                    continue  # it cannot run before this one
                if writes or d[d[at.E_KIND] + g2] == 1 or (locks and d[d[at.E_HALF] + g2] >= 0):
                    count = add_step(d, w, count, u * most + j)
            if d[d[at.K_FIRST] + n] != d[d[at.K_FIRST] + n + 1] and not (u == t and d[at.IN_ORDER]):
                if d[d[at.N_WRITES] + n * d[at.LOCATIONS] + l] or (
                    writes and d[d[at.N_READS] + n * d[at.LOCATIONS] + l]
                ):
                    count = add_decision(d, w, count, u)
        if writes and d[d[at.OBSERVED] + l] and not has(d, d[at.N_MUST_RUN] + w[d[at.W_NODE] + t] * d[at.WORDS], i):
            if return_ahead(d, w, leaves):
                count = add_step(d, w, count, last)
    return can


@njit
def run_event(d, w, st, rows, index, stack, t, i, keys, results, missing):
    """Run an event and add the state that it leads to; -2 where a function must be computed first."""
    most = d[at.MOST]
    k = t * most + i
    n = w[d[at.W_NODE] + t]
    g = d[d[at.N_EVENT] + n] + i
    v = i >> 6
    before = w[d[at.W_DONE] + t * d[at.WORDS] + v]
    w[d[at.W_DONE] + t * d[at.WORDS] + v] = before | (int64(1) << (i & 63))
    if d[d[at.E_KIND] + g] == 0:
        w[d[at.W_VAL] + k] = w[d[at.W_MEM] + d[d[at.E_LOC] + g]]
        holds = conditions_hold(d, w, t, d[d[at.C_FIRST] + n], d[d[at.C_FIRST] + n + 1], i, keys, results, missing)
        if holds == -2:
            return -2  # the value read is left there: it is an input of what must be computed
        if holds == 1:
            push(d, w, st, rows, index, stack)
        w[d[at.W_VAL] + k] = op.UNKNOWN_ID
        w[d[at.W_DONE] + t * d[at.WORDS] + v] = before
        return 0
    if d[d[at.E_KIND] + g] == 1:
        l = d[d[at.E_LOC] + g]
        found = value_of(d, w, d[d[at.E_VKIND] + g], d[d[at.E_VDATA] + g], t * most, keys, results)
        if found == -2:
            missing[0], missing[1] = d[d[at.E_VDATA] + g], t * most
            w[d[at.W_DONE] + t * d[at.WORDS] + v] = before
            return -2
        old = w[d[at.W_MEM] + l]
        w[d[at.W_MEM] + l] = found
        push(d, w, st, rows, index, stack)
        w[d[at.W_MEM] + l] = old
    else:
        push(d, w, st, rows, index, stack)
    w[d[at.W_DONE] + t * d[at.WORDS] + v] = before
    return 0


@njit
def run_return(d, w, st, rows, index, stack):
    """Let the returns read every location that is asked for, and add the state that this leads to."""
    for k in range(d[at.NAMES]):
        if d[d[at.O_MINE] + k] and d[d[at.OBS_THREAD] + k] < 0:
            w[d[at.W_SNAP] + k] = w[d[at.W_MEM] + d[d[at.OBS_LOC] + k]]
    w[d[at.W_RETURNED]] = 1
    push(d, w, st, rows, index, stack)
    w[d[at.W_RETURNED]] = 0
    for k in range(d[at.NAMES]):
        w[d[at.W_SNAP] + k] = op.UNKNOWN_ID


@njit
def finished(d, w):
    """Tell whether nothing is left to run that an outcome could show: everything has run, or only what is seen by none.

    After the returns, plain accesses that no observed register comes from cannot fail to run, and need not.
    """
    everything = True
    for t in range(d[at.THREADS]):
        n = w[d[at.W_NODE] + t]
        for i in range(d[d[at.N_LENGTH] + n]):
            if not has(w, d[at.W_DONE] + t * d[at.WORDS], i):
                everything = False
                g = d[d[at.N_EVENT] + n] + i
                if w[d[at.W_RETURNED]] == 0 or d[d[at.N_NEEDS] + n * d[at.MOST] + i]:
                    return False
                if d[d[at.E_RMW] + g] >= 0 or d[d[at.E_HALF] + g] >= 0:
                    return False
        if not everything:
            for c in range(d[d[at.C_FIRST] + n], d[d[at.C_FIRST] + n + 1]):
                f = d[d[at.C_FUNCTION] + c]
                for k in range(d[d[at.F_FIRST] + f], d[d[at.F_FIRST] + f + 1]):
                    if not has(w, d[at.W_DONE] + t * d[at.WORDS], d[d[at.F_READS] + k]):
                        return False
    return everything or w[d[at.W_RETURNED]] != 0


@njit
def outcome(d, w, st, out, out_index, keys, results, missing):
    """Note the outcome of a run; -2 where a function must be computed first."""
    undefined, cut = int64(0), False
    for t in range(d[at.THREADS]):
        end = d[d[at.N_END] + w[d[at.W_NODE] + t]]
        if end == 1:
            cut = True
        elif end >= 2:
            undefined |= int64(1) << (end - 2)
    if undefined == 0 and not cut:
        for t in range(d[at.THREADS]):
            n = w[d[at.W_NODE] + t]
            for u in range(t):
                m = w[d[at.W_NODE] + u]
                # A thread that is not of the part at hand has no path here: the part with the barriers has all threads.
                if (
                    d[d[at.N_PATH] + n] < 0
                    or d[d[at.N_PATH] + m] < 0
                    or d[d[at.INST] + t * 6 + 2] != d[d[at.INST] + u * 6 + 2]
                ):
                    continue
                if d[d[at.N_ARRIVE] + n] != d[d[at.N_ARRIVE] + m] or d[d[at.N_WAIT] + n] != d[d[at.N_WAIT] + m]:
                    undefined |= int64(1)  # ub-barrier
    if undefined != 0:
        st[op.I_FLAGS] |= undefined
        st[op.I_TERMINAL] += 1
        return 0
    if cut:
        st[op.I_CUT] += 1
        st[op.I_TERMINAL] += 1
        return 0
    number = st[op.I_OUTCOMES]
    for k in range(d[at.NAMES]):
        found = int64(0)
        t = d[d[at.OBS_THREAD] + k]
        if d[d[at.O_MINE] + k] and t < 0:
            found = w[d[at.W_SNAP] + k] if d[at.RETURNS] else w[d[at.W_MEM] + d[d[at.OBS_LOC] + k]]
        elif d[d[at.O_MINE] + k]:
            source = d[d[at.N_PATH] + w[d[at.W_NODE] + t]] * d[at.NAMES] + k
            base = t * d[at.MOST]
            found = value_of(d, w, d[d[at.OBS_KIND] + source], d[d[at.OBS_DATA] + source], base, keys, results)
            if found == -2:
                missing[0], missing[1] = d[d[at.OBS_DATA] + source], base
                return -2
        out[number, k] = uint32(found)
    slot = find_row(out, out_index, number)
    if out_index[slot] < 0:
        out_index[slot] = number
        st[op.I_OUTCOMES] += 1
    st[op.I_TERMINAL] += 1
    return 0


@njit
def visit(d, w, st, rows, index, stack, out, out_index, keys, results, missing):
    """Take the steps of the state in the work arrays; -2 where a function must be computed first."""
    threads, most = d[at.THREADS], d[at.MOST]
    last = threads * most
    leaves = True
    for t in range(threads):
        if resolvable(d, w, t):
            return resolve(d, w, st, rows, index, stack, t, keys, results, missing)
        if d[d[at.K_FIRST] + w[d[at.W_NODE] + t]] != d[d[at.K_FIRST] + w[d[at.W_NODE] + t] + 1]:
            leaves = False
    returning = leaves and return_ahead(d, w, True)
    if leaves and not returning and finished(d, w):
        return outcome(d, w, st, out, out_index, keys, results, missing)
    find_locks(d, w)
    for t in range(threads):
        for i in range(most):
            k = t * most + i
            w[d[at.W_CAN] + k] = 0
            if i < d[d[at.N_LENGTH] + w[d[at.W_NODE] + t]] and not has(w, d[at.W_DONE] + t * d[at.WORDS], i):
                if possible(d, w, t, i):
                    w[d[at.W_CAN] + k] = 1
    returns_now = returning
    if returning:
        for t in range(threads):
            if (
                lowest_missing(d, d[at.N_RETURN] + w[d[at.W_NODE] + t] * d[at.WORDS], w, d[at.W_DONE] + t * d[at.WORDS])
                >= 0
            ):
                returns_now = False
    w[d[at.W_CAN] + last] = 1 if returns_now else 0
    best, fewest = -1, last + 2
    looked = int64(0)  # at pairs of events, about: any set that is closed will do, the least one is worth only so much
    for k in range(last + 1):
        if w[d[at.W_CAN] + k]:
            size = close(d, w, k, leaves, fewest)
            looked += min(size, fewest) * last
            if size < fewest:
                best, fewest = k, size
                if size == 1:
                    break
            if best >= 0 and looked > op.MOST_LOOKED_AT:
                break
    if best < 0:
        return 0  # a read-modify-write waits for what may not come between its halves: no execution
    close(d, w, best, leaves, last + 2)
    for k in range(last):
        if w[d[at.W_CAN] + k] and w[d[at.W_CHOSEN] + k]:
            if run_event(d, w, st, rows, index, stack, k // most, k % most, keys, results, missing) == -2:
                return -2
    if w[d[at.W_CAN] + last] and w[d[at.W_CHOSEN] + last]:
        run_return(d, w, st, rows, index, stack)
    return 0


@njit
def begin(d, w, st, rows, index, stack):
    """Add the state in the work arrays, the first one."""
    push(d, w, st, rows, index, stack)


@njit
def interleave(d, w, st, rows, index, stack, out, out_index, keys, results, missing, room, budget):
    """Visit states until none is left, the budget is used up, or something is needed."""
    while st[op.I_STACK] > 0:
        if st[op.I_STATES] + room > rows.shape[0] or 2 * (st[op.I_STATES] + room) > index.shape[0]:
            return op.NEEDS_STATES
        if 2 * (st[op.I_OUTCOMES] + 2) > out_index.shape[0] or st[op.I_OUTCOMES] + 2 > out.shape[0]:
            return op.NEEDS_RECORDS
        if budget <= 0:
            return op.PAUSED
        budget -= 1
        number = stack[st[op.I_STACK] - 1]
        unpack(d, w, rows[number])
        st[op.I_STACK] -= 1
        if visit(d, w, st, rows, index, stack, out, out_index, keys, results, missing) == -2:
            # It is visited again: what it has led to so far is known by then.
            stack[st[op.I_STACK]] = number
            st[op.I_STACK] += 1
            return op.NEEDS_VALUE
    return op.DONE
