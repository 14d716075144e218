"""A litmus test from a module and its directives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from enumerator.conditions import map_atoms, names, parse_condition, parse_names, resolve_addresses
from enumerator.dataflow.pairing import check_pairing
from enumerator.errors import InputError
from enumerator.frontend.directives import Comment, Directives, read_directives
from enumerator.frontend.llvm.launch import closing, constant_arguments, example_call, launched
from enumerator.frontend.llvm.local_memory import pointers_in, with_local_memory
from enumerator.frontend.llvm.module import Module, parse_module
from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.programs import creates, is_program, main_thread
from enumerator.frontend.llvm.source import scan
from enumerator.frontend.llvm.tokens import NotCovered, decode_name
from enumerator.frozen import dataclass
from enumerator.program.condition import Condition, Equal, Flag, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import (
    Abort,
    Assign,
    Barrier,
    Call,
    CompareExchange,
    Fence,
    Instruction,
    Load,
    ReadModifyWrite,
    Register,
    Scope,
    Store,
    Throw,
)
from enumerator.program.memory import location_type, parse_location
from enumerator.program.test import RETURNED, MemoryObject, Placement, Test, Thread
from enumerator.program.types import ArrayType, IntType, PointerType, StructType, Type, VectorType, size_of
from enumerator.program.values import Value, signed
from enumerator.scopes import default_placements, parse_scopes, thread_properties
from enumerator.unfold import find_threads
from enumerator.unfold.creation import with_thread_locals

__all__ = ["TOGETHER", "ScopesNeeded", "load_text"]

TOGETHER = "together"
"""Instead of a scope tree: all threads run in one wavefront."""


class ScopesNeeded(InputError):
    """A test uses scopes and does not say where its threads run."""


_THREAD = re.compile(r"""\s*(?P<name>[\w.$-]+)\s*=\s*(?P<function>@(?:"[^"]*"|[-\w.$]+))""")


def load_text(
    text: str, path: str, function: str | None = None, source: str | None = None, scopes: str | None = None
) -> Test:
    """Read a test in the native format.

    Parameters
    ----------
    text : str
        LLVM IR that LLVM itself parses and verifies.
    path : str
        The test is named by its stem; errors show it.
    function : str, optional
        Look at this function only: the threads that run it, or one that does, and what it calls. Such a test has no
        condition.
    source : str, optional
        The file that the module was compiled from, if lines are to be those of it.
    scopes : str, optional
        The scope tree of a test that has none; ``together``: all threads in one wavefront.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        With the place of the mistake where there is one.
    """
    printed = canonical_text(text, path)
    scanned = scan(text)
    directives = read_directives(scanned.comments, path)
    if scopes is not None and scopes != TOGETHER and directives.scopes is None:
        directives.scopes = Comment(scopes, 1)
    module = parse_module(printed, scanned, path, compiled=source)
    if function is not None and function not in module.functions:
        raise InputError(f"no function @{function} has a body", path)
    reached = module.functions if function is None else module.reached(function)
    check_pairing({name: module.functions[name] for name in reached}, module.objects, path)
    launch = launched(module, directives, path, function)
    threads = launch.threads if launch is not None else _threads(module, directives, path, function)
    if scopes == TOGETHER and directives.scopes is None:
        names_ = " ".join(f'"{thread.name}"' for thread in threads)
        directives.scopes = Comment(f"(system (agent (cluster (workgroup (wavefront {names_})))))", 1)
    test = Test(
        name=Path(path).stem,
        title=directives.title,
        path=path,
        format="llvm",
        objects=module.objects if launch is None else (*module.objects, *launch.objects),
        functions=module.functions,
        threads=threads,
        placements=default_placements([thread.name for thread in threads]) if launch is None else launch.placements,
        condition=_EVERYTHING,
        expectations=directives.expectations,
        profile=directives.profile,
        unroll=directives.unroll,
        references=tuple(directives.references),
        scope_tree=directives.scopes.text if directives.scopes is not None else "" if launch is None else launch.tree,
        thread_locals=module.thread_locals,
        big_endian=module.big_endian,
        source=text,
        notes=tuple(_notes(module, text)),
    )
    if function is not None:
        return _placed(test, module, directives, partly=True)
    if launch is not None:
        test = with_local_memory(test)
    test = with_thread_locals(test, test.threads)
    if creates(module, threads):
        test = find_threads(test)
    if launch is None:
        _refuse_sizes(module, test)
        test = _placed(test, module, directives, partly=False)
    observed = _observed(module, directives, test)
    return replace(test, condition=_condition(module, directives, test), observed=observed)


