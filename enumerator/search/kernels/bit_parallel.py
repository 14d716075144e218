"""The search through one large combination of paths, 512 candidates at a time: a bit of each word is a candidate.

What backtracking does step by step is done here for all candidates that wait at a decision: an option is taken in
all of them, the operations tell which of them no axiom refuses, and these wait at the next decision.

This file is long because all that works on a batch is here: its circuit, its values, its counts.
"""

from __future__ import annotations

from numba import int64, uint8, uint64

from enumerator.jit.decorators import inlined, inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.decisions import take, undo
from enumerator.search.kernels.outcomes import barrier_mismatch, contradict_at_barriers, count_state, show_flags
from enumerator.search.kernels.relations import ONE, ZERO
from enumerator.search.kernels.values import conditions_hold, solved, value_of
from enumerator.search.kernels.words import BATCH, WORDS, bit_count, combine, trailing_zeros

_LOW = uint64(0x7F7F7F7F7F7F7F7F)
_HIGH = uint64(0x8080808080808080)
_EACH = uint64(0x0101010101010101)
_GATHER = uint64(0x0102040810204080)


@njit
def evaluate(circuit, begin, end, W):
    """Compute the signals of all candidates, from operations that have no branches but for loops."""
    pc = begin
    start = begin
    changed = False
    while pc < end:
        what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
        pc += 1
        if what <= op.G_KEEP + op.G_INVERT:
            combine(W, d, a, b, -int64(what & op.G_KEEP), -int64(what >> 1))
        elif what == op.G_ASSIGN:
            for v in range(WORDS):
                if W[d, v] != W[a, v]:
                    W[d, v] = W[a, v]
                    changed = True
        elif what == op.G_LOOP:
            start = pc
            changed = False
        elif changed:
            changed = False
            pc = start


@inner
def equal_bytes(column, value, words, target):
    """Set the bit of each candidate whose byte in a column is a value."""
    for v in range(words):
        bits = ZERO
        for part in range(8):
            x = column[8 * v + part] ^ (_EACH * uint64(value))
            zero = ~(((x & _LOW) + _LOW) | x) & _HIGH
            bits |= (((zero >> uint64(7)) * _GATHER) >> uint64(56)) << uint64(8 * part)
        target[v] = bits


@inner
def less_bytes(left, right, words, target):
    """Set the bit of each candidate whose byte in one column is less than that in another; bytes are below 128."""
    for v in range(words):
        bits = ZERO
        for part in range(8):
            greater = ((left[8 * v + part] | _HIGH) - right[8 * v + part]) & _HIGH  # left >= right
            bits |= ((((~greater & _HIGH) >> uint64(7)) * _GATHER) >> uint64(56)) << uint64(8 * part)
        target[v] = bits


@inner
def less_than(column, value, words, target):
    """Set the bit of each candidate whose byte in a column is less than a value; bytes are below 128."""
    for v in range(words):
        bits = ZERO
        for part in range(8):
            greater = ((column[8 * v + part] | _HIGH) - _EACH * uint64(value)) & _HIGH
            bits |= ((((~greater & _HIGH) >> uint64(7)) * _GATHER) >> uint64(56)) << uint64(8 * part)
        target[v] = bits


@inlined
def fill_inputs(batch, packed, d, option, place, words, start):
    """Write the signals of the inputs that the operations of a decision read.

    Those of earlier decisions are kept for the other options, as long as no candidates are added.
    """
    W, kept = batch.W, batch.kept_inputs
    filled = batch.filled[d] != 0
    batch.filled[d] = 1
    for k in range(batch.input_first[d], batch.input_first[d + 1]):
        signal, kind, e, x = batch.inputs[k, 0], batch.inputs[k, 1], batch.inputs[k, 2], batch.inputs[k, 3]
        if kind == 0 and e == d:
            for v in range(words):
                W[signal, v] = ~ZERO if option == x else ZERO
            continue
        if kind == 1 and e == d:  # the new write is before x where x stands at its place or after it
            less_than(packed[d, x][start:], place, words, W[signal])
            for v in range(words):
                W[signal, v] = ~W[signal, v]
            continue
        if kind == 1 and x == d:
            less_than(packed[d, e][start:], place, words, W[signal])
            continue
        if not filled:
            if kind == 0:
                equal_bytes(packed[d, e][start:], x, words, kept[k])
            else:
                less_bytes(packed[d, e][start:], packed[d, x][start:], words, kept[k])
        for v in range(WORDS):
            W[signal, v] = kept[k, v]


