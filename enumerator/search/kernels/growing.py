"""Resumable search that grows executions: threads run, and a read takes a write that is there or waits for another.

A thread runs up to its next read. One of the reads is decided: it takes a write of its location that is in the graph,
or it waits, which passes over all that are there now. So each execution is met once. Where the model lets a thread run
past a read (all that it forbids is a cycle of dependencies and reads-from), that is done when nothing else is left to
do: up to the next value that decides how the thread goes on; and if what follows does not depend on that value, either,
one is assumed.

What is done after a decision is on the trail, so that it can be undone. A phase that needs something that only Python
has changes nothing before it returns.

Here are the phases, each of which says which comes next. How threads run is in ``running``, the options of a decision
in ``taking``, what the model says in ``allowing``; the graph itself in ``growth``, which read is decided in
``choosing``, what reads may take in ``serving``, what threads may still write in ``coming``.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.allowing import (
    allowed,
    complete,
    holds_still,
    keeps_on,
    may_raise_flags,
    passes_late,
    refuse,
    show_reads,
    stays_good,
)
from enumerator.search.kernels.choosing import (
    any_busy,
    decides_kind,
    has_one_source,
    has_rivals,
    most_pressing,
    put_off,
)
from enumerator.search.kernels.coherent import find_stale, is_left_behind, knows_hidden, runs_past
from enumerator.search.kernels.coming import any_free
from enumerator.search.kernels.entering import note, relate
from enumerator.search.kernels.growth import (
    at_fork,
    decide,
    is_full,
    is_idle_update,
    is_open,
    is_unserved,
    keep_to_come,
    note_dead_end,
    note_unknown,
)
from enumerator.search.kernels.options import count_options, look_ahead
from enumerator.search.kernels.outcomes import (
    NEXT,
    any_refused,
    contradict_at_barriers,
    counts,
    keep_record,
    misses_barrier,
    tally,
)
from enumerator.search.kernels.relations import ONE, ZERO, passes
from enumerator.search.kernels.running import MOVED, SPLIT, let_through, run_on
from enumerator.search.kernels.serving import (
    NO_DECISION,
    STUCK,
    has_waited,
    may_be_undef,
    no_longer_stuck,
    serve,
)
from enumerator.search.kernels.symmetric import find_together, next_twin, put, set_apart, treats_alike
from enumerator.search.kernels.taking import next_option
from enumerator.search.kernels.tried import NOTHING, RACES, may_come_of, thread_that_tried
from enumerator.search.kernels.words import trailing_zeros


@inner
def run_past(data, tries, work, grown):
    """Let threads run past reads that wait for what comes after each other; tell whether some thread can."""
    moved = False
    for e in range(work.st[op.EVENTS]):
        if not is_open(e, grown) or grown.passed[e] != 0:
            continue
        t = work.g_thread[e]
        if grown.cyclic[e] != 0 and grown.following[t] < tries.node_count[grown.node[t]]:
            grown.passed[e] = 1
            grown.open_reads[t] -= 1
            note(grown, op.T_PASSED, e, 0, 0)
            moved = True
    return moved


@inner
def guess(prog, data, tries, work, grown):
    """Assume a value on which a thread rests that goes on whatever it is; where there is none, go back."""
    for t in range(grown.node.shape[0]):
        node = grown.node[t]
        if not at_fork(t, tries, grown) or not in_cycle(t, data, work, grown) or tries.node_fork[node] == op.V_MISSED:
            continue
        if not any_free(t, data, tries, work, grown):
            continue
        if tries.node_guessed[node] == 0:
            grown.at[op.X_NODE] = node
            return op.NEEDS_GUESSES
        set_apart(t, grown)
        decide(op.X_GUESS, t, prog, work, grown)
        grown.cursor[work.st[op.DEPTH]] = -2 - tries.node_edge[node]
        return NEXT
    return end_in_vain(prog, data, tries, work, grown)


@inner
def end_in_vain(prog, data, tries, work, grown):
    """Go back where nothing more can come of what has grown; MAY_RACE where an attempt counts that is in it."""
    if thread_that_tried(tries, data, grown) >= 0 and may_raise_flags(prog, data, work, grown):
        return op.MAY_RACE
    note_dead_end(tries, work, grown)
    work.st[op.EXPLORED] += 1
    work.st[op.PHASE] = op.GROW_NEXT
    return NEXT


@inner
def end_unserved(tries, work, grown):
    """Go back where reads wait for writes that nobody comes to."""
    st = work.st
    if grown.at[op.X_BLOCKS] == 0:
        note_dead_end(tries, work, grown)
    else:
        # What could follow a decision above that of such a read follows where this takes the newest write instead.
        d = st[op.DEPTH]
        while d >= 0 and not could_go_on(d, grown):
            note_unknown(d, True, tries, work, grown)
            d -= 1
    st[op.EXPLORED] += 1
    st[op.PHASE] = op.GROW_NEXT
    return NEXT


@inner
def could_go_on(d, grown):
    """Tell whether a decision is on a read that nobody serves, and that could take the newest write without harm.

    Half of a read-modify-write takes that write away from others.
    """
    if grown.kind[d] != op.X_READ or grown.takes_newest[d] == 0:
        return False
    return grown.half[grown.what[d]] == 0 and is_unserved(grown.what[d], grown)


@inner
def any_passed(data, work, grown):
    """Tell whether a thread has run past a read that is still open and that something may rest on."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.passed[e] != 0 and grown.idle[e] == 0:
                return True
    return False


