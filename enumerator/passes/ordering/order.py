"""Ordering passes: plain IR in, IR with tokens out (semantics, section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from enumerator.errors import InputError
from enumerator.frontend.directives import DIRECTIVES
from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.tokens import decode_name
from enumerator.frozen import dataclass
from enumerator.passes.ordering.alias import alias
from enumerator.passes.ordering.emit import Writer, write_module
from enumerator.passes.ordering.flow import ControlFlow
from enumerator.passes.ordering.linear import linear
from enumerator.passes.ordering.operations import TOKENS, Operation, Operations
from enumerator.passes.ordering.parallel import ParallelLoops
from enumerator.passes.ordering.printed import Function, Line, Module, read_module
from enumerator.passes.ordering.race import race
from enumerator.passes.ordering.tokens import Entry, Merge, Output, Phi, Token

__all__ = ["Mode", "Ordered", "OrderedOperation", "has_tokens", "order"]


class Mode(StrEnum):
    """The ordering passes."""

    LINEAR = "linear"
    RACE = "race"
    ALIAS = "alias"


@dataclass(frozen=True)
class OrderedOperation:
    """An operation and what it waits for.

    Parameters
    ----------
    function : str
    number : int
        Of its instruction in the function, from 0.
    line : int or None
        Where it stands in the original text.
    text : str
    waits_for : tuple of int
        The numbers of the operations whose tokens reach it through merges and phis.
    entry : bool
        Whether it waits for the function's entry, on some path.
    """

    function: str
    number: int
    line: int | None
    text: str
    waits_for: tuple[int, ...]
    entry: bool


@dataclass(frozen=True)
class Ordered:
    """What a pass gives.

    Parameters
    ----------
    mode : Mode
    text : str
        The module with tokens, which LLVM has verified.
    operations : tuple of OrderedOperation
    positions : mapping of int to (int or None)
        The line of the original text, by the line of `text` on which one of its instructions stands.
    """

    mode: Mode
    text: str
    operations: tuple[OrderedOperation, ...]
    positions: Mapping[int, int | None]

    @property
    def edges(self) -> frozenset[tuple[str, int, int]]:
        """The pairs of operations that a token orders directly, by function and number."""
        return frozenset((each.function, before, each.number) for each in self.operations for before in each.waits_for)


def order(text: str, path: str, mode: Mode | str, function: str | None = None) -> Ordered:
    r"""Add the tokens of an ordering pass.

    Parameters
    ----------
    text : str
        LLVM IR without tokens.
    path : str
        For error messages.
    mode : Mode or {'linear', 'race', 'alias'}
    function : str, optional
        The only function to order. Default: all that are defined.

    Returns
    -------
    Ordered

    Raises
    ------
    InputError
        If LLVM rejects the text, it has tokens already, there is no such function, or a function holds what ordering
        does not cover.

    Examples
    --------
    >>> body = "  store i32 1, ptr @x\n  %r = load i32, ptr @y\n  ret void\n"
    >>> plain = "@x = global i32 0\n@y = global i32 0\ndefine void @f() {\n" + body + "}"
    >>> sorted(order(plain, "f.ll", "linear").edges), sorted(order(plain, "f.ll", "alias").edges)
    ([('f', 0, 1), ('f', 1, 2)], [('f', 0, 2), ('f', 1, 2)])
    """
    mode = Mode(mode)
    module = read_module(text, path)
    chosen = _chosen(module, function)
    written: dict[str, list[str]] = {}
    operations: list[OrderedOperation] = []
    replaced: set[int] = set()
    for each in chosen:
        flow = ControlFlow(each)
        found = Operations(module, each, flow)
        if found.tokens:
            place = found.tokens[0]
            message = f"@{each.name} has ordering tokens already, and a pass takes plain IR: {place}"
            raise InputError(message, path, place.line)
        match mode:
            case Mode.LINEAR:
                waits = linear(flow, found)
            case Mode.RACE:
                waits = race(flow, found)
            case Mode.ALIAS:
                waits = alias(flow, found, ParallelLoops(module, each, flow, found))
        _check_markers(module, each, found)
        replaced.update(id(line) for line in [*found.gated, *(line for _, line in found.markers)])
        written[each.name] = Writer(module, each, found, waits).text()
        operations.extend(_described(each, operation, waits[operation.number]) for operation in found.ordered)
    result = write_module(module, written, list(_comments(module)))
    kept = [line for each in module.functions for line in each.lines() if id(line) not in replaced]
    canonical_text(result, f"{path} (after the pass {mode})")
    return Ordered(mode, result, tuple(operations), _positions(result, kept))


def has_tokens(text: str, path: str, function: str | None = None) -> bool:
    """Tell whether some function of a module, or the one that is named, uses ordering tokens.

    Raises
    ------
    InputError
        If LLVM rejects the text, or there is no such function.
    """
    chosen = _chosen(read_module(text, path), function)
    return any(line.callee in TOKENS for each in chosen for line in each.lines())


def _chosen(module: Module, function: str | None) -> list[Function]:
    if function is None:
        if not module.functions:
            raise InputError("no function has a body", module.path)
        return module.functions
    name = decode_name(function) if function.startswith("@") else function
    found = [each for each in module.functions if each.name == name]
    if not found:
        known = ", ".join(f"@{each.name}" for each in module.functions) or "none"
        raise InputError(f"no function @{name} has a body (there are: {known})", module.path)
    return found


def _check_markers(module: Module, function: Function, operations: Operations) -> None:
    """Make sure that nothing but markers uses what the markers give, which are deleted."""
    deleted = {id(line) for _, line in operations.markers}
    results = {line.result for _, line in operations.markers if line.result}
    for line in function.lines():
        used = results.intersection(line.tokens)
        if used and id(line) not in deleted:
            message = f"{used.pop()} is the result of a marker, which ordering deletes: {line}"
            raise InputError(message, module.path, line.line)


def _comments(module: Module) -> Iterator[str]:
    """Give the title and the directives of the original that hold for the new text.

    Expectations are about the plain program, and a condition may name values that LLVM has renumbered.
    """
    dropped = ("EXPECT", "EXISTS", "FORALL", "NEVER") if module.renumbered else ("EXPECT",)
    for number, comment in enumerate(module.source.comments):
        match = re.match(r"([A-Z]+)\s*:", comment.text)
        word = match[1] if match is not None else ""
        if word in DIRECTIVES and word not in dropped or number == 0 and word not in DIRECTIVES:
            yield comment.text


def _positions(text: str, kept: Iterable[Line]) -> dict[int, int | None]:
    """Find where the instructions of the original stand: they are in the text as they were, in their order."""
    found: dict[int, int | None] = {}
    waiting = iter(kept)
    line = next(waiting, None)
    for number, written in enumerate(text.split("\n"), 1):
        if line is not None and written.strip() == line.text.split("\n")[0]:
            found[number] = line.line
            line = next(waiting, None)
    return found


def _described(function: Function, operation: Operation, token: Token) -> OrderedOperation:
    outputs: set[int] = set()
    entry = False
    seen: set[Token] = set()
    waiting = [token]
    while waiting:
        token = waiting.pop()
        if token in seen:
            continue
        seen.add(token)
        match token:
            case Entry():
                entry = True
            case Output(number):
                outputs.add(number)
            case Merge():
                waiting.extend(token.inputs)
            case Phi():
                waiting.extend(part for _, part in token.incoming)
    line = operation.line
    return OrderedOperation(function.name, line.number, line.line, str(line), tuple(sorted(outputs)), entry)
