"""The search over candidates, which stops and goes on at any step."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search.kernels.candidates import (
    assemble,
    choose,
    is_supplied,
    keep_sources,
    list_sources,
    withdraw,
)
from enumerator.search.kernels.decisions import (
    NONE_LEFT,
    barred,
    is_pair,
    link_alike,
    list_decisions,
    release,
    take,
    undo,
    was_refused,
)
from enumerator.search.kernels.outcomes import barrier_mismatch, count_state, outcome, show_flags, too_few_complete
from enumerator.search.kernels.relations import ONE, ZERO, run
from enumerator.search.kernels.values import find_cycle, solved, values_of, wants_undef_in_vain
from enumerator.search.opcodes import (
    AHEAD,
    AT_LIMIT,
    BEGUN,
    BOUND_FAILS,
    BOUND_RUNS,
    BOUNDED,
    CHOICES,
    CONDITIONS,
    CONSISTENT,
    CUT,
    CYCLIC,
    D_LAST,
    D_READ,
    DEAD_ENDS,
    DECISIONS,
    DEPTH,
    DONE,
    END,
    EVENTS,
    EXPLORED,
    FREE,
    FRESH,
    GOOD,
    HALF,
    HELD,
    KEPT,
    LAST_READ,
    LIMIT,
    LONG,
    LONG_COMBINATION,
    MOST_COUNTED,
    NEEDS_RECORDS,
    NEEDS_STATES,
    NEEDS_TALLY,
    NEEDS_VALUE,
    NEVER,
    NEW_STATE,
    ONLY,
    P_AHEAD,
    P_AHEAD_BOUND,
    P_AHEAD_BOUNDED,
    P_AHEAD_CHECKED,
    P_AHEAD_HALF,
    P_AHEAD_REST,
    P_BOUND,
    P_BOUNDED,
    P_CHECK,
    P_CHECKED,
    P_COMBO,
    P_COUNT,
    P_DEEPER,
    P_DONE,
    P_FILTER,
    P_FILTER_BOUND,
    P_FILTERED,
    P_FREE_CHECK,
    P_FREE_NEXT,
    P_LEAF,
    P_LIST,
    P_NEXT,
    P_RESULT,
    P_RESULT_ORDER,
    P_ROOT,
    P_SETUP,
    P_VALUES,
    PARTIAL_ORDER,
    PARTIAL_REST,
    PARTIAL_RF,
    PAUSED,
    PHASE,
    PLACE,
    PROBE,
    PRUNED,
    READS,
    RECORDS,
    REFUSED,
    REST_FAILS,
    REST_RUNS,
    RESULT_ORDER,
    RESULT_READY,
    RESULT_RF,
    SINGLE,
    SOLUTIONS,
    SOLVED,
    STATES,
    STATIC,
    STEP_FAILS,
    STEP_RUNS,
    STEPS,
    TURN,
    UNKNOWN,
    UNKNOWN_ID,
    WEIGHT,
    WHOLE_ORDER,
    WHOLE_RF,
)


@inner
def constant(value, consts):
    """Tell whether a value is one of the constants of the test."""
    for k in range(consts.shape[0]):
        if consts[k] == value:
            return True
    return False


@inner
def pays(runs, fails, st):
    """Tell whether it pays to compute what may refuse an option: where one in 64 times it does, else now and then.

    ``st[runs]`` is 16 for each time, and one for each that was left out since; ``st[fails]`` counts refusals.
    """
    if st[runs] >= 4096 and 1024 * st[fails] < st[runs] and st[runs] & 15 != 15:
        st[runs] += 1
        return False
    st[runs] = (st[runs] | 15) + 1
    return True


@inner
def next_after_leaf(prog, work):
    """Give the phase after a complete candidate; where one order is as good as all, leave the others out."""
    st = work.st
    if st[FREE] > 0:
        return P_FREE_NEXT
    if (prog.config[3] != 0 or prog.config[8] != 0) and st[SOLUTIONS] > 0 and prog.config[5] == 0:
        first = st[LAST_READ] + 1
        for d in range(first, st[DECISIONS]):
            if work.d_kind[d] == D_LAST:
                first = d + 1
        while st[DEPTH] > first:
            undo(st[DEPTH], prog, work)
            work.choice[st[DEPTH]] = -1
            st[DEPTH] -= 1
        if st[DEPTH] == first:  # the first of the orders' decisions has no further options to try
            undo(first, prog, work)
            work.choice[first] = -1
            st[DEPTH] -= 1
    return P_NEXT


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
    thread_first, thread_count = data.thread_first, data.thread_count
    thread_like = data.thread_like
    p_end = data.p_end
    e_vkind, e_vdata, e_type, loc_value = data.e_vkind, data.e_vdata, data.e_type, data.loc_value
    f_first, f_reads, consts, const_type = data.f_first, data.f_reads, data.consts, data.const_type
    st, combo, g_event, g_base, val = work.st, work.combo, work.g_event, work.g_base, work.val
    source, forced, reads, sources, n_sources = work.source, work.forced, work.reads, work.sources, work.n_sources
    choice, accepted, d_kind, forced_option = work.choice, work.accepted, work.d_kind, work.forced_option
    refused_at = work.refused_at
    cycle_members, reach, flags = work.cycle_members, work.reach, work.flags
    slot_first, slot_length, sequence = work.slot_first, work.slot_length, work.sequence
    notify, record = config[4], config[5]
    threads = combo.shape[0]
    free_read, free_place = cycle_members[1], cycle_members[2]
    steps = 0
    while True:
        steps += 1
        if steps > budget:
            return PAUSED
        phase = st[PHASE]
        n = st[EVENTS]
        # Sections of the program that are run at the end of the step; the next step finds in st[GOOD] whether no axiom
        # failed. That there is only one place at which they are run keeps this kernel small.
        first, last = 0, 0
        if phase == P_COMBO:  # the next combination of paths, the last thread's changing fastest
            if st[DEAD_ENDS] == 1 and st[CHOICES] == 0:
                # No choice had two options that were allowed: the combination is refused, not abandoned.
                st[EXPLORED] -= 1
                st[REFUSED] += 1
            st[DEAD_ENDS] = 0
            t = threads - 1
            while t >= 0:
                combo[t] += 1
                if combo[t] < thread_count[t]:
                    break
                t -= 1
            # Paths of threads that are alike are sorted.
            for s in range(t + 1, threads):
                combo[s] = combo[thread_like[s]] if thread_like[s] >= 0 else 0
            st[PHASE] = P_SETUP if t >= 0 else P_DONE
        elif phase == P_SETUP:
            if not is_supplied(data, work):
                st[DEAD_ENDS] = 0
                st[REFUSED] += 1
                st[PHASE] = P_COMBO
                continue
            assemble(prog, data, work)
            st[DEPTH], st[FREE], st[STEPS], st[KEPT], st[PLACE], st[FRESH], st[SOLVED] = 0, 0, 0, 0, 0, 0, 0
            st[DEAD_ENDS], st[CHOICES], st[HELD], st[PRUNED], st[BEGUN] = 0, 0, 0, 0, st[EXPLORED]
            first, last = STATIC, PARTIAL_RF
            st[PHASE] = P_LIST
        elif phase == P_LIST:
            if st[GOOD] != 0:
                list_sources(prog, data, work)
                link_alike(data, work)
                st[KEPT], st[PLACE], st[DEPTH] = 0, 0, 0
                st[PHASE] = P_FILTER if config[7] != 0 and st[READS] > 0 else P_ROOT
            else:
                st[REFUSED] += 1
                st[PHASE] = P_COMBO
        elif phase == P_FILTER:
            # Sources that no completion allows are left out: read DEPTH, place PLACE of its list, KEPT are kept. A read
            # that has one source only keeps it while the others are looked at, again where that may tell more.
            k = st[DEPTH]
            if k == st[READS]:
                st[DEPTH] = 0
                if st[HELD] == 0 or st[CONDITIONS] == 0:
                    st[PHASE] = P_ROOT
                st[HELD] = 0
                continue
            if source[reads[k]] != -1:
                st[DEPTH] += 1
                continue
            if n_sources[k] == 0:
                st[PHASE] = P_COMBO
                continue
            choose(k, st[PLACE], reads, sources, n_sources, source, work.R, work.S)
            possible = values_of(data, work, keys, results)
            if possible == -2:
                withdraw(k, reads, sources, n_sources, source, work.R, work.S)
                return NEEDS_VALUE
            st[GOOD] = 0
            st[PHASE] = P_FILTERED
            if possible == 1:
                first, last = PARTIAL_RF, WHOLE_RF
                st[PHASE] = P_FILTER_BOUND
        elif phase == P_FILTER_BOUND:
            st[PHASE] = P_FILTERED
            if st[GOOD] != 0:
                first, last = PROBE, END
        elif phase == P_FILTERED:
            k = st[DEPTH]
            withdraw(k, reads, sources, n_sources, source, work.R, work.S)
            st[PHASE] = P_FILTER
            if st[GOOD] != 0:
                kept, place = st[KEPT], st[PLACE]
                sources[k, kept], sources[k, place] = sources[k, place], sources[k, kept]
                st[KEPT] += 1
            else:
                st[REFUSED] += 1
            st[PLACE] += 1
            if st[PLACE] >= n_sources[k]:
                keep_sources(k, st[KEPT], work)
                if st[KEPT] == 0:
                    st[PHASE] = P_COMBO
                elif st[KEPT] == 1:
                    choose(k, 0, reads, sources, n_sources, source, work.R, work.S)
                    st[HELD] += 1
                st[DEPTH] += 1
                st[PLACE], st[KEPT] = 0, 0
        elif phase == P_ROOT:
            st[RESULT_READY] = 0
            possible = values_of(data, work, keys, results)
            if possible == -2:
                return NEEDS_VALUE
            if possible == 0 or (st[CONDITIONS] > 0 and wants_undef_in_vain(data, work, work.path[0])):
                st[REFUSED] += 1
                st[PHASE] = P_COMBO
            else:
                for k in range(st[READS]):
                    if source[reads[k]] != -1:
                        withdraw(k, reads, sources, n_sources, source, work.R, work.S)
                list_decisions(prog, data, work)
                first = PARTIAL_RF
                last = WHOLE_RF if st[READS] > 0 else WHOLE_ORDER
                choice[0] = -1
                for d in range(st[DECISIONS]):
                    forced_option[d] = -1
                    for option in range(refused_at.shape[1]):
                        refused_at[d, option] = NEVER
                st[PHASE] = P_CHECKED
                st[DEPTH] = -1
        elif phase == P_NEXT:  # the next option of the decision at hand
            d = st[DEPTH]
            if d < 0:
                st[PHASE] = P_COMBO
                continue
            if st[SINGLE] != 0:  # one candidate for the search through lanes, which goes on with the others
                while st[DEPTH] >= 0:
                    undo(st[DEPTH], prog, work)
                    choice[st[DEPTH]] = -1
                    st[DEPTH] -= 1
                return LONG_COMBINATION
            st[STEPS] += 1
            if st[STEPS] == st[LONG]:
                return LONG_COMBINATION
            if choice[d] >= 0:
                undo(d, prog, work)
                choice[d] = choice[d] + 1 if forced_option[d] < 0 else NONE_LEFT
            else:
                choice[d] = max(forced_option[d], 0)
            while barred(d, work) or was_refused(d, work):
                choice[d] += 1
            if take(d, prog, work):
                # What looking ahead has found to be the only option has been checked, and nothing new is known.
                st[PHASE] = P_CHECK if forced_option[d] < 0 or d == st[LAST_READ] else P_DEEPER
            else:
                choice[d] = -1
                if accepted[d] == 0:
                    st[EXPLORED] += 1
                    st[DEAD_ENDS] += 1
                st[DEPTH] -= 1
        elif phase == P_CHECK:
            d = st[DEPTH]
            st[PHASE] = P_CHECKED
            if d_kind[d] == D_READ and st[CONDITIONS] > 0:
                possible = values_of(data, work, keys, results)
                if possible == -2:
                    st[PHASE] = P_CHECK
                    return NEEDS_VALUE
                if possible == 0:
                    st[REFUSED] += 1
                    st[PHASE] = P_NEXT
                    continue
            # What reads-from alone decides is kept while reads-from stays.
            first, last = PARTIAL_RF, WHOLE_RF
            if st[FRESH] != 0:
                first, last = PARTIAL_ORDER, PARTIAL_REST
            if d == st[LAST_READ] or st[SINGLE] != 0:
                st[RESULT_READY] = 0
                last = WHOLE_ORDER
            elif d_kind[d] == D_READ and config[7] != 0:
                st[PHASE] = P_BOUND
        elif phase == P_BOUND:
            st[PHASE] = P_CHECKED
            if st[GOOD] != 0 and pays(STEP_RUNS, STEP_FAILS, st):
                first, last = PROBE, END
                st[PHASE] = P_BOUNDED
        elif phase == P_BOUNDED:
            st[PHASE] = P_CHECKED
            st[BOUNDED] = 1  # these bounds have taken the place of what is kept
            if st[GOOD] == 0:
                st[STEP_FAILS] += 1
        elif phase == P_CHECKED:
            bounded = st[BOUNDED] != 0
            st[BOUNDED] = 0
            if st[GOOD] == 0:
                st[REFUSED] += 1
                st[PHASE] = P_NEXT
                continue
            st[FRESH] = 0 if bounded else 1
            if st[CONDITIONS] > 0 and st[DEPTH] + 1 < st[DECISIONS] and st[DEPTH] < st[LAST_READ] and st[SINGLE] == 0:
                for later in range(st[DEPTH] + 1, st[DECISIONS]):
                    choice[later], forced_option[later] = -1, -1
                    for option in range(refused_at.shape[1]):
                        if refused_at[later, option] >= st[DEPTH]:
                            refused_at[later, option] = NEVER
                st[AHEAD], st[PLACE], st[KEPT], st[HELD], st[TURN] = st[DEPTH] + 1, 0, 0, 0, st[DECISIONS]
                st[HALF] = -1
                st[PHASE] = P_AHEAD
            else:
                st[PHASE] = P_DEEPER
        elif phase == P_AHEAD:
            # Each decision that is left must have an option that is allowed: of decision AHEAD, option PLACE is next,
            # and KEPT are allowed so far, the first one ONLY. One that has one only keeps it while the others are
            # looked at, again where that may tell more.
            a = st[AHEAD]
            if a == st[DECISIONS] or (a == st[TURN] and st[HELD] == 0):
                if st[HELD] > 0:
                    st[AHEAD], st[HELD] = st[DEPTH] + 1, 0
                else:
                    release(st[DEPTH] + 1, prog, work)
                    st[PHASE] = P_DEEPER
                continue
            if choice[a] >= 0 or work.may_fail[a] == 0 or (a > 0 and is_pair(a - 1, work) and choice[a - 1] < 0):
                st[AHEAD] += 1
                continue
            choice[a] = st[PLACE]
            while barred(a, work) or was_refused(a, work):
                choice[a] += 1
            st[PLACE] = choice[a]
            if not take(a, prog, work):
                choice[a] = -1
                if st[KEPT] == 0:
                    release(st[DEPTH] + 1, prog, work)
                    st[REFUSED] += 1
                    st[PRUNED] += 1
                    st[PHASE] = P_NEXT
                    continue
                choice[a] = st[ONLY]
                if d_kind[a] == D_READ:
                    forced_option[a] = st[ONLY]
                take(a, prog, work)
                st[HELD] += 1
                st[TURN] = a  # those after it are looked at with it held, so that another round ends here
                st[AHEAD] += 1
                st[PLACE], st[KEPT] = 0, 0
                continue
            possible = values_of(data, work, keys, results)
            if possible == -2:
                undo(a, prog, work)
                choice[a] = -1
                return NEEDS_VALUE
            st[GOOD] = 0
            st[PHASE] = P_AHEAD_CHECKED
            if possible == 1:
                first, last = PARTIAL_ORDER if st[FRESH] != 0 else PARTIAL_RF, PARTIAL_REST
                st[PHASE] = P_AHEAD_REST
        elif phase == P_AHEAD_REST:
            # The rest of the axioms, and bounds, are computed while that tells something.
            st[PHASE] = P_AHEAD_CHECKED
            if st[GOOD] != 0 and pays(REST_RUNS, REST_FAILS, st):
                st[PHASE] = P_AHEAD_BOUND
                if st[FRESH] == 0:
                    first, last = PARTIAL_REST, WHOLE_RF
        elif phase == P_AHEAD_BOUND:
            st[PHASE] = P_AHEAD_CHECKED
            if st[GOOD] == 0:
                st[REST_FAILS] += 1
            elif config[7] != 0 and pays(BOUND_RUNS, BOUND_FAILS, st):
                st[FRESH] = 0  # these bounds take the place of what is kept
                first, last = PROBE, END
                st[PHASE] = P_AHEAD_BOUNDED
        elif phase == P_AHEAD_BOUNDED:
            st[PHASE] = P_AHEAD_CHECKED
            if st[GOOD] == 0:
                st[BOUND_FAILS] += 1
        elif phase == P_AHEAD_HALF:
            # What a read half reads must leave its write half a place, too: number HALF is next.
            a = st[AHEAD]
            choice[a + 1] = st[HALF]
            while barred(a + 1, work):
                choice[a + 1] += 1
            st[HALF] = choice[a + 1]
            st[GOOD] = 0
            st[PHASE] = P_AHEAD_CHECKED
            if take(a + 1, prog, work):
                first, last = PARTIAL_ORDER if st[FRESH] != 0 else PARTIAL_RF, PARTIAL_REST
                st[PHASE] = P_AHEAD_REST
            else:
                choice[a + 1] = -1
                st[HALF] = -1
        elif phase == P_AHEAD_CHECKED:
            a = st[AHEAD]
            if st[HALF] >= 0:
                undo(a + 1, prog, work)
                choice[a + 1] = -1
                if st[GOOD] == 0:
                    st[HALF] += 1
                    st[PHASE] = P_AHEAD_HALF
                    continue
            elif st[GOOD] != 0 and is_pair(a, work) and choice[a + 1] < 0:
                st[HALF] = 0
                st[PHASE] = P_AHEAD_HALF
                continue
            st[HALF] = -1
            undo(a, prog, work)
            choice[a] = -1
            st[PHASE] = P_AHEAD
            st[PLACE] += 1
            if st[GOOD] != 0:
                if st[KEPT] == 0:
                    st[ONLY] = st[PLACE] - 1
                st[KEPT] += 1
                if st[KEPT] == 2:
                    st[AHEAD] += 1
                    st[PLACE], st[KEPT] = 0, 0
            elif d_kind[a] == D_READ:
                refused_at[a, st[PLACE] - 1] = st[DEPTH]
        elif phase == P_DEEPER:
            st[DEPTH] += 1
            d = st[DEPTH]
            if d > 0:
                accepted[d - 1] += 1
                if accepted[d - 1] > 1:
                    st[CHOICES] += 1
            if d == st[DECISIONS]:
                st[DEPTH] -= 1
                st[PHASE] = P_VALUES
            else:
                choice[d] = -1
                accepted[d] = 0
                st[PHASE] = P_NEXT
        elif phase == P_VALUES:
            st[SOLUTIONS] = 0
            if st[SOLVED] == 0:
                possible = values_of(data, work, keys, results)
                if possible == -2:
                    return NEEDS_VALUE
                st[SOLVED] = 1
            if st[UNKNOWN] > 0:
                st[SOLVED] = 0
                st[CYCLIC] = 1
                st[FREE] = 1
                free_place[1] = -1
                free_read[1] = -1
                st[PHASE] = P_FREE_NEXT
            else:
                st[PHASE] = P_LEAF
        elif phase == P_FREE_NEXT:
            # Level FREE of the choices for cyclic value equations: a read on the cycle, and a constant for it.
            level = st[FREE]
            if free_read[level] >= 0:
                forced[free_read[level]] = UNKNOWN_ID
                free_read[level] = -1
            if not solved(data, work, keys, results):
                return NEEDS_VALUE
            members = find_cycle(
                n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, cycle_members[0]
            )
            free_place[level] += 1
            place = free_place[level]
            if members == 0 or place >= members * consts.shape[0]:
                st[FREE] -= 1
                if st[FREE] == 0:
                    if st[SOLUTIONS] == 0:
                        st[EXPLORED] += 1
                    st[PHASE] = next_after_leaf(prog, work)
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
            if not solved(data, work, keys, results):
                forced[q] = value
                return NEEDS_VALUE
            members = find_cycle(
                n, g_event, g_base, val, source, e_vkind, e_vdata, f_first, f_reads, reach, cycle_members[0]
            )
            forced[q] = value
            possible = values_of(data, work, keys, results)
            if possible == -2:
                return NEEDS_VALUE
            good = st[UNKNOWN] >= 0 and possible == 1
            # Each solution once: no earlier read of the cycle may have a constant's value too.
            for m in range(members):
                if cycle_members[0, m] == q:
                    break
                if constant(val[cycle_members[0, m]], consts):
                    good = False
            if not good:
                st[PHASE] = P_FREE_NEXT
            elif st[UNKNOWN] > 0:
                st[FREE] += 1
                free_place[st[FREE]] = -1
                free_read[st[FREE]] = -1
                st[PHASE] = P_FREE_NEXT
            else:
                st[PHASE] = P_LEAF
        elif phase == P_LEAF:
            first, last = WHOLE_ORDER, RESULT_RF
            st[PHASE] = P_RESULT
        elif phase == P_RESULT:
            if st[GOOD] == 0 or too_few_complete(combo, data):
                st[EXPLORED] += 1
                st[CHOICES] += 1
                st[PHASE] = next_after_leaf(prog, work)
            else:
                st[PHASE] = P_RESULT_ORDER
                if st[RESULT_READY] == 0:
                    flags[0] = ZERO
                    first, last = RESULT_RF, RESULT_ORDER
        elif phase == P_RESULT_ORDER:
            if st[RESULT_READY] == 0:
                flags[2] = flags[0]
                st[RESULT_READY] = 1
            flags[0] = flags[2]
            first, last = RESULT_ORDER, PROBE
            st[PHASE] = P_COUNT
        elif phase == P_COUNT:
            if st[CONSISTENT] >= MOST_COUNTED:
                return NEEDS_TALLY
            ub = ZERO
            cut = False
            for t in range(threads):
                end = p_end[thread_first[t] + combo[t]]
                if end == 1:
                    cut = True
                elif end > 1:
                    ub |= ONE << uint64(end - 2)
            if ub == ZERO and not cut and barrier_mismatch(combo, data):
                ub = ONE << uint64(config[6])
            has_state = ub & prog.ends[0] != ZERO or (ub == ZERO and not cut)
            if has_state:
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
            st[CONSISTENT] += st[WEIGHT]
            st[CHOICES] += 1
            st[SOLUTIONS] += 1
            new = False
            flags[1] |= ub
            if has_state:
                raised = ZERO if ub & prog.ends[1] != ZERO else flags[0]
                show_flags(prog, row, raised, ub)
                new = count_state(st, row, states, counts, state_flags, index, raised) == 1
            elif ub == ZERO:
                st[CUT] += st[WEIGHT]
            st[PHASE] = next_after_leaf(prog, work)
            if new and notify != 0:
                return NEW_STATE
        else:
            return DONE
        if last > 0:
            n = st[EVENTS]
            w = (n + 63) >> 6
            good = run(code, sections[first], sections[last], work.R, work.flat, work.S, work.alive, n, w, flags)
            st[GOOD] = 1 if good else 0
        if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT] and st[PHASE] != P_DONE:
            return AT_LIMIT
