"""Builtins of OpenCL that clang leaves to device libraries, as operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from enumerator.frontend.llvm.mangling import demangle
from enumerator.frontend.llvm.opencl import builtin, is_builtin
from enumerator.frontend.llvm.syntax import address_space
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.frozen import dataclass
from enumerator.inspection.operations import BarrierPart, Kind, Operation, ScopeName
from enumerator.program.instructions import (
    Annotation,
    Barrier,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Function,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Register,
    Scope,
    Store,
)
from enumerator.program.types import IntType, PointerType, Type

__all__ = ["builtin_operations"]

_WORD = IntType(32)


@dataclass
class _Site:
    """A call, as far as builtins ask for it."""

    line: int | None = None
    target: str = "result"
    index: int = 0
    functions: dict[str, Function] = field(default_factory=dict)

    def annotation(
        self,
        ordering: Ordering = Ordering.NA,
        scope: tuple[Scope, bool] = (Scope.SYSTEM, False),
        pointer: Type | None = None,
    ) -> Annotation:
        space = pointer.memory_space if isinstance(pointer, PointerType) else 0
        return Annotation(ordering, *scope, address_space=space)

    def make(self, function: Function) -> None:
        self.functions[function.name] = function


def builtin_operations(
    name: str, arguments: list[list[str]], base: Operation
) -> Iterator[tuple[Operation, int]] | None:
    """Give the operations that a call of a builtin stands for.

    Parameters
    ----------
    name : str
        As it is mangled.
    arguments : list of list of str
        Printed tokens of each.
    base : Operation
        What all of them have in common.

    Returns
    -------
    iterator of (Operation, int) or None
        Each with the number of the argument that is the address (-1: none). None if it is no builtin that is known, or
        its order, scope or flags are not.
    """
    mangled = demangle(name)
    if mangled is None or not is_builtin(mangled.name):
        return None
    site = _Site()
    read = [(_expression(tokens), _type(tokens)) for tokens in arguments]
    try:
        found = builtin(mangled.name, mangled.parameters, site, read, _WORD)
    except (NotCovered, ValueError):
        return None
    parts = found if isinstance(found, list) else [] if found is None else [found]
    found_operations = _operations([*parts, *_inside(parts, site)], replace(base, what=mangled.name))
    return (
        (replace(each, given=_of_call(each.given, arguments)) if each.failure else each, place)
        for each, place in found_operations
    )


def _of_call(given: tuple[str, ...], arguments: list[list[str]]) -> tuple[str, ...]:
    """Give the values of a compare-exchange that the library makes a function of: what it expects is in memory."""
    if given != ("known", "desired") or len(arguments) < 3:
        return given
    return f"*{arguments[1][-1]}", arguments[2][-1]


def _inside(parts: list[Instruction], site: _Site) -> Iterator[Instruction]:
    for part in parts:
        if isinstance(part, Call) and part.function in site.functions:
            for block in site.functions[part.function].blocks:
                yield from (each for each in block.body if isinstance(each, CompareExchange))


def _operations(parts: list[Instruction], base: Operation) -> Iterator[tuple[Operation, int]]:
    for part in parts:
        match part:
            case Fence(annotation):
                scope = ScopeName(annotation.scope.name.lower())
                tags = base.tags | annotation.tags
                yield replace(base, kind=Kind.FENCE, ordering=annotation.ordering, scope=scope, tags=tags), -1
            case Barrier():
                yield replace(base, kind=Kind.BARRIER, barrier=BarrierPart.BOTH), -1
            case Load() | Store() | ReadModifyWrite() | CompareExchange():
                annotation = part.annotation
                yield (
                    replace(
                        base,
                        kind=Kind.ACCESS,
                        ordering=annotation.ordering,
                        failure=part.failure if isinstance(part, CompareExchange) else Ordering.NA,
                        scope=ScopeName(annotation.scope.name.lower(), annotation.one_as),
                        reads=not isinstance(part, Store),
                        writes=not isinstance(part, Load),
                        given=_given(part),
                    ),
                    0,
                )


def _given(part: Load | Store | ReadModifyWrite | CompareExchange) -> tuple[str, ...]:
    """Give the values that an access takes, as they are printed; of what a pointer points to, the pointer."""
    match part:
        case Store(value=value) | ReadModifyWrite(operand=value):
            return (_printed(value),)
        case CompareExchange(expected=expected, desired=desired):
            return _printed(expected), _printed(desired)
    return ()


def _printed(value: Expression) -> str:
    match value:
        case Constant(int() as number):
            return str(number)
        case Register(name):
            return name
    return ""


def _type(tokens: list[str]) -> Type:
    space = address_space(tokens)
    if space is not None:
        return PointerType(space)
    word = tokens[0] if tokens else ""
    return IntType(int(word[1:])) if word[:1] == "i" and word[1:].isdigit() else _WORD


def _expression(tokens: list[str]) -> Expression:
    last = tokens[-1] if tokens else ""
    return Constant(int(last), _WORD) if last.lstrip("-").isdigit() else Register(last)
