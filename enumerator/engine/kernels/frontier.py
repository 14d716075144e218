"""The search for outcomes alone, through one large combination of paths: candidates with one future are taken once.

A candidate decides some reads and some places in the orders of writes. Its gates (:mod:`enumerator.engine.kernels.ground`)
have two bits a wire: whether the wire is certainly true, and whether it may be. What no axiom, flag and outcome can
see any more is what no open output of the gates needs, and no value that may still be read or observed: two candidates
that agree on all else have the same outcomes, and the second is dropped.
"""

from __future__ import annotations

from numba import int64, uint8, uint64

from enumerator.engine.kernels.jit import inner, njit
from enumerator.engine.kernels.lanes import LANES
from enumerator.engine.kernels.relations import ONE, ZERO
from enumerator.engine.kernels.search import conditions_hold, count_state
from enumerator.engine.kernels.values import solve, value_of
from enumerator.engine.opcodes import (
    AT_LIMIT,
    CONDITIONS,
    CONSISTENT,
    CUT,
    CYCLIC_LEAF,
    DONE,
    EVENTS,
    EXPLORED,
    F_CURSOR,
    F_END,
    F_FOUND,
    F_HALF,
    F_LANES,
    F_LAST,
    F_LEVEL,
    F_NEXT,
    F_OPEN,
    F_READ,
    F_RESUME,
    G_AND,
    G_AND_NOT,
    G_ASSIGN,
    G_COPY,
    G_LOOP,
    G_NOT,
    G_OR_AND,
    G_OR_IN,
    G_ZERO,
    ITEMS,
    LIMIT,
    NEEDS_ROOM,
    NEEDS_STATES,
    NEEDS_VALUE,
    NEW_STATE,
    PAUSED,
    READS,
    STATES,
    UNDEF_ID,
    UNKNOWN,
    UNKNOWN_ID,
    V_COPY,
    V_FUNCTION,
)

OPEN = uint8(255)
"""In a candidate: what is not decided."""


@njit
def evaluate_both(gates, T, P, words):
    """Compute of all wires whether they are certainly true (`T`) and whether they may be (`P`)."""
    pc = 0
    start = 0
    changed = False
    while pc < gates.shape[0]:
        what, d, a, b = gates[pc, 0], gates[pc, 1], gates[pc, 2], gates[pc, 3]
        pc += 1
        if what == G_AND:
            for v in range(words):
                T[d, v] = T[a, v] & T[b, v]
                P[d, v] = P[a, v] & P[b, v]
        elif what == G_OR_AND:
            for v in range(words):
                T[d, v] |= T[a, v] & T[b, v]
                P[d, v] |= P[a, v] & P[b, v]
        elif what == G_OR_IN:
            for v in range(words):
                T[d, v] |= T[a, v]
                P[d, v] |= P[a, v]
        elif what == G_COPY:
            for v in range(words):
                T[d, v] = T[a, v]
                P[d, v] = P[a, v]
        elif what == G_AND_NOT:
            for v in range(words):
                sure = T[a, v] & ~P[b, v]
                P[d, v] = P[a, v] & ~T[b, v]
                T[d, v] = sure
        elif what == G_NOT:
            for v in range(words):
                sure = ~P[a, v]
                P[d, v] = ~T[a, v]
                T[d, v] = sure
        elif what == G_ZERO:
            for v in range(words):
                T[d, v] = ZERO
                P[d, v] = ZERO
        elif what == G_ASSIGN:
            for v in range(words):
                if T[d, v] != T[a, v] or P[d, v] != P[a, v]:
                    T[d, v] = T[a, v]
                    P[d, v] = P[a, v]
                    changed = True
        elif what == G_LOOP:
            start = pc
            changed = False
        elif changed:
            changed = False
            pc = start


