"""The model's relations brought up to date with an execution that has grown: only rows that may be others are computed.

Relations stand in their registers the other way round: the row of an event has those that come before it. An event that
is added last is before nothing, so that few rows change but its own. What an operation changes is told by masks of rows
(``Grown.touched``), from which the next ones see which of their rows may be others. Rows that change are put on a log
(``log``).

Closures and fixpoints go on from what they were, as what they are made of only gains pairs (``grown_code.py`` sees to
that).
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inlined, inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.log import forget_touched, put_row, put_set, put_word
from enumerator.search.kernels.relations import ONE, ZERO, has_bit, run, set_bit, set_operation
from enumerator.search.kernels.words import leading_zeros, trailing_zeros


@inlined
def is_touched(masks, k, w):
    """Tell whether any row of a register, or any member of a set, may be another."""
    found = ZERO
    for v in range(w):
        found |= masks[k, v]
    return found != ZERO


@inner
def meet(a, b, w):
    """Tell whether two masks have an event in common."""
    found = ZERO
    for v in range(w):
        found |= a[v] & b[v]
    return found != ZERO


@inlined
def add_meeting(rows, relation, mask, n, w, grown):
    """Add the events whose rows have an event of a mask that was there before.

    Rows that have one that is new have gained it, so that they are touched.
    """
    old, left = grown.old, ZERO
    for v in range(w):
        old[v] = mask[v] & ~grown.touched_sets[op.GROW_PRESENT, v]
        left |= old[v]
    if left == ZERO:
        return
    for i in range(n):
        for v in range(w):
            if relation[i, v] & old[v] != ZERO:
                set_bit(rows, i)
                break


@inlined
def affected(what, a, b, n, w, work, grown):
    """Find the rows of an operation's result that may be others, into ``grown.rows``; tell whether there are any."""
    rows, touched, touched_sets = grown.rows, grown.touched, grown.touched_sets
    if what == op.R_FROM or what == op.R_TO:
        first, second = is_touched(touched_sets, a, w), is_touched(touched, b, w)
    elif what == op.R_CROSS:
        first, second = is_touched(touched_sets, a, w), is_touched(touched_sets, b, w)
    elif what == op.R_IDENTITY:
        first, second = is_touched(touched_sets, a, w), False
    elif what == op.R_COPY or what == op.R_PLUS or what == op.R_INVERSE:
        first, second = is_touched(touched, a, w), False
    else:
        first, second = is_touched(touched, a, w), is_touched(touched, b, w)
    if not first and not second:
        return False
    for v in range(w):
        if what == op.R_FROM:
            rows[v] = touched_sets[a, v] | touched[b, v]
        elif what == op.R_TO:
            rows[v] = touched[b, v]
        elif what == op.R_CROSS:
            rows[v] = touched_sets[a, v] | (work.S[a, v] if second else ZERO)
        elif what == op.R_IDENTITY:
            rows[v] = touched_sets[a, v]
        elif what == op.R_OR or what == op.R_AND or what == op.R_MINUS:
            rows[v] = touched[a, v] | touched[b, v]
        else:
            rows[v] = touched[a, v]
    if what == op.R_SEQ and second:
        add_meeting(rows, work.R[a], touched[b], n, w, grown)
    elif what == op.R_TO and first:
        add_meeting(rows, work.R[b], touched_sets[a], n, w, grown)
    return True


@inlined
def compose(i, d, a, b, w, row, work):
    """Compute an event's row of a composition, from the rows of events before it as far as these go the same way.

    Rows are computed in order, so that the one of an earlier event is up to date.
    """
    R, left = work.R, work.alive
    for v in range(w):
        row[v], left[v] = ZERO, R[a, i, v]
    for u in range(w - 1, -1, -1):
        while left[u] != ZERO:
            j = (u << 6) + 63 - leading_zeros(left[u])
            left[u] &= ~(ONE << uint64(j & 63))
            others = ZERO
            for v in range(w):
                row[v] |= R[b, j, v]
                others |= R[a, j, v] & ~R[a, i, v]
            if j < i and others == ZERO:
                for v in range(w):
                    row[v] |= R[d, j, v]
                    left[v] &= ~R[a, j, v]


