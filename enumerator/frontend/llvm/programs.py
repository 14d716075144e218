"""Whole programs: ``main`` and the threads that it creates (semantics, section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend.llvm.module import Module
from enumerator.program.instructions import Call, Constant
from enumerator.program.test import Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import UNDEF, Pointer, Value

__all__ = ["creates", "is_program", "main_thread"]

_CREATES = "enumerator.begun"
"""What all functions that create a thread call."""


def creates(module: Module, threads: Iterable[Thread]) -> bool:
    """Tell whether a thread may create others.

    Parameters
    ----------
    module : Module
    threads : iterable of Thread

    Returns
    -------
    bool
    """
    return any(_CREATES in module.reached(thread.function) for thread in threads)


def is_program(module: Module) -> bool:
    """Tell whether a module has a ``main`` that creates threads: it is one thread, and they are the others.

    What was compiled from a file in C or the like is a program if it has a ``main``, whether that creates threads or
    not. The other functions are those that it calls, or that have been inlined.

    Parameters
    ----------
    module : Module

    Returns
    -------
    bool
    """
    if "main" not in module.signatures:
        return False
    return module.compiled or any(_CREATES in module.reached(name) for name in ("main", *_before(module)))


def main_thread(module: Module, path: str) -> Thread:
    """Give the thread that runs ``main``, after what makes the module's variables: a program without arguments.

    Parameters
    ----------
    module : Module
    path : str
        For error messages.

    Returns
    -------
    Thread

    Raises
    ------
    InputError
        If ``main`` has other parameters than in C.
    """
    _begin_with_constructors(module)
    parameters = module.signatures["main"].parameters
    known = (IntType(32), PointerType(), PointerType())
    if parameters != known[: len(parameters)]:
        message = "@main has other parameters than int argc, char **argv: give them in THREADS:"
        raise InputError(message, path, module.functions["main"].line)
    values: tuple[Value, ...] = (1, UNDEF, UNDEF)
    arguments = tuple(Constant(value, type_) for value, type_ in zip(values, parameters, strict=False))
    return Thread("main", "main", arguments)


def _before(module: Module) -> list[str]:
    """Name the functions that run before ``main``, in order: they make variables of C++ (LangRef, global_ctors)."""
    listed = next((each.initial for each in module.objects if each.name == "@llvm.global_ctors"), None)
    rows = [row for row in listed if isinstance(row, tuple)] if isinstance(listed, tuple) else []
    named = [(row[0], row[1].object[1:]) for row in rows if isinstance(row[0], int) and isinstance(row[1], Pointer)]
    return [name for _, name in sorted(named, key=lambda each: each[0]) if name in module.functions]


def _begin_with_constructors(module: Module) -> None:
    main, calls = module.functions["main"], tuple(Call(None, name, ()) for name in _before(module))
    first, *others = main.blocks
    if calls and first.body[: len(calls)] != calls:
        begun = replace(first, body=(*calls, *first.body))
        module.functions["main"] = replace(main, blocks=(begun, *others))