@njit
def refute(gates, bad, T, P, N, words):
    """Find wires that must be false (`N`) for no output in `bad` to be true: from outputs back to what they take."""
    for w in range(N.shape[0]):
        for v in range(words):
            N[w, v] = ZERO
    for k in range(bad.shape[0]):
        for v in range(words):
            N[bad[k], v] = ~ZERO
    for step in range(gates.shape[0]):
        pc = gates.shape[0] - 1 - step
        what, d, a, b = gates[pc, 0], gates[pc, 1], gates[pc, 2], gates[pc, 3]
        if what == G_AND or what == G_OR_AND:
            for v in range(words):
                N[a, v] |= N[d, v] & T[b, v]
                N[b, v] |= N[d, v] & T[a, v]
        elif what == G_OR_IN or what == G_COPY or what == G_ASSIGN:
            for v in range(words):
                N[a, v] |= N[d, v]
        elif what == G_AND_NOT:
            for v in range(words):
                N[a, v] |= N[d, v] & ~P[b, v]


@inner
def rule_out(frontier, words):
    """Take sources that no axiom allows any more for what will not be read; True where there are such."""
    P, N, changed = frontier.P, frontier.N, ZERO
    for k in range(frontier.inputs.shape[0]):
        if frontier.inputs[k, 1] == 0:
            wire = frontier.inputs[k, 0]
            for v in range(words):
                changed |= P[wire, v] & N[wire, v] & ~frontier.T[wire, v]
                P[wire, v] &= ~N[wire, v] | frontier.T[wire, v]
    return changed != ZERO


@njit
def look_back(gates, outputs, T, P, L, words):
    """Mark in `L` the wires that an output still open depends on: the outputs, and what open wires among them take.

    What a gate takes is marked where the gate's wire is open and no other thing that the gate takes makes it idle.
    Wires may be computed in several steps, which other wires see in between: hence rounds, until no mark is new.
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
        for step in range(gates.shape[0]):
            pc = gates.shape[0] - 1 - step
            what, d, a, b = gates[pc, 0], gates[pc, 1], gates[pc, 2], gates[pc, 3]
            if what >= G_LOOP or what == G_ZERO:
                continue
            two = what == G_AND or what == G_OR_AND or what == G_AND_NOT
            new = ZERO
            for v in range(words):
                open_ = L[d, v] & P[d, v] & ~T[d, v]
                left, right = open_, open_
                if what == G_AND or what == G_OR_AND:
                    left = open_ & P[b, v]
                    right = open_ & P[a, v]
                elif what == G_AND_NOT:
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
def add_fact(h, lane, event, kind, value):
    """Add to a candidate's key that an event has a value, or a source."""
    word = (uint64(event) << uint64(40)) | (uint64(kind) << uint64(36)) | uint64(value + 2)
    h[lane, 0] += mixed(word + uint64(0x9E3779B97F4A7C15))
    h[lane, 1] += mixed(word * uint64(0xD1342543DE82EF95) + uint64(0x2545F4914F6CDD1D))


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
def wire_keys(frontier, lanes, h):
    """Start the keys of all lanes with the marked wires that are true, and those that are open.

    A sum of two words of noise for each: that two candidates which differ have one key has a chance of 2^-128.
    """
    T, P, L, noise = frontier.T, frontier.P, frontier.L, frontier.noise
    for lane in range(lanes):
        h[lane, 0], h[lane, 1] = ZERO, ZERO
    for w in range(2, T.shape[0]):
        for v in range((lanes + 63) >> 6):
            seen = L[w, v] & P[w, v]
            while seen != ZERO:
                number = lowest_bit(seen)
                seen &= seen - ONE
                lane = (v << 6) + number
                if lane >= lanes:
                    break
                kind = int64((T[w, v] >> uint64(number)) & ONE)
                h[lane, 0] += noise[w, kind, 0]
                h[lane, 1] += noise[w, kind, 1]