@inlined
def compute_row(what, i, d, a, b, w, row, work):
    """Compute an event's row of the result of an operation."""
    R, S = work.R, work.S
    if what == op.R_OR:
        for v in range(w):
            row[v] = R[a, i, v] | R[b, i, v]
    elif what == op.R_AND:
        for v in range(w):
            row[v] = R[a, i, v] & R[b, i, v]
    elif what == op.R_MINUS:
        for v in range(w):
            row[v] = R[a, i, v] & ~R[b, i, v]
    elif what == op.R_SEQ:
        compose(i, d, a, b, w, row, work)
    elif what == op.R_FROM:
        for v in range(w):
            row[v] = R[b, i, v] if has_bit(S[a], i) else ZERO
    elif what == op.R_TO:
        for v in range(w):
            row[v] = R[b, i, v] & S[a, v]
    elif what == op.R_CROSS:
        for v in range(w):
            row[v] = S[b, v] if has_bit(S[a], i) else ZERO
    elif what == op.R_IDENTITY:
        for v in range(w):
            row[v] = ZERO
        if has_bit(S[a], i):
            set_bit(row, i)
    else:  # copy
        for v in range(w):
            row[v] = R[a, i, v]


@inlined
def invert(d, a, n, w, row, work, grown):
    """Bring an inverse up to date, of a relation some of whose rows may be others."""
    R = work.R
    for j in range(n):
        for v in range(w):
            row[v] = R[d, j, v]
        for v in range(w):
            word = grown.rows[v]
            while word != ZERO:
                i = (v << 6) + trailing_zeros(word)
                row[v] &= ~(word & (ZERO - word))
                if has_bit(R[a, i], j):
                    row[v] |= word & (ZERO - word)
                word &= word - ONE
        put_row(d, j, row, w, work, grown)


@inlined
def reach(i, d, a, w, row, work, grown):
    """Compute an event's row of a closure: of what is next to it, with what that one reaches, the last one first.

    What has been next to it before, and reaches what it reached then, adds nothing.
    """
    R, left = work.R, work.alive
    for v in range(w):
        row[v] = R[d, i, v] | R[a, i, v]
        left[v] = R[a, i, v] & (grown.touched[d, v] | ~R[d, i, v])
    for u in range(w - 1, -1, -1):
        while left[u] != ZERO:
            j = (u << 6) + 63 - leading_zeros(left[u])
            left[u] &= ~(ONE << uint64(j & 63))
            for v in range(w):
                row[v] |= R[d, j, v]
                left[v] &= ~R[d, j, v]


@inlined
def add_next(rows, a, new, n, w, work, grown):
    """Give the events that come after one whose row of a closure has changed, in the relation that is closed."""
    for v in range(w):
        rows[v] = ZERO
    for u in range(w):
        word = grown.touched[a, u]
        while word != ZERO:
            i = (u << 6) + trailing_zeros(word)
            word &= word - ONE
            if meet(work.R[a, i], new, w):
                set_bit(rows, i)
    add_meeting(rows, work.R[a], new, n, w, grown)


@inlined
def close_on(d, a, n, w, row, work, grown):
    """Bring a closure up to date, of a relation that has gained pairs."""
    rows, new = grown.rows, grown.new
    more = True
    while more:
        more = False
        for v in range(w):
            new[v] = ZERO
        for u in range(w):
            word = rows[u]
            while word != ZERO:
                i = (u << 6) + trailing_zeros(word)
                word &= word - ONE
                reach(i, d, a, w, row, work, grown)
                if put_row(d, i, row, w, work, grown):
                    set_bit(new, i)
                    more = True
        if more:
            add_next(rows, a, new, n, w, work, grown)


