"""The pairing of memory operations with their ordering tokens, and the errors of programs that break its rules.

In IR a token is an ``i1``. ``llvm.csa.inord`` stands directly before the operation that waits for the token,
``llvm.csa.outord`` directly after the one that produces it. Every orderable operation has an input and, except
for ``ret``, an output (semantics, section 6).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Abort,
    Assign,
    Block,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Function,
    IndirectCall,
    Instruction,
    Load,
    MemoryEntry,
    MergeOrder,
    Operation,
    OrderInput,
    OrderOutput,
    Phi,
    Prefetch,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Terminator,
    Unsupported,
)
from enumerator.program.test import MemoryObject
from enumerator.program.values import Pointer

__all__ = [
    "Paired",
    "check_pairing",
    "constant_objects",
    "orderable_operations",
    "pair",
    "token_registers",
    "uses_tokens",
    "what_is",
]

_TOKEN_INSTRUCTIONS = (MemoryEntry, OrderInput, OrderOutput, MergeOrder)
_UNCOVERED = re.compile(
    r"""(?:%\S+\s=\s)?(?:(?:(?:tail|musttail|notail)\s)?(?P<call>call)|load|store|atomicrmw|cmpxchg)\s"""
)
_THROUGH = frozenset(("ptradd", "bitcast", "addrspacecast"))


@dataclass(frozen=True, slots=True)
class Paired:
    """An orderable operation with its tokens.

    Parameters
    ----------
    block : str
        The block that it is in.
    place : int
        Its index in the block's body; the length of the body for ``ret``.
    instruction : Instruction or Terminator
    input : Expression or None
        The token that it waits for: a register, or a constant for no order. None where it has no
        ``llvm.csa.inord``.
    output : str or None
        The register of the token that it produces. None where it has no ``llvm.csa.outord``.
    """

    block: str
    place: int
    instruction: Instruction | Terminator
    input: Expression | None = None
    output: str | None = None


def uses_tokens(function: Function) -> bool:
    """Tell whether a function uses any of the token intrinsics.

    Parameters
    ----------
    function : Function

    Returns
    -------
    bool
    """
    return any(isinstance(part, _TOKEN_INSTRUCTIONS) for part in function.instructions)


def constant_objects(objects: Iterable[MemoryObject]) -> frozenset[str]:
    """Name the objects that are constant memory.

    Parameters
    ----------
    objects : iterable of MemoryObject

    Returns
    -------
    frozenset of str
        With their sigil.
    """
    return frozenset(item.name for item in objects if item.constant)


# Orderable operations -----------------------------------------------------------------------------------------


def orderable_operations(function: Function, constant: Collection[str] = ()) -> tuple[Paired, ...]:
    """List the orderable operations of a function, whether it uses tokens or not.

    Parameters
    ----------
    function : Function
    constant : collection of str
        The objects that are constant memory.

    Returns
    -------
    tuple of Paired
        Block by block, each with the tokens that stand directly before and after it.
    """
    return tuple(paired for block in function.blocks for paired in _operations(block, function, constant))


class _Definitions:
    """The definitions of the registers of a function, to find the objects that an address may point into."""

    def __init__(self, function: Function, constant: Collection[str]) -> None:
        self._constant = constant
        self._sources: dict[str, tuple[Expression, ...]] = {}
        for block in function.blocks:
            for phi in block.phis:
                self._sources[phi.target] = tuple(value for _, value in phi.incoming)
            for part in block.body:
                if isinstance(part, Assign):
                    self._sources[part.target] = (part.expression,)

    def orderable(self, part: Instruction | Terminator) -> bool:
        match part:
            case Load(address=address):
                return "AV" not in part.annotation.labels and not self._is_constant(address)
            case Store():
                return "AV" not in part.annotation.labels
            case ReadModifyWrite() | CompareExchange() | Call() | IndirectCall() | Return():
                return True
            case Abort(intrinsic):
                return not intrinsic
            case Prefetch(gate=gate):
                return gate is None
            case Unsupported(text):
                found = _UNCOVERED.match(text)
                return found is not None and not (found["call"] and "@llvm." in text)
        return False

    def _is_constant(self, address: Expression) -> bool:
        """Tell whether an address points into constant memory on every path."""
        if not self._constant:
            return False
        waiting, seen = [address], set[str]()
        while waiting:
            match waiting.pop():
                case Constant(value=Pointer(name)) if name in self._constant:
                    pass
                case Register(name) if name in self._sources:
                    if name not in seen:
                        seen.add(name)
                        waiting.extend(self._sources[name])
                case Operation(operator, arguments) if operator in _THROUGH:
                    waiting.append(arguments[0])
                case Operation("select", arguments):
                    waiting.extend(arguments[1:])
                case _:
                    return False
        return True


def _operations(block: Block, function: Function, constant: Collection[str]) -> Iterator[Paired]:
    known = _Definitions(function, constant)
    parts: tuple[Instruction | Terminator, ...] = (*block.body, block.terminator)
    for place, part in enumerate(parts):
        if known.orderable(part):
            before = parts[place - 1] if place else None
            after = parts[place + 1] if place + 1 < len(parts) else None
            yield Paired(
                block.name,
                place,
                part,
                before.token if isinstance(before, OrderInput) else None,
                after.target if isinstance(after, OrderOutput) else None,
            )


# Rules --------------------------------------------------------------------------------------------------------


def pair(function: Function, constant: Collection[str] = (), path: str = "") -> tuple[Paired, ...]:
    """Pair the orderable operations of a token program with their tokens.

    Parameters
    ----------
    function : Function
    constant : collection of str
        The objects that are constant memory.
    path : str
        Of the file, for messages.

    Returns
    -------
    tuple of Paired
        Block by block; each has an input, and all except returns have an output.

    Raises
    ------
    InputError
        Where an ``llvm.csa.inord`` or ``llvm.csa.outord`` is missing, superfluous or doubled, or a token is used as
        a value. It names the instruction and its line.

    See Also
    --------
    check_pairing : for all functions of a test.
    enumerator.dataflow.tokens.token_graph : the order that the tokens say.

    References
    ----------
    Semantics, section 6: "Every orderable operation must have its inord (and, but for ret, its outord); a missing or
    a left-over one is an error that names the instruction."

    Examples
    --------
    >>> entry = Block("0", (), (MemoryEntry("e"), OrderInput(Register("e"))), Return())
    >>> [(paired.place, paired.input) for paired in pair(Function("f", (), (entry,)))]
    [(2, Register(name='e'))]
    >>> pair(Function("f", (), (Block("0", (), (MemoryEntry("e"),), Return(line=4)),)), path="f.ll")
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: f.ll:4: ret in @f has no llvm.csa.inord: expected one directly before it
    """
    known = _Definitions(function, constant)
    for block in function.blocks:
        _check_block(block, known, function.name, path)
    tokens = token_registers(function)
    for block in function.blocks:
        for part in (*block.body, block.terminator):
            if not isinstance(part, (OrderInput, MergeOrder)):
                for name in _registers(part):
                    if name in tokens:
                        message = f"{what_is(part)} in @{function.name} uses the ordering token %{name} as a value"
                        raise InputError(message, path, part.line)
    return orderable_operations(function, constant)


def check_pairing(functions: Mapping[str, Function], objects: Iterable[MemoryObject], path: str) -> None:
    """Check that the operations of all functions are paired with tokens, if any function uses tokens.

    Parameters
    ----------
    functions : mapping of str to Function
    objects : iterable of MemoryObject
    path : str
        Of the file, for messages.

    Raises
    ------
    InputError
        See :func:`pair`.
    """
    if any(map(uses_tokens, functions.values())):
        constant = constant_objects(objects)
        for function in functions.values():
            pair(function, constant, path)


def _check_block(block: Block, known: _Definitions, function: str, path: str) -> None:
    parts: tuple[Instruction | Terminator, ...] = (*block.body, block.terminator)

    def fail(message: str, part: Instruction | Terminator) -> InputError:
        return InputError(message, path, part.line)

    for place, part in enumerate(parts):
        before = parts[place - 1] if place else None
        after = parts[place + 1] if place + 1 < len(parts) else None
        what = f"{what_is(part)} in @{function}"
        if known.orderable(part):
            if not isinstance(before, OrderInput):
                raise fail(f"{what} has no llvm.csa.inord: expected one directly before it", part)
            if not isinstance(part, Return) and not isinstance(after, OrderOutput):
                raise fail(f"{what} has no llvm.csa.outord: expected one directly after it", part)
        elif isinstance(part, OrderInput):
            assert after is not None  # a block ends with a terminator
            if isinstance(after, OrderInput):
                later = next((each for each in parts[place + 1 :] if not isinstance(each, OrderInput)), after)
                raise fail(f"two llvm.csa.inord in @{function} before {what_is(later)}: expected one", after)
            if not known.orderable(after):
                raise fail(
                    f"llvm.csa.inord in @{function} is left over: {what_is(after)}, which follows it, takes no token",
                    part,
                )
        elif isinstance(part, OrderOutput) and (before is None or not known.orderable(before)):
            if before is None:
                why = "it is the first instruction of its block, and what ends a block produces no token"
            else:
                why = f"{what_is(before)}, which precedes it, produces no token"
            raise fail(f"llvm.csa.outord (%{part.target}) in @{function} is left over: {why}", part)


def token_registers(function: Function) -> frozenset[str]:
    """Name the registers that hold tokens: results of the intrinsics, and phis of these.

    Parameters
    ----------
    function : Function

    Returns
    -------
    frozenset of str
    """
    tokens = {
        part.target
        for block in function.blocks
        for part in block.body
        if isinstance(part, (MemoryEntry, OrderOutput, MergeOrder))
    }
    phis = [phi for block in function.blocks for phi in block.phis]
    grown = bool(tokens)
    while grown:
        found = {phi.target for phi in phis if phi.target not in tokens and _any_token(phi, tokens)}
        tokens |= found
        grown = bool(found)
    return frozenset(tokens)


def _any_token(phi: Phi, tokens: Collection[str]) -> bool:
    return any(isinstance(value, Register) and value.name in tokens for _, value in phi.incoming)


def _registers(part: object) -> Iterator[str]:
    """Give the registers in an instruction or in a part of it."""
    if isinstance(part, Register):
        yield part.name
    elif isinstance(part, tuple):
        for element in part:
            yield from _registers(element)
    elif is_dataclass(part):
        for member in fields(part):
            value = getattr(part, member.name)
            if is_dataclass(value) or isinstance(value, tuple):
                yield from _registers(value)


# Words --------------------------------------------------------------------------------------------------------


def what_is(part: Instruction | Terminator) -> str:
    """Name an instruction as messages and pictures do.

    Parameters
    ----------
    part : Instruction or Terminator

    Returns
    -------
    str

    Examples
    --------
    >>> what_is(Return()), what_is(Prefetch(Constant(Pointer("@x"), None), True, 3))
    ('ret', 'write prefetch of @x')
    """
    match part:
        case Load(target, address):
            return f"load %{target}{_of(address, ' of ')}"
        case Store(address):
            return f"store{_of(address, ' to ')}"
        case ReadModifyWrite(target, operator, address):
            return f"atomicrmw {operator} %{target}{_of(address, ' of ')}"
        case CompareExchange(target, address):
            return f"cmpxchg %{target}{_of(address, ' of ')}"
        case Abort(intrinsic):
            return "call of llvm.trap" if intrinsic else "failed assertion"
        case Call(_, function):
            return f"call of @{function}"
        case IndirectCall():
            return "call through a pointer"
        case Prefetch(address, write, _, gate):
            kind = f"{'gated ' if gate is not None else ''}{'write' if write else 'read'} prefetch"
            return kind + _of(address, " of ")
        case Return():
            return "ret"
        case MemoryEntry(target):
            return f"llvm.csa.mementry %{target}"
        case OrderInput():
            return "llvm.csa.inord"
        case OrderOutput(target):
            return f"llvm.csa.outord %{target}"
        case MergeOrder(target):
            return f"llvm.csa.all0 %{target}"
        case Assign(target):
            return f"%{target}"
        case Unsupported(text):
            return f"'{text}'"
    return {"Jump": "br", "Branch": "br"}.get(type(part).__name__, type(part).__name__.lower())


def _of(address: Expression, word: str) -> str:
    """Name what an address points to, as far as the instruction says."""
    match address:
        case Constant(value=Pointer(name, offset)) if name:
            return f"{word}{name}{f'{offset:+d}' if offset else ''}"
        case Register(name):
            return f"{word}[%{name}]"
    return ""
