"""The kernels that are called from Python. Importing this module does not import numba."""

from __future__ import annotations

from enumerator.engine.native import Kernel

__all__ = [
    "begin",
    "begin_ground",
    "ending",
    "ground",
    "index_rows",
    "index_states",
    "interleave",
    "search",
    "search_lanes",
    "specialize",
    "spread",
    "take_over",
]

search = Kernel("search", "search")
index_states = Kernel("search", "index_states")

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
