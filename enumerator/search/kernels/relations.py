"""Relations and sets as bits, and the machine that runs bytecode over them."""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.words import trailing_zeros

ONE = uint64(1)
ZERO = uint64(0)


@inner
def has_bit(row, j):
    """Tell whether bit j of a row of words is set."""
    return (row[j >> 6] >> uint64(j & 63)) & ONE != ZERO


@njit
def set_bit(row, j):
    """Set bit j of a row of words."""
    row[j >> 6] |= ONE << uint64(j & 63)


@inner
def clear_bit(row, j):
    """Clear bit j of a row of words."""
    row[j >> 6] &= ~(ONE << uint64(j & 63))


@inner
def close(rows, alive, n, w):
    """Replace a relation by its transitive closure.

    An event's row takes in those of its successors, the lowest one first; what that one reaches is left out. Program
    order goes up, so that one round does most of it, from the last event on. Where there is a cycle, what is left out
    may be missing, but then some event reaches itself: only there are all pairs gone through.
    """
    changed = True
    while changed:
        changed = False
        for i in range(n - 1, -1, -1):
            for v in range(w):
                alive[v] = rows[i, v]
            for u in range(w):
                while alive[u] != ZERO:
                    j = (u << 6) + trailing_zeros(alive[u])
                    alive[u] &= alive[u] - ONE
                    for v in range(w):
                        reached = rows[j, v]
                        alive[v] &= ~reached
                        more = reached & ~rows[i, v]
                        if more != ZERO:
                            rows[i, v] |= more
                            changed = True
    cyclic = False
    for i in range(n):
        cyclic = cyclic or has_bit(rows[i], i)
    if cyclic:
        for k in range(n):
            for i in range(n):
                if has_bit(rows[i], k):
                    for v in range(w):
                        rows[i, v] |= rows[k, v]


@inner
def acyclic(rows, alive, n, w):
    """Tell whether a relation has no cycle: take away events without successors until none is left."""
    for v in range(w):
        alive[v] = ZERO
    for i in range(n):
        set_bit(alive, i)
    left = n
    while left > 0:
        before = left
        for i in range(n - 1, -1, -1):
            if has_bit(alive, i):
                blocked = False
                for v in range(w):
                    if rows[i, v] & alive[v] != ZERO:
                        blocked = True
                        break
                if not blocked:
                    clear_bit(alive, i)
                    left -= 1
        if left == before:
            return False
    return True


@njit
def relation_operation(code, R, flat, S, alive, d, a, b, n, w):
    """Run one operation whose result is a relation.

    `flat` is `R` with all words of a relation in one row: loops over these become wide instructions. `alive` is room
    for a set.
    """
    D = R[d]
    words = n * R.shape[2]
    if code == op.R_OR:
        for k in range(words):
            flat[d, k] = flat[a, k] | flat[b, k]
    elif code == op.R_AND:
        for k in range(words):
            flat[d, k] = flat[a, k] & flat[b, k]
    elif code == op.R_MINUS:
        for k in range(words):
            flat[d, k] = flat[a, k] & ~flat[b, k]
    elif code == op.R_SEQ:
        for i in range(n):
            for v in range(w):
                found = ZERO
                for u in range(w):
                    word = R[a, i, u]
                    while word != ZERO:
                        found |= R[b, (u << 6) + trailing_zeros(word), v]
                        word &= word - ONE
                D[i, v] = found
    elif code == op.R_INVERSE:
        for k in range(words):
            flat[d, k] = ZERO
        for i in range(n):
            for u in range(w):
                word = R[a, i, u]
                while word != ZERO:
                    set_bit(D[(u << 6) + trailing_zeros(word)], i)
                    word &= word - ONE
    elif code == op.R_FROM:
        for i in range(n):
            if has_bit(S[a], i):
                for v in range(w):
                    D[i, v] = R[b, i, v]
            else:
                for v in range(w):
                    D[i, v] = ZERO
    elif code == op.R_TO:
        for i in range(n):
            for v in range(w):
                D[i, v] = R[b, i, v] & S[a, v]
    elif code == op.R_CROSS:
        for i in range(n):
            if has_bit(S[a], i):
                for v in range(w):
                    D[i, v] = S[b, v]
            else:
                for v in range(w):
                    D[i, v] = ZERO
    elif code == op.R_IDENTITY:
        for k in range(words):
            flat[d, k] = ZERO
        for i in range(n):
            if has_bit(S[a], i):
                set_bit(D[i], i)
    elif code == op.R_NOT:
        for k in range(words):
            flat[d, k] = ~flat[a, k]
        mask_tail(D, n, w)
    elif code == op.R_FULL:
        for k in range(words):
            flat[d, k] = ~ZERO
        mask_tail(D, n, w)
    elif code == op.R_EMPTY:
        for k in range(words):
            flat[d, k] = ZERO
    elif code == op.R_MINUS_INVERSE:
        for i in range(n):
            for v in range(w):
                word = left = R[a, i, v]
                while left != ZERO:
                    if has_bit(R[b, (v << 6) + trailing_zeros(left)], i):
                        word &= ~(left & (ZERO - left))
                    left &= left - ONE
                D[i, v] = word
    else:  # copy, and the closures
        for k in range(words):
            flat[d, k] = flat[a, k]
        if code == op.R_PLUS or code == op.R_STAR:
            close(D, alive, n, w)
        if code == op.R_OPTION or code == op.R_STAR:
            for i in range(n):
                set_bit(D[i], i)


