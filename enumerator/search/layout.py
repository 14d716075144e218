"""The arrays that the kernels work on, by name. They are int64 where nothing else is said."""

from __future__ import annotations

from typing import Any, NamedTuple

from enumerator.jit.arguments import packed

__all__ = ["Batch", "Findings", "Grown", "GrownRecords", "Memo", "Paths", "Program", "Records", "Tries", "Work"]


@packed
class Program(NamedTuple):
    """A model, laid out (:mod:`enumerator.search.bytecode`)."""

    code: Any  # int32, (instructions, 4): rows (operation, destination, left, right)
    sections: Any  # int32, (10,): start of each section, then the end
    # int64, (k, 5): rows (register; the attributes that must be equal, of the first event and of the second, or -1;
    # whether the first event comes before; number among the relations that paths list, or -1)
    base_relations: Any
    kind_pairs: Any  # bool, (k, kinds, kinds): whether the kinds of two events allow a base relation
    kinds_before: Any  # uint64, (k, kinds, words): the kinds of the events that may come before one of a kind
    kinds_after: Any  # the same: after it
    kind_itself: Any  # bool, (k, kinds): whether that of an event allows it between the event and itself
    base_sets: Any  # registers
    kind_sets: Any  # bool, (base sets, kinds): whether events of a kind are in a set
    linear: Any  # (k, 3): rows (set register; register of a total order of these events; whether by location)
    config: Any  # C_…
    shown: Any  # uint64, (columns, 2): flags that states tell of: bits among the model's flags, and among early ends
    ends: Any  # uint64, (2,): early ends that have a state; those that are undefined behaviour


@packed
class Paths(NamedTuple):
    """All paths of a test, flat (:mod:`enumerator.search.lower`)."""

    thread_first: Any  # per thread: its first path
    thread_count: Any  # per thread: how many paths it has
    symmetric_with: Any  # per thread: the last one before it that is like it, or -1
    inst: Any  # (threads, 6): scope instances, smallest scope first
    p_event: Any  # per path, and one more: where its events begin
    p_cond: Any  # per path, and one more: where its conditions begin
    cond_function: Any  # per condition: the function that must not be 0
    p_end: Any  # per path: 0 runs to its end, 1 is cut, 2 + k ends early, with flag k
    stuck_first: Any  # per path, and one more: where the reads begin that it waits for at its end
    stuck_reads: Any  # their indices in the path
    p_arrive: Any  # per path: barriers arrived at
    p_wait: Any  # per path: barriers waited for
    p_tried: Any  # per path: whether it has an attempt that counts only for what races with it
    p_needed: Any  # (paths, numbered barriers): how many threads have to arrive at it; 0 if the path does not
    p_completes: Any  # (paths, numbered barriers): whether it completes it; 2 and more: the way that is agreed on
    obs_kind: Any  # (paths, names): where an observed register's value comes from (V_…)
    obs_data: Any  # (paths, names): a value, a read or a function, as the kind says
    obs_thread: Any  # per name: the thread of a register, -1 for a location
    obs_loc: Any  # per name: the location, where it is one
    e_kind: Any  # per event: 0 read, 1 write, 2 fence, 3 barrier
    e_loc: Any  # per event: its location, or -1
    e_rmw: Any  # per write half: index of its read half in the path, else -1
    e_instr: Any  # per event: instruction of the path
    e_whole: Any  # per event: the same if it is one of several parts of an access, else -1
    e_arrive: Any  # per event: barrier phase it arrives at, or -1
    e_wait: Any  # per event: barrier phase it waits for, or -1
    e_vkind: Any  # per write: where its value comes from (V_…)
    e_vdata: Any  # per write: a value, a read or a function, as the kind says
    e_type: Any  # per read: 0 integer, 1 pointer, 2 other
    e_key: Any  # (attributes, events and initial writes): what relations compare, or -1 for none
    kind_of: Any  # per event, and from the end per initial write, that of location l at -1 - l: number of its kind
    dep_first: Any  # per event, and one more: where what paths list beside it begins
    dep_kind: Any  # per event listed: the number of the relation (addr, rmw …); of ctrl, a trie lists what is new
    dep_source: Any  # per event listed: its index in the path
    loc_value: Any  # per location: its initial value
    f_first: Any  # per function, and one more: where its inputs begin
    f_reads: Any  # per input: the read's index in the path
    f_start: Any  # per function: the state before its first input
    f_strict: Any  # per function: 0 may be undef of inputs that are not, 1 not; 2 a condition that wants such undef
    consts: Any  # values out of thin air: the constants of the test
    const_type: Any  # per constant: 0 integer, 1 pointer


