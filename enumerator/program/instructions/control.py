"""Where a thread goes next: calls, exceptions, failed assertions, the ends of blocks."""

from __future__ import annotations

from enumerator.frozen import dataclass
from enumerator.program.instructions.expressions import Expression
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = [
    "Abort",
    "Assume",
    "BeginCatch",
    "Branch",
    "Call",
    "EndCatch",
    "IndirectCall",
    "Jump",
    "LandingPad",
    "Phi",
    "Resume",
    "Return",
    "Switch",
    "Throw",
    "Uncaught",
    "Unreachable",
    "Unsupported",
]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the module (`target` is None where the result is unused or void).

    With `lends`, the function has no further use for the addresses that it is passed once it returns.
    """

    target: str | None
    function: str
    arguments: tuple[Expression, ...]
    line: int | None = None
    lends: bool = False


@dataclass(frozen=True, slots=True)
class IndirectCall:
    """A call of the function that `callee` points to, which must be one of the module with these parameters."""

    target: str | None
    callee: Expression
    arguments: tuple[Expression, ...]
    parameters: tuple[Type, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Abort:
    """A failed assertion (``abort``, ``__assert_fail``, ``llvm.trap``, …): the execution ends with the flag ``assert``.

    That of an intrinsic takes no ordering tokens.
    """

    intrinsic: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Assume:
    """``llvm.assume``, ``__VERIFIER_assume``: executions in which the condition (an i1) is false do not count.

    `refuses` is false in a barrier of the library, which waits for one of the values that it may read: that always
    comes, or the thread waits for ever.
    """

    condition: Expression
    line: int | None = None
    refuses: bool = True


@dataclass(frozen=True, slots=True)
class Unsupported:
    """An instruction that the checker does not cover: an error, which says `why`, once a thread reaches it.

    It is none in threads that have the property `unless`.
    """

    text: str
    line: int | None = None
    why: str = ""
    unless: str = ""


# Exceptions of C++ (Itanium C++ ABI: Exception Handling). Their types are named by the objects that describe them.


@dataclass(frozen=True, slots=True)
class Throw:
    """An exception: an object, its type, and the function that destroys it if there is one.

    Without an object it is the one that is being handled (``throw;``).
    """

    object: Expression | None = None
    type: str = ""
    destructor: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class LandingPad:
    """``%target = landingpad``: the exception that led here, and the number of the first type that catches it.

    Each of `catches` is a type, empty where any is caught, and its number. Without one that fits, the number is 0, and
    the exception passes by unless there is a `cleanup`.
    """

    target: str
    catches: tuple[tuple[str, int], ...]
    cleanup: bool
    line: int | None = None


@dataclass(frozen=True, slots=True)
class BeginCatch:
    """The exception is handled from here on; `target` is its object."""

    target: str | None
    exception: Expression
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EndCatch:
    """The exception that is being handled is no more; `destroys` says that some exceptions have destructors."""

    destroys: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Uncaught:
    """``%target`` is how many exceptions the thread has thrown that nothing has begun to handle yet, as an i32."""

    target: str
    line: int | None = None


# Blocks.


@dataclass(frozen=True, slots=True)
class Phi:
    """``%target = phi``: the value for each predecessor block (by name)."""

    target: str
    incoming: tuple[tuple[str, Expression], ...]
    type: Type
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """``br label %block``; behind a call, `unwind` is where an exception leads that the call lets pass."""

    block: str
    line: int | None = None
    unwind: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """``br i1 condition, label %then, label %otherwise``."""

    condition: Expression
    then: str
    otherwise: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """``switch``: each case a constant value and a block."""

    value: Expression
    cases: tuple[tuple[Value, str], ...]
    default: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """``ret``."""

    value: Expression | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """``unreachable``: undefined behaviour (flag ``ub-unreachable``)."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """``resume``: an exception goes on to who called."""

    exception: Expression
    line: int | None = None
