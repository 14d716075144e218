"""The search for outcomes alone, through one large combination of paths: candidates with one future are taken once.

A candidate decides some reads and some places in the orders of writes. Its operations (kernels/circuit.py) have two
bits a signal: whether the signal is certainly true, and whether it may be. What no axiom, flag and outcome can see any
more is what no open output of the operations needs, and no value that may still be read or observed: two candidates
that agree on all else have the same outcomes, and the second is dropped.

A step looks at a block of candidates, in `memo.block`, and puts what comes of them behind those that wait.
"""

from __future__ import annotations

from numba import int64, uint8, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.outcomes import count_state, show_flags
from enumerator.search.kernels.partial import OPEN, evaluate_both, fill_block, look_back, refute, rule_out, settle
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.values import value_of, values_of

_EVALUATIONS, _KEYS = 8, 40
"""Word operations, about, for an operation on a word of a block, and for each read of a candidate."""


@inner
def mixed(x):
    """Scatter the bits of a word (the finalizer of splitmix64)."""
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


@inner
def add_fact(h, candidate, event, kind, value):
    """Add to a candidate's key that an event has a value, or a source."""
    word = (uint64(event) << uint64(40)) | (uint64(kind) << uint64(36)) | uint64(value + 2)
    h[candidate, 0] += mixed(word + uint64(0x9E3779B97F4A7C15))
    h[candidate, 1] += mixed(word * uint64(0xD1342543DE82EF95) + uint64(0x2545F4914F6CDD1D))


@inner
def lowest_bit(word):
    """Give the number of the lowest bit that is set."""
    probe = word & (~word + ONE)
    number = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if probe >> uint64(shift) != ZERO:
            probe >>= uint64(shift)
            number += shift
    return number


@inner
def signal_keys(memo, candidates):
    """Start the keys of all candidates with the marked signals that are true, and those that are open.

    A sum of two words of noise for each: that two candidates which differ have one key has a chance of 2^-128.
    """
    T, P, L, noise, h = memo.T, memo.P, memo.L, memo.noise, memo.keys
    for candidate in range(candidates):
        h[candidate, 0], h[candidate, 1] = ZERO, ZERO
    for w in range(2, T.shape[0]):
        for v in range((candidates + 63) >> 6):
            seen = L[w, v] & P[w, v]
            while seen != ZERO:
                number = lowest_bit(seen)
                seen &= seen - ONE
                candidate = (v << 6) + number
                if candidate >= candidates:
                    break
                kind = int64((T[w, v] >> uint64(number)) & ONE)
                h[candidate, 0] += noise[w, kind, 0]
                h[candidate, 1] += noise[w, kind, 1]


@inner
def expand(d, memo):
    """Fill the block with options taken in the candidates that wait at a level, the last ones first; their number."""
    kind, what, place = memo.levels[d, 0], memo.levels[d, 1], memo.levels[d, 2]
    waiting, options, count, block = memo.waiting, memo.options, memo.count, memo.block
    members, item_slot, item_read = memo.members, memo.item_slot, memo.item_read
    items = item_slot.shape[0]
    width = waiting.shape[2]
    reads = width - items - members.shape[0]
    candidates = 0
    while candidates < block.shape[1] and count[d] > 0:
        c = count[d] - 1
        mask = options[d, c]
        while mask != ZERO and candidates < block.shape[1]:
            option = lowest_bit(mask)
            mask &= mask - ONE
            for k in range(width):
                block[k, candidates] = waiting[d, c, k]
            if kind == op.F_LAST:
                block[items + reads + what, candidates] = uint8(members[what, option])
            elif kind == op.F_READ:
                block[items + what, candidates] = uint8(option)
            elif kind == op.F_NEXT:
                block[members[what, option], candidates] = uint8(place)
            else:
                for item in range(items):
                    if item_slot[item] == what and waiting[d, c, item] == place and item_read[item] >= 0:
                        block[items + item_read[item], candidates] = uint8(option)
            candidates += 1
        options[d, c] = mask
        if mask == ZERO:
            count[d] -= 1
    return candidates


@inner
def may_read(memo, k, option, candidate):
    """Tell whether a read of a candidate may still take a source."""
    signal = memo.read_signal[k, option]
    return signal < 0 or (memo.P[signal, candidate >> 6] >> uint64(candidate & 63)) & ONE != ZERO


