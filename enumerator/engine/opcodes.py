"""Numbers shared by the bytecode and the kernels that run it: plain module constants, which numba freezes."""

from __future__ import annotations

# Instructions: (operation, destination, left, right). Relations and sets have register banks of their own.
R_OR, R_AND, R_MINUS, R_SEQ, R_INVERSE, R_OPTION, R_PLUS, R_STAR, R_NOT, R_COPY = range(10)
R_CROSS, R_IDENTITY, R_FROM, R_TO, R_FULL, R_EMPTY = range(10, 16)
S_OR, S_AND, S_MINUS, S_NOT, S_DOMAIN, S_RANGE, S_FULL, S_EMPTY, S_COPY = range(20, 29)
FIX_BEGIN, FIX_RELATION, FIX_SET, FIX_END = range(30, 34)
CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY, CHECK_EMPTY_SET = range(40, 44)
FLAG_ACYCLIC, FLAG_IRREFLEXIVE, FLAG_EMPTY, FLAG_EMPTY_SET = range(50, 54)

# Predefined relations that the kernel assembles from the events' attributes.
B_PO, B_LOC, B_INT, B_EXT, B_RMW, B_ADDR, B_DATA, B_CTRL, B_MMRA, B_INCL, B_INSCOPE, B_BAR = range(12)
B_SAME_SPACE, B_TEXT_ORDER, B_UNSEQUENCED = 12, 13, 14
B_SAME = 20  # + level of the scope

# Sections of a program, in the order in which the search runs them.
STATIC, PARTIAL_RF, PARTIAL_ORDER, WHOLE_RF, WHOLE_ORDER, RESULT_RF, RESULT_ORDER, PROBE = range(8)

# What a value of a path comes from.
V_NONE, V_KNOWN, V_COPY, V_FUNCTION = range(4)

# State of the search (indices) and its phases.
PHASE, DEPTH, EXPLORED, CONSISTENT, CUT, STATES, RECORDS, EVENTS, READS, ITEMS, ITEM, FREE = range(12)
FIRST_ITEM, UNKNOWN, RESULT_READY, INITIALS, CYCLIC, LIMIT, STATE_SIZE = range(12, 19)

P_COMBO, P_SETUP, P_RF_NEXT, P_RF_CHECK, P_RF_LEAF, P_FREE_NEXT, P_FREE_CHECK = range(7)
P_PLACE_NEXT, P_PLACE_CHECK = 12, 13
P_ORDER_BEGIN, P_ORDER_NEXT, P_ORDER_CHECK, P_LEAF, P_DONE = range(7, 12)

# Why the search returned.
DONE, PAUSED, NEEDS_VALUE, NEEDS_STATES, NEEDS_RECORDS, NEW_STATE, AT_LIMIT = range(7)

UNDEF_ID = 0  # number of the value undef
UNKNOWN_ID = -1
