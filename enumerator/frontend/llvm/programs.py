"""Whole programs: ``main`` and the threads that it creates (semantics, section 9)."""

from __future__ import annotations

from collections.abc import Iterable

from enumerator.errors import InputError
from enumerator.frontend.llvm.module import Module
from enumerator.program.instructions import Constant
from enumerator.program.test import Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import UNDEF, Value

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

    Parameters
    ----------
    module : Module

    Returns
    -------
    bool
    """
    return "main" in module.signatures and _CREATES in module.reached("main")


def main_thread(module: Module, path: str) -> Thread:
    """Give the thread that runs ``main``: a program without arguments.

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
    parameters = module.signatures["main"].parameters
    known = (IntType(32), PointerType(), PointerType())
    if parameters != known[: len(parameters)]:
        message = "@main has other parameters than int argc, char **argv: give them in THREADS:"
        raise InputError(message, path, module.functions["main"].line)
    values: tuple[Value, ...] = (1, UNDEF, UNDEF)
    arguments = tuple(Constant(value, type_) for value, type_ in zip(values, parameters, strict=False))
    return Thread("main", "main", arguments)
