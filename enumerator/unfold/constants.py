"""The constants of a test: the candidates for values out of thin air, and for frozen ``undef``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import get_args

from enumerator.program.condition import Formula
from enumerator.program.instructions import Access, Annotation, Constant, IndirectCall, Load, Operation
from enumerator.program.test import Test
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import NULL, Pointer, Term, Value, signed
from enumerator.unfold.members import members_of

__all__ = ["constants", "fixed_objects", "freeze_choices", "named_functions", "numbers_of"]

_MEMBERS: dict[type, tuple[str, ...]] = {Operation: ("arguments",)}


_LEAVES = frozenset({int, str, bool, type(None), IntType, PointerType, Annotation})
"""What names no object in itself."""


def constants(test: Test) -> tuple[Value, ...]:
    """Collect the integers of a test's program, initial values and condition, and the addresses of its objects.

    Semantics, section 3: "the free value ranges over the constants of the test".

    Returns
    -------
    tuple of Value
        Integers in ascending order, then the objects' addresses in the order of the test.
    """
    numbers = set(numbers_of(test.condition.formula))
    for function in test.functions.values():
        if not function.library:
            _collect(function, numbers)
    for thread in test.threads:
        _collect(thread.arguments, numbers)
    for memory in test.objects:
        if not memory.hidden:
            _collect(memory.initial, numbers)
    return (*sorted(numbers), *(Pointer(memory.name) for memory in test.objects if not memory.hidden))


def numbers_of(formula: Formula) -> frozenset[int]:
    """Collect the integers of a condition, and those that are constants of any test.

    Parameters
    ----------
    formula : Formula

    Returns
    -------
    frozenset of int
    """
    numbers = {0, 1}
    _collect(formula, numbers)
    return frozenset(numbers)


def fixed_objects(test: Test) -> frozenset[str]:
    """Name the objects that hold for ever what they hold at the beginning: the program only loads from them.

    That is certain where an object is named nowhere but as the address of loads.
    What stands for a thread is never named.

    Parameters
    ----------
    test : Test

    Returns
    -------
    frozenset of str
    """
    loaded, elsewhere = set[str](), {thread.handle for thread in test.threads}
    for each in (each for function in test.functions.values() for each in function.instructions):
        if isinstance(each, Access) and isinstance(each.address, Constant) and isinstance(each.address.value, Pointer):
            (loaded if isinstance(each, Load) else elsewhere).add(each.address.value.object)
    if loaded <= elsewhere:
        return frozenset()
    stack: list[object] = [test.functions[name] for name in test.functions]
    stack += [(thread.arguments, thread.creation) for thread in test.threads]
    stack += [(memory.initial, memory.type) for memory in (*test.objects, *test.thread_locals)]
    while stack:
        part = stack.pop()
        if isinstance(part, Load) and isinstance(part.address, Constant):
            continue
        if isinstance(part, Pointer):
            elsewhere.add(part.object)
        elif isinstance(part, dict):
            stack.extend(part.values())
        elif isinstance(part, (tuple, list)):
            stack.extend(part)
        elif type(part) not in _LEAVES:
            stack.extend([getattr(part, name) for name in members_of(type(part))])
    return frozenset(loaded - elsewhere)


def freeze_choices(known: tuple[Value, ...], type_: Type) -> tuple[Value, ...]:
    """Give the values that a ``freeze`` of undef is tried with: they stand for any value of a type.

    For an integer these are the constants of the test and their neighbours, so that both results of a comparison with a
    constant are covered.

    Parameters
    ----------
    known : tuple of Value
        The constants of the test (:func:`constants`).
    type_ : Type

    Returns
    -------
    tuple of Value
    """
    match type_:
        case IntType(1):
            return (0, 1)
        case IntType(width):
            near = {signed(value + step, width) for value in known if isinstance(value, int) for step in (-1, 0, 1)}
            return tuple(sorted(near))
        case PointerType():
            return (NULL, *(value for value in known if isinstance(value, Pointer)))
        case _:
            return (Term("frozen"),)


def _collect(root: object, numbers: set[int]) -> None:
    """Collect the integers among the constants of a part of a test, but not counts, widths or line numbers."""
    stack = [root]
    while stack:
        part = stack.pop()
        kind = type(part)
        if kind is tuple:
            stack.extend(part)  # type: ignore[arg-type]
        elif kind is int:
            numbers.add(part)  # type: ignore[arg-type]
        else:
            for name in _members(kind):
                value = getattr(part, name)
                if isinstance(value, int):
                    if name == "value":
                        numbers.add(value)
                elif value is not None and type(value) is not str:
                    stack.append(value)


def _members(kind: type) -> tuple[str, ...]:
    """Name the members of a class that may hold constants; annotations and types hold none."""
    if kind not in _MEMBERS:
        none = not is_dataclass(kind) or issubclass(kind, (Annotation, Pointer, Term, *get_args(Type)))
        _MEMBERS[kind] = () if none else tuple(member.name for member in fields(kind))
    return _MEMBERS[kind]


def named_functions(test: Test) -> frozenset[str]:
    """Name the functions of a test whose addresses are used: calls through pointers may be of any of them.

    Parameters
    ----------
    test : Test

    Returns
    -------
    frozenset of str
        Empty for a test without such calls.
    """
    if not test.has(IndirectCall):
        return frozenset()
    found: set[str] = set()
    own = {name: each for name, each in test.functions.items() if not each.library}
    stack: list[object] = [*own.values(), *test.threads]
    stack += [memory.initial for memory in (*test.objects, *test.thread_locals)]
    while stack:
        part = stack.pop()
        if isinstance(part, Pointer):
            found.add(part.object[1:])
        elif isinstance(part, dict):
            stack.extend(part.values())
        elif isinstance(part, Iterable) and not isinstance(part, str):
            stack.extend(part)
        elif not isinstance(part, Annotation):
            stack.extend(getattr(part, name) for name in members_of(type(part)))
    return frozenset(found & own.keys())
