"""Resumable search that grows executions: threads run, and a read takes a write that is there or waits for another.

A thread runs up to its next read. One of the reads is decided: it takes a write of its location that is in the graph,
or it waits, which passes over all that are there now. So each execution is met once. Where the model lets a thread run
past a read (all that it forbids is a cycle of dependencies and reads-from), that is done when nothing else is left to
do: up to the next value that decides how the thread goes on; and if what follows does not depend on that value, either,
one is assumed.

What is done after a decision is on the trail, so that it can be undone. A phase that needs something that only Python
has changes nothing before it returns.

This file is long because all phases of one machine are here, each of which says which comes next; the graph itself is
in ``growth``, which read is decided in ``choosing``, what reads may take in ``serving``, what threads may still write
in ``coming``.
"""

from __future__ import annotations

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.choosing import (
    any_busy,
    decides_kind,
    has_one_source,
    has_rivals,
    is_source,
    most_pressing,
    put_off,
    recount,
    waits_in_vain,
    write_below,
)
from enumerator.search.kernels.coherent import find_stale, hide_stale, is_left_behind, is_stale, lowest_place
from enumerator.search.kernels.coming import any_free, waits_for_input
from enumerator.search.kernels.entering import UNDEFINED, attach, event_of, note, place_of, relate
from enumerator.search.kernels.growth import (
    add_event,
    at_fork,
    decide,
    has_ended,
    is_before_fork,
    is_full,
    is_newest,
    is_open,
    is_placed,
    is_unserved,
    keep_to_come,
    learn_value,
    note_dead_end,
    note_rival,
    note_unknown,
    put_in,
    undo_to,
)
from enumerator.search.kernels.options import (
    ask_ahead,
    count_options,
    edge_after_value,
    edge_for,
    forget_tried,
    look_ahead,
)
from enumerator.search.kernels.outcomes import NEXT, counts, keep_record, tally, too_few_complete
from enumerator.search.kernels.relations import ONE, ZERO, clear_bit, has_bit, passes, set_bit
from enumerator.search.kernels.serving import (
    NO_DECISION,
    STUCK,
    candidates,
    has_waited,
    may_be_undef,
    no_longer_stuck,
    present_writes,
    serve,
)
from enumerator.search.kernels.tried import NOTHING, RACES, leads_nowhere, may_come_of, thread_that_tried, tries_again
from enumerator.search.kernels.updating import update
from enumerator.search.kernels.values import value_of
from enumerator.search.kernels.words import trailing_zeros

STAYS, MOVED, SPLIT = -2, -3, -4  # what becomes of a thread at a value that decides how it goes on
OVER = -5  # there is no other option
WAIT = -3  # what a read does that takes none of the writes that are there


@inner
def enter(t, child, data, tries, work, grown):
    """Let a thread go on at a node."""
    note(grown, op.T_NODE, t, grown.node[t], grown.following[t])
    work.t_base[t] += tries.node_moves[grown.node[t]]
    grown.node[t], grown.following[t] = child, 0
    if tries.node_old[child] >= 0:
        e = event_of(t, work.t_base[t], tries.node_old[child], grown)
        note(grown, op.T_TEMPLATE, e, work.g_event[e], work.t_base[t] - grown.base[e])
        work.g_event[e], grown.base[e] = tries.node_new[child], work.t_base[t]
        work.g_kind[e] = data.kind_of[tries.node_new[child]]


@inner
def refuse(work):
    """Go back to the last decision."""
    work.st[op.REFUSED] += 1
    work.st[op.PHASE] = op.GROW_NEXT


@inner
def keeps_on(prog, work, grown):
    """Tell whether no axiom fails that can be tested on any part of an execution."""
    if grown.at[op.X_STEPS] != 0:
        good = update(prog, work, grown)
    else:
        good = passes(op.GROW_SETS, op.GROW_CLOSED, prog, work)
    grown.at[op.X_FRESH] = 1
    return good


@inner
def stays_good(prog, tries, work, grown):
    """Tell whether what has grown is good, where that has not been tested since the last change; else go back."""
    if grown.at[op.X_FRESH] != 0 or keeps_on(prog, work, grown):
        return True
    note_dead_end(tries, work, grown)
    work.st[op.EXPLORED] += 1
    refuse(work)
    return False


