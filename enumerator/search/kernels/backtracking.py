"""Resumable backtracking search over the candidate executions of a test, one combination of paths after the other.

A step is one phase (``op.P_…``): the next combination of paths, one source of a read looked at, the next option of a
decision, one option looked at ahead (forward checking), a complete candidate. The search stops after any step, and
where something is missing that Python computes; the same phase then begins anew. So whatever a phase has taken before
it may stop, it takes back.

This file is long because all phases of one machine are here, each of which says which comes next.
"""

from __future__ import annotations

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.candidates import assemble, choose, keep_sources, list_sources, withdraw
from enumerator.search.kernels.decisions import (
    NONE_LEFT,
    barred,
    is_pair,
    list_decisions,
    order_orbits,
    release,
    take,
    undo,
    was_refused,
)
from enumerator.search.kernels.outcomes import NEXT, contradict_at_barriers, counts, disagrees, keep_record, tally
from enumerator.search.kernels.relations import ZERO, passes
from enumerator.search.kernels.values import find_cycle, solved, values_of, wants_undef_in_vain


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
def within_bounds(prog, work):
    """Tell whether no axiom fails by what any completion must have, and at most may have, of each relation."""
    work.st[op.FRESH] = 0  # these bounds take the place of what is kept from reads-from alone
    return passes(op.PROBE, op.END, prog, work)


# Combinations of paths --------------------------------------------------------------------------------------------


@inner
def next_combination(data, work):
    """Go to the next combination of paths, the last thread's changing fastest.

    Combinations are passed over in which threads do not agree on how they meet at barriers.
    """
    st, combo = work.st, work.combo
    if st[op.DEAD_ENDS] == 1 and st[op.CHOICES] == 0:
        # No choice had two options that were allowed: the combination is refused, not abandoned.
        st[op.EXPLORED] -= 1
        st[op.REFUSED] += 1
    st[op.DEAD_ENDS] = 0
    changes = combo.shape[0] - 1
    while changes >= 0:
        t = changes
        while t >= 0:
            combo[t] += 1
            if combo[t] < data.thread_count[t]:
                break
            t -= 1
        for s in range(t + 1, combo.shape[0]):  # paths of symmetric threads are sorted
            combo[s] = combo[data.symmetric_with[s]] if data.symmetric_with[s] >= 0 else 0
        changes = disagrees(combo, data) if t >= 0 else -1
    st[op.PHASE] = op.P_SETUP if t >= 0 else op.P_DONE


@inner
def set_up(prog, data, work):
    """Lay out the combination of paths at hand: its events, base relations, sources and writes to order."""
    st = work.st
    assemble(prog, data, work)
    st[op.DEPTH], st[op.FREE], st[op.STEPS], st[op.FRESH], st[op.SOLVED] = 0, 0, 0, 0, 0
    st[op.DEAD_ENDS], st[op.CHOICES], st[op.PRUNED], st[op.BEGUN] = 0, 0, 0, st[op.EXPLORED]
    if passes(op.STATIC, op.PARTIAL_RF, prog, work):
        list_sources(prog, data, work)
        order_orbits(data, work)
        st[op.KEPT], st[op.PLACE], st[op.HELD] = 0, 0, 0
        st[op.PHASE] = op.P_FILTER if prog.config[op.C_BOUNDS] != 0 and st[op.READS] > 0 else op.P_ROOT
    else:
        st[op.REFUSED] += 1
        st[op.PHASE] = op.P_COMBO