@inner
def next_options(d, memo, candidates):
    """Give the options that the candidates in the block have at a level, a bit each."""
    kind, what, place = memo.levels[d, 0], memo.levels[d, 1], memo.levels[d, 2]
    members, item_slot, item_read, block = memo.members, memo.item_slot, memo.item_read, memo.block
    items = item_slot.shape[0]
    last_row = block.shape[0] - members.shape[0] + what
    for candidate in range(candidates):
        mask = ZERO
        k = what if kind == op.F_READ else -1
        if kind == op.F_LAST or kind == op.F_NEXT:
            last = block[last_row, candidate]
            left, pinned = 0, 0
            for option in range(memo.n_members[what]):
                item = members[what, option]
                if kind == op.F_LAST:
                    if memo.item_after[item] < 0:
                        mask |= ONE << uint64(option)
                elif block[item, candidate] == OPEN:
                    left += 1
                    before = memo.item_before[item]
                    if item == last:
                        pinned = option
                    elif before < 0 or block[before, candidate] != OPEN:
                        mask |= ONE << uint64(option)
            if kind == op.F_NEXT and left == 1 and last != OPEN:
                mask = ONE << uint64(pinned)
        elif kind != op.F_READ:
            mask = ONE
            for item in range(items):
                if item_slot[item] == what and block[item, candidate] == place:
                    k = item_read[item]
        if k >= 0:
            mask = ZERO
            for option in range(memo.n_sources[k]):
                if may_read(memo, k, option, candidate):
                    mask |= ONE << uint64(option)
        memo.masks[candidate] = mask


@inner
def load_values(data, work, memo, candidates, findings):
    """Compute the values of the candidates in the block, from that at the cursor on; False where one is missing.

    ``memo.vals`` receives them, and ``memo.chosen`` the sources of reads; where the values contradict a condition of a
    path, the candidate is refused.
    """
    st, val, source = work.st, work.val, work.source
    state, fate, chosen, items = memo.state, memo.fate, memo.chosen, memo.item_slot.shape[0]
    while state[op.M_CURSOR] < candidates:
        candidate = state[op.M_CURSOR]
        if fate[candidate] >= op.FATE_OPEN:
            for k in range(chosen.shape[1]):
                option = memo.block[items + k, candidate]
                source[work.reads[k]] = work.sources[k, option] if option != OPEN else -1
                chosen[candidate, k] = source[work.reads[k]]
            possible = values_of(data, work, findings)
            if possible == -2:
                return False
            if possible == 0:
                fate[candidate] = op.FATE_REFUSED
            for e in range(st[op.EVENTS]):
                memo.vals[candidate, e] = val[e]
        state[op.M_CURSOR] += 1
    return True


@inner
def need(needed, todo, event):
    """Mark an event whose value is needed. Those still to be looked at stand in `todo`, their number first."""
    if needed[event] == 0:
        needed[event] = 1
        todo[0] += 1
        todo[todo[0]] = event


@inner
def value_keys(work, memo, candidates):
    """Add to the keys the values that may still be read, tested or observed.

    A value that is not known yet is described by where it comes from. Rows of ``memo.tests`` are (test, read): the
    values that a condition of a path depends on, needed until all of them are known; ``memo.shown`` are the reads whose
    values outcomes show; of a write the value depends on those of the reads from ``write_first`` on.
    """
    tests, shown, reads, chosen = memo.tests, memo.shown, memo.reads, memo.chosen
    fate, vals, needed, todo, h = memo.fate, memo.vals, memo.needed, memo.todo, memo.keys
    final_signals, write_first = memo.final_signals, memo.write_first
    for candidate in range(candidates):
        if fate[candidate] < op.FATE_OPEN:
            continue
        for e in range(needed.shape[0]):
            needed[e] = 0
        todo[0] = 0
        for k in range(reads.shape[0]):
            if chosen[candidate, k] != -1:
                continue
            mask = ZERO
            for option in range(memo.n_sources[k]):
                if may_read(memo, k, option, candidate):
                    mask |= ONE << uint64(option)
                    if work.sources[k, option] >= 0:
                        need(needed, todo, work.sources[k, option])
            h[candidate, 0] += mixed(mask * uint64(0x9E3779B97F4A7C15) + uint64(k))
            h[candidate, 1] += mixed(mask * uint64(0xD1342543DE82EF95) + uint64(k) * uint64(0x2545F4914F6CDD1D))
        for j in range(final_signals.shape[0]):
            if (memo.P[final_signals[j, 1], candidate >> 6] >> uint64(candidate & 63)) & ONE != ZERO:
                need(needed, todo, final_signals[j, 2])
        first = 0
        while first < tests.shape[0]:
            end, known = first, True
            while end < tests.shape[0] and tests[end, 0] == tests[first, 0]:
                known = known and vals[candidate, tests[end, 1]] != op.UNKNOWN_ID
                end += 1
            for i in range(first, end):
                if not known:
                    need(needed, todo, tests[i, 1])
            first = end
        for k in range(shown.shape[0]):
            need(needed, todo, shown[k])
        while todo[0] > 0:
            e = todo[todo[0]]
            todo[0] -= 1
            k = memo.event_read[e]
            if vals[candidate, e] != op.UNKNOWN_ID:
                add_fact(h, candidate, e, 1, vals[candidate, e])
            elif k >= 0 and chosen[candidate, k] >= 0:
                add_fact(h, candidate, e, 2, chosen[candidate, k])
                need(needed, todo, chosen[candidate, k])
            elif k < 0:
                for i in range(write_first[e], write_first[e + 1]):
                    need(needed, todo, memo.write_reads[i])


