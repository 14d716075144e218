"""The methods that dataclasses give to classes, compiled once and kept: compiling them takes a fifth of a short run.

The module ``dataclasses`` writes the source of ``__init__`` and the like for each class, and executes it whenever the
class is made. What the source compiles to depends on nothing else.
"""

from __future__ import annotations

import atexit
import dataclasses
import hashlib
import marshal
import sys
from typing import Any

from enumerator.cache import load_whole, store_whole

__all__ = ["keep"]

_GROUP = "methods"

_MOST = 8192
"""Texts that are kept: there are some four for each class of the whole program, and more of them as it changes."""


def keep() -> None:
    """Let this process execute methods as an earlier one has compiled them, and keep what it has to compile itself."""
    if "exec" in vars(dataclasses):  # is done already
        return
    key = repr((sys.version, sys.implementation.cache_tag, sys.flags.optimize))
    name = hashlib.sha256(key.encode()).hexdigest()[:24]
    kept = _kept(load_whole(_GROUP, name))
    made: dict[str, bytes] = {}

    def execute(text: str, *spaces: Any) -> None:
        if text in kept:
            exec(marshal.loads(kept[text]), *spaces)
            return
        code = compile(text, "<string>", "exec", dont_inherit=True)
        made[text] = marshal.dumps(code)
        exec(code, *spaces)

    def store() -> None:
        if made:
            store_whole(_GROUP, name, marshal.dumps(made if len(kept) + len(made) > _MOST else kept | made))

    # Where a version of the module executes nothing, or otherwise, this changes nothing.
    dataclasses.exec = execute  # type: ignore[attr-defined]
    atexit.register(store)


def _kept(data: bytes | None) -> dict[str, bytes]:
    try:
        found = marshal.loads(data or b"")
    except (EOFError, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