_WAKING_ONE = frozenset({"pthread_cond_signal", "cnd_signal", "_ZNSt18condition_variable10notify_oneEv"})


def _notes(module: Module, text: str) -> Iterator[str]:
    """Say where a function of the library does more than it must."""
    own = (each for each in module.functions.values() if not each.library)
    called = {part.function for each in own for part in each.instructions if isinstance(part, Call)}
    for name in sorted(called & _WAKING_ONE):
        yield f"@{name} wakes all threads that wait, though it need not: a wake-up that is lost so is not shown"
    if "@syscall(" in text:  # none but those for futexes is taken
        yield "waits for a futex, as in std::atomic::wait, may end at any time: a wake-up that is missing is not shown"


def _refuse_sizes(module: Module, test: Test) -> None:
    """Raise an error where a thread asks for what only a directive LAUNCH says."""
    known: dict[str, dict[str, Value]] = {}
    for thread in test.threads:
        for name in module.reached(thread.function):
            for block in module.functions[name].blocks:
                for part in block.body:
                    asked = part.expression if isinstance(part, Assign) else None
                    if isinstance(asked, Register) and asked.name.startswith("%"):
                        known = known or thread_properties(test)
                        if asked.name not in known[thread.name]:
                            what = asked.name[1:].replace(".", " ")
                            message = (
                                f"the {what} of a grid is asked for, which only LAUNCH: says, as"
                                f" {example_call(module, thread.function)} workgroups=1 waves=2 lanes=1"
                            )
                            raise InputError(message, test.path, part.line)


def _placed(test: Test, module: Module, directives: Directives, *, partly: bool) -> Test:
    return replace(test, placements=_placements(module, directives, test.threads, test.path, partly=partly))


_EVERYTHING = Condition(Quantifier.EXISTS, TrueFormula(), "true")


# Threads ----------------------------------------------------------------------------------------------------


def _threads(module: Module, directives: Directives, path: str, only: str | None) -> tuple[Thread, ...]:
    if directives.threads is not None:
        given = tuple(_given_threads(module, directives.threads, path))
        chosen = tuple(thread for thread in given if only in (None, thread.function))
        if chosen:
            return chosen
    if only is None and is_program(module):
        return (main_thread(module, path),)
    own = [name for name, function in module.functions.items() if not function.library]
    names = [name for name in own if name not in module.called] if only is None else [only]
    threads = tuple(Thread(name, name) for name in names)
    if not threads:
        what = "every function is called by another" if own else "no function has a body"
        raise InputError(f"the test has no thread: {what}", path)
    for thread in threads:
        if module.functions[thread.function].parameters:
            call = example_call(module, thread.function)
            message = f"@{thread.function} has parameters: give them in THREADS:, as a={call}; or for a grid in LAUNCH:"
            raise InputError(message, path, module.functions[thread.function].line)
    return threads


def _given_threads(module: Module, directive: Comment, path: str) -> Iterator[Thread]:
    seen: set[str] = set()
    text, position = directive.text, 0

    def fail(message: str, at: int) -> InputError:
        return InputError(message, path, directive.line, directive.column + at)

    while position < len(text):
        match = _THREAD.match(text, position)
        if match is None:
            start = len(text) - len(text[position:].lstrip())
            raise fail("THREADS: expected name=@function(arguments)", start)
        name, function = match["name"], decode_name(match["function"])
        if name in seen:
            raise fail(f"THREADS: thread {name} is given twice", match.start("name"))
        seen.add(name)
        if function not in module.functions:
            raise fail(f"THREADS: no function {match['function']} with a body", match.start("function"))
        end = closing(text, match.end())
        if end is None:
            raise fail("THREADS: ')' is missing", len(text))
        try:
            arguments = constant_arguments(module, text[match.end() : end])
        except (NotCovered, ValueError, IndexError):
            written = text[match.end() : end].strip()
            raise fail(f"THREADS: {written} are no LLVM constants with their types", match.end()) from None
        wanted = module.signatures[function].parameters
        if tuple(argument.type for argument in arguments) != wanted:
            message = f"THREADS: the arguments do not fit the {len(wanted)} parameters of {match['function']}"
            raise fail(message, match.end())
        position = end
        yield Thread(name, function, arguments)


