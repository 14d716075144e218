"""From bytecode over relations to gates over single pairs, for the combination of paths at hand.

A wire is a truth value of a candidate: 0 is false, 1 is true, then come the inputs (a read has a source; a write is
ordered before another), then what gates compute. A relation is a matrix of wires, and most of it folds away: what the
paths alone decide is 0 or 1, and pairs that no choice relates are 0. Gates are rows (operation, wire, left, right).
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ZERO, has_bit

# Positions in `size`: gates, wires and terms so far.
GATES, WIRES, TERMS = range(3)

OUTSIDE, WIDEN, EMIT = range(3)


@inner
def gate(what, left, right, gates, size):
    """Append a gate with a wire of its own."""
    d = size[WIRES]
    size[WIRES] += 1
    append(what, d, left, right, gates, size)
    return d


@inner
def append(what, d, left, right, gates, size):
    """Append a gate. What does not fit is only counted: the caller looks at the count in the end."""
    k = size[GATES]
    if k < gates.shape[0]:
        gates[k, 0], gates[k, 1], gates[k, 2], gates[k, 3] = what, d, left, right
    size[GATES] += 1


@inner
def both(x, y, gates, size):
    """Give the wire of a conjunction."""
    if x == 0 or y == 0:
        return 0
    if x == 1 or x == y:
        return y
    if y == 1:
        return x
    return gate(op.G_AND, x, y, gates, size)


@inner
def either(x, y, gates, size):
    """Give the wire of a disjunction."""
    if x == 1 or y == 1:
        return 1
    if x == 0 or x == y:
        return y
    if y == 0:
        return x
    d = gate(op.G_COPY, x, 0, gates, size)
    append(op.G_OR_IN, d, y, 0, gates, size)
    return d


@inner
def without(x, y, gates, size):
    """Give the wire of a difference."""
    if x == 0 or y == 1 or x == y:
        return 0
    if y == 0:
        return x
    if x == 1:
        return gate(op.G_NOT, y, 0, gates, size)
    return gate(op.G_AND_NOT, x, y, gates, size)


@inner
def compose(D, A, B, n, gates, size):
    """Fill the wires of a sequence of two relations."""
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
                # A wire of this sequence alone is negative while it is open, and the first term goes in as a copy.
                if D[i, k] == 0:
                    if x == 1:
                        D[i, k] = y
                    elif y == 1:
                        D[i, k] = x
                    else:
                        D[i, k] = -gate(op.G_AND, x, y, gates, size)
                    continue
                if D[i, k] > 0:
                    if (x == 1 and D[i, k] == y) or (y == 1 and D[i, k] == x):
                        continue
                    D[i, k] = -gate(op.G_COPY, D[i, k], 0, gates, size)
                if x == 1:
                    append(op.G_OR_IN, -D[i, k], y, 0, gates, size)
                elif y == 1:
                    append(op.G_OR_IN, -D[i, k], x, 0, gates, size)
                else:
                    append(op.G_OR_AND, -D[i, k], x, y, gates, size)
        for k in range(n):
            if D[i, k] < 0:
                D[i, k] = -D[i, k]


@inner
def close_wires(D, own, n, gates, size):
    """Replace the wires of a relation by those of its transitive closure; `own` is room for n times n marks."""
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
                        D[i, j] = gate(op.G_COPY, y, 0, gates, size)
                    elif y == 1:
                        D[i, j] = gate(op.G_COPY, x, 0, gates, size)
                    else:
                        D[i, j] = gate(op.G_AND, x, y, gates, size)
                    own[i, j] = 1
                else:
                    if own[i, j] == 0:
                        D[i, j] = gate(op.G_COPY, D[i, j], 0, gates, size)
                        own[i, j] = 1
                    if x == 1:
                        append(op.G_OR_IN, D[i, j], y, 0, gates, size)
                    elif y == 1:
                        append(op.G_OR_IN, D[i, j], x, 0, gates, size)
                    else:
                        append(op.G_OR_AND, D[i, j], x, y, gates, size)


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
def ground_relation(what, d, a, b, RW, SW, n, room, gates, size):
    """Fill the wires of one operation whose result is a relation."""
    D = RW[d]
    if what == op.R_SEQ:
        compose(D, RW[a], RW[b], n, gates, size)
    elif what == op.R_PLUS or what == op.R_STAR or what == op.R_OPTION:
        for i in range(n):
            for j in range(n):
                D[i, j] = RW[a, i, j]
        if what != op.R_OPTION:
            close_wires(D, room[0], n, gates, size)
        if what != op.R_PLUS:
            for i in range(n):
                D[i, i] = 1
    else:
        for i in range(n):
            for j in range(n):
                x = 0
                if what == op.R_OR:
                    x = either(RW[a, i, j], RW[b, i, j], gates, size)
                elif what == op.R_AND:
                    x = both(RW[a, i, j], RW[b, i, j], gates, size)
                elif what == op.R_MINUS:
                    x = without(RW[a, i, j], RW[b, i, j], gates, size)
                elif what == op.R_INVERSE:
                    x = RW[a, j, i]
                elif what == op.R_FROM:
                    x = both(SW[a, i], RW[b, i, j], gates, size)
                elif what == op.R_TO:
                    x = both(SW[a, j], RW[b, i, j], gates, size)
                elif what == op.R_CROSS:
                    x = both(SW[a, i], SW[b, j], gates, size)
                elif what == op.R_IDENTITY:
                    if i == j:
                        x = SW[a, i]
                elif what == op.R_NOT:
                    x = without(1, RW[a, i, j], gates, size)
                elif what == op.R_FULL:
                    x = 1
                elif what != op.R_EMPTY:
                    x = RW[a, i, j]
                D[i, j] = x


@inner
def ground_set(what, d, a, b, RW, SW, n, gates, size):
    """Fill the wires of one operation whose result is a set."""
    for i in range(n):
        x = 0
        if what == op.S_OR:
            x = either(SW[a, i], SW[b, i], gates, size)
        elif what == op.S_AND:
            x = both(SW[a, i], SW[b, i], gates, size)
        elif what == op.S_MINUS:
            x = without(SW[a, i], SW[b, i], gates, size)
        elif what == op.S_NOT:
            x = without(1, SW[a, i], gates, size)
        elif what == op.S_DOMAIN:
            for j in range(n):
                x = either(x, RW[a, i, j], gates, size)
        elif what == op.S_RANGE:
            for j in range(n):
                x = either(x, RW[a, j, i], gates, size)
        elif what == op.S_FULL:
            x = 1
        elif what == op.S_COPY:
            x = SW[a, i]
        SW[d, i] = x


@inner
def new_variables(what, d, a, RW, SW, n, gates, size):
    """Give wires to the pairs of a fixpoint's variable that its body has and it does not; their number."""
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
    """Append a wire that some test is about: (wire, kind); the kind is the section, or -1 - the flag's bit."""
    if x != 0:
        if size[TERMS] < terms.shape[0]:
            terms[size[TERMS], 0], terms[size[TERMS], 1] = x, kind
        size[TERMS] += 1


