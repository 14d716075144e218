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
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from enumerator.jit.cache import announce, load_kernel, store_kernel

__all__ = ["Compiled", "Compiler", "Kernel", "packed", "target_machine"]

_OUT = 4
"""Words for what a kernel returns."""

_lock = threading.RLock()
_T = TypeVar("_T", bound=type)


class Compiled(NamedTuple):
    """A kernel compiled for a layout of arguments."""

    code: bytes  # an object file
    symbol: str  # the function in it, as numba's calling convention for native code has it
    result: str  # "none", "bool", "int", or "tuple 2" and the like


Compiler = Callable[[str, str, tuple[Any, ...]], Compiled | Callable[..., Any]]


def packed(fields: _T) -> _T:
    """Let the instances of a named tuple of arrays keep the table that kernels get for them."""
    return type(fields.__name__, (fields,), {"__doc__": fields.__doc__, "__module__": fields.__module__})  # type: ignore[return-value]


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
        self._loaded: dict[Any, Callable[[Any, Any], Any]] = {}
        self._plain: Callable[..., Any] | None = None  # where numba does all of it

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel: on arrays, named tuples of arrays, and integers."""
        if self._plain is not None:
            return self._plain(*arguments)
        words: list[int] = []
        layouts: list[Any] = []
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                layouts.append(_add_array(argument, words))
            elif isinstance(argument, tuple):
                table, layout = _table(argument)
                words.append(table.ctypes.data)
                layouts.append(layout)
            else:
                layouts.append("uint" if isinstance(argument, np.unsignedinteger) else "int")
                words.append(int(argument))
        out = np.zeros(_OUT, dtype=np.int64)
        _add_array(out, words)
        layout = tuple(layouts)
        run = self._loaded.get(layout) or self._load(layout)
        if run is None:
            return self(*arguments)
        call = np.array([word if word < 1 << 63 else word - (1 << 64) for word in words], dtype=np.int64)
        return run(call, out)

    def _load(self, layout: tuple[Any, ...]) -> Callable[[Any, Any], Any] | None:
        with _lock:
            if layout not in self._loaded:
                key = hashlib.sha256(repr((layout, _machine())).encode()).hexdigest()[:16]
                name = f"{self._module.rpartition('.')[2]}.{self._name}-{key}"
                compiled = _decode(load_kernel(name))
                if compiled is None:
                    announce()
                    made = self._compiler(self._module, self._name, layout)
                    if not isinstance(made, Compiled):
                        self._plain = made
                        return None
                    compiled = made
                    store_kernel(name, _encode(compiled))
                self._loaded[layout] = _link(compiled)
            return self._loaded[layout]


def _add_array(array: np.ndarray[Any, Any], words: list[int]) -> tuple[str, int]:
    if not array.flags.c_contiguous:
        raise TypeError("kernels work on contiguous arrays")
    words.append(array.ctypes.data)
    words.extend(array.shape)
    return array.dtype.str, array.ndim


def _table(fields: Any) -> tuple[np.ndarray[Any, Any], tuple[Any, ...]]:
    """Give the table of a named tuple of arrays; it is kept as long as the tuple, and hence the arrays."""
    kept: tuple[np.ndarray[Any, Any], tuple[Any, ...]] | None = getattr(fields, "_table", None)
    if kept is None:
        words: list[int] = []
        layout = tuple((name, _add_array(field, words)) for name, field in zip(fields._fields, fields, strict=True))
        kept = np.array(words, dtype=np.int64), layout
        fields._table = kept
    return kept


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


def _link(compiled: Compiled) -> Callable[[Any, Any], Any]:
    """Load machine code; the result takes the table of arguments, and the array that receives what is returned."""
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

    def run(call: Any, out: Any) -> Any:
        unused = np.zeros(2, dtype=np.int64)
        begin = unused.ctypes.data
        if function(begin, begin + 8, call.ctypes.data) != 0:
            raise RuntimeError("a kernel failed")
        if result == "int":
            return int(out[0])
        if result == "bool":
            return bool(out[0])
        return None if result == "none" else tuple(out[: int(result.split()[1])].tolist())

    return run
