"""Calls of functions without a body that the checker knows: of the C library, of threads, of the heap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from enumerator.frontend.llvm import exceptions
from enumerator.frontend.llvm.library import library, library_names
from enumerator.frontend.llvm.reader import InstructionReader, Signature
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Abort,
    Allocate,
    Assign,
    Assume,
    Call,
    Constant,
    Create,
    Exit,
    Expression,
    Free,
    Freeze,
    Hold,
    Instruction,
    Measure,
    Meet,
    Misuse,
    Now,
    Operation,
    Register,
    TimeOut,
)
from enumerator.program.types import IntType, Type
from enumerator.program.values import UNDEF, Term

__all__ = ["ABORTS", "assume", "call_of_unknown", "library_signature"]

ABORTS = frozenset(
    (
        "abort",
        "reach_error",
        "__VERIFIER_error",
        "__assert_fail",
        "__assertfail",
        "_ZSt9terminatev",
        "__cxa_pure_virtual",
    )
)
"""Functions that end the execution, as an assertion has failed: ``std::terminate``, too, and ``exit`` of not 0."""

_OCKL = "__ockl_"
"""What HIP's headers call for the place of a thread (ROCm device libraries, OCKL)."""

_ANY_VALUE = "__VERIFIER_nondet_"
"""How the functions begin that give any value (SV-COMP, rules)."""

_HINTS = tuple(f"__VERIFIER_{name}" for name in ("loop_begin", "spin_start", "spin_end", "loop_bound"))
"""What tells verifiers where a loop waits and how often one goes round: the one is seen, and it is said what is cut."""

_BIT, _WORD, _SIZE = IntType(1), IntType(32), IntType(64)

Arguments = list[tuple[Expression, Type]]


def library_signature(name: str) -> Signature | None:
    """Give the signature of a function of the library, if there is one of that name."""
    return library().signatures[name] if name in library_names() else None


def call_of_unknown(name: str, text: InstructionReader, result: Type | None) -> Instruction | list[Instruction] | None:
    """Read the rest of a call of a function that has no body.

    Parameters
    ----------
    name : str
    text : InstructionReader
        Before the arguments.
    result : Type or None

    Raises
    ------
    NotCovered
        If the checker does not know the function, or not with these arguments.
    """
    if name in ABORTS:
        return Abort(line=text.line)
    if name.startswith("__atomic_"):
        return _of_libatomic(name, text)
    if name in exceptions.CALLS:
        return exceptions.CALLS[name](text, text.arguments())
    if name.startswith(_ANY_VALUE):
        return _any_value(text, result)
    thrown = exceptions.thrown_by_library(name, text)
    if thrown is not None:
        return thrown
    signature = library_signature(name)
    if signature is None and name.startswith(("_Z", _OCKL)) and name not in _KNOWN:
        return _of_device(name, text, result)
    arguments = text.arguments()
    if name in _KNOWN:
        return _KNOWN[name](text, arguments)
    if signature is not None:
        return _of_library(signature, text, arguments, result)
    raise NotCovered(f"a call of @{name}, which has no body")


def _of_library(signature: Signature, text: InstructionReader, arguments: Arguments, result: Type | None) -> Call:
    name = signature.name
    types = tuple(type_ for _, type_ in arguments)
    if types != signature.parameters or (text.target and result != signature.result):
        raise NotCovered(f"a call of @{name} with other parameters than it has")
    return Call(text.target or None, name, tuple(value for value, _ in arguments), text.line)


def assume(condition: Expression, line: int | None) -> Assume | None:
    """Give what an assumption of an i1 stands for."""
    return None if isinstance(condition, Constant) and condition.value == 1 else Assume(condition, line)


# What C calls -------------------------------------------------------------------------------------------------


def _any_value(text: InstructionReader, result: Type | None) -> Freeze | None:
    """Read a call that gives any value of a type, as those of SV-COMP do: always the same one, as ``freeze`` does."""
    if not isinstance(result, IntType):
        raise NotCovered("a call that gives any value of a type other than integers")
    return Freeze(text.target, Constant(UNDEF, result), result, text.line) if text.target else None


def _verifier_assume(text: InstructionReader, arguments: Arguments) -> Assume | None:
    match arguments:
        case [(value, IntType() as type_)]:
            if type_ == _BIT:
                return assume(value, text.line)
            return Assume(Operation("icmp ne", (value, Constant(0, type_)), _BIT, type_), text.line)
    raise NotCovered("an assumption of no integer")


