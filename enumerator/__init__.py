"""A checker of litmus tests for memory models: LLVM IR with sync scopes and MMRA annotations, AMDGPU, C11, Vulkan.

>>> from enumerator import combine, compatible
>>> compatible("foo:x", "foo:y")
False

The public names are imported where they are first used, since the engines take a while to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enumerator.api import check, load
    from enumerator.errors import InputError
    from enumerator.mmra import combine, compatible, load_profile
    from enumerator.results.result import Result, State

__all__ = ["InputError", "Result", "State", "check", "combine", "compatible", "load", "load_profile"]

__version__ = "0.1.0"

_HOMES = {
    "InputError": "enumerator.errors",
    "Result": "enumerator.results.result",
    "State": "enumerator.results.result",
    "check": "enumerator.api",
    "combine": "enumerator.mmra",
    "compatible": "enumerator.mmra",
    "load": "enumerator.api",
    "load_profile": "enumerator.mmra",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'enumerator' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
