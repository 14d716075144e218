"""Loads from objects that nobody writes: how they are annotated is no matter of what other threads do."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.program.instructions import (
    Assign,
    Call,
    Freeze,
    IndirectCall,
    Instruction,
    Load,
    Operation,
    Phi,
    Register,
    Terminator,
)
from enumerator.program.test import Test
from enumerator.program.values import Bytes, Pointer, Term
from enumerator.refinement.edit import Place, operations_of
from enumerator.unfold.members import members_of
from enumerator.unfold.places import pointers_in

__all__ = ["of_unwritten"]

_OTHER = frozenset({"*"})
"""Stands for the objects into which a value may point that comes from memory, or from what is not followed."""

_Part = Phi | Instruction | Terminator
_Key = tuple[str, str]
"""A register of a function."""


def of_unwritten(test: Test) -> frozenset[Place]:
    r'''Find the loads from memory that holds for ever what it holds at the beginning.

    That are objects into which only loads point: their addresses, with all that is computed of these, are passed in
    calls of the test's functions, and otherwise go nowhere.

    Parameters
    ----------
    test : Test

    Returns
    -------
    frozenset of Place

    See Also
    --------
    enumerator.unfold.constants.fixed_objects : Those whose addresses are nowhere computed.

    References
    ----------
    LLVM, *Language Reference Manual*, Pointer Aliasing Rules: what an address is computed of is what it is based on,
    and accesses through it are of that object.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = """@a = global [2 x i32] zeroinitializer
    ... @x = global i32 0
    ... define void @t0(ptr %p) {
    ...   %next = getelementptr i32, ptr %p, i64 1
    ...   %r = load i32, ptr %next
    ...   %s = load i32, ptr @x
    ...   store i32 %r, ptr @x
    ...   ret void
    ... }"""
    >>> test = load_text("; THREADS: a=@t0(ptr @a)\n" + text, "t.ll")
    >>> [place.index for place in of_unwritten(test)]
    [1]
    '''
    bases = _bases(test)
    used = {thread.handle for thread in test.threads}
    used |= _bases_in(tuple(thread.creation for thread in test.threads), "", {})
    used |= _bases_in(tuple(memory.initial for memory in (*test.objects, *test.thread_locals)), "", {})
    for name, part in _parts(test):
        for each in _used_otherwise(part, test):
            used |= _bases_in(each, name, bases)
    fixed = frozenset(memory.name for memory in test.objects) - used

    def is_unwritten(place: Place, load: Load) -> bool:
        into = _bases_in(load.address, place.function, bases)
        return bool(into) and into <= fixed

    loads = ((place, part) for place, part in operations_of(test).items() if isinstance(part, Load))
    return frozenset(place for place, load in loads if is_unwritten(place, load))


def _parts(test: Test) -> Iterator[tuple[str, _Part]]:
    """Give all parts of the code, each with its function."""
    for name, function in test.functions.items():
        for block in function.blocks:
            yield from ((name, part) for part in block.parts)


def _used_otherwise(part: _Part, test: Test) -> Iterator[object]:
    """Give what a part of the code takes and neither passes on in registers nor loads from."""
    match part:
        case Assign() | Freeze() | Phi() | Load():
            return
        case Call(function=callee) if callee in test.functions:
            return
    yield part


def _bases(test: Test) -> dict[_Key, frozenset[str]]:
    """Find the objects of whose addresses what each register may hold is computed."""
    found: dict[_Key, frozenset[str]] = {}
    changed = True

    def add(function: str, register: str, into: frozenset[str]) -> None:
        nonlocal changed
        before = found.get((function, register), frozenset())
        changed |= not into <= before
        found[function, register] = before | into

    if test.has(IndirectCall) or any(thread.creation is not None for thread in test.threads):
        for name, function in test.functions.items():  # what is passed to them is not followed
            for parameter in function.parameters:
                add(name, parameter, _OTHER)
    for thread in test.threads:
        for name in (thread.function, *thread.alternatives):
            for parameter, started in zip(test.functions[name].parameters, thread.arguments, strict=False):
                add(name, parameter, _bases_in(started, name, found))
    while changed:
        changed = False
        for name, part in _parts(test):
            match part:
                case Assign(target=register) | Freeze(target=register) | Phi(target=register):
                    add(name, register, _bases_in(part, name, found))
                    continue
                case Call() if part.function in test.functions:
                    parameters = test.functions[part.function].parameters
                    for parameter, argument in zip(parameters, part.arguments, strict=False):
                        add(part.function, parameter, _bases_in(argument, name, found))
            written = getattr(part, "target", None)
            if isinstance(written, str):
                add(name, written, _OTHER)
    return found


def _bases_in(part: object, function: str, bases: dict[_Key, frozenset[str]]) -> frozenset[str]:
    """Name the objects of whose addresses a part of the code, or of the test, holds something."""
    found = frozenset[str]()
    stack: list[object] = [part]
    while stack:
        each = stack.pop()
        match each:
            case Register(name):
                found |= bases.get((function, name), frozenset())
            case Operation(operator=operator) if operator.startswith(("icmp ", "fcmp ")):
                pass
            case Operation(operator="ptradd", arguments=(base, _)):  # it stays in its object
                stack.append(base)
            case Operation(operator="select", arguments=(_, one, other)):
                stack += [one, other]
            case Pointer() | Bytes() | Term():
                found |= {name for name, _ in pointers_in(each)}
            case str() if each.startswith("@"):  # some instructions name the object that they are of
                found |= {each}
            case tuple():
                stack += each
            case _:
                stack += [getattr(each, name) for name in members_of(type(each))]
    return found