@dataclass(frozen=True)
class _Malloc:
    """A function that allocates: which arguments are multiplied to the size, and whether memory is zero."""

    sizes: tuple[int, ...]
    zero: bool = False

    def __call__(self, text: InstructionReader, arguments: Arguments) -> Allocate | None:
        if not text.target:
            return None
        if len(arguments) <= max(self.sizes):
            raise NotCovered("an allocation without its size")
        first, *others = (arguments[place][0] for place in self.sizes)
        for other in others:
            if isinstance(first, Constant) and isinstance(other, Constant):
                assert isinstance(first.value, int) and isinstance(other.value, int)
                first = Constant(first.value * other.value, _SIZE)
            else:
                product = Operation("mul", (first, other), _SIZE, _SIZE)
                large = Operation("umul.overflow", (first, other), _BIT, _SIZE)
                first = Operation("select", (large, Constant(-1, _SIZE), product), _SIZE, _BIT)  # too large
        return Allocate(text.target, first, self.zero, text.line)


def _aligned(text: InstructionReader, arguments: Arguments) -> list[Instruction]:
    """Read a call of ``aligned_alloc``: ISO C11, 7.22.3.1, asks for an alignment that there is, a power of two.

    That the size is a multiple of it is not asked for any more (DR 460); C17 has a null pointer for other alignments.
    """
    (alignment, _), *_ = arguments
    less = Operation("sub", (alignment, Constant(1, _SIZE)), _SIZE, _SIZE)
    several = Operation("and", (alignment, less), _SIZE, _SIZE)
    zero = Constant(0, _SIZE)
    wrong = (Operation("icmp eq", (alignment, zero), _BIT, _SIZE), Operation("icmp ne", (several, zero), _BIT, _SIZE))
    allocated = _Malloc((1,))(text, arguments)
    check: list[Instruction] = [Misuse(Operation("or", wrong, _BIT, _BIT), "ub-alloc", text.line)]
    return check if allocated is None else [*check, allocated]


def _free(text: InstructionReader, arguments: Arguments) -> Free:
    if not arguments:
        raise NotCovered("a deallocation of nothing")
    return Free(arguments[0][0], text.line)


def _of_libatomic(name: str, text: InstructionReader) -> list[Instruction]:
    """Read a call of an atomic operation on a large object: few tests have one."""
    from enumerator.frontend.llvm.libatomic import CALLS

    if name not in CALLS:
        raise NotCovered(f"a call of @{name}, which has no body")
    return CALLS[name](text, text.arguments())


def _of_device(name: str, text: InstructionReader, result: Type | None) -> Instruction | list[Instruction] | None:
    """Read a call of what device libraries have, or of C++: few tests have one."""
    from enumerator.frontend.llvm.mangling import demangle
    from enumerator.frontend.llvm.opencl import builtin, is_builtin
    from enumerator.frontend.llvm.opencl_integers import integer_function
    from enumerator.frontend.llvm.opencl_vectors import vector_function

    arguments = text.arguments()
    mangled = demangle(name)
    plain = name.removeprefix(_OCKL) if mangled is None else mangled.name
    if mangled is None:
        if plain.startswith("get_") and is_builtin(plain):
            return builtin(plain, (), text, arguments, result)
    elif plain in ("operator new", "operator new[]"):
        return _Malloc((0,))(text, arguments)
    elif plain in ("operator delete", "operator delete[]"):
        return _free(text, arguments)
    elif (plain.startswith("__VERIFIER") or plain == "printf") and plain in _KNOWN:
        return _KNOWN[plain](text, arguments)
    elif is_builtin(plain):
        text.function.generic = True
        return builtin(plain, mangled.parameters, text, arguments, result)
    elif text.target:
        value = integer_function(plain, mangled.parameters, arguments, result)
        value = value or vector_function(plain, mangled.parameters, arguments, result)
        if value is not None:
            return Assign(text.target, value, text.line)
    raise NotCovered(f"a call of {plain}, which has no body")


# What the library calls ---------------------------------------------------------------------------------------


def _create(text: InstructionReader, arguments: Arguments, *, code: bool = False) -> Create:
    (function, _), (argument, _) = arguments
    return Create(text.target, function, argument, code, text.line)