@inner
def any_run_past(tries, work, grown):
    """Tell whether there is anything that comes after an open read that something may rest on.

    An update that finds the initial value is none (``note_apart_from``). Should it find another one, ``take`` says so.
    """
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.idle[e] == 0 and grown.index[e] + 1 < grown.length[work.g_thread[e]]:
                if not is_idle_update(e, tries, work, grown):
                    return True
    return False


@inner
def any_stalled(grown):
    """Tell whether a read waits which its thread may run past: only what comes after each other serves it."""
    if grown.at[op.X_BLOCKS] != 0:
        return False
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.idle[e] == 0 and grown.options[e] == 0:
                return True
    return False


@inner
def in_cycle(t, data, work, grown):
    """Tell whether a thread waits for a read that is served by what comes after others that it serves."""
    for e in range(work.st[op.EVENTS]):
        if grown.cyclic[e] != 0 and work.g_thread[e] == t and is_open(e, grown):
            return True
    return False


@inner
def count_all(busy, prog, data, tries, work, grown, findings):
    """Count the options of all open reads, as far as they are asked for now; tell whether there is one."""
    pending = False
    for v in range(grown.open.shape[0]):
        grown.past_asked[v] = ZERO
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        pending |= left != ZERO
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            grown.options[e] = 0
            if busy and grown.idle[e] != 0:
                put_off(e, tries, work, grown)
                continue
            count_options(e, prog, data, tries, work, grown, findings)
            if grown.options[e] > 0 and is_behind(e, prog, data, tries, work, grown):
                grown.options[e] = grown.leading[e] = 0
    return pending


@inner
def is_behind(e, prog, data, tries, work, grown):
    """Tell whether an open read takes none of the writes that are there; asked where something may say so."""
    asked = has_waited(e, grown) or (runs_past(grown) and not may_be_undef(e, prog, grown))
    return asked and is_left_behind(e, prog, data, tries, work, grown)


@inner
def first_if_forced(prog, data, tries, work, grown, findings):
    """Give the first open read where all writes are there and it can take but one of them, else -1.

    The others need not be looked at then: there may be a thousand.
    """
    for v in range(grown.open.shape[0]):
        if grown.open[v] != ZERO:
            e = (v << 6) + trailing_zeros(grown.open[v])
            count_options(e, prog, data, tries, work, grown, findings)
            return e if grown.options[e] == 1 and grown.undef[e] == 0 and not has_waited(e, grown) else -1
    return -1