@inlined
def load_values(data, work, batch, d, candidate, option, findings):
    """Give the reads of one candidate their sources and values: 1 possible, 0 contradicted, -2 value missing."""
    st, reads, source, val = work.st, work.reads, work.source, work.val
    for k in range(st[op.READS]):
        source[reads[k]] = -1
        val[reads[k]] = op.UNKNOWN_ID
    for e in range(d + 1):
        if work.d_kind[e] == op.D_READ:
            k = work.d_what[e]
            s = work.sources[k, option if e == d else int64(batch.columns[d, e, candidate])]
            source[reads[k]] = s
            if s < 0:
                val[reads[k]] = op.UNDEF_ID
            elif batch.state[op.L_CONSTANT] != 0:
                val[reads[k]] = val[s]
    if batch.state[op.L_CONSTANT] != 0:
        st[op.UNKNOWN] = 0
    elif not solved(data, work, findings):
        return -2
    return conditions_hold(data, work, findings) if st[op.CONDITIONS] > 0 else 1


@inlined
def observe(data, work, batch, candidate, findings):
    """Write the numbers of the observed values of a complete candidate; False where a value is missing."""
    row = findings.row
    for k in range(data.obs_thread.shape[0]):
        t = data.obs_thread[k]
        if t >= 0:
            p = data.thread_first[t] + work.combo[t]
            kind, what = data.obs_kind[p, k], data.obs_data[p, k]
            row[k] = value_of(kind, what, work.t_base[t], work.val, data, findings)
            if row[k] == -2:
                work.missing[0] = what
                work.missing[1] = work.t_base[t]
                return False
        else:
            l = data.obs_loc[k]
            row[k] = data.loc_value[l] if work.slot_first[l] < 0 else op.UNKNOWN_ID
    # The final writes of locations: one has its value, several or none are undef.
    for j in range(batch.final_signals.shape[0]):
        k = batch.final_signals[j, 0]
        if (batch.W[batch.final_signals[j, 1], candidate >> 6] >> uint64(candidate & 63)) & ONE != ZERO:
            row[k] = work.val[batch.final_signals[j, 2]] if row[k] == op.UNKNOWN_ID else -3
    for k in range(data.obs_thread.shape[0]):
        if row[k] < 0:
            row[k] = op.UNDEF_ID
    return True


@inner
def hand_over(prog, work, batch, d, candidate, option):
    """Take the choices of one candidate in the arrays of backtracking, which goes on from there."""
    for e in range(d + 1):
        if work.d_kind[e] == op.D_READ:
            work.choice[e] = option if e == d else int64(batch.columns[d, e, candidate])
        elif e == d:
            work.choice[e] = option
        else:
            # The place among the writes placed before, counted from the last one down.
            after = 0
            for j in range(e):
                if batch.peers[e, j] and batch.columns[d, j, candidate] > batch.columns[d, e, candidate]:
                    after += 1
            work.choice[e] = after
        take(e, prog, work)
        work.accepted[e] = 1
    work.st[op.DEPTH] = d
    work.st[op.FRESH] = 0
    work.st[op.SOLVED] = 0
    work.st[op.SINGLE] = 1
    work.st[op.PHASE] = op.P_CHECK


