"""The search for outcomes alone, through one large combination of paths: candidates with one future are taken once.

A candidate decides some reads and some places in the orders of writes. Its operations (kernels/circuit.py) have two
bits a signal: whether the signal is certainly true, and whether it may be. What no axiom, flag and outcome can see any
more is what no open output of the operations needs, and no value that may still be read or observed: two candidates
that agree on all else have the same outcomes, and the second is dropped. Each kernel is a step for a block of
candidates.
"""

from __future__ import annotations

from numba import int64, uint8, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.outcomes import count_state, show_flags
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.values import value_of, values_of

OPEN = uint8(255)
"""In a candidate: what is not decided."""


@njit
def evaluate_both(circuit, T, P, words):
    """Compute of all signals whether they are certainly true (`T`) and whether they may be (`P`)."""
    pc = 0
    start = 0
    changed = False
    while pc < circuit.shape[0]:
        what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
        pc += 1
        if what == op.G_AND:
            for v in range(words):
                T[d, v] = T[a, v] & T[b, v]
                P[d, v] = P[a, v] & P[b, v]
        elif what == op.G_OR_AND:
            for v in range(words):
                T[d, v] |= T[a, v] & T[b, v]
                P[d, v] |= P[a, v] & P[b, v]
        elif what == op.G_OR_IN:
            for v in range(words):
                T[d, v] |= T[a, v]
                P[d, v] |= P[a, v]
        elif what == op.G_COPY:
            for v in range(words):
                T[d, v] = T[a, v]
                P[d, v] = P[a, v]
        elif what == op.G_AND_NOT:
            for v in range(words):
                sure = T[a, v] & ~P[b, v]
                P[d, v] = P[a, v] & ~T[b, v]
                T[d, v] = sure
        elif what == op.G_NOT:
            for v in range(words):
                sure = ~P[a, v]
                P[d, v] = ~T[a, v]
                T[d, v] = sure
        elif what == op.G_ZERO:
            for v in range(words):
                T[d, v] = ZERO
                P[d, v] = ZERO
        elif what == op.G_ASSIGN:
            for v in range(words):
                if T[d, v] != T[a, v] or P[d, v] != P[a, v]:
                    T[d, v] = T[a, v]
                    P[d, v] = P[a, v]
                    changed = True
        elif what == op.G_LOOP:
            start = pc
            changed = False
        elif changed:
            changed = False
            pc = start


@njit
def refute(circuit, bad, T, P, N, words):
    """Find signals that must be false (`N`) for no output in `bad` to be true: from outputs back to what they take."""
    for w in range(N.shape[0]):
        for v in range(words):
            N[w, v] = ZERO
    for k in range(bad.shape[0]):
        for v in range(words):
            N[bad[k], v] = ~ZERO
    for step in range(circuit.shape[0]):
        pc = circuit.shape[0] - 1 - step
        what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
        if what == op.G_AND or what == op.G_OR_AND:
            for v in range(words):
                N[a, v] |= N[d, v] & T[b, v]
                N[b, v] |= N[d, v] & T[a, v]
        elif what == op.G_OR_IN or what == op.G_COPY or what == op.G_ASSIGN:
            for v in range(words):
                N[a, v] |= N[d, v]
        elif what == op.G_AND_NOT:
            for v in range(words):
                N[a, v] |= N[d, v] & ~P[b, v]


@njit
def rule_out(inputs, T, P, N, words):
    """Take sources that no axiom allows any more for what will not be read; True where there are such."""
    changed = ZERO
    for k in range(inputs.shape[0]):
        if inputs[k, 1] == 0:
            signal = inputs[k, 0]
            for v in range(words):
                gone = P[signal, v] & N[signal, v] & ~T[signal, v]
                changed |= gone
                P[signal, v] &= ~gone
    return changed != ZERO


@njit
def look_back(circuit, outputs, T, P, L, words):
    """Mark in `L` the signals that an output still open depends on: the outputs, and what open signals among them take.

    What an operation takes is marked where the operation's signal is open and no other thing that the operation takes
    makes it idle. Signals may be computed in several steps, which other signals see in between: hence rounds, until no
    mark is new.
    """
    for w in range(L.shape[0]):
        for v in range(words):
            L[w, v] = ZERO
    for k in range(outputs.shape[0]):
        for v in range(words):
            L[outputs[k], v] = ~ZERO
    again = True
    while again:
        again = False
        for step in range(circuit.shape[0]):
            pc = circuit.shape[0] - 1 - step
            what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
            if what >= op.G_LOOP or what == op.G_ZERO:
                continue
            two = what == op.G_AND or what == op.G_OR_AND or what == op.G_AND_NOT
            new = ZERO
            for v in range(words):
                open_ = L[d, v] & P[d, v] & ~T[d, v]
                left, right = open_, open_
                if what == op.G_AND or what == op.G_OR_AND:
                    left = open_ & P[b, v]
                    right = open_ & P[a, v]
                elif what == op.G_AND_NOT:
                    left = open_ & ~T[b, v]
                    right = open_ & P[a, v]
                new |= left & ~L[a, v]
                L[a, v] |= left
                if two:
                    new |= right & ~L[b, v]
                    L[b, v] |= right
            again = again or new != ZERO


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