@inner
def filter_sources(prog, data, work, findings):
    """Leave out a source that no completion allows: of read DEPTH, place PLACE of its list; KEPT are kept so far.

    A read that has one source only keeps it while the others are looked at, again where that may tell more.
    """
    st, source, reads, sources, n_sources = work.st, work.source, work.reads, work.sources, work.n_sources
    k = st[op.DEPTH]
    if k == st[op.READS]:
        st[op.DEPTH] = 0
        if st[op.HELD] == 0 or st[op.CONDITIONS] == 0:
            st[op.PHASE] = op.P_ROOT
        st[op.HELD] = 0
        return NEXT
    if source[reads[k]] != -1:
        st[op.DEPTH] += 1
        return NEXT
    if n_sources[k] == 0:
        st[op.PHASE] = op.P_COMBO
        return NEXT
    choose(k, st[op.PLACE], reads, sources, n_sources, source, work.R, work.S)
    possible = values_of(data, work, findings)
    good = possible == 1 and passes(op.PARTIAL_RF, op.WHOLE_RF, prog, work) and passes(op.PROBE, op.END, prog, work)
    withdraw(k, reads, sources, n_sources, source, work.R, work.S)
    if possible == -2:
        return op.NEEDS_VALUE
    if good:
        kept, place = st[op.KEPT], st[op.PLACE]
        sources[k, kept], sources[k, place] = sources[k, place], sources[k, kept]
        st[op.KEPT] += 1
    else:
        st[op.REFUSED] += 1
    st[op.PLACE] += 1
    if st[op.PLACE] >= n_sources[k]:
        keep_sources(k, st[op.KEPT], work)
        if st[op.KEPT] == 0:
            st[op.PHASE] = op.P_COMBO
        elif st[op.KEPT] == 1:
            choose(k, 0, reads, sources, n_sources, source, work.R, work.S)
            st[op.HELD] += 1
        st[op.DEPTH] += 1
        st[op.PLACE], st[op.KEPT] = 0, 0
    return NEXT


@inner
def begin_decisions(prog, data, work, findings):
    """List the decisions of the combination at hand, unless it is refused before any is taken."""
    st = work.st
    st[op.RESULT_READY] = 0
    possible = values_of(data, work, findings)
    if possible == -2:
        return op.NEEDS_VALUE
    st[op.PHASE] = op.P_COMBO
    if possible == 1 and not (st[op.CONDITIONS] > 0 and wants_undef_in_vain(data, work, work.path[0])):
        for k in range(st[op.READS]):
            if work.source[work.reads[k]] != -1:
                withdraw(k, work.reads, work.sources, work.n_sources, work.source, work.R, work.S)
        list_decisions(prog, data, work)
        work.choice[0] = -1
        for d in range(st[op.DECISIONS]):
            work.forced_option[d] = -1
            for option in range(work.refused_at.shape[1]):
                work.refused_at[d, option] = op.NEVER
        st[op.DEPTH] = -1
        if passes(op.PARTIAL_RF, op.WHOLE_RF if st[op.READS] > 0 else op.WHOLE_ORDER, prog, work):
            st[op.FRESH] = 1
            begin_ahead(work)
            return NEXT
    st[op.REFUSED] += 1
    return NEXT


# Decisions --------------------------------------------------------------------------------------------------------


@inner
def back_to_root(work, prog):
    """Take back all decisions."""
    st = work.st
    while st[op.DEPTH] >= 0:
        undo(st[op.DEPTH], prog, work)
        work.choice[st[op.DEPTH]] = -1
        st[op.DEPTH] -= 1


@inner
def next_option(prog, work):
    """Take the next option of the decision at hand; where none is left, go back to the one before it."""
    st, choice, forced_option = work.st, work.choice, work.forced_option
    d = st[op.DEPTH]
    if d < 0:
        st[op.PHASE] = op.P_COMBO
        return NEXT
    if st[op.SINGLE] != 0:  # one candidate for the bit-parallel search, which goes on with the others
        back_to_root(work, prog)
        return op.LONG_COMBINATION
    st[op.STEPS] += 1
    if st[op.STEPS] == st[op.LONG]:
        return op.LONG_COMBINATION
    if choice[d] >= 0:
        undo(d, prog, work)
        choice[d] = choice[d] + 1 if forced_option[d] < 0 else NONE_LEFT
    else:
        choice[d] = max(forced_option[d], 0)
    while barred(d, work) or was_refused(d, work):
        choice[d] += 1
    if take(d, prog, work):
        if forced_option[d] < 0 or d == st[op.LAST_READ]:
            st[op.PHASE] = op.P_CHECK
        else:  # what looking ahead has found to be the only option has been checked, and nothing new is known
            go_deeper(work)
    else:
        choice[d] = -1
        if work.accepted[d] == 0:
            st[op.EXPLORED] += 1
            st[op.DEAD_ENDS] += 1
        st[op.DEPTH] -= 1
    return NEXT


