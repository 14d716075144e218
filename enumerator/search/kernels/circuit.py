"""From bytecode over relations to a circuit over single pairs, for the combination of paths at hand.

A signal is a truth value of a candidate: 0 is false, 1 is true, then come the inputs (a read has a source; a write is
ordered before another), then what operations compute. A relation is a matrix of signals, and most of it folds away:
what the paths alone decide is 0 or 1, and pairs that no choice relates are 0. Operations are rows (operation, signal,
left, right).

This file is long because each operation of the bytecode has its own way of becoming a circuit.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ZERO, has_bit

# Positions in `size`: circuit, signals and terms so far.
GATES, WIRES, TERMS = range(3)

OUTSIDE, WIDEN, EMIT = range(3)


@inner
def operation(what, left, right, circuit, size):
    """Append an operation with a signal of its own."""
    d = size[WIRES]
    size[WIRES] += 1
    append(what, d, left, right, circuit, size)
    return d


@inner
def append(what, d, left, right, circuit, size):
    """Append an operation. What does not fit is only counted: the caller looks at the count in the end."""
    k = size[GATES]
    if k < circuit.shape[0]:
        circuit[k, 0], circuit[k, 1], circuit[k, 2], circuit[k, 3] = what, d, left, right
    size[GATES] += 1


@inner
def both(x, y, circuit, size):
    """Give the signal of a conjunction."""
    if x == 0 or y == 0:
        return 0
    if x == 1 or x == y:
        return y
    if y == 1:
        return x
    return operation(op.G_AND, x, y, circuit, size)


@inner
def either(x, y, circuit, size):
    """Give the signal of a disjunction."""
    if x == 1 or y == 1:
        return 1
    if x == 0 or x == y:
        return y
    if y == 0:
        return x
    d = operation(op.G_COPY, x, 0, circuit, size)
    append(op.G_OR_IN, d, y, 0, circuit, size)
    return d


@inner
def without(x, y, circuit, size):
    """Give the signal of a difference."""
    if x == 0 or y == 1 or x == y:
        return 0
    if y == 0:
        return x
    if x == 1:
        return operation(op.G_NOT, y, 0, circuit, size)
    return operation(op.G_AND_NOT, x, y, circuit, size)


@inner
def compose(D, A, B, n, circuit, size):
    """Fill the signals of a sequence of two relations."""
    for i in range(n):
        for k in range(n):
            D[i, k] = 0
        for j in range(n):
            if A[i, j] == 1:
                for k in range(n):
                    if B[j, k] == 1:
                        D[i, k] = 1
        for j in range(n):
            x = A[i, j]
            if x == 0:
                continue
            for k in range(n):
                y = B[j, k]
                if y == 0 or D[i, k] == 1:
                    continue
                # A signal of this sequence alone is negative while it is open, and the first term goes in as a copy.
                if D[i, k] == 0:
                    if x == 1:
                        D[i, k] = y
                    elif y == 1:
                        D[i, k] = x
                    else:
                        D[i, k] = -operation(op.G_AND, x, y, circuit, size)
                    continue
                if D[i, k] > 0:
                    if (x == 1 and D[i, k] == y) or (y == 1 and D[i, k] == x):
                        continue
                    D[i, k] = -operation(op.G_COPY, D[i, k], 0, circuit, size)
                if x == 1:
                    append(op.G_OR_IN, -D[i, k], y, 0, circuit, size)
                elif y == 1:
                    append(op.G_OR_IN, -D[i, k], x, 0, circuit, size)
                else:
                    append(op.G_OR_AND, -D[i, k], x, y, circuit, size)
        for k in range(n):
            if D[i, k] < 0:
                D[i, k] = -D[i, k]


@inner
def close_signals(D, own, n, circuit, size):
    """Replace the signals of a relation by those of its transitive closure; `own` is room for n times n marks."""
    for i in range(n):
        for j in range(n):
            own[i, j] = 0
    for k in range(n):
        for i in range(n):
            x = D[i, k]
            if x == 0 or i == k:
                continue
            for j in range(n):
                y = D[k, j]
                if y == 0 or D[i, j] == 1 or j == k:
                    continue
                if x == 1 and y == 1:
                    D[i, j] = 1
                elif D[i, j] == 0:
                    if x == 1:
                        D[i, j] = operation(op.G_COPY, y, 0, circuit, size)
                    elif y == 1:
                        D[i, j] = operation(op.G_COPY, x, 0, circuit, size)
                    else:
                        D[i, j] = operation(op.G_AND, x, y, circuit, size)
                    own[i, j] = 1
                else:
                    if own[i, j] == 0:
                        D[i, j] = operation(op.G_COPY, D[i, j], 0, circuit, size)
                        own[i, j] = 1
                    if x == 1:
                        append(op.G_OR_IN, D[i, j], y, 0, circuit, size)
                    elif y == 1:
                        append(op.G_OR_IN, D[i, j], x, 0, circuit, size)
                    else:
                        append(op.G_OR_AND, D[i, j], x, y, circuit, size)


@inner
def only_cycles(D, reach, n):
    """Leave only the pairs of a relation that may lie on a cycle."""
    for i in range(n):
        for j in range(n):
            reach[i, j] = 1 if D[i, j] != 0 else 0
    for k in range(n):
        for i in range(n):
            if reach[i, k] != 0:
                for j in range(n):
                    reach[i, j] |= reach[k, j]
    for i in range(n):
        for j in range(n):
            if reach[j, i] == 0:
                D[i, j] = 0


@inner
def ground_relation(what, d, a, b, RW, SW, n, room, circuit, size):
    """Fill the signals of one operation whose result is a relation."""
    D = RW[d]
    if what == op.R_SEQ:
        compose(D, RW[a], RW[b], n, circuit, size)
    elif what == op.R_PLUS or what == op.R_STAR or what == op.R_OPTION:
        for i in range(n):
            for j in range(n):
                D[i, j] = RW[a, i, j]
        if what != op.R_OPTION:
            close_signals(D, room[0], n, circuit, size)
        if what != op.R_PLUS:
            for i in range(n):
                D[i, i] = 1
    else:
        for i in range(n):
            for j in range(n):
                x = 0
                if what == op.R_OR:
                    x = either(RW[a, i, j], RW[b, i, j], circuit, size)
                elif what == op.R_AND:
                    x = both(RW[a, i, j], RW[b, i, j], circuit, size)
                elif what == op.R_MINUS:
                    x = without(RW[a, i, j], RW[b, i, j], circuit, size)
                elif what == op.R_INVERSE:
                    x = RW[a, j, i]
                elif what == op.R_FROM:
                    x = both(SW[a, i], RW[b, i, j], circuit, size)
                elif what == op.R_TO:
                    x = both(SW[a, j], RW[b, i, j], circuit, size)
                elif what == op.R_CROSS:
                    x = both(SW[a, i], SW[b, j], circuit, size)
                elif what == op.R_IDENTITY:
                    if i == j:
                        x = SW[a, i]
                elif what == op.R_NOT:
                    x = without(1, RW[a, i, j], circuit, size)
                elif what == op.R_FULL:
                    x = 1
                elif what != op.R_EMPTY:
                    x = RW[a, i, j]
                D[i, j] = x


@inner
def ground_set(what, d, a, b, RW, SW, n, circuit, size):
    """Fill the signals of one operation whose result is a set."""
    for i in range(n):
        x = 0
        if what == op.S_OR:
            x = either(SW[a, i], SW[b, i], circuit, size)
        elif what == op.S_AND:
            x = both(SW[a, i], SW[b, i], circuit, size)
        elif what == op.S_MINUS:
            x = without(SW[a, i], SW[b, i], circuit, size)
        elif what == op.S_NOT:
            x = without(1, SW[a, i], circuit, size)
        elif what == op.S_DOMAIN:
            for j in range(n):
                x = either(x, RW[a, i, j], circuit, size)
        elif what == op.S_RANGE:
            for j in range(n):
                x = either(x, RW[a, j, i], circuit, size)
        elif what == op.S_FULL:
            x = 1
        elif what == op.S_COPY:
            x = SW[a, i]
        SW[d, i] = x


@inner
def new_variables(what, d, a, RW, SW, n, circuit, size):
    """Give signals to the pairs of a fixpoint's variable that its body has and it does not; their number."""
    found = 0
    if what == op.FIX_RELATION:
        for i in range(n):
            for j in range(n):
                if RW[a, i, j] != 0 and RW[d, i, j] == 0:
                    RW[d, i, j] = size[WIRES]
                    size[WIRES] += 1
                    found += 1
    else:
        for i in range(n):
            if SW[a, i] != 0 and SW[d, i] == 0:
                SW[d, i] = size[WIRES]
                size[WIRES] += 1
                found += 1
    return found


