"""Final states: what a candidate shows of them, and the table of those that were found."""

from __future__ import annotations

from numba import int64, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ONE, ZERO, has_bit
from enumerator.search.kernels.values import value_of

NEXT = -1  # what a phase returns that is done: the search goes on with the phase that it has set


@inner
def outcome(prog, data, work, findings):
    """Write the numbers of the observed values into the row; False where a function must be computed first."""
    config = prog.config
    thread_first, obs_kind, obs_data, obs_thread = data.thread_first, data.obs_kind, data.obs_data, data.obs_thread
    obs_loc, loc_value, row = data.obs_loc, data.loc_value, findings.row
    st, combo, t_base, g_loc, val = work.st, work.combo, work.t_base, work.g_loc, work.val
    slot_first, S, missing = work.slot_first, work.S, work.missing
    n = st[op.EVENTS]
    for k in range(obs_thread.shape[0]):
        t = obs_thread[k]
        if t >= 0:
            p = thread_first[t] + combo[t]
            row[k] = value_of(obs_kind[p, k], obs_data[p, k], t_base[t], val, data, findings)
            if row[k] == -2:
                missing[0] = obs_data[p, k]
                missing[1] = t_base[t]
                return False
        elif slot_first[obs_loc[k]] < 0:
            row[k] = loc_value[obs_loc[k]]
        else:
            found = 0
            row[k] = op.UNDEF_ID
            for e in range(n):
                if g_loc[e] == obs_loc[k] and has_bit(S[config[op.C_FINAL]], e):
                    found += 1
                    row[k] = val[e]
            if found != 1:
                row[k] = op.UNDEF_ID
    return True


@inner
def state_slot(row, index):
    """Give the slot of the hash table at which to look for a state first."""
    h = uint64(1469598103934665603)
    for k in range(row.shape[0]):
        h = (h ^ uint64(row[k])) * uint64(1099511628211)
    return int64(h >> uint64(33)) & (index.shape[0] - 1)


@njit
def index_states(n_states, findings):
    """Fill an empty hash table with the states there are."""
    states, index = findings.states, findings.index
    for s in range(n_states):
        slot = state_slot(states[s], index)
        while index[slot] >= 0:
            slot = (slot + 1) & (index.shape[0] - 1)
        index[slot] = s


@njit
def count_state(st, findings, raised):
    """Count an execution, and the flags that it raises, for the final state in the row; 1 where the state is new.

    It counts for as many as it stands for, ``st[WEIGHT]``.
    """
    row, states, counts, index = findings.row, findings.states, findings.counts, findings.index
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
            counts[s] += st[op.WEIGHT]
            findings.raised[s] |= raised
            return 0
        slot = (slot + 1) & mask
    s = st[op.STATES]
    index[slot] = s
    for k in range(row.shape[0]):
        states[s, k] = row[k]
    counts[s] = st[op.WEIGHT]
    findings.raised[s] = raised
    st[op.STATES] += 1
    return 1


@inner
def show_flags(prog, findings, raised, ended):
    """Write into the row, behind the observed values, which flags an execution raises."""
    row = findings.row
    first = row.shape[0] - prog.shown.shape[0]
    for k in range(prog.shown.shape[0]):
        holds = (raised & prog.shown[k, 0]) | (ended & prog.shown[k, 1])
        row[first + k] = prog.config[op.C_TRUE] if holds != uint64(0) else prog.config[op.C_FALSE]


@inner
def barrier_mismatch(combo, data):
    """Tell whether threads that ran to their ends miss each other at barriers.

    One returned without having come to a barrier of its workgroup that others came to, or too few came to one that has
    a number.
    """
    thread_first, p_end, p_arrive, p_wait, inst = data.thread_first, data.p_end, data.p_arrive, data.p_wait, data.inst
    needed = data.p_needed
    for s in range(combo.shape[0]):
        p = thread_first[s] + combo[s]
        for k in range(needed.shape[1]):
            if needed[p, k] > 0:
                arrived = 0
                for t in range(combo.shape[0]):
                    arrived += needed[thread_first[t] + combo[t], k] > 0
                if arrived < needed[p, k]:
                    return True
    for s in range(combo.shape[0]):
        p = thread_first[s] + combo[s]
        for t in range(s):
            q = thread_first[t] + combo[t]
            if inst[s, 2] == inst[t, 2] and has_come_to_end(p_end[p]) and has_come_to_end(p_end[q]):
                if p_arrive[p] != p_arrive[q] or p_wait[p] != p_wait[q]:
                    return True
    return False


@inner
def has_come_to_end(end):
    """Tell whether a path returns, or stays at a barrier."""
    return end == 0 or end == op.END_BLOCKED


@inner
def misses_barrier(combo, data):
    """Tell whether a thread leaves a barrier that another one never comes to, or stays at one that all come to."""
    thread_first, p_end, p_arrive, p_wait, inst = data.thread_first, data.p_end, data.p_arrive, data.p_wait, data.inst
    for t in range(combo.shape[0]):
        p, missed = thread_first[t] + combo[t], False
        waits, blocked = p_wait[p], p_end[p] == op.END_BLOCKED
        if waits == 0:
            continue
        for s in range(combo.shape[0]):
            q = thread_first[s] + combo[s]
            if s != t and inst[s, 2] == inst[t, 2] and p_end[q] >= 0:
                if waits - blocked > p_arrive[q]:
                    return True
                missed |= waits > p_arrive[q]
        if blocked and not missed:
            return True
    return False


