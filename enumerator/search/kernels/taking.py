"""The options of a decision, one after the other: what a read takes, where a write stands, which way a thread goes."""

from __future__ import annotations

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.allowing import allowed
from enumerator.search.kernels.choosing import is_source, waits_in_vain, write_below
from enumerator.search.kernels.entering import UNDEFINED, note, place_of
from enumerator.search.kernels.growth import (
    is_before_fork,
    is_idle_update,
    learn_value,
    note_apart_from,
    note_dead_end,
    put_in,
    undo_to,
)
from enumerator.search.kernels.options import ask_ahead, edge_after_value, forget_tried, is_option
from enumerator.search.kernels.outcomes import NEXT
from enumerator.search.kernels.relations import clear_bit
from enumerator.search.kernels.running import enter
from enumerator.search.kernels.serving import may_be_undef
from enumerator.search.kernels.symmetric import all_pass_over, join_takers, no_more_take, tell_apart
from enumerator.search.kernels.tried import leads_nowhere, tries_again

OVER = -5  # there is no other option
WAIT = -3  # what a read does that takes none of the writes that are there


@inner
def next_source(d, prog, data, tries, work, grown, findings):
    """Let a read take the next write, or undef, or wait; OVER where nothing is left."""
    r, st = grown.what[d], work.st
    w = before = grown.cursor[d]
    if w >= 0:
        w = write_below(w, r, data, work, grown)
        while w >= 0 and not is_source(d, r, w, prog, data, tries, work, grown, findings):
            w = write_below(w, r, data, work, grown)
    else:
        w -= 1
    if w == -1:
        w = UNDEFINED
        if not may_be_undef(r, prog, grown):
            w = WAIT
    grown.cursor[d] = w
    if w < WAIT or (w == WAIT and (grown.may_wait[d] == 0 or waits_in_vain(d, grown))):
        return OVER
    if w == WAIT:
        hopeful = may_take_rivals(d, data, tries, work, grown, findings)
        if hopeful != NEXT:
            if hopeful != OVER:
                grown.cursor[d] = before  # it is asked again
            return hopeful
        all_pass_over(d, data, tries, work, grown)
        grown.accepted[d] += 1
        st[op.PHASE] = op.GROW_CHOOSE
        return NEXT
    if grown.alone[d] == 0:  # else nothing is decided
        tell_apart(d, w, data, tries, work, grown)
    take(d, r, w, tries, work, grown)
    return NEXT


@inner
def take(d, r, w, tries, work, grown):
    """Let a read take a write, or undef."""
    work.source[r] = w
    clear_bit(grown.open, r)
    note(grown, op.T_SOURCE, r, 0, 0)
    grown.decided[r] = d
    if grown.index[r] + 2 < grown.length[work.g_thread[r]] and is_idle_update(r, tries, work, grown):
        note_apart_from(r, tries, work, grown)
    learn_value(r, op.UNDEF_ID if w == UNDEFINED else work.val[w], work, grown)
    work.source[place_of(r, work, grown)] = w
    note(grown, op.T_CHOSEN, r, -1, 0)
    grown.at[op.X_CHOSEN] = r
    work.st[op.PHASE] = op.GROW_RUN


@inner
def next_of_twin(d, data, tries, work, grown, findings):
    """Let a read take what that of a thread like its own took; then let no other such read take it."""
    r, w = grown.what[d], grown.at[op.X_TAKES] - 1
    grown.cursor[d] += 1
    if grown.cursor[d] == 0:
        if is_option(r, w, data, tries, work, grown, findings):
            join_takers(work.g_thread[r], work, grown)
            take(d, r, w, tries, work, grown)
        return NEXT
    if grown.cursor[d] > 1:
        return OVER
    no_more_take(data, tries, work, grown)
    grown.accepted[d] += 1
    work.st[op.PHASE] = op.GROW_CHOOSE
    return NEXT


