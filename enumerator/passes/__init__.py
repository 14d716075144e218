"""Passes: what a compiler may conclude from a test and a model."""
