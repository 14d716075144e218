"""Compiling kernels as a whole: numba gives the intermediate code of each function, LLVM optimizes them together.

numba by itself optimizes each function with all that it calls, and makes machine code of it: what many call is compiled
as many times. Some of what is used of numba here is not documented: :mod:`enumerator.jit.decorators` tries whether it
works.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import codegen, cpu, registry, target_extension
from numba.np import arrayobj

from enumerator.jit.kernel import Compiled, Kernel, target_machine
from enumerator.jit.table import Table

__all__ = ["Function", "compile_function"]

_OPTIONS = {
    "nopython": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,  # kernels allocate nothing
}


class _Collected(codegen.JITCodeLibrary):
    """What one function is compiled to, before it is linked and optimized."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _Machine(target_extension.CPU):
    """The machine that runs this, as a target of its own: what is compiled here is not for numba's other users."""


class _Target(registry.CPUTarget):
    @cached_property
    def target_context(self) -> Any:
        context = cpu.CPUContext(self.typing_context, _NAME)
        generator = context.codegen()
        generator._library_class = _Collected
        generator.set_env = lambda name, environment: None  # nothing is run here
        return context


_NAME = "enumerator"
target_extension.target_registry[_NAME] = _Machine


class Function(registry.CPUDispatcher):
    """A function that kernels call; from Python it is called as a kernel."""

    targetdescr = _Target(_NAME)

    def __init__(self, function: Any, **options: Any) -> None:
        super().__init__(function, targetoptions={**options, **_OPTIONS})

    def __call__(self, *arguments: Any) -> Any:
        return self._kernel(*arguments)

    @cached_property
    def _kernel(self) -> Kernel:
        function = self.py_func
        return Kernel(function.__module__, function.__name__, lambda *where: compile_function(self, where[2]))


def _supplied(**options: Any) -> Any:
    """Mark a function of numba's that kernels call."""
    return lambda function: Function(function, **options)


target_extension.dispatcher_registry[_Machine] = Function
target_extension.jit_registry[_Machine] = _supplied


@contextmanager
def _indices_as_they_are() -> Iterator[None]:
    """Let an index below zero not count from the end meanwhile: no kernel has one, and it costs a tenth of the time."""
    before = getattr(arrayobj, "fix_integer_index", None)
    if before is None:
        yield
        return

    def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    arrayobj.fix_integer_index = as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before


def compile_function(kernel: Function, layout: tuple[Any, ...]) -> Compiled:
    """Compile a kernel for a layout of its arguments.

    Parameters
    ----------
    kernel : Function
    layout : tuple
        For each argument what :class:`Table` takes for a field.

    Returns
    -------
    Compiled

    Raises
    ------
    RuntimeError
        Where the code would need anything but itself.
    """
    fields = [(f"a{number}", each) for number, each in enumerate(layout)]
    call = Table((*fields, ("out", ("<i8", 1))))
    kinds = tuple(kind for field, (_, kind) in call.fields.items() if field != "out")
    with _indices_as_they_are():
        kernel.compile(kinds)
    returned = kernel.overloads[kinds].signature.return_type
    arguments = ", ".join(f"call.{field}" for field, _ in fields)
    if isinstance(returned, types.BaseTuple):
        result = f"tuple {len(returned)}"
        target = ", ".join(f"call.out[{number}]" for number in range(len(returned))) + " = "
    elif isinstance(returned, types.NoneType):
        result, target = "none", ""
    else:
        result, target = "bool" if isinstance(returned, types.Boolean) else "int", "call.out[0] = "
    space = {"kernel": kernel}
    exec(f"def entry(call):\n    {target}kernel({arguments})\n    return 0\n", space)
    entry = Function(space["entry"])
    entry.compile((call,))
    (found,) = entry.overloads.values()
    symbol = found.fndesc.llvm_func_name
    return Compiled(_machine_code(found.library, symbol), symbol, result)


def _machine_code(library: Any, symbol: str) -> bytes:
    """Link what was collected, optimize the whole, and give its object file."""
    whole = llvm.parse_assembly("")
    whole.triple = library._final_module.triple
    whole.data_layout = library._codegen._data_layout
    seen: set[int] = set()
    waiting = [library]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            whole.link_in(each._final_module, preserve=True)
            waiting += each._linking_libraries
    for function in whole.functions:
        if not function.is_declaration and function.name != symbol:
            function.linkage = "internal"
    machine = target_machine()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(whole, builder)
    whole.verify()
    missing = [each.name for each in whole.functions if each.is_declaration and not each.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"kernels cannot use {', '.join(missing)}")
    return bytes(machine.emit_object(whole))
