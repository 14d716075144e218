"""Final states: what a candidate shows of them, and the table of those that were found."""

from __future__ import annotations

from numba import int64, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import has_bit
from enumerator.search.kernels.values import value_of


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

    Those of a workgroup went through different numbers of its barriers, or too few came to one that has a number.
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
            if inst[s, 2] == inst[t, 2] and p_end[p] == 0 and p_end[q] == 0:
                if p_arrive[p] != p_arrive[q] or p_wait[p] != p_wait[q]:
                    return True
    return False


@inner
def too_few_complete(combo, data):
    """Tell whether those that complete a barrier with a quorum are too few: then these paths do not go together."""
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