@packed
class Work(NamedTuple):
    """What the search changes. Arrays without a unit of their own are per event of the combination at hand."""

    st: Any  # the search's counters and phase (opcodes, PHASE and after)
    combo: Any  # per thread: its path at hand
    t_base: Any  # per thread: number of its first event
    g_event: Any  # per event of the combination: its event, or -1 - location for an initial write
    g_thread: Any  # thread, -1 for an initial write
    g_base: Any  # number of its thread's first event
    g_loc: Any  # location
    g_kind: Any  # number of its kind
    val: Any  # value, or UNKNOWN_ID
    source: Any  # per read: the write it reads, -2 for undef, -1 while open
    forced: Any  # per read on a cycle: the value that is tried
    reads: Any  # the reads, in order
    d_kind: Any  # per decision: what it is about (D_…)
    d_what: Any  # per decision: the number of the read or of the item
    choice: Any  # per decision: the option that is taken, -1 while none is
    forced_option: Any  # per decision: the only option that looking ahead has left it, -1 where it has not
    refused_at: Any  # (decisions, options): after which decision looking ahead refused the source of a read, or NEVER
    may_fail: Any  # per decision: whether it may have no option left, so that looking ahead is worth while
    listed: Any  # per read: whether the decision on it is listed
    ordered: Any  # per location: which decisions on its order are listed (decisions.py)
    accepted: Any  # per decision: how many of the options tried since the last one before it was taken were allowed
    sources: Any  # (reads, places): what it may read
    n_sources: Any  # per read: length of that list
    read_item: Any  # per read: the item of its write half, or -1
    cycle_members: Any  # (3, n): reads on a cycle; and by level the read and the choice that are tried
    reach: Any  # bool, (n, n): which read's value depends on which
    item_write: Any  # per item: the write to place in its location's order, or the event to place in a chosen order
    item_slot: Any  # per item: the location; behind all locations, a chosen order, or a location in one
    item_before: Any  # per item: the item that it must come after, or -1: of a thread like its own
    item_after: Any  # per item: the item that it must come before, or -1
    pinned: Any  # per location: the item that was chosen to be the last, or -1
    slot_first: Any  # per location: its initial write, or -1
    slot_length: Any  # per location, and what item_slot has behind them: writes (events) placed so far
    slot_order: Any  # per the same: 0 for coherence order, k + 1 for chosen order k
    sequence: Any  # (locations …, n): these writes in order
    path: Any  # (2, n): room for the values' dependencies
    R: Any  # uint64, (registers, n, words): relations
    flat: Any  # the same, (registers, n * words)
    S: Any  # uint64, (registers, words): sets
    alive: Any  # uint64, (words,): for the test of cycles
    flags: Any  # uint64, (4,): flags of the execution at hand, of early ends, by reads-from alone, and beside any state
    missing: Any  # the function that must be computed, and the first event of its thread


@packed
class Findings(NamedTuple):
    """What all searches add to."""

    keys: Any  # functions of values that were computed: (part of a function, value) in an open hash table
    results: Any  # per key: the part of the function that follows, or the value
    states: Any  # int32, (room, columns): final states, by the numbers of values
    counts: Any  # per state: executions
    raised: Any  # uint64, per state: flags of these executions
    index: Any  # int32: a hash table of the states
    row: Any  # (columns,): the state of the execution at hand


