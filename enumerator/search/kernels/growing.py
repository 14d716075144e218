"""Resumable search that grows executions: threads run, and a read takes a write that is there or waits for another.

Nothing is guessed, so that each execution is met once. An event has its number when its thread comes to it; it is in
the graph (``present``) once what it reads, or the value that it writes, is known. A thread runs on past a read whose
value is not known yet, up to a value that decides how it goes on; where the model forbids cycles of program order and
reads-from, up to the read (``X_BLOCKS``).

What is done after a decision is on the trail, so that it can be undone. A phase that needs something that only Python
has changes nothing before it returns.
"""

from __future__ import annotations

from enumerator.jit.decorators import inner, njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.outcomes import NEXT, tally, waits_for_last
from enumerator.search.kernels.relations import ZERO, clear_bit, has_bit, run, set_bit
from enumerator.search.kernels.values import value_of

STAYS, MOVED, SPLIT = -2, -3, -4  # what becomes of a thread at a value that decides how it goes on
UNDEFINED, WAIT = -2, -3  # options of a read behind the writes


@inner
def holds_in(first, last, prog, work):
    """Compute the sections from `first` to before `last` of the model's program; tell whether no axiom fails."""
    n = work.st[op.EVENTS]
    sections, w = prog.sections, (n + 63) >> 6
    work.st[op.WORK] += 4 * (sections[last] - sections[first]) * n * w
    return run(prog.code, sections[first], sections[last], work.R, work.flat, work.S, work.alive, n, w, work.flags)


# The trail ------------------------------------------------------------------------------------------------------------


@inner
def note(grown, kind, what, before, other):
    """Put on the trail what is to be undone."""
    end = grown.at[op.X_TRAIL]
    grown.trail[end, 0], grown.trail[end, 1], grown.trail[end, 2], grown.trail[end, 3] = kind, what, before, other
    grown.at[op.X_TRAIL] = end + 1


@inner
def undo_to(mark, prog, data, work, grown):
    """Undo what has been done since the trail was so long."""
    at, st = grown.at, work.st
    while at[op.X_TRAIL] > mark:
        at[op.X_TRAIL] -= 1
        kind, what, before, other = grown.trail[at[op.X_TRAIL]]
        if kind == op.T_PRESENT:
            unrelate(what, prog, work)
            grown.present[what] = False
        elif kind == op.T_SOURCE:
            if work.source[what] >= 0:
                clear_bit(work.R[0, work.source[what]], what)
            clear_bit(work.S[0], what)
            work.source[what] = -1
            forget_value(what, work, grown)
        elif kind == op.T_VALUE:
            forget_value(what, work, grown)
            at[op.X_DEFERRED] += 1
        elif kind == op.T_PLACE:
            take_out(what, work)
        elif kind == op.T_EVENT:
            t = work.g_thread[what]
            g = work.g_event[what]
            grown.length[t] -= 1
            grown.following[t] -= 1
            if data.e_kind[g] == 0:
                grown.open_reads[t] -= grown.passed[what] == 0
            elif data.e_kind[g] == 1:
                at[op.X_DEFERRED] -= 1
            st[op.EVENTS] -= 1
        elif kind == op.T_INITIAL:
            work.slot_first[work.g_loc[what]] = -1
            st[op.EVENTS] -= 1
        elif kind == op.T_NODE:
            grown.node[what] = before
            grown.following[what] = other
        elif kind == op.T_TEMPLATE:
            work.g_event[what] = before
            work.g_kind[what] = data.kind_of[before]
        elif kind == op.T_CHOSEN:
            at[op.X_CHOSEN] = before
            grown.open_reads[work.g_thread[what]] += before >= 0 and grown.passed[what] == 0
        elif kind == op.T_PASSED:
            grown.passed[what] = 0
            grown.open_reads[work.g_thread[what]] += 1
        elif kind == op.T_GUESS:
            at[op.X_GUESSES] -= 1
        else:
            for v in range(grown.excluded.shape[1]):
                grown.excluded[what, v] = ZERO
            # The words before stand on the trail below, one entry for each word that was not empty.
            for _ in range(before):
                at[op.X_TRAIL] -= 1
                entry = grown.trail[at[op.X_TRAIL]]
                set_bit(grown.excluded[what], entry[2])


@inner
def learn_value(e, value, work, grown):
    """Note the value of an event, by its number and by its place in its thread's path."""
    work.val[e] = value
    if grown.index[e] >= 0:
        work.val[work.t_base[work.g_thread[e]] + grown.index[e]] = value


@inner
def forget_value(e, work, grown):
    """Forget the value of an event, and what it reads."""
    learn_value(e, op.UNKNOWN_ID, work, grown)
    if grown.index[e] >= 0:
        work.source[work.t_base[work.g_thread[e]] + grown.index[e]] = -1


# Events ---------------------------------------------------------------------------------------------------------------


@inner
def attribute(row, e, data, work):
    """Give an attribute of an event that relations compare, -1 for none."""
    g = work.g_event[e]
    return data.e_key[row, g if g >= 0 else data.e_key.shape[1] + g]


@inner
def lists(number, b, index, data, work):
    """Tell whether the path lists the event with an index beside event b."""
    g = work.g_event[b]
    if g < 0:
        return False
    for k in range(data.dep_first[g], data.dep_first[g + 1]):
        if data.dep_kind[k] == number and data.dep_source[k] == index:
            return True
    return False