@njit
def take_over(prog, work, batch):
    """Let candidates go on where backtracking stands: at each decision, with the options that it has not tried."""
    st = work.st
    d = st[op.DEPTH]
    for e in range(d + 1):
        batch.waiting[e] = 1
        batch.start[e] = 0
        batch.option[e] = work.choice[e] + 1
        batch.filled[e] = 0
        for v in range(WORDS):
            batch.accepted[e, v] = ZERO
        batch.accepted[e, 0] = ONE if work.accepted[e] > 0 else ZERO
        for j in range(e):
            x = work.choice[j]
            if work.d_kind[j] == op.D_PLACE:
                # Places were counted down from the last one; later writes have moved those that stand behind them.
                x = batch.options[j] - 1 - x + batch.lowest[j]
                for i in range(j):
                    if batch.peers[j, i] and batch.columns[e, i, 0] >= x:
                        batch.columns[e, i, 0] += uint8(1)
            batch.columns[e, j, 0] = uint8(x)
    for e in range(d, -1, -1):
        if work.choice[e] >= 0:
            undo(e, prog, work)
        work.choice[e] = -1
    batch.state[op.L_DEPTH] = d
    st[op.CHOICES] += 1


@inlined
def go_to(batch, d):
    """Go on with the candidates that wait for a decision: a batch at a time, the last ones first."""
    batch.state[op.L_DEPTH] = d
    batch.start[d] = (batch.waiting[d] - 1) // BATCH * BATCH
    batch.filled[d] = 0
    for v in range(WORDS):
        batch.accepted[d, v] = ZERO


@inner
def keep_survivors(batch, d, start, words):
    """List the candidates that survive, where no value decides; their number."""
    kept = 0
    for v in range(words):
        word = batch.survivors[v]
        batch.accepted[d, v] |= word
        batch.survivors[v] = ZERO
        first = start + 64 * v
        if word == ~ZERO:
            for j in range(64):
                batch.kept[kept + j] = uint64(first + j)
            kept += 64
        else:
            while word != ZERO:
                batch.kept[kept] = uint64(first + trailing_zeros(word))
                kept += 1
                word &= word - ONE
    return kept


@inner
def count_together(work, batch, d, words, findings):
    """Count the complete candidates that survive, all at once: they have one final state, or none."""
    st = work.st
    found = 0
    raised = ZERO
    for v in range(words):
        word = batch.survivors[v]
        found += bit_count(word)
        for k in range(batch.flag_signals.shape[0]):
            if batch.W[batch.flag_signals[k, 0], v] & word != ZERO:
                raised |= ONE << uint64(batch.flag_signals[k, 1])
        batch.accepted[d, v] |= word
        batch.survivors[v] = ZERO
    if found == 0:
        return
    weight = st[op.WEIGHT]
    st[op.EXPLORED] += found
    st[op.CONSISTENT] += found * weight
    if batch.state[op.L_END] == 0:
        st[op.WEIGHT] = found * weight
        count_state(st, findings, raised)
        st[op.WEIGHT] = weight
    elif batch.state[op.L_END] == 1:
        st[op.CUT] += found * weight
    else:
        work.flags[1] |= ONE << uint64(batch.state[op.L_END] - 2)


@inner
def pass_on(work, batch, d, kept, taken):
    """Let the candidates that are kept wait for the next decision, with the option, or the place, that they took.

    Decisions with one option that nothing can refuse are taken along.
    """
    after = batch.following[d]
    base = batch.waiting[after]
    batch.option[after] = 0
    chosen = batch.kept
    first = int64(chosen[0])
    together = int64(chosen[kept - 1]) - first == kept - 1
    for e in range(d):
        target = batch.columns[after, e, base : base + kept]
        if work.d_kind[d] == op.D_PLACE and batch.peers[d, e]:
            given = batch.columns[d, e]
            for j in range(kept):
                x = given[chosen[j]]
                target[j] = x + uint8(1) if x >= uint8(taken) else x
        elif together:
            run = batch.columns[d, e, first : first + kept]
            for j in range(kept):
                target[j] = run[j]
        else:
            given = batch.columns[d, e]
            for j in range(kept):
                target[j] = given[chosen[j]]
    for e in range(d, after):
        x = uint8(taken) if e == d else uint8(batch.lowest[e])
        target = batch.columns[after, e, base : base + kept]
        for j in range(kept):
            target[j] = x
    batch.waiting[after] = base + kept