@inner
def check_option(prog, data, work, findings):
    """Tell whether the option that was taken contradicts a condition, an axiom, or the bounds of a monotone one."""
    st = work.st
    d = st[op.DEPTH]
    reads = work.d_kind[d] == op.D_READ
    if reads and st[op.CONDITIONS] > 0:
        possible = values_of(data, work, findings)
        if possible == -2:
            return op.NEEDS_VALUE
        if possible == 0:
            st[op.REFUSED] += 1
            st[op.PHASE] = op.P_NEXT
            return NEXT
    # What reads-from alone decides is kept while reads-from stays.
    first, last = op.PARTIAL_RF, op.WHOLE_RF
    if st[op.FRESH] != 0:
        first, last = op.PARTIAL_ORDER, op.PARTIAL_REST
    complete = d == st[op.LAST_READ] or st[op.SINGLE] != 0
    if complete:
        st[op.RESULT_READY] = 0
        last = op.WHOLE_ORDER
    good = passes(first, last, prog, work)
    fresh = 1
    if good and not complete and reads and prog.config[op.C_BOUNDS] != 0 and pays(op.STEP_RUNS, op.STEP_FAILS, st):
        good = within_bounds(prog, work)
        fresh = 0
        if not good:
            st[op.STEP_FAILS] += 1
    if good:
        st[op.FRESH] = fresh
        begin_ahead(work)
    else:
        st[op.REFUSED] += 1
        st[op.PHASE] = op.P_NEXT
    return NEXT


@inner
def go_deeper(work):
    """Go on with the next decision, or with the values of a complete candidate."""
    st = work.st
    st[op.DEPTH] += 1
    d = st[op.DEPTH]
    if d > 0:
        work.accepted[d - 1] += 1
        if work.accepted[d - 1] > 1:
            st[op.CHOICES] += 1
    if d == st[op.DECISIONS]:
        st[op.DEPTH] -= 1
        st[op.PHASE] = op.P_VALUES
    else:
        work.choice[d] = -1
        work.accepted[d] = 0
        st[op.PHASE] = op.P_NEXT


# Forward checking -------------------------------------------------------------------------------------------------


@inner
def begin_ahead(work):
    """Look ahead from the decision at hand, where that may tell something; else go deeper."""
    st = work.st
    d = st[op.DEPTH]
    if st[op.CONDITIONS] == 0 or d + 1 >= st[op.DECISIONS] or d >= st[op.LAST_READ] or st[op.SINGLE] != 0:
        go_deeper(work)
        return
    for later in range(d + 1, st[op.DECISIONS]):
        work.choice[later], work.forced_option[later] = -1, -1
        for option in range(work.refused_at.shape[1]):
            if work.refused_at[later, option] >= d:
                work.refused_at[later, option] = op.NEVER
    st[op.AHEAD], st[op.PLACE], st[op.KEPT], st[op.HELD], st[op.TURN] = d + 1, 0, 0, 0, st[op.DECISIONS]
    st[op.PHASE] = op.P_AHEAD


