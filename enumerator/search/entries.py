"""The kernels that are called from Python. Importing this module does not import numba."""

from __future__ import annotations

from enumerator.jit.compiler import kernel
from enumerator.jit.kernel import Kernel

__all__ = [
    "begin",
    "begin_ground",
    "ending",
    "evaluate_both",
    "expand",
    "fill_block",
    "ground",
    "index_rows",
    "index_states",
    "interleave",
    "keep_new",
    "load_values",
    "look_back",
    "move_keys",
    "next_options",
    "refute",
    "rule_out",
    "search",
    "search_batch",
    "settle",
    "specialize",
    "spread",
    "take_outcomes",
    "take_over",
    "value_keys",
    "signal_keys",
]


def _kernel(module: str, name: str) -> Kernel:
    return kernel(f"enumerator.search.kernels.{module}", name)


search = _kernel("backtracking", "search")
index_states = _kernel("outcomes", "index_states")

begin_ground = _kernel("circuit", "begin_ground")
ground = _kernel("circuit", "ground")
spread = _kernel("circuit", "spread")
specialize = _kernel("circuit", "specialize")

ending = _kernel("bit_parallel", "ending")
take_over = _kernel("bit_parallel", "take_over")
search_batch = _kernel("bit_parallel", "search_batch")

begin = _kernel("interleaving", "begin")
index_rows = _kernel("states", "index_rows")
interleave = _kernel("interleaving", "interleave")

evaluate_both = _kernel("memoized", "evaluate_both")
refute = _kernel("memoized", "refute")
rule_out = _kernel("memoized", "rule_out")
look_back = _kernel("memoized", "look_back")
signal_keys = _kernel("memoized", "signal_keys")
fill_block = _kernel("memoized", "fill_block")
settle = _kernel("memoized", "settle")
expand = _kernel("memoized", "expand")
next_options = _kernel("memoized", "next_options")
load_values = _kernel("memoized", "load_values")
value_keys = _kernel("memoized", "value_keys")
move_keys = _kernel("memoized", "move_keys")
keep_new = _kernel("memoized", "keep_new")
take_outcomes = _kernel("memoized", "take_outcomes")
