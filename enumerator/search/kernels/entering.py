"""Events enter the base relations and sets of a graph and leave them again; the row of one has what comes before it."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ONE, ZERO, clear_bit, set_bit
from enumerator.search.kernels.words import trailing_zeros

UNDEFINED = -2  # what a read has for its source that returns undef


@inner
def note(grown, kind, what, before, other):
    """Put on the trail what is to be undone."""
    end = grown.at[op.X_TRAIL]
    grown.trail[end, 0], grown.trail[end, 1], grown.trail[end, 2], grown.trail[end, 3] = kind, what, before, other
    grown.at[op.X_TRAIL] = end + 1


@inner
def event_of(t, base, index, grown):
    """Give the event of a thread at an index of its path, which counts from where values begin at a base."""
    return grown.event_at[t, base + index - grown.begins[t]]


@inner
def place_of(e, work, grown):
    """Give the place of the value of an event that is of a thread."""
    return grown.begins[work.g_thread[e]] + grown.index[e]


@inner
def attribute(row, e, data, work, grown):
    """Give an attribute of an event that relations compare, -1 for none."""
    g = work.g_event[e]
    value = data.e_key[row, g if g >= 0 else data.e_key.shape[1] + g]
    if value >= 0 and g >= 0 and (row == op.INSTRUCTION or row == op.WHOLE):
        return value + grown.base[e]  # they count inside the path
    return value


@inner
def lists(number, b, e, data, work, grown):
    """Tell whether the path lists an event beside event b of the same thread."""
    g = work.g_event[b]
    for k in range(data.dep_first[g], data.dep_first[g + 1]):
        if data.dep_kind[k] == number and grown.base[b] + data.dep_source[k] == place_of(e, work, grown):
            return True
    return False


@inner
def of_one_access(a, b, data, work, grown):
    """Tell whether two events are parts of one access, and not a cell's read and its write."""
    if work.g_thread[a] != work.g_thread[b] or work.g_thread[a] < 0:
        return False
    g, h = work.g_event[a], work.g_event[b]
    if data.e_whole[g] < 0 or data.e_whole[h] < 0:
        return False
    if grown.base[a] + data.e_whole[g] != grown.base[b] + data.e_whole[h]:
        return False
    return not is_half_of(b, a, data, work, grown) and not is_half_of(a, b, data, work, grown)


@inner
def is_half_of(w, r, data, work, grown):
    """Tell whether an event is the write of a read-modify-write, whose read is another event of its thread."""
    rmw = data.e_rmw[work.g_event[w]]
    return rmw >= 0 and grown.base[w] + rmw == place_of(r, work, grown)


@inner
def relate(e, prog, data, work, grown):
    """Put an event into the base relations and sets, beside those that are in the graph."""
    kind, g = work.g_kind[e], work.g_event[e]
    is_part = g >= 0 and data.e_whole[g] >= 0
    for k in range(prog.base_relations.shape[0]):
        register, listed = prog.base_relations[k, 0], prog.base_relations[k, 4]
        if listed >= 0:
            enter_listed(register, listed, e, data, work, grown)
            continue
        for v in range(grown.row.shape[0]):
            earlier, later = (
                of_kinds(prog.kinds_before[k, kind], v, grown),
                of_kinds(prog.kinds_after[k, kind], v, grown),
            )
            if prog.base_relations[k, 3] != 0:  # the first event comes before the second
                earlier &= numbers_below(e, v)
                later &= ~numbers_below(e, v)
                if is_part:
                    earlier, later = (
                        of_others(e, earlier, v, data, work, grown),
                        of_others(e, later, v, data, work, grown),
                    )
            elif prog.kind_itself[k, kind] and v == e >> 6:
                earlier |= ONE << uint64(e & 63)
            if prog.base_relations[k, 1] >= 0:
                earlier = with_same(e, earlier, v, k, 2, 1, prog, data, work, grown)
                later = with_same(e, later, v, k, 1, 2, prog, data, work, grown)
            enter_word(register, e, earlier, later, v, work, grown)
    for k in range(prog.base_sets.shape[0]):
        if prog.kind_sets[k, kind]:
            set_bit(work.S[prog.base_sets[k]], e)
            set_bit(grown.touched_sets[prog.base_sets[k]], e)
    set_bit(grown.of_kind[kind], e)
    set_bit(grown.kinds, kind)
    if work.g_loc[e] >= 0:
        set_bit(grown.accessed[work.g_loc[e]], e)
    grown.present[e] = True
    set_bit(work.S[op.GROW_PRESENT], e)
    set_bit(grown.touched_sets[op.GROW_PRESENT], e)
    note(grown, op.T_PRESENT, e, 0, 0)
    attach(e, work, grown)


@inner
def writes_to(l, v, grown):
    """Give a word of the writes to a location that are in the graph, whether or not it is known what they write."""
    return grown.written[l, v] | (grown.accessed[l, v] & grown.deferred[v])


