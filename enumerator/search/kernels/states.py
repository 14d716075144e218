"""States of the interleaving search: rows of words, the table of those met before, and the values in them."""

from __future__ import annotations

from numba import int64, uint32, uint64

from enumerator.jit.decorators import njit
from enumerator.search.kernels.values import probe
from enumerator.search.opcodes import (
    I_STACK,
    I_STATES,
    UNKNOWN_ID,
    V_COPY,
    V_FUNCTION,
    V_KNOWN,
)
from enumerator.search.places import (
    C_FIRST,
    C_FUNCTION,
    E_KIND,
    E_LOC,
    E_VDATA,
    E_VKIND,
    F_FIRST,
    F_READS,
    LOCATIONS,
    MOST,
    N_EVENT,
    N_LENGTH,
    N_NEEDS,
    N_READS,
    NAMES,
    OBSERVED,
    SLOT_COUNT,
    SLOTS,
    THREADS,
    W_DONE,
    W_MEM,
    W_NEED,
    W_NODE,
    W_RETURNED,
    W_SEEN,
    W_SNAP,
    W_VAL,
    WORDS,
)

__all__ = ["call", "find_row", "has", "index_rows", "lowest_missing", "push", "unpack", "value_of"]


@njit
def row_hash(row, width):
    """Hash a row of words."""
    h = uint64(0xCBF29CE484222325)
    for k in range(width):
        h = (h ^ uint64(row[k])) * uint64(0x9E3779B97F4A7C15)
        h ^= h >> uint64(29)
    return int64(h >> uint64(1))


@njit
def find_row(rows, index, number):
    """Find the slot of a row in the open hash table `index`, or the free slot where it belongs."""
    width = rows.shape[1]
    mask = index.shape[0] - 1
    slot = row_hash(rows[number], width) & mask
    while index[slot] >= 0:
        other = index[slot]
        same = True
        for k in range(width):
            if rows[other, k] != rows[number, k]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@njit
def index_rows(rows, index, count):
    """Enter the first rows in an empty hash table."""
    for number in range(count):
        index[find_row(rows, index, number)] = number


# Bits of the events that have run -----------------------------------------------------------------------------


@njit
def has(bits, at, i):
    """Tell whether bit i is set in the words that begin at a place."""
    return (bits[at + (i >> 6)] >> (i & 63)) & 1 != 0


@njit
def lowest_missing(d, wanted, w, done):
    """Give the lowest bit of the words at `wanted` that is not in those at `done`; -1 if there is none."""
    for v in range(d[WORDS]):
        left = d[wanted + v] & ~w[done + v]
        if left != 0:
            for b in range(64):
                if (left >> b) & 1 != 0:
                    return (v << 6) + b
    return -1


# Values -------------------------------------------------------------------------------------------------------


@njit
def call(d, w, function, base, keys, results):
    """Look the result of a function up; -2 where it must be computed first. Its inputs are known."""
    state = function
    for k in range(d[d[F_FIRST] + function], d[d[F_FIRST] + function + 1]):
        slot = probe(keys, (state << 32) | w[d[W_VAL] + base + d[d[F_READS] + k]])
        if keys[slot] == -1:
            return -2
        state = results[slot]
    return state


@njit
def value_of(d, w, kind, data, base, keys, results):
    """Give the number of a value whose inputs are known; -2 where a function must be computed first."""
    if kind == V_KNOWN:
        return data
    if kind == V_COPY:
        return w[d[W_VAL] + base + data]
    return call(d, w, data, base, keys, results)


# Rows ---------------------------------------------------------------------------------------------------------


