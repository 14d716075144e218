"""What front ends say of bad input, for the tests of each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.frontend import load_text

__all__ = ["assert_cuts_are_told", "assert_refused"]


def assert_refused(text: str, line: int, column: int, message: str, path: str = "t.litmus") -> None:
    """A test is refused at a place, with a message that holds this one."""
    with pytest.raises(InputError) as caught:
        load_text(text, path)
    error = caught.value
    assert message in error.message
    assert (error.path, error.line, error.column) == (path, line, column)


def assert_cuts_are_told(folder: Path, first: int, seed: int) -> None:
    """Whatever is cut out of tests behind their first letters, they are read, or there is a message with a line."""
    choose = random.Random(seed)
    for path in sorted(folder.glob("*.litmus"))[::4]:
        text = path.read_text(encoding="utf-8")
        for _ in range(12):
            start, end = sorted(choose.sample(range(first, len(text)), 2))
            try:
                load_text(text[:start] + text[end:], "t.litmus")
            except InputError as error:
                assert error.message and error.line