@inner
def relate(e, prog, data, work, grown):
    """Put an event into the base relations and sets, beside those that are in the graph."""
    st, R = work.st, work.R
    for k in range(prog.base_relations.shape[0]):
        register, first, second = prog.base_relations[k, 0], prog.base_relations[k, 1], prog.base_relations[k, 2]
        before, listed = prog.base_relations[k, 3] != 0, prog.base_relations[k, 4]
        mine = work.g_kind[e]
        if listed >= 0:
            t = work.g_thread[e]
            if t >= 0:
                g = work.g_event[e]
                for i in range(data.dep_first[g], data.dep_first[g + 1]):
                    if data.dep_kind[i] == listed:
                        source = grown.event_at[t, data.dep_source[i]]
                        if grown.present[source]:
                            set_bit(R[register, source], e)
                for b in range(e + 1, st[op.EVENTS]):
                    if work.g_thread[b] == t and grown.present[b] and lists(listed, b, grown.index[e], data, work):
                        set_bit(R[register, e], b)
            continue
        for b in range(st[op.EVENTS]):
            if not grown.present[b] or b == e:
                continue
            other = work.g_kind[b]
            if prog.kind_pairs[k, mine, other] and not (before and b < e):
                if first < 0 or (
                    attribute(first, e, data, work) >= 0
                    and attribute(first, e, data, work) == attribute(second, b, data, work)
                ):
                    set_bit(R[register, e], b)
            if prog.kind_pairs[k, other, mine] and not (before and e < b):
                if first < 0 or (
                    attribute(first, b, data, work) >= 0
                    and attribute(first, b, data, work) == attribute(second, e, data, work)
                ):
                    set_bit(R[register, b], e)
        if prog.kind_itself[k, mine] and not before:
            if first < 0 or (
                attribute(first, e, data, work) >= 0
                and attribute(first, e, data, work) == attribute(second, e, data, work)
            ):
                set_bit(R[register, e], e)
    for k in range(prog.base_sets.shape[0]):
        if prog.kind_sets[k, work.g_kind[e]]:
            set_bit(work.S[prog.base_sets[k]], e)
    grown.present[e] = True
    set_bit(work.S[op.GROW_PRESENT], e)
    note(grown, op.T_PRESENT, e, 0, 0)
    attach(e, work)


@inner
def attach(e, work):
    """Enter what a read reads."""
    if work.source[e] >= 0:
        set_bit(work.R[0, work.source[e]], e)
    elif work.source[e] == UNDEFINED:
        set_bit(work.S[0], e)


@inner
def unrelate(e, prog, work):
    """Take an event out of all relations and sets."""
    n, R, S = work.st[op.EVENTS], work.R, work.S
    for k in range(-2, prog.base_relations.shape[0]):
        register = prog.base_relations[k, 0] if k >= 0 else k + 2  # reads-from and the order are the first two
        for v in range(R.shape[2]):
            R[register, e, v] = ZERO
        for b in range(n):
            clear_bit(R[register, b], e)
    for k in range(prog.base_sets.shape[0]):
        clear_bit(S[prog.base_sets[k]], e)
    clear_bit(S[0], e)
    clear_bit(S[op.GROW_PRESENT], e)


@inner
def take_out(e, work):
    """Take a write out of the order of its location."""
    l = work.g_loc[e]
    place = 0
    while work.sequence[l, place] != e:
        place += 1
    for i in range(place, work.slot_length[l] - 1):
        work.sequence[l, i] = work.sequence[l, i + 1]
    work.slot_length[l] -= 1
    for v in range(work.R.shape[2]):
        work.R[1, e, v] = ZERO
    for i in range(work.slot_length[l]):
        clear_bit(work.R[1, work.sequence[l, i]], e)


@inner
def put_in(e, place, work, grown):
    """Put a write at a place in the order of its location."""
    l = work.g_loc[e]
    for i in range(work.slot_length[l], place, -1):
        work.sequence[l, i] = work.sequence[l, i - 1]
    work.sequence[l, place] = e
    work.slot_length[l] += 1
    for i in range(work.slot_length[l]):
        if i < place:
            set_bit(work.R[1, work.sequence[l, i]], e)
        elif i > place:
            set_bit(work.R[1, e], work.sequence[l, i])
    note(grown, op.T_PLACE, e, 0, 0)


