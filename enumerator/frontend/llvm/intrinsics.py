"""LLVM intrinsics that the checker knows."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.program.instructions import Annotation, Barrier, Constant, Expression

__all__ = ["AV_LOADS", "AV_STORES", "BARRIERS", "IDENTITIES", "barrier", "is_identity", "is_ignored"]

#: Availability/visibility accesses of the AMDGPU memory model: not atomic, with a scope operand.
AV_LOADS = frozenset(("llvm.amdgcn.av.global.load.b128", "llvm.amdgcn.av.load.b128"))
AV_STORES = frozenset(("llvm.amdgcn.av.global.store.b128", "llvm.amdgcn.av.store.b128"))

#: Execution barriers of a workgroup: whether they arrive and whether they wait.
BARRIERS = {
    "llvm.amdgcn.s.barrier": (True, True),
    "llvm.amdgcn.s.barrier.signal": (True, False),
    "llvm.amdgcn.s.barrier.wait": (False, True),
}

#: Where a thread runs: what they give, as a register of the thread itself (``%``), not of a function.
IDENTITIES = {
    f"llvm.amdgcn.{what}.id.{axis}": f"%{what}.id.{axis}" for what in ("workitem", "workgroup") for axis in "xyz"
}

# They neither access memory that a test could see nor give a value.
_IGNORED = (
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.experimental.noalias.scope.decl",
    "llvm.fake.use",
)

# They give their first argument.
_IDENTITY = ("llvm.expect.", "llvm.ssa.copy.", "llvm.launder.invariant.group.", "llvm.strip.invariant.group.")


def is_ignored(name: str) -> bool:
    """Tell whether calls of an intrinsic may be left out.

    Examples
    --------
    >>> is_ignored("llvm.lifetime.start.p0"), is_ignored("llvm.memcpy.p0.p0.i64")
    (True, False)
    """
    return name.startswith(_IGNORED)


def is_identity(name: str) -> bool:
    """Tell whether an intrinsic only gives its first argument (``llvm.expect`` and its like)."""
    return name.startswith(_IDENTITY)


def barrier(name: str, arguments: Sequence[Expression], annotation: Annotation, line: int | None) -> Barrier | None:
    """Give the barrier that a call stands for; None for other barriers than the workgroup's own (number -1)."""
    arrives, waits = BARRIERS[name]
    if any(not isinstance(argument, Constant) or argument.value != -1 for argument in arguments):
        return None
    return Barrier(arrives, waits, annotation, line)
