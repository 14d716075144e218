"""Small C litmus tests for the tests of the front end."""

from __future__ import annotations

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.instructions import Instruction
from enumerator.program.test import Test

__all__ = ["body", "final", "instructions", "load", "states"]


def load(text: str) -> Test:
    return load_text(text, "t.litmus")


def body(code: str, initial: str = "", parameters: str = "atomic_int *x, int *y") -> Test:
    """A test of one thread with this code."""
    return load(f"C t\n{{{initial}}}\nP0 ({parameters}) {{\n{code}\n}}\nforall (true)\n")


def states(test: Test, model: str = "rc11", engine: str = "bitset") -> list[dict[str, object]]:
    """All final values of all states."""
    result = check(test, model=model, engine=engine, all_values=True)
    assert result.status == "complete", result.notes
    return [dict(state.as_json()["values"]) for state in result.states]


def final(code: str, initial: str = "", parameters: str = "atomic_int *x, int *y") -> dict[str, object]:
    """The final values of the only state of one thread."""
    (only,) = states(body(code, initial, parameters))
    return only


def instructions(test: Test, thread: int = 0) -> list[Instruction]:
    """The instructions of a thread, in the order of the text, without those that give registers first values."""
    blocks = test.functions[f"P{thread}"].blocks
    return [instruction for block in blocks[1:] for instruction in block.body]
