"""A litmus test from a module and its directives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from enumerator.dataflow.pairing import check_pairing
from enumerator.errors import InputError
from enumerator.frontend.directives import Comment, Directives, read_directives
from enumerator.frontend.llvm.buffers import NOT_HELD
from enumerator.frontend.llvm.condition import EVERYTHING, condition_of, observed_of
from enumerator.frontend.llvm.launch import NoGlobal, closing, constant_arguments, example_call, launched, without_body
from enumerator.frontend.llvm.local_memory import with_local_memory
from enumerator.frontend.llvm.module import Module, parse_module
from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.programs import creates, is_program, main_thread
from enumerator.frontend.llvm.source import scan
from enumerator.frontend.llvm.tokens import NotCovered, decode_name
from enumerator.program.instructions import (
    Access,
    Assign,
    Barrier,
    Call,
    Fence,
    Instruction,
    Register,
    Scope,
)
from enumerator.program.test import Placement, Test, Thread
from enumerator.program.values import Value
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
    if module.generic:
        from enumerator.frontend.llvm.generic import with_spaces

        with_spaces(module, threads)
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
        condition=EVERYTHING,
        expectations=directives.expectations,
        profile=directives.profile,
        unroll=directives.unroll,
        references=tuple(directives.references),
        scope_tree=directives.scopes.text if directives.scopes is not None else "" if launch is None else launch.tree,
        thread_locals=module.thread_locals,
        big_endian=module.big_endian,
        source=text,
        notes=(*directives.notes, *(launch.notes if launch is not None else ()), *_notes(module, text)),
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
    observed = observed_of(module, directives, test)
    return replace(test, condition=condition_of(module, directives, test), observed=observed)


_WAKING_ONE = frozenset({"pthread_cond_signal", "cnd_signal", "_ZNSt18condition_variable10notify_oneEv"})


_ACCESSES = "load ", "store ", "atomicrmw ", "cmpxchg "


def _passes_fat_pointer(text: str) -> bool:
    """Tell whether memory is accessed through a pointer to a buffer."""
    lines = (line.partition(";")[0] for line in text.splitlines() if "ptr addrspace(7)" in line)
    return any(each in line for line in lines for each in _ACCESSES)


def _notes(module: Module, text: str) -> Iterator[str]:
    """Say where a function of the library does more than it must."""
    own = (each for each in module.functions.values() if not each.library)
    called = {part.function for each in own for part in each.instructions if isinstance(part, Call)}
    for name in sorted(called & _WAKING_ONE):
        yield f"@{name} wakes all threads that wait, though it need not: a wake-up that is lost so is not shown"
    yield from module.notes
    if "llvm.amdgcn.make.buffer.rsrc." in text and _passes_fat_pointer(text):
        yield NOT_HELD.format("where it is accessed through a pointer in addrspace(7)")
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
            raise fail(f"THREADS: {without_body(module, match['function'])}", match.start("function"))
        end = closing(text, match.end())
        if end is None:
            raise fail("THREADS: ')' is missing", len(text))
        try:
            arguments = constant_arguments(module, text[match.end() : end])
        except NoGlobal as reason:
            raise fail(f"THREADS: {reason}", match.end()) from None
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
    if isinstance(part, Access | Fence):
        scope = part.annotation.scope
        if scope not in (Scope.SYSTEM, Scope.SINGLETHREAD):
            return f"the scope {scope.name.lower()}"
    return None