@inner
def fill_block(frontier, work, lanes):
    """Write the wires of the inputs of all lanes in the block."""
    T, P, block = frontier.T, frontier.P, frontier.block
    words = (lanes + 63) >> 6
    first_read = work.st[ITEMS]
    first_last = first_read + work.st[READS]
    for k in range(frontier.inputs.shape[0]):
        wire, kind, a, b = frontier.inputs[k, 0], frontier.inputs[k, 1], frontier.inputs[k, 2], frontier.inputs[k, 3]
        for v in range(words):
            sure, may = ZERO, ZERO
            for bit in range(min(64, lanes - 64 * v)):
                lane = 64 * v + bit
                if kind == 0:
                    x = block[first_read + a, lane]
                    yes = x == b
                    open_ = x == OPEN
                else:
                    x, y = block[a, lane], block[b, lane]
                    last = block[first_last + work.item_slot[a], lane]
                    open_ = x == y and last != a and last != b
                    yes = x < y or (x == y and last == b)
                sure |= (ONE if yes else ZERO) << uint64(bit)
                may |= (ONE if yes or open_ else ZERO) << uint64(bit)
            T[wire, v] = sure
            P[wire, v] = may


@inner
def expand(frontier, work, d):
    """Fill the block with options taken in the candidates that wait at a level, the last ones first; their number."""
    block, waiting, count, options = frontier.block, frontier.waiting, frontier.count, frontier.options
    kind, what = frontier.kind[d], frontier.what[d]
    width = waiting.shape[2]
    items, first_last = work.st[ITEMS], work.st[ITEMS] + work.st[READS]
    lanes = 0
    while lanes < LANES and count[d] > 0:
        c = count[d] - 1
        mask = options[d, c]
        while mask != ZERO and lanes < LANES:
            option = lowest_bit(mask)
            mask &= mask - ONE
            for k in range(width):
                block[k, lanes] = waiting[d, c, k]
            if kind == F_LAST:
                block[first_last + what, lanes] = uint8(frontier.members[what, option])
            elif kind == F_READ:
                block[items + what, lanes] = uint8(option)
            elif kind == F_NEXT:
                block[frontier.members[what, option], lanes] = uint8(frontier.place[d])
            else:
                for item in range(items):
                    if work.item_slot[item] == what and block[item, lanes] == uint8(frontier.place[d]):
                        if frontier.item_read[item] >= 0:
                            block[items + frontier.item_read[item], lanes] = uint8(option)
            lanes += 1
        options[d, c] = mask
        if mask == ZERO:
            count[d] -= 1
    return lanes


@inner
def may_read(frontier, k, option, lane):
    """Tell whether a read of a candidate may still take a source."""
    wire = frontier.read_wire[k, option]
    if wire < 0:
        return True
    v, bit = lane >> 6, uint64(lane & 63)
    return (frontier.P[wire, v] >> bit) & ONE != ZERO


@inner
def options_of(frontier, work, d, lane):
    """Give the options that the candidate in a lane has at a level, a bit each."""
    kind, what, block, items = frontier.kind[d], frontier.what[d], frontier.block, work.st[ITEMS]
    mask = ZERO
    k = what
    if kind == F_HALF:
        k = -1
        for item in range(items):
            if work.item_slot[item] == what and block[item, lane] == uint8(frontier.place[d]):
                k = frontier.item_read[item]
        if k < 0:
            return ONE
    if kind == F_READ or kind == F_HALF:
        for option in range(work.n_sources[k]):
            if may_read(frontier, k, option, lane):
                mask |= ONE << uint64(option)
        return mask
    last = block[items + work.st[READS] + what, lane]
    left = 0
    for option in range(frontier.n_members[what]):
        item = frontier.members[what, option]
        if kind == F_LAST:
            if work.item_after[item] < 0:
                mask |= ONE << uint64(option)
        elif block[item, lane] == OPEN:
            left += 1
            before = work.item_before[item]
            if item != last and (before < 0 or block[before, lane] != OPEN):
                mask |= ONE << uint64(option)
    if kind == F_NEXT and left == 1 and last != OPEN:
        for option in range(frontier.n_members[what]):
            if frontier.members[what, option] == last:
                mask = ONE << uint64(option)
    return mask


