"""The kernels that are called from Python. Importing this module does not import numba."""

from __future__ import annotations

from enumerator.engine.compiling import Kernel

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

search = Kernel("search", "search")
index_states = Kernel("outcomes", "index_states")

begin_ground = Kernel("ground", "begin_ground")
ground = Kernel("ground", "ground")
spread = Kernel("ground", "spread")
specialize = Kernel("ground", "specialize")

ending = Kernel("lanes", "ending")
take_over = Kernel("lanes", "take_over")
search_lanes = Kernel("lanes", "search_lanes")

begin = Kernel("interleaving", "begin")
index_rows = Kernel("states", "index_rows")
interleave = Kernel("interleaving", "interleave")

evaluate_both = Kernel("frontier", "evaluate_both")
refute = Kernel("frontier", "refute")
rule_out = Kernel("frontier", "rule_out")
look_back = Kernel("frontier", "look_back")
wire_keys = Kernel("frontier", "wire_keys")
fill_block = Kernel("frontier", "fill_block")
settle = Kernel("frontier", "settle")
expand = Kernel("frontier", "expand")
next_options = Kernel("frontier", "next_options")
load_values = Kernel("frontier", "load_values")
value_keys = Kernel("frontier", "value_keys")
move_keys = Kernel("frontier", "move_keys")
keep_new = Kernel("frontier", "keep_new")
take_outcomes = Kernel("frontier", "take_outcomes")
