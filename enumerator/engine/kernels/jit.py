"""How kernels are compiled, and where the result is kept."""

from __future__ import annotations

import numba

from enumerator.engine.cache import announce, kernel_cache

__all__ = ["inlined", "inner", "njit"]

_FOLDER = kernel_cache()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)
announce(_FOLDER)

# Kernels make no arrays and keep none: they borrow those of their caller. So nobody counts references to them, which
# otherwise takes an atomic operation each time an array is taken out of a tuple, several times as long as the search.
_OPTIONS = {"cache": _FOLDER is not None, "_nrt": False}

njit = numba.njit(**_OPTIONS)
"""Compile a kernel at its first call, or load it if an earlier run has compiled it."""

inner = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)
"""The same for kernels that only kernels call: the entry from Python takes longer to compile than most of them."""

inlined = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True, **_OPTIONS)
"""The same for kernels that are called often: all arrays of the search as arguments take longer than most of them."""