@inner
def need(frontier, event, todo):
    """Mark an event whose value is needed; the number of those still to be looked at."""
    if frontier.needed[event] == 0:
        frontier.needed[event] = 1
        frontier.todo[todo] = event
        return todo + 1
    return todo


@inner
def add_values(data, work, frontier, h, lane, keys, results):
    """Add to a candidate's key the values that may still be read, tested or observed; False where one is missing.

    A value that is not known yet is described by where it comes from.
    """
    st, val, source, needed, t_base = work.st, work.val, work.source, frontier.needed, work.t_base
    n, todo = st[EVENTS], 0
    for e in range(n):
        needed[e] = 0
    for k in range(st[READS]):
        if source[work.reads[k]] == -1:
            mask = ZERO
            for option in range(work.n_sources[k]):
                if may_read(frontier, k, option, lane):
                    mask |= ONE << uint64(option)
                    if work.sources[k, option] >= 0:
                        todo = need(frontier, work.sources[k, option], todo)
            h[lane, 0] += mixed(mask * uint64(0x9E3779B97F4A7C15) + uint64(k))
            h[lane, 1] += mixed(mask * uint64(0xD1342543DE82EF95) + uint64(k) * uint64(0x2545F4914F6CDD1D))
    for j in range(frontier.final_wires.shape[0]):
        wire = frontier.final_wires[j, 1]
        if (frontier.P[wire, lane >> 6] >> uint64(lane & 63)) & ONE != ZERO:
            todo = need(frontier, frontier.final_wires[j, 2], todo)
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        for c in range(data.p_cond[p], data.p_cond[p + 1]):
            f = data.cond_function[c]
            known = True
            for i in range(data.f_first[f], data.f_first[f + 1]):
                known = known and val[t_base[t] + data.f_reads[i]] != UNKNOWN_ID
            if not known:
                for i in range(data.f_first[f], data.f_first[f + 1]):
                    todo = need(frontier, t_base[t] + data.f_reads[i], todo)
    for k in range(data.obs_thread.shape[0]):
        t = data.obs_thread[k]
        if t < 0:
            continue
        p = data.thread_first[t] + work.combo[t]
        kind, what = data.obs_kind[p, k], data.obs_data[p, k]
        if kind == V_COPY:
            todo = need(frontier, t_base[t] + what, todo)
        elif kind == V_FUNCTION:
            found = value_of(kind, what, t_base[t], val, data.f_first, data.f_reads, keys, results)
            if found == -2:
                work.missing[0] = what
                work.missing[1] = t_base[t]
                return False
            if found >= 0:
                add_fact(h, lane, k, 3, found)
            else:
                for i in range(data.f_first[what], data.f_first[what + 1]):
                    todo = need(frontier, t_base[t] + data.f_reads[i], todo)
    while todo > 0:
        todo -= 1
        e = frontier.todo[todo]
        g = work.g_event[e]
        if val[e] != UNKNOWN_ID:
            add_fact(h, lane, e, 1, val[e])
        elif source[e] >= 0:
            add_fact(h, lane, e, 2, source[e])
            todo = need(frontier, source[e], todo)
        elif g >= 0 and data.e_kind[g] == 1:
            if data.e_vkind[g] == V_COPY:
                todo = need(frontier, work.g_base[e] + data.e_vdata[g], todo)
            elif data.e_vkind[g] == V_FUNCTION:
                f = data.e_vdata[g]
                for i in range(data.f_first[f], data.f_first[f + 1]):
                    todo = need(frontier, work.g_base[e] + data.f_reads[i], todo)
    return True