# Scopes -----------------------------------------------------------------------------------------------------


def _placements(
    module: Module, directives: Directives, threads: tuple[Thread, ...], path: str, *, partly: bool
) -> dict[str, Placement]:
    names_ = [thread.name for thread in threads]
    placed: dict[str, Placement] = {}
    if directives.scopes is not None:
        tree = directives.scopes
        placed = parse_scopes(tree.text, path, tree.line, tree.column)
        for name in placed:
            if name not in names_ and not partly:
                raise InputError(f"SCOPES: there is no thread {name}", path, tree.line, tree.column)
    missing = [name for name in names_ if name not in placed]
    if not missing:
        return {name: placed[name] for name in names_}
    need = _scoped(module, threads)
    if need is not None:
        what, line = need
        message = f"{what} needs a SCOPES: directive that names every thread (not named: {', '.join(missing)})"
        raise ScopesNeeded(message, path, line)
    # Numbers beyond those of the tree: the others share nothing below the system.
    alone = default_placements([*placed, *missing])
    above = 1 + max((number for place in placed.values() for number in place.instances), default=-1)
    for name in missing:
        instances = alone[name].instances
        placed[name] = Placement((*(number + above for number in instances[:5]), instances[5]))  # type: ignore[arg-type]
    return {name: placed[name] for name in names_}


def _scoped(module: Module, threads: tuple[Thread, ...]) -> tuple[str, int | None] | None:
    """Find an instruction that depends on the scope tree: what it is, and its line."""
    for function in dict.fromkeys(each for thread in threads for each in module.reached(thread.function)):
        for block in module.functions[function].blocks:
            for part in block.body:
                what = _scope_use(part)
                if what is not None:
                    return what, part.line
    return None


def _scope_use(part: Instruction) -> str | None:
    if isinstance(part, Barrier):
        return "a barrier"
    if isinstance(part, Assign) and isinstance(part.expression, Register) and part.expression.name.startswith("%"):
        name = part.expression.name
        if name.startswith(("%workitem.id.", "%workgroup.id.")):
            return f"llvm.amdgcn.{name[1:]}"
    if isinstance(part, (Load, Store, ReadModifyWrite, CompareExchange, Fence)):
        scope = part.annotation.scope
        if scope not in (Scope.SYSTEM, Scope.SINGLETHREAD):
            return f"the scope {scope.name.lower()}"
    return None


# Condition --------------------------------------------------------------------------------------------------


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
        obj, offset, size = parse_location(name, self.objects)
        return location_type(next(each for each in self.objects if each.name == obj), offset, size)


def _condition(module: Module, directives: Directives, test: Test) -> Condition:
    threads, path = test.threads, test.path
    if directives.condition is None:
        asks = _asserts(module, threads) or is_program(module)
        return Condition(Quantifier.NEVER, Flag("assert"), "assert") if asks else _EVERYTHING
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
            return atom
        for pointer in pointers_in(atom.right.value):
            if pointer.object and not pointer.object.endswith("]") and pointer.object not in objects:
                raise fail(f"unknown location {pointer.object}", pointer.object)
        try:
            value = resolve_addresses(atom.right.value, test.objects)
        except InputError as error:
            raise fail(error.message, "&") from None
        return Equal(atom.left, Literal(_as_held(value, types[atom.left.text])))

    return Condition(quantifier, map_atoms(condition.formula, adapt), condition.text)


def _plain(atom: Equal, known: _Names) -> Equal:
    return Equal(known.plain(atom.left), known.plain(atom.right) if isinstance(atom.right, Name) else atom.right)


def _observed(module: Module, directives: Directives, test: Test) -> tuple[Name, ...] | None:
    """Give what a test says is to be compared where another one is to refine it."""
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
    return any(
        isinstance(part, Abort | Throw)
        for name in reached
        for block in module.functions[name].blocks
        for part in block.body
    )


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
