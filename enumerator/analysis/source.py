"""The source of a test as people know it: its lines, and the places in another file that debug information names."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.lines import line_text
from enumerator.program.test import Test

__all__ = ["Source"]

_DEBUG = re.compile(r"!dbg (!\d+)")


@dataclass(frozen=True)
class Source:
    """The text that the lines of a test's events are lines of.

    Parameters
    ----------
    path : str
    lines : tuple of str
        Empty if there is no text, as of a test that was made in memory.
    places : dict of int to str
        By line, what debug information says it comes from: ``kernel.hip:17``.
    beside : int
        How many threads stand side by side in a line, with bars between them; 0 if each line is of one.
    """

    path: str
    lines: tuple[str, ...]
    places: dict[int, str]
    beside: int = 0

    @classmethod
    def of(cls, test: Test) -> Source:
        """Find the source of a test.

        Parameters
        ----------
        test : Test

        Returns
        -------
        Source
            Of a program that was compiled, the program and not what became of it.

        Examples
        --------
        >>> from enumerator.frontend import load_text
        >>> source = Source.of(load_text("; a title\\n@x = global i32 0\\ndefine void @t() {\\n  ret void\\n}", "t.ll"))
        >>> source.text(2), source.place(2), source.text(99)
        ('@x = global i32 0', '2', '')
        """
        found = _of(test.path, test.format, test.source)
        return replace(found, beside=len(test.threads)) if test.format in ("vulkan", "ptx") else found

    def text(self, line: int | None, thread: int | None = None) -> str:
        """Give a line without its indentation, or the thread's part of it; empty if there is none."""
        if line is None or not 0 < line <= len(self.lines):
            return ""
        whole = self.lines[line - 1].strip()
        parts = whole.removesuffix(";").split("|")
        return parts[thread].strip() if thread is not None and len(parts) == self.beside else whole

    def place(self, line: int | None) -> str:
        """Say where a line is: its number, and what debug information says it comes from."""
        if line is None:
            return ""
        return f"{line}, {self.places[line]}" if line in self.places else line_text(line)


@lru_cache(maxsize=16)
def _of(path: str, format: str, text: str) -> Source:
    from enumerator.frontend.compiled import LANGUAGES

    if format == "llvm" and os.path.splitext(path)[1].lower() in LANGUAGES:
        from enumerator.files import read_text

        try:
            text = read_text(path)
        except (InputError, OSError):
            text = ""  # it is gone since it was read: positions remain
        return Source(path, tuple(text.splitlines()), {})
    lines = tuple(text.split("\n"))
    return Source(path, lines, _debug_places(lines) if format == "llvm" and "!DILocation(" in text else {})


def _debug_places(lines: tuple[str, ...]) -> dict[int, str]:
    from enumerator.frontend.llvm.debug import DebugLocations

    known = DebugLocations()
    for line in lines:
        known.add(line)
    found = {}
    for number, line in enumerate(lines, 1):
        match = _DEBUG.search(line) if line.startswith((" ", "\t")) else None
        chain = known.chain(match[1]) if match is not None else ()
        if chain:
            found[number] = ", inlined at ".join(os.path.basename(place) for place in chain)
    return found