@inner
def ground_test(test, a, negated, kind, RW, SW, n, room, gates, terms, size):
    """Append the wires that make a test fail (for a flag: hold).

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
        close_wires(room[1], room[0], n, gates, size)
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
            x = either(x, terms[k, 0], gates, size)
        size[TERMS] = first
        add_term(without(1, x, gates, size), kind, terms, size)


@inner
def ground_span(code, begin, end, section, RW, SW, n, room, gates, terms, size):
    """Fill the wires of a span of bytecode without loops."""
    for pc in range(begin, end):
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        if what < 20:
            ground_relation(what, d, a, b, RW, SW, n, room, gates, size)
        elif what < 30:
            ground_set(what, d, a, b, RW, SW, n, gates, size)
        elif what >= op.FLAG_ACYCLIC:
            ground_test(what - op.FLAG_ACYCLIC, d, a, -1 - b, RW, SW, n, room, gates, terms, size)
        elif what >= op.CHECK_ACYCLIC:
            ground_test(what - op.CHECK_ACYCLIC, d, a, section, RW, SW, n, room, gates, terms, size)


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
    """Fill the wires with what the paths alone decide, and with those of the inputs.

    `R` and `S` hold what the program's first section has computed. Rows of `inputs` are (0, write, read, decision,
    option), (1, write, write, …) for orders, and (2, read, …) for undef; their wires are 2 and after.
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
def variable_gates(what, d, a, RW, SW, n, gates, size):
    """Append gates that set the wires of a fixpoint's variable: to false (`a` is -1), or to those of its body."""
    for i in range(n):
        if what == op.FIX_RELATION:
            for j in range(n):
                if RW[d, i, j] != 0:
                    if a < 0:
                        append(op.G_ZERO, RW[d, i, j], 0, 0, gates, size)
                    else:
                        append(op.G_ASSIGN, RW[d, i, j], RW[a, i, j], 0, gates, size)
        elif SW[d, i] != 0:
            if a < 0:
                append(op.G_ZERO, SW[d, i], 0, 0, gates, size)
            else:
                append(op.G_ASSIGN, SW[d, i], SW[a, i], 0, gates, size)


