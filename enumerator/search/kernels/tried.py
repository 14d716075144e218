"""Attempts that fail, and count only for what races with the data that they have looked at (:mod:`..unfold.retries`).

One such attempt is enough, as an execution with several is as one with any of them alone. Its thread ends there, and
what the others do besides is of interest only as long as they may write the data. If a flag is raised then, or one of
those that wait for what the thread would do next may write the data, the search begins anew, with threads that go on.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.coming import has_open
from enumerator.search.kernels.growth import has_ended, to_come
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.words import trailing_zeros

NOTHING, STILL, RACES = (
    0,
    1,
    2,
)  # what may come of an attempt: nothing; others may still write the data; so may such ones


@inner
def thread_that_tried(tries, data, grown):
    """Give the thread that has ended at an attempt, or -1."""
    for t in range(grown.node.shape[0]):
        if tries.node_tried[grown.node[t]] != 0 and has_ended(t, tries, grown):
            if data.p_end[tries.node_ended[grown.node[t]]] == op.END_TRIED:
                return t
    return -1


@inner
def tries_again(t, child, tries, grown):
    """Tell whether a thread that goes on at a node has made such an attempt, and so has another one."""
    if tries.node_tried[child] == 0:
        return False
    for s in range(grown.node.shape[0]):
        if s != t and tries.node_tried[grown.node[s]] != 0:
            return True
    return False


@inner
def leads_nowhere(t, edge, tries, data, work, grown):
    """Tell whether a thread has no way to go on after an edge."""
    if tries.edge_child[edge] == op.EDGE_NOWHERE:
        return True
    value = tries.edge_value[edge]
    while edge >= 0 and tries.edge_value[edge] == value:
        child = tries.edge_child[edge]
        if child < 0 or tries.node_tried[child] == 0:
            return False
        if not tries_again(t, child, tries, grown) and not is_alone(t, child, tries, data, work, grown):
            return False
        edge = tries.edge_following[edge]
    return True


@inner
def is_alone(t, node, tries, data, work, grown):
    """Tell whether a thread would end at a node at an attempt whose data nobody else writes."""
    p, looked = tries.node_ended[node], tries.node_looked[node]
    if p < 0 or data.p_end[p] != op.END_TRIED or tries.node_count[node] > 0:
        return False
    for s in range(grown.node.shape[0]):
        if s != t and not has_ended(s, tries, grown) and writes_both(looked, to_come(s, tries, grown), tries):
            return False
    for l in range(min(tries.can_write.shape[1], grown.written.shape[0])):
        if tries.can_write[looked, l] == 0:
            continue
        for e in range(work.st[op.EVENTS]):
            if work.g_loc[e] == l and work.g_thread[e] >= 0 and work.g_thread[e] != t and is_write(e, data, work):
                return False
    return True


@inner
def is_write(e, data, work):
    """Tell whether an event of a thread is a write."""
    return data.e_kind[work.g_event[e]] == 1


@inner
def may_come_of(t, tries, work, grown):
    """Say what may come of the attempt at which a thread has ended."""
    goes_on = ONE << uint64(t)
    found = True
    while found:
        found = False
        for v in range(grown.open.shape[0]):
            left = grown.open[v]
            while left != ZERO:
                e = (v << 6) + trailing_zeros(left)
                left &= left - ONE
                s = work.g_thread[e]
                if (goes_on >> uint64(s)) & ONE != ZERO:
                    continue
                for u in range(grown.node.shape[0]):
                    if (goes_on >> uint64(u)) & ONE != ZERO and tries.can_write[
                        to_come(u, tries, grown), work.g_loc[e]
                    ] != 0:
                        goes_on |= ONE << uint64(s)
                        found = True
                        break
    # What it has looked at counts once it is in the graph.
    what, looked = STILL if has_open(t, work, grown) else NOTHING, tries.node_looked[grown.node[t]]
    for s in range(grown.node.shape[0]):
        if s == t or has_ended(s, tries, grown) or not writes_both(looked, to_come(s, tries, grown), tries):
            continue
        if (goes_on >> uint64(s)) & ONE != ZERO:
            return RACES
        what = STILL
    return what


@inner
def writes_both(one, other, tries):
    """Tell whether two rows have a location in common."""
    for l in range(tries.can_write.shape[1]):
        if tries.can_write[one, l] != 0 and tries.can_write[other, l] != 0:
            return True
    return False
