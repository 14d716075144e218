"""The native litmus format: LLVM IR with directives in its comments."""

from __future__ import annotations

from enumerator.frontend.llvm.test import load_text

__all__ = ["load_text"]