@packed
class Records(NamedTuple):
    """Consistent executions that are kept, until Python takes them."""

    combo: Any  # (room, threads): the path of each thread
    source: Any  # (room, events): the write that a read reads, -2 for undef, -1 for none
    place: Any  # (room, orders * events): the place of each event in its location's order, in each chosen one; or -1
    value: Any  # (room, events): the value of each event


@packed
class GrownRecords(NamedTuple):
    """The same of the search that grows executions, whose events have numbers in the order in which they were met."""

    combo: Any  # (room, threads): the path of each thread
    source: Any  # (room, events)
    place: Any  # (room, events)
    value: Any  # (room, events)
    thread: Any  # (room, events): the thread of each event, -1 for an initial write
    index: Any  # (room, events): the index of an event in its path; of an initial write, its location
    event: Any  # (room, events): what each event is an instance of
    count: Any  # (room,): how many events there are


@packed
class Batch(NamedTuple):
    """A combination of paths as a circuit, and the candidates that go through them side by side, a bit each."""

    circuit: Any  # uint32, (circuit, 4): rows (operation, signal, left, right), decision after decision
    circuit_first: Any  # per decision, and one more: where its operations begin
    inputs: Any  # int32, (inputs, 4): rows (signal, kind, decision, option), kind 1: (signal, 1, decision, decision)
    input_first: Any  # per decision, and one more: where its inputs begin
    bad: Any  # int32: signals that are true where an axiom fails
    bad_first: Any  # per decision, and one more: where its signals begin
    flag_signals: Any  # int32, (k, 2): rows (signal, bit of the flag), at the last decision
    final_signals: Any  # int32, (k, 3): rows (number of the observed name, signal, write), at the last decision
    options: Any  # per decision: how many options it has at most
    lowest: Any  # per decision on a place: the first place that may be taken
    peers: Any  # bool, (decisions, decisions): both place a write of one location
    following: Any  # per decision: the one at which its candidates wait next
    columns: Any  # uint8, (decisions + 1, decisions, candidates): the option of a read, the place of a write
    waiting: Any  # per decision: candidates that wait for it
    start: Any  # per decision: the first of those that are looked at
    option: Any  # per decision: the option that comes next
    accepted: Any  # uint64, (decisions, words): candidates of which some option was allowed
    kept_inputs: Any  # uint64, (inputs, words): those that earlier decisions decide
    filled: Any  # per decision: whether these are filled for the candidates that wait for it
    W: Any  # uint64, (signals, words)
    survivors: Any  # uint64, (words,): candidates that no axiom refuses
    kept: Any  # uint64: candidates that go on
    state: Any  # L_…


