"""LLVM intrinsics that the checker knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from enumerator.errors import InputError
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frontend.llvm.vectors import spread
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Constant,
    Expression,
    Instruction,
    MemoryEntry,
    MergeOrder,
    Operation,
    OrderInput,
    OrderOutput,
    Prefetch,
    Register,
)
from enumerator.program.integers import INTEGER_OPERATIONS
from enumerator.program.types import IntType, PointerType, StructType, Type, VectorType

__all__ = [
    "AV_OPERATIONS",
    "BARRIERS",
    "DESCRIPTORS",
    "GATED_PREFETCH",
    "EXTREMES",
    "FLOATS",
    "IDENTITIES",
    "LANES",
    "ON_INTEGERS",
    "SCOPE_VALUES",
    "THREE_WAY",
    "TOKENS",
    "TRAP",
    "av_access",
    "barrier",
    "bit_of",
    "extreme",
    "is_identity",
    "is_ignored",
    "is_own_barrier",
    "lane",
    "on_floats",
    "on_integers",
    "prefetch",
    "three_way",
    "token_operation",
]

# Availability/visibility accesses of the AMDGPU memory model: not atomic, with a scope operand. Compilers write the
# type of the address behind the name.
_AV_ACCESS = re.compile(
    r"llvm\.amdgcn\.(?:av\.(?:global\.)?(load|store)\.b(?:8|16|32|64|128)"
    r"|global\.(load)\.visible\.b128|global\.(store)\.available\.b128)(?:\.p\d+)?"
)

#: Availability and visibility operations of the drafts of that model (ROCm's tree), with the label of each.
AV_OPERATIONS = {"llvm.amdgcn.make.available": "MAKE_AVAILABLE", "llvm.amdgcn.make.visible": "MAKE_VISIBLE"}

#: They give a scope, as a value of a type of its own (the same drafts, "Scope Argument").
SCOPE_VALUES = "llvm.amdgcn.scope."

#: Execution barriers of a workgroup: whether they arrive and whether they wait.
BARRIERS = {
    "llvm.amdgcn.s.barrier": (True, True),
    "llvm.amdgcn.s.barrier.signal": (True, False),
    "llvm.amdgcn.s.barrier.wait": (False, True),
}

#: They give a resource descriptor for a pointer: here, the pointer itself.
DESCRIPTORS = "llvm.amdgcn.make.buffer.rsrc."

#: Where a thread runs: what they give, as a register of the thread itself (``%``), not of a function.
IDENTITIES = {
    **{f"llvm.amdgcn.{what}.id.{axis}": f"%{what}.id.{axis}" for what in ("workitem", "workgroup") for axis in "xyz"},
    **{
        f"llvm.nvvm.read.ptx.sreg.{name}.{axis}": f"%{what}.{axis}"
        for name, what in (
            ("tid", "workitem.id"),
            ("ctaid", "workgroup.id"),
            ("ntid", "workgroup.size"),
            ("nctaid", "workgroup.count"),
        )
        for axis in "xyz"
    },
    "llvm.nvvm.read.ptx.sreg.laneid": "%lane.id",
    "llvm.nvvm.read.ptx.sreg.warpid": "%wave.id",
    "llvm.nvvm.read.ptx.sreg.nwarpid": "%wave.count",
    "llvm.nvvm.read.ptx.sreg.warpsize": "%wave.size",
    "llvm.amdgcn.wavefrontsize": "%wave.size",
    "llvm.amdgcn.wave.id": "%wave.id",
    "llvm.amdgcn.dispatch.ptr": "%dispatch",
    "llvm.amdgcn.implicitarg.ptr": "%implicit.arguments",
}

#: How many lanes of a mask come before the thread's own, plus a number: the lower and the upper half of a wave.
LANES = {"llvm.amdgcn.mbcnt.lo": "%lane.id.low", "llvm.amdgcn.mbcnt.hi": "%lane.id.high"}

TRAP = "llvm.trap"

#: Ordering tokens of a spatial dataflow machine (semantics, section 6), with the number of arguments (-1: any).
TOKENS = {"llvm.csa.mementry": 0, "llvm.csa.inord": 1, "llvm.csa.outord": 0, "llvm.csa.all0": -1}
GATED_PREFETCH = "llvm.csa.gated.prefetch."

# They neither access memory that a test could see nor give a value.
_IGNORED = (
    "llvm.lifetime.",
    "llvm.stackrestore",
    "llvm.dbg.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.",
    "llvm.fake.use",
    # Pauses.
    "llvm.amdgcn.s.sleep",
    "llvm.nvvm.nanosleep",
    "llvm.x86.sse2.pause",
    "llvm.aarch64.hint",
)

# They give their first argument.
_IDENTITY = (
    "llvm.expect.",
    "llvm.threadlocal.address.",
    "llvm.ssa.copy.",
    "llvm.launder.invariant.group.",
    "llvm.strip.invariant.group.",
)


def av_access(name: str) -> str | None:
    """Tell whether an intrinsic is a ``load`` that makes itself visible, or a ``store`` that makes itself available.

    Examples
    --------
    >>> av_access("llvm.amdgcn.av.store.b128.p1"), av_access("llvm.amdgcn.av.global.load.b128")
    ('store', 'load')
    """
    match = _AV_ACCESS.fullmatch(name)
    return None if match is None else match[1] or match[2] or match[3]


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


def is_own_barrier(arguments: Sequence[Expression]) -> bool:
    """Tell whether arguments name the workgroup's own barrier (number -1, or none)."""
    return all(isinstance(argument, Constant) and argument.value == -1 for argument in arguments)