@inlined
def update_relation(what, d, a, b, n, w, again, work, grown):
    """Bring the result of an operation up to date; `again`: in a loop, after the first time."""
    if not again:
        for v in range(w):
            grown.touched[d, v] = ZERO
    if what == op.R_EMPTY or not affected(what, a, b, n, w, work, grown):
        return
    row = grown.row
    if what == op.R_PLUS:
        close_on(d, a, n, w, row, work, grown)
    elif what == op.R_INVERSE:
        invert(d, a, n, w, row, work, grown)
    else:
        for u in range(w):
            word = grown.rows[u]
            while word != ZERO:
                i = (u << 6) + trailing_zeros(word)
                word &= word - ONE
                compute_row(what, i, d, a, b, w, row, work)
                put_row(d, i, row, w, work, grown)


@inner
def meeting_word(row, mask, n, grown):
    """Give the events whose rows have an event of a mask, of at most 64, that was there before; see `add_meeting`."""
    found = ZERO
    mask &= ~grown.touched_sets[op.GROW_PRESENT, 0]
    if mask == ZERO:
        return found
    for i in range(n):
        found |= (ONE if row[i] & mask != ZERO else ZERO) << uint64(i)
    return found


@inner
def affected_narrow(what, a, b, n, work, grown):
    """Give the rows of an operation's result that may be others, of at most 64 events."""
    touched, touched_sets, S, flat = grown.touched, grown.touched_sets, work.S, work.flat
    if what == op.R_OR or what == op.R_AND or what == op.R_MINUS:
        return touched[a, 0] | touched[b, 0]
    if what == op.R_SEQ:
        if touched[b, 0] == ZERO:
            return touched[a, 0]
        return touched[a, 0] | meeting_word(flat[a], touched[b, 0], n, grown)
    if what == op.R_FROM:
        return touched_sets[a, 0] | touched[b, 0]
    if what == op.R_TO:
        if touched_sets[a, 0] == ZERO:
            return touched[b, 0]
        return touched[b, 0] | meeting_word(flat[b], touched_sets[a, 0], n, grown)
    if what == op.R_CROSS:
        return touched_sets[a, 0] | (S[a, 0] if touched_sets[b, 0] != ZERO else ZERO)
    if what == op.R_IDENTITY:
        return touched_sets[a, 0]
    return touched[a, 0]


@inner
def invert_narrow(d, a, n, rows, work, grown):
    """Bring an inverse of at most 64 events up to date; see :func:`invert`."""
    flat = work.flat
    for j in range(n):
        word, left = flat[d, j] & ~rows, rows
        while left != ZERO:
            i = trailing_zeros(left)
            left &= left - ONE
            word |= ((flat[a, i] >> uint64(j)) & ONE) << uint64(i)
        put_word(d, j, word, work, grown)


@inner
def close_on_narrow(d, a, n, rows, work, grown):
    """Bring a closure of at most 64 events up to date; see :func:`close_on`."""
    A, D = work.flat[a], work.flat[d]
    while rows != ZERO:
        new = ZERO
        while rows != ZERO:
            i = trailing_zeros(rows)
            rows &= rows - ONE
            word, left = D[i] | A[i], A[i] & (grown.touched[d, 0] | ~D[i])
            while left != ZERO:
                j = uint64(63 - leading_zeros(left))
                reached = D[j]
                left &= ~(reached | (ONE << j))
                word |= reached
            if put_word(d, i, word, work, grown):
                new |= ONE << uint64(i)
        if new != ZERO:
            rows = meeting_word(A, new, n, grown)
            left = grown.touched[a, 0]
            while left != ZERO:
                i = trailing_zeros(left)
                if A[i] & new != ZERO:
                    rows |= left & (ZERO - left)
                left &= left - ONE


