"""C litmus tests that are wrong: one message each, with its place, and the batch goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_batches import run

GOOD = """C good
{ [x]=0; }
P0 (atomic_int* x) { int r0 = atomic_load(x); }
exists (0:r0=0)
"""


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


BAD = {
    "empty": ("", "empty.litmus: the file is empty"),
    "name": ("C", ":1:2: the test has no name"),
    "cut-in-thread": (GOOD[:50], ":3:"),
    "cut-in-call": (GOOD[:61], ":3:"),
    "cut-in-condition": (GOOD[:-5], ":4:"),
    "cut-before-bracket": (GOOD[:-2], ":4:15: the file ends here: expected ')'"),
    "architecture": (changed("C good", "AArch64 good"), "unknown format"),
    "mnemonic": (changed("int r0 = atomic_load(x)", "mov r0, 1"), ":3:22: unknown type 'mov'"),
    "function": (changed("atomic_load", "atomic_lode"), ":3:31: atomic_lode: there is no function of this name"),
    "undeclared": (changed("int r0", "r0"), ":3:22: r0 is not declared in this thread"),
    "variable": (changed("load(x)", "load(y)"), "y is not declared in this thread"),
    "register": (changed("0:r0=0", "0:r9=0"), ":4:11: thread P0 has no register r9"),
    "location": (changed("0:r0=0", "[zz]=0"), ":4:10: unknown location zz"),
    "thread": (changed("0:r0=0", "3:r0=0"), ":4:9: there is no thread P3"),
    "nul": (changed("{ [x]=0; }", "\0"), ":2:1: the text contains a NUL character"),
}


@pytest.mark.parametrize("command", ["check", "run"])
def test_each_has_one_message_and_the_batch_goes_on(tmp_path: Path, command: str) -> None:
    for name, (text, _) in BAD.items():
        (tmp_path / f"{name}.litmus").write_text(text)
    (tmp_path / "good.litmus").write_text(GOOD)
    code, out, err = run(tmp_path, command, ".")
    assert code == 2
    report = out if command == "check" else err
    for name, (_, message) in BAD.items():
        lines = [line for line in report.splitlines() if f"/{name}.litmus:" in line]
        assert len(lines) == 1 and message in lines[0], (name, lines)
    assert "1 as expected" in out or "Test good Allowed\n" in out


def test_two_tests_of_one_name_are_both_reported(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.litmus").write_text(changed("C good", "C same"))
    code, out, _ = run(tmp_path, "run", ".")
    assert code == 0 and out.count("Test same Allowed\n") == 2