@njit
def unpack(d, w, row):
    """Spread a row over the work array."""
    threads, most = d[THREADS], d[MOST]
    at = 0
    for t in range(threads):
        w[d[W_NODE] + t] = int64(row[at])
        at += 1
    for v in range(threads * d[WORDS]):
        w[d[W_DONE] + v] = int64(row[at]) | (int64(row[at + 1]) << 32)
        at += 2
    for k in range(threads * most):
        w[d[W_VAL] + k] = UNKNOWN_ID
    for s in range(d[SLOT_COUNT]):
        w[d[W_VAL] + d[d[SLOTS] + s]] = int64(row[at]) - 1
        at += 1
    for l in range(d[LOCATIONS]):
        w[d[W_MEM] + l] = int64(row[at]) - 1
        at += 1
    w[d[W_RETURNED]] = int64(row[at])
    at += 1
    for k in range(d[NAMES]):
        w[d[W_SNAP] + k] = int64(row[at]) - 1
        at += 1


@njit
def pack(d, w, row):
    """Write the work array as a row, less what nobody can see any more."""
    threads, most = d[THREADS], d[MOST]
    for k in range(threads * most):
        w[d[W_NEED] + k] = 0
    for l in range(d[LOCATIONS]):
        w[d[W_SEEN] + l] = d[d[OBSERVED] + l] if w[d[W_RETURNED]] == 0 else 0
    for t in range(threads):
        n = w[d[W_NODE] + t]
        base = t * most
        for i in range(most):
            if d[d[N_NEEDS] + n * d[MOST] + i]:
                w[d[W_NEED] + base + i] = 1
        for l in range(d[LOCATIONS]):
            if d[d[N_READS] + n * d[LOCATIONS] + l]:
                w[d[W_SEEN] + l] = 1
        first = d[d[N_EVENT] + n]
        for i in range(d[d[N_LENGTH] + n]):
            if has(w, d[W_DONE] + t * d[WORDS], i):
                continue
            g = first + i
            if d[d[E_KIND] + g] == 0:
                w[d[W_SEEN] + d[d[E_LOC] + g]] = 1
            elif d[d[E_VKIND] + g] == V_COPY:
                w[d[W_NEED] + base + d[d[E_VDATA] + g]] = 1
            elif d[d[E_VKIND] + g] == V_FUNCTION:
                for k in range(d[d[F_FIRST] + d[d[E_VDATA] + g]], d[d[F_FIRST] + d[d[E_VDATA] + g] + 1]):
                    w[d[W_NEED] + base + d[d[F_READS] + k]] = 1
        for c in range(d[d[C_FIRST] + n], d[d[C_FIRST] + n + 1]):
            f = d[d[C_FUNCTION] + c]
            pending = False
            for k in range(d[d[F_FIRST] + f], d[d[F_FIRST] + f + 1]):
                if not has(w, d[W_DONE] + t * d[WORDS], d[d[F_READS] + k]):
                    pending = True
            if pending:
                for k in range(d[d[F_FIRST] + f], d[d[F_FIRST] + f + 1]):
                    w[d[W_NEED] + base + d[d[F_READS] + k]] = 1
    at = 0
    for t in range(threads):
        row[at] = uint32(w[d[W_NODE] + t])
        at += 1
    for v in range(threads * d[WORDS]):
        row[at] = uint32(w[d[W_DONE] + v] & 0xFFFFFFFF)
        row[at + 1] = uint32((w[d[W_DONE] + v] >> 32) & 0xFFFFFFFF)
        at += 2
    for s in range(d[SLOT_COUNT]):
        k = d[d[SLOTS] + s]
        row[at] = uint32(w[d[W_VAL] + k] + 1) if w[d[W_NEED] + k] else uint32(0)
        at += 1
    for l in range(d[LOCATIONS]):
        row[at] = uint32(w[d[W_MEM] + l] + 1) if w[d[W_SEEN] + l] else uint32(0)
        at += 1
    row[at] = uint32(w[d[W_RETURNED]])
    at += 1
    for k in range(d[NAMES]):
        row[at] = uint32(w[d[W_SNAP] + k] + 1)
        at += 1


@njit
def push(d, w, st, rows, index, stack):
    """Add the state in the work arrays to those that are to be visited, if it is new."""
    number = st[I_STATES]
    pack(d, w, rows[number])
    slot = find_row(rows, index, number)
    if index[slot] < 0:
        index[slot] = number
        stack[st[I_STACK]] = number
        st[I_STATES] += 1
        st[I_STACK] += 1
