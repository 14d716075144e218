"""Kernels as machine code: compiled once with numba, kept on disk, and called without numba from then on.

A kernel gets its arguments as one table of 64-bit words (:mod:`enumerator.jit.table`). What it was compiled
to for a layout of arguments is an object file, which LLVM loads; importing numba, and what numba does before it loads a
kernel, take longer than most tests.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import sys
import threading
from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from enumerator.jit.arguments import Layout, address_of, layout_of, table_of
from enumerator.jit.cache import announce, load_kernel, store_kernel

__all__ = ["Compiled", "Compiler", "Kernel", "target_machine"]

_OUT = 4
"""Words for what a kernel returns."""

_NOTHING = array("q", [0] * (_OUT + 2))

_lock = threading.RLock()


class Compiled(NamedTuple):
    """A kernel compiled for a layout of arguments."""

    code: bytes  # an object file
    symbol: str  # the function in it, as numba's calling convention for native code has it
    result: str  # "none", "bool", "int", or "tuple 2" and the like


Compiler = Callable[[str, str, tuple[Any, ...]], Compiled | Callable[..., Any]]


class Kernel:
    """A kernel, compiled for the layout of its arguments, or loaded, when they are first met.

    Parameters
    ----------
    module, name : str
        Where the function is.
    compiler : callable
        Given the module, the name and a layout of arguments, compiles the function: to what can be kept, or, where
        kernels are not compiled as a whole, to numba's function that compiles itself for any arguments.
    """

    def __init__(self, module: str, name: str, compiler: Compiler) -> None:
        self._module, self._name, self._compiler = module, name, compiler
        self._loaded: dict[tuple[Layout | str, ...], Callable[[list[int]], Any]] = {}
        self._plain: Callable[..., Any] | None = None  # where numba does all of it

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel: on arrays, named tuples of arrays, and integers."""
        if self._plain is not None:
            return self._plain(*arguments)
        words: list[int] = []
        layouts: list[Layout | str] = []
        for argument in arguments:
            if isinstance(argument, tuple):
                table = table_of(argument)
                words.append(table.address)
                layouts.append(table.layout)
            elif isinstance(argument, np.ndarray):
                words.append(address_of(argument))
                words.extend(argument.shape)
                layouts.append(layout_of((argument.dtype.str, argument.ndim)))
            else:
                layouts.append("uint" if isinstance(argument, np.unsignedinteger) else "int")
                words.append(int(argument))
        words.append(0)  # the address of what it returns, which comes last
        words.append(_OUT)
        key = tuple(layouts)
        run = self._loaded.get(key) or self._load(key)
        return self(*arguments) if run is None else run(words)

    def _load(self, key: tuple[Layout | str, ...]) -> Callable[[list[int]], Any] | None:
        with _lock:
            if key not in self._loaded:
                layout = tuple(each.fields if isinstance(each, Layout) else each for each in key)
                digest = hashlib.sha256(repr((layout, _machine())).encode()).hexdigest()[:16]
                name = f"{self._module.rpartition('.')[2]}.{self._name}-{digest}"
                compiled = _decode(load_kernel(name))
                if compiled is None:
                    announce()
                    made = self._compiler(self._module, self._name, layout)
                    if not isinstance(made, Compiled):
                        self._plain = made
                        return None
                    compiled = made
                    store_kernel(name, _encode(compiled))
                self._loaded[key] = _link(compiled)
            return self._loaded[key]


# Object files: a line of JSON, then the code. ----------------------------------------------------------------


def _encode(compiled: Compiled) -> bytes:
    digest = hashlib.sha256(compiled.code).hexdigest()
    head = {"symbol": compiled.symbol, "result": compiled.result, "sha256": digest}
    return json.dumps(head).encode() + b"\n" + compiled.code


def _decode(data: bytes | None) -> Compiled | None:
    """Read what :func:`_encode` wrote; None where that is damaged."""
    if data is None:
        return None
    line, _, code = data.partition(b"\n")
    try:
        head = json.loads(line)
        compiled = Compiled(code, head["symbol"], head["result"])
        whole = head["sha256"] == hashlib.sha256(code).hexdigest()
    except (ValueError, KeyError, TypeError):
        return None
    return compiled if whole else None


# LLVM ----------------------------------------------------------------------------------------------------------

_host: list[Any] = []
_engines: list[Any] = []


def _llvm() -> Any:
    import llvmlite.binding

    llvm: Any = llvmlite.binding
    if not _host:
        try:
            llvm.initialize()
        except RuntimeError:  # newer versions do it themselves, and say so
            pass
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _host.append((llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()))
    return llvm


def _machine() -> tuple[Any, ...]:
    """Say what decides, besides the sources, which code is right for this machine and these libraries."""
    llvm = _llvm()
    return (*_host[0], llvm.llvm_version_info, sys.byteorder)


def target_machine() -> Any:
    """Give LLVM's description of this machine, for code that is run in this process."""
    llvm = _llvm()
    triple, cpu, features = _host[0]
    reloc = "static" if platform.machine().lower() in ("x86_64", "amd64", "i386", "i686") else "default"
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu, features, 3, reloc=reloc, codemodel="jitdefault", jit=True)


def _link(compiled: Compiled) -> Callable[[list[int]], Any]:
    """Load machine code; the result takes the words of the arguments."""
    llvm = _llvm()
    module = llvm.parse_assembly("")
    far = platform.machine() == "aarch64" and sys.platform == "linux"  # sections must not be too far from each other
    engine = llvm.create_mcjit_compiler(module, target_machine(), use_lmm=far)
    engine.add_object_file(llvm.ObjectFileRef.from_data(compiled.code))
    engine.finalize_object()
    address = engine.get_function_address(compiled.symbol)
    if not address:
        raise RuntimeError(f"the compiled kernel has no function {compiled.symbol}")
    _engines.append(engine)
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)
    result = compiled.result
    returned = int(result.split()[1]) if result.startswith("tuple") else 1

    def run(words: list[int]) -> Any:
        """Call it: behind the arguments lies what it returns, and what numba's convention has and nobody uses."""
        count = len(words)
        call = array("q", [word if word < 1 << 63 else word - (1 << 64) for word in words])
        call.extend(_NOTHING)
        begin, _ = call.buffer_info()
        out = begin + 8 * count
        call[count - 2] = out
        unused = out + 8 * _OUT
        if function(unused, unused + 8, begin) != 0:
            raise RuntimeError("a kernel failed")
        if result == "int":
            return call[count]
        if result == "bool":
            return bool(call[count])
        return None if result == "none" else tuple(call[count : count + returned])

    return run
