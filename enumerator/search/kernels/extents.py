"""The machine that computes what must and what may be in the values of a model (:mod:`enumerator.search.undef`)."""

from __future__ import annotations

from numba import int64, uint64

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ONE, ZERO, narrow_operation, relation_operation, set_operation
from enumerator.search.kernels.words import bit_count

OF_LEFT, OF_RIGHT, FIRST_LEFT, FIRST_RIGHT, TABLE = range(5)  # rows of `numbers`
MIXED = uint64(0x9E3779B97F4A7C15)  # to hash with, as in SplitMix64
SHIFT = uint64(29)


@njit
def run_extents(code, R, flat, S, alive, changed, numbers, masks, n):
    """Run a program whose loops may be inside each other: `changed` says of each that is open whether to go round.

    `numbers` and `masks` are room for numbering the rows of relations.
    """
    pc, w = 0, R.shape[2]
    while pc < code.shape[0]:
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        pc += 1
        if what < op.S_OR:
            if w == 1:
                narrow_operation(what, flat, S, d, a, b, n)
            elif what != op.R_SEQ or not follow_alike(R[a], R[b], R[d], numbers, masks, n):
                relation_operation(what, R, flat, S, alive, d, a, b, n, w)
        elif what < op.FIX_BEGIN:
            set_operation(what, R, S, d, a, b, n, w)
        elif what == op.FIX_BEGIN:
            changed[b + 1] = 0
        elif what == op.FIX_RELATION:
            for i in range(n):
                for v in range(w):
                    if R[d, i, v] != R[a, i, v]:
                        R[d, i, v] = R[a, i, v]
                        changed[b] = 1
        elif what == op.FIX_SET:
            for v in range(w):
                if S[d, v] != S[a, v]:
                    S[d, v] = S[a, v]
                    changed[b] = 1
        elif changed[b + 1] != 0:
            changed[b + 1] = 0
            pc = d


@inner
def follow_alike(A, B, D, numbers, masks, n):
    """Compose two relations by their distinct rows, where that takes fewer steps: tell whether it does.

    Groups of events of one thread mostly have the same rows, at whatever location they are.
    """
    left = number_rows(A, numbers, OF_LEFT, FIRST_LEFT, n)
    right = number_rows(B, numbers, OF_RIGHT, FIRST_RIGHT, n)
    pairs = 0
    for i in range(n):
        for v in range(A.shape[1]):
            pairs += bit_count(A[i, v])
    if 2 * left * right > pairs:
        return False
    for c in range(right):
        for v in range(A.shape[1]):
            masks[c, v] = ZERO
    for j in range(n):
        masks[numbers[OF_RIGHT, j], j >> 6] |= ONE << uint64(j & 63)
    for i in range(n):
        first = numbers[FIRST_LEFT, numbers[OF_LEFT, i]]
        if first < i:
            for v in range(A.shape[1]):
                D[i, v] = D[first, v]
            continue
        for v in range(A.shape[1]):
            D[i, v] = ZERO
        for c in range(right):
            if meet(A[i], masks[c]):
                for v in range(A.shape[1]):
                    D[i, v] |= B[numbers[FIRST_RIGHT, c], v]
    return True


@inner
def number_rows(M, numbers, of, first, n):
    """Number the distinct rows of a relation in order: of each row which it is, of each of these the first; count."""
    count, last = 0, numbers.shape[1] - 1
    for k in range(last + 1):
        numbers[TABLE, k] = -1
    for i in range(n):
        mixed = ZERO
        for v in range(M.shape[1]):
            mixed = (mixed ^ M[i, v]) * MIXED
            mixed = mixed ^ (mixed >> SHIFT)
        place = int64(mixed >> SHIFT) & last
        while numbers[TABLE, place] >= 0 and not equal(M[numbers[first, numbers[TABLE, place]]], M[i]):
            place = (place + 1) & last
        if numbers[TABLE, place] < 0:
            numbers[TABLE, place], numbers[first, count] = count, i
            count += 1
        numbers[of, i] = numbers[TABLE, place]
    return count


@inner
def equal(row, other):
    """Tell whether two rows are equal."""
    for v in range(row.shape[0]):
        if row[v] != other[v]:
            return False
    return True


@inner
def meet(row, other):
    """Tell whether two rows have an event in common."""
    for v in range(row.shape[0]):
        if row[v] & other[v] != ZERO:
            return True
    return False
