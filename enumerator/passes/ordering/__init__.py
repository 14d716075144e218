"""Dataflow ordering: passes that add dependency tokens to LLVM IR, and the check that they are sound."""

from enumerator.passes.ordering.check import Counterexample, Difference, Soundness, SoundnessVerdict, check_soundness
from enumerator.passes.ordering.initial import Initial
from enumerator.passes.ordering.order import Mode, Ordered, OrderedOperation, has_tokens, order

__all__ = [
    "Counterexample",
    "Difference",
    "Initial",
    "Mode",
    "Ordered",
    "OrderedOperation",
    "Soundness",
    "SoundnessVerdict",
    "check_soundness",
    "has_tokens",
    "order",
]
