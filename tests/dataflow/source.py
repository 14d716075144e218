"""Token programs for the tests of this folder, written in short."""

from __future__ import annotations

import textwrap

from enumerator.frontend import load_text
from enumerator.program.test import Test

_HEAD = """\
@x = global i32 0
@y = global i32 0
@z = global i32 0
@table = constant [2 x i32] [i32 7, i32 8]
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
"""

HEAD_LINES = _HEAD.count("\n")
"""Lines before those that a test writes: line n of its text is line HEAD_LINES + n of the module."""


def module(text: str, path: str = "t.ll") -> Test:
    """Load a module: ``in %t``, ``%t = out``, ``%e = entry`` and ``%m = all %a, %b`` stand for the intrinsics."""
    return load_text(_HEAD + "\n".join(map(_line, textwrap.dedent(text).strip("\n").split("\n"))), path)


def function(body: str) -> Test:
    """Load a module of one function ``f``; the first line of its body is line HEAD_LINES + 2."""
    return module("define void @f() {\n" + textwrap.dedent(body).strip("\n") + "\n}")


def _line(line: str) -> str:
    words = line.split()
    if words[:1] == ["in"]:
        return f"  call void @llvm.csa.inord(i1 {words[1]})"
    if words[1:3] == ["=", "entry"]:
        return f"  {words[0]} = call i1 @llvm.csa.mementry()"
    if words[1:3] == ["=", "out"]:
        return f"  {words[0]} = call i1 @llvm.csa.outord()"
    if words[1:3] == ["=", "all"]:
        inputs = ", ".join(f"i1 {word.strip(',')}" for word in words[3:])
        return f"  {words[0]} = call i1 (...) @llvm.csa.all0({inputs})"
    return line
