"""Small Vulkan litmus tests for the tests of the front end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from enumerator import check
from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.program.instructions import Instruction
from enumerator.program.test import Test
from enumerator.results.result import Result

__all__ = ["asked", "body", "final", "instructions", "load", "model", "states"]

OPTIONS = {"nochains": "chains", "race-blind": "races", "race-free": "races", "racy": "races"}


def load(text: str, path: str = "t.litmus") -> Test:
    return load_text(text, path)


def body(*rows: str, initial: str = "", question: str = "forall (true)") -> Test:
    """A test of one thread with this code."""
    code = "\n".join(f"{row} ;" for row in rows)
    return load(f"VULKAN t\n{{ {initial} }}\nP0@sg 0, wg 0, qf 0 ;\n{code}\n{question}\n")


def model(variants: Iterable[str] = ()) -> SelectedModel:
    return select("vulkan", (), {OPTIONS[variant]: variant for variant in variants})


def asked(test: Test, variants: Iterable[str] = (), engine: str = "bitset") -> Result:
    """What the model says of a test, whatever the test expects."""
    result = check(replace(test, expectations=()), model(variants), engine=engine)
    assert result.status == "complete", result.notes
    return result


def states(test: Test) -> list[dict[str, object]]:
    """All final values of all states."""
    result = check(test, all_values=True)
    assert result.status == "complete", result.notes
    return [dict(state.as_json()["values"]) for state in result.states]


def final(*rows: str, initial: str = "") -> dict[str, object]:
    """The final values of the only state of one thread."""
    (only,) = states(body(*rows, initial=initial))
    return only


def instructions(test: Test, thread: int = 0) -> list[Instruction]:
    """The instructions of a thread, without those that give registers first values."""
    blocks = test.functions[f"P{thread}"].blocks
    return [instruction for block in blocks[1:] for instruction in block.body]
