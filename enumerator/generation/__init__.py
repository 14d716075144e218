"""Tests that are made, not found: from cycles, from families, and all up to a size.

====================== ================================================================================================
``skeleton``           an abstract test: threads of events, where they run, the outcome that is asked for
``canonical``          when two of them are the same but for names
``building``           a skeleton as a :class:`~enumerator.program.test.Test`, without text and without LLVM
====================== ================================================================================================
"""

from __future__ import annotations

from enumerator.generation.building import to_test
from enumerator.generation.canonical import canonical
from enumerator.generation.skeleton import Skeleton, check_skeleton

__all__ = ["Skeleton", "canonical", "check_skeleton", "to_test"]
