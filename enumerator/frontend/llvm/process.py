"""LLVM at arm's length: modules are parsed and verified in a child process, which is kept for the next module.

The child is started when it is first needed and again when it died. A process that was forked from one that has
a child starts its own. Who has several modules to read may let it begin on the next ones (:func:`begin`).
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import re
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from enumerator.clock import remaining
from enumerator.errors import InputError, Timeout
from enumerator.frontend.llvm.newer import as_written, for_older

__all__ = ["TIME_LIMIT", "begin", "canonical_text", "start", "stop"]

#: Seconds that LLVM may take for one module.
TIME_LIMIT = 10.0

#: Seconds that waiting may end too early.
_ALMOST = 0.01

_CHUNK = 1 << 16

#: Bytes of modules whose answers have not been fetched yet: so few that neither side ever waits for room in a pipe.
_MOST_AHEAD = 1 << 14


def canonical_text(text: str, path: str) -> str:
    """Let LLVM parse and verify a module, and give it as LLVM prints it.

    Parameters
    ----------
    text : str
        LLVM IR.
    path : str
        For error messages.

    Returns
    -------
    str
        The canonical text: one instruction a line, unnamed values and metadata renumbered, comments dropped.

    Raises
    ------
    InputError
        LLVM's own message with its place; or that LLVM crashed, or did not finish in :data:`TIME_LIMIT`.
    Timeout
        If the time is up before that (:func:`enumerator.clock.time_limit`).
    """
    known = text
    while True:
        try:
            printed = _printed(known, path)
        except InputError as refused:
            older = for_older(known, refused.message, refused.line)
            if older is None or older == known:
                raise
            known = older
        else:
            return printed if known is text else as_written(printed)


def _printed(text: str, path: str) -> str:
    """Let LLVM read a module as it is."""
    global _child
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("the text is not valid Unicode", path) from None
    with _lock:
        while True:
            if _child is None or not _child.alive():
                stop()
                _child = _Child()
            child = _child
            try:
                kind, answer = child.ask(data)
                break
            except TimeoutError:
                is_next = child.is_next(data)
                stop()
                if remaining() is not None and _patience() - time.monotonic() < _ALMOST:
                    raise Timeout from None
                if is_next:
                    raise InputError(f"LLVM did not finish with this file in {TIME_LIMIT:g} seconds", path) from None
            except (EOFError, OSError):
                last_words = child.last_words()
                first = child.served == 0 and child.is_next(data)
                stop()
                if first:  # otherwise an earlier module, or someone else, may be to blame: try once more
                    raise InputError(f"LLVM itself failed on this file{last_words}", path) from None
            except BaseException:
                stop()  # the answer is still on its way: it must not be taken for that of the next request
                raise
    if kind == b"M":
        return answer
    raise _parse_error(answer, path) if kind == b"P" else _verifier_error(answer, text, path)


def begin(texts: Sequence[str]) -> int:
    """Let LLVM begin on modules that :func:`canonical_text` will be asked for, in this order.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    int
        On how many, from the first: it takes no more than it can answer without anyone listening.
    """
    global _child
    with contextlib.suppress(UnicodeEncodeError, InputError, OSError, TimeoutError), _lock:
        data = [text.encode("utf-8") for text in texts]
        if _child is None:
            _child = _Child()
        return _child.begin(data)
    return 0


def start() -> None:
    """Start the child before the first module is there: it imports LLVM meanwhile. That it cannot is said later."""
    global _child
    with _lock, contextlib.suppress(InputError, OSError):
        if _child is None:
            _child = _Child()


def stop() -> None:
    """End this process's child, if there is one."""
    global _child
    if _child is not None:
        _child.close()
        _child = None