@inner
def load_candidate(data, work, frontier, lane, keys, results):
    """Give the reads of a candidate their sources and values: 1 possible, 0 contradicted, -2 value missing."""
    st, items = work.st, work.st[ITEMS]
    frontier.state[F_OPEN] = 0
    for k in range(st[READS]):
        option = frontier.block[items + k, lane]
        work.source[work.reads[k]] = -1
        if option == OPEN:
            frontier.state[F_OPEN] += 1
        else:
            work.source[work.reads[k]] = work.sources[k, option]
    if not solve(
        st,
        st[EVENTS],
        work.g_event,
        work.g_base,
        work.val,
        work.source,
        work.forced,
        data.e_vkind,
        data.e_vdata,
        data.f_first,
        data.f_reads,
        keys,
        results,
        work.missing,
        work.path,
    ):
        return -2
    if st[CONDITIONS] == 0:
        return 1
    return conditions_hold(
        st[EVENTS],
        work.t_base,
        work.combo,
        data.thread_first,
        data.p_cond,
        data.cond_function,
        work.val,
        data.f_first,
        data.f_reads,
        keys,
        results,
        work.missing,
    )


@inner
def observe_candidate(data, work, frontier, lane, keys, results, row):
    """Write the numbers of the observed values of a candidate; False where a value is missing."""
    for k in range(data.obs_thread.shape[0]):
        t = data.obs_thread[k]
        if t >= 0:
            p = data.thread_first[t] + work.combo[t]
            kind, what = data.obs_kind[p, k], data.obs_data[p, k]
            row[k] = value_of(kind, what, work.t_base[t], work.val, data.f_first, data.f_reads, keys, results)
            if row[k] == -2:
                work.missing[0] = what
                work.missing[1] = work.t_base[t]
                return False
        else:
            l = data.obs_loc[k]
            row[k] = data.loc_value[l] if work.slot_first[l] < 0 else UNKNOWN_ID
    for j in range(frontier.final_wires.shape[0]):
        k = frontier.final_wires[j, 0]
        if (frontier.T[frontier.final_wires[j, 1], lane >> 6] >> uint64(lane & 63)) & ONE != ZERO:
            row[k] = work.val[frontier.final_wires[j, 2]] if row[k] == UNKNOWN_ID else -3
    for k in range(data.obs_thread.shape[0]):
        if row[k] < 0:
            row[k] = UNDEF_ID
    return True


@inner
def is_new(table, state, first, second):
    """Add a key to the hash table; False where it is there."""
    mask = table.shape[0] - 1
    slot = int64(first >> uint64(20)) & mask
    while table[slot, 0] != ZERO or table[slot, 1] != ZERO:
        if table[slot, 0] == first and table[slot, 1] == second:
            return False
        slot = (slot + 1) & mask
    table[slot, 0], table[slot, 1] = first, second
    state[F_FOUND] += 1
    return True


@njit
def move_keys(old, new, state):
    """Put the keys of a hash table into a larger one that is empty."""
    state[F_FOUND] = 0
    for slot in range(old.shape[0]):
        if old[slot, 0] != ZERO or old[slot, 1] != ZERO:
            is_new(new, state, old[slot, 0], old[slot, 1])