@inner
def add_initial(l, prog, data, work, grown):
    """Add the initial write of a location."""
    st = work.st
    e = st[op.EVENTS]
    st[op.EVENTS] += 1
    work.g_event[e], work.g_thread[e], work.g_loc[e] = -1 - l, -1, l
    work.g_kind[e] = data.kind_of[data.kind_of.shape[0] - 1 - l]
    grown.index[e] = -1
    work.source[e] = -1
    work.val[e] = data.loc_value[l]
    work.slot_first[l] = e
    note(grown, op.T_INITIAL, e, 0, 0)
    relate(e, prog, data, work, grown)
    holds_in(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
    work.slot_length[l] = 0
    if has_bit(work.S[prog.config[op.C_ORDER]], e):
        put_in(e, 0, work, grown)


@inner
def add_event(t, prog, data, tries, work, grown):
    """Number the next event of a thread; fences and barriers enter the graph at once."""
    st = work.st
    g = tries.node_first[grown.node[t]] + grown.following[t]
    l = data.e_loc[g]
    if l >= 0 and work.slot_first[l] < 0:
        add_initial(l, prog, data, work, grown)
    e = st[op.EVENTS]
    st[op.EVENTS] += 1
    work.g_event[e], work.g_thread[e], work.g_loc[e], work.g_kind[e] = g, t, l, data.kind_of[g]
    work.source[e] = -1
    grown.index[e] = grown.length[t]
    grown.event_at[t, grown.length[t]] = e
    forget_value(e, work, grown)
    for v in range(grown.excluded.shape[1]):
        grown.excluded[e, v] = ZERO
    grown.length[t] += 1
    grown.following[t] += 1
    note(grown, op.T_EVENT, e, 0, 0)
    if data.e_kind[g] == 0:
        # A read that may be undef is decided late: then it is known what it races with.
        grown.undef[e] = 1 if prog.config[op.C_UNDEF] >= 0 and tries.may_be_undef[g] != 0 else 0
        grown.passed[e] = grown.undef[e]
        grown.open_reads[t] += 1 - grown.passed[e]
        grown.half[e] = tries.half[g]
        if grown.half[e] != 0:
            note_rival(t, l, True, work, grown)
    elif data.e_kind[g] == 1:
        grown.at[op.X_DEFERRED] += 1
        note_rival(t, l, False, work, grown)
    else:
        relate(e, prog, data, work, grown)
        grown.at[op.X_DIRTY] = 1


@inner
def is_full(work, grown):
    """Tell whether there may be too little room for another event."""
    events = work.g_event.shape[0]
    if work.st[op.EVENTS] + 2 > events or grown.at[op.X_TRAIL] + 2 * events + 64 > grown.trail.shape[0]:
        return True
    for t in range(grown.length.shape[0]):
        if grown.length[t] + 1 > grown.event_at.shape[1]:
            return True
    return work.st[op.DEPTH] + 4 > grown.kind.shape[0]


# Threads --------------------------------------------------------------------------------------------------------------


@inner
def decide(kind, what, work, grown):
    """Begin a decision."""
    d = work.st[op.DEPTH] + 1
    work.st[op.DEPTH] = d
    grown.kind[d], grown.what[d], grown.cursor[d], grown.accepted[d] = kind, what, -1, 0
    grown.mark[d], grown.may_wait[d], grown.rivals[d] = grown.at[op.X_TRAIL], 0, 0
    work.st[op.PHASE] = op.GROW_NEXT


@inner
def note_rival(t, l, halves, work, grown):
    """Note that a thread writes to a location, or tries to: for the reads of others that were decided before.

    A read that waits is served by such a write. Where none is met after it has taken the newest write, waiting is in
    vain, as what other threads do does not rest on it. With `halves` the thread comes to a read-modify-write.
    """
    for d in range(work.st[op.DEPTH] + 1):
        if grown.kind[d] == op.X_READ:
            r = grown.what[d]
            if work.g_loc[r] == l and work.g_thread[r] != t and (not halves or grown.half[r] != 0):
                grown.rivals[d] = 1


@inner
def note_dead_end(work, grown):
    """Note that it is not known what other threads would write: something ends here that the model does not refuse."""
    for d in range(work.st[op.DEPTH] + 1):
        grown.rivals[d] = 1


@inner
def at_fork(t, tries, grown):
    """Tell whether a thread has come to a value that decides how it goes on."""
    node = grown.node[t]
    return tries.node_fork[node] >= 0 and grown.following[t] == tries.node_count[node]


@inner
def has_ended(t, tries, grown):
    """Tell whether a thread has come to the end of its path."""
    node = grown.node[t]
    return tries.node_fork[node] < 0 and grown.following[t] == tries.node_count[node]


@inner
def enter(t, child, data, tries, work, grown):
    """Let a thread go on at a node."""
    note(grown, op.T_NODE, t, grown.node[t], grown.following[t])
    grown.node[t], grown.following[t] = child, 0
    if tries.node_old[child] >= 0:
        e = grown.event_at[t, tries.node_old[child]]
        note(grown, op.T_TEMPLATE, e, work.g_event[e], 0)
        work.g_event[e] = tries.node_new[child]
        work.g_kind[e] = data.kind_of[tries.node_new[child]]


@inner
def descend(t, data, tries, work, grown, findings):
    """Let a thread at a fork go on, if the value that decides is known."""
    node = grown.node[t]
    base = work.t_base[t]
    value = value_of(tries.node_fork[node], tries.node_what[node], base, work.val, data, findings)
    if value == op.UNKNOWN_ID:
        return STAYS
    if value == -2:
        work.missing[0], work.missing[1] = tries.node_what[node], base
        return op.NEEDS_VALUE
    edge = tries.node_edge[node]
    while edge >= 0 and tries.edge_value[edge] != value:
        edge = tries.edge_following[edge]
    if edge < 0:
        grown.at[op.X_NODE], grown.at[op.X_VALUE] = node, value
        return op.NEEDS_NODE
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == value:
        decide(op.X_BRANCH, t, work, grown)
        grown.cursor[work.st[op.DEPTH]] = -2 - edge  # the first option
        return SPLIT
    if tries.edge_child[edge] < 0:
        note_dead_end(work, grown)
        work.st[op.EXPLORED] += 1
        work.st[op.PHASE] = op.GROW_NEXT
        return SPLIT
    enter(t, tries.edge_child[edge], data, tries, work, grown)
    return MOVED


@inner
def complete(tries, grown):
    """Tell whether no thread has anything left to do but to read."""
    for t in range(grown.node.shape[0]):
        if not has_ended(t, tries, grown):
            return False
    return grown.at[op.X_DEFERRED] == 0


@inner
def refuse(work):
    """Go back to the last decision."""
    work.st[op.REFUSED] += 1
    work.st[op.PHASE] = op.GROW_NEXT


@inner
def may_take(r, w, data, work, grown):
    """Tell whether a read may take a write: one of its location that is there and has not been passed over."""
    g = work.g_event[w]
    if work.g_loc[w] != work.g_loc[r] or not grown.present[w] or has_bit(grown.excluded[r], w):
        return False
    if g < 0:
        return True
    if data.e_kind[g] != 1:
        return False
    return work.g_thread[w] != work.g_thread[r] or data.e_instr[g] != data.e_instr[work.g_event[r]]


@inner
def has_waited(r, grown):
    """Tell whether a read has passed over writes."""
    for v in range(grown.excluded.shape[1]):
        if grown.excluded[r, v] != ZERO:
            return True
    return False


@inner
def show_reads(prog, data, work, grown):
    """Put the reads that have no source yet into the graph, once nothing else can come; tell whether there are such."""
    found = False
    for e in range(work.st[op.EVENTS]):
        if is_open(e, data, work) and not grown.present[e]:
            relate(e, prog, data, work, grown)
            found = True
    return found


@inner
def allowed(prog, data, tries, work, grown):
    """Tell whether no axiom fails in what has grown so far: the monotone ones, and bounds once all events are there."""
    grown.at[op.X_DIRTY] = 0
    if not complete(tries, grown):
        return holds_in(op.GROW_SETS, op.GROW_CLOSED, prog, work)
    show_reads(prog, data, work, grown)
    if not holds_in(op.GROW_SETS, op.GROW_BOUNDS, prog, work):
        return False
    bound_choices(prog, data, work, grown)
    return holds_in(op.GROW_BOUNDS, op.GROW_WHOLE, prog, work)


@inner
def bound_choices(prog, data, work, grown):
    """Enter what reads may still read: into what reads-from, the order and UNDEF may still become."""
    n, R, S = work.st[op.EVENTS], work.R, work.S
    for e in range(n):
        for v in range(R.shape[2]):
            R[2, e, v] = R[0, e, v]
            R[3, e, v] = R[1, e, v]
    for v in range(R.shape[2]):
        S[1, v] = S[0, v]
    for e in range(n):
        if is_open(e, data, work) and grown.present[e]:
            for w in range(n):
                if may_take(e, w, data, work, grown):
                    set_bit(R[2, w], e)
            if may_be_undef(e, prog, grown):
                set_bit(S[1], e)


@inner
def is_open(e, data, work):
    """Tell whether an event is a read that has no source yet."""
    g = work.g_event[e]
    return g >= 0 and data.e_kind[g] == 0 and work.source[e] == -1


@inner
def may_be_undef(e, prog, grown):
    """Tell whether a read may still be given undef."""
    return prog.config[op.C_UNDEF] >= 0 and grown.undef[e] != 0 and not has_waited(e, grown)


@inner
def confirm(prog, data, tries, work, grown):
    """Put the read that has got a source into the graph; tell whether the model allows it."""
    e = grown.at[op.X_CHOSEN]
    note(grown, op.T_CHOSEN, e, e, 0)
    grown.at[op.X_CHOSEN] = -1
    grown.open_reads[work.g_thread[e]] -= grown.passed[e] == 0
    if grown.present[e]:
        attach(e, work)
    else:
        relate(e, prog, data, work, grown)
    good = allowed(prog, data, tries, work, grown)
    if good and work.source[e] == UNDEFINED:
        good = has_bit(work.S[prog.config[op.C_UNDEF]], e)
    if good:
        d = work.st[op.DEPTH]
        grown.accepted[d] += 1
        if grown.kind[d] == op.X_READ and grown.what[d] == e and is_newest(work.source[e], work):
            grown.takes_newest[d] = 1
    return good


@inner
def is_newest(w, work):
    """Tell whether a write is the last of its location's order."""
    if w < 0:
        return False
    l = work.g_loc[w]
    return work.slot_length[l] > 0 and work.sequence[l, work.slot_length[l] - 1] == w


@inner
def waits_for_input(g, t, data, work, grown, in_vain):
    """Tell whether a write depends on a read that has no source yet; `in_vain`: that cannot be served, either."""
    for k in range(data.dep_first[g], data.dep_first[g + 1]):
        if data.dep_kind[k] < op.DEPENDENCIES and data.dep_source[k] < grown.length[t]:
            e = grown.event_at[t, data.dep_source[k]]
            if work.source[e] == -1 and not (in_vain and grown.served[e] != 0):
                return True
    return False


@inner
def place_write(prog, data, work, grown, findings):
    """Put a write whose value has become known into the graph; NEXT if there is none."""
    for e in range(work.st[op.EVENTS]):
        g = work.g_event[e]
        if g < 0 or grown.present[e] or data.e_kind[g] != 1:
            continue
        t = work.g_thread[e]
        if waits_for_input(g, t, data, work, grown, False):
            continue
        value = value_of(data.e_vkind[g], data.e_vdata[g], work.t_base[t], work.val, data, findings)
        if value == op.UNKNOWN_ID:
            continue
        if value == -2:
            work.missing[0], work.missing[1] = data.e_vdata[g], work.t_base[t]
            return op.NEEDS_VALUE
        learn_value(e, value, work, grown)
        note(grown, op.T_VALUE, e, 0, 0)
        grown.at[op.X_DEFERRED] -= 1
        relate(e, prog, data, work, grown)
        grown.at[op.X_DIRTY] = 1
        holds_in(op.GROW_SETS, op.GROW_AXIOMS, prog, work)
        if has_bit(work.S[prog.config[op.C_ORDER]], e):
            decide(op.X_PLACE, e, work, grown)
            return SPLIT
        return MOVED
    return NEXT


@inner
def guesses_hold(data, tries, work, grown, findings):
    """Tell whether values that were assumed are what they have become: 1, or 0; or that a value is missing."""
    for k in range(grown.at[op.X_GUESSES]):
        t, node, wanted = grown.guesses[k, 0], grown.guesses[k, 1], grown.guesses[k, 2]
        value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
        if value == -2:
            work.missing[0], work.missing[1] = tries.node_what[node], work.t_base[t]
            return op.NEEDS_VALUE
        if value != op.UNKNOWN_ID and value != wanted:
            return 0
    return 1


@inner
def run_on(prog, data, tries, work, grown, findings):
    """Let threads run until a decision is to be taken."""
    at, st = grown.at, work.st
    threads = grown.node.shape[0]
    if at[op.X_CHOSEN] >= 0:
        guessed = guesses_hold(data, tries, work, grown, findings)
        if guessed == op.NEEDS_VALUE:
            return guessed
        if guessed == 0:
            refuse(work)
            return NEXT
        t = work.g_thread[at[op.X_CHOSEN]]
        if at_fork(t, tries, grown):  # the value may decide what kind of event the read is
            moved = descend(t, data, tries, work, grown, findings)
            if moved == SPLIT:
                return NEXT
            if moved >= 0:
                return moved
        if not confirm(prog, data, tries, work, grown):
            refuse(work)
            return NEXT
    going = True
    while going:
        going = False
        for t in range(threads):
            while True:
                if is_full(work, grown):
                    return op.NEEDS_ROOM
                if at[op.X_DEFERRED] > 0:
                    placed = place_write(prog, data, work, grown, findings)
                    if placed == SPLIT:
                        return NEXT
                    if placed >= 0:
                        return placed
                    going |= placed == MOVED
                if grown.following[t] < tries.node_count[grown.node[t]]:
                    if grown.open_reads[t] > 0:
                        break
                    add_event(t, prog, data, tries, work, grown)
                elif at_fork(t, tries, grown):
                    moved = descend(t, data, tries, work, grown, findings)
                    if moved == SPLIT:
                        return NEXT
                    if moved >= 0:
                        return moved
                    if moved == STAYS:
                        break
                else:
                    break
                going = True
    st[op.PHASE] = op.GROW_CHOOSE
    return NEXT


# Decisions ------------------------------------------------------------------------------------------------------------


@inner
def pass_over(r, data, work, grown):
    """Let a read wait for a write that is not there yet."""
    count = 0
    for w in range(work.st[op.EVENTS]):
        if has_bit(grown.excluded[r], w):
            note(grown, op.T_EXCLUDED, r, w, 0)
            count += 1
    note(grown, op.T_EXCLUDED, r, count, 0)
    for w in range(work.st[op.EVENTS]):
        if may_take(r, w, data, work, grown):
            set_bit(grown.excluded[r], w)


@inner
def inputs_served(kind, what, t, data, work, grown):
    """Tell whether all reads that a value is computed from are in the graph or can be served."""
    if kind == op.V_COPY:
        e = grown.event_at[t, what]
        return work.source[e] != -1 or grown.served[e] != 0
    if kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            e = grown.event_at[t, data.f_reads[k]]
            if work.source[e] == -1 and grown.served[e] == 0:
                return False
    return True


@inner
def may_still_write(t, l, data, tries, work, grown):
    """Tell whether a thread may still write to a location, once the reads that can be served have been."""
    node = grown.node[t]
    if has_ended(t, tries, grown) or tries.can_write[tries.node_writes[node], l] == 0:
        return False
    if grown.following[t] == tries.node_count[node]:
        if grown.at[op.X_BLOCKS] == 0 and tries.can_write[tries.node_free[node], l] != 0:
            return True
        return inputs_served(tries.node_fork[node], tries.node_what[node], t, data, work, grown)
    served = True
    for e in range(work.st[op.EVENTS]):
        if work.g_thread[e] == t and grown.passed[e] == 0 and grown.served[e] == 0 and is_open(e, data, work):
            served = False
    if served or grown.at[op.X_BLOCKS] != 0:
        return served
    # The model lets it run past its read, up to the next value that decides.
    if tries.node_fork[node] >= 0 and tries.can_write[tries.node_free[node], l] != 0:
        return True
    for i in range(grown.following[t], tries.node_count[node]):
        g = tries.node_first[node] + i
        if data.e_kind[g] == 1 and data.e_loc[g] == l:
            if not waits_for_input(g, t, data, work, grown, True):
                return True
    # Whether the next value is known does not depend on the read, perhaps.
    return tries.node_fork[node] >= 0 and not rests_on_open(
        t, tries.node_fork[node], tries.node_what[node], data, work, grown
    )


@inner
def rests_on_open(t, kind, what, data, work, grown):
    """Tell whether a value rests on a read that cannot be served."""
    if kind == op.V_COPY:
        return is_unserved(t, what, work, grown)
    if kind == op.V_FUNCTION:
        for k in range(data.f_first[what], data.f_first[what + 1]):
            if is_unserved(t, data.f_reads[k], work, grown):
                return True
    return False


@inner
def is_unserved(t, index, work, grown):
    """Tell whether a read, by its index in the path, is there, is not in the graph and cannot be served."""
    if index >= grown.length[t]:
        return False
    e = grown.event_at[t, index]
    return work.source[e] == -1 and grown.served[e] == 0


@inner
def edge_after(e, w, data, tries, work, grown, findings):
    """Give the edge to where a thread goes on after an open read, its last event, has read a write; -1 if not known."""
    t = work.g_thread[e]
    if not at_fork(t, tries, grown):
        return -1
    node, place = grown.node[t], work.t_base[t] + grown.index[e]
    work.val[place] = work.val[w]
    value = value_of(tries.node_fork[node], tries.node_what[node], work.t_base[t], work.val, data, findings)
    work.val[place] = op.UNKNOWN_ID
    edge = tries.node_edge[node] if value >= 0 else -1
    while edge >= 0 and tries.edge_value[edge] != value:
        edge = tries.edge_following[edge]
    return edge


@inner
def leads_on(e, w, data, tries, work, grown, findings):
    """Tell whether a thread in a loop that waits may go on after it has read a write; else it waits for ever."""
    edge = edge_after(e, w, data, tries, work, grown, findings)
    value = tries.edge_value[edge] if edge >= 0 else -1
    while edge >= 0 and tries.edge_value[edge] == value:
        child = tries.edge_child[edge]
        if child >= 0:
            p = tries.node_ended[child]
            if p < 0 or data.p_end[p] != op.END_STUCK or tries.node_count[child] > 0:
                return True
        edge = tries.edge_following[edge]
    return value < 0


@inner
def is_taken(w, data, work, grown):
    """Tell whether a read-modify-write has read a write, and written."""
    for x in range(work.st[op.EVENTS]):
        g = work.g_event[x]
        if g >= 0 and data.e_rmw[g] >= 0 and work.g_loc[x] == work.g_loc[w] and grown.present[x]:
            if work.source[grown.event_at[work.g_thread[x], data.e_rmw[g]]] == w:
                return True
    return False


@inner
def must_write(e, w, data, tries, work, grown, findings):
    """Tell whether an open read is, after it has read a write, certainly the first half of a read-modify-write."""
    t = work.g_thread[e]
    node = grown.node[t]
    if grown.following[t] < tries.node_count[node]:
        return data.e_rmw[tries.node_first[node] + grown.following[t]] == grown.index[e]
    edge = edge_after(e, w, data, tries, work, grown, findings)
    if edge < 0 or tries.edge_child[edge] < 0:
        return False
    following = tries.edge_following[edge]
    if following >= 0 and tries.edge_value[following] == tries.edge_value[edge]:
        return False
    child = tries.edge_child[edge]
    return tries.node_count[child] > 0 and data.e_rmw[tries.node_first[child]] == grown.index[e]


@inner
def is_option(e, w, data, tries, work, grown, findings):
    """Tell whether an open read may take a write, as far as can be told before the axioms are tested."""
    if not may_take(e, w, data, work, grown):
        return False
    if grown.at[op.X_ATOMIC] == 0 or grown.half[e] == 0 or not is_placed(w, work) or not is_taken(w, data, work, grown):
        return True
    return not must_write(e, w, data, tries, work, grown, findings)


@inner
def is_placed(w, work):
    """Tell whether a write is in the order of its location."""
    l = work.g_loc[w]
    for place in range(work.slot_length[l]):
        if work.sequence[l, place] == w:
            return True
    return False


@inner
def count_options(e, prog, data, tries, work, grown, findings):
    """Count the writes that an open read may take, and those of them after which its thread goes on."""
    grown.options[e], grown.leading[e] = 0, 0
    for w in range(work.st[op.EVENTS]):
        if is_option(e, w, data, tries, work, grown, findings):
            grown.options[e] += 1
            if tries.waits[work.g_event[e]] == 0 or leads_on(e, w, data, tries, work, grown, findings):
                grown.leading[e] += 1
    if may_be_undef(e, prog, grown):
        grown.options[e] += 1
        grown.leading[e] += 1


@inner
def serve(without, data, tries, work, grown):
    """Mark the reads after which their threads may go on: with a write that is there, or one that may still come.

    Read `without` does not take any of the writes that are there. Tell whether all reads can be decided.
    """
    n, threads = work.st[op.EVENTS], grown.node.shape[0]
    left = 0
    for e in range(n):
        if is_open(e, data, work):
            grown.served[e] = 1 if grown.leading[e] > 0 and e != without else 0
            left += grown.options[e] == 0 or e == without
    changed = True
    while changed and left > 0:
        changed = False
        for e in range(n):
            if not is_open(e, data, work) or grown.served[e] != 0:
                continue
            found = False
            for t in range(threads):  # no read takes a later write of its own thread
                if t != work.g_thread[e]:
                    found = found or may_still_write(t, work.g_loc[e], data, tries, work, grown)
            for w in range(n):
                h = work.g_event[w]
                if found or h < 0 or data.e_kind[h] != 1 or grown.present[w] or work.g_loc[w] != work.g_loc[e]:
                    continue
                if work.g_thread[w] == work.g_thread[e] and grown.index[w] > grown.index[e]:
                    continue
                found = not waits_for_input(h, work.g_thread[w], data, work, grown, True)
            if found:
                grown.served[e] = 1
                left -= grown.options[e] == 0 or e == without
                changed = True
    return left == 0


@inner
def stays_stuck(prog, data, tries, work, grown):
    """Tell whether all that threads which wait for ever have read is still the last of its location."""
    for t in range(grown.node.shape[0]):
        p = tries.node_ended[grown.node[t]]
        if p < 0 or data.p_end[p] != op.END_STUCK:
            continue
        for k in range(data.stuck_first[p], data.stuck_first[p + 1]):
            e = grown.event_at[t, data.stuck_reads[k]]
            s = work.source[e]
            if s == UNDEFINED:
                return False
            if s >= 0:
                l = work.g_loc[s]
                if work.slot_length[l] > 0 and work.sequence[l, work.slot_length[l] - 1] != s:
                    return False
    return True


@inner
def run_past(data, tries, work, grown):
    """Let threads run past reads that wait; tell whether some thread can."""
    moved = False
    for e in range(work.st[op.EVENTS]):
        if not is_open(e, data, work) or grown.passed[e] != 0:
            continue
        t = work.g_thread[e]
        if grown.at[op.X_BLOCKS] == 0 and grown.following[t] < tries.node_count[grown.node[t]]:
            grown.passed[e] = 1
            grown.open_reads[t] -= 1
            note(grown, op.T_PASSED, e, 0, 0)
            moved = True
    return moved


@inner
def any_free(node, tries):
    """Tell whether anything may be written after a node that does not depend on the value that decides there."""
    for l in range(tries.can_write.shape[1]):
        if tries.can_write[tries.node_free[node], l] != 0:
            return True
    return False


@inner
def guess(tries, work, grown):
    """Assume a value on which a thread rests that goes on whatever it is; where there is none, go back."""
    for t in range(grown.node.shape[0]):
        node = grown.node[t]
        if grown.at[op.X_BLOCKS] != 0 or not at_fork(t, tries, grown):
            continue
        if not any_free(node, tries):
            continue
        if tries.node_guessed[node] == 0:
            grown.at[op.X_NODE] = node
            return op.NEEDS_GUESSES
        decide(op.X_GUESS, t, work, grown)
        grown.cursor[work.st[op.DEPTH]] = -2 - tries.node_edge[node]
        return NEXT
    note_dead_end(work, grown)
    work.st[op.EXPLORED] += 1
    work.st[op.PHASE] = op.GROW_NEXT
    return NEXT


@inner
def choose_read(prog, data, tries, work, grown, findings):
    """Choose the read to be decided: one that cannot wait if there is one, else one with many options."""
    st, n = work.st, work.st[op.EVENTS]
    pending = 0
    if prog.config[op.C_WAITS] != 0 and not stays_stuck(prog, data, tries, work, grown):
        refuse(work)
        return NEXT
    for e in range(n):
        grown.options[e] = 0
        if is_open(e, data, work):
            pending += 1
            count_options(e, prog, data, tries, work, grown, findings)
    if pending == 0:
        st[op.PHASE] = op.GROW_LEAF
        return NEXT
    if complete(tries, grown) and show_reads(prog, data, work, grown) and not allowed(prog, data, tries, work, grown):
        refuse(work)
        return NEXT
    if not serve(-1, data, tries, work, grown):
        note_dead_end(work, grown)
        st[op.EXPLORED] += 1
        st[op.PHASE] = op.GROW_NEXT
        return NEXT
    best, best_key, waits = -1, 0, 0
    for e in range(n):
        if grown.options[e] == 0:
            continue
        can_wait = 1 if serve(e, data, tries, work, grown) else 0
        key = 1000 - grown.options[e] + 10000 * can_wait
        if grown.leading[e] == 0:
            key += 50000  # what it waits for is there once the others have run
        if grown.undef[e] != 0:
            key += 100000  # what it races with is known last
        if best < 0 or key < best_key:
            best, best_key, waits = e, key, can_wait
    if best < 0:
        if run_past(data, tries, work, grown):
            st[op.PHASE] = op.GROW_RUN
            return NEXT
        return guess(tries, work, grown)
    decide(op.X_READ, best, work, grown)
    d = st[op.DEPTH]
    grown.may_wait[d], grown.cursor[d], grown.takes_newest[d] = waits, n, 0
    for e in range(n):  # writes, and attempts at them, that others have come to already
        g = work.g_event[e]
        if g < 0 or work.g_loc[e] != work.g_loc[best] or work.g_thread[e] == work.g_thread[best]:
            continue
        if data.e_kind[g] == 1 and not grown.present[e]:
            grown.rivals[d] = 1
        if grown.half[best] != 0 and grown.half[e] != 0 and grown.options[e] > 0:
            grown.rivals[d] = 1
    return NEXT


@inner
def waits_in_vain(d, grown):
    """Tell whether nobody has written what a read could wait for, below a choice that any other write could follow."""
    return grown.rivals[d] == 0 and grown.takes_newest[d] != 0


@inner
def next_source(d, prog, data, tries, work, grown, findings):
    """Let a read take the next write, or undef, or wait; False where nothing is left."""
    r, st = grown.what[d], work.st
    w = grown.cursor[d]
    if w >= 0:
        w -= 1
        while w >= 0 and not is_option(r, w, data, tries, work, grown, findings):
            w -= 1
    else:
        w -= 1
    if w == -1:
        w = UNDEFINED
        if not may_be_undef(r, prog, grown):
            w = WAIT
    grown.cursor[d] = w
    if w < WAIT or (w == WAIT and (grown.may_wait[d] == 0 or waits_in_vain(d, grown))):
        return False
    if w == WAIT:
        pass_over(r, data, work, grown)
        grown.accepted[d] += 1
        st[op.PHASE] = op.GROW_CHOOSE
        return True
    work.source[r] = w
    note(grown, op.T_SOURCE, r, 0, 0)
    learn_value(r, op.UNDEF_ID if w == UNDEFINED else work.val[w], work, grown)
    work.source[work.t_base[work.g_thread[r]] + grown.index[r]] = w
    note(grown, op.T_CHOSEN, r, -1, 0)
    grown.at[op.X_CHOSEN] = r
    st[op.PHASE] = op.GROW_RUN
    return True


@inner
def next_place(d, prog, data, tries, work, grown):
    """Put a write at the next place of its location's order, the last one first; False where none is left."""
    e = grown.what[d]
    l = work.g_loc[e]
    lowest = 1 if work.slot_length[l] > 0 and work.sequence[l, 0] == work.slot_first[l] else 0
    g = work.g_event[e]
    source = work.source[grown.event_at[work.g_thread[e], data.e_rmw[g]]] if data.e_rmw[g] >= 0 else -1
    if grown.at[op.X_ATOMIC] != 0 and source >= 0 and is_placed(source, work):  # right after what it has read
        lowest = work.slot_length[l]
        while work.sequence[l, lowest - 1] != source:
            lowest -= 1
        grown.cursor[d] = lowest if grown.cursor[d] < 0 else lowest - 1
    else:
        grown.cursor[d] = work.slot_length[l] if grown.cursor[d] < 0 else grown.cursor[d] - 1
    if grown.cursor[d] < lowest:
        return False
    put_in(e, grown.cursor[d], work, grown)
    if allowed(prog, data, tries, work, grown):
        grown.accepted[d] += 1
        work.st[op.PHASE] = op.GROW_RUN
    else:
        work.st[op.REFUSED] += 1
    return True


@inner
def next_branch(d, data, tries, work, grown):
    """Let a thread go on in the next of several ways that one value leaves it; False where none is left."""
    t = grown.what[d]
    guesses = grown.kind[d] == op.X_GUESS
    if grown.cursor[d] < -1:
        edge = -2 - grown.cursor[d]
    else:
        before = grown.cursor[d]
        edge = tries.edge_following[before]
        if edge < 0 or (not guesses and tries.edge_value[edge] != tries.edge_value[before]):
            return False
    grown.cursor[d] = edge
    if tries.edge_child[edge] < 0:
        return True
    if guesses:
        k = grown.at[op.X_GUESSES]
        grown.guesses[k, 0], grown.guesses[k, 1], grown.guesses[k, 2] = t, grown.node[t], tries.edge_value[edge]
        grown.at[op.X_GUESSES] = k + 1
        note(grown, op.T_GUESS, t, 0, 0)
    enter(t, tries.edge_child[edge], data, tries, work, grown)
    grown.accepted[d] += 1
    grown.at[op.X_DIRTY] = 1
    work.st[op.PHASE] = op.GROW_RUN
    return True


@inner
def next_option(prog, data, tries, work, grown, findings):
    """Take the next option of the last decision; where none is left, go back to the one before it."""
    st = work.st
    d = st[op.DEPTH]
    if d < 0:
        st[op.PHASE] = op.GROW_DONE
        return
    undo_to(grown.mark[d], prog, data, work, grown)
    if grown.kind[d] == op.X_READ:
        more = next_source(d, prog, data, tries, work, grown, findings)
    elif grown.kind[d] == op.X_PLACE:
        more = next_place(d, prog, data, tries, work, grown)
    else:
        more = next_branch(d, data, tries, work, grown)
    if not more:
        if grown.accepted[d] == 0:
            if grown.kind[d] != op.X_PLACE:
                note_dead_end(work, grown)
            st[op.EXPLORED] += 1
        st[op.DEPTH] -= 1


# Complete executions --------------------------------------------------------------------------------------------------


@inner
def check_leaf(prog, data, tries, work, grown):
    """Tell whether an execution that no thread can add to is consistent; its flags are computed for the count."""
    st = work.st
    for t in range(grown.node.shape[0]):
        work.combo[t] = tries.node_ended[grown.node[t]]
    bound_choices(prog, data, work, grown)
    good = holds_in(op.GROW_SETS, op.GROW_RESULT, prog, work)
    if good:
        work.flags[0] = ZERO
        holds_in(op.GROW_RESULT, op.GROW_END, prog, work)
        good = prog.config[op.C_WAITS] == 0 or waits_for_last(prog, data, work)
    if good:
        st[op.PHASE] = op.GROW_COUNT
    else:
        st[op.EXPLORED] += 1
        st[op.PHASE] = op.GROW_NEXT


@inner
def keep_record(work, grown, records):
    """Keep the choices and values of the execution at hand; events by their numbers here."""
    m = work.st[op.RECORDS]
    for t in range(work.combo.shape[0]):
        records.combo[m, t] = work.combo[t]
    for e in range(work.st[op.EVENTS]):
        records.source[m, e] = work.source[e]
        records.value[m, e] = work.val[e]
        records.place[m, e] = -1
        records.thread[m, e] = work.g_thread[e]
        records.index[m, e] = grown.index[e] if work.g_thread[e] >= 0 else work.g_loc[e]
    records.count[m] = work.st[op.EVENTS]
    for l in range(work.slot_first.shape[0]):
        if work.slot_first[l] >= 0:
            for i in range(work.slot_length[l]):
                records.place[m, work.sequence[l, i]] = i
    work.st[op.RECORDS] += 1


@inner
def count_leaf(prog, data, work, grown, findings, records):
    """Count a consistent execution."""
    st, record = work.st, prog.config[op.C_RECORD]
    kept = record != 0 and (record < 0 or st[op.CONSISTENT] < record)
    if kept and st[op.RECORDS] >= records.combo.shape[0]:
        return op.NEEDS_RECORDS
    stop = tally(prog, data, work, findings)
    if stop != NEXT and stop != op.NEW_STATE:
        return stop
    if kept:
        keep_record(work, grown, records)
    st[op.PHASE] = op.GROW_NEXT
    return stop


@njit
def grow(prog, data, tries, work, grown, findings, records, budget):
    """Go on with the search for at most `budget` steps; the result says why it stopped (opcodes, DONE and after)."""
    st = work.st
    for _ in range(budget):
        phase = st[op.PHASE]
        stop = NEXT
        if is_full(work, grown):
            return op.NEEDS_ROOM
        if phase == op.GROW_RUN:
            stop = run_on(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_NEXT:
            next_option(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_CHOOSE:
            stop = choose_read(prog, data, tries, work, grown, findings)
        elif phase == op.GROW_LEAF:
            check_leaf(prog, data, tries, work, grown)
        elif phase == op.GROW_COUNT:
            stop = count_leaf(prog, data, work, grown, findings, records)
        else:
            return op.DONE
        if stop != NEXT:
            return stop
        if st[op.LIMIT] >= 0 and st[op.EXPLORED] >= st[op.LIMIT] and st[op.PHASE] != op.GROW_DONE:
            return op.AT_LIMIT
        if 0 <= st[op.ALLOWED] <= st[op.WORK]:
            return op.PAUSED
    return op.PAUSED
