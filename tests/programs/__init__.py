"""Whole programs: threads that are created, locks, the heap, grids, and what clang compiles."""