@inner
def of_kinds(wanted, v, grown):
    """Give a word of the events in the graph whose kinds are in a set of kinds."""
    found = ZERO
    for u in range(wanted.shape[0]):
        left = wanted[u] & grown.kinds[u]
        while left != ZERO:
            found |= grown.of_kind[(u << 6) + trailing_zeros(left), v]
            left &= left - ONE
    return found


@inner
def numbers_below(e, v):
    """Give the events of a word that have lower numbers than an event."""
    if v != e >> 6:
        return ~ZERO if v < e >> 6 else ZERO
    return (ONE << uint64(e & 63)) - ONE


@inner
def of_others(e, word, v, data, work, grown):
    """Leave out of a word of events those that are parts of one access with an event."""
    left = word
    while left != ZERO:
        b = (v << 6) + trailing_zeros(left)
        if of_one_access(b, e, data, work, grown):
            word &= ~(left & (ZERO - left))
        left &= left - ONE
    return word


@inner
def with_same(e, word, v, k, mine, others, prog, data, work, grown):
    """Keep of a word of events those whose attribute is that of an event; which these are, the base relation says."""
    its, attributes, found = prog.base_relations[k, mine], prog.base_relations[k, others], ZERO
    if its == op.LOCATION and attributes == op.LOCATION:
        l = work.g_loc[e]
        return word & grown.accessed[l, v] if l >= 0 else ZERO
    own = attribute(its, e, data, work, grown)
    while own >= 0 and word != ZERO:
        if attribute(attributes, (v << 6) + trailing_zeros(word), data, work, grown) == own:
            found |= word & (ZERO - word)
        word &= word - ONE
    return found


@inner
def enter_word(register, e, earlier, later, v, work, grown):
    """Enter an event into a relation, with a word of the events before it, and one of those after it."""
    if earlier != ZERO:
        work.R[register, e, v] |= earlier
        set_bit(grown.touched[register], e)
    grown.touched[register, v] |= later
    while later != ZERO:
        set_bit(work.R[register, (v << 6) + trailing_zeros(later)], e)
        later &= later - ONE


@inner
def enter_listed(register, number, e, data, work, grown):
    """Enter the pairs of an event into a relation that paths list.

    What the control dependencies of an event are is listed beside it and the events before it.
    """
    t = work.g_thread[e]
    if t < 0:
        return
    for index in range(0 if number == op.CONTROL else grown.index[e], grown.index[e] + 1):
        b = grown.event_at[t, index]
        g = work.g_event[b]
        for i in range(data.dep_first[g], data.dep_first[g + 1]):
            if data.dep_kind[i] == number:
                source = event_of(t, grown.base[b], data.dep_source[i], grown)
                if grown.present[source]:
                    enter(register, e, source, work, grown)
    if data.e_kind[work.g_event[e]] > 1:
        return  # nothing lists a fence
    listed = False
    for index in range(grown.index[e] + 1, grown.length[t]):
        b = grown.event_at[t, index]
        listed = (listed and number == op.CONTROL) or lists(number, b, e, data, work, grown)
        if listed and grown.present[b]:
            enter(register, b, e, work, grown)


@inner
def enter(register, e, before, work, grown):
    """Enter a pair into a relation: an event, by the row of the one that comes after it."""
    set_bit(work.R[register, e], before)
    set_bit(grown.touched[register], e)


@inner
def attach(e, work, grown):
    """Enter what an event reads, if it is a read; in any case relations are not up to date any more."""
    grown.at[op.X_FRESH] = 0
    if work.source[e] >= 0:
        enter(0, e, work.source[e], work, grown)
    elif work.source[e] == UNDEFINED:
        set_bit(work.S[0], e)
        set_bit(grown.touched_sets[0], e)


@inner
def unrelate(e, prog, work, grown):
    """Take an event out of all relations and sets."""
    R, S, kind, l = work.R, work.S, work.g_kind[e], work.g_loc[e]
    for k in range(-2, prog.base_relations.shape[0]):
        register = prog.base_relations[k, 0] if k >= 0 else k + 2  # reads-from and the order are the first two
        if R.shape[2] == 1:
            take_out_narrow(work.flat[register], e, work.st[op.EVENTS])
            continue
        for v in range(R.shape[2]):
            R[register, e, v] = ZERO
        for b in range(work.st[op.EVENTS]):
            clear_bit(R[register, b], e)
    for k in range(prog.base_sets.shape[0]):
        clear_bit(S[prog.base_sets[k]], e)
    clear_bit(S[0], e)
    clear_bit(S[op.GROW_PRESENT], e)
    clear_bit(grown.of_kind[kind], e)
    left = ZERO
    for v in range(grown.row.shape[0]):
        left |= grown.of_kind[kind, v]
    if left == ZERO:
        clear_bit(grown.kinds, kind)
    if l >= 0:
        clear_bit(grown.accessed[l], e)
    grown.present[e] = False


@inner
def take_out_narrow(relation, e, n):
    """Take an event out of a relation of at most 64 events."""
    others = ~(ONE << uint64(e))
    for b in range(n):
        relation[b] &= others
    relation[e] = ZERO
