"""Symmetric threads while executions grow: one arrangement of them is grown, and counts for all.

Threads are *alike* (``Grown.alike``) as long as nothing has been decided of one that has not been decided of the others
in the same way: to let them change places makes of each execution that the decisions so far leave open another one. Of
what is decided then only one arrangement is grown:

- A read takes a write, and the same read of some others alike does, too. Which of them these are makes no difference:
  they are the first ones. That is asked at once (``X_TWIN``). Those that took it stay alike, and so do the others.
- None of them takes any of the writes that are there: then all of them wait.
- Each of them writes a location: these writes are ordered as the threads are.

``st[WEIGHT]`` is how many executions each one stands for: the ways to choose these threads, and to order them. A thread
of which anything else is decided is like no other from there on (``set_apart``), which only makes the search longer.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.entering import note, numbers_below
from enumerator.search.kernels.growth import is_alone_at, is_open, note_dead_end
from enumerator.search.kernels.relations import ONE, ZERO, set_bit
from enumerator.search.kernels.serving import present_writes
from enumerator.search.kernels.words import trailing_zeros


@inner
def are_any_alike(grown):
    """Tell whether there were symmetric threads to begin with."""
    return grown.at[op.X_SYMMETRIC] != 0


@inner
def put(slot, value, grown):
    """Change one of the numbers ``X_…`` until the decision is undone."""
    note(grown, op.T_AT, slot, grown.at[slot], 0)
    grown.at[slot] = value


@inner
def weigh(weight, work, grown):
    """Let each execution stand for so many from here on."""
    note(grown, op.T_WEIGHT, 0, work.st[op.WEIGHT], 0)
    work.st[op.WEIGHT] = weight


@inner
def put_among(t, number, grown):
    """Let a thread be alike with those that have a number."""
    note(grown, op.T_ALIKE, t, grown.alike[t], 0)
    grown.alike[t] = number


@inner
def set_apart(t, grown):
    """Let a thread be like no other."""
    if grown.alike[t] >= 0:
        put_among(t, -1, grown)


@inner
def count_alike(number, grown):
    """Count the threads that have a number."""
    found = 0
    for t in range(grown.alike.shape[0]):
        found += grown.alike[t] == number
    return found


@inner
def is_handle(l, tries):
    """Tell whether a location is of what stands for a symmetric thread, which tells it from none of the others."""
    return tries.belongs[l] >= 0 and tries.belongs[l] & 3 != op.OWN_OBJECT


@inner
def is_own(l, t, tries):
    """Tell whether a location is of an object of a thread: of its stack, or what it has allocated."""
    return tries.belongs[l] == 4 * t + op.OWN_OBJECT


@inner
def set_writers_apart(l, t, tries, work, grown):
    """Let threads be like no other whose writes a thread tells apart; tell whether there are any.

    It tells them by what it reads, or by where its write stands.
    """
    found = False
    if is_handle(l, tries):
        return found
    for v in range(grown.written.shape[1]):
        left = grown.written[l, v]
        while left != ZERO:
            s = work.g_thread[(v << 6) + trailing_zeros(left)]
            left &= left - ONE
            if s >= 0 and s != t:
                set_apart(s, grown)
                found = True
    return found


@inner
def find_together(d, tries, work, grown):
    """Find the threads like that of a decision's read that decide with it: all have to have come to the same read."""
    r = grown.what[d]
    t = work.g_thread[r]
    grown.together[d] = ZERO
    if grown.alike[t] < 0 or grown.undef[r] != 0 or is_handle(work.g_loc[r], tries):
        return
    if count_alike(grown.alike[t], grown) == 1:
        return
    found = ZERO
    for x in range(grown.alike.shape[0]):
        if grown.alike[x] != grown.alike[t]:
            continue
        if grown.length[x] <= grown.index[r]:
            return
        e = grown.event_at[x, grown.index[r]]
        if work.g_loc[e] != work.g_loc[r] or not is_open(e, grown):
            return
        found |= ONE << uint64(x)
    grown.together[d] = found