@inner
def add_term(x, kind, terms, size):
    """Append a signal that some test is about: (signal, kind); the kind is the section, or -1 - the flag's bit."""
    if x != 0:
        if size[TERMS] < terms.shape[0]:
            terms[size[TERMS], 0], terms[size[TERMS], 1] = x, kind
        size[TERMS] += 1


@inner
def ground_test(test, a, negated, kind, RW, SW, n, room, circuit, terms, size):
    """Append the signals that make a test fail (for a flag: hold).

    A flag's test holds where the relation is empty, and the like: what follows is the negation of that.
    """
    # `wanted` is whether the terms are to say that the relation has something (a cycle, a loop, a pair).
    has_something = negated == 0
    if kind < 0:
        has_something = not has_something
    first = size[TERMS]
    if test == 0:
        for i in range(n):
            for j in range(n):
                room[1, i, j] = RW[a, i, j]
        only_cycles(room[1], room[0], n)
        close_signals(room[1], room[0], n, circuit, size)
        for i in range(n):
            add_term(room[1, i, i], kind, terms, size)
    elif test == 1:
        for i in range(n):
            add_term(RW[a, i, i], kind, terms, size)
    elif test == 2:
        for i in range(n):
            for j in range(n):
                add_term(RW[a, i, j], kind, terms, size)
    else:
        for i in range(n):
            add_term(SW[a, i], kind, terms, size)
    if not has_something:
        x = 0
        for k in range(first, min(size[TERMS], terms.shape[0])):
            x = either(x, terms[k, 0], circuit, size)
        size[TERMS] = first
        add_term(without(1, x, circuit, size), kind, terms, size)


