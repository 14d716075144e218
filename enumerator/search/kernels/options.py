"""What a read may take while an execution grows, and what its thread does then, as far as that is known."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.entering import place_of
from enumerator.search.kernels.growth import at_fork, is_before_fork, is_newest, is_open, is_placed, is_taken
from enumerator.search.kernels.outcomes import NEXT
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.serving import candidates, may_be_undef, may_take
from enumerator.search.kernels.tried import leads_nowhere
from enumerator.search.kernels.values import value_of
from enumerator.search.kernels.words import trailing_zeros


@inner
def edge_for(node, value, tries):
    """Give the first edge of a node for a value; -1 if there is none, or the value is not known."""
    edge = tries.node_edge[node] if value >= 0 else -1
    while edge >= 0 and tries.edge_value[edge] != value:
        edge = tries.edge_following[edge]
    return edge


@inner
def edge_after(e, w, data, tries, work, grown, findings):
    """Give the edge to where a thread goes on after an open read, its last event, has read a write; -1 if not known."""
    return edge_after_value(e, work.val[w], data, tries, work, grown, findings)


@inner
def edge_after_value(e, read, data, tries, work, grown, findings):
    """Give the edge to where a thread goes on after an open read, its last event, has returned a value, if known."""
    t = work.g_thread[e]
    if not at_fork(t, tries, grown):
        return -1
    node, place = grown.node[t], place_of(e, work, grown)
    work.val[place] = read
    value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
    work.val[place] = op.UNKNOWN_ID
    return edge_for(node, value, tries)


@inner
def look_ahead(data, tries, work, grown, findings):
    """Ask what threads do after each write that their last read may take, where a branch rests on it; else NEXT."""
    forget_tried(work, grown)
    for t in range(grown.node.shape[0]):
        node, last = grown.node[t], grown.length[t] - 1
        if last < 0 or not at_fork(t, tries, grown) or tries.node_branches[node] == 0:
            continue
        e = grown.event_at[t, last]
        if not is_open(e, grown):
            continue
        for v in range(grown.excluded.shape[1]):
            left = candidates(e, v, data, work, grown)
            while left != ZERO:
                asked = ask_ahead(e, work.val[(v << 6) + trailing_zeros(left)], data, tries, work, grown, findings)
                left &= left - ONE
                if asked != NEXT:
                    return asked
    return NEXT


@inner
def forget_tried(work, grown):
    """Leave a read open again whose value was supposed, as what depends on it has been computed."""
    tried = grown.at[op.X_TRIED]
    if tried > 0:
        work.val[tried - 1] = op.UNKNOWN_ID
        grown.at[op.X_TRIED] = 0


@inner
def ask_ahead(e, read, data, tries, work, grown, findings):
    """Ask what a thread does after its last read, an open one, has returned a value; NEXT where that is known."""
    t, place = work.g_thread[e], place_of(e, work, grown)
    node = grown.node[t]
    work.val[place] = read
    value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
    if value == -2:
        work.missing[0], work.missing[1] = tries.node_what[node], work.t_base[t]
        grown.at[op.X_TRIED] = place + 1
        return op.NEEDS_VALUE
    work.val[place] = op.UNKNOWN_ID
    if value >= 0 and edge_for(node, value, tries) < 0:
        grown.at[op.X_NODE], grown.at[op.X_VALUE] = node, value
        return op.NEEDS_AHEAD
    return NEXT


@inner
def leads_on(edge, tried, data, tries):
    """Tell whether a thread in a loop that waits may go on after an edge; else it waits for ever.

    With `tried`, that it ends at an attempt which counts only for what races with it is a way to go on.
    """
    if edge < 0:
        return True
    value = tries.edge_value[edge]
    while edge >= 0 and tries.edge_value[edge] == value:
        child = tries.edge_child[edge]
        if child == op.EDGE_OPEN or child == op.EDGE_WRITES:
            return True
        if child >= 0:
            p = tries.node_ended[child]
            if p < 0 or tries.node_count[child] > 0:
                return True
            if data.p_end[p] != op.END_STUCK and (tried or data.p_end[p] != op.END_TRIED):
                return True
        edge = tries.edge_following[edge]
    return False


@inner
def goes_on(e, edge, data, tries, work):
    """Tell whether a thread may go on after an edge that an open read leads to; else it waits for ever."""
    return tries.waits[work.g_event[e]] == 0 or leads_on(edge, True, data, tries)


@inner
def must_write(e, edge, data, tries, work, grown):
    """Tell whether an open read, whose thread goes on at an edge, is certainly half of a read-modify-write."""
    t = work.g_thread[e]
    node, index = grown.node[t], place_of(e, work, grown) - work.t_base[t]
    if grown.following[t] < tries.node_count[node]:
        rmw = data.e_rmw[tries.node_first[node] + grown.following[t]]
        return rmw >= 0 and rmw == index
    if edge < 0 or tries.edge_child[edge] < 0:
        return edge >= 0 and tries.edge_child[edge] == op.EDGE_WRITES
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == tries.edge_value[edge]:
        return False
    child = tries.edge_child[edge]
    if tries.node_count[child] == 0:
        return False
    rmw = data.e_rmw[tries.node_first[child]]
    return rmw >= 0 and rmw == index - tries.node_moves[node]


@inner
def waits_with_old(e, w, edge, data, tries, work):
    """Tell whether a thread would wait for ever after an edge with a write that is not the last of its location."""
    return is_placed(w, work) and not is_newest(w, work) and not goes_on(e, edge, data, tries, work)


@inner
def is_refused(e, w, edge, data, tries, work, grown):
    """Tell whether an open read cannot take a write after which its thread goes on at an edge."""
    if edge >= 0 and leads_nowhere(work.g_thread[e], edge, tries, data, work, grown):
        return True
    # Of other reads this is asked where one takes a write: counted here, it brings decisions into a worse order.
    if grown.half[e] != 0 and waits_with_old(e, w, edge, data, tries, work):
        return True
    if grown.at[op.X_ATOMIC] == 0 or grown.half[e] == 0 or not is_placed(w, work) or not is_taken(w, data, work, grown):
        return False
    return must_write(e, edge, data, tries, work, grown)


@inner
def is_option(e, w, data, tries, work, grown, findings):
    """Tell whether an open read may take a write, as far as can be told before the axioms are tested."""
    if not may_take(e, w, data, work, grown):
        return False
    t = work.g_thread[e]
    last = grown.event_at[t, grown.length[t] - 1] == e
    edge = edge_after(e, w, data, tries, work, grown, findings) if last else -1
    return not is_refused(e, w, edge, data, tries, work, grown) and not waits_with_old(e, w, edge, data, tries, work)


@inner
def add_ahead(t, edge, tries, grown):
    """Add what a thread may write after an edge to what it may write once its last read takes a write that is there."""
    if edge < 0:
        grown.known_ahead[t] = 0
        return
    value = tries.edge_value[edge]
    while edge >= 0 and tries.edge_value[edge] == value:
        for l in range(min(tries.can_write.shape[1], grown.leads_to.shape[1])):
            grown.leads_to[t, l] |= tries.can_write[tries.edge_writes[edge], l]
        edge = tries.edge_following[edge]


@inner
def count_options(e, prog, data, tries, work, grown, findings):
    """Count the writes that an open read may take, and those of them after which its thread goes on."""
    grown.options[e], grown.leading[e], grown.stays_after[e] = 0, 0, ZERO
    t = work.g_thread[e]
    last = is_before_fork(e, tries, work, grown)
    branches = last and tries.node_branches[grown.node[t]] != 0
    if last:
        grown.known_ahead[t] = int(branches)
        for l in range(grown.leads_to.shape[1]):
            grown.leads_to[t, l] = 0
    for v in range(grown.excluded.shape[1]):
        left = candidates(e, v, data, work, grown)
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            edge = edge_after(e, w, data, tries, work, grown, findings) if last else -1
            if is_refused(e, w, edge, data, tries, work, grown):
                continue
            grown.options[e] += 1
            if tries.waits[work.g_event[e]] == 0 or leads_on(edge, False, data, tries):
                grown.leading[e] += 1
            if branches:
                add_ahead(t, edge, tries, grown)
    if may_be_undef(e, prog, grown):
        grown.options[e] += 1
        grown.leading[e] += 1
        grown.known_ahead[t] = 0
    shared_out = tries.share_row[0] >= 0  # else nobody asks
    if last and shared_out and grown.options[e] > 0 and tries.waits[work.g_event[e]] != 0:
        for k in range(tries.constants.shape[0]):
            edge = edge_after_value(e, tries.constants[k], data, tries, work, grown, findings)
            if not leads_on(edge, False, data, tries):
                grown.stays_after[e] |= ONE << uint64(k)