@njit
def ground(code, sections, RW, SW, n, room, gates, terms, size, at, budget):
    """Fill the wires of all registers and append the gates for them, after :func:`begin_ground`.

    Goes on where `at` says, until about `budget` pairs and triples of events have been looked at: 1 while there is more
    to do, 0 in the end, -1 where loops are nested or the gates do not fit into `gates` or the terms into `terms`.
    """
    if at[op.AT_SECTION] < 0:
        at[op.AT_SECTION], at[op.AT_PC] = op.PARTIAL_RF, sections[op.PARTIAL_RF]
    while at[op.AT_SECTION] < op.PROBE:
        if budget <= 0:
            return 1
        if size[GATES] > gates.shape[0] or size[TERMS] > terms.shape[0] or size[WIRES] > 1 << 28:
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
                at[op.AT_FOUND] += new_variables(what, d, a, RW, SW, n, gates, size)
            else:
                variable_gates(what, d, a, RW, SW, n, gates, size)
        elif what == op.FIX_END and at[op.AT_LOOP] == WIDEN:
            # Which pairs the variables may come to have: as many as the bodies have, until these stay the same.
            size[GATES] = at[op.AT_MARK]
            if at[op.AT_FOUND] == 0:
                for k in range(at[op.AT_BEGIN], pc):
                    if op.FIX_RELATION <= code[k, 0] < op.FIX_END:
                        variable_gates(code[k, 0], code[k, 1], -1, RW, SW, n, gates, size)
                append(op.G_LOOP, 0, 0, 0, gates, size)
                at[op.AT_LOOP] = EMIT
            at[op.AT_FOUND] = 0
            at[op.AT_PC] = at[op.AT_BEGIN]
        elif what == op.FIX_END:
            append(op.G_REPEAT, 0, 0, 0, gates, size)
            at[op.AT_LOOP] = OUTSIDE
        else:
            budget -= step_cost(what, n)
            ground_span(code, pc, pc + 1, section, RW, SW, n, room, gates, terms, size)
    if size[GATES] > gates.shape[0] or size[TERMS] > terms.shape[0]:
        return -1
    return 0


@njit
def spread(gates, count, level, newest):
    """Find from which decision on each wire may be true, and which decisions it depends on.

    Both are given for the inputs: `level` is the first decision after which a wire may be true (one after the last for
    those that never may), and `newest` a set of decisions, a bit each.
    """
    again = True
    while again:
        again = False
        for k in range(count):
            what, d, a, b = gates[k, 0], gates[k, 1], gates[k, 2], gates[k, 3]
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
            # What a wire depends on before it may be true changes nothing.
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
def specialize(gates, count, may, wanted, number, out):
    """Keep the gates that some wanted wire needs; what may not be true is read as false.

    `wanted` marks wires; `out` receives the gates, and `number` the new numbers of the wires that they touch (-1 for
    others). Returns the number of gates, -1 where they do not fit, and the number of wires.
    """
    for w in range(wanted.shape[0]):
        wanted[w] = wanted[w] and may[w]
    again = True
    while again:
        again = False
        for step in range(count):
            k = count - 1 - step
            what, d, a, b = gates[k, 0], gates[k, 1], gates[k, 2], gates[k, 3]
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
        what, d, a, b = gates[k, 0], gates[k, 1], gates[k, 2], gates[k, 3]
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