@inner
def may_take_rivals(d, data, tries, work, grown, findings):
    """Tell whether a read may take what others were seen to write to its location below a decision: NEXT, or OVER."""
    r = grown.what[d]
    if grown.rivals[d] != 0 or grown.takes_newest[d] == 0 or not is_before_fork(r, tries, work, grown):
        return NEXT
    t = work.g_thread[r]
    if tries.node_branches[grown.node[t]] == 0:
        return NEXT
    forget_tried(work, grown)
    for k in range(grown.rival_count[d]):
        asked = ask_ahead(r, grown.rival_values[d, k], data, tries, work, grown, findings)
        if asked != NEXT:
            return asked
        edge = edge_after_value(r, grown.rival_values[d, k], data, tries, work, grown, findings)
        if edge < 0 or not leads_nowhere(t, edge, tries, data, work, grown):
            return NEXT
    return OVER


@inner
def next_place(d, prog, data, tries, work, grown):
    """Put a write at the next place of its location's order, the last one first; OVER where none is left."""
    e = grown.what[d]
    grown.cursor[d] = grown.highest[d] if grown.cursor[d] < 0 else grown.cursor[d] - 1
    if grown.cursor[d] < grown.lowest[d]:
        return OVER
    put_in(e, grown.cursor[d], work, grown)
    if allowed(prog, data, tries, work, grown):
        grown.accepted[d] += 1
        work.st[op.PHASE] = op.GROW_RUN
    else:
        work.st[op.REFUSED] += 1
        note_dead_end(tries, work, grown)
    return NEXT


@inner
def next_branch(d, data, tries, work, grown):
    """Let a thread go on in the next of several ways that one value leaves it; OVER where none is left."""
    t = grown.what[d]
    guesses = grown.kind[d] == op.X_GUESS
    if grown.cursor[d] < -1:
        edge = -2 - grown.cursor[d]
    else:
        before = grown.cursor[d]
        edge = tries.edge_following[before]
        if edge < 0 or (not guesses and tries.edge_value[edge] != tries.edge_value[before]):
            return OVER
    grown.cursor[d] = edge
    if tries.edge_child[edge] < 0 or tries_again(t, tries.edge_child[edge], tries, grown):
        return NEXT
    if guesses:
        k = grown.at[op.X_GUESSES]
        grown.guesses[k, 0], grown.guesses[k, 1], grown.guesses[k, 2] = t, grown.node[t], tries.edge_value[edge]
        grown.guesses[k, 3] = work.t_base[t] - grown.begins[t]
        grown.at[op.X_GUESSES] = k + 1
        note(grown, op.T_GUESS, t, 0, 0)
    enter(t, tries.edge_child[edge], data, tries, work, grown)
    grown.accepted[d] += 1
    work.st[op.PHASE] = op.GROW_RUN
    return NEXT


@inner
def next_option(prog, data, tries, work, grown, findings):
    """Take the next option of the last decision; where none is left, go back to the one before it; else say why not."""
    st = work.st
    d = st[op.DEPTH]
    if d < 0:
        st[op.PHASE] = op.GROW_DONE
        return NEXT
    if grown.kind[d] == op.X_READ and grown.alone[d] != 0 and grown.accepted[d] != 0:
        st[op.DEPTH] -= 1  # nothing is left of it, and what it has done is undone with the decision before it
        return NEXT
    undo_to(d, prog, data, tries, work, grown)
    if grown.kind[d] == op.X_READ:
        more = next_source(d, prog, data, tries, work, grown, findings)
    elif grown.kind[d] == op.X_TWIN:
        more = next_of_twin(d, data, tries, work, grown, findings)
    elif grown.kind[d] == op.X_PLACE:
        more = next_place(d, prog, data, tries, work, grown)
    else:
        more = next_branch(d, data, tries, work, grown)
    if more == OVER:
        if grown.accepted[d] == 0:
            note_dead_end(tries, work, grown)
            st[op.EXPLORED] += 1
        st[op.DEPTH] -= 1
        return NEXT
    return more
