"""Reading a test once more, from its text as it is or changed: what clang made of a program is LLVM IR.

The file of a program in C or the like holds that language, and the source of its test (:attr:`Test.source`) does not:
it is IR, whose directives stand in the lines that they have in the file.
"""

from __future__ import annotations

import os
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend import SOURCES, load_text
from enumerator.program.test import Test

__all__ = ["by_own_lines", "ir_of", "is_compiled", "load_again", "load_ir"]

_ARGUMENTS = ("i32 1", "ptr undef", "ptr undef")
"""What ``main`` is given: no arguments but its name."""


def is_compiled(test: Test) -> bool:
    """Tell whether a test was compiled from a program in C or the like.

    Examples
    --------
    >>> is_compiled(load_text("define void @t() {\\n  ret void\\n}", "t.ll"))
    False
    """
    return test.format == "llvm" and os.path.splitext(test.path)[1].lower() in SOURCES


def load_again(test: Test, text: str) -> Test:
    """Read the text of a test again, after it was changed.

    Parameters
    ----------
    test : Test
    text : str
        In the language of :attr:`Test.source`.

    Returns
    -------
    Test
        The lines of its operations are those of the program, where it was compiled from one.

    Raises
    ------
    InputError
        As :func:`enumerator.frontend.load_text`.
    """
    return _with_profile(load_ir(text, test.path, test.path), test) if is_compiled(test) else load_text(text, test.path)


def load_ir(text: str, path: str, compiled: str | None = None) -> Test:
    """Read LLVM IR, whatever its file is called.

    Parameters
    ----------
    text, path : str
    compiled : str, optional
        The file that it was compiled from, if lines are to be those of it.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        As :func:`enumerator.frontend.load_text`.
    """
    if compiled is None:
        return load_text(text, path)
    from enumerator.frontend.llvm import load_text as load_llvm

    return load_llvm(text, path, source=compiled)


def ir_of(test: Test) -> str:
    """Give the source of a test as a file in LLVM IR (``.ll``) has to hold it.

    Parameters
    ----------
    test : Test

    Returns
    -------
    str
        The source itself, where it is no program that was compiled. Of one, without the lines that hold no directive;
        and where it is its ``main`` that makes it a program, a directive says so.

    Examples
    --------
    >>> text = "; t\\n@x = global i32 0\\ndefine void @t() {\\n  ret void\\n}"
    >>> ir_of(load_text(text, "t.ll")) == text
    True
    """
    if not is_compiled(test):
        return test.source
    text = test.source.lstrip("\n")
    try:
        if _names(load_text(text, "compiled.ll")) == _names(test):
            return text
    except InputError:
        pass  # as where main has parameters, which only a program's own are given
    main = next((thread for thread in test.threads if thread.function == "main"), None)
    if main is None:
        return text
    arguments = ", ".join(_ARGUMENTS[: len(main.arguments)])
    return f"; THREADS: {main.name}=@main({arguments})\n{text}"


def by_own_lines(test: Test) -> Test:
    """Give a test whose source and lines are those of a file in LLVM IR, where it was compiled.

    Parameters
    ----------
    test : Test

    Returns
    -------
    Test
        Its operations are in the same places.

    Raises
    ------
    InputError
        As :func:`enumerator.frontend.load_text`.
    """
    return _with_profile(load_text(ir_of(test), f"{test.path}.ll"), test) if is_compiled(test) else test


def _with_profile(read: Test, test: Test) -> Test:
    return replace(read, target_profile=test.target_profile if read.profile == test.profile else "")


def _names(test: Test) -> list[str]:
    return [thread.name for thread in test.threads]
