"""Dataflow ordering: passes that add dependency tokens to LLVM IR, and the check that they are sound."""

from enumerator.passes.ordering.order import Mode, Ordered, OrderedOperation, has_tokens, order

__all__ = ["Mode", "Ordered", "OrderedOperation", "has_tokens", "order"]
