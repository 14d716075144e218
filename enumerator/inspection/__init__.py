"""Inspection of LLVM IR of any size: what its fences and annotations order, and likely mistakes."""

from enumerator.inspection.inspect import inspect_text

__all__ = ["inspect_text"]