@njit
def search_frontier(prog, data, work, frontier, table, keys, results, states, counts, state_flags, index, row, budget):
    """Go on with the search for at most `budget` blocks of candidates; the result says why it stopped."""
    st, state, count, block, h = work.st, frontier.state, frontier.count, frontier.block, frontier.keys
    T, P, L = frontier.T, frontier.P, frontier.L
    levels = frontier.kind.shape[0]
    width = block.shape[0]
    for _ in range(budget):
        if state[F_RESUME] == 0:
            d = state[F_LEVEL]
            if count[d] == 0 or count[d + 1] + LANES > frontier.waiting.shape[1]:
                if count[d + 1] > 0:
                    d += 1
                else:
                    while d >= 0 and count[d] == 0:
                        d -= 1
                    if d < 0:
                        return DONE
                state[F_LEVEL] = d
                continue
            if 2 * (state[F_FOUND] + LANES) > table.shape[0]:
                return NEEDS_ROOM
            m = expand(frontier, work, d)
            words = (m + 63) >> 6
            fill_block(frontier, work, m)
            evaluate_both(frontier.gates, T, P, words)
            refute(frontier.gates, frontier.bad, T, P, frontier.N, words)
            if rule_out(frontier, words):
                evaluate_both(frontier.gates, T, P, words)
            look_back(frontier.gates, frontier.outputs, T, P, L, words)
            wire_keys(frontier, m, h)
            for v in range(words):
                word = ~ZERO if m - 64 * v >= 64 else (ONE << uint64(m - 64 * v)) - ONE
                for k in range(frontier.bad.shape[0]):
                    word &= ~T[frontier.bad[k], v]
                frontier.survivors[v] = word
                word = ZERO
                for k in range(frontier.outputs.shape[0]):
                    word |= P[frontier.outputs[k], v] & ~T[frontier.outputs[k], v]
                frontier.unsettled[v] = word
            state[F_CURSOR], state[F_LANES], state[F_RESUME] = 0, m, 1
        d = state[F_LEVEL]
        lane = state[F_CURSOR]
        while lane < state[F_LANES]:
            v, bit = lane >> 6, uint64(lane & 63)
            state[F_CURSOR] = lane
            if (frontier.survivors[v] >> bit) & ONE == ZERO:
                lane += 1
                continue
            possible = load_candidate(data, work, frontier, lane, keys, results)
            if possible == -2:
                return NEEDS_VALUE
            if possible == 0:
                lane += 1
                continue
            # Nothing is left that anyone could see, or nothing at all.
            if d + 1 == levels or (state[F_OPEN] == 0 and (frontier.unsettled[v] >> bit) & ONE == ZERO):
                if st[UNKNOWN] != 0:
                    return CYCLIC_LEAF
                new = 0
                if state[F_END] == 0:
                    if not observe_candidate(data, work, frontier, lane, keys, results, row):
                        return NEEDS_VALUE
                    if st[STATES] >= states.shape[0]:
                        return NEEDS_STATES
                    raised = ZERO
                    for k in range(frontier.flag_wires.shape[0]):
                        if (T[frontier.flag_wires[k, 0], v] >> bit) & ONE != ZERO:
                            raised |= ONE << uint64(frontier.flag_wires[k, 1])
                    new = count_state(st, row, states, counts, state_flags, index, raised)
                elif state[F_END] == 1:
                    st[CUT] += 1
                else:
                    work.flags[1] |= ONE << uint64(state[F_END] - 2)
                st[EXPLORED] += 1
                st[CONSISTENT] += 1
                lane += 1
                state[F_CURSOR] = lane
                if state[F_END] != 0:  # such a combination shows no more than that
                    return DONE
                if st[LIMIT] >= 0 and st[EXPLORED] >= st[LIMIT]:
                    return AT_LIMIT
                if new == 1 and prog.config[4] != 0:
                    return NEW_STATE
                continue
            before, after = h[lane, 0], h[lane, 1]
            if not add_values(data, work, frontier, h, lane, keys, results):
                h[lane, 0], h[lane, 1] = before, after
                return NEEDS_VALUE
            add_fact(h, lane, d, 4, 0)
            if is_new(table, state, h[lane, 0], h[lane, 1]):
                c = count[d + 1]
                mask = options_of(frontier, work, d + 1, lane)
                if mask != ZERO:
                    for k in range(width):
                        frontier.waiting[d + 1, c, k] = block[k, lane]
                    frontier.options[d + 1, c] = mask
                    count[d + 1] += 1
            lane += 1
        state[F_RESUME] = 0
    return PAUSED