@njit
def signal_keys(T, P, L, noise, candidates, h):
    """Start the keys of all candidates with the marked signals that are true, and those that are open.

    A sum of two words of noise for each: that two candidates which differ have one key has a chance of 2^-128.
    """
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


@njit
def fill_block(inputs, block, item_slot, reads, T, P, candidates):
    """Write the signals of the inputs of all candidates in the block."""
    items = item_slot.shape[0]
    for k in range(inputs.shape[0]):
        signal, kind, a, b = inputs[k, 0], inputs[k, 1], inputs[k, 2], inputs[k, 3]
        for v in range((candidates + 63) >> 6):
            sure, may = ZERO, ZERO
            for bit in range(min(64, candidates - 64 * v)):
                candidate = 64 * v + bit
                if kind == 0:
                    x = block[items + a, candidate]
                    yes = x == b
                    open_ = x == OPEN
                else:
                    x, y = block[a, candidate], block[b, candidate]
                    last = block[items + reads + item_slot[a], candidate]
                    open_ = x == y and last != a and last != b
                    yes = x < y or (x == y and last == b)
                sure |= (ONE if yes else ZERO) << uint64(bit)
                may |= (ONE if yes or open_ else ZERO) << uint64(bit)
            T[signal, v] = sure
            P[signal, v] = may


@njit
def settle(bad, outputs, T, P, candidates, fate):
    """Say of each candidate whether an axiom refuses it, some output is open, or all that can be seen is settled."""
    for v in range((candidates + 63) >> 6):
        refused, open_ = ZERO, ZERO
        for k in range(bad.shape[0]):
            refused |= T[bad[k], v]
        for k in range(outputs.shape[0]):
            open_ |= P[outputs[k], v] & ~T[outputs[k], v]
        for bit in range(min(64, candidates - 64 * v)):
            if (refused >> uint64(bit)) & ONE != ZERO:
                fate[64 * v + bit] = op.FATE_REFUSED
            elif (open_ >> uint64(bit)) & ONE != ZERO:
                fate[64 * v + bit] = op.FATE_OPEN
            else:
                fate[64 * v + bit] = op.FATE_SETTLED


@njit
def expand(d, kind, what, place, members, item_slot, item_read, waiting, options, count, block):
    """Fill the block with options taken in the candidates that wait at a level, the last ones first; their number."""
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
def may_read(read_signal, P, k, option, candidate):
    """Tell whether a read of a candidate may still take a source."""
    signal = read_signal[k, option]
    return signal < 0 or (P[signal, candidate >> 6] >> uint64(candidate & 63)) & ONE != ZERO


@njit
def next_options(
    kind,
    what,
    place,
    members,
    n_members,
    item_slot,
    item_read,
    item_before,
    item_after,
    read_signal,
    n_sources,
    P,
    block,
    candidates,
    masks,
):
    """Give the options that the candidates in the block have at a level, a bit each."""
    items = item_slot.shape[0]
    last_row = block.shape[0] - members.shape[0] + what
    for candidate in range(candidates):
        mask = ZERO
        k = what if kind == op.F_READ else -1
        if kind == op.F_LAST or kind == op.F_NEXT:
            last = block[last_row, candidate]
            left, pinned = 0, 0
            for option in range(n_members[what]):
                item = members[what, option]
                if kind == op.F_LAST:
                    if item_after[item] < 0:
                        mask |= ONE << uint64(option)
                elif block[item, candidate] == OPEN:
                    left += 1
                    before = item_before[item]
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
            for option in range(n_sources[k]):
                if may_read(read_signal, P, k, option, candidate):
                    mask |= ONE << uint64(option)
        masks[candidate] = mask


@njit
def load_values(data, work, cursor, candidates, block, items, fate, vals, chosen, findings):
    """Compute the values of the candidates in the block, from candidate ``cursor[0]`` on; False where one is missing.

    `vals` receives them, and `chosen` the sources of reads; where the values contradict a condition of a path, the
    candidate is refused.
    """
    st, val, source = work.st, work.val, work.source
    while cursor[0] < candidates:
        candidate = cursor[0]
        if fate[candidate] >= op.FATE_OPEN:
            for k in range(chosen.shape[1]):
                option = block[items + k, candidate]
                source[work.reads[k]] = work.sources[k, option] if option != OPEN else -1
                chosen[candidate, k] = source[work.reads[k]]
            possible = values_of(data, work, findings)
            if possible == -2:
                return False
            if possible == 0:
                fate[candidate] = op.FATE_REFUSED
            for e in range(st[op.EVENTS]):
                vals[candidate, e] = val[e]
        cursor[0] += 1
    return True


