"""Exceptions of C++: landing pads, and the functions of the run-time library that throw and catch.

Sources: LLVM, *Exception Handling in LLVM*; Itanium C++ ABI, Exception Handling, 2.4 and 2.5.
Where nothing in a program catches exceptions, one that is thrown ends it, as an assertion that fails does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field

from enumerator.frontend.llvm.library import library
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    HIDDEN,
    Abort,
    Allocate,
    Assign,
    BeginCatch,
    Call,
    Constant,
    EndCatch,
    Expression,
    Free,
    Instruction,
    LandingPad,
    Operation,
    Register,
    Resume,
    Throw,
    Uncaught,
)
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import NULL, Pointer

__all__ = ["CALLS", "TYPE_NUMBER", "Catching", "catching", "landing_pad", "resume", "thrown_by_library", "type_number"]

TYPE_NUMBER = "llvm.eh.typeid.for"

_CATCHES = re.compile(r"^ .*call .*@__cxa_begin_catch\(", re.MULTILINE)
_TERMINATES = re.compile(r"^define .*@__clang_call_terminate\(", re.MULTILINE)
_DESTROYS = re.compile(r"@__cxa_throw\([^\n]*, ptr[^,\n@]*@[\w.$]+\)")

_LIBRARY_THROWS = re.compile(r"_ZSt\d+__throw_(\w+?)(?:v|i|PKcz?)$")
_WITH_NUMBER, _NUMBER = ("future_error", "system_error"), "enumerator.throws.number"
_SIZE = 32
"""Bytes of the largest exception that the library throws: a table, a message, a number and its category."""


@dataclass(frozen=True)
class Catching:
    """What the functions of a module that catches exceptions share.

    Parameters
    ----------
    destroys : bool
        Whether an exception may have a destructor.
    numbers : dict
        The number of each type that is caught.
    """

    destroys: bool
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, type_: str) -> int:
        """Give the number of a type."""
        return self.numbers.setdefault(type_, len(self.numbers) + 1)


def catching(printed: str) -> Catching | None:
    """Tell what functions of a module share if it catches exceptions, beside where clang ends a program at one."""
    if len(_CATCHES.findall(printed)) <= len(_TERMINATES.findall(printed)):
        return None
    return Catching(_DESTROYS.search(printed) is not None)


def landing_pad(text: InstructionReader) -> LandingPad:
    """Read a ``landingpad``.

    Raises
    ------
    NotCovered
        If nothing leads there, or it is for a list of types that a function may throw (C++14).
    """
    if text.function.catching is None:
        raise NotCovered("landingpad")
    type_ = text.type()
    cleanup = text.accept("cleanup")
    catches = []
    while text.accept("catch"):
        name = _type_of(text.typed()[0])
        catches.append((name, text.function.catching.number(name)))
    if text.token == "filter":
        raise NotCovered("a list of the types that a function may throw")
    text.define(type_)
    return LandingPad(text.target, tuple(catches), cleanup, text.line)


def resume(text: InstructionReader) -> Resume:
    """Read a ``resume``."""
    value, type_ = text.typed()
    return Resume(Operation("extractvalue", (value,), PointerType(), type_, (0,)), text.line)


def type_number(text: InstructionReader) -> Assign:
    """Read the number of a type, which landing pads give."""
    ((value, _),) = text.arguments()
    if text.function.catching is None:
        raise NotCovered("the number of a type of exceptions")
    number = text.function.catching.number(_type_of(value))
    return text.assign(Constant(number, IntType(32)), IntType(32))


def _type_of(value: Expression) -> str:
    match value:
        case Constant(Pointer(name, 0)):
            return name
        case Constant(null) if null == NULL:
            return ""
    raise NotCovered("a type of exceptions that is no constant")


_Arguments = list[tuple[Expression, Type]]


def _throw(text: InstructionReader, arguments: _Arguments) -> Instruction:
    if text.function.catching is None:
        return Abort(line=text.line)
    (thrown, _), (type_, _), (destructor, _) = arguments
    return Throw(thrown, _type_of(type_), _type_of(destructor)[1:], text.line)


def _throw_again(text: InstructionReader, arguments: _Arguments) -> Instruction:
    return Abort(line=text.line) if text.function.catching is None else Throw(line=text.line)


def _begin(text: InstructionReader, arguments: _Arguments) -> Instruction:
    return BeginCatch(text.target or None, arguments[0][0], text.line)


def _end(text: InstructionReader, arguments: _Arguments) -> Instruction:
    return EndCatch(text.function.catching is not None and text.function.catching.destroys, text.line)


def _count(text: InstructionReader, target: str) -> Instruction:
    if text.function.catching is None:  # the first one ends the program
        return Assign(target, Constant(0, IntType(32)), text.line)
    return Uncaught(target, text.line)


def _uncaught(text: InstructionReader, _arguments: _Arguments) -> Instruction | None:
    """Read a call of ``std::uncaught_exceptions``."""
    return _count(text, text.target) if text.target else None


def _any_uncaught(text: InstructionReader, _arguments: _Arguments) -> list[Instruction] | None:
    """Read a call of ``std::uncaught_exception``, which tells whether there are some."""
    if not text.target:
        return None
    count = Register(HIDDEN + "uncaught")
    some = Operation("icmp ne", (count, Constant(0, IntType(32))), IntType(1), IntType(32))
    return [_count(text, count.name), Assign(text.target, some, text.line)]


CALLS: Mapping[str, Callable[[InstructionReader, _Arguments], Instruction | list[Instruction] | None]] = {
    "__cxa_allocate_exception": lambda text, given: Allocate(text.target, given[0][0], line=text.line),
    "__cxa_free_exception": lambda text, given: Free(given[0][0], text.line),
    "__cxa_throw": _throw,
    "__cxa_rethrow": _throw_again,
    "__cxa_begin_catch": _begin,
    "__cxa_end_catch": _end,
    "__cxa_get_exception_ptr": lambda text, given: Assign(text.target, given[0][0], text.line),
    "_ZSt19uncaught_exceptionsv": _uncaught,
    "_ZSt18uncaught_exceptionv": _any_uncaught,
}
"""By name, what reads a call of a function of the run-time library, with its arguments."""


def thrown_by_library(name: str, text: InstructionReader) -> Instruction | list[Instruction] | None:
    """Read a call of a function by which libstdc++ throws; None for another function.

    Raises
    ------
    NotCovered
        If something may catch it, and the exception holds more than a message.
    """
    match = _LIBRARY_THROWS.match(name)
    if match is None:
        return None
    if text.function.catching is None:
        return Abort(line=text.line)
    kind = match[1].removesuffix("_fmt")
    made = _NUMBER if kind in _WITH_NUMBER else f"_ZNSt{len(kind)}{kind}C1EPKc"
    if made not in library().functions:
        raise NotCovered(f"a call of @{name} in a program that catches exceptions")
    thrown = Register(HIDDEN + "thrown")
    given = text.arguments()
    message = given[0][0] if given else Constant(NULL, PointerType())
    return [
        Allocate(thrown.name, Constant(_SIZE, IntType(64)), line=text.line),
        Call(None, made, (thrown, message), text.line),
        Throw(thrown, f"@_ZTISt{len(kind)}{kind}", "", text.line),
    ]
