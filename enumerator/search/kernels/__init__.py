"""The kernels: relational operations over bitsets, values, and the search itself.

A relation over `n` events is `n` rows of `w` 64-bit words; a set is one row. Kernels are plain functions that
numba compiles once for all models and tests; ``tests/search`` holds a plain twin of each. The search keeps all of
its state in arrays (:mod:`enumerator.search.layout`), so that it can stop after any number of steps and go on later.
Importing this package imports numba.
"""

from __future__ import annotations

from enumerator.search.kernels.backtracking import search
from enumerator.search.kernels.decisions import insert, remove
from enumerator.search.kernels.interleaving import interleave
from enumerator.search.kernels.outcomes import count_state, index_states
from enumerator.search.kernels.relations import holds, narrow_operation, relation_operation, run, set_bit, set_operation
from enumerator.search.kernels.values import find_cycle, probe

__all__ = [
    "count_state",
    "find_cycle",
    "holds",
    "index_states",
    "insert",
    "interleave",
    "probe",
    "narrow_operation",
    "relation_operation",
    "remove",
    "run",
    "search",
    "set_bit",
    "set_operation",
]
