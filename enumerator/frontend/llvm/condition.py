"""What a test in LLVM IR asks: its condition and ``OBSERVE``, whose names are those of the module."""

from __future__ import annotations

import re
from dataclasses import replace

from enumerator.conditions import map_atoms, names, parse_condition, parse_names, resolve_addresses
from enumerator.errors import InputError
from enumerator.frontend.directives import Directives
from enumerator.frontend.llvm.local_memory import pointers_in
from enumerator.frontend.llvm.module import Module
from enumerator.frontend.llvm.programs import is_program
from enumerator.frozen import dataclass
from enumerator.program.condition import Condition, Equal, Flag, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import Abort, Throw
from enumerator.program.memory import location_type, parse_location, parts_of
from enumerator.program.test import RETURNED, MemoryObject, Test, Thread
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType, size_of
from enumerator.program.values import Undef, Value, format_value, signed

__all__ = ["EVERYTHING", "condition_of", "observed_of"]

EVERYTHING = Condition(Quantifier.EXISTS, TrueFormula(), "true")
"""The condition that each execution fulfils."""


_KINDS = {VectorType: "a vector", StructType: "a struct", ArrayType: "an array"}


@dataclass(frozen=True)
class _Names:
    """What a condition may name."""

    module: Module
    threads: dict[str, Thread]
    objects: tuple[MemoryObject, ...]

    def type_of(self, name: str) -> Type | None:
        """Give the type of a register or location (None where it is not known), or raise InputError."""
        if name.startswith("@"):
            return self._location(name)
        thread, _, register = name.partition(":%")
        if name.endswith(f":{RETURNED}"):
            return self._returned(name.removesuffix(f":{RETURNED}"))
        function = self._function(thread)
        registers = self.module.registers[function]
        if register in self.module.functions[function].tokens:
            raise InputError(f"%{register} is an ordering token, which has no value")
        if register in registers:
            return registers[register]
        for place in re.finditer(r"\.[1-9][0-9]*\.", register):
            callee, local = register[: place.start()], register[place.end() :]
            reached = self.module.reached(function)
            if callee in reached and local in self.module.registers[callee]:
                return self.module.registers[callee][local]
        raise InputError(f"thread {thread} has no register %{register}")

    def plain(self, name: Name) -> Name:
        """Give the name of a register that is called as returned values are, where its thread returns nothing."""
        thread = name.text.removesuffix(f":{RETURNED}")
        if thread == name.text or thread not in self.threads:
            return name
        returns = self.module.signatures[self.threads[thread].function].result is not None
        return name if returns else Name(f"{thread}:%{RETURNED}")

    def _function(self, thread: str) -> str:
        if thread not in self.threads:
            raise InputError(f"there is no thread {thread} (threads are {', '.join(self.threads)})")
        return self.threads[thread].function

    def _returned(self, thread: str) -> Type | None:
        return self.module.signatures[self._function(thread)].result

    def _location(self, name: str) -> Type | None:
        base, known = name.partition("[")[0], [each.name for each in self.objects]
        own = [each for each in known if each.rpartition(".w")[0] == base]
        if own and base not in known:
            raise InputError(f"each workgroup has its own {base}: {', '.join(own)}")
        constants = self.module.constants
        for token, reason in constants.uncovered.items():
            if f"@{constants.global_name(token)}" == base and base not in known:
                raise InputError(f"{base} cannot be asked about: {reason}")
        obj, offset, size = parse_location(name, self.objects)
        return location_type(next(each for each in self.objects if each.name == obj), offset, size)