def barrier(name: str, annotation: Annotation, line: int | None) -> Barrier:
    """Give the barrier of the workgroup that a call stands for."""
    arrives, waits = BARRIERS[name]
    return Barrier(arrives, waits, annotation, line)


#: What gives the greater or the lesser of two integers, by the comparison that chooses the first.
EXTREMES = {"llvm.smax.": "sgt", "llvm.smin.": "slt", "llvm.umax.": "ugt", "llvm.umin.": "ult"}


def bit_of(type_: Type) -> Type:
    """Give the type of what compares two values: a bit, or one for each element."""
    return VectorType(type_.count, IntType(1)) if isinstance(type_, VectorType) else IntType(1)


def extreme(name: str, arguments: Sequence[tuple[Expression, Type]]) -> tuple[Expression, Type] | None:
    """Give the value of ``llvm.smax`` and its like, and its type; None for other intrinsics.

    Examples
    --------
    >>> i8 = IntType(8)
    >>> extreme("llvm.umin.i8", [(Constant(1, i8), i8), (Constant(2, i8), i8)])[0].operator
    'select'
    """
    predicate = next((EXTREMES[prefix] for prefix in EXTREMES if name.startswith(prefix)), None)
    if predicate is None or len(arguments) != 2 or not isinstance(arguments[0][1], IntType | VectorType):
        return None
    (left, type_), (right, _) = arguments
    bit = bit_of(type_)
    chosen = Operation(f"icmp {predicate}", (left, right), bit, type_)
    return Operation("select", (chosen, left, right), type_, bit), type_


#: Operations on floating-point numbers, or vectors of them, by the name that arithmetic has for them.
FLOATS = {
    "llvm.fabs.": "fabs",
    "llvm.maxnum.": "fmax",
    "llvm.minnum.": "fmin",
    "llvm.maximum.": "fmaximum",
    "llvm.minimum.": "fminimum",
    "llvm.fma.": "fma",
    "llvm.fmuladd.": "fma",
    **{
        f"llvm.{name}.": f"llvm.{name}"
        for name in "exp exp2 exp10 log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh pow".split()
    },
    **{f"llvm.amdgcn.{name}.": f"llvm.amdgcn.{name}" for name in "exp2 log rcp rsq sqrt sin cos tanh".split()},
}


def on_floats(name: str, arguments: Sequence[tuple[Expression, Type]]) -> Operation:
    """Give the operation that an intrinsic on floating-point numbers stands for.

    Those that round as the target likes (``llvm.exp2``) are not computed: they give a value of their own for each
    argument, which decides on nothing.
    """
    type_ = arguments[0][1]
    operator = next(FLOATS[prefix] for prefix in FLOATS if name.startswith(prefix))
    return Operation(operator, tuple(value for value, _ in arguments), type_, type_)


#: How the names of intrinsics on integers begin; some others begin so, too.
ON_INTEGERS = tuple(f"llvm.{name.removesuffix('.overflow')}." for name in INTEGER_OPERATIONS)


#: They compare, and tell less, equal and greater apart.
THREE_WAY = ("llvm.scmp.", "llvm.ucmp.")


