"""The search over candidates, which stops and goes on at any step."""

from __future__ import annotations

from numba import int64, uint64

from enumerator.engine.kernels.candidates import assemble, choose, insert, prepare, remove, withdraw
from enumerator.engine.kernels.jit import njit
from enumerator.engine.kernels.relations import ONE, ZERO, has_bit, run
from enumerator.engine.kernels.values import call, find_cycle, solve, value_of
from enumerator.engine.opcodes import (
    AT_LIMIT,
    CONSISTENT,
    CUT,
    CYCLIC,
    DEPTH,
    DONE,
    EVENTS,
    EXPLORED,
    FIRST_ITEM,
    FREE,
    ITEM,
    ITEMS,
    LIMIT,
    NEEDS_RECORDS,
    NEEDS_STATES,
    NEEDS_VALUE,
    NEW_STATE,
    P_COMBO,
    P_DONE,
    P_FREE_CHECK,
    P_FREE_NEXT,
    P_LEAF,
    P_ORDER_BEGIN,
    P_ORDER_CHECK,
    P_ORDER_NEXT,
    P_PLACE_CHECK,
    P_PLACE_NEXT,
    P_RF_CHECK,
    P_RF_LEAF,
    P_RF_NEXT,
    P_SETUP,
    PAUSED,
    PHASE,
    READS,
    RECORDS,
    RESULT_READY,
    STATES,
    UNDEF_ID,
    UNKNOWN,
    UNKNOWN_ID,
)


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
            return PAUSED
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
                return NEEDS_VALUE
            possible = conditions_hold(
                n, t_base, combo, thread_first, p_cond, cond_function, val, f_first, f_reads, keys, results, missing
            )
            if possible == -2:
                return NEEDS_VALUE
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
                return NEEDS_VALUE
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
                return NEEDS_VALUE
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
                return NEEDS_VALUE
            members = find_cycle(
                n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, cycle_members[0]
            )
            forced[q] = value
            if not solve(
                st, n, g_event, g_base, val, source, forced, e_vkind, e_vdata, f_first, f_reads, keys, results, missing
            ):
                return NEEDS_VALUE
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
                    return NEEDS_VALUE
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
            st[ITEM] = st[FIRST_ITEM]
            if st[ITEMS] == st[ITEM]:
                st[PHASE] = P_LEAF
            else:
                item_place[st[ITEM]] = -1
                st[PHASE] = P_ORDER_NEXT
        elif phase == P_ORDER_NEXT:
            k = st[ITEM]
            if st[ITEMS] == st[FIRST_ITEM] or k < st[FIRST_ITEM]:
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
                    return NEEDS_VALUE
                if st[STATES] >= states.shape[0]:
                    return NEEDS_STATES
            if record != 0 and (record < 0 or st[CONSISTENT] < record):
                if st[RECORDS] >= rec_combo.shape[0]:
                    return NEEDS_RECORDS
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
                return NEW_STATE
            if skip_orders != 0 and record == 0:
                # Nothing that is asked for depends on the order: one is as good as all.
                while st[ITEM] >= st[FIRST_ITEM] and st[ITEMS] > st[FIRST_ITEM]:
                    k = st[ITEM]
                    l = item_slot[k]
                    begin = 1 if has_bit(S[config[0]], slot_first[l]) else 0
                    if item_place[k] >= 0:
                        remove(l, item_place[k], begin, sequence, slot_length, R, w)
                        item_place[k] = -1
                    st[ITEM] -= 1
            if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT]:
                return AT_LIMIT
        else:
            return DONE
        if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT] and st[PHASE] != P_DONE:
            return AT_LIMIT
