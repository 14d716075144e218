"""Calls of compare-exchange builtins: each with a function of its own, and written with other orders.

Such a call stands for several instructions, which a function of the library holds that all calls with the same
arguments share. Where annotations vary, those of each call do.
"""

from __future__ import annotations

import re
from dataclasses import replace
from string import digits

from enumerator.errors import InputError
from enumerator.frontend.llvm.libatomic import COMPARE_EXCHANGE
from enumerator.program.instructions import Block, Call, CompareExchange, Function, Instruction, Ordering, Scope
from enumerator.program.test import Test

__all__ = ["caller_of", "is_exchange", "own_exchanges", "written_exchange"]

_OWN = f", {COMPARE_EXCHANGE}"
_ORDERS = {
    Ordering.MONOTONIC: 0,
    Ordering.ACQUIRE: 2,
    Ordering.RELEASE: 3,
    Ordering.ACQ_REL: 4,
    Ordering.SEQ_CST: 5,
}
_SCOPES = {Scope.SINGLETHREAD: 0, Scope.WORKGROUP: 1, Scope.AGENT: 2, Scope.SYSTEM: 3, Scope.WAVEFRONT: 4}


def own_exchanges(test: Test) -> Test:
    """Give a test in which each call of a compare-exchange builtin has a function of its own, with the call's line.

    Parameters
    ----------
    test : Test

    Returns
    -------
    Test
        The same one, if there is none.
    """
    shared = {name for name, function in test.functions.items() if function.library and is_exchange(name)}
    if not shared:
        return test
    functions: dict[str, Function] = {}
    own: dict[str, Function] = {}
    for name, function in test.functions.items():
        if name in shared:
            continue
        blocks = []
        made = 0
        for block in function.blocks:
            body: list[Instruction] = []
            for part in block.body:
                if isinstance(part, Call) and part.function in shared:
                    of_call = f"{name}{_OWN}{made}"
                    made += 1
                    own[of_call] = _at_line(test.functions[part.function], of_call, part.line)
                    part = replace(part, function=of_call)
                body.append(part)
            blocks.append(replace(block, body=tuple(body)))
        functions[name] = replace(function, blocks=tuple(blocks)) if made else function
    return replace(test, functions=functions | own)


def _at_line(function: Function, name: str, line: int | None) -> Function:
    def placed(block: Block) -> Block:
        parts = (replace(part, line=line) if isinstance(part, CompareExchange) else part for part in block.body)
        return replace(block, body=tuple(parts))

    return replace(function, name=name, blocks=tuple(map(placed, function.blocks)))


def is_exchange(function: str) -> bool:
    """Tell whether a function is what calls of a compare-exchange builtin, or one of them, stand for.

    Examples
    --------
    >>> is_exchange("k, compare exchange 0"), is_exchange("k")
    (True, False)
    """
    return COMPARE_EXCHANGE in function


def caller_of(function: str) -> str:
    """Name the function whose code a function holds a part of.

    Examples
    --------
    >>> caller_of("k, compare exchange 0"), caller_of("k")
    ('k', 'k')
    """
    return function.partition(_OWN)[0]


def written_exchange(line: str, before: CompareExchange, after: CompareExchange, path: str, number: int) -> str:
    """Write a call of a compare-exchange builtin with other orders, or another scope.

    Parameters
    ----------
    line : str
        With the call.
    before, after : CompareExchange
    path : str
    number : int
        Of the line, for error messages.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If its arguments cannot say that.

    Examples
    --------
    >>> from enumerator.program.instructions import Annotation, Register
    >>> from enumerator.program.types import IntType
    >>> line = "  %r = call i32 @_Z11cas_explicit(ptr %p, ptr noundef %e, i32 1, i32 noundef 0, i32 0, i32 2) #4"
    >>> parts = [Register(name) for name in "ped"]
    >>> notes = [Annotation(ordering, Scope.AGENT, one_as=True) for ordering in (Ordering.MONOTONIC, Ordering.ACQ_REL)]
    >>> one, other = (CompareExchange("r", *parts, IntType(32), note, Ordering.MONOTONIC, False) for note in notes)
    >>> written_exchange(line, one, other, "t.cl", 1)
    '  %r = call i32 @_Z11cas_explicit(ptr %p, ptr noundef %e, i32 1, i32 noundef 4, i32 0, i32 2) #4'
    """
    called = re.search(r"@[\w.$]+", line)
    name = called[0] if called else "this call"
    old, new = before.annotation, after.annotation
    has_scope = not name.startswith("@__atomic")
    if "_explicit" not in name and has_scope:
        raise InputError(
            f"the call of {name} cannot be written with other orders: it has no argument for them", path, number
        )
    one_as = has_scope and new.ordering != Ordering.SEQ_CST  # what OpenCL's builtins are
    if called is None or old.tags != new.tags or new.one_as != one_as:
        message = (
            f"the call of {name} cannot be written with other tags, nor as {new.ordering.name.lower()} with the scope"
            f" {new.syncscope}: it has no argument for that"
        )
        raise InputError(message, path, number)
    begun = line.index("(", called.end())
    ends = _ends_of_arguments(line, begun)
    first = len(ends) - 2 - has_scope  # the last arguments: two orders, and the scope
    values: dict[int, int] = {}
    if old.ordering != new.ordering:
        values[first] = _ORDERS[new.ordering]
    if before.failure != after.failure:
        values[first + 1] = _ORDERS[after.failure]
    if old.scope != new.scope:
        if not has_scope or new.scope not in _SCOPES:
            message = (
                f"the call of {name} cannot be written with the scope {new.scope.name.lower()}: no argument says that"
            )
            raise InputError(message, path, number)
        values[first + 2] = _SCOPES[new.scope]
    for place, value in sorted(values.items(), reverse=True):
        end = ends[place]
        line = line[:end].rstrip().rstrip(digits) + str(value) + line[end:]
    return line


def _ends_of_arguments(line: str, begun: int) -> list[int]:
    """Give where each argument of a call ends; `begun` is where its bracket is."""
    ends, depth, quoted = [], 0, False
    for place in range(begun, len(line)):
        letter = line[place]
        quoted ^= letter == '"'
        if quoted:
            continue
        depth += (letter in "([{<") - (letter in ")]}>")
        if (letter == "," and depth == 1) or depth == 0:
            ends.append(place)
        if depth == 0:
            break
    return ends
