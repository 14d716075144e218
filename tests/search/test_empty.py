"""Tests without any event: nothing is in any set, and threads may still be alike."""

from __future__ import annotations

from enumerator import check
from enumerator.frontend import load_text

THREADS = "".join(f"define void @t{number}() {{\n  ret void\n}}\n" for number in range(2))


def test_threads_that_do_nothing() -> None:
    for engine in ("bitset", "networkx"):
        result = check(load_text(f"; EXISTS: @x = 1\n@x = global i32 1\n{THREADS}", "t.ll"), "llvm", engine=engine)
        assert (result.consistent, result.positive) == (1, 1)