@inner
def keep_excluded(r, grown):
    """Note what a read has passed over so far, before that changes."""
    count = 0
    for v in range(grown.excluded.shape[1]):
        left = grown.excluded[r, v]
        while left != ZERO:
            note(grown, op.T_EXCLUDED, r, (v << 6) + trailing_zeros(left), 0)
            left &= left - ONE
            count += 1
    note(grown, op.T_EXCLUDED, r, count, 0)


@inner
def pass_over(r, data, work, grown):
    """Let a read wait for a write that is not there yet."""
    keep_excluded(r, grown)
    for v in range(grown.excluded.shape[1]):
        grown.excluded[r, v] |= present_writes(r, v, data, work, grown)


@inner
def all_pass_over(d, data, tries, work, grown):
    """Let the read of a decision wait, and those that are decided with it."""
    r = grown.what[d]
    t = work.g_thread[r]
    if are_any_alike(grown):
        set_writers_apart(work.g_loc[r], t, tries, work, grown)
        if grown.together[d] != ZERO:
            for x in range(grown.alike.shape[0]):
                if x != t and grown.alike[x] == grown.alike[t]:
                    pass_over(grown.event_at[x, grown.index[r]], data, work, grown)
        elif not is_handle(work.g_loc[r], tries):
            set_apart(t, grown)
    pass_over(r, data, work, grown)


@inner
def tell_apart(d, w, data, tries, work, grown):
    """Note that a read takes a write, the first of those of its decision that the same reads of threads alike take."""
    r = grown.what[d]
    if not are_any_alike(grown):
        return
    t, l = work.g_thread[r], work.g_loc[r]
    others = set_writers_apart(l, t, tries, work, grown)
    if is_handle(l, tries) or (grown.may_wait[d] == 0 and is_own(l, t, tries) and not others):
        return
    if grown.together[d] == ZERO:
        set_apart(t, grown)
        return
    number = grown.alike[t]
    weigh(work.st[op.WEIGHT] * count_alike(number, grown), work, grown)
    takers = grown.at[op.X_NUMBERS]
    put(op.X_NUMBERS, takers + 1, grown)
    put(op.X_TAKES, w + 1, grown)
    put(op.X_TWINS, number, grown)
    put(op.X_TAKERS, takers, grown)
    put(op.X_TAKEN, 1, grown)
    put(op.X_TWIN_INDEX, grown.index[r], grown)
    put_among(t, takers, grown)
    left_out = False
    for x in range(grown.alike.shape[0]):
        if grown.alike[x] == number:  # none takes what has been an option before
            left_out |= leave_out(grown.event_at[x, grown.index[r]], w, False, data, work, grown)
    if left_out:
        note_dead_end(tries, work, grown)


@inner
def leave_out(r, w, only, data, work, grown):
    """Let a read not take the writes with a higher number than one, or only that one; tell whether it could have."""
    keep_excluded(r, grown)
    found = False
    for v in range(grown.excluded.shape[1]):
        word = present_writes(r, v, data, work, grown) & ~numbers_below(w, v)
        while word != ZERO:
            x = (v << 6) + trailing_zeros(word)
            word &= word - ONE
            if (x == w) == only:
                set_bit(grown.excluded[r], x)
                found = True
    return found


@inner
def next_twin(grown):
    """Give the first thread of which it is asked whether it takes what one like it took; -1 where there is none."""
    for x in range(grown.alike.shape[0]):
        if grown.alike[x] == grown.at[op.X_TWINS]:
            return x
    return -1


