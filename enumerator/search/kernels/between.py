"""What the value of two models lies between, where not all is decided that it rests on.

A pair certainly belongs to a relation (`M`), or it may (`Y`): a row of bits has the pairs of an event. Of a set there
is one row. Annotations are never decided here: what only some of a program's have, may be.
"""

from __future__ import annotations

from numba import int64, uint64

from enumerator.jit.decorators import inlined, inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.words import trailing_zeros

ONE = uint64(1)
ZERO = uint64(0)
ALL = uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def bit(j):
    """Give a word with one bit."""
    return ONE << uint64(j)


@inner
def close(rows, n):
    """Close a relation transitively."""
    for k in range(n):
        through = bit(k)
        reached = rows[k]
        for i in range(n):
            if rows[i] & through != ZERO:
                rows[i] |= reached


@inner
def compose(D, A, B, n):
    """Compose two relations."""
    for i in range(n):
        word = A[i]
        found = ZERO
        while word != ZERO:
            found |= B[trailing_zeros(word)]
            word &= word - ONE
        D[i] = found


@inner
def invert(D, A, n):
    """Invert a relation."""
    for i in range(n):
        D[i] = ZERO
    for i in range(n):
        word = A[i]
        while word != ZERO:
            D[trailing_zeros(word)] |= bit(i)
            word &= word - ONE


@inner
def bound(code, d, a, b, M, Y, rows, n, full):
    """Apply an operation to bounds."""
    Md, Ma, Mb, Yd, Ya, Yb = M[d], M[a], M[b], Y[d], Y[a], Y[b]
    if code == op.J_OR:
        for i in range(rows):
            Md[i] = Ma[i] | Mb[i]
            Yd[i] = Ya[i] | Yb[i]
    elif code == op.J_AND:
        for i in range(rows):
            Md[i] = Ma[i] & Mb[i]
            Yd[i] = Ya[i] & Yb[i]
    elif code == op.J_MINUS:
        for i in range(rows):
            least = Ma[i] & ~Yb[i]
            Yd[i] = Ya[i] & ~Mb[i]
            Md[i] = least
    elif code == op.J_SEQ:
        compose(Md, Ma, Mb, n)
        compose(Yd, Ya, Yb, n)
    elif code == op.J_ROWS:
        for i in range(n):
            Md[i] = Mb[i] if Ma[0] & bit(i) != ZERO else ZERO
            Yd[i] = Yb[i] if Ya[0] & bit(i) != ZERO else ZERO
    elif code == op.J_COLUMNS:
        for i in range(n):
            Md[i] = Ma[i] & Mb[0]
            Yd[i] = Ya[i] & Yb[0]
    elif code == op.J_CROSS:
        for i in range(n):
            Md[i] = Mb[0] if Ma[0] & bit(i) != ZERO else ZERO
            Yd[i] = Yb[0] if Ya[0] & bit(i) != ZERO else ZERO
    elif code == op.J_NOT:
        for i in range(rows):
            Md[i] = full & ~Ya[i]
            Yd[i] = full & ~Ma[i]
    elif code == op.J_INVERSE:
        invert(Md, Ma, n)
        invert(Yd, Ya, n)
    elif code == op.J_MAYBE:
        for i in range(n):
            Md[i] = Ma[i] | bit(i)
            Yd[i] = Ya[i] | bit(i)
    elif code == op.J_PLUS or code == op.J_STAR:
        for i in range(n):
            itself = bit(i) if code == op.J_STAR else ZERO
            Md[i] = Ma[i] | itself
            Yd[i] = Ya[i] | itself
        close(Md, n)
        close(Yd, n)
    elif code == op.J_IDENTITY:
        for i in range(n):
            Md[i] = Ma[0] & bit(i)
            Yd[i] = Ya[0] & bit(i)
    elif code == op.J_DOMAIN:
        least = ZERO
        most = ZERO
        for i in range(n):
            if Ma[i] != ZERO:
                least |= bit(i)
            if Ya[i] != ZERO:
                most |= bit(i)
        Md[0] = least
        Yd[0] = most
    elif code == op.J_RANGE:
        least = ZERO
        most = ZERO
        for i in range(n):
            least |= Ma[i]
            most |= Ya[i]
        Md[0] = least
        Yd[0] = most
    elif code == op.J_EMPTY or code == op.J_NOTHING:
        for i in range(rows):
            Md[i] = ZERO
            Yd[i] = ZERO
    elif code == op.J_FULL:
        for i in range(rows):
            Md[i] = full
            Yd[i] = full


@inner
def fails(code, a, rows, R):
    """Tell whether a check of a relation or set fails."""
    for i in range(rows):
        if (R[a, i] if code == op.J_SOME else R[a, i] & bit(i)) != ZERO:
            return True
    return False