@inner
def update_narrow(what, d, a, b, n, again, work, grown):
    """Bring a relation of at most 64 events up to date: as :func:`update_relation`, by words."""
    if not again:
        grown.touched[d, 0] = ZERO
    if what == op.R_EMPTY:
        return
    rows = affected_narrow(what, a, b, n, work, grown)
    if rows == ZERO:
        return
    if what == op.R_PLUS:
        close_on_narrow(d, a, n, rows, work, grown)
        return
    if what == op.R_INVERSE:
        invert_narrow(d, a, n, rows, work, grown)
        return
    A, B, D, S = work.flat[a], work.flat[b], work.flat[d], work.S
    while rows != ZERO:
        i = trailing_zeros(rows)
        rows &= rows - ONE
        word = ZERO
        if what == op.R_OR:
            word = A[i] | B[i]
        elif what == op.R_AND:
            word = A[i] & B[i]
        elif what == op.R_MINUS:
            word = A[i] & ~B[i]
        elif what == op.R_SEQ:
            left = A[i]
            while left != ZERO:
                j = uint64(63 - leading_zeros(left))
                left &= ~(ONE << j)
                word |= B[j]
                if j < uint64(i) and A[j] & ~A[i] == ZERO:
                    word |= D[j]
                    left &= ~A[j]
        elif what == op.R_TO:
            word = B[i] & S[a, 0]
        elif what == op.R_IDENTITY:
            word = S[a, 0] & (ONE << uint64(i))
        elif what == op.R_COPY:
            word = A[i]
        elif (S[a, 0] >> uint64(i)) & ONE != ZERO:
            word = B[i] if what == op.R_FROM else S[b, 0]
        put_word(d, i, word, work, grown)


@inner
def update_set(what, d, a, b, n, w, again, work, grown):
    """Bring a set up to date; `again`: in a loop, after the first time."""
    if not again:
        for v in range(w):
            grown.touched_sets[d, v] = ZERO
    if what == op.S_EMPTY or ((what == op.S_DOMAIN or what == op.S_RANGE) and not is_touched(grown.touched, a, w)):
        return
    for v in range(grown.row.shape[0]):
        grown.row[v] = work.S[d, v]
    set_operation(what, work.R, work.S, d, a, b, n, w)
    put_set(d, grown.row, work, grown)


@inner
def still_apart(a, b, w, work, grown):
    """Tell whether no pair of one relation is, the other way round, in another one; only rows touched are looked at."""
    R = work.R
    for k in range(2):
        x, y = (a, b) if k == 0 else (b, a)
        for u in range(w):
            word = grown.touched[x, u]
            while word != ZERO:
                i = (u << 6) + trailing_zeros(word)
                word &= word - ONE
                for v in range(w):
                    others = R[x, i, v]
                    while others != ZERO:
                        if has_bit(R[y, (v << 6) + trailing_zeros(others)], i):
                            return False
                        others &= others - ONE
    return True


@inner
def still_acyclic(relation, touched, w, grown):
    """Tell whether a relation has no cycle that contains a row touched: it lies in what comes before these rows."""
    reached, left = grown.rows, grown.new
    for v in range(w):
        reached[v], left[v] = ZERO, touched[v]
    for u in range(w):
        while left[u] != ZERO:
            i = (u << 6) + trailing_zeros(left[u])
            left[u] &= left[u] - ONE
            for v in range(w):
                reached[v] |= relation[i, v]
    for v in range(w):
        left[v] = reached[v]
    more = True
    while more:
        more = False
        for u in range(w):
            while left[u] != ZERO:
                i = (u << 6) + trailing_zeros(left[u])
                left[u] &= left[u] - ONE
                for v in range(w):
                    found = relation[i, v] & ~reached[v]
                    reached[v] |= found
                    left[v] |= found
                    more |= v < u and found != ZERO
    while meet(reached, touched, w):
        again = False
        for u in range(w):
            word = reached[u]
            while word != ZERO:
                i = (u << 6) + trailing_zeros(word)
                word &= word - ONE
                met = ZERO
                for v in range(w):
                    met |= relation[i, v] & reached[v]
                if met == ZERO:
                    reached[u] &= ~(ONE << uint64(i & 63))
                    again = True
        if not again:
            return False
    return True


@inner
def still_holds(what, d, a, n, w, work, grown):
    """Tell whether an axiom holds that held before; only rows touched are looked at."""
    R, touched = work.R, grown.touched
    if what == op.CHECK_APART:
        return still_apart(d, a, w, work, grown)
    if what == op.CHECK_EMPTY_SET:
        for v in range(w):
            if work.S[d, v] != ZERO:
                return False
        return True
    if not is_touched(touched, d, w):
        return True
    if what == op.CHECK_ACYCLIC:
        return still_acyclic(R[d], touched[d], w, grown)
    for u in range(w):
        word = touched[d, u]
        while word != ZERO:
            i = (u << 6) + trailing_zeros(word)
            word &= word - ONE
            if what == op.CHECK_IRREFLEXIVE:
                if has_bit(R[d, i], i):
                    return False
            else:
                for v in range(w):
                    if R[d, i, v] != ZERO:
                        return False
    return True


