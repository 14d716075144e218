"""Walking over a text by regular expressions, in linear time: what the lexers of models and of tests share."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from enumerator.errors import InputError

__all__ = ["Scanner"]

_NESTED = re.compile(r"\(\*|\*\)")


class Scanner:
    """A text, and how far it has been read.

    Parameters
    ----------
    text : str
    path : str
        Of the file, for messages.

    Attributes
    ----------
    position : int
        The offset of the first character that has not been read.
    starts : list of int
        The offsets of the lines.

    Examples
    --------
    >>> scanner = Scanner("ab (* (* *) *)" + chr(10) + "c", "x.cat")
    >>> scanner.take(re.compile("[a-z]+"))[0], scanner.position, scanner.place(15), scanner.end_of_nested(3)
    ('ab', 2, (2, 1), 14)
    """

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.position = 0
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    @property
    def at_end(self) -> bool:
        """Whether the whole text has been read."""
        return self.position >= len(self.text)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches at the position."""
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def place(self, offset: int) -> tuple[int, int]:
        """Give the line and column of an offset, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def error(self, message: str, offset: int) -> InputError:
        """Make the error that something is wrong at an offset."""
        return InputError(message, self.path, *self.place(offset))

    def end_of_nested(self, start: int) -> int | None:
        """Give the end of a comment ``(* … *)`` with nested ones that starts here, or None if it is not closed."""
        return self._ends.get(start)

    @cached_property
    def _ends(self) -> dict[int, int]:
        """Match all comment marks at once: to look for each end by itself takes quadratic time where none is found."""
        ends, opened = {}, []
        for match in _NESTED.finditer(self.text):
            if match[0] == "(*":
                opened.append(match.start())
            elif opened:
                ends[opened.pop()] = match.end()
        return ends