@inner
def all_of(m, v):
    """Give the bits of word v for the first m candidates."""
    return ~ZERO if m - 64 * v >= 64 else (ONE << uint64(m - 64 * v)) - ONE


@inner
def leave_block(work, batch, d, m):
    """Go on after all options of the candidates at hand: with others that wait, later decisions first."""
    start, last = batch.start[d], work.st[op.DECISIONS] - 1
    for v in range((m + 63) >> 6):
        work.st[op.EXPLORED] += bit_count(all_of(m, v) & ~batch.accepted[d, v])
    batch.waiting[d] = start
    batch.option[d] = 0
    if start > 0:
        batch.start[d] = start - BATCH
        batch.filled[d] = 0
        for v in range(WORDS):
            batch.accepted[d, v] = ZERO
        return
    e = last
    while e >= 0 and batch.waiting[e] == 0:
        e -= 1
    if e > d:
        go_to(batch, e)
    else:
        batch.state[op.L_DEPTH] = e


@inlined
def evaluate_option(work, batch, packed, d, m):
    """Take the next option of decision d in all candidates at hand, and find those that no axiom refuses."""
    words, first, end = (m + 63) >> 6, batch.circuit_first[d], batch.circuit_first[d + 1]
    place = batch.lowest[d] + batch.options[d] - 1 - batch.option[d]
    fill_inputs(batch, packed, d, batch.option[d], place, words, batch.start[d] >> 3)
    evaluate(batch.circuit, first, end, batch.W)
    work.st[op.WORK] += (end - first) * WORDS
    for v in range(words):
        word = all_of(m, v)
        for k in range(batch.bad_first[d], batch.bad_first[d + 1]):
            word &= ~batch.W[batch.bad[k], v]
        batch.survivors[v] = word
    batch.state[op.L_CURSOR], batch.state[op.L_KEPT], batch.state[op.L_RESUME] = 0, 0, 1


@inlined
def count_one(prog, data, work, batch, candidate, findings):
    """Count a complete candidate: 1 where its state is new, 0 where not, or what is missing, as a negative number."""
    st, state = work.st, batch.state
    v, bit = candidate >> 6, ONE << uint64(candidate & 63)
    if st[op.CONSISTENT] >= op.MOST_COUNTED:
        return -op.NEEDS_TALLY
    new = 0
    ended = ONE << uint64(state[op.L_END] - 2) if state[op.L_END] > 1 else ZERO
    if state[op.L_END] == 0 or ended & prog.ends[0] != ZERO:
        if not observe(data, work, batch, candidate, findings):
            return -op.NEEDS_VALUE
        if st[op.STATES] >= findings.states.shape[0]:
            return -op.NEEDS_STATES
        raised = ZERO
        for k in range(batch.flag_signals.shape[0]):
            if (batch.W[batch.flag_signals[k, 0], v] & bit) != ZERO:
                raised |= ONE << uint64(batch.flag_signals[k, 1])
        if ended & prog.ends[1] != ZERO:
            raised = ZERO
        show_flags(prog, findings, raised, ended)
        new = count_state(st, findings, raised)
    elif state[op.L_END] == 1:
        st[op.CUT] += st[op.WEIGHT]
    work.flags[1] |= ended
    st[op.EXPLORED] += 1
    st[op.CONSISTENT] += st[op.WEIGHT]
    return new


