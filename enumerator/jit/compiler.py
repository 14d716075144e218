"""Kernels are compiled in a process of their own, which is kept for the next one.

A compiler's work for a kernel is a few calls that take seconds, and that nothing interrupts: this process only waits
for it, so that Ctrl-C ends both at once.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from enumerator.clock import untimed
from enumerator.jit.kernel import Compiled, Kernel

__all__ = ["compile_apart", "kernel", "serve", "stop"]

_COMMAND = "import sys; sys.path[:] = sys.argv[1:]; from enumerator.jit.compiler import serve; serve()"


def kernel(module: str, name: str) -> Kernel:
    """Give a kernel that another process compiles, at no cost of the time that a test may take.

    Parameters
    ----------
    module, name : str
        Where the function is. Nothing of it is imported before the kernel has to be compiled.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> import numpy as np
    >>> probe = kernel("enumerator.search.kernels.values", "probe")
    >>> probe(np.array([-1, -1, -1, 5]), 5)
    3
    """
    return Kernel(module, name, _compile)


def _compile(module: str, name: str, layout: tuple[Any, ...]) -> Compiled | Callable[..., Any]:
    with untimed():
        apart = compile_apart(module, name, layout)
        if apart is not None:
            return Compiled(*apart)
        from enumerator.jit.decorators import compile_kernel

        found: Compiled | Callable[..., Any] = compile_kernel(module, name, layout)
        return found


class _Compiler:
    """The other process."""

    def __init__(self) -> None:
        folders = dict.fromkeys([*(os.path.abspath(each) for each in sys.path), str(Path(__file__).parents[2])])
        self._process = subprocess.Popen(
            # isolated and without site: what this process would import, and nothing from the current folder
            [sys.executable, "-I", "-S", "-c", _COMMAND, *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the one that waits
        )

    def compile(self, module: str, name: str, layout: tuple[Any, ...]) -> tuple[bytes, str, str] | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        pickle.dump((module, name, layout), self._process.stdin)
        self._process.stdin.flush()
        found: tuple[bytes, str, str] | None = pickle.load(self._process.stdout)
        return found

    def close(self) -> None:
        self._process.kill()
        self.forget()
        self._process.wait()

    def forget(self) -> None:
        """Close this process's ends of the pipes."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


_compiler: _Compiler | None = None


def compile_apart(module: str, name: str, layout: tuple[Any, ...]) -> tuple[bytes, str, str] | None:
    """Compile a kernel for a layout of its arguments in another process, which is started for the first one.

    Parameters
    ----------
    module, name : str
    layout : tuple
        As :func:`enumerator.jit.decorators.compile_kernel` takes it.

    Returns
    -------
    (bytes, str, str) or None
        The fields of :class:`enumerator.jit.kernel.Compiled`; None where it has to be compiled in this process.
    """
    global _compiler
    try:
        if _compiler is None:
            _compiler = _Compiler()
        return _compiler.compile(module, name, layout)
    except (OSError, EOFError, ValueError, pickle.PickleError):
        stop()
        return None
    except BaseException:
        stop()  # the answer to this question must not be taken for that to another
        raise


def stop() -> None:
    """End the other process, if there is one."""
    global _compiler
    if _compiler is not None:
        _compiler.close()
        _compiler = None


def serve() -> None:
    """Be the other process: answer as long as there are questions."""
    questions = sys.stdin.buffer
    answers: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a compiler prints is no answer
    from enumerator.jit.decorators import compile_kernel

    while True:
        try:
            module, name, layout = pickle.load(questions)
        except EOFError:
            return
        made = compile_kernel(module, name, layout)
        pickle.dump(tuple(made) if isinstance(made, Compiled) else None, answers)
        answers.flush()


def _after_fork() -> None:
    """Leave the other process to the one that started it."""
    global _compiler
    if _compiler is not None:
        _compiler.forget()
        _compiler._process.returncode = 0  # it is no child of this process: nothing to wait for or warn about
        _compiler = None


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
