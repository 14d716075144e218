"""Whether a read returns undef, as soon as nothing that is still to come makes a difference to that.

Which sets of a model say so is found by :mod:`enumerator.search.settled`.
"""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.coming import may_write, to_come_where_all_wait
from enumerator.search.kernels.entering import UNDEFINED, writes_to
from enumerator.search.kernels.growth import clear_reach, has_ended, is_open, spread_past
from enumerator.search.kernels.relations import ONE, ZERO, has_bit
from enumerator.search.kernels.serving import has_waited, must_be_undef, of_one_instruction
from enumerator.search.kernels.tried import thread_that_tried
from enumerator.search.kernels.words import bit_count, trailing_zeros

ASKED = -1  # in ``settled`` and ``stays``: a read that the sets are computed for


@inner
def any_settled(data, tries, work, grown):
    """Mark the reads of which it is known now whether they return undef, or that they do; tell if there are such."""
    if thread_that_tried(tries, data, grown) >= 0:  # what that thread still does is not followed
        return False
    found = False
    for e in range(work.st[op.EVENTS]):
        g = work.g_event[e]
        if grown.settled[e] == ASKED or grown.stays[e] == ASKED:  # and an axiom failed before that was told
            grown.settled[e] = grown.stays[e] = 0
        if g < 0 or data.e_kind[g] != 0 or grown.undef[e] == 0 or grown.settled[e] > 0 or not grown.present[e]:
            continue
        last = not is_still_written(e, data, tries, work, grown)
        known = work.source[e] == UNDEFINED or must_be_undef(e, grown)
        known = known or (grown.stays[e] > 0 and grown.stays_of[e] == writes_for(e, work, grown))
        if not last and known:
            continue
        if not is_past_closed(e, data, tries, work, grown):
            continue
        if last:
            grown.settled[e] = ASKED
        else:
            grown.stays[e] = ASKED
        found = True
    return found


@inner
def writes_for(e, work, grown):
    """Count the writes of the location of a read that are in the graph."""
    count = 0
    for v in range(grown.written.shape[1]):
        count += bit_count(writes_to(work.g_loc[e], v, grown))
    return count


@inner
def is_still_written(e, data, tries, work, grown):
    """Tell whether another thread than that of a read may still write its location."""
    l = work.g_loc[e]
    for t in range(grown.node.shape[0]):
        if t != work.g_thread[e] and not has_ended(t, tries, grown):
            row = to_come_where_all_wait(t, l, data, tries, work, grown)
            if row >= 0 and may_write(row, l, data, tries, work, grown):
                return True
    return False


@inner
def is_past_closed(e, data, tries, work, grown):
    """Tell whether nothing is open before a read, or before a write of its location, in ``po | rf | bar``.

    What passive reads return makes no difference.
    """
    clear_reach(grown)
    grown.reach[work.g_thread[e]] = grown.index[e]
    for v in range(grown.written.shape[1]):
        left = writes_to(work.g_loc[e], v, grown)
        while left != ZERO:
            w = (v << 6) + trailing_zeros(left)
            left &= left - ONE
            if work.g_thread[w] >= 0:
                grown.reach[work.g_thread[w]] = max(grown.reach[work.g_thread[w]], grown.index[w])
    changed = True
    while changed:
        changed = False
        if not spread_past(data, tries, work, grown):
            return False
        for t in range(grown.node.shape[0]):
            for index in range(grown.reach[t] + 1):
                x = grown.event_at[t, index]
                g = work.g_event[x]
                if data.e_kind[g] == 0 and not makes_no_difference(x, tries, work, grown):
                    return False
                if data.e_key[op.WHOLE, g] < 0:
                    continue
                last = last_part(x, data, work, grown)  # what holds of one part holds of all
                if last + 1 == grown.length[t] and grown.following[t] < tries.node_count[grown.node[t]]:
                    return False  # others may still come
                if last > grown.reach[t]:
                    grown.reach[t] = last
                    changed = True
    return True


@inner
def makes_no_difference(x, tries, work, grown):
    """Tell whether what a read in the past of another one returns is known, or makes no difference to that."""
    if grown.later[x] != 0 or not grown.present[x]:
        return False
    return not is_open(x, grown) or tries.passive[work.g_event[x]] != 0


@inner
def last_part(x, data, work, grown):
    """Give the index of the last event that is there of an event's instruction."""
    t, last = work.g_thread[x], grown.index[x]
    while last + 1 < grown.length[t] and of_one_instruction(grown.event_at[t, last + 1], x, data, work, grown):
        last += 1
    return last


@inner
def returns_another(e, work, grown):
    """Tell whether a read returns undef where it is known that it does not, or does not where it does."""
    if must_be_undef(e, grown):
        return work.source[e] >= 0 or (is_open(e, grown) and has_waited(e, grown))
    return grown.returns[e] & op.SETTLED_VALUE != 0 and work.source[e] == UNDEFINED


@inner
def says_otherwise(work, grown):
    """Note what the model says of the reads that are marked; tell whether one returns something else."""
    otherwise, depth = False, work.st[op.DEPTH]
    for e in range(work.st[op.EVENTS]):
        asked, stays = grown.settled[e] == ASKED, grown.stays[e] == ASKED
        if not asked and not stays:
            continue
        for k in range(grown.rules.shape[0]):
            inside, what = has_bit(work.S[grown.rules[k, 0]], e), grown.rules[k, 1]
            if asked and what == op.RULE_ALLOWS and not inside:
                grown.returns[e] |= op.SETTLED_VALUE
            elif asked and what == op.RULE_FORCES and inside:
                grown.returns[e] |= op.SETTLED_UNDEF
            elif stays and what == op.RULE_STAYS and inside:
                grown.returns[e] |= op.STAYS_UNDEF
        otherwise = otherwise or returns_another(e, work, grown)
        if asked:
            grown.settled[e] = depth + 1
        else:
            grown.stays[e], grown.stays_of[e] = depth + 1, writes_for(e, work, grown)
    return otherwise
