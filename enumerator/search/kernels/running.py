"""Threads run on in an execution that grows, to the next values that are not known: events, writes in their places."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.allowing import allowed, refuse, stays_good
from enumerator.search.kernels.coherent import hide_stale, is_stale, lowest_place
from enumerator.search.kernels.coming import comes_no_more, last_met, waits_for_input
from enumerator.search.kernels.entering import UNDEFINED, attach, event_of, note, relate
from enumerator.search.kernels.growth import (
    add_event,
    at_fork,
    decide,
    has_ended,
    is_full,
    is_newest,
    is_open,
    is_placed,
    learn_value,
    note_dead_end,
    note_refused,
    note_rival,
    put_in,
)
from enumerator.search.kernels.options import edge_for
from enumerator.search.kernels.outcomes import NEXT
from enumerator.search.kernels.relations import ONE, ZERO, clear_bit, has_bit, passes, set_bit
from enumerator.search.kernels.symmetric import (
    are_any_alike,
    arrange,
    is_arranged,
    is_own,
    place_after,
    place_before,
    set_apart,
    set_writers_apart,
)
from enumerator.search.kernels.tried import tries_again
from enumerator.search.kernels.values import value_of
from enumerator.search.kernels.words import trailing_zeros

STAYS, MOVED, SPLIT = -2, -3, -4  # what becomes of a thread at a value that decides how it goes on


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
    p = tries.node_ended[child]
    if p >= 0 and data.p_end[p] == op.END_REFUSED and grown.at[op.X_BLOCKS] == 0:
        note_refused(t, tries, data, work, grown)


@inner
def descend(t, prog, data, tries, work, grown, findings):
    """Let a thread at a fork go on, if the value that decides is known."""
    node = grown.node[t]
    base = work.t_base[t]
    if tries.node_fork[node] == op.V_MISSED:
        if is_missed(t, data, tries, work, grown):
            note_dead_end(tries, work, grown)  # what it would write otherwise others could wait for
            return go_on(t, prog.config[op.C_TRUE], prog, data, tries, work, grown)
        if waits_for_others(t, data, tries, work, grown):
            return STAYS
        return go_on(t, prog.config[op.C_FALSE], prog, data, tries, work, grown)
    value = value_of(tries.node_fork[node], tries.node_what[node], base, work.val, data, findings)
    if prog.config[op.C_UNDEF] >= 0:
        note_deciding(t, data, tries, work, grown)
    if value == op.UNKNOWN_ID:
        return STAYS
    if value == -2:
        work.missing[0], work.missing[1] = tries.node_what[node], base
        return op.NEEDS_VALUE
    return go_on(t, value, prog, data, tries, work, grown)


@inner
def note_deciding(t, data, tries, work, grown):
    """Note that the reads decide, on whose values it rests how a thread at a fork goes on."""
    node = grown.node[t]
    kind, what = tries.node_fork[node], tries.node_what[node]
    if kind == op.V_COPY:
        tries.decides[work.g_event[event_of(t, work.t_base[t], what, grown)]] = 1
    elif kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            tries.decides[work.g_event[event_of(t, work.t_base[t], data.f_reads[k], grown)]] = 1


@inner
def go_on(t, value, prog, data, tries, work, grown):
    """Let a thread at a fork go on with the value that decides."""
    node = grown.node[t]
    edge = edge_for(node, value, tries)
    if edge < 0 or tries.edge_child[edge] <= op.EDGE_OPEN:
        if not stays_good(prog, tries, work, grown):
            return SPLIT
        grown.at[op.X_NODE], grown.at[op.X_VALUE] = node, value
        return op.NEEDS_NODE
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == value:
        set_apart(t, grown)
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
    """Let reads take a write whose value has become known, and put it into its order; NEXT if there is none."""
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
            clear_bit(grown.deferred, e)
            set_bit(grown.written[work.g_loc[e]], e)
            passes(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
            if has_bit(work.S[prog.config[op.C_ORDER]], e):
                return place_in_order(e, prog, data, tries, work, grown)
            if are_any_alike(grown) and not is_own(work.g_loc[e], work.g_thread[e], tries):
                set_apart(work.g_thread[e], grown)
            return MOVED
    return NEXT


@inner
def place_in_order(e, prog, data, tries, work, grown):
    """Put a write at its place in the order, if there is only one; else decide on it.

    Whether the model allows the only one is seen later, with what follows.
    """
    l, g = work.g_loc[e], work.g_event[e]
    arrange(e, data, tries, work, grown)
    if grown.at[op.X_ATOMIC] != 0 and data.e_rmw[g] >= 0:
        source = work.source[event_of(work.g_thread[e], grown.base[e], data.e_rmw[g], grown)]
        if source >= 0 and is_placed(source, work):  # right after what it has read
            place = work.slot_length[l]
            while work.sequence[l, place - 1] != source:
                place -= 1
            put_in(e, place, work, grown)
            return MOVED
    lowest, highest = lowest_place(e, prog, data, work, grown), work.slot_length[l]
    if lowest < highest and grown.coherence.shape[0] > 0:
        if not stays_good(prog, tries, work, grown):
            return SPLIT
        lowest = lowest_place(e, prog, data, work, grown)
    if is_arranged(e, work, grown):
        after, highest = place_after(e, work, grown), place_before(e, work, grown)
        if lowest < after or highest < work.slot_length[l]:
            note_dead_end(tries, work, grown)
        lowest = max(lowest, after)
    if lowest == highest:
        put_in(e, lowest, work, grown)
        return MOVED
    if are_any_alike(grown):
        set_writers_apart(l, work.g_thread[e], tries, work, grown)
        set_apart(work.g_thread[e], grown)
    decide(op.X_PLACE, e, prog, work, grown)
    grown.lowest[work.st[op.DEPTH]], grown.highest[work.st[op.DEPTH]] = lowest, highest
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
def come_to_next(t, prog, data, tries, work, grown):
    """Let a thread come to its next event."""
    add_event(t, prog, data, tries, work, grown)
    last = grown.event_at[t, grown.length[t] - 1]
    if is_open(last, grown):
        hide_stale(last, prog, data, work, grown)


@inner
def stands_at(t, data, work, grown):
    """Give the number of the barrier that a thread waits at, or -1."""
    if grown.at[op.X_MET] < 0 or grown.length[t] == 0:
        return -1
    return data.e_key[grown.at[op.X_WAIT], work.g_event[grown.event_at[t, grown.length[t] - 1]]]


@inner
def is_kept(t, data, tries, work, grown):
    """Tell whether a thread stays at a barrier until others come to it."""
    return grown.at[op.X_ARRIVAL] >= 0 and waits_for_others(t, data, tries, work, grown)


@inner
def has_not_come(s, t, waited, data, work, grown):
    """Tell whether another thread of the workgroup of one has not come to a barrier, which has a number."""
    return s != t and data.inst[s, 2] == data.inst[t, 2] and last_met(op.X_MET, s, data, work, grown) < waited


@inner
def waits_for_others(t, data, tries, work, grown):
    """Tell whether a thread waits at a barrier where others of its workgroup have not arrived, and may still do."""
    waited = stands_at(t, data, work, grown)
    if waited < 0:
        return False
    for s in range(grown.node.shape[0]):
        if not has_ended(s, tries, grown) and has_not_come(s, t, waited, data, work, grown):
            return True
    return False


@inner
def is_missed(t, data, tries, work, grown):
    """Tell whether a thread waits at a barrier that another one of its workgroup, which has ended, missed."""
    waited = stands_at(t, data, work, grown)
    if waited < 0:
        return False
    for s in range(grown.node.shape[0]):
        if comes_no_more(s, data, tries, grown) and has_not_come(s, t, waited, data, work, grown):
            return True
    return False


@inner
def let_through(prog, data, tries, work, grown):
    """Let a thread go on that waits at a barrier where others do not arrive without it; STAYS if there is none.

    Only some models let these read what comes behind the barrier, and arrive there then.
    """
    if grown.at[op.X_ARRIVAL] >= 0:
        return STAYS
    for t in range(grown.node.shape[0]):
        node = grown.node[t]
        if grown.open_reads[t] == 0 and grown.following[t] == tries.node_count[node]:
            if tries.node_fork[node] == op.V_MISSED and waits_for_others(t, data, tries, work, grown):
                return go_on(t, prog.config[op.C_FALSE], prog, data, tries, work, grown)
    return STAYS


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
                at_barrier = at[op.X_STAYS] == 0 and not has_ended(t, tries, grown)
                if at_barrier and is_missed(t, data, tries, work, grown):
                    return op.MISSES_BARRIER
                if grown.following[t] < tries.node_count[grown.node[t]]:
                    if grown.open_reads[t] > 0 or is_kept(t, data, tries, work, grown):
                        break
                    if grown.length[t] == grown.event_at.shape[1]:
                        return op.NEEDS_ROOM
                    come_to_next(t, prog, data, tries, work, grown)
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
