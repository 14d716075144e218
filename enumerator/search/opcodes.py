"""Numbers shared by the bytecode and the kernels that run it: plain module constants, which numba freezes."""

from __future__ import annotations

# Instructions: (operation, destination, left, right). Relations and sets have register banks of their own.
R_OR, R_AND, R_MINUS, R_SEQ, R_INVERSE, R_OPTION, R_PLUS, R_STAR, R_NOT, R_COPY = range(10)
R_CROSS, R_IDENTITY, R_FROM, R_TO, R_FULL, R_EMPTY, R_MINUS_INVERSE = range(10, 17)
S_OR, S_AND, S_MINUS, S_NOT, S_DOMAIN, S_RANGE, S_FULL, S_EMPTY, S_COPY = range(20, 29)
FIX_BEGIN, FIX_RELATION, FIX_SET, FIX_END = range(30, 34)
CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY, CHECK_EMPTY_SET, CHECK_APART = range(40, 45)
FLAG_ACYCLIC, FLAG_IRREFLEXIVE, FLAG_EMPTY, FLAG_EMPTY_SET = range(50, 54)

# A circuit over single pairs (kernels/circuit.py): (operation, signal, left, right). A loop repeats while some signal
# changes.
G_AND, G_AND_NOT, G_NOT, G_COPY, G_OR_IN, G_OR_AND, G_ZERO, G_ASSIGN, G_LOOP, G_REPEAT = range(10)

# As they are evaluated, without branches: signal = (signal if KEEP) | left & (right, inverted if INVERT); the last
# three of the above stay.
G_KEEP, G_INVERT = 1, 2

NEVER = 1 << 20  # as the first decision after which a signal may be true

# Sections of a program, in the order in which the search runs them.
STATIC, PARTIAL_RF, PARTIAL_ORDER, PARTIAL_REST, WHOLE_RF, WHOLE_ORDER, RESULT_RF, RESULT_ORDER, PROBE, END = range(10)

# What a value of a path comes from.
V_NONE, V_KNOWN, V_COPY, V_FUNCTION = range(4)
V_MISSED = 4  # whether a thread stays at a barrier that another one never comes to

# What a request and a model ask of the search (indices of ``Program.config``): the set registers of the events that the
# order is over, of UNDEF (or -1), and of the last writes; whether orders are left out, whether to stop at new states,
# how many executions to record, the bit of ub-barrier among the early ends, whether axioms are tested on bounds,
# whether of orders only the last writes count; the numbers of the values 0 and 1; whether paths wait.
C_ORDER, C_UNDEF, C_FINAL, C_NO_ORDERS, C_NOTIFY, C_RECORD, C_BARRIER, C_BOUNDS, C_LAST_ONLY = range(9)
C_FALSE, C_TRUE, C_WAITS = range(9, 12)

END_STUCK = 3  # how a path ends that waits (``Paths.p_end``)
END_TRIED = -1  # how one ends at an attempt that counts only for what races with it: it is followed no further
END_REFUSED = -2  # how one ends at an assumption that is false: its executions do not count
END_BLOCKED = -3  # how one ends at a barrier that another thread never comes to (unfold/missed.py)

# State of the search (indices) and its phases.
PHASE, DEPTH, EXPLORED, REFUSED, CONSISTENT, CUT, STATES, RECORDS, EVENTS, READS, ITEMS, FREE = range(12)
UNKNOWN, RESULT_READY, INITIALS, CYCLIC, LIMIT, DECISIONS, LAST_READ, KEPT, FRESH, SOLVED = range(12, 22)
STEPS, SOLUTIONS, LONG, CONDITIONS, PLACE, DEAD_ENDS, CHOICES, HALVES, HELD, SINGLE, WEIGHT = range(22, 33)
AHEAD, ONLY, PRUNED, BEGUN, TURN = range(33, 38)
REST_RUNS, REST_FAILS, BOUND_RUNS, BOUND_FAILS, STEP_RUNS, STEP_FAILS = range(38, 44)
# Word operations done, about; those at which the search pauses, or -1; dead ends at which growing gives way, or -1.
WORK, ALLOWED, MOST_DEAD, STATE_SIZE = range(44, 48)

P_COMBO, P_SETUP, P_FILTER, P_ROOT, P_NEXT, P_CHECK, P_AHEAD, P_VALUES, P_FREE_NEXT, P_FREE_CHECK = range(10)
P_LEAF, P_COUNT, P_DONE = range(10, 13)

# Decisions: what a read reads; where a write stands in its location's order; which write is the last in it.
D_READ, D_PLACE, D_LAST = range(3)

