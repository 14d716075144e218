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
    "search_lanes",
    "settle",
    "specialize",
    "spread",
    "take_outcomes",
    "take_over",
    "value_keys",
    "wire_keys",
]


def _kernel(module: str, name: str) -> Kernel:
    return kernel(f"enumerator.search.kernels.{module}", name)


search = _kernel("backtracking", "search")
index_states = _kernel("outcomes", "index_states")

begin_ground = _kernel("ground", "begin_ground")
ground = _kernel("ground", "ground")
spread = _kernel("ground", "spread")
specialize = _kernel("ground", "specialize")

ending = _kernel("lanes", "ending")
take_over = _kernel("lanes", "take_over")
search_lanes = _kernel("lanes", "search_lanes")

begin = _kernel("interleaving", "begin")
index_rows = _kernel("states", "index_rows")
interleave = _kernel("interleaving", "interleave")

evaluate_both = _kernel("frontier", "evaluate_both")
refute = _kernel("frontier", "refute")
rule_out = _kernel("frontier", "rule_out")
look_back = _kernel("frontier", "look_back")
wire_keys = _kernel("frontier", "wire_keys")
fill_block = _kernel("frontier", "fill_block")
settle = _kernel("frontier", "settle")
expand = _kernel("frontier", "expand")
next_options = _kernel("frontier", "next_options")
load_values = _kernel("frontier", "load_values")
value_keys = _kernel("frontier", "value_keys")
move_keys = _kernel("frontier", "move_keys")
keep_new = _kernel("frontier", "keep_new")
take_outcomes = _kernel("frontier", "take_outcomes")
