"""The child process in which LLVM reads untrusted text.

Some invalid modules abort the process that parses them, and deep nesting overflows its stack. This file is run
as a script by :mod:`enumerator.frontend.llvm.process`, with the folder that holds llvmlite as its argument, and
imports nothing else.

A request is its length in bytes (8, big endian) and the module's text. The answer is one letter, a length and a
text: ``M`` the module as LLVM prints it, ``P`` a parse error, ``V`` a verifier error.
"""

from __future__ import annotations

import contextlib
import sys
from typing import BinaryIO

# No module that the checker could work on needs more, and a runaway one must not take the machine with it.
_MEMORY = 2 << 30


def main() -> None:
    """Answer requests until the input ends."""
    sys.path.append(sys.argv[1])
    _limit_resources()
    import llvmlite.binding as llvm

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (header := source.read(8)) and len(header) == 8:
        text = source.read(int.from_bytes(header, "big")).decode("utf-8")
        context = llvm.create_context()  # type: ignore[no-untyped-call]
        try:
            module = llvm.parse_assembly(text, context)  # type: ignore[no-untyped-call]
        except RuntimeError as error:
            _answer(sink, b"P", str(error))
            continue
        try:
            module.verify()
        except RuntimeError as error:
            _answer(sink, b"V", str(error))
        else:
            _answer(sink, b"M", str(module))
        module.close()


def _answer(sink: BinaryIO, kind: bytes, text: str) -> None:
    data = text.encode("utf-8", "replace")
    sink.write(kind + len(data).to_bytes(8, "big") + data)
    sink.flush()


def _limit_resources() -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