@inner
def choose_read(prog, data, tries, work, grown, findings):
    """Choose the read to be decided: one that cannot wait if there is one, else one with many options."""
    st = work.st
    if grown.at[op.X_TAKES] != 0:
        return ask_twin(prog, work, grown)
    if grown.at[op.X_BEFORE] >= 0 and grown.at[op.X_FRESH] == 0 and any_passed(data, work, grown):
        if not keeps_on(prog, work, grown):
            note_dead_end(tries, work, grown)
            refuse(work)
            return NEXT
    stuck = no_longer_stuck(data, tries, work, grown) if prog.config[op.C_WAITS] != 0 else STUCK
    if stuck != STUCK:  # the thread goes on, where one of its reads waits for another write
        if stuck != NO_DECISION:
            grown.takes_newest[stuck] = 0  # it has to wait
        for later in range(stuck + 1, st[op.DEPTH] + 1):
            note_unknown(later, False, tries, work, grown)
        refuse(work)
        return NEXT
    tried = thread_that_tried(tries, data, grown)
    if tried >= 0:
        if not stays_good(prog, tries, work, grown):
            return NEXT
        may_come = may_come_of(tried, tries, work, grown)
        if may_come == RACES:
            return op.MAY_RACE
        if may_come == NOTHING:
            return end_in_vain(prog, data, tries, work, grown)
    asked = look_ahead(data, tries, work, grown, findings)
    if asked != NEXT:
        return asked
    if complete(tries, data, grown):
        if show_reads(prog, data, work, grown) and not allowed(prog, data, tries, work, grown):
            note_dead_end(tries, work, grown)
            refuse(work)
            return NEXT
        first = first_if_forced(prog, data, tries, work, grown, findings)
        if first >= 0:
            find_stale(st[op.DEPTH] + 1, first, prog, data, tries, work, grown)
            return decide_on(first, 0, prog, data, tries, work, grown, findings)
    busy = any_busy(work, grown)
    if not count_all(busy, prog, data, tries, work, grown, findings):
        st[op.PHASE] = op.GROW_LEAF
        return NEXT
    best, waits = most_pressing(busy, data, tries, work, grown)
    if best >= 0 and grown.leading[best] == 0 and waits != 0 and any_stalled(grown):
        # Whether its thread waits for ever is seen when these have run past their reads, if they can.
        if tried < 0 and not serve(-1, data, tries, work, grown):
            return end_unserved(tries, work, grown)
        if is_full(work, grown):
            return op.NEEDS_ROOM
        if run_past(data, tries, work, grown):
            st[op.PHASE] = op.GROW_RUN
            return NEXT
    if best >= 0:
        find_stale(st[op.DEPTH] + 1, best, prog, data, tries, work, grown)
    # What can wait is served by what others come to.
    if waits == 0 and tried < 0 and not serve(-1, data, tries, work, grown):
        return end_unserved(tries, work, grown)
    if best < 0:
        if is_full(work, grown):
            return op.NEEDS_ROOM
        moved = let_through(prog, data, tries, work, grown)
        if moved == SPLIT or moved >= 0:
            return NEXT if moved == SPLIT else moved
        if moved == MOVED or run_past(data, tries, work, grown):
            st[op.PHASE] = op.GROW_RUN
            return NEXT
        return guess(prog, data, tries, work, grown)
    return decide_on(best, waits, prog, data, tries, work, grown, findings)


@inner
def ask_twin(prog, work, grown):
    """Begin the decision whether another thread takes what one like it took."""
    t = next_twin(grown)
    if t < 0:
        put(op.X_TAKES, 0, grown)
    else:
        decide(op.X_TWIN, grown.event_at[t, grown.at[op.X_TWIN_INDEX]], prog, work, grown)
    return NEXT


@inner
def decide_on(best, waits, prog, data, tries, work, grown, findings):
    """Begin the decision on a read, which may wait or not."""
    d, n = work.st[op.DEPTH] + 1, work.st[op.EVENTS]
    only = waits == 0 and not may_be_undef(best, prog, grown)
    alone = only and has_one_source(d, best, prog, data, tries, work, grown, findings)
    if knows_hidden(grown) and grown.options[best] > 1 and not alone:
        # In the graph it stays, whatever becomes of it: each source changes only what rests on reads-from. Where what
        # it reads decides what kind of event it is, it comes there with its source.
        if not grown.present[best] and not decides_kind(best, tries, work, grown):
            relate(best, prog, data, work, grown)
        if not stays_good(prog, tries, work, grown):
            return NEXT
        find_stale(d, best, prog, data, tries, work, grown)
        alone = only and has_one_source(d, best, prog, data, tries, work, grown, findings)
    decide(op.X_READ, best, prog, work, grown)
    grown.may_wait[d], grown.cursor[d], grown.takes_newest[d], grown.alone[d] = waits, n, 0, alone
    keep_to_come(d, tries, grown)
    find_together(d, tries, work, grown)
    grown.rivals[d] = has_rivals(d, data, work, grown) or any_run_past(tries, work, grown)
    if waits != 0 and grown.together[d] != ZERO and not can_all_wait(d, data, tries, work, grown):
        grown.may_wait[d] = 0
    return NEXT


