"""Tests whose threads are written in one line each."""

from __future__ import annotations

from enumerator.frontend import load_text
from enumerator.program.test import Test

__all__ = ["program"]


def program(head: str, *threads: str) -> Test:
    """Load a test: what stands first, and the instructions of its threads ``t0``, ``t1`` …, with semicolons between."""
    lines = []
    for number, body in enumerate(threads):
        text = "\n".join(part.strip() for part in body.split(";") if part.strip())
        lines.append(f"define void @t{number}() {{\n{text}\n" + ("" if "ret void" in body else "ret void\n") + "}\n")
    return load_text(head + "".join(lines), "written.ll")