def condition_of(module: Module, directives: Directives, test: Test) -> Condition:
    """Give what a test asks: by default, whether an assertion fails, or everything if there are none.

    Parameters
    ----------
    module : Module
    directives : Directives
    test : Test
        All but its condition.

    Returns
    -------
    Condition

    Raises
    ------
    InputError
        Where it names or compares what there is not.
    """
    threads, path = test.threads, test.path
    if directives.condition is None:
        asks = _asserts(module, threads) or is_program(module)
        return Condition(Quantifier.NEVER, Flag("assert"), "assert") if asks else EVERYTHING
    quantifier, written = directives.condition
    condition = parse_condition(written.text, quantifier, path, written.line, written.column)
    known = _Names(module, {thread.name: thread for thread in threads}, test.objects)
    condition = replace(condition, formula=map_atoms(condition.formula, lambda atom: _plain(atom, known)))
    types: dict[str, Type | None] = {}
    for name in names(condition.formula):
        try:
            types[name] = known.type_of(name)
        except InputError as error:
            column = written.column + max(_find(name, written.text), 0)
            raise InputError(error.message, path, written.line, column) from None
    objects = {obj.name for obj in test.objects} | {f"@{name}" for name in module.signatures}

    def fail(message: str, name: str) -> InputError:
        return InputError(message, path, written.line, written.column + max(_find(name, written.text), 0))

    def adapt(atom: Equal) -> Formula:
        """Write numbers as values of the left side's type are held: ``0xffffffff`` is the i32 -1."""
        if not isinstance(atom.right, Literal):
            one, other = atom.left.text, atom.right.text
            if isinstance(types[other], PointerType):
                one, other = other, one
            type_ = types[one]
            if isinstance(type_, PointerType) and not _may_hold(types[other], type_):
                address = f": the address of {other} is &{other}" if other.startswith("@") else ""
                raise fail(f"{one} is a pointer, which {other} never holds{address}", other)
            for one, other in ((atom.left.text, atom.right.text), (atom.right.text, atom.left.text)):
                kind = _KINDS.get(type(types[one]))
                if kind is not None and isinstance(types[other], IntType | FloatType | PointerType):
                    raise fail(f"{one} is {kind}, which {other} never holds", other)
            return atom
        for pointer in pointers_in(atom.right.value):
            if pointer.object and not pointer.object.endswith("]") and pointer.object not in objects:
                raise fail(f"unknown location {pointer.object}", pointer.object)
        try:
            value = resolve_addresses(atom.right.value, test.objects)
        except InputError as error:
            raise fail(error.message, "&") from None
        type_ = types[atom.left.text]
        if isinstance(type_, VectorType) and not (isinstance(value, tuple) and len(value) == type_.count):
            if not isinstance(value, Undef):
                some = ", ".join(["0"] * min(type_.count, 4)) + (", ..." if type_.count > 4 else "")
                message = f"{atom.left.text} is a vector of {type_.count} values, which {format_value(value)} is not"
                raise fail(f"{message}: expected <{some}>, or undef", atom.left.text)
        if isinstance(type_, StructType | ArrayType) and not isinstance(value, Undef):
            count = len(type_.fields) if isinstance(type_, StructType) else type_.count
            if not (isinstance(value, tuple) and len(value) == count):
                message = (
                    f"{atom.left.text} is {_KINDS[type(type_)]} of {count} values, which {format_value(value)} is not"
                )
                if atom.left.text.startswith("@") and "+" not in atom.left.text:
                    element = f"an element is {atom.left.text}[0]"
                    message += f": {parts_of(atom.left.text, type_) if isinstance(type_, StructType) else element}"
                raise fail(message, atom.left.text)
        return Equal(atom.left, Literal(_as_held(value, type_)))

    return Condition(quantifier, map_atoms(condition.formula, adapt), condition.text)


def _plain(atom: Equal, known: _Names) -> Equal:
    return Equal(known.plain(atom.left), known.plain(atom.right) if isinstance(atom.right, Name) else atom.right)


def observed_of(module: Module, directives: Directives, test: Test) -> tuple[Name, ...] | None:
    """Give what a test says is to be compared where another one is to refine it; None if it does not say."""
    written = directives.observe
    if written is None:
        return None
    path = test.path
    known = _Names(module, {thread.name: thread for thread in test.threads}, test.objects)
    found = tuple(map(known.plain, parse_names(written.text, path, written.line, written.column)))
    for name in found:
        try:
            known.type_of(name.text)
        except InputError as error:
            column = written.column + max(_find(name.text, written.text), 0)
            raise InputError(f"OBSERVE: {error.message}", path, written.line, column) from None
    return found


def _asserts(module: Module, threads: tuple[Thread, ...]) -> bool:
    """Tell whether a thread may fail an assertion."""
    reached = {name for thread in threads for name in module.reached(thread.function)}
    return any(isinstance(part, Abort | Throw) for name in reached for part in module.functions[name].instructions)


def _may_hold(type_: Type | None, pointer: PointerType) -> bool:
    """Tell whether a value of a type may be a pointer, or a number that was made of one."""
    if isinstance(type_, IntType):
        return type_.width >= 8 * size_of(pointer)
    return type_ is None or isinstance(type_, PointerType)


def _find(name: str, text: str) -> int:
    place = text.find(name)
    return place if place >= 0 else text.find(name.replace(":%", ":"))


def _as_held(value: Value, type_: Type | None) -> Value:
    match value, type_:
        case int(), IntType(width) if -(1 << (width - 1)) <= value < (1 << width):
            return signed(value, width)
        case tuple(), VectorType(_, element) | ArrayType(_, element):
            return tuple(_as_held(part, element) for part in value)
        case tuple(), StructType(fields) if len(fields) == len(value):
            return tuple(_as_held(part, field) for part, field in zip(value, fields, strict=True))
        case _:
            return value