@packed
class Memo(NamedTuple):
    """A combination of paths as a circuit, and the candidates of the memoized search that wait, level by level.

    A candidate is a column of bytes: the place of each item in its location's order, the option of each read, and for
    each location the item that its order ends with; 255 is what is not decided.
    """

    circuit: Any  # int32, (operations, 4)
    inputs: (
        Any  # int32, (inputs, 4): rows (signal, 0, read, option), or (signal, 1, item, item): the first comes before
    )
    bad: Any  # int32: signals that are true where an axiom fails
    flag_signals: Any  # int32, (k, 2): rows (signal, bit of the flag)
    final_signals: Any  # int32, (k, 3): rows (number of the observed name, signal, write)
    outputs: Any  # int32: all of these signals
    levels: Any  # (levels, 3): what is decided, one after the other: rows (F_…, read or location, place)
    reads: Any  # the reads
    n_sources: Any  # per read: how many sources it has
    read_signal: Any  # (reads + 1, options): the signal that a read has a source, or -1
    item_slot: Any  # per item: the location
    item_before: Any  # per item: the item that it must come after, or -1: of a thread symmetric with its own
    item_after: Any  # per item: the item that it must come before, or -1
    item_read: Any  # per item: the read that is the other half of its read-modify-write, or -1
    members: Any  # (locations, options): the items of each location
    n_members: Any  # per location: how many these are
    tests: Any  # (k, 2): rows (condition of a path, read that it rests on)
    shown: Any  # the reads whose values outcomes show
    event_read: Any  # per event: its number among the reads, or -1
    write_first: Any  # per event, and one more: where the reads begin that the value it writes rests on
    write_reads: Any  # these reads
    waiting: Any  # uint8, (levels, room, bytes): candidates that wait
    options: Any  # uint64, (levels, room): options of each, a bit each
    count: Any  # per level: how many wait
    block: Any  # uint8, (bytes, candidates): those that are looked at
    masks: Any  # uint64, per candidate of the block: its options at the next level
    fate: Any  # per candidate of the block: FATE_…
    vals: Any  # (candidates, events): values
    chosen: Any  # (candidates, reads): the write that each read reads, -2 for undef, -1 while open
    needed: Any  # per event: whether its value is needed
    todo: Any  # events whose values are needed and that are not looked at yet; their number first
    keys: Any  # uint64, (candidates, 2)
    table: Any  # uint64, (room, 2): a hash table of the keys of all that have waited
    noise: Any  # uint64, (signals, 2, 2): random words that keys are made of
    T: Any  # uint64, (signals, words): signals that are certainly true, a bit for each candidate of the block
    P: Any  # the same: those that may be
    N: Any  # the same: those that must be false for no axiom to fail
    L: Any  # the same: those that an output still open depends on
    state: Any  # M_…


@packed
class Tries(NamedTuple):
    """What threads do, as far as it has been asked: tries of parts of paths (:mod:`enumerator.search.tries`)."""

    roots: Any  # per thread: its first node
    node_first: Any  # per node: its first event
    node_count: Any  # per node: how many events it has
    node_fork: Any  # per node: where the value comes from that decides how the thread goes on (V_…), -1 for none
    node_what: Any  # per node: a read or a function, as that says
    node_ended: Any  # per node: the path that ends there, or -1
    node_edge: Any  # per node: the first of the edges to its children, or -1
    node_free: Any  # per node: a row of `can_write`: what may be written later and does not depend on that value
    node_free_of_read: Any  # per node: the same while a compare-exchange has not read
    node_writes: Any  # per node: a row of `can_write`: what may be written after its events
    node_old: Any  # per node: the event of the path, by index, that is another one from this node on, or -1
    node_new: Any  # per node: that other event
    node_moves: Any  # per node: how far on indices count below it, where the nodes below are those of another one
    node_guessed: Any  # per node: whether it has an edge for each value that may decide
    node_tried: Any  # per node: whether it comes after, or ends at, an attempt that counts only for what races with it
    node_near: Any  # per node: a row of `can_write`: what may be written before its thread waits at a barrier again
    node_looked: Any  # per node that ends there: a row of `can_write`: the data that the attempt has read
    node_branches: Any  # per node: whether the value decides on a branch or a compare-exchange, not on an address
    edge_value: Any  # per edge: the value
    edge_child: Any  # per edge: a node; EDGE_NOWHERE where the thread has no way to go on; EDGE_OPEN and below
    edge_following: Any  # per edge: the next one of its node, or -1
    edge_writes: Any  # per edge: a row of `can_write`: what may be written after it
    may_be_undef: Any  # per event: whether it is a read that the model may give undef
    passive: Any  # per event: whether it is a read that makes no difference to which reads return undef
    decides: Any  # per event: whether it is a read, met so far, whose value decides how a thread goes on
    half: Any  # per event: whether it is the read of a read-modify-write, or of an attempt at one: NO_HALF, HALF_OF_…
    waits: Any  # per event: whether it is a read of a loop that waits
    can_write: Any  # uint8, (rows, locations): whether a location may be written
    cycles: Any  # int32, (rows, locations): the number of what the writes of such a row say of cycles
    closing: Any  # uint8, (numbers, kinds): what that says of one with a read (``closing.py``)
    closing_exact: Any  # the same for reads of these very kinds
    in_order: Any  # of each number and kind: whether what such an event comes before in its thread, it happens before
    coherent: Any  # of each number: whether what coherence says holds for all of these writes
    share: Any  # per row: the first of the shares that it consists of, -1 for none
    share_row: Any  # per share: a row of writes that write the same, or what is not known
    share_next: Any  # per share: the next one of its row, -1 for none
    constant_of: Any  # per row: the place of what it writes among `constants`, -1 for what is not known
    constants: Any  # values
    expects: Any  # (rows, locations): the place among `constants` of what all its writes there have to read, or -1
    holds: Any  # uint64, (rows, locations): the `constants` that it may write there; the last bit for other values
    onward: Any  # per event: of a compare-exchange's read, its kind where its thread goes on, -1 if it may have several
    rest: Any  # per event: the row of it and of what follows
    writer: Any  # per event: of a write, the row of itself alone
    unsequenced: Any  # per event: whether it may be in no program order with later ones of its thread
    idle: Any  # per event: what rests on what it reads (NOT_IDLE…)
    apart_first: Any  # per event, and one more: where the reads begin that it comes after and does not depend on
    apart_reads: Any  # these, by index
    belongs: Any  # per location: four times a symmetric thread and what it is of it (OWN_OBJECT…), -1 for none
    group: Any  # per thread: a number that those have which are like it at first, -1 for none
    creator: Any  # per thread: of a symmetric one, the thread that creates it, or -1


