"""LLVM's optimizer and code generator, in a child process, or the user's own ``opt``."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from enumerator.clock import check_time, remaining
from enumerator.errors import InputError
from enumerator.files import LARGEST_TEST
from enumerator.frontend.llvm.newer import without_conventions

__all__ = ["LEVELS", "assemble", "check_processor", "optimized", "pass_names"]

LEVELS = {"O1": 1, "O2": 2, "O3": 3}
"""The pipelines that llvmlite builds, by name. ``Os`` it cannot: that takes ``--opt 'opt -S -Os'``."""

_SECONDS = 30.0
"""How long LLVM, or the program, may take for one module."""

_CHUNK = 1 << 16

# AMDGPUExecutionSynchronization, "s_barrier": up to GFX11 arrival and wait are one instruction.
_SPLIT = re.compile(
    r"call\b[^\n;]*@llvm\.amdgcn\.(s\.(?:barrier\.\w+(?:\.\w+)?|get\.(?:named\.)?barrier\.state|wakeup\.barrier))\("
)
_BEFORE_GFX12 = re.compile(r"gfx(?:[1-9]\w\w|1[01]\w\w)$")

_child: subprocess.Popen[str] | None = None
_owner = 0
_told: IO[bytes]
"""What the child writes on its error stream."""


def optimized(
    text: str,
    path: str,
    *,
    level: str = "O2",
    passes: Sequence[str] = (),
    cpu: str | None = None,
    command: str | None = None,
) -> str:
    """Optimize a module.

    Parameters
    ----------
    text : str
        LLVM IR.
    path : str
        For error messages.
    level : {'O1', 'O2', 'O3'}
    passes : sequence of str
        Run these instead, in this order; by the names of ``opt`` as far as llvmlite has them (:func:`pass_names`).
    cpu : str, optional
        Optimize for this AMDGPU processor. Default: the module's own target, or the host.
    command : str, optional
        Run this program instead: it gets the module on its standard input and writes the result to its output.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If LLVM, or the program, fails or writes too much; or there is no such level or pass.
    Timeout
        If the time is up first (:func:`enumerator.clock.time_limit`).

    Examples
    --------
    >>> text = "define i32 @f() {\\n  %r = add i32 1, 1\\n  ret i32 %r\\n}"
    >>> "ret i32 2" in optimized(text, "f.ll", passes=["instcombine"])
    True
    """
    if command is not None:
        return _by_command(text, path, command)
    if level not in LEVELS:
        raise InputError(f"llvmlite builds no pipeline {level}: use --opt 'opt -S -{level}'", path)
    asked = {
        "do": "optimize",
        "text": _for_processor(without_conventions(text), cpu),
        "speed": LEVELS[level],
        "passes": list(passes),
        "cpu": cpu,
    }
    return str(_ask(asked, path))


def assemble(text: str, path: str, cpu: str) -> str:
    """Compile a module to AMDGPU assembly.

    Parameters
    ----------
    text, path : str
    cpu : str
        Such as ``gfx942``.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If LLVM fails, or there is no such processor.
    """
    check_cpu(cpu)
    asked = {"do": "assemble", "text": _for_processor(without_conventions(text), cpu), "cpu": cpu}
    return str(_ask(asked, path))


_OWN_PROCESSOR = re.compile(r' ?"target-(?:cpu|features)"="[^"]*"')


def _for_processor(text: str, cpu: str | None) -> str:
    """Take away the processor that functions were compiled for, where another is asked for: LLVM prefers theirs."""
    return text if cpu is None else _OWN_PROCESSOR.sub("", text)


def check_processor(cpu: str | None) -> None:
    """Refuse a processor that LLVM does not know, if one is given.

    Raises
    ------
    InputError
        As :func:`assemble`.
    """
    if cpu is not None:
        assemble("", "--cpu", cpu)


def check_cpu(cpu: str) -> None:
    """Refuse what cannot be the name of an AMDGPU processor: LLVM takes any name, and says so only on its error stream.

    Examples
    --------
    >>> check_cpu("gfx942")
    """
    if not re.fullmatch(r"gfx[0-9a-f]{3,4}|gfx\d+(-\d+)*-generic", cpu):
        raise InputError(f"expected an AMDGPU processor, as gfx942, not {cpu!r}", "--cpu")


@cache
def pass_names() -> tuple[str, ...]:
    """Name the passes that can be run one by one.

    Examples
    --------
    >>> {"instcombine", "newgvn", "dse"} <= set(pass_names())
    True
    """
    return tuple(_ask({"do": "passes"}, "--passes"))


def _ask(request: dict[str, Any], path: str) -> Any:
    """Ask the child; one that dies or does not answer is started anew for the next request."""
    global _child, _owner, _told
    if _child is None or _child.poll() is not None or _owner != os.getpid():
        _told = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the child
        spec = importlib.util.find_spec("llvmlite")
        assert spec is not None and spec.origin is not None
        worker = Path(__file__).with_name("llvm_worker.py")
        _child = subprocess.Popen(
            [sys.executable, str(worker), str(Path(spec.origin).parent.parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=_told,
            text=True,
        )
        _owner = os.getpid()
    child = _child
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        with selectors.DefaultSelector() as waiting:
            waiting.register(child.stdout, selectors.EVENT_READ)
            line = child.stdout.readline() if waiting.select(_patience()) else None
    except BrokenPipeError:
        line = ""
    except BaseException:
        _stop()  # the answer is still on its way: it must not be taken for that of the next request
        raise
    if not line:
        _stop()
        if line is None:
            check_time()
            raise InputError(f"LLVM did not finish with this module in {_SECONDS:g} seconds", path)
        _told.seek(0)
        raise InputError(_last_words(_told.read().decode("utf-8", "replace"), request), path)
    answer = json.loads(line)
    if "error" in answer:
        raise InputError(f"LLVM: {answer['error']}", path)
    return answer["text"]


def _last_words(told: str, request: dict[str, Any]) -> str:
    """Say why LLVM ended: what it wrote, or instructions of the module that the processor does not have."""
    cpu = request.get("cpu")
    processor = f" for {cpu}" if cpu else ""
    why = re.search(r"^(?:LLVM ERROR: |error: \S+ (?:x: )?)(.*)$", told, re.MULTILINE)
    if why is not None:
        return f"LLVM cannot compile this module{processor}: {why[1]}"
    late = _SPLIT.search(request["text"]) if cpu and _BEFORE_GFX12.match(cpu) else None
    if late is not None:
        line = request["text"].count("\n", 0, late.start()) + 1
        return f"{cpu} has no {late[1]} (line {line}): halves of barriers, and named ones, need gfx12 or later"
    return f"LLVM crashed on this module{processor}"


def _stop() -> None:
    global _child
    if _child is not None and _owner == os.getpid():
        _child.kill()
        _child.wait()
    _child = None


atexit.register(_stop)


def _by_command(text: str, path: str, command: str) -> str:
    try:
        words = shlex.split(command)
        if not words:
            raise ValueError("it is empty")
    except ValueError as error:
        raise InputError(f"not a command: {error}", "--opt") from None
    with tempfile.TemporaryFile() as given:
        given.write(text.encode("utf-8"))
        given.seek(0)
        try:
            pipe = subprocess.PIPE
            child = subprocess.Popen(words, stdin=given, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"cannot run {words[0]}: {why}", "--opt") from None
    try:
        made, told = _output_of(child, path, words[0])
    finally:
        _end_group(child)
    if child.returncode != 0:
        said = " ".join(told.decode("utf-8", "replace").split())[:300]
        raise InputError(f"{words[0]} failed with the code {child.returncode}: {said}", path)
    try:
        return made.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"what {words[0]} wrote is not UTF-8", path) from None


def _output_of(child: subprocess.Popen[bytes], path: str, name: str) -> tuple[bytes, bytes]:
    """Read what a program writes until it ends: its output, and the beginning of its messages."""
    assert child.stdout is not None and child.stderr is not None
    made, told = bytearray(), bytearray()
    end = time.monotonic() + _patience()
    late = InputError(f"{name} did not finish in {_SECONDS:g} seconds", path)
    with selectors.DefaultSelector() as waiting:
        for stream in (child.stdout, child.stderr):
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0.0, end - time.monotonic()))
            if not ready:
                check_time()
                raise late
            for key, _ in ready:
                part = os.read(key.fd, _CHUNK)
                if not part:
                    waiting.unregister(key.fileobj)
                elif key.fileobj is child.stdout:
                    made += part
                elif len(told) < _CHUNK:
                    told += part
            if len(made) > LARGEST_TEST:
                raise InputError(f"{name} wrote more than {LARGEST_TEST >> 20} MiB", path)
    try:
        child.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        check_time()
        raise late from None
    return bytes(made), bytes(told)


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started, where that is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdout, child.stderr):
        if stream is not None:
            stream.close()


def _patience() -> float:
    """Tell how many seconds to wait for LLVM, or the program."""
    left = remaining()
    return _SECONDS if left is None else min(left, _SECONDS)