@inner
def disagrees(combo, data):
    """Give the first thread that does not agree with one before it on how they meet at barriers, or -1.

    Ways to meet are 2 and more.
    """
    completes, thread_first = data.p_completes, data.thread_first
    for s in range(combo.shape[0]):
        for k in range(completes.shape[1]):
            way = completes[thread_first[s] + combo[s], k]
            if way > 1:
                for t in range(s):
                    other = completes[thread_first[t] + combo[t], k]
                    if other > 1 and other != way:
                        return s
    return -1


@inner
def contradict_at_barriers(combo, data):
    """Tell whether paths do not go together at barriers.

    Those that complete one with a quorum are too few, threads of a group do not agree on how they meet at barriers
    (ways are 2 and more), or one leaves a barrier that another one never comes to.
    """
    if misses_barrier(combo, data) or disagrees(combo, data) >= 0:
        return True
    needed, completes, thread_first = data.p_needed, data.p_completes, data.thread_first
    for s in range(combo.shape[0]):
        p = thread_first[s] + combo[s]
        for k in range(needed.shape[1]):
            if needed[p, k] > 0:
                arrived = completing = 0
                for t in range(combo.shape[0]):
                    arrived += needed[thread_first[t] + combo[t], k] > 0
                    completing += completes[thread_first[t] + combo[t], k]
                if completing < needed[p, k] <= arrived:
                    return True
    return False


@inner
def waits_for_last(prog, data, work):
    """Tell whether what is read at the ends of paths that wait are the only last writes of their locations."""
    last = work.S[prog.config[op.C_FINAL]]
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for k in range(data.stuck_first[p], data.stuck_first[p + 1]):
            source = work.source[work.t_base[t] + data.stuck_reads[k]]
            if source < 0:
                return False
            for e in range(work.st[op.EVENTS]):
                if work.g_loc[e] == work.g_loc[source] and has_bit(last, e) != (e == source):
                    return False
    return True


@inner
def early_end(prog, data, work):
    """Say how the execution at hand ends: bits of early ends, or whether a loop bound was reached.

    It is stuck only if no thread ends early in another way, and none reaches a loop bound.
    """
    ends, cut, stuck = ZERO, False, False
    for t in range(work.combo.shape[0]):
        end = data.p_end[data.thread_first[t] + work.combo[t]]
        if end == 1:
            cut = True
        elif end == op.END_STUCK:
            stuck = True
        elif end > 1:
            ends |= ONE << uint64(end - 2)
    if ends == ZERO and not cut and stuck:
        ends = ONE << uint64(op.END_STUCK - 2)
    elif ends == ZERO and not cut and barrier_mismatch(work.combo, data):
        ends = ONE << uint64(prog.config[op.C_BARRIER])
    return ends, cut


@inner
def any_refused(combo, data):
    """Tell whether a thread has ended at an assumption that is false."""
    for t in range(combo.shape[0]):
        if data.p_end[data.thread_first[t] + combo[t]] == op.END_REFUSED:
            return True
    return False


@inner
def shows_race(prog, data, work):
    """Tell whether an execution has no attempts that count only for what races with them; or one, and raises a flag."""
    tried = 0
    for t in range(work.combo.shape[0]):
        tried += data.p_tried[data.thread_first[t] + work.combo[t]]
    if tried == 0:
        return True
    ends, _ = early_end(prog, data, work)
    return tried == 1 and work.flags[0] != ZERO and ends & prog.ends[1] == ZERO


@inner
def counts(prog, data, work):
    """Tell whether a consistent execution is one that counts, by where its threads wait and what they have tried."""
    return waits_for_last(prog, data, work) and shows_race(prog, data, work)


@inner
def tally(prog, data, work, findings):
    """Count a consistent execution, for its final state if it has one.

    Where something is missing for that, nothing has been counted yet.
    """
    st, flags = work.st, work.flags
    if st[op.CONSISTENT] >= op.MOST_COUNTED:
        return op.NEEDS_TALLY
    ends, cut = early_end(prog, data, work)
    has_state = ends & prog.ends[0] != ZERO or (ends == ZERO and not cut)
    if has_state:
        if not outcome(prog, data, work, findings):
            return op.NEEDS_VALUE
        if st[op.STATES] >= findings.states.shape[0]:
            return op.NEEDS_STATES
    st[op.EXPLORED] += 1
    st[op.CONSISTENT] += st[op.WEIGHT]
    new = 0
    flags[1] |= ends
    if has_state:
        raised = ZERO if ends & prog.ends[1] != ZERO else flags[0]
        show_flags(prog, findings, raised, ends)
        new = count_state(st, findings, raised)
    elif ends == ZERO:
        st[op.CUT] += st[op.WEIGHT]
    elif ends & prog.ends[1] == ZERO:
        flags[3] |= flags[0]
    return op.NEW_STATE if new == 1 and prog.config[op.C_NOTIFY] != 0 else NEXT


@inner
def keep_record(work, records):
    """Keep the choices and values of the execution at hand."""
    m = work.st[op.RECORDS]
    for t in range(work.combo.shape[0]):
        records.combo[m, t] = work.combo[t]
    for e in range(work.st[op.EVENTS]):
        records.source[m, e] = work.source[e]
        records.value[m, e] = work.val[e]
    for e in range(records.place.shape[1]):
        records.place[m, e] = -1
    for l in range(work.slot_first.shape[0]):
        if work.slot_first[l] >= 0 or work.slot_order[l] > 0:
            first = work.slot_order[l] * records.source.shape[1]
            for i in range(work.slot_length[l]):
                records.place[m, first + work.sequence[l, i]] = i
    work.st[op.RECORDS] += 1