# State of the search bit-parallel (kernels/batch.py).
L_DEPTH, L_RESUME, L_CURSOR, L_KEPT, L_CONSTANT, L_END, L_TOGETHER, L_STATE_SIZE = range(8)

BATCH_WORDS = 8
BATCH = 64 * BATCH_WORDS

# Positions in `at`, where grounding goes on: the section, the instruction, and of the loop at hand what is done in it,
# its first instruction, the operations before it, and how many pairs were new in this round.
AT_SECTION, AT_PC, AT_LOOP, AT_BEGIN, AT_MARK, AT_FOUND, AT_SIZE = range(7)

# Levels of the search for outcomes alone (kernels/memoized search.py): which write is the last in a location's order;
# what a read reads; which write comes next in the order; what its read half reads. And what becomes of a candidate.
F_LAST, F_READ, F_NEXT, F_HALF = range(4)
FATE_REFUSED, FATE_TAKEN, FATE_OPEN, FATE_SETTLED = range(4)

# State of the memoized search (indices): the level at hand, candidates in the block, which of them is next, what is to
# be done with it; candidates that have waited, how executions end, whether they have states; word operations done,
# about.
M_LEVEL, M_FILLED, M_CURSOR, M_PHASE, M_FOUND, M_END, M_HAS_STATE, M_WORK, M_STATE_SIZE = range(9)
M_LOOK, M_VALUES, M_OUTCOMES = range(3)

# Why the search returned.
DONE, PAUSED, NEEDS_VALUE, NEEDS_STATES, NEEDS_RECORDS, NEW_STATE, AT_LIMIT, LONG_COMBINATION = range(8)
CYCLIC_LEAF, NEEDS_TALLY, NEEDS_TABLE = 8, 9, 10

MOST_EXPLORED = 8  # for each consistent execution, where another strategy may be faster
MOST_COUNTED = 1 << 61  # executions that are counted in the kernels before Python takes the counts

UNDEF_ID = 0  # number of the value undef
UNKNOWN_ID = -1

MOST_LOOKED_AT = 1 << 23  # pairs of events, about, to find a small set of steps that the interleaving search goes on by

# State of the interleaving search (indices): states, those to be visited, outcomes, runs that ended at a bound,
# undefined behaviours, runs.
I_STATES, I_STACK, I_OUTCOMES, I_CUT, I_FLAGS, I_TERMINAL, I_SIZE = range(7)