def _self(text: InstructionReader, arguments: Arguments) -> Assign:
    return Assign(text.target, Register("%self"), text.line)


def _print(text: InstructionReader, arguments: Arguments, type_: Type = _WORD) -> Assign | None:
    """Read a call that prints: no thread sees what; its result, if that is used, may be any number."""
    return Assign(text.target, Constant(Term("printed"), type_), text.line) if text.target else None


def _time(text: InstructionReader, arguments: Arguments) -> Now | None:
    """Read what a clock says: any number, and whatever is compared with it may come out either way."""
    return Now(text.target, text.line, tells=False) if text.target else None


def _hold(change: int) -> Callable[[InstructionReader, Arguments], Hold]:
    return lambda text, arguments: Hold(text.target or None, arguments[0][0], change, text.line)


def _meet(own: bool) -> Callable[[InstructionReader, Arguments], Meet]:
    return lambda text, arguments: Meet(text.target, arguments[0][0], own, text.line)


def _misused(flag: str) -> Callable[[InstructionReader, Arguments], Misuse]:
    return lambda text, arguments: Misuse(arguments[0][0], flag, text.line)


_FUTEX = 202
"""The number of the call on x86-64 (Linux, syscall_64.tbl)."""
_WAITS, _WAKES, _PRIVATE = (0, 9), (1, 10), 128  # FUTEX_WAIT, _WAIT_BITSET; FUTEX_WAKE, _WAKE_BITSET (linux/futex.h)


def _syscall(text: InstructionReader, arguments: Arguments) -> Assign | None:
    """Read a futex call. A wait may end at any time (futex(2), "spurious wake-up"), so that callers look again."""
    match arguments:
        case [(Constant(number), _), _, (Constant(int(operation)), _), *_] if number == _FUTEX:
            if operation & ~_PRIVATE in (*_WAITS, *_WAKES) and text.target:
                return Assign(text.target, Constant(0, _SIZE), text.line)
            if operation & ~_PRIVATE in (*_WAITS, *_WAKES):
                return None
    raise NotCovered("a system call that neither waits for a futex nor wakes those that do")


_KNOWN: Mapping[str, Callable[[InstructionReader, Arguments], Instruction | list[Instruction] | None]] = {
    "__VERIFIER_assume": _verifier_assume,
    **dict.fromkeys(_HINTS, lambda _text, _arguments: None),
    "syscall": _syscall,
    "__errno_location": lambda text, _arguments: Assign(text.target, Register("%@enumerator.errno"), text.line),
    **dict.fromkeys(("printf", "fprintf", "puts", "putchar", "fflush", "perror"), _print),
    **dict.fromkeys(
        (f"{_OCKL}printf_{name}" for name in ("begin", "append_args", "append_string_n")), partial(_print, type_=_SIZE)
    ),
    "malloc": _Malloc((0,)),
    "calloc": _Malloc((0, 1), zero=True),
    "aligned_alloc": _aligned,
    "memalign": _Malloc((1,)),
    "__printf_alloc": _Malloc((0,)),  # where clang writes what printf is given on AMDGPU
    "free": _free,
    "enumerator.free": _free,
    "enumerator.size": lambda text, arguments: Measure(text.target, arguments[0][0], text.line),
    "enumerator.create": _create,
    "enumerator.create.code": lambda text, arguments: _create(text, arguments, code=True),
    "enumerator.exit": lambda text, arguments: Exit(arguments[0][0], text.line),
    "enumerator.finish": lambda text, arguments: Exit(Constant(0, IntType(32)), text.line, process=True),
    "enumerator.leave": lambda text, arguments: Exit(None, text.line),
    "enumerator.take": _hold(1),
    "enumerator.give": _hold(-1),
    "enumerator.held": _hold(0),
    "enumerator.meet": _meet(own=False),
    "enumerator.place": _meet(own=True),
    "enumerator.misused.lock": _misused("ub-lock"),
    "enumerator.misused.barrier": _misused("ub-barrier"),
    "enumerator.await": lambda text, arguments: Assume(arguments[0][0], text.line, refuses=False),
    "enumerator.self": _self,
    "enumerator.time": _time,
    "enumerator.now": lambda text, arguments: Now(text.target, text.line),
    "enumerator.late": lambda text, arguments: TimeOut(text.line),
}