@inner
def bounds(model, first, last, events, work, n):
    """Evaluate instructions between bounds; tell where both models are known to agree."""
    M, Y, at = work.least, work.most, work.at
    full = (bit(n) - ONE) if n < 64 else ALL
    pc = first
    while pc < last:
        code, d, a, b = model.code[pc, 0], model.code[pc, 1], model.code[pc, 2], model.code[pc, 3]
        rows = 1 if model.code[pc, 4] != 0 else n
        if code == op.J_SET:
            bound_set(model, events, M, Y, d, a, b, n)
        elif code == op.J_RELATION:
            bound_relation(model, events, M, Y, d, a, b, n)
        elif code == op.J_RF:
            for i in range(n):
                M[d, i] = work.chosen[0, i]
                Y[d, i] = work.chosen[1, i]
        elif code == op.J_UNDEF:
            M[d, 0] = work.chosen[4, 0]
            Y[d, 0] = work.chosen[5, 0]
        elif code == op.J_ORDER:
            for i in range(n):
                M[d, i] = work.chosen[2, i] & M[a, 0] if M[a, 0] & bit(i) != ZERO else ZERO
                Y[d, i] = work.chosen[3, i] & Y[a, 0] if Y[a, 0] & bit(i) != ZERO else ZERO
        elif code == op.J_LINEAR:
            for i in range(n):
                least = work.linear[2 * b, i] & M[a, 0] if M[a, 0] & bit(i) != ZERO else ZERO
                most = work.linear[2 * b + 1, i] & Y[a, 0] if Y[a, 0] & bit(i) != ZERO else ZERO
                M[d, i] = least
                Y[d, i] = most
        elif code == op.J_STEP:
            for i in range(rows):
                if M[d, i] != M[a, i] or Y[d, i] != Y[a, i]:
                    M[d, i] = M[a, i]
                    Y[d, i] = Y[a, i]
                    at[0] = 1
        elif code == op.J_AGAIN:
            if at[0] != 0:
                pc = d
                at[0] = 0
                continue
        elif code == op.J_SOME or code == op.J_LOOPS:
            certain = fails(code, a, rows, M)
            possible = fails(code, a, rows, Y)
            if b != 0:
                before = certain
                certain = not possible
                possible = not before
            work.certain[d] |= int64(certain)
            work.possible[d] |= int64(possible)
        elif code == op.J_UNEQUAL:
            for i in range(rows):
                if M[a, i] != M[b, i] or Y[a, i] != Y[b, i] or M[a, i] != Y[a, i]:
                    work.possible[d] = 1
        elif code == op.J_SAME:
            same = True
            for group in range(op.J_GROUPS):
                if work.possible[group] != 0 and group != op.J_COMMON and group != op.J_COMMON_UNDEFINED:
                    same = False
            if same:
                return True
        elif code == op.J_REFUSED:
            if work.certain[op.J_COMMON] != 0 or (work.certain[op.J_OWN] != 0 and work.certain[op.J_OTHER] != 0):
                return True
        else:
            bound(code, d, a, b, M, Y, rows, n, full)
        pc += 1
    return False


@inner
def bound_set(model, events, M, Y, d, name, side, n):
    """Bound a predefined set."""
    least = ZERO
    most = ZERO
    for i in range(n):
        item = events.item[i]
        count = events.options[item] if item >= 0 else 1
        holds = 0
        for k in range(count):
            holds += model.sets[name, events.kinds[side, i, k]]
        if holds == count:
            least |= bit(i)
        if holds > 0:
            most |= bit(i)
    M[d, 0] = least
    Y[d, 0] = most


@inner
def stand(model, events, name, i, j):
    """Tell whether two events stand so that a relation may hold."""
    listed = model.stand[name, 2]
    if listed >= 0:
        return events.listed[listed, i] & bit(j) != ZERO
    if model.stand[name, 0] != 0 and not i < j:
        return False
    same = model.stand[name, 1]
    if same == 1:
        return events.location[i] == events.location[j] and events.location[i] >= 0
    if same == 2:
        return events.item[i] == events.item[j] and events.location[i] == events.location[j]
    if same == 3:
        return events.phase[i] >= 0 and events.phase[i] == events.phase[j]
    return same == 0


@inner
def truth(model, events, name, side, i, j, k, l):
    """Tell whether a relation holds between events with some annotations, which stand so that it may."""
    one, other = events.kinds[side, i, k], events.kinds[side, j, l]
    if i == j:
        return model.itself[name, one]
    return model.pairs[name, events.near[events.thread[i] + 1, events.thread[j] + 1], one, other]


@inner
def bound_relation(model, events, M, Y, d, name, side, n):
    """Bound a predefined relation."""
    for i in range(n):
        least = ZERO
        most = ZERO
        ones = events.options[events.item[i]] if events.item[i] >= 0 else 1
        for j in range(n):
            if not stand(model, events, name, i, j):
                continue
            together = events.item[i] == events.item[j] and events.item[i] >= 0
            others = events.options[events.item[j]] if events.item[j] >= 0 else 1
            if model.stand[name, 3] != 0:
                ones, others = min(ones, 1), min(others, 1)  # annotations do not matter
            holds = 0
            count = 0
            for k in range(ones):
                for l in range(others):
                    if not together or k == l or i == j:
                        if i == j and k != l:
                            continue
                        count += 1
                        holds += truth(model, events, name, side, i, j, k, l)
            if holds == count:
                least |= bit(j)
            if holds > 0:
                most |= bit(j)
        M[d, i] = least
        Y[d, i] = most