@inner
def ground_span(code, begin, end, section, RW, SW, n, room, circuit, terms, size):
    """Fill the signals of a span of bytecode without loops."""
    for pc in range(begin, end):
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        if what < 20:
            ground_relation(what, d, a, b, RW, SW, n, room, circuit, size)
        elif what < 30:
            ground_set(what, d, a, b, RW, SW, n, circuit, size)
        elif what >= op.FLAG_ACYCLIC:
            ground_test(what - op.FLAG_ACYCLIC, d, a, -1 - b, RW, SW, n, room, circuit, terms, size)
        elif what >= op.CHECK_ACYCLIC:
            ground_test(what - op.CHECK_ACYCLIC, d, a, section, RW, SW, n, room, circuit, terms, size)


@inner
def step_cost(what, n):
    """Say about how many pairs, or triples, of events an operation looks at."""
    if (
        what == op.R_SEQ
        or what == op.R_PLUS
        or what == op.R_STAR
        or what == op.CHECK_ACYCLIC
        or what == op.FLAG_ACYCLIC
    ):
        return n * n * n
    return n * n


@njit
def begin_ground(R, S, RW, SW, n, inputs, size, at):
    """Fill the signals with what the paths alone decide, and with those of the inputs.

    `R` and `S` hold what the program's first section has computed. Rows of `inputs` are (0, write, read, decision,
    option), (1, write, write, …) for coherence orders, with another register in the place of 1 for chosen orders, and
    (2, read, …) for undef; their signals are 2 and after.
    """
    for r in range(RW.shape[0]):
        for i in range(n):
            for j in range(n):
                RW[r, i, j] = 1 if has_bit(R[r, i], j) else 0
    for s in range(SW.shape[0]):
        for i in range(n):
            SW[s, i] = 1 if has_bit(S[s], i) else 0
    for k in range(inputs.shape[0]):
        if inputs[k, 0] == 2:
            SW[0, inputs[k, 1]] = 2 + k
        else:
            RW[inputs[k, 0], inputs[k, 1], inputs[k, 2]] = 2 + k
    size[GATES], size[WIRES], size[TERMS] = 0, 2 + inputs.shape[0], 0
    for k in range(at.shape[0]):
        at[k] = 0
    at[op.AT_SECTION] = -1