class _Child:
    """The child process and the pipes to it."""

    def __init__(self) -> None:
        found = importlib.util.find_spec("llvmlite")
        if found is None or found.origin is None:
            raise InputError("reading LLVM IR needs the package llvmlite, which is not installed")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the child
        # Isolated and without site: a quick start, and nothing in the current folder is imported.
        command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("worker.py"))]
        self._process = subprocess.Popen(
            [*command, str(Path(found.origin).parent.parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self.served = 0
        self._begun: deque[bytes] = deque()  # modules that were sent and not answered yet

    def alive(self) -> bool:
        return self._process.poll() is None

    def begin(self, modules: Sequence[bytes]) -> int:
        """Send modules whose answers are fetched later, as many as there may be of these; give their number."""
        sizes = accumulate(map(len, modules), initial=sum(map(len, self._begun)))
        taken = sum(size <= _MOST_AHEAD for size in sizes) - 1
        if taken > 0:
            if not self._begun:
                self._forget_errors()
            self._request(modules[:taken], _patience())
        return max(taken, 0)

    def ask(self, data: bytes) -> tuple[bytes, str]:
        """Send a module, if it has not been sent, and receive the kind of the answer and its text."""
        if data not in self._begun:
            while self._begun:  # these were not wanted after all
                self._answer(_patience())
            self._forget_errors()
            deadline = _patience()
            self._request([data], deadline)
            return self._answer(deadline)
        while self._begun[0] != data:
            self._answer(_patience())
        return self._answer(_patience())

    def is_next(self, data: bytes) -> bool:
        """Tell whether LLVM would be at a module, if it answered no more."""
        return not self._begun or self._begun[0] == data

    def _request(self, modules: Sequence[bytes], deadline: float) -> None:
        self._begun.extend(modules)
        self._send(b"".join(len(data).to_bytes(8, "big") + data for data in modules), deadline)

    def _answer(self, deadline: float) -> tuple[bytes, str]:
        header = self._receive(9, deadline)
        answer = self._receive(int.from_bytes(header[1:], "big"), deadline)
        self._begun.popleft()
        self.served += 1
        return header[:1], answer.decode("utf-8")

    def _forget_errors(self) -> None:
        if self._errors.tell():
            self._errors.seek(0)
            self._errors.truncate()

    def last_words(self) -> str:
        """Give what LLVM wrote before it died, as the end of a message."""
        with contextlib.suppress(OSError, ValueError):
            self._errors.seek(0)
            lines = self._errors.read(4096).decode("utf-8", "replace").splitlines()
            noise = (" #", "#", "PLEASE", "Stack", "Traceback", "  File")
            told = [line.strip() for line in lines if line.strip() and not line.startswith(noise)]
            if told:
                return ": " + "; ".join(told[:3])[:400]
        return ""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._process.kill()
        self.forget()
        with contextlib.suppress(OSError):
            self._process.wait()

    def forget(self) -> None:
        """Close this process's ends of the pipes."""
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._input, view) :]
            except BlockingIOError:
                _wait(self._input, selectors.EVENT_WRITE, deadline)

    def _receive(self, size: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while size:
            try:
                part = os.read(self._output, min(size, _CHUNK))
            except BlockingIOError:
                _wait(self._output, selectors.EVENT_READ, deadline)
                continue
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _patience() -> float:
    """Tell until when (``time.monotonic()``) to wait for LLVM."""
    left = remaining()
    return time.monotonic() + (TIME_LIMIT if left is None else min(left, TIME_LIMIT))


def _wait(descriptor: int, event: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, event)
        if not selector.select(max(deadline - time.monotonic(), 0)):
            raise TimeoutError


_child: _Child | None = None
_lock = threading.RLock()


def _after_fork() -> None:
    """Leave the child to the process that started it."""
    global _child, _lock
    if _child is not None:
        _child.forget()
        _child._process.returncode = 0  # it is no child of this process: nothing to wait for or warn about
    _child, _lock = None, threading.RLock()


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# LLVM's messages --------------------------------------------------------------------------------------------


def _parse_error(message: str, path: str) -> InputError:
    match = re.search(r"^<string>:(\d+):(\d+): error: (.*)$", message, re.MULTILINE)
    if match is None:
        told = message.removeprefix("LLVM IR parsing error").strip().removeprefix("error: ")
        return InputError(f"LLVM does not accept this file: {told or 'no reason given'}", path)
    return InputError(match[3], path, int(match[1]), int(match[2]))


def _verifier_error(message: str, text: str, path: str) -> InputError:
    """The verifier gives no position: look for the instruction that it prints."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    printed = [_without_metadata(line) for line in lines[1:]]
    for shown in printed:
        places = [number for number, line in enumerate(text.split("\n"), 1) if _without_metadata(line) == shown]
        if function := re.fullmatch(r"ptr (@\S+)", shown):  # it prints no more of a function than its name
            header = re.compile(rf"\s*(?:declare|define)\b.*{re.escape(function[1])}\(")
            places = [number for number, line in enumerate(text.split("\n"), 1) if header.match(line)]
        if len(places) == 1:
            return InputError("; ".join(lines[:4]), path, places[0])
    return InputError("; ".join(lines[:4]) or "LLVM's verifier rejects this file", path)


def _without_metadata(line: str) -> str:
    return re.sub(r", ?![a-zA-Z].*| ?;.*", "", " ".join(line.split()))
