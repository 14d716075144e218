"""What two models say of an execution for all choices of annotations at once: a bit for each, in words (`V`).

Only pairs that bounds leave open have words (:mod:`enumerator.search.kernels.between`).
"""

from __future__ import annotations

from enumerator.jit.decorators import inlined, inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.between import ALL, ONE, ZERO, bit, truth
from enumerator.search.kernels.words import trailing_zeros


@inlined
def entry(M, Y, places, reg, i, j, n, w):
    """Say where the words of a pair begin: those of what is certain, and of what cannot be, are shared."""
    if M[reg, i] & bit(j) != ZERO:
        return 0
    if Y[reg, i] & bit(j) == ZERO:
        return w
    return (places[reg] + i * n + j) * w


@inlined
def pattern(events, i, k, w):
    """Say where the words begin that tell with which choices an event has an annotation."""
    item = events.item[i]
    if item < 0 or events.options[item] == 1:
        return 0
    return (2 + item * events.kinds.shape[2] + k) * w


@inner
def spread(events, V, w):
    """Write the words that all others are made of."""
    for v in range(w):
        V[v] = ALL
        V[w + v] = ZERO
    stride = 1
    most = events.kinds.shape[2]
    for item in range(len(events.options) - 1, -1, -1):
        count = events.options[item]
        if count > 1:
            for k in range(count):
                begin = (2 + item * most + k) * w
                for v in range(w):
                    word = ZERO
                    for u in range(64):
                        if ((v * 64 + u) // stride) % count == k:
                            word |= bit(u)
                    V[begin + v] = word
            stride *= count


@inner
def join(V, d, a, b, w):
    """Add what is in both of two."""
    for v in range(w):
        V[d + v] |= V[a + v] & V[b + v]


@inner
def word_of_pair(model, events, V, d, name, side, i, j, w):
    """Say with which annotations a predefined relation holds."""
    for v in range(w):
        V[d + v] = ZERO
    together = events.item[i] == events.item[j] and events.item[i] >= 0
    ones = events.options[events.item[i]] if events.item[i] >= 0 else 1
    others = events.options[events.item[j]] if events.item[j] >= 0 else 1
    for k in range(ones):
        for l in range(others):
            if (not together or k == l) and truth(model, events, name, side, i, j, k, l):
                join(V, d, pattern(events, i, k, w), pattern(events, j, l, w), w)


@inner
def word(model, events, work, code, d, a, b, i, j, n, w):
    """Give the words of a pair that an operation may make."""
    M, Y, V, places = work.least, work.most, work.words, work.places
    begin = (places[d] + i * n + j) * w
    if code == op.J_OR:
        one, other = entry(M, Y, places, a, i, j, n, w), entry(M, Y, places, b, i, j, n, w)
        for v in range(w):
            V[begin + v] = V[one + v] | V[other + v]
        return
    if code == op.J_MINUS:
        one, other = entry(M, Y, places, a, i, j, n, w), entry(M, Y, places, b, i, j, n, w)
        for v in range(w):
            V[begin + v] = V[one + v] & ~V[other + v]
        return
    if code == op.J_NOT:
        one = entry(M, Y, places, a, i, j, n, w)
        for v in range(w):
            V[begin + v] = ~V[one + v]
        return
    if code == op.J_RELATION:
        word_of_pair(model, events, V, begin, a, b, i, j, w)
        return
    for v in range(w):
        V[begin + v] = ZERO
    if code == op.J_AND:
        join(V, begin, entry(M, Y, places, a, i, j, n, w), entry(M, Y, places, b, i, j, n, w), w)
    elif code == op.J_ROWS:
        join(V, begin, entry(M, Y, places, a, 0, i, n, w), entry(M, Y, places, b, i, j, n, w), w)
    elif code == op.J_COLUMNS:
        join(V, begin, entry(M, Y, places, a, i, j, n, w), entry(M, Y, places, b, 0, j, n, w), w)
    elif code == op.J_CROSS:
        join(V, begin, entry(M, Y, places, a, 0, i, n, w), entry(M, Y, places, b, 0, j, n, w), w)
    elif code == op.J_ORDER or code == op.J_LINEAR:
        join(V, begin, entry(M, Y, places, a, 0, i, n, w), entry(M, Y, places, a, 0, j, n, w), w)
    elif code == op.J_INVERSE:
        join(V, begin, entry(M, Y, places, a, j, i, n, w), 0, w)
    elif code == op.J_IDENTITY:
        join(V, begin, entry(M, Y, places, a, 0, i, n, w), 0, w)
    elif code == op.J_MAYBE:
        join(V, begin, entry(M, Y, places, a, i, j, n, w), 0, w)
    elif code == op.J_SEQ:
        left = Y[a, i]
        while left != ZERO:
            k = trailing_zeros(left)
            left &= left - ONE
            if Y[b, k] & bit(j) != ZERO:
                join(V, begin, entry(M, Y, places, a, i, k, n, w), entry(M, Y, places, b, k, j, n, w), w)
    elif code == op.J_DOMAIN:
        left = Y[a, j]
        while left != ZERO:
            join(V, begin, entry(M, Y, places, a, j, trailing_zeros(left), n, w), 0, w)
            left &= left - ONE
    elif code == op.J_RANGE:
        for k in range(n):
            if Y[a, k] & bit(j) != ZERO:
                join(V, begin, entry(M, Y, places, a, k, j, n, w), 0, w)
    elif code == op.J_SET:
        for k in range(events.options[events.item[j]]):
            if model.sets[a, events.kinds[b, j, k]]:
                join(V, begin, pattern(events, j, k, w), 0, w)


@inner
def close_words(work, d, a, n, w):
    """Close a relation transitively, where its bounds leave it open."""
    M, Y, V, places = work.least, work.most, work.words, work.places
    for i in range(n):
        left = Y[d, i] & ~M[d, i]
        while left != ZERO:
            j = trailing_zeros(left)
            left &= left - ONE
            begin = (places[d] + i * n + j) * w
            one = entry(M, Y, places, a, i, j, n, w)
            for v in range(w):
                V[begin + v] = V[one + v]
    for k in range(n):
        for i in range(n):
            if Y[d, i] & bit(k) == ZERO or i == k:
                continue
            left = Y[d, k] & Y[d, i] & ~M[d, i]
            while left != ZERO:
                j = trailing_zeros(left)
                left &= left - ONE
                if j != k:
                    one, other = entry(M, Y, places, d, i, k, n, w), entry(M, Y, places, d, k, j, n, w)
                    join(V, (places[d] + i * n + j) * w, one, other, w)


@inner
def add_failures(work, code, group, a, negated, rows, n, w):
    """Add where a check fails to where others of its group do."""
    M, Y, V, places, A = work.least, work.most, work.words, work.places, work.failed
    for v in range(w):
        work.some[v] = ZERO
    for i in range(rows):
        if code == op.J_SOME:
            left = Y[a, i]
            while left != ZERO:
                one = entry(M, Y, places, a, i, trailing_zeros(left), n, w)
                for v in range(w):
                    work.some[v] |= V[one + v]
                left &= left - ONE
        else:
            one = entry(M, Y, places, a, i, i, n, w)
            for v in range(w):
                work.some[v] |= V[one + v]
    for v in range(w):
        A[group, v] |= ~work.some[v] if negated != 0 else work.some[v]


@inner
def evaluate(model, first, last, events, work, n, w):
    """Give words to all that instructions leave open; tell whether both models are known to agree."""
    M, Y, V, A, at, places = work.least, work.most, work.words, work.failed, work.at, work.places
    pc = first
    while pc < last:
        code, d, a, b = model.code[pc, 0], model.code[pc, 1], model.code[pc, 2], model.code[pc, 3]
        rows = 1 if model.code[pc, 4] != 0 else n
        if code == op.J_SOME or code == op.J_LOOPS:
            add_failures(work, code, d, a, b, rows, n, w)
        elif code == op.J_PLUS or code == op.J_STAR:
            close_words(work, d, a, n, w)
        elif code == op.J_AGAIN:
            if at[0] != 0:
                pc = d
                at[0] = 0
                continue
        elif code == op.J_SAME or code == op.J_REFUSED:
            left = ZERO
            for v in range(w):
                if code == op.J_SAME:
                    apart = A[op.J_OWN, v] ^ A[op.J_OTHER, v] | A[op.J_UNDEFINED, v] ^ A[op.J_OTHER_UNDEFINED, v]
                    left |= (apart | A[op.J_FINAL, v]) & work.mask[v]
                else:
                    left |= ~(A[op.J_COMMON, v] | A[op.J_OWN, v] & A[op.J_OTHER, v]) & work.mask[v]
            if left == ZERO:
                return True
        elif code == op.J_UNEQUAL:
            for i in range(rows):
                for j in range(n):
                    one, other = entry(M, Y, places, a, i, j, n, w), entry(M, Y, places, b, i, j, n, w)
                    for v in range(w):
                        A[d, v] |= V[one + v] ^ V[other + v]
        else:
            for i in range(rows):
                left = Y[d, i] & ~M[d, i]
                while left != ZERO:
                    j = trailing_zeros(left)
                    left &= left - ONE
                    begin = (places[d] + i * n + j) * w
                    if code == op.J_NOTHING:
                        for v in range(w):
                            V[begin + v] = ZERO
                    elif code == op.J_STEP:
                        one = entry(M, Y, places, a, i, j, n, w)
                        for v in range(w):
                            if V[begin + v] != V[one + v]:
                                V[begin + v] = V[one + v]
                                at[0] = 1
                    else:
                        word(model, events, work, code, d, a, b, i, j, n, w)
        pc += 1
    return False