@inner
def descend(t, prog, data, tries, work, grown, findings):
    """Let a thread at a fork go on, if the value that decides is known."""
    node = grown.node[t]
    base = work.t_base[t]
    value = value_of(tries.node_fork[node], tries.node_what[node], base, work.val, data, findings)
    if value == op.UNKNOWN_ID:
        return STAYS
    if value == -2:
        work.missing[0], work.missing[1] = tries.node_what[node], base
        return op.NEEDS_VALUE
    edge = edge_for(node, value, tries)
    if edge < 0 or tries.edge_child[edge] <= op.EDGE_OPEN:
        if not stays_good(prog, tries, work, grown):
            return SPLIT
        grown.at[op.X_NODE], grown.at[op.X_VALUE] = node, value
        return op.NEEDS_NODE
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == value:
        decide(op.X_BRANCH, t, prog, work, grown)
        grown.cursor[work.st[op.DEPTH]] = -2 - edge  # the first option
        return SPLIT
    if tries.edge_child[edge] < 0 or tries_again(t, tries.edge_child[edge], tries, grown):
        note_dead_end(tries, work, grown)
        work.st[op.EXPLORED] += 1
        work.st[op.PHASE] = op.GROW_NEXT
        return SPLIT
    enter(t, tries.edge_child[edge], data, tries, work, grown)
    return MOVED


@inner
def complete(tries, data, grown):
    """Tell whether no thread has anything left to do but to read."""
    for t in range(grown.node.shape[0]):
        if not has_ended(t, tries, grown):
            return False
    return grown.at[op.X_DEFERRED] == 0 and thread_that_tried(tries, data, grown) < 0


@inner
def show_reads(prog, data, work, grown):
    """Put the reads that have no source yet into the graph, once nothing else can come; tell whether there are such."""
    found = False
    for v in range(grown.open.shape[0]):
        left = grown.open[v] & ~work.S[op.GROW_PRESENT, v]
        while left != ZERO:
            relate((v << 6) + trailing_zeros(left), prog, data, work, grown)
            left &= left - ONE
            found = True
    return found


@inner
def allowed(prog, data, tries, work, grown):
    """Tell whether no axiom fails in what has grown so far: the monotone ones, and bounds once all events are there."""
    if not complete(tries, data, grown):
        return keeps_on(prog, work, grown)
    show_reads(prog, data, work, grown)
    if not keeps_on(prog, work, grown):
        return False
    if grown.at[op.X_LATE] == op.LATE_NOW and prog.sections[op.GROW_CLOSED] == prog.sections[op.GROW_WHOLE]:
        return True  # all that is left is put off to the end
    if prog.config[op.C_UNDEF] >= 0 and grown.at[op.X_NO_UNDEF] != 0:
        # Bounds could only tell earlier which reads return undef, and none may.
        return grown.at[op.X_LATE] == op.LATE_NOW or passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work)
    if not passes_late(prog, work, grown) or not passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work):
        return False
    bound_choices(prog, data, work, grown)
    return passes(op.GROW_BOUNDS, op.GROW_WHOLE, prog, work)


@inner
def passes_late(prog, work, grown):
    """Tell whether no axiom fails that is put off to the end, where there are such."""
    if grown.at[op.X_LATE] != op.LATE_NOW or passes(op.GROW_LATE, op.GROW_CLOSED, prog, work):
        return True
    grown.at[op.X_LATE_FAILS] += 1
    return False


@inner
def bound_choices(prog, data, work, grown):
    """Enter what reads may still read: into what reads-from, the order and UNDEF may still become."""
    n, R, S = work.st[op.EVENTS], work.R, work.S
    for e in range(n):
        for v in range(R.shape[2]):
            R[2, e, v] = R[0, e, v]
            R[3, e, v] = R[1, e, v]
    for v in range(R.shape[2]):
        S[1, v] = S[0, v]
    for e in range(n):
        if is_open(e, grown) and grown.present[e]:
            for v in range(R.shape[2]):
                R[2, e, v] |= candidates(e, v, data, work, grown)
            if may_be_undef(e, prog, grown):
                set_bit(S[1], e)