@inner
def close_narrow(row, n):
    """Replace a relation of at most 64 events, a word each, by its transitive closure; see :func:`close`."""
    changed = True
    while changed:
        changed = False
        for i in range(n - 1, -1, -1):
            mine = row[i]
            left = mine
            while left != ZERO:
                reached = row[trailing_zeros(left)]
                left &= left - ONE
                left &= ~reached
                mine |= reached
            if mine != row[i]:
                row[i] = mine
                changed = True
    for i in range(n):
        if (row[i] >> uint64(i)) & ONE != ZERO:
            for k in range(n):
                for j in range(n):
                    if (row[j] >> uint64(k)) & ONE != ZERO:
                        row[j] |= row[k]
            return


@inner
def acyclic_narrow(row, n):
    """Tell whether a relation of at most 64 events has no cycle; see :func:`acyclic`."""
    alive = ~ZERO if n == 64 else (ONE << uint64(n)) - ONE
    while alive != ZERO:
        before = alive
        left = alive
        while left != ZERO:
            i = trailing_zeros(left)
            left &= left - ONE
            if row[i] & alive == ZERO:
                alive &= ~(ONE << uint64(i))
        if alive == before:
            return False
    return True


@njit
def narrow_operation(code, flat, S, d, a, b, n):
    """Run one operation whose result is a relation of at most 64 events: as :func:`relation_operation`, by words."""
    D, every = flat[d], ~ZERO if n == 64 else (ONE << uint64(n)) - ONE
    if code == op.R_OR:
        A, B = flat[a], flat[b]
        for k in range(n):
            D[k] = A[k] | B[k]
    elif code == op.R_AND:
        A, B = flat[a], flat[b]
        for k in range(n):
            D[k] = A[k] & B[k]
    elif code == op.R_MINUS:
        A, B = flat[a], flat[b]
        for k in range(n):
            D[k] = A[k] & ~B[k]
    elif code == op.R_SEQ:
        A, B = flat[a], flat[b]
        for i in range(n):
            found = ZERO
            word = A[i]
            while word != ZERO:
                found |= B[trailing_zeros(word)]
                word &= word - ONE
            D[i] = found
    elif code == op.R_INVERSE:
        A = flat[a]
        for k in range(n):
            D[k] = ZERO
        for i in range(n):
            word = A[i]
            while word != ZERO:
                D[trailing_zeros(word)] |= ONE << uint64(i)
                word &= word - ONE
    elif code == op.R_FROM:
        members, B = S[a, 0], flat[b]
        for i in range(n):
            D[i] = B[i] if (members >> uint64(i)) & ONE != ZERO else ZERO
    elif code == op.R_TO:
        members, B = S[a, 0], flat[b]
        for i in range(n):
            D[i] = B[i] & members
    elif code == op.R_CROSS:
        members, other = S[a, 0], S[b, 0]
        for i in range(n):
            D[i] = other if (members >> uint64(i)) & ONE != ZERO else ZERO
    elif code == op.R_IDENTITY:
        members = S[a, 0]
        for i in range(n):
            D[i] = members & (ONE << uint64(i))
    elif code == op.R_NOT:
        A = flat[a]
        for k in range(n):
            D[k] = ~A[k] & every
    elif code == op.R_FULL:
        for k in range(n):
            D[k] = every
    elif code == op.R_EMPTY:
        for k in range(n):
            D[k] = ZERO
    elif code == op.R_MINUS_INVERSE:
        A, B = flat[a], flat[b]
        for i in range(n):
            word = left = A[i]
            while left != ZERO:
                if (B[trailing_zeros(left)] >> uint64(i)) & ONE != ZERO:
                    word &= ~(left & (ZERO - left))
                left &= left - ONE
            D[i] = word
    else:  # copy, and the closures
        A = flat[a]
        for k in range(n):
            D[k] = A[k]
        if code == op.R_PLUS or code == op.R_STAR:
            close_narrow(D, n)
        if code == op.R_OPTION or code == op.R_STAR:
            for i in range(n):
                D[i] |= ONE << uint64(i)


