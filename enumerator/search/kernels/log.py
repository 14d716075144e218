"""Rows of registers that change while an execution grows: put on a log, so that all can be put back when it shrinks.

What is predefined is not on the log, as it is undone with the events; what of it is touched is kept by decision.
"""

from __future__ import annotations

from numba import uint64

from enumerator.jit.decorators import inlined, inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ONE, ZERO, has_bit, set_bit


@inlined
def put_row(d, i, row, w, work, grown):
    """Give an event's row in a register, which is put on the log if it is another one than before."""
    R, touched = work.R, grown.touched
    same = True
    for v in range(w):
        same = same and R[d, i, v] == row[v]
    if same:
        return False
    if not has_bit(touched[d], i):
        end = grown.at[op.X_LOG]
        grown.log[end, 0], grown.log[end, 1] = d, i
        for v in range(R.shape[2]):
            grown.logged[end, v] = R[d, i, v]
        grown.at[op.X_LOG] = end + 1
        set_bit(touched[d], i)
    for v in range(w):
        R[d, i, v] = row[v]
    return True


@inner
def put_set(d, before, work, grown):
    """Note that a set has become another one than that in a row; put that one on the log."""
    changed = ZERO
    for v in range(before.shape[0]):
        changed |= work.S[d, v] ^ before[v]
        grown.touched_sets[d, v] |= work.S[d, v] ^ before[v]
    if changed == ZERO:
        return
    end = grown.at[op.X_LOG]
    grown.log[end, 0], grown.log[end, 1] = -1 - d, 0
    for v in range(before.shape[0]):
        grown.logged[end, v] = before[v]
    grown.at[op.X_LOG] = end + 1


@inner
def put_back(mark, work, grown):
    """Put back what the registers held when the log was so long."""
    at = grown.at
    while at[op.X_LOG] > mark:
        at[op.X_LOG] -= 1
        end = at[op.X_LOG]
        d, i = grown.log[end, 0], grown.log[end, 1]
        if d >= 0:
            for v in range(grown.logged.shape[1]):
                work.R[d, i, v] = grown.logged[end, v]
        else:
            for v in range(grown.logged.shape[1]):
                work.S[-1 - d, v] = grown.logged[end, v]


@inner
def keep_touched(d, prog, grown):
    """Keep what is touched when a decision is taken."""
    kept = grown.kept[d]
    for v in range(kept.shape[1]):
        kept[0, v], kept[1, v] = grown.touched[0, v], grown.touched[1, v]
        kept[2, v], kept[3, v] = grown.touched_sets[0, v], grown.touched_sets[op.GROW_PRESENT, v]
    k = 4
    for i in range(prog.base_relations.shape[0]):
        for v in range(kept.shape[1]):
            kept[k, v] = grown.touched[prog.base_relations[i, 0], v]
        k += 1
    for i in range(prog.base_sets.shape[0]):
        for v in range(kept.shape[1]):
            kept[k, v] = grown.touched_sets[prog.base_sets[i], v]
        k += 1


@inner
def restore_touched(d, prog, grown):
    """Restore what was touched when a decision was taken."""
    kept = grown.kept[d]
    for v in range(kept.shape[1]):
        grown.touched[0, v], grown.touched[1, v] = kept[0, v], kept[1, v]
        grown.touched_sets[0, v], grown.touched_sets[op.GROW_PRESENT, v] = kept[2, v], kept[3, v]
    k = 4
    for i in range(prog.base_relations.shape[0]):
        for v in range(kept.shape[1]):
            grown.touched[prog.base_relations[i, 0], v] = kept[k, v]
        k += 1
    for i in range(prog.base_sets.shape[0]):
        for v in range(kept.shape[1]):
            grown.touched_sets[prog.base_sets[i], v] = kept[k, v]
        k += 1


@inner
def forget_touched(prog, grown):
    """Take all that is predefined for up to date."""
    for v in range(grown.touched.shape[1]):
        grown.touched[0, v] = grown.touched[1, v] = ZERO
        grown.touched_sets[0, v] = grown.touched_sets[op.GROW_PRESENT, v] = ZERO
        for i in range(prog.base_relations.shape[0]):
            grown.touched[prog.base_relations[i, 0], v] = ZERO
        for i in range(prog.base_sets.shape[0]):
            grown.touched_sets[prog.base_sets[i], v] = ZERO


@inner
def put_word(d, i, word, work, grown):
    """Give an event's row in a register, of one word; see :func:`put_row`."""
    before = work.flat[d, i]
    if before == word:
        return False
    if (grown.touched[d, 0] >> uint64(i)) & ONE == ZERO:
        end = grown.at[op.X_LOG]
        grown.log[end, 0], grown.log[end, 1] = d, i
        grown.logged[end, 0] = before
        grown.at[op.X_LOG] = end + 1
        grown.touched[d, 0] |= ONE << uint64(i)
    work.flat[d, i] = word
    return True