@inner
def variable_circuit(what, d, a, RW, SW, n, circuit, size):
    """Append operations that set the signals of a fixpoint's variable: to false (`a` is -1), or to its body's."""
    for i in range(n):
        if what == op.FIX_RELATION:
            for j in range(n):
                if RW[d, i, j] != 0:
                    if a < 0:
                        append(op.G_ZERO, RW[d, i, j], 0, 0, circuit, size)
                    else:
                        append(op.G_ASSIGN, RW[d, i, j], RW[a, i, j], 0, circuit, size)
        elif SW[d, i] != 0:
            if a < 0:
                append(op.G_ZERO, SW[d, i], 0, 0, circuit, size)
            else:
                append(op.G_ASSIGN, SW[d, i], SW[a, i], 0, circuit, size)


@njit
def ground(code, sections, RW, SW, n, room, circuit, terms, size, at, budget):
    """Fill the signals of all registers and append the operations for them, after :func:`begin_ground`.

    Goes on where `at` says, until about `budget` pairs and triples of events have been looked at: 1 while there is more
    to do, 0 in the end, -1 where loops are nested or the operations do not fit into `circuit` or the terms into
    `terms`.
    """
    if at[op.AT_SECTION] < 0:
        at[op.AT_SECTION], at[op.AT_PC] = op.PARTIAL_RF, sections[op.PARTIAL_RF]
    while at[op.AT_SECTION] < op.PROBE:
        if budget <= 0:
            return 1
        if size[GATES] > circuit.shape[0] or size[TERMS] > terms.shape[0] or size[WIRES] > 1 << 28:
            return -1
        section, pc = at[op.AT_SECTION], at[op.AT_PC]
        if pc == sections[section + 1]:
            at[op.AT_SECTION] += 1
            continue
        what, d, a = code[pc, 0], code[pc, 1], code[pc, 2]
        at[op.AT_PC] += 1
        if what == op.FIX_BEGIN:
            if at[op.AT_LOOP] != OUTSIDE:
                return -1
            at[op.AT_LOOP], at[op.AT_BEGIN], at[op.AT_MARK], at[op.AT_FOUND] = WIDEN, pc + 1, size[GATES], 0
        elif op.FIX_RELATION <= what < op.FIX_END:
            if at[op.AT_LOOP] == WIDEN:
                at[op.AT_FOUND] += new_variables(what, d, a, RW, SW, n, circuit, size)
            else:
                variable_circuit(what, d, a, RW, SW, n, circuit, size)
        elif what == op.FIX_END and at[op.AT_LOOP] == WIDEN:
            # Which pairs the variables may come to have: as many as the bodies have, until these stay the same.
            size[GATES] = at[op.AT_MARK]
            if at[op.AT_FOUND] == 0:
                for k in range(at[op.AT_BEGIN], pc):
                    if op.FIX_RELATION <= code[k, 0] < op.FIX_END:
                        variable_circuit(code[k, 0], code[k, 1], -1, RW, SW, n, circuit, size)
                append(op.G_LOOP, 0, 0, 0, circuit, size)
                at[op.AT_LOOP] = EMIT
            at[op.AT_FOUND] = 0
            at[op.AT_PC] = at[op.AT_BEGIN]
        elif what == op.FIX_END:
            append(op.G_REPEAT, 0, 0, 0, circuit, size)
            at[op.AT_LOOP] = OUTSIDE
        else:
            budget -= step_cost(what, n)
            ground_span(code, pc, pc + 1, section, RW, SW, n, room, circuit, terms, size)
    if size[GATES] > circuit.shape[0] or size[TERMS] > terms.shape[0]:
        return -1
    return 0


