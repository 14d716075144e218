"""Dataflow ordering: the tokens that order memory operations on a spatial dataflow machine (semantics, section 6)."""