def on_integers(name: str, arguments: Sequence[tuple[Expression, Type]]) -> Operation | None:
    """Give the operation that an intrinsic on integers, or vectors of them, stands for; None for other intrinsics.

    Examples
    --------
    >>> i8 = IntType(8)
    >>> on_integers("llvm.ctpop.i8", [(Constant(3, i8), i8)]).operator
    'ctpop'
    """
    operator = name.removeprefix("llvm.").rpartition(".")[0]
    values, type_ = tuple(value for value, _ in arguments), arguments[0][1] if arguments else None
    if operator.endswith(".with.overflow") and isinstance(type_, IntType | VectorType):
        of, bit = operator.partition(".")[0], bit_of(type_)
        parts = Operation(of[1:], values, type_, type_), Operation(f"{of}.overflow", values, bit, type_)
        pair = StructType((type_, bit))
        return Operation("tuple", parts, pair, pair)
    if operator not in INTEGER_OPERATIONS or not isinstance(type_, IntType | VectorType):
        return None
    if isinstance(type_, VectorType):  # whether zero is poison is one bit for all elements
        values = tuple(spread(value, of, type_.count) for value, of in arguments)
    return Operation(operator, values, type_, type_)


def three_way(name: str, arguments: Sequence[tuple[Expression, Type]], result: Type) -> Expression:
    """Give what ``llvm.scmp`` and ``llvm.ucmp`` do: 1 where the first is greater, -1 where it is less, else 0."""
    (left, type_), (right, _) = arguments
    sign, bit = name.removeprefix("llvm.")[0], bit_of(type_)
    greater, less = (Operation(f"icmp {sign}{which}", (left, right), bit, type_) for which in ("gt", "lt"))
    return Operation(
        "sub", (Operation("zext", (greater,), result, bit), Operation("zext", (less,), result, bit)), result, result
    )


def lane(name: str, arguments: Sequence[tuple[Expression, Type]], target: str, line: int | None) -> Assign:
    """Give what ``llvm.amdgcn.mbcnt`` of all lanes computes.

    Raises
    ------
    NotCovered
        If the mask is not all lanes.
    """
    (mask, _), (start, type_) = arguments
    if not isinstance(mask, Constant) or mask.value != -1:
        raise NotCovered(f"{name} of some lanes")
    return Assign(target, Operation("add", (Register(LANES[name]), start), type_, type_), line)


def token_operation(
    name: str, arguments: Sequence[tuple[Expression, Type]], target: str, line: int | None
) -> Instruction:
    """Give the instruction that a call of one of the token intrinsics stands for.

    Parameters
    ----------
    name : str
        One of `TOKENS`, or one that begins with `GATED_PREFETCH`.
    arguments : sequence of (Expression, Type)
    target : str
        The register of the result, empty where there is none.
    line : int or None

    Returns
    -------
    Instruction

    Raises
    ------
    InputError
        For arguments or a result that the intrinsic does not have: LLVM does not know its type.

    Examples
    --------
    >>> token_operation("llvm.csa.outord", (), "t", 3)
    OrderOutput(target='t', line=3)
    """
    if name.startswith(GATED_PREFETCH):
        if not arguments:
            raise _wrong(name, "a gate, a pointer, and the constants rw and locality", line)
        (gate, gate_type), *rest = arguments
        address, write, locality = _prefetched(name, rest, "a gate, a pointer, and the constants rw and locality", line)
        return Prefetch(address, write, locality, gate, gate_type, line)
    count = TOKENS[name]
    if count >= 0 and len(arguments) != count:
        raise _wrong(name, f"{count or 'no'} argument{'s' if count != 1 else ''}", line)
    if any(type_ != IntType(1) for _, type_ in arguments):
        raise _wrong(name, "arguments of the type i1", line)
    tokens = tuple(token for token, _ in arguments)
    if name == "llvm.csa.inord":
        return OrderInput(tokens[0], line)
    if not target:
        raise _wrong(name, "a result of the type i1", line)
    if name == "llvm.csa.mementry":
        return MemoryEntry(target, line)
    return OrderOutput(target, line) if name == "llvm.csa.outord" else MergeOrder(target, tokens, line)


def prefetch(name: str, arguments: Sequence[tuple[Expression, Type]], line: int | None) -> Prefetch:
    """Give the prefetch that a call of ``llvm.prefetch`` stands for.

    Raises
    ------
    InputError
        For arguments that it does not have.
    """
    address, write, locality = _prefetched(name, arguments[:3], "a pointer and three constants", line)
    return Prefetch(address, write, locality, line=line)


def _prefetched(
    name: str, arguments: Sequence[tuple[Expression, Type]], expected: str, line: int | None
) -> tuple[Expression, bool, int]:
    if len(arguments) == 3 and isinstance(arguments[0][1], PointerType):
        write, locality = arguments[1][0], arguments[2][0]
        if isinstance(write, Constant) and isinstance(locality, Constant):
            if write.value in (0, 1) and isinstance(locality.value, int):
                return arguments[0][0], write.value == 1, locality.value
    raise _wrong(name, expected, line)


def _wrong(name: str, expected: str, line: int | None) -> InputError:
    return InputError(f"{name} takes {expected}" if "result" not in expected else f"{name} has {expected}", None, line)