@inner
def is_new(table, first, second):
    """Add a key to the hash table; False where it is there."""
    mask = table.shape[0] - 1
    slot = int64(first >> uint64(20)) & mask
    while table[slot, 0] != ZERO or table[slot, 1] != ZERO:
        if table[slot, 0] == first and table[slot, 1] == second:
            return False
        slot = (slot + 1) & mask
    table[slot, 0], table[slot, 1] = first, second
    return True


@njit
def move_keys(old, new):
    """Put the keys of a hash table into a larger one that is empty."""
    for slot in range(old.shape[0]):
        if old[slot, 0] != ZERO or old[slot, 1] != ZERO:
            is_new(new, old[slot, 0], old[slot, 1])


@inner
def keep_new(d, memo, candidates):
    """Let the candidates in the block wait at level `d`, but for those whose future another one has had."""
    fate, h, masks, count = memo.fate, memo.keys, memo.masks, memo.count
    for candidate in range(candidates):
        if fate[candidate] < op.FATE_OPEN or masks[candidate] == ZERO:
            continue
        add_fact(h, candidate, d, 4, 0)
        if is_new(memo.table, h[candidate, 0], h[candidate, 1]):
            memo.state[op.M_FOUND] += 1
            c = count[d]
            for k in range(memo.block.shape[0]):
                memo.waiting[d, c, k] = memo.block[k, candidate]
            memo.options[d, c] = masks[candidate]
            count[d] += 1


@inner
def take_outcomes(prog, data, work, memo, candidates, complete, findings):
    """Count the outcomes of candidates in the block of which nothing that can be seen is open, or nothing at all.

    Goes on from that at the cursor; the result says why it stopped, DONE at the end of the block. These candidates
    go no further.
    """
    st, row, state, end = work.st, findings.row, memo.state, memo.state[op.M_END]
    fate, vals, chosen, flag_signals, final_signals = (
        memo.fate,
        memo.vals,
        memo.chosen,
        memo.flag_signals,
        memo.final_signals,
    )
    ended = ONE << uint64(end - 2) if end > 1 else ZERO
    for candidate in range(state[op.M_CURSOR], candidates):
        state[op.M_CURSOR] = candidate
        if fate[candidate] < op.FATE_OPEN or not (complete or fate[candidate] == op.FATE_SETTLED):
            continue
        open_, unknown = False, False
        for k in range(chosen.shape[1]):
            open_ = open_ or chosen[candidate, k] == -1
            unknown = unknown or vals[candidate, work.reads[k]] == op.UNKNOWN_ID
        if open_:
            continue
        if unknown:
            return op.CYCLIC_LEAF
        v, bit = candidate >> 6, uint64(candidate & 63)
        new = 0
        if end == 0 or ended & prog.ends[0] != ZERO:
            if st[op.STATES] >= findings.states.shape[0]:
                return op.NEEDS_STATES
            for k in range(data.obs_thread.shape[0]):
                t = data.obs_thread[k]
                if t >= 0:
                    p = data.thread_first[t] + work.combo[t]
                    kind, what, base = data.obs_kind[p, k], data.obs_data[p, k], work.t_base[t]
                    row[k] = value_of(kind, what, base, vals[candidate], data, findings)
                    if row[k] == -2:
                        work.missing[0], work.missing[1] = what, base
                        for e in range(st[op.EVENTS]):
                            work.val[e] = vals[candidate, e]
                        return op.NEEDS_VALUE
                else:
                    l = data.obs_loc[k]
                    row[k] = data.loc_value[l] if work.slot_first[l] < 0 else op.UNKNOWN_ID
            # The final writes of locations: one has its value, several or none are undef.
            for j in range(final_signals.shape[0]):
                k = final_signals[j, 0]
                if (memo.T[final_signals[j, 1], v] >> bit) & ONE != ZERO:
                    row[k] = vals[candidate, final_signals[j, 2]] if row[k] == op.UNKNOWN_ID else -3
            for k in range(data.obs_thread.shape[0]):
                if row[k] < 0:
                    row[k] = op.UNDEF_ID
            raised = ZERO
            for k in range(flag_signals.shape[0]):
                if (memo.T[flag_signals[k, 0], v] >> bit) & ONE != ZERO:
                    raised |= ONE << uint64(flag_signals[k, 1])
            if ended & prog.ends[1] != ZERO:
                raised = ZERO
            show_flags(prog, findings, raised, ended)
            new = count_state(st, findings, raised)
        elif end == 1:
            st[op.CUT] += 1
        work.flags[1] |= ended
        st[op.EXPLORED] += 1
        st[op.CONSISTENT] += 1
        fate[candidate] = op.FATE_TAKEN
        if new == 1:
            state[op.M_CURSOR] = candidate + 1
            return op.NEW_STATE
    return op.DONE


