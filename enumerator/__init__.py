"""A checker of litmus tests for memory models: LLVM IR with sync scopes and MMRA, AMDGPU, C11, OpenCL, Vulkan, PTX.

>>> from enumerator import combine, compatible
>>> compatible("foo:x", "foo:y")
False

The public names are imported where they are first used, since the engines take a while to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enumerator.api import check, load
    from enumerator.corpus.stream import check_all
    from enumerator.drawing import draw
    from enumerator.errors import InputError
    from enumerator.explanation import explain
    from enumerator.mmra import combine, compatible, load_profile
    from enumerator.refinement.neighbours import merge, reorder
    from enumerator.refinement.optimize import Optimizer, optimize
    from enumerator.refinement.refine import contexts, refines
    from enumerator.refinement.weakest import relax, repair
    from enumerator.results.result import Result, State

__all__ = [
    "InputError",
    "Optimizer",
    "Result",
    "State",
    "check",
    "check_all",
    "combine",
    "compatible",
    "contexts",
    "draw",
    "explain",
    "load",
    "load_profile",
    "merge",
    "optimize",
    "refines",
    "relax",
    "reorder",
    "repair",
]

__version__ = "0.1.0"

_HOMES = {
    "InputError": "enumerator.errors",
    "Optimizer": "enumerator.refinement.optimize",
    "Result": "enumerator.results.result",
    "State": "enumerator.results.result",
    "check": "enumerator.api",
    "check_all": "enumerator.corpus.stream",
    "combine": "enumerator.mmra",
    "compatible": "enumerator.mmra",
    "contexts": "enumerator.refinement.refine",
    "draw": "enumerator.drawing",
    "explain": "enumerator.explanation",
    "load": "enumerator.api",
    "load_profile": "enumerator.mmra",
    "merge": "enumerator.refinement.neighbours",
    "optimize": "enumerator.refinement.optimize",
    "refines": "enumerator.refinement.refine",
    "relax": "enumerator.refinement.weakest",
    "reorder": "enumerator.refinement.neighbours",
    "repair": "enumerator.refinement.weakest",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'enumerator' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