@inner
def is_allowed(prog, work):
    """Tell whether the axioms, and their bounds while these tell something, allow what was taken ahead."""
    st = work.st
    if not passes(op.PARTIAL_ORDER if st[op.FRESH] != 0 else op.PARTIAL_RF, op.PARTIAL_REST, prog, work):
        return False
    if not pays(op.REST_RUNS, op.REST_FAILS, st):
        return True
    if st[op.FRESH] == 0 and not passes(op.PARTIAL_REST, op.WHOLE_RF, prog, work):
        st[op.REST_FAILS] += 1
        return False
    if prog.config[op.C_BOUNDS] == 0 or not pays(op.BOUND_RUNS, op.BOUND_FAILS, st):
        return True
    if not within_bounds(prog, work):
        st[op.BOUND_FAILS] += 1
        return False
    return True


@inner
def has_place(a, prog, work):
    """Tell whether what read half a reads leaves its write half, decision a + 1, a place."""
    choice = work.choice
    choice[a + 1] = 0
    while True:
        while barred(a + 1, work):
            choice[a + 1] += 1
        if not take(a + 1, prog, work):
            choice[a + 1] = -1
            return False
        good = is_allowed(prog, work)
        undo(a + 1, prog, work)
        if good:
            choice[a + 1] = -1
            return True
        choice[a + 1] += 1


@inner
def look_ahead(prog, data, work, findings):
    """Look at one option of one of the decisions that are left: each must have an option that is allowed.

    Of decision AHEAD, option PLACE is next, and KEPT are allowed so far, the first one ONLY. One that has one only
    keeps it while the others are looked at, again where that may tell more.
    """
    st, choice = work.st, work.choice
    a = st[op.AHEAD]
    if a == st[op.DECISIONS] or (a == st[op.TURN] and st[op.HELD] == 0):
        if st[op.HELD] > 0:
            st[op.AHEAD], st[op.HELD] = st[op.DEPTH] + 1, 0
        else:
            release(st[op.DEPTH] + 1, prog, work)
            go_deeper(work)
        return NEXT
    if choice[a] >= 0 or work.may_fail[a] == 0 or (a > 0 and is_pair(a - 1, work) and choice[a - 1] < 0):
        st[op.AHEAD] += 1
        return NEXT
    choice[a] = st[op.PLACE]
    while barred(a, work) or was_refused(a, work):
        choice[a] += 1
    st[op.PLACE] = choice[a]
    if not take(a, prog, work):
        choice[a] = -1
        if st[op.KEPT] == 0:
            release(st[op.DEPTH] + 1, prog, work)
            st[op.REFUSED] += 1
            st[op.PRUNED] += 1
            st[op.PHASE] = op.P_NEXT
            return NEXT
        choice[a] = st[op.ONLY]
        if work.d_kind[a] == op.D_READ:
            work.forced_option[a] = st[op.ONLY]
        take(a, prog, work)
        st[op.HELD] += 1
        st[op.TURN] = a  # those after it are looked at with it held, so that another round ends here
        st[op.AHEAD] += 1
        st[op.PLACE], st[op.KEPT] = 0, 0
        return NEXT
    possible = values_of(data, work, findings)
    good = possible == 1 and is_allowed(prog, work)
    if good and is_pair(a, work) and choice[a + 1] < 0:
        good = has_place(a, prog, work)
    undo(a, prog, work)
    choice[a] = -1
    if possible == -2:
        return op.NEEDS_VALUE
    st[op.PLACE] += 1
    if good:
        if st[op.KEPT] == 0:
            st[op.ONLY] = st[op.PLACE] - 1
        st[op.KEPT] += 1
        if st[op.KEPT] == 2:
            st[op.AHEAD] += 1
            st[op.PLACE], st[op.KEPT] = 0, 0
    elif work.d_kind[a] == op.D_READ:
        work.refused_at[a, st[op.PLACE] - 1] = st[op.DEPTH]
    return NEXT


# Values -----------------------------------------------------------------------------------------------------------


@inner
def begin_values(data, work, findings):
    """Compute the values of a complete candidate; where some lie on a cycle, try constants for them."""
    st = work.st
    st[op.SOLUTIONS] = 0
    if st[op.SOLVED] == 0:
        if values_of(data, work, findings) == -2:
            return op.NEEDS_VALUE
        st[op.SOLVED] = 1
    st[op.PHASE] = op.P_LEAF
    if st[op.UNKNOWN] > 0:
        st[op.SOLVED], st[op.CYCLIC] = 0, 1
        open_level(1, work)
    return NEXT