@inner
def touch_constants(prog, n, w, work, grown):
    """Compute the sets that do not change for an event that is there, and note for which events they are new."""
    begin, end = prog.sections[op.GROW_SETS], prog.sections[op.GROW_AXIOMS]
    run(prog.code, begin, end, work.R, work.flat, work.S, work.alive, n, w, work.flags)
    for pc in range(begin, end):
        d = prog.code[pc, 1]
        for v in range(grown.touched.shape[1]):  # also words beyond the events: there may have been more before
            if prog.code[pc, 0] < op.S_OR:
                grown.touched[d, v] = grown.touched_sets[op.GROW_PRESENT, v]
            else:
                grown.touched_sets[d, v] = grown.touched_sets[op.GROW_PRESENT, v]


@inner
def is_put_off(grown):
    """Tell whether the axioms of the late section are tested at the end only.

    That they are is decided once none of them has failed for long. Their relations are then computed as a whole, so
    that it makes no difference what has been brought up to date of them.
    """
    at = grown.at
    if at[op.X_LATE] == op.LATE_NOT:
        at[op.X_UPDATES] += 1
        if at[op.X_UPDATES] > op.UPDATES_BEFORE_LATE and at[op.X_LATE_FAILS] == 0:
            at[op.X_LATE] = op.LATE_NOW
    return at[op.X_LATE] == op.LATE_NOW


@njit
def update(prog, work, grown):
    """Bring the model's relations up to date with the execution; tell whether no axiom that is tested meanwhile fails.

    Where one fails, what comes after it is as it was before, and so is what counts as touched: the execution has to
    shrink then.
    """
    n = work.st[op.EVENTS]
    w = (n + 63) >> 6
    code = prog.code
    touch_constants(prog, n, w, work, grown)
    pc, late, end = int(prog.sections[op.GROW_AXIOMS]), prog.sections[op.GROW_LATE], prog.sections[op.GROW_CLOSED]
    if is_put_off(grown):
        end = late
    work.st[op.WORK] += (end - prog.sections[op.GROW_SETS]) * 8 * w
    again, changed, narrow = False, False, work.R.shape[2] == 1
    while pc < end:
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        pc += 1
        if what < op.S_OR and narrow:
            update_narrow(what, d, a, b, n, again, work, grown)
        elif what < op.S_OR and work.R.shape[2] == 2:  # the number of words is known to the compiler
            update_relation(what, d, a, b, n, 2, again, work, grown)
        elif what < op.S_OR:
            update_relation(what, d, a, b, n, w, again, work, grown)
        elif what < op.FIX_BEGIN:
            update_set(what, d, a, b, n, w, again, work, grown)
        elif what >= op.CHECK_ACYCLIC:
            if not still_holds(what, d, a, n, w, work, grown):
                grown.at[op.X_LATE_FAILS] += pc > late
                return False
        elif what == op.FIX_BEGIN:
            again, changed = False, False
        elif what == op.FIX_RELATION:
            for u in range(w):
                word = grown.touched[a, u]
                while word != ZERO:
                    i = (u << 6) + trailing_zeros(word)
                    word &= word - ONE
                    if put_row(d, i, work.R[a, i], w, work, grown):
                        changed = True
        elif what == op.FIX_SET:
            for v in range(w):
                changed = changed or work.S[d, v] != work.S[a, v]
            for v in range(grown.row.shape[0]):
                grown.row[v] = work.S[d, v]
                work.S[d, v] = work.S[a, v]
            put_set(d, grown.row, work, grown)
        else:
            again = changed
            if changed:
                changed = False
                pc = d
    forget_touched(prog, grown)
    return True
