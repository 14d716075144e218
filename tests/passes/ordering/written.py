"""Functions for the tests of this folder, written in short, and what passes make of them."""

from __future__ import annotations

import re
import textwrap

from enumerator.passes.ordering import Ordered, order

HEAD = """\
@x = global i32 0
@y = global i32 0
@a = global [4 x i32] zeroinitializer
@table = constant [2 x i32] [i32 7, i32 8]
declare void @g()
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i32 @llvm.csa.parallel.region.entry(i32)
declare void @llvm.csa.parallel.region.exit(i32)
declare i32 @llvm.csa.parallel.section.entry(i32)
declare void @llvm.csa.parallel.section.exit(i32)
"""


def module(body: str, parameters: str = "", more: str = "") -> str:
    """A module with one function ``f``; `more` stands before it."""
    return f"{HEAD}{more}\ndefine void @f({parameters}) {{\n{textwrap.dedent(body).strip()}\n}}\n"


def run(mode: str, body: str, parameters: str = "", more: str = "") -> Ordered:
    return order(module(body, parameters, more), "f.ll", mode)


def waits(ordered: Ordered) -> dict[str, set[str]]:
    """What each operation waits for, by the short names of :func:`short`; ``entry`` is the function's."""
    names = {each.number: short(each.text) for each in ordered.operations}
    return {
        names[each.number]: {names[number] for number in each.waits_for} | ({"entry"} if each.entry else set())
        for each in ordered.operations
    }


def short(text: str) -> str:
    """The register that is assigned; the value that is stored, as ``=1``; the address of a prefetch, as ``~@x``."""
    if match := re.match(r"%([\w.]+) = ", text):
        return match[1]
    if match := re.match(r"store i32 (\S+), ", text):
        return f"={match[1]}"
    if match := re.match(r"call void @llvm.prefetch.p0\(ptr (\S+), i32 (\d)", text):
        return f"~{match[1]}:{match[2]}"
    if match := re.match(r"call void (@\w+)", text):
        return match[1]
    return text.split()[0]


def function_lines(ordered: Ordered) -> list[str]:
    """The lines of the function, without indentation, header and braces."""
    text = ordered.text[ordered.text.index("define") :]
    return [line.strip() for line in text[: text.index("\n}")].split("\n")[1:] if line.strip()]
