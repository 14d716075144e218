"""Reading a source and a target: a target without directives takes those of its source."""

from __future__ import annotations

import os
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.files import read_text
from enumerator.frontend import check_text, compiler_of, load, load_text
from enumerator.frontend.directives import directive
from enumerator.frontend.llvm.source import scan
from enumerator.frontend.llvm.test import TOGETHER, ScopesNeeded
from enumerator.frontend.llvm.test import load_text as load_llvm
from enumerator.options import BatchOptions
from enumerator.program.test import Test

__all__ = ["TOGETHER_NOTE", "load_pair", "load_pair_texts"]

TOGETHER_NOTE = "neither has SCOPES: all threads are taken to run in one wavefront"
"""What the answer says where that was assumed."""


def load_pair(source: str, target: str, options: BatchOptions | None = None) -> tuple[Test, Test]:
    """Read a source and a target.

    Parameters
    ----------
    source, target : str
        Paths.
    options : BatchOptions, optional
        How programs in C and its like are compiled.

    Returns
    -------
    tuple of (Test, Test)

    Raises
    ------
    InputError
        As :func:`enumerator.load`.

    See Also
    --------
    load_pair_texts : What holds for LLVM IR.
    """
    if not all(os.path.splitext(path)[1].lower() == ".ll" for path in (source, target)):
        options = options or BatchOptions()
        before = load(source, compiler_of(source, options))
        launch = directive(scan(before.source).comments, "LAUNCH") if before.format == "llvm" else ""
        if not launch or os.path.splitext(target)[1].lower() != ".ll":
            return before, load(target, compiler_of(target, options))
        return before, _launched(read_text(target), target, launch)
    return load_pair_texts(read_text(source), read_text(target), source, target)


def load_pair_texts(source: str, target: str, source_path: str, target_path: str) -> tuple[Test, Test]:
    """Read a source and a target from LLVM IR.

    The grid that the source launches, the target launches too if it does not say what runs it, and the scope tree of
    one holds for the other if that has none. If neither has one, and either uses scopes below
    the system, all threads are taken to run in one wavefront, as the annotations of a source without scopes do not
    depend on where; a note of both tests says so.

    Parameters
    ----------
    source, target, source_path, target_path : str

    Returns
    -------
    tuple of (Test, Test)

    Raises
    ------
    InputError
        As :func:`enumerator.frontend.load_text`.

    Examples
    --------
    >>> text = "@x = global i32 0\\ndefine void @t() {{\\n  fence {}release\\n  ret void\\n}}"
    >>> pair = load_pair_texts(text.format(""), text.format('syncscope("agent") '), "a.ll", "b.ll")
    >>> pair[1].notes
    ('neither has SCOPES: all threads are taken to run in one wavefront',)
    """
    texts, paths = (source, target), (source_path, target_path)
    for text, path in zip(texts, paths, strict=True):
        check_text(text, path)
    launch = directive(scan(source).comments, "LAUNCH")
    if launch:
        return load_text(source, source_path), _launched(target, target_path, launch)
    trees = [directive(scan(text).comments, "SCOPES") for text in texts]
    if any(trees):
        tree = trees[0] or trees[1]
        both = [load_llvm(text, path, scopes=tree) for text, path in zip(texts, paths, strict=True)]
        return both[0], both[1]
    try:
        return load_text(source, source_path), load_text(target, target_path)
    except ScopesNeeded:
        both = [load_llvm(text, path, scopes=TOGETHER) for text, path in zip(texts, paths, strict=True)]
        first, second = (replace(test, notes=(*test.notes, TOGETHER_NOTE)) for test in both)
        return first, second


def _launched(text: str, path: str, launch: str) -> Test:
    """Read a target, with the grid of its source if it does not say itself which threads run.

    The directive stands behind all that there is, so that all lines keep their places. What is wrong with it in view of
    the target is told of the file, which has no such line.
    """
    check_text(text, path)
    comments = scan(text).comments
    if any(directive(comments, name) for name in ("LAUNCH", "THREADS", "SCOPES")):
        return load_text(text, path)
    try:
        return load_text(f"{text}\n; LAUNCH: {launch}\n", path)
    except InputError as error:
        if error.path != path or error.line is None or error.line <= text.count("\n") + 1:
            raise
        raise InputError(f"{error.message} (the source's LAUNCH)", path) from None