@inner
def need(needed, todo, event):
    """Mark an event whose value is needed. Those still to be looked at stand in `todo`, their number first."""
    if needed[event] == 0:
        needed[event] = 1
        todo[0] += 1
        todo[todo[0]] = event


@njit
def value_keys(
    tests,
    shown,
    reads,
    sources,
    n_sources,
    read_signal,
    final_signals,
    P,
    event_read,
    write_first,
    write_reads,
    candidates,
    fate,
    vals,
    chosen,
    needed,
    todo,
    h,
):
    """Add to the keys the values that may still be read, tested or observed.

    A value that is not known yet is described by where it comes from. Rows of `tests` are (test, read): the values
    that a condition of a path depends on, needed until all of them are known; `shown` are the reads whose values
    outcomes show; of a write the value depends on those of the reads from ``write_first`` on.
    """
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
            for option in range(n_sources[k]):
                if may_read(read_signal, P, k, option, candidate):
                    mask |= ONE << uint64(option)
                    if sources[k, option] >= 0:
                        need(needed, todo, sources[k, option])
            h[candidate, 0] += mixed(mask * uint64(0x9E3779B97F4A7C15) + uint64(k))
            h[candidate, 1] += mixed(mask * uint64(0xD1342543DE82EF95) + uint64(k) * uint64(0x2545F4914F6CDD1D))
        for j in range(final_signals.shape[0]):
            if (P[final_signals[j, 1], candidate >> 6] >> uint64(candidate & 63)) & ONE != ZERO:
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
            k = event_read[e]
            if vals[candidate, e] != op.UNKNOWN_ID:
                add_fact(h, candidate, e, 1, vals[candidate, e])
            elif k >= 0 and chosen[candidate, k] >= 0:
                add_fact(h, candidate, e, 2, chosen[candidate, k])
                need(needed, todo, chosen[candidate, k])
            elif k < 0:
                for i in range(write_first[e], write_first[e + 1]):
                    need(needed, todo, write_reads[i])


@inner
def is_new(table, found, first, second):
    """Add a key to the hash table; False where it is there."""
    mask = table.shape[0] - 1
    slot = int64(first >> uint64(20)) & mask
    while table[slot, 0] != ZERO or table[slot, 1] != ZERO:
        if table[slot, 0] == first and table[slot, 1] == second:
            return False
        slot = (slot + 1) & mask
    table[slot, 0], table[slot, 1] = first, second
    found[0] += 1
    return True


@njit
def move_keys(old, new, found):
    """Put the keys of a hash table into a larger one that is empty."""
    found[0] = 0
    for slot in range(old.shape[0]):
        if old[slot, 0] != ZERO or old[slot, 1] != ZERO:
            is_new(new, found, old[slot, 0], old[slot, 1])


@njit
def keep_new(d, candidates, fate, h, table, found, block, masks, waiting, options, count):
    """Let the candidates in the block wait at level `d`, but for those whose future another one has had."""
    for candidate in range(candidates):
        if fate[candidate] < op.FATE_OPEN or masks[candidate] == ZERO:
            continue
        add_fact(h, candidate, d, 4, 0)
        if is_new(table, found, h[candidate, 0], h[candidate, 1]):
            c = count[d]
            for k in range(block.shape[0]):
                waiting[d, c, k] = block[k, candidate]
            options[d, c] = masks[candidate]
            count[d] += 1


@njit
def take_outcomes(
    prog, data, work, cursor, candidates, end, complete, flag_signals, final_signals, T, fate, vals, chosen, findings
):  # fmt: skip
    """Count the outcomes of candidates in the block of which nothing that can be seen is open, or nothing at all.

    Goes on from candidate ``cursor[0]``; the result says why it stopped, DONE at the end of the block. These candidates
    go no further.
    """
    st, row = work.st, findings.row
    ended = ONE << uint64(end - 2) if end > 1 else ZERO
    for candidate in range(cursor[0], candidates):
        cursor[0] = candidate
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
                if (T[final_signals[j, 1], v] >> bit) & ONE != ZERO:
                    row[k] = vals[candidate, final_signals[j, 2]] if row[k] == op.UNKNOWN_ID else -3
            for k in range(data.obs_thread.shape[0]):
                if row[k] < 0:
                    row[k] = op.UNDEF_ID
            raised = ZERO
            for k in range(flag_signals.shape[0]):
                if (T[flag_signals[k, 0], v] >> bit) & ONE != ZERO:
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
            cursor[0] = candidate + 1
            return op.NEW_STATE
    return op.DONE
