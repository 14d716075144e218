"""Where the generic pointers of OpenCL's builtins point to.

OpenCL C 2.0 declares its atomic functions for pointers to any memory, so that clang casts a pointer to global or local
memory to a generic one at each call. The access is one to the memory that the pointer came from: LLVM finds it again
once the function of the device library is inlined (InferAddressSpaces.cpp), and so is it found here. As there, the
address spaces of all that a pointer may come from have to be the same. Instructions of the module that use generic
pointers stay flat accesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.frontend.llvm.libatomic import COMPARE_EXCHANGE
from enumerator.program.instructions import (
    Access,
    Alloca,
    Assign,
    Call,
    Constant,
    Expression,
    Freeze,
    Function,
    Instruction,
    Load,
    Operation,
    Phi,
    Register,
    Store,
)
from enumerator.program.test import Thread
from enumerator.program.types import PointerType, Type
from enumerator.program.values import NULL, Pointer, Undef
from enumerator.unfold.members import registers_in

if TYPE_CHECKING:
    from enumerator.frontend.llvm.module import Module

__all__ = ["NOT_TOLD", "accessed", "with_spaces"]

_FLAT = 0
_GENERIC = (_FLAT, 4)
"""Address spaces of pointers to any memory: of AMDGPU and of NVPTX; of SPIR (the constant memory of AMDGPU)."""

_PRIVATE = 5

NOT_TOLD = "where a generic pointer points to that an OpenCL function takes is not told{}: the access counts as flat"


def accessed(pointer: Type) -> Type:
    """Give the type of a pointer through which a builtin accesses memory, until it is known where that is.

    Examples
    --------
    >>> accessed(PointerType(3)), accessed(PointerType(0)), accessed(PointerType(4))
    (PointerType(address_space=3), PointerType(address_space=-1), PointerType(address_space=-5))
    """
    if isinstance(pointer, PointerType) and pointer.address_space in _GENERIC:
        return PointerType(~pointer.address_space)
    return pointer


def with_spaces(module: Module, threads: Sequence[Thread]) -> None:
    """Find where the generic pointers of builtins point to, and note where that is not told.

    Parameters
    ----------
    module : Module
        Its functions are changed.
    threads : sequence of Thread
        What they do not reach is no caller, and nothing is noted of it.
    """
    functions = module.functions
    run = {thread.function for thread in threads} | module.named
    reached = {name for function in run for name in module.reached(function)}
    origins = _Origins(module, threads, reached)
    lines: dict[int | None, None] = {}

    def space_of(function: Function, address: Expression, waiting: int, line: int | None) -> int:
        found = origins.of(function, address)
        if found is None and ~waiting == _FLAT and function.name in reached:
            lines[line] = None
        return ~waiting if found is None else found

    made = dict[str, Function]()

    def settled(function: Function, part: Instruction) -> Instruction:
        if isinstance(part, Access) and _waits(part):
            space = space_of(function, part.address, part.annotation.address_space, part.line)
            return replace(part, annotation=replace(part.annotation, address_space=space))
        if isinstance(part, Call) and part.function.startswith(COMPARE_EXCHANGE):
            kept = functions[part.function]
            spaces = dict[str, int]()
            for each in kept.instructions:
                if isinstance(each, Access) and _waits(each) and isinstance(each.address, Register):
                    parameter = each.address.name
                    argument = part.arguments[kept.parameters.index(parameter)]
                    if parameter not in spaces:
                        spaces[parameter] = space_of(function, argument, each.annotation.address_space, part.line)
            own = _in_spaces(kept, spaces) if spaces else kept
            made[own.name] = own
            return replace(part, function=own.name)
        return part

    found = dict[str, Function]()
    for name, function in functions.items():
        if name.startswith(COMPARE_EXCHANGE):
            continue
        blocks = tuple(
            replace(block, body=tuple(settled(function, part) for part in block.body)) for block in function.blocks
        )
        found[name] = function if blocks == function.blocks else replace(function, blocks=blocks)
    module.functions = found | made
    module.registers.update({name: {} for name in made})
    if lines:
        module.notes[NOT_TOLD.format(_places(lines))] = None


def _places(lines: Mapping[int | None, None]) -> str:
    known = sorted(line for line in lines if line is not None)
    if not known:
        return ""
    return f" (line{'s' if len(known) > 1 else ''} {', '.join(map(str, known))})"


def _waits(part: Instruction) -> bool:
    """Tell whether it is not known yet where an access goes."""
    return isinstance(part, Access) and part.annotation.address_space < 0


def _in_spaces(function: Function, spaces: Mapping[str, int]) -> Function:
    """Give a function whose accesses through its parameters go to these address spaces."""
    blocks = tuple(
        replace(
            block,
            body=tuple(
                replace(part, annotation=replace(part.annotation, address_space=spaces[part.address.name]))
                if isinstance(part, Access) and _waits(part) and isinstance(part.address, Register)
                else part
                for part in block.body
            ),
        )
        for block in function.blocks
    )
    name = " ".join((function.name, *(f"{parameter}={space}" for parameter, space in spaces.items())))
    return replace(function, name=name, blocks=blocks)


class _Origins:
    """What the pointers of a module come from."""

    def __init__(self, module: Module, threads: Sequence[Thread], reached: Set[str]) -> None:
        self._objects = {each.name: each.address_space for each in module.objects}
        self._named = module.named
        self._definitions: dict[str, dict[str, Instruction | Phi]] = {}
        self._given: dict[str, list[tuple[Function, Sequence[Expression]]]] = {}
        for thread in threads:
            function = module.functions[thread.function]
            self._given.setdefault(function.name, []).append((function, thread.arguments))
        for name in reached:
            caller = module.functions[name]
            for part in caller.instructions:
                if isinstance(part, Call):
                    self._given.setdefault(part.function, []).append((caller, part.arguments))

    def of(self, function: Function, pointer: Expression) -> int | None:
        """Give the address space that a pointer points into; None if it is not one that is known."""
        found: int | None = None
        seen = {(function.name, pointer)}
        waiting: list[tuple[Function, Expression]] = [(function, pointer)]
        while waiting:
            sources = self._sources(*waiting.pop())
            if sources is None:
                return None
            for source in sources:
                if isinstance(source, int):
                    if found not in (None, source):
                        return None
                    found = source
                elif (source[0].name, source[1]) not in seen:
                    seen.add((source[0].name, source[1]))
                    waiting.append(source)
        return found

    def _sources(self, function: Function, pointer: Expression) -> list[int | tuple[Function, Expression]] | None:
        """Give what a pointer comes from: address spaces, and other pointers; None if that is not known."""
        match pointer:
            case Constant(Pointer(name)) if name in self._objects:
                return None if self._objects[name] in _GENERIC else [self._objects[name]]
            case Constant(value) if value == NULL or isinstance(value, Undef):
                return []
            case Operation(operator, arguments, type_, operand_type):
                if (space := _known(type_)) is not None:
                    return [space]
                match operator:
                    case "addrspacecast" if (space := _known(operand_type)) is not None:
                        return [space]
                    case "addrspacecast" | "bitcast" | "ptradd":
                        return [(function, arguments[0])]
                    case "select":
                        return [(function, each) for each in arguments[1:]]
            case Register(name):
                return self._of_register(function, name)
        return None

    def _of_register(self, function: Function, name: str) -> list[int | tuple[Function, Expression]] | None:
        if name in function.parameters:
            return self._of_parameter(function, function.parameters.index(name))
        match self._defined(function).get(name):
            case Assign(expression=expression) | Freeze(expression=expression):
                return [(function, expression)]
            case Phi(incoming=incoming):
                return [(function, value) for _, value in incoming]
            case Alloca():
                return [_PRIVATE]
            case Load(address=address, type=type_):
                if (space := _known(type_)) is not None:
                    return [space]
                stored = self._stored(function, address)
                return None if stored is None else [(function, each) for each in stored]
        return None

    def _defined(self, function: Function) -> dict[str, Instruction | Phi]:
        """Give what assigns each register of a function."""
        if function.name not in self._definitions:
            found: dict[str, Instruction | Phi] = {}
            for block in function.blocks:
                for part in (*block.phis, *block.body):
                    if isinstance(target := getattr(part, "target", None), str):
                        found[target] = part
            self._definitions[function.name] = found
        return self._definitions[function.name]

    def _of_parameter(self, function: Function, place: int) -> list[int | tuple[Function, Expression]] | None:
        """Give what the callers give, where all of them are known."""
        type_ = function.types[place] if place < len(function.types) else None
        if (space := _known(type_)) is not None:
            return [space]
        given = self._given.get(function.name, [])
        if function.name in self._named or not given or any(place >= len(arguments) for _, arguments in given):
            return None
        return [(caller, arguments[place]) for caller, arguments in given]

    def _stored(self, function: Function, address: Expression) -> list[Expression] | None:
        """Give what is stored in a slot of the stack, whose address is used for nothing else."""
        slot = self._slot(function, address)
        if slot is None:
            return None
        found: list[Expression] = []
        for part in self._parts(function):
            used = [name for name in registers_in(part) if self._slot(function, Register(name)) == slot]
            match part:
                case _ if not used or isinstance(part, Load):
                    continue
                case Assign(expression=Operation("addrspacecast", (Register(),))):
                    continue
                case Store(address=Register(name), value=value) if used == [name]:
                    found.append(value)
                case _:
                    return None
        return found

    def _parts(self, function: Function) -> Iterator[object]:
        for block in function.blocks:
            yield from block.phis
            yield from block.body
            yield block.terminator

    def _slot(self, function: Function, address: Expression) -> str | None:
        """Name the register with the address of a slot, which may be cast, that a pointer is."""
        while isinstance(address, Register):
            match self._defined(function).get(address.name):
                case Alloca(target=target):
                    return target
                case Assign(expression=Operation("addrspacecast", (Register() as inner,))):
                    address = inner
                case _:
                    return None
        return None


def _known(type_: Type | None) -> int | None:
    """Give the address space of a type of pointers into a certain one."""
    if isinstance(type_, PointerType) and type_.address_space not in _GENERIC:
        return type_.memory_space
    return None
