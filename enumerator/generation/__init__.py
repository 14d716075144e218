"""Tests that are made, not found: from cycles, from families, and all up to a size (see ``README.md``)."""

from __future__ import annotations

from enumerator.generation.building import to_test
from enumerator.generation.canonical import canonical
from enumerator.generation.plan import Generated, Plan, generate
from enumerator.generation.skeleton import Skeleton, check_skeleton

__all__ = ["Generated", "Plan", "Skeleton", "canonical", "check_skeleton", "generate", "to_test"]