@inner
def look_at_block(memo, candidates):
    """Compute for the candidates in the block what is settled, and their keys, but for values."""
    words = (candidates + 63) >> 6
    fill_block(memo, candidates)
    evaluate_both(memo, words)
    refute(memo, words)
    if rule_out(memo, words):
        evaluate_both(memo, words)
    settle(memo, candidates)
    look_back(memo, words)
    signal_keys(memo, candidates)
    memo.state[op.M_WORK] += _EVALUATIONS * memo.circuit.shape[0] * words + _KEYS * candidates * memo.reads.shape[0]


@inner
def next_block(memo):
    """Fill the block with candidates: of the level at hand as long as those that come of them have room."""
    state, count = memo.state, memo.count
    level, last = max(state[op.M_LEVEL], 0), memo.levels.shape[0] - 1
    room = memo.waiting.shape[1] - memo.block.shape[1]
    if level < last and count[level + 1] > 0 and (count[level] == 0 or count[level + 1] > room):
        level += 1
    while level >= 0 and count[level] == 0:
        level -= 1
    if level < 0:
        return op.DONE
    state[op.M_LEVEL] = level
    state[op.M_FILLED] = expand(level, memo)
    state[op.M_PHASE], state[op.M_CURSOR] = op.M_LOOK, 0
    return op.PAUSED


@inner
def any_taken(memo, candidates):
    """Tell whether an outcome of some candidate in the block was counted."""
    for candidate in range(candidates):
        if memo.fate[candidate] == op.FATE_TAKEN:
            return True
    return False


@njit
def search_memoized(prog, data, work, memo, findings):
    """Go on by a block of candidates; the result says why that stopped, PAUSED at the end of the block."""
    state, levels = memo.state, memo.levels.shape[0]
    candidates, below = state[op.M_FILLED], state[op.M_LEVEL] + 1
    if state[op.M_PHASE] == op.M_LOOK:
        look_at_block(memo, candidates)
        state[op.M_PHASE] = op.M_VALUES
    if state[op.M_PHASE] == op.M_VALUES:
        if not load_values(data, work, memo, candidates, findings):
            return op.NEEDS_VALUE
        state[op.M_PHASE], state[op.M_CURSOR] = op.M_OUTCOMES, 0
    stop = take_outcomes(prog, data, work, memo, candidates, below == levels, findings)
    if stop != op.DONE:
        return stop
    if state[op.M_HAS_STATE] == 0 and any_taken(memo, candidates):  # such a combination shows no more than that
        return op.DONE
    if below < levels:
        if 2 * (state[op.M_FOUND] + candidates) > memo.table.shape[0]:
            return op.NEEDS_TABLE
        value_keys(work, memo, candidates)
        next_options(below, memo, candidates)
        keep_new(below, memo, candidates)
    return next_block(memo)