@inner
def mask_tail(D, n, w):
    """Clear the bits beyond the last event."""
    for i in range(n):
        for v in range(w):
            used = n - (v << 6)
            if used <= 0:
                D[i, v] = ZERO
            elif used < 64:
                D[i, v] &= (ONE << uint64(used)) - ONE


@njit
def set_operation(code, R, S, d, a, b, n, w):
    """Run one operation whose result is a set."""
    D = S[d]
    if code == op.S_OR:
        for v in range(w):
            D[v] = S[a, v] | S[b, v]
    elif code == op.S_AND:
        for v in range(w):
            D[v] = S[a, v] & S[b, v]
    elif code == op.S_MINUS:
        for v in range(w):
            D[v] = S[a, v] & ~S[b, v]
    elif code == op.S_COPY:
        for v in range(w):
            D[v] = S[a, v]
    elif code == op.S_DOMAIN:
        for v in range(w):
            D[v] = ZERO
        for i in range(n):
            for v in range(w):
                if R[a, i, v] != ZERO:
                    set_bit(D, i)
                    break
    elif code == op.S_RANGE:
        for v in range(w):
            D[v] = ZERO
        for i in range(n):
            for v in range(w):
                D[v] |= R[a, i, v]
    else:  # everything, nothing, complement
        for v in range(w):
            word = ZERO
            if code == op.S_NOT:
                word = ~S[a, v]
            elif code == op.S_FULL:
                word = ~ZERO
            used = n - (v << 6)
            if used <= 0:
                word = ZERO
            elif used < 64:
                word &= (ONE << uint64(used)) - ONE
            D[v] = word


@njit
def holds(test, R, S, a, negated, alive, n, w):
    """Evaluate a test: 0 acyclic, 1 irreflexive, 2 empty relation, 3 empty set."""
    result = True
    if test == 0 and R.shape[2] == 1:
        result = acyclic_narrow(R[a, :, 0], n)
    elif test == 0:
        result = acyclic(R[a], alive, n, w)
    elif test == 1:
        for i in range(n):
            if has_bit(R[a, i], i):
                result = False
                break
    elif test == 2:
        for i in range(n):
            for v in range(w):
                if R[a, i, v] != ZERO:
                    result = False
    else:
        for v in range(w):
            if S[a, v] != ZERO:
                result = False
    return result != (negated != 0)


@inner
def apart(R, a, b, n, w):
    """Tell whether no pair of one relation is, the other way round, in another one, which has fewer pairs."""
    for i in range(n):
        for v in range(w):
            word = R[b, i, v]
            while word != ZERO:
                if has_bit(R[a, (v << 6) + trailing_zeros(word)], i):
                    return False
                word &= word - ONE
    return True


@njit
def run(code, begin, end, R, flat, S, alive, n, w, flags):
    """Run instructions; stop with False at the first axiom that fails. Flags that are raised are added to flags[0]."""
    pc = begin
    changed = False
    while pc < end:
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        pc += 1
        if what < 20:
            if R.shape[2] == 1:
                narrow_operation(what, flat, S, d, a, b, n)
            else:
                relation_operation(what, R, flat, S, alive, d, a, b, n, w)
        elif what < 30:
            set_operation(what, R, S, d, a, b, n, w)
        elif what < 40:
            if what == op.FIX_BEGIN:
                changed = False
            elif what == op.FIX_RELATION:
                for i in range(n):
                    for v in range(w):
                        if R[d, i, v] != R[a, i, v]:
                            R[d, i, v] = R[a, i, v]
                            changed = True
            elif what == op.FIX_SET:
                for v in range(w):
                    if S[d, v] != S[a, v]:
                        S[d, v] = S[a, v]
                        changed = True
            elif changed:
                changed = False
                pc = d
        elif what == op.CHECK_APART:
            if not apart(R, d, a, n, w):
                return False
        elif what < 50:
            if not holds(what - op.CHECK_ACYCLIC, R, S, d, a, alive, n, w):
                return False
        elif holds(what - op.FLAG_ACYCLIC, R, S, d, a, alive, n, w):
            flags[0] |= ONE << uint64(b)
    return True


@njit
def passes(first, last, prog, work):
    """Compute the sections from `first` to before `last` of the model's program; tell whether no axiom fails."""
    n = work.st[op.EVENTS]
    sections, w = prog.sections, (n + 63) >> 6
    work.st[op.WORK] += 4 * (sections[last] - sections[first]) * n * w
    return run(prog.code, sections[first], sections[last], work.R, work.flat, work.S, work.alive, n, w, work.flags)
