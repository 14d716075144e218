"""Functions that a program may call without having them: their bodies, in LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from enumerator.frontend.llvm.library.characters import character_tables
from enumerator.program.instructions import (
    Assign,
    Call,
    Constant,
    Expression,
    Function,
    Hold,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Throw,
)
from enumerator.program.test import MemoryObject
from enumerator.program.values import NULL, Pointer, Undef, Value

if TYPE_CHECKING:
    from enumerator.frontend.llvm.module import Module

__all__ = ["ALWAYS", "TYPE_TABLES", "library", "library_names", "library_text", "needed", "ZERO_GLOBALS"]

ALWAYS = ("enumerator.begin", "enumerator.end", "enumerator.end.code")
"""What a created thread does before and after its own function."""

_KEYS = {"pthread_key_create": 1, "tss_create": 1, "__cxa_thread_atexit": 0}
"""Functions that say what is to be done at the end of a thread: the argument that is a destructor, or null."""

ZERO_GLOBALS = frozenset(("__libc_single_threaded", "_ZSt15__once_callable", "_ZSt11__once_call"))
"""Variables of the C and C++ libraries, which are zero or null at first."""

TYPE_TABLES = "_ZT"
"""How the names of tables begin that C++ has of its types: programs read those of others only at known places."""

COPY, MOVE, FILL = "enumerator.copy", "enumerator.move", "enumerator.fill"
"""Functions that copy bytes, or set them all to one, of a length that is computed."""

_LENGTHS = (*range(1, 32), *range(32, 257, 8))
"""Of what these copy at once, in bytes. Other lengths take several copies, of memory that does not overlap."""

_UNKNOWN = "enumerator.copy.of.a.length.that.is.not.known.or.too.large"
"""What has no body, and is called for lengths that are not covered."""

_DEFINED = re.compile(r"^(define [^@\n]*)?@([\w.]+)", re.MULTILINE)
_FOLDER = Path(__file__).parent


@cache
def library_text() -> str:
    """Give the text of the library."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(_FOLDER.glob("*.ll"))]
    copies = ("ptr %to, ptr %from", "ptr {to}, ptr {from}", "llvm.memcpy.p0.p0.i64")
    fills = ("ptr %to, i8 %byte", "ptr {to}, i8 %byte", "llvm.memset.p0.i64")
    made = (_at_once(MOVE, *copies), _of_any_length(COPY, *copies), _of_any_length(FILL, *fills))
    return "\n".join((*texts, character_tables(), *made))


def _at_once(function: str, parameters: str, arguments: str, intrinsic: str, longer: str = "") -> str:
    """Give the text of a function that calls an intrinsic with one of the lengths; it knows others by `longer`."""
    given = arguments.format(to="%to", **{"from": "%from"})
    cases = " ".join(f"i64 {length}, label %b{length}" for length in _LENGTHS)
    blocks = (
        f"b{length}:\n  call void @{intrinsic}({given}, i64 {length}, i1 false)\n  br label %done\n"
        for length in _LENGTHS
    )
    other = f"@{longer}({given}, i64 %length)" if longer else f"@{_UNKNOWN}()"
    return (
        f"define void @{function}({parameters}, i64 %length) {{\nentry:\n"
        f"  switch i64 %length, label %other [ i64 0, label %done {cases} ]\n{''.join(blocks)}"
        f"other:\n  call void {other}\n  br label %done\ndone:\n  ret void\n}}\n"
    )


def _of_any_length(function: str, parameters: str, arguments: str, intrinsic: str) -> str:
    """Give the text of a function that goes on by pieces where a length is not one of those: 256 bytes, and the rest.

    Pieces begin at multiples of 8, so that none divides a pointer or a number that has its alignment.
    """
    piece, longer = f"{function}.piece", f"{function}.longer"
    given = arguments.format(to="%to.place", **{"from": "%from.place"})
    pointers = [name for name in ("to", "from") if f"%{name}" in parameters]
    steps = "".join(f"  %{name}.place = getelementptr i8, ptr %{name}, i64 %at\n" for name in pointers)
    return "\n".join(
        (
            _at_once(function, parameters, arguments, intrinsic, longer),
            _at_once(piece, parameters, arguments, intrinsic),
            f"define void @{longer}({parameters}, i64 %length) {{\nentry:\n  br label %loop\n"
            f"loop:\n  %at = phi i64 [ 0, %entry ], [ %next, %more ]\n  %left = sub i64 %length, %at\n"
            f"  %none = icmp eq i64 %left, 0\n  br i1 %none, label %done, label %more\n"
            f"more:\n{steps}  %large = icmp ugt i64 %left, 255\n  %words = and i64 %left, 248\n"
            f"  %small = icmp eq i64 %words, 0\n  %rest = select i1 %small, i64 %left, i64 %words\n"
            f"  %size = select i1 %large, i64 256, i64 %rest\n  call void @{piece}({given}, i64 %size)\n"
            f"  %next = add i64 %at, %size\n  br label %loop\ndone:\n  ret void\n}}\n",
        )
    )