@njit
def spread(circuit, count, level, newest):
    """Find from which decision on each signal may be true, and which decisions it depends on.

    Both are given for the inputs: `level` is the first decision after which a signal may be true (one after the last
    for those that never may), and `newest` a set of decisions, a bit each.
    """
    again = True
    while again:
        again = False
        for k in range(count):
            what, d, a, b = circuit[k, 0], circuit[k, 1], circuit[k, 2], circuit[k, 3]
            if what >= op.G_LOOP or what == op.G_ZERO:
                continue
            first = level[a]
            low, high = newest[a, 0], newest[a, 1]
            if what == op.G_NOT:
                first = 0
            elif what == op.G_AND or what == op.G_OR_AND or what == op.G_AND_NOT:
                low |= newest[b, 0]
                high |= newest[b, 1]
                if what != op.G_AND_NOT:
                    first = max(first, level[b])
            # What a signal depends on before it may be true changes nothing.
            if what != op.G_NOT:
                if first >= 64:
                    low = ZERO
                    high = high >> uint64(first - 64) << uint64(first - 64) if first < 128 else ZERO
                else:
                    low = low >> uint64(first) << uint64(first)
            if first < level[d] or (low & ~newest[d, 0]) != ZERO or (high & ~newest[d, 1]) != ZERO:
                again = again or what == op.G_ASSIGN
                level[d] = min(level[d], first)
                newest[d, 0] |= low
                newest[d, 1] |= high


@njit
def specialize(circuit, count, may, wanted, number, out):
    """Keep the operations that some wanted signal needs; what may not be true is read as false.

    `wanted` marks signals; `out` receives the circuit, and `number` the new numbers of the signals that they touch (-1
    for others). Returns the number of operations, -1 where they do not fit, and the number of signals.
    """
    for w in range(wanted.shape[0]):
        wanted[w] = wanted[w] and may[w]
    again = True
    while again:
        again = False
        for step in range(count):
            k = count - 1 - step
            what, d, a, b = circuit[k, 0], circuit[k, 1], circuit[k, 2], circuit[k, 3]
            if what >= op.G_LOOP or what == op.G_ZERO or not wanted[d] or not may[a]:
                continue
            two = what == op.G_AND or what == op.G_OR_AND or what == op.G_AND_NOT
            if (what == op.G_AND or what == op.G_OR_AND) and not may[b]:
                continue
            if not wanted[a]:
                wanted[a], again = True, True
            if two and may[b] and not wanted[b]:
                wanted[b], again = True, True
    total = 2
    for w in range(2, wanted.shape[0]):
        number[w] = -1
        if wanted[w]:
            number[w] = total
            total += 1
    number[0], number[1] = 0, 1
    kept = 0
    for k in range(count):
        what, d, a, b = circuit[k, 0], circuit[k, 1], circuit[k, 2], circuit[k, 3]
        if what < op.G_LOOP:
            if number[d] < 0:
                continue
            if what != op.G_ZERO:
                a = number[a] if may[a] else 0
            if what == op.G_AND or what == op.G_AND_NOT or what == op.G_OR_AND:
                b = number[b] if may[b] else 0
            if (what == op.G_OR_AND and (a == 0 or b == 0)) or (what == op.G_OR_IN and a == 0):
                continue
            if what == op.G_AND and (a == 0 or b == 0):
                what, a, b = op.G_ZERO, 0, 0
        elif what == op.G_REPEAT and out[kept - 1, 0] == op.G_LOOP:
            kept -= 1
            continue
        if kept == out.shape[0]:
            return -1, total
        out[kept, 0], out[kept, 1], out[kept, 2], out[kept, 3] = what, number[d], a, b
        kept += 1
    return kept, total