@inner
def can_all_wait(d, data, tries, work, grown):
    """Tell whether all reads can be decided, if those that a decision is about all wait."""
    r = grown.what[d]
    for t in range(grown.node.shape[0]):
        if (grown.together[d] >> uint64(t)) & ONE != ZERO:
            e = grown.event_at[t, grown.index[r]]
            grown.options[e] = grown.leading[e] = 0
    return serve(r, data, tries, work, grown)


@inner
def check_leaf(prog, data, tries, work, grown):
    """Tell whether an execution that no thread can add to is consistent; its flags are computed for the count."""
    st = work.st
    if thread_that_tried(tries, data, grown) >= 0:
        return end_in_vain(prog, data, tries, work, grown)
    for t in range(grown.node.shape[0]):
        work.combo[t] = tries.node_ended[grown.node[t]]
    good = holds_still(prog, work, grown)
    if good and grown.at[op.X_STAYS] == 0 and misses_barrier(work.combo, data):
        return op.MISSES_BARRIER
    good = good and not contradict_at_barriers(work.combo, data)
    # Where nothing is open, bounds are what they bound.
    good = good and passes_late(prog, work, grown) and passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work)
    good = good and passes(op.GROW_WHOLE, op.GROW_RESULT, prog, work)
    if good:
        work.flags[0] = ZERO
        passes(op.GROW_RESULT, op.GROW_END, prog, work)
        good = prog.config[op.C_WAITS] == 0 or counts(prog, data, work)
    if good and not treats_alike(tries, work, grown):
        return op.NOT_ALIKE
    if good and any_refused(work.combo, data):
        if work.flags[0] != ZERO:
            return op.REFUSED_RACES
        good = False
    if good:
        st[op.PHASE] = op.GROW_COUNT
    else:
        note_dead_end(tries, work, grown)
        st[op.EXPLORED] += 1
        st[op.PHASE] = op.GROW_NEXT
    return NEXT


@inner
def keep_numbers(work, grown, records):
    """Keep of the record that comes next which thread and place in its path each event is from."""
    m = work.st[op.RECORDS]
    records.count[m] = work.st[op.EVENTS]
    for e in range(work.st[op.EVENTS]):
        records.thread[m, e] = work.g_thread[e]
        records.index[m, e] = grown.index[e] if work.g_thread[e] >= 0 else work.g_loc[e]
        records.event[m, e] = work.g_event[e]


@inner
def count_leaf(prog, data, work, grown, findings, records):
    """Count a consistent execution."""
    st, record = work.st, prog.config[op.C_RECORD]
    kept = record != 0 and (record < 0 or st[op.CONSISTENT] < record)
    if kept and st[op.RECORDS] >= records.combo.shape[0]:
        return op.NEEDS_RECORDS
    stop = tally(prog, data, work, findings)
    if stop != NEXT and stop != op.NEW_STATE:
        return stop
    if kept:
        keep_numbers(work, grown, records)
        keep_record(work, records)
    st[op.PHASE] = op.GROW_NEXT
    return stop


@njit
def grow(prog, data, tries, work, grown, findings, records, budget):
    """Go on with the search for at most `budget` steps; the result says why it stopped (opcodes, DONE and after).

    A step takes time with the square of the events, and counts so.
    """
    st = work.st
    while budget > 0:
        budget -= 1 + ((st[op.EVENTS] * st[op.EVENTS]) >> op.SQUARE_OF_STEP)
        phase = st[op.PHASE]
        stop = NEXT
        if is_full(work, grown):
            return op.NEEDS_ROOM
        if phase == op.GROW_RUN:
            stop = run_on(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_NEXT:
            stop = next_option(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_CHOOSE:
            stop = choose_read(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_LEAF:
            stop = check_leaf(prog, data, tries, work, grown)
        elif phase == op.GROW_COUNT:
            stop = count_leaf(prog, data, work, grown, findings, records)
        else:
            return op.DONE
        if stop != NEXT:
            return stop
        if st[op.LIMIT] >= 0 and st[op.EXPLORED] >= st[op.LIMIT] and st[op.PHASE] != op.GROW_DONE:
            return op.AT_LIMIT
        if 0 <= st[op.MOST_DEAD] < st[op.EXPLORED] - op.MOST_EXPLORED * st[op.CONSISTENT]:
            return op.AT_DEAD_ENDS
    return op.PAUSED