@inner
def join_takers(t, work, grown):
    """Let a thread take what one like it took."""
    left, taken = count_alike(grown.at[op.X_TWINS], grown), grown.at[op.X_TAKEN]
    weigh(work.st[op.WEIGHT] * left // (taken + 1), work, grown)
    put(op.X_TAKEN, taken + 1, grown)
    put_among(t, grown.at[op.X_TAKERS], grown)


@inner
def no_more_take(data, tries, work, grown):
    """Let none of those left take what one like them took."""
    left_out = False
    for x in range(grown.alike.shape[0]):
        if grown.alike[x] == grown.at[op.X_TWINS]:
            r = grown.event_at[x, grown.at[op.X_TWIN_INDEX]]
            left_out |= leave_out(r, grown.at[op.X_TAKES] - 1, True, data, work, grown)
    put(op.X_TAKES, 0, grown)
    if left_out:
        note_dead_end(tries, work, grown)


@inner
def arrange(e, data, tries, work, grown):
    """Decide for a write that gets a place in an order how it stands to the same writes of threads alike."""
    if not are_any_alike(grown):
        return
    t, l = work.g_thread[e], work.g_loc[e]
    number = grown.alike[t]
    if number < 0 or is_handle(l, tries) or is_own(l, t, tries):
        return
    count = count_alike(number, grown)
    if count == 1 or tries.belongs[l] >= 0 or data.e_rmw[work.g_event[e]] >= 0:
        set_apart(t, grown)
        return
    order, weight = grown.at[op.X_NUMBERS], work.st[op.WEIGHT]
    put(op.X_NUMBERS, order + 1, grown)
    for x in range(grown.alike.shape[0]):
        if grown.alike[x] == number:
            note(grown, op.T_ARRANGED, x, grown.arranged[x], grown.arranged_at[x])
            grown.arranged[x], grown.arranged_at[x] = order, grown.index[e]
            set_apart(x, grown)
            weight *= count
            count -= 1
    weigh(weight, work, grown)


@inner
def is_arranged(e, work, grown):
    """Tell whether a write is ordered as its thread is among others."""
    t = work.g_thread[e]
    return are_any_alike(grown) and grown.arranged[t] >= 0 and grown.arranged_at[t] == grown.index[e]


@inner
def place_after(e, work, grown):
    """Give the first place for such a write: behind those of threads before its own."""
    l, t, found = work.g_loc[e], work.g_thread[e], 0
    for place in range(work.slot_length[l]):
        x = work.g_thread[work.sequence[l, place]]
        if 0 <= x and x < t and is_of_order(x, t, work.sequence[l, place], grown):
            found = place + 1
    return found


@inner
def place_before(e, work, grown):
    """Give the last place for such a write: before those of threads behind its own."""
    l, t = work.g_loc[e], work.g_thread[e]
    for place in range(work.slot_length[l]):
        x = work.g_thread[work.sequence[l, place]]
        if x > t and is_of_order(x, t, work.sequence[l, place], grown):
            return place
    return work.slot_length[l]


@inner
def is_of_order(x, t, w, grown):
    """Tell whether a write is one of those that are ordered as their threads are, among which one thread is."""
    return grown.arranged[x] == grown.arranged[t] and grown.arranged_at[x] == grown.index[w]


# What creates the threads, and joins them -----------------------------------------------------------------------


@inner
def treats_alike(tries, work, grown):
    """Tell whether threads that create symmetric threads, and join them, do nothing else in between.

    Then nothing tells which of them was first. What only that thread accesses may come between.
    """
    if not are_any_alike(grown):
        return True
    for t in range(grown.node.shape[0]):
        group, what, seen = -1, 0, ZERO
        for index in range(grown.length[t]):
            e = grown.event_at[t, index]
            l = work.g_loc[e]
            code = tries.belongs[l] if l >= 0 else -1
            of, part = code >> 2, code & 3
            if code < 0 or part == op.OWN_OBJECT or of == t:
                if group >= 0 and (l < 0 or not is_alone_at(l, t, work)):
                    return False
                continue
            if tries.creator[of] != t or part == op.OTHER_FIELD:
                return False
            if group < 0:
                group, what, seen = tries.group[of], part, ZERO
            elif group != tries.group[of] or what != part:
                return False
            seen |= ONE << uint64(of)
            if has_seen_all(group, seen, tries):
                group = -1
    return True


@inner
def has_seen_all(group, seen, tries):
    """Tell whether all threads of a group are among some."""
    for t in range(tries.group.shape[0]):
        if tries.group[t] == group and (seen >> uint64(t)) & ONE == ZERO:
            return False
    return True
