"""Unfolding: the control-flow graphs of the threads of a test become finitely many paths without loops and calls."""

from enumerator.unfold.finding import find_threads
from enumerator.unfold.named import all_names
from enumerator.unfold.unfolder import (
    DEFAULT_UNROLL,
    Effort,
    Unfolded,
    combinations_of,
    unfold,
)

__all__ = [
    "DEFAULT_UNROLL",
    "Effort",
    "Unfolded",
    "all_names",
    "combinations_of",
    "find_threads",
    "unfold",
]
