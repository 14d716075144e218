"""Translation of tests between languages: a Vulkan test to LLVM IR.

What stands for what is stated in ``README.md`` beside this file, with its sources.
"""

from __future__ import annotations

from enumerator.passes.translate.module import to_llvm

__all__ = ["to_llvm"]