@inlined
def look_at_survivors(prog, data, work, batch, d, m, findings):
    """Look at the values of the candidates that survive, one after the other: DONE, or what stops it meanwhile.

    Goes on from where that was, at ``batch.state[L_CURSOR]``.
    """
    st, state, option, start = work.st, batch.state, batch.option[d], batch.start[d]
    complete, words = d == st[op.DECISIONS] - 1, (m + 63) >> 6
    while state[op.L_CURSOR] < words:
        v = state[op.L_CURSOR]
        word = batch.survivors[v]
        if word == ZERO:
            state[op.L_CURSOR] += 1
            continue
        lowest = word & (~word + ONE)
        candidate = (v << 6) + trailing_zeros(word)
        possible = load_values(data, work, batch, d, start + candidate, option, findings)
        if possible == -2:
            return op.NEEDS_VALUE
        new = 0
        if possible == 0:
            st[op.REFUSED] += 1
        elif not complete:
            batch.kept[state[op.L_KEPT]] = uint64(start + candidate)
            state[op.L_KEPT] += 1
        elif st[op.UNKNOWN] == 0:
            new = count_one(prog, data, work, batch, candidate, findings)
            if new < 0:
                return -new
        batch.survivors[v] = word & ~lowest
        if possible == 0:
            continue
        batch.accepted[d, v] |= lowest
        if complete and st[op.UNKNOWN] != 0:
            for k in range(st[op.READS]):
                work.source[work.reads[k]] = -1
            hand_over(prog, work, batch, d, start + candidate, option)
            return op.CYCLIC_LEAF
        if complete and st[op.LIMIT] >= 0 and st[op.EXPLORED] >= st[op.LIMIT]:
            return op.AT_LIMIT
        if new == 1 and prog.config[op.C_NOTIFY] != 0:
            return op.NEW_STATE
    return op.DONE


@njit
def search_batch(prog, data, work, batch, packed, findings, budget):
    """Go on with the bit-parallel search for at most `budget` steps; the result says why it stopped.

    `packed` is ``batch.columns``, eight candidates a word.
    """
    st, state, option = work.st, batch.state, batch.option
    last = st[op.DECISIONS] - 1
    st[op.SINGLE] = 0
    for step in range(budget):
        if step > 0 and 0 <= st[op.ALLOWED] <= st[op.WORK]:
            return op.PAUSED
        d = state[op.L_DEPTH]
        if d < 0:
            st[op.PHASE] = op.P_COMBO
            st[op.DEPTH] = -1
            return op.DONE
        m = batch.waiting[d] - batch.start[d]
        if state[op.L_RESUME] == 0:
            if m == 0 or option[d] >= batch.options[d]:
                leave_block(work, batch, d, m)
                if st[op.LIMIT] >= 0 and st[op.EXPLORED] >= st[op.LIMIT]:
                    return op.AT_LIMIT
                continue
            if d < last and batch.waiting[batch.following[d]] + m > batch.columns.shape[2]:
                go_to(batch, batch.following[d])
                continue
            evaluate_option(work, batch, packed, d, m)
        if d == last and state[op.L_TOGETHER] != 0:
            if st[op.CONSISTENT] >= op.MOST_COUNTED:
                return op.NEEDS_TALLY
            if st[op.STATES] >= findings.states.shape[0]:
                return op.NEEDS_STATES
            count_together(work, batch, d, (m + 63) >> 6, findings)
        elif d == last or (st[op.CONDITIONS] > 0 and work.d_kind[d] == op.D_READ):
            stop = look_at_survivors(prog, data, work, batch, d, m, findings)
            if stop != op.DONE:
                return stop
        else:
            state[op.L_KEPT] = keep_survivors(batch, d, batch.start[d], (m + 63) >> 6)
        state[op.L_RESUME] = 0
        kept, o = state[op.L_KEPT], option[d]
        option[d] = o + 1
        if d < last and kept > 0:
            place = batch.lowest[d] + batch.options[d] - 1 - o
            pass_on(work, batch, d, kept, place if work.d_kind[d] == op.D_PLACE else o)
    return op.PAUSED


@njit
def ending(data, work, barrier_bit):
    """Say how the executions of the combination at hand end: 0 normally, 1 cut, else 2 + a flag's bit, the first one.

    Negative: with several early ends, or with paths that do not go together; backtracking takes these.
    """
    if contradict_at_barriers(work.combo, data):
        return -1
    end = 0
    for t in range(work.combo.shape[0]):
        p = data.thread_first[t] + work.combo[t]
        found = data.p_end[p]
        if found == op.END_STUCK or data.p_tried[p] != 0:
            return -1
        if found > 1:
            if end > 1 and end != found:
                return -1
            end = found
        elif found == 1 and end == 0:
            end = 1
    if end == 0 and barrier_mismatch(work.combo, data):
        end = 2 + barrier_bit
    return end
