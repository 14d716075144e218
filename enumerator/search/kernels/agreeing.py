"""Whether two models say the same of all executions of a program, for all choices of annotations.

Executions are made depth first: the writes of a location get their places one by one, then reads their writes. Bounds
of what the models say of one that is decided in part (:mod:`enumerator.search.kernels.between`) may tell that both
refuse, or that none of the axioms in which they differ can fail: all that may come of it is then done with. Whole
executions that are left are looked at for each choice of annotations (:mod:`enumerator.search.kernels.spreading`).
"""

from __future__ import annotations

from numba import int64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.between import ALL, ONE, ZERO, bit, bounds
from enumerator.search.kernels.spreading import evaluate, spread
from enumerator.search.kernels.words import trailing_zeros


@inner
def choose(events, work, n):
    """Write what is chosen as bounds of reads-from, of undef and of the orders of writes."""
    C = work.chosen
    for k in range(6):
        for i in range(n):
            C[k, i] = ZERO
    for i in range(n):
        if events.sources[i] != ZERO or events.may_undef[i] != 0:
            source = work.source[i]
            if source == op.J_RETURNS_UNDEF:
                C[4, 0] |= bit(i)
                C[5, 0] |= bit(i)
            elif source >= 0:
                C[0, source] |= bit(i)
                C[1, source] |= bit(i)
            else:
                left = events.sources[i]
                while left != ZERO:
                    C[1, trailing_zeros(left)] |= bit(i)
                    left &= left - ONE
                if events.may_undef[i] != 0:
                    C[5, 0] |= bit(i)
        if events.writes[i] != 0:
            for j in range(n):
                if i == j or events.writes[j] == 0 or events.location[i] != events.location[j]:
                    continue
                if events.item[i] < 0 or (events.item[j] >= 0 and 0 <= work.rank[i] < work.rank[j]):
                    C[2, i] |= bit(j)
                    C[3, i] |= bit(j)
                elif events.item[j] >= 0 and (work.rank[i] < 0 or work.rank[j] < 0):
                    C[3, i] |= bit(j)


@inner
def options_of(events, work, event, n):
    """Count the options of the next decision."""
    if events.writes[event] == 0:
        count = int64(events.may_undef[event])
        left = events.sources[event]
        while left != ZERO:
            count += 1
            left &= left - ONE
        return count
    count = 1
    for j in range(n):
        if events.location[j] == events.location[event] and work.rank[j] >= 0:
            count += 1
    return count


@inner
def decide(events, work, event, option, n):
    """Take an option for the next decision: a write to read, or a place among the writes that have one."""
    if events.writes[event] == 0:
        left = events.sources[event]
        for _ in range(option):
            left &= left - ONE
        work.source[event] = trailing_zeros(left) if left != ZERO else op.J_RETURNS_UNDEF
        return
    for j in range(n):
        if events.location[j] == events.location[event] and work.rank[j] >= option:
            work.rank[j] += 1
    work.rank[event] = option


@inner
def undecide(events, work, event, n):
    """Take a decision back."""
    if events.writes[event] == 0:
        work.source[event] = op.J_OPEN
        return
    rank = work.rank[event]
    work.rank[event] = -1
    for j in range(n):
        if events.location[j] == events.location[event] and work.rank[j] > rank:
            work.rank[j] -= 1


@inner
def open_orders(work, n):
    """Leave the orders open that models choose besides."""
    for k in range(0, len(work.linear), 2):
        for i in range(n):
            work.linear[k, i] = ZERO
            work.linear[k + 1, i] = ((bit(n) - ONE) if n < 64 else ALL) & ~bit(i)


