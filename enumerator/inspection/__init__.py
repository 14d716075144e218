"""Inspection of LLVM IR of any size: what its fences and annotations order, and what looks wrong."""

from enumerator.inspection.inspect import inspect_file, inspect_text

__all__ = ["inspect_file", "inspect_text"]
