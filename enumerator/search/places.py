"""Where the interleaving kernels find things: places in the header of the program, which is one array of int64.

Numba compiles kernels that take two flat arrays several times faster than kernels that take sixty. The program
``d`` begins with numbers (threads, locations …) and, for each table, the place where it begins; the places of the
search's own tables (``W_…``) are places in a second array, ``w``.
"""

from __future__ import annotations

# Numbers. IN_ORDER: program order orders; BARRIERS: barriers do; RETURNS: the final state is that at the return.
THREADS, MOST, WORDS, LOCATIONS, NAMES, SLOT_COUNT, RETURNS, BARRIERS, IN_ORDER = range(9)

# Of each event: kind (0 read, 1 write, 2 fence, 3 barrier), location, where its value comes from, barrier phases, the
# halves of a read-modify-write; and as sets the events that it waits for, and all that these wait for.
E_KIND, E_LOC, E_VKIND, E_VDATA, E_ARRIVE, E_WAIT, E_RMW, E_HALF, E_BEFORE, E_ANCESTORS = range(9, 19)

# Of each node of the trees of paths: its first event, how many events its paths share, a leaf's path and how it ends,
# barriers passed; which reads, and which reads and writes of locations, still matter behind it; as sets the events
# before every return behind it, and those that a leaf's return waits for.
N_EVENT, N_LENGTH, N_PATH, N_END, N_ARRIVE, N_WAIT, N_NEEDS, N_READS, N_WRITES, N_MUST_RUN, N_RETURN = range(19, 30)

# Lists of a node: conditions, reads that decide where it goes on, children.
C_FIRST, C_FUNCTION, D_FIRST, D_READ, K_FIRST, K_NODE = range(30, 36)

# Functions' inputs; workgroups; observed names: by path where a register's value comes from, its thread, its location,
# whether this search tells it; observed locations; reads whose values a state keeps.
F_FIRST, F_READS, INST, OBS_KIND, OBS_DATA, OBS_THREAD, OBS_LOC, O_MINE, OBSERVED, SLOTS = range(36, 46)

# The search's own: per thread its node; sets of events that have run; values read; memory; whether the returns have
# run and what they read; scratch.
W_NODE, W_DONE, W_VAL, W_MEM, W_RETURNED, W_SNAP, W_NEED, W_SEEN, W_LOCK, W_CHOSEN, W_WORK, W_CAN = range(46, 58)

HEADER = 58
