"""What a read may take while an execution grows, and what its thread does then, as far as that is known."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.growth import at_fork, is_open, is_placed
from enumerator.search.kernels.outcomes import NEXT
from enumerator.search.kernels.serving import may_be_undef, may_take
from enumerator.search.kernels.values import value_of


@inner
def edge_after(e, w, data, tries, work, grown, findings):
    """Give the edge to where a thread goes on after an open read, its last event, has read a write; -1 if not known."""
    t = work.g_thread[e]
    if not at_fork(t, tries, grown):
        return -1
    node, place = grown.node[t], work.t_base[t] + grown.index[e]
    work.val[place] = work.val[w]
    value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
    work.val[place] = op.UNKNOWN_ID
    edge = tries.node_edge[node] if value >= 0 else -1
    while edge >= 0 and tries.edge_value[edge] != value:
        edge = tries.edge_following[edge]
    return edge


@inner
def look_ahead(data, tries, work, grown, findings):
    """Ask what threads do after each write that their last read may take, where a branch rests on it; else NEXT."""
    tried = grown.at[op.X_TRIED]
    if tried > 0:  # the value was computed: the read is open as before
        work.val[tried - 1] = op.UNKNOWN_ID
        grown.at[op.X_TRIED] = 0
    for t in range(grown.node.shape[0]):
        node, last = grown.node[t], grown.length[t] - 1
        if last < 0 or not at_fork(t, tries, grown) or tries.node_branches[node] == 0:
            continue
        e = grown.event_at[t, last]
        if not is_open(e, data, work):
            continue
        place = work.t_base[t] + last
        for w in range(work.st[op.EVENTS]):
            if not may_take(e, w, data, work, grown):
                continue
            work.val[place] = work.val[w]
            value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
            if value == -2:
                work.missing[0], work.missing[1] = tries.node_what[node], work.t_base[t]
                grown.at[op.X_TRIED] = place + 1
                return op.NEEDS_VALUE
            work.val[place] = op.UNKNOWN_ID
            edge = tries.node_edge[node] if value >= 0 else -1
            while edge >= 0 and tries.edge_value[edge] != value:
                edge = tries.edge_following[edge]
            if edge < 0 and value >= 0:
                grown.at[op.X_NODE], grown.at[op.X_VALUE] = node, value
                return op.NEEDS_AHEAD
    return NEXT


@inner
def leads_on(e, w, data, tries, work, grown, findings):
    """Tell whether a thread in a loop that waits may go on after it has read a write; else it waits for ever."""
    edge = edge_after(e, w, data, tries, work, grown, findings)
    value = tries.edge_value[edge] if edge >= 0 else -1
    while edge >= 0 and tries.edge_value[edge] == value:
        child = tries.edge_child[edge]
        if child == op.EDGE_OPEN or child == op.EDGE_WRITES:
            return True
        if child >= 0:
            p = tries.node_ended[child]
            if p < 0 or data.p_end[p] != op.END_STUCK or tries.node_count[child] > 0:
                return True
        edge = tries.edge_following[edge]
    return value < 0


@inner
def is_taken(w, data, work, grown):
    """Tell whether a read-modify-write has read a write, and written."""
    for x in range(work.st[op.EVENTS]):
        g = work.g_event[x]
        if g >= 0 and data.e_rmw[g] >= 0 and work.g_loc[x] == work.g_loc[w] and grown.present[x]:
            if work.source[grown.event_at[work.g_thread[x], data.e_rmw[g]]] == w:
                return True
    return False


@inner
def must_write(e, w, data, tries, work, grown, findings):
    """Tell whether an open read is, after it has read a write, certainly the first half of a read-modify-write."""
    t = work.g_thread[e]
    node = grown.node[t]
    if grown.following[t] < tries.node_count[node]:
        return data.e_rmw[tries.node_first[node] + grown.following[t]] == grown.index[e]
    edge = edge_after(e, w, data, tries, work, grown, findings)
    if edge < 0 or tries.edge_child[edge] < 0:
        return edge >= 0 and tries.edge_child[edge] == op.EDGE_WRITES
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == tries.edge_value[edge]:
        return False
    child = tries.edge_child[edge]
    return tries.node_count[child] > 0 and data.e_rmw[tries.node_first[child]] == grown.index[e]


@inner
def is_option(e, w, data, tries, work, grown, findings):
    """Tell whether an open read may take a write, as far as can be told before the axioms are tested."""
    if not may_take(e, w, data, work, grown):
        return False
    if grown.at[op.X_ATOMIC] == 0 or grown.half[e] == 0 or not is_placed(w, work) or not is_taken(w, data, work, grown):
        return True
    return not must_write(e, w, data, tries, work, grown, findings)


@inner
def count_options(e, prog, data, tries, work, grown, findings):
    """Count the writes that an open read may take, and those of them after which its thread goes on."""
    grown.options[e], grown.leading[e] = 0, 0
    for w in range(work.st[op.EVENTS]):
        if is_option(e, w, data, tries, work, grown, findings):
            grown.options[e] += 1
            if tries.waits[work.g_event[e]] == 0 or leads_on(e, w, data, tries, work, grown, findings):
                grown.leading[e] += 1
    if may_be_undef(e, prog, grown):
        grown.options[e] += 1
        grown.leading[e] += 1