@inner
def open_level(level, work):
    """Begin a level of the choices for cyclic value equations: a read on the cycle, and a constant for it."""
    work.st[op.FREE] = level
    work.cycle_members[1, level], work.cycle_members[2, level] = -1, -1
    work.st[op.PHASE] = op.P_FREE_NEXT


@inner
def cycle_of(data, work):
    """List the reads of a cycle of value equations; their number."""
    return find_cycle(
        work.st[op.EVENTS],
        work.g_event,
        work.g_base,
        work.val,
        work.source,
        data.e_vkind,
        data.e_vdata,
        data.f_first,
        data.f_reads,
        work.reach,
        work.cycle_members[0],
    )


@inner
def next_constant(prog, data, work, findings):
    """Choose the next constant for a read on the cycle of level FREE."""
    st, forced, consts = work.st, work.forced, data.consts
    free_read, free_place = work.cycle_members[1], work.cycle_members[2]
    level = st[op.FREE]
    if free_read[level] >= 0:
        forced[free_read[level]] = op.UNKNOWN_ID
        free_read[level] = -1
    if not solved(data, work, findings):
        return op.NEEDS_VALUE
    members = cycle_of(data, work)
    free_place[level] += 1
    place = free_place[level]
    if members == 0 or place >= members * consts.shape[0]:
        st[op.FREE] -= 1
        if st[op.FREE] == 0:
            if st[op.SOLUTIONS] == 0:
                st[op.EXPLORED] += 1
            leave_leaf(prog, work)
    else:
        q = work.cycle_members[0, place // consts.shape[0]]
        c = place % consts.shape[0]
        if data.const_type[c] == data.e_type[work.g_event[q]]:
            free_read[level] = q
            forced[q] = consts[c]
            st[op.PHASE] = op.P_FREE_CHECK
    return NEXT


@inner
def is_constant(value, consts):
    """Tell whether a value is one of the constants of the test."""
    for k in range(consts.shape[0]):
        if consts[k] == value:
            return True
    return False


@inner
def check_constant(data, work, findings):
    """Tell whether the value equations have a solution with the constants chosen, which has not been met before."""
    st, forced = work.st, work.forced
    level = st[op.FREE]
    q = work.cycle_members[1, level]
    # The members of this level's cycle, before any was given a value.
    value = forced[q]
    forced[q] = op.UNKNOWN_ID
    if not solved(data, work, findings):
        forced[q] = value
        return op.NEEDS_VALUE
    members = cycle_of(data, work)
    forced[q] = value
    possible = values_of(data, work, findings)
    if possible == -2:
        return op.NEEDS_VALUE
    good = st[op.UNKNOWN] >= 0 and possible == 1
    # Each solution once: no earlier read of the cycle may have a constant's value too.
    for m in range(members):
        if work.cycle_members[0, m] == q:
            break
        if is_constant(work.val[work.cycle_members[0, m]], data.consts):
            good = False
    if not good:
        st[op.PHASE] = op.P_FREE_NEXT
    elif st[op.UNKNOWN] > 0:
        open_level(level + 1, work)
    else:
        st[op.PHASE] = op.P_LEAF
    return NEXT


# Complete candidates ----------------------------------------------------------------------------------------------


@inner
def check_leaf(prog, data, work):
    """Tell whether a complete candidate is consistent; its flags are computed for the count."""
    st, flags = work.st, work.flags
    if not passes(op.WHOLE_ORDER, op.RESULT_RF, prog, work) or contradict_at_barriers(work.combo, data):
        st[op.EXPLORED] += 1
        st[op.CHOICES] += 1
        leave_leaf(prog, work)
        return
    if st[op.RESULT_READY] == 0:  # what reads-from alone decides is kept while reads-from stays
        flags[0] = ZERO
        passes(op.RESULT_RF, op.RESULT_ORDER, prog, work)
        flags[2] = flags[0]
        st[op.RESULT_READY] = 1
    flags[0] = flags[2]
    passes(op.RESULT_ORDER, op.PROBE, prog, work)
    st[op.PHASE] = op.P_COUNT


@inner
def leave_leaf(prog, work):
    """Go on after a complete candidate; where one order is as good as all, leave the others out."""
    st = work.st
    if st[op.FREE] > 0:
        st[op.PHASE] = op.P_FREE_NEXT
        return
    st[op.PHASE] = op.P_NEXT
    config = prog.config
    leaves_out = config[op.C_NO_ORDERS] != 0 or config[op.C_LAST_ONLY] != 0
    if leaves_out and st[op.SOLUTIONS] > 0 and config[op.C_RECORD] == 0:
        first = st[op.LAST_READ] + 1
        for d in range(first, st[op.DECISIONS]):
            if work.d_kind[d] == op.D_LAST:
                first = d + 1
        # The first of the orders' decisions has no further options to try, either.
        while st[op.DEPTH] >= first:
            undo(st[op.DEPTH], prog, work)
            work.choice[st[op.DEPTH]] = -1
            st[op.DEPTH] -= 1


@inner
def count_leaf(prog, data, work, findings, records):
    """Count a consistent execution, for its final state if it has one."""
    st, record = work.st, prog.config[op.C_RECORD]
    if prog.config[op.C_WAITS] != 0 and not counts(prog, data, work):
        st[op.EXPLORED] += 1
        st[op.CHOICES] += 1
        leave_leaf(prog, work)
        return NEXT
    kept = record != 0 and (record < 0 or st[op.CONSISTENT] < record)
    if kept and st[op.RECORDS] >= records.combo.shape[0]:
        return op.NEEDS_RECORDS
    stop = tally(prog, data, work, findings)
    if stop != NEXT and stop != op.NEW_STATE:
        return stop
    if kept:
        keep_record(work, records)
    st[op.CHOICES] += 1
    st[op.SOLUTIONS] += 1
    leave_leaf(prog, work)
    return stop


@njit
def search(prog, data, work, findings, records, budget):
    """Go on with the search for at most `budget` steps; the result says why it stopped (opcodes, DONE and after)."""
    st = work.st
    for _ in range(budget):
        phase = st[op.PHASE]
        stop = NEXT
        if phase == op.P_NEXT:
            stop = next_option(prog, work)
        elif phase == op.P_CHECK:
            stop = check_option(prog, data, work, findings)
        elif phase == op.P_AHEAD:
            stop = look_ahead(prog, data, work, findings)
        elif phase == op.P_VALUES:
            stop = begin_values(data, work, findings)
        elif phase == op.P_LEAF:
            check_leaf(prog, data, work)
        elif phase == op.P_COUNT:
            stop = count_leaf(prog, data, work, findings, records)
        elif phase == op.P_COMBO:
            next_combination(data, work)
        elif phase == op.P_SETUP:
            set_up(prog, data, work)
        elif phase == op.P_FILTER:
            stop = filter_sources(prog, data, work, findings)
        elif phase == op.P_ROOT:
            stop = begin_decisions(prog, data, work, findings)
        elif phase == op.P_FREE_NEXT:
            stop = next_constant(prog, data, work, findings)
        elif phase == op.P_FREE_CHECK:
            stop = check_constant(data, work, findings)
        else:
            return op.DONE
        if stop != NEXT:
            return stop
        if st[op.LIMIT] >= 0 and st[op.EXPLORED] >= st[op.LIMIT] and st[op.PHASE] != op.P_DONE:
            return op.AT_LIMIT
        if 0 <= st[op.ALLOWED] <= st[op.WORK]:
            return op.PAUSED
    return op.PAUSED