@packed
class Grown(NamedTuple):
    """How far an execution has grown. Events that are not in the graph yet have their numbers already."""

    at: Any  # X_…
    node: Any  # per thread: the node of its trie
    following: Any  # per thread: which of that node's events comes next
    length: Any  # per thread: events of its path so far
    begins: Any  # per thread: where the values of its path begin
    open_reads: Any  # per thread: reads that are not in the graph yet and that it does not run past
    event_at: Any  # (threads, room): the event at an index of a path
    index: Any  # per event: its index in its path, -1 for an initial write
    base: Any  # per event: where the values of its path begin as its indices count (Work.t_base when it was added)
    present: Any  # bool, per event: whether it is in the graph
    open: Any  # uint64, (words,): the reads that have no source yet
    written: Any  # uint64, (locations, words): the writes to a location whose values are known
    accessed: Any  # uint64, (locations, words): the reads and writes of a location that are in the graph
    deferred: Any  # uint64, (words,): the writes whose values are not known yet
    known: Any  # per location: whether its initial write has been in the graph before
    of_kind: Any  # uint64, (kinds, words): the events of a kind that are in the graph
    kinds: Any  # uint64, (words,): the kinds of events that are in the graph
    undef: Any  # per event: whether it is a read that the model may give undef
    half: Any  # per event: whether it is a read of a read-modify-write
    later: Any  # per event: whether it is a read that may take what its own thread writes later
    passed: Any  # per event: whether its thread runs past a read
    idle: Any  # per event: whether nothing that its thread does rests on a read
    excluded: Any  # uint64, (events, words): writes that a read does not read, as it waits for another one
    hidden: Any  # uint64, (events, words): writes that were stale to a read when its thread came to it
    guesses: Any  # (decisions, 4): values that were assumed: rows (thread, node, value, how far on its indices count)
    kind: Any  # per decision: X_READ, X_PLACE, X_BRANCH, X_GUESS
    what: Any  # per decision: an event, or a thread
    cursor: Any  # per decision: the option at hand
    stays_after: Any  # uint64, per event: of a read, the `constants` after which its thread waits on
    passes: Any  # the same, as far as it has other writes to read: a wait for a write does not end by these
    may_wait: Any  # per decision on a read: whether it may wait
    alone: Any  # per decision on a read: whether it has one option
    lowest: Any  # per decision on a place: the first that may be taken
    highest: Any  # the last one
    together: Any  # uint64, per decision on a read: threads alike that decide with it, a bit each (``symmetric``)
    rivals: Any  # per decision on a read: whether another thread came to write its location below it
    rival_values: Any  # (decisions, few): values that others wrote there below it, which it may take or not
    rival_count: Any  # per decision on a read: how many of these there are
    reach: Any  # per thread: up to which index its events come before something, in po | rf
    looked_to: Any  # per thread: up to which index these have been asked what they read
    to_come: Any  # per decision on a read and thread: the row of what it may still write then; -1 nothing, -2 anything
    contended: Any  # per location: whether that has happened to a decided read of it, at any time
    alike: Any  # per thread: a number that those have which are like it so far, -1 for none (``symmetric``)
    arranged: Any  # per thread: a number that those have with which a write of it is ordered as the threads are, or -1
    arranged_at: Any  # per thread: the index of that write
    decided: Any  # per event: the decision that gave a read its source; NEVER while it is open
    takes_newest: Any  # per decision on a read: whether the model lets it take the newest write
    mark: Any  # per decision: how long the trail was
    accepted: Any  # per decision: how many options were allowed
    trail: Any  # (room, 4): what is to be undone: (T_…, what, before, before)
    options: Any  # per event: how many writes a read may take now
    leading: Any  # per event: after how many of these its thread goes on
    served: Any  # per event: SERVED_… : what the thread of a read may go on after
    leads_to: Any  # uint8, (threads, locations): what may be written after the writes that a last read may take now
    known_ahead: Any  # per thread: whether that is known
    wanting: Any  # uint64, (words,): open reads that what comes from threads running past others makes a difference to
    able: Any  # uint64, (words,): open reads that nobody serves as yet, and that what is still to come may serve
    past_asked: Any  # uint64, (words,): open reads of which it has been asked whether anything is open before them
    past_closed: Any  # uint64, (words,): those of them before which nothing is, in po | rf
    cyclic: Any  # per event: whether a read may be served by what comes after reads that it serves in turn
    links: Any  # uint64, (5, events, words): of reads that wait for each other, which rests on which (``serve``)
    fresh: Any  # per decision: X_FRESH when it was taken
    log_mark: Any  # per decision: how long the log was
    log: Any  # (room, 2): rows that changed: rows (register, event), (-1 - register, 0) for a set
    logged: Any  # uint64, (room, words): what they were
    touched: Any  # uint64, (relations, words): rows that may be others than when relations were brought up to date
    touched_sets: Any  # uint64, (sets, words): the same, members of sets
    kept: Any  # uint64, (decisions, registers, words): the same, of what is predefined, when a decision was taken
    rows: Any  # uint64, (words,): rows that are computed
    new: Any  # uint64, (words,): those of them that have changed
    old: Any  # uint64, (words,): events that were there before
    row: Any  # uint64, (words,): the row at hand
    # Of a relation that coherence must not go against: whether it is a closure that contains program order, its
    # register, and those of sets; nothing where no such relation is known
    coherence: Any
    rules: Any  # (sets, 2): registers of sets that are settled early, and what they say of undef: RULE_…
    settled: Any  # per event: of a read of which that is settled and holds, the depth at which it was asked, plus one
    stays: Any  # the same, of a read of which what stays has been asked
    returns: Any  # per event: what is known of the reads of which that has been asked: SETTLED_… and STAYS_UNDEF
    stays_of: Any  # per event: how many writes of its location there were then
    # uint64, (decisions, words): writes that a read certainly does not read (``coherent``), given its kind, and of any.
    stale: Any
    unseen: Any