@inner
def next_permutation(row, count):
    """Go on to the next order of some events; tell whether there is one."""
    i = count - 2
    while i >= 0 and row[i] > row[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = count - 1
    while row[j] < row[i]:
        j -= 1
    row[i], row[j] = row[j], row[i]
    left, right = i + 1, count - 1
    while left < right:
        row[left], row[right] = row[right], row[left]
        left += 1
        right -= 1
    return True


@inner
def first_permutation(model, work, k, n):
    """Begin with the order of the events' numbers."""
    members = work.most[model.members[k], 0]
    count = 0
    while members != ZERO:
        work.permutation[k, count] = trailing_zeros(members)
        members &= members - ONE
        count += 1
    work.permutation[k, n] = count


@inner
def next_orders(model, work, n):
    """Go on to the next orders that the models choose besides."""
    for k in range(len(model.members)):
        if next_permutation(work.permutation[k], work.permutation[k, n]):
            return True
        first_permutation(model, work, k, n)
    return False


@inner
def set_orders(model, work, n):
    """Write the orders that the models choose besides as bounds."""
    for k in range(len(model.members)):
        for i in range(n):
            work.linear[2 * k, i] = ZERO
        later = ZERO
        for place in range(work.permutation[k, n] - 1, -1, -1):
            i = work.permutation[k, place]
            work.linear[2 * k, i] = later
            later |= bit(i)
        for i in range(n):
            work.linear[2 * k + 1, i] = work.linear[2 * k, i]


@inner
def partly(model, events, work, n):
    """Tell whether both models are known to agree on all that may come of what is chosen."""
    choose(events, work, n)
    for group in range(op.J_GROUPS):
        work.certain[group] = 0
        work.possible[group] = 0
    work.at[0] = 0
    if bounds(model, model.begin[1], model.begin[2], events, work, n):
        return True
    if len(model.members) > 0:
        open_orders(work, n)
        if bounds(model, model.begin[2], model.begin[3], events, work, n):
            return True
    return False


@inner
def wholly(model, events, work, n, w):
    """Add the annotations with which the models differ on the execution that is chosen."""
    A, D, T = work.failed, work.differ, work.told
    for group in range(op.J_GROUPS):
        for v in range(w):
            A[group, v] = ZERO
    for k in range(4):
        for v in range(w):
            T[k, v] = ZERO
    work.at[0] = 0
    if evaluate(model, model.begin[1], model.begin[2], events, work, n, w):
        return
    orders = len(model.members)
    for k in range(orders):
        first_permutation(model, work, k, n)
    for group in range(op.J_GROUPS):
        for v in range(w):
            work.kept[group, v] = A[group, v]
    more = True
    while more:
        more = False
        if orders > 0:
            for group in range(op.J_GROUPS):
                for v in range(w):
                    A[group, v] = work.kept[group, v]
            set_orders(model, work, n)
            bounds(model, model.begin[2], model.begin[3], events, work, n)
            evaluate(model, model.begin[2], model.begin[3], events, work, n, w)
            more = next_orders(model, work, n)
        for v in range(w):
            one, other = ~(A[op.J_OWN, v] | A[op.J_COMMON, v]), ~(A[op.J_OTHER, v] | A[op.J_COMMON, v])
            T[0, v] |= one
            T[1, v] |= other
            T[2, v] |= one & (A[op.J_UNDEFINED, v] | A[op.J_COMMON_UNDEFINED, v])
            T[3, v] |= other & (A[op.J_OTHER_UNDEFINED, v] | A[op.J_COMMON_UNDEFINED, v])
            D[0, v] |= one & other & A[op.J_FINAL, v] & work.mask[v]
    for v in range(w):
        D[0, v] |= ((T[0, v] ^ T[1, v]) | (T[2, v] ^ T[3, v])) & work.mask[v]
        D[1, v] |= T[2, v]
        D[2, v] |= T[3, v]


@njit
def agree(model, events, work, n, w):
    """Look for executions of a program on which two models differ.

    Parameters
    ----------
    model, events, work : tables (``distinguishing/sieve.py``)
    n : int
        Events.
    w : int
        Words that hold all choices of annotations; 0 asks only whether there may be a difference.

    Returns
    -------
    bool
        False where the models agree. Else `work.differ` has the annotations with which they may not.
    """
    work.at[0] = 0
    bounds(model, model.begin[0], model.begin[1], events, work, n)
    spread_yet = False
    steps = len(events.decisions)
    for i in range(n):
        work.source[i] = op.J_OPEN
        work.rank[i] = -1
    depth = 0
    work.count[2] += 1
    known = partly(model, events, work, n)
    while True:
        ways = 0
        if not known and depth < steps:
            ways = options_of(events, work, events.decisions[depth], n)
            known = ways == 0
        if ways > 0:
            work.ways[depth] = ways
            work.way[depth] = 0
            depth += 1
        else:
            if not known:
                if w == 0:
                    return True
                if not spread_yet:
                    spread_yet = True
                    spread(events, work.words, w)
                    for k in range(3):
                        for v in range(w):
                            work.differ[k, v] = ZERO
                    work.at[0] = 0
                    evaluate(model, model.begin[0], model.begin[1], events, work, n, w)
                work.count[1] += 1
                wholly(model, events, work, n, w)
            while depth > 0:
                undecide(events, work, events.decisions[depth - 1], n)
                work.way[depth - 1] += 1
                if work.way[depth - 1] < work.ways[depth - 1]:
                    break
                depth -= 1
            if depth == 0:
                break
        decide(events, work, events.decisions[depth - 1], work.way[depth - 1], n)
        work.count[0] += 1
        known = partly(model, events, work, n)
    if not spread_yet:
        return False
    left = ZERO
    for v in range(w):
        if events.exact[0] != 0:  # an execution that there is tells that the program is undefined
            work.differ[0, v] &= ~(work.differ[1, v] & work.differ[2, v])
        left |= work.differ[0, v]
    return left != ZERO