@inner
def confirm(prog, data, tries, work, grown):
    """Put the read that has got a source into the graph; tell whether the model allows it."""
    e, d = grown.at[op.X_CHOSEN], work.st[op.DEPTH]
    note(grown, op.T_CHOSEN, e, e, 0)
    grown.at[op.X_CHOSEN] = -1
    grown.open_reads[work.g_thread[e]] -= grown.passed[e] == 0
    is_last = grown.kind[d] == op.X_READ and grown.what[d] == e
    if grown.present[e]:
        attach(e, work, grown)
    else:
        if is_last and work.source[e] >= 0 and is_stale(d, e, work.source[e], prog, work, grown):
            return False
        relate(e, prog, data, work, grown)
    if is_last and grown.alone[d] != 0:
        grown.accepted[d] += 1
        return True
    good = allowed(prog, data, tries, work, grown)
    if not good:
        note_dead_end(tries, work, grown)  # what it rests on that waiting is in vain does not hold here
    if good and work.source[e] == UNDEFINED:
        good = has_bit(work.S[prog.config[op.C_UNDEF]], e)
    if good:
        grown.accepted[d] += 1
        if is_last and is_newest(work.source[e], work):
            grown.takes_newest[d] = 1
    return good


@inner
def place_write(prog, data, tries, work, grown, findings):
    """Put a write whose value has become known into the graph; NEXT if there is none."""
    for v in range(grown.deferred.shape[0]):
        left = grown.deferred[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            g = work.g_event[e]
            if waits_for_input(e, data, work, grown, False):
                continue
            value = value_of(data.e_vkind[g], data.e_vdata[g], grown.base[e], work.val, data, findings)
            if value == op.UNKNOWN_ID:
                continue
            if value == -2:
                work.missing[0], work.missing[1] = data.e_vdata[g], grown.base[e]
                return op.NEEDS_VALUE
            learn_value(e, value, work, grown)
            note(grown, op.T_VALUE, e, 0, 0)
            if grown.at[op.X_BLOCKS] != 0:
                note_rival(work.g_thread[e], work.g_loc[e], value, False, tries, work, grown)
            grown.at[op.X_DEFERRED] -= 1
            relate(e, prog, data, work, grown)
            passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
            if has_bit(work.S[prog.config[op.C_ORDER]], e):
                return place_in_order(e, prog, data, tries, work, grown)
            return MOVED
    return NEXT


@inner
def place_in_order(e, prog, data, tries, work, grown):
    """Put a write at its place in the order, if there is only one; else decide on it.

    Whether the model allows the only one is seen later, with what follows.
    """
    l, g = work.g_loc[e], work.g_event[e]
    if grown.at[op.X_ATOMIC] != 0 and data.e_rmw[g] >= 0:
        source = work.source[event_of(work.g_thread[e], grown.base[e], data.e_rmw[g], grown)]
        if source >= 0 and is_placed(source, work):  # right after what it has read
            place = work.slot_length[l]
            while work.sequence[l, place - 1] != source:
                place -= 1
            put_in(e, place, work, grown)
            return MOVED
    lowest = lowest_place(e, prog, data, work, grown)
    if lowest < work.slot_length[l] and grown.coherence.shape[0] > 0:
        if not stays_good(prog, tries, work, grown):
            return SPLIT
        lowest = lowest_place(e, prog, data, work, grown)
    if lowest == work.slot_length[l]:
        put_in(e, lowest, work, grown)
        return MOVED
    decide(op.X_PLACE, e, prog, work, grown)
    grown.lowest[work.st[op.DEPTH]] = lowest
    return SPLIT


@inner
def guesses_hold(data, tries, work, grown, findings):
    """Tell whether values that were assumed are what they have become: 1, or 0; or that a value is missing."""
    for k in range(grown.at[op.X_GUESSES]):
        t, node, wanted = grown.guesses[k, 0], grown.guesses[k, 1], grown.guesses[k, 2]
        base = grown.begins[t] + grown.guesses[k, 3]
        value = value_of(tries.node_fork[node], tries.node_what[node], base, work.val, data, findings)
        if value == -2:
            work.missing[0], work.missing[1] = tries.node_what[node], base
            return op.NEEDS_VALUE
        if value != op.UNKNOWN_ID and value != wanted:
            return 0
    return 1


@inner
def run_on(prog, data, tries, work, grown, findings):
    """Let threads run until a decision is to be taken."""
    at, st = grown.at, work.st
    threads = grown.node.shape[0]
    if at[op.X_CHOSEN] >= 0:
        guessed = guesses_hold(data, tries, work, grown, findings)
        if guessed == op.NEEDS_VALUE:
            return guessed
        if guessed == 0:
            refuse(work)
            return NEXT
        t = work.g_thread[at[op.X_CHOSEN]]
        if at_fork(t, tries, grown):  # the value may decide what kind of event the read is
            moved = descend(t, prog, data, tries, work, grown, findings)
            if moved == SPLIT:
                return NEXT
            if moved >= 0:
                return moved
        if not confirm(prog, data, tries, work, grown):
            refuse(work)
            return NEXT
    going = True
    while going:
        going = False
        for t in range(threads):
            while True:
                if is_full(work, grown):
                    return op.NEEDS_ROOM
                if at[op.X_DEFERRED] > 0:
                    placed = place_write(prog, data, tries, work, grown, findings)
                    if placed == SPLIT:
                        return NEXT
                    if placed >= 0:
                        return placed
                    going |= placed == MOVED
                if grown.following[t] < tries.node_count[grown.node[t]]:
                    if grown.open_reads[t] > 0:
                        break
                    if grown.length[t] == grown.event_at.shape[1]:
                        return op.NEEDS_ROOM
                    add_event(t, prog, data, tries, work, grown)
                    last = grown.event_at[t, grown.length[t] - 1]
                    if is_open(last, grown):
                        hide_stale(last, prog, data, work, grown)
                elif at_fork(t, tries, grown):
                    moved = descend(t, prog, data, tries, work, grown, findings)
                    if moved == SPLIT:
                        return NEXT
                    if moved >= 0:
                        return moved
                    if moved == STAYS:
                        break
                else:
                    break
                going = True
    st[op.PHASE] = op.GROW_CHOOSE
    return NEXT


@inner
def pass_over(r, data, work, grown):
    """Let a read wait for a write that is not there yet."""
    count = 0
    for v in range(grown.excluded.shape[1]):
        left = grown.excluded[r, v]
        while left != ZERO:
            note(grown, op.T_EXCLUDED, r, (v << 6) + trailing_zeros(left), 0)
            left &= left - ONE
            count += 1
    note(grown, op.T_EXCLUDED, r, count, 0)
    for v in range(grown.excluded.shape[1]):
        grown.excluded[r, v] |= present_writes(r, v, data, work, grown)


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
        if not at_fork(t, tries, grown) or not in_cycle(t, data, work, grown):
            continue
        if not any_free(t, data, tries, work, grown):
            continue
        if tries.node_guessed[node] == 0:
            grown.at[op.X_NODE] = node
            return op.NEEDS_GUESSES
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
def any_run_past(data, work, grown):
    """Tell whether there is anything that comes after an open read that something may rest on."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if grown.idle[e] == 0 and grown.index[e] + 1 < grown.length[work.g_thread[e]]:
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
def choose_read(prog, data, tries, work, grown, findings):
    """Choose the read to be decided: one that cannot wait if there is one, else one with many options."""
    st, n = work.st, work.st[op.EVENTS]
    pending = False
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
    busy = any_busy(work, grown)
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
            if grown.options[e] > 0 and has_waited(e, grown) and is_left_behind(e, prog, data, work, grown):
                grown.options[e] = grown.leading[e] = 0
    if not pending:
        st[op.PHASE] = op.GROW_LEAF
        return NEXT
    if (
        complete(tries, data, grown)
        and show_reads(prog, data, work, grown)
        and not allowed(prog, data, tries, work, grown)
    ):
        note_dead_end(tries, work, grown)
        refuse(work)
        return NEXT
    d = st[op.DEPTH] + 1
    best, waits = most_pressing(busy, data, tries, work, grown)
    while best >= 0 and recount(d, best, prog, data, tries, work, grown, findings):
        best, waits = most_pressing(busy, data, tries, work, grown)
    # What can wait is served by what others come to.
    if waits == 0 and tried < 0 and not serve(-1, data, tries, work, grown):
        return end_unserved(tries, work, grown)
    if best < 0:
        if run_past(data, tries, work, grown):
            st[op.PHASE] = op.GROW_RUN
            return NEXT
        return guess(prog, data, tries, work, grown)
    only = waits == 0 and not may_be_undef(best, prog, grown)
    alone = only and has_one_source(d, best, prog, data, tries, work, grown, findings)
    if grown.coherence.shape[0] > 0 and grown.options[best] > 1 and not alone:
        # In the graph it stays, whatever becomes of it: each source changes only what rests on reads-from. Where what
        # it reads decides what kind of event it is, it comes there with its source.
        if not grown.present[best] and not decides_kind(best, tries, work, grown):
            relate(best, prog, data, work, grown)
        if not stays_good(prog, tries, work, grown):
            return NEXT
        find_stale(d, best, prog, data, work, grown)
        alone = only and has_one_source(d, best, prog, data, tries, work, grown, findings)
    decide(op.X_READ, best, prog, work, grown)
    grown.may_wait[d], grown.cursor[d], grown.takes_newest[d], grown.alone[d] = waits, n, 0, alone
    keep_to_come(d, tries, grown)
    grown.rivals[d] = has_rivals(best, data, work, grown) or any_run_past(data, work, grown)
    return NEXT


@inner
def next_source(d, prog, data, tries, work, grown, findings):
    """Let a read take the next write, or undef, or wait; OVER where nothing is left."""
    r, st = grown.what[d], work.st
    w = before = grown.cursor[d]
    if w >= 0:
        w = write_below(w, r, data, work, grown)
        while w >= 0 and not is_source(d, r, w, prog, data, tries, work, grown, findings):
            w = write_below(w, r, data, work, grown)
    else:
        w -= 1
    if w == -1:
        w = UNDEFINED
        if not may_be_undef(r, prog, grown):
            w = WAIT
    grown.cursor[d] = w
    if w < WAIT or (w == WAIT and (grown.may_wait[d] == 0 or waits_in_vain(d, grown))):
        return OVER
    if w == WAIT:
        hopeful = may_take_rivals(d, data, tries, work, grown, findings)
        if hopeful != NEXT:
            if hopeful != OVER:
                grown.cursor[d] = before  # it is asked again
            return hopeful
        pass_over(r, data, work, grown)
        grown.accepted[d] += 1
        st[op.PHASE] = op.GROW_CHOOSE
        return NEXT
    work.source[r] = w
    clear_bit(grown.open, r)
    note(grown, op.T_SOURCE, r, 0, 0)
    grown.decided[r] = d
    learn_value(r, op.UNDEF_ID if w == UNDEFINED else work.val[w], work, grown)
    work.source[place_of(r, work, grown)] = w
    note(grown, op.T_CHOSEN, r, -1, 0)
    grown.at[op.X_CHOSEN] = r
    st[op.PHASE] = op.GROW_RUN
    return NEXT


@inner
def may_take_rivals(d, data, tries, work, grown, findings):
    """Tell whether a read may take what others were seen to write to its location below a decision: NEXT, or OVER."""
    r = grown.what[d]
    if grown.rivals[d] != 0 or grown.takes_newest[d] == 0 or not is_before_fork(r, tries, work, grown):
        return NEXT
    t = work.g_thread[r]
    if tries.node_branches[grown.node[t]] == 0:
        return NEXT
    forget_tried(work, grown)
    for k in range(grown.rival_count[d]):
        asked = ask_ahead(r, grown.rival_values[d, k], data, tries, work, grown, findings)
        if asked != NEXT:
            return asked
        edge = edge_after_value(r, grown.rival_values[d, k], data, tries, work, grown, findings)
        if edge < 0 or not leads_nowhere(t, edge, tries, data, work, grown):
            return NEXT
    return OVER


@inner
def next_place(d, prog, data, tries, work, grown):
    """Put a write at the next place of its location's order, the last one first; OVER where none is left."""
    e = grown.what[d]
    l = work.g_loc[e]
    grown.cursor[d] = work.slot_length[l] if grown.cursor[d] < 0 else grown.cursor[d] - 1
    if grown.cursor[d] < grown.lowest[d]:
        return OVER
    put_in(e, grown.cursor[d], work, grown)
    if allowed(prog, data, tries, work, grown):
        grown.accepted[d] += 1
        work.st[op.PHASE] = op.GROW_RUN
    else:
        work.st[op.REFUSED] += 1
        note_dead_end(tries, work, grown)
    return NEXT


@inner
def next_branch(d, data, tries, work, grown):
    """Let a thread go on in the next of several ways that one value leaves it; OVER where none is left."""
    t = grown.what[d]
    guesses = grown.kind[d] == op.X_GUESS
    if grown.cursor[d] < -1:
        edge = -2 - grown.cursor[d]
    else:
        before = grown.cursor[d]
        edge = tries.edge_following[before]
        if edge < 0 or (not guesses and tries.edge_value[edge] != tries.edge_value[before]):
            return OVER
    grown.cursor[d] = edge
    if tries.edge_child[edge] < 0 or tries_again(t, tries.edge_child[edge], tries, grown):
        return NEXT
    if guesses:
        k = grown.at[op.X_GUESSES]
        grown.guesses[k, 0], grown.guesses[k, 1], grown.guesses[k, 2] = t, grown.node[t], tries.edge_value[edge]
        grown.guesses[k, 3] = work.t_base[t] - grown.begins[t]
        grown.at[op.X_GUESSES] = k + 1
        note(grown, op.T_GUESS, t, 0, 0)
    enter(t, tries.edge_child[edge], data, tries, work, grown)
    grown.accepted[d] += 1
    work.st[op.PHASE] = op.GROW_RUN
    return NEXT


@inner
def next_option(prog, data, tries, work, grown, findings):
    """Take the next option of the last decision; where none is left, go back to the one before it; else say why not."""
    st = work.st
    d = st[op.DEPTH]
    if d < 0:
        st[op.PHASE] = op.GROW_DONE
        return NEXT
    if grown.kind[d] == op.X_READ and grown.alone[d] != 0 and grown.accepted[d] != 0:
        st[op.DEPTH] -= 1  # nothing is left of it, and what it has done is undone with the decision before it
        return NEXT
    undo_to(d, prog, data, tries, work, grown)
    if grown.kind[d] == op.X_READ:
        more = next_source(d, prog, data, tries, work, grown, findings)
    elif grown.kind[d] == op.X_PLACE:
        more = next_place(d, prog, data, tries, work, grown)
    else:
        more = next_branch(d, data, tries, work, grown)
    if more == OVER:
        if grown.accepted[d] == 0:
            note_dead_end(tries, work, grown)
            st[op.EXPLORED] += 1
        st[op.DEPTH] -= 1
        return NEXT
    return more


@inner
def holds_still(prog, work, grown):
    """Tell whether no axiom fails in what has grown; all that these compute is there then."""
    # What was computed for the last decision still holds, but for the sets that come first: they are not put back.
    if grown.at[op.X_FRESH] != 0:
        return passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
    return keeps_on(prog, work, grown)


@inner
def may_raise_flags(prog, data, work, grown):
    """Tell whether an execution may raise flags that begins with what has grown."""
    work.flags[0] = ZERO
    if not holds_still(prog, work, grown):
        return False
    if passes_late(prog, work, grown) and passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work):
        if passes(op.GROW_WHOLE, op.GROW_RESULT, prog, work):
            passes(op.GROW_RESULT, op.GROW_END, prog, work)
            return work.flags[0] != ZERO
    return True  # that these fail may depend on what is still to come


@inner
def check_leaf(prog, data, tries, work, grown):
    """Tell whether an execution that no thread can add to is consistent; its flags are computed for the count."""
    st = work.st
    if thread_that_tried(tries, data, grown) >= 0:
        return end_in_vain(prog, data, tries, work, grown)
    for t in range(grown.node.shape[0]):
        work.combo[t] = tries.node_ended[grown.node[t]]
    good = holds_still(prog, work, grown)
    good = good and not too_few_complete(work.combo, data)
    # Where nothing is open, bounds are what they bound.
    good = good and passes_late(prog, work, grown) and passes(op.GROW_CLOSED, op.GROW_BOUNDS, prog, work)
    good = good and passes(op.GROW_WHOLE, op.GROW_RESULT, prog, work)
    if good:
        work.flags[0] = ZERO
        passes(op.GROW_RESULT, op.GROW_END, prog, work)
        good = prog.config[op.C_WAITS] == 0 or counts(prog, data, work)
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
    """Go on with the search for at most `budget` steps; the result says why it stopped (opcodes, DONE and after)."""
    st = work.st
    for _ in range(budget):
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
