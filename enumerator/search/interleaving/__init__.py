"""The interleaving engine: models in which memory is sequentially consistent, as states and steps.

A model of that kind says what must have run before an operation runs, and that memory holds one value a location at
any time. Its outcomes are those of a machine that runs one operation after the other, so the search goes over the
states of that machine, each visited once, and not over the executions.
"""

from __future__ import annotations

from enumerator.search.interleaving.search import enumerate_test
from enumerator.search.interleaving.shape import Shape, shape_of

__all__ = ["Shape", "enumerate_test", "shape_of"]
