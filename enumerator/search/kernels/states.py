"""States of the interleaving search: rows of words, the table of those met before, and the values in them."""

from __future__ import annotations

from numba import int64, uint32, uint64

from enumerator.jit.decorators import njit
from enumerator.search import opcodes as op
from enumerator.search import places as at
from enumerator.search.kernels.values import probe

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
def has(bits, cell, i):
    """Tell whether bit i is set in the words that begin at a place."""
    return (bits[cell + (i >> 6)] >> (i & 63)) & 1 != 0


@njit
def lowest_missing(d, wanted, w, done):
    """Give the lowest bit of the words at `wanted` that is not in those at `done`; -1 if there is none."""
    for v in range(d[at.WORDS]):
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
    for k in range(d[d[at.F_FIRST] + function], d[d[at.F_FIRST] + function + 1]):
        slot = probe(keys, (state << 32) | w[d[at.W_VAL] + base + d[d[at.F_READS] + k]])
        if keys[slot] == -1:
            return -2
        state = results[slot]
    return state


@njit
def value_of(d, w, kind, data, base, keys, results):
    """Give the number of a value whose inputs are known; -2 where a function must be computed first."""
    if kind == op.V_KNOWN:
        return data
    if kind == op.V_COPY:
        return w[d[at.W_VAL] + base + data]
    return call(d, w, data, base, keys, results)


# Rows ---------------------------------------------------------------------------------------------------------


@njit
def unpack(d, w, row):
    """Spread a row over the work array."""
    threads, most = d[at.THREADS], d[at.MOST]
    cell = 0
    for t in range(threads):
        w[d[at.W_NODE] + t] = int64(row[cell])
        cell += 1
    for v in range(threads * d[at.WORDS]):
        w[d[at.W_DONE] + v] = int64(row[cell]) | (int64(row[cell + 1]) << 32)
        cell += 2
    for k in range(threads * most):
        w[d[at.W_VAL] + k] = op.UNKNOWN_ID
    for s in range(d[at.SLOT_COUNT]):
        w[d[at.W_VAL] + d[d[at.SLOTS] + s]] = int64(row[cell]) - 1
        cell += 1
    for l in range(d[at.LOCATIONS]):
        w[d[at.W_MEM] + l] = int64(row[cell]) - 1
        cell += 1
    w[d[at.W_RETURNED]] = int64(row[cell])
    cell += 1
    for k in range(d[at.NAMES]):
        w[d[at.W_SNAP] + k] = int64(row[cell]) - 1
        cell += 1


@njit
def pack(d, w, row):
    """Write the work array as a row, less what nobody can see any more."""
    threads, most = d[at.THREADS], d[at.MOST]
    for k in range(threads * most):
        w[d[at.W_NEED] + k] = 0
    for l in range(d[at.LOCATIONS]):
        w[d[at.W_SEEN] + l] = d[d[at.OBSERVED] + l] if w[d[at.W_RETURNED]] == 0 else 0
    for t in range(threads):
        n = w[d[at.W_NODE] + t]
        base = t * most
        for i in range(most):
            if d[d[at.N_NEEDS] + n * d[at.MOST] + i]:
                w[d[at.W_NEED] + base + i] = 1
        for l in range(d[at.LOCATIONS]):
            if d[d[at.N_READS] + n * d[at.LOCATIONS] + l]:
                w[d[at.W_SEEN] + l] = 1
        first = d[d[at.N_EVENT] + n]
        for i in range(d[d[at.N_LENGTH] + n]):
            if has(w, d[at.W_DONE] + t * d[at.WORDS], i):
                continue
            g = first + i
            if d[d[at.E_KIND] + g] == 0:
                w[d[at.W_SEEN] + d[d[at.E_LOC] + g]] = 1
            elif d[d[at.E_VKIND] + g] == op.V_COPY:
                w[d[at.W_NEED] + base + d[d[at.E_VDATA] + g]] = 1
            elif d[d[at.E_VKIND] + g] == op.V_FUNCTION:
                for k in range(d[d[at.F_FIRST] + d[d[at.E_VDATA] + g]], d[d[at.F_FIRST] + d[d[at.E_VDATA] + g] + 1]):
                    w[d[at.W_NEED] + base + d[d[at.F_READS] + k]] = 1
        for c in range(d[d[at.C_FIRST] + n], d[d[at.C_FIRST] + n + 1]):
            f = d[d[at.C_FUNCTION] + c]
            pending = False
            for k in range(d[d[at.F_FIRST] + f], d[d[at.F_FIRST] + f + 1]):
                if not has(w, d[at.W_DONE] + t * d[at.WORDS], d[d[at.F_READS] + k]):
                    pending = True
            if pending:
                for k in range(d[d[at.F_FIRST] + f], d[d[at.F_FIRST] + f + 1]):
                    w[d[at.W_NEED] + base + d[d[at.F_READS] + k]] = 1
    cell = 0
    for t in range(threads):
        row[cell] = uint32(w[d[at.W_NODE] + t])
        cell += 1
    for v in range(threads * d[at.WORDS]):
        row[cell] = uint32(w[d[at.W_DONE] + v] & 0xFFFFFFFF)
        row[cell + 1] = uint32((w[d[at.W_DONE] + v] >> 32) & 0xFFFFFFFF)
        cell += 2
    for s in range(d[at.SLOT_COUNT]):
        k = d[d[at.SLOTS] + s]
        row[cell] = uint32(w[d[at.W_VAL] + k] + 1) if w[d[at.W_NEED] + k] else uint32(0)
        cell += 1
    for l in range(d[at.LOCATIONS]):
        row[cell] = uint32(w[d[at.W_MEM] + l] + 1) if w[d[at.W_SEEN] + l] else uint32(0)
        cell += 1
    row[cell] = uint32(w[d[at.W_RETURNED]])
    cell += 1
    for k in range(d[at.NAMES]):
        row[cell] = uint32(w[d[at.W_SNAP] + k] + 1)
        cell += 1


@njit
def push(d, w, st, rows, index, stack):
    """Add the state in the work arrays to those that are to be visited, if it is new."""
    number = st[op.I_STATES]
    pack(d, w, rows[number])
    slot = find_row(rows, index, number)
    if index[slot] < 0:
        index[slot] = number
        stack[st[op.I_STACK]] = number
        st[op.I_STATES] += 1
        st[op.I_STACK] += 1
