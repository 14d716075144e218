"""Unfolding: from the control-flow graphs of a test's threads to their finite paths."""

from enumerator.unfold.unfolder import DEFAULT_UNROLL, Unfolded, all_names, unfold, unfold_test

__all__ = ["DEFAULT_UNROLL", "Unfolded", "all_names", "unfold", "unfold_test"]