# The search that grows executions: sections of its program, phases, state (indices of ``Grown.at``), decisions, what is
# undone. Of the state: length of the trail; the read that has got a source and is not in the graph yet, or -1; whether
# the axioms have to be tested; writes that wait for their values; what a node is wanted for (node, value); the register
# of happens-before or -1, and whether that is what it is in the graph at hand; where in ``val`` a value stands that a
# read only might read, plus one; length of the log of rows; whether the model's relations are brought up to date;
# whether reads may take what comes later in their threads; whether none may be undef; whether reads are decided last
# that nothing rests on; whether the axioms of section GROW_LATE are tested at the end only (LATE_…), as none of them
# has failed in so many updates; how many these were; how often such an axiom has failed.
GROW_SETS, GROW_AXIOMS, GROW_LATE, GROW_CLOSED, GROW_BOUNDS, GROW_WHOLE, GROW_RESULT, GROW_END = range(8)
GROW_SETTLED = 8  # the end of the section that follows: sets that are settled early
SETTLED_VALUE, SETTLED_UNDEF, STAYS_UNDEF = 1, 2, 4  # what is known of what a read returns
RULE_ALLOWS, RULE_FORCES, RULE_STAYS = range(3)  # what such a set says of its members (settled.py)
DEPENDENCIES, CONTROL = 4, 3  # of the relations that paths list the first are rmw, addr, data, ctrl
# What a pair of reads-from says of a cycle (closing.py).
CYCLE_RACES, CYCLE_SYNCHRONIZES, CYCLE_COHERENT, CYCLE_ALONE, CYCLE_FREE = range(5)
OTHER_VALUES = 63  # the bit for values that are no constants of the code (to_come.py)
LOCATION, INSTRUCTION, WHOLE = range(3)  # the first attributes of events that relations compare
GROW_PRESENT = 2  # the set register of the events that are in the graph
GROW_RUN, GROW_NEXT, GROW_CHOOSE, GROW_LEAF, GROW_COUNT, GROW_DONE = range(6)
X_TRAIL, X_CHOSEN, X_DEFERRED, X_NODE, X_VALUE, X_BLOCKS, X_GUESSES, X_ATOMIC = range(8)
X_BEFORE, X_FRESH, X_TRIED, X_LOG, X_STEPS, X_LOOSE, X_NO_UNDEF, X_IDLE, X_LATE = range(8, 17)
X_UPDATES, X_LATE_FAILS, X_SYMMETRIC, X_NUMBERS = range(17, 21)
# A read has taken a write, by its number plus one; of threads like its own others may: which number those have of whom
# that is not asked yet, and those that took it, how many these are, and where their reads are in their paths.
X_TAKES, X_TWINS, X_TAKERS, X_TAKEN, X_TWIN_INDEX = range(21, 26)
# Whether happens-before lies in what comes before in program order and reads-from.
X_IN_PAST = 26
# The relation whose steps over a write hide older ones from a read, or -1.
X_HIDES = 27
# The attributes of arrivals at barriers and of waits there, or -1 where these do not stand in the way.
X_ARRIVAL, X_WAIT, X_ORDERED, X_OWN = range(28, 32)
# The attribute of arrivals at barriers, whatever the model says of them, or -1 where there are none that count; and
# whether threads may stay at barriers; whose reads are decided first (SCHEDULE_…); which read takes none of the writes
# that are there, where it is asked whether it may wait, or -1.
X_MET, X_STAYS, X_SCHEDULE, X_WITHOUT, X_SIZE = 32, 33, 34, 35, 36
SCHEDULE_PRESSING, SCHEDULE_LAST = range(2)  # the most pressing ones; those of the last thread
LATE_NEVER, LATE_NOT, LATE_NOW = -1, 0, 1
SQUARE_OF_STEP = 14  # a step counts one more for each 2**14 in the square of the events
UPDATES_BEFORE_LATE = 200
# What the read of a read-modify-write is the half of: one, or a compare-exchange that may fail.
NO_HALF, HALF_OF_UPDATE, HALF_OF_ATTEMPT = range(3)
# What rests on what a read returns: more than the following, nothing, or nothing but the write of its own update.
NOT_IDLE, IDLE, IDLE_UPDATE = range(3)
X_READ, X_PLACE, X_BRANCH, X_GUESS, X_TWIN = range(5)
T_EVENT, T_INITIAL, T_NODE, T_TEMPLATE, T_PRESENT, T_SOURCE, T_CHOSEN, T_VALUE, T_PLACE, T_EXCLUDED = range(10)
T_PASSED, T_GUESS, T_AT, T_WEIGHT, T_ALIKE, T_ARRANGED = range(10, 16)
# Whose a location is, beside the number of a symmetric thread: an object of its own, or what stands for it.
OWN_OBJECT, CREATED_FIELD, ENDED_FIELD, OTHER_FIELD = range(4)
NEEDS_NODE, NEEDS_GUESSES, NEEDS_ROOM, AT_DEAD_ENDS, NEEDS_AHEAD = 11, 12, 13, 14, 15
MAY_RACE, NOT_ALIKE, REFUSED_RACES, MISSES_BARRIER = 16, 17, 18, 19
# The child of an edge that is unfolded when a thread takes it: what is known of it (tries.py, ``look_ahead``).
EDGE_NOWHERE, EDGE_OPEN, EDGE_WRITES, EDGE_STAYS = -1, -2, -3, -4

# What may serve an open read while an execution grows: nothing; a write that is there; one that may still come.
SERVED_NOT, SERVED_NOW, SERVED_LATER = 0, 1, 2

# What two models say of a program whose reads-from, orders and annotations are decided in part (kernels/agreeing.py):
# predefined and chosen values, operations, loops of least fixed points, checks, and where both may be known to agree.
J_SET, J_RELATION, J_RF, J_ORDER, J_UNDEF, J_LINEAR, J_EMPTY, J_FULL = range(8)
J_NOT, J_INVERSE, J_MAYBE, J_PLUS, J_STAR, J_IDENTITY, J_DOMAIN, J_RANGE = range(8, 16)
J_OR, J_AND, J_MINUS, J_CROSS, J_SEQ, J_ROWS, J_COLUMNS = range(16, 23)
J_NOTHING, J_STEP, J_AGAIN, J_SOME, J_LOOPS, J_UNEQUAL, J_SAME, J_REFUSED = range(23, 31)
# What checks are of: axioms of one model alone, of both; what makes a program undefined; what memory holds at the end.
J_OWN, J_OTHER, J_COMMON, J_UNDEFINED, J_OTHER_UNDEFINED, J_COMMON_UNDEFINED, J_FINAL, J_GROUPS = range(8)
J_OPEN, J_RETURNS_UNDEF = -1, -2  # in the place of the write that a read takes
J_AGREE, J_DIFFER, J_NO_ROOM = range(3)
