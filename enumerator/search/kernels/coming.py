"""What threads may still write while an execution grows.

These are bounds: that a thread may still write to a location is said by its code, as far as it does not depend on reads
that nobody can serve.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.entering import event_of, place_of
from enumerator.search.kernels.growth import at_fork, has_ended, is_open, is_placed, is_taken, to_come
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.words import trailing_zeros


@inner
def waits_for_input(w, data, work, grown, in_vain):
    """Tell whether a write depends on a read that has no source yet; `in_vain`: that cannot be served, either."""
    t = work.g_thread[w]
    if lists_open(work.g_event[w], t, grown.base[w], 0, data, work, grown, in_vain):
        return True
    return is_decided_late(t, grown.index[w], data, work, grown, in_vain)


@inner
def has_open(t, work, grown):
    """Tell whether a thread has come to a read that has no source yet."""
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            if work.g_thread[(v << 6) + trailing_zeros(left)] == t:
                return True
            left &= left - ONE
    return False


@inner
def is_decided_late(t, end, data, work, grown, in_vain):
    """Tell whether it depends on a read without a source that a thread comes to an index of its path."""
    if not has_open(t, work, grown):
        return False
    for index in range(end):
        x = grown.event_at[t, index]
        if lists_open(work.g_event[x], t, grown.base[x], op.CONTROL, data, work, grown, in_vain):
            return True
    return False


@inner
def lists_open(g, t, base, first, data, work, grown, in_vain):
    """Tell whether a path lists a read without a source beside an event, in a dependency from a first one on.

    Its indices count from where values begin at a base.
    """
    for k in range(data.dep_first[g], data.dep_first[g + 1]):
        kind, place = data.dep_kind[k], base + data.dep_source[k]
        if first <= kind and kind < op.DEPENDENCIES and place < grown.begins[t] + grown.length[t]:
            e = event_of(t, base, data.dep_source[k], grown)
            if work.source[e] == -1 and not (in_vain and grown.served[e] != 0):
                return True
    return False


@inner
def inputs_served(kind, what, t, data, work, grown):
    """Tell whether all reads that a value is computed from are in the graph or can be served."""
    if kind == op.V_COPY:
        e = event_of(t, work.t_base[t], what, grown)
        return work.source[e] != -1 or grown.served[e] != 0
    if kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            e = event_of(t, work.t_base[t], data.f_reads[k], grown)
            if work.source[e] == -1 and grown.served[e] == 0:
                return False
    return True


@inner
def is_held_up(t, data, work, grown):
    """Tell whether a thread has come to a read that it does not run past and that nobody can serve."""
    if grown.open_reads[t] == 0:
        return False
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO:
            e = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if work.g_thread[e] == t and grown.passed[e] == 0 and grown.served[e] == 0:
                return True
    return False


@inner
def may_write(row, l, data, tries, work, grown):
    """Tell whether the writes of a row may come to a location, if its thread gets there."""
    if tries.can_write[row, l] == 0:
        return False
    expected = tries.expects[row, l] if row < tries.expects.shape[0] and l < tries.expects.shape[1] else -1
    if expected < 0 or expected >= tries.constants.shape[0] or grown.at[op.X_ATOMIC] * grown.at[op.X_NO_UNDEF] == 0:
        return True
    return not is_used_up(l, expected, data, tries, work, grown)


@inner
def is_used_up(l, constant, data, tries, work, grown):
    """Tell whether each write of a value is followed by a read-modify-write already, and none may come any more."""
    if work.slot_first[l] < 0:
        return False
    wanted = (ONE << uint64(constant)) | (ONE << uint64(op.OTHER_VALUES))
    for t in range(grown.node.shape[0]):
        if not has_ended(t, tries, grown) and tries.holds[to_come(t, tries, grown), l] & wanted != ZERO:
            return False
    for v in range(grown.written.shape[1]):
        if grown.accessed[l, v] & grown.deferred[v] != ZERO:
            return False
        left = grown.written[l, v]
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if is_another(work.val[w], constant, tries) or (is_placed(w, work) and is_taken(w, data, work, grown)):
                continue
            return False
    return True


@inner
def is_another(value, constant, tries):
    """Tell whether a value is certainly another one than a constant: not undef, in particular."""
    for k in range(tries.constants.shape[0]):
        if tries.constants[k] == value:
            return k != constant
    return False


@inner
def is_share(row, e, tries, work, grown):
    """Tell whether a read may take a write of a row, and its thread then goes on."""
    if tries.can_write[row, work.g_loc[e]] == 0:
        return False
    constant = tries.constant_of[row]
    return constant < 0 or (grown.passes[e] >> uint64(constant)) & ONE == ZERO


@inner
def may_lead(row, e, tries, work, grown):
    """Tell whether a read may take a write of a row, and its thread then goes on, as far as the row is shared out."""
    share = tries.share[row]
    if grown.passes[e] == ZERO or share < 0:
        return is_share(row, e, tries, work, grown)
    while share >= 0:
        if is_share(tries.share_row[share], e, tries, work, grown):
            return True
        share = tries.share_next[share]
    return False


@inner
def to_come_for(t, e, data, tries, work, grown):
    """Give the row of what a thread may still write that a read may take; -1 if a barrier keeps the read from all.

    What comes after a wait needs the arrivals at that barrier, and the read does not take what needs what its thread
    does after it.
    """
    return to_come_without(t, e, work.g_loc[e], data, tries, work, grown)


@inner
def to_come_without(t, p, l, data, tries, work, grown):
    """Give the row of what a thread may still write to a location that needs nothing which comes after a read.

    Such things are the next arrivals of its thread at barriers; -1 for nothing.
    """
    row, own = to_come(t, tries, grown), work.g_thread[p]
    if grown.at[op.X_ARRIVAL] < 0 or t == own or data.inst[t, 2] != data.inst[own, 2]:
        return row
    arrival = last_before(op.X_ARRIVAL, own, grown.index[p], data, work, grown) + 1
    return to_come_before(arrival, t, l, data, tries, work, grown)


@inner
def to_come_before(barrier, t, l, data, tries, work, grown):
    """Give the row of what a thread may still write to a location before it has waited at a barrier; -1 for nothing."""
    row, node = to_come(t, tries, grown), grown.node[t]
    waited, writes = last_met(op.X_WAIT, t, data, work, grown), False
    if waited >= barrier:
        return -1
    for g in range(tries.node_first[node] + grown.following[t], tries.node_first[node] + tries.node_count[node]):
        if data.e_key[grown.at[op.X_WAIT], g] >= 0:
            waited = data.e_key[grown.at[op.X_WAIT], g]
            if waited >= barrier:
                return row if writes else -1
        writes = writes or (data.e_kind[g] == 1 and data.e_loc[g] == l)
    return tries.node_near[node] if waited + 1 == barrier and not writes else row


@inner
def to_come_where_all_wait(t, l, data, tries, work, grown):
    """Give the row of what a thread may still write to a location, if it stays at barriers; -1 for nothing.

    Where another thread of its workgroup has ended it stays at the next one (:mod:`enumerator.unfold.missed`).
    """
    found = to_come(t, tries, grown)
    if grown.at[op.X_MET] < 0:
        return found
    for s in range(grown.node.shape[0]):
        if s != t and data.inst[s, 2] == data.inst[t, 2] and comes_no_more(s, data, tries, grown):
            row = to_come_before(last_met(op.X_MET, s, data, work, grown) + 1, t, l, data, tries, work, grown)
            found = row if row != to_come(t, tries, grown) else found
    return found


@inner
def comes_no_more(t, data, tries, grown):
    """Tell whether a thread has ended, and not at a barrier nor at an attempt."""
    return has_ended(t, tries, grown) and data.p_end[tries.node_ended[grown.node[t]]] >= 0


@inner
def to_come_now(t, e, data, tries, work, grown):
    """Give what :func:`to_come_for` does, but for what needs reads of other threads that nobody serves as yet."""
    found = to_come_for(t, e, data, tries, work, grown)
    if grown.at[op.X_ARRIVAL] < 0:
        return found
    row = to_come(t, tries, grown)
    for v in range(grown.open.shape[0]):
        left = grown.open[v]
        while left != ZERO and found >= 0:
            p = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if p != e and grown.served[p] == op.SERVED_NOT and grown.passed[p] == 0:
                near = to_come_without(t, p, work.g_loc[e], data, tries, work, grown)
                if near != row:
                    found = near
    return found


@inner
def last_met(attribute, t, data, work, grown):
    """Give the number of the barrier at which a thread has arrived, or waited, last, or -1."""
    return last_before(attribute, t, grown.length[t], data, work, grown)


@inner
def last_before(attribute, t, index, data, work, grown):
    """Give the number of the barrier at which a thread has arrived, or waited, last before an event of it, or -1."""
    for i in range(index - 1, -1, -1):
        met = data.e_key[grown.at[attribute], work.g_event[grown.event_at[t, i]]]
        if met >= 0:
            return met
    return -1


@inner
def none_comes_first(l, data, tries, work, grown):
    """Tell whether each write still to come to a location comes after an update there that waits for one still to come.

    Then there is none: the first of them in coherence order would come after another one of them.
    """
    if grown.at[op.X_BLOCKS] != 0:
        return False  # then no thread comes to what is after a read that waits
    for t in range(grown.node.shape[0]):
        row = to_come(t, tries, grown)
        if not has_ended(t, tries, grown) and tries.can_write[row, l] != 0:
            if not is_after_wait(t, grown.length[t], row, l, tries, work, grown):
                return False
    for v in range(grown.deferred.shape[0]):
        left = grown.deferred[v]
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if work.g_loc[w] == l:
                row = tries.writer[work.g_event[w]]
                if not is_after_wait(work.g_thread[w], grown.index[w], row, l, tries, work, grown):
                    return False
    return True


@inner
def is_after_wait(t, end, row, l, tries, work, grown):
    """Tell whether an update before an index of a thread waits at a location, so that what a row writes comes later."""
    number = tries.cycles[row, l]
    if tries.coherent[number] == 0:
        return False
    for i in range(end):
        e = grown.event_at[t, i]
        if work.g_loc[e] == l and grown.half[e] != 0 and is_open(e, grown) and grown.later[e] == 0:
            if tries.in_order[number, work.g_kind[e]] != 0:
                if grown.options[e] == 0 or e == grown.at[op.X_WITHOUT]:
                    return True
    return False


@inner
def may_still_serve(t, e, data, tries, work, grown):
    """Tell whether a thread may still write what a read waits for; see :func:`may_still_write`."""
    if has_ended(t, tries, grown):
        return False
    row = to_come_now(t, e, data, tries, work, grown)
    if row < 0 or tries.can_write[row, work.g_loc[e]] == 0 or not may_lead(row, e, tries, work, grown):
        return False
    return may_still_write(t, work.g_loc[e], data, tries, work, grown)


@inner
def may_still_write(t, l, data, tries, work, grown):
    """Tell whether a thread may still write to a location, once the reads that can be served have been."""
    node = grown.node[t]
    if has_ended(t, tries, grown) or not may_write(to_come(t, tries, grown), l, data, tries, work, grown):
        return False
    if at_fork(t, tries, grown):
        if not inputs_served(tries.node_fork[node], tries.node_what[node], t, data, work, grown):
            return False
        if not leads_to(t, l, data, work, grown):
            return False
    return not is_held_up(t, data, work, grown)


@inner
def rests_on_present(t, data, work, grown):
    """Tell whether a thread at a fork goes on after an open read that only writes which are there may serve."""
    if grown.known_ahead[t] == 0 or grown.length[t] == 0:
        return False
    e = grown.event_at[t, grown.length[t] - 1]
    return is_open(e, grown) and grown.served[e] != op.SERVED_LATER


@inner
def leads_to(t, l, data, work, grown):
    """Tell whether a thread at a fork may come to write a location, by what its last read may take."""
    return grown.leads_to[t, l] != 0 or not rests_on_present(t, data, work, grown)


@inner
def may_write_past(t, l, data, tries, work, grown):
    """Tell whether a thread that is held up may write to a location if it runs past its read.

    It gets to the next value that decides, and beyond that to what does not depend on it.
    """
    node = grown.node[t]
    if has_ended(t, tries, grown) or not may_write(to_come(t, tries, grown), l, data, tries, work, grown):
        return False
    if at_fork(t, tries, grown):
        if tries.can_write[free_row(t, data, tries, work, grown), l] != 0:
            return True
        if tries.can_write[tries.node_free[node], l] != 0 and rests_on_earlier(t, data, tries, work, grown):
            return True
        if not leads_to(t, l, data, work, grown):
            return False
        return inputs_served(tries.node_fork[node], tries.node_what[node], t, data, work, grown)
    if tries.node_fork[node] >= 0:
        if tries.can_write[tries.node_free[node], l] != 0 or tries.can_write[tries.node_free_of_read[node], l] != 0:
            return True
    late = is_decided_late(t, grown.length[t], data, work, grown, True)
    for i in range(grown.following[t], tries.node_count[node]):
        g = tries.node_first[node] + i
        if late or lists_open(g, t, work.t_base[t], op.CONTROL, data, work, grown, True):
            break
        if data.e_kind[g] == 1 and data.e_loc[g] == l:
            if not lists_open(g, t, work.t_base[t], 0, data, work, grown, True):
                return True
    # Whether the next value is known does not depend on the read, perhaps.
    return tries.node_fork[node] >= 0 and not rests_on_open(
        t, tries.node_fork[node], tries.node_what[node], -1, data, work, grown
    )


@inner
def rests_on_open(t, kind, what, but, data, work, grown):
    """Tell whether a value rests on a read that cannot be served, other than the one whose value is at a place."""
    if kind == op.V_COPY:
        return work.t_base[t] + what != but and is_unserved(t, what, work, grown)
    if kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            if work.t_base[t] + data.f_reads[k] != but and is_unserved(t, data.f_reads[k], work, grown):
                return True
    return False


@inner
def is_unserved(t, index, work, grown):
    """Tell whether a read, by its index in the path, is there, is not in the graph and cannot be served."""
    if work.t_base[t] + index >= grown.begins[t] + grown.length[t]:
        return False
    e = event_of(t, work.t_base[t], index, grown)
    return work.source[e] == -1 and grown.served[e] == 0


@inner
def rests_on_earlier(t, data, tries, work, grown):
    """Tell whether a thread at a fork, whose last read may take what is there, is held up by a read before that."""
    if grown.length[t] == 0:
        return False
    e = grown.event_at[t, grown.length[t] - 1]
    if not is_open(e, grown) or grown.options[e] == 0:
        return False
    node = grown.node[t]
    return rests_on_open(t, tries.node_fork[node], tries.node_what[node], place_of(e, work, grown), data, work, grown)


@inner
def free_row(t, data, tries, work, grown):
    """Give the row of what a thread at a fork may write without depending on the value that decides there."""
    node, last = grown.node[t], grown.length[t] - 1
    if last >= 0 and is_open(grown.event_at[t, last], grown):
        return tries.node_free_of_read[node]
    return tries.node_free[node]


@inner
def any_free(t, data, tries, work, grown):
    """Tell whether a thread at a fork may write anything that does not depend on the value that decides there."""
    row = free_row(t, data, tries, work, grown)
    for l in range(tries.can_write.shape[1]):
        if tries.can_write[row, l] != 0:
            return True
    return False