@cache
def library_names() -> frozenset[str]:
    """Name the functions of the library that programs may call.

    Examples
    --------
    >>> "pthread_join" in library_names(), "enumerator.wait" in library_names()
    (True, False)
    """
    return frozenset(name for kind, name in _defined() if kind and not name.startswith("enumerator."))


@cache
def _defined() -> tuple[tuple[str, str], ...]:
    """Name all functions and variables of the library, each after what says that it is a function."""
    return tuple(_DEFINED.findall(library_text()))


@cache
def library() -> Module:
    """Parse the library."""
    from enumerator.frontend.llvm.module import parse_module
    from enumerator.frontend.llvm.source import Source

    return parse_module(library_text(), Source(), str(_FOLDER), library=True)


def needed(
    functions: Iterable[Function], objects: Iterable[MemoryObject]
) -> tuple[dict[str, Function], tuple[MemoryObject, ...], tuple[MemoryObject, ...]]:
    """Give the functions and variables of the library that others name, directly or through others.

    The variables of which each thread has one come last. What the program has itself is not taken from the library.
    """
    functions, objects = [*functions], [*objects]
    mine = {function.name for function in functions} | {each.name[1:] for each in objects}
    waiting = [name for function in functions for name in _callees(function)]
    waiting += [name[1:] for function in functions for name in _own_places(function)]
    waiting += [name for each in objects for name in _pointed_to(each.initial)]
    if not {name for _, name in _defined()}.intersection(waiting):
        return {}, (), ()
    if any(map(_destroys, functions)):
        waiting.append("enumerator.destroy")
    found: dict[str, Function] = {}
    variables = {each.name[1:]: each for each in library().objects if not isinstance(each.initial, Undef)}
    given: dict[str, MemoryObject] = {}
    while waiting:
        name = waiting.pop()
        if name in variables and name not in given:
            given[name] = replace(variables[name], hidden=True)
            waiting += _pointed_to(variables[name].initial)
        if name in mine or name in found or name not in library().functions:
            continue
        found[name] = library().functions[name]
        waiting += _callees(found[name])
        if name == "enumerator.begun":
            waiting += ALWAYS
    own = {each.name: each for each in library().thread_locals if not isinstance(each.initial, Undef)}
    places = {name for function in (*functions, *found.values()) for name in _own_places(function)}
    return found, tuple(given.values()), tuple(replace(own[name], hidden=True) for name in own if name in places)


def _destroys(function: Function) -> bool:
    """Tell whether a function says that something is to be destroyed at the end of a thread."""
    made = (part for part in function.instructions if isinstance(part, Call) and part.function in _KEYS)
    given = (part.arguments[_KEYS[part.function]] for part in made)
    return any(not isinstance(each, Constant) or each.value != NULL for each in given)


def _own_places(function: Function) -> list[str]:
    """Name the variables of which each thread has one, and whose address a function takes."""
    taken = [part.expression for part in function.instructions if isinstance(part, Assign)]
    return [value.name[1:] for value in taken if isinstance(value, Register) and value.name.startswith("%@")]


def _callees(function: Function) -> list[str]:
    """Name what a function calls, gives to others to call, and the variables that it names."""
    calls = [part for part in function.instructions if isinstance(part, Call)]
    given: list[Expression | None] = [each for part in calls for each in part.arguments]
    given += [part.value for part in function.instructions if isinstance(part, Store)]
    given += [part.address for part in function.instructions if isinstance(part, Load | Store | ReadModifyWrite | Hold)]
    given += [each for part in function.instructions if isinstance(part, Assign) for each in _leaves(part.expression)]
    given += [block.terminator.value for block in function.blocks if isinstance(block.terminator, Return)]
    named = [name for each in given if isinstance(each, Constant) for name in _pointed_to(each.value)]
    destroy = [part.destructor for part in function.instructions if isinstance(part, Throw)]
    return [part.function for part in calls] + destroy + named


def _leaves(expression: Expression) -> list[Expression]:
    """Give what an expression is computed from."""
    if isinstance(expression, Operation):
        return [leaf for each in expression.arguments for leaf in _leaves(each)]
    return [expression]


def _pointed_to(value: Value | None) -> list[str]:
    """Name the functions and variables that a value points to."""
    if isinstance(value, tuple):
        return [name for part in value for name in _pointed_to(part)]
    return [value.object[1:]] if isinstance(value, Pointer) else []
