"""The kernels that are called from Python. Importing this module does not import numba."""

from __future__ import annotations

from enumerator.jit.compiler import kernel
from enumerator.jit.kernel import Kernel


def _kernel(module: str, name: str) -> Kernel:
    return kernel(f"enumerator.search.kernels.{module}", name)


search = _kernel("backtracking", "search")
grow = _kernel("growing", "grow")

run_extents = _kernel("extents", "run_extents")

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

search_memoized = _kernel("memoized", "search_memoized")
move_keys = _kernel("memoized", "move_keys")

agree = _kernel("agreeing", "agree")
