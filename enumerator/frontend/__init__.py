"""Front ends: text to tests, one module or package a format."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING

from enumerator.discovery import find_tests
from enumerator.errors import InputError
from enumerator.files import STANDARD_INPUT, read_text
from enumerator.program.test import Test

if TYPE_CHECKING:
    from enumerator.frontend.compiled import Compiler
    from enumerator.options import BatchOptions

__all__ = ["SOURCES", "check_text", "compiler_of", "load", "load_any_text", "load_text", "read_ahead"]

_MOST_AHEAD, _FEW_AHEAD = 16, 6

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cl", ".hip")
"""The extensions of programs that clang compiles."""

# By what a format is recognised (extension or first word), and the module that reads it.
_EXTENSIONS = {
    ".ll": "enumerator.frontend.llvm",
    ".test": "enumerator.frontend.alloy",
}
_FIRST_WORDS = {
    "C": "enumerator.frontend.c",
    "VULKAN": "enumerator.frontend.vulkan",
    "Vulkan": "enumerator.frontend.vulkan",
    "PTX": "enumerator.frontend.ptx",
    "ptx": "enumerator.frontend.ptx",
    "OPENCL": "enumerator.frontend.opencl",
}


def load(path: str | os.PathLike[str], compiler: Compiler | None = None) -> Test:
    """Read a litmus test from a file, in any format that is known.

    Parameters
    ----------
    path : str or path-like
        ``-`` is standard input.
    compiler : Compiler, optional
        How programs in C and its like are compiled.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        If the file cannot be read, is of no known format, or is wrong.
    """
    name = os.fspath(path)
    text = _ahead.pop(name, None)
    if text is None:
        if os.path.isdir(name):
            find_tests([name])  # says it where there are none
        text = read_text(name)
    if os.path.splitext(name)[1].lower() in SOURCES and not _is_litmus(text):
        from enumerator.frontend.compiled import DEFAULT_COMPILER, load_source

        check_text(text, name)
        return load_source(text, name, compiler or DEFAULT_COMPILER)
    return load_text(text, name)


def compiler_of(path: str, options: BatchOptions) -> Compiler | None:
    """Say how a file is compiled, if it is a program.

    Parameters
    ----------
    path : str
    options : BatchOptions

    Returns
    -------
    Compiler or None
    """
    if not path.lower().endswith(SOURCES):
        return None
    from enumerator.frontend.compiled import Compiler

    return Compiler(options.clang, options.target, options.level)


def _is_litmus(text: str) -> bool:
    """Tell whether a text is a litmus test, whatever the file is called: ``C name`` and its like come first."""
    return re.match(rf"\ufeff?\s*(?:{'|'.join(_FIRST_WORDS)})[ \t]+[\w+.-]+\s*[\n{{]", text) is not None


_ahead: dict[str, str] = {}


def read_ahead(paths: Iterable[str]) -> None:
    """Read files that :func:`load` will be called for, in this order: LLVM parses them while others are checked.

    Parameters
    ----------
    paths : iterable of str
        The next file first, also those that were read ahead already. As long as these are more than a few, nothing is
        done. What is wrong with a file is told when it is loaded.
    """
    if len(_ahead) > _FEW_AHEAD:
        return
    from enumerator.frontend.llvm import process

    found: dict[str, str] = {}
    with suppress(InputError):
        for path in islice(paths, _MOST_AHEAD):
            if path in _ahead:
                continue
            if os.path.splitext(path)[1].lower() != ".ll":
                break
            text = read_text(path)
            check_text(text, path)
            found[path] = text
    taken = process.begin(list(found.values())) if found else 0
    _ahead.update(islice(found.items(), taken))


def load_text(text: str, path: str) -> Test:
    """Read a litmus test from text.

    Parameters
    ----------
    text : str
    path : str
        Its extension decides the format, or else the text's first word; the test is named by its stem. What comes by
        standard input (``-``) and does not begin with such a word is taken for LLVM IR.

    Raises
    ------
    InputError
        If the text is of no known format, or is wrong.
    """
    check_text(text, path)
    module = _format(text, path)
    try:
        test = _front_end(module).load_text(text, path)
    except RecursionError:
        raise InputError("the text is nested too deep", path) from None
    except InputError as error:
        error.path = error.path or path
        raise
    assert isinstance(test, Test)
    return test


@cache
def _front_end(module: str) -> ModuleType:
    return importlib.import_module(module)


def load_any_text(text: str, name: str) -> Test:
    """Read a litmus test from text, whose format its first word says; without such a word it is LLVM IR.

    Parameters
    ----------
    text : str
    name : str
        What messages call it.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        As :func:`load_text`.
    """
    return load_text(text, f"{name}.litmus" if _is_litmus(text) else f"{name}.ll")


def check_text(text: str, path: str) -> None:
    """Refuse text that no front end could read.

    Parameters
    ----------
    text, path : str

    Raises
    ------
    InputError
        If it is empty, or holds a NUL character (behind which LLVM would read nothing).
    """
    if "\0" in text:
        place = text.index("\0")
        line = text.count("\n", 0, place) + 1
        raise InputError("the text contains a NUL character", path, line, place - text.rfind("\n", 0, place))
    if not text.strip():
        raise InputError("the file is empty", path)


def _format(text: str, path: str) -> str:
    extension = os.path.splitext(path)[1].lower()
    if extension in _EXTENSIONS:
        return _EXTENSIONS[extension]
    match = re.match(r"\ufeff?\s*(\w+)", text)
    if match is not None and match[1] in _FIRST_WORDS:
        return _FIRST_WORDS[match[1]]
    if path == STANDARD_INPUT:
        return _EXTENSIONS[".ll"]
    raise InputError(
        "unknown format: expected LLVM IR (.ll), a Khronos Alloy test (.test), a litmus test that begins with "
        "C, VULKAN, PTX or OPENCL, or a program for clang (.c, .cpp, .cl, .hip)",
        path,
    )
