"""The decorators of kernels: compiled as a whole where this numba allows it, else in numba's documented way."""

from __future__ import annotations

import gc
import importlib
from functools import partial
from typing import Any

import numba

from enumerator.jit.cache import kernel_folder
from enumerator.jit.kernel import Compiled

__all__ = ["WHOLE", "compile_kernel", "inlined", "inner", "njit"]


def _whole() -> Any:
    """Give the way of compiling kernels as a whole, where it works with this version of numba; else None."""
    try:
        import enumerator.jit.collect as collect

        def last(row: Any, number: int) -> Any:
            return row[number - 1 :][0]

        return collect if collect.compile_function(collect.Function(last), (("<u8", 1), "int")).code else None
    except Exception:  # whatever another version does: numba's own way works with all of them
        return None


WHOLE = _whole()
"""How kernels are compiled as a whole (:mod:`enumerator.jit.collect`), or None."""

if WHOLE is None:
    _folder = kernel_folder()
    if _folder is not None:
        numba.config.CACHE_DIR = str(_folder)
    njit: Any = numba.njit(cache=_folder is not None)
    inlined: Any = numba.njit(cache=_folder is not None, forceinline=True)
else:
    njit = WHOLE.Function
    inlined = partial(WHOLE.Function, forceinline=True)

inner = njit
"""Mark a function that only kernels call: ``njit`` is for those that Python calls, ``inlined`` for those that are to be
a part of each that calls them."""


def compile_kernel(module: str, name: str, layout: tuple[Any, ...]) -> Compiled | Any:
    """Compile a kernel for a layout of its arguments.

    Parameters
    ----------
    module, name : str
        Where the function is.
    layout : tuple
        For each argument what :class:`enumerator.jit.table.Table` takes for a field.

    Returns
    -------
    Compiled or callable
        Where kernels are not compiled as a whole, numba's function that compiles itself, for any arguments.
    """
    collecting = gc.isenabled()
    gc.disable()  # nearly all that numba makes stays
    try:
        kernel = getattr(importlib.import_module(module), name)
        return kernel if WHOLE is None else WHOLE.compile_function(kernel, layout)
    finally:
        if collecting:
            gc.enable()
